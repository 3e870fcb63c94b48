//! `flightdeck run`: the command reads what it would read without us.

use std::process::Stdio;

use flightdeck_e2e::{Deck, SOON};
use serde_json::Value;

#[test]
fn a_pipe_or_a_file_is_passed_on_byte_for_byte() {
    let deck = Deck::new();
    let bytes: Vec<u8> = (0..1_000_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let out = deck.invoke(&["run", "--", "cat"]).stdin(&bytes).run().expect(0);
    assert!(out.stdout == bytes, "{} of {} bytes", out.stdout.len(), bytes.len());
    let json: Value = deck.invoke(&["run", "--json", "--", "wc", "-c"]).stdin(&bytes).run().expect(0).json();
    assert_eq!(json["output"], "1000000\n", "{json}");
    // One that reads no more, as the first in a pipeline may.
    let out = deck.invoke(&["run", "--", "head", "-c", "1"]).stdin(&bytes).run().expect(0);
    assert_eq!(out.stdout, bytes[..1]);
    // On a terminal it is typed, and ends as if a person had ended it.
    for text in ["one\ntwo\n", "no line"] {
        let out = deck.invoke(&["run", "--pty", "--", "wc", "-c"]).stdin(text.as_bytes()).run().expect(0).text();
        assert!(out.ends_with(&format!("{}\r\n", text.len())), "{text:?}: {out:?}");
    }
}

#[test]
fn nothing_is_no_pipe() {
    let deck = Deck::new();
    // Some programs read their standard input only where there is one.
    let kind = "test -p /dev/stdin && echo pipe || echo none";
    assert_eq!(deck.invoke(&["run", "--", "sh", "-c", kind]).stdin(b"x").run().expect(0).text(), "pipe\n");
    let mut command = deck.command(&["run", "--", "sh", "-c", kind]);
    let out = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&out.stdout), "none\n");
}

#[test]
fn a_command_in_a_window_stands_below_what_was_there() {
    let deck = Deck::new();
    for text in ["one\\ntwo\\n", "one\\ntwo"] {
        let mut window = deck.window(&["run", "--", "printf", text]);
        window.wait_for("ended with exit code 0");
        assert_eq!(window.exit_code(SOON), 0);
        let seen = window.seen();
        let (before, rest) = seen.split_once("one\r\ntwo").unwrap_or_else(|| panic!("{seen:?}"));
        assert!(!before.contains('\n') && !seen.contains("\x1b[2J"), "the window is as it was: {seen:?}");
        let between = rest.split_once("[t").map(|(between, _)| between.matches('\n').count());
        assert_eq!(between, Some(1), "the end is told in the next line: {seen:?}");
    }
}

#[test]
fn a_program_that_asks_for_its_place_in_the_window_has_a_page() {
    let deck = Deck::new();
    let script =
        "stty raw -echo; printf 'one\\033[6n'; dd bs=1 count=6 2>/dev/null | od -c | head -1; stty sane; echo two";
    let mut window = deck.window(&["run", "--", "sh", "-c", script]);
    window.wait_for("ended with exit code 0");
    assert_eq!(window.exit_code(SOON), 0);
    let seen = window.seen();
    // As it was told: in the first row, behind what it printed.
    assert!(seen.contains("\x1b[2J") && seen.contains("1   ;   4   R"), "{seen:?}");
}

#[test]
fn a_command_in_a_shell_has_all_the_time_that_it_takes() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    deck.cli(&["run", "--in", &id, "--", "true"]).expect(0);
    // Agents are told after half a minute, and ask again.
    let asked = deck.json(&["audit", "--json", "--limit", "1", "--command", "flightdeck.terminal.run"]);
    let asked: Value = serde_json::from_str(asked["args"].as_str().unwrap()).unwrap();
    assert!(asked["timeoutMs"].as_u64().is_some_and(|ms| ms > 365 * 24 * 3_600_000), "{asked}");
    let late = deck.cli(&["run", "--in", &id, "--timeout", "100ms", "--", "sleep 1000"]).expect(124);
    assert!(late.errors().contains(&format!("`flightdeck signal {id} INT`")), "{late}");
}
