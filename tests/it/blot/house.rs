//! House rules that the case files do not touch.

use caravanserai_games::blot::{Blot, BlotAction, BlotOptions, Card, Deal, caption};
use caravanserai_games::rules::{Node, Rules, Seat, Token, Viewer};

/// A: a terz in spades. B: a 50 in hearts. C: queen and king of clubs. D: a terz in spades.
const HANDS: [&str; 4] = [
    "8S 9S 10S 7C 8C 7D 8D AH",
    "9H 10H JH QH 9C AC 9D 10D",
    "QC KC 10C JD QD 7H 8H AS",
    "JC AD KD KH 7S JS QS KS",
];

fn game(options: &str, steps: &str) -> Blot {
    let set =
        |cards: &str| cards.split(' ').fold(0, |set, card| set | Card::read(card).unwrap().bit());
    let mut game = Blot::start(&BlotOptions::read(options).unwrap(), 4).unwrap();
    let deal = Deal { dealer: Some(3), hands: HANDS.map(set) };
    game.apply_chance(&deal, &mut Vec::new()).unwrap();
    for token in steps.split_whitespace() {
        act(&mut game, token).unwrap_or_else(|why| panic!("{token}: {why}"));
    }
    game
}

/// The one on turn does this.
fn act(game: &mut Blot, token: &str) -> Result<(), &'static str> {
    let Node::Act(seat) = game.node() else { return Err("over") };
    game.apply_action(seat, &BlotAction::read(token).unwrap(), &mut Vec::new())
        .map_err(caption::reason)
}

fn turn(game: &Blot) -> u8 {
    let Node::Act(Seat(seat)) = game.node() else { panic!("nobody's turn") };
    seat
}

#[test]
fn ranked_suits_take_an_equal_number_in_a_higher_suit() {
    let mut ranked = game("suit_rank=true", "9d");
    assert_eq!(act(&mut ranked.clone(), "9c"), Err("blot-bid-low"));
    assert_eq!(act(&mut ranked.clone(), "9d"), Err("blot-bid-low"));
    assert_eq!(act(&mut ranked, "9h"), Ok(()));
    assert_eq!(act(&mut ranked, "9b"), Ok(()));
    assert_eq!(act(&mut game("standard", "9d"), "9h"), Err("blot-bid-low"));
}

#[test]
fn the_last_word_is_the_bidders_once() {
    let mut last = game("last_word=true", "9d pass pass pass");
    assert_eq!(turn(&last), 0);
    assert!(last.round().unwrap().play().is_none());
    let mut raised = last.clone();
    act(&mut raised, "12h").unwrap();
    assert_eq!(turn(&raised), 1, "the others may answer");
    act(&mut last, "pass").unwrap();
    assert!(last.round().unwrap().play().is_some());
    assert!(game("standard", "9d pass pass pass").round().unwrap().play().is_some());
}

#[test]
fn after_a_kuansh_the_bidding_goes_on_where_that_is_the_custom() {
    let mut goes_on = game("bid_after_kuansh=true", "9d kuansh pass");
    assert_eq!(act(&mut goes_on.clone(), "sur"), Err("blot-sur-others"));
    assert_eq!(act(&mut goes_on.clone(), "kuansh"), Err("blot-kuansh-twice"));
    act(&mut goes_on, "10s").unwrap();
    assert_eq!(act(&mut goes_on, "kuansh"), Ok(()), "a new bid can be doubted again");
    assert_eq!(act(&mut game("standard", "9d kuansh"), "10s"), Err("blot-bid-after-kuansh"));
}

#[test]
fn kuansh_may_be_called_out_of_turn_by_the_other_side() {
    let mut any = game("kuansh_any_time=true", "9d");
    let kuansh = BlotAction::read("kuansh").unwrap();
    assert_eq!(any.actions(Seat(3)), [kuansh]);
    assert!(any.actions(Seat(2)).is_empty() && any.actions(Seat(0)).is_empty());
    any.apply_action(Seat(3), &kuansh, &mut Vec::new()).unwrap();
    assert_eq!(turn(&any), 0, "the first of the bidding side after the kuansh");
    let mut standard = game("standard", "9d");
    assert!(standard.actions(Seat(3)).is_empty());
    assert!(standard.apply_action(Seat(3), &kuansh, &mut Vec::new()).is_err());
}

#[test]
fn a_combination_that_is_not_announced_or_not_shown_is_lost() {
    let auction = "9c pass pass pass";
    let play = |options: &str, tricks: &str| {
        let game = game(options, &format!("{auction} {tricks}"));
        game.view(Viewer::Public).counting
    };
    // B's 50 in hearts beats A's terz, and the terz of B's partner counts with it.
    let silent = "AH 9H 7H KH 8S 9C AS 7S";
    assert_eq!(play("standard", silent), Some((1, 7)));
    assert_eq!(play("manual_melds=true", silent), None, "nobody said a word");
    let only_a = "announce AH 9H 7H KH show 8S 9C AS 7S";
    assert_eq!(play("manual_melds=true", only_a), Some((0, 2)));
    let b_forgets = "announce AH announce 9H 7H KH show 8S 9C AS 7S";
    assert_eq!(play("manual_melds=true", b_forgets), Some((0, 2)));
    let both = "announce AH announce 9H 7H KH show 8S show 9C AS 7S";
    assert_eq!(play("manual_melds=true", both), Some((1, 5)));
    let mut late = game("manual_melds=true", &format!("{auction} AH 9H 7H KH"));
    assert_eq!(act(&mut late, "announce"), Err("blot-no-meld"));
    assert_eq!(act(&mut game("standard", auction), "announce"), Err("blot-melds-automatic"));
}

