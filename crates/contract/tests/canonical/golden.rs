//! Requests and what becomes of them, from files. `UPDATE_GOLDEN=1` writes `get` anew from `send`: look at it.
//!
//! A case has `send`, and may have `tool`, `phase`, `succeed` (what carrying it out gave) or `error` (how that failed,
//! with what there was by then in `identity` and `result`). `get` is the canonical request and what the response will
//! say of it, or the response itself.

use std::fs;
use std::path::Path;

use flightdeck_contract::Error;
use flightdeck_contract::canonical::{Identity, Outcome, Phase, Status, ToolName, fail, normalise};
use serde_json::{Value, json};

#[test]
fn every_case_of_every_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/canonical");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the folder of cases") {
        let path = entry.expect("a file").path();
        let mut cases: Vec<Value> = serde_json::from_str(&fs::read_to_string(&path).expect("cases")).expect("JSON");
        let mut wrong = Vec::new();
        for case in &mut cases {
            let get = carry(case);
            if case.get("get") != Some(&get) || keys(&case["get"]) != keys(&get) {
                wrong.push(format!("{}: {}\n{get:#}", path.display(), case["name"]));
            }
            case["get"] = get;
            count += 1;
        }
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, serde_json::to_string_pretty(&cases).expect("JSON") + "\n").expect("the file is written");
        } else {
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        }
    }
    assert!(count > 80, "only {count} cases");
}

fn carry(case: &Value) -> Value {
    let read = |name: &str| case.get(name).cloned();
    let tool = read("tool").map_or(ToolName::Interactive, |tool| serde_json::from_value(tool).expect("a tool"));
    let phase = read("phase").map_or(Phase::Accept, |phase| serde_json::from_value(phase).expect("a phase"));
    let normalised = normalise(tool, case["send"].clone(), phase, || "01TEST".to_owned());
    let mut context = normalised.context;
    let request = match normalised.request {
        Ok(request) => request,
        Err(error) => return json!(fail(&context, &error)),
    };
    if let Some(succeed) = read("succeed") {
        let status: Status = serde_json::from_value(succeed["status"].clone()).expect("a status");
        let identity: Identity = serde_json::from_value(succeed["identity"].clone()).expect("an identity");
        let result: Outcome = serde_json::from_value(succeed["result"].clone()).expect("a result");
        return json!(context.succeed(status, identity, result));
    }
    if let Some(error) = read("error") {
        let error: Error = serde_json::from_value(error).expect("an error");
        context.identity = read("identity").map(|identity| serde_json::from_value(identity).expect("an identity"));
        context.result = read("result").map(|result| serde_json::from_value(result).expect("a result"));
        return json!(fail(&context, &error));
    }
    let mut get = json!({ "request": request, "resolved": context.resolved });
    if let Some(compat) = context.compat {
        get["compat"] = json!(compat);
    }
    if !context.warnings.is_empty() {
        get["warnings"] = json!(context.warnings);
    }
    get
}

/// The keys in their order, which equality does not look at.
fn keys(value: &Value) -> Vec<String> {
    match value {
        Value::Object(fields) => {
            fields.iter().flat_map(|(key, value)| [vec![key.clone()], keys(value)].concat()).collect()
        }
        Value::Array(items) => items.iter().flat_map(keys).collect(),
        _ => Vec::new(),
    }
}
