//! Which shell a program is, since each one needs its own hooks.

use std::path::{Path, PathBuf};

/// A family of shells that take the same start-up files and hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShellKind {
    Bash,
    Zsh,
    Fish,
    /// `sh`, `dash`, `ash`, `ksh`, `mksh`, busybox, and bash or zsh when started as `sh`.
    Posix,
    /// Anything else, and shells that somebody started inside another one.
    Other,
}

impl ShellKind {
    /// Whether it tells when it begins with a line that was typed, whoever typed it.
    pub fn announces(self) -> bool {
        matches!(self, ShellKind::Bash | ShellKind::Zsh | ShellKind::Fish)
    }

    /// Tells the kind by file name, and by what a name of no known shell (`/etc/alternatives/shell`) links to.
    ///
    /// `sh` is `Posix` whatever it links to: bash and zsh started under that name read `$ENV` and not their own files.
    pub fn of(program: &Path) -> Self {
        Self::of_name(program).or_else(|| Self::of_name(&resolve(program)?)).unwrap_or(Self::Other)
    }

    fn of_name(program: &Path) -> Option<Self> {
        let name = program.file_name()?.to_str()?;
        // `-bash` is how a login shell is named; `bash-5.2` and `zsh-5.9` are how some systems install them.
        let name = name.strip_prefix('-').unwrap_or(name);
        let stem = name.split_once('-').map_or(name, |(stem, _)| stem);
        let kind = match stem {
            "bash" => Self::Bash,
            "zsh" => Self::Zsh,
            "fish" => Self::Fish,
            // Restricted shells refuse the redirections and paths that our hooks need.
            "rbash" | "rzsh" | "rksh" => Self::Other,
            "sh" | "dash" | "ash" | "ksh" | "ksh93" | "mksh" | "lksh" | "oksh" | "loksh" | "busybox" | "yash" => {
                Self::Posix
            }
            _ => return None,
        };
        Some(kind)
    }
}

/// The file behind the links, also for a bare name, which is looked up on `$PATH`.
fn resolve(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.canonicalize().ok();
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find_map(|folder| folder.join(program).canonicalize().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_kind() {
        let cases = [
            ("/bin/bash", ShellKind::Bash),
            ("bash", ShellKind::Bash),
            ("-bash", ShellKind::Bash),
            ("/usr/local/bin/bash-5.2", ShellKind::Bash),
            ("/usr/bin/zsh", ShellKind::Zsh),
            ("/usr/bin/zsh-5.9", ShellKind::Zsh),
            ("fish", ShellKind::Fish),
            ("/bin/sh", ShellKind::Posix),
            ("/bin/dash", ShellKind::Posix),
            ("/bin/busybox", ShellKind::Posix),
            ("/usr/bin/python3", ShellKind::Other),
            ("/", ShellKind::Other),
            ("/no/such/tcsh", ShellKind::Other),
            ("/bin/rbash", ShellKind::Other),
        ];
        for (program, kind) in cases {
            assert_eq!(ShellKind::of(Path::new(program)), kind, "{program}");
        }
    }

    #[test]
    fn links_are_followed_for_unknown_names_but_not_for_sh() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let target = dir.path().join("bash");
        std::fs::write(&target, "").expect("file");
        for (name, kind) in [("my_shell", ShellKind::Bash), ("sh", ShellKind::Posix)] {
            let link = dir.path().join(name);
            std::os::unix::fs::symlink(&target, &link).expect("link");
            assert_eq!(ShellKind::of(&link), kind, "{name}");
        }
    }
}
