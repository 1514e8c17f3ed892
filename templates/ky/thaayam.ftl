# Thaayam. $name is the name of a player; squares are a1 to e5, c1 at the bottom is the palace of
# white; throws are points of four dice.

game-thaayam = Тхаайям
command-thaayam = экиден төрткө чейинки оюнчуга Тхаайям үстөлүн ачуу

# What happened; $done is a list of what the throws were used for

thaayam-told = { $name }: { $throws } түштү — { $done }.
thaayam-told-again = { $name } таш ургандыгы үчүн дагы ыргытты: { $throws } түштү — { $done }.
thaayam-told-nothing = { $name }: { $throws } түштү — жүрүш жок.
thaayam-told-nothings = Жүрүш болгон жок — { $turns }.
thaayam-nothing-of = { $name }: { $throws }
# Before the turns that are told one by one
thaayam-told-earlier =
    { $count ->
        [one] … буга чейин { $count } кезек өзүнөн өзү ойнолду …
       *[other] … буга чейин { $count } кезек өзүнөн өзү ойнолду …
    }
# A throw as players call it, and those that were lost before the first 1
thaayam-called = { $throw }
thaayam-called-lost = ({ $throws })
thaayam-did-enter = таш { $to } чакмагына коюлду
thaayam-did-move = { $throw }: { $from } → { $to }
thaayam-did-home = { $throw }: { $from } → чеп
thaayam-did-off = бир таш тактадан алынды
thaayam-did-kill =
    { $count ->
        [one] { CASE($name, "genitive") } бир ташы урулду
       *[other] { CASE($name, "genitive") } { $count } ташы урулду
    }
thaayam-whole-enter = { $to } чакмагына коюу
thaayam-whole-move = { $from } → { $to }
thaayam-whole-home = { $from } → чеп
thaayam-whole-off = бир ташты тактадан алуу
thaayam-whole-kill = { $squares } чакмагында уруу
thaayam-place = 🏅 { $name } бүтүрдү: { $place }-орун.
thaayam-finished = 🏅 { $name } бүтүрдү.
thaayam-opened = Эч ким жүрө албай калды: ички жол баарына ачылды.

# Where it stands

thaayam-score = Жеткен таштар ({ $pieces } ичинен) — { $players }
thaayam-score-of = { $name }: { $count }
# The dice are open; those in brackets were lost before the first 1
thaayam-thrown = 🎲 { $name } ыргытты: { $throws }.
thaayam-left = Колдонула элек: { $throws }
thaayam-turn = 👉 { $number }-кезек: <b>{ $name }</b>.
thaayam-turn-throw = 👉 { $number }-кезек: кубикти <b>{ $name }</b> ыргытат.
thaayam-turn-play = 👉 { $number }-кезек: <b>{ $name }</b> жүрөт.
thaayam-turn-done = 👉 { $number }-кезек: мындан ары жүрүш жок. <b>{ $name }</b> «Болду» же «Кайтаруу» баскычын басат.
thaayam-end = Бардык ташын биринчи болуп жеткирген — { $name }.
thaayam-end-partners = Жуптун бардык таштары жетти: { $names }.
thaayam-end-places = Орундар мындай: { $names }.

# The board in words

thaayam-side = { $name } ({ $colour }): колдо { $hand }; тактада { $squares }; чепте { $fortress }; алынганы { $off }.
thaayam-sketch-side = { $sign } { $side }
thaayam-white = ак
thaayam-black = кара
thaayam-red = кызыл
thaayam-blue = көк

# Buttons

thaayam-button-throw = 🎲 Ыргытуу
thaayam-button-undo = ↩ Кайтаруу
thaayam-button-done = ✓ Болду
sheet-thaayam-turns = 📜 Акыркы кезектер
sheet-thaayam-odds = 🎲 Ыктымалдык

# Sheets

