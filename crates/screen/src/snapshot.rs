//! The whole state as bytes: fed to a new terminal of the same size, they make it show and do the same. They are what
//! a person's terminal gets at attach and what a checkpoint stores, so they keep to what any xterm understands.
//!
//! The order is what makes it work on terminals that differ: saved cursors before the text (each is made on a blank
//! screen, but for that of a primary screen behind the alternate one, which is made on the way there), text before
//! margins and modes (which would change how it is written), the cursor last.

use std::io::Write;

use alacritty_terminal::grid::{Dimensions, Grid, Row};
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::TermMode;
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::vte::ansi::{CursorShape, Rgb};

use super::engine::{Engine, Terminal};
use super::modes;
use super::saved::Saved;
use super::sgr;
use super::styled::{is_spacer, is_wrapped, same_look, used};

/// Brings a terminal that is not quite new to where the rest begins, without touching its history: primary screen,
/// margins, modes that change how text is written, attributes, character sets.
const PRELUDE: &[u8] = b"\x1b[?1049l\x1b[!p\x1b[r\x1b[?6l\x1b[?7h\x1b[4l\x1b[20l\x1b(B\x1b)B\x0f\x1b[m\x1b]8;;\x1b\\";

pub(super) fn ansi(engine: &Engine) -> Vec<u8> {
    let terminal = &engine.terminal;
    let mut paint = Paint { out: PRELUDE.to_vec(), look: Cell::default() };
    paint.tabs(terminal);
    paint.colors(terminal);
    paint.titles(terminal);
    let [saved, saved_alternate] = &terminal.saved;
    if let Some(primary) = &terminal.parked {
        paint.screen(primary);
        paint.keyboard(terminal, Shown::Primary);
        // Of the ways to the alternate screen this is the one that all terminals know, and it saves the cursor.
        paint.save(saved, Pending::ByItsCell(primary), b"\x1b[?1049h");
        paint.saved(saved_alternate);
        paint.screen(terminal.grid());
        paint.keyboard(terminal, Shown::Alternate);
    } else {
        if terminal.keyboards[1].entries() != [0] || *saved_alternate != Saved::default() {
            paint.out.extend_from_slice(b"\x1b[H\x1b[?1049h");
            paint.saved(saved_alternate);
            paint.keyboard(terminal, Shown::Alternate);
            paint.out.extend_from_slice(b"\x1b[?1049l");
        }
        paint.saved(saved);
        paint.screen(terminal.grid());
        paint.keyboard(terminal, Shown::Primary);
    }
    paint.modes(terminal);
    paint.last(terminal);
    paint.out.extend_from_slice(&engine.unfinished());
    paint.out
}

#[derive(Clone, Copy)]
enum Shown {
    Primary,
    Alternate,
}

/// The bytes so far, and the look that they leave the terminal with.
struct Paint {
    out: Vec<u8>,
    look: Cell,
}

impl Paint {
    fn push(&mut self, arguments: std::fmt::Arguments<'_>) {
        // Writing into memory does not fail.
        let _ = self.out.write_fmt(arguments);
    }

    fn tabs(&mut self, terminal: &Terminal) {
        if let Some(stops) = terminal.tabs.unusual() {
            self.out.extend_from_slice(b"\x1b[3g");
            for col in stops {
                self.push(format_args!("\x1b[1;{}H\x1bH", col + 1));
            }
        }
    }

    fn colors(&mut self, terminal: &Terminal) {
        for index in 0..=258 {
            let Some(Rgb { r, g, b }) = terminal.term.colors()[index] else { continue };
            match index {
                0..=255 => self.push(format_args!("\x1b]4;{index};")),
                _ => self.push(format_args!("\x1b]{};", index - 246)),
            }
            self.push(format_args!("rgb:{r:02x}/{g:02x}/{b:02x}\x1b\\"));
        }
    }

    fn titles(&mut self, terminal: &Terminal) {
        for title in terminal.title.stack() {
            if let Some(title) = title {
                self.push(format_args!("\x1b]2;{title}\x1b\\"));
            }
            self.out.extend_from_slice(b"\x1b[22;0t");
        }
        if let Some(title) = terminal.title.current() {
            self.push(format_args!("\x1b]2;{title}\x1b\\"));
        }
    }

    fn keyboard(&mut self, terminal: &Terminal, shown: Shown) {
        let [lowest, pushed @ ..] = terminal.keyboards[shown as usize].entries() else { return };
        if *lowest != 0 {
            self.push(format_args!("\x1b[={lowest}u"));
        }
        for flags in pushed {
            self.push(format_args!("\x1b[>{flags}u"));
        }
    }

