//! The middle of the gate: what a call would run is put to the policy, and where that says so, to a person.
//!
//! ```text
//!   nothing to run, or a person asks ─────────────────────────────► go on
//!   blocked ──────────────────────────────────────────────────────► refused
//!   allowed ──────────────────────────────────────────────────────► go on
//!   needs a yes ──► granted before? ─────────────────────────────► go on
//!                     └──► a front end, or the agent's client, can ask? ──► approved / declined / expired
//!                               └──► nobody: refused, with what to do
//! ```

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::approval::{Approval, CommandSubject, Scope, Subject};
use flightdeck_contract::canonical::AdapterOverride;
use flightdeck_contract::{ApprovalId, Error, ErrorCode};
use flightdeck_policy::{DangerKind, Decision, Deed, Dialect, Remedy, RuleId, Verdict};
use serde_json::{Value, json};

use crate::actor::{Caller, person};
use crate::approvals::intent::{Intent, Sight};
use crate::approvals::permit::Permit;
use crate::approvals::policy::Ruling;
use crate::approvals::whole;
use crate::approvals::{Answer, Asked, Ticket};
use crate::aside::in_place;
use crate::audit::{Noted, mask, now_ms};
use crate::call::Call;
use crate::hub::Hub;
use crate::registry::{Command, Job, Reach, Unseen};
use crate::runtime::{Connect, Way};
use crate::terminals::input::first_prompt;

/// What stands in the audit log as the rule by which people's own calls are free.
pub(crate) const PERSON: &str = "person";

/// The longest command that is shown whole in an error.
const SHOWN: usize = 200;

/// Whether a call may be carried out, unseen if its caller wants that when nobody is there.
pub(crate) async fn authorise_or_fall_back(
    hub: &Arc<Hub>,
    command: &Command,
    call: &Call,
    job: &mut dyn Job,
    noted: &mut Noted,
) -> Result<Permit, Error> {
    let first = match authorise(hub, command, call, job, noted).await {
        Err(error) if error.code == ErrorCode::ApprovalUnavailable => error,
        other => return other,
    };
    match job.go_unseen() {
        None => Err(first),
        Some(Unseen::Possible) => {
            let ruling = match job.intent(hub) {
                Ok(Some(intent)) => Some(rule_on(hub, &intent)),
                _ => None,
            };
            job.stay(ruling.is_some_and(|ruling| ruling.decision.verdict == Verdict::Allowed));
            Err(first)
        }
        Some(Unseen::Wanted) => match authorise(hub, command, call, job, noted).await {
            Ok(permit) => Ok(permit),
            Err(second) => {
                job.stay(false);
                Err(first.hint(format!("headless it is refused too: {}", second.message)))
            }
        },
    }
}

/// Whether a call may be carried out. What was decided is noted, whatever it is.
async fn authorise(
    hub: &Arc<Hub>,
    command: &Command,
    call: &Call,
    job: &mut dyn Job,
    noted: &mut Noted,
) -> Result<Permit, Error> {
    if command.controls_ide && !call.caller.actor.is_human() {
        hub.consents().check()?;
    }
    let mut intent = job.intent(hub)?;
    let human = call.caller.actor.is_human();
    // A person may type a line in pieces, and sees what the shell makes of it.
    if let Some(intent) = &intent
        && !(human && job.may_be_input())
    {
        whole::check(intent, &call.caller.actor)?;
    }
    // A shell that has just been started goes to its folder first. A person who is asked before that would be asked about
    // another one, and their yes would count for nothing.
    if !human && let Some(Intent { terminal: Some(terminal), cwd: None, .. }) = &intent {
        first_prompt(&*hub.session(*terminal)?).await;
        intent = job.intent(hub)?;
    }
    if human {
        noted.decided("allowed", PERSON, "a person asks for it");
        return Ok(Permit::FREE);
    }
    let Some(intent) = intent else {
        noted.decided("allowed", "none", "it runs no command");
        if let Some(reach) = job.attended() {
            see_that_somebody_is_there(hub, &call.caller, reach, noted).await?;
        }
        return Ok(Permit::FREE);
    };
    let ruling = rule_on(hub, &intent);
    let Decision { verdict, reason, .. } = &ruling.decision;
    noted.decided(verdict.name(), &ruling.decision.rules_text(), reason);
    if *verdict == Verdict::Blocked {
        return Err(blocked(hub, &call.caller, &intent, &ruling));
    }
    if let Some(reach) = job.attended() {
        see_that_somebody_is_there(hub, &call.caller, reach, noted).await?;
    }
    let (warned, Approved { intent: decided, changed }) = match verdict {
        Verdict::NeedsApproval => (true, approved(hub, command, call, &intent, &ruling, job, noted).await?),
        _ => (*verdict == Verdict::AllowedWithWarning, Approved::as_asked(intent)),
    };
    let warning = ruling.warning().filter(|_| warned && changed.is_none());
    let verdict = if warning.is_some() { Verdict::AllowedWithWarning } else { Verdict::Allowed };
    let rules = ruling.decision.rules;
    Ok(Permit { verdict, warning, changed, rules, decided: Some(decided), network: ruling.network })
}

