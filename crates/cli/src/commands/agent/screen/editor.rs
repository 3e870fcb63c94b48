//! The text that is being typed, with its cursor, and what was typed before.

use std::path::{Path, PathBuf};

use flightdeck_view::shown::prose;
use rustyline::history::{FileHistory, History, SearchDirection};
use rustyline::line_buffer::{ChangeListener, DeleteListener, Direction, LineBuffer};
use rustyline::{At, Config, Word};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::keys::Key;

/// The longest text; a paste that goes beyond it is cut.
const MAX_TEXT_BYTES: usize = 512 * 1024;
/// How many prompts are remembered.
const MAX_HISTORY: usize = 1000;

/// The text that is being typed.
pub struct Editor {
    buffer: LineBuffer,
    killed: Killed,
}

impl std::fmt::Debug for Editor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // What is typed is nobody's business.
        f.debug_struct("Editor").finish_non_exhaustive()
    }
}

impl Default for Editor {
    fn default() -> Self {
        Editor { buffer: LineBuffer::with_capacity(MAX_TEXT_BYTES), killed: Killed::default() }
    }
}

/// What was cut last.
#[derive(Debug, Default)]
struct Killed {
    text: String,
}

impl DeleteListener for Killed {
    fn delete(&mut self, _: usize, text: &str, _: Direction) {
        text.clone_into(&mut self.text);
    }
}

/// For what is not cut.
struct Nobody;

impl DeleteListener for Nobody {
    fn delete(&mut self, _: usize, _: &str, _: Direction) {}
}

impl ChangeListener for Nobody {
    fn insert_char(&mut self, _: usize, _: char) {}
    fn insert_str(&mut self, _: usize, _: &str) {}
    fn replace(&mut self, _: usize, _: &str, _: &str) {}
}

/// The text in the rows of a window.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    pub rows: Vec<String>,
    /// Where each row begins in the text.
    starts: Vec<usize>,
    /// The row and the column of the cursor.
    pub cursor: (usize, usize),
}

impl Editor {
    pub fn text(&self) -> &str {
        self.buffer.as_str()
    }

    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    /// Puts another text in its place.
    pub fn set(&mut self, text: &str) {
        let end = text.floor_char_boundary(MAX_TEXT_BYTES);
        self.buffer.update(&text[..end], end, &mut Nobody);
    }

    /// Takes the text out.
    pub fn take(&mut self) -> String {
        let text = self.text().to_owned();
        self.set("");
        text
    }

    /// Does what a key does to the text. Says whether it is one of those.
    pub fn key(&mut self, key: &Key, columns: usize) -> bool {
        let buffer = &mut self.buffer;
        match key {
            Key::Char(c) => drop(buffer.insert(*c, 1, &mut Nobody)),
            Key::NewLine => drop(buffer.insert('\n', 1, &mut Nobody)),
            Key::Paste(text) => {
                let room = MAX_TEXT_BYTES.saturating_sub(buffer.len());
                let text = &text[..text.floor_char_boundary(room.min(text.len()))];
                let at = buffer.pos();
                buffer.insert_str(at, text, &mut Nobody);
                buffer.set_pos(at + text.len());
            }
            Key::Backspace => drop(buffer.backspace(1, &mut Nobody)),
            Key::Delete => drop(buffer.delete(1, &mut Nobody)),
            Key::Left => drop(buffer.move_backward(1)),
            Key::Right => drop(buffer.move_forward(1)),
            Key::Home => drop(buffer.move_home()),
            Key::End => drop(buffer.move_end()),
            Key::WordLeft => drop(buffer.move_to_prev_word(Word::Emacs, 1)),
            Key::WordRight => drop(buffer.move_to_next_word(At::AfterEnd, Word::Emacs, 1)),
            Key::DeleteWord => drop(buffer.delete_prev_word(Word::Big, 1, &mut self.killed)),
            Key::DeleteWordRight => drop(buffer.delete_word(At::AfterEnd, Word::Emacs, 1, &mut self.killed)),
            Key::KillRight => drop(buffer.kill_line(&mut self.killed)),
            Key::KillLeft => drop(buffer.discard_line(&mut self.killed)),
            Key::Yank => drop(buffer.yank(&self.killed.text, 1, &mut Nobody)),
            Key::Up => return self.move_row(columns, -1),
            Key::Down => return self.move_row(columns, 1),
            _ => return false,
        }
        true
    }

