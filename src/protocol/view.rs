//! Describes a message by keys of texts and references to pictures, before it is translated and
//! drawn.

use serde::{Deserialize, Serialize};

use super::{AppLink, ButtonTone, HandPriority, Notification, ReplyForm, ReplyPurpose};
use caravanserai_games::ids::{ChatId, MessageId, PersonId};
use caravanserai_games::text::{Arg, Text};

/// A message before it is translated and drawn. Stored in the outbox as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredView", into = "StoredView")]
pub struct View {
    /// The lines of the text.
    pub texts: Vec<Text>,
    /// The picture above them.
    pub picture: Option<PictureRef>,
    /// The record of this table as a file.
    pub record_of: Option<String>,
    /// Everything that is stored about this person, as a file. Only private answers to that person
    /// have it.
    pub data_of: Option<PersonId>,
    /// The private chat in which that person asked for it.
    pub data_chat: Option<ChatId>,
    /// The rows of buttons below it.
    pub button_rows: Vec<Vec<ButtonSpec>>,
    /// The form in which a platform may show it, if it is a private reply.
    pub form: ReplyForm,
    /// Its purpose, if it is a private reply.
    pub purpose: ReplyPurpose,
    /// Whether devices may play a sound.
    pub notification: Notification,
    /// The message it answers.
    pub reply_to: Option<MessageId>,
    /// Its kind, if it is one of the replies that replace each other, see
    /// [`super::EphemeralReply::slot`].
    pub slot: Option<String>,
    /// Whether it tells what only this reader may know, see
    /// [`super::EphemeralReply::is_secret`].
    pub secret: bool,
    /// How urgently its reader needs it, if it is a hand.
    pub priority: HandPriority,
    /// The action that it recommends, if it is a hint.
    pub hint: Option<HintedAction>,
    /// Whether it asks for the same press once more.
    pub asks_again: bool,
}

/// An action that a hint recommends: pages mark it on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct HintedAction {
    /// Table code.
    pub table: String,
    /// The position for which it was computed, as `moment` of the table's state.
    pub moment: u64,
    /// The action, as `token` of the actions of the table's state.
    pub token: String,
}

/// The stored form of a [`View`]. Rows of earlier versions lack some of the fields.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredView {
    texts: Vec<Text>,
    picture: Option<PictureRef>,
    record_of: Option<String>,
    keys: Vec<Vec<ButtonSpec>>,
    brief: bool,
    passing: bool,
    posts: bool,
    launches: bool,
    loud: bool,
    reply_to: Option<MessageId>,
    slot: Option<String>,
    secret: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    to_move: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<HintedAction>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    asks_again: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_of: Option<PersonId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_chat: Option<ChatId>,
}

impl From<View> for StoredView {
    fn from(view: View) -> Self {
        StoredView {
            texts: view.texts,
            picture: view.picture,
            record_of: view.record_of,
            keys: view.button_rows,
            brief: view.form.is_toast(),
            passing: view.purpose.is_ack(),
            posts: view.purpose.is_being_posted(),
            launches: view.purpose.launches_app(),
            loud: view.notification.is_audible(),
            reply_to: view.reply_to,
            slot: view.slot,
            secret: view.secret,
            to_move: view.priority.is_to_move(),
            hint: view.hint,
            asks_again: view.asks_again,
            data_of: view.data_of,
            data_chat: view.data_chat,
        }
    }
}

impl From<StoredView> for View {
    fn from(stored: StoredView) -> Self {
        let purpose = match (stored.launches, stored.posts, stored.passing) {
            (true, ..) => ReplyPurpose::AppLaunch,
            (false, true, _) => ReplyPurpose::BeingPosted,
            (false, false, true) => ReplyPurpose::Acknowledgement,
            (false, false, false) => ReplyPurpose::Answer,
        };
        View {
            texts: stored.texts,
            picture: stored.picture,
            record_of: stored.record_of,
            button_rows: stored.keys,
            form: ReplyForm::toast_if(stored.brief),
            purpose,
            notification: Notification::audible_if(stored.loud),
            reply_to: stored.reply_to,
            slot: stored.slot,
            secret: stored.secret,
            priority: HandPriority::to_move_if(stored.to_move),
            hint: stored.hint,
            asks_again: stored.asks_again,
            data_of: stored.data_of,
            data_chat: stored.data_chat,
        }
    }
}

