//! One policy file: the text that is in force, and what stands on the disk.

use std::path::PathBuf;

use flightdeck_contract::policy::{PolicyChange, PolicyNotice, PolicyState, RejectedFile};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_policy::{NewRule, Rules};

use super::difference;
use super::text::{self, Seen};
use crate::audit::now_ms;
use crate::convert;
use crate::store::{Change, Store};

#[derive(Debug)]
pub(super) struct File {
    pub path: PathBuf,
    /// Under which name the text in force is stored.
    fact: &'static str,
    seen: Seen,
    accepted: Accepted,
    /// What the file says, when that is something else.
    outside: Option<Outside>,
}

/// Whether the database says what a person has accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    Trusted,
    /// It was lost, or is another one than the hub has written.
    Doubted,
}

/// What is in force.
#[derive(Debug, Default)]
pub(super) struct Accepted {
    pub text: String,
    pub rules: Rules,
}

/// What was not written by the hub.
#[derive(Debug)]
pub(super) struct Outside {
    /// `None` when there is no file, or none that can be read.
    pub text: Option<String>,
    /// Or what is wrong with it.
    pub rules: Result<Rules, String>,
}

impl File {
    /// A file with the text that was in force last. Only a workspace whose hubs have never had one takes what is there: the
    /// rules that a person has written before the first start.
    ///
    /// When the database was lost or is another one than the hub has written, what a person has accepted is not known any
    /// more ([`Memory::Doubted`]): of the text only what forbids and asks counts, and a person has to accept it again.
    pub fn open(path: PathBuf, fact: &'static str, store: &Store, memory: Memory) -> Self {
        let (seen, outside) = look_at(&path);
        let mut file = File { path, fact, seen, accepted: Accepted::default(), outside: None };
        match store.fact(fact) {
            Ok(text) if memory == Memory::Doubted => {
                let text = Rules::careful_part(text.as_deref().or(outside.text.as_deref()).unwrap_or_default());
                let rules = Rules::parse(&text).unwrap_or_default();
                file.accepted = Accepted { text, rules };
                file.keep(store);
            }
            Ok(Some(text)) => {
                let rules = Rules::parse(&text).unwrap_or_default();
                file.accepted = Accepted { text, rules };
            }
            Ok(None) => {
                if let Outside { text, rules: Ok(rules) } = &outside {
                    file.accepted = Accepted { text: text.clone().unwrap_or_default(), rules: rules.clone() };
                }
                file.keep(store);
            }
            // What was in force can't be told, so that nothing is allowed by it.
            Err(error) => tracing::error!(%error, fact, "the rules that were in force can't be read"),
        }
        file.compare(outside, store);
        file
    }

    /// The rules in force.
    pub fn rules(&self) -> &Rules {
        &self.accepted.rules
    }

    pub fn is_there(&self) -> bool {
        matches!(self.seen, Seen::There { .. })
    }

    /// What is wrong with what it says.
    pub fn problem(&self) -> Option<&str> {
        self.outside.as_ref().and_then(|outside| outside.rules.as_ref().err()).map(String::as_str)
    }

    /// Why what it says is not in force; `None` when it is.
    pub fn state(&self) -> Option<PolicyState> {
        self.outside.as_ref().map(|outside| match outside {
            Outside { rules: Err(_), .. } => PolicyState::Broken,
            Outside { text: None, .. } => PolicyState::Removed,
            Outside { .. } => PolicyState::Changed,
        })
    }

    /// The same in words for people.
    pub fn notice(&self) -> Option<PolicyNotice> {
        let state = self.state()?;
        let what = match state {
            PolicyState::Changed => "it was changed from outside, and",
            PolicyState::Removed => "it was removed from outside, and",
            PolicyState::Broken => "it is broken, and",
        };
        let todo = match state {
            PolicyState::Changed | PolicyState::Removed => {
                "`flightdeck policy accept` shows the difference and lets it count, `flightdeck policy reject` puts the file back"
            }
            PolicyState::Broken => {
                "`flightdeck policy check` says what is wrong, `flightdeck policy reject` puts the file back"
            }
        };
        let text = format!("{what} the last good rules stay in force: {todo}");
        Some(PolicyNotice { file: self.path.to_string_lossy().into_owned(), state, text })
    }

    /// What would change if what it says were in force.
    pub fn change(&self) -> Option<PolicyChange> {
        let (outside, state) = (self.outside.as_ref()?, self.state()?);
        Some(difference::between(&self.path, state, &self.accepted, outside))
    }

    /// Reads it again when it has changed.
    pub fn look(&mut self, store: &Store) {
        if text::see(&self.path) == self.seen {
            return;
        }
        let outside;
        (self.seen, outside) = look_at(&self.path);
        self.compare(outside, store);
    }

