//! Where a read may be cut: never inside a UTF-8 character.

/// How many bytes at the end begin a character that is not complete yet.
///
/// Bytes that can't become a character whatever follows are not counted: they are shown as they are.
pub fn incomplete_tail(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        let byte = bytes[bytes.len() - back];
        if byte & 0b1100_0000 == 0b1000_0000 {
            continue;
        }
        let needed = match byte {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => 1,
        };
        let incomplete = back < needed
            && matches!(std::str::from_utf8(&bytes[bytes.len() - back..]), Err(e) if e.error_len().is_none());
        return if incomplete { back } else { 0 };
    }
    0
}

/// How many bytes at the beginning continue a character whose start was cut off.
pub fn stray_head(bytes: &[u8]) -> usize {
    bytes.iter().take(3).take_while(|b| **b & 0b1100_0000 == 0b1000_0000).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails() {
        let cases: &[(&[u8], usize)] = &[
            (b"", 0),
            (b"abc", 0),
            ("é".as_bytes(), 0),
            (&"é".as_bytes()[..1], 1),
            (&"€".as_bytes()[..1], 1),
            (&"€".as_bytes()[..2], 2),
            (&"😀".as_bytes()[..3], 3),
            ("😀".as_bytes(), 0),
            (b"a\xff", 0),
            (b"a\x80\x80", 0),
            // An overlong form can never become a character, so nothing waits for it.
            (b"\xe0\x80", 0),
        ];
        for (bytes, expected) in cases {
            assert_eq!(incomplete_tail(bytes), *expected, "{bytes:x?}");
        }
    }

    #[test]
    fn heads() {
        assert_eq!(stray_head(&"€uro".as_bytes()[1..]), 2);
        assert_eq!(stray_head("€uro".as_bytes()), 0);
    }
}
