//! By which door somebody comes decides whether they are a person, and the audit log says which it was.

use flightdeck_e2e::{Agent, Deck, Http, SOON, browser};
use serde_json::{Value, json};

/// Who called a command by which way, as the audit log has it.
fn callers(deck: &Deck, command: &str) -> Vec<(String, String)> {
    let listed = deck.cli(&["audit", "--json", "--command", command]).expect(0).text();
    let text = |entry: &Value, field: &str| entry[field].as_str().unwrap().to_owned();
    let entries = listed.lines().map(|line| serde_json::from_str(line).unwrap());
    entries.map(|entry: Value| (text(&entry, "actor"), text(&entry, "surface"))).collect()
}

#[test]
fn each_door_has_a_name_and_each_browser_a_number() {
    const STATE: &str = "flightdeck.workbench.state";
    let deck = Deck::new();
    let (first, second, ide) = (browser(&deck), browser(&deck), Http::of(&deck));
    for http in [&first, &second, &first, &ide] {
        assert_eq!(http.get("/openspace/state").status, 200);
    }
    deck.cli(&["call", STATE, "{}"]).expect(0);
    let mut seen = callers(&deck, STATE);
    seen.sort();
    let expected = [
        ("cli:pilot", "control"),
        ("ide#0", "http/token"),
        ("web:1", "http/cookie"),
        ("web:1", "http/cookie"),
        ("web:2", "http/cookie"),
    ];
    assert_eq!(seen, expected.map(|(actor, way)| (actor.to_owned(), way.to_owned())));
}

#[test]
fn a_cookie_is_worth_nothing_inside_of_a_terminal() {
    let deck = Deck::new();
    let http = browser(&deck);
    let cookie = &http.headers.iter().find(|(name, _)| name == "Cookie").unwrap().1;
    let mut agent = Agent::new(&deck, "sly");
    let made = agent.ok("flightdeck.terminal.new", &json!({}));
    let id = made["data"]["id"].as_str().unwrap().to_owned();
    deck.at_prompt(&id);
    // Bash alone can speak HTTP, so the test needs no other program.
    let (host, port) = http.address.split_once(':').unwrap();
    let request = format!(
        "GET /openspace/state HTTP/1.1\\r\\nHost: {}\\r\\nCookie: {cookie}\\r\\nConnection: close\\r\\n\\r\\n",
        http.address
    );
    let script = format!("exec 9<>/dev/tcp/{host}/{port}; printf '{request}' >&9; cat <&9");
    let path = deck.workspace().join("ask.sh");
    std::fs::write(&path, script).unwrap();
    let ran = agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "bash ask.sh" }));
    let output = ran.to_string();
    assert!(output.contains("403") && output.contains("is for people only"), "{output}");
    deck.wait_until("the audit log has it", SOON, || {
        let way = format!("http/inside-{id}");
        let found = callers(&deck, "flightdeck.workbench.state").into_iter().find(|(_, surface)| *surface == way)?;
        (found.0 == format!("program in {id}#0")).then_some(())
    });
}
