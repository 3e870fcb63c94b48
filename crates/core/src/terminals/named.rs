//! Which terminal is meant by a name.

use flightdeck_contract::{Error, ErrorCode, TerminalId};

use crate::hub::Hub;

/// The terminal that is meant by its id, or by its title while only one that runs has it.
pub(crate) fn named(hub: &Hub, name: &str) -> Result<TerminalId, Error> {
    if let Ok(id) = name.parse::<TerminalId>() {
        // An error here says how to find out which there are.
        return hub.session(id).map(|_| id);
    }
    let (running, ended) = hub.titled(name);
    match (running.as_slice(), ended.as_slice()) {
        ([one], _) | ([], [one]) => Ok(*one),
        ([], []) => Err(Error::new(ErrorCode::TerminalNotFound, format!("there is no terminal {name:?}"))
            .hint("openspace.terminal.list lists the terminals")),
        (several, _) => {
            let several = if several.is_empty() { &ended } else { &running };
            let ids: Vec<_> = several.iter().map(ToString::to_string).collect();
            Err(Error::new(ErrorCode::Ambiguous, format!("several terminals are called {name:?}"))
                .hint(format!("use one of the ids {}", ids.join(", "))))
        }
    }
}
