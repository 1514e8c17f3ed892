# Names

begin-lot = по жребию
begin-me = за хозяином
begin-friend = за гостем

# Lobby

lobby-title = <b>{ $game }</b> · стол <code>{ $table }</code>
lobby-waiting = { $name } ждёт соперника.
lobby-challenge = { $friend }, { $name } вызывает вас на игру.
lobby-variant = Правила: { $variant }.
lobby-begin = Первый ход: { $begin }.
lobby-fair = Проверка честности, SHA-256: <code>{ $hash }</code>

# Results

over-won = 🏆 Побеждает <b>{ $winner }</b>, счёт { $score }.
over-draw = 🤝 Ничья, { $score }.
over-agreed = 🤝 Ничья по соглашению.
over-resigned = 🏳 { $name } сдаётся. Побеждает <b>{ $winner }</b>.
over-next = Следующая партия — за столом <code>{ $table }</code>.
closed-declined = { $name } отказывается от игры.
closed-aborted = Партия отменена. Никто не проиграл.
closed-cancelled = Стол закрыт.
closed-outdated = С начала партии правила игры изменились, поэтому доиграть её нельзя. Никто не проиграл, запись сохранена.

# Offers

offer-draw = 🤝 { $name } предлагает ничью.
offer-take-back = ↩ { $name } хочет вернуть свой последний ход.
offer-take-back-both = ↩ { $name } хочет вернуть свой последний ход вместе с ответом на него.
offer-declined = 🚫 { $name } отклоняет предложение.
offer-rematch = 🔁 { $name } хочет сыграть ещё раз.

# Calls to a person who does not look

call-turn = { $name }, ваш ход (стол <code>{ $table }</code>).
call-draw = { $name }, вам предлагают ничью (стол <code>{ $table }</code>).
call-take-back = { $name }, соперник хочет вернуть ход. Вы не против (стол <code>{ $table }</code>)?

# Lists

games-none = У вас нет открытых столов. Откройте стол в группе: /play
games-title = Ваши столы:
games-more =
    { $count ->
        [one] … и ещё { $count } стол.
        [few] … и ещё { $count } стола.
        [many] … и ещё { $count } столов.
       *[other] … и ещё { $count } стола.
    }
button-refresh = ↻ Обновить
list-lobby = <code>{ $table }</code> { $game }: ждём игроков
list-your-turn = 👉 <code>{ $table }</code> { $game } · { $with } · ход { $move }: <b>ваша очередь</b>
list-their-turn = <code>{ $table }</code> { $game } · { $with } · ход { $move }
list-linked = { $line } — { $link }
list-over = <code>{ $table }</code> { $game } · { $with }: партия окончена
list-and = { $first } и { $last }
which-table = Какой стол вы имеете в виду?
play-choose = Во что сыграем?

# Buttons

button-join = Присоединиться
button-accept = Принять
button-decline = Отклонить
button-withdraw = Отозвать
button-cancel = Закрыть стол
button-variant = Правила: { $variant }
button-begin = Первый ход: { $begin }
button-abort = Отменить партию
button-take-back = ↩ Вернуть
button-draw = 🤝 Ничья
button-resign = 🏳 Сдаться
button-resend = ⬇ Доску сюда
button-rematch = 🔁 Реванш
button-record = 📄 Запись
button-rules = 📖 Правила
button-play = ▶ Играть
button-next = Дальше ▸
button-previous = ◂ Назад
button-show = Показать ответ
button-for-chat = { $language } для чата

# Answers

answer-confirm-resign = Чтобы сдаться, нажмите «Сдаться» ещё раз в течение минуты.
answer-confirm-cancel = Чтобы закрыть стол для всех, нажмите «Закрыть стол» ещё раз в течение минуты.
answer-offered = Предложение отправлено. Ждём ответа.
answer-board-resent = Вот доска.
answer-record = Запись партии за столом { $table }. По исходному числу (seed) в ней каждый может проверить жребий.
answer-declined = Отклонено.
answer-saved-person = Теперь я говорю с вами по-русски.
answer-saved-chat = Теперь язык в этом чате — { $language }.
answer-young = 🌱 — новый перевод: носители языка его ещё не проверили.
answer-no-private = Ответ для вас: нажмите, чтобы прочитать.
answer-not-shown = Нажатие засчитано, но показать доску я здесь не могу: мне не разрешено { $rights }. Попросите администратора это разрешить.
answer-board-refused = Нажатие засчитано, но отправить сюда доску не удалось. Попробовать ещё раз: /board
answer-in-words = ✎ Словами, потому что здесь мне нельзя отправлять картинки. Попросите администратора дать право: { $right }.
answer-lacked-rights = Только что мне здесь не разрешалось { $rights }. Если доска не обновится, попросите администратора это разрешить.
answer-message-deleted = Сообщение с вашей игрой удалили. Игра продолжается здесь; её код — <code>{ $table }</code>.
right-write = отправлять сообщения
right-pictures = отправлять картинки
right-topics = писать в закрытых темах
right-post = публиковать в этом канале
answer-lacks-rights = Мне здесь не хватает прав: { $rights }. Попросите администратора их дать и попробуйте снова.

# Refusals

refuse-already-started = Игра уже началась.
refuse-join-started = Игра уже началась. Попросить место у игрока: /substitute @имя
refuse-table-over = Эта партия уже окончена. Открыть новый стол: /play
refuse-not-started = Игра ещё не началась: сначала должен присоединиться ещё один игрок.
refuse-not-your-table = Вы не играете за этим столом. Открыть свой: /play
refuse-opener-only = Это может сделать только тот, кто открыл стол: { $name }.
refuse-already-seated = Вы уже за этим столом. Теперь должен присоединиться кто-то ещё.
refuse-not-invited =
    { $count ->
        [one] Сюда приглашён другой игрок: { $name }. Открыть свой стол: /play
       *[other] Сюда приглашены другие игроки: { $name }. Открыть свой стол: /play
    }
refuse-nothing-offered = Отвечать не на что: предложений сейчас нет. Показать стол: /board
refuse-leave-in-play = Партия идёт. Можно сдаться (/resign) или попросить замену (/substitute).
refuse-own-place = Вы закончили, ваше место: { $place }. Больше ничего делать не нужно: партия завершится, когда закончат остальные.
refuse-seat-finished = Игрок здесь уже закончил, его место: { $place }. Заменять его не нужно. Посмотреть партию: /board
refuse-unknown-variant = Такого правила я не знаю. В ⚙ Настройках стола можно выбрать: { $rules }.
refuse-not-your-turn = Сейчас ходит { $name }.
refuse-what-move = Не понимаю ход «{ $typed }». Можно пойти так: { $legal }.
refuse-not-understood = Не понимаю этот ход. Нажмите кнопку под доской или напишите его, например: 7, 8♥, пас.
refuse-old-board =
    { $seen ->
        [0] На этой доске начало игры,
       *[other] На этой доске ход { $seen },
    } { $now ->
        [0] а сейчас снова начало. Пожалуйста, играйте на текущей доске.
       *[other] а сейчас ход { $now }. Пожалуйста, играйте на текущей доске.
    }
refuse-old-button = Эта кнопка устарела. Показать текущую доску: /board
refuse-undone-often = В этом ходу вы уже много раз отменяли действия. Играйте дальше: выберите одну из кнопок под доской.
refuse-changed-often = За этим столом слишком многое изменили с последнего хода. Играйте дальше или закройте стол и откройте новый.
refuse-too-late-to-abort = После второго хода партию уже не отменить. Можно сдаться (/resign) или предложить ничью (/draw).
refuse-abort-rated = Эта партия идёт на рейтинг, поэтому отменить её уже нельзя. Можно сдаться: /resign
refuse-abort-place = Один из игроков уже закончил, и его место засчитывается, поэтому отменить партию уже нельзя. Можно сдаться: /resign
refuse-not-abandoned =
    { $days ->
        [one] Это чужая партия. Отменить её можно, когда { $days } день никто не ходит и часы не идут.
        [few] Это чужая партия. Отменить её можно, когда { $days } дня никто не ходит и часы не идут.
       *[other] Это чужая партия. Отменить её можно, когда { $days } дней никто не ходит и часы не идут.
    }
refuse-already-offered = Вы это уже предложили. Дождитесь ответа.
refuse-offer-waits = Сначала дождитесь ответа на своё прежнее предложение.
refuse-answer-first = Сначала ответьте на предложение: нажмите «Принять» или «Отклонить» под доской. Показать её: /board
refuse-others-answer = Сначала на предложение должны ответить другие. Ждём ответа: { $names }. Показать доску: /board
refuse-turned-down = Это только что отклонили. Сделайте ход, потом можно предложить снова.
refuse-others-away = Для этого нужно согласие игроков, которых сейчас нет. Можно играть дальше.
refuse-opponents-away = Остальные игроки отсутствуют, поэтому согласиться некому.
refuse-nothing-to-take-back = Возвращать нечего: вы ещё не сделали ни одного хода.
refuse-not-over = Партия ещё не окончена. Это можно сделать после неё.
refuse-rematch-exists = Реванш уже идёт за столом { $table }.
refuse-own-offer = Это ваше предложение, ответить должны другие. Дождитесь ответа.
refuse-no-table-here = Здесь нет вашего открытого стола. Откройте новый: /play
refuse-unknown-table = Стола { $table } я не знаю. Ваши столы: /games
refuse-game-removed = Партии { $table } больше нет. Срок хранения партий в её чате: { $time }. Результат по-прежнему учитывается.
refuse-game-deleted = Партии { $table } больше нет: данные её чата удалены. Результат по-прежнему учитывается.
refuse-no-record = Запись можно получить после окончания партии.
refuse-unknown-command = Не знаю команды /{ $name }. Все команды: /help
refuse-unknown-command-near = Не знаю команды /{ $name }. Может быть, /{ $near }?
refuse-not-your-answer = Это не для вас. Ваш стол: /board
refuse-answer-gone = Этого ответа уже нет. Спросите ещё раз.
refuse-external-apps = Другие на этом сервере не увидят доску. Играйте со мной в личном чате или попросите администратора добавить меня на сервер либо разрешить здесь «Использовать внешние приложения».
refuse-thread-locked = Эта ветка закрыта, и другие игроки не могут здесь ходить. Игра ждёт: откройте ветку, чтобы играть дальше.
refuse-reply-unreadable = Discord не показывает мне ответы с выключенным упоминанием («@ ВЫКЛ»). Включите его или используйте /move.
refuse-anonymous = Не вижу, кто вы. Пожалуйста, пишите от своего имени, а не от имени группы или канала.
refuse-bot = Боты играть не могут.
refuse-friend-bot = { $name } — бот, а боты играть не могут.
refuse-friend-self = Себя вызвать нельзя. Откройте стол без имени и ждите любого соперника.
refuse-too-many-friends = { $count ->
        [one] За этот стол можно позвать одного друга.
       *[other] За этот стол можно позвать не больше { $count } друзей.
    }
