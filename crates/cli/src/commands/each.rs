//! One call for each of several terminals: one that fails keeps nobody from trying the others.

use std::process::ExitCode;

use flightdeck_contract::TerminalId;
use serde_json::{Value, json};

use crate::report::{self, Asked};

/// What came of all the calls.
#[derive(Debug, Default)]
pub struct Each {
    /// In the order in which they were asked for; a failure has `error`.
    pub results: Vec<Value>,
    failed: bool,
}

impl Each {
    /// Does this for all of them, and tells each failure at once.
    pub async fn of(ids: Vec<TerminalId>, call: impl AsyncFn(TerminalId) -> anyhow::Result<Value>) -> Self {
        let mut each = Each::default();
        for id in ids {
            match call(id).await {
                Ok(result) => each.results.push(result),
                Err(error) => {
                    let asked = Asked { terminal: Some(id), ..Asked::default() };
                    report::words(&error, asked);
                    each.failed = true;
                    each.results.push(json!({ "id": id, "error": report::as_json(&error, asked) }));
                }
            }
        }
        each
    }

    /// The exit code of all together.
    pub fn code(&self) -> ExitCode {
        if self.failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}
