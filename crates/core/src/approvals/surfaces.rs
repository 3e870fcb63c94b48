//! The front ends at which a person can be asked, and how one is reached when none is attached.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use parking_lot::Mutex;

/// A way to reach a person when no front end is attached: it opens a window, or goes over a bridge.
pub trait Adapter: Send + Sync + fmt::Debug {
    /// Its name: `local`, `bundled`, `container_bridge`.
    fn name(&self) -> &'static str;

    /// Gets a front end attached, or says why it can't. `trace` goes along unchanged.
    fn reach(&self, trace: Option<&str>) -> Pin<Box<dyn Future<Output = Result<(), Unreachable>> + Send + '_>>;
}

/// Why a way did not lead to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreachable {
    /// Which way: an adapter's name.
    pub adapter: &'static str,
    /// Why.
    pub reason: String,
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Surfaces {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    attached: usize,
    adapters: Vec<Arc<dyn Adapter>>,
}

/// A front end with a person, for as long as this lives.
#[derive(Debug)]
pub(crate) struct Attached(Arc<Surfaces>);

impl Drop for Attached {
    fn drop(&mut self) {
        self.0.lock().attached -= 1;
    }
}

impl Surfaces {
    /// A person is here.
    pub(crate) fn attach(self: &Arc<Self>) -> Attached {
        self.lock().attached += 1;
        Attached(Arc::clone(self))
    }

    /// How many are attached.
    pub(crate) fn attached(&self) -> usize {
        self.lock().attached
    }

    /// Adds a way to reach a person; they are tried in the order in which they were added.
    pub(crate) fn add(&self, adapter: Arc<dyn Adapter>) {
        self.lock().adapters.push(adapter);
    }

    /// Makes sure that a person is here. An error tells what was tried.
    pub(crate) async fn reach(&self, trace: Option<&str>) -> Result<(), Vec<Unreachable>> {
        if self.attached() > 0 {
            return Ok(());
        }
        let adapters = self.lock().adapters.clone();
        let mut tried = Vec::new();
        for adapter in adapters {
            match adapter.reach(trace).await {
                Ok(()) => return Ok(()),
                Err(unreachable) => tried.push(unreachable),
            }
        }
        Err(tried)
    }

    fn lock(&self) -> parking_lot::MutexGuard<'_, Inner> {
        self.inner.lock()
    }
}
