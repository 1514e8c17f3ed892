# Names

begin-lot = жеребемен
begin-me = үстел иесі
begin-friend = қонақ

# Lobby

lobby-title = <b>{ $game }</b> · <code>{ $table }</code> үстелі
lobby-waiting = { $name } қарсылас күтіп отыр.
lobby-challenge = { $friend }, сізді { $name } ойынға шақырады.
lobby-variant = Ереже: { $variant }.
lobby-begin = Бастаушы: { $begin }.
lobby-fair = Әділдікті тексеру, SHA-256: <code>{ $hash }</code>

# Results

over-won = 🏆 <b>{ $winner }</b> жеңді, есеп { $score }.
over-draw = 🤝 Тең ойын, { $score }.
over-agreed = 🤝 Келісім бойынша тең ойын.
over-resigned = 🏳 { $name } берілді. <b>{ $winner }</b> жеңді.
over-next = Келесі ойын <code>{ $table }</code> үстелінде.
closed-declined = { $name } ойыннан бас тартты.
closed-aborted = Ойын тоқтатылды. Ешкім ұтылған жоқ.
closed-cancelled = Үстел жабылды.
closed-outdated = Ойын басталғалы бері оның ережесі өзгерді, сондықтан ол осы жерде аяқталды. Ешкім ұтылған жоқ, жазбасы сақталды.

# Offers

offer-draw = 🤝 { $name } тең ойын ұсынады.
offer-take-back = ↩ { $name } соңғы жүрісін қайтаруды сұрайды.
offer-take-back-both = ↩ { $name } соңғы жүрісін және оған берілген жауапты қайтаруды сұрайды.
offer-declined = 🚫 { $name } ұсынысты қабылдамады.
offer-rematch = 🔁 { $name } тағы ойнағысы келеді.

# Calls to a person who does not look

call-turn = { $name }, кезек сізде (<code>{ $table }</code> үстелі).
call-draw = { $name }, сізге тең ойын ұсынылды (<code>{ $table }</code> үстелі).
call-take-back = { $name }, сізден жүрісті қайтаруға келісім сұралады (<code>{ $table }</code> үстелі).

# Lists

games-none = Ашық үстеліңіз жоқ. Топта үстел ашыңыз: /play
games-title = Үстелдеріңіз:
games-more =
    { $count ->
        [one] … және тағы біреуі.
       *[other] … және тағы { $count } үстел.
    }
button-refresh = ↻ Жаңарту
list-lobby = <code>{ $table }</code> { $game }: ойыншы күтуде
list-your-turn = 👉 <code>{ $table }</code> { $game } · { $with } · { $move }-жүріс: <b>кезек сізде</b>
list-their-turn = <code>{ $table }</code> { $game } · { $with } · { $move }-жүріс
list-linked = { $line } — { $link }
list-over = <code>{ $table }</code> { $game } · { $with }: ойын аяқталды
list-and = { $first } және { $last }
which-table = Қай үстелді айтып тұрсыз?
play-choose = Не ойнаймыз?

# Buttons

button-join = Қосылу
button-accept = Келісу
button-decline = Бас тарту
button-withdraw = Ұсынысты қайтарып алу
button-cancel = Үстелді жабу
button-variant = Ереже: { $variant }
button-begin = Бастаушы: { $begin }
button-abort = Ойынды тоқтату
button-take-back = ↩ Қайтару
button-draw = 🤝 Тең ойын
button-resign = 🏳 Берілу
button-resend = ⬇ Тақта осында
button-rematch = 🔁 Қайта ойнау
button-record = 📄 Жазба
button-rules = 📖 Ережелер
button-play = ▶ Ойнау
button-next = Келесі ▸
button-previous = ◂ Артқа
button-show = Жауабын көру
button-for-chat = Чатта: { $language }

# Answers

answer-confirm-resign = Берілу үшін бір минут ішінде «Берілу» батырмасын тағы бір рет басыңыз.
answer-confirm-cancel = Үстелді барлығы үшін жабу үшін бір минут ішінде «Үстелді жабу» батырмасын тағы бір рет басыңыз.
answer-offered = Ұсыныс жасалды. Енді келісім күтеміз.
answer-board-resent = Міне, тақта.
answer-record = { $table } үстеліндегі ойынның жазбасы. Ондағы seed саны арқылы жеребені кез келген адам тексере алады.
answer-declined = Қабылданбады.
answer-saved-person = Енді сізбен қазақша сөйлесемін.
answer-saved-chat = Осы чатта енді мына тілде сөйлеймін: { $language }.
answer-young = 🌱 — жаңа аударма: оны осы тілде сөйлейтіндер әлі тексерген жоқ.
answer-no-private = Сізге арналған жауап: оқу үшін басыңыз.
answer-not-shown = Батырманы басқаныңыз есепке алынды, бірақ тақтаны мұнда көрсете алмаймын, маған рұқсат жоқ: { $rights }. Әкімшіден сұраңыз.
answer-board-refused = Батырманы басқаныңыз есепке алынды, бірақ тақтаны мұнда жібере алмадым. Қайта көру: /board
answer-in-words = ✎ Сөзбен, өйткені мұнда сурет жіберуге рұқсатым жоқ. Әкімшіден рұқсат беруін сұраңыз: { $right }.
answer-lacked-rights = Жаңа ғана мұнда маған рұқсат болмады: { $rights }. Тақта өзгермесе, әкімшіден сұраңыз.
answer-message-deleted = Ойыныңыз тұрған хабарлама жойылды. Ойын осы жерде жалғасады; коды — <code>{ $table }</code>.
right-write = хабарлама жіберу
right-pictures = сурет жіберу
right-topics = жабық тақырыпта жазу
right-post = осы арнада жариялау
answer-lacks-rights = Мұнда маған мына рұқсаттар жетіспейді: { $rights }. Әкімшіден рұқсат сұрап, қайталап көріңіз.

# Refusals

refuse-already-started = Ойын басталып кетті.
refuse-join-started = Ойын басталып кетті. Ойыншыдан орнын сұрау: /substitute @аты
refuse-table-over = Ол ойын аяқталған. Жаңа үстел ашу: /play
refuse-not-started = Ойын әлі басталған жоқ: алдымен тағы бір ойыншы қосылуы керек.
refuse-not-your-table = Сіз бұл үстелде ойнамайсыз. Өз үстеліңізді ашу: /play
refuse-opener-only = Мұны тек үстелді ашқан адам жасай алады: { $name }.
refuse-already-seated = Сіз бұл үстелде отырсыз. Енді тағы бір ойыншы қосылуы керек.
refuse-not-invited =
    { $count ->
        [one] Бұл үстелге шақырылған ойыншы: { $name }. Өз үстеліңізді /play арқылы аша аласыз.
       *[other] Бұл үстелге шақырылғандар: { $name }. Өз үстеліңізді /play арқылы аша аласыз.
    }
refuse-nothing-offered = Жауап беретін ештеңе жоқ: қазір ұсыныс та, шақыру да жоқ. Үстелді көру: /board
refuse-leave-in-play = Ойын жүріп жатыр. Берілу: /resign, орынды басқаға беру: /substitute
refuse-own-place = Сіз ойынды бітірдіңіз: { $place }-орын. Енді ештеңе істеудің қажеті жоқ: басқалар бітіргенде партия аяқталады.
refuse-seat-finished = Бұл ойыншы ойынды бітіріп қойды: { $place }-орын, сондықтан оны алмастырудың қажеті жоқ. Партияны көру: /board
refuse-unknown-variant = Мұндай ережені білмеймін. Үстелдің ⚙ Баптауларында таңдауға болады: { $rules }.
refuse-not-your-turn = Қазір { $name } жүреді.
refuse-what-move = «{ $typed }» деген жүрісті түсінбедім. Мүмкін жүрістер: { $legal }.
refuse-not-understood = Бұл жүрісті түсінбедім. Батырманы басыңыз немесе жазыңыз, мысалы: 7, e3 4 не 12 жүрек.
refuse-old-board =
    { $seen ->
        [0] Бұл — ойын басындағы тақта,
       *[other] Бұл — { $seen }-жүрістегі тақта,
    } { $now ->
        [0] ал қазір ойын қайтадан басында. Қазіргі тақтада ойнаңыз.
       *[other] ал қазір { $now }-жүріс. Қазіргі тақтада ойнаңыз.
    }
