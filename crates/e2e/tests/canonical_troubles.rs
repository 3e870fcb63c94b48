//! The canonical terminal contract when something is in the way: the hub dies, the terminal is in use, nobody is there.

use std::fs;

use flightdeck_e2e::{Agent, Deck, Person, SOON};
use serde_json::{Value, json};

const TOOL: &str = "memory_terminal_interactive";

fn open() -> Value {
    json!({ "action": "execute", "invocation": { "mode": "interactive", "intent": "open_only" } })
}

fn execute(mode: &str, command: &str) -> Value {
    json!({
        "action": "execute",
        "invocation": { "mode": mode, "intent": "execute_command" },
        "execution": { "command": command },
    })
}

fn send(id: &Value, command: &str) -> Value {
    let mut request = execute("interactive", command);
    request["target"] = json!({ "terminal_id": id });
    request
}

#[test]
fn a_hub_that_dies_is_a_lost_connection_in_the_words_of_the_contract() {
    let deck = Deck::new();
    deck.cli(&["ls"]).expect(0);
    let person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let id = agent.call(TOOL, &open())["identity"]["terminal_id"].clone();
    deck.cli(&["policy", "add", "sleep *"]).expect(0);
    let mut request = send(&id, "sleep 1000");
    request["correlation"] = json!({ "trace_id": "trace_own", "client_request_id": "mine" });
    let call = agent.begin(TOOL, &request);
    deck.wait_until("it runs", SOON, || (deck.info(id.as_str()?).foreground.as_deref() == Some("sleep")).then_some(()));
    drop(person);
    deck.kill_hub();
    let answer = agent.result(call);
    assert_eq!((&answer["success"], &answer["status"]), (&json!(false), &json!("failed")), "{answer}");
    assert_eq!(answer["error"]["code"], "PM_TERM_DISCONNECTED", "{answer}");
    assert_eq!(answer["fallback"]["strategy"], "suggest_reconnect_retry", "{answer}");
    assert_eq!(
        (&answer["correlation"]["trace_id"], &answer["correlation"]["client_request_id"]),
        (&json!("trace_own"), &json!("mine"))
    );
    assert_eq!((&answer["action"], &answer["resolved"]["mode"]), (&json!("execute"), &json!("interactive")));
    // What it says to do next works.
    assert_eq!(answer["fallback"]["next_action"], "list", "{answer}");
    let listed = agent.call(TOOL, &json!({ "action": "list" }));
    assert_eq!(listed["result"]["items"][0]["session_id"], id, "{listed}");
    agent.call(TOOL, &json!({ "action": "terminate", "target": { "terminal_id": id } }));
}

#[test]
fn a_terminal_in_use_is_no_time_out() {
    let deck = Deck::new();
    deck.cli(&["ls"]).expect(0);
    let _person = Person::at(&deck);
    deck.cli(&["policy", "add", "sleep *"]).expect(0);
    let mut agent = Agent::new(&deck, "codex");
    let id = agent.call(TOOL, &open())["identity"]["terminal_id"].clone();
    let mut long = send(&id, "sleep 1000");
    long["runtime"] = json!({ "timeout_ms": 100 });
    assert_eq!(agent.call(TOOL, &long)["error"]["code"], "PM_TERM_TIMEOUT");
    let answer = agent.call(TOOL, &send(&id, "pwd"));
    assert_eq!(answer["error"]["code"], "PM_TERM_INTERNAL", "{answer}");
    let details = &answer["error"]["details"];
    assert_eq!(
        (&details["reason"], &answer["error"]["retriable"]),
        (&json!("terminal_busy"), &json!(true)),
        "{answer}"
    );
    assert!(answer["error"]["message"].as_str().unwrap().contains("sleep 1000"), "{answer}");
    assert_eq!(details["trace_id"], answer["correlation"]["trace_id"], "{answer}");
    assert_eq!(answer["fallback"]["next_action"], "execute", "{answer}");
}

