# Ժամացույց, բացականեր, հիշեցումներ։

clock-free = առանց ժամացույցի
clock-seconds = { $count } վայրկյան մեկ քայլին
clock-minutes = { $count } րոպե մեկ քայլին
clock-hours = { $count } ժամ մեկ քայլին
clock-days = { $count } օր մեկ քայլին
clock-game = { $minutes } ր + { $seconds } վ
lobby-clock = ⏱ Ժամացույց՝ { $clock }։
button-clock = ⏱ { $clock }
button-clock-chosen = ✓ { $clock }
button-helper = 🤖 Փոխարինող համակարգիչ՝ { $level }
answer-clocks = ⏱ Որքա՞ն ժամանակ ունի ամեն մեկը <code>{ $table }</code> սեղանին։ Ընտրությունը մնում է նաև այս զրույցի հաջորդ սեղանների համար։
answer-clocks-two = Եթե մեկի ժամանակը սպառվի, սպասողը կարող է վերցնել հաղթանակը կամ չեղարկել խաղը։
answer-clocks-more = Եթե մեկի ժամանակը սպառվի, այդ հերթը խաղում է համակարգիչը։ Երեք անընդմեջ ուշացումից հետո այն խաղում է նրա տեղում, մինչև նա վերադառնա։

away-seconds = { $seconds } վ
away-minutes = { $minutes } ր
away-hours = { $hours } ժ { $minutes } ր
away-days = { $days } օր { $hours } ժ

clock-line = ⏱ { $clocks }
clock-running = { $name }՝ { $time }
clock-standing = { $name }՝ { $left }
clock-paused = ⏸ Դադար. ժամացույցները կանգնած են։
absent-late = ⏱ { CASE($name, "genitive") } ժամանակը սպառվեց։ Սպասողը կարող է վերցնել հաղթանակը, չեղարկել խաղը կամ պարզապես մի քիչ էլ սպասել։
absent-left = 🚪 { CASE($name, "definite") } հեռացավ։ Սպասողը կարող է վերցնել հաղթանակը կամ չեղարկել խաղը։
absent-removed = 🚪 { CASE($name, "definite") } հեռացվեց զրույցից, նրա ժամացույցը կանգնեցված է։ Եթե չվերադառնա, խաղը կարելի կլինի չեղարկել առանց արդյունքի՝ ⏱ { $time }
absent-cut-off = 📡 { CASE($name, "definite") } չի տեսնում սեղանը. բոտը նրա զրույցում չի աշխատում։ Նրա ժամացույցը կանգնեցված է։ Եթե ոչինչ չփոխվի, խաղը կարելի կլինի չեղարկել առանց արդյունքի՝ ⏱ { $time }
absent-leaving = 🚪 { CASE($name, "definite") } հեռացավ։ Եթե չվերադառնա, կարելի կլինի վերցնել հաղթանակը՝ ⏱ { $time }
absent-leaving-more = 🚪 { CASE($name, "definite") } հեռացավ։ Եթե չվերադառնա, նրա փոխարեն կխաղա համակարգիչը՝ ⏱ { $time }
absent-turn = 🤖 { CASE($name, "definite") } չհասցրեց, ուստի հերթը խաղաց համակարգիչը։
absent-away = 🤖 Մինչև նրանք վերադառնան կամ մեկը փոխարինի նրանց, համակարգիչը խաղում է սրանց փոխարեն՝ { $names }։
absent-nobody = 💤 Հիմա ոչ ոք չկա։ Խաղը սպասում է։
button-claim = 🏆 Վերցնել հաղթանակը
button-back = 👋 Վերադարձա
button-sit-in = 🪑 Փոխարինել
button-pause = ⏸ Դադար
button-resume = ▶ Շարունակել
button-nudge = 🔔 Հիշեցնել
offer-pause = ⏸ { CASE($name, "definite") } դադար է խնդրում։
offer-resume = ▶ { CASE($name, "definite") } առաջարկում է շարունակել։
offer-abort = ✖ { CASE($name, "definite") } ուզում է չեղարկել խաղը։ Եթե բոլորը համաձայնեն, ոչ ոք չի պարտվի։
call-pause = { $name }, դադար է առաջարկվում. համաձա՞յն եք (սեղան <code>{ $table }</code>)։
call-resume = { $name }, շարունակե՞նք խաղը (սեղան <code>{ $table }</code>)։
call-off = { $name }, չեղարկե՞լ խաղը, որպեսզի ոչ ոք չպարտվի (սեղան <code>{ $table }</code>)։
call-claim = { $name }, { CASE($late, "genitive") } ժամանակը սպառվեց. կարող եք վերցնել հաղթանակը, չեղարկել խաղը կամ սպասել (սեղան <code>{ $table }</code>)։
call-claim-left = { $name }, { CASE($late, "definite") } հեռացավ. կարող եք վերցնել հաղթանակը, չեղարկել խաղը կամ սպասել (սեղան <code>{ $table }</code>)։
call-turn-until = { $name }, ձեր հերթն է (սեղան <code>{ $table }</code>)։ ⏱ { $time }
call-nudge = { $name }, ձեզ սպասում են. ձեր հերթն է (սեղան <code>{ $table }</code>)։
over-late = ⏱ { CASE($name, "genitive") } ժամանակը սպառվեց։ Հաղթող՝ <b>{ $winner }</b>։
over-silent = ⏱ { $name } չվերադարձավ այս խաղին, ուստի այն պարտված է։
over-left = 🚪 { CASE($name, "definite") } հեռացավ։ Հաղթող՝ <b>{ $winner }</b>։
over-removed = 🚪 { CASE($name, "definite") } հեռացվեց զրույցից։ Հաղթող՝ <b>{ $winner }</b>։
answer-rematch-invites = Այլևս բոլորն այստեղ չեն, ուստի մյուսները հրավիրված են. <code>{ $table }</code> սեղանը կսկսվի, երբ նրանք համաձայնեն։
closed-absent = Խաղը չեղարկվեց, քանի որ { CASE($name, "definite") } այլևս չէր գալիս։ Ոչ ոք չի պարտվել։

