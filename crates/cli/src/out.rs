//! What is printed for people, in one place. Standard output may be closed at any time: `flightdeck ls | head -1` is no reason to
//! panic. And much of what is printed are the words of agents and of programs: where a terminal shows it, everything but text
//! and colours is taken out of each line, whoever has written it.

use std::fmt;
use std::io::{self, IsTerminal as _, Write as _};

use flightdeck_contract::terminal::{OutputStream, TerminalEvent};
use flightdeck_view::output_filter::OutputFilter;

/// Like `println!`, with the error handed on instead of a panic.
macro_rules! outln {
    () => {
        $crate::out::print_line($crate::out::Stream::Output, format_args!(""))
    };
    ($($arg:tt)*) => {
        $crate::out::print_line($crate::out::Stream::Output, format_args!($($arg)*))
    };
}

/// Instead of the one of `std`, so that nothing dangerous gets to a terminal by this way either.
macro_rules! eprintln {
    () => {
        eprintln!("")
    };
    ($($arg:tt)*) => {{
        // Where nobody can be told, it is left untold.
        let _ = $crate::out::print_line($crate::out::Stream::Errors, format_args!($($arg)*));
    }};
}

/// Where something is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Output,
    Errors,
}

impl Stream {
    pub fn is_terminal(self) -> bool {
        match self {
            Stream::Output => io::stdout().is_terminal(),
            Stream::Errors => io::stderr().is_terminal(),
        }
    }

    fn write(self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Stream::Output => write_now(&mut io::stdout().lock(), bytes),
            Stream::Errors => write_now(&mut io::stderr().lock(), bytes),
        }
    }
}

/// Prints one line, or several.
pub fn print_line(stream: Stream, line: fmt::Arguments<'_>) -> io::Result<()> {
    let line = format!("{line}\n");
    if stream.is_terminal() {
        return stream.write(&readable(line.as_bytes()));
    }
    match stream {
        // Whoever reads it elsewhere takes it in larger pieces.
        Stream::Output => io::stdout().lock().write_all(line.as_bytes()),
        Stream::Errors => stream.write(line.as_bytes()),
    }
}

/// Text that a person may be shown: colours stay, everything else that is no text goes.
pub fn readable(text: &[u8]) -> Vec<u8> {
    let mut filter = OutputFilter::for_reading();
    let mut shown = filter.pass(text);
    shown.extend(filter.end());
    shown
}

/// Whether a command failed only because nobody reads its output any more.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let direct = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let in_json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        direct.or(in_json) == Some(io::ErrorKind::BrokenPipe)
    })
}

/// Writes bytes that somebody waits for, at once.
pub fn write_now(out: &mut impl io::Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(bytes)?;
    out.flush()
}

/// Text that programs have printed, for standard output: made readable where a terminal shows it.
pub fn print_text(text: &str) -> io::Result<()> {
    let stream = Stream::Output;
    if stream.is_terminal() { stream.write(&readable(text.as_bytes())) } else { stream.write(text.as_bytes()) }
}

/// Writes what a program prints to where it belongs, as it comes.
#[derive(Debug, Default)]
pub struct ProgramOutput {
    /// Those through which output passes; none passes as it is.
    output: Option<OutputFilter>,
    errors: Option<OutputFilter>,
}

impl ProgramOutput {
    /// Every byte as it is.
    pub fn raw() -> Self {
        ProgramOutput::default()
    }

    /// Text and colours alone where a terminal shows it.
    pub fn readable() -> Self {
        let filter = |stream: Stream| stream.is_terminal().then(OutputFilter::for_reading);
        ProgramOutput { output: filter(Stream::Output), errors: filter(Stream::Errors) }
    }

    /// What a program that was started in this window draws, but for what reaches beyond the window.
    pub fn drawn() -> Self {
        let filter = |stream: Stream| stream.is_terminal().then(OutputFilter::for_attaching);
        ProgramOutput { output: filter(Stream::Output), errors: filter(Stream::Errors) }
    }

    pub fn print(&mut self, event: &TerminalEvent, bytes: &[u8]) -> io::Result<()> {
        let (stream, filter) = match event {
            TerminalEvent::Output { stream: OutputStream::Stderr, .. } => (Stream::Errors, &mut self.errors),
            _ => (Stream::Output, &mut self.output),
        };
        match filter {
            Some(filter) => stream.write(&filter.pass(bytes)),
            None => stream.write(bytes),
        }
    }

    /// All of a program's output at once.
    pub fn print_all(&mut self, text: &str) -> io::Result<()> {
        match &mut self.output {
            Some(filter) => Stream::Output.write(&filter.pass(text.as_bytes())),
            None => Stream::Output.write(text.as_bytes()),
        }
    }

    /// Sets the colours back that were left behind.
    pub fn end(&mut self) -> io::Result<()> {
        for (stream, filter) in [(Stream::Output, &mut self.output), (Stream::Errors, &mut self.errors)] {
            if let Some(filter) = filter {
                stream.write(&filter.end())?;
            }
        }
        Ok(())
    }
}
