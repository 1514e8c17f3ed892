//! `caravanserai-tools engine`: our computer players for other programs and boards.
//!
#![doc = include_str!("protocol.md")]

mod command;
mod place;
mod thinking;

use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex};

use self::command::Command;
use self::place::{English, Place};
use self::thinking::{Thinker, Wanted};
use super::arena::known;
use super::records::game_named;
use caravanserai_games::GameId;
use caravanserai_games::search::Level;

/// What `help` says.
pub const PROTOCOL: &str = include_str!("protocol.md");

/// A line longer than this is not read; the longest games take some ten thousand characters.
const LINE_MAX: usize = 1 << 20;

/// Where answers go: whole lines, from the session and from the thought that runs beside it.
#[derive(Clone)]
struct Out(Arc<Mutex<Box<dyn Write + Send>>>);

impl Out {
    /// Writes a line. A reader that has gone away is noticed at the end of its own input.
    fn say(&self, line: &str) {
        let mut out = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let _ = writeln!(out, "{line}");
        let _ = out.flush();
    }

    fn error(&self, sentence: &str) {
        self.say(&format!("error {}", sentence.replace(['\n', '\r'], " ")));
    }
}

/// Answers lines until `quit` or the end of the input.
///
/// # Errors
/// When the input cannot be read, or there is no such game.
pub fn run(
    game: Option<&str>,
    mut input: impl BufRead,
    output: Box<dyn Write + Send>,
) -> anyhow::Result<()> {
    let game = game.map_or(Ok(GameId::all()[0]), game_named)?;
    let mut session = Session::new(game, Out(Arc::new(Mutex::new(output))));
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = std::io::Read::take(&mut input, LINE_MAX as u64).read_until(b'\n', &mut line)?;
        if read == 0 {
            session.thinker.wait();
            return Ok(());
        }
        if read == LINE_MAX && line.last() != Some(&b'\n') {
            input.skip_until(b'\n')?;
            session.out.error("this line is too long");
            continue;
        }
        match Command::read(&String::from_utf8_lossy(&line)) {
            Ok(Some(Command::Quit)) => {
                session.thinker.stop();
                return Ok(());
            }
            Ok(Some(command)) => {
                if let Err(sentence) = session.obey(command) {
                    session.out.error(&sentence);
                }
            }
            Ok(None) => {}
            Err(sentence) => session.out.error(&sentence),
        }
    }
}

struct Session {
    out: Out,
    english: English,
    game: GameId,
    options: String,
    seats: u8,
    place: Place,
    thinker: Thinker,
}

impl Session {
    fn new(game: GameId, out: Out) -> Self {
        let (options, seats) = usual(game);
        Self {
            english: English::default(),
            game,
            place: Place::start(game, &options, seats)
                .expect("every game begins by its usual rules"),
            options,
            seats,
            thinker: Thinker::new(game, out.clone()),
            out,
        }
    }

    fn obey(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::IsReady => self.out.say("readyok"),
            Command::Stop => self.thinker.stop(),
            Command::Quit => {}
            _ if self.thinker.is_thinking() => return Err("thinking: say stop first".to_owned()),
            Command::Hello(word) => self.hello(&word),
            Command::Help => PROTOCOL.lines().for_each(|line| self.out.say(line)),
            Command::Game(name) => {
                let game = game_named(&name).map_err(|it| it.to_string())?;
                let (options, seats) = usual(game);
                self.set(game, options, seats)?;
            }
            Command::Options(options) => {
                let options = options.unwrap_or_else(|| usual(self.game).0);
                self.set(self.game, options, self.seats)?;
            }
            Command::Seats(seats) => self.set(self.game, self.options.clone(), seats)?,
            Command::Level(name) => {
                known(self.game, &name).map_err(|it| it.to_string())?;
                self.thinker.name(&name);
            }
            Command::Seed(seed) => self.thinker.seed(seed),
            Command::New => {
                self.set(self.game, self.options.clone(), self.seats)?;
                self.thinker.forget();
            }
            Command::Position(given) => {
                self.place =
                    Place::given(self.game, &self.options, self.seats, &given, &self.english)?;
            }
            Command::Show => {
                for line in self.place.board(&self.english) {
                    self.out.say(&format!("board {line}"));
                }
            }
            Command::State => self.out.say(&format!("state {}", self.place.state())),
            Command::Legal => {
                let tokens = self.place.asked()?.tokens();
                self.out.say(&format!("legal {}", tokens.join(" ")));
            }
            Command::Draw => {
                let token = self.place.draw(self.thinker.numbers())?;
                self.out.say(&format!("drawn {token}"));
            }
            Command::Go(wanted) => self.go(wanted)?,
        }
        Ok(())
    }

    fn go(&mut self, wanted: Wanted) -> Result<(), String> {
        let asked = self.place.asked()?;
        self.thinker.begin(asked, wanted)
    }

    /// Plays by these rules from now on, from the start.
    fn set(&mut self, game: GameId, options: String, seats: u8) -> Result<(), String> {
        self.place = Place::start(game, &options, seats)?;
        if game != self.game {
            let name = self.thinker.named().to_owned();
            self.thinker = Thinker::new(game, self.out.clone());
            if known(game, &name).is_ok() {
                self.thinker.name(&name);
            }
        }
        (self.game, self.options, self.seats) = (game, options, seats);
        Ok(())
    }

    fn hello(&self, word: &str) {
        self.out.say(&format!("id name Caravanserai {}", env!("CARGO_PKG_VERSION")));
        for game in GameId::all() {
            let info = game.info();
            let (least, most) = info.seats;
            let levels = Level::ALL.iter().map(|it| it.code());
            let players: Vec<&str> = levels.chain(game.opponents().iter().copied()).collect();
            let players = players.join(" ");
            self.out.say(&format!("game {} seats {least} {most} players {players}", info.code));
        }
        self.out.say(&format!("{word}ok"));
    }
}

/// The usual house rules of a game, and the fewest seats.
fn usual(game: GameId) -> (String, u8) {
    (game.info().default_options(), game.info().seats.0)
}
