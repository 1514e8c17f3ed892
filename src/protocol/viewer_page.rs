//! Pages that show more than the present board: a game step by step, its review, a page of a
//! course. Platforms that draw boards themselves show them better than a picture does.

use super::view::{PictureRef, View};
use caravanserai_games::ids::TableId;

/// A page to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewerPage {
    /// A game, step by step.
    Replay {
        /// The table.
        table: TableId,
        /// From which step on.
        from: u32,
        /// The seat whose side is below and whose hand is seen, where that is allowed; `None` for
        /// the reader's own.
        seat: Option<u8>,
    },
    /// Where a game turned.
    Review {
        /// The table.
        table: TableId,
        /// The moment that is meant, by how many steps the game had.
        step: Option<u32>,
    },
    /// A page of a course.
    Lesson {
        /// Code of the game.
        game: String,
        /// Its name.
        page: String,
        /// The move that was tried there.
        tried: Option<String>,
    },
}

impl ViewerPage {
    /// The page that a reply shows, if it shows one.
    pub fn of_view(note: &View) -> Option<ViewerPage> {
        let table = |id: &String| TableId(id.clone());
        match note.picture.as_ref() {
            Some(PictureRef::Review { table: id }) => {
                Some(ViewerPage::Review { table: table(id), step: None })
            }
            Some(PictureRef::Moment { table: id, step, .. }) => {
                Some(ViewerPage::Review { table: table(id), step: Some(*step) })
            }
            Some(PictureRef::Lesson { game, page, tried }) => Some(ViewerPage::Lesson {
                game: game.clone(),
                page: page.clone(),
                tried: tried.clone(),
            }),
            Some(
                PictureRef::Chart { .. }
                | PictureRef::Hand { .. }
                | PictureRef::View { .. }
                | PictureRef::Board { .. }
                | PictureRef::Deal { .. }
                | PictureRef::Ratings { .. }
                | PictureRef::HeadToHead { .. }
                | PictureRef::Ranking { .. }
                | PictureRef::Themes { .. },
            )
            | None => note.record_of.as_ref().map(|id| ViewerPage::replay(table(id))),
        }
    }

    /// A game from its beginning, from the side of the reader.
    pub fn replay(table: TableId) -> ViewerPage {
        ViewerPage::Replay { table, from: 0, seat: None }
    }

    /// Where a platform shows it, below its address of the chat.
    pub fn url_path(&self) -> String {
        match self {
            ViewerPage::Replay { table, .. } => format!("tables/{}/replay", table.0),
            ViewerPage::Review { table, step: None } => format!("tables/{}/review", table.0),
            ViewerPage::Review { table, step: Some(step) } => {
                format!("tables/{}/review?step={step}", table.0)
            }
            ViewerPage::Lesson { game, page, tried: None } => format!("lessons/{game}/{page}"),
            ViewerPage::Lesson { game, page, tried: Some(token) } => {
                format!("lessons/{game}/{page}?tried={}", token.replace('+', "%2B"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_a_note_have_an_address() {
        let with = |picture| View { picture: Some(picture), ..View::default() };
        let address = |note: &View| ViewerPage::of_view(note).map(|it| it.url_path());
        let lesson = |tried: Option<&str>| PictureRef::Lesson {
            game: "blot".into(),
            page: "cut".into(),
            tried: tried.map(str::to_owned),
        };
        let moment = PictureRef::Moment { table: "7k3fx".into(), step: 12, seat: 1 };
        assert_eq!(address(&with(moment)).as_deref(), Some("tables/7k3fx/review?step=12"));
        assert_eq!(address(&with(lesson(None))).as_deref(), Some("lessons/blot/cut"));
        let tried = address(&with(lesson(Some("4+2"))));
        assert_eq!(tried.as_deref(), Some("lessons/blot/cut?tried=4%2B2"));
        let record = View { record_of: Some("7k3fx".into()), ..View::default() };
        assert_eq!(address(&record).as_deref(), Some("tables/7k3fx/replay"));
        assert_eq!(address(&with(PictureRef::Board { table: "7k3fx".into() })), None);
    }
}
