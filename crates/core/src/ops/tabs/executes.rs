//! What the requests of the tab tools would run, for the policy.

use flightdeck_contract::Error;
use flightdeck_contract::tabs::{CreateTab, ExecuteCommand, StartProcess};
use flightdeck_contract::terminal::New;
use flightdeck_policy::{Deed, SurfaceKind};
use flightdeck_term::session::Prompt;

use super::start::keystrokes;
use crate::approvals::intent::{Executes, Intent, Sight};
use crate::approvals::whole::{check_length, check_line, waiting};
use crate::hub::Hub;
use crate::terminals::input::{folder, typed};
use crate::terminals::tabs;
use crate::terminals::typing::Onto;

const TABS: Sight = Sight::Shared(SurfaceKind::Tabs);

impl Executes for CreateTab {
    fn intent(&self, hub: &Hub) -> Result<Option<Intent>, Error> {
        let new = New { cwd: self.cwd.clone(), env: self.env.clone(), ..New::default() };
        Ok(new.intent(hub)?.map(|intent| Intent { sight: TABS, ..intent }))
    }

    fn editable(&self) -> bool {
        false
    }
}

impl Executes for ExecuteCommand {
    fn intent(&self, hub: &Hub) -> Result<Option<Intent>, Error> {
        check_length(&self.command)?;
        let tab = tabs::tab(hub, self.window_id)?;
        Ok(Some(Intent {
            terminal: Some(tab.terminal),
            shell: waiting(&tab.session),
            ..Intent::certain(Deed::Line(self.command.clone()), TABS, folder(&tab.session))
        }))
    }

    fn edit(&mut self, command: &str) -> Result<(), Error> {
        command.clone_into(&mut self.command);
        Ok(())
    }
}

impl Executes for StartProcess {
    fn intent(&self, hub: &Hub) -> Result<Option<Intent>, Error> {
        check_length(&self.command)?;
        let tab = tabs::tab(hub, self.window_id)?;
        // A line that goes on behind a backslash runs nothing yet, and would take up what is typed next.
        let is_line = self.append_newline != Some(false);
        if is_line && matches!(tab.session.prompt(), Prompt::Ready { typed: false }) {
            check_line(&self.command, waiting(&tab.session))?;
        }
        typed(hub, &keystrokes(self, &tab), TABS, Onto::KnownLine)
    }

    /// A part of the line may stand at the prompt already, and would stay there.
    fn editable(&self) -> bool {
        false
    }
}
