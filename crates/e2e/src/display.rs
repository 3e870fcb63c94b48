//! The desktop window on a display of its own, driven by real keys and read by what it writes into its log.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use serde_json::Value;
use tempfile::TempDir;

use crate::{Deck, binary};

/// How long a window may take: it starts Qt, and the machine may be busy.
const SLOW: Duration = Duration::from_secs(30);
/// So many times Tab, and everything was reached.
const TRIES: usize = 60;

/// An X server without a screen that anybody sees. Dropping it ends it.
#[derive(Debug)]
pub struct Display {
    server: Child,
    name: String,
}

impl Display {
    #[expect(clippy::new_without_default, reason = "it starts a process")]
    #[track_caller]
    pub fn new() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts: `apt install xvfb`");
        let mut number = String::new();
        let out = server.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut number).expect("Xvfb tells its number");
        Display { server, name: format!(":{}", number.trim()) }
    }

    /// What DISPLAY is set to.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs a program of X on this display, which must succeed.
    #[track_caller]
    fn run(&self, program: &str, args: &[&str]) -> String {
        // Whatever the machine's language is, xdotool has letters of any to type.
        let output = Command::new(program).args(args).env("DISPLAY", &self.name).env("LC_ALL", "C.UTF-8").output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
        assert!(output.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The window that has the keyboard.
    #[track_caller]
    pub fn focused(&self) -> String {
        self.run("xdotool", &["getwindowfocus"]).trim().to_owned()
    }

    /// Has the keyboard be another one: `us`, or `us` and `intl`.
    #[track_caller]
    pub fn keyboard(&self, layout: &str, variant: &str) {
        self.run("setxkbmap", &["-layout", layout, "-variant", variant]);
    }

    /// A picture of everything, kept in the folder for pictures under this name.
    #[track_caller]
    pub fn shot(&self, name: &str) -> PathBuf {
        let folder = std::env::var_os("FLIGHTDECK_SHOTS").map_or_else(std::env::temp_dir, PathBuf::from);
        std::fs::create_dir_all(&folder).expect("a folder for pictures");
        let path = folder.join(format!("{name}.png"));
        self.run("import", &["-window", "root", &path.to_string_lossy()]);
        path
    }

    /// How many pixels of two pictures differ by more than a shade, in a thousand.
    #[track_caller]
    pub fn difference(&self, one: &Path, other: &Path) -> u32 {
        let (one, other) = (one.to_string_lossy(), other.to_string_lossy());
        let output = Command::new("compare").args(["-metric", "AE", "-fuzz", "5%", &one, &other, "null:"]).output();
        let said = output.expect("imagemagick is installed").stderr;
        let pixels: f64 =
            String::from_utf8_lossy(&said).split_whitespace().next().unwrap_or("0").parse().expect("a count");
        (pixels * 1000.0 / (1280.0 * 800.0)).round() as u32
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A window. Dropping it closes it.
#[derive(Debug)]
pub struct Window<'a> {
    display: &'a Display,
    /// `None` for one that a hub has started.
    child: Option<Child>,
    pid: u32,
    heard: Arc<Heard>,
    /// Lines up to here were waited for.
    read: usize,
    stdout: Option<std::process::ChildStdout>,
}

#[derive(Debug, Default)]
struct Heard {
    lines: Mutex<Vec<String>>,
    news: Condvar,
}

impl Heard {
    fn from(stream: impl Read + Send + 'static) -> Arc<Self> {
        let heard = Arc::new(Heard::default());
        let filled = Arc::clone(&heard);
        std::thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                filled.lines.lock().push(line);
                filled.news.notify_all();
            }
        });
        heard
    }
}

/// A program for a hub to start in the place of the window: the window itself, with its log where a test can read it.
#[derive(Debug)]
pub struct Launcher {
    pub program: PathBuf,
    log: PathBuf,
    /// Beside the window and in no temporary folder: agents write there, and no hub starts what lies there.
    _shelf: TempDir,
}

