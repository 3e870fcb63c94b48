//! What a client sends: so much at most, and in so much time.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use futures_util::StreamExt as _;

use flightdeck_contract::control::MAX_MESSAGE;

use super::problem::Problem;

/// So much of a message that is too long is read and thrown away, so that its sender hears why.
const DRAINED: usize = 2 * MAX_MESSAGE;
/// How long it may take to arrive.
const TIME: Duration = Duration::from_secs(30);

/// The whole body.
pub(super) async fn read(body: Body, most: usize) -> Result<Bytes, Problem> {
    let slow = || Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the message took too long to arrive");
    tokio::time::timeout(TIME, collect(body, most)).await.map_err(|_| slow())?
}

async fn collect(body: Body, most: usize) -> Result<Bytes, Problem> {
    let mut stream = body.into_data_stream();
    let mut whole = Vec::new();
    let mut length = 0;
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|error| Problem::new(StatusCode::BAD_REQUEST, "broken_off", error.to_string()))?;
        length += chunk.len();
        if length <= most {
            whole.extend_from_slice(&chunk);
        } else if length > DRAINED {
            break;
        }
    }
    if length > most {
        let message = format!("a message may have {most} bytes, and this one has more");
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message));
    }
    Ok(whole.into())
}
