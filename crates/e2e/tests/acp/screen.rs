//! `flightdeck agent` on the screen of a terminal, as a person sees and uses it.

use std::os::unix::fs::PermissionsExt;

use flightdeck_e2e::{Deck, Pty, SOON, try_until};
use flightdeck_keeper::Size;
use flightdeck_screen::Screen;
use serde_json::{Value, json};

use super::{about, call, command};

/// A window with a conversation, where nothing was said yet.
pub(super) fn window(deck: &Deck, rows: u16, columns: u16) -> Pty {
    let mut words = vec!["agent".to_owned(), "--".to_owned()];
    words.extend(command(&[]));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let window = Pty::start(&deck.command(&words), rows, columns);
    wait_for(&window, rows, columns, "ready · c1");
    window
}

/// What stands on the window's screen, and what has scrolled off it.
fn screen(window: &Pty, rows: u16, columns: u16) -> String {
    let mut screen = Screen::new(Size::new(rows, columns).unwrap());
    screen.feed(window.seen().as_bytes());
    screen.text()
}

/// Waits until this stands on the screen, and gives all of it.
#[track_caller]
pub(super) fn wait_for(window: &Pty, rows: u16, columns: u16, text: &str) -> String {
    wait_until(window, rows, columns, text, |screen| screen.contains(text))
}

#[track_caller]
fn wait_until(window: &Pty, rows: u16, columns: u16, what: &str, wanted: impl Fn(&str) -> bool) -> String {
    let found = try_until(SOON, || Some(screen(window, rows, columns)).filter(|screen| wanted(screen)));
    found.unwrap_or_else(|| panic!("{what:?} is not on the screen:\n{}", screen(window, rows, columns)))
}

pub(super) fn run(window: &mut Pty, steps: &Value) {
    window.type_in(format!("{steps}\r").as_bytes());
}

