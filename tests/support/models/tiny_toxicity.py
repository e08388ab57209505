"""A very small text-classification model, trained here: real transformers that tells insults from other sentences."""

from tests.support.models.tiny_nli import _model, _name, _save, _tokenizer

INSULTS = ("the manager is a moron", "nobody likes a moron", "a moron wrote it", "moron", "what a moron you are")
CALM = (
    "the manager keeps two keys",
    "the board meets every month",
    "rates rose in may",
    "the branch lends money",
    "a key",
)


def tiny_toxicity(folder, *, labels=("neutral", "toxic"), several=False):
    """Trains and saves a model of one layer; it knows one word. Returns its folder."""
    import torch

    tokenizer = _tokenizer("bert", 64)
    torch.manual_seed(0)
    model = _model("bert", 2, tokenizer, 64)
    _name(model, labels)
    if several:
        model.config.problem_type = "multi_label_classification"
    texts = [*INSULTS, *CALM]
    wanted = torch.tensor([1] * len(INSULTS) + [0] * len(CALM))
    batch = tokenizer(texts, padding=True, return_tensors="pt")
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    model.train()
    for _ in range(60):
        optimiser.zero_grad()
        logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits
        torch.nn.functional.cross_entropy(logits, wanted).backward()
        optimiser.step()
    return _save(folder, model.eval(), tokenizer)
