//! Verifies who has opened the Mini App, from the `initData` of Telegram's client.
//!
//! The data stays valid for an hour, so it has an id by which the service notices its second use.
//!
//! Telegram signs the data in two ways: with the token of the bot (`hash`, HMAC-SHA256), and with
//! its own key over the id of the bot (`signature`, Ed25519). All data that a client hands over has
//! the `hash`, and then only the `hash` is checked; the signature is checked where data came by a
//! way that has no `hash`. Source: core.telegram.org/bots/webapps, "Validating data".

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use ring::signature::{ED25519, UnparsedPublicKey};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::parse_update::display_name;
use caravanserai_games::ids::PersonId;
use caravanserai_protocol::guest_service::{AuthError, ReusableProof, VerifiedUser};
use caravanserai_protocol::{Person, PersonKind};

/// Telegram's own public key for `signature`, outside its test environment.
pub const PUBLIC_KEY: [u8; 32] = [
    0xe7, 0xbf, 0x03, 0xa2, 0xfa, 0x46, 0x02, 0xaf, 0x45, 0x80, 0x70, 0x3d, 0x88, 0xdd, 0xa5, 0xbb,
    0x59, 0xf3, 0x2e, 0xd8, 0xb0, 0x2a, 0x56, 0xc1, 0x87, 0xfe, 0x7d, 0x34, 0xca, 0xed, 0x24, 0x2d,
];

/// How old data may be, in seconds: the page requests it when the window opens.
const AGE_MAX_S: u64 = 3_600;
/// How far in the future data may be signed, in seconds: clocks differ.
const AHEAD_MAX_S: u64 = 300;
/// The HMAC key with which the token of a bot is hashed.
const WEB_APP_DATA: &[u8] = b"WebAppData";

/// Verifies the data of one bot.
pub(super) struct InitDataVerifier<'a> {
    /// The token of the bot.
    pub(super) token: &'a str,
    /// The id of the bot.
    pub(super) bot: u64,
    /// The public key of Telegram.
    pub(super) key: [u8; 32],
}

/// The user in the data.
#[derive(Deserialize)]
struct InitDataUser {
    id: i64,
    first_name: String,
    #[serde(default)]
    last_name: String,
    username: Option<String>,
    language_code: Option<String>,
    #[serde(default)]
    is_bot: bool,
}

impl InitDataVerifier<'_> {
    /// Verifies the data; returns who opened the window, and for which table.
    ///
    /// # Errors
    /// [`AuthError::Forged`] for data that Telegram has not signed for this bot,
    /// [`AuthError::Expired`] for data that it signed too long ago.
    pub(super) fn verify(&self, data: &str, now_s: u64) -> Result<VerifiedUser, AuthError> {
        let mut fields = parse_fields(data).ok_or(AuthError::Forged)?;
        let hash = fields.remove("hash");
        let good = match (&hash, fields.get("signature").cloned()) {
            (Some(hash), _) => self.is_hash_valid(&fields, hash),
            (None, Some(signature)) => {
                fields.remove("signature");
                self.is_signature_valid(&fields, &signature)
            }
            (None, None) => false,
        };
        if !good {
            return Err(AuthError::Forged);
        }
        let signed_s: u64 =
            fields.get("auth_date").and_then(|it| it.parse().ok()).ok_or(AuthError::Forged)?;
        if signed_s > now_s + AHEAD_MAX_S || signed_s + AGE_MAX_S < now_s {
            return Err(AuthError::Expired);
        }
        let user = fields.get("user").and_then(|it| serde_json::from_str::<InitDataUser>(it).ok());
        let user = user.filter(|it| !it.is_bot && it.id > 0).ok_or(AuthError::Forged)?;
        let valid_ms = (signed_s + AGE_MAX_S + 1).saturating_sub(now_s) * 1_000;
        let reusable_proof = Some(ReusableProof { id: proof_id(&fields), valid_ms });
        let table = fields.remove("start_param").filter(|it| !it.is_empty());
        Ok(VerifiedUser {
            person: person_of_user(user),
            table,
            chats: Vec::new(),
            platform_token: None,
            reusable_proof,
        })
    }

    fn is_hash_valid(&self, fields: &BTreeMap<String, String>, hash: &str) -> bool {
        let Ok(hash) = hex::decode(hash) else { return false };
        let secret = hmac(WEB_APP_DATA).chain_update(self.token).finalize().into_bytes();
        // `verify_slice` compares in constant time.
        hmac(&secret).chain_update(check_string(fields)).verify_slice(&hash).is_ok()
    }

    fn is_signature_valid(&self, fields: &BTreeMap<String, String>, signature: &str) -> bool {
        let signature = URL_SAFE_NO_PAD.decode(signature.trim_end_matches('='));
        let Ok(signature) = signature else { return false };
        let message = format!("{}:WebAppData\n{}", self.bot, check_string(fields));
        let key = UnparsedPublicKey::new(&ED25519, self.key);
        key.verify(message.as_bytes(), &signature).is_ok()
    }
}