    /// Moves the cursor a row up or down. Says whether there is one.
    fn move_row(&mut self, columns: usize, by: isize) -> bool {
        let layout = self.layout(columns);
        let (row, column) = layout.cursor;
        let Some(row) = row.checked_add_signed(by).filter(|row| *row < layout.rows.len()) else { return false };
        let start = layout.starts[row];
        let end = layout.starts.get(row + 1).copied().unwrap_or(self.text().len() + 1);
        let mut used = 0;
        let mut at = start;
        for (offset, cluster) in self.text()[start..].grapheme_indices(true) {
            used += width(cluster);
            at = start + offset;
            if used > column || at + 1 >= end || cluster == "\n" {
                break;
            }
            at += cluster.len();
        }
        self.buffer.set_pos(at);
        true
    }

    /// The text in rows of so many columns, broken at words, with the cursor's place.
    pub fn layout(&self, columns: usize) -> Layout {
        // The cursor needs a place behind the last character as well.
        let room = columns.max(2) - 1;
        let (text, position) = (self.text(), self.buffer.pos());
        let cells: Vec<(usize, &str)> = text.grapheme_indices(true).collect();
        let mut layout = Layout { rows: Vec::new(), starts: Vec::new(), cursor: (0, 0) };
        let mut next = Some(0);
        while let Some(start) = next {
            let end;
            (end, next) = row_end(&cells, start, room);
            layout.rows.push(cells[start..end].iter().map(|(_, cluster)| shown(cluster)).collect());
            layout.starts.push(cells.get(start).map_or(text.len(), |(at, _)| *at));
        }
        let row = layout.starts.partition_point(|start| *start <= position).saturating_sub(1);
        let before = text.get(layout.starts[row]..position).unwrap_or_default();
        layout.cursor = (row, before.graphemes(true).map(width).sum());
        layout
    }
}

/// Where the row ends that begins here, and where the next one begins, if there is one.
fn row_end(cells: &[(usize, &str)], start: usize, room: usize) -> (usize, Option<usize>) {
    let (mut end, mut used) = (start, 0);
    while let Some((_, cluster)) = cells.get(end).filter(|(_, cluster)| *cluster != "\n") {
        let wide = width(cluster);
        if used + wide > room && end > start {
            break;
        }
        used += wide;
        end += 1;
    }
    match cells.get(end) {
        None => (end, None),
        // The break itself takes no room; the cursor can stand on it.
        Some((_, "\n" | " ")) => (end, Some(end + 1)),
        Some(_) => {
            let is_indent = |at: usize| cells[start..at].iter().all(|(_, cluster)| *cluster == " ");
            let space = (start..end).rev().find(|at| cells[*at].1 == " ").filter(|at| !is_indent(*at));
            let end = space.map_or(end, |space| space + 1);
            (end, Some(end))
        }
    }
}

/// How a character of the text is shown.
fn shown(cluster: &str) -> String {
    if cluster == "\t" { "    ".to_owned() } else { prose(cluster) }
}

fn width(cluster: &str) -> usize {
    if cluster == "\n" { 0 } else { shown(cluster).width() }
}

/// What was typed before, in this run and in earlier ones.
pub struct Past {
    history: FileHistory,
    path: PathBuf,
    /// Which of them is shown, and what was being typed before.
    at: Option<(usize, String)>,
}

impl std::fmt::Debug for Past {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Past").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Past {
    /// Reads what earlier runs have left. A file that can't be read is none.
    pub fn load(path: &Path) -> Self {
        let config = Config::builder().max_history_size(MAX_HISTORY).map(|it| it.history_ignore_space(true).build());
        let mut history = FileHistory::with_config(&config.unwrap_or_default());
        let _ = history.load(path);
        Past { history, path: path.to_owned(), at: None }
    }

    /// Remembers a prompt, for the next run too.
    pub fn add(&mut self, text: &str) {
        self.at = None;
        // Not to be remembered is a pity, and no reason not to say it.
        if self.history.add(text).unwrap_or(false) {
            let _ = self.history.append(&self.path);
        }
    }

