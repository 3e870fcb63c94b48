//! What callers read has nothing of how commands get to a shell, wherever lines, screens and reads begin and end.

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::{Value, json};

const RUN: &str = "flightdeck.terminal.run";
const SEARCH: &str = "flightdeck.terminal.search";

#[track_caller]
fn clean(shell: &str, what: &str, answer: &Value) {
    let text = answer.to_string();
    assert!(!text.contains("FLIGHTDECK_RUN") && !text.contains('▸'), "{shell}, {what}: {text}");
}

/// Not plain enough to be typed, so that the shell gets it in a file.
fn run(agent: &mut Agent, id: &str, number: usize) {
    let command = format!("echo 'one !{number}'; echo three");
    let ran = agent.ok(RUN, &json!({ "id": id, "command": command }));
    assert_eq!(ran["output"], format!("one !{number}\nthree\n"), "{ran}");
}

#[test]
fn wherever_a_read_begins_and_a_screen_ends() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    for shell in ["bash", "zsh", "fish", "dash"] {
        let id = deck.shell(shell);
        for number in 0..3 {
            run(&mut agent, &id, number);
        }
        deck.at_prompt(&id);
        for lines in 1..12 {
            let read = agent.ok("flightdeck.terminal.read", &json!({ "id": id, "lines": lines }));
            clean(shell, &format!("{lines} lines"), &read);
        }
        let found = agent.ok(SEARCH, &json!({ "id": id, "pattern": "one !\\d" }));
        clean(shell, "a search", &found);
        let matches = found["data"]["matches"].as_array().unwrap();
        assert_eq!(matches.len(), 6, "each command, and what it printed: {found}");
        assert!(matches[0]["line"].as_str().unwrap().ends_with("echo 'one !0'; echo three"), "{found}");
        // The line of the topmost command scrolls off before what the shell showed of it.
        for number in 3..20 {
            run(&mut agent, &id, number);
            let screen = agent.ok("flightdeck.terminal.screen", &json!({ "id": id }));
            clean(shell, "a screen", &screen);
        }
        // What a program prints is its own, wherever it stands.
        agent.ok(RUN, &json!({ "id": id, "command": "clear; echo '▸ mine'" }));
        let screen = agent.ok("flightdeck.terminal.screen", &json!({ "id": id }));
        assert!(screen["output"].as_str().unwrap().contains("▸ mine"), "{shell}: {screen}");
    }
}

#[test]
fn what_is_printed_at_a_prompt_stays() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    for shell in ["bash", "zsh", "fish", "dash"] {
        let id = deck.shell(shell);
        let gate = deck.workspace().join(shell);
        let waits = format!("sh -c 'while ! [ -e {shell} ]; do sleep 0.02; done; echo tick; echo tock' &");
        agent.ok(RUN, &json!({ "id": id, "command": waits }));
        deck.at_prompt(&id);
        std::fs::write(gate, "").unwrap();
        let read = |agent: &mut Agent| agent.ok("flightdeck.terminal.read", &json!({ "id": id, "lines": 100 }));
        let count =
            |read: &Value| read["output"].as_str().unwrap().lines().filter(|line| line.ends_with("tock")).count();
        deck.wait_until("it prints", SOON, || (count(&read(&mut agent)) == 1).then_some(()));
        run(&mut agent, &id, 1);
        deck.at_prompt(&id);
        let after = read(&mut agent);
        assert_eq!(count(&after), 1, "{shell}: {after}");
        clean(shell, "a read", &after);
        let found = agent.ok(SEARCH, &json!({ "id": id, "pattern": "^(.*[^a-z])?tick$|tock$" }));
        assert_eq!(found["data"]["matches"].as_array().unwrap().len(), 2, "{shell}: {found}");
    }
}

