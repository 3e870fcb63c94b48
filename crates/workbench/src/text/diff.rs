//! The changes that turn one text into another, so that a file that was written elsewhere moves cursors and highlights
//! instead of throwing them away.

use std::time::{Duration, Instant};

use flightdeck_contract::workbench::TextChange;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::delta::units;

/// Up to so many lines that may differ, the comparison is exact. It takes a few milliseconds at the most.
const EXACT_LINES: usize = 2_000;
/// The time for longer ones, while which everybody else waits. What is not compared by then is one change.
const TIME: Duration = Duration::from_millis(40);

/// The changes from one text to another: by lines, and shortened to what differs in them.
pub(crate) fn difference(old: &str, new: &str) -> Vec<TextChange> {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let tail = a[head..].iter().rev().zip(b[head..].iter().rev()).take_while(|(x, y)| x == y).count();
    let (left, right) = (&a[head..a.len() - tail], &b[head..b.len() - tail]);
    let deadline = (left.len() + right.len() > EXACT_LINES).then(|| Instant::now() + TIME);
    let ops = capture_diff_slices_deadline(Algorithm::Myers, left, right, deadline);
    let differs = |op: &&DiffOp| !matches!(op, DiffOp::Equal { .. });
    let mut changes = Vec::new();
    let mut at: usize = a[..head].iter().map(|line| units(line)).sum();
    let mut done = 0;
    for (from, to) in ops.iter().filter(differs).map(|op| (op.old_range(), op.new_range())) {
        at += left[done..from.start].iter().map(|line| units(line)).sum::<usize>();
        let (before, after) = (left[from.clone()].concat(), right[to].concat());
        changes.extend(shortest(at, &before, &after));
        at += units(&before);
        done = from.end;
    }
    changes
}

/// One change without what is equal at both ends.
fn shortest(at: usize, before: &str, after: &str) -> Option<TextChange> {
    let same = |(x, y): &(char, char)| x == y;
    let head: usize = before.chars().zip(after.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (old, new) = (&before[head..], &after[head..]);
    let tail: usize = old.chars().rev().zip(new.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (removed, insert) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    let from = at + units(&before[..head]);
    let change = TextChange { from, to: from + units(removed), insert: insert.to_owned() };
    (!removed.is_empty() || !insert.is_empty()).then_some(change)
}
