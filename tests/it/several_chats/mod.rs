//! One table in several chats: a board in each, moves from every side, hands only where nobody
//! else reads.

#[cfg(all(feature = "telegram", feature = "discord"))]
mod across;

use std::sync::Arc;

use caravanserai_games::ids::{ChatId, PersonId, TableId};
use caravanserai_protocol::{Departure, SendError, UpdateHandler, UpdateKind};
use caravanserai_store::Space;
use caravanserai_store::memory::MemoryStore;
use caravanserai_table::Table;

use crate::stage::memory::MemoryStage;
use crate::stage::{Stage, VisibleMessage, play};

const HOME: &str = "mem:group";
const OTHER: &str = "mem:other";

/// Opens a table with four seats.
const THAAYAM: &str = "/thaayam";

async fn stage() -> MemoryStage {
    MemoryStage::new(Arc::new(MemoryStore::default())).await
}

/// From now on everything happens in this group.
fn enter(stage: &mut MemoryStage, group: &str) {
    stage.group = ChatId(group.to_owned());
}

async fn at(stage: &MemoryStage, chat: &str) -> Vec<VisibleMessage> {
    stage.service.wait_until_idle().await;
    stage.platform.messages(&ChatId(chat.to_owned()))
}

/// The newest message in a chat that has buttons.
async fn board(stage: &MemoryStage, chat: &str) -> VisibleMessage {
    let all = at(stage, chat).await;
    let found = all.into_iter().rev().find(|it| !it.buttons.is_empty());
    found.unwrap_or_else(|| panic!("no board in {chat}"))
}

fn has(board: &VisibleMessage, label: &str) -> bool {
    board.buttons.iter().any(|(it, _)| it.starts_with(label))
}

async fn press(stage: &mut MemoryStage, who: &str, chat: &str, label: &str) {
    let board = board(stage, chat).await;
    let found = board.buttons.iter().find(|(it, _)| it.contains(label)).cloned();
    let (_, press) = found.unwrap_or_else(|| panic!("no {label} in {chat}: {board:?}"));
    let group = stage.group.clone();
    if !chat.contains('@') {
        stage.group = ChatId(chat.to_owned());
    }
    stage.press_button(who, &board, &press).await;
    stage.group = group;
    stage.service.wait_until_idle().await;
}

async fn table(stage: &MemoryStage) -> Table {
    let heads = stage.store.scan(Space::Head, "", None, 9).await.unwrap();
    let id = TableId(heads.last().expect("a table is open").0.clone());
    Table::from_log(&id, &stage.store.read_log(&id.0, 0).await.unwrap()).unwrap()
}

async fn told(stage: &mut MemoryStage, who: &str) -> String {
    stage.private_replies(who).await.last().map(|it| it.text.clone()).unwrap_or_default()
}

/// A game of Ann and Bek in one group that was brought to another, where Cyd is.
async fn brought() -> (MemoryStage, String) {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/togyz @Bek me").await;
    press(&mut stage, "Bek", HOME, "Accept").await;
    let code = table(&stage).await.id.0;
    enter(&mut stage, OTHER);
    stage.send_group_message("Cyd", &format!("/bring {code}")).await;
    (stage, code)
}

#[tokio::test]
async fn every_chat_of_a_table_has_a_board_in_its_language() {
    let (mut stage, _) = brought().await;
    stage.send_group_message("Ann", "/language chat ru").await;
    press(&mut stage, "Ann", HOME, "7").await;
    press(&mut stage, "Bek", OTHER, "7").await;
    let (home, other) = (board(&stage, HOME).await, board(&stage, OTHER).await);
    let presses =
        |it: &VisibleMessage| it.buttons.iter().map(|(_, press)| press.clone()).collect::<Vec<_>>();
    assert_eq!(presses(&home), presses(&other));
    assert!(home.text.contains("Also shown in 1 other chat"), "{home:?}");
    assert!(other.text.contains("Виден ещё в 1 чате"), "{other:?}");
    assert_eq!(table(&stage).await.history.steps.len(), 2);
    stage.send_group_message("Cyd", "/move 3").await;
    assert!(told(&mut stage, "Cyd").await.contains("не играете"), "who looks on plays nothing");
}

