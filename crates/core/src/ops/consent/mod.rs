//! `flightdeck.consent.*`: whether agents may control panes and editors.

use flightdeck_contract::consent::{SetConsent, ShowConsent};

use crate::aside::aside;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn commands() -> Vec<Command> {
    vec![show(), set()]
}

fn show() -> Command {
    define(
        Family::Hub,
        "flightdeck.consent.show",
        Effects::READS,
        "Show the consent",
        "Whether a person has allowed agents to control panes and editors, and the text to ask them with.",
    )
    .for_people()
    .handle(|hub, _, _: ShowConsent| async move { Ok(hub.consents().show()) })
}

fn set() -> Command {
    define(
        Family::Hub,
        "flightdeck.consent.set",
        Effects::WRITES,
        "Give or take consent",
        "Notes whether agents may control panes and editors, for the version of the text that was shown.",
    )
    .for_people()
    .handle(|hub, call, answer: SetConsent| async move {
        aside(move || hub.consents().set(answer, &call.actor())).await?
    })
}