refuse-old-button = Бұл батырма ескірген. Қазіргі тақтада ойнаңыз: /board
refuse-undone-often = Бұл кезекте жүрістерді жеткілікті рет қайтардыңыз. Ары қарай ойнаңыз: тақта астындағы батырмалардың бірін таңдаңыз.
refuse-changed-often = Соңғы жүрістен бері бұл үстелде тым көп нәрсе өзгертілді. Ойынды жалғастырыңыз немесе үстелді жауып, жаңасын ашыңыз.
refuse-too-late-to-abort = Екінші жүрістен кейін ойынды тоқтатуға болмайды. Берілуге (/resign) немесе тең ойын ұсынуға (/draw) болады.
refuse-abort-rated = Бұл ойын рейтингке есептеледі, сондықтан оны енді тоқтатуға болмайды. Берілуге болады: /resign
refuse-abort-place = Бір ойыншы ойынды бітірді, оның орны есептеледі, сондықтан партияны енді тоқтатуға болмайды. Берілуге болады: /resign
refuse-not-abandoned = Бұл ойынды басқалар ойнап жатыр. { $days } күн бойы ештеңе болмаса және сағат жүрмесе ғана тоқтата аласыз.
refuse-already-offered = Мұны ұсынып қойдыңыз. Жауабын күтіңіз.
refuse-offer-waits = Алдымен бұрынғы ұсынысыңызға жауап берілуі керек.
refuse-answer-first = Алдымен ұсынысқа жауап беріңіз: тақта астындағы «Келісу» немесе «Бас тарту» батырмасын басыңыз. Тақта: /board
refuse-others-answer = Алдымен ұсынысқа басқалар жауап беруі керек. Жауабы күтілуде: { $names }. Тақта: /board
refuse-turned-down = Бұл ұсыныс жаңа ғана қабылданбады. Қайта ұсыну үшін алдымен жүріс жасаңыз.
refuse-others-away = Бұған қазір жоқ ойыншылардың келісімі керек. Ойынды жалғастыра беріңіз.
refuse-opponents-away = Басқа ойыншылар жоқ, сондықтан келісім беретін ешкім жоқ.
refuse-nothing-to-take-back = Қайтаратын ештеңе жоқ: сіз әлі жүріс жасаған жоқсыз.
refuse-not-over = Ойын әлі аяқталған жоқ. Аяқталған соң қайта сұраңыз.
refuse-rematch-exists = Келесі ойын { $table } үстелінде жүріп жатыр.
refuse-own-offer = Бұл — өз ұсынысыңыз, оған басқалар жауап береді.
refuse-no-table-here = Мұнда ашық үстеліңіз жоқ. Жаңасын ашыңыз: /play
refuse-unknown-table = { $table } деген үстелді білмеймін. Үстелдеріңіз: /games
refuse-game-removed = { $table } ойыны енді жоқ. Оның чатында ойындар сақталатын мерзім: { $time }. Нәтижесі бұрынғыдай есепте.
refuse-game-deleted = { $table } ойыны енді жоқ: оның чатының деректері жойылды. Нәтижесі бұрынғыдай есепте.
refuse-no-record = Жазбаны ойын аяқталған соң ала аласыз.
refuse-unknown-command = /{ $name } деген пәрменді білмеймін. Барлық пәрмен: /help
refuse-unknown-command-near = /{ $name } деген пәрменді білмеймін. Мүмкін, /{ $near } шығар?
refuse-not-your-answer = Бұл басқа біреуге арналған. Өз үстеліңізді көру: /board
refuse-answer-gone = Бұл жауап енді жоқ. Қайта сұраңыз.
refuse-external-apps = Бұл сервердегі басқа адамдар тақтаны көрмейді. Менімен жеке чатта ойнаңыз немесе әкімшіден мені серверге қосуды не осы арнада «Use External Apps» рұқсатын беруді сұраңыз.
refuse-thread-locked = Бұл тармақ құлыпталған, сондықтан басқа ойыншылар мұнда жүре алмайды. Ойын күтіп тұр: жалғастыру үшін тармақтың құлпын ашыңыз.
refuse-reply-unreadable = Еске салуы өшірілген жауаптарды («@ OFF») Discord маған көрсетпейді. Оны қосыңыз немесе /move командасын қолданыңыз.
refuse-anonymous = Кім екеніңізді көре алмай тұрмын. Топтың не арнаның атынан емес, өз атыңыздан жазыңыз.
refuse-bot = Боттар ойнай алмайды.
refuse-friend-bot = { $name } — бот, сондықтан ойнай алмайды.
refuse-friend-self = Өзіңізді шақыра алмайсыз. Үстелді атсыз ашып, кез келген қарсыласты күтіңіз.
refuse-too-many-friends = Бұл ойынға ең көбі { $count } досты шақыруға болады.
refuse-too-many-tables-here = Мұнда ашық үстел тым көп ({ $count }). Алдымен біреуін аяқтаңыз. Ұмытылған ойынды әкімші тоқтата алады: /cancel және оның коды.
refuse-too-many-own-here = Сіз мұнда { $count } үстел ашып немесе көрсетіп қойдыңыз. Алдымен біреуін аяқтаңыз немесе оны мұнда көрсетуді тоқтатыңыз (/stop): басқаларға да орын керек.
refuse-too-many-own-of = { $name } мұнда { $count } үстел ашып немесе көрсетіп қойды, одан артық болмайды. Біреуі аяқталғанда қайта сұраңыз.
refuse-too-many-tables = Сізде { $count } ашық үстел бар, одан артық болмайды. Алдымен біреуін аяқтаңыз: /games
refuse-too-many-tables-of = { $name }: { $count } ашық үстел бар, одан артық болмайды. Біреуі аяқталғанда қайта сұраңыз.
refuse-private-invite = Досыңыз жеке чатымызды көрмейді. Үстелді сілтемемен ашыңыз (/play) немесе ортақ топта ойнаңыз.
refuse-language = Бұл тілде әзірге сөйлей алмаймын. Білетін тілдерім: { $languages }.
refuse-admin-only = Мұны бүкіл чат үшін тек әкімшілер таңдайды. Өзіңіз үшін таңдау: /settings
refuse-chatter = Мұнда мен тек пәрмендер мен жүрістерді түсінемін: /help
refuse-table-damaged = Бұл үстелде бірдеңе дұрыс болмады, сондықтан ол шетке қойылды. Боттың иесіне хабарланды. Кешіріңіз! Жаңа үстел ашу: /play
refuse-restarting = Мен қайта іске қосылып жатырмын. Бір минуттан кейін ештеңе болмаса, қайталап көріңіз.
refuse-trouble = Менде бірдеңе дұрыс болмады. Сәлден соң қайталап көріңіз.
refuse-unsaved = Қазір ештеңе сақталмайды, сондықтан бұл әлі есепке алынған жоқ. Сәлден соң қайталап көріңіз.
refuse-too-fast = Сізге ілесе алмай жатырмын. Бірнеше секунд күтіп, қайталап көріңіз.
refuse-no-private-board = Жеке чатымызда көрсетуге болатын, басқа адамдармен ойнап жатқан ойыныңыз жоқ. Үстел ашу: /play
refuse-board-moved = Тақта жаңа ғана төменге көшірілді. Бір минут күтіңіз.
refuse-busy = Сұраныс бірден тым көп болып кетті. Сәлден соң қайталап көріңіз.

# Help

help-title = <b>Caravanserai</b>: чатыңыздағы ежелгі ойындар.
help-move = Кезек сізде ме? Батырманы басыңыз не тақтаға жүрісті жазып жауап беріңіз.
help-computers = Компьютерге қарсы: /togyz компьютер немесе деңгейімен: /togyz күшті. Деңгейлер: { $levels }.
help-inline = Мен жоқ чаттарда ойнау: { $name } деп теріп, ойынды таңдаңыз немесе { $name } blot computer деп жазыңыз.
help-commands = <b>Пәрмендер</b> ({ $page })
help-line = { $name } — { $about }

command-play = ойын таңдау
command-move = жүріс жасау
command-board = тақтаны чаттың төменінде көрсету
command-games = үстелдеріңіз
command-draw = тең ойын ұсыну немесе оған келісу
command-takeback = соңғы жүрісіңізді қайтаруды сұрау
command-resign = берілу
command-abort = ойынды тоқтату: екінші жүріске дейін жалғыз; кейін, тең аяқталмайтын ойында, бәрі келіссе
command-leave = ойын басталмай тұрып үстелден тұру немесе оны жабу
command-rematch = жақ ауыстырып қайта ойнау
command-record = соңғы ойынның жазбасы
command-text = тақтаны сөзбен айту
command-learn = суретті ережелер: /learn blot
command-language = тіл таңдау
command-help = мен не істей аламын
command-start = боттың сәлемдемесін ашу
command-join = үстелге отыру, шақыруды қабылдау
command-accept = шақыруды немесе ұсынысты қабылдау
command-decline = шақырудан бас тарту

argument-friend = дос
argument-variant = ереже
argument-begin = бастаушы
argument-table = үстел
argument-scope = кім үшін
argument-language = тіл
choice-seed = қосымша жүріспен
choice-short = қосымша жүріссіз
choice-lot = жеребемен
choice-me = мен
choice-friend = досым
choice-chat = осы чат
choice-server = бүкіл сервер

# Rules pages

rules-page = { $page }-бет, барлығы { $pages }
rules-at-table = <code>{ $table }</code> үстелінде кейбір ережелер төмендегі мәтіндегідей емес:
rules-instead = { $rule } (әдетте { $usual })

# House rules
lobby-usual-rules = Әдеттегі ереже.
button-options = ⚙ Үстел ережесі
options-title = <b>Үстел ережесі: { $game }</b>, { $page }/{ $pages } бет
options-line = • { $switch }
options-setting = { $name }: { $value }
button-more = Тағы…
answer-more = Тағы не істеуге болады:

# Hidden hands
hand-cards = Қолыңыздағы карталар: { $cards }.
hand-to-play = Қолыңыздағы карталар: { $cards }. ✓ — ойнауға болады.
hand-empty = Қазір қолыңызда карта жоқ.
hand-laid-down = Ойын аяқталды.
hand-not-shown = 🃏 { $names }: карталарыңызды көру үшін «Карталарым» батырмасын басыңыз.
hand-held = { $number }{ $what }{ $mark }
hand-inline = { $table } үстелінде ойнау
hand-inline-nothing = Қазір ойнайтын ештеңе жоқ
refuse-nothing-hidden = Бұл ойында жасырын ештеңе жоқ: бүкіл тақтаны бәрі көреді. Тақта: /board
refuse-no-hand = Бұл үстелде қазір карта таратылмаған: карталарыңыз келесі таратуда келеді. Үстелді көру: /board
refuse-no-such-card = Сізде онша көп карта жоқ. Карталарыңызды көру: /hand
refuse-no-sheet = Бұл ойында ондай парақ жоқ. Тақта: /board
button-hand = 🃏 Карталарым
button-deals = 👐 Таратулар
deal-title = <code>{ $table }</code> үстелі, { $number }-тарату (барлығы { $count }): кімде не болды
refuse-no-deals = Әлі бірде-бір тарату біткен жоқ. Кімде не болғанын бірінші тарату біткен соң көре аласыз.
button-cards = ⌨ Карта таңдау
button-menu = ⋯
answer-menu = <code>{ $table }</code> үстелі:
button-text = 🔤 Тақта мәтінмен

# Two presses for a card
answer-confirm-card = Ойнау үшін { $card } дегенді бір минут ішінде тағы бір рет басыңыз.
answer-confirm-is-on = Енді әр жүрісті растауды сұраймын.
answer-confirm-is-off = Енді жүріс бірінші басқанда жасалады.
button-confirm-on = 👆👆 Растауды қосу
button-confirm-off = 👆 Растауды өшіру
command-hand = қолыңыздағы карталар, тек сізге
command-score = ұпай кестесі
command-last = соңғы ойналғаны
command-deals = біткен таратуларда кімде не болғаны
command-options = үстелдің ережелері
command-confirm = жүріс алдында растауды сұрау
argument-switch = қосу не өшіру
argument-sessions = өшіру: барлық браузерден шығу
choice-on = қосу
choice-off = өшіру

# Tables for several, computers, changing seats

