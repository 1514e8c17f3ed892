//! Builds the views of ratings, statistics and histories.

use super::{achievement_views, head_to_head};
use crate::commands::action::TableAction;
use crate::commands::details::ShowDetails;
use crate::commands::history::ShowHistory;
use crate::commands::replay::SendReplay;
use crate::commands::top::{ListScope, ShowTop};
use crate::repository::utc_date;
use crate::results::queries::{FILTERED_GAMES_MAX, HistoryPage, RANKED_PLACES_MAX, all_lists};
use crate::results::row_formats::{
    GameRatings, HistoryEntry, HistoryPlayer, LeaderboardEntry, RatingChange, StoredRecord,
};
use crate::results::unrated_games::UnratedGame;
use caravanserai_games::GameId;
use caravanserai_games::ids::PersonId;
use caravanserai_games::play_quality::{LevelPlayQuality, levels_with_cost, read_play_quality};
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_results::{
    CasualReason, GameOutcome, Milestone, PairLimit, PlayQuality, RatingList, RatingSystem, Season,
    SeatMilestone,
};
use caravanserai_table::people::{computer_name, deleted_player_name, displayed_name};
use caravanserai_table::state::Table;

/// The most characters of a name in a list.
const NAME_CHARS_MAX: usize = 24;

/// The fewest judged rounds from which it follows how well a person plays.
const JUDGED_ROUNDS_MIN: u32 = 20;

/// The name of a game.
pub(crate) fn game_text(game: &str) -> Text {
    Text::new(format!("game-{game}"))
}

/// The name of a rating list: that of its game, and the number of players if the game has several
/// lists.
pub fn list_name(list: &RatingList) -> Text {
    let game = game_text(list.game());
    match list.system() {
        _ if !has_several_lists(list.game()) => game,
        RatingSystem::Glicko2 => Text::new("list-two").with("game", game),
        RatingSystem::WengLin => Text::new("list-pairs").with("game", game),
        RatingSystem::PlackettLuce => Text::new("list-several").with("game", game),
    }
}

/// The same as short as a picture needs it: the number of players as a numeral.
pub fn short_list_name(list: &RatingList) -> Text {
    let game = game_text(list.game());
    let players = match list.system() {
        RatingSystem::Glicko2 => "2",
        RatingSystem::WengLin => "2:2",
        RatingSystem::PlackettLuce => "3–4",
    };
    match has_several_lists(list.game()) {
        true => Text::new("list-short").with("game", game).with("players", players),
        false => game,
    }
}

fn has_several_lists(game: &str) -> bool {
    all_lists().iter().filter(|it| it.game() == game).count() > 1
}

/// A rating as people read it: an uncertain one has a question mark.
pub fn rating_label(rating: i32, is_provisional: bool) -> String {
    format!("{rating}{}", if is_provisional { "?" } else { "" })
}

/// A displayed name, shortened for lists.
pub(super) fn short_name(name: &str) -> Arg {
    let name: String = name.chars().take(NAME_CHARS_MAX).collect();
    displayed_name(&name)
}

/// The shown season, and those that its buttons turn to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeasonPages {
    /// The shown season.
    pub shown: Season,
    /// Whether it is this month.
    pub is_current: bool,
    /// The last season with games before it.
    pub earlier: Option<Season>,
    /// The next season with games after it; from the last one that is this month.
    pub later: Option<Season>,
}

impl SeasonPages {
    /// `seasons`: those with games, the earliest first.
    pub fn new(shown: Season, current: Season, seasons: &[Season]) -> Self {
        let later = seasons.iter().copied().find(|it| *it > shown);
        SeasonPages {
            shown,
            is_current: shown == current,
            earlier: seasons.iter().copied().rfind(|it| *it < shown),
            later: later.or((shown < current).then_some(current)),
        }
    }
}

