"""A whole store checked, and what is wrong said in sentences."""

import pytest

from core.audit import anchors
from core.audit.anchors import Anchor
from core.audit.verification import verify
from core.domain.errors import InvalidInput, UnreadableFile
from core.store.database import Store
from core.store.digests.covered import COVERED
from tests.support.evidence import behind, fill
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        fill(opened)
        yield opened


def sentences(store, **given):
    return [problem.text for problem in verify(store, **given).broken]


@pytest.mark.slow
def test_an_untouched_store_is_as_it_was_written(store):
    result = verify(store)
    assert (result.ok, result.broken, result.counts, result.unchecked) == (True, (), {}, 0)
    assert result.as_json()["head"] == {"seq": result.head[0], "hash": result.head[1]}
    assert result.covered_from[0] == 1


@pytest.mark.slow
def test_a_changed_score_is_told_with_its_place_its_value_and_its_writer(store):
    behind(store, "UPDATE scores SET value = 1.0")
    (problem,) = verify(store).broken
    assert problem.text.startswith("Score (case")
    assert "of run runs_1" in problem.text
    assert "value was 0.30000000000000004, is 1.0. Last written" in problem.text
    entry = 1 + [covered.name for covered in COVERED].index("scores")
    assert problem.text.endswith(f"UTC by anna (test.scores, entry {entry}).")
    assert (problem.table, problem.project_id, problem.written_by) == ("scores", "projects_1", "anna")
    assert verify(store).counts == {"scores: changed": 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE labels SET comment = ''", 'comment was "comment'),
        ("UPDATE sql_templates SET sql = 'SELECT 2'", 'sql was "sql'),
        ("UPDATE cases SET sql = 'SELECT 2'", "Test case (case"),
        ("UPDATE prompt_versions SET text = 'Say yes.'", 'is "Say yes."'),
        ("UPDATE criteria SET accept_from = 1", "accept from was 7, is 1."),
        ("UPDATE findings SET status = 'dismissed'", 'is "dismissed"'),
        ("UPDATE responses SET answer = 'other'", "one of answer, contexts"),
        ("DELETE FROM calibrations", "was deleted, and no entry of the trail deleted it."),
        ("UPDATE runs SET target = 'oracle'", 'is "oracle"'),
    ],
    ids=["label", "template", "case", "prompt", "threshold", "finding", "answer", "deleted", "run"],
)
def test_what_was_changed_is_named(store, statement, sentence):
    behind(store, statement)
    (text,) = sentences(store)
    assert sentence in text


def test_a_long_value_is_cut(store):
    behind(store, "UPDATE prompt_versions SET text = :text", text="x" * 500)
    (text,) = sentences(store)
    assert f'is "{"x" * 80}…"' in text


def test_a_row_of_no_entry_is_told_with_its_project(store):
    columns = "project_id, actor, role"
    behind(store, f"INSERT INTO members ({columns}) SELECT project_id, 'eve', 'owner' FROM members")
    (problem,) = verify(store).broken
    assert (problem.kind, problem.project_id, problem.written_by) == ("added", "projects_1", "")
    assert problem.text.startswith("Role (actor eve) in project ")


@pytest.mark.slow
def test_a_cut_trail_and_a_rewritten_one_contradict_an_anchor(store):
    head = anchors.newest(store)
    assert verify(store, anchors=[head]).ok
    with store.write("anna", "test.step"):
        pass
    assert verify(store, anchors=[head]).ok
    behind(store, "UPDATE audit SET hash = 'other' WHERE seq = :seq", seq=head.seq)
    assert any("the trail was rewritten" in text for text in sentences(store, anchors=[head]))
    behind(store, "DELETE FROM audit WHERE seq >= :seq", seq=head.seq)
    behind(store, "UPDATE audit_head SET seq = :seq, hash = 'x'", seq=head.seq - 1)
    assert any("its end was cut" in text for text in sentences(store, anchors=[head]))


@pytest.mark.slow
def test_an_older_copy_of_everything_is_told_by_an_anchor_alone(store, tmp_path):
    """Rows, trail and head fit each other in a restored copy; only what was kept outside knows better."""
    copy = (tmp_path / "plumbline.sqlite").read_bytes()
    behind(store, "PRAGMA wal_checkpoint(TRUNCATE)")
    copy = (tmp_path / "plumbline.sqlite").read_bytes()
    with store.write("anna", "test.step"):
        pass
    head = anchors.newest(store)
    (tmp_path / "older.sqlite").write_bytes(copy)
    with Store.open(f"sqlite:///{tmp_path / 'older.sqlite'}") as older:
        assert verify(older).ok
        assert [problem.kind for problem in verify(older, anchors=[head]).broken] == ["cut"]


def test_anchors_are_read_from_whatever_lines_hold_them(tmp_path, store):
    head = anchors.newest(store, "test")
    path = tmp_path / "anchors.jsonl"
    anchors.append(path, head)
    with path.open("a") as file:
        file.write(f"A mail said:\n> {head.line()}\n{{}}\n")
    assert anchors.read(path) == [head, head]
    path.write_text('{"kind": "plumbline audit head", "seq": -1}\nnothing\n')
    with pytest.raises(UnreadableFile, match="is an anchor"):
        anchors.read(path)
    with pytest.raises(UnreadableFile, match="cannot be read"):
        anchors.read(tmp_path / "none")


def test_an_empty_trail_has_no_head_to_anchor(tmp_path):
    with Store.open(blank_url(tmp_path / "empty")) as empty, pytest.raises(InvalidInput, match="no entry yet"):
        anchors.newest(empty)


@pytest.mark.slow
def test_a_keyed_trail_is_not_called_good_without_its_key(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_AUDIT_KEY", "a key of the operator's own")
    with Store.open(blank_url(tmp_path / "keyed")) as keyed:
        fill(keyed)
        assert verify(keyed).ok
        monkeypatch.delenv("PLUMBLINE_AUDIT_KEY")
        result = verify(keyed)
        assert (result.ok, result.broken, result.unchecked) == (False, (), result.entries)


def test_an_anchor_says_what_it_is():
    anchor = Anchor(store="s", seq=1, hash="h", at="2026-01-01T00:00:00+00:00")
    assert '"kind":"plumbline audit head"' in anchor.line()
