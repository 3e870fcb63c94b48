//! Full-screen and line-reading programs, driven with keys and read from the screen, with nobody attached.

use std::fs;

use flightdeck_contract::terminal::InputState;
use flightdeck_e2e::{Deck, SOON};
use serde_json::json;

#[test]
fn vim_edits_and_saves_a_file() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    deck.type_line(&id, "vim -u NONE -N notes.txt");
    deck.wait_until("vim is there", SOON, || Some(deck.screen(&id)).filter(|screen| screen.alt_screen));
    assert_eq!(deck.info(&id).foreground.as_deref(), Some("vim"));
    deck.wait_until("vim reads keys", SOON, || (deck.screen(&id).input == InputState::Raw).then_some(()));
    deck.cli(&["send", &id, "ihello from flightdeck"]).expect(0);
    deck.on_screen(&id, "hello from flightdeck");
    deck.press(&id, &["Enter", "Tab", "x", "Left", "y", "Escape"]);
    deck.cli(&["send", &id, ":wq", "--enter"]).expect(0);
    let screen = deck.wait_until("vim is gone", SOON, || Some(deck.screen(&id)).filter(|screen| !screen.alt_screen));
    assert!(screen.text.contains("vim -u NONE -N notes.txt"), "the shell's screen is back: {}", screen.text);
    assert_eq!(fs::read_to_string(deck.workspace().join("notes.txt")).unwrap(), "hello from flightdeck\n\tyx\n");
    deck.at_prompt(&id);
    assert_eq!(deck.run_in(&id, "echo next").output, "next\n");
}

#[test]
fn less_pages_through_a_file() {
    let deck = Deck::new();
    let text: String = (1..=500).map(|n| format!("row {n}.\n")).collect();
    fs::write(deck.workspace().join("rows"), text).unwrap();
    let id = deck.new_terminal(&["--size", "80x20", "--", "less", "rows"]);
    let first = deck.on_screen(&id, "row 19.");
    assert!(first.alt_screen && first.text.contains("row 1.") && !first.text.contains("row 20."), "{}", first.text);
    deck.press(&id, &["Space"]);
    deck.on_screen(&id, "row 38.");
    deck.press(&id, &["Up", "Up"]);
    deck.on_screen(&id, "row 18.");
    deck.cli(&["send", &id, "G"]).expect(0);
    deck.on_screen(&id, "row 500.");
    deck.cli(&["send", &id, "/row 77\\.\r"]).expect(0);
    deck.press(&id, &["g"]);
    deck.on_screen(&id, "row 1.");
    deck.cli(&["resize", &id, "80x30"]).expect(0);
    deck.on_screen(&id, "row 29.");
    deck.cli(&["send", &id, "q"]).expect(0);
    assert_eq!(deck.ended(&id, SOON), 0);
}

#[test]
fn a_python_session_answers() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "python3", "-q"]);
    deck.on_screen(&id, ">>>");
    deck.type_line(&id, "6 * 7");
    deck.on_screen(&id, "\n42\n");
    deck.type_line(&id, "name = input('who? ')");
    deck.on_screen(&id, "who?");
    deck.type_line(&id, "Zoë");
    deck.type_line(&id, "len(name), name");
    deck.on_screen(&id, "(3, 'Zoë')");
    deck.type_line(&id, "while True: pass");
    deck.press(&id, &["Enter"]);
    deck.wait_until("it is at work", SOON, || (deck.screen(&id).input == InputState::Busy).then_some(()));
    deck.press(&id, &["C-c"]);
    deck.on_screen(&id, "KeyboardInterrupt");
    deck.type_line(&id, "exit(5)");
    assert_eq!(deck.ended(&id, SOON), 5);
}

#[test]
fn top_draws_and_quits() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--size", "100x30", "--", "top", "-d", "0.5"]);
    let screen = deck.on_screen(&id, "PID");
    assert!(screen.text.contains("load average"), "{}", screen.text);
    deck.wait_until("it reads keys", SOON, || (deck.screen(&id).input == InputState::Raw).then_some(()));
    deck.cli(&["send", &id, "q"]).expect(0);
    assert_eq!(deck.ended(&id, SOON), 0);
}

