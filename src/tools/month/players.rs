//! Plays the games of a series at real tables, with computer players in the place of the people.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use anyhow::{Context, anyhow, ensure};
use caravanserai_bot::repository::MINUTE_MS;
use caravanserai_games::Computer;
use caravanserai_games::ids::{ChatId, ChatKind};
use caravanserai_games::rules::{Entropy, Seat};
use caravanserai_games::search::{ComputerLevel, SeededRng, ThinkBudget};
use caravanserai_table::command::{MoveChoice, OfferAnswer};
use caravanserai_table::{
    Actor, Command, Event, EventMeta, FirstMover, Table, TableId, TableSetup, decide, open_table,
};

use super::calendar::{MonthSeries, SeriesMode};
use super::group::{GROUP, GroupMember};
use crate::arena::game_runner::derive_seed;

/// The chat of the group.
pub const CHAT: &str = "month:friends";

/// The most positions that a move is searched for.
const POSITIONS_MAX: u64 = 1_000;

/// In this share of the games, in percent, the players give up a lost game.
const RESIGNING_PERCENT: u32 = 12;
/// A game is lost when the chance to win it is smaller, in thousandths.
const LOST_CHANCE: u16 = 25;

/// The shortest time of a move at tables for two and for more, and how much longer it may be, in
/// milliseconds.
const MOVE_MS: [(u64, u32); 2] = [(2_000, 6_000), (2_000, 2_500)];
/// The pause before the next game of a series, in milliseconds.
const PAUSE_MS: u64 = MINUTE_MS;
/// A game that has not ended after this many decisions is broken.
const DECISIONS_MAX: u32 = 20_000;

const SEED_FOR_TABLE: u64 = 102;
const SEED_FOR_MOVES: u64 = 103;

/// The computer players, which are reused because some have large tables.
pub struct MonthPlayers {
    seed: u64,
    /// By game, seat and level.
    computers: BTreeMap<(&'static str, u8, &'static str), Box<dyn Computer>>,
}

impl MonthPlayers {
    /// The players of a month with this seed.
    pub fn new(seed: u64) -> Self {
        MonthPlayers { seed, computers: BTreeMap::new() }
    }

    /// Plays all games of a series and returns their tables. `number` counts the games before it.
    ///
    /// # Errors
    /// With a sentence when a table refuses what it must accept.
    pub fn play_series(&mut self, series: &MonthSeries, number: u32) -> anyhow::Result<Vec<Table>> {
        let mut tables: Vec<Table> = Vec::new();
        for number in (number..).take(series.games as usize) {
            let (players, start_ms) = match tables.last() {
                None => (series.players.clone(), series.start_ms),
                Some(last) => {
                    let ended_ms = last.times.ended_ms.context("the last game has not ended")?;
                    (rematch_players(last), ended_ms + PAUSE_MS)
                }
            };
            let mut game = MonthGame { series, number, now_ms: start_ms };
            let table = game.play(&players, tables.is_empty(), self);
            tables.push(table.with_context(|| format!("game {number}"))?);
        }
        Ok(tables)
    }

    /// The computer player of this level on a seat.
    fn computer(
        &mut self,
        table: &Table,
        seat: u8,
        level: ComputerLevel,
    ) -> anyhow::Result<&mut dyn Computer> {
        let game = table.game_id();
        let key = (game.info().code, seat, level.code());
        let computer = match self.computers.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                free.insert(game.computer(level.code()).context("a game has no such level")?)
            }
        };
        Ok(computer.as_mut())
    }

    /// Forgets what the players of this game have seen.
    fn forget(&mut self, game: &str) {
        let of_game = self.computers.iter_mut().filter(|(key, _)| key.0 == game);
        of_game.for_each(|(_, computer)| computer.forget());
    }
}

/// The players of the next game in the order of their seats, as the bot seats them: two exchange
/// sides, of more the second one begins.
fn rematch_players(last: &Table) -> Vec<usize> {
    let seats = last.setup.seats;
    let player = |seat: u8| {
        let occupant = last.seating.occupant(seat % seats)?;
        GROUP.iter().position(|it| it.person_id() == occupant.person)
    };
    (1..=seats).filter_map(player).collect()
}

/// The choice of a player on their turn.
enum TurnChoice {
    Play(String),
    Resign,
}

/// One game of a series.
struct MonthGame<'a> {
    series: &'a MonthSeries,
    number: u32,
    now_ms: u64,
}