/// The person who reads lists.
#[derive(Clone, Copy)]
pub struct ListReader<'a> {
    /// The person.
    pub person: &'a PersonId,
    /// Their places below those that are shown, each with its rank, which is `None` if it was not
    /// counted.
    pub places: &'a [(RatingList, (Option<usize>, LeaderboardEntry))],
    /// Whether they read in a group.
    pub is_group: bool,
}

/// The lists of a scope. `seasons`: those of a list of one month.
pub fn lists_view(
    shown: ShowTop,
    seasons: Option<SeasonPages>,
    lists: &[(RatingList, Vec<LeaderboardEntry>)],
    reader: ListReader<'_>,
) -> View {
    let is_group = reader.is_group;
    let mut texts = vec![lists_title(shown.scope, seasons, is_group)];
    let lists = lists.iter().filter(|(list, _)| shown.is_about(list));
    let mut has_provisional = false;
    for (list, places) in lists {
        texts.push(Text::new("answer-top-list").with("list", list_name(list)));
        for (rank, place) in (1_i64..).zip(places) {
            texts.push(place_text(rank, place, *reader.person == place.person));
            has_provisional |= place.is_provisional;
        }
        for (_, (rank, place)) in reader.places.iter().filter(|it| it.0 == *list) {
            let rank = match rank {
                Some(rank) => Arg::from(*rank as i64),
                None => Arg::from(format!("{RANKED_PLACES_MAX}+")),
            };
            texts.push(place_text(rank, place, true));
            has_provisional |= place.is_provisional;
        }
        texts.extend(list_order_text(list, places, seasons.is_some()));
    }
    if texts.len() == 1 {
        let is_over = seasons.is_some_and(|it| !it.is_current);
        // There may be games that count for other lists.
        let key = match (is_over, seasons.is_some() || shown.game.is_some()) {
            (true, _) if shown.game.is_some() => "answer-top-none-list",
            (true, _) => "answer-top-none",
            (false, true) => "answer-top-empty-list",
            (false, false) => "answer-top-empty",
        };
        texts.push(Text::new(key));
    }
    texts.extend(has_provisional.then(|| Text::new("answer-provisional")));
    let button = |scope, key: &'static str| {
        ButtonSpec::new(Text::new(key), ShowTop { scope, ..shown }.callback_data())
    };
    let mut row = Vec::new();
    row.extend(is_group.then(|| button(ListScope::Chat, "button-top-chat")));
    row.push(button(ListScope::Everywhere, "button-top-all"));
    row.push(button(ListScope::Season(None), "button-top-season"));
    let mut keys = vec![row];
    keys.extend(seasons.and_then(|it| season_buttons(shown, it)));
    View { texts, button_rows: keys, ..View::default() }
}

/// The line that explains the order of these places, where it is not that of the displayed ratings:
/// otherwise a lower rating above a higher one would look like a mistake.
pub fn list_order_text(
    list: &RatingList,
    places: &[LeaderboardEntry],
    is_of_month: bool,
) -> Option<Text> {
    let certain = places.iter().filter(|it| !it.is_provisional).count();
    let is_by_certainty = list.system() != RatingSystem::Glicko2 && certain > 1;
    // Lists of months stay as the last game has left them.
    let key = if is_of_month { "answer-top-order-month" } else { "answer-top-order" };
    is_by_certainty.then(|| Text::new(key))
}

fn lists_title(scope: ListScope, seasons: Option<SeasonPages>, is_group: bool) -> Text {
    let key = match (scope, seasons) {
        (ListScope::Chat, _) => "answer-top-chat",
        (ListScope::Season(_), Some(seasons)) => match (seasons.is_current, is_group) {
            (true, true) => "answer-top-season",
            (true, false) => "answer-top-season-all",
            (false, true) => "answer-top-past",
            (false, false) => "answer-top-past-all",
        },
        (ListScope::Everywhere, _) | (ListScope::Season(_), None) => "answer-top-all",
    };
    let title = Text::new(key);
    match seasons {
        Some(seasons) => title.with("season", seasons.shown.to_string()),
        None => title,
    }
}

