//! What only tmux has: a server and windows that people and accidents reach. Each ends in a right state and an honest
//! answer, and nothing is left behind.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use flightdeck_e2e::{Agent, Deck, SOON, processes};
use rustix::process::Signal;
use serde_json::json;

use super::{Backend, answer, call, in_log, listed, ok, refused, run, tab};

/// The socket of the hub's tmux server.
pub(super) fn socket(deck: &Deck) -> PathBuf {
    PathBuf::from(deck.status()["socket"].as_str().unwrap()).with_file_name("tmux")
}

/// What a person would call in another window.
#[track_caller]
pub(super) fn tmux(deck: &Deck, args: &[&str]) -> String {
    let output = Command::new("tmux").arg("-S").arg(socket(deck)).args(args).env_remove("TMUX").output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

pub(super) fn server(deck: &Deck) -> u32 {
    tmux(deck, &["display-message", "-p", "#{pid}"]).trim().parse().unwrap()
}

#[test]
fn a_server_of_its_own_is_started_with_the_first_tab_and_holds_a_window_for_each() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(listed(&mut agent).0, []);
    assert!(!socket(&deck).exists(), "no tab, no tmux");
    assert_eq!(deck.status()["tabs"]["backend"], "tmux");
    // A name that would run a command where tmux expands formats.
    let id = tab(&mut agent, "web #(touch ran) #S;");
    let mode = fs::metadata(socket(&deck)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let windows =
        tmux(&deck, &["list-windows", "-a", "-F", "#{session_name} #{window_id} #{@flightdeck} #{window_name}"]);
    assert_eq!(windows, format!("flightdeck @0  home\nflightdeck {id} t1 web #(touch ran) #S;\n"));
    assert!(!deck.workspace().join("ran").exists());
    let home = tmux(&deck, &["capture-pane", "-p", "-t", "flightdeck:home"]);
    assert!(home.contains("belongs to Flightdeck"), "{home}");
    ok(&mut agent, "close_tab", &json!({ "window_id": id }));
    deck.wait_until("the window is gone", SOON, || {
        (tmux(&deck, &["list-windows", "-a", "-F", "#{window_id}"]) == "@0\n").then_some(())
    });
}

/// A tmux server of the user, which ends with the test.
struct Own(PathBuf);

impl Own {
    #[track_caller]
    fn call(&self, args: &[&str]) -> String {
        let output = self.command(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(&self.0).args(args).env_clear().env("PATH", "/usr/bin:/bin");
        command
    }

    fn state(&self) -> [String; 6] {
        [
            &["list-windows", "-a", "-F", "#{session_name} #{window_id} #{window_name} #{pane_pipe} #{pane_pid}"],
            &["show-options", "-g"] as &[&str],
            &["show-options", "-s"],
            &["show-options", "-wg"],
            &["list-clients"],
            &["list-buffers"],
        ]
        .map(|args| self.call(args))
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        let _gone = self.command(&["kill-server"]).status();
    }
}

#[test]
fn the_users_own_tmux_is_left_alone() {
    let deck = Backend::Tmux.deck();
    let own = Own(deck.home().join("own"));
    own.call(&["-f", "/dev/null", "new-session", "-d", "-s", "mine", "-n", "work", "sleep 1000"]);
    let before = own.state();
    assert!(before[0].starts_with("mine @0 work 0 "), "{before:?}");
    // The hub is started from inside of it, as it is when a person works in tmux.
    let inside = format!("{},1,0", own.0.display());
    deck.invoke(&["restart"]).env("TMUX", &inside).env("TMUX_PANE", "%0").run().expect(0);
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    assert_eq!(run(&mut agent, &id, "echo hi; echo ${TMUX-none}").0, "hi\nnone\n");
    drop(agent);
    deck.cli(&["stop", "--all"]).expect(0);
    assert_eq!(own.state(), before);
}

/// The parent of a process.
fn parent(pid: u32) -> u32 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit_once(')').unwrap().1.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn the_server_is_a_child_of_the_keeper() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    tab(&mut agent, "t");
    let server = server(&deck);
    assert_eq!(parent(server), deck.keeper_pid());
    // The hub's end is none of its business.
    deck.cli(&["stop"]).expect(0);
    assert!(processes::is_alive(server));
    deck.cli(&["ls"]).expect(0);
    deck.cli(&["stop", "--all"]).expect(0);
    deck.wait_until("the server is gone", SOON, || (!processes::is_alive(server)).then_some(()));
}

#[test]
fn a_session_that_a_person_closes_is_made_again() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    tab(&mut agent, "t");
    let before = server(&deck);
    tmux(&deck, &["kill-session", "-t", "=flightdeck"]);
    deck.wait_until("the tab has ended", SOON, || listed(&mut agent).0.is_empty().then_some(()));
    let next = tab(&mut agent, "next");
    assert_eq!(run(&mut agent, &next, "echo again").0, "again\n");
    assert_eq!(server(&deck), before);
}

