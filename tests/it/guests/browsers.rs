//! A board that was opened from a chat, in a real browser.

use caravanserai_webchat::PublicPage;

use super::*;
use crate::webdriver::{Browser, keys};

/// How much the first view of a table may weigh on the wire, in bytes.
const FIRST_VIEW: usize = 60 * 1024;

#[tokio::test(flavor = "multi_thread")]
async fn a_link_from_the_chat_opens_the_board_in_a_browser() {
    let Some(browser) = Browser::start().await else { return };
    // Browsers keep secure cookies over https only.
    let here = PublicPage { url: "http://127.0.0.1".to_owned(), ..page() };
    let mut world = World::with("Ann Bek", here).await;
    world.on_telegram(GAME).await;
    world.on_telegram("Ann writes privately /web\nAnn gets reply works once").await;
    let code = newest(&world.store, "pass ").await;
    let base = world.web.address().to_owned();
    browser.tab().await;
    browser.open(&format!("{base}/board#in={code}")).await;
    browser.wait("document.querySelectorAll('#table-board .spot').length === 9").await;
    let url = browser.run("return location.href").await;
    assert!(!url.as_str().unwrap().contains(&code), "the code is in no history: {url}");
    for (width, height) in [(390, 844), (844, 390), (1280, 800)] {
        browser.screen(width, height).await;
        browser.wait(&format!("innerWidth === {width}")).await;
        browser.screenshot(&format!("guest-{width}")).await;
        let whole = "const box = document.querySelector('#table-board').getBoundingClientRect(); \
                     return box.width > 200 && box.height > 120 && box.right <= innerWidth + 1 \
                     && document.documentElement.scrollHeight <= innerHeight + 1";
        assert_eq!(browser.run(whole).await, true, "at {width}");
    }
    let seventh = "document.querySelectorAll('#table-board .spot')[6]?\
                   .dispatchEvent(new MouseEvent('click', { bubbles: true }))";
    // What has just appeared is not pressed by accident.
    browser.wait("!document.querySelector('#table').classList.contains('moving')").await;
    let played = "document.querySelectorAll('#table-board .spot').length === 0";
    browser.wait(&format!("({seventh}, {played})")).await;
    world.on_telegram("Bek sees Bek is to move\nBek presses 3").await;
    browser.wait("document.querySelectorAll('#table-board .spot').length > 0").await;
    // Its menu lies on a card.
    let menu = "return [...document.querySelectorAll('#table-keys .key')].at(-1).click()";
    browser.run(menu).await;
    browser.wait("document.querySelector('#card').open").await;
    browser.screenshot("guest-menu").await;
    // The link was used: the cookie lets her in, in this browser alone.
    browser.open(&format!("{base}/board")).await;
    browser.wait_over_reload("document.querySelectorAll('#my-tables button').length === 1").await;
    // A browser opens six connections to one host: a table that is left gives its own back.
    for _ in 0..8 {
        browser.run("document.querySelector('#my-tables button').click()").await;
        browser.wait("document.querySelectorAll('#table-keys .key').length > 0").await;
        browser.wait("!document.querySelector('#back').hidden").await;
        browser.run("document.querySelector('#back').click()").await;
        browser.wait("!document.querySelector('#mine').hidden").await;
        browser.wait("document.querySelectorAll('#my-tables button').length === 1").await;
    }
    browser.run("document.querySelector('#my-tables button').click()").await;
    looks_back(&mut world, &browser).await;
    // Without an answer she is still signed in, and the page says so.
    let leave = "document.querySelector('#leave').click()";
    browser.set_offline(true).await;
    browser.run(leave).await;
    browser.wait("document.querySelector('#toasts').textContent.includes('try again')").await;
    let stays = "return document.querySelector('#app').dataset.in === 'yes' \
                 && !document.querySelector('#leave').hidden";
    assert_eq!(browser.run(stays).await, true);
    browser.set_offline(false).await;
    browser.run(leave).await;
    browser.wait("!document.querySelector('#notice').hidden").await;
    browser.open(&format!("{base}/board#in={code}")).await;
    let said = "document.querySelector('#notice-text').textContent.includes('works once')";
    browser.wait_over_reload(said).await;
}