impl Launcher {
    #[expect(clippy::new_without_default, reason = "it makes files")]
    pub fn new() -> Self {
        let window = binary::window();
        let beside = window.parent().expect("a program lies in a folder");
        let shelf = tempfile::Builder::new().prefix("launcher").tempdir_in(beside).expect("a folder beside the window");
        let (program, log) = (shelf.path().join("window"), shelf.path().join("log"));
        rustix::fs::mkfifoat(rustix::fs::CWD, &log, rustix::fs::Mode::RWXU).expect("a pipe with a name");
        let script = format!(
            "#!/bin/sh\nexec 2>'{}'\necho pid $$ >&2\nexec env FLIGHTDECK_WINDOW_LOG=screens '{}' \"$@\"\n",
            log.display(),
            window.display()
        );
        std::fs::write(&program, script).expect("a program");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
        Launcher { program, log, _shelf: shelf }
    }
}

/// `interactive-terminal` with the environment of the deck's own programs.
pub fn window_command(deck: &Deck, args: &[&str]) -> Command {
    let like = deck.command(&[]);
    let mut command = Command::new(binary::window());
    command.args(args).current_dir(deck.workspace()).env_clear();
    command.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    // The hub is started by the program under test.
    command.env("FLIGHTDECK_WINDOW_LOG", "screens").env("XDG_CACHE_HOME", deck.home().join(".cache"));
    command
}

impl<'a> Window<'a> {
    /// Opens one for this deck and waits until it is live and has the keyboard.
    #[track_caller]
    pub fn open(deck: &Deck, display: &'a Display) -> Self {
        Window::with(deck, display, &["--theme", "dark"])
    }

    #[track_caller]
    pub fn with(deck: &Deck, display: &'a Display, args: &[&str]) -> Self {
        let mut command = window_command(deck, args);
        let mut window = Window::start(display, &mut command);
        window.wait("ready", |line| line == "ready");
        window.focus();
        window
    }

