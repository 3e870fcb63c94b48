//! Output as an agent reads it: text without escape sequences, where a progress bar has left only its last state.

use alacritty_terminal::vte::Perform;
use memchr::memchr;

use super::page::Page;
use super::stream::Stream;

/// `bytes` as plain text.
pub fn plain(bytes: &[u8]) -> String {
    let mut plain = Plain::default();
    plain.push(bytes);
    plain.finish()
}

/// Makes plain text of a stream that comes in chunks, cut anywhere.
#[derive(Default)]
pub struct Plain {
    stream: Stream,
    page: Page,
}

impl Plain {
    pub fn push(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.stream.is_clean() {
                let quick = self.page.push_simple_lines(rest);
                rest = &rest[quick..];
            }
            // The line that was not simple, or what is left of a sequence.
            let end = memchr(b'\n', rest);
            if end.is_none() && self.stream.is_clean() && !rest.is_empty() && self.page.push_simple_text(rest) {
                return;
            }
            let len = end.map_or(rest.len(), |end| end + 1);
            self.stream.advance(&mut self.page, &rest[..len]);
            rest = &rest[len..];
        }
    }

    /// What was pushed so far, all of it.
    pub fn finish(mut self) -> String {
        if self.stream.in_character() {
            // A character that was cut off for good.
            self.page.print(char::REPLACEMENT_CHARACTER);
        }
        self.page.finish()
    }

    /// Takes the text that is final, for a reader who follows along. Lines above the last `changeable` ones are made
    /// final for it, although the program could still have moved the cursor up to them.
    pub fn take_settled(&mut self, changeable: usize) -> String {
        self.page.take_settled(changeable)
    }
}

impl std::fmt::Debug for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plain").field("page", &self.page).finish_non_exhaustive()
    }
}
