//! Starts a shell so that it reads the user's own files and then our hooks, which live in the terminal's folder.

use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::quote::quote;
use super::{Nonce, ShellKind};

const BASH: &str = include_str!("scripts/bash.sh");
const ZSH_ENV: &str = include_str!("scripts/zshenv.zsh");
const ZSH: &str = include_str!("scripts/hooks.zsh");
const FISH: &str = include_str!("scripts/hooks.fish");
const POSIX: &str = include_str!("scripts/posix.sh");

/// How to start the shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program and its arguments.
    pub argv: Vec<OsString>,
    /// What the shell is to see as its own name instead of `argv[0]`; a dash in front says "login shell".
    pub arg0: Option<OsString>,
    /// Variables to add or override.
    pub env: Vec<(OsString, OsString)>,
    pub kind: ShellKind,
}

/// Writes the start-up files into `dir`, the terminal's private folder, and says how to start the shell.
///
/// `user_env` answers for the environment that the shell will get.
pub fn prepare(
    dir: &Path,
    shell: &Path,
    login: bool,
    nonce: &Nonce,
    user_env: &dyn Fn(&str) -> Option<OsString>,
) -> io::Result<Launch> {
    let kind = ShellKind::of(shell);
    let folder = Folder { dir, kind, nonce };
    make_folder(&dir.join("run"))?;
    let mut argv = vec![shell.as_os_str().to_owned()];
    let mut arg0 = None;
    let mut env = Vec::new();
    match kind {
        ShellKind::Bash => {
            let user_file = user_env("ENV");
            let mut values = vec![("login", OsStr::new(if login { "1" } else { "" }))];
            values.extend(user_file.as_ref().filter(|_| login).map(|file| ("env", file.as_os_str())));
            let file = folder.write("bash.sh", &values, BASH)?;
            if login {
                // A login bash reads no --rcfile. In its POSIX mode it reads $ENV and nothing else, so our file
                // leaves that mode and reads the login files in its place.
                argv.extend(["--posix".into(), "-l".into(), "-i".into()]);
                env.push(("ENV".into(), file.into()));
            } else {
                argv.extend(["--rcfile".into(), file.into(), "-i".into()]);
            }
        }
        ShellKind::Zsh => {
            let zdotdir = user_env("ZDOTDIR");
            make_folder(&dir.join("zsh"))?;
            let restore: &[_] = match &zdotdir {
                Some(zdotdir) => &[("zdotdir", zdotdir.as_os_str())],
                None => &[],
            };
            folder.write("zsh/.zshenv", restore, ZSH_ENV)?;
            folder.write("zsh/hooks.zsh", &[], ZSH)?;
            env.push(("ZDOTDIR".into(), dir.join("zsh").into()));
            if login {
                argv.push("-l".into());
            }
        }
        ShellKind::Fish => {
            let file = folder.write("hooks.fish", &[], FISH)?;
            let source = [b"source ", quote(kind, file.as_os_str().as_bytes()).as_slice()].concat();
            if login {
                argv.push("-l".into());
            }
            argv.extend(["-C".into(), OsString::from_vec(source)]);
        }
        ShellKind::Posix => {
            let user_file = user_env("ENV");
            let restore: &[_] = match &user_file {
                Some(file) => &[("env", file.as_os_str())],
                None => &[],
            };
            let file = folder.write("posix.sh", restore, POSIX)?;
            env.push(("ENV".into(), file.into()));
            if shell.file_name() == Some(OsStr::new("busybox")) {
                argv.push("sh".into());
            }
            arg0 = login.then(|| login_name(shell));
        }
        ShellKind::Other => arg0 = login.then(|| login_name(shell)),
    }
    Ok(Launch { argv, arg0, env, kind })
}

struct Folder<'a> {
    dir: &'a Path,
    kind: ShellKind,
    nonce: &'a Nonce,
}

impl Folder<'_> {
    /// Writes a script below lines that set what it needs to know.
    fn write(&self, name: &str, values: &[(&str, &OsStr)], script: &str) -> io::Result<PathBuf> {
        let run = self.dir.join("run");
        let mut contents = Vec::new();
        self.set(&mut contents, "__flightdeck_nonce", OsStr::new(self.nonce.as_str()));
        self.set(&mut contents, "__flightdeck_dir", self.dir.as_os_str());
        self.set(&mut contents, "FLIGHTDECK_RUN", run.as_os_str());
        for (name, value) in values {
            self.set(&mut contents, &format!("__flightdeck_{name}"), value);
        }
        contents.extend(script.bytes());
        let path = self.dir.join(name);
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&path)?;
        file.write_all(&contents)?;
        Ok(path)
    }

    fn set(&self, contents: &mut Vec<u8>, name: &str, value: &OsStr) {
        let value = quote(self.kind, value.as_bytes());
        let assignment = match self.kind {
            ShellKind::Fish => format!("set -g {name} "),
            _ => format!("{name}="),
        };
        contents.extend(assignment.bytes());
        contents.extend(value);
        contents.push(b'\n');
    }
}

fn make_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

fn login_name(shell: &Path) -> OsString {
    let mut name = OsString::from("-");
    name.push(shell.file_name().unwrap_or(shell.as_os_str()));
    name
}
