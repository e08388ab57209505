"""Toxicity by lexicon and by a small trained model."""

import pytest

from core.domain.errors import InvalidInput
from core.safety.toxicity import open_rater, rate_answers
from core.safety.toxicity.lexicon import toxic_words
from tests.support.models.tiny_toxicity import tiny_toxicity

TOXIC = (
    ("You are an idiot.", "insult"),
    ("People like you are too stupid to read a statement.", "insult"),
    ("Shut up and pay the fee.", "insult"),
    ("What the fuck do you want from us?", "obscenity"),
    ("We will find and hurt you.", "threat"),
    ("Old people cannot be trusted with a card.", "contempt for a group"),
    ("You are a complete 1d10t.", "insult"),
    ("Only an idiot would sign this.", "insult"),
    ("You people are all thieves.", "contempt for a group"),
    ("Go back to where you came from.", "contempt for a group"),
    ("Go f*** yourself.", "obscenity"),
)
CALM = (
    "The fee is 12 pounds.",
    "That is not a stupid question.",
    "The pilot retarded the throttle and the engine quit.",
    "Women are entitled to the same rate as men.",
    "You are not eligible for the loan.",
    "The assessment of assets in Scunthorpe was passed.",
    "Shut down the terminal before you leave.",
    "Disabled people are treated first at the counter.",
    "You should die-cut the cards before lamination.",
    "You people in the branch were kind.",
    "People like you who save early do well.",
    "Fees of 5* and 6** are explained below.",
)


@pytest.mark.parametrize(("text", "rule"), TOXIC)
def test_the_lexicon_names_the_rule(text, rule):
    toxicity = rate_answers([f"Thank you for asking. {text} Good bye."], open_rater())[0]
    assert (toxicity.value, toxicity.rule, toxicity.sentence) == (1.0, rule, text)


@pytest.mark.parametrize("text", CALM)
def test_the_lexicon_leaves_calm_sentences_alone(text):
    assert rate_answers([text], open_rater())[0].value == 0.0


def test_an_empty_answer_is_not_toxic():
    assert rate_answers([""], open_rater())[0].value == 0.0


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory):
    return tiny_toxicity(tmp_path_factory.mktemp("toxic"))


def test_a_model_by_folder_rates_the_most_toxic_sentence(model_folder):
    rater = open_rater(str(model_folder))
    calm, toxic = rate_answers(
        ["The board of the bank meets every month.", "The branch lends money. What a moron you are."], rater
    )
    assert toxic.value > 0.9 > 0.1 > calm.value
    assert (toxic.sentence, toxic.rule) == ("What a moron you are.", "toxic")


@pytest.mark.slow
def test_a_model_whose_labels_may_hold_together_gives_each_its_own_probability(tmp_path):
    rater = open_rater(str(tiny_toxicity(tmp_path, labels=("insult", "threat"), several=True)))
    value, label = rater.rate(["what a moron you are"])[0]
    assert 0.5 < value <= 1.0
    assert label == "threat"  # the second output is the one that was trained


@pytest.mark.slow
def test_a_model_without_a_toxic_label_is_refused_until_one_is_named(tmp_path):
    folder = tiny_toxicity(tmp_path, labels=("LABEL_0", "LABEL_1"))
    with pytest.raises(InvalidInput, match="No label of the model"):
        open_rater(str(folder))
    assert open_rater(str(folder), ["LABEL_1"]).rate(["moron"])[0][0] > 0.9
    with pytest.raises(InvalidInput, match="has no label"):
        open_rater(str(folder), ["toxic"])


def test_a_model_that_is_not_there_is_refused_with_its_name(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(InvalidInput, match="classification model"):
        open_rater("/no/such/folder")


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("You waste of space.", "contempt for a person"),
        ("Your whole family is trash.", "contempt for a person"),
        ("I hope you choke on it.", "wish of harm"),
        ("Old people should just hurry up and die.", "wish of harm"),
        ("Those migrants breed like rats.", "contempt for a group"),
        ("We'll break your legs.", "threat"),
        ("Get lost luggage back at desk 4.", ""),
        ("Trash is collected on Tuesday.", ""),
        ("Women like you can apply too.", ""),
        ("Old people can get a discount.", ""),
        ("He died of a heart attack in 1980.", ""),
    ],
)
def test_contempt_wishes_and_threats_are_told_from_calm_sentences(sentence, rule):
    assert (toxic_words(sentence) or ("", ""))[0] == rule
