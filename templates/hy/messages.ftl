# Names

begin-lot = ըստ վիճակահանության
begin-me = սեղանի տերը
begin-friend = հյուրը

# Lobby

lobby-title = <b>{ $game }</b> · սեղան <code>{ $table }</code>
lobby-waiting = { CASE($name, "definite") } մրցակցի է սպասում։
lobby-challenge = { $friend }, { CASE($name, "definite") } ձեզ խաղի է հրավիրում։
lobby-variant = Կանոնները՝ { $variant }։
lobby-begin = Սկսողը՝ { $begin }։
lobby-fair = Արդար խաղի ստուգում, SHA-256՝ <code>{ $hash }</code>

# Results

over-won = 🏆 Հաղթող՝ <b>{ $winner }</b>, հաշիվը՝ { $score }։
over-draw = 🤝 Ոչ-ոքի, { $score }։
over-agreed = 🤝 Ոչ-ոքի՝ փոխադարձ համաձայնությամբ։
over-resigned = 🏳 { CASE($name, "definite") } հանձնվում է։ Հաղթող՝ <b>{ $winner }</b>։
over-next = Հաջորդ խաղը <code>{ $table }</code> սեղանի շուրջ է։
closed-declined = { CASE($name, "definite") } հրաժարվում է խաղալուց։
closed-aborted = Խաղը չեղարկվեց։ Ոչ ոք չի պարտվել։
closed-cancelled = Սեղանը փակվեց։
closed-outdated = Այս խաղի կանոնները փոխվել են սկսվելուց հետո, ուստի այն ավարտվեց այստեղ։ Ոչ ոք չի պարտվել, գրառումը պահված է։

# Offers

offer-draw = 🤝 { CASE($name, "definite") } առաջարկում է ոչ-ոքի։
offer-take-back = ↩ { CASE($name, "definite") } խնդրում է հետ վերցնել իր վերջին քայլը։
offer-take-back-both = ↩ { CASE($name, "definite") } խնդրում է հետ վերցնել իր վերջին քայլը և դրա պատասխանը։
offer-declined = 🚫 { CASE($name, "definite") } մերժեց առաջարկը։
offer-rematch = 🔁 { CASE($name, "definite") } ուզում է նորից խաղալ։

# Calls to a person who does not look

call-turn = { $name }, ձեր հերթն է (սեղան <code>{ $table }</code>)։
call-draw = { $name }, ձեզ ոչ-ոքի են առաջարկում (սեղան <code>{ $table }</code>)։
call-take-back = { $name }, ձեզ խնդրում են համաձայնել քայլի հետվերցմանը (սեղան <code>{ $table }</code>)։

# Lists

games-none = Դուք բաց սեղան չունեք։ Սեղան բացեք խմբում՝ /play
games-title = Ձեր սեղանները՝
games-more =
    { $count ->
        [one] … և ևս { $count } սեղան։
       *[other] … և ևս { $count } սեղան։
    }
button-refresh = ↻ Թարմացնել
list-lobby = <code>{ $table }</code> { $game }՝ սպասում ենք խաղացողների
list-your-turn = 👉 <code>{ $table }</code> { $game } · { $with } · քայլ { $move }՝ <b>ձեր հերթն է</b>
list-their-turn = <code>{ $table }</code> { $game } · { $with } · քայլ { $move }
list-linked = { $line } — { $link }
list-over = <code>{ $table }</code> { $game } · { $with }՝ խաղն ավարտված է
list-and = { $first } և { $last }
which-table = Ո՞ր սեղանը նկատի ունեք։
play-choose = Ի՞նչ խաղանք։

# Buttons

button-join = Միանալ
button-accept = Ընդունել
button-decline = Մերժել
button-withdraw = Հետ վերցնել առաջարկը
button-cancel = Փակել սեղանը
button-variant = Կանոնները՝ { $variant }
button-begin = Սկսողը՝ { $begin }
button-abort = Չեղարկել խաղը
button-take-back = ↩ Քայլը հետ
button-draw = 🤝 Ոչ-ոքի
button-resign = 🏳 Հանձնվել
button-resend = ⬇ Տախտակը այստեղ
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
answer-confirm-cancel = Սեղանը բոլորի համար փակելու համար մեկ րոպեի ընթացքում ևս մեկ անգամ սեղմեք «Փակել սեղանը»։
answer-offered = Առաջարկն արված է։ Սպասում ենք համաձայնության։
answer-board-resent = Ահա տախտակը։
answer-record = { $table } սեղանի խաղի գրառումը։ Դրանում նշված seed թվով ամեն ոք կարող է ստուգել վիճակահանությունը։
answer-declined = Մերժված է։
answer-saved-person = Այսուհետ ձեզ հետ հայերեն եմ խոսում։
answer-saved-chat = Այս զրույցում այժմ խոսում եմ այս լեզվով՝ { $language }։
answer-young = 🌱 նշանով թարգմանությունները նոր են. լեզվակիրները դեռ չեն ստուգել դրանք։
answer-no-private = Պատասխան ձեզ համար. սեղմեք՝ կարդալու համար։
answer-not-shown = Ձեր սեղմումը հաշվվեց, բայց տախտակն այստեղ ցույց տալ չեմ կարող. ինձ թույլ չի տրված { $rights }։ Դիմեք ադմինիստրատորին։
answer-board-refused = Ձեր սեղմումը հաշվվեց, բայց տախտակն այստեղ ուղարկել չստացվեց։ Կրկին փորձելու համար՝ /board
answer-in-words = ✎ Բառերով, քանի որ այստեղ նկարներ ուղարկելու իրավունք չունեմ։ Խնդրեք ադմինիստրատորին տալ իրավունքը՝ { $right }։
answer-lacked-rights = Քիչ առաջ ինձ թույլ չէր տրված { $rights }։ Եթե տախտակը չփոխվի, դիմեք ադմինիստրատորին։
answer-message-deleted = Ձեր խաղի հաղորդագրությունը ջնջվել է։ Խաղը շարունակվում է այստեղ. կոդը՝ <code>{ $table }</code>։
right-write = գրել հաղորդագրություններ
right-pictures = ուղարկել նկարներ
right-topics = գրել փակ թեմաներում
right-post = հրապարակել այս ալիքում
answer-lacks-rights = Այս ալիքում ինձ չեն բավականացնում իրավունքները՝ { $rights }։ Խնդրեք ադմինիստրատորին, որ թույլ տա, և նորից փորձեք։

# Refusals

refuse-already-started = Խաղն արդեն սկսվել է։
refuse-join-started = Խաղն արդեն սկսվել է։ Խաղացողից տեղը խնդրելու համար՝ /substitute @անուն
refuse-table-over = Այդ խաղն արդեն ավարտվել է։ Նոր սեղան բացելու համար՝ /play
refuse-not-started = Խաղը դեռ չի սկսվել. նախ պետք է միանա ևս մեկ խաղացող։
refuse-not-your-table = Դուք այս սեղանի շուրջ չեք խաղում։ Ձերը բացելու համար՝ /play
refuse-opener-only = Դա կարող է անել միայն սեղանը բացողը՝ { $name }։
refuse-already-seated = Դուք արդեն այս սեղանի շուրջ եք։ Հիմա պետք է միանա ևս մեկ խաղացող։
refuse-not-invited =
    { $count ->
        [one] Այստեղ խաղալու հրավիրված է { CASE($name, "definite") }։ Ձեր սեղանը կարող եք բացել /play հրամանով։
       *[other] Այստեղ խաղալու հրավիրված են { CASE($name, "definite") }։ Ձեր սեղանը կարող եք բացել /play հրամանով։
    }
refuse-nothing-offered = Պատասխանելու բան չկա. բաց առաջարկ կամ հրավեր չկա։ Սեղանը տեսնելու համար՝ /board
refuse-leave-in-play = Խաղն ընթանում է։ Կարող եք հանձնվել՝ /resign, կամ փոխարինող գտնել՝ /substitute
refuse-own-place = Դուք ավարտել եք խաղը. տեղը՝ { $place }։ Այլևս ոչինչ անել պետք չէ. խաղը կավարտվի, երբ մյուսներն էլ ավարտեն։
refuse-seat-finished = Այս խաղացողն արդեն ավարտել է խաղը. տեղը՝ { $place }։ Նրան փոխարինել պետք չէ։ Խաղը տեսնելու համար՝ /board
refuse-unknown-variant = Այդպիսի կանոն չգիտեմ։ Սեղանի ⚙ Կարգավորումներում կարող եք ընտրել՝ { $rules }։
refuse-not-your-turn = Հիմա քայլում է { CASE($name, "definite") }։
refuse-what-move = «{ $typed }» քայլը չեմ հասկանում։ Հնարավոր քայլերն են՝ { $legal }։
refuse-not-understood = Այս քայլը չեմ հասկանում։ Սեղմեք կոճակ կամ գրեք քայլը, օրինակ՝ 7, e3 4 կամ 12 սիրտ։
refuse-old-board =
    { $seen ->
        [0] Այս տախտակը խաղի սկզբից է,
       *[other] Այս տախտակը հին է՝ քայլ { $seen },
    } { $now ->
        [0] իսկ հիմա նորից սկիզբն է։ Խնդրում եմ խաղալ ընթացիկ տախտակով։
       *[other] իսկ հիմա քայլ { $now } է։ Խնդրում եմ խաղալ ընթացիկ տախտակով։
    }
refuse-old-button = Այս կոճակը հնացել է։ Խնդրում եմ խաղալ ընթացիկ տախտակով՝ /board
refuse-undone-often = Այս հերթին արդեն բավական անգամ հետ եք վերցրել քայլերը։ Շարունակեք խաղը. ընտրեք տախտակի տակի կոճակներից մեկը։
refuse-changed-often = Վերջին քայլից հետո այս սեղանին չափազանց շատ բան է փոխվել։ Շարունակեք խաղը կամ փակեք սեղանը և բացեք նորը։
refuse-too-late-to-abort = Երկրորդ քայլից հետո չեղարկել այլևս չի կարելի։ Կարող եք հանձնվել (/resign) կամ առաջարկել ոչ-ոքի (/draw)։
refuse-abort-rated = Այս խաղը վարկանիշային է, ուստի այն այլևս չի կարելի չեղարկել։ Կարող եք հանձնվել՝ /resign
refuse-abort-place = Խաղացողներից մեկն արդեն ավարտել է, և նրա տեղը հաշվվում է, ուստի խաղն այլևս չի կարելի չեղարկել։ Կարող եք հանձնվել՝ /resign
refuse-not-abandoned = Այս խաղը ուրիշներն են խաղում։ Կարող եք չեղարկել, երբ { $days } օր ոչինչ չի եղել և ժամացույցը չի աշխատում։
refuse-already-offered = Դուք դա արդեն առաջարկել եք։ Սպասեք պատասխանի։
refuse-offer-waits = Նախ պետք է պատասխանեն ձեր նախորդ առաջարկին։
refuse-answer-first = Նախ պետք է պատասխանել առաջարկին. տախտակի տակ սեղմեք «Ընդունել» կամ «Մերժել»։ Այն տեսնելու համար՝ /board
refuse-others-answer = Նախ ուրիշները պետք է պատասխանեն առաջարկին։ Սպասում ենք՝ { $names }։ Այն տեսնելու համար՝ /board
refuse-turned-down = Դա հենց նոր մերժվեց։ Նորից առաջարկելուց առաջ քայլ կատարեք։
refuse-others-away = Դրա համար անհրաժեշտ է բացակայող խաղացողների համաձայնությունը։ Կարող եք շարունակել խաղալ։
refuse-opponents-away = Մյուս խաղացողները բացակայում են, ուստի համաձայնող չկա։
refuse-nothing-to-take-back = Հետ վերցնելու բան չկա. դուք դեռ ոչ մի քայլ չեք կատարել։
refuse-not-over = Խաղը դեռ չի ավարտվել։ Հարցրեք խաղից հետո։
refuse-rematch-exists = Ռևանշն արդեն ընթանում է { $table } սեղանի շուրջ։
refuse-own-offer = Դա ձեր առաջարկն է. պատասխանելու են մյուսները։
refuse-no-table-here = Այստեղ բաց սեղան չունեք։ Բացեք նորը՝ /play
refuse-unknown-table = { $table } սեղան չգիտեմ։ Ձեր սեղանները տեսնելու համար՝ /games
refuse-game-removed = { $table } խաղն այլևս չկա։ Նրա չաթում խաղերը պահվում են այսքան՝ { $time }։ Արդյունքն առաջվա պես հաշվվում է։
refuse-game-deleted = { $table } խաղն այլևս չկա․ նրա չատի տվյալները ջնջված են։ Արդյունքն առաջվա պես հաշվվում է։
refuse-no-record = Գրառումը կարող եք ստանալ խաղի ավարտից հետո։
refuse-unknown-command = /{ $name } հրամանը չգիտեմ։ Բոլոր հրամանները՝ /help
refuse-unknown-command-near = /{ $name } հրամանը չգիտեմ։ Ամենամոտ հրամանը՝ /{ $near }
refuse-not-your-answer = Սա ուրիշի համար է։ Ձեր սեղանը տեսնելու համար՝ /board
refuse-answer-gone = Այդ պատասխանն այլևս չկա։ Խնդրում եմ նորից հարցնել։
refuse-external-apps = Այս սերվերում մյուսները խաղատախտակը չեն տեսնի։ Խաղացեք ինձ հետ անձնական զրույցում կամ խնդրեք ադմինիստրատորին, որ ինձ ավելացնի սերվերին կամ այս ալիքում թույլ տա «Use External Apps»։
refuse-thread-locked = Այս ճյուղը կողպված է, և մյուս խաղացողներն այստեղ քայլել չեն կարող։ Խաղը սպասում է. շարունակելու համար բացեք ճյուղը։
refuse-reply-unreadable = Discord-ն ինձ ցույց չի տալիս այն պատասխանները, որոնցում հիշատակումն անջատված է («@ OFF»)։ Միացրեք այն կամ օգտագործեք /move հրամանը։
refuse-anonymous = Չեմ տեսնում, թե ով եք։ Խնդրում եմ գրել ձեր, ոչ թե խմբի կամ ալիքի անունից։
refuse-bot = Բոտերը չեն կարող խաղալ։
refuse-friend-bot = { CASE($name, "definite") } բոտ է և չի կարող խաղալ։
refuse-friend-self = Չեք կարող հրավիրել ինքներդ ձեզ։ Սեղան բացեք առանց անվան և սպասեք ցանկացած մրցակցի։
refuse-too-many-friends = Այս խաղին կարելի է կանչել առավելագույնը { $count } հոգու։
refuse-too-many-tables-here = Այստեղ չափազանց շատ են բաց սեղանները ({ $count })։ Նախ մեկն ավարտեք։ Մոռացված խաղը կարող է չեղարկել ադմինիստրատորը՝ /cancel և դրա կոդը։
refuse-too-many-own-here = Դուք այստեղ արդեն { $count } սեղան եք բացել կամ ցուցադրել։ Նախ մեկն ավարտեք կամ հանեք այստեղից (/stop), որ ուրիշներին էլ տեղ մնա։
refuse-too-many-own-of = { CASE($name, "definite") } այստեղ արդեն { $count } սեղան է բացել կամ ցուցադրել, ավելին չի կարելի։ Երբ դրանցից մեկն ավարտվի, նորից փորձեք։
refuse-too-many-tables = Դուք արդեն { $count } բաց սեղան ունեք, ավելին չի կարելի։ Նախ մեկն ավարտեք՝ /games
refuse-too-many-tables-of = { $name } արդեն { $count } բաց սեղան ունի, ավելին չի կարելի։ Երբ դրանցից մեկն ավարտվի, նորից փորձեք։
refuse-private-invite = Ընկերը չի տեսնում մեր անձնական զրույցը։ Սեղան բացեք հղումով (/play) կամ խաղացեք ընդհանուր խմբում։
refuse-language = Այդ լեզվով դեռ չեմ խոսում։ Իմ լեզուներն են՝ { $languages }։
refuse-admin-only = Ամբողջ զրույցի համար դա ընտրում են միայն ադմինիստրատորները։ Ձերը կարող եք ընտրել այստեղ՝ /settings
refuse-chatter = Այստեղ միայն հրամաններ և քայլեր եմ հասկանում՝ /help
refuse-table-damaged = Այս սեղանի հետ ինչ-որ բան այն չէ, դրա համար այն մի կողմ է դրված։ Բոտի տերը տեղյակ է։ Ներեցե՛ք։ Նոր սեղան բացելու համար՝ /play
refuse-restarting = Ես վերագործարկվում եմ։ Եթե մեկ րոպեից ոչինչ չլինի, նորից փորձեք։
refuse-trouble = Ինձ մոտ ինչ-որ բան չստացվեց։ Քիչ անց նորից փորձեք։
refuse-unsaved = Հիմա ոչինչ չի կարող պահպանվել, ուստի սա դեռ չի հաշվվել։ Քիչ անց նորից փորձեք։
refuse-too-fast = Չեմ հասցնում ձեզ հետևել։ Խնդրում եմ սպասել մի քանի վայրկյան և նորից փորձել։
refuse-no-private-board = Դուք չունեք ուրիշների հետ խաղ, որը կարելի լինի ցույց տալ մեր անձնական չատում։ Սեղան բացել՝ /play
refuse-board-moved = Տախտակը հենց նոր տեղափոխվել է ներքև։ Սպասեք մեկ րոպե։
refuse-busy = Միանգամից շատ բան հավաքվեց։ Քիչ անց նորից փորձեք։