lobby-nobody = бос
lobby-seat = { $n }-орын: { $name }
lobby-partners = Қарама-қарсы отырғандар бірге ойнайды: 1 мен 3, қарсыластары 2 мен 4.
lobby-awaited = Шақырылғандар: { $names }.
lobby-open = Бос орын: { $count }. Кез келген адам отыра алады.
lobby-full = Барлық орын толды. { $name } орындарды ауыстырып, «Бастау» батырмасын баса алады.
lobby-unconfirmed = ⏳ Баптаулар өзгерді. Келісу үшін өз орныңызды басыңыз: { $names }
lobby-until = Бір тәулік бойы ештеңе болмаса, үстел өздігінен жабылады.
over-resigned-together = 🏳 { $name } серігінің келісімімен берілді. Жеңгендер: <b>{ $winner }</b>.
over-given-up = 🏳 { $name } берілді. Қалғандар: { $winner }.
closed-expired = Ойынды ешкім бастамады, сондықтан үстел жабылды.
closed-abandoned = Мұнда көптен бері ешкім ойнамады, сондықтан ойын тоқтатылды. Ешкім ұтылған жоқ.
offer-resign = 🏳 { $name } берілгісі келеді. Серігі келісуі керек.
offer-replace = 🪑 { $name } ұсынады: { CASE($seat, "genitive") } орнына { $newcomer } ойнасын.
offer-leave = 🪑 { $seat } өз орнын мына ойыншыға бергісі келеді: { $newcomer }.
offer-take-over = 🪑 { $newcomer } мына орынды алғысы келеді: { $seat }.
offer-replaced = 🪑 { CASE($name, "genitive") } орнына енді { $newcomer } ойнайды.
offer-agreed = ✓ Келіскендер: { $names }
offer-waiting = Жауабы күтілуде: { $names }.
offer-patience = { $name } қарсы бола алады. { $time } үндемесе, басқалары шешеді.
call-resign = { $name }, серігіңіз берілгісі келеді (<code>{ $table }</code> үстелі).
call-replace = { $name }, бір орын басқа біреуге берілмек: келісесіз бе (<code>{ $table }</code> үстелі)?
call-start = { $name }, барлық орын толды: бастауға болады (<code>{ $table }</code> үстелі).
call-settings = { $name }, баптаулар өзгерді: келісу үшін өз орныңызды басыңыз немесе /join деп жазыңыз (<code>{ $table }</code> үстелі).
call-invited = { $name }, сізді ойынға шақырып жатыр (<code>{ $table }</code> үстелі).
call-closing = { $name }, ештеңе болмаса, <code>{ $table }</code> үстелі { $minutes } минуттан кейін жабылады. «Ұзарту» батырмасы оны ашық қалдырады.
button-leave = Тұру
button-computer = + 🤖 Компьютер қосу
button-no-computer = − 🤖 Алу
button-seats = Орын: { $count }
button-start = ▶ Бастау
button-extend = ⏳ Ұзарту
button-remind = 🔔 Еске салу
button-remove-player = Шығару…
button-substitutes = 🪑 Ауыстыру
button-computer-for = 🤖 { CASE($name, "genitive") } орнына компьютер
button-take-over = 🪑 { CASE($name, "genitive") } орнына ойнау
answer-agreed = Келістіңіз. Басқалардың жауабын күтеміз.
answer-reminded = Шақырылғандарға еске салынды.
answer-extended = Үстел тағы бір тәулік ашық тұрады.
answer-remove-player = Үстелден кім кетсін?
answer-substitutes = Басқалары келіссе, орынды компьютер ала алады. Досыңызды шақыру үшін /substitute деп, атын жазыңыз.
answer-take-over = Кімнің орнына ойнағыңыз келеді? Үстелдегі басқалар келісуі керек.
refuse-no-free-seat = Бос орын жоқ. Ойынды көріп отыруға немесе өз үстеліңізді ашуға болады: /play
refuse-kicked = Үстел иесі сізді бұл үстелден шығарды. Өз үстеліңізді ашу: /play
refuse-seat-taken = Бұл орын бос емес. Басқасын таңдаңыз.
refuse-lobby-changed = Үстелде бірдеңе өзгерді. Қайта қараңыз.
refuse-unconfirmed = Баптаулар өзгерді, сондықтан ойын келісім күтіп тұр: { $names }. Келісу үшін өз орнын басу немесе /join деп жазу керек. Ойыншыны шығару: ⚙ Баптаулар
refuse-not-here = { $name } бұл үстелде отырған жоқ.
refuse-kick-self = Өзіңізді шығара алмайсыз. Тұру үшін: /cancel
refuse-no-computer = Мұнда компьютер жоқ.
refuse-seats = Бұл ойынды { $fewest }–{ $most } адам ойнайды.
refuse-too-many-sit = Мұнда отырғандар мен шақырылғандар одан көп. Алдымен біреуін шығарыңыз.
refuse-too-few = Тағы { $count } ойыншы керек. Компьютер де ойнай алады.
refuse-nobody-awaited = Еске салатын ешкім жоқ: шақырылғандардың бәрі жауап берген.
refuse-nobody-named = Ойыншыны атаңыз: @дос
refuse-reminded = Оларға жаңа ғана еске салынды. { $minutes } минуттан кейін қайталап көріңіз.
refuse-already-agreed = Сіз келісіп қойдыңыз. Басқалардың жауабын күтеміз.
refuse-no-draws = Бұл ойында тең ойын болмайды. Берілуге болады: /resign
refuse-draw-computer = Компьютер тең ойынға келіспейді. Берілуге болады: /resign
refuse-back-hidden = Бұл ойында жүріс қайтарылмайды: карталарды бәрі көріп қойды.
refuse-back-chance = Мұны қайтаруға болмайды: содан кейін сүйек лақтырылды.
refuse-computer-there = Онда компьютер ойнап отыр.
refuse-unknown-seat = Ондай орын жоқ. Орындарды тақтадан көріңіз: /board
refuse-seated-already = { $name } бұл үстелде ойнап отыр.
refuse-other-hand = { $name } осы таратудағы басқа карталарды көріп қойды, бұл орынға келесі карталар таратылған соң отыра алады.
refuse-last-person = Мұнда қалған жалғыз адам сізсіз. Берілуге болады: /resign
refuse-substitute-rated = Ойыншы артта қалып тұрғанда ешкім орын ала алмайды: компьютермен бұл ойын рейтингке есептеледі. Рейтингсіз ойынға достар кез келген уақытта келе алады. Жаңа ойын: /play
refuse-friend-twice = Сіз { CASE($name, "genitive") } атын екі рет жаздыңыз.
command-begin = үстелдегілермен ойынды бастау
command-kick = ойын басталмай тұрып біреуді шығару
command-substitute = орынды басқа ойыншыға беру
argument-against = кімге қарсы
choice-computer = компьютер
argument-second = тағы бір дос
argument-third = үшінші дос
over-first = 🏆 <b>{ $winner }</b> жеңді.
over-won-pair = 🏆 <b>{ $winner }</b> және <b>{ $partner }</b> жеңді, есеп { $score }.

# Тақталардың көрінісі
command-theme = тақталардың көрінісін таңдау
command-flip = өз жағыңыздан тақта, тек сізге
argument-theme = көрініс
choice-wood = 🪵 Ағаш
choice-night = 🌙 Түн
choice-contrast = ◐ Контрастты
choice-print = 🖨 Қағазға
answer-theme = Тақталар қандай болсын? Алғашқы батырмалар тек өзіңіз көретін суреттерге арналған.
answer-theme-person = Тек өзіңіз көретін суреттер енді мынадай: { $theme }.
answer-theme-shared = Бұл чаттың тақтасы сол күйінде қалады: ол бәріне ортақ. Оны әкімші өзгерте алады: /theme
answer-theme-chat = Бұл чаттағы тақталар енді мынадай: { $theme }.
refuse-theme = Мен мына көріністерді білемін: { $themes }.
answer-turned-is-on = Тек өзіңіз көретін тақтада енді өз жағыңыз төменде.
answer-turned-is-off = Тек өзіңіз көретін тақта енді бәріне көрінгендей тұрады.
button-turned-on = 🔄 Өз жағым төменде
button-turned-off = 🔄 Бәріне көрінгендей
answer-pace-is-calm = Жалғыз ойнағанда компьютерлер енді бірінен соң бірі жүреді, сіз бақылап үлгересіз.
answer-pace-is-quick = Жалғыз ойнағанда компьютерлер енді бірден жауап береді.
button-pace-quick = ⚡ Бірден жауап
button-pace-calm = 🐢 Жүріс сайын
command-pace = компьютерлер қалай жауап береді: баяу не жылдам
argument-pace = баяу не жылдам
choice-calm = баяу
choice-quick = жылдам
answer-words-is-on = Енді тек өзіңіз оқитын жерде тақтаны сөзбен айтамын.
answer-words-is-off = Енді тақталарды суретпен көрсетемін.
button-words-on = 🔤 Әрдайым сөзбен
button-words-off = 🖼 Әрдайым суретпен
button-view = 👁 Өз жағымнан
# Replays and charts.
button-replay = 🎬 Ойынды көру
button-chart = 📈 График
answer-replay = 🎬 Ойынның бейнесі дайындалып жатыр… Қазір осында шығады.
answer-replay-soon = Ойынның бейнесі дайындалып жатыр, жақында осында шығады.
answer-replay-above = Бұл ойынның бейнесі бірнеше минут бұрын осында көрсетілген: сәл жоғарырақ қараңыз.
refuse-no-replay = Ойынның бейнесін ойын аяқталғаннан кейін көруге болады.
refuse-replay-busy = Қазір көп бейне дайындалып жатыр. Бір минуттан кейін қайта сұраңыз.
refuse-chart-later = Қолдағы карталар құпия: график ойын аяқталғанда көрсетіледі.
refuse-no-chart = Бұл үстелде график салатын ойын жоқ.
answer-replay-title = 🎬 <b>{ $game }</b> · <code>{ $table }</code> үстелі · { $names }
command-replay = соңғы ойынның бейнесі
command-chart = ойын барысындағы есептің графигі
# Computers: who they are and how strong
computer-beginner = 🤖 Бота
computer-easy = 🤖 Түйеші
computer-medium = 🤖 Саудагер
computer-strong = 🤖 Жолбасшы
computer-master = 🤖 Керуенбасы
# Two and more of one kind at a table have names of their own: no number ever follows a name.
computer-named = { $name } { $own }
computer-own-name = { $n ->
        [1] Әли
        [2] Нұр
        [3] Арам
       *[other] Зәки
    }
computer-thinks = { $name } ойланып жатыр…
level-beginner-about = жолға алғаш шыққан, өз аяғына өзі шалынады.
level-easy-about = жолды біледі, бірақ келесі бұрылыстан әріге қарамайды.
level-medium-about = есепке жүйрік, тегін ештеңе бермейді.
level-strong-about = шөлді талай кесіп өткен, дауылды алыстан таниды.
level-master-about = жолда бірде-бір түйе жоғалтпаған. Сәттілік!
choice-beginner = үйренуші
choice-easy = жеңіл
choice-medium = орташа
choice-strong = күшті
choice-master = шебер
argument-level = күші
lobby-seat-computer = { $n }-орын: { $name } ({ $level })
answer-levels = Мұнда отыра алатын <b>компьютерлер</b>:
answer-level-name = • { $name } ({ $level }): { $about }
answer-level-rated = • { $name } ({ $level }): { $about } 🏅 { $rating }
button-levels = 🤖 Деңгейлер…
button-relevel = { $n }-орын: { $level } ▸ ауыстыру
refuse-computer-thinks = { $name } ойланып жатыр. Сәл күте тұрыңыз.

# Hints
lobby-hints = 💡 Кеңестер: { $rule }.
lobby-hints-on = бәріне
lobby-hints-off = берілмейді
lobby-hints-alone = тек компьютерлермен жалғыз ойнағанда
button-hints = Кеңестер: { $rule }
button-hint = 💡 Кеңес
command-hint = қазір шебер қалай ойнар еді, тек сізге
answer-hint = 💡 Шебер былай ойнар еді: { $move }. Сонда жеңу мүмкіндігі шамамен { $percent } %.
answer-hint-sure = 💡 Шебер былай ойнар еді: { $move }.
answer-hint-counted = Кеңес алғаныңызды бәрі көреді, ал қандай кеңес екенін көрмейді.
refuse-hint-turn = Кеңес сіздің кезегіңізде беріледі. Қазір { $name } жүреді.
refuse-hint-off = Бұл үстелде кеңес берілмейді: ойын алдында солай шешілген.
refuse-hint-used =
    { $count ->
        [one] Осы ойындағы жалғыз кеңесті алып қойдыңыз.
       *[other] Осы ойындағы { $count } кеңестің бәрін алып қойдыңыз.
    }
refuse-hint-soon = Кеңесіңізді ойлап жатырмын.
refuse-hint-late = Ойын осы арада алға жылжып кетті. Кезегіңіз келгенде қайта сұраңыз.
over-hints = 💡 Кеңестер: { $names }
over-hinted = { $name } — { $count }

# The review after a game
button-review = 🔍 Талдау
command-review = соңғы ойынның шешуші сәттері мен дұрысырақ жүрістер
answer-review =
    { $seconds ->
        [one] 🔍 Ойын талданып жатыр. Талдау осында шамамен бір секундтан кейін шығады.
       *[other] 🔍 Ойын талданып жатыр. Талдау осында шамамен { $seconds } секундтан кейін шығады.
    }
