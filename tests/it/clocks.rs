//! Clocks: what is charged to whom, what is given back, what happens when time is up.

use std::sync::Arc;

use caravanserai_bot::service::TimeSource as _;
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_games::rules::Seat;
use caravanserai_protocol::{SendError, UpdateHandler, UpdateKind};
use caravanserai_store::Store;
use caravanserai_store::memory::MemoryStore;
use caravanserai_table::command::{MoveChoice, OfferAnswer, OfferKind};
use caravanserai_table::event::EndReason;
use caravanserai_table::{
    Actor, ClockEvent, Command, Decision, Event, EventMeta, LogLine, Table, TablePhase, TableSetup,
    TimeControl, apply_external_event, clock, deadline, decide, open_table, tick, vacation,
};

#[cfg(feature = "discord")]
use crate::stage::discord::DiscordStage;
use crate::stage::memory::MemoryStage;
#[cfg(feature = "telegram")]
use crate::stage::telegram::TelegramStage;
use crate::stage::web::WebStage;
use crate::stage::{Stage, VisibleMessage, play};

/// When every game here begins, in milliseconds since 1970.
pub const START_MS: u64 = 1_000_000;
pub const MINUTE_MS: u64 = 60_000;
pub const DAY_MS: u64 = 24 * 60 * MINUTE_MS;

pub fn person(n: u8) -> PersonId {
    PersonId(format!("mem:{n}"))
}

/// A game of so many people with this clock that begins at [`START_MS`].
pub fn game(code: &str, seats: u8, control: TimeControl) -> Table {
    let game = GameId::from_code(code).unwrap();
    opened(crate::setup(game, seats, person(0)), control).table
}

/// A game by this setup, with people on all seats.
pub fn opened(setup: TableSetup, control: TimeControl) -> Decision {
    let sits = |n: u8| Event::Seated { person: person(n), name: format!("P{n}") };
    let clock = Event::Clock(ClockEvent::ControlSet(control));
    let then = [clock].into_iter().chain((0..setup.seats).map(sits)).collect();
    let meta = EventMeta::received_now(START_MS, "mem/0");
    open_table(&TableId("7k3fx".into()), setup, then, true, meta).unwrap()
}

/// A game of cards by this house rule.
fn cards(rule: &str, seed: u8, control: TimeControl) -> Decision {
    let setup = crate::setup(GameId::from_code("blot").unwrap(), 4, person(0));
    opened(TableSetup { seed: [seed; 32], options: rule.to_owned(), ..setup }, control)
}

fn actor(n: u8, now_ms: u64) -> Actor {
    Actor {
        person: person(n),
        name: format!("P{n}"),
        username: None,
        chat: ChatId("mem:g".into()),
        is_admin: false,
        is_chat_admin: false,
        cause: format!("mem/{now_ms}"),
        now_ms,
        received_ms: now_ms,
    }
}

pub fn happens(table: &Table, lines: &[LogLine]) -> Table {
    let mut next = table.duplicate();
    for line in lines {
        let read = LogLine::parse(&line.encode()).unwrap();
        assert_eq!(read, *line);
        next.apply(&read).unwrap();
    }
    next
}

pub fn does(table: &Table, n: u8, now_ms: u64, command: &Command) -> Result<Table, String> {
    let decision =
        decide(table, &actor(n, now_ms), command).map_err(|it| it.text.key.into_owned())?;
    Ok(happens(table, &decision.lines))
}

/// The player on turn plays anything.
fn plays(table: &Table, now_ms: u64) -> Table {
    let seat = table.seat_to_move().unwrap();
    let choices = table.game.as_ref().unwrap().choices(Seat(seat));
    plays_token(table, seat, &choices[0].token, now_ms)
}

pub fn plays_token(table: &Table, seat: u8, token: &str, now_ms: u64) -> Table {
    let choice = MoveChoice::Token(token.to_owned());
    let command = Command::Move { position: Some(table.history.position), choice };
    does(table, seat, now_ms, &command).unwrap()
}

pub fn until(table: &Table) -> Option<u64> {
    table.running_clock().map(|it| it.until_ms)
}

#[test]
fn every_clock_that_is_offered_is_written_and_read() {
    for control in TimeControl::PRESETS {
        assert_eq!(TimeControl::parse(&control.encode()), Some(control));
    }
    for nonsense in
        ["", "turn", "turn-", "turn-5", "turn-9999999", "game-300", "game-1-1", "free-1"]
    {
        assert_eq!(TimeControl::parse(nonsense), None, "{nonsense}");
    }
}

