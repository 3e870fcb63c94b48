//! The command line, and the hub that it means.

use std::path::{Path, PathBuf};

use flightdeck_client::Hub;
use flightdeck_client::find;

const HELP: &str = "The desktop window of Flightdeck.

Usage: interactive-terminal [OPTIONS]

  -w, --workspace DIR   the folder whose hub is meant; the project around the current folder otherwise
      --theme THEME     dark, light, or system (the colours of the desktop), which is the default
      --launched        started by an adapter of the hub, which waits to be told that the window is ready
  -V, --version         print the version
  -h, --help            print this";

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
pub enum Asked {
    Window(Options),
    /// Only to print this.
    Text(String),
}

#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    pub workspace: Option<PathBuf>,
    pub theme: &'static str,
    pub launched: bool,
}

pub fn read(args: impl Iterator<Item = String>) -> Result<Asked, String> {
    let mut options = Options { workspace: None, theme: "system", launched: false };
    let mut args = args.peekable();
    while let Some(arg) = args.next() {
        let (name, given) = match arg.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name.to_owned(), Some(value.to_owned())),
            _ => (arg, None),
        };
        let mut value =
            || given.clone().or_else(|| args.next()).ok_or_else(|| format!("{name} needs a value; see --help"));
        match name.as_str() {
            "-V" | "--version" => {
                return Ok(Asked::Text(format!("interactive-terminal {}", env!("CARGO_PKG_VERSION"))));
            }
            "-h" | "--help" => return Ok(Asked::Text(HELP.to_owned())),
            "-w" | "--workspace" => options.workspace = Some(value()?.into()),
            "--theme" => {
                let word = value()?;
                let known = ["dark", "light", "system"].into_iter().find(|known| *known == word);
                options.theme = known.ok_or_else(|| format!("{word} is no theme: dark, light or system"))?;
            }
            "--launched" => options.launched = true,
            other => return Err(format!("{other} is not known; see --help")),
        }
    }
    Ok(Asked::Window(options))
}

/// The hub that is meant. It is started by the `flightdeck` beside this program, or by the one on the PATH.
pub fn hub(workspace: Option<&Path>) -> Result<Hub, String> {
    let found = find::workspace(workspace).map_err(|error| error.to_string())?;
    let beside =
        std::env::current_exe().ok().map(|program| program.with_file_name("flightdeck")).filter(|path| path.is_file());
    Ok(found.hub().started_by(beside.unwrap_or_else(|| "flightdeck".into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(line: &str) -> Result<Asked, String> {
        read(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn the_command_line() {
        let window = |workspace: Option<&str>, theme, launched| {
            Ok(Asked::Window(Options { workspace: workspace.map(Into::into), theme, launched }))
        };
        assert_eq!(asked(""), window(None, "system", false));
        assert_eq!(asked("--workspace /x --launched"), window(Some("/x"), "system", true));
        assert_eq!(asked("-w /x --theme=light"), window(Some("/x"), "light", false));
        assert!(matches!(asked("--version"), Ok(Asked::Text(text)) if text.starts_with("interactive-terminal ")));
        for wrong in ["--theme", "--theme blue", "--what", "-w"] {
            assert!(asked(wrong).is_err(), "{wrong}");
        }
    }
}
