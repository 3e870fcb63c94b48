//! A flood through a terminal to the durable log with the screen kept current, beside a bare drain, beside tmux, and
//! beside what the VT engine alone would cost.

use anyhow::ensure;
use flightdeck_bench::Extent;
use flightdeck_bench::bare::Bare;
use flightdeck_bench::report::{Goal, Row};
use flightdeck_bench::stats::median;
use flightdeck_contract::terminal::{New, ScreenShown, Wait, WaitReason, Waited};
use flightdeck_keeper::Size;
use flightdeck_term::screen::Screen;
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;

use crate::client::Client;
use crate::emit::Text;
use crate::flood::{Ear, Flood, MIB, log_complete, until};
use crate::hub::Hub;
use crate::tmux;

/// What the bare reader reads at most; the kernel gives less.
const BUFFER: usize = 64 << 10;

pub fn run(extent: Extent) -> anyhow::Result<Vec<Row>> {
    let hub = Hub::start()?;
    let ear = Ear::new(hub.dir())?;
    let rounds = extent.of(5, 1);
    let plain = Flood::new(Text::Plain, extent.of(256, 16) * MIB);
    // The goals are about the plain flood; the others show where they would break.
    let others = [Text::Coloured, Text::Unicode].map(|text| Flood::new(text, extent.of(64, 8) * MIB));
    let mut rows = Vec::new();
    for flood in [plain].iter().chain(&others) {
        rows.extend(Figures::measure(&hub, &ear, flood, rounds)?.rows(flood));
    }
    hub.stop()?;
    Ok(rows)
}

/// One list per way, one entry per round.
#[derive(Debug, Default)]
struct Figures {
    bare: Vec<f64>,
    tmux: Vec<f64>,
    hub: Vec<f64>,
    hub_cpu: Vec<f64>,
    keeper_cpu: Vec<f64>,
    engine_cpu: Vec<f64>,
    screen_ms: Vec<f64>,
}

impl Figures {
    fn measure(hub: &Hub, ear: &Ear, flood: &Flood, rounds: usize) -> anyhow::Result<Self> {
        let mut figures = Figures::default();
        let mut client = hub.connect()?;
        for _ in 0..rounds {
            figures.bare.push(bare(flood, ear)?);
            figures.through_hub(hub, &mut client, ear, flood)?;
            figures.engine_cpu.push(engine_cpu(flood)?);
            if tmux::is_there() {
                figures.tmux.push(tmux::flood(flood, ear, hub.dir())?);
            }
        }
        Ok(figures)
    }

    fn through_hub(&mut self, hub: &Hub, client: &mut Client, ear: &Ear, flood: &Flood) -> anyhow::Result<()> {
        let before = (hub.process.ticks()?, hub.keeper.ticks()?);
        let id = client.terminal(&New { command: Some(flood.command(ear)?), ..New::default() })?;
        let log = hub.log(id);
        let span = ear.hear(1)?;
        let complete = log_complete(&log, flood.terminal_bytes())?;
        let last = flood.last_number();
        let current = until("the last line on the screen", || {
            let shown: ScreenShown = client.call("flightdeck.terminal.screen", &json!({ "id": id }))?;
            Ok(shown.text.contains(&last))
        })?;
        self.hub.push(flood.rate(complete - span.begin));
        self.screen_ms.push((current - complete) as f64 / 1e6);
        self.hub_cpu.push(hub.process.ticks()?.since(before.0).seconds());
        self.keeper_cpu.push(hub.keeper.ticks()?.since(before.1).seconds());
        ended(client, id)?;
        let info = client.info(id)?;
        ensure!(info.log_end == flood.terminal_bytes(), "the hub sees {} bytes in the log", info.log_end);
        flood.check(&log)?;
        client.remove(id)
    }

    fn rows(&self, flood: &Flood) -> Vec<Row> {
        let name = format!("flood_pty {} {} MiB", flood.text.name(), flood.bytes() / MIB);
        let rate = median(&self.hub);
        let is_goal = flood.text == Text::Plain;
        let with = |row: Row, goal: Goal| if is_goal { row.goal(goal) } else { row };
        let bare = Row::new(&name, rate, "MiB/s").beside("bare drain", median(&self.bare));
        let mut rows = vec![with(bare, Goal::TimesAtLeast(0.9)).note("log complete to the byte")];
        if self.tmux.is_empty() {
            rows.push(Row::new(&name, rate, "MiB/s").note("no tmux here to compare with"));
        } else {
            let tmux = median(&self.tmux);
            let row = Row::new(&name, rate, "MiB/s").beside("tmux pipe-pane", tmux);
            let ceiling = format!("the bare drain is {:.2}× tmux", median(&self.bare) / tmux);
            rows.push(with(row, Goal::TimesAtLeast(2.5)).note(ceiling));
        }
        let cpu = Row::new(format!("{name}: hub CPU"), median(&self.hub_cpu), "s");
        let cpu = cpu.beside("engine alone", median(&self.engine_cpu));
        let keeper = format!("and the keeper {:.2} s", median(&self.keeper_cpu));
        rows.push(with(cpu, Goal::TimesAtMost(0.3)).note(keeper));
        let screen = Row::new(format!("{name}: screen current after"), median(&self.screen_ms), "ms");
        rows.push(with(screen, Goal::AtMost(50.0)));
        rows
    }
}

/// Waits for the exit, which is told a moment after the log is complete.
pub fn ended(client: &mut Client, id: flightdeck_contract::TerminalId) -> anyhow::Result<()> {
    let wait = Wait {
        id,
        exit: true,
        pattern: None,
        input: false,
        prompt: false,
        quiet_ms: None,
        port: None,
        from: None,
        timeout_ms: None,
    };
    let waited: Waited = client.call("flightdeck.terminal.wait", &wait)?;
    ensure!(waited.reason == WaitReason::Exit && waited.exit_code == Some(0), "the child went wrong: {waited:?}");
    Ok(())
}

/// The rate of a reader that discards everything.
fn bare(flood: &Flood, ear: &Ear) -> anyhow::Result<f64> {
    let mut child = Bare::start(flood.command(ear)?)?;
    let mut buf = vec![0; BUFFER];
    let drained = child.drain(&mut buf)?;
    let end = crate::emit::monotonic_nanos();
    let span = ear.hear(1)?;
    ensure!(drained == flood.terminal_bytes(), "{drained} bytes came through the bare terminal");
    child.wait()?;
    Ok(flood.rate(end - span.begin))
}

/// The processor time of executing every byte of the flood in the engine.
fn engine_cpu(flood: &Flood) -> anyhow::Result<f64> {
    let mut screen = Screen::new(Size::default());
    let mut spent = 0.0;
    flood.each_terminal_chunk(|chunk| {
        let before = thread_seconds();
        screen.feed_plainly(chunk);
        spent += thread_seconds() - before;
        Ok(())
    })?;
    ensure!(screen.text().contains(&flood.last_number()), "the engine shows another end:\n{}", screen.text());
    Ok(spent)
}

fn thread_seconds() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}
