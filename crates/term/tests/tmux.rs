//! Tabs in a real tmux with a real keeper: where their processes belong, and what is left when all ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use flightdeck_keeper::{LogLimits, SessionId, Size, connect, launch, parse_segment_name, segment_path};
use flightdeck_term::session::Session;
use flightdeck_term::tmux::{NewTab, Place, Tmux, TmuxSetup, look};
use flightdeck_term::{Program, Spawn, SpawnError, Tag, Terminals};
use tempfile::TempDir;

const DEADLINE: Duration = Duration::from_secs(30);

/// A keeper and its tmux in a folder of their own.
struct Yard {
    folder: TempDir,
    terminals: Terminals,
    tmux: Arc<Tmux>,
}

/// A program that is built with the keeper's tests.
fn example(name: &str) -> PathBuf {
    let this = std::env::current_exe().expect("the test's own path");
    let program = this.ancestors().nth(2).expect("target/PROFILE/deps/TEST").join("examples").join(name);
    let shown = program.display();
    assert!(program.exists(), "{shown} is missing: `cargo build -p flightdeck-keeper --examples` makes it");
    program
}

impl Yard {
    /// `None`, loudly, where there is no tmux.
    fn new() -> Option<Self> {
        let found = look().inspect_err(|error| eprintln!("not tested: {error}")).ok()?;
        let folder = tempfile::tempdir().expect("a folder");
        let keeper = folder.path().join("run/keeper.sock");
        launch(&example("keeper"), &[keeper.as_os_str(), "60000".as_ref()], &keeper, DEADLINE).expect("a keeper");
        let setup = TmuxSetup {
            socket: folder.path().join("run/tmux"),
            holder: example("holder"),
            root: folder.path().to_owned(),
            place: Place::Own,
        };
        let terminals = Terminals::follow(connect(&keeper).expect("a connection"), folder.path()).expect("a thread");
        Some(Yard { folder, terminals, tmux: Arc::new(Tmux::new(setup, found)) })
    }

    fn dir(&self, id: &str) -> PathBuf {
        self.folder.path().join("it's 5%d #[of] #(touch x)").join(id)
    }

    fn tab(&self, id: &str) -> Arc<Session> {
        self.tab_in(&self.tmux, id).unwrap_or_else(|error| panic!("{id}: {error}"))
    }

    fn tab_in(&self, tmux: &Arc<Tmux>, id: &str) -> Result<Arc<Session>, SpawnError> {
        self.tab_above(tmux, id, 0)
    }

    fn tab_above(&self, tmux: &Arc<Tmux>, id: &str, above: u32) -> Result<Arc<Session>, SpawnError> {
        let dir = self.dir(id);
        fs::create_dir_all(&dir).expect("a folder");
        let spawn = Spawn {
            within: None,
            id: SessionId::new(id).expect("an id"),
            program: Program::Shell { path: "/bin/sh".into(), login: false },
            cwd: self.folder.path().to_owned(),
            env: vec![("PATH".into(), "/usr/bin:/bin".into())],
            size: Size::default(),
            dir,
            tag: Tag { name: "TAG_OF_TEST", value: id.to_owned() },
            limits: LogLimits::default(),
            sandbox: None,
            starter: Arc::new(NewTab { tmux: Arc::clone(tmux), name: id.to_owned(), above, taken: Vec::new() }),
        };
        self.terminals.spawn(spawn)
    }

    fn keeper(&self) -> u32 {
        self.terminals.keeper().keeper_pid()
    }

    /// What a person would call.
    fn call(&self, args: &[&str]) {
        let socket = self.folder.path().join("run/tmux");
        let output = Command::new("tmux").arg("-S").arg(socket).args(args).env_remove("TMUX").output().expect("tmux");
        assert!(output.status.success(), "{args:?}: {output:?}");
    }

    fn type_in(&self, session: &Session, line: &str) {
        let window = format!("@{}", session.window().expect("a window"));
        self.call(&["send-keys", "-t", &window, line, "Enter"]);
    }

    fn log(&self, id: &str) -> String {
        let dir = self.dir(id);
        let names = fs::read_dir(&dir).expect("lists").flatten();
        let bases = names.filter_map(|entry| parse_segment_name(&entry.file_name()));
        let bytes: Vec<u8> = bases.flat_map(|base| fs::read(segment_path(&dir, base)).expect("reads")).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn number_in(&self, file: &str) -> u32 {
        let path = self.folder.path().join(file);
        let read = || fs::read_to_string(&path).ok()?.trim().parse().ok();
        wait_for(&format!("number in {file}"), || format!("{:?}", fs::read(&path)), read)
    }
}

impl Drop for Yard {
    fn drop(&mut self) {
        let _gone = self.terminals.keeper().shutdown();
    }
}

fn wait_for<T>(what: &str, state: impl Fn() -> String, mut check: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + DEADLINE;
    loop {
        if let Some(found) = check() {
            return found;
        }
        assert!(Instant::now() < deadline, "no {what}; there was {}", state());
        thread::sleep(Duration::from_millis(2));
    }
}

/// The parent of a process that lives.
fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    (fields.next()? != "Z").then(|| fields.next()?.parse().ok()).flatten()
}

fn descends(pid: u32, from: u32) -> bool {
    std::iter::successors(Some(pid), |pid| parent(*pid)).any(|above| above == from)
}

/// Everybody whose command line has this in it.
fn having(text: &Path) -> Vec<(u32, String)> {
    let pids =
        fs::read_dir("/proc").expect("lists").flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let lines = pids.map(|pid: u32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        (pid, String::from_utf8_lossy(&line).replace('\0', " "))
    });
    lines.filter(|(_, line)| line.contains(&*text.to_string_lossy())).collect()
}