thaayam-sheet-turns = <b>Акыркы кезектер</b>
thaayam-sheet-turns-none = Али эч ким ойной элек.
thaayam-sheet-turn = { $number }-кезек. { $turn }
thaayam-odds-throws = <b>Төрт кубикти бир ыргытканда</b>: 1 — 25 %, 2 — 37,5 %, 3 — 25 %, 4 — 6,25 %, 8 (бир да ак бет жок) — 6,25 %. Кубиктер калыс, аларды эч ким бурмалабайт.
thaayam-odds-turn = <b>Бир кезекте</b> орто эсеп менен 1,6 жолу ыргытылып, 4 упай түшөт; кезектердин 62,5 пайызында бир эле жолу ыргытылат.
thaayam-odds-ones = <b>Кезекте жок дегенде бир 1 түшүшү</b>: 28,6 %; экөө же андан көп: 8,2 %. Төрт бирдик орто эсеп менен 11 кезекте түшөт.
thaayam-odds-reach = <b>Бир кезекте урулуу</b>, каршылаш ушунча чакмак артта турса: 1 — 29 %, 2 — 63 %, 3 — 57 %, 4 — 23 %, 5 — 8 %, 6 — 7 %, 7 — 7 %, 8 — 12 %, 9 — 5 %, 10 — 7 %, 11 — 7 %, 12 — 4 %, андан алыс — 2 пайыздан аз.

# Refusals

thaayam-seats = Тхаайямды эки, үч же төрт киши ойнойт.
thaayam-partners-four = Жуп болуп ойноо үчүн төрт киши керек: үстөл эрежесин өзгөртүңүз же дагы оюнчу күтүңүз.
thaayam-over = Бул оюн бүткөн.
thaayam-not-your-turn = Азыр { CASE($name, "genitive") } кезеги.
thaayam-not-now = Кубиктер али тоголонуп жатат. Бир аз күтүп, кайра аракет кылыңыз.
thaayam-throw-first = Адегенде кубикти ыргытыңыз.
thaayam-already-thrown = Кубиктер ыргытылып калган. Эми таш менен чакмакты тандаңыз.
thaayam-nothing-to-undo = Бул кезекте кайтара турган эчтеме жок.
thaayam-still-to-play = Жүрсө болгондун баарын жүрүү керек; калганы: { $throws }.
thaayam-no-such-end = Кезек мындай бүтпөйт. Калган санды жүрүңүз же «Болду» баскычын басыңыз.
thaayam-no-piece = { $square } чакмагында ташыңыз жок. Өз ташыңыз турган чакмакты тандаңыз.
thaayam-no-such-throw = Бул кезекте сизге { $throw } түшкөн жок.
thaayam-throw-spent = Түшкөн { $throw } колдонулуп калган. Башкасын тандаңыз.
thaayam-throw-lost = Түшкөн { $throw } күйүп кетти: ал биринчи 1ге чейин түштү, тактада ташыңыз жок болчу.
thaayam-none-in-hand = Колуңузда таш жок. Тактадагы таш менен жүрүңүз.
thaayam-use-most = Мындай жүрсөңүз, азыраагы колдонулат, ал эми мүмкүн болушунча көбүн колдонуу керек. «Кайтаруу» баскычын басып, башка ирет менен аракет кылыңыз.
thaayam-enter-needs-one = Таш тактага 1 түшкөндө гана коюлат.
thaayam-off-needs-one = Таш тактадан 1 түшкөндө гана алынат.
thaayam-not-all-home = Бардык ташыңыз чепке кирмейинче эч бири алынбайт.
thaayam-not-this-turn = Акыркы таш жеткен кезекте таш алынбайт. «Болду» баскычын басыңыз.
thaayam-exact = { $square } чакмагындагы ташка { $throw } көп: чепке так сан менен кирет.
thaayam-kill-first = Ички жол сиз биринчи ташты ургандан кийин гана ачылат.
thaayam-blocked = { $square } чакмагындагы таш { $throw } жүрө албайт: жолдо каршылаш турат. Башка ташты же санды тандаңыз.

# House rules

