//! Records of finished games: all requests about a finished game read the same from them, they are
//! small, and damage is detected.

use std::fs;
use std::path::Path;

use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_games::rules::Seat;
use caravanserai_games::search::{SeededRng, ThinkBudget};
use caravanserai_games::{Computer, GameId};
use caravanserai_table::command::MoveChoice;
use caravanserai_table::event::{FirstMover, TableSetup};
use caravanserai_table::{
    Actor, Command, Event, EventMeta, LogLine, Table, archive, decide, fair_random, open_table,
    verify,
};

/// Most bytes of a record of a typical game.
const RECORD_BYTES_MAX: usize = 1536;

/// A game that people play to its end on Discord, each move after some seconds.
pub struct Played {
    table: Table,
    pub lines: Vec<String>,
    random: u64,
    now_ms: u64,
    /// The people by seat.
    who: fn(u8) -> PersonId,
    /// The steps that were taken back at once.
    pub undone: Vec<u32>,
}

/// The game of this name.
pub fn game(code: &str) -> GameId {
    GameId::from_code(code).unwrap()
}

fn person(n: u8) -> PersonId {
    PersonId(format!("dc:11223344556677889{n}"))
}

impl Played {
    pub fn new(game: GameId, seats: u8, seed: u8) -> Played {
        Self::among(game, seats, seed, "dc:112233445566778899/998877665544332211", person)
    }

    /// The same in another chat with other people.
    pub fn among(game: GameId, seats: u8, seed: u8, chat: &str, who: fn(u8) -> PersonId) -> Played {
        let setup = TableSetup { chat: ChatId(chat.into()), ..crate::setup(game, seats, who(0)) };
        Self::at(setup, seed, who)
    }

    /// The same by these house rules.
    pub fn by_house_rules(game: GameId, seats: u8, seed: u8, options: &str) -> Played {
        let setup = crate::setup(game, seats, person(0));
        Self::at(TableSetup { options: options.to_owned(), ..setup }, seed, person)
    }

    fn at(setup: TableSetup, seed: u8, who: fn(u8) -> PersonId) -> Played {
        let (id, seats) = (TableId("7k3fx".into()), setup.seats);
        let setup = TableSetup {
            begin: FirstMover::Lot,
            seed: std::array::from_fn(|at| seed.wrapping_mul(37) ^ (at as u8).wrapping_mul(91)),
            ..setup
        };
        let now_ms = 1_795_262_406_543;
        let meta = EventMeta::received_now(now_ms, "dc/1122334455667788990");
        let sits = Event::Seated { person: who(0), name: "Айгүл".into() };
        let opened = open_table(&id, setup, vec![sits], false, meta).unwrap();
        let lines = opened.lines.iter().map(LogLine::encode).collect();
        let table = opened.table;
        let mut played =
            Played { table, lines, random: seed.into(), now_ms, who, undone: Vec::new() };
        for n in 1..seats {
            played.ask(n, &Command::Join);
        }
        if played.table.seat_to_move().is_none() {
            played.ask(0, &Command::Start);
        }
        played
    }

    fn below(&mut self, n: u64) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(11);
        (self.random >> 33) % n
    }

    fn ask(&mut self, who: u8, command: &Command) {
        self.now_ms += 500 + self.below(9_000);
        let cause = format!("dc/{}", (self.now_ms << 22) + self.below(1 << 22));
        let actor = Actor {
            person: (self.who)(who),
            name: format!("Person {who}"),
            username: None,
            chat: self.table.chats.home().clone(),
            is_admin: false,
            is_chat_admin: false,
            cause,
            now_ms: self.now_ms,
            received_ms: self.now_ms,
        };
        let decision = decide(&self.table, &actor, command);
        let decision = decision.map_err(|it| it.text.key.into_owned()).unwrap();
        self.lines.extend(decision.lines.iter().map(LogLine::encode));
        self.table = decision.table;
    }

    /// Beginners choose for everybody.
    pub fn played_out(mut self) -> Played {
        let mut beginner = self.table.game_id().computer("beginner").unwrap();
        while let Some(turn) = self.table.seat_to_move() {
            let token = self.thought(&mut *beginner, turn);
            self.play(turn, token);
        }
        self
    }

    /// The same, but where a throw can be used in another way, the player tries that first and
    /// takes it back.
    pub fn played_out_with_undos(mut self) -> Played {
        let mut beginner = self.table.game_id().computer("beginner").unwrap();
        while let Some(turn) = self.table.seat_to_move() {
            let token = self.thought(&mut *beginner, turn);
            let is_other = |it: &String| it.contains(':') && *it != token;
            if let Some(other) = self.tokens(turn).into_iter().find(is_other) {
                let step = self.table.history.steps.len() as u32;
                self.play(turn, other);
                let may_undo = self.table.seat_to_move() == Some(turn)
                    && self.tokens(turn).iter().any(|it| it == "undo");
                if !may_undo {
                    continue;
                }
                self.play(turn, "undo".to_owned());
                self.undone.push(step);
            }
            self.play(turn, token);
        }
        self
    }

    fn tokens(&self, turn: u8) -> Vec<String> {
        let choices = self.table.game.as_ref().unwrap().choices(Seat(turn));
        choices.into_iter().map(|it| it.token).collect()
    }

    fn thought(&mut self, beginner: &mut dyn Computer, turn: u8) -> String {
        let asked = self.table.game.as_ref().and_then(|it| it.engine_question(Seat(turn))).unwrap();
        let mut rng = SeededRng::new(self.below(u64::MAX >> 34));
        let budget = ThinkBudget::OF_LEVEL;
        beginner.think(&asked, &budget, &mut rng, &mut |_| {}).unwrap().action
    }

    fn play(&mut self, turn: u8, token: String) {
        let who = self.table.seating.occupant(turn).unwrap().person.clone();
        let who = (0..4).find(|n| (self.who)(*n) == who).unwrap();
        let position = Some(self.table.history.position);
        self.ask(who, &Command::Move { position, choice: MoveChoice::Token(token) });
    }
}

