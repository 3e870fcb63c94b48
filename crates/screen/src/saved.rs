//! The saved cursor (DECSC, DECRC), which each of the two screens has for itself. Kept here because with it come
//! things that the engine does not keep with its own: the character set in use and origin mode.

use alacritty_terminal::grid::Cursor;
use alacritty_terminal::term::TermMode;
use alacritty_terminal::term::cell::Cell;
use alacritty_terminal::vte::ansi::{Handler, NamedPrivateMode};

use super::charsets::Charsets;
use super::engine::Terminal;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Saved {
    pub(super) cursor: Cursor<Cell>,
    pub(super) charsets: Charsets,
    pub(super) origin: bool,
}

impl Terminal {
    pub(super) fn save_cursor(&mut self) {
        let cursor = self.grid().cursor.clone();
        self.saved[self.shown()] = Saved { cursor, charsets: self.charsets, origin: self.has(TermMode::ORIGIN) };
    }

    pub(super) fn restore_cursor(&mut self) {
        let Saved { cursor, charsets, origin } = self.saved[self.shown()].clone();
        self.charsets = charsets;
        let mode = NamedPrivateMode::Origin.into();
        if origin {
            self.term.set_private_mode(mode);
        } else {
            self.term.unset_private_mode(mode);
        }
        self.term.grid_mut().cursor = cursor;
        self.keep_cursor_in_region();
    }
}
