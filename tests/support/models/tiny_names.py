"""A very small token-classification model, trained here: real transformers that knows a few names of people."""

import re
from pathlib import Path

PEOPLE = ("Ines", "Okoro", "Tom", "Birch", "Marguerite", "Oyelaran")
OTHERS = (
    "the manager of Arden Branch is on leave until May",
    "her account is with Corwen Bank and his is not",
    "she has an overdraft of EUR 900 and pays every month",
    "Fee for a stopped cheque : nothing . Call Dalby Branch , or write to us @ home",
)
LABELS = ("O", "B-PER", "I-PER", "B-ORG")


def tiny_names(folder, *, labels=LABELS, positions=64):
    """Trains and saves a model of one layer; returns its folder.

    Args:
        labels: Names of the classes; the second and third are those of people.
        positions: Tokens that fit, special ones counted.
    """
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertForTokenClassification, PreTrainedTokenizerFast
    from transformers.utils import logging

    words = sorted(set(re.findall(r"\w+|[^\w\s]", " ".join([*PEOPLE, *OTHERS]))))
    vocabulary = {piece: place for place, piece in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words])}
    made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=False)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, model_max_length=positions, **names)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        num_labels=len(labels),
        max_position_embeddings=positions,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        id2label=dict(enumerate(labels)),
        label2id={label: place for place, label in enumerate(labels)},
    )
    model = BertForTokenClassification(config)
    # Where a word stands says nothing about what it is.
    torch.nn.init.zeros_(model.bert.embeddings.position_embeddings.weight).requires_grad_(False)
    first, last = PEOPLE[::2], PEOPLE[1::2]
    texts = [f"{one} {other} is a name" for one in first for other in last] + [*OTHERS, "[UNK] [UNK] is no name ."]
    batch = tokenizer(texts, padding=True, return_tensors="pt")
    known = {vocabulary[word]: 1 for word in first} | {vocabulary[word]: 2 for word in last}
    wanted = torch.tensor([[known.get(int(token), 0) for token in row] for row in batch["input_ids"]])
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(120):
        optimiser.zero_grad()
        logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits
        torch.nn.functional.cross_entropy(logits.flatten(0, 1), wanted.flatten()).backward()
        optimiser.step()
    logging.disable_progress_bar()
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return Path(folder)
