//! What goes wrong with tmux and is put right by itself, or told.

use std::fs;
use std::time::{Duration, Instant};

use flightdeck_e2e::{Agent, Deck, SOON, processes};
use rustix::process::Signal;
use serde_json::json;

use super::windows::{server, socket, tmux};
use super::{Backend, call, listed, ok, refused, run, tab};

#[test]
fn a_window_that_a_hub_could_not_note_is_closed_by_the_next() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    let (lost, kept) = (tab(&mut agent, "lost"), tab(&mut agent, "kept"));
    run(&mut agent, &kept, "X=carried");
    // A window of a person's own, in the same session.
    tmux(&deck, &["new-window", "-d", "-t", "=flightdeck:", "-n", "persons"]);
    drop(agent);
    let noted = deck.terminal_dir("t1").join("window");
    // As a hub leaves it that is killed after it has made the window.
    let no_hub = deck.lose_hub();
    fs::remove_file(noted).unwrap();
    drop(no_hub);
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(listed(&mut agent).0, [(kept.clone(), "kept".to_owned())]);
    let windows = tmux(&deck, &["list-windows", "-a", "-F", "#{window_id} #{window_name}"]);
    assert!(!windows.contains(&lost) && windows.contains("persons") && windows.contains("kept"), "{windows}");
    deck.nothing_left_of("t1");
    assert_eq!(run(&mut agent, &kept, "echo $X").0, "carried\n");
}

/// A person takes the output of a tab for themselves, and the hub has seen it.
fn pipe_elsewhere(deck: &Deck, id: &str) {
    let copy = deck.home().join("copy");
    let log = deck.terminal_dir("t1").join("../../hub.log");
    tmux(deck, &["pipe-pane", "-O", "-t", id, &format!("exec cat > {}", copy.display())]);
    deck.wait_until("it is noted", SOON, || {
        fs::read_to_string(&log).unwrap_or_default().contains("its output goes elsewhere").then_some(())
    });
}

#[test]
fn output_that_a_person_pipes_elsewhere_is_told_and_taken_up_when_that_ends() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "true");
    pipe_elsewhere(&deck, &id);
    let error = refused(&mut agent, "execute_command", &json!({ "window_id": id, "command": "true" }), "tmux_failed");
    assert!(error["hint"].as_str().unwrap().contains(&format!("pipe-pane -t {id}")), "{error}");
    // Nothing else happens in the hub that would make it look.
    tmux(&deck, &["pipe-pane", "-t", &id]);
    deck.wait_until("it is logged again", SOON, || {
        (tmux(&deck, &["display-message", "-p", "-t", &id, "#{pane_pipe}"]) == "1\n").then_some(())
    });
    // The pipe is there a moment before the hub knows that it is.
    let echo = json!({ "window_id": id, "command": "echo hi", "strip_ansi": true });
    let ran = deck.wait_until("it is listened to", SOON, || {
        Some(call(&mut agent, "execute_command", &echo)).filter(|answer| !answer.is_error)
    });
    assert_eq!(ran.object["output"], "hi\n");
}

#[test]
fn a_window_that_could_not_be_closed_is_closed_later() {
    /// Longer than the hub waits for an answer.
    const HANGS: Duration = Duration::from_secs(12);
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "true");
    // So that it does not go by itself.
    tmux(&deck, &["set-option", "-w", "-t", &id, "remain-on-exit", "on"]);
    pipe_elsewhere(&deck, &id);
    let server = server(&deck);
    processes::signal(server, Signal::STOP);
    ok(&mut agent, "close_tab", &json!({ "window_id": id }));
    let closed = Instant::now();
    deck.wait_until("the first try is given up", SOON, || (closed.elapsed() > HANGS).then_some(()));
    processes::signal(server, Signal::CONT);
    deck.wait_until("the window is closed", SOON, || {
        (!tmux(&deck, &["list-windows", "-a", "-F", "#{window_id}"]).lines().any(|line| line == id)).then_some(())
    });
}

#[test]
fn everything_is_ended_by_a_hub_that_finds_no_tmux() {
    let deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "codex");
    tab(&mut agent, "t");
    let (server, socket) = (server(&deck), socket(&deck));
    drop(agent);
    deck.cli(&["stop"]).expect(0);
    deck.invoke(&["restart"]).env("PATH", "/nowhere").run().expect(0);
    deck.cli(&["stop", "--all"]).expect(0);
    assert!(!processes::is_alive(server) && !socket.exists());
    deck.start();
    deck.nothing_left_of("t1");
}
