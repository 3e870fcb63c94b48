//! The hub: one workspace's terminals behind one door.
//!
//! Every surface decodes a call, hands it to [`Hub::begin`] and encodes what comes back. Nothing else is public of
//! what a caller could do, so no surface can go around it.

mod actor;
mod agents;
mod approvals;
mod aside;
mod audit;
mod bridge;
mod call;
mod conversations;
mod convert;
mod errands;
mod events;
mod gate;
mod hub;
mod identity;
mod lock;
mod metrics;
mod ops;
mod order;
mod progress;
mod registry;
mod room;
mod runtime;
mod settings;
mod store;
mod stream;
mod terminals;
mod timestamp;
mod workbench;

pub use actor::{Actor, Asks, Caller, Entry, Surface};
pub use agents::{Agent, AgentKey, Agents, Arrival};
pub use approvals::{Answer, StartedWindow};
pub use call::Cancel;
pub use conversations::find_program;
pub use conversations::{
    AnswerBudget, AnswerRoom, Batch, Draft, Driver, Heard, Instruction, Line, Reply, Seat, Speaker,
};
pub use errands::{ErrandTicket, Link};
pub use flightdeck_contract::hub::Status;
pub use flightdeck_contract::workspace::{Workspace, WorkspaceError, hash};
pub use flightdeck_keeper::peer_pidfd;
pub use hub::{Http, Hub, OpenError, Stop};
pub use identity::{Peer, holders, is_running};
pub use order::{Order, Ticket};
pub use progress::ProgressReport;
pub use registry::{Command, Effects, Family, Registry};
pub use runtime::{Adapter, BridgeInputs, Connect, Doing, Errand, SHORTEST_TOKEN, Sent, TokenSource, Way};
pub use settings::{BridgeSettings, HttpSettings, Loaded, McpServerSettings, Settings, SettingsError, WindowSettings};
pub use stream::{Event, Input, Next, Running, Taken};
pub use terminals::ground::{Choice, TabBackend};
pub use terminals::sandbox::Standing;
