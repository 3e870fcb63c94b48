//! No way of writing a dangerous command, and no wrapper around it, hides it.

use std::time::{Duration, Instant};

use flightdeck_policy::{Assessment, Deed, Place, Severity, assess, builtin};
use proptest::prelude::*;
use proptest::sample::select;

/// Commands of the worst kind, as words that need no quotes.
const NEVER: &[&str] = &[
    "rm -rf /",
    "rm -fr /",
    "rm -r -f /",
    "rm --recursive --force /",
    "rm -Rf /etc",
    "rm -rf /usr",
    "rm -rf /home",
    "rm -rf /home/me",
    "rm -rf /home/me/app",
    "rm -rf ..",
    "rm -rf .",
    "/bin/rm -rf /var",
    "rm -rf --no-preserve-root /",
    "find / -delete",
    "find /home/me -delete",
    "mv /etc /tmp/x",
    "mv /home/me/app /tmp/x",
    "dd if=/dev/zero of=/dev/sda",
    "mkfs.ext4 /dev/sda1",
    "wipefs -a /dev/sda",
    "shred /dev/sda",
    "cp x /dev/sda",
    "tee /dev/nvme0n1",
    "blkdiscard /dev/sda",
    "flightdeck approve 1",
    "flightdeck policy add x",
    "flightdeck consent x",
];
/// Commands that a person is asked about.
const ASK: &[&str] = &[
    "rm -r build",
    "rm -rf node_modules",
    "sudo ls",
    "chmod 777 x",
    "chmod -R 755 x",
    "dd if=x of=y",
    "git reset --hard",
    "git clean -fdx",
    "git push --force",
    "git branch -D x",
    "npm publish",
    "terraform destroy",
    "kubectl delete pod x",
    "shutdown now",
    "pkill node",
    "crontab x",
    "cp x /etc/y",
    "scp x host:y",
    "nc -l 80",
    "dropdb x",
    "tee /etc/hosts",
    "chown -R me x",
    "redis-cli flushall",
    "git stash clear",
];

/// A way of writing a command's words.
#[derive(Clone, Copy, Debug)]
enum Spelling {
    Plain,
    Single,
    Double,
    EachSingle,
    EachDouble,
    Backslashes,
    Ansi,
    Octal,
    Tabs,
    LineEnds,
    Spliced,
    EmptyQuotes,
    OneVariable,
    ByLetters,
    List,
    Echoed,
    Default,
    Ifs,
}

const SPELLINGS: &[Spelling] = &[
    Spelling::Plain,
    Spelling::Single,
    Spelling::Double,
    Spelling::EachSingle,
    Spelling::EachDouble,
    Spelling::Backslashes,
    Spelling::Ansi,
    Spelling::Octal,
    Spelling::Tabs,
    Spelling::LineEnds,
    Spelling::Spliced,
    Spelling::EmptyQuotes,
    Spelling::OneVariable,
    Spelling::ByLetters,
    Spelling::List,
    Spelling::Echoed,
    Spelling::Default,
    Spelling::Ifs,
];

fn each(words: &[&str], write: impl Fn(&str) -> String) -> String {
    words.iter().map(|word| write(word)).collect::<Vec<_>>().join(" ")
}

fn letters(word: &str, write: impl Fn(char) -> String) -> String {
    word.chars().map(write).collect()
}

