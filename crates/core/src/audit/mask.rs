//! Arguments as they are written down: secrets hidden, long texts cut.
//!
//! Hiding is a net, not a wall: it knows the usual shapes of secrets. What is typed while a program reads a password is
//! hidden whatever its shape, by the caller of this.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::bytes::{Regex, RegexBuilder};
use serde_json::{Map, Value};

/// What stands in place of a secret.
pub(crate) const HIDDEN: &str = "***";
/// The longest text that is written down whole.
const LONGEST: usize = 4096;
/// The most that is written down of one call.
const LARGEST: usize = 32 * 1024;

/// A caller that passes on all of its environment; its own choice of variables is shorter.
const MANY_VARIABLES: usize = 10;

/// The names of what is secret, in arguments, variables and flags.
const NAMES: &str =
    r"pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|auth";

static SECRET_NAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile(&format!(r"(?:^|[_-])(?:{NAMES})(?:$|[_-])|(?:pass|password|passwd|pwd|secret|token|apikey)$"))
});

/// Parts of a text that are secret: what is kept is in the groups `a` and `z`.
static SECRET_TEXT: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let quoted = r#"(?:"[^"]*"|'[^']*'|[^\s"';&|]+)"#;
    [
        r"(?P<a>\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}".to_owned(),
        // NAME=value, "name": "value", --name=value
        format!(r#"(?P<a>\b[\w-]*(?:{NAMES})[\w-]*["']?\s*[=:]\s*){quoted}"#),
        // --password value
        format!(r"(?P<a>--?[\w-]*(?:{NAMES})[\w-]*\s+){quoted}"),
        // scheme://user:password@host
        r"(?P<a>://[^/\s:@]*:)[^/\s@]+(?P<z>@)".to_owned(),
        // The shapes of well-known tokens.
        r"\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|npm_\w{20,}|xox[abprs]-[\w-]{10,}|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})".to_owned(),
        r"(?P<a>-----BEGIN [A-Z ]*PRIVATE KEY-----)(?s:.*?)(?P<z>-----END|$)".to_owned(),
    ]
    .iter()
    .filter_map(|pattern| compile(pattern))
    .collect()
});

fn compile(pattern: &str) -> Option<Regex> {
    // The patterns are constants of this file; a test compiles them all. On bytes and without Unicode, because that takes
    // a tenth of the time to compile, and the first call of a hub waits for it. Secrets begin and end at ASCII.
    RegexBuilder::new(pattern).case_insensitive(true).unicode(false).build().ok()
}

/// The arguments as JSON text, fit to be written down.
pub(crate) fn arguments(args: &Value) -> String {
    let mut left = LARGEST;
    value("", args, false, &mut left).to_string()
}

/// Masks a value. What there is no room `left` for is left out, so that a huge one costs no more than a large one.
fn value(name: &str, args: &Value, secret: bool, left: &mut usize) -> Value {
    match args {
        Value::String(_) | Value::Number(_) if secret => HIDDEN.into(),
        Value::String(string) => {
            let shown = text(string);
            *left = left.saturating_sub(shown.len());
            shown.into_owned().into()
        }
        Value::Array(items) => {
            let mut shown = Vec::new();
            for item in items {
                if *left == 0 {
                    shown.push(format!("[... {} in all]", items.len()).into());
                    break;
                }
                *left = left.saturating_sub(1);
                shown.push(value(name, item, secret, left));
            }
            shown.into()
        }
        Value::Object(fields) if fields.len() > MANY_VARIABLES && name == "env" => {
            format!("{} variables", fields.len()).into()
        }
        Value::Object(fields) => {
            let mut shown = Map::new();
            for (name, field) in fields {
                if *left == 0 {
                    shown.insert("...".to_owned(), format!("{} in all", fields.len()).into());
                    break;
                }
                *left = left.saturating_sub(name.len() + 1);
                shown.insert(name.clone(), value(name, field, secret || is_secret(name), left));
            }
            Value::Object(shown)
        }
        other => other.clone(),
    }
}

