//! Notes into messages: words in a language, pictures drawn.

use std::sync::Arc;

use super::settings::Reader;
use super::tables::Held;
use super::{Failure, Inner};
use crate::chat::note::{Note, Picture};
use crate::chat::{Attachment, Button, Image, Outgoing, Update, Whisper, present};
use crate::games::{GameId, Heading};
use crate::i18n::Lang;
use crate::ids::TableId;
use crate::render::{HAND_WIDTH, standard_width};
use crate::rules::{Seat, Viewer};
use crate::scene::Scene;
use crate::table::event::Reason;
use crate::table::fair;
use crate::table::fold::{Phase, Table};
use crate::table::review;
use crate::words::{Arg, Rich, Span, Text};

impl Inner {
    /// What a person is told at once, in their language.
    pub(super) async fn whispers(&self, update: &Update, notes: Vec<Note>) -> Vec<Whisper> {
        if notes.is_empty() {
            return Vec::new();
        }
        let place = self.place(&update.place.id).await.unwrap_or_default();
        let mut person = self.person(&update.person.id).await.unwrap_or_default();
        let locale = update.person.locale.as_deref().and_then(Lang::of_locale);
        person.guess = locale.or(person.guess);
        let reader = person.reads(&place);
        let mut whispers = Vec::with_capacity(notes.len());
        for (n, note) in notes.into_iter().enumerate() {
            let nonce = format!("{}/{n}", update.id);
            match self.outgoing(&note, &reader, nonce, None).await {
                Ok(message) => {
                    let Note { brief, slot, secret, .. } = note.clone();
                    let note = Some(Box::new(note));
                    whispers.push(Whisper { message, brief, slot, secret, note });
                }
                Err(failure) => tracing::error!(%failure, "could not say an answer"),
            }
        }
        whispers
    }

    /// A note as a message for this reader. `table` is what its board shows, so that words,
    /// buttons and picture are of one state; without it the table is looked up.
    pub(super) async fn outgoing(
        &self,
        note: &Note,
        reader: &Reader,
        nonce: String,
        table: Option<&Table>,
    ) -> Result<Outgoing, Failure> {
        let lang = reader.lang;
        let mut text = self.say_lines(lang, &note.texts);
        let shown = match &note.picture {
            Some(picture) => self.draw(picture, reader, &text, table).await?,
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
            let button = |key: &crate::chat::note::Key| Button {
                label: self.label(lang, &key.label),
                press: key.press.clone(),
                tone: key.tone,
                begins: key.begins.clone(),
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
            nonce,
        })
    }

    pub(super) fn label(&self, lang: Lang, label: &Arg) -> String {
        match label {
            Arg::Text(text) => self.i18n.plain(lang, text),
            Arg::Plain(text) => text.clone(),
            Arg::Number(number) => number.to_string(),
            Arg::Mention { name, .. } => name.clone(),
            Arg::Seat(seat) => format!("{}", seat + 1),
            Arg::List(items) => {
                let said: Vec<_> = items.iter().map(|it| self.label(lang, it)).collect();
                said.join(", ")
            }
        }
    }

