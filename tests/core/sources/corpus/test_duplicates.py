"""Each text that several documents tell is told once, with all of them."""

from core.domain.sources.documents import Document, SkippedFile
from core.sources.corpus import load_corpus
from core.sources.corpus.duplicates import Duplicates, find_duplicates


def document(name, text):
    return Document(id=name, title=name, text=text, path=name)


TEXT = " ".join(f"Sentence {number} says what branch {number} charges." for number in range(30))


def test_a_group_is_told_once_however_many_copies_there_are():
    copies = [document(f"c{number}", f"{TEXT} {number}") for number in range(60)]
    [group] = find_duplicates([document("o", "Another text of its own. " * 9), *copies])
    assert (group.kept, group.size, group.same) == ("c0", 60, ())
    assert [name for name, _ in group.near] == [f"c{number}" for number in range(1, 60)]
    assert all(0.98 < share < 1 for _, share in group.near)


def test_left_out_copies_belong_to_the_group_of_their_text(tmp_path):
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).write_text(TEXT)
    (tmp_path / "near.txt").write_text(TEXT + " One more word.")
    (tmp_path / "other.txt").write_text("Short.")
    corpus = load_corpus(tmp_path)
    [group] = find_duplicates(corpus.documents, corpus.skipped)
    assert (group.kept, group.same) == ("a.txt", ("b.txt", "c.txt"))
    assert [name for name, _ in group.near] == ["near.txt"]


def test_a_document_with_an_id_of_its_own_counts_too():
    assert find_duplicates([document("a", "Same."), document("b", "Same.")]) == (Duplicates(kept="a", same=("b",)),)


def test_other_texts_and_short_ones_are_no_duplicates():
    other = TEXT.replace("charges", "pays for a safe")
    assert (
        find_duplicates([document("a", TEXT), document("b", other), document("c", "One two."), document("d", "")]) == ()
    )
    assert find_duplicates([], [SkippedFile(path="x", reason="it is empty")]) == ()
