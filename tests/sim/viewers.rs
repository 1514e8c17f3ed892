//! Simulates people who only look: live boards on the page, replays, lists of their tables,
//! suggestions while they type, repeated private answers. Also people of other platforms who have
//! signed in in a browser and press buttons there.

use std::sync::Arc;

use futures::FutureExt;
use serde::Serialize;
use serde_json::Value;

use super::Sim;
use super::chats::SimulatedReader;
use super::fault_rates::SimFeature;
use super::people::{Act, SimPerson, words};
use super::processes::{Process, ProcessRun, show_private_reply};
use super::screens::is_hidden;
use super::secrets::{Rights, readable, seen};
use super::world::{Sender, World};
use caravanserai_bot::service::Service;
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_games::text::RichText;
use caravanserai_protocol::guest_service::{Guest, GuestService, SignInMarks, SignInProof};
use caravanserai_protocol::view::View;
use caravanserai_protocol::{
    AppLink, ArgumentSuggestions, Chat, ClientQueries, InlineQueries, OutgoingMessage, Person,
    PictureLayout, PictureRequest, ReplyRenderer, StateQuery, Unavailable, Update, ViewerPage,
    ViewerPageState,
};
use caravanserai_table::state::{Location, Table, TablePhase};

/// Per thousand steps: a person looks at something.
const LOOKED_PER_1000: u64 = 120;

/// Per thousand: a person looks in a browser.
const IN_BROWSERS_PER_1000: u64 = 350;

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
    chat: Chat,
    note: View,
}

/// Browsers and private answers, which outlive processes.
#[derive(Clone, Default)]
pub struct ViewerSessions {
    browsers: Arc<parking_lot::Mutex<Vec<Browser>>>,
    notes: Arc<parking_lot::Mutex<Vec<Kept>>>,
}

