"""The trail, the head and the digests that they seal: whatever is changed, cut or rewritten is told."""

import pytest
import sqlalchemy as sa

from core.audit.rekeying import rekey
from core.domain.errors import Conflict, InvalidInput
from core.store import migrate
from core.store.digests import trail
from core.store.digests.trail import BrokenEntry, EntryFault
from core.store.tables import audit as entries
from core.store.trail import audit
from core.store.trail.audit_key import AuditKey, AuditKeys
from tests.support.evidence import behind
from tests.support.stores import with_run

KEY, OTHER = "a key of the operator's own", "the key of the year after"


@pytest.fixture
def chained(store):
    """A store with five entries, of which the first seals rows."""
    with_run(store)
    for number in range(4):
        with store.write("anna", "test.step", detail={"number": number}):
            pass
    return store


def checked(store, key=None, *earlier):
    with store.read() as connection:
        return trail.check(connection, AuditKeys(key, earlier))


def reseal(store, first):
    """Gives every entry from one on the hash that fits it, as somebody who can compute SHA-256 would."""
    engine = sa.create_engine(store.url)
    with engine.begin() as connection:
        previous = audit.GENESIS
        for row in connection.execute(sa.select(entries).order_by(entries.c.seq)).mappings().all():
            values = {**row, "previous": previous}
            if row["seq"] >= first:
                values["hash"] = audit.seal(values, None)
                connection.execute(sa.update(entries).where(entries.c.seq == row["seq"]).values(values))
            previous = values["hash"]
        last = connection.execute(sa.select(sa.func.max(entries.c.seq))).scalar_one()
        connection.execute(sa.text("UPDATE audit_head SET seq = :seq, hash = :hash"), {"seq": last, "hash": previous})
    engine.dispose()


def test_an_untouched_trail_holds(chained):
    result = checked(chained)
    assert (result.entries, result.broken, result.covered_from) == (5, [], 1)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE audit SET actor = 'eve' WHERE seq = 3", [BrokenEntry(3, EntryFault.CHANGED, 3)]),
        ("UPDATE audit SET rows = '' WHERE seq = 1", [BrokenEntry(1, EntryFault.CHANGED, 1)]),
        ("DELETE FROM audit WHERE seq IN (2, 3)", [BrokenEntry(2, EntryFault.MISSING, 3)]),
        ("DELETE FROM audit WHERE seq > 3", [BrokenEntry(4, EntryFault.CUT, 5)]),
        ("UPDATE audit_head SET seq = 3", [BrokenEntry(5, EntryFault.HEAD, 5)]),
        ("DELETE FROM audit_head", [BrokenEntry(5, EntryFault.HEAD, 5)]),
        ("UPDATE audit_rows SET owner = 'prj_2' WHERE kind = 'runs'", [BrokenEntry(1, EntryFault.DIGESTS, 1)]),
        ("DELETE FROM audit_rows WHERE kind = 'cases'", [BrokenEntry(1, EntryFault.DIGESTS, 1)]),
        ("UPDATE audit_rows SET seq = 9 WHERE kind = 'cases'", [BrokenEntry(1, EntryFault.DIGESTS, 1)]),
    ],
    ids=["actor", "rows", "deleted", "cut", "head", "no head", "owner", "digests", "moved digests"],
)
def test_a_change_is_told_with_its_entry(chained, statement, told):
    behind(chained, statement)
    assert checked(chained).broken[: len(told)] == told


def test_a_rewritten_trail_has_rows_that_nobody_wrote(chained):
    """Who rewrites every entry and the head must rewrite the digests too; the rows they leave out are told."""
    from tests.support.evidence import broken

    behind(chained, "DELETE FROM audit WHERE seq = 1", "DELETE FROM audit_rows WHERE seq = 1")
    behind(chained, "UPDATE audit SET seq = seq - 1")
    reseal(chained, 1)
    assert checked(chained).broken == []
    assert {kind for kind, _ in broken(chained)} == {"added"}


