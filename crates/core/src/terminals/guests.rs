//! The windows that the user made in the tmux session that tabs are opened in: met when tabs are listed.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use flightdeck_contract::tabs::TabNumber;
use flightdeck_contract::{Error, TERMINAL_VARIABLE, TerminalId};
use flightdeck_term::Tag;

use crate::actor::Actor;
use crate::agents::leases::USERS_OWN;
use crate::aside::aside;
use crate::convert;
use crate::hub::Hub;
use crate::terminals::ground::{GuestWindow, Guests, UsersSession};
use crate::terminals::known;
use crate::terminals::meta::{Attached, Meta, What};
use crate::terminals::start;
use crate::terminals::tabs;
use crate::terminals::tabs::Tab;

/// Who made such a window, as far as it is known. No agent has this name.
const MADE_BY: &str = USERS_OWN;

/// How often windows are looked for that were moved away.
const MOVES: Duration = Duration::from_secs(2);

/// Which way the controls of a window of the user's go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handed {
    /// To the agents.
    Over,
    /// To the user.
    Back,
}

/// Joins the user's windows that are not known yet, and notes what has changed of the others. Blocks.
pub(crate) fn meet_windows(hub: &Hub) -> Result<(), Error> {
    let Some(session) = hub.tabs().grounds.attached()? else { return Ok(()) };
    let _turn = hub.tabs().grounds.meeting();
    let open = tabs::open_tabs(hub);
    let guests = session.guests()?;
    part_from_others(hub, &open, &session, &guests);
    for window in guests.windows {
        let number = window.number();
        let met = match open.iter().find(|tab| tab.number.number() == number) {
            Some(tab) if session.holds(tab) => {
                greet_again(hub, tab, &window);
                Ok(())
            }
            // An open tab of an earlier setting has the number.
            Some(_) => Ok(()),
            None => meet(hub, &session, window),
        };
        if let Err(error) = met {
            // The others are there all the same, and the next look tries it again.
            tracing::warn!(window = number, %error, "a window of the user's tmux can't be joined");
        }
    }
    Ok(())
}

/// Looks now and then for windows that the user has moved out of the session, which takes them away from agents.
pub(crate) async fn watch_moves(hub: Arc<Hub>) {
    if hub.settings().tabs.tmux_attach.is_none() {
        return;
    }
    loop {
        let own = Arc::clone(&hub);
        // If it panics, the next look does the same.
        let _ = aside(move || part_from_moved(&own)).await;
        tokio::time::sleep(MOVES).await;
    }
}

fn part_from_moved(hub: &Hub) {
    let open = tabs::open_tabs(hub);
    if !open.iter().any(|tab| tab.meta.is_users_own()) {
        return;
    }
    let Ok(Some(session)) = hub.tabs().grounds.attached() else { return };
    // One that can't be asked has moved nothing that we could know of. Nobody waits for it meanwhile.
    let Ok(guests) = session.guests() else { return };
    let _turn = hub.tabs().grounds.meeting();
    part_from_others(hub, &open, &session, &guests);
}

/// Those that were open before the look, for others may have been joined since.
fn part_from_others(hub: &Hub, open: &[Tab], session: &UsersSession, guests: &Guests) {
    let moved = |tab: &&Tab| tab.is_open() && session.holds(tab) && !guests.hold(&hub.dir(tab.terminal));
    for tab in open.iter().filter(moved) {
        tracing::info!(tab = %tab.number, "a window is in the user's session no more, and is left alone");
        if let Err(error) = tab.session.leave() {
            tracing::warn!(tab = %tab.number, %error, "the pipe of a window that was moved can't be taken off");
        }
    }
}

fn greet_again(hub: &Hub, tab: &Tab, window: &GuestWindow) {
    if !window.piped
        && let Err(error) = tab.session.repair()
    {
        tracing::warn!(tab = %tab.number, %error, "a window of the user's tmux can't be listened to");
    }
    if let Some(meta) = hub.meta(tab.terminal).filter(|meta| meta.title.as_deref() != Some(&window.name)) {
        let meta = Meta { title: Some(window.name.clone()), ..Meta::clone(&meta) };
        // A name that can't be stored is seen again the next time.
        let _ = meta.save(hub.store());
        known::note(hub, meta);
    }
}

/// Notes for the next hub that a person hands over a window of theirs, or takes it back. Others need no note.
pub(crate) async fn note_handed(hub: &Arc<Hub>, id: TerminalId, by: &Actor, handed: Handed) -> Result<(), Error> {
    let is_theirs = hub.meta(id).is_some_and(|meta| meta.is_users_own());
    if !is_theirs || !by.is_human() {
        return Ok(());
    }
    let own = Arc::clone(hub);
    aside(move || {
        let _turn = own.tabs().grounds.meeting();
        let Some(mut meta) = own.meta(id).map(|meta| Meta::clone(&meta)) else { return Ok(()) };
        if let Some(attached) = &mut meta.attached {
            attached.handed_over = handed == Handed::Over;
        }
        meta.save(own.store()).map_err(|error| convert::store_error(&error))?;
        known::note(&own, meta);
        Ok(())
    })
    .await?
}

fn meet(hub: &Hub, users: &UsersSession, window: GuestWindow) -> Result<(), Error> {
    users.clear(&window, &hub.workspace().terminals())?;
    let id = hub.known().next_id()?;
    let tag = Tag { name: TERMINAL_VARIABLE, value: format!("{id}@{}", hub.workspace().key()) };
    let limits = start::limits(hub.tabs().history())?;
    let number = TabNumber::new(window.number());
    let dir = hub.dir(id);
    DirBuilder::new()
        .mode(0o700)
        .create(&dir)
        .map_err(|error| convert::io_error("the folder of a window can't be made", &error))?;
    let mut meta = Meta {
        id,
        title: Some(window.name.clone()),
        command: vec!["tmux".to_owned()],
        cwd: window.cwd().unwrap_or_else(|| hub.workspace().root().to_owned()),
        size: convert::window_size(window.size),
        created_by: MADE_BY.to_owned(),
        created_at: SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64()),
        tag: tag.value.clone(),
        what: What::Command,
        log_bytes: limits.total_bytes,
        transient: false,
        owner: None,
        canonical: None,
        tab: Some(number),
        attached: users.attached().map(|attached| Attached { theirs: true, ..attached }),
        conversation: None,
    };
    // Held before anybody can find it.
    hub.leases().take_for_user(id);
    let join = users.join(convert::session_id(id), dir, tag, limits, window);
    // Known to the next hub from the first moment on, whenever this one is killed.
    let saved = meta.save(hub.store()).map_err(|error| convert::store_error(&error));
    let joined = saved.and_then(|()| hub.terminals().join(join).map_err(|error| convert::spawn_error(&error)));
    let noted = joined.and_then(|session| {
        meta.what = session.kind().into();
        meta.save(hub.store()).map_err(|error| {
            let _ = session.leave();
            convert::store_error(&error)
        })
    });
    if let Err(error) = noted {
        // Nothing was joined, so nothing stays behind.
        hub.leases().forget(id);
        let _ = known::discard(hub, id);
        return Err(error);
    }
    tabs::note(hub, number);
    known::note(hub, meta);
    Ok(())
}
