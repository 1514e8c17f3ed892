//! Builds the views of ratings, statistics and histories.

use crate::commands::action::TableAction;
use crate::commands::history::HISTORY_CODE;
use crate::commands::replay::SendReplay;
use crate::commands::top::{ListScope, ShowTop};
use crate::repository::utc_date;
use crate::results::queries::{HistoryPage, all_lists};
use crate::results::rows::{
    GameRatings, HistoryEntry, HistoryPlayer, ListPlace, RatingChange, StoredRecord,
};
use caravanserai_games::ids::PersonId;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_results::{CasualReason, GameOutcome, RatingList, RatingSystem, Season};
use caravanserai_table::people::{computer_name, deleted_player_name};
use caravanserai_table::state::Table;

/// The most characters of a name in a list.
const NAME_CHARS_MAX: usize = 24;

/// The name of a game.
fn game_text(game: &str) -> Text {
    Text::new(format!("game-{game}"))
}

/// The name of a rating list: that of its game, and the number of players if the game has several
/// lists.
pub fn list_name(list: &RatingList) -> Text {
    let game = game_text(list.game());
    let has_several = all_lists().iter().filter(|it| it.game() == list.game()).count() > 1;
    match list.system() {
        _ if !has_several => game,
        RatingSystem::Glicko2 => Text::new("list-two").with("game", game),
        RatingSystem::WengLin => Text::new("list-pairs").with("game", game),
        RatingSystem::PlackettLuce => Text::new("list-several").with("game", game),
    }
}

/// A rating as people read it: an uncertain one has a question mark.
fn rating_label(rating: i32, is_provisional: bool) -> String {
    format!("{rating}{}", if is_provisional { "?" } else { "" })
}

fn short_name(name: &str) -> Arg {
    Arg::Plain(name.chars().take(NAME_CHARS_MAX).collect())
}

/// The lists of a scope. `own`: the reader.
pub fn lists_view(
    shown: ShowTop,
    season: Season,
    lists: &[(RatingList, Vec<ListPlace>)],
    own: &PersonId,
    is_group: bool,
) -> View {
    let title = match shown.scope {
        ListScope::Chat => Text::new("answer-top-chat"),
        ListScope::Everywhere => Text::new("answer-top-all"),
        ListScope::Season if is_group => {
            Text::new("answer-top-season").with("season", season.to_string())
        }
        ListScope::Season => Text::new("answer-top-season-all").with("season", season.to_string()),
    };
    let mut texts = vec![title];
    let lists = lists.iter().filter(|(list, _)| shown.is_about(list));
    let mut has_provisional = false;
    for (list, places) in lists {
        texts.push(Text::new("answer-top-list").with("list", list_name(list)));
        for (rank, place) in (1_i64..).zip(places) {
            texts.push(place_text(rank, place, *own == place.person));
            has_provisional |= place.is_provisional;
        }
    }
    if texts.len() == 1 {
        texts.push(Text::new("answer-top-empty"));
    }
    texts.extend(has_provisional.then(|| Text::new("answer-provisional")));
    let button = |scope, key: &'static str| {
        ButtonSpec::new(Text::new(key), ShowTop { scope, ..shown }.callback_data())
    };
    let mut row = Vec::new();
    row.extend(is_group.then(|| button(ListScope::Chat, "button-top-chat")));
    row.push(button(ListScope::Everywhere, "button-top-all"));
    row.push(button(ListScope::Season, "button-top-season"));
    View { texts, keys: vec![row], ..View::default() }
}

fn place_text(rank: i64, place: &ListPlace, is_own: bool) -> Text {
    let [won, drawn, lost] = place.games.map(i64::from);
    let key = if is_own { "answer-top-place-own" } else { "answer-top-place" };
    Text::new(key)
        .with("rank", rank)
        .with("name", short_name(&place.name))
        .with("rating", rating_label(place.rating, place.is_provisional))
        .with("won", won)
        .with("drawn", drawn)
        .with("lost", lost)
}

/// The records of a person, and how they stand against the reader.
pub struct Statistics<'a> {
    /// The displayed name of the person.
    pub name: &'a str,
    /// Whether the reader asks about themselves.
    pub is_own: bool,
    /// The current time, in milliseconds since 1970.
    pub now_ms: u64,
    /// The records in all lists.
    pub records: &'a [(RatingList, StoredRecord)],
    /// Games against the reader that the reader won, drew and lost.
    pub against_reader: [i64; 3],
    /// The last games.
    pub last: &'a [HistoryEntry],
}

/// The statistics of a person.
pub fn statistics_view(shown: &Statistics<'_>) -> View {
    let mut texts = vec![Text::new("answer-stats").with("name", short_name(shown.name))];
    let mut has_provisional = false;
    for (list, stored) in shown.records {
        let record = &stored.record;
        let is_provisional = record.is_provisional(shown.now_ms);
        has_provisional |= is_provisional && record.rated_games > 0;
        let key = match record.rated_games {
            0 => "answer-stats-unrated",
            _ => "answer-stats-record",
        };
        let line = Text::new(key)
            .with("list", list_name(list))
            .with("rating", rating_label(record.displayed_rating(), is_provisional))
            .with("won", i64::from(record.wins))
            .with("drawn", i64::from(record.draws))
            .with("lost", i64::from(record.losses));
        texts.push(line);
        let best = record.best.map(|it| i64::from(it.displayed));
        texts.extend(best.map(|it| Text::new("answer-stats-best").with("rating", it)));
        if record.streak.abs() > 1 {
            let key = match record.streak {
                1.. => "answer-stats-streak-won",
                _ => "answer-stats-streak-lost",
            };
            texts.push(Text::new(key).with("count", i64::from(record.streak.abs())));
        }
    }
    let [won, drawn, lost] = shown.against_reader;
    if !shown.is_own && won + drawn + lost > 0 {
        let against = Text::new("answer-stats-against").with("won", won);
        texts.push(against.with("drawn", drawn).with("lost", lost));
    }
    if shown.records.is_empty() {
        let key = if shown.is_own { "answer-stats-empty-own" } else { "answer-stats-empty" };
        texts.push(Text::new(key));
    }
    texts.extend(has_provisional.then(|| Text::new("answer-provisional")));
    let mut keys = Vec::new();
    if shown.is_own && !shown.last.is_empty() {
        texts.push(Text::new("answer-stats-last"));
        texts.extend(shown.last.iter().map(history_line));
        let all = ButtonSpec::new(Text::new("button-history"), format!("{HISTORY_CODE}.0"));
        keys.push(vec![all]);
    }
    View { texts, keys, secret: shown.is_own, ..View::default() }
}

