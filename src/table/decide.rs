//! Decides a command at a table: returns the events that follow, or a refusal.
//!
//! Everything here is pure. Chance comes from the table's own seed ([`super::fair_random`]), so no
//! random generator is needed.

use super::clock::ClockEvent;
use super::command::{Actor, Command, MoveChoice, OfferKind};
use super::consent::are_all_others_away;
pub use super::decision_builder::Decision;
use super::decision_builder::{DecisionBuilder, EventMeta};
use super::event::{EndReason, Event};
use super::state::{Table, TablePhase};
use super::{
    abandoned, absent_players, chat_commands, clock, conditional_moves, hints, lobby_commands,
    offer_commands, operator_actions, pause_commands, presence, rated_games, rematch,
    seat_replacement, vacation, victory_claims,
};
use caravanserai_games::rules::Seat;
use caravanserai_games::text::{Arg, Text};
use caravanserai_games::{ActionChoice, Match};
use caravanserai_i18n::vocabulary;

/// The maximum number of legal moves that a refusal lists when a typed move is not understood.
const NAMED_MOVES_MAX: usize = 12;

/// The reason why a command was refused; only the person who gave it sees the refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The explanation.
    pub text: Text,
    /// Whether the person looked at an outdated board, which should then be shown again.
    pub is_stale: bool,
}

impl Refusal {
    /// The refusal of a command that was given at the present board.
    pub fn new(text: Text) -> Self {
        Self { text, is_stale: false }
    }
}

pub(super) type DecideResult = Result<Decision, Refusal>;

/// Decides a command.
///
/// # Errors
/// A [`Refusal`]; the table is then unchanged.
pub fn decide(table: &Table, actor: &Actor, command: &Command) -> DecideResult {
    let decision = decide_command(table, actor, command)?;
    Ok(chat_commands::add_player_chat_event(presence::add_return_events(decision, actor), actor))
}

/// Decides the offer of another rematch where the last one came to nothing: its table was closed
/// without a result.
///
/// # Errors
/// A [`Refusal`]; the table is then unchanged.
pub fn decide_another_rematch(table: &Table, actor: &Actor) -> DecideResult {
    let mut table = table.duplicate();
    table.forget_next_table();
    decide(&table, actor, &Command::Offer(OfferKind::Rematch))
}

/// The number of log lines since the last step, or since the table was opened, after which
/// settings can no longer be changed. A log is read as a whole, so they may not be changed to and
/// fro without end.
const CHANGES_BETWEEN_STEPS_MAX: u64 = 1_000;

/// The same for commands without which others could not play on: nobody keeps people from a seat,
/// or a game in its pause, by changing something a thousand times.
const LINES_BETWEEN_STEPS_MAX: u64 = 10_000;

/// Refuses a command that only changes the table, if too much was changed since the last step.
fn check_changes(table: &Table, command: &Command) -> Result<(), Refusal> {
    let plays_or_ends = matches!(
        command,
        Command::Move { .. }
            | Command::Start
            | Command::Leave
            | Command::DeclineInvitation
            | Command::Cancel
            | Command::Resign
            | Command::Abort
            | Command::AbortAbandoned
            | Command::ClaimVictory
            | Command::Return
            | Command::AnswerOffer { .. }
            | Command::Detach(_)
            | Command::Offer(OfferKind::Rematch)
    );
    let lets_others_play = matches!(
        command,
        Command::Join
            | Command::Sit { .. }
            | Command::TakeSeat { .. }
            | Command::Kick(_)
            | Command::TakeOver { .. }
            | Command::ProposeSubstitute { .. }
            | Command::Offer(OfferKind::Resume)
    );
    let most = if lets_others_play { LINES_BETWEEN_STEPS_MAX } else { CHANGES_BETWEEN_STEPS_MAX };
    let changes = table.version.saturating_sub(table.history.position);
    if !plays_or_ends && table.is_open() && changes > most {
        return Err(refuse("refuse-changed-often"));
    }
    Ok(())
}

