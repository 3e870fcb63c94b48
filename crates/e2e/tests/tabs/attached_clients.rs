//! A tmux server can make the terminal of whoever is attached run a command. That is no person's doing.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use flightdeck_e2e::{Agent, Deck, SOON, try_until};

use super::attach::attached;
use super::attached_people::write_ask;
use super::{Backend, listed, tab};

/// Longer than a look at the clients holds.
const A_LOOK: Duration = Duration::from_millis(300);

/// A terminal of a person's, in which they attach to a tmux and later do something else.
struct Seat {
    child: Child,
    /// Open, or the terminal would be at its end.
    _input: ChildStdin,
}

impl Seat {
    /// Attaches to the server that this command reaches, then runs the line.
    fn take(deck: &Deck, mut tmux: Command, attach: &str, then: &str) -> Self {
        // By their processes: the server may still be about to notice that an earlier one has gone.
        let list = |tmux: &Command| {
            let mut list = Command::new("tmux");
            list.args(tmux.get_args());
            for (name, value) in tmux.get_envs() {
                list.env(name, value.unwrap_or_default());
            }
            let listed = list.args(["list-clients", "-F", "#{client_pid} #{client_tty}"]).output().unwrap();
            let listed = String::from_utf8(listed.stdout).unwrap();
            let on_terminals =
                listed.lines().filter_map(|line| line.split_once(' ').filter(|(_, tty)| !tty.is_empty()));
            on_terminals.map(|(pid, _)| pid.to_owned()).collect::<HashSet<_>>()
        };
        let before = list(&tmux);
        let mut script = Command::new("script");
        for (name, value) in tmux.get_envs() {
            script.env(name, value.unwrap_or_default());
        }
        let words: Vec<_> = tmux.get_args().map(|word| word.to_str().unwrap().to_owned()).collect();
        script.args(["-qfc", &format!("tmux {} {attach}; {then}", words.join(" ")), "/dev/null"]).env("TERM", "xterm");
        let shown = deck.home().join("seat");
        let screen = fs::File::create(&shown).unwrap();
        let mut child = script.stdin(Stdio::piped()).stdout(screen).stderr(Stdio::null()).spawn().expect("script");
        let input = child.stdin.take().unwrap();
        tmux.stdin(Stdio::null());
        let attached = try_until(SOON, || (!list(&tmux).is_subset(&before)).then_some(()));
        if attached.is_none() {
            let shown = String::from_utf8_lossy(&fs::read(shown).unwrap()).into_owned();
            let (ended, sessions) = (child.try_wait(), tmux.arg("list-sessions").output());
            panic!("no client is attached; {ended:?}, {shown:?}, {sessions:?}\n{}", deck.dump());
        }
        // As any caller makes the hub look.
        let began = Instant::now();
        deck.wait_until("the hub has looked", SOON, || {
            deck.cli(&["ls"]).expect(0);
            (began.elapsed() > A_LOOK).then_some(())
        });
        Seat { child, _input: input }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        // The window is closed. No key is typed: a client that was only locked is back by now, and the session would get it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the script that asks was told.
fn told(deck: &Deck, how: &str) -> String {
    let answer = deck.workspace().join("answer");
    let said = deck.wait_until(how, SOON, || fs::read_to_string(&answer).ok());
    fs::remove_file(&answer).unwrap();
    said
}

#[track_caller]
fn refused(deck: &Deck, how: &str) {
    let said = told(deck, how);
    for command in ["flightdeck.policy.add", "flightdeck.approval.list"] {
        assert!(said.contains(&format!("{command} is for people only")), "{how}: {said}");
    }
}

fn script(deck: &Deck) -> String {
    let script = deck.workspace().join("ask");
    write_ask(deck, &script);
    script.display().to_string()
}

#[test]
fn what_a_server_lets_its_clients_run_is_no_persons() {
    let (deck, user) = attached();
    let mut agent = Agent::new(&deck, "codex");
    listed(&mut agent);
    let ask = script(&deck);
    let seat = Seat::take(&deck, user.command(), "attach -t mine", "true");
    user.tmux(&["detach-client", "-s", "mine", "-E", &ask]);
    refused(&deck, "detach-client -E");
    drop(seat);
    let seat = Seat::take(&deck, user.command(), "attach -t mine", "true");
    user.tmux(&["set-option", "-t", "mine", "lock-command", &ask, ";", "lock-session", "-t", "mine"]);
    refused(&deck, "lock-command");
    drop(seat);
    // The person leaves it, and goes on in the same terminal.
    let seat = Seat::take(&deck, user.command(), "attach -t mine", &ask);
    user.tmux(&["detach-client", "-s", "mine"]);
    let said = told(&deck, "a person after detaching");
    assert!(!said.contains("for people only"), "{said}");
    drop(seat);
}

#[test]
fn nor_what_our_own_server_lets_them_run() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    tab(&mut agent, "t");
    let ask = script(&deck);
    let socket = Path::new(deck.status()["socket"].as_str().unwrap()).with_file_name("tmux");
    let tmux = || {
        let mut tmux = Command::new("tmux");
        tmux.env("PATH", "/usr/bin:/bin").env("SHELL", "/bin/sh").env_remove("TMUX").arg("-S").arg(&socket);
        tmux
    };
    let call = |args: &[&str]| {
        let done = tmux().args(args).output().unwrap();
        assert!(done.status.success(), "{args:?}: {done:?}");
    };
    let seat = Seat::take(&deck, tmux(), "attach -t flightdeck", "true");
    call(&["detach-client", "-s", "flightdeck", "-E", &ask]);
    refused(&deck, "detach-client -E");
    drop(seat);
}
