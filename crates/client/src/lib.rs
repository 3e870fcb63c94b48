//! A client of the hub, for front ends and tools: it finds or starts the hub of a folder, makes calls, and takes typed
//! streams that go on after a hub that was restarted.
//!
//! ```no_run
//! # use flightdeck_client::{Client, Hub};
//! # use flightdeck_contract::terminal::{List, Listed};
//! # use flightdeck_contract::workspace::Workspace;
//! # async fn example() -> Result<(), flightdeck_client::Error> {
//! let workspace = Workspace::at(std::path::Path::new(".")).unwrap();
//! let hub = Hub::of(workspace).started_by("flightdeck".into());
//! let client = hub.connect_or_start("my-tool").await?;
//! let listed: Listed = client.call("flightdeck.terminal.list", &List::default()).await?;
//! # Ok(())
//! # }
//! ```
//!
//! [`Client`] is for programs with a runtime, [`blocking::Connection`] for those without. The protocol is in
//! [`flightdeck_contract::control`].

pub mod blocking;
mod connection;
mod error;
mod hub;
mod leftovers;
mod live;

pub use connection::{Client, Events, Handle, Outcome, Running};
pub use error::Error;
pub use hub::Hub;
pub use live::{Live, Moment};
