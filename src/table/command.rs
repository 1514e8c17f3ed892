//! Defines the commands that people give at a table, and the actor who gives them.

use super::chat_commands::AttachedChat;
use super::clock::TimeControl;
use super::event::{FirstMover, PlayerOffer};
use super::offer_state::ShownOffer;
use super::people::{DeclineReason, Invitee};
use super::state::Table;
use caravanserai_games::ids::{ChatId, PersonId};
use caravanserai_games::search::ComputerLevel;

/// The person who gives a command, with the context in which they give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The id of the person.
    pub person: PersonId,
    /// The displayed name.
    pub name: String,
    /// The name after `@`, without it, of the account that sent the request; `name@platform` if
    /// that account is on another platform than the account that tables name.
    pub username: Option<String>,
    /// The chat from which the command comes.
    pub chat: ChatId,
    /// Whether they decide as an admin of that chat: its admins, and everybody where a setting of
    /// the chat says so.
    pub is_admin: bool,
    /// Whether the platform says that they are an admin of that chat.
    pub is_chat_admin: bool,
    /// The id of the update that carries the command.
    pub cause: String,
    /// The time of the decision, in milliseconds since 1970.
    pub now_ms: u64,
    /// The time at which the update was received, in milliseconds since 1970: the actor's clock
    /// stops then.
    pub received_ms: u64,
}

impl Actor {
    /// Whether an invitation is for this person. `home` is the platform of the table's home chat.
    pub(super) fn is_invited_as(&self, asked: &Invitee, home: &str) -> bool {
        asked.matches_person(&self.person, self.username.as_deref(), home)
    }

    /// Whether this person is invited to a table and has not answered yet.
    pub fn is_invited(&self, table: &Table) -> bool {
        let home = table.chats.home().platform();
        table.invitations.invited.iter().any(|it| self.is_invited_as(it, home))
    }
}

/// A command at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Takes a seat. An invited friend accepts the invitation with it; at a running game it asks
    /// for the seat of a computer, or of a player who is away.
    Join,
    /// Takes this seat, or moves to it, before the start.
    Sit {
        /// The seat, counted from 0.
        seat: u8,
    },
    /// Takes a seat before the start by a button, if the settings are still those that it was
    /// made for: the game may begin at once.
    TakeSeat {
        /// The seat, counted from 0; `None` means the first free one.
        seat: Option<u8>,
        /// See [`Table::settings_version`].
        settings: u64,
    },
    /// Declines an invitation.
    DeclineInvitation,
    /// Gives the reason for having declined.
    ExplainDecline(DeclineReason),
    /// Gives up the seat before the start.
    Leave,
    /// Removes a person before the start.
    Kick(KickTarget),
    /// Adds a computer of this level on a free seat before the start.
    AddComputer(ComputerLevel),
    /// Changes the level of a computer before the start.
    ChangeComputerLevel {
        /// The seat of the computer, counted from 0.
        seat: u8,
        /// The new level.
        level: ComputerLevel,
    },
    /// Removes the computer that was added last, before the start.
    RemoveComputer,
    /// Sets the number of seats.
    SetSeatCount(u8),
    /// Starts the game with the people who are seated.
    Start,
    /// Keeps a table open that has not started.
    KeepOpen,
    /// Reminds invited people who have not answered.
    RemindInvited,
    /// Cancels the table before the start.
    Cancel,
    /// Changes one house rule: `pieces=2`, or a value alone where it is unambiguous.
    SetHouseRule(String),
    /// Sets the rule for the first move.
    SetFirstMover(FirstMover),
    /// Sets whether this table gives hints.
    SetHints(bool),
    /// Sets whether the game counts for ratings.
    SetRated(bool),
    /// Sets the time control.
    SetTimeControl(TimeControl),
    /// Sets the level of the computer that substitutes for an absent player.
    SetSubstituteLevel(ComputerLevel),
    /// Claims victory over an opponent whose time has run out, or who is away.
    ClaimVictory,
    /// Returns to the game after an absence.
    Return,
    /// Reminds the player to move.
    Nudge,
    /// Makes a move.
    Move {
        /// The position in which the move was chosen; `None` means the present one.
        position: Option<u64>,
        /// The move.
        choice: MoveChoice,
    },
    /// Sets conditional moves, as typed text: the answer to a certain move of the other side.
    SetConditionalMoves(String),
    /// Resigns the game.
    Resign,
    /// Makes an offer of this kind, or accepts the same offer of the other side.
    Offer(OfferKind),
    /// Answers an offer of the other side.
    AnswerOffer {
        /// The offer that the person saw; `None` means the pending one.
        offer: Option<ShownOffer>,
        /// Whether the person accepts.
        answer: OfferAnswer,
    },
    /// Aborts the game before the second move.
    Abort,
    /// Aborts an abandoned game, as an admin of the chat.
    AbortAbandoned,
    /// Proposes a substitute for a seat of a running game.
    ProposeSubstitute {
        /// The seat; `None` means the actor's own.
        seat: Option<u8>,
        /// The proposed newcomer.
        newcomer: Invitee,
    },
    /// Attaches the table to one more chat.
    Attach(AttachedChat),
    /// Detaches the table from a chat.
    Detach(ChatId),
    /// Sets whether everybody who knows the code may watch.
    SetPublic(bool),
    /// Asks to take over a seat of a running game.
    TakeOver {
        /// The seat; `None` means the best available one.
        seat: Option<u8>,
    },
}

/// The person whom an opener removes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KickTarget {
    /// The person who had this seat when the log had `version` lines.
    Seat {
        /// The number of log lines.
        version: u64,
        /// The seat, counted from 0.
        seat: u8,
    },
    /// An invited friend who has not come, in the order of the invitations.
    Friend {
        /// The number of log lines.
        version: u64,
        /// The index in [`super::Invitations::invited`].
        n: u8,
    },
    /// A person by name.
    Named(Invitee),
}

/// The form in which a move was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveChoice {
    /// A canonical token, from a button.
    Token(String),
    /// Text that a person typed.
    Typed(String),
}

/// An answer to an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferAnswer {
    /// What is offered shall happen.
    Accept,
    /// It shall not. A proposer who declines withdraws the offer.
    Decline,
}

/// A kind of offer that a player makes by a command. The table adds the details, see
/// [`PlayerOffer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferKind {
    /// To agree on a draw.
    Draw,
    /// To take back the player's own last move.
    Takeback,
    /// To play again with sides exchanged.
    Rematch,
    /// To pause all clocks.
    Pause,
    /// To resume all clocks.
    Resume,
}

impl OfferKind {
    /// Whether this offer is of this kind.
    pub fn matches(self, offer: PlayerOffer) -> bool {
        matches!(
            (self, offer),
            (OfferKind::Draw, PlayerOffer::Draw)
                | (OfferKind::Takeback, PlayerOffer::Takeback { .. })
                | (OfferKind::Rematch, PlayerOffer::Rematch)
                | (OfferKind::Pause, PlayerOffer::Pause)
                | (OfferKind::Resume, PlayerOffer::Resume)
        )
    }
}
