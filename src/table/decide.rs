//! A command against a table: the events that follow, or why not.
//!
//! Pure. Chance comes from the table's own seed ([`super::fair`]), so it needs no generator.

use super::command::{Actor, Choice, Command, Proposal};
use super::event::{Begin, Event, Offer, Reason, TableId};
use super::fair::{FairDraw, lot};
use super::fold::{Phase, Table};
use crate::games::Match;
use crate::rules::{Node, Seat};
use crate::words::{Arg, Text};

/// Why a command was refused; told to whoever asked, and only to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// In words.
    pub text: Text,
    /// Whether what they looked at was old, so that the board should be shown anew.
    pub stale: bool,
}

/// What is decided.
#[derive(Debug, Default)]
pub struct Decision {
    /// What happened, to be logged in this order.
    pub events: Vec<Event>,
    /// Whether a new table with exchanged sides must be opened in the same commit.
    pub rematch: bool,
}

type Decided = Result<Decision, Refusal>;

/// Decides a command.
///
/// # Errors
/// A [`Refusal`]; nothing has happened then.
pub fn decide(table: &Table, actor: &Actor, command: &Command) -> Decided {
    match command {
        Command::Join => join(table, actor),
        Command::Refuse => refuse_invitation(table, actor),
        Command::Leave => leave(table, actor),
        Command::Cancel => cancel(table, actor),
        Command::Vary(setting) => vary(table, actor, setting),
        Command::Order(begin) => order(table, actor, *begin),
        Command::Play { position, choice } => play(table, actor, *position, choice),
        Command::Resign => resign(table, actor),
        Command::Propose(proposal) => propose(table, actor, *proposal),
        Command::Answer { offer, accept } => answer(table, actor, *offer, *accept),
        Command::Abort => abort(table, actor),
    }
}

fn no(key: &'static str) -> Refusal {
    Refusal { text: Text::new(key), stale: false }
}

fn old(key: &'static str) -> Refusal {
    Refusal { text: Text::new(key), stale: true }
}

fn so(events: Vec<Event>) -> Decided {
    Ok(Decision { events, rematch: false })
}

fn in_lobby(table: &Table) -> Result<(), Refusal> {
    match table.phase {
        Phase::Lobby => Ok(()),
        Phase::Playing => Err(old("refuse-already-started")),
        Phase::Over { .. } | Phase::Closed { .. } => Err(old("refuse-table-over")),
    }
}

fn in_play(table: &Table) -> Result<&dyn Match, Refusal> {
    match table.phase {
        Phase::Lobby => Err(no("refuse-not-started")),
        Phase::Playing => Ok(table.game.as_deref().expect("a table in play has a game")),
        Phase::Over { .. } | Phase::Closed { .. } => Err(old("refuse-table-over")),
    }
}

/// The seat this person acts for: the one on turn if it is theirs, else their first.
fn seat_of(table: &Table, actor: &Actor) -> Result<u8, Refusal> {
    let turn = table.turn().filter(|&seat| table.seats_of(&actor.person).any(|it| it == seat));
    turn.or_else(|| table.seats_of(&actor.person).next()).ok_or_else(|| no("refuse-not-your-table"))
}

fn opener_only(table: &Table, actor: &Actor) -> Result<(), Refusal> {
    if table.setup.opener == actor.person {
        return Ok(());
    }
    let name = table.chairs.first().map_or_else(String::new, |it| it.name.clone());
    let text = Text::new("refuse-opener-only").with("name", name);
    Err(Refusal { text, stale: false })
}

/// Whether this person is the friend who was asked.
fn is_invited(table: &Table, actor: &Actor) -> bool {
    table.invited.as_ref().is_some_and(|it| match (&it.person, &it.username) {
        (Some(person), _) => *person == actor.person,
        (None, Some(asked)) => {
            actor.person.platform() == table.place().platform()
                && actor.username.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(asked))
        }
        (None, None) => false,
    })
}

fn join(table: &Table, actor: &Actor) -> Decided {
    in_lobby(table)?;
    if table.is_solo() && table.setup.opener != actor.person {
        return Err(no("refuse-not-your-table"));
    }
    if table.seats_of(&actor.person).next().is_some() && !table.is_solo() {
        return Err(no("refuse-already-seated"));
    }
    if let Some(invited) = &table.invited
        && !is_invited(table, actor)
    {
        let text = Text::new("refuse-not-invited").with("name", invited.name.as_str());
        return Err(Refusal { text, stale: false });
    }
    let mut events = vec![Event::Seated { person: actor.person.clone(), name: actor.name.clone() }];
    if table.chairs.len() + 1 == usize::from(table.setup.seats) {
        let mut people = table.entropy();
        people.push(format!("{} {}", actor.person.0, actor.cause));
        let line = table.version + events.len() as u64;
        let mut draw = FairDraw::new(&table.setup.seed, &table.id, line, &people);
        let order = match table.begin() {
            Begin::Lot => lot(table.setup.seats, &mut draw),
            Begin::Opener => (0..table.setup.seats).collect(),
            Begin::Friend => (0..table.setup.seats).rev().collect(),
        };
        events.push(Event::Started { order });
    }
    so(events)
}

