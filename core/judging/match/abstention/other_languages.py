"""What declining sounds like in German, French, Spanish, Italian, Dutch and Portuguese.

The patterns read match text, so "enthält" is "enthalt".
"""

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

SPANISH = re.compile(
    r"\b"
    + any_of(
        r"no (?:se|lo|esta|estan|aparece|aparecen|figura|consta|hay|he|tengo|dispongo|puedo|pude|encuentro|encontre"
        r"|cuento"
        r"|contiene|contienen|menciona|mencionan|especifica|especifican|indica|indican|proporciona|proporcionan)\b"
        r"(?: [\w-]+){0,10}? (?:documentos?|contexto|textos?|informacion|datos|respuesta|fuentes?|responder|responderse"
        r"|determinar|mencionad[oa]s?|especificad[oa]s?|disponibles?|pregunta)",
        r"no se (?:menciona|especifica|indica|precisa|detalla|informa|recoge)n?",
        r"(?:documentos?|contexto|textos?|fuentes?)(?: [\w-]+){0,6}? no (?:menciona|especifica|indica|contiene"
        r"|proporciona"
        r"|incluye|dice|ofrece)\w*",
    )
    + r"\b"
)
ITALIAN = re.compile(
    r"\b"
    + any_of(
        r"non (?:e|sono|viene|vengono|ho|dispongo|posso|riesco|trovo|si|ce|ci|risulta|risultano|conosco|so)\b"
        r"(?: [\w-]+){0,10}? (?:document\w+|contesto|test[oi]|informazion\w+|specificat\w+|menzionat\w+|indicat\w+"
        r"|risposta|rispondere|disponibil\w+|fonti)",
        r"(?:document[oi]|contesto|test[oi]|fonti|manual[ei])(?: [\w-]+){0,6}? non "
        r"(?:menziona|riporta|specifica|indica|contien|fornisc"
        r"|riporta|dice)\w*",
    )
    + r"\b"
)
DUTCH = re.compile(
    r"\b"
    + any_of(
        r"(?:geen|niet)(?: [\w-]+){0,6}? (?:informatie|gegevens|vermeld|genoemd|gevonden|opgenomen|beantwoorden"
        r"|antwoord"
        r"|terugvinden|vinden|beschikbaar)(?=\W*$|(?: [\w-]+){0,5}? (?:documenten|context|tekst|bronnen|over|voor))",
        r"ik (?:weet|kan|heb|beschik)(?: [\w-]+){0,6}? (?:niet|geen)",
    )
    + r"\b"
)
PORTUGUESE = re.compile(
    r"\b"
    + any_of(
        r"nao (?:ha|tenho|posso|encontrei|foi|foram|e|esta|estao|consta|constam|menciona|especifica|indica|disponho"
        r"|sei)\b"
        r"(?: [\w-]+){0,10}? (?:informac\w+|documentos?|contexto|textos?|mencionad\w+|especificad\w+|responder|resposta"
        r"|disponive\w+|fontes?)",
        r"(?:documentos?|contexto|textos?|fontes?)(?: [\w-]+){0,6}? nao "
        r"(?:menciona|informa|especifica|indica|contem|fornece"
        r"|diz)\w*",
    )
    + r"\b"
)

ABROAD = re.compile(
    r"\b(?:nicht|nichts|kein\w*|ne|nai|nest|netait|na|nont|aucune?|pas|non|niet|geen|nao|mest|impossible)\b"
    r"|\bno\b.*\b(?:documentos?|contexto|textos?|informacion|datos|respuesta|fuentes?|responder\w*|determinar|mencionad[oa]s?"
    r"|especificad[oa]s?|disponibles?|pregunta|menciona|especifica|indica|contiene|proporciona|incluye|dice|ofrece)"
    r"|\b(?:documentos?|contexto|textos?|fuentes?)\b"
)
"""A word without which none of them is there, to look at fewer clauses closely."""
OTHER_LANGUAGES = (GERMAN, FRENCH, SPANISH, ITALIAN, DUTCH, PORTUGUESE)
