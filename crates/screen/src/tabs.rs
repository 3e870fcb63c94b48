//! Tab stops. Kept here because the engine lets nobody read its own.

const INTERVAL: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tabs {
    stops: Vec<bool>,
}

impl Tabs {
    pub(super) fn new(cols: usize) -> Self {
        Self { stops: (0..cols).map(is_default).collect() }
    }

    pub(super) fn resize(&mut self, cols: usize) {
        let old = self.stops.len();
        self.stops.truncate(cols);
        self.stops.extend((old..cols).map(is_default));
    }

    pub(super) fn set(&mut self, col: usize) {
        if let Some(stop) = self.stops.get_mut(col) {
            *stop = true;
        }
    }

    pub(super) fn clear(&mut self, col: usize) {
        if let Some(stop) = self.stops.get_mut(col) {
            *stop = false;
        }
    }

    pub(super) fn clear_all(&mut self) {
        self.stops.fill(false);
    }

    /// The next stop after a column, or the last column.
    pub(super) fn after(&self, col: usize) -> usize {
        let last = self.stops.len() - 1;
        (col + 1..last).find(|col| self.stops[*col]).unwrap_or(last)
    }

    /// The last stop before a column, or the first column.
    pub(super) fn before(&self, col: usize) -> usize {
        (0..col).rev().find(|col| self.stops[*col]).unwrap_or(0)
    }

    /// The columns with a stop, or `None` when they are where a new terminal has them.
    pub(super) fn unusual(&self) -> Option<impl Iterator<Item = usize> + '_> {
        let usual = self.stops.iter().enumerate().all(|(col, &stop)| stop == is_default(col));
        (!usual).then(|| self.stops.iter().enumerate().filter(|(_, stop)| **stop).map(|(col, _)| col))
    }
}

fn is_default(col: usize) -> bool {
    col.is_multiple_of(INTERVAL)
}
