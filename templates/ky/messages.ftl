# Names

begin-lot = чүчүкулак менен
begin-me = үстөл ээси
begin-friend = конок

# Lobby

lobby-title = <b>{ $game }</b> · <code>{ $table }</code> үстөлү
lobby-waiting = { $name } каршылаш күтүп жатат.
lobby-challenge = { $name } { CASE($friend, "accusative") } оюнга чакырат.
lobby-variant = Эреже: { $variant }.
lobby-begin = Биринчи жүрүш: { $begin }.
lobby-fair = Калыстыкты текшерүү, SHA-256: <code>{ $hash }</code>

# Results

over-won = 🏆 <b>{ $winner }</b> жеңди, эсеп { $score }.
over-draw = 🤝 Тең чыгышты, { $score }.
over-agreed = 🤝 Макулдашып тең чыгышты.
over-resigned = 🏳 { $name } багынды. <b>{ $winner }</b> жеңди.
over-next = Кийинки оюн <code>{ $table }</code> үстөлүндө.
closed-declined = { $name } баш тартты.
closed-aborted = Оюн токтотулду. Эч ким утулган жок.
closed-cancelled = Үстөл жабылды.
closed-outdated = Оюн башталгандан бери анын эрежеси өзгөрдү, ошондуктан ал ушул жерден бүттү. Эч ким уткан да, утулган да жок, жазмасы сакталды.

# Offers

offer-draw = 🤝 { $name } тең чыгууну сунуштайт.
offer-take-back = ↩ { $name } акыркы жүрүшүн кайтарып алгысы келет.
offer-take-back-both = ↩ { $name } акыркы жүрүшүн жана ага берилген жоопту кайтарып алгысы келет.
offer-declined = 🚫 { $name } сунушту кабыл алган жок.
offer-rematch = 🔁 { $name } дагы ойногусу келет.

# Calls to a person who does not look

call-turn = { $name }, кезек сизде (<code>{ $table }</code> үстөлү).
call-draw = { $name }, сизге тең чыгуу сунушталды (<code>{ $table }</code> үстөлү).
call-take-back = { $name }, каршылашыңыз жүрүшүн кайтарып алсынбы (<code>{ $table }</code> үстөлү)?

# Lists

games-none = Ачык үстөлүңүз жок. Топто үстөл ачыңыз: /play
games-title = Үстөлдөрүңүз:
games-more =
    { $count ->
        [one] … жана дагы бирөө.
       *[other] … жана дагы { $count } үстөл.
    }
button-refresh = ↻ Жаңыртуу
list-lobby = <code>{ $table }</code> { $game }: оюнчу күтүүдө
list-your-turn = 👉 <code>{ $table }</code> { $game } · { $with } · { $move }-жүрүш: <b>кезек сизде</b>
list-their-turn = <code>{ $table }</code> { $game } · { $with } · { $move }-жүрүш
list-linked = { $line } — { $link }
list-over = <code>{ $table }</code> { $game } · { $with }: оюн бүттү
list-and = { $first } жана { $last }
which-table = Кайсы үстөлдү айтып жатасыз?
play-choose = Эмне ойнойбуз?

# Buttons

button-join = Кошулуу
button-accept = Макул
button-decline = Баш тартуу
button-withdraw = Сунушту кайтарып алуу
button-cancel = Үстөлдү жабуу
button-variant = Эреже: { $variant }
button-begin = Биринчи: { $begin }
button-abort = Токтотуу
button-take-back = ↩ Кайтаруу
button-draw = 🤝 Тең чыгуу
button-resign = 🏳 Багынуу
button-resend = ⬇ Такта ушул жакта
button-rematch = 🔁 Кайра ойноо
button-record = 📄 Жазма
button-rules = 📖 Эрежелер
button-play = ▶ Ойноо
button-next = Кийинки ▸
button-previous = ◂ Артка
button-show = Жообун көрүү
button-for-chat = Чатта: { $language }

# Answers

answer-confirm-resign = Багынуу үчүн бир мүнөттүн ичинде «Багынуу» баскычын дагы бир жолу басыңыз.
answer-confirm-cancel = Үстөлдү баары үчүн жабуу үчүн бир мүнөттүн ичинде «Үстөлдү жабуу» баскычын дагы бир жолу басыңыз.
answer-offered = Сунуш айтылды. Жооп күтөбүз.
answer-board-resent = Мына такта.
answer-record = { $table } үстөлүндөгү оюндун жазмасы. Андагы seed саны менен чүчүкулакты ким болбосун текшере алат.
answer-declined = Кабыл алынган жок.
answer-saved-person = Эми сиз менен кыргызча сүйлөшөм.
answer-saved-chat = Бул чатта эми мына бул тилде сүйлөйм: { $language }.
answer-young = 🌱 — жаңы котормо: аны бул тилде сүйлөгөндөр али текшере элек.
answer-no-private = Сизге жооп: окуу үчүн басыңыз.
answer-not-shown = Баскычты басканыңыз эсепке алынды, бирок тактаны бул жерде көрсөтө албайм, мага уруксат жок: { $rights }. Админден сураңыз.
answer-board-refused = Баскычты басканыңыз эсепке алынды, бирок тактаны бул жерге жөнөтө алган жокмун. Кайра аракет кылуу: /board
answer-in-words = ✎ Сөз менен, анткени бул жерде сүрөт жөнөтүүгө уруксатым жок. Админден уруксат берүүсүн сураңыз: { $right }.
answer-lacked-rights = Жаңы эле бул жерде мага уруксат болгон жок: { $rights }. Такта өзгөрбөсө, админден сураңыз.
answer-message-deleted = Оюнуңуз турган билдирүү өчүрүлдү. Оюн ушул жерде улана берет; коду — <code>{ $table }</code>.
right-write = билдирүү жөнөтүү
right-pictures = сүрөт жөнөтүү
right-topics = жабык темада жазуу
right-post = бул каналда жарыялоо
answer-lacks-rights = Бул жерде мага мындай уруксаттар жетпейт: { $rights }. Админден уруксат сурап, кайра аракет кылыңыз.

# Refusals

refuse-already-started = Оюн башталып калган.
refuse-join-started = Оюн башталып калган. Оюнчудан ордун суроо: /substitute @аты
refuse-table-over = Ал оюн бүткөн. Жаңы үстөл ачуу: /play
refuse-not-started = Оюн али башталган жок: адегенде дагы бир оюнчу кошулушу керек.
refuse-not-your-table = Сиз бул үстөлдө ойнобойсуз. Өз үстөлүңүздү ачуу: /play
refuse-opener-only = Муну үстөлдү ачкан { $name } гана жасай алат.
refuse-already-seated = Сиз бул үстөлдөсүз. Эми дагы бир оюнчу кошулушу керек.
refuse-not-invited =
    { $count ->
        [one] Бул үстөлгө { $name } чакырылган. Өз үстөлүңүздү ачыңыз: /play
       *[other] Бул үстөлгө { $name } чакырылган. Өз үстөлүңүздү ачыңыз: /play
    }
refuse-nothing-offered = Жооп бере турган эчтеме жок: азыр сунуш да, чакыруу да жок. Үстөлдү көрүү: /board
refuse-leave-in-play = Оюн жүрүп жатат. Багынуу: /resign, ордуңузду башкага берүү: /substitute
refuse-own-place = Сиз оюнду бүтүрдүңүз: { $place }-орун. Эми эч нерсе кылуунун кереги жок: калгандар бүтүргөндө партия аяктайт.
refuse-seat-finished = Бул оюнчу оюнду бүтүрүп койгон: { $place }-орун, ошондуктан аны алмаштыруунун кереги жок. Партияны көрүү: /board
refuse-unknown-variant = Мындай эрежени билбейм. Үстөлдүн ⚙ Жөндөөлөрүндө тандаса болот: { $rules }.
refuse-not-your-turn = Азыр { CASE($name, "genitive") } кезеги.
refuse-what-move = «{ $typed }» деген жүрүштү түшүнгөн жокмун. Мүмкүн болгон жүрүштөр: { $legal }.
refuse-not-understood = Бул жүрүштү түшүнгөн жокмун. Баскычты басыңыз же жазыңыз, мисалы: 7, e3 4 же 12 жүрөк.
refuse-old-board =
    { $seen ->
        [0] Бул — оюндун башындагы такта,
       *[other] Бул — { $seen }-жүрүштөгү такта,
    } { $now ->
        [0] азыр болсо оюн кайра башында. Азыркы тактада ойноңуз.
       *[other] азыр болсо { $now }-жүрүш. Азыркы тактада ойноңуз.
    }
refuse-old-button = Бул баскыч эскирип калган. Азыркы тактада ойноңуз: /board
refuse-undone-often = Бул кезекте жүрүштөрдү жетиштүү жолу кайтардыңыз. Оюнду улантыңыз: тактанын астындагы баскычтардын бирин тандаңыз.
refuse-changed-often = Акыркы жүрүштөн бери бул үстөлдө өтө көп нерсе өзгөртүлдү. Оюнду улантыңыз же үстөлдү жаап, жаңысын ачыңыз.
refuse-too-late-to-abort = Экинчи жүрүштөн кийин оюнду токтотууга болбойт. Багынса (/resign) же тең чыгууну сунуштаса (/draw) болот.
refuse-abort-rated = Бул оюн рейтингге эсептелет, ошондуктан аны эми токтотууга болбойт. Багынса болот: /resign
refuse-abort-place = Бир оюнчу оюнду бүтүрдү, анын орду эсептелет, ошондуктан партияны эми токтотууга болбойт. Багынса болот: /resign
refuse-not-abandoned = Бул оюнду башкалар ойноп жатат. { $days } күн эч нерсе болбосо жана саат жүрбөсө гана токтото аласыз.
refuse-already-offered = Муну сунуштап койгонсуз. Жообун күтүңүз.
refuse-offer-waits = Адегенде мурунку сунушуңузга жооп берилиши керек.
refuse-answer-first = Адегенде сунушка жооп бериңиз: тактанын астындагы «Макул» же «Баш тартуу» баскычын басыңыз. Такта: /board
refuse-others-answer = Адегенде сунушка башкалар жооп бериши керек. Жообу күтүлүүдө: { $names }. Такта: /board
refuse-turned-down = Бул сунуш жаңы эле четке кагылды. Кайра сунуштоо үчүн адегенде жүрүш жасаңыз.
refuse-others-away = Буга азыр жок оюнчулардын макулдугу керек. Оюнду уланта бериңиз.
refuse-opponents-away = Башка оюнчулар жок, ошондуктан макулдук бере турган эч ким жок.
refuse-nothing-to-take-back = Кайтара турган эчтеме жок: сиз али жүрүш жасай элексиз.
refuse-not-over = Оюн али бүтө элек. Бүткөндөн кийин кайра сураңыз.
refuse-rematch-exists = Кийинки оюн { $table } үстөлүндө жүрүп жатат.
refuse-own-offer = Бул — өз сунушуңуз, ага башкалар жооп берет.
refuse-no-table-here = Бул жерде ачык үстөлүңүз жок. Жаңысын ачыңыз: /play
refuse-unknown-table = { $table } деген үстөлдү билбейм. Үстөлдөрүңүз: /games
refuse-game-removed = { $table } оюну эми жок. Анын чатында оюндар сакталчу мөөнөт: { $time }. Жыйынтыгы мурдагыдай эле эсепте.
refuse-game-deleted = { $table } оюну эми жок: анын чатынын маалыматы өчүрүлдү. Жыйынтыгы мурдагыдай эле эсепте.
refuse-no-record = Жазманы оюн бүткөндөн кийин ала аласыз.
refuse-unknown-command = /{ $name } деген буйрукту билбейм. Бардык буйруктар: /help
refuse-unknown-command-near = /{ $name } деген буйрукту билбейм. Балким, /{ $near } дегиңиз келгендир?
refuse-not-your-answer = Бул башка бирөөгө арналган. Өз үстөлүңүздү көрүү: /board
refuse-answer-gone = Бул жооп эми жок. Кайра сураңыз.
refuse-external-apps = Бул сервердеги башкалар тактаны көрбөйт. Мени менен жеке чатта ойноңуз же админден мени серверге кошууну же бул каналда «Use External Apps» уруксатын берүүнү сураңыз.
refuse-thread-locked = Бул тармак кулпуланган, ошондуктан башка оюнчулар бул жерде жүрө албайт. Оюн күтүп турат: улантуу үчүн тармактын кулпусун ачыңыз.
refuse-reply-unreadable = Эскертүүсү өчүрүлгөн жоопторду («@ OFF») Discord мага көрсөтпөйт. Аны күйгүзүңүз же /move буйругун колдонуңуз.
refuse-anonymous = Ким экениңизди көрө албай жатам. Топтун же каналдын атынан эмес, өз атыңыздан жазыңыз.
refuse-bot = Боттор ойной албайт.
refuse-friend-bot = { $name } — бот, ошондуктан ойной албайт.
refuse-friend-self = Өзүңүздү чакыра албайсыз. Каалаган каршылашты күтүү үчүн үстөлдү атсыз ачыңыз.
refuse-too-many-friends = { $count ->
        [one] Бул оюнга бир досту гана чакырса болот.
       *[other] Бул оюнга эң көп дегенде { $count } досту чакырса болот.
    }