    /// A screen's saved cursor, while the screen is blank.
    fn saved(&mut self, saved: &Saved) {
        if *saved != Saved::default() {
            self.save(saved, Pending::ByAnyCharacter, b"\x1b7");
        }
    }

    /// Brings about what was saved, has it saved by `command`, and takes it back.
    fn save(&mut self, saved: &Saved, pending: Pending<'_>, command: &[u8]) {
        let Saved { cursor, charsets, origin } = saved;
        if *origin {
            self.push(format_args!("\x1b[?{}h", modes::ORIGIN));
        }
        let (row, col) = (cursor.point.line.0 + 1, cursor.point.column.0);
        self.push(format_args!("\x1b[{row};{}H", col + 1));
        if cursor.input_needs_wrap {
            match pending {
                Pending::ByAnyCharacter => self.out.push(b' '),
                Pending::ByItsCell(grid) => self.print_again(grid, cursor.point.line, col),
            }
        }
        self.out.extend_from_slice(&charsets.sequences());
        self.look_of(&cursor.template);
        self.out.extend_from_slice(command);
        self.out.extend_from_slice(charsets.undo());
        self.look_of(&Cell::default());
        if *origin {
            self.push(format_args!("\x1b[?{}l", modes::ORIGIN));
        }
    }

    /// One screen's text.
    fn screen(&mut self, grid: &Grid<Cell>) {
        self.look_of(&Cell::default());
        self.out.extend_from_slice(b"\x1b[H\x1b[2J");
        let mut continued = false;
        for line in 0..grid.screen_lines() {
            let row = &grid[Line(line as i32)];
            let wrapped = is_wrapped(row) && line + 1 < grid.screen_lines();
            let end = if wrapped { row.len() } else { used(row) };
            if end == 0 {
                continued = false;
                continue;
            }
            if !continued {
                self.push(format_args!("\x1b[{}H", line + 1));
            }
            let next = (line + 1 < grid.screen_lines()).then(|| &grid[Line(line as i32 + 1)][Column(0)]);
            self.row(row, if continued { Start::Wrapped } else { Start::Placed }, end, next.filter(|_| wrapped));
            // The next row's first character wraps by itself, and the terminal knows the line as one.
            continued = wrapped;
        }
    }

    /// `next` is the first cell of the row that this one wraps into.
    fn row(&mut self, row: &Row<Cell>, start: Start, end: usize, next: Option<&Cell>) {
        let mut col = 0;
        while col < end {
            let cell = &row[Column(col)];
            let blank = blanks(row, col, end);
            // A gap is cheaper to jump over than to print, but a wrap is made by printing on both its sides.
            if blank > 8 && col + blank < end && (col > 0 || start == Start::Placed) {
                self.push(format_args!("\x1b[{blank}C"));
                col += blank;
                continue;
            }
            // The last column stays free by itself when a wide character does not fit into it, unless a mark was put there.
            let leads = col + 1 == row.len()
                && cell.flags.contains(Flags::LEADING_WIDE_CHAR_SPACER)
                && cell.zerowidth().is_none_or(<[char]>::is_empty)
                && next.is_some_and(|next| next.flags.contains(Flags::WIDE_CHAR) && same_look(cell, next));
            if !is_spacer(cell) && !leads {
                self.look_of(cell);
                self.character(cell);
            }
            col += 1;
        }
    }

    fn character(&mut self, cell: &Cell) {
        let mut buffer = [0; 4];
        for c in std::iter::once(&cell.c).chain(cell.zerowidth().into_iter().flatten()) {
            self.out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
        }
    }

    fn look_of(&mut self, cell: &Cell) {
        if same_look(&self.look, cell) {
            return;
        }
        self.push(format_args!("\x1b[{}m", sgr::parameters(cell)));
        let link = cell.hyperlink();
        if self.look.hyperlink() != link {
            match &link {
                None => self.out.extend_from_slice(b"\x1b]8;;\x1b\\"),
                Some(link) if link.id().is_empty() => self.push(format_args!("\x1b]8;;{}\x1b\\", link.uri())),
                Some(link) => self.push(format_args!("\x1b]8;id={};{}\x1b\\", link.id(), link.uri())),
            }
        }
        self.look = Cell { c: ' ', ..cell.clone() };
    }

    /// Prints a cell once more, a wide one from its first half.
    fn print_again(&mut self, grid: &Grid<Cell>, line: Line, col: usize) {
        let mut cell = &grid[line][Column(col)];
        if is_spacer(cell) && col > 0 {
            self.out.extend_from_slice(b"\x1b[D");
            cell = &grid[line][Column(col - 1)];
        }
        self.look_of(cell);
        self.character(cell);
    }

