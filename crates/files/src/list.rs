//! Listing a folder with what git ignores marked, or a whole tree without it.

use std::collections::VecDeque;
use std::sync::Arc;

use rustix::fs::{AtFlags, statat};
use rustix::io::Errno;
use serde::Serialize;

use crate::error::{FileError, Oddity};
use crate::files::Files;
use crate::kind::Kind;
use crate::path::RelPath;
use crate::resolve::Links;
use crate::root::kind_of;
use crate::rules::Rules;
use crate::swap::is_temp;
use crate::walk::{Child, Children, Folder, Ignores, MAX_DEPTH};

const DEFAULT_ENTRIES: usize = 1000;
const MAX_ENTRIES: usize = 100_000;

/// What to list.
#[derive(Clone, Debug)]
pub struct ListRequest {
    /// The root where nothing is named.
    pub path: Option<String>,
    /// The whole tree, without what git ignores.
    pub recursive: bool,
    pub max_entries: usize,
}

impl Default for ListRequest {
    fn default() -> Self {
        Self { path: None, recursive: false, max_entries: DEFAULT_ENTRIES }
    }
}

/// One entry of a listing.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    pub name: String,
    pub path: RelPath,
    pub kind: Kind,
    pub size: u64,
    /// Milliseconds since 1970.
    pub modified_ms: i64,
    /// It can't be read, by a rule; for a symbolic link, what it leads to.
    pub sensitive: bool,
    /// Git leaves it out. A tree has no such entries.
    pub ignored: bool,
}

/// A listing: in each folder the folders come first, then by name.
#[derive(Clone, Debug, Serialize)]
pub struct ListResult {
    pub path: RelPath,
    pub entries: Vec<Listed>,
    /// There is more; list a folder below, or ask for more entries.
    pub truncated: bool,
    /// Folders that could not be read. They are listed themselves; what is in them is missing.
    pub unreadable: usize,
}

impl Files {
    /// Lists a folder. See [`ListRequest`].
    pub fn list(&self, request: &ListRequest) -> Result<ListResult, FileError> {
        let path = match request.path.as_deref() {
            None | Some("") => RelPath::root(),
            Some(path) => self.root().parse(path)?,
        };
        let rules = self.rules();
        rules.check_read(&path, &path)?;
        let start = Folder::start(self.root(), &path)?;
        rules.check_read(&start.path, &path)?;
        let limit = request.max_entries.clamp(1, MAX_ENTRIES);
        let mut tree = Tree {
            files: self,
            rules: &rules,
            recursive: request.recursive,
            ignored: !request.recursive && Ignores::hold(self.root(), &start.path),
            limit,
            entries: Vec::new(),
            truncated: false,
            unreadable: 0,
        };
        let ignores = Ignores::above(self.root(), &start.path);
        tree.walk(start, &ignores)?;
        tree.entries.sort_by_cached_key(order);
        Ok(ListResult { path, entries: tree.entries, truncated: tree.truncated, unreadable: tree.unreadable })
    }
}

struct Tree<'a> {
    files: &'a Files,
    rules: &'a Rules,
    recursive: bool,
    /// The folder itself is ignored, and with it all that is in it.
    ignored: bool,
    limit: usize,
    entries: Vec<Listed>,
    truncated: bool,
    unreadable: usize,
}

/// A folder further down that is not open yet.
struct Waiting {
    path: RelPath,
    depth: usize,
    ignores: Arc<Ignores>,
}

