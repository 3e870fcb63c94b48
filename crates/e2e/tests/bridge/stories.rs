//! What the bridge is for: an agent in a container asks, a person on the host decides, and it runs there.

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::{Value, json};

use super::{Pair, TOOL, execute, named, printed};

#[test]
fn a_request_from_the_container_is_decided_and_run_on_the_host() {
    let pair = Pair::new();
    let (mut person, mut agent) = (pair.person(), pair.agent("codex"));
    let asked = agent.begin(TOOL, &named("touch made; echo on-$(cat where); (exit 3)", "walk"));
    std::fs::write(pair.host.workspace().join("where"), "host").unwrap();
    std::fs::write(pair.container.workspace().join("where"), "container").unwrap();
    let approval = person.asked();
    // A person sees whose it is and where it comes from.
    assert!(approval.agent.starts_with("codex@box#"), "{approval:?}");
    let origin = approval.origin.clone().unwrap();
    let workspace = pair.container.workspace().to_string_lossy().into_owned();
    assert_eq!((origin.container.as_str(), origin.workspace, origin.address.as_str()), ("box", workspace, "10.77.0.2"));
    let shown = pair.host.cli(&["approve", "--list"]).expect(0).text();
    assert!(shown.contains("container box") && shown.contains("10.77.0.2"), "{shown}");
    assert!(!pair.host.workspace().join("made").exists());
    person.answer(json!({ "id": approval.id, "choice": "approve" })).unwrap();
    let answer = agent.result(asked);
    printed(&answer, "on-host\n", 3);
    assert!(pair.host.workspace().join("made").exists() && !pair.container.workspace().join("made").exists());
    assert_eq!(answer["correlation"]["trace_id"], "trace_walk");
    // Both logs have it under the same name, and both say how it ended.
    for (deck, actor) in [(&pair.container, "codex#"), (&pair.host, "codex@box#")] {
        let entry = audited(deck, "trace_walk");
        assert!(entry["actor"].as_str().unwrap().starts_with(actor), "{entry}");
        assert_eq!(entry["result"], "ok", "{entry}");
    }
    assert_eq!(audited(&pair.host, "trace_walk")["surface"], "bridge/token");
}

fn audited(deck: &Deck, trace: &str) -> Value {
    let text = deck.cli(&["audit", "--json", "--limit", "100"]).expect(0).text();
    let entries: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    entries.iter().find(|entry| entry["trace"] == trace).unwrap_or_else(|| panic!("no {trace} in {text}")).clone()
}

#[test]
fn what_runs_on_the_host_is_listed_read_and_ended_from_the_container() {
    let pair = Pair::new();
    let (_person, mut agent) = (pair.person(), pair.agent("codex"));
    let open = json!({ "action": "execute", "invocation": { "mode": "interactive", "intent": "open_only" } });
    let opened = agent.ok(TOOL, &open);
    let id = opened["identity"]["terminal_id"].as_str().unwrap().to_owned();
    assert!(id.starts_with("host:t"), "{opened}");
    let mut send = execute("echo in-42");
    send["target"] = json!({ "terminal_id": id });
    printed(&agent.call(TOOL, &send), "in-42\n", 0);
    let on = |action: &str| json!({ "action": action, "target": { "session_id": id } });
    assert_eq!(agent.ok(TOOL, &on("read_output"))["result"]["stdout"], "in-42\n");
    let listed = agent.ok(TOOL, &json!({ "action": "list" }));
    assert_eq!(listed["result"]["items"][0]["terminal_id"], json!(id), "{listed}");
    // Another agent of the same container does not see it.
    let mut other = pair.agent("claude");
    assert_eq!(other.ok(TOOL, &json!({ "action": "list" }))["result"]["items"], json!([]));
    assert_eq!(other.call(TOOL, &on("read_output"))["error"]["code"], "PM_TERM_NOT_FOUND");
    assert_eq!(agent.ok(TOOL, &on("terminate"))["result"]["running"], false);
    let gone = agent.call(TOOL, &send);
    assert_eq!(gone["error"]["code"], "PM_TERM_NOT_FOUND", "{gone}");
    // A name without the host's mark is one of the container, where nothing interactive is.
    send["target"] = json!({ "terminal_id": "t1" });
    assert_eq!(agent.call(TOOL, &send)["error"]["code"], "PM_TERM_NOT_FOUND");
    // What is headless stays in the container.
    let mut headless = execute("pwd");
    headless["invocation"]["mode"] = json!("headless");
    let answer = agent.ok(TOOL, &headless);
    assert_eq!(answer["result"]["stdout"], json!(format!("{}\n", pair.container.workspace().display())));
}

/// What is told while a call is under way names the host's things as the answer does: `t1` alone is one of the container.
#[test]
fn progress_names_what_is_on_the_host() {
    let pair = Pair::new();
    let (mut person, mut agent) = (pair.person(), pair.agent("codex"));
    let asked = agent.begin(TOOL, &execute("echo begun; until [ -e go ]; do sleep 0.05; done"));
    let token = format!("p{asked}");
    let is_progress = |message: &Value| message["params"]["progressToken"] == token;
    let begins = |message: &Value, beginning: &str| {
        let is_said = |text: &str| text.starts_with(beginning);
        is_progress(message) && message["params"]["message"].as_str().is_some_and(is_said)
    };
    let approval = person.asked();
    let waits = format!("host:{} ", approval.id);
    agent.message("that it waits", |message| begins(message, &waits));
    person.answer(json!({ "id": approval.id, "choice": "approve" })).unwrap();
    let runs = agent.message("that it runs", |message| begins(message, "host:t"));
    std::fs::write(pair.host.workspace().join("go"), "").unwrap();
    let answer = agent.result(asked);
    let id = answer["identity"]["terminal_id"].as_str().unwrap();
    let text = runs["params"]["message"].as_str().unwrap();
    assert!(text.starts_with(&format!("{id} ")), "{text}");
    let all: Vec<Value> = agent.messages().into_iter().filter(is_progress).collect();
    let is_named = |told: &Value| {
        let text = told["params"]["message"].as_str().unwrap();
        !text.starts_with('t') && !text.starts_with('a')
    };
    assert!(all.iter().all(is_named), "{all:?}");
}