# Help

help-title = <b>Caravanserai</b>՝ հին խաղեր ձեր զրույցում։
help-move = Ձե՞ր հերթն է։ Սեղմեք կոճակ կամ տախտակին պատասխանեք քայլով։
help-computers = Համակարգչի դեմ խաղալու համար՝ /togyz համակարգիչ կամ մակարդակով՝ /togyz ուժեղ։ Մակարդակներ՝ { $levels }։
help-inline = Խաղացեք այն զրույցներում, որտեղ ես չկամ. գրեք { $name } և ընտրեք խաղը, կամ { $name } blot computer։
help-commands = <b>Հրամաններ</b> ({ $page })
help-line = { $name } — { $about }

command-play = ընտրել խաղ
command-move = քայլ կատարել
command-board = ցույց տալ տախտակը զրույցի վերջում
command-games = ձեր սեղանները
command-draw = առաջարկել ոչ-ոքի կամ համաձայնել
command-takeback = խնդրել հետ վերցնել ձեր վերջին քայլը
command-resign = հանձնվել
command-abort = չեղարկել խաղը՝ երկրորդ քայլից առաջ մենակ, հետո՝ եթե խաղում ոչ-ոքի չկա, բոլորի համաձայնությամբ
command-leave = հեռանալ սեղանից կամ փակել այն, քանի դեռ խաղը չի սկսվել
command-rematch = նորից խաղալ՝ կողմերը փոխելով
command-record = վերջին խաղի գրառումը
command-text = տախտակը բառերով
command-learn = սովորել խաղը նկարներով՝ /learn blot
command-language = ընտրել լեզուն
command-help = ինչ կարող եմ անել
command-start = բացել բոտի ողջույնը
command-join = նստել սեղանի շուրջ, ընդունել հրավերը
command-accept = ընդունել հրավերը կամ առաջարկը
command-decline = մերժել հրավերը

argument-friend = ընկեր
argument-variant = կանոններ
argument-begin = ով է սկսում
argument-table = սեղան
argument-scope = ում համար
argument-language = լեզու
choice-seed = հավելյալ քայլով
choice-short = առանց հավելյալ քայլի
choice-lot = ըստ վիճակահանության
choice-me = ես
choice-friend = ընկերս
choice-chat = այս զրույցը
choice-server = ամբողջ սերվերը

# Rules pages

rules-page = Էջ { $page }/{ $pages }
rules-at-table = Սեղան <code>{ $table }</code>. որոշ կանոններ այնպիսին չեն, ինչպես ներքևի տեքստում.
rules-instead = { $rule } (սովորաբար՝ { $usual })

# House rules
lobby-usual-rules = Սովորական կանոններ։
button-options = ⚙ Սեղանի կանոններ
options-title = <b>Սեղանի կանոնները՝ { $game }</b>, էջ { $page }/{ $pages }
options-line = • { $switch }
options-setting = { $name }՝ { $value }
button-more = Էլի…
answer-more = Էլ ինչ կարելի է անել՝

# Hidden hands
hand-cards = Ձեր խաղաթղթերը՝ { $cards }։
hand-to-play = Ձեր խաղաթղթերը՝ { $cards }։ ✓՝ կարելի է խաղալ։
hand-empty = Հիմա թուղթ չունեք։
hand-laid-down = Խաղն ավարտվեց։
hand-not-shown = 🃏 { $names }՝ սեղմեք «Իմ թղթերը»՝ ձեր խաղաթղթերը տեսնելու համար։
hand-held = { $number }{ $what }{ $mark }
hand-inline = Խաղալ { $table } սեղանի շուրջ
hand-inline-nothing = Հիմա խաղալու բան չկա
refuse-nothing-hidden = Այս խաղում թաքուն բան չկա. բոլորը տեսնում են ամբողջ տախտակը։ Այն տեսնելու համար՝ /board
refuse-no-hand = Այս սեղանի շուրջ հիմա թղթեր բաժանված չեն. ձերը կստանաք հաջորդ բաժանումից։ Սեղանը տեսնելու համար՝ /board
refuse-no-such-card = Այդքան թուղթ չունեք։ Ձեր թղթերը տեսնելու համար՝ /hand
refuse-no-sheet = Այս խաղում այդպիսի թերթ չկա։ Տախտակը տեսնելու համար՝ /board
button-hand = 🃏 Իմ թղթերը
button-deals = 👐 Ռաունդներ
deal-title = Սեղան <code>{ $table }</code>, ռաունդ { $number } / { $count }. ով ինչ ուներ
refuse-no-deals = Դեռ ոչ մի ռաունդ չի ավարտվել։ Թղթերը կարող եք տեսնել առաջին ռաունդից հետո։
button-cards = ⌨ Ընտրել թուղթ
button-menu = ⋯
answer-menu = Սեղան <code>{ $table }</code>՝
button-text = 🔤 Տախտակը տեքստով

# Two presses for a card
answer-confirm-card = Խաղալու համար մեկ րոպեի ընթացքում ևս մեկ անգամ սեղմեք { $card }։
answer-confirm-is-on = Այսուհետ ամեն քայլից առաջ հաստատում կխնդրեմ։
answer-confirm-is-off = Այսուհետ ձեր քայլերը կատարվում են առանց հաստատման։
button-confirm-on = 👆👆 Միացնել հաստատումը
button-confirm-off = 👆 Անջատել հաստատումը
command-hand = ձեր թղթերը, տեսնում եք միայն դուք
command-score = հաշվեթերթը
command-last = ինչ է խաղացվել վերջինը
command-deals = ով ինչ ուներ ավարտված ռաունդներում
command-options = սեղանի կանոնները
command-confirm = քայլից առաջ հաստատում խնդրել՝ միացնել կամ անջատել
argument-switch = միացնել կամ անջատել
argument-sessions = անջատել՝ դուրս գալ բոլոր դիտարկիչներից
choice-on = միացնել
choice-off = անջատել

# Tables for several, computers, changing seats

lobby-nobody = ազատ
lobby-seat = Տեղ { $n }՝ { $name }
lobby-partners = Դեմ դիմաց նստածները խաղում են միասին՝ 1-ը և 3-ը 2-ի և 4-ի դեմ։
lobby-awaited = Հրավիրված են՝ { $names }։
lobby-open =
    { $count ->
        [one] Ազատ է { $count } տեղ, կարող է նստել ցանկացածը։
       *[other] Ազատ է { $count } տեղ, կարող է նստել ցանկացածը։
    }
