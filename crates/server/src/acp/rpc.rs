//! Messages of JSON-RPC, one in a line.

use agent_client_protocol_schema::v1 as acp;
use serde::Serialize;
use serde_json::{Value, json};

/// Something that an agent says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Message {
    /// It wants an answer.
    Request { id: Value, method: String, params: Value },
    /// It tells something.
    Notification { method: String, params: Value },
    /// It answers.
    Response { id: Value, result: Result<Value, acp::Error> },
}

/// What stands in a line; `None` when that is nothing of the protocol.
pub(super) fn parse(line: &[u8]) -> Option<Vec<Message>> {
    match serde_json::from_slice(line).ok()? {
        Value::Array(batch) if !batch.is_empty() => batch.into_iter().map(message).collect(),
        one => message(one).map(|message| vec![message]),
    }
}

fn message(value: Value) -> Option<Message> {
    let Value::Object(mut fields) = value else { return None };
    let id = fields.remove("id");
    if let Some(Value::String(method)) = fields.remove("method") {
        let params = fields.remove("params").unwrap_or(Value::Null);
        return Some(match id {
            Some(id) => Message::Request { id, method, params },
            None => Message::Notification { method, params },
        });
    }
    let id = id?;
    let result = match (fields.remove("error"), fields.remove("result")) {
        (Some(error), _) if !error.is_null() => Err(error_of(&error)),
        (_, Some(result)) => Ok(result),
        _ => return None,
    };
    Some(Message::Response { id, result })
}

/// An error as an agent tells it, whatever it has left out.
fn error_of(error: &Value) -> acp::Error {
    serde_json::from_value(error.clone()).unwrap_or_else(|_| {
        let message = error.get("message").and_then(Value::as_str).map_or_else(|| error.to_string(), str::to_owned);
        acp::Error::new(-32603, message)
    })
}

pub(super) fn request(id: i64, method: &str, params: &impl Serialize) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

pub(super) fn notification(method: &str, params: &impl Serialize) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

pub(super) fn response(id: &Value, result: &Result<Value, acp::Error>) -> Value {
    match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(error) => json!({ "jsonrpc": "2.0", "id": id, "error": error }),
    }
}

/// What went wrong, in one line: the details of some agents say more than their message.
pub(super) fn words(error: &acp::Error) -> String {
    let details = error.data.as_ref().and_then(|data| {
        let text =
            data.as_str().or_else(|| ["details", "message", "error"].iter().find_map(|key| data.get(key)?.as_str()));
        text.map(str::to_owned)
    });
    match details.filter(|details| !error.message.contains(details.as_str())) {
        Some(details) => format!("{}: {details}", error.message),
        None => error.message.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart_and_everything_else_is_nothing() {
        let request = parse(br#"{"jsonrpc":"2.0","id":5,"method":"terminal/create","params":{"a":1}}"#).unwrap();
        assert_eq!(
            request,
            [Message::Request { id: json!(5), method: "terminal/create".into(), params: json!({ "a": 1 }) }]
        );
        let note = parse(br#"{"jsonrpc":"2.0","method":"session/update"}"#).unwrap();
        assert_eq!(note, [Message::Notification { method: "session/update".into(), params: Value::Null }]);
        let answer = parse(br#"{"id":"x","result":null}"#).unwrap();
        assert_eq!(answer, [Message::Response { id: json!("x"), result: Ok(Value::Null) }]);
        let failed = parse(br#"{"id":1,"error":{"code":-32000,"message":"no","data":{"details":"why"}}}"#).unwrap();
        let [Message::Response { result: Err(error), .. }] = &failed[..] else { panic!("{failed:?}") };
        assert_eq!(words(error), "no: why");
        let odd = parse(br#"{"id":1,"error":"broken"}"#).unwrap();
        assert!(matches!(&odd[..], [Message::Response { result: Err(_), .. }]));
        for nothing in [&b"hello"[..], b"", b"{}", b"[]", b"3", br#"{"id":1}"#, b"{\"method\":", b"\xff\xfe"] {
            assert_eq!(parse(nothing), None, "{:?}", String::from_utf8_lossy(nothing));
        }
        assert_eq!(parse(br#"[{"method":"a"},{"method":"b"}]"#).unwrap().len(), 2);
    }
}
