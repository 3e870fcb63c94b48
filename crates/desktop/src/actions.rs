//! What a person can do in the window, as calls of the hub. QML names the deed; nothing here decides anything.

use flightdeck_contract::approval::AnswerApproval;
use flightdeck_contract::policy::{PolicyChanges, Rehearsed};
use flightdeck_view::link::Link;
use flightdeck_view::policy;
use serde_json::{Value, json};

use crate::window;

/// Does it. What goes wrong is told in passing.
pub fn perform(action: &str, args: &str) {
    let Some(link) = window::link() else { return };
    let args: Value = serde_json::from_str(args).unwrap_or_default();
    crate::log::note(&format!("perform {action}"));
    match action {
        "hub.start" => link.start_hub(),
        "terminal.new" => link.call("flightdeck.terminal.new", args, |created| window::answer("opened", &created)),
        "terminal.end" => link.call("flightdeck.terminal.kill", args, drop),
        "terminal.remove" => link.call("flightdeck.terminal.remove", args, drop),
        "controls.take" => lease(&link, &args, "take"),
        "controls.release" => lease(&link, &args, "release"),
        "answer" => answer(&link, args),
        "consent.set" => consent(&link, &args),
        "policy.show" => link.learn_policy(),
        "policy.test" => test(&link, &args),
        "policy.rehearse" => rehearse(&link, &args),
        "policy.add" => changed(&link, "flightdeck.policy.add", rule(&args)),
        "policy.remove" => changed(&link, "flightdeck.policy.remove", args),
        "policy.changes" => review(&link),
        "policy.accept" => changed(&link, "flightdeck.policy.accept", args),
        "policy.reject" => changed(&link, "flightdeck.policy.reject", json!({})),
        "database.acknowledge" => changed(&link, "flightdeck.hub.acknowledge", json!({})),
        unknown => link.toast("danger", format!("this window knows no {unknown}")),
    }
}

fn lease(link: &Link, args: &Value, action: &str) {
    link.call("flightdeck.terminal.lease", json!({"id": args["id"], "action": action}), drop);
}

fn answer(link: &Link, args: Value) {
    match serde_json::from_value::<AnswerApproval>(args.clone()) {
        Ok(answer) => link.answer(answer.id, args),
        Err(error) => link.toast("danger", format!("that is no answer: {error}")),
    }
}

fn consent(link: &Link, args: &Value) {
    let version = link.deck(|deck| deck.consent.as_ref().map_or(0, |consent| consent.version));
    let args = json!({"allow": args["allow"], "remember": args["remember"], "version": version});
    let again = link.clone();
    link.call("flightdeck.consent.set", args, move |_| again.learn_consent());
}

fn test(link: &Link, args: &Value) {
    let command = args["command"].as_str().unwrap_or_default().to_owned();
    let args = json!({"command": command, "mode": args["mode"]});
    link.call("flightdeck.policy.test", args, move |answer| {
        if let Ok(answer) = serde_json::from_value(answer) {
            window::answer("tested", &policy::tested(&command, &answer));
        }
    });
}

fn rehearse(link: &Link, args: &Value) {
    ask(link, "flightdeck.policy.rehearse", json!({"rule": rule(args)}), "rehearsed", |value| {
        serde_json::from_value::<Rehearsed>(value).ok().map(|found| policy::rehearsed(&found))
    });
}

fn review(link: &Link) {
    ask(link, "flightdeck.policy.changes", json!({}), "changes", |value| {
        serde_json::from_value::<PolicyChanges>(value).ok().map(|found| policy::changes(&found))
    });
}

/// A rule as it was written into the form: its patterns are lines.
fn rule(args: &Value) -> Value {
    let mut rule = args.clone();
    rule["patterns"] = json!(policy::patterns(args["patterns"].as_str().unwrap_or_default()));
    rule
}

/// Changes the rules, and reads them anew. A form is told what is wrong with what it says.
fn changed(link: &Link, command: &'static str, args: Value) {
    let again = link.clone();
    link.ask(command, args, move |result| match result {
        Ok(_) => {
            window::answer("changed", &json!({"command": command}));
            again.learn_policy();
        }
        Err(error) => window::answer("refused", &json!({"why": flightdeck_view::link::in_words(&error)})),
    });
}

fn ask(link: &Link, command: &'static str, args: Value, what: &'static str, shown: fn(Value) -> Option<Value>) {
    link.ask(command, args, move |result| match result {
        Ok(value) => {
            if let Some(value) = shown(value) {
                window::answer(what, &value);
            }
        }
        Err(error) => window::answer("refused", &json!({"why": flightdeck_view::link::in_words(&error)})),
    });
}
