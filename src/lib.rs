//! Caravanserai: traditional board games in group chats, on Telegram, Discord and its own page.
//!
//! # The way of one move
//!
//! 1. A [`platform`] hears something and makes a [`chat::Update`] of it.
//! 2. The [`service`] is the door; the [`desk`] asks [`chat::request`] what is wanted and which
//!    table is meant, takes it from the [`ledger`], and lets [`table::decide()`] decide: a pure
//!    function from table and command to lines and the next table, or to a refusal.
//! 3. The [`ledger`] writes one [`store::Commit`]: the new log lines, the update's id with its
//!    answer, and all [`ledger::consequences`]: lists, deadlines, what is to be sent. When it
//!    returns, the move survives a power cut. Whoever acted is answered at once.
//! 4. The [`post`] then shows everybody the newest board: [`chat::present`] says what stands
//!    there, [`i18n`] in which words, [`render`] draws it, the [`platform`] edits its message.
//!    Meanwhile the [`minds`] think if a computer is to move, and the [`clockwork`] keeps time.
//!
//! # Where to find what
//!
//! | module | what it is for |
//! | --- | --- |
//! | [`rules`] | what a game is: actions, chance, views, tokens |
//! | [`games`] | the games, a folder each, and the only list of them |
//! | [`search`] | what a computer player is, how long it may think |
//! | [`words`], [`scene`] | something to say or draw, in no language and no pixels |
//! | [`table`] | one session as a fold of its log; decisions; provably fair chance |
//! | [`chat`] | the neutral language: updates, commands, notes, what a platform can do |
//! | [`service`] | the rooms below put together, with one door for platforms |
//! | [`desk`] | what one update gets: which table is meant, what is answered |
//! | [`ledger`] | the only room with a pen: holds tables, writes, knows what follows |
//! | [`post`] | what goes out: outbox, senders, budgets, boards, hands, letters |
//! | [`minds`] | what takes a while: computers, hints, reviews, replays |
//! | [`clockwork`] | deadlines, and the sweeping away of what has lived its time |
//! | [`store`] | where logs live: memory, sled, PostgreSQL; back-ups |
//! | [`render`], [`i18n`] | pictures from `templates/art`, words from `templates/<lang>` |
//! | [`platform`] | Telegram, Discord, the built-in group chat |
//! | [`host`] | settings; putting it together; health, metrics, logs |
//! | [`tools`] | arena, engine, learning, pictures, records |
//!
//! # What never happens
//!
//! - Rules never see time, randomness, text of people, or a chat.
//! - Nothing is sent before it is committed; nothing is acknowledged before it is on disk.
//! - Pictures, words and buttons are made from a view, never from the state of a game.
//! - A refusal is told to whoever caused it and to nobody else.
//! - What cannot be told privately is not told: a hand never goes to a group instead.
//! - A button of an old board never moves: every button carries the position it was made for.
//! - A platform never knows tables or games, the service never knows a particular platform.
//!
//! Which module may use which is kept by a test, `tests/it/tidy.rs`.
//!
//! # Words
//!
//! *Table*: one session of a game. *Seat*: a place at it in playing order; *chair*: in the order
//! of sitting down. *Step*: one action or outcome of chance. *Position*: what a step led to,
//! numbered by its log line. *Board*: the standing message of a table in a place. *Place*: a
//! conversation: group, topic, thread, private chat. *Home*: the place a table was opened in; it
//! may be *brought* to others. *Whisper*: what one person is told alone.
//! *Account*: an id of a person on a platform; several may be one person. *Door*: an address by
//! which people come to a table. *Row* of settings: one thing that a person or a chat chooses.
//! *Call*: the message that tells somebody that they are waited for. *Switch*: a house rule that is
//! chosen in the lobby. *Panel*: the buttons of the seat on turn that everybody may see. *Hand*:
//! what one seat alone may see. *Slot*: what makes one whisper take the place of another; under a
//! board, the number of a card. *Sheet*: something of a game to be read on demand. *Theme*: how
//! pictures look. *Level*: how strong a computer plays. *Review*: where a finished game turned,
//! made of *moments*. *Look*: what a page shows on a board besides how a table stands: a game step
//! by step, a review, a page of a course. *Control*: how much time people have; a *clock* is what
//! shows it, a *turn* what it runs for. *Late*: whose clock has run out in this turn. *Away*: who
//! does not come until they say otherwise; a *helper* is the computer that then plays for them.
//! *Guest*: somebody of another platform who is signed in on the page, by a *pass* or by what their
//! client says. *Window*: the way to a board outside of the chat. *Posed*: said by somebody where
//! the bot is no member. *Summons*: somebody names the bot there. *Sole*: a place that is one
//! message, with nothing beside it. *Sketch*: a board in rows of signs. *Laid open*: all hands of a
//! deal that is over. *Onlooker*: who looks at a table and does not play. *Public*: whoever knows
//! the code of a table may look on.

pub use caravanserai_core::{games, ids, input, rules, scene, search, words};
pub use caravanserai_render as render;

pub mod chat;
pub mod clockwork;
pub mod desk;
pub mod host;
pub mod i18n;
pub mod ledger;
pub mod minds;
pub mod platform;
pub mod post;
pub mod service;
pub mod store;
pub mod table;
pub mod tools;
