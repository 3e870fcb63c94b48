//! What a mark says, and how its fields are read. The grammar is in the module's documentation.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use super::RunId;

/// A mark and where it stands in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct ScannedMark {
    /// Offset of the mark's first byte. For [`Mark::CommandEnd`] it is where the command's output ended, which is
    /// earlier when the shell prints something of its own before it runs hooks.
    pub start: u64,
    /// Offset after the mark's last byte.
    pub end: u64,
    pub mark: Mark,
}

/// Something the shell tells about itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A prompt starts.
    PromptStart,
    /// The prompt ended and input begins.
    PromptEnd,
    /// A command line starts to execute. Not printed by `Posix` shells.
    CommandStart {
        /// Number of the command in this shell; grows with each command.
        seq: u64,
        text: Option<String>,
        /// Seconds since 1970.
        at: Option<f64>,
    },
    /// A delivered file starts to execute.
    RunStart {
        run: RunId,
        /// Number of the command that the file is; `None` in shells without integration.
        seq: Option<u64>,
        at: Option<f64>,
    },
    /// The command ended.
    CommandEnd {
        seq: u64,
        /// The run, when the command came by file.
        run: Option<RunId>,
        exit: i32,
        /// Exit status of each stage of the last pipeline; one element for a simple command.
        stages: Vec<i32>,
        cwd: Option<PathBuf>,
        text: Option<String>,
        at: Option<f64>,
        duration_ms: Option<u64>,
    },
    /// The shell says again how its last command ended, as the last of its prompt: it waits for input next.
    EndAgain { seq: u64, run: Option<RunId>, exit: i32, stages: Vec<i32> },
    /// A run in a shell without integration ended.
    RunEnd { run: RunId, exit: i32 },
    /// The command asks for a line with the shell's own line editor. Only fish tells this.
    Question,
}

impl Mark {
    /// Whether a command begins or ends here: what was printed before is not by whom what comes next is.
    pub(crate) fn is_turn(&self) -> bool {
        match self {
            Mark::CommandStart { .. } | Mark::RunStart { .. } | Mark::CommandEnd { .. } | Mark::RunEnd { .. } => true,
            Mark::PromptStart | Mark::PromptEnd | Mark::EndAgain { .. } | Mark::Question => false,
        }
    }
}

/// How the mark's bytes came to their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// By BEL, all bytes at hand.
    Whole,
    /// By something else, or too long to keep; raw text at the end is not to be trusted.
    Cut,
}

/// What the scanner makes of a mark.
#[derive(Debug, PartialEq)]
pub(super) enum Parsed {
    Mark(Mark),
    /// Kind `E`: the output of this command ends here, its `D` follows.
    OutputEnd(u64),
}

/// Reads what stands between the prefix and the end of a mark. `None` if it says nothing.
pub(super) fn parse(body: &[u8], ending: Ending) -> Option<Parsed> {
    let (kind, rest) = match body.iter().position(|&byte| byte == b';') {
        Some(at) => (&body[..at], &body[at + 1..]),
        None => (body, &body[body.len()..]),
    };
    let fields = Fields::read(rest, ending);
    if ending == Ending::Cut && !fields.has_open_end {
        return None;
    }
    let mark = match kind {
        b"A" => Mark::PromptStart,
        b"B" => Mark::PromptEnd,
        b"C" => Mark::CommandStart { seq: fields.seq?, text: fields.text, at: fields.at },
        b"R" => Mark::RunStart { run: fields.run?, seq: fields.seq, at: fields.at },
        b"E" => return Some(Parsed::OutputEnd(fields.seq?)),
        b"D" if fields.is_idle => return None,
        b"D" => fields.command_end()?,
        b"F" => fields.end_again()?,
        b"X" => Mark::RunEnd { run: fields.run?, exit: fields.exit? },
        b"Q" => Mark::Question,
        _ => return None,
    };
    Some(Parsed::Mark(mark))
}

#[derive(Default)]
struct Fields {
    seq: Option<u64>,
    run: Option<RunId>,
    exit: Option<i32>,
    settled_exit: Option<i32>,
    stages: Vec<i32>,
    at: Option<f64>,
    duration_ms: Option<u64>,
    cwd: Option<PathBuf>,
    text: Option<String>,
    /// `o=0`: the prompt came again without a command.
    is_idle: bool,
    /// A field was read that reaches to the end of the mark, so all before it are whole.
    has_open_end: bool,
}

impl Fields {
    fn read(mut rest: &[u8], ending: Ending) -> Self {
        let mut fields = Self::default();
        while let Some(equals) = rest.iter().position(|&byte| byte == b'=') {
            let key = &rest[..equals];
            rest = &rest[equals + 1..];
            if matches!(key, b"c" | b"h" | b"W") {
                fields.has_open_end = true;
                if ending == Ending::Whole {
                    fields.set_last(key, rest);
                }
                break;
            }
            let (value, after) = match rest.iter().position(|&byte| byte == b';') {
                Some(at) => (&rest[..at], &rest[at + 1..]),
                None => (rest, &rest[rest.len()..]),
            };
            fields.set(key, value);
            rest = after;
        }
        fields
    }

    fn set(&mut self, key: &[u8], value: &[u8]) {
        match key {
            b"w" => self.cwd = path(decode(value)),
            _ => {
                if let Ok(value) = std::str::from_utf8(value) {
                    self.set_plain(key, value);
                }
            }
        }
    }

