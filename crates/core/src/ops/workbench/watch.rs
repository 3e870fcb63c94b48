//! `flightdeck.workbench.watch`: a snapshot, then every change. The stream that front ends live on, and that makes each of
//! them a viewer for as long as it lasts.

use flightdeck_contract::Streams;
use flightdeck_contract::terminal::Done;
use flightdeck_contract::workbench::{WatchWorkbench, WorkbenchEvent};

use crate::registry::{Command, Effects, Family, define};
use crate::stream::changes;
use crate::workbench::{Missed, Viewing};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        WatchWorkbench::COMMAND,
        Effects::READS,
        "Watch the workbench",
        "Tells which viewer the caller is, then the whole workbench, or what was missed since `epoch` and `seq`, then the changes as they happen. A watcher \
         that is too slow gets a snapshot again.",
    )
    .for_people()
    .stream(|hub, call, request: WatchWorkbench, emit| async move {
        let viewer = Viewing::begin(&hub, &call.caller.actor)?;
        let mut seen = request.epoch.zip(request.seq);
        let mut watching = Some(WorkbenchEvent::Watching { viewer: viewer.id() });
        let begin = || {
            let (missed, changes) = hub.workbench().watch(seen.take());
            let first = match missed {
                Missed::All(snapshot) => WorkbenchEvent::Snapshot { snapshot },
                Missed::Changes(changes) => WorkbenchEvent::Changes { changes },
            };
            (watching.take().into_iter().chain([first]).collect(), changes)
        };
        let _gone = changes(&emit, begin, |changes| vec![WorkbenchEvent::Changes { changes }]).await;
        Ok(Done {})
    })
}
