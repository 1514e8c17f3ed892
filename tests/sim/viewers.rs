//! Simulates people who only look: live boards on the page, replays, lists of their tables,
//! suggestions while they type, repeated private answers. Also people of other platforms who have
//! signed in in a browser and press buttons there.

use std::sync::Arc;

use futures::FutureExt;
use serde::Serialize;
use serde_json::Value;

use super::Sim;
use super::chats::Alone;
use super::fault_rates::Trouble;
use super::people::{Act, Soul, words};
use super::processes::{Life, Process, tell};
use super::screens::is_hidden;
use super::secrets::{Rights, readable, seen};
use super::world::{Sender, World};
use caravanserai_bot::service::Service;
use caravanserai_games::GameId;
use caravanserai_games::ids::{PersonId, PlaceId, TableId};
use caravanserai_games::text::RichText;
use caravanserai_protocol::guest_service::{Guest, GuestService, SignInProof};
use caravanserai_protocol::view::View;
use caravanserai_protocol::{
    AppLink, ArgumentSuggestions, Chat, InlineQueries, OutgoingMessage, Person, PictureLayout,
    PictureRequest, ReplyRenderer, StateQueries, StateQuery, Update, ViewerPage, ViewerPageState,
};
use caravanserai_table::state::{Location, Table, TablePhase};

/// Per thousand steps: a person looks at something.
const OFTEN_LOOKED: u64 = 120;

/// Per thousand: a person looks in a browser.
const OFTEN_IN_BROWSERS: u64 = 350;

/// The number of open browsers, and of private answers that are kept to be shown again.
const KEPT: usize = 40;

/// The number of tables that are checked when the world is at rest.
const LOOKED_AT: usize = 4;

/// The most steps since a board on the page was last updated.
const SINCE_MAX: u64 = 6;

/// Commands whose arguments are completed while a person types.
const ARGUMENTS: [&str; 8] =
    ["move", "bring", "private", "stop", "togyz", "clock", "vacation", "games"];

/// The text after the name of a game in an inline query.
const POSED: [&str; 4] = ["", " computer", " players=2", "ꙮ"];

/// A browser in which a person is signed in.
#[derive(Clone, Debug)]
struct Browser {
    account: PersonId,
    mark: String,
}

/// A private answer that may be shown again.
#[derive(Clone)]
struct Kept {
    person: Person,
    place: Chat,
    note: View,
}

/// Browsers and private answers, which outlive processes.
#[derive(Clone, Default)]
pub struct Desks {
    browsers: Arc<parking_lot::Mutex<Vec<Browser>>>,
    notes: Arc<parking_lot::Mutex<Vec<Kept>>>,
}

impl Desks {
    /// Keeps a private answer.
    pub fn keep(&self, update: &Update, note: Option<&View>) {
        let Some(note) = note.cloned() else { return };
        let (person, place) = (update.person.clone(), update.chat.clone());
        put(&self.notes, Kept { person, place, note });
    }
}

fn put<T>(all: &parking_lot::Mutex<Vec<T>>, one: T) {
    let mut all = all.lock();
    if all.len() == KEPT {
        all.remove(0);
    }
    all.push(one);
}

/// Something that a person looks at.
enum Glance {
    State(Chat, TableId, StateQuery),
    Show(Chat, ViewerPage),
    Own(Chat),
    Suggested(Chat, &'static str, String),
    Offered(String),
    Again(Box<Kept>, bool),
    In(Browser, Box<Aim>),
    Enters { code: String, mark: String },
}

/// An action of a person in a browser.
enum Aim {
    Sees(TableId, StateQuery),
    Shows(ViewerPage),
    Tables,
    Changed(TableId),
    Presses { table: TableId, key: String, n: u64, twice: bool },
    Leaves,
}

/// A person who looks, and the process that they use.
struct Eye {
    world: Arc<World>,
    service: Service,
    life: Arc<Life>,
    desks: Desks,
    person: Person,
}

impl Sim {
    /// Sometimes lets a person look at something.
    pub(super) fn look_around(&mut self) {
        if !self.world.happens(Trouble::Looks) || !self.curious.happens(OFTEN_LOOKED) {
            return;
        }
        let Some(soul) = self.curious.pick(&self.souls).cloned() else { return };
        let in_browser = self.curious.happens(OFTEN_IN_BROWSERS);
        let (person, glance) = match in_browser {
            true => match self.in_browser(&soul) {
                Some(found) => found,
                None => return,
            },
            false => match self.glance(&soul) {
                Some(glance) => (soul.person, glance),
                None => return,
            },
        };
        let late_ms = self.curious.between(0, 300);
        let Some(Process { life, service }) = self.curious.pick(&self.processes) else { return };
        let (world, service, life) = (self.world.clone(), service.clone(), life.clone());
        let viewer = Eye { world, service, life, desks: self.desks.clone(), person };
        tokio::spawn(async move {
            viewer.world.time.sleep(late_ms).await;
            viewer.life.goes_on().await;
            viewer.look(glance).await;
        });
    }

