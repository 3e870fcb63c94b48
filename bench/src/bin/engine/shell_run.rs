//! Bounded commands in a live bash through the hub's socket, beside a loop that types into a bash on a bare terminal.

use std::time::Instant;

use anyhow::ensure;
use flightdeck_bench::Extent;
use flightdeck_bench::bare::Shell;
use flightdeck_bench::report::{Goal, Row};
use flightdeck_bench::stats::Times;
use flightdeck_contract::TerminalId;

use crate::client::Client;
use crate::hub::Hub;

/// Commands that are not counted: pages are touched, caches filled, the shell settles.
const WARM_UP: usize = 30;

pub fn run(extent: Extent) -> anyhow::Result<Vec<Row>> {
    let hub = Hub::start()?;
    let mut client = hub.connect()?;
    let id = client.shell()?;
    let mut shell = Shell::start()?;
    let mut rows = Vec::new();
    for (command, output) in [("true", ""), ("echo hi", "hi\n")] {
        let (ours, bare) = take_turns(&mut client, id, &mut shell, (command, output), extent.of(500, 50))?;
        let name = format!("shell_run `{command}`");
        let p50 = Row::new(format!("{name} p50"), ours.p50(), "ms").beside("bare bash", bare.p50());
        rows.push(p50.goal(Goal::MoreAtMost(1.0)));
        rows.push(Row::new(format!("{name} p99"), ours.p99(), "ms").beside("bare bash", bare.p99()));
    }
    hub.stop()?;
    Ok(rows)
}

/// The times of a command through the hub and on the bare shell, one after the other.
pub fn take_turns(
    client: &mut Client,
    id: TerminalId,
    shell: &mut Shell,
    (command, output): (&str, &str),
    count: usize,
) -> anyhow::Result<(Times, Times)> {
    let (mut ours, mut bare) = (Times::default(), Times::default());
    for turn in 0..WARM_UP + count {
        let began = Instant::now();
        let ran = client.run(id, command)?;
        let took = began.elapsed();
        ensure!(ran.output == output, "{command:?} gave {:?}", ran.output);
        let began = Instant::now();
        shell.run(command)?;
        if turn >= WARM_UP {
            ours.push(took);
            bare.push(began.elapsed());
        }
    }
    Ok((ours, bare))
}
