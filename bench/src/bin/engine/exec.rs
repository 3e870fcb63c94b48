//! One process per command through the hub, beside starting one on a new bare terminal and waiting for it.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::ensure;
use flightdeck_bench::Extent;
use flightdeck_bench::bare::Pty;
use flightdeck_bench::report::{Goal, Row};
use flightdeck_bench::stats::Times;
use flightdeck_contract::terminal::{Exec, New, Ran};

use crate::client::Client;
use crate::hub::Hub;

const PROGRAM: &str = "/bin/true";
const WARM_UP: usize = 20;

/// Where files cost next to nothing, to tell the engine's share from the file system's.
const MEMORY: &str = "/dev/shm";

pub fn run(extent: Extent) -> anyhow::Result<Vec<Row>> {
    let figures = Figures::measure(Hub::start()?, extent)?;
    let mut rows = vec![
        figures.row("on a PTY p50", Times::p50, Output::Pty).goal(Goal::MoreAtMost(1.5)),
        figures.row("on a PTY p99", Times::p99, Output::Pty),
        figures.row("on pipes p50", Times::p50, Output::Pipes).goal(Goal::MoreAtMost(1.5)),
        figures.row("on pipes p99", Times::p99, Output::Pipes),
    ];
    if Path::new(MEMORY).is_dir() {
        let figures = Figures::measure(Hub::start_in(Path::new(MEMORY))?, extent)?;
        let note = "for comparison: logs and records in memory instead of on disk";
        rows.push(figures.row("on a PTY p50, tmpfs", Times::p50, Output::Pty).note(note));
        rows.push(figures.row("on pipes p50, tmpfs", Times::p50, Output::Pipes).note(note));
    }
    Ok(rows)
}

#[derive(Debug, Default)]
struct Figures {
    pty: Times,
    pipes: Times,
    bare: Times,
}

impl Figures {
    fn measure(hub: Hub, extent: Extent) -> anyhow::Result<Self> {
        let mut client = hub.connect()?;
        let mut buf = vec![0; 4096];
        let mut figures = Figures::default();
        for turn in 0..WARM_UP + extent.of(300, 30) {
            let pty = timed(|| exec(&mut client, Output::Pty))?;
            let bare = timed(|| spawn(&mut buf))?;
            let pipes = timed(|| exec(&mut client, Output::Pipes))?;
            if turn >= WARM_UP {
                figures.pty.push(pty);
                figures.bare.push(bare);
                figures.pipes.push(pipes);
            }
        }
        hub.stop()?;
        Ok(figures)
    }

    fn row(&self, what: &str, of: fn(&Times) -> f64, output: Output) -> Row {
        let ours = if output == Output::Pty { &self.pty } else { &self.pipes };
        Row::new(format!("exec {PROGRAM} {what}"), of(ours), "ms").beside("bare spawn on a PTY", of(&self.bare))
    }
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
    let ran: Ran = client.call("flightdeck.terminal.exec", &Exec { terminal, ..Exec::default() })?;
    ensure!(ran.exit_code == Some(0), "{PROGRAM} went wrong: {ran:?}");
    Ok(())
}

/// The least that has to be done: no controlling terminal, no log, no record.
fn spawn(buf: &mut [u8]) -> anyhow::Result<()> {
    let mut child = Pty::open()?.spawn(&mut Command::new(PROGRAM))?;
    child.drain(buf)?;
    child.wait()
}