#[tokio::test]
async fn a_seat_can_be_taken_from_other_chats_except_watch_only_ones() {
    let mut stage = stage().await;
    stage.send_group_message("Ann", "/togyz me").await;
    stage.service.wait_until_idle().await;
    let code = table(&stage).await.id.0;
    enter(&mut stage, OTHER);
    stage.send_group_message("Cyd", &format!("/watch {code}")).await;
    assert!(!has(&board(&stage, OTHER).await, "Join"));
    stage.send_group_message("Cyd", &format!("/join {code}")).await;
    assert!(told(&mut stage, "Cyd").await.contains("only watch"));
    stage.send_group_message("Cyd", &format!("/bring {code}")).await;
    press(&mut stage, "Cyd", OTHER, "Join").await;
    press(&mut stage, "Ann", HOME, "7").await;
    press(&mut stage, "Cyd", OTHER, "7").await;
    assert_eq!(table(&stage).await.history.steps.len(), 2);
}

#[tokio::test]
async fn only_the_private_board_shows_the_own_hand() {
    let mut stage = stage().await;
    stage.people(&["Ann", "Bek", "Cyd", "Dan"].map(str::to_owned)).await;
    stage.send_group_message("Ann", "/blot @Bek @Cyd @Dan").await;
    for who in ["Bek", "Cyd", "Dan"] {
        press(&mut stage, who, HOME, "Accept").await;
    }
    press(&mut stage, "Ann", HOME, "Start").await;
    stage.send_group_message("Ann", "/private").await;
    let own = board(&stage, "mem:@Ann").await;
    assert!(own.text.contains("Your hand") && own.picture, "{own:?}");
    let hand = held(&table(&stage).await, "Ann");
    assert!(hand.iter().all(|card| own.text.contains(card)), "{hand:?} {own:?}");
    for who in ["Bek", "Cyd", "Dan"] {
        let (others, all) = (held(&table(&stage).await, who), stage.received_content("Ann").await);
        let words = all.iter().flat_map(|it| &it.words);
        let figures: Vec<_> =
            others.iter().filter(|it| it.starts_with(['J', 'Q', 'K', 'A'])).collect();
        let leak = words.into_iter().find(|it| figures.iter().any(|card| it.contains(*card)));
        assert_eq!(leak, None, "{who}");
    }
    for line in at(&stage, HOME).await {
        assert!(!line.text.contains("Your hand"), "{line:?}");
    }
}

/// The signs of a person's cards.
fn held(table: &Table, who: &str) -> Vec<String> {
    use caravanserai_games::rules::Seat;
    use caravanserai_games::text::Arg;
    let seat = table.seating.seats_of(&PersonId(format!("mem:{who}"))).next().unwrap();
    let held = table.game.as_deref().unwrap().hand(Seat(seat)).into_iter();
    held.filter_map(|it| if let Arg::Plain(card) = it.choice.label { Some(card) } else { None })
        .collect()
}

#[tokio::test]
async fn a_private_board_has_buttons_only_when_its_reader_is_to_move() {
    let (mut stage, _) = brought().await;
    enter(&mut stage, HOME);
    stage.send_group_message("Bek", "/private").await;
    assert!(told(&mut stage, "Bek").await.contains("in our private chat now"));
    assert!(!has(&board(&stage, "mem:@Bek").await, "7"), "Ann is to move");
    press(&mut stage, "Ann", HOME, "7").await;
    assert!(has(&board(&stage, "mem:@Bek").await, "7"));
    press(&mut stage, "Bek", "mem:@Bek", "7").await;
    assert!(!has(&board(&stage, "mem:@Bek").await, "7"));
    assert!(has(&board(&stage, HOME).await, "9") && has(&board(&stage, OTHER).await, "9"));
}

