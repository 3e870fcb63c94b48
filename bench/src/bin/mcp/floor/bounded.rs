//! The head and the tail of an output of any length.

/// What is kept of each.
const HALF: usize = 32 << 10;

#[derive(Debug, Default)]
pub struct Bounded {
    head: Vec<u8>,
    tail: Vec<u8>,
    /// What came after the head.
    after: u64,
}

impl Bounded {
    pub fn push(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(HALF - self.head.len()));
        self.head.extend_from_slice(head);
        self.after += rest.len() as u64;
        let rest = &rest[rest.len().saturating_sub(HALF)..];
        self.tail.extend_from_slice(rest);
        // Not each time, so that a byte is moved once at most.
        if self.tail.len() > 2 * HALF {
            self.tail.drain(..self.tail.len() - HALF);
        }
    }

    /// As text, with plain line ends, and with a line in between when something is left out.
    pub fn text(&self) -> String {
        let tail = &self.tail[self.tail.len().saturating_sub(HALF)..];
        let left_out = self.after - tail.len() as u64;
        let mut bytes = self.head.clone();
        if left_out > 0 {
            bytes.extend_from_slice(format!("\n… {left_out} bytes …\n").as_bytes());
        }
        bytes.extend_from_slice(tail);
        String::from_utf8_lossy(&bytes).replace("\r\n", "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_all_of_a_short_output() {
        let mut output = Bounded::default();
        output.push(b"one\r\n");
        output.push(b"two\n");
        assert_eq!(output.text(), "one\ntwo\n");
    }

    #[test]
    fn keeps_head_and_tail_of_a_long_output() {
        for size in [1, 1000, 3 * HALF] {
            let mut output = Bounded::default();
            output.push(b"begin");
            let mut left = 10 * HALF;
            while left > 0 {
                let now = left.min(size);
                output.push(&vec![b'x'; now]);
                left -= now;
            }
            output.push(b"end");
            let text = output.text();
            assert!(text.starts_with("beginx") && text.ends_with("xend"), "in pieces of {size}");
            assert!(text.contains(&format!("… {} bytes …", 8 * HALF + 8)), "in pieces of {size}");
        }
    }
}
