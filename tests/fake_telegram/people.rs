//! Changes chats: the bot is added and removed, groups migrate, topics open.

use serde_json::{Value, json};

use super::FakeTelegram;
use super::actors::{Person, Spot};
use super::show;
use super::world::{BOT_ID, Kind, Msg, Standing, World};

impl FakeTelegram {
    /// Sets the status of the bot in a chat without an update.
    pub fn set_standing(&self, chat: i64, standing: Standing) {
        self.shared.change(|world| world.chat_mut(chat).bot = standing);
    }

    /// Gives a chat a public name.
    pub fn publish(&self, chat: i64, name: &str) {
        self.shared.change(|world| world.chat_mut(chat).username = Some(name.to_owned()));
    }

    /// Opens a topic; the bot gets an update.
    pub fn topic(&self, chat: i64, by: &Person, title: &str) -> Spot {
        let thread = self.shared.change(|world| {
            let thread = world.chat(chat).next_message;
            world.chat_mut(chat).topics.insert(thread, true);
            let value = json!({ "name": title, "icon_color": 7_322_096 });
            let service = Some(("forum_topic_created".to_owned(), value));
            service_message(
                world,
                chat,
                Msg { from: by.id, thread: Some(thread), service, ..Msg::default() },
            );
            thread
        });
        Spot { chat, thread: Some(thread) }
    }

    /// Closes a topic: only admins write there.
    pub fn close_topic(&self, spot: Spot) {
        let thread = spot.thread.expect("the spot is a topic");
        self.shared.change(|world| world.chat_mut(spot.chat).topics.insert(thread, false));
    }

    /// Deletes a topic with its messages; the bot gets no update.
    pub fn delete_topic(&self, spot: Spot) {
        let thread = spot.thread.expect("the spot is a topic");
        self.shared.change(|world| {
            let chat = world.chat_mut(spot.chat);
            chat.topics.remove(&thread);
            chat.messages.retain(|_, it| it.thread != Some(thread));
        });
    }

    /// Switches off the topics of a chat: their messages stay. The bot gets no update.
    pub fn topics_off(&self, chat: i64) {
        self.shared.change(|world| world.chat_mut(chat).topics.clear());
    }

    /// Lets posts of bots to a topic fail as if it were deleted; people still write there.
    pub fn lose_topic(&self, spot: Spot) {
        let thread = spot.thread.expect("the spot is a topic");
        self.shared.change(|world| world.chat_mut(spot.chat).lost_topics.insert(thread));
    }

    /// Makes a person an admin of a chat.
    pub fn promote(&self, chat: i64, person: &Person) {
        self.shared.change(|world| world.chat_mut(chat).members.insert(person.id, true));
    }

    /// Turns a group into a supergroup: two service messages, the bot joins it, and calls to the
    /// old id fail.
    pub fn migrate(&self, chat: i64, by: &Person) -> i64 {
        self.shared.change(|world| {
            let new = migrate_visibly(world, chat, by);
            report_join(world, new, by);
            new
        })
    }

    /// The same, but the bot joins before the service messages.
    pub fn migrate_joining_first(&self, chat: i64, by: &Person) -> i64 {
        self.shared.change(|world| {
            let new = self::migrate(world, chat);
            report_join(world, new, by);
            announce_migration(world, (chat, new), by);
            new
        })
    }

    /// Turns a group into a supergroup by two service messages alone.
    pub fn migrate_without_join(&self, chat: i64, by: &Person) -> i64 {
        self.shared.change(|world| migrate_visibly(world, chat, by))
    }

    /// Reports that the bot joined a supergroup.
    pub fn report_join(&self, chat: i64, by: &Person) {
        self.shared.change(|world| report_join(world, chat, by));
    }

    /// The same without an update: the bot learns it from the next failing call.
    pub fn migrate_silently(&self, chat: i64) -> i64 {
        self.shared.change(|world| {
            let new = self::migrate(world, chat);
            world.chat_mut(chat).migrated_to = Some(new);
            new
        })
    }

    /// A person changes the status of the bot in a chat; the bot gets an update.
    pub fn bot_becomes(&self, chat: i64, by: &Person, new: Standing) {
        self.shared.change(|world| become_standing(world, chat, by.id, new));
    }

    /// A person removes the bot from a group.
    pub fn kick_bot(&self, chat: i64, by: &Person) {
        self.bot_becomes(chat, by, Standing::Kicked);
    }

