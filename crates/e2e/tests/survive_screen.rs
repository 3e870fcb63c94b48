//! A screen is the same before and after the hub was away: it is derived from the log.

use std::fs;

use flightdeck_contract::terminal::ScreenShown;
use flightdeck_e2e::Deck;

#[test]
fn a_full_screen_program_looks_the_same_after_the_hub_was_away() {
    let deck = Deck::new();
    let text: String = (1..=200).map(|n| format!("line {n} with ünïcödé ✓\n")).collect();
    fs::write(deck.workspace().join("text"), text).unwrap();
    let id = deck.new_terminal(&["--size", "90x30", "--", "vim", "-u", "NONE", "-N", "text"]);
    deck.on_screen(&id, "line 20 ");
    deck.cli(&["send", &id, "120G:set number hlsearch\r/line 13\ri"]).expect(0);
    deck.cli(&["send", &id, "typed "]).expect(0);
    deck.on_screen(&id, "typed line 13");
    deck.cli(&["wait", &id, "--quiet", "300ms"]).expect(0);
    let look = || (deck.screen(&id), deck.cli(&["screen", &id, "--ansi"]).expect(0).text());
    let before = look();
    assert!(before.0.alt_screen);
    deck.kill_hub();
    same(&look(), &before, "after kill -9");
    deck.cli(&["stop"]).expect(0);
    deck.start();
    same(&look(), &before, "after a stop");
    // And it is alive: what is typed still arrives.
    deck.cli(&["send", &id, "more ", "--keys", "Escape"]).expect(0);
    deck.on_screen(&id, "typed more line 13");
}

/// Told apart, so that a difference can be read.
#[track_caller]
fn same(after: &(ScreenShown, String), before: &(ScreenShown, String), when: &str) {
    assert_eq!(after.0.text, before.0.text, "the text {when}");
    assert!(after.1 == before.1, "colours and modes {when}:\n{:?}\ninstead of\n{:?}", after.1, before.1);
    let rest = |screen: &ScreenShown| ScreenShown { text: String::new(), ..screen.clone() };
    assert_eq!(rest(&after.0), rest(&before.0), "everything else {when}");
}

#[test]
fn a_screen_survives_although_the_log_lost_its_beginning() {
    let deck = Deck::new();
    // Everything that makes this screen what it is was printed long before the oldest byte that is kept.
    let script = "printf '\\033]0;long gone\\007\\033[?2004h\\033[1;32m\\033[5;20r\\033[5H'; seq 100000; printf done; exec sleep 1000";
    let id = deck.new_terminal(&["--log-limit", "128K", "--", "sh", "-c", script]);
    deck.on_screen(&id, "done");
    deck.cli(&["wait", &id, "--quiet", "300ms"]).expect(0);
    assert!(deck.info(&id).log_start > 0);
    let look = || (deck.screen(&id), deck.cli(&["screen", &id, "--ansi"]).expect(0).text());
    let before = look();
    assert_eq!(before.0.title.as_deref(), Some("long gone"));
    deck.kill_hub();
    same(&look(), &before, "after kill -9");
    deck.cli(&["stop"]).expect(0);
    deck.start();
    same(&look(), &before, "after a stop");
}

#[test]
fn a_screen_that_changed_its_size_is_the_same_after_a_restart() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    deck.run_in(&id, "seq -s ' ' 100");
    deck.cli(&["resize", &id, "40x12"]).expect(0);
    deck.run_in(&id, "seq -s ' ' 50");
    deck.cli(&["resize", &id, "120x40"]).expect(0);
    deck.run_in(&id, "echo wide");
    deck.at_prompt(&id);
    deck.cli(&["wait", &id, "--quiet", "300ms"]).expect(0);
    let look = || (deck.screen(&id), deck.cli(&["screen", &id, "--ansi"]).expect(0).text());
    let before = look();
    deck.kill_hub();
    same(&look(), &before, "after kill -9");
}
