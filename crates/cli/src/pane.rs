//! What runs in the windows of our tmux server: the holder of a tab's shell, and the first window.

use std::path::Path;
use std::process::ExitCode;

/// Holds the shell of a tab until it ends, and ends as it did.
pub fn hold(dir: &Path) -> anyhow::Result<ExitCode> {
    flightdeck_keeper::hold_pane(dir)?.pass_on()
}

/// Tells a person who attaches what this is, and keeps the session there while it has no tabs.
pub fn home() -> anyhow::Result<ExitCode> {
    outln!("This tmux belongs to Flightdeck. Each window is a tab that agents work in.")?;
    outln!()?;
    outln!("  prefix n, p, w   look at the tabs")?;
    outln!("  prefix d         leave; the tabs go on")?;
    outln!()?;
    outln!("`flightdeck ls` lists them, `flightdeck stop --all` ends them. Please keep this window.")?;
    loop {
        // A signal ends it.
        std::thread::park();
    }
}
