//! The computer's bidding: legal everywhere, honest, sensible, and what it learned.

use std::sync::atomic::AtomicBool;

use caravanserai_bot::workers::game_analysis::judge_decision;
use caravanserai_games::blot::engine::auction;
use caravanserai_games::blot::engine::auction::auction_features::AuctionFeatures;
use caravanserai_games::blot::engine::auction::hand_net::TakeEstimates;
use caravanserai_games::blot::engine::auction::model::Model;
use caravanserai_games::blot::engine::learn::{self, BlotLearnSettings};
use caravanserai_games::blot::engine::match_equity::MatchState;
use caravanserai_games::blot::melds::Melds;
use caravanserai_games::blot::options::CHOICES;
use caravanserai_games::blot::{
    self, AuctionCall, Bid, Blot, BlotAction, BlotOptions, Card, Deal, House, Suit, Trump,
};
use caravanserai_games::rules::{Entropy, Node, Rules, Seat, Token, Viewer};
use caravanserai_games::search::{ComputerLevel, PlayerEvaluation, SeededRng, ThinkBudget};
use caravanserai_table::review::{DecisionVerdict, decisions};

use crate::game_conformance::Seeded;

/// The cards of a text.
fn set(cards: &str) -> u32 {
    cards.split(' ').fold(0, |set, card| set | Card::read(card).unwrap().bit())
}

/// A deal in which seat 0 has this hand and the others share the rest by chance.
fn deal_with(hand: u32, dealer: u8, random: &mut Seeded) -> Deal {
    let mut hands = Deal::draw(random, false).hands;
    // Cards that seat 0 lacks are exchanged for those it should not have.
    for card in (0..32).map(Card).filter(|card| hand & card.bit() != 0) {
        if hands[0] & card.bit() == 0 {
            let from = hands.iter().position(|it| it & card.bit() != 0).unwrap();
            let spare = hands[0] & !hand;
            let spare = spare & spare.wrapping_neg();
            hands[0] = hands[0] & !spare | card.bit();
            hands[from] = hands[from] & !card.bit() | spare;
        }
    }
    Deal { dealer: Some(dealer), hands }
}

fn start(options: &str, deal: &Deal, calls: &str) -> Blot {
    let mut game = Blot::start(&BlotOptions::read(options).unwrap(), 4).unwrap();
    game.apply_chance(deal, &mut Vec::new()).unwrap();
    for token in calls.split_whitespace() {
        let Node::Act(seat) = game.node() else { panic!("nobody's turn") };
        game.apply_action(seat, &BlotAction::read(token).unwrap(), &mut Vec::new()).unwrap();
    }
    game
}

/// What a level says on the seat on turn.
fn thought(game: &Blot, level: ComputerLevel, seed: u64) -> PlayerEvaluation<BlotAction> {
    let Node::Act(seat) = game.node() else { panic!("nobody's turn") };
    let view = game.view(Viewer::Seat(seat));
    let own = view.own.clone().unwrap();
    let mut rng = SeededRng::new(seed);
    auction::call(&view, &own, &game.actions(seat), level, &ThinkBudget::OF_LEVEL, &mut rng)
}

fn said(game: &Blot, level: ComputerLevel) -> String {
    thought(game, level, 1).action.write()
}

/// Each value of each house rule, with its name.
fn every_house_rule() -> impl Iterator<Item = (String, BlotOptions)> {
    let rules =
        CHOICES.into_iter().flat_map(|(name, values)| values.iter().map(move |it| (name, *it)));
    rules.map(|(name, value)| {
        (format!("{name} {value}"), BlotOptions::default().with(name, value).unwrap())
    })
}

/// A game whose first round is dealt.
fn dealt(options: &BlotOptions, random: &mut Seeded) -> Blot {
    let mut game = Blot::start(options, 4).unwrap();
    let deal = game.draw_chance(random);
    game.apply_chance(&deal, &mut Vec::new()).unwrap();
    game
}

