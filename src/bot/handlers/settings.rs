//! Handles settings of people and chats for commands, for buttons under answers, and for the
//! settings page.

use std::sync::Arc;

use super::context::{HandlerResult, RequestContext, brief_views};
use super::external_query::ExternalQuery;
use super::request_error::RequestError;
use super::table_index::refresh_boards;
use super::vacation::{VacationPlanner, vacation_page, vacation_status_view};
use crate::repository::chat_settings::ChatSettings;
use crate::repository::profiles::ChatProfile;
use crate::repository::row_update::TypedRowKey;
use crate::repository::{Failure, Repository};
use crate::settings;
use crate::settings::{
    CurrentSetting, DEFAULT_RULES, INHERIT, InheritedSetting, ParentKind, Setting, SettingChange,
    SettingLine, SettingReader, SettingScope, SettingsOwner, SettingsReply, SettingsRequest,
};
use crate::views::clock_views;
use crate::views::result_views::unrated_game_line;
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatId, ChatKind};
use caravanserai_games::text::{Arg, Text};
use caravanserai_protocol::ParentChats;
use caravanserai_protocol::view::View;

/// The chat whose settings are meant: the chat of the request, or a chat whose page is read in
/// private.
struct ChatSettingsTarget {
    chat: ChatId,
    settings: ChatSettings,
    /// Whether the person is an admin there.
    admin: bool,
    /// Whether the chat is a group.
    group: bool,
    /// Whether an abuse check kept games of the chat from being rated, for admins.
    has_unrated_games: bool,
}

impl ChatSettingsTarget {
    fn settings_owner(&self, scope: SettingScope) -> SettingsOwner<'_> {
        SettingsOwner { scope, chat: &self.chat }
    }

    /// The server of the chat.
    fn server(&self) -> Option<&ChatId> {
        self.settings.parents.server.as_ref()
    }

    /// The nearest parent of the chat.
    fn parent(&self) -> Option<ParentKind> {
        let ParentChats { channel, server } = &self.settings.parents;
        let channel = channel.as_ref().map(|_| ParentKind::Channel);
        channel.or(server.as_ref().map(|_| ParentKind::Server))
    }

    /// The chat in which a change for a chat or its server is made: for a server a thread counts
    /// as its channel.
    fn change_location(&self, scope: SettingScope) -> &ChatId {
        let channel = self.settings.parents.channel.as_ref();
        channel.filter(|_| scope == SettingScope::Server).unwrap_or(&self.chat)
    }

    /// The settings of the chat including inherited ones, or those of its server.
    fn profile(&self, scope: SettingScope) -> &ChatProfile {
        match scope {
            SettingScope::Person | SettingScope::Chat => &self.settings,
            SettingScope::Server => self.settings.parent(ParentKind::Server),
        }
    }

    /// The profile that changes for a chat or its server are written to.
    fn stored_profile(&self, scope: SettingScope) -> &ChatProfile {
        match scope {
            SettingScope::Person | SettingScope::Chat => self.settings.own(),
            SettingScope::Server => self.settings.parent(ParentKind::Server),
        }
    }

    /// The chat that the value of a setting is inherited from, if it is inherited.
    fn inherited_source_text(&self, scope: SettingScope, row: Setting) -> Option<Text> {
        if scope != SettingScope::Chat {
            return None;
        }
        let parent = if row == Setting::HOUSE_RULES {
            let games = games_with_house_rules(&self.settings);
            let source = |it: GameId| self.settings.house_rules_source(it.info().code);
            let sources: Option<Vec<ParentKind>> = games.map(source).collect();
            sources?.first().copied()
        } else {
            self.settings.inherited_from_parent(row)
        };
        parent.map(|it| self.parent_text(it))
    }

    fn parent_text(&self, parent: ParentKind) -> Text {
        settings::inheritance_source(parent, &self.settings.parent(ParentKind::Channel).title)
    }

    /// The value of a setting in this chat, as people see it.
    fn setting_value_text(&self, row: Setting, value: &str) -> Arg {
        let is_elsewhere = row == Setting::ALLOWED_TOPICS && value == "elsewhere";
        if is_elsewhere && self.server().is_some() {
            return Text::new("value-where-channels").into();
        }
        row.value_label(value)
    }

    /// The value that a setting would inherit, for a chat that has parents.
    fn inherited_value(&self, scope: SettingScope, row: Setting) -> Option<InheritedSetting> {
        let parent = self.parent().filter(|_| scope == SettingScope::Chat)?;
        let value = self.settings.without_own(row, &self.chat).setting_value(row, &self.chat)?;
        let is_current = !self.settings.own().is_set(row);
        Some(InheritedSetting { is_current, value: self.setting_value_text(row, &value), parent })
    }
}

