//! The path that is meant, and folders that no rule opens.

use flightdeck_files::{Expected, Root, Rules, SearchRequest};

use super::desk::{Desk, code};

#[test]
fn links_are_resolved_and_both_paths_are_checked() {
    let desk = Desk::new();
    for path in ["src/a.ts", ".env", "sub/tls.key"] {
        desk.put(path, "x");
    }
    let links = [
        ("link.ts", "src/a.ts"),
        ("again.ts", "link.ts"),
        ("folder", "src"),
        ("notes.txt", ".env"),
        ("keys", "sub"),
        ("passwd", "/etc/passwd"),
        ("up", "../outside/secret"),
        ("gone", "nowhere"),
        ("proc", "/proc/self/environ"),
        ("loop", "loop"),
        (".env.local", "src/a.ts"),
    ];
    for (link, target) in links {
        desk.link(link, target);
    }
    let absolute = desk.at("link.ts");
    let table = [
        ("src/a.ts", "src/a.ts"),
        ("./src//a.ts", "src/a.ts"),
        (absolute.to_str().unwrap(), "src/a.ts"),
        ("link.ts", "src/a.ts"),
        ("again.ts", "src/a.ts"),
        ("folder/a.ts", "src/a.ts"),
        ("folder", "src"),
        ("notes.txt", "sensitive"),
        ("keys/tls.key", "sensitive"),
        (".env", "sensitive"),
        (".env.local", "sensitive"),
        ("passwd", "outside_workspace"),
        ("up", "outside_workspace"),
        ("proc", "outside_workspace"),
        ("gone", "not_found"),
        ("missing", "not_found"),
        ("loop", "bad_path"),
    ];
    for (path, expected) in table {
        let real = desk.files.real_path(path);
        let got = real.map_or_else(|error| error.code().to_owned(), |real| real.to_string());
        assert_eq!(got, expected, "{path}");
    }
}

#[test]
fn the_kernels_file_systems_have_no_real_path() {
    let desk = Desk::new();
    let backups = desk.dir.path().join("backups3");
    let backups = flightdeck_files::Backups::open(&backups, flightdeck_files::Limits::default()).unwrap();
    let root = Root::open(std::path::Path::new("/")).unwrap();
    let files = flightdeck_files::Files::new(root, Rules::default(), backups);
    assert_eq!(code(&files.real_path("proc/self/status")), "outside_workspace");
    assert_eq!(code(&files.real_path("dev/null")), "not_a_file");
}

#[test]
fn where_a_folder_is_below_the_root() {
    let desk = Desk::new();
    desk.put("state/flightdeck/token", "x");
    desk.link("linked", "state");
    let outside = desk.dir.path().join("to_ws");
    std::os::unix::fs::symlink(desk.at(""), &outside).unwrap();
    let root = desk.files.root();
    let table = [
        (desk.at("state/flightdeck"), Some("state/flightdeck")),
        (desk.at("linked/flightdeck"), Some("state/flightdeck")),
        (outside.join("state"), Some("state")),
        // It is made later.
        (desk.at("linked/new/folder"), Some("state/new/folder")),
        (desk.at(""), Some("")),
        (desk.dir.path().join("outside"), None),
        (desk.dir.path().to_owned(), None),
        (desk.dir.path().join("ws2"), None),
    ];
    for (folder, below) in table {
        let got = root.below(&folder);
        assert_eq!(got.as_ref().map(flightdeck_files::RelPath::as_str), below, "{}", folder.display());
    }
}

#[test]
fn a_shut_folder_is_opened_by_nothing() {
    let desk = Desk::new();
    for path in ["state/fd/token", "state/fd/undo/journal", "state/other", "state/fdx"] {
        desk.put(path, "needle");
    }
    desk.link("way", "state/fd");
    desk.link("token", "state/fd/token");
    let shut = vec![desk.files.root().below(&desk.at("state/fd")).unwrap()];
    let globs = ["!state/**", "!token", "!*"];
    let desk = desk.under(Rules::new(&globs, &globs).unwrap().shut(shut));
    let table = [
        ("state/fd/token", "sensitive", "protected"),
        ("state/fd/undo/journal", "sensitive", "protected"),
        ("state/FD/token", "sensitive", "protected"),
        ("state/fd/new", "sensitive", "protected"),
        ("way/token", "sensitive", "protected"),
        ("way/new", "not_found", "protected"),
        ("token", "sensitive", "protected"),
        ("state/other", "ok", "ok"),
        ("state/fdx", "ok", "ok"),
    ];
    for (path, reading, writing) in table {
        assert_eq!(code(&desk.read(path)), reading, "{path}");
        assert_eq!(code(&desk.write(path, "needle!", Expected::Any)), writing, "{path}");
    }
    let error = desk.read("state/fd/token").unwrap_err();
    assert!(error.to_string().contains("`Flightdeck's own files`"), "{error}");
    assert_eq!(code(&desk.list("state/fd")), "sensitive");
    assert_eq!(code(&desk.list("way")), "sensitive");
    let tree = desk.tree(".").unwrap();
    let paths: Vec<_> = tree.entries.iter().map(|entry| (entry.path.as_str(), entry.sensitive)).collect();
    let expected = [
        ("state", false),
        ("state/fd", true),
        ("state/fdx", false),
        ("state/other", false),
        ("token", true),
        ("way", true),
    ];
    assert_eq!(paths, expected);
    let found = desk.search(&SearchRequest::new("needle")).unwrap();
    let found: Vec<_> = found.matches.iter().map(|found| found.path.as_str()).collect();
    assert_eq!(found, ["state/fdx", "state/other"]);
    // Without globs the quick way of a walk is the same.
    let shut = vec![desk.files.root().parse("state/fd").unwrap()];
    let desk = desk.under(Rules::default().shut(shut));
    assert_eq!(desk.search(&SearchRequest::new("needle")).unwrap().matches.len(), 2);
}
