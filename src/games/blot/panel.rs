//! Buttons of the auction, and a hand in the usual order.

use super::action::BlotAction;
use super::auction::{AuctionCall, Bid, Contract};
use super::card::{Card, Suit, Trump, each};
use super::options::House;
use super::score::stake;
use super::view::BlotView;

/// Numbers on the board itself, and on every further page; a row each.
const NUMBERS_FIRST: usize = 3;
const NUMBERS_MORE: usize = 4;

/// Suits in a row of buttons, as the rule text lists them: khach, kyap, gharr, sirt, boy.
const ROW: [Trump; 5] = [
    Trump::Suit(Suit::Clubs),
    Trump::Suit(Suit::Diamonds),
    Trump::Suit(Suit::Spades),
    Trump::Suit(Suit::Hearts),
    Trump::Boy,
];

/// Rows of buttons of a page, and how many pages there are. Page 0 has the three lowest numbers,
/// one row each, and pass, kuansh, sur; page 1 the next numbers, page 2 the lowest kaputs, and so
/// on. Cards and combinations are never among them, because they would reveal a hand.
pub fn panel(actions: &[BlotAction], page: u8) -> (Vec<Vec<BlotAction>>, u8) {
    let plain = rows(actions, false);
    let kaput = rows(actions, true);
    let (first, rest) = if plain.is_empty() { (kaput, plain) } else { (plain, kaput) };
    let mut pages = vec![first.iter().take(NUMBERS_FIRST).cloned().collect::<Vec<_>>()];
    let words = [AuctionCall::Pass, AuctionCall::Kuansh, AuctionCall::Sur].map(BlotAction::Call);
    let words: Vec<BlotAction> = words.into_iter().filter(|it| actions.contains(it)).collect();
    pages[0].extend((!words.is_empty()).then_some(words));
    let mut more = first[first.len().min(NUMBERS_FIRST)..].chunks(NUMBERS_MORE);
    let mut other = rest.chunks(NUMBERS_MORE);
    pages.extend(more.next().map(<[_]>::to_vec));
    pages.extend(other.next().map(<[_]>::to_vec));
    pages.extend(more.chain(other).map(<[_]>::to_vec));
    let count = u8::try_from(pages.len()).unwrap_or(u8::MAX);
    let page = usize::from(page.min(count - 1));
    (pages.swap_remove(page), count)
}

/// The bids with or without kaput, a row for each number, the lowest first.
fn rows(actions: &[BlotAction], kaput: bool) -> Vec<Vec<BlotAction>> {
    let mut bids: Vec<Bid> = actions
        .iter()
        .filter_map(|action| match action {
            BlotAction::Call(AuctionCall::Bid(bid)) if bid.kaput == kaput => Some(*bid),
            _ => None,
        })
        .collect();
    bids.sort_by_key(|bid| (bid.x, ROW.iter().position(|it| *it == bid.trump)));
    let rows = bids.chunk_by(|a, b| a.x == b.x);
    rows.map(|row| row.iter().map(|bid| BlotAction::Call(AuctionCall::Bid(*bid))).collect())
        .collect()
}

/// Sorts a hand in the usual order: colours alternate, trumps come first where that is possible, in
/// a suit the strongest first.
pub fn sorted(cards: u32, trump: Option<Trump>) -> Vec<Card> {
    let trump_suit = trump.and_then(Trump::suit);
    let mut suits: Vec<Suit> = [Suit::Spades, Suit::Clubs, Suit::Hearts, Suit::Diamonds]
        .into_iter()
        .filter(|suit| cards & suit.cards() != 0)
        .collect();
    suits.sort_by_key(|suit| Some(*suit) != trump_suit);
    let is_red = |suit: &Suit| matches!(suit, Suit::Hearts | Suit::Diamonds);
    let (mut red, mut black): (Vec<Suit>, Vec<Suit>) = suits.iter().partition(|it| is_red(it));
    let red_first = match red.len().cmp(&black.len()) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => suits.first().is_some_and(is_red),
    };
    let mut order = Vec::with_capacity(4);
    while !red.is_empty() || !black.is_empty() {
        let from_red = if order.len() % 2 == 0 { red_first } else { !red_first };
        let from =
            if (from_red || black.is_empty()) && !red.is_empty() { &mut red } else { &mut black };
        order.push(from.remove(0));
    }
    let strength = trump.unwrap_or(Trump::Boy);
    order
        .into_iter()
        .flat_map(|suit| {
            let mut of_suit: Vec<Card> = each(cards & suit.cards()).collect();
            of_suit.sort_by_key(|card| std::cmp::Reverse(card.strength(strength)));
            of_suit
        })
        .collect()
}

