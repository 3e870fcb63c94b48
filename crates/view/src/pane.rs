//! One terminal in a window: the hub's stream into a screen, pictures of it at the pace of a display, and what goes back.
//!
//! ```text
//!   Live ── moments ──► feed the screen ── at most 60 times a second ──► Frame ──► whoever paints
//!                            ▲ held back when more has come than one picture can show
//!   keys, mouse ──► the call's input
//! ```

use std::sync::Arc;
use std::time::Duration;

use flightdeck_client::{Handle, Live, Moment};
use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::{Attach, Resize, TerminalEvent, ViewerId, WindowSize};
use flightdeck_keeper::Size;
use flightdeck_screen::{Modes, Screen};
use parking_lot::Mutex;
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;

use crate::frame::{Damage, Frame};
use crate::keys::{self, Held};
use crate::link::{Link, in_words};
use crate::mouse::{self, Deed};
use crate::selection::Selection;
use crate::tokens::Palette;

/// Lines that can be scrolled back to.
const HISTORY: usize = 10_000;
/// As often as a display shows anything.
const FRAME: Duration = Duration::from_micros(16_600);
/// More output than this between two pictures is not taken yet: the hub leaves out what scrolls by unseen.
const BETWEEN: usize = 256 * 1024;
/// What prints so much between two pictures is not somebody's typing.
const FLOOD: usize = 4096;
/// For how many pictures a program may keep the screen to itself.
const HALVES: u32 = 12;
/// Moments and keys that wait. A person does not type faster, and a paste is one.
const QUEUE: usize = 256;

/// What whoever types while no hub is there is told.
const NOWHERE: &str = "The hub is away: what you type now goes nowhere";

/// What a view is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// There is another picture; these rows of it are new.
    Frame(Damage),
    /// How it stands with the terminal.
    State(PaneState),
    /// It rang.
    Bell,
}

/// How it stands with a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaneState {
    Live,
    /// The hub is gone; the picture is how it was.
    Away,
    Ended(Option<i32>),
    Failed(String),
}

type Tell = Arc<dyn Fn(Told) + Send + Sync>;

/// One terminal, shown. Dropped, it is no longer.
pub struct Pane {
    shared: Arc<Shared>,
    link: Link,
    id: TerminalId,
    tasks: Vec<tokio::task::AbortHandle>,
    input: mpsc::Sender<Vec<u8>>,
}

struct Shared {
    view: Mutex<View>,
    /// The picture that is shown now. Whoever paints takes this lock only.
    frame: Mutex<Arc<Frame>>,
    dirty: Notify,
    handle: Mutex<Option<Handle>>,
    viewer: Mutex<Option<ViewerId>>,
    room: Mutex<Option<WindowSize>>,
    tell: Tell,
}

struct View {
    screen: Screen,
    palette: Palette,
    scrolled: usize,
    selection: Option<Selection>,
    bells: u64,
}

impl std::fmt::Debug for Pane {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pane").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Pane {
    /// Shows a terminal in so much room.
    pub fn open(
        link: &Link,
        id: TerminalId,
        room: WindowSize,
        palette: Palette,
        tell: impl Fn(Told) + Send + Sync + 'static,
    ) -> Self {
        let size = size(room);
        let shared = Arc::new(Shared {
            view: Mutex::new(View {
                screen: Screen::with_history(size, HISTORY),
                palette,
                scrolled: 0,
                selection: None,
                bells: 0,
            }),
            frame: Mutex::default(),
            dirty: Notify::new(),
            handle: Mutex::new(None),
            viewer: Mutex::new(None),
            room: Mutex::new(Some(room)),
            tell: Arc::new(tell),
        });
        let attach = Attach { id, size: Some(room), from: None, scrollback: Some(HISTORY) };
        let live = Live::new(link.hub().clone(), &link.me(), attach);
        let (moments, received) = mpsc::channel(QUEUE);
        let (input, typed) = mpsc::channel(QUEUE);
        let runtime = link.runtime();
        let tasks = vec![
            runtime.spawn(listen(live, id, room, Arc::clone(&shared), moments)).abort_handle(),
            runtime.spawn(show(Arc::clone(&shared), received)).abort_handle(),
            runtime
                .spawn(type_in(Arc::clone(&shared), typed, {
                    let link = link.clone();
                    move || link.toast("warn", NOWHERE)
                }))
                .abort_handle(),
        ];
        Pane { shared, link: link.clone(), id, tasks, input }
    }

