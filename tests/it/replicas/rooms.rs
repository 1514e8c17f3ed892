//! Where people play: a group on Telegram, a channel on Discord, the lobby of the page.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::time::{Duration, sleep, timeout};

use super::replica_set::{Front, ReplicaSet};
use crate::fake_discord::{Actor, Channel, FakeDiscord};
use crate::fake_telegram::{FakeTelegram, Person};
use crate::kill::program::{Someone, with_button};

/// The time for which a person waits for an answer before trying again.
const PATIENCE: Duration = Duration::from_secs(15);
/// The interval at which a person looks for an answer.
const LOOK: Duration = Duration::from_millis(50);

/// An answer to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing was said against it.
    Done,
    /// Words came.
    Refused,
    /// None came.
    Nothing,
}

/// The presses under one message for all.
pub type Board = Vec<String>;

/// A chat with two people.
#[async_trait]
pub trait Room: Send + Sync {
    fn name(&self) -> &'static str;

    /// Sends a command of a person.
    async fn says(&self, who: usize, text: &str) -> Answer;

    /// Presses a button of a board as the person saw it.
    async fn presses(&self, who: usize, press: &str) -> Answer;

    /// The bot's messages with buttons.
    async fn boards(&self) -> Vec<Board>;
}

/// The names by which boards show whose turn it is.
pub const NAMES: [&str; 2] = ["Ann", "Bek"];

pub struct Group {
    tg: FakeTelegram,
    people: [Person; 2],
    chat: i64,
}

impl Group {
    pub fn new(replica_set: &ReplicaSet) -> Self {
        let people = NAMES.map(|it| replica_set.tg.user(it));
        let chat = replica_set.tg.supergroup("Family", &[&people[0], &people[1]]);
        Group { tg: replica_set.tg.clone(), people, chat }
    }
}

#[async_trait]
impl Room for Group {
    fn name(&self) -> &'static str {
        "telegram"
    }

    async fn says(&self, who: usize, text: &str) -> Answer {
        self.people[who].say(self.chat, text);
        let heard = async {
            while !self.tg.waiting().is_empty() {
                sleep(LOOK).await;
            }
        };
        // A command is not answered unless something is wrong.
        timeout(PATIENCE, heard).await.ok();
        Answer::Nothing
    }

    async fn presses(&self, who: usize, press: &str) -> Answer {
        let seen = self.people[who].sees(self.chat);
        let board = seen.iter().rev().find(|it| it.from_bot && !it.buttons.is_empty());
        let Some(board) = board else { return Answer::Nothing };
        let pressing = self.people[who].press_stale(self.chat, board.id, press);
        match timeout(PATIENCE, pressing).await {
            Ok(pressed) if pressed.text.is_empty() => Answer::Done,
            Ok(_) => Answer::Refused,
            Err(_) => Answer::Nothing,
        }
    }

    async fn boards(&self) -> Vec<Board> {
        let seen = self.tg.messages(self.chat).into_iter().filter(|it| it.from_bot);
        let presses = seen.map(|it| it.buttons.into_iter().flatten().map(|(_, data)| data));
        presses.map(Iterator::collect).filter(|it: &Board| !it.is_empty()).collect()
    }
}

pub struct Guild {
    dc: Arc<FakeDiscord>,
    people: [Actor; 2],
    channel: Channel,
}

impl Guild {
    pub fn new(replica_set: &ReplicaSet) -> Self {
        let people = NAMES.map(|it| replica_set.dc.user(&it.to_lowercase()).global_name(it));
        let channel = replica_set.dc.channel("family", &[&people[0], &people[1]]);
        Guild { dc: replica_set.dc.clone(), people, channel }
    }

    async fn answer(&self, interaction: u64) -> Answer {
        let wait = async {
            loop {
                if let Some(kind) = self.dc.answer_of(interaction) {
                    return kind;
                }
                sleep(LOOK).await;
            }
        };
        // Discord gives up after three seconds, and says so to the person who waits.
        match timeout(Duration::from_secs(4), wait).await {
            Ok(6) => Answer::Done,
            Ok(_) => Answer::Refused,
            Err(_) => Answer::Nothing,
        }
    }
}

