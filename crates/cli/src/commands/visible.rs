//! Other people's text, made safe to show. A command comes from an agent, which may want a person to see something else
//! than what would run: by escape sequences, by text that runs backwards, by characters that can't be seen. All of these
//! are shown as escapes, and nothing of them reaches the terminal.

use std::ops::Range;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::style::Style;

/// Before each line of a command, so that no line of it can be taken for one of ours.
const GUTTER: &str = "│ ";
/// Before the rest of a line that did not fit.
const WRAPPED: &str = "┆ ";

/// A text in one line that is safe to show.
pub fn visible(text: &str) -> String {
    text.chars().map(|c| if is_plain(c) { c.to_string() } else { escape(c) }).collect()
}

/// How many characters of a text are shown as escapes, line ends aside.
pub fn hidden(text: &str) -> usize {
    text.chars().filter(|c| *c != '\n' && !is_plain(*c)).count()
}

/// A command as a block of lines, with a line of carets below each line that has one of the marked ranges (in bytes).
pub fn block(command: &str, marked: &[Range<usize>], width: Option<usize>, style: Style) -> Vec<Line> {
    let room = width.map_or(usize::MAX, |width| width.saturating_sub(GUTTER.width()).max(10));
    let mut lines = Vec::new();
    let mut start = 0;
    for text in command.split('\n') {
        let mut gutter = GUTTER;
        let mut row: Vec<Shown> = Vec::new();
        for (at, c) in text.char_indices() {
            let shown = Shown::new(c, start + at, marked);
            if columns(&row) + shown.columns > room {
                lines.push(Line::new(gutter, &row, style));
                row.clear();
                gutter = WRAPPED;
            }
            row.push(shown);
        }
        lines.push(Line::new(gutter, &row, style));
        start += text.len() + 1;
    }
    lines
}

/// A line of a block.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// As it is shown.
    pub text: String,
    /// The carets below it.
    pub carets: Option<String>,
}

/// One character as it is shown.
struct Shown {
    text: String,
    columns: usize,
    marked: bool,
    escaped: bool,
}

impl Shown {
    fn new(c: char, at: usize, marked: &[Range<usize>]) -> Self {
        let escaped = !is_plain(c);
        let text = if escaped { escape(c) } else { c.to_string() };
        Shown { columns: text.width(), text, marked: marked.iter().any(|range| range.contains(&at)), escaped }
    }
}

impl Line {
    fn new(gutter: &str, row: &[Shown], style: Style) -> Self {
        let mut text = style.dim(gutter);
        // Neighbours of the same kind are coloured together: fewer sequences, and they can be searched for.
        for run in row.chunk_by(|a, b| (a.marked, a.escaped) == (b.marked, b.escaped)) {
            let joined: String = run.iter().map(|shown| shown.text.as_str()).collect();
            text += &match (run[0].marked, run[0].escaped) {
                (_, true) => style.yellow(&joined),
                (true, false) => style.red(&joined),
                (false, false) => joined,
            };
        }
        let carets = row.iter().any(|shown| shown.marked).then(|| {
            let below = |shown: &Shown| if shown.marked { "^" } else { " " }.repeat(shown.columns);
            let carets: String = row.iter().map(below).collect();
            format!("{}{}", style.dim(gutter), style.red(carets.trim_end()))
        });
        Line { text, carets }
    }
}

fn columns(row: &[Shown]) -> usize {
    row.iter().map(|shown| shown.columns).sum()
}

/// Whether a character shows as what it is: it takes room, and is no space but the usual one.
fn is_plain(c: char) -> bool {
    let unseen = matches!(c,
        '\u{ad}' | '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}' // blank, or shown at a line's end only
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{61c}' // zero-width, bidi
        | '\u{fff0}'..='\u{ffff}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}'); // tags, private use
    let takes_room = c.width().is_some_and(|columns| columns > 0);
    !unseen && takes_room && !c.is_control() && (c == ' ' || !c.is_whitespace())
}

fn escape(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        c if (c as u32) < 0x80 => format!("\\x{:02x}", c as u32),
        c => format!("\\u{{{:x}}}", c as u32),
    }
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
    fn carets_stand_below_what_is_marked() {
        let plain = crate::style::plain();
        for (command, marked, width, expected) in [
            ("cd x && rm -rf y", 8..16, None, &["│ cd x && rm -rf y", "│         ^^^^^^^^"][..]),
            ("日本 rm", 7..9, None, &["│ 日本 rm", "│      ^^"]),
            ("a\x1bb", 1..3, None, &["│ a\\x1bb", "│  ^^^^^"]),
            ("one\nrm two\nthree", 4..10, None, &["│ one", "│ rm two", "│ ^^^^^^", "│ three"]),
            ("0123456789abcdef", 8..12, Some(12), &["│ 0123456789", "│         ^^", "┆ abcdef", "┆ ^^"]),
            ("ls", 5..99, None, &["│ ls"]),
        ] {
            let lines = block(command, &[marked], width, plain);
            let shown: Vec<_> = lines.into_iter().flat_map(|line| [Some(line.text), line.carets]).flatten().collect();
            assert_eq!(shown, expected, "{command:?}");
        }
    }
}
