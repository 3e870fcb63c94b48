//! A window that changes while a long line is typed: nothing that was printed before is lost.

use flightdeck_e2e::{Deck, SOON, in_each_shell};

in_each_shell![no_output_vanishes_while_a_line_is_typed];

fn no_output_vanishes_while_a_line_is_typed(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    let resize = |cols: u16| {
        deck.cli(&["resize", &id, &format!("{cols}x24")]).expect(0);
    };
    resize(178);
    deck.run_in(&id, "printf 'out %s\\n' 1 2 3 4 5 6");
    for round in 0..3 {
        let words: Vec<String> = (0..30).map(|word| format!("w{round}{word}")).collect();
        deck.cli(&["send", &id, &format!("echo {} done-{round}", words.join(" "))]).expect(0);
        deck.on_screen(&id, &format!("done-{round}"));
        for cols in [90, 60, 178] {
            let before = deck.log_on_disk(&id).len();
            resize(cols);
            if shell != "dash" {
                deck.wait_until("the line is drawn anew", SOON, || {
                    (deck.log_on_disk(&id).len() > before).then_some(())
                });
            }
            deck.wait_until("it is whole", SOON, || {
                let text = deck.screen(&id).text.replace('\n', "");
                text.contains(&format!("done-{round}")).then_some(())
            });
        }
        deck.press(&id, &["Enter"]);
        deck.at_prompt(&id);
        let (screen, log) = (deck.screen(&id).text, deck.cli(&["logs", &id, "-n", "200"]).expect(0).text());
        for line in (1..=6).map(|number| format!("out {number}")).chain([words.join(" ")]) {
            assert!(log.contains(&line), "{shell}, round {round}: {line} is lost from the log: {log}");
            assert!(screen.contains(&line), "{shell}, round {round}: {line} is lost from the screen: {screen}");
        }
    }
}
