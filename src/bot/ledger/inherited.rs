//! Resolves the settings of a place with those that it inherits: a thread inherits from its
//! channel, both inherit from their server. The nearest place that has set a value decides it.
//!
//! Only [`PlaceSettings::own`] is stored for the place; the profiles of its parents are read with
//! it each time, so that a change of theirs applies at once.

use std::ops::Deref;

use super::profiles::PlaceProfile;
use super::rows::parse;
use super::{Failure, Ledger};
use caravanserai_games::ids::PlaceId;
use caravanserai_protocol::Parents;
use caravanserai_protocol::settings::{INHERIT, Parent, Row};
use caravanserai_store::{Read, Space};

/// The profile of a place with inherited settings filled in. It dereferences to that resolved
/// profile, which is never stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceSettings {
    own: PlaceProfile,
    channel: PlaceProfile,
    server: PlaceProfile,
    resolved: PlaceProfile,
}

impl Deref for PlaceSettings {
    type Target = PlaceProfile;

    fn deref(&self) -> &PlaceProfile {
        &self.resolved
    }
}

impl PlaceSettings {
    /// Resolves the settings of a place with this profile and these parents; the default profile
    /// is that of a parent it does not have.
    pub fn new(own: PlaceProfile, channel: PlaceProfile, server: PlaceProfile) -> Self {
        let resolved = resolve(&own, &channel, &server);
        PlaceSettings { own, channel, server, resolved }
    }

    /// The profile that is stored for the place itself.
    pub fn own(&self) -> &PlaceProfile {
        &self.own
    }

    /// The profile with inherited settings filled in.
    pub fn resolved(self) -> PlaceProfile {
        self.resolved
    }

    /// The stored profile of its channel or its server.
    pub fn parent(&self, parent: Parent) -> &PlaceProfile {
        match parent {
            Parent::Channel => &self.channel,
            Parent::Server => &self.server,
        }
    }

    /// Replaces the profile of the place itself after it was written.
    pub fn set_own(&mut self, own: PlaceProfile) {
        self.own = own;
        self.resolved = resolve(&self.own, &self.channel, &self.server);
    }

    /// Replaces the profile of its server after it was written.
    pub fn set_server(&mut self, server: PlaceProfile) {
        self.server = server;
        self.resolved = resolve(&self.own, &self.channel, &self.server);
    }

    /// The parent that a row is inherited from; `None` if the place has set it itself, or no place
    /// has.
    pub fn source(&self, row: Row) -> Option<Parent> {
        self.decided_by(|it| it.is_set(row))
    }

    /// The parent that the house rules of a game are inherited from.
    pub fn source_of_rules(&self, game: &str) -> Option<Parent> {
        self.decided_by(|it| it.rules.contains_key(game))
    }

    /// The resolved profile if this row was not set in the place itself.
    #[must_use]
    pub fn without(&self, row: Row, here: &PlaceId) -> PlaceProfile {
        let mut own = self.own.clone();
        own.set(row, INHERIT, here);
        resolve(&own, &self.channel, &self.server)
    }

    fn decided_by(&self, is_set: impl Fn(&PlaceProfile) -> bool) -> Option<Parent> {
        let levels = [
            (None, &self.own),
            (Some(Parent::Channel), &self.channel),
            (Some(Parent::Server), &self.server),
        ];
        levels.into_iter().find(|(_, profile)| is_set(profile))?.0
    }
}

fn resolve(own: &PlaceProfile, channel: &PlaceProfile, server: &PlaceProfile) -> PlaceProfile {
    let mut resolved = own.clone();
    resolved.inherit(channel);
    resolved.inherit(server);
    resolved
}

/// Reads of the profiles of these parents: the channel's, then the server's.
pub fn reads_of(parents: &Parents) -> Vec<Read> {
    let known = [&parents.channel, &parents.server].into_iter().flatten();
    known.map(|it| Read::value(Space::Place, it.chat())).collect()
}

/// The profiles of the channel and of the server in the results of [`reads_of`].
fn profiles_of(
    parents: &Parents,
    found: impl IntoIterator<Item = Option<Vec<u8>>>,
) -> (PlaceProfile, PlaceProfile) {
    let mut found = found.into_iter();
    let mut next = |is_known: bool| match is_known {
        true => parse(found.next().flatten()),
        false => PlaceProfile::default(),
    };
    (next(parents.channel.is_some()), next(parents.server.is_some()))
}

