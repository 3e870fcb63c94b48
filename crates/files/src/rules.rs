//! Which files are kept from readers, and which from writers.

use flightdeck_policy::{fold, secret};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::error::FileError;
use crate::path::RelPath;

/// The rule of folders that are shut.
const SHUT: &str = "Flightdeck's own files";

/// The built-in rules and those of the user.
#[derive(Debug, Clone)]
pub struct Rules {
    sensitive: Gitignore,
    protected: Gitignore,
    /// Folders that no glob opens, each as its folded names.
    shut: Vec<Vec<String>>,
}

impl Default for Rules {
    fn default() -> Self {
        Self { sensitive: Gitignore::empty(), protected: Gitignore::empty(), shut: Vec::new() }
    }
}

impl Rules {
    /// The built-in rules and globs as in `.gitignore`: `private/`, `*.sqlite`; `!fixtures/test.pem` allows one.
    pub fn new<S: AsRef<str>>(sensitive: &[S], protected: &[S]) -> Result<Self, FileError> {
        Ok(Self { sensitive: build(sensitive)?, protected: build(protected)?, shut: Vec::new() })
    }

    /// Everything at or below these folders is sensitive and protected, whatever the globs say.
    #[must_use]
    pub fn shut(mut self, folders: Vec<RelPath>) -> Self {
        self.shut.extend(folders.into_iter().map(|folder| folded(&folder)));
        self
    }

    /// The rule that keeps a path from being read or searched.
    pub fn sensitive(&self, path: &RelPath) -> Option<String> {
        if self.is_shut(path) {
            return Some(SHUT.to_owned());
        }
        match user(&self.sensitive, path) {
            Match::Ignore(rule) => Some(rule),
            Match::Whitelist(_) => None,
            Match::None => path.names().find_map(secret).map(str::to_owned),
        }
    }

    /// The rule that keeps a path from being written.
    pub fn protected(&self, path: &RelPath) -> Option<String> {
        if self.is_shut(path) {
            return Some(SHUT.to_owned());
        }
        match user(&self.protected, path) {
            Match::Ignore(rule) => Some(rule),
            Match::Whitelist(_) => None,
            Match::None => path.names().find_map(owned).map(str::to_owned).or_else(|| self.sensitive(path)),
        }
    }

    pub(crate) fn check_read(&self, path: &RelPath, asked: &RelPath) -> Result<(), FileError> {
        match self.sensitive(path) {
            Some(rule) => Err(FileError::Sensitive { path: asked.to_string(), rule }),
            None => Ok(()),
        }
    }

    pub(crate) fn check_write(&self, path: &RelPath, asked: &RelPath) -> Result<(), FileError> {
        match self.protected(path) {
            Some(rule) => Err(FileError::Protected { path: asked.to_string(), rule }),
            None => Ok(()),
        }
    }

    /// For walks, which come from a folder that was allowed: only the last name is new.
    pub(crate) fn hides(&self, path: &RelPath, name: &str) -> bool {
        if self.sensitive.is_empty() && self.shut.is_empty() {
            secret(name).is_some()
        } else {
            self.sensitive(path).is_some()
        }
    }

    fn is_shut(&self, path: &RelPath) -> bool {
        // Folding costs something, and most workspaces have no such folder.
        !self.shut.is_empty() && {
            let names = folded(path);
            self.shut.iter().any(|folder| names.starts_with(folder))
        }
    }
}

/// The names as a forgiving file system compares them.
fn folded(path: &RelPath) -> Vec<String> {
    path.names().map(|name| fold(name).into_owned()).collect()
}

fn owned(name: &str) -> Option<&'static str> {
    match &*fold(name) {
        ".git" | "git~1" => Some(".git/"),
        "node_modules" => Some("node_modules/"),
        _ => None,
    }
}

fn user(globs: &Gitignore, path: &RelPath) -> Match<String> {
    if globs.is_empty() || path.is_root() {
        return Match::None;
    }
    let plain = globs.matched_path_or_any_parents(path.as_str(), false);
    if plain.is_none() {
        // A spelling that the file system may take for the same name.
        let folded: Vec<_> = path.names().map(fold).collect();
        let folded = folded.join("/");
        let folded = if folded.is_empty() || folded == path.as_str() {
            Match::None
        } else {
            globs.matched_path_or_any_parents(&folded, false)
        };
        return folded.map(|glob| glob.original().to_owned());
    }
    plain.map(|glob| glob.original().to_owned())
}

fn build<S: AsRef<str>>(globs: &[S]) -> Result<Gitignore, FileError> {
    let mut builder = GitignoreBuilder::new("");
    let bad =
        |pattern: &str, error: &ignore::Error| FileError::BadPattern { pattern: pattern.to_owned(), why: plain(error) };
    builder.case_insensitive(true).map_err(|error| bad("", &error))?;
    // Git takes an unclosed class for plain text; a rule that protects nothing by mistake is worse than an error.
    builder.allow_unclosed_class(false);
    for glob in globs {
        builder.add_line(None, glob.as_ref()).map_err(|error| bad(glob.as_ref(), &error))?;
    }
    builder.build().map_err(|error| bad("", &error))
}

/// The reason without the glob, which is quoted already.
pub(crate) fn plain(error: &ignore::Error) -> String {
    match error {
        ignore::Error::Glob { err, .. } => err.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use flightdeck_policy::secret_rules;

    use super::*;

    /// Commands that are read unasked and these tools go by one list, and the manual shows it.
    #[test]
    fn secrets_are_those_of_the_policy() {
        let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/files.md");
        let manual = std::fs::read_to_string(manual).expect("the manual is there");
        assert!(secret_rules().count() >= 30);
        for rule in secret_rules() {
            let name = rule.trim_end_matches("/**").replace('*', "x");
            for path in [name.clone(), format!("sub/{name}"), format!("{name}/inside")] {
                let path = RelPath::parse(&path, &[]).expect("a path");
                assert_eq!(Rules::default().sensitive(&path).as_deref(), Some(rule), "{path}");
            }
            assert!(manual.contains(&format!("`{rule}`")), "{rule} is not in the manual");
        }
        let template = RelPath::parse(".env.example", &[]).expect("a path");
        assert_eq!(Rules::default().sensitive(&template), None);
    }
}
