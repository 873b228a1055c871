"""Days that a text names ("yesterday", "on the 14th", "mardi dernier", « en mars »), as dates of the calendar.

A fact keeps the date it speaks of, and a question by date finds it; both read the same words here. What could be
something else ("may", "sat", a version, a weekday of every week) names no day.
"""

# ruff: noqa: E501 -- one pattern is one row of the table, however long

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta, timezone
from functools import cache

NamedDays = tuple[int, int, date, date]
_Days = tuple[date, date]

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan janvier janv",
            "february feb février fevrier févr fevr",
            "march mar mars",
            "april apr avril avr",
            "may mai",
            "june jun juin",
            "july jul juillet juil",
            "august aug août aout",
            "september sept sep septembre",
            "october oct octobre",
            "november nov novembre",
            "december dec décembre decembre déc",
        ),
        start=1,
    )
    for name in names.split()
}
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mon lundi",
            "tuesday tue tues mardi",
            "wednesday wed mercredi",
            "thursday thu thur thurs jeudi",
            "friday fri vendredi",
            "saturday samedi",
            "sunday dimanche",
        )
    )
    for name in names.split()
}
_NUMBERS = {
    word: number
    for number, names in enumerate(
        "a:an:one:un:une two:deux three:trois four:quatre five:cinq six seven:sept eight:huit nine:neuf ten:dix".split(),
        start=1,
    )
    for word in names.split(":")
}

# "may" and "march" are words besides: as months they have their capital, or "on" before and a number after them.
_MONTH_EN = (
    r"(?:january|february|april|june|july|august|september|october|november|december|(?-i:March|May)|"
    r"(?-i:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)(?!\w)"
)
_MONTH_FR = (
    r"(?:janvier|f[ée]vrier|mars|avril|mai|juin|juillet|ao[uû]t|septembre|octobre|novembre|d[ée]cembre|"
    r"(?:janv|f[ée]vr|avr|juil|d[ée]c)\.)(?!\w)"
)
_WEEKDAY_EN = r"monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_WEEKDAY_FR = r"lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
_COUNT = r"\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|une?|deux|trois|quatre|cinq|sept|huit|neuf|dix"
# What may follow a bare number that is a day or a year: no noun, so that "on the 3rd try" and "in 2000 rows" name none.
_ENDS = (
    r"(?![\w/%]|[-.:,]\w)(?=\s*$|\s*[.,;:!?)\"»]|\s+[(–—-]|\s+(?:of|at|in|and|or|we|i|it|the|he|she|they|you|for|with|after|before|because|"
    r"so|but|to|by|when|as|is|was|are|were|this|last|instead|not|that|which|did|do|does|had|has|already|then|due|"
    r"et|ou|on|nous|je|tu|il|elle|ils|elles|vous|pour|avec|apr[eè]s|avant|parce|car|mais|quand|[aà]|au|du|de|dernier|prochain|matin|soir|"
    r"dans|sur|en|donc|puis)\b|\s+[jcl]['’])"
)
_BEFORE = r"(?<![\w.:/$€#-])"
_FORWARD = (
    r"\b(?:will|shall|going to|gonna|must|due|deadline|by|until|till|plan(?:s|ned|ning)? (?:to|for|on)|planned|schedul\w+|expires?|upcoming|should|needs? to|"
    r"ha(?:s|ve) to|let'?s|remind|tomorrow|todo|"
    r"doit|doivent|devr\w+|faudra|faut|va|vont|allons|[eé]ch[eé]ance|d'ici|jusqu'\w+|pr[eé]vue?s?|avant|[aà] faire|rappelle\w*|"
    r"\w{2,}(?:era|erons|eront|ira|irons|iront|dra|drons|dront))\b|\w'll\b|\b(?:pour|avant) (?:le |la )?$"
)
# "The demo is on Friday" looks ahead, "the outage on Friday" does not.
_IS_ON = r"(?:\b(?:is|are|est|sont|a lieu|aura lieu)|'s)(?: set for| scheduled for| planned for| due| on| for| le)?\s*$"
# "The launch was moved to January 12": past tense, and yet the day lies ahead.
_MOVED_TO = (
    r"\b(?:(?:mov(?:e[ds]?|ing)|brought forward|(?:postpone|shift|delay|defer|reschedul|push|slip)\w*|report(?:er|[eé]e?s?)|"
    r"(?:d[eé]cal|repouss|d[eé]plac|avanc)(?:er|[eé]e?s?))\b[^.;!?\n]{0,40}\b(?:to|till|until|au|[aà])"
    rf"|(?:reschedul\w+|postponed|delayed|deferred) for)(?: the| le)?(?: (?:{_WEEKDAY_EN}|{_WEEKDAY_FR}),?(?: the| le)?)? $"
)
_SENTENCE_END = r"[.!?;](?=\s)|\n"
_REACH = 120  # characters of a sentence, either side, that say whether it looks ahead


