# Саат, келбегендер, эскертүү.

clock-free = саатсыз
clock-seconds = жүрүшкө { $count } секунд
clock-minutes = жүрүшкө { $count } мүнөт
clock-hours = жүрүшкө { $count } саат
clock-days = жүрүшкө { $count } күн
clock-game = { $minutes } мүн + { $seconds } с
lobby-clock = ⏱ Убакыт: { $clock }.
button-clock = ⏱ { $clock }
button-clock-chosen = ✓ { $clock }
button-helper = 🤖 Келбегендин ордуна: { $level }
answer-clocks = ⏱ <code>{ $table }</code> үстөлүндө ар кимге канча убакыт берилсин? Тандоо ушул чаттын кийинки үстөлдөрүнө да калат.
answer-clocks-two = Кимдир бирөөнүн убактысы бүтсө, күткөн киши жеңишти ала алат же оюнду токтото алат.
answer-clocks-more = Кимдир бирөөнүн убактысы бүтсө, ошол кезекти компьютер ойнойт. Катары менен үч кезек кечиксе, ал кайтып келгенче ордунда компьютер ойнойт.

away-seconds = { $seconds } с
away-minutes = { $minutes } мүн
away-hours = { $hours } саат { $minutes } мүн
away-days = { $days } күн { $hours } саат

clock-line = ⏱ { $clocks }
clock-running = { $name }: { $time }
clock-standing = { $name }: { $left }
clock-paused = ⏸ Тыныгуу: саат токтоп турат.
absent-late = ⏱ { CASE($name, "genitive") } убактысы бүттү. Күткөн киши жеңишти ала алат, оюнду токтото алат же дагы бир аз күтө алат.
absent-left = 🚪 { $name } кетип калды. Күткөн киши жеңишти ала алат же оюнду токтото алат.
absent-removed = 🚪 { $name } чаттан чыгарылды, анын сааты токтотулду. Кайтып келбесе, оюнду жыйынтыксыз токтотууга болот: ⏱ { $time }
absent-cut-off = 📡 { $name } үстөлдү көрө албайт: бот анын чатында иштебейт. Анын сааты токтотулду. Эч нерсе өзгөрбөсө, оюнду жыйынтыксыз токтотууга болот: ⏱ { $time }
absent-leaving = 🚪 { $name } кетип калды. Кайтып келбесе, жеңишти алууга болот: ⏱ { $time }
absent-leaving-more = 🚪 { $name } кетип калды. Кайтып келбесе, ордуна компьютер ойнойт: ⏱ { $time }
absent-turn = 🤖 { $name } үлгүргөн жок, ошондуктан кезекти компьютер ойноду.
absent-away = 🤖 { CASE($names, "genitive") } ордуна азырынча компьютер ойнойт: оюнчу кайтып келгенче же башка бирөө ойной баштаганча.
absent-nobody = 💤 Азыр эч ким жок: бирөө кайтып келгенче оюн күтүп турат.
button-claim = 🏆 Жеңишти алуу
button-back = 👋 Мен кайтып келдим
button-sit-in = 🪑 Ордуна ойноо
button-pause = ⏸ Тыныгуу
button-resume = ▶ Улантуу
button-nudge = 🔔 Эскертүү
offer-pause = ⏸ { $name } тыныгуу сурайт.
offer-resume = ▶ { $name } уланталы дейт.
offer-abort = ✖ { $name } оюнду токтоткусу келет. Баары макул болсо, эч ким утулбайт.
call-pause = { $name }, тыныгуу сунушталды: макулсузбу (<code>{ $table }</code> үстөлү)?
call-resume = { $name }, оюнду улантабызбы (<code>{ $table }</code> үстөлү)?
call-off = { $name }, эч ким утулбай, оюн токтотулсунбу (<code>{ $table }</code> үстөлү)?
call-claim = { $name }, { CASE($late, "genitive") } убактысы бүттү: жеңишти ала аласыз, оюнду токтото аласыз же күтө аласыз (<code>{ $table }</code> үстөлү).
call-claim-left = { $name }, { $late } кетип калды: жеңишти ала аласыз, оюнду токтото аласыз же күтө аласыз (<code>{ $table }</code> үстөлү).
call-turn-until = { $name }, кезек сизде (<code>{ $table }</code> үстөлү). ⏱ { $time }
call-nudge = { $name }, сизди күтүп жатышат: кезек сизде (<code>{ $table }</code> үстөлү).
over-late = ⏱ { CASE($name, "genitive") } убактысы бүттү. Жеңүүчү: <b>{ $winner }</b>.
over-silent = ⏱ { $name } бул оюнга кайтпады, ошондуктан ал утулду.
over-left = 🚪 { $name } кетип калды. Жеңүүчү: <b>{ $winner }</b>.
over-removed = 🚪 { $name } чаттан чыгарылды. Жеңүүчү: <b>{ $winner }</b>.
answer-rematch-invites = Азыр баары бул жерде эмес, ошондуктан калгандары чакырылды: алар макул болгондо <code>{ $table }</code> үстөлү башталат.
closed-absent = { $name } келбегендиктен оюн токтотулду. Эч ким утулган жок.

