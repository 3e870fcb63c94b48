//! Any bytes as a path: both resolvers say the same, nothing outside the root is read or listed, and nothing panics.

#![no_main]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::OnceLock;

use flightdeck_files::{
    Backups, Endings, Expected, Files, Limits, ListRequest, ReadRequest, Resolver, Root, Rules, WriteRequest,
};
use libfuzzer_sys::fuzz_target;

const SECRET: &str = "SECRET";

fuzz_target!(|bytes: &[u8]| {
    static DESKS: OnceLock<[Files; 2]> = OnceLock::new();
    let desks = DESKS.get_or_init(desks);
    let path = String::from_utf8_lossy(bytes);
    // `=` stands for the root, so that absolute paths are reached.
    let path = path.replacen('=', desks[0].root().path().to_str().expect("the tree has a plain name"), 1);
    let codes: Vec<_> = desks.iter().map(|files| try_all(files, &path)).collect();
    assert_eq!(codes[0], codes[1], "the resolvers differ about {path:?}");
});

/// What each operation says about a path.
fn try_all(files: &Files, path: &str) -> [String; 3] {
    let parsed = files.root().parse(path);
    assert!(!parsed.is_ok_and(|path| path.as_str().split('/').any(|name| name == "..")));
    let read = files.read(&ReadRequest::new(path));
    assert!(!read.as_ref().is_ok_and(|read| read.content.contains(SECRET)), "{path:?} was read");
    let list = files.list(&ListRequest { path: Some(path.to_owned()), recursive: true, ..ListRequest::default() });
    for entry in list.as_ref().map(|list| list.entries.as_slice()).unwrap_or_default() {
        assert_ne!(entry.name, "outside", "{path:?} was listed");
    }
    // A version that no file has: all is looked up, nothing is written.
    let version = "sha256:00000000000000000000000000000000".parse().expect("a version");
    let write = files.write(&WriteRequest {
        path: path.to_owned(),
        content: "written".to_owned(),
        expected: Expected::Is(version),
        actor: "fuzz".to_owned(),
        create_parents: true,
        note: String::new(),
        endings: Endings::Keep,
        unsaved: None,
    });
    let write = write.expect_err("nothing has that version");
    let said = |error: Option<&'static str>| error.unwrap_or("ok").to_owned();
    [said(read.err().map(|error| error.code())), said(list.err().map(|error| error.code())), write.code().to_owned()]
}

fn desks() -> [Files; 2] {
    // Beside the program, so that it goes when the build does.
    let program = std::env::current_exe().expect("a program has a path");
    let dir = program.with_extension(format!("tree-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    lay_out(&dir.join("ws")).expect("the tree can be made");
    fs::create_dir_all(dir.join("o")).expect("the tree can be made");
    fs::write(dir.join("o/outside"), SECRET).expect("the tree can be made");
    [Resolver::Openat2, Resolver::Walk].map(|resolver| {
        let backups = Backups::open(&dir.join(format!("{resolver:?}")), Limits::default()).expect("backups");
        Files::new(Root::open_with(&dir.join("ws"), resolver).expect("a root"), Rules::default(), backups)
    })
}

fn lay_out(ws: &Path) -> std::io::Result<()> {
    for folder in ["a/b", ".git", "node_modules"] {
        fs::create_dir_all(ws.join(folder))?;
    }
    for plain in ["f", "a/f", "a/b/f"] {
        fs::write(ws.join(plain), "plain")?;
    }
    for secret in [".env", ".git/f", "k.key", "a/secrets.f"] {
        fs::write(ws.join(secret), SECRET)?;
    }
    let inside = ws.join("a/b").display().to_string();
    let outside = ws.join("../o").display().to_string();
    let links = [
        ("l", "f"),
        ("a/u", "../f"),
        ("i", &*inside),
        ("o", "../o"),
        ("p", &*outside),
        ("r", "/"),
        ("s", "."),
        ("x", "x"),
    ];
    for (link, target) in links.into_iter().chain([("e", ".env"), ("g", ".git"), ("n", "nowhere"), ("q", "/proc/self")])
    {
        symlink(target, ws.join(link))?;
    }
    Ok(())
}