#[test]
fn every_level_bids_by_every_house_rule() {
    let mut random = Seeded(11);
    for (rule, options) in every_house_rule() {
        let mut game = dealt(&options, &mut random);
        let levels =
            ComputerLevel::ALL.into_iter().filter(|it| *it != ComputerLevel::Master).cycle();
        for level in levels.take(12) {
            let Some(round) = game.round().filter(|round| round.play().is_none()) else {
                break;
            };
            let seat = Seat(round.turn().unwrap());
            let thought = thought(&game, level, 5);
            let allowed = game.actions(seat);
            assert!(allowed.contains(&thought.action), "{rule} {:?}", thought.action);
            assert!(thought.chance <= 1000);
            game.apply_action(seat, &thought.action, &mut Vec::new()).unwrap();
        }
    }
}

#[test]
fn a_call_depends_on_the_own_hand_and_on_what_was_said() {
    let hand = set("JH 9H AH KC QC AD 8D 7S");
    let mut random = Seeded(3);
    let deals: Vec<Deal> = (0..4).map(|_| deal_with(hand, 3, &mut random)).collect();
    for level in ComputerLevel::ALL {
        let thoughts = deals.iter().map(|deal| thought(&start("standard", deal, ""), level, 9));
        let thoughts: Vec<PlayerEvaluation<BlotAction>> = thoughts.collect();
        assert!(thoughts.iter().all(|it| *it == thoughts[0]), "{level:?}");
    }
}

#[test]
fn the_same_numbers_give_the_same_call() {
    let deal = deal_with(set("JH 9H AH KC QC AD 8D 7S"), 2, &mut Seeded(4));
    let game = start("standard", &deal, "8s");
    assert_eq!(thought(&game, ComputerLevel::Master, 7), thought(&game, ComputerLevel::Master, 7));
}

/// The bid that a level makes.
fn bid(game: &Blot, level: ComputerLevel) -> Bid {
    match thought(game, level, 1).action {
        BlotAction::Call(AuctionCall::Bid(bid)) => bid,
        other => panic!("{level:?} says {}", other.write()),
    }
}

#[test]
fn a_strong_hand_bids_and_bids_on_and_a_hopeless_one_passes() {
    let strong = deal_with(set("JS 9S AS 10S KS AH 10H AC"), 3, &mut Seeded(5));
    let hopeless = deal_with(set("7S 8S 7H 8H QD 7C 8C QC"), 3, &mut Seeded(6));
    for level in [ComputerLevel::Strong, ComputerLevel::Master] {
        let spades = Trump::Suit(Suit::Spades);
        assert_eq!(bid(&start("standard", &strong, ""), level).trump, spades, "{level:?}");
        let on = bid(&start("standard", &strong, "8s 12d pass pass"), level);
        assert!(on.trump == spades && on.x > 12, "{level:?} {on:?}");
        assert_eq!(said(&start("standard", &hopeless, ""), level), "pass", "{level:?}");
        let last = Deal { dealer: Some(0), ..hopeless };
        assert_eq!(said(&start("standard", &last, "pass pass pass"), level), "pass", "{level:?}");
    }
}

/// What a level answers when it may choose only among these actions, with the effort with which
/// the play of people is judged.
fn thought_among(
    game: &Blot,
    actions: &[BlotAction],
    level: ComputerLevel,
) -> PlayerEvaluation<BlotAction> {
    let Node::Act(seat) = game.node() else { panic!("nobody's turn") };
    let view = game.view(Viewer::Seat(seat));
    let own = view.own.clone().unwrap();
    let budget = ThinkBudget::OF_LEVEL.nodes(JUDGING_NODES);
    auction::call(&view, &own, actions, level, &budget, &mut SeededRng::new(1))
}

/// The most positions of a search with which the play of people is judged.
const JUDGING_NODES: u64 = 2_000;

/// The chance of the seat on turn to win after this call, in thousandths, by simulation.
fn chance_after(game: &Blot, call: BlotAction, level: ComputerLevel) -> u16 {
    let thought = thought_among(game, &[call], level);
    assert_eq!(thought.action, call);
    assert!(thought.nodes > 1, "{level:?} does not simulate {}", call.write());
    assert!(thought.nodes <= JUDGING_NODES, "{level:?} {} {}", call.write(), thought.nodes);
    thought.chance
}

