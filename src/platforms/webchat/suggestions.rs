//! Suggests commands, their arguments and people while a person types.

use std::sync::Arc;

use super::{Webchat, answers::Suggestion, bot_updates, mentions, refusal::WebchatRefusal};
use caravanserai_protocol::UpdateHandler;

/// The most suggestions.
const SUGGESTIONS_MAX: usize = 25;

/// A command of the bot, from the common command table.
#[derive(Clone, Debug, Default)]
pub struct SuggestedCommand {
    /// The name without the slash.
    pub name: String,
    /// Other names, in any language.
    pub aliases: Vec<String>,
    /// Descriptions, one for each language; the first is the default.
    pub wording: Vec<CommandWording>,
}

/// The description of a command in one language.
#[derive(Clone, Debug, Default)]
pub struct CommandWording {
    /// The language code, two letters.
    pub language: String,
    /// The arguments, for example `[@friend]`; empty if there are none.
    pub arguments: String,
    /// The effect of the command, in a few words.
    pub about: String,
}

impl SuggestedCommand {
    fn wording_for(&self, locale: Option<&str>) -> CommandWording {
        let language = locale.unwrap_or("en").split('-').next().unwrap_or("en");
        let found = self.wording.iter().find(|it| it.language == language);
        found.or(self.wording.first()).cloned().unwrap_or_default()
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.name).chain(&self.aliases)
    }
}

/// Completes `text`, which ends at the cursor. Each suggestion contains the whole text as it is
/// after choosing it.
pub async fn suggest(
    web: &Arc<Webchat>,
    handler: &Arc<dyn UpdateHandler>,
    me: &str,
    room: &str,
    text: &str,
) -> Result<Vec<Suggestion>, WebchatRefusal> {
    let (chat, person, people) = {
        let state = web.state();
        let room = &state.room_of(me, room)?.room;
        let member = state.people.get(me).ok_or(WebchatRefusal::UnknownToken)?;
        let others = room.people.iter().filter(|id| *id != me);
        let people = others.filter_map(|id| state.people.get(id));
        let people: Vec<_> = people.map(|it| (it.id.clone(), it.name.clone())).collect();
        (
            bot_updates::chat_from_room(room, member),
            bot_updates::person_of_member(room, member),
            people,
        )
    };
    let locale = person.locale.as_deref();
    if let Some(word) = text.strip_prefix('/')
        && !word.contains(char::is_whitespace)
    {
        return Ok(suggest_commands(&web.settings.commands, word, locale));
    }
    if let Some((at, typed)) = mentions::typed_mention(text) {
        let named =
            people.iter().filter(|(_, name)| mentions::starts_with_ignoring_case(name, typed));
        let named = named.take(SUGGESTIONS_MAX).map(|(id, name)| Suggestion {
            label: name.clone(),
            person: Some(format!("web:{id}")),
            text: format!("{}@{name} ", &text[..at]),
            ..Suggestion::default()
        });
        return Ok(named.collect());
    }
    let Some((word, typed)) = text.strip_prefix('/').and_then(|it| it.split_once(' ')) else {
        return Ok(Vec::new());
    };
    let word_low = word.to_lowercase();
    let known = web.settings.commands.iter().find(|it| it.names().any(|it| *it == word_low));
    let (Some(command), Some(suggestions)) = (known, handler.argument_suggestions()) else {
        return Ok(Vec::new());
    };
    let found =
        suggestions.suggest_arguments(&chat, &person, &command.name, typed.trim_start()).await;
    let found = found.into_iter().take(SUGGESTIONS_MAX).map(|it| Suggestion {
        label: it.label,
        text: format!("/{word} {}", it.value),
        ..Suggestion::default()
    });
    Ok(found.collect())
}

fn suggest_commands(
    all: &[SuggestedCommand],
    typed: &str,
    locale: Option<&str>,
) -> Vec<Suggestion> {
    let typed = typed.to_lowercase();
    // The main name comes first; an alias is suggested only when its beginning is typed.
    let fit = |it: &SuggestedCommand| {
        let begun = |name: &&String| mentions::starts_with_ignoring_case(name, &typed);
        it.names().find(begun).cloned()
    };
    let mut fitting: Vec<(&SuggestedCommand, String)> =
        all.iter().filter_map(|it| Some((it, fit(it)?))).collect();
    fitting.sort_by_key(|(it, name)| it.name != *name);
    let offer = |(it, name): &(&SuggestedCommand, String)| {
        let CommandWording { arguments, about, .. } = it.wording_for(locale);
        let space = if arguments.is_empty() { "" } else { " " };
        Suggestion {
            about: Some(about),
            arguments: Some(arguments),
            label: format!("/{name}"),
            text: format!("/{name}{space}"),
            ..Suggestion::default()
        }
    };
    fitting.iter().take(SUGGESTIONS_MAX).map(offer).collect()
}
