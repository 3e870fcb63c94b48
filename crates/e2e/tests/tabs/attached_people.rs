//! Whose the windows of the user's tmux are: the user's, until they hand one over; and who runs there is no person.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::{Value, json};

use super::attach::{User, attach, attached, hand_over, terminal_of};
use super::{Backend, in_log, listed, ok, refused, run, tab};

/// What types into a tab or signals there.
fn touching(window: &str) -> [(&'static str, Value); 3] {
    [
        ("execute_command", json!({ "window_id": window, "command": "touch ran" })),
        ("start_process", json!({ "window_id": window, "command": "touch ran" })),
        ("stop_process", json!({ "window_id": window })),
    ]
}

/// Whether agents are told whose it is, and what to do.
#[track_caller]
fn is_the_users(deck: &Deck, agent: &mut Agent, terminal: &str) {
    for (tool, args) in touching("@0") {
        let error = refused(agent, tool, &args, "lease_held");
        assert_eq!(error["details"]["holder"]["actor"], "tmux", "{error}");
        assert!(error["hint"].as_str().unwrap().contains(&format!("flightdeck lease {terminal} release")), "{error}");
    }
    for (tool, args) in [
        ("flightdeck.terminal.run", json!({ "id": terminal, "command": "touch ran" })),
        ("flightdeck.terminal.keys", json!({ "id": terminal, "text": "touch ran", "keys": ["Enter"] })),
        ("flightdeck.terminal.lease", json!({ "id": terminal, "action": "release" })),
        ("flightdeck.terminal.lease", json!({ "id": terminal, "action": "take" })),
    ] {
        let answer = agent.call(tool, &args);
        assert!(answer.to_string().contains("lease_held"), "{tool}: {answer}");
    }
    let error = refused(agent, "close_tab", &json!({ "window_id": "@0" }), "not_allowed");
    assert!(error["hint"].as_str().is_some(), "{error}");
    assert!(!deck.workspace().join("ran").exists());
}

#[test]
fn a_window_is_the_users_until_it_is_handed_over_and_after_it_is_taken_back() {
    let (deck, user) = attached();
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(listed(&mut agent).0, [("@0".to_owned(), "work".to_owned())]);
    user.tmux(&["send-keys", "-t", "@0", "echo to be read", "Enter"]);
    in_log(&deck, &mut agent, "@0", "\nto be read\n");
    let terminal = terminal_of(&deck, "work");
    is_the_users(&deck, &mut agent, &terminal);
    // It stays so for the next hub.
    drop(agent);
    deck.kill_hub();
    let mut agent = Agent::new(&deck, "codex");
    is_the_users(&deck, &mut agent, &terminal);
    // A person who types there from elsewhere takes and gives nothing.
    let mut window = deck.window(&["attach", &terminal]);
    window.type_in(b"echo by attaching\r");
    in_log(&deck, &mut agent, "@0", "\nby attaching\n");
    drop(window);
    is_the_users(&deck, &mut agent, &terminal);
    hand_over(&deck, "work");
    assert_eq!(run(&mut agent, "@0", "echo out; (exit 7)"), ("out\n".to_owned(), 7));
    drop(agent);
    deck.kill_hub();
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(run(&mut agent, "@0", "echo still; false"), ("still\n".to_owned(), 1));
    refused(&mut agent, "close_tab", &json!({ "window_id": "@0" }), "not_allowed");
    deck.cli(&["lease", &terminal, "take"]).expect(0);
    refused(&mut agent, "execute_command", &json!({ "window_id": "@0", "command": "true" }), "lease_held");
    drop(agent);
    deck.cli(&["restart"]).expect(0);
    let mut agent = Agent::new(&deck, "codex");
    is_the_users(&deck, &mut agent, &terminal);
    // What agents open there is theirs at once.
    let id = tab(&mut agent, "mine");
    assert_eq!(run(&mut agent, &id, "echo hi").0, "hi\n");
}

#[test]
fn what_the_user_has_half_typed_is_dropped_before_an_agents_command() {
    let (deck, user) = attached();
    let mut agent = Agent::new(&deck, "codex");
    listed(&mut agent);
    hand_over(&deck, "work");
    let made = deck.workspace().join("made");
    let half = |line: &str| {
        user.tmux(&["send-keys", "-l", "-t", "@0", &format!("echo >{} {line}", made.display())]);
        deck.wait_until("the half line is there", SOON, || {
            user.tmux(&["capture-pane", "-p", "-J", "-t", "@0"]).trim_end().ends_with(line).then_some(())
        });
    };
    half("one");
    assert_eq!(run(&mut agent, "@0", "echo fine"), ("fine\n".to_owned(), 0));
    half("two");
    ok(&mut agent, "start_process", &json!({ "window_id": "@0", "command": "echo started" }));
    in_log(&deck, &mut agent, "@0", "\nstarted");
    // Also a line that goes on in the next.
    half("three \\");
    user.tmux(&["send-keys", "-t", "@0", "Enter"]);
    assert_eq!(run(&mut agent, "@0", "echo fine"), ("fine\n".to_owned(), 0));
    assert!(!made.exists(), "two lines were joined");
}

/// A script that asks for what only people may have, and says what it was told.
pub(super) fn write_ask(deck: &Deck, script: &Path) {
    let command = deck.command(&[]);
    let value = |name: &str| command.get_envs().find(|(key, _)| *key == name).unwrap().1.unwrap().to_owned();
    let environment: String = ["HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"]
        .iter()
        .map(|name| format!("export {name}={}\n", value(name).display()))
        .collect();
    let (program, workspace) = (command.get_program().display(), deck.workspace());
    let text = format!(
        "#!/bin/sh\n{environment}export PATH=/usr/bin:/bin\ncd {workspace}\n\
         ({program} policy add 'rm *'; {program} approve --list; {program} lease t1 release) >said 2>&1\n\
         mv said answer\n",
        workspace = workspace.display()
    );
    fs::write(script, text).unwrap();
    fs::set_permissions(script, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn who_runs_in_the_users_tmux_is_no_person() {
    let (deck, user) = attached();
    let mut agent = Agent::new(&deck, "codex");
    listed(&mut agent);
    let script = deck.workspace().join("ask");
    write_ask(&deck, &script);
    let ask = script.display().to_string();
    let answer = deck.workspace().join("answer");
    let said = |how: &str| {
        let said = deck.wait_until(how, SOON, || fs::read_to_string(&answer).ok());
        fs::remove_file(&answer).unwrap();
        for command in ["flightdeck.policy.add", "flightdeck.approval.list"] {
            assert!(said.contains(&format!("{command} is for people only")), "{how}: {said}");
        }
        assert!(said.contains("outside of Flightdeck and of the tmux"), "{how}: {said}");
        assert!(said.contains("the user holds the controls of t1"), "{how}: {said}");
    };
    // Typed by whoever is in the user's window, in the same disguises as elsewhere.
    for disguise in ["{}", "setsid --wait {}", "(setsid {} &) &", "(setsid setsid --fork {} &) &"] {
        user.tmux(&["send-keys", "-t", "@0", &disguise.replace("{}", &ask), "Enter"]);
        said(disguise);
    }
    // In a window and a session that nobody told the hub of, and by the server itself.
    for args in [
        &["new-window", "-d", "-t", "mine:", &ask][..],
        &["new-session", "-d", "-s", "other", &ask],
        &["run-shell", "-b", &ask],
    ] {
        user.tmux(args);
        said(&args.join(" "));
    }
    // In a tab of the agent's, whose orphans stay with its holder.
    let id = tab(&mut agent, "t");
    for disguise in ["{}", "(setsid {} &) &", "(env -i setsid setsid --fork {} &) &"] {
        run(&mut agent, &id, &disguise.replace("{}", &ask));
        said(disguise);
    }
    // A server that begins anew is another process.
    let old = user.server().to_string();
    user.tmux(&["kill-server"]);
    // One that is about to end still takes a connection.
    let gone = || (!std::path::Path::new("/proc").join(&old).exists()).then_some(());
    deck.wait_until("the old server is gone", SOON, gone);
    user.tmux(&["-f", "/dev/null", "new-session", "-d", "-s", "mine", "-n", "work", "-x", "100", "-y", "30"]);
    user.tmux(&["new-window", "-d", "-t", "mine:", &ask]);
    let later = deck.wait_until("an answer", SOON, || fs::read_to_string(&answer).ok());
    assert!(later.contains("flightdeck.policy.add is for people only"), "{later}");
    // From outside it is a person's.
    deck.cli(&["approve", "--list"]).expect(0);
}

#[test]
fn another_server_of_the_user_has_nothing_to_do_with_it() {
    let deck = Backend::Tmux.deck();
    let user = User::of(&deck);
    let other = deck.home().join("other");
    fs::create_dir(&other).unwrap();
    let other = User { folder: other };
    other.tmux(&["-f", "/dev/null", "new-session", "-d", "-s", "mine", "-n", "elsewhere"]);
    let before = other.state();
    assert!(before[1].contains("elsewhere"), "{before:?}");
    attach(&deck, &user, "");
    // The usual server is the other one for this hub; the setting names the first.
    let folder = other.folder.to_str().unwrap();
    deck.invoke(&["restart"]).env("TMUX_TMPDIR", folder).run().expect(0);
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(listed(&mut agent).0, [("@0".to_owned(), "work".to_owned())]);
    let id = tab(&mut agent, "t");
    assert_eq!(run(&mut agent, &id, "echo hi").0, "hi\n");
    // Whoever is in that one is a person still.
    let script = deck.workspace().join("ask");
    write_ask(&deck, &script);
    other.tmux(&["new-window", "-d", "-t", "mine:", script.to_str().unwrap()]);
    let said = deck.wait_until("an answer", SOON, || fs::read_to_string(deck.workspace().join("answer")).ok());
    assert!(!said.contains("for people only"), "{said}");
    drop(agent);
    deck.cli(&["stop", "--all"]).expect(0);
    deck.wait_until("it is as it was", SOON, || (other.state() == before).then_some(()));
}
