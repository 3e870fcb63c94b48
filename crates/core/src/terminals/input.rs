//! What is typed into a terminal: what it would make a shell run, and the typing itself.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::terminal::{Send, Sent};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_policy::{Deed, SurfaceKind};
use flightdeck_term::Whose;
use flightdeck_term::exec::empty_prompt;
use flightdeck_term::keys::{KeyModes, key};
use flightdeck_term::screen::Screen;
use flightdeck_term::session::{Kind, Prompt, Session, Settling};
use flightdeck_term::shell::ShellKind;

use super::on_screen;
use super::typing::{Heard, Onto};
use crate::approvals::intent::{Certainty, Intent, Sight};
use crate::approvals::whole::waiting;
use crate::call::Call;
use crate::convert;
use crate::hub::Hub;

/// How long a fresh shell is waited for before anybody is asked about what is to run in it.
const FIRST_PROMPT: Duration = Duration::from_secs(2);

/// Types for somebody who holds the controls. An agent types what was decided about, or nothing.
pub(crate) async fn send(hub: &Arc<Hub>, call: &Call, send: Send, onto: Onto) -> Result<Sent, Error> {
    if send.text.is_none() && send.paste.is_none() && send.keys.is_empty() {
        return Err(Error::invalid("text", "nothing to send: give `text`, `paste` or `keys`"));
    }
    let session = hub.session(send.id)?;
    hub.leases().check(send.id, &call.caller.actor)?;
    hub.workbench().typed(&call.caller.actor, send.id);
    let turn = hub.typing().turn(send.id);
    let _turn = turn.lock().await;
    if call.caller.actor.is_human() {
        hub.typing().touched(send.id, &session);
    } else {
        // Others may have typed since it was decided about.
        let decided = call.permit.decided.as_ref().map(|intent| &intent.deed);
        let now = typed(hub, &send, Sight::Shared(SurfaceKind::Terminal), onto)?;
        if now.as_ref().map(|intent| &intent.deed) != decided {
            let text = format!("what stands at the prompt of {} has changed meanwhile: nothing was typed", send.id);
            return Err(Error::new(ErrorCode::TerminalBusy, text).hint("look at its screen and try again"));
        }
        if onto == Onto::KnownLine && hub.typing().is_obscure(send.id, &session) {
            empty_prompt(&session).await.map_err(|error| convert::run_error(&error))?;
            hub.typing().emptied(send.id, &session);
        } else if session.may_hold_answers() && hub.typing().is_fresh(send.id, &session) {
            // What a program asked its terminal and did not read must not become a part of it.
            empty_prompt(&session).await.map_err(|error| convert::run_error(&error))?;
            hub.typing().emptied(send.id, &session);
        } else if session.whose() == Whose::Theirs && hub.typing().begins_line(&session, &send) {
            empty_prompt(&session).await.map_err(|error| convert::run_error(&error))?;
        } else if session.is_typed_into_by_others() && hub.typing().is_fresh(send.id, &session) {
            // What a person has half typed there must not become a part of it.
            session.clear_line().await.map_err(|error| convert::input_error(&error))?;
        }
        hub.typing().typed(&session, &send);
    }
    // The cursor before the input: what the program answers comes after it.
    let cursor = session.log().bounds().map_err(|error| convert::io_error("the log can't be read", &error))?.1;
    if let Some(text) = &send.text {
        session.write(text.as_bytes()).await.map_err(|error| convert::input_error(&error))?;
    }
    if let Some(text) = &send.paste {
        session.paste(text).await.map_err(|error| convert::input_error(&error))?;
    }
    if !send.keys.is_empty() {
        session.press(&send.keys).await.map_err(|error| convert::input_error(&error))?;
    }
    hub.reading().typed(send.id, &call.caller.reader(), cursor);
    if !send.screen {
        return Ok(Sent { cursor: cursor.0, screen: None });
    }
    call.caller.took_effect();
    session.settled(cursor, Settling::SEEN).await;
    Ok(Sent { cursor: cursor.0, screen: on_screen::look(&session, Screen::text) })
}

/// Where a command in a live shell would run. A shell that still reads its start-up files may go elsewhere.
pub(crate) fn folder(session: &Session) -> Option<PathBuf> {
    (session.prompt() != Prompt::Starting).then(|| session.cwd()).flatten()
}

/// Waits until a shell that was just started has read its start-up files; not for ever, since some show no prompt.
pub(crate) async fn first_prompt(session: &Session) {
    if !matches!(session.kind(), Kind::Shell(setup) if setup.kind != ShellKind::Other) {
        return;
    }
    let mut progress = session.follow();
    let there = async {
        while session.prompt() == Prompt::Starting && progress.borrow_and_update().running() {
            if progress.changed().await.is_err() {
                return;
            }
        }
    };
    // Then the folder stays unknown, and is shown as that.
    let _ = tokio::time::timeout(FIRST_PROMPT, there).await;
}

/// What input would make a shell run. What it reads from its beginning to its end has to be whole.
pub(crate) fn typed(hub: &Hub, send: &Send, sight: Sight, onto: Onto) -> Result<Option<Intent>, Error> {
    let session = hub.session(send.id)?;
    for name in &send.keys {
        key(name, KeyModes::default()).map_err(|error| convert::input_error(&error.into()))?;
    }
    let Some(heard) = hub.typing().would_run(&session, send, onto) else { return Ok(None) };
    let (deed, certainty) = match heard {
        Heard::Runs(lines) => (Deed::Line(lines), Certainty::Certain),
        Heard::Unknown(lines) => (Deed::Part(lines), Certainty::Certain),
        Heard::Perhaps { lines, raw } => (Deed::Line(lines), Certainty::Perhaps { raw }),
    };
    // A shell inside of the shell may be anywhere.
    let cwd = matches!(session.prompt(), Prompt::Ready { .. }).then(|| session.cwd()).flatten();
    let known = matches!(deed, Deed::Line(_)) && certainty == Certainty::Certain;
    let shell = known.then(|| waiting(&session)).flatten();
    Ok(Some(Intent { deed, sight, cwd, env: Vec::new(), terminal: Some(send.id), certainty, shell }))
}