/// Shows and changes the settings of people and chats.
pub(crate) struct SettingsHandler {
    repository: Arc<Repository>,
    vacations: VacationPlanner,
}

impl SettingsHandler {
    pub(crate) fn new(repository: Arc<Repository>, vacations: VacationPlanner) -> Self {
        Self { repository, vacations }
    }

    /// Handles a settings request.
    pub(crate) async fn handle_settings(
        &self,
        context: &mut RequestContext<'_>,
        request: SettingsRequest,
        reply: SettingsReply,
        chat: Option<ChatId>,
    ) -> HandlerResult {
        let mut target = self.load_settings_target(context, chat).await?;
        let request =
            if target.server().is_some() { request } else { replace_server_scope(request) };
        match changes_chat_settings(&request) {
            true if !target.group => return Ok(brief_views("refuse-old-button")),
            true if !target.admin => return Ok(brief_views("refuse-admin-only")),
            true => {}
            false if target.admin || target.chat == context.update.chat.id => {}
            false => ensure_member(context, &target.chat)?,
        }
        Ok(vec![match request {
            SettingsRequest::Page(scope) | SettingsRequest::Choices(scope, _)
                if scope != SettingScope::Person && !target.group =>
            {
                settings_page(context, &target, SettingScope::Person)
            }
            SettingsRequest::Page(scope) => settings_page(context, &target, scope),
            SettingsRequest::Choices(_, setting) if setting == Setting::VACATION => {
                vacation_status_view(context, reply)
            }
            SettingsRequest::Set(change) if change.setting == Setting::VACATION => {
                let days = change.value.parse().ok().filter(|it| *it > 0);
                let build_view = |context: &RequestContext<'_>| match reply {
                    SettingsReply::Page => settings_page(context, &target, SettingScope::Person),
                    SettingsReply::Message => vacation_status_view(context, reply),
                };
                return self.vacations.set_vacation(context, days, build_view).await;
            }
            SettingsRequest::Choices(scope, setting) => {
                choices_view(context, &target, scope, setting, reply)
            }
            SettingsRequest::InvalidValue(setting) if setting == Setting::VACATION => {
                vacation_page(context, settings::vacation_range_text(), reply)
            }
            SettingsRequest::InvalidValue(setting) => match setting.definition().unknown_value_text
            {
                Some(text) => View::brief(text()),
                None => choices_view(context, &target, SettingScope::Person, setting, reply),
            },
            SettingsRequest::Set(change) => {
                self.apply_setting(context, &mut target, &change).await?;
                match reply {
                    SettingsReply::Page => settings_page(context, &target, change.scope),
                    SettingsReply::Message => setting_changed_view(context, &target, &change),
                }
            }
            SettingsRequest::Rules { scope, game, page, change } => {
                self.handle_house_rules(context, &mut target, scope, game, page, change).await?
            }
            SettingsRequest::GuardedGames => {
                let games =
                    self.repository.results().unrated_games(target.chat.without_topic()).await?;
                let lines = games.iter().map(unrated_game_line).collect();
                settings::unrated_games_view(target.settings_owner(SettingScope::Chat), lines)
            }
        }])
    }

    /// The chat that is meant.
    async fn load_settings_target(
        &self,
        context: &mut RequestContext<'_>,
        chat: Option<ChatId>,
    ) -> Result<ChatSettingsTarget, RequestError> {
        let here = &context.update.chat;
        let is_private = here.kind == ChatKind::Private;
        let elsewhere = chat.filter(|it| is_private && it.platform() == here.id.platform());
        if let Some(chat_id) = elsewhere {
            let Some(admin) = context.query_results.is_admin(&context.account, &chat_id) else {
                let query = ExternalQuery::IsAdmin(context.account.clone(), chat_id);
                return Err(context.suspend_for_query(query));
            };
            let settings = self.repository.profiles().load_chat_settings(&chat_id).await?;
            let has_unrated_games = self.has_unrated_games(&chat_id, admin).await?;
            return Ok(ChatSettingsTarget {
                settings,
                admin,
                group: true,
                has_unrated_games,
                chat: chat_id,
            });
        }
        let chat_id = &here.id;
        let admin = context.update.person.admin;
        let group = !is_private;
        Ok(ChatSettingsTarget {
            chat: chat_id.clone(),
            settings: context.chat_settings.clone(),
            admin,
            group,
            has_unrated_games: self.has_unrated_games(chat_id, admin && group).await?,
        })
    }

    /// Whether this reader, who may be an admin of the chat, is offered the list of games that an
    /// abuse check kept from being rated.
    async fn has_unrated_games(&self, chat: &ChatId, is_admin: bool) -> Result<bool, Failure> {
        Ok(is_admin && self.repository.results().has_unrated_games(chat.without_topic()).await?)
    }

    /// Stores a setting and refreshes the boards that it changes.
    async fn apply_setting(
        &self,
        context: &mut RequestContext<'_>,
        target: &mut ChatSettingsTarget,
        change: &SettingChange,
    ) -> Result<(), Failure> {
        let SettingChange { scope, setting: row, value } = change;
        let changes_boards = row.definition().changes_boards;
        let shown = match scope {
            SettingScope::Person => {
                let person_row = TypedRowKey::person(&context.update.person.id);
                let stored = self
                    .repository
                    .update_row(person_row, |it| it.set_setting(*row, value))
                    .await?;
                context.set_person(stored);
                let is_private = context.update.chat.kind == ChatKind::Private;
                (changes_boards && is_private).then_some(&context.update.chat.id)
            }
            SettingScope::Chat | SettingScope::Server => {
                let here = target.change_location(*scope).clone();
                self.change_chat_profile(context, target, *scope, |it| {
                    it.set_setting(*row, value, &here)
                })
                .await?;
                changes_boards.then_some(&target.chat)
            }
        };
        if let Some(chat) = shown {
            context.extra_rows.extend(refresh_boards(&self.repository, chat, |_| true).await?);
        }
        self.repository.put_all(std::mem::take(&mut context.extra_rows)).await
    }

    /// Changes the settings of a chat or of its server.
    async fn change_chat_profile(
        &self,
        context: &mut RequestContext<'_>,
        target: &mut ChatSettingsTarget,
        scope: SettingScope,
        change: impl Fn(&mut ChatProfile) + Send + Sync,
    ) -> Result<(), Failure> {
        match target.server().filter(|_| scope == SettingScope::Server).cloned() {
            Some(server) => {
                let stored = self.repository.update_row(TypedRowKey::chat(&server), change).await?;
                target.settings.set_server(stored);
            }
            None => {
                let stored =
                    self.repository.update_row(TypedRowKey::chat(&target.chat), change).await?;
                target.settings.set_own(stored);
            }
        }
        if target.chat.without_topic() == context.update.chat.id.without_topic() {
            context.chat_settings = target.settings.clone();
        }
        Ok(())
    }

    /// Changes the house rules of a game in a chat or a server if requested, and shows them.
    async fn handle_house_rules(
        &self,
        context: &mut RequestContext<'_>,
        target: &mut ChatSettingsTarget,
        scope: SettingScope,
        game: GameId,
        page: u8,
        change: Option<String>,
    ) -> Result<View, Failure> {
        let info = game.info();
        if let Some(setting) = change {
            // House rules that cannot be played are not stored.
            let fits = |it: &String| game.start_match(it, info.seats.most).is_ok();
            let inherits = scope == SettingScope::Chat && target.parent().is_some();
            let inherited_rules = match scope {
                SettingScope::Server => ChatProfile::default(),
                SettingScope::Person | SettingScope::Chat => {
                    target.settings.without_own(Setting::HOUSE_RULES, &target.chat)
                }
            };
            let changed = |it: &ChatProfile| {
                let is_own = it.rules.contains_key(info.code);
                let now = default_rules(if is_own { it } else { &inherited_rules }, game);
                info.set_switch(&now, &setting).filter(fits)
            };
            let is_choice = ![DEFAULT_RULES, INHERIT].contains(&setting.as_str());
            if is_choice && changed(target.stored_profile(scope)).is_none() {
                return Ok(View::brief(info.unknown_house_rule()));
            }
            let apply_change = |it: &mut ChatProfile| match setting.as_str() {
                INHERIT => it.set_house_rules(info.code, None),
                // The default rules are stored explicitly if other rules would be inherited.
                DEFAULT_RULES => {
                    it.set_house_rules(info.code, inherits.then(|| DEFAULT_RULES.to_owned()))
                }
                _ => {
                    if let Some(options) = changed(it) {
                        it.set_house_rules(info.code, Some(options));
                    }
                }
            };
            self.change_chat_profile(context, target, scope, apply_change).await?;
        }
        Ok(house_rules_view(target, scope, game, page))
    }
}

