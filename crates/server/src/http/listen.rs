//! Connections: so many at once, each with so much time to say what it wants, and none for ever after the end.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::origin::Connection;

/// How many connections there may be. Further ones wait in the kernel's queue.
const CONNECTIONS: usize = 512;
/// How long the head of a request may take, from the end of the one before.
pub(super) const HEAD: Duration = Duration::from_secs(30);
/// A head longer than this is refused.
const HEAD_BYTES: usize = 64 << 10;
/// How long answers may take to go out when the server ends.
const END: Duration = Duration::from_secs(1);

/// Serves until `closing`.
pub(super) async fn serve(listener: &TcpListener, router: &Router, head: Duration, closing: &CancellationToken) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = closing.cancelled() => break,
            accepted = accept(listener, &places) => accepted,
        };
        let Some((stream, place)) = accepted else { continue };
        // Answers are small and awaited: waiting to fill a packet only delays them.
        let _ = stream.set_nodelay(true);
        // It is over already when it has no ends.
        let (Ok(theirs), Ok(ours)) = (stream.peer_addr(), stream.local_addr()) else { continue };
        let routes = TowerToHyperService::new(router.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Connection { theirs, ours });
            routes.call(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(head)
            .max_buf_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service)
            // The socket of an IDE begins as a request.
            .with_upgrades();
        let closing = closing.clone();
        connections.spawn(async move {
            let mut connection = pin!(connection);
            // A client that breaks off, or sends what is no HTTP, is no concern of ours.
            let _ = tokio::select! {
                ended = &mut connection => ended,
                () = closing.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            drop(place);
        });
        // Those that have ended are forgotten.
        while connections.try_join_next().is_some() {}
    }
    let _ = tokio::time::timeout(END, async { while connections.join_next().await.is_some() {} }).await;
}

/// The next connection, when there is a place for one.
async fn accept(listener: &TcpListener, places: &Arc<Semaphore>) -> Option<(TcpStream, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    let Ok((stream, _)) = listener.accept().await else {
        // Out of descriptors, most likely: wait for some to become free instead of spinning.
        tokio::time::sleep(Duration::from_millis(50)).await;
        return None;
    };
    Some((stream, place))
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test]
    async fn who_takes_too_long_to_ask_is_hung_up_on() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", get(async || "here"));
        let closing = CancellationToken::new();
        let client = async {
            let mut slow = TcpStream::connect(address).await.unwrap();
            slow.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").await.unwrap();
            let mut quick = TcpStream::connect(address).await.unwrap();
            quick.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.unwrap();
            let (mut given, mut left) = (String::new(), Vec::new());
            quick.read_to_string(&mut given).await.unwrap();
            assert!(given.ends_with("here"), "{given}");
            // Hung up on, with or without a word.
            let _ = slow.read_to_end(&mut left).await;
            assert!(!String::from_utf8_lossy(&left).contains("here"));
            closing.cancel();
        };
        let serve = serve(&listener, &router, Duration::from_millis(100), &closing);
        let both = async { tokio::join!(serve, client) };
        tokio::time::timeout(Duration::from_secs(20), both).await.unwrap();
    }
}
