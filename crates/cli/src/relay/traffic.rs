//! What a client has said that still counts: its greeting, its subscriptions, and what it waits for.
//!
//! Only the ids and a few methods are looked at; a line is never taken apart further, nor changed.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::interrupted::{Era, Interrupted, ToolCall};

/// The ids of what the relay says on its own begin like this.
const OWN: &str = "flightdeck-relay-";
/// How often a request is made again. One that brings every hub down must come to an end.
const REPEATS: u32 = 2;

/// What of a message matters here.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Named<'a> {
    #[serde(borrow, default)]
    request_id: Option<&'a RawValue>,
    #[serde(default)]
    uri: Option<String>,
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
    #[serde(default)]
    client_info: Option<Client>,
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

/// Who the client is, in its greeting.
#[derive(Deserialize)]
struct Client {
    name: String,
}

/// The same in each request of a client that does not greet.
#[derive(Deserialize)]
struct Introduced {
    #[serde(rename = "io.modelcontextprotocol/clientInfo")]
    client: Client,
}

impl Named<'_> {
    fn client(self) -> Option<Client> {
        let introduced = || serde_json::from_str::<Introduced>(self.meta?.get()).ok();
        self.client_info.or_else(|| Some(introduced()?.client))
    }
}

/// A request without an answer.
struct Open {
    /// Its id, as the client wrote it.
    id: Box<RawValue>,
    again: Again,
    /// The tool that it calls.
    call: Option<ToolCall>,
}

/// Whether a request can be said again to the next hub.
enum Again {
    /// It may have done something.
    Never,
    /// It is a stream, which nobody waits for the end of.
    Always(Vec<u8>),
    /// It only looks, and has been said again so often.
    Sometimes(Vec<u8>, u32),
}

/// What is under way.
pub struct Traffic {
    interrupted: Interrupted,
    open: BTreeMap<String, Open>,
    /// The client's `initialize`, and the key of its id.
    greeting: Option<(String, Vec<u8>)>,
    greeted: Option<Vec<u8>>,
    subscribed: BTreeSet<String>,
    /// What the hub has asked the client, by the id as it wrote it.
    questions: BTreeMap<String, Box<RawValue>>,
    /// A request that no hub has seen.
    unsent: Option<Vec<u8>>,
    own: u64,
}

/// What to say to a new hub and to the client.
pub struct Replay {
    /// To the hub first, which answers with one line that the client has had already.
    pub handshake: Option<Vec<u8>>,
    /// To the hub.
    pub said: Vec<u8>,
    /// To the client.
    pub answers: Vec<u8>,
}

impl Traffic {
    pub fn new(interrupted: Interrupted) -> Self {
        Traffic {
            interrupted,
            open: BTreeMap::new(),
            greeting: None,
            greeted: None,
            subscribed: BTreeSet::new(),
            questions: BTreeMap::new(),
            unsent: None,
            own: 0,
        }
    }

