//! What people type, in every language: the lines in `tests/data/talk` must never act, and those in
//! `tests/data/typed` must be read as moves.

use std::collections::{BTreeMap, BTreeSet};

use caravanserai_bot::commands::board::ShowBoard;
use caravanserai_bot::commands::decline::DeclineOffer;
use caravanserai_bot::commands::hint::AskHint;
use caravanserai_bot::commands::kick::KickMentioned;
use caravanserai_bot::commands::learn::ChooseLesson;
use caravanserai_bot::commands::link::{AccountLinking, LinkAccounts};
use caravanserai_bot::commands::new_game::OpenTable;
use caravanserai_bot::commands::notify::ToggleNotification;
use caravanserai_bot::commands::options::SetOption;
use caravanserai_bot::commands::private::PlayInPrivate;
use caravanserai_bot::commands::private_text::PrivateText;
use caravanserai_bot::commands::refusals::{
    CancelConfirmations, RefuseUnknownCommand, RefuseWords,
};
use caravanserai_bot::commands::replay::SendReplay;
use caravanserai_bot::commands::review::RequestReview;
use caravanserai_bot::commands::settings::ChangeSettings;
use caravanserai_bot::commands::show::ShowTableHere;
use caravanserai_bot::commands::stop::StopShowing;
use caravanserai_bot::commands::substitute::SubstituteMentioned;
use caravanserai_bot::commands::web::SignOutOfPages;
use caravanserai_bot::commands::{COMMANDS, Request, TableRef, split_command};
use caravanserai_bot::parsing::parse_request;
use caravanserai_bot::settings::{Setting, SettingScope, SettingsReply, SettingsRequest};
use caravanserai_games::blot::{Blot, Deal};
use caravanserai_games::ids::{ChatKind, MessageId};
use caravanserai_games::rules::{Entropy, Node, Rules, Seat, Token};
use caravanserai_games::text::Text;
use caravanserai_games::thaayam::{Series, Thaayam, ThaayamPosition};
use caravanserai_games::togyzkumalak::{Togyzkumalak, Variant};
use caravanserai_games::vocabulary::without_special_letters;
use caravanserai_games::{GameId, Match, blot, thaayam};
use caravanserai_i18n::{I18n, Lang, vocabulary, vocabulary_of};
use caravanserai_protocol::UpdateKind;
use caravanserai_table::command::{Command, OfferAnswer};

/// How many states of each game with the most legal moves are tried, and how many with the fewest.
const STATES: usize = 12;

/// The lines of the file of each language in a folder, without comments.
fn lines(folder: &str) -> Vec<(Lang, Vec<String>)> {
    let folder = format!("{}/tests/data/{folder}", env!("CARGO_MANIFEST_DIR"));
    let of = |lang: &Lang| {
        let file = std::fs::read_to_string(format!("{folder}/{}.txt", lang.code())).unwrap();
        let lines = file.lines().filter(|it| !it.starts_with("# ")).map(str::to_owned);
        (*lang, lines.collect::<Vec<_>>())
    };
    Lang::all().iter().map(of).collect()
}

/// What people say that means no move.
fn talk() -> Vec<String> {
    lines("talk").into_iter().flat_map(|(_, lines)| lines).collect()
}

/// Pseudo-random numbers, the same for the same seed.
struct Numbers(u64);

impl Entropy for Numbers {
    fn below(&mut self, n: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(n)).unwrap()
    }
}

/// States of a game in which much can be done, and who is on turn.
fn states(game: GameId) -> Vec<(Box<dyn Match>, Seat)> {
    let mut all = Vec::new();
    for seed in 0..6 {
        let mut chance = Numbers(seed);
        let seats = game.info().seats.most;
        let mut play = game.start_match(&game.info().default_options(), seats).unwrap();
        for _ in 0..60 {
            match play.node() {
                Node::Over(_) => break,
                Node::Chance => {
                    let token = play.draw_chance(&mut chance);
                    play.apply_chance(&token).unwrap();
                }
                Node::Act(seat) => {
                    let choices = play.choices(seat);
                    let many = u32::try_from(choices.len()).unwrap();
                    all.push((choices.len(), play.clone_box(), seat));
                    let chosen = &choices[chance.below(many) as usize].token;
                    play.apply_action(seat, chosen).unwrap();
                }
            }
        }
    }
    all.sort_by_key(|(many, ..)| std::cmp::Reverse(*many));
    // In the last ones only one thing can be done: a throw, “done”.
    let few = all.split_off(all.len() - STATES);
    all.truncate(STATES);
    all.into_iter().chain(few).map(|(_, play, seat)| (play, seat)).collect()
}

