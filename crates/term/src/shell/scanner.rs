//! Finds marks in the raw log at the speed of memory, whatever way the log is cut into chunks.

use memchr::{memchr2, memmem};

use super::mark::{Ending, Parsed, parse};
use super::{Nonce, ScannedMark};

/// Of a longer mark only this much is kept; what follows is raw text that is given up.
const LONGEST_BODY: usize = 64 * 1024;

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;

/// Reads consecutive chunks of one terminal's log.
#[derive(Clone, Debug)]
pub struct MarkScanner {
    /// `ESC ] 7733 ; nonce ;`. It holds one ESC only, so a prefix that fails can't hide the start of another one.
    prefix: Box<[u8]>,
    state: State,
    /// Offset that the next chunk must start at.
    next: u64,
    /// Where the output of a command ended, until its `D` comes.
    output_end: Option<(u64, u64)>,
}

#[derive(Clone, Debug)]
enum State {
    Text,
    /// So many bytes of the prefix ended the last chunk.
    Prefix {
        start: u64,
        matched: usize,
    },
    /// The prefix was there, the end of the mark not yet.
    Body {
        start: u64,
        body: Vec<u8>,
        is_too_long: bool,
    },
}

impl MarkScanner {
    pub fn new(nonce: &Nonce) -> Self {
        let prefix = format!("\x1b]7733;{};", nonce.as_str());
        Self { prefix: prefix.into_bytes().into(), state: State::Text, next: 0, output_end: None }
    }

    /// Appends the marks that end in this chunk. A gap between chunks is allowed; a mark cut by it is lost.
    pub fn scan(&mut self, base: u64, bytes: &[u8], out: &mut Vec<ScannedMark>) {
        if base != self.next {
            self.state = State::Text;
        }
        self.next = base + bytes.len() as u64;
        let mut at = 0;
        loop {
            at = match std::mem::replace(&mut self.state, State::Text) {
                State::Text => match self.find_prefix(base, bytes, at) {
                    Some(after) => after,
                    None => return,
                },
                State::Prefix { start, matched } => match self.finish_prefix(start, matched, bytes) {
                    Some(after) => after,
                    None => return,
                },
                State::Body { start, body, is_too_long } => {
                    match self.finish_body(start, body, is_too_long, &bytes[at..], out) {
                        Some(length) => at + length,
                        None => return,
                    }
                }
            };
        }
    }

    /// Looks for the next prefix; the index after it, or `None` when the chunk is used up.
    fn find_prefix(&mut self, base: u64, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = &bytes[at..];
        if let Some(found) = memmem::find(rest, &self.prefix) {
            let start = base + (at + found) as u64;
            self.state = State::Body { start, body: Vec::new(), is_too_long: false };
            return Some(at + found + self.prefix.len());
        }
        let tail = &rest[rest.len().saturating_sub(self.prefix.len() - 1)..];
        let esc = memchr::memrchr(ESC, tail)?;
        let partial = &tail[esc..];
        if self.prefix.starts_with(partial) {
            let start = self.next - partial.len() as u64;
            self.state = State::Prefix { start, matched: partial.len() };
        }
        None
    }

    /// Goes on with a prefix that was cut; the index to go on from, or `None` when the chunk is used up.
    fn finish_prefix(&mut self, start: u64, matched: usize, bytes: &[u8]) -> Option<usize> {
        let missing = &self.prefix[matched..];
        let length = missing.len().min(bytes.len());
        if bytes[..length] != missing[..length] {
            return Some(0);
        }
        if length < missing.len() {
            self.state = State::Prefix { start, matched: matched + length };
            return None;
        }
        self.state = State::Body { start, body: Vec::new(), is_too_long: false };
        Some(length)
    }

    /// Looks for the end of a mark; how many bytes belong to it, or `None` when the chunk is used up.
    fn finish_body(
        &mut self,
        start: u64,
        mut body: Vec<u8>,
        mut is_too_long: bool,
        rest: &[u8],
        out: &mut Vec<ScannedMark>,
    ) -> Option<usize> {
        let end = memchr2(BEL, ESC, rest);
        let part = &rest[..end.unwrap_or(rest.len())];
        let room = LONGEST_BODY - body.len();
        is_too_long |= part.len() > room;
        let kept = &part[..part.len().min(room)];
        let Some(end) = end else {
            body.extend_from_slice(kept);
            self.state = State::Body { start, body, is_too_long };
            return None;
        };
        let is_whole = rest[end] == BEL && !is_too_long;
        // An ESC begins something else, perhaps the next mark, so it is not used up.
        let length = if rest[end] == BEL { end + 1 } else { end };
        let ending = if is_whole { Ending::Whole } else { Ending::Cut };
        let parsed = if body.is_empty() {
            parse(kept, ending)
        } else {
            body.extend_from_slice(kept);
            parse(&body, ending)
        };
        let mark_end = self.next - (rest.len() - length) as u64;
        self.emit(start, mark_end, parsed, out);
        Some(length)
    }