/// The buttons that turn to the months before and after.
fn season_buttons(shown: ShowTop, seasons: SeasonPages) -> Option<Vec<ButtonSpec>> {
    let button = |label: String, season: Season| {
        let scope = ListScope::Season(Some(season));
        ButtonSpec::new(Arg::Plain(label), ShowTop { scope, ..shown }.callback_data())
    };
    let earlier = seasons.earlier.map(|it| button(format!("◂ {it}"), it));
    let later = seasons.later.map(|it| button(format!("{it} ▸"), it));
    let row: Vec<ButtonSpec> = earlier.into_iter().chain(later).collect();
    (!row.is_empty()).then_some(row)
}

fn place_text(rank: impl Into<Arg>, place: &LeaderboardEntry, is_own: bool) -> Text {
    let key = if is_own { "answer-top-place-own" } else { "answer-top-place" };
    let text = Text::new(key)
        .with("rank", rank)
        .with("name", short_name(&place.name))
        .with("rating", rating_label(place.rating, place.is_provisional));
    ResultCounts::of_numbers(place.games).add_to(text)
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
    /// How well they have played, in the games in which play is judged.
    pub play: &'a [(GameId, PlayQuality)],
    /// Whether achievements are shown.
    pub shows_achievements: bool,
    /// The games against the reader, as the reader ended them.
    pub against_reader: ResultCounts,
    /// Whether the reader has older games, which were not searched for games against the person.
    pub has_older_games: bool,
    /// The page with these games.
    pub games: ShowHistory,
    /// The view with what the person prefers, their best wins and their luck.
    pub details: ShowDetails,
    /// The last games.
    pub last: &'a [HistoryEntry],
}

/// Results of games, as one person ended them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultCounts {
    /// Games won.
    pub won: i64,
    /// Games drawn.
    pub drawn: i64,
    /// Games lost.
    pub lost: i64,
}

impl ResultCounts {
    /// Counts the results of these games.
    pub fn of_games<'a>(games: impl IntoIterator<Item = &'a HistoryEntry>) -> Self {
        let mut counts = ResultCounts::default();
        for game in games {
            match game.outcome {
                GameOutcome::Win => counts.won += 1,
                GameOutcome::Draw => counts.drawn += 1,
                GameOutcome::Loss => counts.lost += 1,
            }
        }
        counts
    }

    /// Counts the results of these games against one opponent. A race that a third player won is a
    /// win of neither.
    pub fn against<'a>(
        games: impl IntoIterator<Item = &'a HistoryEntry>,
        opponent: &PersonId,
    ) -> Self {
        let counts = |it: &&HistoryEntry| {
            it.outcome != GameOutcome::Loss || head_to_head::has_won(it, opponent)
        };
        Self::of_games(games.into_iter().filter(counts))
    }

    /// Games won, drawn and lost.
    fn of_numbers(numbers: [u32; 3]) -> Self {
        let [won, drawn, lost] = numbers.map(i64::from);
        ResultCounts { won, drawn, lost }
    }

    fn is_empty(self) -> bool {
        self == ResultCounts::default()
    }

    fn add_to(self, text: Text) -> Text {
        text.with("won", self.won).with("drawn", self.drawn).with("lost", self.lost)
    }
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
            .with("rating", rating_label(record.displayed_rating(), is_provisional));
        let counts = ResultCounts::of_numbers([record.wins, record.draws, record.losses]);
        texts.push(counts.add_to(line));
        let best = record.best.map(|it| i64::from(it.displayed));
        texts.extend(best.map(|it| Text::new("answer-stats-best").with("rating", it)));
        if record.streak.abs() > 1 {
            let key = match record.streak {
                1.. => "answer-stats-streak-won",
                _ => "answer-stats-streak-lost",
            };
            texts.push(Text::new(key).with("count", i64::from(record.streak.abs())));
        }
        texts.extend(play_quality_texts(shown.play, list.game()));
        texts.extend(achievement_views::totals_line(list, stored));
    }
    let mut keys = Vec::new();
    if !shown.is_own && !shown.against_reader.is_empty() {
        texts.push(shown.against_reader.add_to(Text::new("answer-stats-against")));
        texts.extend(shown.has_older_games.then(latest_games_text));
        let games = shown.games.callback_data();
        keys.push(vec![ButtonSpec::new(Text::new("button-head-to-head"), games)]);
    }
    if shown.records.is_empty() {
        let key = if shown.is_own { "answer-stats-empty-own" } else { "answer-stats-empty" };
        texts.push(Text::new(key));
    } else {
        let details = shown.details.callback_data();
        keys.push(vec![ButtonSpec::new(Text::new("button-details"), details)]);
    }
    texts.extend(has_provisional.then(|| Text::new("answer-provisional")));
    if shown.is_own && !shown.last.is_empty() {
        texts.push(Text::new("answer-stats-last"));
        texts.extend(shown.last.iter().map(history_line));
        let all = ButtonSpec::new(Text::new("button-history"), shown.games.callback_data());
        keys.push(vec![all]);
    }
    if shown.shows_achievements && !shown.records.is_empty() {
        let (line, button) = achievement_views::achievements_line(shown.records);
        texts.push(line);
        keys.push(vec![button]);
    }
    View { texts, button_rows: keys, secret: shown.is_own, ..View::default() }
}

