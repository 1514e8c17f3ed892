//! Names the sets of games that a record counts: those of one chat or all, in one month or always.

use std::fmt;

use time::{Date, Month as CalendarMonth, OffsetDateTime};

/// The code of the games of all chats. Ids of chats contain a colon.
const ALL_CHATS: &str = "all";

/// The games that a record counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RatingScope {
    /// The chat; `None` for the games of all chats.
    pub chat: Option<String>,
    /// The season; `None` for all time. Each season starts with new ratings.
    pub season: Option<Season>,
}

/// A month in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Season {
    year: i32,
    /// From 1 to 12.
    month: u8,
}

impl RatingScope {
    /// All games of all time.
    pub const OVERALL: RatingScope = RatingScope { chat: None, season: None };

    /// The games of one chat.
    pub fn of_chat(chat: &str) -> Self {
        RatingScope { chat: Some(chat.to_owned()), season: None }
    }

    /// The games among which a game of this chat, empty for none, is the first or the best of
    /// something: those of the chat, so that nothing about other chats becomes known there.
    pub fn shown_in(chat: &str) -> Self {
        match chat {
            "" => Self::OVERALL,
            chat => Self::of_chat(chat),
        }
    }

    /// The same games, but only those of this season.
    #[must_use]
    pub fn in_season(self, season: Season) -> Self {
        RatingScope { season: Some(season), ..self }
    }

    /// All scopes that count a game of this chat (empty for none) that ended at this time, in
    /// milliseconds since 1970.
    pub fn all_of(chat: &str, ended_ms: u64) -> Vec<RatingScope> {
        let season = Season::at(ended_ms);
        let mut scopes = vec![Self::OVERALL, Self::OVERALL.in_season(season)];
        if !chat.is_empty() {
            let own = Self::of_chat(chat);
            scopes.extend([own.clone(), own.in_season(season)]);
        }
        scopes
    }

    /// The code in store keys. Ids of chats contain no space and no `@`.
    pub fn code(&self) -> String {
        let chat = self.chat.as_deref().unwrap_or(ALL_CHATS);
        match self.season {
            Some(season) => format!("{chat}@{season}"),
            None => chat.to_owned(),
        }
    }
}

impl RatingScope {
    /// The beginning of the codes of all seasons of these games.
    pub fn season_code_prefix(&self) -> String {
        format!("{}@", self.chat.as_deref().unwrap_or(ALL_CHATS))
    }

    /// Parses the result of [`RatingScope::code`].
    pub fn parse(code: &str) -> Option<Self> {
        let (chat, season) = match code.rsplit_once('@') {
            Some((chat, season)) => (chat, Some(Season::parse(season)?)),
            None => (code, None),
        };
        Some(RatingScope { chat: (chat != ALL_CHATS).then(|| chat.to_owned()), season })
    }
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
    fn a_game_counts_in_its_chat_and_overall_for_its_month_and_for_all_time() {
        let codes: Vec<_> =
            RatingScope::all_of("tg:-5", NOW_MS).iter().map(RatingScope::code).collect();
        assert_eq!(codes, ["all", "all@2026-11", "tg:-5", "tg:-5@2026-11"]);
        assert_eq!(RatingScope::all_of("", NOW_MS).len(), 2);
        for scope in RatingScope::all_of("tg:-5", NOW_MS) {
            assert_eq!(RatingScope::parse(&scope.code()), Some(scope.clone()));
            assert_eq!(
                scope.code().starts_with(&scope.season_code_prefix()),
                scope.season.is_some()
            );
        }
    }

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
