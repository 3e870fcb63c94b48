//! What may become of the user's tmux server, session and windows while a hub is attached, and after it was.

use std::fs;
use std::time::{Duration, Instant};

use flightdeck_e2e::{Agent, Deck, SOON, processes};
use rustix::process::Signal;
use serde_json::json;

use super::attach::{User, attached, hand_over};
use super::attached_people::write_ask;
use super::{call, in_log, listed, ok, refused, run, tab};

/// The tabs without their names.
fn ids(agent: &mut Agent) -> Vec<String> {
    listed(agent).0.into_iter().map(|(id, _)| id).collect()
}

fn says(user: &User, window: &str, text: &str) {
    user.tmux(&["send-keys", "-t", window, &format!("echo {text}"), "Enter"]);
}

/// What a script in the user's tmux is told that asks for what only people may have.
fn told(deck: &Deck, user: &User, socket: &str) -> String {
    let (script, answer) = (deck.workspace().join("ask"), deck.workspace().join("answer"));
    write_ask(deck, &script);
    // Without a word of where it comes from.
    let line = format!("exec env -i {}", script.display());
    user.tmux(&["-S", socket, "new-window", "-d", "-t", "mine:", &line]);
    let said = deck.wait_until("an answer", SOON, || fs::read_to_string(&answer).ok());
    fs::remove_file(&answer).unwrap();
    said
}

#[test]
fn a_server_that_is_stopped_stops_nobody_else() {
    let (deck, user) = attached();
    let mut agent = Agent::new(&deck, "codex");
    listed(&mut agent);
    says(&user, "@0", "before");
    in_log(&deck, &mut agent, "@0", "\nbefore\n");
    let server = user.server();
    processes::signal(server, Signal::STOP);
    // More than can wait at its socket.
    for _ in 0..300 {
        deck.socket().call("flightdeck.terminal.list", json!({})).unwrap();
    }
    let began = Instant::now();
    in_log(&deck, &mut agent, "@0", "\nbefore\n");
    deck.cli(&["approve", "--list"]).expect(0);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    processes::signal(server, Signal::CONT);
    says(&user, "@0", "after");
    in_log(&deck, &mut agent, "@0", "\nafter\n");
}

#[test]
fn a_server_counts_by_its_process_and_until_it_ends() {
    let (deck, user) = attached();
    let mut agent = Agent::new(&deck, "codex");
    listed(&mut agent);
    let (socket, moved) = (user.socket(), user.folder.join("moved"));
    fs::rename(&socket, &moved).unwrap();
    let said = told(&deck, &user, moved.to_str().unwrap());
    assert!(said.contains("flightdeck.policy.add is for people only"), "{said}");
    fs::rename(&moved, &socket).unwrap();
    drop(agent);
    // Also for a hub that is not attached to it any more.
    deck.cli(&["stop", "--all"]).expect(0);
    deck.settings("");
    deck.start();
    let said = told(&deck, &user, socket.to_str().unwrap());
    assert!(said.contains("flightdeck.policy.add is for people only"), "{said}");
    user.tmux(&["kill-server"]);
    deck.wait_until("the server is gone", SOON, || {
        (!user.command().arg("list-sessions").output().unwrap().status.success()).then_some(())
    });
    // Not in the background: of what has lost its parent nobody could tell that the agent has not left it behind.
    let mut server = user.command().args(["-f", "/dev/null", "-D"]).spawn().unwrap();
    deck.wait_until("a server of the person's", SOON, || {
        // It starts no server itself when that one does not listen yet.
        let made = user.command().args(["-N", "new-session", "-d", "-s", "mine"]).output().unwrap();
        made.status.success().then_some(())
    });
    let said = told(&deck, &user, socket.to_str().unwrap());
    user.tmux(&["kill-server"]);
    server.wait().unwrap();
    assert!(!said.contains("for people only"), "{said}");
}

#[test]
fn a_hub_that_is_not_attached_leaves_the_users_windows() {
    let (deck, user) = attached();
    let mut agent = Agent::new(&deck, "codex");
    listed(&mut agent);
    hand_over(&deck, "work");
    assert_eq!(run(&mut agent, "@0", "echo hi").0, "hi\n");
    let id = tab(&mut agent, "agents");
    deck.settings("");
    deck.cli(&["restart"]).expect(0);
    // What was opened for agents stays theirs.
    assert_eq!(ids(&mut agent), [id.as_str()]);
    assert!(!user.is_piped("@0"));
    refused(&mut agent, "execute_command", &json!({ "window_id": "@0", "command": "true" }), "terminal_ended");
    says(&user, "@0", "secret");
    deck.wait_until("it is printed", SOON, || {
        user.tmux(&["capture-pane", "-p", "-t", "@0"]).contains("\nsecret\n").then_some(())
    });
    let read = ok(&mut agent, "read_logs_from_tab", &json!({ "window_id": "@0" }));
    assert!(!read["content"].as_str().unwrap().contains("secret"), "{read}");
    assert_eq!(run(&mut agent, &id, "echo still").0, "still\n");
}

