//! Terminals of an agent that the hub runs: one command each, with a transcript that only grows. They are terminals as all
//! others, and people see them; what is here is what the agent may do with those that it has made.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::chat::{ChatExit, Transcript};
use flightdeck_contract::{ConversationId, Error, ErrorCode, TerminalId};
use flightdeck_keeper::Exit;
use flightdeck_term::kill::GRACE;
use flightdeck_term::log::{Offset, stray_head};
use flightdeck_term::screen::transcript;
use flightdeck_term::session::Session;
use rustix::process::Signal;

use crate::convert;
use crate::hub::Hub;
use crate::terminals::end::end;
use crate::terminals::known;
use crate::terminals::meta::{Meta, Part, Role};
use crate::terminals::stream::unreadable;

/// How many bytes of text are given when the agent sets no limit.
const DEFAULT_OUTPUT_BYTES: u64 = 16 << 20;
/// How many bytes of output are read beyond those that are wanted of the end of it: escape sequences are no text.
const SEQUENCE_BYTES: u64 = 64 * 1024;

/// The terminal that was made for a request of an agent already.
pub(crate) fn made_for(hub: &Hub, id: ConversationId, request: &str) -> Option<TerminalId> {
    let is_it = |meta: &Arc<Meta>| match &meta.conversation {
        Some(Part { id: of, role: Role::Command { request: by, .. } }) => *of == id && by == request,
        _ => false,
    };
    hub.known().all().into_iter().find(is_it).map(|meta| meta.id)
}

/// A terminal that the agent has made and not released.
fn held(hub: &Hub, id: ConversationId, terminal: TerminalId) -> Result<(Arc<Session>, Option<u64>), Error> {
    let part = hub.meta(terminal).and_then(|meta| meta.conversation.clone());
    match part {
        Some(Part { id: of, role: Role::Command { limit, .. } }) if of == id => Ok((hub.session(terminal)?, limit)),
        _ => Err(Error::new(ErrorCode::TerminalNotFound, format!("there is no terminal {terminal} of this session"))
            .hint("it was released, or another session's")),
    }
}

/// How many bytes [`output`] gives at most.
pub(super) fn max_output_bytes(hub: &Hub, id: ConversationId, terminal: TerminalId) -> u64 {
    let Ok((session, limit)) = held(hub, id, terminal) else { return 0 };
    let printed = session.log().bounds().map_or(0, |(oldest, end)| end.since(oldest));
    printed.min(limit.unwrap_or(DEFAULT_OUTPUT_BYTES))
}

/// What it has printed so far. The limit counts what is given: text, without what the terminal adds to it.
pub(crate) fn output(hub: &Hub, id: ConversationId, terminal: TerminalId) -> Result<Transcript, Error> {
    let (session, limit) = held(hub, id, terminal)?;
    let (tail, progress) = session.transcript_tail(limit.unwrap_or(DEFAULT_OUTPUT_BYTES)).map_err(unreadable)?;
    let exit = progress.exit.map(exit_of).filter(|_| !progress.running());
    Ok(Transcript { output: tail.text, truncated: tail.truncated, exit })
}

/// The last of what was printed, as plain text of at most `limit` bytes, for people to look at: however much was printed
/// before, no more than the end of it is read.
pub(super) fn last_of(session: &Session, limit: u64) -> Result<Transcript, Error> {
    // Looked at before the log is read: an exit is told when all that was printed before is in the log.
    let progress = session.progress();
    let (oldest, end) = session.log().bounds().map_err(unreadable)?;
    let wanted = limit + SEQUENCE_BYTES;
    let from = Offset(end.0.saturating_sub(wanted)).max(oldest);
    let chunk = session.log().read(from, Some(end), wanted as usize).map_err(unreadable)?;
    let cut = chunk.from > Offset::ZERO;
    // The beginning may be in the middle of a character or of a sequence; a line's end is a safe place.
    let skip = match memchr::memchr(b'\n', &chunk.bytes) {
        Some(line) if cut && (line as u64) < SEQUENCE_BYTES => line + 1,
        _ if cut => stray_head(&chunk.bytes),
        _ => 0,
    };
    let mut output = transcript(&chunk.bytes[skip..], !progress.running());
    let mut truncated = cut;
    if output.len() as u64 > limit {
        let keep = output.ceil_char_boundary(output.len() - limit as usize);
        output.drain(..keep);
        truncated = true;
    }
    Ok(Transcript { output, truncated, exit: progress.exit.map(exit_of).filter(|_| !progress.running()) })
}