/// The house rules of a game in a chat or a server, with buttons to change them.
fn house_rules_view(
    target: &ChatSettingsTarget,
    scope: SettingScope,
    game: GameId,
    page: u8,
) -> View {
    let code = game.info().code;
    let options = default_rules(target.profile(scope), game);
    let source = target.settings.house_rules_source(code).filter(|_| scope == SettingScope::Chat);
    let source = source.map(|it| target.parent_text(it));
    let inherited = target.parent().filter(|_| scope == SettingScope::Chat).map(|parent| {
        let is_current = !target.settings.own().rules.contains_key(code);
        let inherited_rules = target.settings.without_own(Setting::HOUSE_RULES, &target.chat);
        let key = if inherited_rules.house_rules(code).is_some() {
            "value-rules-own"
        } else {
            "value-rules-usual"
        };
        InheritedSetting { is_current, value: Text::new(key).into(), parent }
    });
    settings::default_rules_view(
        target.settings_owner(scope),
        game,
        &options,
        source,
        page,
        inherited.as_ref(),
    )
}

/// Whether a request is only for people who may change the settings of the chat: house rules are
/// shown only to them.
fn changes_chat_settings(request: &SettingsRequest) -> bool {
    match request {
        SettingsRequest::Set(SettingChange { scope, .. })
        | SettingsRequest::Rules { scope, .. } => *scope != SettingScope::Person,
        SettingsRequest::GuardedGames => true,
        SettingsRequest::Page(_)
        | SettingsRequest::Choices(..)
        | SettingsRequest::InvalidValue(_) => false,
    }
}

