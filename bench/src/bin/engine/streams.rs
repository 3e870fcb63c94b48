//! Calls beside 50 streams of the same connection: one floods, one is not read, and one belongs to a program that does not
//! read its input. The same calls on a connection without any stream are the peer.

use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use flightdeck_bench::Extent;
use flightdeck_bench::report::{Goal, Row};
use flightdeck_bench::stats::Times;
use flightdeck_client::blocking::{Connection, Message};
use flightdeck_contract::control::{CallId, Request, WINDOW};
use flightdeck_contract::terminal::{Attach, New};
use serde_json::json;

use crate::hub::Hub;

/// Beside the three that are under way.
const QUIET: usize = 47;
const DEAF: [&str; 3] = ["sh", "-c", "stty raw -echo; exec sleep 1000"];

pub fn run(extent: Extent) -> anyhow::Result<Vec<Row>> {
    let hub = Hub::start()?;
    let mut client = hub.connect()?;
    let mut terminal = |command: &[&str]| {
        let command = Some(command.iter().map(|&word| word.to_owned()).collect());
        client.terminal(&New { command, ..New::default() })
    };
    let (flooding, unread) = (terminal(&["yes"])?, terminal(&["yes", "nobody reads this"])?);
    let (deaf, quiet) = (terminal(&DEAF)?, terminal(&["sleep", "1000"])?);
    let mut busy = Connection::open(hub.socket(), "bench")?;
    busy.grant_by_hand();
    let mut attach = |id| busy.begin("flightdeck.terminal.attach", &Attach::to(id));
    let (flood, _, stuck) = (attach(flooding)?, attach(unread)?, attach(deaf)?);
    for _ in 0..QUIET {
        attach(quiet)?;
    }
    busy.input(stuck, &vec![b'x'; WINDOW as usize])?;
    let mut alone = Connection::open(hub.socket(), "bench")?;
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    for _ in 0..extent.of(2000, 200) {
        ours.push(call(&mut busy, flood)?);
        theirs.push(call(&mut alone, flood)?);
    }
    hub.stop()?;
    let row =
        |name: &str, ours: f64, theirs: f64| Row::new(name, ours, "ms").beside("the same call without streams", theirs);
    Ok(vec![
        row("a call beside 50 streams p50", ours.p50(), theirs.p50()),
        row("a call beside 50 streams p99", ours.p99(), theirs.p99()).goal(Goal::AtMost(20.0)),
    ])
}

/// How long a small call takes. Of events only those of the flood are granted again.
fn call(connection: &mut Connection, flood: CallId) -> anyhow::Result<Duration> {
    let began = Instant::now();
    let wanted = connection.begin("flightdeck.hub.status", &json!({}))?;
    loop {
        match connection.next()? {
            Message::Event(id, event, bytes) if id == flood => {
                let bytes = (event.to_string().len() + bytes.len()) as u32;
                connection.send(&Request::Credit { id, bytes })?;
            }
            Message::Event(..) | Message::Credit(..) => {}
            Message::Done(id, _) => {
                ensure!(id == wanted, "call {id} ended");
                return Ok(began.elapsed());
            }
            other => bail!("{other:?}"),
        }
    }
}