#[async_trait]
impl Room for Guild {
    fn name(&self) -> &'static str {
        "discord"
    }

    async fn says(&self, who: usize, text: &str) -> Answer {
        let mut words = text.trim_start_matches('/').split(' ');
        let name = words.next().expect("a command").to_owned();
        let options: Vec<(&str, &str)> = match name.as_str() {
            "move" => vec![("move", words.next().expect("a move"))],
            _ => Vec::new(),
        };
        let interaction = self.people[who].slash(&self.channel, &name, &options);
        self.answer(interaction).await;
        // A slash command always shows something: what came of it is seen elsewhere.
        Answer::Nothing
    }

    async fn presses(&self, who: usize, press: &str) -> Answer {
        let seen = self.dc.visible_to(&self.people[who], &self.channel);
        let board = seen.iter().rev().find(|it| !it.ephemeral && !it.buttons.is_empty());
        let Some(board) = board else { return Answer::Nothing };
        let interaction = self.people[who].press_stale(&self.channel, &board.id, press);
        self.answer(interaction).await
    }

    async fn boards(&self) -> Vec<Board> {
        let seen = self.dc.visible_to(&self.people[0], &self.channel).into_iter();
        let seen = seen.filter(|it| !it.ephemeral);
        let presses = seen.map(|it| it.buttons.into_iter().flatten().map(|(_, data)| data));
        presses.map(Iterator::collect).filter(|it: &Board| !it.is_empty()).collect()
    }
}

/// The lobby of the page. Each request goes to another program.
pub struct Lobby {
    front: Front,
    people: [Someone; 2],
    keys: std::sync::atomic::AtomicUsize,
}

impl Lobby {
    pub async fn new(replica_set: &ReplicaSet) -> Self {
        let people = [
            Someone::enter_at(&replica_set.front.page(), NAMES[0]).await,
            Someone::enter_at(&replica_set.front.page(), NAMES[1]).await,
        ];
        Lobby { front: replica_set.front.clone(), people, keys: Default::default() }
    }

    /// Asks one program after another until one answers.
    async fn asks(&self, who: usize, path: &str, mut body: Value) -> Answer {
        let key = self.keys.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        body["key"] = json!(format!("k{key}"));
        let mut someone = self.people[who].clone();
        for _ in 0..20 {
            someone.at_address(&self.front.page());
            match someone.try_ask(path, &body).await {
                Some((status, said)) if status.is_success() => {
                    let silent = said["whispers"].as_array().is_none_or(Vec::is_empty);
                    return if silent { Answer::Done } else { Answer::Refused };
                }
                // It is asked again with the same key, as the page does it.
                _ => sleep(LOOK * 4).await,
            }
        }
        Answer::Nothing
    }

    async fn messages(&self) -> Vec<Value> {
        let mut someone = self.people[0].clone();
        loop {
            someone.at_address(&self.front.page());
            match someone.try_lobby().await {
                Some(messages) => return messages,
                None => sleep(LOOK).await,
            }
        }
    }
}

#[async_trait]
impl Room for Lobby {
    fn name(&self) -> &'static str {
        "page"
    }

    async fn says(&self, who: usize, text: &str) -> Answer {
        self.asks(who, "rooms/lobby/messages", json!({ "text": text })).await
    }

    async fn presses(&self, who: usize, press: &str) -> Answer {
        let messages = self.messages().await;
        let Some((board, _)) = with_button(&messages, "").pop() else { return Answer::Nothing };
        let body = json!({ "message": board, "press": press });
        self.asks(who, "rooms/lobby/press", body).await
    }

    async fn boards(&self) -> Vec<Board> {
        let messages = self.messages().await;
        with_button(&messages, "").into_iter().map(|(_, presses)| presses).collect()
    }
}
