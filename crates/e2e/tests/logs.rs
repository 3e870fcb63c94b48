//! `flightdeck logs` and `terminal.read`: what a terminal printed, all of it or the part that is wanted.

use std::fs;

use flightdeck_e2e::{Deck, Event, SOON};
use serde_json::{Value, json};

fn numbered(from: usize, to: usize) -> String {
    (from..=to).map(|n| format!("{n}\n")).collect()
}

#[test]
fn the_last_lines_and_the_whole_log() {
    let deck = Deck::new();
    for kind in [&[][..], &["--pipes"]] {
        let id = deck.new_terminal(&[kind, &["--", "sh", "-c", "seq 1000; printf tail"]].concat());
        deck.ended(&id, SOON);
        let logs = |args: &[&str]| deck.cli(&[&["logs", &id], args].concat()).expect(0).text();
        assert_eq!(logs(&["--all"]), numbered(1, 1000) + "tail", "{kind:?}");
        assert_eq!(logs(&["-n", "1"]), "tail", "{kind:?}");
        assert_eq!(logs(&["-n", "3"]), "999\n1000\ntail", "{kind:?}");
        assert_eq!(logs(&[]), numbered(902, 1000) + "tail", "{kind:?}: a hundred by default");
        assert_eq!(logs(&["-n", "5000"]), numbered(1, 1000) + "tail", "{kind:?}");
        assert_eq!(logs(&["-n", "0"]), "", "{kind:?}");
        let json: Value = serde_json::from_str(&logs(&["-n", "2", "--json"])).unwrap();
        assert_eq!((json["text"].as_str(), &json["truncated"]), (Some("1000\ntail"), &json!(true)), "{kind:?}");
        let whole: Value = serde_json::from_str(&logs(&["-n", "5000", "--json"])).unwrap();
        assert_eq!((&whole["truncated"], &whole["from"], &whole["next"]), (&json!(false), &json!(0), &whole["end"]));
    }
}

#[test]
fn following_goes_on_until_the_end() {
    let deck = Deck::new();
    for kind in [&[][..], &["--pipes"]] {
        let _ = fs::remove_file(deck.workspace().join("gate"));
        let script = "seq 500; while ! [ -e gate ]; do sleep 0.02; done; seq 501 1000; printf end; exit 3";
        let id = deck.new_terminal(&[kind, &["--", "sh", "-c", script]].concat());
        let following = deck.invoke(&["logs", "-f", "--all", &id]).start();
        let some = deck.invoke(&["logs", "-f", "-n", "2", &id]).start();
        deck.cli(&["wait", &id, "--pattern", "^500$", "--from", "0"]).expect(0);
        fs::write(deck.workspace().join("gate"), "").unwrap();
        assert_eq!(following.finish().expect(0).text(), numbered(1, 1000) + "end", "{kind:?}");
        // It may have come late, and then begins late; its end is the log's all the same.
        let some = some.finish().expect(0).text();
        assert!((numbered(1, 1000) + "end").ends_with(&some) && some.lines().count() >= 2, "{kind:?}: {some:?}");
    }
}

/// A line that comes in pieces is held back until it is whole, and nothing of it is missing.
#[test]
fn a_line_in_pieces_is_no_gap() {
    let deck = Deck::new();
    let script = "for i in 1 2 3 4; do printf .; echo $i >printed; while ! [ -e gate$i ]; do sleep 0.02; done; done; echo ' passed'";
    let id = deck.new_terminal(&["--", "sh", "-c", script]);
    let mut socket = deck.socket();
    let stream = socket.begin("flightdeck.terminal.follow", json!({ "id": id, "follow": true, "plain": true }));
    for piece in 1..=4 {
        deck.cli(&["wait", &id, "--pattern", &format!("^\\.{{{piece}}}$"), "--from", "0"]).expect(0);
        fs::write(deck.workspace().join(format!("gate{piece}")), "").unwrap();
    }
    let (mut text, mut events) = (Vec::new(), Vec::new());
    loop {
        match socket.next() {
            Event::Event(call, event, bytes) if call == stream => {
                text.extend_from_slice(&bytes);
                events.push(event);
            }
            Event::Done(call, _) if call == stream => break,
            _ => {}
        }
    }
    assert_eq!(String::from_utf8_lossy(&text), ".... passed\n", "{events:?}");
    assert!(events.iter().all(|event| event["type"] != "gap"), "{events:?}");
}

