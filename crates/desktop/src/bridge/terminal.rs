//! A terminal on the screen: its picture painted, its keys and its mouse handed on.

use core::pin::Pin;

use cxx_qt::{CxxQtType, Threading};
use flightdeck_contract::terminal::WindowSize;
use flightdeck_view::frame::Frame;
use flightdeck_view::keys::Held;
use flightdeck_view::mouse::{Button, Deed};
use flightdeck_view::pane::{Pane, PaneState, Told};
use flightdeck_view::reading::{self, Edit, Reading};

use super::text::QString;
use crate::paint::Canvas;
use crate::window;

#[cxx_qt::bridge]
pub mod qobject {
    unsafe extern "C++" {
        include!("text.h");
        type QString = crate::bridge::text::QString;

        include!(<QtGui/QPainter>);
        type QPainter;

        include!("surface.h");
        type Surface;

        include!("fonts.h");
        type Fonts;
        #[cxx_name = "makeFonts"]
        fn make_fonts(pixels: i32) -> UniquePtr<Fonts>;
        fn width(self: &Fonts) -> i32;
        fn height(self: &Fonts) -> i32;
        fn ascent(self: &Fonts) -> i32;
        fn glyph(self: &Fonts, face: u8, character: u32) -> u32;
        fn fill(self: &Fonts, painter: Pin<&mut QPainter>, x: f64, y: f64, w: f64, h: f64, argb: u32);
        fn glyphs(self: &Fonts, painter: Pin<&mut QPainter>, face: u8, argb: u32, y: f64, ids: &[u32], xy: &[f64]);
        fn text(self: &Fonts, painter: Pin<&mut QPainter>, face: u8, argb: u32, x: f64, y: f64, text: &str);
        fn underline(self: &Fonts, painter: Pin<&mut QPainter>, line: u8, x: f64, y: f64, w: f64, argb: u32);
        #[cxx_name = "clipTop"]
        fn clip_top(self: &Fonts, painter: &QPainter) -> f64;
        #[cxx_name = "clipBottom"]
        fn clip_bottom(self: &Fonts, painter: &QPainter, height: f64) -> f64;
    }

    unsafe extern "RustQt" {
        #[qobject]
        #[qml_element]
        #[base = Surface]
        #[qproperty(QString, terminal)]
        #[qproperty(bool, dark)]
        #[qproperty(i32, pixels)]
        #[qproperty(QString, state)]
        #[qproperty(i32, scrolled)]
        #[qproperty(i32, history)]
        #[qproperty(i32, columns)]
        #[qproperty(i32, rows)]
        #[qproperty(i32, cell_width, cxx_name = "cellWidth")]
        #[qproperty(i32, cell_height, cxx_name = "cellHeight")]
        #[qproperty(QString, preedit)]
        // These two are what Qt looks for when a screen reader asks.
        #[qproperty(QString, text, READ = shown_text)]
        #[qproperty(i32, cursor_position, cxx_name = "cursorPosition", READ = shown_cursor)]
        type TerminalView = super::TerminalViewRust;

        #[cxx_override]
        unsafe fn paint(self: Pin<&mut TerminalView>, painter: *mut QPainter);
        #[cxx_override]
        fn typed(self: Pin<&mut TerminalView>, key: i32, held: u32, text: &QString) -> bool;
        #[cxx_override]
        fn composed(self: Pin<&mut TerminalView>, preedit: &QString, commit: &QString);
        #[cxx_override]
        fn resized(self: Pin<&mut TerminalView>, width: f64, height: f64);
        #[cxx_override]
        fn focused(self: Pin<&mut TerminalView>, on: bool);

        #[inherit]
        fn refresh(self: Pin<&mut TerminalView>, y: i32, height: i32);
        #[inherit]
        #[cxx_name = "placeCursor"]
        fn place_cursor(self: Pin<&mut TerminalView>, x: f64, y: f64, w: f64, h: f64);
        /// Whether anybody listens to what is shown, such as a screen reader.
        #[inherit]
        #[cxx_name = "isRead"]
        fn is_read(self: &TerminalView) -> bool;
        #[inherit]
        #[cxx_name = "tellEdit"]
        fn tell_edit(self: Pin<&mut TerminalView>, at: i32, removed: &QString, inserted: &QString);
        #[inherit]
        #[cxx_name = "tellCursor"]
        fn tell_cursor(self: Pin<&mut TerminalView>, at: i32);
        #[inherit]
        fn width(self: &TerminalView) -> f64;
        #[inherit]
        fn height(self: &TerminalView) -> f64;

        #[cxx_name = "shownText"]
        fn shown_text(self: &TerminalView) -> QString;
        #[cxx_name = "shownCursor"]
        fn shown_cursor(self: &TerminalView) -> i32;

        /// It rang.
        #[qsignal]
        fn bell(self: Pin<&mut TerminalView>);
        /// A key was typed into it.
        #[qsignal]
        fn keyed(self: Pin<&mut TerminalView>);

        #[qinvokable]
        fn press(self: &TerminalView, button: i32, clicks: i32, held: i32, x: f64, y: f64) -> bool;
        #[qinvokable]
        fn drag(self: &TerminalView, button: i32, held: i32, x: f64, y: f64, for_program: bool);
        #[qinvokable]
        fn release(self: &TerminalView, button: i32, held: i32, x: f64, y: f64, for_program: bool);
        #[qinvokable]
        fn wheel(self: &TerminalView, notches: i32, held: i32, x: f64, y: f64);
        #[qinvokable]
        fn scroll(self: &TerminalView, lines: i32);
        #[qinvokable]
        #[cxx_name = "scrollTo"]
        fn scroll_to(self: &TerminalView, scrolled: i32);
        /// Copies what is marked. Whether anything is.
        #[qinvokable]
        #[cxx_name = "copyMarked"]
        fn copy_marked(self: &TerminalView) -> bool;
        #[qinvokable]
        fn paste(self: Pin<&mut TerminalView>, selection: bool);
    }

