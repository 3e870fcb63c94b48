//! Whether a process is a shell that waits at its prompt, as far as that can be proven from outside.
//!
//! A shell that replaced ours (`exec bash`) or runs inside of it prints no marks. What is typed at its prompt is a
//! command; what is typed anywhere else would be input of some program. So all of this must hold: its program is a
//! shell of the Bourne kind, it was started to talk to a person and not with a script, nothing else is in the
//! foreground, its terminal is as its line editor sets it, and it is blocked in waiting for just that terminal.
//!
//! What asks with the very same editor looks the same from here: `read -e` in bash, and lines that go on (PS2). Who types
//! a command has to leave those first.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::ioctl_fionread;
use rustix::termios::{InputModes, LocalModes, SpecialCodeIndex, Termios, tcgetattr};

use super::Facts;
use super::process::{only_member, reads_terminal};
use super::waiting::{parse_hex, waits_for_input, waits_for_many};
use crate::shell::ShellKind;

/// What stands for a key that does nothing.
const DISABLED: u8 = 0;

/// Whether this leader of the foreground waits for a command, and nobody else of its group could take it. `canonical`: the
/// kernel edits lines.
pub(crate) fn waits_at_prompt(pid: u32, canonical: bool) -> bool {
    is_at_prompt(pid, canonical) && only_member(pid)
}

/// The same, whoever else is in its group.
pub(crate) fn is_at_prompt(pid: u32, canonical: bool) -> bool {
    let Ok(program) = fs::read_link(format!("/proc/{pid}/exe")) else { return false };
    let edits = match ShellKind::of(&program) {
        // These edit lines themselves. Where the kernel does, or echoes keys, a `read` asks something.
        ShellKind::Bash => !canonical && has_modes(pid, is_readline) && waits_for_input(pid),
        // It lets nothing interrupt its other editor, `vared`.
        ShellKind::Zsh => !canonical && has_modes(pid, is_editor) && blocks_no_signal(pid) && waits_for_input(pid),
        ShellKind::Posix if canonical => has_modes(pid, echoes) && reads_lines(pid),
        ShellKind::Posix => has_modes(pid, |modes| !echoes(modes)) && waits_for_input(pid),
        // Fish has another syntax; others are unknown.
        ShellKind::Fish | ShellKind::Other => false,
    };
    edits && arguments(pid).is_some_and(|arguments| is_interactive(&arguments))
}

/// Whether a shell with our start-up files that has told the end of a command waits for the next one. `may_ask`: the command
/// may be a `read` of the shell itself.
pub(crate) fn is_back_at_prompt(kind: ShellKind, pid: u32, canonical: bool, may_ask: bool) -> bool {
    let is_set = match kind {
        ShellKind::Bash if !canonical && may_ask => has_modes(pid, is_readline),
        ShellKind::Zsh if !canonical && may_ask => has_modes(pid, is_editor),
        ShellKind::Bash | ShellKind::Zsh | ShellKind::Fish => !canonical || !may_ask,
        ShellKind::Posix => !canonical || read_length(pid).is_none_or(|length| length > 1),
        ShellKind::Other => true,
    };
    // Where the kernel edits lines, a shell reads one, whatever else it may wait for.
    let waits = reads_terminal(pid) || !canonical && (waits_for_input(pid) || waits_for_many(pid));
    is_set && (waits || sleeps_untold(pid) && (!canonical || kind == ShellKind::Posix))
}

/// Whether a process sleeps, where the kernel does not tell in which call.
fn sleeps_untold(pid: u32) -> bool {
    fs::read(format!("/proc/{pid}/syscall")).is_err()
        && fs::read_to_string(format!("/proc/{pid}/stat"))
            .is_ok_and(|stat| stat.rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" S")))
}

/// Whether a shell that prints no mark for what is typed waits for the next line, and has read all before it.
pub(crate) fn waits_for_line(pid: u32, facts: &Facts) -> bool {
    let waits = if facts.canonical { reads_lines(pid) } else { waits_for_input(pid) };
    waits && !has_unread_input(pid)
}

