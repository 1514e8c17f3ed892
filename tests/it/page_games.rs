//! Playing on the page in a real browser: which board is shown, how a game is begun, and the layout
//! on a phone.

use serde_json::json;
use tempfile::TempDir;

use crate::browser::{come_in, say};
use crate::page_program::Program;
use crate::webdriver::{Browser, keys};

const TABLE: &str = "document.querySelector('#table:not([hidden])')";
const GAMES: &str = "document.querySelector('#games:not([hidden])')";

/// The program, and the page on which Ann has come in.
pub struct Page {
    pub browser: Browser,
    pub program: Program,
    pub ann: String,
    _folder: TempDir,
}

impl Page {
    /// `None` without a browser.
    pub async fn of_ann() -> Option<Self> {
        let browser = Browser::start().await?;
        let folder = TempDir::new().unwrap();
        let program = Program::start(folder.path());
        let ann = browser.tab().await;
        come_in(&browser, &program.base, "Ann").await;
        Some(Self { browser, program, ann, _folder: folder })
    }
}

/// Opens a game on the page: its card, the opponent, Start.
pub async fn begin(browser: &Browser, game: &str, opponent: &str) {
    browser.find(&format!("#game-list [data-key='{game}']")).await.click().await;
    browser.find(&format!("#game-opponents [data-key='{opponent}']")).await.click().await;
    browser.find("#game-start").await.click().await;
}