#[test]
fn each_turn_has_its_own_time() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(60));
    assert_eq!(until(&table), Some(START_MS + MINUTE_MS));
    let table = plays(&table, START_MS + 40_000);
    assert_eq!(until(&table), Some(START_MS + 40_000 + MINUTE_MS), "nothing is carried over");
}

#[test]
fn a_bank_is_used_up_and_grows_with_each_turn() {
    let table = game("togyzkumalak", 2, TimeControl::PerGame { bank: 300, increment: 5 });
    let table = plays(&table, START_MS + 20_000);
    assert_eq!(table.clocks.left_ms, [285_000, 300_000]);
    let table = plays(&table, START_MS + 30_000);
    assert_eq!(until(&table), Some(START_MS + 30_000 + 285_000));
    assert_eq!(table.clocks.left_ms, [285_000, 295_000]);
}

/// A game in which the seat to move can announce a combination by hand, and the time. `opens`
/// starts the game with a seed.
fn before_announcement(opens: impl Fn(u8) -> Table) -> (Table, u64) {
    for mut table in (0..50).map(opens) {
        for (n, now_ms) in (START_MS..).step_by(1_000).take(60).enumerate() {
            let Some(seat) = table.seat_to_move() else { break };
            let choices = table.game.as_ref().unwrap().choices(Seat(seat));
            if choices.iter().any(|it| it.token == "announce") {
                return (table, now_ms);
            }
            // The first player bids, all others pass.
            let wanted = choices.iter().find(|it| (it.token == "pass") != (n == 0));
            let token = wanted.unwrap_or(&choices[0]).token.clone();
            table = plays_token(&table, seat, &token, now_ms);
        }
    }
    panic!("nobody can announce a combination");
}

/// A game as a program began it that timed each step.
fn began_long_ago(seed: u8, control: TimeControl) -> Table {
    let begun = cards("manual_melds=true", seed, control);
    let new = |it: &LogLine| it.event == Event::Clock(ClockEvent::WholeTurnsTimed);
    assert_eq!(begun.lines.iter().filter(|it| new(it)).count(), 1);
    let lines = (0..).zip(begun.lines.into_iter().filter(|it| !new(it)));
    let lines: Vec<LogLine> = lines.map(|(number, it)| LogLine { number, ..it }).collect();
    let table = Table::from_opening(&TableId("7k3fx".into()), &lines[0]).unwrap();
    happens(&table, &lines[1..])
}

#[test]
fn announcing_a_combination_is_part_of_the_turn() {
    let bank = TimeControl::PerGame { bank: 300, increment: 5 };
    for control in [bank, TimeControl::PerTurn(60)] {
        let opens = |seed| cards("manual_melds=true", seed, control).table;
        let (table, now_ms) = before_announcement(opens);
        let seat = table.seat_to_move().unwrap();
        let ends = until(&table);
        let table = plays_token(&table, seat, "announce", now_ms + 10_000);
        assert_eq!((table.seat_to_move(), until(&table)), (Some(seat), ends), "the clock runs on");
        let table = plays(&table, now_ms + 20_000);
        let increment_ms = if control == bank { 5_000 } else { 0 };
        let left_ms = ends.unwrap() - (now_ms + 20_000) + increment_ms;
        assert_eq!(table.clocks.left_ms[usize::from(seat)], left_ms, "one increment for a card");
    }
    // A game that began before is timed to its end as it began.
    let (table, now_ms) = before_announcement(|seed| began_long_ago(seed, bank));
    let ends = until(&table).unwrap();
    let seat = table.seat_to_move().unwrap();
    let table = plays_token(&table, seat, "announce", now_ms + 10_000);
    assert_eq!(until(&table), Some(ends + 5_000));
}

/// Otherwise everybody would wait for the same player a second time.
#[test]
fn a_substitute_announces_and_plays_the_card_in_one_late_turn() {
    let control = TimeControl::PerTurn(60);
    let (table, _) = before_announcement(|seed| cards("manual_melds=true", seed, control).table);
    let seat = table.seat_to_move().unwrap();
    let now_ms = until(&table).unwrap() + clock::LAG_MS;
    let table = happens(&table, &tick(&table, now_ms).unwrap().lines);
    let meta = EventMeta::received_now(now_ms, "computer");
    let step = Event::Stepped { seat, token: "announce".to_owned() };
    let lines = apply_external_event(&table, step, meta).unwrap().lines;
    let table = happens(&table, &lines);
    assert_eq!((lines.len(), until(&table)), (1, None), "no clock starts again");
    assert!(table.is_late(seat) && table.computer_level_of(seat).is_some());
    let table = computer_plays(&table, now_ms);
    assert!(table.seat_to_move() != Some(seat) || !table.is_late(seat));
}

