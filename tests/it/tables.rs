//! Tables for several under arbitrary commands of arbitrary people: whatever is decided follows
//! from the log, can be shown, can be checked, and never waits for a computer.

use caravanserai_bot::commands::TableCallback;
use caravanserai_bot::commands::substitute::computer_newcomer;
use caravanserai_bot::views::board_view::BoardContext;
use caravanserai_bot::views::hand_views::HandDelivery;
use caravanserai_bot::views::press_feedback::feedback_view;
use caravanserai_bot::views::{
    board_view, computer_views, lobby_view, panel_views, pending_offers,
};
use caravanserai_games::ids::TableId;
use caravanserai_games::ids::{ChatId, ChatKind, PersonId};
use caravanserai_games::rules::{Entropy, Seat, Viewer};
use caravanserai_games::search::{ComputerLevel, ThinkBudget};
use caravanserai_games::text::Text;
use caravanserai_games::{GameId, thaayam, togyzkumalak};
use caravanserai_i18n::{I18n, Lang};
use caravanserai_protocol::AppLink;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_table::command::{KickTarget, MoveChoice, OfferAnswer, OfferKind};
use caravanserai_table::event::{FirstMover, LOG_FORMAT, TableSetup};
use caravanserai_table::lobby_commands::blocked_invitation_event;
use caravanserai_table::operator_actions::decide_ban;
use caravanserai_table::{
    Actor, Command, Decision, Event, EventMeta, Invitee, LogLine, Table, TablePhase, TimeControl,
    apply_external_event, computer_moves, consent, deadline, decide, fair_random, objections,
    open_table, tick, verify,
};

use crate::game_conformance::Seeded;
use crate::lang;

/// A table and its log, with people who do anything.
struct World {
    table: Table,
    lines: Vec<String>,
    now_ms: u64,
    random: u64,
    i18n: I18n,
}

fn person(n: u32) -> PersonId {
    PersonId(format!("mem:{n}"))
}

fn invited(n: u32) -> Invitee {
    let person = n.is_multiple_of(2).then(|| person(n));
    Invitee { person, username: Some(format!("p{n}")), name: format!("P{n}") }
}

impl World {
    fn new(game: GameId, seats: u8, options: &str, seed: u64) -> World {
        let id = TableId("7k3fx".into());
        let setup = TableSetup {
            format: LOG_FORMAT,
            game,
            revision: game.info().revision,
            options: options.to_owned(),
            seats,
            begin: FirstMover::Lot,
            chat: ChatId("mem:g".into()),
            kind: ChatKind::Group,
            seed: [seed as u8; 32],
            opener: person(0),
            coached: false,
        };
        let meta = EventMeta::received_now(1_000_000, "mem/0");
        let sits = Event::Seated { person: person(0), name: "P0".into() };
        let opened = open_table(&id, setup, vec![sits], false, meta).unwrap();
        let lines = opened.lines.iter().map(LogLine::encode).collect();
        World { table: opened.table, lines, now_ms: 1_000_000, random: seed, i18n: I18n::new() }
    }

