//! A shell on a PTY, and the matching of marks as a hub does it.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use flightdeck_keeper::Size;
use flightdeck_term::screen::Screen;
use flightdeck_term::shell::{
    Delivery, Launch, Mark, MarkScanner, Nonce, RunId, ScannedMark, ShellKind, deliver, end_name, prepare,
};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

const DEADLINE: Duration = Duration::from_secs(40);
const PRESS_AGAIN: Duration = Duration::from_secs(1);
const ROWS: u16 = 24;
const COLS: u16 = 80;

/// Calls in which a shell waits for keys: `read`, `poll`, `select`, `pselect6`, `ppoll`, `epoll_wait`, `epoll_pwait`.
#[cfg(target_arch = "x86_64")]
const WAITS_FOR_INPUT: [i64; 7] = [0, 7, 23, 270, 271, 232, 281];
/// Calls in which a shell waits for keys: `read`, `pselect6`, `ppoll`, `epoll_pwait`.
#[cfg(not(target_arch = "x86_64"))]
const WAITS_FOR_INPUT: [i64; 4] = [63, 72, 73, 22];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
    Dash,
}

impl Shell {
    fn path(self) -> PathBuf {
        let name = match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
            Self::Dash => "dash",
        };
        ["/bin", "/usr/bin", "/usr/local/bin"]
            .iter()
            .map(|folder| Path::new(folder).join(name))
            .find(|path| path.exists())
            .unwrap_or_else(|| panic!("{name} must be installed for these tests"))
    }
}

/// What is particular about the user of a terminal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup<'a> {
    /// Files in the home folder: path and contents.
    pub files: &'a [(&'a str, &'a str)],
    /// Variables; `~/` at the start of a value stands for the home folder.
    pub env: &'a [(&'a str, &'a str)],
    pub login: bool,
    /// Another way to start the shell than its own path.
    pub program: Option<&'a Path>,
}

/// A run on its way.
#[derive(Debug)]
pub struct Run {
    id: Option<RunId>,
    /// Length of the log when it was delivered.
    from: u64,
    /// Greatest number of a command until then.
    last_seq: u64,
    file: Option<PathBuf>,
}

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    pub exit: i32,
    pub stages: Vec<i32>,
    pub output: String,
    pub cwd: Option<String>,
    pub text: Option<String>,
}

pub struct Terminal {
    kind: ShellKind,
    nonce: Nonce,
    home: tempfile::TempDir,
    dir: tempfile::TempDir,
    master: File,
    child: Child,
    chunks: Receiver<Vec<u8>>,
    log: Vec<u8>,
    scanner: MarkScanner,
    marks: Vec<ScannedMark>,
}

impl Terminal {
    pub fn start(shell: Shell) -> Self {
        Self::start_with(shell, &Setup::default())
    }

    pub fn start_with(shell: Shell, setup: &Setup<'_>) -> Self {
        let home = tempfile::tempdir().expect("home");
        // Without it fish parses all manual pages of the machine in the background, for minutes.
        fs::create_dir_all(home.path().join(".local/share/fish/generated_completions")).expect("folder for fish");
        for (path, contents) in setup.files {
            let path = home.path().join(path);
            fs::create_dir_all(path.parent().expect("parent")).expect("folder");
            fs::write(path, contents).expect("file");
        }
        let dir = tempfile::tempdir().expect("folder of the terminal");
        let nonce = Nonce::random().expect("nonce");
        let expand = |value: &str| match value.strip_prefix("~/") {
            Some(path) => home.path().join(path).into_os_string(),
            None => value.into(),
        };
        let user_env = |name: &str| setup.env.iter().find(|(key, _)| *key == name).map(|(_, value)| expand(value));
        let program = setup.program.map_or_else(|| shell.path(), Path::to_path_buf);
        let launch = prepare(dir.path(), &program, setup.login, &nonce, &user_env).expect("start-up files");
        let kind = launch.kind;
        let envs = setup.env.iter().map(|(key, value)| ((*key).into(), expand(value))).collect();
        let (master, child) = spawn(&launch, home.path(), envs);
        let chunks = read(&master);
        let scanner = MarkScanner::new(&nonce);
        let mut terminal =
            Self { kind, nonce, home, dir, master, child, chunks, log: Vec::new(), scanner, marks: Vec::new() };
        if kind != ShellKind::Other {
            terminal.wait_for_prompts(1);
        }
        terminal
    }

