//! `flightdeck.hub.audit`: what was done, by whom, and how it ended.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::hub::{AuditPage, AuditQuery, AuditRun};
use flightdeck_contract::{Error, ErrorCode, TerminalId};
use flightdeck_keeper::Exit;
use flightdeck_term::session::RecordNumber;

use crate::aside::aside;
use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::store::{Filter, Outcome, RUNNING, Seq, StoreError};

const ID: &str = "flightdeck.hub.audit";
const DEFAULT_LIMIT: usize = 100;
const LARGEST_LIMIT: usize = 10_000;
/// The longest wait for something new; whoever follows asks again.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

pub(crate) fn command() -> Command {
    define(
        Family::Hub,
        ID,
        Effects::READS,
        "Audit log",
        "Reads the audit log: every call with who made it, its arguments, what the policy said, and how it ended.",
    )
    .for_people()
    .handle(|hub, request, query| async move { call(&hub, request, query).await })
}

async fn call(hub: &Arc<Hub>, call: Call, query: AuditQuery) -> Result<AuditPage, Error> {
    let limit = query.limit.unwrap_or(DEFAULT_LIMIT);
    if limit == 0 || limit > LARGEST_LIMIT {
        return Err(Error::invalid("limit", format!("{limit} is not between 1 and {LARGEST_LIMIT}")));
    }
    let filter = Filter {
        since_ms: query.since_ms,
        until_ms: query.until_ms,
        actor: query.actor,
        command: query.command,
        terminal: query.terminal,
        outcome: query.result.map(|result| match result.as_str() {
            "ok" => Outcome::Ok,
            "failed" => Outcome::Failed,
            _ => Outcome::Code(result),
        }),
        text: query.text,
        limit,
        after: query.after.map(Seq),
    };
    let wait = query.wait_ms.map(|ms| Duration::from_millis(ms).min(LONGEST_WAIT)).filter(|_| filter.after.is_some());
    let deadline = wait.map(|wait| tokio::time::Instant::now() + wait);
    let mut newest = hub.audit().store().follow();
    let mut filter = filter;
    loop {
        newest.borrow_and_update();
        let mut page = look(hub, filter.clone()).await?;
        if filter.after.is_some() {
            // Whoever follows would see nothing but itself following.
            page.calls.retain(|call| call.command != ID);
        }
        let Some(deadline) = deadline.filter(|_| page.calls.is_empty()) else { return Ok(page) };
        filter.after = Some(Seq(page.next));
        tokio::select! {
            _ = newest.changed() => {}
            () = tokio::time::sleep_until(deadline) => return Ok(page),
            () = call.cancelled.clone().wait() => {
                return Err(Error::new(ErrorCode::Cancelled, "the wait was given up"));
            }
        }
    }
}

pub(super) async fn look(hub: &Arc<Hub>, filter: Filter) -> Result<AuditPage, Error> {
    let (hub, own) = (Arc::clone(hub), Arc::clone(hub));
    let page = aside(move || {
        let mut page = hub.audit().store().calls(&filter, &hub.audit().alive())?;
        // What began after that look at the calls under way has not been interrupted either.
        let alive = hub.audit().alive();
        for call in page.calls.iter_mut().filter(|call| call.is_interrupted() && alive.contains(&call.entry.call)) {
            RUNNING.clone_into(&mut call.entry.result);
        }
        Ok(page)
    });
    let page = page.await?.map_err(|error: StoreError| convert::store_error(&error))?;
    let mut page = convert::audit_page(page);
    for call in &mut page.calls {
        if let (Some(run), Some(id)) = (&mut call.run, call.terminal.as_deref().and_then(|id| id.parse().ok())) {
            bring_up_to_date(&own, run, id);
        }
    }
    Ok(page)
}

/// What went on when its call returned may have ended since then.
fn bring_up_to_date(hub: &Hub, run: &mut AuditRun, terminal: TerminalId) {
    if !run.running {
        return;
    }
    let Ok(session) = hub.session(terminal) else {
        // Nothing is left of it.
        run.running = false;
        return;
    };
    let progress = session.progress();
    let record = run.command.map(|number| session.record(RecordNumber(number)));
    (run.running, run.exit_code) = match record {
        Some(Some(record)) => (progress.running() && record.end.is_none(), record.exit),
        // Its record was the oldest, and is gone.
        Some(None) => (false, None),
        None => (progress.running(), progress.exit.map(Exit::shell_code)),
    };
}