    impl cxx_qt::Threading for TerminalView {}
    impl cxx_qt::Initialize for TerminalView {}
}

/// The smallest and the largest text.
const PIXELS: (i32, i32) = (7, 48);

#[derive(Default)]
pub struct TerminalViewRust {
    terminal: QString,
    dark: bool,
    pixels: i32,
    state: QString,
    scrolled: i32,
    history: i32,
    columns: i32,
    rows: i32,
    cell_width: i32,
    cell_height: i32,
    preedit: QString,
    focused: bool,
    /// What a screen reader was told last.
    told: Reading,
    pane: Option<Pane>,
    canvas: Option<Canvas>,
}

impl cxx_qt::Initialize for qobject::TerminalView {
    fn initialize(mut self: Pin<&mut Self>) {
        self.as_mut().on_terminal_changed(qobject::TerminalView::open).release();
        self.as_mut().on_pixels_changed(qobject::TerminalView::fit).release();
        self.on_dark_changed(|mut this| {
            let palette = window::palette(this.dark);
            if let Some(pane) = &this.pane {
                pane.theme(palette);
            }
            this.as_mut().refresh_all();
        })
        .release();
    }
}

fn held(bits: u32) -> Held {
    Held { shift: bits & 0x0200_0000 != 0, control: bits & 0x0400_0000 != 0, alt: bits & 0x0800_0000 != 0 }
}

fn button(number: i32) -> Button {
    match number {
        2 => Button::Right,
        4 => Button::Middle,
        _ => Button::Left,
    }
}

impl qobject::TerminalView {
    /// Shows the terminal that is named, in place of the last one.
    fn open(mut self: Pin<&mut Self>) {
        self.as_mut().rust_mut().pane = None;
        self.as_mut().fit();
        self.as_mut().attach();
        self.refresh_all();
    }

    fn attach(mut self: Pin<&mut Self>) {
        let (Ok(id), Some(link)) = (self.terminal.to_string().parse(), window::link()) else { return };
        let Some(room) = self.room() else { return };
        self.as_mut().set_state(QString::from("opening"));
        let thread = self.qt_thread();
        let pane = Pane::open(&link, id, room, window::palette(self.dark), move |told| {
            // A view that is gone has nothing to paint.
            let _ = thread.queue(move |this| this.take(id, told));
        });
        self.rust_mut().pane = Some(pane);
    }

