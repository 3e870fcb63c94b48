//! The agent's process: a child of the keeper on pipes, which outlives the hub.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use flightdeck_contract::chat::{Abilities, Accepts, AgentInfo, Chat, ChatState, Level, NewChat, Resumable};
use flightdeck_contract::terminal::New;
use flightdeck_contract::{Error, ErrorCode, TerminalId};
use flightdeck_term::kill::GRACE;
use flightdeck_term::session::Session;
use rustix::process::Signal;

use super::conversation::Conversation;
use super::driver::Seat;
use super::instruction::Instruction;
use super::kept::Kept;
use super::wire::{Wire, taken, write_lines};
use super::{presets, terminals};
use crate::actor::Caller;
use crate::audit::now_ms;
use crate::convert;
use crate::hub::Hub;
use crate::store::{StoredLine, StoredRequest};
use crate::terminals::end::end;
use crate::terminals::meta::{Part, Role};
use crate::terminals::start::{Purpose, Start, absolute};

/// How much of what an agent says is kept. A hub that is away for longer than it takes to say that much loses some of it.
const LOG_BYTES: u64 = 64 << 20;
/// How long an agent may take to let its session go before its process is ended.
const CLOSING: std::time::Duration = std::time::Duration::from_secs(2);

/// Begins a conversation.
pub(crate) async fn start(hub: &Arc<Hub>, caller: &Caller, new: NewChat) -> Result<Arc<Conversation>, Error> {
    hub.conversations().driver()?;
    let program = presets::resolve(&hub.settings().agents, new.agent.as_deref(), new.command.clone())?;
    let (preset, title, command) = (program.preset, program.title, program.command);
    let cwd = folder(hub, new.cwd.as_deref())?;
    let additional_directories =
        new.additional_directories.iter().map(|path| folder(hub, Some(path))).collect::<Result<Vec<_>, _>>()?;
    // What is asked for counts more than what the agent is usually started with.
    let env: BTreeMap<String, String> = program.env.into_iter().chain(new.env).collect();
    let id = hub.conversations().next_id().map_err(|error| convert::store_error(&error))?;
    let now = now_ms();
    let name =
        Path::new(&command[0]).file_name().map_or_else(|| command[0].clone(), |name| name.to_string_lossy().into());
    let chat = Chat {
        id,
        title: String::new(),
        agent: AgentInfo {
            preset,
            title: title.unwrap_or_else(|| name.clone()),
            name,
            version: None,
            command,
            number: None,
        },
        cwd,
        additional_directories,
        state: ChatState::Starting,
        reason: "its process starts".to_owned(),
        since_ms: now,
        created_at_ms: now,
        updated_at_ms: now,
        turn: 0,
        last_entry: 0,
        approval: None,
        terminal: None,
        session: new.session,
        resumable: Resumable::No,
        accepts: Accepts::default(),
        abilities: Abilities::default(),
        auth: Vec::new(),
        modes: None,
        options: Vec::new(),
        commands: Vec::new(),
        usage: None,
        budget: new.budget,
    };
    let store = Arc::clone(&hub.conversations().store);
    let kept = Kept { env: env.clone(), ..Kept::default() };
    let conversation = Arc::new(Conversation::new(&store, chat, kept, &hub.conversations().changes));
    let session = spawn(hub, caller, &conversation, env).await?;
    conversation.flush().await;
    hub.conversations().insert(Arc::clone(&conversation));
    drive(hub, &conversation, session, Unfinished::default());
    Ok(conversation)
}

/// A folder that an agent works in.
fn folder(hub: &Hub, path: Option<&str>) -> Result<String, Error> {
    let path = absolute(hub, path);
    if path.is_dir() {
        return Ok(path.to_string_lossy().into_owned());
    }
    let text = format!("{} is no folder that an agent could work in", path.display());
    Err(Error::new(ErrorCode::CwdMissing, text))
}

/// Starts the agent's process.
async fn spawn(
    hub: &Arc<Hub>,
    caller: &Caller,
    conversation: &Conversation,
    env: BTreeMap<String, String>,
) -> Result<Arc<Session>, Error> {
    let chat = conversation.chat();
    let new = New {
        command: Some(chat.agent.command.clone()),
        pipes: true,
        stdin: true,
        cwd: Some(chat.cwd.clone()),
        env,
        title: Some(format!("{} ({})", chat.agent.title, chat.id)),
        log_bytes: Some(LOG_BYTES),
        keep: true,
        ..New::default()
    };
    let part = Part { id: chat.id, role: Role::Agent };
    let begin = Start { conversation: Some(part), ..Start::of(new, Purpose::Lasting) };
    let started =
        crate::terminals::start::start(hub, caller, begin).await.map_err(|error| missing(hub, error, &chat))?;
    conversation.begin_anew(started.id);
    Ok(started.session)
}

/// A program that is not there is said to be installable when it is.
fn missing(hub: &Hub, error: Error, chat: &Chat) -> Error {
    let preset = chat.agent.preset.as_deref().and_then(|id| presets::find(&hub.settings().agents, id));
    match (error.code, preset) {
        (ErrorCode::ProgramNotFound, Some(preset)) => {
            error.hint(format!("install it, then try again: {}", preset.install))
        }
        _ => error,
    }
}

/// What an earlier hub has left undone with an agent.
#[derive(Default)]
struct Unfinished {
    /// Lines that it has written down and not sent.
    lines: Vec<StoredLine>,
    /// What the agent has asked and was not answered.
    requests: Vec<StoredRequest>,
}

