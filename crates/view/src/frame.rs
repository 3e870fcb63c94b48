//! What a terminal looks like: rows of runs with their colours settled, ready to be painted, and which rows differ from
//! those that were painted last. Rows are compared, because that finds what has changed whatever the program did.

pub use flightdeck_screen::CursorShape as Shape;
use flightdeck_screen::{Color, Flags, Run, Screen, StyledRow};
use unicode_width::UnicodeWidthChar;

use crate::selection::Selection;
use crate::tokens::{Palette, Rgb, mix};

/// One picture of a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    pub rows: Vec<Vec<Stretch>>,
    pub columns: u16,
    pub cursor: Option<Cursor>,
    /// How many lines the view is scrolled back, and how many there are.
    pub scrolled: usize,
    pub history: usize,
}

/// Neighbouring cells that look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub column: u16,
    pub columns: u16,
    pub text: String,
    pub fg: Rgb,
    /// `None` is the ground.
    pub bg: Option<Rgb>,
    pub bold: bool,
    pub italic: bool,
    pub underline: Option<Underline>,
    pub strikeout: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Underline {
    pub colour: Rgb,
    pub line: Line,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    Single,
    Double,
    Curly,
    Dotted,
    Dashed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    pub row: u16,
    pub column: u16,
    /// 2 on a wide character.
    pub columns: u16,
    pub shape: Shape,
}

/// The rows that differ, as a range without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    pub from: u16,
    pub to: u16,
}

impl Frame {
    /// The screen as it is `scrolled` lines above its end.
    pub fn of(screen: &Screen, scrolled: usize, selection: Option<&Selection>, palette: &Palette) -> Self {
        let size = screen.size();
        let top = -(scrolled as i32);
        let rows = (0..size.rows()).map(|row| {
            let line = top + i32::from(row);
            let selected = selection.and_then(|selection| selection.columns_of(line, size.cols()));
            stretches(&screen.styled_line(line), selected, palette)
        });
        let rows: Vec<_> = rows.collect();
        let at = screen.cursor();
        let cursor = (scrolled == 0 && at.visible).then(|| Cursor {
            row: at.row,
            column: at.col,
            columns: if wide_at(&screen.styled_row(at.row), at.col) { 2 } else { 1 },
            shape: at.shape,
        });
        Frame { rows, columns: size.cols(), cursor, scrolled, history: screen.history() }
    }

    /// What has to be painted again after `before`; `None` when nothing has.
    pub fn since(&self, before: &Frame) -> Option<Damage> {
        let end = self.rows.len().max(before.rows.len()) as u16;
        if self.rows.len() != before.rows.len() || self.columns != before.columns {
            return Some(Damage { from: 0, to: end });
        }
        let mut damage: Option<Damage> = None;
        let mut add = |row: u16| {
            let known = damage.unwrap_or(Damage { from: row, to: row + 1 });
            damage = Some(Damage { from: known.from.min(row), to: known.to.max(row + 1) });
        };
        for (row, (now, then)) in self.rows.iter().zip(&before.rows).enumerate() {
            if now != then {
                add(row as u16);
            }
        }
        if self.cursor != before.cursor {
            self.cursor.iter().chain(&before.cursor).for_each(|cursor| add(cursor.row));
        }
        damage
    }

    /// The rows as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let mut column = 0;
            for stretch in row {
                (column..stretch.column).for_each(|_| text.push(' '));
                text.push_str(&stretch.text);
                column = stretch.column + stretch.columns;
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        text.truncate(text.trim_end_matches('\n').len());
        text
    }
}

/// The characters of a text with the column that each is in, marks with the character that they belong to.
pub fn clusters(text: &str) -> impl Iterator<Item = (u16, &str)> {
    let mut column = 0;
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut chars = rest.char_indices();
        let (_, first) = chars.next()?;
        let end = chars.find(|(_, c)| c.width().unwrap_or(0) > 0).map_or(rest.len(), |(at, _)| at);
        let (cluster, left) = rest.split_at(end);
        let at = column;
        column += first.width().unwrap_or(0).max(1) as u16;
        rest = left;
        Some((at, cluster))
    })
}