lobby-full = Բոլոր տեղերը զբաղված են։ { CASE($name, "definite") } կարող է փոխել տեղերը և սեղմել «Սկսել»։
lobby-unconfirmed = ⏳ Կարգավորումները փոխվել են։ Համաձայնելու համար սեղմեք ձեր տեղը՝ { $names }
lobby-until = Եթե մեկ օր ոչինչ տեղի չունենա, սեղանն ինքն իրեն կփակվի։
over-resigned-together = 🏳 { CASE($name, "definite") } հանձնվում է խաղընկերոջ համաձայնությամբ։ Հաղթողներ՝ <b>{ $winner }</b>։
over-given-up = 🏳 { CASE($name, "definite") } հանձնվում է։ Մնացին՝ { $winner }։
closed-expired = Ոչ ոք խաղը չսկսեց, ուստի սեղանը փակվեց։
closed-abandoned = Այստեղ վաղուց ոչ ոք չէր խաղում, ուստի խաղը չեղարկվեց։ Ոչ ոք չի պարտվել։
offer-resign = 🏳 { CASE($name, "definite") } ուզում է հանձնվել։ Պետք է խաղընկերոջ համաձայնությունը։
offer-replace = 🪑 { CASE($name, "definite") } առաջարկում է փոխարինում՝ { $seat } → { $newcomer }։
offer-leave = 🪑 { CASE($seat, "definite") } ուզում է իր տեղը զիջել { CASE($newcomer, "dative") }։
offer-take-over = 🪑 { CASE($newcomer, "definite") } ուզում է զբաղեցնել { CASE($seat, "genitive") } տեղը։
offer-replaced = 🪑 { CASE($name, "genitive") } փոխարեն այժմ խաղում է { CASE($newcomer, "definite") }։
offer-agreed = ✓ Համաձայն են՝ { $names }
offer-waiting = Սպասում ենք՝ { $names }։
offer-patience = { CASE($name, "definite") } կարող է առարկել։ { $time } լռելուց հետո որոշում են մյուսները։
call-resign = { $name }, ձեր խաղընկերն ուզում է հանձնվել (սեղան <code>{ $table }</code>)։
call-replace = { $name }, ուրիշն ուզում է զբաղեցնել տեղերից մեկը. համաձա՞յն եք (սեղան <code>{ $table }</code>)։
call-start = { $name }, բոլոր տեղերը զբաղված են. կարող եք սկսել (սեղան <code>{ $table }</code>)։
call-settings = { $name }, կարգավորումները փոխվել են. համաձայնելու համար սեղմեք ձեր տեղը կամ գրեք /join (սեղան <code>{ $table }</code>)։
call-invited = { $name }, ձեզ խաղալու են կանչում (սեղան <code>{ $table }</code>)։
call-closing = { $name }, եթե ոչինչ տեղի չունենա, <code>{ $table }</code> սեղանը կփակվի { $minutes } րոպեից։ «Երկարացնել» կոճակը բաց կպահի այն։
button-leave = Վեր կենալ
button-computer = + 🤖 Համակարգիչ
button-no-computer = − 🤖 Հանել
button-seats = Տեղեր՝ { $count }
button-start = ▶ Սկսել
button-extend = ⏳ Երկարացնել
button-remind = 🔔 Հիշեցնել
button-remove-player = Հեռացնել…
button-substitutes = 🪑 Փոխարինում
button-computer-for = 🤖 Համակարգիչ՝ { CASE($name, "genitive") } փոխարեն
button-take-over = 🪑 Խաղալ { CASE($name, "genitive") } փոխարեն
answer-agreed = Դուք համաձայն եք։ Սպասում ենք մյուսներին։
answer-reminded = Հրավիրվածներին հիշեցվեց։
answer-extended = Սեղանը բաց կմնա ևս մեկ օր։
answer-remove-player = Ո՞վ պիտի հեռանա սեղանից։
answer-substitutes = Տեղը կարող է զբաղեցնել համակարգիչը, եթե մյուսները համաձայն են։ Ընկերոջը կանչելու համար գրեք /substitute և նրա անունը։
answer-take-over = Ո՞ր տեղն եք ուզում զբաղեցնել։ Սեղանի մյուս խաղացողները պետք է համաձայնեն։
refuse-no-free-seat = Ազատ տեղ չկա։ Կարող եք դիտել կամ բացել ձեր սեղանը՝ /play
refuse-kicked = Սեղանի տերը ձեզ հեռացրել է այս սեղանից։ Ձերը բացելու համար՝ /play
refuse-seat-taken = Այդ տեղը զբաղված է։ Ընտրեք մեկ ուրիշը։
refuse-lobby-changed = Սեղանի մոտ ինչ-որ բան փոխվել է։ Նորից նայեք։
refuse-unconfirmed = Կարգավորումները փոխվել են, ուստի խաղը համաձայնության է սպասում՝ { $names }։ Համաձայնելու համար պետք է սեղմել սեփական տեղը կամ գրել /join։ Խաղացողին հեռացնելու համար՝ ⚙ Կարգավորումներ
refuse-not-here = { CASE($name, "definite") } այս սեղանի շուրջ չի նստած։
refuse-kick-self = Չեք կարող հեռացնել ինքներդ ձեզ։ Վեր կենալու համար՝ /cancel
refuse-no-computer = Այստեղ համակարգիչ չկա։
refuse-seats = Այստեղ կարող է խաղալ { $fewest }-ից { $most } հոգի։
refuse-too-many-sit = Այստեղ արդեն ավելի շատ խաղացող կամ հրավիրված կա։ Նախ մեկին հեռացրեք։
refuse-too-few = Պակասում է { $count } խաղացող։ Կարող է խաղալ նաև համակարգիչը։
refuse-nobody-awaited = Հիշեցնելու մարդ չկա. բոլոր հրավիրվածներն արդեն պատասխանել են։
refuse-nobody-named = Նշեք մեկին՝ @ընկեր
refuse-reminded = Նրանց հենց նոր հիշեցվեց։ Փորձեք { $minutes } րոպեից։
refuse-already-agreed = Դուք արդեն համաձայնել եք։ Սպասում ենք մյուսներին։
refuse-no-draws = Այս խաղում ոչ-ոքի չի լինում։ Կարող եք հանձնվել՝ /resign
refuse-draw-computer = Համակարգիչը ոչ-ոքիի չի համաձայնում։ Կարող եք հանձնվել՝ /resign
refuse-back-hidden = Այստեղ քայլը հետ չեն վերցնում. թղթերն արդեն տեսել են։
refuse-back-chance = Սա հետ վերցնել չի կարելի. դրանից հետո արդեն զառ են նետել։
refuse-computer-there = Այնտեղ արդեն համակարգիչ է խաղում։
refuse-unknown-seat = Այդպիսի տեղ չկա։ Տեղերը տեսնելու համար՝ /board
refuse-seated-already = { CASE($name, "definite") } արդեն խաղում է այս սեղանի շուրջ։
refuse-other-hand = { CASE($name, "definite") } տեսել է այս ռաունդի ուրիշ թղթեր և այստեղ կարող է նստել, երբ բաժանվեն հաջորդները։
refuse-last-person = Դուք այստեղ վերջին մարդն եք։ Կարող եք հանձնվել՝ /resign
refuse-substitute-rated = Քանի դեռ խաղացողը հետ է մնում, ոչ ոք չի կարող տեղ զբաղեցնել․ համակարգիչների դեմ այս խաղը վարկանիշային է։ Առանց վարկանիշի խաղին ընկերները կարող են միանալ երբ ուզեն։ Նոր խաղ՝ /play
refuse-friend-twice = Դուք { $name } անունը երկու անգամ եք նշել։
command-begin = սկսել նրանցով, ովքեր սեղանի շուրջ են
command-kick = հեռացնել մեկին խաղից առաջ
command-substitute = տեղը փոխանցել ուրիշ խաղացողի
argument-against = ում դեմ
choice-computer = համակարգիչ
argument-second = ևս մեկ ընկեր
argument-third = երրորդ ընկեր
over-first = 🏆 Հաղթող՝ <b>{ $winner }</b>։
over-won-pair = 🏆 Հաղթողներ՝ <b>{ $winner }</b> և <b>{ $partner }</b>, հաշիվը՝ { $score }։

# Տախտակների տեսքը
command-theme = ընտրել տախտակների տեսքը
command-flip = տախտակը ձեր կողմից, միայն ձեզ համար
argument-theme = տեսք
choice-wood = 🪵 Փայտ
choice-night = 🌙 Գիշեր
choice-contrast = ◐ Հակադիր գույներ
choice-print = 🖨 Տպելու համար
answer-theme = Ինչպե՞ս երևան տախտակները։ Առաջին կոճակները նրա համար են, ինչ միայն դուք եք տեսնում։
answer-theme-person = Այն, ինչ միայն դուք եք տեսնում, այսուհետ այսպիսին է՝ { $theme }։
answer-theme-shared = Այս զրույցի տախտակը մնում է նույնը. այն մեկն է բոլորի համար։ Դրա համար կարող է ընտրել ադմինիստրատորը՝ /theme
answer-theme-chat = Այս զրույցի տախտակներն այսուհետ այսպիսին են՝ { $theme }։
refuse-theme = Ես գիտեմ այս տեսքերը՝ { $themes }։
answer-turned-is-on = Այն տախտակներին, որոնք միայն դուք եք տեսնում, այսուհետ ձեր կողմը ներքևում է։
answer-turned-is-off = Այն տախտակները, որոնք միայն դուք եք տեսնում, այսուհետ շրջված են այնպես, ինչպես բոլորի համար։
button-turned-on = 🔄 Իմ կողմը՝ ներքևում
button-turned-off = 🔄 Ինչպես բոլորի համար
answer-pace-is-calm = Երբ մենակ եք խաղում, համակարգիչներն այսուհետ քայլում են հերթով, որ հասցնեք հետևել։
answer-pace-is-quick = Երբ մենակ եք խաղում, համակարգիչներն այսուհետ պատասխանում են միանգամից։
button-pace-quick = ⚡ Միանգամից
button-pace-calm = 🐢 Քայլ առ քայլ
command-pace = ինչպես են պատասխանում համակարգիչները՝ հանգիստ թե արագ
argument-pace = հանգիստ կամ արագ
choice-calm = հանգիստ
choice-quick = արագ
answer-words-is-on = Այսուհետ այնտեղ, որտեղ միայն դուք եք կարդում, տախտակները նկարագրում եմ բառերով։
answer-words-is-off = Այսուհետ տախտակները ցույց եմ տալիս նկարներով։
button-words-on = 🔤 Միշտ բառերով
button-words-off = 🖼 Միշտ նկարներով
button-view = 👁 Իմ կողմից
# Replays and charts.
button-replay = 🎬 Կրկնություն
button-chart = 📈 Գծապատկեր
answer-replay = 🎬 Նկարում եմ խաղի կրկնությունը… Մի պահից այն կլինի այստեղ։
answer-replay-soon = Կրկնությունն արդեն նկարվում է և շուտով կլինի այստեղ։
answer-replay-above = Այս խաղի կրկնությունն այստեղ ցույց է տրվել մի քանի րոպե առաջ. նայեք մի փոքր վերև։
refuse-no-replay = Կրկնությունը կարող եք տեսնել խաղի ավարտից հետո։
refuse-replay-busy = Հիմա շատ կրկնություններ են նկարվում։ Խնդրում եմ փորձել մեկ րոպեից։
refuse-chart-later = Ձեռքի թղթերը գաղտնի են. գծապատկերը կարող եք տեսնել խաղի ավարտից հետո։
refuse-no-chart = Այս սեղանի շուրջ չկա խաղ, որի գծապատկերը հնարավոր լինի նկարել։
answer-replay-title = 🎬 <b>{ $game }</b> · սեղան <code>{ $table }</code> · { $names }
command-replay = վերջին խաղի կրկնությունը
command-chart = հաշվի գծապատկերը խաղի ընթացքում
# Computers: who they are and how strong
computer-beginner = 🤖 Ուղտիկ
computer-easy = 🤖 Ուղտապան
computer-medium = 🤖 Վաճառական
computer-strong = 🤖 Ուղեկցորդ
computer-master = 🤖 Քարավանապետ
# Two and more of one kind at a table have names of their own: no number ever follows a name.
computer-named = { $name } { $own }
computer-own-name = { $n ->
        [1] Ալի
        [2] Նուր
        [3] Արամ
       *[other] Զաքի
    }
computer-thinks = { CASE($name, "definite") } մտածում է…
level-beginner-about = առաջին անգամ է ճանապարհին և խճճվում է իր իսկ ոտքերի մեջ։
level-easy-about = ճանապարհը գիտի, բայց հաջորդ ոլորանից այն կողմ չի նայում։
level-medium-about = լավ է հաշվում և ձրի ոչինչ չի տալիս։
level-strong-about = շատ անգամ է անցել անապատը և փոթորիկը հեռվից է տեսնում։
level-master-about = ճանապարհին ոչ մի ուղտ չի կորցրել։ Հաջողություն։
choice-beginner = սկսնակ
choice-easy = հեշտ
choice-medium = միջին
choice-strong = ուժեղ
choice-master = վարպետ
argument-level = ուժը
lobby-seat-computer = Տեղ { $n }՝ { $name } ({ $level })
answer-levels = <b>Համակարգիչներ</b>, որոնք կարող են նստել այստեղ՝
answer-level-name = • { $name } ({ $level })՝ { $about }
answer-level-rated = • { $name } ({ $level })՝ { $about } 🏅 { $rating }
button-levels = 🤖 Մակարդակներ…
button-relevel = Տեղ { $n }՝ { $level } ▸ փոխել
refuse-computer-thinks = { CASE($name, "definite") } մտածում է։ Մի պահ, խնդրում եմ։

# Hints
lobby-hints = 💡 Հուշումներ՝ { $rule }։
lobby-hints-on = բոլորի համար
lobby-hints-off = չկան
lobby-hints-alone = միայն համակարգիչների դեմ մենակ խաղալիս
button-hints = Հուշումներ՝ { $rule }
button-hint = 💡 Հուշում
command-hint = ինչպես կխաղար վարպետը հիմա, միայն ձեզ
answer-hint = 💡 Վարպետը կխաղար այսպես՝ { $move }։ Հաղթելու հավանականությունն այդ դեպքում մոտ { $percent } % է։
answer-hint-sure = 💡 Վարպետը կխաղար այսպես՝ { $move }։
answer-hint-counted = Բոլորը տեսնում են, որ հուշում եք վերցրել, բայց ոչ թե որը։
refuse-hint-turn = Հուշում կարող եք ստանալ ձեր հերթին։ Հիմա { CASE($name, "genitive") } հերթն է։
refuse-hint-off = Այս սեղանի շուրջ հուշումներ չեն տրվում. այդպես որոշվեց խաղից առաջ։
refuse-hint-used =
    { $count ->
        [one] Դուք արդեն վերցրել եք այս խաղի միակ հուշումը։
       *[other] Դուք արդեն վերցրել եք այս խաղի բոլոր { $count } հուշումները։
    }
refuse-hint-soon = Ձեր հուշման մասին արդեն մտածում եմ։
refuse-hint-late = Խաղն այդ ընթացքում առաջ գնաց։ Հարցրեք կրկին, երբ ձեր հերթը լինի։
over-hints = 💡 Հուշումներ՝ { $names }
over-hinted = { $name }՝ { $count }

# The review after a game
button-review = 🔍 Վերլուծություն
command-review = վերջին խաղի վերլուծությունը՝ բեկումնային պահեր և ավելի լավ քայլեր
answer-review =
    { $seconds ->
        [one] 🔍 Խաղը վերլուծվում է։ Վերլուծությունը կհայտնվի այստեղ մոտ մեկ վայրկյանից։
       *[other] 🔍 Խաղը վերլուծվում է։ Վերլուծությունը կհայտնվի այստեղ մոտ { $seconds } վայրկյանից։
    }
