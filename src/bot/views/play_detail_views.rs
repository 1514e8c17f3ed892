//! Builds the views of how a person plays, beyond their ratings: favourites, best wins and luck.

use super::result_views::{
    decimal_text, list_name, opponents, rating_label, short_list_name, short_name,
};
use crate::commands::action::TableAction;
use crate::commands::replay::SendReplay;
use crate::repository::utc_date;
use crate::results::play_details::{BestGame, PlayDetails, RecentLuck};
use crate::results::row_formats::StoredRecord;
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::{GameId, PlayChoiceGroup};
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_results::{ChoiceStatistics, RatingList};

/// How often a person must have chosen from a group until it says what they like.
const CHOICES_MIN: u32 = 3;

/// The most ways to play that are listed of a group.
const FAVOURITES_MAX: usize = 3;

/// The fewest games from which luck is shown: of fewer it says nothing.
const LUCK_GAMES_MIN: u32 = 5;

/// The buttons in a row: each names a list.
const BUTTONS_PER_ROW: usize = 2;

/// The person whose play is shown, and where it is read.
#[derive(Clone, Copy)]
pub struct DetailsContext<'a> {
    /// The displayed name of the person.
    pub name: &'a str,
    /// Whether the reader asks about themselves.
    pub is_own: bool,
    /// Whether replays can be shown where the answer is read.
    pub shows_replays: bool,
}

/// How a person plays in the lists of their records. `details`: those of these records, in the same
/// order.
pub fn details_view(
    context: DetailsContext<'_>,
    records: &[(RatingList, StoredRecord)],
    details: &[PlayDetails],
) -> View {
    let mut texts = vec![Text::new("answer-details").with("name", short_name(context.name))];
    let mut replays = Vec::new();
    let mut has_luck = false;
    for ((list, stored), of_list) in records.iter().zip(details) {
        let mut lines = favourite_texts(list, stored);
        lines.extend(of_list.best.as_ref().map(best_win_text));
        lines.extend(of_list.luck.as_ref().map(luck_text));
        has_luck |= of_list.luck.is_some_and(|it| it.sum.games >= LUCK_GAMES_MIN);
        if !lines.is_empty() {
            texts.push(Text::new("answer-top-list").with("list", list_name(list)));
            texts.append(&mut lines);
        }
        let best = of_list.best.as_ref().filter(|it| context.shows_replays && !it.is_removed);
        replays.extend(best.map(|it| replay_button(list, it)));
    }
    if texts.len() == 1 {
        texts.push(Text::new("answer-details-empty"));
    }
    texts.extend(has_luck.then(|| Text::new("answer-details-luck-about")));
    let keys = replays.chunks(BUTTONS_PER_ROW).map(<[_]>::to_vec).collect();
    View { texts, button_rows: keys, secret: context.is_own, ..View::default() }
}

fn replay_button(list: &RatingList, best: &BestGame) -> ButtonSpec {
    let label = Text::new("button-best-win").with("list", short_list_name(list));
    let replay: &dyn TableAction = &SendReplay;
    ButtonSpec::new(label, replay.callback_data(&best.win.table))
}

/// The ways to play that a person chose most often, a line for each group of the game.
pub(crate) fn favourite_texts(list: &RatingList, stored: &StoredRecord) -> Vec<Text> {
    let Some(game) = GameId::from_code(list.game()) else { return Vec::new() };
    let line = |group: &PlayChoiceGroup| {
        let chosen = stored.record.chosen_of(group.choices);
        let count: u32 = chosen.iter().map(|it| it.count).sum();
        let way = |it: &ChoiceStatistics| {
            let text = Text::new(format!("{}-favourite-{}", list.game(), group.code));
            let text = text.with("way", (group.label)(it.choice));
            Arg::from(text.with("count", i64::from(it.count)).with("good", i64::from(it.successes)))
        };
        let ways = chosen.iter().take(FAVOURITES_MAX).map(way).collect();
        let text = Text::new(format!("{}-favourites-{}", list.game(), group.code));
        (count >= CHOICES_MIN).then(|| text.with("ways", Arg::List(ways)))
    };
    game.play_choices().iter().filter_map(line).collect()
}

/// The best game that a person has won, in one line.
pub(crate) fn best_win_text(best: &BestGame) -> Text {
    let line = Text::new("answer-details-best")
        .with("day", utc_date(best.win.at_ms).to_string())
        .with("opponents", Arg::Names(opponents(&best.entry)))
        .with("rating", rating_label(best.win.rating, best.win.is_provisional));
    match best.is_removed {
        true => Text::new("answer-history-removed").with("entry", line),
        false => line,
    }
}

/// The luck of a person in one line: what it gave in the analysed games, and how far it usually is
/// from zero.
pub(crate) fn luck_text(luck: &RecentLuck) -> Text {
    let RecentLuck { sum, games } = luck;
    let analysed = i64::from(sum.games);
    if sum.games < LUCK_GAMES_MIN {
        return Text::new("answer-details-luck-few")
            .with("least", i64::from(LUCK_GAMES_MIN))
            .with("games", analysed);
    }
    let tenths = |thousandths: i64| (thousandths.abs() + 50) / 100;
    let sign = match (tenths(sum.luck), sum.luck < 0) {
        (0, _) => "",
        (_, true) => "−",
        (_, false) => "+",
    };
    Text::new("answer-details-luck")
        .with("sign", sign)
        .with("luck", decimal_text(tenths(sum.luck)))
        .with("limit", decimal_text(tenths(sum.usual_limit())))
        .with("won", decimal_text(tenths(sum.won)))
        .with("games", analysed)
        .with("all", i64::from(*games))
}

#[cfg(test)]
mod tests {
    use super::*;
    use caravanserai_i18n::{I18n, Lang};
    use caravanserai_results::{LuckSum, ResultShare};

    fn said(text: &Text) -> String {
        I18n::new().translate_plain(Lang::default(), text)
    }

    fn luck(of_games: &[(i32, i32)]) -> RecentLuck {
        let mut sum = LuckSum::default();
        for (luck, result) in of_games.iter().copied() {
            let seats = vec![1];
            let start = 500;
            let own_mistakes = 500 + luck - result;
            let share =
                ResultShare { seats, start, own_mistakes, others_mistakes: 0, luck, result };
            sum.add(&[share], 1);
        }
        RecentLuck { sum, games: 9 }
    }

    #[test]
    fn luck_says_its_games_and_how_far_it_usually_goes() {
        let bad = luck(&[(-400, 0), (300, 1000), (-300, 0), (-400, 0), (-550, 0)]);
        let text = said(&luck_text(&bad));
        // The root of 0.16 + 0.09 + 0.09 + 0.16 + 0.3025 is 0.896: 1.76 in 19 of 20 cases.
        for part in ["−1.4 wins", "±1.8", "5 of the last 9", "won 1.0"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let few = said(&luck_text(&luck(&[(400, 1000)])));
        assert!(few.contains("So far: 1"), "{few}");
    }

    #[test]
    fn a_person_without_details_reads_what_they_need() {
        let context = DetailsContext { name: "Ann", is_own: true, shows_replays: true };
        let view = details_view(context, &[], &[]);
        assert_eq!(view.texts.len(), 2);
        assert!(said(&view.texts[1]).contains("best win"), "{}", said(&view.texts[1]));
        assert!(view.button_rows.is_empty());
    }
}
