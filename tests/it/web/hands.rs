//! Messages with a slot on the page: one message for one person, in the chat where they look.

use super::*;
use crate::web_bot::dealt;

/// The private messages of a person in the lobby: number, words, name of the picture.
async fn private_messages(who: &Someone) -> Vec<(u64, String, String)> {
    let messages = who.messages("lobby").await;
    let own = messages.iter().filter(|it| it["only"] == true);
    let word = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let one =
        |it: &Value| (it["id"].as_u64().unwrap(), word(&it["text"]), word(&it["image"]["alt"]));
    own.map(one).collect()
}

async fn press(who: &Someone, message: u64, press: &str, key: &str) -> Value {
    who.post("rooms/lobby/press", json!({ "message": message, "press": press, "key": key })).await
}

async fn send_private_message(
    served: &Served,
    lobby: &ChatId,
    who: &Someone,
    name: &str,
    deal: &str,
) {
    let id = PersonId(who.id.clone());
    let hand = OutgoingMessage { nonce: format!("deal {deal} {name}"), ..dealt(name, deal) };
    served.web.show_ephemeral(lobby, &id, "hand k7", &hand.clone().into()).await.unwrap();
}

#[tokio::test]
async fn a_pressed_hand_is_edited_in_place_and_a_new_one_moves_down() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    ann.say("/deal one", "k1").await;
    let first = private_messages(&ann).await;
    assert_eq!(first.len(), 1);
    let id = first[0].0;
    let message = ann.messages("lobby").await.pop().unwrap();
    let rows: Vec<usize> = message["buttons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_array().unwrap().len())
        .collect();
    assert_eq!(rows, [4, 4, 1], "nothing that begins a message");
    let told = press(&ann, id, "c.2", "p1").await;
    assert_eq!(told["whispers"][0]["text"], "played");
    let second = private_messages(&ann).await;
    assert_eq!((second.len(), second[0].0), (1, id), "it stays where it was pressed");
    assert!(second[0].1.contains("deal 2"), "{second:?}");
    // The same press again is the same answer.
    press(&ann, id, "c.2", "p1").await;
    assert_eq!(private_messages(&ann).await, second);
    // By itself it stays while nothing came after it, …
    send_private_message(&served, &lobby(&served), &ann, "Ann", "three").await;
    assert_eq!(private_messages(&ann).await[0].0, id);
    // … and else it comes to the bottom, once.
    ann.say("talk", "k2").await;
    for _ in 0..2 {
        send_private_message(&served, &lobby(&served), &ann, "Ann", "four").await;
    }
    let last = private_messages(&ann).await;
    assert_eq!(last.len(), 1, "{last:?}");
    assert!(last[0].0 > id && last[0].1.contains("deal four"));
    assert_eq!(ann.messages("lobby").await.last().unwrap()["only"], true);
    // Asked for again by words, too.
    ann.say("/deal five", "k3").await;
    let asked = private_messages(&ann).await;
    assert_eq!((asked.len(), asked[0].0 > last[0].0), (1, true));
    served.stop().await;
}

#[tokio::test]
async fn a_page_takes_the_place_of_the_hand_and_the_hand_comes_back() {
    let (_folder, served) = chat().await;
    let ann = Someone::enter(&served, "Ann").await;
    ann.say("/deal one", "k1").await;
    let id = private_messages(&ann).await[0].0;
    press(&ann, id, "page", "p1").await;
    let page = private_messages(&ann).await;
    assert_eq!((page.len(), page[0].0, page[0].1.as_str()), (1, id, "further choices"));
    send_private_message(&served, &lobby(&served), &ann, "Ann", "two").await;
    let back = private_messages(&ann).await;
    assert_eq!((back.len(), back[0].0), (1, id));
    assert!(back[0].1.contains("deal two"));
    served.stop().await;
}

#[tokio::test]
async fn everybody_holds_their_own_hand_before_and_after_a_restart() {
    let (folder, served) = chat().await;
    let (ann, bob) = (Someone::enter(&served, "Ann").await, Someone::enter(&served, "Bob").await);
    let start = bob.get("me").await["seq"].as_u64().unwrap();
    ann.say("/deal one", "k1").await;
    bob.say("/deal one", "k2").await;
    let lobby = lobby(&served);
    send_private_message(&served, &lobby, &ann, "Ann", "two").await;
    let address = served.base.trim_start_matches("http://").to_owned();
    served.stop().await;
    let served = Served::start_at(folder.path(), &address).await;
    send_private_message(&served, &lobby, &ann, "Ann", "three").await;
    send_private_message(&served, &lobby, &bob, "Bob", "three").await;
    for (who, name) in [(&ann, "Ann"), (&bob, "Bob")] {
        let held = private_messages(who).await;
        assert_eq!(held.len(), 1, "{held:?}");
        assert!(held[0].1.contains(&format!("Hand of {name}, deal three")), "{held:?}");
    }
    let streamed = bob.events(start).await;
    assert!(streamed.iter().all(|(_, _, it)| !it.to_string().contains("Hand of Ann")));
    served.stop().await;
}