/// How well a person has played a game: what their decisions cost, and the levels of computers
/// whose decisions cost about as much. Nothing while too little was judged.
pub fn play_quality_texts(play: &[(GameId, PlayQuality)], game: &str) -> Vec<Text> {
    let of_game = play.iter().filter(|(it, _)| it.info().code == game);
    of_game.flat_map(|(game, quality)| play_quality_of_game(*game, quality)).collect()
}

fn play_quality_of_game(game: GameId, quality: &PlayQuality) -> Vec<Text> {
    let rounds = quality.rounds();
    let Some(cost) = quality.round_cost().filter(|_| rounds >= JUDGED_ROUNDS_MIN) else {
        return Vec::new();
    };
    let line = Text::new("answer-stats-play")
        .with("cost", percent_text(cost.mean))
        .with("interval", percent_text(cost.interval))
        .with("rounds", i64::from(rounds));
    let levels: Vec<LevelPlayQuality> = read_play_quality(game.play_quality()).collect();
    let similar = levels_with_cost(&levels, cost.mean, cost.interval);
    let word = |it: &LevelPlayQuality| Text::new(format!("choice-{}", it.level.code()));
    let compared = match similar {
        [] => None,
        [only] => Some(Text::new("answer-stats-play-level").with("level", word(only))),
        // A range of all levels says nothing.
        all if all.len() == levels.len() => None,
        [first, .., last] => Some(
            Text::new("answer-stats-play-levels").with("from", word(first)).with("to", word(last)),
        ),
    };
    [line].into_iter().chain(compared).collect()
}

/// Hundredths of a percent as a number with one decimal.
fn percent_text(hundredths: u32) -> Text {
    decimal_text(i64::from((hundredths + 5) / 10))
}

/// Tenths as a number with one decimal.
pub(super) fn decimal_text(tenths: i64) -> Text {
    Text::new("answer-decimal").with("whole", tenths / 10).with("tenth", tenths % 10)
}

/// Says that older games were not searched, under totals of games that a filter keeps.
pub fn latest_games_text() -> Text {
    Text::new("answer-history-latest").with("count", FILTERED_GAMES_MAX as i64)
}

/// A page of the reader's games.
pub fn history_view(shown: &ShowHistory, found: &HistoryPage) -> View {
    if found.entries.is_empty() {
        return View { texts: vec![Text::new("answer-history-empty")], ..View::default() };
    }
    let title = Text::new("answer-history").with("page", shown.page as i64 + 1);
    games_view(vec![title], shown, found)
}

