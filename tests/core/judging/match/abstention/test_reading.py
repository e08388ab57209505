"""Whether an answer declines as a whole: a table of cases, real answers read by eye, single sentences."""

import json

import pytest

from core.judging.match.abstention import abstains, makes_no_claim, read_ahead, read_answer
from tests.support.shared_data import shared

FEE = "What is the monthly fee of the Premium account?"
WHO = "Who manages the Harbour Street branch?"
HOW = "How do I block a lost card?"

DECLINES = [
    (FEE, "I don't know."),
    (FEE, "I do not know"),
    (FEE, "I do not have specific information."),
    (FEE, "I do not have specific information about the monthly fee of the Premium account."),
    (FEE, "I'm sorry, but I could not find this in the documents."),
    (FEE, "I am afraid I cannot answer that."),
    (FEE, "Unfortunately, the provided documents do not mention the monthly fee."),
    (FEE, "The provided documents do not contain any information about the monthly fee of the Premium account."),
    (FEE, "The context doesn't specify the fee. Please contact your branch for details."),
    (FEE, "There is no information about the monthly fee in the given context."),
    (FEE, "There's no mention of a monthly fee in the documents."),
    (FEE, "No information found."),
    (FEE, "No relevant information is available in the documents."),
    (FEE, "None of the documents mention the fee."),
    (FEE, "The fee is not specified."),
    (FEE, "The monthly fee is not mentioned in the provided documents."),
    (FEE, "The fee isn't stated anywhere in the text."),
    (FEE, "This information is not available."),
    (FEE, "Based on the provided documents, it is not possible to determine the monthly fee."),
    (FEE, "The fee cannot be determined from the context."),
    (FEE, "The fee could not be found in the documents I was given."),
    (FEE, "Not enough information to answer the question."),
    (FEE, "There is insufficient information in the context to answer this question."),
    (FEE, "More information would be needed to answer this, and the documents do not give it. I cannot say."),
    (FEE, "That question is outside the scope of what I can help with."),
    (FEE, "Unknown"),
    (FEE, "N/A"),
    (FEE, "-"),
    (FEE, ""),
    (FEE, "   "),
    (FEE, "Not found in the documents."),
    (FEE, "It is unclear from the documents."),
    (FEE, "I'm not sure."),
    (FEE, "I have no idea."),
    (FEE, "Could you please clarify which account you mean?"),
    (FEE, "I need more information to answer that. Which country is the account in?"),
    (FEE, "The documents do not mention the fee. They only discuss the opening hours of the branches."),
    (FEE, "The documents do not mention the fee, nor do they mention the account."),
    (FEE, "The documents do not mention the fee; therefore I cannot answer the question."),
    (FEE, "While I understand your question, I do not have access to fee schedules."),
    (FEE, "Although I would like to help, I cannot find the fee in the documents."),
    (WHO, "I'm unable to disclose information about our employees."),
    (WHO, "For privacy reasons, we cannot share the names of branch staff."),
    (WHO, "We are unable to provide this information."),
    (WHO, "That information is confidential."),
    (WHO, "As an AI language model, I don't have access to personnel records."),
    (WHO, "As a virtual assistant, I can only help with questions about your accounts."),
    (WHO, "I'm not authorised to discuss personnel matters. Is there anything else I can help you with?"),
    (WHO, "Your request cannot be processed at this time. Please try again later."),
    (WHO, "Please contact your branch."),
    (WHO, "For this question, please contact our customer service."),
    (WHO, "I recommend contacting your relationship manager directly."),
    (
        WHO,
        "Hello. Thank you for your question. Unfortunately I was unable to find her name. Have a nice day.",
    ),
    (WHO, "I couldn't find any information about this branch. It's possible that the branch does not exist."),
    (WHO, "Sorry, I do not have that information at the moment. 🙏"),
    (WHO, "**I cannot answer this question** based on the documents."),
    (WHO, "I don't have the manager's name, but I'd be happy to help with something else."),
    (HOW, "I'm sorry, I can't help with that."),
    (FEE, "I wasn't able to find this."),
    (FEE, "I haven't been able to find that."),
    (FEE, "I've been unable to find that."),
    (FEE, "I have not found any information about this."),
    (FEE, "The documents contain no information about the fee."),
    (FEE, "The knowledge base has no entry for that."),
    (FEE, "My sources don't cover this topic."),
    (FEE, "I can't seem to find that in the provided context."),
    (FEE, "I cannot provide an answer based on the given context."),
    (FEE, "The provided context does not contain enough information to answer the question."),
    (FEE, "The given text provides no details on the fee."),
    (FEE, "Nothing in the documents mentions the fee."),
    (FEE, "I regret that I am unable to answer."),
    (FEE, "Based on the information provided, I can't determine the fee."),
    (FEE, "According to the documents, there is no information on the fee."),
    (FEE, "The question cannot be answered with the given documents."),
    (FEE, "This is not covered in the documents."),
    (FEE, "No answer."),
    (FEE, "I do not have an answer to that question."),
    (FEE, "Information not found."),
    (FEE, "The information you are looking for is not in the documents."),
    (FEE, "Neither document mentions a fee."),
    (FEE, "I must decline to answer."),
    (FEE, "That is not something I can share."),
    (FEE, "I'm only able to help with general questions."),
    (FEE, "I don't have enough information to say."),
    (FEE, "Sorry, we can't help with that."),
    (FEE, "We regret that we cannot disclose customer data."),
    (FEE, "Die Information ist nicht verfügbar."),
    (FEE, "Ich kann dazu nichts finden."),
    (FEE, "Je ne peux pas répondre à cette question."),
    (FEE, "The passage doesn't say."),
    (FEE, "It doesn't say."),
    (FEE, "The documents do not specify this. You may want to check the official website or contact customer support."),
    (FEE, "I could not find any details. However, you can contact the branch for more information."),
    (FEE, "I could not find any details. However, the branch can help you."),
    (FEE, "Das weiß ich nicht. Dazu liegen mir keine Informationen vor."),
    (FEE, "Leider kann ich diese Frage nicht beantworten."),
    (FEE, "Die Dokumente enthalten keine Angaben zur monatlichen Gebühr."),
    (FEE, "Die Gebühr wird in den Dokumenten nicht erwähnt. Bitte wenden Sie sich an Ihre Filiale."),
    (FEE, "Aus den Unterlagen geht die Höhe der Gebühr nicht hervor."),
    (FEE, "Ich darf Ihnen dazu keine Auskunft geben."),
    (FEE, "Je ne sais pas."),
    (FEE, "Je suis désolé, mais je n'ai pas trouvé cette information dans les documents."),
    (FEE, "Le document ne mentionne pas les frais mensuels."),
    (FEE, "Aucune information n'est disponible à ce sujet. Veuillez contacter votre agence."),
]

