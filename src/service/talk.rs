//! Answers that need no table: help, rules, languages, lists.

use super::hear::{Heard, Notes, say};
use super::outbox::{BoardState, BoardTask, note_put};
use super::settings::put;
use super::{Failure, Inner, keys, settings};
use crate::chat::commands::{self, COMMANDS, Verb};
use crate::chat::note::{Key, Note, Picture};
use crate::chat::request::Scope;
use crate::chat::{Person, Place, present};
use crate::chat::{levels, panels};
use crate::games::GameId;
use crate::i18n::Lang;
use crate::ids::{MessageId, PlaceId, PlaceKind};
use crate::rules::Seat;
use crate::search::Level;
use crate::store::{Commit, Put, Space};
use crate::table::fold::Table;
use crate::words::{Arg, Text};

/// How many tables a list names.
const LISTED: usize = 15;

impl Inner {
    /// Asks everybody: whoever presses opens the table, and the question becomes its board.
    pub(super) async fn choice_of_games(&self, heard: &mut Heard<'_>) -> Notes {
        let key = |game: GameId| {
            let code = game.info().code;
            vec![Key::new(Text::new(format!("game-{code}")), format!("o.{code}.here"))]
        };
        let keys = GameId::all().iter().copied().map(key).collect();
        let note = Note { texts: vec![Text::new("play-choose")], keys, ..Note::default() };
        let place = &heard.update.place.id;
        let puts = vec![note_put(place, &heard.update.id, note)];
        self.commit_heard(heard, Commit { puts, ..Commit::default() }, &[]).await?;
        self.wake(&heard.update.place.id);
        Ok(Vec::new())
    }

    pub(super) fn help(&self, heard: &Heard<'_>) -> Vec<Note> {
        let group = heard.place.group;
        let lang = heard.person.speaks(&heard.place);
        let mut texts = vec![Text::new("help-title"), Text::new("help-move")];
        if !group {
            texts.push(Text::new("help-private"));
        }
        let levels = Level::ALL.map(|it| Arg::from(levels::name(it))).to_vec();
        texts.push(Text::new("help-computers").with("levels", Arg::List(levels)));
        texts.push(Text::new("help-commands"));
        for spec in COMMANDS.iter().filter(|it| if group { it.in_groups } else { it.in_private }) {
            let mut arguments = commands::arguments(spec, &|it| self.i18n.plain(lang, it));
            if !arguments.is_empty() {
                arguments.push(' ');
            }
            texts.push(
                Text::new("help-line")
                    .with("name", spec.name)
                    .with("arguments", arguments)
                    .with("about", Text::new(format!("command-{}", spec.name))),
            );
        }
        texts.push(Text::new("help-language"));
        let game = GameId::all()[0].info().code;
        let keys = vec![vec![
            Key::new(Text::new("button-rules"), format!("q.{game}.0")),
            Key::new(Text::new("button-play"), format!("o.{game}")),
        ]];
        vec![Note { texts, keys, ..Note::default() }]
    }

    pub(super) fn rules(&self, game: Option<GameId>, page: u8) -> Vec<Note> {
        let game = game.unwrap_or(GameId::all()[0]);
        let info = game.info();
        let page = page.min(info.lessons);
        let code = info.code;
        let (text, picture) = match page.checked_sub(1) {
            None => (Text::new(format!("{code}-summary")), None),
            Some(n) => {
                let picture = Picture::Lesson { game: code.to_owned(), n };
                (Text::new(format!("{code}-lesson-{page}")), Some(picture))
            }
        };
        let pages = Text::new("rules-page")
            .with("page", i64::from(page) + 1)
            .with("pages", i64::from(info.lessons) + 1);
        let mut keys = Vec::new();
        if page > 0 {
            keys.push(Key::new(Text::new("button-previous"), format!("q.{code}.{}", page - 1)));
        }
        if page < info.lessons {
            keys.push(Key::new(Text::new("button-next"), format!("q.{code}.{}", page + 1)));
        } else {
            keys.push(Key::new(Text::new("button-play"), format!("o.{code}")));
        }
        vec![Note { texts: vec![text, pages], picture, keys: vec![keys], ..Note::default() }]
    }

    pub(super) async fn language(
        &self,
        heard: &mut Heard<'_>,
        lang: Option<Lang>,
        scope: Scope,
    ) -> Notes {
        let Some(lang) = lang else { return Ok(vec![language_choice(heard)]) };
        let key = match scope {
            Scope::Person => {
                heard.person.lang = Some(lang);
                let id = heard.update.person.id.0.clone();
                heard.learned.push(put(Space::Person, id, &heard.person));
                "answer-saved-person"
            }
            Scope::Chat if !heard.update.person.admin => return Ok(say("refuse-admin-only")),
            Scope::Chat => {
                heard.place.lang = Some(lang);
                let id = heard.update.place.id.chat().to_owned();
                heard.learned.push(put(Space::Place, id, &heard.place));
                heard.learned.extend(self.boards_anew(&heard.update.place.id).await?);
                "answer-saved-chat"
            }
        };
        let learned = std::mem::take(&mut heard.learned);
        self.store.commit(Commit { puts: learned, ..Commit::default() }).await?;
        self.wake(&heard.update.place.id);
        Ok(say(key))
    }