/// A text of this length is understood in less time than another thread takes to go on with the rest.
const SHORT: usize = 4096;

/// Asks the policy. Where it has to read, others go on meanwhile.
fn rule_on(hub: &Hub, intent: &Intent) -> Ruling {
    let rule = || hub.policy().rule_on(intent);
    let length = match &intent.deed {
        Deed::Line(text) | Deed::Part(text) => text.len(),
        Deed::Argv(words) => words.iter().map(String::len).sum(),
    };
    if length <= SHORT { rule() } else { in_place(rule) }
}

/// What runs in sight of a person needs one: here, or where the request goes.
async fn see_that_somebody_is_there(
    hub: &Hub,
    caller: &Caller,
    Reach { way, binary }: Reach,
    noted: &mut Noted,
) -> Result<(), Error> {
    if way != Way::ContainerBridge && can_ask(hub, caller) {
        return Ok(());
    }
    let connect = Connect { trace: caller.trace.clone(), binary };
    let reached = match hub.runtime().adapter(way) {
        Ok(adapter) => adapter.connect(&connect).await,
        Err(error) => Err(error),
    };
    reached.inspect_err(|error| noted.decided("unattended", "surface:none", &error.message))
}

/// Gets somebody to a front end for a question.
async fn fetch_somebody(hub: &Hub, caller: &Caller) -> Result<(), Error> {
    if hub.surfaces().attached() > 0 {
        return Ok(());
    }
    let nobody = || Error::new(ErrorCode::ApprovalUnavailable, "nobody is attached");
    if caller.asks.is_some() || hub.settings().approvals.wait_unattended {
        return Err(nobody());
    }
    match hub.runtime().way(AdapterOverride::Auto)? {
        // What would run in the container is no business of the person on the host.
        Way::ContainerBridge => Err(nobody()),
        way => {
            let connect = Connect { trace: caller.trace.clone(), binary: None };
            hub.runtime().adapter(way)?.connect(&connect).await
        }
    }
}

/// What a person has said yes to.
struct Approved {
    intent: Intent,
    /// That it is another command than the one that was asked for.
    changed: Option<String>,
}

impl Approved {
    fn as_asked(intent: Intent) -> Self {
        Approved { intent, changed: None }
    }
}