/// Refuses people who are not members of a chat: they must not see its settings.
fn ensure_member(context: &mut RequestContext<'_>, chat: &ChatId) -> Result<(), RequestError> {
    match context.query_results.member_chat(&context.account) {
        Some(Some(_)) => Ok(()),
        Some(None) => Err(RequestError::Refused(brief_views("refuse-old-button"))),
        None => {
            let query = ExternalQuery::Member(context.account.clone(), vec![chat.clone()]);
            Err(context.suspend_for_query(query))
        }
    }
}

/// Treats the server as the chat if there is no server.
fn replace_server_scope(request: SettingsRequest) -> SettingsRequest {
    let chat = |scope: SettingScope| {
        if scope == SettingScope::Server { SettingScope::Chat } else { scope }
    };
    match request {
        SettingsRequest::Page(scope) => SettingsRequest::Page(chat(scope)),
        SettingsRequest::Choices(scope, row) => SettingsRequest::Choices(chat(scope), row),
        SettingsRequest::Set(change) => {
            SettingsRequest::Set(SettingChange { scope: chat(change.scope), ..change })
        }
        SettingsRequest::Rules { scope, game, page, change } => {
            SettingsRequest::Rules { scope: chat(scope), game, page, change }
        }
        SettingsRequest::InvalidValue(row) => SettingsRequest::InvalidValue(row),
        SettingsRequest::GuardedGames => SettingsRequest::GuardedGames,
    }
}

/// The house rules of a game in a chat by default.
pub(crate) fn default_rules(chat: &ChatProfile, game: GameId) -> String {
    let info = game.info();
    let stored_rules = chat.house_rules(info.code).filter(|it| info.switch_values(it).is_some());
    stored_rules.map_or_else(|| info.default_options(), str::to_owned)
}

/// The current value of a setting, by its code.
fn current_value(
    context: &RequestContext<'_>,
    target: &ChatSettingsTarget,
    scope: SettingScope,
    row: Setting,
) -> Option<String> {
    match scope {
        SettingScope::Person => context.person.setting_value(row, &context.chat_settings),
        SettingScope::Chat | SettingScope::Server => {
            target.profile(scope).setting_value(row, target.change_location(scope))
        }
    }
}

