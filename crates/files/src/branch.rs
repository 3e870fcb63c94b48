//! The branch that the workspace is on, as git notes it. Nothing of it is run.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::files::Files;

/// The files that are read here hold one line.
const LONGEST: u64 = 4096;
/// So much of a commit tells it apart.
const SHORT: usize = 7;

impl Files {
    /// The branch, or the beginning of the commit where none is checked out; nothing outside of a repository.
    pub fn branch(&self) -> Option<String> {
        let head = line(&folder(&self.root().path().join(".git"))?.join("HEAD"))?;
        match head.strip_prefix("ref: ") {
            Some(name) => Some(name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()),
            None => head.get(..SHORT).filter(|_| head.bytes().all(|byte| byte.is_ascii_hexdigit())).map(str::to_owned),
        }
    }
}

/// Where git keeps its own: further work trees have a file in place of the folder, which says so.
fn folder(git: &Path) -> Option<PathBuf> {
    if git.is_dir() {
        return Some(git.to_owned());
    }
    Some(git.parent()?.join(line(git)?.strip_prefix("gitdir: ")?))
}

fn line(path: &Path) -> Option<String> {
    // A pipe would be waited for.
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    fs::File::open(path).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(text.lines().next()?.to_owned())
}
