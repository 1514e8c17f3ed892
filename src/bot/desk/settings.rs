//! Settings of people and chats: one way in for commands, for buttons under answers and for the
//! page that shows them all.

use super::Desk;
use super::questions::Question;
use super::visit::{Notes, Visit, brief};
use crate::ledger::Failure;
use crate::ledger::changes::Slot;
use crate::ledger::inherited::PlaceSettings;
use crate::ledger::profiles::PlaceProfile;
use caravanserai_games::GameId;
use caravanserai_games::ids::{PlaceId, PlaceKind};
use caravanserai_games::words::{Arg, Text};
use caravanserai_i18n::Lang;
use caravanserai_protocol::Parents;
use caravanserai_protocol::clocks;
use caravanserai_protocol::looks;
use caravanserai_protocol::note::{Key, Note, Picture};
use caravanserai_protocol::panels;
use caravanserai_protocol::request::Scope;
use caravanserai_protocol::settings::{
    self, Change, For, INHERIT, Inherited, Line, Parent, Present, Row, USUAL, Wish,
};

/// A chat whose settings are meant: that where somebody is, or one whose page they read in private.
struct Room {
    place: PlaceId,
    settings: PlaceSettings,
    /// Whether they keep order there.
    admin: bool,
    /// Whether others are there at all.
    group: bool,
}

impl Room {
    fn whose(&self, scope: Scope) -> For<'_> {
        For { scope, here: &self.place }
    }

    /// The server that it is in.
    fn server(&self) -> Option<&PlaceId> {
        self.settings.parents.server.as_ref()
    }

    /// The nearest place that it inherits from.
    fn parent(&self) -> Option<Parent> {
        let Parents { channel, server } = &self.settings.parents;
        let channel = channel.as_ref().map(|_| Parent::Channel);
        channel.or(server.as_ref().map(|_| Parent::Server))
    }

    /// The place that a change for a chat or its server was made in: for a server a thread counts
    /// as its channel.
    fn here(&self, scope: Scope) -> &PlaceId {
        let channel = self.settings.parents.channel.as_ref();
        channel.filter(|_| scope == Scope::Server).unwrap_or(&self.place)
    }

    /// The settings of the chat with those it inherits, or those of its server.
    fn profile(&self, scope: Scope) -> &PlaceProfile {
        match scope {
            Scope::Person | Scope::Chat => &self.settings,
            Scope::Server => self.settings.parent(Parent::Server),
        }
    }

    /// The profile that changes for a chat or its server are written to.
    fn stored(&self, scope: Scope) -> &PlaceProfile {
        match scope {
            Scope::Person | Scope::Chat => self.settings.own(),
            Scope::Server => self.settings.parent(Parent::Server),
        }
    }

    /// The place that the value of a row is inherited from, if it is.
    fn source(&self, scope: Scope, row: Row) -> Option<Text> {
        if scope != Scope::Chat {
            return None;
        }
        let parent = match row {
            Row::Rules => {
                let games = games_with_own_rules(&self.settings);
                let source = |it: GameId| self.settings.source_of_rules(it.info().code);
                let sources: Option<Vec<Parent>> = games.map(source).collect();
                sources?.first().copied()
            }
            _ => self.settings.source(row),
        };
        parent.map(|it| self.source_of(it))
    }

    fn source_of(&self, parent: Parent) -> Text {
        settings::source_of(parent, &self.settings.parent(Parent::Channel).title)
    }

    /// The value of a row here in words.
    fn said(&self, row: Row, value: &str) -> Arg {
        match (row, value) {
            (Row::Where, "elsewhere") if self.server().is_some() => {
                Text::new("value-where-channels").into()
            }
            _ => row.said(value),
        }
    }

    /// The value that a row would inherit, for a chat that has parents.
    fn inherited(&self, scope: Scope, row: Row) -> Option<Inherited> {
        let parent = self.parent().filter(|_| scope == Scope::Chat)?;
        let value = self.settings.without(row, &self.place).setting(row, &self.place)?;
        let is_current = !self.settings.own().is_set(row);
        Some(Inherited { is_current, value: self.said(row, &value), parent })
    }
}

