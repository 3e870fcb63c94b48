//! A window that changes: nothing that was printed before is lost, and viewers see each change at its place in the output.

use flightdeck_e2e::{Deck, Event, SOON, in_each_shell};
use serde_json::json;

in_each_shell![no_output_vanishes_while_a_line_is_typed];

fn no_output_vanishes_while_a_line_is_typed(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    let resize = |cols: u16| {
        deck.cli(&["resize", &id, &format!("{cols}x24")]).expect(0);
    };
    resize(178);
    deck.run_in(&id, "printf 'out %s\\n' 1 2 3 4 5 6");
    for round in 0..3 {
        let words: Vec<String> = (0..30).map(|word| format!("w{round}{word}")).collect();
        deck.cli(&["send", &id, &format!("echo {} done-{round}", words.join(" "))]).expect(0);
        deck.on_screen(&id, &format!("done-{round}"));
        for cols in [90, 60, 178] {
            let before = deck.log_on_disk(&id).len();
            resize(cols);
            if shell != "dash" {
                deck.wait_until("the line is drawn anew", SOON, || {
                    (deck.log_on_disk(&id).len() > before).then_some(())
                });
            }
            deck.wait_until("it is whole", SOON, || {
                let text = deck.screen(&id).text.replace('\n', "");
                text.contains(&format!("done-{round}")).then_some(())
            });
        }
        deck.press(&id, &["Enter"]);
        deck.at_prompt(&id);
        let (screen, log) = (deck.screen(&id).text, deck.cli(&["logs", &id, "-n", "200"]).expect(0).text());
        for line in (1..=6).map(|number| format!("out {number}")).chain([words.join(" ")]) {
            assert!(log.contains(&line), "{shell}, round {round}: {line} is lost from the log: {log}");
            assert!(screen.contains(&line), "{shell}, round {round}: {line} is lost from the screen: {screen}");
        }
    }
}

/// A program that prints how wide its window is, whenever that changes.
const TELLS_ITS_WIDTH: &str = r#"
import os, signal
signal.signal(signal.SIGWINCH, lambda *_: os.write(1, b"width %d\n" % os.get_terminal_size().columns))
os.write(1, b"ready\n")
while True:
    signal.pause()
"#;

/// Otherwise what a shell draws for the new width is shown at the old one, and erases output.
#[test]
fn a_viewer_knows_the_size_before_what_was_printed_for_it() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "python3", "-c", TELLS_ITS_WIDTH]);
    deck.on_screen(&id, "ready");
    let (mut socket, mut other) = (deck.socket(), deck.socket());
    let viewer = socket.begin("flightdeck.terminal.attach", json!({ "id": id }));
    let (mut cols, mut printed) = (0, String::new());
    for wanted in (0..200).map(|turn| 90 + turn % 50) {
        other.call("flightdeck.terminal.resize", json!({ "id": id, "size": { "rows": 24, "cols": wanted } })).unwrap();
        while !printed.ends_with(&format!("width {wanted}\r\n")) {
            let Event::Event(stream, event, bytes) = socket.next() else { panic!("the stream ends: {printed}") };
            assert_eq!(stream, viewer);
            if let Some(size) = event.get("size") {
                cols = size["cols"].as_u64().unwrap();
            }
            printed.push_str(&String::from_utf8(bytes).unwrap());
            if event["type"] == "output" && printed.ends_with('\n') {
                assert!(
                    printed.ends_with(&format!("width {cols}\r\n")),
                    "{event} while the window has {cols} columns: {printed:?}"
                );
            }
        }
    }
}
