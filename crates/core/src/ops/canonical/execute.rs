//! `execute`: opens a terminal, or runs a command in one, or runs it unseen.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::canonical::{Authorization, Identity, Intent as Wanted, Mode, Outcome, Request, Status};
use flightdeck_contract::terminal::{Exec, InputState, New, Ran, Run};
use flightdeck_contract::{Error, ErrorCode, TRACE_VARIABLE, TerminalId};
use flightdeck_policy::{
    BuiltinRule, Deed, Dialect, GIT_ENVIRONMENT, PACKAGES_ENVIRONMENT, RuleId, SurfaceKind, Verdict,
    without_diff_helpers,
};

use super::{Known, Success, identity, input, spare, target};
use crate::approvals::intent::{Executes, Intent, Sight, quoted};
use crate::approvals::permit::Permit;
use crate::approvals::whole::{check_length, fresh, waiting};
use crate::call::Call;
use crate::hub::Hub;
use crate::terminals::input::typed;
use crate::terminals::meta;
use crate::terminals::run::{UNTOLD, awaited, in_shell};
use crate::terminals::sandbox::{Confinement, Failed, Network, confinement, stopped};
use crate::terminals::start::{Purpose, Start, Started, absolute, start};
use crate::terminals::typing::Onto;

/// What it would run.
pub(super) fn intent(hub: &Hub, request: &Request) -> Result<Option<Intent>, Error> {
    let terminal = request.target.terminal_id.as_ref().or(request.target.session_id.as_ref());
    let terminal: Option<TerminalId> = terminal.and_then(|name| name.parse().ok());
    let cwd = match terminal {
        Some(id) => hub.session(id).ok().and_then(|session| session.cwd()),
        None => Some(absolute(hub, request.runtime.cwd.as_deref())),
    };
    let env = request.execution.env.clone();
    let headless = request.mode() == Mode::Headless;
    if let Some(input) = terminal.and_then(|id| input::of(hub, request, id)) {
        return typed(hub, &input, Sight::Shared(SurfaceKind::Interactive), Onto::Line);
    }
    let sight = if headless { Sight::Headless } else { Sight::Shared(SurfaceKind::Interactive) };
    let Some(command) = &request.execution.command else {
        let shell = New { env, cwd: request.runtime.cwd.clone(), ..New::default() };
        return Ok(shell.intent(hub)?.map(|intent| Intent { sight, ..intent }));
    };
    check_length(&line(request))?;
    let shell = match (headless, terminal) {
        (true, _) => Some(Dialect::Posix),
        (false, None) => fresh(),
        (false, Some(id)) => hub.session(id).ok().and_then(|session| waiting(&session)),
    };
    let deed = match (headless, request.execution.args.is_empty()) {
        (_, true) => Deed::Line(command.clone()),
        (true, false) => Deed::Argv(words(request)),
        // A shell gets it as a line.
        (false, false) => Deed::Line(line(request)),
    };
    Ok(Some(Intent { env: env.into_iter().collect(), terminal, shell, ..Intent::certain(deed, sight, cwd) }))
}

pub(super) async fn call(hub: &Arc<Hub>, call: Call, request: Request, known: &Known) -> Result<Success, Error> {
    let permit = call.permit.clone();
    if request.mode() == Mode::Headless {
        return headless(hub, call, &request, known, permit).await;
    }
    let id = if request.target.is_empty() {
        open(hub, &call, &request).await?.id
    } else {
        let id = target(hub, &call, &request.target)?;
        if !hub.session(id)?.progress().running() {
            return Err(Error::new(ErrorCode::TerminalEnded, format!("{id} has ended")).hint("open another one"));
        }
        id
    };
    let identity = identity(id, Mode::Interactive);
    known.made(&identity);
    if request.invocation.intent == Some(Wanted::OpenOnly) {
        let result = Outcome { running: Some(true), ..authorised(&permit) };
        return Ok(Success { status: Status::Accepted, identity, result });
    }
    if !request.target.is_empty() && input::is_meant(hub, &call, id)? {
        return input::send(hub, call, &request, id, known).await;
    }
    let command = Run {
        id: Some(id),
        command: line(&request),
        timeout_ms: Some(request.runtime.timeout_ms),
        max_bytes: None,
        raw: false,
        // A terminal that was opened for it has them already; another one has its own.
        cwd: request.runtime.cwd.clone().filter(|_| !request.target.is_empty()),
        env: if request.target.is_empty() { BTreeMap::new() } else { request.execution.env.clone() },
    };
    let ran = in_shell(hub, call, id, command).await?;
    if request.target.is_empty() {
        spare::retire(hub, id);
    }
    finished(ran, identity, authorised(&permit), known, request.runtime.timeout_ms)
}