    fn below(&mut self, n: u32) -> u32 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(11);
        ((self.random >> 33) % u64::from(n)) as u32
    }

    fn actor(&self, n: u32) -> Actor {
        Actor {
            person: person(n),
            name: format!("P{n}"),
            username: Some(format!("p{n}")),
            chat: ChatId("mem:g".into()),
            is_admin: n == 5,
            is_chat_admin: n == 5,
            cause: format!("mem/{}", self.lines.len()),
            now_ms: self.now_ms,
            received_ms: self.now_ms,
        }
    }

    /// What was decided happens: its lines lead to the table that was decided with them.
    fn happen(&mut self, decision: Decision) {
        for line in &decision.lines {
            self.table.apply(line).unwrap();
            self.lines.push(line.encode());
        }
        assert_eq!(format!("{:?}", self.table), format!("{:?}", decision.table));
        assert_eq!(self.table.history.steps, decision.table.history.steps);
        self.table = decision.table;
    }

    /// Decides a command of a person; returns whether it was done.
    fn ask(&mut self, who: u32, command: &Command) -> Result<(), String> {
        let actor = self.actor(who);
        match decide(&self.table, &actor, command) {
            Ok(decision) => {
                self.happen(decision);
                self.computers_play();
                Ok(())
            }
            Err(refusal) => {
                let said = board_view::insert_player_names(&self.table, refusal.text);
                let words = self.i18n.translate_plain(lang("kk"), &said);
                assert!(words.contains(' '), "{command:?} is refused with {words}");
                Err(said.key.into_owned())
            }
        }
    }

    fn time_passes(&mut self, ms: u64) {
        self.now_ms += ms;
        if deadline(&self.table).is_some_and(|it| it <= self.now_ms) {
            if let Some(decision) = tick(&self.table, self.now_ms) {
                self.happen(decision);
            }
            self.computers_play();
        }
    }

    /// Computers answer at once here.
    fn computers_play(&mut self) {
        let meta = EventMeta::received_now(self.now_ms, "computer");
        let game = self.table.game_id();
        let budget = ThinkBudget::OF_LEVEL;
        while computer_moves::computer_to_move(&self.table).is_some() {
            let decision = computer_moves::play_computers(
                &self.table,
                &mut |_, asked, numbers| {
                    let mut beginner = game.computer("beginner").unwrap();
                    beginner.think(asked, &budget, numbers, &mut |_| {})
                },
                (&budget, computer_moves::ComputerPace::UntilPerson),
                meta.clone(),
            );
            self.happen(decision.unwrap());
        }
    }

    fn any_command(&mut self) -> Command {
        let (a, b) = (self.below(6), self.below(6));
        let seat = a as u8 % 5;
        match self.below(29) {
            0..=2 => Command::Join,
            3 => Command::Sit { seat },
            4 => Command::DeclineInvitation,
            5 if b == 0 => Command::Leave,
            6 => Command::Kick(KickTarget::Seat { version: self.table.version, seat }),
            7 => Command::Kick(KickTarget::Named(invited(b))),
            8 => Command::AddComputer(ComputerLevel::ALL[a as usize % 5]),
            9 => Command::RemoveComputer,
            10 => Command::SetSeatCount(seat),
            11 => Command::Start,
            12 => Command::RemindInvited,
            13 => Command::KeepOpen,
            14 => Command::Offer(OfferKind::Draw),
            15 => Command::Offer(OfferKind::Takeback),
            16 if b == 0 => Command::Resign,
            17 => {
                Command::ProposeSubstitute { seat: (b < 4).then_some(seat), newcomer: invited(b) }
            }
            18 => Command::ProposeSubstitute {
                seat: Some(seat),
                newcomer: computer_newcomer(ComputerLevel::Strong),
            },
            19 => Command::TakeOver { seat: (b < 4).then_some(seat) },
            20 | 21 if a > 0 => Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept },
            20 | 21 => Command::AnswerOffer { offer: None, answer: OfferAnswer::Decline },
            26 => Command::ChangeComputerLevel { seat, level: ComputerLevel::ALL[b as usize % 5] },
            27 => Command::SetHints(a > 2),
            28 => Command::SetRated(a > 2),
            22 if a == 0 => Command::SetHouseRule("partners=yes".into()),
            _ => self.some_move(),
        }
    }

    fn some_move(&mut self) -> Command {
        let turn = Seat(self.table.seat_to_move().unwrap_or_default());
        let choices = self.table.game.as_ref().map(|it| it.choices(turn)).unwrap_or_default();
        let token = match choices.len() as u32 {
            0 => "throw".to_owned(),
            n => choices[self.below(n) as usize].token.clone(),
        };
        let position = Some(self.table.history.position);
        Command::Move { position, choice: MoveChoice::Token(token) }
    }

    /// The player on turn, or anybody.
    fn somebody(&mut self) -> u32 {
        let any = self.below(6);
        let turn = self
            .table
            .seat_to_move()
            .and_then(|it| self.table.seating.occupant(it))
            .map(|it| &it.person);
        let on_turn = (0..6).find(|it| Some(&person(*it)) == turn);
        on_turn.filter(|_| any < 4).unwrap_or(any)
    }

    fn check(&self) {
        let table = &self.table;
        if let Some(turn) = table.seat_to_move() {
            assert!(!table.seating.is_computer(turn), "it waits for a computer");
            let game = table.game.as_ref().unwrap();
            assert!(game.forced_action().is_none(), "it waits for what is forced");
        }
        for n in 0..6 {
            let seats: Vec<u8> = table.seating.seats_of(&person(n)).collect();
            assert!(seats.len() <= 1, "P{n} sits at {seats:?}");
        }
        assert!(!table.seating.people().is_empty() || !table.is_open(), "nobody is there");
        // What brings nothing would hide what comes after it.
        assert!(
            deadline(table).is_none_or(|at| tick(table, at).is_some()),
            "{:?}",
            table.offers.pending
        );
        let offered = table.offers.pending.is_some();
        assert!(
            !offered
                || table.seating.people_seats().len() >= consent::seats_yet_to_agree(table).len()
        );
        check_note(&board_view::home_board_view(table, HandDelivery::Buttons), 5);
        check_note(&board_view::home_board_view(table, HandDelivery::NumberedButtons), 5);
        let window = AppLink::Launch;
        let lively = BoardContext {
            invite_links: &[],
            app_link: Some(&window),
            inline_board: None,
            chat: table.chats.home(),
            hand_delivery: HandDelivery::NumberedButtons,
            is_busy: true,
            ratings: None,
        };
        let crowded = board_view::board_view(table, lively);
        check_note(&crowded, 5);
        let private = format!("4.{}", table.id.0);
        let offered = crowded.button_rows.iter().flatten().any(|it| it.callback_data == private);
        // Answers to an offer need the room more.
        let playing = table.phase == TablePhase::Playing;
        assert!(offered == playing || table.offers.pending.is_some(), "{crowded:?}");
        let ways =
            ["wp", "wl"].map(|it| ButtonSpec::new("out", format!("{it}.{}", table.id.0))).to_vec();
        let onlookers = panel_views::SpectatorInfo::default();
        let menu = panel_views::menu_view(
            table,
            table.chats.home(),
            panel_views::PlayerPrefs::default(),
            onlookers,
            ways,
        );
        check_note(&menu, 5);
        if table.phase == TablePhase::Lobby {
            check_note(&computer_views::computers_view(table), 5);
        }
        check_note(&lobby_view::kick_view(table), 5);
        check_note(&pending_offers::substitutes_view(table, &person(1)), 5);
        assert!(!board_view::board_text_view(table, Viewer::Public).texts.is_empty());
        assert!(!board_view::table_line(table, &person(1)).key.is_empty());
        for (_, text) in board_view::attention_ping(table).map(|it| it.texts).unwrap_or_default() {
            let said = self.i18n.translate_plain(Lang::default(), &text);
            assert!(!said.contains('🤖'), "a computer is called: {said}");
        }
    }

    /// An account that counts as another person from now on is nobody here any more.
    fn check_accounts(&self) {
        let mut table = Table::from_log(&self.table.id, &self.lines).unwrap();
        for n in 0..6 {
            let before = table.other_named_people().len() + table.seating.people().len();
            let (account, other) = (person(n), PersonId(format!("web:{n}")));
            let event = Event::AccountsMerged { account: account.clone(), person: other };
            let (number, cause) = (table.version, "mem/link".into());
            table.apply(&LogLine { number, at_ms: self.now_ms, cause, event }).unwrap();
            let somebody: Vec<_> =
                table.other_named_people().into_iter().chain(table.seating.people()).collect();
            assert!(!somebody.contains(&&account), "P{n} is left behind: {somebody:?}");
            assert_eq!(somebody.len(), before, "nobody was lost, and nobody came");
        }
    }

    /// The same from its lines alone.
    fn check_log(&self) {
        let again = Table::from_log(&self.table.id, &self.lines).unwrap();
        assert_eq!(again.record_names(), self.table.record_names());
        assert_eq!(again.phase, self.table.phase);
        assert_eq!(again.history.steps, self.table.history.steps);
        assert_eq!(again.offers.pending, self.table.offers.pending);
        assert_eq!(again.offers.newcomer, self.table.offers.newcomer);
        assert_eq!(again.seating.people_entropy(), self.table.seating.people_entropy());
        let hash = fair_random::hash_seed(&self.table.setup.seed);
        let mut text = format!("% table 7k3fx\n% commitment {hash}\n% log\n");
        self.lines.iter().for_each(|it| text.push_str(&format!("% {it}\n")));
        let report = verify::verify_record(&text).unwrap().text;
        assert!(!report.contains("would not"), "computers play as recomputed: {report}");
    }
}

