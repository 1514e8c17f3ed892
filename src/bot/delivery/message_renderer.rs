//! Renders views as messages: text in a language, and pictures.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::RwLock;

use super::account_stores::{AccountStoreOpener, AccountStores};
use crate::commands::theme::{THEMES, theme_name};
use crate::commands::top::PLACES_SHOWN;
use crate::personal_data::export::{EXPORTED_HISTORY_MAX, ExportSource, export_archive};
use crate::personal_data::export_limit::release_export;
use crate::repository::profiles::DisplayPrefs;
use crate::repository::{Failure, Repository};
use crate::results::queries::HistoryFilter;
use crate::results::row_formats::LeaderboardEntry;
use crate::views::deal_views as chat_deals;
use crate::views::head_to_head::HeadToHeadCurve;
use crate::views::rating_curve::{RatingCurve, side_mark};
use crate::views::result_views::{latest_games_text, rating_label, short_list_name};
use crate::views::{board_view, clock_views, course_views};
use crate::workers::{Workers, drawable_names, drawable_player_names, label_text};
use caravanserai_games::GameId;
use caravanserai_games::chart::{ChartSample, chart_scene, curve_scene};
use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_games::ranking::{RankingRow, ranking_scene};
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::scene::Scene;
use caravanserai_games::text::{RichSpan, RichText, Text};
use caravanserai_i18n::{I18n, Lang, vocabulary};
use caravanserai_protocol::view::{ButtonSpec, PictureRef, View};
use caravanserai_protocol::{
    Attachment, Button, EphemeralReply, Image, OutgoingMessage, Platform, PrivateMessage,
    ViewerPage,
};
use caravanserai_render::{HAND_WIDTH, Renderer, standard_width};
use caravanserai_results::{RatingList, RatingScope};
use caravanserai_store::StoreError;
use caravanserai_table::state::Table;
use caravanserai_table::{finished_deals, review};

/// Renders views in a language and a theme.
pub struct MessageRenderer {
    pub(crate) repository: Arc<Repository>,
    pub(crate) workers: Arc<Workers>,
    i18n: Arc<I18n>,
    pub(crate) renderer: Arc<Renderer>,
    /// The connected platforms by name, shared with the delivery.
    pub(super) platforms: Arc<RwLock<HashMap<&'static str, Arc<dyn Platform>>>>,
    /// Functions that open the data of a platform in the store, by platform.
    account_openers: RwLock<HashMap<&'static str, AccountStoreOpener>>,
}

impl MessageRenderer {
    /// Creates a renderer with these languages and this picture renderer.
    pub fn new(
        repository: Arc<Repository>,
        workers: Arc<Workers>,
        i18n: Arc<I18n>,
        renderer: Arc<Renderer>,
    ) -> Arc<Self> {
        let platforms = Arc::default();
        let account_openers = RwLock::default();
        Arc::new(MessageRenderer {
            repository,
            workers,
            i18n,
            renderer,
            platforms,
            account_openers,
        })
    }