/// Variables by which the hub's own environment could have a proven command run something else.
const HELPERS: &[&str] = &[
    "BASH_ENV",
    "BASHOPTS",
    "CDPATH",
    "ENV",
    "GIT_ASKPASS",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_EXEC_PATH",
    "GIT_EXTERNAL_DIFF",
    "GIT_INDEX_FILE",
    "GIT_WORK_TREE",
    "GLOBIGNORE",
    "GREP_OPTIONS",
    "IFS",
    "LD_AUDIT",
    "LD_PRELOAD",
    "RIPGREP_CONFIG_PATH",
    "SHELLOPTS",
    "TAR_OPTIONS",
];

/// One process on pipes, in a sandbox, with an environment in which proven commands are what they seem.
async fn headless(
    hub: &Arc<Hub>,
    call: Call,
    request: &Request,
    known: &Known,
    permit: Permit,
) -> Result<Success, Error> {
    let mut deed =
        if request.execution.args.is_empty() { Deed::Line(line(request)) } else { Deed::Argv(words(request)) };
    let mut env = environment(request, &call);
    let mut set = |variables: &[(&str, &str)]| {
        env.extend(variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    };
    // What makes reading harmless; what a rule of the user allows keeps its hooks and its network.
    if permit.rules.contains(&RuleId::Builtin(BuiltinRule::GitRead)) {
        set(GIT_ENVIRONMENT);
        deed = without_diff_helpers(&deed).map_err(|why| Error::new(ErrorCode::Blocked, why.reason))?;
    }
    if permit.rules.contains(&RuleId::Builtin(BuiltinRule::Packages)) {
        set(PACKAGES_ENVIRONMENT);
    }
    let command = match deed {
        // Not the user's shell: this one reads no start-up files.
        Deed::Line(line) | Deed::Part(line) => vec!["/bin/sh".to_owned(), "-c".to_owned(), line],
        Deed::Argv(words) => words,
    };
    let new = New { command: Some(command), pipes: true, cwd: request.runtime.cwd.clone(), env, ..New::default() };
    let confinement = confinement(hub.workspace(), &hub.settings().sandbox, Network::of_permit(&permit))?;
    if let Confinement::Free(why) = &confinement {
        known.warn(format!("It ran without a sandbox: {why}."));
    }
    let begin = Start {
        canonical: Some(owned(&call, request, Mode::Headless)),
        unset: HELPERS,
        sandbox: confinement.sandbox().cloned(),
        within: Some(Duration::from_millis(request.runtime.timeout_ms)),
        ..Start::of(new.clone(), Purpose::Transient)
    };
    let started = start(hub, &call.caller, begin).await?;
    let identity = identity(started.id, Mode::Headless);
    known.made(&identity);
    let exec = Exec { terminal: new, timeout_ms: Some(request.runtime.timeout_ms), ..Exec::default() };
    let ran = awaited(call, exec, started).await?;
    if let (Some(sandbox), Some(exit)) = (confinement.sandbox(), ran.exit_code) {
        let (output, cwd) = (format!("{}\n{}", ran.output, ran.stderr), absolute(hub, request.runtime.cwd.as_deref()));
        if let Some(words) = stopped(Failed { output: &output, exit, cwd: &cwd }, sandbox) {
            known.warn(words);
        }
    }
    finished(ran, identity, authorised(&permit), known, request.runtime.timeout_ms)
}

/// A shell that people see.
async fn open(hub: &Arc<Hub>, call: &Call, request: &Request) -> Result<Started, Error> {
    let new = New {
        title: request.runtime.name.clone(),
        cwd: request.runtime.cwd.clone(),
        env: environment(request, call),
        ..New::default()
    };
    let canonical = Some(owned(call, request, Mode::Interactive));
    let within = Some(Duration::from_millis(request.runtime.timeout_ms));
    start(hub, &call.caller, Start { canonical, within, ..Start::of(new, Purpose::Lasting) }).await
}

/// The caller's variables, and the id by which the call is followed.
fn environment(request: &Request, call: &Call) -> BTreeMap<String, String> {
    let mut env = request.execution.env.clone();
    if let Some(trace) = &call.caller.trace {
        env.insert(TRACE_VARIABLE.to_owned(), trace.clone());
    }
    env
}

fn owned(call: &Call, request: &Request, mode: Mode) -> meta::Canonical {
    let owner = call.caller.actor.agent_name().map_or_else(|| call.actor(), str::to_owned);
    let spare = mode == Mode::Interactive && request.invocation.intent == Some(Wanted::ExecuteCommand);
    meta::Canonical { owner, mode, shared: request.runtime.shared, spare }
}

fn words(request: &Request) -> Vec<String> {
    request.execution.command.iter().chain(&request.execution.args).cloned().collect()
}

/// The command as one line for a shell.
pub(super) fn line(request: &Request) -> String {
    if request.execution.args.is_empty() {
        return request.execution.command.clone().unwrap_or_default();
    }
    words(request).iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

pub(super) fn authorised(permit: &Permit) -> Outcome {
    let authorization = match permit.verdict {
        Verdict::AllowedWithWarning => Authorization::AllowedWithWarning,
        _ => Authorization::Allowed,
    };
    Outcome { authorization: Some(authorization), warning: permit.warning.clone(), ..Outcome::default() }
}

/// What to do about a command that asks for something.
const ANSWER: &str =
    "execute with this identity as target types the answer; read_output gives what it prints; terminate ends it";

/// The same for one that takes single keys.
const KEYS: &str = "execute with this identity as target types a line into it, and flightdeck.terminal.keys with this id presses keys; read_output gives what it prints; terminate ends it";

/// How to read what an answer has no room for.
pub(super) fn left_out(id: TerminalId, bytes: u64) -> Option<String> {
    let text =
        format!("{bytes} bytes in the middle are left out: flightdeck.terminal.read with id {id} and from reads them.");
    (bytes > 0).then_some(text)
}

/// The answer when the waiting is over: a command that goes on is a failure of the wait, with all that there is so far.
fn finished(ran: Ran, identity: Identity, outcome: Outcome, known: &Known, timeout_ms: u64) -> Result<Success, Error> {
    if ran.stalled {
        known.warn("The disk is full, and the command stands still until there is room for what it prints.");
    }
    if let Some(words) = left_out(ran.id, ran.omitted_bytes) {
        known.warn(words);
    }
    let result = Outcome {
        stdout: Some(ran.output),
        stderr: Some(ran.stderr).filter(|text| !text.is_empty() || identity.terminal_id.is_none()),
        exit_code: ran.exit_code,
        running: Some(ran.running),
        input: ran.input,
        timed_out: ran.timed_out,
        truncated: ran.omitted_bytes > 0,
        omitted_bytes: ran.omitted_bytes,
        whole_output: ran.whole_output,
        ..outcome
    };
    let question = ran.input.map(|input| match input {
        InputState::Password => ("it asks for a password", ANSWER),
        InputState::Raw => ("it takes single keys, as a REPL, an editor or a pager does", KEYS),
        _ => ("it asks for a line", ANSWER),
    });
    if ran.timed_out {
        known.lock().result = Some(result);
        let text = format!("the command did not end within {timeout_ms} ms and goes on");
        let (text, hint) = match question {
            Some((what, hint)) => (format!("{text}: {what}"), hint),
            None => (text, "read_output with this identity gives what it prints; terminate ends it"),
        };
        return Err(Error::new(ErrorCode::TimedOut, text).hint(hint));
    }
    if let Some((what, hint)) = question {
        known.warn(format!("The command goes on: {what}; {hint}."));
    }
    if ran.untold {
        known.warn(UNTOLD);
    }
    let status = if ran.running { Status::Accepted } else { Status::Completed };
    Ok(Success { status, identity, result })
}
