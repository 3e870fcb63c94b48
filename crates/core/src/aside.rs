//! Work that blocks, and for which no other caller should wait.

use flightdeck_contract::{Error, ErrorCode};
use tokio::runtime::{Handle, RuntimeFlavor};

/// Does `work` on this thread, while another one goes on with whatever else there is to do. For what is short as a rule, and
/// waited for by somebody: a change of threads takes longer.
pub(crate) fn in_place<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        // A test, or a thread that may block anyway.
        _ => work(),
    }
}

/// Does `work`, which reads or writes a lot, on a thread of its own and waits for what it gives. An error means that it panicked.
pub(crate) async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
}