fn check_note(note: &View, most: usize) {
    assert!(
        note.button_rows.len() <= most,
        "{} rows: {:?}",
        note.button_rows.len(),
        note.button_rows
    );
    for key in note.button_rows.iter().flatten() {
        assert!(key.callback_data.len() <= 64, "{}", key.callback_data);
        if ["q.", "+."].iter().any(|it| key.callback_data.starts_with(it)) {
            // The rules and the pace are of no table.
            continue;
        }
        let press = TableCallback::decode(&key.callback_data)
            .unwrap_or_else(|| panic!("{}", key.callback_data));
        assert_eq!(press.encode(), key.callback_data);
    }
    assert!(
        note.button_rows.iter().all(|row| (1..=5).contains(&row.len())),
        "{:?}",
        note.button_rows
    );
}

#[test]
fn random_commands_at_a_table_for_four_keep_it_consistent() {
    let (mut started, mut replaced, mut over) = (0, 0, 0);
    for seed in 0..60 {
        let mut world = World::new(thaayam::ID, 4, "pieces=2", seed);
        for _ in 0..400 {
            let (who, command) = (world.somebody(), world.any_command());
            let _ = world.ask(who, &command);
            let ms = u64::from(world.below(40)) * 1_000;
            let long = world.below(50) == 0;
            world.time_passes(if long { ms * 60 } else { ms });
            world.check();
            if world.table.version.is_multiple_of(8) {
                world.check_accounts();
            }
            if !world.table.is_open() {
                break;
            }
        }
        started += usize::from(world.table.game.is_some());
        over += usize::from(!world.table.is_open());
        replaced += world.lines.iter().filter(|it| it.contains(" replace ")).count();
        world.check_log();
    }
    assert!(started > 30 && over > 10 && replaced > 10, "{started} {over} {replaced}");
}