def local_day(timestamp: str) -> date | None:
    """The local day of an ISO 8601 timestamp, UTC unless it says otherwise; None when it is none."""
    try:
        moment = datetime.fromisoformat(timestamp.replace("Z", "+00:00"))
        return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).astimezone().date()
    except (ValueError, OverflowError, OSError):
        return None


def named_days(text: str, today: date, ahead: Callable[[str, int, int], bool | None] | None = None) -> list[NamedDays]:
    """The spans of a text that name a day or a stretch of days: (start, end, first day, last day), in order, none over
    another.

    A name that fits many days ("Tuesday", "the 14th", "in March") means the latest that has begun, the next one when
    its sentence looks ahead ("due on the 14th", "we will", « d'ici mardi »). English and French.

    ahead, if given, says instead whether the text looks ahead where a name stands, from its start to its end; where it
    answers None, a name that fits many days is none.
    """
    found = sorted(_all(text, today, ahead), key=lambda span: (span[0], -span[1]))
    kept: list[NamedDays] = []
    for span in found:
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def _all(text: str, today: date, ahead: Callable[[str, int, int], bool | None] | None) -> Iterator[NamedDays]:
    lowered = text.lower()
    if not _hint().search(lowered):
        return
    for hints, source, days_of in _RULES:
        if not any(hint in lowered for hint in hints):
            continue
        for match in _pattern(source).finditer(text):
            try:
                days = (
                    _sure(match, today, days_of, ahead) if ahead else days_of(match, today, _looks_ahead(text, match))
                )
            except (ValueError, OverflowError):  # the 31st of June, the year 0
                continue
            if days:
                yield match.start(), match.end(), *days


def _sure(
    match: re.Match[str],
    today: date,
    days_of: Callable[[re.Match[str], date, bool], _Days | None],
    ahead: Callable[[str, int, int], bool | None],
) -> _Days | None:
    """The days of a name as its sentence looks, or None when the sentence doesn't say and it matters."""
    moved = _is_moved_to(match.string, match)
    looks = moved or ahead(match.string, match.start(), match.end())
    if looks is None:
        # today's own name is the last and the next such day; tomorrow it would not be
        for day in (today + timedelta(1), today):
            if (days := days_of(match, day, True)) != days_of(match, day, False):
                return None
        return days
    days = days_of(match, today, looks)
    if days and days[0] > today and not looks and days[0] != days[1]:  # « j'ai écrit ce week-end », said on a Friday
        return None
    return days


@cache
def _hint() -> re.Pattern[str]:
    return re.compile(_HINT)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def _looks_ahead(text: str, match: re.Match[str]) -> bool:
    """Whether the sentence of a match speaks of what is to come: by words before it, or soon after one it opens with."""
    before = _before(text, match)
    if (
        _is_moved_to(text, match)
        or _pattern(_FORWARD).search(before + match.group())
        or _pattern(_IS_ON).search(before)
    ):
        return True
    return len(before.split()) < 2 and bool(_pattern(_FORWARD).search(text[match.end() : match.end() + 25]))


def _is_moved_to(text: str, match: re.Match[str]) -> bool:
    """Whether something is moved to the day that is named, by the words right before it."""
    return bool(_pattern(_MOVED_TO).search(_before(text, match)))