/// A hand without diamonds, high cards and a long suit.
const HOPELESS: &str = "7S 8S 9C 7H 8H QH 7C 8C";

#[test]
fn a_hopeless_bid_has_a_value_and_promising_more_costs_more() {
    for (options, dealer, calls) in
        [("standard", 3, ""), ("standard", 1, "8s pass"), ("suit_rank=true", 2, "8s")]
    {
        let game = start(options, &deal_with(set(HOPELESS), dealer, &mut Seeded(6)), calls);
        for level in [ComputerLevel::Strong, ComputerLevel::Master] {
            let after = |call| chance_after(&game, BlotAction::read(call).unwrap(), level);
            let (pass, bid, higher) = (after("pass"), after("16d"), after("30d"));
            let kaput = after("30dk");
            let chances = format!("{level:?} {options} {calls}: {pass} {bid} {higher} {kaput}");
            assert!(bid + 50 < pass, "{chances}");
            assert!(higher < bid && kaput < bid, "{chances}");
            assert_eq!(after("30d"), higher, "the same question has the same answer");
        }
    }
}

#[test]
fn every_legal_bid_has_a_value_by_every_house_rule() {
    let mut random = Seeded(12);
    for (_, options) in every_house_rule() {
        let mut game = dealt(&options, &mut random);
        for _ in 0..3 {
            let is_auction = game.round().is_some_and(|round| round.play().is_none());
            let Node::Act(seat) = game.node() else { break };
            let actions = game.actions(seat);
            if !is_auction || actions.len() < 2 {
                break;
            }
            let action = actions[random.below(actions.len() as u32) as usize];
            chance_after(&game, action, ComputerLevel::Strong);
            game.apply_action(seat, &action, &mut Vec::new()).unwrap();
        }
    }
}

/// Whether an action is anything but a bid of this number or more.
fn is_below(action: &BlotAction, x: u8) -> bool {
    !matches!(action, BlotAction::Call(AuctionCall::Bid(bid)) if bid.x >= x)
}

#[test]
fn the_best_of_several_hopeless_bids_is_the_lowest() {
    let game = start("standard", &deal_with(set(HOPELESS), 3, &mut Seeded(6)), "");
    let bids = ["60d", "40d", "16d", "30d"].map(|it| BlotAction::read(it).unwrap());
    let best = thought_among(&game, &bids, ComputerLevel::Master);
    assert_eq!(best.action, bids[2]);
    // However many are asked for, the effort is that of the others.
    let mut high = game.actions(Seat(0));
    high.retain(|it| !is_below(it, 60));
    assert!(high.len() > 100);
    let best = thought_among(&game, &high, ComputerLevel::Master);
    assert!(high.contains(&best.action) && best.nodes <= JUDGING_NODES);
}

#[test]
fn hopeless_bids_change_no_choice_among_others() {
    let mut random = Seeded(13);
    for dealer in 0..4 {
        let calls = ["", "8s pass pass", "8s pass", "10h"][usize::from(dealer)];
        let deal = Deal { dealer: Some(dealer), ..Deal::draw(&mut random, false) };
        let game = start("standard", &deal, calls);
        let Node::Act(seat) = game.node() else { panic!("nobody's turn") };
        let all = game.actions(seat);
        let mut low = all.clone();
        low.retain(|it| is_below(it, 60));
        assert!(low.len() < all.len());
        for level in [ComputerLevel::Strong, ComputerLevel::Master] {
            let choice = thought_among(&game, &all, level);
            assert_eq!(choice, thought_among(&game, &low, level), "{level:?} {calls}");
        }
    }
}

