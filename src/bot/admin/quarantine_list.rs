//! Lists quarantined inputs with reasons.

use super::{AdminReply, OperatorCommands, time_text};
use crate::repository::quarantine::QuarantineMark;
use crate::repository::{Failure, keys};
use caravanserai_store::Space;

/// The most inputs that are listed.
const LISTED_MAX: usize = 30;

impl OperatorCommands {
    /// Lists the tables that are frozen because of quarantined inputs, those that this process
    /// refuses, and the quarantined inputs.
    pub(super) async fn list_quarantine(&self) -> Result<AdminReply, Failure> {
        let mut lines = self.list_quarantined_tables().await?;
        let prefix = keys::QUARANTINE_PREFIX;
        let is_input = |key: &String| !key.starts_with(keys::QUARANTINED_TABLE_PREFIX);
        let tables =
            self.repository.count_rows(Space::Meta, keys::QUARANTINED_TABLE_PREFIX).await?;
        let read = LISTED_MAX + 1 + tables;
        let mut rows = self.repository.read_rows(Space::Meta, prefix, read).await?;
        rows.retain(|(key, _)| is_input(key));
        for (key, value) in rows.iter().take(LISTED_MAX) {
            let what = key.strip_prefix(prefix).unwrap_or_default();
            lines.push(match serde_json::from_slice::<QuarantineMark>(value) {
                Ok(QuarantineMark { at_ms, why }) => {
                    format!("{} {what}: {}", time_text(at_ms), public_reason(&why))
                }
                // Earlier versions kept no reason.
                Err(_) => format!("{what}: the reason is in the log of that time"),
            });
        }
        if rows.len() > LISTED_MAX {
            lines.push("and more; `caravanserai store list-damaged` lists all".to_owned());
        }
        if lines.is_empty() {
            lines.push("nothing is quarantined".to_owned());
        }
        Ok(AdminReply::lines(lines))
    }

    /// The tables of all processes that are frozen, and those that this process refuses.
    async fn list_quarantined_tables(&self) -> Result<Vec<String>, Failure> {
        let prefix = keys::QUARANTINED_TABLE_PREFIX;
        let rows = self.repository.read_rows(Space::Meta, prefix, LISTED_MAX + 1).await?;
        let line = |(key, value): &(String, Vec<u8>)| {
            let code = key.strip_prefix(prefix).unwrap_or_default();
            let mark: QuarantineMark = serde_json::from_slice(value).unwrap_or_default();
            let at = time_text(mark.at_ms);
            let why = public_reason(&mark.why);
            format!("{at} table {code} is frozen: {why}; to let it go on: repair {code}")
        };
        let mut lines: Vec<String> = rows.iter().take(LISTED_MAX).map(line).collect();
        if rows.len() > LISTED_MAX {
            lines.push("and more tables; `caravanserai store list-damaged` lists all".to_owned());
        }
        for table in self.repository.quarantined_table_codes() {
            lines.push(format!("table {table} is not used in this process", table = table.0));
        }
        Ok(lines)
    }
}

/// A reason without what it quotes: a line of a log may contain a deal.
pub(super) fn public_reason(why: &str) -> &str {
    why.split(['"', '`']).next().unwrap_or_default().trim_end_matches([' ', ':'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_quotes_no_line() {
        let why = "line 12: a line cannot be read: \"12 1763 timer chance 7h8h9h\"";
        assert_eq!(public_reason(why), "line 12: a line cannot be read");
        assert_eq!(public_reason("a bug: the code panicked"), "a bug: the code panicked");
    }
}
