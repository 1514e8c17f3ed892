//! Replies that need no table: help, rules, the choice of an opponent.

use std::sync::Arc;

use super::context::{HandlerResult, RequestContext};
use super::open_table::{ensure_may_open_table, ensure_not_draining, requested_rules};
use super::settings::default_rules;
use super::table_index::{open_tables, tables_of};
use super::update_committer::UpdateCommitter;
use crate::commands::new_game::{casual_game_callback_data, new_game_callback_data};
use crate::commands::play_alone::{SoloGameOptions, with_clock};
use crate::commands::{COMMANDS, CommandSpec};
use crate::delivery::Delivery;
use crate::parsing::NewTable;
use crate::repository::outbox_entry::OutboxEntry;
use crate::repository::stored_rows::put_json;
use crate::repository::{Failure, Repository, keys};
use crate::views::course_views::{TableRules, WrongAnswers};
use crate::views::press_feedback::posting_feedback_views;
use crate::views::{computer_views, course_views, panel_views};
use caravanserai_games::GameId;
use caravanserai_games::ids::ChatKind;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::Lang;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_protocol::{ButtonTone, Capabilities};
use caravanserai_store::{Commit, Space};
use caravanserai_table::lobby_commands::needs_computers;

/// The number of commands that fit into a message of every platform, in every language.
const COMMANDS_PER_PAGE: usize = 12;

/// The most tables whose house rules precede the rules of a game.
const TABLES_WITH_RULES_MAX: usize = 2;

/// Greets, helps, teaches and offers games.
pub(crate) struct HelpPages {
    repository: Arc<Repository>,
    delivery: Arc<Delivery>,
    committer: Arc<UpdateCommitter>,
}

impl HelpPages {
    pub(crate) fn new(
        repository: Arc<Repository>,
        delivery: Arc<Delivery>,
        committer: Arc<UpdateCommitter>,
    ) -> Self {
        Self { repository, delivery, committer }
    }

    /// Posts the choice of games: the person who presses a button opens the table, and the message
    /// becomes its board.
    pub(crate) async fn post_game_choice(&self, context: &mut RequestContext<'_>) -> HandlerResult {
        ensure_not_draining(context)?;
        ensure_may_open_table(context)?;
        let view = choose_game_buttons("play-choose", |code| format!("o.{code}.here"));
        let chat = &context.update.chat.id;
        let puts = vec![OutboxEntry::post(chat, &context.update.id, view).encode()];
        let views = posting_feedback_views("done-below");
        let _ = self
            .committer
            .commit_changes(context, Vec::new(), Commit::from_puts(puts), &views)
            .await?;
        Ok(views)
    }

    /// Greets a group that the bot was added to, once even if several updates report it.
    pub(crate) async fn greet_group(
        &self,
        context: &mut RequestContext<'_>,
    ) -> Result<(), Failure> {
        let chat = &context.update.chat.id;
        let greeting_key = keys::last_greeting(chat);
        if self.repository.read_value(Space::Meta, &greeting_key).await?.is_some() {
            return Ok(());
        }
        let view = self.welcome_view(context);
        let greeting_row = put_json(Space::Meta, greeting_key, &true)
            .expires_at(context.now_ms + keys::GREETING_INTERVAL_MS);
        let puts = vec![OutboxEntry::post(chat, &context.update.id, view).encode(), greeting_row];
        let _ = self
            .committer
            .commit_changes(context, Vec::new(), Commit::from_puts(puts), &[])
            .await?;
        Ok(())
    }

    /// Handles `/start`, the message that clients send when a person opens a chat with the bot. A
    /// group to which the bot was just added has been greeted already.
    pub(crate) async fn handle_start(&self, context: &mut RequestContext<'_>) -> HandlerResult {
        let chat = &context.update.chat;
        if chat.kind == ChatKind::Group && self.delivery.capabilities(&chat.id).greets_groups {
            self.greet_group(context).await?;
            return Ok(Vec::new());
        }
        Ok(vec![self.welcome_view(context)])
    }

