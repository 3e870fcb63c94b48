//! The figures as a table or as JSON: each with its peer, the goal, and whether it is met.

use std::fmt::Write as _;

use anyhow::Context;
use serde_json::{Value, json};

use crate::Extent;

/// One figure.
#[derive(Clone, Debug)]
pub struct Row {
    what: String,
    value: f64,
    unit: &'static str,
    peer: Option<(String, f64)>,
    goal: Option<Goal>,
    note: String,
}

/// What a figure should be.
#[derive(Clone, Copy, Debug)]
pub enum Goal {
    /// At least so many times the peer.
    TimesAtLeast(f64),
    /// At most so many times the peer.
    TimesAtMost(f64),
    /// At most so much more than the peer.
    MoreAtMost(f64),
    /// At most this, whatever the peer has.
    AtMost(f64),
}

impl Row {
    pub fn new(what: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Row { what: what.into(), value, unit, peer: None, goal: None, note: String::new() }
    }

    pub fn beside(mut self, peer: impl Into<String>, value: f64) -> Self {
        self.peer = Some((peer.into(), value));
        self
    }

    pub fn goal(mut self, goal: Goal) -> Self {
        self.goal = Some(goal);
        self
    }

    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    fn times(&self) -> Option<f64> {
        self.peer.as_ref().filter(|(_, peer)| *peer > 0.0).map(|(_, peer)| self.value / peer)
    }

    fn more(&self) -> Option<f64> {
        self.peer.as_ref().map(|(_, peer)| self.value - peer)
    }

    /// `None`: there is no goal.
    fn met(&self) -> Option<bool> {
        Some(match self.goal? {
            Goal::TimesAtLeast(least) => self.times().is_some_and(|times| times >= least),
            Goal::TimesAtMost(most) => self.times().is_some_and(|times| times <= most),
            Goal::MoreAtMost(most) => self.more().is_some_and(|more| more <= most),
            Goal::AtMost(most) => self.value <= most,
        })
    }

    fn goal_text(&self) -> String {
        match self.goal {
            None => String::new(),
            Some(Goal::TimesAtLeast(least)) => format!("≥ {least}×"),
            Some(Goal::TimesAtMost(most)) => format!("≤ {most}×"),
            Some(Goal::MoreAtMost(most)) => format!("≤ +{most} {}", self.unit),
            Some(Goal::AtMost(most)) => format!("≤ {most} {}", self.unit),
        }
    }

    fn cells(&self) -> [String; 6] {
        let peer = self.peer.as_ref().map(|(name, value)| format!("{name} {}", figure(*value)));
        let relation = match self.goal {
            Some(Goal::MoreAtMost(_)) => self.more().map(|more| format!("{more:+.3}")),
            _ => self.times().map(|times| format!("{times:.2}×")),
        };
        let met = self.met().map(|met| if met { "yes" } else { "NO" });
        [
            self.what.clone(),
            format!("{} {}", figure(self.value), self.unit),
            peer.unwrap_or_default(),
            relation.unwrap_or_default(),
            self.goal_text(),
            met.unwrap_or_default().to_owned(),
        ]
    }

    fn json(&self) -> Value {
        json!({
            "what": self.what,
            "value": self.value,
            "unit": self.unit,
            "peer": self.peer.as_ref().map(|(name, value)| json!({ "name": name, "value": value })),
            "ratio": self.times(),
            "difference": self.more(),
            "goal": self.goal.map(|_| self.goal_text()),
            "met": self.met(),
            "note": self.note,
        })
    }
}

/// Three digits that mean something, and no more.
fn figure(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 || value == 0.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// What it was measured on.
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
}

/// The load averages of 1, 5 and 15 minutes.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// All figures of a run.
#[derive(Debug)]
pub struct Report {
    pub machine: Machine,
    extent: Extent,
    sections: Vec<(&'static str, Vec<Row>)>,
    failures: Vec<(&'static str, String)>,
}

impl Report {
    pub fn new(machine: Machine, extent: Extent) -> Self {
        Report { machine, extent, sections: Vec::new(), failures: Vec::new() }
    }

    pub fn add(&mut self, name: &'static str, rows: Vec<Row>) {
        self.sections.push((name, rows));
    }

    pub fn fail(&mut self, name: &'static str, why: String) {
        self.failures.push((name, why));
    }

    pub fn has_failures(&self) -> bool {
        !self.failures.is_empty()
    }

    pub fn json(&self) -> Value {
        let sections: serde_json::Map<_, _> = self
            .sections
            .iter()
            .map(|(name, rows)| ((*name).to_owned(), rows.iter().map(Row::json).collect()))
            .collect();
        let failures: serde_json::Map<_, _> =
            self.failures.iter().map(|(name, why)| ((*name).to_owned(), json!(why))).collect();
        json!({
            "cores": self.machine.cores,
            "kernel": self.machine.kernel,
            "loadBefore": self.machine.load_before,
            "loadAfter": self.machine.load_after,
            "quick": self.extent == Extent::Quick,
            "measurements": sections,
            "failures": failures,
        })
    }

    pub fn table(&self) -> String {
        let titles = ["what", "value", "beside", "relation", "goal", "met"].map(str::to_owned);
        let rows = || self.sections.iter().flat_map(|(_, rows)| rows);
        let cells: Vec<_> = std::iter::once(titles).chain(rows().map(Row::cells)).collect();
        let mut widths = [0; 6];
        for row in &cells {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let mut text = String::new();
        let line = |text: &mut String, row: &[String; 6], note: &str| {
            for (cell, width) in row.iter().zip(widths) {
                let _ = write!(text, "{cell:width$}  ");
            }
            let _ = writeln!(text, "{note}");
        };
        let machine = &self.machine;
        let _ = writeln!(
            text,
            "{} cores, Linux {}, load before {}, after {}{}",
            machine.cores,
            machine.kernel,
            machine.load_before,
            machine.load_after,
            if self.extent == Extent::Quick { "; quick: sizes too small for the goals" } else { "" },
        );
        line(&mut text, &cells[0], "note");
        for (row, cells) in rows().zip(&cells[1..]) {
            line(&mut text, cells, &row.note);
        }
        for (name, why) in &self.failures {
            let _ = writeln!(text, "{name} FAILED: {why}");
        }
        let missed = rows().filter(|row| row.met() == Some(false)).count();
        let _ = writeln!(text, "{missed} of {} goals missed", rows().filter(|row| row.goal.is_some()).count());
        text
    }
}
