//! Bad input in volume: whatever a client sends as arguments, it gets a structured answer, and the hub goes on.

use flightdeck_e2e::{Agent, Deck};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};

/// No words of a shell in here: some of it is run.
fn hostile() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(18_446_744_073_709_551_615_u64),
        json!(1e300),
        json!(""),
        json!("\u{0}"),
        json!("\u{1b}]0;x\u{7}\u{1b}[2J"),
        json!("../../../../x"),
        json!("t0"),
        json!("t4294967296"),
        json!("\u{202e}\u{feff}🙂é"),
        json!("(((((((((((((((((((((x*)*)*)*)*)*)*)*"),
        json!("x".repeat(1 << 20)),
        json!([]),
        json!([[[[[[[[[[]]]]]]]]]]),
        json!({}),
        json!({ "rows": 0, "cols": 65536 }),
        json!({ "rows": -1 }),
        json!(vec!["x"; 10_000]),
    ]
}

struct Client {
    agent: Agent,
    tools: Vec<(String, Map<String, Value>, Vec<String>)>,
    terminal: Value,
    tab: Value,
}

impl Client {
    fn new(deck: &Deck) -> Self {
        deck.settings("[limits]\nburst = 1000000.0\n");
        let terminal = json!(deck.shell("bash"));
        let mut agent = Agent::new(deck, "hostile");
        let listed = agent.request("tools/list", &json!({}));
        let tools = listed["result"]["tools"].as_array().unwrap().iter().map(|tool| {
            let schema = &tool["inputSchema"];
            let fields = schema["properties"].as_object().unwrap().clone();
            let required = schema["required"].as_array().into_iter().flatten();
            (
                tool["name"].as_str().unwrap().to_owned(),
                fields,
                required.map(|name| name.as_str().unwrap().to_owned()).collect(),
            )
        });
        let tools = tools.collect();
        let tab = agent.call("create_tab", &json!({}))["window_id"].clone();
        Client { agent, tools, terminal, tab }
    }

    /// Arguments that would work, and soon: a number of milliseconds is small.
    fn good(&self, tool: usize) -> Map<String, Value> {
        let (tool, fields, required) = &self.tools[tool];
        let value = |name: &str| match name {
            "id" | "terminalId" => self.terminal.clone(),
            "window_id" => self.tab.clone(),
            "size" => json!({ "rows": 24, "cols": 80 }),
            "signal" => json!("WINCH"),
            "ranges" => json!([{ "startLine": 1, "endLine": 1 }]),
            "type" => json!("editor"),
            "action" if tool.starts_with("memory_") => json!("list"),
            "line" | "timeoutMs" | "timeout_ms" | "quietMs" => json!(1),
            _ => json!("x"),
        };
        let wanted = |name: &&String| {
            required.contains(name) || *name == "timeoutMs" || (tool == "execute_command" && *name == "timeout_ms")
        };
        fields.keys().filter(wanted).map(|name| (name.clone(), value(name))).collect()
    }