done-returned = բարի վերադարձ
done-nudged = հիշեցվեց
done-paused = ժամացույցները կանգնեցին
done-resumed = ժամացույցներն աշխատում են

refuse-no-claim = Վերցնելու բան չկա. ոչ ոքի ժամանակը չի սպառվել։ Սպասեք, մինչև սպառվի մրցակցի ժամանակը։
refuse-claim-own = Սպառվել է հենց ձեր ժամանակը։ Դեռ կարող եք քայլել, քանի դեռ ոչ ոք չի վերցրել հաղթանակը։
refuse-claim-soon = { CASE($name, "definite") } հեռացավ, բայց դեռ կարող է վերադառնալ։ Սպասեք { $minutes } րոպե, հետո կարող եք վերցնել հաղթանակը։
refuse-claim-cut-off = { CASE($name, "definite") } հեռացել է ոչ իր կամքով, ուստի հաղթանակը վերցնել չի կարելի։ Նրա ժամացույցը կանգնեցված է։ Եթե չվերադառնա, կարող եք չեղարկել խաղը առանց արդյունքի՝ ⏱ { $time }
answer-confirm-abort-claim = Կարող եք վերցնել հաղթանակը՝ /claim։ Դրա փոխարեն խաղն առանց արդյունքի չեղարկելու համար մեկ րոպեի ընթացքում կրկնեք նույնը։
refuse-abort-cut-off = { CASE($name, "definite") } հիմա չի տեսնում սեղանը, բայց կարող է վերադառնալ։ Եթե չվերադառնա, կարող եք չեղարկել խաղը առանց արդյունքի՝ ⏱ { $time }
answer-removed-play-on = Այս պահին դուք չեք կարող գործել <b>{ $chat }</b> զրույցում։ Ձեր խաղն այնտեղ (սեղան <code>{ $table }</code>) սպասում է ձեզ, ձեր ժամացույցը կանգնեցված է։ Կարող եք շարունակել այստեղ։
refuse-pause-late = Դադարի համար արդեն ուշ է. այս հերթի ժամանակը սպառվել է։ Սպասեք քայլին և հետո նորից խնդրեք։
refuse-not-away = Դուք արդեն այստեղ եք. պարզապես խաղացեք։
refuse-nobody-to-nudge = Հիշեցնելու մարդ չկա. հիմա ուրիշ խաղացողի հերթը չէ։ Սպասեք, մինչև մրցակցի հերթը լինի։
refuse-nudge-live = Այս սեղանին արագ ժամացույց է, ուստի հիշեցնել չի կարելի։ Սպասեք քայլին կամ ժամանակի ավարտին։
refuse-nudged = Մեկ ժամից քիչ առաջ արդեն հիշեցվել է։ Փորձեք { $minutes } րոպեից։
refuse-paused-already = Ժամացույցներն արդեն կանգնած են։ Շարունակելու համար՝ /resume
refuse-pause-long = Դադարը մեկ օրից ավելի է տևել, այն երկարացնել չի կարելի։ Առաջարկից մեկ օր անց յուրաքանչյուր խաղացող կարող է շարունակել խաղը՝ /resume
refuse-not-paused = Դադար չկա։ Խնդրելու համար՝ /pause
refuse-no-clock = Այս սեղանին խաղում են առանց ժամացույցի։ Ժամացույցն ընտրում են խաղից առաջ՝ /clock 3 րոպե

