//! Commands as tools: which of them a client gets, and under which names.

use std::sync::{Arc, OnceLock};

use flightdeck_contract::tool_names::ToolNames;
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_core::{Command, Family, Registry};
use rmcp::ErrorData;
use rmcp::model::{MetaObject, Tool, ToolAnnotations};
use serde_json::json;

use super::spelling::Spelling;

/// By which Claude Code learns how long a result may be before it puts it into a file and shows the first 2 KB. Results
/// have bounds of their own: what is longer than usual was asked for.
const LONGEST_RESULT: (&str, u64) = ("anthropic/maxResultSizeChars", 500_000);

/// The tools that a client gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Some families; all when empty.
    families: Vec<Family>,
    /// As was asked for, or else as suits the client once it has said who it is.
    names: OnceLock<ToolNames>,
    /// Whether older names are listed. They can be called in any case.
    compat: bool,
}

impl Selection {
    /// A selection from the names of families, as `--tools` has them. Without `names` the client decides how tools are named.
    pub fn parse(families: &[String], names: Option<ToolNames>) -> Result<Self, Error> {
        let mut selected = Vec::new();
        for name in families {
            match Family::parse(name) {
                Some(family) => selected.push(family),
                None if name == "all" => selected.extend(Family::ALL),
                None => {
                    let known: Vec<_> = Family::ALL.map(Family::name).into();
                    let problem = format!("there is no family of tools called {name:?}");
                    let error = Error::new(ErrorCode::InvalidArgument, problem);
                    return Err(error.hint(format!("use some of {}, or all", known.join(", "))));
                }
            }
        }
        let names = names.map_or_else(OnceLock::new, OnceLock::from);
        Ok(Selection { families: selected, names, compat: false })
    }

    /// The same with older names in the list, if that is wanted.
    #[must_use]
    pub fn with_compat(mut self, wanted: bool) -> Self {
        self.compat |= wanted;
        self
    }

    /// Whether it is still open how tools are named.
    pub(super) fn awaits_client(&self) -> bool {
        self.names.get().is_none()
    }

    /// Names tools as suits a client, unless that is decided already.
    pub(super) fn suit(&self, client: &str) {
        self.names.get_or_init(|| ToolNames::of_client(client));
    }

    fn names(&self) -> ToolNames {
        self.names.get().copied().unwrap_or_default()
    }

    /// The name of a command's tool.
    pub(super) fn name(&self, id: &str) -> String {
        self.names().name(id).into_owned()
    }

    /// How tools are spelled in words to the client.
    pub(super) fn spelling<'a>(&'a self, registry: &'a Registry) -> Spelling<'a> {
        Spelling { selection: self, registry }
    }

    /// Whether tools have the names of their commands.
    pub(super) fn has_usual_names(&self) -> bool {
        self.names() == ToolNames::Dotted
    }

    /// Whether the client gets all tools.
    pub(super) fn has_all(&self) -> bool {
        self.families.is_empty() || Family::ALL.iter().all(|family| self.families.contains(family))
    }

    /// All tools of the client.
    pub(super) fn list(&self, registry: &Registry) -> Vec<Tool> {
        let listed = |command: &&Arc<Command>| self.has(command) && (self.compat || !command.compat);
        registry.commands().iter().filter(listed).map(|command| self.tool(registry, command)).collect()
    }

    /// The tool of this name, in either spelling: clients rewrite names on their own.
    pub(super) fn find(&self, registry: &Registry, name: &str) -> Option<Arc<Command>> {
        let found = registry
            .get(name)
            .or_else(|| registry.commands().into_iter().find(|command| same_but_for_dots(&command.id, name)))?;
        self.has(&found).then_some(found)
    }

