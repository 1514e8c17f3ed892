//! `blot_cases.jsonl`: single rules and whole rounds.
//!
//! Every case is checked under the decisions of the file's header. Then cases (all of them when
//! `CASES_DIR` is set) are asked again under each alternative that the header lists: exactly those
//! tagged with a decision may answer otherwise when it is taken otherwise.

use caravanserai_games::blot::auction::Auction;
use caravanserai_games::blot::card::{RANKS, each};
use caravanserai_games::blot::melds::{self, Meld, MeldKind, Melds};
use caravanserai_games::blot::round::{BlotFact, CardPhase, blots};
use caravanserai_games::blot::score::{RoundResult, score, winner};
use caravanserai_games::blot::{
    AuctionCall, Bid, Blot, BlotAction, BlotOptions, Card, Contract, ContractLevel, Deal, House,
    Suit, Tricks, Trump,
};
use caravanserai_games::rules::{Node, Rules};
use serde_json::{Value, json};

use super::Tally;

/// Checks the whole file.
pub fn check(file: &Value, tally: &mut Tally) {
    let lines = file.as_array().expect("lines");
    let header = &lines[0];
    let standard = decided(&header["decisions"]);
    let alternatives: Vec<(String, BlotOptions)> = header["alternatives_tested"]
        .as_array()
        .expect("alternatives")
        .iter()
        .map(|it| {
            let name = it[0].as_str().expect("a name").to_owned();
            let options = standard.with(&name, &value_text(&it[1]));
            (name.clone(), options.unwrap_or_else(|| panic!("what is {name} {}?", it[1])))
        })
        .collect();
    // All of them take a few seconds; a part is enough for every day.
    let every = if std::env::var_os("CASES_DIR").is_some() { 1 } else { 12 };
    for (n, case) in lines[1..].iter().enumerate() {
        let kind = case["kind"].as_str().expect("a kind");
        let stated = &case["out"];
        let found = answer(case, &standard);
        assert!(agrees(stated, &found), "{case}\nfound {found}");
        tally.count(kind);
        let is_tagged = case["tags"].as_array().is_some_and(|tags| !tags.is_empty());
        if n % every == 0 || (is_tagged && n % 4 == 0) {
            check_alternatives(case, &alternatives, tally);
        }
    }
}

/// An alternative changes the answer of the cases tagged with its decision and of no others.
fn check_alternatives(case: &Value, alternatives: &[(String, BlotOptions)], tally: &mut Tally) {
    let tags = case["tags"].as_array().expect("tags");
    let tagged = |name: &str| tags.iter().any(|tag| *tag == format!("decision:{name}"));
    let mut changing: Vec<&str> = Vec::new();
    for (name, options) in alternatives {
        let found = answer(case, options);
        if !agrees(&case["out"], &found) {
            assert!(tagged(name), "{case}\nis not tagged {name}, yet under it: {found}");
            changing.push(name);
        }
        tally.count("answers under alternatives");
    }
    for (name, _) in alternatives.iter().filter(|(name, _)| tagged(name)) {
        assert!(changing.contains(&name.as_str()), "{case}\n{name} changes nothing");
    }
}

fn agrees(stated: &Value, found: &Value) -> bool {
    let fields = stated.as_object().expect("fields to compare");
    found.get("error").is_some() == fields.contains_key("error")
        && fields.iter().all(|(field, stated)| found.get(field) == Some(stated))
}

fn decided(decisions: &Value) -> BlotOptions {
    let decisions = decisions.as_object().expect("decisions by name");
    decisions.iter().fold(BlotOptions::default(), |options, (name, value)| {
        let with = options.with(name, &value_text(value));
        with.unwrap_or_else(|| panic!("what is {name} {value}?"))
    })
}

/// A value as the switch names it: `[2,3,5]` is `235`.
fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(value_text).collect(),
        other => other.to_string(),
    }
}

fn answer(case: &Value, options: &BlotOptions) -> Value {
    let input = &case["in"];
    let house = options.house();
    let answer = match case["kind"].as_str() {
        Some("legal") => Some(legal(input, &house)),
        Some("melds") if input.get("hand").is_some() => Some(melds_of_hand(input, &house)),
        Some("melds") => Some(melds_of_deal(input, &house)),
        Some("bids") => bids(input, &house),
        Some("score") => scored(input, &house),
        Some("match") => Some(matched(input, &house)),
        Some("replay") => replay(input, options),
        other => panic!("what is {other:?}?"),
    };
    answer.unwrap_or_else(|| json!({ "error": true }))
}

