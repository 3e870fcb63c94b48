//! The audit log as it is written.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::events::{HubEvent, WatchAudit};

use crate::hub::Hub;
use crate::ops::audit::look;
use crate::store::{Filter, Seq};
use crate::stream::Emit;

/// How many calls are told at once.
const AT_ONCE: usize = 256;

/// Where to begin: after an entry, or now.
pub(super) fn start(hub: &Hub, request: WatchAudit) -> Seq {
    request.after.map_or_else(|| *hub.audit().store().follow().borrow(), Seq)
}

/// Tells what comes after an entry, until nobody takes it any more.
pub(super) async fn tell(hub: &Arc<Hub>, after: Seq, emit: &Emit<HubEvent>) -> Result<(), Error> {
    let mut newest = hub.audit().store().follow();
    let mut after = after;
    loop {
        newest.borrow_and_update();
        let page = look(hub, Filter { after: Some(after), limit: AT_ONCE, ..Filter::default() }).await?;
        let (is_all, next) = (page.calls.len() < AT_ONCE, page.next);
        if !page.calls.is_empty() && emit.send(&HubEvent::Audit { calls: page.calls, next }).await.is_err() {
            return Ok(());
        }
        after = Seq(next);
        if is_all && newest.changed().await.is_err() {
            return Ok(());
        }
    }
}
