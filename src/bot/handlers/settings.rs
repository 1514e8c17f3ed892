//! Settings of people and chats: one way in for commands, for buttons under answers and for the
//! page that shows them all.

use super::Handlers;
use super::context::{HandlerResult, RequestContext, brief_note};
use super::external_query::ExternalQuery;
use crate::commands::theme::{THEMES, theme_name};
use crate::repository::Failure;
use crate::repository::chat_settings::ChatSettings;
use crate::repository::profiles::ChatProfile;
use crate::repository::row_update::TypedRowKey;
use crate::settings;
use crate::settings::{
    CurrentSetting, DEFAULT_RULES, INHERIT, InheritedSetting, ParentKind, Setting, SettingChange,
    SettingLine, SettingScope, SettingsOwner, SettingsRequest,
};
use crate::views::clock_views;
use crate::views::settings_buttons;
use caravanserai_games::GameId;
use caravanserai_games::ids::{PlaceId, PlaceKind};
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::Lang;
use caravanserai_protocol::ParentChats;
use caravanserai_protocol::view::{ButtonSpec, PictureRef, View};

/// A chat whose settings are meant: the chat of the request, or one whose page is read in private.
struct ChatSettingsTarget {
    place: PlaceId,
    settings: ChatSettings,
    /// Whether they keep order there.
    admin: bool,
    /// Whether others are there at all.
    group: bool,
}

impl ChatSettingsTarget {
    fn settings_owner(&self, scope: SettingScope) -> SettingsOwner<'_> {
        SettingsOwner { scope, chat: &self.place }
    }

    /// The server that it is in.
    fn server(&self) -> Option<&PlaceId> {
        self.settings.parents.server.as_ref()
    }

    /// The nearest place that it inherits from.
    fn parent(&self) -> Option<ParentKind> {
        let ParentChats { channel, server } = &self.settings.parents;
        let channel = channel.as_ref().map(|_| ParentKind::Channel);
        channel.or(server.as_ref().map(|_| ParentKind::Server))
    }

    /// The place that a change for a chat or its server was made in: for a server a thread counts
    /// as its channel.
    fn change_location(&self, scope: SettingScope) -> &PlaceId {
        let channel = self.settings.parents.channel.as_ref();
        channel.filter(|_| scope == SettingScope::Server).unwrap_or(&self.place)
    }

    /// The settings of the chat with those it inherits, or those of its server.
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

    /// The place that the value of a row is inherited from, if it is.
    fn inherited_source_text(&self, scope: SettingScope, row: Setting) -> Option<Text> {
        if scope != SettingScope::Chat {
            return None;
        }
        let parent = match row {
            Setting::HouseRules => {
                let games = games_with_house_rules(&self.settings);
                let source = |it: GameId| self.settings.house_rules_source(it.info().code);
                let sources: Option<Vec<ParentKind>> = games.map(source).collect();
                sources?.first().copied()
            }
            _ => self.settings.inherited_from_parent(row),
        };
        parent.map(|it| self.parent_text(it))
    }

    fn parent_text(&self, parent: ParentKind) -> Text {
        settings::inheritance_source(parent, &self.settings.parent(ParentKind::Channel).title)
    }

    /// The value of a row here in words.
    fn setting_value_text(&self, row: Setting, value: &str) -> Arg {
        match (row, value) {
            (Setting::AllowedTopics, "elsewhere") if self.server().is_some() => {
                Text::new("value-where-channels").into()
            }
            _ => row.value_label(value),
        }
    }

    /// The value that a row would inherit, for a chat that has parents.
    fn inherited_value(&self, scope: SettingScope, row: Setting) -> Option<InheritedSetting> {
        let parent = self.parent().filter(|_| scope == SettingScope::Chat)?;
        let value = self.settings.without_own(row, &self.place).setting_value(row, &self.place)?;
        let is_current = !self.settings.own().is_set(row);
        Some(InheritedSetting { is_current, value: self.setting_value_text(row, &value), parent })
    }
}

