//! A whole game to be looked at again: as pictures one after the other, and as a chart.

use std::fmt;

use super::table::below;
use super::{Match, Refused, chart};
use crate::rules::{Node, Seat, Viewer};
use crate::scene::{Scene, Still};

/// How long one picture of a replay stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Something that played itself: seen in passing.
    Quick,
    /// A move.
    Move,
    /// Much to read at once: a trick, a contract, the score of a round.
    Slow,
}

impl Pace {
    /// Its name in what programs are told.
    pub fn name(self) -> &'static str {
        match self {
            Pace::Quick => "quick",
            Pace::Move => "move",
            Pace::Slow => "slow",
        }
    }

    /// Hundredths of a second.
    fn hold_cs(self) -> u16 {
        match self {
            Pace::Quick => 45,
            Pace::Move => 110,
            Pace::Slow => 200,
        }
    }
}

/// How long the picture before the first move stands, in hundredths of a second.
const FIRST_CS: u16 = 150;

/// How long the last picture stands before it all begins again, in hundredths of a second.
pub const LAST_CS: u16 = 500;

/// A replay has at most so many pictures, so that chat programs take it. Of a longer game first
/// the quick ones are left out, then the earliest.
pub const STILLS_MAX: usize = 400;

/// A finished or running game from its beginning, with names and every step.
pub struct Replay {
    /// Before the first step.
    pub start: Box<dyn Match>,
    /// Names by seat.
    pub names: Vec<String>,
    /// Points by seat when the game ended otherwise than by its rules.
    pub result: Option<Vec<i32>>,
    /// Who did what; `None` is chance. Tokens as in the log.
    pub steps: Vec<(Option<Seat>, String)>,
}

/// A step that cannot be.
#[derive(Clone, Debug)]
pub struct BadStep {
    /// Counted from 1.
    pub number: usize,
    /// What should have been done.
    pub token: String,
    /// Why not.
    pub why: Refused,
}

impl fmt::Display for BadStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} ({}) is not possible: {}", self.number, self.token, self.why)
    }
}

impl std::error::Error for BadStep {}

impl Replay {
    /// The beginning, every move (turn, trick), the end; [`shorter`] makes a long replay of them
    /// smaller. What follows the end of a game is left out.
    ///
    /// # Errors
    /// At the first step that is not possible.
    pub fn stills(&self, viewer: Viewer) -> Result<Vec<Still>, BadStep> {
        let first = self.start.scene(viewer, &self.names, None);
        let mut shown = vec![(first, None)];
        let mut ends_shown = false;
        let last = self.play(|game| {
            let frames = game.frames(viewer, below(viewer), &self.names);
            ends_shown = !frames.is_empty();
            shown.extend(frames.into_iter().map(|(scene, pace)| (scene, Some(pace))));
        })?;
        // The last picture is that of the table: with the result, and all that it tells.
        if ends_shown {
            shown.pop();
        }
        shown.push((last.scene(viewer, &self.names, self.result.as_deref()), None));
        Ok(timed(shown))
    }

    /// How the game went, for the picture: values by line after each move (turn, round).
    ///
    /// # Errors
    /// At the first step that is not possible.
    pub fn chart(&self) -> Result<Scene, BadStep> {
        let first = self.start.standing();
        let mut values = vec![first.values()];
        let last = self.play(|game| {
            if game.counts() {
                values.push(game.standing().values());
            }
        })?;
        Ok(chart::scene(&last.standing(), &self.names, &values))
    }

    /// Plays all steps and looks at the game after each.
    fn play(&self, mut look: impl FnMut(&dyn Match)) -> Result<Box<dyn Match>, BadStep> {
        let mut game = self.start.copy();
        for (number, (seat, token)) in (1..).zip(&self.steps) {
            if matches!(game.node(), Node::Over(_)) {
                break;
            }
            let taken = match seat {
                Some(seat) => game.act(*seat, token),
                None => game.settle(token),
            };
            taken.map_err(|why| BadStep { number, token: token.clone(), why })?;
            look(game.as_ref());
        }
        Ok(game)
    }
}

type Shown = (Scene, Option<Pace>);

fn timed(shown: Vec<Shown>) -> Vec<Still> {
    let end = shown.len() - 1;
    let still = |(n, (scene, pace)): (usize, Shown)| {
        let hold_cs = match pace {
            _ if n == end => LAST_CS,
            None => FIRST_CS,
            Some(pace) => pace.hold_cs(),
        };
        Still { scene, hold_cs }
    };
    shown.into_iter().enumerate().map(still).collect()
}

/// At most [`STILLS_MAX`] pictures; the first and the last stay.
pub fn shorter(mut stills: Vec<Still>) -> Vec<Still> {
    if stills.len() > STILLS_MAX {
        stills.retain(|still| still.hold_cs > Pace::Quick.hold_cs());
    }
    if stills.len() > STILLS_MAX {
        stills.drain(1..=stills.len() - STILLS_MAX);
    }
    stills
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(quick: usize, moves: usize) -> Vec<Shown> {
        let scene = |n: usize| Scene::new(n as u16 + 1, 1);
        let mut shown = vec![(scene(0), None)];
        shown.extend((0..quick).map(|n| (scene(n), Some(Pace::Quick))));
        shown.extend((0..moves).map(|n| (scene(n), Some(Pace::Move))));
        shown.push((scene(9), None));
        shown
    }

    #[test]
    fn a_long_game_loses_what_is_seen_least() {
        assert_eq!(shorter(timed(shown(100, 100))).len(), 202);
        let kept = shorter(timed(shown(400, 100)));
        assert_eq!(kept.len(), 102);
        let kept = shorter(timed(shown(10, 900)));
        assert_eq!(kept.len(), STILLS_MAX);
        assert_eq!(kept[0].scene.width, 1);
        assert_eq!(kept[STILLS_MAX - 2].scene.width, 900);
    }

    #[test]
    fn the_last_picture_is_held() {
        let stills = timed(shown(1, 2));
        let holds: Vec<u16> = stills.iter().map(|it| it.hold_cs).collect();
        assert_eq!(holds, [FIRST_CS, 45, 110, 110, LAST_CS]);
    }
}
