//! A private answer that waits to be opened: as a small row, drawn when it is opened.

use serde::{Deserialize, Serialize};

use caravanserai_games::words::{Rich, Span};
use caravanserai_protocol::note::Note;
use caravanserai_protocol::{Button, Listener, Outgoing, Person, Place, Whisper};

/// What is kept of a private answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Kept {
    /// What it says, in no language and without a picture.
    Note(Box<Note>),
    /// Its words, if nothing else is known of it.
    Words(Box<Words>),
}

/// An answer without its picture and file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Words {
    text: Rich,
    buttons: Vec<Vec<Button>>,
    brief: bool,
    slot: Option<String>,
    secret: bool,
}

impl Kept {
    /// Keeps an answer.
    pub fn of(whisper: &Whisper) -> Self {
        if let Some(note) = &whisper.note {
            return Kept::Note(note.clone());
        }
        let mut text = whisper.message.text().clone();
        if let Some(image) = whisper.message.image().filter(|it| !it.alt.is_empty()) {
            text.0.push(Span::Plain(format!("\n\n{}", image.alt)));
        }
        Kept::Words(Box::new(Words {
            text,
            buttons: whisper.message.buttons().to_vec(),
            brief: whisper.brief,
            slot: whisper.slot.clone(),
            secret: whisper.secret,
        }))
    }

    /// The answer for the one who opens it; `None` if it is not for them any more.
    pub async fn open(
        self,
        listener: &dyn Listener,
        place: &Place,
        person: &Person,
    ) -> Option<Whisper> {
        match self {
            Kept::Note(note) => listener.say_again(place, person, *note).await,
            Kept::Words(words) => {
                let Words { text, buttons, brief, slot, secret } = *words;
                let message = Outgoing { text, buttons, ..Outgoing::default() }.into();
                Some(Whisper { message, brief, slot, secret, ..Whisper::default() })
            }
        }
    }
}
