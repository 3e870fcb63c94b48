//! The hub as QML sees it: how the connection is, what is told in passing, and what a person can do.

use core::pin::Pin;

use cxx_qt::{CxxQtType, Threading};
use flightdeck_view::link::{Connection, News};

use super::text::QString;
use crate::{actions, window};

#[cxx_qt::bridge]
pub mod qobject {
    unsafe extern "C++" {
        include!("text.h");
        type QString = crate::bridge::text::QString;
    }

    extern "RustQt" {
        #[qobject]
        #[qml_element]
        #[qml_singleton]
        #[qproperty(QString, connection)]
        #[qproperty(QString, problem)]
        #[qproperty(QString, workspace)]
        #[qproperty(QString, root)]
        #[qproperty(QString, theme)]
        #[qproperty(QString, dark)]
        #[qproperty(QString, light)]
        type Deck = super::DeckRust;

        /// Something to say in passing.
        #[qsignal]
        fn toast(self: Pin<&mut Deck>, tone: &QString, text: &QString);
        /// Something new waits for a person.
        #[qsignal]
        fn arrived(self: Pin<&mut Deck>, id: &QString);
        /// What a question to the hub has come to: what was asked, and the answer as JSON.
        #[qsignal]
        fn answered(self: Pin<&mut Deck>, what: &QString, json: &QString);

        /// Does something: what, and with which arguments, as JSON.
        #[qinvokable]
        #[cxx_name = "perform"]
        fn perform(self: &Deck, action: &QString, args: &QString);
        /// Copies a text.
        #[qinvokable]
        fn copy(self: &Deck, text: &QString);
        /// Tells the desktop that somebody is needed.
        #[qinvokable]
        fn notify(self: &Deck, title: &QString, body: &QString);
        /// The window is shown.
        #[qinvokable]
        fn shown(self: &Deck);
        /// What happens in the window, for its log.
        #[qinvokable]
        fn note(self: &Deck, text: &QString);
    }

    impl cxx_qt::Threading for Deck {}
    impl cxx_qt::Initialize for Deck {}
}

#[derive(Default)]
pub struct DeckRust {
    connection: QString,
    problem: QString,
    workspace: QString,
    root: QString,
    theme: QString,
    dark: QString,
    light: QString,
}

impl cxx_qt::Initialize for qobject::Deck {
    fn initialize(mut self: Pin<&mut Self>) {
        let facts = window::facts();
        let mut rust = self.as_mut().rust_mut();
        rust.connection = QString::from("starting");
        rust.workspace = QString::from(&facts.workspace);
        rust.root = QString::from(&facts.root);
        rust.theme = QString::from(facts.theme);
        rust.dark = QString::from(&flightdeck_view::tokens::Theme::dark().json());
        rust.light = QString::from(&flightdeck_view::tokens::Theme::light().json());
        window::show_on(self.qt_thread());
    }
}

impl qobject::Deck {
    fn perform(&self, action: &QString, args: &QString) {
        actions::perform(&action.to_string(), &args.to_string());
    }

    fn copy(&self, text: &QString) {
        super::platform::copy(&text.to_string(), false);
    }

    fn notify(&self, title: &QString, body: &QString) {
        super::platform::notify(&title.to_string(), &body.to_string());
    }

    fn shown(&self) {
        window::is_shown();
    }

    fn note(&self, text: &QString) {
        crate::log::note(&text.to_string());
    }

    /// What the link tells. Rows go to their lists.
    pub fn take(mut self: Pin<&mut Self>, news: News) {
        match news {
            News::Connection(connection) => {
                let (word, problem) = match connection {
                    Connection::Live => ("live", String::new()),
                    Connection::Away => ("away", String::new()),
                    Connection::Failed(failure) => ("failed", failure.text),
                };
                self.as_mut().set_problem(QString::from(&problem));
                self.set_connection(QString::from(word));
            }
            News::Toast { tone, text } => self.toast(&QString::from(tone), &QString::from(&text)),
            News::Arrived(id) => self.arrived(&QString::from(&id.to_string())),
            News::Rows(..) => {}
        }
    }

    pub fn answer(self: Pin<&mut Self>, what: &str, json: &str) {
        self.answered(&QString::from(what), &QString::from(json));
    }
}
