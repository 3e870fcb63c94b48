//! The files that hold the rules: looked at before every decision.
//!
//! Whoever can write a file could give itself leave by it, and agents can run programs that write. So what counts is the text
//! that was accepted last: by the hub's own commands, or by a person who has seen what is different. It is kept in the
//! database and in memory; a file that says something else waits, across a restart too, and people are told. So it is with
//! a file that is broken.

mod difference;
mod file;
mod text;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;

use flightdeck_contract::policy::{PolicyChange, PolicyNotice, PolicyState, RejectedFile};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_policy::{NewRule, Rules};
use parking_lot::Mutex;

use crate::store::Store;
pub(crate) use difference::rule_shown;
use file::{File, Memory};

/// The user's own file and the workspace's.
#[derive(Debug)]
pub(crate) struct Files {
    store: Arc<Store>,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    user: File,
    workspace: File,
    merged: Arc<Rules>,
}

/// A file as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileState {
    pub path: PathBuf,
    pub present: bool,
    /// What is wrong with what it says.
    pub problem: Option<String>,
    /// It waits for a person.
    pub waiting: bool,
}

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    User,
    Workspace,
}

impl Files {
    pub(crate) fn open(user: PathBuf, workspace: PathBuf, store: Arc<Store>) -> Self {
        // Where that can't be told, nothing is read that would count.
        let memory = match store.is_policy_doubted() {
            Ok(false) => Memory::Trusted,
            Ok(true) | Err(_) => Memory::Doubted,
        };
        let inner = Inner {
            user: File::open(user, "policy.user", &store, memory),
            workspace: File::open(workspace, "policy.workspace", &store, memory),
            merged: Arc::new(Rules::default()),
        };
        let files = Files { store, inner: Mutex::new(inner) };
        files.inner.lock().merge();
        if memory == Memory::Doubted
            && let Err(error) = files.store.policy_is_doubted()
        {
            tracing::warn!(%error, "the policy will be put into question again by the next hub");
        }
        files
    }

    /// The rules in force now.
    pub(crate) fn rules(&self) -> Arc<Rules> {
        let mut inner = self.inner.lock();
        inner.look(&self.store);
        Arc::clone(&inner.merged)
    }

    /// The files as they stand, the user's own first.
    pub(crate) fn states(&self) -> [FileState; 2] {
        let mut inner = self.inner.lock();
        inner.look(&self.store);
        inner.files().map(|file| FileState {
            path: file.path.clone(),
            present: file.is_there(),
            problem: file.problem().map(str::to_owned),
            waiting: matches!(file.state(), Some(PolicyState::Changed | PolicyState::Removed)),
        })
    }

    /// The files that say something else than what is in force, in words for people.
    pub(crate) fn notices(&self) -> Vec<PolicyNotice> {
        let mut inner = self.inner.lock();
        inner.look(&self.store);
        inner.files().into_iter().filter_map(File::notice).collect()
    }

    /// What is different in those files.
    pub(crate) fn changes(&self) -> Vec<PolicyChange> {
        let mut inner = self.inner.lock();
        inner.look(&self.store);
        inner.files().into_iter().filter_map(File::change).collect()
    }

    /// Adds a rule to a file, and to what is in force of it: what waits there goes on waiting. Says where, and whether it was
    /// in force already.
    pub(crate) fn add(&self, whose: Whose, rule: &NewRule) -> Result<(PathBuf, bool), Error> {
        // Held until the new text is there: two people adding rules at once lose none.
        let mut inner = self.inner.lock();
        let file = inner.file(whose);
        let known = file.add(rule, &self.store)?;
        let path = file.path.clone();
        inner.merge();
        Ok((path, known))
    }

    /// Removes a rule from a file and from what is in force of it, or puts another in its place. Says where.
    pub(crate) fn change_rule(&self, whose: Whose, name: &str, instead: Option<&NewRule>) -> Result<PathBuf, Error> {
        let mut inner = self.inner.lock();
        let file = inner.file(whose);
        let path = file.path.clone();
        if !file.change_rule(name, instead, &self.store)? {
            return Err(no_rule(file, name));
        }
        inner.merge();
        Ok(path)
    }

