//! MCP over Streamable HTTP: the SDK's service, with a limit and a time for what comes in, and errors that say what
//! is wrong in the protocol's own form.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;
use rmcp::model::RequestId;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::problem::{self, Problem};
use crate::mcp::memory::Memory;
use crate::mcp::sessions::Sessions;
use crate::mcp::{Endpoint, Lifetime, Service};

/// How long a message may be.
const BODY_BYTES: usize = 8 << 20;
/// So much of a message that is too long is read and thrown away, so that its sender hears why.
const BODY_DRAINED: usize = 64 << 20;
/// How long it may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(30);

/// The endpoint at `/mcp`.
#[derive(Clone)]
pub(super) struct Mcp {
    service: StreamableHttpService<Endpoint, Sessions>,
}

impl Mcp {
    pub(super) fn new(
        service: Service,
        sessions: Arc<Sessions>,
        memory: Arc<Memory>,
        closing: CancellationToken,
    ) -> Self {
        // Host and Origin are checked for every route, not for this one alone.
        let mut config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(BODY_BYTES)
            .with_json_response(true)
            .with_cancellation_token(closing);
        config.session_store = Some(memory);
        let endpoint = move || Ok(Endpoint::new(service.clone(), Lifetime::Request));
        Mcp { service: StreamableHttpService::new(endpoint, sessions, config) }
    }
}

pub(super) async fn handle(State(mcp): State<Arc<Mcp>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = match tokio::time::timeout(BODY_TIME, read(body)).await {
        Ok(Ok(body)) => body,
        Ok(Err(problem)) => return problem.into_response(),
        Err(_) => {
            let problem = Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the message took too long to arrive");
            return problem.into_response();
        }
    };
    let response = mcp.service.handle(Request::from_parts(parts, Body::from(body.clone()))).await;
    explain(response.map(Body::new), &body).await
}

async fn read(body: Body) -> Result<Bytes, Problem> {
    let mut stream = body.into_data_stream();
    let mut whole = Vec::new();
    let mut length = 0;
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|error| Problem::new(StatusCode::BAD_REQUEST, "broken_off", error.to_string()))?;
        length += chunk.len();
        if length <= BODY_BYTES {
            whole.extend_from_slice(&chunk);
        } else if length > BODY_DRAINED {
            break;
        }
    }
    if length > BODY_BYTES {
        let message = format!("a message may have {BODY_BYTES} bytes, and this one has more");
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message));
    }
    Ok(whole.into())
}

/// Turns the SDK's plain texts into errors of JSON-RPC.
async fn explain(response: Response, request: &Bytes) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let status = response.status();
    if status.is_success() || kind.starts_with("application/json") || kind.starts_with("text/event-stream") {
        return response;
    }
    let (parts, body) = response.into_parts();
    let text = to_bytes(body, BODY_BYTES).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let mut explained = if text.starts_with("fail to deserialize") {
        unreadable(request)
    } else {
        let code = if status == StatusCode::NOT_FOUND { -32001 } else { -32000 };
        problem::json(status, &json!({ "jsonrpc": "2.0", "error": { "code": code, "message": text } }))
    };
    if let Some(allowed) = parts.headers.get(header::ALLOW) {
        explained.headers_mut().insert(header::ALLOW, allowed.clone());
    }
    explained
}

/// What to say about a message that can't be read.
fn unreadable(request: &[u8]) -> Response {
    #[derive(Deserialize)]
    struct Id {
        id: RequestId,
    }
    let (code, message) = match serde_json::from_slice::<IgnoredAny>(request) {
        Ok(_) => (-32600, "this is not a message of MCP".to_owned()),
        Err(error) => (-32700, format!("this is not JSON: {error}")),
    };
    let mut answer = json!({ "jsonrpc": "2.0", "error": { "code": code, "message": message } });
    if let Ok(Id { id }) = serde_json::from_slice(request) {
        answer["id"] = id.into_json_value();
    }
    problem::json(StatusCode::BAD_REQUEST, &answer)
}
