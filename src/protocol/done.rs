//! What a press has done, in a few words for whoever pressed: enough to play on by itself.

use super::note::Note;
use super::present;
use caravanserai_games::ids::PersonId;
use caravanserai_games::words::{Arg, Text};
use caravanserai_table::Decision;
use caravanserai_table::clock::Timed;
use caravanserai_table::event::Event;
use caravanserai_table::fold::{Phase, Table};

/// What somebody is told at once of what they did: that, and what is next. Nothing in it is
/// secret, and it is left out where the board itself is the answer. `None` for what is shown in
/// another way.
pub fn done(before: &Table, decision: &Decision, person: &PersonId) -> Option<Note> {
    let next = &decision.next;
    // A game that begins with fewer seats begins.
    let begins = decision.events().any(|it| matches!(it, Event::Started { .. }));
    let counts = |it: &&Event| !(begins && matches!(it, Event::Sized { .. }));
    let mut what =
        decision.events().filter(counts).find_map(|it| deed(before, next, it, person))?;
    if let Some(then) = then(before, next, person) {
        what = joined(what, then);
    }
    let text = Text::new("done-told").with("what", what);
    Some(present::named(next, Note { passing: true, ..Note::brief(text) }))
}

/// What somebody is told whose wish is being posted for everybody: the table they opened, the board
/// they wanted below.
pub fn posted(what: &'static str) -> Vec<Note> {
    let text = Text::new("done-told").with("what", Text::new(what));
    vec![Note { passing: true, posts: true, ..Note::brief(text) }]
}

fn joined(first: Arg, second: impl Into<Arg>) -> Arg {
    Text::new("done-and").with("first", first).with("second", second).into()
}

/// The first thing that somebody did, in words.
fn deed(before: &Table, next: &Table, event: &Event, person: &PersonId) -> Option<Arg> {
    let own = |who: &PersonId| who == person;
    let key = match event {
        Event::Stepped { seat, token } => return stepped(before, next, *seat, token),
        Event::Seated { person, .. } if own(person) => "done-joined",
        Event::Seated { .. } | Event::Invited { .. } | Event::Dismissed { .. } => "done-seats",
        Event::Kicked { .. } | Event::Excused { .. } => "done-seats",
        Event::Shifted { .. } | Event::Sized { .. } => "done-seats",
        Event::Left { .. } => "done-left",
        Event::Varied { .. } | Event::Ordered { .. } | Event::Ruled { .. } => "done-settled",
        Event::Public { .. } => "done-settled",
        Event::Started { .. } => "done-started",
        Event::Back { .. } => "done-back",
        Event::Replaced { .. } | Event::Welcomed { .. } => "done-replaced",
        Event::Declined { .. } => "done-declined",
        Event::Closed { .. } if before.phase == Phase::Lobby => "done-closed",
        // The end says itself why.
        Event::Over { .. } | Event::Closed { .. } => "done-over",
        Event::Opened(_)
        | Event::Met { .. }
        | Event::Explained { .. }
        | Event::Extended
        | Event::Reminded
        | Event::Hinted { .. }
        | Event::Foreseen { .. }
        | Event::Settled { .. }
        | Event::Offered { .. }
        | Event::Agreed { .. }
        | Event::Proposed { .. }
        | Event::Moved { .. }
        | Event::Attached(_)
        | Event::Detached { .. }
        | Event::Came { .. }
        | Event::Same { .. }
        | Event::Promised(_)
        | Event::Next { .. }
        | Event::Parted(_) => return None,
        Event::Time(timed) => timed_deed(timed)?,
    };
    Some(Text::new(key).into())
}

/// What somebody did about time.
fn timed_deed(timed: &Timed) -> Option<&'static str> {
    match timed {
        Timed::Settled(_) | Timed::Helper(_) => Some("done-settled"),
        Timed::Returned { .. } | Timed::Home { .. } => Some("done-returned"),
        Timed::Nudged { .. } => Some("done-nudged"),
        Timed::Paused => Some("done-paused"),
        Timed::Resumed => Some("done-resumed"),
        Timed::Runs(_)
        | Timed::Credited { .. }
        | Timed::Late { .. }
        | Timed::Gone { .. }
        | Timed::Vacation { .. } => None,
    }
}

/// A step by the label of its button, and what the game says came of it.
fn stepped(before: &Table, next: &Table, seat: u8, token: &str) -> Option<Arg> {
    let seat = caravanserai_games::rules::Seat(seat);
    let choices = before.game.as_deref()?.choices(seat);
    let label = choices.into_iter().find(|it| it.token == token)?.label;
    next.game.as_deref()?.done(seat, label).into_iter().reduce(joined)
}

/// Whose turn it is then, or how it ended.
fn then(before: &Table, next: &Table, person: &PersonId) -> Option<Text> {
    match &next.phase {
        Phase::Over { scores, reason } => Some(present::result(next, scores, *reason)),
        Phase::Playing => {
            let turn = next.turn()?;
            let name = |key: &'static str| Text::new(key).with("name", Arg::Seat(turn));
            Some(if next.played_by(turn).is_some() {
                name("computer-thinks")
            } else if next.seats_of(person).any(|it| it == turn) && !next.is_solo() {
                Text::new("done-your-turn")
            } else {
                name("done-turn")
            })
        }
        Phase::Lobby => None,
        Phase::Closed { .. } => (before.phase == Phase::Playing).then(|| Text::new("done-closed")),
    }
}
