//! A simple computer player: bids by counting, plays by rules of thumb. It sees what its seat
//! sees and nothing else.

use super::action::Action;
use super::auction::{Bid, Call, Contract, Level};
use super::card::{Card, Suit, Trump, each, rank};
use super::melds::{Melds, blot};
use super::view::{Own, View};
use crate::rules::{Entropy, Seat};

/// What a partner takes on the average, in tenths of a bid's number.
const PARTNER: u32 = 35;

/// Chooses among the legal actions, which are never empty.
pub fn choose(view: &View, actions: &[Action], entropy: &mut dyn Entropy) -> Action {
    let preferred = match &view.own {
        Some(own) if view.is_play() => Some(play(view, own, actions)),
        Some(own) => Some(Action::Call(call(view, own, actions))),
        None => None,
    };
    let any = u32::try_from(actions.len()).unwrap_or(1).max(1);
    preferred
        .filter(|it| actions.contains(it))
        .unwrap_or_else(|| actions[entropy.below(any) as usize])
}

/// What a hand promises with this trump, in tenths of a bid's number, without the partner.
fn worth(hand: u32, trump: Trump, view: &View) -> u32 {
    let house = view.options.house();
    let melds = u32::from(Melds::best(hand, trump, &house).value(trump, &house));
    let outside = 10 * u32::from(blot(hand, trump)) + 7 * melds;
    let trumps = hand & trump.cards();
    let long = trumps.count_ones();
    let in_trumps: u32 = each(trumps)
        .map(|card| match card.rank() {
            rank::JACK => 32,
            rank::NINE if long >= 2 => 22,
            rank::ACE => 16,
            rank::TEN => 12,
            _ => 7,
        })
        .sum();
    let aces: u32 = Suit::ALL
        .into_iter()
        .filter(|suit| trump.suit() != Some(*suit))
        .map(|suit| of_plain_suit(hand & suit.cards(), suit, trump))
        .sum();
    let short = trump != Trump::Boy && (long < 3 || trumps & both_tops(trump) == 0);
    (in_trumps + aces + outside).saturating_sub(if short { 30 } else { 0 })
}

fn both_tops(trump: Trump) -> u32 {
    trump
        .suit()
        .map_or(0, |suit| Card::new(suit, rank::JACK).bit() | Card::new(suit, rank::NINE).bit())
}

fn of_plain_suit(cards: u32, suit: Suit, trump: Trump) -> u32 {
    let has = |rank: u8| cards & Card::new(suit, rank).bit() != 0;
    let ace = if trump == Trump::Boy { 24 } else { 15 };
    match (has(rank::ACE), has(rank::TEN)) {
        (true, true) => ace + 13,
        (true, false) => ace,
        (false, true) if cards.count_ones() >= 2 => 6,
        (false, _) => 0,
    }
}

/// What the point count says.
pub fn call(view: &View, own: &Own, actions: &[Action]) -> Call {
    let standing = view.contract;
    let ours = |it: &Contract| View::team(Seat(it.seat)) == View::team(own.seat);
    if let Some(standing) = standing.filter(|it| !ours(it) && it.level == Level::Plain) {
        let against = worth(own.cards, standing.bid.trump, view) + PARTNER - 10;
        let needs = 10 * u32::from(standing.bid.x);
        if against + needs > 220 && actions.contains(&Action::Call(Call::Kuansh)) {
            return Call::Kuansh;
        }
    }
    let lowest = view.bounds.map_or(u8::MAX, |bounds| bounds.lowest);
    let best = Trump::ALL.into_iter().max_by_key(|trump| worth(own.cards, *trump, view));
    let Some(trump) = best else { return Call::Pass };
    let promised = (worth(own.cards, trump, view) + PARTNER) / 10;
    // Over the partner only with a clearly better hand.
    let over_partner = if standing.is_some_and(|it| ours(&it)) { 3 } else { 0 };
    if promised >= u32::from(lowest) + over_partner {
        Call::Bid(Bid { x: lowest, trump, kaput: false })
    } else {
        Call::Pass
    }
}

