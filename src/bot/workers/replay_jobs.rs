//! Renders replays on request, one at a time in the background, and triggers their posting.
//!
//! Each request is an outbox entry, so a replay is posted even after a crash. A sender skips the
//! entry until the replay is rendered; the finished job wakes the sender.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Semaphore;

use super::{Workers, drawable_player_names, player_names};
use crate::repository::Failure;
use crate::repository::profiles::DisplayPrefs;
use crate::repository::quarantine::QuarantineInput;
use caravanserai_games::ids::ChatId;
use caravanserai_games::ids::TableId;
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::scene::Scene;
use caravanserai_games::{ChartLine, GameReplay};
use caravanserai_i18n::Lang;
use caravanserai_render::animation_width;
use caravanserai_table::event::EndReason;
use caravanserai_table::state::{Table, TablePhase};

/// The most replays that may wait; more requests are refused with a message.
const WAITING_MAX: usize = 8;

/// The number of finished replays in memory, up to 3 MB each.
const KEPT_MAX: usize = 6;

/// The table and the display preferences of the readers: the language of the names, and the theme.
type ReplayKey = (TableId, DisplayPrefs);

/// The replays that are being rendered or were rendered recently.
pub(super) struct ReplayJobs {
    jobs: Mutex<HashMap<ReplayKey, ReplayJobState>>,
    /// Allows one replay at a time.
    drawing_slot: Semaphore,
}

enum ReplayJobState {
    /// The replay is not rendered yet; these chats wait for it.
    Waiting(Vec<ChatId>),
    /// The file; `None` when there is nothing to show or rendering failed. Then the time of the
    /// last use, in milliseconds.
    Drawn(Option<Arc<Vec<u8>>>, u64),
}

impl ReplayJobs {
    pub(super) fn new() -> Self {
        ReplayJobs { jobs: Mutex::default(), drawing_slot: Semaphore::new(1) }
    }

    /// Whether so many replays wait that one more would wait too long.
    fn has_backlog(&self) -> bool {
        let waits = |it: &&ReplayJobState| matches!(it, ReplayJobState::Waiting(_));
        self.jobs.lock().values().filter(waits).count() >= WAITING_MAX
    }

    /// The status of this replay; the chat is notified when it is rendered. The second value is
    /// `true` if the caller has to start it.
    fn status_or_begin(&self, key: &ReplayKey, chat: &ChatId) -> (ReplayStatus, bool) {
        match self.jobs.lock().entry(key.clone()) {
            Entry::Occupied(mut it) => match it.get_mut() {
                ReplayJobState::Drawn(file, _) => (ReplayStatus::Drawn(file.clone()), false),
                ReplayJobState::Waiting(chats) => {
                    if !chats.contains(chat) {
                        chats.push(chat.clone());
                    }
                    (ReplayStatus::Drawing, false)
                }
            },
            Entry::Vacant(it) => {
                it.insert(ReplayJobState::Waiting(vec![chat.clone()]));
                (ReplayStatus::Drawing, true)
            }
        }
    }

    /// Stores a rendered replay. Returns the chats that wait for it.
    fn store_drawn(&self, key: ReplayKey, file: Option<Arc<Vec<u8>>>, now_ms: u64) -> Vec<ChatId> {
        let mut all = self.jobs.lock();
        let before = all.insert(key, ReplayJobState::Drawn(file, now_ms));
        let age = |state: &ReplayJobState| match state {
            ReplayJobState::Waiting(_) => None,
            ReplayJobState::Drawn(_, at_ms) => Some(*at_ms),
        };
        while all.values().filter_map(age).count() > KEPT_MAX {
            let oldest =
                all.iter().filter_map(|(oldest_key, it)| Some((age(it)?, oldest_key.clone())));
            let Some((_, oldest_key)) = oldest.min_by_key(|(at_ms, _)| *at_ms) else { break };
            all.remove(&oldest_key);
        }
        match before {
            Some(ReplayJobState::Waiting(chats)) => chats,
            Some(ReplayJobState::Drawn(..)) | None => Vec::new(),
        }
    }
}

/// The status of a replay.
pub enum ReplayStatus {
    /// The replay is being rendered; the chat is woken when it is finished.
    Drawing,
    /// The file; `None` when there is nothing to show or rendering failed.
    Drawn(Option<Arc<Vec<u8>>>),
}

/// The replay with all actions of a game. `None` before the start.
fn build_replay(table: &Table, names: Vec<String>) -> Option<GameReplay> {
    let game = table.game_id();
    let seats = table.setup.seats;
    table.game.as_ref()?;
    let start = game.start_match(&table.setup.options, seats).ok()?;
    let result = match &table.phase {
        TablePhase::Over { scores, reason } if *reason != EndReason::PlayedOut => {
            Some(scores.clone())
        }
        TablePhase::Over { .. }
        | TablePhase::Lobby
        | TablePhase::Playing
        | TablePhase::Closed { .. } => None,
    };
    let steps =
        table.history.steps.iter().map(|it| (it.seat.map(Seat), it.token.to_owned())).collect();
    Some(GameReplay { start, names, result, steps })
}

impl Workers {
    /// Whether so many replays wait that one more would wait too long.
    pub fn has_replay_backlog(&self) -> bool {
        self.replay_jobs.has_backlog()
    }

