//! Describes the eight invented people of the group: how they play, when, what and with whom.

use caravanserai_games::ids::PersonId;
use caravanserai_games::rules::Entropy;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::{GameId, SeatLimits};
use caravanserai_protocol::{Person, PersonKind};

/// The hundredths of a level in one step of strength.
const LEVEL: u16 = 100;

/// One of the people.
#[derive(Debug)]
pub struct GroupMember {
    /// The account, without its platform.
    pub account: &'static str,
    /// The displayed name.
    pub name: &'static str,
    /// Where they live.
    pub city: &'static str,
    /// The first and the last day of the month on which they play.
    pub days: [u8; 2],
    /// Their strength on these days, in hundredths of a level: 0 is the weakest level of the
    /// computer players. With 140, 60 of 100 moves are chosen by the second level and 40 by the
    /// third.
    pub strength: [u16; 2],
    /// The hour at which they like to play, in UTC.
    pub hour: u8,
    /// How often they open a table, compared with the others.
    pub activity: u32,
    /// How much they like each of [`game_kinds`], in that order.
    pub likes: [u32; 4],
    /// Their friends in the group, by their places in it.
    pub friends: [usize; 2],
}

/// The last day of the month.
pub const LAST_DAY: u8 = 31;

/// The group.
pub static GROUP: [GroupMember; 8] = [
    GroupMember {
        account: "aigerim",
        name: "Aigerim",
        city: "Almaty",
        days: [1, LAST_DAY],
        strength: [210, 210],
        hour: 15,
        activity: 12,
        likes: [6, 2, 1, 1],
        friends: [1, 2],
    },
    GroupMember {
        account: "daulet",
        name: "Daulet",
        city: "Almaty",
        days: [1, LAST_DAY],
        strength: [180, 180],
        hour: 16,
        activity: 10,
        likes: [6, 1, 1, 1],
        friends: [0, 2],
    },
    GroupMember {
        account: "madina",
        name: "Madina",
        city: "Almaty",
        days: [1, LAST_DAY],
        strength: [120, 120],
        hour: 14,
        activity: 8,
        likes: [4, 2, 2, 1],
        friends: [0, 1],
    },
    GroupMember {
        account: "ani",
        name: "Ani",
        city: "Yerevan",
        days: [1, LAST_DAY],
        strength: [240, 240],
        hour: 16,
        activity: 10,
        likes: [1, 2, 1, 4],
        friends: [4, 5],
    },
    GroupMember {
        account: "tigran",
        name: "Tigran",
        city: "Yerevan",
        days: [1, LAST_DAY],
        strength: [290, 290],
        hour: 17,
        activity: 10,
        likes: [2, 1, 1, 5],
        friends: [3, 5],
    },
    GroupMember {
        account: "hayk",
        name: "Hayk",
        city: "Yerevan",
        days: [1, 15],
        strength: [90, 90],
        hour: 17,
        activity: 8,
        likes: [1, 2, 1, 4],
        friends: [4, 3],
    },
    GroupMember {
        account: "karthik",
        name: "Karthik",
        city: "Chennai",
        days: [1, LAST_DAY],
        strength: [160, 160],
        hour: 13,
        activity: 10,
        likes: [2, 5, 3, 1],
        friends: [7, 0],
    },
    GroupMember {
        account: "priya",
        name: "Priya",
        city: "Chennai",
        days: [11, LAST_DAY],
        strength: [30, 230],
        hour: 14,
        activity: 7,
        likes: [4, 4, 2, 1],
        friends: [6, 2],
    },
];

impl GroupMember {
    /// The account as a person of the chat.
    pub fn person(&self) -> Person {
        Person {
            id: self.person_id(),
            name: self.name.to_owned(),
            username: Some(self.account.to_owned()),
            locale: Some("en".to_owned()),
            kind: PersonKind::Human,
            admin: false,
        }
    }

    /// The id of the account.
    pub fn person_id(&self) -> PersonId {
        PersonId(format!("month:{}", self.account))
    }

    /// Whether they play on this day of the month.
    pub fn is_active(&self, day: u8) -> bool {
        (self.days[0]..=self.days[1]).contains(&day)
    }

    /// Whether they come during the month.
    pub fn is_latecomer(&self) -> bool {
        self.days[0] > 1
    }

    /// Whether they stop during the month.
    pub fn stops_early(&self) -> bool {
        self.days[1] < LAST_DAY
    }

    /// The strength on a day, in hundredths of a level. It changes evenly from day to day.
    pub fn strength_on(&self, day: u8) -> u16 {
        let [first, last] = self.days.map(u32::from);
        let [from, to] = self.strength.map(u32::from);
        let day = u32::from(day).clamp(first, last);
        let span = (last - first).max(1);
        // Nobody becomes weaker.
        u16::try_from(from + to.saturating_sub(from) * (day - first) / span).unwrap_or(u16::MAX)
    }

    /// The strength on their last day, in hundredths of a level.
    pub fn last_strength(&self) -> u16 {
        self.strength_on(self.days[1])
    }

    /// The level that chooses their next move on this day.
    pub fn next_level(&self, day: u8, numbers: &mut dyn Entropy) -> ComputerLevel {
        let strength = self.strength_on(day);
        let is_higher = numbers.below(u32::from(LEVEL)) < u32::from(strength % LEVEL);
        let level = usize::from(strength / LEVEL) + usize::from(is_higher);
        ComputerLevel::ALL[level.min(ComputerLevel::ALL.len() - 1)]
    }
}

/// A game with a number of seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameKind {
    /// The game.
    pub game: GameId,
    /// The number of seats.
    pub seats: u8,
}

/// The games that the group plays: each with the fewest and with the most seats, in the order of
/// menus.
pub fn game_kinds() -> Vec<GameKind> {
    let kinds = GameId::all().iter().flat_map(|game| {
        let SeatLimits { fewest, most } = game.info().seats;
        let seats = if fewest == most { vec![most] } else { vec![fewest, most] };
        seats.into_iter().map(|seats| GameKind { game: *game, seats })
    });
    kinds.collect()
}
