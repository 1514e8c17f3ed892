//! Notes into messages: words in a language, pictures drawn.

use std::sync::Arc;

use crate::ledger::profiles::Reader;
use crate::ledger::{Failure, Ledger};
use crate::minds::{Minds, drawn_names, label};
use caravanserai_games::GameId;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::scene::Scene;
use caravanserai_games::words::{Rich, Span, Text};
use caravanserai_i18n::{I18n, Lang, vocabulary};
use caravanserai_protocol::deals as chat_deals;
use caravanserai_protocol::note::{Key, Note, Picture};
use caravanserai_protocol::{
    Button, Image, Look, Outgoing, PrivateMessage, Whisper, clocks, course, looks, present,
};
use caravanserai_render::{HAND_WIDTH, Renderer, standard_width};
use caravanserai_table::event::Reason;
use caravanserai_table::fold::{Phase, Table};
use caravanserai_table::{deals, review};

/// Puts what is to be said into words of a language and pictures of a theme.
pub struct Letters {
    pub(super) ledger: Arc<Ledger>,
    pub(super) minds: Arc<Minds>,
    i18n: Arc<I18n>,
    pub(super) renderer: Arc<Renderer>,
}

impl Letters {
    /// Speaks these languages, draws with this.
    pub fn new(
        ledger: Arc<Ledger>,
        minds: Arc<Minds>,
        i18n: Arc<I18n>,
        renderer: Arc<Renderer>,
    ) -> Arc<Self> {
        Arc::new(Letters { ledger, minds, i18n, renderer })
    }

    /// All languages.
    pub fn i18n(&self) -> &I18n {
        &self.i18n
    }

    /// The drawings that boards of pages are made of, by the name of their sheet.
    pub fn drawings(&self, sheet: &str) -> Option<String> {
        self.renderer.sheet(sheet).map(str::to_owned)
    }

    /// What a person is told at once, in their language.
    pub async fn whispers(&self, update: &str, reader: &Reader, notes: Vec<Note>) -> Vec<Whisper> {
        let mut whispers = Vec::with_capacity(notes.len());
        for (n, note) in notes.into_iter().enumerate() {
            match self.private_message(&note, reader, format!("{update}/{n}"), None).await {
                Ok(message) => {
                    whispers.push(Whisper {
                        message,
                        brief: note.brief,
                        passing: note.passing,
                        posts: note.posts,
                        launches: note.launches,
                        slot: note.slot.clone(),
                        secret: note.secret,
                        note: Some(Box::new(note)),
                    });
                }
                Err(failure) => tracing::error!(%failure, "could not say an answer"),
            }
        }
        whispers
    }

    /// A note as a public message. `table` is what its board shows, so that words, buttons and
    /// picture are of one state; without it the table is looked up.
    ///
    /// # Errors
    /// When the store cannot be read, and for a note that only one person may read.
    pub async fn outgoing(
        &self,
        note: &Note,
        reader: &Reader,
        nonce: String,
        table: Option<&Table>,
    ) -> Result<Outgoing, Failure> {
        if let Some(Picture::Hand { table, .. }) = &note.picture {
            let why = "a bug: a hand was to be shown to everybody".to_owned();
            return Err(Failure::Damaged(TableId(table.clone()), why));
        }
        self.rendered(note, reader, nonce, table).await
    }

