//! Answers that need no table: help, rules, the choice of an opponent.

use super::Desk;
use super::opening::rules_wanted;
use super::settings::usual_rules;
use super::visit::{Notes, Visit};
use crate::ledger::rows::{note_put, put};
use crate::ledger::{Failure, keys};
use caravanserai_games::GameId;
use caravanserai_games::ids::PlaceKind;
use caravanserai_games::search::Level;
use caravanserai_games::words::{Arg, Text};
use caravanserai_i18n::Lang;
use caravanserai_protocol::commands::{COMMANDS, Spec, Verb};
use caravanserai_protocol::done::posted;
use caravanserai_protocol::note::{Key, Note};
use caravanserai_protocol::request::{Opening, opening_press};
use caravanserai_protocol::{Manners, Tone, course, levels, panels};
use caravanserai_store::{Commit, Space};
use caravanserai_table::event::Begin;
use caravanserai_table::lobby::needs_computers;

/// So many commands fit into a message of every platform, in every language.
const COMMANDS_ON_A_PAGE: usize = 12;

/// How long a group is not greeted again, in milliseconds.
const GREETED_MS: u64 = 10 * 60_000;

impl Desk {
    /// Asks everybody: whoever presses opens the table, and the question becomes its board.
    pub(super) async fn choice_of_games(&self, visit: &mut Visit<'_>) -> Notes {
        if let Some(notes) = self.not_here(visit)? {
            return Ok(notes);
        }
        let note = which_game("play-choose", |code| format!("o.{code}.here"));
        let place = &visit.update.place.id;
        let puts = vec![note_put(place, &visit.update.id, note)];
        let notes = posted("done-below");
        let _ = self.enter(visit, Vec::new(), Commit::of(puts), &notes).await?;
        Ok(notes)
    }

    /// Greets a group that the bot was added to, once even if several updates report it.
    pub(super) async fn greet(&self, visit: &mut Visit<'_>) -> Result<(), Failure> {
        let place = &visit.update.place.id;
        let greeted = keys::greeted(place);
        if self.ledger.value(Space::Meta, &greeted).await?.is_some() {
            return Ok(());
        }
        let note = self.welcome_note(visit);
        let once = put(Space::Meta, greeted, &true).until(visit.now_ms + GREETED_MS);
        let puts = vec![note_put(place, &visit.update.id, note), once];
        let _ = self.enter(visit, Vec::new(), Commit::of(puts), &[]).await?;
        Ok(())
    }

    /// `/start`: the message that clients send when a person opens a chat with the bot. A group to
    /// which it was just added has been greeted already.
    pub(super) async fn start(&self, visit: &mut Visit<'_>) -> Notes {
        let place = &visit.update.place;
        if place.kind == PlaceKind::Group && self.post.manners(&place.id).greets {
            self.greet(visit).await?;
            return Ok(Vec::new());
        }
        Ok(vec![self.welcome_note(visit)])
    }

    /// The first minute in three lines and three buttons.
    pub(super) fn welcome_note(&self, visit: &Visit<'_>) -> Note {
        let mut texts = vec![Text::new("help-title"), Text::new("help-move")];
        let all = if self.post.manners(&visit.update.place.id).commands.are_written() {
            Text::new("help-all-typed")
        } else {
            Text::new("help-all")
        };
        texts.push(all);
        let ways = vec![
            Key::new(Text::new("button-play"), "o").tone(Tone::Good),
            Key::new(Text::new("button-learn"), "q"),
            Key::new(Text::new("button-alone"), "1"),
        ];
        let rest = vec![Key::new(Text::new("button-help-all"), "?.1")];
        Note { texts, keys: vec![ways, rest], ..Note::default() }
    }

    /// All commands, so many on a page that every platform shows them whole.
    pub(super) fn help(&self, visit: &Visit<'_>, page: u8) -> Note {
        let group = visit.place.group;
        let lang = visit.person.speaks(&visit.place);
        let here = &visit.update.place.id;
        let public = self.post.page().is_some() && !self.post.is_page(here);
        let known = |it: &&Spec| if group { it.in_groups } else { it.in_private };
        let listed: Vec<_> =
            COMMANDS.iter().filter(known).filter(|it| public || it.verb != Verb::Page).collect();
        let pages = listed.len().div_ceil(COMMANDS_ON_A_PAGE) as u8;
        let page = page.clamp(1, pages);
        let mut texts = Vec::new();
        let Manners { commands, posing, .. } = self.post.manners(&visit.update.place.id);
        if let Some(name) = posing.filter(|_| page == 1) {
            texts.push(Text::new("help-posing").with("name", name));
        }
        if page == 1 && commands.are_written() {
            let levels = Level::ALL.map(|it| Arg::from(levels::name(it))).to_vec();
            texts.push(Text::new("help-computers").with("levels", Arg::Names(levels)));
        }
        let shown = Text::new("rules-page").with("page", page).with("pages", pages);
        texts.push(Text::new("help-commands").with("page", shown));
        let from = usize::from(page - 1) * COMMANDS_ON_A_PAGE;
        for spec in listed.into_iter().skip(from).take(COMMANDS_ON_A_PAGE) {
            let name = commands.called(spec.name).unwrap_or_else(|| {
                let own = (lang != Lang::default()).then(|| spec.aliases_in(lang).first());
                format!("/{}", own.flatten().map_or(spec.name, String::as_str))
            });
            texts.push(
                Text::new("help-line")
                    .with("name", name)
                    .with("about", Text::new(format!("command-{}", spec.name))),
            );
        }
        let keys = panels::leaves(page - 1, pages, |page| format!("?.{}", page + 1));
        Note { texts, keys: keys.into_iter().collect(), ..Note::default() }
    }

