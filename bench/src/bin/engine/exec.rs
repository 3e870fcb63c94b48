//! One process per command through the hub, beside starting one on a new bare terminal and waiting for it.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::ensure;
use flightdeck_contract::terminal::{Exec, New, Ran};

use crate::Extent;
use crate::bare::Pty;
use crate::client::Client;
use crate::hub::Hub;
use crate::report::{Goal, Row};
use crate::stats::Times;

const PROGRAM: &str = "/bin/true";
const WARM_UP: usize = 20;

pub fn run(extent: Extent) -> anyhow::Result<Vec<Row>> {
    let hub = Hub::start()?;
    let mut client = hub.connect()?;
    let mut buf = vec![0; 4096];
    let (mut pty, mut pipes, mut bare) = (Times::default(), Times::default(), Times::default());
    for turn in 0..WARM_UP + extent.of(300, 30) {
        let on_pty = timed(|| exec(&mut client, Output::Pty))?;
        let on_bare = timed(|| spawn(&mut buf))?;
        let on_pipes = timed(|| exec(&mut client, Output::Pipes))?;
        if turn >= WARM_UP {
            pty.push(on_pty);
            bare.push(on_bare);
            pipes.push(on_pipes);
        }
    }
    hub.stop()?;
    let row = |what: &str, ours: f64, peer: f64| {
        Row::new(format!("exec {PROGRAM} {what}"), ours, "ms").beside("bare spawn on a PTY", peer)
    };
    Ok(vec![
        row("on a PTY p50", pty.p50(), bare.p50()).goal(Goal::MoreAtMost(1.5)),
        row("on a PTY p99", pty.p99(), bare.p99()),
        row("on pipes p50", pipes.p50(), bare.p50()).goal(Goal::MoreAtMost(1.5)),
        row("on pipes p99", pipes.p99(), bare.p99()),
    ])
}

fn timed(work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<Duration> {
    let began = Instant::now();
    work()?;
    Ok(began.elapsed())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    Pty,
    Pipes,
}

fn exec(client: &mut Client, output: Output) -> anyhow::Result<()> {
    let terminal = New { command: Some(vec![PROGRAM.to_owned()]), pipes: output == Output::Pipes, ..New::default() };
    let ran: Ran = client.call("terminal.exec", &Exec { terminal, ..Exec::default() })?;
    ensure!(ran.exit_code == Some(0), "{PROGRAM} went wrong: {ran:?}");
    Ok(())
}

/// The least that has to be done: no controlling terminal, no log, no record.
fn spawn(buf: &mut [u8]) -> anyhow::Result<()> {
    let mut child = Pty::open()?.spawn(&mut Command::new(PROGRAM))?;
    child.drain(buf)?;
    child.wait()
}
