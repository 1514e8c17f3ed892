//! What people read and what the computer plays, through whole matches.

use caravanserai_games::Match;
use caravanserai_games::blot;
use caravanserai_games::rules::{Node, Seat, Viewer};
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::{I18n, Lang};

use crate::game_conformance::Seeded;
use crate::test_computers::beginner;

const NAMES: [&str; 4] = ["Anahit", "Баурыжан", "Cyril", "Տիգրան"];

fn said(i18n: &I18n, lang: Lang, texts: Vec<Text>) -> String {
    let name = |seat: u8| Arg::Plain(NAMES[usize::from(seat)].to_owned());
    let lines: Vec<String> = texts
        .into_iter()
        .map(|text| i18n.translate_plain(lang, &text.with_seat_names(&name)))
        .collect();
    lines.join("\n")
}

/// One step of a match among computers.
fn step(table: &mut dyn Match, random: &mut Seeded) -> bool {
    match table.node() {
        Node::Over(_) => return false,
        Node::Chance => {
            let deal = table.draw_chance(random);
            table.apply_chance(&deal).unwrap();
        }
        Node::Act(seat) => {
            let token =
                table.forced_action().unwrap_or_else(|| beginner(blot::ID, table, seat, random));
            table.apply_action(seat, &token).unwrap();
        }
    }
    true
}

#[test]
fn captions_are_sentences_of_moderate_length() {
    let i18n = I18n::new();
    let look = std::env::var_os("CAPTIONS").is_some();
    for (seed, options) in (0..).zip(["standard", "target=101,manual_melds=true"]) {
        let mut random = Seeded(seed);
        let mut table = blot::ID.start_match(options, 4).unwrap();
        while step(&mut *table, &mut random) {
            // Automatic actions of the table are described together with what follows.
            if table.forced_action().is_some() || table.node() == Node::Chance {
                continue;
            }
            // All that happened since the player to move acted, in any pace.
            let lines = table.caption(Viewer::Public);
            assert!(lines.len() <= 10, "{lines:#?}");
            for lang in Lang::all().iter().copied() {
                let mut all = vec![
                    lines.clone(),
                    table.board_text(Viewer::Public),
                    table.board_text(Viewer::Seat(Seat(1))),
                ];
                let sheets = table.sheets();
                all.extend(sheets.iter().filter_map(|it| table.sheet(it, Viewer::Seat(Seat(1)))));
                for (n, texts) in all.into_iter().enumerate() {
                    let said = said(&i18n, lang, texts);
                    let most = if n == 0 { 900 } else { 3_000 };
                    assert!(said.chars().count() < most, "{said}");
                    let keys = said.replace("blot-reblot", "");
                    assert!(!keys.contains("{$") && !keys.contains("blot-"), "{said}");
                    if look {
                        println!("--- {} {n}\n{said}", lang.code());
                    }
                }
            }
        }
    }
}

#[test]
fn trick_cards_are_named_once_and_the_last_trick_stays_visible() {
    use caravanserai_games::blot::{AuctionCall, Blot, BlotAction, BlotFact, BlotOptions};
    use caravanserai_games::blot::{caption, scene, view::BlotStage};
    use caravanserai_games::rules::{Entropy, Rules};
    let mut random = Seeded(3);
    let mut game = Blot::start(&BlotOptions::default(), 4).unwrap();
    let (mut tricks, mut rounds) = (0, 0);
    let mut last = None;
    for _ in 0..2_000 {
        match game.node() {
            Node::Over(_) => break,
            Node::Chance => {
                let deal = game.draw_chance(&mut random);
                game.apply_chance(&deal, &mut Vec::new()).unwrap();
            }
            Node::Act(seat) => {
                let (actions, mut facts) = (game.actions(seat), Vec::new());
                // Eight of something, then three passes: a long match.
                let bids = |it: &BlotAction| matches!(it, BlotAction::Call(_));
                let pass = actions.iter().position(|it| it == &BlotAction::Call(AuctionCall::Pass));
                let first = random.below(actions.len() as u32) as usize;
                let n = if bids(&actions[0]) { pass.filter(|_| seat.0 > 0) } else { None };
                let n = n.unwrap_or(if bids(&actions[0]) { 0 } else { first });
                game.apply_action(seat, &actions[n], &mut facts).unwrap();
                let took = |it: &BlotFact| {
                    if let BlotFact::Took(trick) = it { Some(*trick) } else { None }
                };
                last = facts.iter().rev().find_map(took).or(last);
            }
        }
        let view = game.view(Viewer::Public);
        let told = caption::caption(&view);
        for (_, card) in view.table.iter().filter(|_| view.table.len() > 1) {
            let sign = format!("{:?}", Arg::Plain(card.sign()));
            let lines = told.iter().filter(|it| it.key.starts_with("blot-put"));
            let twice = lines.filter(|it| format!("{it:?}").contains(&sign)).count();
            assert_eq!(twice, 0, "{sign} stands in {told:?}");
            tricks += 1;
        }
        if view.stage == BlotStage::Auction && view.calls.is_empty() && !view.sheet.is_empty() {
            let said = caption::last_trick(&view);
            assert_eq!(said[0].key, "blot-last-trick");
            assert_eq!(view.ended, last);
            let drawn = format!("{:?}", scene::scene(&view, &[], None));
            assert!(last.unwrap().cards.iter().all(|it| drawn.contains(&scene::card_name(*it))));
            rounds += 1;
        }
    }
    assert!(tricks > 20 && rounds > 1, "{tricks} cards, {rounds} rounds");
}

