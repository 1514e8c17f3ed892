//! A person's first game: the bot explains what is worth seeing, only to that person where hands
//! are hidden, and every move may be taken back.

use caravanserai_bot::views::hand_views::{HandDelivery, hand_view};
use caravanserai_bot::views::{board_view, coach_views};
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatKind, PersonId, TableId};
use caravanserai_games::rules::Seat;
use caravanserai_games::search::{ComputerLevel, ThinkBudget};
use caravanserai_i18n::{I18n, Lang};
use caravanserai_protocol::view::View;
use caravanserai_table::command::{MoveChoice, OfferKind};
use caravanserai_table::event::TableSetup;
use caravanserai_table::lobby_commands::seat_computer_event;
use caravanserai_table::{
    Actor, Command, Event, EventMeta, LogLine, Table, TablePhase, computer_moves, decide,
    open_table,
};

const LEARNER: &str = "mem:ann";

fn actor(table: &Table) -> Actor {
    Actor {
        person: PersonId(LEARNER.into()),
        name: "Ann".into(),
        username: None,
        chat: table.chats.home().clone(),
        is_admin: false,
        is_chat_admin: false,
        cause: format!("mem/{}", table.version),
        now_ms: 1_000_000,
        received_ms: 1_000_000,
    }
}

fn opened(game: GameId, kind: ChatKind, coached: bool) -> Table {
    let seats = game.info().seats.most;
    let setup = TableSetup {
        format: TableSetup::required_format(coached),
        kind,
        coached,
        ..crate::setup(game, seats, PersonId(LEARNER.into()))
    };
    let mut then = vec![Event::Seated { person: PersonId(LEARNER.into()), name: "Ann".into() }];
    then.extend((1..seats).map(|_| seat_computer_event(ComputerLevel::Beginner)));
    let meta = EventMeta::received_now(1_000_000, "mem/0");
    let opened = open_table(&TableId("7k3fx".into()), setup, then, true, meta).unwrap();
    let read: Vec<String> = opened.lines.iter().map(LogLine::encode).collect();
    let folded = Table::from_log(&opened.table.id, &read).unwrap();
    assert_eq!(folded.setup, opened.table.setup);
    answered(opened.table)
}

/// Computers answer at once here.
fn answered(mut table: Table) -> Table {
    let meta = EventMeta::received_now(1_000_000, "computer");
    let budget = ThinkBudget::OF_LEVEL;
    while computer_moves::computer_to_move(&table).is_some() {
        let game = table.game_id();
        let decision = computer_moves::play_computers(
            &table,
            &mut |_, asked, numbers| {
                game.computer("beginner").unwrap().think(asked, &budget, numbers, &mut |_| {})
            },
            (&budget, computer_moves::ComputerPace::UntilPerson),
            meta.clone(),
        );
        table = decision.unwrap().table;
    }
    table
}

/// The learner does the first thing that can be done.
fn played(table: Table) -> Table {
    let turn = table.seat_to_move().expect("it is played");
    let token = table.game.as_ref().unwrap().choices(Seat(turn))[0].token.clone();
    let command = Command::Move { position: None, choice: MoveChoice::Token(token) };
    answered(decide(&table, &actor(&table), &command).unwrap().table)
}

fn takes_back(table: &Table) -> Result<Table, String> {
    let command = Command::Offer(OfferKind::Takeback);
    let decided = decide(table, &actor(table), &command);
    decided.map(|it| answered(it.table)).map_err(|it| it.text.key.into_owned())
}

#[test]
fn in_a_first_game_everything_is_taken_back_to_the_first_move() {
    for game in GameId::all() {
        let mut table = opened(*game, ChatKind::Group, true);
        for _ in 0..6 {
            if table.phase == TablePhase::Playing {
                table = played(table);
            }
        }
        let mut steps = table.history.steps.len();
        let mut count = 0;
        let why = loop {
            match takes_back(&table) {
                Ok(earlier) => {
                    assert!(
                        earlier.seat_to_move().is_some_and(|it| !earlier.seating.is_computer(it)),
                        "{game:?}"
                    );
                    assert!(earlier.history.steps.len() < steps, "{game:?} after {count}");
                    steps = earlier.history.steps.len();
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
        let mut table = opened(*game, ChatKind::Group, false);
        for _ in 0..3 {
            table = played(table);
        }
        refused += usize::from(takes_back(&table).is_err());
    }
    assert!(refused > 0);
}

fn said(note: &View) -> bool {
    note.texts.iter().any(|it| it.key == "coach-says")
}

#[test]
fn advice_reaches_the_learner_and_hidden_hands_nobody_else() {
    let i18n = I18n::new();
    for game in GameId::all() {
        let mut told = 0;
        for kind in [ChatKind::Group, ChatKind::Private] {
            let mut table = opened(*game, kind, true);
            let hidden = game.info().hidden;
            for _ in 0..8 {
                let Some(turn) = table.seat_to_move() else { break };
                let advice = table.game.as_ref().unwrap().advice(Seat(turn));
                assert!(!advice.is_empty(), "{game:?} at {:?}", table.history.steps.len());
                for text in advice {
                    for lang in Lang::all() {
                        let text = board_view::insert_player_names(&table, text.clone());
                        let words = i18n.translate_plain(*lang, &text);
                        assert!(words.contains(' ') && !words.contains("coach-"), "{words}");
                    }
                }
                let alone = kind == ChatKind::Private;
                let own = said(&hand_view(&table, turn, HandDelivery::Buttons));
                let whispered = coach_views::coach_view(&table, turn).is_some();
                let [open, slots] = [HandDelivery::Buttons, HandDelivery::NumberedButtons]
                    .map(|it| said(&board_view::home_board_view(&table, it)));
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
        let table = opened(*game, ChatKind::Group, false);
        assert!(!said(&board_view::home_board_view(&table, HandDelivery::NumberedButtons)));
        assert!(coach_views::coach_view(&table, table.seat_to_move().unwrap()).is_none());
    }
}
