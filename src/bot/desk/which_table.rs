//! Which table is meant, when nobody says it.

use super::Desk;
use super::visit::Visit;
use crate::ledger::{Failure, keys};
use caravanserai_games::ids::TableId;
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind};
use caravanserai_games::rules::Seat;
use caravanserai_games::words::Text;
use caravanserai_i18n::vocabulary;
use caravanserai_protocol::note::{Key, Note};
use caravanserai_protocol::present;
use caravanserai_protocol::press::{Ask, Deed, TablePress};
use caravanserai_protocol::request::Which;
use caravanserai_store::{Read, Space};
use caravanserai_table::command::{Choice, Command, Proposal};
use caravanserai_table::fold::{Phase, Table};

/// At most so many tables are offered to choose from.
const OFFERED: usize = 10;

/// The table that is meant, or what to answer instead.
pub(super) enum Meant {
    Table(TableId),
    Answer(Vec<Note>),
}

impl Desk {
    pub(super) async fn which(
        &self,
        visit: &Visit<'_>,
        which: Which,
        ask: &Ask,
    ) -> Result<Meant, Failure> {
        match which {
            Which::Id(table) => Ok(Meant::Table(table)),
            Which::Message(_) => match &visit.answers {
                Some(table) => Ok(Meant::Table(table.clone())),
                // A command may answer any message.
                None => self.own(visit, ask).await,
            },
            Which::Own => self.own(visit, ask).await,
        }
    }

    async fn own(&self, visit: &Visit<'_>, ask: &Ask) -> Result<Meant, Failure> {
        let place = &visit.update.place.id;
        let person = &visit.update.person.id;
        let of_last = matches!(
            ask,
            Ask::Record | Ask::Replay | Ask::Review | Ask::Do(Command::Propose(Proposal::Rematch))
        );
        if of_last {
            return self.last_table(visit).await;
        }
        let mut found: Vec<(TableId, Fit, Key)> = Vec::new();
        // Who asks for their table alone with the bot means one that they play elsewhere.
        let alone = *ask == Ask::Private && visit.update.place.kind == PlaceKind::Private;
        let open = match alone {
            true => self.tables_of(person).await?,
            false => self.open_tables(place).await?,
        };
        let any = !open.is_empty();
        for id in open {
            let Ok(Some(table)) = self.ledger.look(&id).await else { continue };
            let fit = fit(&table, place, person, ask);
            if fit > Fit::No
                && let Some(press) = spelled(&table, person, ask)
            {
                found.push((id, fit, Key::new(present::line(&table, person), press)));
            }
        }
        let best = found.iter().map(|(_, fit, _)| *fit).max().unwrap_or(Fit::No);
        found.retain(|(_, fit, _)| *fit == best);
        let of_ended = matches!(
            ask,
            Ask::Chart
                | Ask::Deal { .. }
                | Ask::Decline(Proposal::Rematch)
                | Ask::Do(Command::Answer { .. })
        );
        if found.is_empty() && of_ended {
            // A rematch is offered where the game is over, and a chart is of that game.
            return self.last_table(visit).await;
        }
        if found.is_empty() {
            return Ok(Meant::Answer(vec![Note::brief(nothing(ask, any))]));
        }
        if found.len() == 1 {
            return Ok(Meant::Table(found.swap_remove(0).0));
        }
        let keys = found.into_iter().take(OFFERED).map(|(.., key)| key).collect::<Vec<_>>();
        // Five rows are what every platform shows: two abreast when there are more.
        let wide = keys.len().div_ceil(5);
        let keys = keys.chunks(wide).map(<[Key]>::to_vec).collect();
        let texts = vec![Text::new("which-table")];
        Ok(Meant::Answer(vec![Note { texts, keys, ..Note::default() }]))
    }

    /// The game that a person finished last here, else the one that anybody did.
    async fn last_table(&self, visit: &Visit<'_>) -> Result<Meant, Failure> {
        let place = &visit.update.place.id;
        // The game of any of their accounts.
        let own = std::iter::once(&visit.update.person.id).chain(&visit.person.accounts);
        let own = own.map(|it| keys::last_table_of(place, it));
        let keys = own.chain([keys::last_table(place)]);
        let reads: Vec<Read> = keys.map(|key| Read::value(Space::Meta, key)).collect();
        for found in self.ledger.read(&reads).await? {
            if let Some(last) = found.value()? {
                return Ok(Meant::Table(TableId(String::from_utf8_lossy(&last).into_owned())));
            }
        }
        Ok(Meant::Answer(vec![Note::brief(Text::new("refuse-none-finished"))]))
    }

