//! What the calls of the others say about their cards.

use super::super::super::auction::AuctionCall;
use super::super::super::options::House;
use super::auction_features::AuctionFeatures;
use super::hand_net::HandSums;
use super::model::Model;
use super::policy::{self, Weighed};

/// Odds that nobody falls below: people bid otherwise than the program.
const FLOOR: f32 = 0.01;

/// One call as its owner's hand explains it.
#[derive(Clone, Debug)]
struct ExplainedCall {
    seat: u8,
    call: AuctionCall,
    before: AuctionFeatures,
    hearing: HandSums,
}

/// All calls of an auction, ready to be compared with many hands.
#[derive(Clone, Debug)]
pub struct CallListener<'a> {
    model: &'a Model,
    house: House,
    heard: Vec<ExplainedCall>,
    /// The auction so far.
    pub talk: AuctionFeatures,
}

impl<'a> CallListener<'a> {
    /// Listens to these calls after a deal of this seat.
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

    /// Hears a further call.
    pub fn hear(&mut self, seat: u8, call: AuctionCall) {
        let hearing = self.model.hearing(&self.talk, seat);
        self.heard.push(ExplainedCall { seat, call, before: self.talk.clone(), hearing });
        self.talk.call(seat, call, &self.house);
    }

    /// Whether a seat has said anything.
    pub fn has_spoken(&self, seat: u8) -> bool {
        self.heard.iter().any(|heard| heard.seat == seat)
    }

    /// How likely a seat would have said all that it said, had it been dealt this hand; between 0
    /// and 1, and 1 for a seat that has not spoken. Only ratios between hands mean anything.
    pub fn weight(&self, seat: u8, dealt: u32) -> f32 {
        if !self.has_spoken(seat) {
            return 1.0;
        }
        let sight = self.model.sight(dealt, &self.house);
        self.weight_of(seat, &sight, &mut Vec::new())
    }

    /// The same for a hand that was looked at already.
    pub fn weight_of(&self, seat: u8, sight: &HandSums, all: &mut Vec<Weighed>) -> f32 {
        let mut weight = 1.0;
        for heard in self.heard.iter().filter(|heard| heard.seat == seat) {
            let guesses = self.model.guesses(sight, &heard.hearing);
            let weights = &self.model.weights;
            policy::weigh(weights, &heard.before, seat, &guesses, &self.house, all);
            policy::odds(all);
            weight *= FLOOR + (1.0 - FLOOR) * of_call(all, heard.call);
        }
        weight
    }
}

/// The odds of a call. A number that the quick bidder does not think of, or a kaput, is heard as
/// the highest bid in its trump.
fn of_call(all: &[Weighed], call: AuctionCall) -> f32 {
    let exact = all.iter().find(|it| it.call == call);
    let exact = exact.map(|it| it.merit);
    exact.unwrap_or_else(|| {
        let AuctionCall::Bid(said) = call else { return 0.0 };
        let same = |it: &&Weighed| match it.call {
            AuctionCall::Bid(bid) => bid.trump == said.trump,
            AuctionCall::Pass | AuctionCall::Kuansh | AuctionCall::Sur => false,
        };
        all.iter().rfind(same).map_or(0.0, |it| it.merit)
    })
}
