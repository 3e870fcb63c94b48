//! Reading, writing and listing.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;

#[test]
fn a_file_is_read_whole_or_by_lines_with_its_version() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "reader");
    let whole = agent.ok("openspace.file.read", &json!({ "path": "src/index.ts" }));
    assert_eq!(whole["content"], text(&deck, "src/index.ts"));
    assert_eq!((&whole["totalLines"], &whole["truncated"]), (&json!(100), &json!(false)));
    let some = agent.ok("openspace.file.read", &json!({ "path": "./src/index.ts", "startLine": 42, "endLine": 43 }));
    assert_eq!(some["content"], "line 42\nline 43\n");
    assert_eq!(some["version"], whole["version"], "the version is that of the whole file");
    let absolute = deck.workspace().join("src/index.ts");
    let same = agent.ok("openspace.file.read", &json!({ "path": absolute }));
    assert_eq!(same["path"], "src/index.ts");
}

#[test]
fn what_does_not_fit_says_so_and_where_to_go_on() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "reader");
    let mut read = String::new();
    let mut next = json!(1);
    loop {
        let part =
            agent.ok("openspace.file.read", &json!({ "path": "src/index.ts", "startLine": next, "maxBytes": 200 }));
        read += part["content"].as_str().unwrap();
        if part["truncated"] == false {
            break;
        }
        next = part["nextLine"].clone();
    }
    assert_eq!(read, text(&deck, "src/index.ts"), "the parts make the whole");
}

#[test]
fn what_is_no_text_is_refused_and_never_mangled() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "reader");
    let put_bytes = |name: &str, bytes: &[u8]| fs::write(deck.workspace().join(name), bytes).unwrap();
    put_bytes("picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    put_bytes("latin1.txt", b"caf\xe9\n");
    put_bytes("utf16.txt", b"\xff\xfeh\0i\0\n\0");
    refused(&mut agent, "openspace.file.read", &json!({ "path": "picture" }), "binary_file");
    let unknown = refused(&mut agent, "openspace.file.read", &json!({ "path": "latin1.txt" }), "unknown_encoding");
    assert!(unknown["error"].as_str().unwrap().contains("offset 3"), "{unknown}");
    let decoded = agent.ok("openspace.file.read", &json!({ "path": "utf16.txt" }));
    assert_eq!((&decoded["content"], &decoded["encoding"]), (&json!("hi\n"), &json!("utf-16le")));
}

#[test]
fn nothing_outside_of_the_workspace_can_be_reached() {
    let deck = deck();
    let secret = deck.home().join("secret.txt");
    fs::write(&secret, "secret").unwrap();
    symlink(&secret, deck.workspace().join("link")).unwrap();
    symlink(deck.home(), deck.workspace().join("folder")).unwrap();
    let mut agent = Agent::new(&deck, "prober");
    for path in [
        "../h/secret.txt",
        "src/../../h/secret.txt",
        "/etc/passwd",
        "link",
        "folder/secret.txt",
        "/proc/self/root/etc/passwd",
    ] {
        for (tool, args) in [
            ("openspace.file.read", json!({ "path": path })),
            ("openspace.file.write", json!({ "path": path, "content": "x" })),
            ("openspace.editor.open", json!({ "path": path })),
            ("openspace.editor.read_file", json!({ "path": path })),
            ("openspace.pane.open", json!({ "type": "editor", "contentId": path })),
        ] {
            let answer = refused(&mut agent, tool, &args, "outside_workspace");
            let folder = deck.workspace().canonicalize().unwrap();
            assert!(answer["hint"].as_str().unwrap().contains(folder.to_str().unwrap()), "{answer}");
        }
    }
    refused(&mut agent, "openspace.file.list", &json!({ "path": "folder" }), "outside_workspace");
    refused(&mut agent, "openspace.file.search", &json!({ "query": "secret", "path": "../h" }), "outside_workspace");
    let found = agent.ok("openspace.file.search", &json!({ "query": "secret" }));
    assert_eq!(found["matches"], json!([]));
    assert_eq!(fs::read_to_string(secret).unwrap(), "secret");
}

#[test]
fn a_write_keeps_the_mode_and_the_line_endings_and_answers_the_version() {
    let deck = deck();
    let path = put(&deck, "run.sh", "echo 1\r\necho 2\r\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    let mut agent = Agent::new(&deck, "writer");
    let written = agent.ok("openspace.file.write", &json!({ "path": "run.sh", "content": "echo 3\n" }));
    assert_eq!(text(&deck, "run.sh"), "echo 3\r\n");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o750);
    assert!(written["kept"].as_str().unwrap().contains("CRLF"), "{written}");
    let read = agent.ok("openspace.file.read", &json!({ "path": "run.sh" }));
    assert_eq!(read["version"], written["version"]);
    let created = agent.ok("openspace.file.write", &json!({ "path": "new/deep/file.txt", "content": "hello\n" }));
    assert_eq!((&created["created"], text(&deck, "new/deep/file.txt")), (&json!(true), "hello\n".to_owned()));
}

