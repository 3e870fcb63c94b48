//! Kitty keyboard flags, one stack for each screen as its protocol asks. Kept here because the engine's own stack
//! cannot be read back for a snapshot and panics when it is full.

const DEPTH: usize = 16;
const KNOWN: u8 = 0b1_1111;

/// The stack of one screen; its lowest entry is always there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Keyboard {
    stack: Vec<u8>,
}

impl Default for Keyboard {
    fn default() -> Self {
        Self { stack: vec![0] }
    }
}

impl Keyboard {
    pub(super) fn flags(&self) -> u8 {
        self.stack.last().copied().unwrap_or(0)
    }

    /// From the lowest entry up.
    pub(super) fn entries(&self) -> &[u8] {
        &self.stack
    }

    pub(super) fn push(&mut self, flags: u16) {
        if self.stack.len() > DEPTH {
            self.stack.remove(1);
        }
        self.stack.push(flags as u8 & KNOWN);
    }

    pub(super) fn pop(&mut self, count: u16) {
        let left = self.stack.len().saturating_sub(usize::from(count));
        if left == 0 {
            self.stack = vec![0];
        } else {
            self.stack.truncate(left);
        }
    }

    pub(super) fn set(&mut self, flags: u16, how: u16) {
        let flags = flags as u8 & KNOWN;
        if let Some(top) = self.stack.last_mut() {
            *top = match how {
                2 => *top | flags,
                3 => *top & !flags,
                _ => flags,
            };
        }
    }
}