#[test]
fn a_turn_that_another_player_cuts_off_gives_no_increment() {
    let control = TimeControl::PerGame { bank: 300, increment: 5 };
    let table = cards("kuansh_any_time=true", 0, control).table;
    let bidder = table.seat_to_move().unwrap();
    let table = plays(&table, START_MS + 10_000);
    let next = usize::from(bidder + 1) % 4;
    assert_eq!(table.seat_to_move().map(usize::from), Some(next));
    let table = plays_token(&table, (bidder + 3) % 4, "kuansh", START_MS + 20_000);
    assert_eq!(table.clocks.left_ms[next], 290_000);
    assert_eq!(table.clocks.left_ms[usize::from(bidder)], 295_000, "its own call gave it");
}

#[test]
fn a_move_settled_in_advance_earns_the_increment() {
    let table = game("togyzkumalak", 2, TimeControl::PerGame { bank: 300, increment: 5 });
    let plan = Command::SetConditionalMoves("1 1".to_owned());
    let table = does(&table, 1, START_MS + 1_000, &plan).unwrap();
    let choice = MoveChoice::Token(table.game.as_ref().unwrap().choices(Seat(0))[0].token.clone());
    let moves = Command::Move { position: Some(table.history.position), choice };
    let table = does(&table, 0, START_MS + 20_000, &moves).unwrap();
    assert_eq!(
        (table.history.steps.len(), table.seat_to_move()),
        (2, Some(0)),
        "the answer was played at once"
    );
    assert_eq!(table.clocks.left_ms, [285_000, 305_000]);
    assert_eq!(until(&table), Some(START_MS + 20_000 + 285_000));
    // Taken back, it is the answer alone that is undone.
    let asks = Command::Offer(OfferKind::Takeback);
    let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
    let asked = does(&table, 1, START_MS + 50_000, &asks).unwrap();
    let back = does(&asked, 0, START_MS + 60_000, &yes).unwrap();
    assert_eq!((back.history.steps.len(), back.seat_to_move()), (1, Some(1)));
    assert_eq!(back.clocks.left_ms, [285_000, 300_000], "the other keeps what their move took");
    assert_eq!(until(&back), Some(START_MS + 60_000 + 300_000));
    // A clock with a time for each turn has no increment.
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(60));
    let table = does(&table, 1, START_MS + 1_000, &plan).unwrap();
    let table = plays(&table, START_MS + 20_000);
    assert_eq!(until(&table), Some(START_MS + 20_000 + MINUTE_MS));
}

#[test]
fn a_clock_stops_at_receipt_and_the_next_starts_at_handling() {
    let table = game("togyzkumalak", 2, TimeControl::PerGame { bank: 300, increment: 0 });
    let received = |table: &Table, n: u8, received_ms: u64, now_ms: u64| {
        let choices = table.game.as_ref().unwrap().choices(Seat(n));
        let choice = MoveChoice::Token(choices[0].token.clone());
        let command = Command::Move { position: Some(table.history.position), choice };
        let actor = Actor { received_ms, ..actor(n, now_ms) };
        let decision = decide(table, &actor, &command).unwrap();
        assert!(decision.lines.iter().all(|it| it.at_ms == now_ms), "lines are of now");
        happens(table, &decision.lines)
    };
    let table = received(&table, 0, START_MS + 20_000, START_MS + 32_000);
    assert_eq!(table.clocks.left_ms, [280_000, 300_000]);
    assert_eq!(until(&table), Some(START_MS + 32_000 + 300_000));
    // Received before the other player moved: it takes no time and gives none.
    let table = received(&table, 1, START_MS + 31_000, START_MS + 33_000);
    assert_eq!(table.clocks.left_ms, [280_000, 300_000]);
    // Nothing is received after it is handled.
    let table = received(&table, 0, START_MS + 90_000, START_MS + 43_000);
    assert_eq!(table.clocks.left_ms, [270_000, 300_000]);
}

#[test]
fn a_deadline_fires_once_and_not_early_and_not_for_another_turn() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(60));
    let due = deadline(&table).unwrap();
    assert_eq!(due, START_MS + MINUTE_MS + clock::LAG_MS);
    assert!(tick(&table, due - 1).is_none());
    let late = tick(&table, due + 500_000).unwrap();
    let late = happens(&table, &late.lines);
    assert!(late.is_late(0) && deadline(&late).is_none());
    assert!(tick(&late, due + 900_000).is_none(), "it was noted");
    let played = plays(&table, due + 10);
    assert!(!played.is_late(0), "who moves before it is noted is in time");
    assert!(tick(&played, due + 20).is_none(), "this is another turn");
}

