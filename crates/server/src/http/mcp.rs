//! MCP over Streamable HTTP: the SDK's service, with a limit and a time for what comes in, and errors that say what
//! is wrong in the protocol's own form.

use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use flightdeck_contract::control::MAX_MESSAGE;
use rmcp::model::RequestId;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::clients::Clients;
use super::{body, problem};
use crate::mcp::memory::Memory;
use crate::mcp::sessions::Sessions;
use crate::mcp::{Endpoint, Lifetime, Service};
use crate::origin::Guest;

/// The endpoint at `/mcp`.
#[derive(Clone)]
pub(super) struct Mcp {
    service: StreamableHttpService<Endpoint, Sessions>,
    clients: Arc<Clients>,
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
            .with_max_request_body_bytes(MAX_MESSAGE)
            .with_json_response(true)
            .with_cancellation_token(closing);
        config.session_store = Some(memory);
        let clients = Arc::new(Clients::new(Arc::clone(&service.hub)));
        let endpoint = move || Ok(Endpoint::new(service.clone(), Lifetime::Request));
        Mcp { service: StreamableHttpService::new(endpoint, sessions, config), clients }
    }
}

pub(super) async fn handle(State(mcp): State<Arc<Mcp>>, request: Request) -> Response {
    if let Some(guest) = request.extensions().get::<Guest>() {
        mcp.clients.note(*guest).await;
    }
    let (parts, body) = request.into_parts();
    let body = match body::read(body, MAX_MESSAGE).await {
        Ok(body) => body,
        Err(problem) => return problem.into_response(),
    };
    let response = mcp.service.handle(Request::from_parts(parts, Body::from(body.clone()))).await;
    explain(response.map(Body::new), &body).await
}

/// Turns the SDK's plain texts into errors of JSON-RPC.
async fn explain(response: Response, request: &Bytes) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let status = response.status();
    if status.is_success() || kind.starts_with("application/json") || kind.starts_with("text/event-stream") {
        return response;
    }
    let (parts, body) = response.into_parts();
    let text = to_bytes(body, MAX_MESSAGE).await.unwrap_or_default();
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
    // JSON-RPC wants null where the id is not known.
    let id = serde_json::from_slice(request).map_or(Value::Null, |Id { id }| id.into_json_value());
    let answer = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } });
    problem::json(StatusCode::BAD_REQUEST, &answer)
}
