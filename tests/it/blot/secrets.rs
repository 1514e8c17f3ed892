//! Nobody learns a card before it is put or shown.
//!
//! Cards that a viewer has not seen are exchanged between the hands of others, the log is played
//! again, and everything that viewer gets must be equal. Exchanges that the log itself rules out
//! (a card that was then illegal, another announced kind) are no secrets and are passed over.

use std::collections::BTreeMap;

use caravanserai_games::Match;
use caravanserai_games::blot;
use caravanserai_games::blot::card::{PACK, each};
use caravanserai_games::blot::melds::{MeldKind, Melds};
use caravanserai_games::blot::record::BlotRecordStep;
use caravanserai_games::blot::{Blot, BlotAction, BlotOptions, DEFINITION as GAME, Deal, Trump};
use caravanserai_games::rules::{Entropy, Node, Rules, Seat, Token, Viewer};
use caravanserai_games::search::{PlayerQuestion, ThinkBudget};

use super::choose;
use crate::game_conformance::Seeded;

const VIEWERS: [Viewer; 5] = [
    Viewer::Seat(Seat(0)),
    Viewer::Seat(Seat(1)),
    Viewer::Seat(Seat(2)),
    Viewer::Seat(Seat(3)),
    Viewer::Public,
];

/// One round from its deal on.
struct Log {
    options: BlotOptions,
    deal: Deal,
    actions: Vec<(Seat, BlotAction)>,
}

impl Log {
    fn play(&self) -> Option<Blot> {
        let mut game = Blot::start(&self.options, 4).unwrap();
        let mut facts = Vec::new();
        game.apply_chance(&self.deal, &mut facts).unwrap();
        for (seat, action) in &self.actions {
            game.apply_action(*seat, action, &mut facts).ok()?;
        }
        Some(game)
    }

    /// The same as tables know it.
    fn table(&self) -> Box<dyn Match> {
        let mut table = blot::ID.start_match(&self.options.write(), 4).unwrap();
        table.apply_chance(&self.deal.write()).unwrap();
        for (seat, action) in &self.actions {
            table.apply_action(*seat, &action.write()).unwrap();
        }
        table
    }
}

/// Everything that a viewer gets of a table.
fn told(table: &dyn Match, viewer: Viewer) -> Vec<String> {
    let names = ["Ann", "Bob", "Cyril", "Dora"].map(str::to_owned);
    let mut told = vec![
        format!("{:?}", table.caption(viewer)),
        format!("{:?}", table.board_text(viewer)),
        format!("{:?}", table.scene(viewer, &names, None)),
        format!("{:?}", table.scene(viewer, &names, Some(&[1, 0, 1, 0]))),
    ];
    told.extend(table.sheets().iter().map(|name| format!("{:?}", table.sheet(name, viewer))));
    if let Viewer::Seat(seat) = viewer {
        told.push(format!("{:?}", table.choices(seat)));
        told.push(format!("{:?}", table.hand(seat)));
    }
    // The buttons under the board are for everybody's eyes.
    if let Node::Act(turn) = table.node() {
        told.extend((0..3).map(|page| format!("{:?}", table.panel(turn, page))));
        // Where hands have no buttons, the board has as many numbers.
        told.push(table.hand(turn).len().to_string());
    }
    told
}

/// What everybody heard of combinations so far, worked out from the deal.
fn heard(log: &Log, game: &Blot) -> Option<Vec<(Vec<MeldKind>, u32)>> {
    let trump: Trump = game.round()?.play()?.contract.bid.trump;
    let melds = log.deal.hands.map(|hand| Melds::best(hand, trump, &log.options.house()));
    let kinds = |melds: &Melds| melds.iter().map(|meld| meld.kind).collect();
    let shown = |seat: usize| game.round()?.play().map(|play| play.held[seat].shown);
    Some(
        (0..4)
            .map(|seat| {
                let cards = if shown(seat) == Some(true) { melds[seat].cards() } else { 0 };
                (kinds(&melds[seat]), cards)
            })
            .collect(),
    )
}