    fn table(&self) -> Option<TableId> {
        let truth = self.world.truth.lock();
        let all: Vec<&String> = truth.tables.keys().collect();
        self.curious.pick(&all).map(|it| TableId((*it).clone()))
    }

    fn state_query(&self, table: &TableId) -> StateQuery {
        let chance = &self.curious;
        let truth = self.world.truth.lock();
        let moment = truth.tables.get(&table.0).map_or(0, |it| it.table.history.position);
        let since = chance.happens(400).then(|| moment.saturating_sub(chance.below(SINCE_MAX)));
        let page = chance.happens(500).then(|| chance.below(3) as u8);
        StateQuery { since, page, picture: PictureRequest::draw_if(chance.happens(500)) }
    }

    fn show(&self) -> Option<ViewerPage> {
        let chance = &self.curious;
        let table = self.table()?;
        let from = chance.below(8) as u32;
        let seat = chance.happens(300).then(|| chance.below(4) as u8);
        Some(match chance.below(10) {
            0..6 => ViewerPage::Replay { table, from, seat },
            6..8 => ViewerPage::Review { table, step: None },
            _ => {
                let game = chance.pick(GameId::all())?.info().code.to_owned();
                ViewerPage::Lesson { game, page: "trick".to_owned(), tried: None }
            }
        })
    }

    fn glance(&self, soul: &Soul) -> Option<Glance> {
        let chance = &self.curious;
        let place = chance.pick(&soul.places)?.clone();
        Some(match chance.below(100) {
            0..45 => {
                let table = self.table()?;
                let looking = self.state_query(&table);
                Glance::State(place, table, looking)
            }
            45..58 => Glance::Show(place, self.show()?),
            58..68 => Glance::Own(place),
            68..80 => {
                let typed = chance.pick(&["", "K", "1"])?;
                Glance::Suggested(place, chance.pick(&ARGUMENTS)?, (*typed).to_owned())
            }
            80..90 => {
                let (game, more) = (chance.pick(GameId::all())?, chance.pick(&POSED)?);
                let typed = format!("{}{more}", game.info().command);
                Glance::Offered(if chance.happens(200) { String::new() } else { typed })
            }
            _ => {
                let kept = chance.pick(&self.desks.notes.lock())?.clone();
                Glance::Again(Box::new(kept), chance.happens(300))
            }
        })
    }

    /// A person acts in a browser, signs in with a link that they got, or requests one.
    fn in_browser(&mut self, soul: &Soul) -> Option<(Person, Glance)> {
        if let Some(code) = self.link_of(soul) {
            self.updates += 1;
            let mark = format!("mark{}", self.updates);
            return Some((soul.person.clone(), Glance::Enters { code, mark }));
        }
        let browser = self.curious.pick(&self.desks.browsers.lock()).cloned();
        let found = browser.filter(|_| self.curious.happens(850));
        let Some(browser) = found else {
            let place = soul.private()?.clone();
            let text = match self.table().filter(|_| self.curious.happens(700)) {
                Some(table) => format!("/web {}", table.0),
                None => "/web".to_owned(),
            };
            let (person, body) = (soul.person.clone(), words(&text));
            self.send_update(Act { person, place, body }, 0);
            return None;
        };
        let person = self.souls.iter().find(|it| it.person.id == browser.account)?.person.clone();
        let table = self.table()?;
        let aim = match self.curious.below(100) {
            0..30 => Aim::Sees(table.clone(), self.state_query(&table)),
            30..40 => Aim::Shows(self.show()?),
            40..48 => Aim::Tables,
            48..55 => Aim::Changed(table),
            55..97 => {
                self.updates += 1;
                let (key, n) = (self.updates.to_string(), self.curious.bits());
                Aim::Presses { table, key, n, twice: self.curious.happens(150) }
            }
            _ => Aim::Leaves,
        };
        Some((person, Glance::In(browser, Box::new(aim))))
    }

    /// The newest sign-in link that a person got privately and has not used.
    fn link_of(&mut self, soul: &Soul) -> Option<String> {
        let chats = self.world.chats.lock();
        let told = chats.told.get(&soul.person.id).into_iter().flatten().rev();
        let code = told.filter_map(|it| code_in(&it.message)).next()?;
        drop(chats);
        self.entered.insert(code.clone()).then_some(code)
    }

