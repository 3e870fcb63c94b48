//! The VT engine: alacritty's `Term` for the grid, and beside it the state that `Term` hides or lacks (scroll region,
//! tab stops, titles, keyboard flags, the screen behind the alternate one), so that all of it can be read back.

use std::mem;

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::{Cursor, Dimensions, Grid, Row};
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::term::{Config, Term, TermMode};
use alacritty_terminal::vte::ansi::{Handler, Rgb};
use flightdeck_keeper::Size;

use super::charsets::Charsets;
use super::device_control::DeviceControl;
use super::keyboard::Keyboard;
use super::reply::Replies;
use super::saved::Saved;
use super::stream::Stream;
use super::tabs::Tabs;
use super::title::Title;

/// The parser and the terminal it drives.
pub(super) struct Engine {
    stream: Stream,
    pub(super) terminal: Terminal,
    /// Bytes that fast-forward did not execute.
    pub(super) skipped: u64,
}

impl Engine {
    pub(super) fn new(size: Size, history: usize) -> Self {
        Self { stream: Stream::default(), terminal: Terminal::new(size, history), skipped: 0 }
    }

    /// Executes `bytes`, every one of them.
    pub(super) fn advance(&mut self, bytes: &[u8]) {
        self.stream.advance(&mut self.terminal, bytes);
    }

    /// See [`Stream::is_clean`].
    pub(super) fn is_clean(&self) -> bool {
        self.stream.is_clean()
    }

    /// See [`Stream::pending`].
    pub(super) fn pending(&self) -> &[u8] {
        self.stream.pending()
    }

    /// See [`Stream::unfinished`].
    pub(super) fn unfinished(&self) -> Vec<u8> {
        self.stream.unfinished()
    }
}

/// Rows of the scroll region, from `top` up to but without `bottom`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) top: usize,
    pub(super) bottom: usize,
}

/// Everything that the bytes act on.
pub(super) struct Terminal {
    pub(super) term: Term<VoidListener>,
    /// The primary screen while the alternate one shows. `Term` could hold it but would not show it.
    pub(super) parked: Option<Box<Grid<Cell>>>,
    pub(super) region: Region,
    pub(super) charsets: Charsets,
    /// Of the primary and of the alternate screen.
    pub(super) saved: [Saved; 2],
    pub(super) tabs: Tabs,
    pub(super) title: Title,
    /// Of the primary and of the alternate screen.
    pub(super) keyboards: [Keyboard; 2],
    pub(super) replies: Replies,
    pub(super) bells: u64,
    /// Between the marks of a synchronized update.
    pub(super) sync: bool,
    /// What REP repeats: the character printed last, as it shows, if nothing else came since.
    pub(super) last_print: Option<char>,
    pub(super) device_control: DeviceControl,
    /// The shell tells that it edits a line: a prompt has begun, and no command since.
    pub(super) prompting: bool,
    pub(super) size: Size,
    /// How many lines it keeps of what scrolled off.
    pub(super) history: usize,
}

impl Terminal {
    fn new(size: Size, history: usize) -> Self {
        let dimensions = Area::from(size);
        let config = Config { scrolling_history: history, ..Config::default() };
        let mut terminal = Self {
            term: Term::new(config, &dimensions, VoidListener),
            parked: None,
            region: Region { top: 0, bottom: dimensions.rows },
            charsets: Charsets::default(),
            saved: Default::default(),
            tabs: Tabs::new(dimensions.cols),
            title: Title::default(),
            keyboards: [Keyboard::default(), Keyboard::default()],
            replies: Replies::default(),
            bells: 0,
            sync: false,
            last_print: None,
            device_control: DeviceControl::default(),
            prompting: false,
            size,
            history,
        };
        terminal.drop_spare_grid();
        terminal
    }

    pub(super) fn rows(&self) -> usize {
        self.term.screen_lines()
    }

    pub(super) fn cols(&self) -> usize {
        self.term.columns()
    }

    pub(super) fn grid(&self) -> &Grid<Cell> {
        self.term.grid()
    }

    pub(super) fn has(&self, mode: TermMode) -> bool {
        self.term.mode().contains(mode)
    }

    pub(super) fn in_alt(&self) -> bool {
        self.parked.is_some()
    }

    /// Which screen shows: 0 the primary, 1 the alternate one.
    pub(super) fn shown(&self) -> usize {
        usize::from(self.in_alt())
    }