refuse-too-many-tables-here = Бул жерде ачык үстөл өтө көп ({ $count }). Адегенде бирин бүтүрүңүз. Унутулган оюнду админ токтото алат: /cancel жана анын коду.
refuse-too-many-own-here = Сиз бул жерде { $count } үстөл ачып же көрсөтүп койдуңуз. Адегенде бирин бүтүрүңүз же аны бул жерде көрсөтүүнү токтотуңуз (/stop): башкаларга да орун керек.
refuse-too-many-own-of = { $name } бул жерде { $count } үстөл ачып же көрсөтүп койду, андан көп болбойт. Бирөө бүткөндө кайра сураңыз.
refuse-too-many-tables = Сизде { $count } ачык үстөл бар, андан көп болбойт. Адегенде бирин бүтүрүңүз: /games
refuse-too-many-tables-of = { $name }: { $count } ачык үстөл бар, андан көп болбойт. Бирөө бүткөндө кайра сураңыз.
refuse-private-invite = Досуңуз жеке чатыбызды көрбөйт. Үстөлдү шилтеме менен ачыңыз (/play) же орток топто ойноңуз.
refuse-language = Бул тилде азырынча сүйлөбөйм. Билген тилдерим: { $languages }.
refuse-admin-only = Муну бүт чат үчүн админдер гана тандайт. Өзүңүз үчүн тандоо: /settings
refuse-chatter = Бул жерде буйруктарды жана жүрүштөрдү гана түшүнөм: /help
refuse-table-damaged = Бул үстөлдө бир нерсе туура эмес болду, ошондуктан аны четке коюп койдум. Мени иштеткен кишиге айтылды. Кечириңиз! Жаңы үстөл ачуу: /play
refuse-restarting = Мен кайра иштетилип жатам. Бир мүнөттөн кийин эч нерсе болбосо, кайра аракет кылыңыз.
refuse-trouble = Менде бир нерсе туура эмес болду. Бир аздан кийин кайра аракет кылыңыз.
refuse-unsaved = Азыр эч нерсе сакталбайт, ошондуктан бул али эсепке алынган жок. Бир аздан кийин кайра аракет кылыңыз.
refuse-too-fast = Жетише албай жатам. Бир нече секунд күтүп, кайра аракет кылыңыз.
refuse-no-private-board = Жеке чатыбызда көрсөтүүгө боло турган, башка адамдар менен ойноп жаткан оюнуңуз жок. Үстөл ачуу: /play
refuse-board-moved = Такта жаңы эле ылдыйга жылдырылды. Бир мүнөт күтө туруңуз.
refuse-busy = Бир убакта өтө көп болуп кетти. Бир аздан кийин кайра аракет кылыңыз.

# Help

help-title = <b>Caravanserai</b>: чатыңыздагы байыркы оюндар.
help-move = Кезек сиздеби? Баскычты басыңыз же тактага жүрүштү жазып жооп бериңиз.
help-computers = Компьютерге каршы: /togyz компьютер, же деңгээли менен: /togyz күчтүү. Деңгээлдер: { $levels }.
help-inline = Мен жок чаттарда ойноо: { $name } деп терип, оюнду тандаңыз же { $name } blot computer деп жазыңыз.
help-commands = <b>Буйруктар</b> ({ $page })
help-line = { $name } — { $about }

command-play = оюн тандоо
command-move = жүрүш жасоо
command-board = тактаны чаттын аягында кайра көрсөтүү
command-games = үстөлдөрүңүз
command-draw = тең чыгууну сунуштоо же ага макул болуу
command-takeback = акыркы жүрүшүңүздү кайтарууну суроо
command-resign = багынуу
command-abort = оюнду токтотуу: экинчи жүрүшкө чейин жалгыз; кийин, тең чыгуу жок оюнда, баары макул болсо
command-leave = башталбаган үстөлдөн туруу же аны жабуу
command-rematch = орун алмашып кайра ойноо
command-record = акыркы оюндун жазмасы
command-text = такта сөз менен
command-learn = сүрөттүү эрежелер: /learn blot
command-language = тил тандоо
command-help = эмне кыла алам
command-start = боттун саламдашуусун ачуу
command-join = үстөлгө отуруу, чакырууну кабыл алуу
command-accept = чакырууну же сунушту кабыл алуу
command-decline = чакыруудан баш тартуу

argument-friend = дос
argument-variant = эреже
argument-begin = ким баштайт
argument-table = үстөл
argument-scope = ким үчүн
argument-language = тил
choice-seed = кошумча жүрүш менен
choice-short = кошумча жүрүшсүз
choice-lot = чүчүкулак менен
choice-me = мен
choice-friend = досум
choice-chat = бул чат
choice-server = бүт сервер

# Rules pages

rules-page = { $page }-бет, баары { $pages }
rules-at-table = <code>{ $table }</code> үстөлүндө айрым эрежелер төмөнкү тексттегидей эмес:
rules-instead = { $rule } (адатта { $usual })

# House rules
lobby-usual-rules = Кадимки эреже.
button-options = ⚙ Үстөл эрежеси
options-title = <b>Үстөл эрежеси: { $game }</b>, { $page }/{ $pages } бет
options-line = • { $switch }
options-setting = { $name }: { $value }
button-more = Дагы…
answer-more = Дагы эмне кылса болот:

# Hidden hands
hand-cards = Колуңуздагы карталар: { $cards }.
hand-to-play = Колуңуздагы карталар: { $cards }. ✓ — ойносо болот.
hand-empty = Азыр колуңузда карта жок.
hand-laid-down = Оюн бүттү.
hand-not-shown = 🃏 { $names }: карталарыңызды көрүү үчүн «Карталарым» баскычын басыңыз.
hand-held = { $number }{ $what }{ $mark }
hand-inline = { $table } үстөлүндө ойноо
hand-inline-nothing = Азыр ойной турган эчтеме жок
refuse-nothing-hidden = Бул оюнда жашыруун эчтеме жок: бүт тактаны баары көрөт. Такта: /board
refuse-no-hand = Бул үстөлдө азыр карта таратыла элек: карталарыңыз кийинки таратууда келет. Үстөлдү көрүү: /board
refuse-no-such-card = Колуңузда анча карта жок. Карталарыңызды көрүү: /hand
refuse-no-sheet = Бул оюнда андай барак жок. Такта: /board
button-hand = 🃏 Карталарым
button-deals = 👐 Таратуулар
deal-title = <code>{ $table }</code> үстөлү, { $number }-таратуу (баары { $count }): кимде эмне болду
refuse-no-deals = Али бир да таратуу бүтө элек. Кимде эмне болгонун биринчи таратуу бүткөндөн кийин көрө аласыз.
button-cards = ⌨ Карта тандоо
button-menu = ⋯
answer-menu = <code>{ $table }</code> үстөлү:
button-text = 🔤 Такта текст менен

# Two presses for a card
answer-confirm-card = Ойноо үчүн { $card } баскычын бир мүнөттүн ичинде дагы бир жолу басыңыз.
answer-confirm-is-on = Эми ар бир жүрүштү ырастоону сурайм.
answer-confirm-is-off = Эми жүрүш биринчи басканда жасалат.
button-confirm-on = 👆👆 Ырастоону күйгүзүү
button-confirm-off = 👆 Ырастоону өчүрүү
command-hand = колуңуздагы карталар, сизге гана
command-score = упай барагы
command-last = акыркы ойнолгону
command-deals = бүткөн таратууларда кимде эмне болгону
command-options = үстөлдүн эрежелери
command-confirm = жүрүш алдында ырастоону суроо
argument-switch = күйгүзүү же өчүрүү
argument-sessions = өчүрүү: бардык браузерден чыгуу
choice-on = күйгүзүү
choice-off = өчүрүү

# Tables for several, computers, changing seats

lobby-nobody = бош
lobby-seat = { $n }-орун: { $name }
lobby-partners = Бет маңдай отургандар бирге ойнойт: 1 менен 3, каршысында 2 менен 4.
lobby-awaited = Чакырылгандар: { $names }.
lobby-open =
    { $count ->
        [one] Бир орун бош, каалаган киши отурса болот.
       *[other] { $count } орун бош, каалаган киши отурса болот.
    }
