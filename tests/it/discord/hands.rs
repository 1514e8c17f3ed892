//! Hands: shown, refreshed while their token is valid, requested again, and never shown to others.

use super::*;

const SLOT: &str = "hand k7";

/// A person's hand with another text each time.
fn hand(text: &str) -> OutgoingMessage {
    let cards = Button { inline_query: Some("k7 ".to_owned()), ..Button::default() };
    let mut hand = board(text);
    hand.buttons.push(vec![Button {
        label: "Cards".to_owned(),
        callback_data: "i.k7".to_owned(),
        ..cards
    }]);
    hand
}

fn whisper(text: &str) -> EphemeralReply {
    EphemeralReply {
        message: hand(text).into(),
        slot: Some(SLOT.to_owned()),
        ..EphemeralReply::default()
    }
}

fn note(text: &str) -> EphemeralReply {
    EphemeralReply {
        message: saying(text).into(),
        form: ReplyForm::Toast,
        ..EphemeralReply::default()
    }
}

struct Table {
    scene: Scene,
    ann: Actor,
    bob: Actor,
    channel: Channel,
    board: MessageId,
}

async fn table() -> Table {
    let scene = Scene::set().await;
    let (ann, bob) = (scene.dc.user("ann"), scene.dc.user("bob"));
    let channel = scene.dc.channel("games", &[&ann, &bob]);
    let board = scene.discord.post(&chat(&channel), &board("move 1")).await.expect("posted");
    Table { scene, ann, bob, channel, board }
}

impl Table {
    /// Presses a button; the bot answers with these.
    async fn press(&self, who: &Actor, message: &str, whispers: Vec<EphemeralReply>) {
        self.scene.script.answers.lock().push_back(whispers);
        let interaction = who.press(&self.channel, message, "p.1");
        self.scene.dc.answered(interaction).await;
        self.scene.discord.drain().await;
    }

    async fn asks(&self, who: &Actor, text: &str) {
        self.press(who, &self.board.0, vec![whisper(text)]).await;
    }

    /// The private messages that a person sees.
    fn private_messages(&self, who: &Actor) -> Vec<VisibleMessage> {
        let mut seen = self.scene.dc.visible_to(who, &self.channel);
        seen.retain(|it| it.ephemeral);
        seen
    }

    fn texts(&self, who: &Actor) -> Vec<String> {
        self.private_messages(who).into_iter().map(|it| it.text).collect()
    }

    async fn send_private_message(&self, who: &Actor, text: &str) -> Result<(), SendError> {
        let person = PersonId(format!("dc:{}", who.id));
        self.scene
            .discord
            .show_ephemeral(&chat(&self.channel), &person, SLOT, &hand(text).into())
            .await
    }

    fn end(self) {
        for (who, other) in [(&self.ann, "bob's"), (&self.bob, "ann's")] {
            for it in self.scene.dc.reached(who) {
                assert!(!it.words.concat().contains(other), "{:?}", it.words);
            }
        }
        self.scene.end();
    }
}

#[tokio::test]
async fn a_hand_is_renewed_in_place_while_its_token_lives() {
    let it = table().await;
    assert_eq!(it.send_private_message(&it.ann, "ann's 0").await, Err(SendError::NotAllowed));
    it.asks(&it.ann, "ann's 1").await;
    let first = it.private_messages(&it.ann).remove(0);
    let words: Vec<_> = first.buttons.iter().flatten().map(|it| it.0.as_str()).collect();
    assert_eq!(words, ["1", "2", "Resign"], "nothing that begins a message");
    assert_eq!(first.files[0].description.as_deref(), Some("Nine stones each"));
    it.send_private_message(&it.ann, "ann's 2").await.expect("the token lives");
    let second = it.private_messages(&it.ann);
    assert_eq!((second.len(), &second[0].id, second[0].text.as_str()), (1, &first.id, "ann's 2"));
    it.scene.advance(Duration::from_secs(14 * 60 + 1));
    assert_eq!(it.send_private_message(&it.ann, "ann's 3").await, Err(SendError::NotAllowed));
    // A press under it gives it another quarter of an hour.
    it.press(&it.ann, &first.id, vec![note("played"), whisper("ann's 4")]).await;
    assert_eq!(it.texts(&it.ann), ["ann's 4", "played"]);
    assert_eq!(it.private_messages(&it.ann)[0].id, first.id);
    it.scene.advance(Duration::from_secs(13 * 60));
    it.send_private_message(&it.ann, "ann's 5").await.expect("the newer token lives");
    assert_eq!(it.texts(&it.ann), ["ann's 5", "played"]);
    it.end();
}

#[tokio::test]
async fn a_hand_asked_for_again_comes_below_and_the_old_one_goes() {
    let it = table().await;
    it.asks(&it.ann, "ann's 1").await;
    let first = it.private_messages(&it.ann).remove(0);
    it.asks(&it.ann, "ann's 2").await;
    let held = it.private_messages(&it.ann);
    assert_eq!((held.len(), held[0].text.as_str()), (1, "ann's 2"));
    assert_ne!(held[0].id, first.id);
    // As the second of two answers it is a message of its own, and is still known.
    it.press(&it.ann, &it.board.0, vec![note("you have hearts"), whisper("ann's 3")]).await;
    assert_eq!(it.texts(&it.ann), ["you have hearts", "ann's 3"]);
    it.send_private_message(&it.ann, "ann's 4").await.expect("renewed");
    assert_eq!(it.texts(&it.ann), ["you have hearts", "ann's 4"]);
    // After the quarter of an hour nothing old can be taken away, and a new one still comes.
    it.scene.advance(Duration::from_secs(16 * 60));
    it.asks(&it.ann, "ann's 5").await;
    assert_eq!(it.texts(&it.ann), ["you have hearts", "ann's 4", "ann's 5"]);
    it.end();
}

