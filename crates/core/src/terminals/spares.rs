//! Folders of terminals that are gone, emptied for those to come.
//!
//! Each short command has a terminal of its own. Making its folder and its files, and removing them later, took more of the
//! kernel's time than all else that is done for it. A folder that is used again costs two renames.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use flightdeck_keeper::layout::{exit_path, segment_path, times_path};
use parking_lot::Mutex;

/// How many are kept.
const KEPT: usize = 64;
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
}

impl Spares {
    /// Those in `dir`, as an earlier hub has left them. They were emptied before they came there.
    pub(crate) fn open(dir: PathBuf) -> Self {
        let ready: Vec<_> = fs::read_dir(&dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        let number = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u64>().ok();
        let next = ready.iter().filter_map(number).max().map_or(0, |last| last + 1);
        Spares { dir, inner: Mutex::new(Inner { ready, next }) }
    }

    /// Makes the folder of a new terminal.
    pub(crate) fn make(&self, folder: &Path) -> io::Result<()> {
        loop {
            let Some(spare) = self.inner.lock().ready.pop() else {
                return DirBuilder::new().mode(0o700).create(folder);
            };
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
        let spare = self.dir.join(inner.next.to_string());
        let moved = fs::rename(folder, &spare).or_else(|_| {
            DirBuilder::new().mode(0o700).create(&self.dir)?;
            fs::rename(folder, &spare)
        });
        if moved.is_ok() {
            inner.next += 1;
            inner.ready.push(spare);
        }
        moved.is_ok()
    }
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
