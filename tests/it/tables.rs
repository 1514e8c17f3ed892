//! Tables for several under arbitrary commands of arbitrary people: whatever is decided follows
//! from the log, can be shown, can be checked, and never waits for a computer.

use caravanserai_games::ids::TableId;
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind};
use caravanserai_games::rules::{Entropy, Seat, Viewer};
use caravanserai_games::search::{Budget, Level};
use caravanserai_games::{GameId, thaayam, togyzkumalak};
use caravanserai_i18n::{I18n, Lang};
use caravanserai_protocol::hands::Means;
use caravanserai_protocol::note::{Key, Note};
use caravanserai_protocol::present::Sight;
use caravanserai_protocol::press::{TablePress, a_computer};
use caravanserai_protocol::{Window, levels, lobby, offers, panels, present};
use caravanserai_table::command::{Choice, Proposal, Target};
use caravanserai_table::event::{Begin, FORMAT, Setup};
use caravanserai_table::{
    Actor, Command, Decision, Event, Invited, Line, Phase, Stamp, Table, computers, consent,
    deadline, decide, fair, opening, tick, verify,
};

use crate::conform::Seeded;
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

fn invited(n: u32) -> Invited {
    let person = n.is_multiple_of(2).then(|| person(n));
    Invited { person, username: Some(format!("p{n}")), name: format!("P{n}") }
}

