//! Scripts of sed that choose, change and print lines, and nothing else: no `w`, no `r`, no `e`.

use super::awk::brackets_close;
use super::flags::Flags;
use super::paths::readable;
use crate::Place;

const FLAGS: Flags = Flags {
    short: "nErszu",
    valued: "e",
    long: &["quiet", "silent", "regexp-extended", "separate", "null-data"],
    long_valued: &["expression"],
    number: false,
};

/// Whether a call of sed only prints.
pub(super) fn proven(args: &[&str], place: &Place) -> bool {
    let Some(parsed) = FLAGS.parse(args) else { return false };
    let is_script = |flag: &str| matches!(flag, "-e" | "--expression");
    let mut scripts: Vec<&str> =
        parsed.given.iter().filter(|(flag, _)| is_script(flag)).filter_map(|(_, value)| *value).collect();
    let mut files = parsed.operands.as_slice();
    if scripts.is_empty() {
        let Some((script, rest)) = files.split_first() else { return false };
        scripts.push(script);
        files = rest;
    }
    scripts.iter().all(|script| prints(script)) && files.iter().all(|file| readable(file, place))
}

/// Whether a script only prints.
fn prints(script: &str) -> bool {
    let mut script = Script(script);
    while !script.0.is_empty() {
        if script.command().is_none() {
            return false;
        }
    }
    true
}

struct Script<'a>(&'a str);

impl Script<'_> {
    fn blanks(&mut self) {
        self.0 = self.0.trim_start_matches([' ', '\t']);
    }

    /// Takes a sign, when it stands here.
    fn take(&mut self, signs: &[char]) -> Option<char> {
        let c = self.0.chars().next().filter(|c| signs.contains(c))?;
        self.0 = &self.0[c.len_utf8()..];
        Some(c)
    }

    /// One command with its addresses.
    fn command(&mut self) -> Option<()> {
        self.0 = self.0.trim_start_matches([' ', '\t', ';', '\n']);
        if self.0.is_empty() {
            return Some(());
        }
        if self.address()? {
            self.blanks();
            if self.take(&[',']).is_some() {
                self.blanks();
                self.take(&['+']);
                if !self.address()? {
                    return None;
                }
            }
        }
        self.blanks();
        self.take(&['!']);
        self.blanks();
        let name = self.take(&['p', 'd', 'q', '=', 'n', 'N', 'D', 'P', 'h', 'H', 'g', 'G', 'x', 's', 'y', '{', '}'])?;
        match name {
            's' => self.substitution()?,
            'y' => {
                let delimiter = self.delimiter()?;
                self.part(delimiter)?;
                self.part(delimiter)?;
            }
            '{' | '}' => return Some(()),
            _ => {}
        }
        self.blanks();
        (self.0.is_empty() || self.0.starts_with([';', '\n', '}'])).then_some(())
    }

    /// Takes an address, when one stands here.
    fn address(&mut self) -> Option<bool> {
        if self.take(&['$']).is_some() {
            return Some(true);
        }
        if self.take(&['/']).is_some() {
            self.part('/')?;
            self.take(&['I']);
            return Some(true);
        }
        let number = self.0.len() - self.0.trim_start_matches(|c: char| c.is_ascii_digit() || c == '~').len();
        self.0 = &self.0[number..];
        Some(number > 0)
    }

    fn delimiter(&mut self) -> Option<char> {
        self.take(&['/', '|', ',', '#', '@', ':', '_', '!', '%', '+', ';'])
    }

    /// Takes the text up to a delimiter.
    fn part(&mut self, delimiter: char) -> Option<()> {
        let mut escaped = false;
        for (at, c) in self.0.char_indices() {
            match c {
                '\n' => return None,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                c if c == delimiter => {
                    // Versions of sed disagree on a delimiter in brackets.
                    let whole = brackets_close(&self.0[..at]);
                    self.0 = &self.0[at + c.len_utf8()..];
                    return whole.then_some(());
                }
                _ => {}
            }
        }
        None
    }

    /// `s/…/…/` with flags that neither write nor run.
    fn substitution(&mut self) -> Option<()> {
        let delimiter = self.delimiter()?;
        self.part(delimiter)?;
        self.part(delimiter)?;
        self.0 = self.0.trim_start_matches(|c: char| matches!(c, 'g' | 'p' | 'i' | 'I') || c.is_ascii_digit());
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::prints;

    #[test]
    fn scripts() {
        for script in [
            "1,5p",
            "$p",
            "5q",
            "/start/,/end/p",
            "/^#/d",
            "s/a/b/",
            "s/a/b/g;s/c/d/",
            "s|a/b|c|gI",
            "s,a\\,b,c,2p",
            "2~3p",
            "1!d",
            "/x/{s/a/b/;p}",
            "1,+3p",
            "=",
            "y/abc/xyz/",
            "s/[0-9]*$//",
        ] {
            assert!(prints(script), "{script}");
        }
        for script in [
            "w x",
            "1w x",
            "s/a/b/w x",
            "s/a/b/e",
            "s/a/b/gw x",
            "e id",
            "1e id",
            "r /etc/shadow",
            "R x",
            "W x",
            "/x/w y",
            "s/a/b/;w x",
            "s/[/]/x/w y/",
            "a text",
            "i\\",
            "c x",
            "s/a",
            "s/a/b",
            "F",
            "Q",
            "b end",
            "1,5",
            "\\cxcw y",
            "s\nab\nc\nw x",
            "y/a/b/w x",
            "{w x}",
            "}w x",
        ] {
            assert!(!prints(script), "{script}");
        }
    }
}
