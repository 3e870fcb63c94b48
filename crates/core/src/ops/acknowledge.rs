//! `flightdeck.hub.acknowledge`: a person knows what has happened to the database, and the warnings end.

use flightdeck_contract::hub::{AcknowledgeDatabase, DatabaseAcknowledged};

use crate::convert;
use crate::registry::{Command, Effects, Family, define};

pub(crate) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.hub.acknowledge",
        Effects::WRITES,
        "Acknowledge what happened to the database",
        "Ends the warnings that the database was lost, damaged, replaced or rolled back. That they were acknowledged, and by \
         whom, is recorded in the audit log.",
    )
    .for_people()
    .aside(|hub, _, _: AcknowledgeDatabase| {
        let database = hub.database_problems();
        hub.store().acknowledge().map_err(|error| convert::store_error(&error))?;
        hub.tell();
        Ok(DatabaseAcknowledged { database })
    })
}