answer-review-soon = Խաղն արդեն վերլուծվում է։ Վերլուծությունը շուտով կհայտնվի այստեղ։
answer-review-progress = 🔍 <b>{ $game }</b>՝ վերլուծում եմ խաղը… { $made } %
answer-review-above = Այս խաղի վերլուծությունն այստեղ էր մի քանի րոպե առաջ. նայեք մի փոքր վերև։
refuse-no-review = Վերլուծությունը կարող եք ստանալ, երբ խաղը խաղացվել և ավարտվել է։
refuse-review-busy = Շատ վերլուծություններ են սպասում։ Հարցրեք մեկ րոպեից։
refuse-review-gone = Այդ վերլուծությունն այլևս այստեղ չէ։ Խնդրեք կրկին՝ /review
answer-review-title = 🔍 <b>{ $game }</b> · սեղան <code>{ $table }</code> · բեկումնային պահեր և ավելի լավ քայլեր
answer-review-line = { $n }. Քայլ { $move }, { $name }՝ { $played } ({ $before } % → { $after } %)։ Ավելի լավ էր՝ { $better }։
answer-review-more = Նաև՝ { $moves }։
answer-review-short = { $n }. քայլ { $move } ({ $before } → { $after } %)
answer-review-none = Ոչ մի քայլ շատ բան չփոխեց. խաղը վճռվեց քայլ առ քայլ։
answer-review-failed = Այս անգամ վերլուծությունը չստացվեց։ Մեկ ժամից նորից խնդրեք՝ /review
answer-review-incomplete = Ժամանակը չհերիքեց բոլոր քայլերը ստուգելու համար, ուստի որոշ բեկումնային պահեր կարող են բացակայել։ Մեկ ժամից նորից խնդրեք՝ /review
answer-review-chart = Գծապատկերը ցույց է տալիս, թե որքան հավանական էր յուրաքանչյուր կողմի հաղթանակը քայլ առ քայլ, ինչպես տեսնում է համակարգիչը։ Դրա վրայի թվերը վերևի քայլերինն են։
button-luck = 🎲 Բախտ և խաղ
answer-luck = 🎲 <b>Բախտ և խաղ</b>. ինչպես է փոխվել հաղթելու հավանականությունը, 100 կետից
answer-luck-line = { $side }. սկզբում՝ { $start }, սեփական սխալներից՝ { $own }, ուրիշների սխալներից՝ { $others }, բախտից՝ { $luck } = { $result }
answer-luck-about = Սխալն այն է, ինչ որոշումը կորցրել է խաղացողին հասանելի լավագույն որոշման համեմատ։ Մնացած ամենը բախտն է՝ զառերը, բաժանումը և սպասվածից լավ կամ վատ դասավորված թղթերը։ Երկուսն էլ գնահատում է համակարգիչը։
answer-moment = { $move ->
        [1] 1-ին քայլից առաջ { CASE($name, "definite") } ընտրեց { $played }։ Վարպետը կխաղար <b>{ $better }</b>։
       *[other] { $move }-րդ քայլից առաջ { CASE($name, "definite") } ընտրեց { $played }։ Վարպետը կխաղար <b>{ $better }</b>։
    }
answer-moment-chance = Հաղթելու հավանականությունը մոտ { $before } % էր, դարձավ { $after } %։
answer-moment-answer = Դրանից հետո { CASE($name, "definite") } կարող էր խաղալ { $answer }։

# The first minute, and what was not understood
help-all = 🌐 /language · Բոլոր հրամանները վերջին կոճակի տակ են։
help-all-typed = 🌐 /language · Բոլոր հրամանները՝ /help բոլորը
button-learn = 📖 Սովորել
button-solo = 🤖 Համակարգչի դեմ
button-help-all = Բոլոր հրամանները
button-both-sides = ♟ Երկու կողմն էլ
button-settings = ⚙ Կարգավորումներ
button-verify = 🔒 Արդար խաղ
solo-choose = <b>{ $game }</b>. ո՞ւմ դեմ կխաղաք։
solo-rated = 🏅 Այս խաղերը վարկանիշային են, փոփոխությունները կիսով չափ են հաշվվում։ Հուշումից կամ հետ վերցված քայլից հետո միայն պարտությունն է հաշվվում։
solo-casual = Այս խաղերը հաճույքի համար են՝ առանց վարկանիշի։
solo-friend = Ընկերոջ հետ՝ սեղմեք «Հղումով» կամ խաղացեք այն խմբում, որտեղ ես էլ կամ՝ /play
solo-friend-link = Ընկերոջ հետ՝ սեղմեք «Հղումով» կամ տարեք ինձ խումբ, որտեղ երկուսդ էլ կաք՝ { $link }
solo-friend-hands = Որպես խմբի ադմինիստրատոր՝ ես բոլոր խաղացողներին միանգամից ցույց եմ տալիս իրենց թղթերը, առանց «Իմ թղթերը» կոճակի։ Այս հղումը խնդրում է միայն հաղորդագրություններ ջնջելու իրավունք՝ { $link }
rules-which = Ո՞ր խաղը կուզեք սովորել։
refuse-clock = Ժամացույցը 10 վայրկյանից 30 օր է մեկ քայլի համար, կամ րոպեներ՝ քայլի վայրկյաններով՝ 3 րոպե, 5+5, 2 օր։
refuse-misread = Չհասկացա «{ $word }» բառը, ուստի սեղան չբացեցի։ Կարող եք գրել՝ համակարգիչ, { $levels }, առանց հուշումների, @ընկեր։
refuse-misread-near = Չհասկացա «{ $word }» բառը, ուստի սեղան չբացեցի։ Գուցե՝ «{ $near }»։
refuse-nobody-called = Այստեղ @{ $name } անունով մարդ չգիտեմ, ուստի ոչինչ չի փոխվել։ Ստուգեք անունը կամ բացեք սեղան բոլորի համար՝ /play
answer-settings = ⚙ <code>{ $table }</code> սեղան, խաղից առաջ՝
answer-verify = 🔒 <code>{ $table }</code> սեղան. seed թիվը որոշված էր, նախքան որևէ մեկը կմիանար. զառերն ու թղթերը բխում են դրանից և նրանից, թե ովքեր են նստել սեղանի շուրջ։ Սա դրա մատնահետքն է. գրառման մեջ կլինի ինքը՝ թիվը, և ամեն ոք կարող է ստուգել։
answer-verify-over = 🔒 <code>{ $table }</code> սեղան. seed թիվը որոշված էր, նախքան որևէ մեկը կմիանար. զառերն ու թղթերը բխում են դրանից և նրանից, թե ովքեր են նստել սեղանի շուրջ։ Սա դրա մատնահետքն է։ Խաղն ավարտված է, նրա գրառման մեջ կա seed թիվը, և ամեն ոք կարող է ստուգել՝ /record
lobby-unseen = Դեռ չեմ ճանաչում՝ { $names }։ Կարող են նստել՝ այստեղ կոճակը սեղմելով։
answer-confirm-resign-typed = Խաղը սրանով կավարտվի։ Հանձնվելու համար մեկ րոպեի ընթացքում ուղարկեք ևս մեկ անգամ։
answer-confirm-abort-typed = Խաղը սրանով կավարտվի։ Չեղարկելու համար մեկ րոպեի ընթացքում ուղարկեք ևս մեկ անգամ։
refuse-nothing-to-join = Այստեղ չկա սեղան, որի շուրջ կարողանաք նստել։ Բացեք ձերը՝ /play
refuse-none-waiting = Այստեղ խաղացողների սպասող սեղան չունեք։ Բացեք նորը՝ /play
refuse-not-playing-here = Դուք այստեղ ոչ մի սեղանի շուրջ չեք խաղում։ Բացեք ձերը՝ /play
refuse-none-finished = Վերջին շրջանում այստեղ ոչ մի խաղ չի ավարտվել։ Սեղան բացելու համար՝ /play։ Նախկին խաղերը՝ /history
command-verify = զառերի, թղթերի և վիճակահանության արդարության ստուգում
argument-move = ինչ խաղալ՝ 7, 8♥, պաս
argument-game = խաղ
refuse-doubtful-move = «{ $typed }» չի համընկնում։ Նկատի ունեի՞ք { $move }։ Այդ դեպքում ուղարկեք { $move }։

# Ինչ արեց սեղմումը՝ կարճ, սեղմողին։
done-reply = ✓ { $what }
done-and = { $first } · { $second }
done-your-turn = ձեր հերթն է
done-turn = { CASE($name, "genitive") } հերթն է
done-opened = սեղանը բացված է
done-below = ուղարկվեց ներքև
done-joined = դուք սեղանի շուրջ եք
done-asked = խաղը կսկսվի, երբ մարտահրավեր նետողը համաձայնի
done-left = դուք դուրս եկաք
done-seats = տեղերը փոխվեցին
done-removed = խաղացողը հեռացվել է սեղանից
done-saved = պահպանվեց
done-started = խաղը սկսվեց
done-back = քայլը հետ վերցվեց
done-replaced = տեղը զբաղեցվեց
done-declined = մերժվեց
done-over = խաղն ավարտվեց
done-closed = սեղանը փակվեց
refuse-button-changed = Այս կոճակը հենց նոր փոխվեց։ Եթե ուզում եք այն, ինչ հիմա գրված է, սեղմեք ևս մեկ անգամ։

# The course, and what is said to whoever plays for the first time
lesson-yes = Այո
lesson-no = Ոչ
lesson-player = { $name }
lesson-part = 📚 Մաս { $n }/{ $parts }՝ <b>{ $name }</b>
lesson-part-done = 🎓 <b>Մաս { $n }/{ $parts }՝ { $name }, ավարտված է։</b> Հիմա խաղացեք ձեր առաջին խաղը, մրցակիցը՝ { $computer }. ես կասեմ, թե ինչին ուշադրություն դարձնել։ Կամ կարդացեք հաջորդ մասը։
button-part = Մաս { $n }՝ { $name } ▸
lesson-question = ❓ { $question }
lesson-try = 👆 { $question }
lesson-right = { $n ->
        [0] ✅ Ճիշտ է։
        [1] ✅ Լավ նկատեցիք։
        [2] ✅ Հենց այդպես։
       *[other] ✅ Այո, ապրե՛ք։
    }
lesson-wrong = 🤔 Այնքան էլ ոչ։
lesson-verdict = { $verdict } { $why }
lesson-done = 🎓 <b>Սա էր ամբողջը։</b> Հիմա խաղացեք՝ { $game }, մրցակիցը՝ { $computer }։ Ես կասեմ, թե ինչին ուշադրություն դարձնել, իսկ քայլերը կարող եք հետ վերցնել՝ որքան ուզեք։
button-first-game = 🐪 Առաջին խաղս (խորհուրդներով)՝ { $computer }
button-again = 🔁 Նորից
coach-says = 🐪 { $what }

## One table in several places

button-private = 👤 Խաղալ առանձին
button-stop = ✖ Չցուցադրել այստեղ
places-also =
    { $count ->
        [one] 👁 Երևում է ևս { $count } զրույցում
       *[other] 👁 Երևում է ևս { $count } զրույցում
    }
watching-people =
    { $people ->
        [one] 👁 Դիտում է { $people } մարդ
       *[other] 👁 Դիտում է { $people } մարդ
    }
watching-both = { $people } · { $places }
button-public-on = 👁 Թող բոլորը դիտեն
button-public-off = 🔒 Դիտել միայն այստեղ
refuse-not-public = { $table } սեղանը բոլորի համար բաց չէ։ Թույլ տալ կարող են նրանք, ովքեր խաղում են. ⋯, «Թող բոլորը դիտեն»։
answer-table-detached = Այս սեղանն այլևս չի ցուցադրվում այստեղ։ Նորից ցուցադրելու համար՝ /show { $table }
places-name = { $name } ({ $mark })
mark-tg = TG
mark-dc = DC
mark-web = վեբ
done-shown-here = սեղանը ցուցադրվում է նաև այստեղ
answer-shown-here = Այս սեղանի շուրջ կարող եք խաղալ նաև այստեղ։
answer-watching = Այսուհետ այս սեղանը կարող եք դիտել այստեղ։ Այլևս չցուցադրելու համար՝ /stop
answer-private = Ձեր տախտակը հիմա մեր անձնական զրույցում է։ Քայլել կարող եք և՛ այնտեղից, և՛ այստեղից։
answer-private-opened = 🎲 Ձեր տախտակը կբացվի այստեղ։
answer-stopped = Սեղանն այլևս չի ցուցադրվում այստեղ։ Խաղը շարունակվում է ուրիշ տեղ։
refuse-show-private-game = Այս սեղանի շուրջ խաղում են մեկ անձնական զրույցում, ուստի այն ուրիշ տեղ չի ցուցադրվում։ Ընդհանուր սեղան բացելու համար՝ /play
refuse-which-code = Ո՞ր սեղանը։ Գրեք նրա կոդը. այն տախտակի ⋯ կոճակի տակ է՝ /{ $command } 7k3fxb2
refuse-already-here = Այդ սեղանն արդեն ցուցադրվում է այստեղ։ Տախտակը տեսնելու համար՝ /board
refuse-too-many-places = Այդ սեղանն արդեն ցուցադրվում է ուրիշ զրույցներում ({ $count })։ Նախ դրանցից մեկում պետք է դադարեցնել՝ /stop
refuse-stop-home = Սեղանն այստեղ է բացվել, ուստի մնում է։ Մինչև խաղը կարելի է այն փակել, հետո՝ հանձնվել։
refuse-not-shown-here = Այդ սեղանն այստեղ չի ցուցադրվում։
refuse-nothing-shown-here = Այստեղ ուրիշ զրույցի սեղան չի ցուցադրվում։
refuse-stop-others = Դա կարող է անել միայն նա, ով սեղանը ցուցադրել է այստեղ, սեղանի տերը կամ այս զրույցի ադմինիստրատորը։
refuse-stop-player = { CASE($name, "definite") } խաղում է միայն այս զրույցից, ուստի սեղանը մնում է այստեղ։ Երբ { CASE($name, "definite") } տախտակը բացի նաև անձնական զրույցում (/private), սեղանը կարելի է հանել այստեղից՝ /stop։ Չխաղացող ադմինիստրատորը կարող է դա անել միանգամից։
refuse-only-watching = Այս զրույցում միայն դիտում են։ Այստեղ խաղալու համար ցուցադրեք սեղանը՝ /show և կոդը
refuse-private-seat = Դուք այս սեղանի շուրջ չեք խաղում։ Անձնական զրույցում դիտելու համար գրեք ինձ այնտեղ՝ /watch { $table }
refuse-already-private = Ձեր տախտակն արդեն մեր անձնական զրույցում է։
refuse-private-none = Այստեղ ինձ հետ անձնական զրույց չկա։
refuse-private-closed = Չեմ կարող ձեզ գրել։ Գաղտնիության կարգավորումներում թույլ տվեք այս սերվերից անձնական հաղորդագրությունները կամ նախ ինքներդ գրեք ինձ անձամբ՝ /private { $table }
refuse-private-closed-link = Դեռ չեմ կարող ձեզ անձամբ գրել։ Բացեք մեր զրույցը և սեղմեք «Start», տախտակն ինքը կգա՝ { $link }
command-private = ձեր տախտակը մեր անձնական զրույցում
command-show = ցուցադրել այստեղ ուրիշ զրույցի սեղանը և խաղալ
command-watch = ցուցադրել այստեղ ուրիշ զրույցի սեղանը և դիտել
command-stop = այլևս չցուցադրել ուրիշ զրույցի սեղանը

