//! Text as one literal word of a shell.

use super::ShellKind;

/// Quotes bytes so that the shell takes them as they are. NUL can't be quoted and must have been refused before.
pub(super) fn quote(kind: ShellKind, bytes: &[u8]) -> Vec<u8> {
    let mut quoted = Vec::with_capacity(bytes.len() + 2);
    quoted.push(b'\'');
    for &byte in bytes {
        match (kind, byte) {
            (ShellKind::Fish, b'\'' | b'\\') => quoted.extend([b'\\', byte]),
            (_, b'\'') => quoted.extend(b"'\\''"),
            _ => quoted.push(byte),
        }
    }
    quoted.push(b'\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_escaped_in_the_way_of_the_shell() {
        assert_eq!(quote(ShellKind::Bash, b"it's \\ $x"), b"'it'\\''s \\ $x'");
        assert_eq!(quote(ShellKind::Fish, b"it's \\ $x"), b"'it\\'s \\\\ $x'");
    }
}