    fn take(mut self: Pin<&mut Self>, id: flightdeck_contract::TerminalId, told: Told) {
        // Told by the terminal that was shown before.
        let Some(frame) = self.pane.as_ref().filter(|pane| pane.id() == id).map(Pane::frame) else { return };
        match told {
            Told::Frame(damage) => {
                let height = self.cell_height;
                self.as_mut().set_history(frame.history as i32);
                self.as_mut().set_scrolled(frame.scrolled as i32);
                if let Some(cursor) = frame.cursor {
                    let (w, h) = (f64::from(self.cell_width), f64::from(height));
                    let (x, y) = (f64::from(cursor.column) * w, f64::from(cursor.row) * h);
                    self.as_mut().place_cursor(x, y, w, h);
                }
                crate::log::screen(id, &frame);
                self.as_mut().tell(&frame);
                if damage.to > damage.from {
                    self.refresh(i32::from(damage.from) * height, i32::from(damage.to - damage.from) * height);
                }
            }
            Told::State(state) => {
                let word = match state {
                    PaneState::Live => "live".to_owned(),
                    PaneState::Away => "away".to_owned(),
                    PaneState::Ended(_) => "ended".to_owned(),
                    PaneState::Failed(why) => why,
                };
                self.set_state(QString::from(&word));
            }
            Told::Bell => self.bell(),
        }
    }

    /// Tells a screen reader what is new.
    fn tell(mut self: Pin<&mut Self>, frame: &Frame) {
        if !self.is_read() {
            return;
        }
        let now = frame.reading();
        let before = std::mem::replace(&mut self.as_mut().rust_mut().told, now.clone());
        for Edit { at, removed, inserted } in reading::edits(&before.text, &now.text) {
            self.as_mut().tell_edit(at as i32, &QString::from(&removed), &QString::from(&inserted));
        }
        if before.cursor != now.cursor {
            self.tell_cursor(now.cursor as i32);
        }
    }

    fn reading(&self) -> Reading {
        self.pane.as_ref().map(|pane| pane.frame().reading()).unwrap_or_default()
    }

    fn shown_text(&self) -> QString {
        QString::from(&self.reading().text)
    }

    fn shown_cursor(&self) -> i32 {
        self.reading().cursor as i32
    }

    /// As many cells as there is room for.
    fn room(&self) -> Option<WindowSize> {
        let cells = |room: f64, cell: i32| (room as i32).checked_div(cell).unwrap_or(0).clamp(0, 2000) as u16;
        let (rows, cols) = (cells(self.height(), self.cell_height), cells(self.width(), self.cell_width));
        (rows >= 1 && cols >= 2).then_some(WindowSize { rows, cols })
    }

    /// Takes the font of the size that is asked for, and tells the terminal how many cells there are now.
    fn fit(mut self: Pin<&mut Self>) {
        let pixels = self.pixels.clamp(PIXELS.0, PIXELS.1);
        if self.canvas.as_ref().is_none_or(|canvas| canvas.pixels != pixels) {
            let canvas = Canvas::new(pixels);
            let (width, height) = canvas.cell();
            self.as_mut().rust_mut().canvas = Some(canvas);
            self.as_mut().set_cell_width(width);
            self.as_mut().set_cell_height(height);
        }
        let Some(room) = self.room() else { return };
        self.as_mut().set_columns(i32::from(room.cols));
        self.as_mut().set_rows(i32::from(room.rows));
        match &self.pane {
            Some(pane) => pane.resize(room),
            // It had no room before.
            None => self.as_mut().attach(),
        }
        self.refresh_all();
    }

    fn refresh_all(self: Pin<&mut Self>) {
        let height = self.height().ceil() as i32;
        self.refresh(0, height);
    }

    fn resized(self: Pin<&mut Self>, _width: f64, _height: f64) {
        self.fit();
    }

    fn focused(mut self: Pin<&mut Self>, on: bool) {
        self.as_mut().rust_mut().focused = on;
        self.refresh_all();
    }

