//! A command against a table: the events that follow, or why not.
//!
//! Pure. Chance comes from the table's own seed ([`super::fair`]), so it needs no generator.

use super::clock::Timed;
use super::command::{Actor, Choice, Command, Proposal};
use super::event::{Event, Reason};
use super::fold::{Phase, Table};
pub use super::run::Decision;
use super::run::{Draft, Stamp};
use super::{abandoned, absence, clock, consent, hints, lobby, places, plans, presence, vacation};
use caravanserai_games::rules::Seat;
use caravanserai_games::words::{Arg, Text};
use caravanserai_games::{Choice as Legal, Match};
use caravanserai_i18n::vocabulary;

/// At most so many legal moves are named to somebody who is not understood.
const NAMED_MOVES: usize = 12;

/// Why a command was refused; told to whoever asked, and only to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// In words.
    pub text: Text,
    /// Whether what they looked at was old, so that the board should be shown anew.
    pub stale: bool,
}

pub(super) type Decided = Result<Decision, Refusal>;

/// Decides a command.
///
/// # Errors
/// A [`Refusal`]; nothing has happened then.
pub fn decide(table: &Table, actor: &Actor, command: &Command) -> Decided {
    let decision = decided(table, actor, command)?;
    Ok(places::noted(presence::noted(decision, actor), actor))
}

fn decided(table: &Table, actor: &Actor, command: &Command) -> Decided {
    if matches!(command, Command::Join | Command::Sit { .. } | Command::TakeOver { .. }) {
        places::may_join(table, actor)?;
    }
    match command {
        Command::Join if table.phase == Phase::Playing => consent::take_over(table, actor, None),
        Command::Join => lobby::join(table, actor, None),
        Command::Sit { place } => lobby::join(table, actor, Some(*place)),
        Command::Refuse => lobby::refuse(table, actor),
        Command::Explain(why) => lobby::explain(table, actor, *why),
        Command::Leave => lobby::leave(table, actor),
        Command::Kick(target) => lobby::kick(table, actor, target),
        Command::AddComputer(level) => lobby::add_computer(table, actor, *level),
        Command::Relevel { place, level } => lobby::relevel(table, actor, *place, *level),
        Command::RemoveComputer => lobby::remove_computer(table, actor),
        Command::Seats(seats) => lobby::seats(table, actor, *seats),
        Command::Start => lobby::start(table, actor),
        Command::Extend => lobby::extend(table, actor),
        Command::Remind => lobby::remind(table, actor),
        Command::Cancel => lobby::cancel(table, actor),
        Command::Vary(setting) => lobby::vary(table, actor, setting),
        Command::Order(begin) => lobby::order(table, actor, *begin),
        Command::Hints(on) => hints::rule(table, actor, *on),
        Command::Clock(control) => absence::settle(table, actor, *control),
        Command::Helper(level) => absence::help(table, actor, *level),
        Command::Claim => absence::claim(table, actor),
        Command::ComeBack => absence::come_back(table, actor),
        Command::Nudge => absence::nudge(table, actor),
        Command::Play { position, choice } => play(table, actor, *position, choice),
        Command::Foresee(words) => plans::foresee(table, actor, words),
        Command::Resign => resign(table, actor),
        Command::Propose(Proposal::Rematch) => consent::rematch(table, actor),
        Command::Propose(Proposal::Draw) => consent::draw(table, actor),
        Command::Propose(Proposal::TakeBack) => consent::take_back(table, actor),
        Command::Propose(Proposal::Pause) => consent::pause(table, actor),
        Command::Propose(Proposal::Resume) => consent::resume(table, actor),
        Command::Answer { offer, accept } => consent::answer(table, actor, *offer, *accept),
        Command::Abort => abort(table, actor),
        Command::CallOff => abandoned::call_off(table, actor),
        Command::Substitute { seat, newcomer } => {
            consent::substitute(table, actor, *seat, newcomer)
        }
        Command::TakeOver { seat } => consent::take_over(table, actor, *seat),
        Command::Attach(to) => places::attach(table, actor, to),
        Command::Detach(place) => places::detach(table, actor, place),
        Command::Publish(on) => places::publish(table, actor, *on),
    }
}

/// What happens at a table because of the time alone; `None` if nothing is due.
pub fn tick(table: &Table, now_ms: u64) -> Option<Decision> {
    match table.phase {
        Phase::Lobby => lobby::expire(table, now_ms),
        Phase::Playing => consent::outwait(table, now_ms)
            .or_else(|| clock::run_out(table, now_ms))
            .or_else(|| presence::over(table, now_ms))
            .or_else(|| vacation::over(table, now_ms))
            .or_else(|| abandoned::expire(table, now_ms)),
        Phase::Over { .. } | Phase::Closed { .. } => None,
    }
}

