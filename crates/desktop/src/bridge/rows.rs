//! A list of the deck as a model of Qt: rows with a key and their JSON.

use core::pin::Pin;

use cxx_qt::{CxxQtType, Threading};
use flightdeck_view::deck::List;
use flightdeck_view::rows::{Row, Step, steps};

use super::text::QString;
use crate::window;

#[cxx_qt::bridge]
pub mod qobject {
    unsafe extern "C++" {
        include!("text.h");
        type QString = crate::bridge::text::QString;
        include!("rows.h");
        type RowList;
    }

    unsafe extern "RustQt" {
        #[qobject]
        #[qml_element]
        #[base = RowList]
        #[qproperty(QString, list)]
        #[qproperty(i32, count)]
        type Rows = super::RowsRust;

        #[cxx_override]
        fn length(self: &Rows) -> i32;
        #[cxx_override]
        fn key(self: &Rows, row: i32) -> QString;

        #[inherit]
        #[cxx_name = "beginInsert"]
        fn begin_insert(self: Pin<&mut Rows>, at: i32);
        #[inherit]
        #[cxx_name = "endInsert"]
        fn end_insert(self: Pin<&mut Rows>);
        #[inherit]
        #[cxx_name = "beginRemove"]
        fn begin_remove(self: Pin<&mut Rows>, at: i32);
        #[inherit]
        #[cxx_name = "endRemove"]
        fn end_remove(self: Pin<&mut Rows>);
        #[inherit]
        #[cxx_name = "tellChanged"]
        fn tell_changed(self: Pin<&mut Rows>, at: i32);

        /// After any change.
        #[qsignal]
        fn changed(self: Pin<&mut Rows>);

        /// The JSON of a row; empty for one that is not there.
        #[qinvokable]
        #[cxx_override]
        fn at(self: &Rows, row: i32) -> QString;
        /// The JSON of the row with this key; empty when there is none.
        #[qinvokable]
        fn find(self: &Rows, key: &QString) -> QString;
        /// Where the row with this key is; -1 when there is none.
        #[qinvokable]
        #[cxx_name = "indexOf"]
        fn index_of(self: &Rows, key: &QString) -> i32;
    }

    impl cxx_qt::Threading for Rows {}
    impl cxx_qt::Initialize for Rows {}
}

#[derive(Default)]
pub struct RowsRust {
    list: QString,
    count: i32,
    rows: Vec<Row>,
}

impl cxx_qt::Initialize for qobject::Rows {
    fn initialize(self: Pin<&mut Self>) {
        self.on_list_changed(|this| {
            if let Some(list) = List::named(&this.list.to_string()) {
                window::listen(list, this.qt_thread());
            }
        })
        .release();
    }
}

impl qobject::Rows {
    fn row(&self, row: i32) -> Option<&Row> {
        self.rows.get(usize::try_from(row).ok()?)
    }

    fn length(&self) -> i32 {
        self.rows.len() as i32
    }

    fn key(&self, row: i32) -> QString {
        self.row(row).map(|row| QString::from(&row.key)).unwrap_or_default()
    }

    fn at(&self, row: i32) -> QString {
        self.row(row).map(|row| QString::from(&row.json)).unwrap_or_default()
    }

    fn find(&self, key: &QString) -> QString {
        let key = key.to_string();
        self.rows.iter().find(|row| row.key == key).map(|row| QString::from(&row.json)).unwrap_or_default()
    }

    fn index_of(&self, key: &QString) -> i32 {
        let key = key.to_string();
        self.rows.iter().position(|row| row.key == key).map_or(-1, |row| row as i32)
    }

    /// Goes over to other rows, with as few changes as there are.
    pub fn show(mut self: Pin<&mut Self>, rows: &[Row]) {
        let steps = steps(&self.rows, rows);
        if steps.is_empty() {
            return;
        }
        for step in steps {
            match step {
                Step::Remove(at) => {
                    self.as_mut().begin_remove(at as i32);
                    self.as_mut().rust_mut().rows.remove(at);
                    self.as_mut().end_remove();
                }
                Step::Insert(at, row) => {
                    self.as_mut().begin_insert(at as i32);
                    self.as_mut().rust_mut().rows.insert(at, row);
                    self.as_mut().end_insert();
                }
                Step::Change(at, row) => {
                    self.as_mut().rust_mut().rows[at] = row;
                    self.as_mut().tell_changed(at as i32);
                }
            }
        }
        let count = self.rows.len() as i32;
        self.as_mut().set_count(count);
        self.changed();
    }
}
