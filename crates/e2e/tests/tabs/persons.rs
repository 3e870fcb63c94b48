//! What runs in a tab is no person, and what stands at its prompt does not become a part of an agent's command.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::json;

use super::windows::tmux;
use super::{Backend, ok, run, tab};

on_both_backends!(a_program_in_a_tab_does_not_decide_about_agents, a_line_that_goes_on_is_dropped_before_a_command);

/// Ways to start a program so that it looks like somebody else's.
const DISGUISES: [&str; 4] =
    ["./ask", "setsid --wait ./ask", "(setsid ./ask &) &", "(env -i setsid setsid --fork ./ask &) &"];

fn a_program_in_a_tab_does_not_decide_about_agents(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "sly");
    let id = tab(&mut agent, "t");
    let (program, workspace) = (deck.command(&[]).get_program().to_owned(), deck.workspace());
    let environment: String = ["HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"]
        .iter()
        .map(|name| {
            let value = deck.command(&[]).get_envs().find(|(key, _)| key == name).unwrap().1.unwrap().to_owned();
            format!("export {name}={}\n", value.display())
        })
        .collect();
    let calls = "policy add 'rm *'; {p} approve --list; {p} call flightdeck.bridge.register '{\"name\": \"IDE\"}'";
    let script = format!(
        "#!/bin/sh\n{environment}export PATH=/usr/bin:/bin\ncd {}\n({{p}} {calls}) >said 2>&1\nmv said answer\n",
        workspace.display()
    )
    .replace("{p}", &program.display().to_string());
    fs::write(workspace.join("ask"), script).unwrap();
    fs::set_permissions(workspace.join("ask"), fs::Permissions::from_mode(0o755)).unwrap();
    for disguise in DISGUISES {
        run(&mut agent, &id, disguise);
        let said = deck.wait_until("the answer to a program in a tab", SOON, || {
            fs::read_to_string(workspace.join("answer")).ok().filter(|said| !said.is_empty())
        });
        fs::remove_file(workspace.join("answer")).unwrap();
        for command in ["flightdeck.policy.add", "flightdeck.approval.list", "flightdeck.bridge.register"] {
            assert!(said.contains(&format!("{command} is for people only")), "{disguise}: {said}");
        }
    }
}

fn a_line_that_goes_on_is_dropped_before_a_command(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "sly");
    let id = tab(&mut agent, "t");
    // An agent's is refused; a person can leave one there.
    let open = json!({ "window_id": id, "command": "echo >made \\" });
    super::refused(&mut agent, "start_process", &open, "syntax_error");
    run(&mut agent, &id, "true");
    let terminal = deck.json(&["ls", "--json"])[0]["id"].as_str().unwrap().to_owned();
    deck.cli(&["send", &terminal, "echo >made \\", "-e"]).expect(0);
    assert_eq!(run(&mut agent, &id, "echo fine"), ("fine\n".to_owned(), 0));
    assert!(!deck.workspace().join("made").exists(), "the two were joined");
}

/// What a person types in a window of tmux is not seen by the hub.
#[test]
fn what_a_person_has_half_typed_in_tmux_is_dropped_before_a_command() {
    let deck: Deck = Backend::Tmux.deck();
    let mut agent = Agent::new(&deck, "sly");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "true");
    let half = || {
        tmux(&deck, &["send-keys", "-l", "-t", &id, "echo >made "]);
        deck.wait_until("the half line is there", SOON, || {
            tmux(&deck, &["capture-pane", "-p", "-t", &id]).trim_end().ends_with("echo >made").then_some(())
        });
    };
    half();
    assert_eq!(run(&mut agent, &id, "echo fine"), ("fine\n".to_owned(), 0));
    half();
    ok(&mut agent, "start_process", &json!({ "window_id": id, "command": "echo started" }));
    super::in_log(&deck, &mut agent, &id, "\nstarted");
    assert!(!deck.workspace().join("made").exists(), "the two were joined");
}