/// With a person there who answers nothing: an approval would never come to an end.
#[test]
fn what_is_sent_to_a_program_that_asks_is_its_input() {
    let deck = Deck::new();
    fs::write(deck.workspace().join("ask.sh"), "read -p 'name? ' name; echo \"<$name>\"; exit 3\n").unwrap();
    deck.cli(&["policy", "add", "bash ask.sh"]).expect(0);
    deck.cli(&["policy", "add", "head *"]).expect(0);
    let _person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let id = agent.call(TOOL, &open())["identity"]["terminal_id"].clone();
    for (program, said, exit) in [
        ("bash ask.sh", "<make all>", 3),
        ("head -n 1", "make all\nmake all", 0),
        ("read -p 'name? ' name; echo \"<$name>\"", "<make all>", 0),
    ] {
        let mut begin = send(&id, program);
        begin["runtime"] = json!({ "timeout_ms": 300_000 });
        let begun = agent.begin(TOOL, &begin);
        if program.starts_with("read") {
            // This one is nothing that a rule allows.
            deck.wait_until("it is asked", SOON, || deck.cli(&["approve", "a1"]).text().contains("a1").then_some(()));
        }
        let asks = agent.result(begun);
        assert_eq!((&asks["success"], &asks["status"]), (&json!(true), &json!("accepted")), "{program}: {asks}");
        let result = &asks["result"];
        assert_eq!((&result["input"], &result["running"]), (&json!("line"), &json!(true)), "{program}: {asks}");
        assert!(result["warning"].as_str().unwrap().contains("execute with this identity"), "{program}: {asks}");
        let answer = agent.call(TOOL, &send(&id, "make all"));
        assert_eq!((&answer["success"], &answer["status"]), (&json!(true), &json!("completed")), "{program}: {answer}");
        assert!(answer["result"]["stdout"].as_str().unwrap().contains(said), "{program}: {answer}");
        assert_eq!(answer["result"]["exit_code"], exit, "{program}: {answer}");
        assert!(answer["result"]["warning"].as_str().unwrap().contains("waits for input"), "{program}: {answer}");
    }
    // At the prompt it is a command again.
    let answer = agent.call(TOOL, &send(&id, "pwd"));
    assert_eq!(answer["result"]["exit_code"], 0, "{answer}");
    assert!(answer["result"].get("warning").is_none(), "{answer}");
}

#[test]
fn with_nobody_attached_the_next_call_is_ready_to_be_sent() {
    let deck = Deck::new();
    fs::write(deck.workspace().join("notes"), "one\n").unwrap();
    let mut agent = Agent::new(&deck, "codex");
    let answer = agent.call(TOOL, &execute("interactive", "ls"));
    assert_eq!(answer["error"]["code"], "PM_TERM_GUI_UNAVAILABLE", "{answer}");
    assert_eq!(answer["fallback"]["recommended_mode"], "headless", "{answer}");
    assert!(answer.to_string().len() < 1280, "{} bytes: {answer}", answer.to_string().len());
    let ran = agent.call(TOOL, &answer["fallback"]["request"]);
    assert_eq!(ran["result"]["stdout"], "notes\n", "{ran}");
    // What the request said of folder and time is in it too.
    let mut request = execute("interactive", "ls");
    request["runtime"] = json!({ "cwd": ".", "timeout_ms": 5000 });
    let answer = agent.call(TOOL, &request);
    assert_eq!(answer["fallback"]["request"]["runtime"], json!({ "cwd": ".", "timeout_ms": 5000 }), "{answer}");
    // What would not run headless needs a person, and says what to start.
    for request in [execute("interactive", "touch made"), open()] {
        let answer = agent.call(TOOL, &request);
        assert_eq!(answer["error"]["code"], "PM_TERM_GUI_UNAVAILABLE", "{answer}");
        assert!(answer["fallback"].get("request").is_none(), "{answer}");
        assert_eq!(answer["fallback"]["recommended_mode"], "interactive", "{answer}");
        let message = answer["fallback"]["user_message"].as_str().unwrap();
        assert!(message.contains("flightdeck approve --watch"), "{answer}");
        assert!(answer.to_string().len() < 1220, "{} bytes: {answer}", answer.to_string().len());
    }
}

#[test]
fn a_rule_is_proposed_only_where_one_helps() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    let helps = agent.call(TOOL, &execute("headless", "make test"));
    assert!(helps["error"].to_string().contains("flightdeck policy add"), "{helps}");
    let mut outside = execute("headless", "make test");
    outside["runtime"] = json!({ "cwd": "/" });
    for request in [execute("headless", "rm -rf kept"), outside, execute("headless", "eval \"$x\"")] {
        let answer = agent.call(TOOL, &request);
        assert_eq!(answer["error"]["code"], "PM_TERM_BLOCKED_DESTRUCTIVE", "{answer}");
        assert!(!answer["error"].to_string().contains("policy add"), "{answer}");
    }
}