    /// The welcome message with its buttons.
    pub(crate) fn welcome_view(&self, context: &RequestContext<'_>) -> View {
        let mut texts = vec![Text::new("help-title"), Text::new("help-move")];
        let all = if self.delivery.capabilities(&context.update.chat.id).command_style.are_typed() {
            Text::new("help-all-typed")
        } else {
            Text::new("help-all")
        };
        texts.push(all);
        let main_buttons = vec![
            ButtonSpec::new(Text::new("button-play"), "o").with_tone(ButtonTone::Good),
            ButtonSpec::new(Text::new("button-learn"), "q"),
            ButtonSpec::new(Text::new("button-solo"), "1"),
        ];
        let help_button = vec![ButtonSpec::new(Text::new("button-help-all"), "?.1")];
        View { texts, button_rows: vec![main_buttons, help_button], ..View::default() }
    }

    /// A page of all commands, short enough for every platform.
    pub(crate) fn help_view(&self, context: &RequestContext<'_>, page: u8) -> View {
        let group = context.chat_settings.group;
        let lang = context.person.language(&context.chat_settings);
        let here = &context.update.chat.id;
        let public = self.delivery.page_url().is_some() && !self.delivery.is_page(here);
        let is_in_menu =
            |it: &&CommandSpec| it.is_offered && if group { it.in_groups } else { it.in_private };
        let specs: Vec<_> =
            COMMANDS.iter().filter(is_in_menu).filter(|it| public || !it.needs_page).collect();
        let pages = specs.len().div_ceil(COMMANDS_PER_PAGE) as u8;
        let page = page.clamp(1, pages);
        let mut texts = Vec::new();
        let Capabilities { command_style: commands, challenge_prefix, .. } =
            self.delivery.capabilities(&context.update.chat.id);
        if let Some(name) = challenge_prefix.filter(|_| page == 1) {
            texts.push(Text::new("help-inline").with("name", name));
        }
        if page == 1 && commands.are_typed() {
            let levels =
                ComputerLevel::ALL.map(|it| Arg::from(computer_views::level_name(it))).to_vec();
            texts.push(Text::new("help-computers").with("levels", Arg::Names(levels)));
        }
        let shown = Text::new("rules-page").with("page", page).with("pages", pages);
        texts.push(Text::new("help-commands").with("page", shown));
        let from = usize::from(page - 1) * COMMANDS_PER_PAGE;
        for spec in specs.into_iter().skip(from).take(COMMANDS_PER_PAGE) {
            let name = commands.command_mention(spec.name).unwrap_or_else(|| {
                let aliases =
                    (lang != Lang::default()).then(|| spec.aliases_of_language(lang).first());
                format!("/{}", aliases.flatten().map_or(spec.name, String::as_str))
            });
            texts.push(
                Text::new("help-line")
                    .with("name", name)
                    .with("about", Text::new(format!("command-{}", spec.name))),
            );
        }
        let keys = panel_views::page_buttons(page - 1, pages, |page| format!("?.{}", page + 1));
        View { texts, button_rows: keys.into_iter().collect(), ..View::default() }
    }

    /// The choices to play alone: first the game, then the opponent.
    pub(crate) fn play_alone_view(
        &self,
        context: &RequestContext<'_>,
        game: Option<GameId>,
        solo_options: &SoloGameOptions,
    ) -> View {
        match game {
            Some(game) => choose_opponent_view(&self.delivery, context, game, solo_options),
            None => choose_game_buttons("play-choose", |code| format!("1.{code}")),
        }
    }

    /// A page of the lessons of a game; of the current game if none is given. With the answer that
    /// the reader chose there, and those that were wrong before.
    pub(crate) async fn lesson_views(
        &self,
        context: &RequestContext<'_>,
        game: Option<GameId>,
        page: Option<&str>,
        answer: Option<&str>,
        wrong: WrongAnswers,
    ) -> HandlerResult {
        let game = match game {
            Some(game) => Some(game),
            None => self.current_game(context).await?,
        };
        Ok(vec![match (game, page) {
            (None, _) => choose_rules_view(),
            (Some(game), Some(course_views::ALL_RULES_PAGE)) => {
                course_views::all_rules_view(game, &self.table_rules(context, game).await?)
            }
            (Some(game), page) => course_views::lesson_view(game, page, answer, wrong),
        }])
    }

