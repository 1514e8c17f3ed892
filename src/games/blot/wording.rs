//! Facts, bids, combinations and scores as texts.

use super::auction::{AuctionCall, Bid, Contract, ContractLevel};
use super::card::{Card, each};
use super::melds::{Meld, MeldKind};
use super::options::BlotOptions;
use super::round::{BlotFact, Summary};
use super::score::stake;
use super::view::BlotView;
use crate::rules::Seat;
use crate::text::{Arg, Text};

/// A fact as a sentence, or several.
pub fn fact(fact: &BlotFact, options: &BlotOptions) -> Vec<Text> {
    vec![match fact {
        BlotFact::Dealt { dealer } => Text::new("blot-dealt").with("name", Arg::Seat(dealer.0)),
        BlotFact::Called { seat, call } => said(*seat, *call),
        BlotFact::ThrownIn => Text::new("blot-thrown-in"),
        BlotFact::Decided(contract) => decided(contract),
        BlotFact::Announced { seat, kinds } => Text::new("blot-announced")
            .with("name", Arg::Seat(seat.0))
            .with("kinds", Arg::List(kinds.iter().map(|it| kind(*it)).collect())),
        BlotFact::Shown { seat, melds } => Text::new("blot-shown")
            .with("name", Arg::Seat(seat.0))
            .with("melds", Arg::List(melds.iter().map(|it| meld(*it)).collect())),
        BlotFact::Put { seat, card } => put(&[(*seat, *card)]),
        BlotFact::Blot { seat } => Text::new("blot-blot").with("name", Arg::Seat(seat.0)),
        BlotFact::Took(trick) => Text::new("blot-took")
            .with("name", Arg::Seat(trick.winner))
            .with("points", trick.points),
        BlotFact::Scored(summary) => return scored(summary, options),
        BlotFact::Won { team, totals } => won(*team, *totals),
    }]
}

/// The two players of a side.
pub fn team(team: usize) -> Arg {
    let first = u8::from(team == 1);
    Text::new("blot-team")
        .with("first", Arg::Seat(first))
        .with("second", Arg::Seat(first + 2))
        .into()
}

/// A bid as players say it: `12♥`, "9 boy", "25♥ kaput".
pub fn bid(bid: Bid) -> Arg {
    let named = match bid.trump.suit() {
        Some(suit) => Arg::Plain(format!("{}{}", bid.x, suit.sign())),
        None => Text::new("blot-bid-boy").with("x", bid.x).into(),
    };
    if bid.kaput { Text::new("blot-bid-kaput").with("bid", named).into() } else { named }
}

/// A call as players say it.
pub fn call(call: AuctionCall) -> Arg {
    match call {
        AuctionCall::Bid(it) => bid(it),
        AuctionCall::Kuansh => Text::new("blot-kuansh").into(),
        AuctionCall::Pass => Text::new("blot-pass").into(),
        AuctionCall::Sur => Text::new("blot-sur").into(),
    }
}

/// The text of a call by a seat.
pub fn said(seat: Seat, it: AuctionCall) -> Text {
    Text::new("blot-said").with("name", Arg::Seat(seat.0)).with("call", call(it))
}

/// The contract or the highest bid: bid, bidder, doubling.
pub fn contract(contract: &Contract) -> Arg {
    let key = match contract.level {
        ContractLevel::Plain => "blot-contract",
        ContractLevel::Kuansh => "blot-contract-kuansh",
        ContractLevel::Sur => "blot-contract-sur",
    };
    Text::new(key).with("bid", bid(contract.bid)).with("name", Arg::Seat(contract.seat)).into()
}

fn decided(it: &Contract) -> Text {
    Text::new("blot-decided").with("contract", contract(it))
}

/// The cards that players played.
pub fn put(cards: &[(Seat, Card)]) -> Text {
    match cards {
        [(seat, card)] => {
            Text::new("blot-put").with("name", Arg::Seat(seat.0)).with("card", card.sign())
        }
        several => Text::new("blot-put-several").with("cards", seat_cards(several)),
    }
}

