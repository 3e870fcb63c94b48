//! How each server is spoken to, and what their replies have in common.

pub mod desktop_commander;
pub mod flightdeck;
pub mod floor;
pub mod server_commands;
pub mod terminalcp;
pub mod tmux_mcp;

use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::Value;

/// All text of a tool's result.
pub fn text(result: &Value) -> String {
    let parts = result["content"].as_array().into_iter().flatten();
    parts.filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
}

/// The number after a word, wherever that is in a text.
pub fn number_after(text: &str, word: &str) -> Option<i64> {
    let rest = text[text.find(word)? + word.len()..].trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
    rest[..end].parse().ok()
}

/// What lies between the end of one word and the beginning of the last of another; up to the end without that.
pub fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<&'a str> {
    let rest = &text[text.find(from)? + from.len()..];
    Some(rest.rfind(to).map_or(rest, |end| &rest[..end]))
}

/// Asking again until a server that only answers what there is so far has all of it. The pauses are short enough not to
/// matter to what is measured and long enough not to keep the server from its work.
#[derive(Debug)]
pub struct Polling {
    deadline: Instant,
    asked: u32,
}

impl Polling {
    pub fn until(patience: Duration) -> Self {
        Polling { deadline: Instant::now() + patience, asked: 0 }
    }

    /// What is left of the time.
    pub fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    pub fn pause(&mut self) -> anyhow::Result<()> {
        ensure!(!self.left().is_zero(), "no end of it in time");
        std::thread::sleep(Duration::from_millis(if self.asked < 100 { 1 } else { 20 }));
        self.asked += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_numbers_and_outputs_in_prose() {
        let said = "[Reading 1 lines]\n\nhi 7\n✅ Process completed with exit code 0 (runtime: 0.01s)";
        assert_eq!(number_after(said, "exit code"), Some(0));
        assert_eq!(number_after(said, "no such word"), None);
        assert_eq!(between(said, "\n\n", "\n✅"), Some("hi 7"));
        assert_eq!(between("a:b", "a:", "missing"), Some("b"));
    }
}