lobby-full = Бардык орун толду. { $name } орундарды алмаштырып, анан «Баштоо» баскычын басса болот.
lobby-unconfirmed = ⏳ Жөндөөлөр өзгөрдү. Макул болсоңуз, өз ордуңузду басыңыз: { $names }
lobby-until = Бир суткада эчтеме болбосо, үстөл өзү жабылат.
over-resigned-together = 🏳 { $name } шериги менен макулдашып багынды. <b>{ $winner }</b> жеңди.
over-given-up = 🏳 { $name } багынды. Оюнда калгандар: { $winner }.
closed-expired = Оюнду эч ким баштаган жок, ошондуктан үстөл жабылды.
closed-abandoned = Бул жерде көптөн бери эч ким ойногон жок, ошондуктан оюн токтотулду. Эч ким утулган жок.
offer-resign = 🏳 { $name } багынгысы келет. Шериги макул болушу керек.
offer-replace = 🪑 { $name } сунуштайт: { CASE($seat, "genitive") } ордуна { $newcomer } ойносун.
offer-leave = 🪑 { $seat } өз ордуна { $newcomer } ойносун дейт.
offer-take-over = 🪑 { $newcomer } { CASE($seat, "genitive") } ордуна ойногусу келет.
offer-replaced = 🪑 { CASE($name, "genitive") } ордуна эми { $newcomer } ойнойт.
offer-agreed = ✓ { $names }
offer-waiting = Жообу күтүлүүдө: { $names }.
offer-patience = { $name } каршы болсо, айтсын. { $time } унчукпаса, башкалары чечет.
call-resign = { $name }, шеригиңиз багынгысы келет (<code>{ $table }</code> үстөлү).
call-replace = { $name }, бир орун башка бирөөгө өтмөкчү: макулсузбу (<code>{ $table }</code> үстөлү)?
call-start = { $name }, бардык орун толду: баштасаңыз болот (<code>{ $table }</code> үстөлү).
call-settings = { $name }, жөндөөлөр өзгөрдү: макул болсоңуз, өз ордуңузду басыңыз же /join деп жазыңыз (<code>{ $table }</code> үстөлү).
call-invited = { $name }, сизди оюнга чакырышат (<code>{ $table }</code> үстөлү).
call-closing = { $name }, эчтеме болбосо, <code>{ $table }</code> үстөлү { $minutes } мүнөттөн кийин жабылат. «Узартуу» баскычы аны ачык калтырат.
button-leave = Туруп кетүү
button-computer = + 🤖 Компьютер
button-no-computer = − 🤖
button-seats = Орун: { $count }
button-start = ▶ Баштоо
button-extend = ⏳ Узартуу
button-remind = 🔔 Эскертүү
button-remove-player = Чыгаруу…
button-substitutes = 🪑 Алмаштыруу
button-computer-for = 🤖 { CASE($name, "genitive") } ордуна компьютер
button-take-over = 🪑 { CASE($name, "genitive") } ордуна ойноо
answer-agreed = Макул болдуңуз. Башкалардын жообун күтөбүз.
answer-reminded = Аларга эскертилди.
answer-extended = Үстөл дагы бир сутка ачык турат.
answer-remove-player = Үстөлдөн ким кетсин?
answer-substitutes = Башкалары макул болсо, орунду компьютер ала алат. Досуңуз үчүн /substitute деп, атын жазыңыз.
answer-take-over = Кимдин ордуна ойногуңуз келет? Үстөлдөгүлөр макул болушу керек.
refuse-no-free-seat = Бош орун жок. Оюнду көрүп турса же өз үстөлүңүздү ачса болот: /play
refuse-kicked = Үстөл ээси сизди бул үстөлдөн чыгарды. Өз үстөлүңүздү ачуу: /play
refuse-seat-taken = Бул орун бош эмес. Башкасын тандаңыз.
refuse-lobby-changed = Үстөлдө бир нерсе өзгөрдү. Кайра караңыз.
refuse-unconfirmed = Жөндөөлөр өзгөрдү, ошондуктан оюн макулдук күтүп турат: { $names }. Макул болуш үчүн өз ордун басуу же /join деп жазуу керек. Оюнчуну чыгаруу: ⚙ Жөндөөлөр
refuse-not-here = { $name } бул үстөлдө отурган жок.
refuse-kick-self = Өзүңүздү чыгара албайсыз. Туруп кетүү: /cancel
refuse-no-computer = Бул жерде компьютер жок.
refuse-seats = Бул оюнду { $fewest }–{ $most } киши ойнойт.
refuse-too-many-sit = Отургандар менен чакырылгандар андан көп. Адегенде бирөөнү чыгарыңыз.
refuse-too-few =
    { $count ->
        [one] Дагы бир оюнчу керек. Компьютер да ойной алат.
       *[other] Дагы { $count } оюнчу керек. Компьютерлер да ойной алат.
    }
refuse-nobody-awaited = Эскерте турган эч ким жок: чакырылгандардын баары жооп берген.
refuse-nobody-named = Оюнчунун атын айтыңыз: @дос
refuse-reminded =
    { $minutes ->
        [one] Аларга жаңы эле эскертилди. Бир мүнөттөн кийин аракет кылыңыз.
       *[other] Аларга жаңы эле эскертилди. { $minutes } мүнөттөн кийин аракет кылыңыз.
    }
refuse-already-agreed = Сиз макул болгонсуз. Башкалардын жообун күтөбүз.
refuse-no-draws = Бул оюнда тең чыгуу жок. Багынса болот: /resign
refuse-draw-computer = Компьютер тең чыгууга макул болбойт. Багынса болот: /resign
refuse-back-hidden = Бул оюнда жүрүш кайтарылбайт: карталарды баары көрүп койду.
refuse-back-chance = Муну кайтарса болбойт: андан кийин кубик ыргытылды.
refuse-computer-there = Ал жерде компьютер ойноп жатат.
refuse-unknown-seat = Андай орун жок. Орундарды тактадан көрүңүз: /board
refuse-seated-already = { $name } бул үстөлдө ойноп жатат.
refuse-other-hand = { $name } ушул таратуудагы башка карталарды көрүп койду, бул орунга кийинки карталар таратылгандан кийин отура алат.
refuse-last-person = Бул жерде калган жалгыз киши сизсиз. Багынса болот: /resign
refuse-substitute-rated = Оюнчу артта калып турганда эч ким орун ала албайт: компьютер менен бул оюн рейтингге эсептелет. Рейтингсиз оюнга достор каалаган убакта келе алат. Жаңы оюн: /play
refuse-friend-twice = Сиз { CASE($name, "accusative") } эки жолу жаздыңыз.
command-begin = үстөлдөгүлөр менен баштоо
command-kick = оюнга чейин бирөөнү чыгаруу
command-substitute = оюнчуну башкасы менен алмаштыруу
argument-against = кимге каршы
choice-computer = компьютер
argument-second = дагы бир дос
argument-third = үчүнчү дос
over-first = 🏆 <b>{ $winner }</b> жеңди.
over-won-pair = 🏆 <b>{ $winner }</b> жана <b>{ $partner }</b> жеңди, эсеп { $score }.

# How boards look
command-theme = тактанын көрүнүшүн тандоо
command-flip = такта өз тарабыңыздан, сизге гана
argument-theme = көрүнүш
choice-wood = 🪵 Жыгач
choice-night = 🌙 Түн
choice-contrast = ◐ Даана
choice-print = 🖨 Кагазга
answer-theme = Такталар кандай болсун? Алгачкы баскычтар сиз гана көргөн сүрөттөр үчүн.
answer-theme-person = Сиз гана көргөндөр эми мындай: { $theme }.
answer-theme-shared = Бул чаттын тактасы мурдагыдай калат: ал баарына бир. Аны админ тандай алат: /theme
answer-theme-chat = Бул чаттагы такталар эми мындай: { $theme }.
refuse-theme = Мен билген көрүнүштөр: { $themes }.
answer-turned-is-on = Сиз гана көргөн тактада эми өз тарабыңыз ылдыйда.
answer-turned-is-off = Сиз гана көргөн такта эми баарына көрүнгөндөй турат.
button-turned-on = 🔄 Өз тарабым ылдыйда
button-turned-off = 🔄 Баарына көрүнгөндөй
answer-pace-is-calm = Жалгыз ойногондо компьютерлер эми биринин артынан бири жүрөт, сиз көз салып үлгүрөсүз.
answer-pace-is-quick = Жалгыз ойногондо компьютерлер эми дароо жооп берет.
button-pace-quick = ⚡ Дароо жооп
button-pace-calm = 🐢 Жүрүш сайын
command-pace = компьютерлер кандай жооп берет: жай же тез
argument-pace = жай же тез
choice-calm = жай
choice-quick = тез
answer-words-is-on = Сиз гана окуган жерде эми тактаны сөз менен айтам.
answer-words-is-off = Эми такталарды сүрөт менен көрсөтөм.
button-words-on = 🔤 Дайыма сөз менен
button-words-off = 🖼 Дайыма сүрөт менен
button-view = 👁 Өз тарабымдан
# Replays and charts.
button-replay = 🎬 Кайра көрүү
button-chart = 📈 График
answer-replay = 🎬 Оюндун видеосу тартылып жатат… Азыр ушул жерге чыгат.
answer-replay-soon = Оюндун видеосу тартылып жатат, бир аздан кийин ушул жерге чыгат.
answer-replay-above = Бул оюндун видеосу бир нече мүнөт мурун ушул жерге коюлган: бир аз өйдө караңыз.
refuse-no-replay = Оюндун видеосу оюн бүткөндө тартылат.
refuse-replay-busy = Көп видео кезек күтүп турат. Бир мүнөттөн кийин кайра сураңыз.
refuse-chart-later = Колдогу карталар сыр: график оюн бүткөндө көрсөтүлөт.
refuse-no-chart = Бул үстөлдө график тарта турган оюн жок.
answer-replay-title = 🎬 <b>{ $game }</b> · <code>{ $table }</code> үстөлү · { $names }
command-replay = акыркы оюндун кыска видеосу
command-chart = оюндун эсеби сүрөттө
# Computers: who they are and how strong
computer-beginner = 🤖 Бото
computer-easy = 🤖 Төөчү
computer-medium = 🤖 Соодагер
computer-strong = 🤖 Жолбашчы
computer-master = 🤖 Кербенбашы
# Two and more of one kind at a table have names of their own: no number ever follows a name.
computer-named = { $name } { $own }
computer-own-name = { $n ->
        [1] Али
        [2] Нур
        [3] Арам
       *[other] Заки
    }
computer-thinks = { $name } ойлонуп жатат…
level-beginner-about = жолго биринчи чыгышы, өз бутуна өзү чалынат.
level-easy-about = жолду билет, бирок кийинки бурулуштан ары карабайт.
level-medium-about = эсепке мыкты, бекер эчтеме бербейт.
level-strong-about = чөлдү далай кесип өткөн, бороонду алыстан сезет.
level-master-about = бир да төө жоготкон эмес. Ийгилик!
choice-beginner = үйрөнчүк
choice-easy = жеңил
choice-medium = орто
choice-strong = күчтүү
choice-master = чебер
argument-level = күчү
lobby-seat-computer = { $n }-орун: { $name } ({ $level })
answer-levels = Бул жерге отура турган <b>компьютерлер</b>:
answer-level-name = • { $name } ({ $level }): { $about }
answer-level-rated = • { $name } ({ $level }): { $about } 🏅 { $rating }
button-levels = 🤖 Деңгээлдер…
button-relevel = { $n }-орун: { $level } ▸ өзгөртүү
refuse-computer-thinks = { $name } ойлонуп жатат. Бир аз күтө туруңуз.

# Hints
lobby-hints = 💡 Кеңештер: { $rule }.
lobby-hints-on = баарына
lobby-hints-off = жок
lobby-hints-alone = компьютерге каршы гана
button-hints = Кеңештер: { $rule }
button-hint = 💡 Кеңеш
command-hint = азыр чебер кандай ойномок, сизге гана
answer-hint = 💡 Чебер мындай ойномок: { $move }. Анда жеңүү мүмкүнчүлүгү болжол менен { $percent } %.
answer-hint-sure = 💡 Чебер мындай ойномок: { $move }.
answer-hint-counted = Кеңеш алганыңызды баары көрөт, бирок кандай кеңеш экенин көрбөйт.
refuse-hint-turn = Кеңеш өз кезегиңизде берилет. Азыр { CASE($name, "genitive") } кезеги.
refuse-hint-off = Бул үстөлдө кеңеш берилбейт: оюн алдында ушундай чечилген.
refuse-hint-used =
    { $count ->
        [one] Бул оюндагы жалгыз кеңешти алып койдуңуз.
       *[other] Бул оюндагы { $count } кеңештин баарын алып койдуңуз.
    }
refuse-hint-soon = Кеңешиңизди ойлонуп жатам.
refuse-hint-late = Ошол арада оюн алдыга жылып кетти. Кезегиңиз келгенде кайра сураңыз.
over-hints = 💡 Кеңештер: { $names }
over-hinted = { $name } ×{ $count }

# The review after a game
button-review = 🔍 Талдоо
command-review = акыркы оюндун чечүүчү учурлары жана жакшыраак жүрүштөр
answer-review =
    { $seconds ->
        [one] 🔍 Оюнду талдап жатам. Талдоо болжол менен бир секундда ушул жерге чыгат.
       *[other] 🔍 Оюнду талдап жатам. Талдоо болжол менен { $seconds } секундда ушул жерге чыгат.
    }
