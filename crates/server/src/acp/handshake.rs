//! Getting to know each other: what the agent can do, and the session.

use std::collections::BTreeMap;
use std::path::Path;

use agent_client_protocol_schema::ProtocolVersion;
use agent_client_protocol_schema::v1 as acp;
use flightdeck_contract::chat::{Abilities, Accepts, AuthMethod, ChatState, EntryContent, Level, Resumable};
use flightdeck_contract::{Error, ErrorCode};
use serde_json::{Value, json};

use super::connection::Connection;
use super::mcp_servers;
use super::memory::{Asked, Can};
use super::rpc::{self, words};
use super::settings;

/// Which tools of ours agents get: terminals and the workbench. Models refuse names with dots.
const TOOLS: [&str; 4] = ["--tools", "terminal,openspace", "--tool-names", "underscore"];

impl Connection {
    /// Says what we can do, and asks the same.
    pub(super) fn initialize(&mut self) {
        let params = json!({
            "protocolVersion": 1,
            "clientCapabilities": {
                "fs": { "readTextFile": true, "writeTextFile": true },
                "terminal": true,
                // Without a form some agents decline their own questions.
                "elicitation": { "form": {}, "url": {} },
                // A sign-in in a terminal: the program that runs is started there once more.
                "auth": { "terminal": true },
                "session": { "configOptions": { "boolean": {} }, "notices": {} },
                // Some run commands by themselves, and tell what is printed beside their tool calls.
                "_meta": { "terminal_output": true },
            },
            "clientInfo": { "name": "flightdeck", "title": "Flightdeck", "version": env!("CARGO_PKG_VERSION") },
        });
        self.ask("initialize", Asked::Initialize, &params);
        self.expect_ready();
    }

    /// Asks something of the agent. Gives the id of the request.
    pub(super) fn ask(&mut self, method: &str, what: Asked, params: &Value) -> i64 {
        let id = self.memory.ask(what);
        self.write(|draft| draft.send(&rpc::request(id, method, params)));
        id
    }

    pub(super) fn initialized(&mut self, result: Result<Value, acp::Error>) -> Result<(), Error> {
        let told = result.map_err(|error| words(&error)).and_then(|value| {
            serde_json::from_value::<acp::InitializeResponse>(value).map_err(|error| error.to_string())
        });
        let told = match told {
            Ok(told) if told.protocol_version == ProtocolVersion::V1 => told,
            Ok(told) => {
                let version = told.protocol_version;
                return self
                    .give_up_on(format!("it speaks version {version} of the protocol, and version 1 is spoken here"));
            }
            Err(problem) => return self.give_up_on(format!("it did not introduce itself: {problem}")),
        };
        let can = Can {
            load: told.agent_capabilities.load_session,
            resume: told.agent_capabilities.session_capabilities.resume.is_some(),
            close: told.agent_capabilities.session_capabilities.close.is_some(),
            mcp_http: told.agent_capabilities.mcp_capabilities.http,
            mcp_sse: told.agent_capabilities.mcp_capabilities.sse,
        };
        let abilities = Abilities {
            list_sessions: told.agent_capabilities.session_capabilities.list.is_some(),
            delete_sessions: told.agent_capabilities.session_capabilities.delete.is_some(),
            additional_directories: told.agent_capabilities.session_capabilities.additional_directories.is_some(),
            logout: told.agent_capabilities.auth.logout.is_some(),
        };
        self.memory.can = Some(can);
        let takes = told.agent_capabilities.prompt_capabilities;
        let command = self.seat.chat().agent.command;
        self.write(|draft| {
            let chat = draft.chat();
            if let Some(info) = told.agent_info {
                // A preset has a name that people know.
                if chat.agent.preset.is_none() {
                    chat.agent.title = info.title.unwrap_or_else(|| info.name.clone());
                }
                // Some are called by the whole name of their package.
                info.name.rsplit('/').next().unwrap_or_default().clone_into(&mut chat.agent.name);
                chat.agent.version = Some(info.version).filter(|version| !version.is_empty());
            }
            chat.accepts = Accepts { images: takes.image, audio: takes.audio, contents: takes.embedded_context };
            chat.abilities = abilities;
            chat.resumable = match can {
                Can { resume: true, .. } => Resumable::Resume,
                Can { load: true, .. } => Resumable::Load,
                _ => Resumable::No,
            };
            chat.auth = told.auth_methods.iter().map(|method| auth_method(method, &command)).collect();
        });
        let agent = self.seat.chat().agent;
        self.agent = Some(self.seat.arrive(&agent.name, agent.version.as_deref().unwrap_or_default()));
        if !abilities.additional_directories && !self.seat.chat().additional_directories.is_empty() {
            let text = "The agent can work in one folder only: the additional ones are left out.";
            self.note(Level::Warning, text);
        }
        self.begin_session()
    }

