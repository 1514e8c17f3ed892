//! Presence at a table: what follows when the ways of a person to it close and open, and that
//! nobody gains by leaving and coming back. The model is in `src/table/presence.md`.

mod properties;

use std::sync::Arc;

use caravanserai_bot::commands::substitute::computer_newcomer;
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatId, ChatKind, PersonId};
use caravanserai_games::rules::Seat;
use caravanserai_games::search::ComputerLevel;
use caravanserai_protocol::{Departure, UpdateHandler, UpdateKind};
use caravanserai_results::CasualReason;
use caravanserai_store::memory::MemoryStore;
use caravanserai_table::command::{MoveChoice, OfferAnswer, OfferKind};
use caravanserai_table::event::{EndReason, PlayerOffer, TableSetup};
use caravanserai_table::presence::{self, LEFT_GRACE_MS};
use caravanserai_table::{
    Actor, AttachedChat, ClockEvent, Command, Decision, Event, EventMeta, Invitee, LogLine, Table,
    TablePhase, TimeControl, apply_external_events, clock, deadline, decide, objections,
    postpone_decision, tick,
};

use crate::clocks::{DAY_MS, MINUTE_MS, START_MS, game, person, until};
use crate::stage::memory::MemoryStage;
use crate::stage::{Stage, play};

/// Where every game here begins.
const GROUP: &str = "mem:g";

fn private(n: u8) -> ChatId {
    ChatId(format!("mem:@{n}"))
}

fn actor(person: &PersonId, chat: &ChatId, now_ms: u64) -> Actor {
    Actor {
        person: person.clone(),
        name: person.0.clone(),
        username: None,
        chat: chat.clone(),
        is_admin: false,
        is_chat_admin: false,
        cause: format!("mem/{now_ms}"),
        now_ms,
        received_ms: now_ms,
    }
}

/// The table after what was decided, read from its log.
fn after(table: &Table, decision: &Decision) -> Table {
    crate::clocks::happens(table, &decision.lines)
}

fn does(table: &Table, n: u8, now_ms: u64, command: &Command) -> Result<Table, String> {
    let by = actor(&person(n), &ChatId(GROUP.into()), now_ms);
    let decision = decide(table, &by, command).map_err(|it| it.text.key.into_owned())?;
    Ok(after(table, &decision))
}

fn goes(table: &Table, n: u8, chat: &str, now_ms: u64) -> Table {
    let closes = presence::close_route(table, &person(n), chat, Departure::Left);
    closes.map_or_else(|| table.duplicate(), |it| happens(table, it, now_ms))
}

fn comes(table: &Table, n: u8, chat: &str, now_ms: u64) -> Table {
    let opens = presence::open_route(table, &person(n), chat);
    opens.map_or_else(|| table.duplicate(), |it| happens(table, it, now_ms))
}

fn happens(table: &Table, happening: presence::EventsWithCause, now_ms: u64) -> Table {
    let presence::EventsWithCause { events, cause } = happening;
    let decision =
        apply_external_events(table, events, EventMeta::received_now(now_ms, cause)).unwrap();
    after(table, &decision)
}

fn ticks(table: &Table, now_ms: u64) -> Table {
    tick(table, now_ms).map_or_else(|| table.duplicate(), |it| after(table, &it))
}

/// The player to move plays the first legal move.
fn plays(table: &Table, now_ms: u64) -> Table {
    let seat = table.seat_to_move().unwrap();
    let who = table.seating.occupant(seat).unwrap().person.clone();
    let choice = table.game.as_ref().unwrap().choices(Seat(seat))[0].token.clone();
    let command = Command::Move { position: None, choice: MoveChoice::Token(choice) };
    let decision = decide(table, &actor(&who, &ChatId(GROUP.into()), now_ms), &command).unwrap();
    after(table, &decision)
}

fn with_private_board(table: &Table, n: u8, now_ms: u64) -> Table {
    let to = AttachedChat {
        chat: private(n),
        kind: ChatKind::Private,
        attached_by: person(n),
        is_watch_only: false,
    };
    does(table, n, now_ms, &Command::Attach(to)).unwrap()
}

#[test]
fn the_result_of_a_game_belongs_to_the_chat_in_which_it_was_opened() {
    let table = with_private_board(&game("togyzkumalak", 2, TimeControl::Unlimited), 0, START_MS);
    let home = table.chats.home().clone();
    let meta = EventMeta::received_now(START_MS + 1, "mem/1");
    let gone = [Event::Detached { chat: home.clone() }];
    let next = after(&table, &apply_external_events(&table, gone, meta).unwrap());
    assert_eq!(next.chats.home(), &private(0), "the group has removed the bot");
    assert_eq!([table.result_chat(), next.result_chat()], [home.without_topic(); 2]);
}

/// Otherwise the game would wait for the others, and end without a result.
#[test]
fn who_gives_up_a_game_that_all_others_have_left_has_lost() {
    let mut table = game("thaayam", 3, TimeControl::PerGame { bank: 3_600, increment: 0 });
    let resigns = |table: &Table| does(table, 0, START_MS + DAY_MS, &Command::Resign).unwrap();
    assert!(resigns(&table).is_open(), "the others play on");
    for n in [1, 2] {
        table = goes(&table, n, GROUP, START_MS + 1);
    }
    let now_ms = START_MS + 1 + LEFT_GRACE_MS;
    for _ in [1, 2] {
        table = ticks(&table, now_ms);
    }
    assert!(table.is_away(1) && table.is_away(2) && !table.is_away(0));
    let newcomer = computer_newcomer(ComputerLevel::Easy);
    let passes_on = Command::ProposeSubstitute { seat: None, newcomer };
    let refusal = does(&table, 0, now_ms, &passes_on).err();
    assert_eq!(refusal.as_deref(), Some("refuse-last-person"));
    let TablePhase::Over { scores, reason } = resigns(&table).phase else { panic!("it is over") };
    assert_eq!((scores.as_slice(), reason), ([0, 1, 1].as_slice(), EndReason::Resigned(0)));
}

/// A computer thinks for some time, and the clock of the next player begins when it has moved.
#[test]
fn a_postponed_decision_starts_the_next_clock_later() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(60));
    let choice = table.game.as_ref().unwrap().choices(Seat(0))[0].token.clone();
    let command = Command::Move { position: None, choice: MoveChoice::Token(choice) };
    let by = actor(&person(0), &ChatId(GROUP.into()), START_MS + 1_000);
    let decided = || decide(&table, &by, &command).unwrap();
    let early = decided();
    let late = postpone_decision(&table, decided(), START_MS + 5_000).unwrap();
    assert_eq!(late.lines.len(), early.lines.len());
    assert_eq!(until(&after(&table, &early)), Some(START_MS + 1_000 + MINUTE_MS));
    assert_eq!(until(&after(&table, &late)), Some(START_MS + 5_000 + MINUTE_MS));
}

