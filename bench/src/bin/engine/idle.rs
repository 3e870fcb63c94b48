//! Sessions at rest: what each costs in memory, that they cost no processor time, and that commands beside them are as
//! fast as without them.

use std::thread;
use std::time::{Duration, Instant};

use flightdeck_bench::Extent;
use flightdeck_bench::bare::Shell;
use flightdeck_bench::process::Ticks;
use flightdeck_bench::report::{Goal, Row};
use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::{New, WindowSize};

use crate::client::Client;
use crate::hub::Hub;
use crate::shell_run::take_turns;

/// How long nothing is done.
const IDLE: Duration = Duration::from_secs(2);
/// Below so many sessions, memory per session is mostly rounding.
const MANY: usize = 100;
/// How many milliseconds slower a command may be beside the sessions and still count as flat: noise, but less than
/// a cost of a third of a microsecond for each of a thousand sessions.
const FLAT: f64 = 0.3;

pub fn run(extent: Extent) -> anyhow::Result<Vec<Row>> {
    let hub = Hub::start()?;
    let mut client = hub.connect()?;
    let mut room = Room { id: client.shell()?, shell: Shell::start()?, commands: extent.of(300, 50), client };
    // What the first commands bring into memory is not what sessions cost.
    let alone = room.latency()?;
    let memory = hub.process.memory()? + hub.keeper.memory()?;
    let mut rows = vec![Row::new("idle, 0 sessions: `true` p50", alone.0, "ms").beside("bare bash", alone.1)];
    let mut sessions = 0;
    for count in [1, 10, 100, 1000].into_iter().filter(|count| *count <= extent.of(1000, 100)) {
        let began = Instant::now();
        let started = count - sessions;
        while sessions < count {
            room.start_session()?;
            sessions += 1;
        }
        let per_start = began.elapsed().as_secs_f64() * 1000.0 / started as f64;
        let latency = room.latency()?;
        let name = format!("idle, {count} sessions");
        let grown = (hub.process.memory()? + hub.keeper.memory()?).saturating_sub(memory) as f64 / count as f64;
        let row = Row::new(format!("{name}: memory each"), grown, "KiB");
        let row = row.note(format!("hub {} KiB, keeper {} KiB in all", hub.process.memory()?, hub.keeper.memory()?));
        rows.push(if count >= MANY { row.goal(Goal::AtMost(150.0)) } else { row });
        rows.push(rest(&hub, &name)?);
        let row = Row::new(format!("{name}: `true` p50"), latency.0, "ms").beside("0 sessions", alone.0);
        rows.push(row.goal(Goal::MoreAtMost(FLAT)).note(format!("bare bash now {:.3} ms", latency.1)));
        rows.push(Row::new(format!("{name}: start of one"), per_start, "ms"));
    }
    drop(room);
    let stopped = hub.stop()?;
    rows.push(Row::new(format!("idle: `stop --all` with {sessions} sessions"), stopped.as_secs_f64(), "s"));
    Ok(rows)
}

/// The processor time of a hub and a keeper that have nothing to do.
fn rest(hub: &Hub, name: &str) -> anyhow::Result<Row> {
    let both = || -> anyhow::Result<(Ticks, u64)> {
        Ok((hub.process.ticks()? + hub.keeper.ticks()?, hub.process.wakeups()? + hub.keeper.wakeups()?))
    };
    // What the last command left to be done, such as storing its record, is done before the idle time begins.
    thread::sleep(Duration::from_millis(200));
    let before = both()?;
    thread::sleep(IDLE);
    let after = both()?;
    let ticks = after.0.since(before.0);
    let row = Row::new(format!("{name}: CPU in {} s", IDLE.as_secs()), ticks.0 as f64, "ticks");
    Ok(row.goal(Goal::AtMost(0.0)).note(format!("{} wakeups", after.1 - before.1)))
}

/// The live shell beside the idle sessions, and the bare one beside that.
struct Room {
    client: Client,
    id: TerminalId,
    shell: Shell,
    commands: usize,
}

impl Room {
    fn start_session(&mut self) -> anyhow::Result<()> {
        let command = Some(["sleep", "1000000"].map(str::to_owned).to_vec());
        let size = Some(WindowSize { rows: 24, cols: 80 });
        self.client.terminal(&New { command, size, ..New::default() }).map(drop)
    }

    /// The median through the hub and on the bare shell.
    fn latency(&mut self) -> anyhow::Result<(f64, f64)> {
        let (ours, bare) = take_turns(&mut self.client, self.id, &mut self.shell, ("true", ""), self.commands)?;
        Ok((ours.p50(), bare.p50()))
    }
}
