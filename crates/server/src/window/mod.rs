//! Opens the desktop window when a person is needed and no front end is attached: the adapters `local` and `bundled`.
//!
//! ```text
//!   attached? ──► yes: nothing is started
//!      └─ no ──► each candidate in order ──► fit? ──► start ──► `ready` and attached ──► done
//!                     ▲                       no │       │ failed, once more if that can pass
//!                     └──────────────────────────┴───────┘
//! ```
//!
//! It never ends a process that it did not start, changes no setting and installs nothing.

mod discover;
mod launch;

use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::Duration;

use flightdeck_contract::{Error, ErrorCode, pm};
use flightdeck_core::{Adapter, Connect, Doing, Errand, Hub, Sent, Way};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use discover::{Candidate, Missing, Places, Source, check};
use launch::Launch;

/// What an agent tells its user.
const NEXT: &str = "ask your user to open a front end of the workspace: `flightdeck open` (browser), `flightdeck approve \
                    --watch`, or `interactive-terminal`; then send it again";

/// A way to a person by a window.
#[derive(Debug)]
pub struct Window {
    hub: Weak<Hub>,
    way: Way,
    starts: Arc<Starts>,
}

/// Starts of windows, one at a time: many calls that find nobody want one window.
#[derive(Debug)]
struct Starts {
    turn: Arc<Semaphore>,
    last: Mutex<Last>,
}

#[derive(Debug, Default)]
struct Last {
    number: u64,
    failure: Option<(Vec<Candidate>, Error)>,
}

/// Lets the hub open windows.
pub fn serve(hub: &Arc<Hub>) {
    let starts = Arc::new(Starts { turn: Arc::new(Semaphore::new(1)), last: Mutex::default() });
    for way in [Way::Local, Way::Bundled, Way::Auto] {
        let window = Window { hub: Arc::downgrade(hub), way, starts: Arc::clone(&starts) };
        hub.reach_people_by(way, Arc::new(window));
    }
}

impl Window {
    async fn open(&self, connect: &Connect) -> Result<(), Error> {
        let nobody = || nobody(self.way);
        let Some(hub) = self.hub.upgrade() else { return Err(nobody()) };
        if hub.attended_within(Duration::ZERO).await {
            return Ok(());
        }
        if !hub.settings().window.launch {
            let text = "nobody is attached to see it, and the setting window.launch says that no window is opened";
            return Err(unavailable(self.way, text, &[], &[]));
        }
        let (candidates, missing) = self.candidates(&hub, connect.binary.as_deref())?;
        let before = self.starts.last.lock().number;
        let Ok(turn) = Arc::clone(&self.starts.turn).acquire_owned().await else { return Err(nobody()) };
        if hub.attended_within(Duration::ZERO).await {
            return Ok(());
        }
        // Whoever was before us has tried the same while we waited.
        let failure = {
            let last = self.starts.last.lock();
            last.failure.clone().filter(|(tried, _)| last.number != before && *tried == candidates)
        };
        if let Some((_, error)) = failure {
            return Err(error);
        }
        let trace = connect.trace.clone().unwrap_or_else(|| format!("trace_{}", &crate::auth::secret()[..16]));
        let (way, starts) = (self.way, Arc::clone(&self.starts));
        // In a task of its own: a caller that gives up must not leave half a start behind.
        let opened = tokio::spawn(async move {
            let opened = try_all(&hub, way, &candidates, &missing, &trace).await;
            let mut last = starts.last.lock();
            last.number += 1;
            last.failure = opened.clone().err().map(|error| (candidates, error));
            drop(turn);
            opened
        });
        opened.await.unwrap_or_else(|_| Err(nobody()))
    }

    /// What is tried. A request can choose among programs that the user has, and no more: it must not run another one.
    fn candidates(&self, hub: &Hub, named: Option<&Path>) -> Result<(Vec<Candidate>, Vec<Missing>), Error> {
        let configured = hub.window_binary();
        if let Some(path) = configured.as_ref().filter(|path| !path.is_absolute()) {
            let text = format!("the window's program is set to the relative path {}", path.display());
            return Err(Error::new(ErrorCode::InvalidArgument, text)
                .hint(format!("set {} or `window.binary` to an absolute path, then start the hub again", pm::BINARY)));
        }
        let places = Places { configured, beside: launch::beside(), path: std::env::var_os("PATH") };
        let mut candidates = places.candidates(self.way);
        if let Some(named) = named {
            let known = places.candidates(Way::Auto).into_iter().find(|known| is_same(&known.path, named));
            let Some(known) = known else { return Err(foreign(named)) };
            candidates.retain(|candidate| candidate.path != known.path);
            candidates.insert(0, Candidate { source: Source::Configured, path: known.path });
        }
        Ok((candidates, places.missing(self.way)))
    }
}

