//! What it was measured on, and how busy that was with other things.

use std::fmt;

use anyhow::Context;
use serde_json::{Map, Value, json};

use crate::Extent;

#[derive(Debug)]
pub struct Machine {
    cores: usize,
    kernel: String,
    load_before: String,
    load_after: String,
}

impl Machine {
    pub fn now() -> anyhow::Result<Self> {
        let read = |path: &str| std::fs::read_to_string(path).with_context(|| path.to_owned());
        Ok(Machine {
            cores: std::thread::available_parallelism()?.get(),
            kernel: read("/proc/sys/kernel/osrelease")?.trim().to_owned(),
            load_before: load(),
            load_after: String::new(),
        })
    }

    pub fn note_load_after(&mut self) {
        self.load_after = load();
    }

    /// The head of a report in JSON.
    pub fn json(&self, extent: Extent) -> Map<String, Value> {
        let head = [
            ("cores", json!(self.cores)),
            ("kernel", json!(self.kernel)),
            ("loadBefore", json!(self.load_before)),
            ("loadAfter", json!(self.load_after)),
            ("quick", json!(extent == Extent::Quick)),
        ];
        head.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// The head of a report in text.
    pub fn line(&self, extent: Extent) -> String {
        let quick = if extent == Extent::Quick { "; quick: sizes too small for the goals" } else { "" };
        format!("{self}{quick}\n")
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cores, Linux {}, load before {}", self.cores, self.kernel, self.load_before)?;
        if self.load_after.is_empty() { Ok(()) } else { write!(f, ", after {}", self.load_after) }
    }
}

/// The load averages of 1, 5 and 15 minutes.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}
