//! The strict reader: bare words, quotes without expansions, four separators and five harmless redirections.

use std::ops::Range;

use super::CHANGES;
use crate::NotPlain;
use crate::shell::MAX_TOKENS;

/// First words that do not start a program but change how the rest is read, or where it happens.
pub(super) const MEANINGS: &[&str] = &[
    // Words of the grammar, of fish and zsh as well.
    "if",
    "then",
    "else",
    "elif",
    "fi",
    "for",
    "foreach",
    "while",
    "until",
    "do",
    "done",
    "case",
    "esac",
    "in",
    "select",
    "function",
    "time",
    "coproc",
    "repeat",
    "begin",
    "end",
    "switch",
    "and",
    "or",
    "not",
    "nocorrect",
    "noglob",
    "-",
    // Words that run or define something else.
    "eval",
    "exec",
    "source",
    ".",
    "alias",
    "unalias",
    "abbr",
    "command",
    "builtin",
    "trap",
    "enable",
    "disable",
    "autoload",
    "zmodload",
    "emulate",
    "complete",
    "compgen",
    "compopt",
    "bind",
    "bindkey",
    "sched",
    "zle",
    "fc",
    "history",
    "hash",
    "rehash",
    // Words that change the shell itself.
    "set",
    "setopt",
    "unsetopt",
    "shopt",
    "export",
    "declare",
    "typeset",
    "local",
    "readonly",
    "unset",
    "let",
    "read",
    "mapfile",
    "readarray",
    "getopts",
    "shift",
    "ulimit",
    "limit",
    "umask",
    "exit",
    "logout",
    "return",
    "break",
    "continue",
    "suspend",
    "fg",
    "bg",
    "disown",
    // Words that change the folder that the words after them are about.
    "cd",
    "chdir",
    "pushd",
    "popd",
];

/// Reads a text, or says where it stops being plain. Beside the commands it says how many words and quotes there are.
pub(crate) fn read(text: &str) -> Result<(Vec<Vec<String>>, usize), NotPlain> {
    let mut reader =
        Reader { text, at: 0, commands: Vec::new(), words: Vec::new(), tokens: 0, start: 0, joined: false };
    reader.text()?;
    Ok((reader.commands, reader.tokens))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    commands: Vec<Vec<String>>,
    words: Vec<String>,
    tokens: usize,
    /// Where the command starts that is being read.
    start: usize,
    /// Whether an operator waits for the command on its right.
    joined: bool,
}

fn refuse<T>(reason: impl Into<String>, span: Range<usize>) -> Result<T, NotPlain> {
    Err(NotPlain { reason: reason.into(), span })
}

/// What may stand in a word without quotes: characters that mean nothing to any common shell.
pub(super) fn bare(c: char) -> bool {
    match c {
        '_' | '-' | '.' | '/' | ':' | ',' | '@' | '%' | '+' | '=' => true,
        c if c.is_ascii() => c.is_ascii_alphanumeric(),
        c => c.is_alphanumeric(),
    }
}

/// What may stand between quotes, beside the quotes' own rules. Marks that turn the direction of text or that nobody
/// sees could show a person another command than the one that runs.
pub(super) fn visible(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{ad}')
}

