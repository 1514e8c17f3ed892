//! What one viewer may know of a table, for programs and for pages that draw the board themselves.
//!
//! `state.md` and the page `/api` describe it. A field that is there keeps its meaning; one that
//! changes its meaning raises [`VERSION`]. Everything is made from views: what somebody may not
//! know is not in it.

use std::collections::HashMap;

use serde::Serialize;

use super::letters::{Letters, ended};
use crate::ledger::profiles::Reader;
use crate::minds::label;
use caravanserai_games::Match;
use caravanserai_games::ids::{PersonId, PlaceId};
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::scene::Area;
use caravanserai_games::words::{Span, Text};
use caravanserai_i18n::Lang;
use caravanserai_protocol::hands::{self, Means};
use caravanserai_protocol::note::{Key, Note};
use caravanserai_protocol::present::{self, Sight};
use caravanserai_protocol::press::{Ask, TablePress};
use caravanserai_protocol::{Look, Looking, Watching, clocks};
use caravanserai_render::Vector;
use caravanserai_table::command::{Choice, Command};
use caravanserai_table::fold::{Phase, Table};
use caravanserai_table::review;
use caravanserai_table::steps::Step;

/// Goes up when something means something else than before.
pub(super) const VERSION: u8 = 1;

/// So many steps are told, and shown as movement, at most.
const STEPS_MAX: usize = 24;

/// What one viewer may know of a table.
#[derive(Serialize)]
pub struct State {
    version: u8,
    table: String,
    game: &'static str,
    /// The house rules, as logs spell them.
    options: String,
    phase: &'static str,
    /// Goes up with whatever happens at the table, words among it.
    change: u64,
    /// Goes up with each step of the game; a press of an older one does nothing.
    moment: u64,
    /// Where the game stands, in its own notation; where hands are hidden what the viewer knows.
    position: Option<String>,
    seats: Vec<Sitting>,
    /// The seat on turn, from 0.
    turn: Option<u8>,
    /// The seat that the viewer plays now; of several the one on turn.
    you: Option<u8>,
    /// Whether the viewer wants to be asked twice: an action then counts on its second press.
    twice: bool,
    /// What the viewer may do now.
    actions: Vec<Doing>,
    /// How the actions stand in rows of buttons, by their tokens; one page of them.
    rows: Vec<Vec<String>>,
    /// Which page of rows this is, from 0, and how many there are.
    page: u8,
    pages: u8,
    /// What else can be done at the table, in rows of buttons.
    keys: Vec<Vec<Button>>,
    /// What seats did after the moment that was asked about, else what one did last.
    last: Vec<Told>,
    /// What the board says, in the viewer's language.
    says: Vec<String>,
    /// The moments that it names.
    times: Vec<Named>,
    /// The board in words.
    board: Vec<String>,
    /// The viewer's hand in words.
    hand: Vec<String>,
    watching: Onlookers,
    /// Points by seat when the game is over.
    scores: Option<Vec<i32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<Picture>,
}

/// A moment, as it stands in words.
#[derive(Serialize)]
struct Named {
    text: String,
    /// Milliseconds since 1970.
    time: u64,
    /// Whether only its day matters.
    day: bool,
}

/// How many look on.
#[derive(Serialize)]
struct Onlookers {
    /// People who are known to and do not play.
    people: u32,
    /// Other chats in which it is shown.
    places: u32,
    /// The people in words, if there are any.
    says: Option<String>,
}

/// Who sits on a seat.
#[derive(Serialize)]
pub(super) struct Sitting {
    name: String,
    you: bool,
    /// The level of a computer.
    computer: Option<&'static str>,
}

/// Something that can be done.
#[derive(Serialize)]
struct Doing {
    token: String,
    label: String,
    press: String,
    /// Where it is on the picture of the hand, or else of the board: middle, width, height, turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<[i32; 5]>,
    /// The same of what has its button too.
    #[serde(skip_serializing_if = "Option::is_none")]
    also: Option<[i32; 5]>,
    /// Where it leads to there.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<[i32; 5]>,
    /// Whether something is taken there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    takes: bool,
    /// What would come of it, as far as the label does not say it.
    #[serde(skip_serializing_if = "String::is_empty")]
    would: String,
}