fn play(view: &View, own: &Own, actions: &[Action]) -> Action {
    if let Some(speak) = own.meld_actions.first() {
        return *speak;
    }
    let trump = view.contract.map_or(Trump::Boy, |it| it.bid.trump);
    let legal: Vec<Card> = actions
        .iter()
        .filter_map(|action| match action {
            Action::Card(card) => Some(*card),
            Action::Call(_) | Action::Announce | Action::AnnounceOther | Action::Show => None,
        })
        .collect();
    let chosen = if view.table.is_empty() {
        lead(view, own, &legal, trump)
    } else {
        follow(view, own, &legal, trump)
    };
    chosen.map_or(actions[0], Action::Card)
}

/// Cards that others may still hold.
fn outstanding(view: &View, own: &Own) -> u32 {
    !(view.gone | own.cards)
}

/// Whether nothing of its own suit that is still out beats this card.
fn is_master(card: Card, view: &View, own: &Own, trump: Trump) -> bool {
    card.beaten_in_suit_by(trump) & outstanding(view, own) == 0
}

/// The card to throw away: few points, weak, no trump.
fn cheapest(cards: &[Card], trump: Trump) -> Option<Card> {
    let cost = |card: &&Card| {
        let is_trump = Some(card.suit()) == trump.suit();
        (is_trump, card.points(trump), card.strength(trump))
    };
    cards.iter().min_by_key(cost).copied()
}

fn lead(view: &View, own: &Own, legal: &[Card], trump: Trump) -> Option<Card> {
    let is_trump = |card: &&Card| Some(card.suit()) == trump.suit();
    let bidders = view.contract.is_some_and(|it| View::team(Seat(it.seat)) == View::team(own.seat));
    let masters: Vec<Card> =
        legal.iter().filter(|card| is_master(**card, view, own, trump)).copied().collect();
    let trumps_out = outstanding(view, own) & trump.cards() != 0;
    let pull = masters.iter().find(is_trump).filter(|_| bidders && trumps_out);
    let plain = masters.iter().filter(|card| !is_trump(card));
    let plain = plain.max_by_key(|card| card.points(trump));
    pull.or(plain).copied().or_else(|| cheapest(legal, trump))
}

fn follow(view: &View, own: &Own, legal: &[Card], trump: Trump) -> Option<Card> {
    let partner_holds = view.holding == Some(Seat((own.seat.0 + 2) & 3));
    let held_by = view.table.iter().find(|(seat, _)| Some(*seat) == view.holding);
    let held_by = held_by.map(|(_, card)| *card)?;
    let is_last = view.table.len() == 3;
    let beats = |card: &&Card| {
        if card.suit() == held_by.suit() {
            held_by.beaten_in_suit_by(trump) & card.bit() != 0
        } else {
            Some(card.suit()) == trump.suit()
        }
    };
    if partner_holds && (is_last || is_master(held_by, view, own, trump)) {
        let gifts = legal.iter().filter(|card| Some(card.suit()) != trump.suit());
        let gift = gifts.filter(|card| card.rank() != rank::ACE || is_last);
        return gift.max_by_key(|card| card.points(trump)).copied().or(cheapest(legal, trump));
    }
    let winning: Vec<Card> = legal.iter().filter(beats).copied().collect();
    let sure: Vec<Card> = winning
        .iter()
        .filter(|card| is_last || is_master(**card, view, own, trump))
        .copied()
        .collect();
    let led = view.table.first().map(|(_, card)| card.suit());
    // Cutting costs a trump: the weakest that does it.
    let take = if led == trump.suit() || sure.iter().all(|card| Some(card.suit()) == trump.suit()) {
        sure.iter().min_by_key(|card| card.strength(trump))
    } else {
        sure.iter().max_by_key(|card| card.points(trump))
    };
    take.copied().or_else(|| {
        let hopeless: Vec<Card> = legal.iter().filter(|card| !beats(card)).copied().collect();
        cheapest(&hopeless, trump).or_else(|| cheapest(legal, trump))
    })
}