impl World {
    fn new(game: GameId, seats: u8, options: &str, seed: u64) -> World {
        let id = TableId("7k3fx".into());
        let setup = Setup {
            format: FORMAT,
            game,
            revision: game.info().revision,
            options: options.to_owned(),
            seats,
            begin: Begin::Lot,
            place: PlaceId("mem:g".into()),
            kind: PlaceKind::Group,
            seed: [seed as u8; 32],
            opener: person(0),
            coached: false,
        };
        let stamp = Stamp::at(1_000_000, "mem/0");
        let sits = Event::Seated { person: person(0), name: "P0".into() };
        let opened = opening(&id, setup, vec![sits], false, stamp).unwrap();
        let lines = opened.lines.iter().map(Line::write).collect();
        World { table: opened.next, lines, now_ms: 1_000_000, random: seed, i18n: I18n::new() }
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
            place: PlaceId("mem:g".into()),
            admin: n == 5,
            cause: format!("mem/{}", self.lines.len()),
            now_ms: self.now_ms,
            received_ms: self.now_ms,
        }
    }

    /// What was decided happens: its lines lead to the table that was decided with them.
    fn happen(&mut self, decision: Decision) {
        for line in &decision.lines {
            self.table.apply(line).unwrap();
            self.lines.push(line.write());
        }
        assert_eq!(format!("{:?}", self.table), format!("{:?}", decision.next));
        assert_eq!(self.table.steps, decision.next.steps);
        self.table = decision.next;
    }

    /// Somebody asks for something; whether it was done.
    fn ask(&mut self, who: u32, command: &Command) -> Result<(), String> {
        let actor = self.actor(who);
        match decide(&self.table, &actor, command) {
            Ok(decision) => {
                self.happen(decision);
                self.computers_play();
                Ok(())
            }
            Err(refusal) => {
                let said = present::seated(&self.table, refusal.text);
                let words = self.i18n.plain(lang("kk"), &said);
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
        let stamp = Stamp::at(self.now_ms, "computer");
        let game = self.table.game_id();
        let budget = Budget::OF_LEVEL;
        while computers::waited_for(&self.table).is_some() {
            let decision = computers::play(
                &self.table,
                &mut |_, asked, numbers| {
                    let mut beginner = game.computer("beginner").unwrap();
                    beginner.think(asked, &budget, numbers, &mut |_| {})
                },
                (&budget, computers::Pace::Quick),
                stamp.clone(),
            );
            self.happen(decision.unwrap());
        }
    }

    fn any_command(&mut self) -> Command {
        let (a, b) = (self.below(6), self.below(6));
        let seat = a as u8 % 5;
        match self.below(29) {
            0..=2 => Command::Join,
            3 => Command::Sit { place: seat },
            4 => Command::Refuse,
            5 if b == 0 => Command::Leave,
            6 => Command::Kick(Target::Place { version: self.table.version, place: seat }),
            7 => Command::Kick(Target::Named(invited(b))),
            8 => Command::AddComputer(Level::ALL[a as usize % 5]),
            9 => Command::RemoveComputer,
            10 => Command::Seats(seat),
            11 => Command::Start,
            12 => Command::Remind,
            13 => Command::Extend,
            14 => Command::Propose(Proposal::Draw),
            15 => Command::Propose(Proposal::TakeBack),
            16 if b == 0 => Command::Resign,
            17 => Command::Substitute { seat: (b < 4).then_some(seat), newcomer: invited(b) },
            18 => Command::Substitute { seat: Some(seat), newcomer: a_computer(Level::Strong) },
            19 => Command::TakeOver { seat: (b < 4).then_some(seat) },
            20 | 21 => Command::Answer { offer: None, accept: a > 0 },
            26 => Command::Relevel { place: seat, level: Level::ALL[b as usize % 5] },
            27 => Command::Hints(a > 2),
            22 if a == 0 => Command::Vary("partners=yes".into()),
            _ => self.some_move(),
        }
    }

    fn some_move(&mut self) -> Command {
        let turn = Seat(self.table.turn().unwrap_or_default());
        let choices = self.table.game.as_ref().map(|it| it.choices(turn)).unwrap_or_default();
        let token = match choices.len() as u32 {
            0 => "throw".to_owned(),
            n => choices[self.below(n) as usize].token.clone(),
        };
        let position = Some(self.table.position);
        Command::Play { position, choice: Choice::Token(token) }
    }

    /// Whoever is on turn, or anybody.
    fn somebody(&mut self) -> u32 {
        let any = self.below(6);
        let turn = self.table.turn().and_then(|it| self.table.occupant(it)).map(|it| &it.person);
        let on_turn = (0..6).find(|it| Some(&person(*it)) == turn);
        on_turn.filter(|_| any < 4).unwrap_or(any)
    }

    fn check(&self) {
        let table = &self.table;
        if let Some(turn) = table.turn() {
            assert!(!table.is_computer(turn), "it waits for a computer");
            let game = table.game.as_ref().unwrap();
            assert!(game.forced().is_none(), "it waits for what is forced");
        }
        for n in 0..6 {
            let seats: Vec<u8> = table.seats_of(&person(n)).collect();
            assert!(seats.len() <= 1, "P{n} sits at {seats:?}");
        }
        assert!(!table.people().is_empty() || !table.is_open(), "nobody is there");
        // What brings nothing would hide what comes after it.
        assert!(deadline(table).is_none_or(|at| tick(table, at).is_some()), "{:?}", table.offer);
        let offered = table.offer.is_some();
        assert!(!offered || table.people_seats().len() >= consent::missing(table).len());
        check_note(&present::board(table, Means::Buttons), 5);
        check_note(&present::board(table, Means::Slots), 5);
        let window = Window::Launch;
        let lively = Sight {
            doors: &[],
            window: Some(&window),
            sole: None,
            place: table.home(),
            means: Means::Slots,
            lively: true,
        };
        let crowded = present::board_at(table, lively);
        check_note(&crowded, 5);
        let private = format!("4.{}", table.id.0);
        let offered = crowded.keys.iter().flatten().any(|it| it.press == private);
        // Answers to an offer need the room more.
        let playing = table.phase == Phase::Playing;
        assert!(offered == playing || table.offer.is_some(), "{crowded:?}");
        let ways = ["wp", "wl"].map(|it| Key::new("out", format!("{it}.{}", table.id.0))).to_vec();
        let onlookers = panels::Onlookers::default();
        let menu = panels::menu(table, table.home(), panels::Habits::default(), onlookers, ways);
        check_note(&menu, 5);
        if table.phase == Phase::Lobby {
            check_note(&levels::levels(table), 5);
        }
        check_note(&lobby::guests(table), 5);
        check_note(&offers::stand_ins(table, &person(1)), 5);
        assert!(!present::board_text(table, Viewer::Public).texts.is_empty());
        assert!(!present::line(table, &person(1)).key.is_empty());
        for (_, text) in present::call(table).map(|it| it.texts).unwrap_or_default() {
            let said = self.i18n.plain(Lang::default(), &text);
            assert!(!said.contains('🤖'), "a computer is called: {said}");
        }
    }

    /// Whoever counts as somebody else from now on is nobody here any more.
    fn check_accounts(&self) {
        let mut table = Table::fold(&self.table.id, &self.lines).unwrap();
        for n in 0..6 {
            let before = table.named().len() + table.people().len();
            let (account, other) = (person(n), PersonId(format!("web:{n}")));
            let event = Event::Same { account: account.clone(), person: other };
            let (number, cause) = (table.version, "mem/link".into());
            table.apply(&Line { number, at_ms: self.now_ms, cause, event }).unwrap();
            let somebody: Vec<_> = table.named().into_iter().chain(table.people()).collect();
            assert!(!somebody.contains(&&account), "P{n} is left behind: {somebody:?}");
            assert_eq!(somebody.len(), before, "nobody was lost, and nobody came");
        }
    }

    /// The same from its lines alone.
    fn check_log(&self) {
        let again = Table::fold(&self.table.id, &self.lines).unwrap();
        assert_eq!(again.names(), self.table.names());
        assert_eq!(again.phase, self.table.phase);
        assert_eq!(again.steps, self.table.steps);
        assert_eq!(again.offer, self.table.offer);
        assert_eq!(again.newcomer, self.table.newcomer);
        assert_eq!(again.entropy(), self.table.entropy());
        let hash = fair::commitment(&self.table.setup.seed);
        let mut text = format!("% table 7k3fx\n% commitment {hash}\n% log\n");
        self.lines.iter().for_each(|it| text.push_str(&format!("% {it}\n")));
        let report = verify::verify(&text).unwrap();
        assert!(!report.contains("would not"), "computers play as recomputed: {report}");
    }
}

fn check_note(note: &Note, most: usize) {
    assert!(note.keys.len() <= most, "{} rows: {:?}", note.keys.len(), note.keys);
    for key in note.keys.iter().flatten() {
        assert!(key.press.len() <= 64, "{}", key.press);
        if ["q.", "y."].iter().any(|it| key.press.starts_with(it)) {
            // The rules and the pace are of no table.
            continue;
        }
        let press = TablePress::read(&key.press).unwrap_or_else(|| panic!("{}", key.press));
        assert_eq!(press.write(), key.press);
    }
    assert!(note.keys.iter().all(|row| (1..=5).contains(&row.len())), "{:?}", note.keys);
}

#[test]
fn whatever_people_do_at_a_table_for_four_it_holds_together() {
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
        for level in [Level::Easy, Level::Beginner, Level::Medium] {
            world.ask(0, &Command::AddComputer(level)).unwrap();
        }
        while world.table.phase == Phase::Playing {
            let command = world.some_move();
            world.ask(0, &command).unwrap();
            world.check();
        }
        assert!(matches!(world.table.phase, Phase::Over { .. }));
        world.check_log();
    }
}