const BANK: TimeControl = TimeControl::PerGame { bank: 60, increment: 0 };

#[test]
fn leaving_and_coming_back_gives_no_time() {
    let table = game("togyzkumalak", 2, BANK);
    let left = goes(&table, 0, GROUP, START_MS + 10_000);
    assert!(left.has_left(0) && !left.is_away(0));
    assert_eq!(until(&left), until(&table), "the clock runs on");
    let back = comes(&left, 0, GROUP, START_MS + 40_000);
    assert!(!back.has_left(0));
    assert_eq!(until(&back), until(&table));
    // After the grace the clock stops with what was left, and goes on with it.
    let table = game("togyzkumalak", 2, TimeControl::PerGame { bank: 3_600, increment: 0 });
    let left = goes(&table, 0, GROUP, START_MS + MINUTE_MS);
    let away_ms = START_MS + MINUTE_MS + LEFT_GRACE_MS;
    let away = ticks(&left, away_ms);
    assert!(away.is_away(0) && until(&away).is_none());
    let back = comes(&away, 0, GROUP, away_ms + DAY_MS);
    assert_eq!(until(&back), Some(away_ms + DAY_MS + 3_600_000 - MINUTE_MS - LEFT_GRACE_MS));
}

#[test]
fn leaving_and_coming_back_restores_no_time_that_ran_out() {
    let table = game("togyzkumalak", 2, BANK);
    let late = ticks(&table, deadline(&table).unwrap());
    assert!(late.is_late(0));
    let now_ms = START_MS + 62_000;
    let left = goes(&late, 0, GROUP, now_ms);
    let back = comes(&left, 0, GROUP, now_ms + 5);
    assert!(back.is_late(0) && until(&back).is_none());
    let over = does(&back, 1, now_ms + 10, &Command::ClaimVictory).unwrap();
    assert_eq!(
        over.phase,
        TablePhase::Over { scores: vec![0, 1], reason: EndReason::LostOnTime(0) }
    );
    assert_eq!(over.claimed_departure(0), None, "it is the time that was up");
    // Nor is it where each turn has a time of its own.
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(60));
    let late = ticks(&table, deadline(&table).unwrap());
    let back = comes(&goes(&late, 0, GROUP, now_ms), 0, GROUP, now_ms + 5);
    assert!(back.is_late(0) && until(&back).is_none());
}

#[test]
fn a_player_who_returns_in_a_late_turn_plays_from_the_next_one() {
    let table = game("thaayam", 3, TimeControl::PerTurn(60));
    let seat = table.seat_to_move().unwrap();
    let late = ticks(&table, deadline(&table).unwrap());
    assert!(late.is_played_by_substitute(seat));
    let back = does(&late, seat, START_MS + 62_000, &Command::Return).unwrap();
    assert!(
        back.is_late(seat) && back.is_played_by_substitute(seat),
        "this turn's time has run out"
    );
    assert!(!back.is_away(seat));
}

#[test]
fn closing_one_way_changes_nothing_while_another_is_open() {
    let table =
        with_private_board(&game("togyzkumalak", 2, TimeControl::Unlimited), 1, START_MS + 1);
    assert_eq!(table.chat_of(&person(1)), Some(&private(1)));
    let blocked = goes(&table, 1, "mem:@1", START_MS + 2);
    assert!(!blocked.has_left(1) && !blocked.is_away(1));
    assert_eq!(blocked.chat_of(&person(1)), Some(&ChatId(GROUP.into())), "reached in the group");
    let claim = |table: &Table, now_ms| does(table, 0, now_ms, &Command::ClaimVictory);
    assert_eq!(claim(&blocked, START_MS + DAY_MS).err().as_deref(), Some("refuse-no-claim"));
    // The last way counts; the one that closed before does not.
    let left = goes(&blocked, 1, GROUP, START_MS + 3);
    assert!(left.has_left(1));
    // It is the same in the other order.
    let out = goes(&table, 1, GROUP, START_MS + 2);
    assert!(!out.has_left(1));
    let left = goes(&out, 1, "mem:@1", START_MS + 3);
    assert!(left.has_left(1));
    // Either way that opens is enough.
    assert!(!comes(&left, 1, GROUP, START_MS + 4).has_left(1));
    let again = comes(&left, 1, "mem:@1", START_MS + 4);
    assert!(!again.has_left(1));
    assert_eq!(again.chat_of(&person(1)), Some(&private(1)));
    // A way that opened again counts when the other closes.
    let both = comes(&out, 1, GROUP, START_MS + 5);
    assert!(!goes(&both, 1, "mem:@1", START_MS + 6).has_left(1));
}

#[test]
fn victory_can_be_claimed_after_ten_minutes_of_absence() {
    let table = plays(&game("togyzkumalak", 2, TimeControl::Unlimited), START_MS + 1);
    let left = goes(&table, 1, GROUP, START_MS + 2);
    let by = actor(&person(0), &ChatId(GROUP.into()), START_MS + 2 * MINUTE_MS);
    let refusal = decide(&left, &by, &Command::ClaimVictory).err().unwrap().text;
    assert_eq!(refusal.key, "refuse-claim-soon");
    assert!(format!("{refusal:?}").contains('9'), "{refusal:?}");
    assert_eq!(deadline(&left), Some(START_MS + 2 + LEFT_GRACE_MS));
    assert!(tick(&left, START_MS + 1 + LEFT_GRACE_MS).is_none());
    let away = ticks(&left, START_MS + 2 + LEFT_GRACE_MS);
    let over = does(&away, 0, START_MS + 11 * MINUTE_MS, &Command::ClaimVictory).unwrap();
    assert_eq!(
        over.phase,
        TablePhase::Over { scores: vec![1, 0], reason: EndReason::LostOnTime(1) }
    );
    assert_eq!(over.claimed_departure(1), Some(Departure::Left));
}

/// An admin removes the opponent from the chat, or the bot: nobody wins by that.
#[test]
fn no_win_can_be_claimed_from_a_player_who_had_no_choice() {
    let mut table = game("togyzkumalak", 2, TimeControl::PerTurn(60));
    for _ in 0..5 {
        table = plays(&table, START_MS + 1);
    }
    let removed = presence::close_route(&table, &person(1), GROUP, Departure::Removed).unwrap();
    let cut_off = presence::record_unreachable_people(&table, GROUP, Departure::CutOff).unwrap();
    for closed in [removed, cut_off] {
        let gone = happens(&table, closed, START_MS + 30_001);
        assert!(gone.running_clock().is_none(), "the clock is stopped");
        assert_eq!(gone.clocks.left_ms[1], 30_000);
        assert!(tick(&gone, START_MS + 9 * MINUTE_MS).is_none(), "nothing is due");
        let early = START_MS + 9 * MINUTE_MS;
        assert_eq!(
            does(&gone, 0, early, &Command::ClaimVictory).err().unwrap(),
            "refuse-claim-cut-off"
        );
        assert_eq!(does(&gone, 0, early, &Command::Abort).err().unwrap(), "refuse-abort-cut-off");
        let late = START_MS + 11 * MINUTE_MS;
        assert_eq!(
            does(&gone, 0, late, &Command::ClaimVictory).err().unwrap(),
            "refuse-claim-cut-off"
        );
        let over = does(&gone, 0, late, &Command::Abort).unwrap();
        let reason = EndReason::AbsentPlayer(1);
        assert_eq!(over.phase, TablePhase::Closed { reason });
        assert_eq!(over.game_result(), None, "it does not count as an aborted game");
    }
}

