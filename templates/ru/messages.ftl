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
lobby-fair = Честный жребий, SHA-256: <code>{ $hash }</code>

# Results

over-won = 🏆 Побеждает <b>{ $winner }</b>, счёт { $score }.
over-draw = 🤝 Ничья, { $score }.
over-agreed = 🤝 Ничья по соглашению.
over-resigned = 🏳 { $name } сдаётся. Побеждает <b>{ $winner }</b>.
over-next = Игра продолжается за столом <code>{ $table }</code>.
closed-declined = { $name } отказывается от игры.
closed-aborted = Игра отменена до второго хода.
closed-cancelled = Стол закрыт.
closed-outdated = Правила этой игры изменились с её начала, поэтому она закончилась здесь. Никто не проиграл, запись сохранена.

# Offers

offer-draw = 🤝 { $name } предлагает ничью.
offer-take-back = ↩ { $name } просит вернуть свой последний ход.
offer-rematch = 🔁 { $name } хочет сыграть ещё раз.

# Calls to a person who does not look

call-turn = { $name }, ваш ход (стол <code>{ $table }</code>).
call-draw = { $name }, вам предлагают ничью (стол <code>{ $table }</code>).
call-take-back = { $name }, вас просят вернуть ход (стол <code>{ $table }</code>).

# Lists

games-none = У вас нет открытых столов. Откройте стол в группе: /togyz
games-title = Ваши столы:
games-more =
    { $count ->
        [one] … и ещё { $count } стол.
        [few] … и ещё { $count } стола.
        [many] … и ещё { $count } столов.
       *[other] … и ещё { $count } стола.
    }
list-lobby = <code>{ $table }</code> { $game }: ждём игроков
list-your-turn = 👉 <code>{ $table }</code> { $game } · { $with } · ход { $move }: <b>ваша очередь</b>
list-their-turn = <code>{ $table }</code> { $game } · { $with } · ход { $move }
list-linked = { $line } — { $link }
list-over = <code>{ $table }</code> { $game } · { $with }: игра окончена
which-table = О каком столе речь?
play-choose = Во что сыграем?

# Buttons

button-join = Присоединиться
button-accept = Принять
button-decline = Отклонить
button-cancel = Закрыть стол
button-variant = Правила: { $variant }
button-begin = Первый ход: { $begin }
button-abort = Отменить игру
button-take-back = ↩ Вернуть
button-draw = 🤝 Ничья
button-resign = 🏳 Сдаться
button-down = ⬇ Доска
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
answer-offered = Предложение сделано. Ждём согласия.
answer-board-down = Вот доска.
answer-record = Запись игры за столом { $table }. По числу seed в ней любой может проверить жребий.
answer-declined = Отклонено.
answer-saved-person = Теперь я говорю с вами по-русски.
answer-saved-chat = Теперь я говорю в этом чате по-русски.
answer-language = На каком языке говорить с вами?
answer-no-private = Ответить вам здесь лично не получилось.
answer-cannot-write = Мне нельзя писать или отправлять картинки в этот чат. Попросите администратора разрешить и попробуйте снова.

# Refusals

refuse-already-started = Игра уже началась.
refuse-table-over = Эта игра уже окончена.
refuse-not-started = Игра ещё не началась: сначала кто-то должен присоединиться.
refuse-not-your-table = Вы не играете за этим столом.
refuse-opener-only = Это может сделать только тот, кто открыл стол: { $name }.
refuse-already-seated = Вы уже за этим столом. Нужен кто-то ещё.
refuse-not-invited =
    { $count ->
        [one] Сюда приглашён другой игрок: { $name }. Свой стол можно открыть командой /play
       *[other] Сюда приглашены другие: { $name }. Свой стол можно открыть командой /play
    }
refuse-nothing-offered = Отвечать больше не на что.
refuse-leave-in-play = Игра идёт. Можно сдаться: /resign или передать место: /substitute
refuse-unknown-variant = Таких правил я не знаю.
refuse-not-your-turn = Сейчас ходит { $name }.
refuse-what-move = Не понимаю ход «{ $typed }». Можно пойти так: { $legal }.
refuse-not-understood = Не понимаю этот ход.
refuse-old-board =
    { $seen ->
        [0] На этой доске начало игры,
       *[other] На этой доске ход { $seen },
    } { $now ->
        [0] а сейчас снова начало. Пожалуйста, играйте на текущей доске.
       *[other] а сейчас ход { $now }. Пожалуйста, играйте на текущей доске.
    }
