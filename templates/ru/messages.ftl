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
closed-aborted = Партия отменена. Никто не проиграл.
closed-cancelled = Стол закрыт.
closed-outdated = Правила этой игры изменились с её начала, поэтому она закончилась здесь. Никто не проиграл, запись сохранена.

# Offers

offer-draw = 🤝 { $name } предлагает ничью.
offer-take-back = ↩ { $name } просит вернуть свой последний ход.
offer-rematch = 🔁 { $name } хочет сыграть ещё раз.

# Calls to a person who does not look

call-turn = { $name }, ваш ход (стол <code>{ $table }</code>).
call-draw = { $name }, вам предлагают ничью (стол <code>{ $table }</code>).
call-take-back = { $name }, соперник просит вернуть ход. Вы согласны (стол <code>{ $table }</code>)?

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
list-over = <code>{ $table }</code> { $game } · { $with }: игра окончена
list-and = { $first } и { $last }
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
answer-saved-chat = Язык в этом чате теперь такой: { $language }.
answer-young = 🌱 — молодой перевод: мы ещё расспрашиваем тех, для кого этот язык родной.
answer-no-private = Ответ для вас: нажмите, чтобы прочитать.
answer-cover = { $name }, это для вас: нажмите, чтобы прочитать.
answer-not-shown = Нажатие засчитано, но показать доску здесь нельзя: мне не разрешено { $rights }. Попросите администратора.
answer-board-refused = Нажатие засчитано, но доска здесь не отправилась. Попробовать ещё раз: /board
answer-lacked-rights = Только что мне было не разрешено { $rights }. Если доска не изменится, попросите администратора.
right-write = отправлять сообщения
right-pictures = отправлять картинки
right-topics = писать в закрытых темах
right-post = публиковать в этом канале
answer-lacks-rights = В этом канале мне не хватает прав: { $rights }. Попросите администратора разрешить и попробуйте снова.

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
refuse-not-abandoned = Эту игру играют другие. Прервать её можно, когда { $days } дней ничего не происходит и часы не идут.
refuse-already-offered = Вы это уже предложили. Ждём ответа.
refuse-offer-waits = Сначала должны ответить на ваше прежнее предложение.
refuse-answer-first = Сначала нужно ответить на предложение.
refuse-turned-down = Это только что отклонили. Сначала сделайте ход, а потом предлагайте снова.
refuse-nothing-to-take-back = Вы ещё не сделали ни одного хода.
refuse-not-over = Игра ещё не окончена.
refuse-rematch-exists = Вы уже играете дальше за столом { $table }.
refuse-own-offer = Это ваше собственное предложение, отвечать должны другие.
refuse-no-table-here = Здесь нет вашего открытого стола. Откройте новый: /play
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
refuse-too-many-friends = { $count ->
        [one] В эту игру можно позвать одного друга.
       *[other] В эту игру можно позвать не больше { $count } друзей.
    }
refuse-too-many-tables-here = Здесь слишком много открытых столов ({ $count }). Сначала доиграйте за одним из них. Забытую игру может прервать админ: /abort и её код.
refuse-too-many-own-here = Вы открыли здесь уже столько столов: { $count }. Сначала доиграйте за одним из них: место нужно и другим.
refuse-too-many-tables = У вас уже { $count } открытых столов, больше нельзя. Сначала доиграйте за одним из них: /games
refuse-too-many-tables-of = У { $name } уже { $count } открытых столов, больше нельзя. Когда один из них закончится, всё получится: попробуйте тогда ещё раз.
refuse-private-invite = Друг не видит наш личный чат. Откройте стол по ссылке (/play) или играйте в общей группе.
refuse-language = На этом языке я пока не говорю. Мои языки: { $languages }.
refuse-admin-only = Для всего чата это выбирают только администраторы.
refuse-chatter = Здесь я понимаю только команды: /help
refuse-table-damaged = С этим столом что-то не так, он отложен в сторону. Владелец бота об этом знает. Простите!
refuse-trouble = У меня что-то пошло не так. Попробуйте ещё раз чуть позже.
refuse-unsaved = Сейчас ничего нельзя сохранить, поэтому это ещё не засчитано. Попробуйте ещё раз чуть позже.
refuse-too-fast = Я не успеваю за вами. Подождите несколько секунд, пожалуйста.
refuse-busy = Слишком много всего сразу. Попробуйте ещё раз чуть позже.

