//! The front ends at which a person can be asked, and the windows that the hub has started to have one.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Surfaces {
    attached: watch::Sender<usize>,
    /// The processes of windows that the hub has started itself; as its children, so no other process has their numbers
    /// before they were reaped.
    windows: Mutex<BTreeSet<u32>>,
}

/// A front end with a person, for as long as this lives.
#[derive(Debug)]
pub(crate) struct Attached(Arc<Surfaces>);

impl Drop for Attached {
    fn drop(&mut self) {
        self.0.attached.send_modify(|attached| *attached -= 1);
    }
}

/// A window that the hub has started, until it was reaped.
#[derive(Debug)]
pub struct StartedWindow {
    surfaces: Arc<Surfaces>,
    pid: u32,
}

impl StartedWindow {
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }
}

impl Drop for StartedWindow {
    fn drop(&mut self) {
        self.surfaces.windows.lock().remove(&self.pid);
    }
}

impl Surfaces {
    /// A person is here.
    pub(crate) fn attach(self: &Arc<Self>) -> Attached {
        self.attached.send_modify(|attached| *attached += 1);
        Attached(Arc::clone(self))
    }

    /// How many are attached.
    pub(crate) fn attached(&self) -> usize {
        *self.attached.borrow()
    }

    /// Whether one is attached, now or within this time.
    pub(crate) async fn attached_within(&self, time: Duration) -> bool {
        let mut attached = self.attached.subscribe();
        tokio::time::timeout(time, attached.wait_for(|attached| *attached > 0)).await.is_ok_and(|seen| seen.is_ok())
    }

    /// Notes a window of the hub's own: a person sits there, although its process is a child of the hub.
    pub(crate) fn started(self: &Arc<Self>, pid: u32) -> StartedWindow {
        self.windows.lock().insert(pid);
        StartedWindow { surfaces: Arc::clone(self), pid }
    }

    /// Whether this process is such a window.
    pub(crate) fn is_window(&self, pid: u32) -> bool {
        self.windows.lock().contains(&pid)
    }
}
