//! Lists of many terminals, by every door: the command line, the socket, MCP and the instructions for agents. What is asked
//! about many must cost so much for each, and not so much for each pair.

use std::time::{Duration, Instant};

use anyhow::ensure;
use flightdeck_bench::Extent;
use flightdeck_bench::mcp;
use flightdeck_bench::report::{Goal, Row};
use flightdeck_bench::stats::Times;
use flightdeck_contract::terminal::New;
use serde_json::{Value, json};

use crate::client::Client;
use crate::hub::Hub;

const COUNTS: [usize; 5] = [50, 100, 200, 400, 1000];
const LISTS: usize = 11;
/// How many milliseconds a list of a thousand may take.
const MOST: f64 = 50.0;
/// How much more a terminal may cost in the longest list than in the shortest one.
const LINEAR: f64 = 1.5;
const PATIENCE: Duration = Duration::from_mins(1);

/// A list by one of the doors.
type List = fn(&mut Doors, &Hub) -> anyhow::Result<()>;

const LISTED: [(&str, List); 6] = [
    ("flightdeck ls", |_, hub| ls(hub)),
    ("flightdeck.terminal.list", |doors, _| doors.call("flightdeck.terminal.list")),
    ("openspace.terminal.list", |doors, _| doors.call("openspace.terminal.list")),
    ("flightdeck.hub.instructions", |doors, _| doors.call("flightdeck.hub.instructions")),
    ("MCP flightdeck.terminal.list", |doors, _| doors.tool("flightdeck.terminal.list")),
    ("MCP resources/list", |doors, _| doors.mcp.request("resources/list", &json!({}), PATIENCE).map(drop)),
];

struct Doors {
    socket: Client,
    mcp: mcp::Client,
}

pub fn run(extent: Extent) -> anyhow::Result<Vec<Row>> {
    let hub = Hub::start()?;
    let mcp = mcp::Client::start(hub.command()?.arg("mcp"), hub.dir().join("complaints"))?;
    let mut doors = Doors { socket: hub.connect()?, mcp };
    let (mut rows, mut first, mut sessions) = (Vec::new(), [0.0; LISTED.len()], 0);
    for count in COUNTS.into_iter().filter(|count| *count <= extent.of(1000, 100)) {
        while sessions < count {
            let command = Some(["sleep", "1000000"].map(str::to_owned).to_vec());
            doors.socket.terminal(&New { command, ..New::default() })?;
            sessions += 1;
        }
        for ((name, list), first) in LISTED.iter().zip(&mut first) {
            let mut times = Times::default();
            for _ in 0..LISTS {
                let began = Instant::now();
                list(&mut doors, &hub)?;
                times.push(began.elapsed());
            }
            let took = times.p50();
            rows.push(Row::new(format!("{name}, {count} terminals p50"), took, "ms").goal(Goal::AtMost(MOST)));
            if count == COUNTS[0] {
                *first = took;
            } else if count == COUNTS[COUNTS.len() - 1] {
                let many = count / COUNTS[0];
                let row = Row::new(format!("{name}, {count} terminals p50"), took, "ms");
                let row = row.beside(format!("{many} lists of {}", COUNTS[0]), *first * many as f64);
                rows.push(row.goal(Goal::TimesAtMost(LINEAR)));
            }
        }
    }
    drop(doors);
    hub.stop()?;
    Ok(rows)
}

impl Doors {
    fn call(&mut self, command: &str) -> anyhow::Result<()> {
        self.socket.call::<Value>(command, &json!({})).map(drop)
    }

    fn tool(&mut self, tool: &str) -> anyhow::Result<()> {
        let reply = self.mcp.call(tool, &json!({}), PATIENCE)?;
        ensure!(reply.result["isError"] != true, "{tool} failed: {}", reply.result);
        Ok(())
    }
}

fn ls(hub: &Hub) -> anyhow::Result<()> {
    let listed = hub.command()?.arg("ls").output()?;
    ensure!(listed.status.success(), "`flightdeck ls` failed: {}", String::from_utf8_lossy(&listed.stderr).trim());
    Ok(())
}