#[test]
fn plain_text_is_what_a_person_would_have_read() {
    let deck = Deck::new();
    let cases = [
        ("for i in 10 50 100; do printf '\\r%3d%%' $i; done; echo", "100%\n"),
        ("printf '\\033[1;31mred\\033[0m and \\033]0;title\\007plain\\n'", "red and plain\n"),
        ("printf 'abc\\b\\bX\\n'", "aXc\n"),
        ("printf 'a\\033[5D\\033[Kb\\n'", "b\n"),
        ("printf 'one\\ntwo\\033[1A\\rONE\\n\\n'", "ONE\ntwo\n"),
        ("printf '\\033[?1049hhidden\\033[?1049lshown\\n'", "shown\n"),
    ];
    for (script, text) in cases {
        let id = deck.new_terminal(&["--", "sh", "-c", script]);
        deck.ended(&id, SOON);
        assert_eq!(deck.cli(&["logs", &id, "--all"]).expect(0).text(), text, "{script}");
        assert_eq!(deck.cli(&["logs", &id, "--all", "--plain"]).expect(0).text(), text, "{script}");
        let ran = deck.cli(&["run", "--pty", "--json", "--", "sh", "-c", script]).expect(0);
        assert_eq!(ran.json::<Value>()["output"].as_str().unwrap(), text, "{script}");
    }
    // A long progress bar collapses too: megabytes of it are one line.
    let script = "i=0; while [ $i -lt 20000 ]; do printf '\\r[%5d] working on it' $i; i=$((i + 1)); done; echo";
    let id = deck.new_terminal(&["--", "sh", "-c", script]);
    deck.ended(&id, SOON);
    assert_eq!(deck.cli(&["logs", &id, "--all"]).expect(0).text(), "[19999] working on it\n");
}

#[test]
fn no_character_is_ever_cut() {
    let deck = Deck::new();
    let text = "aé✓🙂".repeat(300);
    let id = deck.new_terminal(&["--pipes", "--", "printf", "%s", &text]);
    deck.ended(&id, SOON);
    let mut socket = deck.socket();
    for max in 1..=9_usize {
        let (mut read, mut at) = (String::new(), 0);
        loop {
            let args = json!({ "id": id, "from": at, "maxBytes": max, "raw": true });
            let part = socket.call("flightdeck.terminal.read", args).unwrap();
            let piece = part["text"].as_str().unwrap();
            assert!(!piece.contains('\u{fffd}'), "cut with {max} bytes at {at}: {piece:?}");
            // Fewer than the longest character has: one whole character is the least that makes sense.
            assert!(piece.len() <= max.max(4), "{max}: {piece:?}");
            read.push_str(piece);
            if part["next"] == part["end"] {
                break;
            }
            assert!(part["next"].as_u64().unwrap() > at, "no progress with {max} bytes at {at}");
            at = part["next"].as_u64().unwrap();
        }
        assert!(read == text, "{max}: {} of {} bytes", read.len(), text.len());
    }
    // In the middle of a character: what belongs to it is left out or shown, but nothing panics.
    let middle =
        socket.call("flightdeck.terminal.read", json!({ "id": id, "from": 2, "maxBytes": 20, "raw": true })).unwrap();
    assert!(middle["text"].as_str().unwrap().ends_with(['a', 'é', '✓', '🙂']), "{middle}");
}

#[test]
fn invalid_bytes_are_shown_and_not_lost() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--pipes", "--", "printf", "a\\377b\\200\\342\\202c"]);
    deck.ended(&id, SOON);
    assert_eq!(deck.raw_log(&id), b"a\xffb\x80\xe2\x82c");
    let read = deck.socket().call("flightdeck.terminal.read", json!({ "id": id, "from": 0 })).unwrap();
    assert_eq!(read["text"].as_str().unwrap(), "a\u{fffd}b\u{fffd}\u{fffd}c");
}

#[test]
fn a_small_log_rotates_and_says_so() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--log-limit", "128K", "--pipes", "--", "seq", "100000"]);
    deck.ended(&id, SOON);
    let info = deck.info(&id);
    let whole = numbered(1, 100_000);
    assert_eq!(info.log_end, whole.len() as u64);
    assert!(info.log_start > 0 && info.log_end - info.log_start <= 128 << 10, "{info:?}");
    let all = deck.cli(&["logs", &id, "--all"]).expect(0);
    assert!(whole.ends_with(&all.text()) && all.stdout.len() as u64 == info.log_end - info.log_start);
    assert!(all.errors().contains(&format!("output before byte {} is gone", info.log_start)), "{}", all.errors());
    let mut socket = deck.socket();
    let old = socket.call("flightdeck.terminal.read", json!({ "id": id, "from": 0, "maxBytes": 100 })).unwrap();
    assert_eq!((&old["truncated"], &old["from"]), (&json!(true), &json!(info.log_start)));
    let last = socket.call("flightdeck.terminal.read", json!({ "id": id, "lines": 2 })).unwrap();
    assert_eq!((last["text"].as_str(), &last["truncated"]), (Some("99999\n100000\n"), &json!(true)));
    let there = socket.call("flightdeck.terminal.read", json!({ "id": id, "from": info.log_start })).unwrap();
    assert_eq!(there["from"], info.log_start);
    let used: u64 = walk(&deck.terminal_dir(&id)).iter().map(|path| path.metadata().unwrap().len()).sum();
    assert!(used < 300 << 10, "{used} bytes on disk");
}

