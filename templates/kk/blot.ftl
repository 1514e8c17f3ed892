# Blot. $name is a player, bids and cards are written with the signs of their suits.

# Names

game-blot = Блот
command-blot = төрт адамға арналған армян блоты үстелін ашу
sheet-blot-score = 📋 Ұпай кестесі
sheet-blot-last = ↩️ Соңғы алым
sheet-blot-bids = 🗣 Ұсыныстар
blot-team = { $first } және { $second }

# What is said and done; labels of buttons

blot-pass = пас
blot-kuansh = куанш
blot-sur = сур
blot-bid-boy = { $x } бой
blot-bid-kaput = { $bid } капут
blot-announce = Жариялау
blot-announce-other = Басқа жинақты жариялау
blot-show = Көрсету
blot-terz = терц
blot-fifty = елулік
blot-hundred = жүздік
blot-four = төрт бірдей карта
# A combination with its cards.
blot-meld = { $kind }: { $cards }

# What happened; $name is a player, $side and $other are the two players of a side

blot-dealt = 🃏 Жаңа тарату. Таратушы: { $name }.
blot-said = { $name } — { $call }
blot-auction = Сауда: { $calls }.
blot-thrown-in = Бәрі пас деді: карталар жиналып алынды.
blot-contract = { $bid } ({ $name })
blot-contract-kuansh = { $bid } ({ $name }), куанш
blot-contract-sur = { $bid } ({ $name }), куанш пен сур
blot-decided = Ойын: <b>{ $contract }</b>.
blot-announced = { $name } жариялайды: { $kinds }.
blot-shown = { $name } көрсетеді: { $melds }.
blot-sentences = { $first } { $second }
blot-put = { $name } { $card } түсіреді.
blot-put-several = Карталар: { $cards }.
blot-seat-card = { $name } — { $card }
blot-blot = { $name }: блот-реблот, 2 ұпай.
# Card points of the trick.
blot-took = Алымды { $name } алады (карта ұпайы: { $points }).
# Said of a card before it is put: it would win the trick so far.
blot-would-take = әзірге алымды алады
blot-playing = { $contract }. Алымдар — { $first }: { $tricks }, { $second }: { $others }.
blot-table = Үстелде: { $cards }.
blot-counting = { $side } жағының комбинациялары есептеледі: { $points }.

# The result of a round

blot-round-made = ✅ { $side } уәдесін орындады: { $contract }.
blot-round-under = ❌ { $side } жете алмады: { $contract }.
blot-round-cards = Карта ұпайы — { $side }: { $cards }, { $other }: { $others }.
blot-round-outside = Сырттан (комбинациялар) — { $side }: { $outside }, { $other }: { $others }.
# $bid is what the bid brings, $cards card points in tens, $outside combinations and blot-reblot.
blot-round-sum-made = { $side }: ұсыныс { $bid } + карта { $cards } + сырттан { $outside } = <b>{ $points }</b>; { $other }: <b>{ $others }</b>.
blot-round-sum-fixed = { $side }: ұсыныс { $bid } + { $base } + сырттан { $outside } = <b>{ $points }</b>; { $other }: <b>{ $others }</b>.
blot-score = Есеп — { $first }: { $points }, { $second }: { $others }
blot-won = 🏆 Партияда { $side } жеңді — { $points } : { $others }.

# Whose turn it is

blot-dealing = Карта таратылып жатыр.
blot-turn-card = 👉 Жүретін — <b>{ $name }</b>.
blot-turn-bid = 👉 Сөз кезегі — <b>{ $name }</b>: { $lowest } не одан көп, немесе пас.
blot-turn-bid-equal = 👉 Сөз кезегі — <b>{ $name }</b>: { $equal }, { $lowest } не одан көп, немесе пас.
blot-turn-kaput = 👉 Сөз кезегі — <b>{ $name }</b>: { $lowest } не одан көп капут, немесе пас.
blot-turn-kaput-equal = 👉 Сөз кезегі — <b>{ $name }</b>: { $equal }, { $lowest } не одан көп капут, немесе пас.
blot-turn-equal = 👉 Сөз кезегі — <b>{ $name }</b>: { $equal }, немесе пас.
blot-turn-answer = 👉 Куаншқа жауап беретін — <b>{ $name }</b>: сур не пас.
blot-turn-pass = 👉 Сөз кезегі — <b>{ $name }</b>: бұдан жоғары ұсыныс жоқ.

