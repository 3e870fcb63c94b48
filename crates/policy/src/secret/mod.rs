//! Names that usually stand for secrets: the one list, for commands that read unasked and for the tools that read files.

mod fold;

pub use fold::fold;

/// Names as they are.
const NAMES: &[&str] = &[
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
/// How names begin.
const STARTS: &[(&str, &str)] = &[(".env.", ".env.*"), ("secrets.", "secrets.*")];
/// How names end.
const ENDS: &[(&str, &str)] = &[
    (".pem", "*.pem"),
    (".key", "*.key"),
    (".p12", "*.p12"),
    (".pfx", "*.pfx"),
    (".jks", "*.jks"),
    (".keystore", "*.keystore"),
    (".kdbx", "*.kdbx"),
    (".tfstate", "*.tfstate"),
    (".asc", "*.asc"),
    (".gpg", "*.gpg"),
];
/// Templates of `.env` hold no secrets and tell which ones are needed.
const TEMPLATES: &[&str] = &[".env.example", ".env.sample", ".env.template"];

/// The rule by which a file or folder of this name usually holds secrets: `.env.*`, `*.pem`.
#[must_use]
pub fn secret(name: &str) -> Option<&'static str> {
    // A name with a dot at its end is tested as it is, too: `secrets.` is one of `secrets.*`.
    by_spelling(&fold(name)).or_else(|| by_spelling(name))
}

fn by_spelling(name: &str) -> Option<&'static str> {
    if name == ".git" || name == "git~1" {
        return Some(".git/**");
    }
    if TEMPLATES.contains(&name) {
        return None;
    }
    let named = NAMES.iter().find(|known| **known == name).copied();
    let begins = || STARTS.iter().find(|(start, _)| name.starts_with(start)).map(|(_, rule)| *rule);
    let ends = || ENDS.iter().find(|(end, _)| name.ends_with(end)).map(|(_, rule)| *rule);
    named.or_else(begins).or_else(ends)
}

/// The rules of the list, as people read them.
pub fn secret_rules() -> impl Iterator<Item = &'static str> {
    let patterns = STARTS.iter().chain(ENDS).map(|(_, rule)| *rule);
    std::iter::once(".git/**").chain(NAMES.iter().copied()).chain(patterns)
}

#[cfg(test)]
mod tests {
    use super::{secret, secret_rules};

    #[test]
    fn names() {
        for (name, rule) in [
            (".env", Some(".env")),
            (".ENV", Some(".env")),
            (".env.local", Some(".env.*")),
            (".env.example", None),
            (".git", Some(".git/**")),
            ("git~1", Some(".git/**")),
            (".gitignore", None),
            ("secrets.x", Some("secrets.*")),
            ("secrets.", Some("secrets")),
            ("server.pem", Some("*.pem")),
            (".pem", Some("*.pem")),
            ("key", None),
            ("main.rs", None),
            ("credentials", Some("credentials")),
            (".e\u{200b}nv", Some(".env")),
        ] {
            assert_eq!(secret(name), rule, "{name:?}");
        }
    }

    #[test]
    fn each_rule_keeps_a_name() {
        for rule in secret_rules() {
            let name = rule.trim_end_matches("/**").replace('*', "x");
            assert_eq!(secret(&name), Some(rule), "{name}");
        }
    }
}