    pub fn id(&self) -> TerminalId {
        self.id
    }

    /// The picture that is shown now.
    pub fn frame(&self) -> Arc<Frame> {
        Arc::clone(&self.shared.frame.lock())
    }

    pub fn modes(&self) -> Modes {
        self.shared.view.lock().screen.modes()
    }

    /// The window has another size.
    pub fn resize(&self, room: WindowSize) {
        if self.shared.room.lock().replace(room) == Some(room) {
            return;
        }
        let (viewer, handle) = (*self.shared.viewer.lock(), self.shared.handle.lock().clone());
        if let (Some(_), Some(handle)) = (viewer, handle) {
            self.link.runtime().spawn(tell_size(handle, Resize { id: self.id, size: room, viewer }));
        }
    }

    pub fn theme(&self, palette: Palette) {
        self.shared.view.lock().palette = palette;
        self.shared.dirty.notify_one();
    }

    /// A key. Whether it means anything to a terminal.
    pub fn key(&self, qt_key: i32, held: Held, text: &str) -> bool {
        let bytes = keys::bytes(qt_key, held, text, &self.modes());
        !bytes.is_empty() && self.send(bytes)
    }

    /// Text that is typed in one go, as input methods do.
    pub fn text(&self, text: &str) {
        self.send(text.as_bytes().to_vec());
    }

    pub fn paste(&self, text: &str) {
        self.send(keys::pasted(text, &self.modes()));
    }

    /// Puts bytes on their way. Typing shows the end again and takes the selection back.
    fn send(&self, bytes: Vec<u8>) -> bool {
        if bytes.is_empty() {
            return false;
        }
        {
            let mut view = self.shared.view.lock();
            view.selection = None;
            view.scrolled = 0;
        }
        self.shared.dirty.notify_one();
        if self.shared.handle.lock().is_none() {
            self.link.toast("warn", NOWHERE);
        } else if self.input.try_send(bytes).is_err() {
            self.link.toast("warn", format!("{} does not take its input: that key was not typed", self.id));
        }
        true
    }

    /// Scrolls by lines, back above zero.
    pub fn scroll(&self, lines: i64) {
        let mut view = self.shared.view.lock();
        let most = view.screen.history() as i64;
        view.scrolled = (view.scrolled as i64 + lines).clamp(0, most) as usize;
        drop(view);
        self.shared.dirty.notify_one();
    }

    /// To so many lines above the end.
    pub fn scroll_to(&self, scrolled: usize) {
        let mut view = self.shared.view.lock();
        view.scrolled = scrolled.min(view.screen.history());
        drop(view);
        self.shared.dirty.notify_one();
    }

    /// Turns the wheel: for the program if it wants it, for the history otherwise.
    pub fn wheel(&self, notches: i32, column: u16, row: u16, held: Held) {
        let (modes, up) = (self.modes(), notches > 0);
        let deed = if up { Deed::WheelUp } else { Deed::WheelDown };
        let for_program = mouse::bytes(deed, column, row, held, &modes).or_else(|| mouse::wheel_as_keys(up, &modes));
        match for_program {
            Some(bytes) => {
                let _ = self.input.try_send(bytes.repeat(notches.unsigned_abs() as usize));
            }
            None => self.scroll(i64::from(notches) * mouse::NOTCH as i64),
        }
    }

    /// Something of the mouse that the program wants. Whether it does.
    pub fn mouse(&self, deed: Deed, column: u16, row: u16, held: Held) -> bool {
        match mouse::bytes(deed, column, row, held, &self.modes()) {
            Some(bytes) => {
                // Not typed: the selection and the place stay.
                let _ = self.input.try_send(bytes);
                true
            }
            None => false,
        }
    }

