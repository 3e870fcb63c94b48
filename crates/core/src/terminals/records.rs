//! Command records in the store: one for each command that ended.

use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::CommandRecord;
use flightdeck_term::session::Record;

use crate::convert;
use crate::store::{Change, Store, StoreError, StoredRecord, TerminalNumber};

pub(crate) fn append(store: &Store, terminal: TerminalId, records: &[Record]) -> Result<(), StoreError> {
    let stored = |record: &Record| {
        let json = serde_json::to_string(&convert::record(record)).ok()?;
        Some(StoredRecord { number: record.number.0, json })
    };
    let records = records.iter().filter_map(stored).collect();
    store.write(Change::AddRecords(TerminalNumber(terminal.number()), records))
}

/// All records, oldest first. What could not be stored is found again in the log.
pub(crate) fn load(store: &Store, terminal: TerminalId) -> Vec<Record> {
    let stored = store.records(TerminalNumber(terminal.number())).unwrap_or_default();
    let parse = |record: StoredRecord| serde_json::from_str::<CommandRecord>(&record.json).ok();
    stored.into_iter().filter_map(parse).map(convert::record_from).collect()
}
