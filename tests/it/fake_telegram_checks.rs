//! The Telegram server for tests is itself checked: limits, errors, privacy, failures.
