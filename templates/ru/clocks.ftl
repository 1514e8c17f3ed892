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
answer-clocks = ⏱ Сколько времени у каждого за столом <code>{ $table }</code>? Так же будет за следующими столами этого чата.
answer-clocks-two = Если у кого-то выйдет время, соперник сможет засчитать победу или отменить партию.
answer-clocks-more = Если у кого-то выйдет время, этот ход сделает компьютер. После трёх таких ходов подряд компьютер играет за игрока, пока тот не вернётся.

away-seconds = { $seconds } с
away-minutes = { $minutes } мин
away-hours = { $hours } ч { $minutes } мин
away-days = { $days } дн. { $hours } ч

clock-line = ⏱ { $clocks }
clock-running = { $name }: { $time }
clock-standing = { $name }: { $left }
clock-paused = ⏸ Пауза: часы остановлены.
absent-late = ⏱ У игрока { $name } вышло время. Можно засчитать победу, отменить партию или ещё подождать.
absent-left = 🚪 Игрок { $name } покинул игру. Можно засчитать победу или отменить партию.
absent-removed = 🚪 Игрок { $name } удалён из чата, его часы остановлены. Если не вернётся, партию можно будет отменить без результата: ⏱ { $time }
absent-cut-off = 📡 Игрок { $name } не видит стола: бот не работает в его чате. Его часы остановлены. Если ничего не изменится, партию можно будет отменить без результата: ⏱ { $time }
absent-leaving = 🚪 Игрок { $name } покинул игру. Если не вернётся, победу можно будет засчитать: ⏱ { $time }
absent-leaving-more = 🚪 Игрок { $name } покинул игру. Если не вернётся, за него сыграет компьютер: ⏱ { $time }
absent-turn = 🤖 У игрока { $name } вышло время, и этот ход сделал компьютер.
absent-away = 🤖 За отсутствующих ({ $names }) играет компьютер, пока они не вернутся или кто-то не выйдет на замену.
absent-nobody = 💤 Сейчас за столом никого. Партия подождёт.
button-claim = 🏆 Засчитать победу
button-back = 👋 Я снова здесь
button-sit-in = 🪑 Выйти на замену
button-pause = ⏸ Пауза
button-resume = ▶ Продолжить
button-nudge = 🔔 Напомнить
offer-pause = ⏸ { $name } просит паузу.
offer-resume = ▶ { $name } предлагает продолжить.
offer-abort = ✖ { $name } предлагает отменить партию. Если все согласны, никто не проиграет.
call-pause = { $name }, предложена пауза: вы согласны (стол <code>{ $table }</code>)?
call-resume = { $name }, продолжаем игру (стол <code>{ $table }</code>)?
call-off = { $name }, отменить партию, чтобы никто не проиграл (стол <code>{ $table }</code>)?
call-claim = { $name }, у игрока { $late } вышло время: можно засчитать победу, отменить партию или подождать (стол <code>{ $table }</code>).
call-claim-left = { $name }, игрок { $late } покинул игру: можно засчитать победу, отменить партию или подождать (стол <code>{ $table }</code>).
call-turn-until = { $name }, ваш ход (стол <code>{ $table }</code>). ⏱ { $time }
call-nudge = { $name }, вас ждут за столом: ваш ход (стол <code>{ $table }</code>).
over-late = ⏱ У игрока { $name } вышло время. Побеждает <b>{ $winner }</b>.
over-silent = ⏱ { $name } не возвращается в эту партию, поэтому она проиграна.
over-left = 🚪 Игрок { $name } покинул игру. Побеждает <b>{ $winner }</b>.
over-removed = 🚪 Игрок { $name } удалён из чата. Побеждает <b>{ $winner }</b>.
answer-rematch-invites = Здесь уже не все, поэтому остальные приглашены: партия за столом <code>{ $table }</code> начнётся, когда они согласятся.
closed-absent = Партия отменена: { $name } больше не играет. Никто не проиграл.

