//! A table of hostile paths, over both resolvers, in memory and on disk.

use std::os::unix::net::UnixListener;
use std::path::Path;

use flightdeck_files::{Backups, Expected, Files, Limits, ReadRequest, Resolver, Root, Rules, SearchRequest};
use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};

use super::desk::{Desk, code};

/// A path, and what reading and writing it says. `{ws}` and `{out}` are the folders' own paths.
const TABLE: &[(&str, &str, &str)] = &[
    // Not a path.
    ("", "bad_path", "bad_path"),
    ("a\0b", "bad_path", "bad_path"),
    ("a.txt\0", "bad_path", "bad_path"),
    ("\0", "bad_path", "bad_path"),
    ("a\nb", "bad_path", "bad_path"),
    ("a\rb", "bad_path", "bad_path"),
    ("\x1b[2Ja", "bad_path", "bad_path"),
    ("a\x7f", "bad_path", "bad_path"),
    ("a\u{85}b", "bad_path", "bad_path"),
    ("tab\there", "bad_path", "bad_path"),
    // Climbing.
    ("..", "outside_workspace", "outside_workspace"),
    ("../", "outside_workspace", "outside_workspace"),
    ("../outside/secret", "outside_workspace", "outside_workspace"),
    ("../ws/a.txt", "outside_workspace", "outside_workspace"),
    ("./../outside/secret", "outside_workspace", "outside_workspace"),
    ("sub/../../outside/secret", "outside_workspace", "outside_workspace"),
    ("sub/../a.txt", "outside_workspace", "outside_workspace"),
    ("sub/deep/../../a.txt", "outside_workspace", "outside_workspace"),
    ("a.txt/..", "outside_workspace", "outside_workspace"),
    ("a.txt/../../outside/secret", "outside_workspace", "outside_workspace"),
    ("nothing/../../outside/secret", "outside_workspace", "outside_workspace"),
    ("..//outside/secret", "outside_workspace", "outside_workspace"),
    (".//..///outside//secret", "outside_workspace", "outside_workspace"),
    ("dir_out/../secret", "outside_workspace", "outside_workspace"),
    ("{ws}/../outside/secret", "outside_workspace", "outside_workspace"),
    ("{ws}/..", "outside_workspace", "outside_workspace"),
    ("/..", "outside_workspace", "outside_workspace"),
    // Names that only look like climbing.
    ("...", "not_found", "ok"),
    (".. ", "not_found", "ok"),
    ("..\\..\\outside\\secret", "not_found", "ok"),
    ("%2e%2e%2foutside", "not_found", "ok"),
    ("..%2foutside", "not_found", "ok"),
    ("．．/outside/secret", "not_found", "not_found"),
    ("~/x", "not_found", "not_found"),
    ("$HOME", "not_found", "ok"),
    ("file:///etc/passwd", "not_found", "not_found"),
    ("-rf", "not_found", "ok"),
    // Absolute.
    ("/", "outside_workspace", "outside_workspace"),
    ("//", "outside_workspace", "outside_workspace"),
    ("/etc/passwd", "outside_workspace", "outside_workspace"),
    ("//etc/passwd", "outside_workspace", "outside_workspace"),
    ("/proc/self/environ", "outside_workspace", "outside_workspace"),
    ("/proc/self/root/etc/passwd", "outside_workspace", "outside_workspace"),
    ("/proc/self/cwd", "outside_workspace", "outside_workspace"),
    ("/dev/stdin", "outside_workspace", "outside_workspace"),
    ("/dev/zero", "outside_workspace", "outside_workspace"),
    ("/sys/kernel/notes", "outside_workspace", "outside_workspace"),
    ("{out}/secret", "outside_workspace", "outside_workspace"),
    ("{ws}x/secret", "outside_workspace", "outside_workspace"),
    ("{ws}", "is_a_folder", "bad_path"),
    ("{ws}/", "is_a_folder", "bad_path"),
    ("{ws}/a.txt", "ok", "ok"),
    ("{ws}//./a.txt", "ok", "ok"),
    ("{ws}/link_out", "outside_workspace", "outside_workspace"),
    ("{ws}/.env", "sensitive", "protected"),
    // Links.
    ("link_in", "ok", "ok"),
    ("link_abs_in", "ok", "ok"),
    ("link_dot_dot_in", "ok", "ok"),
    ("dir_in/x.txt", "ok", "ok"),
    ("dir_self/dir_self/a.txt", "ok", "ok"),
    ("link_out", "outside_workspace", "outside_workspace"),
    ("link_abs_out", "outside_workspace", "outside_workspace"),
    ("link_chain_out", "outside_workspace", "outside_workspace"),
    ("link_up_and_in", "outside_workspace", "outside_workspace"),
    ("link_root", "outside_workspace", "outside_workspace"),
    ("link_root/etc/passwd", "outside_workspace", "outside_workspace"),
    ("link_etc", "outside_workspace", "outside_workspace"),
    ("link_new_out", "outside_workspace", "outside_workspace"),
    ("link_abs_climb", "outside_workspace", "outside_workspace"),
    ("dir_out", "outside_workspace", "outside_workspace"),
    ("dir_out/secret", "outside_workspace", "outside_workspace"),
    ("dir_out/new", "outside_workspace", "outside_workspace"),
    ("dir_abs_out/secret", "outside_workspace", "outside_workspace"),
    ("dir_self/dir_out/secret", "outside_workspace", "outside_workspace"),
    ("proc_self/environ", "outside_workspace", "outside_workspace"),
    ("proc_root/etc/passwd", "outside_workspace", "outside_workspace"),
    ("proc_cwd/a.txt", "outside_workspace", "outside_workspace"),
    ("loop", "bad_path", "bad_path"),
    ("loop/a.txt", "bad_path", "bad_path"),
    ("loop_a", "bad_path", "bad_path"),
    ("chain_0", "bad_path", "bad_path"),
    ("chain_30", "ok", "ok"),
    ("dangling", "not_found", "bad_path"),
    ("dangling/x", "not_found", "bad_path"),
    ("link_env", "sensitive", "protected"),
    ("link_git/config", "sensitive", "protected"),
    ("link_key", "sensitive", "protected"),
    ("link_modules/p/index.js", "ok", "protected"),
    // Sensitive names, in all spellings.
    (".env", "sensitive", "protected"),
    ("./.env", "sensitive", "protected"),
    (".ENV", "sensitive", "protected"),
    (".env.", "sensitive", "protected"),
    (".env ", "sensitive", "protected"),
    (".e\u{200b}nv", "sensitive", "protected"),
    (".env\u{feff}", "sensitive", "protected"),
    (".env.local", "sensitive", "protected"),
    (".env.example.local", "sensitive", "protected"),
    (".env.example", "ok", "ok"),
    (".env.sample", "not_found", "ok"),
    ("conf/.env.production", "sensitive", "protected"),
    (".env/x", "sensitive", "protected"),
    ("id_rsa", "sensitive", "protected"),
    ("ID_RSA", "sensitive", "protected"),
    ("id_dsa", "sensitive", "protected"),
    ("id_ecdsa", "sensitive", "protected"),
    ("id_ed25519", "sensitive", "protected"),
    ("id_rsa.pub", "not_found", "ok"),
    ("sub/server.pem", "sensitive", "protected"),
    ("sub/SERVER.PEM", "sensitive", "protected"),
    ("sub/tls.\u{212a}ey", "sensitive", "protected"),
    ("sub/tls.key.", "sensitive", "protected"),
    ("credentials.json", "sensitive", "protected"),
    ("secrets.yaml", "sensitive", "protected"),
    ("secrets.", "sensitive", "protected"),
    ("ſecrets.yaml", "sensitive", "protected"),
    (".git", "sensitive", "protected"),
    (".git/config", "sensitive", "protected"),
    (".git/", "sensitive", "bad_path"),
    (".git//config", "sensitive", "protected"),
    (".git/./config", "sensitive", "protected"),
    (".GIT/config", "sensitive", "protected"),
    (".Git/hooks/pre-commit", "sensitive", "protected"),
    (".git./config", "sensitive", "protected"),
    (".git /config", "sensitive", "protected"),
    (".g\u{200c}it/config", "sensitive", "protected"),
    (".gi\u{200d}t/config", "sensitive", "protected"),
    ("\u{2060}.git/config", "sensitive", "protected"),
    ("git~1/config", "sensitive", "protected"),
    ("GIT~1/config", "sensitive", "protected"),
    ("sub/.git/config", "sensitive", "protected"),
    (".gitignore", "not_found", "ok"),
    (".github/x", "not_found", "not_found"),
    ("node_modules/p/index.js", "ok", "protected"),
    ("Node_Modules/p/new.js", "not_found", "protected"),
    ("node_modules", "is_a_folder", "protected"),
    // Things that are no files.
    (".", "is_a_folder", "bad_path"),
    ("./", "is_a_folder", "bad_path"),
    ("sub", "is_a_folder", "is_a_folder"),
    ("sub/", "is_a_folder", "bad_path"),
    ("a.txt/", "ok", "bad_path"),
    ("a.txt/x", "not_a_folder", "not_a_folder"),
    ("a.txt/.", "ok", "ok"),
    ("pipe", "not_a_file", "not_a_file"),
    ("pipe/x", "not_a_folder", "not_a_folder"),
    ("socket", "not_a_file", "not_a_file"),
    ("zero", "not_a_file", "not_a_file"),
    ("link_pipe", "not_a_file", "not_a_file"),
    ("missing", "not_found", "ok"),
    ("missing2/x", "not_found", "not_found"),
];

