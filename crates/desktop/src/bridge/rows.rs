//! A list of the deck as a model of Qt: rows with a key and their JSON.

use core::pin::Pin;

use cxx_qt::{CxxQtType, Threading};
use cxx_qt_lib::{QByteArray, QHash, QHashPair_i32_QByteArray, QList, QModelIndex, QString, QVariant};
use flightdeck_view::deck::List;
use flightdeck_view::rows::{Row, Step, steps};

use crate::window;

#[cxx_qt::bridge]
pub mod qobject {
    unsafe extern "C++" {
        include!(<QtCore/QAbstractListModel>);
        type QAbstractListModel;
        include!("cxx-qt-lib/qmodelindex.h");
        type QModelIndex = cxx_qt_lib::QModelIndex;
        include!("cxx-qt-lib/qvariant.h");
        type QVariant = cxx_qt_lib::QVariant;
        include!("cxx-qt-lib/qstring.h");
        type QString = cxx_qt_lib::QString;
        include!("cxx-qt-lib/qhash.h");
        type QHash_i32_QByteArray = cxx_qt_lib::QHash<cxx_qt_lib::QHashPair_i32_QByteArray>;
        include!("cxx-qt-lib/qlist.h");
        type QList_i32 = cxx_qt_lib::QList<i32>;
    }

    unsafe extern "RustQt" {
        #[qobject]
        #[qml_element]
        #[base = QAbstractListModel]
        #[qproperty(QString, list)]
        #[qproperty(i32, count)]
        type Rows = super::RowsRust;

        #[cxx_override]
        #[cxx_name = "rowCount"]
        fn row_count(self: &Rows, parent: &QModelIndex) -> i32;
        #[cxx_override]
        fn data(self: &Rows, index: &QModelIndex, role: i32) -> QVariant;
        #[cxx_override]
        #[cxx_name = "roleNames"]
        fn role_names(self: &Rows) -> QHash_i32_QByteArray;

        #[inherit]
        #[cxx_name = "beginInsertRows"]
        unsafe fn begin_insert_rows(self: Pin<&mut Rows>, parent: &QModelIndex, first: i32, last: i32);
        #[inherit]
        #[cxx_name = "endInsertRows"]
        unsafe fn end_insert_rows(self: Pin<&mut Rows>);
        #[inherit]
        #[cxx_name = "beginRemoveRows"]
        unsafe fn begin_remove_rows(self: Pin<&mut Rows>, parent: &QModelIndex, first: i32, last: i32);
        #[inherit]
        #[cxx_name = "endRemoveRows"]
        unsafe fn end_remove_rows(self: Pin<&mut Rows>);
        #[inherit]
        fn index(self: &Rows, row: i32, column: i32, parent: &QModelIndex) -> QModelIndex;
        #[inherit]
        #[qsignal]
        #[cxx_name = "dataChanged"]
        fn data_changed(self: Pin<&mut Rows>, first: &QModelIndex, last: &QModelIndex, roles: &QList_i32);

        /// After any change.
        #[qsignal]
        fn changed(self: Pin<&mut Rows>);

        /// The JSON of a row; empty for one that is not there.
        #[qinvokable]
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

const KEY: i32 = 0x101;
const JSON: i32 = 0x102;

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
    fn row_count(&self, _parent: &QModelIndex) -> i32 {
        self.rows.len() as i32
    }

    fn data(&self, index: &QModelIndex, role: i32) -> QVariant {
        let row = usize::try_from(index.row()).ok().and_then(|row| self.rows.get(row));
        match (row, role) {
            (Some(row), KEY) => QVariant::from(&QString::from(&row.key)),
            (Some(row), JSON) => QVariant::from(&QString::from(&row.json)),
            _ => QVariant::default(),
        }
    }

    fn role_names(&self) -> QHash<QHashPair_i32_QByteArray> {
        let mut names = QHash::<QHashPair_i32_QByteArray>::default();
        names.insert(KEY, QByteArray::from("key"));
        names.insert(JSON, QByteArray::from("json"));
        names
    }

    fn at(&self, row: i32) -> QString {
        let row = usize::try_from(row).ok().and_then(|row| self.rows.get(row));
        row.map(|row| QString::from(&row.json)).unwrap_or_default()
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
        let root = QModelIndex::default();
        for step in steps {
            // SAFETY: each change is announced with the rows that it is about, and made before it is ended.
            unsafe {
                match step {
                    Step::Remove(at) => {
                        self.as_mut().begin_remove_rows(&root, at as i32, at as i32);
                        self.as_mut().rust_mut().rows.remove(at);
                        self.as_mut().end_remove_rows();
                    }
                    Step::Insert(at, row) => {
                        self.as_mut().begin_insert_rows(&root, at as i32, at as i32);
                        self.as_mut().rust_mut().rows.insert(at, row);
                        self.as_mut().end_insert_rows();
                    }
                    Step::Change(at, row) => {
                        self.as_mut().rust_mut().rows[at] = row;
                        let index = self.index(at as i32, 0, &root);
                        self.as_mut().data_changed(&index, &index, &QList::<i32>::default());
                    }
                }
            }
        }
        let count = self.rows.len() as i32;
        self.as_mut().set_count(count);
        self.changed();
    }
}
