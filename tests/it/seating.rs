//! A table notes the vacation of a person as soon as they have a seat.

use std::sync::Arc;

use caravanserai_bot::service::TimeSource as _;
use caravanserai_games::ids::PersonId;
use caravanserai_protocol::InlineQueries;
use caravanserai_store::memory::MemoryStore;

use crate::stage::memory::MemoryStage;
use crate::stage::play;

async fn stage() -> MemoryStage {
    MemoryStage::new(Arc::new(MemoryStore::default())).await
}

/// Asserts that the newest table notes the vacation of this person, and that their clock is
/// stopped.
async fn assert_on_vacation(stage: &MemoryStage, name: &str) {
    let (table, _) = stage.newest_table().await;
    let person = PersonId(format!("mem:{name}"));
    let until_ms = table.clocks.recorded_vacation(&person);
    assert!(until_ms.is_some_and(|it| it > stage.clock.now_ms()), "{name} at {table:?}");
    let own = |seat: u8| table.seating.has_seat(&person, seat);
    assert!(table.running_clock().is_none_or(|it| !own(it.turn.0)), "the clock of {name} runs");
}

/// People who are seated by the press of another person.
const SEATED_BY_OTHERS: [(&str, &str, &str); 5] = [
    (
        "an accepted rematch",
        "Ann",
        "people Ann Bek
         Ann says /togyz @Bek me 1 day
         Bek presses Accept
         Ann says /resign
         Ann says /resign
         Ann says /rematch
         everyone sees Ann wants to play again
         Ann says /vacation 3 days
         Bek presses Accept
         everyone sees Ann is away until",
    ),
    (
        "a newcomer who had asked for the seat",
        "Cyd",
        "people Ann Bek Cyd
         Ann says /togyz @Bek me 1 day
         Bek presses Accept
         Cyd says /substitute @Ann
         everyone sees Cyd would like to substitute for Ann
         Cyd says /vacation 3 days
         Bek says /accept
         Ann says /accept
         everyone sees Cyd is away until",
    ),
    (
        "a newcomer who was proposed",
        "Cyd",
        "people Ann Bek Cyd
         Ann says /togyz @Bek me 1 day
         Bek presses Accept
         Cyd says /vacation 3 days
         Ann says /substitute @Cyd
         Cyd presses Accept
         Bek says /accept
         everyone sees Cyd is away until",
    ),
    (
        "a lobby that gets a slow clock",
        "Bek",
        "people Ann Bek
         Ann says /thaayam me 3 min
         Bek presses Join
         Bek says /vacation 3 days
         Ann says /clock 1 day
         Bek says /join
         Ann says /begin
         everyone sees Bek is away until",
    ),
    (
        "a lobby without a clock after one with a quick one",
        "Bek",
        "people Ann Bek
         Ann says /thaayam me 3 min
         Bek presses Join
         Bek says /vacation 3 days
         Ann says /clock no clock
         Bek says /join
         Ann says /begin
         everyone sees Bek is away until",
    ),
];

#[tokio::test]
async fn a_vacation_is_noted_wherever_another_person_gives_a_seat() {
    for (way, name, script) in SEATED_BY_OTHERS {
        let mut stage = stage().await;
        play(way, script, &mut stage).await;
        assert_on_vacation(&stage, name).await;
    }
}

#[tokio::test]
async fn a_vacation_is_noted_when_an_inline_challenge_is_accepted() {
    let mut stage = stage().await;
    play("poses", "people Ann Bek\nAnn says /vacation 3 days", &mut stage).await;
    let offers = stage.service.inline_results(&stage.person("Ann"), "togyz 1 day").await;
    let press = offers[0].buttons[0][0].callback_data.clone();
    let accepts = stage.press_inline("Bek", "posted", &press);
    stage.hear(accepts).await;
    stage.patience(1_000).await;
    assert_on_vacation(&stage, "Ann").await;
}

/// A person who sits down by their own press is back at all their tables.
#[tokio::test]
async fn sitting_down_oneself_ends_a_vacation() {
    let ways = [
        "Bek says /togyz @Ann 1 day\nAnn presses Accept",
        "Bek says /togyz 1 day\nAnn presses Join",
        "Ann says /togyz @Bek 1 day\nBek presses Accept",
    ];
    for way in ways {
        let mut stage = stage().await;
        let script = format!(
            "people Ann Bek Cyd\nAnn says /vacation 3 days\n{way}\nAnn says /vacation\n\
             Ann gets reply You’re here\nBek sees no is away until"
        );
        play(way, &script, &mut stage).await;
        let (table, _) = stage.newest_table().await;
        assert_eq!(table.clocks.recorded_vacation(&PersonId("mem:Ann".into())), None, "{way}");
    }
}