# Help

help-title = <b>Caravanserai</b>: старинные игры в вашем чате.
help-move = Ваш ход? Нажмите кнопку или ответьте ходом на сообщение с доской.
help-computers = Против компьютера: /togyz компьютер, а с уровнем — /togyz сильный. Уровни: { $levels }.
help-posing = В любом чате, даже где меня нет: наберите { $name } и выберите игру, или { $name } blot computer.
help-commands = <b>Команды</b> ({ $page })
help-line = { $name } — { $about }

command-play = выбрать игру
command-move = сделать ход
command-board = показать доску внизу чата
command-games = ваши столы
command-draw = предложить ничью или согласиться на неё
command-takeback = попросить вернуть свой последний ход
command-resign = сдаться
command-abort = отменить игру: до второго хода одному, потом с согласия всех
command-leave = встать из-за стола до начала игры
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
hand-not-shown = 🃏 { $names }: нажмите «Мои карты», чтобы увидеть свои карты.
hand-held = { $number }{ $what }{ $mark }
hand-inline = Сыграть за столом { $table }
hand-inline-nothing = Сейчас ходить нечем
refuse-nothing-hidden = В этой игре нет ничего скрытого.
refuse-no-hand = За этим столом сейчас карты не розданы.
refuse-no-such-card = У вас нет столько карт.
refuse-no-sheet = В этой игре такой таблицы нет.
button-hand = 🃏 Мои карты
button-deals = 👐 Раздачи
deal-title = Стол <code>{ $table }</code>, раздача { $number } из { $count }: у кого что было
refuse-no-deals = Ещё ни одна раздача не закончена: карты можно посмотреть после неё.
button-cards = ⌨ Выбрать карту
button-menu = ⋯
answer-menu = Стол <code>{ $table }</code>:
button-text = 🔤 Словами

# Two presses for a card
answer-confirm-card = Нажмите { $card } ещё раз в течение минуты, чтобы сыграть.
answer-confirm-is-on = Ваши ходы и карты теперь считаются со второго нажатия.
answer-confirm-is-off = Ваши ходы и карты теперь считаются с первого нажатия.
button-confirm-on = 👆👆 Переспрашивать
button-confirm-off = 👆 Хватит одного нажатия
command-hand = ваши карты, видны только вам
command-score = таблица очков
command-last = что сыграно последним
command-hands = у кого что было в законченных раздачах
command-options = правила стола
command-confirm = ходы и карты с одного нажатия или с двух
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
lobby-full = Все места заняты. { $name } может пересадить игроков и начать: «Начать».
lobby-until = Если за столом сутки ничего не происходит, он закроется сам.
over-resigned-together = 🏳 { $name } сдаётся с согласия партнёра. Побеждают <b>{ $winner }</b>.
over-given-up = 🏳 { $name } сдаётся. Остались: { $winner }.
closed-expired = Игру никто не начал, и стол закрылся.
closed-abandoned = Здесь давно никто не ходил, поэтому игра прервана. Никто не проиграл.
offer-resign = 🏳 { $name } хочет сдаться. Нужно согласие партнёра.
offer-replace = 🪑 { $name } предлагает замену: { $seat } → { $newcomer }.
offer-leave = 🪑 { $seat } хочет передать своё место игроку { $newcomer }.
offer-take-over = 🪑 { $newcomer } хочет играть вместо игрока { $seat }.
offer-replaced = 🪑 Теперь вместо игрока { $name } играет { $newcomer }.
offer-agreed = ✓ Согласны: { $names }
offer-waiting = Ждём ответа: { $names }.
offer-patience = { $name } может возразить. Если возражений не будет, остальные решат: через { $time }.
call-resign = { $name }, ваш партнёр хочет сдаться (стол <code>{ $table }</code>).
call-replace = { $name }, место хотят передать другому: вы согласны (стол <code>{ $table }</code>)?
call-start = { $name }, все места заняты: можно начинать (стол <code>{ $table }</code>).
call-invited = { $name }, вас зовут играть (стол <code>{ $table }</code>).
call-closing = { $minutes ->
        [one] { $name }, стол <code>{ $table }</code> закроется через { $minutes } минуту, если там ничего не произойдёт. Кнопка «Продлить» оставит его открытым.
        [few] { $name }, стол <code>{ $table }</code> закроется через { $minutes } минуты, если там ничего не произойдёт. Кнопка «Продлить» оставит его открытым.
       *[other] { $name }, стол <code>{ $table }</code> закроется через { $minutes } минут, если там ничего не произойдёт. Кнопка «Продлить» оставит его открытым.
    }
