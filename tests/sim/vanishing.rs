//! Places that are no more, for good: topics, groups, accounts. Once the bot was told, no table
//! stands there any more, and nobody waits for whoever had the account.

use std::collections::BTreeMap;

use super::Sim;
use super::chats::Kind;
use super::goings::At;
use super::people::{Act, Soul, anew};
use super::world::{World, lock};
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind};
use caravanserai_protocol::{Chat, Departure, Update, UpdateKind};
use caravanserai_table::state::{Table, TablePhase};

/// An update about a place that is no more, while the bot acts on it.
pub struct Vanishing {
    place: PlaceId,
    told: Told,
}

/// How things were when the bot was told that a place is no more.
struct Told {
    at_ms: u64,
    /// How often the store had failed.
    troubles: u64,
    /// Tables that stood in a private chat, and who played there.
    played: Vec<At>,
}

/// The places of which the bot was told that they are no more, by whichever way.
#[derive(Default)]
pub struct Vanished(BTreeMap<PlaceId, Told>);

impl Vanished {
    /// A process is about to act on an update; what of it is to be watched, if it is such a one.
    pub fn begins(world: &World, update: &Update) -> Option<Vanishing> {
        let gone = matches!(update.kind, UpdateKind::ChatDeleted);
        let place = &update.chat.id;
        gone.then(|| Vanishing { place: place.clone(), told: told(world, place) })
    }

    /// The bot has acted on it.
    pub fn ended(&mut self, vanishing: Vanishing) {
        self.0.insert(vanishing.place, vanishing.told);
    }

    /// A process was killed: what it was told it may not have acted on.
    pub fn killed(&mut self) {
        self.0.clear();
    }

    /// A call was answered so: the bot is about to act on that.
    pub fn answered(&mut self, world: &World, place: &PlaceId) {
        if !self.0.contains_key(place) {
            self.0.insert(place.clone(), told(world, place));
        }
    }

    /// A table that stands in such a place, or waits for whoever played from there.
    pub fn wrong(&mut self, world: &World) -> Option<String> {
        // What failed may have been left as it was: the next call tells it again.
        self.0.retain(|_, told| told.troubles == world.store_troubles());
        let (truth, goings) = (lock(&world.truth), lock(&world.goings));
        let open = || truth.tables.values().map(|it| &it.table).filter(|it| it.is_open());
        self.0.iter().find_map(|(place, told)| {
            if let Some(table) = open().find(|it| it.location_in(place).is_some()) {
                return Some(format!(
                    "table {} stands in {}, which is no more",
                    table.id.0, place.0
                ));
            }
            let mut played = told.played.iter();
            played.find_map(|at @ (id, who)| {
                let table = &truth.tables.get(id)?.table;
                let from_there = table.chat_of(who)?.platform() == place.platform();
                // Somebody may have a second account, and play on with that.
                let is_here = goings.has_acted(at, told.at_ms);
                (from_there && !is_here && is_waited_for(table, who))
                    .then(|| format!("table {id} waits for {}, whose account is no more", who.0))
            })
        })
    }
}

fn told(world: &World, place: &PlaceId) -> Told {
    let truth = lock(&world.truth);
    let open = truth.tables.iter().filter(|(_, told)| told.table.is_open());
    let played = open.filter_map(|(id, told)| {
        let reader = told.table.location_in(place)?.reader?;
        Some((id.clone(), reader.clone()))
    });
    Told { at_ms: world.steady_ms(), troubles: world.store_troubles(), played: played.collect() }
}

/// Whether a table waits for somebody, or keeps them a seat for a game.
fn is_waited_for(table: &Table, who: &PersonId) -> bool {
    let mut seats = table.seats_of(who);
    let is_here = |seat| !table.is_away(seat) && table.departure_of(seat).is_none();
    match table.phase {
        TablePhase::Lobby => seats.next().is_some(),
        TablePhase::Playing => table.people_seats().len() > 1 && seats.any(is_here),
        TablePhase::Over { .. } | TablePhase::Closed { .. } => false,
    }
}

impl Sim {
    /// A topic, a group or an account is no more; there are others afterwards.
    pub(super) fn vanish(&mut self) {
        let n = self.chance.below(self.souls.len() as u64) as usize;
        let Some(soul) = self.souls.get(n).cloned() else { return };
        let is =
            |kind, topic: bool| move |it: &&Chat| it.kind == kind && it.id.0.contains('/') == topic;
        match self.chance.below(3) {
            0 => {
                let Some(place) = soul.places.iter().find(is(PlaceKind::Group, true)) else {
                    return;
                };
                self.world.count("topics that are no more");
                self.delete(&soul, place, place.id.clone());
            }
            1 => {
                let groups: Vec<&Chat> =
                    soul.places.iter().filter(|it| it.kind == PlaceKind::Group).collect();
                let Some(place) = self.chance.pick(&groups).copied() else { return };
                self.world.count("groups that are no more");
                self.delete(&soul, place, PlaceId(place.id.chat().to_owned()));
            }
            _ => self.delete_account(n),
        }
    }

    /// This place and what is below it are no more; people meet in a new one.
    fn delete(&mut self, soul: &Soul, place: &Chat, gone: PlaceId) {
        self.updates += 1;
        let platform = gone.platform().to_owned();
        let number = self.updates;
        let renamed = |at: &PlaceId| -> Option<PlaceId> {
            if *at == gone && at.0.contains('/') {
                return Some(PlaceId(format!("{}/{number}", at.chat())));
            }
            let topic = at.0.split_once('/').map_or(String::new(), |it| format!("/{}", it.1));
            (at.chat() == gone.0).then(|| PlaceId(format!("{platform}:-{}{topic}", 1_000 + number)))
        };
        self.world.note(|| format!("{} is no more", gone.0));
        let mut chats = lock(&self.world.chats);
        chats.vanished.insert(gone.clone());
        chats.places.retain(|at, _| *at != gone && at.chat() != gone.0);
        let is_closed = chats.closed.contains(gone.chat());
        drop(chats);
        self.rename_places(renamed);
        // Not every platform tells it, and none to whom it has sent away.
        if Kind::named(&platform).is_some_and(|it| it.tells_deletions) && !is_closed {
            let place = Chat { id: gone, ..place.clone() };
            let person = soul.person.clone();
            let update = self.update(Act { person, place, body: UpdateKind::ChatDeleted });
            self.deliver(update, 10);
        }
    }

    /// Somebody deletes their account; somebody new comes to the same groups.
    fn delete_account(&mut self, n: usize) {
        self.updates += 1;
        let number = self.updates;
        let Some(soul) = self.souls.get_mut(n) else { return };
        let Some(private) = soul.private().map(|it| it.id.clone()) else { return };
        let gone = std::mem::replace(soul, anew(soul, number));
        self.world.count("accounts that are no more");
        self.world.note(|| format!("the account {} is no more", gone.person.id.0));
        let mut chats = lock(&self.world.chats);
        chats.places.remove(&private);
        chats.told.remove(&gone.person.id);
        chats.vanished.insert(private);
        drop(chats);
        let who = gone.person.id.clone();
        for place in gone.places.iter().filter(|it| it.kind == PlaceKind::Group) {
            // Not every platform tells it.
            if self.chance.happens(500) {
                let (person, place) = (gone.person.clone(), place.clone());
                self.does(
                    Act {
                        person,
                        place,
                        body: UpdateKind::MemberLeft { who: who.clone(), how: Departure::Left },
                    },
                    10,
                );
            }
        }
    }
}
