//! `memory_terminal_interactive`: the canonical terminal contract, and the two older tools that normalise into it.
//!
//! The contract's own library reads the request and builds the answers; here it is carried out with the same parts as
//! every other command: the gate decides, `new` starts, `run` and `exec` wait, `kill` ends.

mod execute;
mod forward;
mod input;
mod list;
mod read_output;
mod spare;
mod state;
mod terminate;

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use flightdeck_contract::canonical::{
    self, Action, AdapterOverride, Arguments, Context, Identity, Intent as Wanted, Mode, Normalised, Outcome, Request,
    Response, Status, ToolName, fail, normalise,
};
use flightdeck_contract::{Error, ErrorCode, TerminalId};
use parking_lot::{Mutex, MutexGuard};
use serde_json::Value;

use crate::agents::visible::is_visible;
use crate::approvals::intent::Intent;
use crate::call::Call;
use crate::hub::Hub;
use crate::registry::{Command, Concern, Draft, Effects, Family, Job, Reach, Teller, Unseen, define};
use crate::runtime::Way;

pub(super) fn commands() -> Vec<Command> {
    let interactive = define(
        Family::Terminal,
        "memory_terminal_interactive",
        Effects::EXECUTES,
        "Terminal",
        "One contract for terminals: `execute` runs a command in sight of a person, who must be attached (mode \
         interactive, the default), or, when the policy has proven it safe, unseen (mode headless); `read_output`, \
         `terminate` and `list` go on with what it made. What is sent to a terminal whose program waits for input is \
         typed into that program. Failures say in `fallback` what to do next.",
    );
    let headless = define(
        Family::Terminal,
        "memory_terminal",
        Effects::EXECUTES,
        "Terminal (headless, older)",
        "Older name of memory_terminal_interactive with mode headless: runs allowed commands without a terminal.",
    );
    let vscode = define(
        Family::Terminal,
        "memory_terminal_vscode",
        Effects::EXECUTES,
        "Terminal (visible, older)",
        "Older name of memory_terminal_interactive with mode interactive: create, send, close, list.",
    );
    [
        (interactive, ToolName::Interactive),
        (headless.compatible(), ToolName::Headless),
        (vscode.compatible(), ToolName::Vscode),
    ]
    .into_iter()
    .map(|(definition, tool)| {
        definition.own_form::<Arguments, Response>(move |args, draft| Box::new(Canonical::read(tool, args, draft)))
    })
    .collect()
}

/// A call of the contract.
struct Canonical {
    request: Result<Request, Error>,
    /// By which way it reaches a person, if it has to.
    way: Way,
    /// What the answer needs. Shared with whoever tells of a failure.
    context: Known,
    /// It was to run in sight of a person and may run unseen.
    fell_back: bool,
}

/// What is known of a call, as it grows.
#[derive(Clone, Debug)]
pub(super) struct Known(Arc<Mutex<Context>>);

impl Known {
    pub(super) fn lock(&self) -> MutexGuard<'_, Context> {
        self.0.lock()
    }

    /// Notes what the call has made, for an answer to a failure.
    pub(super) fn made(&self, identity: &Identity) {
        self.lock().identity = Some(identity.clone());
    }

    pub(super) fn warn(&self, warning: impl Into<String>) {
        self.lock().warnings.push(warning.into());
    }
}

/// What came of a call that did what was asked.
pub(super) struct Success {
    pub status: Status,
    pub identity: Identity,
    pub result: Outcome,
}

impl Canonical {
    fn read(tool: ToolName, args: Value, draft: &Draft<'_>) -> Self {
        let phase = draft.hub.settings().compat.phase;
        // The same entry of the audit log always gives the same id.
        let seed = format!("{}/{}/{}", draft.hub.workspace().key(), draft.call.0, draft.caller.actor);
        let generate = || format!("{:016x}", crate::hash(seed.as_bytes()));
        let Normalised { mut context, mut request } = normalise(tool, args, phase, generate);
        if let Some(asked) = request.as_ref().ok().and_then(|request| request.runtime.workspace_id.as_deref())
            && asked != draft.hub.workspace().key()
        {
            let own = draft.hub.workspace().key();
            context.warnings.push(format!("The workspace of this hub is {own}, not {asked}: it was used."));
        }
        let way = request.as_ref().map_or(Ok(Way::Auto), |request| way(draft.hub, request));
        let way = way.unwrap_or_else(|problem| {
            request = Err(problem);
            Way::Auto
        });
        Canonical { request, way, context: Known(Arc::new(Mutex::new(context))), fell_back: false }
    }

