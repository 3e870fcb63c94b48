//! The files that hold the rules: looked at before every decision, so that what a person saves counts at once.
//!
//! A file that is broken changes nothing: the last good rules stay in force, across a restart too, and whoever asks is
//! told what is wrong with it.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flightdeck_contract::{Error, ErrorCode};
use flightdeck_policy::{NewRule, Rules};
use parking_lot::Mutex;

use crate::convert;
use crate::store::{Change, Store};

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

#[derive(Debug)]
struct File {
    path: PathBuf,
    /// Under which name its last good text is stored.
    fact: &'static str,
    seen: Seen,
    good: Rules,
    problem: Option<String>,
}

/// What a file was like when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    Never,
    Missing,
    /// When it was changed, its size, and which file it is: editors write a new one and rename it.
    There {
        changed: (i64, i64),
        size: u64,
        inode: u64,
    },
    Unreadable(String),
}

/// A file as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileState {
    pub path: PathBuf,
    pub present: bool,
    /// Why what it says is not in force.
    pub problem: Option<String>,
}

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    User,
    Workspace,
}

/// A policy that is longer was not written by a person.
const LONGEST: u64 = 1 << 20;

impl Files {
    pub(crate) fn open(user: PathBuf, workspace: PathBuf, store: Arc<Store>) -> Self {
        let file = |path, fact| File { path, fact, seen: Seen::Never, good: last_good(&store, fact), problem: None };
        let inner = Inner {
            user: file(user, "policy.user"),
            workspace: file(workspace, "policy.workspace"),
            merged: Arc::new(Rules::default()),
        };
        let files = Files { store, inner: Mutex::new(inner) };
        files.rules();
        files
    }

    /// The rules in force now.
    pub(crate) fn rules(&self) -> Arc<Rules> {
        let mut inner = self.lock();
        // Both are looked at, whatever the first says.
        let changed = [inner.user.look(&self.store), inner.workspace.look(&self.store)];
        if changed.contains(&true) {
            inner.merged = Arc::new(inner.user.good.merged(&inner.workspace.good));
        }
        Arc::clone(&inner.merged)
    }

    /// The files as they stand, the user's own first.
    pub(crate) fn states(&self) -> [FileState; 2] {
        self.rules();
        let inner = self.lock();
        [&inner.user, &inner.workspace].map(|file| FileState {
            path: file.path.clone(),
            present: matches!(file.seen, Seen::There { .. }),
            problem: file.problem.clone(),
        })
    }

    /// Adds a rule to a file. Says where, and whether it was there already.
    pub(crate) fn add(&self, whose: Whose, rule: &NewRule) -> Result<(PathBuf, bool), Error> {
        let inner = self.lock();
        let path = match whose {
            Whose::User => &inner.user.path,
            Whose::Workspace => &inner.workspace.path,
        }
        .clone();
        // Held until the new text is there: two people adding rules at once lose none.
        let text = match read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(unusable(&path, &error)),
        };
        let with = Rules::add(&text, rule).map_err(|error| {
            Error::new(ErrorCode::PolicyInvalid, format!("the rule was not added: {error}"))
                .hint(format!("the file is {}", path.display()))
        })?;
        let known = with == text;
        if !known {
            replace(&path, &with).map_err(|error| unusable(&path, &error))?;
        }
        drop(inner);
        self.rules();
        Ok((path, known))
    }

    fn lock(&self) -> parking_lot::MutexGuard<'_, Inner> {
        self.inner.lock()
    }
}

impl File {
    /// Reads it again when it has changed. Says whether the rules did.
    fn look(&mut self, store: &Store) -> bool {
        let now = see(&self.path);
        if now == self.seen {
            return false;
        }
        let first = self.seen == Seen::Never;
        self.seen = now;
        let text = match &self.seen {
            Seen::Missing | Seen::Never => Ok(String::new()),
            Seen::Unreadable(why) => Err(why.clone()),
            Seen::There { .. } => read(&self.path).map_err(|error| error.to_string()),
        };
        match text.and_then(|text| Rules::parse(&text).map(|rules| (text, rules)).map_err(|error| error.to_string())) {
            Ok((text, rules)) => {
                self.good = rules;
                self.problem = None;
                if !(first && text.is_empty()) {
                    tracing::info!(path = %self.path.display(), "the policy was read");
                }
                if let Err(error) = store.write(Change::PutFact(self.fact.to_owned(), text)) {
                    tracing::warn!(%error, "the last good policy could not be stored");
                }
            }
            Err(problem) => {
                tracing::error!(path = %self.path.display(), problem, "the policy is broken; the last good rules stay");
                self.problem = Some(problem);
            }
        }
        true
    }
}

/// The rules that were good the last time.
fn last_good(store: &Store, fact: &str) -> Rules {
    let text = store.fact(fact).ok().flatten().unwrap_or_default();
    Rules::parse(&text).unwrap_or_default()
}