    /// The definition of one tool.
    pub(super) fn tool(&self, registry: &Registry, command: &Command) -> Tool {
        let (effects, spelling) = (command.effects, self.spelling(registry));
        let annotations = ToolAnnotations::new()
            .read_only(effects.only_reads())
            .destructive(effects.destructive)
            .idempotent(effects.idempotent)
            .open_world(effects.open_world);
        let (description, input) = (spelling.description(&command.description), spelling.schema(&command.input_schema));
        let tool = Tool::new(self.name(&command.id), description, input)
            .with_title(command.title.clone())
            .with_annotations(annotations)
            .with_meta(MetaObject([(LONGEST_RESULT.0.to_owned(), json!(LONGEST_RESULT.1))].into_iter().collect()));
        // A result with a picture has no structured content, so that none may be promised.
        match command.attachment {
            Some(_) => tool,
            None => tool.with_raw_output_schema(spelling.schema(&command.output_schema)),
        }
    }

    /// What to answer to a call of a tool that is not there.
    pub(super) fn unknown(&self, registry: &Registry, name: &str) -> ErrorData {
        let shown: String = name.chars().take(80).collect();
        let near: Vec<_> = registry
            .near(name)
            .into_iter()
            .filter(|id| registry.get(id).is_some_and(|command| self.has(&command)))
            .map(|id| self.name(&id))
            .collect();
        let advice = if near.is_empty() {
            "tools/list has those that there are".to_owned()
        } else {
            format!("did you mean {}?", near.join(" or "))
        };
        ErrorData::invalid_params(format!("there is no tool {shown:?}: {advice}"), None)
    }

    /// Whether the client gets this one.
    pub(super) fn has(&self, command: &Command) -> bool {
        command.tool && (self.families.is_empty() || self.families.contains(&command.family))
    }
}

fn same_but_for_dots(id: &str, name: &str) -> bool {
    id.len() == name.len()
        && id.bytes().zip(name.bytes()).all(|(own, given)| own == given || (own == b'.' && given == b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_named_on_the_command_line() {
        let names = |families: &[&str]| families.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let parse = |families: &[&str]| Selection::parse(&names(families), None);
        assert_eq!(parse(&["terminal"]).unwrap().families, [Family::Terminal]);
        assert_eq!(parse(&[]).unwrap(), Selection::default());
        assert_eq!(parse(&["all"]).unwrap().families, Family::ALL);
        let error = parse(&["terminals"]).unwrap_err();
        assert!(error.hint.unwrap().contains("terminal"), "{}", error.message);
    }

    #[test]
    fn older_names_are_listed_on_demand_and_known_always() {
        let registry = Registry::new();
        let older: Vec<_> = registry.commands().into_iter().filter(|command| command.compat).collect();
        assert!(!older.is_empty());
        for wanted in [false, true] {
            let selection = Selection::default().with_compat(wanted);
            let listed = selection.list(&registry);
            for command in &older {
                assert_eq!(listed.iter().any(|tool| tool.name == command.id), wanted, "{}", command.id);
                assert!(selection.find(&registry, &command.id).is_some(), "{}", command.id);
            }
        }
    }

    #[test]
    fn names_are_the_same_in_both_spellings() {
        let underscore = Selection::parse(&[], Some(ToolNames::Underscore)).unwrap();
        assert_eq!(underscore.name("openspace.terminal.read_output"), "openspace_terminal_read_output");
        assert!(same_but_for_dots("openspace.terminal.read_output", "openspace_terminal_read_output"));
        assert!(same_but_for_dots("openspace.terminal.read_output", "openspace.terminal.read_output"));
        assert!(!same_but_for_dots("openspace.terminal.read_output", "openspace.terminal.read.output"));
    }

    #[test]
    fn names_suit_the_client_unless_they_were_asked_for() {
        let shown = |asked: Option<ToolNames>, client: &str| {
            let selection = Selection::parse(&[], asked).unwrap();
            selection.suit(client);
            selection.name("flightdeck.terminal.run")
        };
        assert_eq!(shown(None, "codex-mcp-client"), "flightdeck_terminal_run");
        assert_eq!(shown(None, "gemini-cli-mcp-client"), "flightdeck.terminal.run");
        assert_eq!(shown(Some(ToolNames::Dotted), "codex-mcp-client"), "flightdeck.terminal.run");
        assert_eq!(shown(Some(ToolNames::Underscore), "gemini-cli-mcp-client"), "flightdeck_terminal_run");
    }
}
