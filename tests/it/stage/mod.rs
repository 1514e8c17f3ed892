//! Runs conversation scripts: what people write or press, and what each of them then sees.
//!
//! A script is data (`tests/data/scripts/*.txt`) and runs on every platform that implements
//! [`Stage`]. A line is one of
//!
//! ```text
//! # a comment
//! people Ann Bek Bek~2          who is in the group (before anything else); Bek~2 has the same
//!                               name as Bek
//! Ann speaks ru                 the locale of her client
//! Ann says /togyz @Bek          writes in the group; @Name mentions that person
//! Ann writes privately /help    writes to the bot in the private chat
//! Ann replies 7                 answers the newest board she sees
//! Bek presses Join              presses the newest button whose label begins so, under what all
//!                               see or what only he sees; one that begins a message types it
//! Bek presses old 7             … of the board before its next change
//! Ann sees is waiting           waits until a message she sees contains this
//! everyone sees …               the same for each person
//! Ann sees no …                 nothing she sees contains this now
//! everyone sees no …            the same for each person
//! Bek gets reply …              waits for a private message to him that contains this, after the
//!                               one that was checked last
//! Bek gets picture …            the same, for a message with a picture
//! nobody gets a reply           nobody got a private message since the last check, except for
//!                               acknowledgements of presses, which begin with ✓
//! Ann has buttons A | B         the newest board offers these labels, in any order, and more
//! Ann has no button A           … does not offer this label
//! Ann has private buttons A | B the newest private message to her that has buttons offers these
//! Ann has no private button A   no private message to her that is visible now offers this label
//! Ann types k7                  begins a message to the bot, where there is such a thing
//! Ann is offered A | B          what she may choose then is exactly this, in this order
//! Ann is offered nothing        … is nothing
//! Ann chooses A                 chooses that
//! Ann runs the bot               from now on she is its operator; the bot starts again
//! restart                       the bot stops and starts again on the same store
//! Bek leaves the group           he is not in it any more
//! bot removed                   the first person sends the bot away
//! bot added                     … and brings it back
//! board deleted                 a person who may do so deletes the newest board
//! 3 minutes pass                the clock goes on; also `2 seconds pass`
//! enter Tournament              from now on everything happens in this topic, thread or room
//! on mem,web: …                 a line only for these platforms
//! … {table} …                   in any line: the code of the table whose board was seen last
//! … {Bek} … {chat} …            in any line: his account, the chat, in the bot's spelling
//! ```
//!
//! Platforms are `mem`, `web`, `telegram` and `discord`. On Discord a command in the bot's
//! menu is given as a slash command, any other by a message that names the bot.

pub mod clock;
#[cfg(feature = "discord")]
pub mod discord;
pub mod host;
pub mod memory;
#[cfg(feature = "telegram")]
pub mod telegram;
pub mod web;

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use caravanserai_bot::commands::TableCallback;

/// The beginning of the acknowledgement of a press, and its id among the private replies. Nobody
/// waits for it as for a reply.
pub const DONE: &str = "✓";

/// The time for which people look before they press, in milliseconds.
pub const LOOK_MS: u64 = 550;

/// A message as one person sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisibleMessage {
    /// The platform's id.
    pub id: String,
    /// Its text, without markup.
    pub text: String,
    /// Labels and callback data.
    pub buttons: Vec<(String, String)>,
    /// Whether it has a picture.
    pub picture: bool,
}

impl VisibleMessage {
    /// Whether it is the board of a table in play or after the game.
    pub fn is_board(&self) -> bool {
        self.picture && !self.buttons.is_empty()
    }

    /// The callback data of the first button whose label begins so.
    pub fn press(&self, label: &str) -> &str {
        let mut buttons = self.buttons.iter();
        let found = buttons.find(|(it, _)| it.starts_with(label));
        found.map(|(_, press)| press).unwrap_or_else(|| panic!("no {label} under {self:?}"))
    }
}

