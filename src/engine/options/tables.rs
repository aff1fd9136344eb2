//! What the options of the endgame tables stand for.

use super::{EMPTY, Options};
use crate::chess::tablebase::Tablebases;
use std::sync::Arc;

/// The most men of any Syzygy table.
pub const MOST_MEN: u32 = 7;

/// Finds the tables in these folders.
///
/// # Errors
/// A sentence for the user when there is none.
pub fn set_tablebases(options: &mut Options, folders: &str) -> Result<(), String> {
    if folders == EMPTY {
        options.tablebases.tables = Arc::default();
        options.tablebase_notes.clear();
        return Ok(());
    }
    let (tables, mut notes) = Tablebases::open(folders);
    let [outcomes, distances] = tables.counts();
    if outcomes == 0 {
        notes.push("there are no Syzygy tables".to_owned());
        return Err(notes.join("; "));
    }
    notes.push(format!(
        "SyzygyPath: {outcomes} tables of outcomes (WDL) and {distances} of distances (DTZ), up to {} men",
        tables.most_men()
    ));
    options.tablebases.tables = Arc::new(tables);
    options.tablebase_notes = notes;
    Ok(())
}