button-leave = Встать
button-computer = + 🤖 Компьютер
button-no-computer = − 🤖 Убрать
button-seats = Мест: { $count }
button-start = ▶ Начать
button-extend = ⏳ Продлить
button-remind = 🔔 Напомнить
button-guests = Убрать игрока…
button-stand-ins = 🪑 Замена
button-computer-for = 🤖 Компьютер вместо: { $name }
button-take-over = 🪑 Сесть вместо: { $name }
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
refuse-kick-self = Себя убрать нельзя. Встать из-за стола: /leave
refuse-no-computer = Компьютеров здесь нет.
refuse-seats = Здесь играют от { $fewest } до { $most } человек.
refuse-too-many-sit = Здесь уже больше игроков и приглашённых. Сначала кого-нибудь уберите.
refuse-too-few =
    { $count ->
        [one] Не хватает { $count } игрока. Может играть и компьютер.
       *[other] Не хватает { $count } игроков. Могут играть и компьютеры.
    }
refuse-nobody-awaited = Здесь никого не ждут.
refuse-nobody-named = Назовите кого-нибудь: @друг
refuse-reminded = { $minutes ->
        [one] Им только что напомнили. Попробуйте через { $minutes } минуту.
        [few] Им только что напомнили. Попробуйте через { $minutes } минуты.
       *[other] Им только что напомнили. Попробуйте через { $minutes } минут.
    }
refuse-already-agreed = Вы уже согласились.
refuse-no-draws = В этой игре ничьих не бывает.
refuse-draw-computer = Компьютер на ничью не соглашается. Можно сдаться: /resign
refuse-back-hidden = В этой игре ходы не возвращают: карты уже увидели все.
refuse-back-chance = Это вернуть нельзя: после этого уже бросали кубики.
refuse-computer-there = Там уже играет компьютер.
refuse-unknown-seat = Такого места нет.
refuse-seated-already = { $name } уже играет за этим столом.
refuse-last-person = Вы здесь последний человек. Можно сдаться: /resign
refuse-friend-twice = Один и тот же друг назван дважды: { $name }.
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
answer-theme-person = Доски, которые видите только вы, теперь выглядят так: { $theme }.
answer-theme-shared = Доска этого чата остаётся прежней: она одна на всех. Выбрать для неё может администратор: /theme
answer-theme-chat = Доски в этом чате теперь выглядят так: { $theme }.
refuse-theme = Я знаю такие темы: { $themes }.
answer-turned-is-on = На досках, которые видите только вы, ваша сторона теперь внизу.
answer-turned-is-off = Доски, которые видите только вы, теперь стоят как у всех.
button-turned-on = 🔄 Моя сторона снизу
button-turned-off = 🔄 Как у всех
answer-pace-is-calm = Компьютеры, с которыми вы играете в одиночку, теперь ходят по очереди, чтобы вы успевали следить.
answer-pace-is-quick = Компьютеры, с которыми вы играете в одиночку, теперь отвечают сразу.
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
answer-replay = 🎬 Рисую повтор игры… Он появится здесь через мгновение.
answer-replay-soon = Повтор уже рисуется и скоро появится здесь.
answer-replay-above = Повтор этой игры уже показан здесь несколько минут назад: посмотрите чуть выше.
refuse-no-replay = Повтор можно посмотреть, когда игра закончится.
refuse-replay-busy = Сейчас рисуется много повторов. Попробуйте ещё раз через минуту.
refuse-chart-later = Карты на руках — тайна: график будет, когда игра закончится.
refuse-no-chart = За этим столом нет игры, по которой можно построить график.
answer-replay-title = 🎬 <b>{ $game }</b> · стол <code>{ $table }</code> · { $names }
command-replay = повтор последней игры
command-chart = график счёта по ходу игры
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
lobby-hints-off = нет
lobby-hints-alone = только против компьютеров
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
over-hinted = { $name } — { $count }

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
answer-review-progress = 🔍 <b>{ $game }</b>: просматриваю партию … { $made } %
answer-review-above = Разбор этой партии был здесь несколько минут назад: посмотрите чуть выше.
refuse-no-review = Разбор делается, когда партия сыграна и закончена.
refuse-review-busy = Разбора ждут многие. Спросите, пожалуйста, через минуту.
refuse-review-gone = Этого разбора здесь больше нет. Попросите его снова: /review
answer-review-title = 🔍 <b>{ $game }</b> · стол <code>{ $table }</code> · где был перелом
answer-review-line = { $n }. Ход { $move }, { $name }: { $played } ({ $before } % → { $after } %). Лучше: { $better }.
answer-review-none = Ни один ход не изменил многое: партия решалась шаг за шагом.
answer-review-chart = График показывает, насколько вероятна была победа каждой стороны, ход за ходом, как это видит компьютер. Числа на нём – номера ходов из списка выше.
answer-moment = Ход { $move }: { $name } играет { $played }. Мастер сыграл бы <b>{ $better }</b>.
answer-moment-chance = Шанс на победу упал примерно с { $before } % до { $after } %.
answer-moment-answer = Ответ, который это позволило: { $name }, { $answer }.