#[test]
fn a_late_show_is_allowed_if_the_opponent_showed_nothing() {
    // A has a terz, B the stronger 50; both announce, and A waits because B's kind is stronger.
    let announced = "9c pass pass pass announce AH announce 9H 7H KH";
    let by_hand = |steps: &str| game("manual_melds=true", &format!("{announced} {steps}"));
    let counting = |game: &Blot| game.view(Viewer::Public).counting;
    let owed = by_hand("8S 9C AS 7S");
    assert_eq!(counting(&owed), None, "each may still show");
    let leader = turn(&owed);
    let shows = |game: &Blot, seat: u8| {
        game.actions(Seat(seat)).contains(&BlotAction::read("show").unwrap())
    };
    assert!(shows(&owed, leader) == (leader < 2), "seats 3 and 4 have announced nothing");
    let play_on = |mut game: Blot, shower: Option<u8>| {
        while game.view(Viewer::Public).tricks.len() < 3 {
            let seat = turn(&game);
            if shower == Some(seat) {
                act(&mut game, "show").unwrap();
                let other = 1 - seat;
                assert!(!game.actions(Seat(other)).contains(&BlotAction::read("show").unwrap()));
            }
            let is_card = |it: &&BlotAction| matches!(it, BlotAction::Card(_));
            let card = *game.actions(Seat(seat)).iter().find(is_card).unwrap();
            game.apply_action(Seat(seat), &card, &mut Vec::new()).unwrap();
        }
        game
    };
    assert_eq!(counting(&play_on(owed.clone(), None)), None, "nobody showed");
    let late = play_on(owed.clone(), Some(0));
    assert_eq!(counting(&late), Some((0, 2)), "B forgot, A shows the next time");
    assert!(!shows(&late, turn(&late)), "never with the fourth card");
    assert_eq!(counting(&play_on(owed, Some(1))), Some((1, 5)));
    // Where an opponent has shown in time, nobody has a second chance.
    let in_time = by_hand("8S show 9C AS 7S");
    assert_eq!(counting(&in_time), Some((1, 5)));
    assert!((0..4).all(|seat| !shows(&in_time, seat)));
}

#[test]
fn the_side_that_does_not_count_keeps_its_cards_to_itself() {
    let steps = "9c pass pass pass AH 9H 7H KH 8S";
    let told = |options: &str| game(options, steps).view(Viewer::Public).announced_melds;
    assert_eq!(told("standard")[0].kinds.len(), 1, "its kind was said");
    assert!(told("standard")[0].melds.is_empty());
    assert_eq!(told("show_melds=all")[0].melds.len(), 1);
}

#[test]
fn bids_end_at_the_house_limit() {
    let mut low = game("max_bid=16", "16h");
    assert_eq!(act(&mut low.clone(), "17h"), Err("blot-bid-highest"));
    assert_eq!(low.view(Viewer::Public).bounds, None);
    assert_eq!(act(&mut low, "kuansh"), Ok(()));
    assert_eq!(act(&mut game("max_bid=16", ""), "17h"), Err("blot-bid-high"));
    // The partner of the bidder has no kuansh, and where bids end at 16 there is no kaput.
    assert_eq!(act(&mut game("max_bid=16", "16h pass"), "17h"), Err("blot-bid-none"));
    assert_eq!(act(&mut game("max_bid=16", ""), "16hk"), Err("blot-bid-no-kaput"));
    assert_eq!(act(&mut game("standard", ""), "16hk"), Err("blot-bid-kaput-low"));
    let doubted = "16h kuansh";
    assert_eq!(act(&mut game("max_bid=16", doubted), "17h"), Err("blot-bid-after-kuansh"));
    let goes_on = "max_bid=16,bid_after_kuansh=true";
    assert_eq!(act(&mut game(goes_on, doubted), "17h"), Err("blot-bid-none"));
}

#[test]
fn the_eighth_trick_plays_itself_and_no_other_card_does() {
    let mut game = game("standard", "9c pass pass pass");
    let mut forced = 0;
    while game.round().is_some() {
        let Node::Act(seat) = game.node() else { break };
        let action = game.forced_action();
        forced += u32::from(action.is_some());
        let action = action.unwrap_or_else(|| game.actions(seat)[0]);
        game.apply_action(seat, &action, &mut Vec::new()).unwrap();
    }
    assert_eq!(forced, 4);
}

#[test]
fn a_record_can_be_replayed_from_a_file() {
    use caravanserai_games::blot::record::{BlotRecordStep, write};
    use caravanserai_tools::records::replay_record;
    let game = game("standard", "");
    let deal = Deal { dealer: Some(3), hands: game.round().unwrap().dealt() };
    let passes =
        (0..4).map(|seat| BlotRecordStep::Act(Seat(seat), BlotAction::read("pass").unwrap()));
    let steps: Vec<BlotRecordStep> =
        [BlotRecordStep::Chance(deal)].into_iter().chain(passes).collect();
    let text =
        write(&[("Game", "Blot")], &["a", "b", "c", "d"], &BlotOptions::default(), &steps, None);
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("match.txt");
    std::fs::write(&file, &text).unwrap();
    let printed = replay_record("blot", &file, None).unwrap();
    assert_eq!(printed, "options standard\n  1 thrown in\nnot finished, 0:0\n");
    std::fs::write(&file, text.replace("A pass", "A 7h")).unwrap();
    let wrong = replay_record("blot", &file, None).unwrap_err().to_string();
    assert!(wrong.contains("line 14: A cannot 7h: the bid is too low"), "{wrong}");
}
