//! Random operations of several actors: the layout stays valid, front ends stay right, and what is stored comes back.

use flightdeck_contract::terminal::ViewerId;
use flightdeck_contract::workbench::{
    Area, BufferVersion, Color, EditorView, HighlightId, Leader, Percent, Position, Range, Selection, SetView,
    SplitDirection,
};
use flightdeck_contract::{PaneId, PaneTabId, TerminalId};
use proptest::prelude::*;

use super::restore::moved_back;
use super::{agent, anna, change, invariants, other_agent};
use crate::{
    Actor, Content, Destination, Done, Edit, Expected, MoveTab, Open, OpenEditor, Pin, Resize, Resolution,
    SetHighlight, Side, Since, Unsaved, Workbench, WorkbenchError, Written, apply,
};

/// A random operation: which one, by whom, and numbers that it takes what it needs from.
#[derive(Clone, Copy, Debug)]
struct Dice {
    kind: u8,
    actor: u8,
    numbers: [u16; 4],
}

fn dice() -> impl Strategy<Value = Dice> {
    (0..24u8, 0..3u8, any::<[u16; 4]>()).prop_map(|(kind, actor, numbers)| Dice { kind, actor, numbers })
}

/// Texts with everything that makes positions hard: wide characters, surrogate pairs, empty lines, no line at the end.
pub(super) const TEXTS: [&str; 6] =
    ["", "a\nb\nc\n", "one\r\ntwo\r\n", "😀😀\n\nüñ\n", "x\ny\nz", "fn main() {\n    work();\n}\n"];

impl Dice {
    fn actor(self) -> Actor {
        [anna(), agent(), other_agent()][self.actor as usize].clone()
    }

    fn number(self, index: usize, below: usize) -> usize {
        self.numbers[index] as usize % below.max(1)
    }

    fn path(self) -> String {
        format!("src/f{}.rs", self.number(0, 5))
    }

    fn pane(self, workbench: &Workbench) -> PaneId {
        let all: Vec<PaneId> = workbench.panes.keys().copied().collect();
        *all.get(self.number(1, all.len() + 1)).unwrap_or(&PaneId::new(999))
    }

    fn tab(self, workbench: &Workbench) -> PaneTabId {
        let all: Vec<PaneTabId> = workbench.tabs().map(|(_, tab)| tab.id).collect();
        *all.get(self.number(2, all.len() + 1)).unwrap_or(&PaneTabId::new(999))
    }

    fn split(self) -> Option<SplitDirection> {
        [None, Some(SplitDirection::Horizontal), Some(SplitDirection::Vertical)][self.number(3, 3)]
    }

    fn open(self) -> Open {
        let area = [None, None, Some(Area::Main), Some(Area::Right), Some(Area::Bottom)][self.number(2, 5)];
        let content = match self.number(1, 4) {
            0 => Content::Terminal(TerminalId::new(1 + self.number(0, 3) as u32)),
            _ => Content::Editor(self.path()),
        };
        Open { content, title: None, split: self.split(), area }
    }

    fn range(self) -> Range {
        let [start, more, left, right] = [0, 1, 2, 3].map(|i| self.number(i, 4) as u32);
        let column = |number: u32| (number > 0).then_some(number);
        Range {
            start_line: start + 1,
            end_line: start + 1 + more,
            start_column: column(left),
            end_column: column(right + left),
        }
    }

    fn edit(self, workbench: &Workbench) -> Edit {
        let path = self.path();
        let length = workbench.text(&path).map_or(3, |now| now.text.encode_utf16().count() + 1);
        let (from, to) = (self.number(1, length), self.number(2, length));
        let insert = ["", "x", "\n", "😀", "two\nlines"][self.number(3, 5)];
        let version = workbench.document(&path).map_or(1, |document| document.version.0);
        let base = BufferVersion(version.saturating_sub(self.number(3, 3) as u64));
        let changes = vec![change(from.min(to), from.max(to), insert)];
        Edit { path, base, changes, client: format!("c{}", self.actor), client_seq: version + self.number(3, 2) as u64 }
    }

    fn resize(self, workbench: &Workbench) -> Resize {
        let size = |index| {
            let hundredths = u32::from(self.numbers[index]) % 10_001;
            (self.number(index, 3) > 0).then(|| Percent::from_hundredths(hundredths))
        };
        Resize { pane: self.pane(workbench), width: size(2), height: size(3) }
    }

    fn move_tab(self, workbench: &Workbench) -> MoveTab {
        let pane = self.pane(workbench);
        let into = Destination::Into { pane, index: self.number(0, 4) };
        let side = [Side::Before, Side::Behind][self.number(1, 2)];
        let to = self.split().map_or(into, |split| Destination::Beside { pane, split, side });
        MoveTab { tab: self.tab(workbench), to }
    }

    /// The front end of a person, if there is one.
    fn viewer(self, workbench: &Workbench) -> ViewerId {
        let all: Vec<ViewerId> = workbench.viewers.all.keys().copied().collect();
        *all.get(self.number(3, all.len() + 1)).unwrap_or(&ViewerId(999))
    }

