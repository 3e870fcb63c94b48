//! How interactive work reaches a person: which way, and the adapter that goes it.
//!
//! A front end that is attached serves at once. Without one, a window is started, or the request leaves the container.

mod adapter;
mod inputs;
mod mode;

use std::collections::BTreeMap;
use std::sync::Arc;

use flightdeck_contract::canonical::AdapterOverride;
use flightdeck_contract::{Error, ErrorCode};
use parking_lot::Mutex;
use serde_json::json;

pub use adapter::{Adapter, Connect, Doing, Errand, Sent};
pub(crate) use inputs::Inputs;
pub use inputs::{BridgeInputs, SHORTEST_TOKEN, TokenSource};
pub use mode::Way;

/// The ways that this hub has.
#[derive(Debug)]
pub(crate) struct Runtime {
    inputs: Inputs,
    adapters: Mutex<BTreeMap<Way, Arc<dyn Adapter>>>,
}

impl Runtime {
    pub(crate) fn new(inputs: Inputs) -> Self {
        Runtime { inputs, adapters: Mutex::default() }
    }

    /// The way that a request goes.
    pub(crate) fn way(&self, asked: AdapterOverride) -> Result<Way, Error> {
        mode::resolve(asked, &self.inputs)
    }

    pub(crate) fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    pub(crate) fn add(&self, way: Way, adapter: Arc<dyn Adapter>) {
        self.adapters.lock().insert(way, adapter);
    }

    /// Who goes this way.
    pub(crate) fn adapter(&self, way: Way) -> Result<Arc<dyn Adapter>, Error> {
        self.adapters.lock().get(&way).cloned().ok_or_else(|| {
            // A hub inside of a test or of another program has none.
            Error::new(ErrorCode::ApprovalUnavailable, "nobody is attached to see it")
                .details(json!({ "adapter": way.name(), "attempted_candidates": [], "spawn_errors": [], "next_action": "ask your user to open a front end of the workspace, then send it again" }))
        })
    }

    pub(crate) fn close(&self) {
        let adapters: Vec<_> = self.adapters.lock().values().cloned().collect();
        for adapter in adapters {
            adapter.close();
        }
    }
}