/// Gets a person's yes, or has it already, and gives what it was to. Any error is a no.
async fn approved(
    hub: &Arc<Hub>,
    command: &Command,
    call: &Call,
    intent: &Intent,
    ruling: &Ruling,
    job: &mut dyn Job,
    noted: &mut Noted,
) -> Result<Approved, Error> {
    let text = intent.text();
    let asked = Asked {
        actor: &call.caller.actor,
        terminal: intent.terminal,
        text: &text,
        cwd: &intent.cwd,
        env: &intent.env,
        assessment: &ruling.assessment,
    };
    if let Some(granted) = hub.grants().find(&asked).filter(|_| intent.is_certain()) {
        noted.decided("approved", &granted.rule, &format!("{} allowed it before", person(&granted.by)));
        return Ok(Approved::as_asked(intent.clone()));
    }
    let answer = ask(hub, command, call, intent, ruling, job.editable()).await;
    if let Ok(answer) = &answer {
        hub.approvals().note_presence(&call.caller.actor, answer);
    }
    let (by, scope, edited) = match answer {
        Ok(Answer::Approved { by, scope, command }) => (by, scope, command),
        Ok(other) => return Err(refused(&other, intent, ruling, noted)),
        Err(error) => {
            noted.decided(
                match error.code {
                    ErrorCode::Cancelled | ErrorCode::Disconnected => "withdrawn",
                    _ => "unattended",
                },
                &ruling.decision.rules_text(),
                &ruling.decision.reason,
            );
            return Err(error);
        }
    };
    // Everything else must be as the person saw it: the line, the folder, and where links lead.
    check_unchanged(hub, intent, ruling, job)?;
    let how = if let Some(command) = &edited {
        job.edit(command)?;
        noted.edited(command);
        format!("{} changed it to: {}", person(&by), mask::text(command))
    } else {
        format!("{} approved it ({})", person(&by), scope.name())
    };
    noted.decided("approved", &ruling.decision.rules_text(), &how);
    match (scope, intent.terminal) {
        (Scope::Terminal, Some(terminal)) => {
            hub.grants().for_terminal(terminal, ruling.offer.clone(), &asked, &by);
        }
        (Scope::Session, _) => hub.grants().for_agent(ruling.offer.clone(), &asked, &by),
        _ => {}
    }
    // What a person has put in its place is what counts from here on.
    let Some(command) = edited else { return Ok(Approved::as_asked(intent.clone())) };
    let changed = format!("the user changed the command: {} was run in its place.", shown(&command));
    let intent = job.intent(hub)?.unwrap_or_else(|| intent.clone());
    whole::check(&intent, &call.caller.actor)?;
    Ok(Approved { intent, changed: Some(changed) })
}

/// The line may have grown, or the shell gone elsewhere, while the person thought: then it is not what they have seen.
fn check_unchanged(hub: &Arc<Hub>, intent: &Intent, ruling: &Ruling, job: &mut dyn Job) -> Result<(), Error> {
    // Whether the shell waits at its prompt just now makes no difference.
    let again = job.intent(hub)?.map(|again| Intent { shell: intent.shell, ..again });
    let same = again.as_ref() == Some(intent);
    if same && rule_on(hub, intent).cwd == ruling.cwd {
        return Ok(());
    }
    let text = "the terminal or its folder has changed while a person decided: nothing was run";
    Err(Error::new(ErrorCode::TerminalBusy, text).hint("try again, and do nothing else there meanwhile"))
}

/// Puts it to whoever can be asked.
async fn ask(
    hub: &Arc<Hub>,
    command: &Command,
    call: &Call,
    intent: &Intent,
    ruling: &Ruling,
    editable: bool,
) -> Result<Answer, Error> {
    let time = Duration::from_secs(hub.settings().approvals.expire_seconds);
    let _asks = call.caller.ticket.as_ref().map(|ticket| ticket.asks());
    let reached = fetch_somebody(hub, &call.caller).await;
    let asks = call.caller.asks.clone().filter(|_| reached.is_err());
    if let Err(error) = &reached
        && asks.is_none()
        && !hub.settings().approvals.wait_unattended
    {
        return Err(unattended(intent, ruling, error.details.as_deref()));
    }
    let ticket = hub.approvals().ask(|id| {
        let mut approval = approval(hub, id, command, call, intent, ruling, time);
        if let Subject::Command(command) = &mut approval.subject {
            command.editable = editable;
        }
        approval
    });
    let id = ticket.id;
    hub.agents().doings().tell();
    call.progress.say_of(id, format!("waits for a person's yes: {}", ruling.decision.reason));
    let elicited = async {
        let (Some(asks), Ok(approval)) = (asks, hub.approvals().get(id)) else {
            return std::future::pending().await;
        };
        match asks.ask(approval).await {
            // Another answer may have come first, and then counts.
            Some(answer) => drop(hub.approvals().settle(id, answer)),
            None => return unattended(intent, ruling, None),
        }
        std::future::pending().await
    };
    let answer = first_of(ticket, time, elicited, call).await;
    hub.agents().doings().tell();
    answer
}

