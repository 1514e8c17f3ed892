//! Builds the views of clocks: the choice before the start and the times on the board. Parses the
//! time controls that people type.

use crate::commands::clock::ChooseClock;
use crate::parsing::words::lookup_word as meaning;
use crate::views::board_view::{command_button, table_callback_data};
use crate::views::computer_views;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::text::{Arg, FutureTime, Text};
use caravanserai_protocol::ButtonTone;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_table::clock::{DAY_S, HOUR_S, MINUTE_S, TimeControl};
use caravanserai_table::command::{Command, OfferKind};
use caravanserai_table::consent;
use caravanserai_table::event::PlayerOffer;
use caravanserai_table::presence::Departure;
use caravanserai_table::state::{Table, TablePhase};

/// The text that names the time of each player.
pub(crate) const CLOCK_LINE: &str = "clock-line";
/// The time control of the word "blitz".
const BLITZ: TimeControl = TimeControl::PerGame { bank: 5 * MINUTE_S, increment: 5 };

/// A time control in words.
pub fn time_control_text(control: TimeControl) -> Text {
    let count = |key: &'static str, count: u32| Text::new(key).with("count", i64::from(count));
    match control {
        TimeControl::Unlimited => Text::new("clock-free"),
        TimeControl::PerTurn(s) if s % DAY_S == 0 => count("clock-days", s / DAY_S),
        TimeControl::PerTurn(s) if s % HOUR_S == 0 => count("clock-hours", s / HOUR_S),
        TimeControl::PerTurn(s) if s % MINUTE_S == 0 => count("clock-minutes", s / MINUTE_S),
        TimeControl::PerTurn(s) => count("clock-seconds", s),
        TimeControl::PerGame { bank, increment } => Text::new("clock-game")
            .with("minutes", i64::from(bank / MINUTE_S))
            .with("seconds", i64::from(increment)),
    }
}

/// The time until a moment, in words.
pub fn time_until_text(at_ms: u64, now_ms: u64) -> Text {
    let seconds = at_ms.saturating_sub(now_ms).div_ceil(1_000) as i64;
    let minutes = seconds.div_euclid(60) + i64::from(seconds % 60 > 0);
    if seconds < 100 {
        Text::new("away-seconds").with("seconds", seconds)
    } else if minutes < 100 {
        Text::new("away-minutes").with("minutes", minutes)
    } else if minutes < 2 * 24 * 60 {
        Text::new("away-hours").with("hours", minutes / 60).with("minutes", minutes % 60)
    } else {
        Text::new("away-days").with("days", minutes / 1_440).with("hours", minutes / 60 % 24)
    }
}

/// A moment in words: its day, or the time until then.
pub fn moment_text(moment: &FutureTime, now_ms: u64) -> Text {
    if moment.day { day_text(moment.at_ms) } else { time_until_text(moment.at_ms, now_ms) }
}

/// A moment in words that stay true when they are read later: its day, and the time of day if that
/// matters.
pub fn absolute_moment_text(moment: &FutureTime) -> Text {
    let day = day_text(moment.at_ms);
    match moment.day {
        true => day,
        false => {
            Text::new("day-time").with("day", day).with("time", moment.utc_hours_and_minutes())
        }
    }
}

/// The UTC day of a moment in words. Computed as in Howard Hinnant's "chrono-Compatible Low-Level
/// Date Algorithms" (`civil_from_days`), with years that begin in March.
pub fn day_text(at_ms: u64) -> Text {
    let days = (at_ms / 1_000 / u64::from(DAY_S)) as i64 + 719_468;
    let of_era = days % 146_097;
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = (from_march + 2) % 12 + 1;
    Text::new("day-month").with("day", day).with("month", month)
}

