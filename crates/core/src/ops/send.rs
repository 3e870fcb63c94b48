//! `flightdeck.terminal.keys`: text, a paste, or keys.

use std::sync::Arc;

use flightdeck_contract::terminal::{Send, Sent};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_policy::SurfaceKind;
use flightdeck_term::Whose;
use flightdeck_term::exec::empty_prompt;

use super::executes::typed;
use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::approvals::intent::Sight;
use crate::registry::{Command, Effects, define};
use crate::terminals::typing::Onto;

pub(crate) fn command() -> Command {
    define(
        "flightdeck.terminal.keys",
        Effects::EXECUTES,
        "Type into a terminal",
        "Types text, pastes, or presses named keys (Enter, C-c, Up, F5, …) in a terminal. For programs that ask \
         something, REPLs and full-screen programs; flightdeck.terminal.run is better for commands. Returns a cursor: \
         pass it to flightdeck.terminal.wait or .read as `from` to see the answer.",
    )
    .handle_executing(|hub, request, send| async move { call(&hub, &request, send, Onto::Line).await })
}

pub(crate) async fn call(hub: &Arc<Hub>, call: &Call, send: Send, onto: Onto) -> Result<Sent, Error> {
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
    Ok(Sent { cursor: cursor.0 })
}