    /// Checks at rest that people see the state of the log, in every process.
    pub(super) async fn everybody_sees(&self) {
        if !self.world.happens(Trouble::Looks) {
            return;
        }
        for Process { service, .. } in &self.processes {
            for _ in 0..LOOKED_AT {
                self.check_what_a_person_sees(service).await;
            }
        }
    }

    async fn check_what_a_person_sees(&self, service: &Service) {
        let Some(soul) = self.curious.pick(&self.souls) else { return };
        let Some((place, id, version)) = self.table_seen(soul) else { return };
        let rights = Rights::of(&self.world, &soul.person.id);
        let looking = StateQuery { picture: PictureRequest::Draw, ..StateQuery::default() };
        let who = self.world.between.looker(&soul.person.id);
        let looker = Person { id: who, ..soul.person.clone() };
        let state = json_of(service.table_state(&place, &looker, &id, looking).await);
        let person = self.world.behind(&soul.person.id);
        let truth = self.world.truth.lock();
        let tracked = truth.tables.get(&id.0);
        // A deadline may have changed the table meanwhile.
        let Some(tracked) = tracked.filter(|it| it.table.version == version) else { return };
        let wrong = match &state {
            None => Some("sees nothing".to_owned()),
            Some(state) => differs(&tracked.table, &person, state),
        };
        drop(truth);
        if let Some(wrong) = wrong {
            let (who, at) = (&soul.person.id.0, &place.id.0);
            self.world.broke(format!("{who} looks at {} in {at} and {wrong}", id.0));
        }
        self.world.count("looks at boards at rest");
        seen(&self.world, &soul.person.id, &rights, &state.unwrap_or_default());
    }

    /// A table in a place of a person that they may see there, and its version.
    fn table_seen(&self, soul: &Soul) -> Option<(Chat, TableId, u64)> {
        let person = self.world.behind(&soul.person.id);
        let chats = self.world.chats.lock();
        let truth = self.world.truth.lock();
        let open = |it: &&Chat| chats.is_open(&it.id);
        let mut all = Vec::new();
        for place in soul.places.iter().filter(open) {
            for tracked in truth.tables.values().filter(|it| it.table.is_open()) {
                let location = tracked.table.chats.location_in(&place.id);
                let sits = tracked.table.seating.seats_of(&person).next().is_some();
                let may_see = sits || !is_hidden(&tracked.table, &place.id);
                let reads = |it: Location<'_>| it.reader.is_none_or(|reader| *reader == person);
                if may_see && location.is_some_and(reads) {
                    all.push((place, &tracked.table));
                }
            }
        }
        let (place, table) = *self.curious.pick(&all)?;
        Some((place.clone(), table.id.clone(), table.version))
    }
}

/// The first difference between what a person sees of a table and the log.
fn differs(table: &Table, person: &PersonId, state: &str) -> Option<String> {
    let state: Value = match serde_json::from_str(state) {
        Ok(state) => state,
        Err(error) => return Some(format!("cannot read it: {error}")),
    };
    let playing = table.phase == TablePhase::Playing;
    let own: Vec<u64> = table.seating.seats_of(person).map(u64::from).collect();
    let phase = match table.phase {
        TablePhase::Lobby => "lobby",
        TablePhase::Playing => "playing",
        TablePhase::Over { .. } => "over",
        TablePhase::Closed { .. } => "closed",
    };
    let mut pairs = vec![
        ("change", state["change"].clone(), Value::from(table.version)),
        ("moment", state["moment"].clone(), Value::from(table.history.position)),
        ("phase", state["phase"].clone(), Value::from(phase)),
        ("turn", state["turn"].clone(), Value::from(table.seat_to_move())),
    ];
    let yours = state["seats"].as_array().map(|all| {
        let own = (0..).zip(all).filter(|(_, it)| it["you"] == true).map(|it: (u64, _)| it.0);
        own.collect::<Vec<_>>()
    });
    pairs.push(("seats", Value::from(yours), Value::from(Some(own.clone()))));
    let wrong = pairs.iter().find(|(_, seen, expected)| seen != expected);
    if let Some((what, seen, expected)) = wrong {
        return Some(format!("sees {what} {seen}, where the log says {expected}"));
    }
    let turn = table.seat_to_move().is_some_and(|it| own.contains(&u64::from(it)));
    let may = state["actions"].as_array().is_some_and(|it| !it.is_empty());
    (may && !(playing && turn)).then(|| "may act although it is not their turn".to_owned())
}

/// The code of a sign-in link, if the message has one.
fn code_in(message: &OutgoingMessage) -> Option<String> {
    message.buttons.iter().flatten().find_map(|it| match &it.opens {
        Some(AppLink::Link(link)) => Some(link.split_once("#in=")?.1.to_owned()),
        _ => None,
    })
}

impl Eye {
    async fn look(&self, glance: Glance) {
        let rights = Rights::of(&self.world, &self.person.id);
        let id = self.world.between.looker(&self.person.id);
        let person = Person { id, ..self.person.clone() };
        let (what, told) = match glance {
            Glance::State(place, table, looking) => {
                let told = self.service.table_state(&place, &person, &table, looking).await;
                ("looks at boards", json_of(told))
            }
            Glance::Show(place, look) => {
                let told = self.shown(
                    &look,
                    self.service.viewer_page(&place, &person, look.clone(), PictureLayout::Wide),
                );
                ("looks at games", told.await)
            }
            Glance::Own(place) => {
                ("looks at lists", json_of(self.service.own_tables(&place, &person).await))
            }
            Glance::Suggested(place, command, typed) => {
                let told = self.service.suggest_arguments(&place, &person, command, &typed).await;
                let ids = self.hidden_at(&place.id);
                ("looks at offers", Some(format!("{ids} {told:?}")))
            }
            Glance::Offered(typed) => {
                let told = self.service.inline_results(&person, &typed).await;
                let one = self.service.mention_reply(&person, &typed).await;
                ("looks at offers", Some(format!("{told:?} {one:?}")))
            }
            Glance::Again(kept, passing) => {
                return self.again(*kept, passing).await;
            }
            Glance::In(browser, aim) => return self.in_browser(browser, *aim).await,
            Glance::Enters { code, mark } => return self.sign_in_with(code, mark).await,
        };
        self.has_seen(what, &self.person.id, &rights, told).await;
    }

