//! `interactive-terminal`: the desktop window of Flightdeck. A front end like the others: it owns no terminal, and what it
//! shows and asks for goes through the hub.

mod actions;
mod bridge;
mod exit;
mod log;
mod options;
mod paint;
mod window;

use bridge::platform;
use flightdeck_client::protect;
use options::{Asked, Options};

fn main() {
    // Before anything is read or connected: it answers for the person who looks at it.
    if let Err(error) = protect::keep_others_out().and_then(|()| protect::refuse_tracer()) {
        exit::because(exit::NOT_ALONE, &error.to_string());
    }
    log::start();
    let options = match options::read(std::env::args().skip(1)) {
        Ok(Asked::Window(options)) => options,
        Ok(Asked::Text(text)) => return println!("{text}"),
        Err(why) => exit::because(exit::USAGE, &why),
    };
    if let Some(why) = window::no_display() {
        exit::because(exit::DISPLAY, why);
    }
    let Options { workspace, theme, launched } = options;
    let mut hub = options::hub(workspace.as_deref()).unwrap_or_else(|why| exit::because(exit::USAGE, &why));
    if platform::listen() {
        hub = hub.started_without("QT_LINUX_ACCESSIBILITY_ALWAYS_ON");
    }
    if let Err(error) = window::start(hub, theme, launched) {
        exit::because(exit::TRANSIENT, &format!("no thread for the hub can be started: {error}"));
    }
    std::process::exit(window::run());
}
