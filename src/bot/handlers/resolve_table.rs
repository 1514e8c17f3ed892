//! Which table is meant, when nobody says it.

use super::Handlers;
use super::context::RequestContext;
use crate::commands::callback_data::{MentionAction, TableAction, TableCallback};
use crate::commands::request_parser::TableRef;
use crate::repository::{Failure, keys};
use crate::views::board_view;
use caravanserai_games::ids::TableId;
use caravanserai_games::ids::{PersonId, PlaceId, PlaceKind};
use caravanserai_games::rules::Seat;
use caravanserai_games::text::Text;
use caravanserai_i18n::vocabulary;
use caravanserai_protocol::view::{ButtonSpec, View};
use caravanserai_store::{Space, StoreQuery};
use caravanserai_table::command::{Command, MoveChoice, Proposal};
use caravanserai_table::state::{Table, TablePhase};

/// At most so many tables are offered to choose from.
const TABLES_OFFERED_MAX: usize = 10;

/// The table that is meant, or what to answer instead.
pub(super) enum TableResolution {
    Table(TableId),
    Answer(Vec<View>),
}

impl Handlers {
    pub(super) async fn resolve_table(
        &self,
        visit: &RequestContext<'_>,
        which: TableRef,
        ask: &TableAction,
    ) -> Result<TableResolution, Failure> {
        match which {
            TableRef::Id(table) => Ok(TableResolution::Table(table)),
            TableRef::Message(_) => match &visit.answered_table {
                Some(table) => Ok(TableResolution::Table(table.clone())),
                // A command may answer any message.
                None => self.resolve_own_table(visit, ask).await,
            },
            TableRef::Own => self.resolve_own_table(visit, ask).await,
        }
    }

    async fn resolve_own_table(
        &self,
        visit: &RequestContext<'_>,
        ask: &TableAction,
    ) -> Result<TableResolution, Failure> {
        let place = &visit.update.chat.id;
        let person = &visit.update.person.id;
        let of_last = matches!(
            ask,
            TableAction::Record
                | TableAction::Replay
                | TableAction::Review
                | TableAction::Do(Command::Propose(Proposal::Rematch))
        );
        if of_last {
            return self.resolve_last_table(visit).await;
        }
        let mut found: Vec<(TableId, TableFit, ButtonSpec)> = Vec::new();
        // Who asks for their table alone with the bot means one that they play elsewhere.
        let alone = *ask == TableAction::Private && visit.update.chat.kind == PlaceKind::Private;
        let open = match alone {
            true => self.tables_of(person).await?,
            false => self.open_tables(place).await?,
        };
        let any = !open.is_empty();
        for id in open {
            let Ok(Some(table)) = self.repository.load_table(&id).await else { continue };
            let fit = request_fit(&table, place, person, ask);
            if fit > TableFit::NoMatch
                && let Some(press) = callback_for_table(&table, person, ask)
            {
                found.push((
                    id,
                    fit,
                    ButtonSpec::new(board_view::table_line(&table, person), press),
                ));
            }
        }
        let best = found.iter().map(|(_, fit, _)| *fit).max().unwrap_or(TableFit::NoMatch);
        found.retain(|(_, fit, _)| *fit == best);
        let of_ended = matches!(
            ask,
            TableAction::Chart
                | TableAction::Deal { .. }
                | TableAction::Decline(Proposal::Rematch)
                | TableAction::Do(Command::AnswerOffer { .. })
        );
        if found.is_empty() && of_ended {
            // A rematch is offered where the game is over, and a chart is of that game.
            return self.resolve_last_table(visit).await;
        }
        if found.is_empty() {
            return Ok(TableResolution::Answer(vec![View::brief(no_table_text(ask, any))]));
        }
        if found.len() == 1 {
            return Ok(TableResolution::Table(found.swap_remove(0).0));
        }
        let keys =
            found.into_iter().take(TABLES_OFFERED_MAX).map(|(.., key)| key).collect::<Vec<_>>();
        // Five rows are what every platform shows: two abreast when there are more.
        let wide = keys.len().div_ceil(5);
        let keys = keys.chunks(wide).map(<[ButtonSpec]>::to_vec).collect();
        let texts = vec![Text::new("which-table")];
        Ok(TableResolution::Answer(vec![View { texts, keys, ..View::default() }]))
    }

    /// The game that a person finished last here, else the one that anybody did.
    async fn resolve_last_table(
        &self,
        visit: &RequestContext<'_>,
    ) -> Result<TableResolution, Failure> {
        let place = &visit.update.chat.id;
        // The game of any of their accounts.
        let own = std::iter::once(&visit.update.person.id).chain(&visit.person.accounts);
        let own = own.map(|it| keys::last_table_of(place, it));
        let keys = own.chain([keys::last_table(place)]);
        let reads: Vec<StoreQuery> =
            keys.map(|key| StoreQuery::value_of(Space::Meta, key)).collect();
        for found in self.repository.read_many(&reads).await? {
            if let Some(last) = found.value()? {
                return Ok(TableResolution::Table(TableId(
                    String::from_utf8_lossy(&last).into_owned(),
                )));
            }
        }
        Ok(TableResolution::Answer(vec![View::brief(Text::new("refuse-none-finished"))]))
    }

