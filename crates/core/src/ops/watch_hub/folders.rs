//! Folders of the workspace, for whoever shows them as a tree.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::events::HubEvent;
use flightdeck_files::{Interest, Notice, RelPath, Watch};
use tokio::sync::mpsc;

use crate::aside::aside;
use crate::convert;
use crate::hub::Hub;
use crate::stream::Source;

/// How many folders one watcher may have open.
const MOST: usize = 1000;
/// How many notices may wait. The watch puts further ones of a folder together.
const WAITING: usize = 64;

/// The folders of one watcher.
#[derive(Debug)]
pub(super) struct Folders {
    /// As they were given, and as the watch names them.
    names: Vec<(String, RelPath)>,
    // Before the watch, so that it goes before it: the watch ends by waiting for its thread, which may be waiting for room
    // here.
    notices: mpsc::Receiver<Notice>,
    _interests: Vec<Interest>,
    _watch: Watch,
}

impl Folders {
    /// Begins to watch these. A name that leads out of the workspace is refused; a folder that is not there may come.
    pub(super) async fn watch(hub: &Arc<Hub>, names: Vec<String>) -> Result<Self, Error> {
        if names.len() > MOST {
            return Err(Error::invalid("folders", format!("{} are more than {MOST}", names.len())));
        }
        let root = Arc::clone(hub.files().root());
        let begun = aside(move || {
            let (sender, notices) = mpsc::channel(WAITING);
            // It fails only when nobody listens any more, and then nobody needs it.
            let watch = Watch::start(root, move |notice| drop(sender.blocking_send(notice)))?;
            let interests: Result<Vec<Interest>, _> = names.iter().map(|name| watch.interest(name)).collect();
            let interests = interests?;
            let names = names.into_iter().zip(interests.iter().map(|interest| interest.path().clone())).collect();
            Ok(Folders { names, notices, _interests: interests, _watch: watch })
        });
        begun.await?.map_err(|error| convert::file_error(hub, &error))
    }
}

impl Source for Folders {
    type Event = HubEvent;

    async fn next(&mut self) -> Result<Option<HubEvent>, Error> {
        let mut waiting = Vec::with_capacity(WAITING);
        while self.notices.recv_many(&mut waiting, WAITING).await > 0 {
            let all = waiting.contains(&Notice::Overflow);
            let is_said = |folder: &RelPath| {
                waiting
                    .iter()
                    .any(|notice| matches!(notice, Notice::Changed(path) | Notice::Gone(path) if path == folder))
            };
            let changed = self.names.iter().filter(|(_, folder)| all || is_said(folder));
            let changed: Vec<String> = changed.map(|(name, _)| name.clone()).collect();
            waiting.clear();
            if !changed.is_empty() {
                return Ok(Some(HubEvent::Folders { changed }));
            }
        }
        Ok(None)
    }
}
