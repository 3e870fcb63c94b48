//! What a person does with tabs, panes and views by hand.

use flightdeck_contract::terminal::Done;
use flightdeck_contract::workbench::{ClearHighlights, CloseTab, MovePaneTab, PaneMoved, PinPane, SetView};
use flightdeck_workbench::{Destination, MoveTab, Pin, Side, Unsaved};

use crate::convert::guest;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn commands() -> Vec<Command> {
    vec![clear_highlights(), close_tab(), move_tab(), pin(), view()]
}

fn clear_highlights() -> Command {
    define(
        Family::Hub,
        "flightdeck.workbench.clear_highlights",
        Effects::WRITES,
        "Clear all highlights",
        "Takes all highlights of a file away: what a person wants when they press Escape.",
    )
    .for_people()
    .handle(|hub, call, request: ClearHighlights| async move {
        hub.workbench().change(|state| state.clear_highlights_of(&guest(&call.caller.actor), &request.path))?;
        Ok(Done {})
    })
}

fn close_tab() -> Command {
    define(
        Family::Hub,
        "flightdeck.workbench.close_tab",
        Effects::WRITES,
        "Close a tab",
        "Closes one tab of a pane; unsaved changes are kept unless they are to be discarded.",
    )
    .for_people()
    .handle(|hub, call, request: CloseTab| async move {
        let unsaved = if request.discard { Unsaved::Discard } else { Unsaved::Keep };
        hub.workbench().change(|state| state.close_tab(&guest(&call.caller.actor), request.tab_id, unsaved))?;
        Ok(Done {})
    })
}

fn move_tab() -> Command {
    define(
        Family::Hub,
        "flightdeck.workbench.move_tab",
        Effects::WRITES,
        "Move a tab",
        "Moves a tab into another pane, or into a new one beside a pane.",
    )
    .for_people()
    .handle(|hub, call, request: MovePaneTab| async move {
        let to = match request.split_direction {
            Some(split) => {
                let side = if request.before { Side::Before } else { Side::Behind };
                Destination::Beside { pane: request.pane_id, split, side }
            }
            None => Destination::Into { pane: request.pane_id, index: request.index.unwrap_or(usize::MAX) },
        };
        let moved = MoveTab { tab: request.tab_id, to };
        let pane = hub.workbench().change(|state| state.move_tab(&guest(&call.caller.actor), moved))?;
        Ok(PaneMoved { pane_id: pane })
    })
}

fn pin() -> Command {
    define(
        Family::Hub,
        "flightdeck.workbench.pin",
        Effects::WRITES,
        "Pin a pane",
        "Lets a pane stay although the agent that opened it leaves, or lets it go.",
    )
    .for_people()
    .handle(|hub, call, request: PinPane| async move {
        let pin = if request.pinned { Pin::Pinned } else { Pin::Unpinned };
        hub.workbench().change(|state| state.pin(&guest(&call.caller.actor), request.pane_id, pin))?;
        Ok(Done {})
    })
}

fn view() -> Command {
    define(
        Family::Hub,
        "flightdeck.workbench.view",
        Effects::WRITES,
        "Tell the view",
        "Tells where a front end looks: its focus, the cursor of its editor, its window, and whom it follows. Others and \
         agents know it then; no other front end is moved by it.",
    )
    .for_people()
    .unnoted()
    .handle(|hub, call, request: SetView| async move {
        hub.workbench().change(|state| state.set_view(&guest(&call.caller.actor), request))?;
        Ok(Done {})
    })
}
