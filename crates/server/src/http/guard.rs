//! Who gets through. First by which name the server was addressed and from which page, then by what secret.
//!
//! A web page of a stranger can make a browser send requests to this machine. It can't hide where it comes from
//! (`Origin`), nor, when it makes its own name point here, how it addressed us (`Host`).

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::problem::Problem;
use super::strangers::Visitor;
use crate::auth::Token;
use crate::logins::Logins;
use crate::origin::{Connection, Guest, Pass};

/// What is checked.
#[derive(Debug)]
pub(super) struct Guard {
    /// Names with our port, and names that stand with any port or none.
    own: Vec<String>,
    further: Vec<String>,
    /// Nobody is asked when there is none.
    token: Option<Token>,
    pub(super) logins: Arc<Logins>,
}

impl Guard {
    pub(super) fn new(address: SocketAddr, names: Vec<String>, token: Option<Token>, logins: Arc<Logins>) -> Self {
        let port = address.port();
        let mut own = vec![format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")];
        if !own.contains(&address.to_string()) && !address.ip().is_unspecified() {
            own.push(address.to_string());
        }
        let further = names.into_iter().map(|name| name.to_ascii_lowercase()).collect();
        Guard { own, further, token, logins }
    }

    /// Whether this is a name of ours, as `Host` has it.
    fn is_own(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let bare = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => &host,
        };
        self.own.contains(&host) || self.further.iter().any(|name| *name == host || name == bare)
    }

    /// By which name, and from which page.
    fn check_origin(&self, request: &Request) -> Result<(), Problem> {
        let headers = request.headers();
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        let named = request.uri().authority().map(axum::http::uri::Authority::as_str);
        let own = hosts.next().is_none() && host.is_some_and(|host| self.is_own(host));
        if !own || named.is_some_and(|name| !self.is_own(name)) {
            return Err(Problem::new(StatusCode::FORBIDDEN, "forbidden_host", "the server is not called that")
                .hint("use the address that `flightdeck status --json` tells; other names have to be set"));
        }
        let origins = headers.get_all(header::ORIGIN).iter();
        if origins
            .map(|origin| origin.to_str().ok())
            .all(|origin| origin.is_some_and(|origin| self.is_own_page(origin)))
        {
            return Ok(());
        }
        Err(Problem::new(StatusCode::FORBIDDEN, "forbidden_origin", "pages of other servers may not call this one"))
    }

    fn is_own_page(&self, origin: &str) -> bool {
        match origin.split_once("://") {
            Some(("http", host)) => self.is_own(host),
            // A proxy in front may speak TLS; we don't.
            Some(("https", host)) => !self.own.contains(&host.to_ascii_lowercase()) && self.is_own(host),
            _ => false,
        }
    }

