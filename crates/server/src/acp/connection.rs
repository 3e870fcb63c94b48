//! One agent's connection: a loop over what is heard of it, what people want of it, and what was done for it.
//!
//! Nothing in the loop waits for a person or a command: what the agent asks is carried out aside, and its answer comes back
//! as an event of the loop.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::time::Duration;

use agent_client_protocol_schema::v1 as acp;
use flightdeck_contract::chat::{ChatState, Level, StopReason};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_core::{Agent, Draft, Heard, Line, Reply, Seat};
use serde_json::{Value, json};
use tokio::task::{AbortHandle, JoinError, JoinSet};
use tokio::time::Instant;

use super::forms;
use super::memory::{Asked, MAX_OPEN_BYTES, MAX_OPEN_REQUESTS, Memory, Open};
use super::requests::{self, Answered};
use super::rpc::{self, Message};
use super::sessions::Listing;
use super::updates;

/// How long what an agent tells may wait for the disk, when nothing follows from it.
const LAZY: Duration = Duration::from_millis(200);
/// How many lines that are nothing of the protocol are remembered, and how much of each.
const STRAY: usize = 10;
const STRAY_LENGTH: usize = 300;

/// How many answers go to the disk at once.
const MAX_ANSWERS_AT_ONCE: usize = 256;

/// One agent's connection.
pub(super) struct Connection {
    pub(super) seat: Seat,
    pub(super) program: PathBuf,
    pub(super) memory: Memory,
    pub(super) agent: Option<Agent>,
    /// What is carried out for the agent, by the id of its request.
    jobs: JoinSet<(String, Answered)>,
    handles: HashMap<String, AbortHandle>,
    /// Whoever waits for an answer of the agent.
    pub(super) replies: HashMap<i64, Reply<()>>,
    /// Lists of sessions that are asked for page by page, by the request for the next page.
    pub(super) listings: HashMap<i64, Listing>,
    /// Requests that are to be carried out once they are written down.
    begin: Vec<String>,
    /// Lines that were nothing of the protocol, the last ones.
    stray: VecDeque<String>,
    /// When the agent has to be ready.
    deadline: Option<Instant>,
    /// When what was written down has to be on disk.
    flush_at: Option<Instant>,
    /// Why it is over, when that is not the end of the process alone.
    pub(super) failed: Option<String>,
    /// Its process was ended for that.
    ending: bool,
}

impl Connection {
    pub(super) fn new(mut seat: Seat, program: PathBuf) -> Self {
        // What can't be read was written by another version: then it begins anew.
        let mut memory: Memory = serde_json::from_value(seat.memory()).unwrap_or_default();
        for (id, json) in std::mem::take(&mut seat.unanswered) {
            match serde_json::from_str::<Open>(&json) {
                Ok(open) => memory.insert_open(id, Open { bytes: json.len(), ..open }),
                Err(error) => tracing::error!(id = %seat.id(), %error, "a request of an agent can't be read"),
            }
        }
        Connection {
            seat,
            program,
            memory,
            agent: None,
            jobs: JoinSet::new(),
            handles: HashMap::new(),
            replies: HashMap::new(),
            listings: HashMap::new(),
            begin: Vec::new(),
            stray: VecDeque::new(),
            deadline: None,
            flush_at: None,
            failed: None,
            ending: false,
        }
    }

    /// Speaks with the agent until its process has ended.
    pub(super) async fn run(mut self) {
        self.take_up();
        self.settle().await;
        loop {
            let (deadline, flush_at) = (self.deadline, self.flush_at);
            tokio::select! {
                heard = self.seat.wire.next() => {
                    if let Heard::Ended { how, well } = heard {
                        self.ended(&how, well).await;
                        return;
                    }
                    self.heard(heard);
                }
                Some(order) = self.seat.orders.recv() => self.order(order),
                Some(done) = self.jobs.join_next() => self.finished(done),
                () = until(deadline) => self.too_late(),
                () = until(flush_at) => {
                    self.flush_at = None;
                    self.seat.flush().await;
                }
            }
            self.settle().await;
        }
    }

