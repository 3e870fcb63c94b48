//! What the agent asks of us: each of it is one command of the hub, called as the agent.

use std::collections::BTreeMap;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use agent_client_protocol_schema::v1 as acp;
use flightdeck_contract::approval::PermissionSubject;
use flightdeck_contract::chat::{
    ChatExit, ChatFile, ChatTerminal, EntryContent, PermissionGiven, PermissionOutcome, QuestionOutcome, Transcript,
};
use flightdeck_contract::{ConversationId, Error, ErrorCode, TerminalId};
use flightdeck_core::{Agent, AnswerBudget, AnswerRoom, Caller, Hub, Seat};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::connection::Connection;
use super::forms;
use super::memory::Open;
use super::orders::no_answer;
use super::permission;

/// What came of a request.
pub(super) struct Answered {
    pub result: Result<Value, acp::Error>,
    /// How the entry that shows it is settled.
    pub settled: Option<Settled>,
    /// What is taken for it until the agent has read it.
    pub room: Option<AnswerRoom>,
}

pub(super) type Settled = Box<dyn FnOnce(&mut EntryContent) + Send>;

impl From<Result<Value, acp::Error>> for Answered {
    fn from(result: Result<Value, acp::Error>) -> Self {
        Answered { result, settled: None, room: None }
    }
}

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
    Answered { result: Err(acp::Error::request_cancelled()), ..cancelled(open) }
}

impl Connection {
    /// Checks a request, and shows it where people have to see it.
    pub(super) fn shown(&mut self, open: Open) -> Result<Open, acp::Error> {
        let params = open.params.clone();
        match open.method.as_str() {
            "session/request_permission" => {
                let request: acp::RequestPermissionRequest = read(params)?;
                self.check_session(&request.session_id)?;
                let entry = self.write(|draft| permission::show(draft, &request));
                Ok(Open { entry: Some(entry), ..open })
            }
            "elicitation/create" => {
                let request: acp::CreateElicitationRequest = read(params)?;
                self.check_scope(request.scope())?;
                let page = forms::page_of(&request, &self.memory)?;
                let question = forms::question(request)?;
                let entry = self.seat.write(|draft| draft.push(EntryContent::Question(Box::new(question))));
                if let Some(page) = page {
                    self.memory.pages.insert(page, entry);
                }
                Ok(Open { entry: Some(entry), ..open })
            }
            method => {
                let session = match method {
                    "terminal/create" => read::<acp::CreateTerminalRequest>(params)?.session_id,
                    "terminal/output" => read::<acp::TerminalOutputRequest>(params)?.session_id,
                    "terminal/wait_for_exit" => read::<acp::WaitForTerminalExitRequest>(params)?.session_id,
                    "terminal/kill" => read::<acp::KillTerminalRequest>(params)?.session_id,
                    "terminal/release" => read::<acp::ReleaseTerminalRequest>(params)?.session_id,
                    "fs/read_text_file" => {
                        let request: acp::ReadTextFileRequest = read(params)?;
                        check_absolute(&request.path)?;
                        request.session_id
                    }
                    "fs/write_text_file" => {
                        let request: acp::WriteTextFileRequest = read(params)?;
                        check_absolute(&request.path)?;
                        request.session_id
                    }
                    method => return Err(acp::Error::method_not_found().data(Value::from(method))),
                };
                self.check_session(&session)?;
                Ok(open)
            }
        }
    }

    /// Whether this is the session of the conversation. The agent may have others; they have no terminals, files or people
    /// here.
    pub(super) fn check_session(&self, named: &acp::SessionId) -> Result<(), acp::Error> {
        let is_ours = self.seat.write(|draft| draft.see().session.as_deref() == Some(&*named.0));
        if is_ours { Ok(()) } else { Err(acp::Error::session_not_found(named.clone())) }
    }

