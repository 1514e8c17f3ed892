//! Chooses calls in the auction for all levels, and infers cards from the calls of others.
//!
//! [`call`] chooses a call; [`call_inference`] computes how well a hand agrees with the calls of
//! its owner.
//!
//! # Method
//!
//! - [`hand_net`]: a network estimates, from one hand and the auction so far, mean and spread of
//!   what either side would take with each trump, combinations and blot-reblot included.
//! - [`policy`]: the quick bidder. From that normal distribution it computes the value of every
//!   call if all others pass after it, by the score of the house rules; some sixty learned weights
//!   turn this into the value of the call in an auction that goes on. It takes microseconds, so it
//!   plays the other three seats when an auction is simulated to its end, and its odds are the
//!   weights of the sampled worlds in bidding and card play.
//! - [`deals`]: a network estimates from all four hands what the leader's side takes when the
//!   program plays, and eight quantiles of the results of played deals give the spread around that
//!   mean, kaput included. Combinations and blot-reblot of a deal need no learning: the rules count
//!   them.
//! - [`rollout`]: the thinking bidder. It draws deals, keeps those that agree with the calls
//!   (importance sampling), lets the quick bidder end the auction after each candidate call, and
//!   scores the contracts by the chance to win the match ([`super::match_equity`]). The sampled
//!   values are combined with the quick bidder's estimates in proportion to their noise, because
//!   the maximum of several noisy numbers is mostly the noisiest. Kuansh, sur, sacrifices, kaput,
//!   redeals and the information that a bid gives to the partner need no rules of their own: they
//!   are calls like others, and the auctions that follow them are played. Every house rule acts
//!   through [`Auction`] and `score`. Where a question leaves only bids that are no candidates, as
//!   the judging of a hopeless bid does, these are simulated instead.
//! - [`net`] is the common network, [`auction_features`] its input from the auction, [`model`] the
//!   learned numbers.
//!
//! The meaning of bids is learned by self-play: quick bidder and hand network are trained again on
//! the auctions of the bidder that results (expert iteration: Anthony, Tian, Barber 2017), see
//! [`super::learn`]. Bidding by simulating sampled deals to their end goes back to GIB (Ginsberg
//! 2001, "GIB: Imperfect information in a computationally challenging game"); learning
//! distributions from hands for the bidding of a trick-taking game follows Kermit (Buro, Long,
//! Furtak, Sturtevant 2009, "Improving state evaluation, inference, and search in trick-based card
//! games").
//!
//! # Levels
//!
//! Beginner counts jacks, aces and length, is sometimes too bold and sometimes too timid, and
//! ignores all calls. Easy uses the point count of `super::count`. Medium is the quick bidder
//! with random errors according to its odds. Strong and master are the thinking bidder; master
//! samples about four times as many deals.
//!
//! # Measured
//!
//! Bidding alone: both sides play cards at the same level (medium), duplicate deals, match points
//! per deal with standard error. The quick bidder is the one of medium, without its errors.
//!
//! | Players | Figure |
//! |---|---|
//! | easy against beginner | +8.0 (0.6), 400 deals |
//! | quick bidder against easy (point count) | +5.9 (0.55), 1,000 deals |
//! | thinking bidder, 64 deals, against easy | +6.3 (1.1), 250 deals |
//! | strong against `playouts-60`, cards as they are | +8.2 (1.6), 120 deals |
//! | master against strong (an earlier table) | +2.1 (1.0), 300 deals |
//!
//! [`Auction`]: super::super::auction::Auction

pub mod auction_features;
mod beginner_bids;
pub mod call_inference;
pub mod deals;
pub mod hand_net;
pub mod model;
pub mod net;
pub mod policy;
pub mod rollout;

use self::call_inference::CallListener;
use self::model::Model;
use self::rollout::{
    BidEffort, BidQuestion, ERROR, SimulatedCall, TRUST, Tally, best, bids_asked_for, candidates,
};
use super::super::action::BlotAction;
use super::super::auction::{AuctionCall, Contract};
use super::super::score::RoundScore;
use super::super::view::{BlotView, OwnHand};
use super::count;
use super::match_equity::{MatchState, POINTS};
use crate::rules::{Entropy, Seat};
use crate::search::{ComputerLevel, PlayerEvaluation, SeededRng, ThinkBudget};

/// The most batches of deals that are drawn when there is time. Beyond that, the remaining error
/// comes from the model of the other bidders ([`ERROR`]), which more deals do not reduce.
const BATCHES: usize = 24;

/// Chooses a call. `actions` are the calls to choose from, never empty.
pub fn call(
    view: &BlotView,
    own: &OwnHand,
    actions: &[BlotAction],
    level: ComputerLevel,
    budget: &ThinkBudget<'_>,
    rng: &mut SeededRng,
) -> PlayerEvaluation<BlotAction> {
    match level {
        ComputerLevel::Beginner => {
            counted(beginner_bids::first_game(view, own, actions, rng), actions)
        }
        ComputerLevel::Easy => counted(count::call(view, own, actions), actions),
        ComputerLevel::Medium => quick(view, own, actions, rng),
        ComputerLevel::Strong => {
            let effort = BidEffort { drawn: 300, kept: 32, calls: 5 };
            simulate_calls(view, own, actions, effort, budget, rng)
        }
        ComputerLevel::Master => {
            let effort = BidEffort { drawn: 1500, kept: 128, calls: 8 };
            simulate_calls(view, own, actions, effort, budget, rng)
        }
    }
}

