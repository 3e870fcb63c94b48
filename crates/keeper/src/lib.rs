//! The keeper: a tiny process that spawns the children, holds their terminals and writes their output to disk,
//! so that it all outlives the hub.
//!
//! ```text
//!   hub ── Requests/Events ──► control thread ──► spawn, signal, reap          (keeper/control.rs)
//!                    ▲                │ hands each session to the less busy of
//!                    │                ▼
//!                    └── Grew ── reader threads (2) ──► log segments on disk   (keeper/reader.rs, keeper/log.rs)
//! ```
//!
//! It has no async runtime and no policy, and knows nothing of screens or commands: what never needs to change
//! never needs a restart, and a restart is the one thing that would lose terminals.

mod capabilities;
mod client;
mod descriptors;
mod error;
mod keeper;
mod landlock;
mod launch;
pub mod layout;
mod os_bytes;
mod sandbox;
mod seccomp;
mod types;
mod wire;

pub use client::{Events, Requests, Spawned, connect};
pub use error::{ClientError, KeeperError, Refusal};
pub use keeper::{
    InputLog, KeeperOptions, PaneError, PaneWord, Ready, hold_pane, leave_parent, pane_ready_path, run, write_pane_spec,
};
pub use launch::launch;
pub use layout::{exit_path, input_path, output_path, parse_segment_name, read_exit, segment_path, streams_path};
pub use os_bytes::OsBytes;
pub use sandbox::{NoSandbox, Sandbox, Support, sandbox_support};
pub use types::{
    Event, Exit, FollowSpec, InvalidId, InvalidSize, LogLimits, Output, SessionId, SessionInfo, Size, SpawnSpec,
    Stream, Target, WhenStalled,
};
pub use wire::PROTOCOL;
