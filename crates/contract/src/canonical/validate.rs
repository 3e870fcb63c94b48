//! The rules of the contract: the form of each field, and which fields go together.

use serde_json::{Map, Value};

use super::alias::Meaning;
use super::request::{Compat, Correlation, Execution, Invocation, Request, Runtime, Target};
use super::section::{Section, top_is_done};
use super::violation::{Kind, Violations};
use super::words::{Action, AdapterOverride, CallerSurface, Intent, LegacyAction, Mode, ToolName};
use super::{DEFAULT_TIMEOUT_MS, LONGEST_TIMEOUT_MS};

/// A request that has its form; whether its fields go together is asked next.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) invocation: Invocation,
    pub(super) request_id: Option<String>,
    pub(super) trace_id: Option<String>,
    pub(super) client_request_id: Option<String>,
    pub(super) runtime: Runtime,
    pub(super) target: Target,
    pub(super) warnings: Vec<String>,
    /// A mode was sent that is none.
    pub(super) mode_was_wrong: bool,
    execution: Execution,
    caller_surface: Option<CallerSurface>,
    has_execution: bool,
    has_target: bool,
}

/// Reads every field. `action` and `compat.legacy_action` were taken out already.
pub(super) fn read(mut request: Map<String, Value>, tool: ToolName, found: &mut Violations) -> Parts {
    let mut parts = Parts::default();

    let mut section = Section::take("invocation", &mut request, found);
    parts.invocation.mode = section.word(Kind::Mode, "mode", Mode::parse, tool.modes());
    parts.invocation.intent = section.word(Kind::Payload, "intent", Intent::parse, Intent::NAMES);
    section.done();
    parts.mode_was_wrong = found.has("invocation.mode") || found.has("invocation");

    let mut section = Section::take("correlation", &mut request, found);
    parts.request_id = section.id("request_id");
    parts.trace_id = section.id("trace_id");
    parts.client_request_id = section.id("client_request_id");
    section.done();

    read_runtime(&mut request, &mut parts, found);

    let mut section = Section::take("execution", &mut request, found);
    parts.has_execution = section.is_present();
    parts.execution.command = section.text("command");
    parts.execution.args = section.texts("args");
    parts.execution.env = section.variables("env");
    section.done();

    let mut section = Section::take("target", &mut request, found);
    parts.has_target = section.is_present();
    parts.target.session_id = section.id("session_id");
    parts.target.terminal_id = section.id("terminal_id");
    section.done();

    let mut section = Section::take("compat", &mut request, found);
    parts.caller_surface = section.word(Kind::Payload, "caller_surface", CallerSurface::parse, CallerSurface::NAMES);
    section.done();

    top_is_done(&request, found);
    parts
}

fn read_runtime(request: &mut Map<String, Value>, parts: &mut Parts, found: &mut Violations) {
    let mut section = Section::take("runtime", request, found);
    let timeout = section.milliseconds("timeout_ms").unwrap_or(DEFAULT_TIMEOUT_MS);
    if timeout > LONGEST_TIMEOUT_MS {
        parts.warnings.push(format!(
            "runtime.timeout_ms was cut from {timeout} to {LONGEST_TIMEOUT_MS}: a command may go on after that, and \
             read_output gets the rest."
        ));
    }
    let adapter = section.word(Kind::Payload, "adapter_override", AdapterOverride::parse, AdapterOverride::NAMES);
    let binary = section.place("binary_path");
    parts.runtime = Runtime {
        workspace_id: section.place("workspace_id"),
        cwd: section.place("cwd"),
        timeout_ms: timeout.min(LONGEST_TIMEOUT_MS),
        adapter_override: adapter.unwrap_or_default(),
        binary_path: binary,
        allow_headless_fallback: section.flag("allow_headless_fallback"),
        shared: section.flag("shared"),
        name: section.id("name"),
    };
    section.done();
    if parts.runtime.binary_path.as_ref().is_some_and(|path| !path.starts_with('/')) {
        found.payload("runtime.binary_path", "is a relative path", "leave it out, or give an absolute path");
    }
}

impl Parts {
    /// Asks every rule about fields that go together.
    pub(super) fn check(&self, action: Action, alias: Option<LegacyAction>, found: &mut Violations) {
        match action {
            Action::Execute => self.check_execute(found),
            Action::ReadOutput | Action::Terminate => self.check_target(action, found),
            Action::List => self.check_list(found),
        }
        if let Some(alias) = alias {
            self.check_alias(alias, alias.meaning(), found);
        }
    }

