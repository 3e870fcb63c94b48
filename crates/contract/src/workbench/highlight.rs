//! Marked regions of documents.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The longest name of a highlight, in characters.
const LONGEST_ID: usize = 64;

/// The name of a highlight: the caller's own, or `h` and a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HighlightId(String);

/// Text that is no HighlightId.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a highlight id: use 1 to 64 printable characters, no spaces")]
pub struct InvalidHighlightId(String);

impl HighlightId {
    /// The name that the hub gives when the caller gives none.
    pub fn generated(number: u32) -> Self {
        HighlightId(format!("h{number}"))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for HighlightId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for HighlightId {
    type Err = InvalidHighlightId;

    fn from_str(text: &str) -> Result<Self, InvalidHighlightId> {
        text.to_owned().try_into()
    }
}

impl TryFrom<String> for HighlightId {
    type Error = InvalidHighlightId;

    fn try_from(text: String) -> Result<Self, InvalidHighlightId> {
        let length = text.chars().take(LONGEST_ID + 1).count();
        let printable = text.chars().all(|c| !c.is_control() && !c.is_whitespace());
        if (1..=LONGEST_ID).contains(&length) && printable {
            Ok(HighlightId(text))
        } else {
            Err(InvalidHighlightId(text.chars().take(LONGEST_ID).collect()))
        }
    }
}

impl From<HighlightId> for String {
    fn from(id: HighlightId) -> String {
        id.0
    }
}

impl JsonSchema for HighlightId {
    fn schema_name() -> Cow<'static, str> {
        "HighlightId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": LONGEST_ID })
    }
}

/// A region of a text. Without columns it is whole lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Range {
    /// The first line, from 1.
    pub start_line: u32,
    /// The last line; it belongs to the region.
    pub end_line: u32,
    /// Where it begins in the first line, from 1, in UTF-16 units; the beginning of the line when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_column: Option<u32>,
    /// Where it ends in the last line, before the character in this column; the end of the line when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
}

impl Range {
    /// Whole lines.
    pub fn lines(first: u32, last: u32) -> Self {
        Range { start_line: first, end_line: last, start_column: None, end_column: None }
    }
}

/// A colour: one of a few names, which follow the theme, or `#rrggbb`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Color {
    /// `yellow`, when nothing else is asked for.
    #[default]
    Yellow,
    /// `green`.
    Green,
    /// `red`.
    Red,
    /// `blue`.
    Blue,
    /// `orange`.
    Orange,
    /// `purple`.
    Purple,
    /// `gray`.
    Gray,
    /// `#rrggbb`.
    Rgb(u8, u8, u8),
}

/// Text that is no colour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a colour: use yellow, green, red, blue, orange, purple, gray or #rrggbb")]
pub struct InvalidColor(String);

const NAMES: [(&str, Color); 7] = [
    ("yellow", Color::Yellow),
    ("green", Color::Green),
    ("red", Color::Red),
    ("blue", Color::Blue),
    ("orange", Color::Orange),
    ("purple", Color::Purple),
    ("gray", Color::Gray),
];

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Color::Rgb(red, green, blue) = self {
            return write!(f, "#{red:02x}{green:02x}{blue:02x}");
        }
        let name = NAMES.iter().find(|(_, color)| color == self).map_or("yellow", |(name, _)| name);
        f.write_str(name)
    }
}

impl FromStr for Color {
    type Err = InvalidColor;

    fn from_str(text: &str) -> Result<Self, InvalidColor> {
        let invalid = || InvalidColor(text.chars().take(40).collect());
        if let Some((_, color)) = NAMES.iter().find(|(name, _)| *name == text) {
            return Ok(*color);
        }
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6).ok_or_else(invalid)?;
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(invalid());
        }
        let number = u32::from_str_radix(digits, 16).map_err(|_| invalid())?;
        let [_, red, green, blue] = number.to_be_bytes();
        Ok(Color::Rgb(red, green, blue))
    }
}

impl TryFrom<String> for Color {
    type Error = InvalidColor;

    fn try_from(text: String) -> Result<Self, InvalidColor> {
        text.parse()
    }
}

impl From<Color> for String {
    fn from(color: Color) -> String {
        color.to_string()
    }
}

impl JsonSchema for Color {
    fn schema_name() -> Cow<'static, str> {
        "Color".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^(yellow|green|red|blue|orange|purple|gray|#[0-9a-fA-F]{6})$"
        })
    }
}

/// Marked regions under one name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Highlight {
    /// Its name.
    pub id: HighlightId,
    /// The document.
    pub path: String,
    /// The regions; they move with the text.
    pub ranges: Vec<Range>,
    /// Its colour.
    pub color: Color,
    /// Who made it.
    pub created_by: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_a_closed_set() {
        for text in ["yellow", "green", "red", "blue", "orange", "purple", "gray", "#00ff7f"] {
            assert_eq!(text.parse::<Color>().unwrap().to_string(), text);
        }
        for text in ["", "Green", "pink", "#fff", "#00ff7g", "#+1ff7f", "#00ff7f0", "url(x)", "#é1234"] {
            assert!(text.parse::<Color>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn ids_are_short_and_printable() {
        for text in ["fix-1", "h1", "überprüft", &"x".repeat(64)] {
            assert_eq!(text.parse::<HighlightId>().unwrap().as_str(), text);
        }
        for text in ["", " ", "a b", "a\nb", "a\u{1b}[0m", &"x".repeat(65)] {
            assert!(text.parse::<HighlightId>().is_err(), "{text:?}");
        }
    }
}
