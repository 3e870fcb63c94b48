//! The canonical terminal contract against its documents.

mod golden;
mod operators;
mod properties;
mod rules;
mod schema;
mod tables;

use flightdeck_contract::ErrorCode;
use flightdeck_contract::canonical::{Normalised, Phase, Request, Response, ToolName, fail, normalise};
use serde_json::Value;

/// What a request becomes in the canonical tool, with a known identifier.
fn sent(args: Value) -> Normalised {
    normalise(ToolName::Interactive, args, Phase::Accept, || "01TEST".to_owned())
}

/// The request that it becomes.
fn taken(args: Value) -> Request {
    sent(args).request.expect("a request in order")
}

/// The response to a request that can't be carried out.
fn refused(args: Value) -> Response {
    let normalised = sent(args);
    let error = normalised.request.expect_err("a request that is not in order");
    fail(&normalised.context, &error)
}

/// The fields that a response finds wrong.
fn wrong_fields(response: &Response) -> Vec<String> {
    let details = &response.error.as_ref().expect("an error").details;
    let fields = details["fields"].as_array().expect("fields");
    fields.iter().map(|field| field["field"].as_str().expect("a path").to_owned()).collect()
}

/// Every code of ours, as its schema lists them: the enum has no list of itself.
fn all_codes() -> Vec<ErrorCode> {
    let schema = schemars::schema_for!(ErrorCode).to_value();
    let options = schema["oneOf"].as_array().expect("a choice");
    let word = |option: &Value| option.get("const").or(option.get("enum").map(|words| &words[0])).cloned();
    let codes = options.iter().map(|option| serde_json::from_value(word(option).expect("a word")).expect("a code"));
    codes.collect()
}
