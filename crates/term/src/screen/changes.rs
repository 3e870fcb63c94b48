//! Which rows changed since when. Each row carries the version it last changed in, so that a front end that knows an
//! old version gets just the newer rows.

use std::hash::{Hash, Hasher};

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::Line;
use alacritty_terminal::term::TermDamage;
use alacritty_terminal::term::cell::Flags;
use alacritty_terminal::vte::ansi::{Color, Rgb};

use super::cursor::Cursor;
use super::engine::Terminal;

/// A state of what can be seen; a larger one is newer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(u64);

impl Version {
    pub fn get(self) -> u64 {
        self.0
    }
}

impl From<u64> for Version {
    fn from(version: u64) -> Self {
        Self(version)
    }
}

/// What to draw again to get from an old version to `version`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    pub version: Version,
    /// Everything: the size or the colours changed, or the old version is not one of this screen.
    pub full: bool,
    /// Rows to draw, from the top; all of them when `full`.
    pub rows: Vec<u16>,
    pub cursor: bool,
    pub title: bool,
}

impl Changes {
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && !self.full && !self.cursor && !self.title
    }
}

#[derive(Debug)]
pub(super) struct Stamps {
    version: Version,
    rows: Vec<RowStamp>,
    cursor: (Cursor, Version),
    title: (u64, Version),
    full: Version,
}

#[derive(Clone, Copy, Debug, Default)]
struct RowStamp {
    hash: u64,
    changed: Version,
}

impl Stamps {
    pub(super) fn new(terminal: &mut Terminal) -> Self {
        let version = Version(1);
        let mut stamps = Self {
            version,
            rows: vec![RowStamp::default(); terminal.rows()],
            cursor: (terminal.cursor(), version),
            title: (hash_of(&terminal.title.current()), version),
            full: version,
        };
        for (row, stamp) in stamps.rows.iter_mut().enumerate() {
            *stamp = RowStamp { hash: row_hash(terminal, row), changed: version };
        }
        terminal.term.reset_damage();
        stamps
    }

    pub(super) fn version(&self) -> Version {
        self.version
    }

    /// Looks at what the engine calls damaged and stamps what really differs.
    pub(super) fn note(&mut self, terminal: &mut Terminal) {
        let next = Version(self.version.0 + 1);
        let mut changed = false;
        let damaged: Option<Vec<usize>> = match terminal.term.damage() {
            TermDamage::Full => None,
            TermDamage::Partial(lines) => Some(lines.map(|bounds| bounds.line).collect()),
        };
        terminal.term.reset_damage();
        if self.rows.len() != terminal.rows() {
            self.rows = vec![RowStamp { hash: 0, changed: next }; terminal.rows()];
        }
        let mut look = |row: usize, stamp: &mut RowStamp| {
            let hash = row_hash(terminal, row);
            if hash != stamp.hash {
                *stamp = RowStamp { hash, changed: next };
                changed = true;
            }
        };
        match damaged {
            None => self.rows.iter_mut().enumerate().for_each(|(row, stamp)| look(row, stamp)),
            Some(rows) => rows.into_iter().for_each(|row| look(row, &mut self.rows[row])),
        }
        let cursor = terminal.cursor();
        if self.cursor.0 != cursor {
            self.cursor = (cursor, next);
            changed = true;
        }
        let title = hash_of(&terminal.title.current());
        if self.title.0 != title {
            self.title = (title, next);
            changed = true;
        }
        if terminal.take_colors_changed() {
            self.full = next;
            changed = true;
        }
        if changed {
            self.version = next;
        }
    }

    /// After a resize everything is new.
    pub(super) fn note_resize(&mut self, terminal: &mut Terminal) {
        self.note(terminal);
        self.version = Version(self.version.0 + 1);
        self.full = self.version;
    }

    pub(super) fn since(&self, old: Version) -> Changes {
        let full = old < self.full || old > self.version;
        let rows = (0u16..).zip(&self.rows).filter(|(_, stamp)| full || stamp.changed > old).map(|(row, _)| row);
        Changes {
            version: self.version,
            full,
            rows: rows.collect(),
            cursor: full || self.cursor.1 > old,
            title: full || self.title.1 > old,
        }
    }
}

/// A hash of all that can be seen of a row. 64 bits: an unseen change would take a collision.
fn row_hash(terminal: &Terminal, row: usize) -> u64 {
    let mut hasher = Mixer(terminal.grid().columns() as u64);
    let grid_row = &terminal.grid()[Line(row as i32)];
    for cell in grid_row {
        hasher
            .mix(u64::from(u32::from(cell.c)) | u64::from((cell.flags - Flags::LEADING_WIDE_CHAR_SPACER).bits()) << 32);
        hasher.mix(color_bits(cell.fg) << 32 | color_bits(cell.bg));
        if cell.extra.is_some() {
            cell.zerowidth().hash(&mut hasher);
            cell.underline_color().map(color_bits).hash(&mut hasher);
            cell.hyperlink().hash(&mut hasher);
        }
    }
    hasher.0
}

fn color_bits(color: Color) -> u64 {
    match color {
        Color::Named(name) => name as u64,
        Color::Indexed(index) => 1 << 24 | u64::from(index),
        Color::Spec(Rgb { r, g, b }) => 1 << 25 | u64::from(r) << 16 | u64::from(g) << 8 | u64::from(b),
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = Mixer(0);
    value.hash(&mut hasher);
    hasher.0
}

/// A fast hash for our own data, of which nobody gains by forcing collisions beyond their own screen.
struct Mixer(u64);

impl Mixer {
    #[inline]
    fn mix(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
