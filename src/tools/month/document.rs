//! Writes the document about a month: what the bot answers, and the figures of the month.

use caravanserai_bot::views::result_views::{casual_text, list_name};
use caravanserai_games::text::Text;
use caravanserai_i18n::{I18n, Lang};
use caravanserai_results::RatingList;
use sha2::{Digest, Sha256};

use super::MonthFile;
use super::chat::{MonthChat, ShownAnswer};
use super::figures::{ListFigures, MemberRecord, MonthFigures, OrderFigures, WEEKS};
use super::group::{GROUP, GroupMember, LAST_DAY};

/// The name of the document in its folder.
pub const DOCUMENT_NAME: &str = "README.md";
/// The picture of the ratings of the person who comes late.
const LATECOMER_PICTURE: &str = "latecomer.png";
/// The picture of the ratings of a person who is as strong at the end as at the beginning.
const STEADY_PICTURE: &str = "steady.png";

/// The width of paragraphs, in columns.
const COLUMNS: usize = 100;
/// The heading of the section with the figures of the short month.
pub const CHECK_HEADING: &str = "## Whether this page is up to date";

/// A document without its last section.
pub struct MonthDocument {
    /// The text.
    pub text: String,
    /// The pictures that it shows.
    pub pictures: Vec<MonthFile>,
}

/// The answers of the bot at the end of the month.
struct MonthAnswers {
    top: ShownAnswer,
    latecomer: ShownAnswer,
    steady: ShownAnswer,
    friend: ShownAnswer,
    head_to_head: ShownAnswer,
    history: ShownAnswer,
}

/// The people whom the document follows.
struct Characters {
    steady: &'static GroupMember,
    friend: &'static GroupMember,
    latecomer: &'static GroupMember,
    leaver: &'static GroupMember,
}

/// Writes the document of a month that was played with this seed.
///
/// # Errors
/// When the bot does not answer.
pub async fn write_document(
    seed: u64,
    chat: &mut MonthChat,
    figures: &MonthFigures,
) -> anyhow::Result<MonthDocument> {
    let people = characters();
    let answers = MonthAnswers {
        top: chat.ask(people.steady, "/top", None).await?,
        latecomer: chat.ask(people.latecomer, "/me", None).await?,
        steady: chat.ask(people.steady, "/me", None).await?,
        friend: chat.ask(people.steady, "/stats", Some(people.friend)).await?,
        head_to_head: chat.ask(people.steady, "/history", Some(people.friend)).await?,
        history: chat.ask(people.leaver, "/history", None).await?,
    };
    let mut page = PageText::default();
    write_introduction(&mut page, seed, figures);
    write_group(&mut page, figures);
    write_ratings(&mut page, figures);
    write_order(&mut page, figures);
    write_answers(&mut page, &people, &answers);
    write_guards(&mut page, figures);
    write_weeks(&mut page, &people, figures);
    write_lessons(&mut page, &people, figures);
    let picture = |name, answer: &ShownAnswer| {
        let picture = answer.picture.as_ref()?;
        Some(MonthFile { name, bytes: picture.png.to_vec() })
    };
    let pictures = [(LATECOMER_PICTURE, &answers.latecomer), (STEADY_PICTURE, &answers.steady)];
    let pictures = pictures.into_iter().filter_map(|(name, answer)| picture(name, answer));
    Ok(MonthDocument { text: page.text, pictures: pictures.collect() })
}

/// The last section: the figures of a short month, and a hash of its document.
pub fn check_section(short: &MonthDocument, figures: &MonthFigures) -> String {
    let mut page = PageText::default();
    page.add_line(CHECK_HEADING);
    page.add_paragraph(&format!(
        "A test plays the same month with {} games and compares these figures, and the SHA-256 of \
         its page up to this section: `{}`.",
        figures.games,
        hex::encode(Sha256::digest(&short.text))
    ));
    add_rating_table(&mut page, figures);
    page.text
}

fn characters() -> Characters {
    let [first, ..] = &GROUP;
    let find = |is_it: fn(&GroupMember) -> bool| GROUP.iter().find(|it| is_it(it));
    Characters {
        steady: first,
        friend: &GROUP[first.friends[0]],
        latecomer: find(GroupMember::is_latecomer).unwrap_or(first),
        leaver: find(GroupMember::stops_early).unwrap_or(first),
    }
}