/// A page of the reader's games.
pub fn history_view(page: usize, found: &HistoryPage) -> View {
    if found.entries.is_empty() {
        return View { texts: vec![Text::new("answer-history-empty")], ..View::default() };
    }
    let mut texts = vec![Text::new("answer-history").with("page", page as i64 + 1)];
    let mut replays = Vec::new();
    for (number, entry) in (1_i64..).zip(&found.entries) {
        let numbered = Text::new("answer-history-numbered").with("n", number);
        texts.push(numbered.with("entry", history_line(entry)));
        let replay: &dyn TableAction = &SendReplay;
        let label = Arg::Plain(format!("🎞 {number}"));
        replays.push(ButtonSpec::new(label, replay.callback_data(&entry.table)));
    }
    texts.push(Text::new("answer-history-replays"));
    let mut keys: Vec<Vec<ButtonSpec>> = replays.chunks(4).map(<[_]>::to_vec).collect();
    let turn = |key: &'static str, page: usize| {
        ButtonSpec::new(Text::new(key), format!("{HISTORY_CODE}.{page}"))
    };
    let newer = (page > 0).then(|| turn("button-newer", page - 1));
    let older = found.has_more.then(|| turn("button-older", page + 1));
    keys.extend(
        Some(newer.into_iter().chain(older).collect()).filter(|it: &Vec<_>| !it.is_empty()),
    );
    View { texts, keys, secret: true, ..View::default() }
}

/// A game in one line: day, game, result, opponents, change of the rating.
fn history_line(entry: &HistoryEntry) -> Text {
    let key = match entry.outcome {
        GameOutcome::Win => "answer-history-won",
        GameOutcome::Draw => "answer-history-drawn",
        GameOutcome::Loss => "answer-history-lost",
    };
    let text = Text::new(key)
        .with("day", utc_date(entry.ended_ms).to_string())
        .with("game", game_text(&entry.game))
        .with("opponents", Arg::Names(opponents(entry)));
    match entry.casual.is_empty() {
        true => {
            let rated = Text::new("answer-history-rated").with("game", text);
            rated.with("change", change(entry.rating))
        }
        false => text,
    }
}

/// The opponents of a person in a game.
fn opponents(entry: &HistoryEntry) -> Vec<Arg> {
    let is_pairs =
        RatingList::parse(&entry.list).is_some_and(|it| it.system() == RatingSystem::WengLin);
    let own = usize::from(entry.seat);
    let is_opponent = |seat: usize| seat != own && !(is_pairs && seat % 2 == own % 2);
    let players = entry.players.iter().enumerate().filter(|(seat, _)| is_opponent(*seat));
    let name = |(_, it): (usize, &HistoryPlayer)| {
        let level = it.level.as_deref().and_then(ComputerLevel::read);
        match level {
            Some(level) => Arg::from(computer_name(level, None)),
            None if it.person.is_deleted() => Arg::from(deleted_player_name(None)),
            None => short_name(&it.name),
        }
    };
    players.map(name).collect()
}

/// How a rating changed, for example `+12`.
fn change(rating: RatingChange) -> String {
    format!("{:+}", rating.after - rating.before)
}

/// The lines about ratings under the result of a game.
pub fn rating_lines(ratings: &GameRatings) -> Vec<Text> {
    if let Some(reason) = ratings.casual.first() {
        // These players know that their game does not count.
        let is_known = matches!(
            reason,
            CasualReason::ComputerUnrated | CasualReason::SamePerson | CasualReason::Coached
        );
        let text = Text::new("over-casual").with("reason", casual_text(*reason));
        return if is_known { Vec::new() } else { vec![text] };
    }
    let line = |(seat, rating): &(u8, RatingChange)| {
        Text::new("over-rating")
            .with("name", Arg::Seat(*seat))
            .with("rating", rating_label(rating.after, rating.is_provisional))
            .with("change", change(*rating))
    };
    let changes: Vec<Arg> = ratings.seats.iter().map(|it| Arg::from(line(it))).collect();
    if changes.is_empty() {
        return Vec::new();
    }
    vec![Text::new("over-ratings").with("changes", Arg::List(changes))]
}

/// Why a game does not count, as a part of a sentence.
pub fn casual_text(reason: CasualReason) -> Text {
    Text::new(format!("casual-{}", reason.code()))
}

/// Whether a game counts for ratings, for its lobby.
pub fn rated_line(table: &Table) -> Text {
    match table.casual_reasons().first() {
        None => Text::new("lobby-rated"),
        Some(reason) => Text::new("lobby-casual").with("reason", casual_text(*reason)),
    }
}
