# Thaayam. $name is the name of a player; squares are a1 to e5, c1 at the bottom is the palace of
# white; throws are points of four dice.

game-thaayam = Тхаайям
command-thaayam = Тхаайям үстелін ашу, екіден төртке дейін ойыншы

# What happened; $done is a list of what the throws were used for

thaayam-told = { $name }: { $throws } түсті — { $done }.
thaayam-told-again = { $name } тас жойғаны үшін тағы лақтырды: { $throws } түсті — { $done }.
thaayam-told-nothing = { $name }: { $throws } түсті — жүріс жоқ.
thaayam-told-nothings = Жүріс болмады — { $turns }.
thaayam-nothing-of = { $name }: { $throws }
# Before the turns that are told one by one
thaayam-told-earlier =
    { $count ->
        [one] … бұған дейін { $count } кезек өздігінен ойналды …
       *[other] … бұған дейін { $count } кезек өздігінен ойналды …
    }
# A throw as players call it, and those that were lost before the first 1
thaayam-called = { $throw }
thaayam-called-lost = ({ $throws })
thaayam-did-enter = тас { $to } шаршысына қойылды
thaayam-did-move = { $throw }: { $from } → { $to }
thaayam-did-home = { $throw }: { $from } → қамал
thaayam-did-off = бір тас тақтадан алынды
thaayam-did-kill =
    { $count ->
        [one] { CASE($name, "genitive") } { $count } тасы жойылды
       *[other] { CASE($name, "genitive") } { $count } тасы жойылды
    }
thaayam-whole-enter = { $to } шаршысына қою
thaayam-whole-move = { $from } → { $to }
thaayam-whole-home = { $from } → қамал
thaayam-whole-off = бір тасты тақтадан алу
thaayam-whole-kill = { $squares } шаршысында жою
thaayam-place = 🏅 { $name } ойынды бітірді: { $place }-орын.
thaayam-finished = 🏅 { $name } ойынды бітірді.
thaayam-opened = Ешкім жүре алмай қалды: ішкі жол бәріне ашылды.

# Where it stands

thaayam-score = Жеткен тастар ({ $pieces } тастан) — { $players }
thaayam-score-of = { $name }: { $count }
# The dice are open; those in brackets were lost before the first 1
thaayam-thrown = 🎲 { $name } лақтырды: { $throws }.
thaayam-left = Пайдаланылмағаны: { $throws }
thaayam-turn = 👉 { $number }-кезек: <b>{ $name }</b>.
thaayam-turn-throw = 👉 { $number }-кезек: сүйекті <b>{ $name }</b> лақтырады.
thaayam-turn-play = 👉 { $number }-кезек: <b>{ $name }</b> жүреді.
thaayam-turn-done = 👉 { $number }-кезек: бұдан әрі жүріс жоқ. <b>{ $name }</b> «Болды» не «Қайтару» батырмасын басады.
thaayam-end = Барлық тасын бірінші болып жеткізген — { $name }.
thaayam-end-partners = Жұптың барлық тасы жетті: { $names }.
thaayam-end-places = Орындар реті: { $names }.

# The board in words

thaayam-side = { $name } ({ $colour }): қолда { $hand }; тақтада { $squares }; қамалда { $fortress }; алынғаны { $off }.
thaayam-sketch-side = { $sign } { $side }
thaayam-white = ақ
thaayam-black = қара
thaayam-red = қызыл
thaayam-blue = көк

# Buttons

thaayam-button-throw = 🎲 Лақтыру
thaayam-button-undo = ↩ Қайтару
thaayam-button-done = ✓ Болды
sheet-thaayam-turns = 📜 Соңғы жүрістер
sheet-thaayam-odds = 🎲 Ықтималдық

# Sheets

