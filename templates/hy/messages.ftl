# Names

game-togyzkumalak = Թոգիզ կումալակ
begin-lot = վիճակահանությամբ
begin-me = սեղանի տերը
begin-friend = հյուրը

# Lobby

lobby-title = <b>{ $game }</b> · սեղան <code>{ $table }</code>
lobby-waiting = { $name } սպասում է մրցակցի։
lobby-challenge = { $friend }, { $name } ձեզ խաղի է հրավիրում։
lobby-variant = Կանոնները՝ { $variant }։
lobby-begin = Սկսողը՝ { $begin }։
lobby-fair = Արդար վիճակահանություն, SHA-256՝ <code>{ $hash }</code>

# Results

over-won = 🏆 Հաղթող՝ <b>{ $winner }</b>, հաշիվը՝ { $score }։
over-won-pair = 🏆 Հաղթողներ՝ <b>{ $winner }</b> և <b>{ $partner }</b>, հաշիվը՝ { $score }։
over-draw = 🤝 Ոչ-ոքի, { $score }։
over-agreed = 🤝 Ոչ-ոքի՝ փոխադարձ համաձայնությամբ։
over-resigned = 🏳 { $name } հանձնվում է։ Հաղթող՝ <b>{ $winner }</b>։
over-next = Խաղը շարունակվում է <code>{ $table }</code> սեղանի շուրջ։
closed-declined = { $name } հրաժարվում է խաղալուց։
closed-aborted = Խաղը չեղարկվեց երկրորդ քայլից առաջ։
closed-cancelled = Սեղանը փակվեց։

# Offers

offer-draw = 🤝 { $name } առաջարկում է ոչ-ոքի։
offer-take-back = ↩ { $name } խնդրում է հետ վերցնել իր վերջին քայլը։
offer-rematch = 🔁 { $name } ուզում է նորից խաղալ։

# Calls to a person who does not look

call-turn = { $name }, ձեր հերթն է (սեղան <code>{ $table }</code>)։
call-draw = { $name }, ձեզ ոչ-ոքի են առաջարկում (սեղան <code>{ $table }</code>)։
call-take-back = { $name }, մրցակիցը խնդրում է հետ վերցնել քայլը (սեղան <code>{ $table }</code>)։

# Lists

games-none = Դուք բաց սեղան չունեք։ Սեղան բացեք խմբում՝ /togyz
games-title = Ձեր սեղանները՝
games-more =
    { $count ->
        [one] … և ևս { $count } սեղան։
       *[other] … և ևս { $count } սեղան։
    }
list-lobby = <code>{ $table }</code> { $game }՝ սպասում ենք խաղացողների
list-your-turn = 👉 <code>{ $table }</code> { $game } · { $with } · քայլ { $move }՝ <b>ձեր հերթն է</b>
list-their-turn = <code>{ $table }</code> { $game } · { $with } · քայլ { $move }
list-linked = { $line } — { $link }
list-over = <code>{ $table }</code> { $game } · { $with }՝ խաղն ավարտված է
which-table = Ո՞ր սեղանը նկատի ունեք։
play-choose = Ի՞նչ խաղանք։

# Buttons

button-join = Միանալ
button-accept = Ընդունել
button-decline = Մերժել
button-cancel = Փակել սեղանը
button-variant = Կանոնները՝ { $variant }
button-begin = Սկսողը՝ { $begin }
button-abort = Չեղարկել խաղը
button-take-back = ↩ Քայլը հետ
button-draw = 🤝 Ոչ-ոքի
button-resign = 🏳 Հանձնվել
button-down = ⬇ Տախտակ
button-rematch = 🔁 Ռևանշ
button-record = 📄 Գրառում
button-rules = 📖 Կանոններ
button-play = ▶ Խաղալ
button-next = Առաջ ▸
button-previous = ◂ Հետ
button-show = Տեսնել պատասխանը
button-for-chat = Զրույցում՝ { $language }

# Answers

answer-confirm-resign = Հանձնվելու համար մեկ րոպեի ընթացքում ևս մեկ անգամ սեղմեք «Հանձնվել»։
answer-offered = Առաջարկն արված է։ Խոսքը մրցակցինն է։
answer-board-down = Ահա տախտակը։
answer-record = { $table } սեղանի խաղի գրառումը։ Դրանում նշված seed թվով յուրաքանչյուրը կարող է ստուգել վիճակահանությունը։
answer-declined = Մերժված է։
answer-saved-person = Այսուհետ ձեզ հետ հայերեն եմ խոսում։
answer-saved-chat = Այսուհետ այս զրույցում հայերեն եմ խոսում։
answer-language = Ի՞նչ լեզվով խոսեմ ձեզ հետ։
answer-no-private = Այստեղ չստացվեց ձեզ անձամբ պատասխանել։
answer-cannot-write = Ինձ չի թույլատրվում այստեղ գրել կամ նկարներ ուղարկել։ Խնդրեք ադմինիստրատորին, որ թույլ տա, և նորից փորձեք։

