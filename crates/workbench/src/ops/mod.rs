//! What can be done, one concern a file. Each operation checks everything first and changes nothing when it refuses.

mod arrange;
mod background;
mod close;
mod disk;
mod edit;
mod editor;
mod highlight;
mod leave;
mod open;

pub use arrange::{Destination, MoveTab, Pin, Resize, Side};
pub use background::BackgroundTab;
pub use close::Unsaved;
pub use disk::{Expected, Resolution, WriteTo, Written};
pub use edit::{Edit, Edited};
pub(crate) use editor::clamped;
pub use editor::{OpenEditor, OpenedEditor};
pub use highlight::SetHighlight;
pub use open::{Open, Opened};
