//! Sets up positions: stones in pits and kazans, tuzdyks, the side to move.

use super::notation::TogyzkumalakPositionFault;
use super::notation::position::START_TEXT;
use super::position::{BadPosition, STONES, Variant};
use super::view::{PITS, Pit, TogyzkumalakView};
use super::{Togyzkumalak, scene};
use crate::records::GameError;
use crate::rules::Seat;
use crate::scene::TouchArea;
use crate::setup::{UNKNOWN_POSITION, read_turn, turn_part};
use crate::text::{Arg, Text};
use crate::{SetupChoice, SetupDraft, SetupFunctions, SetupPart, SetupValues};

/// How positions of this game are set up.
pub(super) const SETUP: SetupFunctions<Togyzkumalak> =
    SetupFunctions { parts, draft, explain_fault, outcomes: None };

/// The value of a tuzdyk that there is not.
const NO_TUZDYK: &str = "-";

/// Pits that can be a tuzdyk: the last one cannot.
const TUZDYK_PITS: u8 = 8;

const SIDES: [Seat; 2] = [Seat(0), Seat(1)];

/// The pits of both sides, the kazans, the tuzdyks by owner, the side to move.
fn parts(view: &TogyzkumalakView, bottom_seat: Seat) -> Vec<SetupPart> {
    let shown = |seat: Seat| if bottom_seat == Seat(0) { seat } else { other(seat) };
    let pit_area = |side: Seat, index: u8| scene::pit(Pit { side: shown(side), index });
    let number = |label: Text, stones: u8, at: TouchArea| SetupPart {
        label,
        value: stones.to_string(),
        values: SetupValues::Number(STONES),
        at: Some(at),
    };
    let mut all = Vec::new();
    for side in SIDES {
        for (index, stones) in (0..).zip(view.pits[side.index()]) {
            let label = Text::new("togyzkumalak-setup-pit");
            let label = label.with("name", Arg::Seat(side.0)).with("pit", index + 1);
            all.push(number(label, stones, pit_area(side, index)));
        }
    }
    for side in SIDES {
        let label = Text::new("togyzkumalak-setup-kazan").with("name", Arg::Seat(side.0));
        all.push(number(label, view.kazans[side.index()], scene::kazan_area(shown(side))));
    }
    for owner in SIDES {
        let none = Text::new("togyzkumalak-setup-no-tuzdyk");
        let none = SetupChoice { value: NO_TUZDYK.to_owned(), label: none.into(), at: None };
        let pit = |index: u8| SetupChoice {
            value: (index + 1).to_string(),
            label: Arg::Plain((index + 1).to_string()),
            at: Some(pit_area(other(owner), index)),
        };
        let tuzdyk = view.tuzdyks[owner.index()];
        all.push(SetupPart {
            label: Text::new("togyzkumalak-setup-tuzdyk").with("name", Arg::Seat(owner.0)),
            value: tuzdyk.map_or_else(|| NO_TUZDYK.to_owned(), |it| (it + 1).to_string()),
            values: SetupValues::Choice(
                [none].into_iter().chain((0..TUZDYK_PITS).map(pit)).collect(),
            ),
            at: None,
        });
    }
    all.push(turn_part(view.turn, 2));
    all
}

fn other(seat: Seat) -> Seat {
    Seat(1 - seat.0)
}

/// A draft from the values of [`parts`]. A pit that is made a tuzdyk loses its stones.
fn draft(
    variant: &Variant,
    _: u8,
    values: &[&str],
) -> Result<SetupDraft<TogyzkumalakView>, GameError> {
    let view = read(*variant, values)
        .ok_or_else(|| GameError::from(TogyzkumalakPositionFault::Unknown(values.join(" "))))?;
    let row = |side: usize| {
        let cells = (0..).zip(view.pits[side]).map(|(pit, stones)| match view.tuzdyks[1 - side] {
            Some(it) if it == pit => "T".to_owned(),
            _ => stones.to_string(),
        });
        cells.collect::<Vec<_>>().join(",")
    };
    let [first, second] = view.kazans;
    let side = if view.turn == Some(Seat(1)) { "s" } else { "f" };
    let text = format!("{}/{} {first} {second} {side} 0", row(0), row(1));
    Ok(SetupDraft { view, text })
}