async fn first_of(
    ticket: Ticket,
    time: Duration,
    unasked: impl Future<Output = Error>,
    call: &Call,
) -> Result<Answer, Error> {
    tokio::select! {
        biased;
        answer = ticket.wait(time) => Ok(answer),
        error = unasked => Err(error),
        () = call.cancelled.clone().wait() => {
            Err(Error::new(ErrorCode::Cancelled, "the call was given up before a person answered; nothing was run"))
        }
        () = lost(call) => {
            let text = "the connection was lost while a person decided: the question was withdrawn, and nothing was run";
            Err(Error::new(ErrorCode::Disconnected, text).hint("send it again").details(json!({ "started": false })))
        }
    }
}

/// Nobody would learn what came of it: what a person allows then would run unseen.
async fn lost(call: &Call) {
    match call.caller.link.clone() {
        Some(link) => link.lost().await,
        None => std::future::pending().await,
    }
}

/// All that a person needs to decide.
fn approval(
    hub: &Hub,
    id: ApprovalId,
    command: &Command,
    call: &Call,
    intent: &Intent,
    ruling: &Ruling,
    time: Duration,
) -> Approval {
    let certain = intent.is_certain();
    let possible = |scope: &Scope| match scope {
        Scope::Once => true,
        Scope::Session => certain,
        Scope::Terminal => certain && intent.terminal.is_some(),
        Scope::Always => certain && ruling.offer.is_some(),
    };
    let variable = |(name, value): &(String, String)| mask::text(&format!("{name}={value}")).into_owned();
    let asked_at_ms = now_ms();
    Approval {
        id,
        agent: call.actor(),
        call: command.id.to_string(),
        origin: call.caller.origin.as_deref().cloned(),
        subject: Subject::Command(CommandSubject {
            text: intent.text(),
            cwd: intent.cwd.as_deref().unwrap_or_else(|| hub.workspace().root()).to_string_lossy().into_owned(),
            env: intent.env.iter().map(variable).collect(),
            editable: false,
            pieces: ruling.pieces(),
        }),
        terminal: intent.terminal,
        rule: ruling.decision.rules_text(),
        reason: ruling.decision.reason.clone(),
        dangerous: !ruling.assessment.dangers.is_empty(),
        scopes: Scope::ALL.into_iter().filter(possible).collect(),
        offer: ruling.offered(),
        asked_at_ms,
        expires_at_ms: asked_at_ms + time.as_millis() as i64,
        trace: call.caller.trace.clone(),
    }
}

fn blocked(hub: &Hub, caller: &Caller, intent: &Intent, ruling: &Ruling) -> Error {
    let Decision { reason, remedy, .. } = &ruling.decision;
    let rule = ruling.decision.rules_text();
    if intent.sight == Sight::Headless {
        // Who is told this knows what it sent, and the fallback says what to do: each thing is said once.
        let mut details = json!({ "rule": rule });
        match remedy {
            Remedy::Nothing => details["fixed"] = true.into(),
            Remedy::Said => {}
            Remedy::Person => details["attended"] = can_ask(hub, caller).into(),
        }
        return Error::new(ErrorCode::Blocked, format!("it was not run: {reason}")).details(details);
    }
    let error = Error::new(ErrorCode::Blocked, format!("{} was not run: {reason}", shown(&intent.text())))
        .details(json!({ "rule": rule, "fixed": ruling.decision.fixed(), "dangerous": pieces(ruling) }));
    match remedy {
        // The reason says it.
        Remedy::Nothing => error,
        _ => error.hint("ask your user to change the policy: `flightdeck policy explain` tells what it says"),
    }
}

/// Whether a question would reach a person as things are, with no window opened for it.
fn can_ask(hub: &Hub, caller: &Caller) -> bool {
    let by_client = || caller.asks.is_some() && !hub.approvals().is_dismissed_by(&caller.actor);
    hub.surfaces().attached() > 0 || by_client() || hub.settings().approvals.wait_unattended
}