#[test]
fn a_late_turn_can_be_claimed_called_off_or_simply_played() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(60));
    let claim = |table: &Table, n| does(table, n, START_MS + 90_000, &Command::ClaimVictory);
    assert_eq!(claim(&table, 1).err().as_deref(), Some("refuse-no-claim"));
    let late = happens(&table, &tick(&table, START_MS + 61_000).unwrap().lines);
    assert_eq!(claim(&late, 0).err().as_deref(), Some("refuse-claim-own"), "not one’s own");
    let over = claim(&late, 1).unwrap();
    assert_eq!(
        over.phase,
        TablePhase::Over { scores: vec![0, 1], reason: EndReason::LostOnTime(0) }
    );
    let off = does(&late, 1, START_MS + 90_000, &Command::Abort).unwrap();
    assert_eq!(off.phase, TablePhase::Closed { reason: EndReason::AbsentPlayer(0) });
    let played = plays(&late, START_MS + 95_000);
    assert_eq!(claim(&played, 1).err().as_deref(), Some("refuse-no-claim"), "they came after all");
    assert_eq!(until(&played), Some(START_MS + 95_000 + MINUTE_MS));
}

#[test]
fn during_a_pause_nothing_is_charged() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(60));
    let asked = Command::Offer(OfferKind::Pause);
    let table = does(&table, 0, START_MS + 20_000, &asked).unwrap();
    assert!(until(&table).is_some(), "one alone stops no clock");
    let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
    let table = does(&table, 1, START_MS + 30_000, &yes).unwrap();
    assert!(table.clocks.paused && deadline(&table).is_none());
    let go_on = Command::Offer(OfferKind::Resume);
    let table = does(&table, 1, START_MS + 900_000, &go_on).unwrap();
    let table = does(&table, 0, START_MS + 950_000, &yes).unwrap();
    assert_eq!(until(&table), Some(START_MS + 950_000 + 30_000));
}

#[test]
fn the_delay_of_a_board_is_refunded_within_bounds() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(180));
    let meta = || EventMeta::received_now(START_MS, clock::BOARD_DELAY_CAUSE);
    let credited = |table: &Table, late_ms| {
        let decision = clock::refund_board_delay(table, late_ms, meta())?;
        Some(happens(table, &decision.lines))
    };
    assert!(credited(&table, 1_999).is_none(), "not worth a line");
    let seven = credited(&table, 7_000).unwrap();
    assert_eq!(until(&seven), Some(START_MS + 187_000));
    assert!(credited(&seven, 8_000).is_none(), "seven of these eight seconds it has already");
    let twenty = credited(&seven, 20_000).unwrap();
    assert_eq!(until(&twenty), Some(START_MS + 200_000));
    let most = credited(&table, 9_000_000).unwrap();
    assert_eq!(until(&most), Some(START_MS + 360_000), "as much again as the turn had");
    let day = credited(&game("togyzkumalak", 2, TimeControl::PerTurn(86_400)), 9_000_000).unwrap();
    assert_eq!(until(&day), Some(START_MS + 86_400_000 + 600_000), "ten minutes");
}

#[test]
fn the_time_in_which_no_bot_ran_is_given_back_once() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(60));
    let (from_ms, now_ms) = (START_MS + 10_000, START_MS + 500_000);
    let given = clock::refund_outage(&table, from_ms, now_ms).unwrap();
    let given = happens(&table, &given.lines);
    assert_eq!(until(&given), Some(START_MS + MINUTE_MS + 490_000));
    assert!(clock::refund_outage(&given, from_ms, now_ms).is_none());
    // A late board gives back no more than a turn has: the rest is still owed.
    let meta = EventMeta::received_now(now_ms, clock::BOARD_DELAY_CAUSE);
    let shown = happens(&table, &clock::refund_board_delay(&table, 490_000, meta).unwrap().lines);
    let rest = clock::refund_outage(&shown, from_ms, now_ms).unwrap();
    let left_ms = until(&happens(&shown, &rest.lines)).unwrap() - now_ms;
    assert!(left_ms >= 50_000, "{left_ms}");
    let later = clock::refund_outage(&table, START_MS - 50_000, START_MS + 20_000).unwrap();
    let later = happens(&table, &later.lines);
    assert_eq!(until(&later), Some(START_MS + 80_000), "it ran for twenty seconds of that only");
}

