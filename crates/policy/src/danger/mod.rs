//! The search for danger. It is generous: it follows every wrapper, substitution and variable that it can, and what it can't
//! follow counts as dangerous.

mod args;
mod bomb;
mod code;
mod delete;
mod device;
mod fallback;
mod git;
mod handon;
mod helpers;
mod network;
mod second;
mod shells;
mod system;
mod target;
mod tmux;
mod value;
mod walk;
mod windows;
mod world;
mod write;

use std::ops::Range;
use std::rc::Rc;

use crate::environment::dangerous_setting;
use crate::shell::script::Stage;
use crate::shell::{MAX_DEPTH, MAX_LENGTH, MAX_PIECES};
use crate::{Danger, DangerKind, Piece, Place, Severity};
use args::Args;
use value::{Scope, Value};

/// How much work any text is worth, in units of about ten nanoseconds.
const WORK: usize = 32 * 1024;
/// How much work each byte of a text is worth: a bit more than the densest text needs when nothing in it is read twice.
const WORK_PER_BYTE: usize = 32;
/// Longer texts are documents and scripts, of which most is read once: they get less for each further byte, so that the time
/// stays bounded.
const SHORT_TEXT: usize = 64 * 1024;
const WORK_PER_FURTHER_BYTE: usize = 4;
/// What each command of a text may cost when all work is done: a short look, so that nothing hides behind a tangle.
const SHORT_LOOK: usize = 512;

/// What a search found.
#[derive(Debug)]
pub(crate) struct Found {
    pub pieces: Vec<Piece>,
    pub dangers: Vec<Danger>,
}

/// Searches a part of a text. What is not there may turn quotes and operators into something else, so words count too.
pub(crate) fn part(text: &str, place: &Place) -> Found {
    let mut search = Search::new(place, text.len());
    let mut scope = Scope::new(place);
    let here = Here::start(text);
    search.environment(&here);
    search.add(DangerKind::Unreadable, &here, "it is not known whole");
    fallback::scan(&mut search, text, &scope, &here);
    search.text(text, &mut scope, &here);
    search.finish()
}

/// Searches a text. Where both readings have agreed on a plain text, the second one has nothing to add.
pub(crate) fn line(text: &str, place: &Place, agreed: bool) -> Found {
    let mut search = Search::new(place, text.len());
    search.agreed = agreed;
    let mut scope = Scope::new(place);
    let here = Here::start(text);
    search.environment(&here);
    search.text(text, &mut scope, &here);
    search.finish()
}

/// Searches a command that no shell reads.
pub(crate) fn argv(words: &[String], place: &Place) -> Found {
    let length: usize = words.iter().map(String::len).sum();
    let mut search = Search::new(place, length);
    let mut scope = Scope::new(place);
    let values: Vec<Value> = words.iter().map(|word| Value::literal(word)).collect();
    let here = Here { piece: None, span: 0..0, depth: 0, nested: 0, fixed: Some(0..0), input: Input::Open };
    search.environment(&here);
    if length > MAX_LENGTH {
        search.add(DangerKind::Unreadable, &here, too_long(length));
    } else {
        let here = search.piece(&values, &here, &words.join(" "));
        search.command(&values, &mut scope, &here);
    }
    search.finish()
}

/// Why a text is not read to its end.
pub(crate) fn too_long(length: usize) -> String {
    format!("it is {length} bytes long, and no more than {MAX_LENGTH} are read")
}

/// What comes in on standard input.
#[derive(Clone, Debug)]
enum Input {
    /// Nothing that the text decides.
    Open,
    /// Known text.
    Text(Rc<str>),
    /// The output of another program, by its name.
    Program(Rc<str>),
}

/// Where the search stands.
#[derive(Clone, Debug)]
struct Here {
    piece: Option<usize>,
    span: Range<usize>,
    depth: usize,
    /// How many texts are nested in each other: `sh -c '…'`.
    nested: usize,
    /// The place of the word that holds a nested text.
    fixed: Option<Range<usize>>,
    input: Input,
}

impl Here {
    /// At the beginning of a text.
    fn start(text: &str) -> Here {
        Here { piece: None, span: 0..text.len(), depth: 0, nested: 0, fixed: None, input: Input::Open }
    }

