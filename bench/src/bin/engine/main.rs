//! Measures the terminal engine beside its peers, all in one run, and prints ratios.
//!
//! Each measurement starts a hub of its own in a private folder and takes turns with its peer (A, B, A, B, …), so that
//! whatever else the machine does falls on both. Medians are reported.

mod args;
mod client;
mod echo;
mod emit;
mod exec;
mod fair;
mod flood;
mod flood_pipes;
mod flood_pty;
mod hub;
mod idle;
mod list;
mod shell_run;
mod streams;
mod tmux;

use std::process::ExitCode;

use anyhow::Context;
use flightdeck_bench::Extent;
use flightdeck_bench::machine::Machine;
use flightdeck_bench::report::{Report, Row};

use args::{Args, Task};

/// What can be selected with `--only`.
const MEASUREMENTS: [Measurement; 9] = [
    Measurement { name: "flood_pty", run: flood_pty::run },
    Measurement { name: "flood_pipes", run: flood_pipes::run },
    Measurement { name: "shell_run", run: shell_run::run },
    Measurement { name: "exec", run: exec::run },
    Measurement { name: "echo", run: echo::run },
    Measurement { name: "streams", run: streams::run },
    Measurement { name: "fair", run: fair::run },
    Measurement { name: "idle", run: idle::run },
    Measurement { name: "list", run: list::run },
];

/// One measurement: its rows of the table.
struct Measurement {
    name: &'static str,
    run: fn(Extent) -> anyhow::Result<Vec<Row>>,
}

fn main() -> ExitCode {
    act().unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::FAILURE
    })
}

fn act() -> anyhow::Result<ExitCode> {
    let names: Vec<_> = MEASUREMENTS.iter().map(|measurement| measurement.name).collect();
    match args::parse(std::env::args().skip(1), &names)? {
        Task::Help => {
            print!("{}", args::help(&names));
            Ok(ExitCode::SUCCESS)
        }
        Task::Emit(emit) => emit::run(&emit).map(|()| ExitCode::SUCCESS),
        Task::Measure(args) => measure(&args),
    }
}

/// Runs what was asked for. One measurement that fails does not take the others with it.
fn measure(args: &Args) -> anyhow::Result<ExitCode> {
    let mut report = Report::new(Machine::now().context("the machine can't be described")?, args.extent);
    for measurement in MEASUREMENTS.iter().filter(|m| args.selects(m.name)) {
        eprintln!("measuring {} …", measurement.name);
        match (measurement.run)(args.extent) {
            Ok(rows) => report.add(measurement.name, rows),
            Err(error) => report.fail(measurement.name, format!("{error:#}")),
        }
    }
    report.machine.note_load_after();
    if args.json {
        println!("{:#}", report.json());
    } else {
        print!("{}", report.table());
    }
    Ok(if report.has_failures() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
