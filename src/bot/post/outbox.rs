//! What is decided and not yet said. An entry is stored with what makes it necessary and removed
//! only after the platform took the message, so a crash in between says it again: an edit shows
//! the same, and a post carries a nonce for platforms that know copies.

use std::collections::BTreeMap;

use super::films::Reviewing;
use super::{PAGE, Post};
use crate::ledger::profiles::PlaceProfile;
use crate::ledger::rows::{BoardTask, CallTask, cut, parse};
use crate::ledger::{Failure, keys};
use crate::minds::{Film, Progress, Review};
use caravanserai_games::ids::{MessageId, PersonId, PlaceId, TableId};
use caravanserai_protocol::Platform;
use caravanserai_protocol::note::Note;
use caravanserai_store::{Put, Read, Row, Space};

/// What one call says, with all entries it settles.
pub(super) struct Work {
    /// Which turn it is in: `<kind> <table or update>`.
    pub(super) name: String,
    pub(super) entries: Vec<String>,
    pub(super) task: Task,
}

/// What is sent side by side in a place: a board does not wait for a hand, nor a hand for a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Lane {
    /// What everybody reads.
    Everybody,
    /// Hands.
    Hands,
}

impl Lane {
    /// Whether an entry of this turn belongs here.
    fn takes(self, turn: &str) -> bool {
        turn.starts_with("h ") == (self == Lane::Hands)
    }
}

/// What is to be said.
pub(super) enum Task {
    Board(TableId, BoardTask),
    Removal(TableId, Vec<MessageId>),
    Hand(TableId, u8),
    Call(TableId, CallTask),
    Replay(TableId, Option<std::sync::Arc<Vec<u8>>>),
    Review(TableId, Review),
    Progress(TableId, Reviewing),
    List(PersonId),
    Note(Option<Box<Note>>),
}

/// What a place is told next.
pub(super) enum Next {
    /// Nothing is left to say, or it is still being made.
    Nothing,
    /// Something waits, and nothing may be said there at the moment.
    Quiet,
    /// Something waits, and another process has the chat for itself.
    Elsewhere,
    /// What waits is not urgent, and there is little to spend.
    Later,
    /// This, to a chat of which this is remembered.
    Work(Box<Work>, Box<PlaceProfile>),
}

/// Entries of one kind and table.
type Turns = BTreeMap<String, Vec<Row>>;

impl Post {
    /// What this place is told next. Tables take turns: the one after `last` comes first, so that
    /// a fast game does not keep the others waiting; and between any two other things comes a
    /// board, if one waits.
    pub(super) async fn next(
        &self,
        place: &PlaceId,
        platform: &dyn Platform,
        lane: Lane,
        last: &str,
    ) -> Result<Next, Failure> {
        let prefix = format!("{} ", place.0);
        let reads = [
            Read::scan(Space::Outbox, &*prefix, PAGE),
            Read::value(Space::Meta, keys::mute(place)),
            Read::value(Space::Place, place.chat()),
        ];
        let mut found = self.ledger.read(&reads).await?.into_iter();
        let mut next = || found.next().expect("each question has its answer");
        let (rows, mute, profile) = (next().rows()?, next().value()?, next().value()?);
        let own: PlaceProfile = parse(profile);
        if !rows.is_empty() && (mute.is_some() || own.gone) {
            return Ok(Next::Quiet);
        }
        // Before anything is made for it: what takes a while is made by one process.
        if !rows.is_empty() && !self.has_chat(place, platform).await? {
            return Ok(Next::Elsewhere);
        }
        let profile =
            if rows.is_empty() { own } else { self.ledger.inherited(own).await?.resolved() };
        let (mut turns, mut others) = (Turns::new(), false);
        for (key, value) in rows {
            let turn = turn_of(&key[prefix.len()..]);
            if lane.takes(&turn) {
                turns.entry(turn).or_default().push((key, value));
            } else if lane == Lane::Everybody {
                others = true;
            }
        }
        if others {
            self.wake_lane(place, Lane::Hands);
        }
        let waits = lane == Lane::Hands && !turns.is_empty();
        Ok(match self.first_ready(place, &profile, turns, last).await? {
            Some(work) => Next::Work(Box::new(work), Box::new(profile)),
            None if waits => Next::Later,
            None => Next::Nothing,
        })
    }

    /// The first of these turns that is not still being made.
    async fn first_ready(
        &self,
        place: &PlaceId,
        profile: &PlaceProfile,
        turns: Turns,
        last: &str,
    ) -> Result<Option<Work>, Failure> {
        let mut ordered = in_turn(turns, last);
        self.urgent_first(place, &mut ordered).await?;
        for (name, rows) in ordered {
            let task = match name.split_once(' ').unwrap_or((&name, "")) {
                ("r", table) => {
                    let table = TableId(table.to_owned());
                    match self.minds.film(place, &table, &profile.reads()) {
                        Film::Drawing => continue,
                        Film::Drawn(file) => Task::Replay(table, file),
                    }
                }
                ("v", table) => {
                    let table = TableId(table.to_owned());
                    match self.minds.review(place, &table).await? {
                        Progress::Made(review) => Task::Review(table, review),
                        Progress::Making(made) => match self.to_tell(place, &table, made).await? {
                            // What was asked for stands there until it is made.
                            Some(told) => {
                                let task = Task::Progress(table, told);
                                return Ok(Some(Work { name, entries: Vec::new(), task }));
                            }
                            None => continue,
                        },
                    }
                }
                (kind, of) => task(kind, of, &rows),
            };
            let entries = rows.into_iter().map(|(key, _)| key).collect();
            return Ok(Some(Work { name, entries, task }));
        }
        Ok(None)
    }

