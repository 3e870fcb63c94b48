//! Text that needs no page to be laid out on, told from the rest fast: most output is this.

use memchr::{memchr, memchr_iter, memrchr};

use super::line::Line;
use super::tokens::{ESC, Sequence, Token, first_number, token};

/// Appends a line with nothing in it that moves or erases, without its colours; `false` if it is not one.
pub(super) fn append_simple(line: &mut Line, text: &[u8]) -> bool {
    if is_simple(text) {
        return std::str::from_utf8(text).map(|text| line.append(text)).is_ok();
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let end = memchr(ESC, rest).unwrap_or(rest.len());
        // Each piece for itself: a character cut by a sequence is two broken ones.
        match std::str::from_utf8(&rest[..end]) {
            Ok(piece) if is_simple(piece.as_bytes()) => plain.push_str(piece),
            _ => return false,
        }
        rest = &rest[end..];
        if rest.is_empty() {
            line.append(&plain);
            return true;
        }
        match token(rest) {
            Token::Whole(sequence, len) if is_silent(sequence) => rest = &rest[len..],
            _ => return false,
        }
    }
}

/// Does nothing to text that is being appended: there is nothing right of it to erase.
fn is_silent(sequence: Sequence<'_>) -> bool {
    match sequence {
        Sequence::Csi { marker: 0, params, intermediates: [], end: b'K' } => first_number(params) == 0,
        // The character set is ASCII already.
        Sequence::Csi { intermediates: [], end: b'm', .. } | Sequence::Esc { intermediates: [b'('], end: b'B' } => true,
        // Those that tell where a prompt or a command begins are for the page.
        Sequence::Osc { text } => ![b"7733;".as_slice(), b"133;", b"633;"].iter().any(|mark| text.starts_with(mark)),
        _ => false,
    }
}

/// Text with nothing in it that moves or erases.
pub(super) fn is_simple(text: &[u8]) -> bool {
    // Counting all of them is faster than stopping at the first: it runs in vectors.
    let controls = text.iter().filter(|&&byte| (byte < 0x20 && byte != b'\t') || byte == 0x7f).count();
    controls == 0 && !has_c1(text)
}

/// The lines that `bytes` begin with, as long as they are simple; cut after a line's end.
pub(super) fn simple_lines(bytes: &[u8]) -> &[u8] {
    let is_plain = |byte: u8| (byte >= 0x20 && byte != 0x7f) || matches!(byte, b'\t' | b'\r' | b'\n');
    let mut len = 0;
    for block in bytes.chunks(256) {
        if block.iter().filter(|byte| !is_plain(**byte)).count() > 0 {
            break;
        }
        len += block.len();
    }
    let bytes = &bytes[..len];
    let cut = memchr_iter(b'\r', bytes).find(|&at| bytes.get(at + 1) != Some(&b'\n')).unwrap_or(len);
    let lines = &bytes[..memrchr(b'\n', &bytes[..cut]).map_or(0, |end| end + 1)];
    if has_c1(lines) { &[] } else { lines }
}

/// C1 controls in UTF-8.
fn has_c1(text: &[u8]) -> bool {
    memchr_iter(0xc2, text).any(|at| matches!(text.get(at + 1), Some(0x80..=0x9f)))
}
