//! Modes: setting them, reporting them, and the view of them that others get. One table serves all three.

use alacritty_terminal::term::TermMode;
use alacritty_terminal::vte::ansi::{Attr, Handler, Mode, NamedMode, NamedPrivateMode};

use super::charsets::Charsets;
use super::engine::Terminal;
use super::saved::Saved;

/// What a front end and an agent need to know about the modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own on a real terminal")]
pub struct Modes {
    /// A full-screen program shows its own screen.
    pub alt_screen: bool,
    pub bracketed_paste: bool,
    pub application_cursor: bool,
    pub application_keypad: bool,
    pub mouse: Mouse,
    pub mouse_encoding: MouseEncoding,
    pub focus_events: bool,
    /// A frame is being drawn: what the screen shows may be half of it.
    pub sync: bool,
    pub autowrap: bool,
    pub origin: bool,
    pub insert: bool,
    pub newline: bool,
    /// The wheel sends cursor keys in the alternate screen.
    pub alternate_scroll: bool,
    /// Kitty keyboard flags in force.
    pub keyboard: u8,
}

/// Which mouse events the program wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mouse {
    #[default]
    Off,
    Clicks,
    Drags,
    Motion,
}

/// How mouse events are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MouseEncoding {
    #[default]
    Legacy,
    Utf8,
    Sgr,
}

/// The private modes that are one flag of the engine and touch neither grid nor cursor.
pub(super) const PRIVATE: [(u16, NamedPrivateMode, TermMode); 12] = [
    (1, NamedPrivateMode::CursorKeys, TermMode::APP_CURSOR),
    (7, NamedPrivateMode::LineWrap, TermMode::LINE_WRAP),
    (25, NamedPrivateMode::ShowCursor, TermMode::SHOW_CURSOR),
    (1000, NamedPrivateMode::ReportMouseClicks, TermMode::MOUSE_REPORT_CLICK),
    (1002, NamedPrivateMode::ReportCellMouseMotion, TermMode::MOUSE_DRAG),
    (1003, NamedPrivateMode::ReportAllMouseMotion, TermMode::MOUSE_MOTION),
    (1004, NamedPrivateMode::ReportFocusInOut, TermMode::FOCUS_IN_OUT),
    (1005, NamedPrivateMode::Utf8Mouse, TermMode::UTF8_MOUSE),
    (1006, NamedPrivateMode::SgrMouse, TermMode::SGR_MOUSE),
    (1007, NamedPrivateMode::AlternateScroll, TermMode::ALTERNATE_SCROLL),
    (1042, NamedPrivateMode::UrgencyHints, TermMode::URGENCY_HINTS),
    (2004, NamedPrivateMode::BracketedPaste, TermMode::BRACKETED_PASTE),
];

pub(super) const ORIGIN: u16 = 6;
pub(super) const BLINK: u16 = 12;
pub(super) const SYNC: u16 = 2026;
const SAVE_CURSOR: u16 = 1048;

impl Terminal {
    pub(super) fn modes(&self) -> Modes {
        let mouse = if self.has(TermMode::MOUSE_MOTION) {
            Mouse::Motion
        } else if self.has(TermMode::MOUSE_DRAG) {
            Mouse::Drags
        } else if self.has(TermMode::MOUSE_REPORT_CLICK) {
            Mouse::Clicks
        } else {
            Mouse::Off
        };
        let mouse_encoding = if self.has(TermMode::SGR_MOUSE) {
            MouseEncoding::Sgr
        } else if self.has(TermMode::UTF8_MOUSE) {
            MouseEncoding::Utf8
        } else {
            MouseEncoding::Legacy
        };
        Modes {
            alt_screen: self.in_alt(),
            bracketed_paste: self.has(TermMode::BRACKETED_PASTE),
            application_cursor: self.has(TermMode::APP_CURSOR),
            application_keypad: self.has(TermMode::APP_KEYPAD),
            mouse,
            mouse_encoding,
            focus_events: self.has(TermMode::FOCUS_IN_OUT),
            sync: self.sync,
            autowrap: self.has(TermMode::LINE_WRAP),
            origin: self.has(TermMode::ORIGIN),
            insert: self.has(TermMode::INSERT),
            newline: self.has(TermMode::LINE_FEED_NEW_LINE),
            alternate_scroll: self.has(TermMode::ALTERNATE_SCROLL),
            keyboard: self.keyboards[self.shown()].flags(),
        }
    }