fn is_secret(name: &str) -> bool {
    SECRET_NAME.as_ref().is_none_or(|pattern| pattern.is_match(with_breaks(name).as_bytes()))
}

/// `apiToken` as `api_Token`: the parts of a name are told apart in every style.
fn with_breaks(name: &str) -> String {
    let mut broken = String::with_capacity(name.len() + 4);
    let mut lower = false;
    for c in name.chars() {
        if lower && c.is_uppercase() {
            broken.push('_');
        }
        lower = c.is_lowercase();
        broken.push(c);
    }
    broken
}

/// A text with its secrets hidden, cut when it is long.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    let mut masked = Cow::Borrowed(text);
    if text.len() > LONGEST {
        let kept = &text[..text.floor_char_boundary(LONGEST)];
        masked = Cow::Owned(format!("{kept}[... {} bytes in all]", text.len()));
    }
    for pattern in SECRET_TEXT.iter() {
        let with = format!("${{a}}{HIDDEN}${{z}}");
        if let Cow::Owned(changed) = pattern.replace_all(masked.as_bytes(), with.as_bytes()) {
            masked = Cow::Owned(String::from_utf8_lossy(&changed).into_owned());
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_are_hidden() {
        assert_eq!(SECRET_TEXT.len(), 6);
        for (given, shown) in [
            ("GITHUB_TOKEN=abc123 make", "GITHUB_TOKEN=*** make"),
            ("curl -H 'Authorization: Bearer abcdefgh12345'", "curl -H 'Authorization: *** ***'"),
            ("mysql --password hunter2 -u me", "mysql --password *** -u me"),
            ("mysql --password=\"two words\" x", "mysql --password=*** x"),
            ("git clone https://me:hunter2@example.com/x", "git clone https://me:***@example.com/x"),
            ("echo ghp_0123456789abcdefghij0123", "echo ***"),
            ("{\"apiKey\": \"k1\", \"n\": 1}", "{\"apiKey\": ***, \"n\": 1}"),
            ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END", "-----BEGIN RSA PRIVATE KEY-----***-----END"),
        ] {
            assert_eq!(text(given), shown);
        }
    }

    #[test]
    fn what_is_no_secret_stays() {
        for kept in ["git commit -m 'pass the salt'", "ls -la /etc/passwd", "grep token src/lexer.rs", "make test"] {
            assert_eq!(text(kept), kept);
        }
        assert_eq!(arguments(&json!({ "id": "t1", "passes": 3 })), r#"{"id":"t1","passes":3}"#);
    }

    #[test]
    fn names_of_fields_and_variables_count() {
        let args = json!({ "env": { "PGPASSWORD": "k", "PATH": "/bin" }, "authToken": "t", "password": 12 });
        let masked = arguments(&args);
        assert_eq!(masked, r#"{"env":{"PGPASSWORD":"***","PATH":"/bin"},"authToken":"***","password":"***"}"#);
    }

    #[test]
    fn a_whole_environment_is_counted_only() {
        let env: Map<String, Value> = (0..30).map(|n| (format!("V{n}"), "x".into())).collect();
        assert_eq!(arguments(&json!({ "terminal": { "env": env } })), r#"{"terminal":{"env":"30 variables"}}"#);
    }

    #[test]
    fn long_arguments_are_cut() {
        let masked = arguments(&json!({ "text": "x".repeat(100_000) }));
        assert!(masked.len() < 5000 && masked.contains("100000 bytes in all"), "{}", masked.len());
        let many: Vec<_> = (0..100).map(|_| "é".repeat(2000)).collect();
        let masked = arguments(&json!({ "lines": many }));
        assert!(masked.len() < 40_000 && masked.contains("100 in all"), "{}", masked.len());
        serde_json::from_str::<Value>(&masked).unwrap();
    }
}
