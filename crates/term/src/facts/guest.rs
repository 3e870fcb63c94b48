//! Whether a process is a shell that waits at its prompt, as far as that can be proven from outside.
//!
//! A shell that replaced ours (`exec bash`) or runs inside of it prints no marks. What is typed at its prompt is a
//! command; what is typed anywhere else would be input of some program. So all of this must hold: its program is a
//! shell of the Bourne kind, it was started to talk to a person and not with a script, nothing else is in the
//! foreground, its terminal is as its line editor sets it, and it is blocked in waiting for just that terminal.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::process::{only_member, reads_terminal};
use crate::shell::ShellKind;

/// Whether this leader of the foreground waits for a command. `canonical`: the kernel edits lines.
pub(crate) fn waits_at_prompt(pid: u32, canonical: bool) -> bool {
    let Ok(program) = fs::read_link(format!("/proc/{pid}/exe")) else { return false };
    let edits = match ShellKind::of(&program) {
        // These edit lines themselves. Where the kernel does, a `read` of a script asks something.
        ShellKind::Bash | ShellKind::Zsh => !canonical && waits_for_input(pid),
        ShellKind::Posix => reads_terminal(pid) || (!canonical && waits_for_input(pid)),
        // Fish has another syntax; others are unknown.
        ShellKind::Fish | ShellKind::Other => false,
    };
    edits && arguments(pid).is_some_and(|arguments| is_interactive(&arguments)) && only_member(pid)
}

/// Whether this text is in the command line or the environment that a process was started with.
pub(crate) fn was_started_with(pid: u32, text: &OsStr) -> bool {
    let contains = |file: &str| {
        let bytes = fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
        memchr::memmem::find(&bytes, text.as_bytes()).is_some()
    };
    contains("cmdline") || contains("environ")
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

/// Blocked in a wait for its standard input alone, which is a terminal, as line editors are.
fn waits_for_input(pid: u32) -> bool {
    let on_terminal = fs::read_link(format!("/proc/{pid}/fd/0")).is_ok_and(|target| target.starts_with("/dev/pts"));
    if !on_terminal {
        return false;
    }
    let Ok(call) = fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("syscall")) else { return false };
    let mut fields = call.split_whitespace();
    let Some(number) = fields.next().and_then(|number| number.parse::<i64>().ok()) else { return false };
    let mut argument = || fields.next().and_then(|text| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok());
    let (first, second) = (argument(), argument());
    match number {
        // How many descriptors are looked at, counted from zero: only the first.
        SELECT | PSELECT => first == Some(1),
        POLL | PPOLL => second == Some(1),
        _ => reads_terminal(pid),
    }
}

#[cfg(target_arch = "x86_64")]
const SELECT: i64 = 23;
#[cfg(target_arch = "x86_64")]
const PSELECT: i64 = 270;
#[cfg(target_arch = "x86_64")]
const POLL: i64 = 7;
#[cfg(target_arch = "x86_64")]
const PPOLL: i64 = 271;
// Newer machines have no others than these two.
#[cfg(not(target_arch = "x86_64"))]
const SELECT: i64 = -2;
#[cfg(not(target_arch = "x86_64"))]
const PSELECT: i64 = 72;
#[cfg(not(target_arch = "x86_64"))]
const POLL: i64 = -3;
#[cfg(not(target_arch = "x86_64"))]
const PPOLL: i64 = 73;

#[cfg(test)]
mod tests {
    use super::*;

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
}
