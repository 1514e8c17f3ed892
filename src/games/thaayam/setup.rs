//! Sets up positions between turns: the place of each piece, who has killed, the side to move.

use super::board::{FORTRESS, HAND, OFF, square_name};
use super::notation_errors::ThaayamPositionFault;
use super::options::ThaayamOptions;
use super::position::{PlayerPieces, ThaayamPosition, letter, square_of, step_of_letter};
use super::view::ThaayamView;
use super::{Thaayam, position_notation, scene};
use crate::records::GameError;
use crate::rules::{Rules, Seat, Viewer};
use crate::setup::{UNKNOWN_POSITION, read_turn, turn_part};
use crate::text::{Arg, Text};
use crate::{OutcomeParts, SetupChoice, SetupDraft, SetupFunctions, SetupPart, SetupValues};

/// How positions of this game are set up.
pub(super) const SETUP: SetupFunctions<Thaayam> =
    SetupFunctions { parts, draft, explain_fault, outcomes: Some(THROWS) };

/// A series of throws (S10).
const THROWS: OutcomeParts = OutcomeParts {
    first: &["1", "4", "8"],
    last: &["2", "3"],
    most: 12,
    too_long: "thaayam-setup-many-throws",
};

/// A position that players know how to write.
const EXAMPLE: &str = "----/aabF 2";

const YES: &str = "yes";
const NO: &str = "no";

/// The pieces of each seat from the rearmost on; where it matters, whether each seat has killed;
/// the seat to move.
fn parts(view: &ThaayamView, bottom_seat: Seat) -> Vec<SetupPart> {
    let position = &view.position;
    let options = position.options();
    let mut all = Vec::new();
    for seat in view.seats() {
        let steps = position.side(seat).steps().iter().take(usize::from(options.pieces));
        for (number, step) in (1_u8..).zip(steps) {
            let label = Text::new("thaayam-setup-piece").with("name", Arg::Seat(seat.0));
            all.push(SetupPart {
                label: label.with("number", number),
                value: letter(*step).to_string(),
                values: SetupValues::Choice(places(view, seat, bottom_seat)),
                at: Some(scene::step_area(view, view.colour(seat), *step, bottom_seat)),
            });
        }
    }
    for seat in view.seats().filter(|_| options.kill_to_go_in) {
        let choice = |value: &str, key: &'static str| SetupChoice {
            value: value.to_owned(),
            label: Text::new(key).into(),
            at: None,
        };
        let choices = vec![choice(NO, "lesson-no"), choice(YES, "lesson-yes")];
        all.push(SetupPart {
            label: Text::new("thaayam-setup-killed").with("name", Arg::Seat(seat.0)),
            value: if position.has_killed(seat) { YES } else { NO }.to_owned(),
            values: SetupValues::Choice(choices),
            at: None,
        });
    }
    all.push(turn_part(view.turn, position.seats()));
    all
}

/// The places of a piece of a seat.
fn places(view: &ThaayamView, seat: Seat, bottom_seat: Seat) -> Vec<SetupChoice> {
    let colour = view.colour(seat);
    let choice = |step: i8| {
        let square = square_of(colour.path(), step).filter(|_| step != FORTRESS);
        let label = match (square, step) {
            (Some(square), _) => Arg::Plain(square_name(square)),
            (None, HAND) => Text::new("thaayam-setup-hand").into(),
            (None, FORTRESS) => Text::new("thaayam-setup-fortress").into(),
            (None, _) => Text::new("thaayam-setup-off").into(),
        };
        let is_on_board = step != HAND && step != OFF;
        let at = is_on_board.then(|| scene::step_area(view, colour, step, bottom_seat));
        SetupChoice { value: letter(step).to_string(), label, at }
    };
    (HAND..=OFF).map(choice).collect()
}

/// A draft from the values of [`parts`].
fn draft(
    options: &ThaayamOptions,
    seats: u8,
    values: &[&str],
) -> Result<SetupDraft<ThaayamView>, GameError> {
    let unknown = || GameError::from(ThaayamPositionFault::Unknown(values.join(" ")));
    let mut position = ThaayamPosition::start(*options, seats).map_err(GameError::from)?;
    let pieces = usize::from(options.pieces);
    let (places, rest) =
        values.split_at_checked(usize::from(seats) * pieces).ok_or_else(unknown)?;
    let killers = if options.kill_to_go_in { usize::from(seats) } else { 0 };
    let (killed, [turn]) = rest.split_at_checked(killers).ok_or_else(unknown)? else {
        return Err(unknown());
    };
    for (seat, places) in (0..).map(Seat).zip(places.chunks(pieces.max(1))) {
        let steps: Option<Vec<i8>> = places.iter().map(|it| read_place(it)).collect();
        let text = places.concat();
        let side = PlayerPieces::new(&steps.ok_or_else(unknown)?)
            .ok_or(ThaayamPositionFault::Pieces { text, seats })?;
        position = position.with_side(seat, side);
    }
    for (seat, value) in (0..).map(Seat).zip(killed) {
        position = match *value {
            YES => position.with_killer(seat),
            NO => position,
            _ => return Err(unknown()),
        };
    }
    let turn = read_turn(turn, seats).ok_or_else(unknown)?;
    let view = Thaayam::from_position(position, turn).view(Viewer::Public);
    let text = position_notation::write(&view).ok_or_else(unknown)?;
    Ok(SetupDraft { view, text })
}

