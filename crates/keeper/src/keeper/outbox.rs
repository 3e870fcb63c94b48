//! What is on its way to a client: sent at once where the socket has room, kept in a bounded queue where not.
//!
//! The queue is bounded by construction for a client that behaves: one answer for each request it waits for, one
//! `Grew` for each watch it armed, and a few `Exited`/`Eof`/`Stalled` for each session. One that asks and never
//! reads exceeds `MAX_PENDING` and is dropped; nobody waits for it.

use std::collections::{HashMap, VecDeque};
use std::net::Shutdown;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex};

use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;
use rustix::net::SendFlags;

use super::lock;
use crate::Event;
use crate::fd_passing;
use crate::wire::{self, Reply};

const MAX_PENDING: usize = 4 << 20;
/// What a queued frame costs beside its bytes.
const FRAME_COST: usize = 64;

/// The sending half of a connection. Any thread may send.
pub struct Outbox {
    /// The connection's name in the control thread's epoll.
    pub token: u64,
    socket: UnixStream,
    /// The control thread's epoll: a queue that could not be sent is finished there.
    epoll: Arc<OwnedFd>,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    frames: VecDeque<Frame>,
    cost: usize,
    waits_for_room: bool,
    dropped: bool,
}

struct Frame {
    bytes: Vec<u8>,
    sent: usize,
    /// Goes with the first byte.
    fd: Option<Arc<OwnedFd>>,
}

impl Outbox {
    pub fn new(token: u64, socket: UnixStream, epoll: Arc<OwnedFd>) -> Self {
        Self { token, socket, epoll, queue: Mutex::default() }
    }

    pub fn socket(&self) -> &UnixStream {
        &self.socket
    }

    pub fn send(&self, bytes: Vec<u8>) {
        self.push(Frame { bytes, sent: 0, fd: None });
    }

    pub fn send_with(&self, bytes: Vec<u8>, fd: Option<Arc<OwnedFd>>) {
        self.push(Frame { bytes, sent: 0, fd });
    }

    /// Sends on, now that there is room.
    pub fn flush(&self) {
        self.flush_queue(&mut lock(&self.queue));
    }

    /// Ends the connection; the control thread sees the hang-up and cleans up.
    pub fn drop_connection(&self) {
        self.drop_queue(&mut lock(&self.queue));
    }

    fn push(&self, frame: Frame) {
        let mut queue = lock(&self.queue);
        if queue.dropped {
            return;
        }
        queue.cost += frame.bytes.len() + FRAME_COST;
        queue.frames.push_back(frame);
        if !queue.waits_for_room {
            self.flush_queue(&mut queue);
        }
        if queue.cost > MAX_PENDING {
            self.drop_queue(&mut queue);
        }
    }

    fn flush_queue(&self, queue: &mut Queue) {
        while let Some(frame) = queue.frames.front_mut() {
            match send_some(&self.socket, frame) {
                Ok(sent) => frame.sent += sent,
                Err(Errno::INTR) => continue,
                Err(Errno::AGAIN) => return self.wait_for_room(queue, true),
                Err(_) => return self.drop_queue(queue),
            }
            if frame.sent == frame.bytes.len() {
                queue.cost -= frame.bytes.len() + FRAME_COST;
                queue.frames.pop_front();
            }
        }
        self.wait_for_room(queue, false);
    }

    fn wait_for_room(&self, queue: &mut Queue, wait: bool) {
        if queue.waits_for_room == wait {
            return;
        }
        queue.waits_for_room = wait;
        let flags = if wait { EventFlags::IN | EventFlags::OUT } else { EventFlags::IN };
        if epoll::modify(&*self.epoll, &self.socket, EventData::new_u64(self.token), flags).is_err() {
            self.drop_queue(queue);
        }
    }

    fn drop_queue(&self, queue: &mut Queue) {
        queue.dropped = true;
        queue.frames.clear();
        queue.cost = 0;
        let _already_closed = self.socket.shutdown(Shutdown::Both);
    }
}

fn send_some(socket: &UnixStream, frame: &Frame) -> Result<usize, Errno> {
    let fd = frame.fd.as_ref().filter(|_| frame.sent == 0).map(|fd| fd.as_fd());
    fd_passing::send(socket, &frame.bytes[frame.sent..], fd, SendFlags::DONTWAIT)
}

/// Everybody who is connected, for news that concern all.
#[derive(Default)]
pub struct Audience(Mutex<HashMap<u64, Arc<Outbox>>>);

impl Audience {
    pub fn join(&self, outbox: &Arc<Outbox>) {
        lock(&self.0).insert(outbox.token, Arc::clone(outbox));
    }

    pub fn leave(&self, token: u64) {
        lock(&self.0).remove(&token);
    }

    /// Says that the connections end because the keeper ends in order.
    pub fn tell_ending(&self) {
        let frame = wire::frame(&Reply { ending: true, ..Reply::default() });
        for outbox in lock(&self.0).values() {
            outbox.send(frame.clone());
        }
    }

    pub fn tell(&self, event: &Event) {
        let frame = wire::event_frame(event);
        for outbox in lock(&self.0).values() {
            outbox.send(frame.clone());
        }
    }
}
