//! Markdown as it is shown in a terminal, line by line as it comes. Lines stay lines: agents mean them.

use unicode_width::UnicodeWidthStr;

use super::super::styled::{Look, StyledLine};
use flightdeck_view::shown::prose;

/// Rows of a table that are put together; a longer one is shown in parts.
const MAX_TABLE_ROWS: usize = 200;
/// In a longer line, or deeper within others, marks are shown as they are.
const MAX_INLINE_BYTES: usize = 16 * 1024;
const MAX_NESTED: usize = 8;

/// Where in a text it is.
#[derive(Clone, Debug, Default)]
pub struct Markdown {
    /// The mark that ends the code block.
    fence: Option<String>,
    /// The rows of a table that is not over.
    table: Vec<Vec<StyledLine>>,
}

impl Markdown {
    /// Takes a whole line, and gives the rows that are final now.
    pub fn line(&mut self, line: &str, columns: usize) -> Vec<StyledLine> {
        let line = prose(line.trim_end());
        if self.fence.is_none() && is_row(&line) && self.table.len() < MAX_TABLE_ROWS {
            if !is_rule_of_table(&line) {
                self.table.push(cells(&line));
            }
            return Vec::new();
        }
        let mut rows = self.end(columns);
        if let Some(fence) = &self.fence {
            if line.trim().starts_with(fence.as_str()) && line.trim().chars().all(|c| fence.starts_with(c)) {
                self.fence = None;
            } else {
                rows.extend(StyledLine::of(Look::CYAN, format!("  {line}")).wrap_anywhere(columns, 2));
            }
            return rows;
        }
        if let Some(fence) = fence_of(line.trim_start()) {
            let language = line.trim_start().trim_start_matches(['`', '~']).trim();
            if !language.is_empty() {
                rows.push(StyledLine::of(Look::DIM, format!("  {language}")).fit(columns));
            }
            self.fence = Some(fence);
            return rows;
        }
        rows.extend(block(&line, columns));
        rows
    }

    /// The text is over, or something else comes: what was held back is shown.
    pub fn end(&mut self, columns: usize) -> Vec<StyledLine> {
        let table = std::mem::take(&mut self.table);
        if table.is_empty() { Vec::new() } else { table_rows(&table, columns) }
    }

    /// How a line looks that has not come to its end, below what is held back.
    pub fn preview(&self, line: &str, columns: usize) -> Vec<StyledLine> {
        let mut after = self.clone();
        let mut rows = after.line(line, columns);
        rows.extend(after.end(columns));
        rows
    }
}

fn fence_of(line: &str) -> Option<String> {
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let count = line.chars().take_while(|c| *c == mark).count();
    // A line that closes what it opens is code within a line.
    let rest = &line[count..];
    (count >= 3 && !rest.contains(mark)).then(|| mark.to_string().repeat(count))
}

/// A line outside of code and tables.
fn block(line: &str, columns: usize) -> Vec<StyledLine> {
    let indent = line.len() - line.trim_start().len();
    let (space, text) = line.split_at(indent);
    if text.is_empty() {
        return vec![StyledLine::default()];
    }
    let level = text.chars().take_while(|c| *c == '#').count();
    if (1..=6).contains(&level) && text[level..].starts_with(' ') {
        let look = if level <= 2 { Look::BOLD.underline() } else { Look::BOLD };
        return inline(text[level..].trim().trim_end_matches('#').trim_end(), look).wrap(columns, 0);
    }
    if is_rule(text) {
        return vec![StyledLine::of(Look::DIM, "─".repeat(columns.min(40)))];
    }
    if text.starts_with('>') {
        let (mut inner, mut depth) = (text, 0);
        while let Some(quoted) = inner.trim_start().strip_prefix('>') {
            inner = quoted.strip_prefix(' ').unwrap_or(quoted);
            depth += 1;
        }
        // However deep a quote is, half of the window is for its text.
        let margin = "│ ".repeat(depth.min(columns / 4));
        let rows = block(inner, columns - margin.width());
        return rows.into_iter().map(|row| with_margin(Look::DIM, &margin, &row)).collect();
    }
    let (mark, rest) = list_mark(text);
    let mut shown = StyledLine::plain(space);
    shown.push(Look::BOLD, &mark);
    let hang = shown.width();
    shown.append(&inline(rest, Look::PLAIN));
    shown.wrap(columns, hang)
}

fn with_margin(look: Look, margin: &str, row: &StyledLine) -> StyledLine {
    let mut line = StyledLine::of(look, margin);
    line.append(row);
    line
}

fn is_rule(text: &str) -> bool {
    let marks: Vec<char> = text.chars().filter(|c| *c != ' ').collect();
    marks.len() >= 3 && matches!(marks[0], '-' | '*' | '_') && marks.iter().all(|c| *c == marks[0])
}

