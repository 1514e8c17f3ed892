//! People who are named: asked to play, sent away, called in.

use super::Handlers;
use super::context::RequestContext;
use crate::commands::callback_data::{MentionAction, computer_newcomer};
use crate::repository::Failure;
use caravanserai_games::GameId;
use caravanserai_games::ids::PlaceKind;
use caravanserai_games::text::Text;
use caravanserai_protocol::{Mention, Person, PersonKind};
use caravanserai_table::command::{Command, KickTarget};
use caravanserai_table::event::DEFAULT_LEVEL;
use caravanserai_table::lobby_commands::is_same_invitee;
use caravanserai_table::{Event, Invitee, Refusal, Table};

impl Handlers {
    /// The events that ask friends, or why they cannot be asked.
    pub(super) async fn invitation_events(
        &self,
        visit: &RequestContext<'_>,
        game: GameId,
        friends: &[Mention],
    ) -> Result<Result<Vec<Event>, Text>, Failure> {
        let most = game.info().seats.1 - 1;
        if friends.len() > usize::from(most) {
            return Ok(Err(Text::new("refuse-too-many-friends").with("count", most)));
        }
        if !friends.is_empty() && visit.update.chat.kind == PlaceKind::Private {
            return Ok(Err(Text::new("refuse-private-invite")));
        }
        let mut invited: Vec<Invitee> = Vec::new();
        for friend in friends {
            let home = visit.update.chat.id.platform();
            let who = match self.resolve_invited_person(visit, friend, home).await? {
                Ok(who) => who,
                Err(refusal) => return Ok(Err(refusal)),
            };
            let own = &visit.update.person;
            let named = own.username.as_ref().map(|it| visit.account_name(it));
            if who.matches_person(&own.id, named.as_deref(), home) {
                return Ok(Err(Text::new("refuse-friend-self")));
            }
            if invited.iter().any(|it| is_same_invitee(it, &who)) {
                return Ok(Err(Text::new("refuse-friend-twice").with("name", &*who.name)));
            }
            invited.push(who);
        }
        let event = |it: Invitee| {
            let Invitee { person, username, name } = it;
            Event::Invited { person, username, name }
        };
        Ok(Ok(invited.into_iter().map(event).collect()))
    }

    /// Finds the person who was mentioned, or says why they cannot play. `home`: the platform of
    /// the table's home.
    async fn resolve_invited_person(
        &self,
        visit: &RequestContext<'_>,
        friend: &Mention,
        home: &str,
    ) -> Result<Result<Invitee, Text>, Failure> {
        Ok(match friend {
            Mention::Known(Person { kind: PersonKind::Human, id, name, username, .. }) => {
                let (person, username) =
                    (Some(self.repository.resolve_person(id).await?), username.clone());
                Ok(Invitee { person, username, name: name.clone() })
            }
            Mention::Known(Person { name, .. }) => {
                Err(Text::new("refuse-friend-bot").with("name", name.as_str()))
            }
            Mention::Username(username) => {
                // A username belongs to the platform on which it was written.
                let platform = visit.account.platform();
                let known = self.repository.find_by_username(platform, username).await?;
                if known.is_none()
                    && self.delivery.capabilities(&visit.update.chat.id).resolves_all_names
                {
                    let text = Text::new("refuse-nobody-called").with("name", username.as_str());
                    return Ok(Err(text));
                }
                let person = known.map(|(id, _)| id);
                Ok(Invitee { person, ..Invitee::by_username(username, platform, home) })
            }
        })
    }

    /// What is asked with somebody's name.
    pub(super) async fn resolve_mention_command(
        &self,
        visit: &RequestContext<'_>,
        table: &Table,
        deed: MentionAction,
        who: &[Mention],
    ) -> Result<Result<Command, Refusal>, Failure> {
        let no = |text| Refusal { text, is_stale: false };
        let mut named = Vec::new();
        for mention in who.iter().take(2) {
            match self.resolve_invited_person(visit, mention, table.home().platform()).await? {
                Ok(who) => named.push(who),
                Err(refusal) => return Ok(Err(no(refusal))),
            }
        }
        let seat = |who: &Invitee| who.person.as_ref().and_then(|it| table.seats_of(it).next());
        let mut named = named.into_iter();
        let (first, second) = (named.next(), named.next());
        Ok(Ok(match (deed, first, second) {
            (MentionAction::Kick, Some(who), _) => Command::Kick(KickTarget::Named(who)),
            (MentionAction::Substitute, Some(out), Some(newcomer)) => match seat(&out) {
                Some(seat) => Command::ProposeSubstitute { seat: Some(seat), newcomer },
                None => {
                    let text = Text::new("refuse-not-here").with("name", &*out.name);
                    return Ok(Err(no(text)));
                }
            },
            // Who plays is to be replaced by a computer, who does not comes for whoever asks.
            (MentionAction::Substitute, Some(who), None) => match seat(&who) {
                Some(seat) => Command::ProposeSubstitute {
                    seat: Some(seat),
                    newcomer: computer_newcomer(DEFAULT_LEVEL),
                },
                None => Command::ProposeSubstitute { seat: None, newcomer: who },
            },
            (MentionAction::Kick | MentionAction::Substitute, None, _) => {
                return Ok(Err(no(Text::new("refuse-nobody-named"))));
            }
        }))
    }
}
