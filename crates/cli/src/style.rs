//! Colours, where they are wanted: in a terminal, unless NO_COLOR says no.

use std::io::IsTerminal;

/// Whether and how text is decorated.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    colours: bool,
}

/// For standard output.
pub fn stdout() -> Style {
    Style { colours: std::io::stdout().is_terminal() && wanted() }
}

/// For standard error.
pub fn stderr() -> Style {
    Style { colours: std::io::stderr().is_terminal() && wanted() }
}

/// For tests: no decoration, wherever they are run.
#[cfg(test)]
pub fn plain() -> Style {
    Style { colours: false }
}

/// For tests: decoration, wherever they are run.
#[cfg(test)]
pub fn coloured() -> Style {
    Style { colours: true }
}

fn wanted() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

impl Style {
    /// What matters.
    pub fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    /// What can be passed over.
    pub fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    /// What is good.
    pub fn green(self, text: &str) -> String {
        self.with("32", text)
    }

    /// What is wrong.
    pub fn red(self, text: &str) -> String {
        self.with("31", text)
    }

    /// What deserves a look.
    pub fn yellow(self, text: &str) -> String {
        self.with("33", text)
    }

    /// What is decorated by these parameters of a sequence; by none it stays as it is.
    pub fn paint(self, codes: &str, text: &str) -> String {
        if codes.is_empty() { text.to_owned() } else { self.with(codes, text) }
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