    pub(super) fn keyboard(&mut self) -> &mut Keyboard {
        &mut self.keyboards[usize::from(self.parked.is_some())]
    }

    /// Sets a colour of the palette, or its default again.
    pub(super) fn set_color(&mut self, index: usize, color: Option<Rgb>) {
        match color {
            Some(color) => self.term.set_color(index, color),
            None => self.term.reset_color(index),
        }
    }

    pub(super) fn resize(&mut self, size: Size) {
        if size == self.size {
            return;
        }
        self.size = size;
        let area = Area::from(size);
        let shown = self.shown();
        if self.prompting && !self.in_alt() {
            self.leave_line_to_editor(area.cols);
        }
        self.term.grid_mut().saved_cursor = mem::take(&mut self.saved[shown].cursor);
        self.make_room(area);
        self.term.resize(area);
        if !self.in_alt() {
            self.term.grid_mut().update_history(self.history);
        }
        if let Some(primary) = &mut self.parked {
            primary.resize(true, area.rows, area.cols);
            // A grid that grew has a thousand spare rows; a copy has none.
            **primary = primary.as_ref().clone();
            mend_after_resize(primary);
            self.saved[0].cursor = primary.cursor.clone();
        } else {
            keep_within(&mut self.saved[1].cursor, area);
        }
        *self.term.grid_mut() = self.term.grid().clone();
        mend_after_resize(self.term.grid_mut());
        self.saved[shown].cursor = mem::take(&mut self.term.grid_mut().saved_cursor);
        self.drop_spare_grid();
        self.region = Region { top: 0, bottom: area.rows };
        self.tabs.resize(area.cols);
        self.last_print = None;
    }

    /// In a narrower window lines need more rows. The engine takes those at the top away for them, also while there are empty ones
    /// at the bottom; so it first gets a window without these, and a history to keep the others in.
    fn make_room(&mut self, area: Area) {
        if self.in_alt() || self.history > 0 || area.cols >= self.cols() {
            return;
        }
        let cursor = self.grid().cursor.point.line.0;
        let is_used = |line: &i32| *line <= cursor || !self.grid()[Line(*line)].is_clear();
        let used = (0..self.rows() as i32).rev().find(is_used).map_or(1, |line| line as usize + 1);
        let rows = self.rows();
        if used < rows {
            self.term.grid_mut().update_history(rows);
            self.term.resize(Area { rows: used, ..area });
        }
    }

    /// Keeps the line that a shell edits from being wrapped anew. Its line editor draws it again by itself, and counts its rows as
    /// they were: in a line of other rows it would move up too far, and erase output.
    fn leave_line_to_editor(&mut self, cols: usize) {
        let grid = self.term.grid_mut();
        let last = Column(grid.columns() - 1);
        let bottom = grid.screen_lines() as i32;
        let mut first = grid.cursor.point.line.0;
        while first > 0 && grid[Line(first - 1)][last].flags.contains(Flags::WRAPLINE) {
            first -= 1;
        }
        for line in (first - 1).max(0)..bottom {
            grid[Line(line)][last].flags.remove(Flags::WRAPLINE);
        }
        for line in first..bottom {
            for col in cols..=last.0 {
                grid[Line(line)][Column(col)] = Cell::default();
            }
        }
        grid.cursor.input_needs_wrap = false;
        let col = &mut grid.cursor.point.column;
        *col = (*col).min(Column(cols - 1));
    }

    /// Shows an empty alternate screen. The cursor stays where it is, as it does on the way back.
    pub(super) fn enter_alt(&mut self) {
        if self.parked.is_some() {
            return;
        }
        let mut alternate = Grid::new(self.rows(), self.cols(), 0);
        alternate.cursor = self.term.grid().cursor.clone();
        alternate.reset_region(..);
        let mut primary = mem::replace(self.term.grid_mut(), spare_grid());
        // Of the cursors on the screen behind only the saved one is left: it moves with the text when that is resized.
        primary.cursor = self.saved[0].cursor.clone();
        self.term.swap_alt();
        *self.term.grid_mut() = alternate;
        self.parked = Some(Box::new(primary));
    }

    pub(super) fn leave_alt(&mut self) {
        let Some(mut primary) = self.parked.take() else { return };
        primary.cursor = self.term.grid().cursor.clone();
        *self.term.grid_mut() = spare_grid();
        self.term.swap_alt();
        *self.term.grid_mut() = *primary;
    }