answer-review-soon = Ойын қазірдің өзінде талданып жатыр. Талдау жақында осында шығады.
answer-review-progress = 🔍 <b>{ $game }</b>: ойынды қарап шығып жатырмын … { $made } %
answer-review-above = Бұл ойынның талдауы осында бірнеше минут бұрын шыққан: сәл жоғарырақ қараңыз.
refuse-no-review = Талдауды жүрістер жасалып, ойын аяқталған соң ала аласыз.
refuse-review-busy = Талдау күткендер көп. Бір минуттан кейін қайта сұраңыз.
refuse-review-gone = Бұл талдау мұнда енді жоқ. Қайта сұраңыз: /review
answer-review-title = 🔍 <b>{ $game }</b> · <code>{ $table }</code> үстелі · шешуші сәттер
answer-review-line = { $n }. { $move }-жүріс, { $name }: { $played } ({ $before } % → { $after } %). Дұрысырағы: { $better }.
answer-review-more = Тағы: { $moves }.
answer-review-short = { $n }. { $move }-жүріс ({ $before } → { $after } %)
answer-review-none = Бір ғана шешуші жүріс болған жоқ: басымдық біртіндеп артты.
answer-review-failed = Бұл жолы талдау жасалмады. Бір сағаттан кейін қайта сұраңыз: /review
answer-review-incomplete = Барлық жүрісті тексеруге уақыт жетпеді, сондықтан кейбір шешуші сәттер көрсетілмеуі мүмкін. Бір сағаттан кейін қайта сұраңыз: /review
answer-review-chart = График әр тараптың жеңу мүмкіндігін жүріс сайын көрсетеді: компьютердің бағасы. Ондағы сандар – жоғарыдағы жүрістердікі.
button-luck = 🎲 Сәттілік пен ойын
answer-luck = 🎲 <b>Сәттілік пен ойын</b>: жеңіс мүмкіндігі қалай өзгерді, 100 ұпайдан
answer-luck-line = { $side }: басында { $start }, өз қателерінен { $own }, өзгелердің қателерінен { $others }, сәттіліктен { $luck } = { $result }
answer-luck-about = Қате — шешімнің ойыншы біле алатын ең жақсы шешімнен кем түскені. Қалғанының бәрі — сәттілік: сүйектер, карта таратылуы және күткеннен жақсы не нашар түскен карталар. Екеуін де компьютер бағалайды.
answer-moment = { $move }-жүріс: { $name } мынаны ойнады: { $played }. Шебер былай ойнар еді: <b>{ $better }</b>.
answer-moment-chance = Жеңу мүмкіндігі шамамен { $before } % еді, енді { $after } %.
answer-moment-answer = Осыдан кейін { $name } былай жауап бере алады: { $answer }.

# The first minute, and what was not understood
help-all = 🌐 /language · Барлық пәрмен: соңғы батырма.
help-all-typed = 🌐 /language · Барлық пәрмен: /help бәрі
button-learn = 📖 Үйрену
button-solo = 🤖 Компьютермен
button-help-all = Барлық пәрмен
button-both-sides = ♟ Екі жақты да
button-settings = ⚙ Баптаулар
button-verify = 🔒 Әділдікті тексеру
solo-choose = <b>{ $game }</b>: кімге қарсы ойнайсыз?
solo-rated = 🏅 Бұл ойындар рейтингке есептеледі, өзгерістер жартылай есептеледі. Кеңестен немесе қайтарылған жүрістен кейін тек жеңіліс есептеледі.
solo-casual = Бұл ойындар көңіл үшін: рейтингсіз.
solo-friend = Досыңызбен: «Сілтемемен» дегенді басыңыз немесе мен бар топта ойнаңыз: /play
solo-friend-link = Досыңызбен: «Сілтемемен» дегенді басыңыз немесе мені екеуіңіз де бар топқа апарыңыз: { $link }
solo-friend-hands = Топтың әкімшісі болсам, барлық ойыншыға карталарын «Карталарым» батырмасынсыз бірден көрсетемін. Бұл сілтеме тек хабарларды жою құқығын сұрайды: { $link }
rules-which = Қай ойынды үйренгіңіз келеді?
refuse-clock = Сағат — жүріске 10 секундтан 30 күнге дейін немесе минут пен жүріске секунд: 3 мин, 5+5, 2 күн.
refuse-misread = «{ $word }» дегенді түсінбедім, сондықтан үстел ашылмады. Былай деуге болады: компьютер, { $levels }, кеңес жоқ, @дос.
refuse-misread-near = «{ $word }» дегенді түсінбедім, сондықтан үстел ашылмады. Мүмкін, «{ $near }»?
refuse-nobody-called = Мұнда @{ $name } деген ешкімді білмеймін, сондықтан ештеңе өзгерген жоқ. Атын тексеріңіз немесе кез келген адамға үстел ашыңыз: /play
answer-settings = ⚙ <code>{ $table }</code> үстелі, ойын басталғанға дейін:
answer-verify = 🔒 <code>{ $table }</code> үстелі: seed саны ешкім отырмай тұрып белгіленген; сүйек пен карталар сол санға және кімдер отырғанына қарай шығады. Төмендегі сан соның дәлелі; seed саны ойын жазбасында болады, оны кез келген адам тексере алады.
answer-verify-over = 🔒 <code>{ $table }</code> үстелі: seed саны ешкім отырмай тұрып белгіленген; сүйек пен карталар сол санға және кімдер отырғанына қарай шығады. Төмендегі сан соның дәлелі. Ойын бітті, оның жазбасында seed саны бар, оны кез келген адам тексере алады: /record
lobby-unseen = Әлі таныс емеспін: { $names }. Отыру үшін олар осындағы батырманы басуы керек.
answer-confirm-resign-typed = Ойын осымен аяқталады. Берілу үшін бір минут ішінде тағы бір рет жіберіңіз.
answer-confirm-abort-typed = Ойын осымен аяқталады. Тоқтату үшін бір минут ішінде тағы бір рет жіберіңіз.
refuse-nothing-to-join = Мұнда отыруға болатын үстел жоқ. Өзіңіз ашыңыз: /play
refuse-none-waiting = Мұнда ойыншы күтіп тұрған үстеліңіз жоқ. Жаңасын ашыңыз: /play
refuse-not-playing-here = Сіз мұнда ешбір үстелде ойнамайсыз. Өзіңіз ашыңыз: /play
refuse-none-finished = Соңғы кезде мұнда бірде-бір ойын аяқталған жоқ. Үстел ашу: /play. Бұрынғы ойындар: /history
command-verify = сүйек пен карталардың әділдігін тексеру
argument-move = не ойнау керек: 7, 8♥, пас
argument-game = ойын
refuse-doubtful-move = «{ $typed }» сәйкес келмейді. { $move } дегіңіз келді ме? Онда { $move } деп жіберіңіз.

# Басу не істегенін басқан адамға қысқаша айту.
done-reply = ✓ { $what }
done-and = { $first } · { $second }
done-your-turn = кезек сізде
done-turn = { CASE($name, "genitive") } кезегі
done-opened = үстел ашылды
done-below = енді төменде
done-joined = сіз үстелдесіз
done-asked = шақырған адам келіскенде ойын басталады
done-left = сіз үстелден шықтыңыз
done-seats = орындар өзгерді
done-removed = ойыншы үстелден шығарылды
done-saved = сақталды
done-started = ойын басталды
done-back = жүріс қайтарылды
done-replaced = орын алмасты
done-declined = қабылданбады
done-over = ойын аяқталды
done-closed = үстел жабылды
refuse-button-changed = Бұл батырма жаңа ғана өзгерді. Қазіргі жазуы керек болса, тағы бір рет басыңыз.

# The course, and what is said to whoever plays for the first time
lesson-yes = Иә
lesson-no = Жоқ
lesson-player = { $name }
lesson-part = 📚 { $n }-бөлім, барлығы { $parts }: <b>{ $name }</b>
lesson-part-done = 🎓 <b>{ $n }-бөлім бітті (барлығы { $parts }): { $name }.</b> Енді алғашқы ойыныңызды ойнаңыз, қарсылас — { $computer }: неге қарау керегін айтып отырамын. Немесе келесі бөлімді оқыңыз.
button-part = { $n }-бөлім: { $name } ▸
lesson-question = ❓ { $question }
lesson-try = 👆 { $question }
lesson-right = { $n ->
        [0] ✅ Дұрыс!
        [1] ✅ Көзіңіз қырағы!
        [2] ✅ Дәл солай!
       *[other] ✅ Иә, жарайсыз!
    }
lesson-wrong = 🤔 Дәл олай емес.
lesson-verdict = { $verdict } { $why }
lesson-done = 🎓 <b>Білу керегі осы ғана.</b> Енді ойнап көріңіз: { $game }, қарсылас — { $computer }. Неге қарау керегін айтып отырамын, жүрісті қалағаныңызша қайтара аласыз.
button-first-game = 🐪 Алғашқы ойын, кеңеспен: { $computer }
button-again = 🔁 Тағы бір рет
coach-says = 🐪 { $what }

## One table in several places

button-private = 👤 Жеке чатта ойнау
button-stop = ✖ Мұнда көрсетпеу
places-also = 👁 Тағы { $count } чатта көрінеді
watching-people = 👁 { $people } адам көріп отыр
watching-both = { $people } · { $places }
button-public-on = 👁 Бәрі көре алсын
button-public-off = 🔒 Тек осында көру
refuse-not-public = { $table } үстелін бәрі бірдей көре алмайды. Оған ойнап отырғандар рұқсат бере алады: ⋯, «Бәрі көре алсын».
answer-table-detached = Бұл үстел енді мұнда көрсетілмейді. Қайта көрсету: /show { $table }
places-name = { $name } ({ $mark })
mark-tg = TG
mark-dc = DC
mark-web = веб
done-shown-here = үстел енді мұнда да көрсетіледі
answer-shown-here = Енді бұл үстелде осы жерден де ойнай аласыз.
answer-watching = Енді бұл үстелді осында көріп отырасыз. Тоқтату: /stop
answer-private = Тақтаңыз енді біздің жеке чатта. Сол жерден де, осы жерден де жүре бересіз.
answer-private-opened = 🎲 Тақтаңыз осында ашылады.
answer-stopped = Үстел енді мұнда көрсетілмейді. Ойын басқа жерде жалғасады.
refuse-show-private-game = Бұл үстел бір жеке чатта ойналып жатыр, оны басқа жерде көрсетуге болмайды. Бірнеше адамға үстел ашу: /play
refuse-which-code = Қай үстел? Кодын жазыңыз, ол тақтаның ⋯ батырмасында тұр: /{ $command } 7k3fxb2
refuse-already-here = Ол үстел мұнда көрсетіліп тұр. Тақтаны төменге түсіру: /board
refuse-too-many-places = Ол үстел басқа { $count } чатта көрсетіліп тұр. Алдымен біреуінде тоқтату керек: /stop
refuse-stop-home = Үстел осында ашылған, сондықтан қала береді. Ойынға дейін оны жабуға, кейін берілуге болады.
refuse-not-shown-here = Ол үстел мұнда көрсетіліп тұрған жоқ.
refuse-nothing-shown-here = Мұнда басқа чаттың үстелі көрсетіліп тұрған жоқ.
refuse-stop-others = Мұны үстелді осында көрсеткен адам, үстел иесі немесе осы чаттың әкімшісі ғана жасай алады.
refuse-stop-player = { $name } тек осы чаттан ойнайды, сондықтан үстел осында қала береді. { $name } тақтаны жеке чатта да ашса (/private), үстелді мұнда көрсетуді тоқтатуға болады: /stop. Ойнамайтын әкімші мұны бірден жасай алады.
refuse-only-watching = Мұнда тек көруге болады. Ойнау үшін үстелді осында көрсетіңіз: /show және оның коды
refuse-private-seat = Сіз бұл үстелде ойнамайсыз. Тек көру үшін маған жеке жазыңыз: /watch { $table }
refuse-already-private = Тақтаңыз біздің жеке чатта бар.
refuse-private-none = Мұнда менімен жеке чат жоқ.
refuse-private-closed = Сізге жаза алмаймын. Құпиялық баптауларында осы серверден жеке хабарламаларға рұқсат беріңіз немесе алдымен маған жеке жазыңыз: /private { $table }
refuse-private-closed-link = Әзірге сізге жеке жаза алмаймын. Жеке чатымызды ашып, «Старт» батырмасын басыңыз, тақта өзі келеді: { $link }
command-private = жеке чаттағы өз тақтаңыз
command-show = басқа чаттың үстелін осында көрсетіп, ойнау
command-watch = басқа чаттың үстелін осында көру
command-stop = басқа чаттың үстелін мұнда көрсетпеу

