//! `container/` in use. No image can be pulled for a test, so the last stage of the Containerfile is carried out on a root of this
//! machine's own files, with bubblewrap: its variables, its user, its copies, its entry point.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use flightdeck_e2e::{Agent, Deck, Network, SOON, Side};
use serde_json::json;

use super::{Pair, TOOL, execute, failed, printed};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../container").canonicalize().unwrap()
}

/// What the last stage of the Containerfile says.
struct Image {
    env: Vec<(String, String)>,
    entrypoint: String,
    workdir: String,
    user: String,
}

impl Image {
    fn read() -> Self {
        let text = fs::read_to_string(folder().join("Containerfile")).unwrap().replace("\\\n", " ");
        let stage = &text[text.rfind("\nFROM ").unwrap()..];
        let of = |word: &str| {
            let line = stage.lines().find_map(|line| line.strip_prefix(word)).unwrap_or_else(|| panic!("no {word}"));
            line.trim().to_owned()
        };
        let line = of("ENV ");
        let env = line.split_whitespace().map(|pair| pair.split_once('=').unwrap()).map(|(a, b)| (a.into(), b.into()));
        let entrypoint: Vec<String> = serde_json::from_str(&of("ENTRYPOINT ")).unwrap();
        assert!(stage.contains(&format!("container/entrypoint.sh {}", entrypoint[0])), "the entry point is copied");
        Image { env: env.collect(), entrypoint: entrypoint[0].clone(), workdir: of("WORKDIR "), user: of("USER ") }
    }

