//! The rating lists and statistics that the page shows: what is in them, who may see whom, and how
//! they are used in a real browser.

use std::sync::Arc;

use caravanserai_bot::repository::DAY_MS;
use caravanserai_bot::results::row_formats::{self, HistoryEntry, LeaderboardEntry, RecordId};
use caravanserai_games::ids::{PersonId, TableId};
use caravanserai_results::{RatingScope, Season};
use caravanserai_store::memory::MemoryStore;
use caravanserai_store::{Commit, Put, Space, Store};
use caravanserai_webchat::PublicPage;
use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::own_games::after_a_game;
use crate::page_program::Program;
use crate::stage::host::Host;
use crate::stage::web::WebStage;
use crate::stage::{Stage, play};
use crate::table_state::people;
use crate::webdriver::{Browser, keys};

/// Bek wins a rated game, and Ann reaches an achievement in it.
pub const RATED_GAME: &str = "Ann says /togyz @Bek me
    Bek presses Accept
    Ann presses 9
    Bek presses 4
    Ann presses 2
    Bek presses 1
    Ann presses 3
    everyone sees tuzdyk
    Bek presses 9
    Ann presses 8
    Bek presses 8
    Ann presses 7
    Bek presses 7
    100 seconds pass
    Ann says /resign
    2 seconds pass
    Ann says /resign
    everyone sees Ann resigned
    9 seconds pass";

const LIST: &str = "togyzkumalak.2";

async fn after_a_rated_game() -> (WebStage, Arc<MemoryStore>) {
    let store = Arc::new(MemoryStore::default());
    let mut stage = WebStage::new(store.clone()).await;
    people(&mut stage).await;
    play("rated game", RATED_GAME, &mut stage).await;
    (stage, store)
}

/// Anybody gets accounts on a public page, so a game against a further account of one's own must
/// not count. The lobby says so before the game.
#[tokio::test]
async fn games_of_guests_of_a_public_page_are_rated_from_the_next_day_on() {
    let page = PublicPage { url: "https://play.example.org".to_owned(), ..PublicPage::default() };
    let host = Host::new(Arc::new(MemoryStore::default()), 1);
    let mut stage = WebStage::public(host, page).await;
    people(&mut stage).await;
    let (opening, rest) = RATED_GAME.split_once('\n').unwrap();
    let script = format!("{opening}\nAnn sees Not rated: a guest of the page plays\n{rest}");
    play("guests", &script, &mut stage).await;
    play("the result", "Ann sees ⭐ Bek: first win here", &mut stage).await;
    assert_eq!(names(&stage.at("Ann", "ratings").await), [""; 0]);
    let next_day = "1440 minutes pass\nAnn says /togyz @Bek\nBek sees Rated game";
    play("the next day", next_day, &mut stage).await;
}

/// The names of the places of a list, in their order.
fn names(page: &Value) -> Vec<&str> {
    let places = page["places"].as_array().unwrap();
    places.iter().map(|it| it["name"].as_str().unwrap()).collect()
}

/// The place of a person.
fn place<'a>(page: &'a Value, name: &str) -> &'a Value {
    let places = page["places"].as_array().unwrap();
    places.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("{page}"))
}

