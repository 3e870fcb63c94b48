//! Where a client of HTTP runs: whoever was started inside of one of the hub's terminals may be an agent's own doing, and
//! must not answer in a person's place.
//!
//! The kernel tells no process of a TCP connection. On this machine it is found by the other end's entry in
//! `/proc/net/tcp`, and by who has that socket open. That takes a look at every process, so it is done only when a person
//! is to be asked.

use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use flightdeck_core::{Caller, Entry, Hub, Surface};

use crate::logins::Browser;

/// The two ends of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Connection {
    /// The client's.
    pub(crate) theirs: SocketAddr,
    /// The server's.
    pub(crate) ours: SocketAddr,
}

/// What let a client of HTTP in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// The cookie of a browser.
    Cookie(Browser),
    /// The token; or nothing, at a server for tests that asks for nothing.
    Token,
}

impl From<Pass> for Entry {
    fn from(pass: Pass) -> Self {
        match pass {
            Pass::Cookie(_) => Entry::Cookie,
            Pass::Token => Entry::Token,
        }
    }
}

/// Whoever the guard has let in. It travels with the request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guest {
    pub(crate) pass: Pass,
    pub(crate) connection: Option<Connection>,
}

impl Guest {
    /// Its part in a call: the person at a browser, or the program that shows the token. What was started inside of a
    /// terminal is neither, whatever it shows.
    pub(crate) async fn caller(self, hub: &Arc<Hub>, program: &str) -> Caller {
        let name = match self.pass {
            Pass::Cookie(browser) => browser.to_string(),
            Pass::Token => program.to_owned(),
        };
        let origin = Origin { hub: Arc::clone(hub), door: self.pass.into(), connection: self.connection };
        Caller::human(name).through(Surface::Http, origin.entry().await)
    }
}

/// Where a request comes from.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) hub: Arc<Hub>,
    /// How the client came in, as far as that can be told without a look at it.
    pub(crate) door: Entry,
    /// The connection, for clients of HTTP.
    pub(crate) connection: Option<Connection>,
}

impl Origin {
    /// How a front end came in. What can't be told counts as inside of a terminal.
    pub(crate) async fn entry(&self) -> Entry {
        let (hub, door) = (Arc::clone(&self.hub), self.door);
        self.look(move |pid| hub.entry_of(pid, door)).await
    }

    /// How a client of MCP came in, which is an agent itself.
    pub(crate) async fn client_entry(&self) -> Entry {
        let (hub, door) = (Arc::clone(&self.hub), self.door);
        self.look(move |pid| hub.http_client_entry_of(pid, door)).await
    }

    async fn look(&self, entry_of: impl Fn(u32) -> Entry + Send + 'static) -> Entry {
        let Some(connection) = self.connection else { return self.door };
        let door = self.door;
        let look = tokio::task::spawn_blocking(move || entry(connection, door, entry_of));
        look.await.unwrap_or(Entry::INSIDE)
    }
}

/// The processes at the client's end of a connection, as far as they are on this machine and can be looked into.
pub(crate) fn clients_of(connection: Connection) -> Vec<u32> {
    socket(connection).ok().flatten().map(|inode| holders(&inode)).unwrap_or_default()
}

fn entry(connection: Connection, door: Entry, entry_of: impl Fn(u32) -> Entry) -> Entry {
    match socket(connection) {
        // No end of it is here: the client is on another machine.
        Ok(None) => door,
        Ok(Some(inode)) => {
            let entries: Vec<_> = holders(&inode).into_iter().map(entry_of).collect();
            let inside = entries.iter().copied().find(|entry| entry.may_be_agent());
            inside.or(entries.first().copied()).unwrap_or(Entry::INSIDE)
        }
        Err(_) => Entry::INSIDE,
    }
}