/// Whether this is a shell that can be typed commands to, at its prompt or not.
pub(crate) fn is_interactive_shell(pid: u32) -> bool {
    let Ok(program) = fs::read_link(format!("/proc/{pid}/exe")) else { return false };
    let known = matches!(ShellKind::of(&program), ShellKind::Bash | ShellKind::Zsh | ShellKind::Posix);
    known && arguments(pid).is_some_and(|arguments| is_interactive(&arguments))
}

/// The same for a shell of any kind that is known by its name.
pub(crate) fn is_shell_for_people(pid: u32) -> bool {
    let Ok(program) = fs::read_link(format!("/proc/{pid}/exe")) else { return false };
    let known = ShellKind::of(&program) != ShellKind::Other;
    known && arguments(pid).is_some_and(|arguments| is_interactive(&arguments))
}

/// Whether this is a shell that was given a script to run. What it reads from the terminal is an answer to the script.
pub(crate) fn runs_a_script(pid: u32) -> bool {
    let Ok(program) = fs::read_link(format!("/proc/{pid}/exe")) else { return false };
    let Some(arguments) = arguments(pid) else { return false };
    match ShellKind::of(&program) {
        ShellKind::Bash | ShellKind::Zsh | ShellKind::Posix => has_script(&arguments),
        ShellKind::Fish => has_fish_script(&arguments),
        ShellKind::Other => false,
    }
}

/// How a shell reads single keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// As they come, with no line editor: `read -n`.
    Keys,
    /// With the line editor of bash.
    Readline,
    /// With the line editor of fish.
    Fish,
}

/// How this shell reads single keys from a terminal that shows none; `None` when it does not, or with an editor that shows
/// them whatever it is asked for.
pub(crate) fn reader(pid: u32) -> Option<Reader> {
    let kind = ShellKind::of(&fs::read_link(format!("/proc/{pid}/exe")).ok()?);
    let reader = match kind {
        ShellKind::Bash if has_modes(pid, is_readline) => Reader::Readline,
        ShellKind::Bash | ShellKind::Zsh if has_modes(pid, is_editor) => return None,
        ShellKind::Bash | ShellKind::Zsh | ShellKind::Posix => Reader::Keys,
        ShellKind::Fish => Reader::Fish,
        ShellKind::Other => return None,
    };
    let waits = match reader {
        Reader::Keys => reads_terminal(pid),
        Reader::Readline => waits_for_input(pid),
        // Its editor waits for more than keys. For a program that it has started it waits in another way.
        Reader::Fish => waits_for_many(pid),
    };
    waits.then_some(reader)
}

/// Whether this very process is blocked in a read of its terminal.
pub(crate) fn reads_its_terminal(pid: u32) -> bool {
    reads_terminal(pid)
}

/// Whether this text is in the command line or the environment that a process was started with.
pub(crate) fn was_started_with(pid: u32, text: &OsStr) -> bool {
    let contains = |file: &str| {
        let bytes = fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
        memchr::memmem::find(&bytes, text.as_bytes()).is_some()
    };
    contains("cmdline") || contains("environ")
}

fn has_modes(pid: u32, are: impl FnOnce(&Termios) -> bool) -> bool {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let terminal = open(format!("/proc/{pid}/fd/0"), flags, Mode::empty());
    terminal.and_then(tcgetattr).is_ok_and(|modes| are(&modes))
}

/// Whether something was typed that a process has not read.
pub(crate) fn has_unread_input(pid: u32) -> bool {
    let flags = OFlags::RDONLY | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let terminal = open(format!("/proc/{pid}/fd/0"), flags, Mode::empty());
    terminal.and_then(ioctl_fionread).is_ok_and(|bytes| bytes > 0)
}

fn echoes(modes: &Termios) -> bool {
    modes.local_modes.contains(LocalModes::ECHO)
}