/// A page of the reader's games of one game, or against one opponent, with the results of all
/// these games. `against`: the opponent.
pub fn filtered_history_view(
    shown: &ShowHistory,
    against: Option<&PersonId>,
    found: &HistoryPage,
    games: &[HistoryEntry],
) -> View {
    let page = shown.page as i64 + 1;
    let opponent = against.and_then(|person| {
        let mut players = games.iter().flat_map(HistoryEntry::opponents);
        players.find(|it| it.person == *person)
    });
    let title = match opponent {
        Some(opponent) => Text::new("answer-history-against").with("name", player_name(opponent)),
        None => Text::new("answer-history"),
    };
    let mut texts = vec![title.with("page", page)];
    for list in all_lists() {
        let of_list = games.iter().filter(|it| it.list == list.code());
        let results = match against {
            Some(opponent) => ResultCounts::against(of_list, opponent),
            None => ResultCounts::of_games(of_list),
        };
        if !results.is_empty() {
            let line = Text::new("answer-history-results").with("list", list_name(&list));
            texts.push(results.add_to(line));
        }
    }
    games_view(texts, shown, found)
}

/// Games with a number each, and the buttons that replay them and turn pages.
fn games_view(mut texts: Vec<Text>, shown: &ShowHistory, found: &HistoryPage) -> View {
    let mut replays = Vec::new();
    for (number, entry) in (1_i64..).zip(&found.entries) {
        let numbered = Text::new("answer-history-numbered").with("n", number);
        let line = history_line(entry);
        if found.removed.contains(&entry.table) {
            let line = Text::new("answer-history-removed").with("entry", line);
            texts.push(numbered.with("entry", line));
            continue;
        }
        texts.push(numbered.with("entry", line));
        let replay: &dyn TableAction = &SendReplay;
        let label = Arg::Plain(format!("🎞 {number}"));
        replays.push(ButtonSpec::new(label, replay.callback_data(&entry.table)));
    }
    texts.extend((!replays.is_empty()).then(|| Text::new("answer-history-replays")));
    let mut keys: Vec<Vec<ButtonSpec>> = replays.chunks(4).map(<[_]>::to_vec).collect();
    let turn = |key: &'static str, page: ShowHistory| {
        ButtonSpec::new(Text::new(key), page.callback_data())
    };
    let newer = (shown.page > 0).then(|| turn("button-newer", shown.at_page(shown.page - 1)));
    let older = shown.older().filter(|_| found.has_more);
    let older = older.map(|it| turn("button-older", it));
    keys.extend(
        Some(newer.into_iter().chain(older).collect()).filter(|it: &Vec<_>| !it.is_empty()),
    );
    View { texts, button_rows: keys, secret: true, ..View::default() }
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

/// The names of the opponents of a person in a game.
pub(crate) fn opponents(entry: &HistoryEntry) -> Vec<Arg> {
    entry.opponents().map(player_name).collect()
}

fn player_name(player: &HistoryPlayer) -> Arg {
    seat_name(&player.person, &player.name, player.level.as_deref())
}

/// The name of a player of a finished game: a computer by its level, a deleted account without its
/// name.
pub(super) fn seat_name(person: &PersonId, name: &str, level: Option<&str>) -> Arg {
    match level.and_then(ComputerLevel::read) {
        Some(level) => Arg::from(computer_name(level, None)),
        None if person.is_deleted() => Arg::from(deleted_player_name(None)),
        None => short_name(name),
    }
}

/// How a rating changed, for example `+12` or `−8`.
fn change(rating: RatingChange) -> String {
    format!("{:+}", rating.after - rating.before).replace('-', "−")
}

/// The lines about ratings, a milestone and achievements under the result of a game.
pub fn rating_lines(table: &Table, ratings: &GameRatings) -> Vec<Text> {
    let mut texts = rating_change_lines(table, ratings);
    let list = RatingList::parse(&ratings.list);
    let reached = list.zip(ratings.milestone);
    let chat = table.result_chat();
    texts.extend(reached.map(|(list, reached)| milestone_text(&list, chat, reached)));
    texts.extend(achievement_views::new_achievements_line(ratings));
    texts
}

