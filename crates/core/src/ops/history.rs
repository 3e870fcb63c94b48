//! `terminal.history`: the commands that ran in a shell.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::terminal::{Commands, History};

use flightdeck_keeper::Exit;

use crate::convert;
use crate::hub::Hub;

pub(crate) fn call(hub: &Arc<Hub>, history: &History) -> Result<Commands, Error> {
    let session = hub.session(history.id)?;
    let started_in = hub.meta(history.id).map(|meta| meta.cwd.to_string_lossy().into_owned());
    let mut commands: Vec<_> = session.records().iter().map(convert::record).collect();
    // A shell that is gone runs nothing, even if its terminal is still held open.
    let progress = session.progress();
    if let Some(last) = commands.last_mut().filter(|last| last.end.is_none() && !progress.running()) {
        last.end = Some(progress.seen.0);
        last.exit_code = progress.exit.map(Exit::shell_code);
    }
    // The first command runs where the shell was started; from then on the shell tells.
    if let Some(first) = commands.first_mut().filter(|command| command.number == 1 && command.cwd.is_none()) {
        first.cwd = started_in;
    }
    Ok(Commands { commands })
}
