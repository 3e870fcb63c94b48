//! What decides for a person can't be looked into by other processes of the same user, and the hub knows people although
//! it may not look into theirs.

use flightdeck_e2e::{Deck, intrude};
use serde_json::json;

/// Starts a hub and `approve --watch`, and tries to get into each.
const INTRUDER: &str = r#"
subprocess.run([flightdeck, "restart"], check=True, stdout=subprocess.DEVNULL)
status = ask("status", "--json")
watch = subprocess.Popen([flightdeck, "approve", "--watch", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
first = watch.stdout.readline()
free = subprocess.Popen(["sleep", "1000"], stdin=subprocess.PIPE)
answers = {"free": open_to_us(free.pid), "approve": open_to_us(watch.pid), "hub": open_to_us(status["pid"]),
           "keeper": open_to_us(status["keeperPid"]), "first": json.loads(first),
           "person": ask("call", "flightdeck.approval.list", "{}"), "traced": {args: below_a_debugger(flightdeck, *args.split()) for args in
           ["approve --list", "consent", "policy show", "agent --list", "pair", "open --print"]}}
free.kill()
watch.stdin.close()
watch.stdout.read()
watch.wait()
subprocess.run([flightdeck, "stop", "--all"], check=True, stdout=subprocess.DEVNULL)
"#;

#[test]
fn what_decides_for_a_person_lets_nobody_look_into_it() {
    let deck = Deck::new();
    let answers = intrude(&deck, INTRUDER, &[]);
    assert!(answers["free"].as_array().unwrap().contains(&json!("environ")), "a control: {answers}");
    for process in ["approve", "hub", "keeper"] {
        assert_eq!(answers[process], json!([]), "{process}: {answers}");
    }
    assert_eq!(answers["person"]["success"], true, "{answers}");
    for (command, code) in answers["traced"].as_object().unwrap() {
        assert_eq!(code, 1, "{command} does not begin below a debugger: {answers}");
    }
}