/// Content of the bot that a person could see, even if it was removed since.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReceivedContent {
    /// Texts, alternative texts, labels and callback data of buttons, names of files.
    pub words: Vec<String>,
    /// Contents of pictures and files.
    pub media: Vec<Vec<u8>>,
}

/// The displayed name of a person of a script: `Bek~2` is another person whose name is Bek.
pub fn shown(name: &str) -> &str {
    name.split('~').next().unwrap_or_default()
}

/// A platform with a bot and a group of people, driven by a script.
#[async_trait]
pub trait Stage: Send {
    /// The platform in scripts.
    fn name(&self) -> &'static str;
    /// Creates a group with these people.
    async fn people(&mut self, names: &[String]);
    /// Sets the locale of a person's client.
    async fn set_locale(&mut self, who: &str, locale: &str);
    /// Switches to this topic: from now on everything happens there.
    async fn enter_topic(&mut self, topic: &str);
    /// Sends a message of a person to the group.
    async fn send_group_message(&mut self, who: &str, text: &str);
    /// Sends a message of a person to the bot in their private chat.
    async fn send_private_message(&mut self, who: &str, text: &str);
    /// Sends a reply of a person to a message.
    async fn reply_to_message(&mut self, who: &str, message: &VisibleMessage, text: &str);
    /// Presses a button of a message.
    async fn press_button(&mut self, who: &str, message: &VisibleMessage, press: &str);
    /// The messages that a person sees now, oldest first, without private replies.
    async fn visible_messages(&mut self, who: &str) -> Vec<VisibleMessage>;
    /// All private replies to a person, oldest first.
    async fn private_replies(&mut self, who: &str) -> Vec<VisibleMessage>;
    /// The private messages that a person sees now, oldest first.
    async fn private_messages(&mut self, who: &str) -> Vec<VisibleMessage>;
    /// Types the beginning of a message to the bot, and returns the suggestions.
    async fn inline_suggestions(&mut self, _who: &str, _words: &str) -> Vec<String> {
        Vec::new()
    }
    /// Chooses the suggestion with this title; false if there is none.
    async fn choose_suggestion(&mut self, _who: &str, _title: &str) -> bool {
        false
    }
    /// All people of the script.
    fn names(&self) -> Vec<String>;
    /// All content of the bot that a person could ever see, oldest first: public and private
    /// messages, acknowledgements, suggestions while typing.
    async fn received_content(&mut self, who: &str) -> Vec<ReceivedContent>;
    /// The same for all people, by name.
    async fn received_content_by_person(&mut self) -> BTreeMap<String, Vec<ReceivedContent>> {
        let mut all = BTreeMap::new();
        for who in self.names() {
            let seen = self.received_content(&who).await;
            all.insert(who, seen);
        }
        all
    }
    /// Waits for the next change of anything that a person could see.
    async fn wait_for_change(&mut self);
    /// The account of a person, as the bot writes it.
    fn account(&self, who: &str) -> String;
    /// The chat of the group, as the bot writes it.
    fn chat(&self) -> String;
    /// Makes this person the operator of the bot, which starts again.
    async fn make_operator(&mut self, who: &str);
    /// Stops the bot and starts it again on the same store.
    async fn restart(&mut self);
    /// Removes the bot from the group.
    async fn remove_bot(&mut self);
    /// Removes a person from the group.
    async fn leave_group(&mut self, who: &str);
    /// Adds the bot to the group again.
    async fn add_bot(&mut self);
    /// Deletes a message; the bot did not do it.
    async fn delete_message(&mut self, message: &VisibleMessage);
    /// Advances the clock of the bot.
    async fn pass_ms(&mut self, ms: u64);
    /// The mistakes of the bot that the platform found, if it checks.
    async fn complaints(&mut self) -> Vec<String>;
}

/// Whether a label begins so, with or without the sign in front of its words.
fn begins(label: &str, wanted: &str) -> bool {
    let words = label.trim_start_matches(|c: char| !c.is_alphanumeric());
    label.starts_with(wanted) || words.starts_with(wanted)
}

