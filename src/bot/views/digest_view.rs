//! Builds the message about the games of a chat in one week.

use super::result_views::{game_text, list_name, milestone_text, seat_name, short_name};
use crate::commands::top::{ListScope, ShowTop};
use crate::settings::{Setting, SettingScope, SettingsOwner, labelled_setting_button};
use caravanserai_games::ids::ChatId;
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_results::{CloseGame, SeatResult, WeekDigest, WeekGain, WeekMilestone};

/// The digest of a chat: at most eight lines, without a sound, and nobody is mentioned.
pub fn digest_view(digest: &WeekDigest, chat: &ChatId) -> View {
    let mut texts = vec![Text::new("answer-digest"), games_text(digest)];
    texts.extend(digest.most.as_ref().map(|(people, games)| {
        Text::new("answer-digest-most").with("names", names(people)).with("count", number(*games))
    }));
    texts.extend(digest.gain.as_ref().map(gain_text));
    texts.extend(digest.streak.as_ref().map(|(name, wins)| {
        let text = Text::new("answer-digest-streak").with("name", short_name(name));
        text.with("count", number(*wins))
    }));
    texts.extend(digest.closest.as_ref().map(close_game_text));
    texts.extend(digest.milestones.iter().map(|it| reached_text(it, chat)));
    let top = ShowTop { scope: ListScope::Chat, game: None };
    let ratings = ButtonSpec::new(Text::new("button-digest-top"), top.callback_data());
    let owner = SettingsOwner { scope: SettingScope::Chat, chat };
    let label = Text::new("button-digest-off");
    let off = labelled_setting_button(label, owner, Setting::WEEKLY_DIGEST, "off");
    View { button_rows: vec![vec![ratings, off]], ..View::persistent(texts) }
}

fn games_text(digest: &WeekDigest) -> Text {
    let total: u32 = digest.games.iter().map(|(_, count)| count).sum();
    let game = |(code, count): &(String, u32)| {
        let text = Text::new("answer-digest-game").with("game", game_text(code));
        Arg::from(text.with("count", number(*count)))
    };
    Text::new("answer-digest-games")
        .with("count", number(total))
        .with("players", digest.players as i64)
        .with("games", Arg::List(digest.games.iter().map(game).collect()))
}

fn gain_text(gain: &WeekGain) -> Text {
    Text::new("answer-digest-gain")
        .with("name", short_name(&gain.name))
        .with("points", format!("+{}", gain.points))
        .with("list", list_name(&gain.list))
}

fn close_game_text(game: &CloseGame) -> Text {
    let [(winners, most), (losers, least)] = &game.sides;
    Text::new("answer-digest-close")
        .with("winners", names(winners))
        .with("losers", names(losers))
        .with("score", format!("{most}:{least}"))
        .with("game", game_text(&game.game))
}

fn reached_text(it: &WeekMilestone, chat: &ChatId) -> Text {
    let text = milestone_text(&it.list, &chat.0, it.reached);
    let name = |seat: &SeatResult| seat_name(&seat.person, &seat.name, seat.level.as_deref());
    text.with_seat_names(&|seat| it.seats.get(usize::from(seat)).map_or("".into(), name))
}

fn names(people: &[String]) -> Arg {
    Arg::Names(people.iter().map(|it| short_name(it)).collect())
}

fn number(count: u32) -> i64 {
    i64::from(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use caravanserai_games::GameId;
    use caravanserai_i18n::{I18n, Lang};
    use caravanserai_protocol::Notification;
    use caravanserai_results::{RatingList, RatingSystem};

    /// A week in which everything happened that a digest tells.
    fn full_digest() -> WeekDigest {
        let code = GameId::all()[0].info().code;
        let list = RatingList::new(code, RatingSystem::Glicko2).expect("a code of a game");
        WeekDigest {
            games: vec![(code.to_owned(), 7)],
            players: 4,
            most: Some((vec!["Ann".to_owned(), "Bek".to_owned()], 5)),
            gain: Some(WeekGain { name: "Ann".to_owned(), list, points: 24 }),
            streak: Some(("Bek".to_owned(), 3)),
            closest: Some(CloseGame {
                game: code.to_owned(),
                sides: [(vec!["Ann".to_owned()], 82), (vec!["Bek".to_owned()], 80)],
            }),
            milestones: Vec::new(),
        }
    }

    #[test]
    fn a_digest_is_silent_short_and_has_two_buttons() {
        let view = digest_view(&full_digest(), &ChatId("tg:-100".to_owned()));
        assert_eq!(view.notification, Notification::Silent);
        assert_eq!(view.texts.len() + caravanserai_results::digest::MILESTONES_MAX, 8);
        let presses: Vec<&str> =
            view.button_rows.iter().flatten().map(|it| it.callback_data.as_str()).collect();
        assert_eq!(presses, ["tp.c.", "+.c@tg:-100.digest.off"]);
    }

    #[test]
    fn a_digest_has_all_its_words_in_every_language() {
        let view = digest_view(&full_digest(), &ChatId("web:a".to_owned()));
        let i18n = I18n::new();
        for lang in Lang::all() {
            let lines = view.texts.iter().map(|it| i18n.translate_plain(*lang, it));
            let lines: Vec<String> = lines.collect();
            let all = lines.join("\n");
            for word in ["Ann", "Bek", "7", "4", "5", "+24", "3", "82:80"] {
                assert!(all.contains(word), "{lang:?} lacks {word}: {all}");
            }
            assert!(!all.contains("answer-digest"), "{lang:?}: {all}");
        }
    }

    #[test]
    fn names_are_shortened() {
        let digest = WeekDigest { streak: Some(("A".repeat(99), 3)), ..WeekDigest::default() };
        let view = digest_view(&digest, &ChatId("tg:-100".to_owned()));
        let told = format!("{:?}", view.texts);
        assert!(told.contains(&"A".repeat(24)) && !told.contains(&"A".repeat(25)));
    }
}