/// The mark of a list's item as it is shown, and what stands behind it.
fn list_mark(text: &str) -> (String, &str) {
    if let Some(rest) = text.strip_prefix("- ").or_else(|| text.strip_prefix("* ")).or_else(|| text.strip_prefix("+ "))
    {
        for (task, shown) in [("[ ] ", "☐ "), ("[x] ", "☑ "), ("[X] ", "☑ ")] {
            if let Some(rest) = rest.strip_prefix(task) {
                return (shown.to_owned(), rest);
            }
        }
        return ("• ".to_owned(), rest);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_numbered = (1..=9).contains(&digits)
        && matches!(&text[digits..], rest if rest.starts_with(". ") || rest.starts_with(") "));
    if is_numbered { (text[..digits + 2].to_owned(), &text[digits + 2..]) } else { (String::new(), text) }
}

/// Emphasis, code and links within a line.
pub fn inline(text: &str, base: Look) -> StyledLine {
    nested(text, base, 0)
}

fn nested(text: &str, base: Look, depth: usize) -> StyledLine {
    // Nobody writes such a line, and to look for what ends in it takes too long.
    if depth > MAX_NESTED || text.len() > MAX_INLINE_BYTES {
        return StyledLine::of(base, text);
    }
    let mut line = StyledLine::default();
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let (look, inner, used) = match span(rest, before, base) {
            Some(span) => span,
            None if c == '\\' && rest[1..].starts_with(|c: char| c.is_ascii_punctuation()) => {
                line.push(base, &rest[1..2]);
                before = c;
                rest = &rest[2..];
                continue;
            }
            None => {
                // Up to the next character that may begin something.
                let end = rest[c.len_utf8()..]
                    .find(['\\', '`', '*', '_', '~', '['])
                    .map_or(rest.len(), |at| at + c.len_utf8());
                line.push(base, &rest[..end]);
                before = rest[..end].chars().next_back().unwrap_or(' ');
                rest = &rest[end..];
                continue;
            }
        };
        match inner {
            Inner::Code(code) => line.push(look, code),
            Inner::Text(text) => line.append(&nested(text, look, depth + 1)),
            Inner::Link { text, target } => {
                line.append(&nested(text, look, depth + 1));
                if text != target {
                    line.push(Look::DIM, &format!(" ({target})"));
                }
            }
        }
        before = 'x';
        rest = &rest[used..];
    }
    line
}

