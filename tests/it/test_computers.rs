//! Computer players for tests that only want a game to proceed sensibly.

use caravanserai_games::rules::{Entropy, Seat};
use caravanserai_games::search::ThinkBudget;
use caravanserai_games::{GameId, Match};

/// What a beginner would do on this seat.
pub fn beginner(game: GameId, table: &dyn Match, seat: Seat, entropy: &mut dyn Entropy) -> String {
    let asked = table.engine_question(seat).expect("something to do");
    let mut computer = game.computer("beginner").expect("every game has beginners");
    computer
        .think(&asked, &ThinkBudget::OF_LEVEL, entropy, &mut |_| {})
        .expect("its own game")
        .action
}
