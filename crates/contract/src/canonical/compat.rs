//! The one layer that knows older forms: whatever was sent becomes a canonical request, or one error that says
//! everything that is wrong.

use serde_json::{Map, Value, json};

use super::LONGEST_ID;
use super::alias::{FLAT, migration};
use super::context::Context;
use super::request::{Correlation, Request};
use super::response::{CompatNote, Moved, Resolved};
use super::section::{SECTIONS, kind, near, shown};
use super::validate::{self, Parts};
use super::violation::{Kind, Violations};
use super::words::{Action, LegacyAction, Mode, Phase, ToolName};
use crate::{Error, ErrorCode};

/// The name of the whole, where it is wrong as a whole.
const ARGUMENTS: &str = "arguments";

/// What became of the arguments of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Normalised {
    /// What the response needs, whatever happens.
    pub context: Context,
    /// The request to carry out, or why it can't be: pass the error to [`fail`](super::fail).
    pub request: Result<Request, Error>,
}

/// Makes the canonical request of what was sent to a tool.
///
/// `generate` gives a fresh identifier, without a prefix, for a request that has none.
pub fn normalise(tool: ToolName, args: Value, phase: Phase, generate: impl FnOnce() -> String) -> Normalised {
    let mut found = Violations::default();
    let mut draft = object(args, &mut found);
    let mut older = Older { tool, moved: gather(&mut draft, &mut found), ..Older::default() };
    let action = older.resolve(&mut draft, &mut found);
    older.fill(action, &mut draft);
    let kept = (phase == Phase::Strict).then(|| draft.clone());
    let parts = validate::read(draft, tool, &mut found);
    if let Some(action) = action {
        parts.check(action, older.alias, &mut found);
    }
    let correlation = correlate(&parts, generate);
    let mut context = older.context(action, &parts, correlation.clone(), phase);
    let request = match (action, found.is_empty()) {
        (Some(action), true) => {
            let (request, warnings) = parts.into_request(action, correlation);
            context.warnings.extend(warnings);
            match kept {
                Some(_) if older.is_used() => Err(older.refuse(&json!(request), None)),
                _ => Ok(request),
            }
        }
        (Some(action), false) if kept.is_some() && older.is_used() => {
            let draft = ordered(action, kept.unwrap_or_default());
            Err(older.refuse(&draft, Some(found.fields())))
        }
        _ => Err(found.into_error(tool).unwrap_or_else(|| Error::invalid("action", "is missing"))),
    };
    Normalised { context, request }
}

fn object(args: Value, found: &mut Violations) -> Map<String, Value> {
    match args {
        Value::Object(fields) => fields,
        // A call without arguments, as some clients send it.
        Value::Null => Map::new(),
        other => {
            let problem = format!("must be a JSON object, not {}", kind(&other));
            found.payload(ARGUMENTS, problem, "send { \"action\": \"list\" }, for example");
            Map::new()
        }
    }
}

/// Moves flat fields to where they belong.
fn gather(draft: &mut Map<String, Value>, found: &mut Violations) -> Vec<Moved> {
    let mut moved = Vec::new();
    for (flat, section, leaf) in FLAT {
        let Some(value) = draft.shift_remove(*flat).filter(|value| !value.is_null()) else { continue };
        let to = format!("{section}.{leaf}");
        let place = draft.entry(*section).or_insert(Value::Null);
        if place.is_null() {
            *place = json!({});
        }
        // A section that is no object is told by whoever reads it.
        if let Value::Object(fields) = place {
            match fields.get(*leaf) {
                Some(other) if !other.is_null() && *other != value => {
                    found.payload(*flat, format!("says something else than {to}"), format!("send {to} alone"));
                }
                _ => {
                    fields.insert((*leaf).to_owned(), value);
                }
            }
        }
        moved.push(Moved { from: (*flat).to_owned(), to });
    }
    moved
}

/// What was old about a request.
#[derive(Debug)]
struct Older {
    tool: ToolName,
    alias: Option<LegacyAction>,
    /// The older action was the word that was sent, or its meaning had to be filled in.
    translated: bool,
    moved: Vec<Moved>,
}

impl Default for Older {
    fn default() -> Self {
        Older { tool: ToolName::Interactive, alias: None, translated: false, moved: Vec::new() }
    }
}

