//! How many columns a character takes, well enough to keep the columns of a progress bar right. The engine has the
//! full table but does not share it.

/// First and last of the ranges that take two columns.
const WIDE: [(u32, u32); 24] = [
    (0x1100, 0x115f),
    (0x231a, 0x231b),
    (0x23e9, 0x23ec),
    (0x25fd, 0x25fe),
    (0x2614, 0x2615),
    (0x2648, 0x2653),
    (0x26a1, 0x26a1),
    (0x26bd, 0x26be),
    (0x26ce, 0x26d4),
    (0x2705, 0x2705),
    (0x270a, 0x270b),
    (0x2728, 0x2728),
    (0x274c, 0x274e),
    (0x2753, 0x2757),
    (0x2795, 0x2797),
    (0x2b1b, 0x2b1c),
    (0x2e80, 0x303e),
    (0x3041, 0xa4cf),
    (0xa960, 0xa97f),
    (0xac00, 0xd7a3),
    (0xf900, 0xfaff),
    (0xfe30, 0xfe6f),
    (0xff01, 0xff60),
    (0x1f300, 0x3fffd),
];

const ZERO: [(u32, u32); 12] = [
    (0x0300, 0x036f),
    (0x0483, 0x0489),
    (0x0591, 0x05bd),
    (0x0610, 0x061a),
    (0x064b, 0x065f),
    (0x0e34, 0x0e3a),
    (0x1ab0, 0x1aff),
    (0x1dc0, 0x1dff),
    (0x200b, 0x200f),
    (0x20d0, 0x20ff),
    (0xfe00, 0xfe0f),
    (0xfe20, 0xfe2f),
];

pub(super) fn width(c: char) -> usize {
    let code = u32::from(c);
    let within = |ranges: &[(u32, u32)]| {
        let at = ranges.partition_point(|(_, last)| *last < code);
        ranges.get(at).is_some_and(|(first, _)| *first <= code)
    };
    if code < 0x300 {
        1
    } else if within(&ZERO) {
        0
    } else if within(&WIDE) {
        2
    } else {
        1
    }
}
