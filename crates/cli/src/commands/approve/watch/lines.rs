//! Answers in lines, for pipes and programs: `y`, `n because it is Friday`, `e another command`, each for what was
//! shown last, or for what it names: `a2 y`.

use std::process::ExitCode;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::mpsc;

use super::desk::{Act, Word};
use super::stream::News;
use super::{Flow, Watch};

pub async fn run(mut watch: Watch, mut news: mpsc::Receiver<News>) -> anyhow::Result<ExitCode> {
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    loop {
        watch.desk.armed();
        watch.page.draw(watch.desk.prompt())?;
        let flow = tokio::select! {
            came = news.recv() => watch.news(came).await?,
            line = lines.next_line() => match line? {
                Some(line) => {
                    let acts = match parse(&line) {
                        Ok(Some((Some(id), _))) if watch.desk.current() != Some(id) => {
                            vec![Act::Say(vec![format!("{id} is not what is asked about now")])]
                        }
                        Ok(Some((_, word))) => watch.desk.word(word),
                        Ok(None) => Vec::new(),
                        Err(problem) => vec![Act::Say(vec![problem.to_owned()])],
                    };
                    watch.perform(acts).await?
                }
                None => Flow::Quit,
            },
        };
        if let Flow::Quit = flow {
            return watch.leave(ExitCode::SUCCESS);
        }
    }
}

type Line = (Option<flightdeck_contract::ApprovalId>, Word);

/// Reads a line; `None` when it is empty.
pub fn parse(line: &str) -> Result<Option<Line>, &'static str> {
    let mut line = line.trim();
    let mut id = None;
    let cut = |text: &str| text.find(char::is_whitespace).unwrap_or(text.len());
    if let Ok(named) = line[..cut(line)].parse() {
        id = Some(named);
        line = line[cut(line)..].trim_start();
    }
    let (first, rest) = line.split_at(cut(line));
    let letter = match first {
        "" if id.is_none() => return Ok(None),
        "y" | "yes" | "once" => 'y',
        "t" | "terminal" => 't',
        "s" | "session" => 's',
        "a" | "always" => 'a',
        "e" | "edit" => 'e',
        "n" | "no" => 'n',
        "v" | "view" => 'v',
        "d" => 'd',
        "q" | "quit" => 'q',
        number if number.len() == 1 && matches!(number.as_bytes(), [b'1'..=b'9']) => char::from(number.as_bytes()[0]),
        _ => return Err("not understood: y, t, s, a, n REASON, e COMMAND, v or q, with the id before it if you like"),
    };
    let rest = Some(rest.trim()).filter(|rest| !rest.is_empty()).map(str::to_owned);
    // A yes with something after it may not be one.
    if rest.is_some() && !matches!(letter, 'e' | 'n') {
        return Err("not understood: only n and e take something after them");
    }
    Ok(Some((id, Word { letter, rest })))
}