    /// Notes what the client says.
    pub fn client_says(&mut self, line: &[u8]) {
        // The hub says what is wrong with what can't be read.
        let Ok(head) = serde_json::from_slice::<Head>(line) else { return };
        let named = || head.params.and_then(|params| serde_json::from_str::<Named<'_>>(params.get()).ok());
        let method = head.method.as_deref().unwrap_or_default();
        let Some(id) = head.id else {
            match method {
                "notifications/initialized" => self.greeted = Some(line.to_owned()),
                "notifications/cancelled" => {
                    if let Some(id) = named().and_then(|named| named.request_id.map(key)) {
                        self.open.remove(&id);
                    }
                }
                _ => {}
            }
            return;
        };
        if self.interrupted.awaits_client()
            && let Some(client) = named().and_then(Named::client)
        {
            self.interrupted.suit(&client.name);
        }
        let call = named().filter(|_| method == "tools/call");
        let call = call.and_then(|call| call.name.as_deref().map(|name| ToolCall::new(name, call.arguments)));
        let mut again = if self.interrupted.may_be_repeated(method, call.as_ref()) {
            Again::Sometimes(line.to_owned(), 0)
        } else {
            Again::Never
        };
        match method {
            // An answer to a question of the hub.
            "" => {
                self.questions.remove(&key(id));
                return;
            }
            "initialize" => self.greeting = Some((key(id), line.to_owned())),
            "subscriptions/listen" => again = Again::Always(line.to_owned()),
            "resources/subscribe" => self.subscribed.extend(named().and_then(|named| named.uri)),
            "resources/unsubscribe" => {
                if let Some(uri) = named().and_then(|named| named.uri) {
                    self.subscribed.remove(&uri);
                }
            }
            _ => {}
        }
        self.open.insert(key(id), Open { id: id.to_owned(), again, call });
    }

    /// Notes that a line did not reach the hub. A request is kept for the next one, unless it is over already.
    pub fn was_not_sent(&mut self, line: &[u8]) {
        let Ok(Head { id: Some(id), .. }) = serde_json::from_slice(line) else { return };
        let id = key(id);
        let greeting = self.greeting.as_ref().is_some_and(|(greeting, _)| *greeting == id);
        if !greeting && self.open.get(&id).is_some_and(|open| matches!(open.again, Again::Never)) {
            self.open.remove(&id);
            self.unsent = Some(line.to_owned());
        }
    }

    /// Notes what the hub says. `false`: it is an answer to the relay's own words, and not for the client.
    pub fn hub_says(&mut self, line: &[u8]) -> bool {
        let Some(id) = answered(line) else {
            self.hub_asks(line);
            return true;
        };
        self.open.remove(&id);
        !id.starts_with(&format!("\"{OWN}"))
    }

    /// Notes what the hub asks the client, and what it does not want to know any more.
    fn hub_asks(&mut self, line: &[u8]) {
        let Ok(Head { id, method: Some(method), params }) = serde_json::from_slice::<Head>(line) else { return };
        if let Some(id) = id {
            self.questions.insert(key(id), id.to_owned());
        } else if method == "notifications/cancelled" {
            let named = params.and_then(|params| serde_json::from_str::<Named>(params.get()).ok());
            if let Some(id) = named.and_then(|named| named.request_id) {
                self.questions.remove(&key(id));
            }
        }
    }

    /// Whether the client waits for an answer.
    pub fn is_awaited(&self) -> bool {
        self.unsent.is_some() || self.open.values().any(|open| !matches!(open.again, Again::Always(_)))
    }

    /// What to say now that another hub is there. What can't be said again is over, and its sender is told.
    pub fn replay(&mut self) -> Replay {
        let mut replay = Replay { handshake: None, said: Vec::new(), answers: Vec::new() };
        if let Some((id, line)) = &self.greeting {
            if self.open.contains_key(id) {
                // The client still waits for the answer to it.
                replay.said.extend(line);
            } else {
                replay.handshake = Some(line.clone());
                push(&mut replay.answers, &json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }));
                push(
                    &mut replay.answers,
                    &json!({ "jsonrpc": "2.0", "method": "notifications/resources/list_changed" }),
                );
            }
        }
        for id in std::mem::take(&mut self.questions).into_values() {
            // Nobody is left who wants the answer, and the client may still show the question.
            let params = json!({ "requestId": id, "reason": "the hub was restarted" });
            let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
            push(&mut replay.answers, &cancelled);
        }
        replay.said.extend(self.greeted.iter().flatten());
        for uri in &self.subscribed {
            self.own += 1;
            let (id, params) = (format!("{OWN}{}", self.own), json!({ "uri": uri }));
            let subscribe = json!({ "jsonrpc": "2.0", "id": id, "method": "resources/subscribe", "params": params });
            push(&mut replay.said, &subscribe);
        }
        let greeting = self.greeting.as_ref().map(|(id, _)| id);
        let era = if self.greeting.is_some() { Era::Greeting } else { Era::Stateless };
        self.open.retain(|id, open| match &mut open.again {
            Again::Always(line) => {
                replay.said.extend(&*line);
                true
            }
            Again::Sometimes(line, times) if *times < REPEATS => {
                replay.said.extend(&*line);
                *times += 1;
                true
            }
            Again::Never if Some(id) == greeting => true,
            Again::Sometimes(..) | Again::Never => {
                push(&mut replay.answers, &self.interrupted.answer(&open.id, open.call.as_ref(), era));
                false
            }
        });
        if let Some(line) = self.unsent.take() {
            self.client_says(&line);
            replay.said.extend(line);
        }
        replay
    }
}

fn push(lines: &mut Vec<u8>, message: &Value) {
    lines.extend(message.to_string().into_bytes());
    lines.push(b'\n');
}