/// A milestone of a game of this list; its players are seats. It is among the games of this chat,
/// and the text says so, or among all games if the chat is empty.
pub(super) fn milestone_text(list: &RatingList, chat: &str, reached: SeatMilestone) -> Text {
    let key = |here: &'static str, all: &'static str| if chat.is_empty() { all } else { here };
    let text = match reached.milestone {
        Milestone::FirstWin => Text::new(key("over-first-win", "over-first-win-all")),
        Milestone::WinAfterLosses { opponent, losses } => {
            Text::new(key("over-win-after-losses", "over-win-after-losses-all"))
                .with("opponent", Arg::Seat(opponent))
                .with("count", i64::from(losses))
        }
        Milestone::BestRating(rating) => Text::new(key("over-best-rating", "over-best-rating-all"))
            .with("rating", i64::from(rating)),
        Milestone::Streak(wins) => {
            Text::new(key("over-streak", "over-streak-all")).with("count", i64::from(wins))
        }
    };
    text.with("list", list_name(list)).with("name", Arg::Seat(reached.seat))
}

fn rating_change_lines(table: &Table, ratings: &GameRatings) -> Vec<Text> {
    let line = |name: Arg, rating: &RatingChange| {
        let text = Text::new("over-rating")
            .with("name", name)
            .with("rating", rating_label(rating.after, rating.is_provisional))
            .with("change", change(*rating));
        Arg::from(text)
    };
    let mut changes: Vec<Arg> = Vec::new();
    if ratings.casual.is_empty() {
        changes.extend(ratings.seats.iter().map(|(seat, it)| line(Arg::Seat(*seat), it)));
    }
    // A person who left has lost, also where the game is not rated for the others.
    changes.extend(ratings.leavers.iter().filter_map(|(seat, rating)| {
        let leaver = table.first_leaver(*seat)?;
        Some(line(seat_name(&leaver.person, &leaver.name, None), rating))
    }));
    let mut texts: Vec<Text> = casual_line(table, ratings).into_iter().collect();
    texts.extend(ratings.new_winners.iter().map(|seat| {
        let text = Text::new("over-casual-for").with("name", Arg::Seat(*seat));
        text.with("reason", casual_text(CasualReason::NewAccount))
    }));
    if !changes.is_empty() {
        let key = if table.has_computers() { "over-ratings-half" } else { "over-ratings" };
        texts.push(Text::new(key).with("changes", Arg::List(changes)));
    }
    texts
}

/// Why the game does not count for those who played to its end, or counts only in its chat.
fn casual_line(table: &Table, ratings: &GameRatings) -> Option<Text> {
    let is_in_chat = !table.result_chat().is_empty();
    let mut reasons = ratings.casual.iter().copied();
    let Some(reason) = reasons.find(|it| !(is_in_chat && it.spares_lists_of_chat())) else {
        return (!ratings.casual.is_empty()).then(|| Text::new("lobby-rated-here"));
    };
    // These players know that their game does not count.
    let is_known = matches!(
        reason,
        CasualReason::ComputerUnrated | CasualReason::SamePerson | CasualReason::Coached
    );
    let text = || Text::new("over-casual").with("reason", table_casual_text(table, reason));
    (!is_known).then(text)
}

/// A game that an abuse check kept from being rated, in one line: day, game, players, reasons.
pub fn unrated_game_line(game: &UnratedGame) -> Text {
    let UnratedGame { result, reasons } = game;
    let seats = result.seats.iter();
    let names = seats.map(|it| seat_name(&it.person, &it.name, it.level.as_deref()));
    let reasons = reasons.iter().map(|it| Arg::from(casual_text(*it)));
    Text::new("answer-guarded-game")
        .with("day", utc_date(result.ended_ms).to_string())
        .with("game", game_text(&result.game))
        .with("players", Arg::Names(names.collect()))
        .with("reasons", Arg::List(reasons.collect()))
}

/// Why a game does not count, as a part of a sentence.
pub fn casual_text(reason: CasualReason) -> Text {
    Text::new(format!("casual-{}", reason.code()))
}

