//! The picture and texts of a deal that is over, with all four hands as they were dealt.

use super::action::Deal;
use super::auction::Contract;
use super::card::Card;
use super::panel::sorted;
use super::round::BlotFact;
use super::scene::{card_name, short_name, suit_name};
use super::view::BlotView;
use super::wording;
use crate::RevealedDeal;
use crate::rules::Seat;
use crate::scene::{Align, Scene, SceneLabel, Sprite};
use crate::text::{Arg, Text};

/// Size of the sheet in units: a row for each seat.
const SHEET: (u16, u16) = (1080, 760);
const ROW: i16 = 152;
const TOP: i16 = 152;
const CARD: (u16, u16) = (96, 134);
const STEP: i16 = 84;
const FIRST: i16 = 368;
/// The left end of names, and their largest width.
const NAME: (i16, u16) = (88, 210);

/// All hands, when these facts ended the deal or the table ended the game. Before that only the
/// owner of a hand knows it.
pub fn reveal_deal(
    view: &BlotView,
    facts: Option<&[BlotFact]>,
    deal: &Deal,
    names: &[String],
) -> Option<RevealedDeal> {
    let mut contract = view.contract;
    let mut result = Vec::new();
    if let Some(facts) = facts {
        let over =
            facts.iter().find(|it| matches!(it, BlotFact::Scored(_) | BlotFact::ThrownIn))?;
        contract = match over {
            BlotFact::Scored(summary) => Some(summary.played.contract),
            _ => None,
        };
        result = wording::fact(over, &view.options);
        result.truncate(1);
    }
    let trump = contract.map(|it| it.bid.trump);
    let hands = deal.hands.map(|hand| sorted(hand, trump));
    let line = |(seat, hand): (u8, &Vec<Card>)| {
        let cards: Vec<String> = hand.iter().map(|it| it.sign()).collect();
        let text = Text::new("blot-laid-hand").with("name", Arg::Seat(seat));
        text.with("cards", cards.join(" "))
    };
    Some(RevealedDeal {
        hands: (0..).zip(&hands).map(line).collect(),
        result,
        scene: scene(&hands, contract, names),
    })
}

/// The hands one below the other, the bid beside the name of the bidder.
fn scene(hands: &[Vec<Card>; 4], contract: Option<Contract>, names: &[String]) -> Scene {
    let mut scene = Scene::new(SHEET.0, SHEET.1);
    let width = SHEET.0;
    let height = SHEET.1;
    scene.add(Sprite::new("blot-table", 540, 380, width, height));
    for ((seat, hand), y) in (0..4u8).zip(hands).zip((TOP..).step_by(ROW as usize)) {
        let name = short_name(names, Seat(seat).index());
        let label = SceneLabel::new(name, NAME.0, y, 36, "name").aligned(Align::Start);
        scene.add(label.fitted(NAME.1));
        if let Some(contract) = contract.filter(|it| it.seat == seat) {
            let below = y + 46;
            scene.add(Sprite::new(suit_name(contract.bid.trump), NAME.0 + 22, below, 44, 44));
            let number = contract.bid.x.to_string();
            scene.add(
                SceneLabel::new(number, NAME.0 + 56, below, 34, "score").aligned(Align::Start),
            );
        }
        for (card, x) in hand.iter().zip((FIRST..).step_by(STEP as usize)) {
            scene.add(Sprite::new(card_name(*card), x, y, CARD.0, CARD.1));
        }
    }
    scene
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blot::{AuctionCall, Blot, BlotAction, BlotOptions};
    use crate::rules::{Entropy, Node, Rules, Viewer};

    struct Zero;

    impl Entropy for Zero {
        fn below(&mut self, _n: u32) -> u32 {
            0
        }
    }

    #[test]
    fn hands_are_revealed_only_after_the_deal() {
        let mut game = Blot::start(&BlotOptions::default(), 4).unwrap();
        let deal = game.draw_chance(&mut Zero);
        let mut facts = Vec::new();
        game.apply_chance(&deal, &mut facts).unwrap();
        let mut passes = 0;
        loop {
            let view = game.view(Viewer::Public);
            let open = reveal_deal(&view, Some(&facts), &deal, &[]);
            let Node::Act(seat) = game.node() else {
                let open = open.expect("the deal is over after four passes");
                assert_eq!(open.hands.len(), 4);
                assert!(open.scene.items.len() > 32);
                break;
            };
            assert_eq!(open, None, "after {passes} passes");
            facts.clear();
            game.apply_action(seat, &BlotAction::Call(AuctionCall::Pass), &mut facts).unwrap();
            passes += 1;
        }
        assert_eq!(passes, 4);
    }
}