/// The time control at the beginning of these words, and the number of words that describe it: `3
/// min`, `5+5`, `3days`, `blitz`, `clock=turn-180`.
pub(crate) fn parse_time_control(words: &[String]) -> Option<(TimeControl, usize)> {
    let [first, rest @ ..] = words else { return None };
    let validate = |control: TimeControl| TimeControl::parse(&control.encode());
    if let Some((name, value)) = first.split_once('=') {
        let is_clock = meaning("clock", name) == Some("clock");
        return TimeControl::parse(value).filter(|_| is_clock).map(|it| (it, 1));
    }
    if let Some((bank, increment)) = first.split_once('+') {
        let bank: u32 = bank.parse().ok()?;
        let bank = bank.checked_mul(MINUTE_S)?;
        return validate(TimeControl::PerGame { bank, increment: increment.parse().ok()? })
            .map(|it| (it, 1));
    }
    match meaning("clock", first) {
        Some("clock") => return parse_time_control(rest).map(|(it, used)| (it, used + 1)),
        Some("free") => return Some((TimeControl::Unlimited, 1)),
        Some("blitz") => return Some((BLITZ, 1)),
        _ if means_no_clock(first, rest) => return Some((TimeControl::Unlimited, 2)),
        _ => {}
    }
    let (seconds, used) = parse_duration(words)?;
    validate(TimeControl::PerTurn(seconds?)).map(|it| (it, used))
}

/// The duration at the beginning of these words, in seconds (`None` if the number is too large),
/// and the number of words that describe it.
fn parse_duration(words: &[String]) -> Option<(Option<u32>, usize)> {
    let [first, rest @ ..] = words else { return None };
    let digits = first.find(|c: char| !c.is_ascii_digit()).unwrap_or(first.len());
    let (count, unit) = first.split_at(digits);
    if count.is_empty() {
        return None;
    }
    let (unit, used) = match unit {
        "" => (rest.first()?.as_str(), 2),
        unit => (unit, 1),
    };
    let seconds = match meaning("clock", unit)? {
        "seconds" => 1,
        "minutes" => MINUTE_S,
        "hours" => HOUR_S,
        "days" => DAY_S,
        _ => return None,
    };
    let total_seconds = count.parse().ok().and_then(|it: u32| it.checked_mul(seconds));
    Some((total_seconds, used))
}

/// Whether these words begin with an invalid clock: `5 s`, `99 days`, `0 min`, `0+3`, `clock
/// banana`.
pub(crate) fn is_invalid_time_control(words: &[String]) -> bool {
    let [first, rest @ ..] = words else { return false };
    if parse_time_control(words).is_some() {
        return false;
    }
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    if let Some((name, _)) = first.split_once('=') {
        return meaning("clock", name) == Some("clock");
    }
    if let Some((bank, increment)) = first.split_once('+') {
        return is_number(bank) && is_number(increment);
    }
    if meaning("clock", first) == Some("clock") {
        return !rest.is_empty();
    }
    parse_duration(words).is_some()
}

/// The reply to an invalid clock.
pub fn invalid_clock_view() -> View {
    View::brief(Text::new("refuse-clock"))
}

/// Whether two words mean "no clock".
fn means_no_clock(word: &str, rest: &[String]) -> bool {
    let clock = || rest.first().is_some_and(|it| meaning("clock", it) == Some("clock"));
    meaning("opening", word) == Some("without") && clock()
}

/// The line of the lobby about the clock, if there is one.
pub(crate) fn lobby_clock_line(table: &Table) -> Option<Text> {
    let control = table.clocks.control;
    let is_shown = control != TimeControl::Unlimited && !table.is_solo();
    is_shown.then(|| Text::new("lobby-clock").with("clock", time_control_text(control)))
}

/// The button that opens the choice of clocks.
pub(crate) fn clock_choice_button(table: &Table) -> ButtonSpec {
    let label = Text::new("button-clock").with("clock", time_control_text(table.clocks.control));
    ButtonSpec::new(label, table_callback_data(table, &ChooseClock(None)))
}

/// The callback data of a button of the choice: it executes the command and shows the choice again.
fn clock_choice_callback_data(table: &Table, command: Command) -> String {
    table_callback_data(table, &ChooseClock(Some(command)))
}

