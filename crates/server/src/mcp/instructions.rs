//! How to use the tools: a few words at the beginning, and all of it as a prompt and as a resource.

use std::path::Path;

use flightdeck_contract::Error;
use flightdeck_core::Caller;
use rmcp::model::Resource;
use serde::Deserialize;
use serde_json::json;

use super::tools::Selection;
use super::{Service, resources};

pub(super) const URI: &str = "flightdeck://instructions";

#[derive(Deserialize)]
struct Instructions {
    text: String,
}

/// What a client is told when it connects: it costs every conversation its place.
pub(super) fn short(root: &Path, selection: &Selection) -> String {
    let root: String = root.to_string_lossy().chars().filter(|c| !c.is_control()).collect();
    let run = selection.name("flightdeck.terminal.run");
    let wait = selection.name("flightdeck.terminal.wait");
    format!(
        "Real terminals in the folder {root}, shared with the person, who can look on and take over. {run} runs a command and says \
         how it ended; one that takes longer goes on, and {wait} waits for it. Terminals stay, and so does what they \
         printed. Paths and commands are taken from that folder on. A dangerous command asks a person first, which can take a while; one that was declined or blocked is not to \
         be tried again in other words: do it another way, or ask your user. The prompt `instructions` and the resource {URI} have the rest."
    )
}

/// The whole text, with how things stand now.
pub(super) async fn text(service: &Service, caller: Caller) -> Result<String, Error> {
    let asked = resources::ask(&service.hub, caller, "flightdeck.hub.instructions", json!({}));
    let instructions: Instructions = asked.await?;
    Ok(service.spelling().text(&instructions.text))
}

/// The text as a resource.
pub(super) fn resource() -> Resource {
    Resource::new(URI, "instructions")
        .with_title("How to use Flightdeck")
        .with_description("What the tools are for, with the terminals as they stand.")
        .with_mime_type("text/plain")
}