#[test]
fn tabs_live_on_under_a_hub_that_finds_no_tmux() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "X=carried");
    // Its bridge would start a hub as it was.
    drop(agent);
    deck.cli(&["stop"]).expect(0);
    deck.invoke(&["restart"]).env("PATH", "/nowhere").run().expect(0);
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(listed(&mut agent).0.len(), 1);
    drop(agent);
    deck.cli(&["stop"]).expect(0);
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(run(&mut agent, &id, "echo $X").0, "carried\n");
}

#[test]
fn a_killed_server_ends_its_tabs_and_the_next_tab_starts_another() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "echo before");
    processes::signal(server(&deck), Signal::KILL);
    deck.wait_until("the tab has ended", SOON, || listed(&mut agent).0.is_empty().then_some(()));
    refused(&mut agent, "execute_command", &json!({ "window_id": id, "command": "true" }), "terminal_ended");
    in_log(&deck, &mut agent, &id, "before\n");
    deck.nothing_left_of("t1");
    // A new server counts from zero, and numbers are never used twice all the same.
    let next = tab(&mut agent, "next");
    assert_ne!(next, id);
    assert_eq!(run(&mut agent, &next, "echo after").0, "after\n");
}

#[test]
fn numbers_are_not_used_again_by_a_later_server() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    let first: Vec<_> = (0..3).map(|n| tab(&mut agent, &n.to_string())).collect();
    drop(agent);
    deck.cli(&["stop", "--all"]).expect(0);
    let mut agent = Agent::new(&deck, "codex");
    let next = tab(&mut agent, "next");
    assert!(!first.contains(&next), "{next} of {first:?}");
    assert_eq!(run(&mut agent, &next, "echo next").0, "next\n");
    // What was set changes for new tabs; the others stay where they are.
    fs::write(deck.home().join(".config/flightdeck/settings.toml"), "[tabs]\nbackend = \"pty\"\n").unwrap();
    deck.cli(&["restart"]).expect(0);
    assert_eq!(run(&mut agent, &next, "echo still there").0, "still there\n");
    let plain = tab(&mut agent, "plain");
    assert!(!first.contains(&plain) && plain != next, "{plain}");
    assert_eq!(tmux(&deck, &["list-windows", "-a", "-F", "#{window_id}"]).lines().count(), 2);
    assert_eq!(run(&mut agent, &plain, "echo on a pty").0, "on a pty\n");
}

#[test]
fn a_killed_keeper_loses_no_tab() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    let (id, web) = (tab(&mut agent, "t"), tab(&mut agent, "web"));
    run(&mut agent, &id, "X=carried");
    let serve = json!({ "window_id": web, "command": "while sleep 0.05; do echo tick $((++X)); done" });
    ok(&mut agent, "start_process", &serve);
    in_log(&deck, &mut agent, &web, "tick 2\n");
    let (keeper, hub) = (deck.keeper_pid(), deck.hub_pid());
    processes::signal(keeper, Signal::KILL);
    deck.wait_until("the hub has noticed", SOON, || (!processes::is_alive(hub)).then_some(()));
    deck.wait_until("the tab can be used", SOON, || {
        let ran = call(&mut agent, "execute_command", &json!({ "window_id": id, "command": "echo $X" }));
        (!ran.is_error && ran.object["output"] == "carried\n").then_some(())
    });
    assert_eq!(listed(&mut agent).0.len(), 2);
    let now = in_log(&deck, &mut agent, &web, "tick").matches("tick").count();
    deck.wait_until("its log goes on", SOON, || {
        (in_log(&deck, &mut agent, &web, "tick").matches("tick").count() > now).then_some(())
    });
    assert_eq!(ok(&mut agent, "stop_process", &json!({ "window_id": web }))["success"], true);
}

#[test]
fn a_window_that_a_person_closes_is_a_closed_tab() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    let (id, other) = (tab(&mut agent, "t"), tab(&mut agent, "other"));
    run(&mut agent, &id, "echo before");
    tmux(&deck, &["kill-window", "-t", &id]);
    deck.wait_until("the tab has ended", SOON, || (listed(&mut agent).0.len() == 1).then_some(()));
    refused(&mut agent, "execute_command", &json!({ "window_id": id, "command": "true" }), "terminal_ended");
    in_log(&deck, &mut agent, &id, "before\n");
    deck.nothing_left_of("t1");
    assert_eq!(run(&mut agent, &other, "echo untouched").0, "untouched\n");
}

