//! What the agent asks of us: each of it is one command of the hub, called as the agent.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use agent_client_protocol_schema::v1 as acp;
use flightdeck_contract::approval::{OptionKind, PermissionOption, PermissionSubject};
use flightdeck_contract::chat::{
    Asked, ChatExit, ChatFile, ChatTerminal, EntryContent, PermissionGiven, PermissionOutcome, QuestionOutcome,
    Transcript,
};
use flightdeck_contract::{ConversationId, Error, ErrorCode, TerminalId};
use flightdeck_core::{Agent, Caller, Hub, Seat};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::connection::Connection;
use super::diff;
use super::forms;
use super::memory::Open;
use super::orders::no_answer;
use super::updates;

/// What came of a request.
pub(super) struct Answered {
    pub result: Result<Value, acp::Error>,
    /// How the entry that shows it is settled.
    pub settled: Option<Settled>,
}

pub(super) type Settled = Box<dyn FnOnce(&mut EntryContent) + Send>;

impl From<Result<Value, acp::Error>> for Answered {
    fn from(result: Result<Value, acp::Error>) -> Self {
        Answered { result, settled: None }
    }
}

/// How much of what a call says of itself is shown in a question.
const LONGEST_DETAILS: usize = 500;

type Job = Pin<Box<dyn Future<Output = Answered> + Send>>;

/// Whether a request waits for a person.
pub(super) fn waits_for_a_person(open: &Open) -> bool {
    matches!(open.method.as_str(), "session/request_permission" | "elicitation/create")
}

/// The answer to a request whose turn was cancelled.
pub(super) fn cancelled(open: &Open) -> Answered {
    if open.method == "elicitation/create" { forms::cancelled() } else { no_answer() }
}

/// The answer to a request that the agent has taken back.
pub(super) fn taken_back(open: &Open) -> Answered {
    Answered { result: Err(acp::Error::request_cancelled()), settled: cancelled(open).settled }
}

impl Connection {
    /// Checks a request, and shows it where people have to see it.
    pub(super) fn shown(&self, open: Open) -> Result<Open, acp::Error> {
        let params = open.params.clone();
        match open.method.as_str() {
            "session/request_permission" => {
                let request: acp::RequestPermissionRequest = read(params)?;
                let tool = request.tool_call.tool_call_id.to_string();
                let asked = Asked {
                    approval: None,
                    tool: tool.clone(),
                    title: self.title_of(&request.tool_call),
                    options: request.options.iter().map(option).collect(),
                    outcome: None,
                };
                let entry = self.write(|draft| {
                    // Some ask before they tell of the call, under a name that does not come again.
                    if draft.knows_tool(&tool) {
                        updates::tool_changed(draft, request.tool_call, None);
                    }
                    draft.push(EntryContent::Permission(Box::new(asked)))
                });
                Ok(Open { entry: Some(entry), ..open })
            }
            "elicitation/create" => {
                let question = forms::question(read(params)?)?;
                let entry = self.write(|draft| draft.push(EntryContent::Question(Box::new(question))));
                Ok(Open { entry: Some(entry), ..open })
            }
            "terminal/create" => read::<acp::CreateTerminalRequest>(params).map(|_| open),
            "terminal/output" => read::<acp::TerminalOutputRequest>(params).map(|_| open),
            "terminal/wait_for_exit" => read::<acp::WaitForTerminalExitRequest>(params).map(|_| open),
            "terminal/kill" => read::<acp::KillTerminalRequest>(params).map(|_| open),
            "terminal/release" => read::<acp::ReleaseTerminalRequest>(params).map(|_| open),
            "fs/read_text_file" => read::<acp::ReadTextFileRequest>(params).map(|_| open),
            "fs/write_text_file" => read::<acp::WriteTextFileRequest>(params).map(|_| open),
            method => Err(acp::Error::method_not_found().data(Value::from(method))),
        }
    }

    /// What is asked for: as the request calls it, or as the tool call was called before; with the command, or what else is
    /// said of it.
    fn title_of(&self, call: &acp::ToolCallUpdate) -> String {
        let known = call.fields.title.clone().or_else(|| {
            let id = call.tool_call_id.to_string();
            self.seat.write(|draft| {
                let numbers = draft.find(|content| matches!(content, EntryContent::Tool(tool) if tool.id == id));
                match numbers.last().and_then(|number| draft.entry(*number)) {
                    Some(EntryContent::Tool(tool)) => Some(tool.title),
                    _ => None,
                }
            })
        });
        with_details(known.unwrap_or_else(|| call.tool_call_id.to_string()), &call.fields)
    }
}

