"""What declining sounds like in German and French; the patterns read match text, so "enthält" is "enthalt"."""

from __future__ import annotations

import re

from core.judging.match.abstention.vocabulary import any_of

GERMAN = re.compile(
    r"\b"
    + any_of(
        r"ich (?:weiss|kenne|habe|kann|konnte|finde|darf|verfuge|besitze|bin)(?: [\w-]+){0,8}?"
        r" (?:nicht|kein\w*|nichts)",
        r"(?:weiss|kann|konnte|habe|finde|darf|verfuge) ich(?: [\w-]+){0,8}? (?:nicht|kein\w*|nichts)",
        r"(?:wir (?:konnen|durfen|haben)|(?:konnen|durfen|haben) wir)(?: [\w-]+){0,6}? nicht (?:beantworten|mitteilen"
        "|sagen|bestatigen|offenlegen|weitergeben)",
        r"kein(?:e|en|erlei)? (?:[\w-]+ )?(?:informationen|information|angaben|angabe|auskunfte?|erwahnung|ahnung)",
        r"(?:dokumente?n?|unterlagen|texte?n?|kontext|quellen?|abschnitte?n?|passagen?)(?: [\w-]+){0,10}? (?:nicht"
        r"|nichts|keine?n?) (?:[\w-]+ )?(?:erwahnt|genannt|angegeben|enthalten|beschrieben|aufgefuhrt|hervor|zu finden"
        "|dazu)",
        r"(?:wird|werden|ist|sind)(?: [\w-]+){0,6}? nicht (?:erwahnt|genannt|angegeben)",
        r"(?:information|informationen|angaben?) (?:ist|sind)(?: [\w-]+){0,3}? nicht (?:verfugbar|vorhanden|enthalten)",
        r"geht(?: [\w-]+){0,8}? nicht (?:[\w-]+ )?hervor",
        r"(?:lasst|lassen) sich(?: [\w-]+){0,6}? nicht (?:beantworten|ermitteln|feststellen|sagen|bestimmen)",
        r"(?:frage|anfrage)(?: [\w-]+){0,4}? nicht (?:beantwortet|beantworten)",
    )
    + r"\b"
)
FRENCH = re.compile(
    r"\b"
    + any_of(
        r"je ne (?:sais|peux|suis|dispose|trouve|connais|possede|vois)(?: [\w-]+){0,3}? (?:pas|aucun\w*|daucun\w*)",
        r"je nai (?:pas|aucun\w*|malheureusement pas|trouve aucun\w*)",
        r"nous ne (?:disposons|pouvons|savons|connaissons|sommes)(?: [\w-]+){0,2}? (?:pas|daucun\w*)(?: [\w-]+){0,2}?"
        " (?:information|informations|repondre|communiquer|divulguer|savoir|confirmer|en mesure)",
        r"(?:documents?|textes?|contextes?|passages?|sources?|extraits?)(?: [\w-]+){0,4}? ne (?:mentionn|precis|contien"
        r"|indiqu|fourni|donn|parl|comport|di[ts]|specifi)\w*",
        r"aucune? (?:[\w-]+ )?(?:information|informations|donnee|mention|indication|renseignement|detail|reponse)",
        r"(?:nest|ne sont|netait|na|nont)(?: pas|jamais)(?: ete)? (?:[\w-]+ )?(?:mentionne|precise|indique|specifie"
        r"|fourni|communique)\w*",
        "il (?:nest|mest) (?:pas possible|impossible) de (?:repondre|savoir|determiner|dire)",
    )
    + r"\b"
)

OTHER_LANGUAGES = (GERMAN, FRENCH)