/// Plays a script.
///
/// # Panics
/// At the first line that does not come true, with its number and what was seen instead.
pub async fn play(name: &str, script: &str, stage: &mut dyn Stage) {
    let mut run = Run {
        stage,
        names: Vec::new(),
        checked_replies: HashMap::new(),
        offered: HashMap::new(),
        old: None,
        table: String::new(),
    };
    for (number, line) in (1..).zip(script.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let line = match line.strip_prefix("on ").and_then(|it| it.split_once(": ")) {
            Some((platforms, line)) if platforms.split(',').any(|it| it == run.stage.name()) => {
                line
            }
            Some(_) => continue,
            None => line,
        };
        let within = std::time::Duration::from_secs(60);
        let line = &*run.filled(line);
        match tokio::time::timeout(within, run.line(line)).await {
            Ok(Ok(())) => {}
            Ok(Err(why)) => panic!("{name}:{number}: {line}\n{why}"),
            Err(_) => panic!("{name}:{number}: {line}\nnever came true; {}", run.scene().await),
        }
    }
    let complaints = run.stage.complaints().await;
    assert!(complaints.is_empty(), "{name}: {complaints:#?}");
}

struct Run<'a> {
    stage: &'a mut dyn Stage,
    names: Vec<String>,
    /// How many private replies to each person were checked.
    checked_replies: HashMap<String, usize>,
    /// The last suggestions to each person while typing.
    offered: HashMap<String, Vec<String>>,
    /// The newest board as it was one state ago.
    old: Option<(VisibleMessage, VisibleMessage)>,
    /// The code of the table whose board was seen last.
    table: String,
}

/// The table that a message has buttons of.
fn table_of(seen: &VisibleMessage) -> Option<String> {
    seen.buttons.iter().find_map(|(_, press)| Some(TableCallback::decode(press)?.table.0))
}

