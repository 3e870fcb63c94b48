//! The command line of the benchmark.

use std::path::PathBuf;

use anyhow::{Context, bail};
use flightdeck_bench::Extent;

use crate::emit::{Emit, Text};

/// What this process is for.
#[derive(Debug)]
pub enum Task {
    Help,
    /// Be the child whose output is measured.
    Emit(Emit),
    Measure(Args),
}

#[derive(Debug)]
pub struct Args {
    pub json: bool,
    pub extent: Extent,
    /// Empty: all.
    only: Vec<String>,
}

impl Args {
    pub fn selects(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }
}

pub fn help(names: &[&str]) -> String {
    format!(
        "Measures the terminal engine beside its peers.\n\n\
         Usage: engine [--quick] [--json] [--only NAME]...\n\n\
         \x20 --quick      smaller sizes, to see that everything works\n\
         \x20 --json       print JSON instead of a table\n\
         \x20 --only NAME  {}\n\n\
         The program under test is $FLIGHTDECK_BIN, or `flightdeck` beside this executable.\n",
        names.join(", ")
    )
}

pub fn parse(mut args: impl Iterator<Item = String>, names: &[&str]) -> anyhow::Result<Task> {
    let mut parsed = Args { json: false, extent: Extent::Full, only: Vec::new() };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--help" | "-h" => return Ok(Task::Help),
            "--json" => parsed.json = true,
            "--quick" => parsed.extent = Extent::Quick,
            "--only" => {
                let name = args.next().context("--only needs a name")?;
                if !names.contains(&name.as_str()) {
                    bail!("there is no measurement {name:?}: choose from {}", names.join(", "));
                }
                parsed.only.push(name);
            }
            "--emit" => return emit(args).map(Task::Emit),
            unknown => bail!("unknown argument {unknown:?}; see --help"),
        }
    }
    Ok(Task::Measure(parsed))
}

/// `--emit plain|coloured|unicode BYTES [SOCKET]`, which the benchmark calls itself with.
fn emit(mut args: impl Iterator<Item = String>) -> anyhow::Result<Emit> {
    let text = args.next().as_deref().and_then(Text::named).context("--emit needs plain, coloured or unicode")?;
    let bytes = args.next().and_then(|bytes| bytes.parse().ok()).context("--emit needs a number of bytes")?;
    Ok(Emit { text, bytes, tell: args.next().map(PathBuf::from) })
}
