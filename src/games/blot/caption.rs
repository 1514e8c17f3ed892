//! Captions: the events since the last decision, the score and the turn; the whole table in words;
//! explanations of refusals.

use super::action::BlotAction;
use super::auction::{AuctionCall, BidRange};
use super::card::Card;
use super::illegal::BlotIllegal;
use super::options::BlotOptions;
use super::panel::sorted;
use super::round::{BlotFact, Summary};
use super::view::{BlotStage, BlotView};
use super::wording;
use crate::FinishedRound;
use crate::rules::Seat;
use crate::text::{Arg, Text};

/// The last events, the score, and as the last line whose turn it is or how the match ended.
pub fn caption(view: &BlotView) -> Vec<Text> {
    let mut texts = fact_lines(view);
    let scored = view.recent_facts.iter().any(|it| matches!(it, BlotFact::Scored(_)));
    match view.stage {
        BlotStage::Auction => texts.extend(auction_line(view)),
        BlotStage::Play => texts.extend(play_lines(view)),
        BlotStage::Deal | BlotStage::Over(_) => {}
    }
    if !scored && !view.sheet.is_empty() {
        texts.push(wording::match_score(view.totals));
    }
    texts.push(state(view));
    texts
}

/// The last scored round, with where the match stands after it.
pub fn last_round(view: &BlotView) -> Option<FinishedRound> {
    let summary = view.sheet.last()?;
    let texts = wording::scored(summary, &view.options);
    Some(FinishedRound { number: u32::try_from(view.sheet.len()).unwrap_or(u32::MAX), texts })
}

/// The points of all scored rounds, by seat: partners get the same.
pub fn round_points(view: &BlotView) -> Vec<Vec<i32>> {
    let by_seat = |it: &Summary| (0..4).map(|seat| i32::from(it.score.points[seat % 2])).collect();
    view.sheet.iter().map(by_seat).collect()
}

/// Summarises the last action of this seat, with its public result.
pub fn done(view: &BlotView, seat: Seat, label: Arg) -> Vec<Arg> {
    let scored = view.recent_facts.iter().any(|it| matches!(it, BlotFact::Scored(_)));
    let own = view.recent_facts.iter().rposition(|it| match it {
        BlotFact::Put { seat: by, .. } | BlotFact::Called { seat: by, .. } => *by == seat,
        _ => false,
    });
    let later = &view.recent_facts[own.map_or(0, |at| at + 1)..];
    let facts = later.iter().rev().find(|it| match it {
        BlotFact::Took(_) => !scored,
        BlotFact::ThrownIn | BlotFact::Decided(_) | BlotFact::Blot { .. } => true,
        BlotFact::Dealt { .. }
        | BlotFact::Called { .. }
        | BlotFact::Announced { .. }
        | BlotFact::Shown { .. }
        | BlotFact::Put { .. }
        | BlotFact::Scored(_)
        | BlotFact::Won { .. } => false,
    });
    let facts = facts.into_iter().flat_map(|it| wording::fact(it, &view.options)).map(Arg::from);
    let score = scored.then(|| wording::match_score(view.totals).into());
    [label].into_iter().chain(facts).chain(score).collect()
}

/// Whether a card would take the trick as it is now.
pub fn would(view: &BlotView, action: &BlotAction) -> Vec<Text> {
    let (BlotAction::Card(card), Some(contract)) = (*action, view.contract) else {
        return Vec::new();
    };
    let trump = contract.bid.trump;
    // A card that leads takes nothing yet.
    let held = view.table.iter().find(|it| Some(it.0) == view.holding).map(|it| it.1);
    let takes = held.is_some_and(|held| match held.suit() == card.suit() {
        true => held.beaten_in_suit_by(trump) & card.bit() != 0,
        false => trump.suit() == Some(card.suit()),
    });
    if takes { vec![Text::new("blot-would-take")] } else { Vec::new() }
}