fn spell(command: &str, spelling: Spelling) -> String {
    let words: Vec<&str> = command.split(' ').collect();
    match spelling {
        Spelling::Plain => command.to_owned(),
        Spelling::Single => each(&words, |word| format!("'{word}'")),
        Spelling::Double => each(&words, |word| format!("\"{word}\"")),
        Spelling::EachSingle => each(&words, |word| letters(word, |c| format!("'{c}'"))),
        Spelling::EachDouble => each(&words, |word| letters(word, |c| format!("\"{c}\""))),
        Spelling::Backslashes => each(&words, |word| letters(word, |c| format!("\\{c}"))),
        Spelling::Ansi => each(&words, |word| format!("$'{}'", letters(word, |c| format!("\\x{:02x}", u32::from(c))))),
        Spelling::Octal => each(&words, |word| format!("$'{}'", letters(word, |c| format!("\\{:03o}", u32::from(c))))),
        Spelling::Tabs => format!("\t{}  ", words.join(" \t ")),
        Spelling::LineEnds => words.join(" \\\n"),
        Spelling::Spliced => {
            let (first, rest) = words[0].split_at(1);
            format!("a={first} b={rest}; $a$b {}", words[1..].join(" "))
        }
        Spelling::EmptyQuotes => each(&words, |word| letters(word, |c| format!("{c}''"))),
        Spelling::OneVariable => format!("x='{command}'; $x"),
        Spelling::ByLetters => {
            let set: String = words.iter().enumerate().map(|(index, word)| format!("v{index}={word}; ")).collect();
            let used: Vec<String> = (0..words.len()).map(|index| format!("\"${{v{index}}}\"")).collect();
            format!("{set}{}", used.join(" "))
        }
        Spelling::List => format!("c=({command}); \"${{c[@]}}\""),
        Spelling::Echoed => format!("$(echo {}) {}", words[0], words[1..].join(" ")),
        Spelling::Default => format!("${{unset:-{}}} {}", words[0], words[1..].join(" ")),
        Spelling::Ifs => words.join("${IFS}"),
    }
}

