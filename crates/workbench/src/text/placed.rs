//! What stands at places of a text, and moves with it.

use flightdeck_contract::workbench::{EditorView, Position, Selection};

use crate::pane::View;

/// Something that stands at places of a text.
pub(crate) trait Placed {
    /// Moves it to where each of its places is now.
    fn move_by(&mut self, place: impl Fn(Position) -> Position);
}

impl Placed for Position {
    fn move_by(&mut self, place: impl Fn(Position) -> Position) {
        *self = place(*self);
    }
}

impl Placed for Selection {
    fn move_by(&mut self, place: impl Fn(Position) -> Position) {
        self.anchor.move_by(&place);
        self.head.move_by(&place);
    }
}

/// The number of a line.
impl Placed for u32 {
    fn move_by(&mut self, place: impl Fn(Position) -> Position) {
        *self = place(Position { line: *self, column: 1 }).line;
    }
}

impl<T: Placed> Placed for Option<T> {
    fn move_by(&mut self, place: impl Fn(Position) -> Position) {
        if let Some(placed) = self {
            placed.move_by(place);
        }
    }
}

impl Placed for EditorView {
    fn move_by(&mut self, place: impl Fn(Position) -> Position) {
        self.cursor.move_by(&place);
        self.selection.move_by(&place);
        self.first_line.move_by(&place);
    }
}

impl Placed for View {
    fn move_by(&mut self, place: impl Fn(Position) -> Position) {
        self.cursor.move_by(&place);
        self.selection.move_by(&place);
        self.first_line.move_by(&place);
        self.reveal.move_by(&place);
    }
}