command-clock = որքան ժամանակ կա՝ /clock 3 րոպե
command-pause = առաջարկել դադար. ժամացույցները կկանգնեն
command-resume = առաջարկել շարունակել դադարից հետո
command-claim = վերցնել հաղթանակը, երբ մրցակցի ժամանակը սպառվել է
command-back = վերադարձա. նորից ինքս եմ խաղում
command-nudge = հիշեցնել նրան, ում հերթն է
argument-clock = ժամացույց

# Vacations. $day is a day (day-month) or what the platform makes of it.
day-month =
    { $month ->
        [1] հունվարի { $day }
        [2] փետրվարի { $day }
        [3] մարտի { $day }
        [4] ապրիլի { $day }
        [5] մայիսի { $day }
        [6] հունիսի { $day }
        [7] հուլիսի { $day }
        [8] օգոստոսի { $day }
        [9] սեպտեմբերի { $day }
        [10] հոկտեմբերի { $day }
        [11] նոյեմբերի { $day }
       *[12] դեկտեմբերի { $day }
    }
day-time = { $day }, { $time } UTC
vacation-line = 🏖 { $name } չկա մինչև { $day }։
vacation-days = { $count } օր
setting-vacation = 🏖 Արձակուրդ
setting-vacation-about = Քանի՞ օր չեք լինի։ Դանդաղ խաղերում ձեր ժամացույցն այդ ընթացքում կանգնած է, մյուսները տեսնում են՝ մինչև երբ չկաք, և ես ձեզ չեմ հիշեցնում։ Արձակուրդն ավարտվում է ինքն իրեն կամ հենց որ քայլ եք անում այդպիսի խաղում։ Տարեկան { $most } օրից մնացել է { $left }։
value-vacation-off = այստեղ եմ
value-vacation-until = մինչև { $day }
answer-vacation = 🏖 Դուք չկաք մինչև { $day }։ Ավելի շուտ վերադառնալիս՝ /vacation off
answer-vacation-none = 🏖 Դուք այստեղ եք. հիմա արձակուրդ չկա։
refuse-vacation-days = Դա չափից երկար է։ Տարեկան { $most } օր արձակուրդից մնացել է { $left }։ Ընտրեք ավելի քիչ՝ /vacation 2
refuse-vacation-range = Արձակուրդը տևում է 1-ից { $most } օր։ Օրինակ՝ /vacation 7 կամ /vacation 2 շաբաթ։
refuse-nudge-vacation = { $name } չկա մինչև { $day }, և ժամացույցը կանգնած է։ Սպասեք մինչ այդ։
command-vacation = մի քանի օր չլինել. դանդաղ ժամացույցը կանգնում է
argument-days = օր