    fn view(self, workbench: &Workbench) -> SetView {
        let editors = workbench.editor_infos(|_| true);
        let editor = editors.get(self.number(0, editors.len())).map(|editor| editor.id);
        let place = |index| Position { line: self.number(index, 6) as u32, column: self.number(index, 7) as u32 };
        let view = EditorView {
            editor_id: editor.unwrap_or(flightdeck_contract::EditorId::new(999)),
            cursor: place(1),
            selection: (self.number(3, 2) == 1).then(|| Selection { anchor: place(2), head: place(1) }),
            first_line: self.number(2, 5) as u32,
        };
        SetView {
            viewer: self.viewer(workbench),
            focus: (self.number(0, 3) == 1).then(|| self.tab(workbench)),
            editor: (self.number(1, 4) > 0).then_some(view),
            window: None,
            follow: (self.number(2, 3) == 1).then(|| Leader::Viewer { id: self.viewer(workbench) }),
        }
    }

    fn play(self, workbench: &mut Workbench) -> Result<Done<()>, WorkbenchError> {
        let (actor, path, text) = (&self.actor(), self.path(), TEXTS[self.number(1, TEXTS.len())]);
        let unsaved = [Unsaved::Keep, Unsaved::Keep, Unsaved::Discard][self.number(3, 3)];
        let disk = format!("v{}", self.number(2, 4));
        match self.kind {
            0 | 1 => workbench.open(actor, self.open()).map(quiet),
            2 => {
                let (line, column) = (Some(self.number(1, 5) as u32), None);
                let request = OpenEditor { path, line, column, highlight: self.number(2, 2) == 1 };
                workbench.open_editor(actor, &request).map(quiet)
            }
            3 => workbench.close_pane(actor, self.pane(workbench), unsaved),
            4 => workbench.close_tab(actor, self.tab(workbench), unsaved),
            5 => workbench.close_editor(actor, &path, unsaved),
            6 => workbench.focus_tab(actor, self.tab(workbench)),
            7 => workbench.resize(actor, self.resize(workbench)),
            8 => workbench.move_tab(actor, self.move_tab(workbench)).map(quiet),
            9 => workbench.pin(actor, self.pane(workbench), [Pin::Pinned, Pin::Unpinned][self.number(3, 2)]),
            10 => workbench.scroll_to(&path, self.number(1, 9) as u32),
            11 => workbench.set_view(actor, self.view(workbench)),
            12 => workbench.load(&path, text, &disk),
            13 | 14 => workbench.edit(actor, &self.edit(workbench)).map(quiet),
            15 => workbench.disk_changed(&path, text, &disk),
            16 => workbench.disk_gone(&path),
            17 => {
                let version = workbench.document(&path).map_or(BufferVersion(1), |document| document.version);
                workbench.saved(&path, BufferVersion(version.0 + self.number(1, 2) as u64), &disk, None)
            }
            18 => {
                let resolution = [Resolution::KeepMine, Resolution::TakeTheirs][self.number(1, 2)];
                workbench.resolve(actor, &path, resolution)
            }
            19 => {
                let to = workbench.may_write(&path, &Expected::Any)?;
                workbench.written(actor, Written { path: &path, text, disk: &disk, to: &to })
            }
            20 => {
                let id: HighlightId = format!("h{}", self.number(2, 4)).parse().unwrap();
                match self.number(1, 4) {
                    0 => workbench.clear_highlight(actor, &id),
                    1 => workbench.clear_highlights_of(actor, &path),
                    _ => {
                        let id = (self.number(3, 3) > 0).then_some(id);
                        let request = SetHighlight { path, ranges: vec![self.range()], id, color: Color::Green };
                        workbench.highlight(actor, request).map(quiet)
                    }
                }
            }
            22 => workbench.arrive(&anna()).map(quiet),
            23 => Ok(workbench.depart(self.viewer(workbench))),
            _ => match self.number(1, 3) {
                0 => workbench.terminal_gone(TerminalId::new(1 + self.number(0, 3) as u32)),
                _ => workbench.leave(actor),
            },
        }
    }
}

fn quiet<T>(done: Done<T>) -> Done<()> {
    Done { value: (), changes: done.changes }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn front_ends_and_the_store_follow_every_operation(rolls in prop::collection::vec(dice(), 1..60)) {
        let mut workbench = Workbench::new(7);
        let mut front_end = workbench.snapshot();
        for roll in rolls {
            let open = (workbench.open_paths(), workbench.open_paths_version());
            let before = (workbench.looked_at(7), workbench.stored(), front_end.seq, open.0, open.1);
            match roll.play(&mut workbench) {
                Ok(done) => {
                    for numbered in &done.changes {
                        prop_assert!(apply(&mut front_end, numbered), "a number is missing: {numbered:?}");
                    }
                    let moved = workbench.open_paths() != before.3;
                    prop_assert_eq!(workbench.open_paths_version(), before.4 + u64::from(moved));
                    let missed = Since::Changes(done.changes);
                    prop_assert_eq!(workbench.since(7, before.2), missed);
                }
                Err(error) => {
                    prop_assert_eq!(&(workbench.looked_at(7), workbench.stored()), &(before.0, before.1), "{}", error);
                }
            }
            invariants::check(&workbench);
            let state = flightdeck_contract::workbench::Snapshot { seq: front_end.seq, ..workbench.looked_at(7) };
            prop_assert_eq!(&front_end, &state, "after {:?}", roll);
            prop_assert_eq!(&workbench.snapshot(), &state);

            let stored = workbench.stored();
            let read = serde_json::from_str(&serde_json::to_string(&stored).unwrap()).unwrap();
            let restored = Workbench::restore(read, 8);
            prop_assert_eq!(restored.dropped, Vec::<String>::new());
            prop_assert_eq!(moved_back(&restored.workbench.stored()), serde_json::to_value(&stored).unwrap());
            invariants::check(&restored.workbench);
        }
    }
}