refuse-too-many-tables-here = Здесь слишком много открытых столов ({ $count }). Сначала доиграйте за одним из них. Забытую партию может отменить администратор: /cancel и код стола.
refuse-too-many-own-here = Вы уже открыли или показали здесь столов: { $count }. Сначала доиграйте за одним из них или уберите его отсюда (/stop): место нужно и другим.
refuse-too-many-own-of = Столов, которые здесь открыты или показаны игроком { $name }, уже { $count }, больше нельзя. Попробуйте ещё раз, когда один из них закроется.
refuse-too-many-tables = Открытых столов у вас уже { $count }, больше нельзя. Сначала доиграйте за одним из них: /games
refuse-too-many-tables-of = Открытых столов у { $name } уже { $count }, больше нельзя. Попробуйте ещё раз, когда один из них закроется.
refuse-private-invite = Друг не видит наш личный чат. Позовите его по ссылке (/play) или играйте в общей группе.
refuse-language = На этом языке я пока не говорю. Мои языки: { $languages }.
refuse-admin-only = Для всего чата это выбирают только администраторы. Для себя: /settings
refuse-chatter = Здесь я понимаю только команды и ходы. Помощь: /help
refuse-table-damaged = С этим столом что-то случилось, играть за ним нельзя. Владелец бота уже знает. Простите! Новый стол: /play
refuse-restarting = Я перезапускаюсь. Если через минуту ничего не произойдёт, попробуйте ещё раз.
refuse-trouble = У меня что-то пошло не так. Попробуйте ещё раз чуть позже.
refuse-unsaved = Сейчас ничего не сохраняется, поэтому это не засчитано. Попробуйте ещё раз чуть позже.
refuse-too-fast = Я не успеваю за вами. Подождите несколько секунд и попробуйте снова.
refuse-no-private-board = У вас нет партии с другими людьми, которую можно показать в нашем личном чате. Открыть стол: /play
refuse-board-moved = Доску только что перенесли вниз. Подождите минуту.
refuse-busy = Слишком много запросов сразу. Попробуйте ещё раз чуть позже.

# Help

help-title = <b>Caravanserai</b>: старинные игры в вашем чате.
help-move = Ваш ход? Нажмите кнопку или ответьте ходом на сообщение с доской.
help-computers = Против компьютера: /togyz компьютер, а с уровнем — /togyz сильный. Уровни: { $levels }.
help-inline = Играйте и в чатах, где меня нет: наберите { $name } и выберите игру или сразу { $name } blot computer.
help-commands = <b>Команды</b> ({ $page })
help-line = { $name } — { $about }

command-play = выбрать игру
command-move = сделать ход
command-board = показать доску внизу чата
command-games = ваши столы
command-draw = предложить ничью или согласиться на неё
command-takeback = попросить вернуть последний ход
command-resign = сдаться
command-abort = отменить партию: до второго хода одному; потом, если в игре нет ничьих, с согласия всех
command-leave = выйти из-за стола до начала игры
command-rematch = сыграть ещё раз, поменявшись сторонами
command-record = запись последней партии
command-text = доска словами
command-learn = правила в картинках: /learn blot
command-language = выбрать язык
command-help = что я умею
command-start = открыть приветствие бота
command-join = сесть за стол, принять вызов
command-accept = принять вызов или предложение
command-decline = отклонить вызов

argument-friend = друг
argument-variant = правила
argument-begin = кто начинает
argument-table = стол
argument-scope = для кого
argument-language = язык
choice-seed = с дополнительным ходом
choice-short = без дополнительного хода
choice-lot = по жребию
choice-me = я
choice-friend = мой друг
choice-chat = этот чат
choice-server = весь сервер

# Rules pages

rules-page = { $page } из { $pages }
rules-at-table = За столом <code>{ $table }</code> некоторые правила не такие, как в тексте ниже:
rules-instead = { $rule } (обычно { $usual })

# House rules
lobby-usual-rules = Обычные правила.
button-options = ⚙ Правила стола
options-title = <b>Правила стола: { $game }</b>, страница { $page } из { $pages }
options-line = • { $switch }
options-setting = { $name }: { $value }
button-more = Ещё…
answer-more = Что ещё можно:

# Hidden hands
hand-cards = Ваши карты: { $cards }.
hand-to-play = Ваши карты: { $cards }. ✓ — можно сыграть.
hand-empty = Сейчас у вас нет карт. Дождитесь раздачи.
hand-laid-down = Партия окончена.
hand-not-shown = 🃏 { $names }: нажмите «Мои карты», чтобы увидеть свои карты.
hand-held = { $number }{ $what }{ $mark }
hand-inline = Сыграть за столом { $table }
hand-inline-nothing = Сейчас ходить нечем
refuse-nothing-hidden = В этой игре ничего не скрыто: вся доска видна всем. Показать её: /board
refuse-no-hand = За этим столом карты сейчас не розданы: ваши придут со следующей раздачей. Показать стол: /board
refuse-no-such-card = У вас нет столько карт. Ваши карты: /hand
refuse-no-sheet = В этой игре такой таблицы нет. Показать доску: /board
button-hand = 🃏 Мои карты
button-deals = 👐 Раздачи
deal-title = Стол <code>{ $table }</code>, раздача { $number } из { $count }: у кого что было
refuse-no-deals = Ещё не закончена ни одна раздача. Карты можно посмотреть после первой.
button-cards = ⌨ Выбрать карту
button-menu = ⋯
answer-menu = Стол <code>{ $table }</code>:
button-text = 🔤 Доска текстом

# Two presses for a card
answer-confirm-card = Нажмите { $card } ещё раз в течение минуты, чтобы сыграть.
answer-confirm-is-on = Теперь я буду просить подтвердить каждый ход.
answer-confirm-is-off = Теперь ходы засчитываются сразу, без подтверждения.
button-confirm-on = 👆👆 Подтверждать ходы
button-confirm-off = 👆 Ходить сразу
command-hand = ваши карты, видны только вам
command-score = таблица очков
command-last = последняя взятка или последние ходы
command-deals = карты всех игроков в законченных раздачах
command-options = правила стола
command-confirm = подтверждать каждый ход: вкл или выкл
argument-switch = вкл или выкл
argument-sessions = выкл: выйти во всех браузерах
choice-on = вкл
choice-off = выкл

# Tables for several, computers, changing seats

lobby-nobody = свободно
lobby-seat = Место { $n }: { $name }
lobby-partners = Сидящие напротив играют вместе: 1 и 3 против 2 и 4.
lobby-awaited = Приглашены: { $names }.
lobby-open =
    { $count ->
        [one] Свободно { $count } место, сесть может любой.
        [few] Свободно { $count } места, сесть может любой.
        [many] Свободно { $count } мест, сесть может любой.
       *[other] Свободно { $count } места, сесть может любой.
    }
lobby-full = Все места заняты. { $name } может поменять места и нажать «Начать».
lobby-unconfirmed = ⏳ Настройки изменились. Чтобы согласиться, нажмите на своё место: { $names }
lobby-until = Если сутки ничего не происходит, стол закроется сам.
over-resigned-together = 🏳 { $name } сдаётся с согласия партнёра. Побеждают <b>{ $winner }</b>.
over-given-up = 🏳 { $name } сдаётся. Играют дальше: { $winner }.
closed-expired = Игру никто не начал, и стол закрылся.
closed-abandoned = Здесь давно никто не ходил, поэтому партия отменена. Никто не проиграл.
offer-resign = 🏳 { $name } хочет сдаться. Нужно согласие партнёра.
offer-replace = 🪑 { $name } предлагает замену: { $seat } → { $newcomer }.
offer-leave = 🪑 { $seat } просит замену: дальше сыграет { $newcomer }.
offer-take-over = 🪑 { $newcomer } хочет заменить игрока { $seat }.
offer-replaced = 🪑 Замена: { $name } → { $newcomer }.
offer-agreed = ✓ Согласны: { $names }
offer-waiting = Ждём ответа: { $names }.
offer-patience = { $name } может возразить. Если за { $time } ответа не будет, остальные решат сами.
call-resign = { $name }, ваш партнёр хочет сдаться (стол <code>{ $table }</code>).
call-replace = { $name }, место за столом хочет занять другой игрок. Вы не против (стол <code>{ $table }</code>)?
call-start = { $name }, все места заняты: можно начинать (стол <code>{ $table }</code>).
call-settings = { $name }, настройки изменились: чтобы согласиться, нажмите на своё место или напишите /join (стол <code>{ $table }</code>).
call-invited = { $name }, вас зовут играть (стол <code>{ $table }</code>).
call-closing = { $minutes ->
        [one] { $name }, стол <code>{ $table }</code> закроется через { $minutes } минуту, если за ним ничего не произойдёт. Чтобы оставить его, нажмите «Продлить».
        [few] { $name }, стол <code>{ $table }</code> закроется через { $minutes } минуты, если за ним ничего не произойдёт. Чтобы оставить его, нажмите «Продлить».
       *[other] { $name }, стол <code>{ $table }</code> закроется через { $minutes } минут, если за ним ничего не произойдёт. Чтобы оставить его, нажмите «Продлить».
    }
