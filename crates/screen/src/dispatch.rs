//! What each character, control and sequence does to the terminal. Grid work goes to alacritty's `Term`; where that
//! differs from xterm in a way programs can see, the difference is corrected here and says so.

use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::TermMode;
use alacritty_terminal::term::cell::Flags;
use alacritty_terminal::vte::ansi::{ClearMode, CursorShape, CursorStyle, Handler, LineClearMode, NamedPrivateMode};
use alacritty_terminal::vte::{Params, Perform};
use unicode_width::UnicodeWidthChar;

use super::charsets::Shift;
use super::engine::{Region, Terminal};
use super::osc;
use super::sgr;
use super::tabs::Tabs;

/// Combining marks that one cell keeps; more is an attack on memory, not a language.
const MARKS_LIMIT: usize = 16;

impl Perform for Terminal {
    #[inline]
    fn print(&mut self, c: char) {
        // C1 controls do nothing, whether they come as a byte or as a character cut in two by a chunk's end.
        if matches!(c, '\u{7f}'..='\u{9f}') {
            self.last_print = self.last_print.filter(|_| c == '\u{7f}');
            return;
        }
        let place = |terminal: &Self| {
            let cursor = &terminal.term.grid().cursor;
            (cursor.point.column, cursor.input_needs_wrap)
        };
        let before = place(self);
        let c = self.charsets.map(c);
        self.term.input(c);
        // What did not move the cursor is a mark on the character before: nothing to repeat, and to be bounded.
        let moved = place(self) != before;
        self.last_print = moved.then_some(c);
        if !moved {
            self.bound_marks();
        }
        if self.has(TermMode::INSERT) {
            self.mend_cursor_row();
        }
    }

    #[inline]
    fn execute(&mut self, byte: u8) {
        self.last_print = None;
        match byte {
            b'\r' => self.term.carriage_return(),
            b'\n' | 0x0b | 0x0c => self.line_feed(),
            // Unlike the engine's tab, xterm's neither wraps nor writes into the cell.
            b'\t' => self.tab(1, Tabs::after),
            0x08 => self.term.backspace(),
            0x07 => self.bells += 1,
            0x0e => self.charsets.shift(Shift::G1),
            0x0f => self.charsets.shift(Shift::G0),
            _ => {}
        }
    }

    fn hook(&mut self, _params: &Params, intermediates: &[u8], ignore: bool, action: char) {
        self.last_print = None;
        self.device_control.begin(intermediates, ignore, action);
    }

    fn put(&mut self, byte: u8) {
        self.device_control.put(byte);
    }

