//! What `verify` accepts of a record, and what it calls forged.

use std::collections::BTreeSet;

use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatId, ChatKind, PersonId, TableId};
use caravanserai_table::clock::ClockEvent;
use caravanserai_table::event::{DEFAULT_LEVEL, EndReason, PlayerOffer, computer_id};
use caravanserai_table::identity_replacement::IdentityReplacement;
use caravanserai_table::verify::verify_record;
use caravanserai_table::{
    Event, EventMeta, FirstMover, LogLine, TableSetup, fair_random, open_table,
};

/// The log of a game for two that has begun.
#[derive(Clone)]
struct Log {
    setup: TableSetup,
    lines: Vec<String>,
}

impl Log {
    /// Opened by the first of these people with an update of this id.
    fn begin(game: &str, people: [&str; 2], home: (&str, ChatKind), cause: &str) -> Log {
        let people = people.map(|it| PersonId(it.to_owned()));
        let setup = crate::setup(GameId::from_code(game).unwrap(), 2, people[0].clone());
        let (chat, kind) = (ChatId(home.0.to_owned()), home.1);
        let setup = TableSetup { begin: FirstMover::Lot, chat, kind, ..setup };
        let sits = people.map(|person| Event::Seated { person, name: "P".to_owned() });
        let meta = EventMeta::received_now(1_000_000, cause);
        let id = TableId("7k3fx".to_owned());
        let opened = open_table(&id, setup.clone(), sits.into(), true, meta).unwrap();
        Log { setup, lines: opened.lines.iter().map(LogLine::encode).collect() }
    }

    /// The same with another line.
    fn with(&self, cause: &str, event: Event) -> Log {
        let (number, cause) = (self.lines.len() as u64, cause.to_owned());
        let line = LogLine { number, at_ms: 1_060_000, cause, event }.encode();
        Log { lines: self.lines.iter().cloned().chain([line]).collect(), ..self.clone() }
    }

    fn report(&self) -> Result<String, String> {
        let hash = fair_random::hash_seed(&self.setup.seed);
        let log: String = self.lines.iter().map(|it| format!("% {it}\n")).collect();
        let file = format!("% table 7k3fx\n% commitment {hash}\n% log\n{log}");
        verify_record(&file).map(|it| it.text)
    }
}

/// The first seat offers a draw.
fn offered() -> Event {
    Event::OfferMade { seat: 0, offer: PlayerOffer::Draw }
}

fn drawn() -> Event {
    Event::GameOver { scores: vec![0, 0], reason: EndReason::DrawAgreed }
}

#[test]
fn a_draw_to_which_nobody_agreed_is_forged() {
    let group = ("mem:g", ChatKind::Group);
    let refused = |log: &Log| {
        let told = log.report().unwrap_err();
        assert!(told.contains("did not agree to a draw"), "{told}");
    };
    let game = Log::begin("togyzkumalak", ["web:ann", "web:bek"], group, "mem/1");
    let first = if game.lines.iter().any(|it| it.contains(" start 0,1")) { "ann" } else { "bek" };
    let second = if first == "ann" { "bek" } else { "ann" };
    let [own, other] = [first, second].map(|it| format!("web/{it}/7"));
    refused(&game.with(&other, drawn()));
    refused(&game.with(&own, offered()).with(&own, drawn()));
    let declined = game.with(&own, offered()).with(&other, Event::OfferDeclined { seat: 1 });
    refused(&declined.with(&own, drawn()));
    let takeback = Event::OfferMade { seat: 0, offer: PlayerOffer::Takeback { steps: 0 } };
    refused(&game.with(&own, takeback).with(&other, drawn()));
    let agreed = game.with(&own, offered()).with(&other, drawn());
    assert!(agreed.report().unwrap().contains("follow from each other"));
    // A player who is away need not agree.
    let person = PersonId(format!("web:{second}"));
    let alone = game.with("mem/2", Event::Clock(ClockEvent::PersonLeft { person }));
    assert_eq!(alone.with(&own, drawn()).report().err(), None);

    let computer = computer_id(DEFAULT_LEVEL).0;
    refused(
        &Log::begin("togyzkumalak", ["web:ann", &computer], group, "mem/1").with(&own, drawn()),
    );
    let race = Log::begin("thaayam", ["web:ann", "web:bek"], group, "mem/1");
    refused(&race.with("mem/2", offered()).with("mem/3", drawn()));
}

#[test]
fn a_record_stays_true_when_a_formerly_linked_account_is_deleted() {
    let home = ("web:@w4x7", ChatKind::Private);
    let game = Log::begin("togyzkumalak", ["tg:71", "dc:5"], home, "web/w4x7/k1");
    let game = game.with("web/w4x7/k2", offered());
    let report = game.report().unwrap();
    assert!(report.contains("the lot is"), "{report}");
    let ann = IdentityReplacement {
        accounts: [(PersonId("web:w4x7".to_owned()), PersonId::deleted("x"))].into(),
        usernames: BTreeSet::new(),
        chats: [ChatId("web:@w4x7".to_owned())].into(),
    };
    let lines = ann.replace_in_log(&game.lines).unwrap().unwrap();
    assert!(lines.iter().all(|it| !it.contains("w4x7")), "{lines:#?}");
    let replaced = Log { lines, ..game };
    let report = replaced.report().unwrap();
    assert!(report.contains("a player deleted their account"), "{report}");
}
