//! A hub that is killed while it writes: whatever was answered is there afterwards, and the chain is whole.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use super::super::{Filter, Seq};
use super::{folder, intact, open, single};

const FOLDER: &str = "STORE_FLOOD_FOLDER";
const FIRST_CALL: &str = "STORE_FLOOD_FIRST";

/// Not a test: the process that is killed. It appends without end, and tells each answer.
#[test]
#[ignore = "started by the test below"]
fn flood() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let first: u64 = std::env::var(FIRST_CALL).unwrap().parse().unwrap();
    let store = open(Path::new(&folder));
    println!();
    thread::scope(|scope| {
        for writer in 0..3 {
            let store = &store;
            scope.spawn(move || {
                for call in (first + writer..).step_by(3) {
                    let seq = store.write(single(call)).unwrap();
                    // One write each, so that no line is torn between two threads.
                    let _ = std::io::stdout().lock().write_all(format!("answered {} {call} .\n", seq.0).as_bytes());
                }
            });
        }
    });
}

#[test]
fn what_was_answered_survives_kill_9() {
    let dir = folder();
    let this = module_path!().split_once("::").unwrap().1;
    let mut answered: HashMap<Seq, u64> = HashMap::new();
    // From the first moments to beyond several checkpoints.
    for (round, kill_after) in [1, 2, 50, 333, 1000, 3000].into_iter().enumerate() {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &format!("{this}::flood"), "--ignored", "--nocapture"])
            .env(FOLDER, dir.path())
            .env(FIRST_CALL, (1 + round * 1_000_000).to_string())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut now = 0;
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            let mut words = line.split(' ');
            // The last line may be cut off where it was killed.
            let (Some("answered"), Some(Ok(seq)), Some(Ok(call)), Some(_)) =
                (words.next(), words.next().map(str::parse), words.next().map(str::parse), words.next())
            else {
                continue;
            };
            assert_eq!(answered.insert(Seq(seq), call), None, "a number was given twice");
            now += 1;
            if now == kill_after {
                // And then everything up to the end of the pipe: it goes on for a moment.
                child.kill().unwrap();
            }
        }
        assert!(!child.wait().unwrap().success() && now >= kill_after, "{now} of {kill_after}");
        if round % 2 == 0 {
            // Every other round the next writer finds the files as the killed one has left them.
            continue;
        }
        let store = open(dir.path());
        assert!(intact(&store).entries >= answered.len() as u64);
        let filter = Filter { limit: usize::MAX, ..Filter::default() };
        let calls = store.calls(&filter, &HashSet::new()).unwrap().calls;
        let kept: HashMap<Seq, u64> = calls.iter().map(|call| (call.seq, call.entry.call.0)).collect();
        for (seq, call) in &answered {
            assert_eq!(kept.get(seq), Some(call), "{seq:?} was answered");
        }
    }
}
