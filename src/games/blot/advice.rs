//! Hints for a first game: whether to bid, which cards are legal and which take the trick. No
//! search: only the hand and the table.

use super::auction::{BidRange, ContractLevel};
use super::card::{Card, Suit, Trump, each, rank};
use super::view::{BlotStage, BlotView, OwnHand};
use crate::rules::Seat;
use crate::text::{Arg, Text};

/// With this many trumps, the jack among them, a hint suggests a bid.
const ENOUGH: u32 = 3;

/// The highest number that a hint suggests is this, plus one for each trump and each other ace.
const NUMBER: u32 = 6;

/// One sentence for the auction or for the trick.
pub fn advice(view: &BlotView, seat: Seat) -> Vec<Text> {
    let Some(own) = view.own.as_ref().filter(|_| view.turn == Some(seat)) else {
        return Vec::new();
    };
    match view.stage {
        BlotStage::Auction => vec![bid(view, own)],
        BlotStage::Play => card(view, own).into_iter().collect(),
        BlotStage::Deal | BlotStage::Over(_) => Vec::new(),
    }
}

/// The advice for the auction: a bid of the own side stays, and where no ordinary bid is possible,
/// none is suggested.
fn bid(view: &BlotView, own: &OwnHand) -> Text {
    let house = view.options.house();
    let is_own = |seat: u8| BlotView::team(Seat(seat)) == BlotView::team(own.seat);
    if let Some(standing) = view.contract.filter(|it| is_own(it.seat)) {
        let may_sur = !house.sur_by_bidder || standing.seat == own.seat.0;
        let is_asked = standing.level == ContractLevel::Kuansh && may_sur;
        return Text::new(if is_asked { "blot-coach-answer" } else { "blot-coach-own-bid" });
    }
    let Some(bounds) = view.bounds else {
        let may_doubt = view.contract.is_some_and(|it| it.level == ContractLevel::Plain);
        return Text::new(if may_doubt { "blot-coach-no-bid" } else { "blot-bid-none" });
    };
    if bounds.kaput_only {
        return Text::new("blot-coach-kaput");
    }
    trump_bid(own, bounds, house.min_bid)
}

/// The best suit for a trump, and whether it is good enough.
fn trump_bid(own: &OwnHand, bounds: BidRange, min_bid: u8) -> Text {
    let worth = |suit: &Suit| -> u32 {
        let trumps = each(own.cards & suit.cards());
        trumps.map(|card| u32::from(card.points(Trump::Suit(*suit))) + 4).sum()
    };
    let best = Suit::ALL.into_iter().max_by_key(worth).unwrap_or(Suit::Hearts);
    let trumps = own.cards & best.cards();
    let cards: Vec<String> = each(trumps).map(Card::sign).collect();
    let jack = trumps & Card::new(best, rank::JACK).bit() != 0;
    if !jack || trumps.count_ones() < ENOUGH {
        return Text::new("blot-coach-pass").with("cards", cards.join(" "));
    }
    let aces = each(own.cards & !best.cards()).filter(|it| it.rank() == rank::ACE).count() as u32;
    let most = (NUMBER + trumps.count_ones() + aces).max(min_bid.into());
    let lowest = bounds.lowest_in(Trump::Suit(best));
    let may_bid = u32::from(lowest) <= most && lowest <= bounds.highest;
    Text::new(if may_bid { "blot-coach-bid" } else { "blot-coach-high" })
        .with("cards", cards.join(" "))
        .with("bid", format!("{lowest}{}", best.sign()))
}

