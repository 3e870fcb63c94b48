//! A short command with its exit code, one after the other, all servers taking turns.

use anyhow::ensure;
use flightdeck_bench::Extent;
use flightdeck_bench::report::{Goal, Row};
use flightdeck_bench::stats::Times;

use crate::comparison::{Cell, Comparison};
use crate::lanes::{Echo, Spot, floor_note, lanes_in_each_shell, own_lane, right_goal};
use crate::server::{Kind, Server, Way};

/// Commands that are not counted: pages are touched, caches filled, code is compiled.
const WARM_UP: usize = 10;
/// A server that fails so often is not asked again.
const ENOUGH: usize = 3;

pub fn run(extent: Extent, kinds: &[Kind]) -> Comparison {
    let count = extent.of(200, 20);
    let title = format!("`echo hi` with its exit code, {count} times");
    let mut comparison = Comparison::new(title, &["p50", "p99", "wrong"]);
    let started = lanes_in_each_shell(kinds).into_iter().map(|(lane, way)| (lane, Talk::start(lane.kind, way)));
    let mut talks: Vec<_> = started.collect();
    for turn in 0..WARM_UP + count {
        for (_, talk) in &mut talks {
            if let Ok(running) = talk
                && let Err(error) = running.turn(turn)
            {
                *talk = Err(error);
            }
        }
    }
    for (lane, talk) in talks {
        match talk {
            Ok(talk) => comparison.add(lane, talk.mistake.clone(), talk.cells()),
            Err(error) => comparison.fail(lane, &error),
        }
    }
    comparison
}

/// A lane's commands so far.
struct Talk {
    server: Server,
    spot: Spot,
    times: Times,
    wrong: usize,
    failed: usize,
    /// The last one.
    mistake: Option<String>,
}

impl Talk {
    fn start(kind: Kind, way: Way) -> anyhow::Result<Self> {
        let server = Server::start(kind, way)?;
        let spot = Spot::new(&server, way)?;
        Ok(Talk { server, spot, times: Times::default(), wrong: 0, failed: 0, mistake: None })
    }

    fn turn(&mut self, turn: usize) -> anyhow::Result<()> {
        match Echo(turn).run(&self.server, &self.spot) {
            Ok((took, mistake)) if turn >= WARM_UP => {
                self.times.push(took);
                self.wrong += usize::from(mistake.is_some());
                self.mistake = mistake.or(self.mistake.take());
            }
            Ok(_) => {}
            Err(error) => {
                self.failed += 1;
                self.wrong += 1;
                self.mistake = Some(format!("{error:#}"));
                ensure!(self.failed < ENOUGH, error.context(format!("{ENOUGH} commands failed, the last because")));
            }
        }
        Ok(())
    }

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::Number(self.times.p50(), "ms"), Cell::Number(self.times.p99(), "ms"), Cell::Count(self.wrong)]
    }
}

pub fn goals(comparison: &Comparison) -> Vec<Row> {
    let mut rows = Vec::new();
    for (way, times_floor) in [(Way::Live, 1.5), (Way::Fresh, 1.3), (Way::FreshSh, 1.3)] {
        let lane = own_lane(way);
        let Some(p50) = comparison.number(lane, "p50") else { continue };
        let row = || Row::new(format!("echo, {}: p50", lane.how), p50, "ms");
        if let Some(floor) = comparison.floor(lane.how, "p50") {
            rows.push(row().beside("floor", floor).goal(Goal::TimesAtMost(times_floor)).note(floor_note(lane)));
        }
        if let Some((peer, fastest)) = comparison.fastest_peer("p50") {
            rows.push(row().beside(peer, fastest).goal(Goal::TimesAtMost(1.0)));
        }
        rows.push(right_goal(comparison, "echo", lane));
    }
    rows
}