    /// Holds what the file says against what is in force. Rules that are the same under other comments need nobody's yes.
    fn compare(&mut self, outside: Outside, store: &Store) {
        let before = self.state();
        if outside.rules.as_ref() == Ok(&self.accepted.rules) {
            let text = outside.text.unwrap_or_default();
            if text != self.accepted.text {
                self.accepted.text = text;
                self.keep(store);
            }
            self.outside = None;
        } else {
            self.outside = Some(outside);
        }
        if self.state() != before
            && let Some(notice) = self.notice()
        {
            tracing::warn!(path = notice.file, problem = self.problem(), "the policy file: {}", notice.text);
        }
    }

    /// Adds a rule to the file and to what is in force. Says whether it was in force already.
    pub fn add(&mut self, rule: &NewRule, store: &Store) -> Result<bool, Error> {
        let on_disk = text::read(&self.path).map_err(|error| self.unusable(&error))?.unwrap_or_default();
        let with = |text: &str| {
            Rules::add(text, rule).map_err(|error| {
                Error::new(ErrorCode::PolicyInvalid, format!("the rule was not added: {error}")).hint(format!(
                    "the file is {}; `flightdeck policy reject` puts the last good one back",
                    self.path.display()
                ))
            })
        };
        let (file, accepted) = (with(&on_disk)?, with(&self.accepted.text)?);
        if file != on_disk {
            text::replace(&self.path, &file).map_err(|error| self.unusable(&error))?;
        }
        let known = accepted == self.accepted.text;
        self.put(accepted, store)?;
        self.read_again(store);
        Ok(known)
    }

    /// Takes a rule out of the file and out of what is in force, or puts another in its place. Says whether there was one.
    pub fn change_rule(&mut self, name: &str, instead: Option<&NewRule>, store: &Store) -> Result<bool, Error> {
        let on_disk = text::read(&self.path).map_err(|error| self.unusable(&error))?.unwrap_or_default();
        let without = |text: &str| {
            let changed = match instead {
                Some(rule) => Rules::replace(text, name, rule),
                None => Rules::remove(text, name),
            };
            changed.map_err(|error| {
                Error::new(ErrorCode::PolicyInvalid, format!("the rule was not changed: {error}"))
                    .hint(format!("the file is {}; `flightdeck policy edit` opens it", self.path.display()))
            })
        };
        let Some(accepted) = without(&self.accepted.text)? else { return Ok(false) };
        // What waits there may have taken it out already.
        if let Some(file) = without(&on_disk)? {
            text::replace(&self.path, &file).map_err(|error| self.unusable(&error))?;
        }
        self.put(accepted, store)?;
        self.read_again(store);
        Ok(true)
    }

    /// Puts into force what was seen of it.
    pub fn accept(&mut self, store: &Store) -> Result<(), Error> {
        let Some(Outside { text, rules: Ok(_) }) = &self.outside else { return Ok(()) };
        let text = text.clone().unwrap_or_default();
        self.put(text, store)?;
        self.read_again(store);
        Ok(())
    }

    /// Puts the text in force back into the file.
    pub fn reject(&mut self) -> Result<RejectedFile, Error> {
        let aside = text::put_back(&self.path, &self.accepted.text, now_ms()).map_err(|error| self.unusable(&error))?;
        let shown = |path: &std::path::Path| path.to_string_lossy().into_owned();
        Ok(RejectedFile { file: shown(&self.path), aside: aside.as_deref().map(shown) })
    }

    /// Writes down what is in force.
    pub fn keep(&self, store: &Store) {
        if let Err(error) = store.write(self.fact(&self.accepted.text)) {
            tracing::warn!(%error, "the last good policy could not be stored");
        }
    }

    /// Puts a text into force, after it was written down: what a person was told to count must do so after a restart.
    fn put(&mut self, text: String, store: &Store) -> Result<(), Error> {
        let rules = Rules::parse(&text).map_err(|error| Error::new(ErrorCode::PolicyInvalid, error.to_string()))?;
        store.write(self.fact(&text)).map_err(|error| {
            convert::store_error(&error).hint("nothing has changed of the rules in force: make room and try again")
        })?;
        self.accepted = Accepted { text, rules };
        Ok(())
    }

    fn read_again(&mut self, store: &Store) {
        let outside;
        (self.seen, outside) = look_at(&self.path);
        self.compare(outside, store);
    }

    fn fact(&self, text: &str) -> Change {
        Change::PutFact(self.fact.to_owned(), text.to_owned())
    }

    fn unusable(&self, error: &std::io::Error) -> Error {
        convert::io_error(&format!("the policy {} can't be changed", self.path.display()), error)
    }
}

/// What stands on the disk. It is looked at before it is read: what changes in between is seen the next time.
fn look_at(path: &std::path::Path) -> (Seen, Outside) {
    let seen = text::see(path);
    let read = match &seen {
        Seen::Unreadable(why) => Err(why.clone()),
        Seen::Missing | Seen::There { .. } => text::read(path).map_err(|error| error.to_string()),
    };
    let outside = match read {
        Ok(text) => {
            let rules = Rules::parse(text.as_deref().unwrap_or_default()).map_err(|error| error.to_string());
            Outside { text, rules }
        }
        Err(why) => Outside { text: None, rules: Err(why) },
    };
    (seen, outside)
}
