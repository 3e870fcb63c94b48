//! Programs that start themselves without end.

use super::{Here, Search};
use crate::DangerKind;
use crate::shell::script::{Function, Group, GroupKind, List, Pipeline, Stage};

/// The names of the commands in a list, with whether they are started beside others: in a pipe or in the background.
fn calls(list: &List, beside: bool, found: &mut Vec<(String, bool)>) {
    for pipeline in &list.pipelines {
        let beside = beside || pipeline.background || pipeline.stages.len() > 1;
        for stage in &pipeline.stages {
            stage_calls(stage, beside, found);
        }
    }
}

fn stage_calls(stage: &Stage, beside: bool, found: &mut Vec<(String, bool)>) {
    match stage {
        Stage::Simple(simple) => {
            // `exec f`, `eval f`, `command f` call it as well.
            for word in simple.words.iter().take(4) {
                found.push((word.raw.trim_matches(['"', '\'']).to_owned(), beside));
            }
            for word in &simple.words {
                for part in &word.parts {
                    if let crate::shell::script::Part::Substitution { list, .. }
                    | crate::shell::script::Part::Process { list } = part
                    {
                        calls(list, true, found);
                    }
                }
            }
        }
        Stage::Group(group) => calls(&group.body, beside, found),
        Stage::Function(function) => stage_calls(&function.body, beside, found),
    }
}

/// A function that calls itself beside itself, or twice.
pub(super) fn function(search: &mut Search<'_>, function: &Function, here: &Here) {
    let mut found = Vec::new();
    stage_calls(&function.body, false, &mut found);
    let own: Vec<bool> = found.iter().filter(|(name, _)| *name == function.name).map(|(_, beside)| *beside).collect();
    if own.iter().any(|beside| *beside) || own.len() > 1 {
        search.never(
            DangerKind::ForkBomb,
            here,
            format!("the function {} starts itself again and again, beside itself", function.name),
        );
    }
}

/// `$0 | $0`, `%0|%0`, `$0 & $0`.
pub(super) fn pipeline(search: &mut Search<'_>, pipeline: &Pipeline, here: &Here) {
    let itself = |stage: &&Stage| {
        let Stage::Simple(simple) = stage else { return false };
        let name = simple.words.first().map_or("", |word| word.raw.trim_matches(['"', '\'']));
        matches!(name, "$0" | "${0}" | "%0" | "$BASH_SOURCE" | "${BASH_SOURCE[0]}")
    };
    let own = pipeline.stages.iter().filter(itself).count();
    if own > 1 || (own == 1 && pipeline.background) {
        search.never(DangerKind::ForkBomb, here, "it starts itself again and again, beside itself");
    }
}

/// A loop without end that starts something in the background each time and never waits.
pub(super) fn group(search: &mut Search<'_>, group: &Group, here: &Here) {
    if group.kind != GroupKind::Loop {
        return;
    }
    let mut found = Vec::new();
    calls(&group.body, false, &mut found);
    let endless = found.first().is_some_and(|(name, _)| matches!(name.as_str(), "true" | ":" | "1" | "/bin/true"))
        || group.binding.is_none() && group.words.iter().any(|word| word.parts.is_empty() || word.parts.iter().all(|part| matches!(part, crate::shell::script::Part::Bare(text) if text.trim_matches([' ', ';']).is_empty())));
    let background = group.body.pipelines.iter().any(|pipeline| pipeline.background);
    let rests =
        found.iter().any(|(name, _)| matches!(name.as_str(), "sleep" | "wait" | "read" | "break" | "inotifywait"));
    if endless && background && !rests {
        search.never(DangerKind::ForkBomb, here, "the loop starts programs without end and never waits for them");
    }
}
