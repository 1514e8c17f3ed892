//! Simulates the people of a world, who act only on what their screens show and on typed texts.

use super::chance::Chance;
use super::chats::{ChatMessage, Chats, PLATFORM_KINDS, PlatformKind};
use super::inline_challenges::only;
use caravanserai_bot::commands::hand::ShowHand;
use caravanserai_bot::commands::hint::AskHint;
use caravanserai_bot::commands::make_move::PlayNumberedCard;
use caravanserai_bot::commands::review::RequestReview;
use caravanserai_bot::commands::{TableAction, TableCallback};
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatId, ChatKind, MessageId, PersonId};
use caravanserai_protocol::{
    Chat, Mention, OutgoingMessage, ParentChats, Person, PersonKind, UpdateKind,
};
use caravanserai_table::command::Command;

/// The number of people of each platform.
pub const PEOPLE: u64 = 5;

/// The number of groups of each platform.
const GROUPS: u64 = 2;

/// A person.
#[derive(Clone, Debug)]
pub struct SimPerson {
    /// As the platform describes them.
    pub person: Person,
    /// Their chats: groups, topics and the private chat.
    pub chats: Vec<Chat>,
    /// Groups that they have left.
    pub left: Vec<Chat>,
    /// Per thousand: a press is sent twice.
    pub impatience: u64,
}

impl SimPerson {
    /// Their private chat with the bot.
    pub fn private(&self) -> Option<&Chat> {
        self.chats.iter().find(|it| it.kind == ChatKind::Private)
    }

    /// This chat, if they are in it. The bot knows no members of chats where it is not a member,
    /// so everybody of the platform is in such a chat.
    pub fn at(&self, chat: &ChatId) -> Option<Chat> {
        let own = self.chats.iter().find(|it| it.id == *chat).cloned();
        let is_elsewhere = only(chat).is_some() && chat.platform() == self.person.id.platform();
        own.or_else(|| {
            is_elsewhere.then(|| Chat {
                id: chat.clone(),
                kind: ChatKind::Group,
                title: String::new(),
                locale: None,
                parents: ParentChats::default(),
            })
        })
    }
}

/// An action of a person.
#[derive(Clone, Debug)]
pub struct Act {
    /// The person, as the platform describes them at that moment.
    pub person: Person,
    /// The chat.
    pub chat: Chat,
    /// The content.
    pub body: UpdateKind,
}

/// The texts that people type, with their frequencies; a number in braces is a game of the list,
/// `{code}` the code of a table with a board.
const TYPED: &[(&str, u64)] = &[
    ("/togyz", 20),
    ("/togyz computer easy", 14),
    ("/togyz short", 4),
    ("/togyz seed computer beginner", 4),
    ("/{1}", 10),
    ("/{1} computer beginner", 10),
    ("/{2}", 16),
    ("/{2} computer beginner", 14),
    ("/togyz 1 min", 8),
    ("/togyz 5+5", 4),
    ("/togyz 3 days", 6),
    ("/togyz no clock", 8),
    ("/{1} 1 min", 8),
    ("/{1} 1 day", 4),
    ("/{2} 3 min", 6),
    ("/clock 10 min", 3),
    ("/clock no clock", 3),
    ("/pause", 3),
    ("/resume", 3),
    ("/claim", 4),
    ("/return", 4),
    ("/nudge", 4),
    ("/play", 4),
    ("/board", 8),
    ("/hand", 6),
    ("/games", 6),
    ("/help", 2),
    ("/text", 3),
    ("/score", 3),
    ("/last", 3),
    ("/join", 6),
    ("/begin", 6),
    ("/leave", 2),
    ("/draw", 2),
    ("/takeback", 4),
    ("/resign", 2),
    ("/abort", 1),
    ("/accept", 4),
    ("/decline", 2),
    ("/private", 5),
    ("/private {code}", 4),
    ("/bring {code}", 12),
    ("/watch {code}", 4),
    ("/stop", 5),
    ("/stop {code}", 3),
    ("/rematch", 3),
    ("/record", 2),
    ("/chart", 2),
    ("/replay", 2),
    ("/rules", 2),
    ("/verify", 2),
    ("/review", 1),
    ("/hint", 2),
    ("/hands", 2),
    ("/flip", 2),
    ("/options", 2),
    ("/pace quick", 2),
    ("/pace calm", 1),
    ("/notify", 3),
    ("/notify {2}", 3),
    ("/settings", 2),
    ("/web {code}", 2),
    ("/start", 1),
    ("/theme chat night", 3),
    ("/theme night", 1),
    ("/language ru", 1),
    ("/language chat kk", 4),
    ("/language chat ru", 4),
    ("/language en", 1),
    ("/confirm on", 1),
    ("/move 3", 6),
    ("/move 99", 2),
    ("5", 4),
    ("hello there", 8),
    ("/nonsense", 2),
    ("J♥", 2),
    ("<b>&\u{202e}", 1),
];