    /// Whether the hub of the host carries it out.
    fn goes_out(&self) -> bool {
        self.way == Way::ContainerBridge
            && self.request.as_ref().is_ok_and(|request| is_seen(request) || forward::is_there(&request.target))
    }

    fn executes(&self) -> Option<&Request> {
        self.request.as_ref().ok().filter(|request| request.action == Action::Execute)
    }
}

impl Job for Canonical {
    fn concern(&self) -> Option<Concern> {
        let Request { target, action, invocation, .. } = self.request.as_ref().ok()?;
        let named = target.session_id.as_ref().or(target.terminal_id.as_ref());
        let concern = match named {
            Some(name) if !self.goes_out() => Concern::named(name),
            _ => Concern::default(),
        };
        Some(match action {
            Action::Execute if invocation.intent == Some(Wanted::OpenOnly) => Concern::new_terminal(None),
            Action::Execute | Action::ReadOutput => concern,
            Action::Terminate => concern.and_ends().urgently(),
            Action::List => Concern::list(),
        })
    }

    fn intent(&self, hub: &Hub) -> Result<Option<Intent>, Error> {
        match self.executes() {
            // The hub that carries it out decides about it.
            Some(_) if self.goes_out() => Ok(None),
            Some(request) => execute::intent(hub, request),
            None => Ok(None),
        }
    }

    fn editable(&self) -> bool {
        self.executes().is_some_and(|request| request.execution.command.is_some())
    }

    fn may_be_input(&self) -> bool {
        self.executes().is_some_and(|request| !request.target.is_empty())
    }

    fn edit(&mut self, command: &str) -> Result<(), Error> {
        if let Ok(request) = &mut self.request {
            request.execution.command = Some(command.to_owned());
            request.execution.args.clear();
        }
        Ok(())
    }

    fn is_secret(&self) -> bool {
        // Only the host knows whether the program there asks for a password.
        self.goes_out() && self.may_be_input()
    }

    fn trace(&self) -> Option<String> {
        Some(self.context.lock().correlation.trace_id.clone())
    }

    fn attended(&self) -> Option<Reach> {
        let request = self.executes().filter(|request| is_seen(request))?;
        Some(Reach { way: self.way, binary: request.runtime.binary_path.as_ref().map(PathBuf::from) })
    }

    fn effects(&self) -> Option<Effects> {
        match self.request.as_ref().map(|request| request.action) {
            Ok(Action::Execute) => None,
            Ok(Action::Terminate) => Some(Effects::DESTROYS),
            _ => Some(Effects::READS),
        }
    }

    fn go_unseen(&mut self) -> Option<Unseen> {
        let request = self.request.as_mut().ok()?;
        if !request.target.is_empty() || request.execution.command.is_none() {
            return None;
        }
        request.invocation.mode = Some(Mode::Headless);
        self.fell_back = request.runtime.allow_headless_fallback;
        Some(if self.fell_back { Unseen::Wanted } else { Unseen::Possible })
    }

    fn stay(&mut self, could: bool) {
        if let Ok(request) = &mut self.request {
            self.context.lock().unseen = could.then(|| request.unseen());
            request.invocation.mode = Some(Mode::Interactive);
        }
        self.fell_back = false;
    }

    fn teller(&self) -> Option<Teller> {
        let context = self.context.clone();
        Some(Box::new(move |error| told(&fail(&context.lock(), error))))
    }

