"""Draws questions that the rules write for a database, to be read one by one against docs/question-quality.

python -m tests.support.questions.sampled_questions URL NAME --number 20 --seed 20 --out F.json [--semantic FILE]
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from core.sources.database import DatabaseSource
from core.sources.database.semantics.files import read_layer
from core.testset.grounded.beyond.proposing import propose_templates
from core.testset.grounded.beyond.wordings import word_template
from core.testset.grounded.instantiate import instantiate
from core.testset.grounded.sql.checks import check_sql_template
from core.testset.grounded.wording.frames import FRAMES

WORDINGS = 4


def sampled(
    address: str, name: str, *, number: int, seed: int, semantic: Path | None = None
) -> list[dict[str, object]]:
    """Templates with their defaults, some drawn, of each one question in one of its wordings."""
    drawn = random.Random(seed)
    rows: list[dict[str, object]] = []
    with DatabaseSource.connect(address, layer=read_layer(semantic) if semantic else None) as source:
        reviews = [check_sql_template(template, source) for template in propose_templates(source.schema)]
        usable = [review for review in reviews if review.template.approvable]
        # Fewer templates than wanted are drawn several times; where rules can say nothing there is nothing to draw.
        some = drawn.choices(usable, k=number) if usable else []
        chosen = drawn.sample(usable, number) if len(usable) >= number else some
        for place, review in enumerate(chosen, 1):
            form = drawn.choice(list(FRAMES))
            texts = word_template(review.template, source.schema, form=form, n=WORDINGS)
            if not texts:
                rows.append({"id": f"{name}-{place:02d}", "sql": review.template.sql, "question": "", "form": form})
                continue
            case = drawn.choice(instantiate(source, [review.template], [drawn.choice(texts)]).cases)
            rows.append(
                {
                    "id": f"{name}-{place:02d}",
                    "form": form,
                    "operation": review.operation,
                    "question": case.question,
                    "answers": list(case.reference_answers),
                    "sql": case.sql,
                    "params": dict(case.sql_params),
                }
            )
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("name")
    parser.add_argument("--number", type=int, default=20)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--semantic", type=Path)
    given = parser.parse_args()
    found = sampled(given.url, given.name, number=given.number, seed=given.seed, semantic=given.semantic)
    given.out.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