fn refused(key: &str) -> Result<(), String> {
    Err(key.to_owned())
}

#[test]
fn there_are_as_many_seats_as_the_opener_says_and_nobody_is_seated_for_it() {
    let mut world = World::new(thaayam::ID, 4, "standard", 3);
    world.ask(0, &Command::Seats(3)).unwrap();
    assert_eq!((world.table.setup.seats, world.table.chairs.len()), (3, 1));
    world.ask(1, &Command::Join).unwrap();
    assert_eq!(world.ask(1, &Command::Seats(2)), refused("refuse-opener-only"));
    world.ask(0, &Command::Seats(2)).unwrap();
    assert_eq!((world.table.setup.seats, world.table.chairs.len()), (2, 2));
    world.check_log();
    let mut three = World::new(thaayam::ID, 4, "standard", 3);
    (1..3).for_each(|n| three.ask(n, &Command::Join).unwrap());
    assert_eq!(three.ask(0, &Command::Seats(2)), refused("refuse-too-many-sit"));
}

#[test]
fn whoever_sits_has_one_seat_and_may_take_another_that_is_free() {
    let mut world = World::new(thaayam::ID, 4, "standard", 3);
    world.ask(1, &Command::Join).unwrap();
    assert_eq!(world.ask(1, &Command::Join), refused("refuse-already-seated"));
    assert_eq!(world.ask(1, &Command::Sit { place: 1 }), refused("refuse-already-seated"));
    assert_eq!(world.ask(1, &Command::Sit { place: 0 }), refused("refuse-seat-taken"));
    world.ask(1, &Command::Sit { place: 3 }).unwrap();
    assert_eq!(world.table.seats_of(&person(1)).collect::<Vec<_>>(), [3]);
    assert_eq!(world.table.chairs.len(), 2);
}