    /// Whether this person's cards want a second press.
    pub(super) async fn confirm(&self, heard: &mut Heard<'_>, on: Option<bool>) -> Notes {
        if let Some(on) = on {
            heard.person.confirm = on;
            let id = heard.update.person.id.0.clone();
            heard.learned.push(put(Space::Person, id, &heard.person));
            let puts = std::mem::take(&mut heard.learned);
            self.store.commit(Commit { puts, ..Commit::default() }).await?;
        }
        let on = heard.person.confirm;
        let key = if on { "answer-confirm-is-on" } else { "answer-confirm-is-off" };
        let keys = vec![vec![panels::confirm_key(on)]];
        Ok(vec![Note { texts: vec![Text::new(key)], keys, ..Note::default() }])
    }

    /// Shows the open boards of a place again: they speak or look otherwise now.
    pub(super) async fn boards_anew(&self, place: &PlaceId) -> Result<Vec<Put>, Failure> {
        let mut puts = Vec::new();
        for id in self.open_tables(place).await? {
            if let Ok(Some(held)) = self.hold(&id).await {
                puts.push(BoardTask { down: false }.put(held.table()));
            }
        }
        Ok(puts)
    }

    pub(super) async fn games_of(&self, heard: &Heard<'_>) -> Notes {
        let person = &heard.update.person.id;
        let ids = self.tables_of(person).await?;
        if ids.is_empty() {
            return Ok(say("games-none"));
        }
        let mut texts = vec![Text::new("games-title")];
        let mut keys = Vec::new();
        for id in ids.iter().take(LISTED) {
            let Ok(Some(held)) = self.hold(id).await else { continue };
            let table = held.table();
            let mut line = present::line(table, person);
            if let Some(link) = self.link(table).await? {
                line = Text::new("list-linked").with("line", line).with("link", link);
            }
            texts.push(line);
            if table.place() == &heard.update.place.id && keys.len() < 5 {
                let press = format!("g.{}", id.0);
                keys.push(vec![Key::new(Arg::Plain(format!("⬇ {}", id.0)), press)]);
            }
        }
        if ids.len() > LISTED {
            texts.push(Text::new("games-more").with("count", (ids.len() - LISTED) as i64));
        }
        Ok(vec![Note { texts, keys, ..Note::default() }])
    }

    /// An address that opens the board of this table.
    async fn link(&self, table: &Table) -> Result<Option<String>, Failure> {
        let Some(message) = self.live_board(table).await? else { return Ok(None) };
        let place = table.place();
        Ok(self.platform(place).and_then(|it| it.link(place, &message)))
    }

    /// The standing message of a table.
    pub(super) async fn live_board(&self, table: &Table) -> Result<Option<MessageId>, Failure> {
        let key = keys::board(&table.id, table.place());
        let state: BoardState = settings::parse(self.store.get(Space::Board, &key).await?);
        Ok(state.message)
    }

    pub(super) async fn suggestions(
        &self,
        place: &Place,
        person: &Person,
        command: &str,
        typed: &str,
    ) -> Result<Vec<(String, String)>, Failure> {
        let Some(spec) = crate::chat::commands::find(command) else { return Ok(Vec::new()) };
        let memory = self.person(&person.id).await?;
        let guess = person.locale.as_deref().and_then(Lang::of_locale);
        let lang = memory.lang.or(guess).unwrap_or(self.place(&place.id).await?.speaks());
        let mut offers = Vec::new();
        for id in self.open_tables(&place.id).await? {
            let Ok(Some(held)) = self.hold(&id).await else { continue };
            let table = held.table();
            match spec.verb {
                Verb::Move => {
                    let turn = table.turn();
                    let own = turn.filter(|it| table.seats_of(&person.id).any(|own| own == *it));
                    if let (Some(seat), Some(game)) = (own, table.game.as_deref()) {
                        let choices = game.choices(Seat(seat)).into_iter();
                        offers.extend(choices.map(|it| (self.label(lang, &it.label), it.token)));
                    }
                }
                _ => {
                    let line = self.i18n.plain(lang, &present::line(table, &person.id));
                    offers.push((line, id.0));
                }
            }
        }
        offers.retain(|(label, value)| value.starts_with(typed) || label.contains(typed));
        offers.truncate(25);
        Ok(offers)
    }
}

fn language_choice(heard: &Heard<'_>) -> Note {
    let row = |letter: &'static str, lang: Lang| {
        Key::new(Arg::Plain(lang.own_name().to_owned()), format!("{letter}.{}", lang.code()))
    };
    let own = Lang::all().iter().copied().map(|lang| row("s", lang)).collect();
    let mut keys = vec![own];
    if heard.update.place.kind == PlaceKind::Group && heard.update.person.admin {
        keys.extend(Lang::all().chunks(2).map(|pair| {
            pair.iter()
                .map(|lang| {
                    let label = Text::new("button-for-chat").with("language", lang.own_name());
                    Key::new(label, format!("S.{}", lang.code()))
                })
                .collect()
        }));
    }
    Note { texts: vec![Text::new("answer-language")], keys, ..Note::default() }
}