#[test]
fn three_late_turns_in_a_row_make_a_player_away() {
    let mut table = game("blot", 4, TimeControl::PerTurn(60));
    let mut now_ms = START_MS;
    let mut late = [0; 4];
    let tired = table.seat_to_move().unwrap();
    while !table.is_away(tired) {
        now_ms += 61_000;
        let seat = table.seat_to_move().unwrap();
        if seat != tired {
            table = plays(&table, now_ms);
            continue;
        }
        table = happens(&table, &tick(&table, now_ms).unwrap().lines);
        late[usize::from(seat)] += 1;
        assert_eq!(
            table.computer_level_of(seat),
            Some(table.clocks.effective_substitute_level()),
            "a computer plays this turn"
        );
        table = computer_plays(&table, now_ms);
        assert!(!table.substitute_steps().is_empty());
    }
    assert_eq!(late[usize::from(tired)], 3);
    let back = does(&table, tired, now_ms, &Command::Return).unwrap();
    assert!(!back.is_away(tired) && back.computer_level_of(tired).is_none());
    let steps: usize = back.substitute_steps().iter().map(|it| it.1.len()).sum();
    assert!(steps >= 3, "the log says whose they were");
}

/// The computer that substitutes for the player on turn plays anything.
pub fn computer_plays(table: &Table, now_ms: u64) -> Table {
    use caravanserai_games::search::{PlayerEvaluation, ThinkBudget};
    use caravanserai_table::computer_moves;
    let meta = EventMeta::received_now(now_ms, "computer");
    let mut think = |_, asked: &caravanserai_games::EngineQuestion, _: &mut _| {
        let action = asked.tokens()[0].clone();
        Some(PlayerEvaluation { line: vec![], action, score: 0, chance: 500, depth: 0, nodes: 0 })
    };
    let decision = computer_moves::play_computers(
        table,
        &mut think,
        (&ThinkBudget::OF_LEVEL, computer_moves::ComputerPace::UntilPerson),
        meta,
    )
    .unwrap();
    happens(table, &decision.lines)
}

#[test]
fn a_game_rests_while_all_players_are_away() {
    let mut table = game("thaayam", 2, TimeControl::PerTurn(60));
    let mut now_ms = START_MS;
    for _ in 0..40 {
        let Some(due) = deadline(&table) else { break };
        now_ms = now_ms.max(due);
        table = happens(&table, &tick(&table, now_ms).unwrap().lines);
        if caravanserai_table::computer_moves::computer_to_move(&table).is_some() {
            table = computer_plays(&table, now_ms);
        }
    }
    assert!(!table.has_present_player() && deadline(&table).is_none(), "no clock runs for nobody");
    assert!(
        caravanserai_table::computer_moves::computer_to_move(&table).is_none(),
        "nor does a computer"
    );
    let back = does(&table, 1, now_ms, &Command::Return).unwrap();
    let goes_on = caravanserai_table::computer_moves::computer_to_move(&back).is_some();
    assert!(back.has_present_player() && (goes_on || deadline(&back).is_some()));
}

#[test]
fn an_unanswered_seat_request_stops_no_clock() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(86_400));
    let asks = Command::TakeOver { seat: Some(0) };
    let asked = does(&table, 7, START_MS + MINUTE_MS, &asks).unwrap();
    assert!(asked.offers.pending.is_some());
    let (of_clock, due) = (deadline(&table).unwrap(), deadline(&asked).unwrap());
    assert_eq!(due, of_clock, "nobody at the table wants it: silence gives nothing away");
    let late = happens(&asked, &tick(&asked, due).unwrap().lines);
    assert!(late.is_late(0));
    // The other wants it: now a player who is silent for long enough is replaced.
    let wanted = does(
        &asked,
        1,
        START_MS + 2 * MINUTE_MS,
        &Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept },
    );
    let wanted = wanted.unwrap();
    assert_eq!(deadline(&wanted), Some(of_clock), "they have the time of a turn to object");
    let late = happens(&wanted, &tick(&wanted, of_clock).unwrap().lines);
    let due = deadline(&late).unwrap();
    assert_eq!(due, START_MS + MINUTE_MS + DAY_MS);
    let gone_on = happens(&late, &tick(&late, due).unwrap().lines);
    assert_eq!(gone_on.seating.occupant(0).unwrap().person, person(7));
}

