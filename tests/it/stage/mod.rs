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

/// How a passing note begins that only says what a press has done, and the id it has among what
/// somebody was told. It is no answer that somebody waits for.
pub const DONE: &str = "✓";

/// How long people look before they press, in milliseconds.
pub const LOOK_MS: u64 = 550;

/// A message as one person sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The platform's id.
    pub id: String,
    /// Words, without markup.
    pub text: String,
    /// Labels and what they carry.
    pub buttons: Vec<(String, String)>,
    /// Whether there is a picture above the words.
    pub picture: bool,
}

impl Seen {
    /// Whether it is the standing message of a table in play or after the game.
    pub fn is_board(&self) -> bool {
        self.picture && !self.buttons.is_empty()
    }

    /// What the first button carries whose label begins so.
    pub fn press(&self, label: &str) -> &str {
        let mut buttons = self.buttons.iter();
        let found = buttons.find(|(it, _)| it.starts_with(label));
        found.map(|(_, press)| press).unwrap_or_else(|| panic!("no {label} under {self:?}"))
    }
}

/// Something of the bot that came to somebody's eyes, whether it still stands or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Texts, alternative texts, labels of buttons and what those carry, names of files.
    pub words: Vec<String>,
    /// Contents of pictures and files.
    pub media: Vec<Vec<u8>>,
}

/// What people see of a name in a script: `Bek~2` is another person whose name is Bek.
pub fn shown(name: &str) -> &str {
    name.split('~').next().unwrap_or_default()
}

/// A platform with a bot and a group of people, driven by a script.
#[async_trait]
pub trait Stage: Send {
    /// The platform in scripts.
    fn name(&self) -> &'static str;
    /// A group with these people.
    async fn people(&mut self, names: &[String]);
    /// The locale of somebody's client.
    async fn speaks(&mut self, who: &str, locale: &str);
    /// From now on everything happens in this topic.
    async fn enter(&mut self, topic: &str);
    /// Somebody writes in the group.
    async fn says(&mut self, who: &str, text: &str);
    /// Somebody writes to the bot alone.
    async fn whispers(&mut self, who: &str, text: &str);
    /// Somebody answers a message.
    async fn replies(&mut self, who: &str, message: &Seen, text: &str);
    /// Somebody presses a button of a message.
    async fn presses(&mut self, who: &str, message: &Seen, press: &str);
    /// What somebody sees now, oldest first, without what only they were told.
    async fn seen(&mut self, who: &str) -> Vec<Seen>;
    /// What only this person was told, oldest first.
    async fn told(&mut self, who: &str) -> Vec<Seen>;
    /// The private messages of somebody that stand now, oldest first.
    async fn held(&mut self, who: &str) -> Vec<Seen>;
    /// Somebody begins a message to the bot with these words; gives what they may choose.
    async fn types(&mut self, _who: &str, _words: &str) -> Vec<String> {
        Vec::new()
    }
    /// Somebody chooses what was offered to them by this title; false if it was not.
    async fn chooses(&mut self, _who: &str, _title: &str) -> bool {
        false
    }
    /// Everybody in the script.
    fn names(&self) -> Vec<String>;
    /// Everything of the bot that this person could ever look at, oldest first: for all, for
    /// them alone, passing notes, offers while typing.
    async fn seen_by(&mut self, who: &str) -> Vec<Reached>;
    /// The same for everybody, by name.
    async fn seen_by_all(&mut self) -> BTreeMap<String, Vec<Reached>> {
        let mut all = BTreeMap::new();
        for who in self.names() {
            let seen = self.seen_by(&who).await;
            all.insert(who, seen);
        }
        all
    }
    /// Waits for the next change of anything somebody could see.
    async fn changed(&mut self);
    /// The account of a person, as the bot writes it.
    fn account(&self, who: &str) -> String;
    /// The chat of the group, as the bot writes it.
    fn chat(&self) -> String;
    /// From now on this person is the host of the bot, which starts again.
    async fn runs_bot(&mut self, who: &str);
    /// The bot stops and starts again on the same store.
    async fn restart(&mut self);
    /// The bot is sent away from the group.
    async fn remove_bot(&mut self);
    /// Somebody leaves the group.
    async fn leaves(&mut self, who: &str);
    /// The bot is brought back.
    async fn add_bot(&mut self);
    /// A message vanishes without the bot doing it.
    async fn delete(&mut self, message: &Seen);
    /// The clock of the bot goes on.
    async fn pass_ms(&mut self, ms: u64);
    /// What the platform holds against the bot, if it checks.
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
        told: HashMap::new(),
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
    /// How much of what each person was told has been looked at.
    told: HashMap<String, usize>,
    /// What each person was offered last while typing.
    offered: HashMap<String, Vec<String>>,
    /// The newest board as it was one state ago.
    old: Option<(Seen, Seen)>,
    /// The code of the table whose board was seen last.
    table: String,
}

