//! A disk for tests, drawn by hand.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::{Disk, Place};

/// What is at a path.
#[derive(Clone, Debug)]
enum Entry {
    File(String),
    Folder,
    Link(PathBuf),
}

/// Files and links by their absolute paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawn {
    entries: BTreeMap<PathBuf, Entry>,
}

/// Where the drawn workspace is.
pub(crate) const WORKSPACE: &str = "/home/dev/project";

impl Drawn {
    /// The workspace of the everyday table.
    pub(crate) fn everyday() -> Drawn {
        let mut drawn = Drawn::default();
        for line in include_str!("../tests/everyday/workspace.txt").lines() {
            let (path, text) = line.split_once('\t').expect("a path and a text");
            drawn = drawn.file(path, &text.replace('⏎', "\n"));
        }
        let config = "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://example.org/demo.git\n";
        drawn
            .file(".git/config", config)
            .file(".git/HEAD", "ref: refs/heads/main\n")
            .file(".git/hooks/pre-commit.sample", "#!/bin/sh\n")
            .file("archive.tar.gz", "")
    }

    /// With a file; paths are below the workspace unless they begin with a slash.
    pub(crate) fn file(mut self, path: &str, text: &str) -> Drawn {
        self.put(path, Entry::File(text.to_owned()));
        self
    }

    /// With a link.
    pub(crate) fn link(mut self, path: &str, target: &str) -> Drawn {
        self.put(path, Entry::Link(target.into()));
        self
    }

    fn put(&mut self, path: &str, entry: Entry) {
        let path = Path::new(WORKSPACE).join(path);
        for folder in path.ancestors().skip(1) {
            self.entries.entry(folder.to_owned()).or_insert(Entry::Folder);
        }
        self.entries.insert(path, entry);
    }

    /// A place in its workspace.
    pub(crate) fn place(self) -> Place {
        Place {
            workspace: WORKSPACE.into(),
            cwd: Some(WORKSPACE.into()),
            home: Some("/home/dev".into()),
            temp: vec!["/tmp".into()],
            env: Vec::new(),
            disk: Some(Arc::new(self)),
        }
    }

    fn follow(&self, path: &Path, links: usize) -> Option<PathBuf> {
        let mut real = PathBuf::new();
        let mut rest: Vec<Component<'_>> = path.components().rev().collect();
        while let Some(part) = rest.pop() {
            match part {
                Component::ParentDir => {
                    real.pop();
                }
                Component::Normal(name) => {
                    real.push(name);
                    if let Some(Entry::Link(target)) = self.entries.get(&real) {
                        real.pop();
                        let behind: PathBuf = rest.iter().rev().collect();
                        return self.follow(&real.join(target).join(behind), links.checked_sub(1)?);
                    }
                }
                part => real.push(part),
            }
        }
        Some(real)
    }
}

impl Disk for Drawn {
    fn real(&self, path: &Path) -> Option<PathBuf> {
        self.follow(path, 8)
    }

    fn names(&self, folder: &Path) -> Option<Vec<String>> {
        let folder = self.real(folder)?;
        let below = self.entries.keys().filter(|path| path.parent() == Some(&folder));
        below.map(|path| path.file_name().map(|name| name.to_string_lossy().into_owned())).collect()
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.real(path).is_some_and(|path| matches!(self.entries.get(&path), Some(Entry::Folder)))
    }

    fn files_below(&self, folder: &Path) -> Option<Vec<PathBuf>> {
        let files = self.entries.iter().filter(|(_, entry)| matches!(entry, Entry::File(_)));
        Some(files.filter_map(|(path, _)| path.strip_prefix(folder).ok().map(PathBuf::from)).collect())
    }

    fn text(&self, path: &Path) -> Option<String> {
        match self.entries.get(&self.real(path)?) {
            Some(Entry::File(text)) => Some(text.clone()),
            Some(_) => None,
            None => Some(String::new()),
        }
    }
}
