"""Language models: asked through one client, limited per endpoint, kept in a ledger, read against a form."""

from core.llm.calls.ledger import SharedLedger
from core.llm.chat import ChatModel, Reply, open_chat
from core.llm.prompts.catalogue import Prompt, Prompts, fence, list_prompts, load_prompt, parse_prompt
from core.llm.spending.budgets import Budget, Limits

__all__ = [
    "Budget",
    "ChatModel",
    "Limits",
    "Prompt",
    "Prompts",
    "Reply",
    "SharedLedger",
    "fence",
    "list_prompts",
    "load_prompt",
    "open_chat",
    "parse_prompt",
]