    /// The same for one person, who may be shown a hand.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn private_message(
        &self,
        note: &Note,
        reader: &Reader,
        nonce: String,
        table: Option<&Table>,
    ) -> Result<PrivateMessage, Failure> {
        self.rendered(note, reader, nonce, table).await.map(PrivateMessage::from)
    }

    async fn rendered(
        &self,
        note: &Note,
        reader: &Reader,
        nonce: String,
        table: Option<&Table>,
    ) -> Result<Outgoing, Failure> {
        let lang = reader.lang;
        let mut text = self.say_lines(lang, &note.texts);
        let shown = match &note.picture {
            Some(picture) => self.draw(picture, reader, table).await?,
            None => Shown::Nothing,
        };
        let image = match shown {
            Shown::Nothing => None,
            Shown::Image(image) => Some(image),
            Shown::Words(words) => {
                text.0.push(Span::Plain("\n".into()));
                text.0.extend(words.0);
                None
            }
        };
        let file = match &note.record_of {
            Some(table) => self.record(&TableId(table.clone())).await?,
            None => None,
        };
        let buttons = note.keys.iter().map(|row| {
            let button = |key: &Key| Button {
                label: label(&self.i18n, lang, &key.label),
                press: key.press.clone(),
                tone: key.tone,
                begins: key.begins.clone(),
                opens: key.opens.clone(),
            };
            row.iter().map(button).collect()
        });
        Ok(Outgoing {
            text,
            image,
            file,
            buttons: buttons.collect(),
            loud: note.loud,
            reply_to: note.reply_to.clone(),
            answers: None,
            waits_for: None,
            table: shows(note.picture.as_ref()),
            look: Look::of(note),
            nonce,
        })
    }

    fn say_lines(&self, lang: Lang, texts: &[Text]) -> Rich {
        let (mut spans, now_ms) = (Vec::new(), self.ledger.now_ms());
        for (n, text) in texts.iter().enumerate() {
            if n > 0 {
                spans.push(Span::Plain("\n".into()));
            }
            let text = text.clone().timed(&|it| clocks::told(it, now_ms));
            spans.extend(self.i18n.say(lang, &text).0);
        }
        Rich(spans)
    }

    /// What is shown of how a game went: to look at and in words.
    async fn looked_back(
        &self,
        picture: &Picture,
        id: &str,
        lang: Lang,
    ) -> Result<Option<(Scene, Rich)>, Failure> {
        let Some(table) = self.ledger.look(&TableId(id.to_owned())).await? else {
            return Ok(None);
        };
        let table = &*table;
        let chart = match picture {
            Picture::Moment { step, seat, .. } => {
                return Ok(self.moment_shown(table, *step, *seat, lang));
            }
            Picture::Review { .. } => {
                let chart = self.minds.review_chart(table, lang).await?;
                chart.map(|(scene, words, _)| (scene, words))
            }
            Picture::Chart { .. }
            | Picture::Board { .. }
            | Picture::View { .. }
            | Picture::Hand { .. }
            | Picture::Deal { .. }
            | Picture::Themes { .. }
            | Picture::Lesson { .. } => self.minds.chart(table, lang).await,
        };
        Ok(chart.map(|(scene, words)| (scene, Rich(vec![Span::Plain(words)]))))
    }

    /// The same picture in every theme, each with its name.
    async fn themes(&self, game: &str, lang: Lang) -> Shown {
        let first = |game: GameId| game.shown(game.pages().first()?, None, vocabulary(), &[]);
        let Some(scene) = GameId::read(game).and_then(first).map(|it| it.scene) else {
            return Shown::Nothing;
        };
        let names: Vec<(String, String)> = looks::THEMES
            .iter()
            .map(|it| ((*it).to_owned(), self.i18n.plain(lang, &looks::name(it))))
            .collect();
        let alt = names.iter().map(|it| it.1.as_str()).collect::<Vec<_>>().join(", ");
        let png = self.renderer.themes_side_by_side_async(scene, names).await;
        Shown::Image(Image { png, alt })
    }

    /// What those who play are called on pictures.
    pub(super) fn names(&self, table: &Table, lang: Lang) -> Vec<String> {
        drawn_names(self.renderer.fonts(), &self.i18n, table, lang)
    }

    /// A finished game as it was before a step, as a seat saw it.
    fn moment_shown(
        &self,
        table: &Table,
        step: u32,
        seat: u8,
        lang: Lang,
    ) -> Option<(Scene, Rich)> {
        let game = review::at(table, step).filter(|_| review::can_be(table))?;
        let viewer = Viewer::Seat(Seat(seat));
        let texts = game.board_text(viewer).into_iter();
        let texts: Vec<Text> = texts.map(|it| present::seated(table, it)).collect();
        Some((game.scene(viewer, &self.names(table, lang), None), self.say_lines(lang, &texts)))
    }

    /// What a page of a course shows, to look at and in words.
    pub(super) fn taught(
        &self,
        game: &str,
        page: &str,
        tried: Option<&str>,
        lang: Lang,
    ) -> Option<(Scene, Rich)> {
        let game = GameId::read(game)?;
        let seats = 0..game.info().seats.1;
        let names: Vec<String> =
            seats.map(|seat| self.i18n.plain(lang, &course::player(seat))).collect();
        let shown = game.shown(page, tried, vocabulary(), &names)?;
        let words: Vec<Text> = shown.words.into_iter().map(course::named).collect();
        Some((shown.scene, self.say_lines(lang, &words)))
    }

    /// The hands of a deal that is over. Whoever wants words has them already, beside it.
    async fn laid_open(&self, id: &str, n: u8, reader: &Reader) -> Result<Shown, Failure> {
        let table = match reader.words {
            true => None,
            false => self.ledger.look(&TableId(id.to_owned())).await?,
        };
        let Some(table) = table else { return Ok(Shown::Nothing) };
        let open = deals::laid_open(&table, &self.names(&table, reader.lang));
        let Some(laid) = chat_deals::picked(open, n) else { return Ok(Shown::Nothing) };
        let hands = laid.hands.into_iter().map(|it| present::seated(&table, it));
        let alt = self.say_lines(reader.lang, &hands.collect::<Vec<_>>()).to_plain();
        let width = standard_width(&laid.scene);
        let png = self.renderer.draw_async(laid.scene, reader.theme.clone(), width).await;
        Ok(Shown::Image(Image { png, alt }))
    }

    async fn draw(
        &self,
        picture: &Picture,
        reader: &Reader,
        table: Option<&Table>,
    ) -> Result<Shown, Failure> {
        let lang = reader.lang;
        let (scene, alt) = match picture {
            Picture::Lesson { game, page, tried } => {
                let Some((scene, words)) = self.taught(game, page, tried.as_deref(), lang) else {
                    return Ok(Shown::Nothing);
                };
                if reader.words {
                    return Ok(Shown::Words(words));
                }
                (Some(scene), words.to_plain())
            }
            Picture::Themes { game } => return Ok(self.themes(game, lang).await),
            Picture::Deal { table, n } => return self.laid_open(table, *n, reader).await,
            Picture::Chart { table: id }
            | Picture::Review { table: id }
            | Picture::Moment { table: id, .. } => {
                let Some((scene, words)) = self.looked_back(picture, id, lang).await? else {
                    return Ok(Shown::Nothing);
                };
                if reader.words {
                    return Ok(Shown::Words(words));
                }
                (Some(scene), words.to_plain())
            }
            Picture::Board { table: id }
            | Picture::View { table: id, .. }
            | Picture::Hand { table: id, .. } => {
                let looked = match table {
                    Some(_) => None,
                    None => self.ledger.look(&TableId(id.clone())).await?,
                };
                let Some(table) = table.or(looked.as_deref()) else {
                    return Ok(Shown::Nothing);
                };
                let viewer = viewer(picture, table, reader);
                let words = self.say_lines(lang, &present::board_text(table, viewer).texts);
                if reader.words {
                    return Ok(Shown::Words(words));
                }
                let names = self.names(table, lang);
                (scene(table, viewer, &names), words.to_plain())
            }
        };
        let Some(scene) = scene else { return Ok(Shown::Nothing) };
        let width = match picture {
            Picture::Hand { .. } => HAND_WIDTH,
            Picture::Board { .. }
            | Picture::View { .. }
            | Picture::Chart { .. }
            | Picture::Review { .. }
            | Picture::Moment { .. }
            | Picture::Deal { .. }
            | Picture::Themes { .. }
            | Picture::Lesson { .. } => standard_width(&scene),
        };
        let png = self.renderer.draw_async(scene, reader.theme.clone(), width).await;
        Ok(Shown::Image(Image { png, alt }))
    }
}