## Settings

command-settings = բոլոր կարգավորումները՝ ձերն ու այս զրույցինը
setting-row = { $name }՝ { $value }
setting-now = ✓ { $value }
setting-row-from = { $name }՝ { $value } ({ $source })
setting-from-server = սերվերից
setting-from-channel = #{ $channel } ալիքից
setting-from-parent = ալիքից
setting-like-server = ↺ Ինչպես սերվերում՝ { $value }
setting-like-channel = ↺ Ինչպես ալիքում՝ { $value }
settings-mine = 👤 <b>Ձեր կարգավորումները</b>։ Դրանք գործում են ամենուր։ Փոխելու համար սեղմեք։
settings-chat = ⚙ <b>Այս զրույցի կարգավորումները</b>։ Սեղմեք այն, ինչ ուզում եք փոխել. առանց դրա էլ ամեն ինչ աշխատում է։
settings-chat-read = ⚙ <b>Այս զրույցի կարգավորումները</b>։ Դրանք փոխում են միայն ադմինիստրատորները։
settings-server = 🏛 <b>Ամբողջ սերվերի կարգավորումները</b>։ Դրանք գործում են ամեն ալիքում, որտեղ այլ բան չի ընտրվել։ Սեղմեք այն, ինչ ուզում եք փոխել։
settings-server-read = 🏛 <b>Ամբողջ սերվերի կարգավորումները</b>։ Դրանք փոխում են միայն ադմինիստրատորները։
button-settings-chat = ⚙ Այս զրույցը
button-settings-server = 🏛 Ամբողջ սերվերի համար
button-settings-mine = 👤 Իմը
button-usual-rules = ↺ Սովորական կանոններ
setting-language = 🌐 Լեզու
setting-theme = 🎨 Տեսք
setting-side = 🔄 Իմ տախտակը
setting-boards = 🖼 Տախտակը
setting-press = 👆 Քայլի հաստատում
setting-pace = 🐢 Համակարգիչներ
setting-pace-about = Որքան արագ են պատասխանում համակարգիչները, երբ նրանց հետ մենակ եք խաղում։
value-pace-calm = քայլ առ քայլ
value-pace-quick = միանգամից
setting-calls = 🔔 Հիշեցումներ
setting-night = 🌙 Լուռ ժամեր
setting-zone = 🕰 Իմ ժամը
setting-hints = 💡 Հուշումներ
setting-clock = ⏱ Ժամանակ
setting-clock-about = Որքա՞ն ժամանակ ունեն խաղացողներն այստեղի նոր սեղաններում, եթե ոչ ոք այլ բան չի ասել։
setting-opens = 🚪 Սեղան բացում են
setting-orders = ✖ Սեղան փակում են
setting-rules = 📜 Սեղանի կանոններ
setting-quiet = 🔕 Լուռ ռեժիմ
setting-old = 🧹 Հին տախտակներ
setting-where = 📍 Որտեղ խաղալ
setting-language-about = Ի՞նչ լեզվով խոսեմ։
setting-theme-about = Ինչպե՞ս երևան տախտակները։
setting-side-about = Ո՞ւմ կողմն է ներքևում այն տախտակին, որը միայն դուք եք տեսնում։
setting-boards-about = Ինչպե՞ս ցույց տամ տախտակները, երբ միայն դուք եք կարդում։
setting-press-about = Քայլից առաջ հաստատում խնդրե՞մ։ Դա պահպանում է պատահական հպումից։
setting-calls-about = Ե՞րբ հիշեցնեմ, որ ձեր հերթն է։
setting-night-about = Ձեր ժամով ո՞ր ժամերին չհիշեցնեմ։ Հետաձգված հիշեցումները կգան առավոտյան։
setting-zone-about = Որքա՞ն է ձեր ժամը տարբերվում UTC-ից։ Հայաստանում +4, Ղազախստանում +5, Ղրղզստանում +6, Մոսկվայում +3, Հնդկաստանում և Շրի Լանկայում +5:30։
setting-hints-about = Այստեղ նոր սեղաններին հուշումներ տրվո՞ւմ են, եթե սեղանի տերն այլ բան չի ասում։
setting-opens-about = Ո՞վ կարող է այստեղ սեղան բացել կամ ցուցադրել ուրիշ զրույցի սեղանը։
setting-orders-about = Ո՞վ կարող է փակել դեռ չսկսված սեղանը կամ այլևս չցուցադրել ուրիշ զրույցի սեղանը։
setting-rules-about = Այս կանոնները գործում են այստեղ նոր սեղաններին, եթե ուրիշները չեն նշվում։
setting-quiet-about = Լուռ ռեժիմում իմ հաղորդագրությունները գալիս են առանց ձայնի, և ես ոչ ոքի չեմ հիշատակում։
setting-old-about = Երբ տախտակը նորից հայտնվում է ներքևում, ի՞նչ լինի վերևինը։
setting-where-about = Ո՞ր թեմաներում կարելի է խաղալ։ Ամեն անհրաժեշտ թեմայում ընտրեք «այստեղ»։
setting-where-server-about = Ո՞ր ալիքներում կարելի է խաղալ։ Ամեն անհրաժեշտ ալիքում ընտրեք «այստեղ»։
value-side-own = իմ կողմը ներքևում
value-side-all = ինչպես բոլորի համար
value-boards-pictures = նկարով
value-boards-words = բառերով
value-press-once = անջատված
value-press-twice = միացված
value-calls-usual = շուտ
value-calls-seldom = մեկ ժամից
value-calls-never = երբեք
value-night-none = չկան
value-opens-all = բոլորը
value-opens-admins = ադմինիստրատորները
value-opens-nobody = ոչ ոք
value-orders-host = տերն ու ադմինիստրատորները
value-orders-all = բոլորը
value-rules-usual = սովորական
value-rules-own = սեփական կանոններ
value-quiet-off = անջատված
value-quiet-on = միացված
value-old-away = հեռացվում են
value-old-stay = մնում են առանց կոճակների
value-where-all = ամենուր
value-where-here = այստեղ
value-where-elsewhere = այլ թեմաներում
value-where-channels = այլ ալիքներում
refuse-other-topic = Ադմինիստրատորներն այս թեմայում խաղերն անջատել են։ Խաղացեք այլ թեմայում կամ տեսեք՝ /settings
refuse-other-channel = Ադմինիստրատորներն այս ալիքում խաղերն անջատել են։ Խաղացեք այլ ալիքում կամ տեսեք՝ /settings
refuse-opens-nobody = Ադմինիստրատորներն այստեղ խաղերն անջատել են։ Կարող եք խաղալ ինձ հետ անձնական զրույցում։
refuse-opens-admins = Այս զրույցում սեղան բացում են միայն ադմինիստրատորները։ Խնդրեք նրանցից մեկին։

## Challenges

button-by-link = 🔗 Հղումով
button-invite = 🔗 Հրավիրել
answer-invite = 🔗 Ինչպես հրավիրել մյուսներին <code>{ $table }</code> սեղանի մոտ՝
lobby-link = 🔗 Կիսվեք այս հղումով. ով բացի, կարող է միանալ՝ { $link }
lobby-link-group = 👥 Խումբ՝ ինձ հետ միասին՝ { $link }
lobby-code = ⌨ Որտեղ էլ լինեմ, նաև այլ հարթակում՝ <code>/show { $table }</code>, անձնական զրույցում՝ <code>/private { $table }</code>
lobby-explained = 💬 { $name }՝ { $why }
why-later = գուցե ավելի ուշ
why-busy = այսօր ժամանակ չունեմ
why-other = մեկ այլ խա՞ղ
why-rest = ընդմիջում եմ վերցրել
answer-declined-why = Դուք հրաժարվեցիք։ Ուզո՞ւմ եք ասել՝ ինչու։ Դա կկարդան բոլորը սեղանի մոտ։
answer-explained = Շնորհակալություն, կփոխանցեմ։
refuse-explained = Դուք արդեն ասել եք՝ ինչու։
command-notify = տեղեկացնել, երբ որևէ մեկն ուզենա խաղալ
answer-notify = 🔔 Մեկ անգամ կտեղեկացնեմ ձեզ այստեղ, երբ սեղան բացվի՝ { $games }։ Փոխելու համար նորից սեղմեք։
answer-notify-none = Ո՞ր խաղին եք սպասում։ Մեկ անգամ կտեղեկացնեմ ձեզ այստեղ, երբ սեղան բացվի։
call-wanted = 🔔 { $name }՝ { $opener } ուզում է խաղալ { $game } (սեղան <code>{ $table }</code>)։
refuse-notify-alone = Մեր անձնական զրույցում ուրիշը սեղան չի բացում։ Գրեք /notify խմբում։

## One person on several platforms

command-link = կապել ձեր հաշիվները մի քանի հարթակում
command-unlink = ապակապել ձեր հաշիվները
argument-code = մյուս հարթակի կոդը
button-link = Այո, երկու հաշիվն էլ իմն են
answer-link = 🔗 Մյուս հարթակում ինձ անձամբ գրեք՝ <code>/link { $code }</code>
answer-link-secret = Այն գործում է մեկ անգամ, { $minutes } րոպե։ Ոչ ոքի մի ասեք. ով օգտագործի, կխաղա ձեր փոխարեն։ Տեղերը, թղթերն ու կարգավորումները կլինեն ընդհանուր։
answer-link-now = Ձեր հաշիվները կապված են՝ { $platforms }։ Ապակապելու համար՝ /unlink
answer-link-sure = ⚠ Այս կոդը տրվել է <b>{ $name }</b>-ին ({ $platform })։ Եթե շարունակեք, այս հաշիվը կխաղա որպես { $name }. նա կունենա ձեր տեղերը և կտեսնի ձեր թղթերը։ Սեղմեք միայն, եթե երկու հաշիվն էլ ձերն են։ Եթե կոդը ձեզ ուղարկել են, մի՛ սեղմեք։
answer-linked = 🔗 Ձեր հաշիվները կապված են. այստեղ դուք այժմ { $name } եք ({ $platform })՝ նույն տեղերով, թղթերով ու կարգավորումներով։ Ապակապելու համար՝ /unlink
answer-link-used = 🔗 Ձեր կոդն օգտագործվել է. { $name } ({ $platform }) այժմ խաղում է որպես դուք։ Եթե դա դուք չեք՝ /unlink
answer-unlinked = Ձեր հաշիվներն այլևս կապված չեն։ Բաց սեղանների տեղերը մնում են այն հաշվին, որը տվել էր կոդը։
answer-unlinked-unrated = Վարկանիշային խաղերը, որ ավարտել եք, քանի դեռ հաշիվները կապված էին, նույնպես մնում են նրան։ Ուստի մյուս հաշվի խաղերը մինչև { $time } վարկանիշում չեն հաշվվում։
refuse-link-code = Այս կոդը չգիտեմ. այն գործում է մեկ անգամ, տասը րոպե։ Նորը՝ <code>/link</code> մյուս հարթակում։
refuse-link-self = Դա ձեր իսկ կոդն է. գրեք այն մյուս հարթակում։
refuse-link-already = Այս հաշիվն արդեն կապված է։ Ապակապելու համար՝ /unlink
refuse-link-platform = Ամեն հարթակից միայն մեկ հաշիվ կարելի է կապել, իսկ այստեղ մեկն արդեն կապված է։ Ապակապելու համար՝ /unlink
refuse-link-table = { $table } սեղանի մոտ երկու հաշիվն էլ նստած են։ Նախ ավարտեք այդ խաղը։
refuse-link-rated = Այս հաշվով դուք վարկանիշային խաղ եք խաղում՝ { $table }. այն կավարտվի այն անունով, որով սկսվել է։ Արեք հակառակը՝ այստեղ գրեք <code>/link</code>, իսկ կոդը մուտքագրեք մյուս հաշվից։ Կամ կապեք հաշիվները խաղից հետո։
refuse-link-left = Դուք զիջել եք ձեր տեղը վարկանիշային խաղում՝ { $table }, որը դեռ շարունակվում է. այն այս հաշվին պարտություն կհամարվի։ Արեք հակառակը՝ այստեղ գրեք <code>/link</code>, իսկ կոդը մուտքագրեք մյուս հաշվից։ Կամ կապեք հաշիվները խաղից հետո։
refuse-link-hidden = Ձեր անունը թաքցված է չաթերից մեկում կամ ամենուր, և դրանից հետո չափազանց շատ հաշիվներ են կապվել։ Այս մեկը կապելու համար խնդրեք այդ չաթի ադմինիստրատորին կամ բոտի տիրոջը՝ նորից ցույց տալ ձեր անունը։
refuse-unlink-rated = Այս հաշվի անձնական զրույցում դուք վարկանիշային խաղ եք խաղում, { $table }. այն ավարտվում է այն անունով, որով սկսվել է։ Նախ ավարտեք այն կամ ցույց տվեք այլ զրույցում՝ <code>/show { $table }</code>։
refuse-unlink-gone = Կոդը տված հաշիվն ({ $platform }) այլևս գոյություն չունի։ Ձեր տեղերը, խաղերն ու վարկանիշը կմնային նրան, և դուք կկորցնեիք դրանք, ուստի հաշիվները մնում են կապված. շարունակեք խաղալ այստեղ։ Ամեն ինչ ջնջելու համար՝ /account
refuse-not-linked = Ձեր հաշիվները կապված չեն։ Կապելու համար՝ /link

