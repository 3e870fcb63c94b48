//! From starting a server until it has listed its tools. Ours with its hub running, and with nothing running at all.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use flightdeck_bench::Extent;
use flightdeck_bench::report::{Goal, Row};
use flightdeck_bench::room::{Room, program};
use flightdeck_bench::stats::Times;

use crate::comparison::{Cell, Comparison, Lane};
use crate::server::{Kind, Way, connect, room};

const WARM: &str = "hub running";
const COLD: &str = "nothing running";

pub fn run(extent: Extent, kinds: &[Kind]) -> Comparison {
    let mut comparison =
        Comparison::new("Start-up: until tools/list is answered", &["p50", "p99", "times", "tools", "calls itself"]);
    let ways = |kind: &Kind| if *kind == Kind::Flightdeck { vec![WARM, COLD] } else { vec![""] };
    let lanes = kinds.iter().flat_map(|kind| ways(kind).into_iter().map(|how| Lane { kind: *kind, how }));
    let mut starts: Vec<_> = lanes.map(|lane| (lane, Start::new(lane, extent))).collect();
    for turn in 0..extent.of(20, 5) {
        for (_, start) in &mut starts {
            if let Ok(running) = start
                && let Err(error) = running.turn(turn)
            {
                *start = Err(error);
            }
        }
    }
    for (lane, start) in starts {
        match start {
            Ok(start) => comparison.add(lane, None, start.cells()),
            Err(error) => comparison.fail(lane, &error),
        }
    }
    comparison
}

/// A lane's starts so far.
struct Start {
    lane: Lane,
    room: Room,
    /// One in so many turns: those that take long take fewer.
    every: usize,
    times: Times,
    count: usize,
    tools: usize,
    server: String,
}

impl Start {
    fn new(lane: Lane, extent: Extent) -> anyhow::Result<Self> {
        let room = room(lane.kind)?;
        if lane.how == WARM {
            flightdeck(&room, &["restart"])?;
        }
        let every = if lane.kind.is_peer() { extent.of(4, 2) } else { 1 };
        Ok(Start { lane, room, every, times: Times::default(), count: 0, tools: 0, server: String::new() })
    }

    fn turn(&mut self, turn: usize) -> anyhow::Result<()> {
        if !turn.is_multiple_of(self.every) {
            return Ok(());
        }
        if self.lane.how == COLD {
            flightdeck(&self.room, &["stop", "--all"])?;
        }
        let (took, tools, server) = self.start()?;
        self.times.push(took);
        self.count += 1;
        (self.tools, self.server) = (tools, server);
        Ok(())
    }

    /// The server ends with the client, and that takes no part in the time.
    fn start(&self) -> anyhow::Result<(Duration, usize, String)> {
        let began = Instant::now();
        let client = connect(self.lane.kind, Way::Live, &self.room)?;
        let tools = client.tools()?.len();
        let took = began.elapsed();
        ensure!(tools > 0, "a server without tools");
        Ok((took, tools, client.server.clone()))
    }

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::Number(self.times.p50(), "ms"),
            Cell::Number(self.times.p99(), "ms"),
            Cell::Count(self.count),
            Cell::Count(self.tools),
            Cell::Text(self.server.clone()),
        ]
    }
}

fn flightdeck(room: &Room, args: &[&str]) -> anyhow::Result<()> {
    let program = program()?;
    let workspace = room.dir().join("w");
    let output = room.command(&program).arg("--workspace").arg(workspace).args(args).output();
    let output = output.with_context(|| program.display().to_string())?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "`flightdeck {}` failed: {}", args.join(" "), complaint.trim());
    Ok(())
}

pub fn goals(comparison: &Comparison) -> Vec<Row> {
    let own = |how: &'static str| comparison.number(Lane { kind: Kind::Flightdeck, how }, "p50").map(|p50| (how, p50));
    let row = |(how, p50): (&str, f64), most: f64| {
        Row::new(format!("start-up, {how}: p50"), p50, "ms").goal(Goal::AtMost(most))
    };
    let (warm, cold) = (own(WARM).map(|own| row(own, 10.0)), own(COLD).map(|own| row(own, 60.0)));
    warm.into_iter().chain(cold).collect()
}
