//! Asks engines and networks what an answer depends on.
//!
//! No table is held and no other update of the chat waits meanwhile: an attempt that needs such an
//! answer ends with a [`Question`]. The update is then handled from the start with the
//! [`Findings`], and everything else is read again.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Desk;
use super::hint::Waiting;
use super::visit::{Notes, Visit};
use crate::minds::{Players, Urgency};
use caravanserai_games::ids::{PersonId, PlaceId, TableId};
use caravanserai_games::search::{Budget, Level, Numbers, Thought};
use caravanserai_games::{Asked, GameId};
use caravanserai_protocol::{Later, SendError, Update};

/// What an attempt to answer an update needs to know.
pub(super) enum Question {
    /// The move that the strongest engine would play.
    Thought(Box<ThoughtWanted>),
    /// The private chat of this account.
    PrivatePlace(PersonId),
    /// Which of these places this account is a member of.
    Member(PersonId, Vec<PlaceId>),
    /// Whether this account is an admin of this place.
    KeepsOrder(PersonId, PlaceId),
}

/// A position to think about.
pub(super) struct ThoughtWanted {
    /// Where it is played: places take turns.
    pub(super) place: PlaceId,
    pub(super) table: TableId,
    pub(super) position: u64,
    pub(super) game: GameId,
    pub(super) asked: Asked,
    pub(super) waiting: Waiting,
}

/// The answer to a [`Question`].
#[derive(Clone)]
pub(super) enum Finding {
    Thought(Arc<Thinking>),
    PrivatePlace(PersonId, Result<PlaceId, SendError>),
    Member(PersonId, Option<PlaceId>),
    KeepsOrder(PersonId, PlaceId, bool),
}

/// The result of thinking about a position.
pub(super) struct Thinking {
    pub(super) table: TableId,
    pub(super) position: u64,
    /// `None` if too much waits already, or the player panicked.
    pub(super) thought: Option<Thought<String>>,
    /// Keeps other hints for this person from starting until the answer is given.
    _waiting: Waiting,
}

/// The answers to the questions of an update.
#[derive(Clone, Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    /// Whether this is the first attempt.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn thought(&self) -> Option<&Thinking> {
        self.0.iter().find_map(|it| match it {
            Finding::Thought(it) => Some(&**it),
            _ => None,
        })
    }

    pub(super) fn private_place(&self, account: &PersonId) -> Option<&Result<PlaceId, SendError>> {
        self.0.iter().find_map(|it| match it {
            Finding::PrivatePlace(of, found) if of == account => Some(found),
            _ => None,
        })
    }

    pub(super) fn member(&self, account: &PersonId) -> Option<&Option<PlaceId>> {
        self.0.iter().find_map(|it| match it {
            Finding::Member(of, found) if of == account => Some(found),
            _ => None,
        })
    }

    pub(super) fn keeps_order(&self, account: &PersonId, place: &PlaceId) -> Option<bool> {
        self.0.iter().find_map(|it| match it {
            Finding::KeepsOrder(of, at, found) if of == account && at == place => Some(*found),
            _ => None,
        })
    }
}

impl Visit<'_> {
    /// Ends this attempt: the update is handled again once the question is answered.
    pub(super) fn ask(&mut self, question: Question) -> Notes {
        self.question = Some(question);
        Ok(Vec::new())
    }
}

impl Desk {
    /// The rest of an answer: answers the question and handles the update from the start.
    pub(super) fn later(
        self: Arc<Self>,
        update: Update,
        findings: Findings,
        question: Question,
    ) -> Later {
        Later::new(async move {
            let Findings(mut found) = findings;
            found.push(self.find(question).await);
            self.answer_with(&update, Findings(found)).await
        })
    }

    async fn find(&self, question: Question) -> Finding {
        match question {
            Question::Thought(wanted) => Finding::Thought(Arc::new(self.think(*wanted).await)),
            Question::PrivatePlace(account) => {
                let place = self.post.private_place(&account).await;
                Finding::PrivatePlace(account, place)
            }
            Question::Member(account, places) => {
                let found = self.member_of(&places, &account).await;
                Finding::Member(account, found)
            }
            Question::KeepsOrder(account, place) => {
                let found = self.post.keeps_order(&place, &account).await;
                Finding::KeepsOrder(account, place, found)
            }
        }
    }

    async fn think(&self, wanted: ThoughtWanted) -> Thinking {
        let ThoughtWanted { place, table, position, game, asked, waiting } = wanted;
        let think = move |players: &mut Players, budget: &Budget<'_>| {
            // The same position gives the same hint.
            let mut numbers = Numbers::new(position);
            players.of(game, Level::Master)?.think(&asked, budget, &mut numbers, &mut |_| {})
        };
        let stop = Arc::new(AtomicBool::new(false));
        let thought = self.minds.thinks(&place, Urgency::Move, stop, think).await;
        let thought = thought.ok().flatten();
        Thinking { table, position, thought, _waiting: waiting }
    }

    /// The first of these places of which an account is a member, by its platform.
    pub(super) async fn member_of(
        &self,
        places: &[PlaceId],
        account: &PersonId,
    ) -> Option<PlaceId> {
        for place in places {
            if self.post.is_member(place, account).await {
                return Some(place.clone());
            }
        }
        None
    }
}