    /// Whether a question belongs to the session, or to a request of ours that the agent works on.
    fn check_scope(&self, scope: &acp::ElicitationScope) -> Result<(), acp::Error> {
        let request = match scope {
            acp::ElicitationScope::Session(scope) => return self.check_session(&scope.session_id),
            acp::ElicitationScope::Request(scope) => &scope.request_id,
            _ => return Err(acp::Error::invalid_params().data(Value::from("the scope is not known here"))),
        };
        let is_asked = serde_json::to_value(request)
            .ok()
            .and_then(|id| id.as_i64())
            .is_some_and(|id| self.memory.asked.contains_key(&id));
        if is_asked {
            return Ok(());
        }
        Err(acp::Error::invalid_params().data(Value::from("requestId is no request that waits for your answer")))
    }
}

/// Parameters by name. A list of values would be read as well where their order is right, and the protocol has none.
pub(super) fn read<T: DeserializeOwned>(params: Value) -> Result<T, acp::Error> {
    if !params.is_object() {
        return Err(acp::Error::invalid_params().data(Value::from("params must be an object")));
    }
    serde_json::from_value(params).map_err(|error| acp::Error::invalid_params().data(Value::from(error.to_string())))
}

fn check_absolute(path: &Path) -> Result<(), acp::Error> {
    if path.is_absolute() {
        return Ok(());
    }
    let text = format!("path must be absolute: {:?} is not", path.to_string_lossy());
    Err(acp::Error::invalid_params().data(Value::from(text)))
}

/// What carries a request out; `None` when a person's answer is all that it needs.
pub(super) fn job(seat: &Seat, agent: &Agent, key: &str, open: &Open) -> Option<Job> {
    if open.method == "elicitation/create" {
        return None;
    }
    let call = Call {
        hub: Arc::clone(seat.hub()),
        answers: Arc::clone(seat.answers()),
        caller: agent.caller(),
        id: seat.id(),
    };
    if open.method == "session/request_permission" {
        let request: acp::RequestPermissionRequest = match read(open.params.clone()) {
            Ok(request) => request,
            // It could be read when it came.
            Err(error) => return Some(Box::pin(async move { Err(error).into() })),
        };
        let subject = seat.write(|draft| permission::subject(draft, &request));
        let entry = open.entry.unwrap_or_default();
        return Some(Box::pin(async move { call.permission(subject, entry).await }));
    }
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
    answers: Arc<AnswerBudget>,
    caller: Caller,
    id: ConversationId,
}

impl Call {
    async fn carry_out(self, key: String, open: Open) -> Answered {
        let Open { method, params, .. } = open;
        let mut room = match method.as_str() {
            "terminal/output" => match self.terminal(params.clone()) {
                Ok((_, terminal)) => self.answers.reserve_output(&self.hub, self.id, terminal).await,
                Err(error) => return Err(error).into(),
            },
            "fs/read_text_file" => self.answers.reserve_text().await,
            _ => None,
        };
        let result = self.result(&method, key, params).await;
        if let Some(room) = &mut room {
            let text =
                |told: &Value| ["output", "content"].iter().find_map(|name| Some(told.get(name)?.as_str()?.len()));
            room.shrink(result.as_ref().ok().and_then(text).unwrap_or_default());
        }
        Answered { result, settled: None, room }
    }

    async fn result(&self, method: &str, key: String, params: Value) -> Result<Value, acp::Error> {
        match method {
            "terminal/create" => self.create(key, params).await,
            "terminal/output" => self.output(params).await,
            "terminal/wait_for_exit" => self.wait(params).await,
            "terminal/kill" => self.end("kill", params).await,
            "terminal/release" => self.end("release", params).await,
            "fs/read_text_file" => self.read_file(params).await,
            "fs/write_text_file" => self.write_file(params).await,
            _ => Err(acp::Error::method_not_found()),
        }
    }

    async fn call<T: DeserializeOwned>(&self, command: &str, args: Value) -> Result<T, acp::Error> {
        result_of(self.hub.call(self.caller.clone(), command, args).await)
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
        let (args, _) = self.terminal(params)?;
        let told: Transcript = self.call("flightdeck.chat.terminal.output", args).await?;
        let mut answer = json!({ "output": told.output, "truncated": told.truncated });
        if let Some(exit) = told.exit {
            answer["exitStatus"] = status(&exit);
        }
        Ok(answer)
    }

