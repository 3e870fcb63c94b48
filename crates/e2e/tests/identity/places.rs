//! Where people sit: what they type there is theirs, whatever agents run beside them.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use flightdeck_e2e::{Deck, Pty, SOON};
use serde_json::Value;

use super::shell::{self, AGENT, BuiltInShell, ORPHANS, Scene, executable};
use crate::programs::Programs;

/// What only a person may see.
const ASK: &str = "flightdeck.approval.list";

/// A script that asks for it, and where it puts the answer.
pub fn person(deck: &Deck, name: &str) -> (PathBuf, PathBuf) {
    let (script, answer) = (deck.workspace().join(name), deck.workspace().join(format!("{name}.json")));
    let binary = deck.command(&[]).get_program().to_str().unwrap().to_owned();
    let out = answer.display();
    executable(&script, &format!("{binary} call {ASK} '{{}}' >{out}.new 2>{out}.err\nmv {out}.new {out}"));
    (script, answer)
}

fn answer(deck: &Deck, path: &Path) -> Value {
    let text = deck.wait_until(&format!("{}", path.display()), SOON, || fs::read_to_string(path).ok());
    serde_json::from_str(&text).unwrap_or(Value::Null)
}

#[track_caller]
pub fn is_person(deck: &Deck, path: &Path, place: &str) {
    let answer = answer(deck, path);
    assert!(answer["approvals"].is_array() || answer["data"]["approvals"].is_array(), "{place}: {answer}");
}

#[track_caller]
pub fn is_refused(deck: &Deck, path: &Path, place: &str) {
    assert_eq!(answer(deck, path)["code"], "not_allowed", "{place}");
}

/// The agent's program with its environment, in a place of its own.
fn agent_command(deck: &Deck) -> Command {
    let script = deck.workspace().join("agent.sh");
    fs::write(&script, AGENT).unwrap();
    let mut command = Command::new("bash");
    command.arg(script).env_clear().current_dir(deck.workspace()).envs(shell::variables(deck));
    command
}

/// A person's window, an agent in it, another window, and the first again when the agent has left.
#[test]
fn a_window_is_a_persons_before_and_after_an_agent_runs_in_it() {
    let deck = Deck::new();
    deck.start();
    agent_command(&deck);
    let mut bash = Command::new("bash");
    bash.args(["--norc", "--noprofile"]).env_clear().current_dir(deck.workspace()).envs(shell::variables(&deck));
    let (mut window, mut other) = (Pty::start(&bash, 24, 80), Pty::start(&bash, 24, 80));
    let ask = |window: &mut Pty, name: &str| {
        let (script, found) = person(&deck, name);
        window.type_in(format!("{}\n", script.display()).as_bytes());
        is_person(&deck, &found, name);
    };
    ask(&mut window, "before");
    window.type_in(b"bash agent.sh\n");
    window.wait_for("ready");
    ask(&mut other, "beside");
    // Suspended, it is still there.
    window.type_in(b"\x1a");
    window.wait_for("Stopped");
    ask(&mut window, "above");
    window.type_in(b"fg\n");
    window.type_in(b"leave\n");
    window.wait_for("left");
    window.type_in(b"\x04");
    ask(&mut window, "after");
    for window in [&mut window, &mut other] {
        window.type_in(b"exit\n");
        window.exit_code(Duration::from_secs(30));
    }
}

/// A tmux server, which ends with this.
pub struct Tmux {
    socket: PathBuf,
}

impl Tmux {
    pub fn of(deck: &Deck, name: &str) -> Self {
        Tmux { socket: deck.workspace().join(name) }
    }

    /// Opens a window that runs a script.
    pub fn open(&self, deck: &Deck, what: &[&str], script: &Path) {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(&self.socket).args(["-f", "/dev/null"]).args(what).arg(script);
        command.env_clear().envs(shell::variables(deck)).current_dir(deck.workspace());
        assert!(command.status().unwrap().success());
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = Command::new("tmux").arg("-S").arg(&self.socket).arg("kill-server").output();
    }
}

/// Waits until what starts now starts later, by the clock of processes.
fn next_tick(deck: &Deck) {
    let uptime = || fs::read_to_string("/proc/uptime").unwrap().split(' ').next().unwrap().to_owned();
    let mut seen = vec![uptime()];
    deck.wait_until("the clock goes on", SOON, || {
        if seen.last() != Some(&uptime()) {
            seen.push(uptime());
        }
        (seen.len() > 2).then_some(())
    });
}

#[test]
fn a_tmux_is_whose_it_was_started_by() {
    let deck = Deck::new();
    deck.start();
    let tmux = Tmux::of(&deck, "mine.tmux");
    let hold = deck.workspace().join("hold");
    executable(&hold, "exec sleep 1000");
    tmux.open(&deck, &["new-session", "-d"], &hold);
    next_tick(&deck);
    let mut agent = BuiltInShell::start(&deck);
    let (script, found) = person(&deck, "pane");
    tmux.open(&deck, &["new-window", "-d"], &script);
    is_person(&deck, &found, "a pane of the person's own tmux");

    let (script, found) = person(&deck, "agents-pane");
    let theirs = Tmux::of(&deck, "theirs.tmux");
    let start = deck.workspace().join("start-tmux");
    let line = format!("tmux -S {} -f /dev/null new-session -d {}", theirs.socket.display(), script.display());
    executable(&start, &line);
    agent.run(&start);
    is_refused(&deck, &found, "a tmux that the agent has started");
}

