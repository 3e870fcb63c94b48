//! All that the suite needs beside what Flightdeck offers itself.

use std::sync::Arc;

use flightdeck_server::mcp::extras::rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CompletionInfo,
    GetPromptRequestParams, GetPromptResponse, Prompt, ReadResourceResult, Reference, Resource, ResourceTemplate,
    ServerCapabilities, Tool,
};
use flightdeck_server::mcp::extras::rmcp::service::RequestContext;
use flightdeck_server::mcp::extras::rmcp::{ErrorData, RoleServer};
use flightdeck_server::mcp::extras::{Answer, Extras};
use serde_json::{Map, json};
use tokio::sync::watch;

use crate::materials::{PNG, of};
use crate::rounds::Rounds;
use crate::{prompts, tools};

/// What the suite needs.
#[derive(Debug)]
pub struct Fixture {
    rounds: Arc<Rounds>,
    tools: watch::Sender<u64>,
    prompts: watch::Sender<u64>,
}

impl Default for Fixture {
    fn default() -> Self {
        Fixture { rounds: Arc::default(), tools: watch::Sender::new(0), prompts: watch::Sender::new(0) }
    }
}

impl Extras for Fixture {
    fn announce(&self, capabilities: &mut ServerCapabilities) {
        capabilities.logging = Some(Map::new());
        if let Some(prompts) = &mut capabilities.prompts {
            prompts.list_changed = Some(true);
        }
    }

    fn tools(&self) -> Vec<Tool> {
        tools::list()
    }

    fn call<'a>(
        &'a self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Option<Answer<'a, CallToolResponse>> {
        match request.name.as_ref() {
            "test_trigger_tool_change" => self.tools.send_modify(|version| *version += 1),
            "test_trigger_prompt_change" => self.prompts.send_modify(|version| *version += 1),
            name if name.starts_with("test_input_required_result_") => {
                let answer = self.rounds.call(request, context);
                return Some(Box::pin(async { answer }));
            }
            _ => {}
        }
        tools::call(request, context)
    }

    fn resources(&self) -> Vec<Resource> {
        of(json!([
            { "uri": "test://static-text", "name": "static text", "description": "Text that stays as it is.",
              "mimeType": "text/plain" },
            { "uri": "test://static-binary", "name": "static picture", "description": "A picture of one dot.",
              "mimeType": "image/png" },
            { "uri": "test://watched-resource", "name": "watched", "description": "Can be subscribed to.",
              "mimeType": "text/plain" },
        ]))
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        of(json!([{ "uriTemplate": "test://template/{id}/data", "name": "template",
                    "description": "Data of an id.", "mimeType": "application/json" }]))
    }

    fn read(&self, uri: &str) -> Option<Result<ReadResourceResult, ErrorData>> {
        let contents = match uri {
            "test://static-text" => json!({ "uri": uri, "mimeType": "text/plain",
                "text": "This is the content of the static text resource." }),
            "test://static-binary" => json!({ "uri": uri, "mimeType": "image/png", "blob": PNG }),
            "test://watched-resource" => json!({ "uri": uri, "mimeType": "text/plain", "text": "Nothing happens." }),
            _ => {
                let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
                let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
                json!({ "uri": uri, "mimeType": "application/json", "text": data.to_string() })
            }
        };
        Some(Ok(ReadResourceResult::new(vec![of(contents)])))
    }

    fn has(&self, uri: &str) -> bool {
        uri == "test://watched-resource"
    }

    fn prompts(&self) -> Vec<Prompt> {
        prompts::list()
    }

    fn prompt(&self, request: &GetPromptRequestParams) -> Option<Result<GetPromptResponse, ErrorData>> {
        prompts::get(request)
    }

    fn complete(&self, request: &CompleteRequestParams) -> Option<CompleteResult> {
        let Reference::Prompt(prompt) = &request.r#ref else { return None };
        if prompt.name != "test_prompt_with_arguments" {
            return None;
        }
        let values = vec![format!("{}1", request.argument.value), format!("{}2", request.argument.value)];
        CompletionInfo::with_all_values(values).ok().map(CompleteResult::new)
    }

    fn logs(&self) -> bool {
        true
    }

    fn tool_changes(&self) -> Option<watch::Receiver<u64>> {
        Some(self.tools.subscribe())
    }

    fn prompt_changes(&self) -> Option<watch::Receiver<u64>> {
        Some(self.prompts.subscribe())
    }
}