#[test]
fn time_to_object_is_refunded_after_an_outage() {
    let outage = |table: &Table, from_ms, now_ms| {
        let given = clock::refund_outage(table, from_ms, now_ms).unwrap();
        let given = happens(table, &given.lines);
        assert!(clock::refund_outage(&given, from_ms, now_ms).is_none(), "once");
        given
    };
    let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
    let at = |minute: u64| START_MS + minute * MINUTE_MS;
    for control in [TimeControl::Unlimited, TimeControl::PerTurn(86_400)] {
        let table = game("togyzkumalak", 2, control);
        let asked = does(&table, 7, at(0), &Command::TakeOver { seat: Some(0) }).unwrap();
        // Nobody could object between the second minute and the ninth, and again for an hour.
        let wanted = outage(&does(&asked, 1, at(1), &yes).unwrap(), at(2), at(9));
        assert!(tick(&wanted, at(0) + DAY_MS).is_none());
        let wanted = outage(&wanted, at(10), at(70));
        let due_ms = at(0) + DAY_MS + (7 + 60) * MINUTE_MS;
        assert_eq!(deadline(&wanted), Some(due_ms));
        assert!(tick(&wanted, due_ms - 1).is_none());
        let gone_on = happens(&wanted, &tick(&wanted, due_ms).unwrap().lines);
        assert_eq!(gone_on.seating.occupant(0).unwrap().person, person(7));
        // It is the same when the others agree only afterwards.
        let wanted = does(&outage(&asked, at(2), at(60)), 1, at(61), &yes).unwrap();
        assert_eq!(wanted.seating.occupant(0).unwrap().person, person(0));
        assert_eq!(deadline(&wanted), Some(at(58) + DAY_MS));
    }
}

#[test]
fn a_game_against_a_computer_has_no_clock() {
    let computer = caravanserai_table::lobby_commands::seat_computer_event(
        caravanserai_games::search::ComputerLevel::Easy,
    );
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(60));
    let Event::Seated { person, name } = computer else { panic!("it sits down") };
    let replaced = Event::SeatReplaced { seat: 1, person, name };
    let meta = EventMeta::received_now(START_MS + 1, "mem/1");
    let alone = caravanserai_table::apply_external_event(&table, replaced, meta).unwrap();
    assert!(!alone.table.is_timed() && deadline(&alone.table).is_none());
}

/// The same table with a player on vacation, or back from it.
fn noted(table: &Table, event: Option<Event>, now_ms: u64) -> Table {
    let meta = EventMeta::received_now(now_ms, "mem/1");
    let decision = caravanserai_table::apply_external_event(table, event.unwrap(), meta).unwrap();
    happens(table, &decision.lines)
}

#[test]
fn a_vacation_pauses_a_slow_clock() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(86_400));
    let (from_ms, until_ms) = (START_MS + 5_000_000, START_MS + 9 * DAY_MS);
    let away = noted(&table, vacation::vacation_start_event(&table, &person(0), until_ms), from_ms);
    assert_eq!(until(&away), None);
    assert_eq!(away.vacationing_seats(), [(0, until_ms)]);
    assert_eq!(deadline(&away), Some(until_ms), "its end is noted by itself");
    assert!(tick(&away, until_ms - 1).is_none(), "and not early");
    let nudged = does(&away, 1, from_ms + 1, &Command::Nudge);
    assert_eq!(nudged.err().as_deref(), Some("refuse-nudge-vacation"));
    let claimed = does(&away, 1, from_ms + DAY_MS, &Command::ClaimVictory);
    assert_eq!(claimed.err().as_deref(), Some("refuse-no-claim"));
    // It is noted late, for no bot ran: that is nobody’s time.
    let noticed_ms = until_ms + 70_000;
    let back = happens(&away, &tick(&away, noticed_ms).unwrap().lines);
    assert_eq!(until(&back), Some(noticed_ms + DAY_MS - 5_000_000));
    assert!(back.vacationing_seats().is_empty() && tick(&back, noticed_ms).is_none(), "once");
    let played = plays(&away, from_ms + 7);
    assert!(played.vacationing_seats().is_empty(), "a player who moves is back");
    assert_eq!(until(&played), Some(from_ms + 7 + DAY_MS), "and now it is the other’s turn");
}

#[test]
fn a_turn_that_begins_in_a_vacation_has_full_time_after_it() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(86_400));
    let until_ms = START_MS + 3 * DAY_MS;
    let away =
        noted(&table, vacation::vacation_start_event(&table, &person(1), until_ms), START_MS + 1);
    assert_eq!(until(&away), until(&table), "the other’s clock runs on");
    let waits = plays(&away, START_MS + 2);
    assert_eq!(until(&waits), None);
    // A pause in between takes nothing away.
    let back = noted(&waits, vacation::vacation_end_event(&waits, &person(1)), START_MS + DAY_MS);
    assert_eq!(until(&back), Some(START_MS + 2 * DAY_MS));
    assert_eq!(vacation::vacation_end_event(&back, &person(1)), None);
}