/// What stands in the place of `systemd --user`: it gets the orphans, and starts a program of which each line is a window.
const SESSION: &str = r#"
import ctypes, os, subprocess, sys
libc = ctypes.CDLL(None)
assert libc.prctl(36, 1, 0, 0, 0) == 0  # PR_SET_CHILD_SUBREAPER
assert libc.prctl(15, b"systemd", 0, 0, 0) == 0  # PR_SET_NAME
server = subprocess.Popen(["bash", "-c", 'while read -r line; do eval "$line" & done; wait'])
while True:
    try:
        ended, _ = os.wait()
    except ChildProcessError:
        break
"#;

/// A session of a person's. It ends with its standard input.
struct Session {
    child: Child,
}

impl Session {
    fn start(deck: &Deck) -> Self {
        let python = Programs::installed().folder.join("python/bin/python");
        let script = deck.workspace().join("session.py");
        fs::write(&script, SESSION).unwrap();
        let mut command = Command::new(python);
        command.arg(script).env_clear().envs(shell::variables(deck)).current_dir(deck.workspace());
        Session { child: command.stdin(Stdio::piped()).spawn().unwrap() }
    }

    fn opens(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// A window with a terminal of its own.
    fn window(&mut self, script: &Path) {
        self.opens(&format!("script -qec {} /dev/null </dev/null >/dev/null", script.display()));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// A desktop or a systemd user terminal: a service of the session starts windows, and the session gets what they leave
/// behind.
#[test]
fn windows_of_a_session_are_a_persons_and_what_an_agent_left_to_it_is_not() {
    let deck = Deck::new();
    deck.start();
    let mut session = Session::start(&deck);
    let (script, found) = person(&deck, "first-window");
    session.window(&script);
    is_person(&deck, &found, "a window before there was an agent");

    agent_command(&deck);
    let scene = Scene::new(&deck, 0, ORPHANS[1], &fs::read_to_string(&person(&deck, "orphan").0).unwrap(), true);
    let (hold, gone) = (deck.workspace().join("lines"), deck.workspace().join("gone"));
    fs::write(&hold, format!("{}\n", scene.outer.display())).unwrap();
    session.opens(&format!("bash agent.sh <{} >agent.out; mv agent.out {}", hold.display(), gone.display()));
    let (script, found) = person(&deck, "second-window");
    session.window(&script);
    is_person(&deck, &found, "a window beside the agent");
    let said = deck.wait_until("the agent has left", SOON, || fs::read_to_string(&gone).ok());
    assert_eq!(said, "ready\nran\n");
    let (script, found) = person(&deck, "third-window");
    session.window(&script);
    is_person(&deck, &found, "a window after the agent");
    scene.open();
    scene.said(&deck, "the orphan");
    is_refused(&deck, &deck.workspace().join("orphan.json"), "what the agent has left to the session");
}

/// An editor: one process runs its extensions, of which one is an agent, and another one its terminals. Each line says for
/// which of them the rest is.
const EDITOR: &str = r#"
mkfifo extensions.in terminals.in
bash agent.sh <extensions.in >extensions.out &
(while read -r line; do script -qec "$line" /dev/null </dev/null >/dev/null; done) <terminals.in &
exec 3>extensions.in 4>terminals.in
while read -r to line; do
    case $to in
    extensions) echo "$line" >&3 ;;
    terminals) echo "$line" >&4 ;;
    esac
done
exec 3>&- 4>&-
wait
"#;

#[test]
fn the_terminals_of_an_editor_are_a_persons_and_what_its_extensions_start_is_not() {
    let deck = Deck::new();
    deck.start();
    agent_command(&deck);
    fs::write(deck.workspace().join("editor.sh"), EDITOR).unwrap();
    let mut command = Command::new("bash");
    command.arg("editor.sh").env_clear().envs(shell::variables(&deck)).current_dir(deck.workspace());
    let mut editor = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut tell = |line: String| writeln!(editor.stdin.as_mut().unwrap(), "{line}").unwrap();
    let said = || fs::read_to_string(deck.workspace().join("extensions.out")).unwrap_or_default();
    let has_said = |word: &str| deck.wait_until(word, SOON, || said().lines().any(|line| line == word).then_some(()));
    has_said("ready");
    for (round, word) in [("beside", "ran"), ("after", "left")] {
        let (script, found) = person(&deck, &format!("terminal-{round}"));
        tell(format!("terminals {}", script.display()));
        is_person(&deck, &found, &format!("a terminal {round} an agent among the extensions"));
        let (script, found) = person(&deck, &format!("extension-{round}"));
        tell(format!("extensions {}", script.display()));
        is_refused(&deck, &found, &format!("what the extensions start {round}"));
        if word == "ran" {
            tell("extensions leave".to_owned());
            has_said("left");
        }
    }
    drop(editor.stdin.take());
    editor.wait().unwrap();
}