/// Hands the conversation to whoever speaks with its agent.
fn drive(hub: &Arc<Hub>, conversation: &Arc<Conversation>, session: Arc<Session>, unfinished: Unfinished) {
    let Ok(driver) = hub.conversations().driver().cloned() else { return };
    let (orders, lines) = conversation.connect(unfinished.lines);
    let unanswered = unfinished.requests.into_iter().filter_map(|request| Some((request.id, request.json?))).collect();
    let (written, answers) = (Arc::clone(conversation.written()), Arc::clone(conversation.answers()));
    tokio::spawn(write_lines(Arc::clone(&session), lines, written, answers));
    let wire = Wire::new(session, conversation.kept().cursor);
    let seat = Seat { hub: Arc::clone(hub), conversation: Arc::clone(conversation), unanswered, wire, orders };
    let (hub, conversation) = (Arc::clone(hub), Arc::clone(conversation));
    tokio::spawn(async move {
        driver.drive(seat).await;
        conversation.disconnect();
        terminals::reap(&hub, conversation.id()).await;
        let ended = |draft: &mut super::Draft<'_>| {
            draft.chat().agent.number = None;
            draft.give_up_tools();
            if !matches!(draft.see().state, ChatState::Failed | ChatState::Gone) {
                draft.state(ChatState::Gone, "its process has ended");
            }
        };
        conversation.agent().ended();
        conversation.write_down(ended).await;
        conversation.is_over();
        hub.agents().doings().tell();
    });
}

/// Takes up the conversations that an earlier hub has left. Those whose agents ended meanwhile are read to their end.
pub(super) fn take_up_all(hub: &Arc<Hub>) {
    for conversation in hub.conversations().all() {
        let chat = conversation.chat();
        let kept = conversation.kept();
        let session = kept.process.and_then(|id| hub.session(id).ok());
        match session {
            Some(session) if !is_over(&chat) => {
                let taken = taken(&session);
                conversation.written().store(taken, Ordering::Release);
                let mut lines = hub.store().outgoing(conversation.number()).unwrap_or_default();
                lines.retain(|line| line.start + line.line.len() as u64 > taken);
                let requests = hub.store().requests(conversation.number()).unwrap_or_else(|error| {
                    tracing::error!(id = %chat.id, %error, "what an agent has asked can't be read: it is not answered");
                    Vec::new()
                });
                drive(hub, &conversation, session, Unfinished { lines, requests });
            }
            None if !is_over(&chat) => {
                let reason = "the machine was restarted, or its process was ended from outside";
                conversation.write(|draft| {
                    draft.chat().agent.number = None;
                    draft.give_up_tools();
                    draft.state(ChatState::Gone, reason);
                    draft.note(Level::Warning, format!("The agent is gone: {reason}."), None);
                });
                let conversation = Arc::clone(&conversation);
                tokio::spawn(async move { conversation.flush().await });
            }
            _ => {}
        }
    }
}

/// Whether nobody speaks any more: the end was noted.
fn is_over(chat: &Chat) -> bool {
    matches!(chat.state, ChatState::Gone | ChatState::Failed) && chat.agent.number.is_none()
}

/// Starts the agent again.
pub(crate) async fn restart(
    hub: &Arc<Hub>,
    caller: &Caller,
    conversation: &Arc<Conversation>,
    fresh: bool,
) -> Result<(), Error> {
    // One that has just ended is about to be noted as such.
    let is_running =
        conversation.process().and_then(|id| hub.session(id).ok()).is_some_and(|it| it.progress().running());
    if !is_running {
        conversation.over().await;
    }
    if conversation.is_driven() {
        let text = format!("the agent of {} is still there", conversation.id());
        return Err(Error::new(ErrorCode::ChatNotReady, text).hint("flightdeck.chat.stop ends it"));
    }
    let chat = conversation.chat();
    if !fresh && chat.session.is_some() && chat.resumable == Resumable::No {
        let text =
            format!("{} can't take up its session again: it would know nothing of what was said", chat.agent.title);
        return Err(Error::new(ErrorCode::NotSupported, text).hint("give `fresh` to begin a new session all the same"));
    }
    let env = conversation.kept().env;
    let session = spawn(hub, caller, conversation, env).await?;
    let write = |draft: &mut super::Draft<'_>| {
        if fresh {
            draft.chat().session = None;
            let text = "A new session begins: the agent knows nothing of what was said before.";
            draft.note(Level::Info, text, None);
        }
        draft.state(ChatState::Starting, "its process starts");
    };
    conversation.write_down(write).await;
    drive(hub, conversation, session, Unfinished::default());
    Ok(())
}

/// Ends the agent's process.
pub(crate) async fn stop(hub: &Arc<Hub>, conversation: &Arc<Conversation>, by: &str) -> Result<(), Error> {
    conversation.keep(|kept| kept.stopped_by = Some(by.to_owned()));
    if conversation.is_driven() {
        // One that does not answer is ended all the same.
        let closing = conversation.order(|reply| Instruction::Close { reply });
        let _ = tokio::time::timeout(CLOSING, closing).await;
    }
    end_process(hub, conversation).await;
    // What was told at the end is written down a moment later.
    let _ = tokio::time::timeout(CLOSING, conversation.over()).await;
    Ok(())
}

pub(super) async fn end_process(hub: &Arc<Hub>, conversation: &Conversation) {
    let session: Option<(TerminalId, _)> =
        conversation.process().and_then(|id| hub.session(id).ok().map(|session| (id, session)));
    let Some((id, session)) = session else { return };
    if session.progress().running()
        && let Err(error) = end(session, Signal::TERM, GRACE).await
    {
        tracing::error!(%id, %error, "an agent could not be ended");
    }
}
