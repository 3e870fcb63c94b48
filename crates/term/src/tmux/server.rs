//! The tmux server of tabs: the hub's own, started with the first tab on a socket that nobody else uses, or the user's.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use flightdeck_keeper::Requests;
use parking_lot::Mutex;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};

use super::call::Words;
use super::control::Control;
use super::escape;
use super::presence::{Life, peer_of, server_pid};
use super::{Found, Place, TmuxError};
use crate::facts::Lineage;

/// The one session that holds all tabs on a server of our own.
pub(super) const SESSION: &str = "flightdeck";
/// How long the server may take to end.
const END: Duration = Duration::from_secs(3);
const LOOK: Duration = Duration::from_millis(2);

/// What is particular to one hub.
#[derive(Clone, Debug)]
pub struct TmuxSetup {
    /// The server's socket, in a folder that is private to the user.
    pub socket: PathBuf,
    /// Our own program, which has a hidden mode for panes (`tmux-pane DIR`) and one for the first window (`tmux-home`).
    pub holder: PathBuf,
    /// Where windows begin that a person opens there.
    pub root: PathBuf,
    /// In which session, and whose it is.
    pub place: Place,
}

/// A tmux server, running or not.
#[derive(Debug)]
pub struct Tmux {
    pub(super) setup: TmuxSetup,
    pub(super) found: Found,
    pub(super) control: Mutex<Option<Control>>,
    /// The number of the newest window that is known of.
    pub(super) counted: AtomicU32,
    /// The user's session by its id, and the server that has it.
    pub(super) held: Mutex<Option<(Life, String)>>,
}

impl Tmux {
    /// The server of this socket. Nothing is started yet.
    pub fn new(setup: TmuxSetup, found: Found) -> Self {
        Tmux { setup, found, control: Mutex::new(None), counted: AtomicU32::new(0), held: Mutex::new(None) }
    }

    /// Where it is reached, and which session is used.
    pub fn setup(&self) -> &TmuxSetup {
        &self.setup
    }

    /// Its program.
    pub fn found(&self) -> &Found {
        &self.found
    }

    /// Starts the server, or the session in a server that lost it. The keeper does it for us.
    pub(super) fn start(&self, requests: &Requests) -> Result<(), TmuxError> {
        let option = |name: &'static str, value: &'static str| ["set-option", "-g", name, value];
        let root = escape::argument(&escape::format(self.setup.root.as_os_str()));
        let words = Words::default()
            .then([
                OsStr::new("new-session"),
                "-d".as_ref(),
                "-s".as_ref(),
                SESSION.as_ref(),
                "-n".as_ref(),
                "home".as_ref(),
                "-x".as_ref(),
                "80".as_ref(),
                "-y".as_ref(),
                "24".as_ref(),
                "-c".as_ref(),
                &root,
                "--".as_ref(),
                &escape::argument(self.setup.holder.as_os_str()),
                "tmux-home".as_ref(),
            ])
            .then(["set-option", "-s", "exit-empty", "off"])
            .then(option("history-limit", "50000"))
            // Not `window-size manual` for all: tmux 3.3a crashes with it at the next new window.
            .then(option("default-size", "80x24"))
            .then(option("automatic-rename", "off"))
            .then(option("allow-rename", "off"))
            .then(option("set-titles", "off"))
            .then(option("remain-on-exit", "off"))
            .then(option("default-terminal", "screen-256color"));
        self.counted.store(0, Ordering::Relaxed);
        self.call_by_keeper(requests, "start", &words)?;
        // tmux makes it so already; whoever changes that must not open the terminals to others.
        fs::set_permissions(&self.setup.socket, PermissionsExt::from_mode(0o600))
            .map_err(TmuxError::io("the socket of tmux can't be closed to others"))
    }

    /// The server's process, if there is one.
    pub fn pid(&self) -> Option<u32> {
        server_pid(&self.setup.socket)
    }

    /// Whether nobody listens on the socket. Other failures to find out prove nothing.
    pub(super) fn is_down(&self) -> bool {
        matches!(peer_of(&self.setup.socket), Err(Errno::NOENT | Errno::CONNREFUSED))
    }

    /// Whether the server runs and has lost the session with the tabs, or does not run at all.
    pub(super) fn lacks_session(&self) -> bool {
        let words = Words::default().then(["has-session", "-t", &format!("={}", self.session())]);
        matches!(self.call("find its session", words), Err(TmuxError::Failed { .. }))
    }

    /// Ends the server with everything in it, and leaves no socket.
    pub fn end(&self) -> Result<(), TmuxError> {
        if self.is_users() {
            return Ok(());
        }
        self.control().take();
        end_server(&self.setup.socket, || self.call("end", Words::default().then(["kill-server"])).is_ok())
    }
}

/// Ends the server of a socket whose program can't be found.
pub fn end_by_force(socket: &Path) -> Result<(), TmuxError> {
    end_server(socket, || false)
}

/// Ends the server of a socket. One that does not answer, or can't be told because its program is gone, by force.
fn end_server(socket: &Path, tell: impl FnOnce() -> bool) -> Result<(), TmuxError> {
    if let Some(pid) = server_pid(socket).and_then(|pid| Pid::from_raw(pid.cast_signed())) {
        let mut deadline = Instant::now() + if tell() { END } else { Duration::ZERO };
        let mut forced = false;
        // One that has ended may wait for a long time to be reaped by whoever is its parent now.
        while Lineage::of(pid.as_raw_nonzero().get().cast_unsigned()).is_some() {
            if Instant::now() > deadline {
                if forced {
                    break;
                }
                let _just_ended = kill_process(pid, Signal::KILL);
                (deadline, forced) = (Instant::now() + END, true);
            }
            thread::sleep(LOOK);
        }
    }
    match fs::remove_file(socket) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(TmuxError::Io { doing: "the socket of tmux can't be removed", source: error })
        }
        _ => Ok(()),
    }
}