#[test]
fn one_person_and_three_computers_play_to_the_end() {
    for seed in 0..10 {
        let mut world = World::new(thaayam::ID, 4, "pieces=1,play_on=yes", seed);
        for level in [ComputerLevel::Easy, ComputerLevel::Beginner, ComputerLevel::Medium] {
            world.ask(0, &Command::AddComputer(level)).unwrap();
        }
        while world.table.phase == TablePhase::Playing {
            let command = world.some_move();
            world.ask(0, &command).unwrap();
            world.check();
        }
        assert!(world.table.is_over());
        world.check_log();
    }
}

fn refused(key: &str) -> Result<(), String> {
    Err(key.to_owned())
}

#[test]
fn the_opener_sets_the_number_of_seats_and_seats_nobody() {
    let mut world = World::new(thaayam::ID, 4, "standard", 3);
    world.ask(0, &Command::SetSeatCount(3)).unwrap();
    assert_eq!((world.table.setup.seats, world.table.seating.occupants.len()), (3, 1));
    world.ask(1, &Command::Join).unwrap();
    assert_eq!(world.ask(1, &Command::SetSeatCount(2)), refused("refuse-opener-only"));
    world.ask(0, &Command::SetSeatCount(2)).unwrap();
    assert_eq!((world.table.setup.seats, world.table.seating.occupants.len()), (2, 2));
    world.check_log();
    let mut three = World::new(thaayam::ID, 4, "standard", 3);
    (1..3).for_each(|n| three.ask(n, &Command::Join).unwrap());
    assert_eq!(three.ask(0, &Command::SetSeatCount(2)), refused("refuse-too-many-sit"));
}

/// A lobby of four in which person 2 is invited by id and person 3 by name.
fn lobby_with_invitations() -> World {
    let mut world = World::new(thaayam::ID, 4, "standard", 3);
    for n in 2..4 {
        let meta = EventMeta::received_now(world.now_ms, format!("mem/invites {n}"));
        let event = Event::invitation(invited(n));
        world.happen(apply_external_event(&world.table, event, meta).unwrap());
    }
    world
}

#[test]
fn the_end_of_an_invitation_is_acknowledged_as_what_was_done() {
    let world = lobby_with_invitations();
    let target = KickTarget::Friend { n: 0, version: world.table.version };
    for (who, command, done) in [
        (0, Command::Kick(target), "done-removed"),
        (2, Command::DeclineInvitation, "done-declined"),
    ] {
        let decision = decide(&world.table, &world.actor(who), &command).unwrap();
        let view = feedback_view(&world.table, &decision, &person(who)).unwrap();
        assert_eq!(view.texts, [Text::new("done-reply").with("what", Text::new(done))]);
    }
}

/// Of a lobby that is closed nobody reads that a game is over.
#[test]
fn closing_a_lobby_is_acknowledged_as_closing_a_table() {
    let world = lobby_with_invitations();
    let decision = decide(&world.table, &world.actor(0), &Command::Cancel).unwrap();
    let view = feedback_view(&world.table, &decision, &person(0)).unwrap();
    assert_eq!(view.texts, [Text::new("done-reply").with("what", Text::new("done-closed"))]);
}

#[test]
fn a_block_ends_the_invitation_between_a_player_and_an_invitee() {
    let world = lobby_with_invitations();
    let (a, b, c) = (person(0), person(2), person(3));
    let [a, b, c] = [(&a, Some("p0")), (&b, Some("p2")), (&c, Some("p3"))];
    let ended = |blocker, blocked| blocked_invitation_event(&world.table, blocker, blocked);
    assert_eq!(ended(a, b), Some(Event::InvitationEnded { n: 0 }));
    assert_eq!(ended(b, a), Some(Event::InvitationEnded { n: 0 }));
    assert_eq!(ended(a, c), Some(Event::InvitationEnded { n: 1 }));
    // Neither of two invitees has a seat yet.
    assert_eq!(ended(b, c), None);
    let stranger = person(1);
    assert_eq!(ended((&stranger, Some("p1")), b), None);
}

