//! The course in three parts: tricks without and with trumps, and the values of cards; the auction,
//! combinations and the score; fine points. The learner sits below. All positions come from real
//! play, and the rules answer all questions.

use super::action::{BlotAction, Deal};
use super::auction::{Bid, Contract, ContractLevel};
use super::caption;
use super::card::{Card, RANKS, Suit, Trump, rank};
use super::melds::{Meld, MeldKind, Melds};
use super::options::{BlotOptions, House};
use super::round::{BlotFact, blots};
use super::rules::Blot;
use super::score::{RoundResult, RoundScore, score};
use super::view::BlotView;
use crate::course::{CoursePage, CoursePart, CourseTask};
use crate::rules::{Node, Rules, Seat, Token, Viewer};
use crate::text::{Arg, Text};
use crate::vocabulary::WordLists;

/// The pages in their order.
pub const PAGES: &[&str] = &[
    "partners",
    "trick",
    "lead",
    "follow",
    "try-trick",
    "trumps",
    "overtrump",
    "cut",
    "overcut",
    "partner",
    "try-partner",
    "worth",
    "round",
    "bid",
    "boy",
    "terz",
    "overlap",
    "blot",
    "make",
    "rounding",
    "sheet",
    "under",
    "fours",
    "eights",
    "long",
    "kaput",
    "after-kaput",
    "kuansh",
    "doubled",
];

/// The parts: enough to play; bids and the score; rare situations.
pub const PARTS: &[CoursePart] = &[
    CoursePart { name: "play", first: "partners" },
    CoursePart { name: "score", first: "bid" },
    CoursePart { name: "fine", first: "fours" },
];

/// The seat of the learner.
const LEARNER: Seat = Seat(0);

/// The number of cards to choose from.
const OFFERED: usize = 4;

const HEARTS: Trump = Trump::Suit(Suit::Hearts);