fn decide_command(table: &Table, actor: &Actor, command: &Command) -> DecideResult {
    operator_actions::check_not_frozen(table)?;
    check_changes(table, command)?;
    let takes_seat = matches!(
        command,
        Command::Join | Command::Sit { .. } | Command::TakeSeat { .. } | Command::TakeOver { .. }
    );
    if takes_seat {
        chat_commands::check_may_join(table, actor)?;
    }
    match command {
        Command::Join if table.phase == TablePhase::Playing => {
            seat_replacement::join_running_game(table, actor)
        }
        Command::Join => lobby_commands::join(table, actor, None),
        Command::Sit { seat } => lobby_commands::join(table, actor, Some(*seat)),
        Command::TakeSeat { seat, settings } => {
            lobby_commands::take_seat(table, actor, *seat, *settings)
        }
        Command::DeclineInvitation => lobby_commands::decline_invitation(table, actor),
        Command::ExplainDecline(why) => lobby_commands::explain_decline(table, actor, *why),
        Command::Leave => lobby_commands::leave(table, actor),
        Command::Kick(target) => lobby_commands::kick(table, actor, target),
        Command::AddComputer(level) => lobby_commands::add_computer(table, actor, *level),
        Command::ChangeComputerLevel { seat, level } => {
            lobby_commands::change_computer_level(table, actor, *seat, *level)
        }
        Command::RemoveComputer => lobby_commands::remove_computer(table, actor),
        Command::SetSeatCount(seats) => lobby_commands::set_seat_count(table, actor, *seats),
        Command::Start => lobby_commands::start_by_hand(table, actor),
        Command::KeepOpen => lobby_commands::keep_open(table, actor),
        Command::RemindInvited => lobby_commands::remind_invited(table, actor),
        Command::Cancel => lobby_commands::cancel(table, actor),
        Command::SetHouseRule(setting) => lobby_commands::set_house_rule(table, actor, setting),
        Command::SetFirstMover(begin) => lobby_commands::set_first_mover(table, actor, *begin),
        Command::SetHints(on) => hints::set_hints(table, actor, *on),
        Command::SetRated(rated) => rated_games::set_rated(table, actor, *rated),
        Command::SetTimeControl(control) => {
            absent_players::set_time_control(table, actor, *control)
        }
        Command::SetSubstituteLevel(level) => {
            absent_players::set_substitute_level(table, actor, *level)
        }
        Command::ClaimVictory => victory_claims::claim_victory(table, actor),
        Command::Return => absent_players::return_to_game(table, actor),
        Command::Nudge => absent_players::nudge_player(table, actor),
        Command::Move { position, choice } => play_move(table, actor, *position, choice),
        Command::SetConditionalMoves(words) => {
            conditional_moves::set_conditional_moves(table, actor, words)
        }
        Command::Resign => resign(table, actor),
        Command::Offer(OfferKind::Rematch) => rematch::offer_rematch(table, actor),
        Command::Offer(OfferKind::Draw) => offer_commands::offer_draw(table, actor),
        Command::Offer(OfferKind::Takeback) => offer_commands::offer_takeback(table, actor),
        Command::Offer(OfferKind::Pause) => pause_commands::offer_pause(table, actor),
        Command::Offer(OfferKind::Resume) => pause_commands::offer_resume(table, actor),
        Command::AnswerOffer { offer, answer } => {
            offer_commands::answer_offer(table, actor, *offer, *answer)
        }
        Command::Abort => abort(table, actor),
        Command::AbortAbandoned => abandoned::abort_abandoned(table, actor),
        Command::ProposeSubstitute { seat, newcomer } => {
            seat_replacement::propose_substitute(table, actor, *seat, newcomer)
        }
        Command::TakeOver { seat } => seat_replacement::take_over(table, actor, *seat),
        Command::Attach(to) => chat_commands::attach_chat(table, actor, to),
        Command::Detach(chat) => chat_commands::detach_chat(table, actor, chat),
        Command::SetPublic(on) => chat_commands::set_public(table, actor, *on),
    }
}

