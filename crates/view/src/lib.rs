//! What a window shows of a hub, without the window: which rows its lists have, what its terminals look like cell by cell,
//! what its keys mean. It knows the hub by the client crate and no toolkit, so all of it is tested where no Qt is.
//!
//! ```text
//!   Link ── watches the hub, calls it ──► Deck   what is known, as rows for lists
//!     └──── opens ──► Pane ◄── keys, mouse, selection
//!                       └──► Frame   what to paint, and which rows of it are new
//! ```

pub mod activity;
pub mod deck;
pub mod frame;
pub mod keys;
pub mod link;
pub mod mouse;
pub mod output_filter;
pub mod pane;
pub mod policy;
pub mod reading;
mod reads;
pub mod rows;
pub mod selection;
pub mod shown;
pub mod tokens;
pub mod words;
