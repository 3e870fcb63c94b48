//! The prompts of the suite.

use flightdeck_server::mcp::extras::rmcp::ErrorData;
use flightdeck_server::mcp::extras::rmcp::model::{GetPromptRequestParams, GetPromptResponse, GetPromptResult, Prompt};
use serde_json::{Value, json};

use crate::materials::{PNG, of};
use crate::rounds;

/// All of them.
pub fn list() -> Vec<Prompt> {
    let argument = |name: &str| json!({ "name": name, "description": "Goes into the text.", "required": true });
    of(json!([
        { "name": "test_simple_prompt", "description": "One text." },
        { "name": "test_prompt_with_arguments", "description": "A text with two arguments.",
          "arguments": [argument("arg1"), argument("arg2")] },
        { "name": "test_prompt_with_embedded_resource", "description": "A resource and a text.",
          "arguments": [argument("resourceUri")] },
        { "name": "test_prompt_with_image", "description": "A picture and a text." },
        { "name": "test_input_required_result_prompt", "description": "Asks for something first." },
    ]))
}

/// The messages of one.
pub fn get(request: &GetPromptRequestParams) -> Option<Result<GetPromptResponse, ErrorData>> {
    let argument = |name: &str| {
        request.arguments.as_ref().and_then(|args| args.get(name)).and_then(Value::as_str).unwrap_or_default()
    };
    let text = |text: &str| json!({ "type": "text", "text": text });
    let contents = match request.name.as_str() {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let (arg1, arg2) = (argument("arg1"), argument("arg2"));
            vec![text(&format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"))]
        }
        "test_prompt_with_embedded_resource" => vec![
            json!({ "type": "resource", "resource": { "uri": argument("resourceUri"), "mimeType": "text/plain",
                    "text": "Embedded resource content for testing." } }),
            text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image" => vec![
            json!({ "type": "image", "data": PNG, "mimeType": "image/png" }),
            text("Please analyze the image above."),
        ],
        "test_input_required_result_prompt" => {
            let Some(given) = rounds::response(request.input_responses.as_ref(), "user_context") else {
                return Some(Ok(rounds::context_wanted().into()));
            };
            vec![text(&format!("The context is: {}", given["content"]["context"]))]
        }
        _ => return None,
    };
    let messages: Vec<_> = contents.into_iter().map(|content| json!({ "role": "user", "content": content })).collect();
    Some(Ok(GetPromptResult::new(of(json!(messages))).into()))
}
