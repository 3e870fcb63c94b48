//! Which files a search takes, by globs.

use ignore::overrides::{Override, OverrideBuilder};

use crate::error::FileError;
use crate::kind::Kind;
use crate::path::RelPath;
use crate::rules::plain;

/// What is included and what is not. A glob without a slash matches at any depth, as in `.gitignore`.
#[derive(Debug)]
pub(super) struct Globs(Override);

impl Globs {
    pub fn new(include: Option<&str>, exclude: Option<&str>) -> Result<Self, FileError> {
        let mut builder = OverrideBuilder::new("");
        let mut add = |glob: &str, line: &str| {
            builder
                .add(line)
                .map(drop)
                .map_err(|error| FileError::BadPattern { pattern: glob.to_owned(), why: plain(&error) })
        };
        for glob in split(include.unwrap_or_default()) {
            add(glob, glob.strip_prefix('!').unwrap_or(glob))?;
        }
        for glob in split(exclude.unwrap_or_default()) {
            add(glob, &format!("!{}", glob.strip_prefix('!').unwrap_or(glob)))?;
        }
        let bad = |error: &ignore::Error| FileError::BadPattern { pattern: String::new(), why: plain(error) };
        builder.build().map(Self).map_err(|error| bad(&error))
    }

    pub fn leaves_out(&self, path: &RelPath, kind: Kind) -> bool {
        !self.0.is_empty() && self.0.matched(path.as_str(), kind == Kind::Folder).is_ignore()
    }
}

/// At commas, but not at those in braces.
fn split(globs: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    globs
        .split(move |char| {
            match char {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            char == ',' && depth == 0
        })
        .map(str::trim)
        .filter(|glob| !glob.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_outside_braces() {
        let parts: Vec<_> = split("src/**/*.rs, *.{c,h} ,,x").collect();
        assert_eq!(parts, ["src/**/*.rs", "*.{c,h}", "x"]);
    }

    #[test]
    fn in_and_out() {
        let table: [(Option<&str>, Option<&str>, &str, bool); 8] = [
            (None, None, "a/b.rs", false),
            (Some("*.rs"), None, "a/b.rs", false),
            (Some("*.rs"), None, "a/b.c", true),
            (Some("src/**/*.rs,*.toml"), None, "src/x/y.rs", false),
            (Some("src/**/*.rs,*.toml"), None, "lib/y.rs", true),
            (Some("*.rs"), Some("gen/**"), "gen/b.rs", true),
            (None, Some("*.{min.js,map}"), "web/x.min.js", true),
            (None, Some("*.{min.js,map}"), "web/x.js", false),
        ];
        for (include, exclude, path, out) in table {
            let globs = Globs::new(include, exclude).unwrap();
            assert_eq!(globs.leaves_out(&RelPath::from_real(path), Kind::File), out, "{include:?} {exclude:?} {path}");
        }
        let error = Globs::new(Some("a[b"), None).unwrap_err();
        assert_eq!(error.code(), "bad_pattern");
    }
}
