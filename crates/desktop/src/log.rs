//! What happens in the window, on standard error, when `FLIGHTDECK_WINDOW_LOG` asks for it: `events` for what is shown and
//! where the keyboard is, `screens` for the text of terminals as well. Tests wait for these lines, and figures are made of
//! them.

use std::io::Write as _;
use std::sync::OnceLock;
use std::time::Instant;

use flightdeck_contract::TerminalId;
use flightdeck_view::frame::Frame;
use parking_lot::Mutex;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
enum Level {
    Off,
    Events,
    Screens,
}

static START: OnceLock<Instant> = OnceLock::new();
static KEYED: Mutex<Option<Instant>> = Mutex::new(None);
static FRAMES: Mutex<(u64, Option<Instant>)> = Mutex::new((0, None));

fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| match std::env::var("FLIGHTDECK_WINDOW_LOG").as_deref() {
        Ok("screens") => Level::Screens,
        Ok("events") => Level::Events,
        _ => Level::Off,
    })
}

/// The program has started.
pub fn start() {
    START.get_or_init(Instant::now);
}

pub fn is_on() -> bool {
    level() > Level::Off
}

/// One line: milliseconds since the start, and what happened.
pub fn note(what: &str) {
    if is_on() {
        let since = START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1000.0;
        // Whoever read it may be gone.
        let _ = writeln!(std::io::stderr(), "{since:.1} {what}");
    }
}

/// A terminal looks different.
pub fn screen(id: TerminalId, frame: &Frame) {
    if level() == Level::Screens {
        note(&format!("screen {id} {}", serde_json::Value::from(frame.text())));
    }
}

/// A key went to a terminal.
pub fn keyed() {
    if is_on() {
        *KEYED.lock() = Some(Instant::now());
    }
}

/// A terminal was painted.
pub fn painted() {
    if !is_on() {
        return;
    }
    let mut frames = FRAMES.lock();
    frames.0 += 1;
    if frames.0 == 1 {
        note("first frame");
    }
    let now = Instant::now();
    let (count, last) = (frames.0, frames.1.get_or_insert(now));
    if now.duration_since(*last).as_secs() >= 1 {
        note(&format!("frames {count}"));
        frames.1 = Some(now);
    }
    drop(frames);
    if let Some(keyed) = KEYED.lock().take() {
        note(&format!("key to frame {:.2}", keyed.elapsed().as_secs_f64() * 1000.0));
    }
}
