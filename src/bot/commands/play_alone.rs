//! The button to play alone: the choice of a computer.

use super::action::{ActionFuture, ChatAction, Request};
use super::registry::{ButtonCode, CommandFile};
use crate::handlers::{Handlers, RequestContext};
use crate::settings::CALLBACK_DATA_MAX;
use caravanserai_games::GameId;
use caravanserai_table::clock::TimeControl;
use caravanserai_table::event::FirstMover;

/// The commands and buttons of this file.
pub(super) const FILE: CommandFile =
    CommandFile { buttons: &[ButtonCode::Chat("1", decode_button)], ..CommandFile::EMPTY };

/// The word for games that count for ratings in callback data.
const RATED: &str = "rated";
/// The word for games just for fun.
pub(super) const CASUAL: &str = "casual";

/// Shows the computers for a game.
#[derive(Clone, Debug)]
pub struct PlayAlone {
    /// The game, if it was chosen.
    pub game: Option<GameId>,
    /// The options for the game.
    pub solo_options: SoloGameOptions,
}

/// The options chosen for a game against computers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SoloGameOptions {
    /// Whether the game is just for fun.
    pub is_casual: bool,
    /// The rule for the first move, if it was given.
    pub begin: Option<FirstMover>,
    /// The house rules; those of the chat if there are none.
    pub options: Option<String>,
    /// The clock of a game against a friend, if it was given.
    pub clock: Option<TimeControl>,
}

impl SoloGameOptions {
    /// The callback data of the button that shows the computers of a game with these options.
    pub fn callback_data(&self, game: GameId) -> String {
        let rated = if self.is_casual { CASUAL } else { RATED };
        let begin = self.begin.map_or("-", FirstMover::encode);
        let options = self.options.as_deref().unwrap_or_default();
        with_clock(format!("1.{}.{rated}.{begin}.{options}", game.info().code), self.clock)
    }

    fn parse(parts: &[&str]) -> Option<Self> {
        let (rated, begin, options, clock) = match *parts {
            [] => return Some(Self::default()),
            [rated, begin, options] => (rated, begin, options, None),
            [rated, begin, options, clock] => (rated, begin, options, TimeControl::parse(clock)),
            _ => return None,
        };
        let is_casual = match rated {
            CASUAL => true,
            RATED => false,
            _ => return None,
        };
        let options = Some(options.to_owned()).filter(|it| !it.is_empty());
        Some(SoloGameOptions { is_casual, begin: FirstMover::parse(begin), options, clock })
    }
}

/// Appends a clock to the callback data of a button, if there is one and it fits.
pub(crate) fn with_clock(data: String, clock: Option<TimeControl>) -> String {
    let timed = clock.map(|it| format!("{data}.{}", it.encode()));
    timed.filter(|it| it.len() <= CALLBACK_DATA_MAX).unwrap_or(data)
}

fn decode_button(rest: &str) -> Option<Request> {
    let mut parts = rest.split('.');
    let game = GameId::from_code(parts.next()?);
    let parts: Vec<&str> = parts.collect();
    Some(Request::chat(PlayAlone { game, solo_options: SoloGameOptions::parse(&parts)? }))
}

impl ChatAction for PlayAlone {
    fn run<'a>(
        &'a self,
        handlers: &'a Handlers,
        context: &'a mut RequestContext<'_>,
    ) -> ActionFuture<'a> {
        Box::pin(async move {
            Ok(vec![handlers.help.play_alone_view(context, self.game, &self.solo_options)])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_back_from_the_data_of_their_button() {
        let game = GameId::all()[0];
        let options = Some(game.info().default_options());
        for begin in [None, Some(FirstMover::Opener)] {
            let clock = Some(TimeControl::PerGame { bank: 300, increment: 5 });
            for (is_casual, options, clock) in
                [(true, options.clone(), None), (false, None, clock), (true, None, clock)]
            {
                let solo_options = SoloGameOptions { is_casual, begin, options, clock };
                let data = solo_options.callback_data(game);
                let parts: Vec<&str> = data.split('.').skip(2).collect();
                assert_eq!(SoloGameOptions::parse(&parts), Some(solo_options));
            }
        }
        assert_eq!(SoloGameOptions::parse(&["7", "-", ""]), None);
    }
}