answer-review-soon = Оюнду талдап жатам. Талдоо бир аздан кийин ушул жерге чыгат.
answer-review-progress = 🔍 <b>{ $game }</b>: оюнду карап жатам … { $made } %
answer-review-above = Бул оюндун талдоосу бир нече мүнөт мурун ушул жерге коюлган: бир аз өйдө караңыз.
refuse-no-review = Жүрүштөр жасалып, оюн бүткөндөн кийин гана аны талдай алам.
refuse-review-busy = Талдоо күткөндөр көп. Бир мүнөттөн кийин кайра сураңыз.
refuse-review-gone = Бул талдоо эми жок. Кайра сураңыз: /review
answer-review-title = 🔍 <b>{ $game }</b> · <code>{ $table }</code> үстөлү · чечүүчү учурлар
answer-review-line = { $n }. { $move }-жүрүш, { $name }: { $played } ({ $before } % → { $after } %). Жакшырагы: { $better }.
answer-review-more = Дагы: { $moves }.
answer-review-short = { $n }. { $move }-жүрүш ({ $before } → { $after } %)
answer-review-none = Бир эле чечүүчү жүрүш болгон жок: артыкчылык акырындап өстү.
answer-review-failed = Бул жолу талдоо жасалган жок. Бир сааттан кийин кайра сураңыз: /review
answer-review-incomplete = Бардык жүрүштөрдү текшерүүгө убакыт жетпеди, ошондуктан айрым чечүүчү учурлар көрсөтүлбөй калышы мүмкүн. Бир сааттан кийин кайра сураңыз: /review
answer-review-chart = График ар бир тараптын жеңүү мүмкүнчүлүгүн жүрүш сайын көрсөтөт: компьютер ушундай баалайт. Андагы сандар – жогорудагы жүрүштөрдүкү.
button-luck = 🎲 Ийгилик жана оюн
answer-luck = 🎲 <b>Ийгилик жана оюн</b>: жеңүү мүмкүнчүлүгү кандай өзгөрдү, 100 упайдан
answer-luck-line = { $side }: башында { $start }, өз каталарынан { $own }, башкалардын каталарынан { $others }, ийгиликтен { $luck } = { $result }
answer-luck-about = Ката — чечимдин оюнчу биле ала турган эң жакшы чечимден кем калганы. Калганынын баары — ийгилик: сөөктөр, карта таратуу жана күткөндөн жакшы же начар түшкөн карталар. Экөөнү тең компьютер баалайт.
answer-moment = { $move }-жүрүштүн алдында: { $name } мындай ойноду: { $played }. Чебер мындай ойномок: <b>{ $better }</b>.
answer-moment-chance = Жеңүү мүмкүнчүлүгү болжол менен { $before } % эле, { $after } % болуп түштү.
answer-moment-answer = Ушундан кийин { $name } мындай жооп бере алат: { $answer }.

# The first minute, and what was not understood
help-all = 🌐 /language · Бардык буйруктар: акыркы баскыч.
help-all-typed = 🌐 /language · Бардык буйруктар: /help баары
button-learn = 📖 Үйрөнүү
button-solo = 🤖 Компьютер менен
button-help-all = Бардык буйруктар
button-both-sides = ♟ Эки тарап тең
button-settings = ⚙ Жөндөөлөр
button-verify = 🔒 Калыстыкты текшерүү
solo-choose = <b>{ $game }</b>: кимге каршы ойнойсуз?
solo-rated = 🏅 Бул оюндар рейтингге эсептелет, өзгөрүүлөр жарымы эсептелет. Кеңештен же кайтарылган жүрүштөн кийин утулуш гана эсептелет.
solo-casual = Бул оюндар көңүл үчүн: рейтингсиз.
solo-friend = Досуңуз менен: «Шилтеме менен» баскычын басыңыз же мен бар топто ойноңуз: /play
solo-friend-link = Досуңуз менен: «Шилтеме менен» баскычын басыңыз же мени экөөңүз тең бар топко алып барыңыз: { $link }
solo-friend-hands = Топтун админи болсом, бардык оюнчуларга карталарын «Карталарым» баскычысыз дароо көрсөтөм. Бул шилтеме билдирүүлөрдү өчүрүү укугун гана сурайт: { $link }
rules-which = Кайсы оюнду үйрөнгүңүз келет?
refuse-clock = Саат — жүрүшкө 10 секунддан 30 күнгө чейин же мүнөт менен жүрүшкө секунд: 3 мин, 5+5, 2 күн.
refuse-misread = «{ $word }» дегенди түшүнгөн жокмун, ошондуктан үстөл ачкан жокмун. Мындай десеңиз болот: компьютер, { $levels }, кеңеш жок, @дос.
refuse-misread-near = «{ $word }» дегенди түшүнгөн жокмун, ошондуктан үстөл ачкан жокмун. Балким, «{ $near }» дегиңиз келгендир?
refuse-nobody-called = Бул жерде @{ $name } деген эч кимди билбейм, ошондуктан эч нерсе өзгөргөн жок. Атын текшериңиз же каалаган кишиге үстөл ачыңыз: /play
answer-settings = ⚙ <code>{ $table }</code> үстөлү, оюн алдында:
answer-verify = 🔒 <code>{ $table }</code> үстөлү: seed саны эч ким отура электе белгиленген; кубик менен карталар ошол санга жана кимдер отурганына жараша чыгат. Төмөнкү сан — ошонун далили; seed саны оюндун жазмасында болот, аны ким болбосун текшере алат.
answer-verify-over = 🔒 <code>{ $table }</code> үстөлү: seed саны эч ким отура электе белгиленген; кубик менен карталар ошол санга жана кимдер отурганына жараша чыгат. Төмөнкү сан — ошонун далили. Оюн бүттү, анын жазмасында seed саны бар, аны ким болбосун текшере алат: /record
lobby-unseen = { $names } менен али тааныш эмесмин: отуруу үчүн ушул жердеги баскычты басышы керек.
answer-confirm-resign-typed = Оюн ушуну менен бүтөт. Багынуу үчүн бир мүнөттүн ичинде дагы бир жолу жөнөтүңүз.
answer-confirm-abort-typed = Оюн ушуну менен бүтөт. Токтотуу үчүн бир мүнөттүн ичинде дагы бир жолу жөнөтүңүз.
refuse-nothing-to-join = Бул жерде кошула турган үстөл жок. Өзүңүз ачыңыз: /play
refuse-none-waiting = Бул жерде оюнчу күткөн үстөлүңүз жок. Жаңысын ачыңыз: /play
refuse-not-playing-here = Сиз бул жерде эч бир үстөлдө ойнобойсуз. Өзүңүз ачыңыз: /play
refuse-none-finished = Акыркы убакта бул жерде бир да оюн бүткөн жок. Үстөл ачуу: /play. Мурунку оюндар: /history
command-verify = кубик менен карталардын калыстыгын текшерүү
argument-move = эмне ойноо керек: 7, 8♥, пас
argument-game = оюн
refuse-doubtful-move = «{ $typed }» туура келбейт. { $move } дегиңиз келдиби? Анда { $move } деп жөнөтүңүз.

# What a press has done, told at once to whoever pressed.
done-reply = ✓ { $what }
done-and = { $first } · { $second }
done-your-turn = кезек сизде
done-turn = { CASE($name, "genitive") } кезеги
done-opened = үстөл ачылды
done-below = эми ылдыйда
done-joined = кошулдуңуз
done-asked = чакырган адам макул болгондо оюн башталат
done-left = чыгып кеттиңиз
done-seats = орундар алмашты
done-removed = оюнчу үстөлдөн чыгарылды
done-saved = сакталды
done-started = оюн башталды
done-back = кайтарылды
done-replaced = орун алмашты
done-declined = кабыл алынган жок
done-over = оюн бүттү
done-closed = үстөл жабылды
refuse-button-changed = Бул баскыч жаңы эле өзгөрдү. Азыркы жазуусу керек болсо, дагы бир жолу басыңыз.

# Courses: questions of their pages, and the first game against the weakest computer

lesson-yes = Ооба
lesson-no = Жок
lesson-player = { $name }
lesson-part = 📚 { $n }-бөлүм, баары { $parts }: <b>{ $name }</b>
lesson-part-done = 🎓 <b>{ $n }-бөлүм бүттү (баары { $parts }): { $name }.</b> Эми биринчи оюнуңузду ойноңуз, каршылашыңыз — { $computer }: эмнеге көңүл буруу керегин айтып турам. Же кийинки бөлүмдү окуңуз.
button-part = { $n }-бөлүм: { $name } ▸
lesson-question = ❓ { $question }
lesson-try = 👆 { $question }
lesson-right = { $n ->
        [0] ✅ Туура!
        [1] ✅ Көзүңүз курч экен!
        [2] ✅ Дал ошондой!
       *[other] ✅ Ооба, азаматсыз!
    }
lesson-wrong = 🤔 Дал андай эмес.
lesson-verdict = { $verdict } { $why }
lesson-done = 🎓 <b>Билиш керек болгону ушул эле.</b> Эми ойноп көрүңүз: { $game }, каршылашыңыз — { $computer }. Эмнеге көңүл буруу керегин айтып турам, жүрүштү каалаганча кайтара берсеңиз болот.
button-first-game = 🐪 Биринчи оюнум, кеңеш менен: { $computer }
button-again = 🔁 Дагы бир жолу
coach-says = 🐪 { $what }

# One table in several places

button-private = 👤 Жеке чатта ойноо
button-stop = ✖ Бул жерде көрсөтпөө
places-also =
    { $count ->
        [one] 👁 Дагы бир чатта көрүнөт
       *[other] 👁 Дагы { $count } чатта көрүнөт
    }
watching-people =
    { $people ->
        [one] 👁 Бир адам көрүп турат
       *[other] 👁 { $people } адам көрүп турат
    }
watching-both = { $people } · { $places }
button-public-on = 👁 Баары көрө алсын
button-public-off = 🔒 Ушул жерде гана көрүү
refuse-not-public = { $table } үстөлүн баары эле көрө албайт. Ага ойноп жаткандар уруксат бере алат: ⋯, «Баары көрө алсын».
answer-table-detached = Бул үстөл эми бул жерде көрсөтүлбөйт. Кайра көрсөтүү: /show { $table }
places-name = { $name } ({ $mark })
mark-tg = TG
mark-dc = DC
mark-web = веб
done-shown-here = үстөл эми бул жерде да көрсөтүлөт
answer-shown-here = Эми бул үстөлдө ушул жерден да ойной аласыз.
answer-watching = Эми бул үстөлдү ушул жерде көрүп турасыз. Токтотуу: /stop
answer-private = Тактаңыз эми биздин жеке чатта. Ал жерден да, бул жерден да жүрө берсеңиз болот.
answer-private-opened = 🎲 Тактаңыз ушул жерге келет.
answer-stopped = Үстөл эми бул жерде көрсөтүлбөйт. Оюн башка жерде уланып жатат.
refuse-show-private-game = Бул үстөл бир жеке чатта ойнолуп жатат, аны башка жерде көрсөтүүгө болбойт. Бир нече кишиге үстөл ачуу: /play
refuse-which-code = Кайсы үстөл? Кодун жазыңыз, ал тактанын ⋯ баскычында турат: /{ $command } 7k3fxb2
refuse-already-here = Ал үстөл бул жерде көрсөтүлүп турат. Тактасын чаттын аягына түшүрүү: /board
refuse-too-many-places = Ал үстөл башка { $count } чатта көрсөтүлүп турат. Адегенде алардын биринде токтотуу керек: /stop
refuse-stop-home = Үстөл ушул жерде ачылган, ошондуктан кала берет. Оюнга чейин аны жапса, кийин багынса болот.
refuse-not-shown-here = Ал үстөл бул жерде көрсөтүлгөн эмес.
refuse-nothing-shown-here = Бул жерде башка чаттын үстөлү көрсөтүлгөн эмес.
refuse-stop-others = Муну үстөлдү бул жерде көрсөткөн киши, үстөл ээси же ушул чаттын админи гана жасай алат.
refuse-stop-player = { $name } ушул чаттан гана ойнойт, ошондуктан үстөл бул жерде кала берет. { $name } тактаны жеке чатта да ачса (/private), үстөлдү бул жерде көрсөтүүнү токтотсо болот: /stop. Ойнобогон админ муну дароо жасай алат.
refuse-only-watching = Бул жерде көрсө гана болот. Ойноо үчүн үстөлдү ушул жерде көрсөтүңүз: /show жана анын коду
refuse-private-seat = Сиз бул үстөлдө ойнобойсуз. Жөн гана көрүү үчүн мага жеке жазыңыз: /watch { $table }
refuse-already-private = Тактаңыз биздин жеке чатта турат.
refuse-private-none = Бул жерде мени менен жеке чат жок.
refuse-private-closed = Сизге жаза албайм. Купуялык жөндөөлөрүндө ушул серверден жеке билдирүүлөргө уруксат бериңиз же адегенде мага жеке жазыңыз: /private { $table }
refuse-private-closed-link = Азырынча сизге жеке жаза албайм. Жеке чатыбызды ачып, «Старт» баскычын басыңыз, такта өзү келет: { $link }
command-private = жеке чаттагы өз тактаңыз
command-show = башка чаттын үстөлүн ушул жерде көрсөтүп, ойноо
command-watch = башка чаттын үстөлүн ушул жерде көрүү
command-stop = башка чаттын үстөлүн бул жерде көрсөтпөө