    /// A person adds the bot to a group; the bot gets a status update and a message.
    pub fn add_bot(&self, chat: i64, by: &Person) {
        self.bot_becomes(chat, by, Standing::Member);
        self.shared.change(|world| {
            let bot = show::user(world, BOT_ID);
            let service = Some(("new_chat_members".to_owned(), json!([bot])));
            service_message(world, chat, Msg { from: by.id, service, ..Msg::default() });
        });
    }

    /// A person leaves a group; the bot gets a message.
    pub fn leaves(&self, chat: i64, who: &Person) {
        self.shared.change(|world| {
            let left = show::user(world, who.id);
            let service = Some(("left_chat_member".to_owned(), left));
            service_message(world, chat, Msg { from: who.id, service, ..Msg::default() });
            world.chat_mut(chat).left.insert(who.id);
        });
    }

    /// A person is removed from a group or added again without a message; bots that are admins get
    /// an update.
    pub fn member_changes(&self, chat: i64, who: &Person, (from, to): (Standing, Standing)) {
        self.shared.change(|world| {
            let user = show::user(world, who.id);
            let is = |it| show::standing_of(user.clone(), it);
            let body = json!({
                "chat": show::chat(world, world.chat(chat)),
                "from": user,
                "date": world.now_ms / 1000,
                "old_chat_member": is(from),
                "new_chat_member": is(to),
            });
            world.feed.push("chat_member", body);
        });
    }

    /// A message as the bot would see it.
    pub fn message_as_bot(&self, chat: i64, id: i64) -> Option<Value> {
        self.shared.quiet(|world| {
            let chat = world.chat(chat);
            chat.messages.get(&id).map(|msg| show::message(world, chat, msg, true))
        })
    }
}

impl Person {
    /// Blocks the bot in the private chat.
    pub fn blocks(&self, tg: &FakeTelegram) {
        tg.bot_becomes(self.id, self, Standing::Kicked);
    }

    /// Lets the bot write in the private chat when a Mini App asks for that; the bot gets a message
    /// without a text.
    pub fn grants_writing(&self, tg: &FakeTelegram) {
        tg.shared.change(|world| {
            world.chat_mut(self.id).bot = Standing::Member;
            let value = json!({ "web_app_name": "board" });
            let service = Some(("write_access_allowed".to_owned(), value));
            service_message(world, self.id, Msg { from: self.id, service, ..Msg::default() });
        });
    }

    /// Unblocks the bot.
    pub fn unblocks(&self, tg: &FakeTelegram) {
        tg.bot_becomes(self.id, self, Standing::Member);
    }
}

fn migrate_visibly(world: &mut World, chat: i64, by: &Person) -> i64 {
    let new = migrate(world, chat);
    announce_migration(world, (chat, new), by);
    new
}

fn announce_migration(world: &mut World, (chat, new): (i64, i64), by: &Person) {
    let moved = |name: &str, id: i64| Some((name.to_owned(), json!(id)));
    let service = moved("migrate_to_chat_id", new);
    let there = Msg { from: by.id, sender_chat: None, service, ..Msg::default() };
    service_message(world, chat, there);
    let service = moved("migrate_from_chat_id", chat);
    service_message(world, new, Msg { from: by.id, service, ..Msg::default() });
    world.chat_mut(chat).migrated_to = Some(new);
}

fn report_join(world: &mut World, chat: i64, by: &Person) {
    let now = world.chat(chat).bot;
    world.chat_mut(chat).bot = Standing::Outside;
    become_standing(world, chat, by.id, now);
}

fn become_standing(world: &mut World, chat: i64, by: i64, new: Standing) {
    let old = show::member(world, world.chat(chat), BOT_ID);
    world.chat_mut(chat).bot = new;
    let date = world.now_ms / 1000;
    let chat = world.chat(chat);
    let body = json!({
        "chat": show::chat(world, chat),
        "from": show::user(world, by),
        "date": date,
        "old_chat_member": old,
        "new_chat_member": show::member(world, chat, BOT_ID),
    });
    world.feed.push("my_chat_member", body);
}

fn service_message(world: &mut World, chat: i64, msg: Msg) {
    let msg = world.put(chat, msg);
    let chat = world.chat(chat);
    if matches!(chat.bot, Standing::Member | Standing::Admin | Standing::Muted | Standing::NoMedia)
    {
        let body = show::message(world, chat, &msg, true);
        world.feed.push("message", body);
    }
}

fn migrate(world: &mut World, chat: i64) -> i64 {
    let new = -1_003_000_000_000 - world.fresh();
    let old = world.chat(chat).clone();
    world.open(new, Kind::Supergroup, &old.title, old.bot);
    world.chat_mut(new).members = old.members;
    new
}