    fn unhook(&mut self) {
        self.answer_device_control();
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], bell_terminated: bool) {
        self.last_print = None;
        osc::dispatch(self, params, bell_terminated);
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], ignore: bool, action: char) {
        let last_print = self.last_print.take();
        if ignore {
            return;
        }
        let mut values = params.iter().map(|param| param.first().copied().unwrap_or(0));
        let first = values.next().unwrap_or(0);
        let second = values.next().unwrap_or(0);
        let count = usize::from(first.max(1));
        match (action, intermediates) {
            ('@', []) => self.edit_row(|terminal| terminal.term.insert_blank(count)),
            ('A', []) => self.move_up(count, KeepColumn),
            ('B', []) => self.move_down(count, KeepColumn),
            ('b', []) => self.repeat(last_print, count),
            ('C' | 'a', []) => self.term.move_forward(count),
            ('D', []) => self.term.move_backward(count),
            ('d', []) => self.term.goto_line(count as i32 - 1),
            ('e', []) => self.move_to(self.row() + count as i32, self.term.grid().cursor.point.column.0),
            ('E', []) => self.move_down(count, ToFirstColumn),
            ('F', []) => self.move_up(count, ToFirstColumn),
            ('G' | '`', []) => self.move_to(self.row(), count - 1),
            ('g', []) => self.clear_tabs(first),
            ('H' | 'f', []) => self.term.goto(count as i32 - 1, usize::from(second.max(1)) - 1),
            ('I', []) => self.tab(count, Tabs::after),
            // The selective forms spare what DECSCA protects, and nothing is protected here.
            ('J', [] | [b'?']) => self.erase_display(first),
            ('K', [] | [b'?']) => self.erase_line(first),
            ('L', []) => self.edit_lines(|terminal| terminal.term.insert_blank_lines(count)),
            ('M', []) => self.edit_lines(|terminal| terminal.term.delete_lines(count)),
            ('m', []) => sgr::apply(&mut self.term, params),
            ('P', []) => self.edit_row(|terminal| {
                // The engine clears cells left of the cursor when told to delete more than there are.
                let left = terminal.cols() - terminal.term.grid().cursor.point.column.0;
                terminal.term.delete_chars(count.min(left));
            }),
            ('p', [b'!']) => self.soft_reset(),
            ('q', [b' ']) => self.set_cursor_style(first),
            ('r', []) => self.set_region(count, usize::from(second)),
            ('S', []) => self.term.scroll_up(count),
            // With parameters these would be others, for terminals with margins at the sides.
            ('s', []) if (first, second) == (0, 0) => self.save_cursor(),
            ('T', []) => self.term.scroll_down(count),
            ('u', []) if (first, second) == (0, 0) => self.restore_cursor(),
            ('u', [b'=']) => self.keyboard().set(first, second),
            ('u', [b'>']) => self.keyboard().push(first),
            ('u', [b'<']) => self.keyboard().pop(first.max(1)),
            // DECST8C: back to a stop every eight columns.
            ('W', [b'?']) if first == 5 => self.tabs = Tabs::new(self.cols()),
            ('X', []) => self.edit_row(|terminal| terminal.term.erase_chars(count)),
            ('Z', []) => {
                self.term.grid_mut().cursor.input_needs_wrap = false;
                self.tab(count, Tabs::before);
            }
            ('h' | 'l', []) => {
                for param in params {
                    self.set_mode(param[0], action == 'h');
                }
            }
            ('h' | 'l', [b'?']) => {
                for param in params {
                    self.set_private_mode(param[0], action == 'h');
                }
            }
            ('t', []) if matches!(second, 0 | 2) && first == 22 => self.title.push(),
            ('t', []) if matches!(second, 0 | 2) && first == 23 => self.title.pop(),
            _ => self.answer_csi(action, intermediates, first),
        }
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], _ignore: bool, byte: u8) {
        self.last_print = None;
        match (byte, intermediates) {
            (b'D', []) => self.index(),
            (b'E', []) => {
                self.index();
                self.term.carriage_return();
            }
            (b'H', []) => self.tabs.set(self.term.grid().cursor.point.column.0),
            (b'M', []) => {
                self.term.grid_mut().cursor.input_needs_wrap = false;
                self.term.reverse_index();
            }
            (b'Z', []) => self.answer_csi('c', &[], 0),
            (b'c', []) => self.reset(),
            (b'7', []) => self.save_cursor(),
            (b'8', []) => self.restore_cursor(),
            (b'8', [b'#']) => self.align(),
            (b'n', []) => self.charsets.shift(Shift::G2),
            (b'o', []) => self.charsets.shift(Shift::G3),
            (b'=', []) => self.term.set_keypad_application_mode(),
            (b'>', []) => self.term.unset_keypad_application_mode(),
            (set, [slot]) => self.charsets.designate(*slot, set),
            _ => {}
        }
    }
}

#[derive(Clone, Copy)]
enum Sideways {
    KeepColumn,
    ToFirstColumn,
}
use Sideways::{KeepColumn, ToFirstColumn};

impl Terminal {
    fn line_feed(&mut self) {
        self.index();
        if self.has(TermMode::LINE_FEED_NEW_LINE) {
            self.term.carriage_return();
        }
    }

    /// One line down. Unlike the engine, xterm forgets a pending wrap here.
    fn index(&mut self) {
        self.term.grid_mut().cursor.input_needs_wrap = false;
        self.term.linefeed();
    }

    /// REP, which as on xterm repeats a character that came right before it, once.
    fn repeat(&mut self, last_print: Option<char>, count: usize) {
        let Some(c) = last_print else { return };
        // When the screen is full of it, another row of it changes nothing.
        let row = self.cols() / c.width().unwrap_or(1).max(1);
        let screenful = (self.rows() + 1) * row;
        let count = if count > screenful { screenful + (count - screenful) % row } else { count };
        for _ in 0..count {
            self.print(c);
        }
        self.last_print = None;
    }

    /// Tabs forward or back, as far as there are columns.
    fn tab(&mut self, count: usize, stop: fn(&Tabs, usize) -> usize) {
        let col = &mut self.term.grid_mut().cursor.point.column.0;
        for _ in 0..count.min(self.size.cols().into()) {
            *col = stop(&self.tabs, *col);
        }
    }

    /// DECALN: fills the screen, with margins, origin mode and attributes as new.
    fn align(&mut self) {
        self.term.unset_private_mode(NamedPrivateMode::Origin.into());
        self.term.grid_mut().cursor.template.flags = Flags::empty();
        self.set_region(1, 0);
        self.term.goto(0, 0);
        self.term.decaln();
    }

    fn row(&self) -> i32 {
        self.term.grid().cursor.point.line.0
    }

