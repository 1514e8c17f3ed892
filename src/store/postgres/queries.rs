//! Answers several queries by one statement, in one round trip and as of one moment.

use deadpool_postgres::Object;
use tokio_postgres::Error;
use tokio_postgres::types::ToSql;

use super::batch::{space_code, to_i64};
use crate::commit_limits::KEY_BYTES_MAX;
use crate::{StoreAnswer, StoreQuery};

/// Each part answers one kind of query; `i` is the index of the query.
const READ: &str = "
    SELECT asked.i, entry.key, 0::bigint, entry.value
        FROM unnest($1::integer[], $2::\"char\"[], $3::text[]) AS asked (i, space, key)
        JOIN caravanserai.entry ON entry.space = asked.space AND entry.key = asked.key
            AND (entry.until_ms IS NULL OR entry.until_ms > $14)
    UNION ALL
    SELECT asked.i, found.key, 0, found.value
        FROM unnest($4::integer[], $5::\"char\"[], $6::text[], $7::text[], $8::bigint[])
            AS asked (i, space, low, high, most)
        CROSS JOIN LATERAL (
            SELECT entry.key, entry.value FROM caravanserai.entry
                WHERE entry.space = asked.space
                    AND entry.key >= asked.low AND entry.key < asked.high
                    AND (entry.until_ms IS NULL OR entry.until_ms > $14)
                ORDER BY entry.key LIMIT asked.most
        ) AS found
    UNION ALL
    SELECT asked.i, line.line, line.number, NULL
        FROM unnest($9::integer[], $10::text[], $11::bigint[]) AS asked (i, log, low)
        JOIN caravanserai.line ON line.log = asked.log AND line.number >= asked.low
    UNION ALL
    SELECT asked.i, '', last.number + 1, NULL
        FROM unnest($12::integer[], $13::text[]) AS asked (i, log)
        CROSS JOIN LATERAL (
            SELECT line.number FROM caravanserai.line
                WHERE line.log = asked.log ORDER BY line.number DESC LIMIT 1
        ) AS last";

/// Indexes of scans with their spaces, prefixes, starts and limits.
type ScanColumns = (Vec<i32>, Vec<i8>, Vec<String>, Vec<String>, Vec<i64>);

/// The queries, sorted by kind.
#[derive(Default)]
struct QueryColumns<'a> {
    value: (Vec<i32>, Vec<i8>, Vec<&'a str>),
    scan: ScanColumns,
    log: (Vec<i32>, Vec<&'a str>, Vec<i64>),
    length: (Vec<i32>, Vec<&'a str>),
}

impl<'a> QueryColumns<'a> {
    fn add(&mut self, i: i32, read: &'a StoreQuery) {
        match read {
            StoreQuery::Value { space, key } => {
                self.value.0.push(i);
                self.value.1.push(space_code(*space));
                self.value.2.push(key);
            }
            StoreQuery::Scan { space, prefix, after, limit } => {
                self.scan.0.push(i);
                self.scan.1.push(space_code(*space));
                self.scan.2.push(range_start(prefix, after.as_deref()));
                self.scan.3.push(range_end(prefix));
                self.scan.4.push(i64::try_from(*limit).unwrap_or(i64::MAX));
            }
            StoreQuery::Log { table, from } => {
                self.log.0.push(i);
                self.log.1.push(table);
                self.log.2.push(to_i64(*from));
            }
            StoreQuery::Length { table } => {
                self.length.0.push(i);
                self.length.1.push(table);
            }
        }
    }

    fn parameters<'b>(&'b self, now_ms: &'b i64) -> [&'b (dyn ToSql + Sync); 14] {
        let Self { value, scan, log, length } = self;
        [
            &value.0, &value.1, &value.2, &scan.0, &scan.1, &scan.2, &scan.3, &scan.4, &log.0,
            &log.1, &log.2, &length.0, &length.1, now_ms,
        ]
    }
}

/// Whether a query can match anything: the database refuses a text with NUL, and none is ever
/// stored.
fn can_exist(read: &StoreQuery) -> bool {
    let (text, after) = match read {
        StoreQuery::Value { key, .. } => (key, None),
        StoreQuery::Scan { prefix, after, .. } => (prefix, after.as_ref()),
        StoreQuery::Log { table, .. } | StoreQuery::Length { table } => (table, None),
    };
    !text.contains('\0') && after.is_none_or(|after| !after.contains('\0'))
}

/// The smallest key of a scan. No key holds a NUL, so the first possible key after another one is
/// that key with the character U+0001 appended.
fn range_start(prefix: &str, after: Option<&str>) -> String {
    match after {
        Some(after) if after >= prefix => format!("{after}\u{1}"),
        Some(_) | None => prefix.to_owned(),
    }
}

/// The smallest text that is greater than every key with this prefix.
fn range_end(prefix: &str) -> String {
    let mut high = prefix.to_owned();
    while let Some(last) = high.pop() {
        let next = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32);
        if let Some(next) = next {
            high.push(next);
            return high;
        }
    }
    // Longer than any key made of the greatest character.
    char::MAX.to_string().repeat(KEY_BYTES_MAX / 4 + 1)
}

/// Runs the queries.
pub(super) async fn run_queries(
    client: &Object,
    reads: &[StoreQuery],
    now_ms: u64,
) -> Result<Vec<StoreAnswer>, Error> {
    let statement = client.prepare_cached(READ).await?;
    let mut columns = QueryColumns::default();
    for (i, read) in (0..).zip(reads).filter(|(_, read)| can_exist(read)) {
        columns.add(i, read);
    }
    let rows = client.query(&statement, &columns.parameters(&to_i64(now_ms))).await?;
    let mut found: Vec<PartialAnswer> = reads.iter().map(PartialAnswer::empty_for).collect();
    for row in rows {
        let i: i32 = row.try_get(0)?;
        let part = usize::try_from(i).ok().and_then(|i| found.get_mut(i));
        let Some(part) = part else { continue };
        match part {
            PartialAnswer::Value(value) => *value = row.try_get(3)?,
            PartialAnswer::Rows(rows) => rows.push((row.try_get(1)?, row.try_get(3)?)),
            PartialAnswer::Lines(lines) => lines.push((row.try_get(2)?, row.try_get(1)?)),
            PartialAnswer::Length(length) => *length = row.try_get(2)?,
        }
    }
    Ok(found.into_iter().map(PartialAnswer::into_answer).collect())
}

/// An answer under construction; its rows arrive in any order.
enum PartialAnswer {
    Value(Option<Vec<u8>>),
    Rows(Vec<(String, Vec<u8>)>),
    Lines(Vec<(i64, String)>),
    Length(i64),
}

impl PartialAnswer {
    fn empty_for(read: &StoreQuery) -> Self {
        match read {
            StoreQuery::Value { .. } => PartialAnswer::Value(None),
            StoreQuery::Scan { .. } => PartialAnswer::Rows(Vec::new()),
            StoreQuery::Log { .. } => PartialAnswer::Lines(Vec::new()),
            StoreQuery::Length { .. } => PartialAnswer::Length(0),
        }
    }

    fn into_answer(self) -> StoreAnswer {
        match self {
            PartialAnswer::Value(value) => StoreAnswer::Value(value),
            PartialAnswer::Rows(mut rows) => {
                rows.sort_unstable();
                StoreAnswer::Rows(rows)
            }
            PartialAnswer::Lines(mut lines) => {
                lines.sort_unstable();
                StoreAnswer::Lines(lines.into_iter().map(|(_, line)| line).collect())
            }
            PartialAnswer::Length(length) => {
                StoreAnswer::Length(u64::try_from(length).unwrap_or(0))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Between the bounds are exactly the keys that start with the prefix.
        #[test]
        fn bounds_hold_what_starts_with_the_prefix(prefix in ".{0,3}", key in "[^\0]{1,6}") {
            let inside = key >= range_start(&prefix, None) && key < range_end(&prefix);
            prop_assert_eq!(inside, key.starts_with(&prefix));
        }

        #[test]
        fn after_a_key_comes_what_is_greater(after in "[^\0]{1,4}", key in "[^\0]{1,4}") {
            prop_assert_eq!(key >= range_start("", Some(&after)), key > after);
        }
    }

    #[test]
    fn bounds_exist_at_the_end_of_all_characters() {
        assert_eq!(range_end("a\u{10FFFF}"), "b");
        assert_eq!(range_end("\u{D7FF}"), "\u{E000}");
        let longest = char::MAX.to_string().repeat(KEY_BYTES_MAX / 4);
        assert!(range_end("") > longest && range_end("\u{10FFFF}") > longest);
    }
}