/// All people of all platforms.
pub fn everybody(chance: &Chance) -> Vec<SimPerson> {
    let mut all = Vec::new();
    for kind in PLATFORM_KINDS {
        let groups: Vec<Chat> = (0..GROUPS).map(|n| group(kind, n)).collect();
        for n in 0..PEOPLE {
            all.push(sim_person(kind, n, &groups, chance));
        }
    }
    all
}

/// A new person with a new account in the chats of a deleted one.
pub fn replacement_for(gone: &SimPerson, number: u64) -> SimPerson {
    let platform = gone.person.id.platform().to_owned();
    let mut chats = gone.chats.clone();
    for chat in chats.iter_mut().filter(|it| it.kind == ChatKind::Private) {
        chat.id = ChatId(format!("{platform}:@{number}"));
    }
    let person = Person {
        id: PersonId(format!("{platform}:{number}")),
        username: gone.person.username.as_ref().map(|_| format!("person{number}")),
        admin: false,
        ..gone.person.clone()
    };
    SimPerson { person, chats, ..gone.clone() }
}

fn group(kind: PlatformKind, n: u64) -> Chat {
    // The second group has topics.
    let topic = if n == 1 { "/7" } else { "" };
    let locale = (kind.name == "dc").then(|| "en-US".to_owned());
    Chat {
        id: ChatId(format!("{}:-{}{topic}", kind.name, 100 + n)),
        kind: ChatKind::Group,
        title: format!("Group {n}"),
        locale,
        parents: ParentChats::default(),
    }
}

fn sim_person(kind: PlatformKind, n: u64, groups: &[Chat], chance: &Chance) -> SimPerson {
    const NAMES: [&str; 5] = ["Ann", "Бек", "Արամ", "Dora", "Ann"];
    const LOCALES: [Option<&str>; 5] = [Some("en"), Some("kk"), Some("hy"), Some("ru"), None];
    let id = format!("{}:{}", kind.name, n + 1);
    let private = Chat {
        id: ChatId(format!("{}:@{}", kind.name, n + 1)),
        kind: ChatKind::Private,
        title: String::new(),
        locale: None,
        parents: ParentChats::default(),
    };
    let mut chats = groups.to_vec();
    chats.push(private);
    SimPerson {
        person: Person {
            id: PersonId(id),
            name: NAMES[n as usize % NAMES.len()].to_owned(),
            username: (n != 3).then(|| format!("person{n}")),
            locale: LOCALES[n as usize % LOCALES.len()].map(str::to_owned),
            kind: PersonKind::Human,
            admin: n == 0,
        },
        chats,
        left: Vec::new(),
        impatience: chance.between(10, 150),
    }
}

/// Whether a button makes a move or plays a numbered card.
fn is_move(press: &str) -> bool {
    TableCallback::decode(press).is_some_and(|it| {
        matches!(it.action.command(), Some(Command::Move { .. }))
            || it.action.is::<PlayNumberedCard>()
    })
}

/// Whether a button starts a long computation or is pressed at most once in a game.
fn is_rare(press: &str) -> bool {
    TableCallback::decode(press).is_some_and(|it| {
        let ends = matches!(
            it.action.command(),
            Some(
                Command::Resign
                    | Command::Abort
                    | Command::Cancel
                    | Command::Leave
                    | Command::Kick(_)
            )
        );
        ends || it.action.is::<AskHint>() || it.action.is::<RequestReview>()
    })
}

/// A random button of a message, if it has a usable one.
pub fn button(message: &OutgoingMessage, chance: &Chance, only_moves: bool) -> Option<String> {
    let all: Vec<&str> = message
        .buttons
        .iter()
        .flatten()
        .filter(|it| {
            it.inline_query.is_none()
                && it.link.is_none()
                && (!only_moves || is_move(&it.callback_data))
        })
        .map(|it| it.callback_data.as_str())
        .collect();
    let press = chance.pick(&all)?;
    (!is_rare(press) || chance.happens(60)).then(|| (*press).to_owned())
}

