//! A person's consent to agents that control panes and editors: asked once for each version of the text, and stored.

use std::sync::Arc;

use flightdeck_contract::consent::{CONSENT_TEXT, CONSENT_VERSION, Consent, SetConsent};
use flightdeck_contract::{Error, ErrorCode};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::audit::now_ms;
use crate::convert;
use crate::store::{Change, Store};

const FACT: &str = "consent";

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Given {
    version: u32,
    allowed: bool,
    by: String,
    at_ms: i64,
}

/// How it stands.
#[derive(Debug)]
pub(crate) struct Consents {
    store: Arc<Store>,
    given: Mutex<Option<Given>>,
}

impl Consents {
    pub(crate) fn open(store: Arc<Store>) -> Self {
        let stored = store.fact(FACT).ok().flatten().and_then(|text| serde_json::from_str(&text).ok());
        Consents { store, given: Mutex::new(stored) }
    }

    /// How it stands.
    pub(crate) fn show(&self) -> Consent {
        let given = self.current();
        Consent {
            ask: given.is_none(),
            allowed: given.as_ref().map(|given| given.allowed),
            by: given.as_ref().map(|given| given.by.clone()),
            at_ms: given.as_ref().map(|given| given.at_ms),
            version: CONSENT_VERSION,
            text: CONSENT_TEXT.to_owned(),
        }
    }

    /// Takes an answer. Blocks until it is stored, when it is to be.
    pub(crate) fn set(&self, answer: SetConsent, by: &str) -> Result<Consent, Error> {
        if answer.version != CONSENT_VERSION {
            let problem = format!("version {} of the text was shown, {CONSENT_VERSION} is in force", answer.version);
            return Err(
                Error::invalid("version", problem).hint("show the text of flightdeck.consent.show and ask again")
            );
        }
        let given = Given { version: answer.version, allowed: answer.allow, by: by.to_owned(), at_ms: now_ms() };
        if answer.remember {
            let text = serde_json::to_string(&given).unwrap_or_default();
            let stored = self.store.write(Change::PutFact(FACT.to_owned(), text));
            stored.map_err(|error| convert::store_error(&error))?;
        }
        *self.given.lock() = Some(given);
        Ok(self.show())
    }

    /// Refuses what a person has declined. With no answer yet there is nobody whose screen it would be.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.current() {
            Some(given) if !given.allowed => {
                Err(Error::new(ErrorCode::ConsentDeclined, "the user does not let agents control panes and editors")
                    .hint("terminals and files still work; a person can change it with `flightdeck consent --allow`"))
            }
            _ => Ok(()),
        }
    }

    /// What was answered to the text that is in force.
    fn current(&self) -> Option<Given> {
        let given = self.given.lock();
        given.clone().filter(|given| given.version == CONSENT_VERSION)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Surroundings;

    fn open(dir: &std::path::Path) -> Consents {
        Consents::open(Arc::new(Store::open(dir, &Surroundings::default()).unwrap().store))
    }

    fn answer(allow: bool, remember: bool) -> SetConsent {
        SetConsent { allow, version: CONSENT_VERSION, remember }
    }

    #[test]
    fn an_answer_is_kept_for_its_version_of_the_text() {
        let dir = tempfile::tempdir().unwrap();
        let consents = open(dir.path());
        assert!(consents.show().ask);
        consents.check().unwrap();
        consents.set(answer(false, true), "cli:anna").unwrap();
        let refused = consents.check().unwrap_err();
        assert_eq!(refused.code, ErrorCode::ConsentDeclined);
        assert!(refused.message.starts_with("the user does not"), "{}", refused.message);
        drop(consents);
        let consents = open(dir.path());
        assert_eq!((consents.show().ask, consents.show().allowed), (false, Some(false)));
        consents.set(answer(true, false), "cli:anna").unwrap();
        consents.check().unwrap();
        drop(consents);
        assert_eq!(open(dir.path()).show().allowed, Some(false), "what was not to be remembered is forgotten");
        let consents = open(dir.path());
        assert!(consents.set(SetConsent { version: CONSENT_VERSION + 1, ..answer(true, true) }, "cli:anna").is_err());
    }
}
