//! Themes, turned boards, words instead of pictures: what people and chats choose, and the private
//! look at a board.

use super::Desk;
use super::visit::{Notes, Visit, brief};
use crate::chat::hands;
use crate::chat::looks::{self, Looks};
use crate::chat::note::{Key, Note, Picture};
use crate::chat::present;
use crate::chat::press::{Ask, TablePress};
use crate::chat::request::Scope;
use crate::games::GameId;
use crate::ids::PlaceKind;
use crate::ledger::Failure;
use crate::ledger::rows::put;
use crate::rules::{Seat, Viewer};
use crate::store::Space;
use crate::table::fold::Table;
use crate::words::{Arg, Text};

impl Desk {
    /// Chooses how boards look.
    pub(super) async fn looks(&self, visit: &mut Visit<'_>, looks: Looks) -> Notes {
        match looks {
            Looks::Theme { foreign: true, .. } => {
                let known = looks::THEMES.iter().map(|it| Arg::from(looks::name(it))).collect();
                let text = Text::new("refuse-theme").with("themes", Arg::Names(known));
                Ok(vec![Note::brief(text)])
            }
            Looks::Theme { theme: None, .. } => Ok(vec![theme_choice(visit)]),
            Looks::Theme { theme: Some(theme), scope: Scope::Person, .. } => {
                visit.person.theme = Some(theme.to_owned());
                self.keep_person(visit).await?;
                let text = Text::new("answer-theme-person").with("theme", looks::name(theme));
                let group = visit.update.place.kind == PlaceKind::Group;
                // One board stands there for all of them.
                let stays = group.then(|| Text::new("answer-theme-shared"));
                let texts = [text].into_iter().chain(stays).collect();
                Ok(vec![Note { picture: Some(sample()), ..Note::lasting(texts) }])
            }
            Looks::Theme { theme: Some(_), .. } if !visit.update.person.admin => {
                Ok(brief("refuse-admin-only"))
            }
            Looks::Theme { theme: Some(theme), .. } => {
                visit.place.theme = Some(theme.to_owned());
                let id = visit.update.place.id.chat().to_owned();
                visit.learned.push(put(Space::Place, id, &visit.place));
                visit.learned.extend(self.boards_anew(&visit.update.place.id, |_| true).await?);
                self.keep(visit).await?;
                let text = Text::new("answer-theme-chat").with("theme", looks::name(theme));
                Ok(vec![Note::brief(text)])
            }
            Looks::Turned(turned) => {
                visit.person.fixed = !turned;
                self.keep_person(visit).await?;
                let key = if turned { "answer-turned-is-on" } else { "answer-turned-is-off" };
                Ok(vec![with_key(key, looks::turned_key(turned))])
            }
            Looks::Words(words) => {
                visit.person.words = words;
                self.keep_person(visit).await?;
                let key = if words { "answer-words-is-on" } else { "answer-words-is-off" };
                Ok(vec![with_key(key, looks::words_key(words))])
            }
            Looks::Quick(quick) => {
                if let Some(quick) = quick {
                    visit.person.quick = quick;
                    self.keep_person(visit).await?;
                }
                let quick = visit.person.quick;
                let key = if quick { "answer-pace-is-quick" } else { "answer-pace-is-calm" };
                Ok(vec![with_key(key, looks::pace_key(quick))])
            }
        }
    }

    /// Remembers the person, and shows them anew what stands in their private chat.
    async fn keep_person(&self, visit: &mut Visit<'_>) -> Result<(), Failure> {
        let id = visit.update.person.id.0.clone();
        visit.learned.push(put(Space::Person, id, &visit.person));
        if visit.update.place.kind == PlaceKind::Private {
            visit.learned.extend(self.boards_anew(&visit.update.place.id, |_| true).await?);
        }
        self.keep(visit).await
    }

    async fn keep(&self, visit: &mut Visit<'_>) -> Result<(), Failure> {
        let puts = std::mem::take(&mut visit.learned);
        self.ledger.keep(puts).await
    }

    /// The board as whoever asks wants to see it, for them alone.
    pub(super) fn own_view(&self, visit: &Visit<'_>, table: &Table) -> Vec<Note> {
        let Some(game) = table.game.as_deref() else { return brief("refuse-not-started") };
        let seat = table.seats_of(&visit.update.person.id).next();
        if let (Some(seat), true) = (seat, hands::are_dealt(table)) {
            return vec![hands::hand(table, seat, self.means(visit, table))];
        }
        let id = table.id.0.clone();
        let picture = match seat {
            Some(seat) => Picture::View { table: id, seat },
            None => Picture::Board { table: id },
        };
        let texts = game.caption(seat.map_or(Viewer::Public, |it| Viewer::Seat(Seat(it))));
        let keys = vec![vec![looks::turned_key(!visit.person.fixed)]];
        let note = Note { picture: Some(picture), keys, ..Note::lasting(texts) };
        vec![present::named(table, note)]
    }

    /// The board in words, with the way to have it so always.
    pub(super) fn own_text(&self, visit: &Visit<'_>, table: &Table, viewer: Viewer) -> Vec<Note> {
        let note = present::board_text(table, viewer);
        let ask = TablePress { table: table.id.clone(), ask: Ask::View };
        let look = Key::new(Text::new("button-view"), ask.write());
        vec![Note { keys: vec![vec![look, looks::words_key(visit.person.words)]], ..note }]
    }
}

fn with_key(answer: &'static str, key: Key) -> Note {
    Note { keys: vec![vec![key]], ..Note::lasting(vec![Text::new(answer)]) }
}

fn theme_choice(visit: &Visit<'_>) -> Note {
    let for_chat = visit.update.place.kind == PlaceKind::Group && visit.update.person.admin;
    Note {
        texts: vec![Text::new("answer-theme")],
        picture: Some(Picture::Themes { game: GameId::all()[0].info().code.to_owned() }),
        keys: looks::keys(for_chat),
        ..Note::default()
    }
}

/// A picture that shows what the theme of the reader looks like.
fn sample() -> Picture {
    let game = GameId::all()[0];
    let page = game.pages().first().copied().unwrap_or_default().to_owned();
    Picture::Lesson { game: game.info().code.to_owned(), page, tried: None }
}