fn walk(dir: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(dir).unwrap().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

/// A program that attacks the terminal of whoever reads what it has printed.
const HOSTILE: &str = r"printf 'begin\033]52;c;aGFja2Vk\007 \033[31mred\033[0m \302\23552;c;aGFja2Vk\302\234\033[21t\033[6n\033[c'
printf '\033]0;evil\007\033P$qm\033\\\033[2J \342\200\256desrever end\n'";

#[test]
fn what_a_program_has_printed_does_not_reach_beyond_the_text_of_whoever_reads_it() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sh", "-c", HOSTILE]);
    deck.ended(&id, SOON);
    for args in [&["logs", &id][..], &["logs", "--all", &id], &["logs", "-f", "--all", &id], &["search", "desrever"]] {
        let window = deck.window(args);
        window.wait_for("desrever");
        let seen = window.seen();
        for danger in
            ["\x1b]", "\u{9d}", "aGFja2Vk\x07", "\x1b[21t", "\x1b[6n", "\x1b[c", "\x1bP", "\x1b[2J", "\u{202e}"]
        {
            assert!(!seen.contains(danger), "{args:?}: {danger:?} in {seen:?}");
        }
    }
    let window = deck.window(&["logs", &id]);
    window.wait_for("end");
    assert!(window.seen().contains("\x1b[31mred\x1b[0m"), "colours stay: {:?}", window.seen());
    // Who wants every byte gets it.
    let raw = deck.cli(&["logs", "--raw", &id]).expect(0).text();
    assert!(raw.contains("\x1b]52;c;aGFja2Vk\x07") && raw.contains("\x1b[6n"), "{raw:?}");
    let window = deck.window(&["logs", "--raw", &id]);
    window.wait_for("end");
    assert!(window.seen().contains("\x1b]52;c;aGFja2Vk\x07"));
}

#[test]
fn names_that_a_program_or_an_agent_has_chosen_show_as_what_they_are() {
    let deck = Deck::new();
    let evil = "a\u{202e}b\u{200b}\u{9b}31m";
    let id = deck.new_terminal(&["--title", evil, "--", "sleep", "1000"]);
    let shell = deck.new_terminal(&["--shell", "/bin/bash"]);
    deck.cli(&["run", "--in", &shell, "true # \u{202e}x"]).expect(0);
    for args in [&["ls"][..], &["history", &shell], &["audit"], &["agents"], &["status"]] {
        let said = deck.cli(args).expect(0).text();
        for danger in ['\u{202e}', '\u{200b}', '\u{9b}', '\x1b'] {
            assert!(!said.contains(danger), "{args:?}: {danger:?} in {said}");
        }
    }
    assert!(deck.cli(&["ls"]).expect(0).text().contains("a\\u{202e}b\\u{200b}"), "{id}");
}

#[test]
fn an_attached_terminal_draws_and_does_not_reach_the_clipboard() {
    let deck = Deck::new();
    let script = r"printf 'begin\033]52;c;aGFja2Vk\007\033]0;title\007\033[21t\033[1;31mred\033[0m\n'; read -r x";
    let id = deck.new_terminal(&["--", "sh", "-c", script]);
    deck.cli(&["wait", &id, "--pattern", "red", "--from", "0"]).expect(0);
    let mut window = deck.window(&["attach", &id]);
    window.wait_for("red");
    window.type_in(b"\r");
    window.exit_code(SOON);
    // And what comes while it is attached.
    let id = deck.new_terminal(&["--", "sh", "-c", &format!("read -r x; {script}")]);
    let mut live = deck.window(&["attach", &id]);
    live.type_in(b"\r");
    live.wait_for("red");
    for window in [&window, &live] {
        let seen = window.seen();
        assert!(!seen.contains("]52;") && !seen.contains("\x1b[21t"), "{seen:?}");
    }
    assert!(live.seen().contains("\x1b]0;title\x07"), "{:?}", live.seen());
    live.type_in(b"\r");
    live.exit_code(SOON);
}