    /// A command in a container of this image, on the container's side of the network.
    fn run(&self, pair: &Pair, hosts: &str, token: Option<&Path>, args: &[&str]) -> Command {
        let deck = &pair.container;
        let names = deck.home().join("hosts");
        fs::write(&names, format!("127.0.0.1 localhost\n{hosts}\n")).unwrap();
        let mut bwrap = Command::new("bwrap");
        bwrap.args(["--die-with-parent", "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]);
        bwrap.args(["--uid", "1000", "--gid", "1000", "--hostname", "box", "--ro-bind", "/usr", "/usr"]);
        for link in ["bin", "lib", "lib64", "sbin"] {
            bwrap.args(["--symlink", &format!("usr/{link}"), &format!("/{link}")]);
        }
        bwrap.args(["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run", "--dir", "/etc"]);
        bwrap.args(["--tmpfs", "/usr/local/bin", "--dir", &format!("/home/{}", self.user)]);
        bwrap.arg("--ro-bind").arg(deck.command(&[]).get_program()).arg("/usr/local/bin/flightdeck");
        bwrap.arg("--ro-bind").arg(folder().join("entrypoint.sh")).arg(&self.entrypoint);
        bwrap.arg("--ro-bind").arg(&names).arg("/etc/hosts");
        bwrap.arg("--bind").arg(deck.workspace()).arg(&self.workdir).args(["--chdir", &self.workdir, "--clearenv"]);
        if let Some(token) = token {
            bwrap.arg("--ro-bind").arg(token).arg("/run/secrets/flightdeck-bridge");
        }
        for (name, value) in &self.env {
            bwrap.args(["--setenv", name, value]);
        }
        let home = format!("/home/{}", self.user);
        for (name, value) in [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", &home), ("SHELL", "/bin/bash")] {
            bwrap.args(["--setenv", name, value]);
        }
        bwrap.arg(&self.entrypoint).args(args);
        // For the harness, which looks for what is left.
        bwrap.env("XDG_RUNTIME_DIR", deck.runtime()).env("PATH", "/usr/bin:/bin");
        pair.network.inside_of(Side::Container, &bwrap)
    }
}

fn pair() -> Pair {
    let pair = Pair { host: Deck::new(), container: Deck::new(), network: Network::new() };
    pair.start_host();
    pair
}

#[test]
fn the_image_runs_and_its_bridge_works() {
    let (pair, image) = (pair(), Image::read());
    assert_eq!((image.user.as_str(), image.workdir.as_str()), ("pilot", "/workspace"));
    let mut person = pair.person();
    let hosts = format!("{} host.containers.internal", Network::HOST);
    let token = pair.token_file();
    let mut agent = Agent::of(&image.run(&pair, &hosts, Some(&token), &["mcp"]), "codex");
    let asked = agent.begin(TOOL, &execute("touch made; echo out-of-the-box"));
    let approval = person.approve_next();
    let origin = approval.origin.unwrap();
    assert_eq!((origin.workspace.as_str(), origin.address.as_str()), ("/workspace", Network::CONTAINER));
    printed(&agent.result(asked), "out-of-the-box\n", 0);
    assert!(pair.host.workspace().join("made").exists());
    // What is headless runs inside, as nobody who is root.
    let mut inside = execute("id -u");
    inside["invocation"]["mode"] = json!("headless");
    assert_eq!(agent.ok(TOOL, &inside)["result"]["stdout"], "1000\n");
    agent.hang_up();
    pair.container.wait_until("the container is gone", SOON, || pair.container.processes().is_empty().then_some(()));
}

#[test]
fn what_is_missing_is_told_at_the_start_and_in_each_answer() {
    let (pair, image) = (pair(), Image::read());
    let said = |command: Command| {
        let output = { command }.output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, words) = said(image.run(&pair, "", None, &["--version"]));
    assert_eq!(code, Some(0), "{words}");
    assert!(words.contains("/run/secrets/flightdeck-bridge, which can't be read"), "{words}");
    assert!(words.contains("none of these names stands for an address"), "{words}");
    let mut strict = Image::read();
    strict.env.push(("FLIGHTDECK_BRIDGE_REQUIRED".into(), "1".into()));
    strict.env.push(("PM_INTERACTIVE_TERMINAL_HOST_PORT".into(), "70000".into()));
    let (code, words) = said(strict.run(&pair, "", None, &["--version"]));
    assert_eq!(code, Some(78), "{words}");
    assert!(words.contains("PM_INTERACTIVE_TERMINAL_HOST_PORT is '70000'"), "{words}");
    let mut agent = Agent::of(&image.run(&pair, "", None, &["mcp"]), "codex");
    failed(&agent.call(TOOL, &execute("echo hi")), "PM_TERM_INVALID_MODE");
    agent.hang_up();
    pair.container.wait_until("the container is gone", SOON, || pair.container.processes().is_empty().then_some(()));
}

#[test]
fn the_scripts_are_in_order() {
    let output =
        Command::new("shellcheck").args(["entrypoint.sh", "run-container.sh"]).current_dir(folder()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// The script is run with an engine that says what it was asked for.
fn engine(deck: &Deck, name: &str) -> String {
    let engine = deck.home().join(name);
    fs::write(&engine, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n").unwrap();
    fs::set_permissions(&engine, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    format!("{}:/usr/bin:/bin", deck.home().display())
}

/// What was asked for, and what was said besides.
fn asked(command: &mut Command) -> (Vec<String>, String) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let words = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    (words, String::from_utf8(output.stderr).unwrap())
}

/// Root hands the token over as a variable, anybody else as a file that the same number can read inside.
fn has_token(words: &[String], file: &Path) -> bool {
    if rustix::process::getuid().is_root() {
        return words.iter().any(|word| word == "PM_INTERACTIVE_TERMINAL_TOKEN");
    }
    let user = format!("{}:{}", rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
    let mount = format!("{}:/run/secrets/flightdeck-bridge:ro", file.display());
    words.contains(&user) && words.contains(&mount)
}

#[test]
fn the_container_is_started_with_the_host_in_reach_and_a_warning_when_nobody_listens() {
    let deck = Deck::new();
    let path = engine(&deck, "docker");
    let token = deck.home().join("token");
    fs::write(&token, "0123456789abcdef0123456789abcdef").unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let run = |port: &str| {
        let mut command = Command::new(folder().join("run-container.sh"));
        command.arg(deck.workspace()).arg("mcp").env_clear().env("PATH", &path).env("FLIGHTDECK_ENGINE", "docker");
        command.env("FLIGHTDECK_BRIDGE_TOKEN", &token).env("PM_INTERACTIVE_TERMINAL_HOST_PORT", port);
        asked(command.env("PM_INTERACTIVE_TERMINAL_TRACE_BRIDGE", "1"))
    };
    let (words, warned) = run(&port);
    assert_eq!((words[0].as_str(), words[words.len() - 1].as_str()), ("run", "mcp"), "{words:?}");
    for wanted in [
        "host.docker.internal:host-gateway",
        &format!("PM_INTERACTIVE_TERMINAL_HOST_PORT={port}"),
        "PM_INTERACTIVE_TERMINAL_TRACE_BRIDGE",
        &format!("{}:/workspace", deck.workspace().display()),
    ] {
        assert!(words.iter().any(|word| word == wanted), "{wanted}: {words:?}");
    }
    assert!(has_token(&words, &token), "{words:?}");
    assert!(
        !words.iter().any(|word| word.contains("0123456789abcdef")),
        "the token is no word of a command: {words:?}"
    );
    // Somebody listens, but where no container gets to.
    assert!(
        warned.contains("127.0.0.1, which a container can't reach") && warned.contains("serve --bridge="),
        "{warned}"
    );
    assert!(!warned.contains("nobody listens"), "{warned}");
    drop(listener);
    assert!(run(&port).1.contains("nobody listens"), "it warns");
}

#[test]
fn the_hub_of_the_folder_says_where_its_bridge_is() {
    let pair = pair();
    let path = engine(&pair.container, "podman");
    let programs = pair.container.home().join("flightdeck");
    std::os::unix::fs::symlink(pair.host.command(&[]).get_program(), &programs).unwrap();
    let mut command = Command::new(folder().join("run-container.sh"));
    command.arg(pair.host.workspace()).arg("mcp").env_clear();
    // As the person of the host, who has its hub.
    command.envs(pair.host.command(&[]).get_envs().filter_map(|(name, value)| Some((name, value?)))).env("PATH", &path);
    let (words, warned) = asked(&mut pair.network.inside_of(Side::Host, &command));
    assert_eq!(warned, "", "the bridge's own address is tried, and no other");
    assert!(words.iter().any(|word| word == "PM_INTERACTIVE_TERMINAL_HOST_PORT=45459"), "{words:?}");
    assert!(has_token(&words, &pair.token_file()), "{words:?}");
}
