//! The reader for headless runs, whose shell is always `/bin/sh -c`: no history, no aliases, no start-up files. So it may
//! know a few more signs than the strict one, and refuses the rest in the same way.

use std::ops::Range;

use super::CHANGES;
use super::reader::{MEANINGS, bare, describe, revision, visible};
use super::step::{Joint, Sign, Step, Term};
use crate::NotPlain;
use crate::shell::MAX_TOKENS;

/// Reads a text, or says where it stops being what can be proven. Beside the commands it says how many words and quotes
/// there are.
pub(super) fn read(text: &str) -> Result<(Vec<Step>, usize), NotPlain> {
    let mut reader = Reader { text, at: 0, tokens: 0, steps: Vec::new(), open: None };
    reader.text()?;
    Ok((reader.steps, reader.tokens))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    tokens: usize,
    steps: Vec<Step>,
    /// The command that is being read.
    open: Option<Step>,
}

fn refuse<T>(reason: impl Into<String>, span: Range<usize>) -> Result<T, NotPlain> {
    Err(NotPlain { reason: reason.into(), span })
}

/// The first words that the strict reader refuses and this one knows: they are followed, not run.
const FOLLOWED: &[&str] = &["cd", "command"];

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
                '\n' if self.open.is_none() => self.at += 1,
                '\n' | ';' => self.join(Joint::End, 1)?,
                '&' if self.starts("&&") => self.join(Joint::And, 2)?,
                '|' if self.starts("||") => self.join(Joint::Or, 2)?,
                '|' if !self.starts("|&") => self.join(Joint::Pipe, 1)?,
                '>' | '<' => self.redirection()?,
                c if c.is_ascii_digit() && self.descriptor() => self.redirection()?,
                _ => self.word()?,
            }
        }
        if self.open.is_some() {
            self.join(Joint::End, 0)?;
        }
        match self.steps.last() {
            None => refuse("it holds no command", 0..self.text.len()),
            Some(last) if last.joint != Joint::End => refuse("it ends after an operator", self.at..self.at),
            Some(_) => Ok(()),
        }
    }

    fn join(&mut self, joint: Joint, length: usize) -> Result<(), NotPlain> {
        let operator = self.at..self.at + length;
        let Some(mut step) = self.open.take() else { return refuse("a command is missing here", operator) };
        step.joint = joint;
        step.span.end = self.at;
        self.check(&step)?;
        self.steps.push(step);
        self.at = operator.end;
        Ok(())
    }

    fn check(&self, step: &Step) -> Result<(), NotPlain> {
        let span = step.span.clone();
        let Some(first) = step.words.first() else {
            return match step.env.first() {
                Some((name, _)) => refuse(format!("`{name}=` only sets a variable"), span),
                None => refuse("a command is missing here", span),
            };
        };
        let name = first.text.as_str();
        if first.pattern.is_some() {
            return refuse("the program is a pattern", span);
        }
        if MEANINGS.contains(&name) && !FOLLOWED.contains(&name) {
            return refuse(format!("`{name}`{CHANGES}"), span);
        }
        if name.is_empty() || name.contains('=') {
            return refuse("it begins with no program's name", span);
        }
        if name.starts_with(['%', '+', '-', '@', ',', ':', '^', '!', ']']) && name != ":" {
            return refuse(format!("`{name}` is no program's name"), span);
        }
        if self.tokens > MAX_TOKENS {
            return refuse("it holds more than 300 words", 0..self.text.len());
        }
        Ok(())
    }

    fn step(&mut self) -> &mut Step {
        let at = self.at;
        self.open.get_or_insert_with(|| Step {
            env: Vec::new(),
            words: Vec::new(),
            inputs: Vec::new(),
            joint: Joint::End,
            span: at..at,
        })
    }

    /// Whether the digits here are the descriptor of a redirection.
    fn descriptor(&self) -> bool {
        self.text[self.at..].trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['<', '>'])
    }

    /// Between descriptors, to `/dev/null`, or from a file.
    fn redirection(&mut self) -> Result<(), NotPlain> {
        let from = self.at;
        let digits = usize::from(self.peek().is_some_and(|c| c.is_ascii_digit()));
        let descriptor = &self.text[from..from + digits];
        let rest = &self.text[from + digits..];
        let whole = from..from + digits + 1;
        if let Some(target) = rest.strip_prefix(">&") {
            if !target.starts_with(|c: char| c.is_ascii_digit()) {
                return refuse("it redirects output", whole);
            }
            self.at = from + digits + 3;
            return if self.ends_here() { Ok(()) } else { refuse("it redirects output", whole) };
        }
        let reads = rest.starts_with('<') && matches!(descriptor, "" | "0");
        let writes = rest.starts_with('>') && matches!(descriptor, "" | "1" | "2");
        if !(reads || writes) || rest[1..].starts_with(['<', '>', '&', '(', '|']) {
            return refuse("it redirects input or output", whole);
        }
        self.at = from + digits + 1;
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.at += 1;
        }
        let target = self.term()?;
        if target.pattern.is_some() || (writes && target.text != "/dev/null") {
            return refuse("it redirects input or output", whole.start..self.at);
        }
        self.step();
        if target.text != "/dev/null" {
            self.step().inputs.push(target.text);
        }
        Ok(())
    }

    /// Whether a word ends here.
    fn ends_here(&self) -> bool {
        match self.peek() {
            None | Some(' ' | '\t' | '\n' | ';' | '|') => true,
            Some('&') => self.starts("&&"),
            Some(_) => false,
        }
    }

    fn word(&mut self) -> Result<(), NotPlain> {
        let begin = self.at;
        self.step();
        let term = self.term()?;
        let written = &self.text[begin..self.at];
        if matches!(self.peek(), Some('<' | '>')) {
            return refuse("it redirects input or output", begin..self.at + 1);
        }
        let assigned = written.split_once('=').filter(|(name, _)| {
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        });
        let step = self.step();
        match assigned {
            Some((name, value)) if step.words.is_empty() => {
                if term.text != written || term.pattern.is_some() {
                    return refuse("it begins with an assignment", begin..begin + written.len());
                }
                step.env.push((name.to_owned(), value.to_owned()));
            }
            _ => step.words.push(term),
        }
        Ok(())
    }

    /// A word, with what of it is a pattern.
    fn term(&mut self) -> Result<Term, NotPlain> {
        let begin = self.at;
        let mut signs: Vec<Sign> = Vec::new();
        self.tokens += 1;
        if let Some(sign) = self.single() {
            self.at += 1;
            return Ok(Term { text: sign.to_string(), pattern: None, end: self.at });
        }
        while let Some(c) = self.peek() {
            match c {
                '\'' | '"' => self.quoted(c, &mut signs)?,
                '*' | '?' => {
                    signs.push(if c == '*' { Sign::Any } else { Sign::One });
                    self.at += 1;
                }
                '\\' => {
                    let escaped = self.text[self.at + 1..].chars().next();
                    let Some(escaped) = escaped.filter(|c| c.is_ascii_punctuation() || *c == ' ') else {
                        return refuse(describe(c), self.at..self.at + 1);
                    };
                    signs.push(Sign::Just(escaped));
                    self.at += 2;
                }
                '=' if self.at == begin => return refuse("a word begins with =", begin..begin + 1),
                c if bare(c) || c == '^' => {
                    signs.push(Sign::Just(c));
                    self.at += c.len_utf8();
                }
                '~' if revision(&self.text[begin..], self.at - begin) => {
                    signs.push(Sign::Just(c));
                    self.at += 1;
                }
                ' ' | '\t' | '\n' | ';' | '|' | '<' | '>' => break,
                '&' if self.starts("&&") => break,
                c => return refuse(describe(c), self.at..self.at + c.len_utf8()),
            }
        }
        if self.at == begin {
            let c = self.peek().unwrap_or(' ');
            return refuse(describe(c), begin..begin + c.len_utf8());
        }
        let spelled = |sign: &Sign| match sign {
            Sign::Just(c) => *c,
            Sign::One => '?',
            Sign::Any => '*',
        };
        let text = signs.iter().map(spelled).collect();
        let is_pattern = signs.iter().any(|sign| !matches!(sign, Sign::Just(_)));
        Ok(Term { text, pattern: is_pattern.then_some(signs), end: self.at })
    }

    /// `[`, `]` and `!`, which mean something only inside of longer words or as the first one.
    fn single(&self) -> Option<char> {
        let sign = self.peek().filter(|c| matches!(c, '[' | ']' | '!'))?;
        let after = self.text[self.at + 1..].chars().next();
        after.is_none_or(|c| matches!(c, ' ' | '\t' | '\n' | ';' | '|' | '&')).then_some(sign)
    }

    fn quoted(&mut self, quote: char, signs: &mut Vec<Sign>) -> Result<(), NotPlain> {
        let open = self.at;
        self.tokens += 1;
        self.at += 1;
        while let Some(c) = self.peek() {
            let span = self.at..self.at + c.len_utf8();
            self.at = span.end;
            match c {
                c if c == quote => return Ok(()),
                '$' | '`' | '!' if quote == '"' => return refuse(describe(c), span),
                '\\' if quote == '"' => match self.peek() {
                    Some(c @ ('$' | '`' | '"' | '\\')) => {
                        signs.push(Sign::Just(c));
                        self.at += 1;
                    }
                    Some('\n') | None => return refuse(describe('\\'), span),
                    Some(_) => signs.push(Sign::Just('\\')),
                },
                c if !visible(c) => return refuse(describe(c), span),
                c => signs.push(Sign::Just(c)),
            }
        }
        refuse("a quote is not closed", open..self.text.len())
    }
}