/// Reads one letter of a written position.
fn read_place(text: &str) -> Option<i8> {
    let mut letters = text.chars();
    let step = letters.next().and_then(step_of_letter)?;
    letters.next().is_none().then_some(step)
}

fn explain_fault(fault: &GameError) -> Text {
    use ThaayamPositionFault as Fault;
    match fault.downcast_ref::<Fault>() {
        Some(Fault::EnemiesTogether) => Text::new("thaayam-setup-enemies"),
        Some(Fault::InsideWithoutKill) => Text::new("thaayam-setup-no-kill"),
        Some(Fault::PlayerFinished) => Text::new("thaayam-setup-finished"),
        Some(Fault::Pieces { .. }) => Text::new("thaayam-setup-bad-pieces"),
        Some(Fault::Unknown(_) | Fault::NoKillers | Fault::NoSeat { .. }) | None => {
            Text::new(UNKNOWN_POSITION).with("example", EXAMPLE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table_match::TableGame;
    use crate::thaayam::DEFINITION;

    fn text_of(values: &[&str]) -> Result<String, String> {
        let made = draft(&ThaayamOptions::default(), 2, values).map(|it| it.text);
        made.map_err(|it| explain_fault(&it).key.into_owned())
    }

    #[test]
    fn pieces_are_placed_in_any_order() {
        let values = ["b", "-", "F", "a", "-", "-", "-", "x", "2"];
        assert_eq!(text_of(&values).unwrap(), "-abF/---x 2");
    }

    #[test]
    fn values_read_back_as_the_position_that_they_were_made_from() {
        let definition = &DEFINITION;
        let default = ThaayamOptions::default();
        let other = ThaayamOptions { kill_to_go_in: true, pieces: 2, ..default };
        for rules in [default, other] {
            let token = crate::rules::Token::write(&rules);
            let game = definition.start_match(&token, 2).unwrap();
            let parts = game.setup_parts(Seat(0));
            let values: Vec<&str> = parts.iter().map(|it| it.value.as_str()).collect();
            let made = draft(&rules, 2, &values).unwrap();
            assert_eq!(game.position_text(Viewer::Public), Some(made.text));
        }
    }

    #[test]
    fn a_series_of_twelve_throws_can_be_chosen_and_no_longer_one() {
        assert_eq!(THROWS.check_length(&format!("{}2", "1".repeat(11))), Ok(()));
        let refused = THROWS.check_length(&format!("{}2", "1".repeat(12))).unwrap_err();
        assert_eq!(refused.key, "thaayam-setup-many-throws");
    }

    #[test]
    fn impossible_positions_are_refused_in_words() {
        let refused = |values: &[&str]| text_of(values).unwrap_err();
        // One is off before all are home.
        let early = ["-", "-", "-", "O", "-", "-", "-", "-", "1"];
        assert_eq!(refused(&early), "thaayam-setup-bad-pieces");
        assert_eq!(refused(&["-"; 9]), UNKNOWN_POSITION);
        assert_eq!(refused(&["a"; 8]), UNKNOWN_POSITION);
        let fault = |text: &str| {
            let read = position_notation::read(&ThaayamOptions::default(), 2, text);
            explain_fault(&read.unwrap_err().into()).key.into_owned()
        };
        let finished = ["O", "O", "O", "O", "-", "-", "-", "-", "2"];
        assert_eq!(fault(&text_of(&finished).unwrap()), "thaayam-setup-finished");
        // Both are on d1: the second square of one way, the tenth of the other.
        let together = ["b", "-", "-", "-", "j", "-", "-", "-", "1"];
        assert_eq!(fault(&text_of(&together).unwrap()), "thaayam-setup-enemies");
        // Nobody could ever move.
        let after_a_kill = ThaayamOptions { kill_to_go_in: true, ..ThaayamOptions::default() };
        let read = |text: &str| position_notation::read(&after_a_kill, 2, text);
        for text in ["pppF/pppp 1", "---q/---- 2", "---q/---q 1 killed=2"] {
            let fault = explain_fault(&read(text).unwrap_err().into());
            assert_eq!(fault.key, "thaayam-setup-no-kill", "{text}");
        }
        for text in ["pppF/pppp 1 killed=1", "pppp/pppp 1", "FFOO/---- 1 killed=1"] {
            assert!(read(text).is_ok(), "{text}");
        }
    }
}