    fn emit(&mut self, start: u64, end: u64, parsed: Option<Parsed>, out: &mut Vec<ScannedMark>) {
        match parsed {
            None => {}
            Some(Parsed::OutputEnd(seq)) => self.output_end = Some((seq, start)),
            Some(Parsed::Mark(mark)) => {
                let mut start = start;
                if let super::Mark::CommandEnd { seq, .. } = mark {
                    start = self.output_end.take_if(|(of, _)| *of == seq).map_or(start, |(_, at)| at);
                }
                out.push(ScannedMark { start, end, mark });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::shell::Mark;

    const NONCE: &str = "00112233445566778899aabbccddeeff";

    fn nonce() -> Nonce {
        Nonce::parse(NONCE).expect("nonce")
    }

    fn mark(body: &str) -> Vec<u8> {
        format!("\x1b]7733;{NONCE};{body}\x07").into_bytes()
    }

    fn scan_chunks<'a>(base: u64, chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<ScannedMark> {
        let mut scanner = MarkScanner::new(&nonce());
        let mut out = Vec::new();
        let mut at = base;
        for chunk in chunks {
            scanner.scan(at, chunk, &mut out);
            at += chunk.len() as u64;
        }
        out
    }

    fn scan(bytes: &[u8]) -> Vec<ScannedMark> {
        scan_chunks(0, [bytes])
    }

    #[test]
    fn offsets_enclose_the_mark() {
        let bytes = [b"ab".as_slice(), &mark("A"), b"$ ", &mark("B"), b"\x1b]7733;"].concat();
        let found = scan_chunks(100, [bytes.as_slice()]);
        let length = mark("A").len() as u64;
        let spans: Vec<_> = found.iter().map(|found| (found.start, found.end, &found.mark)).collect();
        assert_eq!(
            spans,
            [(102, 102 + length, &Mark::PromptStart), (104 + length, 104 + 2 * length, &Mark::PromptEnd)]
        );
    }

    #[test]
    fn marks_of_others_are_ignored() {
        let other = format!("\x1b]7733;{};D;n=1;x=0\x07", "f".repeat(32));
        let bare = b"\x1b]7733;D;n=1;x=0\x07\x1b]133;D;0\x07";
        assert_eq!(scan(&[other.as_bytes(), bare].concat()), []);
    }

    #[test]
    fn output_ends_where_the_shell_began_to_print_for_itself() {
        let bytes = [b"out".as_slice(), &mark("E;n=4"), b"%   \r", &mark("D;n=4;x=0")].concat();
        assert_eq!(scan(&bytes)[0].start, 3);
        let of_another = [b"out".as_slice(), &mark("E;n=3"), &mark("D;n=4;x=0")].concat();
        assert_eq!(scan(&of_another)[0].start, 3 + mark("E;n=3").len() as u64);
    }

    #[test]
    fn an_overlong_or_broken_text_does_not_lose_the_end() {
        let long = mark(&format!("D;n=4;x=1;h=    5  {}", "x".repeat(200_000)));
        let broken = [&mark("D;n=5;x=1;h=    5  ")[..60], b"\x1b[31m", &mark("A")].concat();
        let found = scan(&[long.clone(), broken].concat());
        let ends: Vec<_> = found
            .iter()
            .map(|found| match &found.mark {
                Mark::CommandEnd { seq, text, .. } => (Some(*seq), text.clone()),
                _ => (None, None),
            })
            .collect();
        assert_eq!(ends, [(Some(4), None), (Some(5), None), (None, None)]);
        assert_eq!(found[0].end, long.len() as u64);
    }

    #[test]
    fn what_is_held_back_is_bounded() {
        let mut scanner = MarkScanner::new(&nonce());
        let mut out = Vec::new();
        let start = mark("D;n=4;x=1;h=");
        let mut at = start.len() as u64 - 1;
        scanner.scan(0, &start[..start.len() - 1], &mut out);
        for _ in 0..100 {
            scanner.scan(at, &[b'x'; 10_000], &mut out);
            at += 10_000;
        }
        let State::Body { body, .. } = &scanner.state else { panic!("{:?}", scanner.state) };
        assert!(body.capacity() <= 2 * LONGEST_BODY);
        scanner.scan(at, b"\x07", &mut out);
        assert_eq!(out.len(), 1);
        assert!(matches!(scanner.state, State::Text));
    }

    #[test]
    fn a_gap_gives_up_the_cut_mark() {
        let bytes = mark("A");
        let mut scanner = MarkScanner::new(&nonce());
        let mut out = Vec::new();
        scanner.scan(0, &bytes[..20], &mut out);
        scanner.scan(1000, &bytes[20..], &mut out);
        scanner.scan(2000, &bytes, &mut out);
        assert_eq!(out.len(), 1);
    }

    fn pieces() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(mark("A")),
            Just(mark("C;n=1;t=1.5;c=ls")),
            Just(mark("R;n=1;r=0123456789abcdef")),
            Just(mark("E;n=1")),
            Just(mark("D;n=1;x=0;p=0 1;w=/tmp;h=    1  ls\r\n")),
            Just(mark("D;n=2;x=0;h=cut")[..50].to_vec()),
            (0..46_usize).prop_map(|length| mark("D;n=1;x=0")[..length].to_vec()),
            Just(b"\x1b".to_vec()),
            Just(b"\x07".to_vec()),
            proptest::collection::vec(any::<u8>(), 0..20),
        ];
        proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_marks(bytes in pieces(), cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..20)) {
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let chunks = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]);
            prop_assert_eq!(scan_chunks(7, chunks), scan_chunks(7, [bytes.as_slice()]));
            prop_assert_eq!(scan_chunks(7, bytes.chunks(1)), scan_chunks(7, [bytes.as_slice()]));
        }
    }
}