#[test]
fn a_record_gives_the_same_answers_as_the_log() {
    for (game, seats) in [(game("togyzkumalak"), 2), (game("thaayam"), 4), (game("blot"), 4)] {
        let (mut sizes, mut logs) = (Vec::new(), Vec::new());
        for seed in 1..=3 {
            let played = Played::new(game, seats, seed).played_out();
            assert!(played.table.is_over());
            let record = archive::pack(&played.lines);
            let lines = archive::unpack(&record).unwrap();
            assert_eq!(lines.len(), played.lines.len());
            assert_eq!(archive::pack(&lines), record, "a record of a record is the same");
            let table = Table::from_log(&played.table.id, &lines).unwrap();
            assert_eq!(table.record_names(), played.table.record_names());
            assert_eq!(table.phase, played.table.phase);
            assert_eq!(table.history.steps, played.table.history.steps);
            assert_eq!(table.seating.people_entropy(), played.table.seating.people_entropy());
            assert_eq!(table.times.last_event_ms, played.table.times.last_event_ms / 1000 * 1000);
            let hash = fair_random::hash_seed(&table.setup.seed);
            let mut text = format!("% table 7k3fx\n% commitment {hash}\n% log\n");
            lines.iter().for_each(|it| text.push_str(&format!("% {it}\n")));
            verify::verify_record(&text).unwrap();
            sizes.push(record.len());
            logs.push(played.lines.iter().map(|it| it.len() + 1).sum::<usize>());
        }
        println!("{}: logs of {logs:?} bytes, records of {sizes:?}", game.info().code);
        let typical = sizes.iter().sum::<usize>() / sizes.len();
        assert!(typical <= RECORD_BYTES_MAX, "{}: {sizes:?}", game.info().code);
    }
}

#[test]
fn lines_that_no_program_wrote_come_back_as_they_were() {
    let strange = ["", "0", "1 2 3", "!", "3 x y step 0 1", "4 1000 tg/1 step 256 7", "x\ty"];
    let lines: Vec<String> = strange.into_iter().map(str::to_owned).collect();
    assert_eq!(archive::unpack(&archive::pack(&lines)).unwrap(), lines);
    assert_eq!(archive::unpack(&archive::pack(&[])).unwrap(), [""; 0]);
}

/// The table of a record that an older program wrote, as it lies in `tests/data/archived`.
fn of_an_older_program(format: &str, game: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/archived");
    let text = fs::read_to_string(folder.join(format).join(format!("{game}.hex"))).unwrap();
    hex::decode(text.split_whitespace().collect::<String>()).unwrap()
}

#[test]
fn old_records_are_readable_and_shrink_when_rewritten() {
    for game in GameId::all() {
        let old = of_an_older_program("1", game.info().code);
        let lines = archive::unpack(&old).unwrap();
        let table = Table::from_log(&TableId("7k3fx".into()), &lines).unwrap();
        assert!(!table.is_open() && !table.history.steps.is_empty());
        let new = archive::pack(&lines);
        assert_eq!(archive::unpack(&new).unwrap(), lines);
        assert!(new.len() < old.len(), "{} became {}", old.len(), new.len());
    }
}

#[test]
fn a_damaged_record_is_said_to_be_damaged_and_never_read_wrongly() {
    let played = Played::new(game("togyzkumalak"), 2, 1);
    let record = archive::pack(&played.lines);
    let lines = archive::unpack(&record).unwrap();
    for at in 0..record.len() {
        for bit in 0..8 {
            let mut damaged = record.clone();
            damaged[at] ^= 1 << bit;
            match archive::unpack(&damaged) {
                Ok(read) => assert_eq!(read, lines, "byte {at}, bit {bit}"),
                Err(why) => assert!(why.contains("damaged") || why.contains("newer"), "{why}"),
            }
        }
        assert!(archive::unpack(&record[..at]).is_err(), "cut after {at} bytes");
    }
}
