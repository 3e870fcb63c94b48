//! What stands at a prompt when the Enter behind it was refused: it was typed before, in a call that ran nothing, and the next
//! one would add to it.

use flightdeck_contract::Error;

use super::authorise::shown;
use super::intent::Intent;
use crate::hub::Hub;
use crate::registry::Job;

/// A refusal that says what is left of the line, and how to be rid of it.
pub(crate) fn with_what_stands(hub: &Hub, job: &dyn Job, error: Error) -> Error {
    if !job.may_be_input() {
        return error;
    }
    let Ok(Some(Intent { terminal: Some(id), .. })) = job.intent(hub) else { return error };
    let Some(text) = hub.session(id).ok().and_then(|session| hub.typing().standing(id, &session)) else { return error };
    let left = format!("{} still stands at the prompt: C-u clears it", shown(&text));
    let hint = match &error.hint {
        Some(hint) => format!("{hint}; {left}"),
        None => left,
    };
    error.hint(hint)
}
