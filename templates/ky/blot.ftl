# Blot. $name is a player, bids and cards are written with the signs of their suits.

# Names

game-blot = Блот
command-blot = төрт кишилик армян блоту үстөлүн ачуу
sheet-blot-score = 📋 Упай барагы
sheet-blot-last = ↩️ Акыркы алым
sheet-blot-bids = 🗣 Сунуштар
blot-team = { $first } жана { $second }

# What is said and done; labels of buttons

blot-pass = пас
blot-kuansh = куанш
blot-sur = сур
blot-bid-boy = { $x } бой
blot-bid-kaput = { $bid } капут
blot-announce = Жарыялоо
blot-announce-other = Башка топтомду жарыялоо
blot-show = Көрсөтүү
blot-terz = терц
blot-fifty = элүүлүк
blot-hundred = жүздүк
blot-four = төрт окшош карта
# A combination with its cards.
blot-meld = { $kind }: { $cards }

# What happened; $name is a player, $side and $other are the two players of a side

blot-dealt = 🃏 Жаңы таратуу. Таратуучу: { $name }.
blot-said = { $name } — { $call }
blot-auction = Соода: { $calls }.
blot-thrown-in = Баары пас деди: карталар жыйналды.
blot-contract = { $bid } ({ $name })
blot-contract-kuansh = { $bid } ({ $name }), куанш
blot-contract-sur = { $bid } ({ $name }), куанш жана сур
blot-decided = Оюн: <b>{ $contract }</b>.
blot-announced = { $name } жарыялайт: { $kinds }.
blot-shown = { $name } көрсөтөт: { $melds }.
blot-sentences = { $first } { $second }
blot-put = { $name } { $card } таштайт.
blot-put-several = Карталар: { $cards }.
blot-seat-card = { $name } — { $card }
blot-blot = { $name }: блот-реблот, 2 упай.
# Card points of the trick.
blot-took = Алымды { $name } алат (карта упайы: { $points }).
# Said of a card before it is put: it would win the trick so far.
blot-would-take = азырынча алымды алат
blot-playing = { $contract }. Алымдар — { $first }: { $tricks }, { $second }: { $others }.
blot-table = Үстөлдө: { $cards }.
blot-counting = { CASE($side, "genitive") } комбинациялары эсептелет: { $points }.

# The result of a round

blot-round-made = ✅ { $side } айтканын аткарды: { $contract }.
blot-round-under = ❌ { $side } жете албай калды: { $contract }.
blot-round-cards = Карта упайы — { $side }: { $cards }, { $other }: { $others }.
blot-round-outside = Сырттан (комбинациялар) — { $side }: { $outside }, { $other }: { $others }.
# $bid is what the bid brings, $cards card points in tens, $outside combinations and blot-reblot.
blot-round-sum-made = { $side }: сунуш { $bid } + карта { $cards } + сырттан { $outside } = <b>{ $points }</b>; { $other }: <b>{ $others }</b>.
blot-round-sum-fixed = { $side }: сунуш { $bid } + { $base } + сырттан { $outside } = <b>{ $points }</b>; { $other }: <b>{ $others }</b>.
blot-score = Эсеп — { $first }: { $points }, { $second }: { $others }
blot-won = 🏆 Оюнду { $side } утту — { $points } : { $others }.

# Whose turn it is

blot-dealing = Карта таратылып жатат.
blot-turn-card = 👉 Азыр <b>{ $name }</b> жүрөт.
blot-turn-bid = 👉 Сөз кезеги — <b>{ $name }</b>: { $lowest } же андан көп, болбосо пас.
blot-turn-bid-equal = 👉 Сөз кезеги — <b>{ $name }</b>: { $equal }, { $lowest } же андан көп, болбосо пас.
blot-turn-kaput = 👉 Сөз кезеги — <b>{ $name }</b>: { $lowest } же андан көп капут, болбосо пас.
blot-turn-kaput-equal = 👉 Сөз кезеги — <b>{ $name }</b>: { $equal }, { $lowest } же андан көп капут, болбосо пас.
blot-turn-equal = 👉 Сөз кезеги — <b>{ $name }</b>: { $equal }, болбосо пас.
blot-turn-answer = 👉 Куаншка <b>{ $name }</b> жооп берет: сур же пас.
blot-turn-pass = 👉 Сөз кезеги — <b>{ $name }</b>: мындан жогору сунуш жок.

# The table in words, and sheets

blot-board-dealer = Таратуучу: { $name }.
blot-board-hand = Колуңуздагы карталар: { $cards }
blot-laid-hand = { $name }: { $cards }
blot-board-melds = Сизде: { $melds }.
blot-no-bids = Али эч ким сунуш айта элек.
blot-no-trick = Бул таратууда али бир да алым бүтө элек.
blot-last-trick = Акыркы алым: { $cards }.
# The score sheet: numbers are always those of the reader’s side first.
blot-sheet-head = Упайлар: <b>{ $we }</b> : <b>{ $you }</b>
blot-sheet-empty = Али бир да таратуу жазыла элек.
blot-sheet-made = { $number }. { $bid } { $name } ✅ <b>{ $points }</b>: карта { $cards }, комбинациялар { $outside }. Эсеп: { $totals }
blot-sheet-under = { $number }. { $bid } { $name } ❌ <b>{ $points }</b>: карта { $cards }, комбинациялар { $outside }. Эсеп: { $totals }
blot-sheet-times = { $bid } × { $times }
blot-sheet-total = <b>{ $points } : { $others }</b>, оюн { $target } упайга чейин

