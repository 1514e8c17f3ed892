//! Suggests arguments while a command is typed.

use std::sync::Arc;

use super::table_index::{open_tables, tables_of};
use crate::commands;
use crate::commands::Suggestions;
use crate::delivery::MessageRenderer;
use crate::repository::{Failure, Repository};
use crate::settings::Setting;
use crate::views::{board_view, clock_views};
use crate::workers::label_text;
use caravanserai_games::Match;
use caravanserai_games::rules::Seat;
use caravanserai_i18n::Lang;
use caravanserai_protocol::{Chat, Person};
use caravanserai_table::clock::TimeControl;

/// Suggests arguments of commands.
pub(crate) struct ArgumentSuggester {
    repository: Arc<Repository>,
    message_renderer: Arc<MessageRenderer>,
}

impl ArgumentSuggester {
    pub(crate) fn new(repository: Arc<Repository>, message_renderer: Arc<MessageRenderer>) -> Self {
        Self { repository, message_renderer }
    }

    /// The suggestions for the argument of a command that a person types.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) async fn suggestions(
        &self,
        chat: &Chat,
        person: &Person,
        command: &str,
        typed: &str,
    ) -> Result<Vec<(String, String)>, Failure> {
        let Some(spec) = commands::find_command(command) else { return Ok(Vec::new()) };
        let person_id = self.repository.profiles().resolve_person(&person.id).await?;
        let (profile, chat_profile) =
            self.repository.profiles().load_profiles(&person_id, &chat.id).await?;
        let guess = person.locale.as_deref().and_then(Lang::from_locale);
        let lang = profile.lang.or(guess).unwrap_or(chat_profile.language());
        let mut suggestions = Vec::new();
        if spec.suggestions == Suggestions::Clocks {
            let label_of_clock = |it: TimeControl| {
                self.message_renderer
                    .i18n()
                    .translate_plain(lang, &clock_views::time_control_text(it))
            };
            let clock = |it: TimeControl| (label_of_clock(it), format!("clock={}", it.encode()));
            suggestions.extend(TimeControl::PRESETS.map(clock));
            suggestions.retain(|(label, _)| label.contains(typed));
            return Ok(suggestions);
        }
        if spec.suggestions == Suggestions::VacationDays {
            let row = Setting::VACATION;
            let value = |it: String| {
                (label_text(self.message_renderer.i18n(), lang, &row.value_label(&it)), it)
            };
            let left = profile.vacation_days_left(self.repository.now_ms());
            let mut lengths: Vec<_> = row.values().into_iter().map(str::to_owned).collect();
            lengths.retain(|it| it.parse().map_or(true, |days: u32| days <= left));
            suggestions.extend(lengths.into_iter().map(value));
            suggestions.retain(|(label, value)| value.starts_with(typed) || label.contains(typed));
            suggestions.truncate(25);
            return Ok(suggestions);
        }
        // A table that is brought here is in another chat.
        let ids = match spec.suggestions == Suggestions::OwnTables {
            true => tables_of(&self.repository, &person_id).await?,
            false => open_tables(&self.repository, &chat.id).await?,
        };
        for id in ids {
            let Ok(Some(table)) = self.repository.load_table(&id).await else { continue };
            match spec.suggestions {
                Suggestions::Moves => {
                    let seat_to_move = table.seat_to_move();
                    let own_seat = seat_to_move
                        .filter(|it| table.seating.seats_of(&person_id).any(|seat| seat == *it));
                    if let (Some(seat), Some(game)) = (own_seat, table.game.as_deref()) {
                        suggestions.extend(self.move_suggestions(game, Seat(seat), lang));
                    }
                }
                Suggestions::None => {}
                _ => {
                    let line = self
                        .message_renderer
                        .i18n()
                        .translate_plain(lang, &board_view::table_line(&table, &person_id));
                    suggestions.push((line, id.0));
                }
            }
        }
        suggestions.retain(|(label, value)| value.starts_with(typed) || label.contains(typed));
        suggestions.truncate(25);
        Ok(suggestions)
    }

    /// The legal moves as suggestions while typing: first the moves on buttons, then the rest by
    /// their numbers.
    fn move_suggestions(&self, game: &dyn Match, seat: Seat, lang: Lang) -> Vec<(String, String)> {
        let shown: Vec<String> =
            game.panel(seat, 0).rows.into_iter().flatten().map(|it| it.token).collect();
        let choices = game.choices(seat).into_iter();
        let mut moves: Vec<_> = choices
            .map(|it| (label_text(self.message_renderer.i18n(), lang, &it.label), it.token))
            .collect();
        moves.sort_by_key(|(label, token)| {
            let digits: String = label.chars().take_while(char::is_ascii_digit).collect();
            let at = shown.iter().position(|it| it == token).unwrap_or(usize::MAX);
            (at, digits.parse::<u32>().unwrap_or(u32::MAX))
        });
        moves
    }
}