## Settings

command-settings = бардык жөндөөлөр: сиздики жана бул чаттыкы
setting-row = { $name }: { $value }
setting-now = ✓ { $value }
setting-row-from = { $name }: { $value } ({ $source })
setting-from-server = серверден
setting-from-channel = #{ $channel } каналынан
setting-from-parent = каналдан
setting-like-server = ↺ Сервердегидей: { $value }
setting-like-channel = ↺ Каналдагыдай: { $value }
settings-mine = 👤 <b>Сиздин жөндөөлөрүңүз</b>. Алар бардык жерде сиз менен. Өзгөртүү үчүн басыңыз.
settings-chat = ⚙ <b>Бул чаттын жөндөөлөрү</b>. Өзгөртүү үчүн басыңыз; ансыз деле баары иштейт.
settings-chat-read = ⚙ <b>Бул чаттын жөндөөлөрү</b>. Аларды админдер гана өзгөртөт.
settings-server = 🏛 <b>Бүт сервердин жөндөөлөрү</b>. Алар башкасы тандалбаган ар бир каналда жарайт. Өзгөртүү үчүн басыңыз.
settings-server-read = 🏛 <b>Бүт сервердин жөндөөлөрү</b>. Аларды админдер гана өзгөртөт.
button-settings-chat = ⚙ Бул чат
button-settings-server = 🏛 Бүт серверге
button-settings-mine = 👤 Меники
button-usual-rules = ↺ Кадимки эреже
setting-language = 🌐 Тил
setting-theme = 🎨 Көрүнүш
setting-side = 🔄 Тактам
setting-boards = 🖼 Тактаны көрсөтүү
setting-press = 👆 Жүрүштү ырастоо
setting-pace = 🐢 Компьютерлер
setting-pace-about = Компьютерлерге гана каршы ойногонуңузда алар канчалык тез жооп берсин?
value-pace-calm = кезек-кезеги менен
value-pace-quick = дароо
setting-calls = 🔔 Эскертүү
setting-night = 🌙 Тынч саат
setting-zone = 🕰 Убактым
setting-hints = 💡 Кеңеш
setting-clock = ⏱ Убакыт
setting-clock-about = Башкача айтылбаса, бул жердеги жаңы үстөлдөрдө оюнчуларга канча убакыт берилет?
setting-opens = 🚪 Үстөл ачкандар
setting-orders = ✖ Үстөл жапкандар
setting-rules = 📜 Үстөл эрежеси
setting-quiet = 🔕 Тынч режим
setting-old = 🧹 Эски такталар
setting-where = 📍 Оюн орду
setting-language-about = Кайсы тилде сүйлөйүн?
setting-theme-about = Такталар кандай болсун?
setting-side-about = Сиз гана көргөн тактанын ылдыйында кимдин тарабы болсун?
setting-boards-about = Сиз гана окуган жерде тактаны кантип көрсөтөйүн?
setting-press-about = Жүрүш алдында ырастоону сурайынбы? Бул байкабай басуудан сактайт.
setting-calls-about = Кезегиңизди качан эскертейин?
setting-night-about = Өз убактыңыз боюнча кайсы сааттарда тынчыңызды албайын? Калганы эртең менен келет.
setting-zone-about = Саатыңыз UTCден канча алда? Кыргызстанда +6, Казакстанда +5, Арменияда +4, Москвада +3, Индия менен Шри-Ланкада +5:30.
setting-hints-about = Үстөл ээси башкача айтпаса, бул жердеги жаңы үстөлдөрдө кеңеш берилеби?
setting-opens-about = Бул жерде үстөлдү ким ача алат, башка чаттын үстөлүн ким көрсөтө алат?
setting-orders-about = Башталбаган үстөлдү ким жаба алат, башка чаттын үстөлүн көрсөтүүнү ким токтото алат?
setting-rules-about = Башкасы аталбаса, бул жердеги жаңы үстөлдөрдө ушул эреже жүрөт.
setting-quiet-about = Тынч режимде билдирүүлөрүм үнсүз келет, эч кимди атап чакырбайм.
setting-old-about = Такта ылдыйда кайра чыкканда жогорудагысы эмне болот?
setting-where-about = Кайсы темаларда ойносо болот? Керектүү ар бир темада «бул жерде» дегенди тандаңыз.
setting-where-server-about = Бул сервердин кайсы каналдарында ойносо болот? Керектүү ар бир каналда «бул жерде» дегенди тандаңыз.
value-side-own = өз тарабым ылдыйда
value-side-all = баарына көрүнгөндөй
value-boards-pictures = сүрөт менен
value-boards-words = сөз менен
value-press-once = өчүк
value-press-twice = күйүк
value-calls-usual = жакында
value-calls-seldom = бир сааттан кийин
value-calls-never = эч качан
value-night-none = жок
value-opens-all = баары
value-opens-admins = админдер
value-opens-nobody = эч ким
value-orders-host = үстөл ээси менен админдер
value-orders-all = баары
value-rules-usual = кадимки
value-rules-own = өз эрежеси
value-quiet-off = өчүк
value-quiet-on = күйүк
value-old-away = алынат
value-old-stay = баскычсыз калат
value-where-all = бардык жерде
value-where-here = бул жерде
value-where-elsewhere = башка темаларда
value-where-channels = башка каналдарда
refuse-other-topic = Бул темада админдер оюндарды өчүрүп койгон. Башка темада ойноңуз же караңыз: /settings
refuse-other-channel = Бул каналда админдер оюндарды өчүрүп койгон. Башка каналда ойноңуз же караңыз: /settings
refuse-opens-nobody = Бул жерде админдер оюндарды өчүрүп койгон. Мени менен жеке чатта ойносоңуз болот.
refuse-opens-admins = Бул чатта үстөлдү админдер гана ачат. Алардан сураңыз.

## Challenges

button-by-link = 🔗 Шилтеме менен
button-invite = 🔗 Чакыруу
answer-invite = 🔗 <code>{ $table }</code> үстөлүнө кантип чакырса болот:
lobby-link = 🔗 Бул шилтемени жибериңиз, ал аркылуу кошулса болот: { $link }
lobby-link-group = 👥 Топко, мени менен: { $link }
lobby-code = ⌨ Мен бар жерде, башка платформада да: <code>/show { $table }</code>, жеке чатта <code>/private { $table }</code>
lobby-explained = 💬 { $name }: { $why }
why-later = азыр эмес, балким кийин
why-busy = бүгүн убактым жок
why-other = башка оюн ойнойлубу?
why-rest = тыныгуудамын
answer-declined-why = Баш тарттыңыз. Себебин айтасызбы? Аны үстөлдөгүлөрдүн баары окуйт.
answer-explained = Рахмат, жеткирем.
refuse-explained = Себебин айтып койгонсуз.
command-notify = бирөө ойногусу келгенде кабарлоо
answer-notify = 🔔 Бул жерде үстөл ачылганда сизди бир жолу чакырам: { $games }. Өзгөртүү үчүн кайра басыңыз.
answer-notify-none = Кайсы оюнду күтүп жатасыз? Үстөл ачылганда сизди бул жерде бир жолу чакырам.
call-wanted = 🔔 { $name }: { $opener } { $game } ойногусу келет (<code>{ $table }</code> үстөлү).
refuse-notify-alone = Жеке чатта үстөлдү башка эч ким ачпайт. /notify деп топто жазыңыз.

## One person on several platforms

command-link = аккаунттарыңызды байлоо
command-unlink = аккаунттарыңызды ажыратуу
argument-code = башка платформадан алынган код
button-link = Ооба, эки аккаунт тең меники
answer-link = 🔗 Башка платформада мага жеке жазыңыз: <code>/link { $code }</code>
answer-link-secret = Ал бир жолу, { $minutes } мүнөт жарайт. Эч кимге айтпаңыз: аны колдонгон адам сиз болуп ойнойт. Орун, карта, жөндөө орток болот.
answer-link-now = Аккаунттарыңыз байланган: { $platforms }. Ажыратуу: /unlink
answer-link-sure = ⚠ Бул код мына бул оюнчуга берилген: <b>{ $name }</b> ({ $platform }). Улантсаңыз, бул аккаунт { $name } болуп ойнойт: ордуңуз ошонуку болот, картаңыз көрүнөт. Эки аккаунт тең сиздики болсо гана басыңыз. Кодду бирөө жиберсе, баспаңыз.
answer-linked = 🔗 Даяр: эми бул жерде { $name } ({ $platform }) болуп ойнойсуз; орун, карта, жөндөө орток. Ажыратуу: /unlink
answer-link-used = 🔗 Кодуңуз колдонулду: { $name } ({ $platform }) эми сиз болуп ойнойт. Бул сиз болбосоңуз: /unlink
answer-unlinked = Аккаунттарыңыз ажыратылды. Ачык үстөлдөрдөгү орундар код алынган аккаунтта калат.
answer-unlinked-unrated = Аккаунттар байланышып турганда ойнолгон рейтингдик оюндар да ошондо калат. Ошондуктан экинчи аккаунттун оюндары { $time } чейин рейтингге эсептелбейт.
refuse-link-code = Бул кодду билбейм: ал бир жолу, он мүнөт жарайт. Жаңысы: башка платформада <code>/link</code>
refuse-link-self = Бул өз кодуңуз: аны башка платформада жазыңыз.
refuse-link-already = Бул аккаунт байланган. Ажыратуу: /unlink
refuse-link-platform = Ар бир платформадан бир гана аккаунтту байласа болот, ал эми бул жерде бирөө байланган. Ажыратуу: /unlink
refuse-link-table = { $table } үстөлүндө эки аккаунт тең отурат. Адегенде ошол оюнду бүтүрүңүз.
refuse-link-rated = Бул аккаунт менен { $table } рейтингдик оюнун ойноп жатасыз: ал кайсы ат менен башталса, ошол ат менен бүтөт. Тескерисинче кылыңыз: бул жерде <code>/link</code> деп жазып, кодду башка аккаунттан киргизиңиз. Же оюндан кийин байлаңыз.
refuse-link-left = Сиз али жүрүп жаткан { $table } рейтингдик оюнундагы ордуңузду бердиңиз: ал бул аккаунтка утулуу болуп эсептелет. Тескерисинче кылыңыз: бул жерде <code>/link</code> деп жазып, кодду башка аккаунттан киргизиңиз. Же оюндан кийин байлаңыз.
refuse-link-hidden = Атыңыз бир чатта же бардык жерде жашырылган, андан бери өтө көп аккаунт байланды. Муну байлоо үчүн ошол чаттын админинен же боттун ээсинен атыңызды кайра көрсөтүүнү сураңыз.
refuse-unlink-rated = Бул аккаунттун жеке чатында сиз рейтингдик оюн ойноп жатасыз, { $table }: ал башталган ат менен бүтөт. Адегенде аны бүтүрүңүз же башка чатта көрсөтүңүз: <code>/show { $table }</code>.
refuse-unlink-gone = Код алынган аккаунт ({ $platform }) эми жок. Орундарыңыз, оюндарыңыз жана рейтингиңиз ошондо калып, алардан ажырамаксыз, ошондуктан аккаунттар байланган бойдон калат: ушул жерден ойной бериңиз. Баарын жок кылуу: /account
refuse-not-linked = Аккаунттарыңыз байланган эмес. Байлоо: /link

