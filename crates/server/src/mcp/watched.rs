//! A transport that tells its calls when it ends and in which order they came, and knows the answers to its own questions.
//!
//! When a client hangs up, the SDK lets calls run on for some seconds, in case that their answers can still be sent.
//! Here the client's going ends them at once: nobody is left who wants them.
//!
//! The SDK numbers its questions from 0 on. A client outlives the hub that asked it, and its late answer must not be
//! taken for one to a question of the next hub. So every connection has a mark of its own in the ids of its questions.

use std::borrow::Cow;
use std::sync::Arc;

use flightdeck_core::Order;
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, NumberOrString, RequestId, ServerJsonRpcMessage,
    ServerNotification,
};
use rmcp::transport::Transport;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::auth::secret;

/// So much of a secret is a mark that no other connection has.
const MARK: usize = 16;

/// The end of the connection that a request came by; among the extensions of the request.
#[derive(Clone, Debug)]
pub(super) struct Ended(CancellationToken);

impl Ended {
    /// Resolves when the connection is gone.
    pub(super) async fn wait(&self) {
        self.0.cancelled().await;
    }
}

/// A transport whose requests know when it ends.
#[derive(Debug)]
pub(crate) struct Watched<T> {
    inner: T,
    questions: Questions,
    ended: CancellationToken,
    order: Arc<Order>,
    _guard: DropGuard,
}

impl<T> Watched<T> {
    pub(crate) fn new(inner: T) -> Self {
        let ended = CancellationToken::new();
        let questions = Questions { prefix: format!("flightdeck-{}-", &secret()[..MARK]) };
        Watched { inner, questions, order: Arc::default(), _guard: ended.clone().drop_guard(), ended }
    }
}

/// The ids of what is asked on one connection.
#[derive(Debug)]
struct Questions {
    prefix: String,
}

impl Questions {
    /// Marks a question, and what is said about one.
    fn mark(&self, message: &mut ServerJsonRpcMessage) {
        let id = match message {
            JsonRpcMessage::Request(request) => Some(&mut request.id),
            JsonRpcMessage::Notification(notification) => match &mut notification.notification {
                ServerNotification::CancelledNotification(cancelled) => cancelled.params.request_id.as_mut(),
                _ => None,
            },
            _ => None,
        };
        if let Some(id) = id {
            *id = NumberOrString::String(format!("{}{id}", self.prefix).into());
        }
    }

    /// Takes the mark off an answer. `false`: it answers nothing that was asked here.
    fn unmark(&self, message: &mut ClientJsonRpcMessage) -> bool {
        let id = match message {
            JsonRpcMessage::Response(response) => &mut response.id,
            JsonRpcMessage::Error(error) => match &mut error.id {
                Some(id) => id,
                None => return true,
            },
            _ => return true,
        };
        let Some(number) = self.number(id) else { return false };
        *id = NumberOrString::Number(number);
        true
    }

    fn number(&self, id: &RequestId) -> Option<i64> {
        match id {
            NumberOrString::String(text) => text.strip_prefix(&self.prefix)?.parse().ok(),
            NumberOrString::Number(_) => None,
        }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Watched<T> {
    type Error = T::Error;

    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn send(
        &mut self,
        mut message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.questions.mark(&mut message);
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let Some(mut message) = self.inner.receive().await else {
                self.ended.cancel();
                return None;
            };
            if self.questions.unmark(&mut message) {
                message.insert_extension(Ended(self.ended.clone()));
                // Here, because the SDK hands requests on in no order.
                if is_call(&message) {
                    message.insert_extension(Arc::new(self.order.ticket()));
                }
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.ended.cancel();
        self.inner.close().await
    }
}

fn is_call(message: &ClientJsonRpcMessage) -> bool {
    matches!(message, JsonRpcMessage::Request(request) if matches!(request.request, ClientRequest::CallToolRequest(_)))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn asked(questions: &Questions, message: Value) -> Value {
        let mut message: ServerJsonRpcMessage = serde_json::from_value(message).unwrap();
        questions.mark(&mut message);
        serde_json::to_value(message).unwrap()
    }

    fn answered(questions: &Questions, id: &Value) -> Option<Value> {
        let answer = json!({ "jsonrpc": "2.0", "id": id, "result": { "action": "cancel" } });
        let mut message: ClientJsonRpcMessage = serde_json::from_value(answer).unwrap();
        questions.unmark(&mut message).then(|| serde_json::to_value(message).unwrap()["id"].clone())
    }

    #[test]
    fn answers_reach_the_connection_that_asked_and_no_other() {
        let [one, other] = ["x-1-", "x-2-"].map(|prefix| Questions { prefix: prefix.to_owned() });
        let question = asked(&one, json!({ "jsonrpc": "2.0", "id": 7, "method": "ping" }));
        assert_eq!(question["id"], "x-1-7");
        assert_eq!(answered(&one, &question["id"]), Some(json!(7)));
        assert_eq!(answered(&other, &question["id"]), None);
        for id in [json!(7), json!("7"), json!("x-1-"), json!("x-1-y")] {
            assert_eq!(answered(&one, &id), None, "{id}");
        }
        let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
        assert_eq!(asked(&one, cancelled)["params"]["requestId"], "x-1-7");
    }

    #[test]
    fn everything_else_stays_as_it_is() {
        let questions = Questions { prefix: "x-1-".to_owned() };
        let answer = json!({ "jsonrpc": "2.0", "id": 7, "result": {} });
        assert_eq!(asked(&questions, answer)["id"], 7);
        let request = json!({ "jsonrpc": "2.0", "id": 7, "method": "ping" });
        let mut message: ClientJsonRpcMessage = serde_json::from_value(request).unwrap();
        assert!(questions.unmark(&mut message));
        assert_eq!(serde_json::to_value(message).unwrap()["id"], 7);
    }
}
