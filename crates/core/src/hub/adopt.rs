//! Taking up the terminals that an earlier hub left: what the keeper holds, what the store knows, what is on disk.

use std::fs;

use flightdeck_contract::tabs::TabNumber;
use flightdeck_contract::{TERMINAL_VARIABLE, TerminalId};
use flightdeck_term::session::Kind;
use flightdeck_term::{Adopt, Tag, Whose};

use super::{Hub, OpenError};
use crate::convert;
use crate::store::{Change, TerminalNumber};
use crate::terminals::meta::Meta;
use crate::terminals::records;
use crate::terminals::running;
use crate::terminals::start::limits;

impl Hub {
    /// The terminals that have a folder.
    fn folders(&self) -> Vec<TerminalId> {
        let entries = fs::read_dir(self.workspace.terminals()).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
    }

    /// Takes them all up.
    pub(super) fn adopt_all(&self) -> Result<(), OpenError> {
        let held = self.terminals.keeper().list()?;
        let mut known = Meta::load_all(self.store())?;
        for id in self.folders() {
            self.known.skip(id.number());
            // One of an empty folder was never started. Of the others a hub died before it could note them, or the
            // database was lost.
            if !known.iter().any(|meta| meta.id == id) && fs::remove_dir(self.dir(id)).is_err() {
                known.push(Meta::of_a_stranger(id, self.workspace.root(), &self.dir(id)));
            }
        }
        for mut meta in known {
            let dir = self.dir(meta.id);
            if !dir.is_dir() {
                let _ = self.store().write(Change::RemoveTerminal(TerminalNumber(meta.id.number())));
                continue;
            }
            self.tabs.grounds.part_from_unwanted(&meta, &dir);
            let kind = meta.kind(&dir).unwrap_or_else(|error| {
                tracing::error!(id = %meta.id, %error, "its shell can't be known any more: it is shown as a command");
                Kind::Command
            });
            let id = convert::session_id(meta.id);
            let adopt = Adopt {
                kind,
                size: convert::size(meta.size).unwrap_or_default(),
                tag: Tag { name: TERMINAL_VARIABLE, value: meta.tag.clone() },
                records: records::load(self.store(), meta.id),
                pending: running::load(self.store(), meta.id),
                limits: limits(Some(meta.log_bytes)).unwrap_or_default(),
                finder: self.tabs.grounds.finder(&meta, &dir),
                dir,
                id: id.clone(),
            };
            let session = self.terminals.adopt(adopt, held.iter().find(|info| info.id == id));
            if let Some(why) = session.trouble() {
                tracing::error!(%id, why, "a terminal was not taken up as it should; all others are");
            }
            // A hub that died while it opened a tab could not note its number.
            meta.tab = meta.tab.or_else(|| session.window().map(TabNumber::new));
            if let Some(number) = meta.tab {
                self.tabs.know(number);
            }
            if let Some(number) = meta.agent_number() {
                self.agents.skip(number);
            }
            if let Some(owner) = meta.owner.as_ref().filter(|_| session.progress().running()) {
                self.agents.own_again(meta.id, owner, meta.agent_number());
            }
            let handed_over = meta.attached.as_ref().is_some_and(|attached| attached.handed_over);
            if session.whose() == Whose::Theirs && session.progress().running() && !handed_over {
                self.leases.take_for_user(meta.id);
            }
            // What was typed there before is not known any more.
            self.typing.touched(meta.id, &session);
            self.known.put(meta);
        }
        let is_running = |id| self.session(id).is_ok_and(|session| session.progress().running());
        self.agents.expect_all(is_running);
        for name in self.leases.take_up(is_running, |agent| self.agents.is_awaited(agent)) {
            self.agents.expect_again(&name);
        }
        let sessions = self.terminals.all();
        let is_known = |pid| sessions.iter().any(|session| session.leads(pid));
        self.tabs.grounds.close_strays(&self.workspace.terminals(), is_known);
        for id in self.workbench.terminals().into_iter().filter(|id| self.session(*id).is_err()) {
            self.workbench.terminal_gone(id);
        }
        for name in self.workbench.owners() {
            self.agents.expect_again(&name);
        }
        Ok(())
    }
}
