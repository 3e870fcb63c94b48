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

use crate::actor::{Actor, Caller, Entry, Surface};
use crate::agents::visible::check_visible;
use crate::approvals::authorise;
use crate::approvals::standing::with_what_stands;
use crate::audit::Noted;
use crate::call::Call;
use crate::hub::{Hub, Stop};
use crate::order::Pace;
use crate::registry::{Audience, Command, Concern, Draft, Family, Job};
use crate::stream::{self, Ends, Running};
use crate::terminals::named::reads_password;

/// How the commands that an IDE has brought are counted: together, for nobody knows how many there will be.
const BROUGHT: &str = "bridge";

impl Hub {
    /// Begins a call. The only way in, for people and agents alike.
    pub fn begin(self: &Arc<Self>, caller: Caller, command: &str, args: Value) -> Running {
        let Ends { events, input, cancel, progress, call } = stream::ends(caller);
        let (hub, command) = (Arc::clone(self), command.to_owned());
        let result = Box::pin(async move { no_panic(hub.go_through(call, &command, args)).await });
        Running { events, input, cancel, progress, result }
    }

    /// Calls a command whose result is all that is wanted.
    pub async fn call(self: &Arc<Self>, caller: Caller, command: &str, args: Value) -> Result<Value, Error> {
        let Running { result, cancel: _cancel, .. } = self.begin(caller, command, args);
        result.await
    }

    async fn go_through(self: &Arc<Self>, mut call: Call, command: &str, args: Value) -> Result<Value, Error> {
        call.caller = call.caller.counted();
        if self.is_closed() {
            return Err(stopping(None));
        }
        let started = Instant::now();
        let Some(command) = self.registry().get(command) else {
            let error = self.unknown(command);
            self.audit().refused(&call.caller, command, &args, &error).await;
            return Err(error);
        };
        let mut noted = self.audit().draft(&call.caller, &command, &args);
        let job = command.prepare(args, &Draft { hub: self, caller: &call.caller, call: noted.number() });
        let concern = job.as_deref().ok().and_then(Job::concern);
        if let Some(ticket) = &call.caller.ticket {
            let places = concern.as_ref().map(|it| it.places(self)).unwrap_or_default();
            let effects = job.as_deref().ok().and_then(Job::effects).unwrap_or(command.effects);
            let asked = || concern.as_ref().is_some_and(|it| it.is_asked(self));
            let pace = match &concern {
                Some(it) if it.urgent => Pace::Urgent,
                Some(it) if it.types => Pace::Types(&asked),
                _ if effects.only_reads() => Pace::Looks,
                _ => Pace::InOrder,
            };
            // What is typed into a terminal is judged by what is there when its turn has come.
            tokio::select! {
                () = ticket.turn(places, pace) => {}
                () = call.cancelled.clone().wait() => {}
            }
        }
        let may_be_input = job.as_deref().is_ok_and(Job::may_be_input);
        if job.as_deref().is_ok_and(Job::is_secret) {
            noted.hide();
        }
        let concern = self.note_concern(&command, concern, may_be_input, &mut noted);
        let teller = job.as_ref().ok().and_then(|job| job.teller());
        let (actor, ticket) = (call.caller.actor.clone(), call.caller.ticket.clone());
        let report = call.report.clone();
        // What streams to a front end lasts as long as that is there; it is no work.
        let work =
            command.tool.then(|| self.agents().doings().begin(&actor, command.id.clone(), concern.terminal_id()));
        let result = self.pass(&command, call, job, &concern, &mut noted).await.map_err(shorten);
        if let Some(ticket) = ticket {
            ticket.took_effect();
        }
        if let Some(work) = work.flatten() {
            work.ended(command.id.clone(), &result);
        }
        let outcome = result.as_ref().map_or_else(|error| error.code.name(), |_| "ok".to_owned());
        self.counters().call(command.own_id().unwrap_or(BROUGHT), &outcome, started.elapsed());
        if command.family == Family::Openspace {
            if let Actor::Agent { number: 0, name } = &actor {
                // A program in a terminal never arrives, so its leaving would not be noticed either.
                self.agents().expect_again(name);
            }
            self.results().note(&actor, &command.id, concern.subject.as_deref(), &result);
        }
        if let Some(reported) = report.take() {
            noted.did(reported);
        }
        let ended = if !command.noted && result.is_ok() {
            noted.leave_out();
            Ok(())
        } else {
            self.audit().end(noted, &result, started.elapsed()).await
        };
        if let Err(error) = &ended {
            // It waits in memory until there is room. What was done is done, and the caller has to know how it ended.
            tracing::error!(command = %command.id, %error, "the end of a call could not be noted yet");
        }
        let mut result = match (result, teller) {
            (Err(error), Some(tell)) => Ok(tell(&error)),
            (result, _) => result,
        };
        if let Ok(result) = &mut result
            && !command.effects.only_reads()
            && let Some(words) = self.disk_is_full(&ended)
        {
            command.warn(result, &words);
        }
        result
    }