/// A picture by reference; drawn when it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PictureRef {
    /// The view of one seat of a table. Only private messages to that person have it.
    Hand {
        /// Table code.
        table: String,
        /// The seat whose hand is shown.
        seat: u8,
    },
    /// The board of a table as everybody may see it, with the side of a seat below if the reader
    /// wants that. Only private messages have it.
    View {
        /// Table code.
        table: String,
        /// The seat whose side is below.
        seat: u8,
    },
    /// The board of a table as everybody may see it.
    Board {
        /// Table code.
        table: String,
    },
    /// All hands of a deal that is over.
    Deal {
        /// Table code.
        table: String,
        /// The number of the deal, from 1.
        n: u8,
    },
    /// The score of a table's game so far.
    Chart {
        /// Table code.
        table: String,
    },
    /// How likely each side of a finished game was to win, move by move.
    Review {
        /// Table code.
        table: String,
    },
    /// A finished game as it was before a move, as the seat saw it that was to move.
    Moment {
        /// Table code.
        table: String,
        /// How many steps it had.
        step: u32,
        /// The seat to move.
        seat: u8,
    },
    /// How the ratings of a person have changed. Only private messages to that person have it.
    Ratings {
        /// The id of the person.
        person: String,
    },
    /// The games that a person won and lost against another one in a chat. Only private messages to
    /// that person have it.
    HeadToHead {
        /// The id of the person.
        person: String,
        /// The id of the other one.
        opponent: String,
        /// The chat, without its topic; empty in replies that earlier versions stored, which show
        /// no games.
        #[serde(default)]
        chat: String,
    },
    /// The first places of a rating list.
    Ranking {
        /// Code of the games that count: those of a chat or of all, of a month or of all time.
        scope: String,
        /// Code of the list.
        list: String,
    },
    /// Samples of the themes, two side by side as their buttons are.
    Themes {
        /// Code of the game that is shown.
        game: String,
    },
    /// A teaching picture.
    Lesson {
        /// Code of the game.
        game: String,
        /// Name of the page.
        #[serde(default)]
        page: String,
        /// The move that was tried there.
        #[serde(default)]
        tried: Option<String>,
    },
}

/// A button before its label is translated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ButtonSpec {
    /// The label.
    pub label: Arg,
    /// The callback data of a press.
    #[serde(rename = "press")]
    pub callback_data: String,
    /// How it looks.
    pub tone: ButtonTone,
    /// Instead of a press, see [`super::Button::inline_query`].
    #[serde(default, rename = "begins")]
    pub inline_query: Option<String>,
    /// Instead of a press, see [`super::Button::link`].
    #[serde(default, rename = "opens")]
    pub link: Option<AppLink>,
}

impl View {
    /// Words alone, short enough for a toast.
    pub fn brief(text: Text) -> Self {
        View { texts: vec![text], form: ReplyForm::Toast, ..View::default() }
    }

    /// Words that stay until they are dismissed.
    pub fn persistent(texts: Vec<Text>) -> Self {
        View { texts, ..View::default() }
    }
}

impl ButtonSpec {
    /// An ordinary button.
    pub fn new(label: impl Into<Arg>, callback_data: impl Into<String>) -> Self {
        ButtonSpec {
            label: label.into(),
            callback_data: callback_data.into(),
            tone: ButtonTone::Plain,
            inline_query: None,
            link: None,
        }
    }

    /// A button that opens something outside of the chat.
    pub fn with_link(label: impl Into<Arg>, window: AppLink) -> Self {
        ButtonSpec { link: Some(window), ..ButtonSpec::new(label, "") }
    }

