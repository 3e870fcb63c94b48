//! `/openspace/*`: instructions for agents, and the door for an external IDE.
//!
//! Each route is one call through the hub's gate, like everything else.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, get, post};
use axum::{Extension, Router};
use flightdeck_contract::control::MAX_MESSAGE;
use flightdeck_contract::openspace::{BridgeEvent, ServeBridge};
use flightdeck_contract::{Error, ErrorCode, Streams};
use flightdeck_core::{Caller, Hub, Next, Running, Surface};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::body;
use super::problem::{self, Problem};
use crate::origin::Guest;

/// How often an IDE is asked whether it is there, and how long it may be silent.
const PING: Duration = Duration::from_secs(15);
const SILENCE: Duration = Duration::from_secs(40);

/// Whoever comes by these doors with the token is an IDE, or another program of the user's. What runs inside of a terminal
/// may be an agent's doing, and an agent must not stand in for the IDE.
const IDE: &str = "ide";

/// What the routes share.
#[derive(Clone, Debug)]
pub(super) struct Openspace {
    pub(super) hub: Arc<Hub>,
    pub(super) closing: CancellationToken,
}

pub(super) fn routes(openspace: Openspace) -> Router {
    Router::new()
        .route("/openspace/instructions", get(instructions))
        .route("/openspace/state", get(state).post(put_state))
        .route("/openspace/register-bridge", post(register))
        .route("/openspace/command-results", post(put_result))
        .route("/openspace/bridge/{id}", any(bridge))
        .with_state(openspace)
}

async fn instructions(State(openspace): State<Openspace>, Extension(guest): Extension<Guest>) -> Response {
    // Everybody may read them, so nobody is looked at.
    let caller = Caller::human(IDE).through(Surface::Http, guest.pass.into());
    match openspace.call(caller, "flightdeck.hub.instructions", json!({})).await {
        Ok(result) => {
            let text = result.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
            let mut response = Response::new(Body::from(text));
            let kind = HeaderValue::from_static("text/markdown; charset=utf-8");
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
            response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            response
        }
        Err(error) => refused(&error),
    }
}

async fn state(State(openspace): State<Openspace>, Extension(guest): Extension<Guest>) -> Response {
    let caller = guest.caller(&openspace.hub, IDE).await;
    answer(openspace.call(caller, "flightdeck.workbench.state", json!({})).await)
}

async fn put_state(State(openspace): State<Openspace>, guest: Extension<Guest>, request: Request) -> Response {
    openspace.post("flightdeck.bridge.state", guest.0, request).await
}

async fn register(State(openspace): State<Openspace>, guest: Extension<Guest>, request: Request) -> Response {
    openspace.post("flightdeck.bridge.register", guest.0, request).await
}

async fn put_result(State(openspace): State<Openspace>, guest: Extension<Guest>, request: Request) -> Response {
    openspace.post("flightdeck.bridge.result", guest.0, request).await
}

/// The IDE's socket: commands go out, results may come in.
///
/// The hub has the line before the IDE hears that its socket is open. The other way round a command that comes at that
/// moment would find nobody.
async fn bridge(
    State(openspace): State<Openspace>,
    Path(id): Path<String>,
    Extension(guest): Extension<Guest>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let caller = guest.caller(&openspace.hub, IDE).await;
    let serving = openspace.hub.begin(caller.clone(), ServeBridge::COMMAND, json!({ "bridgeId": id }));
    let serving = match serving.ready().await {
        Ok(serving) => serving,
        Err(error) if error.code == ErrorCode::BridgeGone => {
            return problem::json(StatusCode::NOT_FOUND, &json!({ "error": error }));
        }
        Err(error) => return refused(&error),
    };
    upgrade
        .max_message_size(MAX_MESSAGE)
        .max_frame_size(MAX_MESSAGE)
        .on_upgrade(move |socket| openspace.serve(socket, serving, id, caller))
}

impl Openspace {
    async fn call(&self, caller: Caller, command: &str, args: Value) -> Result<Value, Error> {
        self.hub.call(caller, command, args).await
    }

    async fn post(&self, command: &str, guest: Guest, request: Request) -> Response {
        let caller = guest.caller(&self.hub, IDE).await;
        let body = match body::read(request.into_body(), MAX_MESSAGE).await {
            Ok(body) => body,
            Err(problem) => return problem.into_response(),
        };
        match serde_json::from_slice(&body) {
            Ok(args) => answer(self.call(caller, command, args).await),
            Err(error) => {
                Problem::new(StatusCode::BAD_REQUEST, "not_json", format!("this is not JSON: {error}")).into_response()
            }
        }
    }

    /// Relays until one side hangs up.
    async fn serve(self, mut socket: WebSocket, mut serving: Running, id: String, caller: Caller) {
        let mut heard = Instant::now();
        let mut pings = tokio::time::interval(PING);
        let ended = loop {
            tokio::select! {
                _ = pings.tick() => {
                    // One that hangs would keep its place for ever, and every command would wait for it.
                    if heard.elapsed() > SILENCE || socket.send(Message::Ping(Bytes::new())).await.is_err() {
                        break None;
                    }
                }
                () = self.closing.cancelled() => break None,
                next = serving.next() => {
                    let event = match next {
                        Next::Event(event) => event,
                        Next::Done(ended) => break ended.err(),
                    };
                    let Ok(BridgeEvent::Execute { execute }) = event.read() else { continue };
                    let text = serde_json::to_string(&execute).unwrap_or_default();
                    if socket.send(Message::text(text)).await.is_err() {
                        break None;
                    }
                }
                message = socket.recv() => match message {
                    Some(Ok(Message::Text(text))) => {
                        heard = Instant::now();
                        let told = self.take_result(&caller, &id, text.as_str()).await;
                        if let Err(error) = told
                            && socket.send(Message::text(json!({ "error": error }).to_string())).await.is_err()
                        {
                            break None;
                        }
                    }
                    Some(Ok(Message::Close(_)) | Err(_)) | None => break None,
                    // Pings are answered by the library, and answers to ours say that it is there.
                    Some(Ok(_)) => heard = Instant::now(),
                },
            }
        };
        if let Some(error) = ended {
            let _hung_up = socket.send(Message::text(json!({ "error": error }).to_string())).await;
        }
    }

    async fn take_result(&self, caller: &Caller, id: &str, text: &str) -> Result<(), Error> {
        let mut args: Value = serde_json::from_str(text)
            .map_err(|error| Error::new(ErrorCode::InvalidArgument, format!("this is not JSON: {error}")))?;
        if let Some(fields) = args.as_object_mut() {
            fields.insert("bridgeId".to_owned(), id.into());
        }
        self.call(caller.clone(), "flightdeck.bridge.result", args).await.map(|_| ())
    }
}

fn answer(result: Result<Value, Error>) -> Response {
    match result {
        Ok(result) => problem::json(StatusCode::OK, &result),
        Err(error) => refused(&error),
    }
}

fn refused(error: &Error) -> Response {
    let status = match error.code {
        ErrorCode::InvalidArgument => StatusCode::BAD_REQUEST,
        ErrorCode::NotAllowed => StatusCode::FORBIDDEN,
        ErrorCode::BridgeTaken => StatusCode::CONFLICT,
        ErrorCode::BridgeGone => StatusCode::GONE,
        ErrorCode::TimedOut => StatusCode::REQUEST_TIMEOUT,
        ErrorCode::HubStopping => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    problem::json(status, &json!({ "error": error }))
}
