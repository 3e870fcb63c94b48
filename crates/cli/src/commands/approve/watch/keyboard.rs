//! Single keys from the window, which is always left as it was found.

use std::io::{self, PipeReader, PipeWriter};
use std::thread::{self, JoinHandle};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush, tcgetattr, tcsetattr,
};
use tokio::sync::mpsc;

/// Presses that may wait. Nobody types faster than this is taken, but somebody may paste.
const PRESSES: usize = 16;

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Char(char),
    Enter,
    Backspace,
    Escape,
    /// Ctrl-U: the line from its beginning.
    Clear,
    /// Ctrl-D.
    End,
}

/// The keyboard, key by key and without echo, for as long as this lives. Signals still come from their keys, and text
/// is still printed as usual.
#[derive(Debug)]
pub struct Keyboard {
    presses: mpsc::Receiver<io::Result<Vec<Key>>>,
    before: Termios,
    /// The thread that reads, and what ends it: it never sits in a read, where it would take keys away from an editor.
    reader: Option<(JoinHandle<()>, PipeWriter)>,
}

impl Keyboard {
    pub fn enter() -> io::Result<Self> {
        let (stop, stopper) = io::pipe()?;
        let (sender, presses) = mpsc::channel(PRESSES);
        // From here on the window is restored, whatever fails.
        let mut keyboard = Keyboard { presses, before: tcgetattr(io::stdin())?, reader: None };
        keyboard.again()?;
        let thread = thread::Builder::new().name("keyboard".to_owned()).spawn(move || {
            while let Some(pressed) = press(&stop).transpose() {
                let over = pressed.is_err();
                if sender.blocking_send(pressed).is_err() || over {
                    return;
                }
            }
        })?;
        keyboard.reader = Some((thread, stopper));
        Ok(keyboard)
    }

    /// Sets the window up once more: a shell has changed it while this was stopped.
    pub fn again(&self) -> io::Result<()> {
        let mut keys = self.before.clone();
        keys.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        keys.special_codes[SpecialCodeIndex::VMIN] = 1;
        keys.special_codes[SpecialCodeIndex::VTIME] = 0;
        Ok(tcsetattr(io::stdin(), OptionalActions::Now, &keys)?)
    }

    /// Forgets what was typed before this moment.
    pub fn forget(&mut self) {
        // A window that can't forget has closed, which the next read tells.
        let _ = tcflush(io::stdin(), QueueSelector::IFlush);
        while self.presses.try_recv().is_ok() {}
    }

    /// The keys that were pressed at once; `None` when the window has closed.
    pub async fn next(&mut self) -> io::Result<Option<Vec<Key>>> {
        self.presses.recv().await.transpose()
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        self.presses.close();
        if let Some((thread, stopper)) = self.reader.take() {
            drop(stopper);
            // It does not panic, and if it did it would read no more.
            let _ = thread.join();
        }
        // The window may be gone, and then there is nothing to undo.
        let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &self.before);
    }
}

/// Waits for keys; `None` when the window has closed or nobody wants them any more.
fn press(stop: &PipeReader) -> io::Result<Option<Vec<Key>>> {
    let stdin = io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(stop, PollFlags::IN)];
    rustix::io::retry_on_intr(|| poll(&mut fds, None))?;
    if !fds[1].revents().is_empty() {
        return Ok(None);
    }
    let mut buf = [0; 1024];
    let read = match rustix::io::read(&stdin, &mut buf) {
        // How a terminal says that nobody has its other end any more.
        Err(rustix::io::Errno::IO) => 0,
        read => read?,
    };
    Ok((read > 0).then(|| parse(&buf[..read])))
}

/// Reads keys. Arrows, function keys and the like are none of ours: they are passed over whole, so that no letter of
/// theirs is taken for an answer.
pub fn parse(bytes: &[u8]) -> Vec<Key> {
    let mut keys = Vec::new();
    let text = String::from_utf8_lossy(bytes);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\x1b' => match chars.next() {
                None => keys.push(Key::Escape),
                Some('[') => while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {},
                Some('O') => drop(chars.next()),
                Some(_) => {}
            },
            '\r' | '\n' => keys.push(Key::Enter),
            '\x7f' | '\x08' => keys.push(Key::Backspace),
            '\x15' => keys.push(Key::Clear),
            '\x04' => keys.push(Key::End),
            c if c.is_control() => {}
            c => keys.push(Key::Char(c)),
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_no_letters() {
        use Key::{Backspace, Char, Clear, End, Enter, Escape};
        for (bytes, keys) in [
            (&b"y"[..], &[Char('y')][..]),
            (b"\x1b", &[Escape]),
            (b"\x1b[A", &[]),
            (b"\x1b[1;5yn", &[Char('n')]),
            (b"\x1bOyn", &[Char('n')]),
            (b"\x1by", &[]),
            ("n\u{e4}\r".as_bytes(), &[Char('n'), Char('\u{e4}'), Enter]),
            (b"\x7f\x15\x04\x01", &[Backspace, Clear, End]),
            (b"\x1b[200~y\x1b[201~", &[Char('y')]),
        ] {
            assert_eq!(parse(bytes), keys, "{bytes:?}");
        }
    }
}
