//! Resolves the people that a command mentions.

use std::sync::Arc;

use super::context::RequestContext;
use super::request_error::RequestError;
use crate::delivery::Delivery;
use crate::repository::{Failure, Repository};
use caravanserai_games::GameId;
use caravanserai_games::ids::{ChatKind, PersonId};
use caravanserai_games::text::Text;
use caravanserai_protocol::{Mention, Person, PersonKind};
use caravanserai_table::lobby_commands::is_same_invitee;
use caravanserai_table::{Event, Invitee, Table};

/// Finds the people that a command mentions.
pub(crate) struct MentionResolver {
    repository: Arc<Repository>,
    delivery: Arc<Delivery>,
}

impl MentionResolver {
    pub(crate) fn new(repository: Arc<Repository>, delivery: Arc<Delivery>) -> Self {
        Self { repository, delivery }
    }

    /// The events that invite friends.
    ///
    /// # Errors
    /// When they cannot be invited.
    pub(crate) async fn invitation_events(
        &self,
        context: &RequestContext<'_>,
        game: GameId,
        friends: &[Mention],
    ) -> Result<Vec<Event>, RequestError<Text>> {
        let most = game.info().seats.most - 1;
        if friends.len() > usize::from(most) {
            let text = Text::new("refuse-too-many-friends").with("count", most);
            return Err(RequestError::Refused(text));
        }
        if !friends.is_empty() && context.update.chat.kind == ChatKind::Private {
            return Err(RequestError::Refused(Text::new("refuse-private-invite")));
        }
        let mut invited: Vec<Invitee> = Vec::new();
        for friend in friends {
            let home = context.update.chat.id.platform();
            let invitee = self.resolve_invited_person(context, friend, home).await?;
            let sender = &context.update.person;
            let username = sender.username.as_ref().map(|it| context.account_name(it));
            if invitee.matches_person(&sender.id, username.as_deref(), home) {
                return Err(RequestError::Refused(Text::new("refuse-friend-self")));
            }
            if invited.iter().any(|it| is_same_invitee(it, &invitee)) {
                let text = Text::new("refuse-friend-twice").with("name", &*invitee.name);
                return Err(RequestError::Refused(text));
            }
            invited.push(invitee);
        }
        Ok(invited.into_iter().map(Event::invitation).collect())
    }

    /// The person of an account, which must not be a bot.
    async fn resolve_human(&self, account: &Person) -> Result<PersonId, RequestError<Text>> {
        match account.kind {
            PersonKind::Human => Ok(self.repository.profiles().resolve_person(&account.id).await?),
            _ => {
                let text = Text::new("refuse-friend-bot").with("name", account.name.as_str());
                Err(RequestError::Refused(text))
            }
        }
    }

    /// The person who was mentioned, if they can play. `home`: the platform of the table's home.
    async fn resolve_invited_person(
        &self,
        context: &RequestContext<'_>,
        friend: &Mention,
        home: &str,
    ) -> Result<Invitee, RequestError<Text>> {
        Ok(match friend {
            Mention::Known(account) => {
                let (person, name) = self.known_person(context, account).await?;
                Invitee { person: Some(person), username: account.username.clone(), name }
            }
            Mention::Username(username) => {
                // A username belongs to the platform on which it was written.
                let platform = context.account.platform();
                let known = self.repository.profiles().find_by_username(platform, username).await?;
                if known.is_none()
                    && self.delivery.capabilities(&context.update.chat.id).resolves_all_names
                {
                    let text = Text::new("refuse-nobody-called").with("name", username.as_str());
                    return Err(RequestError::Refused(text));
                }
                let person = known.map(|(id, _)| id);
                let mut invitee = Invitee::by_username(username, platform, home);
                if let Some(person) = &person {
                    self.hide_name(context, person, &mut invitee.name).await?;
                }
                Invitee { person, ..invitee }
            }
        })
    }

    /// The person of an account, which must not be a bot, with the name that is shown in this chat.
    async fn known_person(
        &self,
        context: &RequestContext<'_>,
        account: &Person,
    ) -> Result<(PersonId, String), RequestError<Text>> {
        let person = self.resolve_human(account).await?;
        let mut name = account.name.clone();
        self.hide_name(context, &person, &mut name).await?;
        Ok((person, name))
    }

    /// Replaces the name of a person if it is hidden in this chat.
    async fn hide_name(
        &self,
        context: &RequestContext<'_>,
        person: &PersonId,
        name: &mut String,
    ) -> Result<(), Failure> {
        let hidden = self.repository.hidden_names().await?;
        hidden.replace(context.update.chat.id.without_topic(), person, name);
        Ok(())
    }

    /// A person who was mentioned, with their displayed name.
    ///
    /// # Errors
    /// When there is no such person.
    pub(crate) async fn find_person(
        &self,
        context: &RequestContext<'_>,
        mention: &Mention,
    ) -> Result<(PersonId, String), RequestError<Text>> {
        let home = context.update.chat.id.platform();
        let Invitee { person, name, .. } =
            self.resolve_invited_person(context, mention, home).await?;
        match person {
            Some(person) => Ok((person, name)),
            None => {
                Err(RequestError::Refused(Text::new("refuse-stats-unknown").with("name", name)))
            }
        }
    }

    /// A person who was mentioned and whom the bot knows, with their displayed name. `unknown`: the
    /// key of the refusal that names a person whom the bot does not know.
    ///
    /// # Errors
    /// When there is no such person.
    pub(crate) async fn find_known(
        &self,
        context: &RequestContext<'_>,
        mention: &Mention,
        unknown: &'static str,
    ) -> Result<(PersonId, String), RequestError<Text>> {
        match mention {
            Mention::Known(account) => self.known_person(context, account).await,
            Mention::Username(username) => {
                let platform = context.account.platform();
                let name = format!("@{username}");
                match self.repository.profiles().find_by_username(platform, username).await? {
                    Some((person, _)) => Ok((person, name)),
                    None => Err(RequestError::Refused(Text::new(unknown).with("name", name))),
                }
            }
        }
    }

    /// The first two people who were mentioned after a command.
    ///
    /// # Errors
    /// When one of them cannot be meant.
    pub(crate) async fn resolve_mentions(
        &self,
        context: &RequestContext<'_>,
        table: &Table,
        people: &[Mention],
    ) -> Result<(Option<Invitee>, Option<Invitee>), RequestError<Text>> {
        let home = table.chats.home().platform();
        let mut found = Vec::new();
        for mention in people.iter().take(2) {
            found.push(self.resolve_invited_person(context, mention, home).await?);
        }
        let mut found = found.into_iter();
        Ok((found.next(), found.next()))
    }
}
