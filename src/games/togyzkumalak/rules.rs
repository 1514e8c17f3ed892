//! A game at a table: turns, facts, refusals and the draw by repetition.

use super::illegal::TogyzkumalakIllegal;
use super::position::{STONES, Sown, TogyzkumalakPhase, TogyzkumalakPosition, Variant};
use super::view::{LastMove, PITS, Pit, TogyzkumalakEnd, TogyzkumalakView};
use super::{parse_move, position};
use crate::rules::{Entropy, Node, Rules, Seat, Token, Viewer};
use crate::vocabulary::WordLists;

/// Sow from this own pit, 0 to 8 from the mover's left. Its token counts from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sow(pub u8);

impl Token for Sow {
    fn write(&self) -> String {
        (self.0 + 1).to_string()
    }

    fn read(text: &str) -> Option<Self> {
        match text.as_bytes() {
            [digit @ b'1'..=b'9'] => Some(Sow(digit - b'1')),
            _ => None,
        }
    }
}

/// The outcome of chance; this game has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Never {}

impl Token for Never {
    fn write(&self) -> String {
        match *self {}
    }

    fn read(_text: &str) -> Option<Self> {
        None
    }
}

/// An event of a move, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TogyzkumalakFact {
    /// Stones were sown from one pit to another.
    Sown {
        /// The seat that moved.
        seat: Seat,
        /// The pit sown from, on the mover's side, 0 to 8.
        from: u8,
        /// The number of stones.
        stones: u8,
        /// The pit of the last stone.
        to: Pit,
        /// Whether this was the extra move of atsyrau.
        extra: bool,
    },
    /// Stones fell into a tuzdyk on the way.
    Through {
        /// The owner of the tuzdyk.
        owner: Seat,
        /// The number of stones.
        stones: u8,
    },
    /// The landing pit became even and was emptied.
    Captured {
        /// The seat that captured.
        seat: Seat,
        /// The captured pit.
        pit: Pit,
        /// The number of stones.
        stones: u8,
    },
    /// The landing pit became a tuzdyk; its three stones went to the owner's kazan.
    Tuzdyk {
        /// The new owner.
        seat: Seat,
        /// The pit.
        pit: Pit,
    },
    /// The other side was emptied; the same player moves once more (rule R16).
    ExtraMove {
        /// The seat that moves again.
        seat: Seat,
    },
    /// The other side stayed empty; the remaining stones were collected.
    Collected {
        /// The seat that collected.
        seat: Seat,
        /// The number of stones.
        stones: u8,
    },
    /// The game is over.
    Ended {
        /// The reason.
        end: TogyzkumalakEnd,
        /// The score of each seat.
        scores: [u8; 2],
    },
}

/// A game in progress or finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Togyzkumalak {
    position: TogyzkumalakPosition,
    plies: u16,
    last: Option<LastMove>,
    before: Option<LastMove>,
    end: Option<TogyzkumalakEnd>,
    /// Positions since a stone last went into a kazan; older ones cannot recur.
    seen: Vec<TogyzkumalakPosition>,
}

impl Togyzkumalak {
    /// A game that begins from a given position.
    pub fn from_position(position: TogyzkumalakPosition) -> Self {
        let end = end_of(position.phase(), 0);
        Self { position, plies: 0, last: None, before: None, end, seen: vec![position] }
    }

    /// The bare board.
    pub fn position(&self) -> &TogyzkumalakPosition {
        &self.position
    }

    /// The reason why the game ended; `None` while it goes on.
    pub fn end(&self) -> Option<TogyzkumalakEnd> {
        self.end
    }

    /// The final score: the kazans, or half of all stones each after a repetition.
    pub fn scores(&self) -> [u8; 2] {
        match self.end {
            Some(TogyzkumalakEnd::Repetition) => [STONES / 2; 2],
            Some(TogyzkumalakEnd::Majority | TogyzkumalakEnd::Atsyrau { .. }) | None => {
                self.position.kazans()
            }
        }
    }

    /// The reason why this seat cannot sow from this pit; `None` if it can.
    fn refusal(&self, seat: Seat, pit: u8) -> Option<TogyzkumalakIllegal> {
        if self.end.is_some() {
            return Some(TogyzkumalakIllegal::GameIsOver);
        }
        if seat != Seat(self.position.side()) {
            return Some(TogyzkumalakIllegal::NotYourTurn);
        }
        if usize::from(pit) >= PITS {
            return Some(TogyzkumalakIllegal::NoSuchPit);
        }
        if self.position.moves() >> pit & 1 == 1 {
            return None;
        }
        let theirs = self.position.tuzdyks()[1 - seat.index()];
        Some(if theirs == Some(pit) {
            TogyzkumalakIllegal::PitIsTuzdyk
        } else {
            TogyzkumalakIllegal::PitIsEmpty
        })
    }