    fn say_lines(&self, lang: Lang, texts: &[Text]) -> Rich {
        let mut spans = Vec::new();
        for (n, text) in texts.iter().enumerate() {
            if n > 0 {
                spans.push(Span::Plain("\n".into()));
            }
            spans.extend(self.i18n.say(lang, text).0);
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
        let Some(held) = self.hold(&TableId(id.to_owned())).await? else { return Ok(None) };
        let table = held.table();
        let chart = match picture {
            Picture::Moment { step, seat, .. } => {
                return Ok(self.moment_shown(table, *step, *seat, lang));
            }
            Picture::Review { .. } => self.review_chart(table, lang).await?,
            Picture::Chart { .. }
            | Picture::Board { .. }
            | Picture::View { .. }
            | Picture::Hand { .. }
            | Picture::Lesson { .. } => self.chart(table, lang).await,
        };
        Ok(chart.map(|(scene, words)| (scene, Rich(vec![Span::Plain(words)]))))
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

    async fn draw(
        &self,
        picture: &Picture,
        reader: &Reader,
        text: &Rich,
        table: Option<&Table>,
    ) -> Result<Shown, Failure> {
        let lang = reader.lang;
        let (scene, alt) = match picture {
            Picture::Lesson { game, n } => {
                let scene = GameId::read(game).and_then(|it| it.lesson(*n));
                (scene, text.to_plain())
            }
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
                let held = match table {
                    Some(_) => None,
                    None => self.hold(&TableId(id.clone())).await?,
                };
                let Some(table) = table.or(held.as_ref().map(Held::table)) else {
                    return Ok(Shown::Nothing);
                };
                let viewer = viewer(picture, table, reader);
                let words = self.say_lines(lang, &present::board_text(table, viewer).texts);
                if reader.words {
                    return Ok(Shown::Words(words));
                }
                let names: Vec<_> = table.called().iter().map(|it| self.label(lang, it)).collect();
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
            | Picture::Lesson { .. } => standard_width(&scene),
        };
        let png = self.renderer.draw_async(scene, reader.theme.clone(), width).await;
        Ok(Shown::Image(Image { png, alt }))
    }

    /// The record of a finished game: its moves as others write them, and its log, which shows
    /// the seed.
    async fn record(&self, id: &TableId) -> Result<Option<Attachment>, Failure> {
        let Some(held) = self.hold(id).await? else { return Ok(None) };
        let lines = self.store.log(&id.0, 0).await?;
        let Some(text) = record_text(held.table(), &lines) else { return Ok(None) };
        let name = format!("{}-{}.txt", held.table().game_id().info().code, id.0);
        Ok(Some(Attachment::document(name, Arc::new(text.into_bytes()))))
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
        // In a private chat nobody else reads the board.
        Picture::Board { .. } if table.is_solo() && !table.game_id().info().hidden => {
            let own: Vec<u8> = table.seats_of(&table.setup.opener).collect();
            own.first().copied().filter(|_| own.len() == 1 && !reader.fixed)
        }
        Picture::Board { .. }
        | Picture::Chart { .. }
        | Picture::Review { .. }
        | Picture::Moment { .. }
        | Picture::Lesson { .. } => None,
    };
    seat.map_or(Viewer::Public, |seat| Viewer::Seat(Seat(seat)))
}

/// The board of a table as this viewer may see it; `None` before the start.
fn scene(table: &Table, viewer: Viewer, names: &[String]) -> Option<Scene> {
    let game = table.game.as_deref()?;
    let result = match &table.phase {
        Phase::Over { scores, reason } if *reason != Reason::Played => Some(scores.as_slice()),
        Phase::Over { .. } | Phase::Lobby | Phase::Playing | Phase::Closed { .. } => None,
    };
    Some(game.scene(viewer, names, result))
}

/// What stands between the record and the log in a record file.
pub const LOG_MARK: &str = "% log";

fn record_text(table: &Table, lines: &[String]) -> Option<String> {
    let Phase::Over { scores, reason } = &table.phase else { return None };
    let heading = Heading {
        names: table.names(),
        date: date(table.started_ms),
        site: "Caravanserai".into(),
        result: (*reason != Reason::Played).then(|| scores.clone()),
    };
    let steps: Vec<_> = table.steps.iter().map(|it| (it.seat.map(Seat), it.token)).collect();
    let game = table.game.as_deref()?;
    let mut text = game.record(&heading, &table.setup.options, &steps);
    let hinted = table.hinted().into_iter().filter_map(|(seat, count)| {
        Some(format!("{} {count}", heading.names.get(usize::from(seat))?))
    });
    let hinted: Vec<String> = hinted.collect();
    if !hinted.is_empty() {
        text.push_str(&format!("\n% hints {}", hinted.join(", ")));
    }
    text.push_str(&format!(
        "\n% table {}\n% commitment {}\n{LOG_MARK}\n",
        table.id.0,
        fair::commitment(&table.setup.seed)
    ));
    for line in lines {
        text.push_str(&format!("% {line}\n"));
    }
    Some(text)
}

/// The day of a time, as records write it: `2026.11.21` (UTC).
fn date(ms: u64) -> String {
    let seconds = i64::try_from(ms / 1000).unwrap_or_default();
    let day = time::OffsetDateTime::from_unix_timestamp(seconds)
        .unwrap_or(time::OffsetDateTime::UNIX_EPOCH)
        .date();
    format!("{:04}.{:02}.{:02}", day.year(), u8::from(day.month()), day.day())
}
