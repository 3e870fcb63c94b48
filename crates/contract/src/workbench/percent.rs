//! A share in percent with at most two decimals, kept as a whole number so that sums are exact.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize, Serializer};

/// A share of 0 to 100 percent, in hundredths of a percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "f64")]
pub struct Percent(u32);

/// A number that is no share.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{0} is not a percentage: give a number from 0 to 100")]
pub struct InvalidPercent(f64);

impl Percent {
    /// All of it.
    pub const WHOLE: Percent = Percent(10_000);

    /// So many hundredths of a percent, 10000 at most.
    pub fn from_hundredths(hundredths: u32) -> Self {
        Percent(hundredths.min(10_000))
    }

    /// The hundredths of a percent.
    pub fn hundredths(self) -> u32 {
        self.0
    }
}

impl TryFrom<f64> for Percent {
    type Error = InvalidPercent;

    fn try_from(number: f64) -> Result<Self, InvalidPercent> {
        let fits = (0.0..=100.0).contains(&number);
        if fits { Ok(Percent((number * 100.0).round() as u32)) } else { Err(InvalidPercent(number)) }
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.0) / 100.0)
    }
}

impl Serialize for Percent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Whole numbers are written without a fraction: agents read them in every list of panes.
        if self.0.is_multiple_of(100) {
            serializer.serialize_u32(self.0 / 100)
        } else {
            serializer.serialize_f64(f64::from(self.0) / 100.0)
        }
    }
}

impl JsonSchema for Percent {
    fn schema_name() -> Cow<'static, str> {
        "Percent".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 100 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_decimals_and_back() {
        for (hundredths, text) in [(0, "0"), (5000, "50"), (3333, "33.33"), (10_000, "100"), (1, "0.01")] {
            let percent = Percent::from_hundredths(hundredths);
            assert_eq!(serde_json::to_string(&percent).unwrap(), text);
            assert_eq!(serde_json::from_str::<Percent>(text).unwrap(), percent);
        }
        for text in ["-1", "100.1", "\"5\"", "null"] {
            assert!(serde_json::from_str::<Percent>(text).is_err(), "{text}");
        }
    }
}
