//! An edit of a whole text as a walk over it: keep, put, drop. Two such walks over the same text can be transformed, so
//! that both orders of applying them end in the same text.
//!
//! **Why this and not a CRDT.** All clients talk to one hub, so there is an order of edits for free: the order in which
//! the hub takes them. With that, a text is a plain text: no ids for characters, no tombstones, nothing to compact, a
//! file that changed on disk is just another edit, and positions are the offsets that editors use anyway. A late edit
//! is transformed over the few that came before it, which is the forty lines of [`Delta::transform`]; only the
//! two-sided property (TP1) is needed, because no client ever exchanges edits with another. The price: a client that
//! was away for longer than the hub's bounded history has to read the text anew and can't merge what it typed offline,
//! an edit is only known to be final when the hub has answered, and two hubs could not share a document. A CRDT
//! (yrs, automerge, diamond-types) would give these three, at the cost of a history that grows with every key, a
//! binary format that each front end has to embed, and a second truth beside the file. Nobody edits without the hub
//! here, since the hub is what holds the file.

use flightdeck_contract::workbench::TextChange;

/// One step of the walk, in UTF-16 units.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Keep(usize),
    Put(String, usize),
    Drop(usize),
}

/// An edit of a text of a known length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    steps: Vec<Step>,
    before: usize,
}

/// Why changes are no edit of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidDelta {
    /// Which of the changes, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub problem: &'static str,
}

/// The length of a text in UTF-16 units.
pub(crate) fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

impl Delta {
    /// The edit that makes these changes in a text of `length` units. They must be sorted and must not overlap.
    pub fn new(changes: &[TextChange], length: usize) -> Result<Self, InvalidDelta> {
        let mut delta = Delta::default();
        for (index, change) in changes.iter().enumerate() {
            let invalid = |problem| Err(InvalidDelta { number: index + 1, problem });
            if change.to < change.from {
                return invalid("it ends before it begins");
            }
            if change.to > length {
                return invalid("it reaches beyond the end of the text");
            }
            if change.from < delta.before {
                return invalid("it overlaps the one before, or is not in order");
            }
            delta.keep(change.from - delta.before);
            delta.put(&change.insert);
            delta.drop(change.to - change.from);
        }
        delta.keep(length - delta.before);
        Ok(delta)
    }

    /// The length of the text that it edits.
    pub fn before(&self) -> usize {
        self.before
    }

    /// Whether it leaves the text as it is.
    pub fn is_empty(&self) -> bool {
        self.steps.iter().all(|step| matches!(step, Step::Keep(_)))
    }

    /// How many bytes it inserts.
    pub(crate) fn inserted(&self) -> usize {
        self.steps.iter().map(|step| if let Step::Put(text, _) = step { text.len() } else { 0 }).sum()
    }

    /// The memory that it takes, in bytes.
    pub(crate) fn weight(&self) -> usize {
        size_of::<Delta>() + self.steps.len() * size_of::<Step>() + self.inserted()
    }

    /// It as changes: sorted, and no two of them touch.
    pub fn changes(&self) -> Vec<TextChange> {
        let mut changes: Vec<TextChange> = Vec::new();
        let mut at = 0;
        // Steps that follow each other without a `Keep` between them are one change.
        let mut joins = false;
        for step in &self.steps {
            let (removed, insert) = match step {
                Step::Keep(count) => {
                    at += count;
                    joins = false;
                    continue;
                }
                Step::Put(text, _) => (0, text.as_str()),
                Step::Drop(count) => (*count, ""),
            };
            match changes.last_mut().filter(|_| joins) {
                Some(last) => {
                    last.to += removed;
                    last.insert.push_str(insert);
                }
                None => changes.push(TextChange { from: at, to: at + removed, insert: insert.to_owned() }),
            }
            at += removed;
            joins = true;
        }
        changes
    }

    /// Two edits of the same text, each as it is after the other: `earlier` then `later'` gives the same text as `later`
    /// then `earlier'`. Where both insert, the text of `earlier` comes first.
    pub fn transform(later: &Delta, earlier: &Delta) -> (Delta, Delta) {
        let (mut later_after, mut earlier_after) = (Delta::default(), Delta::default());
        let (mut a, mut b) = (later.steps.iter().cloned(), earlier.steps.iter().cloned());
        let (mut mine, mut theirs) = (a.next(), b.next());
        loop {
            (mine, theirs) = match (mine, theirs) {
                (mine, Some(Step::Put(text, count))) => {
                    earlier_after.put(&text);
                    later_after.keep(count);
                    (mine, b.next())
                }
                (Some(Step::Put(text, count)), theirs) => {
                    later_after.put(&text);
                    earlier_after.keep(count);
                    (a.next(), theirs)
                }
                (Some(mine), Some(theirs)) => {
                    let count = mine.length().min(theirs.length());
                    match (&mine, &theirs) {
                        (Step::Keep(_), Step::Keep(_)) => {
                            later_after.keep(count);
                            earlier_after.keep(count);
                        }
                        (Step::Drop(_), Step::Keep(_)) => later_after.drop(count),
                        (Step::Keep(_), Step::Drop(_)) => earlier_after.drop(count),
                        // Both dropped it: there is nothing left to do. Puts were taken above.
                        _ => {}
                    }
                    (mine.shortened(count).or_else(|| a.next()), theirs.shortened(count).or_else(|| b.next()))
                }
                // Both edit the same text, so they end together.
                (_, None) | (None, _) => return (later_after, earlier_after),
            };
        }
    }

    fn keep(&mut self, count: usize) {
        self.before += count;
        match self.steps.last_mut() {
            _ if count == 0 => {}
            Some(Step::Keep(last)) => *last += count,
            _ => self.steps.push(Step::Keep(count)),
        }
    }

    fn put(&mut self, text: &str) {
        let count = units(text);
        // Insertions stand before deletions at the same place, so that equal edits are equal.
        let at = self.steps.len() - usize::from(matches!(self.steps.last(), Some(Step::Drop(_))));
        match at.checked_sub(1).map(|before| &mut self.steps[before]) {
            _ if count == 0 => {}
            Some(Step::Put(last, length)) => {
                last.push_str(text);
                *length += count;
            }
            _ => self.steps.insert(at, Step::Put(text.to_owned(), count)),
        }
    }

    fn drop(&mut self, count: usize) {
        self.before += count;
        match self.steps.last_mut() {
            _ if count == 0 => {}
            Some(Step::Drop(last)) => *last += count,
            _ => self.steps.push(Step::Drop(count)),
        }
    }
}

impl Step {
    fn length(&self) -> usize {
        match self {
            Step::Keep(count) | Step::Drop(count) | Step::Put(_, count) => *count,
        }
    }

    /// What is left of a step over the old text.
    fn shortened(self, count: usize) -> Option<Step> {
        let left = self.length() - count;
        match self {
            _ if left == 0 => None,
            Step::Keep(_) => Some(Step::Keep(left)),
            Step::Drop(_) | Step::Put(..) => Some(Step::Drop(left)),
        }
    }
}