#[test]
fn a_player_has_one_seat_and_may_move_to_a_free_one() {
    let mut world = World::new(thaayam::ID, 4, "standard", 3);
    world.ask(1, &Command::Join).unwrap();
    assert_eq!(world.ask(1, &Command::Join), refused("refuse-already-seated"));
    assert_eq!(world.ask(1, &Command::Sit { seat: 1 }), refused("refuse-already-seated"));
    assert_eq!(world.ask(1, &Command::Sit { seat: 0 }), refused("refuse-seat-taken"));
    world.ask(1, &Command::Sit { seat: 3 }).unwrap();
    assert_eq!(world.table.seating.seats_of(&person(1)).collect::<Vec<_>>(), [3]);
    assert_eq!(world.table.seating.occupants.len(), 2);
}

#[test]
fn a_button_to_join_is_for_the_settings_that_it_was_made_for() {
    let mut world = World::new(thaayam::ID, 2, "standard", 3);
    let seen = world.table.settings_version;
    let sits = |settings| Command::TakeSeat { seat: None, settings };
    for change in [
        Command::SetRated(false),
        Command::SetTimeControl(TimeControl::PerTurn(60)),
        Command::SetFirstMover(FirstMover::Opener),
        Command::SetHouseRule("pieces=2".into()),
        Command::SetHints(true),
    ] {
        let before = world.table.settings_version;
        world.ask(0, &change).unwrap();
        assert_eq!(world.ask(1, &sits(before)), refused("refuse-lobby-changed"), "{change:?}");
    }
    // What others have said since changes nothing.
    let now = world.table.settings_version;
    world.ask(0, &Command::KeepOpen).unwrap();
    let first = Command::TakeSeat { seat: Some(1), settings: seen };
    assert_eq!(world.ask(1, &first), refused("refuse-lobby-changed"));
    world.ask(1, &Command::TakeSeat { seat: Some(1), settings: now }).unwrap();
    assert_eq!(world.table.phase, TablePhase::Playing);
}

/// A table for four, opened at three days a move, at which two people have joined.
fn lobby_of_three(game: GameId, options: &str) -> World {
    let mut world = World::new(game, 4, options, 3);
    world.ask(0, &Command::SetTimeControl(TimeControl::PerTurn(3 * 86_400))).unwrap();
    world.ask(1, &Command::Join).unwrap();
    world.ask(2, &Command::Join).unwrap();
    world
}

#[test]
fn no_game_begins_by_settings_to_which_a_player_has_not_agreed() {
    for change in [
        Command::SetTimeControl(TimeControl::PerTurn(10)),
        Command::SetSubstituteLevel(ComputerLevel::Easy),
        Command::SetHouseRule("pieces=2".into()),
        Command::SetRated(false),
    ] {
        let mut world = lobby_of_three(thaayam::ID, "standard");
        let before = world.table.settings_version;
        world.ask(0, &change).unwrap();
        assert_eq!(world.table.seats_yet_to_confirm(None), [1, 2], "{change:?}");
        assert_eq!(world.ask(0, &Command::Start), refused("refuse-unconfirmed"), "{change:?}");
        // A press on an old board is no agreement.
        let own = |settings| Command::TakeSeat { seat: Some(1), settings };
        assert_eq!(world.ask(1, &own(before)), refused("refuse-lobby-changed"));
        let now = world.table.settings_version;
        world.ask(1, &own(now)).unwrap();
        assert_eq!(world.ask(1, &own(now)), refused("refuse-already-seated"));
        assert_eq!(world.table.seats_yet_to_confirm(None), [2]);
        assert_eq!(world.ask(0, &Command::Start), refused("refuse-unconfirmed"));
        world.ask(2, &Command::Join).unwrap();
        world.ask(0, &Command::Start).unwrap();
        assert_eq!(world.table.phase, TablePhase::Playing, "{change:?}");
    }
}

#[test]
fn settings_that_stay_or_come_back_ask_nobody() {
    let mut world = lobby_of_three(thaayam::ID, "standard");
    let seen = world.table.settings_version;
    world.ask(0, &Command::SetTimeControl(TimeControl::PerTurn(3 * 86_400))).unwrap();
    world.ask(0, &Command::SetRated(true)).unwrap();
    assert_eq!(world.table.settings_version, seen, "nothing has changed");
    world.ask(0, &Command::SetTimeControl(TimeControl::PerTurn(10))).unwrap();
    world.ask(0, &Command::SetTimeControl(TimeControl::PerTurn(3 * 86_400))).unwrap();
    assert!(world.table.seats_yet_to_confirm(None).is_empty());
    world.ask(0, &Command::Start).unwrap();
    assert_eq!(world.table.phase, TablePhase::Playing);
}

