"""What is said of a person's money, health, birth and home, in English and in the words of five neighbours.

Patterns only: whether a named person stands near is read elsewhere.
"""

from __future__ import annotations

import re
from typing import Final

_CURRENCY: Final = r"(?:[$€£]|USD|EUR|GBP|CHF|dollars?|pounds?|euros?|francs?|Franken|libras|d[oó]lares|sterline)"
AMOUNT: Final = (
    rf"(?:(?:[$€£]|USD|EUR|GBP|CHF) ?\d[\d.,' ]*|\d[\d.,']*(?: \d{{3}})*(?: ?(?:k|thousand|million))? ?{_CURRENCY})"
)
_OWNED: Final = (
    r"balance|overdraft|overdrawn|salary|income|savings|debts?|arrears|mortgage|owes|owed|earns|credit limit|"
    r"transferred|withdrew|withdrawn|deposited|paid|received|borrowed|spent|sent|loan|pension|wages?|inherited|won|lost|"
    # German, Dutch
    r"kontostand|gehalt|lohn|rente|schuld(?:en|et)?|verdient|überw(?:ies|iesen|eist)|abgehoben|eingezahlt|erhielt|"
    r"geerbt|kredit|saldo|salaris|heeft betaald|overgemaakt|"
    # French
    r"solde|salaire|dettes?|doit|gagne|découvert|a (?:viré|retiré|versé|reçu|payé|emprunté|touché)|"
    r"touche|perçoit|retraite|"
    # Spanish, Italian
    r"sueldo|salario|deudas?|debe|gana|transfirió|retiró|ingresó|pagó|cobra|hipoteca|stipendio|debiti?|deve|guadagna|"
    r"ha (?:versato|prelevato|pagato|pagado|retirado)"
)
MONEY: Final = re.compile(
    rf"\b(?:{_OWNED})\b[^.!?\n]{{0,60}}?{AMOUNT}"
    rf"|{AMOUNT}[^.!?\n]{{0,40}}\b(?:balance|overdraft|arrears|salary|debts?|überwiesen|abgehoben|verdient|geerbt|"
    rf"overgemaakt|betaald|schulden|schuldig|retraite)\b"
    r"|\bcredit score\b[^.!?\n]{0,20}\b\d{3}\b|\b(?:is|was|are|were) (?:in arrears|overdrawn|bankrupt|insolvent)\b",
    re.IGNORECASE,
)
_ILLNESS: Final = (
    r"(?:cancer|diabetes|hiv|aids|depression|dementia|epilepsy|asthma|schizophrenia|multiple sclerosis|parkinson\w*|"
    r"leuk[a]?emia|hepatitis|a (?:heart|mental|medical) condition|an? \w+ disorder|"
    r"krebs|brustkrebs|diabetes|epilepsie|demenz|depressionen?|c[áa]ncer|demencia|epilepsia|depresión|asma|"
    r"un cancer|le diabète|une dépression|il cancro|il diabete)"
)
HEALTH: Final = re.compile(
    r"\b(?:diagnosed with|suffer(?:s|ed|ing)? from|(?:is|was|being) treated for|tested positive for|prescribed|"
    r"(?:is|was) (?:hiv|covid)[- ]positive|hospitali[sz]ed (?:for|with)|in therapy for|disabled since|is pregnant|"
    r"had a (?:miscarriage|stroke|heart attack)|"
    r"underw(?:ent|ent an?)|undergo(?:es|ing)? (?:\w+ )?(?:surgery|chemotherapy|radiotherapy|dialysis|treatment|"
    r"therapy|an operation)|(?:is|was) on (?:antidepressants|insulin|dialysis|methadone|sick leave)|"
    r"(?:takes|is taking|took) \w+ (?:for|against) (?:his|her|an?|the)|"
    rf"(?:has|had|hat|tiene|a|ha) {_ILLNESS}|"
    r"leidet (?:an|unter)|erkrankte? an|an \w+ erkrankt|ist schwanger|wird wegen|krankgeschrieben|"
    r"souffre d[e'’]|atteinte? d[e'’]|est enceinte|suivie? pour|"
    r"padece|sufre de|está embarazada|diagnosticad[oa] (?:de|con)|soffre di|è incinta|lijdt aan|is zwanger)"
    r"(?!\w)[^.!?\n]{0,40}",
    re.IGNORECASE,
)
_MONTH: Final = (
    r"(?:[A-Z][a-zé]{2,8}|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|"
    r"enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|"
    r"gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|"
    r"januari|februari|maart|mei|juni|juli|augustus|september|oktober|november|december)"
)
_DATE: Final = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|er|º)?\.? (?:of |de )?{_MONTH}\.?,?(?: de| del)? \d{{4}}|"
    r"[A-Z][a-z]{2,8}\.? \d{1,2},? \d{4}|\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})"
)
BORN: Final = re.compile(
    rf"(?i:(?<!\w)(?:date of birth|birth ?date|d\.?o\.?b\.?|born(?: on)?|geboren(?: am| op)?|geb\.(?: am)?|"
    rf"geb(?:urts|oorte)datum|née? le|date de naissance|nacid[oa] el|naci[óo] el|fecha de nacimiento|nat[oa] il|"
    rf"data di nascita)(?:\s+(?:is|was|ist|est|es))?)\W{{0,6}}({_DATE})"
)
_WORD: Final = r"[A-ZÀ-ÖØ-Þ][\wà-öø-ÿ'’-]+"
_LIVES: Final = (
    r"(?:lives?|living|lived|resides?|residing|home address|private address|address of (?:the )?(?:customer|"
    r"client|patient|tenant|employee)[^.\n]{0,40}|wohnt|wohnhaft|habite|demeurant|demeure|domicili[ée]e?|"
    r"domiciliad[oa]|vive en|reside en|abita|residente|woont|woonachtig)"
)
HOMES: Final = (
    re.compile(rf"(?i:\b{_LIVES})[^.\n\d]{{0,20}}(\d{{1,5}}[A-Za-z]?,? (?:{_WORD} ?){{1,4}})"),
    re.compile(
        rf"(?i:\b{_LIVES})[^.\n\d]{{0,20}}(\d{{1,4}}(?: ?bis| ?ter)?,? (?:rue|avenue|boulevard|place|chemin|impasse|"
        rf"allée|quai|route)(?: (?:de la|des|de|du|d[’']))? ?(?:{_WORD} ?){{1,4}})"
    ),
    re.compile(
        rf"(?i:\b{_LIVES})[^.\n\d]{{0,20}}?\b((?:[Cc]alle|[Cc]/|[Aa]venida|[Pp]laza|[Pp]aseo|[Vv]iale?|[Pp]iazza|[Cc]orso)"
        rf"(?: (?:de la|de los|de|del|della|dei))? (?:{_WORD},? ?){{1,4}}(?:n[ºo.]+ ?)?\d{{1,4}})(?!\d)"
    ),
    re.compile(rf"(?i:\b(?:wohnt|wohnhaft|woont|woonachtig))[^.\n\d]{{0,30}}?((?:{_WORD} ?)+ \d{{1,4}}[a-z]?)(?!\d)"),
)