def _before(text: str, match: re.Match[str]) -> str:
    """What stands before a match in its sentence."""
    before = text[max(0, match.start() - _REACH) : match.start()].replace("’", "'")
    return _pattern(_SENTENCE_END).split(before)[-1]


def _iso(match: re.Match[str], today: date, ahead: bool) -> _Days:
    day = date(int(match["year"]), int(match["month"]), int(match["day"]))
    return day, day


def _numeric(match: re.Match[str], today: date, ahead: bool) -> _Days | None:
    """14/11/2026 and 11/14/2026; one that could be either is passed by."""
    first, second = int(match["first"]), int(match["second"])
    if first <= 12 and second <= 12 and first != second:
        return None
    day = date(int(match["year"]), *((second, first) if second <= 12 else (first, second)))
    return day, day


def _day_of_month(match: re.Match[str], today: date, ahead: bool) -> _Days:
    groups = match.groupdict()
    month = int(groups["number"]) if groups.get("number") else _MONTHS[groups["month"].rstrip(".").lower()]
    number = 1 if groups["day"].lower() == "1er" else int(groups["day"])
    if groups.get("year"):
        day = date(int(groups["year"]), month, number)
        return day, day
    years = range(today.year, today.year + 9) if ahead else range(today.year, today.year - 9, -1)
    for year in years:  # nine years hold a 29th of February
        if number <= _length(year, month):
            day = date(year, month, number)
            if day >= today if ahead else day <= today:
                return day, day
    raise ValueError(f"no such day: {match.group()}")


def _bare_day(match: re.Match[str], today: date, ahead: bool) -> _Days:
    """The 14th: of this month or of one beside it."""
    number = 1 if match["day"].lower() == "1er" else int(match["day"])
    for distance in range(13):
        year, month = _month_after(today, distance if ahead else -distance)
        if 0 < number <= _length(year, month):
            day = date(year, month, number)
            if day >= today if ahead else day <= today:
                return day, day
    raise ValueError(f"no such day: {match.group()}")


def _month(match: re.Match[str], today: date, ahead: bool) -> _Days:
    groups = match.groupdict()
    month = _MONTHS[groups["month"].rstrip(".").lower()]
    lead, tail = (groups.get("lead") or "").lower(), (groups.get("tail") or "").lower()
    if groups.get("year"):
        year = int(groups["year"])
    elif lead == "next" or tail == "prochain" or ahead:
        year = today.year + (month < today.month or (month == today.month and not ahead))
    else:
        past = lead in ("last", "past") or tail in ("dernier", "passé", "passe")
        begins = (month, _part_of(groups, 31)[0])
        year = today.year - (begins > (today.month, today.day) or (month == today.month and past))
    first, last = _part_of(groups, _length(year, month))
    return date(year, month, first), date(year, month, last)


def _part_of(groups: dict[str, str | None], length: int) -> tuple[int, int]:
    """The first and last day of the part of a month that is named: early, mid, late or all of it."""
    part = f"{groups.get('part') or ''} {groups.get('lead') or ''}".lower()
    if re.search(r"early|beginning|start|d[ée]but", part):
        return 1, 10
    if re.search(r"\bmi", part):
        return 11, 20
    if re.search(r"late|end|fin", part):
        return 21, length
    return 1, length


def _near(days: int) -> Callable[[re.Match[str], date, bool], _Days]:
    def near(match: re.Match[str], today: date, ahead: bool) -> _Days:
        day = today + timedelta(days)
        return day, day

    return near


def _ago(match: re.Match[str], today: date, ahead: bool) -> _Days:
    return _distant(match, today, -1)


def _to_come(match: re.Match[str], today: date, ahead: bool) -> _Days | None:
    return _distant(match, today, 1) if ahead or match.group().lower().startswith("dans") else None