    async fn has_seen(
        &self,
        what: &'static str,
        account: &PersonId,
        rights: &Rights,
        text: Option<String>,
    ) {
        self.life.goes_on().await;
        let text = text.unwrap_or_default();
        self.world.note(|| {
            let begins: String = text.chars().take(120).collect();
            format!("{what}: {} {begins}", account.0)
        });
        self.world.count(what);
        seen(&self.world, account, rights, &text);
    }

    /// The shown part of a game; dropped unless the first deal is still in play, because finished
    /// deals may be seen and cannot be told apart.
    async fn shown(
        &self,
        look: &ViewerPage,
        shown: impl Future<Output = Option<ViewerPageState>>,
    ) -> Option<String> {
        let (ViewerPage::Replay { table, .. } | ViewerPage::Review { table, .. }) = look else {
            return json_of(shown.await);
        };
        let is_first = || {
            let truth = self.world.truth.lock();
            truth.tables.get(&table.0).is_some_and(|it| it.known.is_first_deal())
        };
        let before = is_first();
        let text = json_of(shown.await);
        text.filter(|_| before && is_first())
    }

    /// The code of the only table in a place with hidden cards.
    fn hidden_at(&self, place: &PlaceId) -> String {
        let truth = self.world.truth.lock();
        let here = truth
            .tables
            .values()
            .map(|it| &it.table)
            .filter(|it| it.chats.location_in(place).is_some());
        let ids: Vec<&String> =
            here.filter(|it| it.game_id().info().hidden).map(|it| &it.id.0).collect();
        if let [id] = ids.as_slice() { (*id).clone() } else { String::new() }
    }

    /// Shows a private answer again. Its text was checked when it was first shown and may be of a
    /// finished deal; its picture is drawn again.
    async fn again(&self, kept: Kept, passing: bool) {
        let Kept { person, place, note } = kept;
        let rights = Rights::of(&self.world, &person.id);
        let said = match passing {
            true => self.service.render_brief(&place, &person, note).await,
            false => self.service.rerender(&place, &person, note).await,
        };
        let text = said.map(|it| {
            let drawn = OutgoingMessage {
                text: RichText::default(),
                buttons: Vec::new(),
                ..it.message.for_reader(&Alone).clone()
            };
            let table = drawn.table.as_ref().map_or("no table", |it| &it.0);
            format!("of {table}\n{}", readable(&drawn))
        });
        self.has_seen("notes said again", &person.id, &rights, text).await;
    }