/// Discord reports a removal twice: that the person left, and that others removed them.
#[test]
fn a_removal_that_is_reported_after_the_departure_counts() {
    let mut table = game("togyzkumalak", 2, TimeControl::PerTurn(60));
    for _ in 0..5 {
        table = plays(&table, START_MS + 1);
    }
    let closes =
        |table: &Table, chat: &str, how| presence::close_route(table, &person(1), chat, how);
    let left = goes(&table, 1, GROUP, START_MS + 10_001);
    assert!(left.running_clock().is_some(), "who leaves loses time");
    assert!(closes(&left, "mem:other", Departure::Removed).is_none(), "they left another chat");
    assert!(closes(&left, GROUP, Departure::Left).is_none());
    let removed = closes(&left, GROUP, Departure::Removed).unwrap();
    let gone = happens(&left, removed, START_MS + 12_001);
    assert!(gone.running_clock().is_none(), "the clock is stopped");
    assert_eq!(gone.clocks.left_ms[1], 48_000);
    let known = gone.involuntary_departure(1).unwrap();
    assert_eq!((known.departure, known.since_ms), (Departure::Removed, START_MS + 10_001));
    assert!(closes(&gone, GROUP, Departure::Removed).is_none(), "a second time changes nothing");
    let late = does(&gone, 0, START_MS + 11 * MINUTE_MS, &Command::ClaimVictory);
    assert_eq!(late.err().unwrap(), "refuse-claim-cut-off");
    // In the other order the departure changes nothing.
    let removed = closes(&table, GROUP, Departure::Removed).unwrap();
    let gone = happens(&table, removed, START_MS + 10_001);
    assert!(closes(&gone, GROUP, Departure::Left).is_none());
}

/// A player who is away by their own choice stays away, whatever others do later.
#[test]
fn a_removal_after_the_grace_period_excuses_nobody() {
    let table = game("togyzkumalak", 2, TimeControl::Unlimited);
    let left = goes(&table, 1, GROUP, START_MS + 1);
    let away = ticks(&left, START_MS + 1 + LEFT_GRACE_MS);
    assert!(away.is_away(1));
    assert!(presence::close_route(&away, &person(1), GROUP, Departure::Removed).is_none());
    assert_eq!(away.claimable_from(0), Some(1));
}

#[test]
fn a_turn_goes_on_with_its_time_when_the_bot_is_back_in_the_chat() {
    let table = plays(&game("togyzkumalak", 2, TimeControl::PerTurn(60)), START_MS + 1);
    let cut_off = presence::record_unreachable_people(&table, GROUP, Departure::CutOff).unwrap();
    let gone = happens(&table, cut_off, START_MS + 40_001);
    let reopened = presence::reopen_chat(&gone, GROUP).unwrap();
    let back = happens(&gone, reopened, START_MS + 70_001);
    assert_eq!(back.running_clock().unwrap().until_ms, START_MS + 90_001);
    assert!(presence::reopen_chat(&back, GROUP).is_none(), "a second time changes nothing");
    // Who was removed by others, or left, does not come back with the bot.
    for how in [Departure::Removed, Departure::Left] {
        let closed = presence::close_route(&table, &person(1), GROUP, how).unwrap();
        let gone = happens(&table, closed, START_MS + 2);
        assert!(presence::reopen_chat(&gone, GROUP).is_none());
    }
}

/// A player who is losing must not keep the game from ending by leaving while the bot cannot write.
#[test]
fn a_player_who_leaves_while_the_bot_cannot_write_has_left_when_it_can() {
    let mut table = game("togyzkumalak", 2, TimeControl::PerTurn(3_600));
    for _ in 0..5 {
        table = plays(&table, START_MS + 1);
    }
    assert_eq!(table.seat_to_move(), Some(1));
    let cut_off = presence::record_unreachable_people(&table, GROUP, Departure::CutOff).unwrap();
    let muted = happens(&table, cut_off, START_MS + 60_001);
    let gone = goes(&muted, 1, GROUP, START_MS + 70_000);
    assert!(until(&gone).is_none(), "nobody can play yet");
    assert!(gone.involuntary_departure(1).is_some());
    assert!(presence::close_route(&gone, &person(1), GROUP, Departure::Left).is_none());
    // The bot may write again.
    let reopens_ms = START_MS + DAY_MS;
    let reopened = happens(&gone, presence::reopen_chat(&gone, GROUP).unwrap(), reopens_ms);
    assert!(reopened.departure_of(0).is_none());
    let left = presence::resume_departures(&reopened, GROUP).unwrap();
    let left = happens(&reopened, left, reopens_ms);
    assert!(presence::resume_departures(&left, GROUP).is_none(), "a second time changes nothing");
    assert_eq!(until(&left), Some(reopens_ms + 3_540_000), "the clock runs on");
    assert_eq!(left.grace_ends_ms(1), Some(reopens_ms + LEFT_GRACE_MS));
    let away = ticks(&left, reopens_ms + LEFT_GRACE_MS);
    let over = does(&away, 0, reopens_ms + LEFT_GRACE_MS, &Command::ClaimVictory).unwrap();
    assert_eq!(over.claimed_departure(1), Some(Departure::Left));
    // Others removed them, which the platform also reports as a departure.
    let removed = presence::close_route(&gone, &person(1), GROUP, Departure::Removed).unwrap();
    let removed = happens(&gone, removed, START_MS + 70_001);
    let reopened = happens(&removed, presence::reopen_chat(&removed, GROUP).unwrap(), reopens_ms);
    assert!(presence::resume_departures(&reopened, GROUP).is_none());
    assert_eq!(reopened.involuntary_departure(1).unwrap().departure, Departure::Removed);
}

