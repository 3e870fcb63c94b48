//! Connections: so many at once, each with so much time to say what it wants, and none for ever after the end.

use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::strangers::{Places, Visitor};
use crate::origin::Connection;

/// How many connections there may be of those that have shown a token or a cookie, and of others.
const CONNECTIONS: usize = 512;
const STRANGERS: usize = 64;
/// How long the head of a request may take, from the end of the one before.
pub(super) const HEAD: Duration = Duration::from_secs(30);
/// How long the first one may take: clients send it at once.
const FIRST_HEAD: Duration = Duration::from_secs(5);
/// A head longer than this is refused.
const HEAD_BYTES: usize = 64 << 10;
/// How long answers may take to go out when the server ends.
const END: Duration = Duration::from_secs(1);

/// Serves until `closing`.
pub(super) async fn serve(listener: &TcpListener, router: &Router, head: Duration, closing: &CancellationToken) {
    let places = Places::new(CONNECTIONS, STRANGERS);
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = closing.cancelled() => break,
            accepted = accept(listener) => accepted,
        };
        let Some(stream) = accepted else { continue };
        // Answers are small and awaited: waiting to fill a packet only delays them.
        let _ = stream.set_nodelay(true);
        // It is over already when it has no ends.
        let (Ok(theirs), Ok(ours)) = (stream.peer_addr(), stream.local_addr()) else { continue };
        let routes = TowerToHyperService::new(router.clone());
        let visitor = places.enter();
        let asking = visitor.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            asking.heard();
            request.extensions_mut().insert(Connection { theirs, ours });
            request.extensions_mut().insert(asking.clone());
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
            tokio::select! {
                // A client that breaks off, or sends what is no HTTP, is no concern of ours.
                _ = &mut connection => {}
                () = unwelcome(&visitor, head.min(FIRST_HEAD)) => {}
                () = closing.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                }
            }
            visitor.leave();
        });
        // Those that have ended are forgotten.
        while connections.try_join_next().is_some() {}
    }
    let _ = tokio::time::timeout(END, async { while connections.join_next().await.is_some() {} }).await;
}

/// Resolves when a connection has to go: it says nothing for too long, or others want its place.
async fn unwelcome(visitor: &Visitor, first: Duration) {
    let standing = &visitor.standing;
    let silent = async {
        if tokio::time::timeout(first, standing.is_heard()).await.is_ok() {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = silent => {}
        () = standing.hang_up.cancelled() => {}
    }
}

/// The next connection.
async fn accept(listener: &TcpListener) -> Option<TcpStream> {
    let Ok((stream, _)) = listener.accept().await else {
        // Out of descriptors, most likely: wait for some to become free instead of spinning.
        tokio::time::sleep(Duration::from_millis(50)).await;
        return None;
    };
    Some(stream)
}

#[cfg(test)]
mod tests {
    use axum::Extension;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test]
    async fn a_crowd_of_strangers_keeps_nobody_out() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let known = async |Extension(visitor): Extension<Visitor>| {
            visitor.let_in();
            "welcome"
        };
        let router = Router::new().route("/", get(async || "here")).route("/known", get(known));
        let closing = CancellationToken::new();
        let client = async {
            let mut friend = TcpStream::connect(address).await.unwrap();
            ask(&mut friend, "/known", "welcome").await;
            let mut crowd = Vec::new();
            for _ in 0..300 {
                let mut one = TcpStream::connect(address).await.unwrap();
                one.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").await.unwrap();
                crowd.push(one);
            }
            // No time has to pass for that: the limits of time are hours here.
            let mut next = TcpStream::connect(address).await.unwrap();
            ask(&mut next, "/", "here").await;
            ask(&mut friend, "/known", "welcome").await;
            let mut left = Vec::new();
            let _hung_up = crowd[0].read_to_end(&mut left).await;
            closing.cancel();
        };
        let serve = serve(&listener, &router, Duration::from_hours(1), &closing);
        let both = async { tokio::join!(serve, client) };
        tokio::time::timeout(Duration::from_secs(20), both).await.unwrap();
    }

    async fn ask(stream: &mut TcpStream, path: &str, expected: &str) {
        stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes()).await.unwrap();
        let mut said = Vec::new();
        while !said.ends_with(expected.as_bytes()) {
            let mut piece = [0; 1024];
            let read = stream.read(&mut piece).await.unwrap();
            assert!(read > 0, "hung up after {:?}", String::from_utf8_lossy(&said));
            said.extend_from_slice(&piece[..read]);
        }
    }

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
