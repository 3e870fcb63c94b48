//! Sessions of Streamable HTTP, of the versions that have them.
//!
//! The SDK ends a session after some minutes of silence, even in the middle of a call. Here a session lives as long as
//! a stream of it is open, and a good while longer: clients are quiet while a person thinks, and not all of them know
//! what to do when their session is gone.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::{Stream, StreamExt as _};
use parking_lot::Mutex;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::WorkerTransport;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, LocalSessionWorker,
};
use rmcp::transport::streamable_http_server::session::{RestoreOutcome, ServerSseMessage, SessionId, SessionManager};
use tokio::sync::Notify;

use super::memory::Memory;
use super::watched::Watched;

/// How long a session without a stream is kept.
const IDLE: Duration = Duration::from_hours(2);
/// How often idle ones are looked for, while there are any.
const LOOK: Duration = Duration::from_mins(1);
/// How many sessions there may be; the one that was quiet for the longest goes first.
const SESSIONS: usize = 512;

/// All sessions.
#[derive(Debug)]
pub(crate) struct Sessions {
    inner: LocalSessionManager,
    memory: Arc<Memory>,
    uses: Mutex<HashMap<SessionId, Arc<Use>>>,
    some: Notify,
}

/// How much a session is in use.
#[derive(Debug)]
struct Use {
    streams: AtomicUsize,
    last: Mutex<Instant>,
}

impl Use {
    fn touch(&self) {
        *self.last.lock() = Instant::now();
    }

    /// Since when nothing happens in it; `None` while a stream is open.
    fn idle(&self) -> Option<Duration> {
        let last = *self.last.lock();
        (self.streams.load(Ordering::Acquire) == 0).then(|| last.elapsed())
    }
}

/// An open stream of a session.
struct Open(Arc<Use>);

impl Open {
    fn new(used: Arc<Use>) -> Self {
        used.streams.fetch_add(1, Ordering::AcqRel);
        Open(used)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.touch();
        self.0.streams.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Sessions {
    pub(crate) fn new(memory: Arc<Memory>) -> Self {
        let mut inner = LocalSessionManager::default();
        inner.session_config.keep_alive = None;
        Sessions { inner, memory, uses: Mutex::default(), some: Notify::new() }
    }

    /// Ends idle sessions, for ever. While there are none, it costs nothing.
    pub(crate) async fn tend(&self) {
        loop {
            if self.uses.lock().is_empty() {
                self.some.notified().await;
            }
            tokio::time::sleep(LOOK).await;
            for id in self.idle(IDLE) {
                self.end(&id).await;
            }
        }
    }

    /// The sessions in which nothing happened for so long, the quietest first.
    fn idle(&self, at_least: Duration) -> Vec<SessionId> {
        let uses = self.uses.lock();
        let mut idle: Vec<_> = uses
            .iter()
            .filter_map(|(id, used)| Some((used.idle().filter(|idle| *idle >= at_least)?, id.clone())))
            .collect();
        idle.sort_by_key(|(idle, _)| Reverse(*idle));
        idle.into_iter().map(|(_, id)| id).collect()
    }

    /// Makes room for another session.
    async fn make_room(&self) {
        let full = self.uses.lock().len() >= SESSIONS;
        if full && let Some(id) = self.idle(Duration::ZERO).first() {
            self.end(id).await;
        }
    }

    /// Ends a session that is not used, for good.
    async fn end(&self, id: &SessionId) {
        // Gone already is what we want.
        let _ = self.close_session(id).await;
        self.memory.forget(id);
    }

    fn opened(&self, id: &SessionId) {
        let used = Arc::new(Use { streams: AtomicUsize::new(0), last: Mutex::new(Instant::now()) });
        self.uses.lock().insert(Arc::clone(id), used);
        self.some.notify_one();
    }

    fn used(&self, id: &SessionId) -> Option<Arc<Use>> {
        self.uses.lock().get(id).cloned()
    }

    /// A stream that counts as open until it is dropped.
    fn counted<S: Stream<Item = ServerSseMessage>>(
        &self,
        id: &SessionId,
        stream: S,
    ) -> impl Stream<Item = ServerSseMessage> + use<S> {
        let open = self.used(id).map(Open::new);
        stream.map(move |message| {
            let _counted = &open;
            message
        })
    }
}

impl SessionManager for Sessions {
    type Error = LocalSessionManagerError;
    type Transport = Watched<WorkerTransport<LocalSessionWorker>>;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        self.make_room().await;
        let (id, transport) = self.inner.create_session().await?;
        self.opened(&id);
        Ok((id, Watched::new(transport)))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        self.inner.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        if let Some(used) = self.used(id) {
            used.touch();
        }
        self.inner.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        self.uses.lock().remove(id);
        self.inner.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(self.counted(id, self.inner.create_stream(id, message).await?))
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        self.inner.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(self.counted(id, self.inner.create_standalone_stream(id).await?))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(self.counted(id, self.inner.resume(id, last_event_id).await?))
    }

    async fn restore_session(&self, id: SessionId) -> Result<RestoreOutcome<Self::Transport>, Self::Error> {
        self.make_room().await;
        Ok(match self.inner.restore_session(Arc::clone(&id)).await? {
            RestoreOutcome::Restored(transport) => {
                self.opened(&id);
                RestoreOutcome::Restored(Watched::new(transport))
            }
            RestoreOutcome::AlreadyPresent => RestoreOutcome::AlreadyPresent,
            _ => RestoreOutcome::NotSupported,
        })
    }
}