button-leave = Выйти
button-computer = + 🤖 Компьютер
button-no-computer = − 🤖 Убрать
button-seats = Мест: { $count }
button-start = ▶ Начать
button-extend = ⏳ Продлить
button-remind = 🔔 Напомнить
button-remove-player = Убрать игрока…
button-substitutes = 🪑 Замена
button-computer-for = 🤖 Компьютер вместо: { $name }
button-take-over = 🪑 Заменить игрока: { $name }
answer-agreed = Вы согласны. Ждём остальных.
answer-reminded = Приглашённым напомнили.
answer-extended = Стол останется открытым ещё на сутки.
answer-remove-player = Кого убрать из-за стола?
answer-substitutes = Заменить игрока может компьютер, если остальные согласны. Чтобы позвать на замену друга, напишите /substitute и его имя.
answer-take-over = Кого вы хотите заменить? Остальные за столом должны согласиться.
refuse-no-free-seat = Свободных мест нет. Можно смотреть или открыть свой стол: /play
refuse-kicked = Хозяин стола убрал вас. Открыть свой стол: /play
refuse-seat-taken = Это место занято. Выберите другое.
refuse-lobby-changed = За столом что-то изменилось. Посмотрите и нажмите ещё раз.
refuse-unconfirmed = Настройки изменились, поэтому игра ждёт согласия: { $names }. Согласиться можно, нажав на своё место или написав /join. Убрать игрока: ⚙ Настройки
refuse-not-here = { $name } не сидит за этим столом.
refuse-kick-self = Себя убрать нельзя. Выйти из-за стола: /cancel
refuse-no-computer = За этим столом нет компьютеров.
refuse-seats = Здесь играют от { $fewest } до { $most } человек.
refuse-too-many-sit = Игроков и приглашённых здесь уже больше. Сначала уберите кого-нибудь: /kick
refuse-too-few =
    { $count ->
        [one] Не хватает { $count } игрока. Может играть и компьютер.
       *[other] Не хватает { $count } игроков. Могут играть и компьютеры.
    }
refuse-nobody-awaited = Напоминать некому: все приглашённые ответили.
refuse-nobody-named = Назовите игрока: @друг
refuse-reminded = { $minutes ->
        [one] Им только что напомнили. Попробуйте через { $minutes } минуту.
        [few] Им только что напомнили. Попробуйте через { $minutes } минуты.
       *[other] Им только что напомнили. Попробуйте через { $minutes } минут.
    }
refuse-already-agreed = Вы уже согласились. Ждём остальных.
refuse-no-draws = В этой игре ничьих не бывает. Можно сдаться: /resign
refuse-draw-computer = Компьютер на ничью не соглашается. Можно сдаться: /resign
refuse-back-hidden = Здесь ходы не возвращают: карты уже увидели все.
refuse-back-chance = Этот ход не вернуть: после него уже бросали кубики.
refuse-computer-there = Там уже играет компьютер.
refuse-unknown-seat = Такого места нет. Посмотрите на доску: /board
refuse-seated-already = { $name } уже играет за этим столом.
refuse-other-hand = { $name } знает другие карты этой раздачи и может сесть сюда, когда сдадут следующие.
refuse-last-person = Кроме вас, людей за столом нет. Можно сдаться: /resign
refuse-substitute-rated = Пока игрок отстаёт, никто не может занять место: эта партия с компьютерами идёт на рейтинг. В партию просто так друзья могут прийти когда угодно. Новая партия: /play
refuse-friend-twice = Один и тот же друг назван дважды: { $name }.
command-begin = начать с теми, кто за столом
command-kick = убрать игрока из-за стола до начала игры
command-substitute = заменить игрока другом или компьютером
argument-against = против кого
choice-computer = компьютер
argument-second = ещё друг
argument-third = третий друг
over-first = 🏆 Побеждает <b>{ $winner }</b>.
over-won-pair = 🏆 Побеждают <b>{ $winner }</b> и <b>{ $partner }</b>, счёт { $score }.

# Вид досок
command-theme = выбрать вид досок
command-flip = доска с вашей стороны, только для вас
argument-theme = тема
choice-wood = 🪵 Дерево
choice-night = 🌙 Ночь
choice-contrast = ◐ Контрастная
choice-print = 🖨 Для печати
answer-theme = Как должны выглядеть доски? Первые кнопки — для досок, которые видите только вы.
answer-theme-person = Доски, которые видите только вы, теперь выглядят так: { $theme }.
answer-theme-shared = Доска этого чата не изменится: она одна на всех. Выбрать для неё вид может администратор: /theme
answer-theme-chat = Доски в этом чате теперь выглядят так: { $theme }.
refuse-theme = Я знаю такие темы: { $themes }.
answer-turned-is-on = На досках, которые видите только вы, ваша сторона теперь внизу.
answer-turned-is-off = Доски, которые видите только вы, теперь повёрнуты как у всех.
button-turned-on = 🔄 Моя сторона внизу
button-turned-off = 🔄 Как у всех
answer-pace-is-calm = Когда вы играете только против компьютеров, они теперь ходят по одному, чтобы вы успевали следить.
answer-pace-is-quick = Когда вы играете только против компьютеров, они теперь отвечают сразу.
button-pace-quick = ⚡ Отвечать сразу
button-pace-calm = 🐢 Ход за ходом
command-pace = как быстро отвечают компьютеры: спокойно или быстро
argument-pace = спокойно или быстро
choice-calm = спокойно
choice-quick = быстро
answer-words-is-on = Теперь я описываю доски словами там, где читаете только вы.
answer-words-is-off = Теперь я снова показываю вам доски картинками.
button-words-on = 🔤 Всегда словами
button-words-off = 🖼 Всегда картинками
button-view = 👁 С моей стороны
# Replays and charts.
button-replay = 🎬 Повтор
button-chart = 📈 График
answer-replay = 🎬 Рисую повтор партии… Он сейчас появится здесь.
answer-replay-soon = Повтор уже рисуется и скоро появится здесь.
answer-replay-above = Повтор этой партии был здесь несколько минут назад: посмотрите чуть выше.
refuse-no-replay = Повтор можно посмотреть после окончания партии.
refuse-replay-busy = Сейчас рисуется много повторов. Попробуйте через минуту.
refuse-chart-later = Карты на руках — тайна: график можно посмотреть после окончания партии.
refuse-no-chart = Строить график пока не по чему: сначала сыграйте за этим столом.
answer-replay-title = 🎬 <b>{ $game }</b> · стол <code>{ $table }</code> · { $names }
command-replay = повтор последней партии
command-chart = график счёта по ходу партии
# Computers: who they are and how strong
computer-beginner = 🤖 Верблюжонок
computer-easy = 🤖 Погонщик
computer-medium = 🤖 Купец
computer-strong = 🤖 Проводник
computer-master = 🤖 Караван-баши
# Two and more of one kind at a table have names of their own: no number ever follows a name.
computer-named = { $name } { $own }
computer-own-name = { $n ->
        [1] Али
        [2] Нур
        [3] Арам
       *[other] Заки
    }
computer-thinks = { $name } думает…
level-beginner-about = в пути первый раз и путается в собственных ногах.
level-easy-about = дорогу знает, но дальше ближайшего поворота не смотрит.
level-medium-about = хорошо считает и даром ничего не отдаёт.
level-strong-about = много раз пересекал пустыню и видит бурю издалека.
level-master-about = не потерял в пути ни одного верблюда. Удачи!
choice-beginner = новичок
choice-easy = лёгкий
choice-medium = средний
choice-strong = сильный
choice-master = мастер
argument-level = сила
lobby-seat-computer = Место { $n }: { $name } ({ $level })
answer-levels = <b>Компьютеры</b>, которые могут сюда сесть:
answer-level-name = • { $name } ({ $level }): { $about }
answer-level-rated = • { $name } ({ $level }): { $about } 🏅 { $rating }
button-levels = 🤖 Уровни…
button-relevel = Место { $n }: { $level } ▸ сменить
refuse-computer-thinks = { $name } думает. Минутку, пожалуйста.

# Hints
lobby-hints = 💡 Подсказки: { $rule }.
lobby-hints-on = для всех
lobby-hints-off = нет
lobby-hints-alone = только против компьютеров
button-hints = Подсказки: { $rule }
button-hint = 💡 Подсказка
command-hint = как сейчас сыграл бы мастер, только для вас
answer-hint = 💡 Мастер сыграл бы так: { $move }. Шанс на победу тогда около { $percent } %.
answer-hint-sure = 💡 Мастер сыграл бы так: { $move }.
answer-hint-counted = Все видят, что вы взяли подсказку, но не видят какую.
refuse-hint-turn = Подсказку можно взять в свой ход. Сейчас ходит { $name }.
refuse-hint-off = За этим столом играют без подсказок: так решили до начала.
refuse-hint-used =
    { $count ->
        [one] Вы взяли единственную подсказку этой партии.
        [few] Вы взяли все { $count } подсказки этой партии.
       *[other] Вы взяли все { $count } подсказок этой партии.
    }
refuse-hint-soon = Уже думаю над вашей подсказкой.
refuse-hint-late = Ход за это время сменился. Спросите ещё раз, когда снова будет ваш ход.
over-hints = 💡 Подсказки: { $names }
over-hinted = { $name } — { $count }