#[tokio::test]
async fn private_play_needs_a_private_chat() {
    let (mut stage, code) = brought().await;
    stage.platform.forbid_private_messages(PersonId("mem:Ann".into()));
    enter(&mut stage, HOME);
    stage.send_group_message("Ann", "/private").await;
    let words = told(&mut stage, "Ann").await;
    assert!(words.contains("can’t message you") && words.contains(&code), "{words}");
    assert_eq!(table(&stage).await.chats.attached.len(), 1);
    stage.send_group_message("Cyd", &format!("/private {code}")).await;
    assert!(told(&mut stage, "Cyd").await.contains(&format!("/watch {code}")));
}

#[tokio::test]
async fn people_are_called_where_they_acted_last() {
    let (mut stage, _) = brought().await;
    press(&mut stage, "Ann", OTHER, "7").await;
    press(&mut stage, "Bek", HOME, "7").await;
    assert!(table(&stage).await.chat_of(&PersonId("mem:Ann".into())).unwrap().0 == OTHER);
    stage.clock.pass_ms(3 * 60_000);
    for _ in 0..1_000 {
        if at(&stage, OTHER).await.iter().any(|it| it.text.contains("Ann, it’s your turn")) {
            break;
        }
        tokio::task::spawn_blocking(|| ()).await.unwrap();
    }
    assert!(at(&stage, OTHER).await.iter().any(|it| it.text.contains("Ann, it’s your turn")));
    assert!(at(&stage, HOME).await.iter().all(|it| !it.text.contains("it is your turn")));
}

#[tokio::test]
async fn only_those_who_brought_it_or_keep_order_there_take_it_away() {
    let (mut stage, code) = brought().await;
    stage.send_group_message("Bek", &format!("/stop {code}")).await;
    assert!(told(&mut stage, "Bek").await.contains("Only the person who showed"));
    // Ann keeps order wherever she is.
    stage.send_group_message("Ann", "/stop").await;
    let left = at(&stage, OTHER).await;
    assert!(left.iter().any(|it| it.text.contains("isn’t shown here any more")), "{left:?}");
    assert!(left.iter().all(|it| it.buttons.is_empty()), "{left:?}");
    assert!(table(&stage).await.chats.attached.is_empty());
    press(&mut stage, "Ann", HOME, "7").await;
}

/// A game of a person in one group with Bek, who joined in another one and plays only there.
async fn joined_elsewhere(opener: &str) -> (MemoryStage, String) {
    let mut stage = stage().await;
    stage.send_group_message(opener, "/togyz me 3 min").await;
    stage.service.wait_until_idle().await;
    let code = table(&stage).await.id.0;
    enter(&mut stage, OTHER);
    stage.send_group_message("Cyd", &format!("/bring {code}")).await;
    press(&mut stage, "Bek", OTHER, "Join").await;
    press(&mut stage, opener, HOME, "7").await;
    (stage, code)
}

#[tokio::test]
async fn nobody_takes_the_only_board_from_a_player_for_their_own_gain() {
    let (mut stage, code) = joined_elsewhere("Ann").await;
    // Ann keeps order there, but she is the opponent; Cyd has showed the table.
    for who in ["Ann", "Cyd"] {
        stage.send_group_message(who, &format!("/stop {code}")).await;
        let words = told(&mut stage, who).await;
        assert!(words.contains("Bek plays only from this chat"), "{who}: {words}");
    }
    press(&mut stage, "Bek", OTHER, "7").await;
    // Bek has another board now.
    stage.send_group_message("Bek", "/private").await;
    stage.send_group_message("Cyd", &format!("/stop {code}")).await;
    assert_eq!(table(&stage).await.chats.attached.len(), 1);
}

