//! A minimal bot for tests of the built-in chat: it acts once for each update.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use async_trait::async_trait;
use caravanserai_games::ids::{ChatId, MessageId, PersonId};
use caravanserai_games::text::{RichSpan, RichText};
use caravanserai_protocol::{
    ArgumentSuggestion, ArgumentSuggestions, Attachment, Button, ButtonTone, Chat, EphemeralReply,
    Image, Mention, Notification, OutgoingMessage, Person, Platform, ReplyForm, Update,
    UpdateHandler, UpdateKind,
};
use caravanserai_store::{Store, sled::SledStore};
use caravanserai_webchat::{
    CommandWording, SuggestedCommand, Webchat, WebchatLimits, WebchatSettings,
};
use parking_lot::Mutex;
use tokio::task::JoinHandle;

use crate::stage::web::HOST;

/// The updates that it got and its answers.
#[derive(Default)]
pub struct Bot {
    web: OnceLock<Arc<Webchat>>,
    /// Every call, repetitions included.
    pub calls: Mutex<Vec<Update>>,
    /// Update → answer: acts once.
    answers: Mutex<HashMap<String, Vec<EphemeralReply>>>,
    board: Mutex<HashMap<String, u32>>,
    /// Panics instead of hearing: a process that dies at that moment.
    pub dead: Mutex<bool>,
}

/// A chat being served on a free port of this machine, with its bot.
pub struct Served {
    pub web: Arc<Webchat>,
    pub bot: Arc<Bot>,
    pub base: String,
    store: Arc<dyn Store>,
    task: JoinHandle<std::io::Result<()>>,
}

impl Served {
    /// Starts the chat that is kept in a folder.
    pub async fn start(folder: &std::path::Path, limits: WebchatLimits) -> Served {
        let bot = Arc::new(Bot::default());
        Self::start_with(folder, limits, bot, "127.0.0.1:0").await
    }

    /// Starts it where it was before.
    pub async fn start_at(folder: &std::path::Path, address: &str) -> Served {
        Self::start_with(folder, WebchatLimits::default(), Arc::default(), address).await
    }

    /// Starts it with a prepared bot.
    pub async fn start_with(
        folder: &std::path::Path,
        limits: WebchatLimits,
        bot: Arc<Bot>,
        address: &str,
    ) -> Served {
        std::fs::create_dir_all(folder.join("store")).unwrap();
        let store: Arc<dyn Store> = Arc::new(SledStore::open(&folder.join("store")).unwrap());
        let settings = WebchatSettings { limits, ..settings(folder) };
        Self::start_on(store, settings, bot, address).await
    }

    /// Starts it on a store, with settings.
    pub async fn start_on(
        store: Arc<dyn Store>,
        settings: WebchatSettings,
        bot: Arc<Bot>,
        address: &str,
    ) -> Served {
        let web = Webchat::open(settings, Arc::clone(&store));
        assert!(bot.web.set(Arc::clone(&web)).is_ok());
        let socket = tokio::net::TcpListener::bind(address).await.unwrap();
        let base = format!("http://{}", socket.local_addr().unwrap());
        let (server, listener) = (Arc::clone(&web), Arc::clone(&bot));
        let task = tokio::spawn(async move { server.serve(socket, listener).await });
        Served { web, bot, base, store, task }
    }

    /// The id of the room that now has this name, which the bot was given when it was opened.
    pub fn chat(&self, room: &str) -> ChatId {
        let calls = self.bot.calls.lock();
        let call = calls.iter().rfind(|it| it.chat.title == room);
        call.unwrap_or_else(|| panic!("the bot knows no room {room}")).chat.id.clone()
    }

    /// Stops it, so that the folder can be opened again.
    pub async fn stop(self) {
        self.web.close();
        self.task.await.unwrap().unwrap();
        self.store.close().await.unwrap();
        let store = Arc::downgrade(&self.store);
        drop(self.store);
        drop((self.web, self.bot));
        // Its last tasks let go of the folder.
        for _ in 0..10_000 {
            if store.strong_count() == 0 {
                break;
            }
            tokio::task::yield_now().await;
        }
    }
}