# The review after a game
button-review = 🔍 Разбор
command-review = переломные моменты и лучшие ходы
answer-review =
    { $seconds ->
        [one] 🔍 Разбираю партию. Разбор появится здесь примерно через { $seconds } секунду.
        [few] 🔍 Разбираю партию. Разбор появится здесь примерно через { $seconds } секунды.
       *[other] 🔍 Разбираю партию. Разбор появится здесь примерно через { $seconds } секунд.
    }
answer-review-soon = Партия уже разбирается. Разбор скоро появится здесь.
answer-review-progress = 🔍 <b>{ $game }</b>: разбираю партию… { $made } %
answer-review-above = Разбор этой партии был здесь несколько минут назад: посмотрите чуть выше.
refuse-no-review = Разобрать можно только оконченную партию, в которой были ходы.
refuse-review-busy = Сейчас разбирается много партий. Попробуйте через минуту.
refuse-review-gone = Этого разбора здесь больше нет. Запросить снова: /review
answer-review-title = 🔍 <b>{ $game }</b> · стол <code>{ $table }</code> · переломные моменты
answer-review-line = { $n }. Ход { $move }, { $name }: { $played } ({ $before } % → { $after } %). Лучше: { $better }.
answer-review-more = Ещё: { $moves }.
answer-review-short = { $n }. ход { $move } ({ $before } → { $after } %)
answer-review-none = Решающего хода не было: перевес копился постепенно.
answer-review-failed = В этот раз разбор не получился. Попробуйте ещё раз через час: /review
answer-review-incomplete = Времени не хватило, чтобы проверить все ходы, поэтому здесь могут быть не все переломные моменты. Попробуйте ещё раз через час: /review
answer-review-chart = График показывает шансы каждой стороны на победу после каждого хода: так их оценивает компьютер. Числа на нём — номера ходов из списка выше.
button-luck = 🎲 Удача и игра
answer-luck = 🎲 <b>Удача и игра</b>: как менялся шанс на победу, в пунктах из 100
answer-luck-line = { $side }: { $start } в начале, { $own } за свои ошибки, { $others } за чужие ошибки, { $luck } за удачу = { $result }
answer-luck-about = Ошибка — это то, что решение потеряло по сравнению с лучшим из тех, о которых игрок мог знать. Удача — всё остальное: кости, раздача и карты, которые легли лучше или хуже ожидаемого. И то и другое оценивает компьютер.
answer-moment = Ход { $move }: { $name } играет { $played }. Мастер сыграл бы <b>{ $better }</b>.
answer-moment-chance = Шанс на победу упал примерно с { $before } % до { $after } %.
answer-moment-answer = После этого { $name } может ответить: { $answer }.

# The first minute, and what was not understood
help-all = 🌐 /language · Все команды — последняя кнопка.
help-all-typed = 🌐 /language · Все команды: /help все
button-learn = 📖 Обучение
button-solo = 🤖 С компьютером
button-help-all = Все команды
button-both-sides = ♟ За обоих
button-settings = ⚙ Настройки
button-verify = 🔒 Проверить честность
solo-choose = <b>{ $game }</b>: против кого сыграете?
solo-rated = 🏅 Эти партии идут на рейтинг, изменения считаются наполовину. После подсказки или возврата хода в зачёт идёт только поражение.
solo-casual = Эти партии — для удовольствия, без рейтинга.
solo-friend = С другом: нажмите «По ссылке» или играйте в группе, где есть и я: /play
solo-friend-link = С другом: нажмите «По ссылке» или добавьте меня в группу, где вы оба: { $link }
solo-friend-hands = Как администратор группы я сразу показываю всем игрокам их карты, без «Мои карты». Эта ссылка просит только право удалять сообщения: { $link }
rules-which = Какую игру хотите выучить?
refuse-clock = Часы бывают от 10 секунд до 30 дней на ход или минуты с добавкой секунд за ход. Например: 3 мин, 5+5, 2 дня.
refuse-misread = Не понимаю «{ $word }», поэтому стол не открыт. Можно написать: компьютер, { $levels }, без подсказок, @друг.
refuse-misread-near = Не понимаю «{ $word }», поэтому стол не открыт. Может быть, «{ $near }»?
refuse-nobody-called = Не знаю здесь никого по имени @{ $name }, поэтому ничего не изменилось. Проверьте имя или откройте стол для всех: /play
answer-settings = ⚙ Стол <code>{ $table }</code>, до начала игры:
answer-verify = 🔒 Стол <code>{ $table }</code>: исходное число (seed) выбрано до того, как кто-либо сел за стол; из него и из состава игроков следуют жребий, кубики и раздачи. Вот его отпечаток; само число будет в записи партии, по нему всё можно сверить.
answer-verify-over = 🔒 Стол <code>{ $table }</code>: исходное число (seed) было выбрано до того, как кто-либо сел за стол; из него и из состава игроков следуют жребий, кубики и раздачи. Вот его отпечаток. Партия окончена, и само число есть в её записи, по нему всё можно сверить: /record
lobby-unseen = Этих игроков я ещё не видел: { $names }. Чтобы сесть, им нужно нажать кнопку.
answer-confirm-resign-typed = Партия на этом закончится. Чтобы сдаться, отправьте ещё раз в течение минуты.
answer-confirm-abort-typed = Партия на этом закончится. Чтобы отменить её, отправьте ещё раз в течение минуты.
refuse-nothing-to-join = Здесь нет стола, за который можно сесть. Откройте свой: /play
refuse-none-waiting = Здесь нет вашего стола, за которым ждут игроков. Откройте новый: /play
refuse-not-playing-here = Вы не играете ни за одним столом здесь. Откройте свой: /play
refuse-none-finished = В последнее время здесь не закончилась ни одна партия. Сыграть: /play. Прежние партии: /history
command-verify = проверить честность жребия, кубиков и раздач
argument-move = ход
argument-game = игра
refuse-doubtful-move = «{ $typed }» не подходит. Вы имели в виду { $move }? Тогда отправьте { $move }.

# Что сделало нажатие: короткая строка тому, кто нажал.
done-reply = ✓ { $what }
done-and = { $first } · { $second }
done-your-turn = ваш ход
done-turn = ходит { $name }
done-opened = стол открыт
done-below = доска внизу
done-joined = вы за столом
done-asked = игра начнётся, когда автор вызова согласится
done-left = вы вышли из-за стола
done-seats = места поменялись
done-removed = игрок убран из-за стола
done-saved = сохранено
done-started = игра началась
done-back = ход возвращён
done-replaced = замена сделана
done-declined = отклонено
done-over = партия окончена
done-closed = стол закрыт
refuse-button-changed = Кнопка сменилась. Нужна новая — нажмите ещё раз.

# The course, and what is said to whoever plays for the first time
lesson-yes = Да
lesson-no = Нет
lesson-player = { $name }
lesson-part = 📚 Часть { $n } из { $parts }: <b>{ $name }</b>
lesson-part-done = 🎓 <b>Часть { $n } из { $parts } пройдена: { $name }.</b> Сыграйте первую игру, соперник — { $computer }: я подскажу, на что смотреть. Или читайте следующую часть.
button-part = Часть { $n }: { $name } ▸
lesson-question = ❓ { $question }
lesson-try = 👆 { $question }
lesson-right = { $n ->
        [0] ✅ Верно!
        [1] ✅ Верно подмечено!
        [2] ✅ Точно!
       *[other] ✅ Да, молодец!
    }
lesson-wrong = 🤔 Не совсем.
lesson-verdict = { $verdict } { $why }
lesson-done = 🎓 <b>Вот и всё, что нужно знать.</b> Теперь сыграйте: { $game }, соперник — { $computer }. Я подскажу, на что смотреть, а ходы можно возвращать сколько угодно.
button-first-game = 🐪 Первая партия с подсказками: { $computer }
button-again = 🔁 Ещё раз
coach-says = 🐪 { $what }

## One table in several places

button-private = 👤 В личный чат
button-stop = ✖ Убрать отсюда
places-also =
    { $count ->
        [one] 👁 Виден ещё в { $count } чате
       *[other] 👁 Виден ещё в { $count } чатах
    }
watching-people =
    { $people ->
        [one] 👁 Смотрит { $people } человек
        [few] 👁 Смотрят { $people } человека
       *[other] 👁 Смотрят { $people } человек
    }