/// The table whose board or hand a picture is.
fn shows(picture: Option<&Picture>) -> Option<TableId> {
    match picture? {
        Picture::Board { table } | Picture::View { table, .. } | Picture::Hand { table, .. } => {
            Some(TableId(table.clone()))
        }
        Picture::Chart { .. }
        | Picture::Review { .. }
        | Picture::Moment { .. }
        | Picture::Deal { .. }
        | Picture::Themes { .. }
        | Picture::Lesson { .. } => None,
    }
}

/// What comes of a picture for a reader.
enum Shown {
    /// There is nothing to see yet.
    Nothing,
    /// They want to read it.
    Words(Rich),
    /// They want to see it.
    Image(Image),
}

/// Who looks at a picture: nobody in particular, or the one whose side is to be below.
fn viewer(picture: &Picture, table: &Table, reader: &Reader) -> Viewer {
    let seat = match picture {
        Picture::Hand { seat, .. } => Some(*seat),
        Picture::View { seat, .. } => Some(*seat).filter(|_| !reader.fixed),
        // Nobody else plays on this board: whoever plays alone against computers sits below.
        Picture::Board { .. } if !table.game_id().info().hidden => {
            table.lone_seat().filter(|_| !reader.fixed || !table.is_solo())
        }
        Picture::Board { .. }
        | Picture::Chart { .. }
        | Picture::Review { .. }
        | Picture::Moment { .. }
        | Picture::Deal { .. }
        | Picture::Themes { .. }
        | Picture::Lesson { .. } => None,
    };
    seat.map_or(Viewer::Public, |seat| Viewer::Seat(Seat(seat)))
}

/// The board of a table as this viewer may see it; `None` before the start.
fn scene(table: &Table, viewer: Viewer, names: &[String]) -> Option<Scene> {
    let (game, result) = (table.game.as_deref()?, ended(table));
    Some(match (viewer, table.side_for_all()) {
        (Viewer::Public, Some(below)) => game.scene_seen_from(viewer, Seat(below), names, result),
        _ => game.scene(viewer, names, result),
    })
}

/// The points by seat of a game that ended otherwise than by its rules.
pub(super) fn ended(table: &Table) -> Option<&[i32]> {
    match &table.phase {
        Phase::Over { scores, reason } if *reason != Reason::Played => Some(scores),
        Phase::Over { .. } | Phase::Lobby | Phase::Playing | Phase::Closed { .. } => None,
    }
}
