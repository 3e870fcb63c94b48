//! Which programs could be the window, in the order of the contract, and whether each may be started.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use flightdeck_contract::pm;
use flightdeck_core::Way;

/// The window's program.
pub const PROGRAM: &str = "interactive-terminal";

/// Where a candidate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Set by the user or the operator.
    Configured,
    /// Beside Flightdeck's own program.
    Bundled,
    /// Found on the PATH.
    Path,
}

impl Source {
    pub fn name(self) -> &'static str {
        match self {
            Source::Configured => "configured",
            Source::Bundled => "bundled",
            Source::Path => "path",
        }
    }
}

/// A program that could be the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub source: Source,
    pub path: PathBuf,
}

/// A source that has no candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    pub source: Source,
    /// Where one would have been.
    pub path: Option<PathBuf>,
    pub detail: String,
}

/// Where to look.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// What the user or the operator has set.
    pub configured: Option<PathBuf>,
    /// The folder of Flightdeck's own program.
    pub beside: Option<PathBuf>,
    /// `PATH`.
    pub path: Option<std::ffi::OsString>,
}

impl Places {
    /// The sources that a way looks at, in order, and where in each of them nothing was found.
    pub fn missing(&self, way: Way) -> Vec<Missing> {
        let candidates = self.candidates(way);
        let sources: &[Source] = match way {
            Way::Local => &[Source::Configured, Source::Path],
            Way::Bundled => &[Source::Bundled],
            Way::Auto => &[Source::Configured, Source::Bundled, Source::Path],
            Way::ContainerBridge => &[],
        };
        let sources = sources.iter().filter(|source| !candidates.iter().any(|found| found.source == **source));
        sources.map(|source| self.nothing_in(*source)).collect()
    }

    fn nothing_in(&self, source: Source) -> Missing {
        match source {
            Source::Configured => Missing {
                source,
                path: None,
                detail: format!("neither {} nor the setting window.binary names a program", pm::BINARY),
            },
            Source::Bundled => Missing {
                source,
                path: self.beside.as_ref().map(|folder| folder.join(PROGRAM)),
                detail: "there is no such program beside Flightdeck's own".to_owned(),
            },
            Source::Path => Missing {
                source,
                path: Some(PROGRAM.into()),
                detail: "no folder of PATH has it, or it is the one above".to_owned(),
            },
        }
    }

    /// The candidates of a way, in order. One that is not there is a candidate only where it was named.
    pub fn candidates(&self, way: Way) -> Vec<Candidate> {
        let configured = self.configured.clone().map(|path| Candidate { source: Source::Configured, path });
        let bundled = self.beside.as_ref().map(|folder| folder.join(PROGRAM)).filter(|path| path.exists());
        let bundled = bundled.map(|path| Candidate { source: Source::Bundled, path });
        let found = self.path.as_deref().and_then(on_path).map(|path| Candidate { source: Source::Path, path });
        let found = match way {
            Way::Local => [configured, None, found],
            Way::Bundled => [None, bundled, None],
            Way::Auto => [configured, bundled, found],
            Way::ContainerBridge => [None, None, None],
        };
        let mut candidates: Vec<Candidate> = Vec::new();
        for candidate in found.into_iter().flatten() {
            if !candidates.iter().any(|known| known.path == candidate.path) {
                candidates.push(candidate);
            }
        }
        candidates
    }
}

/// The first program of this name on the PATH. A relative entry depends on where the hub was started, and is left out.
fn on_path(path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(PROGRAM))
        .find(|path| path.is_file())
}

/// Why a candidate is not started.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    #[error("its path is relative")]
    Relative,
    #[error("it can't be looked at: {0}")]
    Unseen(io::Error),
    #[error("it is no file")]
    NoFile,
    #[error("it is not executable")]
    NotExecutable,
    #[error("{0} can be changed by other users of this machine")]
    WritableByOthers(PathBuf),
    #[error("it lies in {0}, where agents write: it could be one of theirs")]
    WritableByAgents(PathBuf),
}

/// Checks a candidate: a file that can be executed, and that neither another user can have written nor an agent, who would be
/// taken for the person then. Agents write below the `open` folders.
pub fn check(path: &Path, open: &[PathBuf]) -> Result<(), Unfit> {
    if !path.is_absolute() {
        return Err(Unfit::Relative);
    }
    let meta = fs::metadata(path).map_err(Unfit::Unseen)?;
    if !meta.is_file() {
        return Err(Unfit::NoFile);
    }
    let mode = meta.permissions().mode();
    if mode & 0o111 == 0 {
        return Err(Unfit::NotExecutable);
    }
    // Whoever can write the folder can put another program there.
    let real = fs::canonicalize(path).map_err(Unfit::Unseen)?;
    let within = open.iter().find(|open| fs::canonicalize(open).is_ok_and(|open| real.starts_with(open)));
    if let Some(open) = within {
        return Err(Unfit::WritableByAgents(open.clone()));
    }
    let folder = real.parent().map(fs::metadata).transpose().map_err(Unfit::Unseen)?;
    let sticky = 0o1000;
    for (place, meta) in [(real.as_path(), Some(meta)), (real.parent().unwrap_or(&real), folder)] {
        let Some(meta) = meta else { continue };
        let open = meta.mode() & 0o002 != 0 || meta.mode() & 0o020 != 0 && !is_own_group(&meta);
        let foreign = meta.uid() != 0 && meta.uid() != rustix::process::getuid().as_raw();
        if foreign || open && meta.mode() & sticky == 0 {
            return Err(Unfit::WritableByOthers(place.to_owned()));
        }
    }
    Ok(())
}

