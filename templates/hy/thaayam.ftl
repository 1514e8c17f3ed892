# Thaayam. $name is the name of a player; squares are a1 to e5, c1 at the bottom is the palace of
# white; throws are points of four dice.

game-thaayam = Թհաայամ
command-thaayam = բացել Թհաայամի սեղան երկուսից չորս խաղացողի համար

# What happened; $done is a list of what the throws were used for

thaayam-told = { $name }՝ { $throws } — { $done }։
thaayam-told-again = { CASE($name, "definite") } կրկին է նետում սպանած խաղաքարի համար՝ { $throws } — { $done }։
thaayam-told-nothing = { $name }՝ { $throws } — քայլ չկա։
thaayam-told-nothings = Քայլ չկար — { $turns }։
thaayam-nothing-of = { $name }՝ { $throws }
# Before the turns that are told one by one
thaayam-told-earlier =
    { $count ->
        [one] … մինչ այդ { $count } հերթ ինքնաբերաբար խաղացվեց …
       *[other] … մինչ այդ { $count } հերթ ինքնաբերաբար խաղացվեց …
    }
# A throw as players call it, and those that were lost before the first 1
thaayam-called = { $throw }
thaayam-called-lost = ({ $throws })
thaayam-did-enter = խաղաքար է դրվում { $to } վանդակին
thaayam-did-move = { $throw }՝ { $from } → { $to }
thaayam-did-home = { $throw }՝ { $from } → ամրոց
thaayam-did-off = մեկ խաղաքար հանվում է տախտակից
thaayam-did-kill =
    { $count ->
        [one] սպանվում է { CASE($name, "genitive") } { $count } խաղաքար
       *[other] սպանվում է { CASE($name, "genitive") } { $count } խաղաքար
    }
thaayam-whole-enter = դնել { $to } վանդակին
thaayam-whole-move = { $from } → { $to }
thaayam-whole-home = { $from } → ամրոց
thaayam-whole-off = հանել մեկ խաղաքար
thaayam-whole-kill = սպանել { $squares } վանդակում
thaayam-place = 🏅 { CASE($name, "definite") } ավարտեց խաղը. տեղը՝ { $place }։
thaayam-finished = 🏅 { CASE($name, "definite") } ավարտեց խաղը։
thaayam-opened = Այլևս ոչ ոք չէր կարող քայլել. ներսի ուղին բաց է բոլորի համար։

# Where it stands

thaayam-score = Տանն են ({ $pieces }-ից) — { $players }
thaayam-score-of = { $name }՝ { $count }
# The dice are open; those in brackets were lost before the first 1
thaayam-thrown = 🎲 { $name }, նետում՝ { $throws }։
thaayam-left = Չխաղացված՝ { $throws }
thaayam-turn = 👉 Հերթ { $number }. <b>{ $name }</b>։
thaayam-turn-throw = 👉 Հերթ { $number }. զառերը նետում է <b>{ CASE($name, "definite") }</b>։
thaayam-turn-play = 👉 Հերթ { $number }. քայլում է <b>{ CASE($name, "definite") }</b>։
thaayam-turn-done = 👉 Հերթ { $number }. այլևս քայլ չկա։ <b>{ CASE($name, "definite") }</b> սեղմում է «Պատրաստ է» կամ «Հետ»։
thaayam-end = Բոլոր խաղաքարերն առաջինը տուն հասցրեց { CASE($name, "definite") }։
thaayam-end-partners = Զույգի բոլոր խաղաքարերը տանն են՝ { $names }։
thaayam-end-places = Տեղերի կարգը՝ { $names }։

# The board in words

thaayam-side = { $name } ({ $colour }). ձեռքում՝ { $hand }, տախտակին՝ { $squares }, ամրոցում՝ { $fortress }, հանված՝ { $off }։
thaayam-sketch-side = { $sign } { $side }
thaayam-white = սպիտակ
thaayam-black = սև
thaayam-red = կարմիր
thaayam-blue = կապույտ

# Buttons

thaayam-button-throw = 🎲 Նետել
thaayam-button-undo = ↩ Հետ
thaayam-button-done = ✓ Պատրաստ է
sheet-thaayam-turns = 📜 Վերջին քայլերը
sheet-thaayam-odds = 🎲 Հավանականություններ

# Sheets