# Refusals

blot-not-your-turn = Азыр { CASE($name, "genitive") } кезеги.
blot-over = Бул оюн бүткөн.
blot-no-deal = Карта али таратыла элек.
blot-seats = Блотту төрт киши ойнойт.
blot-auction-first = Адегенде соода: мисалы, «12 жүрөк» же «пас» деңиз.
blot-auction-over = Соода бүттү, эми карта ойнолот.
blot-bid-low =
    { $kind ->
        [0] Аз: { $lowest } же андан көп айтса болот.
        [1] Аз: { $equal }, { $lowest } же андан көп айтса болот.
       *[other] Аз: { $equal } айтса болот.
    }
blot-bid-high = Өтө көп: эң көбү { $highest }.
blot-bid-highest = Мындан жогору айтса болбойт: пас же куанш.
blot-bid-none = Мындан жогору айтса болбойт. Пас десе болот.
blot-bid-kaput-only = Капут айтылды: эми капут гана айтылат, { $lowest } же андан көп.
blot-bid-kaput-low = Капутту { $lowest } же андан көп менен айтса болот.
blot-bid-no-kaput = Капутка { $lowest } керек, ал бул жерде эң көбү — { $highest }: капутсуз айтыңыз же пас деңиз.
blot-bid-after-kuansh = Куанштан кийин сунуш айтылбайт: сур же пас.
blot-kuansh-nothing = Али сунуш жок: куанш айта турган эчтеме жок. Сунуш айтыңыз же пас деңиз.
blot-kuansh-own = Бул — өз тарабыңыздын сунушу: куаншты каршылаштар гана айтат. Пас десе болот.
blot-kuansh-twice = Куанш айтылып калган, соода уланып жатат: мүмкүн болсо, көбүрөөк айтыңыз, болбосо пас деңиз.
blot-sur-nothing = Сур — куаншка жооп, ал эми куанш айтылган жок. Сунуш айтыңыз же пас деңиз.
blot-sur-bidder = Сур деп сунушту айткан оюнчу гана жооп берет.
blot-sur-others = Сурду сунушту айткан тарап гана айтат. Пас десе болот.
blot-not-held = Сизде { $card } жок. Таштаса боло турган карталар: { $legal }.
blot-must-follow = Сизде { $suit } бар: ошол мастты таштоо керек. Таштаса боло турган карталар: { $legal }.
blot-must-follow-trump = Көзүр ({ $suit }) менен жүрүлдү, сизде көзүр бар: көзүр таштоо керек. Таштаса боло турган карталар: { $legal }.
blot-must-overtrump = Көзүр менен жүрүлдү: { $card } картасын андан жогору { $suit } менен уруу керек. Таштаса боло турган карталар: { $legal }.
blot-must-cut = Сизде ал масть жок: { $suit } көзүрү менен уруу керек. Таштаса боло турган карталар: { $legal }.
blot-must-overcut = Урсаңыз, { $card } картасынан жогору болсун: жогорураак { $suit } таштаңыз. Таштаса боло турган карталар: { $legal }.
blot-no-meld = Азыр жарыялай же көрсөтө турган комбинация жок. Карта таштаңыз.
blot-melds-automatic = Бул үстөлдө комбинациялар өзүнөн өзү жарыяланып, көрсөтүлөт.

# House rules