## Challenges where the bot is no member

challenge-title = ⚔ Մարտահրավեր՝ { $game }
challenge-more = Ով առաջինն ընդունի, կխաղա ձեզ հետ հենց այս զրույցում
challenge-says = ⚔ { $name } հրավիրում է խաղալ՝ { $game }։ Ով առաջինը սեղմի, նա էլ կխաղա։
challenge-more-many = Մարդիկ միանում են կոճակով հենց այս զրույցում, խաղը սկսում եք դուք
challenge-says-many = ⚔ { $name } հրավիրում է խաղալ՝ { $game }։ Սեղմեք՝ միանալու համար։
challenge-more-friends = { $friends }-ի համար, հենց այս չատում
challenge-says-friends = ⚔ { $name } հրավիրում է խաղալ՝ { $game }։ Հրավիրված են՝ { $friends }։
challenge-computers = 🤖 × { $count }
challenge-game = { $game } ({ $how })
challenge-choice-title = ⚔ Ո՞վ կխաղա
challenge-choice = ⚔ { $name } ուզում է խաղալ։ Ընտրեք խաղը. ով առաջինը սեղմի, նա էլ կխաղա։
share-more = Ցույց տալ այս սեղանն այստեղ
share-says = 🎲 { $name } խաղում է՝ { $line }
button-watch = 👁 Դիտել
button-show-here = ⬇ Ցույց տալ այստեղ
sketch-row = <code>{ $row }</code>
sketch-line = { $row }
private-link = 📩 Նկարներ, հուշումներ և այլն՝ մեր անձնական զրույցում. { $link }
private-link-over = 📩 Կրկնություն, վերլուծություն և գրառում՝ մեր անձնական զրույցում. { $link }
refuse-meet-self = Սա ձեր մարտահրավերն է. այն պետք է ընդունի ուրիշը։
refuse-challenge-used = Այս մարտահրավերն արդեն ընդունված է։ Խաղալու համար ուղարկեք ձերը։
refuse-not-challenged = Այս հրավերը { $friends }-ի համար է։ Խաղալու համար ուղարկեք ձերը։
answer-challenge-accepted = ⚔ { $name } ընդունեց մարտահրավերը, որ ուղարկել էիք որոշ ժամանակ առաջ՝ { $game }։ <code>{ $table }</code> սեղանը կսկսվի, երբ դուք էլ համաձայնեք։ Բացեք սեղանն այստեղ, որ ընդունեք կամ մերժեք։

## Moves settled before the turn

command-premove = պայմանական քայլ. /premove 3 7՝ 3-ին պատասխանել 7-ով
argument-plan = նրանց քայլն ու ձեր պատասխանը՝ 3 7, 5 2
plan-pair = { $theirs } → { $own }
plan-set = 🤫 Որոշված է հաջորդ քայլի համար, գիտեք միայն դուք՝ { $plan }
button-drop-plan = Չեղարկել պայմանական քայլը
answer-plan = 🤫 Որոշված է հաջորդ քայլի համար, գիտեք միայն դուք՝ { $plan }։ Չեղարկել՝ /premove off
answer-plan-none = Պայմանական քայլ չկա։ Քանի դեռ մրցակիցն է քայլում, գրեք նրա քայլն ու ձեր պատասխանը՝ /premove 3 7, 5 2
refuse-plan-turn = Պայմանական քայլ կարող եք տալ միայն, քանի դեռ մրցակիցն է քայլում։
refuse-plan-game = Պայմանական քայլեր լինում են միայն երկուսի խաղերում՝ առանց զառի ու թղթերի։
refuse-plan-words = Գրեք նրանց քայլն ու ձեր պատասխանը՝ /premove 3 7, 5 2
refuse-plan-move = «{ $typed }»-ը որպես քայլ այդ դիրքում չեմ հասկանում։ Գրեք նրանց քայլն ու ձեր պատասխանը՝ /premove 3 7

# A board in a browser, or in a window of the platform.
command-web = բացել խաղատախտակը դիտարկիչում. /web off՝ դուրս գալ ամենուր
command-launch = բացել տախտակը պատուհանում
button-open-board = ▦ Բացել տախտակը
button-page = 🌐 Դիտարկիչում
answer-page = 🌐 Այս հղումը բացում է ձեր տախտակը դիտարկիչում՝ ձեր անունից։ Այն գործում է մեկ անգամ, { $minutes } րոպե. ոչ ոքի մի՛ փոխանցեք։ Ամենուր դուրս գալու համար՝ /web off
answer-page-private = Այստեղ ուրիշներն են կարդում, հղումը տալ չեմ կարող։ Գրեք ինձ անձամբ՝ /web
answer-page-private-link = Այստեղ ուրիշներն են կարդում. հղման համար բացեք մեր անձնական զրույցը և այնտեղ սեղմեք «Start»՝ { $link }
answer-page-off = Դուք դուրս եկաք բոլոր դիտարկիչներից և պատուհաններից։
answer-launched = Տախտակը բացելու համար սեղմեք ևս մեկ անգամ։
refuse-no-page = Այստեղ տախտակները դիտարկիչում չեն բացվում. բոտի տերը դա չի կարգավորել։ Տախտակը տեսնելու համար՝ /board
refuse-page-here = Դուք արդեն էջում եք։

# Words that were not meant as they could be read

refuse-words-behind = Ոչինչ չարեցի. հաշվվում է միայն /{ $command } հրամանը՝ առանց «{ $words }» բառերի։ Եթե իսկապես ուզում եք, ուղարկեք միայն /{ $command }։
answer-nothing-done = Լավ, ոչինչ չարեցի։
answer-confirm-typed = { $card } խաղալու համար մեկ րոպեի ընթացքում ուղարկեք ևս մեկ անգամ։

# Commands that combine others.
command-cancel = խաղից առաջ վեր կենալ սեղանից կամ ընդհատել խաղը
command-open = բացել ձեր խաղատախտակը անձնական զրույցում կամ զննարկիչում
command-account = կապել կամ ապակապել տարբեր հարթակների ձեր հաշիվները
command-analysis = վերջին խաղը՝ վերլուծություն, կրկնություն, գծապատկեր, գրառում
command-table = սեղանի առաջարկները, խաղացողներն ու տախտակը
command-about = ով եմ ես և ում հայտնել սխալի մասին
command-feedback = ում հայտնել սխալի կամ գաղափարի մասին
command-privacy = ինչ եմ պահում ձեր մասին
answer-open = Որտե՞ղ բացեմ խաղատախտակը։
answer-open-here = Ձեր խաղատախտակն արդեն այստեղ է։ Իջեցնել այն՝ /board
answer-account = Կապեք հաշիվները, և բոլոր հարթակներում կունենաք նույն տեղերը, թղթերն ու կարգավորումները։
button-link-start = 🔗 Կապել հաշիվ
button-unlink = Ապակապել հաշիվները
answer-account-deleted = Ձեր հաշիվը կջնջվի՝ { $day }։
answer-deletion-restored = Ինձ վերականգնել են պահուստային պատճենից, որում դուք խնդրել էիք ջնջել ձեր հաշիվը։ Այն կջնջվի՝ { $day }։ Այն պահելու համար՝ /account
answer-deletion-operator = Բոտի տերը խնդրել է ջնջել ձեր հաշիվը։ Այն կջնջվի՝ { $day }։ Այն պահելու համար՝ /account
refuse-account-deleting = Ձեր հաշիվը ջնջվում է։ Երբ վերջին խաղերն ավարտվեն, կարող եք նորից սկսել։
refuse-link-deleting = Այս հաշիվներից մեկը կջնջվի։ Նախ չեղարկեք դա՝ /account
button-export = ⬇ Իմ տվյալները
button-delete-account = 🗑 Ջնջել հաշիվը
button-delete-sure = 🗑 Ջնջել մեկ շաբաթից
button-keep-account = Պահել հաշիվը
answer-export = Ձեր տվյալները․ account.json-ը ծրագրերի համար է, մյուս ֆայլերը՝ ձեզ։
refuse-export-private = Տվյալներն ուղարկում եմ միայն անձնական զրույցում։ Գրեք ինձ այնտեղ՝ /account export
refuse-export-soon = Տվյալները հենց նոր ուղարկեցի։ Նորից կարելի է { $minutes } րոպեից։
answer-delete-account = Մեկ շաբաթից կջնջեմ ձեր անունը, կարգավորումները, վարկանիշը, պատմությունն ու կապերը՝ ձեր բոլոր կապված հաշիվներում։ Մինչ այդ կարող եք չեղարկել՝ /account։ Այդ ժամանակ դուրս կգաք սկսված խաղերից։ Ավարտված խաղերը մյուս խաղացողների մոտ կմնան առանց ձեր անվան։ Եթե վերադառնաք 90 օրից շուտ, ձեր խաղերը վարկանիշում չեն հաշվվի։
answer-delete-cancelled = Ձեր հաշիվը մնում է։
refuse-delete-none = Չեղարկելու բան չկա․ ձեր հաշիվը մնում է։
refuse-delete-other = Այդ կոճակն ուրիշի համար է։ Ձեր հաշվի համար՝ /account delete
answer-data-title = Ինչ է պահում այս բոտը ձեր մասին, { $date }
answer-data-files = account.json-ը ծրագրերի համար է։ games պանակում ձեր ավարտված խաղերի գրառումներն են։
answer-data-games-cut = Պանակում վերջին ավարտված խաղերն են՝ { $games }-ից { $files }-ը. մնացածը մեկ ֆայլում չտեղավորվեց։
answer-data-profile = Անուններ, կարգավորումներ, կապված հաշիվներ՝ մինչև ջնջեք հաշիվը։
answer-data-marks = Կոդեր, ցանկություններ, մուտքեր՝ առավելագույնը մեկ ամիս, վերջին սեղանները՝ 180 օր, կամ մինչև ջնջեք հաշիվը։
answer-data-messages = Բաց սեղաններ և դրանց հաղորդագրությունները՝ խաղից հետո առավելագույնը 60 օր։
answer-data-games = Խաղեր՝ մինչև ջնջեք հաշիվը, հետո առանց ձեր անվան։
answer-data-results = Խաղերի արդյունքներ՝ մինչև ջնջեք հաշիվը, հետո առանց ձեր անվան։
answer-data-ratings = Վարկանիշ, ցուցակներ և պատմություն՝ մինչև ջնջեք հաշիվը։
answer-data-play = Խաղի որակ՝ ինչ են արժեցել ձեր որոշումները յուրաքանչյուր գնահատված խաղում, 400 օր։
answer-data-chat = Բոտի տիրոջ էջի զրույցը՝ ձեր հաղորդագրությունները 90 օր։
answer-data-answers = Ձեր հաղորդագրությունների և սեղմումների պատասխանները՝ 3 օր։
answer-data-deletion = Հաշիվը ջնջելու ձեր ցանկությունը, հետո, նաև /unlink-ից հետո, 90 օր՝ կոդ, որից հաշիվը հնարավոր չէ իմանալ։
answer-analysis = Այստեղի վերջին խաղը, սեղան <code>{ $table }</code>՝
answer-about = <b>Caravanserai</b> { $version }. ձեր զրույցում՝ { $games }։ Ինչ-որ բան սխա՞լ է կամ պակասո՞ւմ է։ Ասեք նրան, ով ինձ ավելացրել է։
answer-privacy = Պահում եմ ձեր անունը, կարգավորումներն ու խաղերը։ Ձեր թղթերը մինչև ռաունդի ավարտը տեսնում եք միայն դուք։ Տվյալները ֆայլով՝ /account export։ Ջնջելու համար՝ /account delete
answer-privacy-page = Ավելին՝ { $link }
answer-contact = Գրել բոտի տիրոջը՝ { $contact }
answer-feedback = Ինչ-որ բան սխա՞լ է, կամ գաղափա՞ր ունեք։ Ասեք նրան, ով ինձ ավելացրել է։
answer-feedback-contact = Ինչ-որ բան սխա՞լ է, կամ գաղափա՞ր ունեք։ Գրեք բոտի տիրոջը՝ { $contact }

# What Telegram shows before a person starts the bot (at most 512 characters), and on its profile
# (at most 120).
bot-description = { $games }՝ ընկերների հետ, հենց ձեր զրույցում։ Ավելացրեք ինձ խմբին և գրեք /play կամ խաղացեք այստեղ համակարգչի դեմ։
bot-short-description = { $games }՝ ընկերների հետ, հենց ձեր զրույցում։ Ավելացրեք ինձ խմբին և գրեք /play։

# Names of slash commands that contain others: small letters, no spaces.
menu-table = սեղան
menu-overview = ակնարկ

# Ratings and results

