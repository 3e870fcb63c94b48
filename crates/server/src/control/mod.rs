//! The protocol of all front ends: a multiplexer of calls over any transport. Here listens the private socket of the command
//! line: a Unix socket (0600), the user's own processes only.

mod mux;
mod peer;
mod unix;
pub(crate) mod ws;

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flightdeck_core::Hub;
use tokio::net::UnixListener;

/// The listening socket. Its file goes when it goes.
#[derive(Debug)]
pub struct Listener {
    listener: UnixListener,
    path: PathBuf,
}

impl Listener {
    /// Listens at the hub's socket. The caller holds the workspace's lock, so a file that is there is a leftover.
    pub fn bind(path: &Path) -> io::Result<Self> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(path)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
        Ok(Listener { listener, path: path.to_owned() })
    }

    /// Serves callers for ever.
    pub async fn serve(&self, hub: Arc<Hub>) {
        let own = rustix::process::getuid().as_raw();
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    // The folder is private already; this holds even if somebody opened it up.
                    if stream.peer_cred().is_ok_and(|peer| peer.uid() == own || peer.uid() == 0) {
                        // Before anything is awaited: the process may end.
                        let peer = peer::Peer::of(&stream);
                        tokio::spawn(unix::serve(stream, peer, Arc::clone(&hub)));
                    }
                }
                // Out of descriptors, most likely: wait for some to become free instead of spinning.
                Err(_) => tokio::time::sleep(std::time::Duration::from_millis(50)).await,
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // Gone already is what we want.
        let _ = fs::remove_file(&self.path);
    }
}
