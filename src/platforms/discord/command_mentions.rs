//! Replaces the names of commands in texts by clickable mentions of slash commands.
//!
//! The texts of the bot name a command as it is typed, `/draw`. On Discord most commands are
//! subcommands, so that a reader would not find `/draw`: `</table draw:8>` shows them
//! `/table draw` in their language, and a click on it begins the command.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// The clickable mentions of the commands in the menu, by their names in updates.
pub(super) type CommandMentions = BTreeMap<String, String>;

/// Replaces the names of commands, `/draw` as a word of its own, with their mentions. Names that
/// the menu does not have stay as they are.
pub(super) fn mention_commands<'a>(text: &'a str, mentions: &CommandMentions) -> Cow<'a, str> {
    let mut out = String::new();
    let mut copied = 0;
    for (start, _) in text.match_indices('/') {
        let name_start = start + '/'.len_utf8();
        let rest = &text[name_start..];
        let end = rest.find(|it: char| !it.is_ascii_lowercase()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        if is_word_start(&text[..start])
            && is_word_end(after)
            && let Some(mention) = mentions.get(name)
        {
            out.push_str(&text[copied..start]);
            out.push_str(mention);
            copied = name_start + end;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Whether a word can begin behind this text.
fn is_word_start(before: &str) -> bool {
    let opening = ['(', '[', '"', '\'', '“', '„', '‘', '«'];
    before.chars().next_back().is_none_or(|it| it.is_whitespace() || opening.contains(&it))
}

/// Whether the name of a command ends before this text. An ending of a language may follow behind a
/// hyphen.
fn is_word_end(after: &str) -> bool {
    after.chars().next().is_none_or(|it| !it.is_alphanumeric() && !['/', '_', '@'].contains(&it))
}

/// Returns the length in bytes of a command mention at the beginning, such as `</togyz:7>` or
/// `</table draw:8>`. A mention is harmless: it only shows that there is such a command.
pub(super) fn command_mention_len(text: &str) -> Option<usize> {
    let (name, rest) = text.strip_prefix("</")?.split_once(':')?;
    let (id, _) = rest.split_once('>')?;
    let is_name =
        |it: &str| (1..=32).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_lowercase());
    let named = match name.split_once(' ') {
        Some((group, command)) => is_name(group) && is_name(command),
        None => is_name(name),
    };
    let numbered = (1..=20).contains(&id.len()) && id.bytes().all(|it| it.is_ascii_digit());
    (named && numbered).then(|| "</:>".len() + name.len() + id.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_the_menu_are_mentioned_and_nothing_else() {
        let mention = |(name, mention): (&str, &str)| (name.to_owned(), mention.to_owned());
        let mentions = [
            ("draw", "</table draw:8>"),
            ("link", "</account link:9>"),
            ("play", "</play:7>"),
            ("settings", "</settings overview:6>"),
        ]
        .map(mention)
        .into();
        for (text, wanted) in [
            ("/draw", "</table draw:8>"),
            ("Offer a draw: /draw", "Offer a draw: </table draw:8>"),
            ("(/draw) or /play.", "(</table draw:8>) or </play:7>."),
            (
                "“/settings”, then\n/draw abcde",
                "“</settings overview:6>”, then\n</table draw:8> abcde",
            ),
            ("/play-ді жазыңыз", "</play:7>-ді жазыңыз"),
            ("/link on the other platform", "</account link:9> on the other platform"),
            // Commands that the menu does not have, other spellings, and parts of longer words.
            ("/accept or /table", "/accept or /table"),
            ("/ничья /Draw", "/ничья /Draw"),
            ("/drawing /draw2 /draw_it /draw/play", "/drawing /draw2 /draw_it /draw/play"),
            ("win/draw/loss, 1/play", "win/draw/loss, 1/play"),
            ("https://example.org/play /play", "https://example.org/play </play:7>"),
            // A mention stays one.
            ("</table draw:8> </play:7>", "</table draw:8> </play:7>"),
        ] {
            assert_eq!(mention_commands(text, &mentions), wanted);
            assert_eq!(mention_commands(text, &CommandMentions::new()), text);
        }
    }
}
