//! The reader against the shells themselves, on pieces put together at random: it never says that something is wrong where
//! they see nothing wrong, and never that all is there where they see an end too early.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::{Dialect, FaultKind, Wholeness, wholeness};

const PIECES: &[&str] = &[
    "ls",
    " ",
    " ",
    "\n",
    ";",
    "; ",
    "&&",
    "||",
    "|",
    "&",
    "'",
    "\"",
    "`",
    "$(",
    ")",
    "(",
    "((",
    "))",
    "$((",
    "${",
    "}",
    "{ ",
    "; }",
    "if ",
    "; then ",
    "; else ",
    "; fi",
    "for i in a b",
    "; do ",
    "; done",
    "while true",
    "case x in ",
    "a) ",
    ";;",
    " esac",
    "[[ ",
    " ]]",
    "x=",
    "x=(",
    "f() ",
    "echo ",
    "# it's ",
    "\\",
    "<",
    ">",
    "<<E\n",
    "\nE\n",
    "E",
    "<<<",
    "<(",
    "$'",
    "$x",
    "!",
    " a ",
    "1",
    "*",
    "[",
    "]",
    "~",
    "=",
    "function f ",
    "select i in a",
    "until x",
    "elif y",
    "{a,b}",
    "+",
    "-",
    "do",
    "done",
    "fi",
    "in",
    "time ",
    "${x#",
    "\t",
    "begin ",
    "; end",
    "end",
    "else ",
    "switch x; ",
    "case a; ",
    " and ",
    "not ",
    "or ",
    "$x[1]",
    "{a b}",
    "$?",
    "&>",
    "x=1",
];

/// How many texts each shell is asked about at once, and how often.
const TEXTS: usize = 200;
const ROUNDS: usize = 3;

/// What each of the texts is to a shell: `None` when it takes it, otherwise what it complains about.
fn asked(shell: &str, texts: &[String]) -> Option<Vec<Option<String>>> {
    let mut script = String::new();
    // One process for all: each text is a file that is only read.
    let folder = tempfile::tempdir().expect("a folder");
    for (number, text) in texts.iter().enumerate() {
        std::fs::write(folder.path().join(number.to_string()), text).expect("a file");
        let _ = writeln!(script, "{shell} -n ./{number} 2>./{number}.err; echo $? >./{number}.code");
    }
    let mut child = Command::new("/bin/sh").current_dir(folder.path()).stdin(Stdio::piped()).spawn().ok()?;
    child.stdin.take()?.write_all(script.as_bytes()).ok()?;
    assert!(child.wait().expect("a shell").success());
    let answer = |number: usize| {
        let read =
            |end: &str| std::fs::read_to_string(folder.path().join(format!("{number}.{end}"))).unwrap_or_default();
        let (code, complaint) = (read("code"), read("err"));
        // bash takes a here-document without its end, and some conditions, and complains all the same.
        (code.trim() != "0" || !complaint.is_empty()).then_some(complaint)
    };
    Some((0..texts.len()).map(answer).collect())
}

/// What shells take from a file though it ends too early, and go on with at their prompt: here-documents, a backslash, and in
/// zsh `&&`. All are refused on purpose.
fn on_purpose(what: &str, dialect: Dialect) -> bool {
    let joined = what.ends_with("&&") || what.ends_with("||");
    what.contains("here-document") || what.contains("backslash") || joined && dialect == Dialect::Zsh
}

#[test]
fn nothing_is_called_faulty_that_a_shell_takes() {
    // The same texts each time: a test that fails by chance would be no test.
    let mut runner = TestRunner::deterministic();
    let strategy = prop::collection::vec(prop::sample::select(PIECES), 1..9);
    let (mut cuts, mut misplaced, mut wrong) = (0, 0, Vec::new());
    let shells =
        [("bash", Dialect::Bash), ("zsh", Dialect::Zsh), ("dash", Dialect::Posix), ("fish --no-config", Dialect::Fish)];
    for (shell, dialect) in shells {
        let program = shell.split(' ').next().unwrap_or_default();
        if Command::new(program).args(["-c", ":"]).status().is_err() {
            continue;
        }
        // fish takes long to start.
        for _ in 0..if dialect == Dialect::Fish { 1 } else { ROUNDS } {
            let texts: Vec<String> =
                (0..TEXTS).map(|_| strategy.new_tree(&mut runner).expect("a tree").current().concat()).collect();
            let answers = asked(shell, &texts).expect("a shell can be asked");
            for (text, answer) in texts.iter().zip(answers) {
                match wholeness(text, dialect) {
                    Wholeness::Faulty(fault) if !on_purpose(&fault.what, dialect) => {
                        match fault.kind {
                            FaultKind::Missing => cuts += 1,
                            FaultKind::Misplaced => misplaced += 1,
                        }
                        if answer.is_none() {
                            wrong.push(format!("{shell} takes {text:?}, and {fault} was said"));
                        }
                    }
                    // Whatever else is wrong with it, it does not end too early.
                    Wholeness::Whole => {
                        let said = answer.unwrap_or_default();
                        let early = ["end of file", "unexpected EOF", "unmatched", "Unterminated", "EOF in", "Missing"];
                        if early.iter().any(|words| said.contains(words)) {
                            wrong.push(format!("{shell} misses something in {text:?}: {said}"));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} texts are read otherwise:\n{}", wrong.len(), wrong.join("\n"));
    assert!(cuts > 150, "only {cuts} texts were cut");
    assert!(misplaced > 150, "only {misplaced} texts had something in the wrong place");
}
