//! A person who interrupts a program that prints a lot sees the prompt, not what was still on its way to them.

use flightdeck_contract::control::Request;
use flightdeck_e2e::{Deck, SOON};
use serde_json::json;

/// What a viewer got who read nothing until a key was typed: the bytes of the output, and how many were left out.
struct Seen {
    output: Vec<u8>,
    left_out: u64,
    screen: String,
}

/// Prints 700 kB, types `keys` when all of it is printed, and only then begins to read.
fn seen_after(keys: &[u8]) -> (Seen, Vec<u8>) {
    let deck = Deck::new();
    let id = deck.shell("bash");
    let mut viewer = deck.socket();
    viewer.grant_by_hand();
    let call = viewer.begin("flightdeck.terminal.attach", json!({ "id": id }));
    let from = loop {
        let (event, _) = viewer.event();
        if event["type"] == "snapshot" {
            break usize::try_from(event["at"].as_u64().unwrap()).unwrap();
        }
    };
    let printed = |text: &str| {
        let wait = || String::from_utf8_lossy(&deck.log_on_disk(&id)).contains(text).then_some(());
        deck.wait_until(text, SOON, wait);
    };
    viewer.input(call, b"seq 100000; cat\n");
    printed("\n100000\r\n");
    viewer.input(call, keys);
    // One after the other is typed: when this is answered, the keys before it are dealt with.
    viewer.input(call, b"\necho la''st\n");
    printed("last\r\n");
    viewer.send(&Request::Credit { id: call, bytes: 16 << 20 });
    let mut seen = Seen { output: Vec::new(), left_out: 0, screen: String::new() };
    while !String::from_utf8_lossy(&seen.output).contains("last\r\n") && !seen.screen.contains("last") {
        let (event, bytes) = viewer.event();
        match event["type"].as_str().unwrap() {
            "output" => seen.output.extend(bytes),
            "gap" => seen.left_out += event["to"].as_u64().unwrap() - event["from"].as_u64().unwrap(),
            "snapshot" => seen.screen = String::from_utf8_lossy(&bytes).into_owned(),
            "resized" => {}
            other => panic!("{other}"),
        }
    }
    (seen, deck.log_on_disk(&id).split_off(from))
}

#[test]
fn what_was_printed_before_an_interrupt_is_not_waited_for() {
    let (seen, _) = seen_after(b"\x03");
    assert!(seen.left_out > 200_000, "{} left out, {} sent", seen.left_out, seen.output.len());
    assert!(seen.screen.contains("99999") && seen.screen.contains("^C"), "{}", seen.screen);
}

#[test]
fn another_key_leaves_nothing_out() {
    let (seen, printed) = seen_after(b"x\n\x04");
    assert_eq!(seen.left_out, 0);
    assert!(seen.output.len() > 600_000 && printed.starts_with(&seen.output), "{}", seen.output.len());
}