#[tokio::test]
async fn a_room_has_lists_of_its_own_of_all_chats_and_of_months() {
    let (stage, _) = after_a_rated_game().await;
    let [ann, bek] = ["Ann", "Bek"].map(|it| json!(stage.account(it)));
    let page = stage.at("Ann", "ratings").await;
    assert_eq!((names(&page), &page["list"]), (vec!["Bek", "Ann"], &json!(LIST)));
    assert_eq!(page["lists"].as_array().unwrap().len(), 1, "only lists that have a place");
    assert_eq!((&page["months"], &page["next"]), (&Value::Null, &Value::Null));
    let (first, own) = (place(&page, "Bek"), place(&page, "Ann"));
    assert_eq!((&first["rank"], &own["rank"]), (&json!(1), &json!(2)));
    assert_eq!((&first["own"], &own["own"]), (&json!(false), &json!(true)));
    assert_eq!((&first["person"], &own["person"]), (&bek, &ann));
    assert_eq!((&first["won"], &first["drawn"], &first["lost"]), (&json!(1), &json!(0), &json!(0)));
    assert_eq!((&own["won"], &own["lost"]), (&json!(0), &json!(1)));
    assert!(first["rating"].as_i64() > own["rating"].as_i64(), "{page}");
    assert_eq!(first["provisional"], true, "one game is few");
    // A list without a place gives way to one that has some.
    assert_eq!(stage.at("Ann", "ratings?list=blot.pairs").await, page);
    for query in ["of=all", "month=now", "of=all&month=now"] {
        let page = stage.at("Ann", &format!("ratings?{query}")).await;
        assert_eq!(names(&page), ["Bek", "Ann"], "{query}");
        assert_eq!(place(&page, "Bek")["person"], bek, "{query}");
        assert_eq!(page["months"].is_null(), query == "of=all", "{page}");
    }
    // A month without games is empty, and leads to one with games.
    let month = stage.at("Ann", "ratings?month=now").await["months"]["shown"].clone();
    let page = stage.at("Ann", "ratings?month=2000-01").await;
    assert_eq!((names(&page).len(), &page["list"]), (0, &Value::Null));
    assert_eq!((&page["months"]["later"], &page["months"]["earlier"]), (&month, &Value::Null));
    // In the private chat there are only the lists of all chats, and nobody else's statistics.
    let page = stage.own("Ann", "rooms/@/ratings").await;
    assert_eq!(names(&page), ["Bek", "Ann"]);
    assert_eq!(
        (&place(&page, "Bek")["person"], &place(&page, "Ann")["person"]),
        (&Value::Null, &ann)
    );
    let long = format!("list={}", "1".repeat(81));
    for query in ["of=x", "month=2026-13", "month=x", "from=x", &*long] {
        let path = format!("rooms/family/ratings?{query}");
        assert_eq!(stage.refused("Ann", &path).await, 400, "{query}");
    }
}

#[tokio::test]
async fn room_members_see_games_of_the_room_and_all_their_own() {
    let (mut stage, _) = after_a_rated_game().await;
    let paths = ["Ann", "Bek"].map(|it| format!("people/{}", stage.account(it)));
    let [ann, bek] = &paths;
    let own = stage.at("Ann", ann).await;
    assert_eq!(
        (&own["name"], &own["own"], &own["against"]),
        (&json!("Ann"), &json!(true), &Value::Null)
    );
    let list = &own["lists"][0];
    assert_eq!(
        (&list["code"], &list["lost"], &list["streak"]),
        (&json!(LIST), &json!(1), &json!(-1))
    );
    assert_eq!((&list["provisional"], &list["best"]), (&json!(true), &Value::Null));
    assert!(!list["totals"].as_array().unwrap().is_empty(), "{list}");
    assert_eq!(list["curve"], json!([]), "one game is no curve");
    assert_eq!(list["favourites"], json!([]), "nor is it a habit");
    assert_eq!((&list["best_win"], &list["luck"]), (&Value::Null, &Value::Null));
    let achievements = own["achievements"].as_array().unwrap();
    let reached: Vec<&Value> = achievements.iter().filter(|it| !it["at_ms"].is_null()).collect();
    assert!(achievements.len() > 1 && reached.len() == 1, "{own}");
    assert_eq!(stage.own("Ann", &format!("rooms/@/{ann}")).await, own, "from anywhere");
    // Another player gets the games against them, and a spectator those of the room.
    let of_bek = stage.at("Ann", bek).await;
    assert_eq!((&of_bek["name"], &of_bek["own"]), (&json!("Bek"), &json!(false)));
    assert_eq!(
        of_bek["against"],
        json!({ "won": 0, "drawn": 0, "lost": 1, "curve": [], "searched": null })
    );
    assert_eq!(of_bek["achievements"], Value::Null);
    let won = &of_bek["lists"][0]["best_win"];
    assert!(won["says"].as_str().unwrap().contains("against Ann, rated 1500?"), "{won}");
    let replay = format!("tables/{}/replay", won["table"].as_str().unwrap());
    for who in ["Ann", "Cyd"] {
        let shown = stage.at(who, &replay).await;
        assert_eq!(shown["table"], won["table"], "{who} can watch it again");
    }
    let of_ann = stage.at("Cyd", ann).await;
    assert_eq!((&of_ann["against"], &of_ann["lists"][0]["lost"]), (&Value::Null, &json!(1)));
    assert_eq!(of_ann["achievements"], Value::Null, "only Ann sees what she has reached");
    let cyd = format!("people/{}", stage.account("Cyd"));
    assert_eq!(stage.at("Ann", &cyd).await["lists"], json!([]));
    // The games against one person are one's own.
    let against = async |who: &str| {
        let path = format!("games?against={}&room=family", stage.account(who));
        stage.own("Ann", &path).await["games"].as_array().unwrap().len()
    };
    assert_eq!((against("Bek").await, against("Cyd").await), (1, 0));
    // What is turned off is hidden.
    play("off", "Ann says /achievements\nAnn presses Turn achievements off", &mut stage).await;
    assert_eq!(stage.at("Ann", ann).await["achievements"], Value::Null);
    assert_eq!(stage.at("Cyd", ann).await["achievements"], Value::Null);
}

