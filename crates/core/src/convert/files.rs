//! Errors of files, as callers see them.

use flightdeck_contract::{Error, ErrorCode};
use flightdeck_files::FileError;
use serde_json::json;

use crate::hub::Hub;

/// The same error with its stable code, its advice apart from what happened, and the current version where it helps.
pub(crate) fn file_error(hub: &Hub, error: &FileError) -> Error {
    let code = match error {
        FileError::NotFound { .. } | FileError::NoFolder { .. } => ErrorCode::FileNotFound,
        FileError::OutsideWorkspace { .. } => ErrorCode::OutsideWorkspace,
        FileError::Sensitive { .. } => ErrorCode::SensitiveFile,
        FileError::Protected { .. } => ErrorCode::ProtectedFile,
        FileError::IsAFolder { .. } | FileError::NotAFile { .. } => ErrorCode::NotAFile,
        FileError::NotAFolder { .. } => ErrorCode::NotAFolder,
        FileError::Binary { .. } => ErrorCode::BinaryFile,
        FileError::Encoding { .. } => ErrorCode::UnknownEncoding,
        FileError::TooLarge { .. } => ErrorCode::TooLarge,
        FileError::Stale { .. } | FileError::Exists { .. } | FileError::Busy { .. } => ErrorCode::StaleVersion,
        FileError::BadPath { .. } => ErrorCode::BadPath,
        FileError::BadRange { .. } | FileError::BadPattern { .. } | FileError::BadContent { .. } => {
            ErrorCode::InvalidArgument
        }
        FileError::NoSpace { .. } | FileError::ReadOnly { .. } | FileError::Io { .. } => ErrorCode::Storage,
        FileError::Permission { .. } => ErrorCode::PermissionDenied,
        FileError::NothingToUndo { .. } => ErrorCode::NothingToUndo,
        FileError::Cancelled => ErrorCode::Cancelled,
    };
    let advice = match error {
        FileError::OutsideWorkspace { .. } => format!("{}: {}", error.advice(), hub.workspace().root().display()),
        _ => error.advice().to_owned(),
    };
    let told = Error::new(code, error.to_string()).hint(advice);
    match (error, error.current_version()) {
        (FileError::Stale { .. } | FileError::Exists { .. }, current) => {
            told.details(json!({ "currentVersion": current.map(ToString::to_string) }))
        }
        _ => told,
    }
}
