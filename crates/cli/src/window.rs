//! The window that the command line itself runs in: its size, and raw mode that is always undone.

use std::io::IsTerminal;

use flightdeck_contract::terminal::WindowSize;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};

/// The size of the window, if standard output is one.
pub fn size() -> Option<WindowSize> {
    let size = tcgetwinsize(std::io::stdout()).ok()?;
    (size.ws_row > 0 && size.ws_col > 0).then_some(WindowSize { rows: size.ws_row, cols: size.ws_col })
}

/// Whether a person sits there: both ends are a terminal.
pub fn is_interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Raw mode for as long as it lives.
#[derive(Debug)]
pub struct Raw {
    before: Termios,
}

impl Raw {
    /// Every key goes to the program, nothing is echoed.
    pub fn enter() -> std::io::Result<Self> {
        let before = tcgetattr(std::io::stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        // What was typed ahead stays: it is meant for the program.
        tcsetattr(std::io::stdin(), OptionalActions::Drain, &raw)?;
        Ok(Raw { before })
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // The window may be gone, and then there is nothing to undo.
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Flush, &self.before);
    }
}