#[test]
fn a_bid_that_is_considered_has_the_same_merit_alone() {
    let (model, house) = (Model::shipped(), House::default());
    let mut random = Seeded(14);
    let bid_of = |it: &str| AuctionCall::Bid(Bid::read(it).unwrap());
    for calls in [vec![], vec![bid_of("8s")], vec![bid_of("8s"), AuctionCall::Pass]] {
        let mut talk = AuctionFeatures::new(3);
        calls.iter().zip(0..).for_each(|(call, seat)| talk.call(seat, *call, &house));
        let seat = calls.len() as u8;
        let sight = model.sight(Deal::draw(&mut random, false).hands[0], &house);
        let mut all = Vec::new();
        model.weigh(&talk, seat, &sight, &house, &mut all);
        let bids: Vec<_> = all
            .iter()
            .filter_map(|it| match it.call {
                AuctionCall::Bid(bid) => Some((bid, it.merit, it.worth)),
                AuctionCall::Pass | AuctionCall::Kuansh | AuctionCall::Sur => None,
            })
            .collect();
        let asked = bids.iter().map(|it| it.0);
        let alone = model.weigh_bids(&talk, seat, &sight, &house, asked);
        assert!(bids.len() >= 5);
        for ((bid, merit, worth), it) in bids.iter().zip(&alone) {
            let call = AuctionCall::Bid(*bid);
            assert_eq!((it.call, it.merit, it.worth), (call, *merit, *worth));
        }
    }
}

/// The verdict on the first call of a match, which seat 0 makes with this deal by dealer 3.
fn verdict_on(deal: &Deal, call: &str) -> Option<DecisionVerdict> {
    let game = blot::ID.start_match(&blot::ID.info().default_options(), 4).unwrap();
    let deal = deal.write();
    let turns = decisions(game, [(None, deal.as_str()), (Some(0), call)].into_iter());
    let mut computer = blot::ID.computer(ComputerLevel::Master.code()).unwrap();
    judge_decision(&mut *computer, &turns[0], JUDGING_NODES, &AtomicBool::new(false))
}

#[test]
fn a_hopeless_bid_is_judged_and_costs_much() {
    let deal = deal_with(set(HOPELESS), 3, &mut Seeded(6));
    let cost = |call| verdict_on(&deal, call).map(|it| it.before - it.after);
    assert_eq!(cost("pass"), Some(0));
    let (bid, higher) = (cost("16d").unwrap(), cost("30d").unwrap());
    assert!(bid > 50 && higher > bid, "{bid} {higher}");
}

#[test]
fn a_player_who_bids_at_random_pays_for_it() {
    let mut random = Seeded(15);
    let costs: Vec<u16> = (0..24)
        .map(|_| {
            let deal = Deal { dealer: Some(3), ..Deal::draw(&mut random, false) };
            let actions = start("standard", &deal, "").actions(Seat(0));
            let call = actions[random.below(actions.len() as u32) as usize].write();
            let verdict = verdict_on(&deal, &call).unwrap_or_else(|| panic!("{call} not judged"));
            verdict.before - verdict.after
        })
        .collect();
    let mean = costs.iter().sum::<u16>() / 24;
    // The decisions of a beginner cost about fifty thousandths in a whole round.
    assert!(mean > 100, "{costs:?}");
}

#[test]
fn a_defeated_bid_is_doubted() {
    // Seat 0 sits behind the bidder with the trumps that he must be missing.
    let deal = deal_with(set("JH 9H AH 10H AS 10S AC AD"), 2, &mut Seeded(8));
    for level in [ComputerLevel::Strong, ComputerLevel::Master] {
        assert_eq!(said(&start("max_bid=16", &deal, "16h"), level), "kuansh", "{level:?}");
    }
}

#[test]
fn a_partner_bid_says_that_he_holds_trumps() {
    let deal = deal_with(set("7S 8S 7H 8H QD 7C 8C QC"), 1, &mut Seeded(9));
    let game = start("standard", &deal, "9s pass");
    let listener = auction::listen(&game.view(Viewer::Public));
    let strong = listener.weight(2, set("JS 9S AS KD 8D 9D KC AC"));
    let weak = listener.weight(2, set("JD 10D 9D KH QH 10C 9C AC"));
    assert!(strong > 10.0 * weak, "{strong} {weak}");
    assert_eq!(listener.weight(1, set("JS 9S AS KD 8D 9D KC AC")), 1.0);
}

