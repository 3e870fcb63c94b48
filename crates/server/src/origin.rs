//! Where a client of HTTP runs: whoever was started inside of one of the hub's terminals may be an agent's own doing, and
//! must not answer in a person's place.
//!
//! The kernel tells no process of a TCP connection. On this machine it is found by the other end's entry in
//! `/proc/net/tcp`, and by who has that socket open. That takes a look at every process, so it is done only when a person
//! is to be asked.

use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use flightdeck_core::Hub;

/// The two ends of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Connection {
    /// The client's.
    pub(crate) theirs: SocketAddr,
    /// The server's.
    pub(crate) ours: SocketAddr,
}

/// Where a request comes from.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) hub: Arc<Hub>,
    /// The connection, for clients of HTTP.
    pub(crate) connection: Option<Connection>,
}

impl Origin {
    /// Whether it may come from inside of a terminal. What can't be told counts as that.
    pub(crate) async fn is_inside(&self) -> bool {
        let Some(connection) = self.connection else { return false };
        let hub = Arc::clone(&self.hub);
        let look = tokio::task::spawn_blocking(move || inside(connection, |pid| hub.within(pid).is_some()));
        look.await.unwrap_or(true)
    }
}

fn inside(connection: Connection, is_within: impl Fn(u32) -> bool) -> bool {
    match socket(connection) {
        // No end of it is here: the client is on another machine.
        Ok(None) => false,
        Ok(Some(inode)) => {
            let holders = holders(&inode);
            holders.is_empty() || holders.into_iter().any(is_within)
        }
        Err(_) => true,
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
    let wanted = format!("socket:[{inode}]");
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| {
        let files = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        files.filter_map(|file| fs::read_link(file.path()).ok()).any(|target| target.as_os_str() == wanted.as_str())
    })
    .collect()
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
