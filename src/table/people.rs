//! Answers questions about the people at a table: seats, occupants, invitees, names.

use std::collections::BTreeSet;

use super::event::computer_level;
use super::state::{Table, TablePhase};
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatKind, DELETED_NAME, PersonId, hidden_name, hidden_name_code};
use caravanserai_games::rules::{Node, Seat};
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::text::{Arg, Text};

/// A player at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupant {
    /// The id of the player.
    pub person: PersonId,
    /// The player's name when they took the seat.
    pub name: String,
    /// The update by which they took the seat: their platform chose its id, so the operator could
    /// not know it when the seed was drawn.
    pub joining_update: String,
    /// The seat before the start, counted round the table: partners have opposite seats.
    pub lobby_seat: u8,
}

/// The maximum length of names at tables for more than two; longer names are cut.
const SHORT_NAME_CHARS: usize = 20;

impl Occupant {
    /// Whether this player is a computer.
    pub fn is_computer(&self) -> bool {
        self.level().is_some()
    }

    /// The level of the computer; `None` for a person.
    pub fn level(&self) -> Option<ComputerLevel> {
        computer_level(&self.person)
    }
}

/// A friend who was invited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitee {
    /// The person's id, if the platform reported it.
    pub person: Option<PersonId>,
    /// The name after `@`, if the id is not known. It is a name on the platform of the table's
    /// home; a name on another platform is spelled `name@platform`.
    pub username: Option<String>,
    /// The displayed name.
    pub name: String,
}

/// Adds the platform to a name after `@`, unless it is `near`, the platform that is assumed.
pub fn qualify_username(username: &str, platform: &str, near: &str) -> String {
    match platform == near {
        true => username.to_owned(),
        false => format!("{username}@{platform}"),
    }
}

/// Splits the result of [`qualify_username`] into name and platform. No name contains `@`.
fn split_username<'a>(username: &'a str, near: &'a str) -> (&'a str, &'a str) {
    username.rsplit_once('@').unwrap_or((username, near))
}

/// The reason why a person declines to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclineReason {
    /// Not now, but later.
    Later,
    /// No time today.
    Busy,
    /// They prefer another game.
    OtherGame,
    /// They take a break from playing.
    Break,
}

impl DeclineReason {
    /// All reasons, in the order of their buttons.
    pub const ALL: [DeclineReason; 4] =
        [DeclineReason::Later, DeclineReason::Busy, DeclineReason::OtherGame, DeclineReason::Break];

    /// Returns the spelling in logs, buttons and message keys.
    pub fn encode(self) -> &'static str {
        match self {
            DeclineReason::Later => "later",
            DeclineReason::Busy => "busy",
            DeclineReason::OtherGame => "other",
            DeclineReason::Break => "rest",
        }
    }

    /// Parses that spelling.
    pub fn parse(text: &str) -> Option<DeclineReason> {
        Self::ALL.into_iter().find(|it| it.encode() == text)
    }
}

/// A newcomer who is to take over a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatNewcomer {
    /// The newcomer.
    pub invitee: Invitee,
    /// Whether they agree: they asked for the seat, or accepted.
    pub has_agreed: bool,
}

impl SeatNewcomer {
    /// Whether the newcomer who asked for the seat has withdrawn, see
    /// [`Event::request_withdrawal`](super::Event).
    pub(super) fn is_nobody(&self) -> bool {
        self.invitee.person.is_none() && self.invitee.username.is_none()
    }
}

impl Invitee {
    /// A person invited by a name after `@` of a platform, at a table whose home is on `home`.
    pub fn by_username(username: &str, platform: &str, home: &str) -> Self {
        let name = format!("@{username}");
        Invitee { person: None, username: Some(qualify_username(username, platform, home)), name }
    }

    /// Whether the invitee is this person. `username`: see [`super::Actor::username`]. `home` is
    /// the platform of the table's home.
    pub fn matches_person(&self, person: &PersonId, username: Option<&str>, home: &str) -> bool {
        match (&self.person, &self.username) {
            (Some(known), _) => known == person,
            (None, Some(invited)) => username.is_some_and(|own| {
                let (own, on) = split_username(own, person.platform());
                let (invited, of) = split_username(invited, home);
                on == of && own.eq_ignore_ascii_case(invited)
            }),
            (None, None) => false,
        }
    }

    /// Whether the invitee is a computer.
    pub fn is_computer(&self) -> bool {
        self.person.as_ref().and_then(computer_level).is_some()
    }
}

/// Returns the name of a computer of this level; the n-th of several with the same level has a name
/// of its own.
pub fn computer_name(level: ComputerLevel, n: Option<usize>) -> Text {
    let kind = Text::new(format!("computer-{}", level.code()));
    let Some(n) = n else { return kind };
    let own = Text::new("computer-own-name").with("n", n as i64);
    Text::new("computer-named").with("name", kind).with("own", own)
}

/// The name of a person whose account was deleted; the n-th of several has a number.
pub fn deleted_player_name(n: Option<usize>) -> Text {
    match n {
        None => Text::new("list-deleted-player"),
        Some(n) => Text::new("list-deleted-player-numbered").with("n", n as i64),
    }
}

