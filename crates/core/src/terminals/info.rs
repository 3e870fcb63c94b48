//! The terminals as they stand.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use flightdeck_contract::terminal::{List, Listed, TerminalInfo};
use flightdeck_contract::{Error, TerminalId};
use flightdeck_keeper::Exit;
use flightdeck_term::facts::Look;
use flightdeck_term::session::Session;

use super::page::{Page, Place, page};
use crate::actor::Actor;
use crate::agents::visible::is_visible;
use crate::convert;
use crate::hub::Hub;

/// A longer page is shared out among threads: each terminal takes a few looks at files of the kernel.
const SHARE: usize = 100;

/// A page of those that an actor may know of: all that run, and those that have ended as well if they are wanted. Only what
/// is on the page is looked at closely.
pub(crate) fn list(hub: &Hub, actor: &Actor, wanted: &List) -> Result<Listed, Error> {
    let place = |session: Arc<Session>| {
        let place = Place::new(convert::terminal_id(session.id())?, session.progress().running());
        Some((place, session))
    };
    let known = hub.terminals().all().into_iter().filter_map(place);
    let listed = known
        .filter(|(place, _)| wanted.all || place.is_running())
        .filter(|(place, _)| is_visible(hub, place.id(), actor));
    let Page { rows, more, next } = page(listed.collect(), |(place, _)| *place, wanted.limit, wanted.after.as_deref())?;
    Ok(Listed { terminals: looked_at(hub, &rows), more, next })
}

fn looked_at(hub: &Hub, rows: &[(Place, Arc<Session>)]) -> Vec<TerminalInfo> {
    let look = Look::new();
    let infos = |rows: &[(Place, Arc<Session>)]| -> Vec<_> {
        rows.iter().filter_map(|(place, session)| info(hub, place.id(), session, &look)).collect()
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(rows.len().div_ceil(SHARE));
    if threads < 2 {
        return infos(rows);
    }
    thread::scope(|scope| {
        let shares = rows.chunks(rows.len().div_ceil(threads)).map(|share| scope.spawn(|| infos(share)));
        let shares: Vec<_> = shares.collect();
        shares.into_iter().flat_map(|share| share.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// One terminal; `None` when it was removed meanwhile.
fn info(hub: &Hub, id: TerminalId, session: &Session, look: &Look) -> Option<TerminalInfo> {
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
        command: meta.shown_command(),
        cwd: session.cwd_by(&facts).unwrap_or_else(|| meta.cwd.clone()).to_string_lossy().into_owned(),
        running: progress.running(),
        exit_code: progress.exit.map(Exit::shell_code),
        signal: progress.exit.and_then(convert::signal_of),
        lost: progress.lost.is_some(),
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
