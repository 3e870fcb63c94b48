//! Paths that may be read without asking.

use std::path::{Component, Path, PathBuf};

use crate::Place;

/// Whether the command starts in a folder of the workspace.
pub(super) fn at_home(place: &Place) -> bool {
    place.cwd.as_deref().is_some_and(|cwd| cwd.starts_with(&place.workspace))
}

/// Whether a path lies in the workspace and is not one of those that usually hold secrets.
pub(super) fn readable(path: &str, place: &Place) -> bool {
    if path == "-" {
        return true;
    }
    resolve(path, place).is_some_and(|path| path.starts_with(&place.workspace) && !secret(&path, &place.workspace))
}

/// Whether a path lies strictly below the root of the workspace.
pub(super) fn below_root(path: &str, place: &Place) -> bool {
    readable(path, place) && resolve(path, place).is_some_and(|path| path != place.workspace)
}

fn resolve(path: &str, place: &Place) -> Option<PathBuf> {
    let mut absolute = if path.starts_with('/') { PathBuf::new() } else { place.cwd.clone()? };
    if path.is_empty() {
        return None;
    }
    for component in Path::new(path).components() {
        match component {
            Component::RootDir => absolute.push("/"),
            Component::Normal(name) => absolute.push(name),
            // Beyond a link `..` leads elsewhere, but never out of what is checked by name below.
            Component::ParentDir => {
                absolute.pop();
            }
            Component::CurDir | Component::Prefix(_) => {}
        }
    }
    Some(absolute)
}

/// Whether a path below the workspace names something that usually holds secrets.
fn secret(path: &Path, workspace: &Path) -> bool {
    path.strip_prefix(workspace)
        .map_or(true, |rest| rest.components().any(|part| secret_name(&part.as_os_str().to_string_lossy())))
}

/// Whether a name usually stands for secrets.
pub(super) fn secret_name(name: &str) -> bool {
    const NAMES: &[&str] = &[
        ".git",
        ".env",
        ".envrc",
        "id_rsa",
        "id_dsa",
        "id_ecdsa",
        "id_ed25519",
        "credentials",
        "credentials.json",
        ".netrc",
        ".npmrc",
        ".pypirc",
        ".pgpass",
        ".htpasswd",
        ".ssh",
        ".aws",
        ".gnupg",
        ".kube",
        ".docker",
        "secrets",
        ".git-credentials",
        "service-account.json",
        ".vault-token",
    ];
    const ENDS: &[&str] = &[".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".tfstate", ".asc", ".gpg"];
    let name = name.to_ascii_lowercase();
    NAMES.contains(&name.as_str())
        || name.starts_with(".env.")
        || name.starts_with("secrets.")
        || ENDS.iter().any(|end| name.ends_with(end))
}