/// Lists a game of Ann as one that she played against this account in a chat of another platform.
async fn list_elsewhere(store: &MemoryStore, [ann, bek, opponent]: [&str; 3], table: &str) {
    let elsewhere = |entry: &mut HistoryEntry| {
        rename_player(entry, bek, opponent, "Real Name");
        "tg:-5".clone_into(&mut entry.chat);
    };
    list_changed_game(store, ann, table, elsewhere).await;
}

/// Replaces the id and the name of a player of a listed game.
pub fn rename_player(entry: &mut HistoryEntry, before: &str, after: &str, name: &str) {
    let player = entry.players.iter_mut().find(|it| it.person.0 == before).unwrap();
    (player.person, player.name) = (PersonId(after.to_owned()), name.to_owned());
}

/// Lists the last game of a person once more, as an earlier game at another table that differs by
/// this change.
pub async fn list_changed_game(
    store: &MemoryStore,
    person: &str,
    table: &str,
    change: impl FnOnce(&mut HistoryEntry),
) {
    let person = PersonId(person.to_owned());
    let prefix = row_formats::history_prefix(&person);
    let (_, row) = store.scan(Space::Rating, &prefix, None, 1).await.unwrap().remove(0);
    let mut entry: HistoryEntry = serde_json::from_slice(&row).unwrap();
    entry.table = TableId(table.to_owned());
    // Earlier games follow later ones.
    entry.ended_ms -= 1;
    change(&mut entry);
    let key = row_formats::history(&person, entry.ended_ms, &entry.table);
    let row = Put::new(Space::Rating, key, serde_json::to_vec(&entry).unwrap());
    store.commit(Commit::from_puts(vec![row])).await.unwrap();
}

/// The first board and the result must say the same.
#[tokio::test]
async fn the_result_of_a_game_that_counts_only_in_its_chat_says_so() {
    let (stage, store) = after_a_rated_game().await;
    let games = stage.own("Ann", "games").await;
    let table = games["games"][0]["table"].as_str().unwrap().to_owned();
    let key = row_formats::rating_changes(&TableId(table.clone()));
    let row = store.get(Space::Rating, &key).await.unwrap().unwrap();
    for (casual, says) in [
        (json!(["pair-limit-everywhere"]), "Rated in the lists of this chat only"),
        (json!(["pair-limit-everywhere", "new-account"]), "Not rated: a new player won"),
    ] {
        let mut ratings: Value = serde_json::from_slice(&row).unwrap();
        ratings["casual"] = casual;
        let put = Put::new(Space::Rating, key.clone(), ratings.to_string().into_bytes());
        store.commit(Commit::from_puts(vec![put])).await.unwrap();
        let shown = stage.state("Ann", &table, "").await.to_string();
        assert!(shown.contains(says), "{says}: {shown}");
        assert_eq!(shown.contains("Not rated"), says.starts_with("Not rated"), "{shown}");
    }
}