/// An admin who plays must not think without a clock, or keep a lost game from ending.
#[test]
fn a_player_who_sends_the_bot_away_does_not_stop_their_own_clock() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(3_600));
    let sends = |table: &Table| presence::record_bot_removal(table, &person(0), GROUP);
    let sent = happens(&table, sends(&table).unwrap(), START_MS + 1_000);
    let cut_off = presence::record_unreachable_people(&sent, GROUP, Departure::CutOff).unwrap();
    let gone = happens(&sent, cut_off, START_MS + 1_001);
    assert_eq!(until(&gone), until(&table), "the clock runs on");
    assert!(gone.has_left(0) && gone.involuntary_departure(0).is_none());
    assert!(gone.involuntary_departure(1).is_some());
    assert!(sends(&gone).is_none(), "a second time changes nothing");
    // Both are back with the bot, also after the grace period.
    let away = ticks(&gone, START_MS + 1_000 + LEFT_GRACE_MS);
    assert!(away.is_away(0) && until(&away).is_none());
    for gone in [&gone, &away] {
        let reopened = presence::reopen_chat(gone, GROUP).unwrap();
        let back = happens(gone, reopened, START_MS + 1_000 + LEFT_GRACE_MS);
        assert!((0..2).all(|it| back.departure_of(it).is_none() && !back.is_away(it)));
        assert_eq!(until(&back), until(&table));
    }
    let over = does(&away, 1, START_MS + DAY_MS, &Command::ClaimVictory).unwrap();
    assert_eq!(over.claimed_departure(0), Some(Departure::RemovedBot));
    // Who also sees the board elsewhere is still there.
    let elsewhere = with_private_board(&table, 0, START_MS + 1);
    assert!(sends(&elsewhere).is_none());
}

#[test]
fn a_board_that_cannot_be_shown_stops_the_clock_of_who_would_see_it_only_there() {
    let table = game("togyzkumalak", 2, BANK);
    let here = ChatId(GROUP.into());
    let seen = table.running_clock().unwrap().version;
    let unseen = presence::record_unshown_board(&table, &here, seen);
    assert!(unseen.is_none(), "the player has seen the board of this turn");
    let cut_off = presence::record_unshown_board(&table, &here, seen - 1).unwrap();
    let gone = happens(&table, cut_off, START_MS + 40_000);
    assert!(until(&gone).is_none());
    assert!(presence::record_unshown_board(&gone, &here, 0).is_none(), "once is enough");
    let reopened = presence::reopen_chat(&gone, GROUP).unwrap();
    let back = happens(&gone, reopened, START_MS + DAY_MS);
    assert_eq!(until(&back), Some(START_MS + DAY_MS + 20_000));
    let elsewhere = with_private_board(&table, 0, START_MS + 1);
    assert!(presence::record_unshown_board(&elsewhere, &here, 0).is_none());
}

/// The player to move may not have seen the board since their turn began.
#[test]
fn a_deleted_message_makes_nobody_win_and_gives_a_short_time_once() {
    let here = ChatId(GROUP.into());
    let table = game("togyzkumalak", 2, BANK);
    let to = AttachedChat {
        chat: private(0),
        kind: ChatKind::Private,
        attached_by: person(0),
        is_watch_only: false,
    };
    let unreachable = vec![person(1)];
    let lost = presence::LostBoard { private_chats: vec![to], unreachable, shown: 0 };
    let moved = |table: &Table, now_ms: u64| {
        let decision = presence::move_lost_board(table, &here, &lost, now_ms).unwrap().unwrap();
        after(table, &decision)
    };
    let next = moved(&table, START_MS + 30_000);
    assert_eq!(until(&next), Some(START_MS + 90_000), "a minute is left");
    assert!(next.involuntary_departure(1).is_some());
    // Nobody knows who deleted it, perhaps to undo a loss: it counts as aborted by both.
    let aborted = does(&next, 0, START_MS + 12 * MINUTE_MS, &Command::Abort).unwrap();
    let result = aborted.game_result().unwrap();
    assert!(result.is_aborted() && result.is_message_lost() && result.seat_at_fault.is_none());
    let late = ticks(&table, deadline(&table).unwrap());
    assert!(late.is_late(0));
    let now_ms = START_MS + 70_000;
    let next = moved(&late, now_ms);
    assert!(!next.is_late(0));
    assert_eq!(until(&next), Some(now_ms + 60_000));
    assert!(does(&next, 1, now_ms + 1, &Command::ClaimVictory).is_err());
    // The player shows the board there again, leaves the private chat, and deletes it once more.
    let alone = Event::Detached { chat: private(0) };
    let late = apply_external_events(&next, [alone], EventMeta::received_now(now_ms, "out"));
    let late = late.unwrap().table;
    let late = ticks(&late, deadline(&late).unwrap());
    assert!(late.is_late(0));
    assert!(moved(&late, now_ms + 80_000).is_late(0));
}

/// Nobody can be reached without the message, or without the chat in which all of it was.
#[test]
fn a_game_that_ends_with_its_message_counts_as_aborted_by_both() {
    let table = game("togyzkumalak", 2, BANK);
    let ended = |cause: &str| {
        let gone = Event::TableClosed { reason: EndReason::ChatGone };
        let meta = EventMeta::received_now(START_MS + 1, cause);
        apply_external_events(&table, [gone], meta).unwrap().table.game_result()
    };
    assert!(ended(clock::LOST_BOARD_CAUSE).unwrap().is_message_lost());
    assert_eq!(ended("gone"), None, "its reader's account was deleted, or it ended earlier");
}

/// Nobody gets the whole time of a turn again by deleting the message.
#[test]
fn a_late_turn_goes_on_with_a_tenth_of_its_time_after_its_message_was_deleted() {
    let here = ChatId(GROUP.into());
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(86_400));
    let late = ticks(&table, deadline(&table).unwrap());
    assert!(late.is_late(0));
    let now_ms = START_MS + DAY_MS + MINUTE_MS;
    let to = AttachedChat {
        chat: private(0),
        kind: ChatKind::Private,
        attached_by: person(0),
        is_watch_only: false,
    };
    let moved = |shown: u64| {
        let private_chats = vec![to.clone()];
        let lost = presence::LostBoard { private_chats, shown, ..Default::default() };
        let decision = presence::move_lost_board(&late, &here, &lost, now_ms).unwrap().unwrap();
        after(&late, &decision)
    };
    let next = moved(late.version - 1);
    assert!(!next.is_late(0));
    assert_eq!(until(&next), Some(now_ms + DAY_MS / 10));
    let again = ticks(&next, now_ms + DAY_MS / 10 + MINUTE_MS);
    assert!(again.is_late(0) && again.claimable_from(1) == Some(0));
    // The message showed that the time had run out, so it was there in all of the turn.
    let next = moved(late.version);
    assert!(next.is_late(0) && until(&next).is_none());
    assert!(does(&next, 1, now_ms + 1, &Command::ClaimVictory).is_ok());
}

