//! Documents that are open follow their files on disk.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use flightdeck_files::{Interest, Notice, Watch};
use tokio::sync::mpsc;

use crate::aside::aside;
use crate::hub::Hub;
use crate::workbench::disk;

/// How many notices may wait. The watch holds back further ones and puts those of the same file together.
const WAITING: usize = 64;

/// What is watched. Making and dropping it asks the kernel, so it is used on threads of its own.
#[derive(Debug)]
struct Watching {
    watch: Watch,
    interests: HashMap<String, Interest>,
    /// Those that can't be: the kernel has no more watches, for instance.
    failed: HashSet<String>,
}

/// Watches the files of open documents until the hub ends.
pub(crate) async fn follow_files(hub: Arc<Hub>) {
    let (sender, receiver) = mpsc::channel(WAITING);
    let root = Arc::clone(hub.files().root());
    // It fails only when nobody listens any more, and then nobody needs it.
    let watch = match Watch::start(root, move |notice| drop(sender.blocking_send(notice))) {
        Ok(watch) => watch,
        Err(error) => {
            tracing::error!(%error, "files can't be watched: open editors do not see changes from outside");
            return;
        }
    };
    let mut watching = Watching { watch, interests: HashMap::new(), failed: HashSet::new() };
    // Declared after the watch, so that it goes before it: the watch ends by waiting for its thread, which may be
    // waiting for room here.
    let mut notices = receiver;
    let mut moved = hub.workbench().moved();
    let mut seen = None;
    loop {
        moved.borrow_and_update();
        let now = hub.workbench().look(flightdeck_workbench::Workbench::open_paths_version);
        if seen.replace(now) != Some(now) {
            let own = Arc::clone(&hub);
            match aside(move || watch_what_is_open(&own, watching)).await {
                Ok(updated) => watching = updated,
                Err(error) => {
                    tracing::error!(%error, "files are not watched any more");
                    return;
                }
            }
        }
        tokio::select! {
            notice = notices.recv() => match notice {
                Some(Notice::Changed(path) | Notice::Gone(path)) => look_again(&hub, vec![path.to_string()]).await,
                Some(Notice::Overflow) => look_again(&hub, watching.interests.keys().cloned().collect()).await,
                None => return,
            },
            changed = moved.changed() => if changed.is_err() { return },
        }
    }
}

/// Watches what is open and nothing else, and looks once at what is new: it may have changed before it was watched.
fn watch_what_is_open(hub: &Hub, mut watching: Watching) -> Watching {
    let open = hub.workbench().look(flightdeck_workbench::Workbench::open_paths);
    watching.interests.retain(|path, _| open.contains(path));
    watching.failed.retain(|path| open.contains(path));
    for path in open {
        if watching.interests.contains_key(&path) || watching.failed.contains(&path) {
            continue;
        }
        match watching.watch.interest(&path) {
            Ok(interest) => drop(watching.interests.insert(path.clone(), interest)),
            Err(error) => {
                tracing::warn!(path, %error, "a file can't be watched: its editor does not see changes from outside");
                watching.failed.insert(path.clone());
            }
        }
        disk::file_changed(hub, &path);
    }
    watching
}

async fn look_again(hub: &Arc<Hub>, paths: Vec<String>) {
    let own = Arc::clone(hub);
    let looked = aside(move || paths.iter().for_each(|path| disk::file_changed(&own, path))).await;
    if let Err(error) = looked {
        tracing::warn!(%error, "files could not be looked at again");
    }
}
