//! What there is at which path.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, get};
use flightdeck_core::Hub;
use serde_json::json;

use super::guard::{self, Guard};
use super::mcp::{self, Mcp};
use super::openspace::{self, Openspace};
use super::page;
use super::problem::{self, Problem};
use super::ws;

/// All routes, each behind the guard.
pub(super) fn router(hub: Arc<Hub>, guard: Guard, mcp: Mcp, openspace: Openspace) -> Router {
    let front_ends = ws::routes(Arc::clone(&hub), openspace.closing.clone());
    let guard = Arc::new(guard);
    let private = Router::new()
        .route("/metrics", get(metrics))
        .with_state(hub)
        .route("/session", get(session))
        .merge(openspace::routes(openspace))
        .merge(front_ends)
        .merge(Router::new().route("/mcp", any(mcp::handle)).with_state(Arc::new(mcp)))
        .route_layer(from_fn_with_state(Arc::clone(&guard), guard::secret));
    let open = Router::new().route("/healthz", get(health)).route("/login", get(login)).with_state(Arc::clone(&guard));
    private
        .merge(open)
        .merge(page::routes())
        .fallback(not_found)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn_with_state(guard, guard::origin))
}

async fn health() -> Response {
    problem::json(StatusCode::OK, &json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

/// Whether a browser is still let in: a WebSocket that is refused does not say why.
async fn session() -> StatusCode {
    StatusCode::NO_CONTENT
}

async fn metrics(State(hub): State<Arc<Hub>>) -> Response {
    let mut response = Response::new(Body::from(hub.metrics()));
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// Lets a browser in that has a one-time link.
async fn login(State(guard): State<Arc<Guard>>, request: Request) -> Response {
    // Neither a preview nor a prefetch of the link may use it up.
    let looking = request.method() == Method::HEAD || request.headers().contains_key("sec-purpose");
    let pairs = request.uri().query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    let code = pairs.filter(|(name, _)| *name == "code").map(|(_, code)| code).next();
    let cookie = code.filter(|_| !looking).and_then(|code| guard.logins.redeem(code));
    let Some(cookie) = cookie.and_then(|cookie| HeaderValue::try_from(cookie).ok()) else {
        return Problem::new(StatusCode::FORBIDDEN, "login_link", "this link was used already, or is too old")
            .hint("`flightdeck open` makes a new one")
            .into_response();
    };
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let headers = response.headers_mut();
    headers.insert(header::SET_COOKIE, cookie);
    headers.insert(header::LOCATION, HeaderValue::from_static("/"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

async fn not_found() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "not_found", "there is nothing here")
}

async fn wrong_method() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "this can't be done here")
}
