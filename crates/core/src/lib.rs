//! The hub: one workspace's terminals behind one door.
//!
//! Every surface decodes a call, hands it to [`Hub::call`] and encodes what comes back. Nothing else is public of
//! what a caller could do, so no surface can go around it.

mod actor;
mod agents;
mod approvals;
mod aside;
mod audit;
mod authorise;
mod bridge;
mod call;
mod consent;
mod convert;
mod files;
mod gate;
mod ground;
mod guests;
mod hub;
mod inside;
mod intent;
mod leases;
mod lock;
mod meta;
mod metrics;
mod ops;
mod output;
mod permit;
mod policy;
mod records;
mod registry;
mod results;
mod running;
mod sandbox;
mod servers;
mod settings;
mod store;
mod tabs;
mod tend;
mod timestamp;
mod typing;
mod visible;
mod workbench;
mod workspace;

pub use actor::{Actor, Asks, Caller, Surface, Within};
pub use agents::{Agent, Agents, Arrival};
pub use approvals::{Adapter, Answer, Unreachable};
pub use call::{Call, CancelSource, Cancelled, Data, Progress, call};
pub use flightdeck_contract::hub::Status;
pub use ground::{Choice, TabBackend};
pub use hub::{Http, Hub, OpenError, Stop};
pub use registry::{Command, Effects, Family, Registry};
pub use sandbox::Standing;
pub use settings::{HttpSettings, Settings, SettingsError};
pub use workspace::{Workspace, WorkspaceError, hash};
