//! What callers read has nothing of how commands get to a shell, wherever lines, screens and reads begin and end.

use std::fs;

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::{Value, json};

const RUN: &str = "flightdeck.terminal.run";
const READ: &str = "flightdeck.terminal.read";
const SCREEN: &str = "flightdeck.terminal.screen";
const SHELLS: [&str; 4] = ["bash", "zsh", "fish", "dash"];
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
    for shell in SHELLS {
        let id = deck.shell(shell);
        for number in 0..3 {
            run(&mut agent, &id, number);
        }
        deck.at_prompt(&id);
        for lines in 1..12 {
            let read = agent.ok(READ, &json!({ "id": id, "lines": lines }));
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
            let screen = agent.ok(SCREEN, &json!({ "id": id }));
            clean(shell, "a screen", &screen);
        }
        // What a program prints is its own, wherever it stands.
        agent.ok(RUN, &json!({ "id": id, "command": "clear; echo '▸ mine'" }));
        let screen = agent.ok(SCREEN, &json!({ "id": id }));
        assert!(screen["output"].as_str().unwrap().contains("▸ mine"), "{shell}: {screen}");
    }
}

#[test]
fn what_is_printed_at_a_prompt_stays() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    for shell in SHELLS {
        let id = deck.shell(shell);
        let gate = deck.workspace().join(shell);
        let waits = format!("sh -c 'while ! [ -e {shell} ]; do sleep 0.02; done; echo tick; echo tock' &");
        agent.ok(RUN, &json!({ "id": id, "command": waits }));
        deck.at_prompt(&id);
        fs::write(gate, "").unwrap();
        let read = |agent: &mut Agent| agent.ok(READ, &json!({ "id": id, "lines": 100 }));
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
    for shell in SHELLS {
        let id = deck.shell(shell);
        agent.ok("flightdeck.terminal.resize", &json!({ "id": id, "size": { "rows": 12, "cols": 30 } }));
        for number in 0..4 {
            run(&mut agent, &id, number);
        }
        deck.at_prompt(&id);
        let screen = agent.ok(SCREEN, &json!({ "id": id }));
        clean(shell, "a narrow screen", &screen);
        // Rows have no blanks at their ends.
        let joined = screen["output"].as_str().unwrap().replace(['\n', ' '], "");
        assert!(joined.contains("echo'one!3';echothree"), "{shell}: {screen}");
    }
}

/// A line editor that has little room moves about, breaks lines and paints them anew.
#[test]
fn in_logs_of_a_shell_that_is_narrower_than_the_line() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    for shell in SHELLS {
        let id = deck.shell(shell);
        agent.ok("flightdeck.terminal.resize", &json!({ "id": id, "size": { "rows": 12, "cols": 30 } }));
        for number in 0..3 {
            run(&mut agent, &id, number);
        }
        deck.at_prompt(&id);
        let read = |agent: &mut Agent, extra: Value| {
            let mut arguments = json!({ "id": id });
            arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            agent.ok(READ, &arguments)
        };
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

/// What a log has of such a command.
fn shown(number: usize) -> String {
    format!("echo 'one !{number}'; echo three\none !{number}\nthree\n")
}

/// A shell that somebody started inside of another has nothing of ours, and a line editor of its own.
#[test]
fn in_a_shell_inside_of_a_shell() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    for (outer, inners) in
        [("bash", &["bash --norc", "zsh -f", "dash"][..]), ("zsh", &["zsh -f"]), ("dash", &["zsh -f"])]
    {
        for inner in inners {
            let what = format!("{inner} in {outer}");
            let id = deck.shell(outer);
            // The prompt is of our making, to know where one stands.
            let command = format!("env PS1='in> ' PROMPT='in> ' {inner}");
            agent.ok(RUN, &json!({ "id": id, "command": command, "timeoutMs": 300 }));
            deck.wait_until("its prompt", SOON, || {
                let ran = agent.call(RUN, &json!({ "id": id, "command": "true; true" }));
                (ran["success"] == true).then_some(())
            });
            for number in 0..3 {
                run(&mut agent, &id, number);
            }
            let clean = |text: &str| {
                let ours = ["▸", "^C", ".end", "/run/"];
                assert!(!ours.iter().any(|ours| text.contains(ours)), "{what}: {text}");
            };
            let whole = agent.ok(READ, &json!({ "id": id, "lines": 100 }))["output"].as_str().unwrap().to_owned();
            clean(&whole);
            assert!((0..3).all(|number| whole.contains(&format!("in> {}", shown(number)))), "{what}: {whole:?}");
            assert!(whole.contains(&command), "what was typed to the outer one: {what}: {whole:?}");
            for lines in 2..5 {
                let last = agent.ok(READ, &json!({ "id": id, "lines": lines }))["output"].as_str().unwrap().to_owned();
                assert!(whole.ends_with(&last) && last.lines().count() == lines, "{what}, {lines} lines: {last:?}");
            }
            clean(&deck.cli(&["logs", "--plain", "--all", &id]).expect(0).text());
            clean(agent.ok(SCREEN, &json!({ "id": id, "ansi": true }))["output"].as_str().unwrap());
            let found = agent.ok(SEARCH, &json!({ "id": id, "pattern": "\\.end|/run/|▸" }));
            assert_eq!(found["data"]["matches"], json!([]), "{what}");
        }
    }
}

