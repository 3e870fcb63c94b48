//! What a shell that runs one command tells when it ends: how each stage of its last pipeline ended, and what it
//! leaves in the background, which goes with its terminal.
//!
//! It is told by a trap in a start-up file. The command itself stays as it is, and so do its line numbers and errors.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use flightdeck_contract::terminal::Background;
use flightdeck_term::session::Session;
use flightdeck_term::shell::ShellKind;

use crate::approvals::intent::quoted;
use crate::aside::aside;

/// Where it is told, in the terminal's folder.
const FOLDER: &str = "afterwards";
const TOLD: &str = "told";
/// How long what is hung up may take to end.
const HUNG_UP: Duration = Duration::from_millis(500);
const LOOK: Duration = Duration::from_millis(10);

/// Whether there may be something to tell: a pipeline, or something in the background.
pub(crate) fn is_worth_telling(shell: &Path, command: &str) -> bool {
    matches!(ShellKind::of(shell), ShellKind::Bash | ShellKind::Zsh) && command.contains(['|', '&'])
}

/// Writes the start-up file into the terminal's folder, and gives the variable by which the shell finds it.
/// `user_env` answers for the environment that the shell will get.
pub(crate) fn prepare(
    terminal: &Path,
    shell: &Path,
    user_env: impl Fn(&str) -> Option<OsString>,
) -> io::Result<Option<(OsString, OsString)>> {
    let folder = terminal.join(FOLDER);
    let word = |path: &Path| quoted(&path.to_string_lossy());
    let told = word(&folder.join(TOLD));
    let (variable, file, value, script) = match ShellKind::of(shell) {
        ShellKind::Bash => {
            let file = folder.join("bash.sh");
            let restore = match user_env("BASH_ENV") {
                Some(own) => {
                    format!("BASH_ENV={}\n[ -r \"$BASH_ENV\" ] && . \"$BASH_ENV\"", quoted(&own.to_string_lossy()))
                }
                None => "unset BASH_ENV".to_owned(),
            };
            ("BASH_ENV", file.clone(), file, format!("{restore}\n{}", trap("PIPESTATUS", "BASH_SUBSHELL", &told)))
        }
        ShellKind::Zsh => {
            let restore = match user_env("ZDOTDIR") {
                Some(own) => format!("ZDOTDIR={}", quoted(&own.to_string_lossy())),
                None => "unset ZDOTDIR".to_owned(),
            };
            let own = "[ -r \"${ZDOTDIR-$HOME}/.zshenv\" ] && . \"${ZDOTDIR-$HOME}/.zshenv\"";
            let script = format!("{restore}\n{own}\n{}", trap("pipestatus", "ZSH_SUBSHELL", &told));
            ("ZDOTDIR", folder.join(".zshenv"), folder.clone(), script)
        }
        _ => return Ok(None),
    };
    fs::DirBuilder::new().mode(0o700).create(&folder)?;
    fs::write(file, script)?;
    Ok(Some((variable.into(), value.into())))
}

/// The statuses come first: every command replaces them.
fn trap(stages: &str, depth: &str, told: &str) -> String {
    let body = format!(
        "{{ __flightdeck_stages=\"${{{stages}[@]}}\"; (({depth})) || {{ printf '%s\\n' \"$__flightdeck_stages\"; jobs -lr; }} \
         >{told}; }} 2>/dev/null"
    );
    format!("trap {} EXIT\n", quoted(&body))
}

/// What was told.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    pub stages: Vec<i32>,
    pub background: Vec<Background>,
}

/// Reads what the shell of a terminal has told, and waits a moment for what was hung up to end.
pub(crate) async fn told(terminal: PathBuf, session: Arc<Session>) -> Told {
    let look = move || {
        let mut told =
            fs::read_to_string(terminal.join(FOLDER).join(TOLD)).map_or_else(|_| Told::default(), |text| read(&text));
        let began = Instant::now();
        while !told.background.is_empty() {
            let left: Vec<u32> = session.tree().members().into_iter().map(|member| member.pid).collect();
            for process in &mut told.background {
                process.running = left.contains(&process.pid);
            }
            if began.elapsed() > HUNG_UP || told.background.iter().all(|process| !process.running) {
                break;
            }
            std::thread::sleep(LOOK);
        }
        told
    };
    aside(look).await.unwrap_or_default()
}

fn read(text: &str) -> Told {
    let mut lines = text.lines();
    let stages: Option<Vec<i32>> =
        lines.next().map(|line| line.split(' ').filter_map(|code| code.parse().ok()).collect());
    let stages = stages.filter(|stages| stages.len() > 1).unwrap_or_default();
    Told { stages, background: lines.filter_map(job).collect() }
}

/// `[1]+  4740 Running         sleep 5 &`, `[1]  + 4763 running    sleep 5`, `     4741         | cat &`.
fn job(line: &str) -> Option<Background> {
    let rest = line.rsplit_once(']').filter(|(before, _)| before.starts_with('[')).map_or(line, |(_, rest)| rest);
    let rest = rest.trim_start().trim_start_matches(['+', '-']).trim_start();
    let (pid, rest) = rest.split_once(char::is_whitespace)?;
    let rest = rest.trim();
    let command = ["Running", "running"].iter().find_map(|state| rest.strip_prefix(state)).unwrap_or(rest);
    let command = command.trim_start_matches('|').trim().trim_end_matches('&').trim_end();
    Some(Background { pid: pid.parse().ok()?, command: command.to_owned(), running: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shells_tell_is_read() {
        let told = read(concat!(
            "1 0\n[1]-  4751 Running                 { sleep 5; } &\n",
            "[2]+  4752 Running                 a\n     4753                 | b &\n[1]  + 4763 running    sleep 5\n",
        ));
        assert_eq!(told.stages, [1, 0]);
        let jobs: Vec<_> = told.background.iter().map(|job| (job.pid, job.command.as_str())).collect();
        assert_eq!(jobs, [(4751, "{ sleep 5; }"), (4752, "a"), (4753, "b"), (4763, "sleep 5")]);
        assert_eq!(read("0\n"), Told::default(), "one stage is the command");
        assert_eq!(read(""), Told::default());
    }

    #[test]
    fn only_shells_that_can_tell_are_asked_and_only_when_there_may_be_something() {
        for (shell, command, worth) in [
            ("/bin/bash", "false | true", true),
            ("/usr/bin/zsh", "server &", true),
            ("/bin/bash", "make", false),
            ("/bin/dash", "false | true", false),
            ("/usr/bin/fish", "server &", false),
        ] {
            assert_eq!(is_worth_telling(Path::new(shell), command), worth, "{shell} {command}");
        }
    }
}