fn is_same(known: &Path, named: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    known == named || real(known) == real(named)
}

fn foreign(named: &Path) -> Error {
    let text =
        format!("runtime.binary_path: {} is no window that your user has set up; it was not started", named.display());
    Error::new(ErrorCode::NotAllowed, text).hint(format!(
        "leave it out, or ask your user to set `window.binary` in Flightdeck's settings, or {}",
        pm::BINARY
    ))
}

/// Tries them in order; the first that gets ready serves.
async fn try_all(
    hub: &Arc<Hub>,
    way: Way,
    candidates: &[Candidate],
    missing: &[Missing],
    trace: &str,
) -> Result<(), Error> {
    let (mut attempted, mut errors) = (Vec::new(), Vec::new());
    let open = [hub.workspace().root().to_owned(), std::env::temp_dir(), "/tmp".into(), "/var/tmp".into()];
    for Candidate { source, path } in candidates {
        let tried = |outcome: &str, detail: &str| -> Value {
            json!({ "source": source.name(), "path": path, "outcome": outcome, "detail": detail })
        };
        if let Err(unfit) = check(path, &open) {
            attempted.push(tried("unfit", &unfit.to_string()));
            continue;
        }
        for attempt in 1..=2 {
            let time = Duration::from_millis(hub.settings().window.spawn_timeout_ms);
            let Err(failed) = (Launch { hub, path, trace, time }).run().await else { return Ok(()) };
            tracing::warn!(path = %path.display(), attempt, trace, %failed, "a window did not open");
            errors.push(json!({ "path": path, "attempt": attempt, "error": failed.to_string() }));
            if attempt == 2 || !failed.is_transient() {
                attempted.push(tried("failed", &failed.to_string()));
                break;
            }
        }
    }
    let text = match attempted.last() {
        None => "nobody is attached to see it, and no window is installed that could be opened".to_owned(),
        Some(last) => {
            let word = |name: &str| last[name].as_str().unwrap_or_default();
            let (path, detail) = (word("path"), word("detail"));
            format!("nobody is attached to see it, and no window could be opened: {path}: {detail}")
        }
    };
    attempted.extend(missing.iter().map(|Missing { source, path, detail }| {
        json!({ "source": source.name(), "path": path, "outcome": "not_found", "detail": detail })
    }));
    Err(unavailable(way, &text, &attempted, &errors))
}

/// A failure as the contract wants it: the adapter, what was tried, how each start failed, and what to do next.
fn unavailable(way: Way, text: &str, attempted: &[Value], errors: &[Value]) -> Error {
    Error::new(ErrorCode::ApprovalUnavailable, text).details(json!({
        "adapter": way.name(),
        "attempted_candidates": attempted,
        "spawn_errors": errors,
        "next_action": NEXT,
    }))
}

/// Nothing could be tried. What to do now is said by whoever puts it into words for the caller.
fn nobody(way: Way) -> Error {
    unavailable(way, "nobody is attached", &[], &[])
}

impl Adapter for Window {
    fn connect<'a>(&'a self, connect: &'a Connect) -> Doing<'a, ()> {
        Box::pin(self.open(connect))
    }

    fn health_check(&self) -> Doing<'_, ()> {
        Box::pin(async {
            match self.hub.upgrade() {
                Some(hub) if hub.attended_within(Duration::ZERO).await => Ok(()),
                _ => Err(nobody(self.way)),
            }
        })
    }

    fn send_request(&self, _: Errand) -> Doing<'_, Sent> {
        Box::pin(async { Ok(Sent::Here) })
    }

    fn await_response(&self, _: u64) -> Doing<'_, Value> {
        Box::pin(async { Err(Error::new(ErrorCode::Internal, "the hub carries it out itself")) })
    }

    fn recover<'a>(&'a self, connect: &'a Connect) -> Doing<'a, ()> {
        self.connect(connect)
    }

    /// The window belongs to the person, who closes it.
    fn close(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_program_by_another_name_is_known() {
        let dir = tempfile::tempdir().unwrap();
        let (one, other) = (dir.path().join("one"), dir.path().join("other"));
        std::fs::write(&one, "").unwrap();
        std::os::unix::fs::symlink(&one, &other).unwrap();
        assert!(is_same(&one, &other) && !is_same(&one, &dir.path().join("none")));
        assert_eq!(foreign(Path::new("/bin/rm")).code, ErrorCode::NotAllowed);
    }
}
