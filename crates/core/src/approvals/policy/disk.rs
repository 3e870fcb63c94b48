//! The policy's look at the disk. It reads names and small files of settings, and gives nothing of them to anybody. While it
//! reads, others go on; to ask for one file's state takes less time than that would.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

use flightdeck_policy::Disk;

use crate::aside::in_place;

/// More names in a folder, or files in a tree, are not looked at: a decision has to come soon.
const MOST_NAMES: usize = 20_000;
/// Larger files hold no settings.
const LARGEST_TEXT: u64 = 256 * 1024;

/// The disk of this machine.
#[derive(Debug)]
pub(crate) struct LocalDisk;

impl Disk for LocalDisk {
    fn real(&self, path: &Path) -> Option<PathBuf> {
        let mut behind: Vec<Component<'_>> = Vec::new();
        let mut before = path.components();
        loop {
            let existing = before.as_path();
            match fs::canonicalize(existing) {
                Ok(mut real) => {
                    real.extend(behind.iter().rev());
                    return Some(real);
                }
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(_) => return None,
            }
            // A link that leads nowhere now may lead anywhere soon, and behind what is not there `..` means nothing.
            let is_there = fs::symlink_metadata(existing).is_ok();
            match before.next_back() {
                Some(part @ Component::Normal(_)) if !is_there => behind.push(part),
                _ => return None,
            }
        }
    }

    fn names(&self, folder: &Path) -> Option<Vec<String>> {
        in_place(|| names_in(folder))
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn files_below(&self, folder: &Path) -> Option<Vec<PathBuf>> {
        in_place(|| files_in(folder))
    }

    fn text(&self, path: &Path) -> Option<String> {
        in_place(|| text_of(path))
    }
}

fn names_in(folder: &Path) -> Option<Vec<String>> {
    let entries = fs::read_dir(folder).ok()?.take(MOST_NAMES + 1);
    let names: Option<Vec<String>> = entries.map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.filter(|names| names.len() <= MOST_NAMES)
}

fn files_in(folder: &Path) -> Option<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    let mut seen = 0;
    while let Some(relative) = folders.pop() {
        for entry in fs::read_dir(folder.join(&relative)).ok()? {
            let entry = entry.ok()?;
            seen += 1;
            if seen > MOST_NAMES {
                return None;
            }
            let path = relative.join(entry.file_name());
            let kind = entry.file_type().ok()?;
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                files.push(path);
            }
        }
    }
    Some(files)
}

fn text_of(path: &Path) -> Option<String> {
    let file = match fs::symlink_metadata(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Some(String::new());
        }
        // A pipe would be waited for.
        Ok(found) if found.is_file() && found.len() <= LARGEST_TEXT => fs::File::open(path).ok()?,
        _ => return None,
    };
    let mut text = String::new();
    file.take(LARGEST_TEXT).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_as_the_system_does() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("its path");
        fs::create_dir_all(root.join("a/b")).expect("folders");
        fs::write(root.join("a/file"), "text").expect("a file");
        let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, root.join(name)).expect("a link");
        link("a/b", "inside");
        link("/etc", "out");
        link("nowhere", "dangling");
        link("loop", "loop");
        for (path, real) in [
            ("a/file", Some("a/file")),
            ("inside/../file", Some("a/file")),
            ("inside/new/file", Some("a/b/new/file")),
            ("out/passwd", Some("/etc/passwd")),
            ("dangling", None),
            ("dangling/x", None),
            ("loop", None),
            ("new/../file", None),
            ("a/file/x", None),
        ] {
            assert_eq!(LocalDisk.real(&root.join(path)), real.map(|real| root.join(real)), "{path}");
        }
        assert_eq!(LocalDisk.text(&root.join("a/file")).as_deref(), Some("text"));
        assert_eq!(LocalDisk.text(&root.join("a/none")).as_deref(), Some(""));
        assert_eq!(LocalDisk.text(&root.join("a")), None);
        assert_eq!(LocalDisk.text(&root.join("out")), None, "a link can be turned");
        assert_eq!(LocalDisk.files_below(&root), Some(vec![PathBuf::from("a/file")]));
    }
}