/// When [`tick`] has to look at a table, in milliseconds since 1970.
pub fn deadline(table: &Table) -> Option<u64> {
    match table.phase {
        Phase::Lobby => Some(table.last_ms + lobby::OPEN_MS),
        Phase::Playing => {
            let (silence, vacation) = (consent::deadline(table), vacation::deadline(table));
            let all = silence.into_iter().chain(clock::deadline(table)).chain(vacation);
            all.chain(presence::deadline(table)).min()
        }
        Phase::Over { .. } | Phase::Closed { .. } => None,
    }
}

pub(super) fn no(key: &'static str) -> Refusal {
    Refusal { text: Text::new(key), stale: false }
}

pub(super) fn old(key: &'static str) -> Refusal {
    Refusal { text: Text::new(key), stale: true }
}

/// This happens because somebody wants it.
pub(super) fn one(table: &Table, actor: &Actor, event: Event) -> Decided {
    all(table, actor, [event])
}

/// All this happens because somebody wants it.
pub(super) fn all(
    table: &Table,
    actor: &Actor,
    events: impl IntoIterator<Item = Event>,
) -> Decided {
    Ok(drafted(table, actor, events).done())
}

/// This happens because somebody wants it, and then what the game does by itself.
pub(super) fn follow(
    table: &Table,
    actor: &Actor,
    events: impl IntoIterator<Item = Event>,
) -> Decided {
    Ok(drafted(table, actor, events).go_on())
}

/// What somebody wants, as far as it is known: more may follow.
pub(super) fn drafted(
    table: &Table,
    actor: &Actor,
    events: impl IntoIterator<Item = Event>,
) -> Draft {
    let mut draft = Draft::of(table, Stamp::of(actor));
    events.into_iter().for_each(|event| draft.add(event));
    draft
}

pub(super) fn in_play(table: &Table) -> Result<&dyn Match, Refusal> {
    match table.phase {
        Phase::Lobby => Err(no("refuse-not-started")),
        Phase::Playing => table.game.as_deref().ok_or_else(|| no("closed-outdated")),
        Phase::Over { .. } | Phase::Closed { .. } => Err(old("refuse-table-over")),
    }
}

/// The seat this person acts for: the one on turn if it is theirs, else their first.
pub(super) fn seat_of(table: &Table, actor: &Actor) -> Result<u8, Refusal> {
    let turn = table.turn().filter(|&seat| table.seats_of(&actor.person).any(|it| it == seat));
    turn.or_else(|| table.seats_of(&actor.person).next()).ok_or_else(|| no("refuse-not-your-table"))
}

pub(super) fn opener_only(table: &Table, actor: &Actor) -> Result<(), Refusal> {
    if table.setup.opener == actor.person {
        return Ok(());
    }
    let opener = table.chairs.iter().find(|it| it.person == table.setup.opener);
    let name = opener.map_or_else(String::new, |it| it.name.clone());
    let text = Text::new("refuse-opener-only").with("name", name);
    Err(Refusal { text, stale: false })
}

fn play(table: &Table, actor: &Actor, position: Option<u64>, choice: &Choice) -> Decided {
    let game = in_play(table)?;
    let seat = seat_of(table, actor)?;
    if let Some(turn) = table.turn().filter(|turn| table.played_by(*turn).is_some())
        && game.choices(Seat(seat)).is_empty()
    {
        let text = Text::new("refuse-computer-thinks").with("name", Arg::Seat(turn));
        return Err(Refusal { text, stale: false });
    }
    if let Some(seen) = position
        && seen != table.position
        && !is_own_card(table, game, seat, seen, choice)
    {
        return Err(stale(table, seen));
    }
    let choices = game.choices(Seat(seat));
    if choices.is_empty() {
        let turn = table.turn().unwrap_or_default();
        let text = Text::new("refuse-not-your-turn").with("name", Arg::Seat(turn));
        return Err(Refusal { text, stale: false });
    }
    let token = match choice {
        Choice::Token(token) => token.clone(),
        Choice::Typed(words) => game.guess(Seat(seat), words, vocabulary()).ok_or_else(|| {
            if let Some(doubt) = doubted(table, game, seat, words) {
                return doubt;
            }
            let more = choices.len() > NAMED_MOVES;
            let legal = named_moves(table, game, seat, &choices);
            let legal = legal.chain(more.then(|| Arg::from("…"))).collect();
            let text = Text::new("refuse-what-move")
                .with("typed", shortened(words))
                .with("legal", Arg::List(legal));
            Refusal { text, stale: false }
        })?,
    };
    let mut draft = Draft::of(table, Stamp::of(actor));
    if table.is_away(seat) || table.is_left(seat) || table.is_stood_in(seat) {
        // Whoever plays is back.
        draft.add(Event::Time(Timed::Returned { seat }));
    }
    if let Some(home) = vacation::ends(table, &actor.person).filter(|_| table.is_leisurely()) {
        draft.add(home);
    }
    if let Err(illegal) = draft.play(seat, token.clone()) {
        return Err(Refusal { text: game.refuse(Seat(seat), &token, illegal), stale: false });
    }
    if let Some((other, answer)) = table.foreseen(seat, &token)
        && draft.next.turn() == Some(other)
        // In logs of before stand answers that are not legal: then it is simply their turn.
        && plans::is_legal(&draft.next, other, &answer)
    {
        draft.play_planned(other, answer).expect("it was tried just now");
    }
    draft.try_go_on().expect("what the rules do by themselves follows");
    if table.is_late(seat) && draft.next.this_turn() == table.this_turn() {
        // The time of the turn is over, and this step does not end the turn.
        draft.add(Event::Time(Timed::Late { seat }));
    }
    Ok(draft.done())
}