ANSWERS = [
    (FEE, "The fee is 5 euros a month."),
    (FEE, "5 EUR"),
    (FEE, "The documents do not say when it was introduced, but the fee is 5 euros."),
    (FEE, "The documents do not mention a Premium account. However, the Gold account costs 5 euros a month."),
    (FEE, "Although the documents do not name the account, they put the fee at 5 euros."),
    (FEE, "I'm not sure, but I think it is 5 euros."),
    (FEE, "I'm sorry for the delay. The fee is 5 euros."),
    (FEE, "There is no monthly fee."),
    (FEE, "No fee."),
    (FEE, "The Premium account does not have a monthly fee."),
    (FEE, "No, the Premium account does not include a monthly fee."),
    (FEE, "The account is not available in Jersey."),
    (FEE, "We do not charge a fee."),
    (FEE, "We cannot waive the fee for customers under 18."),
    (FEE, "The fee is waived if you do not have a salary account."),
    ("What happens if a field is left empty?", "If the information is not provided, the application is refused."),
    (FEE, "There are no fees for students. I do not know the fee for others."),
    (
        "What does the monthly fee depend on?",
        "The documents do not mention the fee directly. They suggest that it depends on the balance.",
    ),
    ("What does the fee depend on?", "It depends on the balance; unfortunately I cannot tell you more."),
    ("Who may see customer information?", "Customer information is not disclosed to third parties."),
    (FEE, "The request cannot be submitted online."),
    (FEE, "We are unable to waive the fee."),
    ("Is the information passed on to other banks?", "The information is not provided to other banks."),
    (FEE, "The fee is not included in the price."),
    (FEE, "The terms are not specified in the contract but in the price list."),
    (FEE, "Interest is not paid on this account."),
    (FEE, "The card cannot be found in shops."),
    (FEE, "You do not have to pay a fee."),
    (FEE, "The bank does not know the customer."),
    ("How long are records kept?", "Records are kept for ten years and not destroyed."),
    ("Does the branch have an answer machine?", "There is no answer machine."),
    (FEE, "I believe the fee is 5 euros."),
    ("Does the statement show pending payments?", "The statement does not show pending payments."),
    (FEE, "The document has no expiry date."),
    (FEE, "The documents have no fee."),
    (FEE, "Not all accounts have a fee."),
    (FEE, "Die Gebühr beträgt 5 Euro im Monat."),
    (FEE, "Die Dokumente nennen das Datum nicht, aber die Gebühr beträgt 5 Euro."),
    (FEE, "Das Konto hat keine monatliche Gebühr."),
    (FEE, "Les frais mensuels sont de 5 euros."),
    (FEE, "Le document ne précise pas la date, mais les frais sont de 5 euros."),
    (FEE, "月額料金は5ユーロです。"),
    (WHO, "Ann Lee manages it."),
    (WHO, "Ann Lee. If you have any further questions, please do not hesitate to ask."),
    (WHO, 'The last manager said "I do not know" and left, so Ann Lee took over.'),
    (WHO, "The branch is not managed by Ann Lee but by Bo Chen."),
    (WHO, "You're welcome. Is there anything else I can help you with?"),
    (WHO, "I'm glad I could help."),
    (HOW, "Please contact your branch."),
    (HOW, "Call 0800 123 456."),
    (HOW, "Log in to the app and choose Cards. You cannot block a card by post."),
    (HOW, "You might not be able to block it because you don't have access to the app."),
    (HOW, "To block a card, you must visit a branch."),
    ("Can minors open an account?", "No, minors cannot open an account without a parent."),
    ("Is the formula public?", "The exact formula is proprietary and not publicly available."),
    ("Who wrote the book?", "Its author is unknown."),
    ("Does Vulnerability Advisor scan encrypted images?", "No, Vulnerability Advisor does not scan encrypted images."),
]