    /// Calls, and checks the form of the answer; what it says is up to the tool.
    fn call(&mut self, tool: usize, args: &Value) -> Value {
        let name = self.tools[tool].0.clone();
        let id = self.agent.begin(&name, args);
        let answer = self.agent.answer(id);
        if let Some(error) = answer.get("error") {
            assert!(error["code"].is_i64() && !error["message"].as_str().unwrap().is_empty(), "{name}: {answer}");
            return json!({ "success": false });
        }
        let mut result = answer["result"]["structuredContent"].clone();
        if answer["result"]["content"][1]["type"] == "image" {
            assert!(result.is_null(), "a picture comes alone: {answer:.2000}");
            result = serde_json::from_str(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
        }
        // The tab tools give bare objects: one that has a code is a failure.
        let bare = !name.contains('.') && !name.starts_with("memory_");
        let failed = if bare { result["code"].is_string() } else { result["success"] == false };
        assert!(failed || bare || result["success"] == true, "{name}: {answer}");
        assert_eq!(answer["result"]["isError"] == true, failed, "{name}: {answer}");
        if failed {
            let (code, words) = told(&result);
            assert!(!words.is_empty() && !code.is_empty(), "{name}: {answer}");
            // The terminal contract has the same code for what is only in use.
            let reason = &result["error"]["details"]["reason"];
            assert!(code != "internal" && (code != "PM_TERM_INTERNAL" || reason != "internal"), "{name}: {answer}");
        }
        result
    }
}

/// The code and the words of a failure, in either form: the envelope's, or that of the canonical contract.
fn told(failure: &Value) -> (String, String) {
    let (code, words) = match &failure["error"] {
        Value::Object(error) => (error["code"].clone(), error["message"].clone()),
        words => (failure["code"].clone(), words.clone()),
    };
    (code.as_str().unwrap_or_default().to_owned(), words.as_str().unwrap_or_default().to_owned())
}

#[test]
fn every_field_of_every_tool_with_every_bad_value() {
    let deck = Deck::new();
    let mut tools = Client::new(&deck);
    let hub = deck.hub_pid();
    for tool in 0..tools.tools.len() {
        let (name, fields, required) = tools.tools[tool].clone();
        // These end or leave behind what the others work with.
        let ends = ["kill", "close", "lease"].iter().any(|word| name.ends_with(word));
        for field in &required {
            let mut args = tools.good(tool);
            args.remove(field);
            let refused = tools.call(tool, &Value::Object(args));
            let (code, words) = told(&refused);
            let codes = ["invalid_argument", "PM_TERM_INVALID_PAYLOAD"];
            assert!(codes.contains(&code.as_str()), "{name} without {field}: {refused}");
            assert!(words.contains(field.as_str()), "{name} without {field}: {refused}");
        }
        for field in fields.keys() {
            for value in hostile() {
                // Left out it is 30 s.
                let lasts = field.starts_with("timeout") && value.as_f64().map_or(value.is_null(), |ms| ms > 1.0);
                if lasts || ends && field != "id" && field != "terminalId" {
                    continue;
                }
                let mut args = tools.good(tool);
                args.insert(field.clone(), value);
                tools.call(tool, &Value::Object(args));
            }
        }
        // The document of the tab tools lets callers send more than it names.
        if !name.contains('.') && !name.starts_with("memory_") {
            continue;
        }
        let mut args = tools.good(tool);
        args.insert("noSuchField".into(), json!(1));
        let refused = tools.call(tool, &Value::Object(args));
        assert!(told(&refused).1.contains("noSuchField"), "{name}: {refused}");
    }
    assert_eq!(deck.hub_pid(), hub, "the same hub is still there");
    let alive = tools.agent.ok("flightdeck.terminal.run", &json!({ "command": "echo alive" }));
    assert_eq!(alive["output"], "alive\n");
    deck.cli(&["audit", "verify"]).expect(0);
}

#[test]
fn any_mixture_of_bad_values_gets_a_structured_answer() {
    let deck = Deck::new();
    let mut tools = Client::new(&deck);
    let hub = deck.hub_pid();
    let count = hostile().len();
    let strategy =
        (any::<prop::sample::Index>(), prop::collection::vec((any::<prop::sample::Index>(), 0..count), 1..5));
    let mut runner = TestRunner::new(Config { cases: 150, failure_persistence: None, ..Config::default() });
    let tools = std::cell::RefCell::new(&mut tools);
    let ran = runner.run(&strategy, |(tool, changes)| {
        let mut tools = tools.borrow_mut();
        let tool = tool.index(tools.tools.len());
        let (name, fields, _) = tools.tools[tool].clone();
        if name.ends_with("lease") || fields.is_empty() {
            return Ok(());
        }
        let mut args = tools.good(tool);
        for (field, value) in changes {
            let field = fields.keys().nth(field.index(fields.len())).unwrap();
            if !field.starts_with("timeout") {
                args.insert(field.clone(), hostile()[value].clone());
            }
        }
        tools.call(tool, &Value::Object(args));
        Ok(())
    });
    ran.unwrap();
    assert_eq!(deck.hub_pid(), hub);
}

#[test]
fn arguments_that_are_no_object_are_refused() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "hostile");
    for args in [json!([]), json!("x"), json!(3), json!([{ "command": "true" }])] {
        let answer = agent.request("tools/call", &json!({ "name": "flightdeck.terminal.list", "arguments": args }));
        let refused = answer.get("error").is_some() || answer["result"]["isError"] == true;
        assert!(refused, "{args}: {answer}");
    }
    for name in [json!("nope"), json!(""), json!(7), json!("flightdeck.terminal.attach"), json!("flightdeck.hub.stop")]
    {
        let answer = agent.request("tools/call", &json!({ "name": name, "arguments": {} }));
        assert!(answer.get("error").is_some(), "{name}: {answer}");
    }
    agent.ok("flightdeck.terminal.list", &json!({}));
}