/// A name as people see it: one that is shown instead of a hidden name is translated.
pub fn displayed_name(name: &str) -> Arg {
    match hidden_name_code(name) {
        Some(code) => Text::new("list-hidden-player").with("code", code).into(),
        None => Arg::Plain(name.to_owned()),
    }
}

/// Shortens a name for the texts of a table: where several play, the texts repeat each name often.
fn shorten_name(name: &str, seats: u8) -> String {
    if seats <= 2 || name.chars().count() <= SHORT_NAME_CHARS {
        return name.to_owned();
    }
    name.chars().take(SHORT_NAME_CHARS - 1).chain(['…']).collect()
}

impl Table {
    /// The only seat that no computer plays, if there is exactly one.
    pub fn only_human_seat(&self) -> Option<u8> {
        let mut people = (0..self.setup.seats).filter(|seat| !self.seating.is_computer(*seat));
        people.next().filter(|_| people.next().is_none())
    }

    /// The seat shown at the bottom of a card table that everybody in a group sees: that of the
    /// only person, else that of the opener, because people look for who sits opposite, and the
    /// opener arranged the seats. Boards of other games are oriented by their coordinates.
    pub fn shared_board_seat(&self) -> Option<u8> {
        let opener = || self.seating.seats_of(&self.setup.opener).next();
        let side = self.only_human_seat().or_else(opener);
        side.filter(|_| self.game_id().info().hidden)
    }

    /// Whether one person may still abort the game: people have made fewer than two decisions,
    /// and, if there are several people or a loss to computers counts, neither an outcome of chance
    /// nor a move that was taken back would be undone by this.
    pub fn can_be_aborted(&self) -> bool {
        if !self.history.has_few_decisions() {
            return false;
        }
        let counts = self.would_count_as_loss_to_computers();
        let undoes_chance =
            || (counts || self.seating.people_seats().len() > 1) && self.has_shown_chance();
        let undoes_takeback = counts && self.rating_facts.has_takebacks;
        !undoes_takeback && !undoes_chance()
    }

    /// Whether an outcome of chance was shown in this game: cards are shown when they are dealt, a
    /// throw at once, or when the player to move lifts the cup.
    pub fn has_shown_chance(&self) -> bool {
        let dealt = self.game_id().info().hidden && !self.seating.order.is_empty();
        let is_open = || self.game.as_ref().is_some_and(|it| !it.is_chance_hidden());
        dealt || self.history.has_step_after_chance() || (self.history.has_chance() && is_open())
    }

    /// The invitees who have not come, with their index in
    /// [`Invitations::invited`](super::Invitations::invited).
    pub fn awaited_invitees(&self) -> impl Iterator<Item = (u8, &Invitee)> {
        let came = |it: &Invitee| it.person.as_ref().is_some_and(|it| self.seating.is_seated(it));
        (0..).zip(&self.invitations.invited).filter(move |(_, it)| !came(it))
    }

    /// The number of seats that everybody may take before the start: seats reserved for invitees do
    /// not count.
    pub fn open_seat_count(&self) -> u8 {
        let taken = self.seating.occupants.len() + self.awaited_invitees().count();
        self.setup.seats.saturating_sub(u8::try_from(taken).unwrap_or(u8::MAX))
    }

    /// Whether an account may become this person now: that must give a person neither two seats now
    /// nor two after a pending substitution.
    pub fn can_merge_account_now(&self, account: &PersonId, person: &PersonId) -> bool {
        let sits = |it: &PersonId| self.seating.is_seated(it);
        let newcomer = self.offers.newcomer.as_ref().and_then(|it| it.invitee.person.as_ref());
        let comes = |it: &PersonId| newcomer == Some(it);
        let twice = (comes(account) && sits(person)) || (sits(account) && comes(person));
        self.seating.can_merge_account(account, person) && !twice
    }

    /// The people whom this table names besides its players: invitees, removed and replaced people,
    /// people who gave up their seats, and readers of its boards.
    pub fn other_named_people(&self) -> BTreeSet<&PersonId> {
        let newcomer = self.offers.newcomer.as_ref().and_then(|it| it.invitee.person.as_ref());
        let replaced =
            self.seating.last_replacement.iter().map(|(_, it)| it).filter(|it| !it.is_computer());
        let mut named: BTreeSet<&PersonId> = self
            .invitations
            .named_people()
            .chain(newcomer)
            .chain([&self.setup.opener])
            .chain(replaced.map(|it| &it.person))
            .chain(self.rating_facts.leavers.iter().map(|it| &it.person))
            .chain(self.chats.named_people())
            .collect();
        for person in self.seating.people() {
            named.remove(person);
        }
        named
    }