/// Whether a game counts for ratings, for its lobby.
pub fn rated_line(table: &Table) -> Text {
    let limits = table.pair_limit().map_or(&[][..], PairLimit::reasons);
    match table.casual_reasons().first().or(limits.first()) {
        None if !table.counts_half() => Text::new("lobby-rated"),
        None => Text::new("lobby-rated-alone"),
        Some(CasualReason::SeveralPeople) => Text::new("lobby-casual-several-people"),
        Some(CasualReason::RatingPause) => paused_line(table),
        Some(CasualReason::PairLimitEverywhere) if !table.result_chat().is_empty() => {
            Text::new("lobby-rated-here")
        }
        Some(reason) => Text::new("lobby-casual").with("reason", table_casual_text(table, *reason)),
    }
}

/// Why the game at this table does not count. Games without a group share one limit for pairs.
fn table_casual_text(table: &Table, reason: CasualReason) -> Text {
    match reason {
        CasualReason::PairLimit if table.result_chat().is_empty() => {
            Text::new("lobby-pair-limit-no-group")
        }
        reason => casual_text(reason),
    }
}

/// Says which player is paused from rated games, and until when.
fn paused_line(table: &Table) -> Text {
    match table.paused_player() {
        Some(player) => Text::new("lobby-casual-pause")
            .with("name", player.name)
            .with("time", Arg::time(player.until_ms)),
        None => Text::new("lobby-casual").with("reason", casual_text(CasualReason::RatingPause)),
    }
}

/// Whether a game counts, for its first board, where its players may not have seen that in a lobby:
/// games with computers often begin without one, a game of a person who takes a break from rated
/// games may begin as soon as they come, a rematch or a posted challenge, which may be casual,
/// begins with one press, and the limits for the games of a pair are decided at the start.
pub fn first_board_line(table: &Table) -> Option<Text> {
    let reasons = table.casual_reasons();
    let is_paused = reasons.first() == Some(&CasualReason::RatingPause);
    let had_lobby = table.times.started_ms > table.times.opened_ms;
    let is_casual = !reasons.is_empty() && !had_lobby && !table.is_solo();
    let is_limited = table.pair_limit().is_some_and(|it| it != PairLimit::NotReached);
    let is_notable = table.has_computers() || is_paused || is_casual || is_limited;
    let is_first = !table.history.has_decisions() && is_notable;
    // Nobody expects a lesson to count.
    (is_first && !table.setup.coached).then(|| rated_line(table))
}

#[cfg(test)]
mod tests {
    use super::*;
    use caravanserai_i18n::{I18n, Lang};
    use caravanserai_results::{JudgedGame, JudgedSeat};

    #[test]
    fn the_place_of_the_reader_follows_the_places_that_are_shown() {
        let list = all_lists().remove(0);
        let place = |name: &str| LeaderboardEntry {
            person: PersonId(name.to_owned()),
            name: name.to_owned(),
            rating: 1540,
            is_provisional: false,
            games: [1, 0, 0],
        };
        let lists = [(list.clone(), vec![place("Ann")])];
        let person = PersonId("Bek".to_owned());
        let own_line = |rank: Option<usize>| {
            let places = [(list.clone(), (rank, place("Bek")))];
            let reader = ListReader { person: &person, places: &places, is_group: false };
            let shown = ShowTop { scope: ListScope::Everywhere, game: None };
            let view = lists_view(shown, None, &lists, reader);
            I18n::new().translate_plain(Lang::default(), &view.texts[3])
        };
        assert!(own_line(Some(37)).starts_with("▸ 37. Bek: 1540"));
        assert!(own_line(None).starts_with("▸ 500+. Bek: 1540"));
    }