    /// The rules in force but for one.
    pub(crate) fn without(&self, whose: Whose, name: &str) -> Result<Rules, Error> {
        let mut inner = self.inner.lock();
        inner.look(&self.store);
        let file = inner.file(whose);
        if !file.rules().rules().iter().any(|rule| rule.name == name) {
            return Err(no_rule(file, name));
        }
        let rest = file.rules().without(name);
        Ok(match whose {
            Whose::User => rest.merged(inner.workspace.rules()),
            Whose::Workspace => inner.user.rules().merged(&rest),
        })
    }

    /// The rules in force by file, the user's own first.
    pub(crate) fn rules_by_file(&self) -> [Rules; 2] {
        let mut inner = self.inner.lock();
        inner.look(&self.store);
        inner.files().map(|file| file.rules().clone())
    }

    /// Puts the files into force whose texts have these versions: exactly those that a person has seen, or nothing.
    pub(crate) fn accept(&self, versions: &[String]) -> Result<Vec<PathBuf>, Error> {
        let mut inner = self.inner.lock();
        inner.look(&self.store);
        let waiting: Vec<_> = inner.files().into_iter().filter_map(File::change).collect();
        if let Some(stale) = versions.iter().find(|version| !waiting.iter().any(|change| change.version == **version)) {
            return Err(stale_version(stale));
        }
        if let Some(broken) =
            waiting.iter().find(|change| versions.contains(&change.version) && change.problem.is_some())
        {
            let problem = broken.problem.as_deref().unwrap_or_default();
            return Err(Error::new(ErrorCode::PolicyInvalid, format!("{} can't be accepted: {problem}", broken.file))
                .hint("mend the file, or put the last good one back: `flightdeck policy reject`"));
        }
        let mut accepted = Vec::new();
        for whose in [Whose::User, Whose::Workspace] {
            let file = inner.file(whose);
            if file.change().is_some_and(|change| versions.contains(&change.version)) {
                file.accept(&self.store)?;
                accepted.push(file.path.clone());
            }
        }
        inner.merge();
        Ok(accepted)
    }

    /// Puts the files back that say something else than what is in force. What they say is kept beside them.
    pub(crate) fn reject(&self) -> Result<Vec<RejectedFile>, Error> {
        let mut inner = self.inner.lock();
        inner.look(&self.store);
        let mut rejected = Vec::new();
        for whose in [Whose::User, Whose::Workspace] {
            let file = inner.file(whose);
            if file.state().is_some() {
                rejected.push(file.reject()?);
            }
        }
        inner.look(&self.store);
        Ok(rejected)
    }

    /// Writes down once more what is in force: somebody may have changed the copy in the database while nobody read it.
    pub(crate) fn keep(&self) {
        for file in self.inner.lock().files() {
            file.keep(&self.store);
        }
    }
}

impl Inner {
    fn files(&self) -> [&File; 2] {
        [&self.user, &self.workspace]
    }

    fn file(&mut self, whose: Whose) -> &mut File {
        match whose {
            Whose::User => &mut self.user,
            Whose::Workspace => &mut self.workspace,
        }
    }

    fn look(&mut self, store: &Store) {
        self.user.look(store);
        self.workspace.look(store);
    }

    fn merge(&mut self) {
        self.merged = Arc::new(self.user.rules().merged(self.workspace.rules()));
    }
}

fn no_rule(file: &File, name: &str) -> Error {
    let text = format!("{} has no rule {name:?}", file.path.display());
    Error::new(ErrorCode::InvalidArgument, text).hint("`flightdeck policy show` lists the rules")
}

fn stale_version(version: &str) -> Error {
    let text =
        format!("no policy file that waits has the version {version}: it was changed again, accepted or put back");
    Error::new(ErrorCode::StaleVersion, text).hint("nothing was accepted: look at the difference again and accept that")
}
