//! What the kernel says of a process: processor time and memory.

use std::fs;
use std::ops::Add;

use anyhow::Context;

/// A process under observation.
#[derive(Clone, Copy, Debug)]
pub struct Process(pub u32);

/// Processor time of a process with all its threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticks(pub u64);

impl Ticks {
    /// The unit in which `/proc` counts.
    fn per_second() -> f64 {
        rustix::param::clock_ticks_per_second() as f64
    }

    #[must_use]
    pub fn since(self, earlier: Ticks) -> Ticks {
        Ticks(self.0.saturating_sub(earlier.0))
    }

    pub fn seconds(self) -> f64 {
        self.0 as f64 / Self::per_second()
    }
}

impl Add for Ticks {
    type Output = Ticks;

    fn add(self, other: Ticks) -> Ticks {
        Ticks(self.0 + other.0)
    }
}

impl Process {
    /// User and system time so far.
    pub fn ticks(self) -> anyhow::Result<Ticks> {
        let path = format!("/proc/{}/stat", self.0);
        let stat = fs::read_to_string(&path).with_context(|| path.clone())?;
        // The name in parentheses may hold anything, so fields are counted from its end: state is the first.
        let fields: Vec<_> =
            stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().collect()).unwrap_or_default();
        let number = |field: usize| fields.get(field).and_then(|text| text.parse::<u64>().ok());
        let (user, system) = number(11).zip(number(12)).with_context(|| format!("{path} has no times"))?;
        Ok(Ticks(user + system))
    }

    /// How often its threads were woken so far; what an idle process must not be.
    pub fn wakeups(self) -> anyhow::Result<u64> {
        let mut wakeups = 0;
        for task in fs::read_dir(format!("/proc/{}/task", self.0))? {
            let status = fs::read_to_string(task?.path().join("status")).unwrap_or_default();
            wakeups += field(&status, "voluntary_ctxt_switches:").unwrap_or_default();
        }
        Ok(wakeups)
    }

    /// Its share of physical memory, in KiB.
    pub fn memory(self) -> anyhow::Result<u64> {
        let path = format!("/proc/{}/smaps_rollup", self.0);
        let text = fs::read_to_string(&path).with_context(|| path.clone())?;
        field(&text, "Pss:").with_context(|| format!("{path} has no Pss"))
    }
}

fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
}
