//! Written knowledge of one seat in a round, for other programs that use the engine.
//!
//! `seat=1 dealer=4 hand=7C,10C,JC,AC,9H,JH,KS,AS totals=120:95 told=2:terz shown= moves pass 9h …`
//!
//! - `seat`, `dealer`: from 1 to 4, as they sit in turn order; `hand`: the eight cards of the seat
//!   as they were dealt.
//! - `totals` (default 0:0): points in the match of seats 1 and 3, and of 2 and 4.
//! - `told`: combinations announced so far, by seat: `2:terz+fifty,4:four`; the seat's own with
//!   the highest card or the rank as below, where they are announced by hand.
//! - `shown`: combinations shown so far: `2:terz-KH+four-J`, runs by their highest card.
//! - After `moves`: all calls and cards of this round in order, tokens as in logs.
//!
//! The other hands are not needed. The rules build the view from a deal in which the unseen cards
//! are placed arbitrarily; a view has no trace of them.

use super::action::{BlotAction, Deal};
use super::auction::AuctionCall;
use super::card::{Card, PACK, each};
use super::melds::{Meld, MeldKind, Melds, counting_team};
use super::notation_errors::ViewFault;
use super::options::{BlotOptions, House};
use super::round::Round;
use super::tricks::Tricks;
use super::view::{AnnouncedMelds, BlotView, may_anybody_show_late};
use super::{Blot, card};
use crate::rules::{Rules, Seat, Token, Viewer};

/// The view of a seat and its legal actions.
pub type SeatView = (BlotView, Vec<BlotAction>);

/// Reads a view; `moves` are the tokens after that word.
///
/// # Errors
/// The error in the text.
pub fn read(options: &BlotOptions, text: &str, moves: &[&str]) -> Result<SeatView, ViewFault> {
    let house = options.house();
    let head = NotationHead::read(text)?;
    let (calls, cards) = split(moves)?;
    let mut round = Round::new(head.dealer, &Deal { dealer: None, hands: [0; 4] });
    for (token, call) in calls {
        let seat =
            speaker(&round, call, &house).ok_or_else(|| ViewFault::NotSayable(token.to_owned()))?;
        round.call(seat, call, &house, &mut Vec::new());
    }
    let said: Vec<(u8, AuctionCall)> = round.auction().calls().to_vec();
    let hands = hands(&round, &head, &cards, &house)?;
    let mut round = Round::new(head.dealer, &Deal { dealer: None, hands });
    said.into_iter().for_each(|(seat, call)| round.call(seat, call, &house, &mut Vec::new()));
    for card in cards {
        announce(&mut round, &head, &house)?;
        round.put(card, &house, &mut Vec::new());
    }
    if house.manual_melds {
        round.assume_announced(head.seat, &head.announced_melds);
    }
    announce(&mut round, &head, &house)?;
    let game = Blot::from_round(options, head.totals, head.dealer, round);
    let seat = Seat(head.seat);
    let actions = game.actions(seat);
    if actions.is_empty() {
        return Err(match game.round().and_then(Round::turn) {
            Some(turn) => ViewFault::OtherTurn(Seat(turn)),
            None => ViewFault::RoundIsOver,
        });
    }
    let mut view = game.view(Viewer::Seat(seat));
    view.counting = counting(&view, &head, &house);
    view.announced_melds = head.announced_melds;
    view.recent_facts.clear();
    Ok((view, actions))
}