    /// Runs a slow computation off the async threads.
    pub async fn run_blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&MessageRenderer) -> T + Send + 'static,
    ) -> Option<T> {
        let message_renderer = Arc::clone(self);
        let result = self.renderer.run_blocking(move || work(&message_renderer)).await;
        let log_panic = |error: &_| tracing::error!(%error, "a blocking computation panicked");
        result.inspect_err(log_panic).ok()
    }

    /// Lets the data of a platform be exported and deleted while it is not connected.
    pub fn add_account_store(&self, platform: &'static str, open: AccountStoreOpener) {
        self.account_openers.write().insert(platform, open);
    }

    /// The data that platforms store about people.
    pub fn account_stores(&self) -> AccountStores {
        AccountStores::of(&self.platforms.read(), &self.account_openers.read())
    }

    /// The workers that make what takes long.
    pub(crate) fn workers(&self) -> &Workers {
        &self.workers
    }

    /// The texts of all languages.
    pub fn i18n(&self) -> &I18n {
        &self.i18n
    }

    /// The SVG sheet with the drawings of boards on web pages, by its name.
    pub fn sprite_sheet(&self, sheet: &str) -> Option<String> {
        self.renderer.sheet(sheet).map(str::to_owned)
    }

    /// The immediate private replies to a person, in their language.
    pub async fn ephemeral_replies(
        &self,
        update: &str,
        reader: &DisplayPrefs,
        views: Vec<View>,
    ) -> Vec<EphemeralReply> {
        let mut replies = Vec::with_capacity(views.len());
        for (n, view) in views.into_iter().enumerate() {
            match self.render_private(&view, reader, format!("{update}/{n}"), None).await {
                Ok(message) => replies.push(ephemeral_reply(message, view)),
                Err(failure) => {
                    tracing::error!(%failure, "failed to render a reply");
                    if let Some(person) = &view.data_of {
                        self.release_export(person, update).await;
                        let sorry = View::brief(Text::new("refuse-trouble"));
                        let nonce = format!("{update}/{n}");
                        let rendered = self.render_private(&sorry, reader, nonce, None).await;
                        replies.extend(rendered.ok().map(|it| ephemeral_reply(it, sorry)));
                    }
                }
            }
        }
        replies
    }

    /// Lets a person ask again for the archive of their data, which could not be made.
    async fn release_export(&self, person: &PersonId, update: &str) {
        if let Err(failure) = release_export(&self.repository, person, update).await {
            tracing::error!(%failure, "failed to release the archive of a person");
        }
    }

    /// Renders a view as a public message. `table` is the table that its board shows, so that text,
    /// buttons and picture are of one state; without it the table is loaded.
    ///
    /// # Errors
    /// When the store cannot be read, and for a view that is for one person only.
    pub async fn render_outgoing(
        &self,
        view: &View,
        reader: &DisplayPrefs,
        nonce: String,
        table: Option<&Table>,
    ) -> Result<OutgoingMessage, Failure> {
        if let Some(PictureRef::Hand { table, .. }) = &view.picture {
            let why = "a bug: a hand would have been shown to everybody".to_owned();
            return Err(Failure::Damaged(TableId(table.clone()), why));
        }
        if view.data_of.is_some() {
            let why = "a bug: the data of a person would have been shown to everybody".to_owned();
            return Err(StoreError::Failed(why).into());
        }
        self.render_view(view, reader, nonce, table).await
    }

    /// Renders a view for one person, who may be shown a hand.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn render_private(
        &self,
        view: &View,
        reader: &DisplayPrefs,
        nonce: String,
        table: Option<&Table>,
    ) -> Result<PrivateMessage, Failure> {
        self.render_view(view, reader, nonce, table).await.map(PrivateMessage::from)
    }

    async fn render_view(
        &self,
        view: &View,
        reader: &DisplayPrefs,
        nonce: String,
        table: Option<&Table>,
    ) -> Result<OutgoingMessage, Failure> {
        let lang = reader.lang;
        let mut text = self.render_lines(lang, &view.texts);
        let shown = match &view.picture {
            Some(picture) => self.draw_picture(picture, reader, table).await?,
            None => RenderedPicture::Empty,
        };
        let image = match shown {
            RenderedPicture::Empty => None,
            RenderedPicture::Image(image) => Some(image),
            RenderedPicture::Text(words) => {
                text.0.push(RichSpan::Plain("\n".into()));
                text.0.extend(words.0);
                None
            }
        };
        let file = match (&view.record_of, &view.data_of) {
            (Some(table), _) => self.record_file(&TableId(table.clone())).await?,
            (None, Some(person)) => {
                Some(self.export_file(person, view.data_chat.clone(), lang).await?)
            }
            (None, None) => None,
        };
        let buttons = view.button_rows.iter().map(|row| {
            let button = |key: &ButtonSpec| Button {
                label: label_text(&self.i18n, lang, &key.label),
                callback_data: key.callback_data.clone(),
                tone: key.tone,
                inline_query: key.inline_query.clone(),
                link: key.link.clone(),
            };
            row.iter().map(button).collect()
        });
        Ok(OutgoingMessage {
            text,
            image,
            file,
            buttons: buttons.collect(),
            notification: view.notification,
            reply_to: view.reply_to.clone(),
            answers_update: None,
            awaited_person: None,
            board: None,
            table: pictured_table(view.picture.as_ref()),
            viewer_page: ViewerPage::of_view(view),
            nonce,
        })
    }

    /// Everything that is stored about a person, as a file.
    async fn export_file(
        &self,
        person: &PersonId,
        private_chat: Option<ChatId>,
        lang: Lang,
    ) -> Result<Attachment, Failure> {
        let profile = self.repository.profiles().load_person(person).await?;
        let accounts: Vec<PersonId> =
            std::iter::once(person.clone()).chain(profile.accounts).collect();
        let readers = accounts.iter().cloned().collect();
        let known_chats = self.repository.profiles().private_chats_of(&readers).await?;
        let own_chats = known_chats.into_values().flatten().chain(private_chat).collect();
        let platforms = self.platforms.read().clone();
        let account_stores = self.account_stores();
        let repository = &self.repository;
        let history = repository.results().history(person, 0, EXPORTED_HISTORY_MAX).await?.entries;
        let source = ExportSource {
            repository,
            person,
            accounts,
            own_chats,
            history,
            platforms,
            account_stores,
        };
        export_archive(&source, &self.i18n, lang).await
    }

    fn render_lines(&self, lang: Lang, texts: &[Text]) -> RichText {
        let mut spans = Vec::new();
        let now_ms = self.repository.now_ms();
        for (n, text) in texts.iter().enumerate() {
            if n > 0 {
                spans.push(RichSpan::Plain("\n".into()));
            }
            let text = text.clone().with_time_texts(&|it| clock_views::moment_text(it, now_ms));
            spans.extend(self.i18n.translate(lang, &text).0);
        }
        RichText(spans)
    }

    /// The chart of a game with its text.
    async fn chart_scene(
        &self,
        picture: &PictureRef,
        id: &str,
        lang: Lang,
    ) -> Result<Option<(Scene, RichText)>, Failure> {
        let Some(table) = self.repository.load_table(&TableId(id.to_owned())).await? else {
            return Ok(None);
        };
        let table = &*table;
        let chart = match picture {
            PictureRef::Moment { step, seat, .. } => {
                return Ok(self.moment_scene(table, *step, *seat, lang));
            }
            PictureRef::Review { .. } => {
                let chart = self.workers.review_chart(table, lang).await?;
                chart.map(|(scene, words, _)| (scene, words))
            }
            PictureRef::Chart { .. }
            | PictureRef::Board { .. }
            | PictureRef::View { .. }
            | PictureRef::Hand { .. }
            | PictureRef::Deal { .. }
            | PictureRef::Ratings { .. }
            | PictureRef::HeadToHead { .. }
            | PictureRef::Ranking { .. }
            | PictureRef::Themes { .. }
            | PictureRef::Lesson { .. } => self.workers.score_chart(table, lang).await,
        };
        Ok(chart.map(|(scene, words)| (scene, RichText(vec![RichSpan::Plain(words)]))))
    }

    /// The chart of a person's ratings with its text.
    async fn rating_scene(
        &self,
        person: &str,
        lang: Lang,
    ) -> Result<Option<(Scene, String)>, Failure> {
        let person = PersonId(person.to_owned());
        let results = self.repository.results();
        let games = results.history(&person, 0, RatingCurve::GAMES_MAX).await?.entries;
        let Some(curve) = RatingCurve::of_games(&games) else { return Ok(None) };
        let name = |it: &RatingList| self.i18n.translate_plain(lang, &short_list_name(it));
        let names: Vec<String> = curve.lists.iter().map(name).collect();
        let words = legend_text(&names, &curve.sample);
        Ok(Some((curve_scene(&curve.sample, &names, &curve.values), words)))
    }

    /// The chart of the games between two people in a chat, as the first one ended them, with its
    /// text; `None` without a chat.
    async fn head_to_head_scene(
        &self,
        person: &str,
        opponent: &str,
        chat: &str,
        lang: Lang,
    ) -> Result<Option<(Scene, String)>, Failure> {
        // Private games have no chat.
        if chat.is_empty() {
            return Ok(None);
        }
        let [person, opponent] = [person, opponent].map(|it| PersonId(it.to_owned()));
        let filter = HistoryFilter::against(opponent.clone(), chat);
        let (games, has_older) = self.repository.results().filter_latest(&person, &filter).await?;
        let Some(curve) = HeadToHeadCurve::of_games(&games, &opponent) else { return Ok(None) };
        let names = drawable_names(self.renderer.fonts(), curve.names);
        let mut words = legend_text(&names, &curve.sample);
        if has_older {
            words.push('\n');
            words.push_str(&self.i18n.translate_plain(lang, &latest_games_text()));
        }
        Ok(Some((chart_scene(&curve.sample, &names, &curve.values), words)))
    }

    /// The first places of a rating list as a chart, with its text.
    async fn ranking_scene(
        &self,
        scope: &str,
        list: &str,
    ) -> Result<Option<(Scene, String)>, Failure> {
        let (Some(scope), Some(list)) = (RatingScope::parse(scope), RatingList::parse(list)) else {
            return Ok(None);
        };
        let mark = side_mark(list.game(), 0);
        let chat = scope.chat.clone().unwrap_or_default();
        let results = self.repository.results();
        let places = results.leaderboard(&scope, &chat, list, PLACES_SHOWN).await?;
        let names = drawable_names(self.renderer.fonts(), places.iter().map(|it| it.name.clone()));
        let row = |(name, place): (String, &LeaderboardEntry)| RankingRow {
            name,
            value: place.rating,
            label: rating_label(place.rating, place.is_provisional),
        };
        let rows: Vec<RankingRow> = names.into_iter().zip(&places).map(row).collect();
        let line = |(rank, it): (usize, &RankingRow)| format!("{rank}. {} {}", it.name, it.label);
        let words: Vec<String> = (1..).zip(&rows).map(line).collect();
        Ok(mark.and_then(|mark| Some((ranking_scene(mark, &rows)?, words.join("\n")))))
    }

    /// The same picture in every theme, each with its name.
    async fn theme_samples(&self, game: &str, lang: Lang) -> RenderedPicture {
        let first = |game: GameId| game.page_view(game.pages().first()?, None, vocabulary(), &[]);
        let Some(scene) = GameId::from_code(game).and_then(first).map(|it| it.scene) else {
            return RenderedPicture::Empty;
        };
        let names: Vec<(String, String)> = THEMES
            .iter()
            .map(|it| ((*it).to_owned(), self.i18n.translate_plain(lang, &theme_name(it))))
            .collect();
        let alt = names.iter().map(|it| it.1.as_str()).collect::<Vec<_>>().join(", ");
        let png = self.renderer.themes_side_by_side_async(scene, names).await;
        RenderedPicture::Image(Image { png, alt })
    }

    /// The names of the players on pictures.
    pub(crate) fn player_names(&self, table: &Table, lang: Lang) -> Vec<String> {
        drawable_player_names(self.renderer.fonts(), &self.i18n, table, lang)
    }

    /// A finished game before a step, as a seat saw it.
    fn moment_scene(
        &self,
        table: &Table,
        step: u32,
        seat: u8,
        lang: Lang,
    ) -> Option<(Scene, RichText)> {
        let game = review::game_after_steps(table, step).filter(|_| review::can_review(table))?;
        let viewer = Viewer::Seat(Seat(seat));
        let texts = game.board_text(viewer).into_iter();
        let texts: Vec<Text> = texts.map(|it| board_view::insert_player_names(table, it)).collect();
        Some((
            game.scene(viewer, &self.player_names(table, lang), None),
            self.render_lines(lang, &texts),
        ))
    }

    /// The picture and text of a page of a course.
    pub(crate) fn lesson_scene(
        &self,
        game: &str,
        page: &str,
        tried: Option<&str>,
        lang: Lang,
    ) -> Option<(Scene, RichText)> {
        let game = GameId::from_code(game)?;
        let seats = 0..game.info().seats.most;
        let names: Vec<String> = seats
            .map(|seat| self.i18n.translate_plain(lang, &course_views::lesson_player_name(seat)))
            .collect();
        let shown = game.page_view(page, tried, vocabulary(), &names)?;
        let words: Vec<Text> =
            shown.words.into_iter().map(course_views::with_lesson_names).collect();
        Some((shown.scene, self.render_lines(lang, &words)))
    }

    /// The picture of the revealed hands of a finished deal. A reader who prefers text already has
    /// them in the message.
    async fn revealed_hands(
        &self,
        id: &str,
        n: u8,
        reader: &DisplayPrefs,
    ) -> Result<RenderedPicture, Failure> {
        let table = match reader.text_boards {
            true => None,
            false => self.repository.load_table(&TableId(id.to_owned())).await?,
        };
        let Some(table) = table else { return Ok(RenderedPicture::Empty) };
        let deals = finished_deals::finished_deals(&table, &self.player_names(&table, reader.lang));
        let Some(deal) = chat_deals::select_deal(deals, n) else {
            return Ok(RenderedPicture::Empty);
        };
        let hands = deal.hands.into_iter().map(|it| board_view::insert_player_names(&table, it));
        let alt = self.render_lines(reader.lang, &hands.collect::<Vec<_>>()).to_plain();
        let width = standard_width(&deal.scene);
        let png = self.renderer.draw_async(deal.scene, reader.theme.clone(), width).await;
        Ok(RenderedPicture::Image(Image { png, alt }))
    }

    async fn draw_picture(
        &self,
        picture: &PictureRef,
        reader: &DisplayPrefs,
        table: Option<&Table>,
    ) -> Result<RenderedPicture, Failure> {
        let lang = reader.lang;
        let (scene, alt) = match picture {
            PictureRef::Lesson { game, page, tried } => {
                let Some((scene, words)) = self.lesson_scene(game, page, tried.as_deref(), lang)
                else {
                    return Ok(RenderedPicture::Empty);
                };
                if reader.text_boards {
                    return Ok(RenderedPicture::Text(words));
                }
                (Some(scene), words.to_plain())
            }
            PictureRef::Themes { game } => return Ok(self.theme_samples(game, lang).await),
            // In words it is in the message.
            PictureRef::Ratings { .. }
            | PictureRef::HeadToHead { .. }
            | PictureRef::Ranking { .. }
                if reader.text_boards =>
            {
                return Ok(RenderedPicture::Empty);
            }
            PictureRef::Ratings { person } => with_words(self.rating_scene(person, lang).await?),
            PictureRef::HeadToHead { person, opponent, chat } => {
                with_words(self.head_to_head_scene(person, opponent, chat, lang).await?)
            }
            PictureRef::Ranking { scope, list } => {
                with_words(self.ranking_scene(scope, list).await?)
            }
            PictureRef::Deal { table, n } => return self.revealed_hands(table, *n, reader).await,
            PictureRef::Chart { table: id }
            | PictureRef::Review { table: id }
            | PictureRef::Moment { table: id, .. } => {
                let Some((scene, words)) = self.chart_scene(picture, id, lang).await? else {
                    return Ok(RenderedPicture::Empty);
                };
                if reader.text_boards {
                    return Ok(RenderedPicture::Text(words));
                }
                (Some(scene), words.to_plain())
            }
            PictureRef::Board { table: id }
            | PictureRef::View { table: id, .. }
            | PictureRef::Hand { table: id, .. } => {
                let loaded = match table {
                    Some(_) => None,
                    None => self.repository.load_table(&TableId(id.clone())).await?,
                };
                let Some(table) = table.or(loaded.as_deref()) else {
                    return Ok(RenderedPicture::Empty);
                };
                let viewer = picture_viewer(picture, table, reader);
                let words =
                    self.render_lines(lang, &board_view::board_text_view(table, viewer).texts);
                if reader.text_boards {
                    return Ok(RenderedPicture::Text(words));
                }
                let names = self.player_names(table, lang);
                (board_scene(table, viewer, &names), words.to_plain())
            }
        };
        let Some(scene) = scene else { return Ok(RenderedPicture::Empty) };
        let is_hand = matches!(picture, PictureRef::Hand { .. });
        let width = if is_hand { HAND_WIDTH } else { standard_width(&scene) };
        let png = self.renderer.draw_async(scene, reader.theme.clone(), width).await;
        Ok(RenderedPicture::Image(Image { png, alt }))
    }
}