    /// The open tables of a place, oldest code first.
    pub(super) async fn open_tables(&self, place: &PlaceId) -> Result<Vec<TableId>, Failure> {
        self.tables_under(Space::PlaceTable, &place.0).await
    }

    /// The open tables of a person, everywhere.
    pub(super) async fn tables_of(&self, person: &PersonId) -> Result<Vec<TableId>, Failure> {
        self.tables_under(Space::PersonTable, &person.0).await
    }

    /// The open tables at which a person does not sit, and is somebody all the same.
    pub(super) async fn tables_that_name(&self, who: &PersonId) -> Result<Vec<TableId>, Failure> {
        self.tables_under(Space::PersonTable, &keys::named(who)).await
    }

    async fn tables_under(&self, space: Space, owner: &str) -> Result<Vec<TableId>, Failure> {
        // All of them, because changes of a person apply to each table. Lists are cut when shown.
        let rows = self.ledger.all_rows(space, &format!("{owner} ")).await?;
        Ok(rows.iter().map(|(key, _)| TableId(keys::tail(key).to_owned())).collect())
    }
}

/// Why no table fits what is asked: a sentence for each situation. `any`: whether others play here.
fn nothing(ask: &Ask, any: bool) -> Text {
    let key = match ask {
        Ask::Do(Command::Join | Command::TakeOver { .. }) => "refuse-nothing-to-join",
        Ask::Decline(_) | Ask::Do(Command::Answer { .. } | Command::Refuse) => {
            "refuse-nothing-offered"
        }
        Ask::Settings
        | Ask::Invite
        | Ask::Set { .. }
        | Ask::Levels
        | Ask::Level { .. }
        | Ask::Clocks(_)
        | Ask::Guests
        | Ask::Named { deed: Deed::Kick, .. }
        | Ask::Do(Command::Start | Command::Cancel | Command::Clock(_)) => "refuse-none-waiting",
        Ask::Bring { watches } => {
            let command = if *watches { "watch" } else { "bring" };
            return Text::new("refuse-which-code").with("command", command);
        }
        Ask::Stop => "refuse-nothing-brought",
        _ if any => "refuse-not-playing-here",
        _ => "refuse-no-table-here",
    };
    Text::new(key)
}

/// How well a table fits what a person asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// Not at all.
    No,
    /// Only to say why not.
    Barely,
    /// They could mean it.
    Maybe,
    /// They most probably mean it.
    Well,
}

/// Whether something is offered that this person did not offer themselves.
fn is_offered(table: &Table, person: &PersonId) -> bool {
    let own_offer = |by: u8| table.seats_of(person).any(|it| it == by);
    let asked_in = table.newcomer.as_ref().is_some_and(|it| it.asked);
    table.offer.is_some_and(|(by, _)| asked_in || !own_offer(by))
}

fn yes(it: bool) -> Fit {
    if it { Fit::Well } else { Fit::No }
}

fn or_maybe(well: bool, maybe: bool) -> Fit {
    match (well, maybe) {
        (true, _) => Fit::Well,
        (false, true) => Fit::Maybe,
        (false, false) => Fit::No,
    }
}

