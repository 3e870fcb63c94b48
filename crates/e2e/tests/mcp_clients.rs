//! Clients that others wrote, as their users use them: over stdio and HTTP, before and after the protocol lost its
//! handshake. What each of them does is in `clients/checks.mjs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::programs::{Programs, Ran, run};
use flightdeck_e2e::Deck;

/// They take a few seconds; each of their checks has a deadline of its own.
const DEADLINE: Duration = Duration::from_secs(100);

macro_rules! over_stdio_and_http {
    ($($test:ident: $program:literal, $mode:literal;)*) => {$(
        mod $test {
            #[test]
            fn over_stdio() {
                super::over_stdio($program, $mode);
            }
            #[test]
            fn over_http() {
                super::over_http($program, $mode);
            }
        }
    )*};
}

over_stdio_and_http! {
    inspector: "inspector.mjs", "auto";
    inspector_legacy: "inspector.mjs", "legacy";
    javascript_v1: "sdk_v1.mjs", "legacy";
    javascript_v2: "sdk_v2.mjs", "auto";
    javascript_v2_legacy: "sdk_v2.mjs", "legacy";
    python: "sdk_python.py", "auto";
    python_legacy: "sdk_python.py", "legacy";
}

#[test]
fn a_wrong_token_is_refused() {
    let deck = Deck::new();
    deck.start();
    let (url, _) = endpoint(&deck);
    let wrong = deck.home().join("token");
    fs::write(&wrong, "0".repeat(64)).unwrap();
    // The Python client knows of it too, but has no words for it.
    for program in ["sdk_v1.mjs", "sdk_v2.mjs"] {
        let mut client = client(&deck, program, "legacy", "t1");
        client.args(["--url", &url, "--token-file"]).arg(&wrong);
        let ran = run(client, DEADLINE);
        assert!(ran.code == Some(1) && ran.stdout.contains("401"), "{ran}");
    }
}

fn over_stdio(program: &str, mode: &str) {
    let deck = Deck::new();
    let mut client = client(&deck, program, mode, &deck.shell("bash"));
    client.arg("--").arg(deck.command(&[]).get_program()).arg("mcp");
    succeeds(&deck, &run(client, DEADLINE));
}

fn over_http(program: &str, mode: &str) {
    let deck = Deck::new();
    let mut client = client(&deck, program, mode, &deck.shell("bash"));
    let (url, token) = endpoint(&deck);
    client.args(["--url", &url, "--token-file"]).arg(token);
    succeeds(&deck, &run(client, DEADLINE));
}

/// A client with the environment of this deck, told which terminal it may use.
fn client(deck: &Deck, program: &str, mode: &str, terminal: &str) -> Command {
    let mut client = Programs::installed().command(program);
    let installed: Vec<_> = pairs(&client);
    client.env_clear().envs(pairs(&deck.command(&[]))).envs(installed).current_dir(deck.workspace());
    client.args(["--mode", mode, "--terminal", terminal]);
    client
}

fn pairs(command: &Command) -> Vec<(std::ffi::OsString, std::ffi::OsString)> {
    command.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))).collect()
}

/// Where the hub serves MCP, and the file with the token for it.
fn endpoint(deck: &Deck) -> (String, PathBuf) {
    let status = deck.status();
    let url = status["http"]["url"].as_str().unwrap_or_else(|| panic!("no HTTP: {status}"));
    let token = status["tokenFile"].as_str().unwrap_or_else(|| panic!("no token: {status}"));
    (format!("{url}/mcp"), Path::new(token).to_owned())
}

#[track_caller]
fn succeeds(deck: &Deck, ran: &Ran) {
    let ok = ran.code == Some(0) && ran.stdout.lines().last() == Some("OK");
    assert!(ok, "{ran}\n{}", deck.dump());
}
