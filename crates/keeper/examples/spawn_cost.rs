//! Measures what a sandbox adds to a spawn: from the request to its answer, and to the end of a program that does
//! nothing.
//!
//! `cargo run --release -p flightdeck-keeper --example spawn_cost [ROUNDS]`, with the example `keeper` built beside it.

use std::ffi::OsStr;
use std::thread;
use std::time::{Duration, Instant};

use flightdeck_keeper::{Event, LogLimits, Output, Sandbox, SessionId, SpawnSpec, connect, launch};

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> Outcome<()> {
    let rounds: usize = std::env::args().nth(1).map_or(Ok(300), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let socket = folder.path().join("run/keeper.sock");
    let program = std::env::current_exe()?.with_file_name("keeper");
    launch(&program, &[socket.as_os_str(), OsStr::new("60000")], &socket, Duration::from_secs(10))?;
    let (requests, mut events) = connect(&socket)?;
    let (ended, endings) = std::sync::mpsc::channel();
    let pump = thread::spawn(move || {
        while let Ok(event) = events.next(None) {
            if matches!(event, Some(Event::Exited { .. })) && ended.send(Instant::now()).is_err() {
                return;
            }
        }
    });
    let sandbox = Sandbox { write: ["/tmp", "/var/tmp", "/dev/shm"].map(Into::into).into(), network: false };
    let mut taken = [(); 2].map(|()| (Vec::new(), Vec::new()));
    // In turns, so that both see the same machine.
    for round in 0..rounds {
        for (which, sandbox) in [None, Some(&sandbox)].into_iter().enumerate() {
            let id = format!("r{round}-{which}");
            let spec = SpawnSpec {
                id: SessionId::new(&id)?,
                argv: vec!["/bin/true".into()],
                arg0: None,
                env: Vec::new(),
                cwd: "/".into(),
                output: Output::Pipes,
                log_dir: folder.path().join(&id).into(),
                limits: LogLimits::default(),
                sandbox: sandbox.cloned(),
            };
            let start = Instant::now();
            requests.spawn(&spec)?;
            taken[which].0.push(start.elapsed());
            taken[which].1.push(endings.recv()?.duration_since(start));
            requests.forget(&spec.id)?;
        }
    }
    for (name, (answered, over)) in ["plain", "sandboxed"].iter().zip(&mut taken) {
        let (answered, over) = (median(answered).as_micros(), median(over).as_micros());
        println!("{name:<10} answered p50 {answered:>6} µs, over p50 {over:>6} µs");
    }
    requests.shutdown()?;
    pump.join().map_err(|_panic| "the pump panicked")?;
    Ok(())
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