/// A button.
#[derive(Serialize)]
struct Button {
    label: String,
    press: String,
    tone: &'static str,
    /// What the page can show instead of having it posted, see [`Look::address`].
    #[serde(skip_serializing_if = "Option::is_none")]
    look: Option<String>,
}

/// What a seat did.
#[derive(Serialize)]
struct Told {
    seat: u8,
    token: String,
}

/// What the viewer sees.
#[derive(Serialize)]
pub(super) struct Picture {
    pub(super) board: Vector,
    pub(super) hand: Option<Vector>,
    /// How the step that led to the board sounds: `step`, `deal`, `capture`; nothing if it is not
    /// new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sound: Option<&'static str>,
    /// The boards after the steps between, the oldest first; the last is `board`.
    pub(super) before: Vec<Frame>,
}

impl Picture {
    /// A board by itself.
    pub(super) fn of(board: Vector) -> Self {
        Self { board, hand: None, sound: None, before: Vec::new() }
    }
}

/// A board on the way to how it stands now.
#[derive(Serialize)]
pub(super) struct Frame {
    #[serde(flatten)]
    pub(super) board: Vector,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sound: Option<&'static str>,
}

/// Who looks, and from which side.
pub(super) struct Sees {
    /// The seat they play now.
    pub(super) seat: Option<u8>,
    /// Whose side of the board is below.
    pub(super) below: Seat,
    /// Of their hand, where hands are hidden and dealt.
    hand: Option<Viewer>,
}

impl Sees {
    pub(super) fn of(table: &Table, person: &PersonId, watches: bool, reader: &Reader) -> Self {
        let own: Vec<u8> = table.seats_of(person).filter(|_| !watches).collect();
        let turn = table.turn().filter(|turn| own.contains(turn));
        let seat = turn.or_else(|| own.first().copied());
        let below = match table.is_solo() {
            // Whoever plays both sides does not turn the board with every move.
            true => table.lone_seat(),
            false => seat.or_else(|| table.lone_seat()).filter(|_| !reader.fixed),
        };
        let viewer = |seat: u8| Viewer::Seat(Seat(seat));
        let hand = seat.filter(|_| hands::are_dealt(table)).map(viewer);
        Self { seat, below: Seat(below.unwrap_or(0)), hand }
    }
}

impl State {
    /// The same for somebody who wants to be asked twice, or not.
    #[must_use]
    pub fn asking(self, twice: bool) -> Self {
        Self { twice, ..self }
    }
}

impl Letters {
    /// What somebody may know of a table in one of its places; `None` if it is not theirs to see
    /// there.
    pub fn state(
        &self,
        table: &Table,
        place: &PlaceId,
        person: &PersonId,
        reader: &Reader,
        (looking, watching): (Looking, Watching),
    ) -> Option<State> {
        let spot = table.spot(place)?;
        if spot.reader.is_some_and(|it| it != person) {
            return None;
        }
        let lang = reader.lang;
        let sees = Sees::of(table, person, spot.watches, reader);
        let game = table.game.as_deref();
        let mut state = State {
            version: VERSION,
            table: table.id.0.clone(),
            game: table.game_id().info().code,
            options: table.setup.options.clone(),
            phase: phase(&table.phase),
            change: table.version,
            moment: table.position,
            position: game.and_then(|it| it.position(sees.hand.unwrap_or(Viewer::Public))),
            seats: self.sitting(table, person, lang),
            turn: table.turn(),
            you: sees.seat,
            twice: false,
            actions: Vec::new(),
            rows: Vec::new(),
            page: looking.page.unwrap_or_default(),
            pages: 0,
            keys: Vec::new(),
            last: last(table, looking.since),
            says: Vec::new(),
            times: Vec::new(),
            board: self.lines(lang, &present::board_text(table, Viewer::Public).texts),
            hand: Vec::new(),
            watching: self.onlookers(watching, lang),
            scores: match &table.phase {
                Phase::Over { scores, .. } => Some(scores.clone()),
                Phase::Lobby | Phase::Playing | Phase::Closed { .. } => None,
            },
            picture: None,
        };
        let note = present::board_at(table, Sight::plain(place, Means::Buttons));
        for text in &note.texts {
            let said = self.i18n().say(lang, &text.clone().timed(&clocks::fixed));
            state.says.push(said.to_plain());
            state.times.extend(said.0.into_iter().filter_map(|it| match it {
                Span::Time { at_ms, day, away } => Some(Named { text: away, time: at_ms, day }),
                _ => None,
            }));
        }
        state.keys = self.keys(&note, lang);
        if let (Some(seat), Some(_)) = (sees.seat, sees.hand) {
            let note = present::named(table, hands::hand(table, seat, Means::Buttons));
            state.hand = self.lines(lang, &note.texts);
        }
        if let (Some(seat), Some(game)) = (sees.seat.filter(|it| table.turn() == Some(*it)), game) {
            self.actions(&mut state, table, game, (Seat(seat), sees.below), lang, looking.page);
        }
        if looking.drawn {
            state.picture = self.picture(table, &sees, reader, looking.since);
        }
        Some(state)
    }

