"""Words in the names of tables and columns, and what people call them."""

from __future__ import annotations

UNITS = {
    "ft": "in feet",
    "m": "in metres",
    "cm": "in centimetres",
    "mm": "in millimetres",
    "kt": "in knots",
    "c": "in degrees Celsius",
    "f": "in degrees Fahrenheit",
    "g": "in grams",
    "mg": "in milligrams",
    "ml": "in millilitres",
    "l": "in litres",
    "hl": "in hectolitres",
    "t": "in tonnes",
    "lb": "in pounds",
    "kw": "in kilowatts",
    "mw": "in megawatts",
    "kwh": "in kilowatt-hours",
    "mwh": "in megawatt-hours",
    "ha": "in hectares",
    "mph": "in miles per hour",
    "bpm": "in beats per minute",
    "rpm": "in revolutions per minute",
    "psi": "in pounds per square inch",
    "hz": "in hertz",
    "mhz": "in megahertz",
    "ghz": "in gigahertz",
    "ppm": "in parts per million",
    "mcg": "in micrograms",
    "gal": "in gallons",
    "oz": "in ounces",
    "kb": "in kilobytes",
    "mb": "in megabytes",
    "gb": "in gigabytes",
    "tb": "in terabytes",
    "chf": "in Swiss francs",
    "percent": "in per cent",
    "cents": "in cents",
    "eur": "in euros",
    "usd": "in dollars",
    "gbp": "in pounds",
    "pct": "in per cent",
    "kg": "in kilograms",
    "km": "in kilometres",
    "kmh": "in km/h",
    "kph": "in km/h",
    "mps": "in m/s",
    "kpa": "in kPa",
    "mbar": "in mbar",
    "kv": "in kV",
    "hp": "in hp",
    "million": "in millions",
    "billion": "in billions",
    "years": "in years",
    "weeks": "in weeks",
    "months": "in months",
    "days": "in days",
    "hours": "in hours",
    "minutes": "in minutes",
    "seconds": "in seconds",
}
"""Units at the end of a column's name, spelled out."""
PER = {
    "ft": "foot",
    "h": "hour",
    "s": "second",
    "minimum": "minute",
    "sqm": "square metre",
    "sqft": "square foot",
    "m 2": "square metre",
    "m 3": "cubic metre",
}
"""Units behind "per" that are called otherwise there."""
AMOUNTS_IN = frozenset({"in cents", "in euros", "in dollars", "in pounds", "in Swiss francs"})
"""Units of money."""
TIMES = frozenset({"years", "months", "weeks", "days", "hours", "minutes", "seconds"})
"""Units that are nouns of their own: "flight hours", but "warranty in months"."""
_LASTING = """
time duration length age period delay warranty term tenor notice wait stay leave interval cycle life window grace
frequency trial validity maturity lifetime latency timeout runtime guarantee deadline retention lag tenure sentence
"""
LASTING = frozenset(_LASTING.split())
"""What is measured by time, so that the unit stands behind it."""
_WHEN = """
date time day year month week quarter start end beginning deadline birthday expiry maturity anniversary moment timestamp
hour session since from to until
"""
WHEN = frozenset(_WHEN.split())
"""Words that say when without "date"."""
MEASURES = {
    "milliseconds": "length in milliseconds",
    "seconds": "length in seconds",
    "minutes": "length in minutes",
    "bytes": "size in bytes",
}
"""Columns that are called by their unit alone."""
ABBREVIATIONS = {
    "acct": "account",
    "addr": "address",
    "amt": "amount",
    "avg": "average",
    "cnt": "count",
    "dept": "department",
    "desc": "description",
    "dob": "date of birth",
    "max": "maximum",
    "mgr": "manager",
    "min": "minimum",
    "nr": "number",
    "num": "number",
    "qty": "quantity",
    "tel": "telephone",
}
"""Words that are shortened in names only."""
BEFORE_FIGURES = frozenset({"maximum", "minimum", "average"})
"""What names put behind a figure, and people before it."""
CONTACT_ENDS = {
    "phone": ("number",),
    "telephone": ("number",),
    "mobile": ("number",),
    "fax": ("number",),
    "email": ("address",),
    "zip": ("code",),
}
"""What completes a word that people do not say alone."""
ROLES = {
    "reports to": "manager",
    "managed by": "manager",
    "supervised by": "supervisor",
    "approved by": "approver",
    "created by": "creator",
    "owned by": "owner",
    "sold by": "seller",
    "made by": "maker",
    "written by": "author",
    "produced by": "producer",
    "manufactured by": "manufacturer",
    "taught by": "teacher",
    "led by": "leader",
    "published by": "publisher",
    "born in": "place of birth",
    "located in": "location",
    "based in": "base",
    "lives in": "place of residence",
    "made in": "place of manufacture",
    "assigned to": "assignee",
    "rep": "representative",
    "support rep": "support representative",
    "sales rep": "sales representative",
}
"""Columns that say a relation, as what the other one in it is called."""
_RECORDS = (
    "maintenance history weather stock attendance payroll usage consumption traffic correspondence feedback expenditure"
)
NAMED_PLACES = frozenset({"city", "town", "country", "county", "state", "province", "region", "village"})
NAMED_GROUPS = frozenset({"brand", "category", "subcategory", "genre", "department", "division", "company"})
"""What people say without "name": a product's brand."""
SAID_AS = {"odometer": "odometer reading"}
"""Names of what shows a figure, as the figure."""
ROW_OF = {
    "staff": "staff member",
    "personnel": "staff member",
    "crew": "crew member",
    "inventory": "inventory item",
    "equipment": "piece of equipment",
    "furniture": "piece of furniture",
    "software": "program",
} | {word: f"{word} record" for word in _RECORDS.split()}
"""What one of several is called where the word means all of them."""
KEY_ENDS = frozenset({"id", "key", "fk", "code", "ref", "no"})
OTHER_NAMES = frozenset({"user", "former", "folder", "container", "computer", "server", "other", "color"})
"""What is no maker, owner or member, so that its name is not what people ask for."""
WHICH_ONE = frozenset(
    {"main", "parent", "previous", "next", "primary", "original", "superior", "first", "last", "other"}
)
"""Roles that say which row of a table is meant, and not what it is: the previous policy, a category's parent."""
PAST_OF = {
    "done": "did",
    "taken": "took",
    "given": "gave",
    "driven": "drove",
    "drawn": "drew",
    "seen": "saw",
    "flown": "flew",
    "chosen": "chose",
    "begun": "began",
    "sung": "sang",
    "sworn": "swore",
    "grown": "grew",
    "shown": "showed",
    "known": "knew",
}
"""Participles whose past is another word."""
SUMS = frozenset({"cost", "fee", "fine", "price", "premium", "rent", "salary", "wage"})
"""What is an amount of money without saying so."""
KEY_NAMES = frozenset({"no", "number", "code", "name"})
"""What a row is known by, behind its table's name cut short."""
