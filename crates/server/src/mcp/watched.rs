//! A transport that tells its calls when it ends.
//!
//! When a client hangs up, the SDK lets calls run on for some seconds, in case that their answers can still be sent.
//! Here the client's going ends them at once: nobody is left who wants them.

use std::borrow::Cow;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio_util::sync::{CancellationToken, DropGuard};

/// The end of the connection that a request came by; among the extensions of the request.
#[derive(Clone, Debug)]
pub(super) struct Ended(CancellationToken);

impl Ended {
    /// Resolves when the connection is gone.
    pub(super) async fn wait(&self) {
        self.0.cancelled().await;
    }
}

/// A transport whose requests know when it ends.
#[derive(Debug)]
pub(crate) struct Watched<T> {
    inner: T,
    ended: CancellationToken,
    _guard: DropGuard,
}

impl<T> Watched<T> {
    pub(crate) fn new(inner: T) -> Self {
        let ended = CancellationToken::new();
        Watched { inner, _guard: ended.clone().drop_guard(), ended }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Watched<T> {
    type Error = T::Error;

    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let Some(mut message) = self.inner.receive().await else {
            self.ended.cancel();
            return None;
        };
        message.insert_extension(Ended(self.ended.clone()));
        Some(message)
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.ended.cancel();
        self.inner.close().await
    }
}
