//! A flood through pipes to the durable log, beside a reader that drains a pipe and discards.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use flightdeck_bench::Extent;
use flightdeck_bench::report::{Goal, Row};
use flightdeck_bench::stats::median;
use flightdeck_contract::terminal::{Exec, New, Ran};

use crate::client::Client;
use crate::emit::{Text, monotonic_nanos};
use crate::flood::{Ear, Flood, MIB};
use crate::hub::Hub;

const BUFFER: usize = 64 << 10;
const TIMEOUT_MS: u64 = 300_000;

pub fn run(extent: Extent) -> anyhow::Result<Vec<Row>> {
    let hub = Hub::start()?;
    let ear = Ear::new(hub.dir())?;
    let mut client = hub.connect()?;
    let flood = Flood::new(Text::Plain, extent.of(256, 32) * MIB);
    let file = hub.dir().join("drained");
    let (mut bare, mut stored, mut piped, mut cpu) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..extent.of(7, 2) {
        bare.push(drain(&flood, &ear, &mut std::io::sink())?);
        let before = hub.process.ticks()?;
        piped.push(through_hub(&hub, &mut client, &flood, &ear)?);
        cpu.push(hub.process.ticks()?.since(before).seconds());
        stored.push(drain(&flood, &ear, &mut File::create(&file)?)?);
        std::fs::remove_file(&file)?;
    }
    hub.stop()?;
    let name = format!("flood_pipes {} MiB", flood.bytes() / MIB);
    let rate = median(&piped);
    // The log is limited to 256 MiB with its sidecars, so the oldest segment of a full flood may go.
    let note = format!("until the call returns; the hub used {:.2} s", median(&cpu));
    let row = Row::new(&name, rate, "MiB/s").beside("bare pipe drain", median(&bare));
    let row = row.goal(Goal::TimesAtLeast(0.5)).note(note);
    let beside_file = Row::new(&name, rate, "MiB/s").beside("bare drain to a file", median(&stored));
    Ok(vec![row, beside_file.note("what storing alone costs")])
}

/// The rate of a reader that passes everything on. With nobody else on the machine the child and the reader run on two
/// cores and wait for each other; on a busy one they share a core and its cache, which can be twice as fast.
fn drain(flood: &Flood, ear: &Ear, to: &mut impl Write) -> anyhow::Result<f64> {
    let argv = flood.command(ear)?;
    let mut child = Command::new(&argv[0]).args(&argv[1..]).stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let mut stdout = child.stdout.take().context("a pipe was asked for")?;
    let mut buf = vec![0; BUFFER];
    let mut drained = 0;
    loop {
        match stdout.read(&mut buf)? {
            0 => break,
            read => {
                to.write_all(&buf[..read])?;
                drained += read as u64;
            }
        }
    }
    let end = monotonic_nanos();
    child.wait()?;
    ensure!(drained == flood.bytes(), "{drained} bytes came through the bare pipe");
    Ok(flood.rate(end - ear.hear(1)?.begin))
}

fn through_hub(hub: &Hub, client: &mut Client, flood: &Flood, ear: &Ear) -> anyhow::Result<f64> {
    let terminal = New { command: Some(flood.command(ear)?), pipes: true, ..New::default() };
    let exec = Exec { terminal, timeout_ms: Some(TIMEOUT_MS), ..Exec::default() };
    let ran: Ran = client.call("flightdeck.terminal.exec", &exec)?;
    let end = monotonic_nanos();
    let span = ear.hear(1)?;
    ensure!(ran.exit_code == Some(0), "the child went wrong: {:?}", ran.exit_code);
    ensure!(ran.end == flood.bytes(), "the run ends at {} in the log, not at {}", ran.end, flood.bytes());
    let last = ran.output.lines().last().unwrap_or_default();
    ensure!(last.starts_with(&flood.last_number()), "the output ends with {last:?}");
    let (_, log_end) = hub.log(ran.id).bounds()?;
    ensure!(log_end.0 == flood.bytes(), "the log has {} bytes, not {}", log_end.0, flood.bytes());
    client.remove(ran.id)?;
    Ok(flood.rate(end - span.begin))
}