## Settings

command-settings = барлық баптау: сіздікі және осы чаттікі
setting-row = { $name }: { $value }
setting-now = ✓ { $value }
setting-row-from = { $name }: { $value } ({ $source })
setting-from-server = серверден
setting-from-channel = #{ $channel } арнасынан
setting-from-parent = арнадан
setting-like-server = ↺ Сервердегідей: { $value }
setting-like-channel = ↺ Арнадағыдай: { $value }
settings-mine = 👤 <b>Сіздің баптауларыңыз</b>. Олар барлық жерде сізбен бірге. Өзгерту үшін басыңыз.
settings-chat = ⚙ <b>Осы чаттың баптаулары</b>. Өзгерту үшін басыңыз; онсыз да бәрі жұмыс істейді.
settings-chat-read = ⚙ <b>Осы чаттың баптаулары</b>. Оларды тек әкімшілер өзгертеді.
settings-server = 🏛 <b>Бүкіл сервердің баптаулары</b>. Олар басқасы таңдалмаған әр арнада жарамды. Өзгерту үшін басыңыз.
settings-server-read = 🏛 <b>Бүкіл сервердің баптаулары</b>. Оларды тек әкімшілер өзгертеді.
button-settings-chat = ⚙ Осы чат
button-settings-server = 🏛 Бүкіл серверге
button-settings-mine = 👤 Менікі
button-usual-rules = ↺ Әдеттегі ереже
setting-language = 🌐 Тіл
setting-theme = 🎨 Көрініс
setting-side = 🔄 Тақтам
setting-boards = 🖼 Тақтаны көрсету
setting-press = 👆 Жүрісті растау
setting-pace = 🐢 Компьютерлер
setting-pace-about = Тек компьютерлерге қарсы ойнағаныңызда олар қаншалықты тез жауап берсін?
value-pace-calm = кезек-кезегімен
value-pace-quick = бірден
setting-calls = 🔔 Еске салу
setting-night = 🌙 Тыныш сағат
setting-zone = 🕰 Уақытым
setting-hints = 💡 Кеңес
setting-clock = ⏱ Уақыт
setting-clock-about = Басқаша айтылмаса, мұндағы жаңа үстелдерде ойыншыларға қанша уақыт беріледі?
setting-opens = 🚪 Үстел ашатындар
setting-orders = ✖ Үстел жабатындар
setting-rules = 📜 Үстел ережесі
setting-quiet = 🔕 Тыныш режим
setting-old = 🧹 Ескі тақталар
setting-where = 📍 Ойын орны
setting-language-about = Қай тілде сөйлейін?
setting-theme-about = Тақталар қандай болсын?
setting-side-about = Тек өзіңіз көретін тақтаның төменгі жағы кімдікі?
setting-boards-about = Тек өзіңіз оқитын жерде тақтаны қалай көрсетейін?
setting-press-about = Жүріс алдында растауды сұрайын ба? Бұл абайсыз басудан сақтайды.
setting-calls-about = Кезегіңізді қашан еске салайын?
setting-night-about = Өз уақытыңызша қай сағаттарда мазаламайын? Кейінге қалғаны таңертең келеді.
setting-zone-about = Сағатыңыз UTC-ден қанша алда? Қазақстанда +5, Қырғызстанда +6, Арменияда +4, Мәскеуде +3, Үндістан мен Шри-Ланкада +5:30.
setting-hints-about = Үстел иесі басқаша айтпаса, мұндағы жаңа үстелдерде кеңес беріле ме?
setting-opens-about = Мұнда үстелді кім аша алады, басқа чаттың үстелін кім көрсете алады?
setting-orders-about = Басталмаған үстелді кім жаба алады, басқа чаттың үстелін көрсетуді кім тоқтата алады?
setting-rules-about = Басқасы аталмаса, мұндағы жаңа үстелдерде осы ереже жүреді.
setting-quiet-about = Тыныш режимде хабарламаларым дыбыссыз келеді, ешкімді атап шақырмаймын.
setting-old-about = Тақта төменде қайта шыққанда жоғарыдағысы не болады?
setting-where-about = Қай тақырыптарда ойнауға болады? Әр керек тақырыпта «осында» дегенді таңдаңыз.
setting-where-server-about = Осы сервердің қай арналарында ойнауға болады? Әр керек арнада «осында» дегенді таңдаңыз.
value-side-own = өз жағым төменде
value-side-all = бәріне көрінгендей
value-boards-pictures = суретпен
value-boards-words = сөзбен
value-press-once = өшірулі
value-press-twice = қосулы
value-calls-usual = жақын арада
value-calls-seldom = бір сағаттан соң
value-calls-never = ешқашан
value-night-none = жоқ
value-opens-all = бәрі
value-opens-admins = әкімшілер
value-opens-nobody = ешкім
value-orders-host = үстел иесі мен әкімшілер
value-orders-all = бәрі
value-rules-usual = әдеттегі
value-rules-own = өз ережесі
value-quiet-off = өшірулі
value-quiet-on = қосулы
value-old-away = алынады
value-old-stay = батырмасыз қалады
value-where-all = барлық жерде
value-where-here = осында
value-where-elsewhere = басқа тақырыптарда
value-where-channels = басқа арналарда
refuse-other-topic = Бұл тақырыпта әкімшілер ойындарды өшіріп қойған. Басқа тақырыпта ойнаңыз немесе қараңыз: /settings
refuse-other-channel = Бұл арнада әкімшілер ойындарды өшіріп қойған. Басқа арнада ойнаңыз немесе қараңыз: /settings
refuse-opens-nobody = Мұнда әкімшілер ойындарды өшіріп қойған. Менімен жеке чатта ойнай аласыз.
refuse-opens-admins = Бұл чатта үстелді әкімшілер ғана ашады. Солардан сұраңыз.

## Challenges

button-by-link = 🔗 Сілтемемен
button-invite = 🔗 Шақыру
answer-invite = 🔗 <code>{ $table }</code> үстеліне қалай шақыруға болады:
lobby-link = 🔗 Осы сілтемені жіберіңіз, ол арқылы қосылуға болады: { $link }
lobby-link-group = 👥 Топқа, менімен бірге: { $link }
lobby-code = ⌨ Мен бар жерде, басқа платформада да: <code>/show { $table }</code>, жеке чатта <code>/private { $table }</code>
lobby-explained = 💬 { $name }: { $why }
why-later = қазір емес, бәлкім кейін
why-busy = бүгін уақытым жоқ
why-other = басқа ойын ойнайық па?
why-rest = үзіліс алдым
answer-declined-why = Бас тарттыңыз. Себебін айтасыз ба? Оны үстелдегілердің бәрі оқиды.
answer-explained = Рахмет, жеткіземін.
refuse-explained = Себебін айтып қойғансыз.
command-notify = біреу ойнағысы келгенде хабарлау
answer-notify = 🔔 Осында үстел ашылғанда сізді бір рет шақырамын: { $games }. Өзгерту үшін қайта басыңыз.
answer-notify-none = Қай ойынды күтіп жүрсіз? Үстел ашылғанда сізді осында бір рет шақырамын.
call-wanted = 🔔 { $name }: { $opener } { $game } ойнағысы келеді (<code>{ $table }</code> үстелі).
refuse-notify-alone = Жеке чатта үстелді басқа ешкім ашпайды. /notify пәрменін топта жазыңыз.

## One person on several platforms

command-link = аккаунттарыңызды байланыстыру
command-unlink = аккаунттарыңызды ажырату
argument-code = басқа платформадан алынған код
button-link = Иә, екі аккаунт та менікі
answer-link = 🔗 Басқа платформада маған жеке жазыңыз: <code>/link { $code }</code>
answer-link-secret = Ол бір рет, { $minutes } минут жарайды. Ешкімге айтпаңыз: оны пайдаланған адам сіз болып ойнайды. Орын, карта, баптау ортақ болады.
answer-link-now = Аккаунттарыңыз байланысқан: { $platforms }. Ажырату: /unlink
answer-link-sure = ⚠ Бұл код мына ойыншыға берілген: <b>{ $name }</b> ({ $platform }). Жалғастырсаңыз, бұл аккаунт { $name } болып ойнайды: орныңыз сонікі болады, картаңыз көрінеді. Екі аккаунт та сіздікі болса ғана басыңыз. Кодты біреу жіберсе, баспаңыз.
answer-linked = 🔗 Дайын: енді мұнда { $name } ({ $platform }) болып ойнайсыз; орын, карта, баптау ортақ. Ажырату: /unlink
answer-link-used = 🔗 Кодыңыз пайдаланылды: { $name } ({ $platform }) енді сіз болып ойнайды. Бұл сіз болмасаңыз: /unlink
answer-unlinked = Аккаунттарыңыз ажыратылды. Ашық үстелдердегі орындар код алынған аккаунтта қалады.
answer-unlinked-unrated = Аккаунттар байланысып тұрғанда ойналған рейтингтік ойындар да сонда қалады. Сондықтан екінші аккаунттың ойындары { $time } дейін рейтингке есептелмейді.
refuse-link-code = Бұл кодты білмеймін: ол бір рет, он минут жарайды. Жаңасы: басқа платформада <code>/link</code>
refuse-link-self = Бұл өз кодыңыз: оны басқа платформада жазыңыз.
refuse-link-already = Бұл аккаунт байланыстырылған. Ажырату: /unlink
refuse-link-platform = Әр платформадан бір ғана аккаунтты байланыстыруға болады, ал мұнда біреуі байланысқан. Ажырату: /unlink
refuse-link-table = { $table } үстелінде екі аккаунт та отыр. Әуелі сол ойынды аяқтаңыз.
refuse-link-rated = Бұл аккаунтпен { $table } рейтингтік ойынын ойнап жатырсыз: ол қай атпен басталса, сол атпен аяқталады. Керісінше жасаңыз: осында <code>/link</code> деп жазып, кодты басқа аккаунттан енгізіңіз. Немесе ойыннан кейін байланыстырыңыз.
refuse-link-left = Сіз әлі жүріп жатқан { $table } рейтингтік ойынындағы орныңызды бердіңіз: ол осы аккаунтқа жеңіліс болып есептеледі. Керісінше жасаңыз: осында <code>/link</code> деп жазып, кодты басқа аккаунттан енгізіңіз. Немесе ойыннан кейін байланыстырыңыз.
refuse-link-hidden = Атыңыз бір чатта немесе барлық жерде жасырылған, содан бері тым көп аккаунт байланыстырылды. Мұны байланыстыру үшін сол чаттың әкімшісінен немесе бот иесінен атыңызды қайта көрсетуді сұраңыз.
refuse-unlink-rated = Осы аккаунттың жеке чатында сіз рейтингтік ойын ойнап жатырсыз, { $table }: ол басталған атпен аяқталады. Алдымен оны аяқтаңыз немесе басқа чатта көрсетіңіз: <code>/show { $table }</code>.
refuse-unlink-gone = Код алынған аккаунт ({ $platform }) енді жоқ. Орындарыңыз, ойындарыңыз бен рейтингіңіз сонда қалып, олардан айырылар едіңіз, сондықтан аккаунттар байланысқан күйінде қалады: осы жерден ойнай беріңіз. Бәрін жою: /account
refuse-not-linked = Аккаунттарыңыз байланыспаған. Байланыстыру: /link

