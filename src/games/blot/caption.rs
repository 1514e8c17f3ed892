//! What stands beside the picture: what happened since somebody last decided, the score, whose
//! turn it is; the whole table in words; why something is refused.

use super::action::Action;
use super::auction::{Call, Level};
use super::card::Card;
use super::illegal::Illegal;
use super::in_words;
use super::panel::sorted;
use super::round::Fact;
use super::view::{Stage, View};
use crate::rules::Seat;
use crate::words::{Arg, Text};

/// What happened last, score, turn; the last line says whose turn it is or how it ended.
pub fn caption(view: &View) -> Vec<Text> {
    let mut texts = news(view);
    let scored = view.news.iter().any(|it| matches!(it, Fact::Scored(_)));
    match view.stage {
        Stage::Auction => texts.extend(auction_line(view)),
        Stage::Play => texts.extend(play_lines(view)),
        Stage::Deal | Stage::Over(_) => {}
    }
    if !scored && !view.sheet.is_empty() {
        texts.push(in_words::match_score(view.totals));
    }
    texts.push(state(view));
    texts
}

/// What this seat has just done in a few words, and what came of it for everybody.
pub fn done(view: &View, seat: Seat, label: Arg) -> Vec<Arg> {
    let scored = view.news.iter().any(|it| matches!(it, Fact::Scored(_)));
    let own = view.news.iter().rposition(|it| match it {
        Fact::Put { seat: by, .. } | Fact::Called { seat: by, .. } => *by == seat,
        _ => false,
    });
    let since = &view.news[own.map_or(0, |at| at + 1)..];
    let told = since.iter().rev().find(|it| match it {
        Fact::Took(_) => !scored,
        Fact::ThrownIn | Fact::Decided(_) | Fact::Blot { .. } => true,
        Fact::Dealt { .. }
        | Fact::Called { .. }
        | Fact::Announced { .. }
        | Fact::Shown { .. }
        | Fact::Put { .. }
        | Fact::Scored(_)
        | Fact::Won { .. } => false,
    });
    let told = told.into_iter().flat_map(|it| in_words::fact(it, &view.options)).map(Arg::from);
    let score = scored.then(|| in_words::match_score(view.totals).into());
    [label].into_iter().chain(told).chain(score).collect()
}

/// Whether a card would take the trick as it lies.
pub fn would(view: &View, action: &Action) -> Vec<Text> {
    let (Action::Card(card), Some(contract)) = (*action, view.contract) else { return Vec::new() };
    let trump = contract.bid.trump;
    // Whoever leads takes nothing as yet.
    let held = view.table.iter().find(|it| Some(it.0) == view.holding).map(|it| it.1);
    let takes = held.is_some_and(|held| match held.suit() == card.suit() {
        true => held.beaten_in_suit_by(trump) & card.bit() != 0,
        false => trump.suit() == Some(card.suit()),
    });
    if takes { vec![Text::new("blot-would-take")] } else { Vec::new() }
}

/// Facts in their order; cards that fell one after the other in one sentence. Several cards of the
/// trick on the table stand in a line of their own.
fn news(view: &View) -> Vec<Text> {
    let mut texts = Vec::new();
    let mut cards: Vec<(Seat, Card)> = Vec::new();
    let on_table = |fact: &Fact| match fact {
        Fact::Put { seat, card } => view.table.len() > 1 && view.table.contains(&(*seat, *card)),
        _ => false,
    };
    for fact in view.news.iter().filter(|it| !on_table(it)) {
        if let Fact::Put { seat, card } = fact {
            cards.push((*seat, *card));
            continue;
        }
        if !cards.is_empty() {
            texts.push(in_words::put(&std::mem::take(&mut cards)));
        }
        match fact {
            // Said at the end, as the last line.
            Fact::Won { .. } => {}
            // Said in the line of the whole auction.
            Fact::Called { .. } if view.stage == Stage::Auction && view.calls.len() > 1 => {}
            fact => texts.extend(in_words::fact(fact, &view.options)),
        }
    }
    texts.extend((!cards.is_empty()).then(|| in_words::put(&cards)));
    texts
}

/// The auction so far, when more was said than the last call.
fn auction_line(view: &View) -> Option<Text> {
    let calls = view.calls.iter().map(|(seat, call)| Arg::from(in_words::said(*seat, *call)));
    (view.calls.len() > 1).then(|| {
        let skipped = view.calls.len().saturating_sub(8);
        Text::new("blot-auction").with("calls", Arg::List(calls.skip(skipped).collect()))
    })
}