impl Desk {
    /// Something of the settings. `paged`: by the page that shows them all, which then turns.
    pub(super) async fn settings(
        &self,
        visit: &mut Visit<'_>,
        wish: Wish,
        paged: bool,
        chat: Option<PlaceId>,
    ) -> Notes {
        let Some(mut room) = self.room(visit, chat).await? else { return Ok(Vec::new()) };
        let wish = if room.server().is_some() { wish } else { without_server(wish) };
        match changes_shared(&wish) {
            true if !room.group => return Ok(brief("refuse-old-button")),
            true if !room.admin => return Ok(brief("refuse-admin-only")),
            true | false => {}
        }
        Ok(vec![match wish {
            Wish::Page(scope) | Wish::Choices(scope, _)
                if scope != Scope::Person && !room.group =>
            {
                page(visit, &room, Scope::Person)
            }
            Wish::Page(scope) => page(visit, &room, scope),
            Wish::Choices(_, Row::Vacation) => Self::vacation_note(visit, paged),
            Wish::Set(Change { row: Row::Vacation, value, .. }) => {
                let days = value.parse().ok().filter(|it| *it > 0);
                let told = |visit: &Visit<'_>| match paged {
                    true => page(visit, &room, Scope::Person),
                    false => Self::vacation_note(visit, false),
                };
                return self.settle_vacation(visit, days, told).await;
            }
            Wish::Choices(_, Row::Language) if !paged => language_choice(&room),
            Wish::Choices(_, Row::Theme) if !paged => theme_choice(&room),
            Wish::Choices(_, Row::Pace) if !paged => with_pace(visit.person.quick),
            Wish::Choices(scope, _) if scope != Scope::Person && !room.admin => {
                page(visit, &room, scope)
            }
            Wish::Choices(scope, row) => {
                let value = present(visit, &room, scope, row).unwrap_or_default();
                let inherited = room.inherited(scope, row);
                settings::choices(room.whose(scope), row, &Present { value, inherited })
            }
            Wish::Foreign(row) => foreign(row),
            Wish::Set(change) => {
                self.set(visit, &mut room, &change).await?;
                match paged {
                    true => page(visit, &room, change.scope),
                    false => told(visit, &room, &change),
                }
            }
            Wish::Rules { scope, game, page, change } => {
                self.rules(visit, &mut room, (scope, game), page, change).await?
            }
        }])
    }

    /// The chat that is meant; `None` if its platform has to be asked first.
    async fn room(
        &self,
        visit: &mut Visit<'_>,
        chat: Option<PlaceId>,
    ) -> Result<Option<Room>, Failure> {
        let here = &visit.update.place;
        let alone = here.kind == PlaceKind::Private;
        let elsewhere = chat.filter(|it| alone && it.platform() == here.id.platform());
        if let Some(place) = elsewhere {
            let Some(admin) = visit.findings.keeps_order(&visit.account, &place) else {
                visit.question = Some(Question::KeepsOrder(visit.account.clone(), place));
                return Ok(None);
            };
            let settings = self.ledger.place(&place).await?;
            return Ok(Some(Room { settings, admin, group: true, place }));
        }
        Ok(Some(Room {
            place: here.id.clone(),
            settings: visit.place.clone(),
            admin: visit.update.person.admin,
            group: !alone,
        }))
    }

    /// How it is whether moves want a second press.
    pub(super) fn confirming(visit: &Visit<'_>) -> Note {
        let on = visit.person.confirm;
        let key = if on { "answer-confirm-is-on" } else { "answer-confirm-is-off" };
        let keys = vec![vec![panels::confirm_key(on)]];
        Note { texts: vec![Text::new(key)], keys, ..Note::default() }
    }

    /// Sets a row, and shows anew what looks otherwise then.
    async fn set(
        &self,
        visit: &mut Visit<'_>,
        room: &mut Room,
        change: &Change,
    ) -> Result<(), Failure> {
        let Change { scope, row, value } = change;
        let looks = matches!(row, Row::Language | Row::Theme | Row::Side | Row::Boards);
        let shown = match scope {
            Scope::Person => {
                let own = Slot::person(&visit.update.person.id);
                let kept = self.ledger.change(own, |it| it.set(*row, value)).await?;
                visit.person_is(kept);
                let alone = visit.update.place.kind == PlaceKind::Private;
                (looks && alone).then_some(&visit.update.place.id)
            }
            Scope::Chat | Scope::Server => {
                let here = room.here(*scope).clone();
                self.change_room(visit, room, *scope, |it| it.set(*row, value, &here)).await?;
                looks.then_some(&room.place)
            }
        };
        if let Some(place) = shown {
            visit.learned.extend(self.boards_anew(place, |_| true).await?);
        }
        self.ledger.keep(std::mem::take(&mut visit.learned)).await
    }

    /// Changes the settings of a chat or of its server.
    async fn change_room(
        &self,
        visit: &mut Visit<'_>,
        room: &mut Room,
        scope: Scope,
        change: impl Fn(&mut PlaceProfile) + Send + Sync,
    ) -> Result<(), Failure> {
        match room.server().filter(|_| scope == Scope::Server).cloned() {
            Some(server) => {
                let kept = self.ledger.change(Slot::place(&server), change).await?;
                room.settings.set_server(kept);
            }
            None => {
                let kept = self.ledger.change(Slot::place(&room.place), change).await?;
                room.settings.set_own(kept);
            }
        }
        if room.place.chat() == visit.update.place.id.chat() {
            visit.place = room.settings.clone();
        }
        Ok(())
    }

    /// Changes the house rules of a game in a chat or a server if asked to, and shows them.
    async fn rules(
        &self,
        visit: &mut Visit<'_>,
        room: &mut Room,
        (scope, game): (Scope, GameId),
        page: u8,
        change: Option<String>,
    ) -> Result<Note, Failure> {
        let info = game.info();
        if let Some(setting) = change {
            // What cannot be played at all is not remembered.
            let fits = |it: &String| game.open(it, info.seats.1).is_ok();
            let inherits = scope == Scope::Chat && room.parent().is_some();
            let above = match scope {
                Scope::Server => PlaceProfile::default(),
                Scope::Person | Scope::Chat => room.settings.without(Row::Rules, &room.place),
            };
            let changed = |it: &PlaceProfile| {
                let is_own = it.rules.contains_key(info.code);
                let now = usual_rules(if is_own { it } else { &above }, game);
                info.change(&now, &setting).filter(fits)
            };
            let is_choice = ![USUAL, INHERIT].contains(&setting.as_str());
            if is_choice && changed(room.stored(scope)).is_none() {
                return Ok(Note::brief(Text::new("refuse-unknown-variant")));
            }
            let settle = |it: &mut PlaceProfile| match setting.as_str() {
                INHERIT => it.settle_rules(info.code, None),
                // The usual rules are set too where others would be inherited.
                USUAL => it.settle_rules(info.code, inherits.then(|| USUAL.to_owned())),
                _ => {
                    if let Some(options) = changed(it) {
                        it.settle_rules(info.code, Some(options));
                    }
                }
            };
            self.change_room(visit, room, scope, settle).await?;
        }
        Ok(rules_note(room, scope, game, page))
    }
}

