//! Rounds ratings to a fixed step and stores them as whole numbers of that step.
//!
//! Decimal fractions in JSON may come back changed in their last bit. A whole number does not, so a
//! record read from the store continues exactly like the one that was written.

use serde::{Deserialize, Deserializer, Serializer};

/// Number of steps in 1.
const STEPS: f64 = 1e9;

/// The nearest value that can be stored.
pub(crate) fn round_to_step(value: f64) -> f64 {
    (value * STEPS).round() / STEPS
}

/// For `#[serde(with)]`.
pub(crate) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i64((value * STEPS).round() as i64)
}

/// For `#[serde(with)]`.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(i64::deserialize(deserializer)? as f64 / STEPS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::TestRandom;

    #[test]
    fn a_rounded_value_comes_back_with_every_bit() {
        let mut random = TestRandom(7);
        for _ in 0..10_000 {
            let value = round_to_step(random.between(-50.0, 4000.0));
            let json = serialize(&value, serde_json::value::Serializer).unwrap();
            let back = deserialize(json).unwrap();
            assert_eq!(back.to_bits(), value.to_bits());
        }
    }
}
