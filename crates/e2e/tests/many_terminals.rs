//! What is asked about many terminals at once costs one look at the machine, not one for each of them.

use flightdeck_e2e::{Agent, Deck, Http};
use serde_json::json;

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