    /// Records the position for rule R19; whether it came up for the third time.
    fn is_third_time(&mut self, kazans_before: [u8; 2]) -> bool {
        if self.position.kazans() != kazans_before {
            self.seen.clear();
        }
        let before = self.seen.iter().filter(|seen| **seen == self.position).count();
        self.seen.push(self.position);
        before >= 2
    }

    fn push_facts(&self, sown: &Sown, facts: &mut Vec<TogyzkumalakFact>) {
        let seat = Seat(sown.side);
        let to = Pit { side: Seat(sown.to_side), index: sown.to };
        let Sown { from, stones, extra, .. } = *sown;
        facts.push(TogyzkumalakFact::Sown { seat, from, stones, to, extra });
        for owner in [Seat(0), Seat(1)] {
            let stones = sown.through[owner.index()];
            if stones > 0 {
                facts.push(TogyzkumalakFact::Through { owner, stones });
            }
        }
        if sown.tuzdyk {
            facts.push(TogyzkumalakFact::Tuzdyk { seat, pit: to });
        } else if sown.captured > 0 {
            facts.push(TogyzkumalakFact::Captured { seat, pit: to, stones: sown.captured });
        }
        if sown.collected > 0 {
            facts.push(TogyzkumalakFact::Collected { seat, stones: sown.collected });
        }
        match self.end {
            Some(end) => facts.push(TogyzkumalakFact::Ended { end, scores: self.scores() }),
            None if self.position.phase() == TogyzkumalakPhase::Extra => {
                facts.push(TogyzkumalakFact::ExtraMove { seat })
            }
            None => {}
        }
    }
}

fn end_of(phase: TogyzkumalakPhase, collected: u8) -> Option<TogyzkumalakEnd> {
    match phase {
        TogyzkumalakPhase::Turn | TogyzkumalakPhase::Extra => None,
        TogyzkumalakPhase::Majority => Some(TogyzkumalakEnd::Majority),
        TogyzkumalakPhase::Atsyrau => Some(TogyzkumalakEnd::Atsyrau { collected }),
    }
}

impl Rules for Togyzkumalak {
    type Options = Variant;
    type Action = Sow;
    type Chance = Never;
    type View = TogyzkumalakView;
    type Fact = TogyzkumalakFact;
    type Illegal = TogyzkumalakIllegal;

    const REVISION: u16 = 1;

    fn start(options: &Variant, seats: u8) -> Result<Self, TogyzkumalakIllegal> {
        if seats != 2 {
            return Err(TogyzkumalakIllegal::NotTwoSeats);
        }
        let mut game = Self::from_position(TogyzkumalakPosition::start(*options));
        game.seen.reserve(32);
        Ok(game)
    }

    fn node(&self) -> Node {
        match self.end {
            Some(_) => Node::Over(self.scores().map(i32::from).to_vec()),
            None => Node::Act(Seat(self.position.side())),
        }
    }

    fn actions(&self, seat: Seat) -> Vec<Sow> {
        if self.end.is_some() || seat != Seat(self.position.side()) {
            return Vec::new();
        }
        self.position.each_move().map(Sow).collect()
    }

    fn apply_action(
        &mut self,
        seat: Seat,
        action: &Sow,
        facts: &mut Vec<TogyzkumalakFact>,
    ) -> Result<(), TogyzkumalakIllegal> {
        if let Some(illegal) = self.refusal(seat, action.0) {
            return Err(illegal);
        }
        let kazans_before = self.position.kazans();
        let sown = self.position.play(action.0);
        self.plies = self.plies.saturating_add(1);
        self.before = self.last;
        self.last = Some(LastMove {
            seat,
            from: sown.from,
            stones: sown.stones,
            to: Pit { side: Seat(sown.to_side), index: sown.to },
            captured: sown.captured,
            tuzdyk: sown.tuzdyk,
            through: sown.through,
        });
        self.end = end_of(self.position.phase(), sown.collected);
        if self.end.is_none() && self.is_third_time(kazans_before) {
            self.end = Some(TogyzkumalakEnd::Repetition);
        }
        self.push_facts(&sown, facts);
        Ok(())
    }

    fn draw_chance(&self, _entropy: &mut dyn Entropy) -> Never {
        unreachable!("this game has no chance")
    }

    fn apply_chance(
        &mut self,
        outcome: &Never,
        _facts: &mut Vec<TogyzkumalakFact>,
    ) -> Result<(), TogyzkumalakIllegal> {
        match *outcome {}
    }

    fn view(&self, _viewer: Viewer) -> TogyzkumalakView {
        let position = &self.position;
        TogyzkumalakView {
            pits: position.pits(),
            kazans: position.kazans(),
            tuzdyks: position.tuzdyks(),
            turn: self.end.is_none().then(|| Seat(position.side())),
            extra: self.end.is_none() && position.phase() == TogyzkumalakPhase::Extra,
            variant: position.variant(),
            plies: self.plies,
            last: self.last,
            before: self.before,
            end: self.end,
            earlier: self.seen.split_last().map_or_else(Vec::new, |(_, before)| before.to_vec()),
        }
    }

