//! Random sequences at a table: people leave, come back, block, link, pause, go on vacation, take
//! back, are removed by others, lose the bot in their chat, ask for seats, claim and abort,
//! between moves and while time passes. Nobody gains time or loses a seat by it, nobody loses by
//! what others close, and no throw or deal is undone.

use std::collections::BTreeMap;

use caravanserai_games::EngineQuestion;
use caravanserai_games::search::{PlayerEvaluation, ThinkBudget};
use caravanserai_table::command::OfferAnswer;
use caravanserai_table::presence::EventsWithCause;
use caravanserai_table::{clock, computer_moves, vacation};
use proptest::prelude::*;

use super::*;

/// The ways to a person that are open, as the platform knows them.
#[derive(Clone, Debug)]
struct Reach {
    group: bool,
    private: Option<ChatId>,
    /// Since when nothing is open.
    gone_ms: Option<u64>,
    /// Whether others have closed the last way.
    is_forced: bool,
}

struct Life {
    table: Table,
    now_ms: u64,
    people: BTreeMap<PersonId, Reach>,
    newcomers: u8,
    /// The time of each seat when the game first had so many steps.
    banks: BTreeMap<usize, Vec<u64>>,
    /// The turn whose clock ran last.
    ran: Option<clock::TurnId>,
    /// How many commands and notes there were: each needs its own cause.
    count: u64,
}

const CONTROLS: [TimeControl; 4] = [
    TimeControl::Unlimited,
    TimeControl::PerTurn(60),
    TimeControl::PerTurn(86_400),
    TimeControl::PerGame { bank: 120, increment: 5 },
];

const GAMES: [(&str, u8); 4] = [("togyzkumalak", 2), ("thaayam", 2), ("thaayam", 3), ("blot", 4)];

/// The least time that a turn begins with, in milliseconds.
const FLOOR_MS: u64 = 5_000;

fn left_ms(table: &Table, seat: u8, at_ms: u64) -> u64 {
    match table.running_clock().filter(|it| it.turn.0 == seat) {
        Some(running) => running.until_ms.saturating_sub(at_ms),
        None => table.clocks.left_ms.get(usize::from(seat)).copied().unwrap_or_default(),
    }
}

fn first_ms(control: TimeControl) -> (u64, u64) {
    match control {
        TimeControl::Unlimited => (0, 0),
        TimeControl::PerTurn(seconds) => (u64::from(seconds) * 1_000, 0),
        TimeControl::PerGame { bank, increment: more } => {
            (u64::from(bank) * 1_000, u64::from(more) * 1_000)
        }
    }
}

/// Whether a throw or a deal was seen: a throw when a step follows it, a deal at once.
fn has_seen_chance(table: &Table) -> bool {
    let steps: Vec<bool> = table.history.steps.iter().map(|it| it.seat.is_none()).collect();
    let first = steps.iter().position(|is_chance| *is_chance);
    first.is_some_and(|at| at + 1 < steps.len() || table.game_id().info().hidden)
}

impl Life {
    fn new(game_n: usize, control: TimeControl) -> Self {
        let (code, seats) = GAMES[game_n];
        let table = game(code, seats, control);
        let reach = Reach { group: true, private: None, gone_ms: None, is_forced: false };
        let people = (0..seats).map(|n| (person(n), reach.clone())).collect();
        let banks = BTreeMap::from([(table.history.steps.len(), table.clocks.left_ms.clone())]);
        let ran = table.running_clock().map(|it| it.turn);
        Life { table, now_ms: START_MS, people, newcomers: seats, banks, ran, count: 0 }
    }

    /// The person at a seat.
    fn at(&self, n: u8) -> PersonId {
        self.table.seating.occupant(n % self.table.setup.seats).unwrap().person.clone()
    }

    fn is_present(&self, who: &PersonId) -> bool {
        self.people.get(who).is_none_or(|it| it.group || it.private.is_some())
    }

