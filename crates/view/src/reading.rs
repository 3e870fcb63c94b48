//! A terminal for those who hear it: the text of its screen with the place of the cursor, and what has changed in it. Places
//! are counted in UTF-16 units, as those who read texts aloud count them.

use crate::frame::{Cursor, Frame, clusters};

/// What can be read of a screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    pub text: String,
    pub cursor: usize,
}

/// A part of a text that was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub at: usize,
    pub removed: String,
    pub inserted: String,
}

impl Frame {
    /// Its rows as lines, the cursor's up to the cursor at least: it may stand behind the last letter.
    pub fn reading(&self) -> Reading {
        let mut read = Reading::default();
        let mut lines: Vec<String> = Vec::new();
        for (row, stretches) in self.rows.iter().enumerate() {
            let here = self.cursor.filter(|cursor| usize::from(cursor.row) == row);
            let mut line = String::new();
            let mut end = 0;
            let mut before_cursor = None;
            for stretch in stretches {
                (end..stretch.column).for_each(|_| line.push(' '));
                for (column, cluster) in clusters(&stretch.text) {
                    let at = stretch.column + column;
                    if before_cursor.is_none() && here.is_some_and(|Cursor { column, .. }| at >= column) {
                        before_cursor = Some(units(&line));
                    }
                    line.push_str(cluster);
                }
                end = stretch.column + stretch.columns;
            }
            if let Some(Cursor { column, .. }) = here {
                let before = before_cursor.unwrap_or_else(|| {
                    (end..column).for_each(|_| line.push(' '));
                    units(&line)
                });
                read.cursor = lines.iter().map(|line| units(line) + 1).sum::<usize>() + before;
                let kept = line.trim_end_matches(' ').len().max(bytes(&line, before));
                line.truncate(kept);
            } else {
                line.truncate(line.trim_end_matches(' ').len());
            }
            lines.push(line);
        }
        let last = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
        let with_cursor = self.cursor.map_or(0, |cursor| usize::from(cursor.row) + 1);
        lines.truncate(last.max(with_cursor));
        read.text = lines.join("\n");
        read
    }
}

/// What leads from one text to the next. Lines that have moved up are not said again.
pub fn edits(before: &str, now: &str) -> Vec<Edit> {
    if before == now {
        return Vec::new();
    }
    let gone = scrolled(before, now);
    let (removed, rest) = before.split_at(gone);
    let mut edits = Vec::new();
    if !removed.is_empty() {
        edits.push(Edit { at: 0, removed: removed.to_owned(), inserted: String::new() });
    }
    let same = |(one, other): &(char, char)| one == other;
    let start: usize = rest.chars().zip(now.chars()).take_while(same).map(|(one, _)| one.len_utf8()).sum();
    let (old, new) = (&rest[start..], &now[start..]);
    let end: usize = old.chars().rev().zip(new.chars().rev()).take_while(same).map(|(one, _)| one.len_utf8()).sum();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    if !old.is_empty() || !new.is_empty() {
        edits.push(Edit { at: units(&now[..start]), removed: old.to_owned(), inserted: new.to_owned() });
    }
    edits
}

/// How many bytes of lines have left at the top: as many as make most of what is left the same as before.
fn scrolled(before: &str, now: &str) -> usize {
    let (old, new): (Vec<_>, Vec<_>) = (before.split('\n').collect(), now.split('\n').collect());
    // Lines without a word match anywhere.
    let alike = |gone: usize| {
        let pairs = old[gone..].iter().zip(&new).take_while(|(one, other)| one == other);
        pairs.filter(|(line, _)| !line.is_empty()).count()
    };
    let stay = alike(0);
    let best = (1..old.len()).map(|gone| (alike(gone), gone)).max_by_key(|(alike, gone)| (*alike, usize::MAX - gone));
    let gone = best.filter(|(alike, _)| *alike > stay).map_or(0, |(_, gone)| gone);
    old[..gone].iter().map(|line| line.len() + 1).sum()
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// How many bytes so many units have.
fn bytes(text: &str, units: usize) -> usize {
    let mut left = units;
    text.chars()
        .take_while(|c| {
            let has = left >= c.len_utf16();
            left = left.saturating_sub(c.len_utf16());
            has
        })
        .map(char::len_utf8)
        .sum()
}

#[cfg(test)]
mod tests {
    use flightdeck_keeper::Size;
    use flightdeck_screen::Screen;

    use super::*;
    use crate::tokens::Theme;

    fn reading(bytes: &str) -> Reading {
        let mut screen = Screen::with_history(Size::new(4, 20).unwrap(), 100);
        screen.feed(bytes.as_bytes());
        Frame::of(&screen, 0, None, &Theme::dark().palette()).reading()
    }

    #[test]
    fn the_cursor_is_a_place_in_the_text() {
        let at = |bytes: &str| {
            let Reading { text, cursor } = reading(bytes);
            (text, cursor)
        };
        assert_eq!(at("one\r\ntwo"), ("one\ntwo".into(), 7));
        assert_eq!(at("$ "), ("$ ".into(), 2), "the space before it is there");
        assert_eq!(at("ab\r\n\r\n"), ("ab\n\n".into(), 4), "on a line without a word");
        // A wide character is one unit in two columns, and this face two units in two.
        assert_eq!(at("漢🙂x"), ("漢🙂x".into(), 4));
        assert_eq!(at("漢🙂x\x1b[1;3H"), ("漢🙂x".into(), 1));
        assert_eq!(at("abc\x1b[1;2H"), ("abc".into(), 1));
        assert_eq!(at("abc\x1b[?25l"), ("abc".into(), 0), "a hidden one is nowhere");
    }

    #[test]
    fn only_what_is_new_is_said() {
        let edit = |at, removed: &str, inserted: &str| Edit { at, removed: removed.into(), inserted: inserted.into() };
        assert_eq!(edits("a", "a"), []);
        assert_eq!(edits("$ l", "$ ls"), [edit(3, "", "s")]);
        assert_eq!(edits("$ lß", "$ l"), [edit(3, "ß", "")]);
        assert_eq!(edits("🙂 1", "🙂 2"), [edit(3, "1", "2")]);
        // Two lines have left at the top.
        assert_eq!(edits("a\nb\nc\nd", "c\nd\ne"), [edit(0, "a\nb\n", ""), edit(3, "", "\ne")]);
        assert_eq!(edits("a\nb\n\n$ ", "b\n\n$ x\n"), [edit(0, "a\n", ""), edit(5, "", "x\n")]);
        // Another screen altogether.
        assert_eq!(edits("a\nb", "x\ny"), [edit(0, "a\nb", "x\ny")]);
    }
}
