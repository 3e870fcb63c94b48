//! The workspace as one handle: root, rules and backups, shared by all callers.

use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use crate::backup::Backups;
use crate::error::FileError;
use crate::kind::Kind;
use crate::path::RelPath;
use crate::resolve::Links;
use crate::root::{Root, refuse_kernel};
use crate::rules::Rules;
use crate::search::Turns;

/// All operations on the files of one workspace. Calls block; any number of threads may make them.
#[derive(Debug)]
pub struct Files {
    root: Arc<Root>,
    rules: Arc<Rules>,
    backups: Backups,
    /// Changes are made one at a time, so that the journal tells their order.
    turn: Mutex<()>,
    searches: Turns,
}

impl Files {
    /// Settles what a crash left half done, then is ready.
    pub fn new(root: Root, rules: Rules, backups: Backups) -> Self {
        let root = Arc::new(root);
        let (rules, turn, searches) = (Arc::new(rules), Mutex::new(()), Turns::default());
        let files = Self { root, rules, backups, turn, searches };
        files.settle();
        files
    }

    pub fn root(&self) -> &Arc<Root> {
        &self.root
    }

    pub fn backups(&self) -> &Backups {
        &self.backups
    }

    pub fn rules(&self) -> Arc<Rules> {
        Arc::clone(&self.rules)
    }

    /// The path that is meant, with all links resolved. It has to be a file or folder that may be read by both names.
    pub fn real_path(&self, path: &str) -> Result<RelPath, FileError> {
        let asked = self.root.parse(path)?;
        let rules = self.rules();
        rules.check_read(&asked, &asked)?;
        let located = self.root.locate(&asked, Links::Follow)?;
        rules.check_read(&located.real, &asked)?;
        refuse_kernel(&located.fd, &asked.to_string())?;
        match located.kind() {
            Kind::File | Kind::Folder => Ok(located.real),
            kind => Err(FileError::NotAFile { path: asked.to_string(), kind }),
        }
    }

    pub(crate) fn searches(&self) -> &Turns {
        &self.searches
    }

    pub(crate) fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock()
    }
}
