//! Names the sets of games that a record counts: those of one chat or all, in one month or always.

use crate::season::Season;

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
}
