//! A workspace with a hub of its own, and the check that nothing is left of it.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use flightdeck_contract::{TERMINAL_VARIABLE, WORKSPACE_VARIABLE};
use rustix::process::Signal;
use serde_json::Value;
use tempfile::TempDir;

use crate::command::{Invocation, Outcome};
use crate::processes::{self, Process};
use crate::pty::Pty;
use crate::socket::Socket;
use crate::wait::try_until;
use crate::{SOON, binary};

/// What every caller finds in its environment, whoever runs the tests.
const ENVIRONMENT: [(&str, &str); 6] = [
    ("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"),
    ("LANG", "C.UTF-8"),
    ("TERM", "xterm-256color"),
    ("USER", "pilot"),
    ("SHELL", "/bin/bash"),
    // A window that happens to be built beside the program is not opened.
    ("PM_TERM_ADAPTER_MODE", "local"),
];

/// How long one part of a dump may take: what it tells of may hang.
const FOR_A_DUMP: Duration = Duration::from_secs(5);

/// A private workspace. Dropping it ends everything in it and checks that nothing is left.
#[derive(Debug)]
pub struct Deck {
    binary: PathBuf,
    /// Short, because a socket's path has 108 bytes at most.
    folder: TempDir,
    state: PathBuf,
    /// What the settings say of tabs, whatever else a test sets.
    tabs: Option<&'static str>,
}

impl Deck {
    /// A fresh one; its hub is started by the first command that needs it.
    #[expect(clippy::new_without_default, reason = "it makes folders")]
    pub fn new() -> Self {
        Deck::make(None)
    }

    /// The same with its durable state elsewhere, such as on a small disk.
    pub fn with_state(state: PathBuf) -> Self {
        Deck::make(Some(state))
    }

    /// The same with tabs that run in this: `tmux` or `pty`.
    pub fn with_tabs(backend: &'static str) -> Self {
        let mut deck = Deck::make(None);
        deck.tabs = Some(backend);
        deck.settings("");
        deck
    }

    fn make(state: Option<PathBuf>) -> Self {
        let folder = tempfile::Builder::new().prefix("fd").tempdir_in("/tmp").expect("/tmp can be written");
        let state = state.unwrap_or_else(|| folder.path().join("s"));
        let deck = Deck { binary: binary::flightdeck(), folder, state, tabs: None };
        // Without this folder a fresh fish starts a job of minutes that reads all manual pages.
        let completions = deck.home().join(".local/share/fish/generated_completions");
        for dir in [&deck.workspace(), &deck.runtime(), &deck.state, &completions] {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(dir).expect("a new folder");
        }
        deck
    }

    /// The root folder.
    pub fn workspace(&self) -> PathBuf {
        self.folder.path().join("w")
    }