thaayam-sheet-turns = <b>Վերջին քայլերը</b>
thaayam-sheet-turns-none = Դեռ ոչ ոք չի քայլել։
thaayam-sheet-turn = Հերթ { $number }. { $turn }
thaayam-odds-throws = <b>Չորս զառի մեկ նետում</b>. 1՝ 25 %, 2՝ 37,5 %, 3՝ 25 %, 4՝ 6,25 %, 8 (ոչ մի սպիտակ երես)՝ 6,25 %։ Զառերն արդար են, ոչ ոք դրանք չի ուղղորդում։
thaayam-odds-turn = <b>Մեկ հերթի ընթացքում</b> միջինը 1,6 նետում է լինում և 4 միավոր. հերթերի 62,5 %-ում նետումը մեկն է։
thaayam-odds-ones = <b>Գոնե մեկ մեկանոց</b> մեկ հերթում՝ 28,6 %, երկու կամ ավելի՝ 8,2 %։ Չորս մեկանոցը միջինը պահանջում է 11 հերթ։
thaayam-odds-reach = <b>Ձեր խաղաքարը սպանելու հավանականությունը</b> մեկ հերթում, եթե հակառակորդն այսքան վանդակ հետ է. 1՝ 29 %, 2՝ 63 %, 3՝ 57 %, 4՝ 23 %, 5՝ 8 %, 6՝ 7 %, 7՝ 7 %, 8՝ 12 %, 9՝ 5 %, 10՝ 7 %, 11՝ 7 %, 12՝ 4 %, ավելի հեռու՝ 2 %-ից պակաս։

# Refusals

thaayam-seats = Թհաայամ խաղում են երկուսով, երեքով կամ չորսով։
thaayam-partners-four = Զույգերով խաղում են միայն չորսով. փոխեք սեղանի կանոնները կամ սպասեք խաղացողների։
thaayam-over = Այս խաղն ավարտված է։
thaayam-not-your-turn = Հիմա { CASE($name, "genitive") } հերթն է։
thaayam-not-now = Զառերը դեռ գլորվում են։ Մի պահ սպասեք և նորից փորձեք։
thaayam-throw-first = Նախ նետեք զառերը։
thaayam-already-thrown = Զառերն արդեն նետված են։ Հիմա ընտրեք խաղաքարն ու վանդակը։
thaayam-nothing-to-undo = Այս հերթում հետ վերցնելու բան չկա։
thaayam-still-to-play = Ինչ հնարավոր է, պետք է խաղալ. մնացել է՝ { $throws }։
thaayam-no-such-end = Հերթն այսպես ավարտվել չի կարող։ Խաղացեք մնացած նետումը կամ սեղմեք «Պատրաստ է»։
thaayam-no-piece = { $square } վանդակին ձեր խաղաքարը չկա։ Ընտրեք վանդակ, որտեղ այն կա։
thaayam-no-such-throw = Այս հերթում { $throw } չի եկել։
thaayam-throw-spent = Եկած { $throw }-ն արդեն խաղացված է։ Ընտրեք մեկ այլ նետում։
thaayam-throw-lost = Եկած { $throw }-ը կորած է. այն եկավ առաջին մեկանոցից առաջ, երբ տախտակին խաղաքար չունեիք։
thaayam-none-in-hand = Ձեռքում խաղաքար չունեք։ Քայլեք տախտակի խաղաքարով։
thaayam-use-most = Այդպես ավելի քիչ նետում կխաղացվի, իսկ պետք է խաղալ որքան հնարավոր է շատ։ Սեղմեք «Հետ» և փորձեք այլ կարգով։
thaayam-enter-needs-one = Խաղաքարը տախտակին դրվում է միայն մեկանոցով։
thaayam-off-needs-one = Խաղաքարը տախտակից հանվում է միայն մեկանոցով։
thaayam-not-all-home = Խաղաքար չի հանվում, քանի դեռ բոլորը ամրոցում չեն։
thaayam-not-this-turn = Այն հերթում, երբ վերջին խաղաքարն է հասնում, դեռ չի կարելի հանել։ Սեղմեք «Պատրաստ է»։
thaayam-exact = { $throw }-ը շատ է { $square } վանդակի խաղաքարի համար. ամրոց մտնում են ճիշտ թվով։
thaayam-kill-first = Ներսի ուղին բացվում է միայն ձեր առաջին սպանած խաղաքարից հետո։
thaayam-blocked = { $square } վանդակի խաղաքարը չի կարող գնալ { $throw } վանդակ. ճանապարհին հակառակորդ է կանգնած։ Ընտրեք ուրիշ խաղաքար կամ նետում։

# House rules