    /// Starts one and waits for nothing.
    pub fn start(display: &'a Display, command: &mut Command) -> Self {
        command.env("DISPLAY", display.name()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("interactive-terminal starts");
        let stderr = child.stderr.take().expect("a pipe");
        let stdout = child.stdout.take();
        let heard = Heard::from(stderr);
        Window { display, pid: child.id(), child: Some(child), heard, read: 0, stdout }
    }

    /// One that a hub starts by this [`Launcher`]: waits until it does.
    #[track_caller]
    pub fn launched(display: &'a Display, launcher: &Launcher) -> Self {
        let log = std::fs::File::options().read(true).write(true).open(&launcher.log).expect("a pipe with a name");
        let mut window = Window { display, child: None, pid: 0, heard: Heard::from(log), read: 0, stdout: None };
        window.pid = window.told("pid ")[4..].parse().expect("a number");
        window.wait("ready", |line| line == "ready");
        window.focus();
        window
    }

    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// What X calls it.
    #[track_caller]
    pub fn id(&self) -> String {
        let pid = self.pid().to_string();
        let found = self
            .display
            .run("xdotool", &["search", "--sync", "--all", "--onlyvisible", "--pid", &pid, "--name", "Flightdeck"]);
        found.lines().next().expect("a window").to_owned()
    }

    /// Gives it the keyboard, as a window manager does when a person clicks on it.
    #[track_caller]
    pub fn focus(&self) {
        self.display.run("xdotool", &["windowfocus", "--sync", &self.id()]);
    }

    /// The first line from here on that is wanted, without its time.
    #[track_caller]
    pub fn wait(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + SLOW;
        let mut lines = self.heard.lines.lock();
        loop {
            while self.read < lines.len() {
                let line = without_time(&lines[self.read]);
                self.read += 1;
                if wanted(line) {
                    return line.to_owned();
                }
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let tail: Vec<_> = lines.iter().rev().take(60).rev().cloned().collect();
                drop(lines);
                let shot = self.display.shot("failed");
                panic!("{what} did not come; picture in {}; there was\n{}", shot.display(), tail.join("\n"));
            }
            self.heard.news.wait_for(&mut lines, left);
        }
    }

    /// Waits for a line that begins like this.
    #[track_caller]
    pub fn told(&mut self, beginning: &str) -> String {
        self.wait(beginning, |line| line.starts_with(beginning))
    }

    /// Waits until a terminal's picture has this text.
    #[track_caller]
    pub fn shows(&mut self, terminal: &str, text: &str) {
        let beginning = format!("screen {terminal} ");
        self.wait(&format!("{text:?} in {terminal}"), |line| {
            let screen: Option<Value> = line.strip_prefix(&beginning).and_then(|json| serde_json::from_str(json).ok());
            screen.is_some_and(|screen| screen.as_str().is_some_and(|screen| screen.contains(text)))
        });
    }

    /// Everything that was logged so far, without times.
    pub fn log(&self) -> Vec<String> {
        self.heard.lines.lock().iter().map(|line| without_time(line).to_owned()).collect()
    }

    /// Types a text, key by key.
    #[track_caller]
    pub fn type_text(&self, text: &str) {
        self.display.run("xdotool", &["type", "--delay", "6", "--", text]);
    }

    /// Presses keys by their names in X: `Return`, `ctrl+shift+t`.
    #[track_caller]
    pub fn press(&self, keys: &[&str]) {
        self.display.run("xdotool", &[&["key", "--delay", "6"], keys].concat());
    }

    /// Clicks on the first character of this text in the picture of a terminal: a button of X, so many times.
    #[track_caller]
    pub fn click(&mut self, terminal: &str, text: &str, button: &str, times: &str) {
        let log = self.log();
        let last = |beginning: &str| log.iter().rev().find_map(|line| line.strip_prefix(beginning).map(str::to_owned));
        let grid = last("grid ").expect("it has told where its cells are");
        let [left, top, width, height] =
            grid.split(' ').map(|n| n.parse().expect("a number")).collect::<Vec<f64>>()[..]
        else {
            panic!("four numbers, not {grid}")
        };
        let screen = last(&format!("screen {terminal} ")).expect("a picture");
        let screen: String = serde_json::from_str(&screen).expect("a text");
        let found =
            screen.lines().enumerate().find_map(|(row, line)| Some((row, line[..line.find(text)?].chars().count())));
        let (row, column) = found.unwrap_or_else(|| panic!("no {text:?} in {screen}"));
        let x = (left + width * (column as f64 + 0.5)).to_string();
        let y = (top + height * (row as f64 + 0.5)).to_string();
        let id = self.id();
        self.display.run("xdotool", &["mousemove", "--sync", "--window", &id, &x, &y]);
        self.display.run("xdotool", &["click", "--repeat", times, "--delay", "30", button]);
    }

    /// Goes on with Tab until the keyboard is on what has this name.
    #[track_caller]
    pub fn tab_to(&mut self, name: &str) {
        let wanted = format!("focus {name}");
        for _ in 0..TRIES {
            // Once the second key was heeded, so was the Tab.
            self.press(&["Tab", "ctrl+0"]);
            let before = self.read;
            self.told("text of ");
            let lines = self.heard.lines.lock();
            let at = lines[before..self.read].iter().rev().find(|line| without_time(line).starts_with("focus "));
            if at.is_some_and(|line| without_time(line) == wanted) {
                return;
            }
        }
        panic!("Tab does not lead to {name}: {:#?}", self.log().iter().rev().take(TRIES).collect::<Vec<_>>());
    }

    /// What it writes to standard output until it is closed.
    pub fn stdout(&mut self) -> std::process::ChildStdout {
        self.stdout.take().expect("taken once")
    }
}

impl Drop for Window<'_> {
    fn drop(&mut self) {
        match &mut self.child {
            Some(child) => {
                let _ = child.kill();
                let _ = child.wait();
            }
            None => {
                if let Some(pid) = rustix::process::Pid::from_raw(self.pid.cast_signed()) {
                    let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
                }
            }
        }
    }
}

/// `12.3 focus Deny` is `focus Deny`.
fn without_time(line: &str) -> &str {
    match line.split_once(' ') {
        Some((time, rest)) if time.parse::<f64>().is_ok() => rest,
        _ => line,
    }
}
