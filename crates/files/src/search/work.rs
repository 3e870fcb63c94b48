//! The threads of a search: folders and handfuls of files go round until none is left.

use std::ffi::CString;
use std::fs::File;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use grep_regex::RegexMatcher;
use grep_searcher::Searcher;
use parking_lot::{Condvar, Mutex};

use super::globs::Globs;
use super::lines::{Looked, look, searcher};
use super::{Cancel, Found, Stopped};
use crate::kind::Kind;
use crate::path::RelPath;
use crate::rules::Rules;
use crate::swap::is_temp;
use crate::walk::{Child, Children, Folder, Ignores, MAX_DEPTH};

/// More threads than this only wait for the disk.
const MAX_THREADS: usize = 8;
/// Files of one folder that a thread takes at once.
const HANDFUL: usize = 64;

/// A search that is ready to run.
pub(super) struct Work<'a> {
    pub rules: &'a Rules,
    pub globs: Globs,
    pub matcher: RegexMatcher,
    pub limit: usize,
    pub deadline: Instant,
    pub cancel: &'a Cancel,
    pub found: &'a (dyn Fn(&[Found]) + Sync),
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Outcome {
    pub matches: Vec<Found>,
    pub stopped: Option<Stopped>,
    pub searched: u64,
    pub skipped: u64,
}

impl Outcome {
    /// Nothing was searched before the time was over.
    pub fn late() -> Self {
        Self { matches: Vec::new(), stopped: Some(Stopped::TimeLimit), searched: 0, skipped: 0 }
    }
}

/// How far all threads together are.
pub(super) struct Progress<'a> {
    cancel: &'a Cancel,
    deadline: Instant,
    room: AtomicUsize,
    full: AtomicBool,
    late: AtomicBool,
    searched: AtomicU64,
    skipped: AtomicU64,
}

impl Progress<'_> {
    pub fn is_over(&self) -> bool {
        if self.full.load(Ordering::Relaxed) || self.late.load(Ordering::Relaxed) || self.cancel.is_cancelled() {
            return true;
        }
        let late = Instant::now() >= self.deadline;
        if late {
            self.late.store(true, Ordering::Relaxed);
        }
        late
    }

    /// Room for one more result. The first that finds none ends the search.
    pub fn take_one(&self) -> bool {
        let taken = self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| room.checked_sub(1)).is_ok();
        if !taken {
            self.full.store(true, Ordering::Relaxed);
        }
        taken
    }

    pub fn give_back(&self, results: usize) {
        self.room.fetch_add(results, Ordering::Relaxed);
    }

    fn skip(&self) {
        self.skipped.fetch_add(1, Ordering::Relaxed);
    }
}

enum Job {
    /// A folder and what is ignored above it. It is opened when its turn comes, so few are open at once.
    Folder(Arc<Folder>, Option<Child>, Arc<Ignores>),
    Files(Arc<Folder>, Vec<(CString, RelPath)>),
}

#[derive(Default)]
struct Queue {
    jobs: Vec<Job>,
    busy: usize,
}

struct Shared<'a> {
    work: &'a Work<'a>,
    progress: Progress<'a>,
    queue: Mutex<Queue>,
    more: Condvar,
    matches: Mutex<Vec<Found>>,
}

impl Work<'_> {
    /// Searches one file.
    pub fn single(&self, file: File, path: &RelPath) -> Outcome {
        let shared = self.shared(Vec::new());
        shared.look(&mut searcher(), &self.matcher, file, path.clone());
        shared.outcome()
    }

    /// Searches a folder and all below it.
    pub fn tree(&self, start: Folder, ignores: Arc<Ignores>) -> Outcome {
        let threads = std::thread::available_parallelism().map_or(2, NonZero::get).min(MAX_THREADS);
        let shared = self.shared(vec![Job::Folder(Arc::new(start), None, ignores)]);
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| shared.run());
            }
            shared.run();
        });
        shared.outcome()
    }

    fn shared(&self, jobs: Vec<Job>) -> Shared<'_> {
        let progress = Progress {
            cancel: self.cancel,
            deadline: self.deadline,
            room: AtomicUsize::new(self.limit),
            full: AtomicBool::new(false),
            late: AtomicBool::new(false),
            searched: AtomicU64::new(0),
            skipped: AtomicU64::new(0),
        };
        let (queue, matches) = (Mutex::new(Queue { jobs, busy: 0 }), Mutex::default());
        Shared { work: self, progress, queue, more: Condvar::new(), matches }
    }
}

