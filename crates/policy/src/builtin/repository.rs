//! What of a repository's own files may be searched: all but what can hold credentials.

use std::path::Path;

use crate::Disk;

/// Sections of a repository's settings that hold no secrets, whatever their keys.
const SECTIONS: &[&str] =
    &["core", "branch", "user", "init", "pull", "push", "merge", "rebase", "extensions", "gc", "index"];

/// Whether a file of a search belongs to a repository and holds no secret: compressed objects and lists of names do not, and
/// of the others it is looked for.
pub(super) fn quiet(folder: &Path, file: &Path, disk: &dyn Disk) -> bool {
    let names: Vec<_> = file.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let Some(git) = names.iter().position(|name| name == ".git") else { return false };
    // Another secret beside the repository.
    if names[..git].iter().any(|name| crate::secret(name).is_some()) {
        return false;
    }
    let inside: Vec<&str> = names[git + 1..].iter().map(String::as_str).collect();
    match inside.as_slice() {
        ["objects" | "refs" | "info", ..] | ["HEAD" | "ORIG_HEAD" | "index" | "description" | "packed-refs"] => true,
        ["config"] => disk.text(&folder.join(file)).is_some_and(|text| holds_no_credentials(&text)),
        ["FETCH_HEAD" | "COMMIT_EDITMSG"] | ["logs", ..] => {
            disk.text(&folder.join(file)).is_some_and(|text| !text.contains("://") || !text.contains('@'))
        }
        // The samples that come with git.
        ["hooks", name] => name.ends_with(".sample"),
        _ => false,
    }
}

/// Whether settings hold only what is known to be no secret, and addresses without a name or password in them.
fn holds_no_credentials(text: &str) -> bool {
    let mut section = String::new();
    text.lines().map(str::trim).filter(|line| !line.is_empty()).all(|line| {
        if let Some(head) = line.strip_prefix('[') {
            let Some(head) = head.strip_suffix(']') else { return false };
            section = head.split([' ', '.']).next().unwrap_or_default().to_ascii_lowercase();
            return true;
        }
        let Some((key, value)) = line.split_once('=') else { return false };
        match (section.as_str(), key.trim()) {
            ("remote" | "submodule", "url" | "pushurl") => {
                !value.contains("://") || !value.split("://").nth(1).is_some_and(|host| host.contains('@'))
            }
            ("remote", "fetch" | "tagopt" | "prune" | "mirror") | ("submodule", "active" | "branch") => true,
            (section, key) => SECTIONS.contains(&section) && !key.contains("ssh"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::holds_no_credentials;

    #[test]
    fn settings() {
        for text in [
            "",
            "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = git@example.org:a/b.git\n\tfetch = +refs/*:refs/*\n",
            "[remote \"o\"]\n\turl = https://example.org/a.git\n[branch \"main\"]\n\tremote = o\n",
        ] {
            assert!(holds_no_credentials(text), "{text}");
        }
        for text in [
            "[remote \"o\"]\n\turl = https://token@example.org/a.git\n",
            "[remote \"o\"]\n\turl = https://me:pass@example.org/a.git\n",
            "[http]\n\textraheader = AUTHORIZATION: basic x\n",
            "[sendemail]\n\tsmtppass = x\n",
            "[core]\n\tsshCommand = ssh -i x\n",
            "[url \"https://token@example.org\"]\n\tinsteadOf = x\n",
            "[core\n",
            "[core]\nnonsense\n",
        ] {
            assert!(!holds_no_credentials(text), "{text}");
        }
    }
}