# The first minute, and what was not understood
help-all = 🌐 /language · Все команды — за последней кнопкой.
help-all-typed = 🌐 /language · Все команды: /help все
button-learn = 📖 Учиться
button-alone = 🤖 Одному
button-help-all = Все команды
button-both-sides = ♟ За обоих
button-settings = ⚙ Настройки
button-verify = 🔒 Честно ли?
alone-choose = <b>{ $game }</b>: против кого сыграете?
alone-friend = С другом: нажмите «По ссылке» или играйте в группе, где есть и я: /play
alone-friend-link = С другом: нажмите «По ссылке» или возьмите меня в группу, где вы оба: { $link }
rules-which = Какой игре научиться?
refuse-clock = Часы — от 10 секунд до 30 дней на ход или минуты с секундами на ход: 3 мин, 5+5, 2 дня.
refuse-misread = Не понимаю «{ $word }», поэтому стол не открыт. Можно написать: компьютер, { $levels }, без подсказок, @друг.
refuse-misread-near = Не понимаю «{ $word }», поэтому стол не открыт. Может быть, «{ $near }»?
refuse-nobody-called = Здесь нет никого по имени @{ $name }, поэтому стол не открыт.
answer-settings = ⚙ Стол <code>{ $table }</code>, до начала игры:
answer-verify = 🔒 Стол <code>{ $table }</code>: случай определён до того, как кто-то сел за стол, и подправить его нельзя. Это число — доказательство: после игры в её записи будет зерно, к которому оно подходит.
lobby-unseen = Ещё не знаком: { $names }. Сесть за стол можно, нажав кнопку здесь.
answer-confirm-resign-typed = Игра на этом закончится. Отправьте ещё раз в течение минуты, чтобы сдаться.
answer-confirm-abort-typed = Игра на этом закончится. Отправьте ещё раз в течение минуты, чтобы прервать её.
refuse-nothing-to-join = Здесь нет стола, за который можно сесть. Откройте свой: /play
refuse-none-waiting = Здесь нет вашего стола, который ждёт игроков. Откройте новый: /play
refuse-not-playing-here = Вы здесь ни за одним столом не играете. Откройте свой: /play
refuse-none-finished = Здесь ещё не закончилась ни одна игра.
command-verify = как проверить, что случай честный
argument-move = чем ходить: 7, 8♥, пас
argument-game = игра
refuse-doubtful-move = «{ $typed }» не сходится. Вы имели в виду { $move }? Тогда отправьте { $move }.

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

# The course, and what is said to whoever plays for the first time
lesson-yes = Да
lesson-no = Нет
lesson-player = { $name }
lesson-question = ❓ { $question }
lesson-try = 👆 { $question }
lesson-right = { $n ->
        [0] ✅ Верно!
        [1] ✅ Зорко!
        [2] ✅ Точно!
       *[other] ✅ Да, молодец!
    }
lesson-wrong = 🤔 Не совсем.
lesson-verdict = { $verdict } { $why }
lesson-done = 🎓 <b>Вот и всё, что нужно знать.</b> Теперь сыграйте: { $game }, соперник — { $computer }. Я подскажу, на что смотреть, а ходы можно брать назад сколько угодно.
button-first-game = 🐪 Первая игра, помоги мне: { $computer }
button-again = 🔁 Ещё раз
coach-says = 🐪 { $what }

## One table in several places