/// A scene, if there is one, and its alternative text.
fn with_words(found: Option<(Scene, String)>) -> (Option<Scene>, String) {
    let (scene, words) = found.unzip();
    (scene, words.unwrap_or_default())
}

/// The legend of a chart in words: each line with its value of today.
fn legend_text(names: &[String], sample: &ChartSample) -> String {
    let lines = names.iter().zip(sample.values());
    lines.map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join("\n")
}

/// The table whose board or hand a picture shows.
fn pictured_table(picture: Option<&PictureRef>) -> Option<TableId> {
    match picture? {
        PictureRef::Board { table }
        | PictureRef::View { table, .. }
        | PictureRef::Hand { table, .. } => Some(TableId(table.clone())),
        PictureRef::Chart { .. }
        | PictureRef::Review { .. }
        | PictureRef::Moment { .. }
        | PictureRef::Deal { .. }
        | PictureRef::Ratings { .. }
        | PictureRef::HeadToHead { .. }
        | PictureRef::Ranking { .. }
        | PictureRef::Themes { .. }
        | PictureRef::Lesson { .. } => None,
    }
}

/// A picture as rendered for a reader.
enum RenderedPicture {
    /// There is nothing to show yet.
    Empty,
    /// The reader prefers text.
    Text(RichText),
    /// The reader prefers pictures.
    Image(Image),
}

