# Часы, отсутствующие, напоминания.

clock-free = без часов
clock-seconds =
    { $count ->
        [one] { $count } секунда на ход
        [few] { $count } секунды на ход
       *[other] { $count } секунд на ход
    }
clock-minutes =
    { $count ->
        [one] { $count } минута на ход
        [few] { $count } минуты на ход
       *[other] { $count } минут на ход
    }
clock-hours =
    { $count ->
        [one] { $count } час на ход
        [few] { $count } часа на ход
       *[other] { $count } часов на ход
    }
clock-days =
    { $count ->
        [one] { $count } день на ход
        [few] { $count } дня на ход
       *[other] { $count } дней на ход
    }
clock-game = { $minutes } мин + { $seconds } с
lobby-clock = ⏱ Часы: { $clock }.
button-clock = ⏱ { $clock }
button-clock-chosen = ✓ { $clock }
button-helper = 🤖 За отсутствующего: { $level }
answer-clocks = ⏱ Сколько времени у каждого за столом <code>{ $table }</code>? Выбор останется и для следующих столов этого чата.
answer-clocks-two = Если у кого-то вышло время, тот, кто ждёт, может взять победу или отменить партию.
answer-clocks-more = Если у кого-то вышло время, этот ход делает компьютер. После трёх пропущенных ходов подряд он играет за него, пока тот не вернётся.

away-seconds = { $seconds } с
away-minutes = { $minutes } мин
away-hours = { $hours } ч { $minutes } мин
away-days = { $days } дн. { $hours } ч

clock-line = ⏱ { $clocks }
clock-running = { $name }: { $time }
clock-standing = { $name }: { $left }
clock-paused = ⏸ Пауза: часы стоят.
absent-late = ⏱ Время вышло: { $name }. Кто ждёт, может взять победу, отменить партию или просто ещё подождать.
absent-left = 🚪 Больше не с нами: { $name }. Кто ждёт, может взять победу или отменить партию.
absent-removed = 🚪 Удалён из чата: { $name }. Кто ждёт, может взять победу или отменить партию.
absent-leaving = 🚪 Больше не с нами: { $name }. Если не вернётся, можно будет взять победу: ⏱ { $time }
absent-leaving-more = 🚪 Больше не с нами: { $name }. Если не вернётся, сыграет компьютер: ⏱ { $time }
absent-turn = 🤖 Ход не был сделан вовремя ({ $name }), поэтому за него сыграл компьютер.
absent-away = 🤖 Компьютер играет за отсутствующих ({ $names }), пока они не вернутся или кто-нибудь не сядет вместо них.
absent-nobody = 💤 Сейчас никого нет: партия подождёт, пока кто-нибудь вернётся.
button-claim = 🏆 Взять победу
button-back = 👋 Я снова здесь
button-sit-in = 🪑 Сесть вместо
button-pause = ⏸ Пауза
button-resume = ▶ Продолжить
button-nudge = 🔔 Поторопить
offer-pause = ⏸ { $name } просит паузу.
offer-resume = ▶ { $name } предлагает продолжить.
offer-call-off = ✖ { $name } предлагает отменить партию. Если все согласны, никто не проиграл.
call-pause = { $name }, предложена пауза: вы согласны (стол <code>{ $table }</code>)?
call-resume = { $name }, продолжаем игру (стол <code>{ $table }</code>)?
call-off = { $name }, отменить партию, чтобы никто не проиграл (стол <code>{ $table }</code>)?
call-claim = { $name }, у соперника ({ $late }) вышло время: можно взять победу, отменить партию или подождать (стол <code>{ $table }</code>).
call-claim-left = { $name }, соперник ({ $late }) ушёл: можно взять победу, отменить партию или подождать (стол <code>{ $table }</code>).
call-turn-until = { $name }, ваш ход (стол <code>{ $table }</code>). ⏱ { $time }
call-nudge = { $name }, вас ждут за столом: ваш ход (стол <code>{ $table }</code>).
over-late = ⏱ Время вышло: { $name }. Победа: <b>{ $winner }</b>.
over-left = 🚪 Больше не с нами: { $name }. Победа: <b>{ $winner }</b>.
over-removed = 🚪 Удалён из чата: { $name }. Победа: <b>{ $winner }</b>.
answer-rematch-anew = Здесь уже не все, поэтому остальные приглашены: стол <code>{ $table }</code> начнёт игру, когда они согласятся.
closed-absent = Партия отменена: { $name } уже не играет. Никто не проиграл.

done-returned = с возвращением
done-nudged = напоминание отправлено
done-paused = часы стоят
done-resumed = часы пошли

refuse-no-claim = Брать нечего: ни у кого время не вышло.
refuse-claim-own = Время вышло у вас. Ходить ещё можно, пока никто не взял победу.
refuse-claim-soon = Игрок ушёл ({ $name }), но ещё может вернуться. Взять победу можно через { $minutes } мин.
refuse-pause-late = Приостанавливать нечего: время этого хода вышло. Хода можно просто подождать.
refuse-not-away = Вы и так здесь: просто играйте дальше.
refuse-nobody-to-nudge = Торопить некого: сейчас не ход другого игрока.
refuse-nudge-live = За этим столом есть часы: они напоминают сами.
refuse-nudged =
    { $minutes ->
        [one] Напоминание было меньше часа назад. Попробуйте через { $minutes } минуту.
        [few] Напоминание было меньше часа назад. Попробуйте через { $minutes } минуты.
       *[other] Напоминание было меньше часа назад. Попробуйте через { $minutes } минут.
    }
refuse-paused-already = Часы уже стоят. Продолжить: /resume
refuse-not-paused = Паузы нет. Попросить её: /pause
refuse-no-clock = За этим столом играют без часов.

command-clock = сколько времени на игру: /clock 3 мин
command-pause = предложить паузу: часы остановятся
command-resume = предложить продолжить после паузы
command-claim = взять победу, когда у соперника вышло время
command-return = я вернулся: снова играть самому
command-nudge = поторопить того, чей ход
argument-clock = часы

# Vacations. $day is a day (day-month) or what the platform makes of it.
day-month =
    { $month ->
        [1] { $day } января
        [2] { $day } февраля
        [3] { $day } марта
        [4] { $day } апреля
        [5] { $day } мая
        [6] { $day } июня
        [7] { $day } июля
        [8] { $day } августа
        [9] { $day } сентября
        [10] { $day } октября
        [11] { $day } ноября
       *[12] { $day } декабря
    }
day-time = { $day }, { $time } UTC
vacation-line = 🏖 { $name } в отъезде до { $day }.
vacation-days =
    { $count ->
        [one] { $count } день
        [few] { $count } дня
       *[many] { $count } дней
    }
setting-vacation = 🏖 Отпуск
setting-vacation-about = Сколько дней вас не будет? В медленных играх ваши часы в это время стоят, остальные видят, до какого дня вас нет, и я вас не зову. Отпуск кончается сам или как только вы сыграете в такой игре. Осталось дней за год: { $left } из { $most }.
value-vacation-off = я здесь
value-vacation-until = до { $day }
answer-vacation = 🏖 Вас нет до { $day }. Вернулись раньше: /vacation off
answer-vacation-none = 🏖 Вы здесь: сейчас отпуска нет.
refuse-vacation-days = Это слишком долго: дней отпуска за год осталось { $left } из { $most }.
refuse-nudge-vacation = { $name } в отъезде до { $day }, это известно заранее. Часы пока стоят.
command-vacation = уехать на несколько дней: медленные часы стоят
argument-days = дней
