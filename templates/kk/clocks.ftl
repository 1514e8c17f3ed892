# Сағат, келмегендер, еске салу.

clock-free = сағатсыз
clock-seconds = жүріске { $count } секунд
clock-minutes = жүріске { $count } минут
clock-hours = жүріске { $count } сағат
clock-days = жүріске { $count } күн
clock-game = { $minutes } мин + { $seconds } с
lobby-clock = ⏱ Уақыт: { $clock }.
button-clock = ⏱ { $clock }
button-clock-chosen = ✓ { $clock }
button-helper = 🤖 Келмегеннің орнына: { $level }
answer-clocks = ⏱ <code>{ $table }</code> үстелінде әркімге қанша уақыт берілсін? Таңдау осы чаттың келесі үстелдеріне де қалады.
answer-clocks-two = Біреудің уақыты бітсе, күткен адам жеңісті ала алады немесе ойынды тоқтата алады.
answer-clocks-more = Біреудің уақыты бітсе, сол кезекті компьютер ойнайды. Қатарынан үш кезек кешіксе, ол оралғанша орнында компьютер ойнайды.

away-seconds = { $seconds } с
away-minutes = { $minutes } мин
away-hours = { $hours } сағ { $minutes } мин
away-days = { $days } күн { $hours } сағ

clock-line = ⏱ { $clocks }
clock-running = { $name }: { $time }
clock-standing = { $name }: { $left }
clock-paused = ⏸ Үзіліс: сағат тоқтап тұр.
absent-late = ⏱ { CASE($name, "genitive") } уақыты бітті. Күткен адам жеңісті ала алады, ойынды тоқтата алады немесе тағы біраз күте алады.
absent-left = 🚪 { $name } кетіп қалды. Күткен адам жеңісті ала алады немесе ойынды тоқтата алады.
absent-removed = 🚪 { $name } чаттан шығарылды, оның сағаты тоқтатылды. Оралмаса, ойынды нәтижесіз тоқтатуға болады: ⏱ { $time }
absent-cut-off = 📡 { $name } үстелді көре алмайды: бот оның чатында жұмыс істемейді. Оның сағаты тоқтатылды. Ештеңе өзгермесе, ойынды нәтижесіз тоқтатуға болады: ⏱ { $time }
absent-leaving = 🚪 { $name } кетіп қалды. Оралмаса, жеңісті алуға болады: ⏱ { $time }
absent-leaving-more = 🚪 { $name } кетіп қалды. Оралмаса, орнына компьютер ойнайды: ⏱ { $time }
absent-turn = 🤖 { $name } үлгермеді, сондықтан кезекті компьютер ойнады.
absent-away = 🤖 { CASE($names, "genitive") } орнына әзірге компьютер ойнайды: ойыншы оралғанша немесе басқа біреу ойнай бастағанша.
absent-nobody = 💤 Қазір ешкім жоқ: біреу оралғанша ойын күте тұрады.
button-claim = 🏆 Жеңісті алу
button-back = 👋 Мен оралдым
button-sit-in = 🪑 Орнына ойнау
button-pause = ⏸ Үзіліс
button-resume = ▶ Жалғастыру
button-nudge = 🔔 Еске салу
offer-pause = ⏸ { $name } үзіліс сұрайды.
offer-resume = ▶ { $name } жалғастырайық дейді.
offer-abort = ✖ { $name } ойынды тоқтатқысы келеді. Бәрі келіссе, ешкім ұтылмайды.
call-pause = { $name }, үзіліс ұсынылды: келісесіз бе (<code>{ $table }</code> үстелі)?
call-resume = { $name }, ойынды жалғастырамыз ба (<code>{ $table }</code> үстелі)?
call-off = { $name }, ешкім ұтылмай, ойын тоқтатылсын ба (<code>{ $table }</code> үстелі)?
call-claim = { $name }, { CASE($late, "genitive") } уақыты бітті: жеңісті ала аласыз, ойынды тоқтата аласыз немесе күте аласыз (<code>{ $table }</code> үстелі).
call-claim-left = { $name }, { $late } кетіп қалды: жеңісті ала аласыз, ойынды тоқтата аласыз немесе күте аласыз (<code>{ $table }</code> үстелі).
call-turn-until = { $name }, сіздің кезегіңіз (<code>{ $table }</code> үстелі). ⏱ { $time }
call-nudge = { $name }, сізді күтіп отыр: кезек сізде (<code>{ $table }</code> үстелі).
over-late = ⏱ { CASE($name, "genitive") } уақыты бітті. Жеңімпаз: <b>{ $winner }</b>.
over-silent = ⏱ { $name } бұл ойынға оралмады, сондықтан ол ұтылды.
over-left = 🚪 { $name } кетіп қалды. Жеңімпаз: <b>{ $winner }</b>.
over-removed = 🚪 { $name } чаттан шығарылды. Жеңімпаз: <b>{ $winner }</b>.
answer-rematch-invites = Қазір бәрі осында емес, сондықтан басқалары шақырылды: олар келіскенде <code>{ $table }</code> үстелі басталады.
closed-absent = { $name } келмегендіктен ойын тоқтатылды. Ешкім ұтылған жоқ.

