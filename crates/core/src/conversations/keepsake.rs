//! The last of what a terminal printed, kept with the conversation whose tool calls show it: the terminal itself goes when it
//! is old.

use flightdeck_contract::chat::Transcript;
use flightdeck_contract::{ConversationId, Error, ErrorCode, TerminalId};

use super::terminals::last_of;
use crate::convert;
use crate::hub::Hub;
use crate::store::{ConversationNumber, Keepsake, StoreError, TerminalNumber};
use crate::terminals::meta::{Part, Role};

/// So much is kept of each, the end of it.
const MOST: u64 = 16 * 1024;

/// The conversation that shows this terminal.
fn shown_by(hub: &Hub, terminal: TerminalId) -> Option<ConversationId> {
    match hub.meta(terminal)?.conversation {
        Some(Part { id, role: Role::Command { .. } | Role::Released }) => Some(id),
        _ => None,
    }
}

/// Keeps what is left of a terminal that is about to go. An error means that it is not kept yet.
pub(crate) fn keep(hub: &Hub, terminal: TerminalId) -> Result<(), StoreError> {
    let Some(id) = shown_by(hub, terminal) else { return Ok(()) };
    // Nobody will look at what a conversation that is gone showed, and nothing can be kept of a log that can't be read.
    let session = hub.conversations().get(id).and_then(|_| hub.session(terminal));
    let Ok(transcript) = session.and_then(|session| last_of(&session, MOST)) else { return Ok(()) };
    hub.store().write(Keepsake {
        conversation: ConversationNumber(id.number()),
        terminal: TerminalNumber(terminal.number()),
        // Our own type holds nothing that JSON can't say.
        json: serde_json::to_string(&transcript).unwrap_or_default(),
    })
}

/// What a terminal of a conversation printed last, whether it is still there or not.
pub(crate) fn look(hub: &Hub, id: ConversationId, terminal: TerminalId) -> Result<Transcript, Error> {
    hub.conversations().get(id)?;
    if shown_by(hub, terminal) == Some(id) {
        let session = hub.session(terminal)?;
        return last_of(&session, MOST);
    }
    let kept = hub.store().keepsake(ConversationNumber(id.number()), TerminalNumber(terminal.number()));
    let kept = kept.map_err(|error| convert::store_error(&error))?;
    kept.and_then(|json| serde_json::from_str(&json).ok()).ok_or_else(|| {
        let text = format!("what {terminal} printed in {id} is not kept any more");
        Error::new(ErrorCode::TerminalNotFound, text).hint("the newest 1,000 terminals of a conversation are kept of")
    })
}
