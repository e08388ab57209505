"""Words of RTF that its reader knows."""

SIGNS = {
    "line": "\n",
    "lbr": "\n",
    "tab": " ",
    "emdash": "\u2014",
    "endash": "\u2013",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
    "bullet": "\u2022",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
}
INFO = {"title": "title", "author": "author", "subject": "subject", "keywords": "keywords"}
"""Properties of the file, by the words for them."""
DROPPED = frozenset(
    {
        "pict", "objdata", "objclass", "objname", "fldinst", "header", "headerl", "headerr", "headerf", "footer",
        "footerl", "footerr", "footerf", "colortbl", "filetbl", "revtbl", "listtable", "listoverridetable", "rsidtbl",
        "generator", "themedata", "colorschememapping", "datastore", "latentstyles", "xmlnstbl", "listtext", "pntext",
        "nonshppict", "pntxta", "pntxtb", "creatim", "revtim", "printim", "buptim", "bkmkstart", "bkmkend",
        "annotation", "atnid", "atnauthor", "ftnsep", "ftnsepc", "aftnsep", "aftnsepc", "template", "operator",
        "company", "doccomm", "nesttableprops", "nonesttables", "tc", "xe", "panose", "falt", "userprops", "mmathPr",
        "wgrffmtfilter",
    }
)  # fmt: skip
"""Destinations whose content nobody reads."""
CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
"""Encodings by a font's number of its character set; others have the document's."""