impl Shared<'_> {
    fn run(&self) {
        let mut searcher = searcher();
        // Each thread has its own scratch space in its copy.
        let matcher = self.work.matcher.clone();
        while let Some(job) = self.next() {
            match job {
                Job::Folder(folder, child, ignores) => self.open(&folder, child, &ignores),
                Job::Files(folder, files) => self.files(&folder, files, &mut searcher, &matcher),
            }
            let mut queue = self.queue.lock();
            queue.busy -= 1;
            if queue.busy == 0 && queue.jobs.is_empty() {
                self.more.notify_all();
            }
        }
        self.more.notify_all();
    }

    fn next(&self) -> Option<Job> {
        let mut queue = self.queue.lock();
        loop {
            if self.progress.is_over() {
                return None;
            }
            if let Some(job) = queue.jobs.pop() {
                queue.busy += 1;
                return Some(job);
            }
            if queue.busy == 0 {
                return None;
            }
            // The time limit and a cancellation wake nobody.
            let wait = Duration::from_millis(20);
            self.more.wait_for(&mut queue, wait);
        }
    }

    fn open(&self, folder: &Arc<Folder>, child: Option<Child>, ignores: &Arc<Ignores>) {
        let folder = match child {
            None => Arc::clone(folder),
            Some(child) => match folder.enter(&child.raw, &child.name) {
                Ok(folder) => Arc::new(folder),
                Err(_) => return self.progress.skip(),
            },
        };
        let Ok(Children { children, more }) = folder.children() else { return self.progress.skip() };
        if more {
            self.progress.skip();
        }
        let ignores = ignores.within(&folder, &children);
        let (mut folders, mut files) = (Vec::new(), Vec::new());
        for child in children {
            let path = folder.path.join(&child.name);
            if !self.wants(&child, &path, &ignores) {
                continue;
            }
            match child.kind {
                Kind::Folder if folder.depth < MAX_DEPTH => {
                    folders.push(Job::Folder(Arc::clone(&folder), Some(child), Arc::clone(&ignores)));
                }
                Kind::File => files.push((child.raw, path)),
                _ => self.progress.skip(),
            }
        }
        let mut queue = self.queue.lock();
        queue.jobs.append(&mut folders);
        while !files.is_empty() {
            let rest = files.split_off(files.len().min(HANDFUL));
            queue.jobs.push(Job::Files(Arc::clone(&folder), std::mem::replace(&mut files, rest)));
        }
        drop(queue);
        self.more.notify_all();
    }

    fn wants(&self, child: &Child, path: &RelPath, ignores: &Ignores) -> bool {
        if is_temp(&child.name) || self.work.globs.leaves_out(path, child.kind) || ignores.ignores(path, child.kind) {
            return false;
        }
        // A link is no file of its own: its target is searched where it is.
        if child.kind == Kind::Symlink {
            return false;
        }
        if child.lossy || self.work.rules.hides(path, &child.name) {
            self.progress.skip();
            return false;
        }
        true
    }

    fn files(&self, folder: &Folder, files: Vec<(CString, RelPath)>, searcher: &mut Searcher, matcher: &RegexMatcher) {
        for (raw, path) in files {
            if self.progress.is_over() {
                return;
            }
            match folder.open(&raw) {
                Ok(Some(file)) => self.look(searcher, matcher, file, path),
                _ => self.progress.skip(),
            }
        }
    }

    fn look(&self, searcher: &mut Searcher, matcher: &RegexMatcher, file: File, path: RelPath) {
        match look(searcher, matcher, &self.progress, file, path) {
            Looked::Skipped => self.progress.skip(),
            Looked::Partly(found) => {
                self.progress.skip();
                self.tell(found);
            }
            Looked::Searched(found) => {
                self.progress.searched.fetch_add(1, Ordering::Relaxed);
                self.tell(found);
            }
        }
    }

    fn tell(&self, found: Vec<Found>) {
        if !found.is_empty() {
            (self.work.found)(&found);
            self.matches.lock().extend(found);
        }
    }

    fn outcome(self) -> Outcome {
        let progress = self.progress;
        let stopped = if progress.full.into_inner() {
            Some(Stopped::ResultLimit)
        } else if progress.late.into_inner() {
            Some(Stopped::TimeLimit)
        } else {
            None
        };
        Outcome {
            matches: self.matches.into_inner(),
            stopped,
            searched: progress.searched.into_inner(),
            skipped: progress.skipped.into_inner(),
        }
    }
}
