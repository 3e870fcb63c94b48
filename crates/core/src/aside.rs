//! Work that reads or writes a lot, on a thread of its own: no other caller waits for it.

use flightdeck_contract::{Error, ErrorCode};

/// Does `work` aside and waits for what it gives. An error means that it panicked.
pub(crate) async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
}
