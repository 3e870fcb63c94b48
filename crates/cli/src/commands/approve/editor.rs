//! A person's own editor on a command, in a file that nobody else can read.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use flightdeck_core::Workspace;

/// The file, for as long as it is edited.
struct Draft(PathBuf);

impl Drop for Draft {
    fn drop(&mut self) {
        // Some editors leave a copy of it beside; ours goes in any case.
        let _ = fs::remove_file(&self.0);
    }
}

/// Opens the editor. `None` when the text is as it was. Blocks until the editor ends.
pub fn edit(workspace: &Workspace, command: &str) -> anyhow::Result<Option<String>> {
    let draft = Draft(workspace.runtime().join(format!("command-{}.sh", std::process::id())));
    let problem = || format!("the file {} to edit can't be written", draft.0.display());
    let _ = fs::remove_file(&draft.0);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft.0).with_context(problem)?;
    file.write_all(format!("{command}\n").as_bytes()).with_context(problem)?;
    drop(file);
    open(&draft.0)?;
    let text = fs::read_to_string(&draft.0).with_context(|| format!("{} can't be read", draft.0.display()))?;
    // Editors end a file with a line end; it is no part of the command.
    let text = text.strip_suffix('\n').unwrap_or(&text);
    if text.trim().is_empty() {
        bail!("the command is empty, so nothing was answered: decline it instead");
    }
    Ok((text != command).then(|| text.to_owned()))
}

/// Opens the person's editor on a file, and waits until it ends.
pub fn open(file: &Path) -> anyhow::Result<()> {
    let editor = program();
    // By a shell, because people write `code --wait` there; the file is an argument and never part of the text.
    let status = Command::new("/bin/sh")
        .args(["-c", &format!("{editor} \"$1\""), "sh"])
        .arg(file)
        .status()
        .with_context(|| format!("the editor {editor} can't be started"))?;
    if !status.success() {
        bail!("the editor {editor} failed ({status}), so nothing was answered; set VISUAL or EDITOR to another one");
    }
    Ok(())
}

fn program() -> String {
    let set = |name| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| "vi".to_owned())
}