watching-both = { $people } · { $places }
button-public-on = 👁 Пусть смотрят все
button-public-off = 🔒 Смотреть только здесь
refuse-not-public = Стол { $table } открыт не для всех. Разрешить могут те, кто за ним играет: кнопка ⋯, потом «Пусть смотрят все».
answer-table-detached = Этот стол здесь больше не показан. Вернуть его: /show { $table }
places-name = { $name } ({ $mark })
mark-tg = TG
mark-dc = DC
mark-web = веб
done-shown-here = стол теперь и здесь
answer-shown-here = За этим столом теперь можно играть и здесь.
answer-watching = Теперь этот стол показан здесь, можно смотреть. Убрать его: /stop
answer-private = Ваша доска теперь и в нашем личном чате. Ходить можно и там, и здесь.
answer-private-opened = 🎲 Ваша доска появится здесь.
answer-stopped = Стол здесь больше не показан. Игра продолжается в других чатах.
refuse-show-private-game = За этим столом играют в личном чате, поэтому показать его в другом чате нельзя. Открыть стол для нескольких игроков: /play
refuse-which-code = Какой стол? Код стола — под доской за кнопкой ⋯. Напишите его так: /{ $command } 7k3fxb2
refuse-already-here = Этот стол уже показан здесь. Доска внизу: /board
refuse-too-many-places = Этот стол уже показан в других чатах ({ $count }). Сначала уберите его из одного из них: /stop
refuse-stop-home = Стол открыт в этом чате, поэтому останется здесь. До начала игры его можно закрыть, потом — сдаться: /resign
refuse-not-shown-here = Этот стол здесь не показан. Показать: /show и код
refuse-nothing-shown-here = Стол из другого чата здесь не показан. Показать: /show и код
refuse-stop-others = Это может сделать тот, кто показал здесь стол, хозяин стола или администратор этого чата.
refuse-stop-player = Игрок { $name } видит стол только в этом чате, поэтому стол остаётся здесь. Убрать его (/stop) можно, когда { $name } откроет доску и в личном чате (/private), а неиграющему администратору чата — сразу.
refuse-only-watching = Здесь только смотрят. Чтобы сыграть, покажите стол здесь для игры: /show и код
refuse-private-seat = Вы не играете за этим столом. Чтобы просто смотреть, напишите мне в личный чат: /watch { $table }
refuse-already-private = Ваша доска уже есть в нашем личном чате.
refuse-private-none = Здесь личных чатов со мной нет. Играйте в этом чате.
refuse-private-closed = Не могу вам написать. Разрешите личные сообщения от участников этого сервера или сами напишите мне в личный чат: /private { $table }
refuse-private-closed-link = Мне пока нельзя писать вам первым. Откройте наш чат и нажмите там «Старт», доска придёт сама: { $link }
command-private = ваша доска в нашем личном чате
command-show = показать здесь стол из другого чата, чтобы играть
command-watch = показать здесь стол из другого чата, чтобы смотреть
command-stop = больше не показывать здесь стол из другого чата

## Settings

command-settings = все настройки: ваши и этого чата
setting-row = { $name }: { $value }
setting-now = ✓ { $value }
setting-row-from = { $name }: { $value } ({ $source })
setting-from-server = с сервера
setting-from-channel = из #{ $channel }
setting-from-parent = из канала
setting-like-server = ↺ Как на сервере: { $value }
setting-like-channel = ↺ Как в канале: { $value }
settings-mine = 👤 <b>Ваши настройки</b>. Они с вами во всех чатах. Нажмите, чтобы изменить.
settings-chat = ⚙ <b>Настройки этого чата</b>. Нажмите, чтобы изменить; всё работает и так.
settings-chat-read = ⚙ <b>Настройки этого чата</b>. Менять их могут только администраторы.
settings-server = 🏛 <b>Настройки всего сервера</b>. Они действуют в каждом канале, где не выбрано другое. Нажмите, чтобы изменить.
settings-server-read = 🏛 <b>Настройки всего сервера</b>. Менять их могут только администраторы.
button-settings-chat = ⚙ Этот чат
button-settings-server = 🏛 Для всего сервера
button-settings-mine = 👤 Мои
button-usual-rules = ↺ Обычные правила
setting-language = 🌐 Язык
setting-theme = 🎨 Вид
setting-side = 🔄 Мои доски
setting-boards = 🖼 Доски
setting-press = 👆 Подтверждать ходы
setting-pace = 🐢 Компьютеры
setting-pace-about = Как быстро отвечать компьютерам, когда вы играете только против них?
value-pace-calm = ход за ходом
value-pace-quick = сразу
setting-calls = 🔔 Напоминания
setting-night = 🌙 Тихие часы
setting-zone = 🕰 Моё время
setting-hints = 💡 Подсказки
setting-clock = ⏱ Время
setting-clock-about = Сколько времени у игроков за новыми столами здесь, если не выбрать другое?
setting-opens = 🚪 Столы открывают
setting-orders = ✖ Столы закрывают
setting-rules = 📜 Правила стола
setting-quiet = 🔕 Тихий режим
setting-old = 🧹 Старые доски
setting-where = 📍 Где играть
setting-language-about = На каком языке говорить?
setting-theme-about = Как должны выглядеть доски?
setting-side-about = Чья сторона внизу на доске, которую видите только вы?
setting-boards-about = Как показывать доски, которые видите только вы?
setting-press-about = Просить подтверждение перед ходом? Это бережёт от случайных нажатий.
setting-calls-about = Когда напоминать о вашем ходе?
setting-night-about = В какие часы по вашему времени не напоминать? Отложенное придёт утром.
setting-zone-about = На сколько ваше время отличается от UTC? В Москве +3, в Армении +4, в Казахстане +5, в Кыргызстане +6, в Индии и на Шри-Ланке +5:30.
setting-hints-about = Даются ли подсказки за новыми столами здесь, если хозяин стола не решит иначе?
setting-opens-about = Кто может открывать здесь столы и показывать столы из других чатов?
setting-orders-about = Кто может закрыть стол до начала игры или убрать стол из другого чата?
setting-rules-about = По этим правилам играют за новыми столами здесь, если не выбрать другие.
setting-quiet-about = В тихом режиме мои сообщения приходят без звука, и я никого не упоминаю.
setting-old-about = Что делать со старой доской, когда новая появляется ниже?
setting-where-about = В каких темах можно играть? Выберите «здесь» в каждой нужной.
setting-where-server-about = В каких каналах можно играть? Выберите «здесь» в каждом нужном.
value-side-own = моя сторона внизу
value-side-all = как у всех
value-boards-pictures = картинками
value-boards-words = словами
value-press-once = выключено
value-press-twice = включено
value-calls-usual = скоро
value-calls-seldom = через час
value-calls-never = никогда
value-night-none = нет
value-opens-all = все
value-opens-admins = администраторы
value-opens-nobody = никто
value-orders-host = хозяин и администраторы
value-orders-all = все
value-rules-usual = обычные
value-rules-own = свои правила
value-quiet-off = выключен
value-quiet-on = включён
value-old-away = убирать
value-old-stay = оставлять без кнопок
value-where-all = везде
value-where-here = здесь
value-where-elsewhere = в других темах
value-where-channels = в других каналах
refuse-other-topic = Играть можно в других темах этого чата: так решили администраторы. Подробнее: /settings
refuse-other-channel = Играть можно в других каналах этого сервера: так решили администраторы. Подробнее: /settings
refuse-opens-nobody = В этом чате игры отключены администраторами. Можно играть со мной в личном чате.
refuse-opens-admins = Столы в этом чате открывают только администраторы. Попросите одного из них.

## Challenges

button-by-link = 🔗 По ссылке
button-invite = 🔗 Позвать
answer-invite = 🔗 Как позвать за стол <code>{ $table }</code>:
lobby-link = 🔗 Отправьте ссылку: по ней можно присоединиться: { $link }
lobby-link-group = 👥 Добавить меня в группу вместе со столом: { $link }
lobby-code = ⌨ В другом чате, где есть я: <code>/show { $table }</code>, в личном чате: <code>/private { $table }</code>
lobby-explained = 💬 { $name }: { $why }
why-later = не сейчас, может быть, позже
why-busy = сегодня нет времени
why-other = может, другую игру?
why-rest = у меня перерыв
answer-declined-why = Вы отказались. Хотите сказать почему? Это увидят все за столом.
answer-explained = Спасибо, передам.
refuse-explained = Вы уже сказали почему.
command-notify = один раз сообщить, когда кто-то захочет играть
answer-notify = 🔔 Позову вас здесь один раз, когда откроют стол: { $games }. Чтобы изменить, нажмите ещё раз.
answer-notify-none = Какую игру ждёте? Позову вас здесь один раз, когда откроют стол.
call-wanted = 🔔 { $name }: { $opener } хочет сыграть в { $game } (стол <code>{ $table }</code>).
refuse-notify-alone = В личном чате никто, кроме вас, столов не открывает. Напишите /notify в группе.

## One person on several platforms

command-link = связать аккаунты на разных платформах
command-unlink = отвязать аккаунты
argument-code = код с другой платформы
button-link = Да, оба аккаунта мои
answer-link = 🔗 На другой платформе напишите мне в личный чат: <code>/link { $code }</code>
answer-link-secret = Код действует { $minutes } мин и только один раз. Никому его не говорите: с ним можно играть от вашего имени. Места, карты и настройки станут общими.
answer-link-now = Аккаунты уже связаны: { $platforms }. Отвязать: /unlink
answer-link-sure = ⚠ Код выдан игроку <b>{ $name }</b> ({ $platform }). Если продолжить, этот аккаунт станет игроком { $name }: у того будут ваши места и видны ваши карты. Нажимайте, только если оба аккаунта ваши. Если код вам кто-то прислал, не нажимайте.
answer-linked = 🔗 Готово: здесь вы теперь { $name } ({ $platform }), с теми же местами, картами и настройками. Отвязать: /unlink
answer-link-used = 🔗 Ваш код использован: { $name } ({ $platform }) теперь играет от вашего имени. Если это не вы: /unlink
answer-unlinked = Аккаунты больше не связаны. Места за открытыми столами остались у аккаунта, на котором был получен код.
answer-unlinked-unrated = Рейтинговые партии, сыгранные, пока аккаунты были связаны, тоже остались у него. Поэтому партии другого аккаунта не учитываются в рейтинге до { $time }.
refuse-link-code = Не знаю такого кода: он действует один раз, десять минут. Новый: <code>/link</code> на другой платформе.
refuse-link-self = Это ваш собственный код. Отправьте его мне на другой платформе.
refuse-link-already = Этот аккаунт уже связан. Отвязать: /unlink
refuse-link-platform = К игроку можно привязать по одному аккаунту с каждой платформы, а здесь один уже есть. Отвязать: /unlink
refuse-link-table = Оба аккаунта сидят за столом { $table }. Сначала доиграйте за ним.
refuse-link-rated = С этого аккаунта вы играете партию на рейтинг { $table }: она закончится под тем именем, под которым началась. Сделайте наоборот: напишите <code>/link</code> здесь, а код введите с другого аккаунта. Или свяжите аккаунты после партии.
refuse-link-left = Вы оставили своё место в партии на рейтинг { $table }, которая ещё идёт: она засчитается этому аккаунту как поражение. Сделайте наоборот: напишите <code>/link</code> здесь, а код введите с другого аккаунта. Или свяжите аккаунты после партии.
refuse-link-hidden = Ваше имя скрыто в одном из чатов или везде, и с тех пор было связано слишком много аккаунтов. Чтобы связать этот, попросите администратора того чата или владельца бота снова показать ваше имя.
refuse-unlink-rated = В личном чате этого аккаунта вы играете рейтинговую партию, { $table }: она закончится под тем именем, под которым началась. Сначала доиграйте её или покажите в другом чате: <code>/show { $table }</code>.
refuse-unlink-gone = Аккаунта, на котором был получен код ({ $platform }), больше нет. Места, партии и рейтинг остались бы у него, и вы бы их потеряли, поэтому аккаунты остаются связанными: играйте дальше здесь. Удалить всё: /account
refuse-not-linked = Ваши аккаунты не связаны. Связать: /link