/// Whether an old button plays a card that this seat still holds from the same deal: hands are
/// shown less often than the game moves on, and a card means the same wherever it is pressed.
fn is_own_card(table: &Table, game: &dyn Match, seat: u8, seen: u64, choice: &Choice) -> bool {
    let (Choice::Token(token), Some(steps)) = (choice, table.steps_at(seen)) else { return false };
    let same_deal = table.steps.iter().skip(steps as usize).all(|it| it.seat.is_some());
    table.game_id().info().hidden
        && same_deal
        && game.hand(Seat(seat)).iter().any(|it| it.choice.token == *token)
}

/// Digits of which only the first fits: a question rather than a move that nobody meant.
fn doubted(table: &Table, game: &dyn Match, seat: u8, words: &str) -> Option<Refusal> {
    let words = words.trim();
    let digits = words.len() == 2 && words.bytes().all(|it| it.is_ascii_digit());
    let first = words.get(..1).filter(|_| digits && !table.game_id().info().hidden)?;
    let token = game.guess(Seat(seat), first, vocabulary())?;
    game.choices(Seat(seat)).iter().any(|it| it.token == token).then(|| {
        let text = Text::new("refuse-doubtful-move").with("typed", words);
        Refusal { text: text.with("move", token), stale: false }
    })
}

/// What to name of all that could be done: at cards as it stands on buttons, the lowest bids first.
fn named_moves(
    table: &Table,
    game: &dyn Match,
    seat: u8,
    choices: &[Legal],
) -> impl Iterator<Item = Arg> {
    let named: Vec<Arg> = if table.game_id().info().hidden {
        let rows = game.panel(Seat(seat), 0).rows.into_iter().flatten();
        let held = game.hand(Seat(seat)).into_iter().filter(|it| it.legal);
        rows.map(|it| it.label).chain(held.map(|it| it.choice.label)).collect()
    } else {
        choices.iter().map(|it| Arg::Plain(it.token.clone())).collect()
    };
    named.into_iter().take(NAMED_MOVES)
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

/// In a game for two or with partners the side has lost; a partner has to agree. Among three or
/// four the others play on: a computer takes the seat.
fn resign(table: &Table, actor: &Actor) -> Decided {
    in_play(table)?;
    let seat = seat_of(table, actor)?;
    if table.has_partners() {
        return consent::resign(table, actor, seat);
    }
    if table.setup.seats > 2 && table.people_seats().len() > 1 {
        return follow(table, actor, [consent::given_to_computer(seat)]);
    }
    one(table, actor, lost(table, seat))
}

/// The side of this seat gives up.
pub(super) fn lost(table: &Table, seat: u8) -> Event {
    lost_by(table, seat, Reason::Resigned(seat))
}

/// The side of this seat has lost, and why.
pub(super) fn lost_by(table: &Table, seat: u8, reason: Reason) -> Event {
    let lost = |it: u8| it == seat || table.are_partners(it, seat);
    let scores = (0..table.setup.seats).map(|it| i32::from(!lost(it))).collect();
    Event::Over { scores, reason }
}

fn abort(table: &Table, actor: &Actor) -> Decided {
    in_play(table)?;
    let seat = seat_of(table, actor)?;
    if let Some(ended) = absence::called_off(table, seat) {
        return one(table, actor, ended);
    }
    if table.can_be_aborted() {
        return one(table, actor, Event::Closed { reason: Reason::Aborted });
    }
    consent::call_off(table, actor, seat)
}