impl Older {
    /// Takes the action out of the draft and finds the canonical one.
    fn resolve(&mut self, draft: &mut Map<String, Value>, found: &mut Violations) -> Option<Action> {
        let sent = draft.shift_remove("action").filter(|action| !action.is_null());
        let legacy = match draft.get_mut("compat") {
            Some(Value::Object(compat)) => compat.shift_remove("legacy_action").filter(|action| !action.is_null()),
            _ => None,
        };
        let legacy = legacy.and_then(|word| self.legacy(&word, found));
        let Some(sent) = sent else {
            // What is no object has no fields to miss.
            if !found.has(ARGUMENTS) {
                let hint = legacy.map_or_else(|| hint(self.tool), |legacy| format!("send {}", self.word_for(legacy)));
                found.push(Kind::Payload, "action", "is missing", hint, self.tool.offered());
            }
            return None;
        };
        let Some(word) = sent.as_str().filter(|word| self.tool.actions().contains(word)) else {
            self.unknown(&sent, found);
            return None;
        };
        let action = Action::parse(word);
        let alias = LegacyAction::parse(word).filter(|_| action.is_none() || self.tool != ToolName::Interactive);
        self.translated = action.is_none();
        self.alias = alias.or(legacy);
        let action = action.or_else(|| alias.map(|alias| alias.meaning().action));
        if let Some(legacy) = legacy
            && (alias.is_some_and(|alias| alias != legacy) || action != Some(legacy.meaning().action))
        {
            let problem = format!("{legacy} means {}, and action is {word}", legacy.meaning().action);
            found.payload("compat.legacy_action", problem, "leave it out, or send the action that it means");
            self.alias = alias;
        }
        action
    }

    /// What this tool calls the meaning of an older action.
    fn word_for(&self, legacy: LegacyAction) -> &'static str {
        let action = legacy.meaning().action.name();
        if self.tool.offered().contains(&action) { action } else { legacy.name() }
    }

    fn legacy(&self, word: &Value, found: &mut Violations) -> Option<LegacyAction> {
        let taken = word.as_str().filter(|word| self.tool.actions().contains(word)).and_then(LegacyAction::parse);
        if taken.is_none() {
            let names: Vec<&str> =
                self.tool.actions().iter().copied().filter(|a| LegacyAction::parse(a).is_some()).collect();
            let problem = format!("{} is no older action of {}", shown(word), self.tool);
            let hint = format!("leave it out and send as action one of {}", self.tool.offered().join(", "));
            found.push(Kind::Action, "compat.legacy_action", problem, hint, &names);
        }
        taken
    }

    fn unknown(&self, sent: &Value, found: &mut Violations) {
        let tool = self.tool;
        let problem = match sent {
            Value::String(_) => format!("{tool} has no action {}", shown(sent)),
            other => format!("must be a text, not {}", kind(other)),
        };
        let word = sent.as_str().unwrap_or_default();
        let hint = match near(word, tool.actions().iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None => hint(tool),
        };
        found.push(Kind::Action, "action", problem, hint, tool.offered());
    }

    /// Writes down what an older action, an older tool or the default leaves unsaid.
    fn fill(&mut self, action: Option<Action>, draft: &mut Map<String, Value>) {
        let meaning = self.alias.map(LegacyAction::meaning);
        let default = self.tool.default_mode();
        let mode = match (self.tool, action) {
            (ToolName::Interactive, Some(Action::Execute)) => meaning.and_then(|m| m.mode).or(Some(default)),
            // Follow-ups need no mode: what they go to has one.
            (ToolName::Interactive, _) | (_, None) => None,
            (_, Some(_)) => Some(default),
        };
        let intent = meaning.and_then(|meaning| meaning.intent);
        let unsaid = [("mode", mode.map(Mode::name)), ("intent", intent.map(super::Intent::name))];
        for (field, word) in unsaid {
            let Some(word) = word else { continue };
            let place = draft.entry("invocation").or_insert(Value::Null);
            if place.is_null() {
                *place = json!({});
            }
            if let Value::Object(invocation) = place
                && invocation.get(field).is_none_or(Value::is_null)
            {
                invocation.insert(field.to_owned(), word.into());
                self.translated |= field == "intent";
            }
        }
    }

    /// Whether the request is not canonical as it was sent.
    fn is_used(&self) -> bool {
        self.translated || self.tool != ToolName::Interactive || !self.moved.is_empty()
    }

    /// Whether another name than the canonical one was used.
    fn is_alias(&self) -> bool {
        self.tool != ToolName::Interactive || self.alias.is_some_and(|alias| alias != LegacyAction::List)
    }

    fn context(&self, action: Option<Action>, parts: &Parts, correlation: Correlation, phase: Phase) -> Context {
        let older_tool = (self.tool != ToolName::Interactive).then_some(self.tool);
        let warning = (phase == Phase::Warn && self.is_used()).then(|| self.warning());
        let alias_applied = self.is_alias();
        let note = CompatNote { alias_applied, moved: self.moved.clone(), warning: warning.clone() };
        Context {
            correlation,
            resolved: Resolved {
                canonical_action: action,
                alias_applied,
                legacy_action: self.alias,
                mode: parts.mode(self.tool, action),
                tool: older_tool,
            },
            compat: (self.is_used() || alias_applied).then_some(note),
            warnings: warning.into_iter().collect(),
            timeout_ms: parts.runtime.timeout_ms,
            target: parts.target.clone(),
            identity: None,
            result: None,
            unseen: None,
        }
    }

    /// What is deprecated about the request; the same words for the same forms.
    fn warning(&self) -> String {
        let tool =
            (self.tool != ToolName::Interactive).then(|| format!("use {} instead of {}", canonical(), self.tool));
        let alias = self.alias.filter(|alias| alias.name() != alias.meaning().action.name());
        let alias = alias.map(|alias| format!("use {} instead of {alias}", alias.meaning().instead));
        let moved = self.moved.iter().map(|moved| format!("use {} instead of {}", moved.to, moved.from));
        let all: Vec<String> = tool.into_iter().chain(alias).chain(moved).collect();
        format!("Deprecated: {}.", all.join("; "))
    }

    /// The older forms are not taken any more.
    fn refuse(&self, request: &Value, fields: Option<Value>) -> Error {
        let (code, what) = match self.alias {
            _ if self.tool != ToolName::Interactive => {
                (ErrorCode::InvalidAction, format!("the tool {} is not taken any more", self.tool))
            }
            Some(alias) if self.translated => {
                (ErrorCode::InvalidAction, format!("the action {alias} is not taken any more"))
            }
            _ => {
                let names: Vec<&str> = self.moved.iter().map(|moved| moved.from.as_str()).collect();
                (ErrorCode::InvalidArgument, format!("not taken any more at the top: {}", names.join(", ")))
            }
        };
        let mut details = Map::new();
        if code == ErrorCode::InvalidAction {
            details.insert("allowed_actions".into(), json!(Action::NAMES));
            details.insert("aliases".into(), migration());
        }
        details.insert("tool".into(), canonical().name().into());
        details.insert("migration".into(), request.clone());
        let mut hint = format!("call {} with details.migration", canonical());
        if let Some(fields) = fields {
            details.insert("fields".into(), fields);
            hint.push_str(", after mending what details.fields names");
        }
        Error::new(code, what).hint(hint).details(Value::Object(details))
    }
}

