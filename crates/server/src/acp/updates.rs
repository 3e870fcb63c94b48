//! What the agent tells of its work, as entries of the conversation.

use agent_client_protocol_schema::MaybeUndefined;
use agent_client_protocol_schema::v1 as acp;
use flightdeck_contract::TerminalId;
use flightdeck_contract::chat::{
    EntryContent, Level, Location, PlanStep, Priority, SlashCommand, StepStatus, ToolCall, ToolContent, ToolKind,
    ToolStatus,
};
use flightdeck_core::{Draft, Speaker};
use serde_json::Value;

use super::blocks;
use super::budget::Used;
use super::command::{self, COMMAND_FIELDS};
use super::diff;
use super::settings;

/// What a tool was given or gave is kept up to this length.
const LONGEST_RAW: usize = 16 * 1024;

/// Whether an update tells again what was said, when a session is read anew.
pub(super) fn is_history(update: &acp::SessionUpdate) -> bool {
    use acp::SessionUpdate as U;
    matches!(
        update,
        U::UserMessageChunk(_)
            | U::AgentMessageChunk(_)
            | U::AgentThoughtChunk(_)
            | U::ToolCall(_)
            | U::ToolCallUpdate(_)
            | U::Plan(_)
    )
}

/// Writes an update down. What it tells of the agent's use is given back.
pub(super) fn apply(draft: &mut Draft<'_>, update: acp::SessionUpdate, meta: Option<&Value>) -> Option<Used> {
    use acp::SessionUpdate as U;
    match update {
        U::AgentMessageChunk(chunk) => said(draft, Speaker::Agent, chunk),
        U::AgentThoughtChunk(chunk) => said(draft, Speaker::Thought, chunk),
        U::UserMessageChunk(chunk) => said(draft, Speaker::User, chunk),
        U::ToolCall(call) => tool_begun(draft, call, meta),
        U::ToolCallUpdate(call) => tool_changed(draft, call, meta),
        U::Plan(plan) => draft.plan(plan.entries.iter().map(step).collect()),
        U::AvailableCommandsUpdate(update) => {
            draft.chat().commands = update.available_commands.iter().map(slash_command).collect();
        }
        U::CurrentModeUpdate(update) => {
            if let Some(modes) = &mut draft.chat().modes {
                modes.current = update.current_mode_id.to_string();
            }
        }
        U::ConfigOptionUpdate(update) => {
            draft.chat().options = update.config_options.iter().filter_map(settings::option_of).collect();
        }
        U::SessionInfoUpdate(update) => {
            if let MaybeUndefined::Value(title) = update.title {
                draft.chat().title = title;
            }
        }
        U::UsageUpdate(usage) => {
            return Some(Used {
                context: Some((usage.used, usage.size)),
                cost: usage.cost.map(|cost| (cost.amount, cost.currency)),
                turn_tokens: None,
            });
        }
        U::Notice(notice) => {
            let level = match notice.severity {
                acp::NoticeSeverity::Error => Level::Error,
                acp::NoticeSeverity::Warning => Level::Warning,
                _ => Level::Info,
            };
            draft.note(level, notice.title, notice.description);
        }
        // What is not known is shown by nobody.
        _ => {}
    }
    None
}

fn said(draft: &mut Draft<'_>, speaker: Speaker, chunk: acp::ContentChunk) {
    let message = chunk.message_id.as_ref().map(ToString::to_string);
    match chunk.content {
        acp::ContentBlock::Text(text) => draft.say(speaker, &text.text, message.as_deref()),
        other => {
            if let Some(block) = blocks::from_agent(&other) {
                draft.push(EntryContent::Shown { block });
            }
        }
    }
}

fn tool_begun(draft: &mut Draft<'_>, call: acp::ToolCall, meta: Option<&Value>) {
    let id = call.tool_call_id.to_string();
    draft.tool(&id, |tool| {
        tool.title = call.title;
        tool.tool = kind(call.kind);
        tool.status = status(call.status);
        replace_content(tool, &call.content);
        tool.locations = call.locations.iter().map(location).collect();
        tool.input = call.raw_input.map(short).or(tool.input.take());
        tool.output = call.raw_output.map(short).or(tool.output.take());
    });
    own_output(draft, &id, meta);
}