button-private = 👤 Играть лично
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
refuse-not-public = Стол { $table } открыт не для всех. Разрешить могут те, кто за ним играет: ⋯, «Пусть смотрят все».
places-parted = Этот стол здесь больше не показывается. Вернуть его: /bring { $table }
places-name = { $name } ({ $mark })
mark-tg = TG
mark-dc = DC
mark-web = веб
done-brought = стол теперь и здесь
answer-brought = Стол теперь и здесь. Нажатия отсюда засчитываются.
answer-watching = Теперь вы смотрите этот стол здесь. Закончить: /stop
answer-private = Ваша доска теперь в нашем личном чате. Ходить можно и там, и здесь.
answer-private-opened = 🎲 Ваша доска появится здесь.
answer-stopped = Стол здесь больше не показывается. Игра продолжается в других местах.
refuse-bring-alone = За этим столом играют в одиночку в личном чате: там он и останется.
refuse-which-code = Какой стол? Напишите его код, он под доской за кнопкой ⋯: /{ $command } 7k3fx
refuse-already-here = Этот стол уже здесь. Показать доску внизу: /board
refuse-too-many-places = Этот стол уже показан в других чатах ({ $count }). Сначала его надо где-нибудь убрать: /stop
refuse-stop-home = Стол открыт здесь, поэтому он остаётся. До начала игры его можно закрыть, потом можно сдаться.
refuse-not-brought = Этого стола здесь нет.
refuse-nothing-brought = Сюда не приносили ни одного стола.
refuse-stop-others = Это может сделать тот, кто принёс стол сюда, хозяин стола или администратор этого чата.
refuse-only-watching = Здесь только смотрят. Чтобы сесть за стол, принесите его для игры: /bring и код
refuse-private-seat = Вы не играете за этим столом. Чтобы смотреть одному, напишите мне лично: /watch { $table }
refuse-already-private = Ваша доска уже есть в нашем личном чате.
refuse-private-none = Личных чатов со мной здесь нет.
refuse-private-closed = Я не могу вам написать. Разрешите личные сообщения от участников этого сервера в настройках приватности или сначала напишите мне в личный чат: /private { $table }
refuse-private-closed-link = Мне пока нельзя писать вам лично. Откройте наш чат и нажмите там «Старт», доска придёт сама: { $link }
command-private = ваша доска в нашем личном чате
command-bring = показать здесь стол из другого чата и играть
command-watch = показать здесь стол из другого чата и смотреть
command-stop = больше не показывать здесь принесённый стол

## Settings