## Challenges where the bot is no member

challenge-title = ⚔ Вызов: { $game }
challenge-more = Кто первым примет, сыграет с вами прямо в этом чате
challenge-says = ⚔ { $name } приглашает сыграть: { $game }. Кто первым нажмёт, тот и играет.
challenge-more-many = Люди присоединяются кнопкой прямо в этом чате, а начинаете вы
challenge-says-many = ⚔ { $name } приглашает сыграть: { $game }. Нажмите, чтобы присоединиться.
challenge-more-friends = Для { $friends }, прямо в этом чате
challenge-says-friends = ⚔ { $name } приглашает { $friends } сыграть: { $game }.
challenge-computers = 🤖 × { $count }
challenge-game = { $game } ({ $how })
challenge-choice-title = ⚔ Кто сыграет?
challenge-choice = ⚔ { $name } хочет сыграть. Выберите игру: кто первым нажмёт, тот и играет.
share-more = Показать этот стол здесь
share-says = 🎲 { $name } играет: { $line }
button-watch = 👁 Смотреть
button-show-here = ⬇ Показать здесь
sketch-row = <code>{ $row }</code>
sketch-line = { $row }
private-link = 📩 Картинки, подсказки и прочее — в личном чате с ботом: { $link }
private-link-over = 📩 Повтор, разбор и запись — в личном чате с ботом: { $link }
refuse-meet-self = Это ваш вызов: его должен принять кто-то другой.
refuse-challenge-used = Этот вызов уже принят. Чтобы сыграть, отправьте свой.
refuse-not-challenged = Это приглашение для { $friends }. Чтобы сыграть, отправьте своё.
answer-challenge-accepted = ⚔ { $name } принимает вызов, который вы отправили некоторое время назад: { $game }. Партия за столом <code>{ $table }</code> начнётся, когда согласитесь и вы. Откройте стол здесь, чтобы принять вызов или отказаться.

## Moves settled before the turn

command-premove = задать ответ заранее: /premove 3 7
argument-plan = ход соперника и ваш ответ: 3 7, 5 2
plan-pair = { $theirs } → { $own }
plan-set = 🤫 Ответ на следующий ход задан, его видите только вы: { $plan }
button-drop-plan = Отменить ответ на ход
answer-plan = 🤫 Ответ на следующий ход задан, его видите только вы: { $plan }. Отменить: /premove off
answer-plan-none = Ответ не задан. Пока ходит соперник, напишите его ход и свой ответ: /premove 3 7, 5 2
refuse-plan-turn = Задать ответ можно, только пока ходит соперник.
refuse-plan-game = Задать ответ заранее можно только в играх на двоих без кубиков и карт.
refuse-plan-words = Напишите ход соперника и свой ответ: /premove 3 7, 5 2
refuse-plan-move = Не понимаю ход «{ $typed }» в этой позиции. Напишите ход соперника и свой ответ: /premove 3 7

# A board in a browser, or in a window of the platform.
command-web = открыть доску в браузере; /web off завершает все сеансы
command-launch = открыть доску в окне
button-open-board = ▦ Открыть доску
button-page = 🌐 В браузере
answer-page = 🌐 Ссылка откроет вашу доску в браузере от вашего имени. Она действует { $minutes } мин и только один раз. Никому её не передавайте. Выйти везде: /web off
answer-page-private = Здесь читают другие, поэтому ссылку дать не могу. Напишите мне в личный чат: /web
answer-page-private-link = Здесь читают другие. Чтобы получить ссылку, откройте наш личный чат и нажмите там «Старт»: { $link }
answer-page-off = Вы вышли во всех браузерах и окнах.
answer-launched = Нажмите ещё раз, чтобы открыть доску.
refuse-no-page = Доски здесь не открываются в браузере: владелец бота этого не настроил. Показать доску: /board
refuse-page-here = Вы уже на странице.

# Words that were not meant as they could be read

refuse-words-behind = Ничего не сделано: нужна команда /{ $command } без «{ $words }». Если вы этого хотите, отправьте её одну: /{ $command }
answer-nothing-done = Хорошо, ничего не сделано.
answer-confirm-typed = Отправьте ещё раз в течение минуты, чтобы сыграть { $card }.

# Commands that combine others.
command-cancel = выйти из-за стола до начала или отменить партию
command-open = открыть свою доску в личном чате или в браузере
command-account = связать аккаунты на разных платформах или отвязать их
command-analysis = последняя партия: разбор, повтор, график, запись
command-table = предложения, игроки и доска за столом
command-about = кто я и кому сообщить об ошибке
command-feedback = куда сообщить об ошибке или идее
command-privacy = что я храню о вас
answer-open = Где открыть доску?
answer-open-here = Ваша доска уже здесь. Показать её внизу: /board
answer-account = Свяжите аккаунты, и на всех платформах у вас будут те же места, карты и настройки.
button-link-start = 🔗 Связать аккаунт
button-unlink = Отвязать аккаунты
answer-account-deleted = Ваш аккаунт будет удалён { $day }.
answer-deletion-restored = Меня восстановили из резервной копии, в которой вы просили удалить ваш аккаунт. Он будет удалён { $day }. Чтобы его оставить: /account
answer-deletion-operator = Владелец бота запросил удаление вашего аккаунта. Он будет удалён { $day }. Чтобы его оставить: /account
refuse-account-deleting = Ваш аккаунт удаляется. Когда закончатся ваши последние партии, вы сможете начать заново.
refuse-link-deleting = Один из этих аккаунтов будет удалён. Сначала отмените это: /account
button-export = ⬇ Мои данные
button-delete-account = 🗑 Удалить аккаунт
button-delete-sure = 🗑 Удалить через неделю
button-keep-account = Оставить аккаунт
answer-export = Ваши данные: account.json для программ, остальные файлы для вас.
refuse-export-private = Данные я отправляю только в личном чате. Напишите мне туда: /account export
refuse-export-soon = Я только что отправил ваши данные. Снова можно через { $minutes } мин.
answer-delete-account = Через неделю я удалю ваше имя, настройки, рейтинги, историю и связи, на всех связанных аккаунтах. До тех пор можно передумать: /account. Начатые партии вы тогда покинете. Сыгранные партии останутся у других игроков без вашего имени. Если вы вернётесь раньше чем через 90 дней, ваши партии не пойдут в рейтинг.
answer-delete-cancelled = Ваш аккаунт остаётся.
refuse-delete-none = Отменять нечего: ваш аккаунт остаётся.
refuse-delete-other = Эта кнопка для другого человека. Для своего аккаунта: /account delete
answer-data-title = Что этот бот хранит о вас, { $date }
answer-data-files = account.json для программ. В папке games ваши сыгранные партии в их записи.
answer-data-games-cut = В папке последние сыгранные партии, { $files } из { $games }: остальные не поместились в один файл.
answer-data-profile = Имена, настройки и связанные аккаунты: пока вы не удалите аккаунт.
answer-data-marks = Коды, пожелания, входы: не больше месяца; последние столы: 180 дней; или пока вы не удалите аккаунт.
answer-data-messages = Открытые столы и сообщения с ними: не больше 60 дней после партии.
answer-data-games = Партии: пока вы не удалите аккаунт, потом без вашего имени.
answer-data-results = Результаты партий: пока вы не удалите аккаунт, потом без вашего имени.
answer-data-ratings = Рейтинги, списки и история: пока вы не удалите аккаунт.
answer-data-play = Качество игры: чего стоили ваши решения в каждой оценённой партии, 400 дней.
answer-data-chat = Чат на странице хозяина бота: ваши сообщения 90 дней.
answer-data-answers = Ответы на ваши сообщения и нажатия: 3 дня.
answer-data-deletion = Ваше желание удалить аккаунт; потом, а также после /unlink, 90 дней код, по которому аккаунт узнать нельзя.
answer-analysis = Последняя партия здесь, стол <code>{ $table }</code>:
answer-about = <b>Caravanserai</b> { $version }: { $games } прямо в чате. Что-то не так или чего-то не хватает? Скажите тому, кто меня добавил.
answer-privacy = Я храню ваше имя, настройки и партии. Свои карты до конца раздачи видите только вы. Данные файлом: /account export. Удалить их: /account delete
answer-privacy-page = Подробнее: { $link }
answer-contact = Написать владельцу бота: { $contact }
answer-feedback = Что-то не так или есть идея? Скажите тому, кто меня добавил.
answer-feedback-contact = Что-то не так или есть идея? Напишите владельцу бота: { $contact }

# What Telegram shows before a person starts the bot (at most 512 characters), and on its profile
# (at most 120).
bot-description = { $games } с друзьями прямо в чате. Добавьте меня в группу и отправьте /play или сыграйте здесь с компьютером.
bot-short-description = { $games } с друзьями прямо в чате. Добавьте меня в группу и отправьте /play.

