// The page's own words. The bot's words come from the bot, in its languages.

export const LANGUAGES = { en: "English", ru: "Русский", kk: "Қазақша", hy: "Հայերեն" };

/** By language and key; a function takes a number and chooses the plural. */
export const WORDS = {
  en: {
    rooms: "Rooms",
    close: "Close",
    new_room: "New room",
    earlier: "Earlier messages",
    show_board: "Show the board",
    no_reply: "Do not reply",
    suggestions: "Suggestions",
    commands: "Commands",
    message: "Message",
    write: "Message or /command",
    send: "Send",
    welcome: "Welcome, traveller",
    welcome_text: "Board games among friends. Choose the name the others will see.",
    your_name: "Your name",
    remember: "Remember me in this browser",
    continue_as: "Continue as",
    be_new: "Or be somebody else, in this tab only.",
    enter: "Come in",
    room_name: "Name of the room",
    room_hint: "Letters, digits and dashes. Anybody here can join a room.",
    cancel: "Cancel",
    open_room: "Open",
    copy_link: "Copy the link to this room",
    leave: "Leave the room",
    about_you: "You",
    language: "Language",
    save: "Save",
    be_other: "Be somebody else in this tab",
    for_scripts: "For scripts: JSON interface",
    bot: "bot",
    private: "Private chat",
    private_note: "Only you and the bot",
    people: n => (n === 1 ? "1 person" : `${n} people`),
    only_you: "Only you see this",
    dismiss: "Dismiss",
    keys:
      "Keyboard: arrow up from the empty line walks through the messages, Enter goes to " +
      "the buttons, R replies, Escape returns.",
    reply: "Reply",
    reply_to: "Reply to {name}",
    edited: "edited",
    you: "you",
    gone: "The message is gone",
    sending: "Sending…",
    offline: "Connection lost. Trying again…",
    new_messages: n => (n === 1 ? "1 new message" : `${n} new messages`),
    typing: "{name} is typing…",
    hint_title: "Nothing said yet",
    hint:
      "Type {play} to open a table of Togyzkumalak, or {help} for everything else. Invite " +
      "a friend: open this page in another tab.",
    hint_private: "Here you can ask the bot without anybody reading along. Type {help} to begin.",
    bot_here: "The bot is in this room.",
    bot_away: "The bot is not in this room.",
    bot_remove: "Remove the bot",
    bot_invite: "Invite the bot back",
    copied: "Link copied",
    left: "You left {name}",
    today: "Today",
    yesterday: "Yesterday",
    board_changed: "The board has changed. {text}",
    too_fast: "A little slower please.",
    failed: "That did not work: {text}",
    no_bot: "The bot is not in this room.",
    unread: n => `${n} unread`,
    file: "Download {name}",
    on_line: "here now",
    buttons: "Choices",
    other_rooms: "Rooms here",
    room_bad: "Only letters, digits, - and _, please.",
    image_failed: "The picture could not be loaded.",
    admin: "admin",
  },
  ru: {
    rooms: "Комнаты",
    close: "Закрыть",
    new_room: "Новая комната",
    earlier: "Более ранние сообщения",
    show_board: "Показать доску",
    no_reply: "Не отвечать",
    suggestions: "Подсказки",
    commands: "Команды",
    message: "Сообщение",
    write: "Текст или /команда",
    send: "Отправить",
    welcome: "Добро пожаловать, путник",
    welcome_text: "Настольные игры среди друзей. Выберите имя, которое увидят другие.",
    your_name: "Ваше имя",
    remember: "Запомнить меня в этом браузере",
    continue_as: "Продолжить как",
    be_new: "Или войдите под другим именем — только в этой вкладке.",
    enter: "Войти",
    room_name: "Название комнаты",
    room_hint: "Буквы, цифры и дефисы. В комнату может войти каждый, кто здесь.",
    cancel: "Отмена",
    open_room: "Открыть",
    copy_link: "Скопировать ссылку на комнату",
    leave: "Покинуть комнату",
    about_you: "Вы",
    language: "Язык",
    save: "Сохранить",
    be_other: "Стать кем-то другим в этой вкладке",
    for_scripts: "Для скриптов: интерфейс JSON",
    bot: "бот",
    private: "Личный чат",
    private_note: "Только вы и бот",
    people: n => `${n} ${plural(n, "человек", "человека", "человек")}`,
    only_you: "Видно только вам",
    dismiss: "Убрать",
    keys:
      "С клавиатуры: стрелка вверх из пустой строки ведёт по сообщениям, Enter " +
      "переходит к кнопкам, R отвечает, Escape возвращает.",
    reply: "Ответить",
    reply_to: "Ответ для {name}",
    edited: "изменено",
    you: "вы",
    gone: "Сообщения больше нет",
    sending: "Отправляется…",
    offline: "Связь потеряна. Пробуем снова…",
    new_messages: n => `${n} ${plural(n, "новое сообщение", "новых сообщения", "новых сообщений")}`,
    typing: "{name} печатает…",
    hint_title: "Пока тишина",
    hint:
      "Напишите {play}, чтобы открыть стол тогызкумалака, или {help}, чтобы узнать " +
      "остальное. Позовите друга: откройте эту страницу в другой вкладке.",
    hint_private: "Здесь можно спросить бота так, чтобы никто не читал. Начните с {help}.",
    bot_here: "Бот в этой комнате.",
    bot_away: "Бота нет в этой комнате.",
    bot_remove: "Удалить бота",
    bot_invite: "Вернуть бота",
    copied: "Ссылка скопирована",
    left: "Вы покинули комнату {name}",
    today: "Сегодня",
    yesterday: "Вчера",
    board_changed: "Доска изменилась. {text}",
    too_fast: "Чуть медленнее, пожалуйста.",
    failed: "Не получилось: {text}",
    no_bot: "Бота нет в этой комнате.",
    unread: n => `непрочитанных: ${n}`,
    file: "Скачать {name}",
    on_line: "сейчас здесь",
    buttons: "Варианты",
    other_rooms: "Здешние комнаты",
    room_bad: "Только буквы, цифры, - и _, пожалуйста.",
    image_failed: "Не удалось загрузить картинку.",
    admin: "админ",
  },
  kk: {
    rooms: "Бөлмелер",
    close: "Жабу",
    new_room: "Жаңа бөлме",
    earlier: "Бұрынғы хабарлар",
    show_board: "Тақтаны көрсету",
    no_reply: "Жауап бермеу",
    suggestions: "Ұсыныстар",
    commands: "Пәрмендер",
    message: "Хабар",
    write: "Хабар немесе /пәрмен",
    send: "Жіберу",
    welcome: "Қош келдіңіз, жолаушы",
    welcome_text: "Достармен үстел ойындары. Басқалар көретін есіміңізді таңдаңыз.",
    your_name: "Есіміңіз",
    remember: "Мені осы браузерде есте сақтау",
    continue_as: "Осы есіммен жалғастыру:",
    be_new: "Немесе басқа есіммен кіріңіз — тек осы қойындыда.",
    enter: "Кіру",
    room_name: "Бөлменің аты",
    room_hint: "Әріптер, сандар және сызықшалар. Бөлмеге осындағы кез келген адам кіре алады.",
    cancel: "Болдырмау",
    open_room: "Ашу",
    copy_link: "Бөлменің сілтемесін көшіру",
    leave: "Бөлмеден шығу",
    about_you: "Сіз",
    language: "Тіл",
    save: "Сақтау",
    be_other: "Осы бетте басқа адам болу",
    for_scripts: "Скрипттерге: JSON интерфейсі",
    bot: "бот",
    private: "Жеке сөйлесу",
    private_note: "Тек сіз және бот",
    people: n => `${n} адам`,
    only_you: "Мұны тек сіз көресіз",
    dismiss: "Алып тастау",
    keys:
      "Пернетақтадан: бос жолдан жоғары көрсеткі хабарларға апарады, Enter түймелерге " +
      "өтеді, R жауап береді, Escape қайтарады.",
    reply: "Жауап беру",
    reply_to: "Жауап: {name}",
    edited: "өзгертілген",
    you: "сіз",
    gone: "Хабар жойылған",
    sending: "Жіберілуде…",
    offline: "Байланыс үзілді. Қайта қосылуда…",
    new_messages: n => `${n} жаңа хабар`,
    typing: "{name} жазып жатыр…",
    hint_title: "Әзірге тыныштық",
    hint:
      "Тоғызқұмалақ үстелін ашу үшін {play}, қалғанын білу үшін {help} деп жазыңыз. Дос " +
      "шақырыңыз: осы бетті басқа қойындыда ашыңыз.",
    hint_private: "Мұнда боттан ешкімге көрсетпей сұрауға болады. {help} деп бастаңыз.",
    bot_here: "Бот осы бөлмеде.",
    bot_away: "Бот бұл бөлмеде жоқ.",
    bot_remove: "Ботты шығару",
    bot_invite: "Ботты қайта шақыру",
    copied: "Сілтеме көшірілді",
    left: "Сіз {name} бөлмесінен шықтыңыз",
    today: "Бүгін",
    yesterday: "Кеше",
    board_changed: "Тақта өзгерді. {text}",
    too_fast: "Сәл баяуырақ, өтінемін.",
    failed: "Болмады: {text}",
    no_bot: "Бот бұл бөлмеде жоқ.",
    unread: n => `оқылмаған: ${n}`,
    file: "{name} жүктеп алу",
    on_line: "қазір осында",
    buttons: "Таңдаулар",
    other_rooms: "Осындағы бөлмелер",
    room_bad: "Тек әріптер, сандар, - және _ болсын.",
    image_failed: "Сурет жүктелмеді.",
    admin: "әкімші",
  },
  hy: {
    rooms: "Սենյակներ",
    close: "Փակել",
    new_room: "Նոր սենյակ",
    earlier: "Ավելի վաղ հաղորդագրություններ",
    show_board: "Ցույց տալ խաղատախտակը",
    no_reply: "Չպատասխանել",
    suggestions: "Առաջարկներ",
    commands: "Հրամաններ",
    message: "Հաղորդագրություն",
    write: "Գրեք կամ /հրաման",
    send: "Ուղարկել",
    welcome: "Բարի գալուստ, ճամփորդ",
    welcome_text: "Սեղանի խաղեր ընկերների հետ։ Ընտրեք անուն, որը կտեսնեն մյուսները։",
    your_name: "Ձեր անունը",
    remember: "Հիշել ինձ այս դիտարկիչում",
    continue_as: "Շարունակել որպես",
    be_new: "Կամ մտեք ուրիշ անունով՝ միայն այս ներդիրում։",
    enter: "Ներս մտնել",
    room_name: "Սենյակի անունը",
    room_hint: "Տառեր, թվեր և գծիկներ։ Սենյակ կարող է մտնել այստեղ եղող ցանկացած մարդ։",
    cancel: "Չեղարկել",
    open_room: "Բացել",
    copy_link: "Պատճենել սենյակի հղումը",
    leave: "Դուրս գալ սենյակից",
    about_you: "Դուք",
    language: "Լեզու",
    save: "Պահպանել",
    be_other: "Այս ներդիրում լինել ուրիշ մարդ",
    for_scripts: "Սկրիպտների համար՝ JSON ինտերֆեյս",
    bot: "բոտ",
    private: "Անձնական զրույց",
    private_note: "Միայն դուք և բոտը",
    people: n => `${n} մարդ`,
    only_you: "Միայն դուք եք տեսնում",
    dismiss: "Հեռացնել",
    keys:
      "Ստեղնաշարից. դատարկ տողից վեր սլաքը տանում է հաղորդագրությունների միջով, " +
      "Enter-ը՝ կոճակներին, R-ը պատասխանում է, Escape-ը վերադարձնում է։",
    reply: "Պատասխանել",
    reply_to: "Պատասխան՝ {name}",
    edited: "փոփոխված",
    you: "դուք",
    gone: "Հաղորդագրությունն այլևս չկա",
    sending: "Ուղարկվում է…",
    offline: "Կապն ընդհատվեց։ Նորից ենք փորձում…",
    new_messages: n => `${n} նոր հաղորդագրություն`,
    typing: "{name}՝ գրում է…",
    hint_title: "Դեռ լռություն է",
    hint:
      "Գրեք {play}՝ թոգիզ կումալակի սեղան բացելու, կամ {help}՝ մնացածն իմանալու համար։ " +
      "Կանչեք ընկերոջ. բացեք այս էջը մեկ այլ ներդիրում։",
    hint_private: "Այստեղ կարող եք հարցնել բոտին, և ոչ ոք չի կարդա։ Սկսեք {help} հրամանից։",
    bot_here: "Բոտն այս սենյակում է։",
    bot_away: "Բոտն այս սենյակում չէ։",
    bot_remove: "Հեռացնել բոտին",
    bot_invite: "Վերադարձնել բոտին",
    copied: "Հղումը պատճենված է",
    left: "Դուք դուրս եկաք {name} սենյակից",
    today: "Այսօր",
    yesterday: "Երեկ",
    board_changed: "Խաղատախտակը փոխվեց։ {text}",
    too_fast: "Մի քիչ դանդաղ, խնդրում եմ։",
    failed: "Չստացվեց. {text}",
    no_bot: "Բոտն այս սենյակում չէ։",
    unread: n => `չկարդացված՝ ${n}`,
    file: "Ներբեռնել {name}",
    on_line: "հիմա այստեղ է",
    buttons: "Տարբերակներ",
    other_rooms: "Այստեղի սենյակները",
    room_bad: "Միայն տառեր, թվեր, - և _, խնդրում եմ։",
    image_failed: "Նկարը չբեռնվեց։",
    admin: "ադմին",
  },
};