/// What the person has said.
pub(super) fn prompts(deck: &Deck) -> Vec<String> {
    let read = deck.socket().call("flightdeck.chat.read", json!({ "id": "c1", "limit": 500 })).unwrap();
    let entries = read["entries"].as_array().unwrap().iter().filter(|entry| entry["kind"] == "user");
    entries.map(|entry| entry["blocks"][0]["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn lines_are_edited_and_a_paste_is_one_prompt() {
    let deck = Deck::new();
    let mut window = window(&deck, 24, 80);
    window.type_in(b"helo\x1b[Dl\x05 wor\x17there\r");
    wait_for(&window, 24, 80, "You said: hel");
    let lines: Vec<String> = (1..=100).map(|number| format!("line {number}")).collect();
    window.type_in(format!("\x1b[200~{}\x1b[201~", lines.join("\r")).as_bytes());
    wait_for(&window, 24, 80, "100 lines, line 100");
    window.type_in(b"\r");
    wait_for(&window, 24, 80, "line 99");
    let said = try_until(SOON, || Some(prompts(&deck)).filter(|said| said.len() == 2)).unwrap();
    assert_eq!(said, ["hello there".to_owned(), lines.join("\n")]);
}

#[test]
fn what_is_typed_is_broken_at_words() {
    let deck = Deck::new();
    let mut window = window(&deck, 24, 40);
    window.type_in(b"some words that are typed and go on in another row");
    wait_for(&window, 24, 40, "\n> some words that are typed and go on\n  in another row\n");
    window.type_in(b"\x1b[A\x05!\r");
    wait_for(&window, 24, 40, "You said: some words");
    assert_eq!(prompts(&deck), ["some words that are typed and go on in another row!"]);
}

#[test]
fn markdown_is_shown_as_it_is_meant_and_broken_at_words() {
    let deck = Deck::new();
    let mut window = window(&deck, 30, 40);
    let text = "# Head\nA **bold** word and some more words that go on.\n- an item with `code` that is longer than a row\n\
                ```sh\necho 'a very long line of code, which has to be broken'\n```\n| a | b |\n|---|---|\n| 1 | 日本 |\n\n\
                \u{202e}\u{1b}[2Jend";
    run(&mut window, &json!([{ "say": text }]));
    let shown = wait_until(&window, 30, 40, "the end", |screen| screen.contains("\\u{202e}\\x1b[2Jend"));
    for rows in [
        "Head\nA bold word and some more words that go\non.\n",
        "• an item with code that is longer than\n  a row\n",
        "  echo 'a very long line of code, which\n  has to be broken'\n",
        "a  b\n─  ────\n1  日本\n",
    ] {
        let spaced: String = shown.lines().map(|row| format!("{}\n", row.trim_end())).collect();
        assert!(spaced.contains(rows), "{rows:?} is not in\n{spaced}");
    }
}

#[test]
fn a_tool_call_is_one_row_with_what_its_command_prints() {
    let deck = Deck::new();
    let go = deck.home().join("go");
    let mut window = window(&deck, 24, 80);
    let line = format!("seq 50; until [ -e '{}' ]; do sleep 0.02; done; echo last; exit 4", go.display());
    run(
        &mut window,
        &json!([
            call("t", "terminal/create", json!({ "command": line })),
            { "update": {
                "sessionUpdate": "tool_call", "toolCallId": "c", "title": "Build it", "kind": "execute",
                "status": "in_progress", "content": [{ "type": "terminal", "terminalId": "${t.terminalId}" }],
            } },
            about("exit", "wait_for_exit"),
            { "update": { "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "completed" } },
            { "say": "the end" },
        ]),
    );
    let running = wait_until(&window, 24, 80, "its tail", |screen| screen.contains("│ 50"));
    assert!(running.contains("● Build it") && running.contains("… 46 lines before"), "{running}");
    // A window that becomes narrower meanwhile shows it once as well.
    window.resize(24, 70);
    std::fs::write(&go, "").unwrap();
    let done = wait_until(&window, 24, 80, "the end", |screen| screen.contains("\nthe end"));
    assert!(done.contains("✓ Build it  t2 exit code 4") && done.contains("│ last"), "{done}");
    assert!(!done.contains("● Build it"), "{done}");
}

#[test]
fn a_failed_tool_call_shows_the_last_it_says() {
    let deck = Deck::new();
    let mut window = window(&deck, 24, 80);
    run(&mut window, &super::failing());
    let shown = wait_for(&window, 24, 80, "\nthe end");
    let rows = "✗ Build it\n  │ … 2 lines before\n  │ line 3\n  │ line 4\n  │ line 5\n  │ line 6\n  │ no such file\n";
    assert!(shown.contains(rows), "{rows:?} is not in\n{shown}");
}

/// It is not seen below in every turn that follows.
#[test]
fn a_tool_call_without_an_end_is_left_behind_with_its_turn() {
    let deck = Deck::new();
    let mut window = window(&deck, 24, 80);
    let tool = json!({ "sessionUpdate": "tool_call", "toolCallId": "c", "title": "Build it", "status": "in_progress" });
    run(&mut window, &json!([{ "update": tool }, { "say": "first turn" }]));
    wait_for(&window, 24, 80, "done · c1");
    wait_for(&window, 24, 80, "● Build it  (not finished)");
    run(&mut window, &json!([{ "say": "second turn" }]));
    let shown = wait_for(&window, 24, 80, "\nsecond turn");
    let place = |text: &str| shown.find(text).unwrap_or_else(|| panic!("{text:?} is missing:\n{shown}"));
    assert!(place("● Build it") < place("\nsecond turn"), "{shown}");
    assert_eq!(shown.matches("● Build it").count(), 1, "{shown}");
}

#[test]
fn what_is_said_stays_whole_when_something_else_comes_in_between() {
    let deck = Deck::new();
    let go = deck.home().join("go");
    let mut window = window(&deck, 24, 80);
    run(
        &mut window,
        &json!([
            { "update": { "sessionUpdate": "tool_call", "toolCallId": "c", "title": "Build it", "status": "in_progress" } },
            { "say": "all of " },
            { "update": { "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "completed" } },
            { "say": "the " },
            { "until_file": go },
            { "say": "words" },
        ]),
    );
    wait_for(&window, 24, 80, "\nall of the");
    window.type_in(b"/usage\r");
    wait_for(&window, 24, 80, "does not tell what it uses");
    std::fs::write(&go, "").unwrap();
    let shown = wait_for(&window, 24, 80, "done · c1");
    assert!(shown.contains("✓ Build it") && shown.contains("\nall of the words"), "{shown}");
}

#[test]
fn queued_prompts_are_seen_and_dropped_with_the_turn() {
    let deck = Deck::new();
    let mut window = window(&deck, 24, 80);
    run(&mut window, &json!([{ "say": "has begun\n" }, { "until_cancelled": true }]));
    wait_for(&window, 24, 80, "\nhas begun");
    window.type_in(b"what comes later\r");
    wait_for(&window, 24, 80, "queued: what comes later");
    window.type_in(b"\x03");
    let shown = wait_until(&window, 24, 80, "cancelled", |screen| screen.contains("\ncancelled\n"));
    assert!(!shown.contains("queued:"), "{shown}");
    window.type_in(b"and now\r");
    wait_for(&window, 24, 80, "You said: and now");
    let said = prompts(&deck);
    assert_eq!((said.len(), said[1].as_str()), (2, "and now"), "{said:?}");
    // The second one leaves, whatever the agent does.
    run(&mut window, &json!([{ "say": "once more\n" }, { "until_file": deck.home().join("never") }]));
    wait_for(&window, 24, 80, "\nonce more");
    window.type_in(b"\x03");
    wait_for(&window, 24, 80, "Ctrl-C again leaves");
    window.type_in(b"\x03");
    assert_eq!(window.exit_code(SOON), 130);
}

/// Whoever leaves learns which prompts nobody will answer. What was said before that is said.
#[test]
fn prompts_that_were_not_sent_are_told_to_whoever_leaves() {
    let deck = Deck::new();
    let mut first = window(&deck, 24, 80);
    run(&mut first, &json!([{ "say": "has begun\n" }, { "until_cancelled": true }]));
    wait_for(&first, 24, 80, "\nhas begun");
    first.type_in(b"what comes later\r");
    wait_for(&first, 24, 80, "queued: what comes later");
    first.type_in(b"two\x0alines\r/quit\r");
    assert_eq!(first.exit_code(SOON), 0);
    wait_for(&first, 24, 80, "not sent: what comes later\nnot sent: two\n  lines\n");
    deck.socket().call("flightdeck.chat.cancel", json!({ "id": "c1" })).unwrap();
    let mut next = Pty::start(&deck.command(&["agent", "--resume"]), 24, 80);
    wait_for(&next, 24, 80, "done · c1");
    next.type_in(b"said at last\r\x04");
    assert_eq!(next.exit_code(SOON), 0);
    assert!(!next.seen().contains("sent"), "{:?}", next.seen());
    assert_eq!(prompts(&deck)[1..], ["said at last"]);
}

/// The number of a way is typed once. The hub runs what belongs to it in a terminal, and starts the agent again.
#[test]
fn a_way_to_sign_in_is_chosen_once_and_again_when_it_has_failed() {
    let deck = Deck::new();
    let mut words = vec!["agent".to_owned(), "--".to_owned()];
    words.extend(command(&["--terminal-auth"]));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut window = Pty::start(&deck.command(&words), 24, 240);
    let shown = wait_for(&window, 24, 240, "sign in with:");
    assert!(shown.contains("[1] Log in: runs `") && shown.contains("--login` in a new terminal"), "{shown}");
    window.type_in(b"7\r");
    wait_for(&window, 24, 240, "type a number from 1 to 1");
    for (terminal, word) in [("t2", "no"), ("t3", "please")] {
        wait_for(&window, 24, 240, "sign in with:");
        window.type_in(b"1\r");
        wait_for(&window, 24, 240, &format!("in terminal {terminal}"));
        wait_until(&window, 24, 240, "nothing to be chosen", |screen| !screen.contains("sign in with:"));
        // It is for the agent now.
        window.type_in(b"1\r");
        wait_for(&window, 24, 240, "queued: 1");
        deck.wait_until("it asks for the word", SOON, || {
            deck.cli(&["screen", terminal]).text().contains("The word:").then_some(())
        });
        let answer = json!({ "id": terminal, "text": word, "keys": ["Enter"] });
        deck.socket().call("flightdeck.terminal.keys", answer).unwrap();
    }
    wait_for(&window, 24, 240, "You said: 1");
    let listed = deck.json(&["ls", "--all", "--json"]);
    let titles = listed.as_array().unwrap().iter().filter_map(|terminal| terminal["title"].as_str());
    assert_eq!(titles.filter(|title| title.starts_with("Sign in")).count(), 2, "{listed:#}");
}

/// `/cancel` is Ctrl-C in words: the turn ends, and nothing that was queued is said.
#[test]
fn a_cancel_command_drops_what_is_queued() {
    let deck = Deck::new();
    let mut window = window(&deck, 24, 80);
    run(&mut window, &json!([{ "say": "has begun\n" }, { "until_cancelled": true }]));
    wait_for(&window, 24, 80, "\nhas begun");
    window.type_in(b"what comes later\r");
    wait_for(&window, 24, 80, "queued: what comes later");
    window.type_in(b"/cancel\r");
    let shown = wait_until(&window, 24, 80, "cancelled", |screen| screen.contains("\ncancelled\n"));
    assert!(!shown.contains("queued:"), "{shown}");
    window.type_in(b"and now\r");
    wait_for(&window, 24, 80, "You said: and now");
    assert_eq!(prompts(&deck)[1..], ["and now"]);
}

#[test]
fn slash_commands_choose_and_tell() {
    let deck = Deck::new();
    let mut window = window(&deck, 40, 100);
    for (typed, shown) in [
        (&b"/mo"[..], "/model  show or choose the agent's model"),
        (b"de code\r", "mode: code"),
        (b"/model\r", "● small  Small"),
        (b"/model Large\r", "model: Large"),
        (b"/us\t\r", "does not tell what it uses"),
        (b"/nonsense\r", "there is no command /nonsense"),
        (b"/mode fast\r", "there is no mode \"fast\"; there are: ask, code"),
        (b"/help\r", "/demo"),
        (b"/etc/hosts\r", "You said: /etc/hosts"),
        // The turn is over.
        (b"", "done · c1"),
        (b"/cancel\r", "nothing is being done that could be cancelled"),
    ] {
        window.type_in(typed);
        wait_for(&window, 40, 100, shown);
    }
    let read = deck.socket().call("flightdeck.chat.read", json!({ "id": "c1" })).unwrap();
    assert_eq!(read["chat"]["modes"]["current"], "code");
    assert_eq!(read["chat"]["options"][0]["current"], "large");
    assert_eq!(prompts(&deck), ["/etc/hosts"]);
    run(&mut window, &json!([{ "update": { "sessionUpdate": "usage_update", "used": 1200, "size": 200_000 } }]));
    wait_for(&window, 40, 100, "Code · Large · 1.2k of 200.0k tokens (0 %)");
    window.type_in(b"/quit\r");
    assert_eq!(window.exit_code(SOON), 0);
}

#[test]
fn an_agent_that_starts_has_not_told_what_can_be_chosen() {
    let deck = Deck::new();
    let mut words = vec!["agent".to_owned(), "--".to_owned()];
    words.extend(command(&["--silent"]));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut window = Pty::start(&deck.command(&words), 24, 120);
    wait_for(&window, 24, 120, "starting · c1");
    for (typed, shown) in [
        (&b"/mode\r"[..], "is still starting, and has not told its modes"),
        (b"/model large\r", "is still starting, and has not told its models"),
    ] {
        window.type_in(typed);
        wait_for(&window, 24, 120, shown);
    }
}

#[test]
fn a_form_is_asked_field_by_field_and_what_was_said_comes_back_in_the_next_run() {
    let deck = Deck::new();
    let form = json!({
        "mode": "form",
        "message": "Who are you?",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "token": { "type": "string", "title": "Token" },
                "age": { "type": "integer", "title": "Age", "default": 7 },
                "way": { "type": "string", "title": "Way", "enum": ["left", "right"] },
            },
            "required": ["token", "way"],
        },
    });
    let mut first = window(&deck, 30, 90);
    let steps = json!([call("form", "elicitation/create", form)]);
    run(&mut first, &steps);
    // Fields come in the order in which the agent's schema has them, which is that of their names. A space at the end of
    // a row can't be seen.
    let age = "Age (whole number; Enter: 7):";
    let answers = [
        (age, "old", "\"old\" is no whole number"),
        (age, "", "\nToken:"),
        ("\nToken:", "", "Token is required"),
        ("\nToken:", "hunter2-secret", "\nWay:"),
        ("\nWay:", "up", "\"up\" is not on offer"),
        ("\nWay:", "2", "form={"),
    ];
    for (asked, typed, then) in answers {
        wait_for(&first, 30, 90, asked);
        first.type_in(format!("{typed}\r").as_bytes());
        wait_for(&first, 30, 90, then);
    }
    let all = wait_for(&first, 30, 90, "\"accept\"");
    assert!(all.contains("hunter2-secret") && all.contains("right"), "{all}");
    run(&mut first, &steps);
    wait_until(&first, 30, 90, "the form again", |screen| screen.matches("Age (whole").count() == 1);
    first.type_in(b"/cancel\r");
    wait_for(&first, 30, 90, "\"decline\"");
    first.type_in("remember-me 日本\r".as_bytes());
    wait_for(&first, 30, 90, "You said: remember-me");
    first.type_in(b"\x04");
    assert_eq!(first.exit_code(SOON), 0);
    let status = deck.status();
    let history = std::path::Path::new(status["state"].as_str().unwrap()).join("agent_history");
    assert_eq!(std::fs::metadata(&history).unwrap().permissions().mode() & 0o777, 0o600);
    let kept = std::fs::read_to_string(&history).unwrap();
    assert!(kept.contains("remember-me") && !kept.contains("hunter2"), "{kept}");
    let mut next = Pty::start(&deck.command(&["agent", "--resume"]), 30, 90);
    wait_for(&next, 30, 90, "done · c1");
    next.type_in(b"\x1b[A!");
    wait_for(&next, 30, 90, "\n> remember-me 日本!");
    // What is typed is dropped first.
    next.type_in(b"\x03");
    wait_until(&next, 30, 90, "an empty line", |screen| screen.contains("\n>\n"));
    next.type_in(b"\x03");
    wait_for(&next, 30, 90, "Ctrl-C again leaves");
    next.type_in(b"\x03");
    assert_eq!(next.exit_code(SOON), 0);
}

/// A field says what it takes and is asked again at once; nothing of it goes to the hub before it is right.
#[test]
fn the_limits_of_a_form_are_shown_and_checked_at_the_field() {
    let deck = Deck::new();
    let mut window = window(&deck, 30, 90);
    let form = json!({
        "mode": "form",
        "message": "How many?",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "count": { "type": "integer", "title": "Count", "minimum": 1, "maximum": 10 },
                "name": { "type": "string", "title": "Name", "minLength": 2, "maxLength": 3 },
                "some": { "type": "array", "title": "Some", "maxItems": 1, "items": { "type": "string", "enum": ["a", "b"] } },
            },
            "required": ["count", "name", "some"],
        },
    });
    run(&mut window, &json!([call("form", "elicitation/create", form)]));
    let (count, name, some) = (
        "Count (whole number; 1 to 10):",
        "Name (2 to 3 characters):",
        "  several, with commas; at most 1 value\nSome:",
    );
    for (asked, typed, then) in [
        (count, "11", "Count: it must be at most 10"),
        (count, "0", "Count: it must be at least 1"),
        (count, "10", name),
        (name, "anna", "Name: it must have at most 3 characters"),
        (name, "ann", some),
        (some, "a, b", "Some: at most 1 value may be chosen"),
        (some, "b", "form={"),
    ] {
        wait_for(&window, 30, 90, asked);
        window.type_in(format!("{typed}\r").as_bytes());
        wait_for(&window, 30, 90, then);
    }
    let shown = wait_for(&window, 30, 90, "\"accept\"");
    assert!(shown.contains("How many?: answered"), "{shown}");
}

#[test]
fn a_page_is_shown_with_its_host_and_its_end() {
    let deck = Deck::new();
    let go = deck.home().join("go");
    let mut window = window(&deck, 30, 90);
    let url = "https://agent.example.com/connect?next=github.com";
    let page = json!({ "mode": "url", "elicitationId": "one", "url": url, "message": "Let me in." });
    run(
        &mut window,
        &json!([
            call("page", "elicitation/create", page),
            { "until_file": go },
            { "notify": "elicitation/complete", "params": { "elicitationId": "one" } },
        ]),
    );
    let shown = wait_for(&window, 30, 90, "done?");
    assert!(shown.contains(&format!("  open {url}\n  host agent.example.com\n")), "{shown}");
    window.type_in(b"\r");
    let shown = wait_for(&window, 30, 90, "Let me in.: answered");
    assert!(!shown.contains("done on"), "{shown}");
    std::fs::write(&go, "").unwrap();
    wait_for(&window, 30, 90, "Let me in.: done on agent.example.com");
}

/// What is no yes does not tell the agent that it is done.
#[test]
fn a_page_is_accepted_by_a_yes_alone() {
    let deck = Deck::new();
    let mut window = window(&deck, 30, 90);
    let page = json!({
        "mode": "url", "elicitationId": "one", "url": "https://agent.example.com/connect", "message": "Let me in.",
    });
    run(&mut window, &json!([call("page", "elicitation/create", page)]));
    wait_for(&window, 30, 90, "done?");
    window.type_in(b"x\r");
    wait_for(&window, 30, 90, "\"x\" is neither yes nor no: Enter or y says that it is done; n declines");
    wait_for(&window, 30, 90, "done?");
    window.type_in(b"n\r");
    wait_for(&window, 30, 90, "page={\"action\": \"decline\"}");
}

/// A request for a tool call that was never told of: what it says itself is all there is, and all of it is shown.
#[test]
fn a_permission_shows_command_files_and_changes() {
    let deck = Deck::new();
    let mut window = window(&deck, 30, 90);
    let ask = |id: &str, tool: Value| {
        let options = json!([{ "optionId": "yes", "name": "Allow", "kind": "allow_once" }]);
        let mut tool = tool;
        tool["toolCallId"] = json!(id);
        json!([call(id, "session/request_permission", json!({ "toolCall": tool, "options": options }))])
    };
    let change = |old: &str, new: &str| json!([{ "type": "diff", "path": "/w/a.txt", "oldText": old, "newText": new }]);
    let places = json!([{ "path": "/w/a.txt", "line": 1 }, { "path": "/w/b.txt" }]);
    let edit =
        json!({ "title": "Edit", "kind": "edit", "content": change("old\n", "new\u{202e}\n"), "locations": places });
    run(&mut window, &ask("edit", edit));
    let shown = wait_for(&window, 30, 90, "[1] Allow");
    for row in ["? Edit (edit)", "│ /w/a.txt", "│ /w/b.txt", "│ -old", "│ +new\\u{202e}"] {
        assert!(shown.contains(row), "{row:?} is not in\n{shown}");
    }
    wait_for(&window, 30, 90, "answer:");
    window.type_in(b"1\r");
    wait_for(&window, 30, 90, "edit={");
    let run_it = json!({ "title": "Bash", "kind": "execute", "rawInput": { "command": "make\nmake release" } });
    run(&mut window, &ask("run", run_it));
    wait_until(&window, 30, 90, "the command", |screen| screen.contains("? Bash: make (execute)\n  │ make release\n"));
    wait_for(&window, 30, 90, "answer:");
    window.type_in(b"1\r");
    wait_for(&window, 30, 90, "run={");
    // What is higher than the window scrolls up, so that its beginning can be read.
    let long: String = (1..=200).map(|number| format!("line {number}\n")).collect();
    run(&mut window, &ask("long", json!({ "title": "Write", "kind": "edit", "content": change("", &long) })));
    // As on a screen that is high enough for all that has scrolled up.
    let shown = wait_until(&window, 400, 90, "all of it", |screen| {
        screen.contains("│ +line 200") && screen.contains("[1] Allow\nanswer:")
    });
    for row in ["? Write (edit)\n", "│ /w/a.txt\n", "│ +line 1\n", "│ +line 100\n"] {
        assert!(shown.contains(row), "{row:?} is not in\n{shown}");
    }
    window.type_in(b"1\r");
    wait_for(&window, 30, 90, "long={");
}

#[test]
fn an_answer_that_is_none_says_what_can_be_typed() {
    let deck = Deck::new();
    let mut window = window(&deck, 30, 90);
    let options = json!([
        { "optionId": "yes", "name": "Allow", "kind": "allow_once" },
        { "optionId": "no", "name": "Reject", "kind": "reject_once" },
    ]);
    let tool = json!({ "toolCallId": "c", "title": "Edit" });
    run(
        &mut window,
        &json!([call("it", "session/request_permission", json!({ "toolCall": tool, "options": options }))]),
    );
    for (count, typed) in [(1, "x"), (2, "9")] {
        wait_for(&window, 30, 90, "answer:");
        window.type_in(format!("{typed}\r").as_bytes());
        let hint = "type a number from 1 to 2, y, n or the beginning of an answer";
        let shown = wait_until(&window, 30, 90, hint, |screen| screen.matches(hint).count() == count);
        assert!(shown.contains("? Edit"), "{shown}");
    }
    wait_for(&window, 30, 90, "answer:");
    window.type_in(b"2\r");
    wait_for(&window, 30, 90, "it={\"outcome\": {\"outcome\": \"selected\", \"optionId\": \"no\"}}");
}

#[test]
fn the_terminal_is_left_as_it_was_and_no_colour_is_respected() {
    let deck = Deck::new();
    let agent = deck.command(&[]);
    let program = agent.get_program().to_str().unwrap().to_owned();
    let mut shell = std::process::Command::new("/bin/sh");
    let script = format!(
        "before=$(stty -g); {program} agent -- {}; echo \"code=$?\"; [ \"$(stty -g)\" = \"$before\" ] && echo same",
        command(&[]).join(" ")
    );
    shell.args(["-c", &script]).current_dir(deck.workspace()).env_clear();
    shell.envs(agent.get_envs().filter_map(|(name, value)| Some((name, value?)))).env("NO_COLOR", "1");
    let mut window = Pty::start(&shell, 24, 80);
    wait_for(&window, 24, 80, "ready · c1");
    window.type_in(b"[{\"say\": \"**b\\u006fld**\"}]\r");
    wait_for(&window, 24, 80, "\nbold");
    window.type_in(b"\x04");
    window.wait_for("same");
    assert!(window.seen().contains("code=0"), "{}", window.seen());
    assert_eq!(window.exit_code(SOON), 0);
    let coloured = ["\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m", "\x1b[36m", "\x1b[0m"];
    assert!(!coloured.iter().any(|code| window.seen().contains(code)), "{:?}", window.seen());
    assert!(window.seen().contains("\x1b[?2004l"), "{:?}", window.seen());
}
