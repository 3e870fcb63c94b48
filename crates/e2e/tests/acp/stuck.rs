//! `flightdeck agent` on a screen while the hub does not answer, or can't be started: keys and signals work all the same, and
//! leave the terminal as it was.

use flightdeck_contract::chat::ChatState;
use flightdeck_e2e::processes::{self, Stopped};
use flightdeck_e2e::{Deck, Pty, SOON, try_until};
use rustix::process::Signal;
use serde_json::json;

use super::screen::{prompts, run, wait_for, window};
use super::{QUICK, TOLD, Talk, call, command};

/// What is to be seen soon although nobody answers.
#[track_caller]
fn quickly(window: &Pty, what: &str, wanted: impl Fn() -> bool) {
    let found = try_until(QUICK, || wanted().then_some(()));
    assert!(found.is_some(), "{what} not within {QUICK:?}; the window:\n{:?}", window.seen());
}

/// Kills the hub, and no other one can be started before what is given goes.
fn lose_all(deck: &Deck) -> (Stopped, Stopped) {
    let hub = deck.hub_pid();
    let stopped = (Stopped::new(deck.keeper_pid()), Stopped::new(deck.hub_spawner()));
    processes::signal(hub, Signal::KILL);
    stopped
}

/// Has the agent ask for a permission, and the hub stand still when the window has learned of that and nothing more.
fn ask_and_stand_still(deck: &Deck, window: u32) -> Stopped {
    let hub = deck.hub_pid();
    let shown = Stopped::new(window);
    let options = json!([{ "optionId": "yes", "name": "Allow", "kind": "allow_once" }]);
    let ask = json!({ "toolCall": { "toolCallId": "c", "title": "Edit" }, "options": options });
    let talk = Talk { deck, id: "c1".to_owned() };
    talk.run(json!([call("asked", "session/request_permission", ask)]));
    talk.wait_for("it asks", |chat| chat.state == ChatState::WaitsForApproval);
    let hub = Stopped::after_work(hub, TOLD);
    drop(shown);
    hub
}

#[test]
fn interrupts_leave_while_a_hub_is_started() {
    let deck = Deck::new();
    let mut window = window(&deck, 24, 80);
    let lost = lose_all(&deck);
    wait_for(&window, 24, 80, "starting another one");
    window.type_in(b"\x03");
    quickly(&window, "a hint", || window.seen().contains("Ctrl-C again leaves"));
    window.type_in(b"\x03");
    assert_eq!(window.exit_code(QUICK), 0);
    assert!(window.is_cooked() && window.seen().contains("\x1b[?2004l"), "{:?}", window.seen());
    drop(lost);
}

#[test]
fn interrupts_leave_while_the_hub_is_asked_what_the_agent_asks() {
    let deck = Deck::new();
    let mut window = window(&deck, 24, 80);
    let hub = ask_and_stand_still(&deck, window.pid());
    wait_for(&window, 24, 80, "waits for approval · c1");
    window.type_in(b"\x03");
    quickly(&window, "a hint", || window.seen().contains("Ctrl-C again leaves"));
    window.type_in(b"\x03");
    assert_eq!(window.exit_code(QUICK), 130);
    assert!(window.is_cooked() && window.seen().contains("\x1b[?2004l"), "{:?}", window.seen());
    drop(hub);
}

/// It is asked when the hub goes on.
#[test]
fn a_hub_that_goes_on_gives_what_the_agent_asks() {
    let deck = Deck::new();
    let mut window = window(&deck, 24, 80);
    let hub = ask_and_stand_still(&deck, window.pid());
    wait_for(&window, 24, 80, "waits for approval · c1");
    drop(hub);
    wait_for(&window, 24, 80, "[1] Allow");
    wait_for(&window, 24, 80, "answer:");
    window.type_in(b"1\r");
    wait_for(&window, 24, 80, "asked={");
}

#[test]
fn a_signal_ends_it_and_restores_the_terminal() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
        let deck = Deck::new();
        let mut window = window(&deck, 24, 80);
        assert!(!window.is_cooked());
        let lost = lose_all(&deck);
        wait_for(&window, 24, 80, "starting another one");
        processes::signal(window.pid(), signal);
        assert_eq!(window.exit_code(QUICK), code);
        assert!(window.is_cooked() && window.seen().contains("\x1b[?2004l"), "{:?}", window.seen());
        drop(lost);
    }
}

/// In a shell, which gets its terminal as it was, and lets it go on.
#[test]
fn ctrl_z_suspends_it_while_a_hub_is_started() {
    let deck = Deck::new();
    let agent = deck.command(&[]);
    let mut shell = std::process::Command::new("/bin/sh");
    shell.arg("-i").current_dir(deck.workspace()).env_clear();
    shell.envs(agent.get_envs().filter_map(|(name, value)| Some((name, value?)))).env("PS1", "at the prompt> ");
    let mut window = Pty::start(&shell, 24, 80);
    window.wait_for("at the prompt> ");
    window.type_in(format!("{} agent -- {}\n", agent.get_program().display(), command(&[]).join(" ")).as_bytes());
    wait_for(&window, 24, 80, "ready · c1");
    let lost = lose_all(&deck);
    wait_for(&window, 24, 80, "starting another one");
    window.type_in(b"\x1a");
    quickly(&window, "the shell", || window.seen().matches("at the prompt> ").count() == 2);
    assert!(window.is_cooked(), "{:?}", window.seen());
    let before = window.seen().len();
    window.type_in(b"fg\n");
    quickly(&window, "the status", || window.seen()[before..].contains("ready · c1"));
    assert!(!window.is_cooked());
    drop(lost);
    // It goes on with the next hub.
    run(&mut window, &json!([{ "say": "still here" }]));
    wait_for(&window, 24, 80, "\nstill here");
    window.type_in(b"\x04");
    quickly(&window, "the shell", || window.seen().matches("at the prompt> ").count() == 3);
    window.type_in(b"exit\n");
    window.exit_code(SOON);
}

/// Nobody starts one that was stopped, and what is typed meanwhile waits.
#[test]
fn a_prompt_that_waits_for_the_next_hub_is_told_to_whoever_leaves() {
    let deck = Deck::new();
    let mut window = window(&deck, 24, 80);
    deck.cli(&["stop"]).expect(0);
    wait_for(&window, 24, 80, "waiting for the next one");
    window.type_in(b"what comes later\r");
    wait_for(&window, 24, 80, "queued: what comes later");
    window.type_in(b"\x04");
    assert_eq!(window.exit_code(QUICK), 0);
    let shown = wait_for(&window, 24, 80, "not sent: what comes later");
    assert_eq!(shown.matches("waiting for the next one").count(), 1, "{shown}");
}

#[test]
fn a_prompt_that_was_cancelled_while_the_hub_stood_still_is_not_sent_to_the_next_one() {
    let deck = Deck::new();
    let mut window = window(&deck, 24, 80);
    let hub = deck.hub_pid();
    let stopped = Stopped::new(hub);
    window.type_in(b"never say this\r");
    wait_for(&window, 24, 80, "● ");
    window.type_in(b"\x03");
    wait_for(&window, 24, 80, "Ctrl-C again leaves");
    processes::signal(hub, Signal::KILL);
    wait_for(&window, 24, 80, "starting another one");
    window.type_in(b"and now\r");
    wait_for(&window, 24, 80, "You said: and now");
    assert_eq!(prompts(&deck), ["and now"]);
    wait_for(&window, 24, 80, "the prompt was not sent");
    drop(stopped);
}