fn wide_at(row: &StyledRow, column: u16) -> bool {
    let mut start = 0;
    for run in &row.runs {
        if column < start + run.columns {
            let found = clusters(&run.text).find(|(at, _)| start + at == column);
            return found.is_some_and(|(_, cluster)| cluster.chars().next().and_then(char::width) == Some(2));
        }
        start += run.columns;
    }
    false
}

/// One row, cut where the selection begins and ends.
fn stretches(row: &StyledRow, selected: Option<(u16, u16)>, palette: &Palette) -> Vec<Stretch> {
    let mut out: Vec<Stretch> = Vec::new();
    let mut column = 0;
    for run in &row.runs {
        let look = look(run, palette);
        for (from, to, is_selected) in parts(column, run.columns, selected) {
            let text: String = clusters(&run.text)
                .filter(|(at, _)| (from..to).contains(&(column + at)))
                .map(|(_, cluster)| cluster)
                .collect();
            let bg = if is_selected { Some(palette.selection) } else { look.bg };
            let blank = text.trim().is_empty() && bg.is_none() && look.underline.is_none() && !look.strikeout;
            if !blank {
                out.push(Stretch { column: from, columns: to - from, text, bg, ..look.clone() });
            }
        }
        column += run.columns;
    }
    // The selection goes on where there is no text.
    if let Some((from, to)) = selected.map(|(from, to)| (from.max(column), to)).filter(|(from, to)| from < to) {
        let bg = Some(palette.selection);
        out.push(Stretch { column: from, columns: to - from, bg, ..plain(palette) });
    }
    out
}

/// A run's columns in up to three parts: before, in and after the selection.
fn parts(start: u16, columns: u16, selected: Option<(u16, u16)>) -> impl Iterator<Item = (u16, u16, bool)> {
    let end = start + columns;
    let (from, to) = selected.map_or((end, end), |(from, to)| (from.clamp(start, end), to.clamp(start, end)));
    [(start, from, false), (from, to, true), (to, end, false)].into_iter().filter(|(from, to, _)| from < to)
}

fn plain(palette: &Palette) -> Stretch {
    Stretch {
        column: 0,
        columns: 0,
        text: String::new(),
        fg: palette.text,
        bg: None,
        bold: false,
        italic: false,
        underline: None,
        strikeout: false,
    }
}

fn look(run: &Run, palette: &Palette) -> Stretch {
    let has = |flag| run.flags.contains(flag);
    let mut fg = match run.fg {
        // Bold text in one of the eight colours is bright, as on most terminals.
        Color::Indexed(index @ 0..8) if has(Flags::BOLD) => palette.ansi[usize::from(index) + 8],
        colour => rgb(colour, palette).unwrap_or(palette.text),
    };
    let mut bg = rgb(run.bg, palette);
    if has(Flags::INVERSE) {
        (fg, bg) = (bg.unwrap_or(palette.ground), Some(fg));
    }
    if has(Flags::DIM) {
        fg = mix(fg, bg.unwrap_or(palette.ground), 60);
    }
    if has(Flags::HIDDEN) {
        fg = bg.unwrap_or(palette.ground);
    }
    let lines = [
        (Flags::UNDERCURL, Line::Curly),
        (Flags::DOUBLE_UNDERLINE, Line::Double),
        (Flags::DOTTED_UNDERLINE, Line::Dotted),
        (Flags::DASHED_UNDERLINE, Line::Dashed),
        (Flags::UNDERLINE, Line::Single),
    ];
    let line = lines.into_iter().find(|(flag, _)| has(*flag)).map(|(_, line)| line);
    let colour = run.underline_color.and_then(|colour| rgb(colour, palette)).unwrap_or(fg);
    Stretch {
        fg,
        bg,
        bold: has(Flags::BOLD),
        italic: has(Flags::ITALIC),
        // A link is shown by what people know links by.
        underline: line.or(run.link.as_ref().map(|_| Line::Dotted)).map(|line| Underline { colour, line }),
        strikeout: has(Flags::STRIKEOUT),
        ..plain(palette)
    }
}