# Refusals

refuse-already-started = Խաղն արդեն սկսվել է։
refuse-table-over = Այդ խաղն արդեն ավարտվել է։
refuse-not-started = Խաղը դեռ չի սկսվել. նախ որևէ մեկը պետք է միանա։
refuse-not-your-table = Դուք այս սեղանի շուրջ չեք խաղում։
refuse-opener-only = Դա կարող է անել միայն սեղանը բացողը՝ { $name }։
refuse-already-seated = Դուք արդեն այս սեղանի շուրջ եք։ Հիմա մեկ ուրիշն է պետք։
refuse-not-invited = Այստեղ խաղալու հրավիրված է { $name }։ Ձեր սեղանը կարող եք բացել /togyz հրամանով։
refuse-nothing-offered = Այլևս պատասխանելու բան չկա։
refuse-leave-in-play = Խաղն ընթանում է։ Կարող եք հանձնվել՝ /resign, կամ ոչ-ոքի առաջարկել՝ /draw։
refuse-unknown-variant = Այդպիսի կանոններ չգիտեմ։
refuse-not-your-turn = Հիմա քայլում է { $name }։
refuse-what-move = «{ $typed }» քայլը չեմ հասկանում։ Հնարավոր քայլերն են՝ { $legal }։
refuse-not-understood = Այս քայլը չեմ հասկանում։
refuse-old-board =
    { $seen ->
        [0] Այս տախտակը խաղի սկզբից է,
       *[other] Այս տախտակը հին է՝ քայլ { $seen },
    } { $now ->
        [0] իսկ հիմա նորից սկիզբն է։ Խնդրում եմ խաղալ ընթացիկ տախտակով։
       *[other] իսկ հիմա քայլ { $now } է։ Խնդրում եմ խաղալ ընթացիկ տախտակով։
    }
refuse-old-button = Այս կոճակը հնացել է։ Խնդրում եմ խաղալ ընթացիկ տախտակով։
refuse-too-late-to-abort = Երկրորդ քայլից հետո կարելի է միայն հանձնվել կամ համաձայնել ոչ-ոքիի։
refuse-already-offered = Դուք դա արդեն առաջարկել եք։ Խոսքը մրցակցինն է։
refuse-answer-first = Նախ պատասխանեք մրցակցի առաջարկին։
refuse-turned-down = Դա հենց նոր մերժվեց։ Նորից առաջարկելուց առաջ քայլ կատարեք։
refuse-nothing-to-take-back = Դուք դեռ ոչ մի քայլ չեք կատարել։
refuse-not-over = Խաղը դեռ չի ավարտվել։
refuse-rematch-exists = Խաղն արդեն շարունակվում է { $table } սեղանի շուրջ։
refuse-own-offer = Դա ձեր առաջարկն է. պատասխանելու է մրցակիցը։
refuse-no-table-here = Այստեղ բաց սեղան չունեք։ Բացեք նորը՝ /togyz
refuse-unknown-table = { $table } սեղան չգիտեմ։
refuse-no-record = Գրառումը տրվում է խաղի ավարտից հետո։
refuse-unknown-command = /{ $name } հրամանը չգիտեմ։ Բոլոր հրամանները՝ /help
refuse-unknown-command-near = /{ $name } հրամանը չգիտեմ։ Գուցե՞ /{ $near }
refuse-not-your-answer = Այս պատասխանը ձեզ համար չէ։
refuse-answer-gone = Այդ պատասխանն այլևս չկա։ Խնդրում եմ նորից հարցնել։
refuse-anonymous = Չեմ տեսնում, թե ով եք։ Խնդրում եմ գրել ձեր, ոչ թե խմբի կամ ալիքի անունից։
refuse-bot = Բոտերը չեն կարող խաղալ։
refuse-friend-bot = { $name } բոտ է և չի կարող խաղալ։
refuse-friend-self = Չեք կարող հրավիրել ինքներդ ձեզ։ Գրեք պարզապես /togyz և սպասեք ցանկացած մրցակցի։
refuse-too-many-friends = Թոգիզ կումալակ խաղում են երկուսով. նշեք մեկ ընկերոջ։
refuse-too-many-tables-here = Այստեղ չափազանց շատ են բաց սեղանները ({ $count })։ Նախ մեկն ավարտեք։
refuse-too-many-tables = Դուք չափազանց շատ բաց սեղաններ ունեք ({ $count })։ Նախ մեկն ավարտեք։
refuse-private-invite = Ընկերը չի տեսնում մեր անձնական զրույցը։ Սեղանը բացեք մի խմբում, որտեղ բոլորս կանք։
refuse-language = Այդ լեզվով դեռ չեմ խոսում։ Իմ լեզուներն են՝ { $languages }։
refuse-admin-only = Զրույցի լեզուն ընտրում են միայն ադմինիստրատորները։
refuse-chatter = Այստեղ միայն հրամաններ եմ հասկանում՝ /help
refuse-table-damaged = Այս սեղանի հետ ինչ-որ բան այն չէ, դրա համար այն մի կողմ է դրված։ Բոտի տերը տեղյակ է։ Ներեցե՛ք։
refuse-trouble = Ինձ մոտ ինչ-որ բան չստացվեց։ Քիչ անց նորից փորձեք։
refuse-busy = Միանգամից շատ բան հավաքվեց։ Քիչ անց նորից փորձեք։

