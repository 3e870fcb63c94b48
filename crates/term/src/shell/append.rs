//! Whether a line may be appended to a command without becoming a part of it.

use flightdeck_policy::{Dialect, Wholeness, wholeness};

use super::ShellKind;

/// True when the text surely can't take up the line after it, because a reader of the shell's language has seen all that is
/// opened in it closed. Errs to `false`, and then nothing stands behind the text that it could reach into.
pub(super) fn may_follow(kind: ShellKind, text: &str) -> bool {
    let is_whole = |dialect| wholeness(text, dialect) == Wholeness::Whole;
    let whole = match kind {
        ShellKind::Bash => is_whole(Dialect::Bash),
        ShellKind::Zsh => is_whole(Dialect::Zsh),
        ShellKind::Posix => is_whole(Dialect::Posix),
        // fish reads the text and the line together before it runs either: what is open is an error and runs nothing.
        ShellKind::Fish => true,
        ShellKind::Other => false,
    };
    whole && here_documents_are_closed(text) && !ends_open(text) && braces_match(text)
}

/// True when `${` can't be open, in whose error message bash would show the line.
fn braces_match(text: &str) -> bool {
    text.matches('{').count() == text.matches('}').count()
}

/// True when the last line asks for more: `a |`, `a &&`, `f()`, `x=(`, also with a comment after it.
fn ends_open(text: &str) -> bool {
    for line in text.lines().rev() {
        let comments = line.match_indices('#').map(|(at, _)| at);
        let is_open = comments.chain([line.len()]).any(|end| asks_for_more(line[..end].trim_end()));
        if is_open {
            return true;
        }
        let line = line.trim_start();
        if !line.is_empty() && !line.starts_with('#') {
            return false;
        }
    }
    false
}

fn asks_for_more(line: &str) -> bool {
    let opening = |word: &str| ["function", "case", "for", "select", "foreach", "repeat"].contains(&word);
    let names_something = || line.split_whitespace().rev().nth(1).is_some_and(opening);
    let ends_call = || line.strip_suffix(')').is_some_and(|line| line.trim_end().ends_with('('));
    line.ends_with(['|', '(', '{']) || line.ends_with("&&") || ends_call() || names_something()
}

/// Each `<<` that is not `<<<` must be followed by a delimiter that stands alone on a later line.
fn here_documents_are_closed(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    // Lines up to here belong to here-documents that were closed.
    let mut closed_to = 0;
    for (number, line) in lines.iter().enumerate() {
        let mut rest = *line;
        while let Some(at) = rest.find("<<") {
            rest = &rest[at + 2..];
            if let Some(after) = rest.strip_prefix('<') {
                rest = after;
                continue;
            }
            let (strips_tabs, word) = match rest.strip_prefix('-') {
                Some(word) => (true, word),
                None => (false, rest),
            };
            let Some(delimiter) = delimiter(word) else { return false };
            let from = closed_to.max(number + 1);
            let is_end = |line: &&str| {
                let line = if strips_tabs { line.trim_start_matches('\t') } else { line };
                line == delimiter
            };
            match lines.get(from..).and_then(|later| later.iter().position(is_end)) {
                Some(length) => closed_to = from + length + 1,
                None => return false,
            }
        }
    }
    true
}

/// The word after `<<`, when it is a plain or a quoted name.
fn delimiter(word: &str) -> Option<&str> {
    let word = word.trim_start_matches([' ', '\t']);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (name, after) = if let quote @ ('\'' | '"') = word.chars().next()? {
        word[1..].split_once(quote)?
    } else {
        let word = word.strip_prefix('\\').unwrap_or(word);
        word.split_at(word.find(|c| !is_name(c)).unwrap_or(word.len()))
    };
    let ends_here = after.chars().next().is_none_or(|c| " \t;|&<>)".contains(c));
    (!name.is_empty() && name.chars().all(is_name) && ends_here).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_ends_are_seen() {
        let cases = [
            ("echo a | cat", true),
            ("cat <<< word", true),
            ("cat <<EOF\na\nEOF", true),
            ("cat <<EOF\na\nEOF\n", true),
            ("cat <<-'EOF' | sort\n\ta\n\tEOF\necho b", true),
            ("cat <<A <<B\n1\nA\n2\nB", true),
            ("cat <<A; cat <<A\n1\nA\n2\nA", true),
            ("cat <<\"EOF\"\nEOF", true),
            ("cat <<\\EOF\nEOF", false),
            ("cat <<EOF\na", false),
            ("cat <<EOF", false),
            ("cat <<EOF\n EOF", false),
            ("cat <<A; cat <<A\n1\nA\n2", false),
            ("cat <<B <<A\n1\nA\n2\nB", false),
            ("cat <<E$x\nE", false),
            ("cat <<'E F'\nE F", false),
            ("echo $((1<<2))", false),
            ("cat <<\nEOF", false),
            ("(exit 3)", true),
            ("echo a &", true),
            ("f() { :; }", true),
            ("function f { :; }", false),
            ("true && # then\n\n# what", false),
            ("true |", false),
            ("f ( )\n", false),
            ("function f", false),
            ("x=(", false),
            ("for x", false),
            ("echo ${x", false),
            ("echo 'x", false),
            ("if true; then", false),
            ("if true; then :; fi", true),
        ];
        for (text, closed) in cases {
            assert_eq!(may_follow(ShellKind::Bash, text), closed, "{text:?}");
        }
    }
}