/// The last player to come agrees only for themselves.
#[test]
fn a_table_that_fills_waits_for_the_agreement_of_those_who_sat_before() {
    let mut world = lobby_of_three(thaayam::ID, "standard");
    world.ask(0, &Command::SetTimeControl(TimeControl::PerTurn(10))).unwrap();
    world.ask(1, &Command::Join).unwrap();
    world.ask(3, &Command::Join).unwrap();
    assert_eq!(world.table.phase, TablePhase::Lobby);
    assert_eq!(world.table.seats_yet_to_confirm(None), [2]);
    world.ask(2, &Command::Join).unwrap();
    assert_eq!(world.table.phase, TablePhase::Playing, "it waited only for them");
    // The next opener has not agreed to what the last one has set.
    let mut world = lobby_of_three(thaayam::ID, "standard");
    world.ask(0, &Command::SetTimeControl(TimeControl::PerTurn(10))).unwrap();
    world.ask(0, &Command::Leave).unwrap();
    assert_eq!(world.table.seats_yet_to_confirm(None), [1, 2]);
    assert_eq!(world.ask(1, &Command::Start), refused("refuse-unconfirmed"));
    world.ask(2, &Command::Join).unwrap();
    world.ask(1, &Command::Start).unwrap();
    assert_eq!(world.table.phase, TablePhase::Playing);
}

#[test]
fn two_who_want_their_moves_back_do_not_want_the_same() {
    let mut world = World::new(togyzkumalak::ID, 2, "seed", 3);
    world.ask(1, &Command::Join).unwrap();
    for _ in 0..2 {
        let turn = world.table.seat_to_move().unwrap();
        let who = if world.table.seating.seats_of(&person(0)).next() == Some(turn) { 0 } else { 1 };
        let command = world.some_move();
        world.ask(who, &command).unwrap();
    }
    world.ask(0, &Command::Offer(OfferKind::Takeback)).unwrap();
    let steps = world.table.history.steps.len();
    let also = world.ask(1, &Command::Offer(OfferKind::Takeback));
    assert_eq!(also, refused("refuse-answer-first"));
    assert_eq!(world.table.history.steps.len(), steps);
    world.ask(1, &Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept }).unwrap();
    assert!(world.table.history.steps.len() < steps);
}

fn seat_of(world: &World, who: u32) -> u8 {
    world.table.seating.seats_of(&person(who)).next().unwrap()
}

#[test]
fn opponents_do_not_wait_for_the_partner_of_a_player_who_wants_to_resign() {
    let mut world = World::new(thaayam::ID, 4, "standard", 3);
    world.ask(0, &Command::SetHouseRule("partners=yes".into())).unwrap();
    (1..4).for_each(|n| world.ask(n, &Command::Join).unwrap());
    world.ask(0, &Command::Start).unwrap();
    let is_partner =
        |it: &u32| world.table.setup.are_partners(seat_of(&world, 0), seat_of(&world, *it));
    let partner = (1..4).find(is_partner).unwrap();
    let opponent = (1..4).find(|it| *it != partner).unwrap();
    let wants = Command::ProposeSubstitute {
        seat: None,
        newcomer: computer_newcomer(ComputerLevel::Medium),
    };
    world.ask(0, &Command::Resign).unwrap();
    assert_eq!(world.ask(partner, &wants), refused("refuse-answer-first"));
    assert_eq!(world.ask(0, &wants), refused("refuse-offer-waits"));
    world.ask(opponent, &wants).unwrap();
    let pending = world.table.offers.pending.unwrap();
    assert_eq!(pending.proposer_seat(), Some(seat_of(&world, opponent)));
}

#[test]
fn players_need_not_answer_a_stranger_who_asks_for_a_seat() {
    let mut world = World::new(thaayam::ID, 3, "standard", 9);
    (1..3).for_each(|n| world.ask(n, &Command::Join).unwrap());
    let asks = Command::TakeOver { seat: Some(seat_of(&world, 1)) };
    world.ask(4, &asks).unwrap();
    assert_eq!(world.ask(4, &asks), refused("refuse-already-offered"));
    // Those whose seat is asked for have made no offer yet.
    let newcomer = computer_newcomer(ComputerLevel::Medium);
    let wants = Command::ProposeSubstitute { seat: None, newcomer };
    world.ask(1, &wants).unwrap();
    assert_eq!(world.table.offers.pending.unwrap().proposer_seat(), Some(seat_of(&world, 1)));
    assert_eq!(world.ask(1, &wants), refused("refuse-offer-waits"));
    // The others can answer it; a stranger cannot, and reads for whom the game waits.
    assert_eq!(world.ask(0, &wants), refused("refuse-answer-first"));
    assert_eq!(world.ask(4, &asks), refused("refuse-others-answer"));
    world.ask(0, &Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept }).unwrap();
    assert_eq!(world.ask(0, &wants), refused("refuse-others-answer"));
}