done-returned = қайта қош келдіңіз
done-nudged = еске салынды
done-paused = сағат тоқтады
done-resumed = сағат жүріп кетті

refuse-no-claim = Алатын жеңіс жоқ: ешкімнің уақыты біткен жоқ. Қарсыластың уақыты біткенше күтіңіз.
refuse-claim-own = Уақыты біткен сіз. Жеңісті ешкім алмай тұрғанда әлі жүре аласыз.
refuse-claim-soon = { $name } кетіп қалды, бірақ әлі оралуы мүмкін. Жеңісті { $minutes } минуттан кейін ала аласыз.
refuse-claim-cut-off = { $name } өз еркімен кетпеді, сондықтан жеңісті алуға болмайды. Оның сағаты тоқтатылды. Оралмаса, ойынды нәтижесіз тоқтата аласыз: ⏱ { $time }
answer-confirm-abort-claim = Жеңісті ала аласыз: /claim. Оның орнына ойынды нәтижесіз тоқтату үшін бір минут ішінде соны қайталаңыз.
refuse-abort-cut-off = { $name } қазір үстелді көре алмайды, бірақ оралуы мүмкін. Оралмаса, ойынды нәтижесіз тоқтата аласыз: ⏱ { $time }
answer-removed-play-on = Қазір сіз <b>{ $chat }</b> чатында әрекет ете алмайсыз. Ондағы ойыныңыз (<code>{ $table }</code> үстелі) сізді күтеді, сағатыңыз тоқтатылды. Осы жерде жалғастыра аласыз.
refuse-pause-late = Үзіліске кеш: бұл кезектің уақыты бітті. Жүріс жасалғанша күтіп, қайта сұраңыз.
refuse-not-away = Сіз онсыз да осындасыз: ойнай беріңіз.
refuse-nobody-to-nudge = Еске салатын ешкім жоқ: қазір басқа ойыншының кезегі емес. Қарсыластың кезегі келгенше күтіңіз.
refuse-nudge-live = Бұл үстелде жылдам сағат бар, сондықтан еске салуға болмайды. Жүріс жасалғанша немесе уақыт біткенше күтіңіз.
refuse-nudged = Бір сағат өтпей еске салынған. { $minutes } минуттан кейін қайталап көріңіз.
refuse-paused-already = Сағат тоқтап тұр. Жалғастыру: /resume
refuse-pause-long = Үзіліс бір тәуліктен асты, оны ұзартуға болмайды. Ұсыныстан бір тәулік өткен соң кез келген ойыншы ойынды жалғастыра алады: /resume
refuse-not-paused = Ойын тоқтап тұрған жоқ. Үзіліс сұрау: /pause
refuse-no-clock = Бұл үстелде сағатсыз ойнайды. Уақыт ойын алдында таңдалады: /clock 3 мин

command-clock = қанша уақыт берілген: /clock 3 мин
command-pause = үзіліс ұсыну: сағат тоқтайды
command-resume = үзілістен кейін жалғастыруды ұсыну
command-claim = қарсыластың уақыты бітсе, жеңісті алу
command-back = мен оралдым: қайтадан өзім ойнаймын
command-nudge = кезектегі ойыншыға еске салу
argument-clock = уақыт

# Vacations. $day is a day (day-month) or what the platform makes of it.
day-month =
    { $month ->
        [1] { $day } қаңтар
        [2] { $day } ақпан
        [3] { $day } наурыз
        [4] { $day } сәуір
        [5] { $day } мамыр
        [6] { $day } маусым
        [7] { $day } шілде
        [8] { $day } тамыз
        [9] { $day } қыркүйек
        [10] { $day } қазан
        [11] { $day } қараша
       *[12] { $day } желтоқсан
    }
day-time = { $day }, { $time } UTC
vacation-line = 🏖 { $name } жоқ, қайтатын күні: { $day }.
vacation-days = { $count } күн
setting-vacation = 🏖 Демалыс
setting-vacation-about = Қанша күн болмайсыз? Баяу ойындарда сағатыңыз бұл кезде тоқтап тұрады, қалғандар қашан қайтатыныңызды көреді, мен сізді шақырмаймын. Демалыс өзі бітеді немесе сондай ойында жүрген бойда аяқталады. Жылына { $most } күннен қалғаны: { $left }.
value-vacation-off = осындамын
value-vacation-until = қайту: { $day }
answer-vacation = 🏖 Сіз демалыстасыз, қайтатын күніңіз: { $day }. Ертерек қайтсаңыз: /vacation off
answer-vacation-none = 🏖 Сіз осындасыз: қазір демалыс жоқ.
refuse-vacation-days = Бұл тым ұзақ: жылына { $most } күн демалыстан { $left } күн қалды. Азырақ таңдаңыз: /vacation 2
refuse-vacation-range = Демалыс 1 күннен { $most } күнге дейін созылады. Мысалы: /vacation 7 немесе /vacation 2 апта.
refuse-nudge-vacation = { $name } жоқ, қайтатын күні: { $day }. Сағат тоқтап тұр. Сол күнге дейін күтіңіз.
command-vacation = бірнеше күнге кету: баяу сағат тоқтап тұрады
argument-days = күн
