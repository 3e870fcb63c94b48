//! Two people, no people, and agents that leave.

use flightdeck_contract::approval::{CommandSubject, OptionKind, PermissionOption, PermissionSubject, Subject};

use super::*;
use crate::store::Surroundings;

fn approval(id: ApprovalId) -> Approval {
    Approval {
        id,
        agent: "codex#1".into(),
        origin: None,
        call: "flightdeck.terminal.run".into(),
        subject: Subject::Command(CommandSubject {
            text: "rm -rf build".into(),
            cwd: "/w".into(),
            env: Vec::new(),
            editable: true,
            pieces: Vec::new(),
        }),
        terminal: None,
        rule: "danger:deletes-tree".into(),
        reason: "it deletes".into(),
        dangerous: true,
        scopes: Scope::ALL.to_vec(),
        offer: None,
        asked_at_ms: 0,
        expires_at_ms: 0,
        trace: None,
    }
}

/// Kept as long as the folder of its store.
fn approvals() -> (tempfile::TempDir, Arc<Approvals>) {
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(dir.path(), &Surroundings::default()).unwrap().store);
    let approvals = Approvals::open(store);
    (dir, approvals)
}

fn yes(by: &str) -> Answer {
    Answer::Approved { by: by.into(), scope: Scope::Once, command: None }
}

const LONG: Duration = Duration::from_mins(1);

#[tokio::test]
async fn the_first_answer_counts_and_the_second_is_told_who_was_first() {
    let (_dir, approvals) = approvals();
    let ticket = approvals.ask(approval);
    let id = ticket.id;
    approvals.settle(id, yes("cli:anna")).unwrap();
    let late = approvals.settle(id, Answer::Declined { by: "cli:bo".into(), reason: None }).unwrap_err();
    assert_eq!(late.code, ErrorCode::ApprovalSettled);
    assert!(late.message.contains("approved already by anna"), "{}", late.message);
    assert_eq!(ticket.wait(LONG).await, yes("cli:anna"));
    assert_eq!(approvals.get(ApprovalId::new(77)).unwrap_err().code, ErrorCode::ApprovalNotFound);
}

#[tokio::test]
async fn an_agents_own_question_gets_the_option_that_was_chosen() {
    let (_dir, approvals) = approvals();
    let option = |id: &str, kind| PermissionOption { id: id.into(), name: id.into(), kind };
    let subject = Subject::Permission(PermissionSubject {
        title: "Edit main.rs".into(),
        deed: Some("edit".into()),
        options: vec![option("yes", OptionKind::AllowOnce), option("never", OptionKind::RejectAlways)],
        diff: None,
        locations: vec!["main.rs".into()],
    });
    let (_, mut events) = approvals.watch();
    let ticket = approvals.ask(|id| Approval { subject: subject.clone(), ..approval(id) });
    let id = ticket.id;
    assert_eq!(approvals.get(id).unwrap().subject, subject);
    let chosen = Answer::Chosen { by: "web:1".into(), option: "never".into(), choice: Choice::Decline, reason: None };
    approvals.settle(id, chosen.clone()).unwrap();
    assert_eq!(ticket.wait(LONG).await, chosen);
    assert!(matches!(events.try_recv(), Ok(ApprovalEvent::Pending { .. })));
    assert!(matches!(events.try_recv(), Ok(ApprovalEvent::Settled { outcome: Outcome::Declined, .. })));
}

#[tokio::test]
async fn numbers_are_not_given_out_again_by_the_next_hub() {
    let dir = tempfile::tempdir().unwrap();
    let open = || Approvals::open(Arc::new(Store::open(dir.path(), &Surroundings::default()).unwrap().store));
    let first = open();
    let id = first.ask(approval).id;
    drop(first);
    assert!(open().ask(approval).id > id);
}

#[tokio::test]
async fn many_answer_at_once_and_one_wins() {
    let (_dir, approvals) = approvals();
    for _ in 0..50 {
        let ticket = approvals.ask(approval);
        let id = ticket.id;
        let won = std::thread::scope(|scope| {
            let people: Vec<_> = (0..8)
                .map(|person| {
                    let approvals = &approvals;
                    scope.spawn(move || approvals.settle(id, yes(&format!("cli:{person}"))).is_ok().then_some(person))
                })
                .collect();
            people.into_iter().filter_map(|person| person.join().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(won.len(), 1);
        assert_eq!(ticket.wait(LONG).await, yes(&format!("cli:{}", won[0])));
    }
    assert!(approvals.pending().is_empty());
}

#[tokio::test]
async fn time_never_says_yes() {
    let (_dir, approvals) = approvals();
    let ticket = approvals.ask(approval);
    let id = ticket.id;
    assert_eq!(ticket.wait(Duration::from_millis(10)).await, Answer::Expired);
    let late = approvals.settle(id, yes("cli:anna")).unwrap_err();
    assert!(late.message.contains("expired already"), "{}", late.message);
}

#[tokio::test]
async fn an_agent_that_gives_up_withdraws_and_watchers_see_it_all() {
    let (_dir, approvals) = approvals();
    let (before, mut events) = approvals.watch();
    assert!(before.is_empty());
    let ticket = approvals.ask(approval);
    let id = ticket.id;
    drop(ticket);
    assert!(matches!(events.try_recv(), Ok(ApprovalEvent::Pending { approval }) if approval.id == id));
    assert!(matches!(
        events.try_recv(),
        Ok(ApprovalEvent::Settled { id: settled, outcome: Outcome::Withdrawn, .. }) if settled == id
    ));
    assert!(approvals.pending().is_empty());
    assert!(approvals.settle(id, yes("cli:anna")).unwrap_err().message.contains("withdrawn already"));
}

#[tokio::test]
async fn a_front_end_counts_while_it_is_attached() {
    let surfaces = Arc::new(Surfaces::default());
    assert!(!surfaces.attached_within(Duration::from_millis(1)).await);
    let attached = surfaces.attach();
    assert!(surfaces.attached_within(LONG).await);
    drop(attached);
    assert_eq!(surfaces.attached(), 0);
    let later = tokio::spawn({
        let surfaces = Arc::clone(&surfaces);
        async move { surfaces.attached_within(LONG).await }
    });
    let _attached = surfaces.attach();
    assert!(later.await.unwrap());
}

#[test]
fn a_window_is_one_of_the_hubs_own_until_it_is_reaped() {
    let surfaces = Arc::new(Surfaces::default());
    let window = surfaces.started(7);
    assert!(surfaces.is_window(7) && !surfaces.is_window(8));
    drop(window);
    assert!(!surfaces.is_window(7));
}