impl Ledger {
    /// Resolves the settings of the place with this profile; reads those of its parents.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn inherited(&self, own: PlaceProfile) -> Result<PlaceSettings, Failure> {
        self.inherited_from(own, None).await
    }

    /// The same with the rows of its parents ([`reads_of`]) if they were read already.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn inherited_from(
        &self,
        own: PlaceProfile,
        read: Option<Vec<Option<Vec<u8>>>>,
    ) -> Result<PlaceSettings, Failure> {
        let found = match read {
            Some(found) => found,
            None if own.parents.is_empty() => Vec::new(),
            None => {
                let found = self.read(&reads_of(&own.parents)).await?.into_iter();
                found.map(|it| it.value()).collect::<Result<_, _>>()?
            }
        };
        let (channel, server) = profiles_of(&own.parents, found);
        Ok(PlaceSettings::new(own, channel, server))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caravanserai_protocol::settings::Opens;

    /// A profile as the earlier version wrote it: with all fields, without `chosen`.
    fn old(changed: &str) -> PlaceProfile {
        let whole = r#"{"lang":null,"guess":"ru","title":"general","group":true,"gone":false,
            "theme":null,"hints":null,"rules":{},"opens":"all","all_order":false,"quiet":false,
            "keeps_boards":false,"only":[],"clock":null}"#;
        let mut row: serde_json::Value = serde_json::from_str(whole).expect("it is JSON");
        let changed: serde_json::Value = serde_json::from_str(changed).expect("it is JSON");
        for (name, value) in changed.as_object().expect("an object") {
            row[name] = value.clone();
        }
        parse(Some(row.to_string().into_bytes()))
    }

    fn here() -> PlaceId {
        PlaceId("dc:1".into())
    }

    fn set(rows: &[(Row, &str)]) -> PlaceProfile {
        let mut profile = PlaceProfile::default();
        rows.iter().for_each(|(row, value)| profile.set(*row, value, &here()));
        profile
    }

    #[test]
    fn a_row_of_an_earlier_version_has_set_what_differs_from_the_default() {
        let plain = old("{}");
        assert_eq!((plain.title.as_str(), plain.group), ("general", true));
        for row in Row::OF_CHAT {
            assert!(!plain.is_set(*row), "{row:?}");
        }
        for (changed, row) in [
            (r#"{"lang":"kk"}"#, Row::Language),
            (r#"{"theme":"night"}"#, Row::Theme),
            (r#"{"hints":false}"#, Row::Hints),
            (r#"{"rules":{"togyzkumalak":"seed"}}"#, Row::Rules),
            (r#"{"opens":"nobody"}"#, Row::Opens),
            (r#"{"all_order":true}"#, Row::Orders),
            (r#"{"quiet":true}"#, Row::Quiet),
            (r#"{"keeps_boards":true}"#, Row::Old),
            (r#"{"only":["dc:1"]}"#, Row::Where),
            (r#"{"clock":"move 180"}"#, Row::Clock),
        ] {
            let profile = old(changed);
            let all: Vec<Row> =
                Row::OF_CHAT.iter().copied().filter(|it| profile.is_set(*it)).collect();
            assert_eq!(all, [row], "{changed}");
        }
    }

    #[test]
    fn a_row_of_an_earlier_version_overrides_its_server() {
        let server = set(&[(Row::Opens, "nobody"), (Row::Quiet, "on"), (Row::Language, "kk")]);
        let channel = old(r#"{"opens":"admins"}"#);
        let settings = PlaceSettings::new(channel, PlaceProfile::default(), server);
        assert_eq!(settings.opens, Opens::Admins);
        assert!(settings.quiet, "the channel has never chosen it");
        assert_eq!(settings.speaks().code(), "kk", "a guessed language decides last");
        assert_eq!(settings.source(Row::Opens), None);
        assert_eq!(settings.source(Row::Quiet), Some(Parent::Server));
    }

    #[test]
    fn a_default_that_was_chosen_overrides_and_is_stored() {
        for row in Row::OF_CHAT.iter().copied().filter(|it| *it != Row::Rules) {
            let values = row.values();
            let (usual, other) = (values[0], values[1]);
            let server = set(&[(row, other)]);
            let bytes = set(&[(row, usual)]);
            let bytes = crate::ledger::changes::Value::encode(&bytes);
            let own: PlaceProfile = parse(bytes);
            let settings = PlaceSettings::new(own, PlaceProfile::default(), server.clone());
            assert_eq!(settings.setting(row, &here()).as_deref(), Some(usual), "{row:?}");
            assert_eq!(settings.source(row), None, "{row:?}");
            let without = settings.without(row, &here());
            assert_eq!(without.setting(row, &here()).as_deref(), Some(other), "{row:?}");
            let unset = PlaceProfile::default();
            let settings = PlaceSettings::new(unset.clone(), unset, server);
            assert_eq!(settings.setting(row, &here()).as_deref(), Some(other), "{row:?}");
            assert_eq!(settings.source(row), Some(Parent::Server), "{row:?}");
        }
    }

    #[test]
    fn a_thread_inherits_from_its_channel_before_its_server() {
        let server = set(&[(Row::Opens, "nobody"), (Row::Orders, "all"), (Row::Clock, "free")]);
        let channel = set(&[(Row::Opens, "all")]);
        let settings = PlaceSettings::new(set(&[(Row::Orders, "host")]), channel, server);
        assert_eq!(settings.opens, Opens::All);
        assert!(!settings.all_order);
        assert_eq!(settings.source(Row::Opens), Some(Parent::Channel));
        assert_eq!(settings.source(Row::Orders), None);
        assert_eq!(settings.source(Row::Clock), Some(Parent::Server));
    }

    #[test]
    fn house_rules_are_inherited_game_by_game() {
        let mut server = PlaceProfile::default();
        server.settle_rules("togyzkumalak", Some("seed".into()));
        server.settle_rules("blot", Some("short".into()));
        let mut own = PlaceProfile::default();
        own.settle_rules("blot", Some(caravanserai_protocol::settings::USUAL.into()));
        let settings = PlaceSettings::new(own, PlaceProfile::default(), server);
        assert_eq!(settings.rules_of("togyzkumalak"), Some("seed"));
        assert_eq!(settings.rules_of("blot"), None, "the channel plays by the usual rules");
        assert_eq!(settings.source_of_rules("togyzkumalak"), Some(Parent::Server));
        assert_eq!(settings.source_of_rules("blot"), None);
    }

    #[test]
    fn tables_are_allowed_in_the_threads_of_an_allowed_channel() {
        let server = set(&[(Row::Where, "here")]);
        let channel = Some(here());
        let parents = Parents { channel, server: None };
        let own = PlaceProfile { parents, ..PlaceProfile::default() };
        let thread = PlaceSettings::new(own, PlaceProfile::default(), server.clone());
        assert!(thread.plays_in(&PlaceId("dc:2".into())));
        let unset = PlaceProfile::default();
        let other = PlaceSettings::new(unset.clone(), unset, server);
        assert!(!other.plays_in(&PlaceId("dc:3".into())));
    }
}
