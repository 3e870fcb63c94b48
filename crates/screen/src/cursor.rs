//! The cursor as others see it.

use alacritty_terminal::term::TermMode;
use alacritty_terminal::vte::ansi;

use super::engine::Terminal;

/// Where the cursor is, from the top left, and what it looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    pub row: u16,
    pub col: u16,
    pub visible: bool,
    pub shape: CursorShape,
    pub blinking: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CursorShape {
    #[default]
    Block,
    Underline,
    Beam,
}

impl Terminal {
    pub(super) fn cursor(&self) -> Cursor {
        let point = self.grid().cursor.point;
        let style = self.term.cursor_style();
        Cursor {
            row: point.line.0 as u16,
            col: point.column.0 as u16,
            visible: self.has(TermMode::SHOW_CURSOR),
            shape: match style.shape {
                ansi::CursorShape::Underline => CursorShape::Underline,
                ansi::CursorShape::Beam => CursorShape::Beam,
                _ => CursorShape::Block,
            },
            blinking: style.blinking,
        }
    }
}