switch-blot-target = Оюн канчага чейин
switch-blot-target-301 = 301 упай
switch-blot-target-151 = 151 упай
switch-blot-target-101 = 101 упай
switch-blot-boy-multiplier = Бой эсеби
switch-blot-boy-multiplier-124 = масть сыяктуу: ×1, куанш ×2, сур ×4
switch-blot-boy-multiplier-235 = кымбатыраак: ×2, куанш ×3, сур ×5
switch-blot-manual-melds = Комбинацияны оюнчу өзү жарыялайт
switch-blot-manual-melds-false = жок
switch-blot-manual-melds-true = ооба
switch-blot-undertrump = Кичине көзүрдү да таштоо керек
switch-blot-undertrump-false = жок
switch-blot-undertrump-true = ооба
switch-blot-kuansh-any-time = Кезексиз куанш
switch-blot-kuansh-any-time-false = жок
switch-blot-kuansh-any-time-true = ооба
switch-blot-pass-final = Пас дегенден кийин сөз жок
switch-blot-pass-final-false = жок
switch-blot-pass-final-true = ооба
switch-blot-redeal-dealer = Төрт пастан кийин
switch-blot-redeal-dealer-next = кийинки оюнчу таратат
switch-blot-redeal-dealer-same = ошол эле оюнчу таратат
switch-blot-min-bid = Эң төмөн сунуш
switch-blot-min-bid-8 = 8ден баштап
switch-blot-min-bid-7 = 7ден баштап
switch-blot-min-bid-9 = 9дан баштап
switch-blot-min-bid-10 = 10дон баштап
switch-blot-max-bid = Эң жогорку сунуш
switch-blot-max-bid-84 = 84кө чейин
switch-blot-max-bid-80 = 80ге чейин
switch-blot-max-bid-16 = 16га чейин
switch-blot-suit-rank = Масттын даражасы ♣ ♦ ♥ ♠ бой
switch-blot-suit-rank-false = жок
switch-blot-suit-rank-true = ооба
switch-blot-last-word = Акыркы сөз сунуш ээсинде
switch-blot-last-word-false = жок
switch-blot-last-word-true = ооба
switch-blot-sur-by = Сурду ким айтат
switch-blot-sur-by-team = тараптын эки оюнчусу
switch-blot-sur-by-bidder = сунуш ээси гана
switch-blot-bid-after-kuansh = Куанштан кийин соода уланат
switch-blot-bid-after-kuansh-false = жок
switch-blot-bid-after-kuansh-true = ооба
switch-blot-kaput-min = Капут айтса болот
switch-blot-kaput-min-25 = 25тен баштап
switch-blot-kaput-min-26 = 26дан баштап
switch-blot-kaput-sticky = Капуттан кийин капут гана
switch-blot-kaput-sticky-all = баарына
switch-blot-kaput-sticky-other-team = каршы тарапка
switch-blot-made-test = Сунуш салыштырылат
switch-blot-made-test-raw = так упай менен
switch-blot-made-test-rounded = тегеректелген упай менен
switch-blot-rounding = Алтыны жогору тегеректөө
switch-blot-rounding-defender6up = коргонгондорго
switch-blot-rounding-bidder6up = сунуш айткандарга
switch-blot-rounding-lower6up = упайы аз тарапка
switch-blot-rounding-independent = эки тарапка тең
switch-blot-rounding-floor = эч качан
switch-blot-fail-keep = Жете албагандар сактайт
switch-blot-fail-keep-nothing = эчтеме
switch-blot-fail-keep-blot = өз блот-реблотун
switch-blot-kuansh-keep = Куаншта утулгандар сактайт
switch-blot-kuansh-keep-nothing = эчтеме
switch-blot-kuansh-keep-blot = өз блот-реблотун
switch-blot-fail-base-kaput = Жете албаганда бардык алым
switch-blot-fail-base-kaput-25 = 25 болот
switch-blot-fail-base-kaput-16 = 16 болот
switch-blot-no-trick-fails = Алымсыз калса, сунуш күйөт
switch-blot-no-trick-fails-false = жок
switch-blot-no-trick-fails-true = ооба
switch-blot-four-values = Төрт окшош карта
switch-blot-four-values-seed = туздар 10; бойдо туздар 19, валеттер 20, тогуздар 10
switch-blot-four-values-aces11 = туздар 11; бойдо туздар 19, валеттер 10, тогуздар 0
switch-blot-long-runs = Катары менен сегиз
switch-blot-long-runs-split = жүздүк жана терц
switch-blot-long-runs-single = бир жүздүк
switch-blot-meld-choice = Кесилишкен комбинациялардан
switch-blot-meld-choice-value = эң кымбаты эсептелет
switch-blot-meld-choice-strength = эң күчтүүсү эсептелет
switch-blot-tie-turn = Тең комбинациялардан
switch-blot-tie-turn-trick1 = биринчи алымда биринчи жүргөн
switch-blot-tie-turn-trick2 = экинчи алымда биринчи жүргөн
switch-blot-show-melds = Комбинацияны көрсөтөт
switch-blot-show-melds-counting = эсептелген тарап
switch-blot-show-melds-all = баары
switch-blot-both-reach = Эки тарап тең чекке жетсе
switch-blot-both-reach-higher = упайы көбү утат
switch-blot-both-reach-bidder = сунуш айткандар утат
chart-blot = 📈 Эки тараптын упайы, таратуу сайын (<code>{ $table }</code> үстөлү). Туурасынан сызык — оюндун чеги.

# Counts in the statistics of a person, achievements and their rules
blot-count-bids = ойногон сунушу: { $count }
blot-count-made = аткарылганы: { $count }
blot-count-stopped = токтоткон сунушу: { $count }
blot-count-kaputs = капут: { $count }
blot-favourites-trump = Көзүр боюнча сунуштары: { $ways }
blot-favourite-trump = { $way } (ойногону { $count }, аткарылганы { $good })
blot-trump-boy = бой
blot-achieved-contract = Биринчи сунуш
blot-achieved-contract-rule = өз сунушуңузду аткарыңыз: айтканыңыздан кем упай албаңыз.
blot-achieved-stopped = Токтотулду
blot-achieved-stopped-rule = атаандаштарга сунушун аткартпаңыз: таратуунун бардык упайы сиздики.
blot-achieved-kaput = Капут
blot-achieved-kaput-rule = таратуунун сегиз алымын толук алыңыз: бул 16 эмес, 25.