impl Run<'_> {
    #[allow(clippy::too_many_lines, reason = "one arm for each form of a line")]
    async fn line(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split(' ').collect();
        let rest = |n: usize| words[n.min(words.len())..].join(" ");
        match words.as_slice() {
            ["people", ..] => {
                self.names = words[1..].iter().map(|it| (*it).to_owned()).collect();
                self.stage.people(&self.names).await;
            }
            [who, "runs", "the", "bot"] => self.stage.make_operator(who).await,
            ["restart"] => self.stage.restart().await,
            ["enter", topic] => self.stage.enter_topic(topic).await,
            [seconds, "seconds", "pass"] => {
                let seconds: u64 = seconds.parse().map_err(|_| "how many seconds?")?;
                self.stage.pass_ms(seconds * 1_000).await;
            }
            [minutes, "minutes", "pass"] => {
                let minutes: u64 = minutes.parse().map_err(|_| "how many minutes?")?;
                self.stage.pass_ms(minutes * 60_000).await;
            }
            [who, "leaves", "the", "group"] => self.stage.leave_group(who).await,
            ["bot", "removed"] => self.stage.remove_bot().await,
            ["bot", "added"] => self.stage.add_bot().await,
            ["board", "deleted"] => {
                let who = self.names[0].clone();
                let board = self.board(&who).await?;
                self.stage.delete_message(&board).await;
            }
            ["nobody", "gets", "a", "reply"] => {
                for who in self.names.clone() {
                    let told = self.stage.private_replies(&who).await;
                    let known =
                        self.checked_replies.insert(who.clone(), told.len()).unwrap_or_default();
                    if let Some(more) = told.iter().skip(known).find(|it| it.id != DONE) {
                        return Err(format!("{who} got reply: {}", more.text));
                    }
                }
            }
            ["everyone", "sees", "no", ..] => {
                for who in self.names.clone() {
                    self.sees_no(&who, &rest(3)).await?;
                }
            }
            ["everyone", "sees", ..] => {
                for who in self.names.clone() {
                    self.sees(&who, &rest(2)).await;
                }
            }
            [who, "speaks", locale] => self.stage.set_locale(who, locale).await,
            [who, "says", ..] => self.stage.send_group_message(who, &rest(2)).await,
            [who, "writes", "privately", ..] => {
                self.stage.send_private_message(who, &rest(3)).await
            }
            [who, "replies", ..] => {
                let board = self.board(who).await?;
                self.stage.reply_to_message(who, &board, &rest(2)).await;
            }
            [who, "presses", "old", ..] => self.press_old(who, &rest(3)).await?,
            [who, "presses", ..] => self.press(who, &rest(2)).await?,
            [who, "sees", "no", ..] => self.sees_no(who, &rest(3)).await?,
            [who, "sees", ..] => self.sees(who, &rest(2)).await,
            [who, "gets", "reply", ..] => self.gets_reply(who, &rest(3), false).await,
            [who, "gets", "picture", ..] => self.gets_reply(who, &rest(3), true).await,
            [who, "has", "no", "private", "button", ..] => {
                let label = rest(5);
                let held = self.stage.private_messages(who).await;
                let mut all = held.iter().flat_map(|it| &it.buttons);
                if all.any(|(it, _)| begins(it, &label)) {
                    return Err("but the button is there".into());
                }
            }
            [who, "has", "private", "buttons", ..] => self.has_private_buttons(who, &rest(4)).await,
            [who, "types", ..] => {
                let offered = self.stage.inline_suggestions(who, &rest(2)).await;
                self.offered.insert((*who).to_owned(), offered);
            }
            [who, "is", "offered", ..] => {
                let offered = self.offered.get(*who).cloned().unwrap_or_default().join(" | ");
                let wanted = rest(3);
                if offered != wanted && !(wanted == "nothing" && offered.is_empty()) {
                    return Err(format!("but is offered: {offered}"));
                }
            }
            [who, "chooses", ..] => {
                if !self.stage.choose_suggestion(who, &rest(2)).await {
                    return Err("it was not offered".into());
                }
            }
            [who, "has", "buttons", ..] => {
                let wanted: Vec<String> =
                    rest(3).split(" | ").map(|it| it.trim().to_owned()).collect();
                self.until(who, |seen| {
                    let newest = seen.iter().rev().find(|it| !it.buttons.is_empty());
                    newest.is_some_and(|it| {
                        let has = |label: &String| it.buttons.iter().any(|(l, _)| begins(l, label));
                        wanted.iter().all(has)
                    })
                })
                .await;
            }
            [who, "has", "no", "button", ..] => {
                let seen = self.stage.visible_messages(who).await;
                let label = rest(4);
                let newest = seen.iter().rev().find(|it| !it.buttons.is_empty());
                if newest.is_some_and(|it| it.buttons.iter().any(|(l, _)| begins(l, &label))) {
                    return Err("but the button is there".into());
                }
            }
            _ => return Err("no such line".into()),
        }
        Ok(())
    }

    /// A line with values instead of its braces.
    fn filled(&self, line: &str) -> String {
        let mut line = line.replace("{table}", &self.table);
        for who in &self.names {
            let mark = format!("{{{who}}}");
            if !line.contains(&mark) {
                continue;
            }
            line = line.replace(&mark, &self.stage.account(who));
        }
        match line.contains("{chat}") {
            true => line.replace("{chat}", &self.stage.chat()),
            false => line,
        }
    }

    async fn until(&mut self, who: &str, mut holds: impl FnMut(&[VisibleMessage]) -> bool) {
        loop {
            let seen = self.stage.visible_messages(who).await;
            self.remember(&seen);
            if holds(&seen) {
                return;
            }
            self.stage.wait_for_change().await;
        }
    }

    fn remember(&mut self, seen: &[VisibleMessage]) {
        if let Some(table) = seen.iter().rev().find_map(table_of) {
            self.table = table;
        }
        let Some(board) = seen.iter().rev().find(|it| it.is_board()) else { return };
        match &mut self.old {
            Some((_, now)) if now == board => {}
            Some((before, now)) => {
                *before = std::mem::replace(now, board.clone());
            }
            None => self.old = Some((board.clone(), board.clone())),
        }
    }

    /// Fails if a message that a person sees now contains the text.
    async fn sees_no(&mut self, who: &str, text: &str) -> Result<(), String> {
        let seen = self.stage.visible_messages(who).await;
        match seen.iter().find(|it| it.text.contains(text)) {
            Some(it) => Err(format!("but {who} sees: {}", it.text)),
            None => Ok(()),
        }
    }

    async fn sees(&mut self, who: &str, text: &str) {
        self.until(who, |seen| seen.iter().any(|it| it.text.contains(text))).await;
    }

    async fn gets_reply(&mut self, who: &str, text: &str, picture: bool) {
        loop {
            let told = self.stage.private_replies(who).await;
            let known = self.checked_replies.get(who).copied().unwrap_or_default();
            let fits = |it: &VisibleMessage| it.text.contains(text) && (it.picture || !picture);
            let found = told.iter().skip(known).position(fits);
            if let Some(at) = found {
                self.checked_replies.insert(who.to_owned(), known + at + 1);
                return;
            }
            self.stage.wait_for_change().await;
        }
    }

    async fn has_private_buttons(&mut self, who: &str, labels: &str) {
        let wanted: Vec<&str> = labels.split(" | ").map(str::trim).collect();
        loop {
            let held = self.stage.private_messages(who).await;
            let newest = held.iter().rev().find(|it| !it.buttons.is_empty());
            let all = newest.is_some_and(|it| {
                wanted.iter().all(|label| it.buttons.iter().any(|(l, _)| begins(l, label)))
            });
            if all {
                return;
            }
            self.stage.wait_for_change().await;
        }
    }

    async fn board(&mut self, who: &str) -> Result<VisibleMessage, String> {
        let seen = self.stage.visible_messages(who).await;
        seen.into_iter()
            .rev()
            .find(VisibleMessage::is_board)
            .ok_or_else(|| "there is no board".to_owned())
    }

    async fn press(&mut self, who: &str, label: &str) -> Result<(), String> {
        loop {
            let mut seen = self.stage.visible_messages(who).await;
            self.remember(&seen);
            seen.extend(self.stage.private_messages(who).await);
            let found = seen.iter().rev().find_map(|it| {
                let button = it.buttons.iter().find(|(l, _)| begins(l, label))?;
                Some((it.clone(), button.1.clone()))
            });
            if let Some((message, press)) = found {
                match press.strip_prefix("@ ") {
                    Some(words) => {
                        let offered = self.stage.inline_suggestions(who, words).await;
                        self.offered.insert(who.to_owned(), offered);
                    }
                    None => self.stage.press_button(who, &message, &press).await,
                }
                return Ok(());
            }
            self.stage.wait_for_change().await;
        }
    }

    async fn press_old(&mut self, who: &str, label: &str) -> Result<(), String> {
        let before = self.old.clone();
        loop {
            let seen = self.stage.visible_messages(who).await;
            self.remember(&seen);
            if self.old != before {
                break;
            }
            self.stage.wait_for_change().await;
        }
        let (old, _) = self.old.clone().ok_or("no board has changed yet")?;
        let (_, press) = old
            .buttons
            .iter()
            .find(|(l, _)| begins(l, label))
            .ok_or_else(|| format!("the old board had {:?}", old.buttons))?;
        self.stage.press_button(who, &old, press).await;
        Ok(())
    }

    async fn scene(&mut self) -> String {
        let mut scene = String::new();
        for who in self.names.clone() {
            let seen = self.stage.visible_messages(&who).await;
            let told = self.stage.private_replies(&who).await;
            scene.push_str(&format!("{who} sees {seen:#?}\n{who} got replies {told:#?}\n"));
        }
        scene
    }
}
