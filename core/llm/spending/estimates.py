"""Model calls before they are made: how many, how large, what they cost; each as a range with its grounds.

Measured where the ledger has calls of the same purpose, model and prompt; from the lengths of what will be sent
otherwise. A price that is not known gives no cost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.domain.llm import CallState, Message, Price, PromptVariant
from core.llm.addresses import nameless
from core.llm.profiles.adapting import PURPOSE as PROBE
from core.llm.prompts.catalogue import Prompt
from core.llm.spending.cost import cost
from core.llm.variants import variant_of
from core.store.database import Store
from core.store.models import endpoints, reads
from core.store.models import prices as model_prices
from core.store.models.reads import CallFilter, Size

CHARACTERS_A_TOKEN = (3.0, 5.0)
"""Of prose and of JSON in a European language; a tokeniser takes more tokens for others, so measure where you can."""

MEASURED_LEAST = 20
"""Past calls from which on their mean is believed rather than the lengths."""

MOST_PAST = 500
SURE = 1.96
"""Standard errors to either side of a measured mean."""

PROBES = (1, 2)
"""Calls that find out how an endpoint is held to a form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """A range; both ends are possible."""

    low: float
    high: float

    def __add__(self, other: Between) -> Between:
        return Between(low=self.low + other.low, high=self.high + other.high)

    def __mul__(self, other: Between) -> Between:
        return Between(low=self.low * other.low, high=self.high * other.high)