/// Changes a tool call; what it does not name stays as it is.
pub(super) fn tool_changed(draft: &mut Draft<'_>, call: acp::ToolCallUpdate, meta: Option<&Value>) {
    let id = call.tool_call_id.to_string();
    draft.tool(&id, |tool| change(tool, call.fields));
    own_output(draft, &id, meta);
}

/// Changes what these fields name.
pub(super) fn change(tool: &mut ToolCall, fields: acp::ToolCallUpdateFields) {
    if let Some(title) = fields.title {
        tool.title = title;
    }
    if let Some(of) = fields.kind {
        tool.tool = kind(of);
    }
    if let Some(now) = fields.status {
        tool.status = status(now);
    }
    if let Some(content) = fields.content {
        replace_content(tool, &content);
    }
    if let Some(locations) = fields.locations {
        tool.locations = locations.iter().map(location).collect();
    }
    if let Some(input) = fields.raw_input {
        tool.input = Some(short(input));
    }
    if let Some(output) = fields.raw_output {
        tool.output = Some(short(output));
    }
}

/// What a command prints that the agent runs by itself, told beside its tool call.
fn own_output(draft: &mut Draft<'_>, id: &str, meta: Option<&Value>) {
    let Some(meta) = meta else { return };
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    if let Some(info) = meta.get("terminal_info")
        && let Some(terminal) = text(info, "terminal_id")
    {
        draft.tool_output(id, &terminal, "");
    }
    if let Some(output) = meta.get("terminal_output")
        && let (Some(terminal), Some(data)) = (text(output, "terminal_id"), text(output, "data"))
    {
        draft.tool_output(id, &terminal, &data);
    }
    if let Some(exit) = meta.get("terminal_exit")
        && let Some(terminal) = text(exit, "terminal_id")
    {
        let (code, by) = (exit.get("exit_code").and_then(Value::as_i64), text(exit, "signal"));
        draft.tool(id, |tool| {
            for content in &mut tool.content {
                if let ToolContent::Output { id, exit_code, signal, .. } = content
                    && *id == terminal
                {
                    (*exit_code, *signal) = (code, by.clone());
                }
            }
        });
    }
}

fn replace_content(tool: &mut ToolCall, content: &[acp::ToolCallContent]) {
    let before = std::mem::take(&mut tool.content);
    let known = |id: &str| {
        before.iter().find(|content| matches!(content, ToolContent::Output { id: of, .. } if of == id)).cloned()
    };
    tool.content = content.iter().filter_map(|content| shown(content, known)).collect();
}

fn shown(content: &acp::ToolCallContent, known: impl Fn(&str) -> Option<ToolContent>) -> Option<ToolContent> {
    Some(match content {
        acp::ToolCallContent::Content(content) => ToolContent::Block { block: blocks::from_agent(&content.content)? },
        acp::ToolCallContent::Diff(change) => diff::of(change),
        acp::ToolCallContent::Terminal(terminal) => {
            let id = terminal.terminal_id.to_string();
            match (known(&id), id.parse::<TerminalId>()) {
                (Some(output), _) => output,
                (None, Ok(terminal)) => ToolContent::Terminal { terminal },
                // One that the agent runs by itself.
                (None, Err(_)) => {
                    ToolContent::Output { id, text: String::new(), truncated: false, exit_code: None, signal: None }
                }
            }
        }
        _ => return None,
    })
}

