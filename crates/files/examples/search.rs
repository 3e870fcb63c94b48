//! Times a search, to compare it with ripgrep: `search DIR QUERY [ROUNDS]`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use flightdeck_files::{Backups, Cancel, Files, Limits, Root, Rules, SearchRequest};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(dir), Some(query)) = (arguments.next().map(PathBuf::from), arguments.next()) else {
        anyhow::bail!("usage: search DIR QUERY [ROUNDS]");
    };
    let rounds: u32 = arguments.next().map_or(Ok(5), |rounds| rounds.parse())?;
    let backups = tempfile::tempdir()?;
    let files = Files::new(Root::open(&dir)?, Rules::default(), Backups::open(backups.path(), Limits::default())?);
    let request = SearchRequest {
        case_sensitive: true,
        regex: true,
        max_results: 100_000,
        time_limit: Duration::from_mins(10),
        ..SearchRequest::new(query)
    };
    for _ in 0..rounds {
        let begun = Instant::now();
        let result = files.search(&request, &Cancel::default(), &|_| {})?;
        println!(
            "{:.3} s: {} matches in {} files, {} skipped",
            begun.elapsed().as_secs_f64(),
            result.matches.len(),
            result.files_searched,
            result.files_skipped
        );
    }
    Ok(())
}
