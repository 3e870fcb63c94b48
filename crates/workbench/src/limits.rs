//! How much of everything there can be.

/// Panes.
pub const MAX_PANES: usize = 64;
/// Tabs in all panes together.
pub const MAX_TABS: usize = 500;
/// Documents, open or highlighted.
pub const MAX_DOCUMENTS: usize = 200;
/// Highlights in all documents together.
pub const MAX_HIGHLIGHTS: usize = 1000;
/// Regions of one highlight.
pub const MAX_RANGES: usize = 100;
/// Regions of all highlights of one document: front ends are told all of them whenever one moves.
pub const MAX_DOCUMENT_RANGES: usize = 2000;
/// Regions of all highlights together.
pub const MAX_ALL_RANGES: usize = 5000;
/// The text of a document, in bytes.
pub const MAX_TEXT: usize = 16 << 20;
/// Pieces of one edit.
pub const MAX_PIECES: usize = 10_000;
/// Front ends that watch at once.
pub const MAX_VIEWERS: usize = 256;
/// A path, in bytes.
pub const MAX_PATH: usize = 4096;
/// A title or the name of a client, in characters; longer titles are cut.
pub const MAX_NAME: usize = 200;
/// The smallest side of a pane that a split or a resize makes, in hundredths of a percent of the whole.
pub const SMALLEST_SIDE: u32 = 200;
/// Edits of a document that a late edit can be rebased over.
pub(crate) const HISTORY_EDITS: usize = 1000;
/// The same in bytes of the memory that they take.
pub(crate) const HISTORY_BYTES: usize = 1 << 20;
/// Clients of a document whose last edit is remembered, so that it is not applied twice.
pub(crate) const REMEMBERED_CLIENTS: usize = 256;
/// Changes that are kept for front ends that reconnect.
pub(crate) const RING_CHANGES: usize = 4096;
/// The same in bytes of the memory that they take.
pub(crate) const RING_BYTES: usize = 4 << 20;
/// Ids above this are no numbers that were counted up to.
pub const HIGHEST: u32 = 1 << 30;
