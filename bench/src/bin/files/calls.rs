//! Small calls through MCP, in turns with one that does nothing: what the call itself costs is the same for all.

use std::time::{Duration, Instant};

use anyhow::ensure;
use flightdeck_bench::Extent;
use flightdeck_bench::mcp::Client;
use flightdeck_bench::report::{Goal, Row};
use flightdeck_bench::room::Room;
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(30);
/// The goal of the slowest in a hundred, in milliseconds.
const GOAL: f64 = 10.0;

/// A call that is measured, with arguments that differ from one time to the next.
struct Case {
    what: &'static str,
    tool: &'static str,
    args: fn(usize) -> Value,
    goal: bool,
}

const CASES: [Case; 7] = [
    Case { what: "no-op", tool: "openspace.terminal.list", args: |_| json!({}), goal: false },
    Case { what: "pane.list", tool: "openspace.pane.list", args: |_| json!({}), goal: true },
    Case {
        what: "editor.open",
        tool: "openspace.editor.open",
        args: |turn| json!({ "path": path(turn % 50), "line": turn % 30 + 1 }),
        goal: true,
    },
    Case {
        what: "editor.highlight",
        tool: "openspace.editor.highlight",
        args: |turn| {
            let ranges = json!([{ "startLine": turn % 20 + 1, "endLine": turn % 20 + 3 }]);
            json!({ "path": path(turn % 50), "ranges": ranges, "highlightId": format!("mark{}", turn % 50) })
        },
        goal: true,
    },
    Case {
        what: "file.read",
        tool: "openspace.file.read",
        args: |turn| json!({ "path": path(turn % 500) }),
        goal: false,
    },
    Case {
        what: "file.write",
        tool: "openspace.file.write",
        args: |turn| json!({ "path": "written.txt", "content": format!("turn {turn}\n").repeat(100) }),
        goal: false,
    },
    Case { what: "read again", tool: "openspace.file.read", args: |_| json!({ "path": "written.txt" }), goal: false },
];

fn path(number: usize) -> String {
    format!("package0/src/module{}/file{number}.rs", number / 50 % 20)
}

pub fn measure(client: &Client, _room: &Room, extent: Extent) -> anyhow::Result<Vec<Row>> {
    let turns = extent.of(1000, 50);
    let mut times: Vec<Vec<f64>> = CASES.iter().map(|_| Vec::with_capacity(turns)).collect();
    for turn in 0..turns {
        for (case, times) in CASES.iter().zip(&mut times) {
            let began = Instant::now();
            let reply = client.call(case.tool, &(case.args)(turn), PATIENCE)?;
            let took = began.elapsed();
            let said = &reply.result["structuredContent"];
            ensure!(said["success"] == true, "{}: {said}", case.what);
            times.push(took.as_secs_f64() * 1e3);
        }
    }
    for times in &mut times {
        times.sort_by(f64::total_cmp);
    }
    let at = |case: usize, percent: usize| times[case][(times[case].len() * percent / 100).min(times[case].len() - 1)];
    let mut rows = vec![Row::new("no-op, p50", at(0, 50), "ms"), Row::new("no-op, p99", at(0, 99), "ms")];
    for (number, case) in CASES.iter().enumerate().skip(1) {
        rows.push(Row::new(format!("{}, p50", case.what), at(number, 50), "ms").beside("no-op", at(0, 50)));
        let slowest = Row::new(format!("{}, p99", case.what), at(number, 99), "ms").beside("no-op", at(0, 99));
        rows.push(if case.goal { slowest.goal(Goal::AtMost(GOAL)) } else { slowest });
    }
    let both = (at(5, 50) + at(6, 50), at(0, 50) * 2.0);
    rows.push(
        Row::new("write and read again, p50", both.0, "ms").beside("two no-ops", both.1).note("with fsync and backup"),
    );
    Ok(rows)
}
