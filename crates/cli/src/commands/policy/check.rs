//! `flightdeck policy path` and `check`: the files themselves, without a hub.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use flightdeck_core::{Settings, Workspace};
use flightdeck_policy::Rules;

use crate::args;
use crate::commands::visible::visible;
use crate::style;

/// The file of a workspace, or the one for all of them.
pub fn file(workspace: &Workspace, everywhere: bool) -> PathBuf {
    if everywhere { Settings::folder() } else { workspace.state().to_owned() }.join("policy.toml")
}

pub fn path(workspace: &Workspace, args: &args::PolicyPath) -> anyhow::Result<ExitCode> {
    // An editor that opens it must be able to save it.
    if !args.everywhere {
        workspace.create()?;
    } else if let Some(folder) = file(workspace, true).parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("{} can't be made", folder.display()))?;
    }
    outln!("{}", file(workspace, args.everywhere).display())?;
    Ok(ExitCode::SUCCESS)
}

pub fn run(workspace: &Workspace, args: &args::Check) -> anyhow::Result<ExitCode> {
    let right = if let Some(file) = &args.file { named(file)? } else { in_use(workspace)? };
    Ok(if right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Checks a file that has to be there.
fn named(file: &Path) -> anyhow::Result<bool> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{} can't be read", file.display()))?;
    report(file, &text)
}

/// Checks the files that a hub reads, each of which may be missing.
fn in_use(workspace: &Workspace) -> anyhow::Result<bool> {
    let mut right = true;
    for file in [file(workspace, true), file(workspace, false)] {
        match std::fs::metadata(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                outln!("{}: {}", visible(&file.to_string_lossy()), style::stdout().dim("not there"))?;
            }
            _ => right &= named(&file)?,
        }
    }
    Ok(right)
}

/// Says whether a file is right, as compilers do: `FILE:LINE: what is wrong`.
fn report(file: &Path, text: &str) -> anyhow::Result<bool> {
    let style = style::stdout();
    let name = visible(&file.to_string_lossy());
    match Rules::parse(text) {
        Ok(rules) => {
            let count = rules.rules().len();
            outln!("{name}: {}, {count} rule{}", style.green("right"), if count == 1 { "" } else { "s" })?;
            Ok(true)
        }
        Err(error) => {
            let problem: Vec<_> = error.to_string().trim_end().lines().map(visible).collect();
            outln!("{name}:{}: {}", error.line, style.red(&problem.join("\n  ")))?;
            Ok(false)
        }
    }
}
