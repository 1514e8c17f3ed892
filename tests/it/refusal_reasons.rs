//! Every reason for a refusal can occur and has a text in every language.

use std::collections::BTreeSet;

use caravanserai_games::blot::{self, AuctionCall, Bid, Blot, Card, Trump};
use caravanserai_games::rules::{
    Entropy, IllegalReason, Node, RecordError, Rules, Seat, Token, Viewer,
};
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::thaayam::{self, PiecePlace, Thaayam};
use caravanserai_games::togyzkumalak::{self, Sow, Togyzkumalak};
use caravanserai_games::{GameDefinition, GameInfo};
use caravanserai_i18n::{I18n, Lang};

use crate::game_conformance::Seeded;

/// One game as the search for reasons plays it.
struct Search<'a, R: Rules> {
    pack: &'static GameDefinition<R>,
    /// Everything that can be spelled.
    tries: Vec<R::Action>,
    i18n: &'a I18n,
    /// Reasons that came up, and those of them that were already said in all languages.
    seen: BTreeSet<&'static str>,
}

impl<R: Rules> Search<'_, R> {
    /// Says a refusal in every language.
    fn hear(&mut self, text: impl FnOnce() -> Text, illegal: R::Illegal) {
        let key = (self.pack.table.refusal_key)(illegal);
        if !self.seen.insert(key) {
            return;
        }
        let text = text().with_seat_names(&|seat| Arg::Plain(format!("Seat{seat}")));
        assert_eq!(text.key, key, "what is said is the reason");
        for lang in Lang::all() {
            let said = self.i18n.translate_plain(*lang, &text);
            let whole = !said.is_empty() && !said.contains(key) && !said.contains(['{', '$']);
            assert!(whole && self.i18n.has_message(*lang, key), "{key} in {}: {said}", lang.code());
        }
    }

    /// Tries everything for every seat, and one more than there are.
    fn try_all(&mut self, game: &R, seats: u8) {
        for seat in (0..=seats).map(Seat) {
            let view = game.view(Viewer::Seat(seat));
            let mut tried = game.clone();
            for action in self.tries.clone() {
                let Err(illegal) = tried.apply_action(seat, &action, &mut Vec::new()) else {
                    tried = game.clone();
                    continue;
                };
                self.hear(
                    || (self.pack.table.explain_refusal)(&view, seat, &action, illegal),
                    illegal,
                );
            }
        }
    }

    /// Plays a random game and tries everything at every `every`-th step.
    fn play(&mut self, options: &str, seats: u8, seed: u64, every: usize) {
        let options = R::Options::read(options).expect("house rules");
        let mut game = R::start(&options, seats).expect("a game");
        let mut random = Seeded(seed);
        for step in 0..4_000 {
            let over = matches!(game.node(), Node::Over(_));
            if over || step % every == 0 {
                self.try_all(&game, seats);
            }
            match game.node() {
                Node::Over(_) => return,
                Node::Chance => {
                    let outcome = game.draw_chance(&mut random);
                    game.apply_chance(&outcome, &mut Vec::new()).expect("it was drawn");
                    let again = game.apply_chance(&outcome, &mut Vec::new());
                    let Err(illegal) = again else { continue };
                    self.hear(|| Text::new((self.pack.table.refusal_key)(illegal)), illegal);
                }
                Node::Act(seat) => {
                    let legal = game.actions(seat);
                    // The last are the rarer kinds, words after numbers; the first are low bids,
                    // which make a long match.
                    let last = legal.len().saturating_sub(3)..legal.len();
                    let among = match random.below(3) {
                        0 => last,
                        1 => 0..legal.len().min(6),
                        _ => 0..legal.len(),
                    };
                    let choice = among.start + random.below(among.len() as u32) as usize;
                    game.apply_action(seat, &legal[choice], &mut Vec::new()).expect("it is legal");
                }
            }
        }
    }

    /// What refuses a table that cannot be.
    fn start(&mut self, options: &str, seats: u8) {
        let options = R::Options::read(options).expect("house rules");
        let illegal = R::start(&options, seats).expect_err("this cannot be played");
        self.hear(|| Text::new((self.pack.table.refusal_key)(illegal)), illegal);
    }

    /// Every reason came up, each under a key of its own.
    fn is_complete(&self) {
        let GameInfo { code, .. } = self.pack.info;
        let all: BTreeSet<_> =
            R::Illegal::ALL.iter().map(|it| (self.pack.table.refusal_key)(*it)).collect();
        assert_eq!(all.len(), R::Illegal::ALL.len(), "a key of {code} has two reasons");
        let never: Vec<_> = all.difference(&self.seen).collect();
        assert!(never.is_empty(), "{code} never refuses for {never:?}");
        for reason in R::Illegal::ALL {
            let said = reason.to_string();
            assert!(said.is_ascii() && !said.contains(code) || said.contains("played"), "{said}");
        }
    }
}

