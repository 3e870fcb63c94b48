//! Output as a transcript: text without escape sequences that only ever grows. Unlike [`plain`](super::plain()) it takes
//! nothing back, so that of two transcripts of the same program the earlier one is the beginning of the later one; some
//! readers find what is new by the length of what they have.

use super::tokens::Place;
use crate::utf8::incomplete_tail;

/// The transcript of what a program has printed. As long as it is not `over`, what may still turn into something else is
/// held back: half a character, half a sequence, and a carriage return that may belong to the end of a line.
pub fn transcript(bytes: &[u8], over: bool) -> String {
    let mut text = Vec::with_capacity(bytes.len());
    let mut place = Place::default();
    let mut returned = false;
    for &byte in bytes {
        let before = place;
        place = place.next(byte);
        if before != Place::Ground || place != Place::Ground {
            continue;
        }
        match byte {
            b'\r' => returned = true,
            b'\n' => {
                returned = false;
                text.push(b'\n');
            }
            b'\t' | 0x20..=0x7e | 0x80..=0xff => {
                if std::mem::take(&mut returned) {
                    text.push(b'\r');
                }
                text.push(byte);
            }
            // A bell, a backspace and the like are no text.
            _ => {}
        }
    }
    if !over {
        let cut = incomplete_tail(&text);
        text.truncate(text.len() - cut);
    }
    match String::from_utf8(text) {
        Ok(text) => text,
        Err(broken) => String::from_utf8_lossy(broken.as_bytes()).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sequences_go_and_lines_end_as_text_does() {
        for (bytes, expected) in [
            (&b"one\r\ntwo\r\n"[..], "one\ntwo\n"),
            (b"\x1b[31mred\x1b[0m \x1b]0;title\x07plain", "red plain"),
            (b"10%\r20%\r100%\r\n", "10%\r20%\r100%\n"),
            (b"a\x08b\x07c\td", "abc\td"),
            ("✓ gr\u{fc}n".as_bytes(), "✓ grün"),
            (b"\xff\xfe", "\u{fffd}\u{fffd}"),
        ] {
            assert_eq!(transcript(bytes, true), expected);
        }
        assert_eq!(transcript(b"half \xe2\x9c", false), "half ");
        assert_eq!(transcript(b"half \xe2\x9c", true), "half \u{fffd}");
    }

    proptest! {
        #[test]
        fn it_only_grows(bytes in proptest::collection::vec(prop_oneof![
            Just(b'\r'), Just(b'\n'), Just(0x1b), Just(b'['), Just(b'm'), Just(b']'), Just(7), Just(0xe2), Just(0x9c), Just(0x93), any::<u8>(),
        ], 0..60), cut in 0usize..60) {
            let earlier = transcript(&bytes[..cut.min(bytes.len())], false);
            let later = transcript(&bytes, true);
            prop_assert!(later.starts_with(&earlier), "{earlier:?} is not the beginning of {later:?}");
        }
    }
}