fn read(variant: Variant, values: &[&str]) -> Option<TogyzkumalakView> {
    let (pits, rest) = values.split_at_checked(2 * PITS)?;
    let [first, second, first_tuzdyk, second_tuzdyk, turn] = *rest else { return None };
    let stones = |text: &str| text.parse::<u8>().ok().filter(|it| *it <= STONES);
    let tuzdyk = |text: &str| match text {
        NO_TUZDYK => Some(None),
        _ => text
            .parse::<u8>()
            .ok()
            .filter(|it| (1..=TUZDYK_PITS).contains(it))
            .map(|it| Some(it - 1)),
    };
    let tuzdyks = [tuzdyk(first_tuzdyk)?, tuzdyk(second_tuzdyk)?];
    let mut view = TogyzkumalakView {
        pits: [[0; PITS]; 2],
        kazans: [stones(first)?, stones(second)?],
        tuzdyks,
        turn: Some(read_turn(turn, 2)?),
        extra: false,
        variant,
        plies: 0,
        last: None,
        before: None,
        end: None,
        earlier: Vec::new(),
    };
    for (pit, text) in view.pits.as_flattened_mut().iter_mut().zip(pits) {
        *pit = stones(text)?;
    }
    for (owner, pit) in tuzdyks.iter().enumerate() {
        if let Some(pit) = pit {
            view.pits[1 - owner][usize::from(*pit)] = 0;
        }
    }
    Some(view)
}

