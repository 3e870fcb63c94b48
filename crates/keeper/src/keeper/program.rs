//! Finding the program and the working folder before anything is made, so that each mistake gets its own words.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use crate::{OsBytes, Refusal, SpawnSpec};

/// What `execvp` uses when there is no `PATH`.
const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// Checks everything of a spec that can be checked without a side effect, and finds the program's file.
pub fn resolve(spec: &SpawnSpec) -> Result<PathBuf, Refusal> {
    let program = spec.argv.first().filter(|program| !program.as_bytes().is_empty());
    let Some(program) = program else {
        return Err(invalid("argv is empty: its first part is the program"));
    };
    if !spec.log_dir.as_path().is_absolute() {
        return Err(invalid(format!("log_dir {:?} is not absolute", spec.log_dir)));
    }
    let environment = spec.env.iter().flat_map(|(name, value)| [name, value]);
    let writable = spec.sandbox.iter().flat_map(|sandbox| &sandbox.write);
    let paths = [&spec.cwd, &spec.log_dir].into_iter().chain(writable);
    let strings = spec.argv.iter().chain(&spec.arg0).chain(environment).chain(paths);
    for string in strings {
        if string.as_bytes().contains(&0) {
            return Err(invalid(format!("{string:?} has a zero byte, which no program can be given")));
        }
    }
    for (name, _) in &spec.env {
        if name.as_bytes().is_empty() || name.as_bytes().contains(&b'=') {
            return Err(invalid(format!("{name:?} can't name an environment variable")));
        }
    }
    check_cwd(spec.cwd.as_path())?;
    find(program, spec)
}

fn check_cwd(cwd: &Path) -> Result<(), Refusal> {
    let path = || cwd.display().to_string();
    if !cwd.is_absolute() {
        return Err(invalid(format!("the working folder {} is not absolute", path())));
    }
    match fs::metadata(cwd) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(Refusal::CwdNotDirectory { path: path() }),
        Err(e) if e.kind() == ErrorKind::NotFound => Err(Refusal::CwdMissing { path: path() }),
        Err(e) if e.kind() == ErrorKind::NotADirectory => Err(Refusal::CwdNotDirectory { path: path() }),
        Err(e) => Err(Refusal::Other { text: format!("the working folder {}: {e}", path()) }),
    }
}

fn find(program: &OsBytes, spec: &SpawnSpec) -> Result<PathBuf, Refusal> {
    let cwd = spec.cwd.as_path();
    let not_found = || Refusal::ProgramNotFound { program: program.to_string() };
    if program.as_bytes().contains(&b'/') {
        let path = cwd.join(program.as_path());
        return match unfit(&path) {
            None => Ok(path),
            Some(Unfit::Missing) => Err(not_found()),
            Some(Unfit::NotExecutable(reason)) => Err(not_executable(&path, reason)),
        };
    }
    // The last one counts, as it does when a program reads its environment from a map.
    let path = spec.env.iter().rev().find(|(name, _)| name.as_bytes() == b"PATH");
    let path = path.map_or(OsStr::new(DEFAULT_PATH), |(_, value)| value.as_os_str());
    let mut refusal = not_found();
    for folder in path.as_bytes().split(|b| *b == b':') {
        // An empty part means the working folder.
        let candidate = cwd.join(OsStr::from_bytes(folder)).join(program.as_path());
        match unfit(&candidate) {
            None => return Ok(candidate),
            Some(Unfit::Missing) => {}
            Some(Unfit::NotExecutable(reason)) => refusal = not_executable(&candidate, reason),
        }
    }
    Err(refusal)
}

enum Unfit {
    Missing,
    NotExecutable(&'static str),
}

fn unfit(path: &Path) -> Option<Unfit> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Some(Unfit::NotExecutable("it is a folder")),
        Ok(found) if !found.is_file() => Some(Unfit::NotExecutable("it is not a regular file")),
        Ok(_) if access(path, Access::EXEC_OK).is_err() => {
            Some(Unfit::NotExecutable("it has no permission to execute; try chmod +x"))
        }
        Ok(_) => None,
        Err(e) if e.kind() == ErrorKind::PermissionDenied => {
            Some(Unfit::NotExecutable("a folder on the way to it is closed to you"))
        }
        Err(_) => Some(Unfit::Missing),
    }
}

fn not_executable(path: &Path, reason: &str) -> Refusal {
    Refusal::ProgramNotExecutable { program: path.display().to_string(), reason: reason.to_owned() }
}

fn invalid(reason: impl Into<String>) -> Refusal {
    Refusal::Invalid { reason: reason.into() }
}
