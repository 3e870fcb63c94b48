//! What agents have opened and marked in an external IDE, so that it goes when they do.
//!
//! The IDE is a person's, and so is whatever else is in it. A pane goes only if it was made for the agent, holds nothing
//! but what agents have opened in it, and nothing that is pinned or not saved, all by the word of the IDE. One that does
//! not tell its state keeps everything but marks.

use std::collections::BTreeSet;

use flightdeck_contract::openspace::{PaneState, PaneSummary};
use serde_json::{Value, json};

/// How many are remembered. Beyond that the oldest stay in the IDE.
const MOST: usize = 1000;

/// What is left behind in one IDE.
#[derive(Debug, Default)]
pub(super) struct Leavings(Vec<Leaving>);

#[derive(Debug)]
struct Leaving {
    agent: String,
    what: What,
}

#[derive(Debug, PartialEq, Eq)]
enum What {
    /// Something was opened in a pane, which was new or not.
    Opened {
        pane: String,
        content: String,
        new: bool,
    },
    Marked(String),
}

/// The panes that an IDE had told of before a command. `None`: it had told nothing.
pub(super) type Before = Option<BTreeSet<String>>;

/// See [`Before`].
pub(super) fn before(told: Option<&PaneState>) -> Before {
    told.map(|told| told.panes.iter().map(|pane| pane.id.clone()).collect())
}

impl Leavings {
    /// Notes what a command has done for an agent.
    pub(super) fn note(&mut self, agent: &str, command: &str, args: &Value, result: &Value, before: &Before) {
        let word = |value: &Value, field: &str| value.get(field).and_then(Value::as_str).map(str::to_owned);
        let is_new = |pane: &String| before.as_ref().is_some_and(|before| !before.contains(pane));
        let what = match command {
            "openspace.pane.open" => word(result, "paneId")
                .zip(word(args, "contentId"))
                .map(|(pane, content)| What::Opened { new: is_new(&pane), pane, content }),
            "openspace.editor.highlight" => word(result, "highlightId").map(What::Marked),
            "openspace.pane.close" => return self.forget_pane(word(args, "paneId").as_ref()),
            "openspace.editor.clear_highlight" => return self.forget_mark(word(args, "highlightId").as_ref()),
            _ => None,
        };
        let Some(what) = what else { return };
        self.0.retain(|known| known.agent != agent || known.what != what);
        self.0.push(Leaving { agent: agent.to_owned(), what });
        if self.0.len() > MOST {
            self.0.remove(0);
        }
    }

    fn forget_pane(&mut self, closed: Option<&String>) {
        self.0.retain(|known| !matches!(&known.what, What::Opened { pane, .. } if Some(pane) == closed));
    }

    fn forget_mark(&mut self, cleared: Option<&String>) {
        self.0.retain(|known| !matches!(&known.what, What::Marked(mark) if Some(mark) == cleared));
    }

    /// The commands that clear up after an agent that has left, and forgets its part.
    pub(super) fn take(&mut self, agent: &str, told: Option<&PaneState>) -> Vec<(&'static str, Value)> {
        let mut commands = Vec::new();
        for known in self.0.iter().filter(|known| known.agent == agent) {
            match &known.what {
                What::Marked(mark) => {
                    commands.push(("openspace.editor.clear_highlight", json!({ "highlightId": mark })));
                }
                What::Opened { pane, new: true, .. } if told.is_some_and(|told| self.may_close(pane, told)) => {
                    let close = ("openspace.pane.close", json!({ "paneId": pane }));
                    if !commands.contains(&close) {
                        commands.push(close);
                    }
                }
                What::Opened { .. } => {}
            }
        }
        self.0.retain(|known| known.agent != agent);
        commands
    }