/// Waits for its end. As many as like may wait.
pub(crate) async fn wait(hub: &Hub, id: ConversationId, terminal: TerminalId) -> Result<ChatExit, Error> {
    let (session, _) = held(hub, id, terminal)?;
    let mut progress = session.follow_milestones();
    // An error means that the terminal was removed.
    let ended = progress.wait_for(|progress| !progress.running()).await.map(|progress| progress.exit);
    match ended {
        Ok(Some(exit)) => Ok(exit_of(exit)),
        Ok(None) => Err(Error::new(ErrorCode::KeeperLost, "nobody knows how the command ended")),
        Err(_) => Err(Error::new(ErrorCode::TerminalNotFound, format!("{terminal} was removed"))),
    }
}

/// Ends the command; the terminal stays.
pub(crate) async fn kill(hub: &Hub, id: ConversationId, terminal: TerminalId) -> Result<(), Error> {
    let (session, _) = held(hub, id, terminal)?;
    end_running(session).await
}

/// Ends the command if it runs, and gives the terminal up: its name means nothing to the agent any more.
pub(crate) async fn release(hub: &Hub, id: ConversationId, terminal: TerminalId) -> Result<(), Error> {
    let (session, _) = held(hub, id, terminal)?;
    give_up(hub, terminal)?;
    end_running(session).await
}

/// Gives up all that the agent has not released.
pub(crate) async fn reap(hub: &Hub, id: ConversationId) {
    for meta in hub.known().all() {
        let is_ours = matches!(&meta.conversation, Some(Part { id: of, role: Role::Command { .. } }) if *of == id);
        if !is_ours {
            continue;
        }
        let Ok(session) = hub.session(meta.id) else { continue };
        // A person who works there keeps it.
        let kept = hub.leases().holder(meta.id).is_some_and(|holder| holder.human);
        let released = give_up(hub, meta.id);
        let ended = if kept { Ok(()) } else { end_running(session).await };
        if let Err(error) = released.and(ended) {
            tracing::warn!(terminal = %meta.id, %error, "a terminal that an agent left could not be ended");
        }
    }
}

/// The terminals of an agent that run.
pub(crate) fn running(hub: &Hub, id: ConversationId) -> Vec<(TerminalId, Arc<Session>)> {
    let is_ours =
        |meta: &Arc<Meta>| matches!(&meta.conversation, Some(Part { id: of, role: Role::Command { .. } }) if *of == id);
    let all = hub.known().all().into_iter().filter(is_ours);
    all.filter_map(|meta| Some((meta.id, hub.session(meta.id).ok()?)))
        .filter(|(_, session)| session.progress().running())
        .collect()
}

fn give_up(hub: &Hub, terminal: TerminalId) -> Result<(), Error> {
    let Some(meta) = hub.meta(terminal) else { return Ok(()) };
    let released = |part: &Part| Part { role: Role::Released, ..part.clone() };
    let conversation = meta.conversation.as_ref().map(released);
    let meta = Meta { conversation, owner: None, ..(*meta).clone() };
    meta.save(hub.store()).map_err(|error| convert::store_error(&error))?;
    hub.agents().disown(terminal);
    known::note(hub, meta);
    Ok(())
}

async fn end_running(session: Arc<Session>) -> Result<(), Error> {
    if session.progress().running() {
        end(session, Signal::TERM, GRACE.min(Duration::from_secs(1))).await?;
    }
    Ok(())
}

fn exit_of(exit: Exit) -> ChatExit {
    match exit {
        Exit::Code(code) => ChatExit { exit_code: Some(code.cast_unsigned()), signal: None },
        Exit::Signal(_) => ChatExit { exit_code: None, signal: convert::signal_of(exit) },
    }
}