    async fn sign_in_with(&self, code: String, mark: String) {
        let entrance = self.service.sign_in(&SignInProof::Code(code), &mark).await;
        self.life.goes_on().await;
        self.world.note(|| format!("{} signs in: {:?}", self.person.id.0, entrance.is_ok()));
        if let Ok(entrance) = entrance {
            if entrance.guest.account.id != self.person.id {
                let (own, other) = (&self.person.id.0, &entrance.guest.account.id.0);
                self.world.broke(format!("{own} has signed in as {other}"));
            }
            self.world.count("people who signed in in a browser");
            put(&self.desks.browsers, Browser { account: self.person.id.clone(), mark });
        }
    }

    /// The person who is signed in in a browser now.
    async fn guest(&self, browser: &Browser) -> Option<Guest> {
        let guest = self.service.find_guest(&browser.mark).await?;
        if guest.account.id != browser.account {
            let (own, other) = (&browser.account.0, &guest.account.id.0);
            self.world.broke(format!("{own} is known as {other} in a browser"));
        }
        Some(guest)
    }

    async fn in_browser(&self, browser: Browser, aim: Aim) {
        let rights = Rights::of(&self.world, &browser.account);
        let Some(guest) = self.guest(&browser).await else { return };
        let (what, told) = match aim {
            Aim::Sees(table, looking) => (
                "looks in browsers",
                json_of(self.service.guest_table(&guest, &table, looking).await),
            ),
            Aim::Shows(look) => {
                let told = self
                    .shown(
                        &look,
                        self.service.guest_page(&guest, look.clone(), PictureLayout::Wide),
                    )
                    .await;
                ("looks in browsers", told)
            }
            Aim::Tables => ("looks in browsers", json_of(self.service.guest_tables(&guest).await)),
            Aim::Changed(table) => {
                let changed = self.service.wait_for_change(&guest, &table, None).now_or_never();
                ("looks in browsers", changed.map(|it| format!("{it:?}")))
            }
            Aim::Presses { table, key, n, twice } => {
                return self.press_in_browser(&guest, &table, (&key, n, twice)).await;
            }
            Aim::Leaves => {
                self.service.sign_out(&browser.mark).await;
                ("people who signed out", None)
            }
        };
        self.has_seen(what, &browser.account, &rights, told).await;
    }

    /// A person presses a button that they see in a browser.
    async fn press_in_browser(
        &self,
        guest: &Guest,
        table: &TableId,
        (key, n, twice): (&str, u64, bool),
    ) {
        let rights = Rights::of(&self.world, &guest.account.id);
        let state = self.service.guest_table(guest, table, StateQuery::default()).await;
        let state = json_of(state);
        self.life.goes_on().await;
        seen(&self.world, &guest.account.id, &rights, state.as_deref().unwrap_or_default());
        let Some(press) = state.and_then(|it| choose_press(&it, n)) else { return };
        let id = Update::guest_update_id(&guest.account.id, key);
        let place = self.place_of(guest, table);
        let person = guest.account.id.clone();
        self.world.sends(&id, Sender { person, place: place.clone(), admin: false });
        for _ in 0..if twice { 2 } else { 1 } {
            let heard = format!("hear {id} {} {press}", guest.account.id.0);
            self.world.note(|| heard);
            self.world.count("presses in browsers");
            let told = self.service.press_button(guest, table, &press, key).await;
            self.life.goes_on().await;
            for whisper in told.into_iter().flatten() {
                tell(&self.world, &id, &guest.account.id, &place, whisper, true);
            }
        }
    }

    /// The place where a guest sees a table, according to the log.
    fn place_of(&self, guest: &Guest, table: &TableId) -> PlaceId {
        let truth = self.world.truth.lock();
        let tracked = truth.tables.get(&table.0);
        let own = tracked.and_then(|it| it.table.chat_of(&guest.person)).cloned();
        own.or_else(|| guest.chats.first().cloned()).unwrap_or(PlaceId(String::new()))
    }
}

/// The JSON that a page or a program gets.
fn json_of(state: Option<impl Serialize>) -> Option<String> {
    state.map(|it| serde_json::to_string(&it).expect("our own types serialize to JSON"))
}

/// One of the buttons of a table state: a move rather than anything else.
fn choose_press(state: &str, n: u64) -> Option<String> {
    let state: Value = serde_json::from_str(state).ok()?;
    let moves = state["actions"].as_array().into_iter().flatten();
    let moves: Vec<&Value> = moves.map(|it| &it["press"]).collect();
    let keys = state["keys"].as_array().into_iter().flatten();
    let keys: Vec<&Value> =
        keys.filter_map(Value::as_array).flatten().map(|it| &it["press"]).collect();
    let all = if moves.is_empty() || n.is_multiple_of(8) { &keys } else { &moves };
    let one = all.get((n / 8) as usize % all.len().max(1))?;
    one.as_str().map(str::to_owned)
}