/// Decides the events that are due because time has passed; `None` if nothing is due.
pub fn tick(table: &Table, now_ms: u64) -> Option<Decision> {
    match table.phase {
        _ if table.is_frozen() => None,
        TablePhase::Lobby => lobby_commands::expire_lobby(table, now_ms),
        TablePhase::Playing => seat_replacement::expire_offer(table, now_ms)
            .or_else(|| clock::expire_clock(table, now_ms))
            .or_else(|| presence::mark_away_after_grace(table, now_ms))
            .or_else(|| vacation::end_vacations(table, now_ms))
            .or_else(|| abandoned::end_abandoned(table, now_ms)),
        TablePhase::Over { .. } | TablePhase::Closed { .. } => None,
    }
}

/// Returns the time at which [`tick`] next has to check the table, in milliseconds since 1970.
pub fn deadline(table: &Table) -> Option<u64> {
    match table.phase {
        _ if table.is_frozen() => None,
        TablePhase::Lobby => Some(table.times.last_event_ms + lobby_commands::LOBBY_LIFETIME_MS),
        TablePhase::Playing => {
            let silence = seat_replacement::objection_deadline(table);
            let vacation = vacation::vacation_deadline(table);
            let all = silence.into_iter().chain(clock::clock_deadline(table)).chain(vacation);
            all.chain(presence::grace_deadline(table)).min()
        }
        TablePhase::Over { .. } | TablePhase::Closed { .. } => None,
    }
}

pub(super) fn refuse(key: &'static str) -> Refusal {
    Refusal::new(Text::new(key))
}

pub(super) fn refuse_stale(key: &'static str) -> Refusal {
    Refusal { text: Text::new(key), is_stale: true }
}

/// Refuses what would take the place from a player who has finished while the others play on.
/// `key` is the text for that.
pub(super) fn require_unfinished(
    table: &Table,
    seat: u8,
    key: &'static str,
) -> Result<(), Refusal> {
    let Some(place) = table.finishing_rank(seat) else { return Ok(()) };
    Err(Refusal::new(Text::new(key).with("place", i64::from(place))))
}

/// Decides one event on behalf of an actor.
pub(super) fn decide_one(table: &Table, actor: &Actor, event: Event) -> DecideResult {
    decide_all(table, actor, [event])
}

/// Decides several events on behalf of an actor.
pub(super) fn decide_all(
    table: &Table,
    actor: &Actor,
    events: impl IntoIterator<Item = Event>,
) -> DecideResult {
    Ok(begin_decision(table, actor, events).finish())
}

/// Decides events on behalf of an actor, then the automatic events of the game.
pub(super) fn decide_and_advance(
    table: &Table,
    actor: &Actor,
    events: impl IntoIterator<Item = Event>,
) -> DecideResult {
    Ok(begin_decision(table, actor, events).advance_and_finish())
}

/// Begins a decision on behalf of an actor, to which the caller may add events.
pub(super) fn begin_decision(
    table: &Table,
    actor: &Actor,
    events: impl IntoIterator<Item = Event>,
) -> DecisionBuilder {
    let mut draft = DecisionBuilder::new(table, EventMeta::of_actor(actor));
    events.into_iter().for_each(|event| draft.add(event));
    draft
}

pub(super) fn game_in_play(table: &Table) -> Result<&dyn Match, Refusal> {
    match table.phase {
        TablePhase::Lobby => Err(refuse("refuse-not-started")),
        TablePhase::Playing => table.game.as_deref().ok_or_else(|| refuse("closed-outdated")),
        TablePhase::Over { .. } | TablePhase::Closed { .. } => {
            Err(refuse_stale("refuse-table-over"))
        }
    }
}

/// Returns the seat for which this person acts: the seat to move if it is theirs, else their first.
pub(super) fn seat_of(table: &Table, actor: &Actor) -> Result<u8, Refusal> {
    let turn = table.seat_to_move().filter(|&seat| table.seating.has_seat(&actor.person, seat));
    turn.or_else(|| table.seating.seats_of(&actor.person).next())
        .ok_or_else(|| refuse("refuse-not-your-table"))
}

pub(super) fn require_opener(table: &Table, actor: &Actor) -> Result<(), Refusal> {
    if table.setup.opener == actor.person {
        return Ok(());
    }
    let opener = table.seating.occupants.iter().find(|it| it.person == table.setup.opener);
    let name = opener.map_or_else(String::new, |it| it.name.clone());
    let text = Text::new("refuse-opener-only").with("name", name);
    Err(Refusal::new(text))
}