switch-thaayam-pieces = Ар биринин ташы
switch-thaayam-pieces-4 = 4, төртөө ойносо 210дой кезек
switch-thaayam-pieces-3 = 3, 150дөй кезек
switch-thaayam-pieces-2 = 2, 90дой кезек
switch-thaayam-pieces-1 = 1, 40тай кезек
switch-thaayam-finish = Максат
switch-thaayam-finish-off = бардык ташты тактадан алуу
switch-thaayam-finish-fortress = баарын чепке жеткирүү, алтыдан бирге кыска
switch-thaayam-throw = Кубик
switch-thaayam-throw-press = оюнчу ыргытат
switch-thaayam-throw-auto = өзү түшөт
switch-thaayam-exact = Чепке так сан
switch-thaayam-exact-yes = керек
switch-thaayam-exact-no = керек эмес, алтыдан бирге кыска
switch-thaayam-capture = Таш урулат
switch-thaayam-capture-each = ар бир токтогондо
switch-thaayam-capture-final = кезектин аягында гана
switch-thaayam-lost-before-one = Биринчи 1ге чейинкилер
switch-thaayam-lost-before-one-hand = бардык таш колдо болсо, күйөт
switch-thaayam-lost-before-one-track = жолдо таш жок болсо, күйөт
switch-thaayam-lost-before-one-never = күйбөйт
switch-thaayam-obligation = Милдет
switch-thaayam-obligation-any = мүмкүн болгончо жүрүү, ирети каалагандай
switch-thaayam-obligation-max = мүмкүн болушунча көбүн колдонуу же жеңүү
switch-thaayam-kill-again = Таш урса
switch-thaayam-kill-again-no = эчтеме кошулбайт
switch-thaayam-kill-again-yes = дагы ыргытат
switch-thaayam-kill-to-go-in = Ички жол
switch-thaayam-kill-to-go-in-no = ачык
switch-thaayam-kill-to-go-in-yes = таш ургандан кийин гана
switch-thaayam-same-turn-bear-off = Жеткен кезекте таш алуу
switch-thaayam-same-turn-bear-off-yes = болот
switch-thaayam-same-turn-bear-off-no = болбойт
switch-thaayam-play-on = Бирөө утканда
switch-thaayam-play-on-no = оюн бүтөт
switch-thaayam-play-on-yes = калгандар ойной берет
switch-thaayam-clockwise = Кезек багыты
switch-thaayam-clockwise-no = саат жебесине каршы
switch-thaayam-clockwise-yes = саат жебеси менен
switch-thaayam-partners = Жуптар
switch-thaayam-partners-no = жок, ар ким өзү үчүн
switch-thaayam-partners-yes = төртөөнүн бет маңдай отургандары
switch-thaayam-block-on-path = Жолдогу каршылаштар
switch-thaayam-block-on-path-no = тоспойт
switch-thaayam-block-on-path-yes = ордодон башка жерде тосот
chart-thaayam = 📈 Таштар канча жол басты, кезек сайын (<code>{ $table }</code> үстөлү). Туурасынан сызык — үйгө чейинки бүт жол.

# Counts in the statistics of a person, achievements and their rules
thaayam-count-killed = урулган таш: { $count }
thaayam-count-lost = жоготкон ташы: { $count }
thaayam-count-fortress = чепке кирген таш: { $count }
thaayam-favourites-first-kill = Оюндагы биринчи сокку: { $ways }
thaayam-favourite-first-kill = { $way } (оюн { $count }, жеңиш { $good })
thaayam-first-kill-own = өзүнүкү
thaayam-first-kill-other = башканыкы
thaayam-achieved-kill = Биринчи сокку
thaayam-achieved-kill-rule = бир ташты уруңуз. Ал ээсинин колуна кайтып, башынан баштайт.
thaayam-achieved-full-circle = Толук айлампа
thaayam-achieved-full-circle-rule = бир да ташыңыз урулбай туруп, бир ташты тактаны айлантып чепке киргизиңиз.
thaayam-achieved-two-kills = Бирден экөө
thaayam-achieved-two-kills-rule = бир кезекте эки ташты уруңуз.

# Позицияны түзүү: бөлүктөрүнүн жазуулары жана эмнеге мүмкүн эмес

thaayam-setup-piece = { $name }, { $number }-таш
thaayam-setup-killed = { $name } таш уруп алган
thaayam-setup-hand = колдо
thaayam-setup-fortress = чеп
thaayam-setup-off = алынган
thaayam-setup-enemies = Ордолор менен чептен башка бир чарчыда эки оюнчунун таштары тура албайт.
thaayam-setup-finished = Бир оюнчу бүтүп койгон: бул позицияда оюн бүткөн.
thaayam-setup-bad-pieces = Таштар мындай тура албайт: баары чепке кирмейинче эч бири алынбайт.
thaayam-setup-no-kill = Мында ички жол таш ургандан кийин гана ачык. Оюнчунун таш уруп алганын белгилеңиз же ташты сырткы жолго коюңуз.
thaayam-setup-many-throws = Бул жерде катары менен эң көп дегенде { $most } ыргытуу тандоого болот.
