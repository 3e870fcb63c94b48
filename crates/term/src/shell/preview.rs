//! What people see of a command that travels by file: its first lines, with nothing that a terminal obeys.

use super::line::SHOWN;

const MOST_LINES: usize = 5;
const MOST_CHARS: usize = 400;

/// The first lines of a command, made harmless. Lines are separated by `\n`; there is none at the end.
pub(super) fn preview(text: &str) -> String {
    let text = text.trim_matches('\n').trim_end();
    let mut shown = String::new();
    let mut chars = 0;
    for (number, line) in text.lines().enumerate() {
        if number == MOST_LINES {
            shown.push_str("\n  …");
            return shown;
        }
        shown.push_str(if number == 0 { SHOWN } else { "\n  " });
        for c in line.chars() {
            if chars == MOST_CHARS {
                shown.push('…');
                return shown;
            }
            chars += 1;
            shown.push(harmless(c));
        }
    }
    shown
}

/// Control characters become their pictures; those that reorder or hide text become a replacement character.
fn harmless(c: char) -> char {
    match c {
        '\t' => ' ',
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' => '\u{fffd}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_bounded_and_harmless() {
        let cases = [
            ("echo 'a'\n", "▸ echo 'a'"),
            ("for i in 1 2\ndo\techo $i\ndone", "▸ for i in 1 2\n  do echo $i\n  done"),
            ("echo \x1b]0;x\x07\r", "▸ echo ␛]0;x␇"),
            ("a\u{202e}b\u{9b}c", "▸ a\u{fffd}b\u{fffd}c"),
            ("1\n2\n3\n4\n5\n6\n7", "▸ 1\n  2\n  3\n  4\n  5\n  …"),
        ];
        for (text, shown) in cases {
            assert_eq!(preview(text), shown);
        }
        let long = preview(&"é".repeat(100_000));
        assert_eq!(long.chars().count(), 2 + MOST_CHARS + 1);
    }
}