/// In a game for more a computer plays for who was removed; nobody gains or loses points by that.
#[test]
fn a_game_with_a_computer_for_a_removed_player_is_unrated() {
    let table = game("thaayam", 3, TimeControl::Unlimited);
    assert_eq!(table.casual_reasons(), []);
    let removed = presence::close_route(&table, &person(1), GROUP, Departure::Removed).unwrap();
    let gone = happens(&table, removed, START_MS + 2);
    assert_eq!(gone.casual_reasons(), [], "they may come back");
    let away = ticks(&gone, START_MS + 2 + LEFT_GRACE_MS);
    assert!(away.is_played_by_substitute(1));
    assert_eq!(away.casual_reasons(), [CasualReason::Substitute]);
}

#[test]
fn a_player_who_acts_by_any_way_has_not_left() {
    let table = game("togyzkumalak", 2, TimeControl::Unlimited);
    let left = goes(&table, 0, GROUP, START_MS + 1);
    let here = plays(&left, START_MS + 2);
    assert!(!here.has_left(0) && deadline(&here).is_none());
    let left = goes(&table, 1, GROUP, START_MS + 1);
    let asks = does(&left, 1, START_MS + 2, &Command::Offer(OfferKind::Draw)).unwrap();
    assert!(!asks.has_left(1) && asks.offers.pending.is_some());
}

#[test]
fn claiming_against_oneself_is_refused_with_the_reason() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(60));
    let late = ticks(&table, deadline(&table).unwrap());
    let own = does(&late, 0, START_MS + 62_000, &Command::ClaimVictory);
    assert_eq!(own.err().as_deref(), Some("refuse-claim-own"));
}

#[test]
fn in_logs_of_earlier_programs_a_player_who_left_is_away_at_once() {
    let table = game("togyzkumalak", 2, BANK);
    let gone = Event::Clock(ClockEvent::PersonLeft { person: person(0) });
    let meta = |at_ms, cause: &str| EventMeta::received_now(at_ms, cause);
    let old = apply_external_events(&table, [gone], meta(START_MS + 10_000, "left")).unwrap().table;
    assert!(old.is_away(0) && old.claimable_from(1) == Some(0));
    assert_eq!(old.claimed_departure(0), Some(Departure::Left));
    // They gave back a whole clock, and such a log is read that way.
    let late = ticks(&table, deadline(&table).unwrap());
    let lines = [
        format!("{} 1070000 came return 0", late.version),
        format!("{} 1070000 came runs 0 1130000 60000,60000", late.version + 1),
    ];
    let mut old = late.duplicate();
    for line in &lines {
        old.apply(&LogLine::parse(line).unwrap()).unwrap();
    }
    assert!(!old.is_late(0) && until(&old) == Some(1_130_000));
}

#[test]
fn nobody_is_replaced_before_the_time_of_a_turn_has_passed() {
    let silent = |control, asked_ms| {
        let table = game("togyzkumalak", 2, control);
        let asked = does(&table, 7, asked_ms, &Command::TakeOver { seat: Some(0) }).unwrap();
        let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
        let wanted = does(&asked, 1, asked_ms + 1, &yes).unwrap();
        objections::objection_window(&wanted).unwrap().until_ms - asked_ms
    };
    let early_ms = START_MS + MINUTE_MS;
    assert_eq!(silent(TimeControl::PerTurn(7 * 86_400), early_ms), 7 * DAY_MS);
    assert_eq!(silent(TimeControl::Unlimited, early_ms), DAY_MS);
    assert_eq!(silent(TimeControl::PerTurn(60), START_MS + 20_000), 10 * MINUTE_MS);
}

/// A newcomer asks for the seat of the player to move, and the other player wants it.
fn wants_newcomer(table: &Table, now_ms: u64) -> Table {
    let asked = does(table, 7, now_ms, &Command::TakeOver { seat: Some(0) }).unwrap();
    let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
    does(&asked, 1, now_ms + 1, &yes).unwrap()
}

#[test]
fn silence_during_a_pause_gives_no_seat_away() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(60));
    let offered = does(&table, 1, START_MS + 1, &Command::Offer(OfferKind::Pause)).unwrap();
    let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
    let paused = does(&offered, 0, START_MS + 2, &yes).unwrap();
    assert!(paused.clocks.paused);
    let wanted = wants_newcomer(&paused, START_MS + 3);
    assert_eq!(objections::objection_window(&wanted), None);
    assert_eq!(deadline(&wanted), None, "nothing is due");
    assert!(tick(&wanted, START_MS + DAY_MS).is_none());
    // The player may agree at once.
    let agreed = does(&wanted, 0, START_MS + 5, &yes).unwrap();
    assert_eq!(agreed.seating.occupant(0).unwrap().person, person(7));
}

/// Their silence counts from their return.
#[test]
fn silence_of_a_player_whose_route_others_closed_gives_no_seat_away() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(60));
    let removed = presence::close_route(&table, &person(0), GROUP, Departure::Removed).unwrap();
    let wanted = wants_newcomer(&happens(&table, removed, START_MS + 1), START_MS + 2);
    assert_eq!(objections::objection_window(&wanted), None);
    assert!(tick(&wanted, START_MS + DAY_MS).is_none());
    let back = comes(&wanted, 0, GROUP, START_MS + DAY_MS);
    let window = objections::objection_window(&back).unwrap();
    assert_eq!(window.until_ms, START_MS + DAY_MS + 10 * MINUTE_MS);
}

/// Otherwise a second account of the player who left could turn a loss into a game that does not
/// count.
#[test]
fn the_seat_of_a_player_who_left_passes_on_only_with_consent() {
    let now_ms = START_MS + LEFT_GRACE_MS + 10;
    let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
    let asks = Command::TakeOver { seat: None };
    for (code, seats) in [("togyzkumalak", 2), ("thaayam", 2), ("blot", 4)] {
        let table = game(code, seats, TimeControl::Unlimited);
        assert_eq!(table.casual_reasons(), [], "{code}");
        let away = ticks(&goes(&table, 0, GROUP, START_MS + 1), now_ms);
        assert!(away.is_away(0) && !away.may_take_absent_seats(), "{code}");
        let mut next = does(&away, 7, now_ms, &asks).unwrap();
        assert_eq!(next.casual_reasons(), [], "{code}");
        for n in 1..seats {
            assert_eq!(next.seating.occupant(0).unwrap().person, person(0), "{code}");
            next = does(&next, n, now_ms, &yes).unwrap();
        }
        // The consent of the player who left is not needed.
        assert_eq!(next.seating.occupant(0).unwrap().person, person(7), "{code}");
        assert_eq!(next.casual_reasons(), [CasualReason::Substitute], "{code}");
    }
    // Among single players it costs only those who leave.
    let table = game("thaayam", 3, TimeControl::Unlimited);
    let away = ticks(&goes(&table, 0, GROUP, START_MS + 1), now_ms);
    let taken = does(&away, 7, now_ms, &asks).unwrap();
    assert_eq!(taken.seating.occupant(0).unwrap().person, person(7));
    assert_eq!(taken.casual_reasons(), []);
    assert!(taken.has_lost_by_leaving(&person(0)));
}

