//! Lets a person block and unblock others, and answers when a block keeps two people apart.
//!
//! Only the person who blocks learns of it. The answers to all others name no block and no reason;
//! a person who compares many of them can still guess it.

use std::sync::Arc;

use super::context::{HandlerResult, RequestContext, brief_views};
use super::mention_resolver::MentionResolver;
use super::update_committer::UpdateCommitter;
use crate::delivery::Delivery;
use crate::personal_data::deletion_requests::DeletionRequests;
use crate::repository::block_lists::{BLOCKED_MAX, BlockOutcome};
use crate::repository::{Failure, Repository, SeatBlock};
use crate::views::block_views;
use caravanserai_games::ids::{ChatKind, PersonId};
use caravanserai_games::text::Text;
use caravanserai_protocol::Mention;
use caravanserai_protocol::view::View;
use caravanserai_table::seat_encounters::EncounterKind;

/// Keeps whom people have blocked.
pub(crate) struct BlockListHandler {
    repository: Arc<Repository>,
    delivery: Arc<Delivery>,
    committer: Arc<UpdateCommitter>,
    mentions: Arc<MentionResolver>,
}

impl BlockListHandler {
    pub(crate) fn new(
        repository: Arc<Repository>,
        delivery: Arc<Delivery>,
        committer: Arc<UpdateCommitter>,
        mentions: Arc<MentionResolver>,
    ) -> Self {
        Self { repository, delivery, committer, mentions }
    }

    /// Blocks a person who was mentioned.
    pub(crate) async fn block(
        &self,
        context: &RequestContext<'_>,
        mention: &Mention,
    ) -> HandlerResult {
        let unknown = "refuse-block-unknown";
        let (person, name) = self.mentions.find_known(context, mention, unknown).await?;
        let own = &context.update.person.id;
        if person == *own {
            return Ok(brief_views("refuse-block-self"));
        }
        if DeletionRequests::new(&self.repository).is_running(&person).await? {
            return Ok(vec![View::brief(Text::new(unknown).with("name", name))]);
        }
        let key = match self.repository.block_lists().block(own, &person, &name).await? {
            BlockOutcome::Conflict => return Ok(brief_views("refuse-busy")),
            BlockOutcome::ListFull => {
                let count = BLOCKED_MAX as i64;
                return Ok(vec![View::brief(Text::new("refuse-block-full").with("count", count))]);
            }
            BlockOutcome::Blocked => "answer-block-done",
            BlockOutcome::AlreadyBlocked => "answer-block-already",
        };
        let mut texts = vec![Text::new(key).with("name", name)];
        let tables = self.repository.external_events();
        if tables.end_blocked_invitations(own, &person, &context.update.id).await? {
            texts.push(Text::new("answer-block-invitations"));
        }
        tables.withdraw_blocked_rematches(own, &person, &context.update.id).await?;
        if self.is_read_by_others(context) {
            texts.push(Text::new("answer-block-private"));
        }
        Ok(vec![block_views::blocked_view(&person, texts)])
    }

    /// Ends the block of a person who was mentioned.
    pub(crate) async fn unblock(
        &self,
        context: &RequestContext<'_>,
        mention: &Mention,
    ) -> HandlerResult {
        let unknown = "refuse-unblock-none";
        let (person, name) = self.mentions.find_known(context, mention, unknown).await?;
        let own = &context.update.person.id;
        let key = match self.repository.block_lists().unblock(own, &person).await? {
            Some(_) => "answer-unblocked",
            None => unknown,
        };
        Ok(vec![block_views::secret_note(Text::new(key).with("name", name))])
    }

    /// Ends the block of the person with this tag in the list, and shows the list again.
    pub(crate) async fn unblock_tag(
        &self,
        context: &RequestContext<'_>,
        tag: u64,
    ) -> HandlerResult {
        let lists = self.repository.block_lists();
        let own = &context.update.person.id;
        let mut listed = lists.blocked_by(own).await?;
        let found = listed.iter().position(|it| block_views::person_tag(&it.person) == tag);
        let Some(found) = found else { return self.list(context, 0).await };
        let blocked = listed.remove(found);
        lists.unblock(own, &blocked.person).await?;
        let note = Text::new("answer-unblocked").with("name", blocked.name);
        let mut view = block_views::list_view(&listed, 0);
        view.texts.insert(0, note);
        Ok(vec![view])
    }

    /// Shows a page of the people whom the person has blocked.
    pub(crate) async fn list(&self, context: &RequestContext<'_>, page: u8) -> HandlerResult {
        let listed = self.repository.block_lists().blocked_by(&context.update.person.id).await?;
        Ok(vec![block_views::list_view(&listed, page)])
    }

    /// Whether others in the chat read a command that is typed there.
    fn is_read_by_others(&self, context: &RequestContext<'_>) -> bool {
        let chat = &context.update.chat;
        let platform = self.delivery.capabilities(&chat.id);
        let is_hidden = platform.hides_confidential_commands || !platform.command_style.are_typed();
        chat.kind == ChatKind::Group && !is_hidden
    }