impl Parts {
    /// The mode to tell: none when the one that was sent is none.
    fn mode(&self, tool: ToolName, action: Option<Action>) -> Option<Mode> {
        let unsaid = action.is_some() && !self.mode_was_wrong;
        self.invocation.mode.or_else(|| unsaid.then(|| tool.default_mode()))
    }
}

fn canonical() -> ToolName {
    ToolName::Interactive
}

fn hint(tool: ToolName) -> String {
    let names = tool.offered();
    let elsewhere =
        if tool == ToolName::Interactive { String::new() } else { format!(", or call {}", ToolName::Interactive) };
    format!("send one of {}{elsewhere}", names.join(", "))
}

/// The names that the caller gave, unchanged, and fresh ones for those that are missing.
fn correlate(parts: &Parts, generate: impl FnOnce() -> String) -> Correlation {
    let request_id = parts.request_id.clone().unwrap_or_else(|| {
        let fresh = generate();
        format!("req_{}", fresh.strip_prefix("req_").unwrap_or(&fresh))
    });
    let trace_id = parts.trace_id.clone().unwrap_or_else(|| {
        let own = request_id.strip_prefix("req_").unwrap_or(&request_id);
        format!("trace_{own}").chars().take(LONGEST_ID).collect()
    });
    Correlation { request_id, trace_id, client_request_id: parts.client_request_id.clone() }
}

/// A draft in the order of the document, for a request that is not in order yet.
fn ordered(action: Action, mut draft: Map<String, Value>) -> Value {
    let mut request = Map::new();
    request.insert("action".into(), action.name().into());
    for (name, _) in SECTIONS {
        let section = draft.shift_remove(*name);
        let empty = section.as_ref().is_none_or(|value| value.as_object().is_some_and(Map::is_empty));
        if let Some(section) = section.filter(|value| !empty && !value.is_null()) {
            request.insert((*name).to_owned(), section);
        }
    }
    request.extend(draft);
    Value::Object(request)
}