    /// The house rules of the open tables of a game that matter to a reader: those where they play,
    /// else those of the chat. In a private chat also tables in other chats count, which a group
    /// must not learn of; a page that Telegram sent there does not know the group of the question.
    async fn table_rules(
        &self,
        context: &RequestContext<'_>,
        game: GameId,
    ) -> Result<Vec<TableRules>, Failure> {
        let chat = &context.update.chat;
        let mut ids = open_tables(&self.repository, &chat.id).await?;
        if chat.kind == ChatKind::Private {
            ids.extend(tables_of(&self.repository, &context.update.person.id).await?);
            ids.sort_unstable();
            ids.dedup();
        }
        let mut own = Vec::new();
        let mut others = Vec::new();
        for id in ids {
            let Ok(Some(table)) = self.repository.load_table(&id).await else { continue };
            if table.game_id() != game {
                continue;
            }
            let is_seated = table.seating.is_seated(&context.update.person.id);
            let rules = TableRules { table: id, options: table.setup.options.clone() };
            if is_seated { own.push(rules) } else { others.push(rules) }
        }
        let mut tables = if own.is_empty() { others } else { own };
        tables.truncate(TABLES_WITH_RULES_MAX);
        Ok(tables)
    }

    /// The current game of a chat, if it is unique: among the tables of the person first.
    pub(crate) async fn current_game(
        &self,
        context: &RequestContext<'_>,
    ) -> Result<Option<GameId>, Failure> {
        let mut own_games = Vec::new();
        let mut all_games = Vec::new();
        for id in open_tables(&self.repository, &context.update.chat.id).await? {
            let Ok(Some(table)) = self.repository.load_table(&id).await else { continue };
            let is_seated = table.seating.is_seated(&context.update.person.id);
            own_games.extend(is_seated.then(|| table.game_id()));
            all_games.push(table.game_id());
        }
        for mut games in [own_games, all_games] {
            games.dedup();
            if let [game] = *games {
                return Ok(Some(game));
            }
        }
        Ok(None)
    }
}

/// The computers with a description of each; in a private chat also playing both sides and
/// inviting a friend.
pub(crate) fn choose_opponent_view(
    delivery: &Delivery,
    context: &RequestContext<'_>,
    game: GameId,
    solo_options: &SoloGameOptions,
) -> View {
    let info = game.info();
    let usual = default_rules(&context.chat_settings, game);
    let options = solo_options.options.as_deref().unwrap_or(&usual);
    let open = |how: &str| new_game_callback_data(game, how, solo_options.begin, options);
    let name = info.name_text();
    let mut texts = vec![Text::new("solo-choose").with("game", name)];
    let ratings = computer_views::usual_ratings(game, options);
    let levels = ComputerLevel::ALL.into_iter().zip(ratings);
    texts.extend(levels.map(|(it, rating)| computer_views::computer_description(it, rating)));
    let is_rated = ratings.iter().all(Option::is_some);
    texts.extend(is_rated.then(|| match solo_options.is_casual {
        true => Text::new("solo-casual"),
        false => Text::new("solo-rated"),
    }));
    let level = |level: &ComputerLevel| {
        let callback_data = match is_rated && solo_options.is_casual {
            true => casual_game_callback_data(open(level.code())),
            false => open(level.code()),
        };
        ButtonSpec::new(computer_views::computer_name_with_face(*level), callback_data)
    };
    let mut keys: Vec<Vec<ButtonSpec>> =
        ComputerLevel::ALL.chunks(2).map(|row| row.iter().map(level).collect()).collect();
    let is_private = context.update.chat.kind == ChatKind::Private;
    if is_private && !needs_computers(game) {
        let both = ButtonSpec::new(Text::new("button-both-sides"), open("both"));
        match keys.last_mut() {
            Some(row) if row.len() < 2 => row.push(both),
            _ => keys.push(vec![both]),
        }
    }
    if is_private {
        let capabilities = delivery.capabilities(&context.update.chat.id);
        texts.push(match capabilities.invite_url {
            Some(link) => Text::new("solo-friend-link").with("link", link),
            None => Text::new("solo-friend"),
        });
        let hands_link = capabilities.invite_url_for_hands.filter(|_| info.hidden);
        texts.extend(hands_link.map(|link| Text::new("solo-friend-hands").with("link", link)));
    }
    let link = is_private.then(|| {
        let data = match solo_options.is_casual {
            true => casual_game_callback_data(open("link")),
            false => open("link"),
        };
        ButtonSpec::new(Text::new("button-by-link"), with_clock(data, solo_options.clock))
    });
    keys.push(link.into_iter().chain([course_views::course_button(game)]).collect());
    keys.extend(is_rated.then(|| vec![rated_button(game, solo_options)]));
    View { texts, button_rows: keys, ..View::default() }
}