    /// Ends the invitations of people who were refused as invitees: no seat is kept for them.
    async fn end_refused_invitations(
        &self,
        context: &RequestContext<'_>,
        blocks: &[SeatBlock],
    ) -> Result<(), Failure> {
        let tables = self.repository.external_events();
        let cause = &context.update.id;
        for SeatBlock { encounter, blockers } in blocks {
            let Some(blocker) = blockers.first() else { continue };
            if encounter.kind == EncounterKind::Invitation {
                let blocked =
                    if encounter.person == *blocker { &encounter.other } else { &encounter.person };
                tables.end_blocked_invitations(blocker, blocked, cause).await?;
            }
        }
        Ok(())
    }

    /// The answer to a request that would have seated people together who block each other.
    pub(crate) async fn refusal_views(
        &self,
        context: &mut RequestContext<'_>,
        blocks: &[SeatBlock],
    ) -> HandlerResult {
        self.end_refused_invitations(context, blocks).await?;
        let reader = &context.update.person.id;
        // To all others the refusal looks as any other one.
        let secret = blocks.iter().any(|it| it.blockers.contains(reader));
        let views = vec![View { secret, ..View::brief(refusal_text(reader, blocks)) }];
        self.committer.store_refusal(context, &views).await?;
        Ok(views)
    }
}

/// The refusal for one person. Only those who block another person themselves read of a block.
fn refusal_text(reader: &PersonId, blocks: &[SeatBlock]) -> Text {
    let own = blocks.iter().find(|it| it.blockers.contains(reader));
    if let Some(SeatBlock { encounter, .. }) = own {
        let blocked =
            if encounter.person == *reader { &encounter.other_name } else { &encounter.name };
        return Text::new("refuse-block-own").with("name", blocked.as_str());
    }
    let encounters = blocks.iter().map(|it| &it.encounter);
    let concerns_reader = |kind| {
        let mut of_kind = encounters.clone().filter(|it| it.kind == kind);
        of_kind.any(|it| it.person == *reader || it.other == *reader)
    };
    if encounters.clone().any(|it| it.kind == EncounterKind::Rematch) {
        return Text::new("refuse-block-rematch");
    }
    let substitutes = || encounters.clone().filter(|it| it.kind == EncounterKind::Substitute);
    if concerns_reader(EncounterKind::Seat) || substitutes().any(|it| it.person == *reader) {
        return Text::new("refuse-block-seat");
    }
    let name = encounters.clone().next().map_or("", |it| &*it.name);
    let invites = encounters.clone().any(|it| it.kind == EncounterKind::Invitation);
    let key = if invites { "refuse-block-challenge" } else { "refuse-block-substitute" };
    Text::new(key).with("name", name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use caravanserai_table::seat_encounters::Encounter;

    fn person(name: &str) -> PersonId {
        PersonId(format!("tg:{name}"))
    }

    /// An encounter of one person with another, who has blocked them.
    fn block(who: &str, other: &str, kind: EncounterKind) -> SeatBlock {
        let encounter = Encounter {
            person: person(who),
            name: who.to_owned(),
            other: person(other),
            other_name: other.to_owned(),
            kind,
        };
        SeatBlock { encounter, blockers: vec![person(other)] }
    }

    fn key(reader: &str, blocks: &[SeatBlock]) -> String {
        refusal_text(&person(reader), blocks).key.into_owned()
    }

    #[test]
    fn only_the_person_who_blocks_is_told_of_it() {
        let kinds = [EncounterKind::Seat, EncounterKind::Invitation, EncounterKind::Rematch];
        for kind in kinds {
            let blocks = [block("Bek", "Ann", kind)];
            assert_eq!(key("Ann", &blocks), "refuse-block-own", "{kind:?}");
            for other in ["Bek", "Cyd"] {
                assert_ne!(key(other, &blocks), "refuse-block-own", "{kind:?} for {other}");
            }
        }
        let both =
            [block("Bek", "Cyd", EncounterKind::Seat), block("Bek", "Ann", EncounterKind::Seat)];
        assert_eq!(key("Ann", &both), "refuse-block-own", "the own block, whichever comes first");
    }

    #[test]
    fn a_refusal_fits_what_the_reader_wanted() {
        let of = |reader, kind| key(reader, &[block("Bek", "Ann", kind)]);
        assert_eq!(of("Bek", EncounterKind::Seat), "refuse-block-seat");
        assert_eq!(of("Bek", EncounterKind::Substitute), "refuse-block-seat");
        // Another player at the table, who agrees with the exchange.
        let blocks = [block("Bek", "Ann", EncounterKind::Substitute)];
        for reader in ["Cyd", "Dan"] {
            assert_eq!(key(reader, &blocks), "refuse-block-substitute");
        }
        let mut blocked_player = block("Bek", "Cyd", EncounterKind::Substitute);
        blocked_player.blockers = vec![person("Bek")];
        assert_eq!(key("Cyd", &[blocked_player]), "refuse-block-substitute");
        assert_eq!(of("Cyd", EncounterKind::Seat), "refuse-block-substitute");
        assert_eq!(of("Bek", EncounterKind::Rematch), "refuse-block-rematch");
        assert_eq!(of("Cyd", EncounterKind::Rematch), "refuse-block-rematch");
        assert_eq!(of("Cyd", EncounterKind::Invitation), "refuse-block-challenge");
    }
}