command-top = վարկանիշները
command-me = ձեր վարկանիշներն ու վիճակագրությունը
command-stats = խաղացողի վիճակագրությունը
command-history = ձեր ավարտված խաղերը
command-achievements = ձեր նվաճումները
list-two = { $game }, երկու խաղացող
list-pairs = { $game }, զույգերով
list-several = { $game }, երեք կամ չորս խաղացող
list-short = { $game } { $players }
list-deleted-player = Ջնջված խաղացող
list-deleted-player-numbered = Ջնջված խաղացող { $n }
answer-top-chat = 🏆 <b>Այս չաթի վարկանիշները</b>
answer-top-all = 🏆 <b>Բոլոր չաթերի վարկանիշները</b>
answer-top-season = 🏆 <b>{ $season }. այս ամիս, այս չաթում</b>
answer-top-season-all = 🏆 <b>{ $season }. այս ամիս, բոլոր չաթերում</b>
answer-top-past = 🏆 <b>{ $season }. այս չաթում</b>
answer-top-past-all = 🏆 <b>{ $season }. բոլոր չաթերում</b>
answer-top-empty = Այստեղ դեռ ոչ ոք վարկանիշային խաղ չի ավարտել։ Ընկերոջ հետ խաղը հաշվվում է՝ /togyz, /thaayam կամ /blot։
answer-top-empty-list = Այս ցուցակում դեռ ոչ մի խաղ չկա։ Ընկերոջ հետ վարկանիշային խաղը կհաշվվի՝ /togyz, /thaayam կամ /blot։
answer-top-none = Այդ ամսում վարկանիշային խաղ չի եղել։
answer-top-none-list = Այդ ցուցակում ոչ մի խաղ չկա։
answer-provisional = ? – խաղերը դեռ քիչ են, կամ վերջինը վաղուց է եղել, վարկանիշը կարող է շատ փոխվել։
answer-top-list = <b>{ $list }</b>
answer-top-place = { $rank }. { $name }: <b>{ $rating }</b> (+{ $won } ={ $drawn } −{ $lost })
answer-top-place-own = ▸ { $rank }. <b>{ $name }: { $rating }</b> (+{ $won } ={ $drawn } −{ $lost })
answer-top-order = Տեղերն այստեղ կախված են վարկանիշից և նրա հավաստիությունից. առանց խաղերի տեղն իջնում է։
answer-top-order-month = Տեղերն այստեղ կախված են վարկանիշից և նրա հավաստիությունից։
button-top-chat = Այս չաթը
button-top-all = Բոլոր չաթերը
button-top-season = Այս ամիս
answer-stats = 👤 <b>{ $name }</b>
answer-stats-empty-own = Դուք դեռ ոչ մի խաղ չեք ավարտել։ Մարտահրավեր նետեք ընկերոջը՝ /play
answer-stats-empty = Այս չաթում ավարտված խաղեր չկան։
answer-stats-record = { $list }՝ <b>{ $rating }</b> – հաղթանակ { $won }, ոչ-ոքի { $drawn }, պարտություն { $lost }
answer-stats-unrated = { $list }՝ վարկանիշ դեռ չկա – հաղթանակ { $won }, ոչ-ոքի { $drawn }, պարտություն { $lost }
answer-stats-best = Լավագույն վարկանիշը՝ { $rating }
answer-stats-streak-won = Անընդմեջ հաղթանակ՝ { $count }
answer-stats-streak-lost = Անընդմեջ պարտություն՝ { $count }
answer-stats-against = Դուք այս խաղացողի դեմ՝ հաղթանակ { $won }, ոչ-ոքի { $drawn }, պարտություն { $lost }
answer-stats-last = <b>Վերջին խաղերը</b>
answer-stats-achieved = 🎖 Նվաճումներ՝ { $count }, ընդամենը { $all }
answer-stats-totals = { $totals }
answer-stats-play = 🎯 Խաղի որակը. մեկ ռաունդում սխալները խլում են հաղթելու հավանականության { $cost } %-ը (± { $interval })։ Գնահատված ռաունդներ՝ { $rounds }
answer-stats-play-level = Դա մոտավորապես «{ $level }» մակարդակն է։
answer-stats-play-levels = Դա «{ $from }» և «{ $to }» մակարդակների միջև է։
answer-details = 📊 <b>{ $name }</b>. սիրելի քայլեր, լավագույն խաղեր, բախտ
answer-details-empty = Առայժմ ասելու բան չկա։ Մի քիչ էլ խաղացեք. սիրելի քայլերը երևում են երեք ընտրությունից հետո, լավագույն հաղթանակը՝ վարկանիշային հաղթանակից հետո, իսկ բախտը՝ զառերով կամ թղթերով հինգ խաղի 🔍 վերլուծությունից հետո։
answer-details-best = 🏅 Լավագույն հաղթանակը՝ { $day }, մրցակիցներ՝ { $opponents } (վարկանիշ՝ { $rating })
answer-details-luck = 🎲 Բախտ՝ { $sign }{ $luck } հաղթանակ։ Վերլուծված խաղեր՝ { $games }, վերջին { $all } խաղից (հաղթանակ՝ { $won })։ Մաքուր պատահականությունը 20 դեպքից 19-ում չի անցնում ±{ $limit }։
answer-details-luck-few = 🎲 Բախտը գումարվում է { $least } վերլուծված խաղից սկսած, առայժմ՝ { $games }։ Խաղն ավելացնում է նրա տակի 🔍 Վերլուծություն կոճակը։
answer-details-luck-about = Բախտն այն է, ինչ զառերը, բաժանումը և թղթերի դասավորությունը տվել են բոլոր կողմերի խաղից դուրս. այն գնահատում է համակարգիչը։
button-details = 📊 Սիրելի քայլեր, լավագույն խաղեր, բախտ
button-best-win = 🎞 Լավագույն հաղթանակ՝ { $list }
answer-decimal = { $whole },{ $tenth }
button-history = 📜 Իմ բոլոր խաղերը
button-head-to-head = 📜 Մեր խաղերը
answer-history = 📜 <b>Իմ խաղերը</b>, էջ { $page }
answer-history-empty = Դուք դեռ ոչ մի խաղ չեք ավարտել։ Մարտահրավեր նետեք ընկերոջը՝ /play
answer-history-against = 📜 <b>Իմ խաղերը { $name } խաղացողի դեմ</b>, էջ { $page }
answer-history-results = { $list }. հաղթանակ { $won }, ոչ-ոքի { $drawn }, պարտություն { $lost }
answer-history-no-match = Ձեր վերջին խաղերի մեջ այդպիսին չկա։ Բոլոր խաղերը՝ /history
answer-history-none-here = Այս չաթում այս խաղացողի դեմ ավարտված խաղեր չունեք։ Բոլոր խաղերը՝ /history
answer-history-again = Խաղերի ցանկն այժմ նորից է կազմվում, և ձերը կարող են դեռ չլինել։ Խնդրում ենք նորից հարցնել մի քանի րոպեից։
answer-history-numbered = { $n }. { $entry }
answer-history-won = { $day } { $game }. հաղթանակ, մրցակիցներ՝ { $opponents }
answer-history-drawn = { $day } { $game }. ոչ-ոքի, մրցակիցներ՝ { $opponents }
answer-history-lost = { $day } { $game }. պարտություն, մրցակիցներ՝ { $opponents }
answer-history-rated = { $game } ({ $change })
answer-history-removed = { $entry } – այլևս չի պահվում
answer-history-replays = Խաղը նորից դիտելու համար սեղմեք նրա համարը։
answer-history-latest = Դիտվել են միայն ձեր վերջին { $count } խաղերը։
argument-results = արդյունքներ
choice-won = հաղթանակներ
choice-lost = պարտություններ
choice-rated = վարկանիշային
choice-casual = առանց վարկանիշի
button-guarded-games = 🛡 Առանց վարկանիշի խաղեր
answer-guarded-games = <b>Այս չաթի վերջին 30 օրվա խաղերը, որոնք չեն ազդել վարկանիշի վրա կամ ազդել են ոչ բոլորի վարկանիշի վրա, և պատճառները։</b> Վարկանիշին պետք են խաղեր, որոնք ինչ-որ բան են ասում խաղացողների մասին. սա ոչ ոքի համար պատիժ չէ։
answer-guarded-none = Վերջին 30 օրում այստեղ այդպիսի խաղ չի եղել։
answer-guarded-game = { $day } { $game }, { $players }. { $reasons }
button-achievements = 🎖 Նվաճումներ
button-achievements-on = 🎖 Ցույց տալ նվաճումները
button-achievements-off = 🎖 Անջատել նվաճումները
answer-achieved = 🎖 <b>Նվաճումներ</b>՝ { $count }, ընդամենը { $all }
answer-achieved-game = <b>{ $game }</b>
answer-achieved-reached = ✅ { $name }, { $day }. { $rule }
answer-achieved-open = ▫️ { $name }. { $rule }
answer-achieved-hidden = Ձեր նվաճումներն անջատված են. դրանք չեք տեսնում ո՛չ դուք, ո՛չ ուրիշները։ Ինչ գրված է նախկին արդյունքի տակ, մնում է այնտեղ։
answer-achieved-shown = Ձեր նվաճումները նորից ցուցադրվում են՝ /achievements
button-newer = ◂ Ավելի նոր
button-older = Ավելի հին ▸
over-rating = { $name } { $rating } ({ $change })
over-ratings = 🏅 { $changes }
over-ratings-half = 🏅 { $changes }։ Փոփոխությունները կիսով չափ են հաշվվում, որովհետև համակարգիչ է խաղում։
over-first-win = ⭐ { $name }. առաջին հաղթանակն այստեղ, { $list }։
over-first-win-all = ⭐ { $name }. առաջին հաղթանակը, { $list }։
over-win-after-losses = ⭐ { $name }. հաղթանակ այս չաթում { $count } անընդմեջ պարտությունից հետո, մրցակիցը՝ { $opponent }։
over-win-after-losses-all = ⭐ { $name }. հաղթանակ { $count } անընդմեջ պարտությունից հետո, մրցակիցը՝ { $opponent }։
over-best-rating = ⭐ { $name }. ամենաբարձր վարկանիշն այս չաթում, { $list }՝ { $rating }
over-best-rating-all = ⭐ { $name }. ամենաբարձր վարկանիշը մինչ օրս, { $list }՝ { $rating }
over-streak = ⭐ { $name }. { $count } հաղթանակ անընդմեջ այս չաթում, { $list }։
over-streak-all = ⭐ { $name }. { $count } հաղթանակ անընդմեջ, { $list }։
over-achieved = 🎖 Առաջին անգամ՝ { $players }
over-achieved-player = { $name } – { $achieved }
over-casual = Առանց վարկանիշի՝ { $reason }։
over-casual-for = Առանց վարկանիշի ({ $name })՝ { $reason }։
lobby-rated = 🏅 Վարկանիշային խաղ
lobby-rated-here = 🏅 Հաշվվում է միայն այս չաթի վարկանիշներում. մրցակիցներն այսօր տասը վարկանիշային խաղ են խաղացել
lobby-rated-alone = 🏅 Վարկանիշային խաղ։ Փոփոխությունները կիսով չափ են հաշվվում, որովհետև համակարգիչ է խաղում։ Հուշումից կամ հետ վերցված քայլից հետո միայն պարտությունն է հաշվվում։
lobby-casual = Առանց վարկանիշի՝ { $reason }
lobby-casual-pause = Առանց վարկանիշի՝ { $name } դադար ունի, որովհետև չափից շատ խաղեր ընդհատվել կամ ժամանակից պարտվել են։ ⏱ { $time }
lobby-casual-several-people = Առանց վարկանիշի՝ համակարգչի հետ մի քանի մարդ է խաղում։ Վարկանիշի համար խաղալու համար թող բոլոր տեղերը զբաղեցնեն մարդիկ, կամ մենակ խաղացեք համակարգիչների դեմ։
button-rated = Հաշվարկ՝ { $rule }
lobby-rated-on = վարկանիշի համար
lobby-rated-off = հաճույքի համար
refuse-stats-private = Անձնական չաթում երևում է միայն ձեր վիճակագրությունը՝ /me։ Հարցրեք ընդհանուր խմբում։
refuse-history-private = Անձնական չաթում երևում են ձեր բոլոր խաղերը՝ /history։ Մեկ խաղացողի դեմ խաղերը հարցրեք ընդհանուր խմբում։
refuse-stats-unknown = Այստեղ { $name } դեռ չի խաղացել։ Վիճակագրությունը կերևա առաջին խաղից հետո։
casual-chosen = խաղում եք հաճույքի համար
casual-hints = հուշումները թույլատրված են
casual-takeback = քայլը հետ է վերցվել
casual-substitute = խաղացողը փոխարինվել է
casual-guest = էջի հյուր է խաղում. հյուրի խաղերը հաշվվում են առաջինից մեկ օր անց կամ հաշիվը կապելուց հետո (/link)
casual-unknown-computer = համակարգիչն այստեղ վարկանիշ չունի
casual-several-people = համակարգչի հետ մի քանի մարդ է խաղում
casual-coached = սա ուսումնական խաղ է
casual-same-person = մեկ մարդ խաղում է մի քանի կողմով
casual-aborted = խաղն ընդհատվել է
casual-too-short = խաղը շատ կարճ էր
casual-no-list = այս խաղատեսակը վարկանիշ չունի
casual-pair-limit = մրցակիցներն այսօր այս չաթում հինգ վարկանիշային խաղ են խաղացել
lobby-pair-limit-no-group = մրցակիցներն այսօր խմբերից դուրս հինգ վարկանիշային խաղ են խաղացել
casual-pair-limit-everywhere = մրցակիցներն այսօր տասը վարկանիշային խաղ են խաղացել. հաջորդները հաշվվում են միայն խմբերի ցուցակներում
casual-new-account = նոր խաղացողը հաղթեց շատ կարճ խաղում
casual-farming = կրկնում է նախկին հաղթանակը
casual-deleted-account = խաղացողը հաշիվը ջնջել կամ անջատել է 90 օրից պակաս առաջ
casual-rating-pause = խաղացողը դադար ունի վարկանիշային խաղերից
casual-other = ըստ նոր տարբերակի կանոնի
answer-guard-short = ⚠️ Ձեր վերջին վարկանիշային խաղերից երեքն ավարտվեցին մի քանի քայլից հետո։ Վարկանիշի համար խաղում են հաղթելու նպատակով։ Հաջորդի մասին կհայտնեմ բոտի տիրոջը։ Կարճ խաղերի համար խաղից առաջ ընտրեք «հաճույքի համար»։
answer-guard-reported = ⚠️ Ձեր ևս մեկ վարկանիշային խաղ ավարտվեց մի քանի քայլից հետո, ուստի դրա մասին հայտնեցի բոտի տիրոջը։ Ձեր վարկանիշը մնում է նույնը։
answer-guard-endings = ⚠️ Ձեր վերջին վարկանիշային խաղերից չափազանց շատերն ավարտվեցին, որովհետև դուք դրանք ընդհատեցիք, ձեր ժամանակը սպառվեց կամ դրանց միակ հաղորդագրությունը ջնջվեց։ Եթե այդպես շարունակվի, ձեր խաղերը որոշ ժամանակ առանց վարկանիշի կլինեն՝ սկզբում 10 րոպե, հետո ավելի երկար, առավելագույնը 3 օր։
answer-guard-pause = ⏸ Ձեր վերջին խաղերից չափից շատն ընդհատվեցին, ավարտվեցին ձեր ժամանակի սպառմամբ կամ դրանց միակ հաղորդագրության ջնջմամբ։ Ձեր նոր խաղերն առայժմ առանց վարկանիշի են, և մյուսները դա տեսնում են խաղից առաջ։ ⏱ { $time }
refuse-frozen = Բոտի տերը ժամանակավորապես կանգնեցրել է այս սեղանը։ Ժամանակը չի անցնում, և ոչ ոք չի պարտվի։ Խաղը կշարունակվի, երբ նա թույլ տա։
board-frozen = 🧊 Բոտի տերը ժամանակավորապես կանգնեցրել է այս սեղանը։ Ժամացույցները կանգնած են։
closed-host = Բոտի տերը չեղարկեց այս խաղը։ Ոչ ոք չի պարտվել։
refuse-banned = Բոտի տերն արգելել է ձեզ օգտվել բոտից։ Այլևս չեմ պատասխանի։
refuse-draining = Շուտով ինձ կթարմացնեն, ուստի առայժմ նոր խաղեր չեն սկսվում։ Սկսված խաղերը շարունակվում են։ Փորձեք ավելի ուշ։
answer-host-message = 📣 Հաղորդագրություն բոտի տիրոջից՝ { $text }
refuse-admin-group = Սա գրեք ինձ մեր անձնական չատում։
answer-admin = { $text }
button-admin-close = Չեղարկել խաղը
button-admin-close-sure = Այո, չեղարկել
button-admin-delete = 🗑 Ջնջել
button-admin-delete-sure = 🗑 Այո, ջնջել
setting-news = 📣 Բոտի տիրոջ հաղորդագրությունները
setting-news-about = Բոտի տերը կարո՞ղ է երբեմն գրել այստեղ, օրինակ՝ երկար դադարից առաջ։
value-news-off = անջատված
value-news-on = միացված
setting-achieved = 🎖 Նվաճումներ
setting-achieved-about = Փոքր նպատակներ, որոնք սովորեցնում են խաղը։ Եթե անջատված են, դրանք չեք տեսնում ո՛չ դուք, ո՛չ ուրիշները։
value-achieved-shown = ցուցադրվում են
value-achieved-hidden = անջատված են
setting-digest = 📅 Շաբաթվա ամփոփում
setting-digest-about = Գրե՞մ շաբաթը մեկ անգամ, թե ինչ է խաղացվել այստեղ՝ երկուշաբթի ժամը 9-ին, առանց ձայնի։ Եթե շաբաթվա ընթացքում ոչ ոք չի խաղացել, հաղորդագրություն չի լինում։
value-digest-off = անջատված
value-digest-on = միացված
setting-keep = 🗄 Պահել խաղերը
setting-keep-about = Որքա՞ն պահել այս չաթի ավարտված խաղերի քայլերն ու թղթերը։ Ավելի հները ջնջվում են ընդմիշտ, բայց ընտրությունից ոչ շուտ, քան մեկ օր հետո։ Արդյունքներն ու վարկանիշները մնում են։
value-keep-always = միշտ
value-keep-365 = 1 տարի
value-keep-90 = 90 օր
value-keep-30 = 30 օր
setting-chatzone = 🕰 Չաթի ժամը
setting-chatzone-about = Որքա՞ն է այս չաթի ժամը տարբերվում UTC-ից։ Շաբաթվա ամփոփումը գալիս է այս ժամով 9-ին։ Հայաստանում +4, Ղազախստանում +5, Ղրղզստանում +6, Մոսկվայում +3, Հնդկաստանում և Շրի Լանկայում +5:30։
answer-digest-is-on = Շաբաթվա ամփոփումը գալիս է երկուշաբթի օրերին՝ ժամը 9-ին։
answer-digest-is-off = Շաբաթվա ամփոփումն անջատված է։ Նորից միացնելու համար՝ /settings chat
answer-digest = 📅 <b>Շաբաթն այս չաթում</b>
answer-digest-games = Խաղեր՝ { $count }, խաղացողներ՝ { $players } ({ $games })
answer-digest-game = { $game } – { $count }
answer-digest-most = 🎲 Ամենաշատ խաղերը՝ { $names } ({ $count })
answer-digest-gain = 📈 Վարկանիշի ամենամեծ աճը՝ { $name } { $points } ({ $list })
answer-digest-streak = 🔥 { $name }. { $count } հաղթանակ անընդմեջ
answer-digest-close = ⚖ Ամենալարված խաղը՝ { $winners } – { $losers } { $score } ({ $game })
button-digest-top = 🏆 Վարկանիշներ
button-digest-off = Առանց շաբաթվա ամփոփման
answer-data-host = Բոտի տիրոջ գործողությունները ձեր հաշվի հետ (օրինակ՝ արգելք), խախտումների մասին հաղորդումներն ու դադարները՝ մեկ տարի, իսկ արգելքը՝ որպես կոդ, որից հաշիվը հնարավոր չէ իմանալ։

