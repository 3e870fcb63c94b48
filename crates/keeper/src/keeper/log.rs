//! Appending to a session's log: segments, sidecars, limits. Knows nothing of where the bytes come from.

use std::collections::VecDeque;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::times::Times;
use crate::layout::{self, StreamRecord, segment_path, streams_path, times_path};
use crate::{LogLimits, Stream};

/// The one writer of a log.
#[derive(Debug)]
pub struct LogWriter {
    dir: Arc<Path>,
    limits: LogLimits,
    /// Full segments, oldest first.
    old: VecDeque<Segment>,
    active: Segment,
    file: File,
    sidecar: Option<Sidecar>,
    times: Times,
    /// Bytes on disk, sidecars included.
    total: u64,
    /// When the ages of old segments were looked at last.
    looked: SystemTime,
}

/// How often they are looked at while output comes, however little it is.
const LOOK_EVERY: Duration = Duration::from_mins(1);

#[derive(Clone, Copy, Debug)]
struct Segment {
    base: u64,
    len: u64,
    sidecar_len: u64,
    times_len: u64,
}

impl Segment {
    /// With the lengths of what is beside it.
    fn new(dir: &Path, base: u64, len: u64) -> Self {
        Segment { base, len, sidecar_len: len_of(&streams_path(dir, base)), times_len: len_of(&times_path(dir, base)) }
    }

    fn end(&self) -> u64 {
        self.base + self.len
    }

    fn on_disk(&self) -> u64 {
        self.len + self.sidecar_len + self.times_len
    }
}

#[derive(Debug)]
struct Sidecar {
    /// Made with the first record: a silent command leaves none behind.
    file: Option<File>,
    /// The stream of the last record in this segment.
    marked: Option<Stream>,
}

/// Whether stream changes are recorded beside the segments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    None,
    Streams,
}

/// A log that was opened for a child that may yet fail to start.
pub struct NewLog {
    pub writer: LogWriter,
    made: Vec<PathBuf>,
}

impl NewLog {
    /// Makes the folder, continues what it holds, and begins a segment.
    pub fn open(dir: &Arc<Path>, limits: LogLimits, marks: Marks) -> io::Result<Self> {
        let log = Self::resume(Arc::clone(dir), limits, marks)?;
        match layout::clear_exit(dir) {
            Ok(()) => Ok(log),
            Err(error) => {
                log.undo();
                Err(error)
            }
        }
    }

    /// The same for the log of a child that may have ended already: its status stays.
    pub fn resume(dir: Arc<Path>, limits: LogLimits, marks: Marks) -> io::Result<Self> {
        let (mut made, found) = match find_segments(&dir) {
            Err(error) if error.kind() == ErrorKind::NotFound => (make_folder(&dir)?, VecDeque::new()),
            found => (Vec::new(), found?),
        };
        match begin(dir, found, limits, marks, &mut made) {
            Ok(mut writer) => {
                writer.prune_by_age();
                Ok(Self { writer, made })
            }
            Err(error) => {
                unmake(&made);
                Err(error)
            }
        }
    }

    /// Removes what `open` made, and nothing else.
    pub fn undo(self) {
        unmake(&self.made);
    }
}

impl LogWriter {
    /// The offset after the last byte.
    pub fn end(&self) -> u64 {
        self.active.end()
    }

    /// Appends as many bytes as it can and says how many those were, error or not: a part that reached the disk must
    /// not be written again.
    pub fn append(&mut self, stream: Stream, bytes: &[u8]) -> (usize, io::Result<()>) {
        // One look at the clock for all of it.
        self.append_at(stream, bytes, SystemTime::now())
    }

    pub(super) fn append_at(&mut self, stream: Stream, bytes: &[u8], now: SystemTime) -> (usize, io::Result<()>) {
        let mut done = 0;
        while done < bytes.len() {
            match self.append_some(stream, &bytes[done..], now) {
                Ok(written) => done += written,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return (done, Err(error)),
            }
        }
        (done, Ok(()))
    }