#[test]
fn a_session_may_be_renamed_and_a_window_moved_out_of_it() {
    let (deck, user) = attached();
    user.tmux(&["new-window", "-d", "-t", "mine:", "-n", "other"]);
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(ids(&mut agent), ["@0", "@1"]);
    user.tmux(&["rename-session", "-t", "mine", "renamed"]);
    assert_eq!(ids(&mut agent), ["@0", "@1"]);
    let id = tab(&mut agent, "t");
    assert_eq!(run(&mut agent, &id, "echo hi").0, "hi\n");
    user.tmux(&["new-session", "-d", "-s", "private"]);
    user.tmux(&["move-window", "-s", "@1", "-t", "private:"]);
    // Without a call: it is taken away from agents by that alone.
    deck.wait_until("its pipe is off", SOON, || (!user.is_piped("@1")).then_some(()));
    deck.wait_until("it has ended", SOON, || (ids(&mut agent) == ["@0", id.as_str()]).then_some(()));
    says(&user, "@1", "private-now");
    deck.wait_until("it is printed", SOON, || {
        user.tmux(&["capture-pane", "-p", "-t", "@1"]).contains("\nprivate-now\n").then_some(())
    });
    let read = call(&mut agent, "read_logs_from_tab", &json!({ "window_id": "@1" }));
    assert!(!read.object.to_string().contains("private-now"), "{read:?}");
}

#[test]
fn a_pane_with_a_new_shell_is_heard_and_left_as_it_was() {
    let (deck, user) = attached();
    let mut agent = Agent::new(&deck, "codex");
    listed(&mut agent);
    for text in ["one", "two"] {
        user.tmux(&["respawn-pane", "-k", "-t", "@0"]);
        user.at_prompt(&deck, "@0");
        deck.wait_until("the new shell is heard", SOON, || {
            listed(&mut agent);
            says(&user, "@0", text);
            let read = call(&mut agent, "read_logs_from_tab", &json!({ "window_id": "@0", "strip_ansi": true }));
            read.object["content"].as_str().is_some_and(|log| log.contains(&format!("\n{text}\n"))).then_some(())
        });
    }
    drop(agent);
    deck.cli(&["stop", "--all"]).expect(0);
    assert!(!user.is_piped("@0"));
}

#[test]
fn nothing_is_typed_into_panes_that_are_synchronized() {
    let (deck, user) = attached();
    user.tmux(&["split-window", "-d", "-t", "@0"]);
    user.tmux(&["set-option", "-w", "-t", "@0", "synchronize-panes", "on"]);
    let mut agent = Agent::new(&deck, "codex");
    listed(&mut agent);
    hand_over(&deck, "work");
    let ran = deck.workspace().join("ran");
    for tool in ["execute_command", "start_process"] {
        let args = json!({ "window_id": "@0", "command": format!("touch {}", ran.display()) });
        let error = refused(&mut agent, tool, &args, "terminal_busy");
        assert!(error["error"].as_str().unwrap().contains("synchronize-panes"), "{error}");
    }
    user.tmux(&["set-option", "-w", "-t", "@0", "synchronize-panes", "off"]);
    assert_eq!(run(&mut agent, "@0", "echo alone").0, "alone\n");
    assert!(!ran.exists());
}

#[test]
fn the_users_key_for_a_pipe_works() {
    let (deck, user) = attached();
    let mut agent = Agent::new(&deck, "codex");
    listed(&mut agent);
    let copy = user.folder.join("copy");
    let press = || user.tmux(&["pipe-pane", "-o", "-t", "@0", &format!("exec cat >>{}", copy.display())]);
    press();
    deck.wait_until("it is noticed", SOON, || {
        call(&mut agent, "execute_command", &json!({ "window_id": "@0", "command": "true" })).is_error.then_some(())
    });
    assert!(!user.is_piped("@0"), "it was opened again at once");
    press();
    says(&user, "@0", "for the user");
    deck.wait_until("the user's pipe has it", SOON, || {
        fs::read_to_string(&copy).is_ok_and(|text| text.matches("for the user").count() > 1).then_some(())
    });
    // Closed, it is ours again after a while.
    press();
    deck.wait_until("it is heard again", SOON, || {
        listed(&mut agent);
        user.is_piped("@0").then_some(())
    });
    says(&user, "@0", "heard again");
    in_log(&deck, &mut agent, "@0", "\nheard again\n");
}

#[test]
fn what_the_user_puts_into_an_agents_window_stays_and_becomes_theirs() {
    let (deck, user) = attached();
    let mut agent = Agent::new(&deck, "codex");
    listed(&mut agent);
    for stopped in [false, true] {
        let id = tab(&mut agent, "t");
        let pane = user.tmux(&["split-window", "-d", "-P", "-F", "#{pane_id}", "-t", &id, "exec cat"]);
        if stopped {
            deck.cli(&["stop", "--all"]).expect(0);
            agent = Agent::new(&deck, "codex");
        } else {
            ok(&mut agent, "close_tab", &json!({ "window_id": id }));
        }
        let left = || user.tmux(&["list-panes", "-t", &id, "-F", "#{pane_id}"]);
        deck.wait_until("ours is gone", SOON, || (left() == pane).then_some(()));
        deck.wait_until("nothing is set there", SOON, || {
            user.tmux(&["show-options", "-w", "-t", &id]).is_empty().then_some(())
        });
        deck.wait_until("it is listed as theirs", SOON, || ids(&mut agent).contains(&id).then_some(()));
        refused(&mut agent, "start_process", &json!({ "window_id": id, "command": "x" }), "lease_held");
    }
}
