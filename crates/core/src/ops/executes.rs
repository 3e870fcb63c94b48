//! What each request would run, for the policy.

use std::collections::BTreeMap;
use std::path::Path;

use flightdeck_contract::Error;
use flightdeck_contract::openspace::{CreateTerminal, SendText};
use flightdeck_contract::terminal::{Exec, New, Run, Send};
use flightdeck_policy::{Deed, SurfaceKind};

use crate::approvals::intent::{Executes, Intent, Sight};
use crate::approvals::whole::{check_length, fresh, waiting};
use crate::hub::Hub;
use crate::terminals::default_shell;
use crate::terminals::input::{folder, typed};
use crate::terminals::named::named;
use crate::terminals::start::absolute;
use crate::terminals::typing::Onto;

const TERMINAL: Sight = Sight::Shared(SurfaceKind::Terminal);
const OPENSPACE: Sight = Sight::Shared(SurfaceKind::Openspace);

impl Executes for Run {
    fn intent(&self, hub: &Hub) -> Result<Option<Intent>, Error> {
        check_length(&self.command)?;
        let session = self.id.map(|id| hub.session(id)).transpose()?;
        let cwd = match &session {
            Some(session) => folder(session),
            None => Some(absolute(hub, self.cwd.as_deref())),
        };
        Ok(Some(Intent {
            env: changed(&self.env),
            terminal: self.id,
            shell: session.map_or_else(fresh, |session| waiting(&session)),
            ..Intent::certain(Deed::Line(self.command.clone()), TERMINAL, cwd)
        }))
    }

    fn edit(&mut self, command: &str) -> Result<(), Error> {
        command.clone_into(&mut self.command);
        Ok(())
    }
}

impl Executes for New {
    fn intent(&self, hub: &Hub) -> Result<Option<Intent>, Error> {
        let deed = match (&self.command, &self.shell) {
            // What a shell is given to run is what counts.
            (Some(words), _) => Deed::Argv(words.clone()),
            (None, Some(shell)) if !is_a_shell(shell) => Deed::Argv(vec![shell.clone()]),
            // A shell runs nothing yet, but variables may have it do something at once.
            (None, _) if self.env.is_empty() => return Ok(None),
            (None, shell) => {
                let from_caller = || self.env.get("SHELL").cloned();
                Deed::Argv(vec![shell.clone().or_else(from_caller).unwrap_or_else(default_shell::of_agents)])
            }
        };
        let cwd = Some(absolute(hub, self.cwd.as_deref()));
        Ok(Some(Intent { env: changed(&self.env), ..Intent::certain(deed, TERMINAL, cwd) }))
    }

    fn edit(&mut self, command: &str) -> Result<(), Error> {
        self.command = Some(vec![default_shell::of_agents(), "-c".to_owned(), command.to_owned()]);
        self.shell = None;
        Ok(())
    }
}

impl Executes for Exec {
    fn intent(&self, hub: &Hub) -> Result<Option<Intent>, Error> {
        self.terminal.intent(hub)
    }

    fn edit(&mut self, command: &str) -> Result<(), Error> {
        self.terminal.edit(command)
    }
}

impl Executes for Send {
    fn intent(&self, hub: &Hub) -> Result<Option<Intent>, Error> {
        typed(hub, self, TERMINAL, Onto::Line)
    }

    fn editable(&self) -> bool {
        false
    }
}

impl Executes for SendText {
    fn intent(&self, hub: &Hub) -> Result<Option<Intent>, Error> {
        let id = named(hub, &self.terminal_id)?;
        let send = Send { text: Some(self.text.clone()), ..Send::to(id) };
        typed(hub, &send, OPENSPACE, Onto::Line)
    }

    fn editable(&self) -> bool {
        false
    }
}

impl Executes for CreateTerminal {
    fn intent(&self, hub: &Hub) -> Result<Option<Intent>, Error> {
        let new = New { shell: self.shell_path.clone(), cwd: self.cwd.clone(), ..New::default() };
        Ok(new.intent(hub)?.map(|intent| Intent { sight: OPENSPACE, ..intent }))
    }

    fn editable(&self) -> bool {
        false
    }
}

/// Whether a variable is as it would be anyway, so that it changes nothing.
pub(super) fn is_as_ever(name: &str, value: &str) -> bool {
    std::env::var(name).is_ok_and(|known| known == value)
}

/// The variables that have to be decided about.
fn changed(env: &BTreeMap<String, String>) -> Vec<(String, String)> {
    env.iter().filter(|(name, value)| !is_as_ever(name, value)).map(|(n, v)| (n.clone(), v.clone())).collect()
}

/// Whether a path is that of a shell as systems have them.
pub(super) fn is_a_shell(path: &str) -> bool {
    let path = Path::new(path);
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let known = ["bash", "sh", "zsh", "fish", "dash", "ksh", "mksh"].contains(&name);
    let folders = ["", "/bin", "/usr/bin", "/usr/local/bin"];
    known && folders.iter().any(|folder| path.parent() == Some(Path::new(folder)))
}