    /// Begins to mark, at a row of the view: one click characters, two a word, three a line.
    pub fn mark(&self, clicks: u8, column: u16, row: u16) {
        let mut view = self.shared.view.lock();
        let line = i32::from(row) - view.scrolled as i32;
        view.selection = Some(match clicks {
            0 | 1 => Selection::new(line, column),
            2 => Selection::word(&view.screen, line, column),
            _ => Selection::line(line),
        });
        drop(view);
        self.shared.dirty.notify_one();
    }

    pub fn mark_to(&self, column: u16, row: u16) {
        let mut view = self.shared.view.lock();
        let line = i32::from(row) - view.scrolled as i32;
        if let Some(selection) = &mut view.selection {
            selection.drag_to(line, column);
        }
        drop(view);
        self.shared.dirty.notify_one();
    }

    /// What is marked; `None` for nothing.
    pub fn marked(&self) -> Option<String> {
        let view = self.shared.view.lock();
        let selection = view.selection.as_ref().filter(|selection| !selection.is_empty())?;
        Some(selection.text(&view.screen)).filter(|text| !text.is_empty())
    }
}

impl Drop for Pane {
    fn drop(&mut self) {
        self.tasks.iter().for_each(tokio::task::AbortHandle::abort);
    }
}

/// Takes what the hub tells, at the pace of who shows it.
async fn listen(mut live: Live, id: TerminalId, first: WindowSize, shared: Arc<Shared>, moments: mpsc::Sender<Moment>) {
    let mut away = false;
    loop {
        let moment = live.next().await;
        let handle = live.handle();
        shared.handle.lock().clone_from(&handle);
        if let (Ok(Some(Moment::Event(TerminalEvent::Attached { viewer }, _))), Some(handle)) = (&moment, &handle) {
            *shared.viewer.lock() = Some(*viewer);
            // The window may have changed since the terminal was opened.
            let room = shared.room.lock().filter(|room| *room != first);
            if let Some(size) = room {
                tokio::spawn(tell_size(handle.clone(), Resize { id, size, viewer: Some(*viewer) }));
            }
        }
        match moment {
            Ok(Some(Moment::Away)) if away => {}
            Ok(Some(moment)) => {
                away = moment == Moment::Away;
                if moments.send(moment).await.is_err() {
                    return;
                }
            }
            Ok(None) => return,
            Err(error) => return (shared.tell)(Told::State(PaneState::Failed(in_words(&error)))),
        }
    }
}

async fn tell_size(handle: Handle, request: Resize) {
    // A viewer that is gone by now has no size.
    let _ = handle.client().call::<serde_json::Value>("flightdeck.terminal.resize", &request).await;
}

/// Feeds the screen, and makes a picture of it whenever something has changed and it is time.
async fn show(shared: Arc<Shared>, mut moments: mpsc::Receiver<Moment>) {
    let mut last = Instant::now() - FRAME;
    let mut waiting = false;
    let mut fed = 0;
    let mut open = true;
    let mut halves = 0;
    loop {
        tokio::select! {
            biased;
            () = tokio::time::sleep_until(last + FRAME), if waiting => {
                let is_flood = std::mem::take(&mut fed) >= FLOOD;
                // Half a picture of a program that is drawing is not shown, unless it never ends.
                halves = if shared.is_drawing() && halves < HALVES { halves + 1 } else { 0 };
                waiting = halves > 0;
                // A picture that is as the last one is none: what comes next need not wait for it, unless there is much of it.
                if waiting || shared.picture() || is_flood {
                    last = Instant::now();
                }
            }
            moment = moments.recv(), if open && fed < BETWEEN => match moment {
                Some(moment) => {
                    fed += shared.take(moment);
                    waiting = true;
                }
                None => open = false,
            },
            () = shared.dirty.notified() => waiting = true,
        }
    }
}

/// Sends what is typed, in order. While the hub is away there is nowhere to send it: `lost` says so, for each that is lost.
async fn type_in(shared: Arc<Shared>, mut typed: mpsc::Receiver<Vec<u8>>, lost: impl Fn()) {
    while let Some(bytes) = typed.recv().await {
        let handle = shared.handle.lock().clone();
        let is_sent = match handle {
            Some(handle) => handle.input(&bytes).await.is_ok(),
            None => false,
        };
        if !is_sent {
            lost();
        }
    }
}