/// Writes a seat's view; `None` for the public and between rounds.
pub fn write(view: &BlotView) -> Option<String> {
    let own = view.own.as_ref()?;
    let mut put: Vec<(Seat, Card)> = Vec::new();
    for trick in &view.tricks {
        put.extend((0..4).map(|n| Seat((trick.leader + n) & 3)).zip(trick.cards));
    }
    put.extend(view.table.iter().copied());
    let dealt =
        put.iter().filter(|it| it.0 == own.seat).fold(own.cards, |all, it| all | it.1.bit());
    let all = |of: &dyn Fn(u8) -> Vec<String>| {
        let seat = |seat: u8| (seat, of(seat));
        let by_seat = (0..4).map(seat).filter(|it| !it.1.is_empty());
        by_seat
            .map(|(seat, it)| format!("{}:{}", seat + 1, it.join("+")))
            .collect::<Vec<_>>()
            .join(",")
    };
    let told = all(&|seat| match &view.announced_melds[usize::from(seat)].kinds {
        kinds if kinds.is_empty() || seat != own.seat.0 => {
            kinds.iter().map(|it| kind_name(*it).to_owned()).collect()
        }
        _ => own.melds.iter().map(write_meld).collect(),
    });
    let shown =
        all(&|seat| view.announced_melds[usize::from(seat)].melds.iter().map(write_meld).collect());
    let calls = view.calls.iter().map(|(_, call)| call.write());
    let moves: Vec<String> = calls.chain(put.iter().map(|it| it.1.write())).collect();
    let [we, they] = view.totals;
    Some(format!(
        "seat={} dealer={} hand={} totals={we}:{they} told={told} shown={shown} moves {}",
        own.seat.0 + 1,
        view.dealer?.0 + 1,
        write_hand(dealt),
        moves.join(" ")
    ))
}

/// All but the moves.
struct NotationHead {
    seat: u8,
    dealer: u8,
    hand: u32,
    totals: [u16; 2],
    announced_melds: [AnnouncedMelds; 4],
    /// The own combinations as they were announced by hand.
    own: Vec<Meld>,
}

impl NotationHead {
    fn read(text: &str) -> Result<Self, ViewFault> {
        let mut values = [None; 6];
        const NAMES: [&str; 6] = ["seat", "dealer", "hand", "totals", "told", "shown"];
        for word in text.split_whitespace() {
            let found = word
                .split_once('=')
                .and_then(|(name, value)| Some((NAMES.iter().position(|it| *it == name)?, value)));
            let Some((at, value)) = found else {
                return Err(ViewFault::UnknownWord(word.to_owned()));
            };
            values[at] = Some(value);
        }
        let [seat, dealer, hand, totals, told, shown] = values;
        let seat = seat.and_then(read_seat).ok_or(ViewFault::NoSeat)?;
        let dealer = dealer.and_then(read_seat).ok_or(ViewFault::NoDealer)?;
        let hand = read_hand(hand.unwrap_or_default()).ok_or(ViewFault::NoHand)?;
        let totals = match totals {
            None => [0; 2],
            Some(text) => text
                .split_once(':')
                .and_then(|(we, they)| Some([we.parse().ok()?, they.parse().ok()?]))
                .ok_or(ViewFault::NoTotals)?,
        };
        let wrong = || ViewFault::NoCombinations;
        let announced = read_melds(told.unwrap_or_default()).ok_or_else(wrong)?;
        let laid = read_melds(shown.unwrap_or_default()).ok_or_else(wrong)?;
        let mut all: [AnnouncedMelds; 4] = Default::default();
        for (seat_melds, melds) in all.iter_mut().zip(&announced) {
            seat_melds.kinds = melds.iter().map(|it| it.0).collect();
        }
        for (seat_melds, melds) in all.iter_mut().zip(&laid) {
            seat_melds.melds =
                melds.iter().map(|it| it.1).collect::<Option<_>>().ok_or_else(wrong)?;
        }
        let own = announced[usize::from(seat)].iter().filter_map(|it| it.1).collect();
        Ok(Self { seat, dealer, hand, totals, announced_melds: all, own })
    }
}

fn read_seat(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [digit @ b'1'..=b'4'] => Some(digit - b'1'),
        _ => None,
    }
}

/// Writes the cards of a hand.
pub(super) fn write_hand(hand: u32) -> String {
    each(hand).map(Card::write).collect::<Vec<_>>().join(",")
}

