//! A command that prints 100 MB and fails: how long that takes, what is told of it, what it costs in memory, and how
//! soon the next command is answered.

use std::time::{Duration, Instant};

use anyhow::Context;
use flightdeck_bench::Extent;
use flightdeck_bench::report::{Goal, Row};
use flightdeck_bench::stats::median;

use crate::comparison::{Cell, Comparison, Lane};
use crate::lanes::{Echo, Spot, floor_note, lanes, own_lanes, right_goal};
use crate::memory::{Members, Watch};
use crate::server::Kind;
use crate::server::{Answer, Exit, Server, Way};

/// A server that has not answered by then does not answer.
const PATIENCE: Duration = Duration::from_mins(1);
/// The exit code to be told.
const CODE: i32 = 7;
const LAST: &str = "THE-END";

pub fn run(extent: Extent, kinds: &[Kind]) -> Comparison {
    let bytes: u64 = extent.of(100_000_000, 10_000_000);
    let mut comparison = Comparison::new(
        format!("A command that prints {} MB and exits with {CODE}", bytes / 1_000_000),
        &["time", "exit code", "tail", "reply", "peak memory", "next echo"],
    );
    for (lane, way) in lanes(kinds) {
        // Those that take long take one turn.
        let rounds = if lane.kind.is_peer() { 1 } else { extent.of(3, 1) };
        let floods: anyhow::Result<Vec<_>> = (0..rounds).map(|_| Flood::measure(lane, way, bytes)).collect();
        match floods {
            Ok(floods) => comparison.add(lane, floods.iter().find_map(Flood::mistake), cells(&floods)),
            Err(error) => comparison.fail(lane, &error),
        }
    }
    comparison
}

struct Flood {
    seconds: f64,
    exit: Exit,
    has_tail: bool,
    bytes: usize,
    peak: f64,
    /// Milliseconds, or why there was no next one.
    next: Result<f64, String>,
}

impl Flood {
    /// A server for each, because a server that is still busy with it would be in the way of the others.
    fn measure(lane: Lane, way: Way, bytes: u64) -> anyhow::Result<Self> {
        let server = Server::start(lane.kind, way)?;
        let spot = Spot::new(&server, way)?;
        Echo(0).run(&server, &spot)?;
        let watch = Watch::start(Members::of(&server)?);
        let began = Instant::now();
        let answer = server.run(spot.place(), &command(bytes), PATIENCE);
        let took = began.elapsed();
        let peak = watch.peak()?;
        let given_up = || format!("after {} s, with {peak:.0} MiB", took.as_secs());
        let answer = answer.with_context(given_up)?;
        let next = match Echo(1).run(&server, &spot) {
            Ok((took, None)) => Ok(took.as_secs_f64() * 1000.0),
            Ok((_, Some(mistake))) => Err(mistake),
            Err(error) => Err(format!("{error:#}")),
        };
        let has_tail = has_tail(&answer);
        Ok(Flood { seconds: took.as_secs_f64(), exit: answer.exit, has_tail, bytes: answer.bytes, peak, next })
    }

    fn mistake(&self) -> Option<String> {
        let parts =
            [(self.exit == Exit::Code(CODE), "exit code"), (self.has_tail, "tail"), (self.next.is_ok(), "next echo")];
        let wrong: Vec<_> = parts.into_iter().filter(|(is_right, _)| !is_right).map(|(_, name)| name).collect();
        (!wrong.is_empty()).then(|| wrong.join(", "))
    }
}

/// Lines of 100 bytes from programs that every machine has and that are faster than any reader.
fn command(bytes: u64) -> String {
    format!("yes \"$(printf %099d 0)\" | head -c {bytes}; echo {LAST}; (exit {CODE})")
}

/// Whether the last lines are there, whatever the width of the terminal. A shell without a terminal may have complained
/// about that in between.
fn has_tail(answer: &Answer) -> bool {
    let mut lines = answer.output.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    lines.next() == Some(LAST) && lines.take(2).any(|line| line.bytes().all(|byte| byte == b'0'))
}

/// The median of times, the worst of everything else.
fn cells(floods: &[Flood]) -> Vec<Cell> {
    let seconds: Vec<_> = floods.iter().map(|flood| flood.seconds).collect();
    let exit = floods.iter().map(|flood| flood.exit).find(|exit| *exit != Exit::Code(CODE));
    let next: Result<Vec<_>, _> = floods.iter().map(|flood| flood.next.clone()).collect();
    vec![
        Cell::Number(median(&seconds), "s"),
        match exit {
            None => Cell::Mark(true),
            Some(Exit::Code(code)) => Cell::Text(format!("NO: {code}")),
            Some(Exit::Failed) => Cell::Text("NO: failed".to_owned()),
            Some(Exit::Untold) => Cell::Text("NO: not told".to_owned()),
        },
        Cell::Mark(floods.iter().all(|flood| flood.has_tail)),
        Cell::Number(floods.iter().map(|flood| flood.bytes).max().unwrap_or_default() as f64 / 1024.0, "KiB"),
        Cell::Number(floods.iter().map(|flood| flood.peak).fold(0.0, f64::max), "MiB"),
        match next {
            Ok(next) => Cell::Number(median(&next), "ms"),
            Err(why) => Cell::Text(format!("NO: {why:.60}")),
        },
    ]
}

pub fn goals(comparison: &Comparison) -> Vec<Row> {
    let mut rows = Vec::new();
    for lane in own_lanes() {
        let Some(seconds) = comparison.number(lane, "time") else { continue };
        let name = |what: &str| format!("flood, {}: {what}", lane.how);
        if let Some(floor) = comparison.floor(lane.how, "time") {
            let row = Row::new(name("time"), seconds, "s").beside("floor", floor);
            rows.push(row.goal(Goal::TimesAtMost(1.25)).note(floor_note(lane)));
        }
        if let Some(peak) = comparison.number(lane, "peak memory") {
            rows.push(Row::new(name("peak memory"), peak, "MiB").goal(Goal::AtMost(64.0)));
        }
        if let Some(next) = comparison.number(lane, "next echo") {
            rows.push(Row::new(name("next echo"), next, "ms").goal(Goal::AtMost(10.0)));
        }
        rows.push(right_goal(comparison, "flood", lane));
    }
    rows
}