#[test]
fn a_pause_during_a_vacation_keeps_what_was_left() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(86_400));
    let hour_ms = 60 * MINUTE_MS;
    let begins = vacation::vacation_start_event(&table, &person(0), START_MS + 9 * DAY_MS);
    let away = noted(&table, begins, START_MS + hour_ms);
    let paused = noted(&away, Some(Event::Clock(ClockEvent::Paused)), START_MS + 2 * hour_ms);
    let ends = vacation::vacation_end_event(&paused, &person(0));
    let back = noted(&paused, ends, START_MS + DAY_MS);
    assert_eq!(until(&back), None, "all agreed to a pause");
    let resumed = noted(&back, Some(Event::Clock(ClockEvent::Resumed)), START_MS + 2 * DAY_MS);
    assert_eq!(until(&resumed), Some(START_MS + 3 * DAY_MS - hour_ms));
}

#[test]
fn quick_clocks_know_no_vacations() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(180));
    assert_eq!(vacation::vacation_start_event(&table, &person(0), START_MS + DAY_MS), None);
    let free = game("togyzkumalak", 2, TimeControl::Unlimited);
    let event = vacation::vacation_start_event(&free, &person(0), START_MS + DAY_MS);
    let away = noted(&free, event, START_MS);
    assert_eq!(away.vacationing_seats(), [(0, START_MS + DAY_MS)]);
    let over = happens(&away, &tick(&away, START_MS + DAY_MS).unwrap().lines);
    assert!(over.vacationing_seats().is_empty() && deadline(&over).is_none());
}

/// A player in a game of two by the clock, on a platform, whose text of the board is this.
async fn board(stage: &mut dyn Stage) -> VisibleMessage {
    loop {
        let seen = stage.visible_messages("Ann").await;
        let board = seen.into_iter().rev().find(VisibleMessage::is_board);
        if let Some(board) = board.filter(|it| it.text.contains("⏱ ")) {
            return board;
        }
        stage.wait_for_change().await;
    }
}

/// Nobody comes, turn after turn, until a computer keeps a seat; then they are back at one press,
/// and when they do not come again a substitute plays.
async fn is_kept_warm(stage: &mut dyn Stage) {
    const OPENS: &str = "people Ann Bek Cyd\nAnn says /thaayam @Bek 1 min\nBek presses Accept";
    play("opens", OPENS, stage).await;
    let mut before = board(stage).await;
    let mut kept = None;
    for _ in 0..40 {
        stage.pass_ms(62_000).await;
        let after = loop {
            let now = board(stage).await;
            if now.text != before.text {
                break now;
            }
            stage.wait_for_change().await;
        };
        let away = |who: &&str| after.text.contains(&format!("A computer plays for {who} until"));
        kept = ["Ann", "Bek"].into_iter().find(away);
        if kept.is_some() {
            break;
        }
        before = after;
    }
    let kept = kept.expect("three late turns are enough");
    let back = format!("{kept} presses 👋 I’m back\n{kept} sees no A computer plays for");
    play("is back", &back, stage).await;
}

#[tokio::test]
async fn a_computer_plays_for_a_late_player_until_they_return() {
    let store = || Arc::new(MemoryStore::default()) as Arc<dyn Store>;
    is_kept_warm(&mut MemoryStage::new(store()).await).await;
    is_kept_warm(&mut WebStage::new(store()).await).await;
    #[cfg(feature = "telegram")]
    is_kept_warm(&mut TelegramStage::new(store()).await).await;
    #[cfg(feature = "discord")]
    is_kept_warm(&mut DiscordStage::new(store()).await).await;
}

#[tokio::test]
async fn a_board_that_comes_late_gives_its_time_back() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    play("opens", "people Ann Bek\nAnn says /togyz @Bek me 3 min\nBek presses Accept", &mut stage)
        .await;
    board(&mut stage).await;
    stage.platform.fail_with([SendError::RateLimited(20_000)]);
    play("moves", "Ann says /move 7", &mut stage).await;
    // Nothing else sleeps as long as the sender that was rate-limited.
    let late_ms = stage.clock.now_ms() + 15_000;
    let mut sleepers = stage.clock.sleepers();
    sleepers.wait_for(|all| all.iter().any(|it| *it > late_ms)).await.unwrap();
    stage.pass_ms(20_000).await;
    let shown = |seen: &[VisibleMessage]| seen.iter().any(|it| it.text.contains("⏱ Bek:"));
    while !shown(&stage.platform.messages(&stage.group)) {
        stage.wait_for_change().await;
    }
    let (table, log) = stage.newest_table().await;
    let running = table.running_clock().expect("Bek is on turn");
    assert!(running.refunded_ms >= 20_000, "{log:?}");
    assert_eq!(running.until_ms, running.from_ms + 180_000 + running.refunded_ms);
}

