//! Records of whole matches, written and read back.

use caravanserai_games::blot::record::{BlotRecordStep, read, replay_text, write};
use caravanserai_games::blot::{Blot, BlotOptions};
use caravanserai_games::rules::{Node, Rules, Token};

use super::choose;
use crate::game_conformance::Seeded;

const NAMES: [&str; 4] = ["Ann", "Բագրատ", "Cy \"Q\" ril", "Дора"];

fn random_steps(options: &BlotOptions, seed: u64, len: usize) -> (Vec<BlotRecordStep>, Blot) {
    let mut random = Seeded(seed);
    let mut game = Blot::start(options, 4).unwrap();
    let mut steps = Vec::new();
    while steps.len() < len {
        match game.node() {
            Node::Over(_) => break,
            Node::Chance => {
                let deal = game.draw_chance(&mut random);
                game.apply_chance(&deal, &mut Vec::new()).unwrap();
                steps.push(BlotRecordStep::Chance(deal));
            }
            Node::Act(seat) => {
                let action = choose(&game, &game.actions(seat), &mut random);
                game.apply_action(seat, &action, &mut Vec::new()).unwrap();
                steps.push(BlotRecordStep::Act(seat, action));
            }
        }
    }
    (steps, game)
}

#[test]
fn a_whole_match_is_written_and_read_back() {
    let sets =
        ["standard", "target=101,boy_multiplier=235,manual_melds=true", "target=101,min_bid=7"];
    for (seed, options) in (0..).zip(sets) {
        let options = BlotOptions::read(options).unwrap();
        let (steps, game) = random_steps(&options, seed, usize::MAX);
        let text = write(&[("Game", "Blot")], &NAMES, &options, &steps, None);
        let read = read(&text, None).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"));
        assert_eq!((read.steps, read.options), (steps, options));
        assert_eq!(read.game.totals(), game.totals());
        assert!(text.contains("[C \"Cy Q ril\"]\n"), "{text}");
        let printed = replay_text(&text, None).unwrap();
        let [first, second] = game.totals();
        let ends = [format!("win {first}:{second}\n"), format!("win {second}:{first}\n")];
        assert!(ends.iter().any(|end| printed.ends_with(end)), "{printed}");
    }
}

#[test]
fn numbers_and_the_end_are_checked_under_other_house_rules_too() {
    let options = BlotOptions::read("target=101").unwrap();
    let (steps, _) = random_steps(&options, 5, usize::MAX);
    let text = write(&[], &NAMES, &options, &steps, None);
    let long = BlotOptions::default();
    assert!(read(&text, Some(long)).is_ok(), "a match to 301 goes on");
    let refused = |from: &str, to: &str| {
        let forged = text.replacen(from, to, 1);
        assert_ne!(forged, text);
        [None, Some(long)].map(|options| read(&forged, options).unwrap_err().kind.to_string())
    };
    assert_eq!(refused("\n3. ", "\n4. ")[1], "the number is 3 here, not 4");
    assert_eq!(refused("Deal 2,", "Deal 3,"), ["the number is 2 here, not 3"; 2]);
    let after = format!("{text}\nDeal 99, dealer A: not finished\n");
    assert_eq!(read(&after, None).unwrap_err().kind.to_string(), "the match is already over");
}

#[test]
fn switches_of_a_record_are_in_any_order() {
    let options = BlotOptions::read("target=101,min_bid=7").unwrap();
    let (steps, _) = random_steps(&options, 6, usize::MAX);
    let text = write(&[], &NAMES, &options, &steps, None);
    for spelling in ["min_bid=7,target=101", "min_bid=7, max_bid=84, target=101"] {
        let text = text.replace("target=101,min_bid=7", spelling);
        let again = read(&text, None).unwrap_or_else(|wrong| panic!("{spelling}: {wrong}"));
        assert_eq!((again.options, &again.steps), (options, &steps), "{spelling}");
        let stated = Some("min_bid=7,target=101");
        assert!(caravanserai_games::blot::ID.print_record(&text, stated).is_ok());
    }
}

#[test]
fn a_deal_that_is_not_over_is_not_told() {
    let (steps, game) = random_steps(&BlotOptions::default(), 3, 100);
    let text = write(&[], &NAMES, &BlotOptions::default(), &steps, Some(&[0, 1, 0, 1]));
    assert!(text.contains("[Result \"B+D "), "{text}");
    let [first, second] = game.totals();
    let points = format!("{first}:{second}");
    let wrong = self::read(&text.replace(&points, "999:0"), None).unwrap_err().to_string();
    assert!(wrong.contains(&points), "{wrong}");
    assert!(text.ends_with(": not finished\n"), "{text}");
    let read = read(&text, None).unwrap();
    let dealt = |steps: &[BlotRecordStep]| {
        steps.iter().filter(|it| matches!(it, BlotRecordStep::Chance(_))).count()
    };
    assert_eq!(dealt(&read.steps) + 1, dealt(&steps));
    assert_eq!(read.game.totals(), game.totals());
}

#[test]
fn false_statements_are_found_with_their_line() {
    let (steps, _) = random_steps(&BlotOptions::default(), 8, usize::MAX);
    let text = write(&[], &NAMES, &BlotOptions::default(), &steps, None);
    let lines: Vec<&str> = text.lines().collect();
    let mut checked = 0;
    for (number, line) in (1..).zip(&lines) {
        let forged = match line {
            line if line.contains("takes ") => line.replace("takes ", "takes 1"),
            line if line.starts_with("Score: ") => line.replace("cards ", "cards 9"),
            line if line.starts_with("A: ") => line.replace("A: ", "A: 7C 8C "),
            line if line.starts_with("Auction") => line.replace("Auction: A", "Auction: B"),
            line if line.starts_with("[Result") => line.replace(':', ":1"),
            _ => continue,
        };
        if forged == *line || line.starts_with("A: 7C 8C") {
            continue;
        }
        let mut forgery: Vec<&str> = lines.clone();
        forgery[number - 1] = &forged;
        let wrong = read(&forgery.join("\n"), None).expect_err(&forged);
        assert!(wrong.line >= number && wrong.line <= number + 4, "{wrong}: {forged}");
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
    for (line, text, said) in [
        (2, "[A \"Ann\"]\n[Options \"x=1\"]\n", "unknown options x=1"),
        (1, "[Options \"target=101,target=101\"]", "unknown options target=101,target=101"),
        (1, "Deal 2, dealer A", "the number is 1 here, not 2"),
        (1, "Deal 2, dealer A: not finished", "the number is 1 here, not 2"),
        (2, "Deal 1, dealer A\nDeal 2, dealer B", "the last deal is not complete"),
    ] {
        let wrong = read(text, None).unwrap_err();
        assert_eq!((wrong.line, wrong.kind.to_string().as_str()), (line, said), "{text}");
    }
    for text in ["", "[Options \"x\"]", "Deal 1, dealer A\nA: 7C", "hello"] {
        assert!(replay_text(text, None).is_err(), "{text}");
    }
}