/// A setting of the chat lets everybody close tables there, but not take the board from a player.
#[tokio::test]
async fn a_bystander_takes_no_board_from_a_player_where_everybody_may_close_tables() {
    let (mut stage, code) = joined_elsewhere("Dan").await;
    let everybody = "people Ann
        Ann says /settings chat
        Ann presses ✖ Who may close tables
        Ann presses everybody
        Ann has private buttons ✖ Who may close tables: everybody";
    play("everybody", everybody, &mut stage).await;
    stage.send_group_message("Cat", &format!("/stop {code}")).await;
    let words = told(&mut stage, "Cat").await;
    assert!(words.contains("Bek plays only from this chat"), "{words}");
    press(&mut stage, "Bek", OTHER, "7").await;
}

#[tokio::test]
async fn a_player_whose_only_board_an_admin_takes_away_does_not_lose() {
    let (mut stage, code) = joined_elsewhere("Dan").await;
    stage.send_group_message("Ann", &format!("/stop {code}")).await;
    let now = table(&stage).await;
    assert!(now.chats.attached.is_empty() && now.running_clock().is_none());
    let seat = now.seating.seats_of(&PersonId("mem:Bek".into())).next().unwrap();
    assert!(now.involuntary_departure(seat).is_some());
    stage.clock.pass_ms(5 * 60_000);
    enter(&mut stage, HOME);
    stage.send_group_message("Dan", &format!("/claim {code}")).await;
    assert!(table(&stage).await.is_open());
    // Bek goes on where he was: the table is not taken away unnoticed once more.
    enter(&mut stage, OTHER);
    stage.send_group_message("Bek", &format!("/bring {code}")).await;
    stage.send_group_message("Dan", &format!("/stop {code}")).await;
    assert!(told(&mut stage, "Dan").await.contains("Bek plays only from this chat"));
    stage.send_group_message("Ann", &format!("/stop {code}")).await;
    assert!(table(&stage).await.involuntary_departure(seat).is_some());
    // Bek goes on in private, with the time that was left.
    stage.send_private_message("Bek", &format!("/private {code}")).await;
    press(&mut stage, "Bek", "mem:@Bek", "7").await;
    assert_eq!(table(&stage).await.history.steps.len(), 2);
}

#[tokio::test]
async fn a_seat_is_free_again_if_its_only_board_is_taken_away_before_the_game() {
    let mut stage = stage().await;
    stage.send_group_message("Dan", "/thaayam").await;
    stage.service.wait_until_idle().await;
    let code = table(&stage).await.id.0;
    enter(&mut stage, OTHER);
    stage.send_group_message("Cyd", &format!("/bring {code}")).await;
    press(&mut stage, "Bek", OTHER, "Join").await;
    assert_eq!(table(&stage).await.seating.people().len(), 2);
    stage.send_group_message("Cyd", &format!("/stop {code}")).await;
    assert_eq!(table(&stage).await.seating.people(), [&PersonId("mem:Dan".into())]);
}

#[tokio::test]
async fn a_bystander_takes_no_buttons_from_a_chat_and_does_not_own_it() {
    let (mut stage, code) = joined_elsewhere("Ann").await;
    // Nor does anybody else while Bek plays from there.
    for who in ["Cat", "Cyd", "Ann", "Bek"] {
        stage.send_group_message(who, &format!("/watch {code}")).await;
        let words = told(&mut stage, who).await;
        assert!(words.contains("shown here already"), "{who}: {words}");
    }
    press(&mut stage, "Bek", OTHER, "7").await;
    let attached_chat = |table: &Table| table.chats.attached.last().unwrap().clone();
    let cyd = PersonId("mem:Cyd".into());
    assert_eq!(attached_chat(&table(&stage).await).attached_by, cyd);
    // Cat has brought it here to watch, and Bek wants to play here, too.
    enter(&mut stage, "mem:third");
    stage.send_group_message("Cat", &format!("/watch {code}")).await;
    stage.send_group_message("Bek", &format!("/bring {code}")).await;
    let third = attached_chat(&table(&stage).await);
    assert_eq!((third.attached_by.0.as_str(), third.is_watch_only), ("mem:Cat", false));
    assert!(table(&stage).await.is_player_chat(&third.chat));
}