impl Handlers {
    /// Something of the settings. `paged`: by the page that shows them all, which then turns.
    pub(crate) async fn handle_settings(
        &self,
        visit: &mut RequestContext<'_>,
        wish: SettingsRequest,
        paged: bool,
        chat: Option<PlaceId>,
    ) -> HandlerResult {
        let Some(mut room) = self.load_settings_target(visit, chat).await? else {
            return Ok(Vec::new());
        };
        let wish = if room.server().is_some() { wish } else { replace_server_scope(wish) };
        match changes_chat_settings(&wish) {
            true if !room.group => return Ok(brief_note("refuse-old-button")),
            true if !room.admin => return Ok(brief_note("refuse-admin-only")),
            true | false => {}
        }
        Ok(vec![match wish {
            SettingsRequest::Page(scope) | SettingsRequest::Choices(scope, _)
                if scope != SettingScope::Person && !room.group =>
            {
                settings_page(visit, &room, SettingScope::Person)
            }
            SettingsRequest::Page(scope) => settings_page(visit, &room, scope),
            SettingsRequest::Choices(_, Setting::Vacation) => Self::vacation_note(visit, paged),
            SettingsRequest::Set(SettingChange { setting: Setting::Vacation, value, .. }) => {
                let days = value.parse().ok().filter(|it| *it > 0);
                let told = |visit: &RequestContext<'_>| match paged {
                    true => settings_page(visit, &room, SettingScope::Person),
                    false => Self::vacation_note(visit, false),
                };
                return self.set_vacation(visit, days, told).await;
            }
            SettingsRequest::Choices(_, Setting::Language) if !paged => language_note(&room),
            SettingsRequest::Choices(_, Setting::Theme) if !paged => theme_note(&room),
            SettingsRequest::Choices(_, Setting::Pace) if !paged => {
                quick_computers_note(visit.person.quick)
            }
            SettingsRequest::Choices(scope, _) if scope != SettingScope::Person && !room.admin => {
                settings_page(visit, &room, scope)
            }
            SettingsRequest::Choices(scope, row) => {
                let value = current_value(visit, &room, scope, row).unwrap_or_default();
                let inherited = room.inherited_value(scope, row);
                settings::setting_choices_view(
                    room.settings_owner(scope),
                    row,
                    &CurrentSetting { value, inherited },
                )
            }
            SettingsRequest::InvalidValue(row) => unknown_setting_note(row),
            SettingsRequest::Set(change) => {
                self.apply_setting(visit, &mut room, &change).await?;
                match paged {
                    true => settings_page(visit, &room, change.scope),
                    false => setting_changed_note(visit, &room, &change),
                }
            }
            SettingsRequest::Rules { scope, game, page, change } => {
                self.handle_house_rules(visit, &mut room, (scope, game), page, change).await?
            }
        }])
    }

    /// The chat that is meant; `None` if its platform has to be asked first.
    async fn load_settings_target(
        &self,
        visit: &mut RequestContext<'_>,
        chat: Option<PlaceId>,
    ) -> Result<Option<ChatSettingsTarget>, Failure> {
        let here = &visit.update.chat;
        let alone = here.kind == PlaceKind::Private;
        let elsewhere = chat.filter(|it| alone && it.platform() == here.id.platform());
        if let Some(place) = elsewhere {
            let Some(admin) = visit.query_results.is_admin(&visit.account, &place) else {
                visit.pending_query = Some(ExternalQuery::IsAdmin(visit.account.clone(), place));
                return Ok(None);
            };
            let settings = self.repository.load_chat_settings(&place).await?;
            return Ok(Some(ChatSettingsTarget { settings, admin, group: true, place }));
        }
        Ok(Some(ChatSettingsTarget {
            place: here.id.clone(),
            settings: visit.place.clone(),
            admin: visit.update.person.admin,
            group: !alone,
        }))
    }

    /// How it is whether moves want a second press.
    pub(crate) fn confirmation_note_for_moves(visit: &RequestContext<'_>) -> View {
        let on = visit.person.confirm;
        let key = if on { "answer-confirm-is-on" } else { "answer-confirm-is-off" };
        let keys = vec![vec![settings_buttons::confirm_button(on)]];
        View { texts: vec![Text::new(key)], keys, ..View::default() }
    }

    /// Stores a setting and refreshes the boards that it changes.
    async fn apply_setting(
        &self,
        visit: &mut RequestContext<'_>,
        room: &mut ChatSettingsTarget,
        change: &SettingChange,
    ) -> Result<(), Failure> {
        let SettingChange { scope, setting: row, value } = change;
        let looks = matches!(
            row,
            Setting::Language | Setting::Theme | Setting::BoardSide | Setting::BoardFormat
        );
        let shown = match scope {
            SettingScope::Person => {
                let own = TypedRowKey::person(&visit.update.person.id);
                let kept =
                    self.repository.update_row(own, |it| it.set_setting(*row, value)).await?;
                visit.set_person(kept);
                let alone = visit.update.chat.kind == PlaceKind::Private;
                (looks && alone).then_some(&visit.update.chat.id)
            }
            SettingScope::Chat | SettingScope::Server => {
                let here = room.change_location(*scope).clone();
                self.change_chat_profile(visit, room, *scope, |it| {
                    it.set_setting(*row, value, &here)
                })
                .await?;
                looks.then_some(&room.place)
            }
        };
        if let Some(place) = shown {
            visit.extra_rows.extend(self.refresh_boards(place, |_| true).await?);
        }
        self.repository.put_all(std::mem::take(&mut visit.extra_rows)).await
    }

    /// Changes the settings of a chat or of its server.
    async fn change_chat_profile(
        &self,
        visit: &mut RequestContext<'_>,
        room: &mut ChatSettingsTarget,
        scope: SettingScope,
        change: impl Fn(&mut ChatProfile) + Send + Sync,
    ) -> Result<(), Failure> {
        match room.server().filter(|_| scope == SettingScope::Server).cloned() {
            Some(server) => {
                let kept = self.repository.update_row(TypedRowKey::place(&server), change).await?;
                room.settings.set_server(kept);
            }
            None => {
                let kept =
                    self.repository.update_row(TypedRowKey::place(&room.place), change).await?;
                room.settings.set_own(kept);
            }
        }
        if room.place.chat() == visit.update.chat.id.chat() {
            visit.place = room.settings.clone();
        }
        Ok(())
    }

    /// Changes the house rules of a game in a chat or a server if asked to, and shows them.
    async fn handle_house_rules(
        &self,
        visit: &mut RequestContext<'_>,
        room: &mut ChatSettingsTarget,
        (scope, game): (SettingScope, GameId),
        page: u8,
        change: Option<String>,
    ) -> Result<View, Failure> {
        let info = game.info();
        if let Some(setting) = change {
            // What cannot be played at all is not remembered.
            let fits = |it: &String| game.start_match(it, info.seats.1).is_ok();
            let inherits = scope == SettingScope::Chat && room.parent().is_some();
            let above = match scope {
                SettingScope::Server => ChatProfile::default(),
                SettingScope::Person | SettingScope::Chat => {
                    room.settings.without_own(Setting::HouseRules, &room.place)
                }
            };
            let changed = |it: &ChatProfile| {
                let is_own = it.rules.contains_key(info.code);
                let now = default_rules(if is_own { it } else { &above }, game);
                info.set_switch(&now, &setting).filter(fits)
            };
            let is_choice = ![DEFAULT_RULES, INHERIT].contains(&setting.as_str());
            if is_choice && changed(room.stored_profile(scope)).is_none() {
                return Ok(View::brief(Text::new("refuse-unknown-variant")));
            }
            let settle = |it: &mut ChatProfile| match setting.as_str() {
                INHERIT => it.set_house_rules(info.code, None),
                // The usual rules are set too where others would be inherited.
                DEFAULT_RULES => {
                    it.set_house_rules(info.code, inherits.then(|| DEFAULT_RULES.to_owned()))
                }
                _ => {
                    if let Some(options) = changed(it) {
                        it.set_house_rules(info.code, Some(options));
                    }
                }
            };
            self.change_chat_profile(visit, room, scope, settle).await?;
        }
        Ok(house_rules_note(room, scope, game, page))
    }
}

