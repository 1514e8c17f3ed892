//! What one viewer may know of a game step by step, of its review, and of a page of a course, for
//! pages that draw boards themselves.
//!
//! `state.md` describes it beside the state of a table, whose version and fields it shares. Hands
//! are shown to their owner, and to everybody once what they were dealt for is over.

use std::sync::Arc;

use serde::Serialize;

use super::films::moment_texts;
use super::letters::{Letters, ended};
use super::state::{Frame, Picture, Sees, Sitting, VERSION, phase, place};
use crate::ledger::Failure;
use crate::ledger::profiles::Reader;
use crate::minds::Told;
use caravanserai_games::ids::{PersonId, PlaceId};
use caravanserai_games::rules::{Node, Seat, Viewer};
use caravanserai_games::scene::{Scene, Spot};
use caravanserai_games::words::Text;
use caravanserai_games::{GameId, Match};
use caravanserai_i18n::vocabulary;
use caravanserai_protocol::present;
use caravanserai_protocol::press::{Ask, TablePress};
use caravanserai_render::Vector;
use caravanserai_table::fold::{Phase, Table};
use caravanserai_table::review;

/// So many steps are told at a time.
const STEPS: u32 = 40;

/// A part of a game, step by step.
#[derive(Serialize)]
pub struct Replay {
    version: u8,
    table: String,
    game: &'static str,
    phase: &'static str,
    /// Goes up with each step of the game.
    moment: u64,
    seats: Vec<Sitting>,
    /// How many steps there are.
    steps: u32,
    /// The first that is told.
    from: u32,
    /// Whose side is below.
    below: u8,
    /// Whose hand is seen; `None` where nothing is hidden.
    hand: Option<u8>,
    /// The press that has the game posted as a film, where it can be had.
    film: Option<String>,
    /// How it stood after each step, and before the first one.
    stood: Vec<Stood>,
}

impl Replay {
    /// The same for a place in which nothing can be posted.
    pub fn without_film(self) -> Self {
        Self { film: None, ..self }
    }
}

/// How a game stood after a step.
#[derive(Serialize)]
struct Stood {
    /// How many steps the game had.
    step: u32,
    /// Who acted; `None` for chance, or before the first step.
    seat: Option<u8>,
    /// What was done, as records spell it; never an outcome of chance, which may be a deal.
    token: Option<String>,
    /// The number of the move or turn as people see it.
    number: Option<u32>,
    /// How long it is worth looking at: `quick`, `move`, `slow`.
    pace: &'static str,
    /// What was done and how it stands.
    says: Vec<String>,
    /// The board in words.
    board: Vec<String>,
    /// What is seen; `None` where that is what was seen before.
    picture: Option<Picture>,
}

/// Where a game turned.
#[derive(Serialize)]
pub struct Review {
    version: u8,
    table: String,
    /// How likely each side was to win; `None` while there is no review.
    chart: Option<Vector>,
    /// The same in words.
    words: Vec<String>,
    moments: Vec<Moment>,
}

/// One of the moves that changed most.
#[derive(Serialize)]
struct Moment {
    /// How many steps the game had.
    step: u32,
    seat: u8,
    number: i64,
    /// Where its number is on the chart.
    badge: Option<[i32; 5]>,
    says: Vec<String>,
    /// The position in words.
    board: Vec<String>,
    /// The position, from the side of whoever looks, with the hand of the seat.
    picture: Picture,
    /// Where what was played, and what would have been better, is on the picture of the hand, or
    /// else of the board.
    played: Option<Mark>,
    better: Option<Mark>,
    /// What would have been better and what could have followed, step by step.
    line: Vec<Stood>,
}

/// Where something is done on a picture, and where it leads.
#[derive(Serialize)]
struct Mark {
    at: [i32; 5],
    to: Option<[i32; 5]>,
}

/// A page of a course.
#[derive(Serialize)]
pub struct Lesson {
    version: u8,
    game: &'static str,
    page: String,
    /// What is seen in words.
    board: Vec<String>,
    picture: Picture,
    /// What can be touched, by the last part of the press that means it.
    spots: Vec<Touch>,
}

/// An answer, or a move to try, on the picture of a page.
#[derive(Serialize)]
struct Touch {
    token: String,
    at: [i32; 5],
    to: Option<[i32; 5]>,
}

/// With whose eyes a game is looked at.
struct Eyes<'a> {
    table: &'a Table,
    reader: &'a Reader,
    names: Vec<String>,
    below: Seat,
    /// Whose hand is seen, and up to which step.
    hand: Option<(u8, usize)>,
}

impl Eyes<'_> {
    fn hand_at(&self, step: usize) -> Option<Viewer> {
        self.hand.filter(|it| step <= it.1).map(|it| Viewer::Seat(Seat(it.0)))
    }
}

/// What came before in a row of steps.
#[derive(Default)]
struct Before(Option<(Scene, Option<Scene>)>);

