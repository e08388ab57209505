"""Texts of other people's data on their way into a report: personal data and secrets masked, unseen signs shown."""

from __future__ import annotations

from core.domain.specs import HIDDEN, bare_spec, named_secret
from core.safety.privacy.detecting import PrivacyRules, find_personal_data, same_value
from core.safety.privacy.masking import masked_text
from core.safety.privacy.secrets import find_secrets
from core.text.display.visible import visible


class Masker:
    """Masks texts by the rules of a project; what is public on purpose stays.

    Args:
        rules: The project's.
    """

    def __init__(self, rules: PrivacyRules) -> None:
        self._rules = rules
        self._allowed = {same_value(value) for value in rules.allowed}
        self._known: dict[str, str] = {}
        self.masked = 0
        """Texts in which something was masked."""

    def safe(self, text: str) -> str:
        """A text without personal data and secrets."""
        if text not in self._known:
            findings = [
                finding
                for finding in find_personal_data(text, self._rules)
                if same_value(finding.value) not in self._allowed
            ]
            self.masked += bool(findings)
            self._known[text] = visible(masked_text(text, findings) if findings else text)
        return self._known[text]

    def name(self, text: str) -> str:
        """A name that somebody gave a thing, or the name of a person at work on the validation; only secrets go."""
        findings = list(find_secrets(text))
        return visible(masked_text(text, findings) if findings else text)

    def spec(self, text: str) -> str:
        """A target, a judge or an address: without user, password and query, folders of a file left out."""
        return self.name(bare_spec(text))

    def option(self, name: str, value: object) -> str:
        """An option of a run as text; what is named a secret is not shown."""
        if named_secret(name) and not isinstance(value, (int, float, bool)):
            return HIDDEN
        if isinstance(value, (list, tuple)):
            return ", ".join(self.option(name, item) for item in value)
        if isinstance(value, dict):
            return ", ".join(f"{key} {self.option(f'{name}.{key}', item)}" for key, item in sorted(value.items()))
        return self.spec(str(value))
