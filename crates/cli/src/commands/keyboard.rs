//! The detach key: found in what is typed, whole or not at all.

use anyhow::bail;

/// A single key that can't be the beginning of another one's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetachKey(u8);

impl DetachKey {
    /// `C-\`, `C-]`, `C-q`, …
    pub fn parse(name: &str) -> anyhow::Result<Self> {
        let mut chars = name.strip_prefix("C-").unwrap_or_default().chars();
        match (chars.next(), chars.next()) {
            (Some(c @ ('a'..='z' | '\\' | ']' | '^' | '_')), None) => {
                Ok(DetachKey(c.to_ascii_uppercase() as u8 & 0x1f))
            }
            _ => bail!("the detach key {name:?} is not a Ctrl key: use C-\\, C-], C-q or another letter"),
        }
    }

    /// What comes before the key in `typed`, if it is there.
    pub fn find(self, typed: &[u8]) -> Option<&[u8]> {
        typed.iter().position(|byte| *byte == self.0).map(|at| &typed[..at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        assert_eq!(DetachKey::parse("C-\\").unwrap(), DetachKey(0x1c));
        assert_eq!(DetachKey::parse("C-q").unwrap(), DetachKey(0x11));
        for name in ["", "q", "C-", "C-qq", "Enter", "C-é", "C-1"] {
            assert!(DetachKey::parse(name).is_err(), "{name}");
        }
        assert_eq!(DetachKey(0x1c).find(b"ab\x1ccd"), Some(&b"ab"[..]));
        assert_eq!(DetachKey(0x1c).find(b"abcd"), None);
    }
}
