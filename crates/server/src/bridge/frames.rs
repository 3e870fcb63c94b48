//! What two hubs say to each other once they have recognised each other, and how lines are read from a stream.

use std::io;
use std::time::Duration;

use flightdeck_contract::Error;
use flightdeck_core::ProgressReport;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _};

/// How many beats of the other side may be missing before it counts as gone.
pub const MISSED: u32 = 3;

/// What the container's hub says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientSays {
    /// Carry this out. The same request is carried out once, however often it is sent.
    Request {
        /// Its number in answers on this and later connections of the same client.
        id: u64,
        request_id: String,
        trace: String,
        agent: String,
        /// A request of the terminal contract.
        request: Value,
    },
    /// Nobody waits for this any more.
    Cancel { id: u64 },
    /// The answer has arrived.
    Ack { id: u64 },
    /// I am here.
    Beat,
}

/// What the host's hub says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HostSays {
    /// It is in my hands.
    Accepted { id: u64 },
    /// What it does now.
    Progress {
        id: u64,
        #[serde(flatten)]
        report: ProgressReport,
    },
    /// A response of the terminal contract.
    Response { id: u64, response: Value },
    /// It could not be taken.
    Failed { id: u64, error: Error },
    /// I am here.
    Beat,
}

/// Reads the next line without its end into `line`; `false` when the other side has hung up. The time is for each piece: a long line
/// may take longer, as long as it comes.
pub async fn next_line(
    read: &mut (impl AsyncBufRead + Unpin),
    line: &mut Vec<u8>,
    longest: usize,
    time: Duration,
) -> io::Result<bool> {
    line.clear();
    loop {
        let piece = tokio::time::timeout(time, read.fill_buf()).await.map_err(|_| io::ErrorKind::TimedOut)??;
        if piece.is_empty() {
            return if line.is_empty() { Ok(false) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
        let end = piece.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(piece.len());
        if line.len() + taken > longest {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a line is too long"));
        }
        line.extend_from_slice(&piece[..taken]);
        read.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: Duration = Duration::from_secs(10);

    #[tokio::test]
    async fn lines_come_whole_whatever_their_pieces() {
        let (mut line, text) = (Vec::new(), &b"one\n\nthree\nrest"[..]);
        for size in 1..8 {
            let mut read = tokio::io::BufReader::with_capacity(size, text);
            for expected in ["one", "", "three"] {
                assert!(next_line(&mut read, &mut line, 10, TIME).await.unwrap());
                assert_eq!(line, expected.as_bytes());
            }
            let error = next_line(&mut read, &mut line, 10, TIME).await.unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        }
        assert!(!next_line(&mut &b""[..], &mut line, 10, TIME).await.unwrap());
    }

    #[tokio::test]
    async fn a_line_has_its_limit_and_silence_its_time() {
        let mut line = Vec::new();
        assert!(next_line(&mut &b"12345\n"[..], &mut line, 5, TIME).await.unwrap());
        let error = next_line(&mut &b"123456\n"[..], &mut line, 5, TIME).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        let (silent, _kept) = tokio::io::duplex(10);
        let mut silent = tokio::io::BufReader::new(silent);
        let error = next_line(&mut silent, &mut line, 5, Duration::from_millis(10)).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