#[tokio::test]
async fn who_showed_a_table_may_let_people_only_watch_where_nobody_plays() {
    let (mut stage, code) = brought().await;
    stage.send_group_message("Cat", &format!("/watch {code}")).await;
    assert!(told(&mut stage, "Cat").await.contains("shown here already"));
    assert!(has(&board(&stage, OTHER).await, "7"));
    stage.send_group_message("Cyd", &format!("/watch {code}")).await;
    assert!(!has(&board(&stage, OTHER).await, "7"));
}

#[tokio::test]
async fn an_admin_makes_room_in_a_chat_that_is_full() {
    let mut stage = stage().await;
    stage.send_group_message("Dan", "/togyz").await;
    stage.service.wait_until_idle().await;
    let code = table(&stage).await.id.0;
    enter(&mut stage, OTHER);
    stage.send_group_message("Cyd", &format!("/bring {code}")).await;
    stage.send_group_message("Bek", &format!("/cancel {code}")).await;
    assert!(told(&mut stage, "Bek").await.contains("Only the person who showed"));
    // Ann keeps order, and has no seat.
    stage.send_group_message("Ann", &format!("/cancel {code}")).await;
    let now = table(&stage).await;
    assert!(now.chats.attached.is_empty() && now.is_open());
    enter(&mut stage, HOME);
    stage.send_group_message("Bek", &format!("/cancel {code}")).await;
    assert!(table(&stage).await.is_open());
    stage.send_group_message("Ann", &format!("/cancel {code}")).await;
    assert!(!table(&stage).await.is_open());
}

#[tokio::test]
async fn an_admin_elsewhere_does_not_call_the_table_off() {
    let mut stage = stage().await;
    stage.send_group_message("Bek", "/togyz").await;
    stage.service.wait_until_idle().await;
    let code = table(&stage).await.id.0;
    enter(&mut stage, OTHER);
    stage.send_group_message("Ann", &format!("/bring {code}")).await;
    let update = |stage: &mut MemoryStage| {
        stage.update(
            "Ann",
            false,
            UpdateKind::Press { callback_data: format!("x.{code}"), message: None },
        )
    };
    let foreign = update(&mut stage);
    stage.hear(foreign).await;
    assert!(table(&stage).await.is_open());
    enter(&mut stage, HOME);
    // The first press asks whether to close the table.
    for _ in 0..2 {
        let own = update(&mut stage);
        stage.hear(own).await;
    }
    assert!(!table(&stage).await.is_open());
}

#[tokio::test]
async fn a_place_that_dies_is_left_and_the_next_one_becomes_home() {
    let (mut stage, _) = brought().await;
    enter(&mut stage, HOME);
    let gone = stage.update("Ann", false, UpdateKind::ChatDeleted);
    stage.service.handle(gone).await;
    let now = table(&stage).await;
    assert_eq!((now.chats.home().0.as_str(), now.chats.attached.len()), (OTHER, 0));
    press(&mut stage, "Ann", OTHER, "7").await;
    press(&mut stage, "Bek", OTHER, "7").await;
    enter(&mut stage, OTHER);
    let gone = stage.update("Ann", false, UpdateKind::ChatDeleted);
    stage.service.handle(gone).await;
    let ended = table(&stage).await;
    assert!(!ended.is_open(), "nobody can play it any more");
    let result = ended.game_result().expect("a player may have deleted it to undo a loss");
    assert!(result.is_message_lost());
}

#[tokio::test]
async fn a_chat_that_sends_the_bot_away_only_loses_its_board() {
    let (mut stage, _) = brought().await;
    let removed = stage.update("Cyd", false, UpdateKind::BotRemoved);
    stage.service.handle(removed).await;
    assert!(table(&stage).await.chats.attached.is_empty());
    press(&mut stage, "Ann", HOME, "7").await;
    assert_eq!(table(&stage).await.history.steps.len(), 1);
}

fn people(table: &Table) -> Vec<&str> {
    table.seating.people().into_iter().map(|it| it.0.as_str()).collect()
}

