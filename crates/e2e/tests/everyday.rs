//! What developers look around with, run headless for real: each command of the policy's table runs, and changes nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

use flightdeck_e2e::{Agent, Deck};
use serde_json::json;

const COMMANDS: &str = include_str!("../../policy/tests/everyday/commands.txt");
const FILES: &str = include_str!("../../policy/tests/everyday/workspace.txt");
/// The fewest that have to run.
const FEWEST: usize = 140;

/// A command of the person's own, in the workspace.
fn git(folder: &Path, args: &[&str]) -> String {
    let name = ["-c", "user.name=demo", "-c", "user.email=demo@example.org", "-c", "init.defaultBranch=main"];
    let done = Command::new("git").args(name).args(args).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "git {args:?}: {done:?}");
    String::from_utf8(done.stdout).unwrap()
}

/// The workspace of the table, in a git repository.
fn fill(folder: &Path) {
    for line in FILES.lines() {
        let (path, text) = line.split_once('\t').unwrap();
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.replace('⏎', "\n")).unwrap();
    }
    let packed = Command::new("tar").args(["czf", "archive.tar.gz", "docs"]).current_dir(folder).status().unwrap();
    assert!(packed.success());
    git(folder, &["init", "-q"]);
    git(folder, &["config", "user.name", "demo"]);
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", "one"]);
    fs::write(folder.join("README.md"), "# Demo\nTODO: say more\nmore\n").unwrap();
    git(folder, &["commit", "-q", "-a", "-m", "two"]);
    git(folder, &["tag", "v1"]);
}

/// All that is in the workspace, and what git has.
fn state(folder: &Path) -> String {
    let mut found = git(folder, &["for-each-ref"]) + &git(folder, &["status", "--porcelain", "--ignored"]);
    let mut find = Command::new("find");
    find.args([".", "-type", "f", "-not", "-path", "./.git/*", "-printf", "%p %s %T@\\n"]).current_dir(folder);
    let listed = find.output().unwrap();
    let mut files: Vec<_> = str::from_utf8(&listed.stdout).unwrap().lines().collect();
    files.sort_unstable();
    found.push_str(&files.join("\n"));
    found
}

/// Whether the hub would find a program.
fn is_there(program: &str) -> bool {
    ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"]
        .iter()
        .any(|folder| Path::new(folder).join(program).exists())
}

#[test]
fn looking_around_runs_headless_and_changes_nothing() {
    let deck = Deck::new();
    deck.settings("[limits]\nat_once = 4\nqueue = 1000\nburst = 1e9\nper_second = 1e9\n");
    let folder = deck.workspace();
    fill(&folder);
    let before = state(&folder);
    let mut agent = Agent::new(&deck, "codex");
    let rows: Vec<Vec<&str>> =
        COMMANDS.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    let mut calls = Vec::new();
    for row in &rows {
        if row[0] == "run" && row.get(2).is_some_and(|program| !is_there(program)) {
            eprintln!("skipped, because {} is not there: {}", row[2], row[1]);
            continue;
        }
        let request = json!({
            "action": "execute",
            "invocation": { "mode": "headless", "intent": "execute_command" },
            "execution": { "command": row[1] },
            "runtime": { "timeout_ms": 60_000 },
        });
        calls.push((row, agent.begin("memory_terminal_interactive", &request)));
    }
    let (mut ran, mut wrong) = (0, Vec::new());
    for (row, call) in calls {
        let answer = agent.result(call);
        let code = &answer["error"]["code"];
        if row[0] == "refuse" {
            if code != "PM_TERM_BLOCKED_DESTRUCTIVE" {
                wrong.push(format!("{}: {answer}", row[1]));
            }
            continue;
        }
        let result = &answer["result"];
        // One that finds nothing, or a difference, says so by its code; a look for a program by another.
        let most = if row[1].starts_with("command -v") { 127 } else { 1 };
        let ended = result["exit_code"].as_i64().is_some_and(|code| code <= most);
        let kept_out =
            ["denied", "not permitted", "not found"].iter().any(|words| result["stderr"].to_string().contains(words));
        if answer["success"] == true && ended && !kept_out {
            ran += 1;
        } else {
            wrong.push(format!("{}: {answer}", row[1]));
        }
    }
    assert!(wrong.is_empty(), "{} went otherwise:\n{}", wrong.len(), wrong.join("\n"));
    assert!(ran >= FEWEST, "only {ran} ran");
    assert_eq!(state(&folder), before, "something has changed");
}

/// What a headless command printed.
fn headless(agent: &mut Agent, command: &str, args: &[&str]) -> String {
    let request = json!({
        "action": "execute",
        "invocation": { "mode": "headless", "intent": "execute_command" },
        "execution": { "command": command, "args": args },
    });
    let answer = agent.call("memory_terminal_interactive", &request);
    assert!(answer["success"] == true && answer["result"]["exit_code"] == 0, "{command}: {answer}");
    format!("{}{}", answer["result"]["stdout"].as_str().unwrap(), answer["result"]["stderr"].as_str().unwrap())
}

/// Settings and attributes of the repository name programs for differences wherever they can.
#[test]
fn differences_are_shown_and_no_program_of_the_repository_runs() {
    let deck = Deck::new();
    let folder = deck.workspace();
    fill(&folder);
    fs::write(folder.join("README.md"), "# Demo\nchanged\n").unwrap();
    for (key, name) in [("diff.external", "external"), ("diff.evil.command", "driver"), ("diff.evil.textconv", "text")]
    {
        git(&folder, &["config", key, &format!("echo RAN {name}; :")]);
    }
    fs::write(folder.join(".gitattributes"), "* diff=evil\n").unwrap();
    fs::write(folder.join(".git/info/attributes"), "* diff=evil\n").unwrap();
    assert!(git(&folder, &["diff"]).contains("RAN driver"));
    assert!(git(&folder, &["log", "-p"]).contains("RAN text"));
    let mut agent = Agent::new(&deck, "codex");
    for (command, args, shown) in [
        ("git diff", &[][..], "+changed"),
        ("git diff HEAD^ -- README.md | cat", &[], "+changed"),
        ("git", &["diff", "HEAD"], "+changed"),
        ("git log -p", &[], "+more"),
        ("cd src && git -C .. show HEAD", &[], "+more"),
        ("git blame README.md", &[], "changed"),
    ] {
        let text = headless(&mut agent, command, args);
        assert!(text.contains(shown) && !text.contains("RAN"), "{command}: {text}");
    }
}
