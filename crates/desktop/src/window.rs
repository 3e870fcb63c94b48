//! What the objects of the window share: the link to the hub, and where its news go.

use std::io::Write as _;
use std::sync::OnceLock;

use cxx_qt::CxxQtThread;
use flightdeck_client::Hub;
use flightdeck_contract::control::VERSION;
use flightdeck_contract::{RUNTIME_SESSION_VARIABLE, TRACE_VARIABLE};
use flightdeck_view::deck::List;
use flightdeck_view::link::{Connection, Link, News, Start};
use flightdeck_view::tokens::{Palette, Theme};
use parking_lot::Mutex;
use serde_json::json;

use crate::bridge::deck::qobject::Deck;
use crate::bridge::platform;
use crate::bridge::rows::qobject::Rows;
use crate::exit;
use crate::log;

static WINDOW: OnceLock<Window> = OnceLock::new();

struct Window {
    link: Link,
    facts: Facts,
    launched: bool,
}

static PLACES: Mutex<Places> =
    Mutex::new(Places { deck: None, lists: Vec::new(), connection: None, shown: false, ready: false });

/// Where news go, and what is known of the start.
struct Places {
    deck: Option<CxxQtThread<Deck>>,
    lists: Vec<(List, CxxQtThread<Rows>)>,
    connection: Option<Connection>,
    shown: bool,
    /// An adapter was told.
    ready: bool,
}

/// What does not change.
#[derive(Clone, Debug)]
pub struct Facts {
    pub workspace: String,
    pub root: String,
    /// `dark`, `light` or `system`.
    pub theme: &'static str,
}

/// Begins to watch the hub.
pub fn start(hub: Hub, theme: &'static str, launched: bool) -> std::io::Result<()> {
    let root = hub.workspace().root().to_owned();
    let name = root.file_name().map_or_else(|| root.to_string_lossy(), |name| name.to_string_lossy());
    let facts = Facts { workspace: name.into_owned(), root: root.to_string_lossy().into_owned(), theme };
    let start = if launched { Start::Never } else { Start::IfNeeded };
    let user = std::env::var("USER").or_else(|_| std::env::var("LOGNAME")).unwrap_or_else(|_| "me".to_owned());
    let link = Link::start(hub, &format!("window:{user}"), start, move |news| tell(news, launched))?;
    // It is started once.
    let _ = WINDOW.set(Window { link, facts, launched });
    Ok(())
}

pub fn link() -> Option<Link> {
    WINDOW.get().map(|window| window.link.clone())
}

pub fn facts() -> Facts {
    let none = || Facts { workspace: String::new(), root: String::new(), theme: "system" };
    WINDOW.get().map_or_else(none, |window| window.facts.clone())
}

pub fn palette(dark: bool) -> Palette {
    static PALETTES: OnceLock<[Palette; 2]> = OnceLock::new();
    PALETTES.get_or_init(|| [Theme::light().palette(), Theme::dark().palette()])[usize::from(dark)].clone()
}

/// The deck is there, and is told how things stand.
pub fn show_on(deck: CxxQtThread<Deck>) {
    let mut places = PLACES.lock();
    if let Some(connection) = places.connection.clone() {
        let _ = deck.queue(move |deck| deck.take(News::Connection(connection)));
    }
    places.deck = Some(deck);
}

/// A list wants the rows of its name from now on.
pub fn listen(list: List, rows: CxxQtThread<Rows>) {
    PLACES.lock().lists.push((list, rows));
    if let Some(link) = link() {
        link.show(list);
    }
}

/// The window is on the screen.
pub fn is_shown() {
    log::note("window shown");
    PLACES.lock().shown = true;
    say_ready();
}

/// The answer to a question that was asked in QML.
pub fn answer(what: &'static str, value: &serde_json::Value) {
    let json = value.to_string();
    if let Some(deck) = &PLACES.lock().deck {
        let _ = deck.queue(move |deck| deck.answer(what, &json));
    }
}

fn tell(news: News, launched: bool) {
    match news {
        News::Rows(list, rows) => {
            let mut places = PLACES.lock();
            // A list that is gone takes nothing more.
            places.lists.retain(|(of, thread)| {
                let rows = if *of == list { rows.clone() } else { return true };
                thread.queue(move |model| model.show(&rows)).is_ok()
            });
        }
        News::Connection(connection) => {
            log::note(&format!("connection {connection:?}"));
            if let (true, Connection::Failed(failure)) = (launched && !PLACES.lock().ready, &connection) {
                let code = if failure.version { exit::PROTOCOL } else { exit::TRANSIENT };
                exit::because(code, &failure.text);
            }
            let live = connection == Connection::Live;
            let mut places = PLACES.lock();
            places.connection = Some(connection.clone());
            if let Some(deck) = &places.deck {
                let _ = deck.queue(move |deck| deck.take(News::Connection(connection)));
            }
            drop(places);
            if live {
                say_ready();
            }
        }
        other => {
            if let Some(deck) = &PLACES.lock().deck {
                let _ = deck.queue(move |deck| deck.take(other));
            }
        }
    }
}

/// Tells the adapter that started this window, once, that a person can be asked here.
fn say_ready() {
    let mut places = PLACES.lock();
    let is_ready = places.shown && places.connection == Some(Connection::Live);
    if !is_ready || places.ready {
        return;
    }
    places.ready = true;
    drop(places);
    log::note("ready");
    if WINDOW.get().is_some_and(|window| window.launched) {
        let said = json!({
            "event": "ready",
            "protocol_version": VERSION,
            "trace_id": std::env::var(TRACE_VARIABLE).ok(),
            "runtime_session_id": std::env::var(RUNTIME_SESSION_VARIABLE).ok(),
        });
        let mut out = std::io::stdout().lock();
        // The adapter may have given up; the window stays.
        let _ = writeln!(out, "{said}").and_then(|()| out.flush());
    }
}

/// What stands in the way of a window, as far as that can be told before Qt is asked.
pub fn no_display() -> Option<&'static str> {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let platform = std::env::var("QT_QPA_PLATFORM").unwrap_or_default();
    let needs_none = ["offscreen", "minimal", "vnc", "linuxfb", "eglfs"].iter().any(|name| platform.starts_with(name));
    (!needs_none && !set("DISPLAY") && !set("WAYLAND_DISPLAY")).then_some(
        "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set; start it from a desktop, or use `flightdeck open`",
    )
}

/// Runs Qt until the window is closed.
pub fn run() -> i32 {
    let code = platform::run("qrc:/qt/qml/flightdeck/window/qml/Main.qml", log::is_on());
    if code >= 0 {
        return code;
    }
    exit::because(exit::QML, &exit::qml_words(&platform::said()))
}
