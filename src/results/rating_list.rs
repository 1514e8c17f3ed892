//! Decides to which rating list a result belongs, and which system rates it.

use crate::game_result::GameResult;

/// The systems that compute ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RatingSystem {
    /// Two seats: [`glicko`](crate::glicko).
    Glicko2,
    /// Two teams of two, round by round: [`weng_lin`](crate::weng_lin).
    WengLin,
    /// Three or more single seats: [`plackett_luce`](crate::plackett_luce).
    PlackettLuce,
}

/// One rating list: the games of one kind whose ratings can be compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RatingList {
    game: String,
    system: RatingSystem,
}

impl RatingSystem {
    /// All systems.
    pub const ALL: [RatingSystem; 3] =
        [RatingSystem::Glicko2, RatingSystem::WengLin, RatingSystem::PlackettLuce];

    /// The end of the code of a list, behind a point.
    fn suffix(self) -> &'static str {
        match self {
            RatingSystem::Glicko2 => "2",
            RatingSystem::WengLin => "pairs",
            RatingSystem::PlackettLuce => "3+",
        }
    }
}

impl RatingList {
    /// The list of this game with this system. `None` if the code of the game is empty or has other
    /// characters than ASCII letters, digits, `-` and `_`: the code is part of store keys.
    pub fn new(game: &str, system: RatingSystem) -> Option<Self> {
        let fits = |it: u8| it.is_ascii_alphanumeric() || it == b'-' || it == b'_';
        let is_safe = !game.is_empty() && game.bytes().all(fits);
        is_safe.then(|| Self { game: game.to_owned(), system })
    }

    /// The list of this result, see [`RatingList::for_seats`].
    pub fn for_result(result: &GameResult) -> Option<Self> {
        Self::for_seats(&result.game, result.seats.len(), result.partners)
    }

    /// The list of games with so many seats. `None` where no list fits: fewer than two seats,
    /// partners at other than four seats, or a code that [`RatingList::new`] refuses.
    pub fn for_seats(game: &str, seats: usize, partners: bool) -> Option<Self> {
        let system = match (partners, seats) {
            (true, 4) => RatingSystem::WengLin,
            (false, 2) => RatingSystem::Glicko2,
            (false, 3..) => RatingSystem::PlackettLuce,
            (true, _) | (false, 0 | 1) => return None,
        };
        Self::new(game, system)
    }

    /// The code of the game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The system that rates it.
    pub fn system(&self) -> RatingSystem {
        self.system
    }

    /// The stable code, safe in store keys: the game, then `.2` for two seats, `.pairs` for
    /// partners, `.3+` for three or more single seats.
    pub fn code(&self) -> String {
        format!("{}.{}", self.game, self.suffix())
    }

    /// The end of the code behind the point: `2`, `pairs` or `3+`.
    pub fn suffix(&self) -> &'static str {
        self.system.suffix()
    }

    /// Reads a code that [`RatingList::code`] gave.
    pub fn parse(code: &str) -> Option<Self> {
        let game = |it: RatingSystem| code.strip_suffix(it.suffix())?.strip_suffix('.');
        let read = |it: RatingSystem| Self::new(game(it)?, it);
        RatingSystem::ALL.into_iter().find_map(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::game;

    fn list_of(seats: usize, partners: bool) -> Option<String> {
        let mut result = game(&[("a", 1), ("b", 0), ("c", 0), ("d", 0)][..seats]);
        result.game = "thaayam".to_owned();
        result.partners = partners;
        RatingList::for_result(&result).map(|it| it.code())
    }

    #[test]
    fn seats_and_partners_decide_the_list() {
        assert_eq!(list_of(2, false).unwrap(), "thaayam.2");
        assert_eq!(list_of(3, false).unwrap(), "thaayam.3+");
        assert_eq!(list_of(4, false).unwrap(), "thaayam.3+");
        assert_eq!(list_of(4, true).unwrap(), "thaayam.pairs");
        assert_eq!(list_of(1, false), None);
        assert_eq!(list_of(2, true), None);
    }

    #[test]
    fn every_code_can_be_read_back() {
        for system in RatingSystem::ALL {
            for game in ["togyz", "blot", "a-2", "x_pairs-3"] {
                let list = RatingList::new(game, system).unwrap();
                assert_eq!(RatingList::parse(&list.code()), Some(list));
            }
        }
        assert_eq!(RatingList::parse("togyz"), None);
        assert_eq!(RatingList::parse(".2"), None);
    }

    #[test]
    fn a_game_code_that_would_break_a_store_key_has_no_list() {
        for game in ["", "a/b", "a b", "ä", "a:b"] {
            assert_eq!(RatingList::new(game, RatingSystem::Glicko2), None);
        }
    }
}
