//! Programs of awk that compute and print, and nothing else.
//!
//! The text is divided into tokens. What could start a program, write a file, read one that was not named, or tell the
//! environment is refused: `|`, `>` outside of a comparison, `getline`, `system`, `ENVIRON`, `ARGV`, calls of functions that
//! are not known, and everything on whose meaning the versions of awk disagree.

use super::flags::Flags;
use super::paths::readable;
use crate::Place;

const FLAGS: Flags = Flags { short: "", valued: "Fv", long: &[], long_valued: &[], number: false };

/// Words of the language and functions that only compute.
const FUNCTIONS: &[&str] = &[
    "length", "substr", "index", "split", "sub", "gsub", "match", "tolower", "toupper", "sprintf", "int", "sqrt",
    "sin", "cos", "atan2", "exp", "log", "rand", "srand", "if", "while", "for", "print", "printf", "in", "return",
    "exit", "else", "do", "delete", "gensub", "strftime", "systime", "asort", "asorti", "BEGIN", "END", "and", "or",
    "xor",
];
/// Names that reach beyond the input.
const BEYOND: &[&str] = &[
    "system",
    "getline",
    "ENVIRON",
    "ARGV",
    "ARGC",
    "SYMTAB",
    "FUNCTAB",
    "PROCINFO",
    "close",
    "fflush",
    "func",
    "function",
    "nextfile",
    "BEGINFILE",
    "ENDFILE",
    "ERRNO",
    "BINMODE",
    "LINT",
    "TEXTDOMAIN",
];

/// Whether a call of awk reads nothing but its files and runs nothing.
pub(super) fn proven(args: &[&str], place: &Place) -> bool {
    let Some(parsed) = FLAGS.parse(args) else { return false };
    // A flag behind the program is a file to some and a flag to others.
    let Some(at) = args.iter().position(|arg| Some(arg) == parsed.operands.first()) else { return false };
    if args[at + 1..].iter().any(|arg| arg.starts_with('-') && *arg != "-") {
        return false;
    }
    let Some((program, files)) = parsed.operands.split_first() else { return false };
    let sets = |value: &str| value.split_once('=').is_some_and(|(name, _)| ordinary(name));
    parsed.given.iter().all(|(flag, value)| flag != "-v" || value.is_some_and(sets))
        && files.iter().all(|file| readable(file, place) && (!file.contains('=') || sets(file)))
        && computes(program)
}

fn ordinary(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !BEYOND.contains(&name)
}

/// Where the reading of a program stands.
struct Program<'a> {
    rest: &'a str,
    braces: usize,
    parentheses: usize,
    /// Whether a `/` here divides.
    after_value: bool,
}

/// Whether a program only computes and prints.
fn computes(text: &str) -> bool {
    let mut program = Program { rest: text, braces: 0, parentheses: 0, after_value: false };
    while let Some(c) = program.rest.chars().next() {
        if program.token(c).is_none() {
            return false;
        }
    }
    program.braces == 0 && program.parentheses == 0
}

