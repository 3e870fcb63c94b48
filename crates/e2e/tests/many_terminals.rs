//! What is asked about many terminals at once costs one look at the machine, not one for each of them, and the answer has
//! bounds.

use flightdeck_e2e::{Agent, Deck, Http};
use serde_json::{Value, json};

const MANY: usize = 30;

/// How often the hub has looked through all processes.
fn looks(http: &Http) -> u64 {
    let text = http.get("/metrics").text();
    let line =
        text.lines().find(|line| line.starts_with("flightdeck_process_looks ")).unwrap_or_else(|| panic!("{text}"));
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn a_list_of_many_takes_one_look() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "many");
    for _ in 0..MANY {
        // It reads nothing, so whether another of its group does has to be found out.
        agent.ok("flightdeck.terminal.new", &json!({ "command": ["sleep", "1000"] }));
    }
    let http = Http::of(&deck);
    let cost = |what: &str, ask: &mut dyn FnMut()| {
        let before = looks(&http);
        ask();
        let taken = looks(&http) - before;
        assert!((1..=2).contains(&taken), "{what}: {taken} looks for {MANY} terminals");
    };
    cost("ls", &mut || drop(deck.cli(&["ls"]).expect(0)));
    for tool in ["flightdeck.terminal.list", "openspace.terminal.list"] {
        cost(tool, &mut || drop(agent.ok(tool, &json!({}))));
    }
    cost("resources/list", &mut || drop(agent.request("resources/list", &json!({}))));
    cost("instructions", &mut || {
        drop(agent.request("resources/read", &json!({ "uri": "flightdeck://instructions" })));
    });
}

fn ids(listed: &Value) -> Vec<String> {
    listed["terminals"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_long_list_comes_in_pages_that_say_what_they_leave_out() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "many");
    let mut made: Vec<String> = Vec::new();
    for _ in 0..60 {
        let new = agent.ok("flightdeck.terminal.new", &json!({ "command": ["sleep", "1000"] }));
        made.push(new["data"]["id"].as_str().unwrap().to_owned());
    }
    deck.cli(&["kill", &made[59]]).expect(0);
    made.remove(59);
    made.reverse();
    for tool in ["flightdeck.terminal.list", "openspace.terminal.list"] {
        let data = |answer: Value| if answer["data"].is_object() { answer["data"].clone() } else { answer };
        let first = data(agent.ok(tool, &json!({})));
        assert!(first.to_string().len() < 25_000, "{} bytes", first.to_string().len());
        assert_eq!((ids(&first).as_slice(), &first["more"]), (&made[..50], &json!(9)), "{first}");
        let second = data(agent.ok(tool, &json!({ "after": first["next"] })));
        assert_eq!(ids(&second), made[50..], "{second}");
        assert!(second["next"].is_null() && second["more"].is_null(), "{second}");
        let few = data(agent.ok(tool, &json!({ "limit": 2 })));
        assert_eq!((ids(&few).as_slice(), &few["more"]), (&made[..2], &json!(57)), "{few}");
        for wrong in [json!({ "limit": 0 }), json!({ "after": "t1" })] {
            assert_eq!(agent.call(tool, &wrong)["code"], "invalid_argument", "{wrong}");
        }
    }
    // Those that run come before those that have ended.
    let all = agent.ok("flightdeck.terminal.list", &json!({ "all": true, "limit": 500 }));
    assert_eq!(ids(&all["data"]).len(), 60);
    assert_eq!(ids(&all["data"])[..59], made[..], "{all}");
    // People see all of it, the oldest first.
    let listed = deck.json(&["ls", "--json"]);
    assert_eq!(listed.as_array().unwrap().len(), 59);
    assert_eq!(listed[0]["id"], json!(made[58]));
    // Resources have pages too.
    let (mut found, mut cursor, mut pages) = (0, json!(null), 0);
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({ "cursor": cursor }) };
        let page = agent.request("resources/list", &params)["result"].clone();
        assert!(page.to_string().len() < 25_000, "{} bytes", page.to_string().len());
        found += page["resources"].as_array().unwrap().len();
        pages += 1;
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!((found, pages), (1 + 2 * 59, 2));
}

#[test]
fn the_contracts_list_leaves_out_the_oldest_and_says_so() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "many");
    let request = json!({
        "action": "execute",
        "invocation": { "mode": "headless", "intent": "execute_command" },
        "execution": { "command": "pwd" },
    });
    for _ in 0..52 {
        assert_eq!(agent.call("memory_terminal_interactive", &request)["success"], true);
    }
    let listed = agent.call("memory_terminal_interactive", &json!({ "action": "list" }));
    let items = listed["result"]["items"].as_array().unwrap();
    assert_eq!((items.len(), &items[0]["session_id"]), (50, &json!("t52")), "{listed}");
    let warning = listed["result"]["warning"].as_str().unwrap();
    assert!(warning.starts_with("2 older sessions") && warning.contains("flightdeck.terminal.list"), "{warning}");
}
