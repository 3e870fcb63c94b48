//! How fast output reaches a log, beside a bare loop that reads the same output and throws it away.
//!
//! `cargo run --release -p flightdeck-keeper --example flood -- [MEBIBYTES] [ROUNDS]` (after building the `keeper`
//! example in the same profile)

use std::error::Error;
use std::ffi::OsStr;
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use flightdeck_keeper::{Event, LogLimits, Output, SessionId, Size, SpawnSpec, connect, launch};
use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let mut args = std::env::args().skip(1);
    let mebibytes: u64 = args.next().map_or(Ok(512), |arg| arg.parse())?;
    let rounds: u32 = args.next().map_or(Ok(5), |arg| arg.parse())?;
    let folder = tempfile::tempdir()?;
    let socket = folder.path().join("run/s");
    let keeper = std::env::current_exe()?.with_file_name("keeper");
    launch(&keeper, &[socket.as_os_str()], &socket, Duration::from_secs(10))?;

    for (name, output) in [("pty", Output::Pty(Size::default())), ("pipe", Output::Pipes)] {
        let script = format!("exec head -c {mebibytes}M /dev/zero");
        let (mut bare, mut kept) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            bare.push(mebibytes as f64 / drain(&script, output)?.as_secs_f64());
            let id = format!("{name}-{round}");
            kept.push(mebibytes as f64 / keep(&socket, folder.path(), &id, &script, output)?.as_secs_f64());
        }
        let (bare, kept) = (median(bare), median(kept));
        println!("{name}: bare {bare:.0} MiB/s, keeper {kept:.0} MiB/s, ratio {:.2}", kept / bare);
    }
    let (requests, mut events) = connect(&socket)?;
    let pump = std::thread::spawn(move || while events.next(None).is_ok() {});
    requests.shutdown()?;
    let _ended = pump.join();
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn keep(socket: &Path, folder: &Path, id: &str, script: &str, output: Output) -> Outcome<Duration> {
    let (requests, mut events) = connect(socket)?;
    let log_dir: PathBuf = folder.join(id);
    let spec = SpawnSpec {
        id: SessionId::new(id)?,
        argv: vec!["sh".into(), "-c".into(), script.into()],
        arg0: None,
        env: vec![("PATH".into(), "/usr/bin:/bin".into())],
        cwd: "/".into(),
        output,
        log_dir: log_dir.clone().into(),
        limits: LogLimits { total_bytes: 64 << 20, ..LogLimits::default() },
        sandbox: None,
    };
    let start = Instant::now();
    let spawner = std::thread::spawn(move || requests.spawn(&spec).map(drop));
    let (mut taken, mut exited) = (None, false);
    let taken = loop {
        match events.next(Some(Duration::from_mins(1)))? {
            Some(Event::Eof { .. }) => taken = Some(start.elapsed()),
            Some(Event::Exited { .. }) => exited = true,
            _ => {}
        }
        if let (Some(taken), true) = (taken, exited) {
            break taken;
        }
    };
    spawner.join().map_err(|_| "the spawner panicked")??;
    std::fs::remove_dir_all(log_dir)?;
    Ok(taken)
}

fn drain(script: &str, output: Output) -> Outcome<Duration> {
    let mut command = Command::new("/bin/sh");
    command.args([OsStr::new("-c"), OsStr::new(script)]).stdin(Stdio::null());
    let start = Instant::now();
    let (mut ours, mut child) = match output {
        Output::Pty(_) => {
            let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
            let master = openpt(flags)?;
            unlockpt(&master)?;
            let slave = ioctl_tiocgptpeer(&master, flags)?;
            command.stdout(Stdio::from(slave));
            let child = command.spawn()?;
            (std::fs::File::from(master), child)
        }
        Output::Pipes | Output::PipesHeld => {
            let mut child = command.stdout(Stdio::piped()).spawn()?;
            let stdout = child.stdout.take().ok_or("no pipe")?;
            let _refused = rustix::pipe::fcntl_setpipe_size(&stdout, 1 << 20);
            (std::fs::File::from(OwnedFd::from(stdout)), child)
        }
    };
    // Our copy of the slave is in here; with it open the terminal would never end.
    drop(command);
    let mut buffer = vec![0; 1 << 20];
    while matches!(ours.read(&mut buffer), Ok(1..)) {}
    let taken = start.elapsed();
    child.wait()?;
    Ok(taken)
}