fn hmac(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC accepts keys of any length")
}

/// Builds the signed text: all fields in the order of their names, one per line.
fn check_string(fields: &BTreeMap<String, String>) -> String {
    let lines: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
    lines.join("\n")
}

/// Computes the id of data without its `hash`. It does not depend on how the data is signed,
/// because one of two signatures can be left out, nor on the order of the fields.
fn proof_id(fields: &BTreeMap<String, String>) -> String {
    let mut content = fields.clone();
    content.remove("signature");
    hex::encode(Sha256::digest(check_string(&content)))
}

/// Parses the fields of a query; `None` if a field occurs twice.
fn parse_fields(data: &str) -> Option<BTreeMap<String, String>> {
    let query = reqwest::Url::parse(&format!("data:?{data}")).ok()?;
    let mut fields = BTreeMap::new();
    for (name, value) in query.query_pairs() {
        if fields.insert(name.into_owned(), value.into_owned()).is_some() {
            return None;
        }
    }
    Some(fields)
}

fn person_of_user(user: InitDataUser) -> Person {
    let full_name = format!("{} {}", user.first_name, user.last_name);
    let username = user.username.filter(|it| !it.is_empty());
    Person {
        id: PersonId(format!("tg:{}", user.id)),
        name: display_name(&full_name, username.as_deref(), user.id.unsigned_abs()),
        username,
        locale: user.language_code,
        kind: PersonKind::Human,
        admin: false,
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{Ed25519KeyPair, KeyPair};

    use super::*;

    const TOKEN: &str = "7342037359:AAH-fake_token_for_tests";
    const BOT: u64 = 7_342_037_359;
    const NOW_S: u64 = 1_790_000_000;
    const USER: &str = r#"{"id":5,"first_name":"Ann","last_name":"A & B","language_code":"kk"}"#;

    /// Telegram's key in these tests.
    fn pair() -> Ed25519KeyPair {
        Ed25519KeyPair::from_seed_unchecked(&[7; 32]).expect("a seed has 32 bytes")
    }

    fn verifier(token: &'static str) -> InitDataVerifier<'static> {
        let key = pair().public_key().as_ref().try_into().expect("a key has 32 bytes");
        InitDataVerifier { token, bot: BOT, key }
    }

    fn good(at_s: u64) -> BTreeMap<String, String> {
        let own = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let at = at_s.to_string();
        let all =
            [("auth_date", &*at), ("user", USER), ("start_param", "7k3fx"), ("query_id", "A")];
        all.into_iter().map(own).collect()
    }

    fn signed(mut fields: BTreeMap<String, String>) -> BTreeMap<String, String> {
        let message = format!("{BOT}:WebAppData\n{}", check_string(&fields));
        let signature = URL_SAFE_NO_PAD.encode(pair().sign(message.as_bytes()));
        fields.insert("signature".to_owned(), signature);
        fields
    }

    fn hashed(mut fields: BTreeMap<String, String>, token: &str) -> BTreeMap<String, String> {
        let secret = hmac(WEB_APP_DATA).chain_update(token).finalize().into_bytes();
        let hash = hmac(&secret).chain_update(check_string(&fields)).finalize().into_bytes();
        fields.insert("hash".to_owned(), hex::encode(hash));
        fields
    }

    fn query(fields: &BTreeMap<String, String>) -> String {
        let mut url = reqwest::Url::parse("data:").expect("an address");
        url.query_pairs_mut().extend_pairs(fields);
        url.query().unwrap_or_default().to_owned()
    }

    fn read(fields: &BTreeMap<String, String>) -> Result<VerifiedUser, AuthError> {
        verifier(TOKEN).verify(&query(fields), NOW_S)
    }

    #[test]
    fn both_signed_forms_identify_the_person() {
        let both = hashed(signed(good(NOW_S - 10)), TOKEN);
        for fields in [hashed(good(NOW_S - 10), TOKEN), signed(good(NOW_S - 10)), both] {
            let vouched = read(&fields).expect("it is good");
            assert_eq!(vouched.person.id.0, "tg:5");
            assert_eq!(vouched.person.name, "Ann A & B");
            assert_eq!(vouched.person.locale.as_deref(), Some("kk"));
            assert_eq!(vouched.table.as_deref(), Some("7k3fx"));
        }
    }

    #[test]
    fn the_same_data_has_one_id_in_every_form_until_it_expires() {
        let proof_of = |fields: &BTreeMap<String, String>| {
            read(fields).expect("it is good").reusable_proof.expect("it can be presented again")
        };
        let both = hashed(signed(good(NOW_S - 10)), TOKEN);
        let first = proof_of(&both);
        assert_eq!(first.valid_ms, (AGE_MAX_S - 9) * 1_000);
        assert_eq!(proof_of(&signed(good(NOW_S - 10))), first, "without the hash");
        assert_eq!(proof_of(&hashed(good(NOW_S - 10), TOKEN)), first, "without the signature");
        let mut shouted = both.clone();
        shouted.entry("hash".to_owned()).and_modify(|it| *it = it.to_uppercase());
        assert_eq!(proof_of(&shouted), first, "in other letters");
        let backwards: Vec<_> = both.iter().rev().collect();
        let mut url = reqwest::Url::parse("data:").expect("an address");
        url.query_pairs_mut().extend_pairs(backwards);
        let verified = verifier(TOKEN).verify(url.query().unwrap_or_default(), NOW_S);
        assert_eq!(verified.expect("it is good").reusable_proof, Some(first.clone()));
        assert_ne!(proof_of(&hashed(good(NOW_S - 9), TOKEN)).id, first.id, "another start");
    }

    #[test]
    fn names_are_cleaned_as_those_in_chats() {
        let name_of = |user: &str| {
            let mut fields = good(NOW_S);
            fields.insert("user".to_owned(), user.to_owned());
            read(&hashed(fields, TOKEN)).expect("it is good").person.name
        };
        assert_eq!(name_of("{\"id\":5,\"first_name\":\"\u{202e}Ann\u{3164}\"}"), "Ann");
        let blank = "{\"id\":5,\"first_name\":\"\u{3164}\",\"username\":\"ann_b\"}";
        assert_eq!(name_of(blank), "ann_b");
        assert_eq!(name_of("{\"id\":5,\"first_name\":\" \"}"), "#5");
    }

    #[test]
    fn old_and_future_data_is_rejected() {
        for at_s in [NOW_S - AGE_MAX_S - 1, NOW_S + AHEAD_MAX_S + 1] {
            for fields in [hashed(good(at_s), TOKEN), signed(good(at_s))] {
                assert_eq!(read(&fields), Err(AuthError::Expired), "{at_s}");
            }
        }
        assert!(read(&hashed(good(NOW_S - AGE_MAX_S), TOKEN)).is_ok());
    }

    #[test]
    fn tampered_incomplete_and_foreign_data_is_rejected() {
        let other = USER.replace("\"id\":5", "\"id\":6");
        for fields in [hashed(good(NOW_S), TOKEN), signed(good(NOW_S))] {
            let change = |name: &str, value: Option<&str>| {
                let mut changed = fields.clone();
                match value {
                    Some(value) => changed.insert(name.to_owned(), value.to_owned()),
                    None => changed.remove(name),
                };
                assert_eq!(read(&changed), Err(AuthError::Forged), "{name}: {value:?}");
            };
            change("user", Some(&other));
            change("start_param", Some("zzzzz"));
            change("auth_date", None);
            change("new", Some("1"));
            change("hash", Some("00"));
            change("hash", Some("é0"));
        }
        let mut bare = signed(good(NOW_S));
        bare.insert("signature".to_owned(), "AAAA".to_owned());
        assert_eq!(read(&bare), Err(AuthError::Forged));
        // A valid signature does not excuse a wrong hash.
        assert_eq!(read(&hashed(signed(good(NOW_S)), "1:other")), Err(AuthError::Forged));
        assert_eq!(read(&good(NOW_S)), Err(AuthError::Forged), "nothing signs it");
        for nonsense in ["", "hash=", "&&&", "user=1&user=2", "hash=0#signature=1"] {
            assert_eq!(
                verifier(TOKEN).verify(nonsense, NOW_S),
                Err(AuthError::Forged),
                "{nonsense}"
            );
        }
        let twice = format!("{}&user=1", query(&hashed(good(NOW_S), TOKEN)));
        assert_eq!(verifier(TOKEN).verify(&twice, NOW_S), Err(AuthError::Forged));
    }

    #[test]
    fn bots_and_nobody_do_not_come_in() {
        for user in [r#"{"id":5,"first_name":"X","is_bot":true}"#, "{}", "5"] {
            let mut fields = good(NOW_S);
            fields.insert("user".to_owned(), user.to_owned());
            assert_eq!(read(&hashed(fields, TOKEN)), Err(AuthError::Forged), "{user}");
        }
    }

    #[test]
    fn the_key_of_telegram_is_the_one_it_publishes() {
        assert_eq!(
            hex::encode(PUBLIC_KEY),
            "e7bf03a2fa4602af4580703d88dda5bb59f32ed8b02a56c187fe7d34caed242d"
        );
    }
}
