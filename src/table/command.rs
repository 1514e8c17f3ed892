//! What people ask of a table.

use super::clock::TimeControl;
use super::event::{FirstMover, PlayerOffer};
use super::locations::AttachedChat;
use super::people::{DeclineReason, Invitee};
use caravanserai_games::ids::{PersonId, PlaceId};
use caravanserai_games::search::ComputerLevel;

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Who.
    pub person: PersonId,
    /// What people see of them.
    pub name: String,
    /// The name after `@`, without it, of the account that sent the request; `name@platform` if
    /// that account is on another platform than the account that tables name.
    pub username: Option<String>,
    /// Where they speak from.
    pub chat: PlaceId,
    /// Whether they keep order there.
    pub is_admin: bool,
    /// The update by which they ask.
    pub cause: String,
    /// When they ask, in milliseconds since 1970.
    pub now_ms: u64,
    /// When their update was received, in milliseconds since 1970: their clock stops then.
    pub received_ms: u64,
}

impl Actor {
    /// Whether an invitation is for this person. `home`: the platform of the table's home.
    pub(super) fn is_invited_as(&self, asked: &Invitee, home: &str) -> bool {
        asked.matches_person(&self.person, self.username.as_deref(), home)
    }
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Sit down; for an invited friend: accept; at a running game: ask for a seat.
    Join,
    /// Sit down at this place, or move there, before the start.
    Sit {
        /// Counted from 0.
        place: u8,
    },
    /// Decline an invitation.
    DeclineInvitation,
    /// Say why one has declined.
    ExplainDecline(DeclineReason),
    /// Stand up before the start.
    Leave,
    /// Send somebody away before the start.
    Kick(KickTarget),
    /// Let a computer of this level take a free seat before the start.
    AddComputer(ComputerLevel),
    /// Let another computer play at the place of one before the start.
    ChangeComputerLevel {
        /// Counted from 0.
        place: u8,
        /// How strong it is to be.
        level: ComputerLevel,
    },
    /// Take away the computer that came last before the start.
    RemoveComputer,
    /// Settle how many play.
    SetSeatCount(u8),
    /// Begin with those who are there.
    Start,
    /// Keep a table open that has not begun.
    KeepOpen,
    /// Call those who were asked and have not answered.
    RemindInvited,
    /// Take the table away before the start.
    Cancel,
    /// Change one house rule: `pieces=2`, or a value alone where it says enough.
    SetHouseRule(String),
    /// Settle who begins.
    SetFirstMover(FirstMover),
    /// Settle whether hints are given at this table.
    SetHints(bool),
    /// Settle how much time people have.
    SetTimeControl(TimeControl),
    /// Settle how strong the computer is that plays for somebody absent.
    SetSubstituteLevel(ComputerLevel),
    /// Take the win, for the opponent's time has run out.
    ClaimWin,
    /// Play again after having been away.
    Return,
    /// Remind whoever is on turn.
    Nudge,
    /// Make a move.
    Play {
        /// The position it was chosen in; `None` means now.
        position: Option<u64>,
        /// What to play.
        choice: MoveChoice,
    },
    /// Settle in words what is played next if the other side plays something.
    SetConditionalMoves(String),
    /// Give up the game.
    Resign,
    /// Offer something, or accept the same offer of the other side.
    Propose(Proposal),
    /// Answer what the other side offers.
    AnswerOffer {
        /// The offer that was seen; `None` means whatever stands.
        offer: Option<PlayerOffer>,
        /// Yes or no.
        accept: bool,
    },
    /// Give up the table before the second move.
    Abort,
    /// As an admin of the chat: call off an abandoned game.
    CallOff,
    /// Let somebody else take over a seat of a running game.
    ProposeSubstitute {
        /// Which seat; the own one if it is not said.
        seat: Option<u8>,
        /// Who comes.
        newcomer: Invitee,
    },
    /// Have the table stand in another place too.
    Attach(AttachedChat),
    /// Take it away from a place it was brought to.
    Detach(PlaceId),
    /// Settle whether anybody who knows the code may look on.
    SetPublic(bool),
    /// Ask to take over a seat of a running game.
    TakeOver {
        /// Which; the best one if it is not said.
        seat: Option<u8>,
    },
}

/// Whom an opener sends away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KickTarget {
    /// Whoever sat at this place when the table had so many log lines.
    Place {
        /// Lines of the log.
        version: u64,
        /// Counted from 0.
        place: u8,
    },
    /// A friend who was asked and has not come, in the order of asking.
    Friend {
        /// Lines of the log.
        version: u64,
        /// As in [`super::Table::invited`].
        n: u8,
    },
    /// Somebody by name.
    Named(Invitee),
}

/// How a move was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveChoice {
    /// By a button: canonical.
    Token(String),
    /// By a person's words.
    Typed(String),
}

/// What a player proposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// To call it a draw.
    Draw,
    /// To take back one's own last move.
    TakeBack,
    /// To play again with sides exchanged.
    Rematch,
    /// That all clocks stand for a while.
    Pause,
    /// That they go on.
    Resume,
}

impl Proposal {
    /// Whether this offer is such a proposal.
    pub fn is_of(self, offer: PlayerOffer) -> bool {
        matches!(
            (self, offer),
            (Proposal::Draw, PlayerOffer::Draw)
                | (Proposal::TakeBack, PlayerOffer::TakeBack { .. })
                | (Proposal::Rematch, PlayerOffer::Rematch)
                | (Proposal::Pause, PlayerOffer::Pause)
                | (Proposal::Resume, PlayerOffer::Resume)
        )
    }
}
