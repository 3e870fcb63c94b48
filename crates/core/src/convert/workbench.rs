//! The workbench's actors and errors, and those of the hub.

use flightdeck_contract::{Error, ErrorCode};
use flightdeck_workbench::{Actor as Guest, WorkbenchError};

use crate::actor::Actor;

/// Who it is for the workbench: what an agent opens is its own by name, as its terminals are.
pub(crate) fn guest(actor: &Actor) -> Guest {
    match actor {
        Actor::Human(front_end) => Guest::Person(front_end.clone()),
        Actor::Agent { name, .. } => Guest::Agent(name.clone()),
    }
}

pub(crate) fn workbench_error(error: &WorkbenchError) -> Error {
    let code = match error {
        WorkbenchError::PaneNotFound(_) | WorkbenchError::TabNotFound(_) => ErrorCode::PaneNotFound,
        WorkbenchError::NotOpen(_) | WorkbenchError::NotLoaded(_) => ErrorCode::EditorNotOpen,
        WorkbenchError::HighlightNotFound(_) => ErrorCode::HighlightNotFound,
        WorkbenchError::HighlightTaken { .. } | WorkbenchError::Pinned(_) | WorkbenchError::PeopleOnly(_) => {
            ErrorCode::NotAllowed
        }
        WorkbenchError::UnsavedChanges { .. } => ErrorCode::UnsavedChanges,
        WorkbenchError::Full { .. } => ErrorCode::ResourceLimit,
        WorkbenchError::NoRoom { .. }
        | WorkbenchError::SizeImpossible { .. }
        | WorkbenchError::NothingBeside { .. } => ErrorCode::LayoutImpossible,
        WorkbenchError::VersionTooOld { .. } => ErrorCode::EditTooOld,
        WorkbenchError::TooLarge { .. } => ErrorCode::TooLarge,
        WorkbenchError::BadRange { .. }
        | WorkbenchError::BadArgument { .. }
        | WorkbenchError::ViewerNotFound(_)
        | WorkbenchError::VersionUnknown { .. }
        | WorkbenchError::EditOutOfOrder { .. }
        | WorkbenchError::BadPosition { .. }
        | WorkbenchError::NoConflict(_) => ErrorCode::InvalidArgument,
    };
    Error::new(code, error.to_string()).hint(error.hint())
}