#[test]
fn hostile_paths_by_openat2_in_memory() {
    run(Path::new("/dev/shm"), Resolver::Openat2);
}

#[test]
fn hostile_paths_by_walking_in_memory() {
    run(Path::new("/dev/shm"), Resolver::Walk);
}

#[test]
fn hostile_paths_by_openat2_on_disk() {
    run(&std::env::temp_dir(), Resolver::Openat2);
}

#[test]
fn hostile_paths_by_walking_on_disk() {
    run(&std::env::temp_dir(), Resolver::Walk);
}

fn run(parent: &Path, resolver: Resolver) {
    assert!(TABLE.len() >= 100);
    let desk = Desk::on(parent, resolver);
    let devices = lay_out(&desk);
    let long = [
        ("x".repeat(256), "bad_path"),
        ("x/".repeat(3000), "bad_path"),
        (format!("{}y", "./".repeat(2500)), "bad_path"),
        ("ä".repeat(128), "bad_path"),
        ("x".repeat(255), "not_found"),
    ];
    let mut wrong = Vec::new();
    for (path, expected) in &long {
        let got = code(&desk.read(path));
        if got != *expected {
            wrong.push(format!("{} bytes: {got}, not {expected}", path.len()));
        }
    }
    for (path, reading, _) in TABLE {
        if *path == "zero" && !devices {
            continue;
        }
        let path = fill(path, &desk);
        let read = desk.read(&path);
        if code(&read) != *reading {
            wrong.push(format!("read {path:?}: {}, not {reading}", code(&read)));
        }
        assert!(!read.is_ok_and(|read| read.content.contains("SECRET")), "{path:?} was read");
        never_shows(&desk, &path);
    }
    for (path, _, writing) in TABLE {
        if *path == "zero" && !devices {
            continue;
        }
        let path = fill(path, &desk);
        let written = desk.write(&path, "written", Expected::Any);
        if code(&written) != *writing {
            wrong.push(format!("write {path:?}: {}, not {writing}", code(&written)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    desk.outside_is_untouched();
    assert_eq!(desk.get(".env"), b"SECRET-ENV");
    assert_eq!(desk.get(".git/config"), b"SECRET-GIT");
}

/// Neither a listing nor a search of the path gives anything away.
fn never_shows(desk: &Desk, path: &str) {
    for listing in [desk.list(path), desk.tree(path)].into_iter().flatten() {
        for entry in listing.entries {
            assert_ne!(entry.name, "secret", "{path:?} was listed");
            assert_ne!(entry.name, "config", "{path:?} was listed");
        }
    }
    let request = SearchRequest { path: Some(path.to_owned()), ..SearchRequest::new("SECRET") };
    if let Ok(found) = desk.search(&request) {
        assert!(found.matches.is_empty(), "{path:?} was searched: {:?}", found.matches);
    }
}

fn fill(path: &str, desk: &Desk) -> String {
    let dir = desk.dir.path().to_str().unwrap();
    path.replace("{ws}", &format!("{dir}/ws")).replace("{out}", &format!("{dir}/outside"))
}

/// Makes the tree; says whether devices could be made.
fn lay_out(desk: &Desk) -> bool {
    let out = desk.dir.path().join("outside");
    for plain in ["a.txt", "sub/x.txt", "sub/deep/y.txt", ".env.example", "node_modules/p/index.js"] {
        desk.put(plain, "plain");
    }
    let hidden = [".env", ".env.local", "conf/.env.production", "id_rsa", "sub/server.pem", "sub/tls.key"];
    for secret in hidden.into_iter().chain(["credentials.json", "secrets.yaml", ".envrc.key"]) {
        desk.put(secret, "SECRET-ENV");
    }
    desk.put(".git/config", "SECRET-GIT");
    desk.put("sub/.git/config", "SECRET-GIT");
    let ws = desk.at("");
    for (link, target) in [
        ("link_in", "a.txt"),
        ("link_abs_in", ws.join("sub/../a.txt").to_str().unwrap()),
        ("link_dot_dot_in", "sub/deep/../../a.txt"),
        ("dir_in", "sub"),
        ("dir_self", "."),
        ("link_out", "../outside/secret"),
        ("link_abs_out", out.join("secret").to_str().unwrap()),
        ("link_chain_out", "link_out"),
        ("link_up_and_in", "../ws/a.txt"),
        ("link_root", "/"),
        ("link_etc", "/etc/passwd"),
        ("link_new_out", "../outside/new"),
        ("link_abs_climb", ws.join("../outside/secret").to_str().unwrap()),
        ("dir_out", "../outside"),
        ("dir_abs_out", out.to_str().unwrap()),
        ("proc_self", "/proc/self"),
        ("proc_root", "/proc/self/root"),
        ("proc_cwd", "/proc/self/cwd"),
        ("loop", "loop"),
        ("loop_a", "loop_b"),
        ("loop_b", "loop_a"),
        ("dangling", "nowhere"),
        ("link_env", ".env"),
        ("link_git", ".git"),
        ("link_key", "sub/tls.key"),
        ("link_modules", "node_modules"),
        ("link_pipe", "pipe"),
    ] {
        desk.link(link, target);
    }
    for at in 0..60 {
        desk.link(&format!("chain_{at}"), if at == 59 { "a.txt".to_owned() } else { format!("chain_{}", at + 1) });
    }
    mknodat(CWD, desk.at("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    drop(UnixListener::bind(desk.at("socket")).unwrap());
    let device = mknodat(CWD, desk.at("zero"), FileType::CharacterDevice, Mode::RUSR, makedev(1, 5));
    if let Err(errno) = device {
        println!("skipped: no device can be made here: {errno}");
    }
    device.is_ok()
}

#[test]
fn the_kernels_file_systems_are_no_workspace() {
    for resolver in [Resolver::Openat2, Resolver::Walk] {
        let dir = tempfile::tempdir().unwrap();
        let backups = Backups::open(dir.path(), Limits::default()).unwrap();
        let files = Files::new(Root::open_with(Path::new("/"), resolver).unwrap(), Rules::default(), backups);
        for path in ["proc/self/environ", "proc/self/root/etc/passwd", "/proc/self/cmdline", "sys/kernel/mm/ksm/run"] {
            let read = files.read(&ReadRequest::new(path));
            assert!(matches!(code(&read), "outside_workspace" | "bad_path"), "{path}: {}", code(&read));
        }
        assert_eq!(code(&files.read(&ReadRequest::new("etc/passwd"))), "ok");
    }
}