/// The house rules of a game in a chat or a server, with buttons to change them.
fn house_rules_note(
    room: &ChatSettingsTarget,
    scope: SettingScope,
    game: GameId,
    page: u8,
) -> View {
    let code = game.info().code;
    let options = default_rules(room.profile(scope), game);
    let source = room.settings.house_rules_source(code).filter(|_| scope == SettingScope::Chat);
    let source = source.map(|it| room.parent_text(it));
    let inherited = room.parent().filter(|_| scope == SettingScope::Chat).map(|parent| {
        let is_current = !room.settings.own().rules.contains_key(code);
        let above = room.settings.without_own(Setting::HouseRules, &room.place);
        let key =
            if above.house_rules(code).is_some() { "value-rules-own" } else { "value-rules-usual" };
        InheritedSetting { is_current, value: Text::new(key).into(), parent }
    });
    settings::default_rules_view(
        room.settings_owner(scope),
        game,
        (&options, source),
        page,
        inherited.as_ref(),
    )
}

/// Whether a wish is only for people who may change the settings of the chat: house rules are shown
/// only to them.
fn changes_chat_settings(wish: &SettingsRequest) -> bool {
    match wish {
        SettingsRequest::Set(SettingChange { scope, .. })
        | SettingsRequest::Rules { scope, .. } => *scope != SettingScope::Person,
        SettingsRequest::Page(_)
        | SettingsRequest::Choices(..)
        | SettingsRequest::InvalidValue(_) => false,
    }
}

