//! The desktop window, driven by real keys and read by what it writes into its log.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use serde_json::Value;
use tempfile::TempDir;

use crate::display::{Display, end};
use crate::processes;
use crate::wait::wait_until;
use crate::{Deck, binary};

/// How long a window may take: it starts Qt, and the machine may be busy.
const SLOW: Duration = Duration::from_secs(30);
/// So many times Tab, and everything was reached.
const TRIES: usize = 60;
/// What is told of a log when a story fails: so many of its last lines, and so much of each.
const TOLD: (usize, usize) = (150, 400);

/// A window. Dropping it closes it, and tells what there was when the story has failed.
#[derive(Debug)]
pub struct Window<'a> {
    display: &'a Display,
    /// `None` for one that a hub has started.
    child: Option<Child>,
    pid: u32,
    heard: Arc<Heard>,
    printed: Option<Arc<Heard>>,
    /// Lines up to here were waited for.
    read: usize,
    /// Where its hub keeps its log.
    state: PathBuf,
}

/// Lines that a program writes.
#[derive(Debug, Default)]
struct Heard {
    told: Mutex<Told>,
    news: Condvar,
}

#[derive(Debug, Default)]
struct Told {
    lines: Vec<String>,
    ended: bool,
}

impl Heard {
    fn from(stream: impl Read + Send + 'static) -> Arc<Self> {
        let heard = Arc::new(Heard::default());
        let filled = Arc::clone(&heard);
        std::thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                filled.told.lock().lines.push(line);
                filled.news.notify_all();
            }
            filled.told.lock().ended = true;
            filled.news.notify_all();
        });
        heard
    }

    /// Looks at the lines whenever there are more, until there is something in them.
    #[track_caller]
    fn until<T>(&self, what: &str, mut look: impl FnMut(&[String]) -> Option<T>) -> T {
        let deadline = Instant::now() + SLOW;
        let mut told = self.told.lock();
        loop {
            if let Some(found) = look(&told.lines) {
                return found;
            }
            assert!(!told.ended, "{what} did not come: the window has ended");
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "{what} did not come within {SLOW:?}");
            self.news.wait_for(&mut told, left);
        }
    }
}

/// A program for a hub to start in the place of the window: the window itself, with its log where a test can read it.
#[derive(Debug)]
pub struct Launcher {
    pub program: PathBuf,
    log: PathBuf,
    state: PathBuf,
    /// Beside the window and in no temporary folder: agents write there, and no hub starts what lies there.
    _shelf: TempDir,
}

impl Launcher {
    /// For the hub of this deck.
    pub fn new(deck: &Deck) -> Self {
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
        Launcher { program, log, state: deck.state().to_owned(), _shelf: shelf }
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
        let heard = Heard::from(child.stderr.take().expect("a pipe"));
        let printed = child.stdout.take().map(Heard::from);
        let state = command.get_envs().find(|(name, _)| *name == "XDG_STATE_HOME").and_then(|(_, value)| value);
        let state = state.map(PathBuf::from).unwrap_or_default();
        Window { display, pid: child.id(), child: Some(child), heard, printed, read: 0, state }
    }

    /// One that a hub starts by this [`Launcher`]: waits until it does.
    #[track_caller]
    pub fn launched(display: &'a Display, launcher: &Launcher) -> Self {
        let log = std::fs::File::options().read(true).write(true).open(&launcher.log).expect("a pipe with a name");
        let (heard, state) = (Heard::from(log), launcher.state.clone());
        let mut window = Window { display, child: None, pid: 0, heard, printed: None, read: 0, state };
        window.pid = window.told("pid ")[4..].parse().expect("a number");
        window.wait("ready", |line| line == "ready");
        window.focus();
        window
    }

    /// What X calls it, once it can be seen.
    #[track_caller]
    pub fn id(&self) -> String {
        let pid = self.pid.to_string();
        let looked = ["search", "--all", "--onlyvisible", "--pid", &pid, "--name", "Flightdeck"];
        wait_until("a window that can be seen", SLOW, || {
            // It fails when there is none yet, and when another window goes while it looks at it.
            let found =
                self.display.command("xdotool", &looked).output().ok().filter(|found| found.status.success())?;
            String::from_utf8_lossy(&found.stdout).lines().next().map(str::to_owned)
        })
    }

    /// Gives it the keyboard, as a window manager does when a person clicks on it, and waits until it knows.
    #[track_caller]
    pub fn focus(&self) {
        self.display.run("xdotool", &["windowfocus", "--sync", &self.id()]);
        self.stands("window", "active");
    }

    /// Makes it so large.
    #[track_caller]
    pub fn resize(&self, width: u32, height: u32) {
        self.display.run("xdotool", &["windowsize", "--sync", &self.id(), &width.to_string(), &height.to_string()]);
    }