/// Something around a command's text.
#[derive(Clone, Copy, Debug)]
enum Wrapping {
    /// Words in front of one simple command.
    Before(&'static str),
    /// A text around any text.
    Around(&'static str, &'static str),
    /// A text that holds it between single quotes.
    Quoted(&'static str, &'static str),
}

/// In front of the command's own words: only as the first wrapping, where the text is one simple command.
const BEFORE: &[&str] = &[
    "sudo",
    "sudo -u root",
    "sudo -n --",
    "env",
    "env -i",
    "env A=b C=d",
    "env -u X",
    "nice",
    "nice -n 19",
    "nohup",
    "timeout 5",
    "timeout -s KILL 5",
    "timeout -k 1 5",
    "xargs",
    "xargs -n 1",
    "xargs -0 -r",
    "setsid",
    "stdbuf -oL",
    "ionice -c 3",
    "command",
    "builtin command",
    "exec",
    "eval",
    "busybox",
    "time",
    "A=b",
    "A=b C=d",
    "!",
    "strace -f",
    "watch -n 1",
    "doas",
    "unshare -r",
    "chroot /x",
    "> x",
    "2>&1",
    "coproc",
];
/// A space stands inside of parentheses: `$((…))` and `((…))` would be arithmetic, which runs no command.
const AROUND: &[(&str, &str)] = &[
    ("( ", " )"),
    ("{ ", "\n}"),
    ("if true; then ", "\nfi"),
    ("if ", "\nthen :; fi"),
    ("for i in 1 2; do ", "\ndone"),
    ("while true; do ", "\ndone"),
    ("until ", "\ndo :; done"),
    ("case x in x) ", "\n;; esac"),
    ("f() { ", "\n}; f"),
    ("function f { ", "\n}\nf"),
    ("echo $( ", " )"),
    ("echo \"$( ", " )\""),
    ("x=$( ", " )"),
    ("cat <(", ")"),
    ("ls && ", ""),
    ("ls || ", ""),
    ("ls; ", ""),
    ("", "\nls"),
    ("", " && ls"),
    ("", " || true"),
    ("ls | ", ""),
    ("", " | cat"),
    ("", " &"),
    ("sleep 1 & ", ""),
    ("# a comment\n", ""),
    ("", " # a comment"),
    ("", " > /dev/null 2>&1"),
    ("\n\n  ", "  \n\n"),
    ("echo 'it''s' \"a b\"; ", ""),
    ("[[ -f x ]] && ", ""),
    ("((1)) && ", ""),
    ("x=1; ", ""),
    ("set -e; ", ""),
    ("trap 'echo x' EXIT; ", ""),
    ("cat <<E\nhello\nE\n", ""),
    ("echo ${x:-$( ", " )}"),
    ("echo $((1 + $( ", " )))"),
];
const QUOTED: &[(&str, &str)] = &[
    ("sh -c ", ""),
    ("bash -c ", ""),
    ("bash -lc ", ""),
    ("bash --norc -ec ", " x y"),
    ("zsh -c ", ""),
    ("sudo sh -c ", ""),
    ("eval ", ""),
    ("su -c ", ""),
    ("su root -c ", ""),
    ("timeout 5 sh -c ", ""),
    ("xargs -I{} sh -c ", ""),
    ("find . -exec sh -c ", " \\;"),
    ("env A=b bash -c ", ""),
    ("ssh host ", ""),
    ("docker exec c sh -c ", ""),
    ("script -c ", " /dev/null"),
    ("flock x -c ", ""),
    ("trap ", " EXIT"),
    ("watch ", ""),
    ("sh <<< ", ""),
    ("npx -c ", ""),
    ("alias z=", "\nz"),
    ("git rebase --exec ", " main"),
    ("nix-shell --run ", ""),
];

fn wrap(text: &str, wrapping: Wrapping) -> String {
    match wrapping {
        Wrapping::Before(words) => format!("{words} {text}"),
        Wrapping::Around(before, after) => format!("{before}{text}{after}"),
        Wrapping::Quoted(before, after) => format!("{before}'{}'{after}", text.replace('\'', "'\\''")),
    }
}

/// Whether words can be put in front of this spelling: not before an assignment that has to come first.
fn simple(spelling: Spelling) -> bool {
    !matches!(
        spelling,
        Spelling::Spliced | Spelling::OneVariable | Spelling::ByLetters | Spelling::List | Spelling::Tabs
    )
}

fn place() -> Place {
    Place {
        workspace: "/home/me/app".into(),
        cwd: Some("/home/me/app".into()),
        home: Some("/home/me".into()),
        temp: vec!["/tmp".into()],
        env: Vec::new(),
        disk: None,
    }
}

fn look(text: &str) -> Assessment {
    assess(&Deed::Line(text.to_owned()), &place())
}

fn hidden(assessment: &Assessment, severity: Severity) -> bool {
    let found = assessment.dangers.iter().any(|danger| danger.severity >= severity);
    let proven =
        assessment.plain.as_ref().is_ok_and(|commands| commands.iter().all(|words| builtin(words, &place()).is_some()));
    !found || proven
}

fn around() -> impl Strategy<Value = Wrapping> {
    prop_oneof![
        select(AROUND).prop_map(|(before, after)| Wrapping::Around(before, after)),
        select(QUOTED).prop_map(|(before, after)| Wrapping::Quoted(before, after)),
    ]
}

/// One of each, without the help of chance.
#[test]
fn each_wrapping_of_each_command() {
    let mut missed = Vec::new();
    let mut check = |text: String, severity| {
        if hidden(&look(&text), severity) {
            missed.push(format!("{severity:?} {text:?}"));
        }
    };
    let commands =
        NEVER.iter().map(|text| (*text, Severity::Never)).chain(ASK.iter().map(|text| (*text, Severity::Ask)));
    for (command, severity) in commands {
        for spelling in SPELLINGS {
            check(spell(command, *spelling), severity);
        }
        for words in BEFORE {
            check(wrap(command, Wrapping::Before(words)), severity);
        }
        for (before, after) in AROUND {
            check(wrap(command, Wrapping::Around(before, after)), severity);
        }
        for (before, after) in QUOTED {
            check(wrap(command, Wrapping::Quoted(before, after)), severity);
        }
    }
    assert!(missed.is_empty(), "{} hidden:\n{}", missed.len(), missed[..missed.len().min(60)].join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_composition_hides_a_command(
        index in 0..NEVER.len() + ASK.len(),
        spelling in select(SPELLINGS),
        before in prop::collection::vec(select(BEFORE), 0..3),
        wrappings in prop::collection::vec(around(), 0..4),
    ) {
        let (command, severity) = if index < NEVER.len() { (NEVER[index], Severity::Never) } else { (ASK[index - NEVER.len()], Severity::Ask) };
        let mut text = spell(command, spelling);
        if simple(spelling) {
            for words in before {
                // A redirection or an assignment can't stand behind a wrapper's words.
                let first = text.split(' ').next().unwrap_or_default();
                if !(first.contains('=') || first.starts_with(['>', '2', '!']) || matches!(first, "time" | "exec" | "coproc")) {
                    text = wrap(&text, Wrapping::Before(words));
                }
            }
        }
        for wrapping in wrappings {
            text = wrap(&text, wrapping);
        }
        let assessment = look(&text);
        prop_assert!(!hidden(&assessment, severity), "{severity:?} hidden in {text:?}: {:?}", assessment.dangers);
    }

    #[test]
    fn shell_like_noise_is_read_in_time(text in "[ \t\n;&|<>(){}\\[\\]'\"`$#!*?~=\\\\/.:,@a-f0-9rmELHOM-]{0,400}") {
        in_time(&text);
    }

    #[test]
    fn words_of_the_language_are_read_in_time(words in prop::collection::vec(select(&[
        "if", "then", "fi", "for", "in", "do", "done", "case", "esac", "while", "{", "}", "(", ")", "((", "))", "$((", "$(", "${", "[[", "]]", "<<E", "E", "\n", "<<<", "`", "\"", "'", "$'", "&&", "|", ";;", ";", "&", "rm", "-rf", "/", "x=", "a=(", "f()",
        "function", "coproc", "time", "!", "$x", "sh", "-c", "eval", "xargs", "sudo", "find", "-exec", "\\", "#", "@(", ">", "<(", ">&", "$[", "{a,b}", "alias", "=", "select", "git", "-c",
    ][..]), 0..120), joined in any::<bool>()) {
        in_time(&words.join(if joined { "" } else { " " }));
    }

    #[test]
    fn any_bytes_are_read_in_time(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        in_time(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_words_are_read_in_time(words in prop::collection::vec(".{0,20}", 0..8)) {
        let assessment = assess(&Deed::Argv(words), &place());
        prop_assert!(assessment.dangers.iter().all(|danger| danger.span == (0..0)));
    }
}

/// The time that a text takes when nothing else is in the way: a busy machine makes single runs long.
fn fastest(text: &str) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        look(text);
        best = best.min(start.elapsed());
        if best < Duration::from_millis(100) {
            break;
        }
    }
    best
}

fn in_time(text: &str) {
    let assessment = look(text);
    let took = fastest(text);
    assert!(took < Duration::from_millis(200), "{took:?} for {text:?}");
    for span in
        assessment.pieces.iter().map(|piece| &piece.span).chain(assessment.dangers.iter().map(|danger| &danger.span))
    {
        assert!(text.get(span.clone()).is_some(), "{span:?} is no place in {text:?}");
    }
}

/// Texts that made other readers hang or fall over.
#[test]
fn texts_made_to_hurt_are_read_in_time() {
    let many = |text: &str, bytes: usize| text.repeat(bytes / text.len().max(1));
    let pieces = [
        "(",
        "$(",
        "{ ",
        "\"$(",
        "if true; then ",
        "case x in x) ",
        "${a:-",
        "$((",
        "<(",
        "((",
        "! ",
        "a=(",
        "[[ ( ",
        "'",
        "\"",
        "`",
        "\\",
        "<<a ",
        "cat <<a\n",
        "<",
        "&",
        ")}]([{;|&<>'\"`$#!",
        "{a,",
        "a=",
        "@(a|",
        "a=b ",
        "\n",
        "$a",
        "a | ",
        "ab ",
        "echo a; ",
        "$[",
        "f(){ ",
        "a=$a$a; ",
        "{a,b}",
        "sudo ",
        "sh -c '",
        "eval ",
        "x() { x",
        "for i in ",
        "alias a=a; ",
        "~",
        "\0",
        "é",
        "#",
        "time ",
        "while ",
        "function ",
        "coproc ",
        "$'\\x",
        "a=1;$a ",
        "rm -rf /; ",
        "find . -exec ",
    ];
    for piece in pieces {
        for size in [200, 4_000, 65_000, 80_000] {
            let text = many(piece, size);
            let took = fastest(&text);
            let limit = if size > 4_000 { 2_000 } else { 200 };
            assert!(took < Duration::from_millis(limit), "{took:?} for {size} bytes of {piece:?}");
        }
    }
}
