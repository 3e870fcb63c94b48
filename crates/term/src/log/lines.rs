//! The last lines of a log, without reading the rest.

use std::io;

use memchr::memrchr_iter;

use super::Offset;

/// How much is looked at in one step.
const BLOCK: u64 = 64 * 1024;

/// Where the last `lines` lines of `start..end` begin, going back at most `max` bytes.
pub(super) fn start_of_last(
    lines: usize,
    start: Offset,
    end: Offset,
    max: u64,
    mut read: impl FnMut(Offset, &mut [u8]) -> io::Result<usize>,
) -> io::Result<Offset> {
    if lines == 0 {
        return Ok(end);
    }
    let floor = start.max(Offset(end.0.saturating_sub(max)));
    let mut buf = vec![0; BLOCK as usize];
    let mut found = 0;
    let mut upper = end;
    while upper > floor {
        let lower = floor.max(Offset(upper.0.saturating_sub(BLOCK)));
        let part = &mut buf[..upper.since(lower) as usize];
        let filled = read(lower, part)?;
        for position in memrchr_iter(b'\n', &part[..filled]) {
            let after = lower + position as u64 + 1;
            // The newline that ends the last line begins none.
            if after == end {
                continue;
            }
            found += 1;
            if found == lines {
                return Ok(after);
            }
        }
        upper = lower;
    }
    Ok(floor)
}