/// The people of a lobby see it in different groups. A seat of a person who has no chat of the
/// table any more would be waited for.
#[tokio::test]
async fn a_seat_in_a_lobby_becomes_free_with_the_last_chat_of_its_player() {
    for gone in [UpdateKind::ChatDeleted, UpdateKind::BotRemoved] {
        let mut stage = stage().await;
        stage.send_group_message("Ann", THAAYAM).await;
        stage.service.wait_until_idle().await;
        let code = table(&stage).await.id.0;
        enter(&mut stage, OTHER);
        for who in ["Cyd", "Dov"] {
            stage.send_group_message(who, &format!("/bring {code}")).await;
            press(&mut stage, who, OTHER, "Join").await;
        }
        assert_eq!(people(&table(&stage).await), ["mem:Ann", "mem:Cyd", "mem:Dov"]);
        let gone = stage.update("Eve", false, gone);
        stage.service.handle(gone).await;
        let now = table(&stage).await;
        assert_eq!(people(&now), ["mem:Ann"]);
        // Without its home the table goes on in the other group, where nobody has a seat.
        enter(&mut stage, OTHER);
        stage.send_group_message("Eve", &format!("/bring {code}")).await;
        enter(&mut stage, HOME);
        let gone = stage.update("Eve", false, UpdateKind::ChatDeleted);
        stage.service.handle(gone).await;
        let now = table(&stage).await;
        assert_eq!(now.chats.home().0, OTHER);
        assert!(!now.is_open(), "its only player does not reach it");
    }
}

/// World 132 of the simulation found that a lobby waited for a player who left the group first and
/// could not be reached in private later.
#[tokio::test]
async fn a_seat_in_a_lobby_becomes_free_when_its_player_is_unreachable_in_private() {
    let mut stage = stage().await;
    stage.send_group_message("Ann", THAAYAM).await;
    stage.service.wait_until_idle().await;
    let code = table(&stage).await.id.0;
    stage.send_private_message("Ann", &format!("/bring {code}")).await;
    let (who, how) = (stage.person("Ann").id, Departure::Left);
    let left = stage.update("Ann", false, UpdateKind::MemberLeft { who, how });
    stage.service.handle(left).await;
    stage.service.wait_until_idle().await;
    assert_eq!(people(&table(&stage).await), ["mem:Ann"], "she still has her private chat");
    // The boards in the group and in her private chat are refused, and the reply about that.
    stage.platform.fail_with([(); 4].map(|()| SendError::NotAllowed));
    stage.send_group_message("Bek", &format!("/join {code}")).await;
    stage.service.wait_until_idle().await;
    let now = table(&stage).await;
    assert_eq!(people(&now), ["mem:Bek"]);
    assert_eq!(now.setup.opener.0, "mem:Bek");
}

#[tokio::test]
async fn a_group_that_moves_keeps_what_was_brought_to_it() {
    let (mut stage, _) = brought().await;
    let to = ChatId("mem:super".into());
    let moved = stage.update("Cyd", false, UpdateKind::ChatMoved { to: to.clone() });
    stage.service.handle(moved).await;
    press(&mut stage, "Ann", HOME, "7").await;
    press(&mut stage, "Bek", &to.0, "7").await;
    let now = table(&stage).await;
    assert_eq!(now.chats.ids().map(|it| it.0.as_str()).collect::<Vec<_>>(), [HOME, "mem:super"]);
}

#[tokio::test]
async fn a_rematch_goes_on_wherever_the_game_was_shown() {
    let (mut stage, _) = brought().await;
    enter(&mut stage, HOME);
    stage.send_group_message("Bek", "/private").await;
    press(&mut stage, "Ann", HOME, "7").await;
    press(&mut stage, "Bek", OTHER, "7").await;
    stage.send_group_message("Ann", "/resign").await;
    stage.send_group_message("Ann", "/resign").await;
    press(&mut stage, "Ann", OTHER, "Rematch").await;
    press(&mut stage, "Bek", "mem:@Bek", "Accept").await;
    let heads = stage.store.scan(Space::Head, "", None, 9).await.unwrap();
    let mut open = Vec::new();
    for (id, _) in heads {
        let id = TableId(id);
        let lines = stage.store.read_log(&id.0, 0).await.unwrap();
        let table = Table::from_log(&id, &lines).unwrap();
        open.extend(table.is_open().then_some(table));
    }
    let [next] = open.as_slice() else { panic!("{open:?}") };
    let chats: Vec<&str> = next.chats.ids().map(|it| it.0.as_str()).collect();
    assert_eq!(chats, [HOME, OTHER, "mem:@Bek"]);
    assert!(has(&board(&stage, "mem:@Bek").await, "7"), "Bek begins now");
}

