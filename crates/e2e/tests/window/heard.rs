//! The window for those who hear it: a screen reader is told the terminal's text.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use flightdeck_e2e::{Bus, Display, SOON, Window, window_command};
use serde_json::Value;

use super::{deck, prompt, with_terminal};

#[test]
#[ignore = "needs the window: make desktop-test"]
fn a_screen_reader_hears_what_a_terminal_prints() {
    let (deck, display, bus) = (deck(), Display::new(), Bus::new());
    with_terminal(&deck);
    // It is there before the window, as on a desktop.
    let mut reader = Command::new("/usr/bin/python3")
        .args(["-c", include_str!("reader.py"), "spoken"])
        .env("DISPLAY", display.name())
        .env("DBUS_SESSION_BUS_ADDRESS", bus.address())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (tell, lines) = mpsc::channel();
    let out = BufReader::new(reader.stdout.take().unwrap());
    std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
    assert_eq!(lines.recv_timeout(SOON).as_deref(), Ok("listens"));
    let mut command = window_command(&deck, &["--theme", "dark"]);
    command.env("DBUS_SESSION_BUS_ADDRESS", bus.address()).env("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1");
    let mut window = Window::start(&display, &mut command);
    window.told("ready");
    window.focus();
    window.shows("t1", prompt());
    // The window learns late that somebody listens, and says nothing before that.
    let deadline = Instant::now() + SOON;
    while lines.recv_timeout(Duration::from_millis(200)).as_deref() != Ok("hears") {
        assert!(Instant::now() < deadline, "nothing that is typed is heard: {:#?}", window.log());
        window.press(&["x", "BackSpace"]);
    }
    window.type_text("echo sp''oken");
    window.press(&["Return"]);
    let said: Value = serde_json::from_str(&lines.recv_timeout(SOON).unwrap()).unwrap();
    reader.wait().unwrap();
    assert_eq!(said["name"], "Terminal t1", "{said}");
    let text = said["text"].as_str().unwrap();
    assert!(text.contains("echo sp''oken\nspoken"), "{said}");
    let last = text.trim_end_matches('\n').rfind('\n').map_or(0, |at| text[..at].encode_utf16().count());
    let cursor = said["cursor"].as_u64().unwrap() as usize;
    assert!((last..=text.encode_utf16().count()).contains(&cursor), "the cursor is at the end: {said}");
}