    fn at(&self, span: &Range<usize>) -> Here {
        Here { span: self.fixed.clone().unwrap_or_else(|| span.clone()), ..self.clone() }
    }

    fn deeper(&self) -> Here {
        Here { depth: self.depth + 1, input: Input::Open, ..self.clone() }
    }
}

struct Search<'p> {
    place: &'p Place,
    pieces: Vec<Piece>,
    dangers: Vec<Danger>,
    /// The work that is left.
    work: usize,
    /// The work that is left for short looks, in the text itself and in nested texts.
    grace: usize,
    nested_grace: usize,
    /// How many texts and commands are being followed inside of each other.
    level: usize,
    /// Whether pieces are noted: not when a function's body is followed again.
    noting: bool,
    /// Whether there was ever more work than allowed.
    tangled: bool,
    /// Whether nothing more is followed for now.
    exhausted: bool,
    /// The bodies of the functions that are being followed.
    following: Vec<Rc<Stage>>,
    /// Whether the grammar has confirmed the text.
    agreed: bool,
}

/// A command that is looked at.
struct Call<'a> {
    /// The program's name without its folder, in lower case.
    name: &'a str,
    /// Its arguments.
    args: Args<'a>,
    /// Their texts, for matching on their shape.
    texts: &'a [&'a str],
}