# Help

help-title = <b>Caravanserai</b>՝ ավանդական խաղեր ձեր զրույցում։
help-move = Քայլեք կոճակներով, /move 7 հրամանով կամ տախտակին 7 պատասխանելով։
help-private = Այս անձնական զրույցում կարող եք խաղալ երկու կողմից և մարզվել՝ /togyz
help-commands = { "\u000A" }<b>Հրամաններ</b>
help-language = { "\u000A" }🌐 Ձեր լեզուն՝ /language
help-line = /{ $name } { $arguments }— { $about }

command-play = ընտրել խաղ
command-togyz = բացել Թոգիզ կումալակի սեղան կամ խաղի հրավիրել ընկերոջը
command-move = քայլ կատարել
command-board = ցույց տալ տախտակը զրույցի վերջում
command-games = ձեր սեղանները
command-draw = առաջարկել ոչ-ոքի կամ համաձայնել
command-takeback = խնդրել հետ վերցնել ձեր վերջին քայլը
command-resign = հանձնվել
command-abort = չեղարկել խաղը երկրորդ քայլից առաջ
command-leave = հեռանալ սեղանից կամ փակել այն, քանի դեռ խաղը չի սկսվել
command-rematch = նորից խաղալ՝ կողմերը փոխելով
command-record = վերջին խաղի գրառումը
command-text = տախտակը բառերով
command-rules = կանոնները նկարներով
command-language = ընտրել լեզուն
command-help = ինչ կարող եմ անել
command-start = սկսել
command-join = նստել սեղանի շուրջ, ընդունել հրավերը
command-accept = ընդունել մարտահրավերը կամ առաջարկը
command-decline = մերժել հրավերը

argument-friend = ընկեր
argument-variant = կանոններ
argument-begin = ով է սկսում
argument-pit = փոս
argument-table = սեղան
argument-scope = ում համար
argument-language = լեզու
choice-seed = հավելյալ քայլով
choice-short = առանց հավելյալ քայլի
choice-lot = վիճակահանությամբ
choice-me = ես
choice-friend = ընկերս
choice-chat = այս զրույցը
choice-en = English
choice-ru = Русский
choice-kk = Қазақша
choice-hy = Հայերեն

# Rules pages

rules-page = Էջ { $page }՝ { $pages }-ից

# House rules
lobby-usual-rules = Սովորական կանոններ։
button-options = ⚙ Սեղանի կանոններ
options-title = <b>Սեղանի կանոնները՝ { $game }</b>, էջ { $page }՝ { $pages }-ից
options-line = • { $switch }
options-setting = { $name }: { $value }
button-more = Էլի…
answer-more = Էլ ինչ կարելի է անել՝

# Hidden hands
hand-cards = Ձեր խաղաթղթերը՝ { $cards }։
hand-to-play = Ձեր խաղաթղթերը՝ { $cards }։ ✓՝ կարելի է խաղալ։
hand-empty = Հիմա ձեռքներիդ թուղթ չկա։
hand-inline = Խաղալ { $table } սեղանի մոտ
hand-inline-nothing = Հիմա խաղալու բան չկա
refuse-nothing-hidden = Այս խաղում թաքուն բան չկա։
refuse-no-hand = Այս սեղանի մոտ հիմա թղթեր բաժանված չեն։
refuse-no-such-card = Այդքան թուղթ չունեք։
refuse-no-sheet = Այս խաղում այդպիսի թերթիկ չկա։
button-hand = 🃏 Իմ թղթերը
button-cards = ⌨ Իմ թղթերը
button-menu = ⋯
answer-menu = Սեղան <code>{ $table }</code>՝
button-text = 🔤 Բառերով

# Two presses for a card
answer-confirm-card = Խաղալու համար մեկ րոպեի ընթացքում ևս մեկ անգամ սեղմեք { $card }։
answer-confirm-is-on = Ձեր թղթերը խաղացվում են երկրորդ սեղմումով։
answer-confirm-is-off = Ձեր թղթերը խաղացվում են առաջին սեղմումով։
button-confirm-on = 👆👆 Հարցնել երկու անգամ
button-confirm-off = 👆 Մեկ սեղմումը բավական է
command-hand = Ցույց տալ ձեր թղթերը՝ միայն ձեզ
command-score = Հաշվի թերթիկը
command-last = Ինչ խաղացվեց վերջինը
command-options = Սեղանի կանոնները
command-confirm = Թուղթը խաղացվում է մեկ թե երկու սեղմումով
argument-switch = միացնել կամ անջատել
choice-on = միացնել
choice-off = անջատել
