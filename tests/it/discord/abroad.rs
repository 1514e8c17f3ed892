//! The bot where it is no member: people have installed it for themselves, and all it says goes
//! over what they press and ask.

use caravanserai::store::memory::MemoryStore;

use super::*;
use crate::stage::discord::DiscordStage;
use crate::stage::{Stage, play};

const GAME: &str = "
Ann says /togyz me
Bek sees is waiting for an opponent
Bek presses Join
Ann has buttons 1 | 9
Ann presses 7
Bek has buttons 1 | 9
Bek presses 7
Ann sees Ann is to move
Bek presses 1
Bek is told It’s Ann’s turn
Ann presses ⋯
Ann holds In words
restart
Ann presses 1
Bek has buttons 2 | 9
Bek says /resign
Bek says /resign
Ann sees Bek resigned
Ann presses 🔁 Rematch
Bek presses Accept
Ann sees Bek is to move
";

#[tokio::test]
async fn two_play_where_the_bot_is_no_member() {
    for in_guild in [true, false] {
        let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
        play("abroad", "people Ann Bek", &mut stage).await;
        stage.abroad(in_guild);
        play(&format!("in a guild: {in_guild}"), GAME, &mut stage).await;
        // Whoever presses after a long time sees what is now.
        stage.pass_ms(20 * 60_000).await;
        play("later", "Bek presses 7\nAnn sees Ann is to move", &mut stage).await;
    }
}

#[tokio::test]
async fn hands_are_dealt_where_the_bot_is_no_member() {
    let mut stage = DiscordStage::new(Arc::new(MemoryStore::default())).await;
    play("abroad", "people Ann Bek", &mut stage).await;
    stage.abroad(false);
    let cards = "
Ann says /blot @Bek computer
Bek presses Accept
Ann presses ▶ Start
Ann presses My hand
Ann is shown Your hand:
Bek presses My hand
Bek is shown Your hand:
Ann sees no Your hand:
";
    play("cards", cards, &mut stage).await;
}