## Challenges where the bot is no member

challenge-title = ⚔ Чакырык: { $game }
challenge-more = Биринчи макул болгон адам сиз менен ушул чатта ойнойт
challenge-says = ⚔ { $name } оюнга чакырат: { $game }. Биринчи баскан адам ойнойт.
challenge-more-many = Адамдар баскыч менен ушул чатта кошулат, оюнду сиз баштайсыз
challenge-says-many = ⚔ { $name } оюнга чакырат: { $game }. Кошулуу үчүн басыңыз.
challenge-more-friends = { $friends } үчүн, ушул чаттын өзүндө
challenge-says-friends = ⚔ { $name } оюнга чакырат: { $game }. Чакырылгандар: { $friends }.
challenge-computers = 🤖 × { $count }
challenge-game = { $game } ({ $how })
challenge-choice-title = ⚔ Ким ойнойт?
challenge-choice = ⚔ { $name } ойногусу келет. Оюнду тандаңыз: биринчи баскан адам ойнойт.
share-more = Бул үстөлдү ушул жерде көрсөтүү
share-says = 🎲 { $name } ойноп жатат: { $line }
button-watch = 👁 Көрүү
button-show-here = ⬇ Ушул жерде көрсөтүү
sketch-row = <code>{ $row }</code>
sketch-line = { $row }
private-link = 📩 Сүрөттөр, кеңештер жана башкалар — бот менен жеке: { $link }
private-link-over = 📩 Кайра көрүү, талдоо жана жазма — бот менен жеке: { $link }
refuse-meet-self = Бул өз чакырыгыңыз: аны башка бирөө кабыл алышы керек.
refuse-challenge-used = Бул чакырык мурунтан эле кабыл алынган. Ойноо үчүн өз чакырыгыңызды жибериңиз.
refuse-not-challenged = Бул чакыруу { $friends } үчүн. Ойноо үчүн өз чакырууңузду жибериңиз.
answer-challenge-accepted = ⚔ { $name } мурдараак жиберген чакырууңузду кабыл алды: { $game }. Сиз да макул болгондо <code>{ $table }</code> үстөлү башталат. Макул болуу же баш тартуу үчүн үстөлдү ушул жерден ачыңыз.

## Moves settled before the turn

command-premove = алдын ала жооп берүү: /premove 3 7
argument-plan = каршылаштын жүрүшү жана жообуңуз: 3 7, 5 2
plan-pair = { $theirs } → { $own }
plan-set = 🤫 Кийинки жүрүшкө жообуңуз даяр, аны сиз гана билесиз: { $plan }
button-drop-plan = Даяр жоопту жокко чыгаруу
answer-plan = 🤫 Кийинки жүрүшкө жообуңуз даяр, аны сиз гана билесиз: { $plan }. Жокко чыгаруу: /premove off
answer-plan-none = Алдын ала жооп жок. Каршылаш жүрө турганда анын жүрүшүн жана жообуңузду жазыңыз: /premove 3 7, 5 2
refuse-plan-turn = Алдын ала жоопту каршылаштын кезегинде гана берсе болот.
refuse-plan-game = Алдын ала жооп эки кишилик, кубиксиз жана картасыз оюнда гана берилет.
refuse-plan-words = Каршылаштын жүрүшү менен жообуңузду жазыңыз: /premove 3 7, 5 2
refuse-plan-move = «{ $typed }» дегенди ал абалда жүрүш деп түшүнгөн жокмун. Каршылаштын жүрүшү менен жообуңузду жазыңыз: /premove 3 7

# A board in a browser, or in a window of the platform.
command-web = тактаны браузерде ачуу; /web off бардык жерден чыгарат
command-launch = тактаны терезеде ачуу
button-open-board = ▦ Тактаны ачуу
button-page = 🌐 Браузерде
answer-page = 🌐 Бул шилтеме тактаңызды браузерде сиздин атыңыздан ачат. Ал бир жолу, { $minutes } мүнөт иштейт: эч кимге бербеңиз. Бардык жерден чыгуу: /web off
answer-page-private = Бул жерде башкалар окуйт, шилтемени бере албайм. Мага жеке жазыңыз: /web
answer-page-private-link = Бул жерде башкалар окуйт: шилтеме үчүн жеке чатыбызды ачып, «Старт» баскычын басыңыз: { $link }
answer-page-off = Бардык браузерлерден жана терезелерден чыктыңыз.
answer-launched = Тактаны ачуу үчүн дагы бир жолу басыңыз.
refuse-no-page = Бул жерде такталар браузерде ачылбайт: боттун ээси аны жөндөгөн эмес. Тактаны көрүү: /board
refuse-page-here = Сиз ансыз да ушул барактасыз.

# Words that were not meant as they could be read

refuse-words-behind = Эч нерсе кылган жокмун: «{ $words }» деген сөзсүз, /{ $command } буйругунун өзү гана эсептелет. Чын эле кааласаңыз, жалгыз /{ $command } деп жөнөтүңүз.
answer-nothing-done = Макул, эч нерсе кылынган жок.
answer-confirm-typed = { $card } ойноо үчүн бир мүнөттүн ичинде дагы бир жолу жөнөтүңүз.

# Commands that combine others.
command-cancel = оюн башталганча үстөлдөн туруу же оюнду токтотуу
command-open = тактаңызды жеке чатта же браузерде ачуу
command-account = ар кайсы платформадагы аккаунттарды байлоо же ажыратуу
command-analysis = акыркы оюн: талдоо, видео, график, жазма
command-table = үстөлдөгү сунуштар, оюнчулар жана такта
command-about = мен киммин, катаны кимге айтуу керек
command-feedback = ката менен сунушту кимге айтуу керек
command-privacy = сиз тууралуу эмне сактайм
answer-open = Тактаны кайда ачайын?
answer-open-here = Тактаңыз ушул жерде. Аны ылдый түшүрүү: /board
answer-account = Аккаунттарды байласаңыз, бардык платформада ордуңуз, карталарыңыз жана жөндөөлөрүңүз бирдей болот.
button-link-start = 🔗 Аккаунтту байлоо
button-unlink = Аккаунттарды ажыратуу
answer-account-deleted = Аккаунтуңуз өчүрүлө турган күн: { $day }.
answer-deletion-restored = Мен камдык көчүрмөдөн калыбына келтирилдим; анда сиз аккаунтуңузду өчүрүүнү сурангансыз. Аккаунтуңуз өчүрүлө турган күн: { $day }. Аны калтыруу үчүн: /account
answer-deletion-operator = Боттун ээси аккаунтуңузду өчүрүүнү сурады. Аккаунтуңуз өчүрүлө турган күн: { $day }. Аны калтыруу үчүн: /account
refuse-account-deleting = Аккаунтуңуз өчүрүлүп жатат. Акыркы оюндарыңыз бүткөндө кайрадан баштай аласыз.
refuse-link-deleting = Бул аккаунттардын бири өчүрүлөт. Адегенде аны жокко чыгарыңыз: /account
button-export = ⬇ Маалыматым
button-delete-account = 🗑 Аккаунтту өчүрүү
button-delete-sure = 🗑 Бир жумадан кийин өчүрүү
button-keep-account = Аккаунтту калтыруу
answer-export = Маалыматыңыз: account.json программаларга, калган файлдар өзүңүзгө.
refuse-export-private = Маалыматты жеке чатта гана жөнөтөм. Мага ошол жакка жазыңыз: /account export
refuse-export-soon = Маалыматыңызды азыр эле жөнөттүм. Кайра алууга { $minutes } мүн калды.
answer-delete-account = Бир жумадан кийин атыңызды, жөндөөлөрдү, рейтингди, тарыхты жана байланыштарды бардык байланган аккаунттарда өчүрөм. Ага чейин баш тартса болот: /account. Ошондо башталган оюндардан чыгасыз. Бүткөн оюндар башка оюнчуларда атыңызсыз калат. 90 күнгө жетпей кайтсаңыз, оюндарыңыз рейтингге эсептелбейт.
answer-delete-cancelled = Аккаунтуңуз калат.
refuse-delete-none = Баш тарта турган эч нерсе жок: аккаунтуңуз калат.
refuse-delete-other = Бул баскыч башка адамга арналган. Өз аккаунтуңуз үчүн: /account delete
answer-data-title = Бул бот сиз жөнүндө эмнени сактайт, { $date }
answer-data-files = account.json программаларга арналган. games папкасында бүткөн оюндарыңыздын жазуусу бар.
answer-data-games-cut = Папкада акыркы бүткөн оюндар бар, { $games } оюндан { $files }: калгандары бир файлга батпады.
answer-data-profile = Аттар, жөндөөлөр, байланган аккаунттар: аккаунтту өчүргөнчө.
answer-data-marks = Коддор, каалоолор, кирүүлөр: эң көбү бир ай; акыркы столдор: 180 күн; же аккаунтту өчүргөнчө.
answer-data-messages = Ачык столдор жана алардын билдирүүлөрү: оюндан кийин эң көбү 60 күн.
answer-data-games = Оюндар: аккаунтту өчүргөнчө, андан кийин атыңызсыз.
answer-data-results = Оюндардын жыйынтыгы: аккаунтту өчүргөнчө, андан кийин атыңызсыз.
answer-data-ratings = Рейтинг, тизмелер жана тарых: аккаунтту өчүргөнчө.
answer-data-play = Оюн сапаты: бааланган ар бир оюнда каталарыңыз канчага түшкөнү, 400 күн.
answer-data-chat = Бот ээсинин барагындагы чат: билдирүүлөрүңүз 90 күн.
answer-data-answers = Билдирүүлөрүңүзгө жана басууларыңызга жооптор: 3 күн.
answer-data-deletion = Аккаунтту өчүрүү каалооңуз; андан кийин, /unlink буйругунан соң да, 90 күн аккаунтту тааныса болбой турган код.
answer-analysis = Бул жердеги акыркы оюн (<code>{ $table }</code> үстөлү):
answer-about = <b>Caravanserai</b> { $version }: чатыңызда { $games }. Бир нерсе туура эмеспи же жетишпейби? Мени кошкон адамга айтыңыз.
answer-privacy = Атыңызды, жөндөөлөрүңүздү жана оюндарыңызды сактайм. Таратуу бүткүчө картаңызды өзүңүз гана көрөсүз. Маалымат файл болуп: /account export. Өчүрүү үчүн: /account delete
answer-privacy-page = Кененирээк: { $link }
answer-contact = Боттун ээсине жазуу: { $contact }
answer-feedback = Бир нерсе туура эмеспи же сунушуңуз барбы? Мени кошкон адамга айтыңыз.
answer-feedback-contact = Бир нерсе туура эмеспи же сунушуңуз барбы? Боттун ээсине жазыңыз: { $contact }

# What Telegram shows before a person starts the bot (at most 512 characters), and on its profile
# (at most 120).
bot-description = { $games }: досторуңуз менен чатта ойноңуз. Мени топко кошуп, /play деп жазыңыз же ушул жерде компьютер менен ойноңуз.
bot-short-description = { $games }: досторуңуз менен чатта ойноңуз. Мени топко кошуп, /play деп жазыңыз.

# Names of slash commands that contain others: small letters, no spaces.
menu-table = үстөл
menu-overview = сереп

# Ratings and results