    fn onlookers(&self, watching: Watching, lang: Lang) -> Onlookers {
        let Watching { people, places } = watching;
        // The other chats are told by the board.
        let told = Watching { people, places: 0 }.told();
        Onlookers { people, places, says: told.map(|it| self.i18n().plain(lang, &it)) }
    }

    fn lines(&self, lang: Lang, texts: &[Text]) -> Vec<String> {
        texts.iter().map(|it| self.i18n().plain(lang, it)).collect()
    }

    /// The buttons of a board without those that play, show the hand or bring the board down:
    /// whoever looks at a state sees and does that themselves.
    fn keys(&self, note: &Note, lang: Lang) -> Vec<Vec<Button>> {
        let plays = |it: &&Key| match TablePress::read(&it.press).map(|it| it.ask) {
            Some(Ask::Do(Command::Play { .. }) | Ask::More { .. }) => true,
            Some(ask) => matches!(ask, Ask::Slot { .. } | Ask::Hand | Ask::Board),
            None => false,
        };
        let look = |it: &Key| match TablePress::read(&it.press)? {
            TablePress { table, ask: Ask::Replay } => Some(Look::replay(table)),
            TablePress { table, ask: Ask::Review } => Some(Look::Review { table, step: None }),
            _ => None,
        };
        let button = |it: &Key| Button {
            label: label(self.i18n(), lang, &it.label),
            press: it.press.clone(),
            tone: it.tone.name(),
            look: look(it).map(|it| it.address()),
        };
        let rows = note.keys.iter();
        let rows = rows.map(|row| row.iter().filter(|it| !plays(it)).map(button).collect());
        rows.filter(|row: &Vec<Button>| !row.is_empty()).collect()
    }

    pub(super) fn sitting(&self, table: &Table, person: &PersonId, lang: Lang) -> Vec<Sitting> {
        let called = table.called().into_iter();
        let seat = |(seat, name): (u8, caravanserai_games::words::Arg)| Sitting {
            name: label(self.i18n(), lang, &name),
            you: table.seats_of(person).any(|it| it == seat),
            computer: table.occupant(seat).and_then(|it| it.level()).map(|it| it.code()),
        };
        (0..).zip(called).map(seat).collect()
    }

