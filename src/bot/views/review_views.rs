//! Builds the messages about replays and reviews.

use crate::commands::review::{ShowLuck, ShowReviewedMove};
use crate::views::board_view;
use crate::workers::{GameReview, ReviewedMove};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::view::{ButtonSpec, PictureRef, View};
use caravanserai_results::ResultShare;
use caravanserai_table::review::to_percent;
use caravanserai_table::state::{Table, TablePhase};

/// The number of buttons for moves in a row.
const BUTTONS_PER_ROW: usize = 4;

/// The caption of a replay: the game, the players and the result.
pub(crate) fn replay_caption(table: &Table) -> View {
    let title = Text::new("answer-replay-title")
        .with("game", table.game_id().info().name_text())
        .with("table", table.id.0.as_str())
        .with("names", Arg::Names(table.player_names()));
    let mut texts = vec![title];
    if let TablePhase::Over { scores, reason } = &table.phase {
        texts.push(board_view::result_text(table, scores, *reason));
    }
    let texts = texts.into_iter().map(|it| board_view::insert_player_names(table, it)).collect();
    View { texts, ..View::default() }
}

/// The texts about one move of a review; seats are not replaced by names yet.
pub fn reviewed_move_texts(it: &ReviewedMove) -> Vec<Text> {
    let mut texts = vec![
        Text::new("answer-moment")
            .with("move", it.shown_number())
            .with("name", Arg::Seat(it.seat))
            .with("played", it.played.clone())
            .with("better", it.better.clone()),
        Text::new("answer-moment-chance")
            .with("before", to_percent(it.before))
            .with("after", to_percent(it.after)),
    ];
    if let Some((seat, answer)) = &it.answer {
        let answer_text = Text::new("answer-moment-answer").with("name", Arg::Seat(*seat));
        texts.push(answer_text.with("answer", answer.clone()));
    }
    texts
}

/// The number of moves that a review describes in full; the others have their number, their
/// chances and their button. The text is the caption of a picture, which must be short.
fn detailed_move_count(count: usize) -> usize {
    match count {
        ..=5 => count,
        6..=12 => 5,
        13.. => 2,
    }
}

/// The parts of the result of each side: how much came from luck and how much from play.
pub fn luck_view(table: &Table, shares: &[ResultShare]) -> View {
    let line = |it: &ResultShare| {
        let [start, own, others, result] =
            [it.start, -it.own_mistakes, it.others_mistakes, it.result].map(points);
        Text::new("answer-luck-line")
            .with("side", side_names(it))
            .with("start", start)
            .with("own", signed(own))
            .with("others", signed(others))
            // The shown numbers must add up.
            .with("luck", signed(result - start - own - others))
            .with("result", result)
    };
    let mut texts = vec![Text::new("answer-luck")];
    texts.extend(shares.iter().map(line));
    texts.push(Text::new("answer-luck-about"));
    board_view::with_player_names(table, View { texts, ..View::default() })
}

fn side_names(share: &ResultShare) -> Arg {
    Arg::Names(share.seats.iter().map(|it| Arg::Seat(*it)).collect())
}

/// Thousandths of a chance as points of a hundred.
fn points(thousandths: i32) -> i64 {
    (f64::from(thousandths) / 10.0).round() as i64
}

/// Points with their sign.
fn signed(points: i64) -> String {
    let sign = if points < 0 { "−" } else { "+" };
    format!("{sign}{}", points.abs())
}

/// The view of a review for everybody in the chat. It lists every turning point, the largest drop
/// first.
pub fn review_view(table: &Table, review: &GameReview) -> View {
    let game = table.game_id().info().name_text();
    let title = Text::new("answer-review-title").with("game", game);
    let mut texts = vec![title.with("table", table.id.0.as_str())];
    let line = |key: &'static str, n: i64, it: &ReviewedMove| {
        Text::new(key)
            .with("n", n)
            .with("move", it.shown_number())
            .with("before", to_percent(it.before))
            .with("after", to_percent(it.after))
    };
    let detailed = |(n, it): (i64, &ReviewedMove)| {
        line("answer-review-line", n, it)
            .with("name", Arg::Seat(it.seat))
            .with("played", it.played.clone())
            .with("better", it.better.clone())
    };
    let mut moments = (1..).zip(&review.moments);
    texts.extend(moments.by_ref().take(detailed_move_count(review.moments.len())).map(detailed));
    let others: Vec<Arg> =
        moments.map(|(n, it)| Arg::from(line("answer-review-short", n, it))).collect();
    if !others.is_empty() {
        texts.push(Text::new("answer-review-more").with("moves", Arg::List(others)));
    }
    let note = match (review.is_incomplete, review.has_chart()) {
        (true, false) => Some("answer-review-failed"),
        (true, true) => Some("answer-review-incomplete"),
        (false, _) => review.moments.is_empty().then_some("answer-review-none"),
    };
    texts.extend(note.map(Text::new));
    texts.extend(review.has_chart().then(|| Text::new("answer-review-chart")));
    let button = |n: u8| {
        let callback_data = board_view::table_callback_data(table, &ShowReviewedMove { n });
        ButtonSpec::new(Arg::Plain(n.to_string()), callback_data)
    };
    let buttons: Vec<ButtonSpec> = (1..=review.moments.len() as u8).map(button).collect();
    let mut rows: Vec<Vec<ButtonSpec>> =
        buttons.chunks(BUTTONS_PER_ROW).map(<[ButtonSpec]>::to_vec).collect();
    if !review.shares.is_empty() {
        let callback_data = board_view::table_callback_data(table, &ShowLuck);
        rows.push(vec![ButtonSpec::new(Text::new("button-luck"), callback_data)]);
    }
    let picture = review.has_chart().then(|| PictureRef::Review { table: table.id.0.clone() });
    board_view::with_player_names(
        table,
        View { texts, picture, button_rows: rows, ..View::default() },
    )
}
