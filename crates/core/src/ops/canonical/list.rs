//! `list`: the sessions of the contract that the caller may know of.

use flightdeck_contract::canonical::{Identity, Item, Mode, Outcome, Request, Status};
use flightdeck_contract::{Error, TerminalId};
use flightdeck_term::facts::Look;

use super::Success;
use super::state::{State, state};
use crate::agents::visible::is_visible;
use crate::audit::mask;
use crate::call::Call;
use crate::hub::Hub;
use crate::terminals::page::{Page, Place, page};

pub(super) fn call(hub: &Hub, call: &Call, request: &Request) -> Result<Success, Error> {
    let wanted = |item: &Item| request.invocation.mode.is_none_or(|mode| mode == item.mode);
    let visible = hub.ids_of_terminals().into_iter().filter(|id| is_visible(hub, *id, &call.caller.actor));
    let look = Look::new();
    let items = visible.filter_map(|id| Some((id, item(hub, id, &look)?))).filter(|(_, item)| wanted(item)).collect();
    let Page { rows, more, .. } = page(items, |(id, item)| Place::new(*id, item.running), None, None)?;
    // The contract knows no pages.
    let warning = (more > 0).then(|| {
        format!("{more} older sessions are left out: flightdeck.terminal.list with all true lists every one, in pages.")
    });
    let items = rows.into_iter().map(|(_, item)| item).collect();
    let result = Outcome { items: Some(items), warning, ..Outcome::default() };
    Ok(Success { status: Status::Completed, identity: Identity::default(), result })
}

fn item(hub: &Hub, id: TerminalId, look: &Look) -> Option<Item> {
    let (meta, session) = (hub.meta(id)?, hub.session(id).ok()?);
    let own = meta.canonical.clone()?;
    let State { last, running, exit_code, open } = state(&session);
    let command =
        last.and_then(|record| record.text).or_else(|| (own.mode == Mode::Headless).then(|| shown(&meta.command)));
    let command = command.map(|command| mask::text(&command).into_owned());
    Some(Item {
        session_id: id.to_string(),
        terminal_id: (own.mode == Mode::Interactive).then(|| id.to_string()),
        mode: own.mode,
        command,
        cwd: session.cwd_in(look).unwrap_or_else(|| meta.cwd.clone()).to_string_lossy().into_owned(),
        running,
        exit_code,
        open,
        created_by: meta.created_by.clone(),
        shared: own.shared,
    })
}

/// The command as it was asked for, without the shell that it was given to.
fn shown(command: &[String]) -> String {
    match command {
        [shell, flag, line] if shell == "/bin/sh" && flag == "-c" => line.clone(),
        words => words.join(" "),
    }
}