    fn set_plain(&mut self, key: &[u8], value: &str) {
        match key {
            b"n" => self.seq = value.parse().ok(),
            b"r" => self.run = RunId::parse(value).ok(),
            b"x" => self.exit = value.parse().ok(),
            b"s" => self.settled_exit = value.parse().ok(),
            b"p" => self.stages = value.split(' ').filter_map(|stage| stage.parse().ok()).collect(),
            b"t" => self.at = value.replace(',', ".").parse().ok().filter(|at: &f64| at.is_finite()),
            b"d" => self.duration_ms = value.parse().ok(),
            b"o" => self.is_idle = value == "0",
            _ => {}
        }
    }

    fn set_last(&mut self, key: &[u8], value: &[u8]) {
        match key {
            b"c" => self.text = text(decode(value)),
            b"h" => self.text = history_line(value),
            _ => self.cwd = path(value.to_vec()),
        }
    }

    fn status(&mut self) -> Option<(i32, Vec<i32>)> {
        let exit = self.settled_exit.or(self.exit)?;
        let stages = std::mem::take(&mut self.stages);
        Some((exit, if stages.is_empty() { vec![exit] } else { stages }))
    }

    fn end_again(mut self) -> Option<Mark> {
        let (exit, stages) = self.status()?;
        Some(Mark::EndAgain { seq: self.seq?, run: self.run, exit, stages })
    }

    fn command_end(mut self) -> Option<Mark> {
        let (exit, stages) = self.status()?;
        Some(Mark::CommandEnd {
            seq: self.seq?,
            run: self.run,
            exit,
            stages,
            cwd: self.cwd,
            text: self.text,
            at: self.at,
            duration_ms: self.duration_ms,
        })
    }
}

fn text(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    (!text.is_empty()).then_some(text)
}

/// A folder that is not absolute is no folder of the shell.
fn path(bytes: Vec<u8>) -> Option<PathBuf> {
    let path = PathBuf::from(OsString::from_vec(bytes));
    path.is_absolute().then_some(path)
}

/// The command of a line such as `  812* echo hi`, as bash's `history 1` prints it through a terminal.
fn history_line(line: &[u8]) -> Option<String> {
    let line = text(line.to_vec())?.replace("\r\n", "\n");
    let line = line.trim_start_matches(' ').trim_start_matches(|c: char| c.is_ascii_digit());
    let line = line.strip_prefix([' ', '*'])?.strip_prefix(' ')?;
    let line = line.strip_suffix('\n').unwrap_or(line);
    (!line.is_empty()).then(|| line.to_owned())
}

fn decode(value: &[u8]) -> Vec<u8> {
    let digit = |at: usize| value.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut bytes = Vec::with_capacity(value.len());
    let mut at = 0;
    while at < value.len() {
        match (value[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                bytes.push(byte);
                at += 1;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(body: &str) -> Option<Mark> {
        match parse(body.as_bytes(), Ending::Whole) {
            Some(Parsed::Mark(mark)) => Some(mark),
            _ => None,
        }
    }

    fn run() -> RunId {
        RunId::parse("0123456789abcdef").expect("run id")
    }

    #[test]
    fn the_end_of_a_command_is_read_field_by_field() {
        let body = "D;n=7;x=3;p=0 1 3;r=0123456789abcdef;t=1700000000,25;d=12;w=/a%3Bb;c=echo %25; x";
        let end = Mark::CommandEnd {
            seq: 7,
            run: Some(run()),
            exit: 3,
            stages: vec![0, 1, 3],
            cwd: Some(PathBuf::from("/a;b")),
            text: Some("echo %; x".into()),
            at: Some(1_700_000_000.25),
            duration_ms: Some(12),
        };
        assert_eq!(mark(body), Some(end));
    }

    #[test]
    fn fields_that_say_nothing_are_left_out() {
        let end = mark("D;n=1;x=0;p=;r=;t=;w=;z=9;h=    3  ls; =%41\r\nb\r\n");
        let Some(Mark::CommandEnd { run, stages, cwd, text, at, .. }) = end else { panic!("{end:?}") };
        assert_eq!((run, stages, cwd, at), (None, vec![0], None, None));
        assert_eq!(text.as_deref(), Some("ls; =%41\nb"));
    }

    #[test]
    fn marks_without_what_they_need_are_none() {
        for body in ["", "U", "C", "C;n=x", "D;n=1", "D;x=1", "R;r=1", "X;r=0123456789abcdef", "D;n=1;x=0;o=0;W=/"] {
            assert_eq!(mark(body), None, "{body}");
        }
    }

    #[test]
    fn a_settled_status_stands_above_the_last_one() {
        let exit = |body| match mark(body) {
            Some(Mark::CommandEnd { exit, cwd, .. }) => Some((exit, cwd)),
            _ => None,
        };
        assert_eq!(exit("D;n=1;x=0;s=4;o=1;W=/a;w=/%41"), Some((4, Some(PathBuf::from("/a;w=/%41")))));
        assert_eq!(exit("D;n=1;x=2;s=;W="), Some((2, None)));
    }

    #[test]
    fn an_end_that_is_told_again_is_read_as_the_end_was() {
        let again = |exit, stages| Some(Mark::EndAgain { seq: 4, run: None, exit, stages });
        assert_eq!(mark("F;n=4;x=1;p=0 1;r="), again(1, vec![0, 1]));
        assert_eq!(mark("F;n=4;x=0;s=3;r="), again(3, vec![3]));
        assert_eq!(mark("F;n=4"), None);
    }

    #[test]
    fn a_cut_mark_counts_only_when_raw_text_was_cut() {
        assert_eq!(parse(b"D;n=1;x=1", Ending::Cut), None);
        let end = parse(b"D;n=1;x=0;h=   1  ec", Ending::Cut);
        assert!(matches!(end, Some(Parsed::Mark(Mark::CommandEnd { text: None, .. }))), "{end:?}");
    }
}