/// The hands of a round, by seat.
type Hands = [&'static str; 4];

/// No player has a combination; seat 2 has no spades.
const PLAIN: Hands = [
    "AS 7S KH 9H QC 8C JD 7D",
    "10S KS 9S AH 8H AC 9C KD",
    "AD 10D QD 9D QH JH 7H KC",
    "JS QS 8S 10H JC 10C 7C 8D",
];
/// Two hearts in each hand.
const EVEN: Hands = [
    "JH 8H AS 9S QC 8C KD 7D",
    "AH 7H KS 10S AC 10C QD 8D",
    "9H 10H QS 8S KC 7C AD JD",
    "KH QH JS 7S JC 9C 10D 9D",
];
/// The learner has no spades, the other side has the ace of them.
const VOID: Hands = [
    "9H 7H QC 8C 10C KD 7D JD",
    "AS KS 10H 8H AC 9C QD 8D",
    "QS 9S 7S KH QH KC 7C AD",
    "10S JS 8S JH AH JC 10D 9D",
];
/// The same with the ace of spades in the partner's hand.
const HELD: Hands = [
    "9H 7H QC 8C 10C KD 7D JD",
    "7S KS 10H 8H AC 9C QD 8D",
    "QS 9S AS KH QH KC 7C AD",
    "10S JS 8S JH AH JC 10D 9D",
];
/// The learner has no spades and only low trumps.
const LOW: Hands = [
    "8H 7H QC 8C 10C KD 7D JD",
    "KS 10S 8S JS 9H AC QD 8D",
    "QS AS 9S 7S KH QH KC AD",
    "JH AH 10H JC 9C 7C 10D 9D",
];
/// The learner has a terz.
const TERZ: Hands = [
    "JH 9H 7H AS KS QS JD 8C",
    "AH 8H 10S 9S AC 9C 7C KD",
    "QH KH 10H AD 10D 7D KC 10C",
    "7S 8S JS 9D 8D QD JC QC",
];
/// The learner's partner has queen and king of hearts, and no player another combination.
const PAIR: Hands = [
    "JH 9H AS 10S QC 8C KD 7D",
    "AH 7H KS 9S AC 10C QD 8D",
    "QH KH QS 8S KC 7C AD JD",
    "10H 8H JS 7S JC 9C 10D 9D",
];
/// Four kings and a terz that shares one of them.
const KINGS: Hands = [
    "KC KD KH KS QS AS 7D 8C",
    "AH 8H 10S 9S AC 9C 7C QD",
    "QH JH 10H AD 10D 8D JC 10C",
    "7S 8S JS 9D JD 9H 7H QC",
];
/// Four jacks.
const JACKS: Hands = [
    "JC JD JH JS AS 9S 8C 7D",
    "AH 8H 10S 7S AC 9C 7C QD",
    "QH KH 10H AD 10D 8D KC 10C",
    "QS 8S KS 9D KD 9H 7H QC",
];
/// The learner has a terz, the player on the left four eights.
const EIGHTS: Hands = [
    "AS KS QS JH 9H 7D 10C KC",
    "8S 8H 8D 8C AH 9S KD 7C",
    "QH KH 10H AD 10D 7H JC 9C",
    "7S 10S JS 9D JD QD AC QC",
];
/// The learner has six spades in a row.
const LONG: Hands = [
    "AS KS QS JS 10S 9S 7D 8C",
    "8S AH 9H 7H KD 10D JC 9C",
    "7S KH QH 10H AD 9D KC 7C",
    "JH 8H QD JD 8D AC QC 10C",
];
/// The learner has queen and king of hearts.
const BLOT: Hands = [
    "QH KH 10H AD 10D 7D KC 10C",
    "7S 8S JS 9D 8D QD JC QC",
    "JH 9H 7H AS KS QS JD 8C",
    "AH 8H 10S 9S AC 9C 7C KD",
];

/// The hands of a page, the dealer, and the calls and cards so far.
fn setting(page: &str) -> Option<(Hands, u8, &'static str)> {
    Some(match page {
        "partners" => (PLAIN, 0, "8b pass pass pass"),
        "trick" | "follow" => (PLAIN, 0, "8b pass pass pass 10S AD JS"),
        "lead" => (PLAIN, 0, "8b pass pass pass 9S AD QS"),
        "try-trick" => (PLAIN, 0, "8b pass pass pass KS 9D QS"),
        "boy" => (PLAIN, 0, "8b pass pass pass 10S AD JS AS"),
        "trumps" | "overtrump" => (EVEN, 0, "8h pass pass pass AH 9H KH"),
        "worth" => (EVEN, 0, "8h pass pass pass 7H 9H QH"),
        "round" => (EVEN, 0, "8h pass pass pass"),
        "cut" => (VOID, 0, "8h pass pass pass AS 7S 8S"),
        "overcut" => (LOW, 0, "8h pass pass pass KS AS 10H"),
        "partner" => (HELD, 0, "8h pass pass pass KS AS 8S"),
        "try-partner" => (HELD, 0, "8h pass pass pass KS AS 10S"),
        "bid" => (TERZ, 1, "8s 9d"),
        "kaput" => (TERZ, 1, "12s 16d"),
        "after-kaput" => (TERZ, 1, "12s 25dk"),
        "make" => (PAIR, 3, "12h pass pass pass"),
        "terz" => (TERZ, 3, "8h pass 12h pass pass pass JH 8H QH 7S"),
        "overlap" => (KINGS, 3, "10h pass pass pass"),
        "fours" => (JACKS, 3, "10h pass pass pass"),
        "eights" => (EIGHTS, 3, "10h pass pass pass JH AH KH 7S"),
        "long" => (LONG, 3, "pass 10h pass pass pass"),
        "blot" => (BLOT, 3, "10h pass pass pass"),
        "kuansh" => (TERZ, 3, "8h pass 12h kuansh"),
        "doubled" => (PAIR, 3, "8h pass 12h kuansh pass pass"),
        "rounding" => (PAIR, 3, "12h pass pass pass JH 7H QH 8H 9H AH KH 10H"),
        "sheet" => (PAIR, 3, "12h pass pass pass JH 7H QH 8H"),
        "under" => (PAIR, 3, "12h pass pass pass AS KS"),
        _ => return None,
    })
}

/// The page of this name.
pub fn page(name: &str, _: &WordLists) -> Option<CoursePage<Blot>> {
    let (hands, dealer, steps) = setting(name)?;
    let mut game = played(&hands, dealer, steps)?;
    let own = matches!(
        name,
        "follow"
            | "try-trick"
            | "overtrump"
            | "cut"
            | "overcut"
            | "partner"
            | "try-partner"
            | "terz"
            | "overlap"
            | "fours"
            | "long"
            | "blot"
    );
    if name == "round" {
        game = play_to_the_last_trick(game)?;
    }
    let task = task(name, &game)?;
    let viewer = if own { Viewer::Seat(LEARNER) } else { Viewer::Public };
    Some(CoursePage { game, viewer, task })
}

fn task(name: &str, game: &Blot) -> Option<CourseTask> {
    let view = game.view(Viewer::Seat(LEARNER));
    let house = game.house();
    Some(match name {
        "partners" => {
            player_question([1, 2, 3], |seat| BlotView::team(*seat) == BlotView::team(LEARNER))
        }
        "trick" | "trumps" => player_question([1, 2, 3], |seat| view.holding == Some(*seat)),
        "lead" => player_question([1, 2, 3], |seat| next_leader(game, "7S") == Some(*seat)),
        "follow" | "overtrump" | "cut" => card_question(game),
        "overcut" | "partner" => CourseTask::yes_no_question(must_cut(&view)?),
        "worth" => CourseTask::number_question(points_on_the_table(&view), &[3, 9, 12]),
        "round" => CourseTask::number_question(all_points(game.clone())?, &[152, 160, 172]),
        "bid" => call_question(game, &["8h", "8b", "9h", "10s"]),
        "kaput" => call_question(game, &["15hk", "24hk", "25hk"]),
        "after-kaput" => call_question(game, &["26h", "25hk", "26hk"]),
        "kuansh" => call_question(game, &["13h", "kuansh", "sur"]),
        "make" => CourseTask::yes_no_question(scored(ContractLevel::Plain, 100, 2)?.made),
        "boy" => CourseTask::number_question(
            Card::new(Suit::Hearts, rank::ACE).points(Trump::Boy).into(),
            &[11, 20],
        ),
        "terz" => CourseTask::number_question(melds(game, HEARTS, house), &[3, 5, 10]),
        "overlap" => CourseTask::number_question(melds(game, HEARTS, house), &[2, 12, 14]),
        "long" => CourseTask::number_question(melds(game, HEARTS, house), &[5, 12, 20]),
        "fours" => strongest_four([rank::NINE, rank::JACK, rank::ACE]),
        "eights" => CourseTask::number_question(meld_points(game.clone())?, &[2, 5, 20]),
        "blot" => {
            CourseTask::number_question(blots(&game.round()?.dealt(), HEARTS)[0].into(), &[0, 5, 7])
        }
        "doubled" => CourseTask::number_question(
            scored(ContractLevel::Kuansh, 118, 2)?.points[0].into(),
            &[27, 40, 44],
        ),
        "rounding" => CourseTask::number_question(
            scored(ContractLevel::Plain, 126, 2)?.units[1].into(),
            &[3, 5, 6],
        ),
        "sheet" => CourseTask::number_question(
            scored(ContractLevel::Plain, 130, 2)?.points[0].into(),
            &[12, 15, 25],
        ),
        "under" => CourseTask::number_question(
            scored(ContractLevel::Plain, 66, 2)?.points[1].into(),
            &[10, 12, 28],
        ),
        _ => CourseTask::TryMove,
    })
}

fn played(hands: &Hands, dealer: u8, steps: &str) -> Option<Blot> {
    let set =
        |cards: &str| cards.split(' ').try_fold(0, |set, card| Some(set | Card::read(card)?.bit()));
    let [a, b, c, d] = hands.map(set);
    let deal = Deal { dealer: Some(dealer), hands: [a?, b?, c?, d?] };
    let mut game = Blot::start(&BlotOptions::default(), 4).ok()?;
    game.apply_chance(&deal, &mut Vec::new()).ok()?;
    for token in steps.split(' ') {
        let Node::Act(seat) = game.node() else { return None };
        game.apply_action(seat, &BlotAction::read(token)?, &mut Vec::new()).ok()?;
    }
    Some(game)
}

/// The leader of the next trick after the learner has played this card, the last of a trick.
fn next_leader(game: &Blot, card: &str) -> Option<Seat> {
    let mut game = game.clone();
    game.apply_action(LEARNER, &BlotAction::read(card)?, &mut Vec::new()).ok()?;
    match game.node() {
        Node::Act(seat) => Some(seat),
        Node::Chance | Node::Over(_) => None,
    }
}

/// Plays the first legal card; returns the facts.
fn play_on(game: &mut Blot) -> Option<Vec<BlotFact>> {
    let Node::Act(seat) = game.node() else { return None };
    let action = *game.actions(seat).first()?;
    let mut facts = Vec::new();
    game.apply_action(seat, &action, &mut facts).ok()?;
    Some(facts)
}

/// The same round when each has one card left.
fn play_to_the_last_trick(mut game: Blot) -> Option<Blot> {
    while game.round()?.play()?.tricks.tricks_played() < 7 {
        play_on(&mut game)?;
    }
    Some(game)
}

/// The card points of both sides of a round that is played to its end.
fn all_points(mut game: Blot) -> Option<i64> {
    loop {
        for fact in play_on(&mut game)? {
            if let BlotFact::Scored(summary) = fact {
                return Some(summary.played.cards.iter().map(|it| i64::from(*it)).sum());
            }
        }
    }
}

/// The points for combinations of the learner's side, once all are shown.
fn meld_points(mut game: Blot) -> Option<i64> {
    while game.round()?.play()?.tricks.tricks_played() < 2 {
        play_on(&mut game)?;
    }
    let points = game.round()?.play()?.meld_points(game.house());
    Some(points[BlotView::team(LEARNER)].into())
}

fn player_question(seats: [u8; 3], right: impl Fn(&Seat) -> bool) -> CourseTask {
    let name = |seat: &Seat| {
        let label = Text::new("lesson-player").with("name", Arg::Seat(seat.0));
        (seat.0.to_string(), Arg::from(label))
    };
    CourseTask::choice_question(seats.map(Seat), name, right)
}

/// One legal card of the learner's hand, and others that are not legal.
fn card_question(game: &Blot) -> CourseTask {
    let held = super::panel::hand(&game.view(Viewer::Seat(LEARNER)));
    let legal = game.actions(LEARNER);
    let (fine, wrong): (Vec<BlotAction>, Vec<BlotAction>) =
        held.iter().copied().partition(|it| legal.contains(it));
    let offered: Vec<BlotAction> = fine.into_iter().take(1).chain(wrong).take(OFFERED).collect();
    // In the order of the hand, so that the place reveals nothing.
    let in_hand = held.into_iter().filter(|it| offered.contains(it));
    CourseTask::choice_question(
        in_hand,
        |it| (it.write(), caption::label(it)),
        |it| legal.contains(it),
    )
}

fn call_question(game: &Blot, tokens: &[&str]) -> CourseTask {
    let calls = tokens.iter().filter_map(|it| BlotAction::read(it));
    let legal = game.actions(LEARNER);
    CourseTask::choice_question(
        calls,
        |it| (it.write(), caption::label(it)),
        |it| legal.contains(it),
    )
}

/// Whether only trumps may be played.
fn must_cut(view: &BlotView) -> Option<bool> {
    Some(view.own.as_ref()?.legal & !HEARTS.cards() == 0)
}

fn points_on_the_table(view: &BlotView) -> i64 {
    view.table.iter().map(|(_, card)| i64::from(card.points(HEARTS))).sum()
}

fn melds(game: &Blot, trump: Trump, house: &House) -> i64 {
    let dealt = game.round().map_or(0, |it| it.dealt()[LEARNER.index()]);
    Melds::best(dealt, trump, house).value(trump, house).into()
}

/// The score of a round of 12♥ by the learner's side, with this doubling and these card points;
/// `blot` is the points for queen and king of trumps.
fn scored(level: ContractLevel, cards: u16, blot: u8) -> Option<RoundScore> {
    let bid = Bid { x: 12, trump: HEARTS, kaput: false };
    let contract = Contract { bid, seat: LEARNER.0, level };
    let played = RoundResult {
        contract,
        cards: [cards, 162 - cards],
        tricks: [5, 3],
        melds: [0, 0],
        blot: [blot, 0],
    };
    score(&played, &House::default())
}

fn strongest_four(ranks: [u8; 3]) -> CourseTask {
    let strength = |rank: u8| Meld { kind: MeldKind::Four, rank, suit: None }.strength(HEARTS);
    let most = ranks.map(strength).into_iter().max();
    let name = |rank: &u8| {
        let card = RANKS[usize::from(*rank)];
        (card.to_owned(), Arg::Plain([card; 4].join(" ")))
    };
    CourseTask::choice_question(ranks, name, |rank| Some(strength(*rank)) == most)
}