refuse-old-button = Эта кнопка устарела. Пожалуйста, играйте на текущей доске.
refuse-too-late-to-abort = После второго хода можно только сдаться или согласиться на ничью.
refuse-already-offered = Вы это уже предложили. Ждём ответа.
refuse-answer-first = Сначала нужно ответить на предложение.
refuse-turned-down = Это только что отклонили. Сначала сделайте ход, а потом предлагайте снова.
refuse-nothing-to-take-back = Вы ещё не сделали ни одного хода.
refuse-not-over = Игра ещё не окончена.
refuse-rematch-exists = Вы уже играете дальше за столом { $table }.
refuse-own-offer = Это ваше собственное предложение, отвечать должны другие.
refuse-no-table-here = Здесь нет вашего открытого стола. Откройте новый: /togyz
refuse-unknown-table = Стола { $table } я не знаю.
refuse-no-record = Запись можно получить, когда игра закончится.
refuse-unknown-command = Не знаю команды /{ $name }. Все команды: /help
refuse-unknown-command-near = Не знаю команды /{ $name }. Может быть, /{ $near }?
refuse-not-your-answer = Этот ответ не для вас.
refuse-answer-gone = Этого ответа уже нет. Спросите ещё раз.
refuse-anonymous = Не вижу, кто вы. Пожалуйста, пишите от своего имени, а не от имени группы или канала.
refuse-bot = Боты играть не могут.
refuse-friend-bot = { $name } — бот и играть не может.
refuse-friend-self = Себя вызвать нельзя. Откройте стол без имени и ждите любого соперника.
refuse-too-many-friends = В эту игру можно позвать не больше { $count }.
refuse-too-many-tables-here = Здесь слишком много открытых столов ({ $count }). Сначала доиграйте за одним из них.
refuse-too-many-tables = У вас слишком много открытых столов ({ $count }). Сначала доиграйте за одним из них.
refuse-private-invite = Друг не видит наш личный чат. Откройте стол в группе, где мы есть все.
refuse-language = На этом языке я пока не говорю. Мои языки: { $languages }.
refuse-admin-only = Для всего чата это выбирают только администраторы.
refuse-chatter = Здесь я понимаю только команды: /help
refuse-table-damaged = С этим столом что-то не так, он отложен в сторону. Владелец бота об этом знает. Простите!
refuse-trouble = У меня что-то пошло не так. Попробуйте ещё раз чуть позже.
refuse-too-fast = Я не успеваю за вами. Подождите несколько секунд, пожалуйста.
refuse-busy = Слишком много всего сразу. Попробуйте ещё раз чуть позже.

# Help

help-title = <b>Caravanserai</b>: традиционные игры в вашем чате.
help-move = Ходите кнопками, командой /move 7 или ответом 7 на сообщение с доской.
help-private = В этом личном чате можно тренироваться, играя за обе стороны: /togyz
help-computers = Против компьютера: /togyz компьютер или с уровнем: /togyz сильный. Уровни: { $levels }.
help-commands = { "\u000A" }<b>Команды</b>
help-language = { "\u000A" }🌐 Ваш язык: /language
help-line = /{ $name } { $arguments }— { $about }

command-play = выбрать игру
command-move = сделать ход
command-board = показать доску внизу чата
command-games = ваши столы
command-draw = предложить ничью или согласиться на неё
command-takeback = попросить вернуть свой последний ход
command-resign = сдаться
command-abort = отменить игру до второго хода
command-leave = встать из-за стола или закрыть его, пока игра не началась
command-rematch = сыграть ещё раз, поменявшись сторонами
command-record = запись последней игры
command-text = доска словами
command-rules = правила в картинках
command-language = выбрать язык
command-help = что я умею
command-start = начать
command-join = сесть за стол, принять вызов
command-accept = принять вызов или предложение
command-decline = отклонить вызов