    /// Answers what was carried out, and whatever else has been meanwhile: all of it goes to the disk at once.
    fn finished(&mut self, first: Result<(String, Answered), JoinError>) {
        let batch = self.seat.batch();
        let _together = batch.hold();
        let mut next = Some(first);
        for _ in 0..MAX_ANSWERS_AT_ONCE {
            let Some(done) = next.take() else { return };
            // One that was aborted was answered when that was done.
            if let Ok((id, answered)) = done {
                self.answer(&id, answered);
            }
            next = self.jobs.try_join_next();
        }
        if let Some(Ok((id, answered))) = next {
            self.answer(&id, answered);
        }
    }

    /// Begins, or goes on where an earlier hub was.
    fn take_up(&mut self) {
        if self.memory.last == 0 {
            self.initialize();
            return;
        }
        if self.memory.can.is_some() {
            let agent = self.seat.chat().agent;
            self.agent = Some(self.seat.arrive(&agent.name, agent.version.as_deref().unwrap_or_default()));
        }
        if self.memory.open.values().any(|open| open.bytes == 0) {
            // An older version has kept them with everything else.
            self.write(|draft| {
                for (id, open) in &self.memory.open {
                    draft.open_request(id, open);
                }
            });
        }
        // What an agent has asked that is gone by now is not carried out.
        if !self.seat.wire.is_over() {
            self.begin = self.memory.open.keys().cloned().collect();
        }
        self.expect_ready();
    }

    /// Sees to it that what has to be on disk is there, and begins what waits for that.
    async fn settle(&mut self) {
        if self.failed.is_some() && !std::mem::replace(&mut self.ending, true) {
            self.seat.end().await;
        }
        if self.seat.is_urgent() || !self.begin.is_empty() {
            self.flush_at = None;
            self.seat.flush().await;
        } else if self.flush_at.is_none() {
            self.flush_at = Some(Instant::now() + LAZY);
        }
        for id in std::mem::take(&mut self.begin) {
            self.carry_out(id);
        }
    }

    fn heard(&mut self, heard: Heard) {
        match heard {
            Heard::Lines(lines) => {
                let batch = self.seat.batch();
                let _together = batch.hold();
                for line in &lines {
                    self.line(line);
                }
            }
            Heard::Lost(bytes) => self.note(
                Level::Warning,
                &format!("{bytes} bytes of what the agent said are lost: nobody read them before the log was full."),
            ),
            Heard::TooLong(bytes) => {
                self.note(
                    Level::Warning,
                    &format!("The agent said something that is longer than {bytes} bytes. It was left out."),
                );
            }
            Heard::Ended { .. } => {}
        }
    }

    fn line(&mut self, line: &Line) {
        let messages = rpc::parse(&line.bytes);
        if messages.is_none() {
            self.strayed(&line.bytes);
        }
        for message in messages.unwrap_or_default() {
            match message {
                Message::Request { id, method, params } => self.request(&id, method, params),
                Message::Notification { method, params } => self.notification(&method, params),
                Message::Response { id, result } => self.response(&id, result),
            }
        }
        self.write(|draft| draft.read_to(line.next));
    }