/// What is played, tricks, and the trick on the table.
fn play_lines(view: &View) -> Vec<Text> {
    let mut texts = Vec::new();
    let decided = view.news.iter().any(|it| matches!(it, Fact::Decided(_)));
    if let Some(contract) = view.contract.filter(|_| !decided) {
        texts.push(
            Text::new("blot-playing")
                .with("contract", in_words::contract(&contract))
                .with("first", in_words::team(0))
                .with("tricks", view.taken[0])
                .with("second", in_words::team(1))
                .with("others", view.taken[1]),
        );
    }
    if view.table.len() > 1 {
        texts.push(Text::new("blot-table").with("cards", in_words::seat_cards(&view.table)));
    }
    texts
}

/// Whose turn it is, or how it ended.
fn state(view: &View) -> Text {
    let name = Arg::Seat(view.turn.unwrap_or(Seat(0)).0);
    let doubted = view.contract.is_some_and(|it| it.level != Level::Plain);
    match view.stage {
        Stage::Over(team) => in_words::won(team, view.totals),
        Stage::Deal => Text::new("blot-dealing"),
        Stage::Play => Text::new("blot-turn-card").with("name", name),
        Stage::Auction => match view.bounds {
            Some(bounds) if bounds.kaput_only => Text::new("blot-turn-kaput")
                .with("name", name)
                .with("lowest", bounds.lowest.max(bounds.kaput_from)),
            Some(bounds) => {
                Text::new("blot-turn-bid").with("name", name).with("lowest", bounds.lowest)
            }
            None if doubted => Text::new("blot-turn-answer").with("name", name),
            None => Text::new("blot-turn-pass").with("name", name),
        },
    }
}

/// The whole table in plain words, and the viewer's own hand.
pub fn text_board(view: &View) -> Vec<Text> {
    let mut texts = vec![in_words::match_score(view.totals)];
    if let (Some(dealer), None) = (view.dealer, over(view)) {
        texts.push(Text::new("blot-board-dealer").with("name", Arg::Seat(dealer.0)));
    }
    match view.stage {
        Stage::Auction if !view.calls.is_empty() => texts.extend(bids(view)),
        Stage::Play => {
            texts.extend(play_lines(&View { news: Vec::new(), ..view.clone() }));
            texts.extend(melds(view));
            if view.table.is_empty() && view.last.is_some() {
                texts.extend(last_trick(view));
            }
        }
        Stage::Auction | Stage::Deal | Stage::Over(_) => {}
    }
    if let Some(own) = &view.own {
        let trump = view.contract.map(|it| it.bid.trump).filter(|_| view.is_play());
        let cards: Vec<String> = sorted(own.cards, trump).into_iter().map(Card::sign).collect();
        texts.push(Text::new("blot-board-hand").with("cards", cards.join(" ")));
        let mine = own.melds.iter().map(|it| in_words::meld(*it)).collect::<Vec<_>>();
        if !mine.is_empty() && !view.told[own.seat.index()].melds.iter().eq(&own.melds) {
            texts.push(Text::new("blot-board-melds").with("melds", Arg::List(mine)));
        }
    }
    texts.push(state(view));
    texts
}

fn over(view: &View) -> Option<u8> {
    match view.stage {
        Stage::Over(team) => Some(team),
        Stage::Deal | Stage::Auction | Stage::Play => None,
    }
}

/// What everybody was told of combinations, and whose count.
fn melds(view: &View) -> Vec<Text> {
    let mut texts = Vec::new();
    for (seat, told) in (0..4).map(Seat).zip(&view.told) {
        if !told.melds.is_empty() {
            let melds = told.melds.clone();
            texts.extend(in_words::fact(&Fact::Shown { seat, melds }, &view.options));
        } else if !told.kinds.is_empty() {
            let kinds = told.kinds.clone();
            texts.extend(in_words::fact(&Fact::Announced { seat, kinds }, &view.options));
        }
    }
    if let Some((team, points)) = view.counting {
        let side = in_words::team(usize::from(team));
        texts.push(Text::new("blot-counting").with("side", side).with("points", points));
    }
    for seat in (0..4).map(Seat).filter(|seat| view.blots[seat.index()]) {
        texts.extend(in_words::fact(&Fact::Blot { seat }, &view.options));
    }
    texts
}

/// The auction, a line for each call.
pub fn bids(view: &View) -> Vec<Text> {
    if view.calls.is_empty() {
        return vec![Text::new("blot-no-bids")];
    }
    let mut texts: Vec<Text> =
        view.calls.iter().map(|(seat, call)| in_words::said(*seat, *call)).collect();
    if let Some(contract) = view.contract.filter(|_| view.is_play()) {
        texts.push(Text::new("blot-decided").with("contract", in_words::contract(&contract)));
    }
    texts
}