@pytest.mark.parametrize(("question", "answer"), DECLINES)
def test_an_answer_declines(question, answer):
    assert abstains(question, answer)
    assert read_answer(question, answer).words


@pytest.mark.parametrize(("question", "answer"), ANSWERS)
def test_an_answer_answers(question, answer):
    assert not abstains(question, answer)
    assert not read_answer(question, answer).outcome.declines


@pytest.mark.parametrize(
    "sentence",
    [
        "You're welcome!",
        "I'm glad I could help you understand the new commands.",
        "I hope the information helps you with filing the order.",
        "If you have any more questions, feel free to ask.",
        "Let me know if you need anything else.",
        "Hello!",
        "Stay safe!",
        "Sure, here are the steps:",
        "I do not have specific information about that.",
        "The documents do not mention the fee.",
        "I'm sorry, but I cannot disclose this.",
        "Which account do you mean?",
        "Is there anything else I can help you with?",
        "Gern geschehen.",
        "De rien.",
        "👍",
        "...",
        "",
    ],
)
def test_a_sentence_that_claims_nothing(sentence):
    assert makes_no_claim(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The fee is 5 euros.",
        "Yes.",
        "5%",
        "The documents do not mention the fee, but it is 5 euros.",
        "Call the card line.",
        "If you have questions about fees, call 0800 123 456.",
        "The account has no monthly fee.",
        "They only discuss the opening hours.",
        "口座は無料です。",
    ],
)
def test_a_sentence_that_claims_something(sentence):
    assert not makes_no_claim(sentence)


def test_a_long_answer_is_read_up_to_its_first_claim_and_a_huge_sentence_is_a_claim():
    assert not abstains(FEE, "The fee is 5 euros. " * 20_000)
    assert not read_answer(FEE, "I do not know " + "and on " * 1_000, by_rules=True).outcome.declines