/// Ann plays with Bek on Telegram and has opened the board in a browser; `None` without one.
async fn board_of_ann() -> Option<(Browser, World)> {
    let browser = Browser::start().await?;
    let here = PublicPage { url: "http://127.0.0.1".to_owned(), ..page() };
    let mut world = World::with("Ann Bek", here).await;
    world.on_telegram(GAME).await;
    world.on_telegram("Ann writes privately /web\nAnn gets reply works once").await;
    let code = newest(&world.store, "pass ").await;
    browser.tab().await;
    browser.open(&format!("{}/board#in={code}", world.web.address())).await;
    browser.wait("document.querySelectorAll('#table-board .spot').length === 9").await;
    Some((browser, world))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_catches_up_after_a_lost_connection() {
    let Some((browser, mut world)) = board_of_ann().await else { return };
    let counts = "window.failedRequests = 0;
        const send = window.fetch;
        window.fetch = (...args) => send(...args).catch(e => {
            window.failedRequests += 1;
            throw e;
        });
        return true";
    assert_eq!(browser.run(counts).await, json!(true));
    browser.set_offline(true).await;
    world.on_telegram("Ann presses 7\nBek sees Bek is to move\nBek presses 3").await;
    browser.wait("window.failedRequests >= 6").await;
    browser.set_offline(false).await;
    browser.wait("document.querySelector('#table-text').textContent.includes('Bek: pit 3')").await;
    browser.wait("document.querySelector('#offline').hidden").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_of_tables_is_updated_when_its_person_returns() {
    let Some((browser, mut world)) = board_of_ann().await else { return };
    browser.run("document.querySelector('#back').click()").await;
    browser.wait("document.querySelector('#mine:not([hidden]) button.yours')").await;
    world.on_telegram("Ann presses 7\nBek sees Bek is to move").await;
    let comes_back = "document.dispatchEvent(new Event('visibilitychange'))";
    browser.run(comes_back).await;
    browser.wait("document.querySelector('#my-tables button:not(.yours)')").await;
    // She has signed out in another tab.
    let out = "return fetch('/api/guest/out', { method: 'POST', body: '{}',
        headers: { 'Content-Type': 'application/json' } }).then(it => it.ok)";
    assert_eq!(browser.run(out).await, json!(true));
    let reply = "document.querySelector('#card-text').textContent = 'Your cards';
        document.querySelector('#card').showModal()";
    browser.run(reply).await;
    browser.run(comes_back).await;
    browser.wait("!document.querySelector('#notice').hidden").await;
    browser.wait("document.querySelector('#app').dataset.in === 'no'").await;
    // The next person at this device reads no private reply.
    let card = "const card = document.querySelector('#card');
        return [card.open, card.textContent.includes('Your cards')]";
    assert_eq!(browser.run(card).await, json!([false, false]));
}

/// The game ends: it is looked at step by step, and its film posted where it was played.
async fn looks_back(world: &mut World, browser: &Browser) {
    world.on_telegram("Bek says /resign\nBek says /resign").await;
    let replay = "[...document.querySelectorAll('#table-keys .key')]
        .find(it => it.dataset.label.includes('Replay'))";
    browser.wait(replay).await;
    for (width, height) in [(390, 844), (844, 390), (1280, 800)] {
        browser.screen(width, height).await;
        browser.wait(&format!("innerWidth === {width}")).await;
        browser.tap(replay).await;
        let count = "document.querySelector('#viewer-count').textContent";
        browser.wait("!document.querySelector('#viewer').hidden").await;
        browser.tap("document.querySelector('#viewer-first')").await;
        browser.wait(&format!("{count} === '0 / 2'")).await;
        browser.tap("document.querySelector('#viewer-last')").await;
        browser.wait(&format!("{count} === '2 / 2'")).await;
        browser.screenshot(&format!("guest-replay-{width}")).await;
        if width == 390 {
            browser.tap("document.querySelector('#viewer-gif')").await;
            let toasts = "document.querySelector('#toasts').textContent";
            browser.wait(&format!("{toasts}.includes('Drawing the replay')")).await;
        }
        browser.tap("document.querySelector('#viewer-close')").await;
        browser.wait("document.querySelector('#viewer').hidden").await;
    }
    world.on_telegram("Bek sees 🎬 Togyzkumalak").await;
}

