//! The terminals as they stand.

use flightdeck_contract::Error;
use flightdeck_contract::terminal::{List, Listed, TerminalInfo};
use flightdeck_keeper::Exit;
use flightdeck_term::facts::Look;
use flightdeck_term::session::Session;

use super::page::{Page, Place, page};
use crate::actor::Actor;
use crate::agents::visible::is_visible;
use crate::convert;
use crate::hub::Hub;

/// A page of those that an actor may know of.
pub(crate) fn list(hub: &Hub, actor: &Actor, wanted: &List) -> Result<Listed, Error> {
    let place = |info: &TerminalInfo| Place::new(info.id, info.running);
    let Page { rows, more, next } = page(all(hub, actor, wanted.all), place, wanted.limit, wanted.after.as_deref())?;
    Ok(Listed { terminals: rows, more, next })
}

/// All that run, and those that have ended as well if they are wanted; the oldest first.
pub(crate) fn all(hub: &Hub, actor: &Actor, ended: bool) -> Vec<TerminalInfo> {
    let look = Look::new();
    let mut terminals: Vec<_> = hub
        .terminals()
        .all()
        .iter()
        .filter(|session| ended || session.progress().running())
        .filter_map(|session| info(hub, session, &look))
        .filter(|info| is_visible(hub, info.id, actor))
        .collect();
    terminals.sort_unstable_by_key(|info| info.id);
    terminals
}

/// One terminal; `None` when it was removed meanwhile.
fn info(hub: &Hub, session: &Session, look: &Look) -> Option<TerminalInfo> {
    let id = convert::terminal_id(session.id())?;
    let meta = hub.meta(id)?;
    let progress = session.progress();
    let facts = session.facts_in(look);
    let (log_start, log_end) = session.log().bounds().unwrap_or_default();
    // An ended terminal's screen would have to be made again just for this.
    let shown = if progress.running() {
        session.screen(|screen| (screen.title().map(str::to_owned), screen.modes().alt_screen))
    } else {
        None
    };
    let (screen_title, alt_screen) = shown.unwrap_or_default();
    Some(TerminalInfo {
        id,
        title: meta.shown_title(screen_title),
        kind: convert::terminal_kind(session.kind()),
        command: meta.command.join(" "),
        cwd: session.cwd_by(&facts).unwrap_or_else(|| meta.cwd.clone()).to_string_lossy().into_owned(),
        running: progress.running(),
        exit_code: progress.exit.map(Exit::shell_code),
        signal: progress.exit.and_then(convert::signal_of),
        lost: progress.lost,
        trouble: session.trouble(),
        stalled: progress.stalled,
        foreground: facts.foreground.map(|process| process.name),
        input: convert::input_state(facts.input),
        alt_screen,
        pid: session.leader(),
        size: convert::window_size(session.size()),
        created_by: meta.created_by.clone(),
        created_at: meta.created_at,
        log_start: log_start.0,
        log_end: log_end.0,
        lease: hub.leases().holder(id),
        kept: meta.owner.is_none(),
    })
}
