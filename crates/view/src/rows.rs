//! Rows of a list, and the few steps that lead from the rows that are shown to those that there are now: whoever looks at
//! the list keeps their place in it.

use serde::Serialize;

/// One row: what tells it from the others, and what it says, as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub key: String,
    pub json: String,
}

impl Row {
    #[expect(clippy::needless_pass_by_value, reason = "keys are numbers and texts alike")]
    pub fn new(key: impl ToString, what: &impl Serialize) -> Self {
        // What is written here has text for keys, and nothing else fails.
        Row { key: key.to_string(), json: serde_json::to_string(what).unwrap_or_default() }
    }
}

/// One change of a list. Each is about the list as the steps before have left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Remove(usize),
    Insert(usize, Row),
    Change(usize, Row),
}

/// The steps from one list to another. Rows that moved are taken out and put in again.
pub fn steps(before: &[Row], after: &[Row]) -> Vec<Step> {
    let mut now: Vec<&Row> = before.iter().collect();
    let mut steps = Vec::new();
    for at in (0..now.len()).rev() {
        if !after.iter().any(|row| row.key == now[at].key) {
            now.remove(at);
            steps.push(Step::Remove(at));
        }
    }
    for (at, row) in after.iter().enumerate() {
        if now.get(at).is_some_and(|shown| shown.key == row.key) {
            if now[at].json != row.json {
                steps.push(Step::Change(at, row.clone()));
            }
            continue;
        }
        if let Some(from) = now.iter().position(|shown| shown.key == row.key) {
            now.remove(from);
            steps.push(Step::Remove(from));
        }
        now.insert(at, row);
        steps.push(Step::Insert(at, row.clone()));
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Row> {
        text.split_whitespace().map(|word| Row { key: word[..1].to_owned(), json: word.to_owned() }).collect()
    }

    fn done(before: &str, after: &str) -> (Vec<Row>, usize) {
        let mut list = rows(before);
        let steps = steps(&list, &rows(after));
        let count = steps.len();
        for step in steps {
            match step {
                Step::Remove(at) => drop(list.remove(at)),
                Step::Insert(at, row) => list.insert(at, row),
                Step::Change(at, row) => list[at] = row,
            }
        }
        (list, count)
    }

    #[test]
    fn the_steps_lead_there_and_are_few() {
        let cases = [
            ("", "", 0),
            ("", "a b", 2),
            ("a b c", "a b c", 0),
            ("a b c", "a b2 c", 1),
            ("a b c", "b c", 1),
            ("a b c", "a x b c", 1),
            ("a b c d", "d a b c", 2),
            ("a b c", "c b a", 4),
            ("a b c", "x y", 5),
        ];
        for (before, after, count) in cases {
            assert_eq!(done(before, after), (rows(after), count), "{before} -> {after}");
        }
    }
}
