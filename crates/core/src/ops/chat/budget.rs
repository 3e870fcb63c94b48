//! `flightdeck.chat.budget`: what a conversation may use.

use flightdeck_contract::chat::SetBudget;
use flightdeck_contract::terminal::Done;

use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.budget",
        Effects::WRITES,
        "Set a budget",
        "Sets how many tokens or how much money a conversation may use, or takes the limit away. At four fifths of it a \
         warning is shown; beyond it the turn is cancelled.",
    )
    .for_people()
    .handle(|hub, _, request: SetBudget| async move {
        let conversation = hub.conversations().get(request.id)?;
        conversation.write_down(|draft| draft.chat().budget = request.budget).await;
        Ok(Done {})
    })
}
