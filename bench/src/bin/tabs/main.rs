//! Measures the tab tools on both of their backends, tmux and PTYs, in one run.
//!
//! Both hubs run side by side and take turns (A, B, A, B, …), so that whatever else the machine does falls on both. A
//! flood has a third peer: a bare reader of a terminal, which nothing that keeps the output can be faster than.

#[path = "../engine/client.rs"]
#[allow(dead_code, reason = "the engine also streams")]
mod client;
mod flood;
mod hub;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::ensure;
use flightdeck_bench::report::{Report, Row};
use flightdeck_bench::stats::Times;
use flightdeck_bench::{Extent, program};

use hub::{Backend, Hub};

/// Commands that are not counted: pages are touched, caches filled, the shell settles.
const WARM_UP: usize = 30;

fn main() -> ExitCode {
    program::run("tabs", "Measures the tab tools on tmux and on PTYs.", measure)
}

fn measure(report: &mut Report, extent: Extent) -> anyhow::Result<()> {
    let (tmux, pty) = (Hub::start(Backend::Tmux)?, Hub::start(Backend::Pty)?);
    report.add("echo", echo(&tmux, &pty, extent)?);
    report.add("flood", flood::run(&tmux, &pty, extent)?);
    tmux.stop()?;
    pty.stop()
}

/// A bounded `echo hi`, as `execute_command` runs it.
fn echo(tmux: &Hub, pty: &Hub, extent: Extent) -> anyhow::Result<Vec<Row>> {
    let (mut on_tmux, mut on_pty) = (Times::default(), Times::default());
    let mut tabs = [tmux.tab()?, pty.tab()?];
    for turn in 0..WARM_UP + extent.of(500, 50) {
        for (tab, times) in tabs.iter_mut().zip([&mut on_tmux, &mut on_pty]) {
            let began = Instant::now();
            let output = tab.execute("echo hi")?;
            let took = began.elapsed();
            ensure!(output == "hi\r\n", "it gave {output:?}");
            if turn >= WARM_UP {
                times.push(took);
            }
        }
    }
    let row = |what: &str, tmux, pty| Row::new(format!("tab `echo hi` {what}, tmux"), tmux, "ms").beside("pty", pty);
    Ok(vec![row("p50", on_tmux.p50(), on_pty.p50()), row("p99", on_tmux.p99(), on_pty.p99())])
}