    fn parse_move(&self, seat: Seat, text: &str, words: &WordLists) -> Option<Sow> {
        parse_move::parse_move(&self.position, seat, text, words)
    }
}

impl TryFrom<&TogyzkumalakView> for TogyzkumalakPosition {
    type Error = position::BadPosition;

    /// The board of a view, for computer players. Earlier positions are in
    /// [`TogyzkumalakView::earlier`]; only [`TogyzkumalakView::end`] shows a draw by repetition.
    fn try_from(view: &TogyzkumalakView) -> Result<Self, Self::Error> {
        // After a draw by repetition one side may be empty.
        let side = view.turn.map_or_else(|| u8::from(view.pits[0] == [0; PITS]), |seat| seat.0);
        TogyzkumalakPosition::new(
            view.pits,
            view.kazans,
            view.tuzdyks,
            side,
            view.extra,
            view.variant,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(game: &mut Togyzkumalak, pits: &str) -> Vec<TogyzkumalakFact> {
        let mut facts = Vec::new();
        for pit in pits.split(' ') {
            facts.clear();
            let seat = Seat(game.position.side());
            game.apply_action(seat, &Sow::read(pit).unwrap(), &mut facts).unwrap();
        }
        facts
    }

    fn new_game() -> Togyzkumalak {
        Togyzkumalak::start(&Variant::Seed, 2).unwrap()
    }

    #[test]
    fn the_first_example_of_the_rules_takes_ten_from_pit_six() {
        let mut game = new_game();
        let facts = play(&mut game, "7");
        let to = Pit { side: Seat(1), index: 5 };
        let sown = TogyzkumalakFact::Sown { seat: Seat(0), from: 6, stones: 9, to, extra: false };
        assert_eq!(
            facts,
            [sown, TogyzkumalakFact::Captured { seat: Seat(0), pit: to, stones: 10 }]
        );
        assert_eq!(game.position.kazans(), [10, 0]);
        assert_eq!(game.node(), Node::Act(Seat(1)));
    }

    #[test]
    fn refusals_have_reasons_and_change_nothing() {
        let mut game = new_game();
        play(&mut game, "7 9");
        let before = game.clone();
        let mut facts = Vec::new();
        let mut refuse = |seat, pit| game.apply_action(seat, &Sow(pit), &mut facts).unwrap_err();
        assert_eq!(refuse(Seat(1), 0), TogyzkumalakIllegal::NotYourTurn);
        assert_eq!(refuse(Seat(0), 9), TogyzkumalakIllegal::NoSuchPit);
        assert_eq!(game, before);
        assert!(facts.is_empty());
        assert_eq!(Togyzkumalak::start(&Variant::Seed, 3), Err(TogyzkumalakIllegal::NotTwoSeats));
    }

    #[test]
    fn the_shortest_game_ends_with_88() {
        let mut game = new_game();
        let facts = play(&mut game, "9 2 8 1 7 2 6 1 9 2 5");
        let ended = TogyzkumalakFact::Ended { end: TogyzkumalakEnd::Majority, scores: [88, 10] };
        assert_eq!(facts.last(), Some(&ended));
        assert_eq!(game.node(), Node::Over(vec![88, 10]));
        let over = game.apply_action(Seat(1), &Sow(0), &mut Vec::new());
        assert_eq!(over, Err(TogyzkumalakIllegal::GameIsOver));
    }

    #[test]
    fn the_third_occurrence_of_a_position_is_a_draw() {
        let pits = [[1, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0, 0]];
        let from =
            TogyzkumalakPosition::new(pits, [80, 80], [None; 2], 0, false, Variant::Seed).unwrap();
        let mut game = Togyzkumalak::from_position(from);
        let mut plies = 0;
        while let Node::Act(seat) = game.node() {
            let action = *game.actions(seat).last().unwrap();
            game.apply_action(seat, &action, &mut Vec::new()).unwrap();
            plies += 1;
            assert!(plies <= 72, "the repetition must be detected");
        }
        assert_eq!(game.end(), Some(TogyzkumalakEnd::Repetition));
        assert_eq!(game.node(), Node::Over(vec![81, 81]));
        assert_eq!(game.position().kazans(), [80, 80]);
    }

    #[test]
    fn perft_from_the_start_matches_the_anchors() {
        for variant in Variant::ALL {
            let start = TogyzkumalakPosition::start(variant);
            let counts = [1, 2, 3, 4, 5].map(|depth| start.perft(depth));
            assert_eq!(counts, [9, 73, 613, 5_199, 43_184]);
        }
    }
}
