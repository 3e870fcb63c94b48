//! How to use the tools: a few words at the beginning, and all of it as a prompt and as a resource.

use std::path::Path;

use flightdeck_contract::Error;
use flightdeck_core::Caller;
use rmcp::model::Resource;
use serde::Deserialize;
use serde_json::json;

use super::spelling::Spelling;
use super::{Service, resources};

pub(super) const URI: &str = "flightdeck://instructions";

#[derive(Deserialize)]
struct Instructions {
    text: String,
}

/// What runs a command, for the families that a client may have.
const FIRST: [&str; 4] = [
    "flightdeck.terminal.run runs a command and says how it ended; one that takes longer goes on, and flightdeck.terminal.wait \
     waits for it. ",
    "execute_command runs a command in a tab and says how it ended; one that takes longer goes on, and read_logs_from_tab shows \
     what it prints. ",
    "memory_terminal_interactive runs a command and says how it ended; one that takes longer goes on, and its action read_output \
     shows what it prints. ",
    "openspace.terminal.create opens one, openspace.terminal.send types into it, and openspace.terminal.read_output reads it. ",
];

/// What a client is told when it connects: it costs every conversation its place.
pub(super) fn short(root: &Path, spelling: Spelling<'_>) -> String {
    let root: String = root.to_string_lossy().chars().filter(|c| !c.is_control()).collect();
    let first = FIRST.iter().find(|words| !spelling.names_missing(words)).map(|words| spelling.text(words));
    let first = first.unwrap_or_default();
    format!(
        "Real terminals in the folder {root}, shared with the person, who can look on and take over. {first}Terminals stay, and so does what they \
         printed. Paths and commands are taken from that folder on. A dangerous command asks a person first, which can take a while; one that was declined or blocked is not to \
         be tried again in other words: do it another way, or ask your user. The prompt `instructions` and the resource {URI} have the rest."
    )
}

/// The whole text, with how things stand now.
pub(super) async fn text(service: &Service, caller: Caller) -> Result<String, Error> {
    let asked = resources::ask(&service.hub, caller, "flightdeck.hub.instructions", json!({}));
    let instructions: Instructions = asked.await?;
    let spelling = service.spelling();
    let kept = blocks(&instructions.text).into_iter().filter(|block| !spelling.names_missing(block));
    Ok(spelling.text(&kept.collect::<String>()))
}

/// The paragraphs and the points of lists of a text.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        match blocks.last_mut() {
            Some(last) if !(line.starts_with("- ") || line == "\n" || last == "\n") => last.push_str(line),
            _ => blocks.push(line.to_owned()),
        }
    }
    blocks
}

/// The text as a resource.
pub(super) fn resource() -> Resource {
    Resource::new(URI, "instructions")
        .with_title("How to use Flightdeck")
        .with_description("What the tools are for, with the terminals as they stand.")
        .with_mime_type("text/plain")
}

#[cfg(test)]
mod tests {
    use flightdeck_core::{Family, Registry};

    use super::super::Selection;
    use super::*;

    #[test]
    fn a_client_is_told_of_the_tools_that_it_has() {
        let registry = Registry::new();
        for family in Family::ALL {
            let selection = Selection::parse(&[family.name().to_owned()], None).unwrap();
            let text = short(Path::new("/shop"), selection.spelling(&registry));
            assert!(!selection.spelling(&registry).names_missing(&text), "{text}");
        }
        let text = short(Path::new("/shop"), Selection::default().spelling(&registry));
        assert!(text.contains("flightdeck.terminal.run runs a command"), "{text}");
    }

    #[test]
    fn a_text_is_taken_apart_by_paragraphs_and_points() {
        let text = "# T\n\nOne\ntwo.\n- a\n  b\n- c\n\nThree\n";
        assert_eq!(blocks(text), ["# T\n", "\n", "One\ntwo.\n", "- a\n  b\n", "- c\n", "\n", "Three\n"]);
    }
}