/// Commands of daily use that headless mode refuses, with words of the true reason and the action that can work next.
const REFUSED: &[(&str, &str, &str)] = &[
    ("cd / && ls", "`cd /` leaves the workspace", "execute"),
    ("cd .. && ls", "`cd ..` leaves the workspace", "execute"),
    ("git status; cd /tmp", "`cd /tmp` leaves the workspace", "execute"),
    ("cd link && ls", "`cd link` goes by a link", "execute"),
    ("cd sub", "only changes the folder", "execute"),
    ("cd", "one literal folder", "execute"),
    ("ls /", "`/` is outside of the workspace", "execute"),
    ("cat /etc/hosts", "`/etc/hosts` is outside of the workspace", "execute"),
    ("cat ../x", "`../x` is outside of the workspace", "execute"),
    ("rg TODO /usr", "`/usr` is outside of the workspace", "execute"),
    ("cat < /etc/hosts", "`/etc/hosts` is outside of the workspace", "execute"),
    ("cat .env", "`.env` usually holds secrets", "execute"),
    ("npm test", "flightdeck policy add 'npm test *'", "execute"),
    ("npm install", "flightdeck policy add --network 'npm install'", "execute"),
    ("git push", "flightdeck policy add --network 'git push'", "execute"),
    ("make", "flightdeck policy add 'make'", "execute"),
    ("cd sub && make", "flightdeck policy add 'make'", "execute"),
    ("mkdir out", "flightdeck policy add 'mkdir out'", "execute"),
    ("X=1 ls", "the variable X", "execute"),
    ("echo hi > made", "it redirects input or output", "execute"),
    ("echo $HOME", "it holds an expansion", "execute"),
    ("ls ~", "a home folder", "execute"),
    ("cat ~/.bashrc", "nothing outside of the workspace", "execute"),
    ("x=5; echo $x", "`x=` only sets a variable; write its value where it is used", "execute"),
    ("x=5", "`x=` only sets a variable", "execute"),
    ("umask", "`umask` changes the shell or what comes after it; leave it out", "execute"),
    ("ls &", "in the background", "execute"),
    ("for i in 1 2; do ls; done", "`for` changes the shell or what comes after it; send the commands in it", "execute"),
    ("export A=1", "a shell of its own", "execute"),
    ("rm -rf sub", "rm deletes sub", "none"),
    ("sudo ls", "sudo acts with the rights of somebody else", "none"),
    ("git push --force", "git push overwrites", "none"),
    ("find . -name x -delete", "find deletes", "none"),
    ("sh -c 'ls'", "no narrow rule could", "none"),
    ("env", "no narrow rule could", "none"),
    ("tee made < notes", "no rule could", "none"),
    ("rm -rf /", "nobody can allow this", "none"),
];