/// Facts in their order, in as few lines as possible: cards of a trick are in one sentence, and
/// everything about combinations in one line after them. Several cards of the trick on the table
/// have a line of their own. Of a round that is scored only the last trick and the result appear,
/// and only the result once its successor is being bid.
fn fact_lines(view: &BlotView) -> Vec<Text> {
    let on_table = |fact: &BlotFact| match fact {
        BlotFact::Put { seat, card } => {
            view.table.len() > 1 && view.table.contains(&(*seat, *card))
        }
        _ => false,
    };
    // Already in the line of the whole auction.
    let in_auction = |fact: &BlotFact| {
        let is_call = matches!(fact, BlotFact::Called { .. });
        is_call && view.stage == BlotStage::Auction && view.calls.len() > 1
    };
    let (past, facts) = current_facts(&view.recent_facts);
    let mut lines = NewsLines::default();
    lines.texts.extend(past.into_iter().flat_map(|it| wording::scored_in_short(it, &view.options)));
    for fact in facts.iter().filter(|it| !on_table(it) && !in_auction(it)) {
        lines.add(fact, &view.options);
    }
    lines.finish()
}

/// The part of the facts that appears: the result of a round whose successor is being bid, and the
/// facts after it; else the facts since the last trick of a round that is scored, or all.
fn current_facts(news: &[BlotFact]) -> (Option<&Summary>, &[BlotFact]) {
    let is_call = |it: &BlotFact| matches!(it, BlotFact::Called { .. });
    let scored = news.iter().enumerate().rev().find_map(|(at, it)| match it {
        BlotFact::Scored(summary) => Some((at, summary)),
        _ => None,
    });
    let Some((at, summary)) = scored else { return (None, news) };
    if news[at + 1..].iter().any(is_call) {
        return (Some(summary), &news[at + 1..]);
    }
    let tricks = news.iter().enumerate().filter(|(_, it)| matches!(it, BlotFact::Took(_)));
    let before_last = tricks.rev().nth(1).map_or(0, |(at, _)| at + 1);
    (None, &news[before_last..])
}

/// Collects facts that share a sentence.
#[derive(Default)]
struct NewsLines {
    texts: Vec<Text>,
    /// The calls and the cards in sequence that are not in `texts` yet.
    calls: Vec<(Seat, AuctionCall)>,
    cards: Vec<(Seat, Card)>,
    /// The same about combinations and the blot.
    melds: Vec<Text>,
}

impl NewsLines {
    fn add(&mut self, fact: &BlotFact, options: &BlotOptions) {
        match fact {
            BlotFact::Put { seat, card } => self.cards.push((*seat, *card)),
            BlotFact::Called { seat, call } => self.calls.push((*seat, *call)),
            BlotFact::Announced { .. } | BlotFact::Shown { .. } | BlotFact::Blot { .. } => {
                self.melds.extend(wording::fact(fact, options));
            }
            // Already in the last line.
            BlotFact::Won { .. } => {}
            BlotFact::Dealt { .. }
            | BlotFact::ThrownIn
            | BlotFact::Decided(_)
            | BlotFact::Took(_)
            | BlotFact::Scored(_) => {
                self.flush();
                self.texts.extend(wording::fact(fact, options));
            }
        }
    }

    fn flush(&mut self) {
        match &*std::mem::take(&mut self.calls) {
            [] => {}
            [(seat, call)] => self.texts.push(wording::said(*seat, *call)),
            several => self.texts.push(calls_line(several)),
        }
        let cards = std::mem::take(&mut self.cards);
        self.texts.extend((!cards.is_empty()).then(|| wording::put(&cards)));
        let join = |first: Text, second: Text| {
            Text::new("blot-sentences").with("first", first).with("second", second)
        };
        self.texts.extend(std::mem::take(&mut self.melds).into_iter().reduce(join));
    }

    fn finish(mut self) -> Vec<Text> {
        self.flush();
        self.texts
    }
}

/// The last eight of these calls in a line.
fn calls_line(calls: &[(Seat, AuctionCall)]) -> Text {
    let last = &calls[calls.len().saturating_sub(8)..];
    let said = last.iter().map(|(seat, call)| Arg::from(wording::said(*seat, *call)));
    Text::new("blot-auction").with("calls", Arg::List(said.collect()))
}