    fn append_some(&mut self, stream: Stream, bytes: &[u8], now: SystemTime) -> io::Result<usize> {
        if self.active.len >= self.limits.segment_bytes.max(1) {
            self.roll()?;
        } else if now.duration_since(self.looked).is_ok_and(|passed| passed >= LOOK_EVERY) {
            self.prune_by_age();
        }
        self.mark(stream)?;
        let Segment { base, times_len, .. } = self.active;
        self.active.times_len = self.times.note(&self.dir, base, self.active.end(), times_len, now);
        self.total += self.active.times_len - times_len;
        let room = self.limits.segment_bytes.max(1) - self.active.len;
        let len = usize::try_from(room).map_or(bytes.len(), |room| bytes.len().min(room));
        let written = self.file.write(&bytes[..len])?;
        if written == 0 {
            return Err(ErrorKind::WriteZero.into());
        }
        self.active.len += written as u64;
        self.total += written as u64;
        self.prune();
        Ok(written)
    }

    /// Begins the next segment. Changes nothing if a file can't be made.
    fn roll(&mut self) -> io::Result<()> {
        let base = self.active.end();
        let file = open_append(&segment_path(&self.dir, base))?;
        if let Some(sidecar) = &mut self.sidecar {
            *sidecar = Sidecar { file: None, marked: None };
        }
        self.times.roll();
        self.file = file;
        self.old.push_back(self.active);
        self.active = Segment { base, len: 0, sidecar_len: 0, times_len: 0 };
        self.prune_by_age();
        Ok(())
    }

    fn mark(&mut self, stream: Stream) -> io::Result<()> {
        let Some(sidecar) = &mut self.sidecar else {
            return Ok(());
        };
        if sidecar.marked == Some(stream) {
            return Ok(());
        }
        let record = layout::encode_record(StreamRecord { offset: self.active.end(), stream });
        let file = match &mut sidecar.file {
            Some(file) => file,
            none => none.insert(open_append(&streams_path(&self.dir, self.active.base))?),
        };
        if let Err(error) = file.write_all(&record) {
            // Half a record would shift all that follow.
            let _retried_with_the_next = file.set_len(self.active.sidecar_len);
            return Err(error);
        }
        sidecar.marked = Some(stream);
        self.active.sidecar_len += record.len() as u64;
        self.total += record.len() as u64;
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn bases(&self) -> impl Iterator<Item = u64> {
        self.old.iter().chain([&self.active]).map(|segment| segment.base)
    }

    fn prune(&mut self) {
        while self.total > self.limits.total_bytes {
            let Some(oldest) = self.old.pop_front() else {
                return;
            };
            self.remove(oldest);
        }
    }

    fn prune_by_age(&mut self) {
        self.looked = SystemTime::now();
        let Some(max_age) = self.limits.max_age_secs.map(Duration::from_secs) else {
            return;
        };
        while let Some(oldest) = self.old.front().copied() {
            let modified = fs::metadata(segment_path(&self.dir, oldest.base)).and_then(|found| found.modified());
            let age = modified.ok().and_then(|at| SystemTime::now().duration_since(at).ok());
            if age.is_some_and(|age| age <= max_age) {
                return;
            }
            // A file without an age is gone already, or its clock is ahead of ours: keep the latter.
            if age.is_none() && segment_path(&self.dir, oldest.base).exists() {
                return;
            }
            self.old.pop_front();
            self.remove(oldest);
        }
    }

    fn remove(&mut self, segment: Segment) {
        // A file that can't be removed is left to whoever owns the folder: the log must go on.
        let _segment = fs::remove_file(segment_path(&self.dir, segment.base));
        if segment.sidecar_len > 0 {
            let _sidecar = fs::remove_file(streams_path(&self.dir, segment.base));
        }
        if segment.times_len > 0 {
            let _sidecar = fs::remove_file(times_path(&self.dir, segment.base));
        }
        self.total -= segment.on_disk();
    }
}

/// Makes `dir` and what is missing above it; gives what it made, outermost first.
fn make_folder(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let missing: Vec<_> = dir.ancestors().take_while(|folder| !folder.exists()).map(Path::to_owned).collect();
    let mut made = Vec::new();
    for folder in missing.into_iter().rev() {
        match DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => made.push(folder),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => {
                unmake(&made);
                return Err(error);
            }
        }
    }
    Ok(made)
}