    /// Checks a decision and applies it. `by` is the person who asked for it, if any.
    fn takes(&mut self, decision: &Decision, by: Option<&PersonId>) {
        let next = after(&self.table, decision);
        self.gives_no_time(decision, &next);
        for (n, line) in decision.lines.iter().enumerate() {
            self.is_fair(&decision.lines[..n], line, by);
        }
        let taken_back =
            decision.lines.iter().any(|it| matches!(it.event, Event::MovesTakenBack { .. }));
        self.table = next;
        self.ran = self.table.running_clock().map(|it| it.turn).or(self.ran);
        let steps = self.table.history.steps.len();
        if taken_back {
            self.banks.split_off(&(steps + 1));
        }
        let control = self.table.clocks.control;
        if matches!(control, TimeControl::PerGame { .. }) && !self.banks.contains_key(&steps) {
            let seats = 0..self.table.setup.seats;
            let left = seats.map(|seat| left_ms(&self.table, seat, self.now_ms)).collect();
            self.banks.insert(steps, left);
        }
    }

    /// The time of a seat grows only by its increment, or by what an event in the log gives.
    fn gives_no_time(&self, decision: &Decision, next: &Table) {
        let before = &self.table;
        if !before.is_timed() || next.phase != TablePhase::Playing {
            return;
        }
        let (first, more) = first_ms(before.clocks.control);
        let (was, is) = (before.current_turn(), next.current_turn());
        for seat in 0..before.setup.seats {
            let has = |it: fn(&Event, u8) -> bool| decision.events().any(|event| it(event, seat));
            let had_ms = left_ms(before, seat, self.now_ms);
            let mut may_ms = had_ms;
            // A turn that comes to a player who is away begins when they return.
            let begins = is.is_some_and(|it| it.0 == seat && Some(it) != self.ran);
            if matches!(before.clocks.control, TimeControl::PerTurn(_)) {
                if is.is_none_or(|it| it.0 != seat) {
                    continue;
                }
                // The time of a turn begins once: later where its person was away or on vacation.
                may_ms = if begins { first } else { may_ms };
            }
            if was.is_some_and(|it| it.0 == seat)
                && is != was
                && has(|it, seat| matches!(it, Event::Stepped { seat: by, .. } if *by == seat))
            {
                may_ms += more;
            }
            if begins {
                may_ms = may_ms.max(FLOOR_MS);
            }
            if has(|it, seat| matches!(it, Event::SeatReplaced { seat: own, .. } if *own == seat)) {
                may_ms = may_ms.max((first / 10).max(FLOOR_MS));
            }
            if has(|it, _| matches!(it, Event::MovesTakenBack { .. })) {
                let then = self.banks.range(..=next.history.steps.len()).next_back();
                may_ms = may_ms.max(then.map_or(0, |it| it.1[usize::from(seat)]));
            }
            let has_ms = left_ms(next, seat, self.now_ms);
            assert!(
                has_ms <= may_ms,
                "seat {seat} had {had_ms}, has {has_ms}, may have {may_ms}: {:?}",
                decision.lines
            );
        }
    }