/// The button that says whether games against computers count, and changes that.
fn rated_button(game: GameId, solo_options: &SoloGameOptions) -> ButtonSpec {
    let rule = if solo_options.is_casual { "lobby-rated-off" } else { "lobby-rated-on" };
    let label = Text::new("button-rated").with("rule", Text::new(rule));
    let other = SoloGameOptions { is_casual: !solo_options.is_casual, ..solo_options.clone() };
    ButtonSpec::new(label, other.callback_data(game))
}

/// The choice of an opponent, in place of a table that nobody else could join.
pub(crate) fn alternatives_view(
    delivery: &Delivery,
    context: &RequestContext<'_>,
    wanted: &NewTable,
) -> Option<View> {
    let NewTable { game, begin, computers, friends, plays_all_sides, has_invite_link, .. } = wanted;
    let is_private = context.update.chat.kind == ChatKind::Private && !needs_computers(*game);
    let has_no_opponent =
        computers.is_none() && !plays_all_sides && !has_invite_link && friends.is_empty();
    let solo_options = SoloGameOptions {
        is_casual: wanted.rated == Some(false),
        begin: *begin,
        options: Some(requested_rules(context, wanted)),
        clock: wanted.clock,
    };
    (is_private && has_no_opponent)
        .then(|| choose_opponent_view(delivery, context, *game, &solo_options))
}

/// Asks for which game to show the rules.
pub(crate) fn choose_rules_view() -> View {
    choose_game_buttons("rules-which", |code| format!("q.{code}.0"))
}

/// Asks for one of the games; `press` is the callback data of its button, by its code.
fn choose_game_buttons(question: &'static str, callback_data: impl Fn(&str) -> String) -> View {
    let key = |game: &GameId| {
        let code = game.info().code;
        vec![ButtonSpec::new(Text::new(format!("game-{code}")), callback_data(code))]
    };
    let keys = GameId::all().iter().map(key).collect();
    View { texts: vec![Text::new(question)], button_rows: keys, ..View::default() }
}

/// Explains that a word was not understood and that no table was opened, with a suggestion.
pub(crate) fn unknown_word_view(game: GameId, word: String, near: Option<String>) -> View {
    let code = game.info().code;
    let text = match (near, word.strip_prefix('@')) {
        (Some(near), _) => Text::new("refuse-misread-near").with("word", word).with("near", near),
        (None, Some(name)) => Text::new("refuse-nobody-called").with("name", name),
        (None, None) => {
            let examples = Text::new("refuse-misread").with("word", word);
            let levels =
                ComputerLevel::ALL.map(|it| Arg::from(computer_views::level_name(it))).to_vec();
            examples.with("levels", Arg::Names(levels))
        }
    };
    let keys = vec![
        ButtonSpec::new(Text::new("button-play"), format!("o.{code}")),
        ButtonSpec::new(Text::new("button-solo"), format!("1.{code}")),
        course_views::course_button(game),
    ];
    View { texts: vec![text], button_rows: vec![keys], ..View::default() }
}
