//! Whether it was the sandbox that a command failed of. The kernel tells nobody, so it is read from what the command
//! said, and proven where it can be: outside of the folders, and open to the hub itself, is a path only the sandbox
//! closes.
//!
//! The words are those of programs in English. Others are not looked for: a wrong guess is worse than none.

use std::path::{Path, PathBuf};

use flightdeck_keeper::Sandbox;
use rustix::fs::{Access, access};

use super::{is_below, listed};

/// How errors of permissions are put (EACCES, EPERM), in small letters. A file system that is mounted read-only is
/// never the sandbox's doing.
const DENIED: [&str; 2] = ["permission denied", "operation not permitted"];
/// What is said where a name or a machine is not reached, in small letters.
const UNREACHED: [&str; 7] = [
    "could not resolve host",
    "temporary failure in name resolution",
    "name or service not known",
    "getaddrinfo",
    "failed to lookup address",
    "couldn't connect to server",
    "failed to connect to",
];
/// Where a line is about a socket, in small letters.
const OF_SOCKETS: [&str; 6] = ["socket", "connect", "bind", "listen", "dial ", ".sock"];
/// So many lines are looked at, from the end on: what ended a command stands there.
const LINES: usize = 50;
/// What a shell returns for a program that it can't execute, which the sandbox never prevents.
const NOT_EXECUTABLE: i32 = 126;

/// A command that did not succeed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failed<'a> {
    /// What it printed, errors and all.
    pub output: &'a str,
    /// Its status.
    pub exit: i32,
    /// Where it ran.
    pub cwd: &'a Path,
}

/// What the sandbox stopped, in a sentence for the command's result.
pub(crate) fn stopped(failed: Failed<'_>, sandbox: &Sandbox) -> Option<String> {
    if matches!(failed.exit, 0 | NOT_EXECUTABLE) {
        return None;
    }
    let folders: Vec<PathBuf> = sandbox.write.iter().map(|folder| folder.as_path().to_owned()).collect();
    let mut guess = None;
    for line in failed.output.lines().rev().take(LINES) {
        let low = line.to_lowercase();
        if !sandbox.network && UNREACHED.iter().any(|words| low.contains(words)) {
            return Some(no_network());
        }
        let Some(at) = DENIED.iter().find_map(|words| low.find(words)) else { continue };
        if OF_SOCKETS.iter().any(|word| low.contains(word)) {
            return Some(if sandbox.network { no_unix_sockets() } else { no_network() });
        }
        let paths = paths(line, at.min(line.len()));
        let resolved: Vec<PathBuf> = paths.iter().map(|path| resolved(&failed.cwd.join(path))).collect();
        if let Some(path) = resolved.iter().find(|path| !is_below(path, &folders) && is_open_to_us(path)) {
            return Some(format!(
                "the sandbox stopped a write to {}: headless commands write only below {}; `write` of [sandbox] in \
                 settings.toml adds to them",
                path.display(),
                listed(&folders)
            ));
        }
        if resolved.is_empty() {
            guess = Some(format!(
                "the sandbox may have stopped it ({}): headless commands write only below {}, and reach no process \
                 outside of the sandbox",
                line.trim(),
                listed(&folders)
            ));
        }
    }
    guess
}

fn no_network() -> String {
    "the sandbox stopped it: headless commands have no network; a rule of the policy, or `network` of [sandbox] in \
     settings.toml, allows it"
        .to_owned()
}

fn no_unix_sockets() -> String {
    "the sandbox stopped it: headless commands use no Unix sockets, because others would write for them; run it in a \
     terminal instead"
        .to_owned()
}

/// What could be paths in a line with an error at `at`: the nearest before it first, then what follows.
fn paths(line: &str, at: usize) -> Vec<String> {
    // Lower case can be longer or shorter in some alphabets.
    let (before, after) = line.split_at_checked(at).unwrap_or((line, ""));
    let mut found = words(before);
    if found.len() > 1 && line.split_once(':').is_some_and(|(program, _)| program == found[0]) {
        // The program that complains.
        found.remove(0);
    }
    found.reverse();
    found.extend(words(after));
    found
}

/// What is quoted, and words with a slash.
fn words(text: &str) -> Vec<String> {
    const AROUND: [char; 11] = [':', ',', ';', '(', ')', '[', ']', '<', '>', '\'', '"'];
    const QUOTES: [(char, char); 5] = [('\'', '\''), ('"', '"'), ('`', '`'), ('‘', '’'), ('`', '\'')];
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| !c.is_whitespace()) {
        rest = &rest[start..];
        let quote = QUOTES.iter().find_map(|(open, close)| {
            let inner = rest.strip_prefix(*open)?;
            let end = inner.find(*close)?;
            (end > 0).then(|| (&inner[..end], &inner[end + close.len_utf8()..]))
        });
        if let Some((quoted, after)) = quote {
            found.push(quoted.to_owned());
            rest = after;
            continue;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        // A point at the beginning belongs to the path.
        let word = rest[..end].trim_start_matches(AROUND).trim_end_matches(AROUND).trim_end_matches(['.', ':', ')']);
        if word.contains('/') {
            found.push(word.to_owned());
        }
        rest = &rest[end..];
    }
    found
}