impl Letters {
    /// A part of a game for somebody in one of its places; `None` if it is not theirs to see there,
    /// or has not begun.
    pub fn replay(
        &self,
        table: &Table,
        at: &PlaceId,
        person: &PersonId,
        reader: &Reader,
        (from, seat): (u32, Option<u8>),
    ) -> Option<Replay> {
        let spot = table.spot(at)?;
        if spot.reader.is_some_and(|it| it != person) || table.outdated {
            return None;
        }
        table.game.as_ref()?;
        let sees = Sees::of(table, person, spot.watches, reader);
        let seat = seat.filter(|it| *it < table.setup.seats);
        let below = seat.map_or(sees.below, Seat);
        let steps = table.steps.len();
        let hand = table.game_id().info().hidden.then(|| {
            let own = sees.seat == Some(below.0) && table.seats_of(person).any(|it| it == below.0);
            (below.0, if own { steps } else { open_to(table) })
        });
        let names = self.names(table, reader.lang);
        let eyes = Eyes { table, reader, names, below, hand };
        let from = (from as usize).min(steps);
        Some(Replay {
            version: VERSION,
            table: table.id.0.clone(),
            game: table.game_id().info().code,
            phase: phase(&table.phase),
            moment: table.position,
            seats: self.sitting(table, person, reader.lang),
            steps: steps as u32,
            from: from as u32,
            below: below.0,
            hand: hand.map(|it| it.0),
            film: matches!(table.phase, Phase::Over { .. })
                .then(|| TablePress { table: table.id.clone(), ask: Ask::Replay }.write()),
            stood: self.stood(&eyes, from)?,
        })
    }

    /// How it stood from a step on.
    fn stood(&self, eyes: &Eyes<'_>, from: usize) -> Option<Vec<Stood>> {
        let table = eyes.table;
        let (mut all, mut before) = (Vec::new(), Before::default());
        let to = (from + STEPS as usize).min(table.steps.len() + 1);
        if from == 0 {
            let start = review::at(table, 0)?;
            all.push(self.one(eyes, &*start, (0, None), &mut before));
        }
        let mut n = from.max(1);
        let steps: Vec<_> = table.steps.iter().take(to.max(1) - 1).collect();
        review::follow(table, n - 1, |game| {
            if let Some(step) = steps.get(n - 1).filter(|_| n < to) {
                let told = step.seat.map(|seat| (seat, step.token));
                all.push(self.one(eyes, game, (n, told), &mut before));
            }
            n += 1;
        });
        if to > table.steps.len()
            && let (Some(last), Phase::Over { scores, reason }) = (all.last_mut(), &table.phase)
        {
            self.ended(eyes, last, &present::result(table, scores, *reason));
        }
        Some(all)
    }

    /// The last position of a game that is over says how it ended.
    fn ended(&self, eyes: &Eyes<'_>, last: &mut Stood, result: &Text) {
        let (table, lang) = (eyes.table, eyes.reader.lang);
        if ended(table).is_some() {
            // The game itself still waits for a move that nobody will make.
            last.says.pop();
        }
        let result = present::seated(table, result.clone());
        last.says.insert(0, self.i18n().plain(lang, &result));
        let Some(game) = table.game.as_deref() else { return };
        let board = game.scene_seen_from(Viewer::Public, eyes.below, &eyes.names, ended(table));
        let board = self.vector(&board, eyes.reader);
        match &mut last.picture {
            Some(picture) => picture.board = board,
            None => last.picture = Some(Picture::of(board)),
        }
    }

    /// How it stands after a step: who did what.
    fn one(
        &self,
        eyes: &Eyes<'_>,
        game: &dyn Match,
        (step, told): (usize, Option<(u8, &str)>),
        before: &mut Before,
    ) -> Stood {
        let (table, lang) = (eyes.table, eyes.reader.lang);
        let frames = game.frames(Viewer::Public, eyes.below, &eyes.names);
        let pace = frames.last().map_or("move", |it| it.1.name());
        let board = game.scene_seen_from(Viewer::Public, eyes.below, &eyes.names, None);
        let hand = eyes.hand_at(step).map(|it| game.scene(it, &eyes.names, None));
        let now = (board, hand);
        let between = frames.into_iter().map(|it| it.0).filter(|it| *it != now.0);
        let between: Vec<Vector> = between.map(|it| self.vector(&it, eyes.reader)).collect();
        let same = between.is_empty() && before.0.as_ref() == Some(&now);
        let picture = (!same).then(|| Picture {
            board: self.vector(&now.0, eyes.reader),
            hand: now.1.as_ref().map(|it| self.vector(it, eyes.reader)),
            sound: None,
            before: between.into_iter().map(|board| Frame { board, sound: None }).collect(),
        });
        before.0 = Some(now);
        let said = |texts: Vec<Text>| -> Vec<String> {
            let texts = texts.into_iter().map(|it| present::seated(table, it));
            texts.map(|it| self.i18n().plain(lang, &it)).collect()
        };
        Stood {
            step: step as u32,
            seat: told.map(|it| it.0),
            token: told.map(|it| it.1.to_owned()),
            number: game.number(),
            pace,
            says: said(game.caption(Viewer::Public)),
            board: said(game.board_text(Viewer::Public)),
            picture,
        }
    }

