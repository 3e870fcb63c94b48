//! A client of the hub, for front ends and tools: it finds or starts the hub of a folder, makes calls, and takes typed
//! streams that go on after a hub that was restarted.
//!
//! ```no_run
//! use flightdeck_client::{Error, Hub, Live, Moment};
//! use flightdeck_contract::terminal::{Attach, Created, Follow, New, TerminalEvent};
//! use flightdeck_contract::workspace::Workspace;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let hub = Hub::of(Workspace::at(".".as_ref())?);
//! let client = hub.connect_or_start("my-tool").await?;
//!
//! // A call: a command, its arguments, its result.
//! let new = New { command: Some(vec!["make".into()]), ..New::default() };
//! let made: Created = client.call("flightdeck.terminal.new", &new).await?;
//!
//! // A stream, whose request says what it tells: every byte that is printed, and at the end how it ended.
//! let follow = Follow { id: made.id, from: None, lines: None, follow: true, plain: true };
//! let mut stream = client.stream(&follow).await?;
//! while let Some((event, bytes)) = stream.next().await? {
//!     if let TerminalEvent::Output { .. } = event {
//!         print!("{}", String::from_utf8_lossy(&bytes));
//!     }
//! }
//! println!("exit code {:?}", stream.end().await?.exit_code);
//!
//! // A stream that lasts over restarts of the hub. What it missed comes when there is one again.
//! let mut live = Live::new(hub, "my-tool", Attach::to(made.id));
//! while let Some(moment) = live.next().await? {
//!     match moment {
//!         Moment::Event(event, bytes) => println!("{event:?} with {} bytes", bytes.len()),
//!         Moment::Away => println!("the hub is away"),
//!         Moment::Back => println!("and back"),
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! [`Client`] and what it gives is for programs with a runtime, [`blocking::Connection`] for those without. The types of
//! requests, results and events are in [`flightdeck_contract`], the protocol itself in [`flightdeck_contract::control`].

pub mod blocking;
mod connection;
mod error;
pub mod find;
mod hub;
mod leftovers;
mod live;

pub use connection::{Client, Events, Handle, Outcome, Running, Stream};
pub use error::Error;
pub use hub::Hub;
pub use live::{Live, Moment};
