//! Lines from a descriptor, each before a deadline, however long they are.

use std::os::fd::OwnedFd;
use std::time::Instant;

use anyhow::Context;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

/// What a pipe gives at once.
const CHUNK: usize = 64 << 10;

#[derive(Debug)]
pub struct Lines {
    from: OwnedFd,
    buffer: Vec<u8>,
    /// How much of the buffer is known to have no end of line.
    searched: usize,
    chunk: Box<[u8]>,
}

impl Lines {
    pub fn new(from: OwnedFd) -> Self {
        Lines { from, buffer: Vec::new(), searched: 0, chunk: vec![0; CHUNK].into() }
    }

    /// `None` at the end.
    pub fn next(&mut self, deadline: Instant) -> anyhow::Result<Option<Vec<u8>>> {
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[self.searched..]) {
                let rest = self.buffer.split_off(self.searched + at + 1);
                self.searched = 0;
                return Ok(Some(std::mem::replace(&mut self.buffer, rest)));
            }
            self.searched = self.buffer.len();
            let left = deadline.checked_duration_since(Instant::now()).context("no answer in time")?;
            match poll(&mut [PollFd::new(&self.from, PollFlags::IN)], Some(&left.try_into()?)) {
                Ok(0) | Err(Errno::INTR) => continue,
                ready => ready?,
            };
            match rustix::io::read(&self.from, &mut self.chunk[..]) {
                Err(Errno::INTR) => {}
                Ok(0) => return Ok(None),
                read => self.buffer.extend_from_slice(&self.chunk[..read?]),
            }
        }
    }
}
