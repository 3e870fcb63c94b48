//! `flightdeck run`: every byte arrives, whatever it is and however many there are.

use std::fs;

use flightdeck_e2e::{Deck, SOON};

/// Bytes that nothing may take for anything: all values, broken UTF-8, escape sequences, our own kind of marks.
fn garbage(length: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut bytes: Vec<u8> = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    })
    .take(length)
    .collect();
    bytes.splice(0..0, (0..=255).chain(*b"\x1b]133;D;0\x07\x1b[?1049h\xe2\x82\r\n\0\x1bP"));
    bytes
}

#[test]
fn binary_output_is_passed_on_byte_for_byte() {
    let deck = Deck::new();
    let bytes = garbage(300_000);
    fs::write(deck.workspace().join("garbage"), &bytes).unwrap();
    let out = deck.cli(&["run", "cat", "garbage"]).expect(0);
    assert!(out.stdout == bytes && out.stderr.is_empty(), "{} of {} bytes", out.stdout.len(), bytes.len());
    let err = deck.cli(&["run", "--", "sh", "-c", "cat garbage >&2"]).expect(0);
    assert!(err.stderr == bytes && err.stdout.is_empty(), "{} of {} bytes", err.stderr.len(), bytes.len());
}

#[test]
fn both_streams_at_once_are_whole() {
    let deck = Deck::new();
    let script = "for i in 1 2 3 4 5; do seq 20000 & seq 20000 >&2; wait; done";
    let ran = deck.cli(&["run", "--", "sh", "-c", script]).expect(0);
    let wanted: String = (0..5).flat_map(|_| (1..=20_000).map(|n| format!("{n}\n"))).collect();
    assert!(ran.text() == wanted, "stdout: {} of {} bytes", ran.stdout.len(), wanted.len());
    assert!(ran.errors() == wanted, "stderr: {} of {} bytes", ran.stderr.len(), wanted.len());
}

#[test]
fn ten_megabytes_arrive_whole() {
    let deck = Deck::new();
    let bytes = garbage(10_000_000);
    fs::write(deck.workspace().join("big"), &bytes).unwrap();
    let out = deck.cli(&["run", "cat", "big"]).expect(0);
    assert!(out.stdout == bytes, "{} of {} bytes", out.stdout.len(), bytes.len());
    // On a terminal a newline becomes two bytes, and nothing else changes.
    let text: String = (0..400_000).map(|n| format!("line {n} äöü\n")).collect();
    fs::write(deck.workspace().join("text"), &text).unwrap();
    let out = deck.cli(&["run", "--pty", "cat", "text"]).expect(0);
    assert!(out.text() == text.replace('\n', "\r\n"), "{} of {} bytes", out.stdout.len(), text.len());
}

#[test]
fn output_comes_while_the_command_runs() {
    let deck = Deck::new();
    let gate = deck.workspace().join("gate");
    let script = "echo first; while ! test -e gate; do sleep 0.01; done; echo second";
    let mut window = deck.window(&["run", "--pipes", "--", "sh", "-c", script]);
    window.wait_for("first");
    assert!(!window.seen().contains("second"));
    fs::write(gate, "").unwrap();
    window.wait_for("second");
    assert_eq!(window.exit_code(SOON), 0);
}

#[test]
fn a_background_child_that_holds_the_output_does_not_pin_the_call() {
    let deck = Deck::new();
    for kind in ["--pipes", "--pty"] {
        let ran = deck.cli(&["run", kind, "--", "sh", "-c", "sleep 1000 & echo hi; exit 5"]).expect(5);
        assert_eq!(ran.text().trim_end(), "hi", "{kind}");
        assert!(ran.took < SOON, "{kind}: {:?}", ran.took);
    }
}