@pytest.mark.parametrize(
    "words",
    [
        "Thanks for ",
        "the information ",
        "documents ",
        "if you have any ",
        "no information ",
        "i do not ",
        "is not ",
        ", ",
    ],
)
def test_repeated_words_do_not_make_the_patterns_wander(words):
    # Where they wander, a thousand characters take longer than anybody waits; bench/bench_long_inputs.py measures it.
    for length in (60, 1_000):
        assert not abstains(FEE, words * (length // len(words)) + "the fee is 5 euros")


MTRAG = "mtrag/reference_subset_with_human_evaluations.json"
DECLINING = {
    # Read by eye: the answer says that it has no answer and tells nothing else. Task and turn of each.
    "llama-3.1-405b-instruct": {
        "35e6be0f2049527ae17cf77169cc4f70<::>1",
        "1c0e5e78f1a16ea2eb2165b6aa31dc61<::>3",
        "6af5334fbd010b919d7fa174823abd12<::>8",
        "927077bd895f0c292618f4a34789bef3<::>6",
    },
    "gpt-4o": {
        "35e6be0f2049527ae17cf77169cc4f70<::>1",
        "1c0e5e78f1a16ea2eb2165b6aa31dc61<::>4",
        "6af5334fbd010b919d7fa174823abd12<::>1",
        "4751cd8210b4adb8bce5cbc3fe913096<::>1",
        "6a738cc02c5aa0b74319acd0e8a809dd<::>2",
    },
    "reference": {
        "1534a095279f2cb888fb0bea17bd70da<::>3",
        "35e6be0f2049527ae17cf77169cc4f70<::>1",
        "6af5334fbd010b919d7fa174823abd12<::>1",
        "72ba19c38518da1fc894fc638a2802f7<::>7",
        "6a738cc02c5aa0b74319acd0e8a809dd<::>2",
        "927077bd895f0c292618f4a34789bef3<::>6",
    },
}


def answers_of_mtrag():
    data = json.loads(shared(MTRAG).read_text(encoding="utf-8"))
    tasks = {task["task_id"]: task for task in data["tasks"]}
    for row in data["evaluations"]:
        task = tasks[row["task_id"]]
        yield row["model_id"], row["task_id"], task, row


@pytest.mark.slow
def test_precision_and_recall_on_answers_read_by_eye():
    found = {model: set() for model in DECLINING}
    rows = list(answers_of_mtrag())
    assert len(rows) == 477
    read_ahead((task["input"][-1]["text"], row["model_response"]) for _, _, task, row in rows)
    for model, task_id, task, row in rows:
        if abstains(task["input"][-1]["text"], row["model_response"]):
            found[model].add(task_id)
    for model, declining in DECLINING.items():
        right = len(found[model] & declining)
        assert right / len(declining) >= 0.8, f"recall on {model}: missed {declining - found[model]}"
        assert right / len(found[model]) >= 0.8, f"precision on {model}: wrong {found[model] - declining}"


@pytest.mark.slow
def test_a_machine_signal_agrees_where_it_is_not_mistaken_itself():
    # conditional_idk is 1 where declining and answerability fit: answered and answerable (or partial), or declined and
    # not answerable. It counts "The provided documents do not contain ... I do not have specific information" (gpt-4o)
    # as an answer, so it misses one of the nine that were read by eye.
    differ = []
    for model, task_id, task, row in answers_of_mtrag():
        kind = task["Answerability"][0]
        if model == "reference" or kind == "CONVERSATIONAL":
            continue
        fits = row["annotations"]["conditional_idk"]["composite"]["value"] == 1
        declined = fits if kind == "UNANSWERABLE" else not fits
        if declined != abstains(task["input"][-1]["text"], row["model_response"]):
            differ.append((model, task_id))
    assert differ == [("gpt-4o", "1c0e5e78f1a16ea2eb2165b6aa31dc61<::>4")]


@pytest.mark.slow
def test_answers_of_annotators_are_answers():
    lines = shared("clapnq/clapnq_dev_answerable.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    answers = [(row["input"], one["answer"]) for row in rows for one in row["output"]]
    # In 21 of 495 the annotator gave no answer: nothing, "NA" or a full stop.
    told = [(asked, said) for asked, said in answers if said.strip(" .") not in {"", "NA"}]
    assert len(told) == 474
    read_ahead(told)
    wrong = [said for asked, said in told if abstains(asked, said)]
    assert len(wrong) <= 0.01 * len(told), wrong


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("I lost my phone in a taxi, can I claim?", "No, losing or mislaying a phone isn't covered."),
        (
            "Does flood insurance pay for a hotel and my car?",
            "Unfortunately, no. Neither temporary housing nor vehicle damage is covered. Would you like to know more?",
        ),
        (
            "What parts can go in the dishwasher?",
            "The drip tray can go in the upper rack, but the brew group can't. The tank should be washed by hand.",
        ),
        (
            "What must a flexible working request contain?",
            "The request must be in writing and dated, and it must say what change you want and from when. You do not "
            "need to explain how your employer might deal with the effect of the change.",
        ),
    ],
)
def test_facts_told_in_sentences_decline_nothing(question, answer):
    assert not abstains(question, answer)
