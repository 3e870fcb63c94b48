//! One byte there and back: typed into an attached terminal in which `cat` runs, beside a bare terminal with `cat`.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use flightdeck_bench::Extent;
use flightdeck_bench::bare::Bare;
use flightdeck_bench::report::{Goal, Row};
use flightdeck_bench::stats::Times;
use flightdeck_contract::control::CallId;
use flightdeck_contract::terminal::{Attach, New, TerminalEvent, Wait, Waited};

use crate::client::Client;
use crate::hub::Hub;

/// Neither the terminal nor anything else answers before `cat` does.
const CAT: [&str; 3] = ["sh", "-c", "stty raw -echo; echo ready; exec cat"];
const READY: &[u8] = b"ready";
const WARM_UP: usize = 100;

pub fn run(extent: Extent) -> anyhow::Result<Vec<Row>> {
    let hub = Hub::start()?;
    let mut client = hub.connect()?;
    let call = attach(&mut client)?;
    let mut bare = Bare::start(CAT)?;
    await_ready(&mut bare)?;
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    for (turn, byte) in (0..WARM_UP + extent.of(2000, 200)).zip((b'a'..=b'z').cycle()) {
        let through_hub = echo(&mut client, call, byte)?;
        let direct = echo_bare(&mut bare, byte)?;
        if turn >= WARM_UP {
            ours.push(through_hub);
            theirs.push(direct);
        }
    }
    // The attached connection goes with the terminal.
    hub.stop()?;
    let row = Row::new("echo of 1 byte p50", ours.p50(), "ms").beside("bare PTY and cat", theirs.p50());
    Ok(vec![
        row.goal(Goal::AtMost(0.3)),
        Row::new("echo of 1 byte p99", ours.p99(), "ms").beside("bare PTY and cat", theirs.p99()),
    ])
}

/// Attaches to a `cat` that is ready, and takes the screen that comes first.
fn attach(client: &mut Client) -> anyhow::Result<CallId> {
    let command = Some(CAT.map(str::to_owned).to_vec());
    let id = client.terminal(&New { command, ..New::default() })?;
    let wait = Wait {
        id,
        exit: false,
        pattern: Some(String::from_utf8_lossy(READY).into_owned()),
        input: false,
        prompt: false,
        quiet_ms: None,
        port: None,
        from: Some(0),
        timeout_ms: None,
    };
    let waited: Waited = client.call("flightdeck.terminal.wait", &wait)?;
    ensure!(waited.line.is_some(), "cat is not ready: {waited:?}");
    let call = client.begin("flightdeck.terminal.attach", &Attach::to(id))?;
    while !matches!(client.next()?.0, TerminalEvent::Snapshot { .. }) {}
    Ok(call)
}

fn echo(client: &mut Client, call: CallId, byte: u8) -> anyhow::Result<Duration> {
    let began = Instant::now();
    client.input(call, &[byte])?;
    let (_, bytes) = client.next()?;
    ensure!(bytes == [byte], "{:?} came back for {:?}", bytes, byte as char);
    Ok(began.elapsed())
}

fn echo_bare(bare: &mut Bare, byte: u8) -> anyhow::Result<Duration> {
    let began = Instant::now();
    bare.master.write_all(&[byte])?;
    let mut back = [0; 64];
    let read = bare.read(&mut back)?;
    ensure!(back[..read] == [byte], "{:?} came back for {:?}", &back[..read], byte as char);
    Ok(began.elapsed())
}

fn await_ready(bare: &mut Bare) -> anyhow::Result<()> {
    let mut seen = Vec::new();
    let mut buf = [0; 64];
    while !seen.ends_with(b"ready\n") {
        match bare.read(&mut buf)? {
            0 => bail!("the bare cat ended"),
            read => seen.extend_from_slice(&buf[..read]),
        }
    }
    Ok(())
}