    /// A line that harms a player is the player's own act, or comes after their time has passed.
    fn is_fair(&self, earlier: &[LogLine], line: &LogLine, by: Option<&PersonId>) {
        let table = &self.table;
        let own =
            |seat: u8| by.is_some_and(|by| table.seating.occupant(seat).unwrap().person == *by);
        let gone_long = |seat: u8| {
            let reach = self.people.get(&self.at(seat)).filter(|it| !it.is_forced);
            let gone_ms = reach.and_then(|it| it.gone_ms);
            gone_ms.is_some_and(|it| it + LEFT_GRACE_MS <= self.now_ms)
        };
        let is_forced = |seat: u8| {
            let reach = self.people.get(&self.at(seat));
            reach.is_some_and(|it| it.gone_ms.is_some() && it.is_forced)
        };
        match &line.event {
            Event::Clock(ClockEvent::TimeRanOut { seat }) => {
                let ran_out = table
                    .running_clock()
                    .is_some_and(|it| it.turn.0 == *seat && it.until_ms <= self.now_ms);
                assert!(ran_out || table.is_late(*seat), "seat {seat} has time");
                assert!(!is_forced(*seat) || table.is_late(*seat), "seat {seat} cannot play");
            }
            Event::Clock(ClockEvent::PersonLeft { person }) => {
                assert!(!self.is_present(person), "{} is present", person.0);
            }
            Event::GameOver { reason: EndReason::LostOnTime(seat), .. } => {
                assert!(table.is_late(*seat) || gone_long(*seat), "seat {seat} is there");
            }
            Event::GameOver { reason: EndReason::Resigned(seat), .. } => {
                let partner = table.offers.pending.is_some();
                assert!(own(*seat) || partner, "seat {seat} did not resign");
            }
            Event::SeatReplaced { seat, .. } => {
                let offered =
                    matches!(table.offers.pending_kind(), Some(PlayerOffer::Replace { .. }));
                let proposed = offered.then(|| objections::objection_window(table)).flatten();
                let waited = proposed.is_some_and(|it| it.until_ms <= self.now_ms);
                let agrees = table.offers.agreed_seats.contains(seat);
                let away = table.is_away(*seat);
                let computer = table.seating.is_computer(*seat);
                let said = own(*seat) || agrees || away || computer;
                assert!(said || (offered && waited), "seat {seat} was not asked");
            }
            Event::TableClosed { reason: EndReason::AbortedBy(seat) }
                if table.seating.people_seats().len() > 1 =>
            {
                assert!(own(*seat), "seat {seat} aborted nothing");
                assert!(!has_seen_chance(table), "one alone undid chance");
            }
            Event::TableClosed { reason: EndReason::Aborted }
                if table.seating.people_seats().len() > 1 =>
            {
                let asked = table.offers.pending.is_some_and(|it| !own(it.logged_seat()));
                assert!(!has_seen_chance(table) || asked, "one alone undid chance");
            }
            Event::MovesTakenBack { steps } => {
                let mut undone = table.history.steps.iter().skip(*steps as usize);
                assert!(undone.all(|it| it.seat.is_some()), "{earlier:?}");
            }
            _ => {}
        }
    }

    fn happens(&mut self, happening: Option<EventsWithCause>) {
        let Some(EventsWithCause { events, cause }) = happening else { return };
        let meta = EventMeta::received_now(self.now_ms, cause);
        let decision = apply_external_events(&self.table, events, meta).unwrap();
        self.takes(&decision, None);
    }

    fn notes(&mut self, event: Option<Event>) {
        let cause = format!("mem/n{}", self.count);
        self.happens(event.map(|it| EventsWithCause { events: vec![it], cause }));
    }

    fn asks(&mut self, who: &PersonId, command: &Command) {
        self.count += 1;
        let elsewhere = self.people.get(who).filter(|it| !it.group);
        let chat = elsewhere.and_then(|it| it.private.clone());
        let chat = chat.unwrap_or_else(|| ChatId(GROUP.into()));
        let by = Actor { cause: format!("mem/{}", self.count), ..actor(who, &chat, self.now_ms) };
        if let Ok(decision) = decide(&self.table, &by, command)
            && !decision.opens_rematch
        {
            self.takes(&decision, Some(who));
        }
    }

    /// Lets time pass and meets each deadline when it is due.
    fn passes(&mut self, ms: u64) {
        let end_ms = self.now_ms + ms;
        for _ in 0..500 {
            self.let_computers_play();
            let due = deadline(&self.table).filter(|it| *it <= end_ms);
            let Some(due) = due.filter(|_| self.table.phase == TablePhase::Playing) else { break };
            self.now_ms = self.now_ms.max(due);
            match tick(&self.table, self.now_ms) {
                Some(decision) => self.takes(&decision, None),
                None => break,
            }
        }
        self.now_ms = end_ms;
    }