impl ViewerSessions {
    /// Keeps a private answer.
    pub fn keep(&self, update: &Update, note: Option<&View>) {
        let Some(note) = note.cloned() else { return };
        let (person, chat) = (update.person.clone(), update.chat.clone());
        put(&self.notes, Kept { person, chat, note });
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
enum ViewerRequest {
    State(Chat, TableId, StateQuery),
    Show(Chat, ViewerPage),
    Own(Chat),
    Suggested(Chat, &'static str, String),
    Offered(String),
    Again(Box<Kept>, bool),
    In(Browser, Box<BrowserRequest>),
    Enters { code: String, mark: String },
}

/// An action of a person in a browser.
enum BrowserRequest {
    Sees(TableId, StateQuery),
    Shows(ViewerPage),
    Tables,
    Changed(TableId),
    Presses { table: TableId, key: String, n: u64, twice: bool },
    Leaves,
}

/// A person who looks, and the process that they use.
struct ViewerTask {
    world: Arc<World>,
    service: Service,
    process_run: Arc<ProcessRun>,
    viewer_sessions: ViewerSessions,
    person: Person,
}

impl Sim {
    /// Sometimes lets a person look at something.
    pub(super) fn look_around(&mut self) {
        if !self.world.happens(SimFeature::Viewers) || !self.curious.happens(LOOKED_PER_1000) {
            return;
        }
        let Some(sim_person) = self.curious.pick(&self.sim_people).cloned() else { return };
        let in_browser = self.curious.happens(IN_BROWSERS_PER_1000);
        let (person, glance) = match in_browser {
            true => match self.in_browser(&sim_person) {
                Some(found) => found,
                None => return,
            },
            false => match self.glance(&sim_person) {
                Some(glance) => (sim_person.person, glance),
                None => return,
            },
        };
        let late_ms = self.curious.between(0, 300);
        let Some(Process { process_run, service }) = self.curious.pick(&self.processes) else {
            return;
        };
        let (world, service, process_run) =
            (self.world.clone(), service.clone(), process_run.clone());
        let viewer = ViewerTask {
            world,
            service,
            process_run,
            viewer_sessions: self.viewer_sessions.clone(),
            person,
        };
        tokio::spawn(async move {
            viewer.world.time.sleep(late_ms).await;
            viewer.process_run.goes_on().await;
            viewer.look(glance).await;
        });
    }

    fn table(&self) -> Option<TableId> {
        let log_checks = self.world.log_checks.lock();
        let all: Vec<&String> = log_checks.tables.keys().collect();
        self.curious.pick(&all).map(|it| TableId((*it).clone()))
    }

    fn state_query(&self, table: &TableId) -> StateQuery {
        let chance = &self.curious;
        let log_checks = self.world.log_checks.lock();
        let moment = log_checks.tables.get(&table.0).map_or(0, |it| it.table.history.position);
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

    fn glance(&self, sim_person: &SimPerson) -> Option<ViewerRequest> {
        let chance = &self.curious;
        let chat = chance.pick(&sim_person.chats)?.clone();
        Some(match chance.below(100) {
            0..45 => {
                let table = self.table()?;
                let looking = self.state_query(&table);
                ViewerRequest::State(chat, table, looking)
            }
            45..58 => ViewerRequest::Show(chat, self.show()?),
            58..68 => ViewerRequest::Own(chat),
            68..80 => {
                let typed = chance.pick(&["", "K", "1"])?;
                ViewerRequest::Suggested(chat, chance.pick(&ARGUMENTS)?, (*typed).to_owned())
            }
            80..90 => {
                let (game, more) = (chance.pick(GameId::all())?, chance.pick(&POSED)?);
                let typed = format!("{}{more}", game.info().command);
                ViewerRequest::Offered(if chance.happens(200) { String::new() } else { typed })
            }
            _ => {
                let kept = chance.pick(&self.viewer_sessions.notes.lock())?.clone();
                ViewerRequest::Again(Box::new(kept), chance.happens(300))
            }
        })
    }

    /// A person acts in a browser, signs in with a link that they got, or requests one.
    fn in_browser(&mut self, sim_person: &SimPerson) -> Option<(Person, ViewerRequest)> {
        if let Some(code) = self.link_of(sim_person) {
            self.updates += 1;
            let mark = format!("mark{}", self.updates);
            return Some((sim_person.person.clone(), ViewerRequest::Enters { code, mark }));
        }
        let browser = self.curious.pick(&self.viewer_sessions.browsers.lock()).cloned();
        let found = browser.filter(|_| self.curious.happens(850));
        let Some(browser) = found else {
            let chat = sim_person.private()?.clone();
            let text = match self.table().filter(|_| self.curious.happens(700)) {
                Some(table) => format!("/web {}", table.0),
                None => "/web".to_owned(),
            };
            let (person, body) = (sim_person.person.clone(), words(&text));
            self.send_update(Act { person, chat, body }, 0);
            return None;
        };
        let person =
            self.sim_people.iter().find(|it| it.person.id == browser.account)?.person.clone();
        let table = self.table()?;
        let aim = match self.curious.below(100) {
            0..30 => BrowserRequest::Sees(table.clone(), self.state_query(&table)),
            30..40 => BrowserRequest::Shows(self.show()?),
            40..48 => BrowserRequest::Tables,
            48..55 => BrowserRequest::Changed(table),
            55..97 => {
                self.updates += 1;
                let (key, n) = (self.updates.to_string(), self.curious.bits());
                BrowserRequest::Presses { table, key, n, twice: self.curious.happens(150) }
            }
            _ => BrowserRequest::Leaves,
        };
        Some((person, ViewerRequest::In(browser, Box::new(aim))))
    }

    /// The newest sign-in link that a person got privately and has not used.
    fn link_of(&mut self, sim_person: &SimPerson) -> Option<String> {
        let chats = self.world.chats.lock();
        let told = chats.told.get(&sim_person.person.id).into_iter().flatten().rev();
        let code = told.filter_map(|it| code_in(&it.message)).next()?;
        drop(chats);
        self.entered.insert(code.clone()).then_some(code)
    }

    /// Checks at rest that people see the state of the log, in every process.
    pub(super) async fn everybody_sees(&self) {
        if !self.world.happens(SimFeature::Viewers) {
            return;
        }
        for Process { service, .. } in &self.processes {
            for _ in 0..LOOKED_AT {
                self.check_what_a_person_sees(service).await;
            }
        }
    }

    async fn check_what_a_person_sees(&self, service: &Service) {
        let Some(sim_person) = self.curious.pick(&self.sim_people) else { return };
        let Some((chat, id, version)) = self.table_seen(sim_person) else { return };
        let rights = Rights::of(&self.world, &sim_person.person.id);
        let looking = StateQuery { picture: PictureRequest::Draw, ..StateQuery::default() };
        let who = self.world.fault_injection.looker(&sim_person.person.id);
        let looker = Person { id: who, ..sim_person.person.clone() };
        let state = service.table_state(&chat, &looker, &id, looking).await;
        let state = json_of(state);
        let person = self.world.behind(&sim_person.person.id);
        let log_checks = self.world.log_checks.lock();
        let tracked = log_checks.tables.get(&id.0);
        // A deadline may have changed the table meanwhile.
        let Some(tracked) = tracked.filter(|it| it.table.version == version) else { return };
        let wrong = match &state {
            None => Some("sees nothing".to_owned()),
            Some(state) => differs(&tracked.table, &person, state),
        };
        drop(log_checks);
        if let Some(wrong) = wrong {
            let (who, at) = (&sim_person.person.id.0, &chat.id.0);
            self.world.report_violation(format!("{who} looks at {} in {at} and {wrong}", id.0));
        }
        self.world.count("boards viewed at rest");
        seen(&self.world, &sim_person.person.id, &rights, &state.unwrap_or_default());
    }

    /// A table in a chat of a person that they may see there, and its version.
    fn table_seen(&self, sim_person: &SimPerson) -> Option<(Chat, TableId, u64)> {
        let person = self.world.behind(&sim_person.person.id);
        let chats = self.world.chats.lock();
        let log_checks = self.world.log_checks.lock();
        let open = |it: &&Chat| chats.is_open(&it.id);
        let mut all = Vec::new();
        for chat in sim_person.chats.iter().filter(open) {
            for tracked in log_checks.tables.values().filter(|it| it.table.is_open()) {
                let location = tracked.table.chats.location_in(&chat.id);
                let sits = tracked.table.seating.is_seated(&person);
                let may_see = sits || !is_hidden(&tracked.table, &chat.id);
                let reads = |it: Location<'_>| it.reader.is_none_or(|reader| *reader == person);
                if may_see && location.is_some_and(reads) {
                    all.push((chat, &tracked.table));
                }
            }
        }
        let (chat, table) = *self.curious.pick(&all)?;
        Some((chat.clone(), table.id.clone(), table.version))
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
    message.buttons.iter().flatten().find_map(|it| match &it.link {
        Some(AppLink::Link(link)) => Some(link.split_once("#in=")?.1.to_owned()),
        _ => None,
    })
}

impl ViewerTask {
    async fn look(&self, glance: ViewerRequest) {
        let rights = Rights::of(&self.world, &self.person.id);
        let id = self.world.fault_injection.looker(&self.person.id);
        let person = Person { id, ..self.person.clone() };
        let (what, told) = match glance {
            ViewerRequest::State(chat, table, looking) => {
                let told = self.service.table_state(&chat, &person, &table, looking).await;
                ("boards viewed", json_of(told))
            }
            ViewerRequest::Show(chat, look) => {
                let told = self.shown(
                    &look,
                    self.service.viewer_page(&chat, &person, look.clone(), PictureLayout::Wide),
                );
                ("games viewed", told.await)
            }
            ViewerRequest::Own(chat) => {
                ("lists viewed", json_of(Ok(self.service.own_tables(&chat, &person).await)))
            }
            ViewerRequest::Suggested(chat, command, typed) => {
                let told = self.service.suggest_arguments(&chat, &person, command, &typed).await;
                let ids = self.hidden_at(&chat.id);
                ("suggestions viewed", Some(format!("{ids} {told:?}")))
            }
            ViewerRequest::Offered(typed) => {
                let told = self.service.inline_results(&person, &typed).await;
                let one = self.service.mention_reply(&person, &typed).await;
                ("suggestions viewed", Some(format!("{told:?} {one:?}")))
            }
            ViewerRequest::Again(kept, passing) => {
                return self.again(*kept, passing).await;
            }
            ViewerRequest::In(browser, aim) => return self.in_browser(browser, *aim).await,
            ViewerRequest::Enters { code, mark } => return self.sign_in_with(code, mark).await,
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
        self.process_run.goes_on().await;
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
        shown: impl Future<Output = Result<Option<ViewerPageState>, Unavailable>>,
    ) -> Option<String> {
        let (ViewerPage::Replay { table, .. } | ViewerPage::Review { table, .. }) = look else {
            return json_of(shown.await);
        };
        let is_first = || {
            let log_checks = self.world.log_checks.lock();
            log_checks.tables.get(&table.0).is_some_and(|it| it.known.is_first_deal())
        };
        let before = is_first();
        let text = json_of(shown.await);
        text.filter(|_| before && is_first())
    }

    /// The code of the only table in a chat with hidden cards.
    fn hidden_at(&self, chat: &ChatId) -> String {
        let log_checks = self.world.log_checks.lock();
        let here = log_checks
            .tables
            .values()
            .map(|it| &it.table)
            .filter(|it| it.chats.location_in(chat).is_some());
        let ids: Vec<&String> =
            here.filter(|it| it.game_id().info().hidden).map(|it| &it.id.0).collect();
        if let [id] = ids.as_slice() { (*id).clone() } else { String::new() }
    }

    /// Shows a private answer again. Its text was checked when it was first shown and may be of a
    /// finished deal; its picture is drawn again.
    async fn again(&self, kept: Kept, passing: bool) {
        let Kept { person, chat, note } = kept;
        let rights = Rights::of(&self.world, &person.id);
        let said = match passing {
            true => self.service.render_brief(&chat, &person, note).await,
            false => self.service.rerender(&chat, &person, note).await,
        };
        let text = said.map(|it| {
            let drawn = OutgoingMessage {
                text: RichText::default(),
                buttons: Vec::new(),
                ..it.message.for_reader(&SimulatedReader).clone()
            };
            let table = drawn.table.as_ref().map_or("no table", |it| &it.0);
            format!("of {table}\n{}", readable(&drawn))
        });
        self.has_seen("notes said again", &person.id, &rights, text).await;
    }

    async fn sign_in_with(&self, code: String, mark: String) {
        let proof = SignInProof::Code { code, window: None };
        let marks = SignInMarks { new: &mark, current: None };
        let entrance = self.service.sign_in(&proof, marks).await;
        self.process_run.goes_on().await;
        self.world.note(|| format!("{} signs in: {:?}", self.person.id.0, entrance.is_ok()));
        if let Ok(entrance) = entrance {
            if entrance.guest.account.id != self.person.id {
                let (own, other) = (&self.person.id.0, &entrance.guest.account.id.0);
                self.world.report_violation(format!("{own} has signed in as {other}"));
            }
            self.world.count("sign-ins in a browser");
            put(&self.viewer_sessions.browsers, Browser { account: self.person.id.clone(), mark });
        }
    }

    /// The person who is signed in in a browser now.
    async fn guest(&self, browser: &Browser) -> Option<Guest> {
        let guest = self.service.find_guest(&browser.mark).await.ok()??;
        if guest.account.id != browser.account {
            let (own, other) = (&browser.account.0, &guest.account.id.0);
            self.world.report_violation(format!("{own} is known as {other} in a browser"));
        }
        Some(guest)
    }

    async fn in_browser(&self, browser: Browser, aim: BrowserRequest) {
        let rights = Rights::of(&self.world, &browser.account);
        let Some(guest) = self.guest(&browser).await else { return };
        let (what, told) = match aim {
            BrowserRequest::Sees(table, looking) => (
                "requests of browsers",
                json_of(self.service.guest_table(&guest, &table, looking).await),
            ),
            BrowserRequest::Shows(look) => {
                let told = self
                    .shown(
                        &look,
                        self.service.guest_page(&guest, look.clone(), PictureLayout::Wide),
                    )
                    .await;
                ("requests of browsers", told)
            }
            BrowserRequest::Tables => {
                ("requests of browsers", json_of(Ok(self.service.guest_tables(&guest).await)))
            }
            BrowserRequest::Changed(table) => {
                let changed = self.service.wait_for_change(&guest, &table, None).now_or_never();
                ("requests of browsers", changed.map(|it| format!("{it:?}")))
            }
            BrowserRequest::Presses { table, key, n, twice } => {
                return self.press_in_browser(&guest, &table, (&key, n, twice)).await;
            }
            BrowserRequest::Leaves => {
                let _ = self.service.sign_out(&browser.mark).await;
                ("sign-outs in a browser", None)
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
        self.process_run.goes_on().await;
        seen(&self.world, &guest.account.id, &rights, state.as_deref().unwrap_or_default());
        let Some(press) = state.and_then(|it| choose_press(&it, n)) else { return };
        let id = Update::guest_update_id(&guest.account.id, key);
        let chat = self.chat_of(guest, table);
        let person = guest.account.id.clone();
        self.world.sends(&id, Sender { person, chat: chat.clone(), admin: false });
        for _ in 0..if twice { 2 } else { 1 } {
            let heard = format!("hear {id} {} {press}", guest.account.id.0);
            self.world.note(|| heard);
            self.world.count("presses in browsers");
            let told = self.service.press_button(guest, table, &press, key).await;
            self.process_run.goes_on().await;
            for whisper in told.into_iter().flatten() {
                show_private_reply(&self.world, &id, &guest.account.id, &chat, whisper, true);
            }
        }
    }

    /// The chat where a guest sees a table, according to the log.
    fn chat_of(&self, guest: &Guest, table: &TableId) -> ChatId {
        let log_checks = self.world.log_checks.lock();
        let tracked = log_checks.tables.get(&table.0);
        let own = tracked.and_then(|it| it.table.chat_of(&guest.person)).cloned();
        own.or_else(|| guest.chats.first().cloned()).unwrap_or(ChatId(String::new()))
    }
}

/// The JSON that a page or a program gets.
fn json_of(shown: Result<Option<impl Serialize>, Unavailable>) -> Option<String> {
    let state = shown.ok().flatten();
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
