//! Whole games in one inline message, in chats where the bot is not a member.

use std::sync::Arc;

use caravanserai_games::ids::TableId;
use caravanserai_store::Space;
use caravanserai_store::memory::MemoryStore;
use caravanserai_table::{Table, TablePhase};

use crate::fake_telegram::{Fault, Person, Standing, VisibleMessage};
use crate::stage::telegram::TelegramStage;
use crate::stage::{Stage, play};

/// A person looks before they press: the board has been there for a moment.
async fn looks(stage: &mut TelegramStage) {
    stage.visible_messages("Ann").await;
    stage.pass_ms(1_000).await;
}

async fn staged(names: &str) -> TelegramStage {
    let mut stage = TelegramStage::new(Arc::new(MemoryStore::default())).await;
    play("posed", &format!("people {names}"), &mut stage).await;
    stage
}

/// Labels of the buttons.
fn labels(seen: &VisibleMessage) -> Vec<String> {
    seen.buttons.iter().flatten().map(|it| it.0.clone()).collect()
}

/// A game in a chat that the bot does not know: the challenge becomes the board.
#[tokio::test]
async fn two_play_by_a_message_in_a_chat_without_the_bot() {
    let mut stage = staged("Ann Bek Cyd").await;
    let person = |name: &str| stage.people[name].clone();
    let (ann, bek, cyd) = (person("Ann"), person("Bek"), person("Cyd"));
    let results = ann.inline("togyz").await;
    assert_eq!(results[0]["title"], "⚔ Challenge: Togyzkumalak");
    let message = ann.send_inline_result(&results[0]);
    let own = ann.press_via(&message, "Accept").await;
    assert!(own.text.contains("your own challenge"), "{}", own.text);
    bek.press_via(&message, "Accept").await;
    let board = ann.awaits_via(&message, "is to move").await;
    assert!(board.media.is_none(), "such a message takes no new pictures");
    let late = cyd.press_via(&message, "1").await;
    assert!(late.text.contains("don’t play"), "{}", late.text);
    let (first, second) = match board.text.contains("Ann is to move") {
        true => (&ann, &bek),
        false => (&bek, &ann),
    };
    looks(&mut stage).await;
    first.press_via(&message, "7").await;
    let name = |it: &Person| if it.id == ann.id { "Ann" } else { "Bek" };
    ann.awaits_via(&message, &format!("{} is to move", name(second))).await;
    stage.restart().await;
    looks(&mut stage).await;
    second.press_via(&message, "7").await;
    ann.awaits_via(&message, &format!("{} is to move", name(first))).await;
    looks(&mut stage).await;
    first.press_via(&message, "🏳 Resign").await;
    looks(&mut stage).await;
    first.press_via(&message, "🏳 Resign").await;
    let over = ann.awaits_via(&message, "resigned").await;
    // What is left of it does not fit there: it is alone with the bot.
    let code = over.text.split("?start=").nth(1).and_then(|it| it.split_whitespace().next());
    ann.say(ann.id, &format!("/start {}", code.unwrap()));
    let card = ann.awaits(ann.id, "the result", |it| it.text.contains("resigned")).await;
    assert_eq!(card.media, Some("photo"));
    for wanted in ["Replay", "Analysis", "Game record"] {
        assert!(labels(&card).iter().any(|it| it.contains(wanted)), "{card:?}");
    }
    // They go on in the same message.
    looks(&mut stage).await;
    first.press_via(&message, "🔁 Rematch").await;
    ann.awaits_via(&message, "wants to play again").await;
    looks(&mut stage).await;
    second.press_via(&message, "Accept").await;
    ann.awaits_via(&message, "is to move").await;
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// With a chat for pictures the board in a chat that the bot does not know is a picture.
#[tokio::test]
async fn two_play_with_pictures_in_a_chat_without_the_bot() {
    let mut stage = staged("Ann Bek").await;
    let channel = stage.use_picture_chat().await;
    let (ann, bek) = (stage.people["Ann"].clone(), stage.people["Bek"].clone());
    let results = ann.inline("togyz").await;
    let message = ann.send_inline_result(&results[0]);
    bek.press_via(&message, "Accept").await;
    let board = ann.awaits_via(&message, "is to move").await;
    assert_eq!(board.media, Some("photo"));
    let mut shown = vec![board.bytes];
    let mut mover = board.text.contains("Ann is to move");
    for pit in ["7", "7", "5", "5"] {
        looks(&mut stage).await;
        let (person, next) = if mover { (&ann, "Bek") } else { (&bek, "Ann") };
        person.press_via(&message, pit).await;
        let board = ann.awaits_via(&message, &format!("{next} is to move")).await;
        assert_eq!(board.media, Some("photo"));
        assert!(!shown.contains(&board.bytes), "each position has its picture");
        shown.push(board.bytes);
        mover = !mover;
        if pit == "7" {
            stage.restart().await;
        }
    }
    let posted = stage.tg.messages(channel);
    assert!(posted.len() >= shown.len() && posted.iter().all(|it| it.silent), "{posted:?}");
    // The bot loses the channel, and the people play on by a text.
    stage.tg.set_standing(channel, Standing::Kicked);
    looks(&mut stage).await;
    let (person, next) = if mover { (&ann, "Bek") } else { (&bek, "Ann") };
    person.press_via(&message, "4").await;
    ann.awaits_via(&message, &format!("{next} is to move")).await;
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// Deleting the only message of a game ends nothing: it goes on in private.
#[tokio::test]
async fn a_game_goes_on_in_private_after_its_message_was_deleted() {
    let mut stage = staged("Ann Bek").await;
    let person = |name: &str| stage.people[name].clone();
    let (ann, bek) = (person("Ann"), person("Bek"));
    for who in [&ann, &bek] {
        who.say(who.id, "/games");
        who.awaits(who.id, "an answer", |it| it.from_bot).await;
    }
    let offers = ann.inline("togyz").await;
    let message = ann.send_inline_result(&offers[0]);
    bek.press_via(&message, "Accept").await;
    let board = ann.awaits_via(&message, "is to move").await;
    let (first, second) = match board.text.contains("Ann is to move") {
        true => (&ann, &bek),
        false => (&bek, &ann),
    };
    let heads = stage.host.store.scan(Space::Head, "", None, 10).await.unwrap();
    let id = TableId(heads[0].0.clone());
    ann.delete_inline_message(&message);
    second.say(second.id, &format!("/nudge {}", id.0));
    for who in [&ann, &bek] {
        who.awaits(who.id, "the reason", |it| it.text.contains("was deleted")).await;
        let is_board = |it: &VisibleMessage| it.media == Some("photo");
        who.awaits(who.id, "the board", is_board).await;
    }
    looks(&mut stage).await;
    first.say(first.id, "/move 7");
    stage.quiet().await;
    let log = stage.host.store.read_log(&id.0, 0).await.unwrap();
    let table = Table::from_log(&id, &log).unwrap();
    assert_eq!(table.phase, TablePhase::Playing, "{log:?}");
    assert_eq!(table.history.steps.len(), 1, "{log:?}");
    assert!(table.chats.locations().all(|it| it.reader.is_some()), "{log:?}");
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// What can be posed: every game, with how many and by which rules, and what is typed behind it.
#[tokio::test]
async fn each_game_is_offered_in_its_suits_and_as_it_is_typed() {
    let mut stage = staged("Ann Bek").await;
    let ann = stage.people["Ann"].clone();
    let titles = |offers: Vec<serde_json::Value>| -> Vec<String> {
        offers.iter().map(|it| it["title"].as_str().unwrap().to_owned()).collect()
    };
    let all = titles(ann.inline("").await);
    for wanted in [
        "⚔ Challenge: Togyzkumalak",
        "⚔ Challenge: Thaayam",
        "⚔ Challenge: Thaayam (Seats: 2)",
        "⚔ Challenge: Thaayam (🤖 × 2)",
        "⚔ Challenge: Blot",
        "⚔ Challenge: Blot (🤖 × 2)",
    ] {
        assert!(all.iter().any(|it| it == wanted), "{wanted} is not in {all:?}");
    }
    let typed = titles(ann.inline("thaayam players=3 pieces=2").await);
    assert_eq!(typed.len(), 1, "{typed:?}");
    assert!(typed[0].starts_with("⚔ Challenge: Thaayam (Seats: 3"), "{typed:?}");
    assert_eq!(titles(ann.inline("chess").await), all, "what there is instead");
    let told = titles(ann.inline("togyz me hints casual").await);
    let all_terms = "(First: the opener, Hints: for everybody, Game: casual)";
    assert!(told[0].ends_with(all_terms), "{told:?}");
    let alone = titles(ann.inline("togyz computer").await);
    assert_eq!(alone[0], "⚔ Challenge: Togyzkumalak", "nobody is challenged to that");
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// A friend who is named in a challenge is mentioned in it, and nobody else can accept it.
#[tokio::test]
async fn a_challenge_that_names_a_friend_is_for_that_friend() {
    let mut stage = staged("Ann Bek Cyd Dan Eve").await;
    let person = |name: &str| stage.people[name].clone();
    let (ann, bek, cyd) = (person("Ann"), person("Bek"), person("Cyd"));
    let offers = ann.inline("togyz @CYD_2").await;
    let message = ann.send_inline_result(&offers[0]);
    let posed = ann.awaits_via(&message, "Ann invites @CYD_2 to play Togyzkumalak").await;
    assert_eq!(labels(&posed), ["Accept"]);
    let refused = bek.press_via(&message, "Accept").await;
    assert!(refused.text.contains("@CYD_2"), "{}", refused.text);
    cyd.press_via(&message, "Accept").await;
    ann.awaits_via(&message, "👉").await;
    looks(&mut stage).await;

    let offers = ann.inline("thaayam @eve_4 @cyd_2").await;
    let message = ann.send_inline_result(&offers[0]);
    cyd.press_via(&message, "Join").await;
    let lobby = ann.awaits_via(&message, "eve_4").await;
    assert!(!lobby.text.contains("👉"), "it waits for the other friend: {}", lobby.text);
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// Who has posted a challenge long ago may be asleep: the game begins when they accept, too.
#[tokio::test]
async fn a_challenge_accepted_long_after_it_was_posted_asks_its_author_first() {
    let mut stage = staged("Ann Bek Cyd").await;
    play("known", "Ann writes privately /help", &mut stage).await;
    let person = |name: &str| stage.people[name].clone();
    let (ann, bek, cyd) = (person("Ann"), person("Bek"), person("Cyd"));
    let offers = ann.inline("togyz 1 min").await;
    let message = ann.send_inline_result(&offers[0]);
    stage.pass_ms(16 * 60_000).await;
    let accepted = bek.press_via(&message, "Accept").await;
    assert!(accepted.text.contains("when the challenger accepts"), "{}", accepted.text);
    let lobby = ann.awaits_via(&message, "Bek challenges Ann").await;
    assert!(labels(&lobby).iter().any(|it| it.contains("Accept")), "{lobby:?}");
    looks(&mut stage).await;
    let other = cyd.press_via(&message, "Accept").await;
    assert!(other.text.contains("Ann was asked to play here"), "{}", other.text);
    // She accepts in her private chat, where she was asked.
    let note = ann.awaits(ann.id, "the question", |it| it.text.contains("Bek has accepted")).await;
    ann.press(ann.id, note.id, "👤 Play in private").await;
    let is_lobby = |it: &VisibleMessage| labels(it).iter().any(|label| label == "Accept");
    let table = ann.awaits(ann.id, "the table", is_lobby).await;
    looks(&mut stage).await;
    ann.press(ann.id, table.id, "Accept").await;
    ann.awaits_via(&message, "is to move").await;
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// A challenge that was posted a short time ago begins at once.
#[tokio::test]
async fn a_challenge_accepted_within_a_quarter_of_an_hour_begins_at_once() {
    let mut stage = staged("Ann Bek").await;
    let (ann, bek) = (stage.people["Ann"].clone(), stage.people["Bek"].clone());
    let offers = ann.inline("togyz 1 min").await;
    let message = ann.send_inline_result(&offers[0]);
    stage.pass_ms(13 * 60_000).await;
    bek.press_via(&message, "Accept").await;
    ann.awaits_via(&message, "is to move").await;
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// A game that begins with one press has no lobby that says whether it counts for ratings.
#[tokio::test]
async fn the_first_board_of_a_casual_challenge_says_that_it_is_not_rated() {
    let mut stage = staged("Ann Bek").await;
    let (ann, bek) = (stage.people["Ann"].clone(), stage.people["Bek"].clone());
    let offers = ann.inline("togyz casual").await;
    let message = ann.send_inline_result(&offers[0]);
    ann.awaits_via(&message, "Game: casual").await;
    bek.press_via(&message, "Accept").await;
    let board = ann.awaits_via(&message, "is to move").await;
    assert!(board.text.contains("Not rated: the game is casual"), "{}", board.text);
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// An open game for more than two: people come by the message, and it is played there.
#[tokio::test]
async fn three_play_with_open_dice_by_one_message() {
    let mut stage = staged("Ann Bek Cyd").await;
    let person = |name: &str| stage.people[name].clone();
    let (ann, bek, cyd) = (person("Ann"), person("Bek"), person("Cyd"));
    let results = ann.inline("thaayam players=3 casual").await;
    let message = ann.send_inline_result(&results[0]);
    bek.press_via(&message, "Join").await;
    let lobby = ann.awaits_via(&message, "One seat").await;
    assert!(labels(&lobby).iter().any(|it| it == "Join"), "{lobby:?}");
    assert!(!labels(&lobby).iter().any(|it| it.contains("Settings")), "{lobby:?}");
    looks(&mut stage).await;
    cyd.press_via(&message, "Join").await;
    let board = ann.awaits_via(&message, "⬜").await;
    assert!(board.media.is_none() && board.text.contains("🟫"), "{}", board.text);
    assert!(board.text.contains("?start="), "the rest is alone with the bot: {}", board.text);
    let (people, names) = ([&ann, &bek, &cyd], ["Ann", "Bek", "Cyd"]);
    let mut throws = 0;
    for _ in 0..12 {
        looks(&mut stage).await;
        let board = ann.awaits_via(&message, "Turn").await;
        let first = board.buttons.first().and_then(|row| row.first()).cloned().unwrap();
        let turn = board.text.lines().rev().find(|it| it.contains("Turn")).unwrap().to_owned();
        let at = names.iter().position(|it| turn.contains(it)).unwrap_or_else(|| panic!("{turn}"));
        throws += usize::from(first.0.contains('🎲'));
        people[at].press_via(&message, &first.0).await;
    }
    assert!(throws > 2, "the game goes on");
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// A game with hidden hands: each sees theirs in the answer to a press, and nobody else does.
#[tokio::test]
async fn hands_are_told_alone_where_one_message_is_all_there_is() {
    let mut stage = staged("Ann Bek").await;
    let person = |name: &str| stage.people[name].clone();
    let (ann, bek) = (person("Ann"), person("Bek"));
    let offers = ann.inline("blot computer").await;
    let message = ann.send_inline_result(&offers[0]);
    bek.press_via(&message, "Join").await;
    let lobby = ann.awaits_via(&message, "Start").await;
    assert!(labels(&lobby).iter().any(|it| it == "▶ Start" || it.contains("Start")), "{lobby:?}");
    looks(&mut stage).await;
    let refused = bek.press_via(&message, "▶ Start").await;
    assert!(refused.text.contains("Ann"), "{}", refused.text);
    looks(&mut stage).await;
    ann.press_via(&message, "▶ Start").await;
    ann.awaits_via(&message, "👉").await;
    looks(&mut stage).await;
    let (own, other) =
        (ann.press_via(&message, "🃏 My hand").await, bek.press_via(&message, "🃏 My hand").await);
    assert!(own.alert && other.alert && own.text != other.text);
    assert!(own.text.contains("1) ") && own.text.encode_utf16().count() <= 200, "{}", own.text);
    let cards = |text: &str| -> Vec<String> {
        let cards = text.split([',', '\n']).filter_map(|it| it.trim().split_once(") "));
        cards.map(|it| it.1.trim_end_matches('✓').to_owned()).collect()
    };
    let board = ann.awaits_via(&message, "👉").await;
    for card in cards(&own.text).iter().chain(&cards(&other.text)) {
        assert!(!board.text.contains(&format!(" {card} ")), "{card} is in {}", board.text);
    }
    assert!(!labels(&board).iter().any(|it| it.starts_with('⌨')), "{board:?}");
    // A player bids, by as many pages of buttons as there are, all under the one message.
    let seated = [&ann, &bek];
    let mut turned = false;
    for _ in 0..6 {
        looks(&mut stage).await;
        let board = ann.awaits_via(&message, "👉").await;
        let words = labels(&board);
        let Some(more) = words.iter().find(|it| it.starts_with("More")) else { break };
        let turn = board.text.lines().rev().find(|it| it.starts_with("👉"));
        let at = usize::from(turn.is_some_and(|it| it.contains("Bek")));
        if turned {
            seated[at].press_via(&message, "pass").await;
            continue;
        }
        seated[at].press_via(&message, more).await;
        turned = true;
        looks(&mut stage).await;
        let page = ann.awaits_via(&message, "👉").await;
        assert_ne!(labels(&page), words, "the page was turned");
        let back = labels(&page).into_iter().find(|it| it.starts_with('◂')).unwrap();
        looks(&mut stage).await;
        seated[at].press_via(&message, &back).await;
    }
    assert!(turned, "a person came to bid");
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// A player shows their own table in any other chat, and people there watch it.
#[tokio::test]
async fn a_player_shares_their_table_where_the_bot_is_not_a_member() {
    let mut stage = staged("Ann Bek Cyd Dan").await;
    let script = "Ann says /togyz me\nBek presses Join\nAnn presses 7";
    play("shared", script, &mut stage).await;
    let person = |name: &str| stage.people[name].clone();
    let (ann, cyd, dan) = (person("Ann"), person("Cyd"), person("Dan"));
    assert!(!dan.inline("").await.iter().any(|it| it["description"] == "Show this table here"));
    let offers = ann.inline("").await;
    let own = offers.iter().find(|it| it["description"] == "Show this table here").unwrap();
    let message = ann.send_inline_result(own);
    cyd.press_via(&message, "👁 Watch").await;
    let board = ann.awaits_via(&message, "Bek is to move").await;
    assert!(board.text.contains("Ann: 10") || board.text.contains("Ann: 0"), "{}", board.text);
    assert!(!labels(&board).iter().any(|it| it.starts_with("7")), "people there look on");
    play("goes on", "Bek presses 7", &mut stage).await;
    ann.awaits_via(&message, "Ann is to move").await;
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// Each button that a player posts proves who posted it for which table: a changed client that uses
/// it for another table of the player is refused, because that table is closed to watchers.
#[tokio::test]
async fn a_shared_button_shows_no_other_table_of_its_player() {
    let mut stage = staged("Ann Bek Cyd").await;
    let script = "Ann says /togyz me\nBek presses Join\nAnn presses 7\nAnn says /togyz me";
    play("shared", script, &mut stage).await;
    let (ann, cyd) = (stage.people["Ann"].clone(), stage.people["Cyd"].clone());
    let offers = ann.inline("").await;
    let shared = |it: &&serde_json::Value| it["description"] == "Show this table here";
    let all: Vec<&serde_json::Value> = offers.iter().filter(shared).collect();
    let data = |it: &serde_json::Value| {
        it["reply_markup"]["inline_keyboard"][0][0]["callback_data"].clone()
    };
    let data: Vec<String> = all.iter().map(|it| data(it).as_str().unwrap().to_owned()).collect();
    let [one, other] = &data[..] else { panic!("{data:?}") };
    let table = |it: &str| it.split('.').nth(1).unwrap().to_owned();
    let forged = one.replace(&table(one), &table(other));
    let message = ann.send_inline_result(all[0]);
    let reply = cyd.press_via_with(&message, &forged).await;
    assert!(reply.text.contains("This button is too old"), "{}", reply.text);
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// The server takes one edit for wrong: nothing else can be posted there, and the game goes on.
#[tokio::test]
async fn an_edit_that_is_refused_ends_no_game() {
    let mut stage = staged("Ann Bek").await;
    let (ann, bek) = (stage.people["Ann"].clone(), stage.people["Bek"].clone());
    let results = ann.inline("togyz").await;
    let message = ann.send_inline_result(&results[0]);
    bek.press_via(&message, "Accept").await;
    let board = ann.awaits_via(&message, "is to move").await;
    let ann_begins = board.text.contains("Ann is to move");
    let (first, second) = if ann_begins { (&ann, &bek) } else { (&bek, &ann) };
    looks(&mut stage).await;
    stage.tg.fail_next(1, Some("editMessageText"), Fault::Server(400));
    let told = first.press_via(&message, "7").await;
    assert!(told.text.contains("7"), "{}", told.text);
    looks(&mut stage).await;
    // The message shows what was, and the first press under it what is.
    let told = second.press_via(&message, "8").await;
    assert!(!told.text.is_empty());
    let next = if ann_begins { "Bek is to move" } else { "Ann is to move" };
    ann.awaits_via(&message, next).await;
}

/// A person names the bot where it is not a member: one message shows the whole game.
#[tokio::test]
async fn naming_the_bot_where_it_is_not_a_member_posts_a_challenge() {
    let mut stage = TelegramStage::new(Arc::new(MemoryStore::default())).await;
    stage.tg.guest_mode();
    play("guest", "people Ann Bek", &mut stage).await;
    stage.restart().await;
    stage.tg.wait_until("guests to be heard", |tg| tg.hears("guest_message")).await;
    let person = |name: &str| stage.people[name].clone();
    let (ann, bek) = (person("Ann"), person("Bek"));
    let username = "@caravan_bot";
    let message = ann.summons(&format!("{username} togyz")).await;
    let card = ann.awaits_via(&message, "invites you to play Togyzkumalak").await;
    assert_eq!(labels(&card), ["Accept"]);
    let choice = ann.summons(&format!("come and play, {username}!")).await;
    let card = ann.awaits_via(&choice, "wants to play").await;
    assert_eq!(labels(&card).len(), 3, "{card:?}");
    let own = ann.press_via(&message, "Accept").await;
    assert!(own.text.contains("your own challenge"), "{}", own.text);
    bek.press_via(&message, "Accept").await;
    let board = ann.awaits_via(&message, "is to move").await;
    let mover = if board.text.contains("Ann is to move") { &ann } else { &bek };
    looks(&mut stage).await;
    mover.press_via(&message, "7").await;
    let next = if mover.id == ann.id { "Bek is to move" } else { "Ann is to move" };
    ann.awaits_via(&message, next).await;
    bek.press_via(&choice, "Togyzkumalak").await;
    ann.awaits_via(&choice, "is to move").await;
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}

/// A server that has no guest mode is asked for nothing of it.
#[tokio::test]
async fn without_guest_mode_no_guest_updates_are_requested() {
    let mut stage = staged("Ann Bek").await;
    let ann = stage.people["Ann"].clone();
    let wanted = stage.tg.calls().into_iter().filter(|it| it.method == "getUpdates");
    for call in wanted {
        assert!(!call.params["allowed_updates"].to_string().contains("guest_message"));
    }
    ann.says_to_guest("@caravan_bot togyz");
    stage.visible_messages("Ann").await;
    assert_eq!(stage.complaints().await, Vec::<String>::new());
}