/// What a tool was given or gave, without what is long: whoever needs all of it asks the agent. A command stays readable
/// beside the long text that it is given, and stays whole as far as a person can be asked about it.
fn short(value: Value) -> Value {
    let length = value.to_string().len();
    if length <= LONGEST_RAW {
        return value;
    }
    let told = || Value::from(format!("{length} bytes"));
    let Value::Object(mut fields) = value else { return told() };
    let commands = COMMAND_FIELDS.iter().filter_map(|name| {
        let command = command::limit(fields.get(*name)?)?;
        fields.shift_remove(*name);
        Some(((*name).to_owned(), command))
    });
    let commands: Vec<_> = commands.collect();
    let mut left = LONGEST_RAW;
    let mut fields: Vec<_> = fields.into_iter().map(|(name, value)| (value.to_string().len(), name, value)).collect();
    fields.sort_by_key(|(length, ..)| *length);
    let kept = fields.into_iter().map(|(length, name, value)| {
        left = left.saturating_sub(length + name.len());
        (name, if left > 0 { value } else { Value::from(format!("{length} bytes")) })
    });
    let mut kept: serde_json::Map<_, _> = kept.collect();
    // Very many fields are long, too.
    if Value::Object(kept.clone()).to_string().len() > 2 * LONGEST_RAW {
        kept.clear();
    }
    if kept.is_empty() && commands.is_empty() {
        return told();
    }
    kept.extend(commands);
    Value::Object(kept)
}

fn kind(kind: acp::ToolKind) -> ToolKind {
    match kind {
        acp::ToolKind::Read => ToolKind::Read,
        acp::ToolKind::Edit => ToolKind::Edit,
        acp::ToolKind::Delete => ToolKind::Delete,
        acp::ToolKind::Move => ToolKind::Move,
        acp::ToolKind::Search => ToolKind::Search,
        acp::ToolKind::Execute => ToolKind::Execute,
        acp::ToolKind::Think => ToolKind::Think,
        acp::ToolKind::Fetch => ToolKind::Fetch,
        acp::ToolKind::SwitchMode => ToolKind::SwitchMode,
        _ => ToolKind::Other,
    }
}

fn status(status: acp::ToolCallStatus) -> ToolStatus {
    match status {
        acp::ToolCallStatus::InProgress => ToolStatus::InProgress,
        acp::ToolCallStatus::Completed => ToolStatus::Completed,
        acp::ToolCallStatus::Failed => ToolStatus::Failed,
        _ => ToolStatus::Pending,
    }
}

fn location(place: &acp::ToolCallLocation) -> Location {
    Location { path: place.path.to_string_lossy().into_owned(), line: place.line }
}

fn step(entry: &acp::PlanEntry) -> PlanStep {
    PlanStep {
        text: entry.content.clone(),
        priority: match entry.priority {
            acp::PlanEntryPriority::High => Priority::High,
            acp::PlanEntryPriority::Low => Priority::Low,
            _ => Priority::Medium,
        },
        status: match entry.status {
            acp::PlanEntryStatus::InProgress => StepStatus::InProgress,
            acp::PlanEntryStatus::Completed => StepStatus::Completed,
            _ => StepStatus::Pending,
        },
    }
}

fn slash_command(command: &acp::AvailableCommand) -> SlashCommand {
    let hint = match &command.input {
        Some(acp::AvailableCommandInput::Unstructured(input)) => Some(input.hint.clone()),
        _ => None,
    };
    SlashCommand { name: command.name.clone(), description: command.description.clone(), hint }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_short_beside_something_long_stays() {
        let long = "x".repeat(LONGEST_RAW);
        assert_eq!(short(json!({ "command": "ls", "n": 3 })), json!({ "command": "ls", "n": 3 }));
        let kept = short(json!({ "command": "cat > a", "content": long }));
        assert_eq!(kept, json!({ "command": "cat > a", "content": format!("{} bytes", LONGEST_RAW + 2) }));
        assert!(short(json!([long])).is_string());
        let command = format!("{long}; rm -r x");
        let kept = short(json!({ "command": command, "content": long, "n": 3 }));
        assert_eq!(kept, json!({ "n": 3, "content": format!("{} bytes", LONGEST_RAW + 2), "command": command }));
        let many: serde_json::Map<_, _> = (0..LONGEST_RAW).map(|n| (format!("field {n}"), json!(n))).collect();
        assert!(short(Value::Object(many)).is_string());
    }
}
