//! The marks that a shell prints for us. They are no output of anybody's, so logs are given without them: one may
//! hold newlines, which would count as lines that nobody sees.

use crate::session::{Kind, Session};

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;

/// What the marks of one shell begin with; no other program knows it.
#[derive(Debug)]
pub struct Marks(Option<Vec<u8>>);

/// How a text begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// With a mark of so many bytes.
    Mark(usize),
    /// With a mark whose end is not there, or what may become one.
    Cut,
    /// With something else.
    Text,
}

impl Marks {
    pub fn of(session: &Session) -> Self {
        Marks(match session.kind() {
            Kind::Shell(setup) => Some(format!("\x1b]7733;{};", setup.nonce.as_str()).into_bytes()),
            Kind::Command | Kind::Piped => None,
        })
    }

    #[cfg(test)]
    pub(super) fn beginning(prefix: &[u8]) -> Self {
        Marks(Some(prefix.to_vec()))
    }

    /// The bytes without the marks, and without one that is cut off at the end.
    pub fn remove(&self, bytes: &[u8]) -> Vec<u8> {
        self.replace(bytes, |_| &[])
    }

    /// The same for a text that is to be made plain: of a mark only what it is for is left, where that tells what belongs to a
    /// prompt and what to a command.
    pub fn fence(&self, bytes: &[u8]) -> Vec<u8> {
        self.replace(bytes, |kind| match kind {
            b'A' => b"\x1b]133;A\x07",
            b'C' | b'R' => b"\x1b]133;C\x07",
            _ => &[],
        })
    }

    fn replace(&self, bytes: &[u8], with: impl Fn(u8) -> &'static [u8]) -> Vec<u8> {
        let mut kept = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while let Some(begin) = find_escape(bytes, at) {
            kept.extend_from_slice(&bytes[at..begin]);
            at = match self.head(&bytes[begin..]) {
                Head::Mark(length) => {
                    kept.extend_from_slice(self.letter(&bytes[begin..]).map_or(&[], &with));
                    begin + length
                }
                Head::Cut if self.is_mark(&bytes[begin..]) => bytes.len(),
                Head::Cut | Head::Text => {
                    kept.push(ESC);
                    begin + 1
                }
            };
        }
        kept.extend_from_slice(&bytes[at..]);
        kept
    }

    /// How many bytes there are before a mark that is cut off at the end.
    pub fn whole(&self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while let Some(begin) = find_escape(bytes, at) {
            at = match self.head(&bytes[begin..]) {
                Head::Mark(length) => begin + length,
                Head::Cut => return begin,
                Head::Text => begin + 1,
            };
        }
        bytes.len()
    }

    /// Where the first whole mark begins and ends.
    pub fn next(&self, bytes: &[u8]) -> Option<(usize, usize)> {
        let mut at = 0;
        while let Some(begin) = find_escape(bytes, at) {
            match self.head(&bytes[begin..]) {
                Head::Mark(length) => return Some((begin, begin + length)),
                Head::Cut => return None,
                Head::Text => at = begin + 1,
            }
        }
        None
    }

    /// What the mark with which these bytes begin says.
    pub fn letter(&self, bytes: &[u8]) -> Option<u8> {
        bytes.get(self.0.as_ref()?.len()).copied()
    }

    /// How these bytes begin.
    pub fn head(&self, bytes: &[u8]) -> Head {
        let Some(prefix) = &self.0 else { return Head::Text };
        if !self.is_mark(bytes) {
            return if prefix.starts_with(bytes) { Head::Cut } else { Head::Text };
        }
        let body = &bytes[prefix.len()..];
        match body.iter().position(|byte| matches!(*byte, BEL | ESC)) {
            Some(end) => Head::Mark(prefix.len() + end + usize::from(body[end] == BEL)),
            None => Head::Cut,
        }
    }

    fn is_mark(&self, bytes: &[u8]) -> bool {
        self.0.as_ref().is_some_and(|prefix| bytes.starts_with(prefix))
    }
}

fn find_escape(bytes: &[u8], from: usize) -> Option<usize> {
    memchr::memchr(ESC, &bytes[from..]).map(|found| from + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_and_everything_else_stays() {
        let marks = Marks(Some(b"\x1b]7733;abc;".to_vec()));
        for (bytes, kept, whole) in [
            ("plain", "plain", 5),
            ("a\x1b]7733;abc;A\x07b", "ab", 15),
            ("a\x1b]7733;abc;D;h=1\r\n2\r\n\x07b\x1b[m", "ab\x1b[m", 27),
            ("a\x1b]7733;xyz;A\x07b", "a\x1b]7733;xyz;A\x07b", 15),
            ("a\x1b]7733;abc;D;h", "a", 1),
            ("a\x1b]7733;a", "a\x1b]7733;a", 1),
            ("a\x1b", "a\x1b", 1),
            ("a\x1b]7733;abc;D\x1b[mb", "a\x1b[mb", 17),
        ] {
            assert_eq!(String::from_utf8_lossy(&marks.remove(bytes.as_bytes())), kept, "{bytes:?}");
            assert_eq!(marks.whole(bytes.as_bytes()), whole, "{bytes:?}");
        }
        assert_eq!(Marks(None).whole(b"a\x1b]7733;abc;"), 12);
    }
}