/// Otherwise one accomplice at a table for three could make a lost game casual without the consent
/// of the player who wins.
#[test]
fn an_open_offer_excuses_no_player_who_is_away() {
    let now_ms = START_MS + LEFT_GRACE_MS + 10;
    let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
    let table = game("thaayam", 3, TimeControl::Unlimited);
    let newcomer = Invitee { person: Some(person(7)), username: None, name: "7".into() };
    let wish = Command::ProposeSubstitute { seat: Some(0), newcomer };
    let offered = does(&table, 0, START_MS + 1, &wish).unwrap();
    let agreed =
        [7, 1].into_iter().fold(offered, |it, n| does(&it, n, START_MS + 2, &yes).unwrap());
    assert_eq!(agreed.seating.occupant(0).unwrap().person, person(0), "one player has not agreed");
    let away = ticks(&goes(&agreed, 0, GROUP, START_MS + 3), now_ms);
    let taken = does(&away, 7, now_ms, &Command::TakeOver { seat: Some(0) }).unwrap();
    assert_eq!(taken.seating.occupant(0).unwrap().person, person(7));
    assert_eq!(taken.casual_reasons(), []);
    assert!(taken.has_lost_by_leaving(&person(0)));
}

#[test]
fn a_partner_alone_agrees_to_no_exchange() {
    let now_ms = START_MS + LEFT_GRACE_MS + 10;
    let table = game("blot", 4, TimeControl::Unlimited);
    let left = [0, 1, 3].into_iter().fold(table, |it, n| goes(&it, n, GROUP, START_MS + 1));
    let away = ticks(&left, now_ms);
    assert!([0, 1, 3].into_iter().all(|it| away.is_away(it)));
    let asked = does(&away, 7, now_ms, &Command::TakeOver { seat: Some(0) });
    assert_eq!(asked.err().as_deref(), Some("refuse-opponents-away"));
}

/// Otherwise the side that loses could undo the game while those who win are away.
#[test]
fn nobody_aborts_a_game_that_counts_while_a_side_is_away() {
    let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
    let now_ms = START_MS + LEFT_GRACE_MS + 10;
    let refusal = |found: Result<Table, String>| found.err();
    let others_away = Some("refuse-others-away".to_owned());
    for (code, seats, left, other) in [("blot", 4, &[1, 3][..], 2), ("thaayam", 3, &[2][..], 1)] {
        let mut table = game(code, seats, TimeControl::Unlimited);
        while table.can_be_aborted() {
            table = plays(&table, START_MS + 1);
        }
        assert_eq!(table.casual_reasons(), [], "{code}");
        let leave = |table: &Table| {
            let goes = |it: Table, n: &u8| goes(&it, *n, GROUP, START_MS + 3);
            ticks(&left.iter().fold(table.duplicate(), goes), now_ms)
        };
        let aborted = does(&leave(&table), 0, now_ms, &Command::Abort);
        assert_eq!(refusal(aborted), others_away, "{code}");
        // So is an offer that was made while they were present.
        let away = leave(&does(&table, 0, START_MS + 2, &Command::Abort).unwrap());
        assert!(left.iter().all(|it| away.is_away(*it)), "{code}");
        assert_eq!(refusal(does(&away, other, now_ms, &yes)), others_away, "{code}");
        // A player who is back has to agree, too.
        let back = comes(&away, left[0], GROUP, now_ms + 1);
        let agreed = does(&back, other, now_ms + 2, &yes).unwrap();
        assert_eq!(agreed.phase, TablePhase::Playing, "{code}");
        let ended = does(&agreed, left[0], now_ms + 3, &yes).unwrap();
        assert_eq!(ended.phase, TablePhase::Closed { reason: EndReason::Aborted }, "{code}");
    }
}

/// They have seen the other hand. The seat that they gave up they may have back.
#[test]
fn a_former_player_takes_no_other_hand_of_the_running_deal() {
    let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
    let newcomer = Invitee { person: Some(person(7)), username: None, name: "7".into() };
    let wish = Command::ProposeSubstitute { seat: Some(0), newcomer };
    let offered = does(&game("blot", 4, TimeControl::Unlimited), 0, START_MS + 1, &wish).unwrap();
    let agree = |it: Table, n: u8| does(&it, n, START_MS + 2, &yes).unwrap();
    let taken = [7, 1, 2, 3].into_iter().fold(offered, agree);
    assert_eq!(taken.seating.occupant(0).unwrap().person, person(7));
    let asks = |table: &Table, seat: u8| {
        does(table, 0, START_MS + 3, &Command::TakeOver { seat: Some(seat) }).err()
    };
    assert_eq!(asks(&taken, 1).as_deref(), Some("refuse-other-hand"));
    assert_eq!(asks(&taken, 0), None);
    // Nor the seat of a player who is away, in a game that does not count any more.
    let now_ms = START_MS + LEFT_GRACE_MS + 10;
    let away = ticks(&goes(&taken, 1, GROUP, START_MS + 3), now_ms);
    assert!(away.is_away(1) && away.may_take_absent_seats());
    assert_eq!(asks(&away, 1).as_deref(), Some("refuse-other-hand"));
    // Once the next cards are dealt, all hands are new.
    let mut table = taken;
    let dealt = |it: &Table| it.history.steps.iter().filter(|it| it.seat.is_none()).count();
    while dealt(&table) < 2 {
        table = plays(&table, START_MS + 4);
    }
    assert_eq!(asks(&table, 1), None);
}

#[test]
fn the_silence_of_a_player_who_has_left_needs_no_time() {
    let now_ms = START_MS + LEFT_GRACE_MS + 10;
    let wanted = wants_newcomer(&game("togyzkumalak", 2, TimeControl::Unlimited), START_MS + 1);
    let away = ticks(&goes(&wanted, 0, GROUP, START_MS + 5), now_ms);
    assert_eq!(away.seating.occupant(0).unwrap().person, person(0));
    assert!(away.is_away(0) && deadline(&away).is_some_and(|it| it <= now_ms));
    assert_eq!(ticks(&away, now_ms).seating.occupant(0).unwrap().person, person(7));
}

#[test]
fn a_substitute_goes_on_with_what_is_left() {
    let table = game("togyzkumalak", 2, TimeControl::PerGame { bank: 600, increment: 0 });
    let now_ms = START_MS + 400_000;
    let asked = does(&table, 7, now_ms, &Command::TakeOver { seat: Some(0) }).unwrap();
    let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
    let agreed = does(&does(&asked, 1, now_ms, &yes).unwrap(), 0, now_ms, &yes).unwrap();
    assert_eq!(agreed.seating.occupant(0).unwrap().person, person(7));
    assert_eq!(until(&agreed), Some(START_MS + 600_000), "200 seconds are left");
    let late_ms = START_MS + 590_000;
    let asked = does(&table, 7, late_ms, &Command::TakeOver { seat: Some(0) }).unwrap();
    let agreed = does(&does(&asked, 1, late_ms, &yes).unwrap(), 0, late_ms, &yes).unwrap();
    assert_eq!(until(&agreed), Some(late_ms + 60_000), "at least a tenth");
}

