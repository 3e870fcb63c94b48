//! `flightdeck attach` in a real terminal: a person's window on a shared terminal.

use flightdeck_e2e::{Deck, SOON};
use serde_json::json;

const DETACH: &[u8] = b"\x1c";
/// A prompt that is drawn in a window comes with this mode: a paste is to be marked.
const AT_PROMPT: &str = "\x1b[?2004h";

#[test]
fn a_person_types_sees_and_leaves() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    deck.run_in(&id, "echo what was there before");
    let mut window = deck.window(&["attach", &id]);
    window.wait_for("what was there before");
    window.type_in(b"echo $((6 * 7))th\r");
    window.wait_for("42th");
    window.type_in(b"stty size\r");
    window.wait_for("24 80");
    window.resize(33, 101);
    deck.wait_until("the size is passed on", SOON, || (deck.info(&id).size.cols == 101).then_some(()));
    window.type_in(b"stty size\r");
    window.wait_for("33 101");
    window.type_in(DETACH);
    assert_eq!(window.exit_code(SOON), 0);
    window.wait_for(&format!("[detached; {id} goes on"));
    assert!(deck.info(&id).running);
    assert_eq!(deck.run_in(&id, "echo next").output, "next\n");
    let texts: Vec<_> = deck.history(&id).into_iter().filter_map(|record| record.text).collect();
    assert_eq!(texts, ["echo what was there before", "echo $((6 * 7))th", "stty size", "stty size", "echo next"]);
}

#[test]
fn the_exit_code_is_passed_on_and_the_window_is_tidy() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut window = deck.window(&["attach", &id]);
    window.wait_for(AT_PROMPT);
    window.type_in(b"printf '\\033[?25l\\033[?1000h\\033[31m'; exit 7\r");
    assert_eq!(window.exit_code(SOON), 7);
    let seen = window.seen();
    for mode in ["\x1b[?25h", "\x1b[?1000l", "\x1b[0m"] {
        let (on, off) = (seen.rfind("\x1b[31m").unwrap(), seen.rfind(mode).unwrap_or(0));
        assert!(off > on, "{mode:?} is not undone: {seen:?}");
    }
    // Attaching to what has ended shows its last screen and says how it ended.
    let mut again = deck.window(&["attach", &id]);
    assert_eq!(again.exit_code(SOON), 7, "{:?}", again.seen());
}

#[test]
fn what_is_typed_before_the_window_is_ready_is_not_lost() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut window = deck.window(&["attach", &id]);
    window.type_in(b"echo typed-$((30 + 3))\r");
    window.wait_for("typed-33");
}

#[test]
fn ctrl_c_reaches_the_program_and_not_the_window() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut window = deck.window(&["attach", &id]);
    window.wait_for(AT_PROMPT);
    window.type_in(b"sleep 1000\r");
    deck.wait_until("sleep runs", SOON, || (deck.info(&id).foreground.as_deref() == Some("sleep")).then_some(()));
    window.type_in(b"\x03");
    window.wait_for("^C");
    window.type_in(b"echo still $((1 + 1)) here\r");
    window.wait_for("still 2 here");
}

#[test]
fn two_windows_show_the_same() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut first = deck.window(&["attach", &id]);
    let mut second = deck.window(&["attach", "--detach-key", "C-q", &id]);
    first.wait_for(AT_PROMPT);
    second.wait_for(AT_PROMPT);
    first.type_in(b"echo from-$((10 + 1))\r");
    first.wait_for("from-11");
    second.wait_for("from-11");
    second.type_in(b"echo from-$((20 + 2))\r");
    first.wait_for("from-22");
    second.wait_for("from-22");
    second.type_in(b"\x11");
    assert_eq!(second.exit_code(SOON), 0);
    first.type_in(b"exit 4\r");
    assert_eq!(first.exit_code(SOON), 4);
}

#[test]
fn a_full_screen_program_is_drawn_for_who_comes_late() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "vim", "-u", "NONE", "-N", "+normal iearlier text"]);
    deck.on_screen(&id, "earlier text");
    let mut window = deck.window(&["attach", &id]);
    window.wait_for("earlier text");
    window.type_in(b"A and later\x1b");
    window.wait_for("later");
    deck.on_screen(&id, "earlier text and later");
    window.type_in(b":q!\r");
    assert_eq!(window.exit_code(SOON), 0);
}

#[test]
fn run_and_new_in_a_window_are_attached() {
    let deck = Deck::new();
    let mut window = deck.window(&["run", "sh", "-c", "test -t 0 && printf 'name? '; read a; echo \"<$a>\"; exit 6"]);
    window.wait_for("name?");
    window.type_in("Zoë\r".as_bytes());
    window.wait_for("<Zoë>");
    assert_eq!(window.exit_code(SOON), 6);
    let mut window = deck.window(&["new", "--attach", "--shell", "dash", "--env", "PS1=ready> "]);
    window.wait_for("ready>");
    window.type_in(b"echo $((3 * 5))teen; exit 2\r");
    window.wait_for("15teen");
    assert_eq!(window.exit_code(SOON), 2);
}

#[test]
fn a_window_that_closes_leaves_the_terminal_alone() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let window = deck.window(&["attach", &id]);
    window.wait_for(AT_PROMPT);
    drop(window);
    assert_eq!(deck.run_in(&id, "echo next").output, "next\n");
}

#[test]
fn a_viewer_that_does_not_read_holds_nobody_up() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut lazy = deck.socket();
    lazy.begin("flightdeck.terminal.attach", json!({ "id": id }));
    let mut follower = deck.socket();
    follower.begin("flightdeck.terminal.follow", json!({ "id": id, "follow": true }));
    // Far more than any buffer on the way takes.
    let ran = deck.run_in(&id, "seq 2000000 | tail -c 12000000; echo; echo over");
    assert!(ran.exit_code == Some(0) && ran.output.ends_with("over\n"), "{:?}", ran.exit_code);
    assert_eq!(deck.run_in(&id, "echo next").output, "next\n");
    // The lazy viewer gets the present screen when it comes back, not everything that scrolled by.
    let mut bytes = 0;
    loop {
        if let flightdeck_e2e::Event::Event(_, _, more) = lazy.next() {
            bytes += more.len();
            if String::from_utf8_lossy(&more).contains("next") {
                break;
            }
        }
    }
    assert!(bytes < 10_000_000, "{bytes}");
}
