//! `flightdeck.terminal.attach`: a terminal live, for a person: its screen first, then what comes, and what is typed goes in.

use std::sync::Arc;

use flightdeck_contract::terminal::{Attach, Followed, TerminalEvent};
use flightdeck_contract::{Error, ErrorCode, Streams};
use flightdeck_keeper::Exit;
use flightdeck_term::session::Session;

use crate::agents::leases::Held;
use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::stream::Emit;
use crate::terminals::interrupt::Interrupt;
use crate::terminals::live::{Start, show};
use crate::terminals::viewers::Looking;

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        Attach::COMMAND,
        Effects::EXECUTES,
        "Attach to a terminal",
        "Shows a terminal live; input of the call is typed into it. Whoever types holds the controls until the end of the \
         call, and the terminal has the size of their window.",
    )
    .for_front_ends()
    .stream(|hub, request, attach, emit| async move { call(&hub, request, attach, emit).await })
}

async fn call(hub: &Arc<Hub>, mut call: Call, attach: Attach, emit: Emit<TerminalEvent>) -> Result<Followed, Error> {
    if !call.caller.actor.is_human() {
        let text = "a program of an agent can't attach: what it types could not be seen to";
        return Err(Error::new(ErrorCode::NotAllowed, text).hint("`flightdeck send` and `flightdeck run` work"));
    }
    let session = hub.session(attach.id)?;
    if let Some(size) = attach.size {
        convert::size(size)?;
    }
    if session.snapshot().is_none() {
        let hint = if session.progress().running() {
            format!("`flightdeck logs -f {}` follows its output", attach.id)
        } else {
            format!("it has ended: `flightdeck logs {}` shows what it printed", attach.id)
        };
        let text = format!("{} runs on pipes and has no screen", attach.id);
        return Err(Error::new(ErrorCode::NoTerminal, text).hint(hint));
    }
    let mut looking = hub.viewers().look(attach.id, &session, &call.caller.actor, attach.size);
    let start = Start { from: attach.from, scrollback: attach.scrollback };
    let mut shown = looking.shown.clone();
    let interrupt = Interrupt::default();
    let (from, next) = tokio::select! {
        range = show(&session, start, looking.id, &mut shown, &interrupt, &emit) => range?,
        never = types(hub, &mut call, &attach, &session, &interrupt, &mut looking) => match never {},
    };
    Ok(Followed {
        from: from.0,
        next: next.0,
        truncated: false,
        exit_code: session.progress().exit.map(Exit::shell_code),
    })
}

/// Types what the viewer sends, for as long as it is polled.
async fn types(
    hub: &Arc<Hub>,
    call: &mut Call,
    attach: &Attach,
    session: &Session,
    interrupt: &Interrupt,
    looking: &mut Looking,
) -> std::convert::Infallible {
    let actor = call.caller.actor.clone();
    let mut held: Option<Held> = None;
    while let Some(bytes) = call.input.recv().await {
        // Whoever types holds the controls, until the end or until they hand them back; the next key takes them again.
        if held.as_ref().is_none_or(|held| !held.lasts()) {
            held = hub.leases().hold(attach.id, &actor);
            hub.workbench().typed(&actor, attach.id);
        }
        if hub.leases().check(attach.id, &actor).is_err() {
            continue;
        }
        looking.types();
        hub.typing().touched(attach.id, session);
        // A program that does not read loses what is typed, as on any terminal; one that ended ends the stream.
        let _ = session.write(&bytes).await;
        interrupt.typed(&bytes, session);
    }
    // The viewer sends no more input; it may still watch.
    std::future::pending().await
}
