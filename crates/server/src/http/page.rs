//! The web workbench: files that were compressed when they were built, and are a part of this program.
//!
//! They hold nothing secret, so everybody may have them who addresses the server by its name; what the page shows comes
//! over `/ws`, which lets only those in who may.

use std::borrow::Cow;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use super::problem::Problem;

/// A file in both forms in which it is served.
#[derive(Clone)]
struct Asset {
    path: Cow<'static, str>,
    gzip: Bytes,
    brotli: Bytes,
}

struct Embedded {
    path: &'static str,
    gzip: &'static [u8],
    brotli: &'static [u8],
}

static EMBEDDED: &[Embedded] = &include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The file at a path. A build for development takes it from where it was built, so that a change to the page needs no
/// other build of the hub.
fn asset(path: &str) -> Option<Asset> {
    if cfg!(debug_assertions) {
        let name =
            path.strip_prefix('/').filter(|name| name.split('/').all(|part| !matches!(part, "" | "." | "..")))?;
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist/");
        let read = |twin: &str| std::fs::read(format!("{file}{name}.{twin}")).ok().map(Bytes::from);
        return Some(Asset { path: Cow::Owned(path.to_owned()), gzip: read("gz")?, brotli: read("br")? });
    }
    let Embedded { path, gzip, brotli } = EMBEDDED.iter().find(|embedded| embedded.path == path)?;
    Some(Asset { path: Cow::Borrowed(path), gzip: Bytes::from_static(gzip), brotli: Bytes::from_static(brotli) })
}

/// Nothing from elsewhere, and nothing that was not built with the page. The editor and the terminal place things by
/// `style` attributes, and make style sheets of their own.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
                      font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// What is served where the workbench was not built.
const UNBUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Flightdeck</title>\
    <h1>The workbench is not part of this build</h1>\
    <p>This hub was built without its web page. In the source folder, <code>make build</code> builds both; \
    <code>make run</code> builds and starts them.</p>\
    <p>Agents and the command line work without it.</p></html>";

/// Files of the build carry a hash of their content in their names.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

pub(super) fn routes() -> Router {
    Router::new().route("/", get(index)).route("/favicon.svg", get(file)).route("/assets/{*name}", get(file))
}

async fn index(request: Request) -> Response {
    if let Some(asset) = asset("/index.html") {
        return serve(asset, request.headers());
    }
    let mut response = Response::new(Body::from(UNBUILT));
    head(&mut response, "text/html; charset=utf-8", "no-store");
    response
}

async fn file(request: Request) -> Response {
    match asset(request.uri().path()) {
        Some(asset) => serve(asset, request.headers()),
        None => Problem::new(StatusCode::NOT_FOUND, "not_found", "the page has no such file").into_response(),
    }
}

fn serve(asset: Asset, headers: &HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let accepts =
        |name| accepted.split(',').any(|coding| coding.split(';').next().is_some_and(|one| one.trim() == name));
    let (coding, bytes) = match (accepts("br"), accepts("gzip") || accepts("*")) {
        (true, _) => ("br", asset.brotli),
        (false, true) => ("gzip", asset.gzip),
        (false, false) => {
            return Problem::new(StatusCode::NOT_ACCEPTABLE, "not_acceptable", "the page is there compressed only")
                .hint("send `Accept-Encoding: gzip`")
                .into_response();
        }
    };
    let mut response = Response::new(Body::from(bytes));
    let lasts = if asset.path.starts_with("/assets/") { FOR_EVER } else { "no-cache" };
    head(&mut response, media_type(&asset.path), lasts);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

fn head(response: &mut Response, media_type: &'static str, lasts: &'static str) {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, media_type),
        (header::CACHE_CONTROL, lasts),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "webmanifest" => "application/json",
        "png" => "image/png",
        _ => "application/octet-stream",
    }
}