fn write_introduction(page: &mut PageText, seed: u64, figures: &MonthFigures) {
    let games = figures.games;
    page.add_line("# A month of eight friends");
    page.add_paragraph(&format!(
        "This page shows what is left of a month of games in one chat: eight invented people from \
         three cities finish {games} games in October 2026. Computer players of a fixed effort \
         move in their place, so it is known how strong each of them is, and the ratings can be \
         compared with that. The games are played at real tables; the bot computes the ratings \
         and gives the answers below, word for word."
    ));
    page.add_paragraph(
        "The page and its pictures are written by one command, which takes a minute or two:",
    );
    page.add_block(
        "sh",
        &format!(
            "cargo run --release --bin caravanserai-tools -- \\\n  month --games {games} --seed \
             {seed} --out templates/readme/month"
        ),
    );
    page.add_paragraph(
        "The same numbers give the same page, byte for byte. Another seed gives another month of \
         the same people.",
    );
}

fn write_group(page: &mut PageText, figures: &MonthFigures) {
    page.add_line("## The group");
    page.add_paragraph(
        "A strength of 0 is the weakest level of the computer players, 1 is *easy*, 2 is *medium*, \
         3 is *strong*. Between two levels some moves are chosen by the lower one and some by the \
         higher one: with 1.4, 60 of 100 moves are those of *easy*.",
    );
    let mut rows = Vec::new();
    for (at, member) in GROUP.iter().enumerate() {
        let records = figures.lists.iter().filter_map(|it| Some((it, it.members[at].as_ref()?)));
        let games = |it: &MemberRecord| it.results.iter().sum::<u32>();
        // Of equal lists the first.
        let most = records.clone().rev().max_by_key(|(_, it)| games(it));
        let results = records.fold([0; 3], |[won, drawn, lost], (_, it)| {
            [won + it.results[0], drawn + it.results[1], lost + it.results[2]]
        });
        let [from, to] = member.days;
        rows.push(vec![
            member.name.to_owned(),
            member.city.to_owned(),
            strength_text(member),
            format!("{}:00", member.hour),
            format!("{from} to {to}"),
            most.map_or_else(|| "–".to_owned(), |(list, _)| name_of(&list.list)),
            results.iter().sum::<u32>().to_string(),
            results[0].to_string(),
            results[1].to_string(),
            results[2].to_string(),
        ]);
    }
    page.add_table(
        &["person", "city", "strength", "hour (UTC)", "days", "plays most"],
        &["games", "won", "drawn", "lost"],
        &rows,
    );
    page.add_paragraph(&format!(
        "Friends ask each other more often, people of a city like the same hours, and many games \
         are followed by a rematch. {} games were resigned.",
        figures.resigned
    ));
}

fn write_ratings(page: &mut PageText, figures: &MonthFigures) {
    page.add_line(&format!("## Ratings on {LAST_DAY} October"));
    page.add_paragraph(
        "The rating in each list, ± its deviation: in about two of three cases the true rating \
         lies in this range. A question mark means that the rating is provisional. In brackets: \
         games won, drawn and lost, those included that were not rated.",
    );
    add_rating_table(page, figures);
}