def _distant(match: re.Match[str], today: date, direction: int) -> _Days:
    """So many days from today; of weeks and months, which are said roughly, the whole one."""
    written = (match["count"] or "").lower()
    count = direction * (2 if written.startswith(("a couple", "couple")) else _NUMBERS.get(written) or int(written))
    unit = match["unit"].lower()
    if unit.startswith(("day", "jour")):
        day = today + timedelta(count)
        return day, day
    if unit.startswith(("week", "semaine")):
        return _week(today + timedelta(7 * count))
    if unit.startswith(("month", "mois")):
        return _whole_month(*_month_after(today, count))
    return _whole_month(today.year + count, today.month)


def _weekday(match: re.Match[str], today: date, ahead: bool) -> _Days | None:
    groups = match.groupdict()
    lead, tail = (groups.get("lead") or "").lower(), (groups.get("tail") or "").lower()
    if lead in _EVERY or (lead in _NO_DAY and not tail):
        return None
    number = _WEEKDAYS[(groups["weekday"] or groups["short"]).lower()]
    monday = today - timedelta(today.weekday())
    week = (groups.get("week") or "").lower()
    if week:
        day = monday + timedelta(number + (7 if re.search("next|prochaine", week) else -7 if week != "this" else 0))
    elif lead in ("this", "ce"):
        day = monday + timedelta(number)
    elif lead in ("last", "past") or tail.startswith(("dernier", "pass")):
        day = today - timedelta((today.weekday() - number - 1) % 7 + 1)
    elif lead in ("next", "coming") or tail == "prochain":
        day = today + timedelta((number - today.weekday() - 1) % 7 + 1)
    elif ahead or lead in ("by", "due", "until", "before", "pour"):
        day = today + timedelta((number - today.weekday()) % 7)
    else:
        day = today - timedelta((today.weekday() - number) % 7)
    return day, day


def _stretch(match: re.Match[str], today: date, ahead: bool) -> _Days:
    """Last week, this month, « l'année prochaine »."""
    which, unit = match["which"].lower(), match["unit"].lower()
    step = -1 if re.match("last|past|dern|pass", which) else 1 if re.match("next|coming|proch", which) else 0
    if "week" in unit and "end" in unit:
        saturday = today + timedelta(
            5 - today.weekday() + 7 * (step if step else -1 if which.startswith("over") else 0)
        )
        return saturday, saturday + timedelta(1)
    if unit in ("week", "semaine"):
        return _week(today + timedelta(7 * step))
    if unit in ("month", "mois"):
        return _whole_month(*_month_after(today, step))
    return date(today.year + step, 1, 1), date(today.year + step, 12, 31)


def _year(match: re.Match[str], today: date, ahead: bool) -> _Days:
    year = int(match["year"])
    return date(year, 1, 1), date(year, 12, 31)


def _week(day: date) -> _Days:
    monday = day - timedelta(day.weekday())
    return monday, monday + timedelta(6)


def _whole_month(year: int, month: int) -> _Days:
    return date(year, month, 1), date(year, month, _length(year, month))


def _length(year: int, month: int) -> int:
    return (date(*_month_after(date(year, month, 1), 1), 1) - timedelta(1)).day


def _month_after(today: date, months: int) -> tuple[int, int]:
    total = today.year * 12 + today.month - 1 + months
    return total // 12, total % 12 + 1


