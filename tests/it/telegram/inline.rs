//! Inline queries: suggestions for the person who types, and the effect of a choice.

use caravanserai_games::ids::MessageId;
use caravanserai_protocol::{Platform, SendError};
use serde_json::json;

use super::*;
use crate::fake_telegram::{Fault, Person, Standing};

fn offered(name: &str, title: &str) -> (String, InlineResult) {
    let says = format!("/move k7 {title}");
    let (title, more) = (title.to_owned(), "Play it at table k7".to_owned());
    (name.to_owned(), InlineResult { title, description: more, message: says, buttons: Vec::new() })
}

#[tokio::test]
async fn inline_cards_are_suggested_to_their_owner_only() {
    let tg = FakeTelegram::start().await;
    let (ann, bob) = (tg.user("Ann"), tg.user("Bob"));
    let chat = tg.supergroup("Family", &[&ann, &bob]);
    let bot = Bot::start(&tg, silent()).await;
    let cards = [offered("Ann", "J♥"), offered("Ann", "7♠"), offered("Bob", "A♣")];
    *bot.script.offered.lock() = cards.to_vec();
    let results = ann.inline("k7 ").await;
    let titles: Vec<_> = results.iter().map(|it| it["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["J♥", "7♠"]);
    assert_eq!(results[0]["description"], "Play it at table k7");
    ann.choose(chat, &results[1]);
    let said = format!("tg:{chat} Ann says \"/move k7 7♠\"");
    assert_eq!(bot.script.lines(1).await, [said]);
    let elsewhere = |it: &crate::fake_telegram::ReceivedContent| it.words.concat().contains("J♥");
    assert!(tg.reached(&ann).iter().any(elsewhere));
    assert!(!tg.reached(&bob).iter().any(elsewhere), "they are nobody else's");
    bot.stop().await;
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn an_empty_inline_query_gets_a_start_button() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann").lang("ru");
    let bot = Bot::start(&tg, silent()).await;
    let answer = ann.types("").await;
    assert_eq!(answer["results"].as_array().map(Vec::len), Some(0));
    assert_eq!(answer["button"]["text"], "ru:nothing to play");
    assert_eq!(answer["button"]["start_parameter"], "play");
    bot.stop().await;
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn many_offers_are_as_many_as_telegram_takes() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let bot = Bot::start(&tg, silent()).await;
    let cards = (0..60).map(|n| offered("Ann", &format!("{n}")));
    bot.script.offered.lock().extend(cards);
    assert_eq!(ann.inline("k7").await.len(), 50);
    bot.stop().await;
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn a_button_begins_what_is_typed_unless_the_mode_is_off() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let cards = Button { inline_query: Some("k7 ".into()), ..button("Cards", "i.k7") };
    let rows = vec![vec![button("7", "m.7")], vec![cards]];
    let message = OutgoingMessage { buttons: rows, ..words("board") };
    let chat_id = caravanserai_games::ids::ChatId(format!("tg:{chat}"));
    for on in [true, false] {
        tg.inline_mode(on);
        let telegram = connect(&tg).await;
        telegram.post(&chat_id, &message).await.unwrap();
    }
    let data = |seen: &crate::fake_telegram::VisibleMessage| {
        let buttons = seen.buttons.iter().flatten();
        buttons.map(|it| it.1.clone()).collect::<Vec<_>>()
    };
    let boards: Vec<_> = ann.sees(chat).iter().map(data).collect();
    assert_eq!(boards, [vec!["m.7", "@ k7 "], vec!["m.7"]]);
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn an_inline_message_is_a_chat_that_can_only_be_edited_as_text() {
    use caravanserai_protocol::InlineBoards;
    let tg = FakeTelegram::start().await;
    let (ann, bob) = (tg.user("Ann"), tg.user("Bob"));
    let bot = Bot::start(&tg, silent()).await;
    let (name, offer) = offered("Ann", "Challenge");
    let posed = InlineResult { buttons: vec![vec![button("Accept", "!.game.k7")]], ..offer };
    bot.script.offered.lock().push((name, posed));
    let results = ann.inline("k7").await;
    let message = ann.send_inline_result(&results[0]);
    bob.press_via(&message, "Accept").await;
    let heard = bot.script.heard(1).await.remove(0);
    assert_eq!(super::line(&heard), format!("tg:~{message} Bob presses !.game.k7 on ~"));
    let (telegram, chat) = (connect(&tg).await, heard.chat.id);
    let only = telegram.only_message(&chat).unwrap();
    let board = OutgoingMessage { image: Some(picture(320)), ..words("the board") };
    telegram.edit(&chat, &only, &board).await.unwrap();
    telegram.edit(&chat, &only, &board).await.unwrap();
    ann.awaits_via(&message, "the board").await;
    ann.delete_inline_message(&message);
    assert_eq!(telegram.edit(&chat, &only, &board).await, Err(SendError::MessageGone));
    assert_eq!(telegram.post(&chat, &board).await, Err(SendError::ChatGone));
    telegram.delete(&chat, &only).await.unwrap();
    bot.stop().await;
    assert_eq!(tg.violations(), Vec::<String>::new());
}

/// An adapter with a channel for pictures, and a message that was sent via inline mode.
struct WithPictures {
    telegram: Arc<TelegramPlatform>,
    channel: i64,
    message: String,
    here: ChatId,
}

impl WithPictures {
    async fn start(tg: &FakeTelegram, ann: &Person) -> Self {
        Self::posting_in(tg.channel("Pictures", &[ann]), tg, ann).await
    }

    async fn posting_in(channel: i64, tg: &FakeTelegram, ann: &Person) -> Self {
        let picture_chat = Some(channel.to_string());
        let settings = TelegramSettings { picture_chat, ..settings(tg) };
        let telegram = TelegramPlatform::connect(settings).await.unwrap();
        let message = ann.send_inline_result(&json!({
            "input_message_content": { "message_text": "Who plays?" },
            "reply_markup": { "inline_keyboard": [[{ "text": "7", "callback_data": "m.7" }]] },
        }));
        let here = ChatId(format!("tg:~{message}"));
        Self { telegram, channel, message, here }
    }

    async fn edit(&self, message: &OutgoingMessage) -> Result<(), SendError> {
        self.telegram.edit(&self.here, &MessageId("~".into()), message).await
    }
}

#[tokio::test]
async fn an_inline_message_shows_pictures_that_were_posted_in_the_picture_chat() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let it = WithPictures::start(&tg, &ann).await;
    for caption in ["Ann to move", "Bek to move"] {
        it.edit(&board(320, caption)).await.unwrap();
        let seen = ann.awaits_via(&it.message, caption).await;
        assert_eq!((seen.text.as_str(), seen.media), (caption, Some("photo")));
        assert_eq!(seen.bytes, *picture(320).png);
        assert_eq!(seen.buttons, [[("7".to_owned(), "p.x.1.7".to_owned())]]);
    }
    let posted = ann.sees(it.channel);
    assert_eq!(posted.len(), 1, "Telegram has the picture");
    assert!(posted[0].silent && posted[0].text.is_empty());
    it.edit(&words("Ann invites to a rematch")).await.unwrap();
    let seen = ann.awaits_via(&it.message, "rematch").await;
    assert_eq!(seen.media, Some("photo"), "a picture cannot be removed");
    assert_eq!(tg.violations(), Vec::<String>::new());
    tg.forget_files();
    it.edit(&board(320, "Ann to move")).await.unwrap();
    ann.awaits_via(&it.message, "Ann to move").await;
    assert_eq!(ann.sees(it.channel).len(), 2);
}

#[tokio::test]
async fn a_picture_chat_that_becomes_a_supergroup_is_still_used() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let it = WithPictures::posting_in(tg.group("Pictures", &[&ann]), &tg, &ann).await;
    let new = tg.migrate_silently(it.channel);
    for (shape, caption) in [(320, "first"), (321, "second")] {
        it.edit(&board(shape, caption)).await.unwrap();
        assert_eq!(ann.awaits_via(&it.message, caption).await.media, Some("photo"));
    }
    assert_eq!(ann.sees(new).iter().filter(|it| it.media.is_some()).count(), 2);
    assert_eq!(tg.calls_of("sendPhoto").len(), 3, "the old id is tried once");
}

#[tokio::test]
async fn without_the_picture_chat_boards_of_inline_messages_are_texts() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let it = WithPictures::start(&tg, &ann).await;
    it.edit(&board(320, "second")).await.unwrap();
    tg.set_standing(it.channel, Standing::Kicked);
    it.edit(&board(321, "third")).await.unwrap();
    let seen = ann.awaits_via(&it.message, "third").await;
    assert!(seen.text.contains("a board"), "the picture above it is an old one: {seen:?}");
    let calls = tg.calls_of("sendPhoto").len();
    it.edit(&board(322, "fourth")).await.unwrap();
    assert_eq!(tg.calls_of("sendPhoto").len(), calls, "the chat is not tried at every move");
    assert_eq!(tg.violations(), Vec::<String>::new());
}

