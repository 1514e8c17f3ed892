//! Infers from the calls of the other seats how likely they hold given cards.

use super::super::super::auction::AuctionCall;
use super::super::super::options::House;
use super::auction_features::AuctionFeatures;
use super::hand_net::HandSums;
use super::model::Model;
use super::policy::{self, CallEstimate};

/// The lower limit of the odds of a call: people bid differently from the program.
const FLOOR: f32 = 0.01;

/// One call with everything needed to compute its odds for a hand.
#[derive(Clone, Debug)]
struct ExplainedCall {
    seat: u8,
    call: AuctionCall,
    before: AuctionFeatures,
    hearing: HandSums,
}

/// All calls of an auction, prepared for comparison with many hands.
#[derive(Clone, Debug)]
pub struct CallListener<'a> {
    model: &'a Model,
    house: House,
    heard: Vec<ExplainedCall>,
    /// The auction so far.
    pub talk: AuctionFeatures,
}

impl<'a> CallListener<'a> {
    /// Starts with these calls, after a deal by `dealer`.
    pub fn new(
        model: &'a Model,
        dealer: u8,
        calls: impl IntoIterator<Item = (u8, AuctionCall)>,
        house: &House,
    ) -> Self {
        let mut listener =
            Self { model, house: *house, heard: Vec::new(), talk: AuctionFeatures::new(dealer) };
        for (seat, call) in calls {
            listener.hear(seat, call);
        }
        listener
    }

    /// Adds a call.
    pub fn hear(&mut self, seat: u8, call: AuctionCall) {
        let hearing = self.model.hearing(&self.talk, seat);
        self.heard.push(ExplainedCall { seat, call, before: self.talk.clone(), hearing });
        self.talk.call(seat, call, &self.house);
    }

    /// Whether a seat has made a call.
    pub fn has_spoken(&self, seat: u8) -> bool {
        self.heard.iter().any(|heard| heard.seat == seat)
    }

    /// The probability that a seat would have made all its calls with this hand as dealt: between 0
    /// and 1, and 1 for a seat that has not called. Only ratios between hands have a meaning.
    pub fn weight(&self, seat: u8, dealt: u32) -> f32 {
        if !self.has_spoken(seat) {
            return 1.0;
        }
        let sight = self.model.sight(dealt, &self.house);
        self.weight_of(seat, &sight, &mut Vec::new())
    }

    /// The same for a hand whose hidden sums are already computed.
    pub fn weight_of(&self, seat: u8, sight: &HandSums, all: &mut Vec<CallEstimate>) -> f32 {
        let mut weight = 1.0;
        for heard in self.heard.iter().filter(|heard| heard.seat == seat) {
            let estimates = self.model.guesses(sight, &heard.hearing);
            let weights = &self.model.weights;
            policy::weigh(weights, &heard.before, seat, &estimates, &self.house, all);
            policy::odds(all);
            weight *= FLOOR + (1.0 - FLOOR) * of_call(all, heard.call);
        }
        weight
    }
}

/// The odds of a call. A number that the quick bidder does not consider, or a kaput, counts as the
/// highest bid in its trump.
fn of_call(all: &[CallEstimate], call: AuctionCall) -> f32 {
    let exact = all.iter().find(|it| it.call == call);
    let exact = exact.map(|it| it.merit);
    exact.unwrap_or_else(|| {
        let AuctionCall::Bid(bid_made) = call else { return 0.0 };
        let same_trump = |it: &&CallEstimate| match it.call {
            AuctionCall::Bid(bid) => bid.trump == bid_made.trump,
            AuctionCall::Pass | AuctionCall::Kuansh | AuctionCall::Sur => false,
        };
        all.iter().rfind(same_trump).map_or(0.0, |it| it.merit)
    })
}