/// The house rules of a game in a chat or a server, with buttons to change them.
fn rules_note(room: &Room, scope: Scope, game: GameId, page: u8) -> Note {
    let code = game.info().code;
    let options = usual_rules(room.profile(scope), game);
    let source = room.settings.source_of_rules(code).filter(|_| scope == Scope::Chat);
    let source = source.map(|it| room.source_of(it));
    let inherited = room.parent().filter(|_| scope == Scope::Chat).map(|parent| {
        let is_current = !room.settings.own().rules.contains_key(code);
        let above = room.settings.without(Row::Rules, &room.place);
        let key =
            if above.rules_of(code).is_some() { "value-rules-own" } else { "value-rules-usual" };
        Inherited { is_current, value: Text::new(key).into(), parent }
    });
    settings::rules(room.whose(scope), game, (&options, source), page, inherited.as_ref())
}

/// Whether a wish is only for people who may change the settings of the chat: house rules are shown
/// only to them.
fn changes_shared(wish: &Wish) -> bool {
    match wish {
        Wish::Set(Change { scope, .. }) | Wish::Rules { scope, .. } => *scope != Scope::Person,
        Wish::Page(_) | Wish::Choices(..) | Wish::Foreign(_) => false,
    }
}

/// Reads the server as the chat where there is no server.
fn without_server(wish: Wish) -> Wish {
    let chat = |scope: Scope| if scope == Scope::Server { Scope::Chat } else { scope };
    match wish {
        Wish::Page(scope) => Wish::Page(chat(scope)),
        Wish::Choices(scope, row) => Wish::Choices(chat(scope), row),
        Wish::Set(change) => Wish::Set(Change { scope: chat(change.scope), ..change }),
        Wish::Rules { scope, game, page, change } => {
            Wish::Rules { scope: chat(scope), game, page, change }
        }
        Wish::Foreign(row) => Wish::Foreign(row),
    }
}