/// Settings of a chat with its files in a folder.
pub fn settings(folder: &std::path::Path) -> WebchatSettings {
    let files = folder.join("files");
    WebchatSettings {
        files,
        commands: commands(),
        operator_secret: Some(HOST.into()),
        ..WebchatSettings::default()
    }
}

fn commands() -> Vec<SuggestedCommand> {
    let command = |name: &str, aliases: &[&str], wording: &[(&str, &str, &str)]| SuggestedCommand {
        name: name.into(),
        aliases: aliases.iter().map(|it| (*it).into()).collect(),
        wording: wording
            .iter()
            .map(|(language, arguments, about)| CommandWording {
                language: (*language).into(),
                arguments: (*arguments).into(),
                about: (*about).into(),
            })
            .collect(),
    };
    vec![
        command(
            "togyz",
            &["тоғыз"],
            &[
                ("en", "[@friend]", "Open a table of Togyzkumalak"),
                ("ru", "[@друг]", "Открыть стол тогызкумалака"),
            ],
        ),
        command("move", &[], &[("en", "pit", "Sow from a pit"), ("ru", "лунка", "Сделать ход")]),
        command("help", &[], &[("en", "", "What I can do"), ("ru", "", "Что я умею")]),
    ]
}

#[async_trait]
impl UpdateHandler for Bot {
    async fn handle(&self, update: Update) -> Vec<EphemeralReply> {
        assert!(!*self.dead.lock(), "the process dies here (wanted by a test)");
        self.calls.lock().push(update.clone());
        if let Some(answer) = self.answers.lock().get(&update.id) {
            return answer.clone();
        }
        let answer = self.act(&update).await;
        self.answers.lock().insert(update.id, answer.clone());
        answer
    }

    fn is_confidential(&self, text: &str) -> bool {
        text.split(' ').next() == Some("/whisper")
    }

    fn argument_suggestions(&self) -> Option<&dyn ArgumentSuggestions> {
        Some(self)
    }
}

#[async_trait]
impl ArgumentSuggestions for Bot {
    async fn suggest_arguments(
        &self,
        _chat: &Chat,
        _person: &Person,
        command: &str,
        typed: &str,
    ) -> Vec<ArgumentSuggestion> {
        let pits = ["3", "5", "35"].into_iter().filter(|it| it.starts_with(typed));
        let pits =
            pits.map(|it| ArgumentSuggestion { label: format!("pit {it}"), value: it.to_owned() });
        if command == "move" { pits.collect() } else { vec![] }
    }
}

impl Bot {
    fn web(&self) -> &Arc<Webchat> {
        self.web.get().expect("set before it hears anything")
    }

    /// Ids of what it has acted on, in order.
    pub fn heard(&self) -> Vec<String> {
        self.calls.lock().iter().map(|it| it.id.clone()).collect()
    }

    async fn act(&self, update: &Update) -> Vec<EphemeralReply> {
        let chat = &update.chat.id;
        match &update.kind {
            UpdateKind::Text { text, mentions, reply_to, .. } => {
                let (command, rest) = text.split_once(' ').unwrap_or((text, ""));
                match command {
                    "/togyz" => {
                        let mut said = board(0, &update.person, mentions);
                        said.nonce = update.id.clone();
                        self.web().post(chat, &said).await.unwrap();
                    }
                    "/hand" => return vec![whisper(hand())],
                    "/deal" => return vec![held(&update.person, rest)],
                    "/whisper" => return vec![whisper(say("for you alone"))],
                    "/oops" => return vec![toast(say("that is no command of mine"))],
                    "/say" => {
                        let said = OutgoingMessage { nonce: update.id.clone(), ..say(rest) };
                        self.web().post(chat, &said).await.unwrap();
                    }
                    "/file" | "/replay" => {
                        let said = OutgoingMessage { nonce: update.id.clone(), ..filed(command) };
                        self.web().post(chat, &said).await.unwrap();
                    }
                    _ if reply_to.is_some() && text.parse::<u32>().is_ok() => {
                        let id = reply_to.clone().unwrap();
                        self.advance(update, &id).await;
                    }
                    _ => {}
                }
                vec![]
            }
            UpdateKind::Press { callback_data: press, message } => {
                match (press.as_str(), message) {
                    ("resign", _) => {
                        vec![toast(say("you cannot resign before the second move"))]
                    }
                    ("hand", _) => vec![whisper(hand())],
                    ("page", _) => {
                        let buttons = vec![vec![card("Back", "c.back")]];
                        vec![whisper(OutgoingMessage { buttons, ..say("further choices") })]
                    }
                    (card, _) if card.starts_with("c.") => {
                        vec![toast(say("played")), held(&update.person, &card[2..])]
                    }
                    (_, Some(id)) => {
                        self.advance(update, id).await;
                        vec![toast(say(&format!("you sowed from pit {press}")))]
                    }
                    _ => vec![],
                }
            }
            _ => vec![],
        }
    }

