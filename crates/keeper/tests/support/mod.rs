//! A real keeper process for a test, a client that collects its events, and waits with a deadline that tell what
//! there was instead.
#![allow(dead_code, reason = "each test file uses its own part")]

pub mod yard;

use std::ffi::OsStr;
use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use flightdeck_keeper::{
    ClientError, Event, Exit, LogLimits, OsBytes, Output, Requests, SessionId, SessionInfo, Size, SpawnSpec, connect,
    launch, layout,
};
use tempfile::TempDir;

pub const DEADLINE: Duration = Duration::from_secs(30);

pub struct Keeper {
    pub folder: TempDir,
    pub socket: PathBuf,
    pub pid: u32,
}

/// The keeper as a program of its own, built with the tests.
pub fn program() -> PathBuf {
    let this = std::env::current_exe().expect("the test's own path");
    let target = this.ancestors().nth(2).expect("target/PROFILE/deps/TEST");
    let program = target.join("examples/keeper");
    assert!(
        program.exists(),
        "{} is missing: build it with `cargo build -p flightdeck-keeper --examples`",
        program.display()
    );
    program
}

impl Keeper {
    pub fn start() -> Self {
        Self::start_idle(Duration::from_mins(1))
    }

    pub fn start_idle(idle: Duration) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("run/keeper.sock");
        let idle = idle.as_millis().to_string();
        launch(&program(), &[socket.as_os_str(), OsStr::new(&idle)], &socket, DEADLINE).expect("a keeper");
        let (requests, _events) = connect(&socket).expect("a connection");
        let pid = requests.keeper_pid();
        Self { folder, socket, pid }
    }

    pub fn client(&self) -> Client {
        Client::new(&self.socket)
    }

    pub fn log_dir(&self, id: &str) -> PathBuf {
        self.folder.path().join("logs").join(id)
    }

    /// A terminal that runs `script` in sh.
    pub fn pty(&self, id: &str, script: &str) -> SpawnSpec {
        self.spec(id, &["sh", "-c", script], Output::Pty(Size::default()))
    }

    pub fn pipes(&self, id: &str, script: &str) -> SpawnSpec {
        self.spec(id, &["sh", "-c", script], Output::Pipes)
    }

    pub fn spec(&self, id: &str, argv: &[&str], output: Output) -> SpawnSpec {
        SpawnSpec {
            id: session(id),
            argv: argv.iter().map(|part| OsBytes::from(*part)).collect(),
            arg0: None,
            env: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into()), ("TERM".into(), "xterm".into())],
            cwd: self.folder.path().into(),
            output,
            log_dir: self.log_dir(id).into(),
            limits: LogLimits::default(),
            sandbox: None,
        }
    }

    pub fn log(&self, id: &str) -> Vec<u8> {
        read_log(&self.log_dir(id))
    }

    pub fn text(&self, id: &str) -> String {
        String::from_utf8_lossy(&self.log(id)).into_owned()
    }

    pub fn is_alive(&self) -> bool {
        is_alive(self.pid)
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        if let Ok((requests, mut events)) = connect(&self.socket) {
            let pump = thread::spawn(move || while events.next(None).is_ok() {});
            let _ended = requests.shutdown();
            let _ended = pump.join();
        }
    }
}

pub fn session(id: &str) -> SessionId {
    SessionId::new(id).expect("a valid id")
}

/// A process that exists and is not a zombie.
pub fn is_alive(pid: u32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return false;
    };
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

/// The segments of a log, oldest first.
pub fn segments(log_dir: &Path) -> Vec<(u64, Vec<u8>)> {
    let mut bases: Vec<u64> = fs::read_dir(log_dir)
        .map(|entries| entries.flatten().filter_map(|e| layout::parse_segment_name(&e.file_name())).collect())
        .unwrap_or_default();
    bases.sort_unstable();
    bases.into_iter().map(|base| (base, fs::read(layout::segment_path(log_dir, base)).unwrap_or_default())).collect()
}

pub fn read_log(log_dir: &Path) -> Vec<u8> {
    segments(log_dir).into_iter().flat_map(|(_, bytes)| bytes).collect()
}

