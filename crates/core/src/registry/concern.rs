//! What a request is about, as its type tells: the gate hides terminals, notes calls and finds secrets by it.

use flightdeck_contract::TerminalId;

use crate::hub::Hub;
use crate::order::Place;
use crate::terminals::named::TerminalRef;

/// What a request is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Concern {
    /// The terminal, as the caller names it.
    pub terminal: Option<TerminalRef>,
    /// What else: a file, a pane, a text to find.
    pub subject: Option<String>,
    /// The file or folder that it touches, with what is in it.
    pub path: Option<String>,
    /// Whether it touches the panes.
    pub panes: bool,
    /// What it means for the list of terminals.
    pub listing: Listing,
    /// Whether it must not be held up by what it may be meant to end.
    pub urgent: bool,
    /// Whether it types, so that it comes after commands which stand in line.
    pub types: bool,
}

/// What a request means for the list of terminals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Listing {
    /// Nothing.
    #[default]
    None,
    /// One comes, perhaps under a title by which it can be named.
    Comes(Option<String>),
    /// One goes.
    Goes,
    /// It is the list.
    Listed,
}

/// A request that says what it is about. Each type says so for itself: one that forgot would be let through.
pub(crate) trait Concerns {
    /// What it is about.
    fn concern(&self) -> Concern;
}

impl Concern {
    /// About a terminal.
    pub(crate) fn terminal(terminal: impl Into<TerminalRef>) -> Self {
        Concern { terminal: Some(terminal.into()), ..Concern::default() }
    }

    /// The id of the terminal, where the caller names it by that.
    pub(crate) fn terminal_id(&self) -> Option<TerminalId> {
        match &self.terminal {
            Some(TerminalRef::Id(id)) => Some(*id),
            _ => None,
        }
    }

    /// About a terminal that its caller knows by id or title.
    pub(crate) fn named(name: &str) -> Self {
        Concern { subject: Some(name.to_owned()), ..Concern::terminal(TerminalRef::of(name)) }
    }

    /// About something else.
    pub(crate) fn subject(subject: &str) -> Self {
        Concern { subject: Some(subject.to_owned()), ..Concern::default() }
    }

    /// About a file or a folder.
    pub(crate) fn path(path: &str) -> Self {
        Concern { path: Some(path.to_owned()), ..Concern::subject(path) }
    }

    /// About the whole workspace.
    pub(crate) fn all_files() -> Self {
        Concern { path: Some(String::new()), ..Concern::default() }
    }

    /// It touches the panes too.
    pub(crate) fn and_panes(self) -> Self {
        Concern { panes: true, ..self }
    }

    /// A terminal comes by it.
    pub(crate) fn new_terminal(title: Option<&String>) -> Self {
        Concern { listing: Listing::Comes(title.cloned()), ..Concern::default() }
    }

    /// A terminal goes by it.
    pub(crate) fn and_ends(self) -> Self {
        Concern { listing: Listing::Goes, ..self }
    }

    /// It lists terminals.
    pub(crate) fn list() -> Self {
        Concern { listing: Listing::Listed, ..Concern::default() }
    }

    /// It must not be held up.
    pub(crate) fn urgently(self) -> Self {
        Concern { urgent: true, ..self }
    }

    /// It types.
    pub(crate) fn and_types(self) -> Self {
        Concern { types: true, ..self }
    }

    /// Whether the program in its terminal waits for what would be typed.
    pub(crate) fn is_asked(&self, hub: &Hub) -> bool {
        let id = self.terminal.as_ref().and_then(|terminal| terminal.id(hub));
        id.and_then(|id| hub.session(id).ok()).is_some_and(|session| session.asks())
    }

    /// What it touches, for the order of calls.
    pub(crate) fn places(&self, hub: &Hub) -> Vec<Place> {
        let terminal =
            self.terminal.as_ref().map(|terminal| terminal.id(hub).map_or(Place::AnyTerminal, Place::Terminal));
        let title = match &self.terminal {
            // One of that title may be about to come, even if there is one already.
            Some(TerminalRef::Title(title)) => Some(Place::Title(title.clone())),
            _ => None,
        };
        let path = self.path.as_ref().map(|path| {
            let read = hub.files().root().parse(path).ok().filter(|path| !path.is_root());
            Place::Path(read.map_or_else(String::new, |path| path.to_string()))
        });
        let panes = self.panes.then_some(Place::Panes);
        let listing = match &self.listing {
            Listing::None => Vec::new(),
            Listing::Comes(title) => {
                Some(Place::Terminals).into_iter().chain(title.clone().map(Place::Called)).collect()
            }
            Listing::Goes => vec![Place::Terminals],
            Listing::Listed => vec![Place::List],
        };
        terminal.into_iter().chain(title).chain(path).chain(panes).chain(listing).collect()
    }
}