/// The auction so far, if it has more than one call.
fn auction_line(view: &BlotView) -> Option<Text> {
    (view.calls.len() > 1).then(|| calls_line(&view.calls))
}

/// The contract, the tricks, and the trick on the table.
fn play_lines(view: &BlotView) -> Vec<Text> {
    let mut texts = Vec::new();
    let decided = view.recent_facts.iter().any(|it| matches!(it, BlotFact::Decided(_)));
    if let Some(contract) = view.contract.filter(|_| !decided) {
        texts.push(
            Text::new("blot-playing")
                .with("contract", wording::contract(&contract))
                .with("first", wording::team(0))
                .with("tricks", view.taken[0])
                .with("second", wording::team(1))
                .with("others", view.taken[1]),
        );
    }
    if view.table.len() > 1 {
        texts.push(Text::new("blot-table").with("cards", wording::seat_cards(&view.table)));
    }
    texts
}

/// The player to move, or how the match ended.
fn state(view: &BlotView) -> Text {
    let name = Arg::Seat(view.turn.unwrap_or(Seat(0)).0);
    match view.stage {
        BlotStage::Over(team) => wording::won(team, view.totals),
        BlotStage::Deal => Text::new("blot-dealing"),
        BlotStage::Play => Text::new("blot-turn-card").with("name", name),
        BlotStage::Auction => match view.bounds {
            Some(bounds) => bids_line(bounds).with("name", name),
            None if view.may_answer => Text::new("blot-turn-answer").with("name", name),
            None => Text::new("blot-turn-pass").with("name", name),
        },
    }
}

/// The line with the bids that the player to call may make.
fn bids_line(bounds: BidRange) -> Text {
    let lowest = match bounds.kaput_only {
        true => bounds.lowest.max(bounds.kaput_from),
        false => bounds.lowest,
    };
    let equal: Vec<Arg> = bounds.equal_bids().map(wording::bid).collect();
    let key = match (equal.is_empty(), bounds.kaput_only) {
        (false, _) if lowest > bounds.highest => "blot-turn-equal",
        (false, true) => "blot-turn-kaput-equal",
        (false, false) => "blot-turn-bid-equal",
        (true, true) => "blot-turn-kaput",
        (true, false) => "blot-turn-bid",
    };
    let text = Text::new(key).with("lowest", lowest);
    if equal.is_empty() { text } else { text.with("equal", Arg::List(equal)) }
}

/// The whole table in plain words, and the viewer's own hand.
pub fn text_board(view: &BlotView) -> Vec<Text> {
    let mut texts = vec![wording::match_score(view.totals)];
    if let (Some(dealer), None) = (view.dealer, over(view)) {
        texts.push(Text::new("blot-board-dealer").with("name", Arg::Seat(dealer.0)));
    }
    match view.stage {
        BlotStage::Auction if !view.calls.is_empty() => texts.extend(bids(view)),
        BlotStage::Play => {
            texts.extend(play_lines(&BlotView { recent_facts: Vec::new(), ..view.clone() }));
            texts.extend(melds(view));
            if view.table.is_empty() && view.last.is_some() {
                texts.extend(last_trick(view));
            }
        }
        BlotStage::Auction | BlotStage::Deal | BlotStage::Over(_) => {}
    }
    if let Some(own) = &view.own {
        let trump = view.contract.map(|it| it.bid.trump).filter(|_| view.is_play());
        let cards: Vec<String> = sorted(own.cards, trump).into_iter().map(Card::sign).collect();
        texts.push(Text::new("blot-board-hand").with("cards", cards.join(" ")));
        let mine = own.melds.iter().map(|it| wording::meld(*it)).collect::<Vec<_>>();
        if !mine.is_empty() && !view.announced_melds[own.seat.index()].melds.iter().eq(&own.melds) {
            texts.push(Text::new("blot-board-melds").with("melds", Arg::List(mine)));
        }
    }
    texts.push(state(view));
    texts
}

