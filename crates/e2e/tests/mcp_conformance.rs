//! The official conformance suite of MCP against our server: everything that a revision requires, with warnings counted
//! as failures, and the scenarios that it runs without counting them, but for those of an extension that we don't have.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::programs::{Programs, run};
use flightdeck_e2e::{SOON, processes, wait_until};
use rustix::process::Signal;
use serde_json::Value;

const DEADLINE: Duration = Duration::from_secs(100);
/// Scenarios of the tasks extension.
const NOT_OURS: &str = "tasks-";

#[test]
fn revision_2025_11_25() {
    conforms("2025-11-25", &["server-session-lifecycle", "json-schema-2020-12", "server-sse-polling"]);
}

#[test]
fn revision_2026_07_28() {
    let uncounted = ["json-schema-2020-12", "http-header-validation", "http-custom-header-server-validation"];
    conforms("2026-07-28", &uncounted);
}

fn conforms(revision: &str, uncounted: &[&str]) {
    let programs = Programs::installed();
    let server = Server::start();
    let results = tempfile::tempdir().unwrap();
    let suite = programs.folder.join("node_modules/@modelcontextprotocol/conformance/dist/index.js");
    let mut command = Command::new(programs.folder.join("node"));
    command.arg(suite).args(["server", "--url", &server.url, "--requirements", revision]);
    command.arg("--expected-failures").arg(Programs::source("expected_failures.yaml"));
    command.arg("--output-dir").arg(results.path());
    let ran = run(command, DEADLINE);

    let checks = checks(results.path());
    let mut problems = String::new();
    for (scenario, check) in checks.iter().filter(|(scenario, _)| !scenario.starts_with(NOT_OURS)) {
        if matches!(check["status"].as_str(), Some("FAILURE" | "WARNING")) {
            let _ = writeln!(problems, "{scenario}: {}: {:#}", check["id"], check["errorMessage"]);
        }
    }
    // The suite prints its verdict on what counts; that it has one at all is a part of this test.
    assert!(ran.code == Some(0) && problems.is_empty(), "{problems}\n{ran}");
    assert!(ran.stdout.contains("Baseline check passed"), "{ran}");
    for wanted in uncounted {
        assert!(checks.iter().any(|(scenario, _)| scenario == wanted), "{wanted} was not run: {ran}");
    }
}

/// All checks with their scenarios. A scenario's folder is named `server-SCENARIO-TIME`.
fn checks(results: &Path) -> Vec<(String, Value)> {
    let mut checks = Vec::new();
    for entry in fs::read_dir(results).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let scenario =
            name.strip_prefix("server-").and_then(|name| name.get(..name.len() - "-2026-01-01T00-00-00-000Z".len()));
        let scenario = scenario.unwrap_or_else(|| panic!("{name} is no name of a result"));
        let text = fs::read_to_string(entry.path().join("checks.json")).unwrap();
        let found: Vec<Value> = serde_json::from_str(&text).unwrap();
        checks.extend(found.into_iter().map(|check| (scenario.to_owned(), check)));
    }
    checks
}

/// The server that the suite is pointed at; `flightdeck-conformance` of this package.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start() -> Self {
        // target/debug/deps/TEST-0123456789abcdef -> target/debug/flightdeck-conformance
        let test = std::env::current_exe().unwrap();
        let program = test.ancestors().nth(2).unwrap().join("flightdeck-conformance");
        let mut child = Command::new(&program)
            .args(["--port", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        let url = url.trim().to_owned();
        let server = Server { child, url };
        assert!(server.url.starts_with("http://"), "no address but {:?}", server.url);
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        processes::signal(self.child.id(), Signal::TERM);
        let ended = wait_until("the end of flightdeck-conformance", SOON, || self.child.try_wait().unwrap());
        assert!(std::thread::panicking() || ended.success(), "{ended}");
    }
}
