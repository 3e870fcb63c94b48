//! The figures as a table or as JSON: each with its peer, the goal, and whether it is met.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::Extent;
use crate::machine::Machine;
use crate::table::{figure, lined_up};

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

    #[must_use]
    pub fn beside(mut self, peer: impl Into<String>, value: f64) -> Self {
        self.peer = Some((peer.into(), value));
        self
    }

    #[must_use]
    pub fn goal(mut self, goal: Goal) -> Self {
        self.goal = Some(goal);
        self
    }

    #[must_use]
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

    fn cells(&self) -> Vec<String> {
        let peer = self.peer.as_ref().map(|(name, value)| format!("{name} {}", figure(*value)));
        let relation = match self.goal {
            Some(Goal::MoreAtMost(_)) => self.more().map(|more| format!("{more:+.3}")),
            _ => self.times().map(|times| format!("{times:.2}×")),
        };
        let met = self.met().map(|met| if met { "yes" } else { "NO" });
        vec![
            self.what.clone(),
            format!("{} {}", figure(self.value), self.unit),
            peer.unwrap_or_default(),
            relation.unwrap_or_default(),
            self.goal_text(),
            met.unwrap_or_default().to_owned(),
            self.note.clone(),
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
        let section = |(name, rows): &(&'static str, Vec<Row>)| ((*name).to_owned(), json(rows));
        let mut report = self.machine.json(self.extent);
        report.insert("measurements".to_owned(), self.sections.iter().map(section).collect::<Map<_, _>>().into());
        let failures = self.failures.iter().map(|(name, why)| ((*name).to_owned(), json!(why)));
        report.insert("failures".to_owned(), failures.collect::<Map<_, _>>().into());
        report.into()
    }

    pub fn table(&self) -> String {
        let mut text = self.machine.line(self.extent);
        text.push_str(&table(self.sections.iter().flat_map(|(_, rows)| rows)));
        for (name, why) in &self.failures {
            let _ = writeln!(text, "{name} FAILED: {why}");
        }
        text.push_str(&score(self.sections.iter().flat_map(|(_, rows)| rows)));
        text
    }
}

/// Rows in JSON.
pub fn json(rows: &[Row]) -> Value {
    rows.iter().map(Row::json).collect()
}

/// Rows under their titles.
pub fn table<'a>(rows: impl Iterator<Item = &'a Row>) -> String {
    let titles = ["what", "value", "beside", "relation", "goal", "met", "note"].map(str::to_owned).to_vec();
    lined_up(&std::iter::once(titles).chain(rows.map(Row::cells)).collect::<Vec<_>>())
}

/// How many goals are met.
pub fn score<'a>(rows: impl Iterator<Item = &'a Row>) -> String {
    let met: Vec<_> = rows.filter_map(Row::met).collect();
    format!("{} of {} goals missed\n", met.iter().filter(|met| !**met).count(), met.len())
}
