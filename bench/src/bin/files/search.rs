//! A search of the whole tree, beside `rg` on the same tree, in turns.

use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use flightdeck_bench::Extent;
use flightdeck_bench::mcp::Client;
use flightdeck_bench::report::{Goal, Row};
use flightdeck_bench::room::Room;
use serde_json::{Value, json};

use crate::tree;

const PATIENCE: Duration = Duration::from_mins(1);

/// What is searched for, how for us and how for `rg`.
struct Case {
    what: &'static str,
    args: Value,
    rg: &'static [&'static str],
}

pub fn measure(client: &Client, room: &Room, extent: Extent) -> anyhow::Result<Vec<Row>> {
    let files = extent.of(100_000, 5_000);
    let cases = [
        Case {
            what: "text, case as it is",
            args: json!({ "query": tree::NEEDLE, "caseSensitive": true, "maxResults": 5000 }),
            rg: &["-F", "-n", tree::NEEDLE],
        },
        Case {
            what: "text, any case",
            args: json!({ "query": tree::NEEDLE, "maxResults": 5000 }),
            rg: &["-F", "-i", "-n", tree::NEEDLE],
        },
        Case {
            what: "regular expression",
            args: json!({ "query": r"flight_\w+_entry\(", "regex": true, "caseSensitive": true, "maxResults": 5000 }),
            rg: &["-n", r"flight_\w+_entry\("],
        },
    ];
    let mut rows = Vec::new();
    for case in cases {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..extent.of(7, 3) {
            ours.push(through_mcp(client, &case, tree::with_needle(files))?);
            theirs.push(with_rg(room, &case, tree::with_needle(files))?);
        }
        let row = Row::new(format!("search {files} files, {}", case.what), median(&mut ours), "ms")
            .beside("rg", median(&mut theirs))
            .goal(Goal::TimesAtMost(1.3))
            .note("median, through MCP");
        rows.push(row);
    }
    Ok(rows)
}

fn through_mcp(client: &Client, case: &Case, expected: usize) -> anyhow::Result<f64> {
    let began = Instant::now();
    let reply = client.call("openspace.file.search", &case.args, PATIENCE)?;
    let took = began.elapsed();
    let said = &reply.result["structuredContent"];
    let found = said["matches"].as_array().with_context(|| format!("no matches: {said}"))?.len();
    ensure!(found == expected && said["truncated"] == false, "{found} matches instead of {expected}");
    Ok(took.as_secs_f64() * 1e3)
}

fn with_rg(room: &Room, case: &Case, expected: usize) -> anyhow::Result<f64> {
    let mut command = room.command("rg");
    // What a name with a dot hides is searched by us too.
    command.args(["--no-config", "--hidden", "--no-require-git"]).args(case.rg).arg(".");
    let began = Instant::now();
    let output = command.stdout(Stdio::piped()).output().context("rg can't be started: install ripgrep")?;
    let took = began.elapsed();
    let found = memchr::memchr_iter(b'\n', &output.stdout).count();
    ensure!(found == expected, "rg found {found} lines instead of {expected}");
    Ok(took.as_secs_f64() * 1e3)
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
