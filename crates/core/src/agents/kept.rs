//! Leases on disk, so that the next hub knows who holds the controls.

use std::collections::BTreeMap;
use std::sync::Arc;

use flightdeck_contract::TerminalId;
use serde::{Deserialize, Serialize};

use crate::store::{Change, Store};

const LEASES: &str = "leases";

/// A lease as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptLease {
    pub actor: String,
    pub human: bool,
    /// An agent's number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    pub since: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Where they are kept: all in one fact, because there are few and they change seldom.
#[derive(Debug)]
pub(crate) struct Kept(Arc<Store>);

impl Kept {
    pub(crate) fn new(store: Arc<Store>) -> Self {
        Kept(store)
    }

    /// Keeps these in place of those before. It is on disk soon, in the order in which it was said.
    pub(crate) fn save(&self, leases: BTreeMap<TerminalId, KeptLease>) {
        match serde_json::to_string(&leases.into_iter().collect::<Vec<_>>()) {
            // On a full disk the lease counts all the same, and is lost with the hub.
            Ok(text) => drop(self.0.send(Change::PutFact(LEASES.to_owned(), text))),
            Err(error) => tracing::error!(%error, "leases can't be kept"),
        }
    }

    /// What the last hub kept.
    pub(crate) fn load(&self) -> Vec<(TerminalId, KeptLease)> {
        let text = self.0.fact(LEASES).ok().flatten();
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }
}
