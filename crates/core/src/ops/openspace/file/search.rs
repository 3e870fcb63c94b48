//! `openspace.file.search`: finds lines in the files of the workspace.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::openspace::{SearchFiles, SearchFound, SearchMatch, SearchResult};
use flightdeck_contract::{Error, Streams};
use flightdeck_files::{Cancel, Found, SearchRequest, Stopped};
use parking_lot::Mutex;

use super::LONGEST_TEXT;
use crate::aside::aside;
use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::progress::Progress;
use crate::registry::{Command, Effects, Family, define};
use crate::stream::Emit;

const DEFAULT_RESULTS: usize = 200;
const MOST_RESULTS: usize = 5000;
/// How long a search may take before it gives what it has.
const TIME: Duration = Duration::from_secs(20);

pub(super) fn command() -> Command {
    define(Family::Openspace, SearchFiles::COMMAND,
        Effects::READS,
        "Search files",
        "Finds lines in the files of the workspace that git would see, by text or by a regular expression, with path, line \
         and column. Files with secrets are left out.",
    )
    .events::<SearchFiles>()
    .handle(|hub, call, request: SearchFiles| async move { search(&hub, &call, request).await })
}

async fn search(hub: &Arc<Hub>, call: &Call, request: SearchFiles) -> Result<SearchResult, Error> {
    let (most, chosen) = (request.max_results.unwrap_or(DEFAULT_RESULTS), request.max_results.is_some());
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
    let (searched, teller) = (Arc::clone(hub), Teller::of(call));
    let searching = aside(move || searched.files().search(&request, &cancel, &|batch| teller.tell(batch)));
    let result = tokio::select! {
        result = searching => result?.map_err(|error| convert::file_error(hub, &error))?,
        () = call.cancelled.clone().wait() => return Err(convert::file_error(hub, &flightdeck_files::FileError::Cancelled)),
    };
    let reason = result.truncated.map(|stopped| match stopped {
        Stopped::ResultLimit => format!("there are more than {most} matches: narrow the query, or raise maxResults"),
        Stopped::TimeLimit => format!("{} seconds were over: narrow the path or the patterns", TIME.as_secs()),
    });
    let mut matches: Vec<_> = result.matches.iter().map(found).collect();
    let fitting = if chosen || call.caller.actor.is_human() { matches.len() } else { fitting(&matches) };
    let cut = (fitting < matches.len()).then(|| {
        format!(
            "there are more matches than fit, and these are {fitting}: narrow the query or the path, or set maxResults"
        )
    });
    matches.truncate(fitting);
    let reason = cut.or(reason);
    Ok(SearchResult {
        truncated: reason.is_some(),
        reason,
        searched_files: result.files_searched,
        skipped_files: result.files_skipped,
        matches,
    })
}

/// How many matches an agent gets that asks for no number: clients cut longer answers, and tell nobody where.
fn fitting(matches: &[SearchMatch]) -> usize {
    let mut length = 0;
    let fits = |found: &&SearchMatch| {
        length += serde_json::to_string(found).map_or(0, |text| text.len() + 1);
        length <= LONGEST_TEXT
    };
    matches.iter().take_while(fits).count()
}

fn found(found: &Found) -> SearchMatch {
    SearchMatch { path: found.path.to_string(), line: found.line, column: found.column, text: found.text.clone() }
}

/// Tells what is found while it is. No thread of the search waits for whoever listens: what can't be told at once is told
/// with the next.
struct Teller {
    progress: Progress,
    /// Only people see it come.
    events: Option<Emit<SearchFound>>,
    so_far: Mutex<SoFar>,
}

struct SoFar {
    count: usize,
    untold: SearchFound,
}

impl Teller {
    fn of(call: &Call) -> Self {
        let events = call.caller.actor.is_human().then(|| Emit::of(call));
        let so_far = SoFar { count: 0, untold: SearchFound { matches: Vec::new() } };
        Teller { progress: call.progress.clone(), events, so_far: Mutex::new(so_far) }
    }

    fn tell(&self, batch: &[Found]) {
        let Some(last) = batch.last() else { return };
        let mut so_far = self.so_far.lock();
        so_far.count += batch.len();
        self.progress.say(format!("{} found so far, last in {}", so_far.count, last.path));
        let Some(events) = &self.events else { return };
        so_far.untold.matches.extend(batch.iter().map(found));
        if events.try_send(&so_far.untold) {
            so_far.untold.matches.clear();
        }
    }
}

/// Ends a search that nobody waits for.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
