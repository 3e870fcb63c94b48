//! Where tabs are in tmux: on a server of our own, or in a session of the user's, which is a guest's business only.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use flightdeck_keeper::Size;

use super::call::Words;
use super::escape::Writer;
use super::presence::{Life, Listener, peer_of};
use super::server::SESSION;
use super::window::Window;
use super::{Tmux, TmuxError};

/// In which session windows are opened, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The one of a server that we start and end.
    Own,
    /// One that the user has made, of this name. It and its server are never started, ended or set by us.
    Users(String),
}

/// What our own windows need among the user's, set for each of them alone.
const AMONG_OTHERS: [(&str, &str); 3] =
    [("automatic-rename", "off"), ("allow-rename", "off"), ("remain-on-exit", "off")];
/// How many bytes of input go into one call: tmux takes some 16 KB of arguments.
const PIECE: usize = 2000;
/// What is printed instead of typing.
const SYNCHRONIZED: &str = "synchronized";
/// How many sessions are named when the one that is wanted is not among them.
const SHOWN_SESSIONS: usize = 10;

/// The socket that the user's own tmux uses: as it is told, of the tmux that the hub was started in, or the usual one.
pub fn users_socket(told: Option<&str>) -> PathBuf {
    if let Some(path) = told.filter(|told| told.starts_with('/')) {
        return PathBuf::from(path);
    }
    let inside = std::env::var("TMUX").ok().and_then(|value| value.split(',').next().map(PathBuf::from));
    if let Some(socket) = inside.filter(|socket| told.is_none() && socket.is_absolute()) {
        return socket;
    }
    let folder = std::env::var_os("TMUX_TMPDIR").filter(|folder| !folder.is_empty());
    let folder = PathBuf::from(folder.as_deref().unwrap_or(OsStr::new("/tmp")));
    folder.join(format!("tmux-{}", rustix::process::getuid().as_raw())).join(told.unwrap_or("default"))
}

impl Tmux {
    /// Whether the server is the user's.
    pub(super) fn is_users(&self) -> bool {
        matches!(self.setup.place, Place::Users(_))
    }

    /// The session that windows are opened in.
    pub(super) fn session(&self) -> &str {
        match &self.setup.place {
            Place::Own => SESSION,
            Place::Users(name) => name,
        }
    }

    /// The session as tmux is told it. The user's is found by its name once, and then held by its id, so that it may be
    /// renamed; another server has other ids.
    pub(super) fn target(&self) -> Result<String, TmuxError> {
        if !self.is_users() {
            return Ok(format!("={SESSION}"));
        }
        let words = Words::default().then(["list-sessions", "-F", "#{session_id}\t#{session_name}"]);
        let listed = self.call("list sessions", words).map_err(|error| self.explain(error))?;
        let mut held = self.held.lock();
        let server = match Listener::on(&self.setup.socket) {
            Listener::Process(server) => Some(server),
            Listener::Busy | Listener::Nobody => held.as_ref().map(|(server, _)| *server),
        };
        let sessions = || listed.lines().filter_map(|line| line.split_once('\t'));
        let known = held.as_ref().filter(|(life, _)| Some(*life) == server).map(|(_, id)| id.as_str());
        let by_id = sessions().find(|(id, _)| Some(*id) == known);
        let Some((id, _)) = by_id.or_else(|| sessions().find(|(_, name)| *name == self.session())) else {
            let names: Vec<_> = sessions().take(SHOWN_SESSIONS).map(|(_, name)| format!("{name:?}")).collect();
            let others = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            let (session, socket) = (self.session().to_owned(), self.setup.socket.clone());
            return Err(TmuxError::NoSession { session, socket, others });
        };
        *held = server.map(|server: Life| (server, id.to_owned()));
        Ok(id.to_owned())
    }

    /// How output is copied there.
    pub(super) fn writer(&self) -> Writer {
        if self.is_users() { Writer::Ends } else { Writer::Waits }
    }

    pub(super) fn window_options(&self) -> &'static [(&'static str, &'static str)] {
        if self.is_users() { &AMONG_OTHERS } else { &[] }
    }

    /// Whether what listens at the socket can only be the user's: in a folder that all may write, somebody else may
    /// have been there first. tmux itself does not look at a socket that it is given by path.
    pub(super) fn check_socket(&self) -> Result<(), TmuxError> {
        let socket = &self.setup.socket;
        let own = rustix::process::getuid().as_raw();
        let owner = |path: &Path| fs::symlink_metadata(path).map(|found| found.uid());
        let folder = socket.parent().unwrap_or(socket);
        // What is not there is told by tmux. A folder of the system's, such as `/tmp`, keeps our files ours.
        let foreign = owner(socket).is_ok_and(|uid| uid != own)
            || owner(folder).is_ok_and(|uid| uid != own && uid != 0)
            || peer_of(socket).is_ok_and(|peer| peer.uid.as_raw() != own);
        if foreign { Err(TmuxError::Foreign { socket: socket.clone() }) } else { Ok(()) }
    }

    /// Whether the user's session is there, and why not.
    pub fn reach(&self) -> Result<(), TmuxError> {
        self.check_socket()?;
        self.target().map(drop)
    }

    /// An absence is told as what the user can do something about.
    pub(super) fn explain(&self, error: TmuxError) -> TmuxError {
        if !matches!(error, TmuxError::Failed { .. }) || !self.is_down() {
            return error;
        }
        TmuxError::NoServer { session: self.session().to_owned(), socket: self.setup.socket.clone() }
    }

    /// Types by a call of its own: a client that stays would be one more attached to the user's session.
    pub(super) fn type_once(&self, window: &Window, bytes: &[u8]) -> io::Result<usize> {
        let piece = &bytes[..bytes.len().min(PIECE)];
        let pane = format!("%{}", window.pane);
        let words = if self.found.has_flags {
            Words::default().then(["copy-mode", "-q", "-t", &pane])
        } else {
            let leave = format!("send-keys -X -t {pane} cancel");
            Words::default().then(["if-shell", "-F", "-t", &pane, "#{pane_in_mode}", &leave])
        };
        let mut keys = format!("send-keys -H -t {pane}");
        for byte in piece {
            // Writing to a string can't fail.
            let _ = write!(keys, " {byte:02x}");
        }
        // In the same turn: it must not be typed into other panes, which may be on other machines.
        let told = format!("display-message -p {SYNCHRONIZED}");
        let words = words.then(["if-shell", "-F", "-t", &pane, "#{pane_synchronized}", &told, &keys]);
        let printed = self.call("type into a window", words).map_err(io::Error::other)?;
        if printed.trim_end() == SYNCHRONIZED {
            return Err(io::Error::new(
                io::ErrorKind::ResourceBusy,
                "what is typed there goes to all panes of its window, as the user has set it (synchronize-panes)",
            ));
        }
        Ok(piece.len())
    }

    /// Gives a window of ours a size.
    pub(super) fn size_once(&self, window: &Window, size: Size) -> io::Result<()> {
        let (target, cols, rows) = (format!("@{}", window.number), size.cols().to_string(), size.rows().to_string());
        let words = Words::default().then(["resize-window", "-t", &target, "-x", &cols, "-y", &rows]);
        self.call("resize a window", words).map(drop).map_err(io::Error::other)
    }
}