fn see(path: &Path) -> Seen {
    match fs::metadata(path) {
        Ok(meta) => Seen::There {
            // The time of change as well as that of writing: a copy can bring an old one along.
            changed: (
                meta.mtime() * 1_000_000_000 + meta.mtime_nsec(),
                meta.ctime() * 1_000_000_000 + meta.ctime_nsec(),
            ),
            size: meta.len(),
            inode: meta.ino(),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Seen::Missing,
        Err(error) => Seen::Unreadable(error.to_string()),
    }
}

fn read(path: &Path) -> io::Result<String> {
    let meta = fs::metadata(path)?;
    if !meta.is_file() || meta.len() > LONGEST {
        return Err(io::Error::other(format!("it is no file of at most {LONGEST} bytes")));
    }
    fs::read_to_string(path)
}

/// Puts a text in the place of the file: whole, or not at all.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    // A link is followed: people keep their settings elsewhere and link to them.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let new = path.with_extension(format!("new{}", std::process::id()));
    let mode = fs::metadata(path).map_or(0o600, |meta| meta.mode() & 0o777);
    let written = (|| {
        let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    })();
    if written.is_err() {
        // The old file is untouched; what was begun goes.
        let _ = fs::remove_file(&new);
    }
    written
}

fn unusable(path: &Path, error: &io::Error) -> Error {
    convert::io_error(&format!("the policy {} can't be changed", path.display()), error)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder {
        dir: tempfile::TempDir,
    }

    impl Folder {
        fn new() -> Self {
            Folder { dir: tempfile::tempdir().unwrap() }
        }

        fn open(&self) -> Files {
            let store = Arc::new(Store::open(self.dir.path()).unwrap().store);
            Files::open(self.dir.path().join("config/policy.toml"), self.dir.path().join("policy.toml"), store)
        }

        fn write(&self, text: &str) {
            replace(&self.dir.path().join("policy.toml"), text).unwrap();
        }
    }

    fn names(files: &Files) -> Vec<String> {
        files.rules().rules().iter().map(|rule| rule.name.clone()).collect()
    }

    const GOOD: &str = "[[rule]]\nname = \"tests\"\nallow = [\"cargo test *\"]\n";

    #[test]
    fn what_is_saved_counts_at_once() {
        let folder = Folder::new();
        let files = folder.open();
        assert!(names(&files).is_empty());
        folder.write(GOOD);
        assert_eq!(names(&files), ["tests"]);
        folder.write(&GOOD.replace("tests", "other"));
        assert_eq!(names(&files), ["other"]);
        fs::remove_file(folder.dir.path().join("policy.toml")).unwrap();
        assert!(names(&files).is_empty());
    }

    #[test]
    fn a_broken_file_keeps_the_last_good_rules_and_says_so() {
        let folder = Folder::new();
        folder.write(GOOD);
        let files = folder.open();
        for broken in ["[[rule", "[[rule]]\nname = \"x\"\nallow = [\"sudo *\"]\n", "\0", "defaults = 3"] {
            folder.write(broken);
            assert_eq!(names(&files), ["tests"], "{broken:?}");
            let problem = files.states()[1].problem.clone();
            assert!(problem.is_some(), "{broken:?}");
        }
        drop(files);
        // So it is after a restart: the file is still broken.
        let files = folder.open();
        assert_eq!(names(&files), ["tests"]);
        assert!(files.states()[1].problem.is_some());
        folder.write(GOOD);
        assert_eq!(files.states()[1].problem, None);
    }

    #[test]
    fn rules_are_added_without_touching_what_is_there() {
        let folder = Folder::new();
        folder.write("# mine\n");
        let files = folder.open();
        let rule = NewRule::allow(&["npm test"]).unwrap();
        let (path, known) = files.add(Whose::Workspace, &rule).unwrap();
        assert!(!known && fs::read_to_string(&path).unwrap().starts_with("# mine\n"));
        assert!(files.add(Whose::Workspace, &rule).unwrap().1, "the second time it is there");
        assert_eq!(names(&files).len(), 1);
        files.add(Whose::User, &NewRule::allow(&["make check"]).unwrap()).unwrap();
        assert_eq!(names(&files).len(), 2);
        // Nothing is added to a file that can't be read: it would be lost or hidden.
        folder.write("[[rule");
        let refused = files.add(Whose::Workspace, &NewRule::allow(&["ls -l"]).unwrap()).unwrap_err();
        assert_eq!(refused.code, ErrorCode::PolicyInvalid);
        assert_eq!(fs::read_to_string(&path).unwrap(), "[[rule");
    }

    #[test]
    fn many_add_at_once_and_none_is_lost() {
        let folder = Folder::new();
        let files = folder.open();
        std::thread::scope(|scope| {
            for number in 0..8 {
                let files = &files;
                scope.spawn(move || {
                    files.add(Whose::Workspace, &NewRule::allow(&[&format!("npm run job{number}")]).unwrap()).unwrap();
                });
            }
        });
        assert_eq!(names(&files).len(), 8);
        let left: Vec<_> = fs::read_dir(folder.dir.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
        assert!(!left.iter().any(|name| name.to_string_lossy().contains(".new")), "{left:?}");
    }
}
