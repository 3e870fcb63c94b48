//! A terminal writes a carriage return before each newline that a program prints (ONLCR). The program did not print it.

/// The bytes as the program printed them, where that can be told: a newline without a return proves that the terminal
/// has left them alone, at least for a while.
pub(crate) fn as_printed(bytes: &[u8]) -> Vec<u8> {
    let translated = bytes.iter().enumerate().all(|(at, byte)| *byte != b'\n' || at > 0 && bytes[at - 1] == b'\r');
    if !translated {
        return bytes.to_vec();
    }
    let added = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
    (0..bytes.len()).filter(|at| !added(*at)).map(|at| bytes[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_terminal_has_added_is_taken_away() {
        for (bytes, printed) in [
            ("", ""),
            ("a", "a"),
            ("a\r\nb\r\n", "a\nb\n"),
            ("a\r\r\nb", "a\r\nb"),
            ("50%\r100%\r\n", "50%\r100%\n"),
            ("a\r\nb\nc\r\n", "a\r\nb\nc\r\n"),
            ("\nb\r\n", "\nb\r\n"),
            ("a\r", "a\r"),
        ] {
            assert_eq!(as_printed(bytes.as_bytes()), printed.as_bytes(), "{bytes:?}");
        }
    }
}
