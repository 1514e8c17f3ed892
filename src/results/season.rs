//! Divides time into seasons: the months in UTC. A season ends with the first moment of the next
//! one; nothing happens then, because a game belongs to the season in which it ended.

use std::fmt;

use time::{Date, Month as CalendarMonth, OffsetDateTime};

/// A month in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Season {
    year: i32,
    /// From 1 to 12.
    month: u8,
}

/// The day of a time in milliseconds since 1970, as records of games write it: `2026.11.21` (UTC).
pub fn record_date(ms: u64) -> String {
    let day = utc(ms).date();
    format!("{:04}.{:02}.{:02}", day.year(), u8::from(day.month()), day.day())
}

fn utc(ms: u64) -> OffsetDateTime {
    let seconds = i64::try_from(ms / 1000).unwrap_or(i64::MAX);
    OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

impl Season {
    /// The season of a time, in milliseconds since 1970.
    pub fn at(ms: u64) -> Season {
        let at = utc(ms);
        Season { year: at.year(), month: u8::from(at.month()) }
    }

    /// Its first moment, in milliseconds since 1970.
    pub fn start_ms(self) -> u64 {
        let month = CalendarMonth::try_from(self.month).unwrap_or(CalendarMonth::January);
        let first = Date::from_calendar_date(self.year, month, 1).unwrap_or(Date::MIN);
        u64::try_from(first.midnight().assume_utc().unix_timestamp()).unwrap_or(0) * 1000
    }

    /// The season before.
    #[must_use]
    pub fn previous(self) -> Season {
        match self.month {
            1 => Season { year: self.year - 1, month: 12 },
            month => Season { month: month - 1, ..self },
        }
    }

    /// Parses `2026-11`.
    pub fn parse(text: &str) -> Option<Season> {
        let (year, month) = text.split_once('-')?;
        let is_number = |it: &str| it.bytes().all(|byte| byte.is_ascii_digit());
        if year.len() != 4 || month.len() != 2 || !is_number(year) || !is_number(month) {
            return None;
        }
        let season = Season { year: year.parse().ok()?, month: month.parse().ok()? };
        (1..=12).contains(&season.month).then_some(season)
    }

    /// The number of months since the year 0: later seasons have greater numbers.
    pub fn number(self) -> u32 {
        u32::try_from(self.year).unwrap_or(0) * 12 + u32::from(self.month) - 1
    }
}

impl fmt::Display for Season {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 27 November 2026, 12:00 UTC.
    const NOW_MS: u64 = 1_795_780_800_000;

    #[test]
    fn a_season_begins_with_its_first_millisecond() {
        let season = Season::at(NOW_MS);
        assert_eq!(Season::at(season.start_ms()), season);
        assert_eq!(Season::at(season.start_ms() - 1), season.previous());
        assert_eq!(season.previous().previous().to_string(), "2026-09");
        assert_eq!(Season::parse("2026-01").unwrap().previous(), Season::parse("2025-12").unwrap());
        assert!(Season::at(NOW_MS).number() > season.previous().number());
    }

    #[test]
    fn only_whole_months_are_seasons() {
        for text in ["2026-13", "2026-00", "2026-1", "26-01", "2026", "2026-1x", "+026-01"] {
            assert_eq!(Season::parse(text), None, "{text}");
        }
    }
}