/// Line editors take the key for literal input themselves; `read -n` and `read -k` leave it to the kernel.
fn is_editor(modes: &Termios) -> bool {
    !echoes(modes) && modes.special_codes[SpecialCodeIndex::VLNEXT] == DISABLED
}

/// Readline wants to see which key was pressed, Enter or Ctrl-J.
fn is_readline(modes: &Termios) -> bool {
    is_editor(modes) && !modes.input_modes.contains(InputModes::ICRNL)
}

/// Whether the terminal of this shell is as its line editor sets it.
pub(crate) fn edits_lines(pid: u32) -> bool {
    let Ok(program) = fs::read_link(format!("/proc/{pid}/exe")) else { return false };
    match ShellKind::of(&program) {
        ShellKind::Bash => has_modes(pid, is_readline),
        ShellKind::Fish => has_modes(pid, |modes| !echoes(modes) && !modes.local_modes.contains(LocalModes::IEXTEN)),
        ShellKind::Zsh | ShellKind::Posix | ShellKind::Other => has_modes(pid, is_editor),
    }
}

fn blocks_no_signal(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let blocked = status.lines().find_map(|line| line.strip_prefix("SigBlk:"));
    blocked.is_some_and(|mask| mask.trim().bytes().all(|digit| digit == b'0'))
}

/// Blocked in a read of a whole line from its terminal. `read` takes one byte at a time, not to take too much.
fn reads_lines(pid: u32) -> bool {
    reads_terminal(pid) && read_length(pid).is_some_and(|length| length > 1)
}

/// Whether a shell without marks that lets the kernel edit lines is blocked in a `read`, and not at its prompt.
pub(crate) fn reads_answer(pid: u32) -> bool {
    let Ok(program) = fs::read_link(format!("/proc/{pid}/exe")) else { return false };
    ShellKind::of(&program) == ShellKind::Posix && reads_terminal(pid) && read_length(pid) == Some(1)
}

/// How much a process that is blocked in a read would take.
fn read_length(pid: u32) -> Option<u64> {
    let call = fs::read_to_string(format!("/proc/{pid}/syscall")).ok()?;
    call.split_whitespace().nth(3).and_then(parse_hex)
}

fn arguments(pid: u32) -> Option<Vec<Vec<u8>>> {
    let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    Some(line.split(|byte| *byte == 0).filter(|part| !part.is_empty()).skip(1).map(<[u8]>::to_vec).collect())
}

/// No script and no `-c`: only options, and the files that some of them take.
fn is_interactive(arguments: &[Vec<u8>]) -> bool {
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_slice() {
            b"--rcfile" | b"--init-file" => drop(rest.next()),
            long if long.starts_with(b"--") => {}
            short if short.starts_with(b"-") && !short.contains(&b'c') && !short.contains(&b's') => {}
            _ => return false,
        }
    }
    true
}

/// `-c` or the name of a file, and nothing that has the shell read commands from the terminal.
fn has_script(arguments: &[Vec<u8>]) -> bool {
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_slice() {
            b"--rcfile" | b"--init-file" | b"-o" | b"-O" | b"+o" | b"+O" => drop(rest.next()),
            b"--" => return rest.next().is_some(),
            long if long.starts_with(b"--") => {}
            short if short.starts_with(b"-") || short.starts_with(b"+") => {
                if short.contains(&b'i') || short.contains(&b's') || short.len() == 1 {
                    return false;
                }
                if short.contains(&b'c') {
                    return rest.next().is_some();
                }
            }
            file => return !file.starts_with(b"/dev/"),
        }
    }
    false
}

