//! Stores the steps of a game in compact form, because a long game is read and copied for every
//! move.

use caravanserai_games::rules::Seat;
use caravanserai_games::{GameRefusal, Match};

/// A step of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableStep<'a> {
    /// The seat that acted; `None` for chance.
    pub seat: Option<u8>,
    /// The canonical token.
    pub token: &'a str,
}

impl TableStep<'_> {
    /// Applies the step to a game.
    ///
    /// # Errors
    /// When it does not follow; the game is then unchanged.
    pub(super) fn apply_to(self, game: &mut dyn Match) -> Result<(), GameRefusal> {
        match self.seat {
            Some(seat) => game.apply_action(Seat(seat), self.token),
            None => game.apply_chance(self.token),
        }
    }
}

/// The steps in order. All tokens are in one string, so a step needs no allocation of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    tokens: String,
    /// The seat that acted, and the end of its token.
    ends: Vec<(Option<u8>, usize)>,
}

impl Steps {
    /// The number of steps.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no steps.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The steps from the first on.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = TableStep<'_>> + DoubleEndedIterator {
        self.ends.iter().enumerate().map(|(n, &(seat, end))| {
            let start = self.token_start(n);
            TableStep { seat, token: &self.tokens[start..end] }
        })
    }

    /// The offset at which the token of step `n` begins.
    fn token_start(&self, n: usize) -> usize {
        n.checked_sub(1).map_or(0, |before| self.ends[before].1)
    }

    pub(super) fn push(&mut self, seat: Option<u8>, token: &str) {
        self.tokens.push_str(token);
        self.ends.push((seat, self.tokens.len()));
    }

    /// Keeps the first `len` steps.
    pub(super) fn truncate(&mut self, len: usize) {
        if len < self.ends.len() {
            self.tokens.truncate(self.token_start(len));
            self.ends.truncate(len);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_come_back_as_they_were_put_in() {
        let mut steps = Steps::default();
        assert!(steps.is_empty());
        for (seat, token) in [(Some(0), "7"), (None, "3-5"), (Some(1), ""), (Some(0), "12")] {
            steps.push(seat, token);
        }
        steps.truncate(9);
        assert_eq!(steps.iter().map(|it| it.token).collect::<Vec<_>>(), ["7", "3-5", "", "12"]);
        assert_eq!(steps.iter().rposition(|it| it.seat == Some(0)), Some(3));
        steps.truncate(2);
        steps.push(Some(1), "9");
        let last = steps.iter().next_back();
        assert_eq!((steps.len(), last), (3, Some(TableStep { seat: Some(1), token: "9" })));
        steps.truncate(0);
        assert_eq!(steps, Steps::default());
    }
}