function plural(n, one, few, many) {
  const tens = n % 100,
    units = n % 10;
  if (tens > 10 && tens < 20) return many;
  return units === 1 ? one : units > 1 && units < 5 ? few : many;
}

let language = "en";
const listeners = [];

export const currentLanguage = () => language;

/** Calls back now and whenever the language changes. */
export function onLanguage(callback) {
  listeners.push(callback);
}

/** The best language of this browser, or the one chosen before. */
export function firstLanguage() {
  const wanted = [localStorage.getItem("language"), ...navigator.languages].filter(Boolean);
  return wanted.map(it => it.slice(0, 2)).find(it => it in WORDS) ?? "en";
}

export function setLanguage(next) {
  language = next;
  document.documentElement.lang = next;
  for (const it of document.querySelectorAll("[data-t]")) it.textContent = t(it.dataset.t);
  for (const it of document.querySelectorAll("[data-t-label]")) {
    it.setAttribute("aria-label", t(it.dataset.tLabel));
    if (it.tagName === "BUTTON") it.title = t(it.dataset.tLabel);
  }
  for (const it of document.querySelectorAll("[data-t-placeholder]")) {
    it.placeholder = t(it.dataset.tPlaceholder);
  }
  listeners.forEach(it => it());
}

/** A text by key; `{name}` is replaced from `args`, a number chooses the plural. */
export function t(key, args = {}) {
  const text = WORDS[language][key] ?? WORDS.en[key] ?? key;
  if (typeof text === "function") return text(args);
  return text.replace(/\{(\w+)\}/g, (whole, name) => args[name] ?? whole);
}