argument-friend = друг
argument-variant = правила
argument-begin = кто начинает
argument-pit = лунка
argument-table = стол
argument-scope = для кого
argument-language = язык
choice-seed = с дополнительным ходом
choice-short = без дополнительного хода
choice-lot = по жребию
choice-me = я
choice-friend = мой друг
choice-chat = этот чат

# Rules pages

rules-page = { $page } из { $pages }

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
hand-empty = Сейчас у вас нет карт.
hand-laid-down = Игра окончена.
hand-held = { $number }{ $what }{ $mark }
hand-inline = Сыграть за столом { $table }
hand-inline-nothing = Сейчас ходить нечем
refuse-nothing-hidden = В этой игре нет ничего скрытого.
refuse-no-hand = За этим столом сейчас карты не розданы.
refuse-no-such-card = У вас нет столько карт.
refuse-no-sheet = В этой игре нет такого листа.
button-hand = 🃏 Моя рука
button-cards = ⌨ Мои карты
button-menu = ⋯
answer-menu = Стол <code>{ $table }</code>:
button-text = 🔤 Словами

# Two presses for a card
answer-confirm-card = Нажмите { $card } ещё раз в течение минуты, чтобы сыграть.
answer-confirm-is-on = Ваши карты играются со второго нажатия.
answer-confirm-is-off = Ваши карты играются с первого нажатия.
button-confirm-on = 👆👆 Переспрашивать
button-confirm-off = 👆 Хватит одного нажатия
command-hand = Показать вашу руку, только вам
command-score = Запись счёта
command-last = Что сыграно последним
command-options = Правила стола
command-confirm = Карта играется с одного нажатия или с двух
argument-switch = вкл или выкл
choice-on = вкл
choice-off = выкл

# Tables for several, computers, changing seats

lobby-nobody = свободно
lobby-seat = Место { $n }: { $name }
lobby-partners = Сидящие напротив играют вместе: 1 и 3 против 2 и 4.
lobby-awaited = Приглашены: { $names }.
lobby-open =
    { $count ->
        [one] Свободно { $count } место, садиться может любой.
        [few] Свободно { $count } места, садиться может любой.
        [many] Свободно { $count } мест, садиться может любой.
       *[other] Свободно { $count } места, садиться может любой.
    }
lobby-full = Все места заняты. { $name } может поменять места и нажимает «Начать».
lobby-until = Если за столом сутки ничего не происходит, он закроется сам.
over-resigned-together = 🏳 { $name } сдаётся с согласия партнёра. Побеждают <b>{ $winner }</b>.
over-given-up = 🏳 { $name } сдаётся. Остались: { $winner }.
closed-expired = Игру никто не начал, и стол закрылся.
offer-resign = 🏳 { $name } хочет сдаться. Нужно согласие партнёра.
offer-replace = 🪑 { $name } предлагает, чтобы за { $seat } играл { $newcomer }.
offer-leave = 🪑 { $seat } хочет передать своё место: { $newcomer }.
offer-take-over = 🪑 { $newcomer } хочет занять место: { $seat }.
offer-replaced = 🪑 { $newcomer } играет дальше вместо { $name }.
offer-agreed = ✓ Согласны: { $names }
offer-waiting = Ждём ответа: { $names }.
offer-patience =
    { $minutes ->
        [one] { $name } может возразить. После { $minutes } минуты молчания решают остальные.
       *[other] { $name } может возразить. После { $minutes } минут молчания решают остальные.
    }