fn refuse_invitation(table: &Table, actor: &Actor) -> Decided {
    in_lobby(table)?;
    match &table.invited {
        Some(_) if is_invited(table, actor) => so(vec![Event::Closed { reason: Reason::Declined }]),
        Some(invited) => {
            let text = Text::new("refuse-not-invited").with("name", invited.name.as_str());
            Err(Refusal { text, stale: false })
        }
        None => Err(no("refuse-nothing-offered")),
    }
}

fn leave(table: &Table, actor: &Actor) -> Decided {
    if table.phase == Phase::Playing && table.seats_of(&actor.person).next().is_some() {
        return Err(no("refuse-leave-in-play"));
    }
    in_lobby(table)?;
    if is_invited(table, actor) {
        return refuse_invitation(table, actor);
    }
    seat_of(table, actor)?;
    // Whoever opened the table takes it along: nobody else is there in a game for two.
    if table.setup.opener == actor.person || table.chairs.len() == 1 {
        return so(vec![Event::Closed { reason: Reason::Cancelled }]);
    }
    so(vec![Event::Left { person: actor.person.clone() }])
}

fn cancel(table: &Table, actor: &Actor) -> Decided {
    in_lobby(table)?;
    if !actor.admin {
        opener_only(table, actor)?;
    }
    so(vec![Event::Closed { reason: Reason::Cancelled }])
}

fn vary(table: &Table, actor: &Actor, setting: &str) -> Decided {
    in_lobby(table)?;
    opener_only(table, actor)?;
    let info = table.game_id().info();
    let options =
        info.change(&table.setup.options, setting).ok_or_else(|| no("refuse-unknown-variant"))?;
    // What cannot be played by so many is refused before anybody sits down to it.
    table.game_id().open(&options, table.setup.seats).map_err(|illegal| no(illegal.0))?;
    so(vec![Event::Varied { options }])
}

fn order(table: &Table, actor: &Actor, begin: Begin) -> Decided {
    in_lobby(table)?;
    opener_only(table, actor)?;
    so(vec![Event::Ordered { begin }])
}

fn play(table: &Table, actor: &Actor, position: Option<u64>, choice: &Choice) -> Decided {
    let game = in_play(table)?;
    let seat = seat_of(table, actor)?;
    if let Some(seen) = position
        && seen != table.position
    {
        return Err(stale(table, seen));
    }
    if table.turn() != Some(seat) {
        let turn = table.turn().unwrap_or_default();
        let text = Text::new("refuse-not-your-turn").with("name", Arg::Seat(turn));
        return Err(Refusal { text, stale: false });
    }
    let token = match choice {
        Choice::Token(token) => token.clone(),
        Choice::Typed(words) => game.guess(Seat(seat), words).ok_or_else(|| {
            let legal = game.choices(Seat(seat)).into_iter().map(|it| Arg::Plain(it.token));
            let text = Text::new("refuse-what-move")
                .with("typed", shortened(words))
                .with("legal", Arg::List(legal.collect()));
            Refusal { text, stale: false }
        })?,
    };
    let mut next = game.copy();
    if let Err(illegal) = next.act(Seat(seat), &token) {
        return Err(Refusal { text: game.refuse(Seat(seat), &token, illegal), stale: false });
    }
    let mut events = vec![Event::Stepped { seat, token }];
    run_chance(table, next.as_mut(), &mut events);
    if let Node::Over(scores) = next.node() {
        events.push(Event::Over { scores, reason: Reason::Played });
    }
    so(events)
}

/// Draws for the game while it waits for chance, in the same commit as the action before it:
/// nobody can see a throw and withdraw.
fn run_chance(table: &Table, game: &mut dyn Match, events: &mut Vec<Event>) {
    while game.node() == Node::Chance {
        let line = table.version + events.len() as u64;
        let mut draw = FairDraw::new(&table.setup.seed, &table.id, line, &table.entropy());
        let token = game.draw(&mut draw);
        game.settle(&token).expect("what the rules drew can be settled");
        events.push(Event::Settled { token });
    }
}