    fn check_execute(&self, found: &mut Violations) {
        let headless = self.invocation.mode == Some(Mode::Headless);
        match self.invocation.intent {
            None => found.required(
                "invocation.intent",
                "execute needs it",
                "send execute_command to run execution.command, or open_only to open a terminal",
                Intent::NAMES,
            ),
            Some(Intent::ExecuteCommand) => {
                if self.execution.command.is_none() {
                    let hint = "send the command, or invocation.intent open_only to open a terminal";
                    found.required("execution.command", "intent execute_command needs it", hint, &[]);
                }
            }
            Some(Intent::OpenOnly) => {
                self.check_open(found);
                if headless {
                    let hint = "send invocation.mode interactive, or intent execute_command with a command";
                    found.payload("invocation.intent", "open_only is not there in headless mode", hint);
                }
            }
        }
        if headless {
            let hint = "leave it out, or send invocation.mode interactive to run in an open terminal";
            for (field, id) in self.target.ids() {
                if id.is_some() {
                    found.payload(field, "a headless command starts anew and takes no target", hint);
                }
            }
        }
    }

    fn check_open(&self, found: &mut Violations) {
        let hint = "leave it out, or send action execute with invocation.intent execute_command";
        if self.execution.command.is_some() {
            found.payload("execution.command", "intent open_only runs nothing", hint);
        }
        if !self.execution.args.is_empty() {
            found.payload("execution.args", "intent open_only runs nothing", hint);
        }
    }

    fn check_target(&self, action: Action, found: &mut Violations) {
        let wrong = found.has("target") || self.target.ids().iter().any(|(field, _)| found.has(field));
        if self.target.is_empty() && !wrong {
            let problem = format!("{action} needs target.session_id or target.terminal_id");
            found.payload("target", problem, "send an id of identity in a response, or of list");
        }
    }

    fn check_list(&self, found: &mut Violations) {
        let hint = "leave it out; list takes invocation.mode at most";
        for (field, present) in [("execution", self.has_execution), ("target", self.has_target)] {
            if present {
                found.payload(field, "list takes none", hint);
            }
        }
    }

    fn check_alias(&self, alias: LegacyAction, meaning: Meaning, found: &mut Violations) {
        if let (Some(given), Some(meant)) = (self.invocation.intent, meaning.intent)
            && given != meant
        {
            let hint = format!("leave it out, or send action {}", meaning.action);
            found.payload("invocation.intent", format!("{alias} means {meant}, not {given}"), hint);
        }
        if alias == LegacyAction::Send && self.target.terminal_id.is_none() {
            let hint = "send the terminal_id of an open terminal; list has them";
            found.required("target.terminal_id", "send needs it", hint, &[]);
        }
    }

    /// Leaves out what the action has no use for, and says so: nothing that was sent is ignored in silence.
    fn trim(&mut self, action: Action) {
        let mut unused = Vec::new();
        if action == Action::Execute {
            if !self.target.is_empty() {
                unused.extend(self.runtime.cwd.take().map(|_| "runtime.cwd"));
                unused.extend(self.runtime.name.take().map(|_| "runtime.name"));
                if !std::mem::take(&mut self.execution.env).is_empty() {
                    unused.push("execution.env");
                }
            }
        } else {
            unused.extend(self.invocation.intent.take().map(|_| "invocation.intent"));
            if !std::mem::take(&mut self.execution).is_empty() {
                unused.push("execution");
            }
        }
        if !unused.is_empty() {
            let whom = if action == Action::Execute { "a terminal that is open already" } else { action.name() };
            self.warnings.push(format!("Not used for {whom}: {}.", unused.join(", ")));
        }
    }

    /// The request, once nothing was found.
    pub(super) fn into_request(mut self, action: Action, correlation: Correlation) -> (Request, Vec<String>) {
        self.trim(action);
        let request = Request {
            action,
            invocation: self.invocation,
            correlation,
            runtime: self.runtime,
            execution: self.execution,
            target: self.target,
            compat: Compat { legacy_action: None, caller_surface: self.caller_surface },
        };
        (request, self.warnings)
    }
}

impl Target {
    fn ids(&self) -> [(&'static str, &Option<String>); 2] {
        [("target.session_id", &self.session_id), ("target.terminal_id", &self.terminal_id)]
    }
}

impl Violations {
    /// A field that is not there; nothing more is said when what was there could not be taken.
    fn required(&mut self, field: &str, problem: &str, hint: &str, allowed: &[&str]) {
        let section = field.split_once('.').map_or(field, |(section, _)| section);
        if !self.has(field) && !self.has(section) {
            self.push(Kind::Payload, field, format!("is missing: {problem}"), hint, allowed);
        }
    }
}