    /// The user's home, empty.
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("h")
    }

    /// Where sockets are.
    pub fn runtime(&self) -> PathBuf {
        self.folder.path().join("r")
    }

    /// Where logs are.
    pub fn state(&self) -> &Path {
        &self.state
    }

    /// The folder of one terminal's files.
    pub fn terminal_dir(&self, id: &str) -> PathBuf {
        let status: Value = self.status();
        Path::new(status["state"].as_str().expect("a path")).join("terminals").join(id)
    }

    /// The program under test.
    pub fn program(&self) -> &Path {
        &self.binary
    }

    /// `flightdeck` with these arguments, in the workspace, with an environment that is the same everywhere.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(args).current_dir(self.workspace()).env_clear().envs(ENVIRONMENT);
        command.env("HOME", self.home()).env("XDG_RUNTIME_DIR", self.runtime()).env("XDG_STATE_HOME", &self.state);
        command
    }

    /// Writes the user's settings; a hub reads them when it starts.
    pub fn settings(&self, text: &str) {
        let folder = self.home().join(".config/flightdeck");
        fs::create_dir_all(&folder).expect("a new folder");
        let text = match self.tabs {
            None => text.to_owned(),
            Some(backend) if text.contains("[tabs]") => {
                text.replace("[tabs]", &format!("[tabs]\nbackend = \"{backend}\""))
            }
            Some(backend) => format!("{text}\n[tabs]\nbackend = \"{backend}\"\n"),
        };
        fs::write(folder.join("settings.toml"), text).expect("a new file");
    }

    /// The same, to be changed or started.
    pub fn invoke(&self, args: &[&str]) -> Invocation {
        Invocation::new(self.command(args))
    }

    /// Runs `flightdeck` to its end.
    #[track_caller]
    pub fn cli(&self, args: &[&str]) -> Outcome {
        self.invoke(args).run()
    }

    /// Runs `flightdeck`, which must succeed and print JSON.
    #[track_caller]
    pub fn json(&self, args: &[&str]) -> Value {
        self.cli(args).expect(0).json()
    }

    /// Starts `flightdeck` in a window of 24 rows and 80 columns.
    pub fn window(&self, args: &[&str]) -> Pty {
        Pty::start(&self.command(args), 24, 80)
    }

    /// What the hub says of itself; it must run.
    #[track_caller]
    pub fn status(&self) -> Value {
        self.json(&["status", "--json"])
    }

    /// The hub's process.
    #[track_caller]
    pub fn hub_pid(&self) -> u32 {
        self.status()["pid"].as_u64().expect("a process id") as u32
    }

    /// The keeper's process.
    #[track_caller]
    pub fn keeper_pid(&self) -> u32 {
        self.status()["keeperPid"].as_u64().expect("a process id") as u32
    }

    /// Starts the hub if there is none. A look would not.
    #[track_caller]
    pub fn start(&self) {
        let serves = || (self.cli(&["status"]).code == 0).then_some(());
        if serves().is_none() {
            // `restart` would end the one that the keeper may start by itself at this moment.
            self.wait_until("the hub serves", SOON, || {
                self.cli(&["serve", "--background"]).expect(0);
                serves()
            });
        }
    }

    /// Starts the hub if need be and gives the path of its socket.
    #[track_caller]
    pub fn socket_path(&self) -> PathBuf {
        self.start();
        self.status()["socket"].as_str().expect("a path").into()
    }

    /// A connection to the hub.
    #[track_caller]
    pub fn socket(&self) -> Socket {
        Socket::connect(&self.socket_path())
    }

    /// Kills the hub as a crash would, and waits until it is gone. Its keeper starts the next one.
    #[track_caller]
    pub fn kill_hub(&self) {
        let pid = self.hub_pid();
        processes::signal(pid, Signal::KILL);
        self.wait_until("the hub is gone", SOON, || (!processes::is_alive(pid)).then_some(()));
    }

    /// The same, and no other hub comes before what is given goes.
    #[track_caller]
    pub fn lose_hub(&self) -> NoHub {
        let spawner = self.hub_spawner();
        processes::signal(spawner, Signal::STOP);
        self.wait_until("the keeper starts no hub", SOON, || processes::is_stopped(spawner).then_some(()));
        let lost = NoHub { spawner };
        self.kill_hub();
        lost
    }

    /// The process beside the keeper that starts hubs.
    #[track_caller]
    pub fn hub_spawner(&self) -> u32 {
        processes::parent(self.hub_pid())
    }

    /// Looks until there is something; otherwise panics with everything there is to know.
    #[track_caller]
    pub fn wait_until<T>(&self, what: &str, deadline: Duration, look: impl FnMut() -> Option<T>) -> T {
        try_until(deadline, look).unwrap_or_else(|| panic!("not within {deadline:?}: {what}\n{}", self.dump()))
    }

    /// The processes of one terminal of this workspace.
    pub fn processes_of(&self, id: &str) -> Vec<Process> {
        let own = self.processes();
        let tagged = processes::with_environment(&format!("{TERMINAL_VARIABLE}={id}@"));
        own.into_iter().filter(|process| tagged.contains(process)).collect()
    }

    /// All processes of this workspace: the hub, the keeper, and what runs in terminals.
    pub fn processes(&self) -> Vec<Process> {
        let mut found = processes::with_environment(&self.runtime().to_string_lossy());
        let marked = format!("{WORKSPACE_VARIABLE}={}\0", self.workspace().display());
        found.extend(processes::with_environment(&marked));
        found.sort_by_key(|process| process.pid);
        found.dedup();
        found
    }

    /// Terminals with their screens and the ends of their logs, and what the hub said.
    pub fn dump(&self) -> String {
        let mut text = format!("--- processes\n{:#?}\n", self.processes());
        let listed = self.try_cli(&["ls", "--all", "--json"], FOR_A_DUMP);
        let _ = write!(text, "--- ls --all\n{listed}\n");
        let terminals: Vec<Value> = serde_json::from_str(&listed).unwrap_or_default();
        for id in terminals.iter().rev().take(5).filter_map(|terminal| terminal["id"].as_str()) {
            let _ = write!(text, "--- screen {id}\n{}\n", self.try_cli(&["screen", id], FOR_A_DUMP));
            let _ = write!(text, "--- logs {id}\n{:?}\n", self.try_cli(&["logs", id, "--raw", "-n", "20"], FOR_A_DUMP));
        }
        for entry in fs::read_dir(self.state.join("flightdeck")).into_iter().flatten().flatten() {
            let said = fs::read_to_string(entry.path().join("hub.log")).unwrap_or_default();
            let _ = write!(text, "--- hub.log\n{said}\n");
        }
        text
    }

    /// Never panics, and never waits for longer than this.
    fn try_cli(&self, args: &[&str], patience: Duration) -> String {
        let mut command = Command::new("timeout");
        let flightdeck = self.command(args);
        command
            .args(["-k", "1", &patience.as_secs().to_string()])
            .arg(&self.binary)
            .args(args)
            .env_clear()
            .current_dir(self.workspace());
        command.envs(flightdeck.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.output().map_or_else(
            |error| error.to_string(),
            |output| String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned(),
        )
    }

    fn sockets(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.runtime()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                    Ok(kind) if kind.is_socket() => found.push(entry.path()),
                    _ => {}
                }
            }
        }
        found
    }
}

/// No hub can start while this is there.
#[derive(Debug)]
pub struct NoHub {
    spawner: u32,
}

impl Drop for NoHub {
    fn drop(&mut self) {
        processes::signal(self.spawner, Signal::CONT);
    }
}

impl Drop for Deck {
    fn drop(&mut self) {
        let stopped = self.try_cli(&["stop", "--all"], SOON);
        let gone = try_until(SOON, || self.processes().is_empty().then_some(()));
        let left = self.processes();
        let sockets = self.sockets();
        if gone.is_none() {
            for process in &left {
                processes::signal(process.pid, Signal::KILL);
            }
        }
        if !std::thread::panicking() {
            assert!(gone.is_none() || left.is_empty(), "processes came after the end: {left:#?}");
            assert!(gone.is_some(), "`stop --all` ({stopped:?}) left processes behind: {left:#?}");
            assert!(sockets.is_empty(), "`stop --all` ({stopped:?}) left sockets behind: {sockets:#?}");
        }
    }
}