    /// Otherwise a lower rating above a higher one would look like a mistake.
    #[test]
    fn lists_by_certainty_say_so_in_months_too() {
        let place = |(name, rating): (&str, i32)| LeaderboardEntry {
            person: PersonId(name.to_owned()),
            name: name.to_owned(),
            rating,
            is_provisional: false,
            games: [1, 0, 0],
        };
        let places = [("Ann", 1560), ("Bek", 1590)].map(place).to_vec();
        let person = PersonId("Cyd".to_owned());
        let season = Season::at(0);
        let orders = |list: &RatingList, seasons: Option<SeasonPages>| -> Vec<String> {
            let reader = ListReader { person: &person, places: &[], is_group: false };
            let scope = match seasons {
                Some(it) => ListScope::Season(Some(it.shown)),
                None => ListScope::Everywhere,
            };
            let shown = ShowTop { scope, game: None };
            let view = lists_view(shown, seasons, &[(list.clone(), places.clone())], reader);
            let keys = view.texts.iter().map(|it| it.key.to_string());
            keys.filter(|it| it.starts_with("answer-top-order")).collect()
        };
        for list in all_lists() {
            let by_certainty = list.system() != RatingSystem::Glicko2;
            let expected = |key: &str| if by_certainty { vec![key.to_owned()] } else { Vec::new() };
            assert_eq!(orders(&list, None), expected("answer-top-order"));
            let month = SeasonPages::new(season, season, &[]);
            assert_eq!(orders(&list, Some(month)), expected("answer-top-order-month"));
        }
    }

    /// A record of a chat says nothing about the games of other chats, nor about other lists.
    #[test]
    fn a_milestone_names_its_list_and_says_whether_it_counts_one_chat() {
        let list = all_lists().remove(0);
        let i18n = I18n::new();
        let milestones = [
            Milestone::FirstWin,
            Milestone::WinAfterLosses { opponent: 1, losses: 3 },
            Milestone::BestRating(1494),
            Milestone::Streak(5),
        ];
        for milestone in milestones {
            let reached = SeatMilestone { milestone, seat: 0 };
            let text = |chat: &str| {
                let text = milestone_text(&list, chat, reached);
                text.with_seat_names(&|seat| Arg::from(["Ann", "Bek"][usize::from(seat)]))
            };
            for lang in Lang::all() {
                let of_all = i18n.translate_plain(*lang, &text(""));
                let of_chat = i18n.translate_plain(*lang, &text("tg:-1"));
                assert_ne!(of_all, of_chat, "{lang:?}");
                let list = i18n.translate_plain(*lang, &list_name(&list));
                let has_list = !matches!(milestone, Milestone::WinAfterLosses { .. });
                let is_complete = |it: &str| it.contains("Ann") && it.contains(&list) == has_list;
                assert!(is_complete(&of_all) && is_complete(&of_chat), "{of_all} {of_chat}");
            }
        }
    }

    #[test]
    fn play_quality_names_the_levels_that_agree_with_it() {
        let game = GameId::all().iter().copied().find(|it| it.judges_play()).expect("one is");
        let levels: Vec<LevelPlayQuality> = read_play_quality(game.play_quality()).collect();
        let quality = |games: &[(u32, u32)]| {
            let mut quality = PlayQuality::default();
            for (rounds, cost) in games.iter().copied() {
                let seats = vec![JudgedSeat { seat: 2, rounds, decisions: 60, cost }];
                quality.add(&JudgedGame { seats, ..JudgedGame::default() }, 2);
            }
            play_quality_of_game(game, &quality)
        };
        assert_eq!(quality(&[(10, 100), (9, 100)]), []);
        // The same in each game: there is no doubt.
        let best = levels.last().expect("levels were measured").cost;
        let sure = quality(&[(50, 5 * best), (50, 5 * best)]);
        let keys: Vec<&str> = sure.iter().map(|it| &*it.key).collect();
        assert_eq!(keys, ["answer-stats-play", "answer-stats-play-level"]);
        // Games that differ as much as they can: every level is possible.
        let unsure = quality(&[(20, 0), (20, 2_000)]);
        assert_eq!(unsure.len(), 1);
        let better_than_all = quality(&[(50, 0), (50, 0)]);
        assert_eq!(better_than_all.len(), 1);
    }
}
