//! What people want of the agent.

use agent_client_protocol_schema::v1 as acp;
use flightdeck_contract::chat::{Block, ChatState, EntryContent, Level, PermissionOutcome, Prompted, StopReason};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_core::{Instruction, Reply};
use serde_json::{Value, json};

use super::blocks;
use super::connection::Connection;
use super::forms;
use super::memory::Asked;
use super::requests::{self, Answered};
use super::rpc::{self, words};

impl Connection {
    pub(super) fn order(&mut self, order: Instruction) {
        match order {
            Instruction::Prompt { content, by, reply } => reply.send(self.prompt(content, by)),
            Instruction::Cancel { reply } => reply.send(self.cancel(String::new())),
            Instruction::Mode { mode, reply } => {
                let asked = self.ready().and_then(|()| self.choose_mode(mode));
                self.await_reply(asked, reply);
            }
            Instruction::Option { option, value, reply } => {
                let asked = self.ready().and_then(|()| self.choose_option(&option, value));
                self.await_reply(asked, reply);
            }
            Instruction::Authenticate { method, reply } => {
                let asked = self.authenticate(&method);
                self.await_reply(asked, reply);
            }
            Instruction::SignedIn { reply } => reply.send(self.signed_in()),
            Instruction::Answer { entry, values, by, reply } => reply.send(forms::answer(self, entry, values, by)),
            Instruction::ListSessions { all, reply } => self.list_sessions(all, reply),
            Instruction::DeleteSession { session, reply } => {
                let asked = self.delete_session(&session);
                self.await_reply(asked, reply);
            }
            Instruction::SignOut { reply } => {
                let asked = self.sign_out();
                self.await_reply(asked, reply);
            }
            Instruction::Close { reply } => self.close(reply),
        }
    }

    fn await_reply(&mut self, asked: Result<i64, Error>, reply: Reply<()>) {
        match asked {
            Ok(id) => drop(self.replies.insert(id, reply)),
            Err(error) => reply.send(Err(error)),
        }
    }

    /// Whether the agent has a session.
    fn ready(&self) -> Result<(), Error> {
        if self.memory.ready {
            return Ok(());
        }
        let chat = self.seat.chat();
        let text = format!("{} can't be prompted yet: {}", chat.agent.title, chat.reason);
        let error = Error::new(ErrorCode::ChatNotReady, text);
        Err(match chat.state {
            ChatState::WaitsForSignIn => error.hint("sign in with flightdeck.chat.authenticate"),
            _ => error.hint("wait until it is ready: flightdeck.chat.watch tells"),
        })
    }

    fn prompt(&mut self, content: Vec<Block>, by: String) -> Result<Prompted, Error> {
        self.ready()?;
        if self.memory.turn().is_some() {
            let text = "the agent still works on the last prompt";
            return Err(Error::new(ErrorCode::ChatNotReady, text).hint("wait for its end, or cancel it"));
        }
        self.check_budget()?;
        let chat = self.seat.chat();
        let prompt = blocks::to_agent(&content, &chat, self.seat.hub().workspace().root())?;
        let turn = chat.turn + 1;
        let id = self.memory.ask(Asked::Prompt { turn });
        self.memory.cancelled = None;
        self.memory.replaying = false;
        let params = json!({ "sessionId": chat.session, "prompt": prompt });
        self.write(|draft| {
            draft.prompt(content, by);
            draft.state(ChatState::Working, "it works on the prompt");
            draft.send(&rpc::request(id, "session/prompt", &params));
        });
        Ok(Prompted { turn })
    }

    /// Answers as cancelled all that the agent waits for from a person.
    fn give_up_questions(&mut self) {
        let waiting: Vec<_> = self
            .memory
            .open
            .iter()
            .filter(|(_, open)| requests::waits_for_a_person(open))
            .map(|(id, open)| (id.clone(), requests::cancelled(open)))
            .collect();
        for (id, answered) in waiting {
            self.give_up(&id, answered);
        }
    }

    /// Tells the agent to stop. What it waits for is answered as cancelled, as the protocol wants it.
    /// `used`: what of the budget was, if that is why.
    pub(super) fn cancel(&mut self, used: String) -> Result<(), Error> {
        if self.memory.turn().is_none() {
            return Err(Error::new(ErrorCode::ChatNotReady, "the agent does nothing that could be cancelled"));
        }
        self.give_up_questions();
        self.memory.cancelled = Some(used);
        let params = json!({ "sessionId": self.seat.chat().session });
        self.write(|draft| draft.send(&rpc::notification("session/cancel", &params)));
        Ok(())
    }

    fn authenticate(&mut self, method: &str) -> Result<i64, Error> {
        let chat = self.seat.chat();
        let Some(known) = chat.auth.iter().find(|known| known.id == method) else {
            let ids: Vec<_> = chat.auth.iter().map(|known| known.id.as_str()).collect();
            return Err(Error::invalid("method", format!("the agent offers: {}", ids.join(", "))));
        };
        if let Some(command) = &known.command {
            // The gate's command starts it there, and does not come here.
            let text = format!("{} is done in a terminal: {}", known.name, command.join(" "));
            return Err(Error::new(ErrorCode::NotSupported, text).hint("run it, then start the agent again"));
        }
        Ok(self.ask("authenticate", Asked::Authenticate, &json!({ "methodId": method })))
    }

