//! What a text consists of, as the permissive reader sees it.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// Pipelines, one after the other.
#[derive(Debug, Default)]
pub(crate) struct List {
    pub pipelines: Vec<Pipeline>,
}

/// Commands that feed each other.
#[derive(Debug)]
pub(crate) struct Pipeline {
    pub stages: Vec<Stage>,
    /// Whether nobody waits for it.
    pub background: bool,
}

/// One command of a pipeline.
#[derive(Debug)]
pub(crate) enum Stage {
    Simple(Simple),
    Group(Group),
    Function(Function),
}

/// Words, with what stands around them.
#[derive(Debug)]
pub(crate) struct Simple {
    pub span: Range<usize>,
    /// As it was written.
    pub raw: String,
    pub assignments: Vec<Assignment>,
    pub words: Vec<Word>,
    pub redirects: Vec<Redirect>,
}

/// Anything that holds a list: parentheses, braces, loops, branches.
#[derive(Debug)]
pub(crate) struct Group {
    pub kind: GroupKind,
    /// The variable of a loop and what it goes through.
    pub binding: Option<(String, Vec<Word>)>,
    /// Words that are looked at but not run: of `case`, `[[`, `((`.
    pub words: Vec<Word>,
    pub body: List,
    pub redirects: Vec<Redirect>,
    pub span: Range<usize>,
}

/// What holds the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupKind {
    /// A process of its own: what it changes in the shell is gone after it.
    Subshell,
    /// Braces, branches and tests.
    Inline,
    /// It can run many times.
    Loop,
}

/// A function, with its body.
#[derive(Debug)]
pub(crate) struct Function {
    pub name: String,
    pub body: Rc<Stage>,
    pub span: Range<usize>,
}

/// `NAME=value`.
#[derive(Debug)]
pub(crate) struct Assignment {
    pub name: String,
    pub values: Vec<Word>,
}

/// Where input comes from or output goes to.
#[derive(Debug)]
pub(crate) struct Redirect {
    pub kind: RedirectKind,
    pub target: Word,
}

/// What a redirection does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RedirectKind {
    /// `<`
    Read,
    /// `>`, `>>`, `>|`, `&>`, `<>`
    Write,
    /// `>&2`: between descriptors.
    Descriptor,
    /// `<<<`, and `<<` with its lines.
    Text,
}

/// A word.
#[derive(Clone, Debug, Default)]
pub(crate) struct Word {
    pub parts: Vec<Part>,
    pub span: Range<usize>,
    /// As it was written.
    pub raw: String,
}

/// A part of a word.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// Without quotes: patterns and braces in it mean something.
    Bare(String),
    /// Between quotes, or after a backslash.
    Quoted(String),
    /// `$name`, `${name}`, `${name:-other}`, `${name[@]}`.
    Variable(Variable),
    /// `$(…)` or `` `…` ``.
    Substitution { list: Rc<List>, quoted: bool },
    /// `<(…)` or `>(…)`.
    Process { list: Rc<List> },
    /// The lines of a here-document, which are read after the word that announces them.
    Document(Rc<RefCell<Vec<Part>>>),
    /// Something that is not followed; the words in it are looked at.
    Opaque { inner: Vec<Part> },
}

/// An expansion of a variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub name: String,
    pub quoted: bool,
    /// All elements of a list.
    pub all: bool,
    /// What stands in its place when it is not set.
    pub otherwise: Vec<Part>,
    /// Its value is changed on the way: `${x#…}`.
    pub changed: bool,
}

/// Why the reader could not read to the end as a shell would.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub reason: &'static str,
    pub span: Range<usize>,
}

/// A whole text.
#[derive(Debug)]
pub(crate) struct Script {
    pub list: List,
    pub fault: Option<Fault>,
    /// How many words, quotes and expansions it holds.
    pub tokens: usize,
}
