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
//! It starts the hub, too, and serves only that: the two speak over a channel that the hub is given at its start, and
//! whoever dials the keeper's socket can ask for one thing, that a hub be started unless one lives (keeper/hub_life.rs).
//! The program and the environment of the hub are the keeper's own.
//!
//! It has no async runtime and no policy, and knows nothing of screens or commands: what never needs to change
//! never needs a restart, and a restart is the one thing that would lose terminals.

mod capabilities;
mod client;
mod descriptors;
mod error;
mod fd_passing;
mod hub_start;
mod keeper;
mod landlock;
mod launch;
pub mod layout;
mod loss;
mod os_bytes;
mod peer;
mod sandbox;
mod seccomp;
mod types;
mod wire;

pub use client::{Events, Requests, Spawned, connect, over};
pub use error::{ClientError, KeeperError, Refusal};
pub use hub_start::{HubStart, HubStop, StartedHub, inherited_channel, start_hub};
pub use keeper::{
    HubProgram, InputLog, KeeperOptions, PaneError, PaneWord, Ready, hold_pane, leave_parent, pane_ready_path, run,
    write_pane_spec,
};
pub use launch::launch;
pub use layout::{exit_path, input_path, output_path, parse_segment_name, read_exit, segment_path, streams_path};
pub use loss::{BootTime, KeeperLoss, RunningKeeper, boot_id, keeper_loss, record_keeper_loss, running_keeper};
pub use os_bytes::OsBytes;
pub use peer::peer_pidfd;
pub use sandbox::{NoSandbox, Sandbox, Support, sandbox_support};
pub use types::{
    Event, Exit, FollowSpec, InvalidId, InvalidSize, LogLimits, Output, SessionId, SessionInfo, Size, SpawnSpec,
    Stream, Target, WhenStalled,
};
pub use wire::PROTOCOL;
