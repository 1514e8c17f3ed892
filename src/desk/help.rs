//! Answers that need no table: help, rules, languages, ways to confirm.

use super::Desk;
use super::visit::{Notes, Visit, brief};
use crate::chat::commands::{self, COMMANDS};
use crate::chat::done::posted;
use crate::chat::note::{Key, Note, Picture};
use crate::chat::request::Scope;
use crate::chat::{levels, panels};
use crate::games::GameId;
use crate::i18n::Lang;
use crate::ids::PlaceKind;
use crate::ledger::rows::{note_put, put};
use crate::search::Level;
use crate::store::{Commit, Space};
use crate::words::{Arg, Text};

impl Desk {
    /// Asks everybody: whoever presses opens the table, and the question becomes its board.
    pub(super) async fn choice_of_games(&self, visit: &mut Visit<'_>) -> Notes {
        let key = |game: GameId| {
            let code = game.info().code;
            vec![Key::new(Text::new(format!("game-{code}")), format!("o.{code}.here"))]
        };
        let keys = GameId::all().iter().copied().map(key).collect();
        let note = Note { texts: vec![Text::new("play-choose")], keys, ..Note::default() };
        let place = &visit.update.place.id;
        let puts = vec![note_put(place, &visit.update.id, note)];
        let notes = posted("done-below");
        let _ = self.enter(visit, Vec::new(), Commit::of(puts), &notes).await?;
        Ok(notes)
    }

    pub(super) fn help(&self, visit: &Visit<'_>) -> Vec<Note> {
        let group = visit.place.group;
        let lang = visit.person.speaks(&visit.place);
        let mut texts = vec![Text::new("help-title"), Text::new("help-move")];
        if !group {
            texts.push(Text::new("help-private"));
        }
        let levels = Level::ALL.map(|it| Arg::from(levels::name(it))).to_vec();
        texts.push(Text::new("help-computers").with("levels", Arg::List(levels)));
        texts.push(Text::new("help-commands"));
        for spec in COMMANDS.iter().filter(|it| if group { it.in_groups } else { it.in_private }) {
            let mut arguments =
                commands::arguments(spec, &|it| self.letters.i18n().plain(lang, it));
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
        visit: &mut Visit<'_>,
        lang: Option<Lang>,
        scope: Scope,
    ) -> Notes {
        let Some(lang) = lang else { return Ok(vec![language_choice(visit)]) };
        let key = match scope {
            Scope::Person => {
                visit.person.lang = Some(lang);
                let id = visit.update.person.id.0.clone();
                visit.learned.push(put(Space::Person, id, &visit.person));
                "answer-saved-person"
            }
            Scope::Chat if !visit.update.person.admin => return Ok(brief("refuse-admin-only")),
            Scope::Chat => {
                visit.place.lang = Some(lang);
                let id = visit.update.place.id.chat().to_owned();
                visit.learned.push(put(Space::Place, id, &visit.place));
                visit.learned.extend(self.boards_anew(&visit.update.place.id, |_| true).await?);
                "answer-saved-chat"
            }
        };
        self.ledger.keep(std::mem::take(&mut visit.learned)).await?;
        Ok(brief(key))
    }

    /// Whether this person's cards want a second press.
    pub(super) async fn confirm(&self, visit: &mut Visit<'_>, on: Option<bool>) -> Notes {
        if let Some(on) = on {
            visit.person.confirm = on;
            let id = visit.update.person.id.0.clone();
            visit.learned.push(put(Space::Person, id, &visit.person));
            self.ledger.keep(std::mem::take(&mut visit.learned)).await?;
        }
        let on = visit.person.confirm;
        let key = if on { "answer-confirm-is-on" } else { "answer-confirm-is-off" };
        let keys = vec![vec![panels::confirm_key(on)]];
        Ok(vec![Note { texts: vec![Text::new(key)], keys, ..Note::default() }])
    }
}

fn language_choice(visit: &Visit<'_>) -> Note {
    let row = |letter: &'static str, lang: Lang| {
        Key::new(Arg::Plain(lang.own_name().to_owned()), format!("{letter}.{}", lang.code()))
    };
    let own = Lang::all().iter().copied().map(|lang| row("s", lang)).collect();
    let mut keys = vec![own];
    if visit.update.place.kind == PlaceKind::Group && visit.update.person.admin {
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
