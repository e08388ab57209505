"""Slots for calls in flight: what a server takes is found, kept, and tried again."""

import asyncio
import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.net.limiter import MOST_PATIENCE, AdaptiveLimiter


async def settle():
    """Lets every task that can go on go on."""
    for _ in range(5):
        await asyncio.sleep(0)


def held(ceiling, count):
    """A limiter some of whose slots are held."""
    limiter = AdaptiveLimiter(ceiling)

    async def hold():
        for _ in range(count):
            await limiter.acquire()

    asyncio.run(hold())
    return limiter


@pytest.mark.parametrize("ceiling", [0, -5, 1])
def test_there_is_always_one_slot(ceiling):
    assert AdaptiveLimiter(ceiling).limit == 1


def test_a_burst_of_100_against_a_cap_of_16_ends_at_16():
    limiter = held(100, 100)
    for _ in range(100 - 16):
        limiter.refuse()
    assert (limiter.limit, limiter.in_flight, limiter.refusals) == (16, 16, 84)


def test_the_last_slot_is_never_taken_away():
    limiter = held(3, 3)
    for _ in range(3):
        limiter.refuse()
    assert (limiter.limit, limiter.in_flight) == (1, 0)


def answer(limiter, times):
    """So many calls, one after the other, all answered."""

    async def run():
        for _ in range(times):
            await limiter.acquire()
            limiter.release(answered=True)

    asyncio.run(run())


def test_it_climbs_back_by_one_after_a_round_and_never_above_the_ceiling():
    limiter = held(4, 4)
    for _ in range(3):
        limiter.refuse()
    limiter.release(answered=False)
    assert limiter.limit == 1
    climbed = []
    for _ in range(12):
        answer(limiter, 1)
        climbed.append(limiter.limit)
    # Rounds of 1, 2 and 3 answers: 2 slots after the 1st, 3 after the 3rd, 4 after the 6th, then no more.
    assert climbed == [2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4]


def test_a_failure_that_says_nothing_about_the_load_neither_cuts_nor_climbs():
    limiter = held(2, 2)
    limiter.refuse()
    for _ in range(10):
        limiter.release(answered=False)
        asyncio.run(limiter.acquire())
    assert limiter.limit == 1


def refuse_the_try(limiter):
    """As many calls as there are slots, the last of which the server refuses; the others are answered."""

    async def run():
        slots = limiter.limit
        for _ in range(slots):
            await limiter.acquire()
        limiter.refuse()
        for _ in range(slots - 1):
            limiter.release(answered=False)

    asyncio.run(run())


def test_patience_doubles_with_each_try_that_is_refused_and_has_an_end():
    limiter = held(10, 3)
    limiter.refuse()
    limiter.release(answered=False)
    limiter.release(answered=False)
    assert limiter.limit == 2
    needed = []
    for _ in range(9):
        answers = 0
        while limiter.limit == 2:
            answer(limiter, 1)
            answers += 1
        needed.append(answers)
        refuse_the_try(limiter)
        assert limiter.limit == 2
    assert needed == [2 * min(2**tries, MOST_PATIENCE) for tries in range(9)]


def test_a_server_that_takes_more_again_is_found_out_at_the_old_pace():
    limiter = held(100, 3)
    limiter.refuse()
    limiter.release(answered=False)
    limiter.release(answered=False)
    for _ in range(6):  # six tries refused: 64 rounds of patience
        while limiter.limit == 2:
            answer(limiter, 1)
        refuse_the_try(limiter)
    before = limiter.limit
    # 64 rounds for the first slot, then 64, 32, 16, 8, 4, 2 and 1: every try that holds halves the patience.
    rounds = [64, 64, 32, 16, 8, 4, 2, 1, 1, 1]
    answer(limiter, sum(rounds[step] * (before + step) for step in range(10)))
    assert limiter.limit == before + 10


def test_a_call_that_is_sent_again_goes_before_the_others():
    async def run():
        limiter, order = AdaptiveLimiter(1), []
        await limiter.acquire()

        async def one(name, again):
            await limiter.acquire(again=again)
            order.append(name)
            limiter.release(answered=True)

        tasks = [asyncio.create_task(one(*each)) for each in (("a", False), ("b", False), ("retry", True))]
        await settle()
        limiter.release(answered=True)
        await asyncio.gather(*tasks)
        return order

    assert asyncio.run(run()) == ["retry", "a", "b"]


@pytest.mark.parametrize("moment", ["waiting", "before the slot is given", "after the slot is given"])
def test_a_call_that_is_cancelled_while_it_waits_leaks_no_slot_and_forgets_nobody(moment):
    async def run():
        limiter = AdaptiveLimiter(1)
        await limiter.acquire()
        cancelled, other = asyncio.create_task(limiter.acquire()), asyncio.create_task(limiter.acquire())
        await settle()
        if moment == "after the slot is given":
            limiter.release(answered=True)
            cancelled.cancel()
        else:
            cancelled.cancel()
            if moment == "waiting":
                await settle()
            limiter.release(answered=True)
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        await asyncio.wait_for(other, 1)
        assert limiter.in_flight == 1
        limiter.release(answered=True)
        assert limiter.in_flight == 0
        await asyncio.wait_for(limiter.acquire(), 1)

    asyncio.run(run())


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(1, 12), st.integers(1, 40))
def test_on_any_schedule_no_call_is_forgotten_and_none_begins_above_the_limit(seed, ceiling, calls):
    async def run():
        drawn, limiter, ended = random.Random(seed), AdaptiveLimiter(ceiling), []

        async def slot(again):
            """A slot, which the call is given up for now and then while it waits."""
            waits = asyncio.create_task(limiter.acquire(again=again))
            for _ in range(drawn.randrange(6)):
                await asyncio.sleep(0)
            if drawn.random() < 0.2 and waits.cancel():
                with suppress(asyncio.CancelledError):
                    await waits
                    return True
                return False
            await waits
            return True

        async def one(number):
            again = False
            while await slot(again):
                assert 1 <= limiter.in_flight <= ceiling
                for _ in range(drawn.randrange(4)):
                    await asyncio.sleep(0)
                if drawn.random() < 0.3:
                    before, others = limiter.limit, limiter.in_flight - 1
                    limiter.refuse()
                    assert limiter.limit == max(1, min(before, others))
                    again = True
                else:
                    limiter.release(answered=drawn.random() < 0.8)
                    break
            ended.append(number)

        await asyncio.wait_for(asyncio.gather(*(one(number) for number in range(calls))), 20)
        assert sorted(ended) == list(range(calls))
        assert limiter.in_flight == 0, "every slot came back"
        assert 1 <= limiter.limit <= limiter.ceiling

    asyncio.run(run())
