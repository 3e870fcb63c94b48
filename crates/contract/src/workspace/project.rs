//! Which folder a hub is for when nobody names one: the project around the current folder.
//!
//! Agents get the files of the whole workspace, so a folder that holds much more than one project is never taken by
//! itself. Whoever means it names it.

use std::path::{Path, PathBuf};

/// What the root folder of a project has in it.
const MARKS: [&str; 2] = [".git", "flightdeck.toml"];

/// Folders of the system with all that is below them.
const SYSTEM: [&str; 18] = [
    "/bin",
    "/boot",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/proc",
    "/sbin",
    "/sys",
    "/usr/bin",
    "/usr/include",
    "/usr/lib",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/local/bin",
    "/usr/local/lib",
    "/usr/sbin",
    "/usr/share",
];

/// Folders that hold what belongs to many; a project may well be below them.
const SHARED: [&str; 24] = [
    "/dev",
    "/dev/shm",
    "/home",
    "/media",
    "/mnt",
    "/opt",
    "/root",
    "/run",
    "/run/media",
    "/run/user",
    "/snap",
    "/srv",
    "/tmp",
    "/usr",
    "/usr/local",
    "/usr/local/src",
    "/usr/src",
    "/var",
    "/var/cache",
    "/var/lib",
    "/var/log",
    "/var/opt",
    "/var/spool",
    "/var/tmp",
];

/// The root of the project that a folder is in: the nearest one upwards with a mark, or the folder itself.
pub fn root_of(folder: &Path) -> &Path {
    // A mark in a home folder, say of its settings, makes no project of all that is below it.
    let inside = folder.ancestors().take_while(|dir| too_broad(dir).is_none());
    inside.into_iter().find(|dir| is_marked(dir)).unwrap_or(folder)
}

/// Why a folder is no workspace unless it is named.
pub fn too_broad(folder: &Path) -> Option<&'static str> {
    let home = std::env::home_dir().map(|home| home.canonicalize().unwrap_or(home));
    let temporary = std::env::temp_dir();
    too_broad_for(folder, home.as_deref(), &temporary.canonicalize().unwrap_or(temporary))
}

fn too_broad_for(folder: &Path, home: Option<&Path>, temporary: &Path) -> Option<&'static str> {
    if folder == Path::new("/") {
        return Some("it is the whole file system");
    }
    if home == Some(folder) {
        return Some("it is your home folder");
    }
    if folder == temporary {
        return Some("it is for temporary files of all programs");
    }
    if SYSTEM.iter().any(|system| folder.starts_with(system)) {
        return Some("it belongs to the system");
    }
    if SHARED.iter().any(|shared| folder == Path::new(shared)) {
        return Some("it holds what belongs to others");
    }
    // A project may have a home folder inside, for its tests; it is marked then.
    if home.is_some_and(|home| home.starts_with(folder)) && !is_marked(folder) {
        return Some("your home folder is in it");
    }
    None
}

fn is_marked(folder: &Path) -> bool {
    MARKS.iter().any(|mark| folder.join(mark).exists())
}

/// Why no hub is started for a folder that is [too broad](too_broad), and what to do about it.
pub fn advice(folder: &Path, why: &str) -> String {
    format!("no hub is started for {}, because {why}. {}", folder.display(), instead(folder))
}

/// What to do about a folder that is [too broad](too_broad).
pub fn instead(folder: &Path) -> String {
    format!("Go to the folder of a project, or say `--workspace {}` if you mean all of it", folder.display())
}

/// The folders from here up to the root of the project.
pub fn up_to_root(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let root = root_of(folder);
    folder.ancestors().take_while(move |dir| dir.starts_with(root)).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broad(folder: &str) -> bool {
        too_broad_for(Path::new(folder), Some(Path::new("/data/people/me")), Path::new("/scratch")).is_some()
    }

    #[test]
    fn what_belongs_to_many_is_too_broad() {
        for folder in ["/", "/tmp", "/etc", "/etc/ssh", "/usr", "/usr/lib/python3", "/home", "/root", "/proc/1/cwd"] {
            assert!(broad(folder), "{folder}");
        }
        for folder in ["/data/people/me", "/data/people", "/data", "/scratch"] {
            assert!(broad(folder), "{folder}");
        }
        for folder in
            ["/tmp/x", "/data/people/me/x", "/home/me/x", "/work", "/usr/src/app", "/etcetera", "/var/lib/ci/x"]
        {
            assert!(!broad(folder), "{folder}");
        }
    }

    #[test]
    fn the_nearest_mark_upwards_is_the_project() {
        let top = tempfile::tempdir().unwrap();
        let top = top.path().canonicalize().unwrap();
        let (project, inner) = (top.join("project"), top.join("project/crates/inner"));
        std::fs::create_dir_all(inner.join("src")).unwrap();
        assert_eq!(root_of(&inner.join("src")), inner.join("src"), "no mark: the folder itself");
        std::fs::create_dir(project.join(".git")).unwrap();
        assert_eq!(root_of(&inner.join("src")), project);
        std::fs::write(inner.join("flightdeck.toml"), "").unwrap();
        assert_eq!(root_of(&inner.join("src")), inner);
        let folders: Vec<_> = up_to_root(&inner.join("src")).collect();
        assert_eq!(folders, [inner.join("src"), inner.clone()]);
    }

    #[test]
    fn a_marked_home_is_no_project() {
        let top = tempfile::tempdir().unwrap();
        let home = top.path().canonicalize().unwrap();
        std::fs::create_dir(home.join(".git")).unwrap();
        assert!(too_broad_for(&home, Some(&home), Path::new("/tmp")).is_some());
        assert!(too_broad_for(&home, Some(&home.join("h")), Path::new("/tmp")).is_none());
    }
}