    async fn advance(&self, update: &Update, id: &MessageId) {
        let step = {
            let mut boards = self.board.lock();
            let step = boards.entry(format!("{}/{}", update.chat.id.0, id.0)).or_default();
            *step += 1;
            *step
        };
        let next = board(step, &update.person, &[]);
        self.web().edit(&update.chat.id, id, &next).await.unwrap();
    }
}

/// Plain words.
pub fn say(text: &str) -> OutgoingMessage {
    OutgoingMessage { text: RichText::plain(text), ..OutgoingMessage::default() }
}

fn whisper(message: OutgoingMessage) -> EphemeralReply {
    EphemeralReply { message: message.into(), ..EphemeralReply::default() }
}

fn toast(message: OutgoingMessage) -> EphemeralReply {
    EphemeralReply { form: ReplyForm::Toast, ..whisper(message) }
}

fn held(person: &Person, deal: &str) -> EphemeralReply {
    let slot = Some("hand k7".to_owned());
    EphemeralReply { message: dealt(&person.name, deal).into(), slot, ..EphemeralReply::default() }
}

fn card(label: &str, press: &str) -> Button {
    Button { label: label.into(), callback_data: press.into(), ..Button::default() }
}

/// Eight cards with their picture; another picture for each deal.
pub fn dealt(name: &str, deal: &str) -> OutgoingMessage {
    let cards = ["7♠", "8♠", "J♥", "9♥", "A♥", "10♦", "K♦", "Q♣"];
    let key = |(n, label): (usize, &&str)| {
        let tone = if (2..5).contains(&n) { ButtonTone::Good } else { ButtonTone::Plain };
        Button { tone, ..card(label, &format!("c.{n}")) }
    };
    let keys: Vec<Button> = cards.iter().enumerate().map(key).collect();
    let mut buttons: Vec<Vec<Button>> = keys.chunks(4).map(<[Button]>::to_vec).collect();
    let inline_query = Some("k7 ".to_owned());
    buttons.push(vec![card("More …", "page"), Button { inline_query, ..card("Cards", "i.k7") }]);
    let alt = format!("{name}'s hand {deal}: {}", cards.join(", "));
    let image = Some(Image { png: fan(deal), alt });
    OutgoingMessage {
        image,
        buttons,
        ..say(&format!("Hand of {name}, deal {deal}. ✓ may be played."))
    }
}

/// A picture as wide as those of hands: eight cards beside each other.
fn fan(deal: &str) -> Arc<Vec<u8>> {
    let shade = deal.bytes().fold(90u8, |sum, it| sum.wrapping_mul(31).wrapping_add(it)) / 2;
    let mut image = image::RgbImage::from_pixel(1280, 640, image::Rgb([32, 90 + shade / 4, 60]));
    for n in 0..8 {
        let (left, top) = (40 + n * 150, if (2..5).contains(&n) { 180 } else { 240 });
        for (x, y) in (0..140).flat_map(|x| (0..330).map(move |y| (x, y))) {
            let edge = x < 3 || y < 3 || x > 136 || y > 326;
            let ink = if edge { [60, 60, 60] } else { [250, 246, 236] };
            image.put_pixel(left + x, top + y, image::Rgb(ink));
        }
        disc(&mut image, left + 40, top + 100, 28, [190, 30, shade]);
    }
    let mut png = std::io::Cursor::new(Vec::new());
    image.write_to(&mut png, image::ImageFormat::Png).unwrap();
    Arc::new(png.into_inner())
}

