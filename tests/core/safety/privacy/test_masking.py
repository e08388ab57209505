"""Masking: nothing of a value but its shape, and the end of a long number, leaves the room."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import InvalidInput
from core.safety.privacy import About, PrivacyRules, find_personal_data, masked_text
from core.safety.privacy.masking import excerpt
from core.safety.privacy.patterns import check_pattern

LETTER = "Mr Tom Baker (GB73XLMB00710018715544, 07700 900461, tom.baker@example.org) called. Tom Baker was angry."


def test_a_masked_text_has_no_value_and_keeps_its_length():
    findings = find_personal_data(LETTER)
    safe = masked_text(LETTER, findings)
    assert len(safe) == len(LETTER)
    for value in ("GB73XLMB00710018715544", "07700 900461", "tom.baker", "Tom Baker", "Baker"):
        assert value in LETTER
        assert value not in safe
    assert safe.endswith("called. ••• ••••• was angry.")


def test_an_excerpt_masks_what_else_is_found_around():
    findings = find_personal_data(LETTER)
    for finding in findings:
        shown = excerpt(LETTER, finding, findings)
        assert not any(other.value in shown for other in findings)


def test_a_finding_does_not_print_its_value():
    assert all(finding.value not in repr(finding) for finding in find_personal_data(LETTER))


@pytest.mark.slow
@given(st.text(max_size=300))
def test_masking_any_text_takes_every_finding_out(text):
    findings = find_personal_data(text + " ann.lee@example.org")
    safe = masked_text(text + " ann.lee@example.org", findings)
    assert "ann.lee@example.org" not in safe


def test_whose_a_contact_is():
    texts = {
        "She can be reached on 020 7946 0018.": About.PERSON,
        "The branch has the telephone number 020 7946 0018.": About.ORGANISATION,
        "Telephone: 020 7946 0018": About.UNKNOWN,
        "Write to info@example.org.": About.ORGANISATION,
        "Write to ann.lee@example.org.": About.PERSON,
    }
    assert {text: find_personal_data(text)[0].about for text in texts} == texts


def test_own_patterns_are_found_and_dangerous_ones_refused():
    rules = PrivacyRules(patterns={"customer number": r"KD-\d{6}"})
    assert [one.rule for one in find_personal_data("Customer KD-123456", rules)] == ["your pattern customer number"]
    for pattern in ("(a+)+$", "", "[", ".*", "x" * 201):
        with pytest.raises(InvalidInput):
            check_pattern("mine", pattern)