# The table in words, and sheets

blot-board-dealer = Таратушы: { $name }.
blot-board-hand = Сіздің карталарыңыз: { $cards }
blot-laid-hand = { $name }: { $cards }
blot-board-melds = Сізде: { $melds }.
blot-no-bids = Әлі ешкім ұсыныс айтқан жоқ.
blot-no-trick = Бұл таратуда әлі бірде-бір алым жоқ.
blot-last-trick = Соңғы алым: { $cards }.
# The score sheet: numbers are always those of the reader’s side first.
blot-sheet-head = Ұпайлар: <b>{ $we }</b> : <b>{ $you }</b>
blot-sheet-empty = Әлі бірде-бір тарату жазылған жоқ.
blot-sheet-made = { $number }. { $bid } { $name } ✅ <b>{ $points }</b>: карта { $cards }, комбинациялар { $outside }. Есеп: { $totals }
blot-sheet-under = { $number }. { $bid } { $name } ❌ <b>{ $points }</b>: карта { $cards }, комбинациялар { $outside }. Есеп: { $totals }
blot-sheet-times = { $bid } × { $times }
blot-sheet-total = <b>{ $points } : { $others }</b>, ойын { $target } ұпайға дейін

# Refusals

blot-not-your-turn = Қазір { $name } ойнайды.
blot-over = Бұл партия аяқталды.
blot-no-deal = Карта әлі таратылған жоқ.
blot-seats = Блотты төртеу ойнайды.
blot-auction-first = Алдымен сауда: мысалы, «12 жүрек» не «пас» деңіз.
blot-auction-over = Сауда аяқталды, енді карта түсіріледі.
blot-bid-low =
    { $kind ->
        [0] Аз: { $lowest } не одан көп айтуға болады.
        [1] Аз: { $equal }, { $lowest } не одан көп айтуға болады.
       *[other] Аз: { $equal } айтуға болады.
    }
blot-bid-high = Тым көп: { $highest } санынан артық айтуға болмайды.
blot-bid-highest = Бұдан жоғары айтуға болмайды: пас не куанш.
blot-bid-none = Бұдан жоғары айтуға болмайды. Пас деуге болады.
blot-bid-kaput-only = Капут айтылды: енді тек капут айтуға болады, { $lowest } санынан бастап.
blot-bid-kaput-low = Капутты { $lowest } санынан бастап айтуға болады.
blot-bid-no-kaput = Капутқа { $lowest } керек, ал мұнда ең көбі — { $highest }: капутсыз айтыңыз не пас деңіз.
blot-bid-after-kuansh = Куанштан кейін ұсыныс болмайды: сур не пас.
blot-kuansh-nothing = Әлі ұсыныс жоқ: куанш айтатын ештеңе жоқ. Ұсыныс айтыңыз не пас деңіз.
blot-kuansh-own = Бұл — өз жағыңыздың ұсынысы: куаншты тек қарсыластар айтады. Пас деуге болады.
blot-kuansh-twice = Куанш айтылып қойған, сауда жалғасып жатыр: мүмкін болса, көбірек айтыңыз, әйтпесе пас деңіз.
blot-sur-nothing = Сур — куаншқа жауап, ал куанш айтылған жоқ. Ұсыныс айтыңыз не пас деңіз.
blot-sur-bidder = «Сур» деп тек ұсыныс айтқан ойыншы жауап бере алады.
blot-sur-others = Сурды тек ұсыныс айтқан жақ айтады. Пас деуге болады.
blot-not-held = Сізде { $card } жоқ. Түсіруге болатын карталар: { $legal }.
blot-must-follow = Сізде { $suit } бар: сол мастьпен жүру керек. Түсіруге болатын карталар: { $legal }.
blot-must-follow-trump = Көзірмен ({ $suit }) жүрді, ал сізде көзір бар: көзір түсіру керек. Түсіруге болатын карталар: { $legal }.
blot-must-overtrump = Көзірмен жүрді: { $card } картасын жоғары { $suit } көзірімен ұру керек. Түсіруге болатын карталар: { $legal }.
blot-must-cut = Сізде ол масть жоқ: { $suit } көзірімен ұру керек. Түсіруге болатын карталар: { $legal }.
blot-must-overcut = Ұрсаңыз, { $card } картасынан жоғары болсын: жоғары { $suit } түсіріңіз. Түсіруге болатын карталар: { $legal }.
blot-no-meld = Қазір жариялайтын не көрсететін комбинация жоқ. Карта түсіріңіз.
blot-melds-automatic = Бұл үстелде комбинациялар өзінен-өзі жарияланып, көрсетіледі.