/// The cards of a seat as actions. With combinations by hand, the actions about them come after
/// the cards, possible or not: their number must not reveal the hand.
pub fn hand(view: &BlotView) -> Vec<BlotAction> {
    let Some(own) = &view.own else { return Vec::new() };
    let trump = view.contract.map(|it| it.bid.trump).filter(|_| view.is_play());
    let by_hand = view.is_play() && view.options.value("manual_melds") == "true";
    let melds: &[BlotAction] = match view.taken[0] + view.taken[1] {
        0 if by_hand => &[BlotAction::Announce, BlotAction::AnnounceOther],
        1 if by_hand => &[BlotAction::Show],
        // Everybody knows who has announced and not shown.
        2 if own.meld_actions.contains(&BlotAction::Show) => &[BlotAction::Show],
        _ => &[],
    };
    let cards = sorted(own.cards, trump).into_iter().map(BlotAction::Card);
    cards.chain(melds.iter().copied()).collect()
}

/// The multiplier of a contract, by kuansh, sur and the house rule for boy (D17).
pub fn times(contract: &Contract, house: &House) -> u16 {
    stake(contract, house) / u16::from(contract.bid.x).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Token;

    fn set(cards: &str) -> u32 {
        cards.split(' ').fold(0, |set, card| set | Card::read(card).unwrap().bit())
    }

    fn shown(cards: &str, trump: Option<Trump>) -> String {
        let cards = sorted(set(cards), trump);
        cards.into_iter().map(Card::write).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn colours_alternate_in_a_hand_and_trumps_come_first() {
        let hearts = Some(Trump::Suit(Suit::Hearts));
        assert_eq!(shown("7C 9H JH AS 10S 8D", hearts), "JH 9H AS 10S 8D 7C");
        assert_eq!(shown("7C 9H JH AS 10S", hearts), "AS 10S JH 9H 7C");
        assert_eq!(shown("9H JH AH 10H KH", None), "AH 10H KH JH 9H");
        assert_eq!(shown("7H 7D", hearts), "7H 7D");
    }

    #[test]
    fn the_board_offers_the_three_lowest_numbers_and_pass() {
        let all = (8..=84).flat_map(|x| ROW.map(|trump| (x, trump)));
        let mut actions: Vec<BlotAction> = all
            .flat_map(|(x, trump)| [false, true].map(|kaput| Bid { x, trump, kaput }))
            .filter(|bid| !bid.kaput || bid.x >= 25)
            .map(|bid| BlotAction::Call(AuctionCall::Bid(bid)))
            .collect();
        actions.push(BlotAction::Call(AuctionCall::Pass));
        let (rows, pages) = panel(&actions, 0);
        let text =
            |row: &Vec<BlotAction>| row.iter().map(Token::write).collect::<Vec<_>>().join(" ");
        let rows: Vec<String> = rows.iter().map(text).collect();
        let expected = ["8c 8d 8s 8h 8b", "9c 9d 9s 9h 9b", "10c 10d 10s 10h 10b", "pass"];
        assert_eq!(rows, expected);
        assert_eq!(text(&panel(&actions, 2).0[0]), "25ck 25dk 25sk 25hk 25bk");
        let offered: usize =
            (0..pages).flat_map(|page| panel(&actions, page).0).map(|row| row.len()).sum();
        assert_eq!(offered, actions.len(), "everything is somewhere");
    }
}
