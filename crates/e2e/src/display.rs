//! A display of its own for the desktop window: pictures of it, and programs that use it as a person would.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::processes;
use crate::wait::try_until;
use crate::{SOON, binary};

const SCREEN: (u32, u32) = (1280, 800);

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
        let mut said = tempfile::tempfile().expect("a file for what it says");
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &format!("{}x{}x24", SCREEN.0, SCREEN.1)])
            // No key repeats itself when the machine is slow to let it go.
            .args(["-nolisten", "tcp", "-noreset", "-r"])
            .stdout(Stdio::piped())
            .stderr(File::try_clone(&said).expect("one file twice"))
            .spawn()
            .expect("Xvfb starts: `apt install xvfb`");
        let mut number = String::new();
        let out = server.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut number).expect("Xvfb tells its number, or ends");
        let display = Display { server, name: format!(":{}", number.trim()) };
        if display.name == ":" {
            let mut why = String::new();
            let _ = said.rewind().and_then(|()| said.read_to_string(&mut why));
            panic!("Xvfb has no display to give: {why}");
        }
        display
    }

    /// What DISPLAY is set to.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A program that uses this display.
    pub(crate) fn command(&self, program: &str, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        // Whatever the machine's language is, xdotool has letters of any to type.
        command.args(args).env("DISPLAY", &self.name).env("LC_ALL", "C.UTF-8");
        command
    }

    /// Runs a program of X on this display, which must succeed.
    #[track_caller]
    pub(crate) fn run(&self, program: &str, args: &[&str]) -> String {
        let output = self.command(program, args).output().unwrap_or_else(|error| panic!("{program}: {error}"));
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
        self.try_shot(name).unwrap_or_else(|why| panic!("no picture: {why}"))
    }

    /// The same, where a failure is told already.
    pub(crate) fn try_shot(&self, name: &str) -> Result<PathBuf, String> {
        let folder = binary::pictures();
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let path = folder.join(format!("{name}.png"));
        let output = self.command("import", &["-window", "root", &path.to_string_lossy()]).output();
        let output = output.map_err(|error| format!("import: {error}"))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(path) } else { Err(said) }
    }

    /// How many pixels of two pictures differ by more than a shade, in a thousand.
    #[track_caller]
    pub fn difference(&self, one: &Path, other: &Path) -> u32 {
        let (one, other) = (one.to_string_lossy(), other.to_string_lossy());
        let output = Command::new("compare").args(["-metric", "AE", "-fuzz", "5%", &one, &other, "null:"]).output();
        let said = output.expect("imagemagick is installed").stderr;
        let said = String::from_utf8_lossy(&said);
        let count = said.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
        let pixels = count.unwrap_or_else(|| panic!("{one} and {other} can't be compared: {said}"));
        (pixels * 1000.0 / f64::from(SCREEN.0 * SCREEN.1)).round() as u32
    }

    /// How many pixels of a picture have this colour or nearly, such as `#ff6f6a`.
    #[track_caller]
    pub fn coloured(&self, picture: &Path, colour: &str) -> u32 {
        let only =
            ["-fuzz", "6%", "-fill", "black", "+opaque", colour, "-fuzz", "0", "-fill", "white", "+opaque", "black"];
        let output =
            Command::new("convert").arg(picture).args(only).args(["-format", "%[fx:mean*w*h]", "info:"]).output();
        let output = output.expect("imagemagick is installed");
        let said = String::from_utf8_lossy(&output.stdout);
        let pixels = said.trim().parse::<f64>();
        pixels.unwrap_or_else(|_| panic!("{}: {}", picture.display(), String::from_utf8_lossy(&output.stderr))).round()
            as u32
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        end(&mut self.server);
    }
}

/// Asks a child to end, so that it takes its sockets and locks with it, and ends it when it does not.
pub(crate) fn end(child: &mut Child) {
    processes::signal(child.id(), rustix::process::Signal::TERM);
    let over = try_until(SOON.min(Duration::from_secs(5)), || child.try_wait().ok().flatten());
    if over.is_none() {
        let _ = child.kill();
        let _ = child.wait();
    }
}
