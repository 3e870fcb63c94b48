//! The terminal engine: sessions on the keeper's children, with logs, screens, command records and bounded runs.
//!
//! ```text
//!   terminals ─► session ─┬─ log      what was printed, on disk, written by the keeper     (the truth)
//!      │                  ├─ view     screen and command records, derived from the log
//!      │ pump follows     ├─ facts    what the kernel says of it now
//!      ▼ the logs         └─ backend  takes input: in `pty/` and `tmux/`
//!   exec, wait, kill      what callers do with a session
//! ```
//!
//! It knows nothing of JSON, HTTP, agents or policy.

mod adopt;
mod backend;
pub mod exec;
pub mod facts;
pub mod image;
pub mod kill;
pub mod log;
pub mod printed;
mod pty;
mod pump;
pub mod session;
pub mod shell;
mod terminals;
pub mod tmux;
pub mod wait;

pub use adopt::Adopt;
pub use backend::{Answers, Backend, Finder, Left, Repaired, Starter, Whose};
// Named here for whoever has the engine: the screen is a part of it, in a crate that front ends can have alone.
pub use flightdeck_screen as screen;
pub use flightdeck_screen::keys;
pub use pty::OnKeeper;
pub use terminals::{Changes, Program, Spawn, SpawnError, Stdin, Tag, Terminals};