/// The rules by which a game is played in a chat if nobody says it.
pub(super) fn usual_rules(chat: &PlaceProfile, game: GameId) -> String {
    let info = game.info();
    let settled = chat.rules_of(info.code).filter(|it| info.chosen(it).is_some());
    settled.map_or_else(|| info.default_options(), str::to_owned)
}

/// What a row is set to.
fn present(visit: &Visit<'_>, room: &Room, scope: Scope, row: Row) -> Option<String> {
    match scope {
        Scope::Person => visit.person.setting(row, &visit.place),
        Scope::Chat | Scope::Server => room.profile(scope).setting(row, room.here(scope)),
    }
}

/// All settings of the person, of the chat or of its server.
fn page(visit: &Visit<'_>, room: &Room, scope: Scope) -> Note {
    let rows = Row::of(scope).iter().copied();
    let rows = rows.filter(|it| *it != Row::Where || has_parts(room, scope));
    let set: Vec<Line> = rows
        .map(|row| {
            let value = match present(visit, room, scope, row) {
                Some(value) => room.said(row, &value),
                None if row == Row::Vacation => own_vacation(visit),
                None => own_rules(room.profile(scope)),
            };
            Line { row, value, source: room.source(scope, row) }
        })
        .collect();
    let may = scope == Scope::Person || room.admin;
    let server = room.server().filter(|_| room.admin).map(|_| Scope::Server);
    let others: Vec<Scope> = match scope {
        _ if !room.group => Vec::new(),
        Scope::Person => vec![Scope::Chat],
        Scope::Chat => [Scope::Person].into_iter().chain(server).collect(),
        Scope::Server => vec![Scope::Chat, Scope::Person],
    };
    settings::page(room.whose(scope), &set, may, &others)
}

/// Whether the row about where tables may be opened offers a choice: a chat with topics, a server
/// with channels, or a channel that the choice of its server applies to.
fn has_parts(room: &Room, scope: Scope) -> bool {
    let here = &room.place;
    let is_bound = !room.settings.plays_in(here) || room.settings.own().is_set(Row::Where);
    scope == Scope::Server || here.0 != here.chat() || is_bound
}

/// Until when somebody is on vacation, if they are.
fn own_vacation(visit: &Visit<'_>) -> Arg {
    match visit.person.vacation(visit.now_ms) {
        Some(until_ms) => {
            Text::new("value-vacation-until").with("day", clocks::day(until_ms)).into()
        }
        None => Row::Vacation.said(settings::AT_HOME),
    }
}

/// Which games are played in a chat by rules of their own.
fn own_rules(chat: &PlaceProfile) -> Arg {
    let name = |game: GameId| Arg::from(Text::new(format!("game-{}", game.info().code)));
    let games: Vec<Arg> = games_with_own_rules(chat).map(name).collect();
    if games.is_empty() { Text::new("value-rules-usual").into() } else { Arg::List(games) }
}

fn games_with_own_rules(chat: &PlaceProfile) -> impl Iterator<Item = GameId> {
    let is_own = |it: &GameId| chat.rules_of(it.info().code).is_some();
    GameId::all().iter().copied().filter(is_own)
}

