//! What each request does. One method for each; the answer is sent where the order matters.

use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Signal, getpid};

use super::control::{Control, Role};
use super::log::{Marks, NewLog};
use super::outbox::Outbox;
use super::program;
use super::session::Session;
use super::spawn::{MAX_LARGE_PIPES, Surroundings, spawn};
use super::table::Held;
use super::tap::{Tap, TapToken};
use super::terminal::{self, Terminal};
use crate::wire::{self, Envelope, Hello, Listing, Nothing, Reply, Request, Started, Welcome, frame};
use crate::{BootTime, Output, PROTOCOL, Refusal, SpawnSpec};

impl Control {
    /// `false`: the connection must close.
    pub(super) fn handle(
        &mut self,
        outbox: &Arc<Outbox>,
        role: Role,
        greeted: &mut bool,
        envelope: Envelope<'_>,
    ) -> bool {
        let Envelope { seq, kind, body, until } = envelope;
        if until.is_some_and(|until| BootTime::now().0 > Duration::from_nanos(until)) {
            answer::<Nothing>(outbox, seq, Err(Refusal::Expired));
            return true;
        }
        let request = Request::parse(&kind, body);
        if role == Role::Dialled && self.hub.is_some() {
            // Whatever it is that can't be read: it is not a hub's to ask.
            return match request {
                Ok(request) => self.handle_dialled(outbox, seq, &kind, request),
                Err(refusal) => {
                    answer::<Nothing>(outbox, seq, Err(refusal));
                    false
                }
            };
        }
        if !*greeted {
            let result = match request {
                Ok(Request::Hello(hello)) => self.hello(&hello),
                // As a keeper says it from before there was this request.
                Ok(Request::StartHub(_)) => Err(Refusal::Unsupported { kind: kind.into_owned() }),
                Ok(_) => Err(Refusal::Invalid { reason: "say hello first".to_owned() }),
                Err(refusal) => Err(refusal),
            };
            *greeted = result.is_ok();
            answer(outbox, seq, result);
            if *greeted {
                self.audience.join(outbox);
            }
            return *greeted;
        }
        let request = match request {
            Ok(request) => request,
            Err(refusal) => {
                answer::<Nothing>(outbox, seq, Err(refusal));
                return true;
            }
        };
        match request {
            Request::Hello(hello) => answer(outbox, seq, self.hello(&hello)),
            Request::SpawnConfined(spec) if spec.sandbox.is_none() => {
                let reason = "a confined spawn needs a sandbox".to_owned();
                answer::<Nothing>(outbox, seq, Err(Refusal::Invalid { reason }));
            }
            Request::Spawn(spec) | Request::SpawnConfined(spec) => self.spawn(outbox, seq, &spec),
            Request::Follow(spec) => answer(outbox, seq, self.follow(&spec)),
            Request::Mind(mind) => answer(outbox, seq, self.mind(&mind)),
            Request::Attach(named) => match self.table.get(&named.id) {
                Ok(held) => answer_started(outbox, seq, &held.session, held.pid()),
                Err(refusal) => answer::<Nothing>(outbox, seq, Err(refusal)),
            },
            Request::List(_) => answer(outbox, seq, Ok(self.list())),
            Request::Resize(resize) => answer(outbox, seq, self.resize(&resize)),
            Request::Signal(signal) => answer(outbox, seq, self.signal(&signal)),
            Request::Forget(named) => {
                let forgotten = self.table.remove_ended(&named.id);
                let result = forgotten.map(|held| {
                    self.readers[held.reader].remove(held.token);
                    Nothing {}
                });
                answer(outbox, seq, result);
            }
            Request::CloseInput(named) => {
                let held = self.table.get(&named.id);
                answer(outbox, seq, held.map(|held| held.session.close_stdin()).map(|()| Nothing {}));
            }
            Request::Watch(watch) => {
                if let Ok(held) = self.table.get(&watch.id) {
                    held.session.watch(outbox, watch.from);
                }
            }
            Request::Shutdown(_) => {
                self.ending.get_or_insert_default().asked_by.push((Arc::clone(outbox), seq));
            }
            Request::Serving(_) => {
                self.hub_serves(outbox.token);
                answer(outbox, seq, Ok(Nothing {}));
            }
            Request::StartHub(_) | Request::AwaitHub(_) | Request::StopHub(_) => {
                answer::<Nothing>(outbox, seq, Err(Refusal::Unsupported { kind: kind.into_owned() }));
            }
        }
        true
    }

    fn hello(&self, hello: &Hello) -> Result<Welcome, Refusal> {
        if !(hello.min_protocol..=hello.max_protocol).contains(&PROTOCOL) {
            return Err(Refusal::Protocol { keeper: PROTOCOL, min: hello.min_protocol, max: hello.max_protocol });
        }
        let pid = getpid().as_raw_nonzero().get() as u32;
        Ok(Welcome { protocol: PROTOCOL, pid, build: self.options.build.clone() })
    }