command-settings = все настройки, ваши и этого чата
setting-row = { $name }: { $value }
setting-now = ✓ { $value }
setting-row-from = { $name }: { $value } ({ $source })
setting-from-server = с сервера
setting-from-channel = из #{ $channel }
setting-from-parent = из канала
setting-like-server = ↺ Как на сервере: { $value }
setting-like-channel = ↺ Как в канале: { $value }
settings-mine = 👤 <b>Ваши настройки</b>. Они действуют везде, где мы встречаемся. Нажмите на то, что хотите изменить.
settings-chat = ⚙ <b>Настройки этого чата</b>. Нажмите на то, что хотите изменить; всё работает и так.
settings-chat-read = ⚙ <b>Настройки этого чата</b>. Менять их могут только администраторы.
settings-server = 🏛 <b>Настройки всего сервера</b>. Они действуют в каждом канале, где не выбрано другое. Нажмите на то, что хотите изменить.
settings-server-read = 🏛 <b>Настройки всего сервера</b>. Менять их могут только администраторы.
button-settings-chat = ⚙ Этот чат
button-settings-server = 🏛 Для всего сервера
button-settings-mine = 👤 Мои
button-usual-rules = ↺ Обычные правила
setting-language = 🌐 Язык
setting-theme = 🎨 Вид
setting-side = 🔄 Мои доски
setting-boards = 🖼 Доски
setting-press = 👆 Ход
setting-pace = 🐢 Компьютеры
setting-pace-about = Как быстро отвечают компьютеры, когда вы играете с ними одни.
value-pace-calm = ход за ходом
value-pace-quick = сразу
setting-calls = 🔔 Напоминания
setting-night = 🌙 Тихие часы
setting-zone = 🕰 Моё время
setting-hints = 💡 Подсказки
setting-clock = ⏱ Время
setting-clock-about = Сколько времени у игроков за новыми столами здесь, если никто не сказал иначе?
setting-opens = 🚪 Столы открывают
setting-orders = ✖ Столы закрывают
setting-rules = 📜 Правила стола
setting-quiet = 🔕 Тихий режим
setting-old = 🧹 Старые доски
setting-where = 📍 Я играю
setting-language-about = На каком языке говорить?
setting-theme-about = Как должны выглядеть доски?
setting-side-about = Чья сторона внизу на доске, которую видите только вы?
setting-boards-about = Как показывать доски там, где читаете только вы?
setting-press-about = Сколько нажатий делают ход? Два берегут от случайного касания.
setting-calls-about = Когда звать вас по имени, если ваш ход?
setting-night-about = В какие часы по вашему времени вас не звать? Что ждёт, придёт утром.
setting-zone-about = На сколько ваше время отличается от UTC? В Москве +3, в Армении +4, в Казахстане +5, в Кыргызстане +6, в Индии и на Шри-Ланке +5:30.
setting-hints-about = Даются ли подсказки за новыми столами здесь, если хозяин стола не решит иначе?
setting-opens-about = Кто может открывать здесь столы и приносить их сюда?
setting-orders-about = Кто может закрыть стол, за которым ещё не играют, или убрать принесённый сюда?
setting-rules-about = Эти правила действуют за новыми столами здесь, если не назвать другие.
setting-quiet-about = В тихом режиме от меня здесь нет ни звука, и я никого не зову по имени.
setting-old-about = Когда доска появляется ниже снова: что делать с той, что выше?
setting-where-about = Где в этом чате могут стоять столы? Выберите это в каждой теме, где им быть.
setting-where-server-about = В каких каналах этого сервера могут стоять столы? Выберите это в каждом канале, где им быть.
value-side-own = моя сторона внизу
value-side-all = как видят все
value-boards-pictures = картинками
value-boards-words = словами
value-press-once = одно нажатие
value-press-twice = два нажатия
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
refuse-other-topic = Столы стоят в других темах этого чата: так решили администраторы. См. /settings
refuse-other-channel = Столы стоят в других каналах этого сервера: так решили администраторы. См. /settings
refuse-opens-nobody = В этом чате столы не нужны: так решили администраторы. Можно играть со мной лично.
refuse-opens-admins = В этом чате столы открывают администраторы. Попросите одного из них.

## Challenges

button-by-link = 🔗 По ссылке
button-invite = 🔗 Позвать
answer-invite = 🔗 Как прийти за стол <code>{ $table }</code>:
lobby-link = 🔗 Передайте это: кто откроет, может присоединиться: { $link }
lobby-link-group = 👥 В группу, вместе со мной: { $link }
lobby-code = ⌨ Везде, где есть я, и на другой платформе: <code>/bring { $table }</code>, лично <code>/private { $table }</code>
lobby-explained = 💬 { $name }: { $why }
why-later = не сейчас, с радостью позже
why-busy = сегодня нет времени
why-other = лучше другую игру
why-rest = у меня перерыв
answer-declined-why = Вы отказались. Хотите сказать почему? Это прочтут все за столом.
answer-explained = Спасибо, передам.
refuse-explained = Вы уже сказали почему.
command-notify = сообщить, когда кто-то захочет играть
answer-notify = 🔔 Позову вас здесь один раз, когда откроют стол: { $games }. Нажмите ещё раз, чтобы изменить.
answer-notify-none = Какую игру вы ждёте? Позову вас здесь один раз, когда откроют стол.
call-wanted = 🔔 { $name }: { $opener } хочет сыграть в { $game } (стол <code>{ $table }</code>).
refuse-notify-alone = В личном чате никто больше столов не открывает. Напишите /notify в группе.

## One person on several platforms