# A weekday of every week, and French articles that make it one unless "dernier" or "prochain" follows.
_EVERY = frozenset(("every", "each", "any", "a", "most", "black", "chaque", "tous les", "les", "un"))
_NO_DAY = frozenset(("le", "au", "du"))
_YEAR = r"(?P<year>(?:19|20)\d\d)\b"
_OF_YEAR = rf",?(?: of| de)? {_YEAR}"
# Most texts name no day and hold none of this.
_HINT = (
    r"day|night|morning|evening|afternoon|week|month|year|di\b|hier\b|demain|tomorrow|aujourd|matin|soir|ce mois|mois |ann[eé]e|"
    r"\ban\b|jours|semaine|midi|\b(?:mon|tues?|wed|thurs?|fri)\b|\bthe \d|\ble \d|\d{4}-\d\d-|\d[/.]\d\d?[/.]|(?:in|since|during|en|depuis) (?:19|20)\d\d|"
    r"\b(?:jan|f[eé][bv]|mar[. ]|mars|march|apr|avr|may\b|mai\b|jun|juin|jul|juil|aug|ao[uû]t|sept?\b|septem|oct|nov|d[eé]c[. ]|d[eé]cem)"
)
# A rule's pattern is only compiled and tried on a text that holds one of its hints, in small letters.
_HINT_MONTH_EN = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_HINT_MONTH_FR = (
    "janv",
    "fév",
    "fev",
    "mars",
    "avr",
    "mai",
    "juin",
    "juil",
    "août",
    "aout",
    "sept",
    "octo",
    "nov",
    "déc",
    "dec",
)
_HINT_DAY_EN, _HINT_DAY_FR = (tuple(f"{article} {digit}" for digit in "123456789") for article in ("the", "le"))
_HINT_WEEKDAY_FR = ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche")
_HINT_YEAR = tuple(f"{word} {digits}" for word in ("in", "since", "during", "en", "depuis") for digits in ("19", "20"))

