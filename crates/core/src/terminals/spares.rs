//! Folders for terminals to come: those of terminals that are gone, emptied, and some that are made ahead.
//!
//! Each short command has a terminal of its own. Making its folder and its files, and removing them later, took more of the
//! kernel's time than all else that is done for it. A folder that is used again costs two renames, and one that is made ahead
//! is made while nobody waits.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use flightdeck_keeper::layout::{exit_path, segment_path, times_path};
use parking_lot::Mutex;

/// How many are kept.
const KEPT: usize = 64;
/// How many are made ahead when there are fewer.
const AHEAD: usize = 16;
/// What the folder of a short command holds. One with anything else in it is not used again.
fn files(folder: &Path) -> [PathBuf; 3] {
    [segment_path(folder, 0), times_path(folder, 0), exit_path(folder)]
}

/// The folders that wait to be used.
#[derive(Debug)]
pub(crate) struct Spares {
    dir: PathBuf,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    ready: Vec<PathBuf>,
    /// The number of the next one.
    next: u64,
    /// One was wanted. A hub in which nothing is started needs none.
    wanted: bool,
}

impl Inner {
    /// The name of one more in `dir`.
    fn name(&mut self, dir: &Path) -> PathBuf {
        self.next += 1;
        dir.join((self.next - 1).to_string())
    }
}

impl Spares {
    /// Those in `dir`, as an earlier hub has left them. They were emptied before they came there.
    pub(crate) fn open(dir: PathBuf) -> Self {
        let ready: Vec<_> = fs::read_dir(&dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u64>().ok();
        let next = ready.iter().filter_map(number).max().map_or(0, |last| last + 1);
        Spares { dir, inner: Mutex::new(Inner { ready, next, wanted: false }) }
    }

    /// Makes the folder of a new terminal.
    pub(crate) fn make(&self, folder: &Path) -> io::Result<()> {
        loop {
            let spare = {
                let mut inner = self.inner.lock();
                inner.wanted = true;
                inner.ready.pop()
            };
            let Some(spare) = spare else { return create(folder) };
            // One that somebody has removed is no use.
            if fs::rename(spare, folder).is_ok() {
                return Ok(());
            }
        }
    }

    /// Empties the folder of a terminal that is gone and to which nobody writes any more, and keeps it. `false`: it has to be
    /// removed.
    pub(crate) fn keep(&self, folder: &Path) -> bool {
        if self.inner.lock().ready.len() >= KEPT || !is_emptied(folder).unwrap_or(false) {
            return false;
        }
        // Whoever starts a command waits for this lock, so that files are emptied before.
        let mut inner = self.inner.lock();
        let spare = inner.name(&self.dir);
        let moved = fs::rename(folder, &spare).or_else(|_| {
            create(&self.dir)?;
            fs::rename(folder, &spare)
        });
        if moved.is_ok() {
            inner.ready.push(spare);
        }
        moved.is_ok()
    }

    /// Makes some ahead, if there are few and any was wanted yet. It blocks, and takes as long as a command does.
    pub(crate) fn make_ahead(&self) -> io::Result<()> {
        loop {
            let spare = {
                let mut inner = self.inner.lock();
                if !inner.wanted || inner.ready.len() >= AHEAD {
                    return Ok(());
                }
                inner.name(&self.dir)
            };
            create(&spare).or_else(|_| create(&self.dir).and_then(|()| create(&spare)))?;
            let mut file = OpenOptions::new();
            file.write(true).create_new(true).mode(0o600);
            if let Err(error) = files(&spare).into_iter().try_for_each(|path| file.open(path).map(drop)) {
                let _ = fs::remove_dir_all(&spare);
                return Err(error);
            }
            self.inner.lock().ready.push(spare);
        }
    }
}

fn create(folder: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(folder)
}

/// Empties the files of a folder; `false` when there is anything else in it, or a file that has another name elsewhere.
fn is_emptied(folder: &Path) -> io::Result<bool> {
    let (known, mut there) = (files(folder), Vec::new());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let found = entry.metadata()?;
        if !known.contains(&entry.path()) || !found.is_file() || found.nlink() != 1 {
            return Ok(false);
        }
        there.push(entry.path());
    }
    for file in there {
        OpenOptions::new().write(true).truncate(true).open(file)?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(root: &Path, name: &str) -> PathBuf {
        let folder = root.join(name);
        fs::create_dir(&folder).expect("a folder");
        for file in files(&folder) {
            fs::write(file, "secret").expect("a file");
        }
        folder
    }

    #[test]
    fn a_folder_is_used_again_with_nothing_of_the_one_before() {
        let root = tempfile::tempdir().expect("a folder");
        let [old, new] = [ended(root.path(), "t1"), root.path().join("t2")];
        let spares = Spares::open(root.path().join("spare"));
        let inode = fs::metadata(&old).expect("is there").ino();
        assert!(spares.keep(&old) && !old.exists());
        // The next hub finds it.
        drop(spares);
        let spares = Spares::open(root.path().join("spare"));
        spares.make(&new).expect("makes");
        assert_eq!(fs::metadata(&new).expect("is there").ino(), inode);
        for file in files(&new) {
            assert_eq!(fs::read(&file).expect("reads"), b"", "{file:?}");
        }
        let fresh = root.path().join("t3");
        spares.make(&fresh).expect("makes");
        assert_eq!(fs::read_dir(&fresh).expect("lists").count(), 0);
    }

    #[test]
    fn some_are_made_ahead_once_there_is_use_for_them() {
        let root = tempfile::tempdir().expect("a folder");
        let spares = Spares::open(root.path().join("spare"));
        spares.make_ahead().expect("makes");
        assert!(!root.path().join("spare").exists(), "nothing was started");
        let first = root.path().join("t0");
        spares.make(&first).expect("makes");
        assert_eq!(fs::read_dir(&first).expect("lists").count(), 0);
        spares.make_ahead().expect("makes");
        assert_eq!(fs::read_dir(root.path().join("spare")).expect("lists").count(), AHEAD);
        for number in 1..=AHEAD {
            let folder = root.path().join(format!("t{number}"));
            spares.make(&folder).expect("makes");
            for file in files(&folder) {
                let found = fs::metadata(&file).expect("is there");
                assert_eq!((found.len(), found.mode() & 0o777), (0, 0o600), "{file:?}");
            }
        }
    }

    #[test]
    fn a_folder_with_anything_else_in_it_is_left_as_it_is() {
        let root = tempfile::tempdir().expect("a folder");
        let spares = Spares::open(root.path().join("spare"));
        let more = ended(root.path(), "t1");
        fs::write(more.join("00000000000000000009.seg"), "more").expect("a file");
        let linked = ended(root.path(), "t2");
        fs::hard_link(linked.join("exit"), root.path().join("kept")).expect("a link");
        for folder in [more, linked] {
            assert!(!spares.keep(&folder));
            assert_eq!(fs::read(folder.join("exit")).expect("reads"), b"secret");
        }
        assert!(!spares.keep(&root.path().join("gone")));
    }

    #[test]
    fn no_more_are_kept_than_are_of_use() {
        let root = tempfile::tempdir().expect("a folder");
        let spares = Spares::open(root.path().join("spare"));
        let kept = (0..KEPT + 5).filter(|number| spares.keep(&ended(root.path(), &format!("t{number}")))).count();
        assert_eq!(kept, KEPT);
    }
}