/// A record, or a replay of one frame.
fn filed(command: &str) -> OutgoingMessage {
    let file = match command {
        "/replay" => Attachment {
            name: "game.gif".into(),
            bytes: Arc::new(b"GIF89a\x05\0\x04\0".to_vec()),
            animation: Some("how it went".into()),
        },
        _ => Attachment::document("game.txt".into(), Arc::new(b"record".to_vec())),
    };
    OutgoingMessage { file: Some(file), ..say("the record") }
}

fn hand() -> OutgoingMessage {
    let image = Image { png: picture(7), alt: "Your hand: jack of spades, nine of hearts".into() };
    let label = "Play the jack".into();
    let button =
        Button { label, callback_data: "jack".into(), tone: ButtonTone::Good, ..Button::default() };
    OutgoingMessage { image: Some(image), buttons: vec![vec![button]], ..say("your hand") }
}

/// A board with a picture, words and eleven buttons.
pub fn board(step: u32, person: &Person, friends: &[Mention]) -> OutgoingMessage {
    let button = |n: u32| Button {
        label: n.to_string(),
        callback_data: n.to_string(),
        tone: ButtonTone::Plain,
        ..Button::default()
    };
    let ends = vec![
        Button {
            label: "Offer a draw".into(),
            callback_data: "draw".into(),
            tone: ButtonTone::Plain,
            ..Button::default()
        },
        Button {
            label: "Resign".into(),
            callback_data: "resign".into(),
            tone: ButtonTone::Danger,
            ..Button::default()
        },
    ];
    let call =
        |id: &PersonId, name: &str| RichSpan::Mention { person: id.0.clone(), name: name.into() };
    let mut spans = vec![
        RichSpan::Bold(format!("Togyzkumalak, move {step}. ")),
        call(&person.id, &person.name),
        RichSpan::Plain(format!(" sowed from pit {}. Score 12 : 8.", step % 9 + 1)),
    ];
    for friend in friends {
        if let Mention::Known(friend) = friend {
            spans.push(RichSpan::Plain(" Your turn, ".into()));
            spans.push(call(&friend.id, &friend.name));
        }
    }
    OutgoingMessage {
        text: RichText(spans),
        image: Some(Image { png: picture(step), alt: format!("Board after move {step}") }),
        buttons: vec![(1..=5).map(button).collect(), (6..=9).map(button).collect(), ends],
        notification: Notification::audible_if(!friends.is_empty()),
        ..OutgoingMessage::default()
    }
}

/// A picture like a board: two rows of pits with stones.
pub fn picture(step: u32) -> Arc<Vec<u8>> {
    let (width, height) = (900, 560);
    let mut image = image::RgbImage::from_pixel(width, height, image::Rgb([201, 161, 112]));
    for pit in 0..18 {
        let (x, y) = (60 + (pit % 9) * 98, 150 + (pit / 9) * 260);
        disc(&mut image, x, y, 42, [120, 78, 44]);
        for stone in 0..(pit + step) % 9 {
            disc(
                &mut image,
                x - 20 + (stone % 3) * 20,
                y - 20 + (stone / 3) * 20,
                8,
                [250, 240, 220],
            );
        }
    }
    let mut png = std::io::Cursor::new(Vec::new());
    image.write_to(&mut png, image::ImageFormat::Png).unwrap();
    Arc::new(png.into_inner())
}

fn disc(image: &mut image::RgbImage, x: u32, y: u32, radius: u32, colour: [u8; 3]) {
    for (dx, dy) in (0..=2 * radius).flat_map(|dx| (0..=2 * radius).map(move |dy| (dx, dy))) {
        let (ax, ay) = (dx.abs_diff(radius), dy.abs_diff(radius));
        if ax * ax + ay * ay <= radius * radius {
            image.put_pixel(x + dx - radius, y + dy - radius, image::Rgb(colour));
        }
    }
}