call-resign = { $name }, ваш партнёр хочет сдаться (стол <code>{ $table }</code>).
call-replace = { $name }, место хотят передать другому: вы согласны (стол <code>{ $table }</code>)?
call-start = { $name }, все места заняты: можно начинать (стол <code>{ $table }</code>).
call-invited = { $name }, вас зовут играть (стол <code>{ $table }</code>).
call-closing = { $name }, стол <code>{ $table }</code> закроется через { $minutes } мин., если там ничего не произойдёт. Кнопка «Продлить» оставит его открытым.
button-leave = Встать
button-computer = + 🤖 Компьютер
button-no-computer = − 🤖 Убрать
button-seats = Мест: { $count }
button-start = ▶ Начать
button-extend = ⏳ Продлить
button-remind = 🔔 Напомнить
button-guests = Удалить…
button-stand-ins = 🪑 Замена
button-computer-for = 🤖 Компьютер вместо { $name }
button-take-over = 🪑 Играть вместо { $name }
answer-agreed = Вы согласны. Ждём ответа остальных.
answer-reminded = Приглашённым напомнили.
answer-extended = Стол открыт ещё на сутки.
answer-guests = Кого убрать из-за стола?
answer-stand-ins = Место может занять компьютер, если остальные согласны. Чтобы позвать друга, напишите /substitute и его имя.
answer-take-over = Какое место хотите занять? Остальные за столом должны согласиться.
refuse-no-free-seat = Свободных мест нет.
refuse-kicked = Хозяин стола попросил вас уйти.
refuse-seat-taken = Это место занято.
refuse-lobby-changed = За столом что-то изменилось. Посмотрите ещё раз.
refuse-not-here = { $name } не сидит за этим столом.
refuse-kick-self = Себя удалить нельзя. Чтобы встать: /leave
refuse-no-computer = Компьютеров здесь нет.
refuse-seats = Здесь играют от { $fewest } до { $most } человек.
refuse-too-many-sit = Здесь уже больше игроков и приглашённых. Сначала кого-нибудь удалите.
refuse-too-few =
    { $count ->
        [one] Не хватает { $count } игрока. Может играть и компьютер.
       *[other] Не хватает { $count } игроков. Могут играть и компьютеры.
    }
refuse-nobody-awaited = Здесь никого не ждут.
refuse-nobody-named = Назовите кого-нибудь: @друг
refuse-reminded = Им только что напомнили. Попробуйте через { $minutes } мин.
refuse-already-agreed = Вы уже согласились.
refuse-no-draws = В этой игре ничьих не бывает.
refuse-draw-computer = Компьютер на ничью не соглашается. Можно сдаться: /resign
refuse-back-hidden = В этой игре ходы не возвращают: карты уже увидели все.
refuse-back-chance = Это вернуть нельзя: после этого уже бросили жребий.
refuse-computer-there = Там уже играет компьютер.
refuse-unknown-seat = Такого места нет.
refuse-seated-already = { $name } уже играет за этим столом.
refuse-last-person = Вы здесь последний человек. Можно сдаться: /resign
refuse-friend-twice = Вы назвали { $name } дважды.
command-begin = начать с теми, кто за столом
command-kick = убрать кого-то из-за стола до игры
command-substitute = передать место другому игроку
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
answer-theme = Как должны выглядеть доски? Первые кнопки — для того, что видите только вы.
answer-theme-person = То, что видите только вы, теперь выглядит так: { $theme }.
answer-theme-chat = Доски в этом чате теперь выглядят так: { $theme }.
refuse-theme = Я знаю такие темы: { $themes }.
answer-turned-is-on = То, что видите только вы, теперь повёрнуто вашей стороной вниз.
answer-turned-is-off = То, что видите только вы, теперь стоит так же, как у всех.
button-turned-on = 🔄 Моя сторона снизу
button-turned-off = 🔄 Как у всех
answer-words-is-on = Теперь там, где читаете только вы, я рассказываю доски словами.
answer-words-is-off = Теперь я снова показываю вам доски картинками.
button-words-on = 🔤 Всегда словами
button-words-off = 🖼 Всегда картинками
button-view = 👁 С моей стороны
# Replays and charts.
button-replay = 🎬 Повтор
button-chart = 📈 График
answer-replay = 🎬 Рисую повтор игры… Он появится здесь через мгновение.
answer-replay-soon = Повтор уже рисуется и скоро появится здесь.
answer-replay-above = Повтор этой игры уже показан здесь несколько минут назад: посмотрите чуть выше.
refuse-no-replay = Повтор можно посмотреть, когда игра закончится.
refuse-replay-busy = Сейчас рисуется много повторов. Попробуйте ещё раз через минуту.
refuse-chart-later = Карты на руках — тайна: график будет, когда игра закончится.
refuse-no-chart = За этим столом нет игры, по которой можно построить график.
answer-replay-title = 🎬 <b>{ $game }</b> · стол <code>{ $table }</code> · { $names }
command-replay = последняя игра как движущаяся картинка
command-chart = график счёта по ходу игры
# Computers: who they are and how strong
computer-beginner = 🤖 Верблюжонок{ $n }
computer-easy = 🤖 Погонщик{ $n }
computer-medium = 🤖 Купец{ $n }
computer-strong = 🤖 Проводник{ $n }
computer-master = 🤖 Караван-баши{ $n }
computer-thinks = { $name } думает…
level-beginner-about = первый раз в пути и путается в собственных ногах.
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
button-levels = 🤖 Уровни…
button-relevel = Место { $n }: { $level } ▸ сменить
refuse-computer-thinks = { $name } думает. Минутку, пожалуйста.