/// Gives boards that are being drawn the real time that drawing takes.
async fn let_boards_draw(stage: &mut MemoryStage) {
    for _ in 0..50 {
        stage.ticks(0).await;
    }
}

/// A game with three minutes a move where Bek is to move; his board cannot be shown at the first
/// tries, so many.
async fn game_with_unshown_board(times: usize) -> MemoryStage {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    play("opens", "people Ann Bek\nAnn says /togyz @Bek me 3 min\nBek presses Accept", &mut stage)
        .await;
    board(&mut stage).await;
    stage.ticks(0).await;
    stage.platform.fail_with(vec![SendError::NotNow; times]);
    play("moves", "Ann says /move 7", &mut stage).await;
    stage.ticks(0).await;
    stage
}

/// All time of Bek's turn and what of it was given back, in milliseconds; `None` when it is up.
async fn turn_of_bek(stage: &MemoryStage) -> Option<(u64, u64)> {
    let (table, _) = stage.newest_table().await;
    assert_eq!(table.seat_to_move().and_then(|it| table.seating.occupant(it)).unwrap().name, "Bek");
    table.running_clock().map(|it| (it.until_ms - it.from_ms, it.refunded_ms))
}

/// A platform may keep the old board until the next press: then the new one is not shown.
#[tokio::test]
async fn a_board_that_cannot_be_shown_now_gives_its_time_back() {
    let mut stage = game_with_unshown_board(3).await;
    for _ in 0..20 {
        stage.ticks(5_000).await;
        let_boards_draw(&mut stage).await;
    }
    let shown = |stage: &MemoryStage| {
        let seen = stage.platform.messages(&stage.group);
        seen.iter().any(|it| it.text.contains("⏱ Bek:"))
    };
    // Drawing takes time of its own.
    for _ in 0..60 {
        if shown(&stage) {
            break;
        }
        stage.ticks(1_000).await;
        let_boards_draw(&mut stage).await;
    }
    let seen = stage.platform.messages(&stage.group);
    assert!(shown(&stage), "it is shown as soon as it can be: {seen:?}");
    let (all_ms, credited_ms) = turn_of_bek(&stage).await.expect("the clock of Bek runs");
    assert!((60_000..=180_000).contains(&credited_ms), "{credited_ms}");
    assert_eq!(all_ms, 180_000 + credited_ms);
    // At most the time of one turn is given back.
    let mut stage = game_with_unshown_board(1_000).await;
    for _ in 0..36 {
        stage.ticks(5_000).await;
    }
    let (_, credited_ms) = turn_of_bek(&stage).await.expect("the clock of Bek runs");
    assert!((150_000..=180_000).contains(&credited_ms), "{credited_ms}");
    for _ in 0..40 {
        stage.ticks(5_000).await;
    }
    assert_eq!(turn_of_bek(&stage).await, None, "his time is up");
}

#[tokio::test]
async fn a_player_who_rejoins_the_group_plays_on() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let left = "people Ann Bek Cyd\nCyd says /thaayam @Bek @Ann me\nAnn presses Accept\n\
                Bek presses Accept\nBek leaves the group\nAnn sees Bek has left\n\
                11 minutes pass\nAnn sees A computer plays for Bek until";
    play("leaves", left, &mut stage).await;
    let who = vec![PersonId("mem:Bek".into())];
    let came = stage.update("Ann", false, UpdateKind::MembersJoined { who });
    stage.service.handle(came).await;
    play(
        "is back",
        "Ann sees no A computer plays for Bek\nAnn has no button 🪑 Substitute",
        &mut stage,
    )
    .await;
}

/// Whose account is no more reads nothing: wherever they play by it they are away.
#[tokio::test]
async fn a_deleted_account_is_away_in_the_group_too() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let plays = "people Ann Bek Cyd\nCyd says /togyz @Bek me\nBek presses Accept\n\
                 Bek says /private\nBek gets reply private chat";
    play("plays", plays, &mut stage).await;
    let gone = stage.update("Bek", true, UpdateKind::ChatDeleted);
    stage.service.handle(gone).await;
    let away = "Cyd sees Bek has left\nCyd has no button 🏆 Claim victory\n11 minutes pass\n\
                Cyd has buttons 🏆 Claim victory";
    play("is away", away, &mut stage).await;
}
