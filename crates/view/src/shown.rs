//! Other people's text, made safe to show. A command comes from an agent, which may want a person to see something else
//! than what would run: by escape sequences, by text that runs backwards, by characters that can't be seen. All of these
//! are shown as escapes.

use flightdeck_contract::approval::ApprovalPiece;
use serde::Serialize;
use unicode_width::UnicodeWidthChar;

/// A text in one line that is safe to show.
pub fn visible(text: &str) -> String {
    text.chars().map(shown).collect()
}

/// A text of several lines that is safe to show; tabs stay too.
pub fn visible_lines(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\n' | '\t') { c.to_string() } else { shown(c) }).collect()
}

/// How many characters of a text are shown as escapes, line ends aside.
pub fn hidden(text: &str) -> usize {
    text.chars().filter(|c| *c != '\n' && !is_plain(*c)).count()
}

/// A line of somebody's prose that is safe to show: accents and what joins emoji stay as they are, and so does a tab.
pub fn prose(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let (mut marks, mut before) = (0, None);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let joins = c == JOINER && before.is_some_and(is_pictorial) && chars.peek().copied().is_some_and(is_pictorial);
        let marked = marks < MAX_MARKS && before.is_some() && is_mark(c);
        if c == '\t' || is_plain(c) || joins || marked {
            shown.push(c);
            marks = if marked { marks + 1 } else { 0 };
        } else {
            shown.push_str(&escape(c));
        }
        // A mark belongs to the character below it, which stays the one before.
        if !marked {
            before = is_plain(c).then_some(c).filter(|c| *c != ' ');
        }
    }
    shown
}

/// More marks on one character than any language has hide the lines around it.
const MAX_MARKS: usize = 4;
/// Makes one picture of two.
const JOINER: char = '\u{200d}';

/// Whether a character changes the one before it and takes no room: an accent, a vowel, the colour of an emoji.
fn is_mark(c: char) -> bool {
    c.width() == Some(0) && !c.is_control() && !is_unseen(c)
        || matches!(c, '\u{fe0e}' | '\u{fe0f}' | '\u{20e3}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Whether a character may be a part of a joined emoji.
fn is_pictorial(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// Whether a character shows as what it is: it takes room, and is no space but the usual one.
pub fn is_plain(c: char) -> bool {
    let takes_room = c.width().is_some_and(|columns| columns > 0);
    !is_unseen(c) && takes_room && !c.is_control() && (c == ' ' || !c.is_whitespace())
}

/// Whether a character shows as nothing, or changes how others show without a sign of its own.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}' // blank, or shown at a line's end only
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{61c}' // zero-width, bidi
        | '\u{fff0}'..='\u{ffff}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}') // tags, private use
}

/// A character that is not plain.
pub fn escape(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        c if (c as u32) < 0x80 => format!("\\x{:02x}", c as u32),
        c => format!("\\u{{{:x}}}", c as u32),
    }
}

fn shown(c: char) -> String {
    if is_plain(c) { c.to_string() } else { escape(c) }
}

/// A part of a command that is all dangerous for one reason, or not at all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Span {
    pub text: String,
    /// What is dangerous about it; empty for nothing.
    pub danger: String,
}

/// A command in lines, cut where a dangerous piece begins or ends. Of pieces within pieces the innermost says best what is
/// wrong.
pub fn spans(text: &str, pieces: &[ApprovalPiece]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (at, c) in text.char_indices() {
        let within = pieces.iter().filter(|piece| piece.danger.is_some() && (piece.start..piece.end).contains(&at));
        let danger = within.max_by_key(|piece| piece.depth).and_then(|piece| piece.danger.clone()).unwrap_or_default();
        let shown = if c == '\n' { "\n".to_owned() } else { shown(c) };
        match spans.last_mut() {
            Some(last) if last.danger == danger => last.text.push_str(&shown),
            _ => spans.push(Span { text: shown, danger }),
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_deceive_is_shown_as_an_escape() {
        for (text, shown) in [
            ("ls -l 'ä 日本'", "ls -l 'ä 日本'"),
            ("\x1b[2K\rls", "\\x1b[2K\\rls"),
            ("a\u{9b}31m", "a\\u{9b}31m"),
            ("rm\u{202e}x\u{2066}", "rm\\u{202e}x\\u{2066}"),
            ("a\u{200b}b\u{feff}", "a\\u{200b}b\\u{feff}"),
            ("a\u{a0}b\u{3000}c", "a\\u{a0}b\\u{3000}c"),
            ("e\u{301}", "e\\u{301}"),
            ("x\u{e0041}\u{fe0f}\u{3164}\u{ad}", "x\\u{e0041}\\u{fe0f}\\u{3164}\\u{ad}"),
            ("\u{2028}\u{7f}\0", "\\u{2028}\\x7f\\x00"),
            ("a\tb\nc", "a\\tb\\nc"),
        ] {
            assert_eq!(visible(text), shown);
        }
        assert_eq!(hidden("a\nb\u{202e}\x1b"), 2);
    }

    #[test]
    fn prose_keeps_what_languages_and_emoji_need() {
        for (text, shown) in [
            ("e\u{301}\tnaïve", "e\u{301}\tnaïve"),
            ("\u{26a0}\u{fe0f} 👩\u{200d}💻 👍\u{1f3fd}", "\u{26a0}\u{fe0f} 👩\u{200d}💻 👍\u{1f3fd}"),
            ("\u{301}x \u{301}", "\\u{301}x \\u{301}"),
            ("a\u{200d}b", "a\\u{200d}b"),
            ("rm\u{202e}x\x1b[2J\u{9b}1m", "rm\\u{202e}x\\x1b[2J\\u{9b}1m"),
            ("a\u{300}\u{300}\u{300}\u{300}\u{300}", "a\u{300}\u{300}\u{300}\u{300}\\u{300}"),
            ("a\rb\u{e0041}", "a\\rb\\u{e0041}"),
        ] {
            assert_eq!(prose(text), shown, "{text:?}");
        }
    }

    fn piece(start: usize, end: usize, depth: usize, danger: Option<&str>) -> ApprovalPiece {
        ApprovalPiece { text: String::new(), start, end, depth, danger: danger.map(str::to_owned) }
    }

    #[test]
    fn dangerous_parts_are_marked_by_their_bytes() {
        let spans = spans("ü && rm x\n", &[piece(0, 2, 0, None), piece(6, 10, 0, Some("deletes"))]);
        let shown: Vec<_> = spans.iter().map(|span| (span.text.as_str(), span.danger.as_str())).collect();
        assert_eq!(shown, [("ü && ", ""), ("rm x", "deletes"), ("\n", "")]);
    }

    #[test]
    fn the_innermost_danger_counts() {
        let spans = spans("sh -c 'rm x'", &[piece(0, 12, 0, Some("runs")), piece(7, 11, 1, Some("deletes"))]);
        let dangers: Vec<_> = spans.iter().map(|span| span.danger.as_str()).collect();
        assert_eq!(dangers, ["runs", "deletes", "runs"]);
    }
}