    /// The open tables of a place, oldest code first.
    pub(super) async fn open_tables(&self, place: &PlaceId) -> Result<Vec<TableId>, Failure> {
        self.listed_tables(Space::PlaceTable, &place.0).await
    }

    /// The open tables of a person, everywhere.
    pub(super) async fn tables_of(&self, person: &PersonId) -> Result<Vec<TableId>, Failure> {
        self.listed_tables(Space::PersonTable, &person.0).await
    }

    /// The open tables at which a person does not sit, and is somebody all the same.
    pub(super) async fn tables_naming(&self, who: &PersonId) -> Result<Vec<TableId>, Failure> {
        self.listed_tables(Space::PersonTable, &keys::named_prefix(who)).await
    }

    async fn listed_tables(&self, space: Space, owner: &str) -> Result<Vec<TableId>, Failure> {
        // All of them, because changes of a person apply to each table. Lists are cut when shown.
        let rows = self.repository.read_all_rows(space, &format!("{owner} ")).await?;
        Ok(rows.iter().map(|(key, _)| TableId(keys::last_part(key).to_owned())).collect())
    }
}

/// Why no table fits what is asked: a sentence for each situation. `any`: whether others play here.
fn no_table_text(ask: &TableAction, any: bool) -> Text {
    let key = match ask {
        TableAction::Do(Command::Join | Command::TakeOver { .. }) => "refuse-nothing-to-join",
        TableAction::Decline(_)
        | TableAction::Do(Command::AnswerOffer { .. } | Command::DeclineInvitation) => {
            "refuse-nothing-offered"
        }
        TableAction::Settings
        | TableAction::Invite
        | TableAction::Set { .. }
        | TableAction::Levels
        | TableAction::Level { .. }
        | TableAction::Clocks(_)
        | TableAction::Guests
        | TableAction::Named { deed: MentionAction::Kick, .. }
        | TableAction::Do(Command::Start | Command::Cancel | Command::SetTimeControl(_)) => {
            "refuse-none-waiting"
        }
        TableAction::Bring { watches } => {
            let command = if *watches { "watch" } else { "bring" };
            return Text::new("refuse-which-code").with("command", command);
        }
        TableAction::Stop => "refuse-nothing-brought",
        _ if any => "refuse-not-playing-here",
        _ => "refuse-no-table-here",
    };
    Text::new(key)
}

/// How well a table fits what a person asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TableFit {
    /// Not at all.
    NoMatch,
    /// Only to say why not.
    OnlyToRefuse,
    /// They could mean it.
    Possible,
    /// They most probably mean it.
    Likely,
}

/// Whether something is offered that this person did not offer themselves.
fn has_offer_for(table: &Table, person: &PersonId) -> bool {
    let own_offer = |by: u8| table.seats_of(person).any(|it| it == by);
    let asked_in = table.newcomer.as_ref().is_some_and(|it| it.asked_themselves);
    table.offer.is_some_and(|(by, _)| asked_in || !own_offer(by))
}

fn match_or_none(it: bool) -> TableFit {
    if it { TableFit::Likely } else { TableFit::NoMatch }
}

fn likely_or_possible(well: bool, maybe: bool) -> TableFit {
    match (well, maybe) {
        (true, _) => TableFit::Likely,
        (false, true) => TableFit::Possible,
        (false, false) => TableFit::NoMatch,
    }
}

fn request_fit(table: &Table, place: &PlaceId, person: &PersonId, ask: &TableAction) -> TableFit {
    let seated = table.seats_of(person).next().is_some();
    let on_turn =
        table.seat_to_move().is_some_and(|turn| table.seats_of(person).any(|it| it == turn));
    let playing = table.phase == TablePhase::Playing;
    let hides = table.game_id().info().hidden;
    match ask {
        TableAction::Board
        | TableAction::Text
        | TableAction::View
        | TableAction::Options { .. }
        | TableAction::Verify
        | TableAction::Page
        | TableAction::Launch => likely_or_possible(seated, true),
        TableAction::Private => {
            likely_or_possible(seated && playing && !table.is_solo(), !table.is_solo())
        }
        TableAction::Stop => {
            match_or_none(table.location_in(place).is_some() && place != table.home())
        }
        // A table that is somewhere else is named.
        TableAction::Bring { .. }
        | TableAction::Record
        | TableAction::Replay
        | TableAction::Review
        | TableAction::Moment { .. } => TableFit::NoMatch,
        TableAction::Chart => likely_or_possible(seated && playing, playing),
        TableAction::Settings
        | TableAction::Set { .. }
        | TableAction::Levels
        | TableAction::Level { .. }
        | TableAction::Clocks(_) => match_or_none(!playing),
        TableAction::Invite => likely_or_possible(seated && !playing, !playing),
        TableAction::Guests | TableAction::Named { deed: MentionAction::Kick, .. } => {
            match_or_none(seated && !playing)
        }
        TableAction::StandIns | TableAction::Named { deed: MentionAction::Substitute, .. } => {
            likely_or_possible(seated && playing, playing)
        }
        TableAction::More { .. } | TableAction::Slot { .. } | TableAction::Hint => {
            likely_or_possible(seated && on_turn, seated && playing)
        }
        TableAction::Plan => likely_or_possible(seated && playing && !on_turn, seated && playing),
        TableAction::Hand => likely_or_possible(seated && playing && hides, seated && playing),
        TableAction::Deal { .. } => {
            likely_or_possible(seated && playing && hides, playing && hides)
        }
        TableAction::Sheet(_) | TableAction::Menu => likely_or_possible(seated && playing, playing),
        TableAction::Decline(proposal) => {
            match table.offer.is_some_and(|it| proposal.is_of(it.1)) {
                true => {
                    command_fit(table, person, &Command::AnswerOffer { offer: None, accept: false })
                }
                false => TableFit::NoMatch,
            }
        }
        TableAction::Do(command) => command_fit(table, person, command),
    }
}