/// Wraps a call that was chosen without search.
fn counted(call: AuctionCall, actions: &[BlotAction]) -> PlayerEvaluation<BlotAction> {
    let pass =
        [call, AuctionCall::Pass].map(BlotAction::Call).into_iter().find(|it| actions.contains(it));
    let action = pass.unwrap_or(actions[0]);
    PlayerEvaluation { action, score: 0, chance: 500, depth: 0, nodes: 1, line: vec![action] }
}

/// The calls of this round, ready to be compared with hands as they were dealt:
/// [`CallListener::weight`] is how well a hand agrees with them.
pub fn listen(view: &BlotView) -> CallListener<'static> {
    listener(Model::shipped(), view)
}

fn listener<'a>(model: &'a Model, view: &BlotView) -> CallListener<'a> {
    let dealer = view.dealer.map_or(0, |seat| seat.0);
    let calls = view.calls.iter().map(|(seat, call)| (seat.0, *call));
    CallListener::new(model, dealer, calls, &view.options.house())
}

/// The quick bidder, with random errors according to its odds.
fn quick(
    view: &BlotView,
    own: &OwnHand,
    actions: &[BlotAction],
    rng: &mut SeededRng,
) -> PlayerEvaluation<BlotAction> {
    let model = Model::shipped();
    let house = view.options.house();
    let listener = listener(model, view);
    let mut all = Vec::new();
    let sight = model.sight(own.cards, &house);
    model.weigh(&listener.talk, own.seat.0, &sight, &house, &mut all);
    all.retain(|it| actions.contains(&BlotAction::Call(it.call)));
    all.sort_by(|a, b| b.merit.total_cmp(&a.merit));
    policy::odds(&mut all);
    let mut remaining = rng.below(1 << 20) as f32 / (1u32 << 20) as f32;
    let chosen = all.iter().find(|it| {
        remaining -= it.merit;
        remaining < 0.0
    });
    counted(chosen.map_or(AuctionCall::Pass, |it| it.call), actions)
}

/// The bidder that simulates its calls.
fn simulate_calls(
    view: &BlotView,
    own: &OwnHand,
    actions: &[BlotAction],
    effort: BidEffort,
    budget: &ThinkBudget<'_>,
    rng: &mut SeededRng,
) -> PlayerEvaluation<BlotAction> {
    let model = Model::shipped();
    let house = view.options.house();
    let listener = listener(model, view);
    let dealer = listener.talk.dealer();
    let now = MatchState::from_view(view);
    let redeal = usize::from((dealer + if house.redeal_same { 1 } else { 2 }) & 1);
    let chance_after = |score: &RoundScore, contract: Contract| {
        POINTS * model.equity.after(&now, score.points, contract.team(), &house)
    };
    let question = BidQuestion {
        seat: own.seat.0,
        hand: own.cards,
        listener: &listener,
        house: &house,
        utility: &chance_after,
        thrown_in: POINTS * model.equity.chance(view.totals, redeal, &house),
    };
    let mut calls = candidates(&question, model, effort.calls);
    calls.retain(|it| actions.contains(&BlotAction::Call(it.call)));
    if calls.is_empty() {
        // An analysis asks for the value of a bid that no strong player would consider.
        let asked = actions.iter().filter_map(|it| match it {
            BlotAction::Call(call) => Some(*call),
            BlotAction::Card(_)
            | BlotAction::Announce
            | BlotAction::AnnounceOther
            | BlotAction::Show => None,
        });
        calls = bids_asked_for(&question, model, asked, effort.calls);
    }
    if calls.is_empty() {
        return counted(AuctionCall::Pass, actions);
    }
    let single = calls.len() == 1;
    let effort = effort.within(budget);
    let mut tally = Tally::new(calls);
    for _ in 0..if budget.goes_on() { BATCHES } else { 1 } {
        tally.explore(&question, model, effort, budget, rng);
        if single || budget.is_spent(tally.nodes()) {
            break;
        }
    }
    // Merits are in match points, which are less accurate near the end of a match.
    let is_late = view.totals.iter().any(|total| total + 60 > house.target);
    let values = tally.values(if is_late { 4.0 * TRUST } else { TRUST }, ERROR);
    let Some(best) = best(&values) else { return counted(AuctionCall::Pass, actions) };
    let now = POINTS * model.equity.chance(view.totals, 1 - now.next, &house);
    evaluation_of(best, now, BlotView::team(Seat(own.seat.0)), tally.nodes())
}

/// The evaluation of the best call: the chance of the side, and the difference in match points to
/// the value of the match before the deal.
fn evaluation_of(
    best: SimulatedCall,
    before: f32,
    side: usize,
    nodes: u64,
) -> PlayerEvaluation<BlotAction> {
    let sign = if side == 0 { 1.0 } else { -1.0 };
    let chance = if side == 0 { best.value / POINTS } else { 1.0 + best.value / POINTS };
    let action = BlotAction::Call(best.call);
    PlayerEvaluation {
        action,
        score: (100.0 * (best.value - sign * before)).round() as i32,
        chance: (1000.0 * chance).round().clamp(0.0, 1000.0) as u16,
        depth: 0,
        nodes,
        line: vec![action],
    }
}
