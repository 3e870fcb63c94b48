//! The tools of the suite that answer in one go, or ask the client while they run (until 2025-11-25).

use std::time::Duration;

use flightdeck_server::mcp::extras::Answer;
use flightdeck_server::mcp::extras::rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock, CustomNotification,
    CustomRequest, ProgressNotificationParam, ServerNotification, ServerRequest, Tool,
};
use flightdeck_server::mcp::extras::rmcp::service::RequestContext;
use flightdeck_server::mcp::extras::rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

use crate::materials::{PNG, WAV, of, text};
use crate::rounds;

/// The suite wants to see that things come one after the other.
const PAUSE: Duration = Duration::from_millis(50);

/// Those that take nothing, the simplest first: one scenario calls whatever is first.
const PLAIN: [(&str, &str); 24] = [
    ("test_simple_text", "Answers with a text."),
    ("test_image_content", "Answers with a picture."),
    ("test_audio_content", "Answers with a sound."),
    ("test_embedded_resource", "Answers with a resource."),
    ("test_multiple_content_types", "Answers with a text, a picture and a resource."),
    ("test_tool_with_logging", "Logs three lines."),
    ("test_error_handling", "Fails."),
    ("test_tool_with_progress", "Reports how far it has come."),
    ("test_elicitation_sep1034_defaults", "Asks with defaults."),
    ("test_elicitation_sep1330_enums", "Asks with choices."),
    ("test_reconnection", "Takes a moment."),
    ("test_missing_capability", "Needs a client that can sample."),
    ("test_streaming_elicitation", "Needs a value."),
    ("test_logging_tool", "Logs when it was asked to."),
    ("test_trigger_tool_change", "Says that the tools changed."),
    ("test_trigger_prompt_change", "Says that the prompts changed."),
    ("test_input_required_result_elicitation", "Needs a name."),
    ("test_input_required_result_sampling", "Needs the client's model."),
    ("test_input_required_result_list_roots", "Needs the client's roots."),
    ("test_input_required_result_request_state", "Remembers what was asked."),
    ("test_input_required_result_multiple_inputs", "Needs three things."),
    ("test_input_required_result_multi_round", "Asks twice."),
    ("test_input_required_result_tampered_state", "Knows its own state."),
    ("test_input_required_result_capabilities", "Asks for what the client can do."),
];

/// All of them.
pub fn list() -> Vec<Tool> {
    let tool = |name: &str, description: &str, schema: Value| json!({ "name": name, "description": description, "inputSchema": schema });
    let one = |name: &str, kind: Value| json!({ "type": "object", "properties": { name: kind }, "required": [name] });
    let mut tools: Vec<_> = PLAIN
        .iter()
        .map(|(name, description)| tool(name, description, json!({ "type": "object", "properties": {} })))
        .collect();
    let string = json!({ "type": "string" });
    let header = json!({ "type": "string", "x-mcp-header": "Value" });
    tools.push(tool("test_sampling", "Asks the client's model.", one("prompt", string.clone())));
    tools.push(tool("test_elicitation", "Asks the person.", one("message", string)));
    tools.push(tool("test_custom_header", "Has an argument in a header as well.", one("value", header)));
    tools.push(tool("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features", schema_2020_12()));
    of(json!(tools))
}

/// Calls one; `None` when it is not here.
pub fn call(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Option<Answer<'static, CallToolResponse>> {
    let argument = |name: &str| {
        let value = request.arguments.as_ref().and_then(|args| args.get(name)).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    };
    let context = context.clone();
    if let Some(result) = at_once(&request.name) {
        return Some(Box::pin(async { Ok(result.into()) }));
    }
    Some(match request.name.as_ref() {
        "test_tool_with_logging" => Box::pin(log_three_lines(context)),
        "test_tool_with_progress" => Box::pin(report_progress(context)),
        "test_logging_tool" => Box::pin(log_when_asked(context)),
        "test_reconnection" => Box::pin(async {
            tokio::time::sleep(2 * PAUSE).await;
            Ok(text("It took a moment.").into())
        }),
        "test_custom_header" => {
            let value = argument("value");
            Box::pin(async { Ok(text(value).into()) })
        }
        "test_missing_capability" => Box::pin(async move {
            match context.meta.client_capabilities() {
                Some(can) if can.sampling.is_some() => Ok(text("The client can sample.").into()),
                _ => Err(ErrorData::missing_required_client_capability(of::<ClientCapabilities>(
                    json!({ "sampling": {} }),
                ))),
            }
        }),
        "test_streaming_elicitation" => Box::pin(async { Ok(rounds::value_wanted().into()) }),
        "test_sampling" => {
            let message = json!({ "role": "user", "content": { "type": "text", "text": argument("prompt") } });
            let params = json!({ "messages": [message], "maxTokens": 100 });
            Box::pin(ask(context, "sampling/createMessage", params, "LLM response: "))
        }
        "test_elicitation" => {
            let described = |text: &str| json!({ "type": "string", "description": text });
            let properties = json!({ "username": described("User's response"),
                "email": described("User's email address") });
            let schema = json!({ "type": "object", "properties": properties, "required": ["username", "email"] });
            let params = json!({ "message": argument("message"), "requestedSchema": schema });
            Box::pin(ask(context, "elicitation/create", params, "User response: "))
        }
        "test_elicitation_sep1034_defaults" => elicit(context, &with_defaults()),
        "test_elicitation_sep1330_enums" => elicit(context, &with_choices()),
        _ => return None,
    })
}

