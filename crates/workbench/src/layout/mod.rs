//! Where the panes are: three areas, each with a tree of splits. All sizes are whole hundredths of a percent, so that
//! the panes tile the workbench exactly.

mod resize;
mod share;
mod tree;

use std::collections::BTreeMap;

use flightdeck_contract::PaneId;
use flightdeck_contract::workbench::{Area, AreaLayout, Direction, Geometry, LayoutNode, Percent};
use serde::{Deserialize, Serialize};

pub(crate) use tree::{normal, panes};

use crate::error::WorkbenchError;
use crate::limits::SMALLEST_SIDE;

/// 100 percent.
pub(crate) const WHOLE: u32 = 10_000;
/// The least share of an area that stands beside another.
pub(crate) const LEAST_AREA: u32 = 1000;
/// The room that the right and the bottom area get at first.
const FIRST_SHARE: u32 = 3000;

/// A rectangle in hundredths of a percent of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Rect {
    pub(crate) const ALL: Rect = Rect { x: 0, y: 0, width: WHOLE, height: WHOLE };

    /// The part from one share to another. Both edges are rounded alike for neighbours, so there is no gap.
    fn part(self, along: Direction, from: u32, to: u32) -> Rect {
        let at = |length: u32, share: u32| {
            ((u64::from(length) * u64::from(share) + u64::from(WHOLE) / 2) / u64::from(WHOLE)) as u32
        };
        match along {
            Direction::Row => {
                let (from, to) = (at(self.width, from), at(self.width, to));
                Rect { x: self.x + from, width: to - from, ..self }
            }
            Direction::Column => {
                let (from, to) = (at(self.height, from), at(self.height, to));
                Rect { y: self.y + from, height: to - from, ..self }
            }
        }
    }

    /// Its length in a direction.
    pub(crate) fn length(self, along: Direction) -> u32 {
        match along {
            Direction::Row => self.width,
            Direction::Column => self.height,
        }
    }

    pub(crate) fn geometry(self) -> Geometry {
        let percent = Percent::from_hundredths;
        Geometry { x: percent(self.x), y: percent(self.y), width: percent(self.width), height: percent(self.height) }
    }
}

/// The areas and their trees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Layout {
    /// Only areas that hold something.
    pub(crate) trees: BTreeMap<Area, LayoutNode>,
    /// The width of the right area when main is there too.
    pub(crate) right: u32,
    /// The height of the bottom area when something is above it.
    pub(crate) bottom: u32,
    /// The pane of each area that had the focus last.
    pub(crate) last: BTreeMap<Area, PaneId>,
    /// The pane that has the focus.
    pub(crate) active: Option<PaneId>,
}

impl Default for Layout {
    fn default() -> Self {
        Layout { trees: BTreeMap::new(), right: FIRST_SHARE, bottom: FIRST_SHARE, last: BTreeMap::new(), active: None }
    }
}

impl Layout {
    /// The room of an area.
    pub(crate) fn room(&self, area: Area) -> Rect {
        let has = |area: Area| self.trees.contains_key(&area);
        let above = has(Area::Main) || has(Area::Right);
        let bottom = if has(Area::Bottom) && above { self.bottom } else { 0 };
        let upper = Rect::ALL.part(Direction::Column, 0, WHOLE - bottom);
        let right = if has(Area::Right) && has(Area::Main) { self.right } else { 0 };
        match area {
            Area::Main => upper.part(Direction::Row, 0, WHOLE - right),
            Area::Right if has(Area::Main) => upper.part(Direction::Row, WHOLE - right, WHOLE),
            Area::Right => upper,
            Area::Bottom if above => Rect::ALL.part(Direction::Column, WHOLE - bottom, WHOLE),
            Area::Bottom => Rect::ALL,
        }
    }

    /// Every pane with its area and its room.
    pub(crate) fn places(&self) -> BTreeMap<PaneId, (Area, Rect)> {
        let mut places = BTreeMap::new();
        for (area, root) in &self.trees {
            tree::place(root, self.room(*area), &mut |id, rect| {
                places.insert(id, (*area, rect));
            });
        }
        places
    }

    /// The areas as front ends see them.
    pub(crate) fn areas(&self) -> Vec<AreaLayout> {
        let area = |(area, root): (&Area, &LayoutNode)| AreaLayout {
            area: *area,
            geometry: self.room(*area).geometry(),
            root: root.clone(),
        };
        self.trees.iter().map(area).collect()
    }

    /// The pane of an area that new things go to.
    pub(crate) fn target(&self, area: Area) -> Option<PaneId> {
        let root = self.trees.get(&area)?;
        let all = panes(root);
        self.last.get(&area).copied().filter(|id| all.contains(id)).or_else(|| all.first().copied())
    }

    /// Whether a pane can be split in this direction.
    pub(crate) fn check_split(&self, pane: PaneId, along: Direction) -> Result<(), WorkbenchError> {
        let (_, rect) = *self.places().get(&pane).ok_or(WorkbenchError::PaneNotFound(pane))?;
        let side = rect.length(along);
        if side / 2 < SMALLEST_SIDE {
            return Err(WorkbenchError::NoRoom { pane, side: Percent::from_hundredths(side) });
        }
        Ok(())
    }

    /// Puts a pane into an area: beside another one, or alone when the area is empty.
    pub(crate) fn add(&mut self, area: Area, new: PaneId, beside: Option<(PaneId, Direction)>) {
        match (self.trees.get_mut(&area), beside) {
            (Some(root), Some((pane, along))) => tree::split(root, pane, new, along),
            _ => {
                self.trees.insert(area, LayoutNode::Pane { id: new });
            }
        }
    }

    /// Lets two panes of one area change places.
    pub(crate) fn swap(&mut self, one: PaneId, other: PaneId) {
        for root in self.trees.values_mut() {
            tree::swap(root, one, other);
        }
    }

    /// Takes a pane out; its neighbour gets the room, and the focus when the pane had it.
    pub(crate) fn remove(&mut self, pane: PaneId) {
        let Some((&area, root)) = self.trees.iter().find(|(_, root)| panes(root).contains(&pane)) else { return };
        let order = panes(root);
        let at = order.iter().position(|id| *id == pane).unwrap_or_default();
        let heir = order.get(at.wrapping_sub(1)).or_else(|| order.get(at + 1)).copied();
        match tree::without(root.clone(), pane) {
            Some(rest) => self.trees.insert(area, rest),
            None => self.trees.remove(&area),
        };
        if self.last.get(&area) == Some(&pane) {
            match heir {
                Some(heir) => self.last.insert(area, heir),
                None => self.last.remove(&area),
            };
        }
        if self.active == Some(pane) {
            let elsewhere = || self.trees.keys().find_map(|area| self.target(*area));
            match heir.or_else(elsewhere) {
                Some(next) => self.focus(next),
                None => self.active = None,
            }
        }
    }

    /// Gives a pane the focus.
    pub(crate) fn focus(&mut self, pane: PaneId) {
        self.active = Some(pane);
        self.note_last(pane);
    }

    fn note_last(&mut self, pane: PaneId) {
        let area = self.trees.iter().find(|(_, root)| panes(root).contains(&pane)).map(|(area, _)| *area);
        if let Some(area) = area {
            self.last.insert(area, pane);
        }
    }
}
