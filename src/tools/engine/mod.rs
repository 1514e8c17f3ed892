//! `caravanserai-tools engine`: offers the computer players to other programs and boards.
//!
#![doc = include_str!("protocol.md")]

mod command;
mod position;
mod thinker;

use std::io::{BufRead, Write};
use std::sync::Arc;

use parking_lot::Mutex;

use self::command::EngineCommand;
use self::position::{EnginePosition, EnglishTexts};
use self::thinker::{EngineThinker, ThinkLimits};
use super::arena::check_player_name;
use super::records::find_game;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::{GameId, SeatLimits};

/// The answer to `help`.
pub const PROTOCOL_HELP: &str = include_str!("protocol.md");

/// Longest line, in bytes; the longest games take about ten thousand characters.
const LINE_MAX: usize = 1 << 20;

/// The output, in whole lines, shared by the session and the thinking thread.
#[derive(Clone)]
struct EngineOutput(Arc<Mutex<Box<dyn Write + Send>>>);

impl EngineOutput {
    /// Writes a line. A closed output is ignored here: the session then ends with its input.
    fn write_line(&self, line: &str) {
        let mut out = self.0.lock();
        let _ = writeln!(out, "{line}");
        let _ = out.flush();
    }

    fn write_error(&self, sentence: &str) {
        self.write_line(&format!("error {}", sentence.replace(['\n', '\r'], " ")));
    }
}

/// Answers lines until `quit` or the end of the input.
///
/// # Errors
/// When the input cannot be read, or the game does not exist.
pub fn run_engine(
    game: Option<&str>,
    mut input: impl BufRead,
    output: Box<dyn Write + Send>,
) -> anyhow::Result<()> {
    let game = game.map_or(Ok(GameId::all()[0]), find_game)?;
    let mut session = EngineSession::new(game, EngineOutput(Arc::new(Mutex::new(output))));
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = std::io::Read::take(&mut input, LINE_MAX as u64).read_until(b'\n', &mut line)?;
        if read == 0 {
            session.thinker.wait_for_answer();
            return Ok(());
        }
        if read == LINE_MAX && line.last() != Some(&b'\n') {
            input.skip_until(b'\n')?;
            session.out.write_error("this line is too long");
            continue;
        }
        match EngineCommand::parse(&String::from_utf8_lossy(&line)) {
            Ok(Some(EngineCommand::Quit)) => {
                session.thinker.stop();
                return Ok(());
            }
            Ok(Some(command)) => {
                if let Err(sentence) = session.execute(command) {
                    session.out.write_error(&sentence);
                }
            }
            Ok(None) => {}
            Err(sentence) => session.out.write_error(&sentence),
        }
    }
}

struct EngineSession {
    out: EngineOutput,
    english: EnglishTexts,
    game: GameId,
    options: String,
    seats: u8,
    place: EnginePosition,
    thinker: EngineThinker,
}

impl EngineSession {
    fn new(game: GameId, out: EngineOutput) -> Self {
        let (options, seats) = default_rules(game);
        Self {
            english: EnglishTexts::default(),
            game,
            place: EnginePosition::start_of(game, &options, seats)
                .expect("every game begins by its usual rules"),
            options,
            seats,
            thinker: EngineThinker::new(game, out.clone()),
            out,
        }
    }

    fn execute(&mut self, command: EngineCommand) -> Result<(), String> {
        match command {
            EngineCommand::IsReady => self.out.write_line("readyok"),
            EngineCommand::Stop => self.thinker.stop(),
            EngineCommand::Quit => {}
            _ if self.thinker.is_thinking() => return Err("thinking: say stop first".to_owned()),
            EngineCommand::Hello(word) => self.greet(&word),
            EngineCommand::Help => PROTOCOL_HELP.lines().for_each(|line| self.out.write_line(line)),
            EngineCommand::Game(name) => {
                let game = find_game(&name).map_err(|it| it.to_string())?;
                let (options, seats) = default_rules(game);
                self.set_game(game, options, seats)?;
            }
            EngineCommand::Options(options) => {
                let options = options.unwrap_or_else(|| default_rules(self.game).0);
                self.set_game(self.game, options, self.seats)?;
            }
            EngineCommand::Seats(seats) => self.set_game(self.game, self.options.clone(), seats)?,
            EngineCommand::Level(name) => {
                check_player_name(self.game, &name).map_err(|it| it.to_string())?;
                self.thinker.set_player(&name);
            }
            EngineCommand::Seed(seed) => self.thinker.set_seed(seed),
            EngineCommand::New => {
                self.set_game(self.game, self.options.clone(), self.seats)?;
                self.thinker.reset();
            }
            EngineCommand::Position(given) => {
                self.place = EnginePosition::from_spec(
                    self.game,
                    &self.options,
                    self.seats,
                    &given,
                    &self.english,
                )?;
            }
            EngineCommand::Show => {
                for line in self.place.board_lines(&self.english) {
                    self.out.write_line(&format!("board {line}"));
                }
            }
            EngineCommand::State => {
                self.out.write_line(&format!("state {}", self.place.state_text()))
            }
            EngineCommand::Legal => {
                let tokens = self.place.computer_question()?.tokens();
                self.out.write_line(&format!("legal {}", tokens.join(" ")));
            }
            EngineCommand::Draw => {
                let token = self.place.draw_chance(self.thinker.rng())?;
                self.out.write_line(&format!("drawn {token}"));
            }
            EngineCommand::Go(wanted) => self.start_thinking(wanted)?,
        }
        Ok(())
    }

    fn start_thinking(&mut self, wanted: ThinkLimits) -> Result<(), String> {
        let asked = self.place.computer_question()?;
        self.thinker.start(asked, wanted)
    }

    /// Sets the game and its rules, from the start position.
    fn set_game(&mut self, game: GameId, options: String, seats: u8) -> Result<(), String> {
        self.place = EnginePosition::start_of(game, &options, seats)?;
        if game != self.game {
            let name = self.thinker.player_name().to_owned();
            self.thinker = EngineThinker::new(game, self.out.clone());
            if check_player_name(game, &name).is_ok() {
                self.thinker.set_player(&name);
            }
        }
        (self.game, self.options, self.seats) = (game, options, seats);
        Ok(())
    }

    fn greet(&self, word: &str) {
        self.out.write_line(&format!("id name Caravanserai {}", env!("CARGO_PKG_VERSION")));
        for game in GameId::all() {
            let info = game.info();
            let SeatLimits { fewest, most } = info.seats;
            let levels = ComputerLevel::ALL.iter().map(|it| it.code());
            let players: Vec<&str> = levels.chain(game.opponents().iter().copied()).collect();
            let players = players.join(" ");
            self.out
                .write_line(&format!("game {} seats {fewest} {most} players {players}", info.code));
        }
        self.out.write_line(&format!("{word}ok"));
    }
}

/// The usual house rules of a game, and the fewest seats.
fn default_rules(game: GameId) -> (String, u8) {
    (game.info().default_options(), game.info().seats.fewest)
}
