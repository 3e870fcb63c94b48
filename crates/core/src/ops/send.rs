//! `terminal.send`: text, a paste, or keys.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::terminal::Send;
use serde_json::{Value, json};

use crate::convert;
use crate::hub::Hub;

pub(crate) async fn call(hub: &Arc<Hub>, send: Send) -> Result<Value, Error> {
    if send.text.is_none() && send.paste.is_none() && send.keys.is_empty() {
        return Err(Error::invalid("text", "nothing to send: give `text`, `paste` or `keys`"));
    }
    let session = hub.session(send.id)?;
    // The cursor before the input: what the program answers comes after it.
    let cursor = session.log().bounds().map_err(|error| convert::io_error("the log can't be read", &error))?.1;
    if let Some(text) = &send.text {
        session.write(text.as_bytes()).await.map_err(|error| convert::input_error(&error))?;
    }
    if let Some(text) = &send.paste {
        session.paste(text).await.map_err(|error| convert::input_error(&error))?;
    }
    if !send.keys.is_empty() {
        session.press(&send.keys).await.map_err(|error| convert::input_error(&error))?;
    }
    Ok(json!({ "cursor": cursor.0 }))
}