fn legal(input: &Value, house: &House) -> Value {
    let trick = cards(&input["trick"]);
    let mut hands = [0; 4];
    for (seat, card) in trick.iter().enumerate() {
        hands[seat] = card.bit();
    }
    hands[trick.len()] = set(&input["hand"]);
    let mut tricks = Tricks::new(hands, trump(&input["trump"]), 0, house.undertrump);
    for card in trick {
        tricks.play(card);
    }
    // The file lists suits in another order than ours.
    let legal = tricks.legal();
    let order =
        input["hand"].as_array().expect("a hand").iter().filter(|it| {
            legal & Card::read(it.as_str().expect("a card")).expect("a card").bit() != 0
        });
    let mut order: Vec<&Value> = order.collect();
    order.sort_by_key(|it| file_order(it));
    json!({ "legal": order })
}

/// Clubs, diamonds, spades, hearts.
fn file_order(card: &Value) -> (usize, u8) {
    let card = Card::read(card.as_str().expect("a card")).expect("a card");
    ("CDSH".find(card.suit().letter()).expect("a suit"), card.rank())
}

fn melds_of_hand(input: &Value, house: &House) -> Value {
    let trump = trump(&input["trump"]);
    let hand = set(&input["hand"]);
    let best = Melds::best(hand, trump, house);
    json!({
        "best": meld_list(&best, trump, house),
        "total": best.value(trump, house),
        "blot": melds::blot(hand, trump),
    })
}

fn melds_of_deal(input: &Value, house: &House) -> Value {
    let trump = trump(&input["trump"]);
    let hands = hands(&input["hands"]);
    let leader = number(&input["leader"]);
    let second = input.get("trick2_leader").map_or(leader, number);
    let first = if house.tie_trick2 { second } else { leader };
    let hidden =
        |seat: usize| input["hidden"].as_array().is_some_and(|it| it.contains(&json!(seat)));
    let held: [Melds; 4] = std::array::from_fn(|seat| {
        if hidden(seat) { Melds::default() } else { Melds::best(hands[seat], trump, house) }
    });
    let team = melds::counting_team(held.each_ref(), first, trump);
    let mut points = [0; 2];
    if let Some(team) = team {
        points[team] = held[team].value(trump, house) + held[team + 2].value(trump, house);
    }
    json!({
        "team": team,
        "points": points,
        "blot": blots(&hands, trump),
        "per_seat": held.each_ref().map(|melds| meld_list(melds, trump, house)),
    })
}

fn meld_list(melds: &Melds, trump: Trump, house: &House) -> Value {
    let one = |meld: Meld| {
        let kind = match meld.kind {
            MeldKind::Terz => "terz",
            MeldKind::Fifty => "50",
            MeldKind::Hundred => "100",
            MeldKind::Four => "4",
        };
        json!([kind, RANKS[usize::from(meld.rank)], meld.value(trump, house)])
    };
    melds.iter().map(one).collect()
}

fn bids(input: &Value, house: &House) -> Option<Value> {
    let mut auction = Auction::new(number(&input["dealer"]));
    for said in input["auction"].as_array().expect("an auction") {
        let seat = auction.turn()?;
        let call = call(said);
        auction.allows(seat, call, house).then(|| auction.call(seat, call, house))?;
    }
    let turn = auction.turn();
    let mut actions = Vec::new();
    for (call, name) in
        [(AuctionCall::Pass, "pass"), (AuctionCall::Kuansh, "kuansh"), (AuctionCall::Sur, "sur")]
    {
        actions.extend(turn.filter(|it| auction.allows(*it, call, house)).map(|_| name));
    }
    let bid = auction.bounds(house).map(|bounds| {
        json!({
            "min_x": bounds.lowest,
            "max_x": bounds.highest,
            "suits": ["C", "D", "S", "H", "N"],
            "kaput": if bounds.kaput_only { "must" } else { "may" },
            "kaput_from": bounds.kaput_from,
        })
    });
    let contract = auction.standing().filter(|_| turn.is_none()).map(contract_json);
    Some(json!({
        "turn": turn,
        "actions": actions,
        "bid": bid,
        "over": turn.is_none(),
        "contract": contract,
    }))
}

fn contract_json(contract: Contract) -> Value {
    let suit = contract.bid.trump.suit().map_or('N', Suit::letter);
    json!({
        "x": contract.bid.x,
        "suit": suit.to_string(),
        "kaput": contract.bid.kaput,
        "seat": contract.seat,
        "team": contract.team(),
        "level": contract.level as u8,
    })
}

fn scored(input: &Value, house: &House) -> Option<Value> {
    let bid = Bid {
        x: number(&input["x"]),
        trump: trump(&input["trump"]),
        kaput: input["kaput"].as_bool().expect("kaput or not"),
    };
    let level = [ContractLevel::Plain, ContractLevel::Kuansh, ContractLevel::Sur]
        [usize::from(number(&input["level"]))];
    let played = RoundResult {
        contract: Contract { bid, seat: number(&input["team"]), level },
        cards: pair(&input["cards"]).map(u16::from),
        tricks: pair(&input["tricks"]),
        melds: pair(&input["melds"]),
        blot: pair(&input["blot"]),
    };
    let score = score(&played, house)?;
    Some(json!({ "made": score.made, "points": score.points }))
}