fn over(view: &BlotView) -> Option<u8> {
    match view.stage {
        BlotStage::Over(team) => Some(team),
        BlotStage::Deal | BlotStage::Auction | BlotStage::Play => None,
    }
}

/// The public knowledge of combinations, and the side whose combinations count.
fn melds(view: &BlotView) -> Vec<Text> {
    let mut texts = Vec::new();
    for (seat, announced) in (0..4).map(Seat).zip(&view.announced_melds) {
        if !announced.melds.is_empty() {
            let melds = announced.melds.clone();
            texts.extend(wording::fact(&BlotFact::Shown { seat, melds }, &view.options));
        } else if !announced.kinds.is_empty() {
            let kinds = announced.kinds.clone();
            texts.extend(wording::fact(&BlotFact::Announced { seat, kinds }, &view.options));
        }
    }
    if let Some((team, points)) = view.counting {
        let side = wording::team(usize::from(team));
        texts.push(Text::new("blot-counting").with("side", side).with("points", points));
    }
    for seat in (0..4).map(Seat).filter(|seat| view.blots[seat.index()]) {
        texts.extend(wording::fact(&BlotFact::Blot { seat }, &view.options));
    }
    texts
}

/// The auction, a line for each call.
pub fn bids(view: &BlotView) -> Vec<Text> {
    if view.calls.is_empty() {
        return vec![Text::new("blot-no-bids")];
    }
    let mut texts: Vec<Text> =
        view.calls.iter().map(|(seat, call)| wording::said(*seat, *call)).collect();
    if let Some(contract) = view.contract.filter(|_| view.is_play()) {
        texts.push(Text::new("blot-decided").with("contract", wording::contract(&contract)));
    }
    texts
}

/// The trick before the one on the table.
pub fn last_trick(view: &BlotView) -> Vec<Text> {
    let last = view.last.as_ref().or(view.ended.as_ref());
    let Some(last) = last else { return vec![Text::new("blot-no-trick")] };
    let seats = (0..4).map(|n| Seat((last.leader + n) & 3));
    let cards: Vec<(Seat, Card)> = seats.zip(last.cards).collect();
    vec![
        Text::new("blot-last-trick").with("cards", wording::seat_cards(&cards)),
        Text::new("blot-took").with("name", Arg::Seat(last.winner)).with("points", last.points),
    ]
}

/// The key of the text for this refusal.
pub fn reason(illegal: BlotIllegal) -> &'static str {
    match illegal {
        BlotIllegal::MatchIsOver => "blot-over",
        BlotIllegal::NotDealt => "blot-no-deal",
        BlotIllegal::NotYourTurn => "blot-not-your-turn",
        BlotIllegal::NotFourSeats => "blot-seats",
        BlotIllegal::AuctionFirst => "blot-auction-first",
        BlotIllegal::AuctionIsOver => "blot-auction-over",
        BlotIllegal::BidTooLow => "blot-bid-low",
        BlotIllegal::BidTooHigh => "blot-bid-high",
        BlotIllegal::NothingHigher => "blot-bid-highest",
        BlotIllegal::NoBidLeft => "blot-bid-none",
        BlotIllegal::OnlyKaput => "blot-bid-kaput-only",
        BlotIllegal::KaputTooLow => "blot-bid-kaput-low",
        BlotIllegal::NoKaput => "blot-bid-no-kaput",
        BlotIllegal::KuanshWasSaid => "blot-bid-after-kuansh",
        BlotIllegal::NothingToDoubt => "blot-kuansh-nothing",
        BlotIllegal::OwnBid => "blot-kuansh-own",
        BlotIllegal::KuanshTwice => "blot-kuansh-twice",
        BlotIllegal::NoKuansh => "blot-sur-nothing",
        BlotIllegal::OnlyTheBidder => "blot-sur-bidder",
        BlotIllegal::OnlyTheBidders => "blot-sur-others",
        BlotIllegal::NotHeld => "blot-not-held",
        BlotIllegal::MustFollow => "blot-must-follow",
        BlotIllegal::MustFollowTrump => "blot-must-follow-trump",
        BlotIllegal::MustOvertrump => "blot-must-overtrump",
        BlotIllegal::MustCut => "blot-must-cut",
        BlotIllegal::MustOvercut => "blot-must-overcut",
        BlotIllegal::NoCombination => "blot-no-meld",
        BlotIllegal::CombinationsShowThemselves => "blot-melds-automatic",
    }
}

