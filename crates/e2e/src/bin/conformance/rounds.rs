//! Tools that need something from the client before they can answer, in one round or in several (2026-07-28).
//!
//! What was agreed on is kept here; the client only carries a name for it from round to round.

use std::collections::HashMap;

use flightdeck_server::mcp::extras::rmcp::model::{
    CallToolRequestParams, CallToolResponse, InputRequests, InputRequiredResult, InputResponses,
};
use flightdeck_server::mcp::extras::rmcp::service::RequestContext;
use flightdeck_server::mcp::extras::rmcp::{ErrorData, RoleServer};
use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::materials::{of, text};

/// The rounds that are under way.
#[derive(Debug, Default)]
pub struct Rounds(Mutex<States>);

#[derive(Debug, Default)]
struct States {
    given: u64,
    open: HashMap<String, u32>,
}

/// A state that the client sent is none of ours.
struct Tampered;

impl Rounds {
    /// A name for having come to this step.
    fn remember(&self, step: u32) -> String {
        let mut states = self.0.lock();
        states.given += 1;
        let name = format!("state-{}", states.given);
        states.open.insert(name.clone(), step);
        name
    }

    /// The step that a client says it has come to; 0 at the beginning.
    fn step(&self, state: Option<&str>) -> Result<u32, Tampered> {
        let Some(state) = state else { return Ok(0) };
        self.0.lock().open.get(state).copied().ok_or(Tampered)
    }

    /// Calls one of the tools.
    pub fn call(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Ok(step) = self.step(request.request_state.as_deref()) else {
            return Err(ErrorData::invalid_params("the request state is none of ours", None));
        };
        let given = |key| response(request.input_responses.as_ref(), key);
        let ask = |requests: Value, step: Option<u32>| {
            let state = step.map(|step| self.remember(step));
            Ok(InputRequiredResult::new(Some(of(requests)), state).into())
        };
        match request.name.trim_start_matches("test_input_required_result_") {
            "elicitation" => match given("user_name") {
                Some(given) => {
                    let name = given["content"]["name"].as_str().unwrap_or("stranger");
                    Ok(text(format!("Hello, {name}!")).into())
                }
                None => ask(json!({ "user_name": name_wanted("What is your name?") }), None),
            },
            "sampling" => match given("capital_question") {
                Some(given) => Ok(text(format!("The model says: {}", given["content"])).into()),
                None => ask(json!({ "capital_question": sample("What is the capital of France?", 100) }), None),
            },
            "list_roots" => match given("client_roots") {
                Some(given) => Ok(text(format!("The roots are: {}", given["roots"])).into()),
                None => ask(json!({ "client_roots": roots() }), None),
            },
            "request_state" | "tampered_state" => match given("confirm") {
                Some(_) if step == 1 => Ok(text("state-ok").into()),
                _ => ask(
                    json!({ "confirm": elicit("Please confirm", &json!({ "ok": { "type": "boolean" } })) }),
                    Some(1),
                ),
            },
            "multiple_inputs" => {
                let all = ["user_name", "greeting", "client_roots"].iter().all(|key| given(key).is_some());
                if all && step == 1 {
                    return Ok(text("All three are here.").into());
                }
                let requests = json!({ "user_name": name_wanted("What is your name?"),
                    "greeting": sample("Generate a greeting", 50), "client_roots": roots() });
                ask(requests, Some(1))
            }
            "multi_round" => match (step, given("step1"), given("step2")) {
                (2, _, Some(_)) => Ok(text("Both steps are done.").into()),
                (1, Some(_), _) | (2, ..) => {
                    let color = json!({ "color": { "type": "string" } });
                    ask(json!({ "step2": elicit("Step 2: What is your favorite color?", &color) }), Some(2))
                }
                _ => ask(json!({ "step1": name_wanted("Step 1: What is your name?") }), Some(1)),
            },
            "capabilities" => Ok(within_capabilities(context)),
            other => Err(ErrorData::invalid_params(format!("there is no tool {other:?}"), None)),
        }
    }
}

/// Asks only for what the client says it can do.
fn within_capabilities(context: &RequestContext<RoleServer>) -> CallToolResponse {
    let can = serde_json::to_value(context.meta.client_capabilities()).unwrap_or_default();
    let mut requests = InputRequests::new();
    for (capability, key, request) in [
        ("elicitation", "user_name", name_wanted("What is your name?")),
        ("sampling", "greeting", sample("Generate a greeting", 50)),
        ("roots", "client_roots", roots()),
    ] {
        if !can[capability].is_null() {
            requests.insert(key.to_owned(), of(request));
        }
    }
    if requests.is_empty() {
        return text("There is nothing to ask for.").into();
    }
    InputRequiredResult::from_input_requests(requests).into()
}

/// What the client answered to one of the requests. Whatever is no object is no answer.
pub fn response<'a>(responses: Option<&'a InputResponses>, key: &str) -> Option<&'a Value> {
    responses?.get(key).filter(|response| response.is_object())
}

/// What the prompt of the suite asks for first.
pub fn context_wanted() -> InputRequiredResult {
    let context = elicit("What context should the prompt use?", &json!({ "context": { "type": "string" } }));
    InputRequiredResult::from_input_requests(of(json!({ "user_context": context })))
}

/// What the tool asks for that shows how a stream asks.
pub fn value_wanted() -> InputRequiredResult {
    let value = elicit("Give me a value", &json!({ "value": { "type": "string" } }));
    InputRequiredResult::from_input_requests(of(json!({ "value": value })))
}

fn elicit(message: &str, properties: &Value) -> Value {
    let required: Vec<_> = properties.as_object().into_iter().flat_map(|properties| properties.keys()).collect();
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    json!({ "method": "elicitation/create",
            "params": { "mode": "form", "message": message, "requestedSchema": schema } })
}

fn name_wanted(message: &str) -> Value {
    elicit(message, &json!({ "name": { "type": "string" } }))
}

fn sample(question: &str, tokens: u32) -> Value {
    let message = json!({ "role": "user", "content": { "type": "text", "text": question } });
    json!({ "method": "sampling/createMessage", "params": { "messages": [message], "maxTokens": tokens } })
}

fn roots() -> Value {
    json!({ "method": "roots/list", "params": {} })
}
