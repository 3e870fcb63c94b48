//! What scenarios have in common: the ways of all servers, and commands whose answer is known.

use std::time::{Duration, Instant};

use flightdeck_bench::report::{Goal, Row};

use crate::comparison::{Comparison, Lane};
use crate::server::{Answer, Exit, Kind, Place, Server, Terminal, Way};

/// Longer than anything but a flood takes.
pub const PATIENCE: Duration = Duration::from_secs(30);
/// How many characters tell what was wrong.
const MISTAKE: usize = 100;

/// Every way of every server, each with the shell that it would use.
pub fn lanes(kinds: &[Kind]) -> Vec<(Lane, Way)> {
    let all = lanes_in_each_shell(kinds);
    all.into_iter().filter(|(lane, way)| *way != Way::FreshSh || lane.kind.is_peer()).collect()
}

/// The same, and ours and the floor's in the shell of those peers that have no choice.
pub fn lanes_in_each_shell(kinds: &[Kind]) -> Vec<(Lane, Way)> {
    let ways = |kind: &Kind| {
        let kind = *kind;
        kind.adapter().ways().iter().map(move |way| (Lane { kind, how: way.name() }, *way))
    };
    kinds.iter().flat_map(ways).collect()
}

/// Our own ways.
pub fn own_lanes() -> impl Iterator<Item = Lane> {
    [Way::Live, Way::Fresh].into_iter().map(own_lane)
}

/// One of our own ways.
pub fn own_lane(way: Way) -> Lane {
    Lane { kind: Kind::Flightdeck, how: way.name() }
}

/// Where commands of a lane run.
#[derive(Debug)]
pub struct Spot(Option<Terminal>);

impl Spot {
    pub fn new(server: &Server, way: Way) -> anyhow::Result<Self> {
        Ok(Spot(match way {
            Way::Live => Some(server.open()?),
            Way::Fresh | Way::FreshSh => None,
        }))
    }

    pub fn place(&self) -> Place<'_> {
        self.0.as_ref().map_or(Place::Fresh, Place::Live)
    }
}

/// A short command, each time another, so that nobody passes with the answer to the one before.
#[derive(Clone, Copy, Debug)]
pub struct Echo(pub usize);

impl Echo {
    /// How long it took, and what was wrong with the answer.
    pub fn run(self, server: &Server, spot: &Spot) -> anyhow::Result<(Duration, Option<String>)> {
        let command = format!("echo hi {}", self.0);
        let began = Instant::now();
        let answer = server.run(spot.place(), &command, PATIENCE)?;
        Ok((began.elapsed(), self.mistake(&answer)))
    }

    pub fn mistake(self, answer: &Answer) -> Option<String> {
        let expected = format!("hi {}", self.0);
        let is_right = answer.exit == Exit::Code(0) && answer.output.trim() == expected;
        let said = || format!("{:?} for {expected:?}, {:?}", answer.output.trim(), answer.exit);
        (!is_right).then(|| said().chars().take(MISTAKE).collect())
    }
}

/// What is to be known of the floor when it is beside us.
pub fn floor_note(lane: Lane) -> &'static str {
    if lane.how == Way::Live.name() { "the floor's shell is on a terminal" } else { "the floor's process is on pipes" }
}

/// That nothing of ours may be wrong.
pub fn right_goal(comparison: &Comparison, name: &str, lane: Lane) -> Row {
    let wrong = if comparison.is_right(lane) { 0.0 } else { 1.0 };
    Row::new(format!("{name}, {}: something wrong", lane.how), wrong, "").goal(Goal::AtMost(0.0))
}
