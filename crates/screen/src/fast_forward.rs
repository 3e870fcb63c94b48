//! Skips output that provably leaves no trace, because a VT engine costs several times what the PTY itself does.
//!
//! The proof, for a screen of R rows whose scroll region is the whole screen. Take a stretch in which nothing moves
//! the cursor up, and in it a point P just after CR LF:
//!
//! ```text
//!   stretch begins      P                           stretch ends
//!   │ R-1 line feeds    │ R line feeds              │
//!   └ cursor reaches ───┘ everything that was ──────┘
//!     the bottom row      on the screen at P has scrolled off
//! ```
//!
//! At P the cursor is in the bottom row and the first column, and no cell of P is left at the end. So all that
//! matters of what came before P is state that has no place on the screen: attributes, modes, titles. That is
//! replayed, the rest is dropped, and execution goes on from P. What may not be dropped or replayed (a *barrier*:
//! alternate screen, margins, saved cursor, tab stops, questions, anything unknown) ends the search and is executed.

use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::TermMode;
use memchr::{memchr_iter, memchr2, memchr3, memrchr_iter};

use super::engine::{Engine, Terminal};
use super::modes;
use super::tokens::{BEL, ESC, Sequence, Token, first_number, token};

const SHIFT_OUT: u8 = 0x0e;
/// Bytes executed before looking again while the screen is in a state that allows no skipping.
const STEP: usize = 4096;
/// Bytes executed at a time while the parser is inside a sequence.
const SEQUENCE_STEP: usize = 64;
/// Lines without a carriage return that are looked over for a place to continue from.
const BARE_LINES: usize = 64;

/// Executes `bytes` as [`Engine::advance`] does, without what leaves no trace.
pub(super) fn feed(engine: &mut Engine, bytes: &[u8]) {
    let rows = engine.terminal.rows();
    // Nothing behind the last screenful of lines can be skipped to.
    let horizon = memrchr_iter(b'\n', bytes).nth(rows).unwrap_or(0);
    let mut at = 0;
    while at < horizon {
        let rest = &bytes[at..];
        if !engine.is_clean() {
            let len = settle(engine, rest);
            engine.advance(&rest[..len]);
            at += len;
        } else if !can_skip(&engine.terminal) {
            let len = rest.len().min(STEP);
            engine.advance(&rest[..len]);
            at += len;
        } else {
            let run = Run::search(rest, &engine.terminal);
            let from = run.skip_to.unwrap_or(0);
            if from > 0 {
                replay(engine, &rest[..from], &run);
                go_to_bottom(&mut engine.terminal);
                engine.skipped += from as u64;
            }
            execute(engine, &rest[from..run.end]);
            at += run.end;
        }
    }
    execute(engine, &bytes[at..]);
}

/// What a sequence means for skipping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Changes cells, or moves the cursor sideways or down.
    Drop,
    /// Moves the cursor up or to a given row: the bottom must be reached anew.
    Lift,
    /// SGR: one that resets all makes the earlier ones void.
    Style,
    /// State without a place on the screen.
    Keep,
    Barrier,
}

fn class(sequence: Sequence<'_>) -> Class {
    match sequence {
        Sequence::Csi { marker: 0, params, intermediates: [], end } => match end {
            b'm' => Class::Style,
            b'@' | b'B' | b'C' | b'D' | b'E' | b'G' | b'I' | b'J' | b'K' | b'L' | b'M' | b'P' | b'S' | b'X' | b'Z'
            | b'`' | b'a' | b'b' | b'e' => Class::Drop,
            b'A' | b'F' | b'H' | b'd' | b'f' => Class::Lift,
            b'h' | b'l' => Class::Keep,
            b't' if matches!(first_number(params), 22 | 23) => Class::Keep,
            _ => Class::Barrier,
        },
        Sequence::Csi { marker: 0, intermediates: [b' '], end: b'q', .. }
        | Sequence::Csi { marker: b'<' | b'=' | b'>', intermediates: [], end: b'u', .. }
        | Sequence::Csi { marker: b'>', intermediates: [], end: b'm', .. }
        | Sequence::Esc { intermediates: [b'(' | b')' | b'*' | b'+'], end: b'0' | b'A' | b'B' }
        | Sequence::Esc { intermediates: [], end: b'=' | b'>' }
        | Sequence::Osc { .. } => Class::Keep,
        Sequence::Csi { marker: b'?', params, intermediates: [], end: b'h' | b'l' } => {
            let placeless = |param| {
                let mode = first_number(param);
                mode == u32::from(modes::BLINK)
                    || mode == u32::from(modes::SYNC)
                    || modes::PRIVATE.iter().any(|(number, ..)| u32::from(*number) == mode)
            };
            if params.split(|byte| *byte == b';').all(placeless) { Class::Keep } else { Class::Barrier }
        }
        Sequence::Esc { intermediates: [], end: b'D' | b'E' | b'\\' } => Class::Drop,
        Sequence::Esc { intermediates: [], end: b'M' } => Class::Lift,
        _ => Class::Barrier,
    }
}