/// The path without links, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    for ancestor in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (ancestor.canonicalize(), path.strip_prefix(ancestor)) {
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    path.to_owned()
}

/// Whether the hub could write there: the file, or what is to hold it.
fn is_open_to_us(path: &Path) -> bool {
    path.ancestors().find(|ancestor| ancestor.symlink_metadata().is_ok()).is_some_and(|nearest| {
        let wanted = if nearest.is_dir() { Access::WRITE_OK | Access::EXEC_OK } else { Access::WRITE_OK };
        access(nearest, wanted).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_in_what_programs_say() {
        let cases: [(&str, &[&str]); 12] = [
            ("bash: line 1: /etc/x: Permission denied", &["/etc/x"]),
            ("/usr/bin/bash: line 1: /etc/x: Permission denied", &["/etc/x"]),
            ("sh: 1: cannot create ../x/y: Permission denied", &["../x/y"]),
            ("touch: cannot touch '/a b/c': Permission denied", &["/a b/c"]),
            ("mkdir: cannot create directory ‘x’: Permission denied", &["x"]),
            ("mv: cannot move 'a' to '/b': Permission denied", &["/b", "a"]),
            ("PermissionError: [Errno 13] Permission denied: '/etc/x'", &["/etc/x"]),
            ("Error: EACCES: permission denied, open '/etc/x'", &["/etc/x"]),
            ("open /etc/x: permission denied", &["/etc/x"]),
            ("error: could not write (/etc/x.): Permission denied", &["/etc/x"]),
            ("Permission denied (os error 13)", &[]),
            ("it's: Permission denied", &[]),
        ];
        for (line, expected) in cases {
            let at = line.to_lowercase().find("permission denied").unwrap();
            assert_eq!(paths(line, at), expected, "{line}");
        }
    }

    #[test]
    fn what_the_sandbox_stopped_is_told_from_what_it_did_not() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        for folder in ["work", "outside"] {
            std::fs::create_dir(base.join(folder)).unwrap();
        }
        std::os::unix::fs::symlink(base.join("outside"), base.join("work/link")).unwrap();
        let work = base.join("work");
        let here = base.display();
        let sure = "stopped a write to";
        let cases = [
            (1, format!("sh: 1: cannot create {here}/outside/new: Permission denied"), Some(sure)),
            (1, format!("mkdir: cannot create directory '{here}/outside/a/b/c': Permission denied"), Some(sure)),
            (1, "touch: cannot touch '../outside/x': Permission denied".to_owned(), Some(sure)),
            (1, "touch: cannot touch 'link/x': Permission denied\nmake: *** [x] Error 1".to_owned(), Some(sure)),
            // Its own permissions, and those of the system.
            (1, format!("sh: 1: cannot create {here}/work/new: Permission denied"), None),
            (1, "tee: /proc/sys/kernel/ostype: Permission denied".to_owned(), None),
            // It went well after all, or could not be executed.
            (0, format!("sh: 1: cannot create {here}/outside/new: Permission denied"), None),
            (126, format!("sh: 1: {here}/outside/new: Permission denied"), None),
            (1, "error: Permission denied (os error 13)".to_owned(), Some("may have stopped it")),
            (1, "kill: (17) - Operation not permitted".to_owned(), Some("may have stopped it")),
            (1, "no such file".to_owned(), None),
            (6, "curl: (6) Could not resolve host: example.org".to_owned(), Some("no network")),
            (1, "dial tcp 127.0.0.1:80: socket: permission denied".to_owned(), Some("no network")),
        ];
        let sandbox = Sandbox { write: vec![work.clone().into()], network: false };
        for (exit, output, expected) in cases {
            let found = stopped(Failed { output: &output, exit, cwd: &work }, &sandbox);
            assert_eq!(found.is_some(), expected.is_some(), "{output}: {found:?}");
            let fits = found.as_deref().unwrap_or_default().contains(expected.unwrap_or_default());
            assert!(fits, "{output}: {found:?}");
        }
        let online = Sandbox { network: true, ..sandbox };
        for (output, expected) in [
            ("curl: (6) Could not resolve host: example.org", None),
            ("dial unix /var/run/docker.sock: socket: permission denied", Some("no Unix sockets")),
        ] {
            let found = stopped(Failed { output, exit: 1, cwd: &work }, &online);
            assert!(found.as_deref().unwrap_or_default().contains(expected.unwrap_or_default()), "{output}: {found:?}");
            assert_eq!(found.is_some(), expected.is_some(), "{output}: {found:?}");
        }
    }
}
