//! A log's bytes without escape sequences, line by line: as many lines come out as go in.

use flightdeck_term::screen::plain;

use crate::terminals::sequence::sequence;

/// A sequence that is longer than this is none, but what a binary file looks like.
const LONGEST_SEQUENCE: usize = 4096;

/// Each line as it would look by itself: sequences are gone, and what a line was overwritten with is what is left.
pub(super) fn shown(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let (line, end) = match line {
            [line @ .., b'\r', b'\n'] | [line @ .., b'\n'] => (line, "\n"),
            line => (line, ""),
        };
        if line.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') {
            text.push_str(&one_line(line));
        } else {
            text.push_str(&String::from_utf8_lossy(line));
        }
        text.push_str(end);
    }
    text
}

/// A line by itself. Sequences may move the cursor to other lines, which are not there.
fn one_line(line: &[u8]) -> String {
    let text = plain(line);
    let kept: Vec<_> = text.split('\n').filter(|part| !part.is_empty()).collect();
    kept.join(" ")
}

/// How many of the bytes there are before a sequence that has begun at their end and is not complete.
pub(super) fn whole_sequences(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == 0x1b) {
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
    fn lines_stay_and_sequences_go() {
        for (bytes, text) in [
            ("plain\r\nlines\n", "plain\nlines\n"),
            ("\u{1b}[31mred\u{1b}[0m\r\n", "red\n"),
            ("\u{1b}]0;title\u{7}a\u{1b}]8;;x\u{1b}\\b", "ab"),
            ("10%\r20%\r100%\r\n", "100%\n"),
            ("ab\u{8}c\n", "ac\n"),
            ("tab\tstays\n", "tab\tstays\n"),
            ("日本\u{1b}[1m語\u{1b}[0m 🦀\n", "日本語 🦀\n"),
            ("\u{1b}[H\u{1b}[2J\u{1b}[3J$ ", "$ "),
            ("a\n\n\nb", "a\n\n\nb"),
            ("\u{1b}[A\u{1b}[2Kup\n", "up\n"),
            ("%      \r \r\u{1b}[0mprompt> ", "prompt> "),
        ] {
            assert_eq!(shown(bytes.as_bytes()), text, "{bytes:?}");
            assert_eq!(text.matches('\n').count(), bytes.matches('\n').count(), "{bytes:?}");
        }
        assert_eq!(shown(b"a\xffb\n"), "a\u{fffd}b\n");
    }

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
