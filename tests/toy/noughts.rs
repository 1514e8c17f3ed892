//! Implements noughts and crosses as the smallest possible game, in one folder with its texts and
//! drawings.

use caravanserai_games::arena::DuelDefinition;
use caravanserai_games::records::{GameError, PositionFormat};
use caravanserai_games::rules::{Entropy, Node, RecordError, Rules, Seat, Token, Viewer};
use caravanserai_games::scene::{Scene, Sprite};
use caravanserai_games::search::{ComputerLevel, Player, PlayerEvaluation, PlayerQuestion};
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::vocabulary::WordLists;
use caravanserai_games::{
    ArenaFunctions, ChartLine, ChartSample, Course, CoursePage, CourseTask, FramePace,
    GameDefinition, GameId, GameInfo, GameStep, Learning, RecordFunctions, RecordHeading,
    RecordedMatch, SeatLimits, StatisticsFunctions, TableFunctions, no_hand, no_paths,
    no_revealed_deal, no_round_points, no_rounds, no_sketch, no_spots, panel_in_rows,
};

/// Its handle in the list of games.
pub const ID: GameId = GameId::of(&PACK);

static INFO: GameInfo = GameInfo {
    code: "noughts",
    command: "noughts",
    seats: SeatLimits::exactly(2),
    switches: &[],
    revision: 1,
    has_chance: false,
    hidden: false,
    partners: false,
    reviewer: "master",
};

static PACK: GameDefinition<Noughts> = GameDefinition {
    info: &INFO,
    table: TableFunctions {
        scene: |game, _, _, _| scene(game),
        caption,
        describe_action: |_, _, label| vec![label],
        board_text: caption,
        sketch: no_sketch,
        explain_refusal: |_, _, _, illegal| Text::new(reason(illegal)),
        refusal_key: reason,
        label: |_, put| Arg::Plain(put.write()),
        panel: panel_in_rows,
        spots: no_spots,
        paths: no_paths,
        preview: |_, _| Vec::new(),
        hand: no_hand,
        has_partners: |_| false,
        turn_number: |_| None,
        move_number: |_| None,
        place: |_, _| None,
        upright: None,
        round_points: no_round_points,
        last_round: no_rounds,
        sheets: &[],
        reveal_deal: no_revealed_deal,
    },
    arena: ArenaFunctions {
        player: |name| ComputerLevel::read(name).map(|_| Box::new(Thinker) as _),
        opponents: &[],
        nodes_per_second: 1_000_000,
        ratings: include_str!("computer_ratings.txt"),
        play_quality: "easy 300 9 100\nmaster 100 9 100\n",
        learning: Learning { amounts: Vec::new, learn: |_, _, _| Vec::new() },
        solving: None,
        duel: DuelDefinition::without_measures(1),
        benchmark: None,
    },
    record: RecordFunctions {
        position_format: PositionFormat::Position(|_, _, text| read(text)),
        position: |_| None,
        write_record: record,
        read_record: |text, _| recorded(text).map_err(RecordError::at(1)),
        print_record: |text, _| {
            let read = recorded(text).map_err(RecordError::at(1))?;
            Ok(format!("{} moves\n", read.steps.len()))
        },
        count_moves: Some(|_, position, depth| {
            Ok(count(&read(position.unwrap_or_default())?, depth))
        }),
        replay_frames: |game, _| vec![(game.clone(), FramePace::Move)],
        chart_sample: standing,
        ends_chart_step: |_| true,
        ends_deal: |_| false,
        sound: |_| None,
        check_invariants: |_| None,
    },
    statistics: StatisticsFunctions::NONE,
    course: Course {
        pages: &["board"],
        parts: &[],
        seats: 2,
        page: |name, _| {
            let game = Noughts { squares: [0; 9], puts: vec![] };
            let task = CourseTask::number_question(game.actions(Seat(0)).len() as i64, &[3, 6]);
            (name == "board").then_some(CoursePage { game, viewer: Viewer::Public, task })
        },
        answer_area: |_, _, _| None,
        reaches_goal: |_, _| None,
        advice: |_, _| Vec::new(),
    },
    setup: None,
};