    /// What the seat on turn may do, and where that is seen.
    fn actions(
        &self,
        state: &mut State,
        table: &Table,
        game: &dyn Match,
        (seat, below): (Seat, Seat),
        lang: Lang,
        page: Option<u8>,
    ) {
        let wanted = page.unwrap_or_default();
        let panel = game.panel(seat, wanted);
        let row =
            |row: Vec<caravanserai_games::Choice>| row.into_iter().map(|it| it.token).collect();
        let rows: Vec<Vec<String>> = panel.rows.into_iter().map(row).collect();
        let spots = game.spots(seat, below);
        let spot_of = |token: &str| spots.iter().find(|it| it.action.token == token);
        // Of hundreds of bids a page shows some.
        let is_shown = |it: &caravanserai_games::Choice| {
            page.is_none()
                || rows.iter().flatten().any(|of| *of == it.token)
                || spot_of(&it.token).is_some_and(|it| !it.besides)
        };
        let would: HashMap<String, Vec<Text>> = game.would(seat).into_iter().collect();
        let said = |texts: &[Text]| {
            let texts: Vec<Text> =
                texts.iter().map(|it| present::seated(table, it.clone())).collect();
            self.lines(lang, &texts).join(", ")
        };
        let doing = |choice: caravanserai_games::Choice| {
            let spot = spot_of(&choice.token);
            let play = Command::Play {
                position: Some(table.position),
                choice: Choice::Token(choice.token.clone()),
            };
            Doing {
                label: label(self.i18n(), lang, &choice.label),
                press: TablePress { table: table.id.clone(), ask: Ask::Do(play) }.write(),
                at: spot.filter(|it| !it.besides).map(|it| place(&it.at)),
                also: spot.filter(|it| it.besides).map(|it| place(&it.at)),
                to: spot.and_then(|it| it.to.as_ref()).map(place),
                takes: spot.is_some_and(|it| it.takes),
                would: would.get(&choice.token).map_or(String::new(), |it| said(it)),
                token: choice.token,
            }
        };
        state.actions = game.choices(seat).into_iter().filter(is_shown).map(doing).collect();
        state.page = wanted.min(panel.pages.saturating_sub(1));
        state.pages = panel.pages;
        state.rows = rows;
    }

    fn picture(
        &self,
        table: &Table,
        sees: &Sees,
        reader: &Reader,
        since: Option<u64>,
    ) -> Option<Picture> {
        let names = self.names(table, reader.lang);
        let drawn = |scene: &_| self.renderer.vector(scene, &reader.theme);
        let game = table.game.as_deref()?;
        let board = drawn(&game.scene_seen_from(Viewer::Public, sees.below, &names, ended(table)));
        let hand = sees.hand.map(|it| drawn(&game.scene(it, &names, None)));
        let mut before: Vec<Frame> = Vec::new();
        review::follow(table, steps_since(table, since), |game| {
            let frames = game.frames(Viewer::Public, sees.below, &names).into_iter();
            let after = game.scene_seen_from(Viewer::Public, sees.below, &names, None);
            for scene in frames.map(|it| it.0).chain([after]) {
                let board = drawn(&scene);
                if before.last().is_none_or(|it| it.board != board) {
                    before.push(Frame { board, sound: None });
                }
            }
            if let (Some(last), Some(sound)) = (before.last_mut(), game.sound()) {
                last.sound = Some(sound.code());
            }
        });
        let is_last = before.last().is_some_and(|it| it.board == board);
        let sound = before.pop_if(|_| is_last).and_then(|it| it.sound);
        let late = before.len().saturating_sub(STEPS_MAX);
        before.drain(..late);
        Some(Picture { board, hand, sound, before })
    }
}

/// Where something is on a picture: middle, width, height, degrees.
pub(super) fn place(it: &Area) -> [i32; 5] {
    [it.at.x, it.at.y, it.width as i16, it.height as i16, it.turn].map(i32::from)
}

pub(super) fn phase(phase: &Phase) -> &'static str {
    match phase {
        Phase::Lobby => "lobby",
        Phase::Playing => "playing",
        Phase::Over { .. } => "over",
        Phase::Closed { .. } => "closed",
    }
}

/// From which step on something is new to whoever saw the table at a moment.
fn steps_since(table: &Table, since: Option<u64>) -> usize {
    let all = table.steps.len();
    let known = since.and_then(|it| table.steps_at(it)).map_or(all, |it| it as usize);
    known.max(all.saturating_sub(STEPS_MAX))
}

/// What seats did last. What chance gave is left out: cards that were dealt, dice under a cup.
fn last(table: &Table, since: Option<u64>) -> Vec<Told> {
    let told = |it: Step<'_>| Some(Told { seat: it.seat?, token: it.token.to_owned() });
    if since.is_some() {
        return table.steps.iter().skip(steps_since(table, since)).filter_map(told).collect();
    }
    table.steps.iter().rev().find_map(told).into_iter().collect()
}