enum Inner<'a> {
    Code(&'a str),
    Text(&'a str),
    Link { text: &'a str, target: &'a str },
}

/// What begins here, with its look and how long it is.
fn span(rest: &str, before: char, base: Look) -> Option<(Look, Inner<'_>, usize)> {
    if rest.starts_with('`') {
        let ticks = rest.bytes().take_while(|byte| *byte == b'`').count();
        let end = rest[ticks..].find(&rest[..ticks])? + ticks;
        let code = &rest[ticks..end];
        // Spaces that keep ticks apart are no part of it.
        let code = code.strip_prefix(' ').and_then(|code| code.strip_suffix(' ')).unwrap_or(code);
        return Some((base.cyan(), Inner::Code(code), end + ticks));
    }
    if let Some(linked) = rest.strip_prefix('[') {
        let middle = linked.find("](")?;
        let end = linked[middle..].find(')')? + middle;
        let (text, target) = (&linked[..middle], &linked[middle + 2..end]);
        return Some((base.underline(), Inner::Link { text, target }, end + 2));
    }
    for (mark, look) in
        [("**", base.bold()), ("__", base.bold()), ("~~", base.strike()), ("*", base.italic()), ("_", base.italic())]
    {
        let Some(after) = rest.strip_prefix(mark) else { continue };
        // Within a word an underscore is a letter, and a mark before a space means itself.
        if mark.starts_with('_') && before.is_alphanumeric() || after.starts_with(char::is_whitespace) {
            return None;
        }
        let closes = |at: &usize| {
            let (inner, behind) = (&after[..*at], &after[at + mark.len()..]);
            let in_word = mark.starts_with('_') && behind.starts_with(char::is_alphanumeric);
            !inner.is_empty()
                && !inner.ends_with(char::is_whitespace)
                && !in_word
                && (mark.len() == 2 || !behind.starts_with(mark))
        };
        let end = after.match_indices(mark).map(|(at, _)| at).find(closes)?;
        return Some((look, Inner::Text(&after[..end]), end + 2 * mark.len()));
    }
    None
}

fn is_row(line: &str) -> bool {
    line.trim_start().starts_with('|') && line.trim_end().len() > 1
}

fn is_rule_of_table(line: &str) -> bool {
    line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

fn cells(line: &str) -> Vec<StyledLine> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    let (mut cells, mut cell, mut escaped) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match c {
            '|' if !escaped => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    cells.push(cell);
    cells.iter().map(|cell| inline(cell.trim(), Look::PLAIN)).collect()
}

/// A table with its columns in line, or, where the window is too narrow for that, with each cell in a line of its own.
fn table_rows(table: &[Vec<StyledLine>], columns: usize) -> Vec<StyledLine> {
    let count = table.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> =
        (0..count).map(|at| table.iter().filter_map(|row| Some(row.get(at)?.width())).max().unwrap_or(0)).collect();
    let gap = "  ";
    let total: usize = widths.iter().sum::<usize>() + gap.width() * count.saturating_sub(1);
    let mut rows = Vec::new();
    if total <= columns {
        for (at, cells) in table.iter().enumerate() {
            let mut row = StyledLine::default();
            for (at, width) in widths.iter().enumerate() {
                let cell = cells.get(at).cloned().unwrap_or_default();
                row.push(Look::PLAIN, if at > 0 { gap } else { "" });
                row.append(&cell);
                if at + 1 < count {
                    row.push(Look::PLAIN, &" ".repeat(width - cell.width()));
                }
            }
            rows.push(row);
            if at == 0 && table.len() > 1 {
                let rules: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                rows.push(StyledLine::of(Look::DIM, rules.join(gap)));
            }
        }
        return rows;
    }
    let (head, body) = table.split_first().map_or((&[][..], table), |(head, body)| (head.as_slice(), body));
    for cells in if body.is_empty() { table } else { body } {
        for (at, cell) in cells.iter().enumerate() {
            let mut row = StyledLine::of(Look::DIM, if at == 0 { "• " } else { "  " });
            if let Some(name) = head.get(at).filter(|name| !body.is_empty() && !name.is_empty()) {
                row.push(Look::BOLD, &format!("{}: ", name.text()));
            }
            row.append(cell);
            rows.extend(row.wrap(columns, 4));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, columns: usize) -> Vec<String> {
        let mut markdown = Markdown::default();
        let mut rows: Vec<_> = text.lines().flat_map(|line| markdown.line(line, columns)).collect();
        rows.extend(markdown.end(columns));
        rows.iter().map(StyledLine::text).collect()
    }

    #[test]
    fn blocks() {
        for (text, columns, expected) in [
            ("# Head\ntext", 40, &["Head", "text"][..]),
            ("- one two three\n  - four", 10, &["• one two", "  three", "  • four"]),
            ("10. one two three", 10, &["10. one", "    two", "    three"]),
            ("- [x] done\n- [ ] open", 40, &["☑ done", "☐ open"]),
            ("> one two three", 9, &["│ one two", "│ three"]),
            (
                "```rust\nlet a = 1;\n# no head\n\n```\nafter",
                40,
                &["  rust", "  let a = 1;", "  # no head", "  ", "after"],
            ),
            ("````\n```\n````\n*x*", 40, &["  ```", "x"]),
            ("```\nabcdefghij", 8, &["  abcdef", "  ghij"]),
            ("#hash\n1.5 is a number\n-5", 40, &["#hash", "1.5 is a number", "-5"]),
            ("***", 5, &["─────"]),
            ("a\x1b[2Jb\u{202e}c", 40, &["a\\x1b[2Jb\\u{202e}c"]),
        ] {
            assert_eq!(shown(text, columns), expected, "{text:?}");
        }
    }

    #[test]
    fn tables_have_their_columns_in_line_where_there_is_room() {
        let table = "| Name | Size |\n|---|--:|\n| `a` | 1 |\n| 日本 | 20 |\nafter";
        assert_eq!(shown(table, 40), ["Name  Size", "────  ────", "a     1", "日本  20", "after"]);
        assert_eq!(
            shown(table, 8),
            ["• Name:", "    a", "  Size:", "    1", "• Name:", "    日本", "  Size:", "    20", "after"]
        );
    }

    #[test]
    fn emphasis_code_and_links() {
        let painted = |text: &str| inline(text, Look::PLAIN).paint(crate::style::coloured());
        for (text, expected) in [
            ("a **b** c", "a \x1b[1mb\x1b[0m c"),
            ("*b* and _c_", "\x1b[3mb\x1b[0m and \x1b[3mc\x1b[0m"),
            ("**a *b* c**", "\x1b[1ma \x1b[0m\x1b[1;3mb\x1b[0m\x1b[1m c\x1b[0m"),
            ("`a*b*`", "\x1b[36ma*b*\x1b[0m"),
            ("snake_case_name 2 * 3 * 4", "snake_case_name 2 * 3 * 4"),
            ("\\*no\\* ~~gone~~", "*no* \x1b[9mgone\x1b[0m"),
            ("[text](http://x)", "\x1b[4mtext\x1b[0m\x1b[2m (http://x)\x1b[0m"),
            ("open ** and `", "open ** and `"),
            ("[not a link] **", "[not a link] **"),
        ] {
            assert_eq!(painted(text), expected, "{text:?}");
        }
    }

    #[test]
    fn any_text_is_shown_whole_in_any_window() {
        let text = "# **a\n| x | **y\n- `b\n> > *c* [d](\n>>>>>>>>>> deep\n```\n\ncode\n~~~\n```\n|\n\\";
        for columns in 1..30 {
            for row in shown(text, columns) {
                assert!(row.width() <= columns.max(4), "{row:?} in {columns}");
            }
        }
        // What nobody writes is shown all the same, and soon.
        for text in [">".repeat(100_000), "*_".repeat(50_000), "**a _b ".repeat(20_000), "[a](".repeat(25_000)] {
            assert!(!shown(&text, 40).is_empty());
        }
    }
}
