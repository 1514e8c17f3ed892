//! Actions of a seat and outcomes of a shuffle, with their tokens.

use super::auction::{AuctionCall, Bid};
use super::card::{Card, Trump};
use crate::rules::{Entropy, Token};

/// A decision of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlotAction {
    /// Makes a call in the auction: `12h`, `9b` (boy), `25hk` (kaput), `pass`, `kuansh`, `sur`.
    Call(AuctionCall),
    /// Plays a card:
    Card(Card),
    /// Announces the combinations that the table would choose: `announce` (`manual_melds`).
    Announce,
    /// Announces the other choice among intersecting combinations: `announce2`.
    AnnounceOther,
    /// Shows the announced combinations: `show` (`manual_melds`).
    Show,
}

impl Token for BlotAction {
    fn write(&self) -> String {
        match self {
            BlotAction::Call(call) => call.write(),
            BlotAction::Card(card) => card.write(),
            BlotAction::Announce => "announce".to_owned(),
            BlotAction::AnnounceOther => "announce2".to_owned(),
            BlotAction::Show => "show".to_owned(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        Some(match text {
            "announce" => BlotAction::Announce,
            "announce2" => BlotAction::AnnounceOther,
            "show" => BlotAction::Show,
            _ => match AuctionCall::read(text) {
                Some(call) => BlotAction::Call(call),
                None => BlotAction::Card(Card::read(text)?),
            },
        })
    }
}

impl Token for AuctionCall {
    fn write(&self) -> String {
        match self {
            AuctionCall::Bid(bid) => bid.write(),
            AuctionCall::Kuansh => "kuansh".to_owned(),
            AuctionCall::Pass => "pass".to_owned(),
            AuctionCall::Sur => "sur".to_owned(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        Some(match text {
            "kuansh" => AuctionCall::Kuansh,
            "pass" => AuctionCall::Pass,
            "sur" => AuctionCall::Sur,
            _ => AuctionCall::Bid(Bid::read(text)?),
        })
    }
}

impl Token for Bid {
    fn write(&self) -> String {
        let kaput = if self.kaput { "k" } else { "" };
        format!("{}{}{kaput}", self.x, self.trump.letter())
    }

    fn read(text: &str) -> Option<Self> {
        let (plain, kaput) = match text.strip_suffix('k') {
            Some(plain) => (plain, true),
            None => (text, false),
        };
        let letter = plain.chars().next_back()?;
        let trump = Trump::ALL.into_iter().find(|trump| trump.letter() == letter)?;
        let x = plain[..plain.len() - 1].parse().ok()?;
        let bid = Bid { x, trump, kaput };
        (bid.write() == text).then_some(bid)
    }
}

/// One shuffle: the hands and, for the first deal of a match, the dealer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deal {
    /// The first dealer, drawn by lot (decision D29); later dealers follow from the rules.
    pub dealer: Option<u8>,
    /// The hands by seat: eight cards each, together the pack.
    pub hands: [u32; 4],
}

impl Deal {
    /// A fair shuffle (Fisher and Yates).
    pub fn draw(entropy: &mut dyn Entropy, with_dealer: bool) -> Deal {
        let dealer = with_dealer.then(|| entropy.below(4) as u8 & 3);
        let mut pack: [u8; 32] = std::array::from_fn(|n| n as u8);
        for n in (1..32u32).rev() {
            pack.swap(n as usize, entropy.below(n + 1) as usize);
        }
        let mut hands = [0; 4];
        for (n, card) in pack.into_iter().enumerate() {
            hands[n / 8] |= Card(card).bit();
        }
        Deal { dealer, hands }
    }

    /// Whether every card is in one hand and every hand has eight.
    pub fn is_whole(&self) -> bool {
        let all = self.hands.iter().fold(0, |all, hand| all | hand);
        all == u32::MAX && self.hands.iter().all(|hand| hand.count_ones() == 8)
    }
}

/// Sixteen hexadecimal digits, two bits a card from the seven of clubs on: the owner's seat. The
/// first deal of a match has the dealer before it: `2-1b…`.
impl Token for Deal {
    fn write(&self) -> String {
        let owner = |card: u32| self.hands.iter().position(|hand| hand >> card & 1 == 1);
        let owners =
            (0..32).fold(0u64, |owners, card| owners << 2 | owner(card).unwrap_or(0) as u64);
        match self.dealer {
            Some(dealer) => format!("{dealer}-{owners:016x}"),
            None => format!("{owners:016x}"),
        }
    }

    fn read(text: &str) -> Option<Self> {
        let (dealer, digits) = match text.split_once('-') {
            Some((dealer, digits)) => (Some(dealer.parse().ok().filter(|it| *it < 4)?), digits),
            None => (None, text),
        };
        let owners = u64::from_str_radix(digits, 16).ok()?;
        let mut hands = [0; 4];
        for card in 0..32 {
            hands[(owners >> (62 - 2 * card) & 3) as usize] |= 1 << card;
        }
        let deal = Deal { dealer, hands };
        (deal.is_whole() && deal.write() == text).then_some(deal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_short_and_typable() {
        for token in ["12h", "9b", "25hk", "pass", "kuansh", "sur", "JH", "10S", "10s", "announce"]
        {
            assert_eq!(BlotAction::read(token).unwrap().write(), token);
        }
        for wrong in ["", "k", "h", "012h", "+9h", "12H", "256h", "25h k", "jh", "25kh", "♥"] {
            assert_eq!(BlotAction::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn only_complete_deals_are_read() {
        let in_order = "00000000000000005555555555555555aaaaaaaaaaaaaaaaffffffffffffffff";
        let each =
            [&in_order[..4], &in_order[16..20], &in_order[32..36], &in_order[48..52]].concat();
        let deal = Deal::read(&each).unwrap();
        assert_eq!(deal.hands, [0xff, 0xff00, 0x00ff_0000, 0xff00_0000]);
        assert_eq!(Deal::read(&format!("3-{each}")).unwrap().dealer, Some(3));
        for wrong in ["", "0000000000000000", &each[1..], &format!("4-{each}"), &format!("+{each}")]
        {
            assert_eq!(Deal::read(wrong), None, "{wrong}");
        }
    }
}