    /// To play alone: first which game, then against whom.
    pub(super) fn alone(&self, visit: &Visit<'_>, game: Option<GameId>) -> Note {
        match game {
            Some(game) => self.against_whom(visit, game, None, None),
            None => which_game("play-choose", |code| format!("1.{code}")),
        }
    }

    /// The computers with a line of character each, and where nobody else can come also both
    /// sides for oneself and the way to a friend.
    pub(super) fn against_whom(
        &self,
        visit: &Visit<'_>,
        game: GameId,
        begin: Option<Begin>,
        options: Option<&str>,
    ) -> Note {
        let info = game.info();
        let usual = usual_rules(&visit.place, game);
        let options = options.unwrap_or(&usual);
        let open = |how: &str| opening_press(game, how, begin, options);
        let name = Text::new(format!("game-{}", info.code));
        let mut texts = vec![Text::new("alone-choose").with("game", name)];
        texts.extend(Level::ALL.map(levels::line));
        let level = |level: &Level| Key::new(levels::face(*level), open(level.code()));
        let mut keys: Vec<Vec<Key>> =
            Level::ALL.chunks(2).map(|row| row.iter().map(level).collect()).collect();
        let alone = visit.update.place.kind == PlaceKind::Private;
        if alone && !needs_computers(game) {
            let both = Key::new(Text::new("button-both-sides"), open("both"));
            match keys.last_mut() {
                Some(row) if row.len() < 2 => row.push(both),
                _ => keys.push(vec![both]),
            }
        }
        if alone {
            texts.push(match self.post.manners(&visit.update.place.id).invitation {
                Some(link) => Text::new("alone-friend-link").with("link", link),
                None => Text::new("alone-friend"),
            });
        }
        let link = alone.then(|| Key::new(Text::new("button-by-link"), open("link")));
        keys.push(link.into_iter().chain([course::key(game)]).collect());
        Note { texts, keys, ..Note::default() }
    }

    /// What is offered instead of a table that nobody else could come to.
    pub(super) fn offers_instead(&self, visit: &Visit<'_>, wanted: &Opening) -> Option<Note> {
        let Opening { game, begin, computers, friends, both, linked, .. } = wanted;
        let alone = visit.update.place.kind == PlaceKind::Private && !needs_computers(*game);
        let nobody = computers.is_none() && !both && !linked && friends.is_empty();
        let options = rules_wanted(visit, wanted);
        (alone && nobody).then(|| self.against_whom(visit, *game, *begin, Some(&options)))
    }

    /// A page of a course; that of the table if it is not said which.
    pub(super) async fn course(
        &self,
        visit: &Visit<'_>,
        game: Option<GameId>,
        page: Option<&str>,
        answer: Option<&str>,
    ) -> Notes {
        let game = match game {
            Some(game) => Some(game),
            None => self.game_here(visit).await?,
        };
        Ok(vec![game.map_or_else(which_rules, |game| course::shown(game, page, answer))])
    }

    /// The game that is played here, if it is clear which: the person's own first.
    pub(super) async fn game_here(&self, visit: &Visit<'_>) -> Result<Option<GameId>, Failure> {
        let (mut own, mut all) = (Vec::new(), Vec::new());
        for id in self.open_tables(&visit.update.place.id).await? {
            let Ok(Some(table)) = self.ledger.look(&id).await else { continue };
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
pub(super) fn which_rules() -> Note {
    which_game("rules-which", |code| format!("q.{code}.0"))
}

/// Asks for one of the games; `press` is what its button carries, by its code.
fn which_game(asked: &'static str, press: impl Fn(&str) -> String) -> Note {
    let key = |game: &GameId| {
        let code = game.info().code;
        vec![Key::new(Text::new(format!("game-{code}")), press(code))]
    };
    let keys = GameId::all().iter().map(key).collect();
    Note { texts: vec![Text::new(asked)], keys, ..Note::default() }
}

/// A word was not understood, so nothing was opened: what was probably meant, what may be said.
pub(super) fn misread(game: GameId, word: String, near: Option<String>) -> Note {
    let code = game.info().code;
    let text = match (near, word.strip_prefix('@')) {
        (Some(near), _) => Text::new("refuse-misread-near").with("word", word).with("near", near),
        (None, Some(name)) => Text::new("refuse-nobody-called").with("name", name),
        (None, None) => {
            let examples = Text::new("refuse-misread").with("word", word);
            let levels = Level::ALL.map(|it| Arg::from(levels::name(it))).to_vec();
            examples.with("levels", Arg::Names(levels))
        }
    };
    let keys = vec![
        Key::new(Text::new("button-play"), format!("o.{code}")),
        Key::new(Text::new("button-alone"), format!("1.{code}")),
        course::key(game),
    ];
    Note { texts: vec![text], keys: vec![keys], ..Note::default() }
}