# Names of slash commands that contain others: small letters, no spaces.
menu-table = стол
menu-overview = обзор

# Ratings and results

command-top = рейтинги
command-me = ваши рейтинги и статистика
command-stats = статистика игрока
command-history = ваши сыгранные партии
command-achievements = ваши достижения
list-two = { $game }, вдвоём
list-pairs = { $game }, пара на пару
list-several = { $game }, втроём или вчетвером
list-short = { $game } { $players }
list-deleted-player = Удалённый игрок
list-deleted-player-numbered = Удалённый игрок { $n }
answer-top-chat = 🏆 <b>Рейтинги этого чата</b>
answer-top-all = 🏆 <b>Рейтинги всех чатов</b>
answer-top-season = 🏆 <b>{ $season }: этот месяц в этом чате</b>
answer-top-season-all = 🏆 <b>{ $season }: этот месяц во всех чатах</b>
answer-top-past = 🏆 <b>{ $season } в этом чате</b>
answer-top-past-all = 🏆 <b>{ $season } во всех чатах</b>
answer-top-empty = Здесь ещё никто не сыграл рейтинговую партию. Партия с другом идёт в зачёт: /togyz, /thaayam или /blot.
answer-top-empty-list = В этом списке пока нет ни одной партии. Рейтинговая партия с другом попадёт сюда: /togyz, /thaayam или /blot.
answer-top-none = В том месяце не было рейтинговых партий.
answer-top-none-list = В том списке нет ни одной партии.
answer-provisional = ? – партий пока мало или последняя была давно, и рейтинг может сильно измениться.
answer-top-list = <b>{ $list }</b>
answer-top-place = { $rank }. { $name }: <b>{ $rating }</b> (+{ $won } ={ $drawn } −{ $lost })
answer-top-place-own = ▸ { $rank }. <b>{ $name }: { $rating }</b> (+{ $won } ={ $drawn } −{ $lost })
answer-top-order = Места здесь зависят от рейтинга и от того, насколько он надёжен: без партий место опускается.
answer-top-order-month = Места здесь зависят от рейтинга и от того, насколько он надёжен.
button-top-chat = Этот чат
button-top-all = Все чаты
button-top-season = Этот месяц
answer-stats = 👤 <b>{ $name }</b>
answer-stats-empty-own = Вы ещё не доиграли ни одной партии. Вызовите друга: /play
answer-stats-empty = В этом чате нет сыгранных партий.
answer-stats-record = { $list }: <b>{ $rating }</b> – побед { $won }, ничьих { $drawn }, поражений { $lost }
answer-stats-unrated = { $list }: рейтинга пока нет – побед { $won }, ничьих { $drawn }, поражений { $lost }
answer-stats-best = Лучший рейтинг: { $rating }
answer-stats-streak-won = Побед подряд: { $count }
answer-stats-streak-lost = Поражений подряд: { $count }
answer-stats-against = Вы против этого игрока: побед { $won }, ничьих { $drawn }, поражений { $lost }
answer-stats-last = <b>Последние партии</b>
answer-stats-achieved = 🎖 Достижения: { $count } из { $all }
answer-stats-totals = { $totals }
answer-stats-play = 🎯 Качество игры: ошибки стоят { $cost } % (± { $interval }) шанса на победу за раздачу. Оценено раздач: { $rounds }
answer-stats-play-level = Это примерно уровень «{ $level }».
answer-stats-play-levels = Это между уровнями «{ $from }» и «{ $to }».
answer-details = 📊 <b>{ $name }</b>: любимые ходы, лучшие партии, удача
answer-details-empty = Пока сказать нечего. Сыграйте ещё немного: любимые ходы видны после трёх выборов, лучшая победа — после рейтинговой, удача — после 🔍 Разбора пяти партий с костями или картами.
answer-details-best = 🏅 Лучшая победа: { $day }, соперники: { $opponents } (рейтинг { $rating })
answer-details-luck = 🎲 Удача: { $sign }{ $luck } победы. Посчитано { $games } из последних { $all } партий — те, что разобраны (побед { $won }). Чистый случай в 19 случаях из 20 остаётся в пределах ±{ $limit }.
answer-details-luck-few = 🎲 Удача складывается с { $least } разобранных партий, пока их { $games }. Партию добавляет 🔍 Разбор под её итогом.
answer-details-luck-about = Удача — это то, что кости, раздача и расклад дали сверх игры всех сторон; её оценивает компьютер.
button-details = 📊 Любимые ходы, лучшие партии, удача
button-best-win = 🎞 Лучшая победа: { $list }
answer-decimal = { $whole },{ $tenth }
button-history = 📜 Все мои партии
button-head-to-head = 📜 Наши партии
answer-history = 📜 <b>Мои партии</b>, страница { $page }
answer-history-empty = Вы ещё не доиграли ни одной партии. Вызовите друга: /play
answer-history-against = 📜 <b>Мои партии против { $name }</b>, страница { $page }
answer-history-results = { $list }: побед { $won }, ничьих { $drawn }, поражений { $lost }
answer-history-no-match = Среди ваших последних партий таких нет. Все партии: /history
answer-history-none-here = В этом чате у вас нет сыгранных партий против этого игрока. Все партии: /history
answer-history-again = Список партий сейчас составляется заново, и ваших в нём может не быть. Спросите ещё раз через несколько минут.
answer-history-numbered = { $n }. { $entry }
answer-history-won = { $day } { $game }: победа, соперники: { $opponents }
answer-history-drawn = { $day } { $game }: ничья, соперники: { $opponents }
answer-history-lost = { $day } { $game }: поражение, соперники: { $opponents }
answer-history-rated = { $game } ({ $change })
answer-history-removed = { $entry } – больше не хранится
answer-history-replays = Чтобы пересмотреть партию, нажмите её номер.
answer-history-latest = Просмотрены только последние партии, их { $count }.
argument-results = результаты
choice-won = победы
choice-lost = поражения
choice-rated = рейтинговые
choice-casual = без рейтинга
button-guarded-games = 🛡 Партии без рейтинга
answer-guarded-games = <b>Партии за последние 30 дней в этом чате, которые не повлияли на рейтинг всех или некоторых игроков, и почему.</b> Рейтингу нужны партии, по которым можно судить об игроках; это ни для кого не наказание.
answer-guarded-none = За последние 30 дней таких партий здесь не было.
answer-guarded-game = { $day } { $game }, { $players }: { $reasons }
button-achievements = 🎖 Достижения
button-achievements-on = 🎖 Показывать достижения
button-achievements-off = 🎖 Отключить достижения
answer-achieved = 🎖 <b>Достижения</b>: { $count } из { $all }
answer-achieved-game = <b>{ $game }</b>
answer-achieved-reached = ✅ { $name }, { $day } — { $rule }
answer-achieved-open = ▫️ { $name } — { $rule }
answer-achieved-hidden = Ваши достижения отключены: их не видите ни вы, ни другие. Что уже стоит под прежним результатом, там и останется.
answer-achieved-shown = Ваши достижения снова показываются: /achievements
button-newer = ◂ Новее
button-older = Старее ▸
over-rating = { $name } { $rating } ({ $change })
over-ratings = 🏅 { $changes }
over-ratings-half = 🏅 { $changes }. Изменения считаются наполовину: играет компьютер.
over-first-win = ⭐ { $name }: первая победа здесь, { $list }!
over-first-win-all = ⭐ { $name }: первая победа, { $list }!
over-win-after-losses = ⭐ { $name }: победа, соперник { $opponent }, поражений подряд здесь до этого: { $count }!
over-win-after-losses-all = ⭐ { $name }: победа, соперник { $opponent }, поражений подряд до этого: { $count }!
over-best-rating = ⭐ { $name }: лучший рейтинг в этом чате, { $list } – { $rating }
over-best-rating-all = ⭐ { $name }: лучший рейтинг за всё время, { $list } – { $rating }
over-streak = ⭐ { $name }: побед подряд здесь, { $list } – { $count }!
over-streak-all = ⭐ { $name }: побед подряд, { $list } – { $count }!
over-achieved = 🎖 Впервые: { $players }
over-achieved-player = { $name } — { $achieved }
over-casual = Без рейтинга: { $reason }.
over-casual-for = Без рейтинга ({ $name }): { $reason }.
lobby-rated = 🏅 Партия на рейтинг
lobby-rated-here = 🏅 Идёт только в рейтинги этого чата: соперники сыграли сегодня десять рейтинговых партий
lobby-rated-alone = 🏅 Партия на рейтинг. Изменения считаются наполовину: играет компьютер. После подсказки или возврата хода в зачёт идёт только поражение.
lobby-casual = Без рейтинга: { $reason }
lobby-casual-pause = Без рейтинга: { $name } на паузе, потому что слишком много партий отменено или просрочено. ⏱ { $time }
lobby-casual-several-people = Без рейтинга: с компьютером играют несколько человек. Чтобы партия шла на рейтинг, займите все места людьми или играйте с компьютерами в одиночку.
button-rated = Зачёт: { $rule }
lobby-rated-on = на рейтинг
lobby-rated-off = для удовольствия
refuse-stats-private = В личном чате видна только ваша статистика: /me. Спросите в общей группе.
refuse-history-private = В личном чате видны все ваши партии: /history. Партии против одного игрока спросите в общей группе.
refuse-stats-unknown = Я ещё не видел партий { $name } здесь. Статистика появится после первой партии.
casual-chosen = играем для удовольствия
casual-hints = разрешены подсказки
casual-takeback = ход был возвращён
casual-substitute = игрока заменили
casual-guest = играет гость страницы: партии гостей идут на рейтинг через день после первой или после связывания аккаунта (/link)
casual-unknown-computer = у компьютера здесь нет рейтинга
casual-several-people = с компьютером играют несколько человек
casual-coached = это учебная партия
casual-same-person = один человек играет за несколько сторон
casual-aborted = партия прервана
casual-too-short = партия слишком короткая
casual-no-list = для такой игры нет рейтинга
casual-pair-limit = соперники уже сыграли здесь сегодня пять рейтинговых партий
lobby-pair-limit-no-group = соперники уже сыграли сегодня вне групп пять рейтинговых партий
casual-pair-limit-everywhere = соперники сыграли сегодня десять рейтинговых партий: следующие идут только в списки групп
casual-new-account = новый игрок выиграл очень короткую партию
casual-farming = она повторяет прежнюю победу
casual-deleted-account = игрок удалил или отвязал аккаунт меньше 90 дней назад
casual-rating-pause = игрок на паузе и пока не играет на рейтинг
casual-other = так решило правило новой версии
answer-guard-short = ⚠️ Три ваши последние рейтинговые партии кончились за несколько ходов. На рейтинг играют всерьёз. О следующей такой партии я сообщу владельцу бота. Для коротких партий выберите перед игрой «для удовольствия».
answer-guard-reported = ⚠️ Ещё одна ваша рейтинговая партия кончилась за несколько ходов, и я сообщил об этом владельцу бота. Рейтинг остаётся прежним.
answer-guard-endings = ⚠️ Слишком много ваших последних рейтинговых партий кончилось тем, что вы их отменили, просрочили время или их единственное сообщение было удалено. Если так пойдёт дальше, ваши партии на время останутся без рейтинга: сначала на 10 минут, потом дольше, самое большее на 3 дня.
answer-guard-pause = ⏸ Слишком много ваших последних партий отменено, просрочено или прервано удалением их единственного сообщения. Ваши новые партии пока без рейтинга, и остальные видят это до игры. ⏱ { $time }
refuse-frozen = Владелец бота приостановил этот стол. Время не идёт, и никто не проиграет. Игра продолжится, когда он разрешит.
board-frozen = 🧊 Владелец бота приостановил этот стол. Часы стоят.
closed-host = Владелец бота отменил эту партию. Никто не проиграл.
refuse-banned = Владелец бота закрыл вам доступ. Больше я отвечать не буду.
refuse-draining = Скоро меня обновят, поэтому новые партии пока не начинаются. Начатые продолжаются. Попробуйте позже.
answer-host-message = 📣 Сообщение от владельца бота: { $text }
refuse-admin-group = Напишите мне это в личном чате.
answer-admin = { $text }
button-admin-close = Отменить партию
button-admin-close-sure = Точно отменить
button-admin-delete = 🗑 Удалить
button-admin-delete-sure = 🗑 Точно удалить
setting-news = 📣 Сообщения владельца бота
setting-news-about = Может ли владелец бота изредка писать сюда, например перед долгим перерывом?
value-news-off = выключен
value-news-on = включён
setting-achieved = 🎖 Достижения
setting-achieved-about = Небольшие цели, которые учат игре. Если они отключены, их не видите ни вы, ни другие.
value-achieved-shown = показываются
value-achieved-hidden = отключены
setting-digest = 📅 Итоги недели
setting-digest-about = Писать ли раз в неделю, что здесь было сыграно: по понедельникам в 9 часов, без звука? Если за неделю никто не играл, сообщения нет.
value-digest-off = выключены
value-digest-on = включены
setting-keep = 🗄 Хранить партии
setting-keep-about = Сколько хранить ходы и карты сыгранных партий этого чата? Более старые удаляются навсегда, но не раньше чем через сутки после выбора. Результаты и рейтинги остаются.
value-keep-always = всегда
value-keep-365 = 1 год
value-keep-90 = 90 дней
value-keep-30 = 30 дней
setting-chatzone = 🕰 Время чата
setting-chatzone-about = На сколько время этого чата отличается от UTC? По нему в 9 часов приходят итоги недели. В Москве +3, в Армении +4, в Казахстане +5, в Кыргызстане +6, в Индии и на Шри-Ланке +5:30.
answer-digest-is-on = Итоги недели приходят по понедельникам в 9 часов.
answer-digest-is-off = Итоги недели выключены. Включить снова: /settings chat
answer-digest = 📅 <b>Неделя в этом чате</b>
answer-digest-games = Партий: { $count }, игроков: { $players } ({ $games })
answer-digest-game = { $game } – { $count }
answer-digest-most = 🎲 Больше всего партий: { $names } ({ $count })
answer-digest-gain = 📈 Самый большой рост рейтинга: { $name } { $points } ({ $list })
answer-digest-streak = 🔥 { $name }: побед подряд – { $count }
answer-digest-close = ⚖ Самая упорная партия: { $winners } – { $losers } { $score } ({ $game })
button-digest-top = 🏆 Рейтинги
button-digest-off = Без итогов недели
answer-data-host = Что владелец бота сделал с вашим аккаунтом (например, закрыл доступ), сообщения о нарушениях и паузы из-за них: год; сам запрет — как код, по которому аккаунт узнать нельзя.

