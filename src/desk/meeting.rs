//! Challenges that are posed where the bot is no member: a message with a button, which becomes the
//! board of the table when somebody accepts.

use serde::{Deserialize, Serialize};

use super::Desk;
use super::visit::{Notes, Visit, brief};
use crate::chat::request::meeting_press;
use crate::chat::{Button, Offered, Person, Tone};
use crate::games::GameId;
use crate::i18n::{Lang, in_all_languages};
use crate::ids::PersonId;
use crate::input::loose;
use crate::ledger::rows::put;
use crate::ledger::{DAY_MS, Failure, keys};
use crate::store::{Put, Space};
use crate::table::event::{Begin, Event, Setup};
use crate::words::Text;

/// How long a challenge can be accepted that was posed, in milliseconds: a month.
const POSED_MS: u64 = 30 * DAY_MS;

/// How long what stands for somebody is nobody else's to guess.
const POSED_LETTERS: usize = 8;

/// Whom a posed challenge is from.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Posed {
    person: PersonId,
    /// What people see.
    name: String,
    /// When it was kept last, in milliseconds since 1970.
    at_ms: u64,
}

impl Desk {
    /// The challenges that somebody may pose who has typed this, wherever they are: to games for
    /// two without hidden hands, which one message can show.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn challenges(
        &self,
        person: &Person,
        who: &PersonId,
        typed: &str,
    ) -> Result<Vec<Offered>, Failure> {
        let games: Vec<GameId> =
            GameId::all().iter().copied().filter(|it| fits(*it) && meant(*it, typed)).collect();
        if games.is_empty() {
            return Ok(Vec::new());
        }
        let profile = self.ledger.person(who).await?;
        let guess = person.locale.as_deref().and_then(Lang::of_locale);
        let lang = profile.lang.or(guess).or(profile.guess).unwrap_or_default();
        let code = self.stands_for(person, who).await?;
        let say = |text: Text| self.letters.i18n().plain(lang, &text);
        let offered = |game: GameId| {
            let name = Text::new(format!("game-{}", game.info().code));
            let accept = Button {
                label: say(Text::new("button-accept")),
                press: meeting_press(game, &code),
                tone: Tone::Good,
                ..Button::default()
            };
            let says = Text::new("challenge-says").with("name", person.name.as_str());
            Offered {
                title: say(Text::new("challenge-title").with("game", name.clone())),
                more: say(Text::new("challenge-more")),
                says: say(says.with("game", name)),
                buttons: vec![vec![accept]],
            }
        };
        Ok(games.into_iter().map(offered).collect())
    }

    /// What stands for somebody in their challenges: no button can be made up in their name.
    async fn stands_for(&self, person: &Person, who: &PersonId) -> Result<String, Failure> {
        let now_ms = self.ledger.now_ms();
        let own = keys::posing(who);
        let known = self.ledger.value(Space::Meta, &own).await?;
        let known = known.map(|it| String::from_utf8_lossy(&it).into_owned());
        if let Some(code) = &known
            && let Some(posed) = self.posed(code).await?
            && now_ms < posed.at_ms + DAY_MS
        {
            return Ok(code.clone());
        }
        let code = known.unwrap_or_else(|| self.word(POSED_LETTERS));
        let posed = Posed { person: who.clone(), name: person.name.clone(), at_ms: now_ms };
        let until_ms = now_ms + POSED_MS;
        let rows = vec![
            Put::new(Space::Meta, own, code.clone()).until(until_ms),
            put(Space::Meta, keys::posed(&code), &posed).until(until_ms),
        ];
        self.ledger.keep(rows).await?;
        Ok(code)
    }

    async fn posed(&self, code: &str) -> Result<Option<Posed>, Failure> {
        let row = self.ledger.value(Space::Meta, &keys::posed(code)).await?;
        Ok(row.and_then(|it| serde_json::from_slice(&it).ok()))
    }

    /// Somebody accepts a challenge: the message with it becomes the board, and the game begins.
    pub(super) async fn meet(&self, visit: &mut Visit<'_>, game: GameId, code: &str) -> Notes {
        let Some(Posed { person, name, .. }) = self.posed(code).await?.filter(|_| fits(game))
        else {
            return Ok(brief("refuse-old-button"));
        };
        let own = &visit.update.person;
        if person == own.id {
            return Ok(brief("refuse-meet-self"));
        }
        if self.pressed_board(visit).await? {
            // Somebody was quicker.
            return Ok(brief("refuse-already-started"));
        }
        if let Some(notes) = self.too_many(visit).await? {
            return Ok(notes);
        }
        let info = game.info();
        let setup = Setup {
            format: Setup::format_of(false),
            game,
            revision: info.revision,
            options: info.default_options(),
            seats: info.seats.1,
            begin: Begin::Lot,
            place: visit.update.place.id.clone(),
            kind: visit.update.place.kind,
            seed: self.seed(),
            opener: person.clone(),
            coached: false,
        };
        let then = vec![
            Event::Seated { person, name },
            Event::Seated { person: own.id.clone(), name: own.name.clone() },
        ];
        let adopted = visit.pressed().cloned();
        self.opens(visit, (setup, then, true), adopted).await
    }
}

/// Whether one message can show the whole of a game.
fn fits(game: GameId) -> bool {
    let info = game.info();
    info.seats.1 == 2 && !info.hidden
}

/// Whether what was typed begins the name of a game, in any language; nothing begins them all.
fn meant(game: GameId, typed: &str) -> bool {
    let typed = loose(typed.trim());
    let info = game.info();
    let shown = in_all_languages(&Text::new(format!("game-{}", info.code)));
    let mut names = shown.into_iter().chain([info.command.to_owned(), info.code.to_owned()]);
    names.any(|it| loose(&it).starts_with(&typed))
}