#[test]
fn taking_back_restores_what_both_had_and_gives_no_increment() {
    let table = game("togyzkumalak", 2, TimeControl::PerGame { bank: 300, increment: 5 });
    let table = plays(&plays(&table, START_MS + 20_000), START_MS + 30_000);
    let had = table.clocks.left_ms.clone();
    let moved = plays(&table, START_MS + 50_000);
    let asks = Command::Offer(OfferKind::Takeback);
    let asked = does(&moved, 0, START_MS + 52_000, &asks).unwrap();
    let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
    let back = does(&asked, 1, START_MS + 60_000, &yes).unwrap();
    assert_eq!(back.clocks.left_ms, had);
    assert_eq!(until(&back), Some(START_MS + 60_000 + had[0]));
}

#[test]
fn taking_back_restores_what_both_had_also_after_the_time_of_a_turn() {
    let table = game("togyzkumalak", 2, TimeControl::PerGame { bank: 300, increment: 5 });
    let first = plays(&table, START_MS + 20_000);
    let second = plays(&first, START_MS + 30_000);
    let moved = plays(&second, START_MS + 50_000);
    let now_ms = deadline(&moved).unwrap();
    let late = ticks(&moved, now_ms);
    assert!(late.is_late(1) && late.clocks.left_ms[1] == 0);
    let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
    let asks = Command::Offer(OfferKind::Takeback);
    for (asking, agreeing, then) in [(0, 1, &second), (1, 0, &first)] {
        let asked = does(&late, asking, now_ms + 2_000, &asks).unwrap();
        let back = does(&asked, agreeing, now_ms + 5_000, &yes).unwrap();
        assert!(back.seat_to_move() == Some(asking) && !back.is_late(asking));
        assert_eq!(back.clocks.left_ms, then.clocks.left_ms, "seat {asking} asks");
        let left_ms = then.clocks.left_ms[usize::from(asking)];
        assert_eq!(until(&back), Some(now_ms + 5_000 + left_ms));
    }
}

#[test]
fn taking_back_during_a_pause_restores_what_both_had() {
    let table = game("togyzkumalak", 2, TimeControl::PerGame { bank: 300, increment: 5 });
    let table = plays(&plays(&table, START_MS + 20_000), START_MS + 30_000);
    let had = table.clocks.left_ms.clone();
    let (mut table, mut now_ms) = (plays(&table, START_MS + 50_000), START_MS + 50_000);
    for proposal in [OfferKind::Pause, OfferKind::Takeback, OfferKind::Resume] {
        now_ms += 10_000;
        table = does(&table, 0, now_ms - 5_000, &Command::Offer(proposal)).unwrap();
        let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
        table = does(&table, 1, now_ms, &yes).unwrap();
    }
    assert_eq!(table.clocks.left_ms, had);
    assert_eq!(until(&table), Some(now_ms + had[0]));
}

#[test]
fn no_player_alone_calls_off_a_game_after_a_throw_or_a_deal() {
    for (code, seats) in [("thaayam", 2), ("thaayam", 3), ("blot", 4)] {
        let mut table = game(code, seats, TimeControl::Unlimited);
        while !table.has_shown_chance() {
            table = plays(&table, START_MS + 1);
        }
        let asked = does(&table, 0, START_MS + 2, &Command::Abort).unwrap();
        assert_eq!(asked.phase, TablePhase::Playing, "{code}: the others are asked");
        assert!(asked.offers.pending_kind() == Some(PlayerOffer::Draw));
        let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
        let off = (1..seats).fold(asked, |it, n| does(&it, n, START_MS + 3, &yes).unwrap());
        assert_eq!(off.phase, TablePhase::Closed { reason: EndReason::Aborted }, "{code}");
    }
    // Open dice are seen before anybody has decided anything; dice under the cup are not.
    let dice = GameId::from_code("thaayam").unwrap();
    for (options, seen) in [("throw=auto", true), ("standard", false)] {
        let setup = TableSetup { options: options.to_owned(), ..crate::setup(dice, 2, person(0)) };
        let table = crate::clocks::opened(setup, TimeControl::Unlimited).table;
        let asked = does(&table, 1, START_MS + 1, &Command::Abort).unwrap();
        assert_eq!(asked.phase == TablePhase::Playing, seen, "{options}");
    }
    let table = plays(&game("togyzkumalak", 2, TimeControl::Unlimited), START_MS + 1);
    let off = does(&table, 1, START_MS + 2, &Command::Abort).unwrap();
    assert_eq!(off.phase, TablePhase::Closed { reason: EndReason::AbortedBy(1) });
}

#[test]
fn a_pause_restores_no_time_that_ran_out() {
    let table = game("togyzkumalak", 2, TimeControl::PerTurn(60));
    let asked = does(&table, 1, START_MS + 1, &Command::Offer(OfferKind::Pause)).unwrap();
    let late = ticks(&asked, deadline(&asked).unwrap());
    let yes = Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept };
    let agreed = does(&late, 0, START_MS + 62_000, &yes);
    assert_eq!(agreed.err().as_deref(), Some("refuse-pause-late"));
}