/// The answers that are always the same.
fn at_once(name: &str) -> Option<CallToolResult> {
    let resource = |uri: &str, kind: &str, text: &str| {
        of::<ContentBlock>(json!({ "type": "resource", "resource": { "uri": uri, "mimeType": kind, "text": text } }))
    };
    let picture = || ContentBlock::image(PNG, "image/png");
    let content = match name {
        "test_simple_text" => vec![ContentBlock::text("This is a simple text response for testing.")],
        "test_image_content" => vec![picture()],
        "test_audio_content" => vec![ContentBlock::audio(WAV, "audio/wav")],
        "test_embedded_resource" => {
            vec![resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")]
        }
        "test_multiple_content_types" => vec![
            ContentBlock::text("Multiple content types test:"),
            picture(),
            resource("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
        ],
        "test_error_handling" => {
            let problem = "This tool intentionally returns an error for testing";
            return Some(CallToolResult::error(vec![ContentBlock::text(problem)]));
        }
        "test_trigger_tool_change" | "test_trigger_prompt_change" | "json_schema_2020_12_tool" => {
            vec![ContentBlock::text("Done.")]
        }
        _ => return None,
    };
    Some(CallToolResult::success(content))
}

async fn log_three_lines(context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
    for line in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        log(&context, line).await;
        tokio::time::sleep(PAUSE).await;
    }
    Ok(text("Three lines were logged.").into())
}

async fn log_when_asked(context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
    if context.meta.contains_key("io.modelcontextprotocol/logLevel") {
        log(&context, "A line was asked for").await;
    }
    Ok(text("Done.").into())
}

async fn log(context: &RequestContext<RoleServer>, line: &str) {
    let params = json!({ "level": "info", "logger": "conformance", "data": line });
    let line = CustomNotification::new("notifications/message", Some(params));
    // A client that is gone hears nothing.
    let _ = context.peer.send_notification(ServerNotification::CustomNotification(line)).await;
}

async fn report_progress(context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
    for percent in [0.0, 50.0, 100.0] {
        if let Some(token) = context.meta.get_progress_token() {
            let progress = ProgressNotificationParam::new(token, percent).with_total(100.0);
            let _ = context.peer.notify_progress(progress.with_message(format!("{percent} %"))).await;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(text("All the way.").into())
}

/// Asks the client something and answers with what it says.
async fn ask(
    context: RequestContext<RoleServer>,
    method: &'static str,
    params: Value,
    before: &'static str,
) -> Result<CallToolResponse, ErrorData> {
    let request = ServerRequest::CustomRequest(CustomRequest::new(method, Some(params)));
    match context.peer.send_request(request).await {
        Ok(answer) => {
            let answer = serde_json::to_value(answer).unwrap_or_default();
            let said = answer["content"]["text"].as_str().map_or_else(|| answer.to_string(), str::to_owned);
            Ok(text(format!("{before}{said}")).into())
        }
        Err(error) => Ok(CallToolResult::error(vec![ContentBlock::text(error.to_string())]).into()),
    }
}

fn elicit(context: RequestContext<RoleServer>, properties: &Value) -> Answer<'static, CallToolResponse> {
    let schema = json!({ "type": "object", "properties": properties });
    let params = json!({ "message": "Please choose", "requestedSchema": schema });
    Box::pin(ask(context, "elicitation/create", params, "Elicitation completed: "))
}

fn with_defaults() -> Value {
    json!({
        "name": { "type": "string", "default": "John Doe" },
        "age": { "type": "integer", "default": 30 },
        "score": { "type": "number", "default": 95.5 },
        "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
        "verified": { "type": "boolean", "default": true },
    })
}

fn with_choices() -> Value {
    let titled = |word: &str| {
        let choice = |value: &str, place: &str| json!({ "const": value, "title": format!("{place} {word}") });
        json!([choice("value1", "First"), choice("value2", "Second"), choice("value3", "Third")])
    };
    json!({
        "untitledSingle": { "type": "string", "enum": ["option1", "option2", "option3"] },
        "titledSingle": { "type": "string", "oneOf": titled("Option") },
        "legacyEnum": { "type": "string", "enum": ["opt1", "opt2", "opt3"],
                        "enumNames": ["Option One", "Option Two", "Option Three"] },
        "untitledMulti": { "type": "array", "items": { "type": "string", "enum": ["option1", "option2", "option3"] } },
        "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } },
    })
}

/// Everything of a schema that must survive the way to the client.
fn schema_2020_12() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": { "$anchor": "addressDef", "type": "object",
                                "properties": { "street": { "type": "string" }, "city": { "type": "string" } } } },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}
