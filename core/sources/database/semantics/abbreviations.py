"""Words that names shorten, and words that names are made of."""

from __future__ import annotations

_SHORT = """
accr accrual; acct account; acft aircraft; addr address; adj adjustment; adjr adjuster; adm admission; admin
administration; adr address; agmt agreement; agt agent; alloc allocation; amt amount; ann annual; appl application;
appr approving; approx approximate; appt appointment; arr arrival; asg assignment; asgn assigned; asmt assessment; asn
assignment; asof as of; assoc association; asst assistant; attn attention; attr attribute; aud audit; avail available;
avg average; bal balance; bday birthday; bdgt budget; ben beneficiary; bene beneficiary; bgt budget; bldg building;
bnf beneficiary; bnk bank; brch branch; brn branch; brwr borrower; btch batch; calc calculated; canc cancelled; cand
candidate; capt captain; ccy currency; cd code; cert certificate; chg change; chk check; chnl channel; chq cheque;
chrg charge; clm claim; clmd claimed; clmnt claimant; clr clearing; cls class; cmnt comment; cmplt complaint; cmpny
company; cmt comment; cnfm confirmation; cnsnt consent; cnt count; cntct contact; cntr contract; cntrct contract;
cntry country; coch coach; coll collateral; coltr collateral; compl completed; conf confirmation; constr construction;
contr contract; conv conversion; coord coordinator; corp corporate; corr correction; cpty counterparty; cr credit; crd
card; crdt credit; crdtr creditor; crn currency; crt created; crtr curator; cst cost; cstmr customer; ctct contact;
ctl control; ctn carton; ctr centre; ctrl control; ctry country; cty city; curr currency; cust customer; cvr cover;
dbtr debtor; dcmt document; ded deductible; def definition; del delivery; deliv delivery; depr depreciation; dept
department; desc description; descr description; dest destination; det detail; dev development; dflt default; diag
diagnosis; diff difference; dir director; disb disbursement; disc discount; disch discharge; disp dispensed; dist
distance; distr distribution; div division; dlgt delegate; dlr dealer; dlv delivery; dlvry delivery; dob date of
birth; doc document; dom domestic; dos dose; drv driver; dspt dispute; dstrct district; dt date; dur duration; dx
diagnosis; eff effective; elct election; elec electricity; elev elevation; eml email; emp employee; enc encounter;
endt end date; enr enrolment; env environment; eqp equipment; equip equipment; eval evaluation; evt event; exch
exchange; excp exception; exec execution; exh exhibition; exm examination; expd expected; expo exposure; ext
extension; extd extended; fac facility; fam family; fcst forecast; fem female; flr floor; flt flight; fname first
name; freq frequency; frm from; frst first; frt freight; fst first; fwd forward; fx foreign exchange; glacct general
ledger account; govt government; grd grade; grp group; grs gross; gt gate; gvn given; hgt height; hist history; hldr
holder; hlth health; hndlr handler; hol holiday; hosp hospital; hrs hours; ht height; ident identification; incd
incident; incl included; ind indicator; indiv individual; info information; init initial; insp inspection; inspr
inspector; inst installation; instl instalment; instr instruction; insur insurance; int interest; intl international;
intrst interest; inv invoice; invc invoice; invst investment; invt inventory; iss issue; itm item; jnl journal; jrnl
journal; lang language; lat latitude; ldg ledger; ldgr ledger; len length; lgl legal; lgue league; lib library; lic
licence; lim limit; lmt limit; ln loan; lname last name; lnch launch; lng language; lnr lender; lon longitude; ltst
latest; lvl level; mach machine; mag magazine; maint maintenance; maj major; manuf manufacturer; matl material; max
maximum; mbr member; md mode; mdl model; meas measurement; mech mechanic; med medication; mem member; memb member; mfg
manufacturing; mfr manufacturer; mgmt management; mgr manager; min minimum; mins minutes; mkr maker; mkt market; mname
middle name; mndt mandate; mnfr manufacturer; mnth month; mort mortgage; mrch merchant; msg message; mst master; mtch
match; mtg meeting; mth month; mtl material; mtr meter; mun municipality; mx maintenance; narr narrative; nat
nationality; natl nationality; nbr number; nm name; nom nominal; notif notification; nr number; num number; nxt next;
obj object; obs observation; occup occupation; od overdraft; ofc office; offc office; offcr officer; ofr offer; oper
operation; opn opening; opr operator; opt option; ord order; ordr order; org organisation; orig origin; outc outcome;
ownr owner; parm parameter; parms parameters; pax passengers; pct percent; perc percent; perf performance; perm
permission; pers person; pg page; pgm program; phn phone; phys physician; pic picture; pkg package; plcd placed; plcy
policy; pln plan; plt plant; plyr player; pmt payment; pnl panel; po purchase order; pol policy; poln policy number;
postg posting; pot potential; ppl people; prc price; prcnct precinct; prd product; pref preferred; prem premium; prep
preparing; pres president; presc prescription; prev previous; pri priority; prin principal; prj project; prob problem;
proc procedure; proced procedure; prod product; prof profession; prog program; proj project; prov provider; prsn
person; prty party; pst posting; ptnt patient; pts points; pty party; publ publisher; purch purchase; pwr power; qlty
quality; qnty quantity; qtr quarter; qty quantity; qual quality; quot quotation; rcd record; rcpt receipt; rcvd
received; rcvr recovered; recd received; recon reconciliation; recv received; regn registration; rej rejection; rel
relation; rep representative; repl replacement; rept report; req requested; reqd required; resp responsible; resv
reservation; ret return; retn retention; rgn region; rjct rejection; rlsd released; rmk remark; rmks remarks; rng
range; rpt report; rsd raised; rsk risk; rslt result; rslv resolution; rsn reason; rt rate; rte route; rtg rating; rtn
return; rtnd returned; rvw review; rwy runway; rx prescription; sal salary; sch school; schd schedule; sched schedule;
schl school; scn scenario; scr score; sctr sector; secs seconds; seg segment; sem semester; seq sequence; sess
session; sev severity; sgmt segment; sgn signing; shft shift; shk shock; shp shipment; shpmt shipment; sig signature;
simul simulation; sls sales; sml small; smpl sample; sn serial number; spcl special; spec specification; spl supplier;
splr supplier; sply supply; src source; srv service; srvc service; srvy survey; ssn season; stat status; statn
station; stck stock; stdg standing; stdm stadium; stdnt student; stl settlement; stlmt settlement; stmt statement; stn
station; stor storage; strt start; sts status; subcat subcategory; subj subject; subscr subscription; supp supplier;
suppl supplier; surg surgery; surv survey; suspt suspect; svc service; sym symbol; sys system; tailnum tail number;
tbl table; tech technician; tel telephone; temp temperature; terr territory; tgt target; thm theme; thr threshold;
thresh threshold; tkt ticket; tm time; tmp temperature; tot total; trans transaction; trd trade; trk truck; trmt
treatment; trn training; trng training; trnmt tournament; trt treatment; trx transaction; tst test; ttl title; twr
tower; tx transaction; txn transaction; txt text; typ type; tz time zone; uom unit of measure; upd updated; usr user;
util utilisation; vac vacancy; val value; var variance; veh vehicle; vend vendor; ver version; vers version; vess
vessel; vict victim; vis visibility; vld valid; vltn valuation; vol volume; vou voucher; vsl vessel; wd withdrawal;
wdl withdrawal; wgt weight; wh warehouse; whs warehouse; whse warehouse; wk week; wkr worker; wnd wind; wo work order;
wrk work; wrty warranty; wt weight; wthr weather; wtns witness; wvd waived; wx weather; xch exchange; xfer transfer;
yld yield; yr year; zn zone; incept inception; std standard; yrs years; wks weeks; hq headquarters; cov coverage;
calib calibration; dwntm downtime; dntm downtime; fw firmware; warr warranty; mthly monthly; addl additional; enrl
enrolment; hldg holding; lts litres; qtys quantities; refnd refund; resrv reserve; subs subscription; underwr
underwriter; dsc description; dscr description; fnm first name; snm surname; lnm last name; hir hire; bdg budget; twn
town; blt built; sz size; cmdty commodity; dpth depth
"""
ABBREVIATIONS: dict[str, str] = {
    short: opened for short, _, opened in (item.strip().partition(" ") for item in _SHORT.replace("\n", " ").split(";"))
}
"""What a shortened word stands for. A unit ("hrs") is opened too."""
_SEVERAL = """
act adj adm ann app appr arr aud bal cap cat chg chk cls cmp cntr col coll comp con conf contr cor corr crt ct ctl ctr
ctrl cur def del det dim dir disc disp dist div enc env est exm exp ext fac fam fem frm gen grd ind ins inst instr int
inv iss jnl ln mag mat mech mem mod mun nat nom obj opr opt ord perf pers pg pic pln plt po pop pos pot pref prep pres
pri prin prm prob proc prod prof prog prop prov pst pts pty pub qual rec rel rep repl req res resp ret rng rsd rt rvw
sal sch scr sec seg sem seq ser sess sig sml sn spc spec spl src srv stat stg stk stn str sub subs sup supp surg sym
sys ter thr trans trd trk trn trt tst twr util vac val ver vers vis wd wh wt hr
"""
SEVERAL = frozenset(_SEVERAL.split())
"""Short forms of several words: in a database of nothing but short forms the likeliest one is too often wrong."""
_BEFORE = """
act cost actual; act amount actual; act date actual; act time actual; act hours actual; act quantity actual; ins date
installation; cmp date completion; str date start; ann amount annual; hr rate hourly;
std cost standard; std price standard; std rate standard; exp date expiry; exp amount expense; mat date maturity; dep
date departure; dep time departure; dep airport departure; dep delay departure; dep amount deposit; dr amount debit;
est date establishment; est amount estimated; inc date incorporation; inc amount income; occ date occurrence; ttl
amount total; cls date closing; cls balance closing; coll date collection; coll amount collection; lst name last; rm
number room; rm type room; bk name book; reg date registration; sec number security; inst amount instalment; inst no
instalment; auth name author; pay date payment; pay method payment; pay type payment; pay status payment; pay amount
payment; est hours estimated; est cost estimated; est time estimated; est duration estimated; est price estimated; est
value estimated;
prod date production; prod time production; prod line production; prod cost production; publ date publication;
publ year publication; pub date publication; pub year publication
"""
BEFORE: dict[tuple[str, str], str] = {
    (short, word): opened for short, word, opened in (item.split() for item in _BEFORE.split(";"))
}
"""What a shortened word stands for before some word, where it stands for several things."""
LAST_ONLY = {
    "ts": "time",
    "ln": "line",
    "cat": "category",
    "loc": "location",
    "pos": "position",
    "comm": "commission",
    "sup": "supervisor",
    "prov": "province",
}
"""Words of their own that shorten another one at the end of a longer name."""
STORED_AS = frozenset({"str", "txt", "int", "flt", "dec", "bool"})
"""Ends of names that only say how a value is stored."""
TABLE_PREFIXES = frozenset({"tbl", "dim", "fact", "fct", "stg", "t", "tb", "vw", "v", "mst", "ref", "lkp", "lu"})
CODED_BY = frozenset({"zip", "postal", "post", "area", "bar", "promotion", "discount", "tax", "dress"})
"""Before "codes" in a table's name, where the rows are codes and nothing else."""
_ENDS = "daily data dim fact hdr header info information list master monthly snapshot table tbl"
TABLE_ENDS = frozenset(_ENDS.split())
"""Ends of a table's name that say how it is kept, not what a row is."""
_COMMON = """
account action active activity actor actual address agency agent agreement album allergy amount answer apartment area
artist asset assigned author average bank base batch begin benefit bill billing birth block board body book box brand
branch budget building business buyer campaign capacity car card case cash category center change channel charge check
city class client close closed code color colour comment commission company component condition contact content
contract cost count country coupon course cover credit currency current customer cycle daily data date day dealer
debit debt delivery department deposit description design desk detail device diagnosis direct discount district
division doctor document dosage dose driver drug due duration duty edition education effective email employee end
engine entry equipment estimated event exchange expense expiry export extension factor family fee field file film
final first fiscal flight floor flow form frequency fuel full fund gender genre goods grade gross ground group guest
head health height high hire history holder holiday home hospital hotel hour house import income industry initial
inspection insurance interest inventory invoice issue item job join key label land language last law leader lease
ledger legal length level license limit line list load loan local location log loss low machine main manager
manufacturer margin mark market material maturity maximum measure medical medication meeting member membership
merchant message method middle minimum minute mobile mode model money month monthly mortgage mutual name nation
national net next note notification number occupation office officer open order organisation origin other outcome
owner package page paid parent part partner party password patient pay payment percent performance period permit
person phone physician place plan plant platform player policy port position post postal premium prescription previous
price primary priority procedure process product profile profit program project property provider province purchase
purpose quality quantity quarter question range rank rate rating reason receipt record reference region register
relation release remark rent rental report request reserve resident resource result retail return revenue review risk
role room route salary sale sales sample scale schedule school score season seat second section sector security
segment seller sender senior series service session settlement share shares shift ship shipment shipped shipping shop
sick site size skill source special species staff stage start state station status stock stop storage store story
street student style subject supplier supply support surgery symbol system target task tax team term territory test
text ticket ticker time title total town track trade train transaction transfer transport travel treatment trip truck
type unit updated user vacation value vehicle vendor version view visit volume wage wallet ward warehouse warranty
water week weight work worker year zip zone headquarters username keyword joined opened created received ordered
required birthday shared maiden absence abstract academic acceptance access accident achievement acquisition
activation additional adviser affiliate airline airport alert alias allocated allowance alternative ambulance analyst
animal annex anniversary appeal applicant approval archive arrest article assembly assessment athlete attempt
attendance auction audience award baggage balcony ballot band barcode bathroom bedroom beverage bicycle blood boat
borrower bottle breed broker bucket bundle cabin cable calibration camera cancer candidate canteen captain cargo
carrier cast catalogue celebrity ceremony chair chapter charity chart chemical chief child circuit citation citizen
claim claimed clause clinic clinical coach coin college commodity community competition composer compound concert
conference consultant consumer consumption contest continent contractor copy counter couple court courtesy coverage
creator creditor crew crime crop culture curator custody damage database deadline death debtor decision defect degree
delegate demand density dependent deputy diet director disability disease dish dispatch display disposal distributor
donation donor draft drawing dwelling election element emergency emission enquiry enterprise episode evidence exam
exception exhibit exhibition expert exposure facility failure farm farmer feature feedback festival fertiliser figure
finding fine flag fleet forecast forest formula forum founder fraud fruit funding game garden gate generator given
governor graduate grain grant guarantee guide harvest hazard hearing highway household hull hunter identity illness
image impact incident index inmate insect inspector instalment institute instrument intake invention investor island
jewel journal jury keeper kitchen laboratory labour lake landlord launch lawyer lecture lender lesson letter library
licence lift livestock lobby loft lorry lottery luggage mail mainland mandate maker meal medal media meter military
mineral missing mission mixture module monitor morning motor mountain movie museum musician network neighbour
newspaper nurse nutrient object observation observer occupant offence offer operator opinion orchestra organiser
outage outbreak outlet oven painting panel parcel parish park passage pathway patrol penalty pension perimeter
permission petition pharmacy photo pipeline pitch planet poem police poll pollution pool postage poster poverty
practice predator premises presenter press prison prize producer promotion proposal protein protocol prototype
publisher pump pupil quarry queue quiz quota railway rainfall reactor reader reading rebate recall recipe recruit
recycling referee referral refund regulation rehearsal reminder renewal repair replacement reporter republic rescue
researcher resolution restaurant revision reward ride rival river roster rule runner satellite scholar scholarship
science scientist scope screening script sculpture seed seminar sentence sequence server severity shareholder shelter
shelf signal skipper soil soldier solution song speaker speech spectator speed sponsor spouse squad stadium stall
statement steward stream strike studio submission substance suburb summary supervisor survey suspect swimmer talent
tenant tender terminal theatre theme therapy tissue toll tool tournament tourist toxin trail trainee trainer
transmission trap trial tribe tribunal trustee tuition tunnel turbine tutor university upgrade usage vaccine valve
vegetable venture venue verdict vessel veteran victim village villa vineyard voice volunteer voter voucher voyage
waiter warning waste weapon weather wedding well wheel width winner witness workshop writer yard yield zoo
"""
WORDS = frozenset(_COMMON.split()) | frozenset(word for opened in ABBREVIATIONS.values() for word in opened.split())
"""Words that names are put together from without anything between them."""
_KEPT = """
id ids uid pin atm bic iban vat url api ip gps hr ceo cfo isbn sku kyc etf vip pdf sms usd eur gbp sql tv pc cv mph kg
km cm mm lb ft gb mb tb kb bp hdl ldl bmi dvd cd nth qr kt kw mw ml mg ha kwh mwh rpm co gl aml mcc sla poa ead lgd
gdp esg ipo roi rma erp crm ean upc gtin vin iata icao lei mri ecg icd atc nhs gmc ssn dna pcr gpa usb cpu ram gpu led
lcd faq ngo vp cto coo rn md phd ba msc eu uk us usa un atp
bpm rpm psi hz mhz ghz sqm sqft ppm mcg gal oz inr jpy aud cad nzd sek nok dkk pln czk wta fifa uefa nba nfl mlb nhl
imdb
"""
KEPT_SHORT = frozenset(_KEPT.split())
"""Short forms that people say as they are."""
_SHORT_NOUNS = """
bay bed bee bin boy bus can cap cow cup cut dog dye egg eye fan gas gem gun gym hen hub hut ice ink jar keg kit lab leg
log lot map mix mug net nut oil pan pen pet pie pig pit pod pot ram rod row rug run saw sea sky son sun tea tie tin tip
toe toy tub van web wig zoo
"""
SHORT_NOUNS = frozenset(_SHORT_NOUNS.split())
"""Words of three letters that shorten no other one."""