command-top = рейтингдер
command-me = рейтингдериңиз жана статистикаңыз
command-stats = оюнчунун статистикасы
command-history = бүткөн оюндарыңыз
command-achievements = жетишкендиктериңиз
list-two = { $game }, эки оюнчу
list-pairs = { $game }, жуптап
list-several = { $game }, үч же төрт оюнчу
list-short = { $game } { $players }
list-deleted-player = Өчүрүлгөн оюнчу
list-deleted-player-numbered = Өчүрүлгөн оюнчу { $n }
answer-top-chat = 🏆 <b>Ушул чаттын рейтингдери</b>
answer-top-all = 🏆 <b>Бардык чаттардын рейтингдери</b>
answer-top-season = 🏆 <b>{ $season }: ушул ай, ушул чат</b>
answer-top-season-all = 🏆 <b>{ $season }: ушул ай, бардык чаттар</b>
answer-top-past = 🏆 <b>{ $season }: ушул чат</b>
answer-top-past-all = 🏆 <b>{ $season }: бардык чаттар</b>
answer-top-empty = Бул жерде азырынча рейтингдик оюн бүтө элек. Дос менен оюн эсепке кирет: /togyz, /thaayam же /blot.
answer-top-empty-list = Бул тизмеге азырынча бир да оюн кире элек. Дос менен рейтингдик оюн кирет: /togyz, /thaayam же /blot.
answer-top-none = Ал айда рейтингдик оюн болгон жок.
answer-top-none-list = Ал тизмеге бир да оюн кирген эмес.
answer-provisional = ? – оюндар азырынча аз же акыркысы көптөн бери болгон, рейтинг катуу өзгөрүшү мүмкүн.
answer-top-list = <b>{ $list }</b>
answer-top-place = { $rank }. { $name }: <b>{ $rating }</b> (+{ $won } ={ $drawn } −{ $lost })
answer-top-place-own = ▸ { $rank }. <b>{ $name }: { $rating }</b> (+{ $won } ={ $drawn } −{ $lost })
answer-top-order = Бул жердеги орундар рейтингге жана анын ишенимдүүлүгүнө жараша: ойнобосо, орун төмөндөйт.
answer-top-order-month = Бул жердеги орундар рейтингге жана анын ишенимдүүлүгүнө жараша.
button-top-chat = Ушул чат
button-top-all = Бардык чаттар
button-top-season = Ушул ай
answer-stats = 👤 <b>{ $name }</b>
answer-stats-empty-own = Сиз азырынча бир да оюнду бүтүргөн жоксуз. Досуңузду чакырыңыз: /play
answer-stats-empty = Бул чатта бүткөн оюн жок.
answer-stats-record = { $list }: <b>{ $rating }</b> – жеңиш { $won }, тең { $drawn }, жеңилүү { $lost }
answer-stats-unrated = { $list }: рейтинг азырынча жок – жеңиш { $won }, тең { $drawn }, жеңилүү { $lost }
answer-stats-best = Эң жогорку рейтинг: { $rating }
answer-stats-streak-won = Катары менен жеңиш: { $count }
answer-stats-streak-lost = Катары менен жеңилүү: { $count }
answer-stats-against = Сиз менен бул оюнчу: жеңиш { $won }, тең { $drawn }, жеңилүү { $lost }
answer-stats-last = <b>Акыркы оюндар</b>
answer-stats-achieved = 🎖 Жетишкендиктер: { $all } ичинен { $count }
answer-stats-totals = { $totals }
answer-stats-play = 🎯 Оюн сапаты: бир таратууда каталар жеңүү мүмкүнчүлүгүн { $cost } % (± { $interval }) азайтат. Бааланган таратуу: { $rounds }
answer-stats-play-level = Бул болжол менен «{ $level }» деңгээли.
answer-stats-play-levels = Бул «{ $from }» менен «{ $to }» деңгээлдеринин ортосу.
answer-details = 📊 <b>{ $name }</b>: сүйүктүү жүрүштөр, мыкты оюндар, ийгилик
answer-details-empty = Азырынча айта турган эч нерсе жок. Дагы бир аз ойноңуз: сүйүктүү жүрүштөр үч тандоодон кийин, эң мыкты жеңиш рейтингдик жеңиштен кийин, ийгилик болсо сөөк же карта оюнунун бешөөнө 🔍 Талдоо жасалгандан кийин көрүнөт.
answer-details-best = 🏅 Эң мыкты жеңиш: { $day }, каршылаштар: { $opponents } (рейтинг { $rating })
answer-details-luck = 🎲 Ийгилик: { $sign }{ $luck } жеңиш. Акыркы { $all } оюндун талданган { $games } оюну боюнча (жеңиш { $won }). Таза кокустук 20 учурдун 19унда ±{ $limit } чегинен чыкпайт.
answer-details-luck-few = 🎲 Ийгилик талданган { $least } оюндан баштап кошулат, азырынча { $games }. Бүткөн оюндун астындагы 🔍 Талдоо аны эсепке кошот.
answer-details-luck-about = Ийгилик — сөөктөрдүн, таратуунун жана карталардын жайгашуусунун бардык тараптын оюнунан тышкары бергени; аны компьютер баалайт.
button-details = 📊 Сүйүктүү жүрүштөр, мыкты оюндар, ийгилик
button-best-win = 🎞 Эң мыкты жеңиш: { $list }
answer-decimal = { $whole },{ $tenth }
button-history = 📜 Бардык оюндарым
button-head-to-head = 📜 Биздин оюндар
answer-history = 📜 <b>Менин оюндарым</b>, { $page }-бет
answer-history-empty = Сиз азырынча бир да оюнду бүтүргөн жоксуз. Досуңузду чакырыңыз: /play
answer-history-against = 📜 <b>Атаандаш { $name }: менин оюндарым</b>, { $page }-бет
answer-history-results = { $list }: жеңиш { $won }, тең { $drawn }, жеңилүү { $lost }
answer-history-no-match = Акыркы оюндарыңызда мындай оюн жок. Бардык оюндар: /history
answer-history-none-here = Бул чатта бул оюнчуга каршы бүткөн оюнуңуз жок. Бардык оюндар: /history
answer-history-again = Оюндардын тизмеси азыр кайра түзүлүп жатат, сиздин оюндарыңыз анда жок болушу мүмкүн. Бир нече мүнөттөн кийин кайра сураңыз.
answer-history-numbered = { $n }. { $entry }
answer-history-won = { $day } { $game }: жеңиш, каршылаштар: { $opponents }
answer-history-drawn = { $day } { $game }: тең оюн, каршылаштар: { $opponents }
answer-history-lost = { $day } { $game }: жеңилүү, каршылаштар: { $opponents }
answer-history-rated = { $game } ({ $change })
answer-history-removed = { $entry } – эми сакталбайт
answer-history-replays = Оюнду кайра көрүү үчүн номерин басыңыз.
answer-history-latest = Акыркы { $count } оюн гана каралды.
argument-results = жыйынтыктар
choice-won = жеңиштер
choice-lost = жеңилүүлөр
choice-rated = рейтингдик
choice-casual = рейтингсиз
button-guarded-games = 🛡 Рейтингсиз оюндар
answer-guarded-games = <b>Бул чатта акыркы 30 күндө рейтингге эсептелбеген же баарына бирдей эсептелбеген оюндар жана себеби.</b> Рейтингге оюнчулар жөнүндө бир нерсе айткан оюндар керек; бул эч кимге жаза эмес.
answer-guarded-none = Акыркы 30 күндө бул жерде андай оюн болгон жок.
answer-guarded-game = { $day } { $game }, { $players }: { $reasons }
button-achievements = 🎖 Жетишкендиктер
button-achievements-on = 🎖 Жетишкендиктерди көрсөтүү
button-achievements-off = 🎖 Жетишкендиктерди өчүрүү
answer-achieved = 🎖 <b>Жетишкендиктер</b>: { $all } ичинен { $count }
answer-achieved-game = <b>{ $game }</b>
answer-achieved-reached = ✅ { $name }, { $day } — { $rule }
answer-achieved-open = ▫️ { $name } — { $rule }
answer-achieved-hidden = Жетишкендиктериңиз өчүк: аларды сиз да, башкалар да көрбөйт. Мурунку жыйынтыктын астындагы жазуу ошол жерде калат.
answer-achieved-shown = Жетишкендиктериңиз кайра көрсөтүлөт: /achievements
button-newer = ◂ Жаңылары
button-older = Эскилери ▸
over-rating = { $name } { $rating } ({ $change })
over-ratings = 🏅 { $changes }
over-ratings-half = 🏅 { $changes }. Өзгөрүүлөр жарымы эсептелет: компьютер ойнойт.
over-first-win = ⭐ { $name }: бул жердеги биринчи жеңиш, { $list }!
over-first-win-all = ⭐ { $name }: биринчи жеңиш, { $list }!
over-win-after-losses = ⭐ { $name } ушул чатта катары менен { $count } жеңилүүдөн кийин жеңди, атаандашы – { $opponent }!
over-win-after-losses-all = ⭐ { $name } катары менен { $count } жеңилүүдөн кийин жеңди, атаандашы – { $opponent }!
over-best-rating = ⭐ { $name }: ушул чаттагы эң жогорку рейтинг, { $list } – { $rating }
over-best-rating-all = ⭐ { $name }: ушул убакка чейинки эң жогорку рейтинг, { $list } – { $rating }
over-streak = ⭐ { $name } ушул чатта катары менен { $count } оюн жеңди, { $list }!
over-streak-all = ⭐ { $name } катары менен { $count } оюн жеңди, { $list }!
over-achieved = 🎖 Биринчи жолу: { $players }
over-achieved-player = { $name } — { $achieved }
over-casual = Рейтингсиз: { $reason }.
over-casual-for = Рейтингсиз ({ $name }): { $reason }.
lobby-rated = 🏅 Рейтингдик оюн
lobby-rated-here = 🏅 Ушул чаттын рейтингине гана эсептелет: каршылаштар бүгүн он рейтингдик оюн ойноду
lobby-rated-alone = 🏅 Рейтингдик оюн. Өзгөрүүлөр жарымы эсептелет: компьютер ойнойт. Кеңештен же кайтарылган жүрүштөн кийин утулуш гана эсептелет.
lobby-casual = Рейтингсиз: { $reason }
lobby-casual-pause = Рейтингсиз: { $name } тыныгууда, анткени өтө көп оюн токтотулду же убактысы бүттү. ⏱ { $time }
lobby-casual-several-people = Рейтингсиз: компьютер менен бир нече киши ойнойт. Рейтингге ойноо үчүн бардык орунга адамдар отурсун же компьютерлерге каршы жалгыз ойноңуз.
button-rated = Эсеп: { $rule }
lobby-rated-on = рейтингге
lobby-rated-off = көңүл үчүн
refuse-stats-private = Жеке чатта өз статистикаңыз гана көрүнөт: /me. Орток топто сураңыз.
refuse-history-private = Жеке чатта бардык оюндарыңыз көрүнөт: /history. Бир оюнчуга каршы оюндарды орток топто сураңыз.
refuse-stats-unknown = Бул жерде { $name } ойногонун көрө элекмин. Статистика биринчи оюндан кийин чыгат.
casual-chosen = көңүл үчүн ойноп жатасыздар
casual-hints = кеңештерге уруксат бар
casual-takeback = жүрүш кайтарылды
casual-substitute = оюнчу алмаштырылды
casual-guest = барактын коногу ойнойт: коноктун оюндары биринчисинен бир күн өткөндөн кийин же аккаунт байланыштырылса (/link) эсептелет
casual-unknown-computer = компьютердин бул жерде рейтинги жок
casual-several-people = компьютер менен бир нече киши ойнойт
casual-coached = бул үйрөнүү оюну
casual-same-person = бир адам бир нече тарапты ойнойт
casual-aborted = оюн токтотулду
casual-too-short = оюн өтө кыска болду
casual-no-list = мындай оюндун рейтинги жок
casual-pair-limit = каршылаштар бүгүн ушул чатта беш рейтингдик оюн ойноду
lobby-pair-limit-no-group = каршылаштар бүгүн топтордон тышкары беш рейтингдик оюн ойноду
casual-pair-limit-everywhere = каршылаштар бүгүн он рейтингдик оюн ойноду: кийинкилери топтордун тизмелерине гана кошулат
casual-new-account = жаңы оюнчу өтө кыска оюнда жеңди
casual-farming = мурунку жеңишти кайталайт
casual-deleted-account = оюнчу аккаунтун 90 күн өтө электе өчүргөн же ажыраткан
casual-rating-pause = оюнчу рейтингдик оюндардан тыныгууда
casual-other = жаңы версиянын эрежеси боюнча
answer-guard-short = ⚠️ Акыркы рейтингдик оюндарыңыздын үчөө бир нече жүрүштөн кийин бүттү. Рейтингдик оюнда жеңүү үчүн ойноңуз. Кийинкиси жөнүндө боттун ээсине кабарлайм. Кыска оюндар үчүн оюн алдында «көңүл үчүн» дегенди тандаңыз.
answer-guard-reported = ⚠️ Дагы бир рейтингдик оюнуңуз бир нече жүрүштөн кийин бүттү, ошондуктан боттун ээсине кабарладым. Рейтингиңиз өзгөрбөйт.
answer-guard-endings = ⚠️ Акыркы рейтингдик оюндарыңыздын өтө көбү сиз токтотконуңуз, убактыңыз бүткөнү же жалгыз билдирүүсү өчүрүлгөнү үчүн аяктады. Ушинтип уланса, оюндарыңыз бир аз убакыт рейтингсиз болот: адегенде 10 мүнөт, анан узагыраак, эң көбү 3 күн.
answer-guard-pause = ⏸ Акыркы оюндарыңыздын өтө көбү токтотулду, убактысы бүттү же жалгыз билдирүүсү өчүрүлдү. Жаңы оюндарыңыз азырынча рейтингсиз, башкалар муну оюн алдында көрөт. ⏱ { $time }
refuse-frozen = Боттун ээси бул столду убактылуу токтотту. Убакыт жүрбөйт, эч ким утулбайт. Ал уруксат бергенде оюн уланат.
board-frozen = 🧊 Боттун ээси бул столду убактылуу токтотту. Саат токтоп турат.
closed-host = Боттун ээси бул оюнду токтотту. Эч ким утулган жок.
refuse-banned = Боттун ээси сизге ботту колдонууга тыюу салды. Мындан ары жооп бербейм.
refuse-draining = Мени жакында жаңыртышат, ошондуктан азырынча жаңы оюн башталбайт. Башталган оюндар уланат. Кийинчерээк аракет кылыңыз.
answer-host-message = 📣 Боттун ээсинин билдирүүсү: { $text }
refuse-admin-group = Муну мага жеке чатта жазыңыз.
answer-admin = { $text }
button-admin-close = Оюнду токтотуу
button-admin-close-sure = Ооба, токтотуу
button-admin-delete = 🗑 Өчүрүү
button-admin-delete-sure = 🗑 Ооба, өчүрүү
setting-news = 📣 Боттун ээсинин билдирүүлөрү
setting-news-about = Боттун ээси бул жерге анда-санда жаза алабы, мисалы, узак тыныгуунун алдында?
value-news-off = өчүк
value-news-on = күйүк
setting-achieved = 🎖 Жетишкендиктер
setting-achieved-about = Оюнду үйрөтүүчү кичине максаттар. Өчүк болсо, аларды сиз да, башкалар да көрбөйт.
value-achieved-shown = көрсөтүлөт
value-achieved-hidden = өчүк
setting-digest = 📅 Жуманын жыйынтыгы
setting-digest-about = Бул жерде эмне ойнолгонун жумасына бир жолу жазайынбы: дүйшөмбүдө саат 9да, үнсүз? Оюн болбогон жумада билдирүү келбейт.
value-digest-off = өчүк
value-digest-on = күйүк
setting-keep = 🗄 Оюндарды сактоо
setting-keep-about = Бул чатта бүткөн оюндардын жүрүштөрү менен карталары канча убакыт сакталсын? Андан эскилери биротоло өчүрүлөт, бирок тандоодон кийин бир сутка өткөндө гана. Жыйынтыктар менен рейтингдер калат.
value-keep-always = дайыма
value-keep-365 = 1 жыл
value-keep-90 = 90 күн
value-keep-30 = 30 күн
setting-chatzone = 🕰 Чаттын убактысы
setting-chatzone-about = Ушул чаттын сааты UTCден канча алда? Жуманын жыйынтыгы ушул саат боюнча 9да келет. Кыргызстанда +6, Казакстанда +5, Арменияда +4, Москвада +3, Индия менен Шри-Ланкада +5:30.
answer-digest-is-on = Жуманын жыйынтыгы дүйшөмбү сайын саат 9да келет.
answer-digest-is-off = Жуманын жыйынтыгы өчүрүлдү. Кайра күйгүзүү: /settings chat
answer-digest = 📅 <b>Ушул чаттагы жума</b>
answer-digest-games = Оюн: { $count }, оюнчу: { $players } ({ $games })
answer-digest-game = { $game } – { $count }
answer-digest-most = 🎲 Эң көп ойногон: { $names } ({ $count })
answer-digest-gain = 📈 Рейтинги эң көп өскөн: { $name } { $points } ({ $list })
answer-digest-streak = 🔥 { $name } катары менен { $count } оюн жеңди
answer-digest-close = ⚖ Эң тирешкен оюн: { $winners } – { $losers } { $score } ({ $game })
button-digest-top = 🏆 Рейтингдер
button-digest-off = Жуманын жыйынтыгысыз
answer-data-host = Боттун ээсинин аккаунтуңузга байланыштуу аракеттери (мисалы, тыюу), эреже бузуу жөнүндө кабарлар жана тыныгуулар: бир жыл; тыюунун өзү аккаунтту тааныса болбой турган код түрүндө.