# Hints
lobby-hints = 💡 Подсказки: { $rule }.
lobby-hints-on = для всех
lobby-hints-off = без них
lobby-hints-alone = только в игре с одними компьютерами
button-hints = Подсказки: { $rule }
button-hint = 💡 Подсказка
command-hint = как сейчас сыграл бы мастер, только для вас
answer-hint = 💡 Мастер сыграл бы так: { $move }. Шанс на победу тогда около { $percent } %.
answer-hint-sure = 💡 Мастер сыграл бы так: { $move }.
answer-hint-counted = Все видят, что вы взяли подсказку, но не видят какую.
refuse-hint-turn = Подсказка даётся, когда ходите вы. Сейчас ходит { $name }.
refuse-hint-off = За этим столом играют без подсказок: так решили до начала.
refuse-hint-used =
    { $count ->
        [one] Вы взяли единственную подсказку этой партии.
        [few] Вы взяли все { $count } подсказки этой партии.
       *[other] Вы взяли все { $count } подсказок этой партии.
    }
refuse-hint-soon = Над вашей подсказкой уже думают.
refuse-hint-late = Игра тем временем ушла вперёд. Спросите ещё раз, когда будет ваш ход.
over-hints = 💡 Подсказки: { $names }
over-hinted = { $name } { $count }

# The review after a game
button-review = 🔍 Разбор
command-review = где переломилась последняя партия и что было лучше
answer-review =
    { $seconds ->
        [one] 🔍 Разбираю партию. Разбор появится здесь примерно через { $seconds } секунду.
        [few] 🔍 Разбираю партию. Разбор появится здесь примерно через { $seconds } секунды.
       *[other] 🔍 Разбираю партию. Разбор появится здесь примерно через { $seconds } секунд.
    }
answer-review-soon = Партия уже разбирается. Разбор скоро появится здесь.
answer-review-above = Разбор этой партии был здесь несколько минут назад: посмотрите чуть выше.
refuse-no-review = Разбор делается, когда партия сыграна и закончена.
refuse-review-busy = Разбора ждут многие. Спросите, пожалуйста, через минуту.
refuse-review-gone = Этого разбора здесь больше нет. Попросите его снова: /review
answer-review-title = 🔍 <b>{ $game }</b> · стол <code>{ $table }</code> · где был перелом
answer-review-line = { $n }. Ход { $move }, { $name }: { $played } ({ $before } % → { $after } %). Лучше: { $better }.
answer-review-none = Ни один ход не изменил многого: партия решалась шаг за шагом.
answer-review-chart = Линии показывают, насколько вероятна была победа каждой стороны, ход за ходом, как это видит компьютер.
answer-moment = Перед ходом { $move }: играет { $name }, выбрано { $played }. Мастер сыграл бы <b>{ $better }</b>.
answer-moment-chance = Шанс на победу был около { $before } % и стал { $after } %.

# Что сделало нажатие: короткая строка тому, кто нажал.
done-told = ✓ { $what }
done-and = { $first } · { $second }
done-your-turn = ваш ход
done-turn = ходит { $name }
done-opened = стол открыт
done-below = теперь внизу
done-joined = вы за столом
done-left = вы вышли из-за стола
done-seats = места изменены
done-settled = записано
done-started = игра началась
done-back = ход возвращён
done-replaced = место занято
done-declined = отклонено
done-over = игра окончена
done-closed = стол закрыт
refuse-slid = Кнопка только что изменилась. Если вам нужно то, что на ней теперь, нажмите ещё раз.
