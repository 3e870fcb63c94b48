//! HTTP on the loopback interface: MCP for agents, health and measurements for whoever watches.
//!
//! ```text
//!   listen.rs   connections, their number and their time
//!   guard.rs    Host and Origin, then token or cookie           every route
//!   routes.rs   /healthz  /login  / (page.rs)                   open
//!               /metrics  /session  /mcp (mcp.rs)  /ws (ws.rs)  for those who may
//!               /openspace/* (openspace.rs)
//! ```

mod body;
mod clients;
mod guard;
mod listen;
mod mcp;
mod openspace;
mod page;
mod problem;
mod routes;
mod strangers;
mod ws;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use flightdeck_core::{Entry, HttpSettings, Hub, Surface, hash};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::auth::Token;
use crate::logins::Logins;
use crate::mcp::extras::Extras;
use crate::mcp::memory::Memory;
use crate::mcp::sessions::Sessions;
use crate::mcp::{Selection, Service};

/// Where the ports of workspaces are: below those that the kernel gives to outgoing connections, which could otherwise
/// have one of them when a hub comes back.
const FIRST_PORT: u16 = 20_000;
const PORTS: u64 = 12_000;

/// Who is let in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Whoever has the token, and browsers that used a one-time link.
    #[default]
    Token,
    /// Everybody on this machine: for test servers that hold nothing of worth.
    Open,
}

/// How HTTP is served.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// The address to listen at; other machines can reach it only when this is not a loopback address.
    pub ip: IpAddr,
    /// The port; one of the workspace's own when absent, any when 0.
    pub port: Option<u16>,
    /// Further names under which the server may be addressed, such as the one of a proxy in front of it.
    pub names: Vec<String>,
    /// Who is let in.
    pub access: Access,
    /// The tools that MCP clients get.
    pub selection: Selection,
    /// Diagnostics of a test server.
    pub extras: Option<Arc<dyn Extras>>,
}

impl Default for HttpOptions {
    fn default() -> Self {
        HttpOptions {
            ip: Ipv4Addr::LOCALHOST.into(),
            port: None,
            names: Vec::new(),
            access: Access::Token,
            selection: Selection::default(),
            extras: None,
        }
    }
}

impl From<&HttpSettings> for HttpOptions {
    fn from(settings: &HttpSettings) -> Self {
        let HttpSettings { address, port, hosts, .. } = settings;
        HttpOptions { ip: *address, port: *port, names: hosts.clone(), ..HttpOptions::default() }
    }
}

/// Why HTTP can't be served.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The address can't be had.
    #[error("HTTP can't listen at {address}: {source}")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// The token's file can't be read or made.
    #[error("the token file {path} can't be used: {source}")]
    Token {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Everybody on the network would be let in.
    #[error("{0} can be reached by other machines: listen there with a token only")]
    OpenToAll(IpAddr),
}

/// The server. It listens as soon as it is made.
#[derive(Debug)]
pub struct Http {
    listener: TcpListener,
    router: Router,
    url: String,
    token_file: PathBuf,
    logins: Arc<Logins>,
    sessions: Arc<Sessions>,
    closing: CancellationToken,
}

impl Http {
    /// Listens for the hub.
    pub async fn bind(hub: Arc<Hub>, settings: HttpOptions) -> Result<Self, HttpError> {
        if settings.access == Access::Open && !settings.ip.is_loopback() {
            return Err(HttpError::OpenToAll(settings.ip));
        }
        let token_file = hub.workspace().state().join("token");
        let token = match settings.access {
            Access::Open => None,
            Access::Token => {
                Some(Token::open(&token_file).map_err(|source| HttpError::Token { path: token_file.clone(), source })?)
            }
        };
        let listener = listen(&hub, &settings).await?;
        let address = listener
            .local_addr()
            .map_err(|source| HttpError::Listen { address: SocketAddr::new(settings.ip, 0), source })?;
        let url = format!("http://{}", reachable(address));
        let logins = Arc::new(Logins::new(&url, address.port(), &hub.workspace().state().join("browsers")));
        let guard = guard::Guard::new(address, settings.names, token, Arc::clone(&logins));
        let closing = CancellationToken::new();
        let memory = Arc::new(Memory::new(hub.workspace().state().join("sessions")));
        let sessions = Arc::new(Sessions::new(Arc::clone(&memory)));
        let service = Service {
            hub: Arc::clone(&hub),
            surface: Surface::McpHttp,
            selection: settings.selection.with_compat(hub.settings().compat.tools),
            entry: Entry::Token,
            relay: crate::mcp::Relay::default(),
            rounds: Arc::default(),
            extras: settings.extras,
        };
        let mcp = mcp::Mcp::new(service, Arc::clone(&sessions), memory, closing.clone());
        let openspace = openspace::Openspace { hub: Arc::clone(&hub), closing: closing.clone() };
        let router = routes::router(hub, guard, mcp, openspace);
        Ok(Http { listener, router, url, token_file, logins, sessions, closing })
    }

    /// Its address: `http://127.0.0.1:23456`. MCP is at `/mcp`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Where the token is kept.
    pub fn token_file(&self) -> &Path {
        &self.token_file
    }

    /// One-time links for browsers.
    pub fn logins(&self) -> &Arc<Logins> {
        &self.logins
    }

    /// Serves until [`close`](Self::close) is called, then lets what is under way come to its end, for a moment.
    pub async fn serve(&self) {
        tokio::select! {
            () = listen::serve(&self.listener, &self.router, listen::HEAD, &self.closing) => {}
            // Never ends by itself.
            () = self.sessions.tend() => {}
        }
    }

    /// Begins to end: streams are closed, and calls in them given up.
    pub fn close(&self) {
        self.closing.cancel();
    }
}

/// Where the server can be reached from this machine.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// The workspace's own port where it is free, so that links and settings of clients stay good.
async fn listen(hub: &Hub, settings: &HttpOptions) -> Result<TcpListener, HttpError> {
    let own = settings.port.unwrap_or_else(|| own_port(hub.workspace().key()));
    let address = SocketAddr::new(settings.ip, own);
    match TcpListener::bind(address).await {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && settings.port.is_none() => {
            let any = SocketAddr::new(settings.ip, 0);
            TcpListener::bind(any).await.map_err(|source| HttpError::Listen { address: any, source })
        }
        other => other.map_err(|source| HttpError::Listen { address, source }),
    }
}

/// A port that a workspace nearly always has to itself, from the name of its folders.
fn own_port(key: &str) -> u16 {
    FIRST_PORT + (hash(key.as_bytes()) % PORTS) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_stable_and_in_range() {
        assert_eq!(own_port("project-1f2e3d4c5b6a7980"), own_port("project-1f2e3d4c5b6a7980"));
        for key in ["", "a", "project-1f2e3d4c5b6a7980", "root-0"] {
            assert!((20_000..32_000).contains(&own_port(key)), "{key}");
        }
        assert_ne!(own_port("a"), own_port("b"));
    }
}
