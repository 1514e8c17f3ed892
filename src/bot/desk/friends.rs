//! People who are named: asked to play, sent away, called in.

use super::Desk;
use super::visit::Visit;
use crate::ledger::Failure;
use caravanserai_games::GameId;
use caravanserai_games::ids::PlaceKind;
use caravanserai_games::words::Text;
use caravanserai_protocol::press::{Deed, a_computer};
use caravanserai_protocol::{Mention, Person, PersonKind};
use caravanserai_table::command::{Command, Target};
use caravanserai_table::event::DEFAULT_LEVEL;
use caravanserai_table::lobby::is_same;
use caravanserai_table::{Event, Invited, Refusal, Table};

impl Desk {
    /// The events that ask friends, or why they cannot be asked.
    pub(super) async fn invitations(
        &self,
        visit: &Visit<'_>,
        game: GameId,
        friends: &[Mention],
    ) -> Result<Result<Vec<Event>, Text>, Failure> {
        let most = game.info().seats.1 - 1;
        if friends.len() > usize::from(most) {
            return Ok(Err(Text::new("refuse-too-many-friends").with("count", most)));
        }
        if !friends.is_empty() && visit.update.place.kind == PlaceKind::Private {
            return Ok(Err(Text::new("refuse-private-invite")));
        }
        let mut invited: Vec<Invited> = Vec::new();
        for friend in friends {
            let home = visit.update.place.id.platform();
            let who = match self.friend(visit, friend, home).await? {
                Ok(who) => who,
                Err(refusal) => return Ok(Err(refusal)),
            };
            let own = &visit.update.person;
            let named = own.username.as_ref().map(|it| visit.named(it));
            if who.is(&own.id, named.as_deref(), home) {
                return Ok(Err(Text::new("refuse-friend-self")));
            }
            if invited.iter().any(|it| is_same(it, &who)) {
                return Ok(Err(Text::new("refuse-friend-twice").with("name", &*who.name)));
            }
            invited.push(who);
        }
        let event = |it: Invited| {
            let Invited { person, username, name } = it;
            Event::Invited { person, username, name }
        };
        Ok(Ok(invited.into_iter().map(event).collect()))
    }

    /// Finds the person who was mentioned, or says why they cannot play. `home`: the platform of
    /// the table's home.
    async fn friend(
        &self,
        visit: &Visit<'_>,
        friend: &Mention,
        home: &str,
    ) -> Result<Result<Invited, Text>, Failure> {
        Ok(match friend {
            Mention::Known(Person { kind: PersonKind::Human, id, name, username, .. }) => {
                let (person, username) = (Some(self.ledger.behind(id).await?), username.clone());
                Ok(Invited { person, username, name: name.clone() })
            }
            Mention::Known(Person { name, .. }) => {
                Err(Text::new("refuse-friend-bot").with("name", name.as_str()))
            }
            Mention::Username(username) => {
                // A username belongs to the platform on which it was written.
                let platform = visit.account.platform();
                let known = self.ledger.by_username(platform, username).await?;
                if known.is_none() && self.post.manners(&visit.update.place.id).knows_everybody {
                    let text = Text::new("refuse-nobody-called").with("name", username.as_str());
                    return Ok(Err(text));
                }
                let person = known.map(|(id, _)| id);
                Ok(Invited { person, ..Invited::called(username, platform, home) })
            }
        })
    }

    /// What is asked with somebody's name.
    pub(super) async fn concerning(
        &self,
        visit: &Visit<'_>,
        table: &Table,
        deed: Deed,
        who: &[Mention],
    ) -> Result<Result<Command, Refusal>, Failure> {
        let no = |text| Refusal { text, stale: false };
        let mut named = Vec::new();
        for mention in who.iter().take(2) {
            match self.friend(visit, mention, table.home().platform()).await? {
                Ok(who) => named.push(who),
                Err(refusal) => return Ok(Err(no(refusal))),
            }
        }
        let seat = |who: &Invited| who.person.as_ref().and_then(|it| table.seats_of(it).next());
        let mut named = named.into_iter();
        let (first, second) = (named.next(), named.next());
        Ok(Ok(match (deed, first, second) {
            (Deed::Kick, Some(who), _) => Command::Kick(Target::Named(who)),
            (Deed::Substitute, Some(out), Some(newcomer)) => match seat(&out) {
                Some(seat) => Command::Substitute { seat: Some(seat), newcomer },
                None => {
                    let text = Text::new("refuse-not-here").with("name", &*out.name);
                    return Ok(Err(no(text)));
                }
            },
            // Who plays is to be replaced by a computer, who does not comes for whoever asks.
            (Deed::Substitute, Some(who), None) => match seat(&who) {
                Some(seat) => {
                    Command::Substitute { seat: Some(seat), newcomer: a_computer(DEFAULT_LEVEL) }
                }
                None => Command::Substitute { seat: None, newcomer: who },
            },
            (Deed::Kick | Deed::Substitute, None, _) => {
                return Ok(Err(no(Text::new("refuse-nobody-named"))));
            }
        }))
    }
}