    fn modes(&mut self, terminal: &Terminal) {
        let region = terminal.region;
        if region.top != 0 || region.bottom != terminal.rows() {
            self.push(format_args!("\x1b[{};{}r", region.top + 1, region.bottom));
        }
        for (number, _, flag) in modes::PRIVATE {
            // Autowrap waits: the cursor may need it to get a pending wrap.
            let on = terminal.has(flag);
            if flag != TermMode::LINE_WRAP && on != TermMode::default().contains(flag) {
                self.push(format_args!("\x1b[?{number}{}", if on { 'h' } else { 'l' }));
            }
        }
        if terminal.has(TermMode::APP_KEYPAD) {
            self.out.extend_from_slice(b"\x1b=");
        }
        if terminal.has(TermMode::LINE_FEED_NEW_LINE) {
            self.out.extend_from_slice(b"\x1b[20h");
        }
        let style = terminal.term.cursor_style();
        let steady = match style.shape {
            CursorShape::Underline => 4,
            CursorShape::Beam => 6,
            _ => 2,
        };
        if steady != 2 || style.blinking {
            self.push(format_args!("\x1b[{} q", steady - u8::from(style.blinking)));
        }
        if terminal.sync {
            self.push(format_args!("\x1b[?{}h", modes::SYNC));
        }
    }

    /// The cursor, and after it what would have disturbed it.
    fn last(&mut self, terminal: &Terminal) {
        let grid = terminal.grid();
        let cursor = &grid.cursor;
        if terminal.has(TermMode::ORIGIN) {
            self.push(format_args!("\x1b[?{}h", modes::ORIGIN));
        }
        let top = if terminal.has(TermMode::ORIGIN) { terminal.region.top as i32 } else { 0 };
        let row = cursor.point.line.0 - top + 1;
        self.push(format_args!("\x1b[{row};{}H", cursor.point.column.0 + 1));
        if cursor.input_needs_wrap {
            self.print_again(grid, cursor.point.line, cursor.point.column.0);
        }
        if terminal.has(TermMode::INSERT) {
            self.out.extend_from_slice(b"\x1b[4h");
        }
        if !terminal.has(TermMode::LINE_WRAP) {
            self.out.extend_from_slice(b"\x1b[?7l");
        }
        self.out.extend_from_slice(&terminal.charsets.sequences());
        self.look_of(&cursor.template);
        if terminal.last_print.is_some() {
            self.repeatable(terminal, row);
        } else if cursor.input_needs_wrap {
            // A string terminator of nothing: the character printed for the wrap is not to be repeated.
            self.out.extend_from_slice(b"\x1b\\");
        }
    }

    /// Prints the last character once more where a REP may follow and it is still there to be printed. `row` is the
    /// cursor's, as it is addressed.
    fn repeatable(&mut self, terminal: &Terminal, row: i32) {
        let grid = terminal.grid();
        let cursor = &grid.cursor;
        let Some(c) = terminal.last_print else { return };
        let Some(mut col) = cursor.point.column.0.checked_sub(usize::from(!cursor.input_needs_wrap)) else { return };
        let cells = &grid[cursor.point.line];
        if is_spacer(&cells[Column(col)]) {
            col = col.saturating_sub(1);
        }
        let cell = &cells[Column(col)];
        let width = if cell.flags.contains(Flags::WIDE_CHAR) { 2 } else { 1 };
        if cell.c != c || !same_look(cell, &cursor.template) {
            return;
        }
        // Not by its column alone: in origin mode that takes Alacritty to another row.
        self.push(format_args!("\x1b[{row};{}H", col + 1));
        if terminal.has(TermMode::INSERT) && col + width < grid.columns() {
            // Printing will push the row aside again.
            self.push(format_args!("\x1b[{width}P"));
        }
        self.push(format_args!("{c}"));
    }
}

/// How the cursor gets to the first column of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Placed,
    /// By the wrap that the row's first character makes.
    Wrapped,
}

/// How a pending wrap comes back: by printing in the last column.
#[derive(Clone, Copy)]
enum Pending<'a> {
    /// The screen is blank and will be cleared: any character does.
    ByAnyCharacter,
    ByItsCell(&'a Grid<Cell>),
}

/// How many cells from `col` on look as on a cleared screen.
fn blanks(row: &Row<Cell>, col: usize, end: usize) -> usize {
    let blank = Cell::default();
    (col..end)
        .take_while(|col| {
            let cell = &row[Column(*col)];
            cell.c == ' '
                && !is_spacer(cell)
                && cell.zerowidth().is_none_or(<[char]>::is_empty)
                && same_look(cell, &blank)
        })
        .count()
}