## Blocked people

command-block = заблокировать игрока или посмотреть список
command-unblock = разблокировать игрока
answer-block-done = 🚫 Теперь в вашем списке: { $name }. Вызвать вас и сесть с вами за один стол этот игрок не сможет. Об этом никто не узнает. Начатые партии продолжаются.
answer-block-already = { $name } уже в вашем списке. Посмотреть его: /block
answer-block-invitations = Открытые приглашения между вами больше не действуют.
answer-block-private = Другие здесь видят, что вы пишете. В нашем личном чате это тоже работает.
answer-block-list = 🚫 <b>Заблокировано игроков: { $count }</b>. Чтобы разблокировать, нажмите на имя.
answer-block-none = Вы никого не заблокировали. Заблокировать: /block @друг. Такой игрок не сможет вызвать вас и сесть с вами за один стол, и никто об этом не узнает.
answer-unblocked = { $name } больше не в вашем списке.
button-unblock = Разблокировать
button-unblock-named = Разблокировать: { $name }
refuse-block-self = Себя заблокировать нельзя. Ваш список: /block
refuse-block-unknown = Я не знаю игрока { $name }. Напишите /block с именем в группе, где есть вы оба.
refuse-block-full = В вашем списке уже { $count } игроков, больше нельзя. Сначала разблокируйте кого-нибудь: /block
refuse-unblock-none = { $name } не в вашем списке. Посмотреть его: /block
refuse-block-own = { $name } в вашем списке заблокированных, поэтому здесь ничего не изменилось. Список: /block
refuse-block-seat = Места для вас за этим столом сейчас нет. Можно смотреть или открыть свой стол: /play
refuse-block-rematch = Тем же составом сейчас сыграть нельзя. Откройте новый стол: /play
refuse-chat-deleting = Владелец бота удаляет данные этого чата, поэтому открыть здесь стол пока нельзя. Попробуйте ещё раз через несколько минут.
refuse-block-challenge = { $name } сейчас не принимает вызовы. Позовите другого игрока или откройте стол для всех: /play
refuse-block-substitute = { $name } сейчас не может занять это место. Отклоните предложение или назовите другого: /substitute
answer-data-blocks = Кого вы заблокировали: пока не разблокируете или пока один из вас не удалит аккаунт.

# Доска, на которой человек разбирает позиции

# Кто играет там вместо людей; $n — номер игрока.
analysis-player = { $n ->
        [1] Первый
       *[other] Второй
    }
# Подпись выбора, чей ход.
analysis-turn = Чей ход
# Текст не похож ни на одну запись позиции; $example — пример.
analysis-unknown-position = Это не запись позиции этой игры. Она выглядит так: { $example }
analysis-no-setup = Позиции этой игры здесь разбирать нельзя.
analysis-over = В этой позиции игра окончена.
analysis-game-runs = Вы сейчас играете ({ $game }, стол { $table }): до конца этой партии нет ни оценок, ни подсказок.

## Hidden names

command-hidename = скрыть имя игрока в этом чате (для администраторов)
argument-reason = почему, для самого игрока
answer-hidename = Администраторы чата могут скрыть имя, которое оскорбляет других: /hidename @имя и, если хотите, причина. Остальные здесь увидят нейтральное имя. Вернуть: /hidename @имя off
answer-name-hidden = 🙈 Теперь вместо { $name } здесь видно { $shown }, и в прежних партиях тоже. Игрок узнает об этом и о причине лично. Вернуть имя: /hidename @имя off
answer-name-hidden-already = Имя { $name } здесь уже скрыто; остальные видят { $shown }.
answer-name-shown = Имя { $name } здесь больше не скрыто.
refuse-hidename-full = В этом чате уже скрыто имён: { $count }. Сначала верните одно из них.
refuse-name-not-hidden = Имя { $name } в этом чате не скрыто.
refuse-hidename-private = Имя скрывают в той группе, где его видно: напишите это там.
refuse-hidename-admin = Скрывать имена могут только администраторы этого чата.
refuse-hidename-unknown = Я не знаю игрока { $name }. Назовите того, кто здесь играл или писал мне.
answer-name-hidden-here = 🙈 Администраторы этого чата скрыли здесь ваше имя. Остальные видят { $name }. Если вы выберете другое имя в профиле, попросите администратора посмотреть: вернуть имя может только администратор.
answer-name-hidden-everywhere = 🙈 Владелец бота скрыл ваше имя во всех чатах. Остальные видят { $name }. Если вы выберете другое имя в профиле, попросите его посмотреть: вернуть имя может только он.
answer-name-hidden-reason = Причина: { $reason }
list-hidden-player = Игрок { $code }
answer-data-hidden-names = Что ваше имя скрыто в чате или везде, с какого времени и почему: пока имя не вернут или вы не удалите аккаунт.
