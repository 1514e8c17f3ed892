//! Servers that fail or are not Bot API servers: the failure is reported, and the call is tried
//! again.

use caravanserai_games::ids::ChatId;
use caravanserai_protocol::{Platform, PlatformHealth};
use caravanserai_telegram::TelegramError;

use super::*;
use crate::fake_telegram::Fault;

/// Waits until an adapter says that it is so.
async fn is(shared: &PlatformServices, health: PlatformHealth) -> String {
    let mut state = shared.reporter.subscribe();
    let so = state.wait_for(|it| it.health == health);
    let so = tokio::time::timeout(Duration::from_secs(30), so).await;
    so.expect("waited in vain for a state").unwrap().problem.clone()
}

#[tokio::test]
async fn html_and_endless_responses_are_reported_briefly_as_unreachable() {
    let tg = FakeTelegram::start().await;
    for fault in [Fault::Html(200), Fault::Html(404), Fault::Html(502), Fault::Huge(300)] {
        tg.fail_next(1, Some("getMe"), fault);
        let Err(error) = TelegramPlatform::connect(settings(&tg)).await else {
            panic!("{fault:?}")
        };
        assert!(matches!(error, TelegramError::Unreachable(_)), "{fault:?}: {error:?}");
        assert!(error.to_string().len() < 300, "{error}");
    }
}

#[tokio::test]
async fn a_token_revoked_while_running_is_reported_and_retried() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let shared = PlatformServices::for_single_process("tg");
    let settings = TelegramSettings { shared: shared.clone(), ..settings(&tg) };
    let bot = Bot::over(TelegramPlatform::connect(settings).await.unwrap(), silent());
    is(&shared, PlatformHealth::Serving).await;
    tg.fail_next(1, Some("getUpdates"), Fault::Server(401));
    ann.say(ann.id, "/start");
    let what = is(&shared, PlatformHealth::Failing).await;
    assert!(what.contains("TELEGRAM_TOKEN"), "{what}");
    ann.say(ann.id, "/help");
    bot.script.heard(2).await;
    is(&shared, PlatformHealth::Serving).await;
    bot.stop().await;
}

#[tokio::test]
async fn empty_immediate_responses_are_polled_with_backoff() {
    let tg = FakeTelegram::start().await;
    tg.fail_next(4, Some("getUpdates"), Fault::AtOnce);
    let start = std::time::Instant::now();
    let bot = Bot::start(&tg, silent()).await;
    tg.wait_until("four answers", |tg| tg.calls_of("getUpdates").len() >= 4).await;
    // 50, 100 and 200 ms lie between them at least.
    assert!(start.elapsed() >= Duration::from_millis(350), "{:?}", start.elapsed());
    bot.stop().await;
}

#[tokio::test]
async fn a_press_whose_answer_was_refused_or_lost_is_answered_again() {
    let tg = FakeTelegram::start().await;
    let ann = tg.user("Ann");
    let chat = tg.supergroup("Family", &[&ann]);
    let script = Script::new(|_| {
        vec![EphemeralReply {
            message: words("pit 3 is empty").into(),
            form: ReplyForm::Toast,
            ..EphemeralReply::default()
        }]
    });
    let bot = Bot::start(&tg, script).await;
    let chat_id = ChatId(format!("tg:{chat}"));
    let id = bot.telegram.post(&chat_id, &board(30, "Ann to move")).await.unwrap();
    for fault in [Fault::TooMany(0), Fault::Server(502), Fault::Html(200), Fault::CutBefore] {
        tg.fail_next(1, Some("answerCallbackQuery"), fault);
        let pressed = ann.press(chat, id.0.parse().unwrap(), "7").await;
        assert_eq!(pressed.text, "pit 3 is empty", "{fault:?}");
    }
    bot.stop().await;
}