impl<'p> Search<'p> {
    fn new(place: &'p Place, length: usize) -> Search<'p> {
        let (short, long) = (length.min(SHORT_TEXT), length.min(MAX_LENGTH).saturating_sub(SHORT_TEXT));
        let work = WORK + WORK_PER_BYTE * short + WORK_PER_FURTHER_BYTE * long;
        Search {
            place,
            pieces: Vec::new(),
            dangers: Vec::new(),
            work,
            grace: work,
            nested_grace: work / 2,
            level: 0,
            noting: true,
            tangled: false,
            exhausted: false,
            following: Vec::new(),
            agreed: false,
        }
    }

    fn finish(mut self) -> Found {
        // The worst first; among equals the order of the text.
        self.dangers.sort_by(|a, b| {
            b.severity.cmp(&a.severity).then(a.span.start.cmp(&b.span.start)).then(a.kind.cmp(&b.kind))
        });
        Found { pieces: self.pieces, dangers: self.dangers }
    }

    /// Notes a danger that a person can allow.
    fn add(&mut self, kind: DangerKind, here: &Here, reason: impl Into<String>) {
        self.note(kind, Severity::Ask, here, reason.into());
    }

    /// Notes a danger that nobody can allow.
    fn never(&mut self, kind: DangerKind, here: &Here, reason: impl Into<String>) {
        self.note(kind, Severity::Never, here, reason.into());
    }

    fn note(&mut self, kind: DangerKind, severity: Severity, here: &Here, reason: String) {
        if severity == Severity::Ask && self.dangers.len() >= 200 {
            return;
        }
        let reason = shown(reason);
        let known = |danger: &Danger| danger.kind == kind && danger.severity == severity && danger.reason == reason;
        if self.dangers.len() < 200 && !self.dangers.iter().any(known) {
            self.dangers.push(Danger { kind, severity, piece: here.piece, span: here.span.clone(), reason });
        } else if severity == Severity::Never && self.dangers.len() >= 200 {
            self.dangers.insert(0, Danger { kind, severity, piece: here.piece, span: here.span.clone(), reason });
            self.dangers.truncate(200);
        }
    }

    /// Counts work; beyond the limit nothing more is followed, and that is a danger.
    fn spend(&mut self, amount: usize, here: &Here) -> bool {
        // Each level reads again what the levels around it hold: from the second on they cost double each.
        let amount = amount << here.nested.saturating_sub(1).min(8);
        match self.work.checked_sub(amount) {
            Some(left) => self.work = left,
            None if self.exhausted => {}
            None => {
                (self.tangled, self.exhausted) = (true, true);
                self.add(DangerKind::Unreadable, here, "it is too tangled to be followed");
            }
        }
        !self.exhausted
    }

    /// Whether the next command of a list is looked at. Once all work was done, each gets a short look.
    fn goes_on(&mut self, here: &Here) -> bool {
        if !self.tangled {
            return true;
        }
        // What is nested has a share of its own, so that it leaves enough for what stands after it.
        let nested = here.depth > 0 || here.fixed.is_some();
        let grace = if nested { &mut self.nested_grace } else { &mut self.grace };
        let missing = SHORT_LOOK.saturating_sub(self.work);
        let Some(left) = grace.checked_sub(missing) else { return !self.exhausted };
        *grace = left;
        self.work += missing;
        self.exhausted = false;
        true
    }

    /// Whether a nested text or a function is followed. After a tangle only some are: the rest of the text comes first.
    fn enters(&mut self) -> bool {
        if !self.tangled {
            return true;
        }
        let left = self.nested_grace.checked_sub(SHORT_LOOK);
        self.nested_grace = left.unwrap_or(self.nested_grace);
        left.is_some()
    }

    /// The variables that the caller sets.
    fn environment(&mut self, here: &Here) {
        let place = self.place;
        for (name, value) in &place.env {
            if dangerous_setting(name, value) {
                self.add(
                    DangerKind::Environment,
                    here,
                    format!("the variable {name} changes what programs are found or started"),
                );
            }
        }
    }

    /// Notes a simple command.
    fn piece(&mut self, values: &[Value], here: &Here, text: &str) -> Here {
        let mut here = here.clone();
        if !self.noting {
            return here;
        }
        if self.pieces.len() >= MAX_PIECES {
            (self.tangled, self.exhausted) = (true, true);
            self.add(DangerKind::Unreadable, &here, "it holds too many commands");
            return here;
        }
        let words: Vec<crate::Word> = values.iter().map(word).collect();
        here.piece = Some(self.pieces.len());
        self.pieces.push(Piece { text: text.to_owned(), span: here.span.clone(), depth: here.depth, words });
        here
    }

    /// Looks at a command, and at what it hands on to.
    fn command(&mut self, values: &[Value], scope: &mut Scope, here: &Here) {
        let Some((program, rest)) = values.split_first() else { return };
        if self.level >= MAX_DEPTH {
            return self.add(DangerKind::Unreadable, here, "it is nested too deep");
        }
        if !self.spend(values.len() * 8 + 48, here) {
            return;
        }
        self.level += 1;
        let base = program.text.rsplit(['/', '\\']).next().unwrap_or_default();
        let lower = base.bytes().any(|byte| byte.is_ascii_uppercase()).then(|| base.to_ascii_lowercase());
        let name = lower.as_deref().unwrap_or(base);
        let name = [".exe", ".cmd", ".bat", ".com"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        let texts = Args(rest).texts();
        let call = Call { name, args: Args(rest), texts: &texts };
        if !program.exact()
            && !matches!(program.text.as_str(), "[" | "[[")
            && (name.contains(value::UNKNOWN) || name.is_empty() || program.glob)
        {
            shells::unknown_program(self, program, &call, scope, here);
        } else {
            handon::follow(self, &call, scope, here);
            shells::check(self, &call, scope, here);
            code::check(self, &call, scope, here);
            delete::check(self, &call, scope, here);
            device::check(self, &call, scope, here);
            write::check(self, &call, scope, here);
            git::check(self, &call, scope, here);
            helpers::check(self, &call, scope, here);
            system::check(self, &call, here);
            network::check(self, &call, here);
            world::check(self, &call, here);
            windows::check(self, &call, scope, here);
        }
        self.level -= 1;
    }
}

/// A reason as people see it: short, and without signs that only the search knows.
fn shown(reason: String) -> String {
    if reason.len() <= 300 && reason.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return reason;
    }
    let reason: String = reason.chars().filter(|c| !c.is_control()).take(300).collect();
    reason.replace(value::UNKNOWN, "…").replace(value::SOMEWHERE, ".")
}

fn word(value: &Value) -> crate::Word {
    if value.exact() { crate::Word::Literal(value.text.clone()) } else { crate::Word::Unknown(value.raw().to_owned()) }
}

#[cfg(test)]
mod tests;
