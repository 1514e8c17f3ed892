//! Answers that need no table: help, rules, the choice of an opponent.

use super::Handlers;
use super::context::{HandlerResult, RequestContext};
use super::open_table::requested_rules;
use super::settings::default_rules;
use crate::commands::new_game::new_game_callback_data;
use crate::commands::{COMMANDS, CommandSpec};
use crate::parsing::NewTable;
use crate::repository::stored_rows::{note_put, put_json};
use crate::repository::{Failure, keys};
use crate::views::ack::posting_ack_views;
use crate::views::{computer_views, course_views, panel_views};
use caravanserai_games::GameId;
use caravanserai_games::ids::PlaceKind;
use caravanserai_games::search::ComputerLevel;
use caravanserai_games::text::{Arg, Text};
use caravanserai_i18n::Lang;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_protocol::{ButtonTone, Capabilities};
use caravanserai_store::{Commit, Space};
use caravanserai_table::event::FirstMover;
use caravanserai_table::lobby_commands::needs_computers;

/// So many commands fit into a message of every platform, in every language.
const COMMANDS_PER_PAGE: usize = 12;

/// How long a group is not greeted again, in milliseconds.
const GREETING_INTERVAL_MS: u64 = 10 * 60_000;

impl Handlers {
    /// Asks everybody: whoever presses opens the table, and the question becomes its board.
    pub(crate) async fn choose_game_note(&self, visit: &mut RequestContext<'_>) -> HandlerResult {
        if let Some(notes) = self.opening_refusal(visit)? {
            return Ok(notes);
        }
        let note = choose_game_buttons("play-choose", |code| format!("o.{code}.here"));
        let place = &visit.update.chat.id;
        let puts = vec![note_put(place, &visit.update.id, note)];
        let notes = posting_ack_views("done-below");
        let _ = self.commit_changes(visit, Vec::new(), Commit::from_puts(puts), &notes).await?;
        Ok(notes)
    }

    /// Greets a group that the bot was added to, once even if several updates report it.
    pub(crate) async fn greet_group(&self, visit: &mut RequestContext<'_>) -> Result<(), Failure> {
        let place = &visit.update.chat.id;
        let greeted = keys::last_greeting(place);
        if self.repository.read_value(Space::Meta, &greeted).await?.is_some() {
            return Ok(());
        }
        let note = self.welcome_note(visit);
        let once =
            put_json(Space::Meta, greeted, &true).expires_at(visit.now_ms + GREETING_INTERVAL_MS);
        let puts = vec![note_put(place, &visit.update.id, note), once];
        let _ = self.commit_changes(visit, Vec::new(), Commit::from_puts(puts), &[]).await?;
        Ok(())
    }

    /// `/start`: the message that clients send when a person opens a chat with the bot. A group to
    /// which it was just added has been greeted already.
    pub(crate) async fn handle_start(&self, visit: &mut RequestContext<'_>) -> HandlerResult {
        let place = &visit.update.chat;
        if place.kind == PlaceKind::Group && self.delivery.capabilities(&place.id).greets_groups {
            self.greet_group(visit).await?;
            return Ok(Vec::new());
        }
        Ok(vec![self.welcome_note(visit)])
    }

    /// The first minute in three lines and three buttons.
    pub(crate) fn welcome_note(&self, visit: &RequestContext<'_>) -> View {
        let mut texts = vec![Text::new("help-title"), Text::new("help-move")];
        let all = if self.delivery.capabilities(&visit.update.chat.id).command_style.are_typed() {
            Text::new("help-all-typed")
        } else {
            Text::new("help-all")
        };
        texts.push(all);
        let ways = vec![
            ButtonSpec::new(Text::new("button-play"), "o").with_tone(ButtonTone::Good),
            ButtonSpec::new(Text::new("button-learn"), "q"),
            ButtonSpec::new(Text::new("button-alone"), "1"),
        ];
        let rest = vec![ButtonSpec::new(Text::new("button-help-all"), "?.1")];
        View { texts, keys: vec![ways, rest], ..View::default() }
    }

    /// All commands, so many on a page that every platform shows them whole.
    pub(crate) fn help_note(&self, visit: &RequestContext<'_>, page: u8) -> View {
        let group = visit.place.group;
        let lang = visit.person.language(&visit.place);
        let here = &visit.update.chat.id;
        let public = self.delivery.page_url().is_some() && !self.delivery.is_page(here);
        let known =
            |it: &&CommandSpec| it.is_offered && if group { it.in_groups } else { it.in_private };
        let listed: Vec<_> =
            COMMANDS.iter().filter(known).filter(|it| public || !it.needs_page).collect();
        let pages = listed.len().div_ceil(COMMANDS_PER_PAGE) as u8;
        let page = page.clamp(1, pages);
        let mut texts = Vec::new();
        let Capabilities { command_style: commands, challenge_prefix: posing, .. } =
            self.delivery.capabilities(&visit.update.chat.id);
        if let Some(name) = posing.filter(|_| page == 1) {
            texts.push(Text::new("help-posing").with("name", name));
        }
        if page == 1 && commands.are_typed() {
            let levels =
                ComputerLevel::ALL.map(|it| Arg::from(computer_views::level_name(it))).to_vec();
            texts.push(Text::new("help-computers").with("levels", Arg::Names(levels)));
        }
        let shown = Text::new("rules-page").with("page", page).with("pages", pages);
        texts.push(Text::new("help-commands").with("page", shown));
        let from = usize::from(page - 1) * COMMANDS_PER_PAGE;
        for spec in listed.into_iter().skip(from).take(COMMANDS_PER_PAGE) {
            let name = commands.command_mention(spec.name).unwrap_or_else(|| {
                let own = (lang != Lang::default()).then(|| spec.aliases_of_language(lang).first());
                format!("/{}", own.flatten().map_or(spec.name, String::as_str))
            });
            texts.push(
                Text::new("help-line")
                    .with("name", name)
                    .with("about", Text::new(format!("command-{}", spec.name))),
            );
        }
        let keys = panel_views::page_buttons(page - 1, pages, |page| format!("?.{}", page + 1));
        View { texts, keys: keys.into_iter().collect(), ..View::default() }
    }