    /// Moves to a row of the screen. The engine takes rows relative to the region in origin mode, even from where
    /// it stands.
    fn move_to(&mut self, row: i32, col: usize) {
        let top = if self.has(TermMode::ORIGIN) { self.region.top as i32 } else { 0 };
        self.term.goto(row - top, col);
    }

    /// As on xterm, a margin stops the cursor unless it is already beyond it.
    fn move_up(&mut self, count: usize, sideways: Sideways) {
        let point = self.term.grid().cursor.point;
        let row = point.line.0 as usize;
        let stop = if row >= self.region.top { self.region.top } else { 0 };
        self.move_to(row.saturating_sub(count).max(stop) as i32, column(sideways, point.column));
    }

    fn move_down(&mut self, count: usize, sideways: Sideways) {
        let point = self.term.grid().cursor.point;
        let row = point.line.0 as usize;
        let stop = if row < self.region.bottom { self.region.bottom } else { self.rows() } - 1;
        self.move_to((row + count).min(stop) as i32, column(sideways, point.column));
    }

    pub(super) fn set_region(&mut self, top: usize, bottom: usize) {
        let rows = self.rows();
        let bottom = if bottom == 0 { rows } else { bottom.min(rows) };
        if top < bottom {
            self.region = Region { top: top - 1, bottom };
            self.term.set_scrolling_region(top, Some(bottom));
        }
    }

    /// Runs an operation on the cursor's row that may cut a wide character of it in two. As on xterm, a pending wrap is
    /// forgotten by it.
    fn edit_row(&mut self, operation: impl FnOnce(&mut Self)) {
        self.term.grid_mut().cursor.input_needs_wrap = false;
        operation(self);
        self.mend_cursor_row();
    }

    fn erase_line(&mut self, mode: u16) {
        let mode = match mode {
            0 => LineClearMode::Right,
            1 => LineClearMode::Left,
            2 => LineClearMode::All,
            _ => return,
        };
        self.edit_row(|terminal| terminal.term.clear_line(mode));
    }

    pub(super) fn erase_all(&mut self) {
        self.edit_row(|terminal| terminal.term.clear_screen(ClearMode::All));
    }

    fn erase_display(&mut self, mode: u16) {
        let mode = match mode {
            0 => ClearMode::Below,
            1 => {
                // The engine forgets the first row when the cursor is in the second.
                if self.term.grid().cursor.point.line == Line(1) {
                    self.term.grid_mut().reset_region(..Line(1));
                }
                ClearMode::Above
            }
            // Unlike the engine, xterm keeps no copy of what is cleared: the screen would be in the history twice after a
            // snapshot.
            2 if self.history > 0 => return self.edit_row(|terminal| terminal.term.grid_mut().reset_region(..)),
            2 => ClearMode::All,
            3 if self.history > 0 && !self.in_alt() => ClearMode::Saved,
            _ => return,
        };
        self.edit_row(|terminal| terminal.term.clear_screen(mode));
    }

    /// Inserting and deleting lines takes the cursor to the first column, inside the region alone.
    fn edit_lines(&mut self, operation: impl FnOnce(&mut Self)) {
        let row = self.row() as usize;
        if (self.region.top..self.region.bottom).contains(&row) {
            operation(self);
            self.term.carriage_return();
        }
    }

    fn clear_tabs(&mut self, mode: u16) {
        match mode {
            0 => self.tabs.clear(self.term.grid().cursor.point.column.0),
            3 => self.tabs.clear_all(),
            _ => {}
        }
    }

    fn set_cursor_style(&mut self, style: u16) {
        let shape = match style {
            0 => return self.term.set_cursor_style(None),
            1 | 2 => CursorShape::Block,
            3 | 4 => CursorShape::Underline,
            5 | 6 => CursorShape::Beam,
            _ => return,
        };
        self.term.set_cursor_style(Some(CursorStyle { shape, blinking: style % 2 == 1 }));
    }

    /// Cuts the marks of the cell before the cursor, if they are too many.
    fn bound_marks(&mut self) {
        let grid = self.term.grid_mut();
        let point = grid.cursor.point;
        for col in point.column.0.saturating_sub(2)..=point.column.0 {
            let cell = &mut grid[point.line][Column(col)];
            let Some(marks) = cell.zerowidth().filter(|marks| marks.len() > MARKS_LIMIT) else { continue };
            let marks = marks[..MARKS_LIMIT].to_vec();
            let (color, link) = (cell.underline_color(), cell.hyperlink());
            cell.extra = None;
            cell.set_underline_color(color);
            cell.set_hyperlink(link);
            for mark in marks {
                cell.push_zerowidth(mark);
            }
        }
    }
}

fn column(sideways: Sideways, current: Column) -> usize {
    match sideways {
        KeepColumn => current.0,
        ToFirstColumn => 0,
    }
}
