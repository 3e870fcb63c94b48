//! The grammar's reading of a text, by tree-sitter.

use std::cell::RefCell;
use std::ops::{ControlFlow, Range};

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

use super::{MAX_CONFIRMED, MAX_TOKENS};

/// Why the grammar does not read a text.
#[derive(Debug)]
pub(crate) struct Fault {
    /// In words.
    pub reason: String,
    /// Where.
    pub span: Range<usize>,
}

impl Fault {
    fn new(reason: &str, span: Range<usize>) -> Fault {
        Fault { reason: reason.to_owned(), span }
    }
}

/// A parser, with the text that it has read last: both analyses ask for the same one.
struct Memory {
    parser: Parser,
    last: Option<(String, Tree)>,
}

thread_local! {
    /// One per thread: making a parser costs as much as reading a short line.
    static MEMORY: RefCell<Memory> = RefCell::new(Memory { parser: fresh(), last: None });
}

fn fresh() -> Parser {
    let mut parser = Parser::new();
    // A grammar of another version is refused; then every text is refused as well.
    let _ = parser.set_language(&tree_sitter_bash::LANGUAGE.into());
    parser
}

/// Reads a text of so many words, quotes and expansions. The grammar tries to make sense of invalid texts in time that grows
/// with the square of their length, so it is stopped soon after the first error. The work is counted, not timed: the same
/// text always ends in the same way.
pub(crate) fn parse(text: &str, tokens: usize) -> Result<Tree, Fault> {
    if text.len() > MAX_CONFIRMED {
        return Err(Fault::new("it is longer than 16 KiB", 0..text.len()));
    }
    if tokens > MAX_TOKENS {
        return Err(Fault::new("it holds more than 300 words", 0..text.len()));
    }
    MEMORY.with_borrow_mut(|Memory { parser, last }| {
        if let Some((_, tree)) = last.as_ref().filter(|(read, _)| read == text) {
            return Ok(tree.clone());
        }
        // Valid texts need one step for six words and more.
        let mut steps = 16 + tokens / 4;
        let mut stopped = 0;
        let mut count = |state: &ParseState| {
            steps = steps.saturating_sub(1);
            stopped = state.current_byte_offset();
            if steps == 0 || state.has_error() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut count);
        let bytes = text.as_bytes();
        let tree = parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
        parser.reset();
        let Some(tree) = tree else {
            let start = text.floor_char_boundary(stopped);
            return Err(Fault::new("it is no valid shell text", start..text.len()));
        };
        *last = Some((text.to_owned(), tree.clone()));
        Ok(tree)
    })
}

/// The first place that the grammar can't make sense of.
pub(crate) fn error(tree: &Tree) -> Option<Range<usize>> {
    let mut node = tree.root_node();
    if !node.has_error() {
        return None;
    }
    loop {
        if node.is_error() || node.is_missing() {
            return Some(node.byte_range());
        }
        let mut cursor = node.walk();
        let Some(child) = node.children(&mut cursor).find(|child| child.has_error() || child.is_missing()) else {
            return Some(node.byte_range());
        };
        node = child;
    }
}

/// Whether a text holds something valid that the grammar is known to refuse, so that its error says nothing.
pub(crate) fn misread(text: &str) -> bool {
    text.matches("<<").count() > 1
        || text.contains("<>")
        || text.contains("<<<")
        || text.contains("=([")
        || text.trim_end_matches(['\n', ' ']).ends_with('\\')
        || ["((", "{", "!(", "@(", "+(", "?(", "*(", "[["].iter().any(|sign| text.contains(sign))
}

/// The places of all commands.
pub(crate) fn commands(tree: &Tree) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        if cursor.node().kind() == "command" {
            found.push(cursor.node().byte_range());
        }
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        loop {
            if !cursor.goto_parent() {
                return found;
            }
            if cursor.goto_next_sibling() {
                break;
            }
        }
    }
}

/// What counts as a literal word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Words that mean the same to every shell.
    Strict,
    /// Those of `/bin/sh -c`: backslashes are taken off, and assignments may stand in front.
    Wide,
}

/// The words of each command, when the tree holds nothing but commands of literal words.
pub(crate) fn literal(text: &str, tokens: usize, reading: Reading) -> Result<Vec<Vec<String>>, Fault> {
    let tree = parse(text, tokens)?;
    if let Some(span) = error(&tree) {
        return Err(Fault::new("it is no valid shell text", span));
    }
    let mut commands = Vec::new();
    // The strict reader has passed this text, so it does not nest; the stack is for lists, which lean to the left.
    let mut stack = vec![tree.root_node()];
    while let Some(node) = stack.pop() {
        match node.kind() {
            "command" => commands.push((node.start_byte(), words(node, text, reading)?)),
            "program" | "list" | "pipeline" | "redirected_statement" => {
                let mut cursor = node.walk();
                stack.extend(node.named_children(&mut cursor));
            }
            "file_redirect" => {}
            kind => return Err(Fault::new(&format!("it holds a {}", kind.replace('_', " ")), node.byte_range())),
        }
    }
    commands.sort_by_key(|(start, _)| *start);
    Ok(commands.into_iter().map(|(_, words)| words).collect())
}

fn words(command: Node<'_>, text: &str, reading: Reading) -> Result<Vec<String>, Fault> {
    let mut cursor = command.walk();
    let mut words = Vec::new();
    for child in command.named_children(&mut cursor) {
        match child.kind() {
            "command_name" => {
                let inner = child.named_child(0).ok_or_else(|| Fault::new("it has no name", child.byte_range()))?;
                words.push(word(inner, text, reading)?);
            }
            "file_redirect" => {}
            // Nothing but bare signs is in it: the other reading has seen to that.
            "variable_assignment" if reading == Reading::Wide => words.push(text[child.byte_range()].to_owned()),
            _ => words.push(word(child, text, reading)?),
        }
    }
    Ok(words)
}

fn word(node: Node<'_>, text: &str, reading: Reading) -> Result<String, Fault> {
    let slice = &text[node.byte_range()];
    let unquoted = |quote| slice.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote)).map(str::to_owned);
    match node.kind() {
        "word" | "number" if reading == Reading::Wide => Some(unescaped(slice, |_| true)),
        "word" | "number" => Some(slice.to_owned()),
        "string" if reading == Reading::Wide => {
            unquoted('"').map(|text| unescaped(&text, |c| matches!(c, '$' | '`' | '"' | '\\')))
        }
        "string" => unquoted('"'),
        // The grammar takes signs apart that are one word to a shell.
        _ if reading == Reading::Wide && matches!(slice, "*" | "?" | "!" | "^") => Some(slice.to_owned()),
        "raw_string" => unquoted('\''),
        "concatenation" => {
            let mut cursor = node.walk();
            let mut joined = String::new();
            for child in node.children(&mut cursor) {
                joined.push_str(&word(child, text, reading)?);
            }
            return Ok(joined);
        }
        _ => None,
    }
    .ok_or_else(|| Fault::new(&format!("it holds a {}", node.kind().replace('_', " ")), node.byte_range()))
}

/// Takes off the backslashes in front of what they escape.
fn unescaped(text: &str, escapes: impl Fn(char) -> bool) -> String {
    let mut plain = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match rest.peek() {
            Some(next) if c == '\\' && escapes(*next) => plain.extend(rest.next()),
            _ => plain.push(c),
        }
    }
    plain
}