def test_a_keyed_trail_cannot_be_rewritten_without_the_key(store, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_AUDIT_KEY", KEY)
    with_run(store)
    with store.write("anna", "test.step"):
        pass
    key = AuditKey(KEY)
    assert checked(store, key).broken == []
    assert (checked(store, key).keyed, checked(store, key).unchecked, checked(store).unchecked) == (2, 0, 2)
    behind(store, "UPDATE audit SET actor = 'eve' WHERE seq = 2")
    reseal(store, 1)
    assert checked(store, key).broken == [
        BrokenEntry(1, EntryFault.CHANGED, 1),
        BrokenEntry(2, EntryFault.CHANGED, 2),
    ]
    behind(store, "UPDATE audit SET key_name = ''")
    reseal(store, 1)
    assert checked(store).broken == []
    assert checked(store, key).broken == [BrokenEntry(1, EntryFault.UNKEYED, 2)]


def test_an_entry_without_the_key_after_keyed_ones_is_told(store, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_AUDIT_KEY", KEY)
    with store.write("anna", "test.step"):
        pass
    behind(store, "UPDATE audit_head SET key_name = ''")
    monkeypatch.delenv("PLUMBLINE_AUDIT_KEY")
    with store.write("eve", "test.step"):
        pass
    assert checked(store).broken == [BrokenEntry(2, EntryFault.UNKEYED, 2)]


@pytest.mark.parametrize("other", ["", "another key of somebody"])
def test_a_keyed_trail_is_not_continued_with_another_key_or_none(store, monkeypatch, other):
    monkeypatch.setenv("PLUMBLINE_AUDIT_KEY", KEY)
    with store.write("anna", "test.step"):
        pass
    monkeypatch.setenv("PLUMBLINE_AUDIT_KEY", other)
    with pytest.raises(Conflict, match="sealed with the key"), store.write("anna", "test.step"):
        raise AssertionError("never reached")
    with store.pulse():  # what leaves no entry needs no key
        pass
    assert checked(store, AuditKey(KEY)).entries == 1


def test_a_key_says_nothing_of_itself():
    assert KEY not in repr(AuditKey(KEY))
    assert AuditKey(KEY).name != AuditKey(KEY + ".").name


@pytest.fixture
def rekeyed(store, monkeypatch):
    """A trail under one key and then another: entries 1 and 2, 3 hands over, 4 takes over, 5."""
    for key, before in ((KEY, ""), (OTHER, KEY)):
        monkeypatch.setenv("PLUMBLINE_AUDIT_KEY", key)
        monkeypatch.setenv("PLUMBLINE_AUDIT_EARLIER_KEYS", before)
        if before:
            assert rekey(store, actor="ops") == (AuditKey(KEY).name, AuditKey(OTHER).name)
        else:
            with_run(store)
        with store.write("anna", "test.step"):
            pass
    return store


def test_a_key_is_changed_by_whoever_has_the_old_one(rekeyed, monkeypatch):
    old, new = AuditKey(KEY), AuditKey(OTHER)
    whole = checked(rekeyed, new, old)
    assert (whole.entries, whole.keyed, whole.unchecked, whole.broken) == (5, 5, 0, [])
    assert (checked(rekeyed, new).unchecked, checked(rekeyed, new).broken) == (3, [])
    # With the old key alone the newest entry is not sealed with it.
    assert checked(rekeyed, old).broken == [BrokenEntry(5, EntryFault.UNKEYED, 5)]
    monkeypatch.setenv("PLUMBLINE_AUDIT_KEY", KEY)
    with pytest.raises(Conflict, match="another one is given"), rekeyed.write("anna", "test.step"):
        raise AssertionError("never reached")


def test_whoever_has_only_an_earlier_key_can_neither_go_on_nor_cut_the_end(rekeyed):
    old, new = AuditKey(KEY), AuditKey(OTHER)
    with rekeyed.pulse() as connection:  # somebody with the database and the key of before
        audit.append(connection, audit.lock(connection), "eve", "test.step", key=old)
    assert checked(rekeyed, new, old).broken[0] == BrokenEntry(6, EntryFault.UNKEYED, 6)
    behind(
        rekeyed,
        "DELETE FROM audit WHERE seq > 3",
        "UPDATE audit_head SET seq = 3, hash = (SELECT hash FROM audit WHERE seq = 3)",
    )
    assert checked(rekeyed, new, old).broken == [BrokenEntry(3, EntryFault.UNKEYED, 3)]


def test_nobody_hands_the_trail_on_without_its_key(store, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_AUDIT_KEY", KEY)
    with store.write("anna", "test.step"):
        pass
    mine, theirs = AuditKey(OTHER), AuditKey(KEY)
    with store.pulse() as connection:
        audit.rekey(connection, audit.lock(connection), "eve", mine, mine)
    assert [fault.seq for fault in checked(store, theirs).broken] == [2, 3, 3]
    assert checked(store, theirs).unchecked == 2
    monkeypatch.setenv("PLUMBLINE_AUDIT_KEY", OTHER)
    with pytest.raises(Conflict, match="already"):
        rekey(store, actor="ops")
    monkeypatch.setenv("PLUMBLINE_AUDIT_KEY", "a third key of somebody")
    with pytest.raises(Conflict, match="which is not given"):
        rekey(store, actor="ops")
    monkeypatch.delenv("PLUMBLINE_AUDIT_KEY")
    with pytest.raises(InvalidInput, match="is not set"):
        rekey(store, actor="ops")


def test_a_trail_without_a_key_gets_one(store, monkeypatch):
    with_run(store)
    monkeypatch.setenv("PLUMBLINE_AUDIT_KEY", KEY)
    assert rekey(store, actor="ops") == ("", AuditKey(KEY).name)
    assert checked(store, AuditKey(KEY)).broken == []


def test_a_migration_does_not_take_the_key_off_the_trail(store, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_AUDIT_KEY", KEY)
    with_run(store)
    monkeypatch.delenv("PLUMBLINE_AUDIT_KEY")
    with pytest.raises(Conflict, match="none is given"), store.pulse() as connection:
        migrate.cover(connection, ["runs"], "0017")