fn fit(table: &Table, place: &PlaceId, person: &PersonId, ask: &Ask) -> Fit {
    let seated = table.seats_of(person).next().is_some();
    let on_turn = table.turn().is_some_and(|turn| table.seats_of(person).any(|it| it == turn));
    let playing = table.phase == Phase::Playing;
    let hides = table.game_id().info().hidden;
    match ask {
        Ask::Board
        | Ask::Text
        | Ask::View
        | Ask::Options { .. }
        | Ask::Verify
        | Ask::Page
        | Ask::Launch => or_maybe(seated, true),
        Ask::Private => or_maybe(seated && playing && !table.is_solo(), !table.is_solo()),
        Ask::Stop => yes(table.spot(place).is_some() && place != table.home()),
        // A table that is somewhere else is named.
        Ask::Bring { .. } | Ask::Record | Ask::Replay | Ask::Review | Ask::Moment { .. } => Fit::No,
        Ask::Chart => or_maybe(seated && playing, playing),
        Ask::Settings | Ask::Set { .. } | Ask::Levels | Ask::Level { .. } | Ask::Clocks(_) => {
            yes(!playing)
        }
        Ask::Invite => or_maybe(seated && !playing, !playing),
        Ask::Guests | Ask::Named { deed: Deed::Kick, .. } => yes(seated && !playing),
        Ask::StandIns | Ask::Named { deed: Deed::Substitute, .. } => {
            or_maybe(seated && playing, playing)
        }
        Ask::More { .. } | Ask::Slot { .. } | Ask::Hint => {
            or_maybe(seated && on_turn, seated && playing)
        }
        Ask::Plan => or_maybe(seated && playing && !on_turn, seated && playing),
        Ask::Hand => or_maybe(seated && playing && hides, seated && playing),
        Ask::Deal { .. } => or_maybe(seated && playing && hides, playing && hides),
        Ask::Sheet(_) | Ask::Menu => or_maybe(seated && playing, playing),
        Ask::Decline(proposal) => match table.offer.is_some_and(|it| proposal.is_of(it.1)) {
            true => fits(table, person, &Command::Answer { offer: None, accept: false }),
            false => Fit::No,
        },
        Ask::Do(command) => fits(table, person, command),
    }
}

/// The same for what is done at a table.
fn fits(table: &Table, person: &PersonId, command: &Command) -> Fit {
    let seated = table.seats_of(person).next().is_some();
    let on_turn = table.turn().is_some_and(|turn| table.seats_of(person).any(|it| it == turn));
    let playing = table.phase == Phase::Playing;
    let offered = is_offered(table, person);
    match command {
        Command::Play { .. } => or_maybe(seated && on_turn, seated && playing),
        Command::Foresee(_) => or_maybe(seated && playing && !on_turn, seated && playing),
        Command::Join => or_maybe(!seated && !playing, !seated),
        Command::Refuse | Command::Answer { .. } => {
            let asked = !seated && !playing && !table.invited.is_empty();
            let comes = !seated && table.newcomer.is_some();
            match (seated && offered) || asked || comes {
                true => Fit::Well,
                false if seated => Fit::Barely,
                false => Fit::No,
            }
        }
        Command::Explain(_) => Fit::No,
        Command::Leave => or_maybe(seated && !playing, seated),
        Command::Cancel
        | Command::Vary(_)
        | Command::Order(_)
        | Command::Sit { .. }
        | Command::Kick(_)
        | Command::AddComputer(_)
        | Command::Relevel { .. }
        | Command::Hints(_)
        | Command::RemoveComputer
        | Command::Seats(_)
        | Command::Start
        | Command::Extend
        | Command::Clock(_)
        | Command::Helper(_)
        | Command::Remind => yes(seated && !playing),
        // Admins name the table.
        Command::CallOff => Fit::No,
        Command::TakeOver { .. } => yes(!seated && playing),
        Command::Attach(_) | Command::Detach(_) => Fit::No,
        Command::Publish(_) => or_maybe(seated && playing, seated),
        Command::ComeBack => {
            let away = table.notes_vacation(person).is_some()
                || table.seats_of(person).any(|it| table.played_by(it).is_some());
            or_maybe(away, seated && playing)
        }
        Command::Claim => {
            let due = table.seats_of(person).any(|it| table.claimable_from(it).is_some());
            or_maybe(due, seated && playing)
        }
        Command::Resign
        | Command::Abort
        | Command::Nudge
        | Command::Propose(_)
        | Command::Substitute { .. } => or_maybe(seated && playing, seated),
    }
}

/// The button that asks the same of this table. A typed move must be one that this table
/// understands.
pub(super) fn spelled(table: &Table, person: &PersonId, ask: &Ask) -> Option<String> {
    let ask = match ask {
        Ask::Do(Command::Play { position: None, choice: Choice::Typed(words) }) => {
            let seat = table.turn().or_else(|| table.seats_of(person).next())?;
            let token =
                table.game.as_deref().and_then(|it| it.guess(Seat(seat), words, vocabulary()));
            // A move that is not understood is refused by the table itself.
            let token = token.unwrap_or_else(|| "-".into());
            let position = Some(table.position);
            Ask::Do(Command::Play { position, choice: Choice::Token(token) })
        }
        Ask::Decline(_) => {
            let offer = table.offer.map(|(_, offer)| offer);
            Ask::Do(Command::Answer { offer, accept: false })
        }
        other => other.clone(),
    };
    Some(TablePress { table: table.id.clone(), ask }.write())
}