## Challenges where the bot is no member

challenge-title = ⚔ Шақыру: { $game }
challenge-more = Бірінші келіскен адам сізбен осы чатта ойнайды
challenge-says = ⚔ { $name } ойынға шақырады: { $game }. Бірінші басқан адам ойнайды.
challenge-more-many = Адамдар батырмамен осы чатта қосылады, ойынды сіз бастайсыз
challenge-says-many = ⚔ { $name } ойынға шақырады: { $game }. Қосылу үшін басыңыз.
challenge-more-friends = { $friends } үшін, осы чаттың өзінде
challenge-says-friends = ⚔ { $name } ойынға шақырады: { $game }. Шақырылғандар: { $friends }.
challenge-computers = 🤖 × { $count }
challenge-game = { $game } ({ $how })
challenge-choice-title = ⚔ Кім ойнайды?
challenge-choice = ⚔ { $name } ойнағысы келеді. Ойынды таңдаңыз: бірінші басқан адам ойнайды.
share-more = Бұл үстелді осында көрсету
share-says = 🎲 { $name } ойнап жатыр: { $line }
button-watch = 👁 Көру
button-show-here = ⬇ Осында көрсету
sketch-row = <code>{ $row }</code>
sketch-line = { $row }
private-link = 📩 Суреттер, кеңестер және басқасы — ботпен оңаша: { $link }
private-link-over = 📩 Ойынды көру, талдау және жазба — ботпен оңаша: { $link }
refuse-meet-self = Бұл өз шақыруыңыз: оны басқа біреу қабылдауы керек.
refuse-challenge-used = Бұл шақыру қабылданып қойған. Ойнау үшін өз шақыруыңызды жіберіңіз.
refuse-not-challenged = Бұл шақыру { $friends } үшін. Ойнау үшін өз шақыруыңызды жіберіңіз.
answer-challenge-accepted = ⚔ { $name } бұрынырақ жіберген шақыруыңызды қабылдады: { $game }. Сіз де келіскенде <code>{ $table }</code> үстелі басталады. Келісу немесе бас тарту үшін үстелді осы жерде ашыңыз.

## Moves settled before the turn

command-premove = алдын ала жауап беру: /premove 3 7
argument-plan = қарсыластың жүрісі мен жауабыңыз: 3 7, 5 2
plan-pair = { $theirs } → { $own }
plan-set = 🤫 Келесі жүріске жауабыңыз дайын, оны тек өзіңіз білесіз: { $plan }
button-drop-plan = Дайын жауапты болдырмау
answer-plan = 🤫 Келесі жүріске жауабыңыз дайын, оны тек өзіңіз білесіз: { $plan }. Болдырмау: /premove off
answer-plan-none = Алдын ала жауап жоқ. Қарсылас жүретінде оның жүрісі мен жауабыңызды жазыңыз: /premove 3 7, 5 2
refuse-plan-turn = Алдын ала жауапты тек қарсыластың кезегінде беруге болады.
refuse-plan-game = Алдын ала жауап тек екі адамдық, сүйек пен картасыз ойында беріледі.
refuse-plan-words = Қарсыластың жүрісі мен жауабыңызды жазыңыз: /premove 3 7, 5 2
refuse-plan-move = «{ $typed }» дегенді ол жағдайда жүріс деп түсінбедім. Қарсыластың жүрісі мен жауабыңызды жазыңыз: /premove 3 7

# A board in a browser, or in a window of the platform.
command-web = тақтаны браузерде ашу; /web off барлық жерден шығарады
command-launch = тақтаны терезеде ашу
button-open-board = ▦ Тақтаны ашу
button-page = 🌐 Браузерде
answer-page = 🌐 Бұл сілтеме тақтаңызды браузерде сіздің атыңыздан ашады. Ол бір рет, { $minutes } минут жұмыс істейді: ешкімге бермеңіз. Барлық жерден шығу: /web off
answer-page-private = Мұнда басқалар оқиды, сілтемені бере алмаймын. Маған жеке жазыңыз: /web
answer-page-private-link = Мұнда басқалар оқиды: сілтеме үшін жеке чатымызды ашып, «Старт» батырмасын басыңыз: { $link }
answer-page-off = Барлық браузер мен терезеден шықтыңыз.
answer-launched = Тақтаны ашу үшін тағы бір рет басыңыз.
refuse-no-page = Мұнда тақталар браузерде ашылмайды: бот иесі оны баптамаған. Тақтаны көру: /board
refuse-page-here = Сіз онсыз да осы беттесіз.

# Words that were not meant as they could be read

refuse-words-behind = Ештеңе істелген жоқ: «{ $words }» деген сөзсіз, /{ $command } деген пәрменнің өзі ғана есептеледі. Шынымен қаласаңыз, тек /{ $command } деп жіберіңіз.
answer-nothing-done = Жарайды, ештеңе істелген жоқ.
answer-confirm-typed = { $card } ойнау үшін бір минут ішінде тағы бір рет жіберіңіз.

# Commands that combine others.
command-cancel = ойын басталмай үстелден тұру немесе ойынды тоқтату
command-open = тақтаңызды жеке чатта немесе браузерде ашу
command-account = түрлі платформадағы аккаунттарды байланыстыру не ажырату
command-analysis = соңғы ойын: талдау, бейне, график, жазба
command-table = үстелдегі ұсыныстар, ойыншылар және тақта
command-about = мен кіммін, қатені кімге айту керек
command-feedback = қате мен ұсынысты кімге айту керек
command-privacy = сіз туралы не сақтаймын
answer-open = Тақтаны қайда ашайын?
answer-open-here = Тақтаңыз осында тұр. Оны төменге түсіру: /board
answer-account = Аккаунттарды байланыстырсаңыз, барлық платформада орныңыз, карталарыңыз және баптауларыңыз бірдей болады.
button-link-start = 🔗 Аккаунтты байланыстыру
button-unlink = Аккаунттарды ажырату
answer-account-deleted = Аккаунтыңыз жойылатын күн: { $day }.
answer-deletion-restored = Мен резервтік көшірмеден қалпына келтірілдім; онда сіз аккаунтыңызды жоюды сұраған екенсіз. Аккаунтыңыз жойылатын күн: { $day }. Оны қалдыру үшін: /account
answer-deletion-operator = Бот иесі аккаунтыңызды жоюды сұрады. Аккаунтыңыз жойылатын күн: { $day }. Оны қалдыру үшін: /account
refuse-account-deleting = Аккаунтыңыз жойылып жатыр. Соңғы ойындарыңыз аяқталған соң қайтадан бастай аласыз.
refuse-link-deleting = Осы аккаунттардың бірі жойылады. Алдымен оны болдырмаңыз: /account
button-export = ⬇ Деректерім
button-delete-account = 🗑 Аккаунтты жою
button-delete-sure = 🗑 Бір аптадан кейін жою
button-keep-account = Аккаунтты қалдыру
answer-export = Деректеріңіз: account.json бағдарламаларға, қалған файлдар өзіңізге.
refuse-export-private = Деректерді тек жеке чатта жіберемін. Маған сонда жазыңыз: /account export
refuse-export-soon = Деректеріңізді жаңа ғана жібердім. Қайта алуға { $minutes } мин қалды.
answer-delete-account = Бір аптадан кейін атыңызды, баптауларыңызды, рейтингіңізді, тарихыңызды және байланыстарды барлық байланысқан аккаунтта жоямын. Оған дейін бас тартуға болады: /account. Сонда басталған ойындардан шығасыз. Аяқталған ойындар басқа ойыншыларда атыңызсыз қалады. 90 күнге жетпей оралсаңыз, ойындарыңыз рейтингке есептелмейді.
answer-delete-cancelled = Аккаунтыңыз қалады.
refuse-delete-none = Бас тартатын ештеңе жоқ: аккаунтыңыз қалады.
refuse-delete-other = Бұл түйме басқа адамға арналған. Өз аккаунтыңыз үшін: /account delete
answer-data-title = Бұл бот сіз туралы не сақтайды, { $date }
answer-data-files = account.json бағдарламаларға арналған. games қалтасында аяқталған ойындарыңыздың жазбасы бар.
answer-data-games-cut = Қалтада соңғы аяқталған ойындар бар, { $games } ойыннан { $files }: қалғандары бір файлға сыймады.
answer-data-profile = Аттар, баптаулар, байланысқан аккаунттар: аккаунтты жойғанша.
answer-data-marks = Кодтар, тілектер, кірулер: ең көбі бір ай; соңғы үстелдер: 180 күн; не аккаунтты жойғанша.
answer-data-messages = Ашық үстелдер және олардың хабарлары: ойыннан кейін ең көбі 60 күн.
answer-data-games = Ойындар: аккаунтты жойғанша, кейін атыңызсыз.
answer-data-results = Ойын нәтижелері: аккаунтты жойғанша, кейін атыңызсыз.
answer-data-ratings = Рейтинг, тізімдер және тарих: аккаунтты жойғанша.
answer-data-play = Ойын сапасы: бағаланған әр ойында қателеріңіз қаншаға түскені, 400 күн.
answer-data-chat = Бот иесінің бетіндегі чат: хабарларыңыз 90 күн.
answer-data-answers = Хабарлар мен басуларыңызға жауаптар: 3 күн.
answer-data-deletion = Аккаунтты жою тілегіңіз; кейін, /unlink-тен соң да, 90 күн бойы аккаунтты тануға болмайтын код.
answer-analysis = Мұндағы соңғы ойын (<code>{ $table }</code> үстелі):
answer-about = <b>Caravanserai</b> { $version }: чатыңызда { $games }. Бірдеңе дұрыс емес пе, жетпей ме? Мені қосқан адамға айтыңыз.
answer-privacy = Атыңызды, баптауларыңызды және ойындарыңызды сақтаймын. Тарату біткенше картаңызды тек өзіңіз көресіз. Деректер файл болып: /account export. Жою үшін: /account delete
answer-privacy-page = Толығырақ: { $link }
answer-contact = Бот иесіне жазу: { $contact }
answer-feedback = Бірдеңе дұрыс емес пе, әлде ұсынысыңыз бар ма? Мені қосқан адамға айтыңыз.
answer-feedback-contact = Бірдеңе дұрыс емес пе, әлде ұсынысыңыз бар ма? Бот иесіне жазыңыз: { $contact }

# What Telegram shows before a person starts the bot (at most 512 characters), and on its profile
# (at most 120).
bot-description = { $games }: достарыңызбен чатта ойнаңыз. Мені топқа қосып, /play деп жазыңыз немесе осында компьютермен ойнаңыз.
bot-short-description = { $games }: достарыңызбен чатта ойнаңыз. Мені топқа қосып, /play деп жазыңыз.

# Names of slash commands that contain others: small letters, no spaces.
menu-table = үстел
menu-overview = шолу

# Ratings and results