/// The table that a message has buttons of.
fn table_of(seen: &Seen) -> Option<String> {
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
            [who, "runs", "the", "bot"] => self.stage.runs_bot(who).await,
            ["restart"] => self.stage.restart().await,
            ["enter", topic] => self.stage.enter(topic).await,
            [seconds, "seconds", "pass"] => {
                let seconds: u64 = seconds.parse().map_err(|_| "how many seconds?")?;
                self.stage.pass_ms(seconds * 1_000).await;
            }
            [minutes, "minutes", "pass"] => {
                let minutes: u64 = minutes.parse().map_err(|_| "how many minutes?")?;
                self.stage.pass_ms(minutes * 60_000).await;
            }
            [who, "leaves", "the", "group"] => self.stage.leaves(who).await,
            ["bot", "removed"] => self.stage.remove_bot().await,
            ["bot", "added"] => self.stage.add_bot().await,
            ["board", "deleted"] => {
                let who = self.names[0].clone();
                let board = self.board(&who).await?;
                self.stage.delete(&board).await;
            }
            ["nobody", "gets", "a", "reply"] => {
                for who in self.names.clone() {
                    let told = self.stage.told(&who).await;
                    let known = self.told.insert(who.clone(), told.len()).unwrap_or_default();
                    if let Some(more) = told.iter().skip(known).find(|it| it.id != DONE) {
                        return Err(format!("{who} got reply: {}", more.text));
                    }
                }
            }
            ["everyone", "sees", ..] => {
                for who in self.names.clone() {
                    self.sees(&who, &rest(2)).await;
                }
            }
            [who, "speaks", locale] => self.stage.speaks(who, locale).await,
            [who, "says", ..] => self.stage.says(who, &rest(2)).await,
            [who, "writes", "privately", ..] => self.stage.whispers(who, &rest(3)).await,
            [who, "replies", ..] => {
                let board = self.board(who).await?;
                self.stage.replies(who, &board, &rest(2)).await;
            }
            [who, "presses", "old", ..] => self.press_old(who, &rest(3)).await?,
            [who, "presses", ..] => self.press(who, &rest(2)).await?,
            [who, "sees", "no", ..] => {
                let text = rest(3);
                let seen = self.stage.seen(who).await;
                if let Some(it) = seen.iter().find(|it| it.text.contains(&text)) {
                    return Err(format!("but sees: {}", it.text));
                }
            }
            [who, "sees", ..] => self.sees(who, &rest(2)).await,
            [who, "gets", "reply", ..] => self.is_told(who, &rest(3), false).await,
            [who, "gets", "picture", ..] => self.is_told(who, &rest(3), true).await,
            [who, "has", "no", "private", "button", ..] => {
                let label = rest(5);
                let held = self.stage.held(who).await;
                let mut all = held.iter().flat_map(|it| &it.buttons);
                if all.any(|(it, _)| begins(it, &label)) {
                    return Err("but the button is there".into());
                }
            }
            [who, "has", "private", "buttons", ..] => self.holds(who, &rest(4)).await,
            [who, "types", ..] => {
                let offered = self.stage.types(who, &rest(2)).await;
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
                if !self.stage.chooses(who, &rest(2)).await {
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
                let seen = self.stage.seen(who).await;
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

    async fn until(&mut self, who: &str, mut holds: impl FnMut(&[Seen]) -> bool) {
        loop {
            let seen = self.stage.seen(who).await;
            self.remember(&seen);
            if holds(&seen) {
                return;
            }
            self.stage.changed().await;
        }
    }

    fn remember(&mut self, seen: &[Seen]) {
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

    async fn sees(&mut self, who: &str, text: &str) {
        self.until(who, |seen| seen.iter().any(|it| it.text.contains(text))).await;
    }

    async fn is_told(&mut self, who: &str, text: &str, picture: bool) {
        loop {
            let told = self.stage.told(who).await;
            let known = self.told.get(who).copied().unwrap_or_default();
            let fits = |it: &Seen| it.text.contains(text) && (it.picture || !picture);
            let found = told.iter().skip(known).position(fits);
            if let Some(at) = found {
                self.told.insert(who.to_owned(), known + at + 1);
                return;
            }
            self.stage.changed().await;
        }
    }

    async fn holds(&mut self, who: &str, labels: &str) {
        let wanted: Vec<&str> = labels.split(" | ").map(str::trim).collect();
        loop {
            let held = self.stage.held(who).await;
            let newest = held.iter().rev().find(|it| !it.buttons.is_empty());
            let all = newest.is_some_and(|it| {
                wanted.iter().all(|label| it.buttons.iter().any(|(l, _)| begins(l, label)))
            });
            if all {
                return;
            }
            self.stage.changed().await;
        }
    }

    async fn board(&mut self, who: &str) -> Result<Seen, String> {
        let seen = self.stage.seen(who).await;
        seen.into_iter().rev().find(Seen::is_board).ok_or_else(|| "there is no board".to_owned())
    }

    async fn press(&mut self, who: &str, label: &str) -> Result<(), String> {
        loop {
            let mut seen = self.stage.seen(who).await;
            self.remember(&seen);
            seen.extend(self.stage.held(who).await);
            let found = seen.iter().rev().find_map(|it| {
                let button = it.buttons.iter().find(|(l, _)| begins(l, label))?;
                Some((it.clone(), button.1.clone()))
            });
            if let Some((message, press)) = found {
                match press.strip_prefix("@ ") {
                    Some(words) => {
                        let offered = self.stage.types(who, words).await;
                        self.offered.insert(who.to_owned(), offered);
                    }
                    None => self.stage.presses(who, &message, &press).await,
                }
                return Ok(());
            }
            self.stage.changed().await;
        }
    }

    async fn press_old(&mut self, who: &str, label: &str) -> Result<(), String> {
        let before = self.old.clone();
        loop {
            let seen = self.stage.seen(who).await;
            self.remember(&seen);
            if self.old != before {
                break;
            }
            self.stage.changed().await;
        }
        let (old, _) = self.old.clone().ok_or("no board has changed yet")?;
        let (_, press) = old
            .buttons
            .iter()
            .find(|(l, _)| begins(l, label))
            .ok_or_else(|| format!("the old board had {:?}", old.buttons))?;
        self.stage.presses(who, &old, press).await;
        Ok(())
    }

    async fn scene(&mut self) -> String {
        let mut scene = String::new();
        for who in self.names.clone() {
            let seen = self.stage.seen(&who).await;
            let told = self.stage.told(&who).await;
            scene.push_str(&format!("{who} sees {seen:#?}\n{who} got replies {told:#?}\n"));
        }
        scene
    }
}
