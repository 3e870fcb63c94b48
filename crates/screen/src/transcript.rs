//! Output as a transcript: text without escape sequences that only ever grows. Unlike [`plain`](super::plain()) it takes
//! nothing back, so that of two transcripts of the same program the earlier one is the beginning of the later one; some
//! readers find what is new by the length of what they have.

use super::tokens::Place;

/// The transcript of what a program has printed. As long as it is not `over`, what may still turn into something else is
/// held back: half a character, half a sequence, and a carriage return that may belong to the end of a line.
pub fn transcript(bytes: &[u8], over: bool) -> String {
    let mut state = TranscriptState::default();
    let mut text = String::with_capacity(bytes.len());
    state.feed(bytes, &mut text);
    if over {
        state.finish(&mut text);
    }
    text
}

/// Where a transcript stands between two pieces of output. It is small and can be copied, so that a transcript can be
/// continued from any place at which it was kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TranscriptState {
    place: Place,
    /// A carriage return was printed that may belong to the end of a line.
    returned: bool,
    /// The beginning of a character whose rest has not been printed.
    partial: PartialCharacter,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PartialCharacter {
    bytes: [u8; 3],
    len: u8,
}

impl TranscriptState {
    /// Takes the next piece of output, cut anywhere, and appends its text.
    pub fn feed(&mut self, bytes: &[u8], text: &mut String) {
        let mut printed = Vec::with_capacity(bytes.len() + self.partial.bytes.len());
        printed.extend_from_slice(&self.partial.bytes[..usize::from(self.partial.len)]);
        let mut rest = bytes;
        while let Some((&byte, following)) = rest.split_first() {
            let before = self.place;
            if before == Place::Ground && !self.returned {
                let plain = rest.iter().take_while(|byte| is_text(**byte) || **byte == b'\n').count();
                if plain > 0 {
                    printed.extend_from_slice(&rest[..plain]);
                    rest = &rest[plain..];
                    continue;
                }
            }
            rest = following;
            self.place = before.next(byte);
            if before != Place::Ground || self.place != Place::Ground {
                continue;
            }
            match byte {
                b'\r' => self.returned = true,
                b'\n' => {
                    self.returned = false;
                    printed.push(b'\n');
                }
                _ if is_text(byte) => {
                    if std::mem::take(&mut self.returned) {
                        printed.push(b'\r');
                    }
                    printed.push(byte);
                }
                // A bell, a backspace and the like are no text.
                _ => {}
            }
        }
        self.partial = push_characters(&printed, text);
    }

    /// Appends what was held back, because nothing more can come.
    pub fn finish(self, text: &mut String) {
        if self.partial.len > 0 {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
}

fn is_text(byte: u8) -> bool {
    matches!(byte, b'\t' | 0x20..=0x7e | 0x80..=0xff)
}

/// Appends bytes as characters, and gives what begins a character at their end.
fn push_characters(bytes: &[u8], text: &mut String) -> PartialCharacter {
    let mut chunks = bytes.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        text.push_str(chunk.valid());
        let broken = chunk.invalid();
        if broken.is_empty() {
            continue;
        }
        let may_go_on =
            chunks.peek().is_none() && std::str::from_utf8(broken).is_err_and(|error| error.error_len().is_none());
        if may_go_on {
            let mut partial = PartialCharacter { len: broken.len() as u8, ..PartialCharacter::default() };
            partial.bytes[..broken.len()].copy_from_slice(broken);
            return partial;
        }
        text.push(char::REPLACEMENT_CHARACTER);
    }
    PartialCharacter::default()
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

        #[test]
        fn pieces_make_the_same_transcript(pieces in proptest::collection::vec(proptest::collection::vec(prop_oneof![
            Just(b'\r'), Just(b'\n'), Just(0x1b), Just(b'['), Just(b'm'), Just(b']'), Just(7), Just(0xe2), Just(0x9c), Just(0x93), any::<u8>(),
        ], 0..9), 0..9)) {
            let (mut state, mut text) = (TranscriptState::default(), String::new());
            for piece in &pieces {
                state.feed(piece, &mut text);
            }
            let whole: Vec<u8> = pieces.concat();
            prop_assert_eq!(&text, &transcript(&whole, false));
            state.finish(&mut text);
            prop_assert_eq!(text, transcript(&whole, true));
        }
    }
}