/// The same for fish: only what surely is a script.
fn has_fish_script(arguments: &[Vec<u8>]) -> bool {
    match arguments {
        [first, _, ..] if matches!(first.as_slice(), b"-c" | b"--command") => true,
        [first, ..] => !first.starts_with(b"-") && !first.starts_with(b"/dev/"),
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{Read, Write};
    use std::path::Path;
    use std::process::{Child, Command, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};

    use super::*;

    /// A shell on a terminal of its own.
    struct Guest {
        child: Child,
        master: File,
    }

    impl Guest {
        fn start(argv: &[&str]) -> Self {
            let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
            unlockpt(&master).expect("unlocks");
            let slave =
                || Stdio::from(ioctl_tiocgptpeer(&master, OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a slave"));
            let child = Command::new("setsid")
                .arg("-c")
                .args(argv)
                .env("PS1", "$ ")
                .stdin(slave())
                .stdout(slave())
                .stderr(slave())
                .spawn()
                .expect("setsid");
            Guest { child, master: master.into() }
        }

        fn at_prompt(&self) -> bool {
            let canonical = tcgetattr(&self.master).is_ok_and(|modes| modes.local_modes.contains(LocalModes::ICANON));
            waits_at_prompt(self.child.id(), canonical)
        }

        fn sleeps(&self) -> bool {
            let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("it runs");
            stat.rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" S"))
        }

        /// Reads what it prints until this is in it.
        fn prints(&mut self, text: &str) {
            let mut printed = Vec::new();
            while memchr::memmem::find(&printed, text.as_bytes()).is_none() {
                let mut piece = [0; 1024];
                let read = self.master.read(&mut piece).expect("reads");
                printed.extend_from_slice(&piece[..read]);
            }
        }
    }

    impl Drop for Guest {
        fn drop(&mut self) {
            let _gone = self.child.kill();
            let _reaped = self.child.wait();
        }
    }

    fn wait_for(what: &str, mut check: impl FnMut() -> bool) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !check() {
            assert!(Instant::now() < deadline, "{what}");
            thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn what_asks_something_is_no_prompt() {
        for (argv, questions) in [
            (&["bash", "--norc"] as &[&str], &["read X", "read -s X", "read -n 1 X", "read -s -n 30 X"] as &[&str]),
            (&["zsh", "-f"], &["read X", "read -s X", "read -k 1 X", "read -q X", "vared -c X"]),
            (&["dash"], &["read X", "stty -echo; read X"]),
        ] {
            if !Path::new("/usr/bin").join(argv[0]).exists() && !Path::new("/bin").join(argv[0]).exists() {
                eprintln!("not tested: {argv:?}");
                continue;
            }
            for question in questions {
                let mut guest = Guest::start(argv);
                wait_for(&format!("{argv:?} is not at its prompt"), || guest.at_prompt());
                // The sum is not in the echo of the line.
                let line = format!("echo ready$((1+1)); {question}\r");
                guest.master.write_all(line.as_bytes()).expect("types");
                guest.prints("ready2");
                wait_for(&format!("{argv:?} does not ask"), || guest.sleeps());
                assert!(!guest.at_prompt(), "{argv:?}: {question}");
            }
        }
    }

    #[test]
    fn shells_for_people_are_told_from_those_that_run_a_script() {
        for (line, interactive) in [
            ("", true),
            ("-i", true),
            ("--norc -i", true),
            ("--rcfile /x/y -i", true),
            ("-l", true),
            ("script.sh", false),
            ("-c echo", false),
            ("-ec echo", false),
            ("-s", false),
            ("-- file", false),
        ] {
            let arguments: Vec<_> = line.split_whitespace().map(|word| word.as_bytes().to_vec()).collect();
            assert_eq!(is_interactive(&arguments), interactive, "{line}");
        }
    }

    #[test]
    fn a_script_is_told_from_commands_that_come_from_the_terminal() {
        for (line, script) in [
            ("", false),
            ("-i", false),
            ("script.sh", true),
            ("-x script.sh one", true),
            ("-c echo", true),
            ("-ec echo", true),
            ("-c", false),
            ("-s", false),
            ("-s script.sh", false),
            ("-ic echo", false),
            ("-o errexit", false),
            ("-o errexit script.sh", true),
            ("-- script.sh", true),
            ("/dev/tty", false),
            ("-", false),
        ] {
            let arguments: Vec<_> = line.split_whitespace().map(|word| word.as_bytes().to_vec()).collect();
            assert_eq!(has_script(&arguments), script, "{line}");
        }
    }
}