    /// RIS.
    pub(super) fn reset(&mut self) {
        self.leave_alt();
        self.term.reset_state();
        for index in 0..alacritty_terminal::term::color::COUNT {
            self.set_color(index, None);
        }
        self.region = Region { top: 0, bottom: self.rows() };
        self.charsets = Charsets::default();
        self.saved = Default::default();
        self.tabs = Tabs::new(self.cols());
        self.title = Title::default();
        self.keyboards = [Keyboard::default(), Keyboard::default()];
        self.sync = false;
    }

    /// With origin mode the cursor lives inside the region; without this rule a snapshot could not place it.
    pub(super) fn keep_cursor_in_region(&mut self) {
        if self.has(TermMode::ORIGIN) {
            let (top, bottom) = (self.region.top as i32, self.region.bottom as i32 - 1);
            let line = &mut self.term.grid_mut().cursor.point.line;
            *line = Line(line.0.clamp(top, bottom));
        }
    }

    /// Puts the halves of split wide characters right in the cursor's row.
    pub(super) fn mend_cursor_row(&mut self) {
        let line = self.term.grid().cursor.point.line;
        mend_wide(&mut self.term.grid_mut()[line]);
    }

    /// Replaces the grid that `Term` keeps for the other screen by a tiny one. It is never shown (see `parked`), and
    /// after a resize it would hold two megabytes.
    fn drop_spare_grid(&mut self) {
        let grid = mem::replace(self.term.grid_mut(), spare_grid());
        self.term.swap_alt();
        *self.term.grid_mut() = spare_grid();
        self.term.swap_alt();
        *self.term.grid_mut() = grid;
    }
}

fn spare_grid() -> Grid<Cell> {
    Grid::new(1, 2, 0)
}

/// Columns that went may have split wide characters, and columns that came may have left a pending wrap behind in the
/// middle of a row.
fn mend_after_resize(grid: &mut Grid<Cell>) {
    let area = Area { rows: grid.screen_lines(), cols: grid.columns() };
    keep_within(&mut grid.cursor, area);
    keep_within(&mut grid.saved_cursor, area);
    for line in grid.topmost_line().0..grid.screen_lines() as i32 {
        let row = &mut grid[Line(line)];
        // A row clears only the cells that were written to since it was cleared last, and takes the others to be all
        // alike. With new columns they are not: asking for all of them to write to makes it clear all.
        let _ = &mut row[..];
        mend_wide(row);
    }
}

fn keep_within(cursor: &mut Cursor<Cell>, area: Area) {
    let (last_line, last_column) = (Line(area.rows as i32 - 1), Column(area.cols - 1));
    cursor.point.line = cursor.point.line.min(last_line);
    cursor.point.column = cursor.point.column.min(last_column);
    cursor.input_needs_wrap &= cursor.point.column == last_column;
}

/// Half a wide character is no character: an orphaned left half becomes a space, an orphaned right half plain. The
/// engine leaves such halves behind and trips over them later; xterm does not.
fn mend_wide(row: &mut Row<Cell>) {
    let halves = Flags::WIDE_CHAR | Flags::WIDE_CHAR_SPACER;
    for col in 0..row.len() {
        let flags = row[Column(col)].flags;
        if !flags.intersects(halves) {
            continue;
        }
        let whole = if flags.contains(Flags::WIDE_CHAR) {
            col + 1 < row.len() && row[Column(col + 1)].flags.contains(Flags::WIDE_CHAR_SPACER)
        } else {
            col > 0 && row[Column(col - 1)].flags.contains(Flags::WIDE_CHAR)
        };
        if !whole {
            let cell = &mut row[Column(col)];
            cell.clear_wide();
            cell.flags.remove(halves);
        }
    }
}

/// A size as the engine takes it: it cannot hold a wide character in one column, so it never gets fewer than two.
#[derive(Clone, Copy)]
struct Area {
    rows: usize,
    cols: usize,
}

impl From<Size> for Area {
    fn from(size: Size) -> Self {
        Self { rows: usize::from(size.rows()), cols: usize::from(size.cols()).max(2) }
    }
}

impl Dimensions for Area {
    fn total_lines(&self) -> usize {
        self.rows
    }

    fn screen_lines(&self) -> usize {
        self.rows
    }

    fn columns(&self) -> usize {
        self.cols
    }
}
