//! `openspace.file.search`: finds lines in the files of the workspace.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use flightdeck_contract::Error;
use flightdeck_contract::openspace::{SearchFiles, SearchMatch, SearchResult};
use flightdeck_files::{Cancel, Found, SearchRequest, Stopped};

use crate::aside::aside;
use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};

const DEFAULT_RESULTS: usize = 200;
const MOST_RESULTS: usize = 5000;
/// How long a search may take before it gives what it has.
const TIME: Duration = Duration::from_secs(20);

pub(super) fn command() -> Command {
    define(Family::Openspace, "openspace.file.search",
        Effects::READS,
        "Search files",
        "Finds lines in the files of the workspace that git would see, by text or by a regular expression, with path, line \
         and column. Files with secrets are left out.",
    )
    .handle(|hub, call, request: SearchFiles| async move { search(&hub, &call, request).await })
}

async fn search(hub: &Arc<Hub>, call: &Call, request: SearchFiles) -> Result<SearchResult, Error> {
    let most = request.max_results.unwrap_or(DEFAULT_RESULTS);
    if most == 0 || most > MOST_RESULTS {
        return Err(Error::invalid("maxResults", format!("{most} is not between 1 and {MOST_RESULTS}")));
    }
    if request.query.is_empty() {
        return Err(Error::invalid("query", "it is empty: every line would match"));
    }
    let request = SearchRequest {
        path: request.path,
        include: request.include_pattern,
        exclude: request.exclude_pattern,
        regex: request.regex,
        case_sensitive: request.case_sensitive,
        max_results: most,
        time_limit: TIME,
        ..SearchRequest::new(request.query)
    };
    let cancel = Cancel::default();
    // Dropped with the call, however that ends: nobody wants the rest then.
    let _ended = CancelOnDrop(cancel.clone());
    let (hub, progress) = (Arc::clone(hub), call.progress.clone());
    let searching = aside(move || {
        let found = AtomicUsize::new(0);
        let tell = |batch: &[Found]| {
            let before = found.fetch_add(batch.len(), Ordering::Relaxed);
            if let Some(last) = batch.last() {
                progress.say(format!("{} found so far, last in {}", before + batch.len(), last.path));
            }
        };
        hub.files().search(&request, &cancel, &tell)
    });
    let result = tokio::select! {
        result = searching => result?.map_err(|error| convert::file_error(&error))?,
        () = call.cancelled.clone().wait() => return Err(convert::file_error(&flightdeck_files::FileError::Cancelled)),
    };
    let reason = result.truncated.map(|stopped| match stopped {
        Stopped::ResultLimit => format!("there are more than {most} matches: narrow the query, or raise maxResults"),
        Stopped::TimeLimit => format!("{} seconds were over: narrow the path or the patterns", TIME.as_secs()),
    });
    Ok(SearchResult {
        truncated: reason.is_some(),
        reason,
        searched_files: result.files_searched,
        skipped_files: result.files_skipped,
        matches: result.matches.into_iter().map(found).collect(),
    })
}

fn found(found: Found) -> SearchMatch {
    SearchMatch { path: found.path.to_string(), line: found.line, column: found.column, text: found.text }
}

/// Ends a search that nobody waits for.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