/// A move by the player to move, as far as their screens show one: on the board, or in their
/// private answers.
pub fn turn(
    chats: &Chats,
    sim_person: &SimPerson,
    chat: &ChatId,
    table: &str,
    chance: &Chance,
) -> Option<Act> {
    let at = sim_person.at(chat)?;
    let act = |body| Some(Act { person: sim_person.person.clone(), chat: at.clone(), body });
    let board = chats.board(chat, table)?;
    let on_board = |callback_data: String| UpdateKind::Press {
        callback_data,
        message: Some(MessageId(board.id.to_string())),
    };
    if let Some(callback_data) = button(&board.message, chance, true) {
        return act(on_board(callback_data));
    }
    let private_messages = chats.told.get(&sim_person.person.id);
    let hand = private_messages.into_iter().flatten().rev().find(|it| {
        it.chat == *chat
            && it.message.buttons.iter().flatten().any(|it| it.callback_data.contains(table))
    });
    if let Some(callback_data) = hand.and_then(|it| button(&it.message, chance, true)) {
        return act(UpdateKind::Press { callback_data, message: None });
    }
    // No move is shown: they request their hand.
    let show_hand: &dyn TableAction = &ShowHand;
    let table = caravanserai_games::ids::TableId(table.to_owned());
    act(on_board(show_hand.callback_data(&table)))
}

/// A random action: a button that they see, old ones included, or a typed text.
pub fn anything(chats: &Chats, sim_person: &SimPerson, chance: &Chance) -> Option<Act> {
    let chat = chance.pick(&sim_person.chats)?.clone();
    let person = sim_person.person.clone();
    if chance.happens(600) {
        let told = chats.told.get(&person.id);
        if chance.happens(300)
            && let Some(told) = told
            && let Some(private) = chance.pick(told.as_slices().0)
            && let Some(press) = button(&private.message, chance, false)
        {
            let chat = sim_person.at(&private.chat)?;
            return Some(Act {
                person,
                chat,
                body: UpdateKind::Press { callback_data: press, message: None },
            });
        }
        let shown_message = chats.chats.get(&chat.id)?;
        let index = shown_message.len().saturating_sub(chance.between(1, 6) as usize);
        let ChatMessage { id, message, .. } = shown_message.get(index)?;
        let press = button(message, chance, false)?;
        let message = Some(MessageId(id.to_string()));
        return Some(Act {
            person,
            chat,
            body: UpdateKind::Press { callback_data: press, message },
        });
    }
    let body = said(TYPED, chats, sim_person, chance);
    Some(Act { person, chat, body })
}

/// A random text of such a list.
pub fn said(
    list: &[(&str, u64)],
    chats: &Chats,
    sim_person: &SimPerson,
    chance: &Chance,
) -> UpdateKind {
    let mut n = chance.below(list.iter().map(|(_, often)| often).sum());
    let text = list.iter().find(|(_, often)| {
        let found = n < *often;
        n = n.saturating_sub(*often);
        found
    });
    let text = text.map_or("", |it| it.0);
    let games = GameId::all().iter().enumerate();
    let text = games.fold(text.to_owned(), |text, (n, game)| {
        text.replace(&format!("{{{n}}}"), game.info().command)
    });
    let codes: Vec<&str> = chats.codes().into_iter().collect();
    let code = if text.contains("{code}") { chance.pick(&codes).copied() } else { None };
    let text = text.replace("{code}", code.unwrap_or("7k3fx"));
    with_mentions_or_reply(&text, sim_person, chance)
}

/// A plain text.
pub fn words(text: &str) -> UpdateKind {
    UpdateKind::Text {
        text: text.to_owned(),
        mentions: Vec::new(),
        reply_to: None,
        is_addressed: false,
    }
}

/// A text, sometimes with mentions of friends or as a reply.
fn with_mentions_or_reply(text: &str, sim_person: &SimPerson, chance: &Chance) -> UpdateKind {
    let mut mentions = Vec::new();
    let command = text.split([' ', '/']).nth(1);
    if GameId::all().iter().any(|it| Some(it.info().command) == command) && chance.happens(200) {
        for _ in 0..chance.between(1, 3) {
            let name = format!("person{}", chance.below(PEOPLE));
            if sim_person.person.username.as_ref() != Some(&name) {
                mentions.push(Mention::Username(name));
            }
        }
    }
    let reply_to = chance.happens(50).then(|| MessageId(chance.between(1, 200).to_string()));
    UpdateKind::Text { text: text.to_owned(), mentions, reply_to, is_addressed: false }
}
