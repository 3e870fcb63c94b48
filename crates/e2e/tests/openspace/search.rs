//! Searching in files.

use super::*;

fn paths(result: &Value) -> Vec<String> {
    let matches = result["matches"].as_array().unwrap();
    matches
        .iter()
        .map(|found| format!("{}:{}:{}", found["path"].as_str().unwrap(), found["line"], found["column"]))
        .collect()
}

#[test]
fn text_and_patterns_are_found_where_git_would_look() {
    let deck = deck();
    put(&deck, ".gitignore", "ignored/\n");
    put(&deck, "ignored/a.ts", "Needle\n");
    put(&deck, "src/a.ts", "// nothing\nconst needle = 'äö needle';\n");
    put(&deck, "src/b.rs", "// Needle (1)\n");
    let mut agent = Agent::new(&deck, "searcher");
    let mut search = |args: Value| agent.ok("openspace.file.search", &args);
    assert_eq!(paths(&search(json!({ "query": "needle" }))), ["src/a.ts:2:7", "src/b.rs:1:4"]);
    assert_eq!(paths(&search(json!({ "query": "Needle", "caseSensitive": true }))), ["src/b.rs:1:4"]);
    assert_eq!(paths(&search(json!({ "query": "needle (1)" }))), ["src/b.rs:1:4"], "text is text");
    assert_eq!(paths(&search(json!({ "query": "needle \\(\\d\\)", "regex": true }))), ["src/b.rs:1:4"]);
    assert_eq!(paths(&search(json!({ "query": "needle", "includePattern": "*.rs" }))), ["src/b.rs:1:4"]);
    assert_eq!(paths(&search(json!({ "query": "needle", "excludePattern": "*.rs,*.md" }))), ["src/a.ts:2:7"]);
    assert_eq!(paths(&search(json!({ "query": "needle", "path": "src/b.rs" }))), ["src/b.rs:1:4"]);
    let umlaut = search(json!({ "query": "ö needle" }));
    assert_eq!(umlaut["matches"][0]["column"], 18, "columns count characters");
    assert_eq!(umlaut["truncated"], false);
}

#[test]
fn limits_are_honest_and_mistakes_are_named() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "searcher");
    let some = agent.ok("openspace.file.search", &json!({ "query": "line", "maxResults": 7 }));
    assert_eq!((some["matches"].as_array().unwrap().len(), &some["truncated"]), (7, &json!(true)));
    assert!(some["reason"].as_str().is_some(), "{some}");
    for (args, named) in [
        (json!({ "query": "a(", "regex": true }), "a("),
        (json!({ "query": "a", "includePattern": "[" }), "["),
        (json!({ "query": "" }), "query"),
        (json!({ "query": "a", "maxResults": 0 }), "maxResults"),
    ] {
        let error = refused(&mut agent, "openspace.file.search", &args, "invalid_argument");
        assert!(error["error"].as_str().unwrap().contains(named), "{error}");
    }
}

#[test]
fn a_search_can_be_given_up_and_many_results_come_whole() {
    let deck = deck();
    for folder in 0..40 {
        for file in 0..100 {
            put(&deck, &format!("many/{folder}/{file}.txt"), &"needle and more\n".repeat(200));
        }
    }
    let mut agent = Agent::new(&deck, "searcher");
    let id = agent.begin("openspace.file.search", &json!({ "query": "absent text", "regex": false }));
    agent.notify("notifications/cancelled", &json!({ "requestId": id }));
    // Whether it came first or not, the next call is answered.
    let found = agent.ok("openspace.file.search", &json!({ "query": "needle", "maxResults": 5000 }));
    assert_eq!(found["matches"].as_array().unwrap().len(), 5000);
}