#[test]
fn all_that_runs_in_tabs_descends_from_the_keeper_and_ends_with_it() {
    let Some(yard) = Yard::new() else { return };
    let tab = yard.tab("a");
    let server = yard.tmux.pid().expect("a server");
    assert_eq!(parent(server), Some(yard.keeper()));
    let run = fs::read_dir(yard.folder.path().join("run")).expect("lists").flatten();
    let mut names: Vec<_> = run.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| !name.starts_with("keeper"));
    assert_eq!(names, ["tmux"], "what the start needed is gone");
    yard.type_in(&tab, "setsid -f sh -c 'echo $$ >orphan; exec sleep 1000'; echo $$ >shell; echo pri''nted");
    let (shell, orphan) = (yard.number_in("shell"), yard.number_in("orphan"));
    assert_eq!(tab.leader(), Some(shell));
    for (name, pid) in [("shell", shell), ("orphan", orphan)] {
        wait_for(name, || format!("parent {:?}", parent(pid)), || descends(pid, yard.keeper()).then_some(()));
    }
    // Its holder keeps it in the tab, whatever becomes of the keeper.
    let holder = parent(shell).expect("a holder");
    wait_for("orphan in the tab", || format!("parent {:?}", parent(orphan)), || descends(orphan, holder).then_some(()));
    wait_for("output", || yard.log("a"), || yard.log("a").contains("printed").then_some(()));
    assert!(!yard.folder.path().join("x").exists(), "a path is no command");
    yard.terminals.keeper().shutdown().expect("ends");
    for (name, pid) in [("server", server), ("shell", shell), ("orphan", orphan)] {
        wait_for(&format!("end of the {name}"), || format!("{pid}"), || parent(pid).is_none().then_some(()));
    }
    let left = || having(yard.folder.path());
    wait_for("end of all", || format!("{:?}", left()), || left().is_empty().then_some(()));
}

#[test]
fn a_session_that_somebody_closed_is_made_again() {
    let Some(yard) = Yard::new() else { return };
    yard.tab("a");
    let server = yard.tmux.pid();
    yard.call(&["kill-session", "-t", "=flightdeck"]);
    assert_eq!(yard.tmux.pid(), server, "the server stays");
    let tab = yard.tab("b");
    yard.type_in(&tab, "echo pri''nted");
    wait_for("output", || yard.log("b"), || yard.log("b").contains("printed").then_some(()));
}

#[test]
fn what_tmux_says_of_a_start_that_failed_is_told() {
    let Some(yard) = Yard::new() else { return };
    let setup = TmuxSetup {
        // A folder can't be a socket.
        socket: yard.folder.path().join("run"),
        holder: example("holder"),
        root: yard.folder.path().to_owned(),
        place: Place::Own,
    };
    let tmux = Arc::new(Tmux::new(setup, yard.tmux.found().clone()));
    let text = yard.tab_in(&tmux, "a").expect_err("a failure").to_string();
    assert!(text.contains("tmux did not start: "), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn input_is_typed_or_refused_and_never_lost_in_silence() {
    let Some(yard) = Yard::new() else { return };
    let yard = Arc::new(yard);
    let tab = yard.tab("a");
    tab.write(b"stty -echo; PS1=; echo be''gun\r").await.expect("typed");
    wait_for("output", || yard.log("a"), || yard.log("a").contains("begun").then_some(()));
    // What `tmux attach -d` does to all other clients.
    let detaching = Arc::clone(&yard);
    let others = thread::spawn(move || {
        for _ in 0..30 {
            let socket = detaching.folder.path().join("run/tmux");
            let mut command = Command::new("tmux");
            command.arg("-S").arg(socket).args(["detach-client", "-s", "=flightdeck"]);
            // There may be none at this moment.
            let _none = command.env_remove("TMUX").output().expect("tmux");
        }
    });
    let mut typed = Vec::new();
    let mut number = 0;
    while !others.is_finished() || number < 20 {
        number += 1;
        if tab.write(format!("echo n{number}n\r").as_bytes()).await.is_ok() {
            typed.push(number);
        }
    }
    others.join().expect("no panic");
    assert!(!typed.is_empty());
    // The last of them may just have been detached.
    let mut tries = 0;
    while let Err(error) = tab.write(b"echo the e''nd\r").await {
        if !tab.progress().running() {
            // tmux 3.3a itself crashes now and then when a control client is detached that has commands waiting.
            eprintln!("not tested: the server is gone");
            return;
        }
        tries += 1;
        assert!(tries < 10, "{error}");
    }
    wait_for("the end", || yard.log("a"), || yard.log("a").contains("the end").then_some(()));
    let log = yard.log("a");
    for number in typed {
        assert_eq!(log.matches(&format!("n{number}n")).count(), 1, "{number} of {log}");
    }
}

#[test]
fn a_new_server_counts_on_without_a_process_for_each_number() {
    const ABOVE: u32 = 5000;
    let Some(yard) = Yard::new() else { return };
    let first_pid = Command::new("true").spawn().map(|mut child| (child.id(), child.wait())).expect("true").0;
    let began = Instant::now();
    let session = yard.tab_above(&yard.tmux, "a", ABOVE).expect("a tab");
    let took = began.elapsed();
    let last_pid = Command::new("true").spawn().map(|mut child| (child.id(), child.wait())).expect("true").0;
    println!("counting up to {ABOVE} took {} ms", took.as_millis());
    assert!(session.window().is_some_and(|number| number > ABOVE), "{:?}", session.window());
    // Others start some too.
    let started = last_pid.saturating_sub(first_pid);
    assert!(started < ABOVE / 2, "{started} processes");
    yard.type_in(&session, "tmux -S run/tmux list-windows -a -F '#{window_name}' | wc -l >windows");
    assert_eq!(yard.number_in("windows"), 2);
}