    fn run(self: Box<Self>, hub: Arc<Hub>, call: Call) -> Pin<Box<dyn Future<Output = Result<Value, Error>> + Send>> {
        Box::pin(async move {
            let goes_out = self.goes_out();
            let Canonical { request, way, context, fell_back } = *self;
            let request = request?;
            if goes_out {
                return forward::call(&hub, &call, request, &context).await;
            }
            if fell_back {
                context.lock().resolved.mode = Some(Mode::Headless);
                context.warn("Nobody was there to see it: it ran headless, as the request allowed.");
            }
            let success = match request.action {
                Action::Execute => execute::call(&hub, call, request, &context).await?,
                Action::ReadOutput | Action::Terminate => {
                    let id = target(&hub, &call, &request.target)?;
                    context.lock().resolved.mode = Some(mode_of(&hub, id));
                    match request.action {
                        Action::ReadOutput => read_output::call(&hub, &call, id).await?,
                        _ => terminate::call(&hub, &call, id).await?,
                    }
                }
                Action::List => {
                    let mut listed = list::call(&hub, &call, &request)?;
                    if way == Way::ContainerBridge {
                        match forward::list(&hub, &call, request).await {
                            Ok((there, is_shortened)) => {
                                listed.result.items.get_or_insert_default().extend(there);
                                if is_shortened {
                                    context.warn("Older sessions on the host are left out.".to_owned());
                                }
                            }
                            Err(error) => {
                                context.warn(format!("What is on the host is not listed: {}.", error.message));
                            }
                        }
                    }
                    listed
                }
            };
            Ok(told(&context.lock().succeed(success.status, success.identity, success.result)))
        })
    }
}

/// The way that a request goes.
fn way(hub: &Hub, request: &Request) -> Result<Way, Error> {
    forward::check(&request.target)?;
    let there = forward::is_there(&request.target);
    match request.action {
        Action::Execute if request.mode() == Mode::Interactive && !there => {
            match hub.runtime().way(request.runtime.adapter_override)? {
                Way::ContainerBridge if !request.target.is_empty() => Err(forward::not_there(&request.target)),
                way => Ok(way),
            }
        }
        // What is not set up has nothing to list.
        Action::List => Ok(hub.runtime().way(AdapterOverride::Auto).unwrap_or(Way::Auto)),
        _ if there => Ok(Way::ContainerBridge),
        _ => Ok(Way::Auto),
    }
}

/// Whether it runs before a person's eyes.
fn is_seen(request: &Request) -> bool {
    request.action == Action::Execute && request.mode() == Mode::Interactive
}

fn told(response: &Response) -> Value {
    // Our own types hold nothing that JSON can't say.
    serde_json::to_value(response).unwrap_or_default()
}

/// The terminal that a request is about, if its caller may know of it.
fn target(hub: &Hub, call: &Call, target: &canonical::Target) -> Result<TerminalId, Error> {
    let given: Vec<_> = [&target.session_id, &target.terminal_id].into_iter().flatten().collect();
    let unknown = |name: &str| {
        let shown: String = name.chars().take(80).collect();
        Error::new(ErrorCode::TerminalNotFound, format!("there is no session {shown:?}"))
            .hint("action list tells which there are")
    };
    let Some(first) = given.first() else {
        return Err(Error::invalid("target", "give `session_id` or `terminal_id`"));
    };
    if given.iter().any(|name| name != first) {
        return Err(Error::invalid(
            "target",
            "`session_id` and `terminal_id` name different sessions: give one of them",
        ));
    }
    let id: TerminalId = first.parse().map_err(|_| unknown(first))?;
    if hub.session(id).is_err() || !is_visible(hub, id, &call.caller.actor) {
        return Err(unknown(first));
    }
    Ok(id)
}

/// How a terminal is named in answers.
fn identity(id: TerminalId, mode: Mode) -> Identity {
    let terminal_id = (mode == Mode::Interactive).then(|| id.to_string());
    Identity { session_id: Some(id.to_string()), terminal_id }
}

/// How a terminal runs.
fn mode_of(hub: &Hub, id: TerminalId) -> Mode {
    hub.meta(id).and_then(|meta| meta.canonical.as_ref().map(|own| own.mode)).unwrap_or(Mode::Interactive)
}
