//! The peer that people use: tmux with a pipe to a file.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::flood::{Ear, Flood, until};

/// Whether there is one to compare with.
pub fn is_there() -> bool {
    Command::new("tmux").arg("-V").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// The flood's rate through a server of our own, from the child's beginning until the file has every byte.
pub fn flood(flood: &Flood, ear: &Ear, dir: &Path) -> anyhow::Result<f64> {
    let file = dir.join("tmux.out");
    let server = Server { dir: dir.to_owned() };
    // The child waits until the pipe is there, and `cat` keeps the session until everything has gone through it.
    let child = format!("tmux wait-for go; {}; exec cat", flood.command(ear)?.join(" "));
    server.tmux(&["new-session", "-d", "-x", "80", "-y", "24", "-s", "flood", &child])?;
    server.tmux(&["pipe-pane", "-o", "-t", "flood", &format!("exec cat > {}", file.display())])?;
    server.tmux(&["wait-for", "-S", "go"])?;
    let span = ear.hear(1)?;
    let complete = until("the end of tmux's file", || {
        Ok(std::fs::metadata(&file).is_ok_and(|meta| meta.len() >= flood.terminal_bytes()))
    })?;
    drop(server);
    let length = std::fs::metadata(&file)?.len();
    ensure!(length == flood.terminal_bytes(), "tmux wrote {length} bytes, not {}", flood.terminal_bytes());
    std::fs::remove_file(&file)?;
    Ok(flood.rate(complete - span.begin))
}

/// A tmux server that nobody else talks to.
struct Server {
    dir: PathBuf,
}

impl Server {
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.args(["-L", "bench", "-f", "/dev/null"]).args(args).env("TMUX_TMPDIR", &self.dir).env_remove("TMUX");
        command
    }

    fn tmux(&self, args: &[&str]) -> anyhow::Result<()> {
        let output = self.command(args).stdin(Stdio::null()).output().context("tmux can't be started")?;
        ensure!(output.status.success(), "tmux {args:?}: {}", String::from_utf8_lossy(&output.stderr).trim());
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Without a server there is nothing to end.
        let _ = self.command(&["kill-server"]).stderr(Stdio::null()).status();
    }
}