/// Reads the server as the chat where there is no server.
fn replace_server_scope(wish: SettingsRequest) -> SettingsRequest {
    let chat = |scope: SettingScope| {
        if scope == SettingScope::Server { SettingScope::Chat } else { scope }
    };
    match wish {
        SettingsRequest::Page(scope) => SettingsRequest::Page(chat(scope)),
        SettingsRequest::Choices(scope, row) => SettingsRequest::Choices(chat(scope), row),
        SettingsRequest::Set(change) => {
            SettingsRequest::Set(SettingChange { scope: chat(change.scope), ..change })
        }
        SettingsRequest::Rules { scope, game, page, change } => {
            SettingsRequest::Rules { scope: chat(scope), game, page, change }
        }
        SettingsRequest::InvalidValue(row) => SettingsRequest::InvalidValue(row),
    }
}

/// The rules by which a game is played in a chat if nobody says it.
pub(crate) fn default_rules(chat: &ChatProfile, game: GameId) -> String {
    let info = game.info();
    let settled = chat.house_rules(info.code).filter(|it| info.switch_values(it).is_some());
    settled.map_or_else(|| info.default_options(), str::to_owned)
}

/// What a row is set to.
fn current_value(
    visit: &RequestContext<'_>,
    room: &ChatSettingsTarget,
    scope: SettingScope,
    row: Setting,
) -> Option<String> {
    match scope {
        SettingScope::Person => visit.person.setting_value(row, &visit.place),
        SettingScope::Chat | SettingScope::Server => {
            room.profile(scope).setting_value(row, room.change_location(scope))
        }
    }
}

/// All settings of the person, of the chat or of its server.
fn settings_page(
    visit: &RequestContext<'_>,
    room: &ChatSettingsTarget,
    scope: SettingScope,
) -> View {
    let rows = Setting::of_scope(scope).iter().copied();
    let rows =
        rows.filter(|it| *it != Setting::AllowedTopics || offers_opening_places(room, scope));
    let set: Vec<SettingLine> = rows
        .map(|row| {
            let value = match current_value(visit, room, scope, row) {
                Some(value) => room.setting_value_text(row, &value),
                None if row == Setting::Vacation => vacation_arg(visit),
                None => house_rules_arg(room.profile(scope)),
            };
            SettingLine { setting: row, value, source: room.inherited_source_text(scope, row) }
        })
        .collect();
    let may = scope == SettingScope::Person || room.admin;
    let server = room.server().filter(|_| room.admin).map(|_| SettingScope::Server);
    let others: Vec<SettingScope> = match scope {
        _ if !room.group => Vec::new(),
        SettingScope::Person => vec![SettingScope::Chat],
        SettingScope::Chat => [SettingScope::Person].into_iter().chain(server).collect(),
        SettingScope::Server => vec![SettingScope::Chat, SettingScope::Person],
    };
    settings::settings_page_view(room.settings_owner(scope), &set, may, &others)
}

/// Whether the row about where tables may be opened offers a choice: a chat with topics, a server
/// with channels, or a channel that the choice of its server applies to.
fn offers_opening_places(room: &ChatSettingsTarget, scope: SettingScope) -> bool {
    let here = &room.place;
    let is_bound =
        !room.settings.allows_tables_in(here) || room.settings.own().is_set(Setting::AllowedTopics);
    scope == SettingScope::Server || here.0 != here.chat() || is_bound
}

/// The last day of the vacation of the sender, if there is one.
fn vacation_arg(visit: &RequestContext<'_>) -> Arg {
    match visit.person.vacation_until(visit.now_ms) {
        Some(until_ms) => {
            Text::new("value-vacation-until").with("day", clock_views::day_text(until_ms)).into()
        }
        None => Setting::Vacation.value_label(settings::NO_VACATION),
    }
}

/// The games that have house rules in a chat.
fn house_rules_arg(chat: &ChatProfile) -> Arg {
    let name = |game: GameId| Arg::from(Text::new(format!("game-{}", game.info().code)));
    let games: Vec<Arg> = games_with_house_rules(chat).map(name).collect();
    if games.is_empty() { Text::new("value-rules-usual").into() } else { Arg::List(games) }
}

fn games_with_house_rules(chat: &ChatProfile) -> impl Iterator<Item = GameId> {
    let is_own = |it: &GameId| chat.house_rules(it.info().code).is_some();
    GameId::all().iter().copied().filter(is_own)
}

/// Nothing of that name is known.
fn unknown_setting_note(row: Setting) -> View {
    View::brief(if row == Setting::Language {
        let known = Lang::all().iter().map(|it| Arg::from(it.display_name())).collect();
        Text::new("refuse-language").with("languages", Arg::Names(known))
    } else {
        let known = THEMES.iter().map(|it| Arg::from(theme_name(it))).collect();
        Text::new("refuse-theme").with("themes", Arg::Names(known))
    })
}