/// The viewer of a picture: nobody in particular, or the person whose side is at the bottom.
fn picture_viewer(picture: &PictureRef, table: &Table, reader: &DisplayPrefs) -> Viewer {
    let seat = match picture {
        PictureRef::Hand { seat, .. } => Some(*seat),
        PictureRef::View { seat, .. } => Some(*seat).filter(|_| !reader.fixed_orientation),
        // One person plays on this board: a player alone against computers sees their side at the
        // bottom.
        PictureRef::Board { .. } if !table.game_id().info().hidden => {
            table.only_human_seat().filter(|_| !reader.fixed_orientation || !table.is_solo())
        }
        PictureRef::Board { .. }
        | PictureRef::Chart { .. }
        | PictureRef::Review { .. }
        | PictureRef::Moment { .. }
        | PictureRef::Deal { .. }
        | PictureRef::Ratings { .. }
        | PictureRef::HeadToHead { .. }
        | PictureRef::Ranking { .. }
        | PictureRef::Themes { .. }
        | PictureRef::Lesson { .. } => None,
    };
    seat.map_or(Viewer::Public, |seat| Viewer::Seat(Seat(seat)))
}

/// The board of a table as this viewer may see it; `None` before the start.
fn board_scene(table: &Table, viewer: Viewer, names: &[String]) -> Option<Scene> {
    let game = table.game.as_deref()?;
    let result = table.early_end_scores();
    Some(match (viewer, table.shared_board_seat()) {
        (Viewer::Public, Some(below)) => game.scene_seen_from(viewer, Seat(below), names, result),
        _ => game.scene(viewer, names, result),
    })
}

/// A rendered view as an immediate reply.
fn ephemeral_reply(message: PrivateMessage, view: View) -> EphemeralReply {
    EphemeralReply {
        message,
        form: view.form,
        purpose: view.purpose,
        slot: view.slot.clone(),
        secret: view.secret,
        view: Some(Box::new(view)),
    }
}