/// The game; nothing is hidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noughts {
    /// 0 for an empty square, else the seat plus one.
    squares: [u8; 9],
    puts: Vec<u8>,
}

/// The options; there are none.
#[derive(Clone, Debug, Default)]
pub struct Plain;

/// A square, from 1 to 9.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Put(u8);

/// The outcome of chance; there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Never {}

impl Token for Plain {
    fn write(&self) -> String {
        "standard".into()
    }
    fn read(text: &str) -> Option<Self> {
        (text == "standard").then_some(Plain)
    }
}

impl Token for Put {
    fn write(&self) -> String {
        self.0.to_string()
    }
    fn read(text: &str) -> Option<Self> {
        matches!(text.as_bytes(), [b'1'..=b'9']).then(|| Put(text.as_bytes()[0] - b'0'))
    }
}

impl Token for Never {
    fn write(&self) -> String {
        match *self {}
    }
    fn read(_: &str) -> Option<Self> {
        None
    }
}

const ROWS: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl Noughts {
    fn winner(&self) -> Option<u8> {
        let is_complete =
            |row: &&[usize; 3]| row.iter().all(|at| self.squares[*at] == self.squares[row[0]]);
        let row = ROWS.iter().filter(|row| self.squares[row[0]] > 0).find(is_complete)?;
        Some(self.squares[row[0]] - 1)
    }

    fn turn(&self) -> Seat {
        Seat(self.puts.len() as u8 % 2)
    }
}

impl Rules for Noughts {
    type Options = Plain;
    type Action = Put;
    type Chance = Never;
    type View = Noughts;
    type Fact = u8;
    type Illegal = Illegal;

    const REVISION: u16 = 1;

    fn start(_: &Plain, seats: u8) -> Result<Self, Illegal> {
        let game = Noughts { squares: [0; 9], puts: Vec::new() };
        (seats == 2).then_some(game).ok_or(Illegal::NotTwoSeats)
    }

    fn node(&self) -> Node {
        match self.winner() {
            Some(0) => Node::Over(vec![1, 0]),
            Some(_) => Node::Over(vec![0, 1]),
            None if self.puts.len() == 9 => Node::Over(vec![0, 0]),
            None => Node::Act(self.turn()),
        }
    }

    fn actions(&self, seat: Seat) -> Vec<Put> {
        if self.node() != Node::Act(seat) {
            return Vec::new();
        }
        (1..=9).filter(|it| self.squares[usize::from(*it) - 1] == 0).map(Put).collect()
    }

    fn apply_action(&mut self, seat: Seat, put: &Put, facts: &mut Vec<u8>) -> Result<(), Illegal> {
        if !self.actions(seat).contains(put) {
            return Err(Illegal::NotPossible);
        }
        self.squares[usize::from(put.0) - 1] = seat.0 + 1;
        self.puts.push(put.0);
        facts.push(put.0);
        Ok(())
    }

    fn draw_chance(&self, _: &mut dyn Entropy) -> Never {
        panic!("this game has no chance")
    }

    fn apply_chance(&mut self, outcome: &Never, _: &mut Vec<u8>) -> Result<(), Illegal> {
        match *outcome {}
    }

    fn view(&self, _: Viewer) -> Noughts {
        self.clone()
    }

    fn parse_move(&self, _: Seat, text: &str, words: &WordLists) -> Option<Put> {
        let text = text.trim().to_lowercase();
        Put::read(words.exact_meaning("square", &text).unwrap_or(&text))
    }
}

fn scene(game: &Noughts) -> Scene {
    let mut scene = Scene::new(300, 300);
    scene.add(Sprite::new("noughts-board", 150, 150, 300, 300));
    for (at, mark) in (0i16..).zip(game.squares) {
        let name = if mark == 1 { "noughts-cross" } else { "noughts-ring" };
        if mark > 0 {
            scene.add(Sprite::new(name, 50 + 100 * (at % 3), 50 + 100 * (at / 3), 80, 80));
        }
    }
    scene
}

