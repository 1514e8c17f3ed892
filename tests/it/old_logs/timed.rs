//! Samples of games by the clock.

use caravanserai_bot::service::TimeSource;
use caravanserai_games::ids::{ChatKind, PersonId};
use caravanserai_protocol::UpdateKind;
use caravanserai_store::{Append, Commit, Store};
use caravanserai_table::{
    ClockEvent, Decision, Event, EventMeta, LogLine, Table, apply_external_event, clock, tick,
};

use super::{AYGUL, Author, CAMEL, DINA, group};

impl Author {
    /// What time and platforms bring to the only open table, by the pure core: the real clockwork
    /// would need real time.
    async fn brings(&mut self, happens: impl Fn(&Table, u64) -> Option<Decision>) {
        let table = self.table().await;
        let decision = happens(&table, self.clock.now_ms()).expect("it happens");
        let lines = decision.lines.iter().map(LogLine::encode).collect();
        let appends = vec![Append::new(table.id.0, table.version, lines)];
        self.store.commit(Commit { appends, ..Commit::default() }).await.unwrap();
    }
}

/// A game of three by the clock: late boards, a pause, a late player, a player who returns.
pub async fn timed() -> Author {
    let mut author = Author::new("tg:-1001234567890", ChatKind::Group, 16_000);
    author.says(AYGUL, "/thaayam me players=3 3 min").await;
    let code = author.table().await.id.0;
    let helper = UpdateKind::Press { callback_data: format!("hl.{code}.easy"), message: None };
    author.hears(AYGUL, helper).await;
    author.says(CAMEL, "/join").await;
    author.says(DINA, "/join").await;
    let shown = |now_ms| EventMeta::received_now(now_ms, clock::BOARD_DELAY_CAUSE);
    author.brings(|table, now_ms| clock::refund_board_delay(table, 7_000, shown(now_ms))).await;
    author.says(CAMEL, "/pause").await;
    author.says(AYGUL, "/accept").await;
    author.says(DINA, "/accept").await;
    author.says(AYGUL, "/resume").await;
    author.says(CAMEL, "/accept").await;
    author.says(DINA, "/accept").await;
    author.clock.pass_ms(190_000);
    author.brings(tick).await;
    let dina = PersonId(DINA.0.to_owned());
    let gone = |table: &Table, now_ms| {
        let meta = EventMeta::received_now(now_ms, "left");
        let gone = Event::Clock(ClockEvent::PersonLeft { person: dina.clone() });
        apply_external_event(table, gone, meta).ok()
    };
    author.brings(gone).await;
    author.says(DINA, "/return").await;
    author
}

/// A slow game that ends because a player does not come.
pub async fn claimed() -> Author {
    let mut author = group(17_000, "/togyz 1 day").await;
    author.plays(2, [AYGUL, CAMEL]).await;
    author.says(AYGUL, "/nudge").await;
    author.says(CAMEL, "/nudge").await;
    author.clock.pass_ms(86_400_000);
    author.brings(tick).await;
    author.says(AYGUL, "/claim").await;
    author.says(CAMEL, "/claim").await;
    author
}