## Blocked people

command-block = արգելափակել մեկին կամ տեսնել ցանկը
command-unblock = հանել մեկի արգելափակումը
answer-block-done = 🚫 { CASE($name, "definite") } արգելափակված է. չի կարող ձեզ խաղի հրավիրել կամ ձեզ հետ նույն սեղանի շուրջ նստել։ Դրա մասին ոչ ոքի չի ասվում։ Սկսված խաղերը շարունակվում են։
answer-block-already = { CASE($name, "definite") } արդեն արգելափակված է։ Ձեր ցանկը՝ /block
answer-block-invitations = Ձեր միջև եղած բաց հրավերներն այլևս ուժի մեջ չեն։
answer-block-private = Այստեղ ձեր գրածը տեսնում են նաև մյուսները։ Սա աշխատում է նաև մեր անձնական զրույցում։
answer-block-list = 🚫 <b>Արգելափակվածներ՝ { $count }</b>։ Արգելափակումը հանելու համար սեղմեք անունը։
answer-block-none = Դուք ոչ ոքի չեք արգելափակել։ Արգելափակելու համար՝ /block @ընկեր։ Նա չի կարողանա ձեզ խաղի հրավիրել կամ ձեզ հետ նույն սեղանի շուրջ նստել, և դրա մասին ոչ ոքի չի ասվի։
answer-unblocked = { CASE($name, "definite") } այլևս արգելափակված չէ։
button-unblock = Հանել արգելափակումը
button-unblock-named = Հանել արգելափակումը՝ { $name }
refuse-block-self = Չեք կարող արգելափակել ինքներդ ձեզ։ Ձեր ցանկը՝ /block
refuse-block-unknown = { $name } անունով խաղացող չգիտեմ։ Գրեք /block և անունը այն խմբում, որտեղ երկուսդ էլ կաք։
refuse-block-full = Ձեր ցանկում արդեն { $count } մարդ կա, ավելին չի կարելի։ Նախ հանեք մեկի արգելափակումը՝ /block
refuse-unblock-none = { CASE($name, "definite") } ձեր ցանկում չէ։ Ցանկը տեսնելու համար՝ /block
refuse-block-own = { CASE($name, "definite") } ձեր արգելափակվածների ցանկում է, դրա համար այստեղ ոչինչ չի փոխվել։ Ձեր ցանկը՝ /block
refuse-block-seat = Այս սեղանի շուրջ հիմա ձեզ համար տեղ չկա։ Կարող եք դիտել կամ բացել ձեր սեղանը՝ /play
refuse-block-rematch = Նույն խաղացողներով հիմա նորից սկսել չի լինի։ Բացեք նոր սեղան՝ /play
refuse-chat-deleting = Բոտի տերը ջնջում է այս զրույցի տվյալները, ուստի հիմա այստեղ սեղան բացել չի լինի։ Մի քանի րոպեից նորից փորձեք։
refuse-block-challenge = { CASE($name, "definite") } հիմա հրավերներ չի ընդունում։ Հրավիրեք մեկ ուրիշի կամ սեղան բացեք բոլորի համար՝ /play
refuse-block-substitute = { CASE($name, "definite") } հիմա չի կարող զբաղեցնել այս տեղը։ Մերժեք առաջարկը կամ նշեք մեկ ուրիշի՝ /substitute
answer-data-blocks = Ում եք արգելափակել՝ մինչև հանեք արգելափակումը կամ ձեզնից մեկը ջնջի հաշիվը։

# Տախտակ, որի վրա մարդը դիրքեր է վերլուծում

# Ով է այնտեղ խաղում մարդկանց փոխարեն. $n-ը խաղացողի համարն է։
analysis-player = { $n ->
        [1] Առաջին
       *[other] Երկրորդ
    }
# Այն ընտրության վերնագիրը, թե ում քայլն է։
analysis-turn = Ում քայլն է
# Տեքստը դիրքի գրառման նման չէ. $example-ը օրինակ է։
analysis-unknown-position = Սա այս խաղի դիրքի գրառում չէ։ Այն այսպիսին է՝ { $example }
analysis-no-setup = Այս խաղի դիրքերն այստեղ վերլուծել չի կարելի։
analysis-over = Այս դիրքում խաղն ավարտված է։
analysis-game-runs = Դուք հիմա խաղում եք ({ $game }, սեղան { $table })։ Մինչև այդ խաղի ավարտը ո՛չ գնահատական կա, ո՛չ հուշում։

## Hidden names

command-hidename = թաքցնել մեկի անունն այս չաթում (ադմինիստրատորների համար)
argument-reason = ինչու՝ այդ մարդու համար
answer-hidename = Չաթի ադմինիստրատորները կարող են թաքցնել ուրիշներին վիրավորող անունը՝ /hidename @անուն և, եթե ուզում եք, պատճառը։ Մյուսներն այստեղ կտեսնեն չեզոք անուն։ Վերադարձնելու համար՝ /hidename @անուն off
answer-name-hidden = 🙈 Այժմ { $name } անվան փոխարեն այստեղ երևում է { $shown }, նաև նախկին խաղերում։ Խաղացողն այդ մասին և պատճառը կիմանա անձամբ։ Անունը վերադարձնելու համար՝ /hidename @անուն off
answer-name-hidden-already = { $name } անունն այստեղ արդեն թաքցված է. մյուսները տեսնում են { $shown }։
answer-name-shown = { $name } անունն այստեղ այլևս թաքցված չէ։
refuse-hidename-full = Այս չաթում արդեն թաքցված անունների թիվն է { $count }։ Նախ վերադարձրեք դրանցից մեկը։
refuse-name-not-hidden = { $name } անունն այս չաթում թաքցված չէ։
refuse-hidename-private = Անունը թաքցնում են այն խմբում, որտեղ այն երևում է. գրեք այնտեղ։
refuse-hidename-admin = Անունները կարող են թաքցնել միայն այս չաթի ադմինիստրատորները։
refuse-hidename-unknown = { $name } անունով խաղացող չգիտեմ։ Նշեք մեկին, ով այստեղ խաղացել է կամ գրել է ինձ։
answer-name-hidden-here = 🙈 Այս չաթի ադմինիստրատորները թաքցրել են ձեր անունն այստեղ։ Մյուսները տեսնում են { $name }։ Եթե պրոֆիլում ուրիշ անուն ընտրեք, խնդրեք ադմինիստրատորին նայել. անունը վերադարձնում է միայն ադմինիստրատորը։
answer-name-hidden-everywhere = 🙈 Բոտի տերը թաքցրել է ձեր անունը բոլոր չաթերում։ Մյուսները տեսնում են { $name }։ Եթե պրոֆիլում ուրիշ անուն ընտրեք, խնդրեք նրան նայել. անունը վերադարձնում է միայն նա։
answer-name-hidden-reason = Պատճառը՝ { $reason }
list-hidden-player = Խաղացող { $code }
answer-data-hidden-names = Որ ձեր անունը թաքցված է չաթում կամ ամենուր, երբվանից և ինչու՝ մինչև այն վերադարձնեն կամ դուք ջնջեք հաշիվը։