    /// Lets the session go where the agent can do so.
    fn close(&mut self, reply: Reply<()>) {
        let can = self.memory.can.unwrap_or_default().close && self.memory.ready;
        if !can {
            reply.send(Ok(()));
            return;
        }
        let params = json!({ "sessionId": self.seat.chat().session });
        let id = self.ask("session/close", Asked::Close, &params);
        self.replies.insert(id, reply);
    }

    /// The agent has answered a prompt.
    pub(super) fn turn_ended(&mut self, turn: u32, result: Result<Value, acp::Error>) -> Result<(), Error> {
        let cancelled = self.memory.cancelled.take();
        let tokens = result.as_ref().ok().and_then(tokens_of);
        let stopped = match result {
            Ok(told) => Ok(stop_reason(told.get("stopReason").and_then(Value::as_str).unwrap_or("end_turn"))),
            // Some agents fail when they are cancelled.
            Err(_) if cancelled.is_some() => Ok(StopReason::Cancelled),
            Err(error) => Err(error),
        };
        // A question that its turn has left open has nobody who waits for the answer.
        self.give_up_questions();
        if self.seat.chat().turn != turn {
            self.write(|_| ());
            return Ok(());
        }
        match stopped {
            Ok(StopReason::Cancelled) if cancelled.as_ref().is_some_and(|used| !used.is_empty()) => {
                let reason = format!("the budget is used up: {}; raise it to go on", cancelled.unwrap_or_default());
                self.write(|draft| {
                    draft.end_turn(StopReason::Budget, tokens);
                    draft.state(ChatState::Failed, reason);
                });
            }
            Ok(reason) => self.write(|draft| {
                draft.end_turn(reason, tokens);
                draft.state(ChatState::Done, stop_words(reason));
            }),
            Err(error) => {
                let text = words(&error);
                self.write(|draft| {
                    draft.note(Level::Error, format!("The agent has failed: {text}"), None);
                    draft.end_turn(StopReason::Failed, None);
                    draft.state(ChatState::Failed, text.clone());
                });
                if error.code == acp::ErrorCode::AuthRequired {
                    return self.wants_sign_in(&text);
                }
            }
        }
        if let Some(tokens) = tokens {
            self.used(super::budget::Used { turn_tokens: Some(tokens), ..Default::default() });
        }
        Ok(())
    }
}

/// The tokens of a turn, where the agent tells them: as the protocol has it, or as Gemini CLI does.
fn tokens_of(told: &Value) -> Option<u64> {
    let quota = |name: &str| told.pointer(&format!("/_meta/quota/token_count/{name}")).and_then(Value::as_u64);
    told.pointer("/usage/totalTokens")
        .and_then(Value::as_u64)
        .or_else(|| Some(quota("input_tokens")? + quota("output_tokens")?))
}

fn stop_reason(reason: &str) -> StopReason {
    match reason {
        "max_tokens" => StopReason::MaxTokens,
        "max_turn_requests" => StopReason::MaxRequests,
        "refusal" => StopReason::Refusal,
        "cancelled" => StopReason::Cancelled,
        _ => StopReason::EndTurn,
    }
}

fn stop_words(reason: StopReason) -> &'static str {
    match reason {
        StopReason::EndTurn => "it has ended its turn",
        StopReason::MaxTokens => "its model's answer became too long",
        StopReason::MaxRequests => "it has asked its model as often as it may in one turn",
        StopReason::Refusal => "it does not want to",
        StopReason::Cancelled => "its turn was cancelled",
        StopReason::Budget => "the budget is used up",
        StopReason::Failed => "it has failed",
    }
}

/// A question that was taken back.
pub(super) fn no_answer() -> Answered {
    let outcome = json!({ "outcome": { "outcome": "cancelled" } });
    Answered {
        result: Ok(outcome),
        settled: Some(Box::new(|content: &mut EntryContent| {
            if let EntryContent::Permission(asked) = content {
                asked.approval = None;
                asked.outcome = Some(PermissionOutcome::Cancelled);
            }
        })),
        room: None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::tokens_of;

    #[test]
    fn tokens_are_read_as_each_agent_tells_them() {
        let quota = json!({ "quota": { "token_count": { "input_tokens": 20, "output_tokens": 10 } } });
        assert_eq!(tokens_of(&json!({ "usage": { "totalTokens": 7 }, "_meta": quota })), Some(7));
        assert_eq!(tokens_of(&json!({ "stopReason": "end_turn", "_meta": quota })), Some(30));
        assert_eq!(tokens_of(&json!({ "usage": null, "_meta": { "quota": { "token_count": null } } })), None);
    }
}