#[test]
fn a_no_reaches_the_container_and_the_hosts_policy_has_the_last_word() {
    let pair = Pair::new();
    let (mut person, mut agent) = (pair.person(), pair.agent("codex"));
    let asked = agent.begin(TOOL, &execute("touch made"));
    person.decline_next("not today");
    let answer = agent.result(asked);
    super::failed(&answer, "PM_TERM_DECLINED");
    assert!(answer["error"]["message"].as_str().unwrap().contains("not today"), "{answer}");
    // The container may allow what it likes: it is the host that is asked.
    pair.container.cli(&["policy", "add", "touch *"]).expect(0);
    let asked = agent.begin(TOOL, &execute("touch made"));
    person.decline_next("still not");
    super::failed(&agent.result(asked), "PM_TERM_DECLINED");
    super::failed(&agent.call(TOOL, &execute("rm -rf /")), "PM_TERM_BLOCKED_DESTRUCTIVE");
    pair.host.cli(&["policy", "add", "touch *"]).expect(0);
    printed(&agent.call(TOOL, &execute("touch made")), "", 0);
    assert_eq!(pair.count("made"), 0);
    assert!(pair.host.workspace().join("made").exists());
}

#[test]
fn what_the_agent_gives_up_is_stopped_on_the_host() {
    let pair = Pair::new();
    let (mut person, mut agent) = (pair.person(), pair.agent("codex"));
    let asked = agent.begin(TOOL, &execute("touch begun; sleep 1000"));
    person.approve_next();
    pair.wait_for_file("begun");
    let sleeps = || pair.host.processes().iter().any(|process| process.command == "sleep 1000");
    pair.host.wait_until("it sleeps", SOON, || sleeps().then_some(()));
    agent.notify("notifications/cancelled", &json!({ "requestId": asked }));
    pair.host.wait_until("it is stopped", SOON, || (!sleeps()).then_some(()));
    // A question is withdrawn in the same way.
    let asked = agent.begin(TOOL, &execute("touch never"));
    person.asked();
    agent.notify("notifications/cancelled", &json!({ "requestId": asked }));
    pair.host.wait_until("nothing waits", SOON, || waits_nothing(&pair).then_some(()));
    assert!(!pair.host.workspace().join("never").exists());
}

fn waits_nothing(pair: &Pair) -> bool {
    pair.host.json(&["approve", "--list", "--json"])["approvals"] == json!([])
}

#[test]
fn two_containers_have_names_and_sessions_of_their_own() {
    let (pair, other) = (Pair::new(), Deck::new());
    let mut person = pair.person();
    pair.start_in_container(&other, &[("PM_INTERACTIVE_TERMINAL_CONTAINER_NAME", "cell")]);
    let (mut one, mut two) = (pair.agent("codex"), Agent::new(&other, "codex"));
    // The same name for a request is no mistake: they are different clients.
    let asked = (one.begin(TOOL, &named("touch one", "same")), two.begin(TOOL, &named("touch two", "same")));
    let mut from = [person.approve_next(), person.approve_next()].map(|approval| approval.origin.unwrap().container);
    from.sort();
    assert_eq!(from, ["box", "cell"]);
    let answers = [one.result(asked.0), two.result(asked.1)];
    assert!(answers.iter().all(|answer| answer["success"] == true), "{answers:?}");
    for (agent, own) in [(&mut one, &answers[0]), (&mut two, &answers[1])] {
        let listed = agent.ok(TOOL, &json!({ "action": "list" }));
        let items = listed["result"]["items"].as_array().unwrap();
        assert_eq!(items.len(), 1, "{listed}");
        assert_eq!(items[0]["session_id"], own["identity"]["session_id"], "{listed}");
    }
    assert!(["one", "two"].iter().all(|name| pair.host.workspace().join(name).exists()));
}

#[test]
fn sixteen_sessions_at_once_keep_apart() {
    let pair = Pair::new();
    let _person = pair.person();
    pair.host.cli(&["policy", "add", "echo *"]).expect(0);
    let mut agents: Vec<Agent> = (0..4).map(|n| pair.agent(&format!("agent{n}"))).collect();
    let mut calls = Vec::new();
    for (n, agent) in agents.iter_mut().enumerate() {
        for m in 0..4 {
            calls.push((n, m, agent.begin(TOOL, &execute(&format!("echo from-{n}-{m}")))));
        }
    }
    let mut made = std::collections::BTreeSet::new();
    for (n, m, call) in calls {
        let answer = agents[n].result(call);
        printed(&answer, &format!("from-{n}-{m}\n"), 0);
        made.insert(answer["identity"]["session_id"].to_string());
    }
    assert_eq!(made.len(), 16, "{made:?}");
}