/// Confirms a setting that was changed by its own command or button.
fn setting_changed_note(
    visit: &RequestContext<'_>,
    room: &ChatSettingsTarget,
    change: &SettingChange,
) -> View {
    let SettingChange { scope, setting: row, value } = change;
    match (row, scope) {
        (Setting::Language, scope) => {
            let key = match scope {
                SettingScope::Person => "answer-saved-person",
                SettingScope::Chat => "answer-saved-chat",
                SettingScope::Server => return settings_page(visit, room, *scope),
            };
            let name = Lang::from_locale(value).map_or("", Lang::own_name);
            View::brief(Text::new(key).with("language", name))
        }
        (Setting::Theme, SettingScope::Chat) => {
            View::brief(Text::new("answer-theme-chat").with("theme", theme_name(value)))
        }
        (Setting::Theme, SettingScope::Person) => {
            let text = Text::new("answer-theme-person").with("theme", theme_name(value));
            let group = visit.update.chat.kind == PlaceKind::Group;
            // One board stands there for all of them.
            let stays = group.then(|| Text::new("answer-theme-shared"));
            let texts = [text].into_iter().chain(stays).collect();
            View { picture: Some(theme_sample()), ..View::persistent(texts) }
        }
        (Setting::BoardSide, _) if visit.person.fixed => {
            note_with_button("answer-turned-is-off", settings_buttons::flip_button(false))
        }
        (Setting::BoardSide, _) => {
            note_with_button("answer-turned-is-on", settings_buttons::flip_button(true))
        }
        (Setting::BoardFormat, _) if visit.person.words => {
            note_with_button("answer-words-is-on", settings_buttons::text_board_button(true))
        }
        (Setting::BoardFormat, _) => {
            note_with_button("answer-words-is-off", settings_buttons::text_board_button(false))
        }
        (Setting::MoveConfirmation, _) => Handlers::confirmation_note_for_moves(visit),
        (Setting::Pace, _) => quick_computers_note(visit.person.quick),
        (_, scope) => settings_page(visit, room, *scope),
    }
}

/// An answer with the button that turns it round.
fn note_with_button(answer: &'static str, key: ButtonSpec) -> View {
    View { keys: vec![vec![key]], ..View::persistent(vec![Text::new(answer)]) }
}

/// Confirms how quickly computers move in a game alone against them.
fn quick_computers_note(quick: bool) -> View {
    let answer = if quick { "answer-pace-is-quick" } else { "answer-pace-is-calm" };
    note_with_button(answer, settings_buttons::pace_button(quick))
}

fn language_note(room: &ChatSettingsTarget) -> View {
    let own = |lang: &Lang| settings_buttons::language_button(*lang);
    // Three names fit beside each other on a phone.
    let mut keys: Vec<Vec<ButtonSpec>> =
        Lang::all().chunks(3).map(|langs| langs.iter().map(own).collect()).collect();
    keys.extend(chat_choice_buttons(room, Setting::Language));
    let is_young = Lang::all().iter().any(|it| it.is_unreviewed());
    let young = is_young.then(|| Text::new("answer-young"));
    let texts = [Text::new("setting-language-about")].into_iter().chain(young).collect();
    View { texts, keys, ..View::default() }
}

/// The same choice for the chat; empty for senders who may not change it.
fn chat_choice_buttons(room: &ChatSettingsTarget, row: Setting) -> Vec<Vec<ButtonSpec>> {
    if !(room.group && room.admin) {
        return Vec::new();
    }
    let key = |value: &&'static str| {
        settings::setting_button(room.settings_owner(SettingScope::Chat), row, value)
    };
    row.values().chunks(2).map(|pair| pair.iter().map(key).collect()).collect()
}

fn theme_note(room: &ChatSettingsTarget) -> View {
    let keys = settings_buttons::theme_buttons()
        .into_iter()
        .chain(chat_choice_buttons(room, Setting::Theme))
        .collect();
    View {
        texts: vec![Text::new("answer-theme")],
        picture: Some(PictureRef::Themes { game: GameId::all()[0].info().code.to_owned() }),
        keys,
        ..View::default()
    }
}

/// A picture that shows what the theme of the reader looks like.
fn theme_sample() -> PictureRef {
    let game = GameId::all()[0];
    let page = game.pages().first().copied().unwrap_or_default().to_owned();
    PictureRef::Lesson { game: game.info().code.to_owned(), page, tried: None }
}
