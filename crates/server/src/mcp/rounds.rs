//! Calls of the protocol without sessions that need a person's yes: the question is the answer to the first request, and
//! the person's answer comes with the second.
//!
//! ```text
//!   tools/call ──────────────────────────► the call begins, and asks
//!              ◄── input_required + state ──  it waits here
//!   tools/call + state + answer ─────────► it goes on
//!              ◄── result ──────────────────
//! ```
//!
//! The state that the client carries is only a name. A call that nobody comes back for ends with its approval.

use std::borrow::Cow;
use std::collections::HashMap;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::{Duration, Instant};

use flightdeck_contract::approval::Approval;
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_core::{Agent, Answer, Asks, Caller, Command, Hub};
use parking_lot::Mutex;
use rmcp::model::{CallToolResponse, InputRequest, InputRequests, InputRequiredResult, InputResponses};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::{calls, elicitation};
use crate::auth::secret;
use crate::origin::Origin;

/// The name of the question in a client's answers.
const QUESTION: &str = "approval";
/// How many calls may wait at once. Each agent can have no more than its own limit.
const WAITING: usize = 256;
/// How long the result of a call is kept that has ended while nobody came back for it.
const KEPT: Duration = Duration::from_mins(1);

/// The calls that wait for their clients, by the state that those carry.
#[derive(Debug, Default)]
pub(crate) struct Rounds(Mutex<HashMap<String, Round>>);

/// What a request has to be about to go on with a call: the same thing, by the same agent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Subject {
    pub agent: String,
    pub command: Cow<'static, str>,
    pub args: Value,
}

/// A call that was begun.
#[derive(Debug)]
struct Round {
    subject: Subject,
    work: JoinHandle<calls::Outcome>,
    cancel: calls::Handle,
    questions: mpsc::Receiver<Question>,
    asked: Option<Question>,
    since: Instant,
}

/// What a call wants to know.
#[derive(Debug)]
struct Question {
    approval: Approval,
    answer: oneshot::Sender<Value>,
}

/// The person behind a client without a connection.
#[derive(Debug)]
struct Deferred {
    client: String,
    origin: Origin,
    questions: mpsc::Sender<Question>,
}

impl Asks for Deferred {
    fn ask(&self, approval: Approval) -> Pin<Box<dyn Future<Output = Option<Answer>> + Send>> {
        let (client, origin, questions) = (self.client.clone(), self.origin.clone(), self.questions.clone());
        Box::pin(async move {
            if origin.client_entry().await.may_be_agent() {
                return None;
            }
            let (answer, given) = oneshot::channel();
            questions.send(Question { approval: approval.clone(), answer }).await.ok()?;
            let asked = Instant::now();
            let given = given.await.ok()?;
            elicitation::answer(&given, asked.elapsed(), &approval, &client)
        })
    }
}

/// A call that may ask.
pub(super) struct Begin<'a> {
    pub hub: &'a Arc<Hub>,
    pub command: &'a Command,
    /// It stays for the whole call.
    pub agent: Agent,
    pub caller: Caller,
    pub origin: Origin,
    pub subject: Subject,
}

impl Rounds {
    /// Begins a call.
    pub(super) async fn begin(&self, begin: Begin<'_>, context: &RequestContext<RoleServer>) -> CallToolResponse {
        let Begin { hub, command, agent, mut caller, origin, subject } = begin;
        let (sender, questions) = mpsc::channel(1);
        let client = caller.actor.agent_name().unwrap_or_default().to_owned();
        caller.asks = Some(Arc::new(Deferred { client, origin, questions: sender }));
        let (work, cancel) = calls::begin(hub, command, subject.args.clone(), caller);
        let work = tokio::spawn(async move {
            let outcome = work.await;
            drop(agent);
            outcome
        });
        let round = Round { subject, work, cancel, questions, asked: None, since: Instant::now() };
        self.go_on(round, command, context).await
    }

    /// Goes on with a call whose client has come back.
    pub(super) async fn resume(
        &self,
        state: &str,
        subject: &Subject,
        responses: Option<&InputResponses>,
        command: &Command,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut round = self.take(state, subject).ok_or_else(|| {
            let problem = "there is no call with this requestState: its time is over, it was answered already, or it is \
                           about something else; call the tool again without it";
            ErrorData::invalid_params(problem, None)
        })?;
        let given = responses.and_then(|responses| responses.get(QUESTION)).filter(|given| given.is_object());
        match (round.asked.take(), given) {
            // The call may have ended without it meanwhile.
            (Some(asked), Some(given)) => drop(asked.answer.send(given.clone())),
            (Some(asked), None) if !round.work.is_finished() => return Ok(self.ask(round, asked)),
            _ => {}
        }
        Ok(self.go_on(round, command, context).await)
    }

    /// Waits for the end of a call, or for its next question.
    async fn go_on(
        &self,
        mut round: Round,
        command: &Command,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResponse {
        let question = {
            let Round { work, cancel, questions, .. } = &mut round;
            let mut end = pin!(calls::end(work, cancel, context));
            tokio::select! {
                biased;
                done = &mut end => Err(done),
                question = questions.recv() => match question {
                    Some(question) => Ok(question),
                    None => Err(end.await),
                },
            }
        };
        match question {
            Ok(question) => self.ask(round, question),
            Err(done) => {
                let (result, attached) = done.unwrap_or_else(|error| (Err(broken(&error)), Vec::new()));
                calls::answer(command, &result, &attached, context).into()
            }
        }
    }

    /// Puts a question to the client, and keeps the call until it comes back.
    fn ask(&self, mut round: Round, asked: Question) -> CallToolResponse {
        let mut requests = InputRequests::new();
        if let Some(question) = elicitation::question(&asked.approval) {
            requests.insert(QUESTION.to_owned(), InputRequest::Elicitation(question));
        }
        round.asked = Some(asked);
        round.since = Instant::now();
        let state = secret();
        let mut waiting = self.0.lock();
        waiting.retain(|_, round| !(round.work.is_finished() && round.since.elapsed() > KEPT));
        if waiting.len() < WAITING {
            waiting.insert(state.clone(), round);
        }
        InputRequiredResult::new(Some(requests), Some(state)).into()
    }

    fn take(&self, state: &str, subject: &Subject) -> Option<Round> {
        let mut waiting = self.0.lock();
        // Somebody else's attempt does not end the call.
        if waiting.get(state)?.subject == *subject { waiting.remove(state) } else { None }
    }
}

fn broken(error: &tokio::task::JoinError) -> Error {
    Error::new(ErrorCode::Internal, format!("the call was broken off: {error}"))
}
