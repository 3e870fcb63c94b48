//! One table of all commands. MCP tools, the command line's `call`, the documentation and the TypeScript types are made
//! from it, so a command that is added here is there everywhere.

mod command;
mod concern;
mod envelope;
mod job;
mod reference;
mod schema;
mod types;
mod typescript;
mod unknown;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::RwLock;
use tokio::sync::watch;

pub(crate) use command::{Audience, define};
pub use command::{Command, Effects, Family};
pub(crate) use concern::{Concern, Concerns};
pub(crate) use job::{Draft, Job, Reach, Teller, Unseen};

use crate::ops;

/// The commands of a hub.
#[derive(Debug)]
pub struct Registry {
    commands: RwLock<BTreeMap<Cow<'static, str>, Arc<Command>>>,
    version: watch::Sender<u64>,
}

impl Registry {
    /// Everything that this build can do.
    pub fn new() -> Self {
        let commands = ops::commands().into_iter().map(|command| (command.id.clone(), Arc::new(command))).collect();
        Registry { commands: RwLock::new(commands), version: watch::Sender::new(0) }
    }

    /// All commands, by id.
    pub fn commands(&self) -> Vec<Arc<Command>> {
        self.commands.read().values().cloned().collect()
    }

    /// One command.
    pub fn get(&self, id: &str) -> Option<Arc<Command>> {
        self.commands.read().get(id).cloned()
    }

    /// Adds commands while the hub runs. Whoever watches is told. One of the hub's own is never replaced.
    pub(crate) fn add(&self, brought: &[Arc<Command>]) {
        let mut commands = self.commands.write();
        let mut changed = false;
        for command in brought {
            let known = commands.get(&command.id);
            if known.is_none_or(|known| known.own_id().is_none() && !Arc::ptr_eq(known, command)) {
                commands.insert(command.id.clone(), Arc::clone(command));
                changed = true;
            }
        }
        drop(commands);
        self.tell(changed);
    }

    /// Takes commands away that were added. Others that have taken their ids since stay.
    pub(crate) fn remove(&self, brought: &[Arc<Command>]) {
        let mut commands = self.commands.write();
        let before = commands.len();
        commands.retain(|_, known| !brought.iter().any(|command| Arc::ptr_eq(known, command)));
        let changed = commands.len() != before;
        drop(commands);
        self.tell(changed);
    }

    fn tell(&self, changed: bool) {
        if changed {
            self.version.send_modify(|version| *version += 1);
        }
    }

    /// Grows when the commands change.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// The ids that look like this one, for whoever mistyped it.
    pub fn near(&self, id: &str) -> Vec<Cow<'static, str>> {
        let wanted = id.rsplit(['.', '_']).next().unwrap_or(id).to_ascii_lowercase();
        let commands = self.commands.read();
        let alike = |known: &&Cow<'static, str>| {
            let last = known.rsplit('.').next().unwrap_or(known.as_ref());
            known.replace('.', "_") == id.replace('.', "_") || last == wanted || wanted.contains(last)
        };
        commands.keys().filter(alike).take(3).cloned().collect()
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests;