#[test]
fn the_last_line_says_whose_turn_it_is() {
    let i18n = I18n::new();
    let mut random = Seeded(9);
    let mut table = blot::ID.start_match("standard", 4).unwrap();
    while step(&mut *table, &mut random) {
        let caption = table.caption(Viewer::Public);
        let last = said(&i18n, Lang::default(), vec![caption.last().unwrap().clone()]);
        match table.node() {
            Node::Act(seat) => assert!(last.contains(NAMES[seat.index()]), "{last}"),
            Node::Over(_) => assert!(last.contains("won the match"), "{last}"),
            Node::Chance => {}
        }
    }
}

#[test]
fn computers_bid_and_play_sensibly() {
    let (mut rounds, mut made, mut thrown_in, mut steps) = (0, 0, 0, 0);
    for seed in 0..4 {
        let mut random = Seeded(50 + seed);
        let mut table = blot::ID.start_match("standard", 4).unwrap();
        while step(&mut *table, &mut random) {
            steps += 1;
            let news = format!("{:?}", table.caption(Viewer::Public));
            rounds += u32::from(news.contains("blot-round-cards") && news.contains("blot-dealt"));
            made += u32::from(news.contains("blot-round-made") && news.contains("blot-dealt"));
            thrown_in += u32::from(news.contains("blot-thrown-in") && news.contains("blot-dealt"));
        }
    }
    assert!(rounds > 20 && steps > 800, "{rounds} rounds");
    assert!(made * 10 > rounds * 5, "{made} of {rounds} bids made");
    assert!(made * 20 < rounds * 19, "{made} of {rounds} made: they never dare");
    assert!(thrown_in * 2 < rounds, "{thrown_in} thrown in");
}

#[test]
fn refusals_name_the_rule() {
    let i18n = I18n::new();
    let mut table = blot::ID.start_match("standard", 4).unwrap();
    table.apply_chance(&deal()).unwrap();
    let refuse = |table: &dyn Match, seat: u8, token: &str| {
        let illegal = table.clone_box().apply_action(Seat(seat), token).unwrap_err();
        said(&i18n, Lang::default(), vec![table.explain_refusal(Seat(seat), token, illegal)])
    };
    assert_eq!(refuse(&*table, 1, "8h"), "It’s Anahit’s turn.");
    assert_eq!(refuse(&*table, 0, "7h"), "Too low: bid 8 or more.");
    assert_eq!(refuse(&*table, 0, "85h"), "Too high: the highest bid is 84.");
    assert_eq!(refuse(&*table, 0, "24hk"), "Kaput can be bid with 25 or more.");
    assert!(refuse(&*table, 0, "kuansh").contains("no bid to answer"));
    assert!(refuse(&*table, 0, "sur").contains("there is none"));
    assert!(refuse(&*table, 0, "JH").contains("First the auction"));
    for (seat, token) in [(0, "8h"), (1, "pass"), (2, "pass"), (3, "pass")] {
        table.apply_action(Seat(seat), token).unwrap();
    }
    assert_eq!(
        refuse(&*table, 0, "JC"),
        "You don’t hold J♣. You can play J♥, 9♥, 7♥, A♠, K♠, Q♠, J♦, 8♣."
    );
    assert!(refuse(&*table, 0, "9h").contains("auction is over"));
    assert!(refuse(&*table, 0, "announce").contains("automatically"));
    table.apply_action(Seat(0), "AS").unwrap();
    let refused = refuse(&*table, 1, "AH");
    assert_eq!(refused, "You have ♠: you must follow suit. You can play 10♠, 9♠.");
    for (seat, token) in [(1, "10S"), (2, "7D"), (3, "7S"), (0, "JD")] {
        table.apply_action(Seat(seat), token).unwrap();
    }
    table.apply_action(Seat(1), "KD").unwrap();
    table.apply_action(Seat(2), "AD").unwrap();
    assert!(refuse(&*table, 3, "JC").contains("must follow suit"));
}

#[test]
fn bids_of_an_equal_number_are_named_where_suits_are_ranked() {
    let i18n = I18n::new();
    let said = |text: Text| said(&i18n, Lang::default(), vec![text]);
    for (bid, line, lower, refusal) in [
        ("10h", "10♠, 10 no trump, 11 or more, or pass.", "10d", "10♠, 10 no trump, 11 or more."),
        ("10b", "11 or more, or pass.", "10s", "11 or more."),
        ("84h", "84♠, 84 no trump, or pass.", "84d", "84♠, 84 no trump."),
        (
            "25hk",
            "25♠ kaput, 25 no trump kaput, kaput with 26 or more, or pass.",
            "25dk",
            "25♠ kaput, 25 no trump kaput, 26 or more.",
        ),
    ] {
        let mut table = blot::ID.start_match("suit_rank=true", 4).unwrap();
        table.apply_chance(&deal()).unwrap();
        table.apply_action(Seat(0), bid).unwrap();
        let last = said(table.caption(Viewer::Public).last().unwrap().clone());
        assert!(last.ends_with(&format!(" bids: {line}")), "{bid}: {last}");
        let illegal = table.clone_box().apply_action(Seat(1), lower).unwrap_err();
        let refused = said(table.explain_refusal(Seat(1), lower, illegal));
        assert_eq!(refused, format!("Too low: bid {refusal}"));
    }
}

/// The hands of the lessons; seat 3 deals.
fn deal() -> String {
    use caravanserai_games::blot::{Card, Deal};
    use caravanserai_games::rules::Token;
    let hands = [
        "JH 9H 7H AS KS QS JD 8C",
        "AH 8H 10S 9S AC 9C 7C KD",
        "QH KH 10H AD 10D 7D KC 10C",
        "7S 8S JS 9D 8D QD JC QC",
    ];
    let set =
        |cards: &str| cards.split(' ').fold(0, |set, card| set | Card::read(card).unwrap().bit());
    Deal { dealer: Some(3), hands: hands.map(set) }.write()
}