#[test]
fn a_search_in_steps_goes_on() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let id = deck.shell("bash");
    for number in 0..3 {
        run(&mut agent, &id, number);
    }
    deck.at_prompt(&id);
    let (mut lines, mut from) = (Vec::new(), json!(0));
    while !from.is_null() {
        let found = agent.ok(SEARCH, &json!({ "id": id, "pattern": "one !\\d", "maxMatches": 1, "from": from }));
        let matches = found["data"]["matches"].as_array().unwrap().clone();
        lines.extend(matches.iter().map(|found| found["line"].as_str().unwrap().trim_start_matches("$ ").to_owned()));
        assert!(lines.len() <= 6, "{lines:?}");
        assert_ne!(found["data"]["next"], from, "{found}");
        from = found["data"]["next"].clone();
    }
    let expected = (0..3).flat_map(|n| [format!("echo 'one !{n}'; echo three"), format!("one !{n}")]);
    let is_prompt =
        |line: &String| line.rsplit_once("echo 'one").map_or(line.clone(), |(_, rest)| format!("echo 'one{rest}"));
    assert_eq!(lines.iter().map(is_prompt).collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn on_a_screen_that_is_narrower_than_the_line() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    // fish breaks its lines itself, by moving the cursor.
    for shell in ["bash", "zsh", "dash"] {
        let id = deck.shell(shell);
        agent.ok("flightdeck.terminal.resize", &json!({ "id": id, "size": { "rows": 12, "cols": 30 } }));
        for number in 0..4 {
            run(&mut agent, &id, number);
        }
        deck.at_prompt(&id);
        let screen = agent.ok("flightdeck.terminal.screen", &json!({ "id": id }));
        clean(shell, "a narrow screen", &screen);
        let joined = screen["output"].as_str().unwrap().replace('\n', "");
        assert!(joined.contains("echo 'one !3'; echo three"), "{shell}: {screen}");
    }
}

/// A line editor that has little room moves about, breaks lines and paints them anew.
#[test]
fn in_logs_of_a_shell_that_is_narrower_than_the_line() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    for shell in ["bash", "zsh", "fish", "dash"] {
        let id = deck.shell(shell);
        agent.ok("flightdeck.terminal.resize", &json!({ "id": id, "size": { "rows": 12, "cols": 30 } }));
        for number in 0..3 {
            run(&mut agent, &id, number);
        }
        deck.at_prompt(&id);
        let read = |agent: &mut Agent, extra: Value| {
            let mut arguments = json!({ "id": id });
            arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            agent.ok("flightdeck.terminal.read", &arguments)
        };
        let shown = |number: usize| format!("echo 'one !{number}'; echo three\none !{number}\nthree\n");
        let whole = read(&mut agent, json!({ "lines": 100 }));
        clean(shell, "a log", &whole);
        let text = whole["output"].as_str().unwrap();
        assert!((0..3).all(|number| text.contains(&shown(number))), "{shell}: {text:?}");
        assert!(!text.contains("RUN/") && !text.contains("collect"), "{shell}: {text:?}");
        for lines in 1..20 {
            let read = read(&mut agent, json!({ "lines": lines }));
            clean(shell, &format!("{lines} lines"), &read);
        }
        // From a prompt on, where the last read has ended.
        run(&mut agent, &id, 3);
        let next = read(&mut agent, json!({ "from": whole["data"]["next"] }));
        assert!(next["output"].as_str().unwrap().starts_with(&shown(3)), "{shell}: {next}");
        let logs = deck.cli(&["logs", "--plain", "--all", &id]).expect(0).text();
        assert!(shown(3).lines().all(|line| logs.contains(line)), "{shell}: {logs:?}");
        assert!(!logs.contains("RUN/") && !logs.contains("collect"), "{shell}: {logs:?}");
        let found = agent.ok(SEARCH, &json!({ "id": id, "pattern": "one !\\d" }));
        clean(shell, "a search", &found);
        assert_eq!(found["data"]["matches"].as_array().unwrap().len(), 8, "{shell}: {found}");
        let found = agent.ok(SEARCH, &json!({ "id": id, "pattern": "DECK|collect" }));
        assert_eq!(found["data"]["matches"], json!([]), "{shell}");
    }
}
