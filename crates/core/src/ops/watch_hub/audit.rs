//! The audit log as it is written.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::events::{HubEvent, WatchAudit};
use tokio::sync::watch;

use crate::hub::Hub;
use crate::ops::audit::look;
use crate::store::{Filter, Seq};
use crate::stream::Source;

/// How many calls are told at once.
const AT_ONCE: usize = 256;

/// The entries after one, and those that come.
pub(super) struct Entries {
    hub: Arc<Hub>,
    after: Seq,
    newest: watch::Receiver<Seq>,
    /// All that there is was told.
    is_all: bool,
}

impl Entries {
    /// From where it is asked for: after an entry, or from now on.
    pub(super) fn new(hub: &Arc<Hub>, request: WatchAudit) -> Self {
        let newest = hub.audit().store().follow();
        let after = request.after.map_or_else(|| *newest.borrow(), Seq);
        Entries { hub: Arc::clone(hub), after, newest, is_all: false }
    }
}

impl Source for Entries {
    type Event = HubEvent;

    async fn next(&mut self) -> Result<Option<HubEvent>, Error> {
        loop {
            if self.is_all && self.newest.changed().await.is_err() {
                return Ok(None);
            }
            self.newest.borrow_and_update();
            let filter = Filter { after: Some(self.after), limit: AT_ONCE, ..Filter::default() };
            let page = look(&self.hub, filter).await?;
            self.is_all = page.calls.len() < AT_ONCE;
            self.after = Seq(page.next);
            if !page.calls.is_empty() {
                return Ok(Some(HubEvent::Audit { calls: page.calls, next: page.next }));
            }
        }
    }
}
