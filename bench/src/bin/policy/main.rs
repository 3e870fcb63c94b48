//! Measures how long it takes to decide about a command, beside the bare parser that no analysis can be faster than.
//!
//! Every line is decided and parsed in turns (A, B, A, B, …), so that whatever else the machine does falls on both. The time
//! is that on the processor: waiting for one says nothing of the analysis.

mod lines;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow};
use flightdeck_bench::report::{Goal, Report, Row};
use flightdeck_bench::{Extent, program};
use flightdeck_policy::{Deed, Place, Rules, Stance, assess, decide, headless};
use rustix::time::{ClockId, clock_gettime};
use tree_sitter::Parser;

/// The goal for what people and agents write, in microseconds.
const GOAL: f64 = 1000.0;
/// The goal for lines that were made to be slow, on which the bare parser alone takes up to a tenth of a second: they must
/// not hold others up.
const HOSTILE: f64 = 2_000.0;

fn main() -> ExitCode {
    program::run("policy", "Measures how long it takes to decide about a command, beside the bare parser.", measure)
}

fn measure(report: &mut Report, extent: Extent) -> anyhow::Result<()> {
    let mut bench = Bench::new()?;
    let (cases, daily) = (lines::cases()?, lines::daily()?);
    report.add("cases", bench.spread(&format!("{} cases", cases.len()), &cases, extent.of(50, 5)));
    report.add("long", bench.spread("daily work in lines of 4 kB", &daily, extent.of(500, 20)));
    let mut rows = Vec::new();
    for (name, line) in lines::hostile() {
        rows.push(bench.worst(name, &line, extent.of(300, 10)));
    }
    report.add("hostile", rows);
    Ok(())
}

/// How long this thread has been on a processor.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Times in microseconds, sorted.
struct Sorted(Vec<f64>);

impl Sorted {
    fn at(&self, percent: usize) -> f64 {
        let at = (self.0.len() * percent).div_ceil(100).saturating_sub(1);
        self.0.get(at).copied().unwrap_or_default()
    }
}

struct Bench {
    parser: Parser,
    place: Place,
    rules: Rules,
}

impl Bench {
    fn new() -> anyhow::Result<Self> {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_bash::LANGUAGE.into()).map_err(|error| anyhow!("no parser: {error}"))?;
        let place = Place {
            workspace: "/home/dev/project".into(),
            cwd: Some("/home/dev/project".into()),
            home: Some("/home/dev".into()),
            temp: vec!["/tmp".into()],
            env: Vec::new(),
            disk: None,
        };
        let rules = Rules::parse(lines::RULES).context("the rules of the benchmark are wrong")?;
        Ok(Bench { parser, place, rules })
    }

    /// Median, 99th percentile and maximum over many lines.
    fn spread(&mut self, what: &str, lines: &[String], rounds: usize) -> Vec<Row> {
        eprintln!("measuring {what} …");
        let (decided, parsed) = self.measure(lines, rounds);
        let row = |name: &str, percent| {
            Row::new(format!("{what}, {name}"), decided.at(percent), "µs").beside("parser", parsed.at(percent))
        };
        vec![row("p50", 50), row("p99", 99).goal(Goal::AtMost(GOAL)), row("max", 100)]
    }

    /// The 99th percentile of one line.
    fn worst(&mut self, name: &str, line: &str, rounds: usize) -> Row {
        eprintln!("measuring {name} …");
        let (decided, parsed) = self.measure(&[line.to_owned()], rounds);
        let row = Row::new(format!("{name}, p99"), decided.at(99), "µs").beside("parser", parsed.at(99));
        row.goal(Goal::AtMost(HOSTILE)).note(format!("{} bytes, max {:.0} µs", line.len(), decided.at(100)))
    }

    /// The times of deciding and of parsing.
    fn measure(&mut self, lines: &[String], rounds: usize) -> (Sorted, Sorted) {
        let (mut decided, mut parsed) = (Vec::new(), Vec::new());
        // The first round warms up caches.
        for round in 0..=rounds {
            for line in lines {
                let times = (self.decide(line), self.parse(line));
                if round > 0 {
                    decided.push(times.0.as_secs_f64() * 1e6);
                    parsed.push(times.1.as_secs_f64() * 1e6);
                }
            }
        }
        decided.sort_by(f64::total_cmp);
        parsed.sort_by(f64::total_cmp);
        (Sorted(decided), Sorted(parsed))
    }

    /// All that the gate does for a command, on both kinds of surfaces.
    fn decide(&self, line: &str) -> Duration {
        let deed = Deed::Line(line.to_owned());
        let start = now();
        let a = assess(&deed, &self.place);
        black_box(headless(&a, &self.rules, &self.place));
        black_box(decide(&a, &self.rules, &self.place, Stance::Guard));
        now().saturating_sub(start)
    }

    fn parse(&mut self, line: &str) -> Duration {
        let start = now();
        black_box(self.parser.parse(line, None));
        now().saturating_sub(start)
    }
}