#[test]
fn a_question_is_seen_for_what_it_is() {
    let deck = Deck::new();
    let cases = [
        ("printf 'name? '; read a; echo \"<$a>\"", "line", "Zoë", "name? Zoë\r\n<Zoë>\r\n"),
        ("printf 'secret? '; read -s a; echo \"<${#a}>\"", "password", "hunter2", "secret? <7>\r\n"),
    ];
    for (script, kind, answer, log) in cases {
        let id = deck.new_terminal(&["--", "bash", "-c", script]);
        let waited = deck.json(&["wait", &id, "--input", "--json"]);
        assert_eq!((waited["reason"].as_str(), waited["input"].as_str()), (Some("input"), Some(kind)), "{script}");
        assert_eq!(serde_json::to_value(deck.info(&id).input).unwrap(), kind);
        deck.type_line(&id, answer);
        assert_eq!(deck.ended(&id, SOON), 0);
        let raw = String::from_utf8(deck.raw_log(&id)).unwrap();
        assert_eq!(raw, log, "{script}");
        assert!(kind == "line" || !deck.dump().contains(answer), "a password is nowhere to be seen");
    }
}

#[test]
fn what_is_typed_is_typed_as_it_is() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "cat"]);
    for text in ["Enter", "C-c", "-n --keys", "$HOME `x` \\e ;", "ünï ✓"] {
        deck.type_line(&id, text);
        // Once as its echo, once from cat.
        deck.wait_until(text, SOON, || {
            let log = String::from_utf8(deck.raw_log(&id)).unwrap();
            log.ends_with(&format!("{text}\r\n{text}\r\n")).then_some(())
        });
    }
    deck.invoke(&["send", &id, "--stdin"]).stdin(b"from a pipe\n").run().expect(0);
    deck.on_screen(&id, "from a pipe\nfrom a pipe");
    deck.press(&id, &["C-d"]);
    assert_eq!(deck.ended(&id, SOON), 0);
}

#[test]
fn ten_thousand_lines_of_paste_arrive_whole() {
    let deck = Deck::new();
    let text: String = (0..10_000).map(|n| format!("{n} the quick brown fox ✓\n")).collect();
    for paste in [false, true] {
        let id = deck.new_terminal(&["--", "sh", "-c", "cat > copy"]);
        let mut socket = deck.socket();
        let args = if paste { json!({ "id": id, "paste": text }) } else { json!({ "id": id, "text": text }) };
        socket.call("flightdeck.terminal.keys", args).unwrap();
        deck.press(&id, &["C-d"]);
        assert_eq!(deck.ended(&id, SOON), 0);
        let copy = fs::read_to_string(deck.workspace().join("copy")).unwrap();
        assert!(copy == text, "{} of {} bytes (paste: {paste})", copy.len(), text.len());
    }
}

#[test]
fn a_paste_is_marked_where_the_program_asked_for_it() {
    let deck = Deck::new();
    let id =
        deck.new_terminal(&["--", "sh", "-c", "stty raw -echo; printf '\\033[?2004hready'; head -c 18 | od -An -c"]);
    deck.on_screen(&id, "ready");
    // An end mark inside the text must not end the paste early.
    deck.cli(&["send", &id, "--paste", "ab\x1b[201~cd56"]).expect(0);
    assert_eq!(deck.ended(&id, SOON), 0);
    let shown = deck.cli(&["logs", &id, "--all"]).expect(0).text();
    let letters: String = shown.split_ascii_whitespace().collect();
    assert!(letters.contains("033[200~ab") && !letters.contains("ab033[201~cd"), "{shown}");
}

#[test]
fn a_program_that_does_not_read_is_told_of() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sh", "-c", "stty raw -echo; echo ready; exec sleep 1000"]);
    deck.on_screen(&id, "ready");
    let text = "x".repeat(1 << 20);
    let refused = deck.socket().call("flightdeck.terminal.keys", json!({ "id": id, "text": text })).unwrap_err();
    assert_eq!(refused.code, flightdeck_contract::ErrorCode::InputNotRead, "{refused:?}");
    deck.cli(&["kill", &id]).expect(0);
}

#[test]
fn signals_and_sizes_reach_the_program() {
    let deck = Deck::new();
    let script = "trap 'echo winch $(stty size)' WINCH; trap 'echo usr1' USR1; trap 'echo int; exit 3' INT; \
                  echo ready; while :; do sleep 0.02; done";
    let id = deck.new_terminal(&["--", "bash", "-c", script]);
    deck.on_screen(&id, "ready");
    deck.cli(&["resize", &id, "91x31"]).expect(0);
    deck.on_screen(&id, "winch 31 91");
    deck.cli(&["signal", &id, "USR1"]).expect(0);
    deck.on_screen(&id, "usr1");
    deck.cli(&["signal", &id, "SIGINT"]).expect(0);
    assert_eq!(deck.ended(&id, SOON), 3);
}
