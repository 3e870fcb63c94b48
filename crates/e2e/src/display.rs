//! The desktop window on a display of its own, driven by real keys and read by what it writes into its log.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use serde_json::Value;

use crate::{Deck, binary};

/// How long a window may take: it starts Qt, and the machine may be busy.
const SLOW: Duration = Duration::from_secs(30);
/// The name of the property that says where keys go.
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
        let output = Command::new(program).args(args).env("DISPLAY", &self.name).output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
        assert!(output.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
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
    child: Child,
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
        let heard = Arc::new(Heard::default());
        let filled = Arc::clone(&heard);
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                filled.lines.lock().push(line);
                filled.news.notify_all();
            }
        });
        Window { display, child, heard, read: 0, stdout }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Gives it the keyboard, as a window manager does when a person clicks on it.
    #[track_caller]
    pub fn focus(&self) {
        let pid = self.pid().to_string();
        let found =
            self.display.run("xdotool", &["search", "--sync", "--onlyvisible", "--pid", &pid, "--name", "Flightdeck"]);
        let id = found.lines().next().expect("a window").to_owned();
        self.display.run("xdotool", &["windowfocus", "--sync", &id]);
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

    /// Goes on with Tab until the keyboard is on what has this name.
    #[track_caller]
    pub fn tab_to(&mut self, name: &str) {
        let wanted = format!("focus {name}");
        // Where the keyboard was before is no answer to a Tab.
        self.read = self.heard.lines.lock().len();
        for _ in 0..TRIES {
            self.press(&["Tab"]);
            if self.told("focus ") == wanted {
                return;
            }
        }
        panic!("Tab does not lead to {name}: {:#?}", self.log().iter().rev().take(TRIES).collect::<Vec<_>>());
    }

    /// What it writes to standard output until it is closed.
    pub fn stdout(&mut self) -> std::process::ChildStdout {
        self.stdout.take().expect("taken once")
    }

    /// Waits for its end.
    #[track_caller]
    pub fn end(mut self) -> (Option<i32>, String) {
        let status = crate::wait::try_until(SLOW, || self.child.try_wait().ok().flatten()).expect("it ends");
        // The reader has all of it when the pipe is closed.
        let mut out = String::new();
        if let Some(mut stdout) = self.stdout.take() {
            let _ = stdout.read_to_string(&mut out);
        }
        let lines = crate::wait::try_until(Duration::from_secs(2), || {
            let lines = self.heard.lines.lock();
            (!lines.is_empty()).then(|| lines.join("\n"))
        });
        (status.code(), lines.unwrap_or_default())
    }
}

impl Drop for Window<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `12.3 focus Deny` is `focus Deny`.
fn without_time(line: &str) -> &str {
    match line.split_once(' ') {
        Some((time, rest)) if time.parse::<f64>().is_ok() => rest,
        _ => line,
    }
}