/// The name of the board is that of its first player.
async fn shows_board_of(browser: &Browser, name: &str) {
    let words = json!(name);
    browser
        .wait(&format!(
            "{TABLE} && [...document.querySelectorAll('#table-board text')] \
                 .some(it => it.textContent === {words})"
        ))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_begins_with_a_name_and_three_clicks() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.wait(GAMES).await;
    browser.screenshot("games").await;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelectorAll('#table .spot').length > 0").await;
    // Nobody has to read the command.
    let said = browser.run("return document.querySelectorAll('.message.mine').length").await;
    assert_eq!(said, json!(0));
    // The page can be installed.
    let manifest = "fetch(document.querySelector('link[rel=manifest]').href) \
                    .then(it => it.json()).then(it => arguments[0](it.start_url))";
    browser.wait("document.querySelector('link[rel=manifest]')").await;
    assert_eq!(browser.ask(manifest).await, json!("/"));
    let icons = "fetch(document.querySelector('link[rel=manifest]').href)
        .then(it => it.json())
        .then(it => Promise.all(it.icons.map(icon => fetch(icon.src))))
        .then(all => arguments[0](all.every(it => it.ok)))";
    assert_eq!(browser.ask(icons).await, json!(true));
    // The same panel is one press away, and so is the way back.
    browser.find("#games-open").await.click().await;
    browser.wait(GAMES).await;
    browser.find("#tables-own-list .card").await.click().await;
    browser.wait(TABLE).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_game_of_others_takes_my_board() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    say(browser, "/togyz computer beginner").await;
    shows_board_of(browser, "Ann").await;
    let bek = browser.new_tab().await;
    come_in(browser, &program.base, "Bek").await;
    // A newcomer is asked what to play, and sees no board that is not theirs.
    browser.wait(GAMES).await;
    browser.wait("document.querySelector('#tables-playing-list .card .who')").await;
    begin(browser, "togyzkumalak", "computer beginner").await;
    shows_board_of(browser, "Bek").await;
    for n in 0..12 {
        say(browser, &format!("line {n}")).await;
    }
    browser.wait("document.querySelector('#messages').innerText.includes('line 11')").await;

    browser.switch(ann).await;
    browser.wait("document.querySelector('#messages').innerText.includes('line 11')").await;
    shows_board_of(browser, "Ann").await;
    browser.run("location.reload()").await;
    browser
        .wait_over_reload(
            "[...document.querySelectorAll('#table-board text')] \
                 .some(it => it.textContent === 'Ann')",
        )
        .await;
    // Another table is one to choose, by its card or by its link.
    browser.find("#games-open").await.click().await;
    let card = browser.find("#tables-playing-list .card").await;
    card.click().await;
    shows_board_of(browser, "Bek").await;
    let hash = browser.run("return location.hash").await;
    assert!(hash.as_str().unwrap().starts_with("#/lobby/t/"), "{hash}");
    // A spectator has no buttons that only players may use.
    let keys = browser.run("return document.querySelector('#table-keys').innerText").await;
    assert!(!["Resign", "Abort", "Hint"].iter().any(|it| keys.as_str().unwrap().contains(it)));
    browser.run("location.hash = '#/lobby'").await;
    shows_board_of(browser, "Ann").await;
    browser.switch(&bek).await;
    shows_board_of(browser, "Bek").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_phone_the_board_is_in_front_and_answers_lie_over_it() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.screen(390, 844).await;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelectorAll('#table .spot').length > 0").await;
    let seen = |css: &str| format!("document.querySelector('{css}').offsetParent !== null");
    browser.wait(&seen("#table-board svg")).await;
    browser.wait(&format!("!({})", seen("#chat"))).await;
    browser.screenshot("phone-board").await;
    // A hint is answered over the board; the chat stays where it is.
    browser.tap("[...document.querySelectorAll('#table-keys .key')].at(-1)").await;
    browser.wait(&seen("#note .key")).await;
    browser.screenshot("phone-menu").await;
    browser.wait(&format!("!({})", seen("#chat"))).await;
    browser.find("#note-close").await.click().await;
    browser.wait("document.querySelector('#note').hidden").await;
    browser.wait("document.querySelectorAll('.message.only').length === 0").await;
    // What is answered in the chat is read there.
    browser.find("#chat-open").await.click().await;
    browser.wait(&seen("#chat")).await;
    say(browser, "/chess").await;
    browser.wait("document.querySelector('.message.only')?.innerText.includes('/help')").await;
    browser.find("#board-open").await.click().await;
    browser.wait(&seen("#table-board svg")).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_is_shown_at_once() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelectorAll('#table .spot').length > 0").await;
    browser.set_offline(true).await;
    browser.wait("!document.querySelector('#offline').hidden").await;
    browser
        .run("document.querySelector('#table .spot').dispatchEvent(new MouseEvent('click'))")
        .await;
    browser.set_offline(false).await;
    // What was pressed is sent then.
    browser.wait("document.querySelector('#offline').hidden").await;
    browser.wait("document.querySelector('#table-text').innerText.includes('Ann')").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_wakes_up_without_a_server_says_so() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    // The network of the device is there, the server is not.
    let lose = "const real = window.fetch; window.found = () => { window.fetch = real; };
        window.fetch = () => Promise.reject(new TypeError('lost'));
        document.dispatchEvent(new Event('visibilitychange'))";
    browser.run(lose).await;
    browser.wait("!document.querySelector('#offline').hidden").await;
    browser.run("window.found()").await;
    browser.wait("document.querySelector('#offline').hidden").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_for_a_friend_is_joined_by_its_link() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    browser.find("#game-opponents [data-key='link']").await.click().await;
    browser.find("#game-clocks [data-key='5+5']").await.click().await;
    browser.find("#game-start").await.click().await;
    browser
        .wait(&format!("{TABLE} && document.querySelector('#seats .free .key[data-label=Invite]')"))
        .await;
    browser.screenshot("waiting-table").await;
    let code = browser
        .run("return document.querySelector('#table-text').innerText.match(/table (\\w+)/)[1]")
        .await;
    let link = format!("{}/?new#/lobby/t/{}", program.base, code.as_str().unwrap());
    browser.new_tab().await;
    browser.open(&link).await;
    browser.find("#welcome[open] #welcome-name").await.type_in("Bek").await;
    browser.keys(keys::ENTER).await;
    let join = "[...document.querySelectorAll('#table-keys .key')] \
                .find(it => it.dataset.label === 'Join')";
    browser.wait(join).await;
    browser.run(&format!("({join}).click()")).await;
    // The clocks run at the names.
    browser.wait("document.querySelectorAll('#table-clocks .clock').length === 2").await;
    browser.switch(ann).await;
    // The lot decides who begins.
    let turn = "document.querySelector('#table-clocks .turn .name').textContent";
    browser.wait(&format!("['Ann', 'Bek'].includes({turn})")).await;
    browser
        .wait("/^4:5/.test(document.querySelector('#table-clocks .turn time').textContent)")
        .await;
    browser.screenshot("clocks").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_counts_from_the_arrival_of_its_state() {
    let Some(page) = Page::of_ann().await else { return };
    // Three seconds were needed for the animation of the move before.
    let show = "return import('/web/clocks.js').then(clocks => {
        const seats = ['Ann', 'Bek', 'Cyd'].map(name => ({ name, you: false }));
        const clock = { left: [5000, 60000, 3725000], running: 0, paused: false };
        clocks.show({ table: 'x', moment: 1, turn: 0, seats, clock }, performance.now() - 3000);
        const times = [...document.querySelectorAll('#table-clocks time')];
        return times.map(it => it.textContent).join(' '); })";
    assert_eq!(page.browser.run(show).await, json!("0:02 1:00 1:02:05"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_friend_joins_a_table_of_the_private_room_by_the_copied_link() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.run("location.hash = '#/@'").await;
    browser.wait("document.querySelector('#room-name').classList.contains('room') === false").await;
    browser.find("#game-opponents [data-key='link']").await.click().await;
    browser.find("#game-clocks [data-key='5+5']").await.click().await;
    browser.find("#game-counts [data-key='casual']").await.click().await;
    browser.find("#game-start").await.click().await;
    browser.wait("document.querySelector('#seats .free .key[data-label=Invite]')").await;
    // The wanted clock is that of the table.
    browser
        .wait(&format!(
            "{TABLE} && document.querySelector('#table-text').innerText.includes('Clock: 5 min')"
        ))
        .await;
    browser.wait("document.querySelector('#table-text').innerText.includes('Not rated')").await;
    let copy = "window.copied = '';
        navigator.clipboard.writeText = async it => { window.copied = it; };
        document.querySelector('#seats .free .key[data-label=Invite]').click();
        return window.copied";
    let link = browser.run(copy).await;
    let link = link.as_str().unwrap().replace("/#", "/?new#");
    browser.new_tab().await;
    browser.open(&link).await;
    browser.find("#welcome[open] #welcome-name").await.type_in("Bek").await;
    browser.keys(keys::ENTER).await;
    let join = "[...document.querySelectorAll('.key')]
        .find(it => it.textContent.includes('Join'))";
    browser.wait(&format!("Boolean({join})")).await;
    browser.run(&format!("({join}).click()")).await;
    browser.wait("document.querySelectorAll('#table-clocks .clock').length === 2").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hint_is_marked_on_the_board_until_a_move_is_made() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelectorAll('#table .spot').length > 0").await;
    let hint = "[...document.querySelectorAll('#table-keys .key')] \
                .find(it => it.dataset.label.includes('Hint'))";
    browser.wait(hint).await;
    browser.run(&format!("{hint}.click()")).await;
    browser.wait("document.querySelector('#table-board .mark.better')").await;
    browser.wait("document.querySelector('#table-text .hint')").await;
    let toasts = browser.run("return document.querySelectorAll('.toast').length").await;
    assert_eq!(toasts, json!(0));
    browser.find("#table .spot").await.click().await;
    let gone = "!document.querySelector('.mark') && !document.querySelector('#table-text .hint')";
    browser.wait(gone).await;
    // A typed one is marked as well.
    browser.wait("document.querySelector('#table:not(.moving) .spot')").await;
    say(browser, "/hint").await;
    browser.wait("document.querySelector('#table-board .mark.better')").await;
    browser.wait("document.querySelector('#table-text .hint')").await;
    browser.find("#table .spot").await.click().await;
    browser.wait(gone).await;
    // Nor is it there any more when the game has ended.
    browser.wait(&format!("document.querySelector('#table:not(.moving) .spot') && {hint}")).await;
    browser.run(&format!("{hint}.click()")).await;
    browser.wait("document.querySelector('#table-text .hint')").await;
    say(browser, "/resign").await;
    say(browser, "/resign").await;
    browser.wait(gone).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// The server asks for another press each time, and its minute lasts as long as `window.minute`.
const ASK_AGAIN: &str = "const real = window.fetch, wait = window.setTimeout;
    [window.presses, window.minute] = [0, 60000];
    window.setTimeout = (then, ms, ...rest) =>
        wait(then, ms === 60000 ? window.minute : ms, ...rest);
    window.fetch = async (...asked) => {
        if (!String(asked[0]).endsWith('/press')) return real(...asked);
        window.presses += 1;
        const reply = { id: null, text: 'Once more', spans: [], buttons: [] };
        const whispers = [{ ...reply, brief: true, again: true }];
        return new Response(JSON.stringify({ whispers }));
    };";

#[tokio::test(flavor = "multi_thread")]
async fn an_action_is_marked_while_the_server_waits_for_another_press() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    say(browser, "/confirm on").await;
    browser.wait("document.querySelector('.message.only')").await;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelectorAll('#table:not(.moving) .spot').length > 0").await;
    browser.run(ASK_AGAIN).await;
    let spot = "document.querySelector('#table .spot')";
    let play = format!("{spot}.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))");
    let is_marked = format!("{spot}.matches('.armed:not(.busy)')");
    browser.run(&play).await;
    browser.wait(&is_marked).await;
    // The minute of the server is over, so that it asks again.
    browser.run("window.minute = 2000").await;
    browser.run(&play).await;
    browser.wait(&format!("window.presses === 2 && {is_marked}")).await;
    // Nobody presses again in time.
    browser.wait(&format!("!{spot}.matches('.armed')")).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// Gives the first place of the board two actions, one of them labelled `window.label`. Fetches
/// the board again by `window.refresh()`, which removes the label of the board until then.
const TWO_GOALS: &str = "const real = window.fetch;
    window.fetch = async (...asked) => {
        const path = String(asked[0]);
        if (!path.includes('?drawn')) return real(...asked);
        const state = await (await real(path.replace(/&known=.*/, ''), asked[1])).json();
        const [one, other] = state.actions;
        one.to = other.at;
        state.actions.push({ ...one, press: `${one.press}x`, label: window.label ?? one.label });
        return new Response(JSON.stringify(state));
    };
    window.refresh = () => {
        document.querySelector('#table-board svg').ariaLabel = '';
        document.dispatchEvent(new Event('saved'));
    };
    window.refresh();";

#[tokio::test(flavor = "multi_thread")]
async fn a_chosen_piece_stays_chosen_when_the_same_position_is_fetched_again() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelectorAll('#table:not(.moving) .spot').length > 6").await;
    browser.run(TWO_GOALS).await;
    let is_fresh = "document.querySelector('#table-board svg').ariaLabel";
    let piece = "document.querySelector('#table .spot[data-press=\"\"]')";
    browser.wait(&format!("{is_fresh} && {piece}")).await;
    let choose = format!("{piece}.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))");
    browser.run(&choose).await;
    let goals = "return document.querySelectorAll('#table .goal').length";
    assert_eq!(browser.run(goals).await, json!(2));
    browser.run("window.refresh()").await;
    browser.wait(is_fresh).await;
    assert_eq!(browser.run(goals).await, json!(2));
    // Other actions need another choice.
    browser.run("window.label = 'another'; window.refresh()").await;
    browser.wait(is_fresh).await;
    assert_eq!(browser.run(goals).await, json!(0));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_result_of_a_round_stays_until_it_was_read() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    say(browser, "/pace quick").await;
    begin(browser, "blot", "computer beginner").await;
    // The first possible action, until the round is over.
    let act = "const key = [...document.querySelectorAll('#table-keys .key')] \
                   .find(it => it.dataset.label === 'pass'); \
               const spot = document.querySelector('#table:not(.moving) .spot'); \
               (key ?? spot)?.dispatchEvent(new MouseEvent('click', { bubbles: true })); \
               return document.querySelector('#round') !== null";
    let mut is_over = false;
    for _ in 0..600 {
        is_over = browser.run(act).await == json!(true);
        if is_over {
            break;
        }
        let ready = "document.querySelector('#round') \
                     || document.querySelector('#table:not(.moving) .spot:not(.busy)') \
                     || [...document.querySelectorAll('#table-keys .key')] \
                         .some(it => it.dataset.label === 'pass')";
        browser.wait(ready).await;
    }
    assert!(is_over, "the round ended without its result");
    // It was not closed: after a reload it is there as a bar.
    browser.run("window.isBefore = true; location.reload()").await;
    browser.wait_over_reload("!window.isBefore && document.querySelector('#round')").await;
    let says = browser.run("return document.querySelector('#round').textContent").await;
    assert!(says.as_str().unwrap().contains("Score"), "{says}");
    // It becomes a bar as soon as play goes on, which may be now: it is opened and left at once.
    let leave = "const round = document.querySelector('#round'); round.open = true; \
                 const on = round.querySelector('button'); \
                 const height = on.getBoundingClientRect().height; on.click(); return height";
    assert!(browser.run(leave).await.as_f64().unwrap() > 20.0);
    browser.wait("!document.querySelector('#round')").await;
    // Once it was read it does not come back.
    browser.wait("Object.keys(sessionStorage).some(it => it.startsWith('round '))").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn togyzkumalak_uses_the_height_of_a_phone() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    let is_upright = "(() => { const box = document.querySelector('#table-board svg')
        ?.getAttribute('viewBox')?.split(' ').map(Number); return box && box[3] > box[2]; })()";
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelectorAll('#table .spot').length > 0").await;
    assert_eq!(browser.run(&format!("return {is_upright}")).await, json!(false));
    browser.screen(390, 844).await;
    browser.wait(is_upright).await;
    browser.wait("document.querySelectorAll('#table .spot').length > 0").await;
    let press = "dispatchEvent(new MouseEvent('click', { bubbles: true }))";
    browser.run(&format!("document.querySelector('#table .spot').{press}")).await;
    browser.wait("document.querySelector('#table-text').textContent.includes('Before: Ann')").await;
    browser.screen(1280, 800).await;
    browser.wait(&format!("!{is_upright}")).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_look_of_boards_is_chosen_in_the_own_settings() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    begin(browser, "togyzkumalak", "computer beginner").await;
    browser.wait("document.querySelectorAll('#table .spot').length > 0").await;
    let ground =
        "document.querySelector('#table-board .background-layer rect').getAttribute('fill')";
    let before = browser.run(&format!("return {ground}")).await;
    browser.find("#me-open").await.click().await;
    browser.wait("document.querySelectorAll('#mine-settings select').length > 5").await;
    let choose = "const it = document.querySelector('#mine-settings select[name=theme]');
        it.value = 'night'; it.dispatchEvent(new Event('change'))";
    browser.run(choose).await;
    browser.wait(&format!("{ground} !== {before}")).await;
    // It is kept, and shown the next time.
    browser.run("document.querySelector('#mine').close()").await;
    browser.find("#me-open").await.click().await;
    let now = "document.querySelector('#mine-settings select[name=theme]')?.value === 'night'";
    browser.wait(now).await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_answered_inside_its_card_on_a_phone() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    browser.screen(390, 844).await;
    let bek = browser.new_tab().await;
    browser.screen(390, 844).await;
    come_in(browser, &program.base, "Bek").await;
    browser.switch(ann).await;
    browser.find("#game-friends .opponent").await.click().await;
    browser.find("#game-start").await.click().await;
    browser.switch(&bek).await;
    browser
        .wait("document.querySelector('#tables-waiting-list .answers:not([hidden]) .good')")
        .await;
    let fits = "const card = document.querySelector('#tables-waiting-list .card'),
            edge = card.getBoundingClientRect().right;
        return [...card.querySelectorAll('.answers button')]
            .map(it => it.getBoundingClientRect().right < edge)";
    assert_eq!(browser.run(fits).await, json!([true, true]));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