command-link = быть одним человеком на разных платформах
command-unlink = снова быть отдельным человеком на каждой платформе
argument-code = код с другой платформы
button-link = Да, оба аккаунта мои
answer-link = 🔗 На другой платформе напишите мне лично: <code>/link { $code }</code>
answer-link-secret = Он действует один раз, { $minutes } мин. Никому его не говорите: кто им воспользуется, играет за вас. Места, карты и настройки станут общими.
answer-link-now = Вы уже один человек на: { $platforms }. Прекратить: /unlink
answer-link-sure = ⚠ Этот код получил(а) <b>{ $name }</b> ({ $platform }). Дальше этот аккаунт играет как { $name }: там будут ваши места и видны ваши карты. Нажимайте, только если оба аккаунта ваши. Если код вам кто-то прислал, не нажимайте.
answer-linked = 🔗 Готово: здесь вы теперь { $name } ({ $platform }), с теми же местами, картами и настройками. Прекратить: /unlink
answer-link-used = 🔗 Ваш код использован: { $name } ({ $platform }) теперь играет за вас. Если это не вы: /unlink
answer-unlinked = Каждый аккаунт снова сам по себе. Места за открытыми столами остаются у аккаунта, который получил код.
refuse-link-code = Я не знаю этого кода: он действует один раз, десять минут. Новый: /link на другой платформе.
refuse-link-self = Это ваш же код: напишите его на другой платформе.
refuse-link-already = Этот аккаунт уже связан. Прекратить: /unlink
refuse-link-platform = Одним человеком может быть по одному аккаунту на платформе; здесь уже есть другой.
refuse-link-table = За столом { $table } сидят оба аккаунта. Сначала доиграйте.
refuse-not-linked = Ваши аккаунты не связаны. Связать: /link

## Challenges where the bot is no member

challenge-title = ⚔ Вызов: { $game }
challenge-more = Кто первым примет, сыграет с вами прямо в этом чате
challenge-says = ⚔ { $name } приглашает сыграть: { $game }. Кто первым нажмёт, тот и играет.
challenge-more-many = Люди присоединяются кнопкой прямо в этом чате, а начинаете вы
challenge-says-many = ⚔ { $name } приглашает сыграть: { $game }. Нажмите, чтобы присоединиться.
challenge-computers = 🤖 × { $count }
challenge-game = { $game } ({ $how })
challenge-choice-title = ⚔ Кто сыграет?
challenge-choice = ⚔ { $name } хочет сыграть. Выберите игру: кто первым нажмёт, тот и играет.
share-more = Показать этот стол здесь
share-says = 🎲 { $name } играет: { $line }
button-watch = 👁 Смотреть
button-bring = ⬇ Показать здесь
sketch-row = <code>{ $row }</code>
sketch-line = { $row }
sole-door = 📩 Картинки, подсказки и прочее — наедине с ботом: { $link }
sole-door-over = 📩 Повтор, разбор и запись — наедине с ботом: { $link }
refuse-meet-self = Это ваш вызов: его должен принять кто-то другой.

## Moves settled before the turn

command-if = решить ответ заранее: /if 3 7
argument-plan = их ход и ваш ответ: 3 7, 5 2
plan-pair = { $theirs } → { $own }
answer-plan = 🤫 Решено на следующий ход, знаете только вы: { $plan }. Отменить: /if off
answer-plan-none = Ничего не решено. Пока ходит соперник, напишите его ход и ваш ответ: /if 3 7, 5 2
refuse-plan-turn = Ответ решают, только пока ходит другой игрок.
refuse-plan-game = Заранее решают ответы только в играх на двоих без костей и карт.
refuse-plan-words = Напишите их ход и ваш ответ: /if 3 7, 5 2
refuse-plan-move = Не понимаю «{ $typed }» как ход в этом положении.

# A board in a browser, or in a window of the platform.
command-web = открыть доску в браузере; /web off завершает все сеансы
command-launch = открыть доску в окне
button-open-board = ▦ Открыть доску
button-page = 🌐 В браузере
answer-page = 🌐 Эта ссылка открывает вашу доску в браузере от вашего имени. Она действует один раз, { $minutes } мин.: никому её не передавайте. Выйти везде: /web off
answer-page-private = Здесь читают другие, ссылку дать не могу. Напишите мне лично: /web
answer-page-private-link = Здесь читают другие: за ссылкой откройте наш личный чат и нажмите там «Старт»: { $link }
answer-page-off = Вы вышли во всех браузерах и окнах.
answer-launched = Нажмите ещё раз, чтобы открыть доску.
refuse-no-page = Здесь доски не открываются в браузере: владелец бота этого не настроил.
refuse-page-here = Вы уже на странице.

# Words that were not meant as they could be read

refuse-words-behind = Ничего не сделано: считается только сама команда /{ $command }, без «{ $words }». Если вы этого хотите, отправьте одну /{ $command }.
answer-nothing-done = Хорошо, ничего не сделано.
answer-confirm-typed = Отправьте ещё раз в течение минуты, чтобы сыграть { $card }.