#[tokio::test]
async fn two_people_hold_hands_at_once() {
    let it = table().await;
    it.asks(&it.ann, "ann's 1").await;
    it.asks(&it.bob, "bob's 1").await;
    it.send_private_message(&it.ann, "ann's 2").await.expect("renewed");
    it.send_private_message(&it.bob, "bob's 2").await.expect("renewed");
    assert_eq!(it.texts(&it.ann), ["ann's 2"]);
    assert_eq!(it.texts(&it.bob), ["bob's 2"]);
    it.end();
}

#[tokio::test]
async fn a_page_takes_the_place_of_the_hand_and_the_hand_comes_back() {
    let it = table().await;
    it.asks(&it.ann, "ann's 1").await;
    let id = it.private_messages(&it.ann).remove(0).id;
    let page =
        EphemeralReply { message: board("more choices").into(), ..EphemeralReply::default() };
    it.press(&it.ann, &id, vec![page]).await;
    assert_eq!(it.texts(&it.ann), ["more choices"]);
    it.send_private_message(&it.ann, "ann's 2").await.expect("renewed");
    let held = it.private_messages(&it.ann);
    assert_eq!((held.len(), &held[0].id, held[0].text.as_str()), (1, &id, "ann's 2"));
    it.end();
}

#[tokio::test]
async fn a_dismissed_hand_is_sent_again() {
    let it = table().await;
    it.asks(&it.ann, "ann's 1").await;
    let id = it.private_messages(&it.ann).remove(0).id;
    it.scene.dc.delete(&id);
    it.send_private_message(&it.ann, "ann's 2").await.expect("it follows the last answer");
    assert_eq!(it.texts(&it.ann), ["ann's 2"]);
    it.end();
}

#[tokio::test]
async fn failures_that_pass_are_told_to_the_service() {
    let it = table().await;
    it.asks(&it.ann, "ann's 1").await;
    it.scene.dc.fail(Failure::Answer { method: "PATCH", path: "/webhooks/", status: 502 });
    let error =
        it.send_private_message(&it.ann, "ann's 2").await.expect_err("a failure on purpose");
    assert!(matches!(error, SendError::Temporary(_)), "{error:?}");
    it.scene.dc.fail(Failure::TooMany { method: "PATCH", path: "/webhooks/", wait_ms: 700 });
    assert_eq!(it.send_private_message(&it.ann, "ann's 2").await, Err(SendError::RateLimited(700)));
    it.scene.advance(Duration::from_millis(700));
    it.send_private_message(&it.ann, "ann's 2").await.expect("renewed");
    assert_eq!(it.texts(&it.ann), ["ann's 2"]);
    it.end();
}

#[tokio::test]
async fn a_slow_decision_still_turns_the_hand() {
    let scene = Scene::with_watchdog(Duration::from_millis(1)).await;
    let ann = scene.dc.user("ann");
    let channel = scene.dc.channel("games", &[&ann]);
    let board = scene.discord.post(&chat(&channel), &board("move 1")).await.expect("posted");
    scene.script.gate.forget_permits(1000);
    for (n, text) in ["ann's 1", "ann's 2"].into_iter().enumerate() {
        scene.script.answers.lock().push_back(vec![whisper(text)]);
        let seen = scene.dc.visible_to(&ann, &channel);
        let message = seen.iter().find(|it| it.ephemeral).map_or(&board.0, |it| &it.id);
        let interaction = ann.press(&channel, message, "p.1");
        scene.dc.answered(interaction).await;
        scene.heard(n + 1).await;
        scene.script.gate.add_permits(1);
        let there = |dc: &FakeDiscord| {
            dc.visible_to(&ann, &channel).iter().filter(|it| it.text == text).count() == 1
        };
        scene.dc.wait_until("the hand", there).await;
        scene.discord.drain().await;
    }
    let seen = scene.dc.visible_to(&ann, &channel);
    assert_eq!(seen.iter().filter(|it| it.ephemeral).count(), 1);
    scene.end();
}

#[tokio::test]
async fn in_a_direct_channel_one_message_is_the_hand() {
    let scene = Scene::set().await;
    let ann = scene.dc.user("ann");
    let direct = scene.dc.dm(&ann);
    ann.say(&direct, "hello", None);
    scene.heard(1).await;
    scene.discord.drain().await;
    let person = PersonId(format!("dc:{}", ann.id));
    for text in ["one", "two"] {
        let told =
            scene.discord.show_ephemeral(&chat(&direct), &person, SLOT, &hand(text).into()).await;
        told.expect("nobody else reads there");
    }
    let seen = scene.dc.visible_to(&ann, &direct);
    assert_eq!((seen.len(), seen[1].text.as_str()), (2, "two"));
    scene.end();
}

#[tokio::test]
async fn a_typed_hand_request_gets_a_reveal_button_that_refreshes() {
    let it = table().await;
    it.scene.script.answers.lock().push_back(vec![whisper("ann's 1")]);
    it.ann.say(&it.channel, &format!("<@{}> /hand", it.scene.dc.bot_id()), None);
    let cover = it.scene.sees(&it.bob, &it.channel, 3).await.pop().expect("an envelope");
    let interaction = it.ann.press(&it.channel, &cover.id, &cover.buttons[0][0].1);
    it.scene.dc.answered(interaction).await;
    it.scene.discord.drain().await;
    // This handler renders no reply again, so its picture is described in text.
    assert_eq!(it.texts(&it.ann), ["ann's 1\n\nNine stones each"]);
    it.send_private_message(&it.ann, "ann's 2").await.expect("renewed");
    assert_eq!(it.texts(&it.ann), ["ann's 2"]);
    it.end();
}