#[test]
fn every_language_has_enough_lines() {
    for (folder, least) in [("talk", 300), ("typed", 60)] {
        for (lang, lines) in lines(folder) {
            let different: BTreeSet<&String> = lines.iter().collect();
            assert_eq!(different.len(), lines.len(), "{folder}: a line twice in {}", lang.code());
            assert!(lines.len() >= least, "{folder}: {} of {}", lines.len(), lang.code());
        }
    }
}

#[test]
fn talk_is_never_a_move() {
    let mut wrong = Vec::new();
    for game in GameId::all() {
        let states = states(*game);
        for line in talk() {
            let read =
                |(play, seat): &(Box<dyn Match>, Seat)| play.parse_move(*seat, &line, vocabulary());
            if let Some(token) = states.iter().find_map(read) {
                wrong.push(format!("{}: “{line}” is {token}", game.info().code));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What a text asks for.
fn asked(text: &str, reply: bool, kind: ChatKind) -> Option<Request> {
    let reply_to = reply.then(|| MessageId("1".to_owned()));
    parse_request(
        &UpdateKind::Text {
            text: text.to_owned(),
            mentions: vec![],
            reply_to,
            is_addressed: false,
        },
        kind,
    )
}

#[test]
fn talk_is_ignored_in_groups_and_parsed_as_moves_in_private() {
    for line in talk() {
        assert!(asked(&line, false, ChatKind::Group).is_none(), "{line}");
        let alone = asked(&line, false, ChatKind::Private).unwrap();
        assert_eq!(alone.chat_action(), Some(&PrivateText(line.clone())), "{line}");
    }
}

/// What a text in a group asks for that begins with the name of the bot.
fn asked_by_name(text: &str) -> Option<Request> {
    let text = text.to_owned();
    let body = UpdateKind::Text { text, mentions: vec![], reply_to: None, is_addressed: true };
    parse_request(&body, ChatKind::Group)
}

#[test]
fn every_text_that_begins_with_the_bots_name_is_answered() {
    let is_unknown =
        |it: &Request| it.chat_action::<RefuseUnknownCommand>().is_some_and(|it| it.near.is_none());
    assert!(asked("/weather", false, ChatKind::Group).is_none(), "another bot may know it");
    assert!(is_unknown(&asked_by_name("/weather").unwrap()));
    assert!(is_unknown(&asked_by_name("tell me a joke").unwrap()));
    for help in ["", "help", "/help", "помощь"] {
        let asked = asked_by_name(help).unwrap();
        assert!(!is_unknown(&asked) && asked.table_command().is_none(), "{help}");
    }
    for game in ["togyz", "/togyz", "тоғызқұмалақ"] {
        assert!(asked_by_name(game).unwrap().chat_action::<OpenTable>().is_some(), "{game}");
    }
    assert!(matches!(asked_by_name("7").unwrap().table_command(), Some(Command::Move { .. })));
}

/// Whether a request does nothing, or only declines.
fn is_harmless(request: &Request) -> bool {
    let declines = matches!(
        request.table_command(),
        Some(
            Command::AnswerOffer { answer: OfferAnswer::Decline, .. } | Command::DeclineInvitation
        )
    );
    declines
        || request.table_action::<DeclineOffer>().is_some()
        || request.chat_action::<RefuseWords>().is_some()
        || request.chat_action::<RefuseUnknownCommand>().is_some()
        || is_cancelled(request)
}

fn is_cancelled(request: &Request) -> bool {
    request.chat_action::<CancelConfirmations>().is_some()
}

#[test]
fn talk_behind_a_command_does_nothing() {
    let deeds: Vec<&str> = COMMANDS
        .iter()
        .filter(|it| it.arguments.iter().all(|it| ["table", "sessions"].contains(&it.name)))
        .filter(|it| !["play", "games", "help", "start", "launch"].contains(&it.name))
        .map(|it| it.name)
        .collect();
    for name in ["accept", "draw", "resign", "abort", "takeback", "rematch", "leave", "web"] {
        assert!(deeds.contains(&name), "{name}");
    }
    for name in deeds {
        for line in talk().iter().map(String::as_str).chain(["?", "…", "no no", "#7k3fx no"]) {
            let is_switch = vocabulary().general.exact_meaning("switch", line).is_some();
            if name == "watch" && is_switch {
                continue;
            }
            let replies: &[bool] = if name == "draw" { &[false, true] } else { &[false] };
            for reply in replies {
                let text = format!("/{name} {line}");
                let read = asked(&text, *reply, ChatKind::Group).unwrap();
                assert!(is_harmless(&read), "{text}: {read:?}");
            }
        }
    }
    for (text, accepts) in [("/draw", true), ("/draw #7k3fx", true), ("/DRAW", true)] {
        assert_ne!(is_harmless(&asked(text, false, ChatKind::Group).unwrap()), accepts, "{text}");
    }
}

#[test]
fn no_declines_in_every_language() {
    for lang in Lang::all() {
        for no in vocabulary_of(*lang).general.spellings("refusal", "no") {
            let read =
                |name: &str| asked(&format!("/{name} {no}"), false, ChatKind::Group).unwrap();
            for name in ["draw", "takeback", "rematch", "pause", "resume"] {
                let is_no = read(name).table_action::<DeclineOffer>().is_some();
                assert!(is_no, "/{name} {no}: {:?}", read(name));
            }
            for name in ["accept", "yes"] {
                let no_answer = Command::AnswerOffer { offer: None, answer: OfferAnswer::Decline };
                assert_eq!(read(name).table_command(), Some(&no_answer), "/{name} {no}");
            }
            for name in ["resign", "abort", "leave", "begin", "unlink", "web", "claim"] {
                assert!(is_cancelled(&read(name)), "/{name} {no}");
            }
            let refused = Some(&Command::DeclineInvitation);
            assert_eq!(read("join").table_command(), refused, "{no}");
        }
    }
    let read = |text: &str| asked(text, false, ChatKind::Group).unwrap();
    for text in ["/resign?", "/resign !", "/сдаюсь?", "/accept not yet", "/ничья нет, а может да"]
    {
        assert!(is_harmless(&read(text)), "{text}: {:?}", read(text));
    }
    assert!(read("/web off").chat_action::<SignOutOfPages>().is_some());
    let choice = SettingsRequest::Choices(SettingScope::Person, Setting::MOVE_CONFIRMATION);
    let choice = ChangeSettings { request: choice, reply: SettingsReply::Message, chat: None };
    assert_eq!(read("/confirm maybe").chat_action(), Some(&choice));
    assert!(read("/rules chess").chat_action::<ChooseLesson>().is_some());
    let separate = LinkAccounts(AccountLinking::Apart);
    assert_eq!(read("/unlink").chat_action(), Some(&separate));
}

#[test]
fn yes_and_no_are_commands_in_every_language() {
    for (yes, no) in [
        ("yes", "no"),
        ("да", "нет"),
        ("иә", "жоқ"),
        ("ооба", "жок"),
        ("այո", "ոչ"),
        ("ஆம்", "இல்லை"),
    ] {
        for (said, command) in [(yes, "accept"), (no, "decline")] {
            let read = split_command(said).map(|(it, rest)| (it.name, rest));
            assert_eq!(read, Some((command, "")), "{said}");
        }
    }
}

/// A game of Thaayam before a throw of 1, 4 and 2.
fn dice() -> Thaayam {
    let position = ThaayamPosition::read(thaayam::ThaayamOptions::default(), "--ag/---d").unwrap();
    let mut game = Thaayam::from_position(position, Seat(0));
    game.apply_chance(&Series::read("142").unwrap(), &mut Vec::new()).unwrap();
    game
}

fn thrown() -> Thaayam {
    let mut game = dice();
    game.apply_action(Seat(0), &thaayam::ThaayamAction::Throw, &mut Vec::new()).unwrap();
    game
}

/// A deal of Blot in which every seat has a whole suit, before the first bid.
fn bids() -> Blot {
    let mut game = Blot::start(&blot::BlotOptions::default(), 4).unwrap();
    let hands = [0xff, 0xff00, 0x00ff_0000, 0xff00_0000];
    game.apply_chance(&Deal { dealer: Some(3), hands }, &mut Vec::new()).unwrap();
    game
}

fn cards() -> Blot {
    let mut game = bids();
    for token in ["8h", "pass", "pass", "pass"] {
        let Node::Act(seat) = game.node() else { panic!("somebody bids") };
        let action =
            Rules::parse_move(&game, seat, token, vocabulary().game_words("blot")).unwrap();
        game.apply_action(seat, &action, &mut Vec::new()).unwrap();
    }
    game
}

/// What a text means in one of the states that the files name.
fn meant(state: &str, text: &str) -> Option<String> {
    let (seat, of) = (Seat(0), |game: &str| vocabulary().game_words(game));
    match state {
        "pits" => {
            let game = Togyzkumalak::start(&Variant::Seed, 2).unwrap();
            game.parse_move(seat, text, of("togyzkumalak")).map(|it| it.write())
        }
        "dice" => dice().parse_move(seat, text, of("thaayam")).map(|it| it.write()),
        "thrown" => thrown().parse_move(seat, text, of("thaayam")).map(|it| it.write()),
        "bids" => bids().parse_move(seat, text, of("blot")).map(|it| it.write()),
        "cards" => cards().parse_move(seat, text, of("blot")).map(|it| it.write()),
        other => panic!("no such state: {other}"),
    }
}

#[test]
fn typed_moves_of_people_are_understood() {
    let mut wrong = Vec::new();
    for (lang, lines) in lines("typed") {
        for line in lines {
            let [state, token, text] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let read = meant(state, text);
            if read.as_deref() != Some(token) {
                wrong.push(format!("{}: {line}: {read:?}", lang.code()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn moves_shown_in_readme_and_lessons_are_understood() {
    for (state, token, text) in [
        ("pits", "7", "7"),
        ("pits", "7", "76"),
        ("pits", "7", "the seventh"),
        ("pits", "7", "седьмая"),
        ("thrown", "4:e3", "e3 4"),
        ("bids", "12h", "12 hearts"),
        ("bids", "12h", "сирт 12"),
        ("bids", "12h", "սիրտ 12"),
        ("cards", "JS", "валет пик"),
    ] {
        assert_eq!(meant(state, text).as_deref(), Some(token), "{text}");
    }
}

#[test]
fn every_word_of_a_game_means_its_own_move_or_nothing() {
    let states = ["pits", "dice", "thrown", "bids", "cards"];
    let mut wrong = Vec::new();
    let mut check = |text: &str, own: &[&str]| {
        for state in states {
            if let Some(token) = meant(state, text).filter(|it| !own.contains(&it.as_str())) {
                wrong.push(format!("{state}: “{text}” is {token} and not {own:?}"));
            }
        }
    };
    for lang in Lang::all() {
        let pits = vocabulary_of(*lang).game_words("togyzkumalak");
        for list in ["name", "common_name", "ordinal", "nth", "number"] {
            for (pit, words) in pits.list(list) {
                for word in words {
                    check(word, &[pit]);
                    check(&format!("{word} лунка"), &[pit]);
                }
            }
        }
        let dice = vocabulary_of(*lang).game_words("thaayam");
        for (meaning, words) in dice.list("word") {
            let own: &[&str] = match meaning {
                "throw" => &["throw"],
                "done" => &["done", "pass"],
                "undo" => &["undo"],
                "enter" => &["1:in"],
                "bear" => &["1:off"],
                _ => &[],
            };
            words.iter().for_each(|it| check(it, own));
        }
        dice.list("throw").flat_map(|(_, it)| it).for_each(|it| check(it, &[]));
        let bids = vocabulary_of(*lang).game_words("blot");
        for (meaning, words) in bids.list("word") {
            let own: &[&str] = match meaning {
                "pass" => &["pass", "done"],
                "kuansh" => &["kuansh"],
                "sur" => &["sur"],
                "announce" => &["announce"],
                "show" => &["show"],
                _ => &[],
            };
            words.iter().for_each(|it| check(it, own));
        }
        for (_, words) in bids.list("number").chain(bids.list("letter")) {
            words.iter().for_each(|it| check(it, &[]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The buttons with the commands that do the same. The bot has such a list, too: this one says what
/// is expected.
const BUTTONS: &[(&str, &str)] = &[
    ("button-join", "join"),
    ("button-accept", "accept"),
    ("button-decline", "decline"),
    ("button-cancel", "cancel"),
    ("button-leave", "leave"),
    ("button-start", "begin"),
    ("button-abort", "abort"),
    ("button-take-back", "takeback"),
    ("thaayam-button-undo", "takeback"),
    ("button-draw", "draw"),
    ("button-resign", "resign"),
    ("button-resend", "board"),
    ("button-rematch", "rematch"),
    ("button-replay", "replay"),
    ("button-review", "review"),
    ("button-hint", "hint"),
    ("button-private", "private"),
    ("button-stop", "stop"),
    ("button-pause", "pause"),
    ("button-resume", "resume"),
    ("button-claim", "claim"),
    ("button-nudge", "nudge"),
    ("button-remind", "nudge"),
    ("button-back", "return"),
    ("button-watch", "watch"),
    ("button-show-here", "bring"),
];

/// The request, if it changes or posts something; `None` for moves, which [`button_move_label`]
/// tells.
fn deed(request: Option<Request>) -> Option<String> {
    let request = request?;
    let acts = match &request {
        // Without a code nothing is brought.
        Request::Table { table: TableRef::Own, action, .. } if action.is::<ShowTableHere>() => {
            false
        }
        Request::Table { action, .. } => {
            action.command().is_some()
                || action.is::<ShowBoard>()
                || action.is::<StopShowing>()
                || action.is::<ShowTableHere>()
                || action.is::<PlayInPrivate>()
                || action.is::<AskHint>()
                || action.is::<SendReplay>()
                || action.is::<RequestReview>()
                || action.is::<KickMentioned>()
                || action.is::<SubstituteMentioned>()
                || action.is::<SetOption>()
        }
        Request::Chat(_) => {
            let separates = LinkAccounts(AccountLinking::Apart);
            let settings = request.chat_action::<ChangeSettings>().map(|it| &it.request);
            request.chat_action::<OpenTable>().is_some()
                || request.chat_action::<SignOutOfPages>().is_some()
                || request.chat_action() == Some(&separates)
                || matches!(settings, Some(SettingsRequest::Set(_)))
                || matches!(request.chat_action(), Some(ToggleNotification { game: Some(_) }))
        }
    };
    let is_move = matches!(request.table_command(), Some(Command::Move { .. }));
    (acts && !is_move && !is_harmless(&request)).then(|| format!("{request:?}"))
}

/// The keys of labels on buttons and in lists.
fn labels() -> BTreeSet<String> {
    let folder = format!("{}/templates/en", env!("CARGO_MANIFEST_DIR"));
    let is_label = |it: &str| {
        let parts =
            ["button-", "choice-", "value-", "sheet-", "setting-", "lobby-hints-", "clock-"];
        parts.iter().any(|part| it.starts_with(part)) || it.contains("-button-")
    };
    let mut keys = BTreeSet::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|it| it == "ftl") {
            let text = std::fs::read_to_string(path).unwrap();
            let entries = text.lines().filter_map(|it| it.split_once(" = "));
            let plain = entries.filter(|(key, said)| is_label(key) && !said.contains('{'));
            keys.extend(plain.map(|(key, _)| key.to_owned()));
        }
    }
    assert!(keys.len() > 100, "{}", keys.len());
    keys
}

#[test]
fn every_label_typed_back_does_what_its_button_does_or_nothing() {
    let i18n = I18n::new();
    let mut wrong = Vec::new();
    let label = |key: &str, lang: Lang| i18n.translate_plain(lang, &Text::new(key.to_owned()));
    let bare = |label: &str| label.trim_start_matches(|it: char| !it.is_alphanumeric()).to_owned();
    let does = |said: &str, kind| deed(asked(said, false, kind));
    for lang in Lang::all() {
        // Two buttons may have the same label: then it does what one of them does.
        let mut own: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
        for (key, command) in BUTTONS {
            let command = does(&format!("/{command}"), ChatKind::Group);
            own.entry(bare(&label(key, *lang)).to_lowercase()).or_default().push(command);
        }
        for key in labels() {
            let label = label(&key, *lang);
            let bare = bare(&label);
            let own = own.get(&bare.to_lowercase());
            for said in
                [label.clone(), bare.clone(), bare.to_lowercase(), without_special_letters(&bare)]
            {
                for kind in [ChatKind::Group, ChatKind::Private] {
                    let command = does(&format!("/{said}"), kind);
                    // In English it is also the command of a player who is back at the table.
                    let is_back = key == "button-previous" && bare.to_lowercase() == "back";
                    let is_expected = is_back || own.is_some_and(|own| own.contains(&command));
                    if command.is_some() && !is_expected {
                        wrong.push(format!("{key} of {}: /{said}: {command:?}", lang.code()));
                    }
                    assert_eq!(does(&said, kind), None, "{said}");
                }
                // “Back” is a button of Thaayam as well.
                let is_back = ["button-take-back", "button-previous"].contains(&key.as_str());
                for state in ["pits", "dice", "thrown", "bids", "cards"] {
                    let read = meant(state, &said);
                    let undoes = is_back && read.as_deref() == Some("undo");
                    if read.is_some() && !undoes && !key.contains("-button-") {
                        wrong.push(format!("{key} of {}: {said}: {read:?}", lang.code()));
                    }
                }
            }
        }
        for (key, command) in BUTTONS.iter().filter(|(key, _)| key.starts_with("button-")) {
            let said = bare(&label(key, *lang));
            let command = does(&format!("/{command}"), ChatKind::Group);
            // These labels are also names of commands, which come first.
            let is_command = (*key == "button-start" && said.to_lowercase() == "start")
                || (*key == "button-review" && said.to_lowercase() == "analysis");
            if does(&format!("/{said}"), ChatKind::Group) != command && !is_command {
                wrong.push(format!("{key} of {}: /{said} does something else", lang.code()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_first_move_has_its_own_ordinal_in_armenian() {
    let hy = crate::lang("hy");
    let said = |number: i64| {
        let text = Text::new("answer-moment").with("move", number).with("name", "Արամ");
        I18n::new().translate_plain(hy, &text.with("played", "7").with("better", "8"))
    };
    assert!(said(1).starts_with("1-ին քայլից"), "{}", said(1));
    assert!(said(2).starts_with("2-րդ քայլից"), "{}", said(2));
}

/// The names of cards in all languages, in the forms that people type. The bot need not know each
/// of them, but none may mean another card.
const CALLED: &[(&str, &str)] = &[
    ("KS", "king король короля королём королем кәрөл патша падыша թագավոր թագավորը արքա ராஜா"),
    (
        "QS",
        "queen lady дама даму дамой дамы даме королева королеву королевой королевы королеве мәтке \
         патшайым патшайымды ханшайым падышайым падышайымды ханышайым դամա թագուհի թագուհին աղջիկ \
         ராணி",
    ),
    ("JS", "jack knave валет валета валетом валету вальта валеті балта վալետ վալետը ஜாக்கி"),
    ("AS", "ace туз туза тузом тузу тұз тұзды туздун տուզ տուս տուզը ஆஸ் ஏஸ்"),
    ("10S", "ten десятка десятку десяткой десятки ондық ондук տասնոց տասնոցը பத்து"),
    ("9S", "nine девятка девятку девяткой девятки тоғыздық тогуздук իննոց ஒன்பது"),
    ("8S", "eight восьмёрка восьмерку восьмеркой сегіздік сегиздик ութնոց எட்டு"),
    ("7S", "seven семёрка семерку семеркой жетілік жетилик յոթնոց ஏழு"),
];

#[test]
fn no_form_of_a_card_is_another_card() {
    for (own, forms) in CALLED {
        for form in forms.split_whitespace() {
            for spades in ["♠", "spades", "пик", "қарға", "карга", "ղառ", "ஸ்பேட்"]
            {
                for text in [format!("{form} {spades}"), format!("{spades} {form}")] {
                    let read = meant("cards", &text);
                    assert!(read.as_deref().is_none_or(|it| it == *own), "{text} is {read:?}");
                }
            }
        }
    }
    for (own, suit, forms) in [
        ("H", "hearts", "heart hearts черви червей червями жүрек жүректі жүрөк սիրտ սրտի ஹார்ட்"),
        ("S", "spades", "spade spades пик пики пиками қарға карга найза ղառ ղառի ஸ்பேட்"),
        ("C", "clubs", "club clubs треф трефы крести крестей шытыр խաչ խաչի கிளாவர்"),
        ("D", "diamonds", "diamond diamonds бубны бубен бубнами қиық кірпіш кыйык քյափ டைமன்"),
    ] {
        for form in forms.split_whitespace() {
            let own = format!("K{own}");
            assert_eq!(meant("cards", &format!("king {form}")), Some(own), "{form} of {suit}");
        }
    }
}

#[test]
fn every_word_for_a_command_is_that_command() {
    for lang in Lang::all() {
        for spec in COMMANDS.iter() {
            let words = spec.aliases_of_language(*lang).iter().map(String::as_str);
            for word in words.chain([spec.name]) {
                for said in [word.to_owned(), word.to_uppercase(), word.replace('_', " ")] {
                    let read = split_command(&said).map(|(it, rest)| (it.name, rest));
                    assert_eq!(read, Some((spec.name, "")), "/{said} of {}", lang.code());
                }
            }
        }
    }
}