    /// The same button in another tone.
    #[must_use]
    pub fn with_tone(mut self, tone: ButtonTone) -> Self {
        self.tone = tone;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(purpose: ReplyPurpose) -> View {
        View { purpose, ..View::brief(Text::new("done-reply")) }
    }

    fn assert_stored_as(view: &View, row: &str) {
        assert_eq!(serde_json::to_string(view).unwrap(), row);
        assert_eq!(serde_json::from_str::<View>(row).unwrap(), *view);
    }

    #[test]
    fn each_purpose_is_stored_as_flags() {
        assert_stored_as(
            &reply(ReplyPurpose::Answer),
            concat!(
                r#"{"texts":[{"key":"done-reply","args":[]}],"picture":null,"record_of":null,"#,
                r#""keys":[],"brief":true,"passing":false,"posts":false,"launches":false,"#,
                r#""loud":false,"reply_to":null,"slot":null,"secret":false}"#,
            ),
        );
        assert_stored_as(
            &reply(ReplyPurpose::Acknowledgement),
            concat!(
                r#"{"texts":[{"key":"done-reply","args":[]}],"picture":null,"record_of":null,"#,
                r#""keys":[],"brief":true,"passing":true,"posts":false,"launches":false,"#,
                r#""loud":false,"reply_to":null,"slot":null,"secret":false}"#,
            ),
        );
        assert_stored_as(
            &reply(ReplyPurpose::BeingPosted),
            concat!(
                r#"{"texts":[{"key":"done-reply","args":[]}],"picture":null,"record_of":null,"#,
                r#""keys":[],"brief":true,"passing":true,"posts":true,"launches":false,"#,
                r#""loud":false,"reply_to":null,"slot":null,"secret":false}"#,
            ),
        );
        assert_stored_as(
            &reply(ReplyPurpose::AppLaunch),
            concat!(
                r#"{"texts":[{"key":"done-reply","args":[]}],"picture":null,"record_of":null,"#,
                r#""keys":[],"brief":true,"passing":false,"posts":false,"launches":true,"#,
                r#""loud":false,"reply_to":null,"slot":null,"secret":false}"#,
            ),
        );
    }

    #[test]
    fn a_row_has_every_field_but_a_priority_of_waiting() {
        assert_stored_as(
            &View::default(),
            concat!(
                r#"{"texts":[],"picture":null,"record_of":null,"keys":[],"brief":false,"#,
                r#""passing":false,"posts":false,"launches":false,"loud":false,"#,
                r#""reply_to":null,"slot":null,"secret":false}"#,
            ),
        );
        let hand = View {
            picture: Some(PictureRef::Hand { table: "7k3fx".into(), seat: 1 }),
            record_of: Some("7k3fx".into()),
            button_rows: vec![vec![ButtonSpec::new(Arg::Plain("A♠".into()), "p.7k3fx.1.A")]],
            notification: Notification::Audible,
            reply_to: Some(MessageId("12".into())),
            slot: Some("hand 7k3fx".into()),
            secret: true,
            priority: HandPriority::ToMove,
            ..View::persistent(vec![Text::new("hand-empty").with("count", 2_i64)])
        };
        assert_stored_as(
            &hand,
            concat!(
                r#"{"texts":[{"key":"hand-empty","args":[["count",{"Number":2}]]}],"#,
                r#""picture":{"Hand":{"table":"7k3fx","seat":1}},"record_of":"7k3fx","#,
                r#""keys":[[{"label":{"Plain":"A♠"},"press":"p.7k3fx.1.A","tone":"Plain","#,
                r#""begins":null,"opens":null}]],"brief":false,"passing":false,"#,
                r#""posts":false,"launches":false,"loud":true,"reply_to":"12","#,
                r#""slot":"hand 7k3fx","secret":true,"to_move":true}"#,
            ),
        );
    }

    #[test]
    fn rows_of_earlier_versions_lack_fields() {
        let text = r#""texts":[{"key":"done-reply","args":[]}]"#;
        let load = |row: String| serde_json::from_str::<View>(&row).unwrap();
        assert_eq!(load("{}".to_owned()), View::default());
        assert_eq!(load(format!(r#"{{{text},"brief":true}}"#)), reply(ReplyPurpose::Answer));
        let ack = load(format!(r#"{{{text},"brief":true,"passing":true}}"#));
        assert_eq!(ack, reply(ReplyPurpose::Acknowledgement));
        let posted = load(format!(r#"{{{text},"brief":true,"passing":true,"posts":true}}"#));
        assert_eq!(posted, reply(ReplyPurpose::BeingPosted));
        let audible = View { notification: Notification::Audible, ..View::default() };
        assert_eq!(load(r#"{"loud":true}"#.to_owned()), audible);
    }
}
