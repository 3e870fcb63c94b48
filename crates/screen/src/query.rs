//! Answers to the control sequences that ask: what are you, where is the cursor, how large is the text area.

use super::engine::Terminal;

/// What the terminal says it is when asked for name and version.
const NAME: &str = concat!("flightdeck(", env!("CARGO_PKG_VERSION"), ")");
/// Pixels of a cell, for programs that ask in pixels: there may be no window, so a usual size.
const CELL_HEIGHT: usize = 16;
const CELL_WIDTH: usize = 8;

impl Terminal {
    pub(super) fn answer_csi(&mut self, action: char, intermediates: &[u8], first: u16) {
        let (rows, cols) = (usize::from(self.size.rows()), usize::from(self.size.cols()));
        let reply = match (action, intermediates, first) {
            // VT220 with colours; the second answer is that of xterm.js, which people will see this in.
            ('c', [], 0) => "\x1b[?62;22c".to_owned(),
            ('c', [b'>'], 0) => "\x1b[>0;276;0c".to_owned(),
            ('c', [b'='], 0) => "\x1bP!|00000000\x1b\\".to_owned(),
            ('n', [], 5) => "\x1b[0n".to_owned(),
            ('n', [] | [b'?'], 6) => {
                let point = self.grid().cursor.point;
                let top = if self.modes().origin { self.region.top as i32 } else { 0 };
                let mark = if intermediates.is_empty() { "" } else { "?" };
                format!("\x1b[{mark}{};{}R", point.line.0 - top + 1, point.column.0 + 1)
            }
            ('p', [b'$'], mode) => format!("\x1b[{mode};{}$y", self.mode_state(mode)),
            ('p', [b'?', b'$'], mode) => format!("\x1b[?{mode};{}$y", self.private_mode_state(mode)),
            ('q', [b'>'], 0) => format!("\x1bP>|{NAME}\x1b\\"),
            ('t', [], 11) => "\x1b[1t".to_owned(),
            ('t', [], 13) => "\x1b[3;0;0t".to_owned(),
            ('t', [], 14) => format!("\x1b[4;{};{}t", rows * CELL_HEIGHT, cols * CELL_WIDTH),
            ('t', [], 15) => format!("\x1b[5;{};{}t", rows * CELL_HEIGHT, cols * CELL_WIDTH),
            ('t', [], 16) => format!("\x1b[6;{CELL_HEIGHT};{CELL_WIDTH}t"),
            ('t', [], 18) => format!("\x1b[8;{rows};{cols}t"),
            ('t', [], 19) => format!("\x1b[9;{rows};{cols}t"),
            // A title that comes back as input could be a command; terminals answer with an empty one.
            ('t', [], 20) => "\x1b]L\x1b\\".to_owned(),
            ('t', [], 21) => "\x1b]l\x1b\\".to_owned(),
            ('u', [b'?'], _) => format!("\x1b[?{}u", self.keyboard().flags()),
            _ => return,
        };
        self.replies.push(&reply);
    }
}
