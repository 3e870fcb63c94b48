//! The workbench as it is kept on disk. Each pane, document and highlight is a value of its own, so that one which can't
//! be read costs nothing but itself.

mod restore;

use std::collections::BTreeMap;
use std::sync::Arc;

use flightdeck_contract::PaneId;
use flightdeck_contract::workbench::{BufferVersion, HighlightId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::document::{Document, LastEdit, Theirs};
use crate::layout::Layout;
use crate::pane::Pane;
use crate::text::Buffer;
use crate::workbench::{Counters, Mark, Workbench};

pub use restore::Restored;
#[cfg(test)]
pub(crate) use restore::{ID_STEP, VERSION_STEP};

/// The form of what is stored; another number is not read.
const FORMAT: u32 = 1;

/// The workbench in its stored form. Texts are in it only where they are nowhere else; the others are on disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stored {
    format: u32,
    #[serde(default)]
    counters: Value,
    #[serde(default)]
    layout: Value,
    #[serde(default)]
    panes: Vec<Value>,
    #[serde(default)]
    documents: Vec<Value>,
    #[serde(default)]
    highlights: Vec<Value>,
}

#[derive(Serialize, Deserialize)]
struct StoredPane {
    id: PaneId,
    pane: Pane,
}

#[derive(Serialize, Deserialize)]
struct StoredDocument {
    path: String,
    version: BufferVersion,
    saved: BufferVersion,
    #[serde(default)]
    disk: Option<String>,
    #[serde(default)]
    deleted: bool,
    /// Only when it is nowhere else.
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    conflict: Option<Theirs>,
    #[serde(default)]
    clients: Vec<LastEdit>,
}

#[derive(Serialize, Deserialize)]
struct StoredMark {
    path: String,
    id: HighlightId,
    mark: Mark,
}

/// All that is to be kept, as a copy that costs little: texts share their memory with the workbench.
#[derive(Debug)]
pub struct Keepable {
    counters: Counters,
    layout: Layout,
    panes: BTreeMap<PaneId, Pane>,
    documents: Vec<KeptDocument>,
    marks: BTreeMap<String, BTreeMap<HighlightId, Mark>>,
}

#[derive(Debug)]
struct KeptDocument {
    path: String,
    version: BufferVersion,
    saved: BufferVersion,
    disk: Option<String>,
    deleted: bool,
    buffer: Option<Buffer>,
    conflict: Option<Arc<Theirs>>,
    clients: Vec<LastEdit>,
}

impl Workbench {
    /// A copy of all that is to be kept. [`Keepable::stored`] does the work, which needs the workbench no more.
    pub fn keepable(&self) -> Keepable {
        Keepable {
            counters: self.counters,
            layout: self.layout.clone(),
            panes: self.panes.clone(),
            documents: self.documents.iter().map(|(path, document)| KeptDocument::new(path, document)).collect(),
            marks: self.marks.clone(),
        }
    }

    /// The whole state, to be kept.
    pub fn stored(&self) -> Stored {
        self.keepable().stored()
    }
}

impl Keepable {
    /// It in its stored form. This takes a while when there are long unsaved texts.
    pub fn stored(self) -> Stored {
        let mark = |path: &str, (id, mark)| value(&StoredMark { path: path.to_owned(), id, mark });
        let marks = self.marks.into_iter();
        let marks = marks.flat_map(|(path, marks)| marks.into_iter().map(move |entry| mark(&path, entry)));
        Stored {
            format: FORMAT,
            counters: value(&self.counters),
            layout: value(&self.layout),
            panes: self.panes.into_iter().map(|(id, pane)| value(&StoredPane { id, pane })).collect(),
            documents: self.documents.into_iter().map(|document| value(&document.stored())).collect(),
            highlights: marks.collect(),
        }
    }
}

impl KeptDocument {
    fn new(path: &str, document: &Document) -> Self {
        let only_copy = document.only_copy();
        KeptDocument {
            path: path.to_owned(),
            version: document.version,
            saved: document.saved,
            disk: document.disk.clone().filter(|_| only_copy),
            deleted: document.deleted && only_copy,
            buffer: document.buffer.clone().filter(|_| only_copy),
            conflict: document.conflict.clone(),
            clients: if only_copy { document.clients.clone() } else { Vec::new() },
        }
    }

    fn stored(self) -> StoredDocument {
        StoredDocument {
            path: self.path,
            version: self.version,
            saved: self.saved,
            disk: self.disk,
            deleted: self.deleted,
            text: self.buffer.as_ref().map(Buffer::text),
            conflict: self.conflict.map(Arc::unwrap_or_clone),
            clients: self.clients,
        }
    }
}

fn value<T: Serialize>(of: &T) -> Value {
    serde_json::to_value(of).expect("plain data with text keys is always a value")
}
