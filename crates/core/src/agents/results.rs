//! How the last `openspace.*` calls of each agent ended. What fails again and again goes into the instructions, so that an
//! agent that has lost its context does not try it once more.

use std::collections::{HashMap, VecDeque};

use flightdeck_contract::hub::CallResult;
use flightdeck_contract::{Error, ErrorCode};
use parking_lot::{Mutex, MutexGuard};
use serde_json::Value;

use crate::actor::Actor;
use crate::audit::now_ms;

/// How many results of one agent are kept.
const KEPT: usize = 20;
/// So many failures in the same way are no accident.
const REPEATED: usize = 3;
/// What failed longer ago is not told any more.
const RECENT_MS: i64 = 3_600_000;
/// Agents whose results are kept, the latest ones.
const AGENTS: usize = 50;
/// How much of a failure's words is kept.
const LONGEST: usize = 200;

/// The results of all agents.
#[derive(Debug, Default)]
pub(crate) struct Results(Mutex<HashMap<u32, VecDeque<CallResult>>>);

impl Results {
    /// Notes how a call ended. People see their own failures.
    pub(crate) fn note(&self, actor: &Actor, command: &str, subject: Option<&str>, result: &Result<Value, Error>) {
        let Actor::Agent { number, name } = actor else { return };
        // These two say that the agent or its user changed their mind, not that something does not work.
        let failed =
            result.as_ref().err().filter(|error| !matches!(error.code, ErrorCode::Cancelled | ErrorCode::Declined));
        let noted = CallResult {
            agent: format!("{name}#{number}"),
            command: command.to_owned(),
            subject: subject.map(short),
            success: result.is_ok(),
            code: failed.map(|error| error.code),
            error: failed.map(|error| short(&error.message)),
            at_ms: now_ms(),
        };
        let mut agents = self.lock();
        if !agents.contains_key(number)
            && agents.len() >= AGENTS
            && let Some(oldest) = agents.keys().min().copied()
        {
            agents.remove(&oldest);
        }
        let ring = agents.entry(*number).or_default();
        if ring.len() == KEPT {
            ring.pop_front();
        }
        ring.push_back(noted);
    }

    /// All that is kept, oldest first within an agent.
    pub(crate) fn all(&self) -> Vec<CallResult> {
        let agents = self.lock();
        let mut numbers: Vec<_> = agents.keys().copied().collect();
        numbers.sort_unstable();
        numbers.iter().filter_map(|number| agents.get(number)).flatten().cloned().collect()
    }

    /// What failed again and again in the same way and has not succeeded since, with how often.
    pub(crate) fn persistent(&self) -> Vec<(CallResult, usize)> {
        let mut found: Vec<(CallResult, usize)> = Vec::new();
        let since = now_ms() - RECENT_MS;
        for result in self.all().into_iter().filter(|result| result.at_ms >= since) {
            let alike = |failure: &CallResult| failure.command == result.command && failure.subject == result.subject;
            if result.success {
                // Arguments that could not be read are about nothing; now they could be.
                found.retain(|(failure, _)| {
                    !alike(failure) && (failure.command != result.command || failure.subject.is_some())
                });
                continue;
            }
            let same = |failure: &CallResult| alike(failure) && failure.error == result.error;
            match found.iter_mut().find(|(failure, _)| same(failure)) {
                Some((_, times)) => *times += 1,
                None if result.error.is_some() => found.push((result, 1)),
                None => {}
            }
        }
        found.retain(|(_, times)| *times >= REPEATED);
        found
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u32, VecDeque<CallResult>>> {
        self.0.lock()
    }
}

/// The beginning of a text, on one line.
fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(number: u32) -> Actor {
        Actor::Agent { number, name: "a".to_owned() }
    }

    fn missing(path: &str) -> Result<Value, Error> {
        Err(Error::new(ErrorCode::FileNotFound, format!("file not found: {path}")))
    }

    #[test]
    fn the_last_twenty_of_an_agent_are_kept() {
        let results = Results::default();
        for number in 0..30 {
            results.note(&agent(1), "openspace.editor.open", None, &missing(&number.to_string()));
        }
        results.note(&agent(2), "openspace.pane.list", None, &Ok(Value::Null));
        results.note(&Actor::Human("cli:anna".to_owned()), "openspace.pane.list", None, &missing("x"));
        let all = results.all();
        assert_eq!(all.len(), 21);
        assert_eq!(all[0].error.as_deref(), Some("file not found: 10"));
        assert_eq!((all[20].agent.as_str(), all[20].success), ("a#2", true));
    }

    #[test]
    fn only_what_fails_again_and_again_is_told() {
        let results = Results::default();
        let open = "openspace.editor.open";
        for path in ["a", "b", "a"] {
            results.note(&agent(1), open, Some(path), &missing(path));
        }
        assert_eq!(results.persistent(), [], "three failures, but not the same");
        results.note(&agent(2), open, Some("a"), &missing("a"));
        let told = results.persistent();
        assert_eq!((told.len(), told[0].1), (1, 3));
        assert_eq!(told[0].0.error.as_deref(), Some("file not found: a"));
        results.note(&agent(2), open, Some("b"), &Ok(Value::Null));
        assert_eq!(results.persistent().len(), 1, "another file says nothing about this one");
        results.note(&agent(2), open, Some("a"), &Ok(Value::Null));
        assert_eq!(results.persistent(), [], "it works again");
        let close = "openspace.editor.close";
        for _ in 0..3 {
            results.note(&agent(1), close, None, &Err(Error::invalid("path", "it is missing")));
        }
        assert_eq!(results.persistent().len(), 1);
        results.note(&agent(1), close, Some("a"), &Ok(Value::Null));
        assert_eq!(results.persistent(), [], "it has learnt what to give");
    }
}
