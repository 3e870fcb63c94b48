//! Twenty commands at once, each in a terminal or a process of its own. They wait a little, so that a server that does
//! one after the other is seen.

use std::thread;
use std::time::Instant;

use anyhow::anyhow;
use flightdeck_bench::Extent;
use flightdeck_bench::report::Row;
use flightdeck_bench::stats::median;

use crate::comparison::{Cell, Comparison};
use crate::lanes::{Echo, PATIENCE, Spot, lanes, own_lanes, right_goal};
use crate::server::{Kind, Server, Way};

const COMMANDS: usize = 20;
/// How long each waits, in seconds.
const WAIT: f64 = 0.2;

pub fn run(extent: Extent, kinds: &[Kind]) -> Comparison {
    let rounds = extent.of(3, 1);
    let title = format!("{COMMANDS} commands at once, each waits {WAIT} s; {rounds} times");
    let mut comparison = Comparison::new(title, &["time", "wrong"]);
    for (lane, way) in lanes(kinds) {
        match measure(lane.kind, way, rounds) {
            Ok((seconds, mistakes)) => {
                let cells = vec![Cell::Number(seconds, "s"), Cell::Count(mistakes.len())];
                comparison.add(lane, mistakes.into_iter().next(), cells);
            }
            Err(error) => comparison.fail(lane, &error),
        }
    }
    comparison
}

/// The median of the times until the last was answered, and all wrong answers.
fn measure(kind: Kind, way: Way, rounds: usize) -> anyhow::Result<(f64, Vec<String>)> {
    let server = Server::start(kind, way)?;
    let spots: Vec<_> = (0..COMMANDS).map(|_| Spot::new(&server, way)).collect::<Result<_, _>>()?;
    Echo(0).run(&server, &spots[0])?;
    let (mut seconds, mut mistakes) = (Vec::new(), Vec::new());
    for round in 1..=rounds {
        let began = Instant::now();
        mistakes.extend(at_once(&server, &spots, round)?);
        seconds.push(began.elapsed().as_secs_f64());
    }
    Ok((median(&seconds), mistakes))
}

fn at_once(server: &Server, spots: &[Spot], round: usize) -> anyhow::Result<Vec<String>> {
    thread::scope(|scope| {
        let run = |(number, spot): (usize, &'_ Spot)| {
            let echo = Echo(round * COMMANDS + number);
            let answer = server.run(spot.place(), &format!("sleep {WAIT}; echo hi {}", echo.0), PATIENCE)?;
            anyhow::Ok(echo.mistake(&answer))
        };
        let threads: Vec<_> = spots.iter().enumerate().map(|numbered| scope.spawn(move || run(numbered))).collect();
        let mut mistakes = Vec::new();
        for thread in threads {
            mistakes.extend(thread.join().map_err(|_| anyhow!("a command's thread broke"))??);
        }
        Ok(mistakes)
    })
}

/// No time is asked for; but nothing may be wrong.
pub fn goals(comparison: &Comparison) -> Vec<Row> {
    let done = own_lanes().filter(|lane| comparison.number(*lane, "time").is_some());
    done.map(|lane| right_goal(comparison, "together", lane)).collect()
}
