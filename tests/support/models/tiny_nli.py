"""Very small NLI models: real transformers with a tokenizer trained here, and one whose numbers can be told by hand."""

import re
import string
from pathlib import Path

import numpy as np

from core.encoders.classifiers.nli import NliHead

LABELS = ("contradiction", "entailment", "neutral")
TEXTS = [
    "The bank opened in 1901. It has a branch in Harbour Street, and it lends money to firms and families.",
    "Rates rose by 2.5 percent in May; the board of the bank meets every month and writes minutes.",
    "Nobody entered the vault without a key. The manager of the branch keeps two keys in a safe.",
]
HIDDEN = 16


def tiny_nli(folder, kind="bert", *, labels=LABELS, order=None, seed=0, positions=64):
    """Saves a model of one layer with 16 dimensions and random weights; returns its folder.

    Args:
        kind: ``bert`` (head: classifier), ``roberta`` (classifier.out_proj), ``distilbert`` (no segments) or ``gpt2``
            (score, on the last token, without a bias).
        labels: Names of the classes.
        order: The rows of the head in another order, with their labels: the same model, said differently.
        positions: Tokens that fit, special ones counted.
    """
    import torch

    tokenizer = _tokenizer(kind, positions)
    torch.manual_seed(seed)
    model = _model(kind, len(labels), tokenizer, positions)
    with torch.no_grad():  # usual starting weights are so small that all pairs would look alike
        for parameter in model.parameters():
            parameter.normal_(0.0, 0.4)
    _name(model, labels)
    if order is not None:
        head = last_layer(model)
        with torch.no_grad():
            head.weight.copy_(head.weight[list(order)].clone())
            if head.bias is not None:
                head.bias.copy_(head.bias[list(order)].clone())
        _name(model, [labels[place] for place in order])
    return _save(folder, model, tokenizer)


def planted_nli(folder, hidden, weights, biases, *, labels=LABELS, positions=64):
    """Saves a BERT whose head sees the same hidden vector for every pair; its logits are W x + b, told by hand.

    Args:
        hidden: x, one number for all 16 dimensions, between -1 and 1.
        weights: W, one number a class for all 16 dimensions.
        biases: b, one number a class.
    """
    import torch

    tokenizer = _tokenizer("bert", positions)
    model = _model("bert", len(labels), tokenizer, positions)
    with torch.no_grad():
        model.bert.pooler.dense.weight.zero_()
        model.bert.pooler.dense.bias.fill_(float(np.arctanh(hidden)))
        for row, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
            model.classifier.weight[row] = weight
            model.classifier.bias[row] = bias
    _name(model, labels)
    return _save(folder, model, tokenizer)


def last_layer(model):
    """The head of a tiny model."""
    found = getattr(model, "classifier", None) or model.score
    return getattr(found, "out_proj", found)


class OverlapNli:
    """Logits of a pair from the words of the hypothesis that are in the premise; a token is a word.

    With the share s of words that are found, the logits are (contradiction 1 - s, entailment s, neutral 0.5).

    Attributes:
        pairs: Every pair it was asked about.
    """

    name = "word overlap"
    head = NliHead(
        labels=LABELS,
        entailment=1,
        contradiction=0,
        weights=np.array([[0.0, 1.0], [0.6, 0.8], [0.0, 0.0]], dtype=np.float32),
    )

    def __init__(self, capacity=1000):
        self.capacity = capacity
        self.pairs = []

    def tokens(self, text):
        return len(text.split())

    def logits(self, pairs):
        self.pairs += pairs
        shares = [self._share(*pair) for pair in pairs]
        return np.array([[1 - share, share, 0.5] for share in shares], dtype=np.float32).reshape(len(pairs), 3)

    def _share(self, premise, hypothesis):
        there, asked = (re.findall(r"\w+", text.casefold()) for text in (premise, hypothesis))
        return sum(word in there for word in asked) / len(asked) if asked else 0.0


def _tokenizer(kind, positions):
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    if kind in ("roberta", "gpt2"):
        special = ["<s>", "<pad>", "</s>", "<unk>"]
        made = Tokenizer(models.BPE(unk_token="<unk>"))
        made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(
            vocab_size=400, special_tokens=special, initial_alphabet=alphabet, show_progress=False
        )
        made.train_from_iterator(TEXTS, trainer)
        names = {"pad_token": "<pad>", "unk_token": "<unk>", "cls_token": "<s>", "sep_token": "</s>"}
        pair, single, ends = "<s> $A </s> </s> $B </s>", "<s> $A </s>", ("<s>", "</s>")
    else:
        # Written, not trained: the trainer of word pieces may order equals differently in each process.
        words = sorted(set(re.findall(r"\w+", " ".join(TEXTS).casefold())))
        letters = [*string.ascii_lowercase, *string.digits, *string.punctuation]
        pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *(f"##{letter}" for letter in letters), *words]
        vocabulary = {piece: place for place, piece in enumerate(dict.fromkeys(pieces))}
        made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
        made.normalizer = normalizers.BertNormalizer()
        made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
        pair, single, ends = "[CLS] $A [SEP] $B:1 [SEP]:1", "[CLS] $A [SEP]", ("[CLS]", "[SEP]")
    made.post_processor = processors.TemplateProcessing(
        single=single, pair=pair, special_tokens=[(name, made.token_to_id(name)) for name in ends]
    )
    inputs = ["input_ids", "attention_mask", *(["token_type_ids"] if kind == "bert" else [])]
    return PreTrainedTokenizerFast(tokenizer_object=made, model_max_length=positions, model_input_names=inputs, **names)


def _model(kind, classes, tokenizer, positions):
    import transformers

    common = {
        "vocab_size": len(tokenizer),
        "num_labels": classes,
        "pad_token_id": tokenizer.pad_token_id,
    }
    small = {
        "hidden_size": HIDDEN,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 32,
    }
    if kind == "bert":
        config = transformers.BertConfig(max_position_embeddings=positions, **small, **common)
        return transformers.BertForSequenceClassification(config).eval()
    if kind == "roberta":
        # Positions are counted from behind the padding index, so two of them are never used.
        config = transformers.RobertaConfig(max_position_embeddings=positions + 2, type_vocab_size=1, **small, **common)
        return transformers.RobertaForSequenceClassification(config).eval()
    if kind == "distilbert":
        config = transformers.DistilBertConfig(
            dim=HIDDEN, n_layers=1, n_heads=2, hidden_dim=32, max_position_embeddings=positions, **common
        )
        return transformers.DistilBertForSequenceClassification(config).eval()
    config = transformers.GPT2Config(
        n_embd=HIDDEN, n_layer=1, n_head=2, n_positions=positions, bos_token_id=0, eos_token_id=2, **common
    )
    return transformers.GPT2ForSequenceClassification(config).eval()


def _name(model, labels):
    model.config.id2label = dict(enumerate(labels))
    model.config.label2id = {label: place for place, label in enumerate(labels)}


def _save(folder, model, tokenizer):
    from transformers.utils import logging

    logging.disable_progress_bar()
    folder = Path(folder)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