#[tokio::test]
async fn games_of_other_chats_do_not_reveal_linked_accounts() {
    let (stage, store) = after_a_rated_game().await;
    let [ann, bek, cyd] = ["Ann", "Bek", "Cyd"].map(|it| stage.account(it));
    // Cyd is the person of an account of another platform, and an account there is Bek's.
    let links = json!({ "main": "tg:9", "accounts": [] }).to_string().into_bytes();
    let links = Put::new(Space::Person, format!("links {cyd}"), links);
    store.commit(Commit::from_puts(vec![links])).await.unwrap();
    list_elsewhere(&store, [&ann, &bek, "tg:9"], "elsewhere1").await;
    list_elsewhere(&store, [&ann, &bek, &bek], "elsewhere2").await;
    let own = stage.own("Ann", "games").await;
    assert_eq!(own["games"].as_array().unwrap().len(), 3, "{own}");
    for (person, lost) in [(&bek, 1), (&cyd, 0)] {
        let shown = stage.at("Ann", &format!("people/{person}")).await;
        assert_eq!(shown["against"]["lost"].as_i64().unwrap_or_default(), lost, "{shown}");
        let games = stage.own("Ann", &format!("games?against={person}&room=family")).await;
        assert_eq!(games["games"].as_array().unwrap().len(), usize::from(lost > 0), "{games}");
        assert!(!format!("{shown}{games}").contains("Real Name"), "{shown} {games}");
        // Without a room they would be games of all chats.
        assert_eq!(stage.refused("Ann", &format!("games?against={person}")).await, 400);
        for room in ["@", "other"] {
            let path = format!("games?against={person}&room={room}");
            assert_eq!(stage.refused("Ann", &path).await, 404, "{room}");
        }
    }
    let bare = format!("games?against={}&room=family", bek.trim_start_matches("web:"));
    assert_eq!(stage.refused("Ann", &bare).await, 404);
    assert_eq!(stage.refused("Ann", "games?room=family").await, 400);
}

#[tokio::test]
async fn nobody_sees_statistics_of_people_of_other_rooms() {
    let (mut stage, _) = after_a_rated_game().await;
    let [ann, bek] = ["Ann", "Bek"].map(|it| stage.account(it));
    let client = Client::builder().no_proxy().build().unwrap();
    for path in ["ratings".to_owned(), format!("people/{ann}")] {
        let path = format!("{}/api/rooms/family/{path}", stage.address());
        let answer = client.get(path).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), 401);
    }
    for path in [format!("rooms/@/people/{bek}"), "rooms/family/people/web:x".to_owned()] {
        assert_eq!(stage.refused("Ann", &path).await, 404, "{path}");
    }
    // Without the prefix it is nobody's id.
    let bare = format!("rooms/family/people/{}", bek.trim_start_matches("web:"));
    assert_eq!(stage.refused("Ann", &bare).await, 404);
    // Who has left is listed, but not shown.
    play("leaves", "Bek leaves the group", &mut stage).await;
    assert_eq!(place(&stage.at("Ann", "ratings").await, "Bek")["person"], Value::Null);
    assert_eq!(stage.refused("Ann", &format!("rooms/family/people/{bek}")).await, 404);
    for path in ["rooms/family/ratings".to_owned(), format!("rooms/family/people/{ann}")] {
        assert_eq!(stage.refused("Bek", &path).await, 404, "{path}");
    }
    assert_eq!(stage.own("Bek", "games").await["games"].as_array().unwrap().len(), 1);
    let against = format!("games?against={bek}&room=family");
    assert_eq!(stage.refused("Ann", &against).await, 404, "they share no room any more");
    // A stranger sees the names of all chats, as in `/top`, and no ids.
    stage.people(&["Eve".to_owned()]).await;
    for path in ["rooms/family/ratings".to_owned(), format!("rooms/family/people/{ann}")] {
        assert_eq!(stage.refused("Eve", &path).await, 404, "{path}");
    }
    let page = stage.own("Eve", "rooms/@/ratings?of=all").await;
    assert_eq!(names(&page), ["Bek", "Ann"]);
    let text = page.to_string();
    assert!(!text.contains(&ann) && !text.contains(&bek), "{text}");
}

