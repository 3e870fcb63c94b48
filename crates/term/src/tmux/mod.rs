//! Tabs on tmux: a server of our own, one window for each tab, and the same log and session above it.
//!
//! ```text
//!   hub ── control client ── send-keys, resize ──► tmux server ── window: holder of the pane ── shell
//!                                                      │ pipe-pane -> cat -> FIFO
//!                                                      ▼
//!                                                   keeper ── log segments       (a followed session)
//! ```
//!
//! The keeper starts the server, so that all that runs in it descends from the keeper. tmux and the keeper both outlive
//! the hub, and tmux even a keeper that was killed. Every call is made of arguments, never of a line for a shell; the one
//! line that tmux itself hands to a shell (`pipe-pane`) holds nothing but a quoted path.

mod by_keeper;
mod call;
mod control;
mod count;
mod error;
mod escape;
mod guests;
mod join;
mod pipe;
mod place;
mod presence;
mod server;
mod servers;
mod start;
mod tab;
mod ticket;
mod version;
mod window;

pub(crate) use by_keeper::is_start;
pub use error::TmuxError;
pub use guests::{GuestWindow, Guests};
pub use join::Join;
pub use place::{Place, users_socket};
pub use server::{Tmux, TmuxSetup, end_by_force};
pub use servers::{Seen, Servers};
pub use start::{NewTab, OldTab};
pub use version::{Found, look};
pub use window::has_window;