/// Checks one moment of a round; counts exchanges by who looked.
fn check(log: &Log, random: &mut Seeded, checked: &mut BTreeMap<String, u32>) {
    let game = log.play().unwrap();
    let Some(round) = game.round() else { return };
    let gone = PACK & !round.hands().iter().fold(0, |all, hand| all | hand);
    let table = log.table();
    for viewer in VIEWERS {
        let mut hands = log.deal.hands;
        let hidden: Vec<usize> =
            (0..4).filter(|seat| viewer != Viewer::Seat(Seat(*seat as u8))).collect();
        let shown = game
            .view(viewer)
            .announced_melds
            .iter()
            .fold(0, |all, told| told.melds.iter().fold(all, |all, meld| all | meld.cards()));
        let [a, b] = [0, 1].map(|_| hidden[random.below(hidden.len() as u32) as usize]);
        let pick = |seat: usize, random: &mut Seeded| {
            let free: Vec<_> = each(hands[seat] & !gone & !shown).collect();
            (!free.is_empty()).then(|| free[random.below(free.len() as u32) as usize])
        };
        let (Some(one), Some(two)) = (pick(a, random), pick(b, random)) else { continue };
        if a == b {
            continue;
        }
        hands[a] ^= one.bit() | two.bit();
        hands[b] ^= one.bit() | two.bit();
        let deal = Deal { hands, ..log.deal };
        let other = Log { options: log.options, deal, actions: log.actions.clone() };
        let Some(other_game) = other.play() else { continue };
        if heard(log, &game) != heard(&other, &other_game) {
            continue;
        }
        assert_eq!(game.view(viewer), other_game.view(viewer), "{viewer:?}");
        assert_eq!(told(&*table, viewer), told(&*other.table(), viewer), "{viewer:?}");
        *checked.entry(format!("{viewer:?}")).or_default() += 1;
    }
}

#[test]
fn exchanged_unseen_cards_change_nothing_for_others() {
    let mut checked = BTreeMap::new();
    for (seed, options) in (0..).zip(["standard", "manual_melds=true", "kuansh_any_time=true"]) {
        let options = BlotOptions::read(options).unwrap();
        for n in 0..3 {
            let mut random = Seeded(100 * seed + n);
            let deal = Deal::draw(&mut random, true);
            let mut log = Log { options, deal, actions: Vec::new() };
            loop {
                check(&log, &mut random, &mut checked);
                let game = log.play().unwrap();
                let Node::Act(seat) = game.node() else { break };
                let action = choose(&game, &game.actions(seat), &mut random);
                log.actions.push((seat, action));
            }
        }
    }
    assert_eq!(checked.len(), VIEWERS.len());
    assert!(checked.values().all(|count| *count > 25), "{checked:?}");
}

#[test]
fn the_public_has_no_hand_and_cards_have_no_public_buttons() {
    let mut random = Seeded(4);
    let mut game = Blot::start(&BlotOptions::default(), 4).unwrap();
    let mut steps: Vec<BlotRecordStep> = Vec::new();
    while steps.len() < 300 {
        match game.node() {
            Node::Over(_) => break,
            Node::Chance => {
                let deal = game.draw_chance(&mut random);
                game.apply_chance(&deal, &mut Vec::new()).unwrap();
                steps.push(BlotRecordStep::Chance(deal));
            }
            Node::Act(seat) => {
                let view = game.view(Viewer::Public);
                assert_eq!(view.own, None);
                assert!((GAME.table.hand)(&view).is_empty());
                let own = game.view(Viewer::Seat(seat));
                let panel = (GAME.table.panel)(&own, &game.actions(seat), 0);
                let cards = panel.rows.iter().flatten();
                assert!(cards.clone().all(|it| matches!(it, BlotAction::Call(_))));
                let actions = game.actions(seat);
                let budget = &ThinkBudget::OF_LEVEL;
                let question = PlayerQuestion { view: &own, actions: &actions, budget };
                let mut player = (GAME.arena.player)("beginner").unwrap();
                let action = player.think(&question, &mut random, &mut |_| {}).action;
                game.apply_action(seat, &action, &mut Vec::new()).unwrap();
                steps.push(BlotRecordStep::Act(seat, action));
            }
        }
    }
    assert!(steps.len() > 60);
}