    unsafe fn paint(mut self: Pin<&mut Self>, painter: *mut qobject::QPainter) {
        let (width, height, focused) = (self.width(), self.height(), self.focused);
        let palette = window::palette(self.dark);
        let frame = self.pane.as_ref().map(Pane::frame);
        // SAFETY: Qt hands over a painter that lives for this call and that nobody else has.
        let painter = unsafe { painter.as_mut().map(|painter| Pin::new_unchecked(painter)) };
        let preedit = self.preedit.to_string();
        if let (Some(painter), Some(canvas)) = (painter, self.as_mut().rust_mut().canvas.as_mut()) {
            canvas.paint(painter, (width, height), frame.as_deref(), &palette, focused, &preedit);
        }
        crate::log::painted();
    }

    fn typed(mut self: Pin<&mut Self>, key: i32, bits: u32, text: &QString) -> bool {
        let taken = self.pane.as_ref().is_some_and(|pane| pane.key(key, held(bits), &text.to_string()));
        if taken {
            crate::log::keyed();
            self.as_mut().keyed();
        }
        taken
    }

    fn composed(mut self: Pin<&mut Self>, preedit: &QString, commit: &QString) {
        let commit = commit.to_string();
        if !commit.is_empty() {
            if let Some(pane) = &self.pane {
                pane.text(&commit);
            }
            self.as_mut().keyed();
        }
        if self.preedit != *preedit {
            self.as_mut().set_preedit(preedit.clone());
            self.refresh_all();
        }
    }

    fn cell(&self, x: f64, y: f64) -> (u16, u16) {
        let frame = self.pane.as_ref().map(Pane::frame).unwrap_or_default();
        let at = |place: f64, cell: i32, cells: usize| {
            ((place / f64::from(cell.max(1))) as i64).clamp(0, cells.saturating_sub(1) as i64) as u16
        };
        (at(x, self.cell_width, usize::from(frame.columns)), at(y, self.cell_height, frame.rows.len()))
    }

    /// Whether the program takes it from here.
    fn press(&self, number: i32, clicks: i32, bits: i32, x: f64, y: f64) -> bool {
        let Some(pane) = &self.pane else { return false };
        let ((column, row), held) = (self.cell(x, y), held(bits as u32));
        // Shift keeps the mouse for the window, as in other terminals.
        if !held.shift && pane.mouse(Deed::Press(button(number)), column, row, held) {
            return true;
        }
        if number == 1 {
            pane.mark(clicks.clamp(1, 3) as u8, column, row);
        }
        false
    }

    fn drag(&self, number: i32, bits: i32, x: f64, y: f64, for_program: bool) {
        let Some(pane) = &self.pane else { return };
        let (column, row) = self.cell(x, y);
        if for_program {
            pane.mouse(Deed::Move(Some(button(number))), column, row, held(bits as u32));
        } else if number == 1 {
            pane.mark_to(column, row);
        }
    }

    fn release(&self, number: i32, bits: i32, x: f64, y: f64, for_program: bool) {
        let Some(pane) = &self.pane else { return };
        let (column, row) = self.cell(x, y);
        if for_program {
            pane.mouse(Deed::Release(button(number)), column, row, held(bits as u32));
        } else if let Some(marked) = pane.marked() {
            super::platform::copy(&marked, true);
        }
    }

    fn wheel(&self, notches: i32, bits: i32, x: f64, y: f64) {
        let (column, row) = self.cell(x, y);
        if let Some(pane) = &self.pane {
            pane.wheel(notches, column, row, held(bits as u32));
        }
    }

    fn scroll(&self, lines: i32) {
        if let Some(pane) = &self.pane {
            pane.scroll(i64::from(lines));
        }
    }

    fn scroll_to(&self, scrolled: i32) {
        if let Some(pane) = &self.pane {
            pane.scroll_to(usize::try_from(scrolled).unwrap_or(0));
        }
    }

    fn copy_marked(&self) -> bool {
        let marked = self.pane.as_ref().and_then(Pane::marked);
        if let Some(marked) = &marked {
            super::platform::copy(marked, false);
        }
        marked.is_some()
    }

    fn paste(self: Pin<&mut Self>, selection: bool) {
        let text = super::platform::copied(selection);
        if let Some(pane) = self.pane.as_ref().filter(|_| !text.is_empty()) {
            pane.paste(&text);
        }
        self.keyed();
    }
}