fn explain_fault(fault: &GameError) -> Text {
    use TogyzkumalakPositionFault as Fault;
    match fault.downcast_ref::<Fault>() {
        Some(Fault::Impossible(BadPosition::Stones(found))) => {
            let found = i64::from(*found);
            let all = i64::from(STONES);
            match all - found {
                missing if missing > 0 => {
                    Text::new("togyzkumalak-setup-missing").with("count", missing).with("all", all)
                }
                excess => {
                    Text::new("togyzkumalak-setup-excess").with("count", -excess).with("all", all)
                }
            }
        }
        Some(Fault::Impossible(BadPosition::Tuzdyk { side, pit })) => {
            let text = Text::new("togyzkumalak-setup-bad-tuzdyk");
            text.with("name", Arg::Seat(*side)).with("pit", *pit + 1)
        }
        Some(Fault::Impossible(BadPosition::Extra)) => Text::new("togyzkumalak-setup-extra"),
        Some(Fault::NoStones { side }) => {
            Text::new("togyzkumalak-setup-no-stones").with("name", Arg::Seat(*side))
        }
        Some(Fault::NotFinished) => Text::new("togyzkumalak-setup-not-finished"),
        Some(Fault::Unknown(_)) | None => Text::new(UNKNOWN_POSITION).with("example", START_TEXT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::SetupGame;
    use crate::table_match::TableGame;
    use crate::togyzkumalak::DEFINITION;
    use crate::togyzkumalak::notation::read_position;
    use crate::{NotationError, SetupPart};

    /// The values of the start, with these ones changed.
    fn start_with(changes: &[(usize, &str)]) -> Vec<String> {
        let game = DEFINITION.start_match("seed", 2).unwrap();
        let mut values: Vec<String> =
            game.setup_parts(Seat(0)).into_iter().map(|it| it.value).collect();
        for (at, value) in changes {
            values[*at] = (*value).to_owned();
        }
        values
    }

    fn text_of(values: &[String]) -> Result<String, GameError> {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        draft(&Variant::Seed, 2, &values).map(|it| it.text)
    }

    /// The key of the text that refuses these values.
    fn fault_of(changes: &[(usize, &str)]) -> Text {
        let text = text_of(&start_with(changes)).unwrap();
        let fault = read_position(&text, Variant::Seed).unwrap_err();
        explain_fault(&fault.into())
    }

    #[test]
    fn the_start_is_written_as_it_is_read() {
        assert_eq!(text_of(&start_with(&[])).unwrap(), START_TEXT);
        let moved = [(0, "1"), (18, "8"), (22, "2")];
        let text = text_of(&start_with(&moved)).unwrap();
        assert_eq!(text, "1,9,9,9,9,9,9,9,9/9,9,9,9,9,9,9,9,9 8 0 s 0");
        let (position, _) = read_position(&text, Variant::Seed).unwrap();
        assert_eq!((position.side(), position.kazans()), (1, [8, 0]));
    }

    #[test]
    fn a_tuzdyk_takes_the_place_of_the_stones() {
        let placed = [(18, "9"), (20, "3")];
        let text = text_of(&start_with(&placed)).unwrap();
        assert_eq!(text, "9,9,9,9,9,9,9,9,9/9,9,T,9,9,9,9,9,9 9 0 f 0");
        let (position, _) = read_position(&text, Variant::Seed).unwrap();
        assert_eq!(position.tuzdyks(), [Some(2), None]);
    }

    #[test]
    fn impossible_positions_are_refused_in_words() {
        let missing = fault_of(&[(4, "0")]);
        assert_eq!(missing.key, "togyzkumalak-setup-missing");
        assert_eq!(missing.args[0].1, Arg::Number(9));
        let excess = fault_of(&[(4, "12")]);
        assert_eq!(
            (&*excess.key, &excess.args[0].1),
            ("togyzkumalak-setup-excess", &Arg::Number(3))
        );
        // Both tuzdyks in pits of the same number.
        let twins = fault_of(&[(18, "18"), (20, "3"), (21, "3")]);
        assert_eq!(twins.key, "togyzkumalak-setup-bad-tuzdyk");
        // The first player has no stones and is to move; the second may be.
        let mut emptied: Vec<(usize, &str)> = (0..9).map(|pit| (pit, "0")).collect();
        emptied.extend([(18, "40"), (19, "41")]);
        let stuck = fault_of(&emptied);
        assert_eq!(stuck.key, "togyzkumalak-setup-no-stones");
        assert_eq!(stuck.args[0].1, Arg::Seat(0));
        emptied.push((22, "2"));
        let text = text_of(&start_with(&emptied)).unwrap();
        assert!(read_position(&text, Variant::Seed).is_ok_and(|(it, _)| !it.is_over()), "{text}");
        let unknown = explain_fault(&GameError::from("else"));
        assert_eq!(unknown.key, UNKNOWN_POSITION);
    }

    #[test]
    fn values_that_nobody_can_choose_make_no_draft() {
        for (at, value) in [
            (0, "163"),
            (0, "-1"),
            (0, "x"),
            (18, "999"),
            (20, "9"),
            (20, "0"),
            (22, "3"),
            (22, ""),
        ] {
            assert!(text_of(&start_with(&[(at, value)])).is_err(), "{at} {value}");
        }
        let mut short = start_with(&[]);
        short.pop();
        assert!(text_of(&short).is_err());
        let named = ["a".to_owned(), "b".to_owned()];
        let refused = DEFINITION.draft_position("seed", &["9"], Seat(0), &named);
        assert!(matches!(refused, Err(NotationError::Position(_))));
        let refused = DEFINITION.draft_position("other", &["9"], Seat(0), &named);
        assert!(matches!(refused, Err(NotationError::HouseRules(_))));
    }

    #[test]
    fn each_part_of_the_board_has_its_own_place_from_both_sides() {
        let game = DEFINITION.start_match("seed", 2).unwrap();
        let places = |bottom_seat: u8| -> Vec<TouchArea> {
            game.setup_parts(Seat(bottom_seat)).iter().filter_map(|it: &SetupPart| it.at).collect()
        };
        let first = places(0);
        let second = places(1);
        assert_eq!((first.len(), second.len()), (20, 20));
        assert!((0..9).all(|n| first[n] == second[n + 9] && first[n + 9] == second[n]));
        assert_eq!(first[18], second[19]);
        let distinct: std::collections::HashSet<TouchArea> = first.into_iter().collect();
        assert_eq!(distinct.len(), 20);
    }
}