thaayam-sheet-turns = <b>Соңғы жүрістер</b>
thaayam-sheet-turns-none = Әзірге ешкім жүрген жоқ.
thaayam-sheet-turn = { $number }-кезек. { $turn }
thaayam-odds-throws = <b>Төрт сүйекті бір лақтырғанда</b>: 1 — 25 %, 2 — 37,5 %, 3 — 25 %, 4 — 6,25 %, 8 (бірде-бір ақ жақ жоқ) — 6,25 %. Сүйектер әділ, оларды ешкім бұрмаламайды.
thaayam-odds-turn = <b>Бір кезекте</b> орта есеппен 1,6 рет лақтырылып, 4 ұпай түседі; кезектердің 62,5 %-ында бір-ақ рет лақтырылады.
thaayam-odds-ones = <b>Кезекте кемінде бір рет 1 түсуі</b>: 28,6 %; екі және одан көп рет: 8,2 %. Төрт бірлік орта есеппен 11 кезекте жиналады.
thaayam-odds-reach = <b>Тасыңыздың жойылуы</b>: қарсылас мынадай шаршы артта тұрса, бір кезекте 1 — 29 %, 2 — 63 %, 3 — 57 %, 4 — 23 %, 5 — 8 %, 6 — 7 %, 7 — 7 %, 8 — 12 %, 9 — 5 %, 10 — 7 %, 11 — 7 %, 12 — 4 %, одан әрі — 2 %-дан аз.

# Refusals

thaayam-seats = Тхаайямды екі, үш не төрт адам ойнайды.
thaayam-partners-four = Жұптасып ойнау үшін төрт адам керек: ойын ережесін өзгертіңіз не тағы ойыншы күтіңіз.
thaayam-over = Бұл ойын аяқталған.
thaayam-not-your-turn = Қазір { $name } жүреді.
thaayam-not-now = Сүйектер әлі домалап жатыр. Сәл күтіп, қайталап көріңіз.
thaayam-throw-first = Алдымен сүйекті лақтырыңыз.
thaayam-already-thrown = Сүйектер лақтырылып қойған. Енді тас пен шаршыны таңдаңыз.
thaayam-nothing-to-undo = Бұл кезекте қайтаратын жүріс жоқ.
thaayam-still-to-play = Жүруге болатынның бәрін жүру керек; қалғаны: { $throws }.
thaayam-no-such-end = Кезек бұлай аяқтала алмайды. Қалған лақтырысты жүріңіз немесе «Болды» батырмасын басыңыз.
thaayam-no-piece = { $square } шаршысында сіздің тасыңыз жоқ. Өз тасыңыз тұрған шаршыны таңдаңыз.
thaayam-no-such-throw = Бұл кезекте сізге { $throw } түскен жоқ.
thaayam-throw-spent = Түскен { $throw } жүріліп қойды. Басқа лақтырысты таңдаңыз.
thaayam-throw-lost = Түскен { $throw } күйіп кетті: ол бірінші 1-ге дейін түсті, ал тақтада тасыңыз болмады.
thaayam-none-in-hand = Қолыңызда тас жоқ. Тақтадағы таспен жүріңіз.
thaayam-use-most = Олай жүрсеңіз, аз лақтырыс пайдаланылады, ал мүмкіндігінше көп пайдалану керек. «Қайтару» батырмасын басып, басқа ретпен көріңіз.
thaayam-enter-needs-one = Тақтаға тас тек 1 түскенде қойылады.
thaayam-off-needs-one = Тақтадан тас тек 1 түскенде алынады.
thaayam-not-all-home = Барлық тасыңыз қамалға жиналмай, ешқайсысы тақтадан алынбайды.
thaayam-not-this-turn = Соңғы тас жеткен кезекте тақтадан тас алынбайды. «Болды» батырмасын басыңыз.
thaayam-exact = { $square } шаршысындағы тасқа { $throw } тым көп: қамалға дәл санмен кіреді.
thaayam-kill-first = Ішкі жол сіз бірінші тасты жойғаннан кейін ғана ашылады.
thaayam-blocked = { $square } шаршысындағы тас { $throw } шаршы жүре алмайды: жолда қарсылас тұр. Басқа тасты не лақтырысты таңдаңыз.

# House rules

