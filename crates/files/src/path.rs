//! A path as somebody asked for it, made plain: relative to the root, with no part that could climb.

use std::fmt;

use serde::Serialize;

use crate::error::{FileError, Oddity, Outside};

/// The kernel takes 4096 with the closing NUL.
const MAX_PATH: usize = 4095;
const MAX_NAME: usize = 255;

/// A path below the root: names joined by single slashes, no `.` and no `..`. The root itself is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct RelPath(String);

impl RelPath {
    /// The root itself.
    pub fn root() -> Self {
        Self::default()
    }

    /// Reads a requested path. `roots` are the spellings of the root that an absolute path may begin with.
    pub(crate) fn parse(text: &str, roots: &[&str]) -> Result<Self, FileError> {
        let bad = |why| FileError::BadPath { path: shorten(text), why };
        if text.is_empty() {
            return Err(bad(Oddity::Empty));
        }
        if text.chars().any(char::is_control) {
            return Err(bad(Oddity::Control));
        }
        if text.len() > MAX_PATH {
            return Err(bad(Oddity::Long));
        }
        let names = names(text);
        if names.contains(&"..") {
            return Err(FileError::OutsideWorkspace { path: text.to_owned(), why: Outside::Parent });
        }
        if names.iter().any(|name| name.len() > MAX_NAME) {
            return Err(bad(Oddity::Long));
        }
        if !text.starts_with('/') {
            return Ok(Self(names.join("/")));
        }
        below(&names, roots)
            .map(|rest| Self(rest.join("/")))
            .ok_or_else(|| FileError::OutsideWorkspace { path: text.to_owned(), why: Outside::Absolute })
    }

    /// From what the kernel says, which has no odd parts.
    pub(crate) fn from_real(text: &str) -> Self {
        Self(names(text).join("/"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn names(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/').filter(|name| !name.is_empty())
    }

    pub(crate) fn join(&self, name: &str) -> Self {
        if self.0.is_empty() { Self(name.to_owned()) } else { Self(format!("{}/{name}", self.0)) }
    }

    /// The folder and the name in it; nothing for the root.
    pub(crate) fn split(&self) -> Option<(Self, &str)> {
        match self.0.rsplit_once('/') {
            Some((folder, name)) => Some((Self(folder.to_owned()), name)),
            None if self.0.is_empty() => None,
            None => Some((Self::root(), &self.0)),
        }
    }

    /// What the kernel is given: the root is `.`.
    pub(crate) fn for_kernel(&self) -> &str {
        if self.0.is_empty() { "." } else { &self.0 }
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.for_kernel())
    }
}

fn names(text: &str) -> Vec<&str> {
    text.split('/').filter(|name| !name.is_empty() && *name != ".").collect()
}

/// The names after one of the roots; the longest root wins, so that a root inside a root works.
fn below<'a>(path: &[&'a str], roots: &[&str]) -> Option<Vec<&'a str>> {
    let matching = roots.iter().map(|root| names(root)).filter(|root| path.starts_with(root));
    matching.map(|root| root.len()).max().map(|len| path[len..].to_vec())
}

/// An error that quotes a megabyte helps nobody.
pub(crate) fn shorten(text: &str) -> String {
    const SHOWN: usize = 200;
    if text.chars().count() <= SHOWN { text.to_owned() } else { text.chars().take(SHOWN).chain(['…']).collect() }
}