    /// To play alone: first which game, then against whom.
    pub(crate) fn play_alone_note(&self, visit: &RequestContext<'_>, game: Option<GameId>) -> View {
        match game {
            Some(game) => self.choose_opponent_note(visit, game, None, None),
            None => choose_game_buttons("play-choose", |code| format!("1.{code}")),
        }
    }

    /// The computers with a line of character each, and where nobody else can come also both
    /// sides for oneself and the way to a friend.
    pub(crate) fn choose_opponent_note(
        &self,
        visit: &RequestContext<'_>,
        game: GameId,
        begin: Option<FirstMover>,
        options: Option<&str>,
    ) -> View {
        let info = game.info();
        let usual = default_rules(&visit.place, game);
        let options = options.unwrap_or(&usual);
        let open = |how: &str| new_game_callback_data(game, how, begin, options);
        let name = Text::new(format!("game-{}", info.code));
        let mut texts = vec![Text::new("alone-choose").with("game", name)];
        texts.extend(ComputerLevel::ALL.map(computer_views::computer_description));
        let level = |level: &ComputerLevel| {
            ButtonSpec::new(computer_views::computer_name_with_face(*level), open(level.code()))
        };
        let mut keys: Vec<Vec<ButtonSpec>> =
            ComputerLevel::ALL.chunks(2).map(|row| row.iter().map(level).collect()).collect();
        let alone = visit.update.chat.kind == PlaceKind::Private;
        if alone && !needs_computers(game) {
            let both = ButtonSpec::new(Text::new("button-both-sides"), open("both"));
            match keys.last_mut() {
                Some(row) if row.len() < 2 => row.push(both),
                _ => keys.push(vec![both]),
            }
        }
        if alone {
            texts.push(match self.delivery.capabilities(&visit.update.chat.id).invite_url {
                Some(link) => Text::new("alone-friend-link").with("link", link),
                None => Text::new("alone-friend"),
            });
        }
        let link = alone.then(|| ButtonSpec::new(Text::new("button-by-link"), open("link")));
        keys.push(link.into_iter().chain([course_views::course_button(game)]).collect());
        View { texts, keys, ..View::default() }
    }

    /// What is offered instead of a table that nobody else could come to.
    pub(crate) fn alternatives_note(
        &self,
        visit: &RequestContext<'_>,
        wanted: &NewTable,
    ) -> Option<View> {
        let NewTable {
            game,
            begin,
            computers,
            friends,
            plays_all_sides: both,
            has_invite_link: linked,
            ..
        } = wanted;
        let alone = visit.update.chat.kind == PlaceKind::Private && !needs_computers(*game);
        let nobody = computers.is_none() && !both && !linked && friends.is_empty();
        let options = requested_rules(visit, wanted);
        (alone && nobody).then(|| self.choose_opponent_note(visit, *game, *begin, Some(&options)))
    }

    /// A page of a course; that of the table if it is not said which.
    pub(crate) async fn course_notes(
        &self,
        visit: &RequestContext<'_>,
        game: Option<GameId>,
        page: Option<&str>,
        answer: Option<&str>,
    ) -> HandlerResult {
        let game = match game {
            Some(game) => Some(game),
            None => self.current_game(visit).await?,
        };
        Ok(vec![
            game.map_or_else(choose_rules_note, |game| {
                course_views::lesson_view(game, page, answer)
            }),
        ])
    }

    /// The game that is played here, if it is clear which: the person's own first.
    pub(crate) async fn current_game(
        &self,
        visit: &RequestContext<'_>,
    ) -> Result<Option<GameId>, Failure> {
        let (mut own, mut all) = (Vec::new(), Vec::new());
        for id in self.open_tables(&visit.update.chat.id).await? {
            let Ok(Some(table)) = self.repository.load_table(&id).await else { continue };
            let sits = table.seats_of(&visit.update.person.id).next().is_some();
            own.extend(sits.then(|| table.game_id()));
            all.push(table.game_id());
        }
        for mut games in [own, all] {
            games.dedup();
            if let [game] = *games {
                return Ok(Some(game));
            }
        }
        Ok(None)
    }
}

/// Asks whose rules.
pub(crate) fn choose_rules_note() -> View {
    choose_game_buttons("rules-which", |code| format!("q.{code}.0"))
}

/// Asks for one of the games; `press` is what its button carries, by its code.
fn choose_game_buttons(asked: &'static str, press: impl Fn(&str) -> String) -> View {
    let key = |game: &GameId| {
        let code = game.info().code;
        vec![ButtonSpec::new(Text::new(format!("game-{code}")), press(code))]
    };
    let keys = GameId::all().iter().map(key).collect();
    View { texts: vec![Text::new(asked)], keys, ..View::default() }
}

/// A word was not understood, so nothing was opened: what was probably meant, what may be said.
pub(crate) fn unknown_word_note(game: GameId, word: String, near: Option<String>) -> View {
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
        ButtonSpec::new(Text::new("button-alone"), format!("1.{code}")),
        course_views::course_button(game),
    ];
    View { texts: vec![text], keys: vec![keys], ..View::default() }
}
