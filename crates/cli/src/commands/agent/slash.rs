//! Commands that are typed with a slash: ours, and those that the agent understands.

use flightdeck_contract::chat::{Chat, ChatState, Choosable, OptionValue, Usage};
use flightdeck_view::shown::prose;

use super::calls::Choose;
use super::styled::{Look, StyledLine};

/// A command of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slash {
    Help,
    Mode(Option<String>),
    Model(Option<String>),
    Cancel,
    Usage,
    Quit,
}

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// For the agent.
    Prompt,
    Ours(Slash),
    /// A command that nobody knows.
    Unknown(String),
}

/// Something that a line may become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub text: String,
    pub about: String,
}

const OURS: [(&str, &str); 6] = [
    ("help", "what can be typed"),
    ("mode", "show or choose the agent's mode"),
    ("model", "show or choose the agent's model"),
    ("cancel", "cancel the turn, and drop what is queued"),
    ("usage", "what the conversation has used"),
    ("quit", "leave; the agent goes on"),
];

/// Reads a line. A command stands at its very beginning, and is one word of letters: a path is none.
pub fn parse(line: &str, chat: &Chat) -> Typed {
    let Some(rest) = line.strip_prefix('/') else { return Typed::Prompt };
    let (name, given) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'));
    if !is_name {
        return Typed::Prompt;
    }
    let given = Some(given.trim()).filter(|given| !given.is_empty()).map(str::to_owned);
    match name {
        "help" => Typed::Ours(Slash::Help),
        "mode" => Typed::Ours(Slash::Mode(given)),
        "model" => Typed::Ours(Slash::Model(given)),
        "cancel" => Typed::Ours(Slash::Cancel),
        "usage" => Typed::Ours(Slash::Usage),
        "quit" | "exit" => Typed::Ours(Slash::Quit),
        name if chat.commands.iter().any(|command| command.name == name) => Typed::Prompt,
        name => Typed::Unknown(format!(
            "there is no command /{name}: /help lists them; a space before it says it to the agent"
        )),
    }
}

/// What a beginning may become.
pub fn candidates(text: &str, chat: &Chat) -> Vec<Candidate> {
    let Some(rest) = text.strip_prefix('/').filter(|rest| !rest.contains('\n')) else { return Vec::new() };
    let all: Vec<(String, String)> = match rest.split_once(' ') {
        Some(("mode", _)) => modes(chat).into_iter().map(|(_, id, name)| (format!("mode {id}"), name)).collect(),
        Some(("model", _)) => {
            let values = models(chat).map_or(&[][..], |(_, _, values)| values);
            values.iter().map(|value| (format!("model {}", value.id), value.name.clone())).collect()
        }
        Some(_) => Vec::new(),
        None => {
            let ours = OURS.iter().map(|(name, about)| ((*name).to_owned(), (*about).to_owned()));
            let theirs = chat.commands.iter().filter(|command| !OURS.iter().any(|(name, _)| *name == command.name));
            ours.chain(theirs.map(|command| (command.name.clone(), command.description.clone()))).collect()
        }
    };
    let fits = all.into_iter().filter(|(text, _)| text.starts_with(rest) && text != rest);
    let first_line = |text: &str| prose(text.lines().next().unwrap_or_default());
    fits.map(|(text, about)| Candidate { text: format!("/{text}"), about: first_line(&about) }).collect()
}

/// What the tab key makes of a beginning.
pub fn complete(text: &str, chat: &Chat) -> Option<String> {
    let candidates = candidates(text, chat);
    let first = candidates.first()?;
    if candidates.len() == 1 {
        let takes_more = matches!(first.text.as_str(), "/mode" | "/model");
        let hinted = chat.commands.iter().any(|it| it.hint.is_some() && first.text[1..] == it.name);
        return Some(first.text.clone() + if takes_more || hinted { " " } else { "" });
    }
    let common = |a: &str, b: &str| a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
    let shared = candidates.iter().fold(first.text.clone(), |shared, it| common(&shared, &it.text));
    (shared.len() > text.len()).then_some(shared)
}

pub fn help(chat: &Chat) -> Vec<StyledLine> {
    let row = |name: &str, about: &str| StyledLine::of(Look::CYAN, format!("  {name:<12}")).and(Look::PLAIN, about);
    let mut lines: Vec<StyledLine> = OURS.iter().map(|(name, about)| row(&format!("/{name}"), about)).collect();
    for command in &chat.commands {
        let hint = command.hint.as_deref().map_or_else(String::new, |hint| format!(" ({})", prose(hint)));
        lines.push(row(
            &format!("/{}", prose(&command.name)),
            &(prose(&command.description.replace('\n', " ")) + &hint),
        ));
    }
    let keys = "  Enter says it; Alt-Enter or Ctrl-J begins another line; Up and Down bring back what was said; \
                Ctrl-C cancels the turn, and leaves when there is none; Ctrl-D leaves";
    lines.push(StyledLine::of(Look::DIM, keys));
    lines
}

/// The modes of the agent: how each is chosen, its id and its name.
fn modes(chat: &Chat) -> Vec<(Choose, String, String)> {
    if let Some(modes) = &chat.modes {
        let mode = |mode: &flightdeck_contract::chat::ChatMode| {
            (Choose::Mode(mode.id.clone()), mode.id.clone(), mode.name.clone())
        };
        return modes.available.iter().map(mode).collect();
    }
    let Some((option, _, values)) = of_category(chat, "mode") else { return Vec::new() };
    let value = |value: &OptionValue| {
        (Choose::Option { option: option.to_owned(), value: value.id.clone() }, value.id.clone(), value.name.clone())
    };
    values.iter().map(value).collect()
}