    /// Of hands, those of seats on turn come first, and the others only while there is plenty to
    /// spend: what they wait for, the board shows.
    async fn urgent_first(
        &self,
        place: &PlaceId,
        turns: &mut Vec<(String, Vec<Row>)>,
    ) -> Result<(), Failure> {
        let mut urgent = Vec::with_capacity(turns.len());
        for (name, rows) in std::mem::take(turns) {
            let is_urgent = match name.strip_prefix("h ").and_then(|it| it.split_once(':')) {
                None => true,
                Some((table, seat)) => {
                    let table = self.ledger.look(&TableId(table.to_owned())).await?;
                    table.is_none_or(|it| {
                        it.turn().is_some_and(|turn| turn.to_string() == seat) || !it.is_open()
                    })
                }
            };
            urgent.push((is_urgent, (name, rows)));
        }
        let plenty = self.has_plenty(place);
        urgent.retain(|(is_urgent, _)| *is_urgent || plenty);
        urgent.sort_by_key(|(is_urgent, _)| !is_urgent);
        *turns = urgent.into_iter().map(|(_, turn)| turn).collect();
        Ok(())
    }

    /// Removes entries and stores what came of them.
    pub(super) async fn settle(
        &self,
        entries: Vec<String>,
        mut puts: Vec<Put>,
    ) -> Result<(), Failure> {
        puts.extend(said(entries));
        self.ledger.keep(puts).await
    }
}

/// Removes entries whose messages stand.
pub(super) fn said(entries: Vec<String>) -> impl Iterator<Item = Put> {
    entries.into_iter().map(|key| cut(Space::Outbox, key))
}

/// What entries of one turn have said.
fn task(kind: &str, of: &str, rows: &[Row]) -> Task {
    let newest = rows.last().map(|(_, value)| value.clone());
    match kind {
        "b" => {
            let wanted = |(_, it): &Row| parse::<BoardTask>(Some(it.clone()));
            let down = rows.iter().any(|row| wanted(row).down);
            let asked = rows.iter().rev().find_map(|row| wanted(row).asked);
            let page = rows.last().map_or(0, |row| wanted(row).page);
            Task::Board(TableId(of.to_owned()), BoardTask { down, asked, page })
        }
        "x" => {
            let message = |(_, it): &Row| MessageId(parse(Some(it.clone())));
            Task::Removal(TableId(of.to_owned()), rows.iter().map(message).collect())
        }
        "h" => {
            let (table, seat) = of.split_once(':').unwrap_or((of, ""));
            // An entry that cannot be read concerns no seat and is dropped.
            Task::Hand(TableId(table.to_owned()), seat.parse().unwrap_or(u8::MAX))
        }
        "g" => Task::List(PersonId(of.to_owned())),
        "c" => Task::Call(TableId(of.to_owned()), parse(newest)),
        _ => Task::Note(parse(newest)),
    }
}

/// All turns, beginning after the last one. Whatever came last, a board comes next, unless it was
/// one: then something else, if it waits.
fn in_turn(mut turns: Turns, last: &str) -> Vec<(String, Vec<Row>)> {
    let mut later: Vec<(String, Vec<Row>)> = turns.split_off(last).into_iter().collect();
    if later.first().is_some_and(|(name, _)| name == last) {
        let own = later.remove(0);
        turns.insert(own.0, own.1);
    }
    later.extend(turns);
    let was_board = is_board(last);
    later.sort_by_key(|(name, _)| is_board(name) == was_board);
    later
}

fn is_board(name: &str) -> bool {
    name.starts_with("b ")
}

/// The kind and the table, or the kind and the update: entries alike are said together.
fn turn_of(key: &str) -> String {
    let mut parts = key.split(' ');
    format!("{} {}", parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str], last: &str) -> Vec<String> {
        let turns = all.iter().map(|it| ((*it).to_owned(), Vec::new())).collect();
        in_turn(turns, last).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn a_board_comes_first_and_then_every_other_time() {
        let all = ["b t1", "b t2", "h t1:0", "h t1:1"];
        assert_eq!(names(&all, ""), ["b t1", "b t2", "h t1:0", "h t1:1"]);
        assert_eq!(names(&all, "b t1")[0], "h t1:0");
        assert_eq!(names(&all, "h t1:0")[0], "b t1");
        assert_eq!(names(&["b t1", "b t2"], "b t1"), ["b t2", "b t1"]);
        assert_eq!(names(&["b t1"], "b t1"), ["b t1"]);
    }
}