NONE = Between(low=0.0, high=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPart:
    """The calls a run makes of one model for one purpose.

    Attributes:
        purpose: ``target`` or ``judge``.
        calls: How many; the ledger may have some of the replies already, which then cost nothing.
        prompt_tokens: Of all calls together.
        completion_tokens: Likewise.
        money: What they cost, None where the model has no price.
        currency: Of the price.
        measured: Past calls whose sizes were measured; 0 where sizes come from the lengths of texts.
        seconds: What one past call took in the middle; None where none was made.
        at_once: How many are in flight at once.
        notes: What the range rests on, a sentence each.
    """

    purpose: str
    model: str
    base_url: str
    calls: Between
    prompt_tokens: Between
    completion_tokens: Between
    money: Between | None
    currency: str
    measured: int
    seconds: float | None
    at_once: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """The model calls of some work before it starts.

    Attributes:
        parts: The model calls by purpose; empty where no model is asked through Plumbline.
    """

    parts: tuple[CallPart, ...] = ()

    @property
    def calls(self) -> Between:
        """Model calls."""
        return sum((part.calls for part in self.parts), NONE)

    @property
    def model_calls(self) -> int:
        """Model calls at most."""
        return round(self.calls.high)

    @property
    def tokens(self) -> Between:
        """Tokens sent and received by these calls."""
        return sum((part.prompt_tokens + part.completion_tokens for part in self.parts), NONE)

    @property
    def money(self) -> Between | None:
        """What the calls that have a price cost; None where none has. See `priced`."""
        amounts = [part.money for part in self.parts if part.money is not None]
        return sum(amounts, NONE) if amounts else None

    @property
    def priced(self) -> int:
        """Parts whose model has a price."""
        return sum(part.money is not None for part in self.parts)

    @property
    def currency(self) -> str:
        """Of the money."""
        return next((part.currency for part in self.parts if part.money is not None), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What an estimate rests on.

    Attributes:
        prices: By model.
        sizes: Past calls by purpose, model and prompt, newest first.
        ceiling: Calls in flight at once at an endpoint, by its address; None where an address was only named.
        probed: Whether it is known how the model is held to a form, by model and address.
        variant: Of the prompts it is asked with, by the model's spec.
    """

    prices: Mapping[str, Price]
    sizes: Callable[[str, str, str], Sequence[Size]]
    ceiling: Callable[[str], int | None]
    probed: Callable[[str, str], bool]
    variant: Callable[[str], PromptVariant] = lambda spec: PromptVariant.FULL


def grounds_of(store: Store, project_id: str) -> Grounds:
    """What a project's price table, endpoints and past calls say."""
    with store.read() as connection:
        prices = model_prices.all(connection, project_id)
        ceilings = {endpoint.base_url: endpoint.concurrency for endpoint in endpoints.all(connection, project_id)}

    def sizes(purpose: str, model: str, prompt_id: str) -> list[Size]:
        with store.read() as connection:
            return reads.recent_sizes(
                connection, project_id, purpose=purpose, model=model, prompt_id=prompt_id, limit=MOST_PAST
            )

    def probed(model: str, base_url: str) -> bool:
        with store.read() as connection:
            probe_calls = CallFilter(purpose=PROBE, model=model, endpoint=base_url)
            return reads.page(connection, project_id, probe_calls, limit=1)[1] > 0

    return Grounds(
        prices=prices,
        sizes=sizes,
        ceiling=ceilings.get,
        probed=probed,
        variant=partial(variant_of, store, project_id),
    )


def probes_of(grounds: Grounds, model: str, url: str) -> Between:
    """Calls that find out how a model is held to a form, where that is not known yet."""
    return NONE if grounds.probed(model, url) else Between(low=PROBES[0], high=PROBES[1])


def characters_of(messages: Sequence[Message]) -> int:
    """How much is said, without what JSON adds."""
    return sum(len(message.content) for message in messages)


def sized(
    grounds: Grounds,
    purpose: str,
    model: str,
    url: str,
    prompt: Prompt,
    *,
    calls: Between,
    characters: Between,
    of: int,
    reply: tuple[float, float],
    wanted_at_once: int,
    repairs: bool = False,
) -> CallPart:
    """The calls with their sizes: measured where there are enough past ones, else by the characters of `of` calls.

    Args:
        grounds: What the estimate rests on.
        purpose: What the calls are for.
        model: The model's name.
        url: Where it is.
        prompt: What the calls are rendered from.
        calls: How many.
        characters: Of `of` of them together.
        of: How many calls the characters are of.
        reply: Tokens of one reply that was never measured, least and most.
        wanted_at_once: How many shall be in flight; 0 for as many as the endpoint takes.
        repairs: Whether a reply has a form and is asked for once more where it cannot be read.
    """
    past = list(grounds.sizes(purpose, model, prompt.id))[:MOST_PAST]
    notes = []
    if len(past) >= MEASURED_LEAST:
        sent = _mean([size.prompt_tokens for size in past])
        received = _mean([size.completion_tokens for size in past])
        notes.append(f"Sizes as measured on the last {len(past):,} calls like these.")
    else:
        each = 1 / max(1, of)
        dense, loose = CHARACTERS_A_TOKEN
        sent = Between(low=characters.low * each / loose, high=characters.high * each / dense)
        received = Between(low=reply[0], high=reply[1])
        notes.append("Sizes from the lengths of the texts: no past calls like these to measure.")
    if repairs and past:
        malformed = sum(size.state is CallState.MALFORMED for size in past) / len(past)
        calls = Between(low=calls.low, high=calls.high + math.ceil(calls.high * malformed))
    if repairs:
        notes.append("A reply that cannot be read is requested once more; such calls come on top.")
    at_once = grounds.ceiling(url) or wanted_at_once or nameless(url).concurrency
    return CallPart(
        purpose=purpose,
        model=model,
        base_url=url,
        calls=calls,
        prompt_tokens=calls * sent,
        completion_tokens=calls * received,
        money=_money(grounds.prices, model, calls * sent, calls * received),
        currency=grounds.prices[model].currency if model in grounds.prices else "",
        measured=len(past) if len(past) >= MEASURED_LEAST else 0,
        seconds=float(np.median([size.latency_s for size in past])) if past else None,
        at_once=min(at_once, wanted_at_once) if wanted_at_once else at_once,
        notes=tuple(notes),
    )


def _mean(values: Sequence[int]) -> Between:
    """The mean of past calls, give or take what so few of them leave open."""
    middle = float(np.mean(values))
    error = SURE * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return Between(low=max(0.0, middle - error), high=middle + error)


def _money(prices: Mapping[str, Price], model: str, sent: Between, received: Between) -> Between | None:
    low = cost(prices, model, math.floor(sent.low), math.floor(received.low))
    high = cost(prices, model, math.ceil(sent.high), math.ceil(received.high))
    return None if low is None or high is None else Between(low=low, high=high)
