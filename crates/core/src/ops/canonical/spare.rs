//! Shells that were opened for one command: a few of each owner stay for follow-ups, and the oldest go.
//!
//! Each has an identity of its own, whose output can be read after it has ended, so none is ever used for another
//! command by itself. A caller that names it in `target` goes on in it for as long as it is there.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::TerminalId;
use flightdeck_term::kill::GRACE;
use flightdeck_term::session::{Prompt, Session};
use flightdeck_term::wait::{Conditions, wait};
use rustix::process::Signal;

use crate::aside::aside;
use crate::hub::Hub;
use crate::terminals::end::end;

/// How many shells of one owner stay after their command.
const KEPT: usize = 4;

/// How long a shell may take from the end of a command to its prompt, on a machine that is busy.
const BACK_WITHIN: Duration = Duration::from_secs(30);

/// The command in this one is over, or was left to itself: ends those of the same owner that are too many.
pub(super) fn retire(hub: &Arc<Hub>, newest: TerminalId) {
    let hub = Arc::clone(hub);
    tokio::spawn(async move {
        // On its way back to its prompt it is not one too many yet, for nobody. So whichever comes back last looks at all.
        if let Ok(session) = hub.session(newest) {
            let back = Conditions { prompt: true, ..Conditions::default() };
            wait(&session, &back, session.progress().seen, BACK_WITHIN).await;
        }
        let looking = Arc::clone(&hub);
        let Ok(old) = aside(move || too_many(&looking, newest)).await else { return };
        for session in old {
            // One that could not be ended is looked at again after the next command.
            let _ = end(session, Signal::HUP, GRACE).await;
        }
    });
}

fn too_many(hub: &Hub, newest: TerminalId) -> Vec<Arc<Session>> {
    let owner = |id: TerminalId| {
        let canonical = hub.meta(id).and_then(|meta| meta.canonical.clone());
        canonical.filter(|canonical| canonical.spare).map(|canonical| canonical.owner)
    };
    let Some(own) = owner(newest) else { return Vec::new() };
    let is_idle = |id: TerminalId| hub.session(id).is_ok_and(|session| is_idle(hub, id, &session));
    // The newest one may still run its command, and counts in any case.
    let mut idle = hub.ids_of_terminals();
    idle.retain(|id| *id != newest && owner(*id).as_ref() == Some(&own) && is_idle(*id));
    idle.sort_by_key(|id| id.number());
    let surplus = (idle.len() + 1).saturating_sub(KEPT);
    idle.into_iter().take(surplus).filter_map(|id| hub.session(id).ok()).collect()
}

/// Whether nothing runs there and nobody needs it: no job in the background, no person who looks or has typed or
/// wants to keep it.
fn is_idle(hub: &Hub, id: TerminalId, session: &Session) -> bool {
    let progress = session.progress();
    progress.running()
        && session.prompt() == (Prompt::Ready { typed: false })
        && session.tree().members().len() <= 1
        && hub.leases().holder(id).is_none()
        && !hub.viewers().is_watched(id)
        && hub.meta(id).is_some_and(|meta| meta.owner.is_some())
}
