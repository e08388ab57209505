"""Words that names shorten, and words that names are made of."""

from __future__ import annotations

_SHORT = """
acct account; addr address; amt amount; appt appointment; attr attribute; avg average; bal balance; bday birthday;
ccy currency; cd code; clm claim; cmpny company; cnt count; cntry country; coll collateral; conf confirmation;
cpty counterparty; ctct contact; ctry country; curr currency; cust customer; dept department; descr description; desc
description; diag diagnosis; disc discount; disch discharge; div division; dob date of birth; dos dose; dt date; dx
diagnosis; eff effective; emp employee; ext extension; fname first name; freq frequency; fx foreign exchange; grp group;
hist history; hosp hospital; hrs hours; info information; instr instruction; inv invoice; invc invoice; lang language;
lim limit; lname last name; lvl level; maint maintenance; max maximum; mfr manufacturer; mgr manager; min minimum;
mins minutes; mkt market; mname middle name; msg message; mth month; nbr number; nm name; notif notification; nr number;
num number; ord order; org organisation; phys physician; pkg package; pmt payment; prem
premium; prev previous; proc procedure; prod product; proj project; prov provider; qtr quarter; qty quantity; rcpt
receipt; rgn region; rx prescription; sal salary; sched schedule; secs seconds; seg segment; seq sequence; src source;
std standard; sts status; subcat subcategory; supp supplier; svc service; tel telephone; tot total; trans transaction;
trx transaction; tx transaction; txn transaction; typ type; tz time zone; usr user; vend vendor; vol volume; wgt weight;
whse warehouse; xfer transfer; yr year; opt option; qual quality; ver version; adm admission; enc encounter; stat status
"""
ABBREVIATIONS: dict[str, str] = {
    short: opened for short, _, opened in (item.strip().partition(" ") for item in _SHORT.replace("\n", " ").split(";"))
}
"""What a shortened word stands for. A unit ("hrs") is opened too."""
LAST_ONLY = {"cat": "category", "loc": "location", "pos": "position", "comm": "commission", "sup": "supervisor"}
"""Words of their own that shorten another one at the end of a longer name."""
STORED_AS = frozenset({"str", "txt", "int", "flt", "dec", "bool"})
"""Ends of names that only say how a value is stored."""
TABLE_PREFIXES = frozenset({"tbl", "dim", "fact", "fct", "stg", "t", "tb", "vw", "v", "mst", "ref", "lkp", "lu"})
TABLE_ENDS = frozenset(
    {"daily", "data", "dim", "fact", "info", "information", "list", "master", "monthly", "snapshot", "table", "tbl"}
)
"""Ends of a table's name that say how it is kept, not what a row is."""
_COMMON = """
account action active activity actor actual address agency agent agreement album allergy amount answer apartment area
artist asset assigned author average bank base batch begin benefit bill billing birth block board body book box brand
branch budget building business buyer campaign capacity car card case cash category center change channel charge check
city class client close closed code color colour comment commission company component condition contact content
contract cost count country coupon course cover credit currency current customer cycle daily data date day dealer debit
debt delivery department deposit description design desk detail device diagnosis direct discount district division
doctor document dosage dose driver drug due duration duty edition education effective email employee end engine entry
equipment estimated event exchange exchange expense expiry export extension factor family fee field file film final
first fiscal flight floor flow form frequency fuel full fund gender genre goods grade gross ground group guest head
health height high hire history holder holiday home hospital hotel hour house import income industry initial inspection
insurance interest inventory invoice issue item job join key label land language last law leader lease ledger legal
length level license limit line list load loan local location log loss low machine main manager manufacturer margin mark
market material maturity maximum measure medical medication meeting member membership merchant message method middle
minimum minute mobile mode model money month monthly mortgage mutual name nation national net next note notification
number occupation office officer open order organisation origin other outcome owner package page paid parent part
partner party password patient pay payment percent performance period permit person phone physician place plan plant
platform player policy port position post postal premium prescription previous price primary priority procedure process
product profile profit program project property provider province purchase purpose quality quantity quarter question
range rank rate rating reason receipt record reference region register relation release remark rent rental report
request reserve resident resource result retail return revenue review risk role room route salary sale sales sample
scale schedule school score season seat second section sector security segment seller sender senior series service
session settlement share shares shift ship shipment shipped shipping shop sick site size skill source special species
staff stage start state station status stock stop storage store story street student style subject supplier supply
support surgery symbol system target task tax team term territory test text ticket ticker time title total town track
trade train transaction transfer transport travel treatment trip truck type unit updated user vacation value vehicle
vendor version view visit volume wage wallet ward warehouse warranty water week weight work worker year zip zone
headquarters username keyword first last joined
opened created received ordered required number birthday shared middle maiden
"""
WORDS = frozenset(_COMMON.split()) | frozenset(word for opened in ABBREVIATIONS.values() for word in opened.split())
"""Words that names are put together from without anything between them."""
_KEPT = """
id ids uid pin atm bic iban vat url api ip gps hr ceo cfo isbn sku kyc etf vip pdf sms usd eur gbp sql tv pc cv mph kg
km cm mm lb ft gb mb tb kb bp hdl ldl bmi dvd cd nth qr
"""
KEPT_SHORT = frozenset(_KEPT.split())
"""Short forms that people say as they are."""