/// The trick before the one on the table.
pub fn last_trick(view: &View) -> Vec<Text> {
    let last = view.last.as_ref().or(view.ended.as_ref());
    let Some(last) = last else { return vec![Text::new("blot-no-trick")] };
    let seats = (0..4).map(|n| Seat((last.leader + n) & 3));
    let cards: Vec<(Seat, Card)> = seats.zip(last.cards).collect();
    vec![
        Text::new("blot-last-trick").with("cards", in_words::seat_cards(&cards)),
        Text::new("blot-took").with("name", Arg::Seat(last.winner)).with("points", last.points),
    ]
}

/// The key of what people are told when this is the reason.
pub fn reason(illegal: Illegal) -> &'static str {
    match illegal {
        Illegal::MatchIsOver => "blot-over",
        Illegal::NotDealt => "blot-no-deal",
        Illegal::NotYourTurn => "blot-not-your-turn",
        Illegal::NotFourSeats => "blot-seats",
        Illegal::AuctionFirst => "blot-auction-first",
        Illegal::AuctionIsOver => "blot-auction-over",
        Illegal::BidTooLow => "blot-bid-low",
        Illegal::BidTooHigh => "blot-bid-high",
        Illegal::NothingHigher => "blot-bid-highest",
        Illegal::OnlyKaput => "blot-bid-kaput-only",
        Illegal::KaputTooLow => "blot-bid-kaput-low",
        Illegal::KuanshWasSaid => "blot-bid-after-kuansh",
        Illegal::NothingToDoubt => "blot-kuansh-nothing",
        Illegal::OwnBid => "blot-kuansh-own",
        Illegal::KuanshTwice => "blot-kuansh-twice",
        Illegal::NoKuansh => "blot-sur-nothing",
        Illegal::OnlyTheBidder => "blot-sur-bidder",
        Illegal::OnlyTheBidders => "blot-sur-others",
        Illegal::NotHeld => "blot-not-held",
        Illegal::MustFollow => "blot-must-follow",
        Illegal::MustFollowTrump => "blot-must-follow-trump",
        Illegal::MustOvertrump => "blot-must-overtrump",
        Illegal::MustCut => "blot-must-cut",
        Illegal::MustOvercut => "blot-must-overcut",
        Illegal::NoCombination => "blot-no-meld",
        Illegal::CombinationsShowThemselves => "blot-melds-automatic",
    }
}

/// Why this action is refused, with what the rule demands.
pub fn refuse(view: &View, _seat: Seat, action: &Action, illegal: Illegal) -> Text {
    let text = Text::new(reason(illegal));
    let lowest = view.bounds.map_or(0, |it| it.lowest);
    let kaput = view.bounds.map_or(0, |it| it.kaput_from.max(it.lowest));
    let led = view.table.first().map_or("", |(_, card)| card.suit().sign());
    let trump = view.contract.and_then(|it| it.bid.trump.suit()).map_or("", |it| it.sign());
    let holding = view.table.iter().find(|(seat, _)| view.holding == Some(*seat));
    let holding = holding.map_or(String::new(), |(_, card)| card.sign());
    match illegal {
        Illegal::NotYourTurn => text.with("name", Arg::Seat(view.turn.unwrap_or(Seat(0)).0)),
        Illegal::BidTooLow => text.with("lowest", lowest),
        Illegal::BidTooHigh => text.with("highest", view.bounds.map_or(0, |it| it.highest)),
        Illegal::OnlyKaput | Illegal::KaputTooLow => text.with("lowest", kaput),
        Illegal::NotHeld => match action {
            Action::Card(card) => text.with("card", card.sign()),
            Action::Call(_) | Action::Announce | Action::AnnounceOther | Action::Show => text,
        },
        Illegal::MustFollow => text.with("suit", led),
        Illegal::MustFollowTrump | Illegal::MustCut => text.with("suit", trump),
        Illegal::MustOvertrump | Illegal::MustOvercut => {
            text.with("suit", trump).with("card", holding)
        }
        _ => text,
    }
}

/// What stands on the button of an action.
pub fn label(action: &Action) -> Arg {
    match action {
        Action::Call(Call::Bid(bid)) => in_words::bid(*bid),
        Action::Call(call) => in_words::call(*call),
        Action::Card(card) => Arg::Plain(card.sign()),
        Action::Announce => Text::new("blot-announce").into(),
        Action::AnnounceOther => Text::new("blot-announce-other").into(),
        Action::Show => Text::new("blot-show").into(),
    }
}