#[tokio::test]
async fn a_block_changes_nothing_that_others_could_notice() {
    let (mut stage, _) = after_a_rated_game().await;
    let paths = ["Ann", "Bek"].map(|it| format!("people/{}", stage.account(it)));
    let seen = async |stage: &WebStage| {
        let mut all = Vec::new();
        for who in ["Ann", "Bek", "Cyd"] {
            for path in ["ratings", &*paths[0], &*paths[1]] {
                all.push(stage.at(who, path).await);
            }
        }
        all
    };
    let before = seen(&stage).await;
    play("block", "Ann writes privately /block @Bek\nAnn says /block @Bek", &mut stage).await;
    assert_eq!(seen(&stage).await, before);
}

#[tokio::test]
async fn a_deleted_person_is_in_no_list() {
    let (mut stage, store) = after_a_rated_game().await;
    let bek = stage.account("Bek");
    let script = "Bek writes privately /account delete
        Bek presses Delete it in a week
        Bek gets reply will be deleted on";
    play("deletion", script, &mut stage).await;
    stage.pass_ms(8 * DAY_MS).await;
    for _ in 0..100 {
        stage.quiet().await;
        if store.scan(Space::Meta, "deletion ", None, 1).await.unwrap().is_empty() {
            break;
        }
        stage.pass_ms(60_000).await;
    }
    for query in ["", "?of=all", "?month=now"] {
        let page = stage.at("Ann", &format!("ratings{query}")).await;
        assert!(!page.to_string().contains("Bek"), "{query}: {page}");
    }
    assert_eq!(stage.refused("Ann", &format!("rooms/family/people/{bek}")).await, 404);
    assert_eq!(stage.own("Ann", "games").await["games"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_room_under_a_freed_name_shows_nothing_of_the_room_before() {
    let (mut stage, _) = after_a_rated_game().await;
    let games = stage.own("Ann", "games").await["games"].clone();
    stage.people(&["Eve".to_owned()]).await;
    // Opened and closed more than once, always by people who know nobody from before.
    for _ in 0..2 {
        let earlier = stage.chat();
        stage.close_room().await;
        stage.enters("Eve").await;
        assert_ne!(stage.chat(), earlier);
        for query in ["", "?month=now"] {
            let page = stage.at("Eve", &format!("ratings{query}")).await;
            assert_eq!((names(&page), &page["list"]), (vec![], &Value::Null), "{query}");
        }
        let script = "Eve says /top\nEve gets reply Nobody has finished a rated game here yet";
        play("stranger", script, &mut stage).await;
        let seen = format!("{:?}", stage.visible_messages("Eve").await);
        assert!(!seen.contains("Ann") && !seen.contains("Bek"), "{seen}");
    }
    // Nor do the people of the room before see its results there.
    stage.enters("Ann").await;
    stage.enters("Bek").await;
    assert_eq!(names(&stage.at("Ann", "ratings").await), [""; 0]);
    let bek = stage.account("Bek");
    assert_eq!(stage.at("Eve", &format!("people/{bek}")).await["lists"], json!([]));
    let against = stage.own("Ann", &format!("games?against={bek}&room=family")).await;
    assert_eq!(against["games"], json!([]));
    // They keep their own results, which still name the room.
    assert_eq!(stage.own("Ann", "games").await["games"], games);
    assert_eq!(games[0]["room"], "family");
    assert_eq!(names(&stage.at("Eve", "ratings?of=all").await), ["Bek", "Ann"]);
    let own = stage.at("Ann", &format!("people/{}", stage.account("Ann"))).await;
    assert_eq!(own["lists"][0]["lost"], 1);
}

/// A row of a list.
fn listed(scope: &RatingScope, person: &str, name: &str, rating: i32) -> Put {
    listed_in(LIST, scope, person, name, rating)
}

/// A row of this list.
fn listed_in(list: &str, scope: &RatingScope, person: &str, name: &str, rating: i32) -> Put {
    let id = RecordId {
        scope: scope.clone(),
        list: list.to_owned(),
        person: PersonId(person.to_owned()),
    };
    let row = LeaderboardEntry {
        person: id.person.clone(),
        name: name.to_owned(),
        rating,
        is_provisional: false,
        games: [9, 1, 2],
    };
    let row = serde_json::to_vec(&row).unwrap();
    Put::new(Space::Rating, id.list_place(rating, false), row)
}

#[tokio::test]
async fn long_lists_come_in_pages() {
    let (stage, store) = after_a_rated_game().await;
    let here = RatingScope::of_chat(&stage.chat());
    let rows = (0..118).map(|n| listed(&here, &format!("tg:{n}"), &format!("P{n}"), 2500 - n));
    store.commit(Commit::from_puts(rows.collect())).await.unwrap();
    let mut ranks = Vec::new();
    let mut from = json!(0);
    while !from.is_null() {
        let page = stage.at("Ann", &format!("ratings?from={from}")).await;
        ranks.extend(page["places"].as_array().unwrap().iter().map(|it| it["rank"].clone()));
        assert!(page["places"].as_array().unwrap().len() <= 50);
        from = page["next"].clone();
    }
    assert_eq!(ranks, (1..=120).map(|it| json!(it)).collect::<Vec<_>>());
    let page = stage.at("Ann", "ratings").await;
    assert_eq!((&page["places"][0]["provisional"], &page["next"]), (&json!(false), &json!(50)));
    assert_eq!(names(&stage.at("Ann", "ratings?from=999999").await), [""; 0]);
}

/// A lower rating above a higher one would look like a mistake.
#[tokio::test]
async fn a_list_says_if_its_order_is_not_that_of_the_ratings() {
    let (stage, store) = after_a_rated_game().await;
    let here = RatingScope::of_chat(&stage.chat());
    let month = stage.at("Ann", "ratings?month=now").await["months"]["shown"].clone();
    let season = Season::parse(month.as_str().unwrap()).unwrap();
    let scopes = [here.clone(), here.in_season(season)];
    let rows = scopes.iter().flat_map(|scope| {
        let of_list = move |list: &str| {
            [("tg:1", "Dan", 1600), ("tg:2", "Eve", 1500)]
                .map(|(person, name, rating)| listed_in(list, scope, person, name, rating))
        };
        [LIST, "blot.pairs"].into_iter().flat_map(of_list)
    });
    store.commit(Commit::from_puts(rows.collect())).await.unwrap();
    let order = async |query: &str| stage.at("Ann", query).await["order"].clone();
    assert_eq!(order("ratings").await, Value::Null);
    let all_time = order("ratings?list=blot.pairs").await;
    assert!(all_time.as_str().unwrap().contains("who stop playing move down"), "{all_time}");
    let of_month = order("ratings?list=blot.pairs&month=now").await;
    let of_month = of_month.as_str().unwrap();
    assert!(of_month.contains("how certain it is") && !of_month.contains("move down"));
}

#[tokio::test]
async fn the_overall_list_links_only_people_of_the_room() {
    let (stage, store) = after_a_rated_game().await;
    let cyd = stage.account("Cyd");
    let month = stage.at("Ann", "ratings?month=now").await["months"]["shown"].clone();
    let month = Season::parse(month.as_str().unwrap()).unwrap();
    let scopes = [RatingScope::OVERALL, RatingScope::OVERALL.in_season(month)];
    let elsewhere = scopes.iter().map(|it| listed(it, &cyd, "Cyd of elsewhere", 2000));
    store.commit(Commit::from_puts(elsewhere.collect())).await.unwrap();
    for query in ["of=all", "of=all&month=now"] {
        let page = stage.at("Ann", &format!("ratings?{query}")).await;
        assert_eq!(place(&page, "Cyd of elsewhere")["person"], Value::Null, "{query}");
        let page = stage.at("Cyd", &format!("ratings?{query}")).await;
        assert_eq!(place(&page, "Cyd of elsewhere")["own"], true, "{query}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_and_statistics_are_opened_by_keys_and_closed() {
    let Some(browser) = Browser::start().await else { return };
    let folder = TempDir::new().unwrap();
    let program = Program::start(folder.path());
    after_a_game(&browser, &program.base).await;
    browser.find("#history-close").await.click().await;
    browser.run("document.querySelector('#ratings-open').focus()").await;
    browser.keys(keys::ENTER).await;
    browser.wait("document.activeElement?.id === 'ratings-title'").await;
    let bek = "document.querySelector('#ratings-places [data-key=\"2\"] button.who')";
    browser.wait(bek).await;
    for (width, height) in [(390, 844), (844, 390), (1280, 800)] {
        browser.screen(width, height).await;
        browser.screenshot(&format!("ratings-{width}")).await;
        let wide = "return document.querySelector('#games').scrollWidth <= innerWidth";
        assert_eq!(browser.run(wide).await, json!(true), "{width}");
    }
    // One's own statistics, with the cards of the last games.
    browser.run("document.querySelector('#ratings-me').focus()").await;
    browser.keys(keys::ENTER).await;
    browser.wait("document.activeElement?.id === 'profile-title'").await;
    browser.wait("document.querySelectorAll('#profile .finished').length === 1").await;
    for (width, height) in [(390, 844), (844, 390), (1280, 800)] {
        browser.screen(width, height).await;
        browser.screenshot(&format!("profile-{width}")).await;
        let wide = "return document.querySelector('#games').scrollWidth <= innerWidth";
        assert_eq!(browser.run(wide).await, json!(true), "{width}");
    }
    back_from_games(&browser, "My finished games").await;
    browser.wait("document.activeElement?.id === 'ratings-me'").await;
    // Another person, and one's own games against them.
    browser.run(&format!("{bek}.focus()")).await;
    browser.keys(keys::ENTER).await;
    browser.wait("document.activeElement?.textContent === 'Bek'").await;
    browser.wait("document.querySelectorAll('#profile .finished').length === 1").await;
    back_from_games(&browser, "My games against Bek").await;
    browser.wait(&format!("document.activeElement === {bek}")).await;
    browser.keys(keys::ESCAPE).await;
    browser.wait("document.activeElement?.id === 'ratings-open'").await;
    empty_and_ordered_lists(&browser).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// A list without places says for which time that is true; another one explains its order.
async fn empty_and_ordered_lists(browser: &Browser) {
    let answers = r#"
        const places = [{ rank: 1, name: "Dan", rating: 1500, won: 1, drawn: 0, lost: 0 }];
        const [lists, list, next, order] = [[], null, null, "By certainty."];
        const months = { shown: "2000-02", earlier: "2000-01", later: null };
        const fetched = window.fetch;
        const answer = at => {
            const empty = { lists, list, next, order: null, months, places: [] };
            if (at.includes("month=")) return empty;
            if (at.includes("of=all")) return { lists, list, next, order, months: null, places };
        };
        window.fetch = (at, options) => {
            const told = String(at).includes("/ratings?") && answer(String(at));
            return told ? Promise.resolve(Response.json(told)) : fetched(at, options);
        };"#;
    browser.run(answers).await;
    browser.keys(keys::ENTER).await;
    let choices = [
        ("ratings-where", "all", "ratings-order", "By certainty."),
        ("ratings-when", "now", "ratings-none", "No rated game this month yet"),
        ("ratings-when", "2000-01", "ratings-none", "There was no rated game in that month"),
    ];
    for (group, key, place, words) in choices {
        let button = format!("document.querySelector('#{group} [data-key=\"{key}\"]')");
        browser.wait(&button).await;
        browser.run(&format!("{button}.click()")).await;
        let text = format!("document.querySelector('#{place}:not([hidden])')?.textContent ?? ''");
        browser.wait(&format!("({text}).includes('{words}')")).await;
    }
}

/// From statistics to all games, back to where one was, and back to the list.
async fn back_from_games(browser: &Browser, title: &str) {
    browser.run("document.querySelector('#profile section > button').focus()").await;
    browser.keys(keys::ENTER).await;
    browser.wait("document.activeElement?.id === 'history-title'").await;
    let title = json!(title);
    browser.wait(&format!("document.activeElement.textContent === {title}")).await;
    browser.wait("document.querySelectorAll('#history-list .finished').length === 1").await;
    browser.find("#history-close").await.click().await;
    browser.wait("document.activeElement?.matches('#profile section > button')").await;
    browser.keys(keys::ESCAPE).await;
}