/// The same for what is done at a table.
fn command_fit(table: &Table, person: &PersonId, command: &Command) -> TableFit {
    let seated = table.seats_of(person).next().is_some();
    let on_turn =
        table.seat_to_move().is_some_and(|turn| table.seats_of(person).any(|it| it == turn));
    let playing = table.phase == TablePhase::Playing;
    let offered = has_offer_for(table, person);
    match command {
        Command::Play { .. } => likely_or_possible(seated && on_turn, seated && playing),
        Command::SetConditionalMoves(_) => {
            likely_or_possible(seated && playing && !on_turn, seated && playing)
        }
        Command::Join => likely_or_possible(!seated && !playing, !seated),
        Command::DeclineInvitation | Command::AnswerOffer { .. } => {
            let asked = !seated && !playing && !table.invited.is_empty();
            let comes = !seated && table.newcomer.is_some();
            match (seated && offered) || asked || comes {
                true => TableFit::Likely,
                false if seated => TableFit::OnlyToRefuse,
                false => TableFit::NoMatch,
            }
        }
        Command::ExplainDecline(_) => TableFit::NoMatch,
        Command::Leave => likely_or_possible(seated && !playing, seated),
        Command::Cancel
        | Command::SetHouseRule(_)
        | Command::SetFirstMover(_)
        | Command::Sit { .. }
        | Command::Kick(_)
        | Command::AddComputer(_)
        | Command::ChangeComputerLevel { .. }
        | Command::SetHints(_)
        | Command::RemoveComputer
        | Command::SetSeatCount(_)
        | Command::Start
        | Command::KeepOpen
        | Command::SetTimeControl(_)
        | Command::SetSubstituteLevel(_)
        | Command::RemindInvited => match_or_none(seated && !playing),
        // Admins name the table.
        Command::CallOff => TableFit::NoMatch,
        Command::TakeOver { .. } => match_or_none(!seated && playing),
        Command::Attach(_) | Command::Detach(_) => TableFit::NoMatch,
        Command::SetPublic(_) => likely_or_possible(seated && playing, seated),
        Command::Return => {
            let away = table.recorded_vacation(person).is_some()
                || table.seats_of(person).any(|it| table.computer_level_of(it).is_some());
            likely_or_possible(away, seated && playing)
        }
        Command::ClaimWin => {
            let due = table.seats_of(person).any(|it| table.claimable_from(it).is_some());
            likely_or_possible(due, seated && playing)
        }
        Command::Resign
        | Command::Abort
        | Command::Nudge
        | Command::Propose(_)
        | Command::ProposeSubstitute { .. } => likely_or_possible(seated && playing, seated),
    }
}

/// The button that asks the same of this table. A typed move must be one that this table
/// understands.
pub(super) fn callback_for_table(
    table: &Table,
    person: &PersonId,
    ask: &TableAction,
) -> Option<String> {
    let ask = match ask {
        TableAction::Do(Command::Play { position: None, choice: MoveChoice::Typed(words) }) => {
            let seat = table.seat_to_move().or_else(|| table.seats_of(person).next())?;
            let token =
                table.game.as_deref().and_then(|it| it.parse_move(Seat(seat), words, vocabulary()));
            // A move that is not understood is refused by the table itself.
            let token = token.unwrap_or_else(|| "-".into());
            let position = Some(table.position);
            TableAction::Do(Command::Play { position, choice: MoveChoice::Token(token) })
        }
        TableAction::Decline(_) => {
            let offer = table.offer.map(|(_, offer)| offer);
            TableAction::Do(Command::AnswerOffer { offer, accept: false })
        }
        other => other.clone(),
    };
    Some(TableCallback { table: table.id.clone(), action: ask }.encode())
}
