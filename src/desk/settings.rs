//! Settings of people and chats: one way in for commands, for buttons under answers and for the
//! page that shows them all.

use super::Desk;
use super::questions::Question;
use super::visit::{Notes, Visit, brief};
use crate::chat::clocks;
use crate::chat::looks;
use crate::chat::note::{Key, Note, Picture};
use crate::chat::panels;
use crate::chat::request::Scope;
use crate::chat::settings::{self, Change, For, Row, USUAL, Wish};
use crate::games::GameId;
use crate::i18n::Lang;
use crate::ids::{PlaceId, PlaceKind};
use crate::ledger::Failure;
use crate::ledger::changes::Slot;
use crate::ledger::profiles::PlaceProfile;
use crate::words::{Arg, Text};

/// A chat whose settings are meant: that where somebody is, or one whose page they read in private.
struct Room {
    place: PlaceId,
    profile: PlaceProfile,
    /// Whether they keep order there.
    admin: bool,
    /// Whether others are there at all.
    group: bool,
}

impl Room {
    fn whose(&self, scope: Scope) -> For<'_> {
        For { scope, here: &self.place }
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
        Ok(vec![match wish {
            Wish::Page(Scope::Chat) | Wish::Choices(Scope::Chat, _) if !room.group => {
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
            Wish::Choices(Scope::Chat, _) if !room.admin => page(visit, &room, Scope::Chat),
            Wish::Choices(scope, row) => {
                let present = present(visit, &room, scope, row).unwrap_or_default();
                settings::choices(room.whose(scope), row, &present)
            }
            Wish::Foreign(row) => foreign(row),
            Wish::Set(Change { scope: Scope::Chat, .. }) | Wish::Rules { .. } if !room.group => {
                return Ok(brief("refuse-old-button"));
            }
            Wish::Set(Change { scope: Scope::Chat, .. }) | Wish::Rules { .. } if !room.admin => {
                return Ok(brief("refuse-admin-only"));
            }
            Wish::Set(change) => {
                self.set(visit, &mut room, &change).await?;
                match paged {
                    true => page(visit, &room, change.scope),
                    false => told(visit, &room, &change),
                }
            }
            Wish::Rules { game, page, change } => {
                self.rules(visit, &mut room, game, page, change).await?
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
            let profile = self.ledger.place(&place).await?;
            return Ok(Some(Room { profile, admin, group: true, place }));
        }
        Ok(Some(Room {
            place: here.id.clone(),
            profile: visit.place.clone(),
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
            Scope::Chat => {
                let here = room.place.clone();
                self.change_room(visit, room, |it| it.set(*row, value, &here)).await?;
                looks.then_some(&room.place)
            }
        };
        if let Some(place) = shown {
            visit.learned.extend(self.boards_anew(place, |_| true).await?);
        }
        self.ledger.keep(std::mem::take(&mut visit.learned)).await
    }

    /// Changes the settings of a chat.
    async fn change_room(
        &self,
        visit: &mut Visit<'_>,
        room: &mut Room,
        change: impl Fn(&mut PlaceProfile) + Send + Sync,
    ) -> Result<(), Failure> {
        room.profile = self.ledger.change(Slot::place(&room.place), change).await?;
        if room.place.chat() == visit.update.place.id.chat() {
            visit.place = room.profile.clone();
        }
        Ok(())
    }

    /// Settles by which rules a game is played in a chat if nobody says it, and shows them.
    async fn rules(
        &self,
        visit: &mut Visit<'_>,
        room: &mut Room,
        game: GameId,
        page: u8,
        change: Option<String>,
    ) -> Result<Note, Failure> {
        let info = game.info();
        if let Some(setting) = change {
            // What cannot be played at all is not remembered.
            let fits = |it: &String| game.open(it, info.seats.1).is_ok();
            let changed =
                |it: &PlaceProfile| info.change(&usual_rules(it, game), &setting).filter(fits);
            if setting != USUAL && changed(&room.profile).is_none() {
                return Ok(Note::brief(Text::new("refuse-unknown-variant")));
            }
            let settle = |it: &mut PlaceProfile| match changed(it) {
                _ if setting == USUAL => it.settle_rules(info.code, None),
                Some(options) => it.settle_rules(info.code, Some(options)),
                None => {}
            };
            self.change_room(visit, room, settle).await?;
        }
        Ok(settings::rules(&room.place, game, &usual_rules(&room.profile, game), page))
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
        Scope::Chat => room.profile.setting(row, &room.place),
    }
}

/// All settings of the person or of the chat.
fn page(visit: &Visit<'_>, room: &Room, scope: Scope) -> Note {
    let here = &room.place;
    // Where a chat has no topics there is nothing to choose.
    let topics = here.0 != here.chat() || !room.profile.plays_in(here);
    let rows = Row::of(scope).iter().copied().filter(|it| topics || *it != Row::Where);
    let set: Vec<(Row, Arg)> = rows
        .map(|row| {
            let value = match present(visit, room, scope, row) {
                Some(value) => row.said(&value),
                None if row == Row::Vacation => own_vacation(visit),
                None => own_rules(&room.profile),
            };
            (row, value)
        })
        .collect();
    let may = scope == Scope::Person || room.admin;
    settings::page(room.whose(scope), &set, may, room.group)
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
    let own = |game: &&GameId| chat.rules_of(game.info().code).is_some();
    let name = |game: &GameId| Arg::from(Text::new(format!("game-{}", game.info().code)));
    let games: Vec<Arg> = GameId::all().iter().filter(own).map(name).collect();
    if games.is_empty() { Text::new("value-rules-usual").into() } else { Arg::List(games) }
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