/// What a hand promises before anybody has spoken.
fn promise(hand: u32, trump: Trump) -> TakeEstimates {
    let model = Model::shipped();
    let house = House::default();
    let talk = AuctionFeatures::new(3);
    let guesses = model.guesses(&model.sight(hand, &house), &model.hearing(&talk, 0));
    guesses[trump.suit().map_or(4, |suit| suit as usize)]
}

#[test]
fn better_trumps_promise_more() {
    let mut random = Seeded(21);
    // Ranks of trumps from the weakest: each in place of the one before.
    let ranks = ["8S", "10S", "AS", "9S", "JS"].map(|card| Card::read(card).unwrap().bit());
    let spades = Trump::Suit(Suit::Spades);
    let mut count = 0;
    let mut gain = 0.0;
    while count < 200 {
        let hand = Deal::draw(&mut random, false).hands[0];
        let step = random.below(4) as usize;
        let (low, high) = (ranks[step], ranks[step + 1]);
        let plain = |hand: u32| Melds::best(hand, spades, &House::default()).is_empty();
        let changed = hand & !low | high;
        if hand & low == 0 || hand & high != 0 || !plain(hand) || !plain(changed) {
            continue;
        }
        let (before, after) = (promise(hand, spades), promise(changed, spades));
        let more = after[0].mean - before[0].mean;
        assert!(more > -1.2, "{hand:x} step {step}: {more}");
        gain += more;
        count += 1;
    }
    assert!(gain / 200.0 > 0.4, "{gain}");
}

#[test]
fn match_equity_is_symmetric_and_monotonic() {
    let model = Model::shipped();
    let house = House::default();
    for (a, b) in [(0, 0), (30, 10), (200, 100), (290, 250), (300, 300), (150, 299)] {
        for speaks in 0..2 {
            let own = model.equity.chance([a, b], speaks, &house);
            let other = model.equity.chance([b, a], 1 - speaks, &house);
            assert!((own + other - 1.0).abs() < 1e-5, "{a} {b}: {own} {other}");
            let more = model.equity.chance([a + 1, b], speaks, &house);
            assert!(more >= own - 1e-3 && (0.0..=1.0).contains(&own));
        }
    }
    let even = model.equity.chance([0, 0], 0, &house);
    assert!((0.45..0.55).contains(&even), "{even}");
    let now = MatchState { totals: [290, 100], next: 0 };
    assert!(model.equity.after(&now, [11, 20], 0, &house) > 0.999);
}

#[test]
fn the_shipped_file_is_small_and_reads_back() {
    let bytes = Model::shipped().write();
    assert!(bytes.len() < 200_000, "{}", bytes.len());
    assert_eq!(Model::read(&bytes).map(|model| model.write()), Some(bytes.clone()));
    assert_eq!(Model::read(&bytes[1..]), None);
}

#[test]
fn the_same_seed_learns_the_same() {
    let settings = BlotLearnSettings {
        seed: 3,
        deals: 30,
        auctions: 12,
        lessons: 1,
        rounds: 1,
        worlds: 1,
        card_deals: 2,
    };
    let mut lines = 0;
    let first = learn::learn(&settings, &mut |_| lines += 1);
    assert!(lines > 0);
    assert_eq!(first, learn::learn(&settings, &mut |_| {}));
    assert!(Model::read(&first).is_some());
}

#[test]
fn a_bid_never_leaves_the_range_of_a_short_auction() {
    let strong = deal_with(set("JS 9S AS 10S KS QS AH AC"), 3, &mut Seeded(5));
    for (options, calls, range) in
        [("max_bid=16", "8s 15d pass pass", 16..=16), ("min_bid=10", "", 10..=84)]
    {
        let bid = bid(&start(options, &strong, calls), ComputerLevel::Master);
        assert!(range.contains(&bid.x), "{options}: {bid:?}");
    }
}