fn unattended(intent: &Intent, ruling: &Ruling, tried: Option<&Value>) -> Error {
    let rule = ruling.decision.rules_text();
    let with = |mut details: Value| {
        if let (Value::Object(details), Some(Value::Object(tried))) = (&mut details, tried) {
            details.extend(tried.clone());
        }
        details
    };
    if matches!(intent.deed, Deed::Part(_)) {
        let text =
            "what stands at the prompt can't be known, so a person has to look first, and nobody is there to ask";
        return Error::new(ErrorCode::ApprovalUnavailable, text)
            .hint("press C-c alone, wait for the prompt and type the whole line, or use flightdeck.terminal.run")
            .details(with(json!({ "rule": rule })));
    }
    let why = ruling.why();
    let text = format!("{} needs a person's yes, and nobody is there to ask: {why}", shown(&intent.text()));
    let hint = if ruling.decision.rules == [RuleId::Danger(DangerKind::Unreadable)]
        && intent.shell == Some(Dialect::Fish)
    {
        "the policy does not read fish: give it as bash -c '…', or ask your user to run `flightdeck approve --watch`"
    } else {
        "ask your user to run `flightdeck approve --watch` in the workspace and try again, or find a way without it"
    };
    Error::new(ErrorCode::ApprovalUnavailable, text)
        .hint(hint)
        .details(with(json!({ "rule": rule, "dangerous": pieces(ruling) })))
}

fn refused(answer: &Answer, intent: &Intent, ruling: &Ruling, noted: &mut Noted) -> Error {
    let (rule, command) = (&ruling.decision.rules_text(), shown(&intent.text()));
    if let Answer::Declined { by, reason } = answer {
        let words = reason.as_deref().unwrap_or("no reason was given");
        noted.decided("declined", rule, &format!("{} declined it: {words}", person(by)));
        return Error::new(ErrorCode::Declined, format!("the user declined {command}: {words}"))
            .hint("do not try it again; do it another way or ask your user what they want")
            .details(json!({ "by": by, "rule": rule }));
    }
    if let Answer::Dismissed { how } = answer {
        noted.decided("dismissed", rule, how);
        let why = ruling.why();
        let text = format!("{command} was not run: it needs a person's yes, and {how}. Why it is asked: {why}");
        return Error::new(ErrorCode::ApprovalUnavailable, text)
            .hint("tell your user what you want to run and why; they can answer with `flightdeck approve --watch`, then try again")
            .details(json!({ "rule": rule, "dangerous": pieces(ruling) }));
    }
    noted.decided("expired", rule, "nobody answered in time");
    Error::new(ErrorCode::ApprovalExpired, format!("nobody answered in time whether {command} may run: it was not run"))
        .hint("ask your user whether they are there, then try again")
        .details(json!({ "rule": rule }))
}

/// The dangerous pieces, for programs.
fn pieces(ruling: &Ruling) -> Vec<String> {
    ruling.pieces().into_iter().filter(|piece| piece.danger.is_some()).map(|piece| piece.text).collect()
}

/// A command in quotes, on one line.
pub(super) fn shown(command: &str) -> String {
    let mut chars = command.trim_end().chars().map(|c| if c.is_control() { ' ' } else { c });
    let line: String = chars.by_ref().take(SHOWN).collect();
    if chars.next().is_some() { format!("`{line}…`") } else { format!("`{line}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_command_ends_with_its_last_word() {
        let long = "x".repeat(SHOWN);
        for (command, quoted) in [
            ("rm -rf x\n", "`rm -rf x`".to_owned()),
            ("rm -rf x \t\r\n", "`rm -rf x`".to_owned()),
            ("a\nb\n", "`a b`".to_owned()),
            ("a\u{85}b", "`a b`".to_owned()),
            (&format!("{long}\n"), format!("`{long}`")),
            (&format!("{long}y"), format!("`{long}…`")),
        ] {
            assert_eq!(shown(command), quoted);
        }
    }
}
