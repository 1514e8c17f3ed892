//! Turns a whole game into a sequence of pictures or a chart.

use std::fmt;

use serde::Serialize;

use super::table_match::bottom_seat;
use super::{GameRefusal, Match, chart};
use crate::rules::{Node, Seat, Viewer};
use crate::scene::{Scene, SceneFrame};

/// The pace of one picture of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum FramePace {
    /// A step that was played automatically: shown briefly.
    Quick,
    /// A move.
    Move,
    /// Much to read at once: a trick, a contract, the score of a round.
    Slow,
}

impl FramePace {
    /// The duration in hundredths of a second.
    fn frame_time_cs(self) -> u16 {
        match self {
            FramePace::Quick => 45,
            FramePace::Move => 110,
            FramePace::Slow => 200,
        }
    }
}

/// The duration of the picture before the first move, in hundredths of a second.
const FIRST_CS: u16 = 150;

/// The duration of the last picture before the replay starts again, in hundredths of a second.
pub const LAST_CS: u16 = 500;

/// The most pictures in a replay, so that chat programs accept it. Of a longer game the quick
/// pictures are left out first, then the earliest.
pub const STILLS_MAX: usize = 400;

/// A finished or running game from its beginning, with names and every step.
pub struct GameReplay {
    /// The match before the first step.
    pub start: Box<dyn Match>,
    /// Names by seat.
    pub names: Vec<String>,
    /// Points by seat when the game did not end by its rules.
    pub result: Option<Vec<i32>>,
    /// The seat and the token of each step, as in the log; `None` is chance.
    pub steps: Vec<(Option<Seat>, String)>,
}

/// A step that is not possible.
#[derive(Clone, Debug)]
pub struct ReplayError {
    /// Its number, counted from 1.
    pub number: usize,
    /// The token of the step.
    pub token: String,
    /// The reason.
    pub why: GameRefusal,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} ({}) is not possible: {}", self.number, self.token, self.why)
    }
}

impl std::error::Error for ReplayError {}

impl GameReplay {
    /// The pictures of the beginning, every move (turn, trick) and the end; [`shorten_stills`]
    /// shortens a long replay. Steps after the end of a game are left out.
    ///
    /// # Errors
    /// At the first step that is not possible.
    pub fn stills(&self, viewer: Viewer) -> Result<Vec<SceneFrame>, ReplayError> {
        self.collect_stills(viewer, usize::MAX)
    }

    /// The same pictures after [`shorten_stills`]. The others of a long game take no memory.
    ///
    /// # Errors
    /// At the first step that is not possible.
    pub fn short_stills(&self, viewer: Viewer) -> Result<Vec<SceneFrame>, ReplayError> {
        self.collect_stills(viewer, 2 * STILLS_MAX).map(shorten_stills)
    }

    /// The pictures; of more than `most` only those that [`shorten_stills`] may keep.
    fn collect_stills(&self, viewer: Viewer, most: usize) -> Result<Vec<SceneFrame>, ReplayError> {
        let first = self.start.scene(viewer, &self.names, None);
        let mut shown = ShownFrames::starting_with(first, most);
        let last = self.replay_steps(|game| {
            shown.push_step(game.replay_frames(viewer, bottom_seat(viewer), &self.names));
        })?;
        let last = last.scene(viewer, &self.names, self.result.as_deref());
        Ok(to_stills(shown.ending_with(last)))
    }

    /// The chart of the game: values by line after each move (turn, round).
    ///
    /// # Errors
    /// At the first step that is not possible.
    pub fn chart(&self) -> Result<Scene, ReplayError> {
        let first = self.start.chart_sample();
        let mut values = vec![first.values()];
        let last = self.replay_steps(|game| {
            if game.ends_chart_step() {
                values.push(game.chart_sample().values());
            }
        })?;
        Ok(chart::chart_scene(&last.chart_sample(), &self.names, &values))
    }

    /// Plays all steps and calls `after_step` after each.
    fn replay_steps(
        &self,
        mut after_step: impl FnMut(&dyn Match),
    ) -> Result<Box<dyn Match>, ReplayError> {
        let mut game = self.start.clone_box();
        for (number, (seat, token)) in (1..).zip(&self.steps) {
            if matches!(game.node(), Node::Over(_)) {
                break;
            }
            let result = match seat {
                Some(seat) => game.apply_action(*seat, token),
                None => game.apply_chance(token),
            };
            result.map_err(|why| ReplayError { number, token: token.clone(), why })?;
            after_step(game.as_ref());
        }
        Ok(game)
    }
}

type TimedScene = (Scene, Option<FramePace>);

