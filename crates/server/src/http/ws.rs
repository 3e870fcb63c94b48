//! `/ws`: the door for browsers, which speak the protocol of the private socket.

use std::sync::Arc;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::response::Response;
use axum::routing::any;
use axum::{Extension, Router};
use flightdeck_contract::control::MAX_MESSAGE;
use flightdeck_core::Hub;
use tokio_util::sync::CancellationToken;

use crate::control::ws;
use crate::origin::Guest;

/// What somebody is called who shows the token here: a program, and no person.
const PROGRAM: &str = "front-end";

pub(super) fn routes(hub: Arc<Hub>, closing: CancellationToken) -> Router {
    Router::new().route("/ws", any(open)).with_state((hub, closing))
}

async fn open(
    State((hub, closing)): State<(Arc<Hub>, CancellationToken)>,
    Extension(guest): Extension<Guest>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let caller = guest.caller(&hub, PROGRAM).await;
    upgrade
        .max_message_size(MAX_MESSAGE)
        .max_frame_size(MAX_MESSAGE)
        .on_upgrade(move |socket| ws::serve(socket, hub, caller, closing))
}
