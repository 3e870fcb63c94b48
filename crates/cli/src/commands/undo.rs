//! `flightdeck undo`: what agents wrote into files, taken back.

use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use flightdeck_client::Client;
use flightdeck_contract::openspace::{ListWrites, UndoWrite, Write, WriteUndone, Writes};

use super::print_json;
use super::visible::visible;
use crate::args;

pub async fn run(client: &Client, args: args::Undo) -> anyhow::Result<ExitCode> {
    if args.list {
        return list(client, args).await;
    }
    let request = UndoWrite { path: args.path, undo_id: args.id };
    let undone: WriteUndone = client.call("openspace.file.undo", &request).await?;
    if args.json {
        print_json(&undone)?;
        return Ok(ExitCode::SUCCESS);
    }
    let ago = ago(undone.written_at_ms);
    let now = if undone.version.is_some() { "as it was before" } else { "gone again" };
    let (path, actor) = (visible(&undone.path), visible(&undone.actor));
    outln!("{path} is {now}: what {actor} wrote {ago} ago was taken back")?;
    if let Some(id) = undone.undo_id {
        outln!("flightdeck undo --id {id} brings it back")?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(client: &Client, args: args::Undo) -> anyhow::Result<ExitCode> {
    let request = ListWrites { path: args.path, limit: None };
    let found: Writes = client.call("flightdeck.file.writes", &request).await?;
    if args.json {
        print_json(&found)?;
        return Ok(ExitCode::SUCCESS);
    }
    if found.writes.is_empty() {
        outln!("nothing was written through the hub")?;
    }
    for write in &found.writes {
        outln!(
            "{:>5}  {:>8}  {:<9}  {}  by {}",
            write.undo_id,
            ago(write.written_at_ms),
            what(write),
            visible(&write.path),
            visible(&write.actor)
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn what(write: &Write) -> &'static str {
    match (write.undo, &write.before, &write.after) {
        (true, ..) => "undone",
        (_, None, _) => "created",
        (_, _, None) => "removed",
        _ => "changed",
    }
}

/// `3 min`.
fn ago(at_ms: i64) -> String {
    let at = Duration::from_millis(u64::try_from(at_ms).unwrap_or_default());
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let seconds = now.saturating_sub(at).as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86400 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86400),
    }
}
