//! Escape sequences in what a program printed: only how long they are, for what tells text from them.

/// The length of the sequence that these bytes begin with; `None` when its end is not there.
pub(crate) fn sequence(bytes: &[u8]) -> Option<usize> {
    let rest = bytes.get(2..).unwrap_or_default();
    let after = match bytes.get(1)? {
        b'[' => rest.iter().position(|byte| !(0x20..0x40).contains(byte))? + 1,
        // Commands to the terminal with a text: they end with BEL, or ESC and a backslash.
        b']' | b'P' | b'X' | b'^' | b'_' => match rest.iter().position(|byte| matches!(byte, 0x07 | 0x1b))? {
            bell if rest[bell] == 0x07 => bell + 1,
            escape => match rest.get(escape + 1)? {
                b'\\' => escape + 2,
                // Another sequence begins, which ends this one.
                _ => escape,
            },
        },
        0x20..=0x2f => rest.iter().position(|byte| !(0x20..0x30).contains(byte))? + 1,
        _ => 0,
    };
    Some(2 + after)
}
