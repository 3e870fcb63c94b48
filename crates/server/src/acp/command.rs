//! The command of a tool call, which agents tell of in several forms.

use serde_json::Value;

/// Where agents name the command of a tool call.
pub(super) const COMMAND_FIELDS: [&str; 2] = ["command", "cmd"];

/// How much of a command is kept, and shown to whoever approves it.
const MAX_COMMAND_BYTES: usize = 256 * 1024;

/// The command that would run, as one line: a line, or a program with its arguments.
pub(super) fn line_of(input: &Value) -> Option<String> {
    let command = COMMAND_FIELDS.iter().find_map(|name| input.get(*name))?;
    match command {
        Value::String(line) => Some(line.clone()),
        Value::Array(words) => {
            let words: Option<Vec<_>> = words.iter().map(Value::as_str).collect();
            Some(words?.into_iter().map(quoted).collect::<Vec<_>>().join(" "))
        }
        _ => None,
    }
}

/// The beginning of a command, with how much more there is of it. `None` for what is no command.
pub(super) fn limit(command: &Value) -> Option<Value> {
    match command {
        Value::String(line) => Some(Value::from(limit_words([line.as_str()]).concat())),
        Value::Array(words) => {
            let words: Option<Vec<_>> = words.iter().map(Value::as_str).collect();
            Some(Value::from(limit_words(words?)))
        }
        _ => None,
    }
}

fn limit_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let (mut kept, mut room, mut more): (Vec<String>, _, _) = (Vec::new(), MAX_COMMAND_BYTES, 0);
    for word in words {
        // An empty word takes room as well: there may be millions of them.
        if more > 0 || room == 0 {
            more += word.len() + 1;
            continue;
        }
        let end = word.floor_char_boundary(room);
        kept.push(word[..end].to_owned());
        more = word.len() - end;
        room = room.saturating_sub(end + 1);
    }
    if more > 0 {
        let cut = kept.pop().unwrap_or_default();
        kept.push(format!("{cut}… ({more} more bytes)"));
    }
    kept
}

/// A word of a command, so that it can't be taken for several.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_command_is_whole_up_to_its_limit_and_a_cut_is_said() {
        let line = |length: usize| "x".repeat(length);
        for (command, expected) in [
            (json!(line(MAX_COMMAND_BYTES)), json!(line(MAX_COMMAND_BYTES))),
            (json!(line(MAX_COMMAND_BYTES + 7)), json!(format!("{}… (7 more bytes)", line(MAX_COMMAND_BYTES)))),
            (
                json!(format!("{}日b", line(MAX_COMMAND_BYTES - 1))),
                json!(format!("{}… (4 more bytes)", line(MAX_COMMAND_BYTES - 1))),
            ),
            (json!(["sh", "-c", "rm -r x"]), json!(["sh", "-c", "rm -r x"])),
            (
                json!(["sh", line(MAX_COMMAND_BYTES), "more"]),
                json!(["sh", format!("{}… (8 more bytes)", line(MAX_COMMAND_BYTES - 3))]),
            ),
        ] {
            assert_eq!(limit(&command), Some(expected));
        }
        assert_eq!(limit(&json!(3)), None);
        assert_eq!(limit(&json!(["ls", 3])), None);
        let many = limit(&json!(vec![""; 2 * MAX_COMMAND_BYTES])).unwrap();
        assert!(many.as_array().unwrap().len() <= MAX_COMMAND_BYTES, "empty words are counted");
    }
}
