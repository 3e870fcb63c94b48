//! The window title and its stack (OSC 0/2, CSI 22/23 t), bounded in length and depth.

const LIMIT: usize = 1024;
const DEPTH: usize = 10;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Title {
    current: Option<String>,
    stack: Vec<Option<String>>,
}

impl Title {
    pub(super) fn current(&self) -> Option<&str> {
        self.current.as_deref()
    }

    /// From the oldest up.
    pub(super) fn stack(&self) -> &[Option<String>] {
        &self.stack
    }

    pub(super) fn set(&mut self, bytes: &[u8]) {
        // Controls in a title would reach whoever prints it.
        let mut title: String = String::from_utf8_lossy(bytes).chars().filter(|c| !c.is_control()).collect();
        if title.len() > LIMIT {
            title.truncate(title.floor_char_boundary(LIMIT));
        }
        self.current = Some(title.trim().to_owned());
    }

    pub(super) fn push(&mut self) {
        if self.stack.len() >= DEPTH {
            self.stack.remove(0);
        }
        self.stack.push(self.current.clone());
    }

    pub(super) fn pop(&mut self) {
        if let Some(title) = self.stack.pop() {
            self.current = title;
        }
    }
}