switch-thaayam-pieces = Әркімнің тасы
switch-thaayam-pieces-4 = 4, төртеу ойнағанда шамамен 210 кезек
switch-thaayam-pieces-3 = 3, шамамен 150 кезек
switch-thaayam-pieces-2 = 2, шамамен 90 кезек
switch-thaayam-pieces-1 = 1, шамамен 40 кезек
switch-thaayam-finish = Мақсат
switch-thaayam-finish-off = бар тасты тақтадан алу
switch-thaayam-finish-fortress = бар тасты қамалға жеткізу, алтыдан бірге қысқа
switch-thaayam-throw = Сүйек
switch-thaayam-throw-press = ойыншы лақтырады
switch-thaayam-throw-auto = өздігінен түседі
switch-thaayam-exact = Қамалға дәл сан
switch-thaayam-exact-yes = керек
switch-thaayam-exact-no = керек емес, алтыдан бірге қысқа
switch-thaayam-capture = Тас жойылады
switch-thaayam-capture-each = әр тоқтағанда
switch-thaayam-capture-final = тек кезек соңында
switch-thaayam-lost-before-one = Бірінші 1-ге дейінгі лақтырыстар
switch-thaayam-lost-before-one-hand = бар тас қолда болса, күйеді
switch-thaayam-lost-before-one-track = жолда тас болмаса, күйеді
switch-thaayam-lost-before-one-never = күймейді
switch-thaayam-obligation = Міндет
switch-thaayam-obligation-any = мүмкін болғанша жүру, реті еркін
switch-thaayam-obligation-max = лақтырысты барынша көп пайдалану не жеңу
switch-thaayam-kill-again = Тас жойса
switch-thaayam-kill-again-no = ештеңе қосылмайды
switch-thaayam-kill-again-yes = тағы лақтырады
switch-thaayam-kill-to-go-in = Ішкі жол
switch-thaayam-kill-to-go-in-no = ашық
switch-thaayam-kill-to-go-in-yes = тас жойғандарға ғана
switch-thaayam-same-turn-bear-off = Жеткен кезекте тас алу
switch-thaayam-same-turn-bear-off-yes = болады
switch-thaayam-same-turn-bear-off-no = болмайды
switch-thaayam-play-on = Жеңістен кейін
switch-thaayam-play-on-no = ойын бітеді
switch-thaayam-play-on-yes = қалғандар ойнай береді
switch-thaayam-clockwise = Кезек бағыты
switch-thaayam-clockwise-no = сағат тіліне қарсы
switch-thaayam-clockwise-yes = сағат тілімен
switch-thaayam-partners = Жұптар
switch-thaayam-partners-no = жоқ, әркім өзі үшін
switch-thaayam-partners-yes = төртеудің қарама-қарсы отырғандары
switch-thaayam-block-on-path = Жолдағы қарсыластар
switch-thaayam-block-on-path-no = бөгемейді
switch-thaayam-block-on-path-yes = сарайдан тыс жерде бөгейді
chart-thaayam = 📈 Тастар қанша жол жүрді, кезек сайын (<code>{ $table }</code> үстелі). Көлденең сызық — үйге дейінгі бүкіл жол.

# Counts in the statistics of a person, achievements and their rules
thaayam-count-killed = жойылған тас: { $count }
thaayam-count-lost = жоғалтқан тасы: { $count }
thaayam-count-fortress = қамалға кірген тас: { $count }
thaayam-favourites-first-kill = Ойындағы алғашқы соққы: { $ways }
thaayam-favourite-first-kill = { $way } (ойын { $count }, жеңіс { $good })
thaayam-first-kill-own = өзінікі
thaayam-first-kill-other = басқанікі
thaayam-achieved-kill = Алғашқы соққы
thaayam-achieved-kill-rule = бір тасты жойыңыз. Ол иесінің қолына қайтып, басынан бастайды.
thaayam-achieved-full-circle = Толық айналым
thaayam-achieved-full-circle-rule = бірде-бір тасыңыз жойылмай тұрып, бір тасты тақтаны айналдырып қамалға кіргізіңіз.
thaayam-achieved-two-kills = Бірден екеу
thaayam-achieved-two-kills-rule = бір кезекте екі тасты жойыңыз.

# Позицияны құру: бөліктерінің жазулары және неге мүмкін емес

thaayam-setup-piece = { $name }, { $number }-тас
thaayam-setup-killed = { $name } тас соққан
thaayam-setup-hand = қолда
thaayam-setup-fortress = қамал
thaayam-setup-off = алынған
thaayam-setup-enemies = Сарайлар мен қамалдан басқа бір шаршыда екі ойыншының тастары тұра алмайды.
thaayam-setup-finished = Бір ойыншы аяқтап қойған: бұл позицияда ойын аяқталған.
thaayam-setup-bad-pieces = Тастар бұлай тұра алмайды: бәрі қамалға жиналмай, ешқайсысы алынбайды.
thaayam-setup-no-kill = Мұнда ішкі жол тас жойғандарға ғана ашық. Ойыншының тас соққанын белгілеңіз не тасты сыртқы жолға қойыңыз.
thaayam-setup-many-throws = Мұнда қатарынан ең көбі { $most } лақтыру таңдауға болады.