/// A title, and what the call says of itself beside it: some are called `Bash`, whatever they run.
fn with_details(title: String, fields: &acp::ToolCallUpdateFields) -> String {
    let command = fields.raw_input.as_ref().and_then(|input| input.get("command")?.as_str());
    let text = fields.content.iter().flatten().find_map(|content| match content {
        acp::ToolCallContent::Content(content) => match &content.content {
            acp::ContentBlock::Text(text) => Some(text.text.as_str()),
            _ => None,
        },
        _ => None,
    });
    match command.or(text).map(str::trim).filter(|details| !details.is_empty() && !title.contains(*details)) {
        Some(details) => format!("{title}: {}", details.chars().take(LONGEST_DETAILS).collect::<String>()),
        None => title,
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, acp::Error> {
    serde_json::from_value(params).map_err(|error| acp::Error::invalid_params().data(Value::from(error.to_string())))
}

fn option(option: &acp::PermissionOption) -> PermissionOption {
    PermissionOption {
        id: option.option_id.to_string(),
        name: option.name.clone(),
        kind: match option.kind {
            acp::PermissionOptionKind::AllowOnce => OptionKind::AllowOnce,
            acp::PermissionOptionKind::AllowAlways => OptionKind::AllowAlways,
            acp::PermissionOptionKind::RejectAlways => OptionKind::RejectAlways,
            // What is not known is no yes.
            _ => OptionKind::RejectOnce,
        },
    }
}

/// What carries a request out; `None` when a person's answer is all that it needs.
pub(super) fn job(seat: &Seat, agent: &Agent, key: &str, open: &Open) -> Option<Job> {
    if open.method == "elicitation/create" {
        return None;
    }
    let call = Call { hub: Arc::clone(seat.hub()), caller: agent.caller(), id: seat.id() };
    let (key, open) = (format!("{}/{key}", agent_run(seat)), open.clone());
    Some(Box::pin(async move { call.carry_out(key, open).await }))
}

/// Which run of the agent's process it is: another one counts its requests from the beginning.
fn agent_run(seat: &Seat) -> String {
    seat.run().map_or_else(String::new, |process| process.to_string())
}

/// How the hub is called for one request.
struct Call {
    hub: Arc<Hub>,
    caller: Caller,
    id: ConversationId,
}

impl Call {
    async fn carry_out(self, key: String, open: Open) -> Answered {
        let Open { method, params, entry } = open;
        match (method.as_str(), entry) {
            ("session/request_permission", Some(entry)) => self.permission(params, entry).await,
            ("terminal/create", _) => self.create(key, params).await.into(),
            ("terminal/output", _) => self.output(params).await.into(),
            ("terminal/wait_for_exit", _) => self.wait(params).await.into(),
            ("terminal/kill", _) => self.end("kill", params).await.into(),
            ("terminal/release", _) => self.end("release", params).await.into(),
            ("fs/read_text_file", _) => self.read_file(params).await.into(),
            ("fs/write_text_file", _) => self.write_file(params).await.into(),
            _ => Err(acp::Error::method_not_found()).into(),
        }
    }

    async fn call<T: DeserializeOwned>(&self, command: &str, args: Value) -> Result<T, acp::Error> {
        let result = self.hub.call(self.caller.clone(), command, args).await.map_err(|error| told(&error))?;
        serde_json::from_value(result)
            .map_err(|error| acp::Error::internal_error().data(Value::from(error.to_string())))
    }

    async fn create(&self, key: String, params: Value) -> Result<Value, acp::Error> {
        let request: acp::CreateTerminalRequest = read(params)?;
        let env: BTreeMap<_, _> = request.env.into_iter().map(|variable| (variable.name, variable.value)).collect();
        let args = json!({
            "id": self.id,
            "request": key,
            "command": request.command,
            "args": request.args,
            "env": env,
            "cwd": request.cwd,
            "outputLimit": request.output_byte_limit,
        });
        let made: ChatTerminal = self.call("flightdeck.chat.terminal.new", args).await?;
        Ok(json!({ "terminalId": made.terminal }))
    }

    async fn output(&self, params: Value) -> Result<Value, acp::Error> {
        let args = self.terminal(params)?;
        let told: Transcript = self.call("flightdeck.chat.terminal.output", args).await?;
        let mut answer = json!({ "output": told.output, "truncated": told.truncated });
        if let Some(exit) = told.exit {
            answer["exitStatus"] = status(&exit);
        }
        Ok(answer)
    }

    async fn wait(&self, params: Value) -> Result<Value, acp::Error> {
        let args = self.terminal(params)?;
        let exit: ChatExit = self.call("flightdeck.chat.terminal.wait", args).await?;
        Ok(status(&exit))
    }

    async fn end(&self, how: &str, params: Value) -> Result<Value, acp::Error> {
        let args = self.terminal(params)?;
        let _: Value = self.call(&format!("flightdeck.chat.terminal.{how}"), args).await?;
        Ok(json!({}))
    }

    /// The terminal that is meant. All requests about one name it in the same way.
    fn terminal(&self, params: Value) -> Result<Value, acp::Error> {
        let request: acp::TerminalOutputRequest = read(params)?;
        let name = request.terminal_id.to_string();
        let terminal: TerminalId = name.parse().map_err(|_| {
            acp::Error::resource_not_found(None)
                .data(Value::from(format!("there is no terminal {name:?} of this session")))
        })?;
        Ok(json!({ "id": self.id, "terminal": terminal }))
    }

    async fn read_file(&self, params: Value) -> Result<Value, acp::Error> {
        let request: acp::ReadTextFileRequest = read(params)?;
        let args = json!({ "id": self.id, "path": request.path, "line": request.line, "limit": request.limit });
        let file: ChatFile = self.call("flightdeck.chat.file.read", args).await?;
        Ok(json!({ "content": file.content }))
    }

    async fn write_file(&self, params: Value) -> Result<Value, acp::Error> {
        let request: acp::WriteTextFileRequest = read(params)?;
        let args = json!({ "id": self.id, "path": request.path, "content": request.content });
        let _: Value = self.call("flightdeck.chat.file.write", args).await?;
        Ok(json!({}))
    }

    async fn permission(&self, params: Value, entry: u64) -> Answered {
        let request: acp::RequestPermissionRequest = match read(params) {
            Ok(request) => request,
            Err(error) => return Err(error).into(),
        };
        let fields = request.tool_call.fields;
        let title = fields.title.clone().unwrap_or_else(|| request.tool_call.tool_call_id.to_string());
        let deed = fields.kind.and_then(|kind| serde_json::to_value(kind).ok());
        let permission = PermissionSubject {
            title: with_details(title, &fields),
            deed: deed.and_then(|deed| deed.as_str().map(str::to_owned)),
            options: request.options.iter().map(option).collect(),
            diff: fields.content.as_deref().and_then(diff::of_all),
            locations: fields
                .locations
                .unwrap_or_default()
                .iter()
                .map(|place| place.path.to_string_lossy().into_owned())
                .collect(),
        };
        let args = json!({ "id": self.id, "entry": entry, "permission": permission });
        let given: Result<PermissionGiven, _> = self.call("flightdeck.chat.permission", args).await;
        let (outcome, answer) = match given {
            Ok(PermissionGiven { option: Some(option), by }) => (
                PermissionOutcome::Chosen { option: option.clone(), by },
                json!({ "outcome": "selected", "optionId": option }),
            ),
            Ok(PermissionGiven { option: None, by }) => {
                (PermissionOutcome::Unanswered { why: by }, json!({ "outcome": "cancelled" }))
            }
            Err(error) => (PermissionOutcome::Unanswered { why: error.message }, json!({ "outcome": "cancelled" })),
        };
        let settled: Settled = Box::new(move |content| {
            if let EntryContent::Permission(asked) = content {
                asked.approval = None;
                asked.outcome = Some(outcome);
            }
        });
        Answered { result: Ok(json!({ "outcome": answer })), settled: Some(settled) }
    }
}

fn status(exit: &ChatExit) -> Value {
    json!({ "exitCode": exit.exit_code, "signal": exit.signal })
}

/// An error of ours, in the words for agents.
fn told(error: &Error) -> acp::Error {
    let code = match error.code {
        ErrorCode::InvalidArgument | ErrorCode::CwdMissing | ErrorCode::BadPath => -32602,
        ErrorCode::TerminalNotFound | ErrorCode::FileNotFound => -32002,
        ErrorCode::Cancelled => -32800,
        _ => -32603,
    };
    let text = match &error.hint {
        Some(hint) => format!("{} ({hint})", error.message),
        None => error.message.clone(),
    };
    acp::Error::new(code, text).data(json!({ "code": error.code }))
}

/// A question that was settled in another way.
pub(super) fn question_settled(outcome: QuestionOutcome) -> Settled {
    Box::new(move |content| {
        if let EntryContent::Question(question) = content {
            question.outcome = Some(outcome);
        }
    })
}