#[tokio::test]
async fn a_table_is_shown_in_at_most_eight_other_chats() {
    let (mut stage, code) = brought().await;
    for n in 0..8 {
        enter(&mut stage, &format!("mem:more{n}"));
        stage.send_group_message("Cyd", &format!("/bring {code}")).await;
    }
    assert!(told(&mut stage, "Cyd").await.contains("in 8 other chats"));
    assert_eq!(table(&stage).await.chats.attached.len(), 8);
}

#[tokio::test]
async fn strangers_do_not_use_up_the_private_chats_of_players() {
    let mut stage = stage().await;
    stage.people(&["Ann", "Bek", "Cyd", "Dan"].map(str::to_owned)).await;
    stage.send_group_message("Ann", "/togyz @Bek me").await;
    stage.service.wait_until_idle().await;
    let code = table(&stage).await.id.0;
    for n in 0..8 {
        enter(&mut stage, &format!("mem:more{n}"));
        stage.send_group_message("Cyd", &format!("/bring {code}")).await;
    }
    // Bek is invited, and Ann has a seat.
    stage.send_private_message("Bek", &format!("/private {code}")).await;
    press(&mut stage, "Bek", "mem:@Bek", "Accept").await;
    enter(&mut stage, HOME);
    stage.send_group_message("Ann", "/private").await;
    press(&mut stage, "Ann", "mem:@Ann", "7").await;
    assert_eq!(table(&stage).await.chats.attached.len(), 10);
    stage.send_private_message("Dan", &format!("/watch {code}")).await;
    assert!(told(&mut stage, "Dan").await.contains("in 8 other chats"));
}

#[tokio::test]
async fn a_table_of_one_person_is_not_known_anywhere_else() {
    let mut stage = stage().await;
    stage.send_private_message("Ann", "/blot").await;
    stage.service.wait_until_idle().await;
    let code = table(&stage).await.id.0;
    stage.send_group_message("Bek", &format!("/bring {code}")).await;
    assert!(told(&mut stage, "Bek").await.contains("don’t know table"));
    stage.send_group_message("Ann", &format!("/bring {code}")).await;
    assert!(told(&mut stage, "Ann").await.contains("can’t be shown elsewhere"));
}

/// A player of an ended game may have been removed from its chat since.
#[tokio::test]
async fn only_players_have_a_board_posted_in_another_chat() {
    let mut stage = stage().await;
    let script = "people Ann Bek\nAnn says /togyz @Bek me\nBek presses Accept\n\
                  Ann has buttons 1 | 9\nAnn writes privately /board {table}\n\
                  Ann gets reply Here is the board";
    play("plays", script, &mut stage).await;
    let posts = async |stage: &MemoryStage| at(stage, HOME).await.len();
    let posted = posts(&stage).await;
    let last = board(&stage, HOME).await;
    play(
        "ends",
        "Bek says /resign\n2 seconds pass\nBek says /resign\neveryone sees Bek resigned",
        &mut stage,
    )
    .await;
    let heads = stage.store.scan(Space::Head, "", None, 1).await.unwrap();
    let asks =
        format!("Bek writes privately /board {}\nBek gets reply Here is the board", heads[0].0);
    play("asks again", &asks, &mut stage).await;
    assert_eq!(posts(&stage).await, posted);
    assert_eq!(board(&stage, HOME).await.id, last.id, "the board is where it was");
}