/// All clocks to choose from, and the level of the computer that plays for absent players.
pub fn clock_choice_view(table: &Table) -> View {
    let mut texts = vec![Text::new("answer-clocks").with("table", &*table.id.0)];
    texts.push(Text::new(match table.setup.is_claimable() {
        true => "answer-clocks-two",
        false => "answer-clocks-more",
    }));
    let option = |control: TimeControl| {
        let label = match table.clocks.control == control {
            true => Text::new("button-clock-chosen").with("clock", time_control_text(control)),
            false => time_control_text(control),
        };
        ButtonSpec::new(label, clock_choice_callback_data(table, Command::SetTimeControl(control)))
    };
    let offered = TimeControl::PRESETS.into_iter().map(option).collect::<Vec<_>>();
    let mut keys: Vec<Vec<ButtonSpec>> = offered.chunks(3).map(<[ButtonSpec]>::to_vec).collect();
    if !table.setup.is_claimable() {
        let all = ComputerLevel::ALL;
        let at = all
            .iter()
            .position(|it| *it == table.clocks.effective_substitute_level())
            .unwrap_or_default();
        let label = Text::new("button-helper")
            .with("level", computer_views::level_name(table.clocks.effective_substitute_level()));
        let next = Command::SetSubstituteLevel(all[(at + 1) % all.len()]);
        keys.push(vec![ButtonSpec::new(label, clock_choice_callback_data(table, next))]);
    }
    View { texts, button_rows: keys, ..View::default() }
}

/// The lines of the board about clocks and about absent players.
pub(crate) fn board_clock_lines(table: &Table) -> Vec<Text> {
    let mut texts: Vec<Text> = clock_times_line(table).into_iter().collect();
    texts.extend(table.vacationing_seats().into_iter().map(|(seat, until_ms)| {
        let text = Text::new("vacation-line").with("name", Arg::Seat(seat));
        text.with("day", Arg::day(until_ms))
    }));
    let name = |key: &'static str, seat: u8| Text::new(key).with("name", Arg::Seat(seat));
    let leaving = table.seating.people_seats().into_iter();
    let leaving = leaving.filter_map(|seat| Some((seat, table.grace_ends_ms(seat)?)));
    texts.extend(leaving.map(|(seat, until_ms)| {
        let key = if table.setup.is_claimable() { "absent-leaving" } else { "absent-leaving-more" };
        name(key, seat).with("time", Arg::time(until_ms))
    }));
    let seats = table.seating.people_seats().into_iter();
    texts.extend(seats.filter_map(|seat| cut_off_line(table, seat)));
    let away_seats = table.away_seats();
    let absent = || Arg::Names(away_seats.iter().map(|it| Arg::Seat(*it)).collect());
    if table.setup.is_claimable() {
        let late = table.seat_to_move().filter(|turn| table.is_late(*turn));
        texts.extend(late.map(|seat| name("absent-late", seat)));
        let has_left = |it: &&u8| table.involuntary_departure(**it).is_none();
        texts.extend(away_seats.iter().find(has_left).map(|seat| name("absent-left", *seat)));
    } else if !away_seats.is_empty() {
        let key = if table.has_present_player() { "absent-away" } else { "absent-nobody" };
        let text = Text::new(key).with("names", absent());
        texts.push(text.with("count", away_seats.len() as i64));
    } else if let Some(seat) = table.clocks.substituted_seat {
        texts.push(name("absent-turn", seat));
    }
    texts
}

/// The line about a player who lost every access to the table without a choice, in a game that
/// waits for them.
fn cut_off_line(table: &Table, seat: u8) -> Option<Text> {
    let key = match table.involuntary_departure(seat)?.departure {
        Departure::Removed => "absent-removed",
        Departure::CutOff
        | Departure::LeftWhileCutOff
        | Departure::LostMessage
        | Departure::Left
        | Departure::RemovedBot => "absent-cut-off",
    };
    let mut others = table.seating.people_seats().into_iter().filter(|it| *it != seat);
    let (_, until_ms) = others.find_map(|it| table.cut_off_opponent(it))?;
    Some(Text::new(key).with("name", Arg::Seat(seat)).with("time", Arg::time(until_ms)))
}