    /// A chart of the score, as a picture and as text.
    pub async fn score_chart(&self, table: &Table, lang: Lang) -> Option<(Scene, String)> {
        let names = player_names(&self.i18n, table, lang);
        let sample = table.game.as_deref()?.chart_sample();
        let line = |line: &ChartLine| {
            let names = line.seats.iter().filter_map(|seat| names.get(usize::from(*seat)).cloned());
            format!("{} {}", names.collect::<Vec<_>>().join(" · "), line.value)
        };
        let words: Vec<String> = sample.lines.iter().map(line).collect();
        let replay = build_replay(
            table,
            drawable_player_names(self.renderer.fonts(), &self.i18n, table, lang),
        )?;
        match self.renderer.run_blocking(move || replay.chart()).await {
            Ok(Ok(scene)) => Some((scene, words.join("\n"))),
            Ok(Err(error)) => {
                tracing::error!(table = table.id.0, %error, "failed to draw a chart");
                None
            }
            Err(error) => {
                tracing::error!(table = table.id.0, %error, "failed to draw a chart: it panicked");
                None
            }
        }
    }

    /// The status of the replay of a table for the readers of a chat; starts to render it if
    /// needed.
    pub fn replay_status(
        &self,
        chat: &ChatId,
        table: &TableId,
        reader: &DisplayPrefs,
    ) -> ReplayStatus {
        let wanted = (table.clone(), reader.clone());
        let (status, must_start) = self.replay_jobs.status_or_begin(&wanted, chat);
        if must_start && let Some(workers) = self.weak_self.upgrade() {
            self.tasks.spawn(async move { workers.draw_replay(wanted).await });
        }
        status
    }

    async fn draw_replay(&self, wanted: ReplayKey) {
        let input = QuarantineInput::Replay(wanted.0.clone());
        let drawn = tokio::select! {
            biased;
            drawn = self.repository.run_isolated(&input, self.render_replay(&wanted)) => drawn,
            // The entry stays in the outbox; the replay is rendered after the next start.
            () = self.tasks.wait_for_stop() => return,
        };
        let file = match drawn {
            Ok(Ok(file)) => file.map(Arc::new),
            Ok(Err(failure)) => {
                tracing::error!(table = wanted.0.0, %failure, "failed to render a replay");
                None
            }
            Err(_) => None,
        };
        for chat in
            self.replay_jobs.store_drawn(wanted, file, self.repository.time_source().monotonic_ms())
        {
            self.repository.schedule_send(&chat);
        }
    }

    async fn render_replay(&self, wanted: &ReplayKey) -> Result<Option<Vec<u8>>, Failure> {
        let Ok(_turn) = self.replay_jobs.drawing_slot.acquire().await else { return Ok(None) };
        let Some(table) = self.repository.load_table(&wanted.0).await? else { return Ok(None) };
        let names = drawable_player_names(self.renderer.fonts(), &self.i18n, &table, wanted.1.lang);
        let replay = build_replay(&table, names);
        drop(table);
        let Some(replay) = replay else { return Ok(None) };
        let stills = self.renderer.run_blocking(move || replay.short_stills(Viewer::Public)).await;
        let stills = match stills {
            Ok(Ok(stills)) => stills,
            Ok(Err(error)) => return Err(Failure::Damaged(wanted.0.clone(), error.to_string())),
            Err(error) => return Err(Failure::Damaged(wanted.0.clone(), error.to_string())),
        };
        let Some(first) = stills.first() else { return Ok(None) };
        let width = animation_width(&first.scene, stills.len());
        Ok(self.renderer.animate_async(stills, wanted.1.theme.clone(), width).await)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::profiles::ChatProfile;

    fn reader(lang: Lang) -> DisplayPrefs {
        let chat = ChatProfile { lang: Some(lang), ..ChatProfile::default() };
        chat.display_prefs()
    }

    fn wanted(table: &str) -> ReplayKey {
        (TableId(table.into()), reader(Lang::default()))
    }

    fn chat(name: &str) -> ChatId {
        ChatId(format!("web:{name}"))
    }

    /// Whether it is rendered, and whether the caller has to start it.
    fn state(replays: &ReplayJobs, wanted: &ReplayKey, name: &str) -> (bool, bool) {
        let (status, must_start) = replays.status_or_begin(wanted, &chat(name));
        (matches!(status, ReplayStatus::Drawn(_)), must_start)
    }

    #[test]
    fn a_replay_is_drawn_once_for_all_who_wait() {
        let replays = ReplayJobs::new();
        let one = wanted("7k3fx");
        assert_eq!(state(&replays, &one, "a"), (false, true));
        assert_eq!(state(&replays, &one, "b"), (false, false));
        assert_eq!(state(&replays, &one, "b"), (false, false));
        assert_eq!(replays.store_drawn(one.clone(), None, 1), [chat("a"), chat("b")]);
        assert_eq!(state(&replays, &one, "c"), (true, false));
        assert_eq!(state(&replays, &(one.0, reader(Lang::all()[3])), "c"), (false, true));
    }

    #[test]
    fn only_so_many_wait_and_only_so_many_are_kept() {
        let replays = ReplayJobs::new();
        for n in 0..WAITING_MAX {
            assert!(!replays.has_backlog());
            state(&replays, &wanted(&n.to_string()), "a");
        }
        assert!(replays.has_backlog());
        for n in 0..WAITING_MAX {
            replays.store_drawn(wanted(&n.to_string()), None, n as u64);
        }
        assert!(!replays.has_backlog());
        assert_eq!(replays.jobs.lock().len(), KEPT_MAX);
        let newest = wanted(&(WAITING_MAX - 1).to_string());
        assert!(state(&replays, &newest, "a").0);
        assert!(!state(&replays, &wanted("0"), "a").0);
    }
}