impl Tree<'_> {
    /// Level by level, so that a listing that is cut shows the top of the tree. Folders wait by their path and are
    /// found again, so that few are open at once however wide the tree is.
    fn walk(&mut self, start: Folder, ignores: &Arc<Ignores>) -> Result<(), FileError> {
        let mut queue = VecDeque::new();
        self.enter(&start, ignores, &mut queue).map_err(|errno| FileError::from_errno(start.path.as_str(), errno))?;
        drop(start);
        while let Some(waiting) = queue.pop_front() {
            if self.truncated {
                break;
            }
            let entered = match Folder::again(self.files.root(), &waiting.path, waiting.depth) {
                // It was moved to where a rule holds.
                Ok(folder) if self.rules.sensitive(&folder.path).is_some() => Ok(()),
                Ok(folder) => self.enter(&folder, &waiting.ignores, &mut queue).map_err(drop),
                // It went away, or is something else now.
                Err(
                    FileError::NotFound { .. }
                    | FileError::NotAFolder { .. }
                    | FileError::BadPath { why: Oddity::Links, .. },
                ) => Ok(()),
                Err(_) => Err(()),
            };
            self.unreadable += usize::from(entered.is_err());
        }
        Ok(())
    }

    /// Lists one folder; those in it wait for their turn.
    fn enter(&mut self, folder: &Folder, ignores: &Arc<Ignores>, queue: &mut VecDeque<Waiting>) -> Result<(), Errno> {
        let Children { children, more } = folder.children()?;
        let ignores = ignores.within(folder, &children);
        let folders = self.add(folder, children, &ignores);
        self.truncated |= more;
        if !self.recursive {
            return Ok(());
        }
        let depth = folder.depth + 1;
        if depth < MAX_DEPTH {
            queue.extend(folders.into_iter().map(|path| Waiting { path, depth, ignores: Arc::clone(&ignores) }));
        } else {
            // The tree goes on where the walk ends.
            self.truncated |= !folders.is_empty();
        }
        Ok(())
    }

    /// Adds the entries of a folder and returns the folders among them.
    fn add(&mut self, folder: &Folder, mut children: Vec<Child>, ignores: &Ignores) -> Vec<RelPath> {
        let ignored = |child: &Child| ignores.ignores(&folder.path.join(&child.name), child.kind);
        // A tree has no `.git` and nothing that git ignores.
        let left_out = |child: &Child| self.recursive && (child.name == ".git" || ignored(child));
        children.retain(|child| !is_temp(&child.name) && !left_out(child));
        children.sort_by(|a, b| (a.kind != Kind::Folder, &a.name).cmp(&(b.kind != Kind::Folder, &b.name)));
        let mut folders = Vec::new();
        for child in children {
            if self.entries.len() >= self.limit {
                self.truncated = true;
                break;
            }
            let Some(mut listed) = self.describe(folder, &child) else { continue };
            listed.ignored = !self.recursive && (self.ignored || ignored(&child));
            let open = listed.kind == Kind::Folder && !listed.sensitive && !child.lossy;
            // No path names it, so it can't be found again.
            self.unreadable += usize::from(listed.kind == Kind::Folder && child.lossy && self.recursive);
            if open {
                folders.push(listed.path.clone());
            }
            self.entries.push(listed);
        }
        folders
    }

    /// Nothing if it went away meanwhile.
    fn describe(&self, folder: &Folder, child: &Child) -> Option<Listed> {
        let stat = statat(&folder.fd, &*child.raw, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let path = folder.path.join(&child.name);
        let kind = kind_of(&stat);
        let hidden = |path| {
            let target = self.files.root().locate(path, Links::Follow);
            target.is_ok_and(|target| self.rules.sensitive(&target.real).is_some())
        };
        let leads = kind == Kind::Symlink && !child.lossy;
        let sensitive = self.rules.hides(&path, &child.name) || (leads && hidden(&path));
        Some(Listed {
            name: child.name.clone(),
            path,
            kind,
            size: stat.st_size as u64,
            modified_ms: stat.st_mtime as i64 * 1000 + stat.st_mtime_nsec as i64 / 1_000_000,
            sensitive,
            ignored: false,
        })
    }
}

/// Folders before files at every level, and each folder before what is in it.
fn order(entry: &Listed) -> Vec<(bool, String)> {
    let last = entry.path.names().count().saturating_sub(1);
    let files = entry.kind != Kind::Folder;
    entry.path.names().enumerate().map(|(at, name)| (at == last && files, name.to_owned())).collect()
}