fn add_rating_table(page: &mut PageText, figures: &MonthFigures) {
    let names: Vec<String> = figures.lists.iter().map(|it| name_of(&it.list)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut rows = Vec::new();
    for (at, member) in GROUP.iter().enumerate() {
        let mut row = vec![member.name.to_owned(), strength_text(member)];
        row.extend(figures.lists.iter().map(|it| record_text(it.members[at].as_ref())));
        rows.push(row);
    }
    page.add_table(&["person", "strength"], &names, &rows);
}

fn record_text(record: Option<&MemberRecord>) -> String {
    let Some(record) = record else { return "–".to_owned() };
    let [won, drawn, lost] = record.results;
    let mark = if record.is_provisional { "?" } else { "" };
    let rating = match record.rated {
        0 => "not rated".to_owned(),
        _ => format!("**{}**{mark} ± {:.0}", record.rating, record.deviation),
    };
    format!("{rating} (+{won} ={drawn} −{lost})")
}

fn write_order(page: &mut PageText, figures: &MonthFigures) {
    page.add_line("## How close the ratings come to the strengths");
    page.add_paragraph(
        "Each two people of a list are a pair. It is in the right order if the stronger person has \
         the higher rating; with ratings drawn by lot half of the pairs would be. A pair is far \
         apart if its ratings differ by more than both deviations together. The strength of a \
         person who improves is that of the last day.",
    );
    let mut rows = Vec::new();
    for list in &figures.lists {
        let order = list.order();
        rows.push(vec![
            name_of(&list.list),
            list.rated.to_string(),
            format!("{} of {}", order.right, order.pairs),
            format!("{} of {}", order.clear_right, order.clear),
        ]);
    }
    let all = total_order(figures);
    rows.push(vec![
        "all".to_owned(),
        figures.rated.to_string(),
        format!("{} of {}", all.right, all.pairs),
        format!("{} of {}", all.clear_right, all.clear),
    ]);
    page.add_table(
        &["list"],
        &["rated games", "pairs in the right order", "of those far apart"],
        &rows,
    );
    page.add_paragraph(
        "The lists cannot agree with the strengths completely. A level is worth much in one game \
         and little in another, as [the measured strengths](../../../tests/bench/README.md) show; \
         dice and cards need more games than moves alone; and a pair wins and loses together, so \
         a weak player with a strong partner gains points, too.",
    );
}

fn write_answers(page: &mut PageText, people: &Characters, answers: &MonthAnswers) {
    let Characters { steady, friend, latecomer, leaver } = people;
    page.add_line("## What the group sees: `/top`");
    page.add_paragraph(&format!(
        "{} asks; the arrow marks the own line. Ratings without a question mark come first. The \
         answer is text alone: the one picture of ratings is the curve in `/me`.",
        steady.name
    ));
    page.add_answer(&answers.top);
    page.add_line("## What one person sees: `/me`");
    page.add_paragraph(&format!(
        "{} came on day {} and plays better from day to day. The curve shows the rated ones \
         of the last hundred games.",
        latecomer.name, latecomer.days[0]
    ));
    page.add_picture(LATECOMER_PICTURE, latecomer, &answers.latecomer);
    page.add_answer(&answers.latecomer);
    page.add_paragraph(&format!(
        "{} plays equally well all month. The curve moves nevertheless, by luck, form and \
         opponents:",
        steady.name
    ));
    page.add_picture(STEADY_PICTURE, steady, &answers.steady);
    page.add_line("## Two friends: `/stats` and `/history` with a name");
    page.add_paragraph(&format!("{} types `/stats @{}`.", steady.name, friend.account));
    page.add_answer(&answers.friend);
    page.add_paragraph("The button leads to their games against each other.");
    page.add_answer(&answers.head_to_head);
    page.add_line("## A page of `/history`");
    page.add_paragraph(&format!(
        "The last games of {}, who stopped after day {}. A game without a number in brackets was \
         not rated. Where pairs play, each deal is rated, so a won game can cost points.",
        leaver.name, leaver.days[1]
    ));
    page.add_answer(&answers.history);
}

fn write_guards(page: &mut PageText, figures: &MonthFigures) {
    let casual: u32 = figures.casual.values().sum();
    page.add_line("## What the guards did");
    page.add_paragraph(&format!(
        "{} of {} games were rated, {casual} not. The board says why, in these words:",
        figures.rated, figures.games
    ));
    let row =
        |(reason, games): (&_, &u32)| vec![plain_text(&casual_text(*reason)), games.to_string()];
    let rows: Vec<Vec<String>> = figures.casual.iter().map(row).collect();
    page.add_table(&["reason"], &["games"], &rows);
    if let Some(([one, other], games)) = figures.limited_pair {
        page.add_paragraph(&format!(
            "Most games beyond the limit of a day were those of {} and {}: {games}. They count in \
             the statistics and in the history, but move no rating, so two friends cannot lift \
             each other by playing all evening. A game for four has such a limit when each pair of \
             opponents in it has reached it.",
            GROUP[one].name, GROUP[other].name
        ));
    }
    page.add_paragraph(&format!(
        "Under {} of the results there was a line about something new: a first win, a best \
         rating, five wins in a row, or a win after several losses.",
        figures.milestones
    ));
}

fn write_weeks(page: &mut PageText, people: &Characters, figures: &MonthFigures) {
    let Characters { latecomer, leaver, .. } = people;
    page.add_line("## Who came late and who stopped");
    page.add_paragraph(&format!(
        "The ratings of {} and {} at the ends of the weeks:",
        latecomer.name, leaver.name
    ));
    let mut rows = Vec::new();
    for member in [latecomer, leaver] {
        for (list, record) in records_of(member, figures).filter(|(_, it)| it.rated > 0) {
            let mut row = vec![member.name.to_owned(), name_of(&list.list)];
            let week = |it: &Option<i32>| it.map_or_else(|| "–".to_owned(), |it| it.to_string());
            row.extend(record.weeks.iter().map(week));
            row.push(record.rated.to_string());
            rows.push(row);
        }
    }
    let weeks: Vec<String> = (1..=WEEKS).map(|it| format!("week {it}")).collect();
    let mut numbers: Vec<&str> = weeks.iter().map(String::as_str).collect();
    numbers.push("rated games");
    page.add_table(&["person", "list"], &numbers, &rows);
    let fading = records_of(leaver, figures)
        .filter(|(_, it)| it.rated > 0 && it.deviation > it.last_deviation)
        .max_by_key(|(_, it)| it.rated);
    if let Some((list, record)) = fading {
        page.add_paragraph(&format!(
            "{} keeps the ratings of day {}. In lists for two players they become less certain \
             with time, slowly: the deviation in {} was {:.1} after the last rated game and {:.1} \
             at the end of the month.",
            leaver.name,
            leaver.days[1],
            quoted_name(&list.list),
            record.last_deviation,
            record.deviation
        ));
    }
}

fn write_lessons(page: &mut PageText, people: &Characters, figures: &MonthFigures) {
    let all = total_order(figures);
    page.add_line("## What a reader learns");
    page.add_item(&format!(
        "The lists sort people roughly by strength: {} of {} pairs are in the right order. Compare \
         a difference with both deviations before you trust it: of the {} pairs that are far \
         apart, {} are.",
        all.right, all.pairs, all.clear, all.clear_right
    ));
    page.add_item(&format!(
        "The same people are far apart in one game and close in another. From the lowest to the \
         highest rating it is {}.",
        by_list(figures, |it| {
            let ratings = rated_records(it).map(|it| it.rating);
            Some(format!("{} points", ratings.clone().max()? - ratings.min()?))
        })
    ));
    let certain = by_list(figures, |it| match it.certain_after()? {
        [fewest, most] if fewest == most => Some(fewest.to_string()),
        [fewest, most] => Some(format!("{fewest} to {most}")),
    });
    if !certain.is_empty() {
        page.add_item(&format!(
            "A question mark goes for the first time after so many rated games: {certain}."
        ));
    }
    let open = by_list(figures, |it| {
        let open = rated_records(it).filter(|it| it.is_provisional).count();
        (open > 0).then(|| open.to_string())
    });
    if !open.is_empty() {
        page.add_item(&format!(
            "So many ratings still have a question mark after the month: {open}."
        ));
    }
    write_latecomer_lesson(page, people.latecomer, figures);
    page.end_list();
}

/// Compares the ratings of the person who came late with those of the person whose strength is
/// nearest at the end.
fn write_latecomer_lesson(page: &mut PageText, latecomer: &GroupMember, figures: &MonthFigures) {
    let others = GROUP.iter().filter(|it| !it.is_latecomer() && !it.stops_early());
    let distance = |it: &&GroupMember| it.last_strength().abs_diff(latecomer.last_strength());
    let Some(peer) = others.min_by_key(distance) else { return };
    let both = by_list(figures, |list| {
        let of = |member| records_of(member, figures).find(|(it, _)| it.list == list.list);
        let ((_, own), (_, other)) = (of(latecomer)?, of(peer)?);
        let is_rated = own.rated > 0 && other.rated > 0;
        is_rated.then(|| format!("{} and {}", own.rating, other.rating))
    });
    if !both.is_empty() {
        page.add_item(&format!(
            "Games of weaker weeks count for long. {} ends with a strength of {}, {} has {} all \
             month; their ratings are {both}.",
            latecomer.name,
            decimal(latecomer.last_strength()),
            peer.name,
            decimal(peer.last_strength()),
        ));
    }
}

/// Something about each list, with its name, in one line.
fn by_list(figures: &MonthFigures, describe: impl Fn(&ListFigures) -> Option<String>) -> String {
    let lists = figures.lists.iter();
    let parts =
        lists.filter_map(|it| Some(format!("{} in {}", describe(it)?, quoted_name(&it.list))));
    parts.collect::<Vec<_>>().join(", ")
}

/// The records of the people with rated games in this list.
fn rated_records(list: &ListFigures) -> impl Iterator<Item = &MemberRecord> + Clone {
    list.members.iter().flatten().filter(|it| it.rated > 0)
}

fn records_of<'a>(
    member: &GroupMember,
    figures: &'a MonthFigures,
) -> impl Iterator<Item = (&'a ListFigures, &'a MemberRecord)> {
    let at = GROUP.iter().position(|it| it.account == member.account);
    figures.lists.iter().filter_map(move |it| Some((it, it.members[at?].as_ref()?)))
}

