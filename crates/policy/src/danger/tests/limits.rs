//! What happens at the limits of the analysis: it ends early, says so, and overlooks nothing that stands in the open.

use super::look;
use crate::{DangerKind, Severity};

fn tangled(text: &str) -> bool {
    look(text).dangers.iter().any(|danger| danger.kind == DangerKind::Unreadable && danger.reason.contains("tangled"))
}

fn never(text: &str) -> bool {
    look(text).dangers.iter().any(|danger| danger.severity == Severity::Never)
}

#[test]
fn nothing_hides_behind_a_tangle() {
    let wrapped = "sudo env A=1 nice timeout 5 ".repeat(140);
    let functions = format!("f() {{ {}; }}; {}", "ls $1".repeat(40), "f a;".repeat(900));
    for tangle in [
        format!("{}ls", "eval ".repeat(800)),
        format!("{wrapped}ls"),
        format!("sh -c '{}ls'", "eval ".repeat(800)),
        format!("{}ls", "a=x$a$a;".repeat(500)),
        functions,
    ] {
        assert!(tangled(&tangle), "{tangle:?} is followed to its end");
        for end in ["; rm -rf /", "\nsudo rm -rf ~", " && : | dd of=/dev/sda"] {
            assert!(never(&format!("{tangle}{end}")), "{end:?} is overlooked after {tangle:?}");
        }
    }
}

#[test]
fn long_honest_texts_are_followed_to_their_end() {
    let work = "cargo build --release && cp target/a out/a; for f in *.rs; do wc -l $f | sort -n; done; ".repeat(45);
    let quoted = work.replace('\'', "'\\''");
    for text in [
        format!("{work} rm -rf /"),
        format!("sh -c '{quoted} rm -rf /'"),
        format!("timeout 9 bash -lc 'cd x && {quoted} rm -rf /'"),
        format!("ssh host \"bash -c '{quoted} rm -rf /'\""),
        format!("bash <<'E'\n{work}\nrm -rf /\nE"),
    ] {
        assert!(!tangled(&text), "{text:?} is too tangled");
        assert!(never(&text), "the end of {text:?} is overlooked");
    }
}

#[test]
fn an_operator_needs_a_command_on_its_right() {
    for text in
        ["ls |", "ls &&", "ls || # x", "ls &&\n\n", "ls | | wc", "ls && ; wc", "(ls &&)", "sh -c 'ls |'", "{ ls; } |"]
    {
        let dangers = look(text).dangers;
        assert!(dangers.iter().any(|danger| danger.kind == DangerKind::Unreadable), "{text:?} is valid");
    }
    for text in ["ls |\n wc", "ls && # x\n\n wc", "cat <<E &&\nx\nE\nwc", "ls | # x\n wc", "ls || (wc)", "a && &>b c"] {
        assert_eq!(look(text).dangers, [], "{text:?}");
    }
}

/// The grammar's time grows with the words, so only so many are confirmed.
#[test]
fn texts_of_many_words_are_not_plain() {
    assert!(look(&format!("ls{}", " a".repeat(299))).plain.is_ok());
    let refused = look(&format!("ls{}", " a".repeat(300))).plain.expect_err("too many words");
    assert_eq!(refused.reason, "it holds more than 300 words");
    let refused = look(&"ls;".repeat(301)).plain.expect_err("too many words");
    assert_eq!(refused.reason, "it holds more than 300 words");
}