#[test]
fn a_stale_write_is_refused_with_the_current_version() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "writer");
    let old = agent.ok("openspace.file.read", &json!({ "path": "src/index.ts" }))["version"].clone();
    put(&deck, "src/index.ts", "by somebody else\n");
    let write = json!({ "path": "src/index.ts", "content": "mine\n", "expectedVersion": old });
    let stale = refused(&mut agent, "openspace.file.write", &write, "stale_version");
    assert_eq!(text(&deck, "src/index.ts"), "by somebody else\n");
    let current = &stale["details"]["currentVersion"];
    let write = json!({ "path": "src/index.ts", "content": "mine\n", "expectedVersion": current });
    agent.ok("openspace.file.write", &write);
    assert_eq!(text(&deck, "src/index.ts"), "mine\n");
    let new = json!({ "path": "src/index.ts", "content": "new\n", "expectedVersion": "absent" });
    refused(&mut agent, "openspace.file.write", &new, "stale_version");
    let nonsense = json!({ "path": "src/index.ts", "content": "new\n", "expectedVersion": "yesterday" });
    refused(&mut agent, "openspace.file.write", &nonsense, "invalid_argument");
}

#[test]
fn secrets_are_marked_and_not_read_and_what_is_owned_by_tools_is_not_written() {
    let deck = deck();
    for path in [".env", "deploy/server.pem", "id_rsa", ".git/config", "secrets.yaml"] {
        put(&deck, path, "token = findme\n");
    }
    put(&deck, ".env.example", "token = findme\n");
    deck.settings("[files]\ndeny = [\"*.vault\"]\nprotect = [\"generated/\"]\n");
    put(&deck, "my.vault", "findme\n");
    let mut agent = Agent::new(&deck, "prober");
    for path in [".env", ".ENV", "deploy/server.pem", "id_rsa", ".git/config", "secrets.yaml", "my.vault"] {
        if deck.workspace().join(path).exists() {
            refused(&mut agent, "openspace.file.read", &json!({ "path": path }), "sensitive_file");
            refused(&mut agent, "openspace.editor.open", &json!({ "path": path }), "sensitive_file");
        }
    }
    agent.ok("openspace.file.read", &json!({ "path": ".env.example" }));
    let listed = agent.ok("openspace.file.list", &json!({}));
    let files = listed["files"].as_array().unwrap();
    let marked = |name: &str| files.iter().any(|file| file["name"] == name && file["sensitive"] == true);
    assert!(marked(".env") && marked("my.vault") && !marked(".env.example"), "{listed}");
    let found = agent.ok("openspace.file.search", &json!({ "query": "findme" }));
    let paths: Vec<_> = found["matches"].as_array().unwrap().iter().map(|found| found["path"].clone()).collect();
    assert!(paths.iter().all(|path| path == ".env.example"), "{paths:?}");
    for path in [".git/hooks/post-checkout", "node_modules/x/index.js", "generated/a.rs", ".env"] {
        refused(&mut agent, "openspace.file.write", &json!({ "path": path, "content": "x" }), "protected_file");
    }
}

#[test]
fn a_folder_is_listed_and_below_it_what_git_would_see() {
    let deck = deck();
    put(&deck, ".gitignore", "target/\n");
    put(&deck, "target/out.txt", "x");
    put(&deck, "README.md", "x");
    let mut agent = Agent::new(&deck, "lister");
    let listed = agent.ok("openspace.file.list", &json!({ "path": "." }));
    let names: Vec<_> = listed["files"].as_array().unwrap().iter().map(|file| file["name"].clone()).collect();
    assert_eq!(names, ["src", "target", ".gitignore", "README.md"], "folders first");
    let all = agent.ok("openspace.file.list", &json!({ "recursive": true }));
    let paths: Vec<_> = all["files"].as_array().unwrap().iter().map(|file| file["path"].clone()).collect();
    assert!(paths.contains(&json!("src/index.ts")) && !paths.contains(&json!("target/out.txt")), "{paths:?}");
    let file = all["files"].as_array().unwrap().iter().find(|file| file["path"] == "README.md").unwrap();
    assert_eq!((&file["type"], &file["size"]), (&json!("file"), &json!(1)));
    let few = agent.ok("openspace.file.list", &json!({ "maxEntries": 2 }));
    assert_eq!((few["files"].as_array().unwrap().len(), &few["truncated"]), (2, &json!(true)));
    refused(&mut agent, "openspace.file.list", &json!({ "path": "README.md" }), "not_a_folder");
    refused(&mut agent, "openspace.file.list", &json!({ "path": "missing" }), "file_not_found");
}

#[test]
fn pipes_and_folders_are_no_files_and_nothing_hangs() {
    let deck = deck();
    let pipe = deck.workspace().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut agent = Agent::new(&deck, "prober");
    for path in ["pipe", "src"] {
        refused(&mut agent, "openspace.file.read", &json!({ "path": path }), "not_a_file");
        refused(&mut agent, "openspace.file.write", &json!({ "path": path, "content": "x" }), "not_a_file");
    }
}

/// As long as a file may be, and in the form that makes it longest on its way.
#[test]
fn the_longest_file_is_written_and_one_byte_more_is_refused() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "agent");
    let text = "\"\\\n€".repeat((16 << 20) / 6);
    let written = agent.ok("openspace.file.write", &json!({ "path": "long", "content": text }));
    assert_eq!(written["size"], text.len());
    assert!(fs::read_to_string(deck.workspace().join("long")).unwrap() == text);
    let longer = "x".repeat((16 << 20) + 1);
    refused(&mut agent, "openspace.file.write", &json!({ "path": "longer", "content": longer }), "too_large");
}