/// `Ann J♥, Bob 7♥`.
pub fn seat_cards(cards: &[(Seat, Card)]) -> Arg {
    let one = |(seat, card): &(Seat, Card)| -> Arg {
        let text = Text::new("blot-seat-card").with("name", Arg::Seat(seat.0));
        text.with("card", card.sign()).into()
    };
    Arg::List(cards.iter().map(one).collect())
}

/// The kind of a combination.
pub fn kind(kind: MeldKind) -> Arg {
    let key = match kind {
        MeldKind::Terz => "blot-terz",
        MeldKind::Fifty => "blot-fifty",
        MeldKind::Hundred => "blot-hundred",
        MeldKind::Four => "blot-four",
    };
    Text::new(key).into()
}

/// A combination with its cards.
pub fn meld(meld: Meld) -> Arg {
    let cards: Vec<String> = each(meld.cards()).map(Card::sign).collect();
    let text = Text::new("blot-meld").with("kind", kind(meld.kind));
    text.with("cards", cards.join(" ")).into()
}

/// The result of a round and how it was computed.
pub fn scored(summary: &Summary, options: &BlotOptions) -> Vec<Text> {
    let Summary { played, score, totals } = summary;
    let us = played.contract.team();
    let them = 1 - us;
    let outside = [0, 1].map(|side| i64::from(played.melds[side]) + i64::from(played.blot[side]));
    let head = if score.made { "blot-round-made" } else { "blot-round-under" };
    let mut texts = vec![
        Text::new(head).with("side", team(us)).with("contract", contract(&played.contract)),
        Text::new("blot-round-cards")
            .with("side", team(us))
            .with("cards", i64::from(played.cards[us]))
            .with("other", team(them))
            .with("others", i64::from(played.cards[them])),
    ];
    if outside != [0, 0] {
        texts.push(
            Text::new("blot-round-outside")
                .with("side", team(us))
                .with("outside", outside[us])
                .with("other", team(them))
                .with("others", outside[them]),
        );
    }
    let stake = i64::from(stake(&played.contract, &options.house()));
    let points = |side: usize| i64::from(score.points[side]);
    let winner = if score.made { us } else { them };
    texts.push(if score.made && played.contract.level == ContractLevel::Plain {
        Text::new("blot-round-sum-made")
            .with("side", team(us))
            .with("bid", stake)
            .with("cards", i64::from(score.units[us]))
            .with("outside", outside[us])
            .with("points", points(us))
            .with("other", team(them))
            .with("others", points(them))
    } else {
        Text::new("blot-round-sum-fixed")
            .with("side", team(winner))
            .with("bid", stake)
            .with("base", points(winner) - stake - (outside[0] + outside[1] - points(1 - winner)))
            .with("outside", outside[0] + outside[1] - points(1 - winner))
            .with("points", points(winner))
            .with("other", team(1 - winner))
            .with("others", points(1 - winner))
    });
    texts.push(match_score(*totals));
    texts
}

/// The result of a round whose successor is already played: without the line about combinations.
pub fn scored_in_short(summary: &Summary, options: &BlotOptions) -> Vec<Text> {
    let mut texts = scored(summary, options);
    texts.retain(|it| it.key != "blot-round-outside");
    texts
}

/// Points of both sides in the match.
pub fn match_score(totals: [u16; 2]) -> Text {
    Text::new("blot-score")
        .with("first", team(0))
        .with("points", i64::from(totals[0]))
        .with("second", team(1))
        .with("others", i64::from(totals[1]))
}

/// The winners of the match.
pub fn won(side: u8, totals: [u16; 2]) -> Text {
    let side = usize::from(side);
    Text::new("blot-won")
        .with("side", team(side))
        .with("points", i64::from(totals[side]))
        .with("others", i64::from(totals[1 - side]))
}

/// The side of a seat, for texts.
pub fn team_of(seat: Seat) -> Arg {
    team(BlotView::team(seat))
}
