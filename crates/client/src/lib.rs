//! A client of the hub, for front ends and tools: it finds or starts the hub of a folder, makes calls, and takes typed
//! streams that go on after a hub that was restarted.
//!
//! ```no_run
//! use flightdeck_client::contract::terminal::{Attach, Created, Follow, New, TerminalEvent};
//! use flightdeck_client::{Live, Moment, find};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! // The hub of the project around the current folder. `Hub::of(Workspace::at(dir)?)` means just that folder.
//! let hub = find::workspace(None)?.hub();
//! let client = hub.connect_or_start("my-tool").await?;
//!
//! // A call: a command, its arguments, its result.
//! let new = New { command: Some(vec!["make".into()]), ..New::default() };
//! let made: Created = client.call("flightdeck.terminal.new", &new).await?;
//!
//! // A stream, whose request says what it tells: every byte that is printed, and at the end how it ended.
//! let follow = Follow { follow: true, plain: true, ..Follow::of(made.id) };
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
//! [`Client`] and what it gives is for programs with a tokio runtime, [`blocking::Connection`] for those without.
//!
//! **Commands** are those of `docs/commands.md`: a request and a result each, whose types are in [`contract`]. Those that
//! stream are [`contract::Streams`], and those of them that can be taken up again [`contract::Resumes`]. Any other command,
//! also one that an IDE has brought, is called by its id with arguments as JSON ([`Client::begin`]).
//!
//! **Who calls.** The name that is given at connecting is what the audit log and other front ends show. It gives no rights: a
//! program that a person has started outside of the hub's terminals acts for that person, and one that was started inside
//! counts as an agent's. What an agent may not do alone is put to a person; such a call waits as long as that takes.
//!
//! **What fails.** [`Error::Hub`] is an answer, with a stable [code](contract::ErrorCode) and often a hint. After
//! [`Error::Gone`] nothing is known of the calls that were under way: look before you do them again.

pub mod blocking;
mod connection;
mod error;
pub mod find;
mod hub;
mod leftovers;
mod live;
pub mod protect;

pub use flightdeck_contract as contract;

pub use connection::{Client, Events, Handle, Outcome, Running, Stream};
pub use error::Error;
pub use hub::Hub;
pub use live::{Live, Moment};