    fn let_computers_play(&mut self) {
        for _ in 0..20 {
            if computer_moves::computer_to_move(&self.table).is_none() {
                return;
            }
            let meta = EventMeta::received_now(self.now_ms, "computer");
            let mut think = |_, asked: &EngineQuestion, _: &mut _| {
                let action = asked.tokens()[0].clone();
                Some(PlayerEvaluation {
                    line: vec![],
                    action,
                    score: 0,
                    chance: 500,
                    depth: 0,
                    nodes: 0,
                })
            };
            let how = (&ThinkBudget::OF_LEVEL, computer_moves::ComputerPace::TurnByTurn);
            let decision =
                computer_moves::play_computers(&self.table, &mut think, how, meta).unwrap();
            self.takes(&decision, None);
        }
    }

    fn closes(&mut self, who: &PersonId, chat: &str, how: Departure) {
        let (now_ms, gone) = (self.now_ms, !self.is_present(who));
        if let Some(reach) = self.people.get_mut(who) {
            reach.gone_ms = gone.then(|| reach.gone_ms.unwrap_or(now_ms));
            reach.is_forced = how != Departure::Left;
        }
        self.happens(presence::close_route(&self.table, who, chat, how));
    }

    /// The bot is removed from the group.
    fn bot_leaves(&mut self) {
        let now_ms = self.now_ms;
        // The table knows where those are who have a seat.
        let seated: Vec<PersonId> = (0..self.table.setup.seats).map(|it| self.at(it)).collect();
        let reached = self.people.iter_mut().filter(|it| seated.contains(it.0));
        for reach in reached.map(|it| it.1).filter(|it| it.group) {
            reach.group = false;
            if reach.private.is_none() {
                (reach.gone_ms, reach.is_forced) = (Some(now_ms), true);
            }
        }
        let how = Departure::CutOff;
        self.happens(presence::record_unreachable_people(&self.table, GROUP, how));
    }

    /// A player removes the bot from the group, or forbids it to write there.
    fn sends_bot_away(&mut self, who: &PersonId) {
        let now_ms = self.now_ms;
        if let Some(reach) = self.people.get_mut(who)
            && reach.group
            && reach.private.is_none()
        {
            (reach.group, reach.gone_ms, reach.is_forced) = (false, Some(now_ms), false);
        }
        self.happens(presence::record_bot_removal(&self.table, who, GROUP));
        self.bot_leaves();
    }

    /// The bot may not write to the group any more, and the player to move has not seen the board.
    fn bot_is_muted(&mut self) {
        let unshown = presence::record_unshown_board(&self.table, &ChatId(GROUP.into()), 0);
        for event in unshown.iter().flat_map(|it| &it.events) {
            let Event::Clock(ClockEvent::PersonLeft { person }) = event else { continue };
            if let Some(reach) = self.people.get_mut(person)
                && reach.private.is_none()
            {
                (reach.group, reach.gone_ms, reach.is_forced) = (false, Some(self.now_ms), true);
            }
        }
        self.happens(unshown);
    }

    /// The bot is added to the group again, or may write: who was cut off is back, and who sent it
    /// away.
    fn bot_comes(&mut self) {
        for seat in 0..self.table.setup.seats {
            let how = self.table.departure_of(seat).map(|it| it.departure);
            let who = self.at(seat);
            if matches!(how, Some(Departure::CutOff | Departure::RemovedBot))
                && let Some(reach) = self.people.get_mut(&who)
            {
                (reach.group, reach.gone_ms) = (true, None);
            }
        }
        self.happens(presence::reopen_chat(&self.table, GROUP));
    }

    fn moves(&mut self, n: u16) {
        let Some(seat) = self.table.seat_to_move() else { return };
        let choices = self.table.game.as_ref().unwrap().choices(Seat(seat));
        let Some(choice) = choices.get(usize::from(n) % choices.len().max(1)) else { return };
        let choice = MoveChoice::Token(choice.token.clone());
        let who = self.at(seat);
        // A person who is gone has to come back first.
        if self.is_present(&who) {
            self.asks(&who, &Command::Move { position: None, choice });
        }
    }

