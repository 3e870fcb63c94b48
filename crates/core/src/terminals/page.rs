//! Long lists in pages. Clients cut what is too long for them, so a list says itself what it leaves out, and how to get it.

use std::cmp::Reverse;

use flightdeck_contract::{Error, TerminalId};

/// How many there are on a page, unless the caller says.
pub(crate) const USUAL: usize = 50;
/// The most that a caller may say.
const MOST: usize = 500;

/// What stands before what: those that run, then those that have ended, the newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    ended: bool,
    id: Reverse<TerminalId>,
}

impl Place {
    pub(crate) fn new(id: TerminalId, running: bool) -> Self {
        Place { ended: !running, id: Reverse(id) }
    }

    pub(crate) fn id(self) -> TerminalId {
        self.id.0
    }

    pub(crate) fn is_running(self) -> bool {
        !self.ended
    }

    /// As a word that a caller gives back. It keeps its meaning when the terminal is gone.
    fn word(self) -> String {
        let state = if self.ended { "ended" } else { "running" };
        format!("{state}-{}", self.id.0)
    }

    fn parse(word: &str) -> Option<Self> {
        let (state, id) = word.split_once('-')?;
        let running = match state {
            "running" => true,
            "ended" => false,
            _ => return None,
        };
        Some(Place::new(id.parse().ok()?, running))
    }
}

/// A part of a list.
#[derive(Debug)]
pub(crate) struct Page<T> {
    pub rows: Vec<T>,
    /// How many come after them.
    pub more: usize,
    /// What to give as `after` to get those.
    pub next: Option<String>,
}

/// The rows after `after`, as many as wanted.
pub(crate) fn page<T>(
    mut rows: Vec<T>,
    place: impl Fn(&T) -> Place,
    limit: Option<usize>,
    after: Option<&str>,
) -> Result<Page<T>, Error> {
    let limit = limit.unwrap_or(USUAL);
    if limit == 0 || limit > MOST {
        return Err(Error::invalid("limit", format!("{limit} is not between 1 and {MOST}")));
    }
    if let Some(word) = after {
        let after = Place::parse(word).ok_or_else(|| {
            let shown: String = word.chars().take(80).collect();
            Error::invalid("after", format!("{shown:?} is no `next` of a list: begin without it"))
        })?;
        rows.retain(|row| place(row) > after);
    }
    rows.sort_by_key(&place);
    let more = rows.len().saturating_sub(limit);
    rows.truncate(limit);
    let next = rows.last().filter(|_| more > 0).map(|last| place(last).word());
    Ok(Page { rows, more, next })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_hold_everything_once_and_go_on_where_a_terminal_is_gone() {
        let all: Vec<(u32, bool)> = (1..=10).map(|id| (id, id % 3 != 0)).collect();
        let place = |row: &(u32, bool)| Place::new(TerminalId::new(row.0), row.1);
        let get = |rows: &[(u32, bool)], after: Option<&str>| page(rows.to_vec(), place, Some(4), after).unwrap();
        let first = get(&all, None);
        assert_eq!(first.rows.iter().map(|row| row.0).collect::<Vec<_>>(), [10, 8, 7, 5]);
        assert_eq!((first.more, first.next.as_deref()), (6, Some("running-t5")));
        // The last one of the page has been removed since.
        let left: Vec<_> = all.iter().copied().filter(|row| row.0 != 5).collect();
        let second = get(&left, first.next.as_deref());
        assert_eq!(second.rows.iter().map(|row| row.0).collect::<Vec<_>>(), [4, 2, 1, 9]);
        let third = get(&left, second.next.as_deref());
        assert_eq!(third.rows.iter().map(|row| row.0).collect::<Vec<_>>(), [6, 3]);
        assert_eq!((third.more, third.next), (0, None));
        for (limit, after) in [(0, None), (501, None), (1, Some("t5")), (1, Some("running-5")), (1, Some(""))] {
            assert!(page(all.clone(), place, Some(limit), after).is_err(), "{limit} {after:?}");
        }
    }
}
