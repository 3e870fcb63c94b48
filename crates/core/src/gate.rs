//! The gate: every call, from a person or an agent, goes through the same steps in the same order.
//!
//! ```text
//!   validate ──► limit ──► classify ──► approve ──► note ──► carry out ──► note
//!   (schema)    (agents)  (policy)    (a person)  (audit)                (audit)
//! ```
//!
//! A call that changes something is noted before it is carried out, so that even a hub that is killed in the middle
//! leaves a trace of what it was doing.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;

use flightdeck_contract::{Error, ErrorCode};
use serde_json::Value;

use crate::actor::{Actor, Caller};
use crate::agents::results::Results;
use crate::audit::Noted;
use crate::call::Call;
use crate::hub::Hub;
use crate::registry::{Audience, Command, Draft, Family, Teller};

/// How the commands that an IDE has brought are counted: together, for nobody knows how many there will be.
const BROUGHT: &str = "bridge";

impl Hub {
    /// Calls a command. The only way in, for people and agents alike.
    pub async fn call(self: &Arc<Self>, call: Call, command: &str, args: Value) -> Result<Value, Error> {
        no_panic(self.go_through(call, command, args)).await
    }

    async fn go_through(self: &Arc<Self>, mut call: Call, command: &str, args: Value) -> Result<Value, Error> {
        call.caller = call.caller.counted();
        if self.is_closed() {
            return Err(stopping());
        }
        let started = Instant::now();
        let Some(command) = self.registry().get(command) else {
            let error = self.unknown(command);
            self.audit().refused(&call.caller, command, &args, &error).await;
            return Err(error);
        };
        let mut noted = {
            // What is typed at a question for a password is none of the log's business, whatever it is called.
            let hide = command.effects.executes && self.reads_password(&args);
            self.audit().draft(&call.caller, &command, &args, hide)
        };
        let subject = (command.family == Family::Openspace).then(|| Results::subject(&args));
        let actor = call.caller.actor.clone();
        let mut teller = None;
        let result = self.pass(&command, call, args, &mut noted, &mut teller).await.map_err(shorten);
        let outcome = result.as_ref().map_or_else(|error| error.code.name(), |_| "ok".to_owned());
        self.counters().call(command.own_id().unwrap_or(BROUGHT), &outcome, started.elapsed());
        if let Some(subject) = subject {
            if let Actor::Agent { number: 0, name } = &actor {
                // A program in a terminal never arrives, so its leaving would not be noticed either.
                self.agents().expect_again(name);
            }
            self.results().note(&actor, &command.id, subject, &result);
        }
        if !command.noted && result.is_ok() {
            noted.leave_out();
        } else if let Err(error) = self.audit().end(noted, &result, started.elapsed()).await {
            // It waits in memory until there is room. What was done is done, and the caller has to know how it ended.
            tracing::error!(command = %command.id, %error, "the end of a call could not be noted yet");
        }
        match (result, teller) {
            (Err(error), Some(tell)) => Ok(tell(&error)),
            (result, _) => result,
        }
    }

    async fn pass(
        self: &Arc<Self>,
        command: &Command,
        mut call: Call,
        args: Value,
        noted: &mut Noted,
        teller: &mut Option<Teller>,
    ) -> Result<Value, Error> {
        check_audience(command, &call.caller)?;
        let visible = self.check_visible(&args, &call.caller.actor);
        let draft = Draft { hub: self, caller: &call.caller, call: noted.number() };
        let mut job = command.prepare(args, &draft)?;
        *teller = job.teller();
        visible?;
        if let Some(trace) = job.trace() {
            noted.traced(trace.clone());
            call.caller.trace = Some(trace);
        }
        let _place = match &call.caller.limits {
            // What streams to a front end lasts as long as that is there; it is no work.
            Some(limits) if command.tool => {
                Some(limits.admit(call.caller.turn.as_deref(), call.cancelled.clone()).await?)
            }
            _ => None,
        };
        let authorised = tokio::select! {
            biased;
            permit = self.authorise_or_fall_back(command, &call, &mut *job, noted) => permit,
            _ = self.stopping() => Err(stopping()),
        };
        self.counters().decision(noted.decision());
        call.permit = authorised?;
        let effects = job.effects().unwrap_or(command.effects);
        if command.noted && !effects.only_reads() {
            self.audit().begin(noted, effects.executes).await?;
        }
        let work = no_panic(job.run(Arc::clone(self), call));
        tokio::select! {
            biased;
            result = work => result,
            _ = self.stopping() => Err(stopping()),
        }
    }

    fn unknown(&self, command: &str) -> Error {
        let shown: String = command.chars().take(80).collect();
        let near = self.registry().near(command);
        let hint = if near.is_empty() {
            "`flightdeck call --list` lists the commands".to_owned()
        } else {
            format!("did you mean {}?", near.join(" or "))
        };
        Error::new(ErrorCode::UnknownCommand, format!("there is no command {shown:?}")).hint(hint)
    }
}

/// What decides about agents is for people, and not from a place where an agent could type it.
fn check_audience(command: &Command, caller: &Caller) -> Result<(), Error> {
    if command.audience == Audience::All || (caller.actor.is_human() && caller.within.is_none()) {
        return Ok(());
    }
    let text = format!("{} is for people only", command.id);
    let error = Error::new(ErrorCode::NotAllowed, text);
    Err(match caller.within {
        Some(_) => error.hint(
            "it was called from inside of a terminal that agents can type into: use a terminal outside of Flightdeck and \
             of the tmux that its tabs run in, or the browser",
        ),
        None => error.hint("ask your user to do it"),
    })
}

fn stopping() -> Error {
    Error::new(ErrorCode::HubStopping, "the hub ends or restarts now")
        .hint("nothing was stopped: a command that was started goes on, and flightdeck.terminal.list finds it")
}

/// The longest message of an error. What a caller sent may stand in it, and need not come back whole.
const LONGEST_MESSAGE: usize = 1000;

fn shorten(mut error: Error) -> Error {
    if error.message.len() > LONGEST_MESSAGE {
        error.message.truncate(error.message.floor_char_boundary(LONGEST_MESSAGE));
        error.message.push('…');
    }
    error
}

/// A command that panics fails, and takes nobody with it.
async fn no_panic(work: impl Future<Output = Result<Value, Error>>) -> Result<Value, Error> {
    let mut work = pin!(work);
    poll_fn(move |context| match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))) {
        Ok(poll) => poll,
        Err(panic) => {
            let what = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("no message");
            tracing::error!(what, "a command panicked");
            let error = Error::new(ErrorCode::Internal, "the command failed by a mistake of Flightdeck's own")
                .hint("the hub goes on; its log has more: `flightdeck doctor` says where it is");
            std::task::Poll::Ready(Err(error))
        }
    })
    .await
}
