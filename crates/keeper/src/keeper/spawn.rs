//! Making a terminal or pipes, and starting a child on them.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, fcntl_setpipe_size, pipe_with};
use rustix::process::{Pid, Resource, Rlimit, chdir, ioctl_tiocsctty, setrlimit, setsid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

use super::birth::Birth;
use super::confine::{self, Confined};
use super::signals;
use super::terminal::{Terminal, resize};
use crate::descriptors;
use crate::{Output, Refusal, Size, SpawnSpec};

/// A flood through a pipe of the usual 64 KiB costs a wake-up for each 64 KiB.
const PIPE_BYTES: usize = 1 << 20;
/// Beyond this many large pipes a user without privileges would get near the kernel's limit (64 MiB for all pipes),
/// and then every new pipe of that user, anywhere, would shrink to a page.
pub const MAX_LARGE_PIPES: usize = 32;

/// A child that runs, and our ends of what it writes to.
pub struct Child {
    pub pid: Pid,
    pub master: Option<OwnedFd>,
    /// Where its standard input comes from, when that is held.
    pub stdin: Option<OwnedFd>,
    pub pipes: [Option<OwnedFd>; 2],
}

/// What a child gets that is not in its spec.
pub struct Surroundings {
    /// The limit of open files before the keeper raised its own: some programs loop over all descriptors.
    pub open_files: Rlimit,
    pub pipes_large: bool,
    /// One that is open already.
    pub terminal: Option<Terminal>,
}

/// Our side and the child's side of its standard streams.
struct Wires {
    master: Option<OwnedFd>,
    stdin: Option<OwnedFd>,
    pipes: [Option<OwnedFd>; 2],
    child: [OwnedFd; 3],
}

/// Starts `program` (see `program::resolve`) as the leader of a session of its own.
pub fn spawn(spec: &SpawnSpec, program: &Path, surroundings: Surroundings) -> Result<Child, Refusal> {
    let Surroundings { open_files, pipes_large, terminal: spare } = surroundings;
    let wires = match spec.output {
        Output::Pty(size) => terminal(spare, size),
        Output::Pipes => pipes(pipes_large),
        Output::PipesHeld => pipes(pipes_large).and_then(hold_stdin),
    };
    let wires = wires.map_err(|error| refusal(spec, program, &error.into()))?;
    let sandbox = spec.sandbox.as_ref();
    let [stdin, stdout, stderr] = &wires.child;
    let on_terminal = wires.master.is_some();
    let confined = sandbox.map(|sandbox| Confined::new(sandbox, on_terminal.then_some(stdin))).transpose()?;
    let cwd = c_string(spec.cwd.as_bytes())?;
    let prepare = || -> io::Result<()> {
        dup2_stdin(stdin)?;
        dup2_stdout(stdout)?;
        dup2_stderr(stderr)?;
        chdir(cwd.as_c_str())?;
        setsid()?;
        if on_terminal {
            ioctl_tiocsctty(rustix::stdio::stdin())?;
        }
        signals::reset_in_child();
        descriptors::close_on_exec();
        setrlimit(Resource::Nofile, open_files)?;
        confined.as_ref().map_or(Ok(()), Confined::apply)
    };
    // The control thread is the one that reaps, and it is here: nobody else can reap this child in between.
    let pid = birth(spec, program)?.start(&prepare).map_err(|error| refusal(spec, program, &error))?;
    Ok(Child { pid, master: wires.master, stdin: wires.stdin, pipes: wires.pipes })
}

/// The program with its arguments and its environment.
fn birth(spec: &SpawnSpec, program: &Path) -> Result<Birth, Refusal> {
    let name = spec.arg0.iter().chain(spec.argv.first()).take(1);
    let argv = name.chain(spec.argv.iter().skip(1)).map(|word| c_string(word.as_bytes()));
    // The last of those with the same name counts.
    let env: BTreeMap<_, _> = spec.env.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
    let env = env.into_iter().map(|(name, value)| c_string(&[name, b"=", value].concat()));
    Ok(Birth {
        program: c_string(program.as_os_str().as_bytes())?,
        argv: argv.collect::<Result<_, _>>()?,
        env: env.collect::<Result<_, _>>()?,
    })
}

fn c_string(bytes: &[u8]) -> Result<CString, Refusal> {
    CString::new(bytes).map_err(|error| Refusal::Invalid { reason: error.to_string() })
}

/// The terminal of a new session. `spare`: one that is open already.
fn terminal(spare: Option<Terminal>, size: Size) -> Result<Wires, Errno> {
    let Terminal { master, slave } = spare.map_or_else(Terminal::open, Ok)?;
    resize(&master, size)?;
    let copy = || rustix::io::fcntl_dupfd_cloexec(&slave, 0);
    let child = [copy()?, copy()?, slave];
    Ok(Wires { master: Some(master), stdin: None, pipes: [None, None], child })
}

fn pipes(large: bool) -> Result<Wires, Errno> {
    let make = || {
        let (ours, theirs) = pipe_with(PipeFlags::CLOEXEC)?;
        // Only ours: a child does not expect its standard output to say "try again".
        rustix::io::ioctl_fionbio(&ours, true)?;
        Ok::<_, Errno>((ours, theirs))
    };
    let (stdout, their_stdout) = make()?;
    let (stderr, their_stderr) = make()?;
    if large {
        // Only a matter of speed, and errors rarely come in floods.
        let _refused = fcntl_setpipe_size(&stdout, PIPE_BYTES);
    }
    let empty = open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let child = [empty, their_stdout, their_stderr];
    Ok(Wires { master: None, stdin: None, pipes: [Some(stdout), Some(stderr)], child })
}

/// Puts a pipe in place of the empty standard input.
fn hold_stdin(wires: Wires) -> Result<Wires, Errno> {
    let (theirs, ours) = pipe_with(PipeFlags::CLOEXEC)?;
    // A child that does not read must hold up nobody.
    rustix::io::ioctl_fionbio(&ours, true)?;
    let [_empty, stdout, stderr] = wires.child;
    Ok(Wires { stdin: Some(ours), child: [theirs, stdout, stderr], ..wires })
}

pub fn refusal(spec: &SpawnSpec, program: &Path, error: &io::Error) -> Refusal {
    let name = program.display().to_string();
    if let Some(refusal) = confine::refusal(error) {
        return refusal;
    }
    match error.raw_os_error() {
        Some(libc::EMFILE | libc::ENFILE) => Refusal::TooManyFiles,
        // The file was there a moment ago: it is a script, and what its first line names is missing.
        Some(libc::ENOENT) if program.exists() => Refusal::ProgramNotExecutable {
            program: name,
            reason: "the interpreter in its first line does not exist".to_owned(),
        },
        Some(libc::ENOENT) => Refusal::ProgramNotFound { program: name },
        Some(libc::EACCES | libc::ENOEXEC | libc::ELIBBAD) => {
            Refusal::ProgramNotExecutable { program: name, reason: error.to_string() }
        }
        Some(libc::E2BIG) => Refusal::Invalid {
            reason: format!("the arguments and environment of {name} are too long: pass them in a file"),
        },
        _ => Refusal::Other { text: format!("{name} could not be started in {}: {error}", spec.cwd) },
    }
}
