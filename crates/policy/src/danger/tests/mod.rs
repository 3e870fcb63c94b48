//! Tables of what is dangerous and what is not.

mod harmless;
mod limits;
mod nested;
mod never;
mod other;

use crate::{Assessment, DangerKind, Deed, Place, Severity, assess};

/// A workspace below a home folder, the shell in the workspace's root.
pub(super) fn place() -> Place {
    Place {
        workspace: "/home/me/work/app".into(),
        cwd: Some("/home/me/work/app".into()),
        home: Some("/home/me".into()),
        temp: vec!["/tmp".into()],
        env: Vec::new(),
        disk: None,
    }
}

pub(super) fn look(text: &str) -> Assessment {
    assess(&Deed::Line(text.to_owned()), &place())
}

/// Fails with all texts that do not have the danger, not with the first alone.
pub(super) fn expect(kind: DangerKind, severity: Severity, texts: &[&str]) {
    let missed: Vec<String> = texts
        .iter()
        .map(|text| (text, look(text).dangers))
        .filter(|(_, dangers)| !dangers.iter().any(|danger| danger.kind == kind && danger.severity == severity))
        .map(|(text, dangers)| {
            format!(
                "{text:?} gave {:?}",
                dangers.iter().map(|danger| (danger.kind, danger.severity)).collect::<Vec<_>>()
            )
        })
        .collect();
    assert!(missed.is_empty(), "no {kind:?} of {severity:?} in:\n{}", missed.join("\n"));
}
