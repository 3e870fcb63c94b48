//! The window for those who hear it: a screen reader is told the terminal's text.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use flightdeck_e2e::{Bus, Deck, Display, SOON, Window, window_command};
use serde_json::Value;

use super::{deck, prompt, with_terminal};

/// A screen reader that waits for the word `spoken`. Dropped, it is ended.
struct Reader {
    child: Child,
    lines: mpsc::Receiver<String>,
}

impl Reader {
    /// Starts it; from then on it listens.
    fn new(display: &Display, bus: &Bus) -> Self {
        let mut child = Command::new("/usr/bin/python3")
            .args(["-c", include_str!("reader.py"), "spoken"])
            .env("DISPLAY", display.name())
            .env("DBUS_SESSION_BUS_ADDRESS", bus.address())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (tell, lines) = mpsc::channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
        let reader = Reader { child, lines };
        assert_eq!(reader.lines.recv_timeout(SOON).as_deref(), Ok("listens"));
        reader
    }

    /// Types until it hears anything: a window learns a moment later that somebody listens, and says nothing before. Each key
    /// has time to be seen: a letter that is gone again in the same picture was never there.
    fn hears(&self, window: &Window) {
        let deadline = Instant::now() + SOON;
        let mut keys = ["x", "BackSpace"].into_iter().cycle();
        while self.lines.recv_timeout(Duration::from_millis(100)).as_deref() != Ok("hears") {
            assert!(Instant::now() < deadline, "nothing that is typed is heard");
            window.press(&[keys.next().unwrap()]);
        }
        window.press(&["ctrl+u"]);
    }

    /// Has the word printed, and looks at all that it was told then.
    fn hears_the_word(&self, window: &Window) {
        window.type_text("echo sp''oken");
        window.press(&["Return"]);
        let said: Value = serde_json::from_str(&self.lines.recv_timeout(SOON).unwrap()).unwrap();
        assert_eq!(said["name"], "Terminal t1", "{said}");
        let text = said["text"].as_str().unwrap();
        assert!(text.contains("echo sp''oken\nspoken"), "{said}");
        let last = text.trim_end_matches('\n').rfind('\n').map_or(0, |at| text[..at].encode_utf16().count());
        let cursor = said["cursor"].as_u64().unwrap() as usize;
        assert!((last..=text.encode_utf16().count()).contains(&cursor), "the cursor is at the end: {said}");
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn window<'a>(deck: &Deck, display: &'a Display, bus: &Bus) -> Window<'a> {
    let mut command = window_command(deck, &["--theme", "dark"]);
    let mut window = Window::start(display, command.env("DBUS_SESSION_BUS_ADDRESS", bus.address()));
    window.told("ready");
    window.focus();
    window.shows("t1", prompt());
    window
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn a_screen_reader_hears_what_a_terminal_prints() {
    let (deck, display, bus) = (deck(), Display::new(), Bus::new());
    with_terminal(&deck);
    let reader = Reader::new(&display, &bus);
    let window = window(&deck, &display, &bus);
    reader.hears(&window);
    reader.hears_the_word(&window);
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn a_screen_reader_that_comes_after_the_window_hears_it_as_well() {
    let (deck, display, bus) = (deck(), Display::new(), Bus::new());
    with_terminal(&deck);
    let window = window(&deck, &display, &bus);
    // Not even the bus for screen readers was there before.
    let reader = Reader::new(&display, &bus);
    reader.hears(&window);
    reader.hears_the_word(&window);
}
