//! Standard output that may be closed at any time: `flightdeck ls | head -1` is no reason to panic.

use flightdeck_contract::terminal::{OutputStream, TerminalEvent};

/// Like `println!`, with the error handed on instead of a panic.
macro_rules! outln {
    ($($arg:tt)*) => {{
        use std::io::Write as _;
        writeln!(std::io::stdout().lock(), $($arg)*)
    }};
}

/// Whether a command failed only because nobody reads its output any more.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let direct = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        let in_json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        direct.or(in_json) == Some(std::io::ErrorKind::BrokenPipe)
    })
}

/// Writes bytes that somebody waits for, at once.
pub fn write_now(out: &mut impl std::io::Write, bytes: &[u8]) -> std::io::Result<()> {
    out.write_all(bytes)?;
    out.flush()
}

/// Writes what a program printed to where it belongs.
pub fn print_output(event: &TerminalEvent, bytes: &[u8]) -> std::io::Result<()> {
    match event {
        TerminalEvent::Output { stream: OutputStream::Stderr, .. } => write_now(&mut std::io::stderr().lock(), bytes),
        _ => write_now(&mut std::io::stdout().lock(), bytes),
    }
}
