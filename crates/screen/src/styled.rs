//! Rows as text and as runs of one look, for agents, front ends and a renderer of images.

use alacritty_terminal::grid::{Grid, Row};
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::{Cell, Flags as CellFlags};
use alacritty_terminal::vte::ansi;

/// One row of the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StyledRow {
    /// From the left; blank cells of the default look at the end are left out.
    pub runs: Vec<Run>,
    /// The next row is the same line of text, broken at the right margin.
    pub wrapped: bool,
}

/// Neighbouring cells of one look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub text: String,
    /// Columns that the text takes; more than its characters when there are wide ones.
    pub columns: u16,
    pub fg: Color,
    pub bg: Color,
    /// `None` is the colour of the text.
    pub underline_color: Option<Color>,
    pub flags: Flags,
    /// Where a hyperlink leads.
    pub link: Option<String>,
}

/// A colour as the program named it; what it looks like is the front end's theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Color {
    #[default]
    Default,
    Indexed(u8),
    Rgb(u8, u8, u8),
}

/// A set of text attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(u16);

impl Flags {
    pub const BOLD: Self = Self(1);
    pub const DIM: Self = Self(1 << 1);
    pub const ITALIC: Self = Self(1 << 2);
    pub const UNDERLINE: Self = Self(1 << 3);
    pub const DOUBLE_UNDERLINE: Self = Self(1 << 4);
    pub const UNDERCURL: Self = Self(1 << 5);
    pub const DOTTED_UNDERLINE: Self = Self(1 << 6);
    pub const DASHED_UNDERLINE: Self = Self(1 << 7);
    pub const INVERSE: Self = Self(1 << 8);
    pub const HIDDEN: Self = Self(1 << 9);
    pub const STRIKEOUT: Self = Self(1 << 10);

    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

const FLAGS: [(CellFlags, Flags); 11] = [
    (CellFlags::BOLD, Flags::BOLD),
    (CellFlags::DIM, Flags::DIM),
    (CellFlags::ITALIC, Flags::ITALIC),
    (CellFlags::UNDERLINE, Flags::UNDERLINE),
    (CellFlags::DOUBLE_UNDERLINE, Flags::DOUBLE_UNDERLINE),
    (CellFlags::UNDERCURL, Flags::UNDERCURL),
    (CellFlags::DOTTED_UNDERLINE, Flags::DOTTED_UNDERLINE),
    (CellFlags::DASHED_UNDERLINE, Flags::DASHED_UNDERLINE),
    (CellFlags::INVERSE, Flags::INVERSE),
    (CellFlags::HIDDEN, Flags::HIDDEN),
    (CellFlags::STRIKEOUT, Flags::STRIKEOUT),
];

pub(super) fn row_text(grid: &Grid<Cell>, row: u16) -> String {
    let mut text = String::new();
    for cell in &grid[Line(i32::from(row))] {
        push_cell(&mut text, cell);
    }
    text.truncate(text.trim_end_matches(' ').len());
    text
}

pub(super) fn styled_row(grid: &Grid<Cell>, line: i32) -> StyledRow {
    let row = &grid[Line(line)];
    let mut runs: Vec<Run> = Vec::new();
    let mut last: Option<&Cell> = None;
    let end = used(row);
    for col in 0..end {
        let cell = &row[Column(col)];
        if let Some(run) = runs.last_mut().filter(|_| last.is_some_and(|last| same_look(last, cell))) {
            push_cell(&mut run.text, cell);
            run.columns += 1;
        } else {
            runs.push(run(cell));
        }
        last = Some(cell);
    }
    StyledRow { runs, wrapped: is_wrapped(row) }
}

/// How many cells from the left differ from a blank screen's.
pub(super) fn used(row: &Row<Cell>) -> usize {
    let blank = Cell::default();
    (0..row.len()).rev().find(|col| !same_content(&row[Column(*col)], &blank)).map_or(0, |col| col + 1)
}

pub(super) fn is_wrapped(row: &Row<Cell>) -> bool {
    row.last().is_some_and(|cell| cell.flags.contains(CellFlags::WRAPLINE))
}

pub(super) fn is_spacer(cell: &Cell) -> bool {
    cell.flags.contains(CellFlags::WIDE_CHAR_SPACER)
}

/// The flags that SGR sets.
pub(super) fn look(cell: &Cell) -> CellFlags {
    cell.flags
        - (CellFlags::WRAPLINE
            | CellFlags::WIDE_CHAR
            | CellFlags::WIDE_CHAR_SPACER
            | CellFlags::LEADING_WIDE_CHAR_SPACER)
}

pub(super) fn same_look(a: &Cell, b: &Cell) -> bool {
    a.fg == b.fg
        && a.bg == b.bg
        && look(a) == look(b)
        && (a.extra.is_none() && b.extra.is_none()
            || a.underline_color() == b.underline_color() && a.hyperlink() == b.hyperlink())
}

fn same_content(a: &Cell, b: &Cell) -> bool {
    a.c == b.c
        && is_spacer(a) == is_spacer(b)
        && same_look(a, b)
        && a.zerowidth().unwrap_or_default() == b.zerowidth().unwrap_or_default()
}

fn push_cell(text: &mut String, cell: &Cell) {
    if !is_spacer(cell) {
        text.push(cell.c);
        text.extend(cell.zerowidth().into_iter().flatten());
    }
}

fn run(cell: &Cell) -> Run {
    let mut text = String::new();
    push_cell(&mut text, cell);
    let flags = FLAGS.iter().filter(|(flag, _)| cell.flags.contains(*flag)).fold(0, |bits, (_, flag)| bits | flag.0);
    Run {
        text,
        columns: 1,
        fg: cell.fg.into(),
        bg: cell.bg.into(),
        underline_color: cell.underline_color().map(Color::from),
        flags: Flags(flags),
        link: cell.hyperlink().map(|link| link.uri().to_owned()),
    }
}

impl From<ansi::Color> for Color {
    fn from(color: ansi::Color) -> Self {
        match color {
            ansi::Color::Named(name) => u8::try_from(name as usize).map_or(Self::Default, Self::Indexed),
            ansi::Color::Indexed(index) => Self::Indexed(index),
            ansi::Color::Spec(ansi::Rgb { r, g, b }) => Self::Rgb(r, g, b),
        }
    }
}