impl Shared {
    /// Gives how many bytes that was.
    fn take(&self, moment: Moment) -> usize {
        match moment {
            Moment::Event(event, bytes) => {
                self.take_event(&event, &bytes);
                return bytes.len();
            }
            Moment::Away => (self.tell)(Told::State(PaneState::Away)),
            Moment::Back => (self.tell)(Told::State(PaneState::Live)),
        }
        0
    }

    fn take_event(&self, event: &TerminalEvent, bytes: &[u8]) {
        match event {
            TerminalEvent::Attached { .. } => (self.tell)(Told::State(PaneState::Live)),
            TerminalEvent::Snapshot { size: window, .. } => {
                let mut view = self.view.lock();
                view.screen.resize(size(*window));
                view.feed(bytes);
                // Bells of the past are silent.
                view.bells = view.screen.bells();
            }
            TerminalEvent::Output { .. } => {
                let mut view = self.view.lock();
                view.feed(bytes);
                let rang = view.screen.bells() > view.bells;
                view.bells = view.screen.bells();
                drop(view);
                if rang {
                    (self.tell)(Told::Bell);
                }
            }
            TerminalEvent::Resized { size: window, .. } => {
                let mut view = self.view.lock();
                view.screen.resize(size(*window));
                view.selection = None;
                view.scrolled = view.scrolled.min(view.screen.history());
            }
            TerminalEvent::Gap { .. } => {}
            TerminalEvent::Ended { exit_code, .. } => (self.tell)(Told::State(PaneState::Ended(*exit_code))),
        }
    }

    /// Between the marks of a synchronized update.
    fn is_drawing(&self) -> bool {
        self.view.lock().screen.modes().sync
    }

    /// Makes a picture, and says so if it differs: then it is `true`.
    fn picture(&self) -> bool {
        let frame = {
            let view = self.view.lock();
            Frame::of(&view.screen, view.scrolled, view.selection.as_ref(), &view.palette)
        };
        let before = std::mem::replace(&mut *self.frame.lock(), Arc::new(frame));
        let now = Arc::clone(&self.frame.lock());
        let scrolled = (now.scrolled, now.history) != (before.scrolled, before.history);
        let damage = now.since(&before).or_else(|| scrolled.then_some(Damage { from: 0, to: 0 }));
        let is_new = damage.is_some();
        if let Some(damage) = damage {
            (self.tell)(Told::Frame(damage));
        }
        is_new
    }
}

impl View {
    fn feed(&mut self, bytes: &[u8]) {
        let before = self.screen.history();
        self.screen.feed(bytes);
        // The hub has answered for the program already.
        drop(self.screen.take_replies());
        let grown = self.screen.history().saturating_sub(before);
        if self.scrolled > 0 {
            // What is being read stays where it is.
            self.scrolled = (self.scrolled + grown).min(self.screen.history());
        }
        if let Some(selection) = &mut self.selection {
            selection.scroll(grown as i32);
        }
    }
}

/// As large as it can be, and at least one cell.
fn size(window: WindowSize) -> Size {
    let within = |cells: u16| cells.clamp(1, Size::MAX);
    Size::new(within(window.rows), within(window.cols)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::tokens::Theme;

    #[tokio::test]
    async fn what_was_typed_before_the_hub_went_is_told_as_lost() {
        let view = View {
            screen: Screen::with_history(Size::default(), 0),
            palette: Theme::dark().palette(),
            scrolled: 0,
            selection: None,
            bells: 0,
        };
        let shared = Arc::new(Shared {
            view: Mutex::new(view),
            frame: Mutex::default(),
            dirty: Notify::new(),
            handle: Mutex::new(None),
            viewer: Mutex::new(None),
            room: Mutex::new(None),
            tell: Arc::new(|_| {}),
        });
        let (input, typed) = mpsc::channel(QUEUE);
        input.send(b"a".to_vec()).await.unwrap();
        input.send(b"b".to_vec()).await.unwrap();
        drop(input);
        let lost = AtomicUsize::new(0);
        let count = || {
            lost.fetch_add(1, Ordering::Relaxed);
        };
        type_in(shared, typed, count).await;
        assert_eq!(lost.into_inner(), 2);
    }
}
