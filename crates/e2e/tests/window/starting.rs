//! How the window starts, or says why it can't, and how it finds its hub again.

use std::fs;

use flightdeck_e2e::{Display, SOON, Window, window_command};
use serde_json::{Value, json};

use super::{deck, prompt, with_terminal};

#[test]
#[ignore = "needs the window: make desktop-test"]
fn an_adapter_is_told_when_the_window_is_ready() {
    let (deck, display) = (deck(), Display::new());
    deck.start();
    let workspace = deck.workspace();
    let mut command = window_command(&deck, &["--workspace", &workspace.to_string_lossy(), "--launched"]);
    command
        .env("FLIGHTDECK_TRACE_ID", "trace_1")
        .env("FLIGHTDECK_RUNTIME_SESSION_ID", "rs_1")
        .env_remove("FLIGHTDECK_WINDOW_LOG");
    let window = Window::start(&display, &mut command);
    let line = window.printed();
    let said: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    assert_eq!(
        said,
        json!({"event": "ready", "protocol_version": 2, "trace_id": "trace_1", "runtime_session_id": "rs_1"})
    );
    assert_eq!(deck.json(&["approve", "--list", "--json"])["attended"], 1, "a person can be asked at once");
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn a_window_that_can_not_start_says_why_and_fails() {
    let (deck, display) = (deck(), Display::new());
    let end = |command: &mut std::process::Command| {
        let output = command.env_remove("FLIGHTDECK_WINDOW_LOG").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
        (output.status.code(), last)
    };
    let (code, last) = end(&mut window_command(&deck, &[]));
    assert_eq!(code, Some(69), "{last}");
    assert!(last.contains("there is no display"), "{last}");

    let (code, last) = end(window_command(&deck, &[]).env("DISPLAY", ":4711"));
    assert_eq!(code, Some(69), "{last}");
    assert!(last.contains("no display can be used"), "{last}");

    // As on a machine without the packages: Qt looks for its modules where there are none.
    let elsewhere = deck.home().join("bin");
    fs::create_dir_all(&elsewhere).unwrap();
    let copied = elsewhere.join("interactive-terminal");
    fs::copy(window_command(&deck, &[]).get_program(), &copied).unwrap();
    fs::write(elsewhere.join("qt.conf"), "[Paths]\nQmlImports=/nonexistent\nQml2Imports=/nonexistent\n").unwrap();
    let asked = std::process::Command::new("qtpaths6").args(["--query", "QT_INSTALL_PLUGINS"]).output().unwrap();
    let plugins = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
    let like = window_command(&deck, &[]);
    let mut moved = std::process::Command::new(&copied);
    moved.env_clear().envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    moved.env("DISPLAY", display.name()).env("QT_PLUGIN_PATH", plugins).current_dir(deck.workspace());
    let (code, last) = end(&mut moved);
    assert_eq!(code, Some(72), "{last}");
    assert!(last.contains("qml6-module-qtquick"), "{last}");

    let (code, last) = end(window_command(&deck, &["--what"]).env("DISPLAY", display.name()));
    assert_eq!(code, Some(64), "{last}");
    let version = window_command(&deck, &["--version"]).output().unwrap();
    assert!(version.status.success() && version.stdout.starts_with(b"interactive-terminal "));
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn a_hub_that_is_killed_and_started_again_is_found_again() {
    let (deck, display) = (deck(), Display::new());
    with_terminal(&deck);
    let mut window = Window::open(&deck, &display);
    window.shows("t1", prompt());
    window.type_text("echo before; ");
    window.shows("t1", "echo before;");
    deck.kill_hub();
    window.told("shows away");
    display.shot("hub-away");
    deck.cli(&["restart"]).expect(0);
    window.told("terminal t1 live");
    deck.wait_until("a person is asked here again", SOON, || {
        (deck.json(&["approve", "--list", "--json"])["attended"] == 1).then_some(())
    });
    window.type_text("echo aft''er");
    window.press(&["Return"]);
    window.shows("t1", "\nafter");
}