_RULES: tuple[tuple[tuple[str, ...], str, Callable[[re.Match[str], date, bool], _Days | None]], ...] = (
    (("19", "20"), r"(?<![\w/.:-])(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?![\w/-]|[.:]\w)", _iso),
    (("19", "20"), r"(?<![\w/.-])(?P<first>\d{1,2})(?P<mark>[/.])(?P<second>\d{1,2})(?P=mark)(?P<year>20\d\d)(?![\w/]|[.:]\w)", _numeric),
    (("/",), r"\ble (?P<day>\d{1,2})/(?P<number>\d{1,2})(?![\w/]|[.:]\w)", _day_of_month),
    (_HINT_MONTH_EN, rf"{_BEFORE}(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH_EN})(?:{_OF_YEAR})?", _day_of_month),
    (("may", "march"), rf"{_BEFORE}(?P<day>\d{{1,2}})(?:st|nd|rd|th) (?:of )?(?P<month>may|march)\b(?:{_OF_YEAR})?", _day_of_month),
    (_HINT_MONTH_FR, rf"(?:\ble )?{_BEFORE}(?P<day>\d{{1,2}}|1er) (?P<month>{_MONTH_FR})(?:{_OF_YEAR})?", _day_of_month),
    (_HINT_MONTH_EN, rf"\b(?P<month>{_MONTH_EN}) (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?![.:/]\d|%)(?:{_OF_YEAR})?", _day_of_month),
    (("may", "march"), rf"\bon (?P<month>may|march) (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?![.:/]\d|%)(?:{_OF_YEAR})?", _day_of_month),
    (_HINT_DAY_EN, rf"\b(?:on|by|since|until|till|from|before|after|due) the (?P<day>\d{{1,2}})(?:st|nd|rd|th){_ENDS}(?! of)", _bare_day),
    (_HINT_DAY_FR, rf"\ble (?P<day>\d{{1,2}}|1er){_ENDS}(?! de\b)", _bare_day),
    (_HINT_MONTH_EN, rf"\b(?P<lead>in|during|since|last|next|this|until|by|early|mid|late|(?:the )?(?:end|beginning|start|middle) of)(?:[- ](?P<part>early|mid|late))?[- ](?P<month>{_MONTH_EN})(?!\s*\d{{1,2}}\b)(?:{_OF_YEAR})?", _month),
    (("may", "march"), rf"\b(?P<lead>in|since|last|next|early|mid|late)[- ](?P<month>may|march)(?:{_OF_YEAR}|(?=\W*$|[,.;!?]))", _month),
    (_HINT_MONTH_EN + _HINT_MONTH_FR, rf"\b(?P<month>{_MONTH_EN}|{_MONTH_FR}){_OF_YEAR}", _month),
    (_HINT_MONTH_FR, rf"\b(?:(?P<lead>en|depuis|courant|d[ée]but|mi|fin|au mois de|d[eè]s)[- ])(?P<month>{_MONTH_FR})(?:{_OF_YEAR}| (?P<tail>dernier|prochain|pass[ée]))?", _month),
    (_HINT_MONTH_FR, rf"\b(?P<month>{_MONTH_FR}) (?P<tail>dernier|prochain|pass[ée])\b", _month),
    (("today", "tonight", "this ", "aujourd", "ce ", "cet"), r"\b(?:today|tonight|this (?:morning|afternoon|evening)|aujourd['’]hui|ce (?:matin|soir)|cet(?:te)? apr[eè]s-midi)\b", _near(0)),
    (("yesterday", "last night", "hier"), r"(?<!before )\b(?:yesterday(?: (?:morning|afternoon|evening|night))?|last night)\b|(?<!avant-)(?<!avant )\bhier(?: (?:matin|soir|apr[eè]s-midi))?\b", _near(-1)),
    (("before yesterday", "avant"), r"\bthe day before yesterday\b|\bavant[- ]hier(?: (?:matin|soir))?\b", _near(-2)),
    (("tomorrow", "demain"), r"(?<!after )\btomorrow(?: (?:morning|afternoon|evening|night))?\b|(?<!apr[eè]s[- ])\bdemain(?: (?:matin|soir))?\b", _near(1)),
    (("after tomorrow", "demain"), r"\bthe day after tomorrow\b|\bapr[eè]s[- ]demain\b", _near(2)),
    ((" ago",), rf"\b(?P<count>{_COUNT}|a couple of) (?P<unit>days?|weeks?|months?|years?) ago\b", _ago),
    (("y a ",), rf"\b(?:il )?y a (?P<count>{_COUNT}) (?P<unit>jours?|semaines?|mois|ans?)\b(?! de\b| d['’])", _ago),
    (("in ", "dans "), rf"\b(?:in|dans) (?P<count>{_COUNT}) (?P<unit>days?|weeks?|months?|jours?|semaines?|mois)\b", _to_come),
    (("day",), rf"(?:\b(?P<lead>every|each|any|a|most|black|by|due|until|before|last|this|next|past|coming)\s+)?(?:\bon\s+)?(?<![\w-])(?<!to )(?<!through )(?P<weekday>{_WEEKDAY_EN})(?P<short>)(?![\w]|[-–]\w|\s+(?:to|through)\s+(?:{_WEEKDAY_EN})|,?\s+(?:the\s+)?\d|,?\s+{_MONTH_EN})(?:\s+(?:of\s+)?(?P<week>last|this|next) week)?", _weekday),
    (("mon", "tue", "wed", "thu", "fri"), r"\b(?P<lead>on|by|due|until|last|this|next|past|coming)\s+(?P<weekday>)(?P<short>(?-i:Mon|Tues?|Wed|Thu|Thurs?|Fri))(?![\w-])", _weekday),
    (_HINT_WEEKDAY_FR, rf"(?:\b(?P<lead>chaque|tous les|le|les|un|du|au|ce|pour)\s+)?(?<![\w-])(?P<weekday>{_WEEKDAY_FR})(?P<short>)(?![\w-]|\s+\d|\s+(?:et|au|à)\s+(?:{_WEEKDAY_FR}))(?:\s+(?P<tail>dernier|pass[ée]|prochain)\b|\s+de la (?P<week>semaine (?:derni[eè]re|pass[ée]e|prochaine)))?", _weekday),
    (("week", "month", "year"), r"\b(?P<which>last|this|next|past|coming|over the) (?P<unit>week-?end|week|month|year)\b(?!['’])", _stretch),
    (("dern", "pass", "proch"), r"\b(?:la |l['’]|le )?(?P<unit>semaine|mois|ann[eé]e|an|week-?end) (?P<which>derni(?:er|[eè]re)|pass[ée]e?|prochaine?)\b", _stretch),
    (("ce ", "cette "), r"\b(?P<which>ce|cette) (?P<unit>semaine|mois|ann[eé]e|week-?end)\b", _stretch),
    (_HINT_YEAR, rf"\b(?:in|since|during|en|depuis) {_YEAR}{_ENDS}", _year),
)  # fmt: skip
