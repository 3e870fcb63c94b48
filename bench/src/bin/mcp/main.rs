//! Compares MCP servers that run commands, ours with a bare one and with its peers, all in one run.
//!
//! Every server gets a private folder, and the same small client. Where it makes sense servers take turns (A, B, A,
//! B, …), so that whatever else the machine does falls on all. A server that fails is in the table with the reason.

mod args;
mod comparison;
mod echo;
mod flood;
mod floor;
mod lanes;
mod memory;
mod open;
mod server;
mod servers;
mod startup;
mod together;

use std::process::ExitCode;

use anyhow::Context;
use flightdeck_bench::Extent;
use flightdeck_bench::machine::Machine;
use flightdeck_bench::report::{self, Row};
use serde_json::{Map, Value, json};

use args::{Args, Task};
use comparison::Comparison;
use server::Kind;

/// What can be selected with `--only`.
const SCENARIOS: [Scenario; 5] = [
    Scenario { name: "startup", run: startup::run, goals: startup::goals },
    Scenario { name: "echo", run: echo::run, goals: echo::goals },
    Scenario { name: "flood", run: flood::run, goals: flood::goals },
    Scenario { name: "together", run: together::run, goals: together::goals },
    Scenario { name: "open", run: open::run, goals: open::goals },
];

/// One scenario: its table, and how far that reaches our goals.
struct Scenario {
    name: &'static str,
    run: fn(Extent, &[Kind]) -> Comparison,
    goals: fn(&Comparison) -> Vec<Row>,
}

fn main() -> ExitCode {
    act().unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::FAILURE
    })
}

fn act() -> anyhow::Result<ExitCode> {
    let names: Vec<_> = SCENARIOS.iter().map(|scenario| scenario.name).collect();
    match args::parse(std::env::args().skip(1), &names)? {
        Task::Help => {
            print!("{}", args::help(&names));
            Ok(ExitCode::SUCCESS)
        }
        Task::Floor => floor::serve().map(|()| ExitCode::SUCCESS),
        Task::Measure(args) => measure(&args),
    }
}

fn measure(args: &Args) -> anyhow::Result<ExitCode> {
    let mut machine = Machine::now().context("the machine can't be described")?;
    eprintln!("{machine}");
    let (mut tables, mut goals, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for scenario in SCENARIOS.iter().filter(|scenario| args.selects(scenario.name)) {
        eprintln!("measuring {} …", scenario.name);
        let comparison = (scenario.run)(args.extent, &args.kinds);
        goals.extend((scenario.goals)(&comparison));
        failures.extend(comparison.own_failures().map(|why| format!("{}, {why}", scenario.name)));
        tables.push((scenario.name, comparison));
    }
    machine.note_load_after();
    if args.json {
        let mut all = machine.json(args.extent);
        let scenarios: Map<_, _> = tables.iter().map(|(name, table)| ((*name).to_owned(), table.json())).collect();
        all.insert("scenarios".to_owned(), scenarios.into());
        all.insert("goals".to_owned(), report::json(&goals));
        all.insert("failures".to_owned(), json!(failures));
        println!("{:#}", Value::Object(all));
    } else {
        print!("{}", machine.line(args.extent));
        for (_, comparison) in &tables {
            print!("\n{}", comparison.table());
        }
        if !goals.is_empty() {
            print!("\nGoals\n{}{}", report::table(goals.iter()), report::score(goals.iter()));
        }
        for failure in &failures {
            println!("flightdeck FAILED: {failure:.160}");
        }
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