/// Holds presses back until `window.send()`.
const HOLD_PRESSES: &str = "window.presses = 0;
    const real = window.fetch;
    window.fetch = async (...asked) => {
        if (!String(asked[0]).endsWith('/press')) return real(...asked);
        window.presses += 1;
        await new Promise(done => (window.send = done));
        return real(...asked);
    };";

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_by_the_enter_key_keeps_the_focus_in_the_games() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, program, ann, .. } = &page;
    let bek = browser.new_tab().await;
    come_in(browser, &program.base, "Bek").await;
    browser.switch(ann).await;
    browser.find("#game-friends .opponent").await.click().await;
    browser.find("#game-start").await.click().await;
    browser.switch(&bek).await;
    let decline = "document.querySelector('#tables-waiting-list .answers:not([hidden]) .quiet')";
    browser.wait(decline).await;
    browser.run(HOLD_PRESSES).await;
    browser.run(&format!("{decline}.focus()")).await;
    browser.keys(keys::ENTER).await;
    browser.wait("window.send").await;
    // Another press changes nothing.
    browser.keys(keys::ENTER).await;
    let waits = format!(
        "return [document.activeElement === {decline}, {decline}.ariaBusy, window.presses]"
    );
    assert_eq!(browser.run(&waits).await, json!([true, "true", 1]));
    browser.run("window.send()").await;
    browser.wait("document.activeElement.id === 'games'").await;
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_opponent_is_chosen_in_the_private_chat_too() {
    let Some(page) = Page::of_ann().await else { return };
    let Page { browser, .. } = &page;
    browser.find("#game-opponents [data-key='here']").await.click().await;
    browser.run("location.hash = '#/@'").await;
    browser.wait("document.querySelector('#room-name').textContent === 'Private chat'").await;
    browser.wait("!document.querySelector('#game-opponents [data-key=here]')").await;
    let chosen = "return [...document.querySelectorAll('#game-opponents [aria-checked=true]')]
        .map(it => it.dataset.key)";
    assert_eq!(browser.run(chosen).await, json!(["link"]));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
}
