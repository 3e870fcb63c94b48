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
static SECRET_TEXT: LazyLock<Vec<Regex>> = LazyLock::new(|| patterns().filter_map(|(_, it)| compile(&it)).collect());

/// Finds the words of all patterns at once: most texts hold none of them, and need no second look.
static TELLING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words: Vec<&str> = patterns().map(|(words, _)| words).collect();
    compile(&words.join("|"))
});

/// The patterns, each with the words of which one is in all that it matches.
fn patterns() -> impl Iterator<Item = (&'static str, String)> {
    let quoted = r#"(?:"[^"]*"|'[^']*'|[^\s"';&|]+)"#;
    // A program and its options, up to one of them. What is in quotes is passed over first: a query is no option.
    let program = |name: &str| format!(r#"\b{name}\b(?:(?:"[^"]*"|'[^']*'|[^;&|\n])*?\s)?"#);
    let option = move |(words, name, option): &(&'static str, &str, &str)| {
        (*words, format!(r"(?P<a>{}(?-i:{option})){quoted}", program(name)))
    };
    let user = format!(
        r#"(?P<a>{}(?-i:-u|-U|--user|--proxy-user|-a)[\s=]*["']?[^\s:"']*:)[^\s"';&|]+"#,
        program("(?:curl|https?|xh)")
    );
    let general = [
        ("curl|http|xh", user),
        // The whole value of a header, up to its quote.
        ("authorization|cookie", r#"(?P<a>\b(?:authorization|cookie)["']?\s*:\s*["']?)[^"'\n]+"#.to_owned()),
        ("bearer|basic", r"(?P<a>\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}".to_owned()),
        // NAME=value, "name": "value", --name=value
        (NAMES, format!(r#"(?P<a>\b[\w-]*(?:{NAMES})[\w-]*["']?\s*[=:]\s*){quoted}"#)),
        ("_pwd=", format!(r"(?P<a>\b\w+_pwd=){quoted}")),
        // --password value
        (NAMES, format!(r"(?P<a>(?:^|\s)--?[\w-]*(?:{NAMES})[\w-]*\s+){quoted}")),
        // scheme://user:password@host
        ("://", r"(?P<a>://[^/\s:@]*:)[^/\s@]+(?P<z>@)".to_owned()),
        // The shapes of well-known tokens.
        (
            "gh[pousr]_|github_pat_|glpat-|sk-|npm_|xox|akia|asia|aiza|eyj",
            r"\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|npm_\w{20,}|xox[abprs]-[\w-]{10,}|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})".to_owned(),
        ),
        ("-----begin", r"(?P<a>-----BEGIN [A-Z ]*PRIVATE KEY-----)(?s:.*?)(?P<z>-----END|$)".to_owned()),
    ];
    // What is named by a program comes first: there the secret may look like an option with a telling name.
    OPTIONS.iter().map(option).chain(general)
}

/// Options with a secret that only their program makes one: `-p` is a port, a folder or nothing at all elsewhere. The words
/// of the program's name, the name, and the option with what stands before the secret.
const OPTIONS: &[(&str, &str, &str)] = &[
    ("mysql|mariadb", r"(?:mysql|mariadb)[\w-]*", "-p"),
    ("7z", r"7z[ar]?", "-p"),
    ("sshpass", "sshpass", r"-p\s*"),
    ("login", r"(?:docker|podman|buildah|helm|nerdctl)(?:\s[^;&|\n]*?)?\slogin", r"-p\s*"),
    ("mongo", r"mongo\w*", r"-p\s+"),
    ("redis-cli", "redis-cli", r"-a\s+"),
    ("ldap", r"ldap\w+", r"-w\s*"),
    ("zip|sqlcmd|mosquitto_", r"(?:(?:un)?zip|sqlcmd|mosquitto_[ps]ub)", r"-P\s*"),
    ("smbclient", "smbclient", r"(?:-U|--user)[\s=]*[^\s%]*%"),
];

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
        Value::Array(items) if !secret && is_command_line(items) => {
            let words: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            let shown = command_line(&words);
            *left = left.saturating_sub(shown.iter().map(|word| word.len() + 1).sum());
            shown.into()
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
            // A program beside its arguments is one command line.
            if let (Some(Value::String(program)), Some(Value::Array(words))) =
                (fields.get("command"), fields.get("args"))
                && is_command_line(words)
                && !words.is_empty()
            {
                let line: Vec<&str> =
                    std::iter::once(program.as_str()).chain(words.iter().filter_map(Value::as_str)).collect();
                let mut line = command_line(&line);
                let rest = Value::Array(line.split_off(1).into_iter().map(Value::from).collect());
                let mut fields = fields.clone();
                fields.insert("args".to_owned(), rest);
                return fields_shown(&fields, secret, left);
            }
            fields_shown(fields, secret, left)
        }
        other => other.clone(),
    }
}

fn fields_shown(fields: &Map<String, Value>, secret: bool, left: &mut usize) -> Value {
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

/// Stands between the words of a command line while it is looked at as a whole. Nobody types it.
const BETWEEN: &str = "\u{b}";
/// What ends words and commands in a text.
const ENDS: [char; 8] = [' ', '\t', '\n', '\'', '"', ';', '&', '|'];
/// The most words that are looked at as one.
const MOST_WORDS: usize = 100;

fn is_command_line(items: &[Value]) -> bool {
    let length: usize = items.iter().filter_map(Value::as_str).map(str::len).sum();
    let is_word = |item: &Value| item.as_str().is_some_and(|word| !word.contains(BETWEEN));
    items.len() <= MOST_WORDS && length + items.len() <= LONGEST && items.iter().all(is_word)
}

/// The words of a command line with secrets hidden. Which word is one depends on those before it.
fn command_line(words: &[&str]) -> Vec<String> {
    // What ends a command or a word in a text of many is a letter like others in a word by itself.
    let closed: Vec<String> = words.iter().map(|word| word.replace(ENDS, "_")).collect();
    let closed: Vec<&str> = closed.iter().map(String::as_str).collect();
    let (open_shown, closed_shown) = (masked_together(words), masked_together(&closed));
    let shown = open_shown.into_iter().zip(closed_shown).zip(&closed);
    shown.map(|((open, masked), word)| if masked == *word { open } else { masked }).collect()
}

fn masked_together(words: &[&str]) -> Vec<String> {
    let masked = text(&words.join(BETWEEN)).into_owned();
    let shown: Vec<&str> = masked.split(BETWEEN).collect();
    if shown.len() != words.len() {
        return words.iter().map(|word| text(word).into_owned()).collect();
    }
    // A word may hold spaces, and is hidden with all of them.
    let whole = |(shown, word): (&&str, &&str)| {
        let begins = shown.starts_with(HIDDEN) && !word.starts_with(HIDDEN);
        if begins { HIDDEN.to_owned() } else { (*shown).to_owned() }
    };
    shown.iter().zip(words).map(whole).collect()
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
    if TELLING.as_ref().is_some_and(|telling| !telling.is_match(masked.as_bytes())) {
        return masked;
    }
    without_secrets(masked)
}

fn without_secrets(mut masked: Cow<'_, str>) -> Cow<'_, str> {
    let with = format!("${{a}}{HIDDEN}${{z}}");
    for pattern in SECRET_TEXT.iter() {
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
        assert_eq!(SECRET_TEXT.len(), OPTIONS.len() + 9);
        for (given, shown) in [
            ("GITHUB_TOKEN=abc123 make", "GITHUB_TOKEN=*** make"),
            ("curl -H 'Authorization: Bearer abcdefgh12345'", "curl -H 'Authorization: ***'"),
            ("curl -H 'Authorization: token abc def' x", "curl -H 'Authorization: ***' x"),
            ("mysql -pSecret -e y", "mysql -p*** -e y"),
            ("mysqldump -u me -p'two words' db", "mysqldump -u me -p*** db"),
            ("sudo mysql -u me -phunter2 <x", "sudo mysql -u me -p*** <x"),
            ("mysql -e 'use -path' -phunter2 db", "mysql -e 'use -path' -p*** db"),
            ("mysql -e \"select 1; select 2\" -phunter2", "mysql -e \"select 1; select 2\" -p***"),
            ("mysql -e it\\'s -phunter2; echo that\\'s", "mysql -e it\\'s -p***; echo that\\'s"),
            ("mysql -uroot -e 'x' db --port 1 -phunter2 -v", "mysql -uroot -e 'x' db --port 1 -p*** -v"),
            ("sshpass -p hunter2 ssh -p 22 me@x", "sshpass -p *** ssh -p 22 me@x"),
            ("sshpass -phunter2 ssh x", "sshpass -p*** ssh x"),
            ("redis-cli -h x -a hunter2 get y", "redis-cli -h x -a *** get y"),
            ("docker login -u me -p hunter2 host", "docker login -u me -p *** host"),
            ("curl -u me:hunter2 https://x", "curl -u me:*** https://x"),
            ("curl -s --user 'me:hunter 2' https://x", "curl -s --user 'me:*** 2' https://x"),
            ("PGPASSWORD=hunter2 psql -U me", "PGPASSWORD=*** psql -U me"),
            ("MYSQL_PWD=hunter2 mysql", "MYSQL_PWD=*** mysql"),
            ("psql postgres://me:hunter2@h/d", "psql postgres://me:***@h/d"),
            ("unzip -P hunter2 x.zip", "unzip -P *** x.zip"),
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

    /// What secrets and their surroundings are made of.
    const PIECES: &[&str] = &[
        "mysql",
        "MariaDB-dump",
        "7za",
        "sshpass",
        "docker",
        "helm",
        " login",
        "mongosh",
        "redis-cli",
        "ldapsearch",
        "unzip",
        "sqlcmd",
        "mosquitto_pub",
        "smbclient",
        "curl",
        "https",
        "xh",
        "-p",
        "-P ",
        "-a ",
        "-w",
        "-U me%",
        "--user=",
        "-u ",
        "me:",
        "Authorization",
        "cookie",
        "Bearer ",
        "basic ",
        "password",
        "PASSWD",
        "secret",
        "Token",
        "api_key",
        "apiKey",
        "access-key",
        "private_key",
        "credentials",
        "auth",
        "_PWD=",
        "_pwd",
        "://",
        "@",
        "ghp_",
        "github_pat_",
        "glpat-",
        "sk-",
        "npm_",
        "xoxb-",
        "AKIA",
        "AIza",
        "eyJ",
        ".",
        "0123456789ABCDEF",
        "abcdefghijklmnopqrstuvwxyz01234567",
        "-----BEGIN ",
        "RSA PRIVATE KEY-----",
        "-----END",
        " ",
        "=",
        ":",
        "'",
        "\"",
        ";",
        "|",
        "--",
        "x",
        "hunter2",
        "\n",
        "é",
    ];

    proptest::proptest! {
        /// The words only save time.
        #[test]
        fn a_text_without_a_telling_word_holds_no_secret(
            pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..12)
        ) {
            let whole = pieces.concat();
            proptest::prop_assert_eq!(text(&whole), without_secrets(Cow::Borrowed(&whole)));
        }
    }

    #[test]
    fn what_is_no_secret_stays() {
        for kept in [
            "git commit -m 'pass the salt'",
            "ls -la /etc/passwd",
            "grep token src/lexer.rs",
            "make test",
            "mkdir -p a/b",
            "ssh -p 22 me@x",
            "docker run -p 80:80 nginx",
            "mysql -u me -P 3306 -e y",
            "mysql -p -e y",
            "cp -p a b",
            "curl -u me https://x:80/y",
        ] {
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
    fn the_words_of_a_command_line_are_looked_at_together() {
        for (given, shown) in [
            (
                json!({ "command": ["mysql", "-pSecret", "-e", "y"] }),
                json!({ "command": ["mysql", "-p***", "-e", "y"] }),
            ),
            (
                json!({ "command": ["mysql", "-e", "it's; y", "-phunter2", "that's"] }),
                json!({ "command": ["mysql", "-e", "it's; y", "-p***", "that's"] }),
            ),
            (
                json!({ "command": ["sshpass", "-p", "two words", "ssh"] }),
                json!({ "command": ["sshpass", "-p", "***", "ssh"] }),
            ),
            (json!({ "command": ["x", "--password", "hunter2"] }), json!({ "command": ["x", "--password", "***"] })),
            (
                json!({ "command": "mysql", "args": ["-phunter2", "db"] }),
                json!({ "command": "mysql", "args": ["-p***", "db"] }),
            ),
            (json!({ "keys": ["C-c", "Enter"] }), json!({ "keys": ["C-c", "Enter"] })),
        ] {
            assert_eq!(arguments(&given), shown.to_string());
        }
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
