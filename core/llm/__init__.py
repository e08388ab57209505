"""Language models: asked through one client, limited per endpoint, kept in a ledger, read against a form."""

from core.llm.budgets import Budget, Limits
from core.llm.chat import ChatModel, Reply, open_chat
from core.llm.failures import BudgetSpent, CallFailed, NothingAnswered
from core.llm.prompts import Prompt, fence, list_prompts, load_prompt, parse_prompt

__all__ = [
    "Budget",
    "BudgetSpent",
    "CallFailed",
    "ChatModel",
    "Limits",
    "NothingAnswered",
    "Prompt",
    "Reply",
    "fence",
    "list_prompts",
    "load_prompt",
    "open_chat",
    "parse_prompt",
]