# House rules

switch-blot-target = Ойын шегі
switch-blot-target-301 = 301 ұпай
switch-blot-target-151 = 151 ұпай
switch-blot-target-101 = 101 ұпай
switch-blot-boy-multiplier = Бой есебі
switch-blot-boy-multiplier-124 = масть сияқты: ×1, куанш ×2, сур ×4
switch-blot-boy-multiplier-235 = қымбатырақ: ×2, куанш ×3, сур ×5
switch-blot-manual-melds = Комбинацияны ойыншы өзі жариялайды
switch-blot-manual-melds-false = жоқ
switch-blot-manual-melds-true = иә
switch-blot-undertrump = Кіші көзірді түсіру міндетті
switch-blot-undertrump-false = жоқ
switch-blot-undertrump-true = иә
switch-blot-kuansh-any-time = Кезексіз куанш
switch-blot-kuansh-any-time-false = жоқ
switch-blot-kuansh-any-time-true = иә
switch-blot-pass-final = Пас — түпкілікті
switch-blot-pass-final-false = жоқ
switch-blot-pass-final-true = иә
switch-blot-redeal-dealer = Төрт пастан кейін
switch-blot-redeal-dealer-next = келесі ойыншы таратады
switch-blot-redeal-dealer-same = сол ойыншы таратады
switch-blot-min-bid = Ең төмен ұсыныс
switch-blot-min-bid-8 = 8-ден бастап
switch-blot-min-bid-7 = 7-ден бастап
switch-blot-min-bid-9 = 9-дан бастап
switch-blot-min-bid-10 = 10-нан бастап
switch-blot-max-bid = Ең жоғары ұсыныс
switch-blot-max-bid-84 = 84-ке дейін
switch-blot-max-bid-80 = 80-ге дейін
switch-blot-max-bid-16 = 16-ға дейін
switch-blot-suit-rank = Масть дәрежесі ♣ ♦ ♥ ♠ бой
switch-blot-suit-rank-false = жоқ
switch-blot-suit-rank-true = иә
switch-blot-last-word = Соңғы сөз ұсыныс иесінде
switch-blot-last-word-false = жоқ
switch-blot-last-word-true = иә
switch-blot-sur-by = Сурды кім айтады
switch-blot-sur-by-team = жақтың екі ойыншысы
switch-blot-sur-by-bidder = тек ұсыныс иесі
switch-blot-bid-after-kuansh = Куанштан кейін сауда жалғасады
switch-blot-bid-after-kuansh-false = жоқ
switch-blot-bid-after-kuansh-true = иә
switch-blot-kaput-min = Капут айтуға болады
switch-blot-kaput-min-25 = 25-тен бастап
switch-blot-kaput-min-26 = 26-дан бастап
switch-blot-kaput-sticky = Капуттан кейін тек капут
switch-blot-kaput-sticky-all = бәріне
switch-blot-kaput-sticky-other-team = қарсы жаққа
switch-blot-made-test = Ұсыныс салыстырылады
switch-blot-made-test-raw = дәл ұпаймен
switch-blot-made-test-rounded = дөңгелектелген ұпаймен
switch-blot-rounding = Алтыны жоғары дөңгелектеу
switch-blot-rounding-defender6up = қорғанушылар пайдасына
switch-blot-rounding-bidder6up = ұсыныс иелері пайдасына
switch-blot-rounding-lower6up = ұпайы аз жақ пайдасына
switch-blot-rounding-independent = екі жаққа да
switch-blot-rounding-floor = ешқашан
switch-blot-fail-keep = Жете алмағандар сақтайды
switch-blot-fail-keep-nothing = ештеңе
switch-blot-fail-keep-blot = өз блот-реблотын
switch-blot-kuansh-keep = Куаншта ұтылғандар сақтайды
switch-blot-kuansh-keep-nothing = ештеңе
switch-blot-kuansh-keep-blot = өз блот-реблотын
switch-blot-fail-base-kaput = Жете алмағанда барлық алым
switch-blot-fail-base-kaput-25 = 25 болып есептеледі
switch-blot-fail-base-kaput-16 = 16 болып есептеледі
switch-blot-no-trick-fails = Алымсыз — жете алмау
switch-blot-no-trick-fails-false = жоқ
switch-blot-no-trick-fails-true = иә
switch-blot-four-values = Төрт бірдей карта
switch-blot-four-values-seed = тұздар 10; бойда тұздар 19, валеттер 20, тоғыздар 10
switch-blot-four-values-aces11 = тұздар 11; бойда тұздар 19, валеттер 10, тоғыздар 0
switch-blot-long-runs = Қатарынан сегіз
switch-blot-long-runs-split = жүздік пен терц
switch-blot-long-runs-single = бір жүздік
switch-blot-meld-choice = Қиылысқан комбинациялардан
switch-blot-meld-choice-value = ең қымбаты алынады
switch-blot-meld-choice-strength = ең күштісі алынады
switch-blot-tie-turn = Тең комбинациялардан
switch-blot-tie-turn-trick1 = бірінші алымда бірінші жүрген
switch-blot-tie-turn-trick2 = екінші алымда бірінші жүрген
switch-blot-show-melds = Комбинацияны көрсетеді
switch-blot-show-melds-counting = есептелген жақ
switch-blot-show-melds-all = әркім
switch-blot-both-reach = Екі жақ та шекке жетсе
switch-blot-both-reach-higher = ұпайы көбі жеңеді
switch-blot-both-reach-bidder = ұсыныс иелері жеңеді
chart-blot = 📈 Екі жақтың ұпайы, тарату сайын (<code>{ $table }</code> үстелі). Көлденең сызық — ойынның межесі.

# Counts in the statistics of a person, achievements and their rules
blot-count-bids = ойнаған ұсынысы: { $count }
blot-count-made = орындалғаны: { $count }
blot-count-stopped = тоқтатқан ұсынысы: { $count }
blot-count-kaputs = капут: { $count }
blot-favourites-trump = Көзір бойынша ұсыныстары: { $ways }
blot-favourite-trump = { $way } (ойнағаны { $count }, орындалғаны { $good })
blot-trump-boy = бой
blot-achieved-contract = Алғашқы ұсыныс
blot-achieved-contract-rule = өз ұсынысыңызды орындаңыз: айтқаныңыздан кем ұпай алмаңыз.
blot-achieved-stopped = Тоқтатылды
blot-achieved-stopped-rule = қарсыластарға ұсынысын орындатпаңыз: таратудың барлық ұпайы сіздікі.
blot-achieved-kaput = Капут
blot-achieved-kaput-rule = таратудың сегіз алымын түгел алыңыз: бұл 16 емес, 25.
