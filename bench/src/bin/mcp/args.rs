//! The command line of the benchmark.

use anyhow::{Context, bail};
use flightdeck_bench::Extent;

use crate::server::Kind;

/// With which the benchmark calls itself to be the floor.
pub const FLOOR: &str = "floor-server";

/// What this process is for.
#[derive(Debug)]
pub enum Task {
    Help,
    Floor,
    Measure(Args),
}

#[derive(Debug)]
pub struct Args {
    pub json: bool,
    pub extent: Extent,
    pub kinds: Vec<Kind>,
    /// Empty: all.
    only: Vec<String>,
}

impl Args {
    pub fn selects(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }
}

fn kind_names() -> Vec<&'static str> {
    Kind::ALL.map(Kind::name).to_vec()
}

pub fn help(names: &[&str]) -> String {
    format!(
        "Compares MCP servers that run commands, all in one run.\n\n\
         Usage: mcp [--quick] [--json] [--only NAME,...] [--servers NAME,...]\n\n\
         \x20 --quick         fewer repetitions, to see that everything works\n\
         \x20 --json          print JSON instead of tables\n\
         \x20 --only NAME     {}\n\
         \x20 --servers NAME  {}\n\n\
         Flightdeck is $FLIGHTDECK_BIN, or `flightdeck` beside this executable. The peers are those in\n\
         $FLIGHTDECK_BENCH_PEERS, or what bench/peers/install has installed.\n",
        names.join(", "),
        kind_names().join(", ")
    )
}

pub fn parse(mut args: impl Iterator<Item = String>, names: &[&str]) -> anyhow::Result<Task> {
    let mut parsed = Args { json: false, extent: Extent::Full, kinds: Vec::new(), only: Vec::new() };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            FLOOR => return Ok(Task::Floor),
            "--help" | "-h" => return Ok(Task::Help),
            "--json" => parsed.json = true,
            "--quick" => parsed.extent = Extent::Quick,
            "--only" => parsed.only.extend(list(args.next(), "--only", names)?),
            "--servers" => {
                let chosen = list(args.next(), "--servers", &kind_names())?;
                parsed.kinds.extend(Kind::ALL.into_iter().filter(|kind| chosen.iter().any(|name| name == kind.name())));
            }
            unknown => bail!("unknown argument {unknown:?}; see --help"),
        }
    }
    if parsed.kinds.is_empty() {
        parsed.kinds = Kind::ALL.to_vec();
    }
    Ok(Task::Measure(parsed))
}

/// Names with commas in between, all of them known.
fn list(value: Option<String>, option: &str, known: &[&str]) -> anyhow::Result<Vec<String>> {
    let value = value.with_context(|| format!("{option} needs a name"))?;
    let names: Vec<_> = value.split(',').map(str::to_owned).collect();
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(unknown) => bail!("{option} does not know {unknown:?}: choose from {}", known.join(", ")),
        None => Ok(names),
    }
}
