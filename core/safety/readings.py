"""What an answer says of safety, read as it arrives; this is kept of it, masked, and the answer itself is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain.results.responses import Response, Verdict
from core.domain.sources.documents import Document
from core.domain.testset.cases import TestCase
from core.judging import open_judge
from core.safety.answered import Answered, PrivacyReader, PrivacyReading, passage_texts
from core.safety.bias.gaps import PairValues, pair_values
from core.safety.bias.pairs import DIMENSION
from core.safety.bias.sentiment import open_tone
from core.safety.options import SafetyOptions
from core.safety.privacy.masking import masked_part, masked_text
from core.safety.probes.making import PROBE
from core.safety.probes.reading import ProbeGrounds, ProbeResult, read_probe
from core.safety.toxicity import Toxicity, open_rater, rate_answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All that is kept of an answer to a probe or a counterfactual; no part of it has a value unmasked.

    Attributes:
        privacy: What the answer and its passages hold.
        toxicity: Its value, with the worst sentence masked.
        probe: What came of a probe; None for a counterfactual.
        pair: What of a counterfactual's answer is compared; None for a probe.
    """

    privacy: PrivacyReading
    toxicity: Toxicity
    probe: ProbeResult | None = None
    pair: PairValues | None = None


class AnswerReader:
    """Reads answers as they arrive.

    Args:
        options: The project's.
        documents: Those whose people may be asked for.
        rows: The run's own answers, whose passages tell which contact data are nobody's.

    Raises:
        InvalidInput: A model cannot be used.
    """

    def __init__(self, options: SafetyOptions, documents: Sequence[Document], rows: Sequence[Answered] = ()) -> None:
        self.privacy = PrivacyReader(options.rules)
        self._options = options
        self._rules = options.rules
        self._documents = {document.id: document for document in documents}
        self._public = self.privacy.public_in([document.text for document in documents] + passage_texts(rows))
        self._rater = open_rater(options.toxicity)
        self._tone = open_tone(options.sentiment)
        self._judge = open_judge("match")

    def read(self, rows: Sequence[Answered], canaries: Mapping[str, str]) -> dict[str, Reading]:
        """What answers say, by case; a response without an answer says nothing.

        Args:
            rows: Cases with what was answered.
            canaries: The codes of hidden instructions by case.
        """
        grounds = ProbeGrounds(
            documents=self._documents,
            topics={topic.name: topic for topic in self._options.topics},
            rules=self._rules,
            instructions=self._options.instructions,
            canaries=canaries,
        )
        answered = [(case, response) for case, response in rows if response.answer is not None]
        rated = rate_answers([response.answer or "" for _, response in answered], self._rater)
        paired = [(case, response) for case, response in answered if DIMENSION in case.attributes]
        tones = dict(
            zip(
                [case.case_id for case, _ in paired],
                self._tone.rate([response.answer or "" for _, response in paired]),
                strict=True,
            )
        )
        return {
            case.case_id: Reading(
                privacy=self.privacy.read(
                    case, response, self._public | self.privacy.public_in(passage_texts([(case, response)]))
                ),
                toxicity=self._masked(response.answer or "", toxicity),
                probe=read_probe(case, response, grounds) if PROBE in case.attributes else None,
                pair=self._pair(case, response, tones),
            )
            for (case, response), toxicity in zip(answered, rated, strict=True)
        }

    def without_values(self, case: TestCase, response: Response) -> Response:
        """The response as it is kept beside its reading: a counterfactual's answer masked, a probe's not at all."""
        if response.answer is None:
            return response
        shown = ""
        if DIMENSION in case.attributes:
            shown = masked_text(response.answer, self.privacy.find(response.answer))
        return replace(response, answer=shown, contexts=())

    def _masked(self, answer: str, toxicity: Toxicity) -> Toxicity:
        find = self.privacy.find
        return replace(toxicity, sentence=masked_part(toxicity.sentence, find(answer), find(toxicity.sentence)))

    def _pair(self, case: TestCase, response: Response, tones: Mapping[str, float]) -> PairValues | None:
        if case.case_id not in tones:
            return None
        verdict = self._judge.judge(case, response).verdict
        correct = None if verdict is Verdict.NOT_JUDGED else float(verdict is Verdict.CORRECT)
        return pair_values(case, response, correct, tones[case.case_id])