#[tokio::test]
async fn the_first_view_of_a_guests_table_is_small() {
    let mut world = World::new("Ann Bek").await;
    world.on_telegram(GAME).await;
    let ann = world.enters("Ann").await;
    let id = table(&world.store).await.id.0;
    let page = ann.ask("/board").await.text().await.unwrap();
    let named = |text: &str| -> Vec<String> {
        let parts = text.split('"').filter(|it| it.starts_with("/web/"));
        parts.map(str::to_owned).collect()
    };
    let mut paths = vec!["/board".to_owned()];
    paths.extend(named(&page));
    let folder = paths.iter().find(|it| it.ends_with("guest.js")).unwrap().clone();
    let folder = folder.trim_end_matches("guest.js").to_owned();
    // Modules name others beside them.
    let mut at = 0;
    while let Some(path) = paths.get(at).cloned() {
        at += 1;
        if path.ends_with(".js") {
            let text = ann.ask(&path).await.text().await.unwrap();
            for other in text.split("from \"./").skip(1) {
                let other = format!("{folder}{}", other.split('"').next().unwrap());
                if !paths.contains(&other) {
                    paths.push(other);
                }
            }
        }
    }
    paths.push(format!("{folder}words-en.js"));
    paths.push(format!("/api/guest/tables/{id}?drawn=1"));
    let (_, state) = ann.state(&id).await;
    let sheets = state["picture"]["board"]["sheets"].as_array().unwrap();
    paths.extend(sheets.iter().map(|it| format!("/art/{}.svg", it.as_str().unwrap())));
    let mut bytes = 0;
    for path in &paths {
        bytes += ann.weight(path).await;
    }
    assert!(bytes < FIRST_VIEW, "{bytes} bytes in {} files: {paths:?}", paths.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn anybody_joins_a_challenge_by_its_web_link() {
    let Some(browser) = Browser::start().await else { return };
    let mut world = World::new("Ann Bek").await;
    world
        .on_telegram(
            "Ann writes privately /togyz link\nAnn sees https://play.example.org/#/@?play=",
        )
        .await;
    let id = table(&world.store).await.id.0;
    browser.tab().await;
    // Her request to join is lost, and the page loaded again.
    let source = json!({ "source": "const real = window.fetch;
        window.fetch = (...asked) => {
            if (!String(asked[0]).endsWith('/messages') || localStorage.getItem('isCut'))
                return real(...asked);
            return Promise.reject(new TypeError('cut'));
        };" });
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", source).await;
    browser.open(&format!("{}/#/@?play={id}", world.web.address())).await;
    browser.find("#welcome[open] #welcome-name").await.type_in("Eve").await;
    browser.keys(keys::ENTER).await;
    browser.wait("location.hash === '#/@' && sessionStorage.getItem('unsent')").await;
    browser.run("localStorage.setItem('isCut', 'once'); location.reload()").await;
    let joins =
        "[...document.querySelectorAll('.key')].find(it => it.textContent.includes('Join'))";
    browser.wait_over_reload(&format!("Boolean({joins})")).await;
    browser.run(&format!("{joins}.click()")).await;
    world.on_telegram("Ann sees Eve").await;
    browser.wait("document.querySelectorAll('#table-board .sheet').length > 0").await;
}
