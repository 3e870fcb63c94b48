//! The screen: bytes of a terminal in, what a person would see out. Pure state, no I/O; everything in it can be
//! rebuilt from the log, and [`Screen::snapshot_ansi`] makes it start in the middle.

mod charsets;
mod cursor;
mod device_control;
mod dispatch;
mod engine;
mod fast_forward;
mod keyboard;
pub mod keys;
mod line;
mod modes;
mod osc;
mod page;
mod plain;
mod query;
mod query_filter;
mod reply;
mod saved;
mod sgr;
mod simple_text;
mod snapshot;
mod stream;
mod styled;
mod tabs;
#[cfg(test)]
mod tests;
mod title;
mod tokens;
mod transcript;
pub mod utf8;
mod width;

pub use cursor::{Cursor, CursorShape};
pub use modes::{Modes, Mouse, MouseEncoding};
pub use plain::{Plain, plain};
pub use query_filter::QueryFilter;
pub use styled::{Color, Flags, Run, StyledRow};
pub use transcript::{TranscriptState, transcript};

use std::fmt;

use alacritty_terminal::grid::Dimensions;
use flightdeck_keeper::Size;

use engine::Engine;

/// A terminal's screen. The hub's have no history: that is in the log. A front end can have one keep some lines, to scroll
/// back in.
pub struct Screen {
    engine: Engine,
}

impl Screen {
    pub fn new(size: Size) -> Self {
        Self::with_history(size, 0)
    }

    /// One that keeps so many lines of what scrolled off its top.
    pub fn with_history(size: Size, lines: usize) -> Self {
        Self { engine: Engine::new(size, lines) }
    }

    /// Takes output of the terminal, in chunks of any size, cut anywhere. What provably leaves no trace on the screen
    /// is skipped.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.engine.terminal.history == 0 {
            fast_forward::feed(&mut self.engine, bytes);
        } else {
            // What leaves no trace on the screen leaves one in the history.
            self.engine.advance(bytes);
        }
    }

    /// Like [`feed`](Self::feed), with every byte executed: slower, and the measure of what `feed` must do.
    pub fn feed_plainly(&mut self, bytes: &[u8]) {
        self.engine.advance(bytes);
    }

    pub fn resize(&mut self, size: Size) {
        if size != self.size() {
            self.engine.terminal.resize(size);
        }
    }

    pub fn size(&self) -> Size {
        self.engine.terminal.size
    }

    /// What the terminal answered to the program's questions since the last call; it belongs into the PTY.
    pub fn take_replies(&mut self) -> Vec<u8> {
        self.engine.terminal.replies.take()
    }

    /// The rows as text, without blanks at their ends and without empty rows at the bottom.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in 0..self.size().rows() {
            text.push_str(&self.row_text(row));
            text.push('\n');
        }
        text.truncate(text.trim_end_matches('\n').len());
        text
    }

    /// One row as text; empty for a row that does not exist.
    pub fn row_text(&self, row: u16) -> String {
        if row < self.size().rows() { styled::row_text(self.engine.terminal.grid(), row) } else { String::new() }
    }

    /// How many lines there are above the screen; none above a full-screen program's.
    pub fn history(&self) -> usize {
        self.engine.terminal.grid().history_size()
    }

    /// One line in runs, counted from the top of the screen: what scrolled off is above it, from -1 upwards. Empty for
    /// a line that does not exist.
    pub fn styled_line(&self, line: i32) -> StyledRow {
        let (above, below) = (self.history() as i32, i32::from(self.size().rows()));
        if (-above..below).contains(&line) {
            styled::styled_row(self.engine.terminal.grid(), line)
        } else {
            StyledRow::default()
        }
    }

    /// How often the bell rang.
    pub fn bells(&self) -> u64 {
        self.engine.terminal.bells
    }

    /// One row in runs; empty for a row that does not exist.
    pub fn styled_row(&self, row: u16) -> StyledRow {
        self.styled_line(i32::from(row))
    }

    pub fn cursor(&self) -> Cursor {
        self.engine.terminal.cursor()
    }

    pub fn title(&self) -> Option<&str> {
        self.engine.terminal.title.current()
    }

    pub fn modes(&self) -> Modes {
        self.engine.terminal.modes()
    }

    /// Bytes that bring a new terminal of the same size into this state, both screens, cursors and modes. They work on
    /// any xterm, and begin by putting one that is not quite new in order.
    pub fn snapshot_ansi(&self) -> Vec<u8> {
        snapshot::ansi(&self.engine)
    }
}

impl fmt::Debug for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Screen")
            .field("size", &self.size())
            .field("cursor", &self.cursor())
            .field("modes", &self.modes())
            .field("text", &self.text())
            .finish_non_exhaustive()
    }
}
