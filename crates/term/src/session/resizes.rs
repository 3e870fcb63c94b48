//! The changes of a terminal's size, each with its place in the output, for whoever shows both in order.
//!
//! A shell draws the line that is typed anew after each change. Shown at another width, its redraw erases output.

use std::collections::VecDeque;

use flightdeck_keeper::Size;

use super::{Session, SizeChange};
use crate::log::Offset;

/// The oldest change is forgotten when there are more: nobody is that far behind.
const MAX_CHANGES: usize = 1024;

/// The latest changes, oldest first.
#[derive(Debug)]
pub(super) struct Resizes {
    /// The size before the first one that is known.
    base: Size,
    /// How many were forgotten.
    forgotten: u64,
    changes: VecDeque<SizeChange>,
}

impl Resizes {
    pub(super) fn new(base: Size) -> Self {
        Resizes { base, forgotten: 0, changes: VecDeque::new() }
    }

    pub(super) fn push(&mut self, change: SizeChange) {
        if self.changes.len() == MAX_CHANGES
            && let Some(oldest) = self.changes.pop_front()
        {
            self.base = oldest.size;
            self.forgotten += 1;
        }
        self.changes.push_back(change);
    }

    fn after(&self, count: u64) -> Vec<SizeChange> {
        let known = usize::try_from(count.saturating_sub(self.forgotten)).unwrap_or(usize::MAX);
        self.changes.iter().skip(known).copied().collect()
    }

    fn count(&self) -> u64 {
        self.forgotten + self.changes.len() as u64
    }

    fn at(&self, offset: Offset) -> SizeAt {
        let passed = self.changes.iter().take_while(|change| change.at <= offset).count();
        let size = passed.checked_sub(1).map_or(self.base, |last| self.changes[last].size);
        SizeAt { size, changes: self.forgotten + passed as u64 }
    }
}

/// The size that holds at one place in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeAt {
    /// The size.
    pub size: Size,
    /// How many changes led to it.
    pub changes: u64,
}

/// The screen as bytes for another terminal.
#[derive(Debug)]
pub struct ScreenSnapshot {
    /// What draws it on an empty screen.
    pub bytes: Vec<u8>,
    /// Output goes on from here.
    pub at: Offset,
    /// The size that it has.
    pub size: SizeAt,
}

impl Session {
    /// The size that held at this place in the output.
    pub fn size_at(&self, offset: Offset) -> SizeAt {
        self.lock().resizes.at(offset)
    }

    /// The changes of its size after the first `count`, oldest first.
    pub fn resizes_after(&self, count: u64) -> Vec<SizeChange> {
        self.lock().resizes.after(count)
    }

    /// The screen as it is now. `None` for a command on pipes, which has none.
    pub fn snapshot(&self) -> Option<ScreenSnapshot> {
        // Made first if it rests; then all is taken under one lock, so that it belongs together.
        self.screen(|_| ())?;
        let view = self.lock();
        let size = SizeAt { size: view.size(), changes: view.resizes.count() };
        Some(ScreenSnapshot { bytes: view.screen.as_ref()?.snapshot_ansi(), at: view.position(), size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(cols: u16) -> Size {
        Size::new(24, cols).unwrap()
    }

    #[test]
    fn each_place_has_the_size_of_the_last_change_before_it() {
        let mut resizes = Resizes::new(size(80));
        for (at, cols) in [(10, 100), (10, 60), (30, 120)] {
            resizes.push(SizeChange { at: Offset(at), size: size(cols) });
        }
        for (at, cols, changes) in [(0, 80, 0), (9, 80, 0), (10, 60, 2), (29, 60, 2), (30, 120, 3), (99, 120, 3)] {
            assert_eq!(resizes.at(Offset(at)), SizeAt { size: size(cols), changes }, "{at}");
        }
        let after = |count| resizes.after(count).iter().map(|change| change.size.cols()).collect::<Vec<_>>();
        assert_eq!((after(0), after(2), after(3)), (vec![100, 60, 120], vec![120], vec![]));
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut resizes = Resizes::new(size(80));
        for number in 0..MAX_CHANGES as u64 + 2 {
            resizes.push(SizeChange { at: Offset(number), size: size(100 + number as u16) });
        }
        assert_eq!(resizes.at(Offset(0)), SizeAt { size: size(101), changes: 2 });
        assert_eq!(resizes.after(0).len(), MAX_CHANGES);
        assert_eq!(resizes.after(resizes.count() - 1).len(), 1);
    }
}
