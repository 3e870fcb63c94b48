//! What a shell that runs one command tells when it ends: how each stage of its last pipeline ended, and what it
//! leaves in the background, which goes with its terminal.
//!
//! It is told by a trap in a start-up file. The command itself stays as it is, and so do its line numbers and errors.

use std::collections::HashSet;
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

/// A shell that is to tell how its command ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Telling {
    shell: PathBuf,
    /// The command may leave something in the background.
    background: bool,
}

impl Telling {
    /// `None` when there is nothing to tell, which is a pipeline or something in the background, or the shell can't.
    pub(crate) fn of(shell: &Path, command: &str) -> Option<Self> {
        if !command.contains(['|', '&']) || !matches!(ShellKind::of(shell), ShellKind::Bash | ShellKind::Zsh) {
            return None;
        }
        // Only an `&` that stands alone; what is quoted costs a look in vain.
        let rest = ["&&", ">&", "<&", "&>", "|&"].iter().fold(command.to_owned(), |rest, word| rest.replace(word, ""));
        Some(Telling { shell: shell.to_owned(), background: rest.contains('&') })
    }
}

/// Writes the start-up file into the terminal's folder, and gives the variable by which the shell finds it.
/// `user_env` answers for the environment that the shell will get.
pub(crate) fn prepare(
    terminal: &Path,
    telling: &Telling,
    user_env: impl Fn(&str) -> Option<OsString>,
) -> io::Result<Option<(OsString, OsString)>> {
    let folder = terminal.join(FOLDER);
    let word = |path: &Path| quoted(&path.to_string_lossy());
    let told = word(&folder.join(TOLD));
    let trap = |stages, depth| trap(stages, depth, &told, telling.background);
    let (variable, file, value, script) = match ShellKind::of(&telling.shell) {
        ShellKind::Bash => {
            let file = folder.join("bash.sh");
            let restore = match user_env("BASH_ENV") {
                Some(own) => {
                    format!("BASH_ENV={}\n[ -r \"$BASH_ENV\" ] && . \"$BASH_ENV\"", quoted(&own.to_string_lossy()))
                }
                None => "unset BASH_ENV".to_owned(),
            };
            ("BASH_ENV", file.clone(), file, format!("{restore}\n{}", trap("PIPESTATUS", "BASH_SUBSHELL")))
        }
        ShellKind::Zsh => {
            let restore = match user_env("ZDOTDIR") {
                Some(own) => format!("ZDOTDIR={}", quoted(&own.to_string_lossy())),
                None => "unset ZDOTDIR".to_owned(),
            };
            let own = "[ -r \"${ZDOTDIR-$HOME}/.zshenv\" ] && . \"${ZDOTDIR-$HOME}/.zshenv\"";
            let script = format!("{restore}\n{own}\n{}", trap("pipestatus", "ZSH_SUBSHELL"));
            ("ZDOTDIR", folder.join(".zshenv"), folder.clone(), script)
        }
        _ => return Ok(None),
    };
    fs::DirBuilder::new().mode(0o700).create(&folder)?;
    fs::write(file, script)?;
    Ok(Some((variable.into(), value.into())))
}

/// Prints the processes of the shell's session, with their parents: it does not know those that it has disowned, or that were
/// started by a shell of its own which is gone. The file of each has its name in brackets, its state, its parent, its group and
/// its session.
const SESSION: &str = r#"for __flightdeck_p in /proc/[0-9]*; do
    IFS= read -r __flightdeck_s <"$__flightdeck_p/stat" || continue
    __flightdeck_r=${__flightdeck_s##*') '}
    __flightdeck_r=${__flightdeck_r#* }
    __flightdeck_o=${__flightdeck_r%% *}
    __flightdeck_r=${__flightdeck_r#* }
    __flightdeck_r=${__flightdeck_r#* }
    [ "${__flightdeck_r%% *}" = "$$" ] && [ "${__flightdeck_p##*/}" != "$$" ] || continue
    __flightdeck_s=${__flightdeck_s#*'('}
    printf '= %s %s %s\n' "${__flightdeck_p##*/}" "$__flightdeck_o" "${__flightdeck_s%') '*}"
done"#;

/// The statuses come first: every command replaces them.
fn trap(stages: &str, depth: &str, told: &str, background: bool) -> String {
    let session = if background { SESSION } else { ":" };
    let body = format!(
        "{{ __flightdeck_stages=\"${{{stages}[@]}}\"; (({depth})) || {{ printf '%s\\n' \"$__flightdeck_stages\"; jobs -lr
         {session}
         }} >{told}; }} 2>/dev/null"
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
        let (began, mut were_gone) = (Instant::now(), false);
        while !told.background.is_empty() {
            let left: Vec<u32> = session.tree().members().into_iter().map(|member| member.pid).collect();
            for process in &mut told.background {
                process.running = left.contains(&process.pid);
            }
            // One that becomes another program just now is not to be found for a moment.
            let are_gone = told.background.iter().all(|process| !process.running);
            if began.elapsed() > HUNG_UP || are_gone && were_gone {
                break;
            }
            were_gone = are_gone;
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
    let (session, jobs): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("= "));
    let mut background: Vec<_> = jobs.into_iter().filter_map(job).collect();
    let mut known: HashSet<u32> = background.iter().map(|job| job.pid).collect();
    for (parent, process) in session.into_iter().filter_map(process) {
        // What a job has started goes with it.
        if !known.contains(&parent) && !known.contains(&process.pid) {
            background.push(process.clone());
        }
        known.insert(process.pid);
    }
    Told { stages, background }
}

/// A line that [`SESSION`] prints: the parent of a process, and itself.
fn process(line: &str) -> Option<(u32, Background)> {
    let mut parts = line.strip_prefix("= ")?.splitn(3, ' ');
    let (pid, parent) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((parent, Background { pid, command: parts.next()?.to_owned(), running: true }))
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
        // Those of a job are not told again; others are, with what the kernel calls them.
        let told =
            read("0\n[1]+  10 Running   (a; b) &\n= 10 9 bash\n= 11 10 a\n= 12 1 my (odd) server\n= 13 12 worker\n");
        let found: Vec<_> = told.background.iter().map(|job| (job.pid, job.command.as_str())).collect();
        assert_eq!(found, [(10, "(a; b)"), (12, "my (odd) server")]);
        assert_eq!(read("0\n"), Told::default(), "one stage is the command");
        assert_eq!(read(""), Told::default());
    }

    #[test]
    fn only_shells_that_can_tell_are_asked_and_only_when_there_may_be_something() {
        for (shell, command, background) in [
            ("/bin/bash", "false | true", Some(false)),
            ("/bin/bash", "make 2>&1 | cat && true &>x", Some(false)),
            ("/bin/bash", "(server &)", Some(true)),
            ("/usr/bin/zsh", "server &", Some(true)),
            ("/bin/bash", "make", None),
            ("/bin/dash", "false | true", None),
            ("/usr/bin/fish", "server &", None),
        ] {
            let telling = Telling::of(Path::new(shell), command);
            assert_eq!(telling.map(|telling| telling.background), background, "{shell} {command}");
        }
    }
}