    /// Makes an account count as this person everywhere at this table.
    pub(super) fn merge_account(&mut self, account: &PersonId, person: &PersonId) {
        if self.seating.is_seated(account)
            && let Some(place) = self.chat_of(account).cloned()
        {
            // The account keeps its chat: the person may have another usual chat.
            self.record_route(account, &place);
        }
        self.chats.merge_account(account, person);
        self.merge_leaver(account, person);
        self.guests.merge_account(account, person);
        if self.setup.opener == *account {
            self.setup.opener.clone_from(person);
        }
        self.seating.merge_account(account, person);
        self.lobby_agreements.merge_account(account, person);
        self.invitations.merge_account(account, person);
        self.offers.merge_account(account, person);
        self.clocks.merge_account(account, person);
    }

    /// The player whose decision the game waits for.
    pub fn seat_to_move(&self) -> Option<u8> {
        if self.phase != TablePhase::Playing {
            return None;
        }
        match self.game.as_ref()?.node() {
            Node::Act(seat) => Some(seat.0),
            Node::Chance | Node::Over(_) => None,
        }
    }

    /// The place that the player of this seat has got while the others play on.
    pub fn finishing_rank(&self, seat: u8) -> Option<u8> {
        let game = self.game.as_ref().filter(|_| self.phase == TablePhase::Playing)?;
        game.place(Seat(seat))
    }

    /// Whether a seat has won while the others play on for their places.
    pub fn is_winner_known(&self) -> bool {
        (0..self.setup.seats).any(|it| self.finishing_rank(it).is_some())
    }

    /// Whether people can still act here, apart from a rematch.
    pub fn is_open(&self) -> bool {
        matches!(self.phase, TablePhase::Lobby | TablePhase::Playing)
    }

    /// The game at this table.
    pub fn game_id(&self) -> GameId {
        self.setup.game
    }

    /// Whether the bot coaches this person: it is their first game, and no other person plays to
    /// whom that would be unfair.
    pub fn is_coached(&self, person: &PersonId) -> bool {
        self.setup.coached && self.setup.opener == *person && self.seating.people_seats().len() == 1
    }

    /// The seat to move, if the bot coaches its player.
    pub fn coached_seat_to_move(&self) -> Option<u8> {
        let turn = self.seat_to_move()?;
        self.is_coached(&self.seating.occupant(turn)?.person).then_some(turn)
    }

    /// Whether one person plays all sides: the table was opened alone with the bot.
    pub fn is_solo(&self) -> bool {
        self.setup.kind == ChatKind::Private
    }

    /// The displayed names by seat: people with the same name are numbered, computers then have
    /// names of their own.
    pub fn player_names(&self) -> Vec<Arg> {
        let seats = self.setup.seats;
        let all: Vec<Option<&Occupant>> =
            (0..seats).map(|seat| self.seating.occupant(seat)).collect();
        let alike = |a: &Occupant, b: Option<&Occupant>| {
            b.is_some_and(|b| a.level() == b.level() && a.name == b.name)
        };
        let mut names = Vec::with_capacity(all.len());
        for (seat, occupant) in all.iter().enumerate() {
            let Some(own) = *occupant else {
                names.push(Arg::from(Text::new("lobby-nobody")));
                continue;
            };
            let twins = all.iter().filter(|it| alike(own, **it)).count();
            let n = all[..=seat].iter().filter(|it| alike(own, **it)).count();
            let n = (twins > 1).then_some(n);
            names.push(match (own.level(), n) {
                (Some(level), n) => computer_name(level, n).into(),
                (None, n) if own.person.is_deleted() => deleted_player_name(n).into(),
                (None, Some(n)) => Arg::Plain(format!("{} ({n})", shorten_name(&own.name, seats))),
                (None, None) => displayed_name(&shorten_name(&own.name, seats)),
            });
        }
        names
    }

    /// The name that is shown instead of the hidden one of a player.
    fn hidden_name_of(&self, seat: u8) -> Option<String> {
        self.seating.occupant(seat).and_then(|it| hidden_name_code(&it.name)).map(hidden_name)
    }

    /// Names by seat for records: as [`Table::player_names`], but computers in English with their
    /// level.
    pub fn record_names(&self) -> Vec<String> {
        let all: Vec<&Occupant> =
            (0..self.setup.seats).filter_map(|seat| self.seating.occupant(seat)).collect();
        let computers = all.iter().filter(|it| it.is_computer()).count();
        let mut n = 0;
        let called = (0..).zip(self.player_names());
        let people = called.map(|(seat, it)| match (it, self.hidden_name_of(seat)) {
            (Arg::Plain(name), _) | (_, Some(name)) => name,
            // Computers get their names below.
            _ => DELETED_NAME.to_owned(),
        });
        let sits = |seat: &u8| self.seating.occupant(*seat).is_some();
        let people = (0..).zip(people).filter(|(seat, _)| sits(seat)).map(|(_, name)| name);
        let named = |(occupant, name): (&&Occupant, String)| {
            // The first logs lack the level.
            let level = occupant.person.0.split_once(':').map(|(_, level)| format!(" ({level})"));
            match occupant.is_computer() {
                false => name,
                true => {
                    n += 1;
                    let number = if computers > 1 { format!(" {n}") } else { String::new() };
                    format!("Computer{number}{}", level.unwrap_or_default())
                }
            }
        };
        all.iter().zip(people).map(named).collect()
    }
}