    /// The one before what is shown, or the one after it.
    pub fn step(&mut self, shown: &str, by: isize) -> Option<String> {
        let now = self.at.as_ref().map_or(self.history.len(), |(at, _)| *at);
        let next = now.checked_add_signed(by)?;
        let typed = self.at.take().map_or_else(|| shown.to_owned(), |(_, typed)| typed);
        if next >= self.history.len() {
            return (now < self.history.len()).then_some(typed);
        }
        let found = self.history.get(next, SearchDirection::Forward).ok().flatten();
        let text = found.map(|found| found.entry.into_owned());
        self.at = Some((next, typed));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &[Key]) -> Editor {
        let mut editor = Editor::default();
        for key in keys {
            assert!(editor.key(key, 10), "{key:?}");
        }
        editor
    }

    #[test]
    fn text_is_edited_by_characters_and_words() {
        use Key::{Backspace, Char, DeleteWord, Home, KillRight, Left, Paste, WordLeft, Yank};
        let paste = |text: &str| Paste(text.to_owned());
        for (keys, expected) in [
            (&[paste("abc"), Left, Backspace, Char('x')][..], "axc"),
            (&[paste("e\u{301}👩‍💻"), Backspace], "e\u{301}"),
            (&[paste("e\u{301}👩‍💻"), Backspace, Backspace], ""),
            (&[paste("one two three"), WordLeft, DeleteWord], "one three"),
            (&[paste("one two"), WordLeft, KillRight, Home, Yank], "twoone "),
            (&[paste("a\nb"), Home, Char('x')], "a\nxb"),
        ] {
            assert_eq!(typed(keys).text(), expected);
        }
        let long = "x".repeat(MAX_TEXT_BYTES + 5);
        assert_eq!(typed(&[paste(&long)]).text().len(), MAX_TEXT_BYTES);
    }

    #[test]
    fn the_cursor_stands_where_the_next_character_goes() {
        for (text, columns, rows, cursor) in [
            ("", 10, &[""][..], (0, 0)),
            ("abc", 10, &["abc"], (0, 3)),
            ("abcdef", 4, &["abc", "def"], (1, 3)),
            ("日本語", 5, &["日本", "語"], (1, 2)),
            ("one two three", 8, &["one two", "three"], (1, 5)),
            ("one two three", 10, &["one two ", "three"], (1, 5)),
            ("one two", 5, &["one ", "two"], (1, 3)),
            ("one two ", 8, &["one two", ""], (1, 0)),
            ("a longword", 6, &["a ", "longw", "ord"], (2, 3)),
            ("  longword", 6, &["  lon", "gword"], (1, 5)),
            ("a\n", 10, &["a", ""], (1, 0)),
            ("a\tb", 10, &["a    b"], (0, 6)),
            ("a\u{202e}", 12, &["a\\u{202e}"], (0, 9)),
        ] {
            let layout = typed(&[Key::Paste(text.to_owned())]).layout(columns);
            assert_eq!(
                (&layout.rows[..], layout.cursor),
                (&rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>()[..], cursor),
                "{text:?}"
            );
        }
    }

    #[test]
    fn the_cursor_moves_by_rows() {
        let mut editor = typed(&[Key::Paste("abcdefgh\nxy\nlonger".to_owned())]);
        let places: Vec<_> = [Key::Up, Key::Up, Key::Up, Key::Down]
            .iter()
            .map(|key| (editor.key(key, 10), editor.layout(10).cursor))
            .collect();
        assert_eq!(places, [(true, (1, 2)), (true, (0, 2)), (false, (0, 2)), (true, (1, 2))]);
    }

    #[test]
    fn earlier_prompts_come_back_in_the_next_run_and_only_for_the_user() {
        use std::os::unix::fs::PermissionsExt;
        let dir = std::env::temp_dir().join(format!("flightdeck-history-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join("history");
        let mut past = Past::load(&path);
        for text in ["one", "two\nlines \\ here", " not this", "three"] {
            past.add(text);
        }
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let mut past = Past::load(&path);
        let steps: Vec<_> = [-1, -1, -1, -1, 1, 1, 1, 1].iter().map(|by| past.step("draft", *by)).collect();
        let expected = [
            Some("three"),
            Some("two\nlines \\ here"),
            Some("one"),
            None,
            Some("two\nlines \\ here"),
            Some("three"),
            Some("draft"),
            None,
        ];
        assert_eq!(steps.iter().map(Option::as_deref).collect::<Vec<_>>(), expected);
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
