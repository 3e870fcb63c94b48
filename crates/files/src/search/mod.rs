//! Searching the text of files, in parallel, with what git ignores and what is sensitive left out.

mod globs;
mod lines;
mod turns;
mod work;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use serde::Serialize;

use crate::error::FileError;
use crate::files::Files;
use crate::kind::Kind;
use crate::path::{RelPath, shorten};
use crate::resolve::Links;
use crate::walk::{Folder, Ignores};
use globs::Globs;
pub(crate) use turns::Turns;
use work::{Outcome, Work};

const DEFAULT_RESULTS: usize = 1000;
const MAX_RESULTS: usize = 100_000;
/// Characters of a query.
const MAX_QUERY: usize = 4096;
/// Bytes of a compiled expression, and of what each thread learns of it while it runs.
const MAX_PROGRAM: usize = 10 * 1024 * 1024;
const MAX_CACHE: usize = 16 * 1024 * 1024;

/// What to search for.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    pub query: String,
    /// A folder or a file; the root where nothing is named.
    pub path: Option<String>,
    /// Globs with commas between them: `src/**/*.rs,*.toml`.
    pub include: Option<String>,
    pub exclude: Option<String>,
    /// The query is a regular expression, not the text itself.
    pub regex: bool,
    pub case_sensitive: bool,
    pub max_results: usize,
    /// With the time that it waits for other searches.
    pub time_limit: Duration,
}

impl SearchRequest {
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            path: None,
            include: None,
            exclude: None,
            regex: false,
            case_sensitive: false,
            max_results: DEFAULT_RESULTS,
            time_limit: Duration::from_secs(20),
        }
    }
}

/// One line that matches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Found {
    pub path: RelPath,
    pub line: u64,
    /// Where the match begins, in characters from 1.
    pub column: u64,
    /// The line, cut around the match if it is long.
    pub text: String,
}

/// All that was found, by path and line.
#[derive(Clone, Debug, Serialize)]
pub struct SearchResult {
    pub matches: Vec<Found>,
    /// Why there may be more.
    pub truncated: Option<Stopped>,
    pub files_searched: u64,
    /// Sensitive, binary and special files and folders, and those that could not be read to their end. What git ignores
    /// is not counted.
    pub files_skipped: u64,
}

/// What ended a search early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    ResultLimit,
    TimeLimit,
}

/// Ends a search from another thread.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Files {
    /// Searches. `found` is called from several threads with what each file holds, as it is found.
    pub fn search(
        &self,
        request: &SearchRequest,
        cancel: &Cancel,
        found: &(dyn Fn(&[Found]) + Sync),
    ) -> Result<SearchResult, FileError> {
        let deadline = Instant::now() + request.time_limit;
        // Compiling takes memory, too, so that waits for its turn.
        let Some(_turn) = self.searches().take(cancel, deadline)? else {
            return Ok(SearchResult::of(Outcome::late()));
        };
        let matcher = matcher(request)?;
        let globs = Globs::new(request.include.as_deref(), request.exclude.as_deref())?;
        let path = match request.path.as_deref() {
            None | Some("") => RelPath::root(),
            Some(path) => self.root().parse(path)?,
        };
        let rules = self.rules();
        rules.check_read(&path, &path)?;
        let work = Work {
            rules: &rules,
            globs,
            matcher,
            limit: request.max_results.clamp(1, MAX_RESULTS),
            deadline,
            cancel,
            found,
        };
        let located = self.root().locate(&path, Links::Follow)?;
        rules.check_read(&located.real, &path)?;
        let outcome = if located.kind() == Kind::Folder {
            let start = Folder::start(self.root(), &located.real)?;
            rules.check_read(&start.path, &path)?;
            let ignores = Ignores::above(self.root(), &start.path);
            work.tree(start, ignores)
        } else {
            work.single(located.open_file(&path.to_string())?, &located.real)
        };
        if cancel.is_cancelled() {
            return Err(FileError::Cancelled);
        }
        Ok(SearchResult::of(outcome))
    }
}

impl SearchResult {
    fn of(outcome: Outcome) -> Self {
        let mut matches = outcome.matches;
        matches.sort_unstable();
        Self { matches, truncated: outcome.stopped, files_searched: outcome.searched, files_skipped: outcome.skipped }
    }
}

fn matcher(request: &SearchRequest) -> Result<RegexMatcher, FileError> {
    let bad = |why: String| FileError::BadPattern { pattern: shorten(&request.query), why };
    if request.query.is_empty() {
        return Err(bad("it is empty".to_owned()));
    }
    if request.query.contains('\n') {
        return Err(bad("it has a line break, and lines are searched one by one".to_owned()));
    }
    if request.query.chars().count() > MAX_QUERY {
        return Err(bad(format!("it is longer than {MAX_QUERY} characters")));
    }
    RegexMatcherBuilder::new()
        .fixed_strings(!request.regex)
        .case_insensitive(!request.case_sensitive)
        // So that `$` matches before CRLF, too.
        .crlf(true)
        .size_limit(MAX_PROGRAM)
        .dfa_size_limit(MAX_CACHE)
        .build(&request.query)
        .map_err(|error| bad(error.to_string()))
}