/// Looks until `check` gives something; `state` tells what there was if it never does.
pub fn wait_for<T>(what: &str, state: impl Fn() -> String, mut check: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + DEADLINE;
    loop {
        if let Some(found) = check() {
            return found;
        }
        assert!(Instant::now() < deadline, "no {what} in {DEADLINE:?}; there was:\n{}", state());
        thread::sleep(Duration::from_millis(2));
    }
}

pub struct Client {
    pub requests: Requests,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    events: Mutex<(Vec<Event>, bool)>,
    changed: Condvar,
    leave: AtomicBool,
}

impl Drop for Client {
    fn drop(&mut self) {
        self.seen.leave.store(true, Ordering::Relaxed);
    }
}

impl Client {
    pub fn new(socket: &Path) -> Self {
        let (requests, mut events) = connect(socket).expect("a connection");
        let seen = Arc::new(Seen::default());
        let pump_seen = Arc::clone(&seen);
        thread::spawn(move || {
            loop {
                let next = events.next(Some(Duration::from_millis(20)));
                if pump_seen.leave.load(Ordering::Relaxed) {
                    return;
                }
                let mut seen = pump_seen.events.lock().expect("no panic");
                match next {
                    Ok(Some(event)) => seen.0.push(event),
                    Ok(None) => {}
                    Err(_) => seen.1 = true,
                }
                pump_seen.changed.notify_all();
                if seen.1 {
                    return;
                }
            }
        });
        Self { requests, seen }
    }

    pub fn spawn(&self, spec: &SpawnSpec) -> Child {
        let spawned = self.requests.spawn(spec).unwrap_or_else(|error| panic!("{spec:?}: {error}"));
        Child { pid: spawned.pid, master: spawned.master }
    }

    pub fn refused(&self, spec: &SpawnSpec) -> ClientError {
        self.requests.spawn(spec).expect_err("a refusal")
    }

    /// The first event, old or new, that `pick` takes.
    pub fn event<T>(&self, what: &str, pick: impl Fn(&Event) -> Option<T>) -> T {
        self.events(what, |events| events.iter().find_map(&pick))
    }

    pub fn events<T>(&self, what: &str, pick: impl Fn(&[Event]) -> Option<T>) -> T {
        let deadline = Instant::now() + DEADLINE;
        let mut seen = self.seen.events.lock().expect("no panic");
        loop {
            if let Some(found) = pick(&seen.0) {
                return found;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && !seen.1, "no {what}; closed: {}; events: {:#?}", seen.1, seen.0);
            seen = self.seen.changed.wait_timeout(seen, left).expect("no panic").0;
        }
    }

    pub fn exit(&self, id: &str) -> Exit {
        self.event(&format!("exit of {id}"), |event| match event {
            Event::Exited { id: of, exit, .. } if of.as_str() == id => Some(*exit),
            _ => None,
        })
    }

    /// Where the log ended for good.
    pub fn eof(&self, id: &str) -> u64 {
        self.event(&format!("end of {id}"), |event| match event {
            Event::Eof { id: of, end } if of.as_str() == id => Some(*end),
            _ => None,
        })
    }

    pub fn finish(&self, id: &str) -> Exit {
        self.eof(id);
        self.exit(id)
    }

    pub fn info(&self, id: &str) -> Option<SessionInfo> {
        self.requests.list().expect("a list").into_iter().find(|info| info.id.as_str() == id)
    }

    pub fn wait_closed(&self) {
        let deadline = Instant::now() + DEADLINE;
        let mut seen = self.seen.events.lock().expect("no panic");
        while !seen.1 {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "the connection is still open");
            seen = self.seen.changed.wait_timeout(seen, left).expect("no panic").0;
        }
    }
}

pub struct Child {
    pub pid: u32,
    pub master: Option<OwnedFd>,
}

impl Child {
    pub fn type_in(&self, text: &str) {
        let master = self.master.as_ref().expect("a terminal");
        assert_eq!(rustix::io::write(master, text.as_bytes()), Ok(text.len()));
    }
}
