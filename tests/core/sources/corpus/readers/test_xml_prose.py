"""XML that marks up prose is read as that prose; records stay fields and tables."""

from __future__ import annotations

from core.sources.corpus.readers.open_formats.xml import read_xml

HELP = b"""<page xmlns="http://projectmallard.org/1.0/" type="topic" style="task" id="volume">
  <title>Change the volume</title>
  <p>Open the <gui xref="shell">system menu</gui> and move the <em>slider</em>.</p>
  <note style="tip"><p>The maximum is <em>150%</em> of the normal volume.</p></note>
  <section id="one"><title>Single applications</title>
    <steps><item><p>Open <app>Settings</app>.</p></item><item><p>Select <gui>Sound</gui>.</p></item></steps>
    <table><tr><td><p>Key</p></td><td><p>Effect</p></td></tr>
    <tr><td><p>Up</p></td><td><p>Louder by 6%</p></td></tr></table>
    <code-block>amixer set Master 5%+</code-block>
  </section>
</page>"""
RATES = b"""<rates valid="2025-01-01">
  <rate currency="EUR"><bid>0.84</bid><ask>0.86</ask></rate><rate currency="USD"><bid>0.77</bid><ask>0.79</ask></rate>
</rates>"""


def text(data):
    return read_xml(data)[0].text


def test_prose_is_read_without_the_names_of_its_marks():
    assert text(HELP).split("\n\n") == [
        "# Change the volume",
        "Open the system menu and move the slider.",
        "The maximum is 150% of the normal volume.",
        "## Single applications",
        "- Open Settings.",
        "- Select Sound.",
        "| Key | Effect |\n| --- | --- |\n| Up | Louder by 6% |",
        "```\namixer set Master 5%+\n```",
    ]


def test_records_keep_their_attributes():
    assert "| EUR | 0.84 | 0.86 |" in text(RATES)
    assert "valid: 2025-01-01" in text(RATES)