    /// The review of a finished game for somebody in one of its places; `None` if it is not theirs
    /// to see there.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn review(
        &self,
        table: &Table,
        at: &PlaceId,
        person: &PersonId,
        reader: &Reader,
    ) -> Result<Option<Review>, Failure> {
        let spot = table.spot(at).filter(|it| it.reader.is_none_or(|it| it == person));
        let Some(spot) = spot.filter(|_| review::can_be(table)) else { return Ok(None) };
        let below = Sees::of(table, person, spot.watches, reader).below;
        let mut told = Review {
            version: VERSION,
            table: table.id.0.clone(),
            chart: None,
            words: Vec::new(),
            moments: Vec::new(),
        };
        let Some(made) = self.minds.stored_review(&table.id).await? else { return Ok(Some(told)) };
        let chart = self.minds.review_chart(table, reader.lang).await?;
        let badges = chart.map(|(scene, words, badges)| {
            told.chart = Some(self.vector(&scene, reader));
            told.words = words.lines().map(str::to_owned).collect();
            badges
        });
        let badges = badges.unwrap_or_default();
        for (n, it) in made.moments.iter().enumerate() {
            let moment = self.moment(table, (reader, below), it);
            let badge = badges.get(n).map(place);
            told.moments.extend(moment.map(|moment| Moment { badge, ..moment }));
        }
        Ok(Some(told))
    }

    fn moment(&self, table: &Table, (reader, below): (&Reader, Seat), it: &Told) -> Option<Moment> {
        let game = review::at(table, it.step)?;
        let seat = Seat(it.seat);
        let step = it.step as usize;
        let hand = table.game_id().info().hidden.then_some((it.seat, usize::MAX));
        let names = self.names(table, reader.lang);
        let eyes = Eyes { table, reader, names, below, hand };
        let played = table.steps.iter().nth(step)?.token.to_owned();
        let spots = game.spots(seat, below);
        let mark = |token: &str| {
            let spot = spots.iter().find(|it| it.action.token == token)?;
            Some(Mark { at: place(&spot.at), to: spot.to.as_ref().map(place) })
        };
        let stands = self.one(&eyes, &*game, (step, None), &mut Before::default());
        let picture = Picture { before: Vec::new(), ..stands.picture? };
        let says = moment_texts(it).into_iter().map(|it| present::seated(table, it));
        Some(Moment {
            step: it.step,
            seat: it.seat,
            number: it.shown_number(),
            badge: None,
            says: says.map(|it| self.i18n().plain(reader.lang, &it)).collect(),
            board: stands.board,
            picture,
            played: mark(&played),
            better: it.line.first().and_then(|token| mark(token)),
            line: self.line(&eyes, game, step, &it.line),
        })
    }

    /// What would have followed, as far as the game follows it: in games with hidden hands it was
    /// only guessed.
    fn line(
        &self,
        eyes: &Eyes<'_>,
        mut game: Box<dyn Match>,
        step: usize,
        tokens: &[String],
    ) -> Vec<Stood> {
        let (mut all, mut before) = (Vec::new(), Before::default());
        for (n, token) in (step + 1..).zip(tokens) {
            let Node::Act(seat) = game.node() else { break };
            if game.act(seat, token).is_err() {
                break;
            }
            all.push(self.one(eyes, &*game, (n, Some((seat.0, token.as_str()))), &mut before));
        }
        all
    }

    /// A page of a course, as it is or after a move that was tried; `None` if there is none.
    pub fn lesson(
        &self,
        game: &str,
        page: &str,
        tried: Option<&str>,
        reader: &Reader,
    ) -> Option<Lesson> {
        let (scene, words) = self.taught(game, page, tried, reader.lang)?;
        let game = GameId::read(game)?;
        let touch = |it: Spot<String>| Touch {
            token: it.action,
            at: place(&it.at),
            to: it.to.as_ref().map(place),
        };
        let spots = match tried {
            None => game.touches(page, vocabulary()),
            Some(_) => Vec::new(),
        };
        Some(Lesson {
            version: VERSION,
            game: game.info().code,
            page: page.to_owned(),
            board: words.to_plain().lines().map(str::to_owned).collect(),
            picture: Picture::of(self.vector(&scene, reader)),
            spots: spots.into_iter().map(touch).collect(),
        })
    }

    /// Computes something that takes a while off the async threads.
    pub async fn aside<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Letters) -> T + Send + 'static,
    ) -> Option<T> {
        let letters = Arc::clone(self);
        let done = self.renderer.aside(move || work(&letters)).await;
        let told = |error: &_| tracing::error!(%error, "a bug: something to look at panicked");
        done.inspect_err(told).ok()
    }

    fn vector(&self, scene: &Scene, reader: &Reader) -> Vector {
        self.renderer.vector(scene, &reader.theme)
    }
}

/// Up to which step everybody may see what was held: all of a game that is over, else to the end
/// of what hands were dealt for last.
fn open_to(table: &Table) -> usize {
    if matches!(table.phase, Phase::Over { .. }) {
        return table.steps.len();
    }
    let (mut open, mut n) = (0, 0);
    review::follow(table, 0, |game| {
        n += 1;
        if game.lays_open() {
            open = n;
        }
    });
    open
}