    pub(super) fn set_mode(&mut self, mode: u16, on: bool) {
        let Some(mode) = named(mode) else { return };
        let mode = Mode::Named(mode);
        if on { self.term.set_mode(mode) } else { self.term.unset_mode(mode) }
    }

    pub(super) fn set_private_mode(&mut self, mode: u16, on: bool) {
        match (mode, on) {
            (ORIGIN, true) => self.term.set_private_mode(NamedPrivateMode::Origin.into()),
            (ORIGIN, false) => {
                self.term.unset_private_mode(NamedPrivateMode::Origin.into());
                // The engine leaves the cursor where it is, xterm homes it both ways.
                self.term.goto(0, 0);
            }
            (BLINK, true) => self.term.set_private_mode(NamedPrivateMode::BlinkingCursor.into()),
            (BLINK, false) => self.term.unset_private_mode(NamedPrivateMode::BlinkingCursor.into()),
            // The older ways to the alternate screen; programs save the cursor themselves around them.
            (47 | 1047, true) => self.enter_alt(),
            (47 | 1047, false) => self.leave_alt(),
            (1049, true) => {
                self.save_cursor();
                self.enter_alt();
                self.erase_all();
            }
            (1049, false) => {
                self.leave_alt();
                self.restore_cursor();
            }
            (SAVE_CURSOR, true) => self.save_cursor(),
            (SAVE_CURSOR, false) => self.restore_cursor(),
            // There is one mouse: whatever it was set to report, each of these turns it off.
            (9 | 1000..=1003, false) => {
                for (_, mode, _) in PRIVATE.iter().filter(|(.., flag)| TermMode::MOUSE_MODE.contains(*flag)) {
                    self.term.unset_private_mode((*mode).into());
                }
            }
            (SYNC, _) => self.sync = on,
            _ => {
                if let Some((_, mode, _)) = PRIVATE.iter().find(|(number, ..)| *number == mode) {
                    let mode = (*mode).into();
                    if on { self.term.set_private_mode(mode) } else { self.term.unset_private_mode(mode) }
                }
            }
        }
    }

    /// DECRQM's answer: 1 is set, 2 is reset, 0 is not known.
    pub(super) fn mode_state(&self, mode: u16) -> u8 {
        match named(mode) {
            Some(NamedMode::Insert) => state(self.has(TermMode::INSERT)),
            Some(NamedMode::LineFeedNewLine) => state(self.has(TermMode::LINE_FEED_NEW_LINE)),
            None => 0,
        }
    }

    pub(super) fn private_mode_state(&self, mode: u16) -> u8 {
        match mode {
            ORIGIN => state(self.has(TermMode::ORIGIN)),
            BLINK => state(self.term.cursor_style().blinking),
            47 | 1047 | 1049 => state(self.in_alt()),
            SYNC => state(self.sync),
            _ => PRIVATE.iter().find(|(number, ..)| *number == mode).map_or(0, |(_, _, flag)| state(self.has(*flag))),
        }
    }

    /// DECSTR: modes, margins, attributes and character sets as new; the text stays.
    pub(super) fn soft_reset(&mut self) {
        self.set_mode(4, false);
        for (mode, on) in [(1, false), (7, true), (25, true)] {
            self.set_private_mode(mode, on);
        }
        self.term.unset_private_mode(NamedPrivateMode::Origin.into());
        self.term.unset_keypad_application_mode();
        self.term.terminal_attribute(Attr::Reset);
        self.charsets = Charsets::default();
        let cursor = self.grid().cursor.clone();
        self.set_region(1, 0);
        self.term.grid_mut().cursor = cursor;
        let shown = self.shown();
        self.saved[shown] = Saved::default();
    }
}

fn named(mode: u16) -> Option<NamedMode> {
    match mode {
        4 => Some(NamedMode::Insert),
        20 => Some(NamedMode::LineFeedNewLine),
        _ => None,
    }
}

fn state(on: bool) -> u8 {
    if on { 1 } else { 2 }
}
