//! `flightdeck.hub.verify`: whether the audit log is as it was written.

use flightdeck_contract::hub::Empty;

use crate::convert;
use crate::registry::{Command, Effects, Family, define};

pub(crate) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.hub.verify",
        Effects::READS,
        "Verify the audit log",
        "Walks the whole audit log and says whether an entry was changed, removed or added, and which one first; and whether the \
         database was lost, replaced or rolled back since a person has looked.",
    )
    .for_people()
    .aside(|hub, _, _: Empty| {
        let verdict = hub.audit().store().verify().map_err(|error| convert::store_error(&error))?;
        let mut verified = convert::audit_verdict(verdict);
        verified.database = hub.database_problems();
        verified.intact &= verified.database.is_empty();
        Ok(verified)
    })
}