/// Reads the eight cards of a hand.
pub(super) fn read_hand(text: &str) -> Option<u32> {
    let mut hand = 0;
    for name in text.split(',') {
        hand |= Card::read(name)?.bit();
    }
    (hand.count_ones() == 8).then_some(hand)
}

type ToldMelds = [Vec<(MeldKind, Option<Meld>)>; 4];

fn read_melds(text: &str) -> Option<ToldMelds> {
    let mut all = ToldMelds::default();
    for part in text.split(',').filter(|it| !it.is_empty()) {
        let (seat, melds) = part.split_once(':')?;
        let melds: Option<Vec<_>> = melds.split('+').map(read_meld).collect();
        all[usize::from(read_seat(seat)?)] = melds.filter(|it| it.len() <= 4)?;
    }
    Some(all)
}

const KINDS: [(MeldKind, &str, u8); 4] = [
    (MeldKind::Terz, "terz", 3),
    (MeldKind::Fifty, "fifty", 4),
    (MeldKind::Hundred, "hundred", 5),
    (MeldKind::Four, "four", 0),
];

fn kind_name(kind: MeldKind) -> &'static str {
    match kind {
        MeldKind::Terz => "terz",
        MeldKind::Fifty => "fifty",
        MeldKind::Hundred => "hundred",
        MeldKind::Four => "four",
    }
}

fn write_meld(meld: &Meld) -> String {
    let top = match meld.suit {
        Some(suit) => Card::new(suit, meld.rank).write(),
        None => card::RANKS[usize::from(meld.rank) & 7].to_owned(),
    };
    format!("{}-{top}", kind_name(meld.kind))
}

fn read_meld(text: &str) -> Option<(MeldKind, Option<Meld>)> {
    let (name, top) = match text.split_once('-') {
        Some((name, top)) => (name, Some(top)),
        None => (text, None),
    };
    let (kind, _, len) = *KINDS.iter().find(|it| it.1 == name)?;
    let Some(top) = top else { return Some((kind, None)) };
    let (rank, suit) = match kind {
        MeldKind::Four => {
            let rank = card::RANKS.iter().position(|it| *it == top).filter(|it| *it > 0)?;
            (u8::try_from(rank).ok()?, None)
        }
        MeldKind::Terz | MeldKind::Fifty | MeldKind::Hundred => {
            let card = Card::read(top)?;
            (card.rank(), Some(card.suit()))
        }
    };
    (rank + 1 >= len).then_some((kind, Some(Meld { kind, rank, suit })))
}

/// Calls with their tokens, and cards. Actions about combinations are kept elsewhere.
type NotedMoves<'a> = (Vec<(&'a str, AuctionCall)>, Vec<Card>);

fn split<'a>(moves: &[&'a str]) -> Result<NotedMoves<'a>, ViewFault> {
    let mut calls = Vec::new();
    let mut cards = Vec::new();
    for token in moves {
        match BlotAction::read(token) {
            Some(BlotAction::Call(call)) if cards.is_empty() => calls.push((*token, call)),
            Some(BlotAction::Card(card)) => cards.push(card),
            Some(BlotAction::Announce | BlotAction::AnnounceOther | BlotAction::Show) => {}
            Some(BlotAction::Call(_)) => return Err(ViewFault::SaidTooLate((*token).to_owned())),
            None => return Err(ViewFault::UnknownMove((*token).to_owned())),
        }
    }
    Ok((calls, cards))
}

/// The seat that can make this call: the seat to call, or another one out of turn.
fn speaker(round: &Round, call: AuctionCall, house: &House) -> Option<u8> {
    let turn = round.auction().turn()?;
    (0..4).map(|n| (turn + n) & 3).find(|seat| round.auction().allows(*seat, call, house))
}