impl MonthGame<'_> {
    fn play(
        &mut self,
        players: &[usize],
        is_first: bool,
        computers: &mut MonthPlayers,
    ) -> anyhow::Result<Table> {
        let seed = computers.seed;
        let mut table = self.open(players, is_first, seed)?;
        computers.forget(table.game_id().info().code);
        let mut rng = SeededRng::new(derive_seed(&[seed, SEED_FOR_MOVES, u64::from(self.number)]));
        let can_resign = table.setup.seats == 2 || table.setup.has_partners();
        let resigns = rng.below(100) < RESIGNING_PERCENT && can_resign;
        let (shortest_ms, spread_ms) = MOVE_MS[usize::from(table.setup.seats > 2)];
        for _ in 0..DECISIONS_MAX {
            let Some(seat) = table.seat_to_move() else {
                ensure!(table.times.ended_ms.is_some(), "nobody is to move");
                return Ok(table);
            };
            self.now_ms += shortest_ms + u64::from(rng.below(spread_ms));
            let choice = self.choose(&table, seat, resigns, computers, &mut rng)?;
            table = match choice {
                TurnChoice::Play(token) => {
                    let choice = MoveChoice::Token(token);
                    self.act(&table, seat, &Command::Move { position: None, choice })?
                }
                TurnChoice::Resign => self.resign(&table, seat)?,
            };
        }
        Err(anyhow!("it did not end within {DECISIONS_MAX} decisions"))
    }

    /// Opens the table with everybody seated, and starts the game.
    fn open(&self, players: &[usize], is_first: bool, seed: u64) -> anyhow::Result<Table> {
        let game = self.series.kind.game;
        let opener = member(players.first().copied())?;
        let mut table_seed = [0; 32];
        let mut rng = SeededRng::new(derive_seed(&[seed, SEED_FOR_TABLE, u64::from(self.number)]));
        table_seed.chunks_mut(8).for_each(|it| it.copy_from_slice(&rng.bits().to_le_bytes()));
        let setup = TableSetup {
            format: TableSetup::required_format(false),
            game,
            revision: game.info().revision,
            options: game.info().default_options(),
            seats: self.series.kind.seats,
            begin: if is_first { FirstMover::Lot } else { FirstMover::Opener },
            chat: ChatId(CHAT.to_owned()),
            kind: ChatKind::Group,
            seed: table_seed,
            opener: opener.person_id(),
            coached: false,
        };
        let seated = |it: &usize| {
            let member = member(Some(*it))?;
            anyhow::Ok(Event::Seated { person: member.person_id(), name: member.name.to_owned() })
        };
        let mut events = players.iter().map(seated).collect::<Result<Vec<Event>, _>>()?;
        match self.series.mode {
            SeriesMode::Usual => {}
            SeriesMode::JustForFun => events.push(Event::RatedSet { rated: false }),
            SeriesMode::WithHints => events.push(Event::HintsSet { hints: true }),
        }
        let meta = EventMeta::received_now(self.now_ms, self.cause());
        let id = TableId(format!("m{:06}", self.number + 1));
        let opened = open_table(&id, setup, events, true, meta).map_err(|why| anyhow!(why))?;
        Ok(opened.table)
    }

    /// The id of the update that causes what happens here.
    fn cause(&self) -> String {
        format!("month/{}", self.number)
    }

    fn choose(
        &self,
        table: &Table,
        seat: u8,
        resigns: bool,
        computers: &mut MonthPlayers,
        rng: &mut SeededRng,
    ) -> anyhow::Result<TurnChoice> {
        let game = table.game.as_deref().context("the game has not begun")?;
        let asked = game.engine_question(Seat(seat)).context("the seat has nothing to do")?;
        let mut tokens = asked.tokens();
        if tokens.len() == 1 {
            return Ok(TurnChoice::Play(tokens.remove(0)));
        }
        let person = &table.seating.occupant(seat).context("the seat is empty")?.person;
        let player = GROUP.iter().find(|it| it.person_id() == *person);
        let level = player.context("a stranger plays")?.next_level(self.series.day, rng);
        let computer = computers.computer(table, seat, level)?;
        let budget = ThinkBudget::OF_LEVEL.nodes(POSITIONS_MAX);
        let evaluation = computer.think(&asked, &budget, rng, &mut |_| {});
        let evaluation = evaluation.context("the player is one of another game")?;
        Ok(match resigns && evaluation.chance < LOST_CHANCE {
            true => TurnChoice::Resign,
            false => TurnChoice::Play(evaluation.action),
        })
    }

    /// Resigns; the partner agrees.
    fn resign(&self, table: &Table, seat: u8) -> anyhow::Result<Table> {
        let resigned = self.act(table, seat, &Command::Resign)?;
        if !table.setup.has_partners() {
            return Ok(resigned);
        }
        let partner = (seat + 2) % table.setup.seats;
        self.act(
            &resigned,
            partner,
            &Command::AnswerOffer { offer: None, answer: OfferAnswer::Accept },
        )
    }

    /// The table after a command of the player on this seat.
    fn act(&self, table: &Table, seat: u8, command: &Command) -> anyhow::Result<Table> {
        let player = table.seating.occupant(seat).context("the seat is empty")?;
        let actor = Actor {
            person: player.person.clone(),
            name: player.name.clone(),
            username: None,
            chat: ChatId(CHAT.to_owned()),
            is_admin: false,
            is_chat_admin: false,
            cause: self.cause(),
            now_ms: self.now_ms,
            received_ms: self.now_ms,
        };
        let decided = decide(table, &actor, command);
        let decided = decided.map_err(|it| anyhow!("{command:?} was refused: {}", it.text.key))?;
        Ok(decided.table)
    }
}

/// A person of the group by their place in it.
fn member(at: Option<usize>) -> anyhow::Result<&'static GroupMember> {
    at.and_then(|it| GROUP.get(it)).context("there is no such person")
}
