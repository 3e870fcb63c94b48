//! The one prompt: how to use the tools.

use flightdeck_core::Caller;
use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, Prompt, PromptMessage, Role};

use super::{Service, instructions, resources};

const NAME: &str = "instructions";
const DESCRIPTION: &str = "How to use Flightdeck's terminals, with how things stand now.";

/// All prompts.
pub(super) fn list() -> Vec<Prompt> {
    vec![Prompt::new(NAME, Some(DESCRIPTION), None).with_title("How to use Flightdeck")]
}

/// The messages of one.
pub(super) async fn get(service: &Service, caller: Caller, name: &str) -> Result<GetPromptResult, ErrorData> {
    if name != NAME {
        let shown: String = name.chars().take(80).collect();
        let message = format!("there is no prompt {shown:?}: did you mean {NAME:?}?");
        return Err(ErrorData::invalid_params(message, None));
    }
    let text = instructions::text(service, caller).await.map_err(|error| resources::failed(&error, None))?;
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).with_description(DESCRIPTION))
}