/// The next byte that is more than text. Between the sequences of coloured output there are mostly a few characters,
/// for which setting up a vector search costs more than it saves.
#[inline]
fn next_special(bytes: &[u8]) -> Option<usize> {
    const NEAR: usize = 8;
    let special = |byte: &u8| matches!(*byte, ESC | BEL | SHIFT_OUT);
    match bytes.iter().take(NEAR).position(special) {
        Some(found) => Some(found),
        None => memchr3(ESC, BEL, SHIFT_OUT, bytes.get(NEAR..)?).map(|found| found + NEAR),
    }
}

/// The sequences that coloured output is full of, known without taking them apart.
#[inline]
fn frequent(bytes: &[u8]) -> Option<(Class, usize)> {
    let rest = bytes.strip_prefix(b"\x1b[")?;
    let params = rest.iter().take_while(|byte| matches!(byte, b'0'..=b';')).count();
    match rest.get(params)? {
        b'm' => Some((Class::Style, params + 3)),
        b'K' => Some((Class::Drop, params + 3)),
        _ => None,
    }
}

/// A stretch of input up to and with its first barrier.
#[derive(Debug, Default)]
struct Run {
    end: usize,
    /// The latest point that everything before can be dropped at.
    skip_to: Option<usize>,
    /// There are attributes to replay.
    styled: bool,
    /// Where the first bell or kept sequence is.
    kept: Option<usize>,
}

impl Run {
    fn search(bytes: &[u8], terminal: &Terminal) -> Self {
        let rows = terminal.rows();
        let cursor = &terminal.grid().cursor;
        // `ESC ( B` comes with every reset that terminfo writes and mostly changes nothing.
        let mut plain_charset = terminal.charsets.begins_with_ascii();
        let mut run = Self::default();
        let mut to_bottom = rows - 1 - cursor.point.line.0 as usize;
        let mut segment = 0;
        let mut at = 0;
        loop {
            let Some(found) = next_special(&bytes[at..]) else {
                run.end = bytes.len();
                run.consider(bytes, segment..run.end, rows, to_bottom);
                return run;
            };
            at += found;
            let rest = &bytes[at..];
            let (class, len) = match rest[0] {
                BEL => (Class::Keep, 1),
                SHIFT_OUT => (Class::Barrier, 1),
                _ => match frequent(rest) {
                    Some(known) => known,
                    None => match token(rest) {
                        Token::Whole(Sequence::Esc { intermediates: b"(", end }, len) => {
                            let same = plain_charset && end == b'B';
                            plain_charset = same;
                            (if same { Class::Drop } else { Class::Keep }, len)
                        }
                        Token::Whole(sequence, len) => (class(sequence), len),
                        Token::Partial => (Class::Barrier, rest.len()),
                        Token::Odd => (Class::Barrier, 1),
                    },
                },
            };
            match class {
                Class::Drop => {}
                Class::Style => run.styled = true,
                Class::Keep => run.kept = run.kept.or(Some(at)),
                Class::Lift => {
                    run.consider(bytes, segment..at, rows, to_bottom);
                    segment = at + len;
                    to_bottom = rows - 1;
                }
                Class::Barrier => {
                    run.consider(bytes, segment..at, rows, to_bottom);
                    run.end = at + len;
                    return run;
                }
            }
            at += len;
        }
    }

    /// Looks for the latest point of a segment that has the line feeds it needs on both sides.
    fn consider(&mut self, bytes: &[u8], segment: std::ops::Range<usize>, rows: usize, to_bottom: usize) {
        let text = &bytes[segment.clone()];
        let mut feeds = memrchr_iter(b'\n', text).skip(rows);
        let point = feeds.by_ref().take(BARE_LINES).find(|&at| at > 0 && text[at - 1] == b'\r');
        let Some(point) = point.map(|at| at + 1) else { return };
        if to_bottom == 0 || memchr_iter(b'\n', &text[..point]).nth(to_bottom - 1).is_some() {
            self.skip_to = Some(segment.start + point);
        }
    }
}

