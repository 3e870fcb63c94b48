//! Pane and editor commands go to an external IDE while one is registered, and to the hub's own workbench otherwise.

use std::collections::BTreeSet;
use std::future::Future;

use flightdeck_contract::openspace::Shown;
use flightdeck_contract::{Error, ErrorCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::call::Call;
use crate::hub::Hub;

/// Has the IDE do it when there is one.
pub(super) async fn through<Q: Serialize, R: DeserializeOwned>(
    hub: &Hub,
    call: &Call,
    command: &str,
    request: &Q,
    own: impl Future<Output = Result<R, Error>>,
) -> Result<R, Error> {
    match ask(hub, call, command, request).await? {
        None => own.await,
        Some(result) => serde_json::from_value(result).map_err(|error| undocumented(command, &error.to_string())),
    }
}

/// Who sees what is shown now.
pub(super) fn seen(hub: &Hub) -> Shown {
    let ide = hub.bridge().shown().and_then(|state| state.ide);
    let viewers = || hub.workbench().look(|state| state.viewers().map(|viewer| viewer.name.clone()).collect());
    let seen_by: BTreeSet<String> = ide.map_or_else(viewers, |ide| BTreeSet::from([ide]));
    Shown { shown: !seen_by.is_empty(), seen_by: seen_by.into_iter().collect() }
}

/// What the IDE answers. `None`: there is none.
pub(super) async fn ask<Q: Serialize>(
    hub: &Hub,
    call: &Call,
    command: &str,
    request: &Q,
) -> Result<Option<Value>, Error> {
    let args = serde_json::to_value(request).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))?;
    hub.bridge().execute(&call.caller.actor, command, args, call.cancelled.clone()).await.transpose()
}

/// An answer in a form that nobody has agreed on.
pub(super) fn undocumented(command: &str, problem: &str) -> Error {
    let text = format!("the IDE answered {command} in a form that is not the documented one: {problem}");
    Error::new(ErrorCode::BridgeFailed, text).hint("its developers should look at docs/commands.md")
}