/// The line of the board with the times of the players.
fn clock_times_line(table: &Table) -> Option<Text> {
    if !table.is_timed() || table.is_frozen() {
        return None;
    }
    if table.clocks.paused {
        return Some(Text::new("clock-paused"));
    }
    let mut all = Vec::new();
    let running = table.running_clock();
    if let Some(it) = running {
        let text = Text::new("clock-running").with("name", Arg::Seat(it.turn.0));
        all.push(Arg::from(text.with("time", Arg::time(it.until_ms))));
    }
    if let TimeControl::PerGame { .. } = table.clocks.control {
        for seat in table.seating.people_seats() {
            let left_ms = table.clocks.left_ms.get(usize::from(seat)).copied();
            let Some(left_ms) = left_ms.filter(|_| running.is_none_or(|it| it.turn.0 != seat))
            else {
                continue;
            };
            let seconds = left_ms / 1_000;
            let left = format!("{}:{:02}", seconds / 60, seconds % 60);
            let text = Text::new("clock-standing").with("name", Arg::Seat(seat));
            all.push(text.with("left", left).into());
        }
    }
    (!all.is_empty()).then(|| Text::new(CLOCK_LINE).with("clocks", Arg::List(all)))
}

/// The buttons under the board for clocks and absent players.
pub(crate) fn board_clock_buttons(table: &Table) -> Vec<ButtonSpec> {
    if table.phase != TablePhase::Playing {
        return Vec::new();
    }
    if table.clocks.paused && consent::can_somebody_offer(table) {
        return vec![resume_button(table).with_tone(ButtonTone::Good)];
    }
    // A day after the offer it ends the pause, whatever the others answer.
    let is_resume_offered = table.offers.pending_kind() == Some(PlayerOffer::Resume);
    let mut keys = Vec::new();
    keys.extend(is_resume_offered.then(|| resume_button(table)));
    keys.extend(absent_player_buttons(table));
    keys
}

/// The buttons under the board for players who are late or away.
fn absent_player_buttons(table: &Table) -> Vec<ButtonSpec> {
    let absent = |seat: &u8| table.is_late(*seat) || table.is_away(*seat);
    let absent: Vec<u8> = table.seating.people_seats().into_iter().filter(absent).collect();
    let Some(first) = absent.first().copied() else { return Vec::new() };
    if table.setup.is_claimable() {
        return vec![
            command_button(table, "button-claim", Command::ClaimVictory)
                .with_tone(ButtonTone::Good),
            command_button(table, "button-abort", Command::Abort),
        ];
    }
    let mut keys = vec![command_button(table, "button-back", Command::Return)];
    if table.is_away(first) && table.may_take_absent_seats() {
        keys.push(command_button(table, "button-sit-in", Command::TakeOver { seat: Some(first) }));
    }
    keys
}

fn resume_button(table: &Table) -> ButtonSpec {
    command_button(table, "button-resume", Command::Offer(OfferKind::Resume))
}

/// The buttons for clocks in the menu of a table in play.
pub(crate) fn menu_clock_buttons(table: &Table) -> Vec<ButtonSpec> {
    if table.phase != TablePhase::Playing
        || table.is_solo()
        || table.seating.people_seats().len() < 2
    {
        return Vec::new();
    }
    let pause = || match table.clocks.paused {
        true => resume_button(table),
        false => command_button(table, "button-pause", Command::Offer(OfferKind::Pause)),
    };
    let mut keys = Vec::new();
    keys.extend(table.is_timed().then(pause));
    if !table.is_timed() || table.clocks.control.is_slow() {
        keys.push(command_button(table, "button-nudge", Command::Nudge));
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use caravanserai_games::text::Arg;

    #[test]
    fn a_moment_with_its_day_names_the_time_zone_once() {
        let Arg::Time(moment) = Arg::time(1_763_720_000_000) else { panic!("a time") };
        let text = absolute_moment_text(&moment);
        let time = text.args.iter().find(|(name, _)| name == "time").map(|(_, arg)| arg);
        // The texts of all languages add the time zone.
        assert_eq!(time, Some(&Arg::Plain("10:13".to_owned())));
        assert_eq!(moment.utc_time_of_day(), "10:13 UTC");
    }
}
