//! What can go wrong between a client and its hub.

use std::io;

use flightdeck_contract::control::FrameError;

/// Why a call has no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The hub has answered, and said no.
    #[error(transparent)]
    Hub(#[from] flightdeck_contract::Error),
    /// The connection has ended. Whether a call that was under way took effect is not known.
    #[error("the hub is gone")]
    Gone,
    /// No hub can be reached.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// What came is not what this version of the protocol has.
    #[error("the hub's answer is not what this version expects: {0}")]
    Protocol(String),
    /// A hub was started and did not come up.
    #[error("the hub did not start: {0}")]
    Start(String),
    /// None is there, and none is to be started.
    #[error("{0}")]
    Unwanted(String),
}

impl Error {
    /// The hub's own words, when it has answered.
    pub fn hub(&self) -> Option<&flightdeck_contract::Error> {
        match self {
            Error::Hub(error) => Some(error),
            _ => None,
        }
    }
}

impl From<FrameError> for Error {
    fn from(error: FrameError) -> Self {
        Error::Protocol(error.to_string())
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Error::Protocol(error.to_string())
    }
}