/// A deal that agrees with the played cards; unseen cards are placed arbitrarily.
fn hands(
    round: &Round,
    head: &NotationHead,
    cards: &[Card],
    house: &House,
) -> Result<[u32; 4], ViewFault> {
    let mut hands = [0u32; 4];
    if let Some(contract) = round.auction().standing().filter(|_| round.turn().is_some()) {
        let fresh =
            |hands| Tricks::new(hands, contract.bid.trump, head.dealer + 1, house.undertrump);
        if round.play().is_none() && !cards.is_empty() {
            return Err(ViewFault::AuctionIsOpen);
        }
        // Collects the cards of each seat first, then checks that they were legal.
        let mut tricks = fresh([PACK; 4]);
        for card in cards {
            if tricks.is_over() || hands.iter().any(|hand| hand & card.bit() != 0) {
                return Err(ViewFault::PutTwice(*card));
            }
            hands[usize::from(tricks.turn())] |= card.bit();
            tricks.play(*card);
        }
        let own = usize::from(head.seat);
        hands[own] |= head.hand;
        let mut tricks = fresh(hands);
        for card in cards {
            // More cards in a hand only forbid more, so an error with these cards is an error
            // with all of them.
            if tricks.legal() & card.bit() == 0 {
                return Err(ViewFault::NotPlayable { seat: Seat(tricks.turn()), card: *card });
            }
            tricks.play(*card);
        }
    } else if !cards.is_empty() {
        return Err(ViewFault::NoContract);
    }
    let own = usize::from(head.seat);
    hands[own] |= head.hand;
    let seen: u32 = hands.iter().fold(0, |seen, hand| seen | hand);
    let twice = hands.iter().map(|it| it.count_ones()).sum::<u32>() != seen.count_ones();
    if twice || hands[own] != head.hand {
        return Err(ViewFault::OtherHand);
    }
    let mut unseen = each(!seen);
    for hand in &mut hands {
        while hand.count_ones() < 8 {
            *hand |= unseen.next().ok_or(ViewFault::TooManyPut)?.bit();
        }
    }
    Ok(hands)
}

/// Announces and shows by hand the combinations of the seat, at the right time.
fn announce(round: &mut Round, head: &NotationHead, house: &House) -> Result<(), ViewFault> {
    let Some(play) = round.play().filter(|_| round.turn() == Some(head.seat)) else {
        return Ok(());
    };
    let own = &head.announced_melds[usize::from(head.seat)];
    let done = play.tricks.tricks_played();
    let first = Melds::best(head.hand, play.tricks.trump(), house);
    let other = Melds::other(head.hand, play.tricks.trump(), house);
    let is = |melds: &Melds| {
        let same = melds.iter().eq(head.own.iter().copied());
        same || (head.own.is_empty()
            && melds.iter().map(|it| it.kind).eq(own.kinds.iter().copied()))
    };
    let said = !own.kinds.is_empty();
    let wanted = match done {
        0 if said && is(&first) => BlotAction::Announce,
        0 if said && is(&other) => BlotAction::AnnounceOther,
        0 if said => return Err(ViewFault::NotHeld),
        1 if !own.melds.is_empty() => BlotAction::Show,
        _ => return Ok(()),
    };
    if round.meld_actions(house).contains(&wanted) {
        round.meld(wanted, house, &mut Vec::new());
    }
    Ok(())
}

/// The side whose combinations count, from those that were shown, once no player can show any more.
fn counting(view: &BlotView, head: &NotationHead, house: &House) -> Option<(u8, u8)> {
    let contract = view.contract.filter(|_| view.tricks.len() >= 2)?;
    let owed = head.announced_melds.each_ref().map(AnnouncedMelds::is_owed);
    let may_show = house.manual_melds && may_anybody_show_late(owed);
    if may_show && view.tricks.len() == 2 {
        return None;
    }
    let trump = contract.bid.trump;
    let shown =
        head.announced_melds.each_ref().map(|seat_melds| Melds::new(seat_melds.melds.clone()));
    let first = if house.tie_trick2 { view.tricks[1].leader } else { (head.dealer + 1) & 3 };
    let team = counting_team(shown.each_ref(), first, trump)?;
    let points = [team, team + 2].map(|seat| shown[seat].value(trump, house));
    Some((u8::from(team == 1), points[0].saturating_add(points[1])))
}
