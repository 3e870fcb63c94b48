//! The window answers for a person, so other processes of the same user can't look into it.

use std::path::PathBuf;

use flightdeck_e2e::{Deck, intrude, window_command};
use serde_json::json;

/// Opens the window without a display, waits until it can be asked, and tries to get into it.
const INTRUDER: &str = r#"
subprocess.run([flightdeck, "restart"], check=True, stdout=subprocess.DEVNULL)
drawn = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "FLIGHTDECK_WINDOW_LOG": "events"}
window = subprocess.Popen(others, env=drawn, stderr=subprocess.PIPE, text=True)
told = []
for line in window.stderr:
    told.append(line.rstrip())
    if told[-1].endswith(" ready"):
        break
free = subprocess.Popen(["sleep", "1000"])
answers = {"told": told, "free": open_to_us(free.pid), "window": open_to_us(window.pid),
           "traced": below_a_debugger(*others, "--version")}
free.kill()
window.kill()
window.wait()
subprocess.run([flightdeck, "stop", "--all"], check=True, stdout=subprocess.DEVNULL)
"#;

#[test]
#[ignore = "needs the window: make desktop-test"]
fn nobody_looks_into_the_window() {
    let deck = Deck::new();
    let window = PathBuf::from(window_command(&deck, &[]).get_program());
    let answers = intrude(&deck, INTRUDER, &[&window]);
    let told = answers["told"].as_array().unwrap().last().and_then(serde_json::Value::as_str).unwrap_or_default();
    assert!(told.ends_with(" ready"), "{answers}");
    assert!(answers["free"].as_array().unwrap().contains(&json!("environ")), "a control: {answers}");
    assert_eq!(answers["window"], json!([]), "{answers}");
    assert_eq!(answers["traced"], 77, "below a debugger it does not begin: {answers}");
}
