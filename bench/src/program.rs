//! What the simple benchmark programs have in common: two flags, a report, an exit code.

use std::process::ExitCode;

use anyhow::{Context, bail};

use crate::Extent;
use crate::machine::Machine;
use crate::report::Report;

/// Runs a program that fills in a report. `about` says in a sentence what it measures.
pub fn run(name: &str, about: &str, measure: impl FnOnce(&mut Report, Extent) -> anyhow::Result<()>) -> ExitCode {
    act(name, about, measure).unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::FAILURE
    })
}

fn act(
    name: &str,
    about: &str,
    measure: impl FnOnce(&mut Report, Extent) -> anyhow::Result<()>,
) -> anyhow::Result<ExitCode> {
    let (mut extent, mut json) = (Extent::Full, false);
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--quick" => extent = Extent::Quick,
            "--json" => json = true,
            "--help" | "-h" => {
                println!("{about}\n\nUsage: {name} [--quick] [--json]\n");
                println!("  --quick  less of everything, to see that it works");
                println!("  --json   print JSON instead of a table");
                return Ok(ExitCode::SUCCESS);
            }
            unknown => bail!("unknown argument {unknown:?}; see --help"),
        }
    }
    let mut report = Report::new(Machine::now().context("the machine can't be described")?, extent);
    measure(&mut report, extent)?;
    report.machine.note_load_after();
    if json {
        println!("{:#}", report.json());
    } else {
        print!("{}", report.table());
    }
    Ok(if report.has_failures() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