    /// Begins a session, or takes up the one that there was.
    pub(super) fn begin_session(&mut self) -> Result<(), Error> {
        let chat = self.seat.chat();
        let can = self.memory.can.unwrap_or_default();
        let root = self.seat.hub().workspace().root().to_owned();
        let (mut servers, problems) = mcp_servers::of_user(&self.seat.hub().settings().agents.mcp, can);
        for problem in problems {
            self.note(Level::Warning, &problem);
        }
        servers.insert(0, mcp_server(&self.program, &root));
        let mut params = json!({ "cwd": chat.cwd, "mcpServers": servers });
        if chat.abilities.additional_directories && !chat.additional_directories.is_empty() {
            params["additionalDirectories"] = json!(chat.additional_directories);
        }
        let what = match &chat.session {
            None => Asked::NewSession,
            Some(_) if can.resume => Asked::ResumeSession,
            Some(_) if can.load => Asked::LoadSession,
            Some(_) => return self.give_up_on("it can't take up an earlier session".to_owned()),
        };
        if let Some(session) = chat.session {
            params["sessionId"] = session.into();
        }
        // What was said is here already, unless the session comes from elsewhere.
        let said = |content: &EntryContent| !matches!(content, EntryContent::Note { .. });
        let is_here = self.seat.write(|draft| !draft.find(said).is_empty());
        self.memory.replaying = what == Asked::LoadSession && is_here;
        let (method, reason) = match what {
            Asked::ResumeSession => ("session/resume", "it takes its session up again"),
            Asked::LoadSession => ("session/load", "it reads its session again"),
            _ => ("session/new", "it begins a session"),
        };
        self.write(|draft| draft.state(ChatState::Starting, reason));
        self.ask(method, what, &params);
        self.expect_ready();
        Ok(())
    }

    pub(super) fn session_begun(&mut self, asked: &Asked, result: Result<Value, acp::Error>) -> Result<(), Error> {
        self.expect_ready();
        self.memory.replaying &= result.is_ok();
        let told = match result {
            Ok(told) => told,
            Err(error) if error.code == acp::ErrorCode::AuthRequired => return self.wants_sign_in(&words(&error)),
            Err(error) => {
                let what =
                    if *asked == Asked::NewSession { "began no session" } else { "could not take its session up" };
                return self.give_up_on(format!("it {what}: {}", words(&error)));
            }
        };
        self.memory.early.retain(|_| *asked == Asked::NewSession);
        let session = told.get("sessionId").and_then(Value::as_str).map(str::to_owned);
        if *asked == Asked::NewSession && session.is_none() {
            return self.give_up_on("it began a session without a name".to_owned());
        }
        self.memory.ready = true;
        self.memory.models = settings::has_models(&told);
        let again = *asked != Asked::NewSession;
        self.write(|draft| {
            let chat = draft.chat();
            if let Some(session) = session {
                chat.session = Some(session);
            }
            settings::read(chat, &told);
            let turns = chat.turn;
            match (again, turns) {
                (true, _) => draft.state(ChatState::Done, "it has taken its session up again"),
                (false, _) => draft.state(ChatState::Ready, "it can be prompted"),
            }
        });
        self.early_updates();
        Ok(())
    }

    /// The agent wants a person to sign in.
    pub(super) fn wants_sign_in(&mut self, why: &str) -> Result<(), Error> {
        let chat = self.seat.chat();
        if chat.auth.is_empty() {
            return self.give_up_on(format!("it wants a sign-in and offers no way to do so: {why}"));
        }
        self.write(|draft| draft.state(ChatState::WaitsForSignIn, format!("it wants a sign-in: {why}")));
        Ok(())
    }

    pub(super) fn authenticated(&mut self, result: Result<Value, acp::Error>) -> Result<(), Error> {
        match result {
            Ok(_) => self.signed_in(),
            Err(error) => {
                let text = format!("the sign-in has failed: {}", words(&error));
                self.note(Level::Error, &text);
                Err(Error::new(ErrorCode::AgentFailed, text))
            }
        }
    }

    /// It has what it needs to work, and its session if there is one.
    pub(super) fn signed_in(&mut self) -> Result<(), Error> {
        if !self.memory.ready {
            return self.begin_session();
        }
        if self.memory.turn().is_none() {
            self.write(|draft| draft.state(ChatState::Done, "it is signed in"));
        }
        Ok(())
    }

    /// Nothing can come of this agent: its process is ended.
    pub(super) fn give_up_on(&mut self, why: String) -> Result<(), Error> {
        let error = Error::new(ErrorCode::AgentFailed, why.clone());
        self.failed = Some(why);
        Err(error)
    }
}

/// Our own tools, as an agent starts them.
fn mcp_server(program: &Path, root: &Path) -> Value {
    let mut args = vec![json!("mcp"), json!("--workspace"), json!(root)];
    args.extend(TOOLS.map(Value::from));
    json!({ "name": "flightdeck", "command": program, "args": args, "env": [] })
}

fn auth_method(method: &acp::AuthMethod, command: &[String]) -> AuthMethod {
    let (run, env) = match method {
        // The whole of the command that the agent was started with, and more behind it.
        acp::AuthMethod::Terminal(terminal) => {
            let run = command.iter().chain(&terminal.args).cloned().collect();
            (Some(run), terminal.env.clone().into_iter().collect())
        }
        _ => (None, BTreeMap::new()),
    };
    AuthMethod {
        id: method.id().to_string(),
        name: method.name().to_owned(),
        description: method.description().map(str::to_owned),
        command: run,
        env,
    }
}
