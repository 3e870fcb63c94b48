//! What is missing, and where.

use super::{Dialect, FaultKind, Wholeness, wholeness};

const ALL: [Dialect; 3] = [Dialect::Bash, Dialect::Zsh, Dialect::Posix];

#[test]
fn what_is_missing_and_where() {
    for (text, what, line, column) in [
        ("echo 'unclosed", "the closing quote '", 1, 6),
        ("echo \"unclosed", "the closing quote \"", 1, 6),
        ("echo $(", "the closing )", 1, 6),
        ("echo $(ls", "the closing )", 1, 6),
        ("echo `ls", "the closing `", 1, 6),
        ("echo ${x", "the closing }", 1, 6),
        ("echo $((1 + 2", "the closing ))", 1, 6),
        ("for i in 1 2 3", "do", 1, 1),
        ("for i in 1 2 3; do", "done", 1, 1),
        ("for i in 1 2 3; do echo $i;", "done", 1, 1),
        ("ls\nif true; then", "fi", 2, 1),
        ("if true; then echo a; else", "fi", 1, 1),
        ("while true; do", "done", 1, 1),
        ("case x in", "esac", 1, 1),
        ("case x in a) ls", "esac", 1, 1),
        ("(", "the closing )", 1, 1),
        ("{", "the closing }", 1, 1),
        ("(ls", "the closing )", 1, 1),
        ("ls &&", "a command after &&", 1, 4),
        ("ls ||\n", "a command after ||", 1, 4),
        ("ls |", "a command after |", 1, 4),
        ("echo a\\", "what the backslash stands before", 1, 7),
        ("echo a \\\n", "the line that the backslash goes on with", 1, 8),
        ("cat <<EOF\nhi", "the line EOF that ends the here-document", 1, 5),
        ("cat <<EOF", "the line EOF that ends the here-document", 1, 5),
        ("cat >", "what it is redirected to", 1, 5),
        ("cat >\n", "what it is redirected to", 1, 5),
        ("f()", "the function's body", 1, 2),
        ("f() {", "the closing }", 1, 5),
        ("echo é 'x", "the closing quote '", 1, 8),
    ] {
        for dialect in ALL {
            match wholeness(text, dialect) {
                Wholeness::Faulty(fault) => {
                    let found = (fault.kind, fault.what.as_str(), fault.line, fault.column);
                    assert_eq!(found, (FaultKind::Missing, what, line, column), "{dialect:?} {text:?}");
                    assert!(fault.to_string().contains(what));
                }
                other => panic!("{dialect:?} {text:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn what_is_misplaced_and_where() {
    for (text, what, line, column) in [
        (")", ")", 1, 1),
        ("| cat", "|", 1, 1),
        ("&& ls", "&&", 1, 1),
        ("|| ls", "||", 1, 1),
        ("& ls", "&", 1, 1),
        ("; ls", ";", 1, 1),
        ("ls; ; ls", ";", 1, 5),
        ("ls ;; ls", ";;", 1, 4),
        ("ls | | wc", "|", 1, 6),
        ("ls && && ls", "&&", 1, 7),
        ("ls\n| wc", "|", 2, 1),
        ("echo )", ")", 1, 6),
        ("(ls))", ")", 1, 5),
        ("done", "done", 1, 1),
        ("ls > ; ls", ";", 1, 6),
        ("ls > | wc", "|", 1, 6),
        ("ls > > x", ">", 1, 6),
        ("}", "}", 1, 1),
        ("ls; }", "}", 1, 5),
        ("{ ls; }; }", "}", 1, 10),
        ("ls; fi", "fi", 1, 5),
        ("if true; then ls; fi; then ls", "then", 1, 23),
    ] {
        // zsh takes nothing for a command.
        let taken = |dialect| dialect == Dialect::Zsh && what == ";" && !text.contains('>');
        for dialect in ALL.into_iter().filter(|dialect| !taken(*dialect)) {
            match wholeness(text, dialect) {
                Wholeness::Faulty(fault) => {
                    let found = (fault.kind, fault.what.as_str(), fault.line, fault.column);
                    assert_eq!(found, (FaultKind::Misplaced, what, line, column), "{dialect:?} {text:?}");
                }
                other => panic!("{dialect:?} {text:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn whole_texts() {
    for text in [
        "",
        "ls",
        "ls; ls\n",
        "ls &",
        "echo 'a' \"b $(c \"d\") ${e}\" `f`",
        "if true; then ls; elif x; then y; else z; fi",
        "for i in 1 2 3; do echo $i; done",
        "for i in a\ndo\nls\ndone",
        "while true; do ls; done > x 2>&1",
        "case x in a|b) ls;; *) pwd; esac",
        "case x in (a) ls;; esac",
        "(ls; pwd) | wc",
        "{ ls; }",
        "f() { ls; }; f",
        "cat <<EOF\n$(x) it's \"\nEOF",
        "cat <<'EOF'\n$(x\nEOF",
        "cat <<'A' <<-B\na'\nA\n\tb\n\tB\nls",
        "echo # don't",
        "echo a#b'c'",
        "a=1 b=2 ls",
        "ls &&\n ls ||\n ls |\n wc",
        "echo $((1 + (2 * 3)))",
        "echo \\\nls",
        "echo {a,b} }",
        "f() { { ls; }; }",
        "echo }",
        "! ls",
    ] {
        for dialect in [Dialect::Bash, Dialect::Posix] {
            assert_eq!(wholeness(text, dialect), Wholeness::Whole, "{dialect:?} {text:?}");
        }
        assert!(!matches!(wholeness(text, Dialect::Zsh), Wholeness::Faulty(_)), "{text:?}");
    }
    // zsh takes redirections in front of compound commands.
    for text in ["<x while read y; do echo $y; done", "2>/dev/null if true; then ls; fi", "2>&1 >x { ls; }"] {
        assert!(!matches!(wholeness(text, Dialect::Zsh), Wholeness::Faulty(_)), "{text:?}");
    }
    for text in ["x=(a b)", "[[ -f x && a < b ]] && ls", "cat <<< hi", "diff <(ls) <(pwd)", "echo $'it\\'s'"] {
        assert_eq!(wholeness(text, Dialect::Bash), Wholeness::Whole, "{text:?}");
    }
}

/// What one shell takes and another does not, or what is not read here at all.
#[test]
fn what_is_not_known_is_not_refused() {
    for (text, dialect) in [
        ("[[ -f x", Dialect::Posix),
        ("function f", Dialect::Posix),
        ("function f", Dialect::Zsh),
        ("while true", Dialect::Zsh),
        ("if [[ -f x ]] echo y", Dialect::Zsh),
        ("{ echo hi }", Dialect::Zsh),
        ("for i (1 2 3) echo $i", Dialect::Zsh),
        ("repeat 3 echo hi", Dialect::Zsh),
        ("echo *(.)", Dialect::Zsh),
        ("() { echo hi } x", Dialect::Zsh),
        ("sleep 1 &!", Dialect::Zsh),
        ("echo ${(f)x}", Dialect::Zsh),
        ("echo !(a|b)", Dialect::Bash),
        ("cat < <(ls) > >(wc)", Dialect::Bash),
        ("echo \"${x#'}\"", Dialect::Bash),
        ("!", Dialect::Bash),
        ("; ls", Dialect::Zsh),
        ("ls && ; ls", Dialect::Zsh),
        ("(ls && )", Dialect::Zsh),
        ("if true; then else ls; fi", Dialect::Zsh),
        ("! && ls", Dialect::Zsh),
        ("&> x ls", Dialect::Bash),
        ("echo done", Dialect::Bash),
        ("in", Dialect::Bash),
        ("done() { ls; }", Dialect::Zsh),
        ("echo 'a\r\n", Dialect::Bash),
    ] {
        assert!(!matches!(wholeness(text, dialect), Wholeness::Faulty(_)), "{dialect:?} {text:?}");
    }
}

#[test]
fn what_fish_does_not_take_and_where() {
    use FaultKind::{Misplaced, Missing};
    for (text, kind, what, line, column) in [
        ("echo 'unclosed", Missing, "the closing quote '", 1, 6),
        ("echo 'it\\'s", Missing, "the closing quote '", 1, 6),
        ("echo \"unclosed", Missing, "the closing quote \"", 1, 6),
        ("echo (ls", Missing, "the closing )", 1, 6),
        ("(", Missing, "the closing )", 1, 1),
        ("echo {a,b", Missing, "the closing }", 1, 6),
        ("ls\nif true", Missing, "end", 2, 1),
        ("if true; ls; else", Missing, "end", 1, 1),
        ("if true; ls; else if false; ls", Missing, "end", 1, 1),
        ("for i in 1 2; do echo $i; done", Missing, "end", 1, 1),
        ("for i", Missing, "in", 1, 1),
        ("while true; ls", Missing, "end", 1, 1),
        ("begin; ls", Missing, "end", 1, 1),
        ("begin", Missing, "end", 1, 1),
        ("function f; ls", Missing, "end", 1, 1),
        ("switch x; case a; ls", Missing, "end", 1, 1),
        ("ls &&", Missing, "a command after &&", 1, 4),
        ("ls ||\n", Missing, "a command after ||", 1, 4),
        ("ls |", Missing, "a command after |", 1, 4),
        ("cat >", Missing, "what it is redirected to", 1, 5),
        ("echo a\\", Missing, "what the backslash stands before", 1, 7),
        (")", Misplaced, ")", 1, 1),
        ("}", Misplaced, "}", 1, 1),
        ("ls; }", Misplaced, "}", 1, 5),
        ("echo )", Misplaced, ")", 1, 6),
        ("| cat", Misplaced, "|", 1, 1),
        ("&& ls", Misplaced, "&&", 1, 1),
        ("& ls", Misplaced, "&", 1, 1),
        ("ls | | wc", Misplaced, "|", 1, 6),
        ("ls && ; ls", Misplaced, ";", 1, 7),
        ("ls; end", Misplaced, "end", 1, 5),
        ("else", Misplaced, "else", 1, 1),
        ("ls (ls; end)", Misplaced, "end", 1, 9),
        ("cat <<EOF\nhi\nEOF", Misplaced, "<<", 1, 5),
        ("echo ${HOME}", Misplaced, "${", 1, 6),
        ("echo $?", Misplaced, "$?", 1, 6),
        ("x=1", Misplaced, "x=1", 1, 1),
    ] {
        match wholeness(text, Dialect::Fish) {
            Wholeness::Faulty(fault) => {
                let found = (fault.kind, fault.what.as_str(), fault.line, fault.column);
                assert_eq!(found, (kind, what, line, column), "{text:?}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
    for text in [
        "; ls",
        "ls;; ls &",
        "if test -f x; and ls; echo a; else if ls; echo b; else; echo c; end",
        "for i in (seq 3); echo $i[1] {a,b}; end | cat > x 2>&1",
        "while read -l x; or false; echo $x; end < f",
        "switch $x; case a 'b c'; ls; case '*'; pwd; end",
        "function f --argument x; echo $x; end; f",
        "begin; ls; end && pwd",
        "begin ls; end",
        "x=1 ls",
        "x=1 begin; ls; end",
        "\"begin\"; ls; end",
        "begin; ls; 'end'",
        "not and begin",
        "echo [ ] a] $x[1..2] $$x",
        "echo `ls` don\\'t # it's",
        "ls |\n wc &&\n ls",
        "not ls; and ! ls; or time ls",
        "echo \"it's $x\" 'a \\' b'",
        "command end; builtin else",
        "{ ls; }",
        "end --help",
        "and",
        "sleep 1 & ls",
        "ls &| cat; ls &> x",
    ] {
        assert!(!matches!(wholeness(text, Dialect::Fish), Wholeness::Faulty(_)), "{text:?}");
    }
}
