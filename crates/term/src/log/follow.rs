//! Following a log while it grows, without listing the folder and without holding a descriptor.
//!
//! A thousand idle terminals then cost no descriptors, and since a segment is named by the offset it begins at,
//! the next one is found by name alone.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use flightdeck_keeper::segment_path;

use super::{Log, Offset};

/// A place in a log from which reading goes on.
#[derive(Debug)]
pub struct Follower {
    log: Log,
    segment: u64,
    position: Offset,
}

impl Follower {
    /// Follows `log` from `position` on.
    pub fn new(log: Log, position: Offset) -> io::Result<Self> {
        let mut follower = Follower { log, segment: 0, position };
        follower.find_segment()?;
        Ok(follower)
    }

    /// The offset of the next byte that [`Follower::read`] gives.
    pub fn position(&self) -> Offset {
        self.position
    }

    /// What is followed.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Reads what there is, at most `buf.len()` bytes. Zero means nothing new.
    ///
    /// When segments were rotated away before they were read, `position` jumps to the oldest byte there is.
    pub fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            let file = match File::open(segment_path(self.log.dir(), self.segment)) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let (segment, position) = (self.segment, self.position);
                    self.find_segment()?;
                    if (self.segment, self.position) == (segment, position) {
                        return Ok(0);
                    }
                    continue;
                }
                Err(error) => return Err(error),
            };
            let read = file.read_at(buf, self.position.0 - self.segment)?;
            self.position = self.position + read as u64;
            if read > 0 {
                return Ok(read);
            }
            // At the end of this segment: the next one, if there is one, is named by just this offset.
            if self.position.0 == self.segment || !segment_path(self.log.dir(), self.position.0).exists() {
                return Ok(0);
            }
            self.segment = self.position.0;
        }
    }

    /// Goes to the end without reading. Gives how many bytes that was.
    pub fn skip_to_end(&mut self) -> io::Result<u64> {
        let (_, end) = self.log.bounds()?;
        let skipped = end.since(self.position);
        if skipped > 0 {
            self.position = end;
            self.find_segment()?;
        }
        Ok(skipped)
    }

    fn find_segment(&mut self) -> io::Result<()> {
        let segments = self.log.segments()?;
        let after = segments.partition_point(|s| s.base <= self.position.0);
        match after.checked_sub(1).and_then(|i| segments.get(i)) {
            Some(segment) => self.segment = segment.base,
            None => {
                if let Some(oldest) = segments.first() {
                    self.segment = oldest.base;
                    self.position = Offset(oldest.base);
                }
            }
        }
        Ok(())
    }
}