fn matched(input: &Value, house: &House) -> Value {
    let before: [u64; 2] = serde_json::from_value(input["scores"].clone()).expect("totals");
    let round: [u64; 2] = serde_json::from_value(input["round"].clone()).expect("points");
    let totals = [0, 1].map(|side| u16::try_from(before[side] + round[side]).expect("points"));
    let bidders = usize::from(number(&input["bid_team"]));
    json!({ "scores": totals, "winner": winner(totals, bidders, house) })
}

fn replay(input: &Value, options: &BlotOptions) -> Option<Value> {
    let mut game = Blot::start(options, 4).expect("four seats");
    let dealer = Some(number(&input["dealer"]));
    let dealt = hands(&input["hands"]);
    let mut facts = Vec::new();
    game.apply_chance(&Deal { dealer, hands: dealt }, &mut facts).expect("a whole deal");
    let auction = input["auction"].as_array().expect("an auction").iter().map(call);
    let play = cards(&input["play"]);
    let actions = auction.map(BlotAction::Call).chain(play.into_iter().map(BlotAction::Card));
    let mut last_play: Option<CardPhase> = None;
    for action in actions {
        let Node::Act(seat) = game.node() else { return None };
        game.apply_action(seat, &action, &mut facts).ok()?;
        last_play = game.round().and_then(|it| it.play()).cloned().or(last_play);
    }
    let next_dealer = game.next_dealer();
    if facts.contains(&BlotFact::ThrownIn) {
        return Some(json!({ "contract": null, "points": [0, 0], "next_dealer": next_dealer }));
    }
    let house = options.house();
    let play = last_play?;
    let Some(summary) = game.sheet().last() else { return Some(unfinished(&play, &dealt, &house)) };
    let trump = summary.played.contract.bid.trump;
    let per_seat = play.held.each_ref().map(|it| meld_list(&it.melds, trump, &house));
    Some(json!({
        "contract": contract_json(summary.played.contract),
        "melds": per_seat,
        "meld_team": play.counting,
        "meld_points": summary.played.melds,
        "blot": summary.played.blot,
        "cards": summary.played.cards,
        "tricks": summary.played.tricks,
        "made": summary.score.made,
        "units": summary.score.units,
        "points": summary.score.points,
        "next_dealer": next_dealer,
    }))
}

/// A round that stops at the first trick: what is settled by then.
fn unfinished(play: &CardPhase, dealt: &[u32; 4], house: &House) -> Value {
    let trump = play.contract.bid.trump;
    let melds = play.held.each_ref().map(|it| &it.melds);
    let team = melds::counting_team(melds, play.tricks.leader(), trump);
    let mut points = [0; 2];
    if let Some(team) = team {
        points[team] = melds[team].value(trump, house) + melds[team + 2].value(trump, house);
    }
    json!({
        "contract": contract_json(play.contract),
        "melds": melds.map(|it| meld_list(it, trump, house)),
        "meld_team": team,
        "meld_points": points,
        "blot": blots(dealt, trump),
        "cards": play.tricks.points(),
        "tricks": play.tricks.taken(),
        "made": null,
        "units": null,
        "points": null,
        "next_dealer": null,
    })
}

fn call(said: &Value) -> AuctionCall {
    match said.as_str() {
        Some("pass") => AuctionCall::Pass,
        Some("kuansh") => AuctionCall::Kuansh,
        Some("sur") => AuctionCall::Sur,
        Some(other) => panic!("what is {other}?"),
        None => AuctionCall::Bid(Bid {
            x: number(&said["x"]),
            trump: trump(&said["suit"]),
            kaput: said.get("kaput").is_some_and(|it| *it == true),
        }),
    }
}

fn trump(letter: &Value) -> Trump {
    let letter = letter.as_str().expect("a suit").chars().next().expect("a letter");
    Suit::of_letter(letter).map_or(Trump::Boy, Trump::Suit)
}

fn cards(list: &Value) -> Vec<Card> {
    let list = list.as_array().expect("a list of cards").iter();
    list.map(|it| Card::read(it.as_str().expect("a card")).expect("a card")).collect()
}

fn set(list: &Value) -> u32 {
    let set = cards(list).into_iter().fold(0, |set, card| set | card.bit());
    assert_eq!(each(set).count(), list.as_array().map_or(0, Vec::len), "each card once");
    set
}

fn hands(list: &Value) -> [u32; 4] {
    std::array::from_fn(|seat| set(&list[seat]))
}

fn number(value: &Value) -> u8 {
    value.as_u64().and_then(|it| u8::try_from(it).ok()).expect("a small number")
}

fn pair(value: &Value) -> [u8; 2] {
    [number(&value[0]), number(&value[1])]
}

#[test]
fn values_of_the_header_are_those_of_the_switches() {
    assert_eq!(value_text(&json!([2, 3, 5])), "235");
    assert_eq!(value_text(&json!(false)), "false");
    assert_eq!(value_text(&json!("other_team")), "other_team");
}
