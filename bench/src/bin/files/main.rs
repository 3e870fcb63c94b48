//! Measures files, panes and editors through MCP: searching beside `rg`, writing and reading, and what the workbench costs
//! beside a call that does nothing.

mod calls;
mod search;
mod tree;

use std::process::ExitCode;

use flightdeck_bench::Extent;
use flightdeck_bench::mcp::Client;
use flightdeck_bench::report::{Report, Row};
use flightdeck_bench::room::{Room, program};

type Measure = fn(&Client, &Room, Extent) -> anyhow::Result<Vec<Row>>;

/// Ends the hub when the benchmark ends, however that happens.
const GUARD: &str = r#"cat >/dev/null; "$0" --workspace "$1/w" stop --all >/dev/null 2>&1; rm -rf "$1""#;

fn main() -> ExitCode {
    let about = "Measures files, panes and editors through MCP, beside `rg` and beside a call that does nothing.";
    flightdeck_bench::program::run("files", about, measure)
}

fn measure(report: &mut Report, extent: Extent) -> anyhow::Result<()> {
    let program = program()?;
    let mut room = Room::open(&std::env::temp_dir(), GUARD, &program)?;
    let workspace = room.dir().join("w");
    std::fs::create_dir_all(room.dir().join("h/.config/flightdeck"))?;
    // The limits of agents are not what is measured.
    std::fs::write(room.dir().join("h/.config/flightdeck/settings.toml"), "[limits]\nburst = 1e9\nper_second = 1e9\n")?;
    let files = extent.of(100_000, 5_000);
    eprintln!("making a tree of {files} files …");
    tree::make(&workspace, files)?;
    let mut command = room.command(&program);
    command.arg("--workspace").arg(&workspace).arg("mcp");
    let client = Client::start(&mut command, room.dir().join("complaints"))?;
    for (name, measure) in [("search", search::measure as Measure), ("calls", calls::measure)] {
        eprintln!("measuring {name} …");
        match measure(&client, &room, extent) {
            Ok(rows) => report.add(name, rows),
            Err(error) => report.fail(name, format!("{error:#}")),
        }
    }
    drop(client);
    room.close()
}