    /// By what secret. The cookie says more than the token, so it counts where both are shown.
    fn check_secret(&self, headers: &HeaderMap) -> Result<Pass, Problem> {
        let Some(token) = &self.token else { return Ok(Pass::Token) };
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        // A page on another port is of the same site, so its requests carry the cookie; the browser says that it is
        // not the same origin.
        let foreign = text(header::HeaderName::from_static("sec-fetch-site"))
            .is_some_and(|site| !matches!(site, "same-origin" | "none"));
        let mut cookies = headers.get_all(header::COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
        if let Some(browser) = cookies.find_map(|cookie| self.logins.browser(cookie)).filter(|_| !foreign) {
            return Ok(Pass::Cookie(browser));
        }
        let bearer = text(header::AUTHORIZATION).and_then(|value| value.split_once(' '));
        if bearer.is_some_and(|(scheme, given)| scheme.eq_ignore_ascii_case("bearer") && token.is(given.trim())) {
            return Ok(Pass::Token);
        }
        Err(Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", "this needs the hub's token")
            .hint("`flightdeck status --json` tells where its file is; send it as `Authorization: Bearer TOKEN`"))
    }
}

/// For every route.
pub(super) async fn origin(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    match guard.check_origin(&request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// For all but the open routes. What is behind them finds who has come as a [`Guest`].
pub(super) async fn secret(State(guard): State<Arc<Guard>>, mut request: Request, next: Next) -> Response {
    match guard.check_secret(request.headers()) {
        Ok(pass) => {
            if let Some(visitor) = request.extensions().get::<Visitor>() {
                visitor.let_in();
            }
            let connection = request.extensions().get::<Connection>().copied();
            request.extensions_mut().insert(Guest { pass, connection });
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(names: &[&str]) -> Guard {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Guard::new(
            "127.0.0.1:2000".parse().unwrap(),
            names,
            None,
            Arc::new(Logins::new("", 2000, std::path::Path::new("/dev/null/none"))),
        )
    }

    fn passes(guard: &Guard, host: Option<&str>, origin: Option<&str>) -> bool {
        let mut request = Request::builder().uri("/x");
        for (name, value) in [("host", host), ("origin", origin)] {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        guard.check_origin(&request.body(axum::body::Body::empty()).unwrap()).is_ok()
    }

    #[test]
    fn only_our_own_names_are_ours() {
        let guard = guard(&["deck.example"]);
        for host in
            ["127.0.0.1:2000", "localhost:2000", "LocalHost:2000", "[::1]:2000", "deck.example", "deck.example:8443"]
        {
            assert!(passes(&guard, Some(host), None), "{host}");
        }
        for host in
            ["127.0.0.1", "localhost:2001", "evil.example:2000", "127.0.0.1:2000.evil.example", "deck.example.evil", ""]
        {
            assert!(!passes(&guard, Some(host), None), "{host}");
        }
        assert!(!passes(&guard, None, None));
    }

    #[test]
    fn a_cookie_and_the_token_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let token = Token::open(&dir.path().join("token")).unwrap();
        let bearer = format!("Bearer {}", std::fs::read_to_string(dir.path().join("token")).unwrap().trim());
        let logins = Arc::new(Logins::new("", 2000, std::path::Path::new("/dev/null/none")));
        let guard = Guard::new("127.0.0.1:2000".parse().unwrap(), Vec::new(), Some(token), Arc::clone(&logins));
        let cookie = logins.redeem(logins.new_link().rsplit_once('=').unwrap().1).unwrap();
        let browser = logins.browser(&cookie).unwrap();
        for (headers, expected) in [
            (vec![], None),
            (vec![("authorization", "Bearer x")], None),
            (vec![("cookie", "flightdeck-2000=x")], None),
            (vec![("authorization", bearer.as_str())], Some(Pass::Token)),
            (vec![("cookie", cookie.as_str())], Some(Pass::Cookie(browser))),
            (vec![("cookie", cookie.as_str()), ("authorization", &bearer)], Some(Pass::Cookie(browser))),
            (vec![("cookie", cookie.as_str()), ("sec-fetch-site", "same-site")], None),
            (
                vec![("cookie", cookie.as_str()), ("sec-fetch-site", "same-site"), ("authorization", &bearer)],
                Some(Pass::Token),
            ),
        ] {
            let mut request = Request::builder().uri("/x");
            for (name, value) in &headers {
                request = request.header(*name, *value);
            }
            let request = request.body(axum::body::Body::empty()).unwrap();
            assert_eq!(guard.check_secret(request.headers()).ok(), expected, "{headers:?}");
        }
    }

    #[test]
    fn only_our_own_pages_may_call() {
        let guard = guard(&["deck.example"]);
        let host = Some("127.0.0.1:2000");
        for origin in ["http://127.0.0.1:2000", "http://localhost:2000", "https://deck.example"] {
            assert!(passes(&guard, host, Some(origin)), "{origin}");
        }
        for origin in [
            "null",
            "http://127.0.0.1:3000",
            "https://127.0.0.1:2000",
            "http://evil.example",
            "file://",
            "http://localhost",
        ] {
            assert!(!passes(&guard, host, Some(origin)), "{origin}");
        }
    }
}
