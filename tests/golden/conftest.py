"""What tests of published data sets share: the rated answers of MTRAG, scored once."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from bench.mtrag import Scored, read_rows, score
from core.encoders.embedding import open_encoder
from tests.support.once import once
from tests.support.shared_data import shared


@pytest.fixture(scope="session")
def mtrag_file() -> Path:
    """MTRAG's answers with what people said of them; skips the test where the file is absent."""
    return shared("mtrag/reference_subset_with_human_evaluations.json")


@pytest.fixture(scope="session")
def mtrag_scored(tmp_path_factory: pytest.TempPathFactory, mtrag_file: Path) -> Scored:
    """Those answers with faithfulness and two of its peers."""

    def build(folder: Path) -> None:
        rows = read_rows(mtrag_file)
        scored = score(rows, open_encoder(precision="float32"), ["groundedness", "lexical_precision"])
        folder.mkdir()
        (folder / "scored.pickle").write_bytes(pickle.dumps(scored))

    scored: Scored = pickle.loads((once(tmp_path_factory, "mtrag", build) / "scored.pickle").read_bytes())
    return scored
