//! Requests and results about terminals.
//!
//! Optional fields are absent rather than null, and numbers are plain: every client's schema checker takes them.

mod end;
mod history;
mod input;
mod lease;
mod list;
mod read;
mod run;
mod screen;
mod search;
mod start;
mod stream;
mod times;
mod wait;

pub use end::{Done, Kill, Killed, Remove, SendSignal};
pub use history::{CommandRecord, Commands, History};
pub use input::{Resize, Send, Sent};
pub use lease::{Holder, LeaseAction, LeaseRequest, LeaseState, Pin};
pub(crate) use list::is_default;
pub use list::{InputKind, InputState, List, Listed, TerminalInfo, TerminalKind};
pub use read::{Output, Read};
pub use run::{Background, Exec, Ran, Run};
pub use screen::{LookAtScreen, Picture, ScreenShown};
pub use search::{Found, Match, Search};
pub use start::{Created, New, WindowSize};
pub use stream::{Attach, Follow, Followed, OutputStream, Seen, TerminalEvent, ViewerId, WatchTerminal};
pub use times::{OutputSize, OutputTime, OutputTimes, Times};
pub use wait::{Wait, WaitReason, Waited};