fn caption(game: &Noughts) -> Vec<Text> {
    let state = match game.node() {
        Node::Act(seat) => Text::new("noughts-turn").with("name", Arg::Seat(seat.0)),
        Node::Chance | Node::Over(_) => Text::new("noughts-over"),
    };
    let last = game.puts.last().map(|it| Text::new("noughts-put").with("square", *it));
    last.into_iter().chain([state]).collect()
}

fn standing(game: &Noughts) -> ChartSample {
    let line = |seat: u8| ChartLine {
        seats: vec![seat],
        mark: if seat == 0 { "noughts-cross" } else { "noughts-ring" },
        ink: "line-2",
        value: game.squares.iter().filter(|it| **it == seat + 1).count() as i32,
    };
    ChartSample { lines: vec![line(0), line(1)], goal: None }
}

caravanserai_games::rules::reasons! {
    /// The reason why a square cannot be taken, or a game not begun.
    pub enum Illegal {
        NotPossible = "the square is taken, or it is the other's turn",
        NotTwoSeats = "noughts and crosses are for two",
    }
}

fn reason(illegal: Illegal) -> &'static str {
    match illegal {
        Illegal::NotPossible => "noughts-not-possible",
        Illegal::NotTwoSeats => "refuse-unknown-variant",
    }
}

/// Reads a position: the squares that were taken, in order.
fn read(text: &str) -> Result<Noughts, GameError> {
    let mut game = Noughts { squares: [0; 9], puts: Vec::new() };
    for put in text.split_whitespace() {
        let put = Put::read(put).ok_or_else(|| format!("{put} is no square"))?;
        game.apply_action(game.turn(), &put, &mut Vec::new())?;
    }
    Ok(game)
}

fn record(_: &RecordHeading, _: &Plain, _: u8, steps: &[GameStep<Noughts>]) -> String {
    let put = |step: &GameStep<Noughts>| match step {
        GameStep::Act(_, put) => put.write(),
        GameStep::Chance(never) => match *never {},
    };
    steps.iter().map(put).collect::<Vec<_>>().join(" ")
}

fn recorded(text: &str) -> Result<RecordedMatch<Noughts>, GameError> {
    let end = read(text)?;
    let step = |(n, put): (usize, &u8)| GameStep::Act(Seat(n as u8 % 2), Put(*put));
    let names = vec!["1".to_owned(), "2".to_owned()];
    let steps = end.puts.iter().enumerate().map(step).collect();
    Ok(RecordedMatch { start: read("")?, names, steps, result: None })
}

fn count(game: &Noughts, depth: u32) -> u64 {
    let Node::Act(seat) = game.node() else { return u64::from(depth == 0) };
    if depth == 0 {
        return 1;
    }
    let after = |put: &Put| {
        let mut next = game.clone();
        next.apply_action(seat, put, &mut Vec::new()).map_or(0, |()| count(&next, depth - 1))
    };
    game.actions(seat).iter().map(after).sum()
}

/// A player that takes the first free square.
struct Thinker;

impl Player<Noughts> for Thinker {
    fn think(
        &mut self,
        question: &PlayerQuestion<'_, Noughts>,
        _: &mut dyn Entropy,
        _: &mut dyn FnMut(&PlayerEvaluation<Put>),
    ) -> PlayerEvaluation<Put> {
        let action = question.actions[0].clone();
        let line = vec![action.clone()];
        PlayerEvaluation { action, score: 0, chance: 500, depth: 1, nodes: 1, line }
    }

    /// The first free square is the best; each further one costs a hundredth.
    fn action_chances(
        &mut self,
        question: &PlayerQuestion<'_, Noughts>,
        _: &mut dyn Entropy,
    ) -> Vec<(Put, u16)> {
        let chance = |put: &Put| 600 - 10 * u16::from(put.0);
        question.actions.iter().map(|put| (put.clone(), chance(put))).collect()
    }
}
