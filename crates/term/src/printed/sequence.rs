//! Escape sequences in what a program printed: how long they are, and what is text between them.

pub(super) const ESC: u8 = 0x1b;
const DEL: u8 = 0x7f;
/// A sequence that is longer than this is none, but what a binary file looks like.
pub const LONGEST_SEQUENCE: usize = 4096;

/// The length of the sequence that these bytes begin with; `None` when its end is not there.
pub fn sequence(bytes: &[u8]) -> Option<usize> {
    let rest = bytes.get(2..).unwrap_or_default();
    let after = match bytes.get(1)? {
        b'[' => rest.iter().position(|byte| !(0x20..0x40).contains(byte))? + 1,
        // Commands to the terminal with a text: they end with BEL, or ESC and a backslash.
        b']' | b'P' | b'X' | b'^' | b'_' => match rest.iter().position(|byte| matches!(byte, 0x07 | 0x1b))? {
            bell if rest[bell] == 0x07 => bell + 1,
            escape => match rest.get(escape + 1)? {
                b'\\' => escape + 2,
                // Another sequence begins, which ends this one.
                _ => escape,
            },
        },
        0x20..=0x2f => rest.iter().position(|byte| !(0x20..0x30).contains(byte))? + 1,
        _ => 0,
    };
    Some(2 + after)
}

/// The bytes that show something, and where they are.
pub(super) fn visible(bytes: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let (here, byte) = (at, *bytes.get(at)?);
            at += if byte == ESC { sequence(&bytes[at..]).unwrap_or(bytes.len()) } else { 1 };
            if byte > b' ' && byte != DEL {
                return Some((here, byte));
            }
        }
    })
}

/// How many of the bytes there are before a sequence that has begun at their end and is not complete.
pub fn whole_sequences(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == ESC) {
        let begin = at + found;
        match sequence(&bytes[begin..]) {
            Some(length) => at = begin + length,
            None if bytes.len() - begin > LONGEST_SEQUENCE => at = begin + 1,
            None => return begin,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_is_never_cut() {
        for text in [
            "a\u{1b}[31m",
            "a\u{1b}]0;t\u{7}",
            "a\u{1b}]0;t\u{1b}\\",
            "a\u{1b}P1$r\u{1b}\\",
            "a\u{1b}(B",
            "a\u{1b}=",
            "a\u{1b}[?25;1h",
        ] {
            assert_eq!(whole_sequences(text.as_bytes()), text.len(), "{text:?}");
            for cut in 2..text.len() {
                assert_eq!(whole_sequences(&text.as_bytes()[..cut]), 1, "{text:?} cut at {cut}");
            }
        }
        let endless = format!("\u{1b}]{}", "x".repeat(2 * LONGEST_SEQUENCE));
        assert_eq!(whole_sequences(endless.as_bytes()), endless.len(), "what never ends is not waited for");
    }
}
