//! Counts captured stones, tuzdyks and openings, for statistics and achievements.

use super::Togyzkumalak;
use super::rules::TogyzkumalakFact;
use crate::rules::Seat;
use crate::statistics::{
    Achievement, GameCounts, PlayChoice, PlayChoiceGroup, StatisticsFunctions,
};
use crate::text::Arg;

/// Stones that went into the own kazan.
const CAPTURED: &str = "captured";
/// The number of tuzdyks.
const TUZDYKS: &str = "tuzdyks";
/// The most stones captured by one move.
const LARGEST: &str = "largest";
/// The most stones that the opponent was ahead.
const BEHIND: &str = "behind";

/// The stones of a large capture.
const LARGE_CAPTURE: i64 = 20;
/// So many stones behind, a win is a comeback.
const COMEBACK: i64 = 20;
/// The stones that become the first of a tuzdyk.
const TUZDYK_STONES: i32 = 3;

/// The first move of a game, by its pit.
const FIRST_MOVES: [PlayChoice; 9] = [
    opening("first-1"),
    opening("first-2"),
    opening("first-3"),
    opening("first-4"),
    opening("first-5"),
    opening("first-6"),
    opening("first-7"),
    opening("first-8"),
    opening("first-9"),
];
/// The reply to the first move of a game, by its pit.
const FIRST_REPLIES: [PlayChoice; 9] = [
    opening("reply-1"),
    opening("reply-2"),
    opening("reply-3"),
    opening("reply-4"),
    opening("reply-5"),
    opening("reply-6"),
    opening("reply-7"),
    opening("reply-8"),
    opening("reply-9"),
];

const fn opening(count: &'static str) -> PlayChoice {
    PlayChoice { count, success: None }
}

/// The number of the pit at the end of the name of the count.
fn pit_label(it: &PlayChoice) -> Arg {
    let pit = it.count.rsplit('-').next().unwrap_or_default();
    Arg::Plain(pit.to_owned())
}

/// The counts and achievements.
pub(super) const STATISTICS: StatisticsFunctions<Togyzkumalak> = StatisticsFunctions {
    count,
    takes_back: |_| false,
    totals: &[CAPTURED, TUZDYKS],
    achievements: &[
        Achievement { code: "tuzdyk", is_reached: |counts, _| counts(TUZDYKS) > 0 },
        Achievement {
            code: "large-capture",
            is_reached: |counts, _| counts(LARGEST) >= LARGE_CAPTURE,
        },
        Achievement {
            code: "comeback",
            is_reached: |counts, has_won| has_won && counts(BEHIND) >= COMEBACK,
        },
    ],
    play_choices: &[
        PlayChoiceGroup { code: "first", choices: &FIRST_MOVES, label: pit_label },
        PlayChoiceGroup { code: "reply", choices: &FIRST_REPLIES, label: pit_label },
    ],
};

fn count(facts: &[TogyzkumalakFact], seats: u8) -> GameCounts {
    let mut counts = GameCounts::new(seats);
    let mut openings = [&FIRST_MOVES, &FIRST_REPLIES].into_iter();
    for fact in facts {
        match *fact {
            TogyzkumalakFact::Through { owner, stones } => {
                capture(&mut counts, owner, stones.into());
            }
            TogyzkumalakFact::Captured { seat, stones, .. } => {
                capture(&mut counts, seat, stones.into());
                counts.raise(seat, LARGEST, stones.into());
            }
            TogyzkumalakFact::Tuzdyk { seat, .. } => {
                capture(&mut counts, seat, TUZDYK_STONES);
                counts.add(seat, TUZDYKS, 1);
            }
            TogyzkumalakFact::Collected { seat, stones } => {
                capture(&mut counts, seat, stones.into());
            }
            TogyzkumalakFact::Sown { seat, from, .. } => {
                let opening = openings.next().and_then(|it| it.get(usize::from(from)));
                if let Some(opening) = opening {
                    counts.add(seat, opening.count, 1);
                }
            }
            TogyzkumalakFact::ExtraMove { .. } | TogyzkumalakFact::Ended { .. } => {}
        }
    }
    counts
}

fn capture(counts: &mut GameCounts, seat: Seat, stones: i32) {
    counts.add(seat, CAPTURED, stones);
    let other = Seat(1 - seat.0.min(1));
    let behind = counts.get(seat, CAPTURED) - counts.get(other, CAPTURED);
    counts.raise(other, BEHIND, behind);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Token;
    use crate::togyzkumalak::ID;
    use crate::togyzkumalak::view::Pit;
    use crate::{Game, GameRefusal};

    fn counted(tokens: &[&str]) -> Result<GameCounts, GameRefusal> {
        let game: &dyn Game = *ID;
        let start = game.start_match(&crate::togyzkumalak::Variant::default().write(), 2)?;
        let seats = [Some(Seat(0)), Some(Seat(1))].into_iter().cycle();
        start.count_steps(&mut seats.zip(tokens.iter().copied()))
    }

    /// Both sides capture; the fifth move makes a tuzdyk.
    const MOVES: [&str; 6] = ["9", "4", "2", "1", "3", "9"];

    #[test]
    fn captured_stones_are_those_in_the_kazans() {
        let counts = counted(&MOVES).unwrap();
        let mut game = ID.start_match(&ID.info().default_options(), 2).unwrap();
        for (n, token) in (0..).zip(MOVES) {
            game.apply_action(Seat(n % 2), token).unwrap();
        }
        let sample = game.chart_sample().values();
        assert!(sample[0] > 0);
        assert_eq!([0, 1].map(|it| counts.get(Seat(it), CAPTURED)).to_vec(), sample);
        assert_eq!([0, 1].map(|it| counts.get(Seat(it), TUZDYKS)), [1, 0]);
    }

    #[test]
    fn the_first_move_of_each_side_is_its_opening() {
        let counts = counted(&MOVES).unwrap();
        let openings = |seat: u8| {
            let groups = STATISTICS.play_choices.iter();
            let all = groups.flat_map(|group| group.choices.iter().map(move |it| (group, it)));
            let chosen = all.filter(|(_, it)| counts.get(Seat(seat), it.count) > 0);
            chosen.map(|(group, it)| (group.code, (group.label)(it))).collect::<Vec<_>>()
        };
        assert_eq!(openings(0), [("first", Arg::Plain("9".to_owned()))]);
        assert_eq!(openings(1), [("reply", Arg::Plain("4".to_owned()))]);
    }

    #[test]
    fn a_step_that_is_not_possible_is_an_error() {
        assert!(counted(&["7", "17"]).is_err());
        assert!(counted(&["7", "x"]).is_err());
    }

    #[test]
    fn a_comeback_is_a_win_from_twenty_stones_behind() {
        let pit = Pit { side: Seat(1), index: 3 };
        let capture = |seat, stones| TogyzkumalakFact::Captured { seat: Seat(seat), pit, stones };
        let counts = count(&[capture(0, 12), capture(0, 8), capture(1, 30)], 2);
        let reached = |seat: u8, code: &str, has_won: bool| {
            let lookup = |name: &str| i64::from(counts.get(Seat(seat), name));
            let known = STATISTICS.achievements.iter().find(|it| it.code == code).unwrap();
            (known.is_reached)(&lookup, has_won)
        };
        assert!(reached(1, "comeback", true));
        assert!(!reached(1, "comeback", false), "who lost has not come back");
        assert!(!reached(0, "comeback", true), "ten behind is too little");
        assert!(reached(1, "large-capture", false));
        assert!(!reached(0, "large-capture", false));
        assert!(!reached(0, "tuzdyk", true));
    }
}
