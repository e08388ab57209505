"""Which prompts a small model can follow, in full and short: replies read, repaired, failed, right.

    .venv/bin/python -m bench.real_model.prompts --url http://127.0.0.1:8817/v1 --n 8 --out DIR

The command goes on where it was stopped; every reply is in ``replies.jsonl``, to be looked at.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from bench.real_model.sample import sample_cases, sample_store
from bench.real_model.trials import MARK, Bench, Trial
from core.domain.errors import CallFailed, PlumblineError
from core.domain.llm import PromptVariant
from core.llm import ChatModel, Prompt, list_prompts, load_prompt, open_chat
from core.store.models.reads import CallFilter, whole

LONGEST = 250
"""Tokens of a reply: a model of this size does not always come to an end."""

PROMPTS = tuple(prompt.id for prompt in list_prompts()[::2])


def outcome(chat: ChatModel, prompt: Prompt, trial: Trial, purpose: str) -> tuple[str, object]:
    """How one request ended: right, wrong, or the reason why nothing could be read; and the reply."""
    messages = prompt.render(**trial.inputs)
    try:
        if trial.form is None:
            said: object = chat.ask(messages, purpose=purpose, prompt=prompt.ref, max_tokens=LONGEST).text
            shown = said
        else:
            said, _ = chat.ask_for(trial.form, messages, purpose=purpose, prompt=prompt.ref, max_tokens=LONGEST)
            shown = said.model_dump()
    except CallFailed as error:
        return error.status.value, error.message
    try:
        return ("right" if trial.right(said) else "wrong"), shown
    except (PlumblineError, ValueError) as error:
        return "wrong", f"{shown} ({error})"


def main() -> None:
    """Asks and prints the figures as one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True, help="base URL of the server")
    parser.add_argument("--model", default="smollm2-135m")
    parser.add_argument("--n", type=int, default=8, help="requests of each prompt in each variant")
    parser.add_argument("--variants", default="short,full")
    parser.add_argument("--prompts", default=",".join(PROMPTS))
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    bench = Bench(asked.n)
    counts: dict[str, Counter[str]] = {}
    spec = f"{asked.model}@{asked.url}"
    with sample_store(asked.out, spec, sample_cases(2)) as sample, (asked.out / "replies.jsonl").open("a") as replies:
        project_id = sample.test_set.project_id
        for variant in map(PromptVariant, asked.variants.split(",")):
            chat = open_chat(sample.store, project_id, spec, prompts=variant)
            for prompt_id in asked.prompts.split(","):
                prompt = load_prompt(prompt_id, variant=chat.prompts)
                count = counts[prompt.id] = Counter()
                for place, trial in enumerate(bench.trials(prompt_id)):
                    purpose = f"{prompt.id} {place}"
                    ended, said = outcome(chat, prompt, trial, purpose)
                    with sample.store.read() as connection:
                        calls = list(whole(connection, project_id, CallFilter(purpose=purpose)))
                    text = calls[0].reply if calls else ""
                    count.update([ended, "asked"])
                    count["repaired"] += ended in ("right", "wrong") and len(calls) > 1
                    count["echoed"] += bool(MARK.search(text))
                    replies.write(
                        json.dumps(
                            {
                                "prompt": prompt.id,
                                "n": place,
                                "ended": ended,
                                "calls": len(calls),
                                "first": text,
                                "read": said,
                            },
                            ensure_ascii=False,
                            default=str,
                        )
                        + "\n"
                    )
                    replies.flush()
                print(prompt.id, dict(count), file=sys.stderr, flush=True)
    json.dump({name: dict(count) for name, count in counts.items()}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
