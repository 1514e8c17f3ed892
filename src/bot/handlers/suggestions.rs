//! Lists: the tables of a person and of a place, what is offered to somebody who types.

use super::Handlers;
use super::context::{HandlerResult, RequestContext};
use crate::commands;
use crate::commands::Suggestions;
use crate::repository::Failure;
use crate::repository::stored_rows::BoardTask;
use crate::settings::Setting;
use crate::views::{board_view, clock_views, hand_views};
use crate::workers::label_text;
use caravanserai_games::Match;
use caravanserai_games::ids::{PlaceId, PlaceKind, TableId};
use caravanserai_games::rules::Seat;
use caravanserai_games::text::Text;
use caravanserai_i18n::Lang;
use caravanserai_protocol::{Chat, InlineResult, Person};
use caravanserai_store::Put;
use caravanserai_table::clock::TimeControl;
use caravanserai_table::state::Table;

impl Handlers {
    /// Shows open boards of a place again that stand so: they speak or look otherwise now.
    pub(crate) async fn refresh_boards(
        &self,
        place: &PlaceId,
        stands_so: fn(&Table) -> bool,
    ) -> Result<Vec<Put>, Failure> {
        let mut puts = Vec::new();
        for id in self.open_tables(place).await? {
            if let Ok(Some(table)) = self.repository.load_table(&id).await
                && stands_so(&table)
            {
                puts.push(BoardTask::default().put(&table, place));
            }
        }
        Ok(puts)
    }

    /// The tables of whoever asks, everywhere.
    pub(crate) async fn list_own_tables(&self, visit: &mut RequestContext<'_>) -> HandlerResult {
        let (place, person) = (&visit.update.chat.id, &visit.update.person.id);
        let alone = visit.update.chat.kind == PlaceKind::Private;
        let list = self.delivery.table_list_note(person, place, alone).await?;
        if alone {
            visit.extra_rows.extend(self.delivery.table_list_put(person, place));
        }
        Ok(vec![list])
    }

    /// What is offered for the argument that somebody is typing.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn suggestions(
        &self,
        place: &Chat,
        person: &Person,
        command: &str,
        typed: &str,
    ) -> Result<Vec<(String, String)>, Failure> {
        let Some(spec) = commands::find_command(command) else { return Ok(Vec::new()) };
        let who = self.repository.resolve_person(&person.id).await?;
        let (known, chat) = self.repository.load_profiles(&who, &place.id).await?;
        let guess = person.locale.as_deref().and_then(Lang::from_locale);
        let lang = known.lang.or(guess).unwrap_or(chat.language());
        let mut offers = Vec::new();
        if spec.suggestions == Suggestions::Clocks {
            let said = |it: TimeControl| {
                self.message_renderer
                    .i18n()
                    .translate_plain(lang, &clock_views::time_control_text(it))
            };
            let clock = |it: TimeControl| (said(it), format!("clock={}", it.encode()));
            offers.extend(TimeControl::PRESETS.map(clock));
            offers.retain(|(label, _)| label.contains(typed));
            return Ok(offers);
        }
        if spec.suggestions == Suggestions::VacationDays {
            let row = Setting::Vacation;
            let value = |it: String| {
                (label_text(self.message_renderer.i18n(), lang, &row.value_label(&it)), it)
            };
            let left = known.vacation_days_left(self.repository.now_ms());
            let mut all: Vec<_> = row.values().into_iter().map(str::to_owned).collect();
            all.retain(|it| it.parse().map_or(true, |days: u32| days <= left));
            offers.extend(all.into_iter().map(value));
            offers.retain(|(label, value)| value.starts_with(typed) || label.contains(typed));
            offers.truncate(25);
            return Ok(offers);
        }
        // What is to be brought here is somewhere else.
        let ids = match spec.suggestions == Suggestions::OwnTables {
            true => self.tables_of(&who).await?,
            false => self.open_tables(&place.id).await?,
        };
        for id in ids {
            let Ok(Some(table)) = self.repository.load_table(&id).await else { continue };
            match spec.suggestions {
                Suggestions::Moves => {
                    let turn = table.seat_to_move();
                    let own = turn.filter(|it| table.seats_of(&who).any(|own| own == *it));
                    if let (Some(seat), Some(game)) = (own, table.game.as_deref()) {
                        offers.extend(self.move_suggestions(game, Seat(seat), lang));
                    }
                }
                Suggestions::None => {}
                _ => {
                    let line = self
                        .message_renderer
                        .i18n()
                        .translate_plain(lang, &board_view::table_line(&table, &who));
                    offers.push((line, id.0));
                }
            }
        }
        offers.retain(|(label, value)| value.starts_with(typed) || label.contains(typed));
        offers.truncate(25);
        Ok(offers)
    }

    /// What can be played, as it is chosen while typing: first what stands on buttons, then the
    /// rest by its number, so that the lowest is not lost among many.
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

    /// What somebody may choose who types the code of a table, or the name of a game.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn inline_results(
        &self,
        person: &Person,
        typed: &str,
    ) -> Result<Vec<InlineResult>, Failure> {
        let code = typed.split_whitespace().next().unwrap_or_default().trim_start_matches('#');
        let id = TableId(code.to_lowercase());
        let who = self.repository.resolve_person(&person.id).await?;
        let table = match self.repository.load_table(&id).await {
            Ok(Some(table)) => table,
            Ok(None) => return self.inline_challenges(person, &who, typed).await,
            Err(Failure::Damaged(..)) => return Ok(Vec::new()),
            Err(failure) => return Err(failure),
        };
        let (known, chat) = self.repository.load_profiles(&who, table.home()).await?;
        let lang = known.language(&chat);
        let more = Text::new("hand-inline").with("table", id.0.as_str());
        let more = self.message_renderer.i18n().translate_plain(lang, &more);
        let offered = |(held, says): (caravanserai_games::HandCard, String)| InlineResult {
            title: label_text(self.message_renderer.i18n(), lang, &held.choice.label),
            description: more.clone(),
            message: says,
            buttons: Vec::new(),
        };
        let sayings: Vec<_> =
            hand_views::typeable_cards(&table, &who).into_iter().map(offered).collect();
        if sayings.is_empty() {
            return self.shareable_table_result(person, &who, &table).await;
        }
        Ok(sayings)
    }
}