fn play_move(
    table: &Table,
    actor: &Actor,
    position: Option<u64>,
    choice: &MoveChoice,
) -> DecideResult {
    let game = game_in_play(table)?;
    let seat = seat_of(table, actor)?;
    if let Some(turn) = table.seat_to_move().filter(|turn| table.computer_level_of(*turn).is_some())
        && game.choices(Seat(seat)).is_empty()
    {
        let text = Text::new("refuse-computer-thinks").with("name", Arg::Seat(turn));
        return Err(Refusal::new(text));
    }
    if let Some(seen) = position
        && seen != table.history.position
        && !is_own_card(table, game, seat, seen, choice)
    {
        return Err(stale_position_refusal(table, seen));
    }
    let choices = game.choices(Seat(seat));
    if choices.is_empty() {
        let turn = table.seat_to_move().unwrap_or_default();
        let text = Text::new("refuse-not-your-turn").with("name", Arg::Seat(turn));
        return Err(Refusal::new(text));
    }
    let token = match choice {
        MoveChoice::Token(token) => token.clone(),
        MoveChoice::Typed(words) => {
            game.parse_move(Seat(seat), words, vocabulary()).ok_or_else(|| {
                if let Some(doubt) = ambiguous_digits_refusal(table, game, seat, words) {
                    return doubt;
                }
                let more = choices.len() > NAMED_MOVES_MAX;
                let legal = named_moves(table, game, seat, &choices);
                let legal = legal.chain(more.then(|| Arg::from("…"))).collect();
                let text = Text::new("refuse-what-move")
                    .with("typed", shorten_words(words))
                    .with("legal", Arg::List(legal));
                Refusal::new(text)
            })?
        }
    };
    let mut draft = DecisionBuilder::new(table, EventMeta::of_actor(actor));
    if table.is_away(seat) || table.has_left(seat) || table.is_played_by_substitute(seat) {
        // A player who moves is present again.
        draft.add(Event::Clock(ClockEvent::PersonReturned { seat }));
    }
    if let Some(vacation_end) =
        vacation::vacation_end_event(table, &actor.person).filter(|_| table.allows_vacation())
    {
        draft.add(vacation_end);
    }
    if let Err(illegal) = draft.play(seat, token.clone()) {
        return Err(Refusal::new(game.explain_refusal(Seat(seat), &token, illegal)));
    }
    if !choices.iter().any(|it| it.token == token) {
        // A log grows with each step, so a turn may not go back and forth without end.
        return Err(refuse("refuse-undone-often"));
    }
    if let Some((other, answer)) = table.history.planned_answers.answer_to(seat, &token)
        && draft.table.seat_to_move() == Some(other)
        // It would count as the return of a player who is absent.
        && !draft.table.is_away(other)
        && draft.table.departure_of(other).is_none()
        // Old logs have planned answers that are not legal: the other seat then simply has the
        // turn.
        && conditional_moves::is_legal(&draft.table, other, &answer)
    {
        draft.play_planned(other, answer).expect("is_legal has accepted this answer");
    }
    draft.try_advance().expect("the automatic events of a game follow from its rules");
    if table.is_late(seat) && draft.table.current_turn() == table.current_turn() {
        // The time of the turn has run out, and this step does not end the turn.
        draft.add(Event::Clock(ClockEvent::TimeRanOut { seat }));
    }
    Ok(draft.finish())
}

/// Whether an old button plays a card that this seat still has from the same deal. Hands are shown
/// less often than the game moves on, and a card has the same meaning on every button.
fn is_own_card(table: &Table, game: &dyn Match, seat: u8, seen: u64, choice: &MoveChoice) -> bool {
    let (MoveChoice::Token(token), Some(steps)) = (choice, table.history.steps_at(seen)) else {
        return false;
    };
    let same_deal = table.history.steps.iter().skip(steps as usize).all(|it| it.seat.is_some());
    table.game_id().info().hidden
        && same_deal
        && game.hand(Seat(seat)).iter().any(|it| it.choice.token == *token)
}

