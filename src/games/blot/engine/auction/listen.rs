//! What the calls of the others say about their cards.

use super::super::super::auction::Call;
use super::super::super::options::House;
use super::features::Talk;
use super::hands::Sight;
use super::model::Model;
use super::policy::{self, Weighed};

/// Odds that nobody falls below: people bid otherwise than the program.
const FLOOR: f32 = 0.01;

/// One call as its owner's hand explains it.
#[derive(Clone, Debug)]
struct Heard {
    seat: u8,
    call: Call,
    before: Talk,
    hearing: Sight,
}

/// All calls of an auction, ready to be compared with many hands.
#[derive(Clone, Debug)]
pub struct Listener<'a> {
    model: &'a Model,
    house: House,
    heard: Vec<Heard>,
    /// The auction so far.
    pub talk: Talk,
}

impl<'a> Listener<'a> {
    /// Listens to these calls after a deal of this seat.
    pub fn new(
        model: &'a Model,
        dealer: u8,
        calls: impl IntoIterator<Item = (u8, Call)>,
        house: &House,
    ) -> Self {
        let mut listener =
            Self { model, house: *house, heard: Vec::new(), talk: Talk::new(dealer) };
        for (seat, call) in calls {
            listener.hear(seat, call);
        }
        listener
    }

    /// Hears a further call.
    pub fn hear(&mut self, seat: u8, call: Call) {
        let hearing = self.model.hearing(&self.talk, seat);
        self.heard.push(Heard { seat, call, before: self.talk.clone(), hearing });
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
    pub fn weight_of(&self, seat: u8, sight: &Sight, all: &mut Vec<Weighed>) -> f32 {
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
fn of_call(all: &[Weighed], call: Call) -> f32 {
    let exact = all.iter().find(|it| it.call == call);
    let exact = exact.map(|it| it.merit);
    exact.unwrap_or_else(|| {
        let Call::Bid(said) = call else { return 0.0 };
        let same = |it: &&Weighed| match it.call {
            Call::Bid(bid) => bid.trump == said.trump,
            Call::Pass | Call::Kuansh | Call::Sur => false,
        };
        all.iter().rfind(same).map_or(0.0, |it| it.merit)
    })
}