/// Explains why this action is refused, with the demand of the rule.
pub fn refuse(view: &BlotView, _seat: Seat, action: &BlotAction, illegal: BlotIllegal) -> Text {
    let text = Text::new(reason(illegal));
    let highest = view.bounds.map_or(0, |it| it.highest);
    let kaput = view.bounds.map_or(0, |it| lowest_kaput(it, action));
    let led = view.table.first().map_or("", |(_, card)| card.suit().sign());
    let trump = view.contract.and_then(|it| it.bid.trump.suit()).map_or("", |it| it.sign());
    let holding = view.table.iter().find(|(seat, _)| view.holding == Some(*seat));
    let holding = holding.map_or(String::new(), |(_, card)| card.sign());
    let legal = legal_cards(view);
    match illegal {
        BlotIllegal::NotYourTurn => text.with("name", Arg::Seat(view.turn.unwrap_or(Seat(0)).0)),
        BlotIllegal::BidTooLow => match view.bounds {
            Some(bounds) => too_low(text, bounds),
            None => text,
        },
        BlotIllegal::BidTooHigh => text.with("highest", highest),
        BlotIllegal::OnlyKaput | BlotIllegal::KaputTooLow => text.with("lowest", kaput),
        BlotIllegal::NoKaput => text.with("lowest", kaput).with("highest", highest),
        BlotIllegal::NotHeld => match action {
            BlotAction::Card(card) => text.with("card", card.sign()).with("legal", legal),
            BlotAction::Call(_)
            | BlotAction::Announce
            | BlotAction::AnnounceOther
            | BlotAction::Show => text,
        },
        BlotIllegal::MustFollow => text.with("suit", led).with("legal", legal),
        BlotIllegal::MustFollowTrump | BlotIllegal::MustCut => {
            text.with("suit", trump).with("legal", legal)
        }
        BlotIllegal::MustOvertrump | BlotIllegal::MustOvercut => {
            text.with("suit", trump).with("card", holding).with("legal", legal)
        }
        _ => text,
    }
}

/// A refusal of a bid that is too low, with the bids that are possible.
fn too_low(text: Text, bounds: BidRange) -> Text {
    let equal: Vec<Arg> = bounds.equal_bids().map(wording::bid).collect();
    let kind: u8 = match (equal.is_empty(), bounds.lowest <= bounds.highest) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    };
    text.with("kind", kind).with("equal", Arg::List(equal)).with("lowest", bounds.lowest)
}

/// The lowest number of a kaput bid in the suit of this bid.
fn lowest_kaput(bounds: BidRange, action: &BlotAction) -> u8 {
    let lowest = match action {
        BlotAction::Call(AuctionCall::Bid(bid)) => bounds.lowest_in(bid.trump),
        _ => bounds.lowest,
    };
    bounds.kaput_from.max(lowest)
}

/// The cards that the viewer may put now.
fn legal_cards(view: &BlotView) -> Arg {
    let legal = view.own.as_ref().map_or(0, |it| it.legal);
    let trump = view.contract.map(|it| it.bid.trump);
    Arg::List(sorted(legal, trump).into_iter().map(|it| it.sign().into()).collect())
}

/// The label of the button of an action.
pub fn label(action: &BlotAction) -> Arg {
    match action {
        BlotAction::Call(AuctionCall::Bid(bid)) => wording::bid(*bid),
        BlotAction::Call(call) => wording::call(*call),
        BlotAction::Card(card) => Arg::Plain(card.sign()),
        BlotAction::Announce => Text::new("blot-announce").into(),
        BlotAction::AnnounceOther => Text::new("blot-announce-other").into(),
        BlotAction::Show => Text::new("blot-show").into(),
    }
}
