//! Somebody's first game: the bot says what is worth seeing, to nobody else where hands are
//! hidden, and everything may be taken back.

use caravanserai_games::GameId;
use caravanserai_games::ids::{PersonId, PlaceKind, TableId};
use caravanserai_games::rules::Seat;
use caravanserai_games::search::{Budget, Level};
use caravanserai_i18n::{I18n, Lang};
use caravanserai_protocol::hands::{Means, hand};
use caravanserai_protocol::note::Note;
use caravanserai_protocol::{coach, present};
use caravanserai_table::command::{Choice, Proposal};
use caravanserai_table::event::Setup;
use caravanserai_table::lobby::seated_computer;
use caravanserai_table::{
    Actor, Command, Event, Line, Phase, Stamp, Table, computers, decide, opening,
};

const LEARNER: &str = "mem:ann";

fn actor(table: &Table) -> Actor {
    Actor {
        person: PersonId(LEARNER.into()),
        name: "Ann".into(),
        username: None,
        place: table.home().clone(),
        admin: false,
        cause: format!("mem/{}", table.version),
        now_ms: 1_000_000,
        received_ms: 1_000_000,
    }
}

fn opened(game: GameId, kind: PlaceKind, coached: bool) -> Table {
    let seats = game.info().seats.1;
    let setup = Setup {
        format: Setup::format_of(coached),
        kind,
        coached,
        ..crate::setup(game, seats, PersonId(LEARNER.into()))
    };
    let mut then = vec![Event::Seated { person: PersonId(LEARNER.into()), name: "Ann".into() }];
    then.extend((1..seats).map(|_| seated_computer(Level::Beginner)));
    let stamp = Stamp::at(1_000_000, "mem/0");
    let opened = opening(&TableId("7k3fx".into()), setup, then, true, stamp).unwrap();
    let read: Vec<String> = opened.lines.iter().map(Line::write).collect();
    let folded = Table::fold(&opened.next.id, &read).unwrap();
    assert_eq!(folded.setup, opened.next.setup);
    answered(opened.next)
}

/// Computers answer at once here.
fn answered(mut table: Table) -> Table {
    let stamp = Stamp::at(1_000_000, "computer");
    let budget = Budget::OF_LEVEL;
    while computers::waited_for(&table).is_some() {
        let game = table.game_id();
        let decision = computers::play(
            &table,
            &mut |_, asked, numbers| {
                game.computer("beginner").unwrap().think(asked, &budget, numbers, &mut |_| {})
            },
            (&budget, computers::Pace::Quick),
            stamp.clone(),
        );
        table = decision.unwrap().next;
    }
    table
}

/// The learner does the first thing that can be done.
fn played(table: Table) -> Table {
    let turn = table.turn().expect("it is played");
    let token = table.game.as_ref().unwrap().choices(Seat(turn))[0].token.clone();
    let command = Command::Play { position: None, choice: Choice::Token(token) };
    answered(decide(&table, &actor(&table), &command).unwrap().next)
}

fn takes_back(table: &Table) -> Result<Table, String> {
    let command = Command::Propose(Proposal::TakeBack);
    let decided = decide(table, &actor(table), &command);
    decided.map(|it| answered(it.next)).map_err(|it| it.text.key.into_owned())
}

#[test]
fn in_a_first_game_everything_is_taken_back_to_the_first_move() {
    for game in GameId::all() {
        let mut table = opened(*game, PlaceKind::Group, true);
        for _ in 0..6 {
            if table.phase == Phase::Playing {
                table = played(table);
            }
        }
        let mut steps = table.steps.len();
        let mut count = 0;
        let why = loop {
            match takes_back(&table) {
                Ok(earlier) => {
                    assert!(earlier.turn().is_some_and(|it| !earlier.is_computer(it)), "{game:?}");
                    assert!(earlier.steps.len() < steps, "{game:?} after {count}");
                    steps = earlier.steps.len();
                    table = earlier;
                    count += 1;
                }
                Err(why) => break why,
            }
        };
        assert_eq!(why, "refuse-nothing-to-take-back", "{game:?}");
        assert!(count >= 3, "{game:?}: {count}");
    }
}

#[test]
fn in_other_games_cards_and_dice_lie() {
    let mut refused = 0;
    for game in GameId::all() {
        let mut table = opened(*game, PlaceKind::Group, false);
        for _ in 0..3 {
            table = played(table);
        }
        refused += usize::from(takes_back(&table).is_err());
    }
    assert!(refused > 0);
}

fn said(note: &Note) -> bool {
    note.texts.iter().any(|it| it.key == "coach-says")
}

#[test]
fn what_is_worth_seeing_reaches_the_learner_and_of_a_hidden_hand_nobody_else() {
    let i18n = I18n::new();
    for game in GameId::all() {
        let mut told = 0;
        for kind in [PlaceKind::Group, PlaceKind::Private] {
            let mut table = opened(*game, kind, true);
            let hidden = game.info().hidden;
            for _ in 0..8 {
                let Some(turn) = table.turn() else { break };
                let advice = table.game.as_ref().unwrap().advice(Seat(turn));
                assert!(!advice.is_empty(), "{game:?} at {:?}", table.steps.len());
                for text in advice {
                    for lang in Lang::all() {
                        let text = present::seated(&table, text.clone());
                        let words = i18n.plain(*lang, &text);
                        assert!(words.contains(' ') && !words.contains("coach-"), "{words}");
                    }
                }
                let alone = kind == PlaceKind::Private;
                let own = said(&hand(&table, turn, Means::Buttons));
                let whispered = coach::note(&table, turn).is_some();
                let [open, slots] =
                    [Means::Buttons, Means::Slots].map(|it| said(&present::board(&table, it)));
                match (hidden, alone) {
                    (true, false) => {
                        assert_eq!((own, whispered, open, slots), (true, false, false, false))
                    }
                    (true, true) => assert!(own && open && slots && !whispered),
                    (false, false) => assert!(whispered && !open && slots),
                    (false, true) => assert!(!whispered && open && slots),
                }
                told += 1;
                table = played(table);
            }
        }
        assert!(told > 4, "{game:?}");
    }
    for game in GameId::all() {
        let table = opened(*game, PlaceKind::Group, false);
        assert!(!said(&present::board(&table, Means::Slots)));
        assert!(coach::note(&table, table.turn().unwrap()).is_none());
    }
}
