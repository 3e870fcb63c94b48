//! The id of a message that is too long to be read, so that whoever sent it hears of that instead of waiting for ever.

use rmcp::model::RequestId;
use serde::Deserialize;

/// A member that is longer than this is not the id.
const LONGEST: usize = 300;

/// Finds `id` among the members of a JSON object that comes in pieces, wherever it stands.
#[derive(Debug, Default)]
pub(super) struct TopLevelId {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The member of the outermost object that is being read.
    member: Vec<u8>,
    found: Option<RequestId>,
}

impl TopLevelId {
    pub(super) fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.take(*byte);
        }
    }

    pub(super) fn found(&mut self) -> Option<RequestId> {
        self.found.take()
    }

    fn take(&mut self, byte: u8) {
        if self.in_string {
            self.in_string = byte != b'"' || self.escaped;
            self.escaped = byte == b'\\' && !self.escaped;
            return self.keep(byte);
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                if self.depth == 1 {
                    self.end_member();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b',' if self.depth == 1 => return self.end_member(),
            _ => {}
        }
        if !(self.depth == 1 && byte == b'{') {
            self.keep(byte);
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.member.len() <= LONGEST {
            self.member.push(byte);
        }
    }

    fn end_member(&mut self) {
        #[derive(Deserialize)]
        struct Member {
            id: RequestId,
        }
        let member = std::mem::take(&mut self.member);
        if member.len() <= LONGEST {
            let object = [b"{", member.as_slice(), b"}"].concat();
            self.found = serde_json::from_slice(&object).ok().map(|Member { id }| id).or(self.found.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_is_found_wherever_it_stands() {
        let long = "x".repeat(500);
        for (line, id) in [
            (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"id":8,"content":"LONG"}}"#, Some("7")),
            (
                r#"{"method":"tools/call","params":{"a":[{"id":8}],"content":"LONG, \"id\": 9}"},"jsonrpc":"2.0","id":7}"#,
                Some("7"),
            ),
            (r#" { "params" : {"content": "LONG\\"} , "id" : "a\"b,}" , "method":"x" } "#, Some("a\"b,}")),
            (r#"{"method":"notifications/x","params":{"id":8,"content":"LONG"}}"#, None),
            (r#"{"id":{"id":8},"params":"LONG"}"#, None),
            (r#"[{"id":8,"params":"LONG"}]"#, None),
            ("LONG", None),
            (r#"{"id":8"#, None),
        ] {
            let line = line.replace("LONG", &long);
            // In pieces of every size, as they come.
            for size in [1, 7, line.len()] {
                let mut ids = TopLevelId::default();
                line.as_bytes().chunks(size).for_each(|piece| ids.read(piece));
                assert_eq!(ids.found().map(|id| id.to_string()).as_deref(), id, "{line}");
            }
        }
    }
}
