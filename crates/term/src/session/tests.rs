//! What wakes whom.

use std::path::Path;

use super::*;

/// A session with what is in its folder, and no program.
pub(crate) fn without_program(
    dir: &Path,
    kind: Kind,
    source: Source,
) -> Result<Arc<Session>, Box<dyn std::error::Error>> {
    Ok(Session::new(SessionParts {
        id: SessionId::new("t1")?,
        kind,
        dir: dir.to_owned(),
        size: Size::new(24, 80)?,
        environment: Vec::new(),
        backend: None,
        records: Vec::new(),
        pending: None,
        log_bytes: 1 << 20,
        progress: Progress::default(),
        source,
    }))
}

#[test]
fn output_alone_wakes_nobody_who_waits_for_a_command() -> Result<(), Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    let session = without_program(dir.path(), Kind::Piped, Source::Archive)?;
    let (mut every_step, mut milestones) = (session.follow(), session.follow_milestones());
    let before = session.printed_at();

    session.publish(|progress| progress.seen = Offset(10));
    assert!(every_step.has_changed()? && !milestones.has_changed()?, "output");
    assert!(session.printed_at() > before);
    session.publish(|progress| progress.eof = true);
    assert!(!milestones.has_changed()?, "the end of the output is not the end of the program");

    every_step.mark_unchanged();
    for (what, pass) in [
        ("a mark", (|progress| progress.marks = 1) as fn(&mut Progress)),
        ("a full disk", |progress| progress.stalled = true),
        ("the keeper's end", |progress| progress.lost = Some(Lost::Keeper)),
        ("an exit", |progress| progress.exit = Some(Exit::Code(3))),
    ] {
        session.publish(pass);
        assert!(milestones.has_changed()?, "{what}");
        assert_eq!(*milestones.borrow_and_update(), session.progress(), "{what}");
        session.publish(pass);
        assert!(!milestones.has_changed()?, "{what}, told twice");
    }
    assert_eq!(milestones.borrow().seen, Offset(10));
    Ok(())
}