/// A group of another platform shows the board, too; nobody plays from there. World 9145 of the
/// simulation found that the players were taken to read it.
#[test]
fn a_group_of_others_does_not_make_players_present() {
    let table = game("togyzkumalak", 2, BANK);
    let attached = AttachedChat {
        chat: ChatId("dc:9".into()),
        kind: ChatKind::Group,
        attached_by: person(0),
        is_watch_only: false,
    };
    let shown = presence::EventsWithCause {
        events: vec![Event::Attached(attached)],
        cause: "mem/1".to_owned(),
    };
    let shown = happens(&table, shown, START_MS + 1_000);
    let home = shown.chats.home().clone();
    let detached = presence::EventsWithCause {
        events: vec![Event::Detached { chat: home.clone() }],
        cause: "gone".to_owned(),
    };
    let left = happens(&shown, detached, START_MS + 2_000);
    let gone = presence::record_unreachable_people(&left, home.without_topic(), Departure::CutOff)
        .expect("a person left");
    let people: Vec<_> = gone
        .events
        .iter()
        .filter_map(|it| match it {
            Event::Clock(ClockEvent::PersonLeft { person }) => Some(person.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(people, [person(0), person(1)]);
}

async fn leaves(stage: &mut MemoryStage, who: &str, how: Departure) {
    let who = stage.person(who).id;
    let left = stage.update("Ann", false, UpdateKind::MemberLeft { who, how });
    stage.service.handle(left).await;
}

/// Blocking the private chat costs nothing while the board is seen in the group.
#[tokio::test]
async fn blocking_the_private_chat_keeps_group_presence() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let plays = "people Ann Bek\nAnn says /togyz @Bek me\nBek presses Accept\n\
                 Bek says /private\nBek gets reply private chat";
    play("plays", plays, &mut stage).await;
    let blocked = stage.update("Bek", true, UpdateKind::BotRemoved);
    stage.service.handle(blocked).await;
    let there = "Ann presses 7\nAnn sees no has left\nAnn has no button 🏆 Claim victory\n\
                 Bek presses 3\nAnn sees no has left";
    play("is there", there, &mut stage).await;
}

/// Two processes hear two updates: the one with the older update was suspended meanwhile.
#[tokio::test]
async fn a_delayed_report_of_leaving_does_not_undo_the_return() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let plays = "people Ann Bek\nAnn says /togyz @Bek me\nBek presses Accept\nAnn presses 7";
    play("plays", plays, &mut stage).await;
    let (who, how) = (stage.person("Bek").id, Departure::Left);
    let left = stage.update("Bek", false, UpdateKind::MemberLeft { who: who.clone(), how });
    let came = stage.update("Bek", false, UpdateKind::MembersJoined { who: vec![who] });
    stage.service.handle(came).await;
    stage.service.handle(left).await;
    play("is there", "Ann says /board\nAnn sees no has left", &mut stage).await;
    leaves(&mut stage, "Bek", Departure::Left).await;
    play("leaves again", "Ann sees Bek has left", &mut stage).await;
}

/// Bek leaves, comes back and opens a table. The report of leaving is handled only then, because
/// nothing could be stored before, and the report of the return is still on its way.
#[tokio::test]
async fn a_late_leave_event_closes_no_table_opened_after_the_return() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    play("before", "people Ann Bek\nBek says /games\nBek gets reply no open", &mut stage).await;
    let (who, how) = (stage.person("Bek").id, Departure::Left);
    let left = stage.update("Bek", false, UpdateKind::MemberLeft { who: who.clone(), how });
    let came = stage.update("Bek", false, UpdateKind::MembersJoined { who: vec![who] });
    play("opens", "Bek says /togyz\nAnn sees Bek is waiting", &mut stage).await;
    stage.service.handle(left).await;
    play("stays", "Ann sees Bek is waiting\nAnn presses Join\nAnn sees is to move", &mut stage)
        .await;
    stage.service.handle(came).await;
    play("plays", "Ann says /board\nAnn sees no has left", &mut stage).await;
}

/// The same report about a seat that was taken before it.
#[tokio::test]
async fn a_report_of_leaving_frees_the_seats_that_were_taken_before() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    play("opens", "people Ann Bek\nBek says /togyz\nAnn sees Bek is waiting", &mut stage).await;
    leaves(&mut stage, "Bek", Departure::Left).await;
    play("closes", "Ann sees no Bek is waiting\nAnn has no button Join", &mut stage).await;
}

#[tokio::test]
async fn a_removed_player_can_play_on_in_private() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let plays = "people Ann Bek\nBek writes privately /help\nAnn says /togyz @Bek me 5+5\n\
                 Bek presses Accept\nAnn presses 7";
    play("plays", plays, &mut stage).await;
    leaves(&mut stage, "Bek", Departure::Removed).await;
    let waits = "Ann sees Bek was removed from the chat, and their clock is stopped\n\
                 Ann has no button 🏆 Claim victory";
    play("waits", waits, &mut stage).await;
    stage.pass_ms(LEFT_GRACE_MS + 1).await;
    let claims = "Ann has no button 🏆 Claim victory\nAnn says /claim\n\
                  Ann gets reply Bek didn’t leave by choice\n\
                  Bek sees Your game there\nBek presses 👤 Play in private\n\
                  Bek presses 3\nAnn sees no was removed from the chat";
    play("claims", claims, &mut stage).await;
}

/// The group plays without the bot for a quarter of an hour: nobody's time runs out.
#[tokio::test]
async fn no_clock_runs_while_the_bot_is_not_in_the_chat() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    let plays = "people Ann Bek\nAnn says /togyz @Bek me 1 min\nBek presses Accept\nAnn presses 7";
    play("plays", plays, &mut stage).await;
    let removed = stage.update("Ann", false, UpdateKind::BotRemoved);
    stage.service.handle(removed).await;
    stage.pass_ms(15 * MINUTE_MS).await;
    let back = stage.update("Ann", false, UpdateKind::BotAdded);
    stage.service.handle(back).await;
    let goes_on = "Ann says /claim\nAnn gets reply There is nothing to claim\nBek presses 3\n\
                   Ann sees Ann is to move";
    play("goes on", goes_on, &mut stage).await;
}

const OFFERED: &str = "people Ann Bek\nAnn says /togyz @Bek me\nBek presses Accept\n\
                       Ann presses 7\nBek says /resign\nBek says /resign\nAnn sees Ann wins\n\
                       Bek presses 🔁 Rematch\nAnn sees wants to play again";

#[tokio::test]
async fn a_rematch_offer_ends_when_its_player_leaves() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    play("offers", OFFERED, &mut stage).await;
    leaves(&mut stage, "Bek", Departure::Left).await;
    play("is withdrawn", "Ann sees no wants to play again\nAnn has buttons 🔁 Rematch", &mut stage)
        .await;
}

#[tokio::test]
async fn a_rematch_offer_at_an_earlier_table_ends_on_leaving() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    play("offers", OFFERED, &mut stage).await;
    let later = "Ann says /togyz @Bek me\nBek presses Accept\nAnn presses 7\n\
                 Bek says /resign\nBek says /resign\nAnn sees Ann wins";
    play("plays on", later, &mut stage).await;
    assert!(wants_rematch(&mut stage).await, "the first game still offers it");
    leaves(&mut stage, "Bek", Departure::Left).await;
    assert!(!wants_rematch(&mut stage).await);
}

/// Whether any board offers to play again.
async fn wants_rematch(stage: &mut MemoryStage) -> bool {
    stage.visible_messages("Ann").await.iter().any(|it| it.text.contains("wants to play again"))
}

#[tokio::test]
async fn accepting_an_old_rematch_offer_invites_instead_of_starting() {
    let mut stage = MemoryStage::new(Arc::new(MemoryStore::default())).await;
    play("offers", OFFERED, &mut stage).await;
    stage.pass_ms(16 * MINUTE_MS).await;
    let asked = "Ann presses Accept\nAnn sees Bek\nBek presses Accept\nAnn presses 3";
    play("is asked again", asked, &mut stage).await;
}
