//! What must hold on a busy machine too: no byte that was printed before an exit is missing after it.

use flightdeck_contract::terminal::Ran;
use flightdeck_e2e::Deck;
use serde_json::json;

const FLOODS: usize = 6;
const RUNS: usize = 25;

#[test]
fn a_short_command_is_whole_beside_floods() {
    let deck = Deck::new();
    let mut socket = deck.socket();
    let mut floods = Vec::new();
    for n in 0..FLOODS {
        let args = json!({ "command": ["yes"], "pipes": n % 2 == 0, "logBytes": 1 << 20 });
        floods.push(socket.call("flightdeck.terminal.new", args).unwrap()["id"].as_str().unwrap().to_owned());
    }
    let shell = deck.shell("bash");
    let (mut execs, mut wrong) = (Vec::new(), Vec::new());
    for n in 0..RUNS {
        for pipes in [true, false] {
            let script = format!("echo first {n}; echo last {n}; exit 3");
            let terminal = json!({ "command": ["sh", "-c", script], "pipes": pipes });
            let ran: Ran = serde_json::from_value(
                socket.call("flightdeck.terminal.exec", json!({ "terminal": terminal })).unwrap(),
            )
            .unwrap();
            execs.push(ran.id.to_string());
            if ran.output != format!("first {n}\nlast {n}\n") || ran.exit_code != Some(3) {
                wrong.push(format!("run {n}, pipes {pipes}: {ran:?}"));
            }
        }
        let ran = socket
            .call("flightdeck.terminal.run", json!({ "id": shell, "command": format!("echo shell {n}") }))
            .unwrap();
        if ran["output"] != format!("shell {n}\n") {
            wrong.push(format!("in the shell, {n}: {ran}"));
        }
    }
    for id in &floods {
        deck.cli(&["kill", id, "-s", "KILL"]).expect(0);
    }
    // Late is bad, lost would be worse: in the end every log is whole.
    for (n, id) in execs.iter().enumerate() {
        let wanted = format!("first {0}\nlast {0}\n", n / 2);
        deck.wait_until("the log is whole", flightdeck_e2e::SOON, || {
            (String::from_utf8_lossy(&deck.log_on_disk(id)).replace("\r\n", "\n") == wanted).then_some(())
        });
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), RUNS * 3, wrong.join("\n"));
}
