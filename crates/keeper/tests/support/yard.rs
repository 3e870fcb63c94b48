//! A keeper with a place to write, a temporary folder and a place outside, and the same script run with limits and
//! without.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use flightdeck_keeper::{Exit, OsBytes, Output, Sandbox, Support, sandbox_support};

use super::{Client, Keeper, program};

pub struct Yard {
    pub keeper: Keeper,
    pub client: Client,
    pub support: Support,
    runs: AtomicU32,
}

/// How a script ended and what it printed.
#[derive(Debug)]
pub struct Ran {
    pub exit: Exit,
    pub text: String,
}

impl Ran {
    pub fn worked(&self) -> bool {
        self.exit == Exit::Code(0)
    }
}

impl Yard {
    /// `None`, loudly, where the kernel can't confine anything.
    pub fn new() -> Option<Self> {
        let support = match sandbox_support() {
            Ok(support) => support,
            Err(error) => {
                eprintln!("not tested: {error}");
                return None;
            }
        };
        let keeper = Keeper::start();
        let client = keeper.client();
        let yard = Self { keeper, client, support, runs: AtomicU32::default() };
        yard.tidy();
        Some(yard)
    }

    pub fn work(&self) -> PathBuf {
        self.folder("work")
    }

    pub fn outside(&self) -> PathBuf {
        self.folder("outside")
    }

    pub fn folder(&self, name: &str) -> PathBuf {
        self.keeper.folder.path().canonicalize().expect("a folder").join(name)
    }

    /// Everything as it was at the beginning.
    pub fn tidy(&self) {
        for name in ["work", "temp", "outside"] {
            let folder = self.folder(name);
            if folder.exists() {
                fs::remove_dir_all(&folder).expect("removes");
            }
            fs::create_dir(&folder).expect("makes");
        }
        fs::write(self.outside().join("kept"), "kept").expect("writes");
        fs::create_dir(self.outside().join("folder")).expect("makes");
    }

    pub fn sandbox(&self) -> Sandbox {
        let write = ["work", "temp"].map(|name| OsBytes::from(self.folder(name)));
        Sandbox { write: write.into(), network: false }
    }

    /// Runs `script` in the place to write, with `$OUT`, `$WORK` and `$ATTEMPT` (`examples/attempt.rs`).
    pub fn run(&self, script: &str, output: Output, sandbox: Option<Sandbox>) -> Ran {
        let id = format!("run{}", self.runs.fetch_add(1, Ordering::Relaxed));
        let mut spec = self.keeper.spec(&id, &["bash", "-c", script], output);
        let paths = [("OUT", "outside"), ("WORK", "work"), ("TMPDIR", "temp")];
        spec.env.extend(paths.map(|(name, folder)| (name.into(), self.folder(folder).into())));
        spec.env.push(("ATTEMPT".into(), program().with_file_name("attempt").into()));
        spec.cwd = self.work().into();
        spec.sandbox = sandbox;
        self.client.spawn(&spec);
        let exit = self.client.finish(&id);
        Ran { exit, text: self.keeper.text(&id) }
    }

    /// First confined, so that what follows shows that the keeper itself was not.
    pub fn confined_then_free(&self, script: &str) -> (Ran, Ran) {
        let confined = self.run(script, Output::Pipes, Some(self.sandbox()));
        (confined, self.run(script, Output::Pipes, None))
    }
}

/// Names, kinds, link counts and contents of all that is below `folder`.
pub fn contents(folder: &Path) -> Vec<(PathBuf, u64, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("lists").flatten() {
        let path = entry.path();
        let meta = entry.metadata().expect("is there");
        let bytes = if meta.is_file() { fs::read(&path).expect("reads") } else { Vec::new() };
        if meta.is_dir() {
            found.extend(contents(&path));
        }
        found.push((path, if meta.is_file() { meta.nlink() } else { 0 }, bytes));
    }
    found.sort();
    found
}