fn shortened(words: &str) -> String {
    let mut short: String = words.chars().take(20).collect();
    if short.len() < words.len() {
        short.push('…');
    }
    short
}

fn stale(table: &Table, seen: u64) -> Refusal {
    let text = match table.steps_at(seen) {
        Some(steps) => Text::new("refuse-old-board")
            .with("seen", i64::from(steps))
            .with("now", table.steps.len() as i64),
        None => Text::new("refuse-old-button"),
    };
    Refusal { text, stale: true }
}

fn resign(table: &Table, actor: &Actor) -> Decided {
    in_play(table)?;
    let seat = seat_of(table, actor)?;
    let scores = (0..table.setup.seats).map(|it| i32::from(it != seat)).collect();
    so(vec![Event::Over { scores, reason: Reason::Resigned(seat) }])
}

fn abort(table: &Table, actor: &Actor) -> Decided {
    in_play(table)?;
    seat_of(table, actor)?;
    if table.steps.len() >= 2 {
        return Err(no("refuse-too-late-to-abort"));
    }
    so(vec![Event::Closed { reason: Reason::Aborted }])
}

fn propose(table: &Table, actor: &Actor, proposal: Proposal) -> Decided {
    let seat = match proposal {
        Proposal::Rematch => {
            return rematch(table, actor);
        }
        Proposal::Draw | Proposal::TakeBack => {
            in_play(table)?;
            seat_of(table, actor)?
        }
    };
    let offer = match proposal {
        Proposal::TakeBack => Offer::TakeBack { steps: back_to(table, actor)? },
        Proposal::Draw | Proposal::Rematch => Offer::Draw,
    };
    if table.is_solo() {
        return accepted(table, offer);
    }
    match table.offer {
        Some((by, Offer::Draw)) if by != seat && offer == Offer::Draw => accepted(table, offer),
        Some((by, _)) if by == seat => Err(no("refuse-already-offered")),
        Some(_) => Err(no("refuse-answer-first")),
        None if table.turned_down.contains(&(seat, offer)) => Err(no("refuse-turned-down")),
        None => so(vec![Event::Offered { seat, offer }]),
    }
}

/// How many steps remain when this person takes back their last move.
fn back_to(table: &Table, actor: &Actor) -> Result<u32, Refusal> {
    let own: Vec<u8> = table.seats_of(&actor.person).collect();
    let last = table.steps.iter().rposition(|it| it.seat.is_some_and(|seat| own.contains(&seat)));
    last.map(|steps| steps as u32).ok_or_else(|| no("refuse-nothing-to-take-back"))
}

fn rematch(table: &Table, actor: &Actor) -> Decided {
    if !matches!(table.phase, Phase::Over { .. }) {
        return Err(no("refuse-not-over"));
    }
    let seat = seat_of(table, actor)?;
    if let Some(TableId(next)) = &table.next {
        let text = Text::new("refuse-rematch-exists").with("table", next.as_str());
        return Err(Refusal { text, stale: true });
    }
    match table.offer {
        Some((by, Offer::Rematch)) if by == seat && !table.is_solo() => {
            Err(no("refuse-already-offered"))
        }
        Some((_, Offer::Rematch)) => accepted(table, Offer::Rematch),
        _ if table.is_solo() => accepted(table, Offer::Rematch),
        _ => so(vec![Event::Offered { seat, offer: Offer::Rematch }]),
    }
}

fn answer(table: &Table, actor: &Actor, seen: Option<Offer>, accept: bool) -> Decided {
    let Some((by, offer)) = table.offer else { return Err(old("refuse-nothing-offered")) };
    let seat = seat_of(table, actor)?;
    if seen.is_some_and(|seen| seen != offer) {
        return Err(old("refuse-nothing-offered"));
    }
    if by == seat {
        // Saying no to one's own offer withdraws it.
        return if accept {
            Err(no("refuse-own-offer"))
        } else {
            so(vec![Event::Declined { seat }])
        };
    }
    if accept { accepted(table, offer) } else { so(vec![Event::Declined { seat }]) }
}

fn accepted(table: &Table, offer: Offer) -> Decided {
    match offer {
        Offer::Draw => {
            let scores = vec![0; usize::from(table.setup.seats)];
            so(vec![Event::Over { scores, reason: Reason::Agreed }])
        }
        Offer::TakeBack { steps } => so(vec![Event::Back { steps }]),
        Offer::Rematch => Ok(Decision { events: Vec::new(), rematch: true }),
    }
}