    fn spawn(&mut self, outbox: &Outbox, seq: u64, spec: &SpawnSpec) {
        match self.start(spec) {
            Ok((held, tap)) => {
                // The answer before any event of the session, and the session in the table before its end is seen.
                answer_started(outbox, seq, &held.session, held.pid());
                self.readers[held.reader].add(tap);
                self.table.insert(held);
            }
            Err(refusal) => answer::<Nothing>(outbox, seq, Err(refusal)),
        }
        if self.next_terminal.is_none() {
            // Where there is none to be had, the next start tells why.
            self.next_terminal = Terminal::open().ok();
        }
    }

    /// Everything that can fail, in an order that leaves nothing behind if it does.
    fn start(&mut self, spec: &SpawnSpec) -> Result<(Held, Tap), Refusal> {
        if self.table.contains(&spec.id) {
            return Err(Refusal::DuplicateId { id: spec.id.clone() });
        }
        let program = program::resolve(spec)?;
        let marks = match spec.output {
            Output::Pty(_) => Marks::None,
            Output::Pipes | Output::PipesHeld => Marks::Streams,
        };
        let log_dir = Arc::from(spec.log_dir.as_path());
        let log = NewLog::open(&log_dir, spec.limits, marks).map_err(|error| {
            if matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE)) {
                return Refusal::TooManyFiles;
            }
            Refusal::Other { text: format!("the log in {} can't be made: {error}", spec.log_dir) }
        })?;
        let piped = self.table.all().filter(|held| held.exit.is_none() && held.session.master.is_none()).count();
        let surroundings = Surroundings {
            open_files: self.open_files,
            pipes_large: piped < MAX_LARGE_PIPES,
            terminal: matches!(spec.output, Output::Pty(_)).then(|| self.next_terminal.take()).flatten(),
        };
        let mut child = match spawn(spec, &program, surroundings) {
            Ok(child) => child,
            Err(refusal) => {
                log.undo();
                return Err(refusal);
            }
        };
        let token = TapToken(self.next_tap);
        self.next_tap += 1;
        let log = log.writer;
        let pipes = std::mem::take(&mut child.pipes);
        let session = Arc::new(Session::of_child(spec.id.clone(), child, log_dir, log.end()));
        let tap = Tap {
            token,
            session: Arc::clone(&session),
            log,
            master_open: session.master.is_some(),
            pipes,
            followed: None,
            unwritten: None,
            halt: None,
            exit_untold: None,
        };
        let held = Held { session, token, reader: self.idlest_reader(), exit: None, exit_unwritten: false };
        Ok((held, tap))
    }

    /// The reader with the fewest sessions that can still bring output.
    pub(super) fn idlest_reader(&self) -> usize {
        let mut busy = vec![0usize; self.readers.len()];
        for held in self.table.all().filter(|held| !held.session.eof()) {
            busy[held.reader] += 1;
        }
        busy.iter().enumerate().min_by_key(|(_, sessions)| **sessions).map_or(0, |(reader, _)| reader)
    }

    fn list(&self) -> Listing {
        let mut sessions: Vec<_> = self.table.all().map(Held::info).collect();
        sessions.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        Listing { sessions }
    }

    fn resize(&self, request: &wire::Resize) -> Result<Nothing, Refusal> {
        let held = self.table.get(&request.id)?;
        let Some(master) = &held.session.master else {
            return Err(Refusal::NoTerminal { id: request.id.clone() });
        };
        terminal::resize(master, request.size)
            .map(|()| Nothing {})
            .map_err(|error| Refusal::Other { text: format!("the terminal could not be resized: {error}") })
    }

    fn signal(&self, request: &wire::Signal) -> Result<Nothing, Refusal> {
        let held = self.table.get(&request.id)?;
        let Some(signal) = Signal::from_named_raw(request.number) else {
            return Err(Refusal::Invalid { reason: format!("{} is not the number of a signal", request.number) });
        };
        held.signal(signal, request.target).map(|()| Nothing {})
    }
}

pub fn answer<T: serde::Serialize>(outbox: &Outbox, seq: u64, result: Result<T, Refusal>) {
    let reply = match result {
        Ok(body) => Reply::ok(seq, body),
        Err(refusal) => Reply::refused(seq, &refusal),
    };
    outbox.send(frame(&reply));
}

fn answer_started(outbox: &Outbox, seq: u64, session: &Session, pid: u32) {
    let stdin = session.stdin();
    let mut reply = Reply::ok(seq, Started { pid, stdin: stdin.is_some() });
    let fd = stdin.or_else(|| session.master.clone());
    reply.fd = fd.is_some();
    outbox.send_with(frame(&reply), fd);
}
