//! Words for bids and cards in English, Russian, Kazakh and Armenian.
//!
//! A star stands for an ending of up to three letters. All words are in small letters.

use super::card::{Suit, Trump, rank};

/// What a word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// A number: of a bid or of a card.
    Number(u8),
    /// A suit, or boy.
    Trump(Trump),
    /// A court card or a card by its name.
    Rank(u8),
    /// All tricks.
    Kaput,
    /// Nothing to say.
    Pass,
    /// Doubt.
    Kuansh,
    /// Sharpening.
    Sur,
    /// Combinations are announced.
    Announce,
    /// Combinations are shown.
    Show,
    /// Says nothing by itself.
    Filler,
}

const CLUBS: Word = Word::Trump(Trump::Suit(Suit::Clubs));
const DIAMONDS: Word = Word::Trump(Trump::Suit(Suit::Diamonds));
const HEARTS: Word = Word::Trump(Trump::Suit(Suit::Hearts));
const SPADES: Word = Word::Trump(Trump::Suit(Suit::Spades));

/// Every word that is understood.
const WORDS: &[(Word, &str)] = &[
    (CLUBS, "♣ ♧ c club* khach* треф* крест* хач* шытыр* խաչ*"),
    (
        DIAMONDS,
        "♦ ♢ d б diamond* kyap* qyap* бубн* бубен бубей буби кяп* қиық* кірпіш* քյափ* քյապ* ագուռ*",
    ),
    (HEARTS, "♥ ♡ h ч heart* sirt* черв* сирт* жүрек* түйетабан* սիրտ* սրտի* սրտից"),
    (SPADES, "♠ ♤ s п spade* gharr* ghar* пик* гар гарр* қарға* найза* ղառ* պիկ*"),
    (Word::Trump(Trump::Boy), "b boy бой боя бою notrump* բոյ*"),
    (Word::Rank(rank::SEVEN), "семерк* седьмерк* жетілік* жетіл* յոթնոց* յոթնյակ*"),
    (Word::Rank(rank::EIGHT), "восьмерк* сегіздік* ութնոց* ութնյակ*"),
    (Word::Rank(rank::NINE), "девятк* тоғыздық* իննոց* իննյակ* իննանոց*"),
    (Word::Rank(rank::TEN), "десятк* ондық* տասնոց* տասնյակ* տասանոց*"),
    (Word::Rank(rank::JACK), "j в jack* валет* վալետ*"),
    (
        Word::Rank(rank::QUEEN),
        "q д queen* дам дама дамы даме даму дамой мәтке* դամ* թագուհի* աղջիկ*",
    ),
    (Word::Rank(rank::KING), "k к king* корол* кәрөл* патша* թագավոր* արքա*"),
    (Word::Rank(rank::ACE), "a т ace* туз* тұз* տուզ* տուս*"),
    (Word::Kaput, "kaput* capot* капут* капот* կապուտ*"),
    (Word::Pass, "pass пас пасс пасую пропускаю պաս*"),
    (Word::Kuansh, "kuansh* quansh* quanch* contra kontra double куанш* контра* քուանշ* կուանշ*"),
    (Word::Sur, "sur сур сурю recontra rekontra redouble реконтра* սուր* սրում* սրել* սրեմ"),
    (Word::Announce, "announce объявляю объявить жариялаймын ասում հայտարարում*"),
    (Word::Show, "show показываю показать көрсетемін ցույց"),
    (
        Word::Filler,
        "of the i bid say play card my put suit за на из моя мой моё говорю заявляю \
         играю хожу кладу ставлю карта штук даю мен айтамын деймін тастаймын жүремін дана хат \
         հատ եմ ես տալիս խաղում գցում դնում թուղթ",
    ),
];

/// Number words, with what they count.
const NUMBERS: &[(u8, &str)] = &[
    (1, "бір"),
    (2, "екі"),
    (3, "үш"),
    (4, "төрт"),
    (5, "five пять бес հինգ"),
    (6, "six шесть алты վեց"),
    (7, "seven семь жеті յոթ յոթը"),
    (8, "eight восемь сегіз ութ ութը"),
    (9, "nine девять тоғыз ինը ինն"),
    (10, "ten десять он տաս տասը"),
    (11, "eleven одиннадцать տասնմեկ"),
    (12, "twelve двенадцать տասներկու"),
    (13, "thirteen тринадцать տասներեք"),
    (14, "fourteen четырнадцать տասնչորս"),
    (15, "fifteen пятнадцать տասնհինգ"),
    (16, "sixteen шестнадцать տասնվեց"),
    (17, "seventeen семнадцать տասնյոթ"),
    (18, "eighteen восемнадцать տասնութ"),
    (19, "nineteen девятнадцать տասնինը"),
    (20, "twenty двадцать жиырма քսան"),
    (25, "քսանհինգ"),
    (26, "քսանվեց"),
    (30, "thirty тридцать отыз երեսուն"),
];

/// The meaning of a word in small letters.
pub fn meaning(word: &str) -> Option<Word> {
    if word.bytes().all(|it| it.is_ascii_digit()) {
        return word.parse().ok().map(Word::Number);
    }
    let number = NUMBERS.iter().find(|(_, words)| words.split(' ').any(|it| it == word));
    if let Some((number, _)) = number {
        return Some(Word::Number(*number));
    }
    let found = WORDS.iter().find(|(_, words)| words.split_whitespace().any(|it| fits(it, word)));
    found.map(|(meaning, _)| *meaning)
}

fn fits(known: &str, word: &str) -> bool {
    match known.strip_suffix('*') {
        None => known == word,
        Some(stem) => word.strip_prefix(stem).is_some_and(|rest| rest.chars().count() <= 3),
    }
}
