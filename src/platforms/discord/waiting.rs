//! Interactions whose first answer may be the board itself: whoever edits or posts it takes one,
//! so that a press is answered with what came of it in one request.
//!
//! What nobody takes in time is answered in another way. If the process dies in between, the
//! outbox still has the board, and it is edited without the interaction.

use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::watch;

use super::answers::Asked;

/// What an interaction waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Awaits {
    /// An edit of the message whose button was pressed.
    Edit(u64),
    /// The message that comes of this update.
    Post(String),
}

/// What became of the wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Nothing yet.
    Open,
    /// It is being answered.
    Taken,
    /// The board was its answer.
    Answered,
    /// The board was not its answer, and will not be.
    Passed,
}

struct Entry {
    number: u64,
    awaits: Awaits,
    interaction: Interaction,
    outcome: watch::Sender<Outcome>,
}

/// An interaction to be answered.
#[derive(Clone, Debug)]
pub(super) struct Interaction {
    pub id: u64,
    pub token: String,
    pub user: u64,
    pub channel: u64,
}

/// All interactions that wait for a board.
#[derive(Default)]
pub(super) struct Waiting {
    entries: Mutex<(u64, Vec<Entry>)>,
}

/// One that waits, until this is dropped.
pub(super) struct Wait {
    waiting: Arc<Waiting>,
    number: u64,
    outcome: watch::Receiver<Outcome>,
}

/// One that was taken to be answered; if this is dropped it was not answered.
pub(super) struct Taken {
    waiting: Arc<Waiting>,
    awaits: Awaits,
    pub interaction: Interaction,
    outcome: watch::Sender<Outcome>,
    answered: bool,
}

impl Waiting {
    /// A press waits for the message under which it was made.
    pub fn press(self: &Arc<Self>, asked: &Asked<'_>, message: u64) -> Wait {
        self.enter(asked, Awaits::Edit(message))
    }

    /// A command waits for the message that comes of this update.
    pub fn command(self: &Arc<Self>, asked: &Asked<'_>, update: &str) -> Wait {
        self.enter(asked, Awaits::Post(update.to_owned()))
    }

    fn enter(self: &Arc<Self>, asked: &Asked<'_>, awaits: Awaits) -> Wait {
        let (sender, outcome) = watch::channel(Outcome::Open);
        let interaction = Interaction {
            id: asked.id,
            token: asked.token.to_owned(),
            user: asked.user,
            channel: asked.channel,
        };
        let mut entries = self.lock();
        entries.0 += 1;
        let number = entries.0;
        entries.1.push(Entry { number, awaits, interaction, outcome: sender });
        Wait { waiting: Arc::clone(self), number, outcome }
    }

    /// An interaction that an edit of this message can answer: the one that waits longest.
    pub fn for_edit(self: &Arc<Self>, message: u64) -> Option<Taken> {
        self.take(&Awaits::Edit(message))
    }

    /// The interaction that the message which comes of this update can answer.
    pub fn for_post(self: &Arc<Self>, update: &str) -> Option<Taken> {
        self.take(&Awaits::Post(update.to_owned()))
    }

    fn take(self: &Arc<Self>, awaits: &Awaits) -> Option<Taken> {
        let mut entries = self.lock();
        let at = entries.1.iter().position(|it| it.awaits == *awaits)?;
        let Entry { awaits, interaction, outcome, .. } = entries.1.remove(at);
        drop(entries);
        outcome.send_replace(Outcome::Taken);
        let waiting = Arc::clone(self);
        Some(Taken { waiting, awaits, interaction, outcome, answered: false })
    }

    /// This message shows the newest board, or is no more: nobody needs to wait for it.
    pub fn shown(&self, message: u64) {
        self.pass(&Awaits::Edit(message));
    }

    fn pass(&self, awaits: &Awaits) {
        for entry in self.lock().1.iter().filter(|it| it.awaits == *awaits) {
            entry.outcome.send_replace(Outcome::Passed);
        }
    }

    fn leave(&self, number: u64) {
        self.lock().1.retain(|it| it.number != number);
    }

    fn lock(&self) -> MutexGuard<'_, (u64, Vec<Entry>)> {
        self.entries.lock().expect("nothing panics under this lock")
    }
}

impl Wait {
    /// Waits until the board was the answer, or will not be; whether it was.
    pub async fn answered(&mut self) -> bool {
        let ended = |it: &Outcome| matches!(it, Outcome::Answered | Outcome::Passed);
        let outcome = self.outcome.wait_for(ended).await;
        outcome.is_ok_and(|it| *it == Outcome::Answered)
    }

    /// Waits no longer; whether the board was the answer after all.
    pub async fn given_up(mut self) -> bool {
        self.waiting.leave(self.number);
        let now = *self.outcome.borrow();
        match now {
            Outcome::Open | Outcome::Passed => false,
            Outcome::Answered => true,
            Outcome::Taken => self.answered().await,
        }
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        self.waiting.leave(self.number);
    }
}

impl Taken {
    /// The board was its answer. Others who wait for the same message see it too.
    pub fn answered(mut self) {
        self.answered = true;
        self.outcome.send_replace(Outcome::Answered);
        self.waiting.pass(&self.awaits);
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        if !self.answered {
            self.outcome.send_replace(Outcome::Passed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(id: u64) -> Asked<'static> {
        Asked { id, token: "t", user: 1, channel: 2 }
    }

    #[tokio::test]
    async fn the_board_answers_one_press_and_the_others_need_not_wait() {
        let waiting = Arc::new(Waiting::default());
        let (first, mut second) = (waiting.press(&asked(1), 9), waiting.press(&asked(2), 9));
        let _elsewhere = waiting.press(&asked(3), 8);
        let taken = waiting.for_edit(9).expect("two wait");
        assert_eq!(taken.interaction.id, 1);
        taken.answered();
        assert!(first.given_up().await);
        assert!(!second.answered().await, "it sees the board as well");
        drop(second);
        assert!(waiting.for_edit(9).is_none());
        assert!(waiting.for_edit(8).is_some());
    }

    #[tokio::test]
    async fn who_gives_up_while_being_answered_hears_how_it_went() {
        let waiting = Arc::new(Waiting::default());
        let press = waiting.press(&asked(1), 9);
        let taken = waiting.for_edit(9).expect("one waits");
        let given_up = tokio::spawn(press.given_up());
        drop(taken);
        assert!(!given_up.await.expect("it ends"), "the call failed");
        let command = waiting.command(&asked(4), "dc/4");
        assert!(waiting.for_post("dc/5").is_none());
        assert!(waiting.for_post("dc/4").is_some());
        drop(command);
    }
}