    async fn wait(&self, params: Value) -> Result<Value, acp::Error> {
        let (args, _) = self.terminal(params)?;
        let exit: ChatExit = self.call("flightdeck.chat.terminal.wait", args).await?;
        Ok(status(&exit))
    }

    async fn end(&self, how: &str, params: Value) -> Result<Value, acp::Error> {
        let (args, _) = self.terminal(params)?;
        let _: Value = self.call(&format!("flightdeck.chat.terminal.{how}"), args).await?;
        Ok(json!({}))
    }

    /// The terminal that is meant. All requests about one name it in the same way.
    fn terminal(&self, params: Value) -> Result<(Value, TerminalId), acp::Error> {
        let request: acp::TerminalOutputRequest = read(params)?;
        let name = request.terminal_id.to_string();
        let terminal: TerminalId = name.parse().map_err(|_| {
            let code = ErrorCode::TerminalNotFound;
            not_found(&format!("there is no terminal {name:?} of this session"), json!({ "code": code }))
        })?;
        Ok((json!({ "id": self.id, "terminal": terminal }), terminal))
    }

    async fn read_file(&self, params: Value) -> Result<Value, acp::Error> {
        let request: acp::ReadTextFileRequest = read(params)?;
        let args = json!({ "id": self.id, "path": request.path, "line": request.line, "limit": request.limit });
        let read = self.hub.call(self.caller.clone(), "flightdeck.chat.file.read", args).await;
        let file: ChatFile = match read {
            Err(error) if error.code == ErrorCode::FileNotFound => {
                let path = request.path.to_string_lossy();
                return Err(not_found(&path, json!({ "code": error.code, "uri": path })));
            }
            read => result_of(read)?,
        };
        Ok(json!({ "content": file.content }))
    }

    async fn write_file(&self, params: Value) -> Result<Value, acp::Error> {
        let request: acp::WriteTextFileRequest = read(params)?;
        let args = json!({ "id": self.id, "path": request.path, "content": request.content });
        let _: Value = self.call("flightdeck.chat.file.write", args).await?;
        Ok(json!({}))
    }

    async fn permission(&self, permission: PermissionSubject, entry: u64) -> Answered {
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
        Answered { result: Ok(json!({ "outcome": answer })), settled: Some(settled), room: None }
    }
}

fn status(exit: &ChatExit) -> Value {
    json!({ "exitCode": exit.exit_code, "signal": exit.signal })
}

fn result_of<T: DeserializeOwned>(result: Result<Value, Error>) -> Result<T, acp::Error> {
    let result = result.map_err(|error| told(&error))?;
    serde_json::from_value(result).map_err(|error| acp::Error::internal_error().data(Value::from(error.to_string())))
}

/// Something is not there. The protocol's words for it come first: Gemini CLI makes a new file only where it finds them.
fn not_found(what: &str, data: Value) -> acp::Error {
    let code = acp::ErrorCode::ResourceNotFound;
    acp::Error::new(code.into(), format!("{code}: {what}")).data(data)
}

/// An error of ours, in the words for agents.
fn told(error: &Error) -> acp::Error {
    let text = match &error.hint {
        Some(hint) => format!("{} ({hint})", error.message),
        None => error.message.clone(),
    };
    let data = json!({ "code": error.code });
    let code = match error.code {
        ErrorCode::TerminalNotFound | ErrorCode::FileNotFound => return not_found(&text, data),
        ErrorCode::InvalidArgument | ErrorCode::CwdMissing | ErrorCode::BadPath => acp::ErrorCode::InvalidParams,
        ErrorCode::Cancelled => acp::ErrorCode::RequestCancelled,
        _ => acp::ErrorCode::InternalError,
    };
    acp::Error::new(code.into(), text).data(data)
}

/// A question that was settled in another way.
pub(super) fn question_settled(outcome: QuestionOutcome) -> Settled {
    Box::new(move |content| {
        if let EntryContent::Question(question) = content {
            question.outcome = Some(outcome);
        }
    })
}