command-top = рейтингтер
command-me = рейтингтеріңіз бен статистикаңыз
command-stats = ойыншының статистикасы
command-history = аяқталған ойындарыңыз
command-achievements = жетістіктеріңіз
list-two = { $game }, екі ойыншы
list-pairs = { $game }, жұптасып
list-several = { $game }, үш не төрт ойыншы
list-short = { $game } { $players }
list-deleted-player = Жойылған ойыншы
list-deleted-player-numbered = Жойылған ойыншы { $n }
answer-top-chat = 🏆 <b>Осы чаттың рейтингтері</b>
answer-top-all = 🏆 <b>Барлық чаттың рейтингтері</b>
answer-top-season = 🏆 <b>{ $season }: осы ай, осы чат</b>
answer-top-season-all = 🏆 <b>{ $season }: осы ай, барлық чат</b>
answer-top-past = 🏆 <b>{ $season }: осы чат</b>
answer-top-past-all = 🏆 <b>{ $season }: барлық чат</b>
answer-top-empty = Мұнда әзірге рейтингтік ойын аяқталған жоқ. Доспен ойын есепке алынады: /togyz, /thaayam немесе /blot.
answer-top-empty-list = Бұл тізімге әзірге бірде-бір ойын кірмеген. Доспен рейтингтік ойын кіреді: /togyz, /thaayam немесе /blot.
answer-top-none = Ол айда рейтингтік ойын болған жоқ.
answer-top-none-list = Ол тізімге бірде-бір ойын кірмеген.
answer-provisional = ? – ойын әлі аз немесе соңғысы көптен бері болған, рейтинг қатты өзгеруі мүмкін.
answer-top-list = <b>{ $list }</b>
answer-top-place = { $rank }. { $name }: <b>{ $rating }</b> (+{ $won } ={ $drawn } −{ $lost })
answer-top-place-own = ▸ { $rank }. <b>{ $name }: { $rating }</b> (+{ $won } ={ $drawn } −{ $lost })
answer-top-order = Мұндағы орындар рейтингке және оның сенімділігіне байланысты: ойнамаса, орын төмендейді.
answer-top-order-month = Мұндағы орындар рейтингке және оның сенімділігіне байланысты.
button-top-chat = Осы чат
button-top-all = Барлық чат
button-top-season = Осы ай
answer-stats = 👤 <b>{ $name }</b>
answer-stats-empty-own = Сіз әлі бірде-бір ойынды аяқтаған жоқсыз. Досыңызды шақырыңыз: /play
answer-stats-empty = Осы чатта аяқталған ойын жоқ.
answer-stats-record = { $list }: <b>{ $rating }</b> – жеңіс { $won }, тең { $drawn }, жеңіліс { $lost }
answer-stats-unrated = { $list }: рейтинг әлі жоқ – жеңіс { $won }, тең { $drawn }, жеңіліс { $lost }
answer-stats-best = Ең жоғары рейтинг: { $rating }
answer-stats-streak-won = Қатарынан жеңіс: { $count }
answer-stats-streak-lost = Қатарынан жеңіліс: { $count }
answer-stats-against = Сіз бен осы ойыншы: жеңіс { $won }, тең { $drawn }, жеңіліс { $lost }
answer-stats-last = <b>Соңғы ойындар</b>
answer-stats-achieved = 🎖 Жетістіктер: { $all } ішінен { $count }
answer-stats-totals = { $totals }
answer-stats-play = 🎯 Ойын сапасы: бір таратуда қателер жеңіс мүмкіндігін { $cost } % (± { $interval }) кемітеді. Бағаланған тарату: { $rounds }
answer-stats-play-level = Бұл шамамен «{ $level }» деңгейі.
answer-stats-play-levels = Бұл «{ $from }» мен «{ $to }» деңгейлерінің арасы.
answer-details = 📊 <b>{ $name }</b>: сүйікті жүрістер, үздік ойындар, сәттілік
answer-details-empty = Әзірге айтарлық ештеңе жоқ. Тағы біраз ойнаңыз: сүйікті жүрістер үш таңдаудан кейін, үздік жеңіс рейтингтік жеңістен кейін, ал сәттілік сүйек не карта ойынының бесеуіне 🔍 Талдау жасалған соң көрінеді.
answer-details-best = 🏅 Үздік жеңіс: { $day }, қарсыластар: { $opponents } (рейтинг { $rating })
answer-details-luck = 🎲 Сәттілік: { $sign }{ $luck } жеңіс. Соңғы { $all } ойынның талданған { $games } ойыны бойынша (жеңіс { $won }). Таза кездейсоқтық 20 жағдайдың 19-ында ±{ $limit } шегінен шықпайды.
answer-details-luck-few = 🎲 Сәттілік талданған { $least } ойыннан бастап қосылады, әзірге { $games }. Аяқталған ойынның астындағы 🔍 Талдау оны есепке қосады.
answer-details-luck-about = Сәттілік — сүйектердің, таратудың және карталар орналасуының барлық жақтың ойынынан тыс бергені; оны компьютер бағалайды.
button-details = 📊 Сүйікті жүрістер, үздік ойындар, сәттілік
button-best-win = 🎞 Үздік жеңіс: { $list }
answer-decimal = { $whole },{ $tenth }
button-history = 📜 Барлық ойындарым
button-head-to-head = 📜 Біздің ойындар
answer-history = 📜 <b>Менің ойындарым</b>, { $page }-бет
answer-history-empty = Сіз әлі бірде-бір ойынды аяқтаған жоқсыз. Досыңызды шақырыңыз: /play
answer-history-against = 📜 <b>Қарсылас { $name }: менің ойындарым</b>, { $page }-бет
answer-history-results = { $list }: жеңіс { $won }, тең { $drawn }, жеңіліс { $lost }
answer-history-no-match = Соңғы ойындарыңызда мұндай ойын жоқ. Барлық ойындар: /history
answer-history-none-here = Осы чатта бұл ойыншыға қарсы аяқталған ойыныңыз жоқ. Барлық ойындар: /history
answer-history-again = Ойындар тізімі қазір қайта жасалып жатыр, сіздің ойындарыңыз онда болмауы мүмкін. Бірнеше минуттан кейін қайта сұраңыз.
answer-history-numbered = { $n }. { $entry }
answer-history-won = { $day } { $game }: жеңіс, қарсыластар: { $opponents }
answer-history-drawn = { $day } { $game }: тең ойын, қарсыластар: { $opponents }
answer-history-lost = { $day } { $game }: жеңіліс, қарсыластар: { $opponents }
answer-history-rated = { $game } ({ $change })
answer-history-removed = { $entry } – енді сақталмайды
answer-history-replays = Ойынды қайта көру үшін нөмірін басыңыз.
answer-history-latest = Тек соңғы { $count } ойын қаралды.
argument-results = нәтижелер
choice-won = жеңістер
choice-lost = жеңілістер
choice-rated = рейтингтік
choice-casual = рейтингсіз
button-guarded-games = 🛡 Рейтингсіз ойындар
answer-guarded-games = <b>Осы чатта соңғы 30 күнде рейтингке саналмаған немесе бәріне бірдей саналмаған ойындар және себебі.</b> Рейтингке ойыншылар туралы бірдеңе айтатын ойындар керек; бұл ешкімге жаза емес.
answer-guarded-none = Соңғы 30 күнде мұнда ондай ойын болған жоқ.
answer-guarded-game = { $day } { $game }, { $players }: { $reasons }
button-achievements = 🎖 Жетістіктер
button-achievements-on = 🎖 Жетістіктерді көрсету
button-achievements-off = 🎖 Жетістіктерді өшіру
answer-achieved = 🎖 <b>Жетістіктер</b>: { $all } ішінен { $count }
answer-achieved-game = <b>{ $game }</b>
answer-achieved-reached = ✅ { $name }, { $day } — { $rule }
answer-achieved-open = ▫️ { $name } — { $rule }
answer-achieved-hidden = Жетістіктеріңіз өшірулі: оларды сіз де, басқалар да көрмейді. Бұрынғы нәтиженің астындағы жазу сол жерде қалады.
answer-achieved-shown = Жетістіктеріңіз қайтадан көрсетіледі: /achievements
button-newer = ◂ Жаңалары
button-older = Ескілері ▸
over-rating = { $name } { $rating } ({ $change })
over-ratings = 🏅 { $changes }
over-ratings-half = 🏅 { $changes }. Өзгерістер жартылай есептеледі: компьютер ойнайды.
over-first-win = ⭐ { $name }: осындағы алғашқы жеңіс, { $list }!
over-first-win-all = ⭐ { $name }: алғашқы жеңіс, { $list }!
over-win-after-losses = ⭐ { $name } осы чатта қатарынан { $count } жеңілістен кейін жеңді, қарсыласы – { $opponent }!
over-win-after-losses-all = ⭐ { $name } қатарынан { $count } жеңілістен кейін жеңді, қарсыласы – { $opponent }!
over-best-rating = ⭐ { $name }: осы чаттағы ең жоғары рейтинг, { $list } – { $rating }
over-best-rating-all = ⭐ { $name }: осы уақытқа дейінгі ең жоғары рейтинг, { $list } – { $rating }
over-streak = ⭐ { $name } осы чатта қатарынан { $count } ойын жеңді, { $list }!
over-streak-all = ⭐ { $name } қатарынан { $count } ойын жеңді, { $list }!
over-achieved = 🎖 Алғаш рет: { $players }
over-achieved-player = { $name } — { $achieved }
over-casual = Рейтингсіз: { $reason }.
over-casual-for = Рейтингсіз ({ $name }): { $reason }.
lobby-rated = 🏅 Рейтингтік ойын
lobby-rated-here = 🏅 Тек осы чаттың рейтингіне есептеледі: қарсыластар бүгін он рейтингтік ойын ойнады
lobby-rated-alone = 🏅 Рейтингтік ойын. Өзгерістер жартылай есептеледі: компьютер ойнайды. Кеңестен немесе қайтарылған жүрістен кейін тек жеңіліс есептеледі.
lobby-casual = Рейтингсіз: { $reason }
lobby-casual-pause = Рейтингсіз: { $name } үзілісте, өйткені тым көп ойын тоқтатылды немесе уақыты бітті. ⏱ { $time }
lobby-casual-several-people = Рейтингсіз: компьютермен бірнеше адам ойнайды. Рейтингке ойнау үшін барлық орынға адамдар отырсын немесе компьютерлерге қарсы жалғыз ойнаңыз.
button-rated = Есеп: { $rule }
lobby-rated-on = рейтингке
lobby-rated-off = көңіл үшін
refuse-stats-private = Жеке чатта тек өз статистикаңыз көрінеді: /me. Ортақ топта сұраңыз.
refuse-history-private = Жеке чатта барлық ойындарыңыз көрінеді: /history. Бір ойыншыға қарсы ойындарды ортақ топта сұраңыз.
refuse-stats-unknown = Мұнда { $name } ойындарын әлі көрмедім. Статистика алғашқы ойыннан кейін шығады.
casual-chosen = көңіл үшін ойнап жатырсыздар
casual-hints = кеңестерге рұқсат бар
casual-takeback = жүріс қайтарылды
casual-substitute = ойыншы ауыстырылды
casual-guest = беттің қонағы ойнайды: қонақтың ойындары алғашқысынан бір күн өткен соң немесе аккаунт байланыстырылса (/link) есептеледі
casual-unknown-computer = компьютердің мұнда рейтингі жоқ
casual-several-people = компьютермен бірнеше адам ойнайды
casual-coached = бұл үйрену ойыны
casual-same-person = бір адам бірнеше жақты ойнайды
casual-aborted = ойын тоқтатылды
casual-too-short = ойын тым қысқа болды
casual-no-list = мұндай ойынның рейтингі жоқ
casual-pair-limit = қарсыластар бүгін осы чатта бес рейтингтік ойын ойнады
lobby-pair-limit-no-group = қарсыластар бүгін топтардан тыс бес рейтингтік ойын ойнады
casual-pair-limit-everywhere = қарсыластар бүгін он рейтингтік ойын ойнады: келесілері тек топтардың тізімдеріне қосылады
casual-new-account = жаңа ойыншы өте қысқа ойында жеңді
casual-farming = бұрынғы жеңісті қайталайды
casual-deleted-account = ойыншы аккаунтын 90 күн өтпей тұрып жойған немесе ажыратқан
casual-rating-pause = ойыншы рейтингтік ойындардан үзілісте
casual-other = жаңа нұсқаның ережесі бойынша
answer-guard-short = ⚠️ Соңғы рейтингтік ойындарыңыздың үшеуі бірнеше жүрістен кейін бітті. Рейтингтік ойында жеңу үшін ойнаңыз. Келесісі туралы бот иесіне хабарлаймын. Қысқа ойындар үшін ойын алдында «көңіл үшін» дегенді таңдаңыз.
answer-guard-reported = ⚠️ Тағы бір рейтингтік ойыныңыз бірнеше жүрістен кейін бітті, сондықтан бот иесіне хабарладым. Рейтингіңіз өзгермейді.
answer-guard-endings = ⚠️ Соңғы рейтингтік ойындарыңыздың тым көбі сіз тоқтатқандықтан, уақытыңыз біткендіктен немесе жалғыз хабарламасы жойылғандықтан аяқталды. Осылай жалғасса, ойындарыңыз біраз уақыт рейтингсіз болады: әуелі 10 минут, сосын ұзағырақ, ең көбі 3 күн.
answer-guard-pause = ⏸ Соңғы ойындарыңыздың тым көбі тоқтатылды, уақыты бітті немесе жалғыз хабарламасы жойылды. Жаңа ойындарыңыз әзірге рейтингсіз, басқалар мұны ойын алдында көреді. ⏱ { $time }
refuse-frozen = Бот иесі бұл үстелді уақытша тоқтатты. Уақыт жүрмейді, ешкім ұтылмайды. Ол рұқсат бергенде ойын жалғасады.
board-frozen = 🧊 Бот иесі бұл үстелді уақытша тоқтатты. Сағат тоқтап тұр.
closed-host = Бот иесі бұл ойынды тоқтатты. Ешкім ұтылған жоқ.
refuse-banned = Бот иесі сізге ботты пайдалануға тыйым салды. Енді жауап бермеймін.
refuse-draining = Мені жақында жаңартады, сондықтан әзірге жаңа ойын басталмайды. Басталған ойындар жалғасады. Кейінірек қайталап көріңіз.
answer-host-message = 📣 Бот иесінің хабары: { $text }
refuse-admin-group = Мұны маған жеке чатта жазыңыз.
answer-admin = { $text }
button-admin-close = Ойынды тоқтату
button-admin-close-sure = Иә, тоқтату
button-admin-delete = 🗑 Жою
button-admin-delete-sure = 🗑 Иә, жою
setting-news = 📣 Бот иесінің хабарлары
setting-news-about = Бот иесі мұнда анда-санда жаза ала ма, мысалы, ұзақ үзілістің алдында?
value-news-off = өшірулі
value-news-on = қосулы
setting-achieved = 🎖 Жетістіктер
setting-achieved-about = Ойынды үйрететін шағын мақсаттар. Өшірулі болса, оларды сіз де, басқалар да көрмейді.
value-achieved-shown = көрсетіледі
value-achieved-hidden = өшірулі
setting-digest = 📅 Апта қорытындысы
setting-digest-about = Мұнда не ойналғанын аптасына бір рет жазайын ба: дүйсенбіде сағат 9-да, дыбыссыз? Ойын болмаған аптада хабар келмейді.
value-digest-off = өшірулі
value-digest-on = қосулы
setting-keep = 🗄 Ойындарды сақтау
setting-keep-about = Осы чатта аяқталған ойындардың жүрістері мен карталары қанша уақыт сақталсын? Одан ескілері біржола жойылады, бірақ таңдаудан кейін бір тәулік өткен соң ғана. Нәтижелер мен рейтингтер қалады.
value-keep-always = әрқашан
value-keep-365 = 1 жыл
value-keep-90 = 90 күн
value-keep-30 = 30 күн
setting-chatzone = 🕰 Чаттың уақыты
setting-chatzone-about = Осы чаттың сағаты UTC-ден қанша алда? Апта қорытындысы осы сағат бойынша 9-да келеді. Қазақстанда +5, Қырғызстанда +6, Арменияда +4, Мәскеуде +3, Үндістан мен Шри-Ланкада +5:30.
answer-digest-is-on = Апта қорытындысы дүйсенбі сайын сағат 9-да келеді.
answer-digest-is-off = Апта қорытындысы өшірілді. Қайта қосу: /settings chat
answer-digest = 📅 <b>Осы чаттағы апта</b>
answer-digest-games = Ойын: { $count }, ойыншы: { $players } ({ $games })
answer-digest-game = { $game } – { $count }
answer-digest-most = 🎲 Ең көп ойнаған: { $names } ({ $count })
answer-digest-gain = 📈 Рейтингі ең көп өскен: { $name } { $points } ({ $list })
answer-digest-streak = 🔥 { $name } қатарынан { $count } ойын жеңді
answer-digest-close = ⚖ Ең тартысты ойын: { $winners } – { $losers } { $score } ({ $game })
button-digest-top = 🏆 Рейтингтер
button-digest-off = Апта қорытындысынсыз
answer-data-host = Бот иесінің аккаунтыңызға қатысты әрекеттері (мысалы, тыйым), ереже бұзу туралы хабарламалар мен үзілістер: бір жыл; тыйымның өзі аккаунтты тануға болмайтын код түрінде.