/// All settings of the person, of the chat or of its server.
fn settings_page(
    context: &RequestContext<'_>,
    target: &ChatSettingsTarget,
    scope: SettingScope,
) -> View {
    let rows = Setting::of_scope(scope).iter().copied();
    let rows =
        rows.filter(|it| *it != Setting::ALLOWED_TOPICS || offers_opening_chats(target, scope));
    let lines: Vec<SettingLine> = rows
        .map(|row| {
            let value = match current_value(context, target, scope, row) {
                Some(value) => target.setting_value_text(row, &value),
                None if row == Setting::VACATION => vacation_arg(context),
                None => house_rules_arg(target.profile(scope)),
            };
            SettingLine { setting: row, value, source: target.inherited_source_text(scope, row) }
        })
        .collect();
    let can_change = scope == SettingScope::Person || target.admin;
    let server = target.server().filter(|_| target.admin).map(|_| SettingScope::Server);
    let others: Vec<SettingScope> = match scope {
        _ if !target.group => Vec::new(),
        SettingScope::Person => vec![SettingScope::Chat],
        SettingScope::Chat => [SettingScope::Person].into_iter().chain(server).collect(),
        SettingScope::Server => vec![SettingScope::Chat, SettingScope::Person],
    };
    let owner = target.settings_owner(scope);
    let mut view = settings::settings_page_view(owner, &lines, can_change, &others);
    if scope == SettingScope::Chat && target.has_unrated_games {
        view.button_rows.push(vec![settings::unrated_games_button(owner)]);
    }
    view
}

/// Whether the setting for topics offers a choice: in a chat with topics, a server with channels,
/// or a channel to which the choice of its server applies.
fn offers_opening_chats(target: &ChatSettingsTarget, scope: SettingScope) -> bool {
    let chat = &target.chat;
    let is_bound = !target.settings.allows_tables_in(chat)
        || target.settings.own().is_set(Setting::ALLOWED_TOPICS);
    scope == SettingScope::Server || chat.0 != chat.without_topic() || is_bound
}

/// The last day of the vacation of the sender, if there is one.
fn vacation_arg(context: &RequestContext<'_>) -> Arg {
    match context.person.vacation_until(context.now_ms) {
        Some(until_ms) => {
            Text::new("value-vacation-until").with("day", clock_views::day_text(until_ms)).into()
        }
        None => Setting::VACATION.value_label(settings::NO_VACATION),
    }
}

/// The games that have house rules in a chat.
fn house_rules_arg(chat: &ChatProfile) -> Arg {
    let name = |game: GameId| Arg::from(game.info().name_text());
    let games: Vec<Arg> = games_with_house_rules(chat).map(name).collect();
    if games.is_empty() { Text::new("value-rules-usual").into() } else { Arg::List(games) }
}

fn games_with_house_rules(chat: &ChatProfile) -> impl Iterator<Item = GameId> {
    let is_own = |it: &GameId| chat.house_rules(it.info().code).is_some();
    GameId::all().iter().copied().filter(is_own)
}

/// The reader of a reply about a setting.
fn setting_reader<'a>(
    context: &'a RequestContext<'_>,
    target: &'a ChatSettingsTarget,
    scope: SettingScope,
) -> SettingReader<'a> {
    let can_change_chat = target.group && target.admin;
    SettingReader {
        person: &context.person,
        scope,
        chat_kind: context.update.chat.kind,
        own_chat: can_change_chat.then(|| target.settings_owner(SettingScope::Chat)),
    }
}

/// The values that a setting can have. `reply`: how the choice is answered.
fn choices_view(
    context: &RequestContext<'_>,
    target: &ChatSettingsTarget,
    scope: SettingScope,
    setting: Setting,
    reply: SettingsReply,
) -> View {
    let choice = setting.definition().choice.filter(|_| reply == SettingsReply::Message);
    if let Some(choice) = choice {
        return (choice.view)(&setting_reader(context, target, scope));
    }
    if scope != SettingScope::Person && !target.admin {
        return settings_page(context, target, scope);
    }
    let value = current_value(context, target, scope, setting).unwrap_or_default();
    let inherited = target.inherited_value(scope, setting);
    let current = CurrentSetting { value, inherited };
    settings::setting_choices_view(target.settings_owner(scope), setting, &current)
}

/// Confirms a setting that was changed by its own command or button.
fn setting_changed_view(
    context: &RequestContext<'_>,
    target: &ChatSettingsTarget,
    change: &SettingChange,
) -> View {
    let reader = setting_reader(context, target, change.scope);
    let view = (change.setting.definition().changed_view)(&reader, &change.value);
    view.unwrap_or_else(|| settings_page(context, target, change.scope))
}
