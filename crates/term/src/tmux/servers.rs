//! The servers whose windows agents can use, and the clients that are attached: known by their processes, for as
//! long as those live. Who listens on a socket now is not enough, for an agent can move it away, and a server stays open
//! to what agents left in it when nobody attaches to it any more.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::presence::{Life, Listener, SocketFile, clients};

/// How long a look at the clients holds.
const FRESH: Duration = Duration::from_millis(100);

/// All that were seen so far.
#[derive(Debug, Default)]
pub struct Servers(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// The user's, those of earlier hubs too.
    users: Vec<Life>,
    /// Who listened on which socket.
    listeners: HashMap<PathBuf, (SocketFile, Life)>,
    clients: Vec<Life>,
    looked_at: Option<Instant>,
}

/// What is known at one moment.
#[derive(Debug, Default)]
pub struct Seen {
    /// The servers and the clients, and what clients have become.
    pub pids: Vec<u32>,
    /// The sockets of the user's servers.
    pub sockets: Vec<PathBuf>,
    /// Whether there is any server of the user's. What runs there is not the keeper's, and its orphans go to the system.
    pub has_users: bool,
    /// Whether a server is there that can't be told now.
    pub unsure: bool,
    /// What the store should have from now on.
    pub news: Option<String>,
}

impl Seen {
    /// Whether there is no server, and none that can't be told.
    pub fn is_nobody(&self) -> bool {
        self.pids.is_empty() && !self.has_users && !self.unsure
    }

    /// Whether an entry of a process's environment is what tmux tells its programs of one of these servers:
    /// `TMUX=SOCKET,PID,SESSION`.
    pub fn are_meant_by(&self, entry: &[u8]) -> bool {
        let Some(value) = entry.strip_prefix(b"TMUX=") else { return false };
        let mut fields = value.rsplitn(3, |byte| *byte == b',').skip(1);
        let pid = fields.next().and_then(|pid| str::from_utf8(pid).ok()?.parse().ok());
        let socket = fields.next().unwrap_or_default();
        let is_socket = |users: &PathBuf| {
            let told = Path::new(OsStr::from_bytes(socket));
            users.as_os_str().as_bytes() == socket
                || fs::canonicalize(told).is_ok_and(|told| fs::canonicalize(users).is_ok_and(|users| users == told))
        };
        pid.is_some_and(|pid| self.pids.contains(&pid)) || !socket.is_empty() && self.sockets.iter().any(is_socket)
    }
}

impl Servers {
    /// Those of earlier hubs, as they are in the store.
    pub fn remember(&self, stored: &str) {
        let lives = stored.split(' ').filter_map(|life| life.parse::<Life>().ok());
        self.0.lock().users.extend(lives);
    }

    /// Looks at our own server and the user's. Does not wait for any of them.
    pub fn look(&self, own: &Path, sockets: Vec<PathBuf>) -> Seen {
        let mut state = self.0.lock();
        let known = state.users.len();
        state.users.retain(|server| server.lasts());
        let mut changed = state.users.len() != known;
        let mut unsure = false;
        let own = state.listener(own, &mut unsure);
        for socket in &sockets {
            if let Some(server) = state.listener(socket, &mut unsure)
                && !state.users.contains(&server)
            {
                state.users.push(server);
                changed = true;
            }
        }
        let servers: Vec<Life> = own.into_iter().chain(state.users.iter().copied()).collect();
        state.look_for_clients(&servers);
        let pids = servers.iter().chain(&state.clients).map(|life| life.pid).collect();
        let has_users = !sockets.is_empty() || !state.users.is_empty();
        let stored = || state.users.iter().map(Life::to_string).collect::<Vec<_>>().join(" ");
        Seen { pids, sockets, has_users, unsure, news: changed.then(stored) }
    }
}

impl State {
    /// Who listens on a socket. While the file and the process are the same, the server itself is left alone.
    fn listener(&mut self, socket: &Path, unsure: &mut bool) -> Option<Life> {
        let file = SocketFile::at(socket)?;
        if let Some((_, life)) = self.listeners.get(socket).filter(|(seen, life)| *seen == file && life.lasts()) {
            return Some(*life);
        }
        match Listener::on(socket) {
            Listener::Process(life) => {
                self.listeners.insert(socket.to_owned(), (file, life));
                Some(life)
            }
            Listener::Nobody => None,
            Listener::Busy => {
                *unsure = true;
                None
            }
        }
    }

    /// Those that were seen once count until they end, whatever program they run by then.
    fn look_for_clients(&mut self, servers: &[Life]) {
        self.clients.retain(|client| client.lasts());
        if servers.is_empty() || self.looked_at.is_some_and(|at| at.elapsed() < FRESH) {
            return;
        }
        self.looked_at = Some(Instant::now());
        for client in clients(servers) {
            if !self.clients.contains(&client) && !servers.contains(&client) {
                self.clients.push(client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_server_counts_as_long_as_it_lives() {
        let dir = tempfile::tempdir().expect("a folder");
        let (own, socket) = (dir.path().join("own"), dir.path().join("s"));
        let pid = std::process::id();
        let servers = Servers::default();
        let look = |servers: &Servers| servers.look(&own, vec![socket.clone()]);
        assert!(look(&servers).pids.is_empty());
        let listener = UnixListener::bind(&socket).expect("binds");
        let seen = look(&servers);
        assert!(seen.pids.contains(&pid), "{seen:?}");
        let stored = seen.news.expect("it is new");
        // The same listener is not asked again, however many others wait for it.
        for _ in 0..10_000 {
            let seen = look(&servers);
            assert!(seen.pids.contains(&pid) && !seen.unsure && seen.news.is_none(), "{seen:?}");
        }
        std::fs::rename(&socket, dir.path().join("moved")).expect("moves");
        assert!(look(&servers).pids.contains(&pid));
        drop(listener);
        let later = Servers::default();
        later.remember(&format!("{stored} 1:1 nonsense"));
        let seen = later.look(&own, Vec::new());
        assert!(seen.pids.contains(&pid) && seen.has_users, "{seen:?}");
        assert_eq!(seen.news.as_deref(), Some(stored.as_str()), "what has ended is forgotten");
    }
    #[test]
    fn a_server_is_known_by_its_socket_or_its_process() {
        let servers = Seen { pids: vec![77], sockets: vec!["/nowhere/tmux-1/a,b".into()], ..Seen::default() };
        for (entry, meant) in [
            ("TMUX=/nowhere/tmux-1/a,b,12,0", true),
            ("TMUX=/elsewhere/default,77,3", true),
            ("TMUX=/elsewhere/default,12,0", false),
            ("TMUX=/nowhere/tmux-1/a,12,0", false),
            ("TMUX=", false),
            ("TMUX=,,", false),
            ("OTHER=/elsewhere/default,77,3", false),
        ] {
            assert_eq!(servers.are_meant_by(entry.as_bytes()), meant, "{entry}");
        }
    }
}
