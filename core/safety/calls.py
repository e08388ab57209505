"""Calls of models made to see what a system tells: as they are shown and downloaded, personal data masked."""

from __future__ import annotations

from dataclasses import replace

from core.domain.errors import InvalidInput
from core.domain.llm import Call
from core.llm.calls.log import Shown
from core.safety.answered import PrivacyReader
from core.safety.asking import PURPOSE
from core.safety.privacy.detecting import PrivacyRules
from core.safety.privacy.masking import masked_text
from core.safety.service import options_of
from core.store.database import Store


def shown_calls(store: Store, project_id: str) -> Shown:
    """What is to be seen of a project's calls: those of safety checks masked, every other as it is.

    The ledger itself keeps each reply as it came, since it answers the same question again.

    Args:
        store: Where the project is.
        project_id: Whose settings say what is personal; where its model for names cannot be opened, rules alone do.
    """
    readers: list[PrivacyReader] = []

    def shown(call: Call) -> Call:
        if call.purpose != PURPOSE:
            return call
        if not readers:
            readers.append(PrivacyReader(_rules(store, project_id)))
        return _masked(call, readers[0])

    return shown


def _masked(call: Call, reader: PrivacyReader) -> Call:
    def safe(text: str) -> str:
        return masked_text(text, reader.find(text))

    messages = tuple(replace(message, content=safe(message.content)) for message in call.messages)
    return replace(
        call, messages=messages, reply=safe(call.reply), reasoning=safe(call.reasoning), error=safe(call.error)
    )


def _rules(store: Store, project_id: str) -> PrivacyRules:
    options = options_of(store, project_id)
    try:
        return options.rules
    except InvalidInput:
        return replace(options, names="").rules