done-returned = кайра кош келиңиз
done-nudged = эскертилди
done-paused = саат токтоду
done-resumed = саат жүрүп кетти

refuse-no-claim = Ала турган жеңиш жок: эч кимдин убактысы бүткөн эмес. Каршылаштын убактысы бүткөнчө күтүңүз.
refuse-claim-own = Убактысы бүткөн сизсиз. Жеңишти эч ким албай турганда дагы эле жүрө аласыз.
refuse-claim-soon = { $name } кетип калды, бирок дагы кайтып келиши мүмкүн. Жеңишти { $minutes } мүнөттөн кийин ала аласыз.
refuse-claim-cut-off = { $name } өз эрки менен кеткен жок, ошондуктан жеңишти алууга болбойт. Анын сааты токтотулду. Кайтып келбесе, оюнду жыйынтыксыз токтото аласыз: ⏱ { $time }
refuse-abort-cut-off = { $name } азыр үстөлдү көрө албайт, бирок кайтып келиши мүмкүн. Кайтып келбесе, оюнду жыйынтыксыз токтото аласыз: ⏱ { $time }
answer-removed-play-on = Азыр сиз <b>{ $chat }</b> чатында аракет кыла албайсыз. Андагы оюнуңуз (<code>{ $table }</code> үстөлү) сизди күтөт, саатыңыз токтотулду. Ушул жерде уланта аласыз.
refuse-pause-late = Тыныгууга кеч: бул кезектин убактысы бүттү. Жүрүш жасалганча күтүп, кайра сураңыз.
refuse-not-away = Сиз ансыз да ушул жердесиз: ойной бериңиз.
refuse-nobody-to-nudge = Эскерте турган эч ким жок: азыр башка оюнчунун кезеги эмес. Каршылаштын кезеги келгенче күтүңүз.
refuse-nudge-live = Бул үстөлдө тез саат бар, ошондуктан эскертүүгө болбойт. Жүрүш жасалганча же убакыт бүткөнчө күтүңүз.
refuse-nudged = Бир сааттан аз убакыт мурун эскертилген. { $minutes } мүнөттөн кийин кайра аракет кылыңыз.
refuse-paused-already = Саат токтоп турат. Улантуу: /resume
refuse-pause-long = Тыныгуу бир суткадан ашты, аны узартууга болбойт. Сунуштан бир сутка өткөндөн кийин ар бир оюнчу оюнду уланта алат: /resume
refuse-not-paused = Оюн токтоп турган жок. Тыныгуу суроо: /pause
refuse-no-clock = Бул үстөлдө саатсыз ойношот. Убакыт оюн алдында тандалат: /clock 3 мүн

command-clock = канча убакыт берилген: /clock 3 мүн
command-pause = тыныгуу сунуштоо: саат токтойт
command-resume = тыныгуудан кийин улантууну сунуштоо
command-claim = каршылаштын убактысы бүтсө, жеңишти алуу
command-back = мен кайтып келдим: кайра өзүм ойнойм
command-nudge = кезектеги оюнчуга эскертүү
argument-clock = убакыт

# Vacations. $day is a day (day-month) or what the platform makes of it.
day-month =
    { $month ->
        [1] { $day }-январь
        [2] { $day }-февраль
        [3] { $day }-март
        [4] { $day }-апрель
        [5] { $day }-май
        [6] { $day }-июнь
        [7] { $day }-июль
        [8] { $day }-август
        [9] { $day }-сентябрь
        [10] { $day }-октябрь
        [11] { $day }-ноябрь
       *[12] { $day }-декабрь
    }
day-time = { $day }, { $time } UTC
vacation-line = 🏖 { $name } жок, кайтып келе турган күнү: { $day }.
vacation-days = { $count } күн
setting-vacation = 🏖 Эс алуу
setting-vacation-about = Канча күн болбойсуз? Жай оюндарда саатыңыз бул учурда токтоп турат, калгандар качан кайтаарыңызды көрөт, мен сизди чакырбайм. Эс алуу өзү бүтөт же ушундай оюнда жүргөнүңүздө аяктайт. Жылына { $most } күндөн калганы: { $left }.
value-vacation-off = ушул жердемин
value-vacation-until = кайтуу: { $day }
answer-vacation = 🏖 Сиз эс алуудасыз, кайта турган күнүңүз: { $day }. Эртерээк кайтсаңыз: /vacation off
answer-vacation-none = 🏖 Сиз ушул жердесиз: азыр эс алуу жок.
refuse-vacation-days = Бул өтө узак: жылына { $most } күн эс алуудан { $left } күн калды. Азыраак тандаңыз: /vacation 2
refuse-vacation-range = Эс алуу 1 күндөн { $most } күнгө чейин созулат. Мисалы: /vacation 7 же /vacation 2 апта.
refuse-nudge-vacation = { $name } жок, кайта турган күнү: { $day }. Саат токтоп турат. Ошол күнгө чейин күтүңүз.
command-vacation = бир нече күнгө кетүү: жай саат токтоп турат
argument-days = күн
