//! The chat of the group: a bot on a store in memory, whose ratings and answers are the real ones.

use std::sync::Arc;

use anyhow::Context;
use async_trait::async_trait;
use caravanserai_bot::repository::{BotLimits, Randomness, Repository, TimeSource};
use caravanserai_bot::results::projector::ResultProjector;
use caravanserai_bot::results::row_formats::{
    GameRatings, HistoryEntry, StoredRecord, rating_changes,
};
use caravanserai_bot::results::stored_results::result_puts;
use caravanserai_bot::service::{Service, ServiceDeps};
use caravanserai_games::ids::{ChatId, ChatKind};
use caravanserai_i18n::I18n;
use caravanserai_protocol::{
    Arrival, Chat, Image, Mention, ParentChats, Update, UpdateHandler, UpdateKind,
};
use caravanserai_render::Renderer;
use caravanserai_results::{RatingList, RatingScope};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Commit, Space, Store};
use caravanserai_table::{Table, TableId};

use super::calendar::MONTH_END_MS;
use super::group::GroupMember;
use super::players::CHAT;

/// The byte of all randomness of the bot: its answers about results use none.
const RANDOM_BYTE: u8 = 7;
/// The number of games that are read at once.
const GAMES_PER_PAGE: usize = 10_000;

/// The bot and its store.
pub struct MonthChat {
    store: Arc<dyn Store>,
    repository: Arc<Repository>,
    service: Service,
    asked: u32,
}

/// An answer as a person of the group sees it.
#[derive(Clone, Debug, Default)]
pub struct ShownAnswer {
    /// The text.
    pub text: String,
    /// The labels of the buttons, row by row.
    pub buttons: Vec<Vec<String>>,
    /// The picture above the text.
    pub picture: Option<Image>,
}

/// The end of the month. Nothing waits.
struct MonthEnd;

#[async_trait]
impl TimeSource for MonthEnd {
    fn now_ms(&self) -> u64 {
        MONTH_END_MS
    }

    async fn sleep_ms(&self, _ms: u64) {
        std::future::pending().await
    }
}

fn no_randomness() -> Randomness {
    Box::new(|bytes| bytes.fill(RANDOM_BYTE))
}

impl MonthChat {
    /// A chat without games.
    pub fn new(renderer: Arc<Renderer>) -> Self {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let limits = BotLimits::default();
        let repository =
            Repository::new(store.clone(), Arc::new(MonthEnd), no_randomness(), limits.clone());
        let service = Service::new(ServiceDeps {
            store: store.clone(),
            i18n: Arc::new(I18n::new()),
            renderer,
            clock: Arc::new(MonthEnd),
            randomness: no_randomness(),
            limits,
            contact: None,
            operator_settings: Default::default(),
        });
        MonthChat { store, repository: Arc::new(repository), service, asked: 0 }
    }

    /// Stores the result of a finished game, as the commit that ends a game does.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn store_result(&self, table: &Table) -> anyhow::Result<()> {
        self.store.commit(Commit::from_puts(result_puts(table))).await?;
        Ok(())
    }

    /// Computes ratings, lists and histories of all stored results.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn project_results(&self) -> anyhow::Result<()> {
        Ok(ResultProjector::new(self.repository.clone()).project_pending().await?)
    }

    /// The changes by a game; `None` for a game without a result.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn game_ratings(&self, table: &TableId) -> anyhow::Result<Option<GameRatings>> {
        let row = self.repository.read_value(Space::Rating, &rating_changes(table)).await?;
        Ok(row.map(|it| serde_json::from_slice(&it)).transpose()?)
    }

    /// The records of a person in the chat.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn records(
        &self,
        member: &GroupMember,
    ) -> anyhow::Result<Vec<(RatingList, StoredRecord)>> {
        let scope = RatingScope::of_chat(CHAT);
        Ok(self.repository.results().records(&scope, &member.person_id()).await?)
    }

    /// All games of a person, the first one first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn games(&self, member: &GroupMember) -> anyhow::Result<Vec<HistoryEntry>> {
        let person = member.person_id();
        let mut games = Vec::new();
        for page in 0.. {
            let found = self.repository.results().history(&person, page, GAMES_PER_PAGE).await?;
            games.extend(found.entries);
            if !found.has_more {
                break;
            }
        }
        games.reverse();
        Ok(games)
    }

    /// Returns the answer of the bot to a person who types this in the chat. `about`: the person
    /// whom they mention.
    ///
    /// # Errors
    /// When the bot does not answer with one message.
    pub async fn ask(
        &mut self,
        asker: &GroupMember,
        command: &str,
        about: Option<&GroupMember>,
    ) -> anyhow::Result<ShownAnswer> {
        self.asked += 1;
        let kind = UpdateKind::Text {
            text: command.to_owned(),
            mentions: about.map(|it| Mention::Known(it.person())).into_iter().collect(),
            reply_to: None,
            is_addressed: false,
        };
        let chat = Chat {
            id: ChatId(CHAT.to_owned()),
            kind: ChatKind::Group,
            title: "Friends".to_owned(),
            locale: Some("en".to_owned()),
            parents: ParentChats::default(),
        };
        let id = format!("month/{}", self.asked);
        let person = asker.person();
        let arrival = Arrival::default();
        let replies = self.service.handle(Update { id, chat, person, kind, arrival }).await;
        let [reply] = &replies[..] else {
            anyhow::bail!("{command} has {} answers", replies.len());
        };
        let labels = reply.message.buttons().iter();
        let labels = labels.map(|row| row.iter().map(|it| it.label.clone()).collect());
        Ok(ShownAnswer {
            text: reply.message.text().to_plain(),
            buttons: labels.collect(),
            picture: reply.message.image().cloned(),
        })
    }

    /// Stops the bot.
    ///
    /// # Errors
    /// When the store cannot be closed.
    pub async fn close(self) -> anyhow::Result<()> {
        self.service.stop().await.context("failed to stop the bot")
    }
}