    /// Writes something down, and what is to be remembered with it.
    pub(super) fn write<T>(&self, write: impl FnOnce(&mut Draft<'_>) -> T) -> T {
        self.seat.write(|draft| {
            let result = write(draft);
            draft.remember(&self.memory);
            result
        })
    }

    pub(super) fn note(&self, level: Level, text: &str) {
        self.write(|draft| draft.note(level, text, None));
    }

    fn strayed(&mut self, line: &[u8]) {
        let text: String = String::from_utf8_lossy(line).chars().take(STRAY_LENGTH).collect();
        if text.trim().is_empty() {
            return;
        }
        if self.stray.len() == STRAY {
            self.stray.pop_front();
        }
        self.stray.push_back(text);
    }

    fn request(&mut self, id: &Value, method: String, params: Value) {
        let key = id.to_string();
        // The same request again is the same request.
        if self.memory.open.contains_key(&key) {
            return;
        }
        let open = Open { method, params, entry: None, bytes: 0 };
        let admitted = if self.agent.is_none() {
            Err(acp::Error::invalid_request().data(Value::from("initialize was not answered yet")))
        } else {
            self.check_room().and_then(|()| self.shown(open))
        };
        match admitted {
            Ok(mut open) => {
                open.bytes = self.write(|draft| draft.open_request(&key, &open));
                self.memory.insert_open(key.clone(), open);
                self.begin.push(key);
            }
            Err(error) => {
                self.write(|draft| draft.send(&rpc::response(id, &Err(error))));
            }
        }
    }

    /// Whether the agent may ask more before it was answered.
    fn check_room(&self) -> Result<(), acp::Error> {
        let open = self.memory.open.len();
        if open < MAX_OPEN_REQUESTS && self.memory.open_bytes < MAX_OPEN_BYTES {
            return Ok(());
        }
        let text = format!("{open} requests are not answered yet: wait for some of the answers, then ask again");
        let limits = json!({
            "code": ErrorCode::TooManyCalls,
            "open": open,
            "limit": MAX_OPEN_REQUESTS,
            "openBytes": self.memory.open_bytes,
            "limitBytes": MAX_OPEN_BYTES,
        });
        Err(acp::Error::new(acp::ErrorCode::InternalError.into(), text).data(limits))
    }

    /// Carries out what the agent has asked, aside.
    fn carry_out(&mut self, id: String) {
        let (Some(open), Some(agent)) = (self.memory.open.get(&id), &self.agent) else { return };
        let Some(job) = requests::job(&self.seat, agent, &id, open) else { return };
        let key = id.clone();
        let handle = self.jobs.spawn(async move { (key, job.await) });
        self.handles.insert(id, handle);
    }

    /// Tells the agent what came of its request, once.
    pub(super) fn answer(&mut self, id: &str, answered: Answered) {
        self.handles.remove(id);
        let Some(open) = self.memory.remove_open(id) else { return };
        forms::forget_page(&mut self.memory, &open, &answered);
        let wire_id: Value = serde_json::from_str(id).unwrap_or(Value::Null);
        let Answered { result, settled, room } = answered;
        let end = self.write(|draft| {
            if let (Some(entry), Some(settled)) = (open.entry, settled) {
                draft.change(entry, settled);
            }
            draft.settle_request(id);
            draft.send(&rpc::response(&wire_id, &result))
        });
        if let Some(room) = room {
            self.seat.answers().keep_until_read(end, room);
        }
    }

    /// Gives up what is carried out for a request, and answers it.
    pub(super) fn give_up(&mut self, id: &str, answered: Answered) {
        if let Some(handle) = self.handles.remove(id) {
            handle.abort();
        }
        self.answer(id, answered);
    }

    fn notification(&mut self, method: &str, params: Value) {
        match method {
            "session/update" => self.update(params),
            "$/cancel_request" => {
                let Some(id) = params.get("requestId").map(Value::to_string) else { return };
                let Some(open) = self.memory.open.get(&id) else { return };
                let answered = requests::taken_back(open);
                self.give_up(&id, answered);
            }
            "elicitation/complete" => self.page_completed(params),
            // What is not known is for others.
            _ => {}
        }
    }

    /// Updates that came before the name of the session was known.
    pub(super) fn early_updates(&mut self) {
        for params in std::mem::take(&mut self.memory.early) {
            self.update(params);
        }
    }

    fn update(&mut self, params: Value) {
        if self.memory.asked.values().any(|asked| *asked == Asked::NewSession) {
            // Some tell of a session before they have said what it is called.
            if self.memory.keep_early(params) {
                self.write(|_| ());
            } else {
                tracing::warn!(id = %self.seat.id(), "an update before the name of its session was known is left out");
            }
            return;
        }
        let meta = params.get("update").and_then(|update| update.get("_meta")).cloned();
        match requests::read::<acp::SessionNotification>(params) {
            Ok(notification) => {
                if let Err(error) = self.check_session(&notification.session_id) {
                    tracing::debug!(id = %self.seat.id(), %error, "an update of another session");
                    return;
                }
                if self.memory.replaying && updates::is_history(&notification.update) {
                    return;
                }
                let models = self.write(|draft| updates::apply(draft, notification.update, meta.as_ref()));
                if let Some(used) = models {
                    self.used(used);
                }
            }
            Err(error) => {
                tracing::debug!(id = %self.seat.id(), %error, "an update that can't be read");
            }
        }
    }

    fn response(&mut self, id: &Value, result: Result<Value, acp::Error>) {
        let Some((id, asked)) = id.as_i64().and_then(|id| Some((id, self.memory.asked.remove(&id)?))) else { return };
        let reply = self.replies.remove(&id);
        let answer = self.answered(id, asked, result);
        if let Some(reply) = reply {
            reply.send(answer);
        }
    }

    /// Follows from an answer of the agent's. What is given is for whoever waits for it.
    fn answered(&mut self, id: i64, asked: Asked, result: Result<Value, acp::Error>) -> Result<(), Error> {
        match asked {
            Asked::Initialize => self.initialized(result),
            Asked::NewSession | Asked::LoadSession | Asked::ResumeSession => self.session_begun(&asked, result),
            Asked::Authenticate => self.authenticated(result),
            Asked::Prompt { turn } => self.turn_ended(turn, result),
            Asked::Mode { mode } => self.mode_set(&mode, result),
            Asked::Option => self.option_set(result),
            Asked::Model { model } => self.model_set(&model, result),
            // One that can't let it go is ended all the same.
            Asked::Close => self.done(result).or(Ok(())),
            Asked::ListSessions => {
                self.sessions_listed(id, result);
                Ok(())
            }
            Asked::DeleteSession => self.done(result),
            Asked::SignOut => self.signed_out(result),
        }
    }

    /// The agent has to be ready soon.
    pub(super) fn expect_ready(&mut self) {
        let waits = self.memory.asked.values().any(|asked| {
            matches!(asked, Asked::Initialize | Asked::NewSession | Asked::LoadSession | Asked::ResumeSession)
        });
        let seconds = self.seat.hub().settings().agents.start_seconds;
        self.deadline = waits.then(|| Instant::now() + Duration::from_secs(seconds));
    }

    /// It was not.
    fn too_late(&mut self) {
        self.deadline = None;
        let seconds = self.seat.hub().settings().agents.start_seconds;
        let what = if self.memory.can.is_some() { "has begun no session" } else { "has not answered" };
        self.failed = Some(format!(
            "it {what} for {seconds} s: it may not speak the Agent Client Protocol, or wait for something"
        ));
    }

    /// The process has ended.
    async fn ended(&mut self, how: &str, well: bool) {
        self.jobs.shutdown().await;
        let by = self.seat.stopped_by();
        let (state, reason, level) = match (&self.failed, &by) {
            (Some(failed), _) => (ChatState::Failed, failed.clone(), Level::Error),
            (None, Some(by)) => (ChatState::Gone, format!("{by} stopped it"), Level::Info),
            (None, None) if well && self.memory.turn().is_none() => {
                (ChatState::Gone, "it has ended by itself".to_owned(), Level::Info)
            }
            (None, None) => (ChatState::Failed, format!("it has ended unexpectedly ({how})"), Level::Error),
        };
        let mut details: Vec<String> = self.stray.drain(..).collect();
        details.extend(self.seat.last_errors());
        // Whoever has stopped it need not be told what it said last.
        let details = (by.is_none() && !details.is_empty()).then(|| details.join("\n"));
        let open = std::mem::take(&mut self.memory.open);
        self.memory.open_bytes = 0;
        let turn = self.memory.turn();
        self.memory.asked.clear();
        self.memory.pages.clear();
        self.write(|draft| {
            for id in open.keys() {
                draft.settle_request(id);
            }
            for (entry, settled) in
                open.values().filter_map(|open| Some((open.entry?, requests::taken_back(open).settled?)))
            {
                draft.change(entry, settled);
            }
            if turn.is_some() {
                draft.end_turn(StopReason::Failed, None);
            }
            draft.note(level, format!("The agent is gone: {reason}."), details);
            draft.state(state, reason);
        });
        self.listings.clear();
        for (_, reply) in self.replies.drain() {
            reply.send(Err(Error::new(ErrorCode::AgentFailed, "the agent's process has ended")));
        }
        self.seat.flush().await;
    }
}

async fn until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}
