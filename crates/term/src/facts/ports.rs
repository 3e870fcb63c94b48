//! Who listens on a TCP port of this machine.

use std::fs;

use super::process::{Process, all_pids};

/// Who listens on a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Listener {
    /// One of the processes that were asked about.
    Ours,
    /// Another one, where it can be told which.
    Other(Option<Process>),
}

/// Who listens on this port, first among these processes. `None`: nobody.
pub(crate) fn listener(port: u16, ours: impl IntoIterator<Item = u32>) -> Option<Listener> {
    let sockets = sockets(port);
    if sockets.is_empty() {
        return None;
    }
    if ours.into_iter().any(|pid| holds(pid, &sockets)) {
        return Some(Listener::Ours);
    }
    Some(Listener::Other(all_pids().into_iter().find(|pid| holds(*pid, &sockets)).and_then(Process::of)))
}

/// The names of the sockets that listen there, as links in `/proc/PID/fd` have them.
fn sockets(port: u16) -> Vec<String> {
    ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .flat_map(|table| listening(&fs::read_to_string(table).unwrap_or_default(), port))
        .collect()
}

fn listening(table: &str, port: u16) -> Vec<String> {
    const LISTEN: &str = "0A";
    let suffix = format!(":{port:04X}");
    let socket = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let is_it = fields.get(1)?.ends_with(&suffix) && *fields.get(3)? == LISTEN;
        is_it.then(|| Some(format!("socket:[{}]", fields.get(9)?)))?
    };
    table.lines().skip(1).filter_map(socket).collect()
}

fn holds(pid: u32, sockets: &[String]) -> bool {
    let Ok(open) = fs::read_dir(format!("/proc/{pid}/fd")) else { return false };
    open.flatten().any(|fd| {
        fs::read_link(fd.path()).is_ok_and(|target| sockets.iter().any(|socket| target.as_os_str() == socket.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_listener_is_told_from_that_of_others() {
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = socket.local_addr().unwrap().port();
        let own = std::process::id();
        assert_eq!(listener(port, [own]), Some(Listener::Ours));
        let Some(Listener::Other(Some(process))) = listener(port, [1]) else { panic!("not told") };
        assert_eq!(process.pid, own);
        drop(socket);
        assert_eq!(listener(port, [own]), None);
    }
}
