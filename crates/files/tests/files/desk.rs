//! A workspace to test in, with something outside of it that nobody may touch.

#![allow(dead_code)] // Each test program uses a part.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flightdeck_files::{
    Backups, Cancel, Endings, Expected, FileError, Files, Limits, ListRequest, ListResult, ReadRequest, ReadResult,
    Resolver, Root, Rules, SearchRequest, SearchResult, WriteRequest, WriteResult,
};
use tempfile::TempDir;

pub const SECRET: &str = "SECRET-OUTSIDE";

pub struct Desk {
    pub dir: TempDir,
    pub files: Files,
}

impl Desk {
    /// In memory, where a sync costs nothing.
    pub fn new() -> Self {
        Self::on(Path::new("/dev/shm"), Resolver::Openat2)
    }

    pub fn on(parent: &Path, resolver: Resolver) -> Self {
        let dir = TempDir::with_prefix_in("files-", parent).unwrap();
        fs::create_dir(dir.path().join("ws")).unwrap();
        fs::create_dir(dir.path().join("outside")).unwrap();
        fs::write(dir.path().join("outside/secret"), SECRET).unwrap();
        let files = open(dir.path(), resolver, Rules::default());
        Self { dir, files }
    }

    /// The same workspace under other rules.
    pub fn under(self, rules: Rules) -> Self {
        let Self { dir, files } = self;
        drop(files);
        let files = open(dir.path(), Resolver::Openat2, rules);
        Self { dir, files }
    }

    pub fn with_rules(sensitive: &[&str], protected: &[&str]) -> Self {
        Self::new().under(Rules::new(sensitive, protected).unwrap())
    }

    pub fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join("ws").join(path)
    }

    pub fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let at = self.at(path);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        fs::write(at, bytes).unwrap();
    }

    pub fn get(&self, path: &str) -> Vec<u8> {
        fs::read(self.at(path)).unwrap()
    }

    pub fn link(&self, path: &str, target: impl AsRef<Path>) {
        symlink(target, self.at(path)).unwrap();
    }

    pub fn read(&self, path: &str) -> Result<ReadResult, FileError> {
        self.files.read(&ReadRequest::new(path))
    }

    pub fn write(&self, path: &str, content: &str, expected: Expected) -> Result<WriteResult, FileError> {
        self.files.write(&request(path, content, expected))
    }

    pub fn list(&self, path: &str) -> Result<ListResult, FileError> {
        self.files.list(&ListRequest { path: Some(path.to_owned()), ..ListRequest::default() })
    }

    pub fn tree(&self, path: &str) -> Result<ListResult, FileError> {
        self.files.list(&ListRequest { path: Some(path.to_owned()), recursive: true, ..ListRequest::default() })
    }

    pub fn search(&self, request: &SearchRequest) -> Result<SearchResult, FileError> {
        self.files.search(request, &Cancel::default(), &|_| {})
    }

    /// Names in a folder of the workspace, as the disk has them.
    pub fn names(&self, path: &str) -> Vec<String> {
        let entries = fs::read_dir(self.at(path)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub fn outside_is_untouched(&self) {
        let outside = self.dir.path().join("outside");
        assert_eq!(fs::read_to_string(outside.join("secret")).unwrap(), SECRET);
        assert_eq!(fs::read_dir(outside).unwrap().count(), 1, "something was made outside");
    }
}

pub fn open(dir: &Path, resolver: Resolver, rules: Rules) -> Files {
    let root = Root::open_with(&dir.join("ws"), resolver).unwrap();
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        // A process that another test starts holds the lock for the moment before it becomes another program.
        match Backups::open(&dir.join("backups"), Limits::default()) {
            Err(FileError::Busy { .. }) if Instant::now() < deadline => std::thread::yield_now(),
            backups => return Files::new(root, rules, backups.unwrap()),
        }
    }
}

pub fn request(path: &str, content: &str, expected: Expected) -> WriteRequest {
    WriteRequest {
        path: path.to_owned(),
        content: content.to_owned(),
        expected,
        endings: Endings::Keep,
        unsaved: None,
        actor: "tester".to_owned(),
        create_parents: false,
        note: String::new(),
    }
}

/// The code of an error, or `ok`.
pub fn code<T>(result: &Result<T, FileError>) -> &'static str {
    result.as_ref().map_or_else(FileError::code, |_| "ok")
}

/// The same workspace as another process would have it, with backups of its own.
pub fn open_second(desk: &Desk) -> Files {
    let root = Root::open(&desk.dir.path().join("ws")).unwrap();
    Files::new(root, Rules::default(), Backups::open(&desk.dir.path().join("backups2"), Limits::default()).unwrap())
}