#[test]
fn a_command_whose_window_is_closed_says_why_it_has_no_end() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "true");
    let args = json!({ "window_id": id, "command": "sh -c 'echo begun; sleep 1000'", "timeout_ms": 600_000 });
    let waiting = agent.begin("execute_command", &args);
    in_log(&deck, &mut agent, &id, "\nbegun\n");
    // All of it at once, so that nobody is left to note an exit code.
    let server: u32 = tmux(&deck, &["display-message", "-p", "#{pid}"]).trim().parse().unwrap();
    let holder: u32 = tmux(&deck, &["display-message", "-p", "-t", &id, "#{pane_pid}"]).trim().parse().unwrap();
    flightdeck_e2e::processes::signal(holder, rustix::process::Signal::KILL);
    flightdeck_e2e::processes::signal(server, rustix::process::Signal::KILL);
    let ended = answer(&mut agent, waiting);
    let told = format!("{ended:?}");
    assert!(told.contains("terminal_ended") && told.contains("tmux window") && !told.contains("keeper"), "{told}");
}

#[test]
fn output_that_a_person_cuts_off_is_logged_again() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "echo before");
    tmux(&deck, &["pipe-pane", "-t", &id]);
    deck.wait_until("it is piped again", SOON, || {
        (tmux(&deck, &["display-message", "-p", "-t", &id, "#{pane_pipe}"]) == "1\n").then_some(())
    });
    assert_eq!(run(&mut agent, &id, "echo after"), ("after\n".to_owned(), 0));
    let log = in_log(&deck, &mut agent, &id, "after\n");
    assert!(log.contains("before\n"), "{log}");
}

#[test]
fn a_person_who_scrolls_does_not_swallow_input() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "seq 100");
    for mode in [&["copy-mode", "-t", &id], &["clock-mode", "-t", &id]] {
        tmux(&deck, mode);
        assert_eq!(tmux(&deck, &["display-message", "-p", "-t", &id, "#{pane_in_mode}"]), "1\n");
        assert_eq!(run(&mut agent, &id, "echo typed"), ("typed\n".to_owned(), 0), "{mode:?}");
    }
}

#[test]
fn what_programs_ask_their_terminal_is_answered_once() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    // All of the first answer, and then whatever else comes.
    let ask = "stty -echo; printf '\\033[c'; IFS= read -r -t 5 -d c X; IFS= read -r -t 1 -n 20 Y; stty echo; printf '%q|%q\\n' \"$X\" \"$Y\"";
    let (output, _) = run(&mut agent, &id, ask);
    let (first, second) = output.trim_end().split_once('|').unwrap();
    assert!(first.contains("[?") && second == "''", "{output}");
    assert_eq!(run(&mut agent, &id, "echo clean").0, "clean\n");
}

#[test]
fn without_tmux_the_setting_decides() {
    for (backend, works) in [("tmux", false), ("auto", true), ("pty", true)] {
        let deck = Deck::with_tabs(backend);
        deck.invoke(&["restart"]).env("PATH", "/nowhere").run().expect(0);
        let mut agent = Agent::new(&deck, "codex");
        if works {
            let id = tab(&mut agent, "t");
            assert_eq!(run(&mut agent, &id, "echo hi").0, "hi\n", "{backend}");
            assert_eq!(deck.status()["tabs"]["backend"], "pty");
            continue;
        }
        let error = refused(&mut agent, "create_tab", &json!({}), "tmux_missing");
        assert!(error["hint"].as_str().unwrap().contains("tabs.backend"), "{error}");
        assert_eq!(listed(&mut agent).0, []);
        assert_eq!(deck.status()["tabs"]["backend"], "none");
        // It is no wider than tabs.
        deck.cli(&["run", "true"]).expect(0);
    }
}

#[test]
fn a_shell_that_ends_at_once_or_is_not_there_is_told_as_on_a_pty() {
    for (shell, code) in [("/no/such/shell", "program_not_found"), ("/etc/passwd", "program_not_executable")] {
        let deck = deck_of(shell);
        let mut agent = Agent::new(&deck, "codex");
        refused(&mut agent, "create_tab", &json!({}), code);
        assert_eq!(listed(&mut agent).0, []);
        assert_eq!(tmux(&deck, &["list-windows", "-a", "-F", "#{window_id}"]), "@0\n");
    }
    let folder = tempfile::tempdir().unwrap();
    let brief = folder.path().join("brief");
    fs::write(&brief, "#!/bin/sh\necho so long; exit 4\n").unwrap();
    fs::set_permissions(&brief, PermissionsExt::from_mode(0o755)).unwrap();
    let deck = deck_of(&brief.display().to_string());
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    assert_eq!(in_log(&deck, &mut agent, &id, "so long"), "so long\n");
    deck.wait_until("it has ended", SOON, || listed(&mut agent).0.is_empty().then_some(()));
    let ended: Vec<_> = deck.json(&["ls", "--all", "--json"]).as_array().unwrap().clone();
    assert_eq!(ended.last().unwrap()["exitCode"], 4, "{ended:?}");
}

/// A deck whose user has this shell.
fn deck_of(shell: &str) -> Deck {
    let deck = Backend::Tmux.deck();
    deck.invoke(&["restart"]).env("SHELL", shell).run().expect(0);
    deck
}