## Blocked people

command-block = адамды бұғаттау немесе тізімді көру
command-unblock = адамды бұғаттан шығару
answer-block-done = 🚫 { $name } бұғатталды: ол сізді ойынға шақыра алмайды, сізбен бір үстелге отыра алмайды. Бұл туралы ешкімге айтылмайды. Басталған ойындар жалғаса береді.
answer-block-already = { $name } бұғатталып қойған. Тізіміңіз: /block
answer-block-invitations = Араңыздағы ашық шақырулар енді жарамсыз.
answer-block-private = Мұнда жазғаныңызды басқалар да көреді. Бұл жеке чатымызда да жұмыс істейді.
answer-block-list = 🚫 <b>Бұғатталғандар: { $count }</b>. Бұғаттан шығару үшін атын басыңыз.
answer-block-none = Сіз ешкімді бұғаттаған жоқсыз. Бұғаттау: /block @дос. Сонда ол сізді шақыра алмайды, сізбен бір үстелге отыра алмайды, бұл туралы ешкімге айтылмайды.
answer-unblocked = { $name } енді бұғатта емес.
button-unblock = Бұғаттан шығару
button-unblock-named = Бұғаттан шығару: { $name }
refuse-block-self = Өзіңізді бұғаттай алмайсыз. Тізіміңіз: /block
refuse-block-unknown = { $name } деген ойыншыны білмеймін. Екеуіңіз де бар топта /block деп, атын жазыңыз.
refuse-block-full = Тізіміңізде { $count } адам бар, одан артық болмайды. Алдымен біреуін шығарыңыз: /block
refuse-unblock-none = { $name } тізіміңізде жоқ. Тізімді көру: /block
refuse-block-own = Сіз { CASE($name, "accusative") } бұғаттағансыз, сондықтан мұнда ештеңе өзгерген жоқ. Тізіміңіз: /block
refuse-block-seat = Бұл үстелде қазір сізге орын жоқ. Ойынды көріп отыруға немесе өз үстеліңізді ашуға болады: /play
refuse-block-rematch = Дәл осы ойыншылармен қазір қайта бастауға болмайды. Жаңа үстел ашыңыз: /play
refuse-chat-deleting = Бот иесі осы чаттың деректерін жойып жатыр, сондықтан қазір мұнда үстел ашуға болмайды. Бірнеше минуттан кейін қайталап көріңіз.
refuse-block-challenge = { $name } қазір шақыру қабылдамайды. Басқа біреуді шақырыңыз немесе бәріне ашық үстел ашыңыз: /play
refuse-block-substitute = { $name } қазір бұл орынға отыра алмайды. Ұсынысты қабылдамаңыз немесе басқа біреуді атаңыз: /substitute
answer-data-blocks = Сіз бұғаттаған адамдар: бұғаттан шығарғанша немесе екеуіңіздің бірі аккаунтын жойғанша.

# Адам позицияларды талдайтын тақта

# Онда адамдардың орнына кім ойнайды; $n — ойыншының нөмірі.
analysis-player = { $n ->
        [1] Бірінші
       *[other] Екінші
    }
# Кім жүретінін таңдаудың жазуы.
analysis-turn = Кім жүреді
# Мәтін позиция жазбасына ұқсамайды; $example — үлгі.
analysis-unknown-position = Бұл осы ойынның позиция жазбасы емес. Ол мынадай болады: { $example }
analysis-no-setup = Бұл ойынның позицияларын мұнда талдауға болмайды.
analysis-over = Бұл позицияда ойын аяқталған.
analysis-game-runs = Сіз қазір { $table } үстелінде { $game } ойнап жатырсыз: ол ойын аяқталғанша баға да, кеңес те жоқ.

## Hidden names

command-hidename = осы чатта адамның атын жасыру (әкімшілер)
argument-reason = неге, сол адам үшін
answer-hidename = Чат әкімшілері басқаларды қорлайтын атты жасыра алады: /hidename @аты, қаласаңыз, себебі. Осында басқалар бейтарап ат көреді. Қайтару: /hidename @аты off
answer-name-hidden = 🙈 Енді осында { $name } орнына { $shown } көрінеді, бұрынғы ойындарда да. Ойыншы мұны және себебін жеке біледі. Атын қайтару: /hidename @аты off
answer-name-hidden-already = { $name } аты осында бұрыннан жасырулы; басқалар { $shown } көреді.
answer-name-shown = { $name } аты осында енді жасырулы емес.
refuse-hidename-full = Бұл чатта жасырылған аттар саны: { $count }. Алдымен біреуін қайтарыңыз.
refuse-name-not-hidden = { $name } аты бұл чатта жасырылмаған.
refuse-hidename-private = Ат көрінетін топта жасырылады: соны сол жерде жазыңыз.
refuse-hidename-admin = Аттарды тек осы чаттың әкімшілері жасыра алады.
refuse-hidename-unknown = { $name } деген ойыншыны білмеймін. Осында ойнаған немесе маған жазған адамды атаңыз.
answer-name-hidden-here = 🙈 Осы чаттың әкімшілері атыңызды жасырды. Басқалар { $name } көреді. Профиліңізде басқа ат таңдасаңыз, әкімшіден қарауын сұраңыз: атты тек әкімші қайтарады.
answer-name-hidden-everywhere = 🙈 Бот иесі атыңызды барлық чатта жасырды. Басқалар { $name } көреді. Профиліңізде басқа ат таңдасаңыз, одан қарауын сұраңыз: атты тек сол қайтарады.
answer-name-hidden-reason = Себебі: { $reason }
list-hidden-player = { $code } ойыншысы
answer-data-hidden-names = Атыңыздың чатта не барлық жерде жасырулы екені, қашаннан және неге: ат қайтарылғанша не аккаунтты жойғанша.