/// An id in one spelling.
fn key(id: &RawValue) -> String {
    match serde_json::from_str::<Cow<str>>(id.get()) {
        Ok(text) => format!("\"{text}"),
        Err(_) => id.get().to_owned(),
    }
}

/// The id of the request that a line answers.
fn answered(line: &[u8]) -> Option<String> {
    // As the hub writes it. A result may be long, and need not be read to its end.
    const BEFORE: &[u8] = br#"{"jsonrpc":"2.0","id":"#;
    if let Some(rest) = line.strip_prefix(BEFORE) {
        let end = rest.iter().position(|byte| *byte == b',')?;
        let after = &rest[end..];
        let simple = !rest[..end].contains(&b'\\') && (rest[0] != b'"' || rest[end - 1] == b'"' && end > 1);
        if simple && (after.starts_with(br#","result":"#) || after.starts_with(br#","error":"#)) {
            let id = std::str::from_utf8(&rest[..end]).ok()?;
            return Some(id.strip_suffix('"').unwrap_or(id).to_owned());
        }
    }
    let head: Head = serde_json::from_slice(line).ok()?;
    head.id.filter(|_| head.method.is_none()).map(key)
}

#[cfg(test)]
mod tests {
    use flightdeck_contract::tool_names::ToolNames;

    use super::*;

    fn traffic(names: Option<ToolNames>) -> Traffic {
        Traffic::new(Interrupted::new(names))
    }

    fn text(bytes: &[u8]) -> &str {
        std::str::from_utf8(bytes).unwrap()
    }

    #[test]
    fn answers_are_known_by_their_ids() {
        for (line, id) in [
            (r#"{"jsonrpc":"2.0","id":7,"result":{"id":9}}"#, Some("7")),
            (r#"{"jsonrpc":"2.0","id":"a","error":{"code":1}}"#, Some("\"a")),
            (r#"{"jsonrpc":"2.0","id":"a,b","result":{}}"#, Some("\"a,b")),
            (r#"{"jsonrpc":"2.0","id":"a\"b","result":{}}"#, Some("\"a\"b")),
            (r#"{"jsonrpc":"2.0","id":"\",\"result\":","result":{}}"#, Some("\"\",\"result\":")),
            (r#"{"result":{},"id":7,"jsonrpc":"2.0"}"#, Some("7")),
            (r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#, None),
            (r#"{"jsonrpc":"2.0","method":"notifications/message"}"#, None),
            ("nonsense", None),
        ] {
            assert_eq!(answered(line.as_bytes()).as_deref(), id, "{line}");
        }
    }

    #[test]
    fn what_is_open_is_answered_once() {
        let mut traffic = traffic(Some(ToolNames::Underscore));
        traffic.client_says(br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#);
        traffic.client_says(br#"{"jsonrpc":"2.0","id":"x\u0041","method":"tools/call"}"#);
        traffic.client_says(br#"{"jsonrpc":"2.0","id":3,"method":"tools/call"}"#);
        traffic.client_says(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#);
        assert!(traffic.hub_says(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#));
        let replay = traffic.replay();
        assert!(replay.handshake.is_none() && replay.said.is_empty());
        let answers = text(&replay.answers);
        assert_eq!(answers.lines().count(), 1, "{answers}");
        let answer: Value = serde_json::from_str(answers).unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("xA"), &json!(-32000)));
        assert!(answer["error"]["message"].as_str().unwrap().contains("flightdeck_terminal_list"));
        assert!(traffic.replay().answers.is_empty());
    }

    #[test]
    fn tools_are_named_as_suits_the_client() {
        let lost = br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"flightdeck_terminal_run"}}"#;
        let greeting = |client| {
            let params = json!({ "clientInfo": { "name": client, "version": "1" } });
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })
        };
        let stateless = |client| {
            let meta = json!({ "io.modelcontextprotocol/clientInfo": { "name": client, "version": "1" } });
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": meta } })
        };
        let (dots, none) = ("look with flightdeck.terminal.list", "look with flightdeck_terminal_list");
        for (asked, first, advice) in [
            (None, greeting("codex-mcp-client"), none),
            (None, stateless("codex-mcp-client"), none),
            (None, greeting("gemini-cli-mcp-client"), dots),
            (Some(ToolNames::Dotted), greeting("codex-mcp-client"), dots),
        ] {
            let mut traffic = traffic(asked);
            traffic.client_says(first.to_string().as_bytes());
            traffic.client_says(lost);
            let answers = traffic.replay().answers;
            assert!(text(&answers).contains(advice), "{first}: {}", text(&answers));
        }
    }

    #[test]
    fn what_no_hub_has_seen_is_said_to_the_next() {
        let mut traffic = traffic(None);
        let (seen, unseen) =
            (br#"{"jsonrpc":"2.0","id":1,"method":"other"}"#, br#"{"jsonrpc":"2.0","id":2,"method":"other"}"#);
        traffic.client_says(seen);
        traffic.client_says(unseen);
        traffic.was_not_sent(unseen);
        assert!(traffic.is_awaited());
        let replay = traffic.replay();
        assert_eq!(text(&replay.said), text(unseen));
        assert!(text(&replay.answers).contains("\"id\":1"), "{}", text(&replay.answers));
        traffic.was_not_sent(seen);
        assert!(text(&traffic.replay().answers).contains("\"id\":2"), "it was sent in the end, and lost then");
        assert!(!traffic.is_awaited());
    }

    #[test]
    fn what_only_looks_is_said_again_a_few_times() {
        let mut traffic = traffic(None);
        let look = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tabs","arguments":{}}}"#;
        traffic.client_says(look);
        traffic.client_says(br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"close_tab"}}"#);
        traffic.was_not_sent(look);
        assert!(traffic.is_awaited());
        let replay = traffic.replay();
        assert_eq!(text(&replay.said), text(look));
        let answer: Value = serde_json::from_str(text(&replay.answers)).unwrap();
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(2), &json!(true)));
        assert_eq!(text(&traffic.replay().said), text(look), "the next hub went as well");
        let replay = traffic.replay();
        assert!(replay.said.is_empty() && text(&replay.answers).contains("disconnected"), "it is enough");
        assert!(!traffic.is_awaited());
    }

    #[test]
    fn a_client_that_has_greeted_greets_again() {
        let mut traffic = traffic(None);
        let hello = br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#;
        traffic.client_says(hello);
        assert_eq!(traffic.replay().said, hello, "its answer is still wanted");
        traffic.hub_says(br#"{"jsonrpc":"2.0","id":0,"result":{}}"#);
        traffic.client_says(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
        traffic.client_says(br#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"a:1"}}"#);
        traffic.client_says(br#"{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"a:2"}}"#);
        traffic.client_says(br#"{"jsonrpc":"2.0","id":3,"method":"resources/unsubscribe","params":{"uri":"a:1"}}"#);
        for id in 1..=3 {
            traffic.hub_says(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#).as_bytes());
        }
        let replay = traffic.replay();
        assert_eq!(replay.handshake.as_deref(), Some(&hello[..]));
        let said = text(&replay.said);
        assert!(said.starts_with("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"), "{said}");
        assert!(said.contains("a:2") && !said.contains("a:1"), "{said}");
        assert!(text(&replay.answers).contains("notifications/tools/list_changed"));
        assert!(!traffic.hub_says(br#"{"jsonrpc":"2.0","id":"flightdeck-relay-1","result":{}}"#));
    }

    #[test]
    fn a_question_of_a_hub_that_is_gone_is_taken_back() {
        let mut traffic = traffic(None);
        for id in ["q1", "q2", "q3"] {
            let question = format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"elicitation/create","params":{{}}}}"#);
            assert!(traffic.hub_says(question.as_bytes()), "it is for the client");
        }
        traffic.client_says(br#"{"jsonrpc":"2.0","id":"q1","result":{"action":"decline"}}"#);
        traffic.hub_says(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q2"}}"#);
        assert!(!traffic.is_awaited(), "it is not the client that waits");
        let replay = traffic.replay();
        let answers = text(&replay.answers);
        assert_eq!(answers.lines().count(), 1, "{answers}");
        let answer: Value = serde_json::from_str(answers).unwrap();
        assert_eq!(answer["params"]["requestId"], "q3", "{answers}");
        assert!(traffic.replay().answers.is_empty(), "once");
    }

    #[test]
    fn a_stream_of_notifications_is_opened_again() {
        let mut traffic = traffic(None);
        let listen = b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"subscriptions/listen\",\"params\":{}}\n";
        traffic.client_says(listen);
        let replay = traffic.replay();
        assert_eq!((text(&replay.said), replay.answers.len()), (text(listen), 0));
        assert_eq!(text(&traffic.replay().said), text(listen), "and again");
    }
}