pub(super) fn describe(c: char) -> String {
    match c {
        '*' | '?' | '[' | ']' => format!("it holds the pattern character {c}"),
        '$' => "it holds an expansion".to_owned(),
        '`' => "it holds a substitution".to_owned(),
        '\\' => "it holds a backslash".to_owned(),
        '~' => "it holds a ~ that stands for a home folder".to_owned(),
        '{' | '}' => "it holds a brace".to_owned(),
        '(' | ')' => "it holds a parenthesis".to_owned(),
        '!' => "it holds a ! that can stand for an earlier command".to_owned(),
        '#' => "it holds a # that can begin a comment".to_owned(),
        '&' => "it runs a command in the background".to_owned(),
        c if c.is_control() || !visible(c) || c.is_whitespace() => {
            format!("it holds the character {}", c.escape_unicode())
        }
        c => format!("it holds the character {c}"),
    }
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn starts(&self, with: &str) -> bool {
        self.text[self.at..].starts_with(with)
    }

    fn text(&mut self) -> Result<(), NotPlain> {
        loop {
            while matches!(self.peek(), Some(' ' | '\t')) {
                self.at += 1;
            }
            let Some(c) = self.peek() else { break };
            match c {
                '\n' if self.words.is_empty() => self.at += 1,
                '\n' | ';' => {
                    self.end_command(self.at..self.at + 1)?;
                    self.at += 1;
                    self.joined = false;
                }
                '&' if self.starts("&&") => self.join(2)?,
                '|' if self.starts("||") => self.join(2)?,
                '|' if !self.starts("|&") => self.join(1)?,
                '>' | '<' => self.redirection()?,
                c if c.is_ascii_digit() && self.descriptor() => self.redirection()?,
                _ => self.word()?,
            }
        }
        if !self.words.is_empty() {
            self.end_command(self.at..self.at)?;
        } else if self.joined {
            return refuse("it ends after an operator", self.at..self.at);
        }
        if self.commands.is_empty() {
            return refuse("it holds no command", 0..self.text.len());
        }
        Ok(())
    }

    fn join(&mut self, length: usize) -> Result<(), NotPlain> {
        self.end_command(self.at..self.at + length)?;
        self.at += length;
        self.joined = true;
        Ok(())
    }

    fn end_command(&mut self, operator: Range<usize>) -> Result<(), NotPlain> {
        let Some(first) = self.words.first() else {
            return refuse("a command is missing here", operator);
        };
        let span = self.start..operator.start;
        if MEANINGS.contains(&first.as_str()) {
            return refuse(format!("`{first}`{CHANGES}"), span);
        }
        if first.is_empty() {
            return refuse("the program's name is empty", span);
        }
        if first.contains('=') {
            return refuse("it begins with an assignment", span);
        }
        if first.starts_with(['%', '+', '-', '@', ',', ':']) && first != ":" {
            return refuse(format!("`{first}` is no program's name"), span);
        }
        self.commands.push(std::mem::take(&mut self.words));
        if self.tokens > MAX_TOKENS {
            return refuse("it holds more than 300 words", 0..self.text.len());
        }
        Ok(())
    }

    /// Whether the digits here are the descriptor of a redirection.
    fn descriptor(&self) -> bool {
        let rest = self.text[self.at..].trim_start_matches(|c: char| c.is_ascii_digit());
        rest.starts_with(['<', '>'])
    }

    fn redirection(&mut self) -> Result<(), NotPlain> {
        let rest = &self.text[self.at..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let operator = &rest[digits..];
        let length = redirection_length(&rest[..digits], operator);
        let Some(length) = length else {
            return refuse("it redirects input or output", self.at..self.at + digits + 1);
        };
        let end = self.at + digits + length;
        // The target must end here: `>/dev/nullx` is another file.
        match self.text[end..].chars().next() {
            None | Some(' ' | '\t' | '\n' | ';' | '|') => {}
            Some('&') if self.text[end..].starts_with("&&") => {}
            Some(_) => return refuse("it redirects input or output", self.at..end),
        }
        self.at = end;
        Ok(())
    }

    fn word(&mut self) -> Result<(), NotPlain> {
        if self.words.is_empty() {
            self.start = self.at;
        }
        let begin = self.at;
        let mut word = String::new();
        self.tokens += 1;
        while let Some(c) = self.peek() {
            match c {
                '\'' | '"' => self.quoted(c, &mut word)?,
                c if bare(c) => {
                    // `=ls` is a path in zsh, so an equals sign may not open a word.
                    if c == '=' && self.at == begin {
                        return refuse("a word begins with =", begin..begin + 1);
                    }
                    word.push(c);
                    self.at += c.len_utf8();
                }
                // `HEAD~1`: a ~ after a letter stands for no folder, unless something that looks like an assignment is before it.
                '~' if revision(&self.text[begin..], self.at - begin) => {
                    word.push(c);
                    self.at += 1;
                }
                ' ' | '\t' | '\n' | ';' | '|' | '<' | '>' => break,
                '&' if self.starts("&&") => break,
                c => return refuse(describe(c), self.at..self.at + c.len_utf8()),
            }
        }
        // A number right before < or > would be a descriptor in some shells and a word in others.
        if self.at == begin {
            let c = self.peek().unwrap_or(' ');
            return refuse(describe(c), begin..begin + c.len_utf8());
        }
        if matches!(self.peek(), Some('<' | '>')) {
            return refuse("it redirects input or output", begin..self.at + 1);
        }
        self.words.push(word);
        Ok(())
    }

    fn quoted(&mut self, quote: char, word: &mut String) -> Result<(), NotPlain> {
        let open = self.at;
        self.tokens += 1;
        self.at += 1;
        while let Some(c) = self.peek() {
            let span = self.at..self.at + c.len_utf8();
            self.at = span.end;
            match c {
                c if c == quote => return Ok(()),
                '$' | '`' | '\\' | '!' if quote == '"' => return refuse(describe(c), span),
                c if !visible(c) => return refuse(describe(c), span),
                c => word.push(c),
            }
        }
        refuse("a quote is not closed", open..self.text.len())
    }
}

/// Whether the ~ at a place of a word belongs to a revision such as `HEAD~2`.
pub(super) fn revision(word: &str, at: usize) -> bool {
    let after = word[at + 1..].chars().next();
    let before = &word[..at];
    before.ends_with(|c: char| c.is_ascii_alphanumeric())
        && !before.contains(['=', ':', '\'', '"'])
        && after.is_none_or(|c| c.is_ascii_digit() || matches!(c, ' ' | '\n' | '.' | ';' | '|'))
}

/// How long a redirection is, when it is one of the harmless ones.
fn redirection_length(descriptor: &str, operator: &str) -> Option<usize> {
    if descriptor.len() > 1 {
        return None;
    }
    if let Some(target) = operator.strip_prefix(">&") {
        return target.starts_with(|c: char| c.is_ascii_digit()).then_some(3);
    }
    let (arrow, target) = operator.split_at_checked(1)?;
    let space = target.len() - target.trim_start_matches(' ').len();
    let known = match (descriptor, arrow) {
        ("" | "1" | "2", ">") | ("" | "0", "<") => target[space..].starts_with("/dev/null"),
        _ => false,
    };
    known.then_some(1 + space + "/dev/null".len())
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn plain_texts() {
        let table: &[(&str, &[&[&str]])] = &[
            ("ls", &[&["ls"]]),
            ("  ls -l\t'a b' \"c d\"e'f' \n", &[&["ls", "-l", "a b", "c def"]]),
            ("a && b||c; d | e\nf", &[&["a"], &["b"], &["c"], &["d"], &["e"], &["f"]]),
            ("a &&\n b", &[&["a"], &["b"]]),
            ("make 2>&1 >/dev/null 2> /dev/null </dev/null", &[&["make"]]),
            ("cat x 1>&2|wc", &[&["cat", "x"], &["wc"]]),
            ("echo ''", &[&["echo", ""]]),
            ("git log --format='%h $x !y `z` \\n'", &[&["git", "log", "--format=%h $x !y `z` \\n"]]),
            ("écho ünï", &[&["écho", "ünï"]]),
            ("ls;", &[&["ls"]]),
            ("git diff HEAD~1 HEAD~", &[&["git", "diff", "HEAD~1", "HEAD~"]]),
        ];
        for (text, commands) in table {
            assert_eq!(read(text).expect(text).0, *commands, "{text}");
        }
    }

    #[test]
    fn other_texts() {
        for text in [
            "",
            " \n",
            "ls *",
            "ls ?",
            "ls [a]",
            "echo $x",
            "echo \"$x\"",
            "echo `x`",
            "echo \"a\\b\"",
            "echo a\\ b",
            "ls ~",
            "ls a~b",
            "ls a=b~1",
            "ls ~1",
            "ls ./~",
            "echo {a,b}",
            "a=b ls",
            "! ls",
            "ls # x",
            "ls &",
            "ls & ls",
            "(ls)",
            "f() { ls; }",
            "if true",
            "eval ls",
            ". x",
            "source x",
            "alias a=b",
            "command ls",
            "export A=b",
            "cd / && ls",
            "time ls",
            "ls > x",
            "ls >> /dev/null",
            "ls >/dev/nullx",
            "ls >/dev/null/x",
            "ls 2>&1x",
            "ls 12>&1",
            "ls &> /dev/null",
            "ls |& cat",
            "ls >&-",
            "ls <<< x",
            "ls << E\nE",
            "ls &&",
            "&& ls",
            "ls | | cat",
            "ls ;; ls",
            ";",
            "ls; ; ls",
            ">/dev/null",
            "echo 'a",
            "echo \"a",
            "echo 'a\nb'",
            "echo a\u{a0}b",
            "ls\u{a0}-l",
            "echo '\u{202e}x'",
            "ls\r\n",
            "ls \0",
            "echo \"hi!\"",
            "=ls",
            "ls =ls",
            "%1",
            "''",
            "- ls",
            "ls x2>/dev/null",
            "echo \u{1b}[0m",
            "'a=b' ls",
            "^a^b",
            "a^b",
        ] {
            assert!(read(text).is_err(), "{text:?} counted as plain");
        }
    }

    #[test]
    fn reasons_say_where() {
        let refused = read("echo hello $HOME").expect_err("an expansion");
        assert_eq!((refused.reason.as_str(), refused.span), ("it holds an expansion", 11..12));
    }
}
