//! A log's bytes without escape sequences, line by line: as many lines come out as go in.

use flightdeck_term::screen::plain;

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
}