#[test]
fn in_pages_of_any_size() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    for shell in SHELLS {
        let id = deck.shell(shell);
        for number in 0..2 {
            run(&mut agent, &id, number);
        }
        deck.at_prompt(&id);
        let read = |agent: &mut Agent, from: u64, max: usize| {
            let read = agent.ok(READ, &json!({ "id": id, "from": from, "maxBytes": max, "raw": true }));
            (read["output"].as_str().unwrap_or_default().to_owned(), read["data"].clone())
        };
        let (whole, _) = read(&mut agent, 0, 1 << 20);
        clean(shell, "a raw log", &json!(whole));
        for max in [4, 7, 16, 40, 100, 200] {
            let (mut pages, mut at) = (String::new(), 0);
            loop {
                let (page, told) = read(&mut agent, at, max);
                clean(shell, &format!("pages of {max}"), &json!(page));
                assert!(!page.ends_with(['\u{1b}', '[']), "{shell}, {max}: {page:?}");
                pages.push_str(&page);
                let next = told["next"].as_u64().unwrap();
                if told["next"] == told["end"] {
                    break;
                }
                assert!(next > at, "{shell}: no progress with {max} bytes at {at}");
                at = next;
            }
            assert_eq!(pages, whole, "{shell}: pages of {max} bytes");
        }
    }
}

#[test]
fn as_many_lines_as_were_asked_for() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    for shell in SHELLS {
        let id = deck.shell(shell);
        for number in 0..4 {
            run(&mut agent, &id, number);
        }
        deck.at_prompt(&id);
        let mut last =
            |lines: usize| agent.ok(READ, &json!({ "id": id, "lines": lines }))["output"].as_str().unwrap().to_owned();
        let whole = last(100);
        for lines in 1..12 {
            let last = last(lines);
            assert!(whole.ends_with(&last) && last.lines().count() == lines, "{shell}, {lines} lines: {last:?}");
        }
    }
}

#[test]
fn in_what_is_waited_for() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    // Plain enough to be typed as it is.
    fs::write(deck.workspace().join("never"), "echo done\n").unwrap();
    let inside = "env PS1='in> ' PROMPT='in> ' zsh -f";
    for (shell, inner) in SHELLS.map(|shell| (shell, None)).into_iter().chain([("bash", Some(inside))]) {
        let id = deck.shell(shell);
        deck.at_prompt(&id);
        if let Some(inner) = inner {
            agent.ok(RUN, &json!({ "id": id, "command": inner, "timeoutMs": 300 }));
        }
        for command in ["sh never", ": never 'x'; echo 'do'ne"] {
            deck.wait_until("a prompt", SOON, || {
                let ran = agent.call(RUN, &json!({ "id": id, "command": "true" }));
                (ran["success"] == true).then_some(())
            });
            let from = agent.ok(READ, &json!({ "id": id, "lines": 1 }))["data"]["end"].clone();
            let pattern = "never|FLIGHTDECK|▸|run/|\\.end|^done$";
            let waiting =
                agent.begin("flightdeck.terminal.wait", &json!({ "id": id, "pattern": pattern, "from": from }));
            let ran = deck.run_in(&id, command);
            let waited = agent.result(waiting);
            assert_eq!(waited["data"]["line"], "done", "{shell}, {command}: {waited} {ran:?}");
        }
    }
}

#[test]
fn on_a_screen_in_colours() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    for shell in SHELLS {
        let id = deck.shell(shell);
        for number in 0..3 {
            run(&mut agent, &id, number);
        }
        deck.at_prompt(&id);
        let screen = agent.ok(SCREEN, &json!({ "id": id, "ansi": true, "image": true }));
        clean(shell, "a screen in colours", &screen);
        let text = screen["output"].as_str().unwrap();
        assert!((0..3).all(|number| text.contains(&format!("echo 'one !{number}'; echo three"))), "{shell}: {text:?}");
    }
}

/// What something in the background has printed stands before the line that is typed.
#[test]
fn for_whoever_follows() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    for shell in SHELLS {
        let id = deck.shell(shell);
        deck.at_prompt(&id);
        let following = deck.invoke(&["logs", "-f", "--all", "--plain", &id]).start();
        let gate = format!("{shell}-follows");
        let waits = format!("sh -c 'while ! [ -e {gate} ]; do sleep 0.02; done; echo tick; echo tock' &");
        agent.ok(RUN, &json!({ "id": id, "command": waits }));
        deck.at_prompt(&id);
        fs::write(deck.workspace().join(gate), "").unwrap();
        deck.wait_until("it prints", SOON, || {
            let read = agent.ok(READ, &json!({ "id": id, "lines": 100 }));
            read["output"].as_str().unwrap().lines().any(|line| line == "tock").then_some(())
        });
        for number in 0..2 {
            run(&mut agent, &id, number);
            deck.at_prompt(&id);
        }
        deck.cli(&["kill", &id]).expect(0);
        let followed = following.finish().expect(0).text();
        clean(shell, "a stream", &json!(followed));
        assert!((0..2).all(|number| followed.contains(&shown(number))), "{shell}: {followed}");
        assert!(followed.contains("\ntock\n"), "{shell}: {followed}");
    }
}
