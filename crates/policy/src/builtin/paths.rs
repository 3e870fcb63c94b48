//! Paths that may be read without asking.

use std::path::{Component, Path, PathBuf};

use crate::{Place, secret};

/// Whether the command starts in a folder of the workspace.
pub(super) fn at_home(place: &Place) -> bool {
    place.cwd.as_deref().is_some_and(|cwd| cwd.starts_with(&place.workspace))
}

/// Whether a path lies in the workspace and is not one of those that usually hold secrets, by its name and, when the disk is
/// known, by what it leads to.
pub(crate) fn readable(path: &str, place: &Place) -> bool {
    path == "-" || (leads_inside(path, place) && !names_secret(path, place))
}

/// Whether a path lies in the workspace. For those who only ask whether it is there.
pub(super) fn leads_inside(path: &str, place: &Place) -> bool {
    let inside = |path: &Path| path.starts_with(&place.workspace);
    lexical(path, place).is_some_and(|path| inside(&path)) && leads_to(path, place).is_some_and(|path| inside(&path))
}

fn names_secret(path: &str, place: &Place) -> bool {
    [lexical(path, place), leads_to(path, place)]
        .iter()
        .any(|path| path.as_deref().is_none_or(|path| is_secret(path, &place.workspace)))
}

/// Whether a path lies strictly below the root of the workspace.
pub(super) fn below_root(path: &str, place: &Place) -> bool {
    readable(path, place) && lexical(path, place).is_some_and(|path| path != place.workspace)
}

/// Where a path leads: with a look at the disk as the system would have it, otherwise by its names.
pub(super) fn leads_to(path: &str, place: &Place) -> Option<PathBuf> {
    let Some(disk) = &place.disk else { return lexical(path, place) };
    if path.is_empty() {
        return None;
    }
    let whole = if path.starts_with('/') { PathBuf::from(path) } else { place.cwd.as_ref()?.join(path) };
    disk.real(&whole)
}

/// A path with `..` taken back by name.
pub(crate) fn lexical(path: &str, place: &Place) -> Option<PathBuf> {
    let mut absolute = if path.starts_with('/') { PathBuf::new() } else { place.cwd.clone()? };
    if path.is_empty() {
        return None;
    }
    for component in Path::new(path).components() {
        match component {
            Component::RootDir => absolute.push("/"),
            Component::Normal(name) => absolute.push(name),
            Component::ParentDir => {
                absolute.pop();
            }
            Component::CurDir | Component::Prefix(_) => {}
        }
    }
    Some(absolute)
}

/// Whether a path below the workspace names something that usually holds secrets.
pub(crate) fn is_secret(path: &Path, workspace: &Path) -> bool {
    path.strip_prefix(workspace)
        .map_or(true, |rest| rest.components().any(|part| secret_name(&part.as_os_str().to_string_lossy())))
}

/// Whether a name usually stands for secrets.
pub(super) fn secret_name(name: &str) -> bool {
    secret(name).is_some()
}