/// Executes what stays in force of the dropped bytes.
fn replay(engine: &mut Engine, dropped: &[u8], run: &Run) {
    let styles = if run.styled { last_reset(dropped) } else { dropped.len() };
    let mut at = run.kept.map_or(styles, |kept| kept.min(styles)).min(dropped.len());
    while let Some(found) = memchr2(ESC, BEL, &dropped[at..]) {
        at += found;
        if dropped[at] == BEL {
            engine.terminal.bells += 1;
            at += 1;
            continue;
        }
        // The search went through these bytes: there is nothing odd or partial among them.
        let Token::Whole(sequence, len) = token(&dropped[at..]) else { return };
        match class(sequence) {
            Class::Style if at >= styles => engine.advance(&dropped[at..at + len]),
            Class::Keep => engine.advance(&dropped[at..at + len]),
            _ => {}
        }
        at += len;
    }
}

/// Where the last SGR that resets everything begins, or 0. An ESC begins a sequence wherever it stands, so this
/// needs no scan from the start.
fn last_reset(bytes: &[u8]) -> usize {
    memrchr_iter(ESC, bytes)
        .find(|&at| bytes[at + 1..].starts_with(b"[m") || bytes[at + 1..].starts_with(b"[0m"))
        .unwrap_or(0)
}

fn can_skip(terminal: &Terminal) -> bool {
    let region = terminal.region;
    region.top == 0 && region.bottom == terminal.rows() && terminal.charsets.is_unshifted()
}

/// How much to execute to get out of a sequence or a character that an earlier chunk began.
fn settle(engine: &Engine, bytes: &[u8]) -> usize {
    if engine.pending().first() == Some(&ESC) {
        return bytes.len().min(SEQUENCE_STEP);
    }
    let rest = bytes.iter().take(3).take_while(|byte| matches!(byte, 0x80..=0xbf)).count();
    rest.max(1).min(bytes.len())
}

fn go_to_bottom(terminal: &mut Terminal) {
    terminal.last_print = None;
    let last = Line(terminal.rows() as i32 - 1);
    let cursor = &mut terminal.term.grid_mut().cursor;
    cursor.point.line = last;
    cursor.point.column = Column(0);
    cursor.input_needs_wrap = false;
}

/// Executes bytes that cannot be skipped as a whole, but cuts very long lines: of a stretch of plain characters that
/// wraps through more than the screen, whole rows in front leave no trace and do not change the column.
fn execute(engine: &mut Engine, bytes: &[u8]) {
    let (rows, cols) = (engine.terminal.rows(), engine.terminal.cols());
    let screenful = (rows + 1) * cols;
    let mut done = 0;
    let mut at = 0;
    while bytes.len() - at > screenful + cols {
        let window = &bytes[at..at + screenful + cols];
        if let Some(last) = window.iter().rposition(|byte| !is_printable(*byte)) {
            at += last + 1;
            continue;
        }
        engine.advance(&bytes[done..at]);
        done = at;
        if !engine.is_clean() {
            // Still inside a sequence; what follows it may be long as well.
            at += screenful;
            continue;
        }
        let len = printable(&bytes[at..]);
        if wraps(&engine.terminal) {
            done += (len - screenful) / cols * cols;
            engine.skipped += (done - at) as u64;
        }
        at += len;
    }
    engine.advance(&bytes[done..]);
}

fn wraps(terminal: &Terminal) -> bool {
    let region = terminal.region;
    region.top == 0
        && region.bottom == terminal.rows()
        && terminal.has(TermMode::LINE_WRAP)
        && !terminal.has(TermMode::INSERT)
}

fn is_printable(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7e)
}

/// How many printable ASCII characters `bytes` begin with.
fn printable(bytes: &[u8]) -> usize {
    let mut len = 0;
    for block in bytes.chunks(64) {
        if block.iter().filter(|byte| !is_printable(**byte)).count() > 0 {
            return len + block.iter().take_while(|byte| is_printable(**byte)).count();
        }
        len += block.len();
    }
    len
}
