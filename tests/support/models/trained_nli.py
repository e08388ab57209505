"""A small NLI model trained on generated pairs in about two seconds: what is planned or weighed is not done.

Words that the model is asked about later (other towns, other things) stand in no pair that it learns from.
"""

import itertools
import re
import string
from pathlib import Path

LABELS = ("contradiction", "entailment", "neutral")
LEARNED = ("branch in Lugano", "desk in Davos", "office in Chur", "vault in Arosa", "counter in Zug", "shop in Baden")
ASKED = ("branch in Sion", "desk in Thun", "office in Olten", "vault in Visp")
STEPS, AT_ONCE, SEED = 60, 64, 0


def pairs(things):
    """Premise, hypothesis, and the place of the right label.

    >>> pairs(["branch"])[0]
    ('The bank plans to open a branch.', 'The bank plans to open a branch.', 1)
    """
    made = []
    for thing in things:
        plan, fact = f"The bank plans to open a {thing}.", f"The bank opened a {thing}."
        thought, done = f"The board considers closing the {thing}.", f"The board closed the {thing}."
        made += [(plan, plan, 1), (fact, fact, 1), (plan, fact, 2)]
        made += [(thought, thought, 1), (done, done, 1), (thought, done, 2)]
    return made


def trained_nli(folder):
    """Trains the model, saves it as transformers does, and returns its folder."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers.utils import logging

    logging.disable_progress_bar()
    rows = pairs(LEARNED)
    texts = list(itertools.chain.from_iterable(row[:2] for row in rows + pairs(ASKED)))
    letters = [*string.ascii_lowercase, *string.digits, *string.punctuation]
    words = sorted(set(re.findall(r"\w+", " ".join(texts).casefold())))
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *(f"##{letter}" for letter in letters), *words]
    vocabulary = {piece: place for place, piece in enumerate(dict.fromkeys(pieces))}
    made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, vocabulary[name]) for name in ("[CLS]", "[SEP]")],
    )
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        model_max_length=64,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        config = transformers.BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=64,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            num_labels=len(LABELS),
            pad_token_id=tokenizer.pad_token_id,
            id2label=dict(enumerate(LABELS)),
            label2id={label: place for place, label in enumerate(LABELS)},
        )
        model = transformers.BertForSequenceClassification(config)
        _train(model, tokenizer, rows)
    model.eval().save_pretrained(Path(folder))
    tokenizer.save_pretrained(Path(folder))
    return Path(folder)


def _train(model, tokenizer, rows):
    import torch

    generator = torch.Generator().manual_seed(SEED)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    batch = tokenizer([row[0] for row in rows], [row[1] for row in rows], padding=True, return_tensors="pt")
    labels = torch.tensor([row[2] for row in rows])
    model.train()
    for _ in range(STEPS):
        some = torch.randperm(len(rows), generator=generator)[:AT_ONCE]
        optimiser.zero_grad()
        model(**{name: rows_of[some] for name, rows_of in batch.items()}, labels=labels[some]).loss.backward()
        optimiser.step()