    /// The first line from here on that is wanted, without its time.
    #[track_caller]
    pub fn wait(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let read = &mut self.read;
        self.heard.until(what, |lines| {
            while *read < lines.len() {
                let line = without_time(&lines[*read]);
                *read += 1;
                if wanted(line) {
                    return Some(line.to_owned());
                }
            }
            None
        })
    }

    /// Waits for a line that begins like this.
    #[track_caller]
    pub fn told(&mut self, beginning: &str) -> String {
        self.wait(beginning, |line| line.starts_with(beginning))
    }

    /// Waits until this is how it stands with something, whenever that was told: the last line about it counts.
    #[track_caller]
    pub fn stands(&self, what: &str, how: &str) {
        let about = format!("{what} ");
        self.heard.until(&format!("{what} {how}"), |lines| {
            let last = lines.iter().rev().find_map(|line| without_time(line).strip_prefix(&about));
            (last == Some(how)).then_some(())
        });
    }

    /// Waits until a terminal's picture has this text, or finds that it has.
    #[track_caller]
    pub fn shows(&mut self, terminal: &str, text: &str) {
        let beginning = format!("screen {terminal} ");
        let read = &mut self.read;
        let mut known = false;
        self.heard.until(&format!("{text:?} in {terminal}"), |lines| {
            let has = |line: &String| {
                let screen = without_time(line).strip_prefix(&beginning)?;
                let screen: Value = serde_json::from_str(screen).unwrap_or_default();
                Some(screen.as_str().is_some_and(|screen| screen.contains(text)))
            };
            // The last picture before counts: it may have come before it was asked for.
            if !known && lines[..*read].iter().rev().find_map(has) == Some(true) {
                return Some(());
            }
            known = true;
            while *read < lines.len() {
                *read += 1;
                if has(&lines[*read - 1]) == Some(true) {
                    return Some(());
                }
            }
            None
        });
    }

    /// Everything that was logged so far, without times.
    pub fn log(&self) -> Vec<String> {
        self.heard.told.lock().lines.iter().map(|line| without_time(line).to_owned()).collect()
    }

    /// The first line that it prints for whoever has started it.
    #[track_caller]
    pub fn printed(&self) -> String {
        self.printed.as_ref().expect("it was started here").until("a printed line", |lines| lines.first().cloned())
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

    /// Presses these keys again and again, as somebody does who types on, for as long as something takes.
    #[track_caller]
    pub fn while_pressing<T>(&mut self, keys: &[&str], during: impl FnOnce(&mut Self) -> T) -> T {
        let enough = keys.repeat(2000 / keys.len());
        let typist = self.display.command("xdotool", &[&["key", "--delay", "30"], enough.as_slice()].concat()).spawn();
        let typist = Typist(typist.expect("xdotool starts"));
        let done = during(self);
        drop(typist);
        // It may have left in the middle of a key.
        self.display.run("xdotool", &[&["keyup"], keys].concat());
        done
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
            let told = self.heard.told.lock();
            let at = told.lines[before..self.read].iter().rev().find(|line| without_time(line).starts_with("focus "));
            if at.is_some_and(|line| without_time(line) == wanted) {
                return;
            }
        }
        panic!("Tab does not lead to {name}");
    }

    /// What there was, for whoever has to find out why a story failed.
    fn dump(&self) -> String {
        let picture = self.display.try_shot(&format!("failed-{}-{}", story(), self.pid));
        let picture = picture.map_or_else(|why| why, |path| path.display().to_string());
        let all = &self.heard.told.lock().lines;
        let lines: Vec<String> =
            all.iter().rev().take(TOLD.0).rev().map(|line| line.chars().take(TOLD.1).collect()).collect();
        let mut text = format!("--- a picture\n{picture}\n--- what the window wrote\n{}\n", lines.join("\n"));
        for entry in std::fs::read_dir(self.state.join("flightdeck")).into_iter().flatten().flatten() {
            if let Ok(said) = std::fs::read_to_string(entry.path().join("hub.log")) {
                text.extend(["--- hub.log\n", &said, "\n"]);
            }
        }
        text
    }
}

impl Drop for Window<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.dump());
        }
        match &mut self.child {
            Some(child) => end(child),
            None => processes::signal(self.pid, rustix::process::Signal::TERM),
        }
    }
}

/// Somebody who presses keys until they are dropped.
struct Typist(Child);

impl Drop for Typist {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The name of the running story, for a file.
fn story() -> String {
    let thread = std::thread::current();
    thread.name().unwrap_or("story").replace("::", "-")
}

/// `12.3 focus Deny` is `focus Deny`.
fn without_time(line: &str) -> &str {
    match line.split_once(' ') {
        Some((time, rest)) if time.parse::<f64>().is_ok() => rest,
        _ => line,
    }
}