#[test]
fn two_who_want_their_moves_back_do_not_want_the_same() {
    let mut world = World::new(togyzkumalak::ID, 2, "seed", 3);
    world.ask(1, &Command::Join).unwrap();
    for _ in 0..2 {
        let turn = world.table.turn().unwrap();
        let who = if world.table.seats_of(&person(0)).next() == Some(turn) { 0 } else { 1 };
        let command = world.some_move();
        world.ask(who, &command).unwrap();
    }
    world.ask(0, &Command::Propose(Proposal::TakeBack)).unwrap();
    let steps = world.table.steps.len();
    let also = world.ask(1, &Command::Propose(Proposal::TakeBack));
    assert_eq!(also, refused("refuse-answer-first"));
    assert_eq!(world.table.steps.len(), steps);
    world.ask(1, &Command::Answer { offer: None, accept: true }).unwrap();
    assert!(world.table.steps.len() < steps);
}

#[test]
fn whoever_was_turned_down_asks_for_that_seat_no_more_but_others_may_propose_them() {
    let mut world = World::new(thaayam::ID, 3, "standard", 9);
    (1..3).for_each(|n| world.ask(n, &Command::Join).unwrap());
    let seat = world.table.seats_of(&person(2)).next();
    let asks = Command::TakeOver { seat };
    world.ask(4, &asks).unwrap();
    assert!(world.table.offer.is_some());
    world.ask(2, &Command::Answer { offer: None, accept: false }).unwrap();
    assert_eq!(world.ask(4, &asks), refused("refuse-turned-down"));
    let newcomer = Invited { person: Some(person(4)), username: None, name: "P4".into() };
    world.ask(0, &Command::Substitute { seat, newcomer }).unwrap();
    assert!(world.table.offer.is_some());
}

#[test]
fn a_lot_may_put_everybody_anywhere() {
    let mut random = Seeded(7);
    for (chairs, orders) in [(1, 1), (2, 2), (3, 6), (4, 24)] {
        let mut found = std::collections::BTreeMap::new();
        for _ in 0..orders * 100 {
            *found.entry(fair::lot(chairs, &mut random)).or_insert(0) += 1;
        }
        assert_eq!(found.len(), orders, "{chairs}");
        // Far more than five times the deviation of fair lots.
        assert!(found.values().all(|it| (40..=160).contains(it)), "{found:?}");
    }
}

/// What Python's `hashlib` and `hmac` say of the method that `table::fair` describes.
#[test]
fn anybody_computes_the_same_commitment_and_draws_with_standard_tools() {
    let seed: [u8; 32] = std::array::from_fn(|n| n as u8);
    let hash = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
    assert_eq!(fair::commitment(&seed), hash);
    let people = ["tg:1 u7".to_owned(), "dc:22 i9".to_owned()];
    for (line, below, expected) in [
        (12, 6, vec![5, 5, 4, 3, 5, 3, 5, 3, 4, 2]),
        (13, 6, vec![2, 3, 4, 2, 4, 2, 0, 5, 5, 0]),
        (12, 32, vec![15, 5, 4, 21, 27, 5]),
        (12, 1_000_000, vec![163_663, 781_317, 905_220, 532_181]),
    ] {
        let mut draw = fair::FairDraw::new(&seed, &TableId("7k3fx".to_owned()), line, &people);
        let drawn: Vec<u32> = expected.iter().map(|_| draw.below(below)).collect();
        assert_eq!(drawn, expected, "line {line}, below {below}");
    }
}