/// Many systems give each user a group of their own, and let it write what the user makes.
fn is_own_group(meta: &fs::Metadata) -> bool {
    meta.gid() == rustix::process::getgid().as_raw() && meta.gid() == meta.uid()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(folder: &Path, mode: u32) -> PathBuf {
        fs::create_dir_all(folder).unwrap();
        let path = folder.join(PROGRAM);
        fs::write(&path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }

    #[test]
    fn candidates_come_in_the_order_of_the_contract() {
        let dir = tempfile::tempdir().unwrap();
        let (beside, installed) = (dir.path().join("beside"), dir.path().join("installed"));
        let (bundled, found) = (program(&beside, 0o755), program(&installed, 0o755));
        let path = std::env::join_paths([Path::new("relative"), &dir.path().join("none"), &installed]).unwrap();
        let places = Places { configured: Some("/opt/window".into()), beside: Some(beside), path: Some(path) };
        let of = |way| places.candidates(way).into_iter().map(|c| (c.source.name(), c.path)).collect::<Vec<_>>();
        let (configured, bundled, found) =
            (("configured", "/opt/window".into()), ("bundled", bundled), ("path", found));
        assert_eq!(of(Way::Auto), [configured.clone(), bundled.clone(), found.clone()]);
        assert_eq!(of(Way::Local), [configured, found]);
        assert_eq!(of(Way::Bundled), [bundled]);
        assert_eq!(of(Way::ContainerBridge), []);
    }

    #[test]
    fn every_source_of_a_way_is_accounted_for() {
        let dir = tempfile::tempdir().unwrap();
        let beside = dir.path().join("beside");
        let nothing = Places { configured: None, beside: Some(beside.clone()), path: Some("/none".into()) };
        let of = |places: &Places, way| -> Vec<_> {
            places.missing(way).into_iter().map(|missing| (missing.source.name(), missing.path)).collect()
        };
        let bundled = ("bundled", Some(beside.join(PROGRAM)));
        let found = ("path", Some(PathBuf::from(PROGRAM)));
        assert_eq!(of(&nothing, Way::Auto), [("configured", None), bundled.clone(), found.clone()]);
        assert_eq!(of(&nothing, Way::Local), [("configured", None), found]);
        assert_eq!(of(&nothing, Way::Bundled), [bundled]);
        program(&beside, 0o755);
        let some = Places { configured: Some("/opt/window".into()), ..nothing };
        assert_eq!(of(&some, Way::Auto), [("path", Some(PathBuf::from(PROGRAM)))]);
    }

    #[test]
    fn what_is_not_there_is_tried_only_where_it_was_named() {
        let places = Places { configured: Some("/none/x".into()), beside: Some("/none".into()), path: None };
        let paths: Vec<_> = places.candidates(Way::Auto).into_iter().map(|candidate| candidate.path).collect();
        assert_eq!(paths, [PathBuf::from("/none/x")]);
    }

    #[test]
    fn only_a_program_that_nobody_else_can_write_is_fit() {
        let dir = tempfile::tempdir().unwrap();
        let good = program(&dir.path().join("good"), 0o755);
        check(&good, &[]).unwrap();
        let open = [PathBuf::from("/none"), dir.path().to_owned()];
        assert!(matches!(check(&good, &open), Err(Unfit::WritableByAgents(_))));
        assert!(matches!(check(Path::new("bin/x"), &[]), Err(Unfit::Relative)));
        assert!(matches!(check(&dir.path().join("none"), &[]), Err(Unfit::Unseen(_))));
        assert!(matches!(check(dir.path(), &[]), Err(Unfit::NoFile)));
        let rows = [("plain", 0o644, "NotExecutable"), ("others", 0o757, "WritableByOthers")];
        for (name, mode, expected) in rows {
            let unfit = check(&program(&dir.path().join(name), mode), &[]).unwrap_err();
            assert!(format!("{unfit:?}").starts_with(expected), "{name}: {unfit:?}");
        }
        let open = dir.path().join("open");
        let path = program(&open, 0o755);
        fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(
            matches!(check(&path, &[]), Err(Unfit::WritableByOthers(place)) if place == open.canonicalize().unwrap())
        );
    }
}