/// The models of the agent: the option, the one that counts, and all of them.
pub fn models(chat: &Chat) -> Option<(&str, &str, &[OptionValue])> {
    of_category(chat, "model")
}

fn of_category<'a>(chat: &'a Chat, category: &str) -> Option<(&'a str, &'a str, &'a [OptionValue])> {
    chat.options.iter().find_map(|option| match &option.choosable {
        Choosable::Select { current, values } if option.category.as_deref() == Some(category) => {
            Some((option.id.as_str(), current.as_str(), values.as_slice()))
        }
        _ => None,
    })
}

fn current_mode(chat: &Chat) -> Option<&str> {
    let by_option = || of_category(chat, "mode").map(|(_, current, _)| current);
    chat.modes.as_ref().map(|modes| modes.current.as_str()).or_else(by_option)
}

/// The mode that is meant, by its id or its name.
pub fn choose_mode(chat: &Chat, wanted: &str) -> Result<Choose, String> {
    let modes = modes(chat);
    let by_id = modes.iter().find(|(_, id, _)| id == wanted);
    let found = by_id.or_else(|| modes.iter().find(|(_, _, name)| name.eq_ignore_ascii_case(wanted)));
    let names = || modes.iter().map(|(_, id, _)| prose(id)).collect::<Vec<_>>().join(", ");
    match found {
        Some((choose, ..)) => Ok(choose.clone()),
        None if modes.is_empty() => Err(none_to_choose(chat, "modes")),
        None => Err(format!("there is no mode {:?}; there are: {}", prose(wanted), names())),
    }
}

/// The model that is meant, by its id or its name.
pub fn choose_model(chat: &Chat, wanted: &str) -> Result<Choose, String> {
    let Some((option, _, values)) = models(chat) else {
        return Err(none_to_choose(chat, "models"));
    };
    let by_id = values.iter().find(|value| value.id == wanted);
    let found = by_id.or_else(|| values.iter().find(|value| value.name.eq_ignore_ascii_case(wanted)));
    let names = || values.iter().map(|value| prose(&value.id)).collect::<Vec<_>>().join(", ");
    match found {
        Some(value) => Ok(Choose::Option { option: option.to_owned(), value: value.id.clone() }),
        None => Err(format!("there is no model {:?}; there are: {}", prose(wanted), names())),
    }
}

/// Why nothing can be chosen. An agent tells its modes and models when it has started.
fn none_to_choose(chat: &Chat, what: &str) -> String {
    let agent = prose(&chat.agent.title);
    match chat.state {
        ChatState::Starting => {
            format!("{agent} is still starting, and has not told its {what}: try again when it is ready")
        }
        ChatState::WaitsForSignIn => format!("{agent} tells its {what} once you have signed in"),
        _ => format!("{agent} has no {what} to choose from"),
    }
}

/// What can be chosen, with a mark at what counts.
pub fn choices(chat: &Chat, of_models: bool) -> Vec<StyledLine> {
    let (all, current): (Vec<(String, String)>, Option<&str>) = if of_models {
        let found = models(chat);
        let values = found.map_or(&[][..], |(_, _, values)| values);
        (values.iter().map(|it| (it.id.clone(), it.name.clone())).collect(), found.map(|(_, current, _)| current))
    } else {
        (modes(chat).into_iter().map(|(_, id, name)| (id, name)).collect(), current_mode(chat))
    };
    if all.is_empty() {
        let what = if of_models { "models" } else { "modes" };
        return vec![StyledLine::of(Look::DIM, none_to_choose(chat, what))];
    }
    let row = |(id, name): (String, String)| {
        let mark = if current == Some(id.as_str()) { "  ● " } else { "    " };
        let name = if id == name { String::new() } else { format!("  {}", prose(&name)) };
        StyledLine::of(Look::GREEN, mark).and(Look::CYAN, &prose(&id)).and(Look::PLAIN, &name)
    };
    all.into_iter().map(row).collect()
}

/// What a conversation has used, in words.
pub fn usage(usage: Option<&Usage>) -> Option<String> {
    let usage = usage?;
    let context = usage.context.map(|used| match usage.size {
        Some(size) if size > 0 => format!("{} of {} tokens ({} %)", short(used), short(size), used * 100 / size),
        _ => format!("{} tokens", short(used)),
    });
    let total = usage.tokens.map(|tokens| format!("{} in all", short(tokens)));
    let cost = usage.cost.as_ref().map(|cost| format!("{:.2} {}", cost.amount, prose(&cost.currency)));
    let parts: Vec<String> = [context, total, cost].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

fn short(count: u64) -> String {
    match count {
        0..1000 => count.to_string(),
        1000..1_000_000 => format!("{}.{}k", count / 1000, count % 1000 / 100),
        _ => format!("{}.{}M", count / 1_000_000, count % 1_000_000 / 100_000),
    }
}

/// One line about how a conversation stands.
pub fn status(chat: &Chat) -> String {
    let named = |id: &str, values: Vec<(String, String)>| {
        values.into_iter().find(|(of, _)| of == id).map_or_else(|| prose(id), |(_, name)| prose(&name))
    };
    let mode =
        current_mode(chat).map(|id| named(id, modes(chat).into_iter().map(|(_, id, name)| (id, name)).collect()));
    let model = models(chat)
        .map(|(_, current, values)| named(current, values.iter().map(|it| (it.id.clone(), it.name.clone())).collect()));
    let agent = format!("{} {}", chat.id, prose(&chat.agent.title));
    let state = Some(chat.state.name().to_owned());
    [state, Some(agent), mode, model, usage(chat.usage.as_ref())].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
