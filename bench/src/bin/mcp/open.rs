//! What fifty open terminals cost in memory: the server with its daemons, and the shells apart from that.

use flightdeck_bench::Extent;
use flightdeck_bench::report::Row;

use crate::comparison::{Cell, Comparison, Lane};
use crate::lanes::{Echo, Spot};
use crate::memory::{Members, Memory};
use crate::server::{Kind, Server, Way};

pub fn run(extent: Extent, kinds: &[Kind]) -> Comparison {
    let count = extent.of(50, 10);
    let title = format!("Memory of a server with {count} open terminals, without the shells in them");
    let mut comparison = Comparison::new(title, &["with them", "with one", "each", "their shells"]);
    for kind in kinds {
        let lane = Lane { kind: *kind, how: "" };
        match measure(*kind, count) {
            Ok((before, after)) => {
                let each = (after.server - before.server) * 1024.0 / (count - 1) as f64;
                let cells = vec![
                    Cell::Number(after.server, "MiB"),
                    Cell::Number(before.server, "MiB"),
                    Cell::Number(each, "KiB"),
                    Cell::Number(after.commands, "MiB"),
                ];
                comparison.add(lane, None, cells);
            }
            Err(error) => comparison.fail(lane, &error),
        }
    }
    comparison
}

/// The memory with one terminal that has been used, and with all of them.
fn measure(kind: Kind, count: usize) -> anyhow::Result<(Memory, Memory)> {
    let server = Server::start(kind, Way::Live)?;
    let used = Spot::new(&server, Way::Live)?;
    // What the first commands bring into memory is not what terminals cost.
    for number in 0..10 {
        Echo(number).run(&server, &used)?;
    }
    let members = Members::of(&server)?;
    let before = members.memory();
    let spots: Vec<_> = (1..count).map(|_| Spot::new(&server, Way::Live)).collect::<Result<_, _>>()?;
    // The last one is open when it answers.
    Echo(10).run(&server, spots.last().unwrap_or(&used))?;
    Ok((before, members.memory()))
}

/// Nothing is asked for here.
pub fn goals(_: &Comparison) -> Vec<Row> {
    Vec::new()
}
