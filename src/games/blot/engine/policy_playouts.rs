//! Plays a round on by the card policy, until few enough cards are left to solve it quickly.

use super::super::card::Card;
use super::super::tricks::Tricks;
use super::card_policy::{CardPolicy, PublicPlay};
use super::packed::Packing;

/// The tricks that are left to be solved, which takes a few microseconds.
const SOLVED_TRICKS: u8 = 3;

/// Plays rounds on by the most likely cards.
pub(super) struct PolicyPlayouts<'a> {
    pub policy: &'a CardPolicy,
    pub packing: &'a Packing,
}

impl PolicyPlayouts<'_> {
    /// The round after this card and those that follow, up to the first end of a trick with at most
    /// three tricks left; `public` is what everybody sees before the card.
    pub fn play(&self, tricks: &Tricks, public: &PublicPlay, card: Card) -> Tricks {
        let packing = self.packing;
        let mut hands = tricks.hands().map(|hand| packing.pack(hand));
        let mut tricks = *tricks;
        let mut public = *public;
        let mut card = u32::from(packing.card(card));
        loop {
            tricks.play(packing.unpack(card as u8));
            hands[public.seat()] &= !(1 << card);
            public.put(card, packing);
            if public.at == 0 && tricks.tricks_played() + SOLVED_TRICKS >= 8 {
                return tricks;
            }
            let hand = hands[public.seat()];
            let legal = public.legal(hand, packing, tricks.undertrump());
            card = self.policy.best(hand, legal, &public, packing);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::action::Deal;
    use super::super::super::card::{Trump, each};
    use super::super::auction::model::Model;
    use super::*;
    use crate::search::SeededRng;

    #[test]
    fn rounds_are_played_on_by_the_rules_until_three_cards_are_left() {
        let mut rng = SeededRng::new(3);
        for trump in Trump::ALL.into_iter().cycle().take(50) {
            let packing = Packing::new(trump);
            let playouts = PolicyPlayouts { policy: &Model::shipped().cards, packing: &packing };
            let tricks = Tricks::new(Deal::draw(&mut rng, false).hands, trump, 1, false);
            for card in each(tricks.legal()) {
                let after = playouts.play(&tricks, &PublicPlay::new(1, 2), card);
                assert_eq!(after.hands().map(u32::count_ones), [3; 4]);
                assert!(after.table().is_empty());
                let [ours, theirs] = after.points();
                assert!(ours + theirs <= 152);
            }
        }
    }

    #[test]
    fn near_the_end_only_the_trick_is_finished() {
        let packing = Packing::new(Trump::Boy);
        let playouts = PolicyPlayouts { policy: &Model::shipped().cards, packing: &packing };
        let mut rng = SeededRng::new(4);
        let hands = Deal::draw(&mut rng, false).hands;
        let mut tricks = Tricks::new(hands, Trump::Boy, 0, false);
        let mut public = PublicPlay::new(0, 0);
        for _ in 0..26 {
            let card = each(tricks.legal()).next().expect("a seat to move has a card");
            tricks.play(card);
            public.put(u32::from(packing.card(card)), &packing);
        }
        let card = each(tricks.legal()).next().expect("a seat to move has a card");
        let after = playouts.play(&tricks, &public, card);
        assert_eq!((after.tricks_played(), after.table().len()), (7, 0));
    }
}