done-returned = с возвращением
done-nudged = напоминание отправлено
done-paused = часы остановлены
done-resumed = часы идут

refuse-no-claim = Засчитать нечего: время ни у кого не вышло. Подождите, пока оно выйдет у соперника.
refuse-claim-own = Время вышло у вас. Ходите скорее, пока никто не засчитал победу.
refuse-claim-soon = Игрок { $name } покинул игру, но ещё может вернуться. Засчитать победу можно через { $minutes } мин.
refuse-claim-cut-off = Игрок { $name } ушёл не по своей воле, поэтому победу засчитать нельзя. Его часы остановлены. Если не вернётся, вы сможете отменить партию без результата: ⏱ { $time }
answer-confirm-abort-claim = Можно засчитать победу: /claim. Чтобы вместо этого отменить партию без результата, повторите это в течение минуты.
refuse-abort-cut-off = Игрок { $name } сейчас не видит стола и может вернуться. Если не вернётся, вы сможете отменить партию без результата: ⏱ { $time }
answer-removed-play-on = Сейчас вы не можете действовать в чате <b>{ $chat }</b>. Ваша партия там (стол <code>{ $table }</code>) ждёт вас, ваши часы остановлены. Продолжить можно здесь.
refuse-pause-late = Ставить на паузу поздно: время этого хода вышло. Дождитесь хода и попросите снова.
refuse-not-away = Вы и так за столом: просто играйте дальше.
refuse-nobody-to-nudge = Напоминать некому: сейчас не ход другого игрока. Дождитесь хода соперника.
refuse-nudge-live = За этим столом быстрые часы, поэтому напомнить нельзя. Дождитесь хода или конца времени.
refuse-nudged =
    { $minutes ->
        [one] Меньше часа назад уже напоминали. Попробуйте через { $minutes } минуту.
        [few] Меньше часа назад уже напоминали. Попробуйте через { $minutes } минуты.
       *[other] Меньше часа назад уже напоминали. Попробуйте через { $minutes } минут.
    }
refuse-paused-already = Часы уже остановлены. Продолжить: /resume
refuse-pause-long = Пауза длится больше дня, продлить её нельзя. Через день после предложения любой игрок может продолжить игру: /resume
refuse-not-paused = Паузы сейчас нет. Попросить: /pause
refuse-no-clock = За этим столом играют без часов. Выбрать часы можно до начала игры: /clock 3 мин

command-clock = сколько времени на ход или на партию: /clock 3 мин
command-pause = предложить паузу: часы остановятся
command-resume = предложить продолжить после паузы
command-claim = засчитать победу, когда у соперника вышло время
command-back = вернуться и снова ходить вместо компьютера
command-nudge = напомнить тому, чей ход
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
vacation-line = 🏖 { $name }: отпуск до { $day }.
vacation-days =
    { $count ->
        [one] { $count } день
        [few] { $count } дня
       *[many] { $count } дней
    }
setting-vacation = 🏖 Отпуск
setting-vacation-about = Сколько дней вас не будет? В медленных партиях ваши часы остановятся, остальные увидят, когда вы вернётесь, а я не буду напоминать. Отпуск кончится сам или когда вы сделаете ход в такой партии. Осталось дней за год: { $left } из { $most }.
value-vacation-off = я здесь
value-vacation-until = до { $day }
answer-vacation = 🏖 Отпуск до { $day }. Вернуться раньше: /vacation off
answer-vacation-none = 🏖 Вы не в отпуске. Уехать на неделю: /vacation 7
refuse-vacation-days = Столько нельзя: дней отпуска за год осталось { $left } из { $most }. Возьмите меньше: /vacation 2
refuse-vacation-range = Отпуск длится от 1 до { $most } дней. Например: /vacation 7 или /vacation 2 недели.
refuse-nudge-vacation = У игрока { $name } отпуск до { $day }, часы стоят. Подождите до этого дня.
command-vacation = уйти в отпуск на несколько дней: медленные часы остановятся
argument-days = дней