/// Continues the segments that were found.
fn begin(
    dir: Arc<Path>,
    mut old: VecDeque<Segment>,
    limits: LogLimits,
    marks: Marks,
    made: &mut Vec<PathBuf>,
) -> io::Result<LogWriter> {
    let base = old.back().map_or(0, Segment::end);
    // An empty last segment is the one we begin.
    let empty = old.pop_back_if(|last| last.base == base);
    let path = segment_path(&dir, base);
    let file = open_append(&path)?;
    let active = empty.unwrap_or_else(|| {
        made.push(path);
        Segment::new(&dir, base, 0)
    });
    let sidecar = (marks == Marks::Streams).then_some(Sidecar { file: None, marked: None });
    let total = old.iter().chain([&active]).map(Segment::on_disk).sum();
    Ok(LogWriter { dir, limits, old, active, file, sidecar, times: Times::default(), total, looked: SystemTime::now() })
}

fn find_segments(dir: &Path) -> io::Result<VecDeque<Segment>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if let Some(base) = layout::parse_segment_name(&entry.file_name()) {
            found.push(Segment::new(dir, base, entry.metadata()?.len()));
        }
    }
    found.sort_unstable_by_key(|segment| segment.base);
    Ok(found.into())
}

fn len_of(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

pub(super) fn open_append(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

/// Innermost first; folders that somebody else has put something into stay.
fn unmake(made: &[PathBuf]) {
    for path in made.iter().rev() {
        let _not_ours = fs::remove_file(path).or_else(|_| fs::remove_dir(path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writer(dir: &Path, total_bytes: u64, segment_bytes: u64, marks: Marks) -> LogWriter {
        let limits = LogLimits { total_bytes, segment_bytes, max_age_secs: None };
        NewLog::open(&dir.into(), limits, marks).expect("opens").writer
    }

    fn segments(dir: &Path) -> Vec<(u64, Vec<u8>)> {
        let found = find_segments(dir).expect("lists");
        found.iter().map(|s| (s.base, fs::read(segment_path(dir, s.base)).expect("reads"))).collect()
    }

    #[test]
    fn bytes_are_cut_exactly_at_segment_ends() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut log = writer(dir.path(), 1000, 4, Marks::None);
        for piece in ["ab", "cdefghijk", "", "l"] {
            assert!(matches!(log.append(Stream::Stdout, piece.as_bytes()), (n, Ok(())) if n == piece.len()));
        }
        let expected = [(0, b"abcd".to_vec()), (4, b"efgh".to_vec()), (8, b"ijkl".to_vec())];
        assert_eq!(segments(dir.path()), expected);
        assert_eq!(log.end(), 12);
    }

    #[test]
    fn the_oldest_go_first_and_the_active_one_never() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut log = writer(dir.path(), 6, 4, Marks::None);
        log.append(Stream::Stdout, b"aaaabbbbcc").1.expect("writes");
        assert_eq!(segments(dir.path()), [(4, b"bbbb".to_vec()), (8, b"cc".to_vec())]);
        let small = tempfile::tempdir().expect("a folder");
        let mut log = writer(small.path(), 1, 100, Marks::None);
        log.append(Stream::Stdout, b"more than one").1.expect("writes");
        assert_eq!(segments(small.path()), [(0, b"more than one".to_vec())]);
    }

    #[test]
    fn old_segments_go_when_a_new_one_begins() {
        let dir = tempfile::tempdir().expect("a folder");
        let limits = LogLimits { total_bytes: 1000, segment_bytes: 2, max_age_secs: Some(60) };
        let mut log = NewLog::open(&dir.path().into(), limits, Marks::Streams).expect("opens").writer;
        log.append(Stream::Stdout, b"aabbc").1.expect("writes");
        let aged = SystemTime::now() - Duration::from_secs(61);
        File::options()
            .append(true)
            .open(segment_path(dir.path(), 0))
            .expect("opens")
            .set_modified(aged)
            .expect("ages");
        log.append(Stream::Stdout, b"cd").1.expect("writes");
        assert_eq!(segments(dir.path()).iter().map(|s| s.0).collect::<Vec<_>>(), [2, 4, 6]);
        assert!(!streams_path(dir.path(), 0).exists());
    }

    #[test]
    fn old_segments_go_while_little_is_printed_and_when_a_log_is_opened() {
        let limits = LogLimits { total_bytes: 1000, segment_bytes: 4, max_age_secs: Some(60) };
        let age = |dir: &Path| {
            let file = File::options().append(true).open(segment_path(dir, 0)).expect("opens");
            file.set_modified(SystemTime::now() - Duration::from_secs(61)).expect("ages");
        };
        let bases = |dir: &Path| segments(dir).iter().map(|s| s.0).collect::<Vec<_>>();
        let dir = tempfile::tempdir().expect("a folder");
        let mut log = NewLog::open(&dir.path().into(), limits, Marks::None).expect("opens").writer;
        log.append(Stream::Stdout, b"aaaab").1.expect("writes");
        age(dir.path());
        log.append(Stream::Stdout, b"b").1.expect("writes");
        assert_eq!(bases(dir.path()), [0, 4], "it was looked at a moment ago");
        log.looked -= LOOK_EVERY;
        log.append(Stream::Stdout, b"b").1.expect("writes");
        assert_eq!(bases(dir.path()), [4]);
        let other = tempfile::tempdir().expect("a folder");
        writer(other.path(), 1000, 4, Marks::None).append(Stream::Stdout, b"aaaabb").1.expect("writes");
        age(other.path());
        drop(NewLog::resume(other.path().into(), limits, Marks::None).expect("opens"));
        assert_eq!(bases(other.path()), [4, 6]);
    }

    #[test]
    fn streams_are_marked_where_they_change_and_where_a_segment_begins() {
        use Stream::{Stderr, Stdout};
        let dir = tempfile::tempdir().expect("a folder");
        let mut log = writer(dir.path(), 1000, 4, Marks::Streams);
        for (stream, piece) in [(Stdout, "o"), (Stdout, "o"), (Stderr, "eeee"), (Stdout, "o")] {
            log.append(stream, piece.as_bytes()).1.expect("writes");
        }
        let records = |base| layout::decode_records(&fs::read(streams_path(dir.path(), base)).expect("reads"));
        let record = |offset, stream| StreamRecord { offset, stream };
        assert_eq!(records(0), [record(0, Stdout), record(2, Stderr)]);
        assert_eq!(records(4), [record(4, Stderr), record(6, Stdout)]);
    }

    #[test]
    fn an_existing_log_is_continued() {
        let dir = tempfile::tempdir().expect("a folder");
        writer(dir.path(), 1000, 4, Marks::None).append(Stream::Stdout, b"abcdef").1.expect("writes");
        layout::write_exit(dir.path(), crate::Exit::Code(1)).expect("writes");
        let mut log = writer(dir.path(), 1000, 4, Marks::None);
        assert_eq!(log.end(), 6);
        assert_eq!(layout::read_exit(dir.path()), None);
        log.append(Stream::Stdout, b"g").1.expect("writes");
        assert_eq!(segments(dir.path()), [(0, b"abcd".to_vec()), (4, b"ef".to_vec()), (6, b"g".to_vec())]);
    }

    #[test]
    fn undo_leaves_nothing_that_was_not_there() {
        let root = tempfile::tempdir().expect("a folder");
        let dir = root.path().join("a/b");
        NewLog::open(&dir.as_path().into(), LogLimits::default(), Marks::Streams).expect("opens").undo();
        assert_eq!(fs::read_dir(root.path()).expect("lists").count(), 0);
        writer(&dir, 1000, 4, Marks::None).append(Stream::Stdout, b"ab").1.expect("writes");
        NewLog::open(&dir.as_path().into(), LogLimits::default(), Marks::None).expect("opens").undo();
        assert_eq!(segments(&dir), [(0, b"ab".to_vec())]);
    }
}
