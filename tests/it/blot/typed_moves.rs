//! Typed moves of Blot.

use caravanserai_games::blot::{Blot, BlotOptions, Deal};
use caravanserai_games::rules::{Node, Rules, Seat, Token};
use caravanserai_games::vocabulary::WordLists;
use caravanserai_i18n::vocabulary;

fn words() -> &'static WordLists {
    vocabulary().game_words("blot")
}

/// Every seat has a whole suit.
fn auction() -> Blot {
    let mut game = Blot::start(&BlotOptions::default(), 4).unwrap();
    let hands = [0xff, 0xff00, 0x00ff_0000, 0xff00_0000];
    game.apply_chance(&Deal { dealer: Some(3), hands }, &mut Vec::new()).unwrap();
    game
}

fn play() -> Blot {
    let mut game = auction();
    for token in ["8h", "pass", "pass", "pass"] {
        let Node::Act(seat) = game.node() else { panic!() };
        let action = Rules::parse_move(&game, seat, token, words()).unwrap();
        game.apply_action(seat, &action, &mut Vec::new()).unwrap();
    }
    game
}

fn token(game: &Blot, text: &str) -> String {
    game.parse_move(Seat(0), text, words()).map_or_else(|| "-".to_owned(), |it| it.write())
}

#[test]
fn bids_in_both_word_orders_and_four_languages() {
    let game = auction();
    let same: [(&str, &[&str]); 9] = [
        (
            "12h",
            &[
                "12h",
                "12 hearts",
                "Hearts 12",
                "12 of hearts",
                "12 ♥",
                "12♥️",
                "♥12",
                "սիրտ 12",
                "սիրտը 12",
                "12 հատ սիրտ",
                "տասներկու սիրտ",
                "черви 12",
                "12 черви",
                "12 червей",
                "Двенадцать червей!",
                "12 жүрек",
                "жүрек 12",
                "он екі жүрек",
                "I bid 12 hearts",
                "twelve hearts",
                "sirt 12",
            ],
        ),
        ("9b", &["9b", "boy 9", "9 boy", "բոյ 9", "9 հատ բոյ", "бой 9", "9 бой"]),
        (
            "25hk",
            &[
                "25hk",
                "25 hearts kaput",
                "kaput 25 hearts",
                "սիրտ 25 կապուտ",
                "25 черви капут",
                "25♥ kaput",
                "twenty five hearts kaput",
                "двадцать пять черви капут",
            ],
        ),
        ("10s", &["10s", "10S", "10 spades", "10 пик", "пики 10", "10 ղառ", "ղառ 10", "10 қарға"]),
        ("10c", &["10 clubs", "խաչ 10", "10 треф", "крести 10", "шытыр 10"]),
        ("10d", &["10 diamonds", "քյափ 10", "10 бубен", "бубны 10", "10 қиық", "ագուռ 10"]),
        ("pass", &["pass", "Pass!", "пас", "пасую", "պաս", "I pass", "пас деймін"]),
        ("kuansh", &["kuansh", "куанш", "քուանշ", "контра", "quanch"]),
        ("sur", &["sur", "сур", "սուր", "реконтра"]),
    ];
    for (expected, texts) in same {
        for text in texts {
            assert_eq!(token(&game, text), expected, "{text}");
        }
    }
}

#[test]
fn cards_in_four_languages() {
    let game = play();
    let same: [(&str, &[&str]); 6] = [
        (
            "JH",
            &[
                "JH",
                "J♥",
                "♥J",
                "J ♥️",
                "jack of hearts",
                "валет черви",
                "ВЧ",
                "валет червей",
                "սիրտ վալետ",
                "սրտի վալետ",
                "жүрек валет",
                "В♥",
            ],
        ),
        (
            "10S",
            &["10S", "10s", "10♠", "10 пик", "десятка пик", "ten of spades", "ղառ 10", "10 қарға"],
        ),
        ("AC", &["AC", "A♣", "ace of clubs", "туз треф", "խաչ տուզ", "шытыр тұз"]),
        (
            "QD",
            &["QD", "дама бубен", "королева бубен", "քյափ դամա", "queen of diamonds", "даму бубен"],
        ),
        ("KS", &["K♠", "король пик", "ղառի թագավոր", "king of spades", "KS"]),
        ("7D", &["7♦", "семерка бубен", "семёрка бубен", "յոթ քյափ", "7 diamonds", "жеті қиық"]),
    ];
    for (expected, texts) in same {
        for text in texts {
            assert_eq!(token(&game, text), expected, "{text}");
        }
    }
}

#[test]
fn talk_is_neither_bid_nor_card() {
    for game in [auction(), play()] {
        let talk = [
            "",
            "hello",
            "12",
            "hearts",
            "boy",
            "two hearts beat",
            "12 hearts and 3 spades",
            "h",
            "спасибо",
            "пас тебе",
            "король",
            "12 12 h",
            "hearts hearts 12",
            "???",
            "♥",
            "♥♥",
            "kaput",
            "999 hearts",
            "a",
            "I",
            "in 10 minutes",
            "jack",
            "сердце",
            "Ah!",
            "AH!",
            "As",
            "as",
            "jh",
            "вч",
            "a spade",
            "A spade",
            "12ч",
            "12 h",
            "I ♥ 10",
            "контракт",
            "ասում եմ",
            "show?",
        ];
        for text in talk {
            assert_eq!(token(&game, text), "-", "{text}");
        }
        assert_eq!(token(&game, &"12 hearts ".repeat(100)), "-");
    }
}