#[test]
fn a_rejected_substitute_cannot_ask_again_but_can_be_proposed() {
    let mut world = World::new(thaayam::ID, 3, "standard", 9);
    (1..3).for_each(|n| world.ask(n, &Command::Join).unwrap());
    let seat = world.table.seating.seats_of(&person(2)).next();
    let asks = Command::TakeOver { seat };
    world.ask(4, &asks).unwrap();
    assert!(world.table.offers.pending.is_some());
    world.ask(2, &Command::AnswerOffer { offer: None, answer: OfferAnswer::Decline }).unwrap();
    assert_eq!(world.ask(4, &asks), refused("refuse-turned-down"));
    let newcomer = Invitee { person: Some(person(4)), username: None, name: "P4".into() };
    world.ask(0, &Command::ProposeSubstitute { seat, newcomer }).unwrap();
    assert!(world.table.offers.pending.is_some());
}

#[test]
fn a_newcomer_who_does_not_come_keeps_nobody_else_from_asking() {
    let mut world = World::new(thaayam::ID, 3, "standard", 9);
    (1..3).for_each(|n| world.ask(n, &Command::Join).unwrap());
    let seat = Some(seat_of(&world, 2));
    let asks = Command::TakeOver { seat };
    let no = Command::AnswerOffer { offer: None, answer: OfferAnswer::Decline };
    // A request is withdrawn, by the newcomer or because they are banned.
    world.ask(4, &asks).unwrap();
    world.ask(4, &no).unwrap();
    assert_eq!((world.table.offers.pending, world.table.offers.declined_by), (None, None));
    world.ask(6, &asks).unwrap();
    let banned = decide_ban(&world.table, &[person(6)], world.now_ms).unwrap();
    world.happen(banned);
    // Newcomers who were proposed do not want to come.
    for n in [4, 6] {
        let newcomer = Invitee { person: Some(person(n)), username: None, name: format!("P{n}") };
        world.ask(0, &Command::ProposeSubstitute { seat, newcomer }).unwrap();
        world.ask(if n == 4 { 4 } else { 0 }, &no).unwrap();
    }
    // Who has withdrawn cannot ask again and again.
    assert_eq!(world.ask(4, &asks), refused("refuse-turned-down"));
    world.ask(5, &asks).unwrap();
    // A player has refused, and everybody sees who.
    world.ask(2, &no).unwrap();
    assert_eq!(world.table.offers.declined_by, seat);
    assert_eq!(world.ask(6, &asks), refused("refuse-turned-down"));
    world.check_log();
}

#[test]
fn a_lot_may_put_everybody_anywhere() {
    let mut random = Seeded(7);
    for (occupants, orders) in [(1, 1), (2, 2), (3, 6), (4, 24)] {
        let mut found = std::collections::BTreeMap::new();
        for _ in 0..orders * 100 {
            *found.entry(fair_random::shuffle_occupants(occupants, &mut random)).or_insert(0) += 1;
        }
        assert_eq!(found.len(), orders, "{occupants}");
        // Far more than five times the deviation of fair lots.
        assert!(found.values().all(|it| (40..=160).contains(it)), "{found:?}");
    }
}

/// What Python's `hashlib` and `hmac` say of the method that `table::fair` describes.
#[test]
fn commitment_and_draws_can_be_recomputed_with_standard_tools() {
    let seed: [u8; 32] = std::array::from_fn(|n| n as u8);
    let hash = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
    assert_eq!(fair_random::hash_seed(&seed), hash);
    let people = ["tg:1 u7".to_owned(), "dc:22 i9".to_owned()];
    for (line, below, expected) in [
        (12, 6, vec![5, 5, 4, 3, 5, 3, 5, 3, 4, 2]),
        (13, 6, vec![2, 3, 4, 2, 4, 2, 0, 5, 5, 0]),
        (12, 32, vec![15, 5, 4, 21, 27, 5]),
        (12, 1_000_000, vec![163_663, 781_317, 905_220, 532_181]),
    ] {
        let mut draw =
            fair_random::FairDraw::new(&seed, &TableId("7k3fx".to_owned()), line, &people);
        let drawn: Vec<u32> = expected.iter().map(|_| draw.below(below)).collect();
        assert_eq!(drawn, expected, "line {line}, below {below}");
    }
}