    fn may_close(&self, id: &str, told: &PaneState) -> bool {
        let opened: Vec<&str> = self
            .0
            .iter()
            .filter_map(|known| match &known.what {
                What::Opened { pane, content, .. } if pane == id => Some(content.as_str()),
                _ => None,
            })
            .collect();
        // An IDE may tell more of a path than we did.
        let is_opened = |shown: &str| opened.iter().any(|path| shown == *path || shown.ends_with(&format!("/{path}")));
        let idle = |pane: &PaneSummary| !pane.pinned && !pane.tabs.iter().any(|tab| tab.is_dirty);
        told.panes
            .iter()
            .any(|pane| pane.id == id && idle(pane) && pane.tabs.iter().all(|tab| is_opened(&tab.content_id)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: &str = "openspace.pane.open";
    const MARK: &str = "openspace.editor.highlight";

    fn told(panes: &[(&str, usize, bool, bool)]) -> PaneState {
        let panes = panes.iter().map(|(id, tabs, pinned, dirty)| {
            let tab =
                |path: &&str| json!({ "id": "w", "contentId": path, "type": "editor", "title": "a", "isDirty": dirty });
            let geometry = json!({ "x": 0, "y": 0, "width": 100, "height": 100 });
            let tabs: Vec<Value> = ["file:///w/a", "theirs"][..*tabs].iter().map(tab).collect();
            json!({ "id": id, "area": "main", "title": "a", "geometry": geometry, "tabs": tabs, "pinned": pinned })
        });
        serde_json::from_value(json!({ "panes": panes.collect::<Vec<_>>() })).unwrap()
    }

    fn opened(leavings: &mut Leavings, agent: &str, pane: &str, before: &PaneState) {
        // Twice: one tab all the same.
        for _ in 0..2 {
            let (args, result) = (json!({ "contentId": "a" }), json!({ "paneId": pane }));
            leavings.note(agent, OPEN, &args, &result, &super::before(Some(before)));
        }
    }

    fn taken(leavings: &mut Leavings, told: &PaneState) -> Vec<String> {
        let words = |(command, args): (&str, Value)| format!("{} {args}", command.rsplit('.').next().unwrap());
        leavings.take("agent", Some(told)).into_iter().map(words).collect()
    }

    /// A pane `new` that an agent has opened as it stands when the agent leaves.
    #[test]
    fn only_what_was_made_for_the_agent_goes() {
        let close = vec![r#"close {"paneId":"new"}"#.to_owned()];
        for (what, now, expected) in [
            ("as it was opened", told(&[("new", 1, false, false)]), close),
            ("with a tab of the person", told(&[("new", 2, false, false)]), vec![]),
            ("pinned", told(&[("new", 1, true, false)]), vec![]),
            ("not saved", told(&[("new", 1, false, true)]), vec![]),
            ("closed by the person", told(&[("old", 1, false, false)]), vec![]),
        ] {
            let mut leavings = Leavings::default();
            opened(&mut leavings, "agent", "new", &told(&[("old", 1, false, false)]));
            assert_eq!(taken(&mut leavings, &now), expected, "{what}");
            assert_eq!(taken(&mut leavings, &now), Vec::<String>::new(), "{what}: once");
        }
    }

    #[test]
    fn panes_that_were_there_and_those_of_others_stay() {
        let mut leavings = Leavings::default();
        let now = told(&[("old", 1, false, false), ("theirs", 1, false, false)]);
        opened(&mut leavings, "agent", "old", &now);
        opened(&mut leavings, "other", "theirs", &told(&[]));
        leavings.note("agent", OPEN, &json!({}), &json!({ "paneId": "theirs" }), &None);
        assert_eq!(taken(&mut leavings, &now), Vec::<String>::new());
    }

    #[test]
    fn marks_go_unless_they_were_cleared() {
        let mut leavings = Leavings::default();
        for mark in ["a", "b", "a"] {
            leavings.note("agent", MARK, &json!({}), &json!({ "highlightId": mark }), &None);
        }
        leavings.note("other", "openspace.editor.clear_highlight", &json!({ "highlightId": "b" }), &json!({}), &None);
        assert_eq!(taken(&mut leavings, &told(&[])), [r#"clear_highlight {"highlightId":"a"}"#]);
    }
}
