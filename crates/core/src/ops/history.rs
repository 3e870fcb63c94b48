//! `terminal.history`: the commands that ran in a shell.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::terminal::{Commands, History};

use crate::convert;
use crate::hub::Hub;

pub(crate) fn call(hub: &Arc<Hub>, history: &History) -> Result<Commands, Error> {
    let session = hub.session(history.id)?;
    let started_in = hub.meta(history.id).map(|meta| meta.cwd.to_string_lossy().into_owned());
    let mut commands: Vec<_> = session.records().iter().map(convert::record).collect();
    // The first command runs where the shell was started; from then on the shell tells.
    if let Some(first) = commands.first_mut().filter(|command| command.number == 1 && command.cwd.is_none()) {
        first.cwd = started_in;
    }
    Ok(Commands { commands })
}
