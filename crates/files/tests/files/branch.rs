//! The branch that is checked out.

use crate::desk::Desk;

#[test]
fn the_branch_is_what_git_notes() {
    let desk = Desk::new();
    assert_eq!(desk.files.branch(), None, "no repository");
    desk.put(".git/HEAD", "ref: refs/heads/feature/limits\n");
    assert_eq!(desk.files.branch().as_deref(), Some("feature/limits"));
    desk.put(".git/HEAD", "0123456789abcdef0123456789abcdef01234567\n");
    assert_eq!(desk.files.branch().as_deref(), Some("0123456"), "a commit alone");
    desk.put(".git/HEAD", "nonsense\n");
    assert_eq!(desk.files.branch(), None);
}

#[test]
fn another_work_tree_says_where_its_own_is() {
    let desk = Desk::new();
    desk.put("elsewhere/HEAD", "ref: refs/heads/second\n");
    desk.put(".git", "gitdir: elsewhere\n");
    assert_eq!(desk.files.branch().as_deref(), Some("second"));
}
