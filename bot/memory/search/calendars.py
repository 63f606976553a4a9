"""The names of days, weeks, months and years in the languages whose dates are understood."""

from collections.abc import Mapping, Sequence

_MONTHS = """
    january januar enero janvier jan | february februar febrero février feb | march märz marzo mars | april abril avril apr
    may mai mayo | june juni junio juin jun | july juli julio juillet jul | august agosto août aug
    september septiembre septembre sept sep | october oktober octubre octobre oct | november noviembre novembre nov
    december dezember diciembre décembre dec
"""
_WEEKDAYS = """
    monday montag lunes lundi 月曜日 月曜 周一 星期一 | tuesday dienstag martes mardi 火曜日 火曜 周二 星期二
    wednesday mittwoch miércoles mercredi 水曜日 水曜 周三 星期三 | thursday donnerstag jueves jeudi 木曜日 木曜 周四 星期四
    friday freitag viernes vendredi 金曜日 金曜 周五 星期五 | saturday samstag sonnabend sábado samedi 土曜日 土曜 周六 星期六
    sunday sonntag domingo dimanche 日曜日 日曜 周日 星期日 星期天
"""


def _numbered(words: str) -> Mapping[str, int]:
    lines = [line for line in words.strip().replace("|", "\n").splitlines() if line.strip()]
    return {word: number for number, line in enumerate(lines, 1) for word in line.split()}


MONTHS: Mapping[str, int] = _numbered(_MONTHS)
AMBIGUOUS_MONTHS = frozenset(["may", "march", "mars", "jan", "jun", "sep", "dec", "oct", "nov", "apr", "feb", "jul", "aug", "sept"])
"""These are other words too."""
WEEKDAYS: Mapping[str, int] = {word: number - 1 for word, number in _numbered(_WEEKDAYS).items()}
"""Monday is 0."""

RELATIVE: Sequence[tuple[str, int | str]] = (
    (r"the day before yesterday|\bvorgestern\b|\bante(?:ayer|anoche)\b|\bavant-hier\b|一昨日|おととい|前天", -2),
    (
        r"\byesterday\b|\blast night\b|\bgestern\b|\bayer\b|\banoche\b|\bhier soir\b|\bhier\b(?= |$)"
        r"|昨日|きのう|昨夜|昨晩|ゆうべ|昨天",
        -1,
    ),
    (
        r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|\bheute\b|\bhoy\b|\besta (?:mañana|tarde|noche)\b"
        r"|\baujourd['’]hui\b|今日|今朝|今夜|今晩|今天|今早|今晚",
        0,
    ),
    (r"\blast weekend\b|\bletztes wochenende\b|\bel fin de semana pasado\b|\ble week-end dernier\b|先週末|上周末", "last weekend"),
    (r"\blast week\b|\bletzte[rn]? woche\b|\bla semana pasada\b|\bla semaine dernière\b|先週|上(?:个)?(?:周|星期)|上週", "last week"),
    (r"\bthis week\b|\bdiese[r]? woche\b|\besta semana\b|\bcette semaine\b|今週|这(?:周|个星期)|本周|這週", "this week"),
    (r"\blast month\b|\bletzten monat\b|\bel mes pasado\b|\ble mois dernier\b|先月|上个月|上個月", "last month"),
    (r"\bthis month\b|\bdiesen monat\b|\beste mes\b|\bce mois(?:-ci)?\b|今月|这个月|這個月", "this month"),
    (r"\blast year\b|\bletztes jahr\b|\bel año pasado\b|\bl['’]année dernière\b|去年|昨年", "last year"),
    (r"\bthis year\b|\bdieses jahr\b|\beste año\b|\bcette année\b|今年", "this year"),
)
"""Days from today, or a stretch by its English name."""

COUNTS: Mapping[str, int] = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "einem": 1,
    "einer": 1,
    "zwei": 2,
    "drei": 3,
    "vier": 4,
    "un": 1,
    "una": 1,
    "dos": 2,
    "tres": 3,
    "deux": 2,
    "trois": 3,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
}
UNITS: Mapping[str, int] = {
    **dict.fromkeys(("day", "days", "tag", "tagen", "día", "días", "jour", "jours", "日", "天"), 1),
    **dict.fromkeys(("week", "weeks", "woche", "wochen", "semana", "semanas", "semaine", "semaines", "週間", "周", "星期"), 7),
    **dict.fromkeys(("month", "months", "monat", "monaten", "mes", "meses", "mois", "か月", "ヶ月", "个月"), 30),
    **dict.fromkeys(("year", "years", "jahr", "jahren", "año", "años", "an", "ans", "年"), 365),
}
"""Days in each."""