#[test]
fn a_draw_of_chance_does_not_depend_on_who_came_later() {
    let mut world = World::new(thaayam::ID, 2, "standard", 7);
    world.ask(1, &Command::Join).unwrap();
    let before = world.table.entropy();
    let newcomer = Invited { person: Some(person(2)), username: None, name: "P2".into() };
    let seat = world.table.seats_of(&person(1)).next();
    world.ask(1, &Command::Substitute { seat, newcomer }).unwrap();
    world.ask(0, &Command::Answer { offer: None, accept: true }).unwrap();
    world.ask(2, &Command::Answer { offer: None, accept: true }).unwrap();
    assert_eq!(world.table.seats_of(&person(2)).next(), seat);
    assert_eq!(world.table.entropy(), before);
}

#[test]
fn the_board_in_words_does_not_wait_for_anybody_after_a_resignation() {
    let mut world = World::new(thaayam::ID, 2, "standard", 3);
    world.ask(1, &Command::Join).unwrap();
    world.ask(1, &Command::Resign).unwrap();
    assert!(matches!(world.table.phase, Phase::Over { .. }));
    for viewer in [Viewer::Public, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1))] {
        let texts = present::board_text(&world.table, viewer).texts;
        let keys: Vec<&str> = texts.iter().map(|it| it.key.as_ref()).collect();
        assert!(keys.iter().all(|it| !it.starts_with("thaayam-turn")), "{keys:?}");
        assert_eq!(keys.last(), Some(&"over-resigned"));
    }
}

#[test]
fn the_board_in_words_does_not_wait_for_anybody_when_the_game_is_called_off() {
    let mut world = World::new(thaayam::ID, 2, "standard", 3);
    world.ask(1, &Command::Join).unwrap();
    world.ask(0, &Command::Abort).unwrap();
    let texts = present::board_text(&world.table, Viewer::Public).texts;
    let keys: Vec<&str> = texts.iter().map(|it| it.key.as_ref()).collect();
    assert!(keys.iter().all(|it| !it.starts_with("thaayam-turn")), "{keys:?}");
    assert_eq!(keys.last(), Some(&"closed-aborted"));
}

#[test]
fn nobody_is_replaced_before_they_had_time_to_object() {
    let mut world = World::new(thaayam::ID, 3, "standard", 9);
    world.ask(1, &Command::Join).unwrap();
    world.ask(2, &Command::Join).unwrap();
    let seat = world.table.seats_of(&person(2)).next();
    let newcomer = a_computer(Level::Medium);
    world.ask(0, &Command::Substitute { seat, newcomer: newcomer.clone() }).unwrap();
    world.ask(1, &Command::Answer { offer: None, accept: true }).unwrap();
    assert!(consent::missing(&world.table).is_empty());
    world.time_passes(23 * 3_600_000);
    assert_eq!(world.table.seats_of(&person(2)).next(), seat, "it takes a day without a clock");
    world.time_passes(2 * 3_600_000);
    assert!(world.table.is_computer(seat.unwrap()));
    // One who says no stays.
    let seat = world.table.seats_of(&person(1)).next();
    world.ask(0, &Command::Substitute { seat, newcomer }).unwrap();
    world.ask(1, &Command::Answer { offer: None, accept: false }).unwrap();
    world.time_passes(24 * 3_600_000);
    assert_eq!(world.table.seats_of(&person(1)).next(), seat);
    // The last person cannot hand over to a computer: they give up instead.
    world.ask(1, &Command::Resign).unwrap();
    let newcomer = a_computer(Level::Medium);
    assert!(world.ask(0, &Command::Substitute { seat: None, newcomer }).is_err());
    world.ask(0, &Command::Resign).unwrap();
    assert!(matches!(world.table.phase, Phase::Over { .. }));
}