## Blocked people

command-block = адамды бөгөттөө же тизмени көрүү
command-unblock = адамды бөгөттөн чыгаруу
answer-block-done = 🚫 { $name } бөгөттөлдү: ал сизди оюнга чакыра албайт, сиз менен бир үстөлгө отура албайт. Бул тууралуу эч кимге айтылбайт. Башталган оюндар улана берет.
answer-block-already = { $name } мурун эле бөгөттөлгөн. Тизмеңиз: /block
answer-block-invitations = Араңыздардагы ачык чакыруулар мындан ары жараксыз.
answer-block-private = Бул жерде жазганыңызды башкалар да көрөт. Бул жеке чатыбызда да иштейт.
answer-block-list = 🚫 <b>Бөгөттөлгөндөр: { $count }</b>. Бөгөттөн чыгаруу үчүн атын басыңыз.
answer-block-none = Сиз эч кимди бөгөттөгөн жоксуз. Бөгөттөө: /block @дос. Анда ал сизди чакыра албайт, сиз менен бир үстөлгө отура албайт, бул тууралуу эч кимге айтылбайт.
answer-unblocked = { $name } эми бөгөттө эмес.
button-unblock = Бөгөттөн чыгаруу
button-unblock-named = Бөгөттөн чыгаруу: { $name }
refuse-block-self = Өзүңүздү бөгөттөй албайсыз. Тизмеңиз: /block
refuse-block-unknown = { $name } деген оюнчуну билбейм. Экөөңүз тең бар топто /block деп, атын жазыңыз.
refuse-block-full = Тизмеңизде { $count } адам бар, андан көп болбойт. Адегенде бирөөнү чыгарыңыз: /block
refuse-unblock-none = { $name } тизмеңизде жок. Тизмени көрүү: /block
refuse-block-own = Сиз { CASE($name, "accusative") } бөгөттөгөнсүз, ошондуктан бул жерде эч нерсе өзгөргөн жок. Тизмеңиз: /block
refuse-block-seat = Бул үстөлдө азыр сизге орун жок. Оюнду көрүп турса же өз үстөлүңүздү ачса болот: /play
refuse-block-rematch = Дал ушул оюнчулар менен азыр кайра баштоого болбойт. Жаңы үстөл ачыңыз: /play
refuse-chat-deleting = Боттун ээси бул чаттын маалыматтарын өчүрүп жатат, ошондуктан азыр бул жерде үстөл ачууга болбойт. Бир нече мүнөттөн кийин кайра аракет кылыңыз.
refuse-block-challenge = { $name } азыр чакырык кабыл албайт. Башка бирөөнү чакырыңыз же баарына ачык үстөл ачыңыз: /play
refuse-block-substitute = { $name } азыр бул орунга отура албайт. Сунушту четке кагыңыз же башка бирөөнү атаңыз: /substitute
answer-data-blocks = Сиз бөгөттөгөн адамдар: бөгөттөн чыгарганча же экөөңүздүн бири аккаунтун өчүргөнчө.

# Адам позицияларды талдай турган такта

# Анда адамдардын ордуна ким ойнойт; $n — оюнчунун номери.
analysis-player = { $n ->
        [1] Биринчи
       *[other] Экинчи
    }
# Ким жүрөрүн тандоонун жазуусу.
analysis-turn = Ким жүрөт
# Текст позиция жазуусуна окшобойт; $example — үлгү.
analysis-unknown-position = Бул бул оюндун позиция жазуусу эмес. Ал мындай болот: { $example }
analysis-no-setup = Бул оюндун позицияларын мында талдоого болбойт.
analysis-over = Бул позицияда оюн бүткөн.
analysis-game-runs = Сиз азыр { $table } столунда { $game } ойноп жатасыз: ал оюн бүткүчө баа да, кеңеш да жок.

## Hidden names

command-hidename = бул чатта адамдын атын жашыруу (админдер)
argument-reason = эмне үчүн, ошол адамга
answer-hidename = Чаттын админдери башкаларды кемсинткен атты жашыра алат: /hidename @аты, кааласаңыз, себеби. Бул жерде башкалар бейтарап атты көрөт. Кайтаруу: /hidename @аты off
answer-name-hidden = 🙈 Эми бул жерде { $name } ордуна { $shown } көрүнөт, мурунку оюндарда да. Оюнчу муну жана себебин жеке билет. Атын кайтаруу: /hidename @аты off
answer-name-hidden-already = { $name } аты бул жерде мурунтан жашырылган; башкалар { $shown } көрөт.
answer-name-shown = { $name } аты бул жерде эми жашырылган эмес.
refuse-hidename-full = Бул чатта жашырылган аттардын саны: { $count }. Адегенде бирин кайтарыңыз.
refuse-name-not-hidden = { $name } аты бул чатта жашырылган эмес.
refuse-hidename-private = Ат көрүнгөн топто жашырылат: муну ошол жерде жазыңыз.
refuse-hidename-admin = Аттарды ушул чаттын админдери гана жашыра алат.
refuse-hidename-unknown = { $name } деген оюнчуну билбейм. Бул жерде ойногон же мага жазган адамды атаңыз.
answer-name-hidden-here = 🙈 Ушул чаттын админдери атыңызды жашырды. Башкалар { $name } көрөт. Профилиңизде башка ат тандасаңыз, админден карашын сураңыз: атты админ гана кайтарат.
answer-name-hidden-everywhere = 🙈 Боттун ээси атыңызды бардык чатта жашырды. Башкалар { $name } көрөт. Профилиңизде башка ат тандасаңыз, андан карашын сураңыз: атты ошол гана кайтарат.
answer-name-hidden-reason = Себеби: { $reason }
list-hidden-player = { $code } оюнчусу
answer-data-hidden-names = Атыңыз чатта же бардык жерде жашырылганы, качантан бери жана эмне үчүн: ат кайтарылганча же аккаунтту өчүргөнчө.
