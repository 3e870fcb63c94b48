//! `flightdeck.terminal.attach`: a terminal live, for a person: its screen first, then what comes, and what is typed goes in.

use std::sync::Arc;

use flightdeck_contract::control::Channel;
use flightdeck_contract::terminal::{Attach, Followed};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_keeper::Exit;
use flightdeck_term::log::{Follower, Offset};
use flightdeck_term::screen::QueryFilter;
use flightdeck_term::session::Session;
use tokio::sync::mpsc;

use crate::call::{Call, Data};
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.attach",
        Effects::EXECUTES,
        "Attach to a terminal",
        "Shows a terminal live in data frames; data frames from the caller are typed into it. Whoever types holds the \
         controls until the end of the call.",
    )
    .for_front_ends()
    .handle(|hub, request, attach| async move { call(&hub, request, attach).await })
}

const PIECE: usize = 64 * 1024;
/// A viewer that is further behind than this gets the present screen instead of everything that scrolled by.
const TOO_FAR: u64 = 1 << 20;
/// Clears a viewer's terminal before a screen is drawn on it.
const RESET: &[u8] = b"\x1bc";

async fn call(hub: &Arc<Hub>, call: Call, attach: Attach) -> Result<Followed, Error> {
    if !call.caller.actor.is_human() {
        let text = "a program of an agent can't attach: what it types could not be seen to";
        return Err(Error::new(ErrorCode::NotAllowed, text).hint("`flightdeck send` and `flightdeck run` work"));
    }
    let session = hub.session(attach.id)?;
    if let Some(size) = attach.size {
        let size = convert::size(size)?;
        // One that has ended keeps its size; its last screen and its exit code are shown all the same.
        if let Err(error) = session.resize(size)
            && session.progress().running()
        {
            return Err(Error::new(ErrorCode::Internal, format!("the window can't be resized: {error}")));
        }
    }
    let Some((screen, from)) = session.snapshot() else {
        return Err(Error::new(ErrorCode::NoTerminal, format!("{} runs on pipes and has no screen", attach.id))
            .hint(format!("`flightdeck logs -f {}` follows its output", attach.id)));
    };
    let Call { cancelled, output, mut input, caller, .. } = call;
    if output.send(Data { channel: Channel::Main, bytes: screen }).await.is_err() {
        return Err(Error::new(ErrorCode::Cancelled, "the viewer is gone"));
    }
    let typing = async {
        let mut held = None;
        while let Some(bytes) = input.recv().await {
            // Whoever types holds the controls, from the first key until the end.
            if held.is_none() {
                held = hub.leases().hold(attach.id, &caller.actor);
                hub.workbench().typed(&caller.actor, attach.id);
            }
            if hub.leases().check(attach.id, &caller.actor).is_err() {
                continue;
            }
            // A program that does not read loses what is typed, as on any terminal; one that ended ends the stream.
            hub.typing().touched(attach.id, &session);
            let _ = session.write(&bytes).await;
        }
        // The viewer sends no more input; it may still watch.
        std::future::pending::<()>().await;
    };
    let next = tokio::select! {
        next = show(&session, from, &output) => next?,
        () = typing => session.progress().seen,
        () = cancelled.wait() => session.progress().seen,
    };
    Ok(Followed {
        from: from.0,
        next: next.0,
        truncated: false,
        exit_code: session.progress().exit.map(Exit::shell_code),
    })
}

/// Sends output until the terminal ends. Queries are taken out: the hub has answered them already.
async fn show(session: &Session, from: Offset, output: &mpsc::Sender<Data>) -> Result<Offset, Error> {
    let unreadable = |error: std::io::Error| convert::io_error("the log can't be read", &error);
    let mut progress = session.follow();
    let mut follower = Follower::new(session.log().clone(), from).map_err(unreadable)?;
    let mut filter = QueryFilter::default();
    let mut buf = vec![0; PIECE];
    loop {
        let now = *progress.borrow_and_update();
        if now.seen.since(follower.position()) > TOO_FAR
            && let Some((screen, at)) = session.snapshot()
        {
            let bytes = [RESET, &screen].concat();
            if output.send(Data { channel: Channel::Main, bytes }).await.is_err() {
                return Ok(at);
            }
            follower = Follower::new(session.log().clone(), at).map_err(unreadable)?;
            filter = QueryFilter::default();
        }
        let read = follower.read(&mut buf).map_err(unreadable)?;
        if read > 0 {
            let mut bytes = Vec::with_capacity(read);
            filter.strip(&buf[..read], &mut bytes);
            if !bytes.is_empty() && output.send(Data { channel: Channel::Main, bytes }).await.is_err() {
                return Ok(follower.position());
            }
            continue;
        }
        if !now.running() || progress.changed().await.is_err() {
            return Ok(follower.position());
        }
    }
}