/// The inode of the client's socket.
fn socket(connection: Connection) -> std::io::Result<Option<String>> {
    for (table, encode) in [("/proc/net/tcp", short as fn(IpAddr) -> String), ("/proc/net/tcp6", long)] {
        let end = |address: SocketAddr| format!("{}:{:04X}", encode(address.ip()), address.port());
        let (theirs, ours) = (end(connection.theirs), end(connection.ours));
        let text = match fs::read_to_string(table) {
            Ok(text) => text,
            // A kernel without IPv6 has no table of it.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && table.ends_with('6') => continue,
            Err(error) => return Err(error),
        };
        for line in text.lines() {
            let fields: Vec<_> = line.split_whitespace().collect();
            if fields.get(1) == Some(&theirs.as_str()) && fields.get(2) == Some(&ours.as_str()) {
                return Ok(fields.get(9).map(|inode| (*inode).to_owned()));
            }
        }
    }
    Ok(None)
}

/// An address as `/proc/net/tcp` has it: words of the network's bytes, printed as the machine's numbers. One of IPv6 is
/// longer than any that stands there.
fn short(ip: IpAddr) -> String {
    match ip.to_canonical() {
        IpAddr::V4(ip) => format!("{:08X}", u32::from_ne_bytes(ip.octets())),
        IpAddr::V6(_) => long(ip),
    }
}

/// The same as `/proc/net/tcp6` has it.
fn long(ip: IpAddr) -> String {
    let octets = match ip {
        IpAddr::V4(ip) => ip.to_ipv6_mapped().octets(),
        IpAddr::V6(ip) => ip.octets(),
    };
    let words = octets.as_chunks::<4>().0;
    words.iter().map(|word| format!("{:08X}", u32::from_ne_bytes(*word))).collect()
}

/// The processes that have a socket open, as far as they can be looked into.
fn holders(inode: &str) -> Vec<u32> {
    flightdeck_core::holders(&format!("socket:[{inode}]"))
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    fn connection(address: &str) -> (Connection, [TcpStream; 2]) {
        let listener = TcpListener::bind(address).unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (server, theirs) = listener.accept().unwrap();
        (Connection { theirs, ours: server.local_addr().unwrap() }, [client, server])
    }

    /// Whether a connection counts as inside when these processes are.
    fn inside(connection: Connection, is_within: impl Fn(u32) -> bool) -> bool {
        let door = Entry::Cookie;
        let seen = entry(connection, door, |pid| if is_within(pid) { Entry::INSIDE } else { door });
        assert!(seen.may_be_agent() || seen == door);
        seen.may_be_agent()
    }

    #[test]
    fn the_process_behind_a_connection_is_found() {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let (connection, open) = connection(address);
            let inode = socket(connection).unwrap().unwrap();
            assert_eq!(holders(&inode), [std::process::id()], "{address}");
            assert!(inside(connection, |pid| pid == std::process::id()), "{address}");
            assert!(!inside(connection, |_| false), "{address}");
            drop(open);
        }
    }

    #[test]
    fn a_client_of_the_old_kind_on_a_socket_of_the_new_kind_is_found() {
        let (connection, _open) = connection("[::ffff:127.0.0.1]:0");
        assert!(inside(connection, |pid| pid == std::process::id()));
        let canonical = |address: SocketAddr| SocketAddr::new(address.ip().to_canonical(), address.port());
        let seen = Connection { theirs: canonical(connection.theirs), ours: canonical(connection.ours) };
        assert!(inside(seen, |pid| pid == std::process::id()));
    }

    #[test]
    fn who_is_elsewhere_is_outside() {
        let [theirs, ours] = ["192.0.2.1:1234", "192.0.2.2:80"].map(|address| address.parse().unwrap());
        assert!(!inside(Connection { theirs, ours }, |_| true));
    }

    #[test]
    fn a_socket_that_nobody_is_seen_to_have_is_inside() {
        let (connection, [client, server]) = connection("127.0.0.1:0");
        // What stays of it in the kernel belongs to no process.
        drop(client);
        assert!(socket(connection).unwrap().is_some());
        assert!(inside(connection, |_| false));
        drop(server);
    }
}