    fn does(&mut self, op: u8, n: u8, more: u16) {
        let who = self.at(n);
        let is_person = self.people.contains_key(&who);
        let present = is_person && self.is_present(&who);
        match op {
            0..=5 => self.moves(more),
            6..=8 => {
                let all = [1_000, 20_000, 61_000, 5 * MINUTE_MS, 11 * MINUTE_MS, DAY_MS];
                self.passes(all[usize::from(more) % all.len()]);
            }
            9 | 20 if present => {
                if let Some(it) = self.people.get_mut(&who) {
                    it.group = false;
                }
                self.closes(
                    &who,
                    GROUP,
                    if op == 9 { Departure::Left } else { Departure::Removed },
                );
            }
            21 => self.bot_leaves(),
            22 => self.bot_comes(),
            23 => self.bot_is_muted(),
            24 if present => self.sends_bot_away(&who),
            10 if is_person => {
                if let Some(reach) = self.people.get_mut(&who) {
                    (reach.group, reach.gone_ms) = (true, None);
                }
                self.happens(presence::open_route(&self.table, &who, GROUP));
            }
            // A person has one private chat.
            11 if present => {
                self.opens_private(&who, private(100 + n % self.table.setup.seats));
            }
            12 if present => self.blocks(&who),
            13 if present => self.asks(&who, &any_command(more)),
            14..=15 if present => {
                self.asks(&who, &Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept })
            }
            16 => {
                self.newcomers += 1;
                let newcomer = person(self.newcomers);
                let reach = Reach { group: true, private: None, gone_ms: None, is_forced: false };
                self.people.insert(newcomer.clone(), reach);
                let seat = Some(n % self.table.setup.seats);
                self.asks(&newcomer, &Command::TakeOver { seat });
            }
            17 if present => {
                let until_ms = self.now_ms + 3 * DAY_MS;
                self.notes(vacation::vacation_start_event(&self.table, &who, until_ms));
            }
            18 => self.notes(vacation::vacation_end_event(&self.table, &who)),
            19 if is_person => {
                self.newcomers += 1;
                let other = person(self.newcomers);
                let reach = self.people.remove(&who).unwrap();
                self.people.insert(other.clone(), reach);
                self.notes(Some(Event::AccountsMerged { account: who, person: other }));
            }
            _ => {}
        }
        self.let_computers_play();
    }

    fn opens_private(&mut self, who: &PersonId, chat: ChatId) {
        let (kind, by) = (ChatKind::Private, who.clone());
        let to = AttachedChat { chat: chat.clone(), kind, attached_by: by, is_watch_only: false };
        self.asks(who, &Command::Attach(to));
        if self.table.chats.location_in(&chat).is_some_and(|it| it.reader == Some(who)) {
            self.people.get_mut(who).unwrap().private = Some(chat);
        }
    }

    fn blocks(&mut self, who: &PersonId) {
        let Some(chat) = self.people.get_mut(who).and_then(|it| it.private.take()) else { return };
        self.closes(who, chat.without_topic(), Departure::Left);
        self.notes(caravanserai_table::chat_commands::chat_gone_event(&self.table, &chat));
        let how = Departure::Left;
        self.happens(presence::record_unreachable_people(&self.table, chat.without_topic(), how));
    }
}

/// One of the commands that are not moves.
fn any_command(n: u16) -> Command {
    match n % 9 {
        0 => Command::ClaimVictory,
        1 => Command::Abort,
        2 => Command::Nudge,
        3 => Command::Offer(OfferKind::Pause),
        4 => Command::Offer(OfferKind::Resume),
        5 => Command::Offer(OfferKind::Takeback),
        6 => Command::Return,
        7 => Command::Offer(OfferKind::Draw),
        _ => Command::AnswerOffer { offer: None, answer: OfferAnswer::Decline },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn nobody_gains_or_loses_by_leaving_and_coming_back(
        game in 0..GAMES.len(),
        control in 0..CONTROLS.len(),
        ops in prop::collection::vec((0u8..25, 0u8..4, any::<u16>()), 1..90),
    ) {
        let mut life = Life::new(game, CONTROLS[control]);
        for (op, n, more) in ops {
            if life.table.phase != TablePhase::Playing {
                break;
            }
            life.does(op, n, more);
        }
    }
}
