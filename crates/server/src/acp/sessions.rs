//! The sessions that the agent knows beside that of the conversation, and signing out.

use agent_client_protocol_schema::v1 as acp;
use flightdeck_contract::chat::{AgentSessions, ChatState, ListedSession};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_core::Reply;
use serde_json::{Value, json};

use super::connection::Connection;
use super::memory::Asked;
use super::rpc::words;

/// How many sessions are listed.
const MAX_SESSIONS: usize = 1000;

/// A list that the agent gives page by page.
pub(super) struct Listing {
    reply: Reply<AgentSessions>,
    /// The folder whose sessions are wanted.
    cwd: Option<String>,
    found: Vec<ListedSession>,
    /// Where the page that was asked for begins.
    cursor: Option<String>,
}

impl Connection {
    /// Asks for the sessions of the conversation's folder, or for all.
    pub(super) fn list_sessions(&mut self, all: bool, reply: Reply<AgentSessions>) {
        let chat = self.seat.chat();
        if let Err(error) = self.check_ability(chat.abilities.list_sessions, "list its sessions") {
            reply.send(Err(error));
            return;
        }
        let cwd = (!all).then_some(chat.cwd);
        self.ask_for_page(Listing { reply, cwd, found: Vec::new(), cursor: None });
    }

    fn ask_for_page(&mut self, listing: Listing) {
        let mut params = json!({});
        if let Some(cwd) = &listing.cwd {
            params["cwd"] = json!(cwd);
        }
        if let Some(cursor) = &listing.cursor {
            params["cursor"] = json!(cursor);
        }
        let id = self.ask("session/list", Asked::ListSessions, &params);
        self.listings.insert(id, listing);
    }

    /// A page has come.
    pub(super) fn sessions_listed(&mut self, id: i64, result: Result<Value, acp::Error>) {
        self.write(|_| ());
        // Whoever asked an earlier hub is gone.
        let Some(mut listing) = self.listings.remove(&id) else { return };
        let told = result.map_err(|error| refused(&error)).and_then(|told| {
            serde_json::from_value::<acp::ListSessionsResponse>(told)
                .map_err(|error| Error::new(ErrorCode::AgentFailed, format!("its list can't be read: {error}")))
        });
        let told = match told {
            Ok(told) => told,
            Err(error) => {
                listing.reply.send(Err(error));
                return;
            }
        };
        let is_empty = told.sessions.is_empty();
        listing.found.extend(told.sessions.into_iter().map(listed));
        let more = told.next_cursor.filter(|next| !is_empty && listing.cursor.as_ref() != Some(next));
        if more.is_some() && listing.found.len() < MAX_SESSIONS {
            listing.cursor = more;
            self.ask_for_page(listing);
            return;
        }
        let more = more.is_some() || listing.found.len() > MAX_SESSIONS;
        listing.found.truncate(MAX_SESSIONS);
        listing.reply.send(Ok(AgentSessions { sessions: listing.found, more }));
    }

    /// Has it forget another session. Gives the id of the request.
    pub(super) fn delete_session(&mut self, session: &str) -> Result<i64, Error> {
        let chat = self.seat.chat();
        self.check_ability(chat.abilities.delete_sessions, "delete its sessions")?;
        if chat.session.as_deref() == Some(session) {
            let text = format!("{session} is the session of {} itself", chat.id);
            return Err(Error::invalid("session", text).hint("delete it from another conversation with this agent"));
        }
        Ok(self.ask("session/delete", Asked::DeleteSession, &json!({ "sessionId": session })))
    }

    /// Signs out. Gives the id of the request.
    pub(super) fn sign_out(&mut self) -> Result<i64, Error> {
        self.check_ability(self.seat.chat().abilities.logout, "sign out")?;
        if self.memory.turn().is_some() {
            let text = "the agent still works on the last prompt";
            return Err(Error::new(ErrorCode::ChatNotReady, text).hint("wait for its end, or cancel it"));
        }
        Ok(self.ask("logout", Asked::SignOut, &json!({})))
    }

    /// It has signed out.
    pub(super) fn signed_out(&mut self, result: Result<Value, acp::Error>) -> Result<(), Error> {
        self.write(|_| ());
        result.map_err(|error| refused(&error))?;
        if self.seat.chat().auth.is_empty() {
            return Ok(());
        }
        self.write(|draft| draft.state(ChatState::WaitsForSignIn, "it is signed out"));
        Ok(())
    }

    /// It has done something of which nothing follows here.
    pub(super) fn done(&mut self, result: Result<Value, acp::Error>) -> Result<(), Error> {
        self.write(|_| ());
        result.map(drop).map_err(|error| refused(&error))
    }

    /// Whether the agent is there and has said that it can do something.
    fn check_ability(&self, can: bool, what: &str) -> Result<(), Error> {
        let chat = self.seat.chat();
        if self.memory.can.is_none() {
            return Err(Error::new(ErrorCode::ChatNotReady, format!("{} is not there yet", chat.agent.title)));
        }
        if can {
            return Ok(());
        }
        Err(Error::new(ErrorCode::NotSupported, format!("{} can't {what} for a client", chat.agent.title)))
    }
}

fn listed(session: acp::SessionInfo) -> ListedSession {
    let path = |path: std::path::PathBuf| path.to_string_lossy().into_owned();
    ListedSession {
        session: session.session_id.to_string(),
        cwd: path(session.cwd),
        additional_directories: session.additional_directories.into_iter().map(path).collect(),
        title: session.title,
        updated_at: session.updated_at,
        conversation: None,
    }
}

fn refused(error: &acp::Error) -> Error {
    Error::new(ErrorCode::AgentFailed, format!("the agent has refused: {}", words(error)))
}