/// The frames of a replay as they are collected.
struct ShownFrames {
    shown: Vec<TimedScene>,
    /// The number from which on frames are left out that a long replay does not show.
    most: usize,
    /// Whether there were so many.
    is_long: bool,
    /// Whether the last of them is of the last step.
    ends_shown: bool,
}

impl ShownFrames {
    fn starting_with(first: Scene, most: usize) -> Self {
        ShownFrames { shown: vec![(first, None)], most, is_long: false, ends_shown: false }
    }

    fn push_step(&mut self, frames: Vec<(Scene, FramePace)>) {
        if self.shown.len() > self.most {
            self.is_long = true;
            self.shown.retain(|it| it.1 != Some(FramePace::Quick));
            let early = self.shown.len().saturating_sub(STILLS_MAX);
            self.shown.drain(1..=early);
        }
        let is_long = self.is_long;
        let is_kept = |it: &(Scene, FramePace)| !is_long || it.1 != FramePace::Quick;
        self.ends_shown = frames.last().is_some_and(is_kept);
        let kept = frames.into_iter().filter(is_kept);
        self.shown.extend(kept.map(|(scene, pace)| (scene, Some(pace))));
    }

    /// The last picture is that of the table, with the result and everything that it reveals.
    fn ending_with(mut self, last: Scene) -> Vec<TimedScene> {
        if self.ends_shown {
            self.shown.pop();
        }
        self.shown.push((last, None));
        self.shown
    }
}

fn to_stills(shown: Vec<TimedScene>) -> Vec<SceneFrame> {
    let end = shown.len() - 1;
    let still = |(n, (scene, pace)): (usize, TimedScene)| {
        let hold_cs = match pace {
            _ if n == end => LAST_CS,
            None => FIRST_CS,
            Some(pace) => pace.frame_time_cs(),
        };
        SceneFrame { scene, hold_cs }
    };
    shown.into_iter().enumerate().map(still).collect()
}

/// Shortens a replay to [`STILLS_MAX`] pictures; keeps the first and the last.
pub fn shorten_stills(mut stills: Vec<SceneFrame>) -> Vec<SceneFrame> {
    if stills.len() > STILLS_MAX {
        stills.retain(|still| still.hold_cs > FramePace::Quick.frame_time_cs());
    }
    if stills.len() > STILLS_MAX {
        stills.drain(1..=stills.len() - STILLS_MAX);
    }
    stills
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(quick: usize, moves: usize) -> Vec<TimedScene> {
        let scene = |n: usize| Scene::new(n as u16 + 1, 1);
        let mut shown = vec![(scene(0), None)];
        shown.extend((0..quick).map(|n| (scene(n), Some(FramePace::Quick))));
        shown.extend((0..moves).map(|n| (scene(n), Some(FramePace::Move))));
        shown.push((scene(9), None));
        shown
    }

    #[test]
    fn long_replays_drop_quick_pictures_first() {
        assert_eq!(shorten_stills(to_stills(shown(100, 100))).len(), 202);
        let kept = shorten_stills(to_stills(shown(400, 100)));
        assert_eq!(kept.len(), 102);
        let kept = shorten_stills(to_stills(shown(10, 900)));
        assert_eq!(kept.len(), STILLS_MAX);
        assert_eq!(kept[0].scene.width, 1);
        assert_eq!(kept[STILLS_MAX - 2].scene.width, 900);
    }

    #[test]
    fn pictures_that_a_long_replay_omits_are_not_kept() {
        use FramePace::{Move, Quick};
        let scene = |n: usize| Scene::new(n as u16 + 1, 1);
        let paces: [fn(usize) -> FramePace; 3] =
            [|_| Move, |n| if n % 3 == 0 { Move } else { Quick }, |_| Quick];
        for (steps, pace) in [10, 399, 801, 3_000].into_iter().flat_map(|it| paces.map(|p| (it, p)))
        {
            let collect = |most: usize| {
                let mut shown = ShownFrames::starting_with(scene(0), most);
                for n in 1..=steps {
                    shown.push_step(vec![(scene(n), pace(n)), (scene(n), pace(n + 1))]);
                    assert!(most == usize::MAX || shown.shown.len() <= most + 2);
                }
                shorten_stills(to_stills(shown.ending_with(scene(0))))
            };
            let widths = |stills: Vec<SceneFrame>| -> Vec<(u16, u16)> {
                stills.iter().map(|it| (it.scene.width, it.hold_cs)).collect()
            };
            assert_eq!(widths(collect(2 * STILLS_MAX)), widths(collect(usize::MAX)), "{steps}");
        }
    }

    #[test]
    fn the_last_picture_is_shown_longest() {
        let stills = to_stills(shown(1, 2));
        let holds: Vec<u16> = stills.iter().map(|it| it.hold_cs).collect();
        assert_eq!(holds, [FIRST_CS, 45, 110, 110, LAST_CS]);
    }
}
