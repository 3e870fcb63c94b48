//! A session bus of its own, and what is said on it about notifications.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use parking_lot::{Condvar, Mutex};
use tempfile::TempDir;

use crate::SOON;
use crate::display::end;

/// A bus with somebody who listens. Dropping it ends both.
#[derive(Debug)]
pub struct Bus {
    daemon: Child,
    monitor: Child,
    address: String,
    /// Of its socket, which a daemon that is killed leaves behind.
    _folder: TempDir,
    heard: Arc<(Mutex<String>, Condvar)>,
}

impl Bus {
    #[expect(clippy::new_without_default, reason = "it starts processes")]
    #[track_caller]
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("fdbus").tempdir_in("/tmp").expect("/tmp can be written");
        let at = format!("unix:path={}/bus", folder.path().display());
        let mut daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--nopidfile", "--print-address", "--address", &at])
            // What it starts, such as the bus for screen readers, has its sockets here as well.
            .env("XDG_RUNTIME_DIR", folder.path())
            .env("HOME", folder.path())
            .env_remove("DISPLAY")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-daemon starts: `apt install dbus`");
        let mut address = String::new();
        let out = daemon.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut address).expect("the bus tells its address");
        let address = address.trim().to_owned();
        let mut monitor = Command::new("dbus-monitor")
            .args(["--address", &address, "interface='org.freedesktop.Notifications'"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-monitor starts");
        let heard = Arc::new((Mutex::new(String::new()), Condvar::new()));
        let (filled, out) = (Arc::clone(&heard), monitor.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                let mut all = filled.0.lock();
                all.push_str(&line);
                all.push('\n');
                filled.1.notify_all();
            }
        });
        let bus = Bus { daemon, monitor, address, _folder: folder, heard };
        // It is told its own name first, and listens from then on.
        bus.told("NameLost");
        bus
    }

    /// What DBUS_SESSION_BUS_ADDRESS is set to.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Everything that was said, once this is in it.
    #[track_caller]
    pub fn told(&self, wanted: &str) -> String {
        let (all, news) = &*self.heard;
        let mut all = all.lock();
        let came = !news.wait_while_for(&mut all, |all| !all.contains(wanted), SOON).timed_out();
        assert!(came, "{wanted:?} was not said on the bus, but\n{all}");
        all.clone()
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        for child in [&mut self.monitor, &mut self.daemon] {
            end(child);
        }
    }
}