impl Program<'_> {
    /// Takes one token; `None` when it may do more than compute.
    fn token(&mut self, c: char) -> Option<()> {
        let length = match c {
            ' ' | '\t' => 1,
            '"' => {
                let end = closing(&self.rest[1..], '"')?;
                self.after_value = true;
                end + 2
            }
            '/' if !self.after_value => {
                let end = closing(&self.rest[1..], '/')?;
                // Some take a slash in brackets for the end, others not.
                if !brackets_close(&self.rest[1..=end]) {
                    return None;
                }
                self.after_value = true;
                end + 2
            }
            '{' => {
                self.braces += 1;
                self.operator(1)
            }
            '}' => {
                self.braces = self.braces.checked_sub(1)?;
                self.operator(1)
            }
            '(' | '[' => {
                self.parentheses += 1;
                self.operator(1)
            }
            ')' | ']' => {
                self.parentheses = self.parentheses.checked_sub(1)?;
                self.after_value = true;
                1
            }
            '|' => self.rest.starts_with("||").then(|| self.operator(2))?,
            '&' => self.rest.starts_with("&&").then(|| self.operator(2))?,
            // In a pattern and between parentheses it compares; behind a `print` it writes.
            '>' if self.rest.starts_with(">>") => return None,
            '>' if self.braces == 0 || self.parentheses > 0 => {
                let length = if self.rest.starts_with(">=") { 2 } else { 1 };
                self.operator(length)
            }
            '\n' | ';' | ',' | '?' | ':' | '<' | '=' | '!' | '~' | '+' | '-' | '*' | '%' | '^' | '/' | '$' => {
                self.operator(1)
            }
            c if c.is_ascii_digit() || c == '.' => {
                self.after_value = true;
                self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '.').len()
            }
            c if c.is_ascii_alphabetic() || c == '_' => self.name()?,
            _ => return None,
        };
        self.rest = &self.rest[length..];
        Some(())
    }

    fn operator(&mut self, length: usize) -> usize {
        self.after_value = false;
        length
    }

    fn name(&mut self) -> Option<usize> {
        let length =
            self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
        let (name, after) = self.rest.split_at(length);
        let called = after.trim_start_matches([' ', '\t']).starts_with('(');
        if BEYOND.contains(&name) || (called && !FUNCTIONS.contains(&name)) {
            return None;
        }
        // `print /x/` prints whether it matches; `n /x/` divides. Words of the language are no values.
        self.after_value = !FUNCTIONS.contains(&name) || name == "length";
        Some(length)
    }
}

/// Where the sign stands that closes a text, with backslashes counted.
fn closing(text: &str, close: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == close => return Some(at),
            _ => {}
        }
    }
    None
}

/// Whether no bracket is left open in a regular expression.
pub(super) fn brackets_close(expression: &str) -> bool {
    let mut open = false;
    let mut escaped = false;
    for c in expression.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => open = true,
            ']' => open = false,
            _ => {}
        }
    }
    !open
}

#[cfg(test)]
mod tests {
    use super::computes;

    #[test]
    fn programs() {
        for text in [
            "{print $1}",
            "{ print $1, $NF }",
            "NR>1",
            "NR==1,NR==5",
            "$3 > 100 {print $1}",
            "{s+=$1} END {print s/NR}",
            "/error/ {n++} END {print n}",
            "BEGIN{FS=\":\"} {print $1 \"|\" $2}",
            "{ if ($1 > 3) print \"a > b\" }",
            "{a[$1]++} END {for (k in a) print k, a[k]}",
            "!seen[$0]++",
            "length($0) > 80",
            "{ printf \"%-20s %s\\n\", $1, $2 }",
            "{ gsub(/a[b\\/]c/, \"x\"); print }",
            "$1 ~ /^[0-9]+$/ && $2 != \"\" || NF",
            "1",
        ] {
            assert!(computes(text), "{text}");
        }
        for text in [
            "BEGIN{system(\"id\")}",
            "{system (\"id\")}",
            "{print > \"x\"}",
            "{print $1 > \"/dev/stderr\"}",
            "{print (1) > \"x\"}",
            "{print >> \"x\"}",
            "{print | \"sh\"}",
            "{\"id\" | getline x}",
            "{getline < \"/etc/shadow\"}",
            "BEGIN{while((getline l < \"/etc/shadow\")>0)print l}",
            "{print |& \"x\"}",
            "BEGIN{print ENVIRON[\"HOME\"]}",
            "BEGIN{ARGV[1]=\"/etc/shadow\";ARGC=2}{print}",
            "BEGIN{SYMTAB[\"ARGV\"]=1}",
            "@load \"x\"",
            "@include \"x\"",
            "BEGIN{f=\"system\";@f(\"id\")}",
            "function f(){}",
            "{print f(1)}",
            "{print \"a",
            "{print /[/]/ > \"x\"/}",
            "{print /a",
            "# comment",
            "{print $1",
            "}{",
            "{print `id`}",
            "{print 1 > 2}",
            "{x = 1 / 2; print 3 > \"a/b\"}",
        ] {
            assert!(!computes(text), "{text}");
        }
    }
}