fn total_order(figures: &MonthFigures) -> OrderFigures {
    figures.lists.iter().map(ListFigures::order).fold(OrderFigures::default(), OrderFigures::and)
}

fn strength_text(member: &GroupMember) -> String {
    let [first, last] = member.strength;
    match first == last {
        true => decimal(first),
        false => format!("{} to {}", decimal(first), decimal(last)),
    }
}

/// Hundredths as a number with one decimal.
fn decimal(hundredths: u16) -> String {
    format!("{:.1}", f64::from(hundredths) / 100.0)
}

fn name_of(list: &RatingList) -> String {
    plain_text(&list_name(list))
}

/// The name within a sentence.
fn quoted_name(list: &RatingList) -> String {
    format!("*{}*", name_of(list))
}

fn plain_text(text: &Text) -> String {
    I18n::new().translate_plain(Lang::default(), text)
}

/// A page of Markdown.
#[derive(Default)]
struct PageText {
    text: String,
}

impl PageText {
    /// Adds a line and an empty one.
    fn add_line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push_str("\n\n");
    }

    /// Adds a paragraph, broken into lines.
    fn add_paragraph(&mut self, words: &str) {
        self.add_wrapped(words, "", "");
        self.text.push('\n');
    }

    /// Adds an item of a list.
    fn add_item(&mut self, words: &str) {
        self.add_wrapped(words, "- ", "  ");
    }

    fn end_list(&mut self) {
        self.text.push('\n');
    }

    fn add_wrapped(&mut self, words: &str, first: &str, further: &str) {
        let mut line = first.to_owned();
        let mut is_empty = true;
        for word in words.split(' ') {
            if !is_empty && line.chars().count() + 1 + word.chars().count() > COLUMNS {
                self.text.push_str(&line);
                self.text.push('\n');
                further.clone_into(&mut line);
                is_empty = true;
            }
            if !is_empty {
                line.push(' ');
            }
            line.push_str(word);
            is_empty = false;
        }
        self.text.push_str(&line);
        self.text.push('\n');
    }

    fn add_block(&mut self, language: &str, lines: &str) {
        self.add_line(&format!("```{language}\n{lines}\n```"));
    }

    /// Adds an answer of the bot as plain text, with its buttons below.
    fn add_answer(&mut self, answer: &ShownAnswer) {
        let row = |row: &Vec<String>| {
            let labels = row.iter().map(|it| format!("[ {it} ]"));
            format!("\n{}", labels.collect::<Vec<_>>().join(" "))
        };
        let buttons: String = answer.buttons.iter().map(row).collect();
        let gap = if buttons.is_empty() { "" } else { "\n" };
        self.add_block("text", &format!("{}{gap}{buttons}", answer.text));
    }

    fn add_picture(&mut self, name: &str, member: &GroupMember, answer: &ShownAnswer) {
        if let Some(picture) = &answer.picture {
            let values = picture.alt.replace('\n', ", ");
            self.add_line(&format!("![The ratings of {}: {values}]({name})", member.name));
        }
    }

    /// Adds a table. Its first columns have words, the others numbers.
    fn add_table(&mut self, words: &[&str], numbers: &[&str], rows: &[Vec<String>]) {
        let heads: Vec<&str> = words.iter().chain(numbers).copied().collect();
        let rules = words.iter().map(|_| "---").chain(numbers.iter().map(|_| "---:"));
        let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let head: Vec<String> = heads.into_iter().map(str::to_owned).collect();
        let rule: Vec<String> = rules.map(str::to_owned).collect();
        self.text.push_str(&row(&head));
        self.text.push_str(&row(&rule));
        rows.iter().for_each(|it| self.text.push_str(&row(it)));
        self.text.push('\n');
    }
}
