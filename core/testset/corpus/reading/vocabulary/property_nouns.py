"""Nouns of properties by the sort of value that answers them, and what they leave open."""

from __future__ import annotations

import re
from enum import StrEnum


class Sort(StrEnum):
    """What a value is."""

    MONEY = "money"
    SHARE = "share"
    CLOCK = "clock"
    DATE = "date"
    DURATION = "duration"
    MEASURE = "measure"
    NUMBER = "number"
    PERSON = "person"
    CODE = "code"
    TEXT = "text"


_WORDS = {
    Sort.MONEY: (
        "allowance amount balance benefit bill bonus budget charge compensation contribution cost cover "
        "credit debt deposit discount donation earnings excess expenditure expense fare fee fine funding "
        "grant income investment levy limit loan loss margin maximum minimum pay payment penalty pension "
        "premium price proceeds profit rate reduction refund rent rental revenue royalty salary sale saving "
        "spending subscription supplement surcharge tariff tax threshold toll turnover value wage worth"
    ),
    Sort.SHARE: (
        "allowance bonus charge commission concentration content contribution coverage deduction deposit "
        "discount dividend efficiency fee growth haircut humidity increase interest limit margin occupancy "
        "percentage premium probability proportion purity quota rate ratio reduction return saturation share "
        "slope strength supplement surcharge tax threshold tolerance turnout utilisation utilization weight "
        "yield"
    ),
    Sort.CLOCK: "arrival check-in check-out checkout closing deadline departure end hour opening session start time",
    Sort.DATE: "anniversary birth birthday date day deadline end expiry maturity month start validity year",
    Sort.DURATION: (
        "age course delay duration frequency guarantee half-life interval journey latency leave length life "
        "lifetime maturity notice pay period runtime sentence shelf-life stay suspension tenure term time "
        "timeout validity wait warranty"
    ),
    Sort.MEASURE: (
        "altitude amperage area bandwidth bore capacity circumference clearance concentration consumption "
        "current density depth diameter dimension displacement distance dosage dose draught elevation "
        "emission energy flow footprint force freeboard frequency gap gauge gradient headroom height humidity "
        "intake length level limit load loading mass maximum memory mileage minimum output payload pitch "
        "power pressure radius range rating reach resistance resolution salinity size span speed storage "
        "strength temperature tension thickness throughput tolerance tonnage torque travel velocity voltage "
        "volume wavelength weight wheelbase width wingspan yield"
    ),
    Sort.NUMBER: (
        "age capacity circulation class code count edition extension floor gauge grade headcount index "
        "mileage number page platform population position quantity rank rating room score size strength tier "
        "version volume year zone"
    ),
    Sort.PERSON: "",
    Sort.CODE: (
        "address certificate class code colour frequency grade id identifier isbn issn licence location model "
        "number part permit plate platform postcode rating reference registration room sheet size type "
        "version zone"
    ),
    Sort.TEXT: (
        "abbreviation address aircraft airline airport author basis borough branch brand breed builder "
        "capital category cause cemetery city classification client climate coating color colour company "
        "composer condition consistency constituency contractor county course crop cuisine currency "
        "customer degree density department depot designer destination developer diagnosis diet direction "
        "discipline distributor district division dose employer engine entrance event exchange fabric faculty "
        "family field finish flavour floor food format formula frequency fuel function gauge genre genus "
        "grade group habitat harbour head headquarters heating home importer industry ingredient insurer "
        "intensity interval kind laboratory landlord language league lender level licence line livery "
        "location lubricant maker manufacturer market material medium method mission mode model month motto "
        "nationality occupation office operator order origin outcome owner parish park pattern payee phase "
        "platform policy port position postcode power priority product profession programme property provider "
        "province publisher purpose qualification quality range rank rating reason region regulator religion "
        "requirement residence responsibility result role room route scale school season seat section sector "
        "sender severity shape ship site size soil species sponsor standard state station status "
        "street style subject substance supplier surface symptom system taste technique term territory "
        "texture theme therapy tier title town trade train treatment tribe type use vaccine variety vendor "
        "venue vessel village voltage ward warehouse weather weekday wood workshop zone"
    ),
}
NOUNS = {sort: frozenset(words.split()) for sort, words in _WORDS.items()}
"""The nouns that people ask for, by what they expect to hear."""
COUNTED = re.compile(
    r"(?:.* )?(?:seats|beds|bedrooms|rooms|floors|storeys|employees|staff|members|pupils|students|residents|places|"
    r"doors|windows|platforms|berths|cabins|cars|vehicles|vans|lorries|buses|wheels|axles|stops|courts|pitches|volunteers|"
    r"carriages|coaches|pages|tracks|lanes|stations|shops|branches|spaces|tanks|animals|hives|lockers|desks|toilets|"
    r"ports|cylinders|gears|keys|[a-z]{3,}(?:ers|ors|ists|ians))(?: under contract)?",
    re.IGNORECASE,
)
"""Things that something has so many of."""
PLURALS = frozenset(
    {*["hours", "times", "dimensions", "measurements", "terms", "sales", "earnings", "proceeds", "headquarters"]}
)
"""Plural nouns of one value: "the opening hours", "the payment terms"."""
OPEN = frozenset(
    [
        "date",
        "amount",
        "change",
        "class",
        "code",
        "condition",
        "count",
        "current",
        "day",
        "degree",
        "end",
        "figure",
        "floor",
        "frequency",
        "gap",
        "head",
        "index",
        "item",
        "length",
        "level",
        "limit",
        "line",
        "load",
        "maximum",
        "minimum",
        "mode",
        "month",
        "name",
        "number",
        "order",
        "page",
        "part",
        "percentage",
        "period",
        "phase",
        "position",
        "property",
        "quality",
        "quantity",
        "range",
        "rate",
        "ratio",
        "rating",
        "reason",
        "rank",
        "result",
        "return",
        "scale",
        "section",
        "share",
        "size",
        "start",
        "state",
        "strength",
        "subject",
        "system",
        "target",
        "term",
        "time",
        "title",
        "total",
        "travel",
        "unit",
        "use",
        "value",
        "volume",
        "weighting",
        "yield",
        "field",
        "proportion",
        "group",
        "event",
        "function",
        "threshold",
        "standard",
        "method",
        "requirement",
        "probability",
        "use",
        "basis",
        "interval",
        "increase",
        "reduction",
        "product",
    ]
)
"""Nouns that do not say by themselves of what: "the time", "the rate"."""
SAYING_ALONE = frozenset(
    [
        "class",
        "code",
        "floor",
        "length",
        "level",
        "limit",
        "name",
        "position",
        "price",
        "size",
        "subject",
        "title",
        "volume",
    ]
)
"""Of these, such as are asked of a thing all the same: "the length of the boat Dunlin"."""
VAGUE = frozenset(
    [
        "actual",
        "additional",
        "approximate",
        "average",
        "avg",
        "best",
        "current",
        "final",
        "first",
        "full",
        "general",
        "highest",
        "last",
        "latest",
        "lowest",
        "main",
        "mean",
        "median",
        "new",
        "next",
        "normal",
        "official",
        "old",
        "original",
        "other",
        "overall",
        "own",
        "planned",
        "previous",
        "regular",
        "second",
        "special",
        "standard",
        "target",
        "total",
        "typical",
        "usual",
        "various",
        "whole",
        "worst",
        "yearly",
    ]
)
"""Words before a noun that do not say of what either."""