#[test]
fn a_draw_of_chance_does_not_depend_on_who_came_later() {
    let mut world = World::new(thaayam::ID, 2, "standard", 7);
    world.ask(1, &Command::Join).unwrap();
    let before = world.table.seating.people_entropy();
    let newcomer = Invitee { person: Some(person(2)), username: None, name: "P2".into() };
    let seat = world.table.seating.seats_of(&person(1)).next();
    world.ask(1, &Command::ProposeSubstitute { seat, newcomer }).unwrap();
    world.ask(0, &Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept }).unwrap();
    world.ask(2, &Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept }).unwrap();
    assert_eq!(world.table.seating.seats_of(&person(2)).next(), seat);
    assert_eq!(world.table.seating.people_entropy(), before);
}

#[test]
fn a_resigned_board_in_text_waits_for_no_turn() {
    let mut world = World::new(thaayam::ID, 2, "standard", 3);
    world.ask(1, &Command::Join).unwrap();
    world.ask(1, &Command::Resign).unwrap();
    assert!(world.table.is_over());
    for viewer in [Viewer::Public, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1))] {
        let texts = board_view::board_text_view(&world.table, viewer).texts;
        let keys: Vec<&str> = texts.iter().map(|it| it.key.as_ref()).collect();
        assert!(keys.iter().all(|it| !it.starts_with("thaayam-turn")), "{keys:?}");
        assert_eq!(keys.last(), Some(&"over-resigned"));
    }
}

#[test]
fn an_aborted_board_in_text_waits_for_no_turn() {
    let mut world = World::new(thaayam::ID, 2, "standard", 3);
    world.ask(1, &Command::Join).unwrap();
    world.ask(0, &Command::Abort).unwrap();
    let texts = board_view::board_text_view(&world.table, Viewer::Public).texts;
    let keys: Vec<&str> = texts.iter().map(|it| it.key.as_ref()).collect();
    assert!(keys.iter().all(|it| !it.starts_with("thaayam-turn")), "{keys:?}");
    assert_eq!(keys.last(), Some(&"closed-aborted"));
}

#[test]
fn nobody_is_replaced_before_they_had_time_to_object() {
    let mut world = World::new(thaayam::ID, 3, "standard", 9);
    world.ask(1, &Command::Join).unwrap();
    world.ask(2, &Command::Join).unwrap();
    // Silence counts only while the game waits for the player.
    let seat = world.table.seat_to_move();
    let seat_of = |world: &World, who: u32| world.table.seating.seats_of(&person(who)).next();
    let silent = (0..3).find(|it| seat_of(&world, *it) == seat).unwrap();
    let (first, second) = ((silent + 1) % 3, (silent + 2) % 3);
    for other in [first, second] {
        let seat = seat_of(&world, other);
        let newcomer = computer_newcomer(ComputerLevel::Medium);
        world.ask(silent, &Command::ProposeSubstitute { seat, newcomer }).unwrap();
        assert_eq!(objections::objection_window(&world.table), None);
        world
            .ask(silent, &Command::AnswerOffer { offer: None, answer: OfferAnswer::Decline })
            .unwrap();
    }
    let newcomer = computer_newcomer(ComputerLevel::Medium);
    world.ask(first, &Command::ProposeSubstitute { seat, newcomer: newcomer.clone() }).unwrap();
    world.ask(second, &Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept }).unwrap();
    assert!(consent::seats_yet_to_agree(&world.table).is_empty());
    world.time_passes(23 * 3_600_000);
    assert_eq!(seat_of(&world, silent), seat, "it takes a day without a clock");
    world.time_passes(2 * 3_600_000);
    assert!(world.table.seating.is_computer(seat.unwrap()));
    // One who says no stays.
    let seat = seat_of(&world, second);
    world.ask(first, &Command::ProposeSubstitute { seat, newcomer }).unwrap();
    world.ask(second, &Command::AnswerOffer { offer: None, answer: OfferAnswer::Decline }).unwrap();
    world.time_passes(24 * 3_600_000);
    assert_eq!(seat_of(&world, second), seat);
    // The last person cannot hand over to a computer: they give up instead.
    world.ask(second, &Command::Resign).unwrap();
    let newcomer = computer_newcomer(ComputerLevel::Medium);
    assert!(world.ask(first, &Command::ProposeSubstitute { seat: None, newcomer }).is_err());
    world.ask(first, &Command::Resign).unwrap();
    assert!(world.table.is_over());
}