/// `None` is the default: of text or of the ground.
fn rgb(colour: Color, palette: &Palette) -> Option<Rgb> {
    match colour {
        Color::Default => None,
        Color::Rgb(r, g, b) => Some(Rgb(u32::from(r) << 16 | u32::from(g) << 8 | u32::from(b))),
        Color::Indexed(index @ 0..16) => Some(palette.ansi[usize::from(index)]),
        Color::Indexed(index @ 16..=231) => {
            let index = u32::from(index) - 16;
            let level = |step: u32| if step == 0 { 0 } else { 55 + step * 40 };
            Some(Rgb(level(index / 36) << 16 | level(index / 6 % 6) << 8 | level(index % 6)))
        }
        Color::Indexed(index) => {
            let grey = 8 + (u32::from(index) - 232) * 10;
            Some(Rgb(grey << 16 | grey << 8 | grey))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::Theme;
    use flightdeck_keeper::Size;

    fn screen(bytes: &str) -> Screen {
        let mut screen = Screen::with_history(Size::new(4, 12).unwrap(), 100);
        screen.feed(bytes.as_bytes());
        screen
    }

    fn frame(bytes: &str) -> Frame {
        Frame::of(&screen(bytes), 0, None, &Theme::dark().palette())
    }

    #[test]
    fn colours_and_attributes_are_settled() {
        let palette = Theme::dark().palette();
        let frame = frame("a\x1b[1;31mb\x1b[0;7mc\x1b[0;4:3;38;5;196md\x1b[0;48;2;1;2;3m \x1b[m");
        let row = &frame.rows[0];
        assert_eq!(row.len(), 5, "{row:#?}");
        assert_eq!((row[0].fg, row[0].bg), (palette.text, None));
        assert_eq!((row[1].fg, row[1].bold), (palette.ansi[9], true));
        assert_eq!((row[2].fg, row[2].bg), (palette.ground, Some(palette.text)));
        assert_eq!(row[3].underline, Some(Underline { colour: Rgb(0xff_00_00), line: Line::Curly }));
        assert_eq!((row[4].bg, row[4].text.as_str()), (Some(Rgb(0x01_02_03)), " "));
    }

    #[test]
    fn wide_characters_and_marks_keep_their_columns() {
        let at: Vec<_> = clusters("a漢e\u{301}z").collect();
        assert_eq!(at, [(0, "a"), (1, "漢"), (3, "e\u{301}"), (4, "z")]);
        let frame = frame("漢\x1b[D\x1b[D");
        assert_eq!(frame.cursor.map(|cursor| cursor.columns), Some(2));
    }

    #[test]
    fn only_what_differs_is_painted_again() {
        let before = frame("one\r\ntwo\r\n");
        assert_eq!(before.since(&before), None);
        assert_eq!(frame("one\r\ntwo\r\nx").since(&before), Some(Damage { from: 2, to: 3 }));
        assert_eq!(frame("one\r\ntw\r\n").since(&before), Some(Damage { from: 1, to: 2 }));
        // The cursor's old and new row.
        assert_eq!(frame("one\r\ntwo\r\n\x1b[H").since(&before), Some(Damage { from: 0, to: 3 }));
        assert_eq!(before.since(&Frame::default()), Some(Damage { from: 0, to: 4 }));
    }

    #[test]
    fn what_is_scrolled_back_has_no_cursor() {
        let palette = Theme::dark().palette();
        let screen = screen("1\r\n2\r\n3\r\n4\r\n5\r\n6");
        assert_eq!(Frame::of(&screen, 0, None, &palette).text(), "3\n4\n5\n6");
        let back = Frame::of(&screen, 2, None, &palette);
        assert_eq!((back.text().as_str(), back.cursor, back.history), ("1\n2\n3\n4", None, 2));
    }

    #[test]
    fn a_selection_is_shown_over_text_and_beyond_it() {
        let palette = Theme::dark().palette();
        let screen = screen("hello\r\nworld");
        let mut selection = Selection::new(0, 3);
        selection.drag_to(1, 2);
        let frame = Frame::of(&screen, 0, Some(&selection), &palette);
        let shown: Vec<_> =
            frame.rows[0].iter().map(|s| (s.column, s.columns, s.text.as_str(), s.bg.is_some())).collect();
        assert_eq!(shown, [(0, 3, "hel", false), (3, 2, "lo", true), (5, 7, "", true)]);
        assert_eq!(frame.rows[1][0].bg, Some(palette.selection));
        assert_eq!(frame.rows[1][1].text, "ld");
    }
}
