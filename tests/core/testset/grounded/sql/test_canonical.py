import pytest

from core.testset.grounded.sql.canonical import canonical_id

PLAIN = "SELECT Location FROM Client WHERE Name = '[Client.Name]' AND Industry = '[Client.Industry]';"
JOINED = (
    "SELECT Client.Industry FROM Project JOIN Client ON Project.Client = Client.Name "
    "WHERE Project.Name = '[Project.Name]';"
)
SELF = "SELECT m.Job FROM Staff AS e JOIN Staff AS m ON e.Boss = m.Name WHERE e.Name = '[Staff.Name]'"


@pytest.mark.parametrize(
    ("sql", "same"),
    [
        (PLAIN, "select location  from CLIENT where name='[client.name]' and industry = '[Client.Industry]'"),
        (
            PLAIN,
            "SELECT c.Location AS x FROM Client c"
            " WHERE (c.Industry = '[Client.Industry]') AND ('[Client.Name]' = c.Name)",
        ),
        (
            PLAIN,
            'SELECT DISTINCT "Location" FROM "Client"'
            " WHERE Name = [Client.Name] AND Industry = [Client.Industry] ORDER BY 1",
        ),
        (
            JOINED,
            "SELECT c.Industry FROM Client c INNER JOIN Project p ON c.Name = p.Client WHERE p.Name = '[Project.Name]'",
        ),
        (JOINED, "SELECT c.Industry FROM Client c, Project p WHERE p.Name = '[Project.Name]' AND p.Client = c.Name"),
        (SELF, "SELECT b.Job FROM Staff b, Staff a WHERE a.Boss = b.Name AND a.Name = '[Staff.Name]'"),
        ("not sql ((", "not   sql ((;"),
    ],
)
def test_spellings_of_one_question_share_an_id(sql, same):
    assert canonical_id(sql, "sqlite") == canonical_id(same, "sqlite")


def test_different_questions_have_different_ids():
    others = [
        PLAIN,
        JOINED,
        SELF,
        "SELECT e.Job FROM Staff AS e JOIN Staff AS m ON e.Boss = m.Name WHERE e.Name = '[Staff.Name]'",
        "SELECT m.Job FROM Staff AS e LEFT JOIN Staff AS m ON e.Boss = m.Name WHERE e.Name = '[Staff.Name]'",
        "SELECT Location FROM Client WHERE Name = '[Client.Name]'",
        "SELECT Location FROM Client WHERE Name <> '[Client.Name]'",
        "SELECT Location FROM Client WHERE Name = '[Project.Client]'",
        "SELECT Location, Industry FROM Client WHERE Name = '[Client.Name]'",
        "SELECT Location FROM Client WHERE Name = '[Client.Name]' ORDER BY Industry LIMIT 1",
        "SELECT MAX(Location) FROM Client WHERE Name = '[Client.Name]' GROUP BY Industry",
        "SELECT Location FROM Client WHERE Name = '%[Client.Name]%'",
        "DROP TABLE Client",
        "",
    ]
    assert len({canonical_id(sql, "sqlite") for sql in others}) == len(others)