#[test]
fn a_headless_refusal_is_short_and_says_the_one_thing_that_can_work() {
    let deck = Deck::new();
    fs::create_dir(deck.workspace().join("sub")).unwrap();
    std::os::unix::fs::symlink("sub", deck.workspace().join("link")).unwrap();
    let mut agent = Agent::new(&deck, "codex");
    for (command, reason, next) in REFUSED {
        let answer = agent.call(TOOL, &execute("headless", command));
        let (error, fallback) = (&answer["error"], &answer["fallback"]);
        assert_eq!(error["code"], "PM_TERM_BLOCKED_DESTRUCTIVE", "{command}: {answer}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(reason), "{command}: {answer}");
        assert_eq!(fallback["next_action"], *next, "{command}: {answer}");
        let advice = fallback["user_message"].as_str().unwrap();
        let words = message.len() + advice.len() + error["details"].to_string().len();
        assert!(words < 400, "{words} bytes for {command}: {answer}");
        assert!(!message.contains("interactive"), "{command}: {answer}");
        let needs_a_person = advice.contains("interactive");
        assert_eq!(needs_a_person, advice.contains("flightdeck approve --watch"), "nobody is there: {answer}");
        assert!(!(needs_a_person && message.contains("policy add")), "one thing: {answer}");
    }
    // With somebody there, that is the way.
    let _person = Person::at(&deck);
    let answer = agent.call(TOOL, &execute("headless", "rm -rf sub"));
    let fallback = &answer["fallback"];
    assert_eq!((&fallback["next_action"], &fallback["recommended_mode"]), (&json!("execute"), &json!("interactive")));
    assert!(!fallback["user_message"].as_str().unwrap().contains("approve --watch"), "{answer}");
    assert!(deck.workspace().join("sub").is_dir());
}

#[test]
fn list_and_read_output_say_the_same_of_a_session() {
    let deck = Deck::new();
    deck.cli(&["ls"]).expect(0);
    let _person = Person::at(&deck);
    deck.cli(&["policy", "add", "sleep *"]).expect(0);
    let mut agent = Agent::new(&deck, "codex");
    let opened = agent.call(TOOL, &open())["identity"]["terminal_id"].clone();
    let ended = agent.call(TOOL, &execute("interactive", "ls missing"))["identity"]["terminal_id"].clone();
    let mut long = execute("interactive", "sleep 1000");
    long["runtime"] = json!({ "timeout_ms": 300 });
    let running = agent.call(TOOL, &long)["identity"]["terminal_id"].clone();
    let listed = agent.call(TOOL, &json!({ "action": "list" }));
    for (id, runs, exit) in [(&opened, true, Value::Null), (&ended, false, json!(2)), (&running, true, Value::Null)] {
        let items = listed["result"]["items"].as_array().unwrap();
        let item = items.iter().find(|item| item["terminal_id"] == *id).unwrap();
        let read = agent.call(TOOL, &json!({ "action": "read_output", "target": { "terminal_id": id } }));
        assert_eq!(item["running"], runs, "{item}");
        assert_eq!(
            (&item["running"], item.get("exit_code")),
            (&read["result"]["running"], read["result"].get("exit_code"))
        );
        assert_eq!((item["exit_code"].clone(), &item["open"]), (exit, &json!(true)), "{item}");
    }
}

#[test]
fn many_commands_leave_few_shells_and_all_their_output() {
    let deck = Deck::new();
    deck.cli(&["ls"]).expect(0);
    let _person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let opened = agent.call(TOOL, &open())["identity"]["terminal_id"].clone();
    let ids: Vec<Value> = (0..12)
        .map(|n| agent.call(TOOL, &execute("interactive", &format!("echo {n}")))["identity"]["terminal_id"].clone())
        .collect();
    deck.wait_until("the oldest are ended", SOON, || {
        let listed = agent.call(TOOL, &json!({ "action": "list" }));
        let items = listed["result"]["items"].as_array().unwrap();
        let open = items.iter().filter(|item| item["open"] == true && ids.contains(&item["terminal_id"]));
        (open.count() <= 4).then_some(())
    });
    // The newest are there for a follow-up, and so is what was opened to stay.
    for id in [&opened, &ids[11]] {
        let answer = agent.call(TOOL, &send(id, "echo again"));
        assert_eq!(answer["result"]["stdout"], "again\n", "{answer}");
    }
    for (n, id) in ids[..8].iter().enumerate() {
        let read = agent.call(TOOL, &json!({ "action": "read_output", "target": { "terminal_id": id } }));
        let result = &read["result"];
        assert_eq!((&result["stdout"], &result["exit_code"]), (&json!(format!("{n}\n")), &json!(0)), "{read}");
        assert_eq!(result["running"], false, "{read}");
    }
}

/// Each is busy while the others are looked at.
#[test]
fn shells_that_are_slow_to_come_back_leave_few_too() {
    let deck = Deck::new();
    fs::write(deck.home().join(".bashrc"), "PROMPT_COMMAND='sleep 0.5'\n").unwrap();
    deck.cli(&["ls"]).expect(0);
    let _person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let calls: Vec<u64> = (0..7).map(|n| agent.begin(TOOL, &execute("interactive", &format!("echo {n}")))).collect();
    let ids: Vec<Value> = calls.into_iter().map(|call| agent.result(call)["identity"]["terminal_id"].clone()).collect();
    deck.wait_until("the oldest are ended", SOON, || {
        let listed = agent.call(TOOL, &json!({ "action": "list" }));
        let items = listed["result"]["items"].as_array().unwrap();
        let open = items.iter().filter(|item| item["open"] == true && ids.contains(&item["terminal_id"]));
        (open.count() <= 4).then_some(())
    });
}