    /// Treats the shell as one without integration from now on, as a hub does for a nested shell.
    pub fn set_kind(&mut self, kind: ShellKind) {
        self.kind = kind;
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    pub fn log(&self) -> &[u8] {
        &self.log
    }

    pub fn log_text(&self) -> String {
        String::from_utf8_lossy(&self.log).into_owned()
    }

    pub fn marks(&self) -> &[ScannedMark] {
        &self.marks
    }

    /// The raw bytes, for a failed assertion.
    pub fn dump(&self) -> String {
        format!("raw log: {:?}\nmarks: {:#?}", self.log_text(), self.marks)
    }

    pub fn write(&mut self, bytes: &[u8]) {
        self.master.write_all(bytes).expect("write to the terminal");
    }

    pub fn run(&mut self, text: &str) -> Outcome {
        let run = self.deliver(text);
        self.wait_for_end(run)
    }

    pub fn run_clearing(&mut self, text: &str) -> Outcome {
        let run = self.deliver_with(text, true);
        self.wait_for_end(run)
    }

    pub fn deliver(&mut self, text: &str) -> Run {
        self.deliver_with(text, false)
    }

    fn deliver_with(&mut self, text: &str, clear_line_first: bool) -> Run {
        let id = RunId::random().expect("run id");
        let dir = self.dir.path().to_owned();
        match deliver(self.kind, text, &id, &dir, &self.nonce, clear_line_first).expect("delivery") {
            Delivery::Typed(line) => self.send(&line, None, None),
            Delivery::File { name, contents, end, line } => {
                let write = |path: &Path, contents: &[u8]| {
                    let mut options = File::options();
                    let mut file = options.write(true).create_new(true).mode(0o600).open(path).expect("run file");
                    file.write_all(contents).expect("run file");
                };
                let path = dir.join("run").join(&name);
                write(&path, &contents);
                if let Some(end) = end {
                    write(&dir.join("run").join(end_name(&name)), &end);
                }
                self.send(&line, Some(id), Some(path))
            }
        }
    }

    /// A line that a person types, and what comes of it.
    pub fn type_line(&mut self, line: &str) -> Outcome {
        let run = self.send(format!("{line}\r").as_bytes(), None, None);
        self.wait_for_end(run)
    }

    fn send(&mut self, line: &[u8], id: Option<RunId>, file: Option<PathBuf>) -> Run {
        let seq_of = |mark: &ScannedMark| match &mark.mark {
            Mark::CommandStart { seq, .. } => *seq,
            _ => 0,
        };
        let last_seq = self.marks.iter().map(seq_of).max().unwrap_or(0);
        let from = self.log.len() as u64;
        self.write(line);
        Run { id, from, last_seq, file }
    }

    /// Waits until the command executes; the offset where its output begins and its number.
    pub fn wait_for_start(&mut self, run: &Run) -> (u64, Option<u64>) {
        self.wait("the start of a run", |terminal| terminal.find_start(run))
    }

    fn find_start(&self, run: &Run) -> Option<(u64, Option<u64>)> {
        let later = self.marks.iter().filter(|mark| mark.start >= run.from);
        later.into_iter().find_map(|mark| match (&mark.mark, &run.id) {
            (Mark::RunStart { run: id, seq, .. }, Some(wanted)) if id == wanted => Some((mark.end, *seq)),
            (Mark::CommandStart { seq, .. }, None) if *seq > run.last_seq => Some((mark.end, Some(*seq))),
            _ => None,
        })
    }

    /// Waits for the end of the run and for the prompt after it.
    pub fn wait_for_end(&mut self, run: Run) -> Outcome {
        let (begin, number) = self.wait_for_start(&run);
        let (end, after, mut outcome) = self.wait("the end of a run", |terminal| {
            terminal.marks.iter().find_map(|mark| {
                let outcome = match &mark.mark {
                    Mark::CommandEnd { seq, run: id, exit, stages, cwd, text, .. }
                        if (run.id.is_none() && Some(*seq) == number) || (run.id.is_some() && *id == run.id) =>
                    {
                        let cwd = cwd.as_ref().map(|cwd| cwd.to_string_lossy().into_owned());
                        Outcome { exit: *exit, stages: stages.clone(), output: String::new(), cwd, text: text.clone() }
                    }
                    Mark::RunEnd { run: id, exit } if Some(id) == run.id.as_ref() => {
                        Outcome { exit: *exit, stages: vec![*exit], output: String::new(), cwd: None, text: None }
                    }
                    _ => return None,
                };
                Some((mark.start, mark.end, outcome))
            })
        });
        outcome.text = outcome.text.or_else(|| self.text_of(number));
        outcome.output = String::from_utf8_lossy(&self.log[begin as usize..end as usize]).into_owned();
        if self.kind != ShellKind::Other {
            self.wait("a prompt after a run", |terminal| {
                terminal.marks.iter().find(|mark| mark.start >= after && mark.mark == Mark::PromptEnd).map(|_| ())
            });
        }
        if let Some(file) = run.file {
            fs::remove_file(file).expect("run file");
        }
        outcome
    }

    /// The text that came with the start of a command.
    fn text_of(&self, number: Option<u64>) -> Option<String> {
        self.marks.iter().find_map(|mark| match &mark.mark {
            Mark::CommandStart { seq, text, .. } if Some(*seq) == number => text.clone(),
            _ => None,
        })
    }

    pub fn count_ends(&self) -> usize {
        self.marks.iter().filter(|mark| matches!(mark.mark, Mark::CommandEnd { .. })).count()
    }

    pub fn count_prompts(&self) -> usize {
        self.marks.iter().filter(|mark| mark.mark == Mark::PromptEnd).count()
    }

    pub fn wait_for_prompts(&mut self, count: usize) {
        self.wait("a prompt", |terminal| (terminal.count_prompts() >= count).then_some(()));
    }

    pub fn wait_for_text(&mut self, text: &str) {
        self.wait(text, |terminal| terminal.log_text().contains(text).then_some(()));
    }

    /// Waits until the screen shows this text, however it was drawn.
    pub fn wait_for_shown(&mut self, text: &str) {
        self.wait(text, |terminal| terminal.shows(text).then_some(()));
    }

    fn shows(&self, text: &str) -> bool {
        let mut screen = Screen::new(Size::new(ROWS, COLS).expect("a size"));
        screen.feed(&self.log);
        screen.text().contains(text)
    }

    /// Presses a key until the screen shows this text. fish forgets an interrupt that comes while it draws, as it may
    /// at any time to colour a line, or that another key follows at once.
    pub fn press_until_shown(&mut self, key: &str, text: &str) {
        let deadline = Instant::now() + DEADLINE;
        loop {
            self.wait_until_it_reads();
            self.write(key.as_bytes());
            let again = Instant::now() + PRESS_AGAIN;
            while Instant::now() < again {
                if self.shows(text) {
                    return;
                }
                if let Ok(chunk) = self.chunks.recv_timeout(again.saturating_duration_since(Instant::now())) {
                    self.take(&chunk);
                }
            }
            assert!(Instant::now() < deadline, "no {text:?} after {key:?}\n{}", self.dump());
        }
    }

    /// Waits until a program of this name leads the terminal's foreground.
    pub fn wait_for_foreground(&mut self, name: &str) {
        let deadline = Instant::now() + DEADLINE;
        loop {
            let group = rustix::termios::tcgetpgrp(&self.master).map(|group| group.as_raw_nonzero().get());
            let comm = group.ok().and_then(|group| fs::read_to_string(format!("/proc/{group}/comm")).ok());
            if comm.is_some_and(|comm| comm.trim_end() == name) {
                return;
            }
            assert!(Instant::now() < deadline, "{name} is not in the foreground\n{}", self.dump());
            thread::yield_now();
        }
    }

    /// Waits until the shell itself waits for keys, and for nothing else: not for a child, nor until it may write.
    pub fn wait_until_it_reads(&mut self) {
        let deadline = Instant::now() + DEADLINE;
        let file = format!("/proc/{}/syscall", self.child.id());
        loop {
            let call = fs::read_to_string(&file).expect("what the shell does");
            let number = call.split_whitespace().next().and_then(|number| number.parse::<i64>().ok());
            if number.is_some_and(|number| WAITS_FOR_INPUT.contains(&number)) {
                return;
            }
            assert!(Instant::now() < deadline, "the shell does not read: {call}\n{}", self.dump());
            thread::yield_now();
        }
    }

    pub fn wait_for_exit(&mut self) -> Option<i32> {
        let deadline = Instant::now() + DEADLINE;
        while !matches!(
            self.chunks.recv_timeout(Duration::from_millis(1)).map(|chunk| self.take(&chunk)),
            Err(RecvTimeoutError::Disconnected)
        ) {
            assert!(Instant::now() < deadline, "the shell did not end\n{}", self.dump());
        }
        self.child.wait().expect("wait").code()
    }

    fn wait<T>(&mut self, what: &str, mut condition: impl FnMut(&Self) -> Option<T>) -> T {
        let deadline = Instant::now() + DEADLINE;
        loop {
            if let Some(found) = condition(self) {
                return found;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.chunks.recv_timeout(left) {
                Ok(chunk) => self.take(&chunk),
                Err(error) => panic!("waiting for {what}: {error}\n{}", self.dump()),
            }
        }
    }

    fn take(&mut self, chunk: &[u8]) {
        self.scanner.scan(self.log.len() as u64, chunk, &mut self.marks);
        self.log.extend_from_slice(chunk);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(launch: &Launch, home: &Path, envs: Vec<(std::ffi::OsString, std::ffi::OsString)>) -> (File, Child) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("pty");
    grantpt(&master).expect("pty");
    unlockpt(&master).expect("pty");
    let size = Winsize { ws_row: ROWS, ws_col: COLS, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&master, size).expect("size");
    let name = ptsname(&master, Vec::new()).expect("pty name");
    let path = PathBuf::from(name.to_string_lossy().into_owned());
    let slave = File::options().read(true).write(true).custom_flags(0o400).open(path).expect("slave");
    // `setsid` makes the shell the leader of a session with this controlling terminal, which needs no unsafe code.
    let mut command = Command::new("setsid");
    command.arg("--ctty");
    if let Some(arg0) = &launch.arg0 {
        command.args(["bash", "-c", "exec -a \"$0\" \"$@\""]).arg(arg0);
    }
    let copy = || Stdio::from(OwnedFd::from(slave.try_clone().expect("slave")));
    command
        .args(&launch.argv)
        .env_clear()
        .envs([("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("PATH", "/usr/local/bin:/usr/bin:/bin")])
        .env("HOME", home)
        .envs(envs)
        .envs(launch.env.iter().cloned())
        .current_dir(home)
        .stdin(copy())
        .stdout(copy())
        .stderr(copy());
    let child = command.spawn().expect("shell");
    (File::from(master), child)
}

fn read(master: &File) -> Receiver<Vec<u8>> {
    let mut master = master.try_clone().expect("master");
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut buffer = vec![0; 65536];
        while let Ok(length @ 1..) = master.read(&mut buffer) {
            if sender.send(buffer[..length].to_vec()).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Start-up files must be private.
pub fn modes_below(dir: &Path) -> Vec<(PathBuf, u32)> {
    let mut modes = Vec::new();
    for entry in fs::read_dir(dir).expect("folder").flatten() {
        let path = entry.path();
        modes.push((path.clone(), entry.metadata().expect("metadata").permissions().mode() & 0o777));
        if path.is_dir() {
            modes.extend(modes_below(&path));
        }
    }
    modes
}
