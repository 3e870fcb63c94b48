//! Many floods at once beside one flood of the same size: what the readers move in all, and whether all get their turn.

use anyhow::ensure;
use flightdeck_bench::Extent;
use flightdeck_bench::report::Row;
use flightdeck_bench::stats::median;
use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::New;

use crate::client::Client;
use crate::emit::Text;
use crate::flood::{Ear, Flood, MIB, log_complete};
use crate::flood_pty::ended;
use crate::hub::Hub;

const FLOODS: u64 = 20;

pub fn run(extent: Extent) -> anyhow::Result<Vec<Row>> {
    let hub = Hub::start()?;
    let ear = Ear::new(hub.dir())?;
    let mut client = hub.connect()?;
    let small = Flood::new(Text::Plain, extent.of(8, 1) * MIB);
    let large = Flood::new(Text::Plain, small.bytes() * FLOODS);
    let (mut one, mut many) = (Vec::new(), Vec::new());
    for _ in 0..extent.of(3, 1) {
        one.push(together(&hub, &mut client, &ear, &large, 1)?);
        many.push(together(&hub, &mut client, &ear, &small, FLOODS)?);
    }
    hub.stop()?;
    let name = format!("fair: {FLOODS} floods of {} MiB at once", small.bytes() / MIB);
    Ok(vec![Row::new(name, median(&many), "MiB/s").beside("one flood", median(&one)).note("informational")])
}

/// The rate of so many floods in all, from the first beginning until the last log is complete.
fn together(hub: &Hub, client: &mut Client, ear: &Ear, flood: &Flood, count: u64) -> anyhow::Result<f64> {
    let command = flood.command(ear)?;
    let ids: Vec<TerminalId> = (0..count)
        .map(|_| client.terminal(&New { command: Some(command.clone()), ..New::default() }))
        .collect::<Result<_, _>>()?;
    let span = ear.hear(ids.len())?;
    let mut complete = span.end;
    for id in &ids {
        complete = complete.max(log_complete(&hub.log(*id), flood.terminal_bytes())?);
    }
    for id in ids {
        ended(client, id)?;
        let (_, end) = hub.log(id).bounds()?;
        ensure!(end.0 == flood.terminal_bytes(), "{id} has {} bytes in its log", end.0);
        client.remove(id)?;
    }
    Ok(flood.rate(complete - span.begin) * count as f64)
}