switch-thaayam-pieces = Խաղաքար ամեն մեկին
switch-thaayam-pieces-4 = 4, չորսով՝ մոտ 210 հերթ
switch-thaayam-pieces-3 = 3, մոտ 150 հերթ
switch-thaayam-pieces-2 = 2, մոտ 90 հերթ
switch-thaayam-pieces-1 = 1, մոտ 40 հերթ
switch-thaayam-finish = Նպատակ
switch-thaayam-finish-off = հանել բոլոր խաղաքարերը
switch-thaayam-finish-fortress = բոլորը ամրոցում (մոտ 1/6-ով կարճ)
switch-thaayam-throw = Զառեր
switch-thaayam-throw-press = նետում է խաղացողը
switch-thaayam-throw-auto = ընկնում են իրենք
switch-thaayam-exact = Ճիշտ թիվ ամրոցի համար
switch-thaayam-exact-yes = պետք է
switch-thaayam-exact-no = պետք չէ (մոտ 1/6-ով կարճ)
switch-thaayam-capture = Սպանում է
switch-thaayam-capture-each = ամեն կանգառը
switch-thaayam-capture-final = միայն հերթի վերջը
switch-thaayam-lost-before-one = Նետումներ առաջին մեկանոցից առաջ
switch-thaayam-lost-before-one-hand = կորչում են, եթե բոլորը ձեռքում են
switch-thaayam-lost-before-one-track = կորչում են, եթե ուղու վրա ոչ մեկը չկա
switch-thaayam-lost-before-one-never = չեն կորչում
switch-thaayam-obligation = Պարտք
switch-thaayam-obligation-any = խաղալ, քանի հնարավոր է, ցանկացած կարգով
switch-thaayam-obligation-max = խաղալ հնարավորինս շատ նետում կամ հաղթել
switch-thaayam-kill-again = Սպանած խաղաքարը
switch-thaayam-kill-again-no = ոչինչ չի ավելացնում
switch-thaayam-kill-again-yes = տալիս է ևս մեկ նետում
switch-thaayam-kill-to-go-in = Ներսի ուղի
switch-thaayam-kill-to-go-in-no = բաց է
switch-thaayam-kill-to-go-in-yes = միայն սպանողների համար
switch-thaayam-same-turn-bear-off = Հանել հասնելու հերթում
switch-thaayam-same-turn-bear-off-yes = կարելի է
switch-thaayam-same-turn-bear-off-no = չի կարելի
switch-thaayam-play-on = Հաղթողից հետո
switch-thaayam-play-on-no = խաղն ավարտված է
switch-thaayam-play-on-yes = մյուսները շարունակում են
switch-thaayam-clockwise = Հերթն անցնում է
switch-thaayam-clockwise-no = ժամսլաքին հակառակ
switch-thaayam-clockwise-yes = ժամսլաքի ուղղությամբ
switch-thaayam-partners = Զույգեր
switch-thaayam-partners-no = չկան, ամեն մեկն իր համար
switch-thaayam-partners-yes = դեմ դիմաց նստածները, չորսով
switch-thaayam-block-on-path = Հակառակորդը ճանապարհին
switch-thaayam-block-on-path-no = չի խանգարում
switch-thaayam-block-on-path-yes = փակում է, բացի պալատներից
chart-thaayam = 📈 Որքան են անցել խաղաքարերը՝ հերթ առ հերթ (սեղան <code>{ $table }</code>)։ Հորիզոնական գիծը տունդարձի ամբողջ ճանապարհն է։

# Counts in the statistics of a person, achievements and their rules
thaayam-count-killed = սպանված խաղաքարեր՝ { $count }
thaayam-count-lost = կորցրած խաղաքարեր՝ { $count }
thaayam-count-fortress = ամրոց հասած խաղաքարեր՝ { $count }
thaayam-favourites-first-kill = Խաղի առաջին հարվածը՝ { $ways }
thaayam-favourite-first-kill = { $way } (խաղ՝ { $count }, հաղթանակ՝ { $good })
thaayam-first-kill-own = սեփական
thaayam-first-kill-other = ուրիշինը
thaayam-achieved-kill = Առաջին հարվածը
thaayam-achieved-kill-rule = սպանեք մեկ խաղաքար։ Այն վերադառնում է տիրոջ ձեռքը և սկսում է նորից։
thaayam-achieved-full-circle = Լրիվ շրջան
thaayam-achieved-full-circle-rule = խաղաքարը տախտակի շուրջը տարեք ամրոց, քանի դեռ ձեր խաղաքարերից ոչ մեկը չի սպանվել։
thaayam-achieved-two-kills = Միանգամից երկուսը
thaayam-achieved-two-kills-rule = մեկ հերթի ընթացքում սպանեք երկու խաղաքար։

# Դիրքի դասավորում. դրա մասերի անունները, և ինչու այն հնարավոր չէ

thaayam-setup-piece = { $name }, խաղաքար { $number }
thaayam-setup-killed = { CASE($name, "definite") } արդեն խփել է
thaayam-setup-hand = ձեռքում
thaayam-setup-fortress = ամրոց
thaayam-setup-off = հանված
thaayam-setup-enemies = Երկու խաղացողների խաղաքարերը նույն վանդակում լինել չեն կարող, բացի պալատներից և ամրոցից։
thaayam-setup-finished = Խաղացողներից մեկն արդեն ավարտել է. այս դիրքում խաղն ավարտված է։
thaayam-setup-bad-pieces = Խաղաքարերն այսպես լինել չեն կարող. ոչ մեկը չի հանվում, քանի դեռ բոլորը ամրոցում չեն։
thaayam-setup-no-kill = Այստեղ ներսի ուղին բաց է միայն սպանողների համար։ Նշեք, որ խաղացողն արդեն խփել է, կամ խաղաքարը դրեք դրսում։
thaayam-setup-many-throws = Այստեղ կարելի է ընտրել անընդմեջ առավելագույնը { $most } նետում։