fn search<'a, R: Rules>(
    pack: &'static GameDefinition<R>,
    tries: Vec<R::Action>,
    i18n: &'a I18n,
) -> Search<'a, R> {
    Search { pack, tries, i18n, seen: BTreeSet::new() }
}

#[test]
fn every_refusal_of_togyzkumalak_happens_and_has_all_texts() {
    let i18n = I18n::new();
    let mut search =
        search::<Togyzkumalak>(&togyzkumalak::DEFINITION, (0..10).map(Sow).collect(), &i18n);
    (0..20).for_each(|seed| search.play("seed", 2, seed, 1));
    search.start("seed", 3);
    search.is_complete();
}

#[test]
fn every_refusal_of_thaayam_happens_and_has_all_texts() {
    use thaayam::ThaayamAction;
    let i18n = I18n::new();
    let pieces =
        || [PiecePlace::Hand, PiecePlace::Home].into_iter().chain((0..25).map(PiecePlace::On));
    let uses = [1, 2, 3, 4, 8].into_iter();
    let uses =
        uses.flat_map(|throw| pieces().map(move |piece| ThaayamAction::Use { throw, piece }));
    let whole = ThaayamAction::read("=a1");
    let words = [ThaayamAction::Throw, ThaayamAction::Undo, ThaayamAction::Done];
    let tries = uses.chain(words).chain(whole).collect();
    let mut search = search::<Thaayam>(&thaayam::DEFINITION, tries, &i18n);
    let house = [
        "standard",
        "pieces=2,obligation=max,same_turn_bear_off=no",
        "pieces=1,kill_to_go_in=yes,same_turn_bear_off=no",
        "block_on_path=yes",
    ];
    for options in house {
        (0..3).for_each(|seed| search.play(options, 2, seed, 1));
    }
    search.start("standard", 5);
    search.start("partners=yes", 3);
    search.is_complete();
}

#[test]
fn every_refusal_of_blot_happens_and_has_all_texts() {
    use blot::BlotAction;
    let i18n = I18n::new();
    let cards = blot::card::each(blot::card::PACK).map(BlotAction::Card);
    let bids = [7, 8, 9, 16, 25, 40, 84, 90].into_iter().flat_map(|x| {
        let trumps = Trump::ALL.into_iter();
        trumps.flat_map(move |trump| [false, true].map(|kaput| Bid { x, trump, kaput }))
    });
    let calls = [AuctionCall::Kuansh, AuctionCall::Pass, AuctionCall::Sur]
        .into_iter()
        .chain(bids.map(AuctionCall::Bid));
    let melds = [BlotAction::Announce, BlotAction::AnnounceOther, BlotAction::Show];
    let tries = cards.chain(calls.map(BlotAction::Call)).chain(melds).collect();
    let mut search = search::<Blot>(&blot::DEFINITION, tries, &i18n);
    let house = [
        "target=101",
        "target=101,max_bid=16,sur_by=bidder",
        "target=101,manual_melds=true",
        "target=101,sur_by=bidder,bid_after_kuansh=true",
    ];
    search.start("standard", 3);
    for seed in 0..60 {
        if search.seen.len() < blot::BlotIllegal::ALL.len() {
            house.iter().for_each(|options| search.play(options, 4, seed, 1));
        }
    }
    search.is_complete();
}

#[test]
fn record_errors_carry_their_line() {
    use togyzkumalak::notation::{MoveFault, TogyzkumalakRecordFault};
    let wrong = togyzkumalak::record_commands::replay_text("76\n76 76", None).unwrap_err();
    let why = MoveFault::EmptyPit { side: 1, extra: false, pit: 6 };
    let RecordError { line, kind } = &wrong;
    assert_eq!(*line, 2);
    assert!(matches!(kind, TogyzkumalakRecordFault::Move { .. }), "{kind:?} and not {why:?}");

    use thaayam::notation_errors::ThaayamRecordFault as Thaayam;
    let wrong = thaayam::record::read("[White \"A\"]\n[Red \"B\"]\n1. WHITE 5: -").unwrap_err();
    assert_eq!(wrong, RecordError { line: 3, kind: Thaayam::NoThrow });
    assert_eq!(wrong.to_string(), "line 3: a throw is 1, 2, 3, 4 or 8");

    use blot::notation_errors::BlotRecordFault as Blot;
    let wrong = blot::record::read("[A \"Ann\"]\nDeal 1, dealer D\nA: 9Z", None).unwrap_err();
    assert_eq!(wrong, RecordError { line: 3, kind: Blot::NoCard("9Z".to_owned()) });
    assert_eq!(Card::read("9Z"), None);
    for options in [None, Some(blot::options::BlotOptions::default())] {
        let wrong = blot::record::read("[A \"Ann\"]\n", options).unwrap_err();
        assert_eq!(wrong, RecordError { line: 1, kind: Blot::NoDeal });
    }
}