/// Returns a question for two digits of which only the first is a legal move, instead of playing a
/// move that the player probably did not mean.
fn ambiguous_digits_refusal(
    table: &Table,
    game: &dyn Match,
    seat: u8,
    words: &str,
) -> Option<Refusal> {
    let words = words.trim();
    let digits = words.len() == 2 && words.bytes().all(|it| it.is_ascii_digit());
    let first = words.get(..1).filter(|_| digits && !table.game_id().info().hidden)?;
    let token = game.parse_move(Seat(seat), first, vocabulary())?;
    game.choices(Seat(seat)).iter().any(|it| it.token == token).then(|| {
        let text = Text::new("refuse-doubtful-move").with("typed", words);
        Refusal::new(text.with("move", token))
    })
}

/// Returns the moves that a refusal lists: in card games the labels of the buttons, lowest bids
/// first.
fn named_moves(
    table: &Table,
    game: &dyn Match,
    seat: u8,
    choices: &[ActionChoice],
) -> impl Iterator<Item = Arg> {
    let named: Vec<Arg> = if table.game_id().info().hidden {
        let rows = game.panel(Seat(seat), 0).rows.into_iter().flatten();
        let cards = game.hand(Seat(seat)).into_iter().filter(|it| it.legal);
        rows.map(|it| it.label).chain(cards.map(|it| it.choice.label)).collect()
    } else {
        choices.iter().map(|it| Arg::Plain(it.token.clone())).collect()
    };
    named.into_iter().take(NAMED_MOVES_MAX)
}

fn shorten_words(words: &str) -> String {
    let mut short: String = words.chars().take(20).collect();
    if short.len() < words.len() {
        short.push('…');
    }
    short
}

fn stale_position_refusal(table: &Table, seen: u64) -> Refusal {
    let text = match table.history.steps_at(seen) {
        Some(steps) => Text::new("refuse-old-board")
            .with("seen", i64::from(steps))
            .with("now", table.history.steps.len() as i64),
        None => Text::new("refuse-old-button"),
    };
    Refusal { text, is_stale: true }
}

/// Resigns. In a game for two or with partners the side has lost, and a partner has to agree. With
/// three or four players the others continue, and a computer takes the seat; if they are all away,
/// nobody would play on, and the game ends.
fn resign(table: &Table, actor: &Actor) -> DecideResult {
    game_in_play(table)?;
    let seat = seat_of(table, actor)?;
    require_unfinished(table, seat, "refuse-own-place")?;
    if table.setup.has_partners() {
        return offer_commands::offer_resignation(table, actor, seat);
    }
    let is_alone = table.seating.people_seats().len() == 1 || are_all_others_away(table, seat);
    if table.setup.seats > 2 && !is_alone {
        return decide_and_advance(
            table,
            actor,
            [seat_replacement::computer_replacement_event(seat)],
        );
    }
    decide_one(table, actor, resignation_event(table, seat))
}

/// The event by which the side of this seat resigns.
pub(super) fn resignation_event(table: &Table, seat: u8) -> Event {
    loss_event(table, seat, EndReason::Resigned(seat))
}

/// The event by which the side of this seat has lost, with the reason.
pub(super) fn loss_event(table: &Table, seat: u8, reason: EndReason) -> Event {
    Event::GameOver { scores: loss_scores(table, seat), reason }
}

/// The points by seat where the side of this seat has lost at its own expense.
pub(super) fn loss_scores(table: &Table, seat: u8) -> Vec<i32> {
    let lost = |it: u8| it == seat || table.setup.are_partners(it, seat);
    (0..table.setup.seats).map(|it| i32::from(!lost(it))).collect()
}

fn abort(table: &Table, actor: &Actor) -> DecideResult {
    game_in_play(table)?;
    let seat = seat_of(table, actor)?;
    if let Some(ended) = victory_claims::abort_event(table, seat, actor.now_ms) {
        return decide_one(table, actor, ended);
    }
    if table.can_be_aborted() {
        return decide_one(table, actor, Event::TableClosed { reason: EndReason::AbortedBy(seat) });
    }
    if let Some((opponent, until_ms)) = table.cut_off_opponent(seat) {
        return Err(victory_claims::cut_off_refusal("refuse-abort-cut-off", opponent, until_ms));
    }
    offer_commands::offer_abort(table, actor, seat)
}
