//! One scenario's table: a line for each server and way, each with its relation to the floor and to the fastest peer.

use flightdeck_bench::table::{figure, lined_up};
use serde_json::{Map, Value, json};

use crate::server::Kind;

/// Who did it, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    pub kind: Kind,
    /// Empty where there is but one way.
    pub how: &'static str,
}

#[derive(Clone, Debug)]
pub enum Cell {
    Number(f64, &'static str),
    Count(usize),
    Mark(bool),
    Text(String),
}

impl Cell {
    fn text(&self) -> String {
        match self {
            Cell::Number(value, unit) => format!("{} {unit}", figure(*value)).trim_end().to_owned(),
            Cell::Count(count) => count.to_string(),
            Cell::Mark(true) => "yes".to_owned(),
            Cell::Mark(false) => "NO".to_owned(),
            Cell::Text(text) => text.clone(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Number(value, _) => json!(value),
            Cell::Count(count) => json!(count),
            Cell::Mark(mark) => json!(mark),
            Cell::Text(text) => json!(text),
        }
    }
}

/// What a lane came to.
#[derive(Debug)]
pub struct Line {
    lane: Lane,
    /// One for each column, or why there are none.
    cells: Result<Vec<Cell>, String>,
    /// What was wrong, if anything. Such figures don't count: a wrong answer has no speed.
    mistake: Option<String>,
}

impl Line {
    fn is_right(&self) -> bool {
        self.cells.is_ok() && self.mistake.is_none()
    }
}

#[derive(Debug)]
pub struct Comparison {
    title: String,
    /// The first is what is related to floor and peers; it is a number, the less the better.
    columns: &'static [&'static str],
    lines: Vec<Line>,
}

impl Comparison {
    pub fn new(title: impl Into<String>, columns: &'static [&'static str]) -> Self {
        Comparison { title: title.into(), columns, lines: Vec::new() }
    }

    pub fn add(&mut self, lane: Lane, mistake: Option<String>, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.columns.len(), "a cell for each column");
        self.lines.push(Line { lane, cells: Ok(cells), mistake });
    }

    pub fn fail(&mut self, lane: Lane, why: &anyhow::Error) {
        self.lines.push(Line { lane, cells: Err(format!("{why:#}")), mistake: None });
    }

    /// A figure of a lane that did it at all.
    pub fn number(&self, lane: Lane, column: &str) -> Option<f64> {
        self.line(lane).and_then(|line| self.number_in(line, column))
    }

    /// What is wrong with our own lanes.
    pub fn own_failures(&self) -> impl Iterator<Item = String> {
        let own = self.lines.iter().filter(|line| line.lane.kind == Kind::Flightdeck);
        own.filter_map(|line| Some(format!("{}: {}", line.lane.how, line.cells.as_ref().err()?)))
    }

    /// Whether a lane gave right answers only.
    pub fn is_right(&self, lane: Lane) -> bool {
        self.line(lane).is_some_and(Line::is_right)
    }

    /// Like with like if the floor does it that way.
    pub fn floor(&self, how: &str, column: &str) -> Option<f64> {
        let floors = || self.lines.iter().filter(|line| line.lane.kind == Kind::Floor);
        let line = floors().find(|line| line.lane.how == how).or_else(|| floors().next())?;
        self.number_in(line, column)
    }

    /// The best of those peers that were right, whatever their way.
    pub fn fastest_peer(&self, column: &str) -> Option<(&'static str, f64)> {
        let peers = self.lines.iter().filter(|line| line.lane.kind.is_peer() && line.is_right());
        let figures = peers.filter_map(|line| Some((line.lane.kind.name(), self.number_in(line, column)?)));
        figures.min_by(|one, other| one.1.total_cmp(&other.1))
    }

    fn line(&self, lane: Lane) -> Option<&Line> {
        self.lines.iter().find(|line| line.lane == lane)
    }

    fn number_in(&self, line: &Line, column: &str) -> Option<f64> {
        let at = self.columns.iter().position(|name| *name == column)?;
        match line.cells.as_ref().ok()?.get(at)? {
            Cell::Number(value, _) => Some(*value),
            Cell::Count(_) | Cell::Mark(_) | Cell::Text(_) => None,
        }
    }

    /// How often the floor and the fastest peer fit into a line's first figure.
    fn relations(&self, line: &Line) -> [Option<f64>; 2] {
        let Some(first) = self.columns.first() else { return [None; 2] };
        let own = self.number_in(line, first);
        let relation = |other: Option<f64>| Some(own? / other.filter(|other| *other > 0.0)?);
        [relation(self.floor(line.lane.how, first)), relation(self.fastest_peer(first).map(|(_, value)| value))]
    }

    pub fn table(&self) -> String {
        let mut titles = vec!["server".to_owned(), "how".to_owned()];
        titles.extend(self.columns.iter().take(1).map(ToString::to_string));
        titles.extend(["× floor", "× peer"].map(str::to_owned));
        titles.extend(self.columns.iter().skip(1).map(ToString::to_string));
        titles.push(String::new());
        let rows = self.lines.iter().map(|line| {
            let mut row = vec![line.lane.kind.name().to_owned(), line.lane.how.to_owned()];
            match &line.cells {
                Ok(cells) => {
                    row.extend(cells.iter().take(1).map(Cell::text));
                    row.extend(self.relations(line).map(|times| times.map(figure).unwrap_or_default()));
                    row.extend(cells.iter().skip(1).map(Cell::text));
                    row.push(line.mistake.as_ref().map(|what| format!("does not count: {what}")).unwrap_or_default());
                }
                Err(why) => row.push(format!("FAILED: {why}")),
            }
            row
        });
        format!("{}\n{}", self.title, lined_up(&std::iter::once(titles).chain(rows).collect::<Vec<_>>()))
    }

    pub fn json(&self) -> Value {
        let lines = self.lines.iter().map(|line| {
            let mut fields = Map::new();
            fields.insert("server".to_owned(), json!(line.lane.kind.name()));
            fields.insert("how".to_owned(), json!(line.lane.how));
            match &line.cells {
                Ok(cells) => {
                    fields.extend(self.columns.iter().zip(cells).map(|(name, cell)| ((*name).to_owned(), cell.json())));
                    let [floor, peer] = self.relations(line);
                    fields.insert("timesFloor".to_owned(), json!(floor));
                    fields.insert("timesFastestPeer".to_owned(), json!(peer));
                    fields.insert("mistake".to_owned(), json!(line.mistake));
                }
                Err(why) => drop(fields.insert("failed".to_owned(), json!(why))),
            }
            Value::Object(fields)
        });
        json!({ "title": self.title, "lines": lines.collect::<Vec<_>>() })
    }
}