    async fn pass(
        self: &Arc<Self>,
        command: &Command,
        mut call: Call,
        job: Result<Box<dyn Job>, Error>,
        concern: &Concern,
        noted: &mut Noted,
    ) -> Result<Value, Error> {
        check_audience(command, &call.caller)?;
        let mut job = job?;
        check_visible(self, concern.terminal.as_ref(), &call.caller.actor)?;
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
            permit = authorise::authorise_or_fall_back(self, command, &call, &mut *job, noted) => {
                permit.map_err(|error| with_what_stands(self, &*job, error))
            }
            _ = self.stopping() => Err(stopping(None)),
        };
        self.counters().decision(noted.decision());
        call.permit = authorised?;
        let changed = call.permit.changed.clone();
        let effects = job.effects().unwrap_or(command.effects);
        if command.noted && !effects.only_reads() {
            self.audit().begin(noted, effects.executes).await?;
        }
        let work = no_panic(job.run(Arc::clone(self), call));
        let mut result = tokio::select! {
            biased;
            result = work => result,
            how = self.stopping() => Err(stopping(Some(how).filter(|_| !effects.only_reads()))),
        };
        match (&mut result, changed) {
            (Ok(result), Some(words)) => command.warn(result, &words),
            (Err(error), Some(words)) => {
                error.hint = Some(error.hint.take().map_or_else(|| words.clone(), |hint| format!("{words} {hint}")));
            }
            (_, None) => {}
        }
        result
    }

    /// Notes what a call is about. What is typed at a question for a password is none of the log's business, whatever it
    /// is called; of arguments that can't be read it is not known where they would have gone.
    fn note_concern(
        &self,
        command: &Command,
        concern: Option<Concern>,
        may_be_input: bool,
        noted: &mut Noted,
    ) -> Concern {
        let terminal = concern.as_ref().and_then(|concern| concern.terminal.as_ref());
        if let Some(terminal) = terminal {
            noted.about(self, terminal);
        }
        let secret = || match &concern {
            // What is typed where nobody reads it may be meant for a question that is over.
            Some(_) => {
                terminal.is_some_and(|terminal| terminal.reads_password(self) || may_be_input && terminal.is_over(self))
            }
            None => self.ids_of_terminals().into_iter().any(|id| reads_password(self, id)),
        };
        if command.effects.executes && secret() {
            noted.hide();
        }
        concern.unwrap_or_default()
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
    // The actor is as it counts: nobody inside of a terminal or with the token alone is a person.
    let admitted = match command.audience {
        Audience::All => true,
        Audience::People => caller.actor.is_human(),
        Audience::Conversations => caller.surface == Surface::Acp,
        Audience::Ides => caller.actor.is_human() || (caller.surface, caller.entry) == (Surface::Http, Entry::Token),
    };
    if admitted {
        return Ok(());
    }
    let text = match command.audience {
        Audience::Conversations => format!("{} is for agents that the hub runs itself", command.id),
        _ => format!("{} is for people only", command.id),
    };
    Err(Error::new(ErrorCode::NotAllowed, text).hint(match caller.entry {
        Entry::InsideTerminal(_) => {
            "it was called from inside of a terminal that agents can type into: use a terminal outside of Flightdeck and \
             of the tmux that its tabs run in, or the browser"
        }
        Entry::OfAgent => "it was called by a process of an agent: use a terminal that no agent has started, or the browser",
        Entry::Unknown => {
            "nobody can tell whose this process is: an agent may have left it behind, something confines it, or the kernel is \
             older than 6.5; use a newly opened terminal or the browser, or pair this one: run `flightdeck pair` here, and \
             type the code that `flightdeck pair` shows there"
        }
        Entry::Token if caller.surface == Surface::Http => {
            "the token is for programs: `flightdeck open` lets a person's browser in"
        }
        _ => "ask your user to do it",
    }))
}

/// The hub ends. `begun`: how, when the call may have done something already.
fn stopping(begun: Option<Stop>) -> Error {
    Error::new(ErrorCode::HubStopping, "the hub ends or restarts now").hint(match begun {
        None => "wait a moment and try again",
        Some(Stop::Hub) => "what was started goes on: wait a moment, and look how far it came before you try again",
        Some(Stop::All) => "all terminals end with it: wait a moment, and look how far it came before you try again",
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Registry;

    #[test]
    fn a_hub_that_ends_sends_nobody_to_a_call_that_would_fail_the_same_way() {
        for begun in [None, Some(Stop::Hub), Some(Stop::All)] {
            let hint = stopping(begun).hint.unwrap();
            assert!(hint.contains("wait a moment") && !hint.contains("flightdeck."), "{begun:?}: {hint}");
            assert_eq!(hint.contains("goes on"), begun == Some(Stop::Hub), "{begun:?}: {hint}");
        }
    }

    #[test]
    fn each_door_leads_to_what_is_meant_for_it() {
        let registry = Registry::new();
        let agent = || {
            let mut caller = Caller::human("");
            caller.actor = Actor::Agent { number: 1, name: "codex".into() };
            caller
        };
        let person = || Caller::human("anna");
        let doors = [
            ("socket", person().through(Surface::Control, Entry::Socket), [true, true, true]),
            ("cookie", person().through(Surface::Http, Entry::Cookie), [true, true, true]),
            ("token", person().through(Surface::Http, Entry::Token), [true, true, false]),
            ("inside", person().through(Surface::Control, Entry::INSIDE), [true, false, false]),
            ("inside over HTTP", person().through(Surface::Http, Entry::INSIDE), [true, false, false]),
            ("of an agent", person().through(Surface::Control, Entry::OfAgent), [true, false, false]),
            ("unknown", person().through(Surface::Control, Entry::Unknown), [true, false, false]),
            ("agent", agent().through(Surface::McpStdio, Entry::Socket), [true, false, false]),
            ("agent with the token", agent().through(Surface::McpHttp, Entry::Token), [true, false, false]),
            ("agent with a cookie", agent().through(Surface::McpHttp, Entry::Cookie), [true, false, false]),
        ];
        let commands = ["flightdeck.terminal.run", "flightdeck.bridge.register", "flightdeck.approval.answer"];
        for (door, caller, expected) in doors {
            let caller = caller.counted();
            for (id, admitted) in commands.into_iter().zip(expected) {
                let command = registry.get(id).unwrap();
                assert_eq!(check_audience(&command, &caller).is_ok(), admitted, "{door}: {id}");
            }
        }
    }
}
