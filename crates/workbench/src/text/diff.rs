//! The changes that turn one text into another, so that a file that was written elsewhere moves cursors and highlights
//! instead of throwing them away.

use flightdeck_contract::workbench::TextChange;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::delta::units;

/// Above so many differing lines the whole middle is one change: nobody follows it line by line, and it takes no time.
const MOST_LINES: usize = 20_000;

/// The changes from one text to another: by lines, and shortened to what differs in them.
pub(crate) fn difference(old: &str, new: &str) -> Vec<TextChange> {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let tail = a[head..].iter().rev().zip(b[head..].iter().rev()).take_while(|(x, y)| x == y).count();
    let (left, right) = (&a[head..a.len() - tail], &b[head..b.len() - tail]);
    let blocks = if left.len() + right.len() > MOST_LINES {
        vec![(0..left.len(), 0..right.len())]
    } else {
        let ops = capture_diff_slices(Algorithm::Myers, left, right);
        let differs = |op: &DiffOp| !matches!(op, DiffOp::Equal { .. });
        ops.iter().filter(|op| differs(op)).map(|op| (op.old_range(), op.new_range())).collect()
    };
    let mut changes = Vec::with_capacity(blocks.len());
    let mut at: usize = a[..head].iter().map(|line| units(line)).sum();
    let mut done = 0;
    for (from, to) in blocks {
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