/// The legal cards, and their effect.
fn card(view: &BlotView, own: &OwnHand) -> Option<Text> {
    let trump = view.contract?.bid.trump;
    let legal: Vec<Card> = each(own.legal).collect();
    let with = |key: &'static str, card: Card| Text::new(key).with("card", card.sign());
    if let [only] = *legal {
        return Some(with("blot-coach-only", only));
    }
    let is_trump = |it: &Card| trump.suit() == Some(it.suit());
    let cheap =
        legal.iter().min_by_key(|it| (it.points(trump), is_trump(it), it.strength(trump)))?;
    let Some(holding) = view.holding else {
        let safe =
            legal.iter().find(|it| it.beaten_in_suit_by(trump) & !(view.gone | own.cards) == 0);
        let is_low = |it: &Card| !is_trump(it) && it.rank() != rank::ACE && it.rank() != rank::TEN;
        return Some(match safe {
            Some(card) => with("blot-coach-lead-safe", *card),
            None if legal.iter().any(is_low) => Text::new("blot-coach-lead"),
            None => with("blot-coach-lead-cheap", *cheap),
        });
    };
    let held = view.table.iter().find(|(seat, _)| *seat == holding)?.1;
    let beats = |it: &&Card| match it.suit() == held.suit() {
        true => held.beaten_in_suit_by(trump) & it.bit() != 0,
        false => trump.suit() == Some(it.suit()),
    };
    let unseen = !(view.gone | own.cards);
    let is_last = view.table.len() == 3;
    // Nobody who still plays can beat it.
    let is_enough = |it: &&Card| {
        let may_be_cut = trump.suit() != Some(it.suit()) && unseen & trump.cards() != 0;
        is_last || (it.beaten_in_suit_by(trump) & unseen == 0 && !may_be_cut)
    };
    if BlotView::team(holding) == BlotView::team(own.seat) {
        // Trumps take tricks of their own.
        let plain = legal.iter().filter(|it| !is_trump(it) && it.points(trump) > 0);
        let dear = plain.max_by_key(|it| it.points(trump)).filter(|_| is_enough(&&held));
        let text = match dear {
            Some(card) => with("blot-coach-partner", *card),
            None => with("blot-coach-partner-cheap", *cheap),
        };
        return Some(text.with("name", Arg::Seat(holding.0)));
    }
    let taking = || legal.iter().filter(beats);
    let enough = taking().filter(is_enough).min_by_key(|it| it.strength(trump));
    let holding = taking().min_by_key(|it| it.strength(trump));
    Some(match (enough, holding) {
        (Some(card), _) => with("blot-coach-take", *card),
        (None, Some(card)) => with("blot-coach-hold", *card),
        (None, None) => with("blot-coach-lose", *cheap),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blot::{Blot, BlotAction, BlotOptions, Deal};
    use crate::rules::{Node, Rules, Token, Viewer};

    const HANDS: [&str; 4] = [
        "8S 9S 10S 7C 8C 7D 8D AH",
        "9H 10H JH QH 9C AC 9D 10D",
        "QC KC 10C JD QD 7H 8H AS",
        "JC AD KD KH 7S JS QS KS",
    ];

    /// The sentence after these steps, with the card or the bid that it names.
    fn said(options: &str, steps: &str) -> String {
        said_to(HANDS, options, steps)
    }

    fn said_to(hands: [&str; 4], options: &str, steps: &str) -> String {
        let set = |cards: &str| {
            cards.split(' ').fold(0, |set, card| set | Card::read(card).unwrap().bit())
        };
        let mut game = Blot::start(&BlotOptions::read(options).unwrap(), 4).unwrap();
        let deal = Deal { dealer: Some(3), hands: hands.map(set) };
        game.apply_chance(&deal, &mut Vec::new()).unwrap();
        let turn = |game: &Blot| match game.node() {
            Node::Act(seat) => seat,
            it => panic!("nobody's turn: {it:?}"),
        };
        for token in steps.split_whitespace() {
            let seat = turn(&game);
            let action = BlotAction::read(token).unwrap();
            game.apply_action(seat, &action, &mut Vec::new()).unwrap();
        }
        let seat = turn(&game);
        let texts = advice(&game.view(Viewer::Seat(seat)), seat);
        let [text] = &texts[..] else { panic!("{steps}: {texts:?}") };
        let named = text.args.iter().find_map(|(name, arg)| match arg {
            Arg::Plain(words) if *name == "card" || *name == "bid" => Some(words.as_str()),
            _ => None,
        });
        [&*text.key].into_iter().chain(named).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_sentence_of_the_auction_is_true() {
        for (steps, expected) in [
            ("", "blot-coach-pass"),
            ("pass", "blot-coach-bid 8♥"),
            // Four trumps and the ace of clubs are good for 11.
            ("10d", "blot-coach-bid 11♥"),
            ("11d", "blot-coach-high 12♥"),
            ("18s", "blot-coach-high 19♥"),
            ("pass 8h pass", "blot-coach-own-bid"),
            ("9d kuansh", "blot-coach-answer"),
            ("25dk", "blot-coach-kaput"),
            ("84d", "blot-coach-no-bid"),
        ] {
            assert_eq!(said("standard", steps), expected, "{steps}");
        }
        let ranked = "suit_rank=true";
        assert_eq!(said(ranked, "11d"), "blot-coach-bid 11♥");
        assert_eq!(said(ranked, "11s"), "blot-coach-high 12♥");
        assert_eq!(said("bid_after_kuansh=true", "9d kuansh pass"), "blot-coach-bid 10♠");
        let by_bidder = "sur_by=bidder,bid_after_kuansh=true";
        assert_eq!(said(by_bidder, "9d kuansh"), "blot-coach-own-bid");
        assert_eq!(said("max_bid=16,bid_after_kuansh=true", "16d kuansh pass"), "blot-bid-none");
    }

    #[test]
    fn each_sentence_of_a_trick_is_true() {
        let clubs = |cards: &str| said("standard", &format!("9c pass pass pass {cards}"));
        for (cards, expected) in [
            ("", "blot-coach-lead-safe A♥"),
            ("AH", "blot-coach-lose 9♥"),
            // The last player may cut it.
            ("AH 9H", "blot-coach-partner-cheap 7♥"),
            ("AH 9H 7H", "blot-coach-only K♥"),
            // The last player gives points to the partner who has cut.
            ("8S 9C AS", "blot-coach-partner K♠"),
            // Not the nine of trumps, and nothing while the ace may come.
            ("7C AC QC JC KS 8S", "blot-coach-partner-cheap 9♦"),
            // Others still play: a higher diamond or a trump may come.
            ("7D", "blot-coach-hold 9♦"),
            ("7D 9D JD", "blot-coach-take K♦"),
        ] {
            assert_eq!(clubs(cards), expected, "{cards}");
        }
        assert_eq!(said("standard", "9h pass pass pass"), "blot-coach-lead");
        // Without a trump nothing beats the ace of the suit that was led.
        assert_eq!(said("standard", "9b pass pass pass 7C"), "blot-coach-take A♣");
    }

    #[test]
    fn a_leader_without_a_low_plain_card_is_not_told_to_play_one() {
        let hands = [
            "7S 8S 10S QS KS 10H 10D 10C",
            "9S JS AS 7H 8H 9H JH QH",
            "KH AH 7D 8D 9D JD QD KD",
            "AD 7C 8C 9C JC QC KC AC",
        ];
        let spades = said_to(hands, "standard", "9s pass pass pass");
        assert_eq!(spades, "blot-coach-lead-cheap 7♠");
        assert_eq!(said_to(hands, "standard", "9h pass pass pass"), "blot-coach-lead");
    }
}
