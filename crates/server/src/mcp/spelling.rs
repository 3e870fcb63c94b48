//! Tools in words, as the client sees them. Hints, errors and descriptions name commands by their ids; a client that was
//! given other names knows no tool by those, and one that was given some of the tools has no use for advice about the others.
//! So all words on their way to it pass here.

use std::borrow::Cow;
use std::sync::Arc;

use flightdeck_core::Registry;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value};

use super::results::as_text;
use super::tools::Selection;

/// The fields of a result that are words of ours to the agent. All others are output, files and other people's texts.
const OF_FAILURES: &[&str] = &["error", "message", "hint", "user_message", "warning", "note"];
const OF_SUCCESSES: &[&str] = &["hint", "warning", "note"];
/// Those of them that are advice.
const ADVICE: &[&str] = &["hint", "warning", "note"];
/// The fields that our words may stand in.
const AROUND_WORDS: &[&str] = &["data", "details", "error", "fallback", "fields", "result"];

/// How one client's tools are spelled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spelling<'a> {
    pub selection: &'a Selection,
    pub registry: &'a Registry,
}

impl Spelling<'_> {
    /// Advice without what it says of tools that the client has not: such a clause ends before that, or is left out.
    fn advice(self, text: &str) -> String {
        let kept = text.split("; ").filter_map(|clause| {
            let Some(at) = self.missing(clause) else { return Some(clause) };
            clause[..at].rfind([',', ':']).map(|end| &clause[..end])
        });
        self.text(&kept.collect::<Vec<_>>().join("; "))
    }

    /// A description without the sentences about tools that the client has not.
    pub(super) fn description(self, text: &str) -> String {
        let kept: String = text.split_inclusive(". ").filter(|sentence| !self.names_missing(sentence)).collect();
        self.text(kept.trim_end())
    }

    /// Whether a text names a tool that the client has not.
    pub(super) fn names_missing(self, text: &str) -> bool {
        self.missing(text).is_some()
    }

    /// Where a text names the first tool that the client has not.
    fn missing(self, text: &str) -> Option<usize> {
        let is_missing = |name: &str| {
            let command = self.registry.get(name.trim_end_matches('.'));
            command.is_some_and(|command| command.tool && !self.selection.has(&command))
        };
        let mut at = 0;
        text.split_inclusive(|c| !is_of_name(c)).find_map(|word| {
            let begin = at;
            at += word.len();
            is_missing(word.trim_end_matches(|c| !is_of_name(c))).then_some(begin)
        })
    }

    /// A text with the names that the client knows.
    pub(super) fn text(self, text: &str) -> String {
        if self.selection.has_usual_names() || !text.contains('.') {
            return text.to_owned();
        }
        let mut spelled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(is_of_name) {
            spelled.push_str(&rest[..start]);
            rest = &rest[start..];
            let end = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
            // A dot at the end is that of the sentence, or of `openspace.pane.*`.
            let name = rest[..end].trim_end_matches('.');
            let is_family = rest[name.len()..].starts_with(".*");
            if is_family && self.is_prefix(name) {
                spelled.push_str(&self.selection.name(name));
                spelled.push('_');
                rest = &rest[name.len() + 1..];
                continue;
            }
            if name.contains('.') && self.registry.get(name).is_some() {
                spelled.push_str(&self.selection.name(name));
            } else {
                spelled.push_str(name);
            }
            rest = &rest[name.len()..];
            let dots = rest.len() - rest.trim_start_matches('.').len();
            spelled.push_str(&rest[..dots]);
            rest = &rest[dots..];
        }
        spelled.push_str(rest);
        spelled
    }

    fn is_prefix(self, family: &str) -> bool {
        let commands = self.registry.commands();
        commands.iter().any(|command| command.id.strip_prefix(family).is_some_and(|rest| rest.starts_with('.')))
    }

    /// A schema whose descriptions have them.
    pub(super) fn schema(self, schema: &Arc<Map<String, Value>>) -> Arc<Map<String, Value>> {
        if self.selection.has_usual_names() {
            return Arc::clone(schema);
        }
        let mut spelled = Map::clone(schema);
        for value in spelled.values_mut() {
            self.fields(value, &["description"], &|_| true);
        }
        Arc::new(spelled)
    }

    /// A tool's result whose words have them.
    pub(super) fn result(self, mut result: CallToolResult) -> CallToolResult {
        if self.selection.has_usual_names() && self.selection.has_all() {
            return result;
        }
        let words = if result.is_error == Some(true) { OF_FAILURES } else { OF_SUCCESSES };
        if let Some(structured) = &mut result.structured_content {
            let before = as_text(structured);
            self.fields(structured, words, &|field| AROUND_WORDS.contains(&field));
            // The same stands there as text, for clients that show text only.
            for block in &mut result.content {
                if block.as_text().is_some_and(|text| text.text == before) {
                    *block = ContentBlock::text(as_text(structured));
                }
            }
        }
        result
    }

    /// An error of the protocol whose words have them.
    pub(super) fn error(self, mut error: ErrorData) -> ErrorData {
        error.message = Cow::Owned(self.text(&error.message));
        error
    }

    fn fields(self, value: &mut Value, words: &[&str], around: &dyn Fn(&str) -> bool) {
        match value {
            Value::Object(fields) => fields.retain(|name, value| {
                match value {
                    Value::String(text) if words.contains(&name.as_str()) => {
                        let is_advice = ADVICE.contains(&name.as_str());
                        *text = if is_advice { self.advice(text) } else { self.text(text) };
                        return !(is_advice && text.is_empty());
                    }
                    Value::Object(_) | Value::Array(_) if around(name) => self.fields(value, words, around),
                    _ => {}
                }
                true
            }),
            Value::Array(all) => {
                for value in all {
                    self.fields(value, words, around);
                }
            }
            _ => {}
        }
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

#[cfg(test)]
mod tests {
    use flightdeck_contract::tool_names::ToolNames;
    use serde_json::json;

    use super::*;

    fn selection(families: &[&str], names: ToolNames) -> Selection {
        let families: Vec<_> = families.iter().map(|name| (*name).to_owned()).collect();
        Selection::parse(&families, Some(names)).unwrap()
    }

    #[test]
    fn tools_are_named_as_the_client_knows_them_and_nothing_else_changes() {
        let registry = Registry::new();
        let [dotted, other] = [ToolNames::Dotted, ToolNames::Underscore].map(|names| selection(&[], names));
        for (text, spelled) in [
            ("use flightdeck.terminal.run", "use flightdeck_terminal_run"),
            ("`openspace.file.write`. Then go on.", "`openspace_file_write`. Then go on."),
            ("with flightdeck.terminal.read.", "with flightdeck_terminal_read."),
            ("flightdeck.terminal.run, openspace.pane.list", "flightdeck_terminal_run, openspace_pane_list"),
            ("all of openspace.pane.*", "all of openspace_pane_*"),
            ("list_tabs, src/main.rs, flightdeck.toml ...", "list_tabs, src/main.rs, flightdeck.toml ..."),
            ("flightdeck.terminal.nothing é.", "flightdeck.terminal.nothing é."),
        ] {
            assert_eq!(other.spelling(&registry).advice(text), spelled);
            assert_eq!(dotted.spelling(&registry).advice(text), text);
        }
    }

    #[test]
    fn nobody_is_advised_to_use_a_tool_that_it_has_not() {
        let registry = Registry::new();
        let tabs = selection(&["tabs"], ToolNames::Dotted);
        for (advice, left) in [
            ("close_tab closes one; the user can raise it", "close_tab closes one; the user can raise it"),
            ("reading works; flightdeck.terminal.lease with é waits", "reading works"),
            ("end some with flightdeck.terminal.kill, or use one; the user can raise it", "the user can raise it"),
            (
                "nothing was stopped: it goes on, and flightdeck.terminal.list finds it",
                "nothing was stopped: it goes on",
            ),
            ("12 bytes are left out: flightdeck.terminal.read reads them.", "12 bytes are left out"),
            ("use flightdeck.terminal.run", ""),
            ("flightdeck.consent.show is no tool", "flightdeck.consent.show is no tool"),
        ] {
            assert_eq!(tabs.spelling(&registry).advice(advice), left);
        }
        let told =
            json!({ "success": false, "error": "use flightdeck.terminal.run", "hint": "use flightdeck.terminal.run" });
        let result = tabs.spelling(&registry).result(CallToolResult::structured_error(told));
        let left = json!({ "success": false, "error": "use flightdeck.terminal.run" });
        assert_eq!(result.structured_content, Some(left.clone()));
        assert_eq!(result.content[0].as_text().map(|text| text.text.clone()), Some(left.to_string()));
    }

    #[test]
    fn output_is_left_as_it_is() {
        let registry = Registry::new();
        let other = selection(&[], ToolNames::Underscore);
        let spelling = other.spelling(&registry);
        let name = "flightdeck.terminal.run";
        let told = json!({ "output": name, "warning": name, "data": { "text": name, "hint": name } });
        let CallToolResult { content, structured_content, .. } = spelling.result(CallToolResult::structured(told));
        let other = "flightdeck_terminal_run";
        let expected = json!({ "output": name, "warning": other, "data": { "text": name, "hint": other } });
        assert_eq!(structured_content, Some(expected.clone()));
        assert_eq!(content[0].as_text().map(|text| text.text.clone()), Some(expected.to_string()));
    }
}