/// The limit of the picture chat is not that of one game, which waits for a short time only.
#[tokio::test]
async fn a_picture_chat_is_left_alone_while_telegram_refuses_calls_there() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let it = WithPictures::start(&tg, &ann).await;
    tg.fail_next(1, Some("sendPhoto"), Fault::TooMany(70));
    assert_eq!(it.edit(&board(320, "first")).await, Err(SendError::OverBudget(3_000)));
    assert_eq!(it.edit(&board(321, "second")).await, Err(SendError::OverBudget(3_000)));
    assert_eq!(tg.calls_of("sendPhoto").len(), 1, "nothing was sent meanwhile");
    it.edit(&words("no picture")).await.unwrap();
    ann.awaits_via(&it.message, "no picture").await;
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn one_refused_picture_turns_no_other_board_into_a_text() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let it = WithPictures::start(&tg, &ann).await;
    tg.fail_next(1, Some("sendPhoto"), Fault::Server(400));
    it.edit(&board(320, "first")).await.unwrap();
    it.edit(&board(321, "second")).await.unwrap();
    let seen = ann.awaits_via(&it.message, "second").await;
    assert_eq!(seen.media, Some("photo"));
    assert_eq!(tg.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn an_older_server_cannot_turn_an_inline_message_into_a_picture() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    tg.old();
    let it = WithPictures::start(&tg, &ann).await;
    it.edit(&board(320, "Ann to move")).await.unwrap();
    let seen = ann.awaits_via(&it.message, "Ann to move").await;
    assert_eq!(seen.media, None);
    assert!(seen.text.contains("a board"), "{}", seen.text);
    assert_eq!(tg.violations(), Vec::<String>::new());
}
