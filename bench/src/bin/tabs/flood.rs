//! A command that prints 100 MB in a tab: how long until all of it is in the log and its exit code is told.

use std::time::Instant;

use anyhow::ensure;
use flightdeck_bench::Extent;
use flightdeck_bench::bare::Bare;
use flightdeck_bench::report::Row;
use flightdeck_bench::stats::median;

use crate::hub::{Hub, Tab};

const MB: f64 = 1e6;
const BUFFER: usize = 64 << 10;

pub fn run(tmux: &Hub, pty: &Hub, extent: Extent) -> anyhow::Result<Vec<Row>> {
    let bytes: u64 = extent.of(100_000_000, 5_000_000);
    let command = format!(
        "yes 'a line of seventy-nine characters, as programs print them by the thousands ....' | head -c {bytes}"
    );
    let [mut on_tmux, mut on_pty, mut bare] = [const { Vec::new() }; 3];
    let mut tabs = [tmux.tab()?, pty.tab()?];
    for _ in 0..extent.of(3, 1) {
        for (tab, speeds) in tabs.iter_mut().zip([&mut on_tmux, &mut on_pty]) {
            speeds.push(through(tab, &command, bytes)?);
        }
        bare.push(alone(&command, bytes)?);
    }
    let [on_tmux, on_pty, bare] = [median(&on_tmux), median(&on_pty), median(&bare)];
    let size = bytes / 1_000_000;
    Ok(vec![
        Row::new(format!("{size} MB in a tab, tmux"), on_tmux, "MB/s").beside("pty", on_pty),
        Row::new(format!("{size} MB in a tab, tmux"), on_tmux, "MB/s").beside("bare read", bare),
        Row::new(format!("{size} MB in a tab, pty"), on_pty, "MB/s").beside("bare read", bare),
    ])
}

fn through(tab: &mut Tab, command: &str, bytes: u64) -> anyhow::Result<f64> {
    let before = tab.log_end()?;
    let began = Instant::now();
    tab.execute(command)?;
    let seconds = began.elapsed().as_secs_f64();
    let printed = tab.log_end()? - before;
    // Each of the lines has become one byte longer on its way through the terminal.
    ensure!(printed > bytes, "only {printed} bytes of {bytes} are in the log");
    Ok(bytes as f64 / MB / seconds)
}

fn alone(command: &str, bytes: u64) -> anyhow::Result<f64> {
    let began = Instant::now();
    let read = Bare::start(["sh", "-c", command])?.drain(&mut vec![0; BUFFER])?;
    let seconds = began.elapsed().as_secs_f64();
    ensure!(read > bytes, "only {read} bytes of {bytes} came");
    Ok(bytes as f64 / MB / seconds)
}
