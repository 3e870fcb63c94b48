//! Values on the command line: variables, sizes, times, amounts.

use std::time::Duration;

use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::WindowSize;

pub fn terminal(text: &str) -> Result<TerminalId, String> {
    text.parse().map_err(|_| format!("{text:?} is not a terminal id: ids look like t1, and `flightdeck ls` lists them"))
}

pub fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

pub fn size(text: &str) -> Result<WindowSize, String> {
    let problem = || "expected COLSxROWS, both from 1 to 2000, such as 120x40".to_owned();
    let (cols, rows) = text.split_once('x').ok_or_else(problem)?;
    let size = WindowSize { rows: rows.parse().map_err(|_| problem())?, cols: cols.parse().map_err(|_| problem())? };
    if (1..=2000).contains(&size.rows) && (1..=2000).contains(&size.cols) { Ok(size) } else { Err(problem()) }
}

pub fn duration(text: &str) -> Result<Duration, String> {
    let problem = || "expected a time such as 500ms, 30s, 5m, 2h or 1d".to_owned();
    let unit = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..unit].parse().map_err(|_| problem())?;
    let factor = match &text[unit..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err(problem()),
    };
    Duration::try_from_secs_f64(number * factor).map_err(|_| problem())
}

pub fn bytes(text: &str) -> Result<u64, String> {
    let problem = || "expected a number of bytes such as 65536, 512K, 64M or 1G".to_owned();
    let unit = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..unit].parse().map_err(|_| problem())?;
    let shift = match text[unit..].trim_end_matches("iB") {
        "" | "B" => 0,
        "K" | "k" => 10,
        "M" => 20,
        "G" => 30,
        _ => return Err(problem()),
    };
    number.checked_shl(shift).filter(|bytes| bytes >> shift == number).ok_or_else(problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(duration("1500ms"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        for text in ["", "s", "5x", "-1s", "1e9h", "1..2s"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_and_bytes() {
        assert_eq!(size("120x40"), Ok(WindowSize { rows: 40, cols: 120 }));
        for text in ["", "120", "0x10", "10x0", "3000x10", "axb", "-1x5"] {
            assert!(size(text).is_err(), "{text}");
        }
        assert_eq!(bytes("64M"), Ok(64 << 20));
        assert_eq!(bytes("1GiB"), Ok(1 << 30));
        for text in ["", "M", "1T", "99999999999999999999", "18446744073709551615G"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