/// Nothing of that name is known.
fn foreign(row: Row) -> Note {
    Note::brief(if row == Row::Language {
        let known = Lang::all().iter().map(|it| Arg::from(it.listed())).collect();
        Text::new("refuse-language").with("languages", Arg::Names(known))
    } else {
        let known = looks::THEMES.iter().map(|it| Arg::from(looks::name(it))).collect();
        Text::new("refuse-theme").with("themes", Arg::Names(known))
    })
}

/// What is said when something was set by its own command or button.
fn told(visit: &Visit<'_>, room: &Room, change: &Change) -> Note {
    let Change { scope, row, value } = change;
    match (row, scope) {
        (Row::Language, scope) => {
            let key = match scope {
                Scope::Person => "answer-saved-person",
                Scope::Chat => "answer-saved-chat",
                Scope::Server => return page(visit, room, *scope),
            };
            let name = Lang::of_locale(value).map_or("", Lang::own_name);
            Note::brief(Text::new(key).with("language", name))
        }
        (Row::Theme, Scope::Chat) => {
            Note::brief(Text::new("answer-theme-chat").with("theme", looks::name(value)))
        }
        (Row::Theme, Scope::Person) => {
            let text = Text::new("answer-theme-person").with("theme", looks::name(value));
            let group = visit.update.place.kind == PlaceKind::Group;
            // One board stands there for all of them.
            let stays = group.then(|| Text::new("answer-theme-shared"));
            let texts = [text].into_iter().chain(stays).collect();
            Note { picture: Some(sample()), ..Note::lasting(texts) }
        }
        (Row::Side, _) if visit.person.fixed => {
            with_key("answer-turned-is-off", looks::turned_key(false))
        }
        (Row::Side, _) => with_key("answer-turned-is-on", looks::turned_key(true)),
        (Row::Boards, _) if visit.person.words => {
            with_key("answer-words-is-on", looks::words_key(true))
        }
        (Row::Boards, _) => with_key("answer-words-is-off", looks::words_key(false)),
        (Row::Press, _) => Desk::confirming(visit),
        (Row::Pace, _) => with_pace(visit.person.quick),
        (_, scope) => page(visit, room, *scope),
    }
}

/// An answer with the button that turns it round.
fn with_key(answer: &'static str, key: Key) -> Note {
    Note { keys: vec![vec![key]], ..Note::lasting(vec![Text::new(answer)]) }
}

/// How quickly computers go on that somebody plays alone.
fn with_pace(quick: bool) -> Note {
    let answer = if quick { "answer-pace-is-quick" } else { "answer-pace-is-calm" };
    with_key(answer, looks::pace_key(quick))
}

fn language_choice(room: &Room) -> Note {
    let own = |lang: &Lang| Key::new(Arg::Plain(lang.listed()), format!("s.{}", lang.code()));
    // Three names fit beside each other on a phone.
    let mut keys: Vec<Vec<Key>> =
        Lang::all().chunks(3).map(|langs| langs.iter().map(own).collect()).collect();
    keys.extend(for_chat(room, Row::Language));
    let is_young = Lang::all().iter().any(|it| it.is_young());
    let young = is_young.then(|| Text::new("answer-young"));
    let texts = [Text::new("setting-language-about")].into_iter().chain(young).collect();
    Note { texts, keys, ..Note::default() }
}

/// The same choice for the chat, for whoever may make it.
fn for_chat(room: &Room, row: Row) -> Vec<Vec<Key>> {
    if !(room.group && room.admin) {
        return Vec::new();
    }
    let key = |value: &&'static str| settings::set_key(room.whose(Scope::Chat), row, value);
    row.values().chunks(2).map(|pair| pair.iter().map(key).collect()).collect()
}

fn theme_choice(room: &Room) -> Note {
    let keys = looks::keys().into_iter().chain(for_chat(room, Row::Theme)).collect();
    Note {
        texts: vec![Text::new("answer-theme")],
        picture: Some(Picture::Themes { game: GameId::all()[0].info().code.to_owned() }),
        keys,
        ..Note::default()
    }
}

/// A picture that shows what the theme of the reader looks like.
fn sample() -> Picture {
    let game = GameId::all()[0];
    let page = game.pages().first().copied().unwrap_or_default().to_owned();
    Picture::Lesson { game: game.info().code.to_owned(), page, tried: None }
}
